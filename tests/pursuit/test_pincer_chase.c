/* SPDX-License-Identifier: MIT */
#include "pursuit/chase.h"
#include "pursuit/motion.h"
#include "tests/pursuit/chase_runs.h"
#include "tests/search/search_maps.h"

/* A ring round a block; its paths from (4, 0) to (5, 3) have lengths 6 and
 * 12. */
#define RING                                                                   \
    "map = { rows = (\".......\",\".@@@@@.\",\".@@@@@.\",\".......\"); };"     \
    "target = { at = [5.0, 3.0]; };"                                           \
    "agents = ({ name = \"B\"; at = [4.0, 0.0]; method = \"%s\"; speed = "     \
    "0.25; }, { name = \"A\"; at = [5.0, 0.0]; method = \"%s\"; speed = 0.25;" \
    " }); pursuit = { capture_radius = 1.0; moves = 4; }; steps = 100;"

/* The verification on simple blocks; its pursuers start next to each other. */
#define BLOCKS                                                                 \
    "map = { rows = (\"@@@@@@@@@@@@\",\"@..........@\",\"@..........@\","      \
    "\"@..@@..@@..@\",\"@..@@..@@..@\",\"@..........@\",\"@..........@\","     \
    "\"@..@@..@@..@\",\"@..@@..@@..@\",\"@..........@\",\"@..........@\","     \
    "\"@@@@@@@@@@@@\"); };"
#define CHASE                                                                  \
    "steps = %d; seed = %d; target = { at = [6.0, 5.0]; motion = \"%s\"; "     \
    "speed = 0.05; }; agents = ({ name = \"A\"; at = [10.0, 9.0]; method = "   \
    "\"%s\"; speed = 0.05; }, { name = \"B\"; at = [10.0, 10.0]; method = "    \
    "\"%s\"; speed = 0.05; }); pursuit = { capture_radius = 1.0; stop = "      \
    "\"any-captured\"; moves = %d; measure = \"steps\"; };"

static const char *const pincers[] = { "pincer", "wave-pincer" };
enum { PINCERS = 2 };

static int64_t captured_at(struct chase_run *run, size_t agent)
{
    while (chase_agents(run)->state[agent] != AGENT_CAPTURED &&
           !simulation_ended(run->simulation))
        chase_step(run);
    return simulation_step(run->simulation);
}

START_TEST(two_pursuers_in_one_cell_come_from_both_sides_of_a_ring)
    {
        char text[1000];
        struct agent_plan plan;
        snprintf(text, sizeof text, RING, pincers[_i], pincers[_i]);
        struct chase_run run = chase_start(text, 1);
        ck_assert(simulation_plan(run.simulation, &plan));
        ck_assert_int_eq(plan.agent, 1);
        ck_assert_uint_eq(plan.path_cells, 6);
        ck_assert(simulation_plan(run.simulation, &plan));
        ck_assert_int_eq(plan.agent, 0);
        ck_assert_uint_eq(plan.path_cells, 13);
        ck_assert_int_eq(plan.path[4], 0);
        ck_assert(!simulation_plan(run.simulation, &plan));
        /* Within 1 cell after 4 of its 5 cells, and after 11 of 12. */
        ck_assert_int_eq(captured_at(&run, 1), 16);
        ck_assert_int_eq(captured_at(&run, 0), 44);
        chase_end(&run);
        snprintf(text, sizeof text, RING, "dijkstra", "dijkstra");
        run = chase_start(text, 1);
        ck_assert_int_eq(captured_at(&run, 1), 16);
        ck_assert_int_eq(captured_at(&run, 0), 20);
        chase_end(&run);
    }
END_TEST

/* A move of at most `speed`, inside the free cells. */
static void check_move(const struct chase_run *run, const double from[3],
                       const double at[3], double speed)
{
    ck_assert(motion_is_free(simulation_terrain(run->simulation), at));
    ck_assert_double_le(motion_distance(from, at), speed + 1e-9);
}

