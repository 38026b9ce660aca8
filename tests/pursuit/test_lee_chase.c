/* SPDX-License-Identifier: MIT */
#include "pursuit/lee.h"
#include "pursuit/motion.h"
#include "tests/pursuit/chase_runs.h"
#include "tests/search/search_maps.h"

/* Distances by relaxation until they do not change, −1 if there is no path. */
static int32_t *distances(const struct terrain *terrain, size_t source)
{
    const struct grid *grid = &terrain->grid;
    int32_t *distance = memory_new(grid_cells(grid), sizeof *distance);
    memset(distance, 0xff, grid_cells(grid) * sizeof *distance);
    if (!terrain->wall[source])
        distance[source] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < grid_cells(grid); i++) {
            int at[GRID_AXES];
            grid_cell(grid, i, at);
            for (int d = 0; d < 2 * grid->dims && distance[i] >= 0; d++) {
                int x = at[0] + direction_step[d][0],
                    y = at[1] + direction_step[d][1],
                    z = at[2] + direction_step[d][2];
                if (!grid_holds(grid, x, y, z))
                    continue;
                size_t next = grid_index(grid, x, y, z);
                if (terrain->wall[next] ||
                    (distance[next] >= 0 && distance[next] <= distance[i] + 1))
                    continue;
                distance[next] = distance[i] + 1;
                changed = true;
            }
        }
    }
    return distance;
}

static void check_front(const struct terrain *terrain, size_t source)
{
    int32_t *truth = distances(terrain, source);
    struct lee_front front;
    ck_assert_int_eq(lee_front_init(&front, terrain, NULL), STATUS_OK);
    lee_front_emit(&front, source, 5);
    ck_assert_int_eq(front.emitted, 5);
    for (int age = 0; age < 60; age++, lee_front_step(&front))
        for (size_t i = 0; i < grid_cells(&terrain->grid); i++)
            ck_assert_int_eq(lee_front_distance(&front, i),
                             truth[i] <= age ? truth[i] : -1);
    lee_front_release(&front);
    memory_release(truth);
}

START_TEST(the_front_is_breadth_first_search_a_cell_a_step)
    {
        struct random random;
        random_seed(&random, 17);
        for (int round = 0; round < 20; round++) {
            int dims = 2 + round % 2;
            struct terrain terrain = terrain_of_chance(
                &random, dims, dims == 2 ? 17 : 9, 8, dims == 2 ? 1 : 5, .3, 0);
            check_front(&terrain,
                        random_below(&random, grid_cells(&terrain.grid)));
            terrain_release(&terrain);
        }
    }
END_TEST

START_TEST(ties_are_broken_east_west_south_north_then_diagonals)
    {
        static const char *const rows[] = { ".......", ".......", ".......",
                                            ".......", "......." };
        struct terrain terrain = terrain_of_rows(rows, 5);
        struct lee_front front;
        double s = sqrt(.5), heading[GRID_AXES];
        const struct {
            int at[2];
            double heading[2];
        } cases[] = {
            { { 1, 2 }, { 1, 0 } },
            { { 5, 2 }, { -1, 0 } },
            { { 3, 0 }, { 0, 1 } },
            { { 3, 4 }, { 0, -1 } },
            { { 1, 0 }, { s, s } },
            { { 5, 4 }, { -s, -s } },
            /* (1, 1): the diagonal is two steps nearer, a straight move one. */
            { { 1, 1 }, { s, s } },
            { { 2, 1 }, { s, s } },
            { { 5, 1 }, { -s, s } },
        };
        ck_assert_int_eq(lee_front_init(&front, &terrain, NULL), STATUS_OK);
        lee_front_emit(&front, 2 * 7 + 3, 0);
        ck_assert(!lee_front_heading(&front, 2 * 7 + 1, 0, heading));
        for (int i = 0; i < 12; i++)
            lee_front_step(&front);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const size_t cell = (size_t)(7 * cases[i].at[1] + cases[i].at[0]);
            ck_assert(lee_front_heading(&front, cell, 0, heading));
            ck_assert_double_eq_tol(heading[0], cases[i].heading[0], 1e-15);
            ck_assert_double_eq_tol(heading[1], cases[i].heading[1], 1e-15);
        }
        ck_assert(!lee_front_heading(&front, 2 * 7 + 3, 0, heading));
        lee_front_release(&front);
        terrain_release(&terrain);

        /* Next to a wall the diagonals cut a corner: east and south tie. */
        static const char *const corner[] = { "...", ".@.", "..." };
        struct terrain ring = terrain_of_rows(corner, 3);
        ck_assert_int_eq(lee_front_init(&front, &ring, NULL), STATUS_OK);
        lee_front_emit(&front, 8, 0);
        for (int i = 0; i < 8; i++)
            lee_front_step(&front);
        ck_assert(lee_front_heading(&front, 0, 0, heading));
        ck_assert_double_eq(heading[0], 1);
        ck_assert(lee_front_heading(&front, 3, 0, heading));
        ck_assert_double_eq(heading[1], 1);

        /* From the opposite side of the ring east and west tie. */
        lee_front_emit(&front, 1, 0);
        for (int i = 0; i < 8; i++)
            lee_front_step(&front);
        for (unsigned mirror = 0; mirror < 4; mirror++) {
            ck_assert(lee_front_heading(&front, 7, mirror, heading));
            ck_assert_double_eq(heading[0], mirror & 1 ? -1 : 1);
            ck_assert_double_eq(heading[1], 0);
        }
        lee_front_release(&front);
        terrain_release(&ring);
    }
