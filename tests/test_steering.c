/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "base/random.h"
#include "descent.h"
#include "interface.h"
#include "polyline.h"
#include "suite.h"
#include "trace.h"

#include <math.h>

static struct grid grid;
static struct terrain terrain;
static struct polyline line, other;

static void start(void)
{
    ck_assert_int_eq(grid_make(2, 40, 30, 1, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_prepare(&terrain, CHANGE_SPEED, NULL), STATUS_OK);
}

static void stop(void)
{
    polyline_release(&line);
    polyline_release(&other);
    terrain_release(&terrain);
}

static void speed(int x0, int y0, int x1, int y1, double c)
{
    const struct terrain_change change = {
        .box = { { x0, y0, 0 }, { x1, y1, 0 } },
        .kind = CHANGE_SPEED,
        .value = c,
    };
    terrain_apply(&terrain, &change);
}

static void wall(int x0, int y0, int x1, int y1)
{
    const struct terrain_change change = {
        .box = { { x0, y0, 0 }, { x1, y1, 0 } },
        .kind = CHANGE_WALL,
    };
    terrain_apply(&terrain, &change);
}

static void add(struct polyline *to, double x, double y)
{
    const double at[2] = { x, y };
    ck_assert_int_eq(polyline_add(to, at, NULL), STATUS_OK);
}

/* ---- paths ---- */

START_TEST(a_path_has_its_length_and_keeps_no_point_twice)
    {
        add(&line, 1, 2);
        add(&line, 1, 2);
        add(&line, 4, 6);
        add(&line, 4, 7.5);
        ck_assert_uint_eq(line.count, 3);
        ck_assert_double_eq_tol(polyline_length(&line), 6.5, 1e-14);
        for (int i = 0; i < 2000; i++)
            add(&other, i, 0);
        ck_assert_double_eq(polyline_length(&other), 1999);
    }
END_TEST

START_TEST(the_time_of_a_path_is_that_of_its_pieces_through_the_cells)
    {
        speed(10, 0, 19, 29, 0.4);
        add(&line, 2.3, 5);
        add(&line, 30.8, 5);
        ck_assert_double_eq_tol(polyline_time(&line, &terrain),
                                (9.5 - 2.3) + 10 / 0.4 + (30.8 - 19.5), 1e-12);
        /* There and back takes as long again. */
        add(&line, 2.3, 5);
        ck_assert_double_eq_tol(polyline_time(&line, &terrain),
                                2 * (7.2 + 25 + 11.3), 1e-12);
    }
END_TEST

START_TEST(the_time_of_a_crooked_path_is_that_of_a_million_small_steps)
    {
        struct random random;
        random_seed(&random, 7);
        for (size_t i = 0; i < grid_cells(&grid); i++)
            terrain.speed[i] = 0.2 + 2 * random_unit(&random);
        for (int i = 0; i < 12; i++)
            add(&line, 39 * random_unit(&random), 29 * random_unit(&random));
        enum { STEPS = 100000 };
        double sum = 0;
        for (size_t i = 1; i < line.count; i++) {
            const double *a = line.points[i - 1], *b = line.points[i];
            double length = hypot(b[0] - a[0], b[1] - a[1]);
            for (int s = 0; s < STEPS; s++) {
                double share = (s + 0.5) / STEPS;
                double at[GRID_AXES] = { a[0] + share * (b[0] - a[0]),
                                         a[1] + share * (b[1] - a[1]), 0 };
                sum += length / STEPS / terrain.speed[grid_nearest(&grid, at)];
            }
        }
        ck_assert_double_eq_tol(polyline_time(&line, &terrain) / sum, 1, 1e-5);
    }
END_TEST

START_TEST(along_an_edge_the_faster_side_counts_and_walls_do_not)
    {
        speed(0, 10, 39, 29, 0.25);
        add(&line, 3, 9.5);
        add(&line, 23, 9.5);
        ck_assert_double_eq_tol(polyline_time(&line, &terrain), 20, 1e-12);
        wall(0, 0, 39, 9);
        ck_assert_double_eq_tol(polyline_time(&line, &terrain), 80, 1e-12);
    }
END_TEST

START_TEST(hausdorff_is_the_farthest_point_s_distance)
    {
        add(&line, 0, 0);
        add(&line, 20, 0);
        add(&other, 0, 3);
        add(&other, 10, 7.25);
        add(&other, 20, 3);
        ck_assert_double_eq_tol(polyline_hausdorff(&line, &other, 0.05), 7.25,
                                1e-12);
        ck_assert_double_eq(polyline_hausdorff(&line, &line, 0.05), 0);
        /* Of a longer path the end is what is far, whichever comes first. */
        add(&line, 20, 14);
        double far = 110 / hypot(10, 4.25);
        ck_assert_double_eq_tol(polyline_hausdorff(&other, &line, 0.05), far,
                                1e-12);
        ck_assert_double_eq_tol(polyline_hausdorff(&line, &other, 0.05), far,
                                1e-12);
    }
END_TEST

START_TEST(hausdorff_is_that_of_all_pairs_of_points)
    {
        struct random random;
        random_seed(&random, 11);
        for (int i = 0; i < 5; i++) {
            add(&line, 30 * random_unit(&random), 30 * random_unit(&random));
            add(&other, 30 * random_unit(&random), 30 * random_unit(&random));
        }
        enum { N = 600 };
        static double at[2][4 * N][2];
        const struct polyline *lines[2] = { &line, &other };
        for (int l = 0; l < 2; l++)
            for (int i = 0; i < 4 * N; i++)
                for (int axis = 0; axis < 2; axis++) {
                    double share = (double)(i % N) / (N - 1);
                    at[l][i][axis] =
                        (1 - share) * lines[l]->points[i / N][axis] +
                        share * lines[l]->points[i / N + 1][axis];
                }
        double most = 0;
        for (int l = 0; l < 2; l++)
            for (int i = 0; i < 4 * N; i++) {
                double least = INFINITY;
                for (int j = 0; j < 4 * N; j++)
                    least = fmin(least, hypot(at[l][i][0] - at[1 - l][j][0],
                                              at[l][i][1] - at[1 - l][j][1]));
                most = fmax(most, least);
            }
        /* The points of a piece of 40 cells are 40/599 apart. */
        ck_assert_double_eq_tol(polyline_hausdorff(&line, &other, 0.01), most,
                                0.04);
    }
END_TEST

/* ---- traces ---- */

START_TEST(a_trace_follows_the_headings_and_ends_straight)
    {
        double(*heading)[2] = memory_new(grid_cells(&grid), sizeof *heading);
        for (size_t i = 0; i < grid_cells(&grid); i++)
            heading[i][0] = -1;
        const double from[2] = { 30, 12 }, source[2] = { 5, 10 };
        bool arrived;
        ck_assert_int_eq(trace_follow(&terrain, (const double(*)[2])heading,
                                      from, source, 25, &line, &arrived, NULL),
                         STATUS_OK);
        ck_assert(arrived);
        /* West at y = 12 as far as x = 7 (√(2² + 2²) ≤ 3), then straight:
         * from the first point on that is at most 3 away. */
        double x = line.points[line.count - 2][0];
        ck_assert_double_le(hypot(x - 5, 2), 3);
        ck_assert_double_gt(hypot(x + 0.25 - 5, 2), 3);
        ck_assert_double_eq_tol(polyline_length(&line),
                                30 - x + hypot(x - 5, 2), 1e-12);
        /* A wall between: it goes on looking, and does not come. */
        polyline_release(&line);
        wall(0, 11, 39, 11);
        ck_assert_int_eq(trace_follow(&terrain, (const double(*)[2])heading,
                                      from, source, 25, &line, &arrived, NULL),
                         STATUS_OK);
        ck_assert(!arrived);
        /* No heading where it starts: it stays there. */
        polyline_release(&line);
        heading[grid_index(&grid, 30, 12, 0)][0] = 0;
        ck_assert_int_eq(trace_follow(&terrain, (const double(*)[2])heading,
                                      from, source, 25, &line, &arrived, NULL),
                         STATUS_OK);
        ck_assert(!arrived);
        ck_assert_uint_eq(line.count, 1);
        memory_release(heading);
    }
END_TEST

/* ---- paths of least time ---- */

static bool descend(const double from[2], const double source[2], double *least)
{
    struct fast_marching *marching;
    bool arrived = false;
    ck_assert_int_eq(
        fast_marching_new(&terrain, &fast_marching_fine, &marching, NULL),
        STATUS_OK);
    size_t cell = grid_index(&grid, (int)source[0], (int)source[1], 0);
    ck_assert(fast_marching_solve(marching, cell, SIZE_MAX));
    *least = fast_marching_time(
        marching, grid_index(&grid, (int)from[0], (int)from[1], 0));
    ck_assert_int_eq(descent_follow(marching, &terrain, 3, from, source, &line,
                                    &arrived, NULL),
                     STATUS_OK);
    fast_marching_release(marching);
    return arrived;
}

/* What fast marching on a grid 3 times finer may lose where a path turns, as
 * test_fast_marching holds it to: (2 − √2)/3 each time. */
static const double two_turns = 2 * (2 - 1.41421356237309505) / 3;

/* Snell's law: the least time through two halves of different speed, by the
 * crossing that is best. */
START_TEST(a_descent_takes_the_time_that_snell_s_law_allows)
    {
        for (double c = 0.3; c < 2; c *= 1.7) {
            start();
            speed(20, 0, 39, 29, c);
            const double from[2] = { 34, 25 }, source[2] = { 4, 4 };
            double best = INFINITY, least;
            for (double y = 0; y < 29; y += 1e-3)
                best = fmin(best, hypot(19.5 - 4, y - 4) +
                                      hypot(34 - 19.5, 25 - y) / c);
            ck_assert(descend(from, source, &least));
            ck_assert_double_eq_tol(least / best, 1, 3e-3);
            double taken = polyline_time(&line, &terrain);
            ck_assert_double_ge(taken, best - 1e-9);
            ck_assert_double_eq_tol(taken / best, 1, 1e-3);
            stop();
        }
    }
END_TEST

START_TEST(a_descent_bends_round_a_slow_block_without_a_step_into_it)
    {
        for (double c = 0.1; c < 0.45; c += 0.1) {
            start();
            speed(12, 8, 26, 29, c);
            const double from[2] = { 36, 20 }, source[2] = { 3, 20 };
            double round =
                hypot(36 - 26.5, 20 - 7.5) + 15 + hypot(11.5 - 3, 20 - 7.5);
            double least;
            ck_assert(descend(from, source, &least));
            if (33 - 15 + 15 / c > round) {
                ck_assert_double_ge(polyline_time(&line, &terrain),
                                    round - 1e-9);
                ck_assert_double_le(polyline_time(&line, &terrain),
                                    round + two_turns);
            }
            stop();
        }
    }
END_TEST

START_TEST(a_descent_goes_round_walls)
    {
        wall(15, 0, 15, 24);
        const double from[2] = { 30, 5 }, source[2] = { 5, 5 };
        double least, round = hypot(14.5, 19.5) + 1 + hypot(9.5, 19.5);
        ck_assert(descend(from, source, &least));
        ck_assert_double_ge(polyline_length(&line), round - 1e-9);
        ck_assert_double_le(polyline_length(&line), round + two_turns);
    }
END_TEST

/* ---- changes of speed ---- */

START_TEST(the_two_forms_laws_agree_with_continuity)
    {
        for (double c2 = 0.2; c2 < 3; c2 += 0.3) {
            const double c1 = 0.9;
            double r, t;
            /* 1 + R = T; slopes: (1 − R)/c1 = T/c2, times c² where it is
             * c²∂z that is continuous. */
            interface_law(c1, c2, false, &r, &t);
            ck_assert_double_eq_tol(1 + r, t, 1e-15);
            ck_assert_double_eq_tol((1 - r) / c1, t / c2, 1e-14);
            interface_law(c1, c2, true, &r, &t);
            ck_assert_double_eq_tol(1 + r, t, 1e-15);
            ck_assert_double_eq_tol((1 - r) * c1, t * c2, 1e-14);
        }
    }
END_TEST

START_TEST(a_peak_is_found_between_the_cells)
    {
        double values[200];
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int i = 0; i < 200; i++) {
                double u = (i - 83.37) / 15;
                values[i] = sign * 0.7 * exp(-u * u / 2);
            }
            ck_assert_double_eq_tol(interface_peak(values, 200, 50, 120),
                                    sign * 0.7, 1e-6);
        }
        values[150] = 9; /* is not looked at */
        ck_assert_double_eq_tol(interface_peak(values, 200, 50, 120), 0.7,
                                1e-6);
        ck_assert_double_eq(interface_peak(values, 200, 190, 150), 0);
        ck_assert_double_eq(interface_peak(values, 200, -20, -5), 0);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("steering");
    TCase *paths = tcase_create("paths"), *rest = tcase_create("the rest");
    tcase_add_checked_fixture(paths, start, stop);
    tcase_add_test(paths, a_path_has_its_length_and_keeps_no_point_twice);
    tcase_add_test(paths,
                   the_time_of_a_path_is_that_of_its_pieces_through_the_cells);
    tcase_add_test(paths,
                   the_time_of_a_crooked_path_is_that_of_a_million_small_steps);
    tcase_add_test(paths,
                   along_an_edge_the_faster_side_counts_and_walls_do_not);
    tcase_add_test(paths, hausdorff_is_the_farthest_point_s_distance);
    tcase_add_test(paths, hausdorff_is_that_of_all_pairs_of_points);
    tcase_add_test(paths, a_trace_follows_the_headings_and_ends_straight);
    tcase_add_test(paths, a_descent_goes_round_walls);
    tcase_add_test(rest, a_descent_takes_the_time_that_snell_s_law_allows);
    tcase_add_test(rest,
                   a_descent_bends_round_a_slow_block_without_a_step_into_it);
    tcase_add_test(rest, the_two_forms_laws_agree_with_continuity);
    tcase_add_test(rest, a_peak_is_found_between_the_cells);
    suite_add_tcase(suite, paths);
    suite_add_tcase(suite, rest);
    return suite_main(suite);
}
