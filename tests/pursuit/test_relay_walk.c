/* SPDX-License-Identifier: MIT */
#include "pursuit/motion.h"
#include "recording/read/recording.h"
#include "run/run.h"
#include "tests/pursuit/chase_runs.h"

#include <stdlib.h>
#include <unistd.h>

#define TOWN                                                                   \
    "map = { rows = "                                                          \
    "(\"..............\",\"..............\",\"..@@@..@@@@@..\","               \
    "\"..@@@..@@@@@..\",\"..@@@..@@@@@..\",\"..............\","                \
    "\"..............\",\"..@@@@@..@@@..\",\"..@@@@@..@@@..\","                \
    "\"..............\",\"..............\"); };"

#define WANDERERS                                                              \
    "agents = ({ name = \"W\"; at = \"random\"; count = 12; method = "         \
    "\"relay\"; speed = 0.2; goal = \"random\"; });"

static void where(const struct chase_run *run, size_t agent,
                  double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = chase_agents(run)->at[axis][agent];
}

static const struct relay_counters *counters(const struct chase_run *run)
{
    return pursuit_relay(simulation_pursuit(run->simulation));
}

START_TEST(wanderers_stay_in_the_streets_at_their_speed_and_reach_goals)
    {
        struct chase_run run = chase_start(
            "steps = 2000; seed = 3; pursuit = { replan = 10; }; " WANDERERS
                TOWN,
            1);
        int plans = 0;
        while (!simulation_ended(run.simulation)) {
            double from[12][GRID_AXES];
            struct agent_plan plan;
            for (size_t i = 0; i < 12; i++)
                where(&run, i, from[i]);
            while (simulation_plan(run.simulation, &plan)) {
                ck_assert_int_eq(plan.step % 10, 0);
                ck_assert_int_ge(plan.expansions, 1);
                ck_assert_uint_le(plan.path_cells, RELAY_NODES_MOST);
                for (size_t i = 0; i < plan.path_cells; i++)
                    ck_assert(!run.scenario->terrain.wall[plan.path[i]]);
                plans++;
            }
            chase_step(&run);
            for (size_t i = 0; i < 12; i++) {
                double at[GRID_AXES];
                where(&run, i, at);
                ck_assert(motion_is_free(&run.scenario->terrain, at));
                /* along the axes, one step's length unless a search failed */
                double moved =
                    fabs(at[0] - from[i][0]) + fabs(at[1] - from[i][1]);
                ck_assert_double_le(moved, 0.2 + 1e-9);
            }
        }
        /* 12 walkers, 400 cells each, paths of some 9 cells. */
        ck_assert_uint_gt(counters(&run)->goals, 300);
        ck_assert_uint_ge(counters(&run)->searches,
                          counters(&run)->goals + counters(&run)->failures);
        ck_assert_uint_lt(counters(&run)->failures, counters(&run)->goals / 20);
        ck_assert_int_ge(counters(&run)->nodes_most, 3);
        ck_assert_int_gt(plans, 200);
        chase_end(&run);
    }
END_TEST

START_TEST(a_walker_walks_straight_to_a_goal_in_sight_and_draws_the_next)
    {
        /* Two free cells: from one to the other, a goal every 10 steps of
         * .1. */
        struct chase_run run = chase_start(
            "steps = 100; map = { rows = (\"@@@@\",\"@..@\"); };"
            "agents = ({ at = [1.0, 1.0]; method = \"relay\"; speed = 0.125; "
            "goal = \"random\"; });",
            1);
        for (int step = 1; step <= 100; step++) {
            double at[GRID_AXES];
            chase_step(&run);
            where(&run, 0, at);
            double there = 1 + 0.125 * (8 - abs(8 - step % 16));
            ck_assert_double_eq(at[0], there);
            ck_assert_double_eq(at[1], 1);
        }
        /* The twelfth goal at step 96; arrivals count when the walker starts
         * again. */
        ck_assert_uint_eq(counters(&run)->goals, 12);
        ck_assert_uint_eq(counters(&run)->failures, 0);
        chase_end(&run);
    }
END_TEST

