/* SPDX-License-Identifier: MIT */
/* The headings that views show are those that agents use: a crowd of agents
 * that never move is recorded, and each of its arrivals is found in the view;
 * and a crowd that steers at every step, and each of its first moves. */
#include "view/headings.h"

#include "base/memory.h"
#include "recording/read/tables.h"
#include "tests/suite.h"
#include "tests/view/run_scenario.h"
#include "view/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CROWD                                                                  \
    "agents = ({ at = \"random\"; count = 60; speed = 0.0; });"                \
    "pursuit = { stop = \"never\"; capture_radius = 0.25; };"                  \
    "record = { fields = (\"amplitude\", \"agents\"); every = 5; };"
#define FLAT                                                                   \
    "steps = 200; seed = 4; wave = { lifetime = 70; count = 2; };"             \
    "map = { rows = (\"................@.......\","                            \
    "\"....@@@@........@.......\", \"....@@@@......@@@.......\","              \
    "\"....@.........@@@.......\", \"....@...@@@@@...........\","              \
    "\"....@...................\", \"@@.@@@@@@@@@@@@@@@@..@@@\","              \
    "\"........................\", \"........................\"); };"          \
    "target = { at = [10.0, 3.0]; motion = \"random\"; speed = 0.05; };"       \
    "events = ({ step = 90; box = [19, 6, 20, 6]; set = \"wall\"; },"          \
    " { step = 130; box = [0, 6, 1, 6]; set = \"free\"; });" CROWD
#define DEEP                                                                   \
    "steps = 120; seed = 9; wave = { lifetime = 60; count = 1; };"             \
    "map = { layers = ((\"........\",\"........\",\"........\",\"........\")," \
    "(\"@@....@@\",\"@@....@@\",\"@@@@@@@@\",\"........\"),"                   \
    "(\"........\",\"...@....\",\"........\",\"........\")); };"               \
    "target = { at = [1.0, 1.0, 0.0]; };" CROWD

struct test_case {
    const char *text;
    const char *overrides[9]; /* NULL after the last */
};

static const struct test_case cases[] = {
    { FLAT, { NULL } },
    { FLAT,
      { "arrival.heading=signed", "record.keyframes=20", "record.every=1" } },
    { FLAT, { "arrival.heading=flux", "arrival.threshold=1e-3" } },
    { FLAT, { "arrival.heading=arrival-time", "wave.walls=free" } },
    { FLAT, { "arrival.detector=leading-edge", "wave.stencil=9-point" } },
    { FLAT, { "arrival.detector=first-peak", "arrival.heading=signed" } },
    { FLAT,
      { "arrival.detector=capped-exponential", "wave.precision=double" } },
    { FLAT, { "arrival.detector=laplace" } },
    { FLAT,
      { "arrival.detector=laplace", "arrival.heading=arrival-time",
        "wave.walls=free", "wave.restart=on-arrival", "wave.count=1" } },
    { FLAT,
      { "arrival.detector=laplace", "wave.restart=received",
        "wave.lifetime=12" } },
    { FLAT,
      { "wave.source=ricker", "wave.wavelength=6",
        "record.region=[2,0,20,5]" } },
    { DEEP, { NULL } },
    { DEEP, { "arrival.detector=laplace", "wave.walls=free" } },
};

static char path[] = "/tmp/hamon-headings-XXXXXX.h5";

static void record(const struct test_case *test)
{
    struct scenario *scenario;
    struct error error;
    size_t count = 0;
    while (test->overrides[count])
        count++;
    ck_assert_msg(scenario_parse(test->text, "crowd.cfg", test->overrides,
                                 count, &scenario, &error) == STATUS_OK,
                  "%s", error.message);
    run_scenario(scenario, path);
}

struct reaction {
    int agent, wave;
    int64_t step;
    double heading[GRID_AXES];
};

static size_t read_reactions(const struct recording *recording,
                             struct reaction **reactions)
{
    static const char *const names[] = {
        "arrivals/agent",     "arrivals/wave",      "arrivals/step",
        "arrivals/heading_x", "arrivals/heading_y", "arrivals/heading_z"
    };
    size_t count = (size_t)recording_table_rows(recording, "arrivals");
    *reactions = memory_new(count, sizeof **reactions);
    double *column[6] = { NULL };
    for (int i = 0; i < 3 + recording_grid(recording)->dims; i++)
        ck_assert_int_eq(
            table_column_read(recording, names[i], count, &column[i], NULL),
            STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        (*reactions)[i] = (struct reaction){
            (int)column[0][i], (int)column[1][i], (int64_t)column[2][i], { 0 }
        };
        for (int axis = 0; axis < recording_grid(recording)->dims; axis++)
            (*reactions)[i].heading[axis] = column[3 + axis][i];
    }
    for (int i = 0; i < 6; i++)
        memory_release(column[i]);
    return count;
}