END_TEST

START_TEST(in_space_no_edge_and_no_corner_is_cut)
    {
        struct grid grid;
        struct terrain terrain;
        struct lee_front front;
        double s = sqrt(1. / 3), heading[GRID_AXES];
        ck_assert_int_eq(grid_make(3, 3, 3, 3, &grid, NULL), STATUS_OK);
        ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
        for (int wall = 0; wall < 2; wall++) {
            /* (1, 1, 0) is in the box of the move (0,0,0) → (1,1,1). */
            terrain.wall[grid_index(&grid, 1, 1, 0)] = (uint8_t)wall;
            ck_assert_int_eq(lee_front_init(&front, &terrain, NULL), STATUS_OK);
            lee_front_emit(&front, grid_index(&grid, 2, 2, 2), 0);
            for (int i = 0; i < 9; i++)
                lee_front_step(&front);
            ck_assert(lee_front_heading(&front, 0, 0, heading));
            double part = wall ? sqrt(.5) : s;
            ck_assert_double_eq_tol(heading[0], part, 1e-15);
            ck_assert_double_eq_tol(heading[1], (wall ? 0 : s), 1e-15);
            ck_assert_double_eq_tol(heading[2], part, 1e-15);
            lee_front_release(&front);
        }
        terrain_release(&terrain);
    }
END_TEST

START_TEST(the_front_enters_opened_cells_and_does_not_leave_closed_ones)
    {
        static const char *const rows[] = { "....@....", "@@@@@@@@@",
                                            "........." };
        struct terrain terrain = terrain_of_rows(rows, 3);
        struct lee_front front;
        const struct box gate = { { 4, 0, 0 }, { 4, 0, 0 } };
        ck_assert_int_eq(lee_front_init(&front, &terrain, NULL), STATUS_OK);
        lee_front_emit(&front, 0, 0);
        for (int i = 0; i < 10; i++)
            lee_front_step(&front);
        ck_assert_int_eq(lee_front_distance(&front, 4), -1);
        terrain.wall[4] = 0;
        lee_front_update(&front, &gate);
        for (int i = 0; i < 3; i++)
            lee_front_step(&front);
        ck_assert_int_eq(lee_front_distance(&front, 4), 11);
        ck_assert_int_eq(lee_front_distance(&front, 6), 13);
        terrain.wall[6] = 1; /* at the position of the front */
        lee_front_update(&front, &(struct box){ { 6, 0, 0 }, { 6, 0, 0 } });
        for (int i = 0; i < 5; i++)
            lee_front_step(&front);
        ck_assert_int_eq(lee_front_distance(&front, 6), -1);
        ck_assert_int_eq(lee_front_distance(&front, 7), -1);
        lee_front_release(&front);
        terrain_release(&terrain);
    }
END_TEST

static const char corridor[] =
    "steps = 400; map = { rows = (\"..............................\"); };"
    "wave = { count = 3; lifetime = 90; };"
    "target = { at = [0.0, 0.0]; };"
    "agents = ({ name = \"L\"; at = [20.0, 0.0]; method = \"lee\"; });"
    "pursuit = { capture_radius = 1.5; };";

