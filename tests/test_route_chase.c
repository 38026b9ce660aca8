/* SPDX-License-Identifier: MIT */
#include "chase_runs.h"
#include "pursuit/motion.h"
#include "pursuit/route_chase.h"

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
                     "0.25; }); pursuit = { capture_radius = 0.0; ties = "
                     "\"fixed\"; }; %s",
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
            /* 18 east, and 2 round the block on either side and back. */
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

START_TEST(plans_nobody_asks_for_are_made_all_the_same)
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

START_TEST(a_new_wall_is_not_walked_into_and_a_new_gap_is_taken)
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
        /* Planned at 80: 2 back to x = 1, 2 down, ½ on: 18 steps of ¼. */
        ck_assert_int_eq(simulation_step(run.simulation), 98);
        chase_end(&run);
    }
END_TEST

START_TEST(without_a_way_it_stays_and_the_plan_says_so)
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

START_TEST(diagonal_moves_go_at_the_same_speed)
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

int main(void)
{
    Suite *suite = suite_create("route_chase");
    TCase *tests = tcase_create("route_chase");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_route_is_walked_at_constant_speed_to_the_target);
    tcase_add_test(tests, plans_are_made_every_replan_steps_one_an_agent);
    tcase_add_test(tests, plans_nobody_asks_for_are_made_all_the_same);
    tcase_add_test(tests, a_new_wall_is_not_walked_into_and_a_new_gap_is_taken);
    tcase_add_test(tests, without_a_way_it_stays_and_the_plan_says_so);
    tcase_add_test(tests, diagonal_moves_go_at_the_same_speed);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
