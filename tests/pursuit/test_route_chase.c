/* SPDX-License-Identifier: MIT */
#include "pursuit/motion.h"
#include "pursuit/route.h"
#include "tests/pursuit/chase_runs.h"
#include "tests/search/search_maps.h"

#define HALL                                                                   \
    "map = { rows = (\".........................\","                           \
    "\".........................\",\"..........@@@@@..........\","             \
    "\"..........@@@@@..........\",\"..........@@@@@..........\","             \
    "\".........................\",\".........................\"); };"

START_TEST(a_route_is_walked_at_constant_speed_to_the_target)
    {
        static const char *const methods[] = { "dijkstra", "astar" };
        for (int m = 0; m < 2; m++) {
            char text[2000];
            snprintf(text, sizeof text,
                     "steps = 1000; target = { at = [20.0, 3.0]; };"
                     "agents = ({ at = [2.0, 3.0]; method = \"%s\"; speed = "
                     "0.25; }); pursuit = { capture_radius = 0.0; moves = 4; "
                     "ties = \"fixed\"; }; %s",
                     methods[m], HALL);
            struct chase_run run = chase_start(text, 1);
            const struct agents *agents = chase_agents(&run);
            double walked = 0;
            while (!simulation_ended(run.simulation)) {
                double from[GRID_AXES], at[GRID_AXES];
                for (int axis = 0; axis < GRID_AXES; axis++)
                    from[axis] = agents->at[axis][0];
                chase_step(&run);
                for (int axis = 0; axis < GRID_AXES; axis++)
                    at[axis] = agents->at[axis][0];
                ck_assert(motion_is_free(&run.scenario->terrain, at));
                double moved = fabs(at[0] - from[0]) + fabs(at[1] - from[1]);
                ck_assert_double_eq_tol(moved, .25, 1e-9);
                walked += moved;
            }
            /* 18 east, and 2 to the side round the block, and 2 back. */
            ck_assert_double_eq_tol(walked, 22, 1e-9);
            ck_assert_int_eq(simulation_step(run.simulation), 88);
            chase_end(&run);
        }
    }
END_TEST

START_TEST(plans_are_made_every_replan_steps_one_an_agent)
    {
        struct chase_run run = chase_start(
            "steps = 60; target = { at = [24.0, 6.0]; motion = \"random\"; };"
            "agents = ({ name = \"A\"; at = [0.0, 0.0]; method = \"astar\"; "
            "count = 3; },{ name = \"W\"; at = [0.0, 0.0]; method = \"lee\"; },"
            "{ name = \"D\"; at = [0.0, 1.0]; method = \"dijkstra\"; });"
            "pursuit = { replan = 7; };" HALL,
            1);
        for (;;) {
            int64_t step = simulation_step(run.simulation);
            struct agent_plan plan;
            int agents[4], count = 0;
            while (simulation_plan(run.simulation, &plan)) {
                ck_assert_int_lt(count, 4);
                agents[count++] = plan.agent;
                ck_assert_int_eq(plan.step, step);
                ck_assert_uint_gt(plan.path_cells, 1);
                ck_assert_int_gt(plan.expansions, 0);
                ck_assert_int_ge(plan.nanoseconds, 0);
                ck_assert_uint_eq((size_t)plan.path[plan.path_cells - 1],
                                  grid_nearest(&run.scenario->terrain.grid,
                                               chase_target(&run)->at));
            }
            ck_assert(!simulation_plan(run.simulation, &plan));
            if (simulation_ended(run.simulation))
                break;
            ck_assert_int_eq(count, step % 7 == 0 ? 4 : 0);
            const int planners[] = { 0, 1, 2, 4 };
            for (int i = 0; i < count; i++)
                ck_assert_int_eq(agents[i], planners[i]);
            chase_step(&run);
        }
        chase_end(&run);
    }
END_TEST

