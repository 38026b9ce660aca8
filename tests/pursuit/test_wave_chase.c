/* SPDX-License-Identifier: MIT */
/* Agents that steer by waves, compared with the rules applied cell by cell to
 * the fields of the simulation. */
#include "pursuit/motion.h"
#include "tests/pursuit/chase_runs.h"
#include "wave/arrival/detector.h"

enum { MOST_AGENTS = 64, MOST_WAVES = 4 };

/* The results of the rules, computed from the fields only. */
struct oracle {
    struct chase_run run;
    size_t cells;
    float *amplitude[MOST_WAVES];
    float *gradient[MOST_WAVES][GRID_AXES];
    int64_t emitted[MOST_WAVES]; /* −1: never */
    bool reacted[MOST_WAVES][MOST_AGENTS];
    int64_t newest[MOST_AGENTS]; /* emission last reacted to */
    double at[GRID_AXES][MOST_AGENTS], heading[GRID_AXES][MOST_AGENTS];
    int8_t state[MOST_AGENTS];
    struct agent_arrival expected[MOST_AGENTS * MOST_WAVES];
    size_t count, total; /* expected now; and in the whole run */
    size_t older;        /* of these, arrivals of an older wave after a newer
                          * one */
    size_t ignored;      /* the number of these that were ignored */
};

static void oracle_open(struct oracle *oracle, const char *text, int threads)
{
    *oracle = (struct oracle){ .run = chase_start(text, threads) };
    const struct scenario *scenario = oracle->run.scenario;
    oracle->cells = grid_cells(&scenario->terrain.grid);
    for (int w = 0; w < scenario->wave.count; w++) {
        oracle->amplitude[w] = memory_new(oracle->cells, sizeof(float));
        for (int axis = 0; axis < GRID_AXES; axis++)
            oracle->gradient[w][axis] =
                memory_new(oracle->cells, sizeof(float));
        oracle->emitted[w] = -1;
    }
    for (int i = 0; i < MOST_AGENTS; i++)
        oracle->newest[i] = -1;
}

static void oracle_close(struct oracle *oracle)
{
    for (int w = 0; w < oracle->run.scenario->wave.count; w++) {
        memory_release(oracle->amplitude[w]);
        for (int axis = 0; axis < GRID_AXES; axis++)
            memory_release(oracle->gradient[w][axis]);
    }
    chase_end(&oracle->run);
}

static void note_emissions(struct oracle *oracle)
{
    size_t count;
    const struct simulation_emission *emissions =
        simulation_emissions(oracle->run.simulation, &count);
    for (size_t i = 0; i < count; i++) {
        int wave = emissions[i].wave;
        oracle->emitted[wave] = simulation_step(oracle->run.simulation);
        memset(oracle->reacted[wave], 0, sizeof oracle->reacted[wave]);
    }
}

static void note_agents(struct oracle *oracle)
{
    const struct agents *agents = chase_agents(&oracle->run);
    for (size_t i = 0; i < agents->count; i++) {
        oracle->state[i] = agents->state[i];
        for (int axis = 0; axis < GRID_AXES; axis++) {
            oracle->at[axis][i] = agents->at[axis][i];
            oracle->heading[axis][i] = agents->heading[axis][i];
        }
    }
}

static void look_at_fields(struct oracle *oracle)
{
    struct simulation *simulation = oracle->run.simulation;
    for (int w = 0; w < oracle->run.scenario->wave.count; w++) {
        simulation_amplitude(simulation, w, oracle->amplitude[w]);
        simulation_gradient(simulation, w, oracle->gradient[w][0],
                            oracle->gradient[w][1], oracle->gradient[w][2]);
    }
}

