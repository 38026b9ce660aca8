/* SPDX-License-Identifier: MIT */
/* Chases that are impossible: every method reports it, continues, and ends in
 * time. */
#include "pursuit/chase.h"
#include "tests/pursuit/chase_runs.h"

enum { STEPS = 120 };

static int method_count(void)
{
    int count = 0;
    while (agent_methods[count])
        count++;
    return count;
}

static bool plans(int method)
{
    return agent_methods[method]->chase == &route_chase ||
           method == METHOD_PINCER || method == METHOD_WAVE_PINCER;
}

/* Runs to the end and counts plans, and those of them that have a path. Every
 * agent is on the map, and none has captured. */
static void run_out(const char *text, size_t *planned, size_t *found)
{
    struct chase_run run = chase_start(text, 1);
    *planned = *found = 0;
    while (!simulation_ended(run.simulation)) {
        struct agent_plan plan;
        while (simulation_plan(run.simulation, &plan)) {
            ++*planned;
            *found += plan.path_cells > 0;
        }
        chase_step(&run);
        for (size_t i = 0; i < chase_agents(&run)->count; i++) {
            ck_assert(isfinite(chase_agents(&run)->at[0][i]));
            ck_assert_int_ne(chase_agents(&run)->state[i], AGENT_CAPTURED);
        }
    }
    ck_assert_int_eq(simulation_step(run.simulation), STEPS);
    chase_end(&run);
}

/* `more` may name regions and events; two agents of the method. */
static void make(char text[2000], int method, const char *rows,
                 const char *more)
{
    snprintf(text, 2000,
             "map = { rows = (%s); }; steps = %d; wave = { lifetime = 60; };"
             "target = { at = [0.0, 0.0]; motion = \"%s\"; };"
             "agents = ({ name = \"A\"; at = [6.0, 0.0]; method = \"%s\"; },"
             "{ name = \"B\"; at = [6.0, 2.0]; method = \"%s\"; }); %s",
             rows, STEPS, method % 2 ? "still" : "evade",
             agent_methods[method]->name, agent_methods[method]->name, more);
}

START_TEST(a_target_that_cannot_be_reached_leaves_plans_without_a_path)
    {
        char text[2000];
        size_t planned, found;
        make(text, _i, "\"..@....\",\"..@....\",\"..@....\"", "");
        run_out(text, &planned, &found);
        if (plans(_i)) { /* relay's far nodes may be behind the wall */
            ck_assert_uint_eq(planned, 2 * STEPS / 15);
            ck_assert_uint_eq(found, 0);
        }
    }
END_TEST

/* From the cells of the arrows only east is allowed: to the edge. With 8 moves
 * the evader runs into the trap itself, because no pursuer can reach it
 * there. */
START_TEST(agents_never_leave_a_one_way_trap)
    {
        char text[2000];
        size_t planned, found;
        make(text, _i, "\".......\",\".......\",\".......\"",
             "regions = ({ box = [4, 0, 6, 2]; one_way = \"east\"; });"
             "pursuit = { capture_radius = 0.1; moves = 4; };");
        if (_i == METHOD_WAVE || _i == METHOD_LEE || _i == METHOD_FAST_MARCHING)
            return; /* one-way cells do not affect their headings and fronts */
        run_out(text, &planned, &found);
        ck_assert_uint_eq(found, 0);
    }
END_TEST

START_TEST(an_agent_enclosed_by_walls_stays)
    {
        char text[2000];
        size_t planned, found;
        make(text, _i, "\".......\",\".......\",\".......\"",
             "events = ({ step = 1; box = [4, 0, 6, 2]; set = \"wall\"; });"
             "pursuit = { replan = 10; };");
        run_out(text, &planned, &found);
        if (plans(_i)) {
            ck_assert_uint_eq(planned, 2 * STEPS / 10);
            ck_assert_uint_eq(found, 2); /* the searches of step 0 */
        }
    }
END_TEST

START_TEST(a_target_enclosed_by_walls_is_reported)
    {
        char text[2000];
        size_t planned, found;
        make(text, _i, "\".......\",\".......\",\".......\"",
             "events = ({ step = 1; box = [0, 0, 1, 1]; set = \"wall\"; });"
             "pursuit = { replan = 10; };");
        run_out(text, &planned, &found);
        if (plans(_i)) {
            ck_assert_uint_eq(planned, 2 * STEPS / 10);
            ck_assert_uint_eq(found, 2);
        }
    }