START_TEST(plans_that_are_not_read_are_made_too)
    {
        static const char text[] =
            "steps = 200; seed = 5; target = { at = [24.0, 6.0]; motion = "
            "\"random\"; }; agents = ({ at = [0.0, 0.0]; method = \"astar\"; "
            "});"
            "pursuit = { stop = \"never\"; };" HALL;
        struct chase_run asked = chase_start(text, 1),
                         alone = chase_start(text, 1);
        for (int step = 0; step < 200; step++) {
            struct agent_plan plan;
            while (simulation_plan(asked.simulation, &plan))
                ;
            chase_step(&asked);
            chase_step(&alone);
            for (int axis = 0; axis < 2; axis++)
                ck_assert_double_eq(chase_agents(&asked)->at[axis][0],
                                    chase_agents(&alone)->at[axis][0]);
        }
        chase_end(&asked);
        chase_end(&alone);
    }
END_TEST

START_TEST(a_new_wall_is_not_entered_and_a_new_gap_is_used)
    {
        struct chase_run run = chase_start(
            "steps = 400; map = { rows = (\"...............\","
            "\"@@@@@@@@@@@@@@.\",\"...............\"); };"
            "target = { at = [0.0, 2.0]; };"
            "agents = ({ at = [0.0, 0.0]; method = \"astar\"; speed = 0.25; });"
            "pursuit = { capture_radius = 0.5; replan = 20; };"
            "events = ({ step = 10; box = [4, 0, 14, 0]; set = \"wall\"; },"
            "{ step = 70; box = [1, 1, 1, 1]; set = \"free\"; });",
            1);
        const struct agents *agents = chase_agents(&run);
        chase_go_to(&run, 40);
        ck_assert_double_eq_tol(agents->at[0][0], 3, 1e-9);
        ck_assert_int_eq(agents->state[0], AGENT_STUCK);
        while (!simulation_ended(run.simulation)) {
            chase_step(&run);
            ck_assert_double_le(agents->at[0][0], 3 + 1e-9);
        }
        ck_assert_int_eq(agents->state[0], AGENT_CAPTURED);
        /* Planned at 80: 2 back to x = 1, 2 down, ½ more: 18 steps of ¼. */
        ck_assert_int_eq(simulation_step(run.simulation), 98);
        chase_end(&run);
    }
END_TEST

START_TEST(without_a_path_it_stays_and_the_plan_is_empty)
    {
        struct chase_run run = chase_start(
            "steps = 20; map = { rows = (\"..@..\"); };"
            "target = { at = [0.0, 0.0]; };"
            "agents = ({ at = [4.0, 0.0]; method = \"dijkstra\"; });",
            1);
        struct agent_plan plan;
        ck_assert(simulation_plan(run.simulation, &plan));
        ck_assert_uint_eq(plan.path_cells, 0);
        chase_go_to(&run, 20);
        ck_assert_double_eq(chase_agents(&run)->at[0][0], 4);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_STUCK);
        chase_end(&run);
    }
END_TEST

START_TEST(diagonal_moves_have_the_same_speed)
    {
        struct chase_run run = chase_start(
            "steps = 100; target = { at = [24.0, 6.0]; };"
            "agents = ({ at = [18.0, 0.0]; method = \"astar\"; speed = 0.5; });"
            "pursuit = { moves = 8; capture_radius = 0.0; };" HALL,
            1);
        const struct agents *agents = chase_agents(&run);
        while (!simulation_ended(run.simulation)) {
            double x = agents->at[0][0], y = agents->at[1][0];
            chase_step(&run);
            double moved = hypot(agents->at[0][0] - x, agents->at[1][0] - y);
            if (agents->state[0] != AGENT_CAPTURED)
                ck_assert_double_eq_tol(moved, .5, 1e-9);
        }
        ck_assert_int_eq(simulation_step(run.simulation),
                         (int)ceil(6 * sqrt(2) / .5));
        chase_end(&run);
    }
END_TEST

/* ---- rounding ---- */