/* Bilinear or trilinear; walls and cells outside are omitted. */
static double interpolate(const struct oracle *oracle, const float *field,
                          const double at[GRID_AXES])
{
    const struct terrain *terrain = simulation_terrain(oracle->run.simulation);
    double sum = 0, whole = 0;
    for (int dz = 0; dz < 2; dz++)
        for (int dy = 0; dy < 2; dy++)
            for (int dx = 0; dx < 2; dx++) {
                int x = (int)floor(at[0]) + dx, y = (int)floor(at[1]) + dy,
                    z = (int)floor(at[2]) + dz;
                double weight = (1 - fabs(at[0] - x)) * (1 - fabs(at[1] - y)) *
                                (1 - fabs(at[2] - z));
                if (!grid_holds(&terrain->grid, x, y, z) || weight == 0)
                    continue;
                size_t cell = grid_index(&terrain->grid, x, y, z);
                if (terrain->wall[cell])
                    continue;
                sum += weight * (double)field[cell];
                whole += weight;
            }
    return whole > 0 ? sum / whole : 0;
}

static double level(const struct arrival_settings *settings, double amplitude,
                    int64_t age)
{
    if (!strcmp(settings->detector->name, "threshold"))
        return settings->threshold * amplitude;
    if (!strcmp(settings->detector->name, "capped-exponential"))
        return amplitude *
               fmin(settings->cap, exp(-settings->beta * (double)age));
    return 0;
}

static void listen(struct oracle *oracle, int wave, size_t agent, int64_t step)
{
    const struct scenario *scenario = oracle->run.scenario;
    const struct terrain *terrain = simulation_terrain(oracle->run.simulation);
    int64_t age = step - oracle->emitted[wave];
    double at[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        at[axis] = oracle->at[axis][agent];
        if (scenario->wave.restart == RESTART_ON_ARRIVAL)
            at[axis] = floor(at[axis] + .5);
    }
    double z = interpolate(oracle, oracle->amplitude[wave], at);
    bool older = oracle->emitted[wave] < oracle->newest[agent];
    if (oracle->reacted[wave][agent] || age > scenario->wave.lifetime ||
        oracle->state[agent] == AGENT_CAPTURED || z == 0 ||
        fabs(z) < level(&scenario->arrival, scenario->wave.amplitude, age))
        return;
    if (older && scenario->arrival.ignore_older) {
        oracle->ignored++;
        return;
    }
    double gradient[GRID_AXES] = { 0 }, length = 0;
    for (int axis = 0; axis < terrain->grid.dims; axis++) {
        gradient[axis] = interpolate(oracle, oracle->gradient[wave][axis], at);
        length = hypot(length, gradient[axis]);
    }
    if (length == 0)
        return;
    bool turned = scenario->arrival.heading == HEADING_SIGNED && z < 0;
    struct agent_arrival *arrival = &oracle->expected[oracle->count++];
    *arrival = (struct agent_arrival){
        .agent = (int)agent, .wave = wave, .step = step, .amplitude = z
    };
    for (int axis = 0; axis < GRID_AXES; axis++)
        arrival->heading[axis] = (turned ? -1 : 1) * gradient[axis] / length;
    oracle->reacted[wave][agent] = true;
    oracle->older += older;
    if (!older)
        oracle->newest[agent] = oracle->emitted[wave];
}

/* Oldest emission first; within one step, in the order of the waves'
 * numbers. */
static void listen_to_all(struct oracle *oracle, int64_t step)
{
    size_t agents = chase_agents(&oracle->run)->count;
    bool taken[MOST_WAVES] = { false };
    oracle->count = 0;
    for (;;) {
        int next = -1;
        for (int w = 0; w < oracle->run.scenario->wave.count; w++)
            if (!taken[w] && oracle->emitted[w] >= 0 &&
                (next < 0 || oracle->emitted[w] < oracle->emitted[next]))
                next = w;
        if (next < 0)
            break;
        taken[next] = true;
        for (size_t i = 0; i < agents; i++)
            listen(oracle, next, i, step);
    }
    oracle->total += oracle->count;
}

static void compare_arrivals(const struct oracle *oracle)
{
    const struct agent_arrivals *news =
        pursuit_arrivals(simulation_pursuit(oracle->run.simulation));
    ck_assert_uint_eq(news->count, oracle->count);
    for (size_t i = 0; i < news->count; i++) {
        const struct agent_arrival *got = &news->items[i],
                                   *want = &oracle->expected[i];
        ck_assert_int_eq(got->agent, want->agent);
        ck_assert_int_eq(got->wave, want->wave);
        ck_assert_int_eq(got->step, want->step);
        ck_assert(!got->lost);
        ck_assert_double_le(fabs(got->amplitude - want->amplitude),
                            1e-12 * fabs(want->amplitude));
        for (int axis = 0; axis < GRID_AXES; axis++)
            ck_assert_double_eq_tol(got->heading[axis], want->heading[axis],
                                    1e-9);
    }
}