START_TEST(it_waits_reacts_once_a_front_and_captures)
    {
        struct chase_run run = chase_start(corridor, 1);
        const struct agents *agents = chase_agents(&run);
        int arrivals = 0;
        while (!simulation_ended(run.simulation)) {
            chase_step(&run);
            int64_t step = simulation_step(run.simulation);
            const struct agent_arrivals *news =
                pursuit_arrivals(simulation_pursuit(run.simulation));
            for (size_t i = 0; i < news->count; i++, arrivals++) {
                const struct agent_arrival *one = &news->items[i];
                int64_t emitted = step - (int64_t)one->amplitude;
                ck_assert_int_eq(one->step, step);
                ck_assert_int_eq(emitted % 30, 0);
                ck_assert_int_eq(one->wave, emitted / 30 % 3);
                ck_assert_double_eq(one->heading[0], -1);
            }
            if (step < 20)
                ck_assert_int_eq(agents->state[0], AGENT_WAITING);
            /* The front is at 20 at step 20, and the agent moves at once. */
            ck_assert_double_eq(agents->at[0][0],
                                20 - motion_round(.15) *
                                         (step < 20 ? 0 : step - 19));
        }
        /* 20 − .15 n ≤ 1.5: n = 124, the first of them at step 20. */
        ck_assert_int_eq(agents->state[0], AGENT_CAPTURED);
        ck_assert_int_eq(simulation_step(run.simulation), 143);
        ck_assert_int_eq(arrivals, 5); /* emitted at 0, 30, 60, 90, 120 */
        chase_end(&run);
    }
END_TEST

START_TEST(a_gate_that_opens_lets_the_front_to_the_agent)
    {
        struct chase_run run = chase_start(
            "steps = 60; map = { rows = (\"..........@.........\"); };"
            "wave = { count = 1; lifetime = 100; };"
            "target = { at = [0.0, 0.0]; };"
            "agents = ({ at = [15.0, 0.0]; method = \"lee\"; });"
            "events = ({ step = 30; box = [10, 0, 10, 0]; set = \"free\"; });",
            1);
        chase_go_to(&run, 35);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_WAITING);
        chase_step(&run);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_MOVING);
        ck_assert_double_eq(chase_agents(&run)->heading[0][0], -1);
        chase_end(&run);
    }
END_TEST

START_TEST(fronts_end_with_their_lifetime)
    {
        static const char text[] =
            "steps = 100; map = { rows = (\"..............................\"); "
            "};"
            "wave = { count = 1; lifetime = 19; };"
            "target = { at = [0.0, 0.0]; };"
            "agents = ({ at = [20.0, 0.0]; method = \"lee\"; });";
        struct chase_run run = chase_start(text, 1);
        chase_go_to(&run, 100);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_WAITING);
        chase_end(&run);
    }
END_TEST

START_TEST(without_a_wave_group_fronts_are_emitted_by_the_defaults)
    {
        static const char text[] =
            "steps = 300; map = { rows = (\"..............................\"); "
            "};"
            "target = { at = [0.0, 0.0]; };"
            "agents = ({ at = [29.0, 0.0]; method = \"lee\"; speed = 0.0; });";
        struct chase_run run = chase_start(text, 1);
        int steps[4] = { 0 }, count = 0;
        while (!simulation_ended(run.simulation)) {
            chase_step(&run);
            const struct agent_arrivals *news =
                pursuit_arrivals(simulation_pursuit(run.simulation));
            for (size_t i = 0; i < news->count; i++)
                steps[count++] = (int)simulation_step(run.simulation);
        }
        ck_assert_int_eq(count, 3);
        ck_assert_int_eq(steps[0], 29);
        ck_assert_int_eq(steps[1], 129);
        ck_assert_int_eq(steps[2], 229);
        chase_end(&run);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("lee_chase");
    TCase *tests = tcase_create("lee_chase");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_front_is_breadth_first_search_a_cell_a_step);
    tcase_add_test(tests, ties_are_broken_east_west_south_north_then_diagonals);
    tcase_add_test(tests, in_space_no_edge_and_no_corner_is_cut);
    tcase_add_test(
        tests, the_front_enters_opened_cells_and_does_not_leave_closed_ones);
    tcase_add_test(tests, it_waits_reacts_once_a_front_and_captures);
    tcase_add_test(tests, a_gate_that_opens_lets_the_front_to_the_agent);
    tcase_add_test(tests, fronts_end_with_their_lifetime);
    tcase_add_test(tests,
                   without_a_wave_group_fronts_are_emitted_by_the_defaults);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