START_TEST(decimal_speeds_reach_each_centre_exactly)
    {
        enum { CELLS = 3000 };
        struct grid grid;
        struct terrain terrain;
        static int32_t path[CELLS];
        const int thousandths[] = { 50, 100, 150, 300, 70, 123, 333, 500, 1 };
        ck_assert_int_eq(grid_make(2, CELLS, 1, 1, &grid, NULL), STATUS_OK);
        ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
        for (int i = 0; i < CELLS; i++)
            path[i] = CELLS - 1 - i;
        for (size_t i = 0; i < sizeof thousandths / sizeof *thousandths; i++) {
            int speed = thousandths[i], steps = (CELLS - 1) * 1000 / speed;
            double at[GRID_AXES] = { CELLS - 1, 0, 0 };
            struct route route;
            ck_assert_int_eq(route_init(&route, &terrain, at, 1, CELLS, NULL),
                             STATUS_OK);
            route_take(&route, path, CELLS, 0);
            for (int step = 1; step <= steps; step++) {
                route_walk(&route, &terrain, speed / 1000., at);
                int64_t gone = (int64_t)step * speed;
                double there = CELLS - 1 - (double)gone / 1000;
                if (gone % 1000 == 0)
                    ck_assert_double_eq(at[0], there);
                ck_assert_double_eq_tol(at[0], there, 1e-9);
            }
            route_release(&route);
        }
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_plan_starts_from_the_cell_being_entered_or_if_walled_the_one_left)
    {
        static const char *const rows[] = { "....." };
        const int32_t path[] = { 1, 2, 3 };
        struct terrain terrain = terrain_of_rows(rows, 1);
        double at[GRID_AXES] = { 1, 0, 0 };
        struct route route;
        ck_assert(!route_init(&route, &terrain, at, .5, 10, NULL));
        ck_assert_uint_eq(route_cell(&route, &terrain, at), 1);
        route_take(&route, path, 3, 0);
        ck_assert_double_eq(route_walk(&route, &terrain, .1, at), 0);
        ck_assert_uint_eq(route_cell(&route, &terrain, at), 2);
        /* A plan without a path does not change the route. */
        route_take(&route, NULL, 0, 5);
        ck_assert_double_eq(route_walk(&route, &terrain, .1, at), .1);
        ck_assert_uint_eq(route_cell(&route, &terrain, at), 2);
        terrain.wall[2] = 1;
        ck_assert_uint_eq(route_cell(&route, &terrain, at), 1);
        const int32_t back[] = { 1, 0 };
        route_take(&route, back, 2, 10);
        for (int i = 0; i < 5; i++)
            route_walk(&route, &terrain, .1, at);
        ck_assert_double_eq_tol(at[0], .6, 1e-9);
        /* In the centre of a new wall it stays. */
        double centre[GRID_AXES] = { 2, 0, 0 };
        struct route caught;
        ck_assert(!route_init(&caught, &terrain, centre, .5, 10, NULL));
        caught.left = 3;
        ck_assert_uint_eq(route_cell(&caught, &terrain, centre), 2);
        route_release(&caught);
        route_release(&route);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(capture_is_at_exactly_the_radius)
    {
        struct chase_run run = chase_start(
            "map = { rows = (\"......................\"); }; steps = 500;"
            "target = { at = [20.0, 0.0]; }; agents = ({ at = [3.0, 0.0]; "
            "method = \"astar\"; speed = 0.05; }, { at = [20.0, 0.0]; method "
            "= \"lee\"; }, { at = [2.95, 0.0]; method = \"astar\"; speed = "
            "0.05; }); pursuit = { capture_radius = 1.0; };",
            1);
        chase_go_to(&run, 319);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_MOVING);
        chase_step(&run);
        ck_assert_double_eq(chase_agents(&run)->at[0][0], 19);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_CAPTURED);
        ck_assert_int_eq(chase_agents(&run)->state[2], AGENT_MOVING);
        chase_step(&run);
        ck_assert_int_eq(chase_agents(&run)->state[2], AGENT_CAPTURED);
        chase_end(&run);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("route_chase");
    TCase *tests = tcase_create("route_chase");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_route_is_walked_at_constant_speed_to_the_target);
    tcase_add_test(tests, plans_are_made_every_replan_steps_one_an_agent);
    tcase_add_test(tests, plans_that_are_not_read_are_made_too);
    tcase_add_test(tests, a_new_wall_is_not_entered_and_a_new_gap_is_used);
    tcase_add_test(tests, without_a_path_it_stays_and_the_plan_is_empty);
    tcase_add_test(tests, diagonal_moves_have_the_same_speed);
    tcase_add_test(tests, decimal_speeds_reach_each_centre_exactly);
    tcase_add_test(
        tests,
        a_plan_starts_from_the_cell_being_entered_or_if_walled_the_one_left);
    tcase_add_test(tests, capture_is_at_exactly_the_radius);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