/* The newest heading, a step along it, and the resulting state. */
static void compare_agents(struct oracle *oracle)
{
    const struct agents *agents = chase_agents(&oracle->run);
    const struct terrain *terrain = simulation_terrain(oracle->run.simulation);
    const struct agent_arrivals *news =
        pursuit_arrivals(simulation_pursuit(oracle->run.simulation));
    for (size_t i = 0; i < news->count; i++)
        for (int axis = 0; axis < GRID_AXES; axis++)
            oracle->heading[axis][news->items[i].agent] =
                news->items[i].heading[axis];
    for (size_t i = 0; i < agents->count; i++) {
        double at[GRID_AXES], heading[GRID_AXES], now[GRID_AXES], length = 0;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            at[axis] = oracle->at[axis][i];
            heading[axis] = oracle->heading[axis][i];
            now[axis] = agents->at[axis][i];
            length += fabs(heading[axis]);
        }
        int8_t state = oracle->state[i];
        if (state != AGENT_CAPTURED && length > 0)
            state =
                motion_step(terrain, at, heading, agents->settings[i]->speed)
                    ? AGENT_MOVING
                    : AGENT_STUCK;
        const struct target *target = chase_target(&oracle->run);
        if (motion_distance(at, target->at) <=
            oracle->run.scenario->pursuit.capture_radius)
            state = AGENT_CAPTURED;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            ck_assert_double_eq(now[axis], at[axis]);
            ck_assert_double_eq(agents->heading[axis][i], heading[axis]);
        }
        ck_assert_int_eq(agents->state[i], state);
    }
}

/* Runs the scenario with its oracle, whose counts are kept. */
static struct oracle oracle;

static size_t compare(const char *text, int threads)
{
    oracle_open(&oracle, text, threads);
    while (!simulation_ended(oracle.run.simulation)) {
        note_emissions(&oracle);
        note_agents(&oracle);
        struct error error;
        ck_assert_int_eq(simulation_advance(oracle.run.simulation, &error),
                         STATUS_OK);
        look_at_fields(&oracle);
        listen_to_all(&oracle, simulation_step(oracle.run.simulation));
        compare_arrivals(&oracle);
        compare_agents(&oracle);
        ck_assert_int_eq(simulation_begin(oracle.run.simulation, &error),
                         STATUS_OK);
    }
    oracle_close(&oracle);
    return oracle.total;
}

#define ROOMS                                                                  \
    "map = { rows = (\"..........@............\","                             \
    "\"..........@............\",\"..........@............\","                 \
    "\".......................\",\"..........@............\","                 \
    "\"..........@............\",\"@@@.@@@@@@@@@@@@@.@@@@@\","                 \
    "\"..........@............\",\"..........@............\","                 \
    "\"..........@............\",\".......................\","                 \
    "\"..........@............\",\"..........@............\"); };"
#define PREY "target = { at = [20.0, 10.0]; motion = \"random\"; };"
#define CROWD                                                                  \
    "agents = ({ name = \"A\"; at = \"random\"; count = 24; },"                \
    "{ name = \"B\"; at = \"random\"; count = 6; speed = 0.45; });"            \
    "pursuit = { stop = \"never\"; steering = \"emission\"; };"

