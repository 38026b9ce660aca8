/* SPDX-License-Identifier: MIT */
#include "pursuit/motion.h"
#include "pursuit/places.h"
#include "pursuit/target.h"
#include "tests/search/search_maps.h"
#include "tests/suite.h"

static struct terrain field_of(int dims, int nx, int ny, int nz)
{
    struct grid grid;
    struct terrain terrain;
    ck_assert_int_eq(grid_make(dims, nx, ny, nz, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    return terrain;
}

static bool same_way(const double a[GRID_AXES], const double b[GRID_AXES])
{
    return memcmp(a, b, GRID_AXES * sizeof *a) == 0;
}

START_TEST(a_still_target_does_not_move)
    {
        struct terrain terrain = field_of(2, 9, 9, 1);
        struct target_settings settings = { .motion = MOTION_STILL,
                                            .speed = .1 };
        struct target target = { .settings = &settings, .at = { 4, 4, 0 } };
        random_seed(&target.random, 5);
        struct random untouched = target.random;
        target_step(&target, &terrain);
        ck_assert_double_eq(target.at[0], 4);
        ck_assert_mem_eq(&target.random, &untouched, sizeof untouched);
        terrain_release(&terrain);
    }
END_TEST

/* Moved back to the middle at each step: no edge ends a heading early. */
START_TEST(a_random_target_keeps_each_heading_20_to_79_steps)
    {
        struct terrain terrain = field_of(2, 9, 9, 1);
        struct target_settings settings = { .motion = MOTION_RANDOM,
                                            .speed = .1 };
        struct target target = { .settings = &settings, .at = { 4, 4, 0 } };
        random_seed(&target.random, 7);
        double heading[GRID_AXES] = { 0 }, east = 0, south = 0;
        int held = 0, holds = 0, least = 1000, most = 0, seen[80] = { 0 };
        for (int step = 0; step < 200000; step++) {
            const double middle[GRID_AXES] = { 4, 4, 0 };
            memcpy(target.at, middle, sizeof middle);
            target_step(&target, &terrain);
            ck_assert_double_eq_tol(motion_distance(middle, target.at), .1,
                                    1e-9);
            if (!same_way(heading, target.heading)) {
                if (holds++) {
                    least = held < least ? held : least;
                    most = held > most ? held : most;
                    ck_assert_int_lt(held, 80);
                    seen[held]++;
                }
                held = 0;
                memcpy(heading, target.heading, sizeof heading);
                east += heading[0];
                south += heading[1];
            }
            held++;
        }
        ck_assert_int_eq(least, 20);
        ck_assert_int_eq(most, 79);
        for (int i = 20; i < 80; i++) /* 4000 headings: 67 of each duration */
            ck_assert_msg(seen[i] > 25 && seen[i] < 125, "%d: %d", i, seen[i]);
        /* Uniform: means of 4000 cosines, of deviation .011. */
        ck_assert_double_lt(fabs(east / holds), .05);
        ck_assert_double_lt(fabs(south / holds), .05);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_blocked_random_target_stays_and_draws_again)
    {
        static const char *const rows[] = { "@@@", "@.@", "@@@" };
        struct terrain terrain = terrain_of_rows(rows, 3);
        struct target_settings settings = { .motion = MOTION_RANDOM,
                                            .speed = .2 };
        struct target target = { .settings = &settings,
                                 .at = { 1.45, 1.45, 0 } };
        random_seed(&target.random, 3);
        double heading[GRID_AXES] = { 0 };
        int blocked = 0;
        for (int step = 0; step < 500; step++) {
            double before[GRID_AXES], end[GRID_AXES];
            memcpy(before, target.at, sizeof before);
            bool held = target.held > 0;
            target_step(&target, &terrain);
            ck_assert_int_eq(held, same_way(heading, target.heading));
            memcpy(heading, target.heading, sizeof heading);
            for (int axis = 0; axis < GRID_AXES; axis++)
                end[axis] = before[axis] + motion_round(.2 * heading[axis]);
            if (motion_is_free(&terrain, end)) {
                ck_assert(same_way(target.at, end));
            } else {
                ck_assert(same_way(target.at, before));
                ck_assert_int_eq(target.held, 0);
                blocked++;
            }
        }
        ck_assert_int_gt(blocked, 50);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(in_3d_a_random_target_moves_in_all_directions)
    {
        struct terrain terrain = field_of(3, 9, 9, 9);
        struct target_settings settings = { .motion = MOTION_RANDOM,
                                            .speed = .1 };
        struct random random;
        random_seed(&random, 11);
        double squares[GRID_AXES] = { 0 };
        for (int i = 0; i < 3000; i++) {
            struct target target = { .settings = &settings,
                                     .at = { 4, 4, 4 },
                                     .random = random };
            target_step(&target, &terrain);
            random = target.random;
            double one = 0;
            for (int axis = 0; axis < GRID_AXES; axis++) {
                double square = target.heading[axis] * target.heading[axis];
                squares[axis] += square / 3000;
                one += square;
            }
            ck_assert_double_eq_tol(one, 1, 1e-12);
        }
        for (int axis = 0; axis < GRID_AXES; axis++)
            ck_assert_double_eq_tol(squares[axis], 1. / 3, .025);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(waypoints_are_visited_in_order_repeatedly)
    {
        struct terrain terrain = field_of(2, 9, 9, 1);
        double waypoints[] = { 3, 1, 0, 3, 3, 0, 1, 1, 0 };
        struct target_settings settings = { .motion = MOTION_WAYPOINTS,
                                            .speed = .3,
                                            .waypoints = waypoints,
                                            .waypoint_count = 3 };
        struct target target = { .settings = &settings, .at = { 1, 1, 0 } };
        random_seed(&target.random, 1);
        target_stand(&target, &terrain);
        const double leg[] = { 2, 2, sqrt(8) };
        for (int round = 0; round < 2; round++)
            for (size_t i = 0; i < 3; i++) {
                int steps = (int)ceil(leg[i] / .3 - 1e-9);
                for (int step = 0; step < steps; step++) {
                    ck_assert_uint_eq(target.waypoint, i);
                    target_step(&target, &terrain);
                }
                ck_assert_double_eq(target.at[0], waypoints[3 * i]);
                ck_assert_double_eq(target.at[1], waypoints[3 * i + 1]);
            }
        ck_assert_double_eq_tol(target.heading[0], -sqrt(.5), 1e-9);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_target_enclosed_in_a_wall_stays_and_may_leave)
    {
        static const char *const rows[] = { "...", "...", "..." };
        struct terrain terrain = terrain_of_rows(rows, 3);
        double waypoints[] = { 2, 1, 0 };
        struct target_settings settings = { .motion = MOTION_WAYPOINTS,
                                            .speed = .1,
                                            .waypoints = waypoints,
                                            .waypoint_count = 1 };
        struct target target = { .settings = &settings, .at = { 1, 1, 0 } };
        random_seed(&target.random, 1);
        target_stand(&target, &terrain);
        terrain.wall[4] = 1;
        target_step(&target, &terrain);
        ck_assert_double_eq(target.at[0], 1);
        target.at[0] = motion_round_place(1.45);
        target_stand(&target, &terrain);
        target_step(&target, &terrain);
        ck_assert_double_eq_tol(target.at[0], 1.55, 1e-9);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(midway_between_cells_the_target_is_in_its_last_cell)
    {
        struct terrain terrain = field_of(2, 9, 9, 1);
        double waypoints[] = { 5, 2, 0, 2, 2, 0 };
        struct target_settings settings = { .motion = MOTION_WAYPOINTS,
                                            .speed = .1,
                                            .waypoints = waypoints,
                                            .waypoint_count = 2 };
        struct target target = { .settings = &settings, .at = { 2, 2, 0 } };
        target_stand(&target, &terrain);
        for (int step = 1; step <= 60; step++) {
            target_step(&target, &terrain);
            /* There in 30 steps, and back; tenths of a cell. */
            int tenths = step <= 30 ? 20 + step : 80 - step;
            int cell = (tenths + 5) / 10;
            if (tenths % 10 == 5)
                cell = step <= 30 ? (tenths - 5) / 10 : (tenths + 5) / 10;
            ck_assert_double_eq_tol(target.at[0], tenths / 10., 1e-9);
            ck_assert_int_eq(target.cell, 18 + cell);
        }
        terrain_release(&terrain);
    }
END_TEST

START_TEST(midway_at_the_start_the_target_is_in_the_upper_cell_or_a_free_one)
    {
        static const char *const rows[] = { "..@.", "...." };
        struct terrain terrain = terrain_of_rows(rows, 2);
        struct target_settings settings = { .motion = MOTION_STILL };
        const struct {
            double x, y;
            int cell;
        } cases[] = { { .5, 0, 1 },   { 1.5, 0, 1 }, { 2.5, 0, 3 },
                      { 1.5, .5, 6 }, { 2, .5, 6 },  { 1.4, .5, 5 } };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct target target = { .settings = &settings,
                                     .at = { cases[i].x, cases[i].y, 0 } };
            target_stand(&target, &terrain);
            ck_assert_int_eq(target.cell, cases[i].cell);
        }
        terrain_release(&terrain);
    }
END_TEST

/* ---- starting positions ---- */

static void place(struct terrain *terrain, double min_distance, int count,
                  uint64_t seed, double x[], double y[], struct target *target)
{
    static const struct target_settings hidden = { .place = { .random =
                                                                  true } };
    const struct agent_settings entry = {
        .name = (char *)"A",
        .count = count,
        .place = { .random = true, .min_distance = min_distance },
    };
    struct agents agents;
    if (!target->settings)
        target->settings = &hidden;
    ck_assert_int_eq(agents_init(&agents, &entry, 1, NULL), STATUS_OK);
    agents.seed = seed;
    ck_assert_int_eq(places_fill(&agents, target, terrain, NULL), STATUS_OK);
    for (int i = 0; i < count; i++) {
        x[i] = agents.at[0][i];
        y[i] = agents.at[1][i];
    }
    agents_release(&agents);
}

START_TEST(random_places_are_uniform_over_the_cells_that_reach_the_target)
    {
        static const char *const rows[] = { ".....@..", "....@@..", "........",
                                            "@@@@@@@@", "........" };
        struct terrain terrain = terrain_of_rows(rows, 5);
        static const struct target_settings fixed = { .place = {
                                                          .at = { 7, 0, 0 } } };
        enum { DRAWS = 22000 };
        static double x[DRAWS], y[DRAWS];
        int hits[40] = { 0 };
        struct target target = { .settings = &fixed };
        place(&terrain, 2, DRAWS, 1, x, y, &target);
        for (int i = 0; i < DRAWS; i++)
            hits[(int)y[i] * 8 + (int)x[i]]++;
        int allowed = 0;
        for (int i = 0; i < 40; i++) {
            double distance = hypot(i % 8 - 7, i / 8);
            bool may = !terrain.wall[i] && i / 8 < 3 && distance >= 2;
            allowed += may;
            if (!may)
                ck_assert_int_eq(hits[i], 0);
        }
        for (int i = 0; i < 40; i++)
            if (hits[i])
                ck_assert_int_lt(abs(hits[i] * allowed - DRAWS), DRAWS / 5);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(one_way_cells_count_from_agent_to_target)
    {
        /* From the left the gate leads to the right, and never back. */
        static const char *const rows[] = { "...>..." };
        struct terrain terrain = terrain_of_rows(rows, 1);
        static const struct target_settings left = { .place = {
                                                         .at = { 0, 0, 0 } } };
        static const struct target_settings right = { .place = {
                                                          .at = { 6, 0, 0 } } };
        static double x[400], y[400];
        struct target target = { .settings = &left };
        place(&terrain, 0, 400, 9, x, y, &target);
        for (int i = 0; i < 400; i++)
            ck_assert_double_lt(x[i], 3);
        target.settings = &right;
        double least = 6;
        place(&terrain, 0, 400, 9, x, y, &target);
        for (int i = 0; i < 400; i++)
            least = fmin(least, x[i]);
        ck_assert_double_eq(least, 0);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(no_cell_for_a_place_is_reported)
    {
        static const char *const rows[] = { "..@.." };
        struct terrain terrain = terrain_of_rows(rows, 1);
        static const struct target_settings settings = {
            .place = { .at = { 4, 0, 0 } }
        };
        const struct agent_settings entry = {
            .name = (char *)"B",
            .count = 1,
            .place = { .random = true, .min_distance = 2 },
        };
        struct target target = { .settings = &settings };
        struct agents agents;
        struct error error;
        ck_assert_int_eq(agents_init(&agents, &entry, 1, NULL), STATUS_OK);
        ck_assert_int_eq(places_fill(&agents, &target, &terrain, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "B from which"));
        agents_release(&agents);
        memset(terrain.wall, 1, 5);
        static const struct target_settings hidden = { .place = { .random =
                                                                      true } };
        target.settings = &hidden;
        ck_assert_int_eq(agents_init(&agents, &entry, 1, NULL), STATUS_OK);
        ck_assert_int_eq(places_fill(&agents, &target, &terrain, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "no free cell"));
        agents_release(&agents);
        terrain_release(&terrain);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("target");
    TCase *tests = tcase_create("target");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_still_target_does_not_move);
    tcase_add_test(tests, a_random_target_keeps_each_heading_20_to_79_steps);
    tcase_add_test(tests, a_blocked_random_target_stays_and_draws_again);
    tcase_add_test(tests, in_3d_a_random_target_moves_in_all_directions);
    tcase_add_test(tests, waypoints_are_visited_in_order_repeatedly);
    tcase_add_test(tests, a_target_enclosed_in_a_wall_stays_and_may_leave);
    tcase_add_test(tests, midway_between_cells_the_target_is_in_its_last_cell);
    tcase_add_test(
        tests,
        midway_at_the_start_the_target_is_in_the_upper_cell_or_a_free_one);
    tcase_add_test(
        tests, random_places_are_uniform_over_the_cells_that_reach_the_target);
    tcase_add_test(tests, one_way_cells_count_from_agent_to_target);
    tcase_add_test(tests, no_cell_for_a_place_is_reported);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