static void check_capture(const struct chase_run *run, size_t agent)
{
    double at[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = chase_agents(run)->at[axis][agent];
    bool near = motion_distance(at, chase_target(run)->at) <= 1.0;
    ck_assert_int_eq(near, chase_agents(run)->state[agent] == AGENT_CAPTURED);
}

START_TEST(a_chase_stays_in_free_cells_keeps_its_speed_and_ends_within_a_cell)
    {
        static const char *const motions[] = { "evade", "farthest-safe" };
        for (int seed = 1; seed <= 12; seed++) {
            char text[2000];
            snprintf(text, sizeof text, CHASE BLOCKS, 600, seed,
                     motions[seed % 2], pincers[_i], pincers[_i],
                     seed % 4 < 2 ? 4 : 8);
            struct chase_run run = chase_start(text, 1);
            const struct agents *agents = chase_agents(&run);
            while (!simulation_ended(run.simulation)) {
                double from[3][GRID_AXES], at[3][GRID_AXES];
                for (int axis = 0; axis < GRID_AXES; axis++) {
                    from[0][axis] = agents->at[axis][0];
                    from[1][axis] = agents->at[axis][1];
                    from[2][axis] = chase_target(&run)->at[axis];
                }
                chase_step(&run);
                for (int axis = 0; axis < GRID_AXES; axis++) {
                    at[0][axis] = agents->at[axis][0];
                    at[1][axis] = agents->at[axis][1];
                    at[2][axis] = chase_target(&run)->at[axis];
                }
                for (int i = 0; i < 3; i++)
                    check_move(&run, from[i], at[i], 0.05);
                if (seed % 2 == 0) /* evade: staying is not a choice */
                    ck_assert_double_gt(motion_distance(from[2], at[2]), 0);
                check_capture(&run, 0);
                check_capture(&run, 1);
            }
            chase_end(&run);
        }
    }
END_TEST

START_TEST(astar_chases_as_dijkstra_does_step_for_step)
    {
        for (int seed = 1; seed <= 8; seed++) {
            char text[2][2000];
            struct chase_run run[2];
            for (int i = 0; i < 2; i++) {
                const char *method = i ? "astar" : "dijkstra";
                snprintf(text[i], sizeof text[i], CHASE BLOCKS, 800, seed,
                         seed % 2 ? "evade" : "farthest-safe", method, method,
                         seed % 3 ? 4 : 8);
                run[i] = chase_start(text[i], 1);
            }
            while (!simulation_ended(run[0].simulation)) {
                chase_step(&run[0]);
                chase_step(&run[1]);
                for (int axis = 0; axis < 2; axis++) {
                    for (int agent = 0; agent < 2; agent++)
                        ck_assert_double_eq(
                            chase_agents(&run[0])->at[axis][agent],
                            chase_agents(&run[1])->at[axis][agent]);
                    ck_assert_double_eq(chase_target(&run[0])->at[axis],
                                        chase_target(&run[1])->at[axis]);
                }
            }
            ck_assert(simulation_ended(run[1].simulation));
            chase_end(&run[0]);
            chase_end(&run[1]);
        }
    }
END_TEST

START_TEST(in_a_dead_end_evade_turns_back_and_farthest_safe_stays)
    {
        for (int flees = 0; flees < 2; flees++) {
            char text[500];
            snprintf(text, sizeof text,
                     "map = { rows = (\".......\"); }; steps = 400;"
                     "target = { at = [4.0, 0.0]; motion = \"%s\"; speed = "
                     "0.25; }; agents = ({ at = [0.0, 0.0]; method = "
                     "\"pincer\"; speed = 0.01; });"
                     "pursuit = { replan = 4; };",
                     flees ? "farthest-safe" : "evade");
            struct chase_run run = chase_start(text, 1);
            for (int step = 1; step <= 100; step++) {
                chase_step(&run);
                /* 8 steps to the end; then from end to end in 8. */
                double there = step < 8 ? 4 + 0.25 * step : 6;
                if (!flees && step > 8)
                    there = 6 - 0.25 * (4 - abs(4 - (step - 8) % 8));
                ck_assert_double_eq(chase_target(&run)->at[0], there);
            }
            chase_end(&run);
        }
    }
END_TEST

/* Blocks, and a pocket in a corner with no path out. */
static struct chase_run
hunt_beside_pocket(const char *motion, const char *method, int seed, bool third)
{
    char text[2000];
    snprintf(text, sizeof text,
             "map = { rows = (\"@@@@@@@@@@@@@@@\",\"@..........@..@\","
             "\"@..........@..@\",\"@..@@..@@..@@@@\",\"@..@@..@@..@..@\","
             "\"@..........@..@\",\"@..........@..@\",\"@..@@..@@..@..@\","
             "\"@..@@..@@..@..@\",\"@..........@..@\",\"@..........@..@\","
             "\"@@@@@@@@@@@@@@@\"); }; steps = 3000; seed = %d;"
             "target = { at = [6.0, 5.0]; motion = \"%s\"; speed = 0.05; };"
             "agents = ({ name = \"A\"; at = [10.0, 9.0]; method = \"%s\"; "
             "speed = 0.05; }, { name = \"B\"; at = [10.0, 10.0]; method = "
             "\"%s\"; speed = 0.05; } %s%s%s);"
             "pursuit = { capture_radius = 1.0; stop = \"any-captured\"; "
             "measure = \"steps\"; };",
             seed, motion, method, method,
             third ? ", { name = \"C\"; at = [13.0, 1.0]; method = \"" : "",
             third ? method : "", third ? "\"; speed = 0.3; }" : "");
    return chase_start(text, 1);
}

START_TEST(a_pursuer_without_a_path_does_not_affect_the_capture)
    {
        static const char *const motions[] = { "evade", "farthest-safe" };
        static const char *const methods[] = { "dijkstra", "pincer" };
        for (int i = 0; i < 20; i++) {
            struct chase_run run[2];
            for (int third = 0; third < 2; third++)
                run[third] = hunt_beside_pocket(motions[i % 2],
                                                methods[i / 2 % 2], i, third);
            while (!simulation_ended(run[0].simulation)) {
                ck_assert_mem_eq(chase_target(&run[0])->at,
                                 chase_target(&run[1])->at,
                                 GRID_AXES * sizeof(double));
                chase_step(&run[0]);
                chase_step(&run[1]);
            }
            ck_assert(simulation_ended(run[1].simulation));
            chase_end(&run[0]);
            chase_end(&run[1]);
        }
    }
END_TEST

START_TEST(an_evader_that_no_pursuer_can_reach_stays)
    {
        for (int flees = 0; flees < 2; flees++) {
            char text[500];
            snprintf(text, sizeof text,
                     "map = { rows = (\"...@...\"); }; steps = 100;"
                     "target = { at = [5.0, 0.0]; motion = \"%s\"; };"
                     "agents = ({ at = [0.0, 0.0]; method = \"pincer\"; });",
                     flees ? "farthest-safe" : "evade");
            struct chase_run run = chase_start(text, 1);
            chase_go_to(&run, 60);
            ck_assert_double_eq(chase_target(&run)->at[0], 5);
            chase_end(&run);
        }
    }
END_TEST

/* ---- evaders compared with the rule, applied to costs by brute force ---- */

enum { SIDE = 9, CELLS = SIDE * SIDE, PURSUERS = 3 };

struct hunt {
    struct terrain terrain;
    struct agents agents;
    struct target target;
    struct agent_settings entries[PURSUERS];
    struct target_settings target_settings;
    struct pursuit_settings settings;
    double cost[PURSUERS][CELLS], own[CELLS];
};

static void put(struct hunt *hunt, int who, size_t cell)
{
    int at[GRID_AXES];
    grid_cell(&hunt->terrain.grid, cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        *(who < 0 ? &hunt->target.at[axis] : &hunt->agents.at[axis][who]) =
            at[axis];
}

static char pursuer_name[] = "p";

static void hunt_make(struct hunt *hunt, struct random *random, int round)
{
    bool flees = round % 2;
    *hunt = (struct hunt){
        .terrain = terrain_of_chance(random, 2, SIDE, SIDE, 1, 0.2,
                                     round % 3 == 0   ? WITH_COSTS
                                     : round % 3 == 1 ? WITH_ARROWS
                                                      : 0),
        .target_settings = { .motion =
                                 flees ? MOTION_FARTHEST_SAFE : MOTION_EVADE,
                             .speed = 0.5 },
        .settings = { .moves = 4,
                      .measure = MEASURE_STEPS,
                      .replan = 2,
                      .ties = round % 5 ? TIES_RANDOM : TIES_FIXED },
    };
    for (int i = 0; i < PURSUERS; i++)
        hunt->entries[i] = (struct agent_settings){ .name = pursuer_name,
                                                    .count = 1,
                                                    .speed = 0.25 + 0.125 * i };
    ck_assert_int_eq(agents_init(&hunt->agents, hunt->entries, PURSUERS, NULL),
                     STATUS_OK);
    hunt->target.settings = &hunt->target_settings;
    random_seed(&hunt->target.random, (uint64_t)round);
    for (int i = -1; i < PURSUERS; i++)
        put(hunt, i, free_cell(&hunt->terrain, random));
}

static void hunt_costs(struct hunt *hunt)
{
    const struct grid *grid = &hunt->terrain.grid;
    for (int i = 0; i < PURSUERS; i++) {
        double at[GRID_AXES] = { hunt->agents.at[0][i], hunt->agents.at[1][i] };
        oracle_costs(&hunt->terrain, 4, MEASURE_STEPS, grid_nearest(grid, at),
                     hunt->cost[i]);
    }
    oracle_costs(&hunt->terrain, 4, MEASURE_STEPS,
                 grid_nearest(grid, hunt->target.at), hunt->own);
}

static bool adjoins(const struct hunt *hunt, size_t from, size_t to)
{
    int a[GRID_AXES], b[GRID_AXES];
    grid_cell(&hunt->terrain.grid, from, a);
    grid_cell(&hunt->terrain.grid, to, b);
    int step[GRID_AXES] = { b[0] - a[0], b[1] - a[1], 0 };
    return abs(step[0]) + abs(step[1]) == 1 &&
           oracle_allows(&hunt->terrain, a, step);
}

/* Over the pursuers that can reach the evader's cell; −1 if there is none. */
static double mean(const struct hunt *hunt, size_t from, size_t cell)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < PURSUERS; i++)
        if (isfinite(hunt->cost[i][from])) {
            sum += hunt->cost[i][cell];
            count++;
        }
    return count ? sum / count : -1;
}