START_TEST(every_arrival_is_one_that_the_fields_show)
    {
        static const char *const arrivals[] = {
            "wave = { count = 3; lifetime = 60; };",
            "wave = { count = 3; lifetime = 60; };"
            "arrival = { threshold = 1e-2; };",
            "wave = { count = 4; lifetime = 50; };"
            "arrival = { threshold = 1e-3; older_waves = \"ignored\"; };",
            "wave = { count = 2; lifetime = 55; walls = \"free\"; };"
            "arrival = { detector = \"leading-edge\"; heading = \"signed\"; };",
            "preset = \"best\"; wave = { count = 3; lifetime = 60; "
            "restart = \"lifetime\"; };"
            "arrival = { detector = \"capped-exponential\"; };",
            "wave = { count = 2; lifetime = 60; stencil = \"9-point\"; "
            "source = \"gaussian\"; };",
            "wave = { count = 1; lifetime = 90; restart = \"on-arrival\"; };",
        };
        for (size_t i = 0; i < sizeof arrivals / sizeof *arrivals; i++) {
            char text[4000];
            snprintf(text, sizeof text, "steps = 260; seed = %zu; %s%s%s%s",
                     i + 1, arrivals[i], ROOMS, PREY, CROWD);
            size_t total = compare(text, 1 + (int)(i % 2));
            ck_assert_msg(total > 60, "%s: %zu", arrivals[i], total);
        }
    }
END_TEST

START_TEST(arrivals_in_3d_with_moving_walls_are_those_that_the_fields_show)
    {
        static const char space[] =
            "steps = 200; seed = 8; map = { layers = ("
            "(\".....\",\".....\",\".....\",\".....\"),"
            "(\"@@@.@\",\"@@@.@\",\"@@@@@\",\"@@@@@\"),"
            "(\".....\",\".....\",\".....\",\".....\")); };"
            "wave = { count = 3; lifetime = 45; };"
            "arrival = { threshold = 1e-4; heading = \"signed\"; };"
            "target = { at = [0.0, 3.0, 2.0]; motion = \"random\"; };"
            "agents = ({ name = \"A\"; at = \"random\"; count = 12; });"
            "pursuit = { stop = \"never\"; capture_radius = 0.5; };"
            "events = ({ step = 50; box = [3, 0, 1, 3, 1, 1]; set = \"wall\"; "
            "},"
            "{ step = 120; box = [0, 3, 1, 0, 3, 1]; set = \"free\"; });";
        ck_assert_uint_gt(compare(space, 1), 30);
        char doors[4000];
        snprintf(doors, sizeof doors,
                 "steps = 400; seed = 4; wave = { count = 3; lifetime = 75; };"
                 "%s%s%s events = ("
                 "{ step = 40; box = [17, 6, 17, 6]; set = \"wall\"; },"
                 "{ step = 41; box = [4, 8, 8, 11]; set = \"wall\"; },"
                 "{ step = 160; box = [17, 6, 17, 6]; set = \"free\"; },"
                 "{ step = 200; box = [4, 8, 8, 11]; set = \"free\"; });",
                 ROOMS, PREY, CROWD);
        ck_assert_uint_gt(compare(doors, 1), 100);
    }
END_TEST

START_TEST(an_older_wave_is_taken_in_paper_and_ignored_in_best)
    {
        /* With a threshold this high echoes are detected, many of them after
         * the next emission. */
        static const char *const settings[] = {
            "arrival = { threshold = 3e-2; };",
            "arrival = { threshold = 3e-2; older_waves = \"ignored\"; };",
            "preset = \"best\"; arrival = { detector = \"threshold\"; "
            "threshold = 3e-2; heading = \"paper\"; };",
            "preset = \"best\"; arrival = { detector = \"threshold\"; "
            "threshold = 3e-2; heading = \"paper\"; "
            "older_waves = \"taken\"; };",
        };
        for (size_t i = 0; i < 4; i++) {
            char text[4000];
            snprintf(text, sizeof text,
                     "steps = 400; seed = 2; wave = { count = 4; "
                     "lifetime = 80; walls = \"fixed\"; "
                     "restart = \"lifetime\"; }; %s%s%s%s",
                     settings[i], ROOMS, PREY, CROWD);
            compare(text, 1);
            bool taken = i == 0 || i == 3;
            ck_assert_int_eq(oracle.older > 5, taken);
            ck_assert_int_eq(oracle.ignored > 5, !taken);
            ck_assert(taken || oracle.older == 0);
        }
    }
END_TEST

#define LANE "map = { rows = (\"%s\"); };"

static const char *lane(int cells)
{
    static char row[201];
    memset(row, '.', (size_t)cells);
    row[cells] = '\0';
    return row;
}

/* 2^-126 is the smallest normal number of single precision, and the leading
 * edge falls by a factor of 4 a cell: it ends 63 cells from the source. */