START_TEST(failures_are_counted_and_stop_no_walker)
    {
        /* Two halves: half of the goals cannot be reached. */
        struct chase_run run = chase_start(
            "steps = 3000; seed = 5; map = { rows = (\"...@...\",\"...@...\","
            "\"...@...\"); };" WANDERERS,
            1);
        chase_go_to(&run, 3000);
        ck_assert_uint_gt(counters(&run)->failures, 100);
        ck_assert_uint_gt(counters(&run)->goals, 100);
        chase_end(&run);
    }
END_TEST

START_TEST(walkers_enclosed_by_walls_or_without_goals_do_not_move)
    {
        struct chase_run run = chase_start(
            "steps = 200; map = { rows = (\".@...\"); };"
            "agents = ({ at = [0.0, 0.0]; method = \"relay\"; goal = "
            "\"random\"; }, { at = [2.0, 0.0]; method = \"relay\"; goal = "
            "\"random\"; }); events = ({ step = 60; box = [2, 0, 4, 0]; set = "
            "\"wall\"; });",
            1);
        chase_go_to(&run, 61);
        double from[GRID_AXES], at[GRID_AXES];
        for (size_t i = 0; i < 2; i++) {
            where(&run, i, from);
            chase_go_to(&run, i ? 200 : 120);
            where(&run, i, at);
            ck_assert_double_le(motion_distance(from, at), 1);
            ck_assert_int_eq(chase_agents(&run)->state[i], AGENT_STUCK);
        }
        chase_end(&run);
    }
END_TEST

START_TEST(a_pursuer_by_relays_captures_a_still_target)
    {
        struct chase_run run = chase_start(
            "steps = 400; target = { at = [12.0, 9.0]; };"
            "agents = ({ at = [0.0, 0.0]; method = \"relay\"; speed = 0.25; });"
            "pursuit = { capture_radius = 0.0; };" TOWN,
            1);
        while (!simulation_ended(run.simulation))
            chase_step(&run);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_CAPTURED);
        /* 21 cells at best; relays may take a little more. */
        ck_assert_int_ge(simulation_step(run.simulation), 84);
        ck_assert_int_le(simulation_step(run.simulation), 110);
        chase_end(&run);
    }
END_TEST

/* A pocket that opens away from the target. If the direct route started again
 * at each replan, the agent would move up and down in it. */
#define POCKET                                                                 \
    "map = { rows = (\".............\",\".@@@@@@@@@@..\",\"..........@..\","   \
    "\"..........@..\",\"..........@..\",\".@@@@@@@@@@..\","                   \
    "\".............\"); };"

START_TEST(the_second_variant_leaves_a_pocket_at_any_replan)
    {
        static const int replans[] = { 1, 7, 1000 };
        char text[1000];
        snprintf(text, sizeof text,
                 "steps = 400; target = { at = [12.0, 3.0]; };"
                 "agents = ({ at = [8.0, 3.0]; method = \"relay-complete\"; "
                 "speed = 0.25; }); pursuit = { replan = %d; };" POCKET,
                 replans[_i]);
        struct chase_run run = chase_start(text, 1);
        while (!simulation_ended(run.simulation))
            chase_step(&run);
        /* 29 cells at best, a quarter of one a step */
        ck_assert_int_le(simulation_step(run.simulation), 200);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_CAPTURED);
        chase_end(&run);
    }
END_TEST

START_TEST(relays_require_a_2d_map)
    {
        struct scenario *scenario;
        struct error error;
        ck_assert_int_eq(
            scenario_parse("steps = 1; map = { layers = ((\"..\"),(\"..\")); };"
                           "agents = ({ at = [0, 0, 0]; method = \"relay\"; "
                           "goal = \"random\"; });",
                           "x", NULL, 0, &scenario, &error),
            STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "2D"));
    }
END_TEST

static int64_t recorded(const struct recording *recording, const char *counter,
                        int64_t row)
{
    char name[64];
    double value;
    snprintf(name, sizeof name, "relay/%s", counter);
    const struct variable *variable = recording_find(recording, name);
    ck_assert_ptr_nonnull(variable);
    ck_assert(!recording_read_real(recording, variable, row, &value, NULL));
    return (int64_t)value;
}

static void record(struct scenario *scenario, const char *path)
{
    struct run_options options = { .path = path,
                                   .threads = 1,
                                   .command = "test" };
    struct run *run;
    struct error error;
    bool ended = false;
    ck_assert_msg(!run_new(scenario, &options, &run, &error), "%s",
                  error.message);
    ck_assert_msg(!run_begin(run, &error), "%s", error.message);
    while (!ended)
        ck_assert_msg(!run_step(run, &ended, &error), "%s", error.message);
    ck_assert(!run_close(run, RUN_DONE, NULL, &error));
}