static void check_climb(const struct hunt *hunt, size_t from, size_t to)
{
    bool way_out = false;
    for (size_t cell = 0; cell < CELLS; cell++) {
        if (mean(hunt, from, from) < 0 || !adjoins(hunt, from, cell))
            continue;
        way_out = true;
        if (to != from && isfinite(mean(hunt, from, to)))
            ck_assert_double_le(mean(hunt, from, cell),
                                mean(hunt, from, to) + 1e-9);
    }
    ck_assert(way_out ? adjoins(hunt, from, to) : to == from);
}

/* The nearest pursuer's time to a cell that the evader reaches before it; −1 if
 * it does not. */
static double respite(const struct hunt *hunt, size_t cell, size_t from)
{
    double least = INFINITY;
    for (int i = 0; i < PURSUERS; i++)
        least = fmin(least, hunt->cost[i][cell] / hunt->entries[i].speed);
    bool first = hunt->own[cell] / 0.5 < least - 1e-9;
    return cell == from || first ? least : -1;
}

/* `to` must begin a shortest path to one of the best cells. */
static void check_flight(const struct hunt *hunt, size_t from, size_t to)
{
    double best = -1, nearest = INFINITY, on[CELLS];
    for (size_t cell = 0; cell < CELLS; cell++)
        if (isfinite(hunt->own[cell]) && respite(hunt, cell, from) > best)
            best = respite(hunt, cell, from);
    for (size_t cell = 0; cell < CELLS; cell++)
        if (respite(hunt, cell, from) >= best - 1e-9)
            nearest = fmin(nearest, hunt->own[cell]);
    oracle_costs(&hunt->terrain, 4, MEASURE_STEPS, to, on);
    bool leads = false;
    for (size_t cell = 0; cell < CELLS; cell++)
        leads |= respite(hunt, cell, from) >= best - 1e-9 &&
                 hunt->own[cell] <= nearest + 1e-9 &&
                 fabs(hunt->own[to] + on[cell] - nearest) < 1e-6;
    ck_assert_msg(leads, "from %zu to %zu", from, to);
    ck_assert_int_eq(to == from, nearest == 0);
}