START_TEST(an_arrival_lost_to_underflow_is_reported_once_and_turns_no_agent)
    {
        char text[1000];
        snprintf(text, sizeof text,
                 "steps = 290; " LANE "wave = { count = 1; lifetime = 300; };"
                 "arrival = { detector = \"leading-edge\"; };"
                 "target = { at = [0.0, 0.0]; };"
                 "agents = ({ at = [60.0, 0.0]; speed = 0.0; },"
                 "{ name = \"far\"; at = [150.0, 0.0]; speed = 0.0; });",
                 lane(200));
        struct chase_run run = chase_start(text, 1);
        int near_came = 0, far_came = 0, lost = 0;
        while (!simulation_ended(run.simulation)) {
            chase_step(&run);
            int64_t step = simulation_step(run.simulation);
            const struct agents *agents = chase_agents(&run);
            const struct agent_arrivals *news =
                pursuit_arrivals(simulation_pursuit(run.simulation));
            for (size_t i = 0; i < news->count; i++) {
                const struct agent_arrival *one = &news->items[i];
                near_came += one->agent == 0 && !one->lost && step == 60;
                lost += one->agent == 1 && one->lost;
                far_came += one->agent == 1 && !one->lost;
                if (one->lost) {
                    ck_assert_int_eq(step, 151);
                    ck_assert_double_eq(one->amplitude, 0);
                    ck_assert_double_eq(one->heading[0], 0);
                }
            }
            if (!far_came)
                ck_assert_int_eq(agents->state[1], AGENT_WAITING);
        }
        ck_assert_int_eq(near_came, 1);
        ck_assert_int_eq(lost, 1);
        ck_assert_int_eq(far_came, 1); /* late, after the lost arrivals */
        chase_end(&run);
    }
END_TEST

START_TEST(a_wall_closed_behind_the_cone_does_not_change_it)
    {
        char text[1000];
        snprintf(text, sizeof text,
                 "steps = 160; " LANE "wave = { count = 1; lifetime = 300; };"
                 "arrival = { detector = \"leading-edge\"; };"
                 "target = { at = [0.0, 0.0]; };"
                 "agents = ({ at = [150.0, 0.0]; speed = 0.0; });"
                 "events = ({ step = 100; box = [20, 0, 20, 0]; "
                 "set = \"wall\"; });",
                 lane(200));
        struct chase_run run = chase_start(text, 1);
        int64_t lost = -1;
        while (!simulation_ended(run.simulation)) {
            chase_step(&run);
            const struct agent_arrivals *news =
                pursuit_arrivals(simulation_pursuit(run.simulation));
            if (news->count && news->items[0].lost)
                lost = simulation_step(run.simulation);
        }
        ck_assert_int_eq(lost, 151); /* as on the open lane */
        chase_end(&run);
    }
END_TEST

static int emitted_now(const struct chase_run *run)
{
    size_t count;
    simulation_emissions(run->simulation, &count);
    return (int)count;
}

START_TEST(on_arrival_the_wave_restarts_when_an_agent_detects_it)
    {
        char text[1000];
        snprintf(text, sizeof text,
                 "steps = 300; " LANE "wave = { count = 1; lifetime = 120; "
                 "restart = \"on-arrival\"; };"
                 "arrival = { detector = \"leading-edge\"; };"
                 "target = { at = [0.0, 0.0]; };"
                 "agents = ({ name = \"near\"; at = [9.7, 0.0]; speed = 0.0; },"
                 "{ name = \"far\"; at = [30.0, 0.0]; speed = 0.0; });",
                 lane(60));
        struct chase_run run = chase_start(text, 1);
        ck_assert_int_eq(emitted_now(&run), 1);
        while (!simulation_ended(run.simulation)) {
            chase_step(&run);
            /* The leading edge is only at the cell nearest to 9.7. */
            int64_t step = simulation_step(run.simulation);
            ck_assert_int_eq(emitted_now(&run), step % 10 == 0);
            ck_assert_uint_eq(
                pursuit_arrivals(simulation_pursuit(run.simulation))->count,
                step % 10 == 0);
        }
        ck_assert_int_eq(chase_agents(&run)->state[1], AGENT_WAITING);
        chase_end(&run);
    }