/* Every agent's cell, from where it is in the first row. */
static size_t *read_cells(const struct recording *recording, size_t *count)
{
    double at[GRID_AXES][100] = { { 0 } };
    const struct variable *x = recording_find(recording, "agents/x");
    *count = variable_elements(x);
    ck_assert_uint_lt(*count, 100);
    for (int axis = 0; axis < recording_grid(recording)->dims; axis++) {
        char name[] = "agents/x";
        name[7] = (char)('x' + axis);
        ck_assert_int_eq(recording_read_real(recording,
                                             recording_find(recording, name), 0,
                                             at[axis], NULL),
                         STATUS_OK);
    }
    size_t *cells = memory_new(*count, sizeof *cells);
    for (size_t i = 0; i < *count; i++)
        cells[i] = grid_index(recording_grid(recording), (int)at[0][i],
                              (int)at[1][i], (int)at[2][i]);
    return cells;
}

static bool is_at(const struct headings *headings, int dims, size_t cell,
                  const double heading[GRID_AXES])
{
    double seen[GRID_AXES];
    headings_at(headings, cell, seen);
    for (int axis = 0; axis < dims; axis++)
        if (seen[axis] != heading[axis])
            return false;
    return true;
}

START_TEST(every_reaction_of_an_agent_is_in_the_headings_of_its_cell)
    {
        const struct test_case *test = &cases[_i];
        struct recording *recording;
        struct headings *headings;
        struct reaction *reactions;
        record(test);
        ck_assert_int_eq(replay_open(path, &recording, NULL), STATUS_OK);
        const int dims = recording_grid(recording)->dims;
        size_t count = read_reactions(recording, &reactions), agents;
        size_t *cells = read_cells(recording, &agents), found = 0, fresh = 0;
        for (int wave = 0; wave < recording_waves(recording); wave++) {
            struct error error;
            ck_assert_int_eq(headings_new(recording, wave, &headings, &error),
                             STATUS_OK);
            for (size_t i = 0; i < count; i++) {
                const struct reaction *r = &reactions[i];
                size_t cell = cells[r->agent];
                double length = 0;
                for (int axis = 0; axis < dims; axis++)
                    length += r->heading[axis] * r->heading[axis];
                if (r->wave != wave || length == 0)
                    continue;
                /* A flux is summed for up to 40 steps, which end at the step of
                 * the row; before that its heading is another or missing. */
                ck_assert_msg(headings_go_to(headings, r->step, &error) ==
                                  STATUS_OK,
                              "%s", error.message);
                ck_assert_msg(is_at(headings, dims, cell, r->heading),
                              "agent %d, wave %d, step %d: not %g %g", r->agent,
                              wave, (int)r->step, r->heading[0], r->heading[1]);
                found++;
                if (found % 4)
                    continue;
                /* One step back, which starts again from the beginning. */
                ck_assert_int_eq(headings_go_to(headings, r->step - 1, NULL),
                                 STATUS_OK);
                fresh += !is_at(headings, dims, cell, r->heading);
            }
            headings_release(headings);
        }
        ck_assert_uint_gt(found, 50);
        ck_assert_uint_gt(fresh, 1);
        memory_release(cells);
        memory_release(reactions);
        recording_close(recording);
        unlink(path);
    }
END_TEST

/* ---- steering at every step ---- */

#define WALKS "wave.count=1", "pursuit.steering=every-step"

static const struct test_case walks[] = {
    { FLAT, { WALKS, "arrival.detector=laplace", "wave.walls=free" } },
    { FLAT,
      { WALKS, "arrival.detector=laplace", "wave.restart=received",
        "wave.lifetime=12", "pursuit.sight=2.5" } },
    { FLAT,
      { WALKS, "arrival.detector=laplace", "arrival.heading=arrival-time",
        "wave.walls=free" } },
    { FLAT, { WALKS, "arrival.detector=capped-exponential" } },
    { FLAT,
      { WALKS, "arrival.detector=first-peak", "wave.precision=double",
        "record.keyframes=20" } },
    { DEEP, { WALKS, "arrival.detector=laplace", "wave.walls=free" } },
};

static double in_row(const struct recording *recording, const char *name,
                     int64_t row, size_t agent)
{
    double all[100];
    ck_assert_int_eq(recording_read_real(recording,
                                         recording_find(recording, name), row,
                                         all, NULL),
                     STATUS_OK);
    return all[agent];
}

/* The first row in which it moves, or −1. */
static int64_t first_move(const struct recording *recording, size_t agent)
{
    for (int64_t row = 0; row < recording_rows(recording); row++)
        if (in_row(recording, "agents/state", row, agent) == AGENT_MOVING)
            return row;
    return -1;
}