START_TEST(an_evader_follows_its_rule)
    {
        struct random random;
        random_seed(&random, 20259);
        int moved = 0;
        for (int round = 0; round < 300; round++) {
            struct hunt hunt;
            void *chase;
            hunt_make(&hunt, &random, round);
            const struct chase_view view = { .agents = &hunt.agents,
                                             .target = &hunt.target,
                                             .terrain = &hunt.terrain,
                                             .settings = &hunt.settings };
            ck_assert_int_eq(pursuit_chase_new(&evasion, &view, &chase, NULL),
                             STATUS_OK);
            for (int64_t step = 0; step < 12; step += 2) {
                const struct grid *grid = &hunt.terrain.grid;
                size_t from = grid_nearest(grid, hunt.target.at);
                hunt_costs(&hunt);
                evasion.plan(chase, step, NULL);
                evasion.move(chase);
                evasion.move(chase);
                size_t to = grid_nearest(grid, hunt.target.at);
                moved += to != from;
                if (round % 2)
                    check_flight(&hunt, from, to);
                else
                    check_climb(&hunt, from, to);
                put(&hunt, (int)random_below(&random, PURSUERS),
                    free_cell(&hunt.terrain, &random));
            }
            pursuit_chase_release(chase);
            agents_release(&hunt.agents);
            terrain_release(&hunt.terrain);
        }
        ck_assert_int_gt(moved, 600);
    }