END_TEST

START_TEST(a_lost_arrival_restarts_nothing)
    {
        char text[1000];
        snprintf(text, sizeof text,
                 "steps = 200; " LANE "wave = { count = 1; lifetime = 300; "
                 "restart = \"on-arrival\"; };"
                 "arrival = { detector = \"leading-edge\"; };"
                 "target = { at = [0.0, 0.0]; };"
                 "agents = ({ at = [120.0, 0.0]; });",
                 lane(200));
        struct chase_run run = chase_start(text, 1);
        size_t lost = 0, came = 0;
        while (!simulation_ended(run.simulation) && !came) {
            chase_step(&run);
            const struct agent_arrivals *news =
                pursuit_arrivals(simulation_pursuit(run.simulation));
            for (size_t i = 0; i < news->count; i++) {
                lost += news->items[i].lost;
                came += !news->items[i].lost;
            }
            ck_assert_int_eq(emitted_now(&run), (int)came);
        }
        ck_assert_uint_eq(lost, 1);
        ck_assert_uint_eq(came, 1);
        chase_end(&run);
    }
END_TEST

/* The wave would arrive at (8, 3) straight from the west; the cell there closes
 * a moment before, and its arrival time must not affect the agent any more. */
START_TEST(a_closed_cell_is_no_path_to_earlier_arrivals)
    {
        struct chase_run run = chase_start(
            "steps = 40; map = { rows = (\"................\","
            "\"................\",\"................\",\"................\","
            "\"................\",\"................\",\"................\"); "
            "};"
            "wave = { count = 1; lifetime = 300; };"
            "arrival = { detector = \"leading-edge\"; "
            "heading = \"arrival-time\"; };"
            "target = { at = [2.0, 3.0]; };"
            "agents = ({ at = [8.0, 3.0]; speed = 0.0; });"
            "events = ({ step = 5; box = [7, 3, 7, 3]; set = \"wall\"; });",
            1);
        const struct agents *agents = chase_agents(&run);
        chase_go_to(&run, 7);
        ck_assert_int_eq(agents->state[0], AGENT_WAITING);
        chase_go_to(&run, 40);
        ck_assert_int_eq(agents->state[0], AGENT_MOVING);
        ck_assert_double_eq(agents->heading[0][0], 0);
        ck_assert_double_eq(fabs(agents->heading[1][0]), 1);
        chase_end(&run);
    }
END_TEST

START_TEST(on_arrival_the_wave_restarts_after_its_lifetime_without_an_arrival)
    {
        char text[1000];
        snprintf(text, sizeof text,
                 "steps = 300; " LANE "wave = { count = 1; lifetime = 70; "
                 "restart = \"on-arrival\"; };"
                 "arrival = { detector = \"leading-edge\"; };"
                 "target = { at = [0.0, 0.0]; };"
                 "agents = ({ at = [90.0, 0.0]; });",
                 lane(100));
        struct chase_run run = chase_start(text, 1);
        while (!simulation_ended(run.simulation)) {
            ck_assert_int_eq(emitted_now(&run),
                             simulation_step(run.simulation) % 70 == 0);
            chase_step(&run);
        }
        chase_end(&run);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("wave_chase");
    TCase *tests = tcase_create("wave_chase");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_arrival_is_one_that_the_fields_show);
    tcase_add_test(
        tests, arrivals_in_3d_with_moving_walls_are_those_that_the_fields_show);
    tcase_add_test(tests, an_older_wave_is_taken_in_paper_and_ignored_in_best);
    tcase_add_test(
        tests,
        an_arrival_lost_to_underflow_is_reported_once_and_turns_no_agent);
    tcase_add_test(tests, a_wall_closed_behind_the_cone_does_not_change_it);
    tcase_add_test(tests,
                   on_arrival_the_wave_restarts_when_an_agent_detects_it);
    tcase_add_test(tests, a_lost_arrival_restarts_nothing);
    tcase_add_test(tests, a_closed_cell_is_no_path_to_earlier_arrivals);
    tcase_add_test(
        tests,
        on_arrival_the_wave_restarts_after_its_lifetime_without_an_arrival);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