/* The agent was still at its cell's centre then, and had no other node. */
START_TEST(an_agent_steering_at_every_step_starts_along_its_cell_s_heading)
    {
        static const char *const names[] = { "agents/heading_x",
                                             "agents/heading_y",
                                             "agents/heading_z" };
        struct test_case test = walks[_i];
        struct recording *recording;
        struct headings *headings;
        struct error error;
        size_t count, overrides = 0, started = 0;
        while (test.overrides[overrides])
            overrides++;
        test.overrides[overrides++] = "agents.[0].speed=0.01";
        test.overrides[overrides] = "record.every=1";
        record(&test);
        ck_assert_int_eq(replay_open(path, &recording, NULL), STATUS_OK);
        const int dims = recording_grid(recording)->dims;
        size_t *cells = read_cells(recording, &count);
        ck_assert_int_eq(headings_new(recording, 0, &headings, &error),
                         STATUS_OK);
        for (size_t i = 0; i < count; i++) {
            double heading[GRID_AXES] = { 0 }, seen[GRID_AXES];
            int64_t row = first_move(recording, i);
            if (row < 0)
                continue;
            for (int axis = 0; axis < dims; axis++)
                heading[axis] = in_row(recording, names[axis], row, i);
            ck_assert_msg(headings_go_to(headings,
                                         recording_steps(recording)[row],
                                         &error) == STATUS_OK,
                          "%s", error.message);
            headings_at(headings, cells[i], seen);
            ck_assert_msg(is_at(headings, dims, cells[i], heading),
                          "agent %d, row %d: %g %g %g, not %g %g %g", (int)i,
                          (int)row, seen[0], seen[1], seen[2], heading[0],
                          heading[1], heading[2]);
            started++;
        }
        ck_assert_uint_gt(started, 40);
        headings_release(headings);
        memory_release(cells);
        recording_close(recording);
        unlink(path);
    }
END_TEST

/* An agent's own rule counts before the run's; without agents of waves the
 * run's. */
START_TEST(one_agent_that_steers_at_every_step_is_enough)
    {
        static const char *const agents[] = {
            "agents=({ at = [0.0, 0.0]; })",
            "agents=({ at = [0.0, 0.0]; }, { at = [9.0, 0.0]; steering = "
            "\"every-step\"; })",
            "agents=({ at = [0.0, 0.0]; steering = \"emission\"; })",
            "agents=({ at = [0.0, 0.0]; method = \"astar\"; })",
        };
        static const struct {
            const char *rule;
            int agents;
            bool by_nodes;
        } expected[] = {
            { "pursuit.steering=emission", 0, false },
            { "pursuit.steering=every-step", 0, true },
            { "pursuit.steering=emission", 1, true },
            { "pursuit.steering=every-step", 2, false },
            { "pursuit.steering=emission", 3, false },
            { "pursuit.steering=every-step", 3, true },
        };
        struct test_case test = { FLAT,
                                  { "arrival.detector=laplace",
                                    "wave.walls=free", expected[_i].rule,
                                    agents[expected[_i].agents] } };
        struct recording *recording;
        struct headings *headings;
        struct error error;
        double heading[GRID_AXES];
        record(&test);
        ck_assert_int_eq(replay_open(path, &recording, NULL), STATUS_OK);
        ck_assert_int_eq(headings_new(recording, 0, &headings, &error),
                         STATUS_OK);
        ck_assert_int_eq(headings_go_to(headings, 60, &error), STATUS_OK);
        /* Round the wall's end: a node's direction is a ratio of whole numbers
         * or of halves, the gradient's is not. */
        headings_at(headings, 5 * 24 + 12, heading);
        ck_assert(heading[0] != 0 && heading[1] != 0);
        const double ratio = heading[0] / heading[1] * 8 * 7 * 6 * 5 * 3;
        ck_assert_int_eq(fabs(ratio - round(ratio)) < 1e-9,
                         expected[_i].by_nodes);
        headings_release(headings);
        recording_close(recording);
        unlink(path);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("headings");
    TCase *tests = tcase_create("headings");
    int file = mkstemps(path, 3);
    close(file);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(
        tests, every_reaction_of_an_agent_is_in_the_headings_of_its_cell, 0,
        (int)(sizeof cases / sizeof *cases));
    tcase_add_loop_test(
        tests, an_agent_steering_at_every_step_starts_along_its_cell_s_heading,
        0, (int)(sizeof walks / sizeof *walks));
    tcase_add_loop_test(tests, one_agent_that_steers_at_every_step_is_enough, 0,
                        6);
    suite_add_tcase(suite, tests);
    int code = suite_main(suite);
    unlink(path);
    return code;
}