END_TEST

/* ---- restarts ---- */

static void check_same(struct chase_run *one, struct chase_run *two)
{
    size_t bytes, again;
    char *first = chase_state(one, &bytes), *second = chase_state(two, &again);
    ck_assert_uint_eq(bytes, again);
    ck_assert_mem_eq(first, second, bytes);
    memory_release(first);
    memory_release(second);
}

static void check_restart(const char *text, int64_t middle, bool plan)
{
    struct chase_run whole = chase_start(text, 1), rest = chase_start(text, 1);
    struct agent_plan made;
    size_t bytes;
    chase_go_to(&whole, middle);
    while (plan && simulation_plan(whole.simulation, &made))
        ;
    char *memory = chase_state(&whole, &bytes);
    simulation_release(rest.simulation);
    ck_assert(!simulation_new(rest.scenario, 1, &rest.simulation, NULL));
    ck_assert(!simulation_load(rest.simulation, memory, NULL));
    memory_release(memory);
    while (!simulation_ended(whole.simulation)) {
        chase_step(&whole);
        chase_step(&rest);
        check_same(&whole, &rest);
    }
    chase_end(&whole);
    chase_end(&rest);
}

START_TEST(a_restart_continues_bit_for_bit)
    {
        for (int flees = 0; flees < 2; flees++) {
            char text[3000];
            snprintf(text, sizeof text,
                     CHASE BLOCKS "events = ({ step = 40; box = [5, 5, 6, 5]; "
                                  "set = \"wall\"; }, { step = 130; box = [5, "
                                  "5, 6, 5]; set = \"free\"; });",
                     300, 7 + flees, flees ? "farthest-safe" : "evade",
                     pincers[_i], pincers[_i], 4);
            check_restart(text, 0, true);
            check_restart(text, 37, false);
            check_restart(text, 75, false);
            check_restart(text, 90, true);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("pincer_chase");
    TCase *tests = tcase_create("pincer_chase");
    tcase_add_loop_test(tests,
                        two_pursuers_in_one_cell_come_from_both_sides_of_a_ring,
                        0, PINCERS);
    tcase_add_loop_test(
        tests,
        a_chase_stays_in_free_cells_keeps_its_speed_and_ends_within_a_cell, 0,
        PINCERS);
    tcase_add_test(tests, astar_chases_as_dijkstra_does_step_for_step);
    tcase_add_test(tests,
                   in_a_dead_end_evade_turns_back_and_farthest_safe_stays);
    tcase_add_test(tests, a_pursuer_without_a_path_does_not_affect_the_capture);
    tcase_add_test(tests, an_evader_that_no_pursuer_can_reach_stays);
    tcase_add_test(tests, an_evader_follows_its_rule);
    tcase_add_loop_test(tests, a_restart_continues_bit_for_bit, 0, PINCERS);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