START_TEST(a_recording_keeps_the_counters_of_every_row)
    {
        struct chase_run run =
            chase_start("steps = 600; seed = 3; pursuit = { replan = 10; };"
                        "record = { every = 50; };" WANDERERS TOWN,
                        1);
        char folder[] = "/tmp/hamon-test-XXXXXX", path[64];
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/run.h5", folder);
        record(run.scenario, path);
        struct recording *recording;
        ck_assert(!recording_open(path, &recording, NULL));
        ck_assert_int_eq(recording_rows(recording), 13);
        for (int64_t row = 0; row < 13; row++) {
            chase_go_to(&run, 50 * row);
            const struct relay_counters *now = counters(&run);
            const int64_t wanted[RELAY_COUNTERS] = {
                (int64_t)now->searches, (int64_t)now->researches,
                (int64_t)now->goals,    (int64_t)now->failures,
                now->nodes_most,        now->researches_most,
            };
            for (int i = 0; i < RELAY_COUNTERS; i++)
                ck_assert_int_eq(
                    recorded(recording, relay_counter_names[i], row),
                    wanted[i]);
        }
        ck_assert_int_gt(counters(&run)->goals, 50);
        ck_assert_int_gt(recording_table_rows(recording, "plans"), 50);
        recording_close(recording);
        unlink(path);
        rmdir(folder);
        chase_end(&run);
    }
END_TEST

START_TEST(a_restart_continues_bit_for_bit)
    {
        static const char text[] =
            "steps = 400; seed = 8; target = { at = [12.0, 9.0]; motion = "
            "\"evade\"; };"
            "agents = ({ name = \"W\"; at = \"random\"; count = 5; method = "
            "\"relay\"; goal = \"random\"; }, { name = \"P\"; at = \"random\"; "
            "count = 2; method = \"relay-complete\"; });"
            "pursuit = { stop = \"never\"; capture_radius = 0.5; };"
            "events = ({ step = 90; box = [0, 5, 4, 6]; set = \"wall\"; },"
            "{ step = 200; box = [0, 5, 4, 6]; set = \"free\"; });" TOWN;
        static const int64_t middles[] = { 0, 45, 101, 260 };
        for (int m = 0; m < 4; m++) {
            struct chase_run whole = chase_start(text, 1);
            struct chase_run rest = chase_start(text, 1);
            size_t bytes, again;
            chase_go_to(&whole, middles[m]);
            char *memory = chase_state(&whole, &bytes);
            simulation_release(rest.simulation);
            ck_assert(
                !simulation_new(rest.scenario, 1, &rest.simulation, NULL));
            ck_assert(!simulation_load(rest.simulation, memory, NULL));
            memory_release(memory);
            while (simulation_step(whole.simulation) < 400) {
                chase_step(&whole);
                chase_step(&rest);
                char *one = chase_state(&whole, &bytes);
                char *two = chase_state(&rest, &again);
                ck_assert_uint_eq(bytes, again);
                ck_assert_mem_eq(one, two, bytes);
                memory_release(one);
                memory_release(two);
            }
            chase_end(&whole);
            chase_end(&rest);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("relay_walk");
    TCase *tests = tcase_create("relay_walk");
    tcase_add_test(
        tests, wanderers_stay_in_the_streets_at_their_speed_and_reach_goals);
    tcase_add_test(
        tests, a_walker_walks_straight_to_a_goal_in_sight_and_draws_the_next);
    tcase_add_test(tests, failures_are_counted_and_stop_no_walker);
    tcase_add_test(tests,
                   walkers_enclosed_by_walls_or_without_goals_do_not_move);
    tcase_add_test(tests, a_pursuer_by_relays_captures_a_still_target);
    tcase_add_loop_test(tests, the_second_variant_leaves_a_pocket_at_any_replan,
                        0, 3);
    tcase_add_test(tests, relays_require_a_2d_map);
    tcase_add_test(tests, a_recording_keeps_the_counters_of_every_row);
    tcase_add_test(tests, a_restart_continues_bit_for_bit);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