END_TEST

START_TEST(a_start_in_a_wall_is_rejected)
    {
        char text[2000];
        struct scenario *scenario;
        struct error error;
        make(text, _i, "\".......\",\".......\",\"......@\"", "");
        ck_assert_int_eq(
            scenario_parse(text, "bad", NULL, 0, &scenario, &error),
            STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "agents.[1].at"));
    }
END_TEST

START_TEST(a_run_without_agents_ends)
    {
        char text[500];
        size_t planned, found;
        snprintf(text, sizeof text,
                 "map = { rows = (\"...\"); }; steps = %d; wave = {};"
                 "target = { at = [0.0, 0.0]; motion = \"%s\"; }; agents = ();",
                 STEPS, target_motion_names[_i]);
        if (_i == MOTION_WAYPOINTS)
            return; /* this motion needs waypoints */
        run_out(text, &planned, &found);
        ck_assert_uint_eq(planned, 0);
    }
END_TEST

/* Two rooms: half of the goals cannot be reached, and others are drawn
 * instead. */
#define ROOMS                                                                  \
    "map = { rows = (\"......@.....\",\"......@.....\",\"..@@..@.....\","      \
    "\"......@.....\"); }; "

START_TEST(wanderers_walk_from_goal_to_goal)
    {
        static const char *const wanderers[] = {
            "dijkstra",   "astar", "fast-marching",
            "dstar-lite", "relay", "relay-complete"
        };
        char text[1000];
        snprintf(text, sizeof text,
                 ROOMS "steps = 4000; seed = 5; agents = ({ at = [0.0, 0.0]; "
                       "count = 3; method = \"%s\"; goal = \"random\"; speed = "
                       "0.25; }); pursuit = { replan = 10; };",
                 wanderers[_i]);
        struct chase_run run = chase_start(text, 1), rest;
        uint8_t seen[48] = { 0 };
        size_t cells = 0, bytes, again, failed = 0;
        struct agent_plan plan;
        while (!simulation_ended(run.simulation)) {
            while (simulation_plan(run.simulation, &plan))
                failed += plan.path_cells == 0;
            chase_step(&run);
            for (int i = 0; i < 3; i++) {
                double at[GRID_AXES] = { chase_agents(&run)->at[0][i],
                                         chase_agents(&run)->at[1][i] };
                size_t cell = grid_nearest(&run.scenario->terrain.grid, at);
                ck_assert_int_eq(run.scenario->terrain.wall[cell], 0);
                cells += !seen[cell]++;
                seen[cell] = 1;
            }
            if (simulation_step(run.simulation) != 1234)
                continue;
            /* A resumed run continues with the same goals. */
            char *memory = chase_state(&run, &bytes);
            rest = chase_start(text, 1);
            simulation_release(rest.simulation);
            ck_assert(
                !simulation_new(rest.scenario, 1, &rest.simulation, NULL));
            ck_assert(!simulation_load(rest.simulation, memory, NULL));
            memory_release(memory);
        }
        ck_assert_uint_eq(cells, 22); /* all of their room */
        ck_assert_uint_gt(failed, 10);
        while (!simulation_ended(rest.simulation))
            chase_step(&rest);
        char *one = chase_state(&run, &bytes);
        char *two = chase_state(&rest, &again);
        ck_assert_uint_eq(bytes, again);
        ck_assert_mem_eq(one, two, bytes);
        memory_release(one);
        memory_release(two);
        chase_end(&run);
        chase_end(&rest);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("bad_chases");
    TCase *tests = tcase_create("bad_chases");
    int methods = method_count();
    tcase_add_loop_test(
        tests, a_target_that_cannot_be_reached_leaves_plans_without_a_path, 0,
        methods);
    tcase_add_loop_test(tests, agents_never_leave_a_one_way_trap, 0, methods);
    tcase_add_loop_test(tests, an_agent_enclosed_by_walls_stays, 0, methods);
    tcase_add_loop_test(tests, a_target_enclosed_by_walls_is_reported, 0,
                        methods);
    tcase_add_loop_test(tests, a_start_in_a_wall_is_rejected, 0, methods);
    tcase_add_loop_test(tests, a_run_without_agents_ends, 0,
                        MOTION_FARTHEST_SAFE + 1);
    tcase_add_loop_test(tests, wanderers_walk_from_goal_to_goal, 0, 6);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
