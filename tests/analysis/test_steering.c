/* SPDX-License-Identifier: MIT */
#include "analysis/study/interface.h"
#include "analysis/study/polyline.h"
#include "analysis/study/trace.h"
#include "base/memory.h"
#include "base/random.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static struct grid grid;
static struct terrain terrain;
static struct polyline line, other;

static void start_on(int dims, int nx, int ny, int nz)
{
    ck_assert_int_eq(grid_make(dims, nx, ny, nz, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_prepare(&terrain, CHANGE_SPEED, NULL), STATUS_OK);
}

static void start(void)
{
    start_on(2, 40, 30, 1);
}

static void start_in_space(void)
{
    start_on(3, 20, 16, 12);
}

static void stop(void)
{
    polyline_release(&line);
    polyline_release(&other);
    terrain_release(&terrain);
}

static void change(enum terrain_change_kind kind, struct box box, double c)
{
    const struct terrain_change what = {
        .box = box,
        .kind = kind,
        .value = c,
    };
    terrain_apply(&terrain, &what);
}

static void speed(int x0, int y0, int x1, int y1, double c)
{
    change(CHANGE_SPEED, (struct box){ { x0, y0, 0 }, { x1, y1, 0 } }, c);
}

static void wall(int x0, int y0, int x1, int y1)
{
    change(CHANGE_WALL, (struct box){ { x0, y0, 0 }, { x1, y1, 0 } }, 0);
}

static void add_at(struct polyline *to, double x, double y, double z)
{
    const double at[GRID_AXES] = { x, y, z };
    polyline_add(to, at);
}

static void add(struct polyline *to, double x, double y)
{
    add_at(to, x, y, 0);
}

/* A random point of a box at 0. The order of the draws is not left to the
 * compiler, as it is among the arguments of a call. */
static void add_random(struct polyline *to, struct random *random,
                       const double extent[GRID_AXES])
{
    double at[GRID_AXES] = { 0 };
    for (int axis = GRID_AXES - 1; axis >= 0; axis--)
        if (extent[axis] > 0)
            at[axis] = extent[axis] * random_unit(random);
    polyline_add(to, at);
}

/* ---- paths ---- */

START_TEST(a_path_has_its_length_and_no_point_twice)
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
        /* The path back adds the same length. */
        add(&line, 2.3, 5);
        ck_assert_double_eq_tol(polyline_time(&line, &terrain),
                                2 * (7.2 + 25 + 11.3), 1e-12);
    }
END_TEST

/* The time of a path by small steps, and its time and length in each area. */
static double stepped_time(const struct polyline *path, int steps,
                           const int32_t *area, struct polyline_share *shares)
{
    double sum = 0;
    for (size_t i = 1; i < path->count; i++) {
        const double *a = path->points[i - 1], *b = path->points[i];
        double length = polyline_distance(a, b) / steps;
        for (int s = 0; s < steps; s++) {
            double at[GRID_AXES];
            for (int axis = 0; axis < GRID_AXES; axis++)
                at[axis] = a[axis] + (s + 0.5) / steps * (b[axis] - a[axis]);
            size_t cell = grid_nearest(&grid, at);
            sum += length / terrain.speed[cell];
            if (shares) {
                shares[area[cell]].time += length / terrain.speed[cell];
                shares[area[cell]].length += length;
            }
        }
    }
    return sum;
}

START_TEST(the_time_of_a_crooked_path_is_that_of_a_million_small_steps)
    {
        struct random random;
        random_seed(&random, 7);
        for (size_t i = 0; i < grid_cells(&grid); i++)
            terrain.speed[i] = 0.2 + 2 * random_unit(&random);
        for (int i = 0; i < 12; i++)
            add_random(&line, &random, (const double[]){ 39, 29, 0 });
        double sum = stepped_time(&line, 100000, NULL, NULL);
        ck_assert_double_eq_tol(polyline_time(&line, &terrain) / sum, 1, 1e-5);
    }
END_TEST

START_TEST(in_3d_time_and_length_in_each_area_are_those_of_small_steps)
    {
        enum { AREAS = 3 };
        struct random random;
        struct polyline_share shares[AREAS] = { 0 }, stepped[AREAS] = { 0 };
        int32_t *area = memory_new(grid_cells(&grid), sizeof *area);
        random_seed(&random, 8);
        for (size_t i = 0; i < grid_cells(&grid); i++) {
            terrain.speed[i] = 0.2 + 2 * random_unit(&random);
            area[i] = (int32_t)(AREAS * random_unit(&random));
        }
        for (int i = 0; i < 8; i++)
            add_random(&line, &random, (const double[]){ 19, 15, 11 });
        double sum = stepped_time(&line, 100000, area, stepped), time = 0;
        ck_assert_double_eq_tol(polyline_time(&line, &terrain) / sum, 1, 1e-5);
        polyline_add_shares(&line, &terrain, area, shares);
        for (int i = 0; i < AREAS; i++) {
            ck_assert_double_eq_tol(shares[i].time / stepped[i].time, 1, 1e-4);
            ck_assert_double_eq_tol(shares[i].length / stepped[i].length, 1,
                                    1e-4);
            time += shares[i].time;
        }
        ck_assert_double_eq_tol(time, polyline_time(&line, &terrain), 1e-9);
        memory_release(area);
    }
END_TEST

/* A slab across each axis in turn is crossed in the same time. */
START_TEST(all_axes_give_the_same)
    {
        for (int axis = 0; axis < GRID_AXES; axis++) {
            double from[GRID_AXES] = { 0 }, to[GRID_AXES] = { 0 };
            struct box slab = grid_box(&grid);
            slab.low[axis] = 3;
            slab.high[axis] = 6;
            change(CHANGE_SPEED, grid_box(&grid), 1);
            change(CHANGE_SPEED, slab, 0.4);
            to[axis] = 9;
            from[(axis + 1) % GRID_AXES] = 1;
            to[(axis + 2) % GRID_AXES] = 5;
            polyline_release(&line);
            add_at(&line, from[0], from[1], from[2]);
            add_at(&line, to[0], to[1], to[2]);
            ck_assert_double_eq_tol(polyline_time(&line, &terrain),
                                    sqrt(81 + 1 + 25) * (5 + 4 / .4) / 9,
                                    1e-12);
        }
    }
END_TEST

START_TEST(along_an_edge_in_3d_the_fastest_of_four_cells_counts)
    {
        change(CHANGE_SPEED, grid_box(&grid), 0.25);
        change(CHANGE_SPEED, (struct box){ { 0, 6, 6 }, { 19, 15, 11 } }, 0.5);
        add_at(&line, 3, 5.5, 5.5);
        add_at(&line, 13, 5.5, 5.5);
        ck_assert_double_eq_tol(polyline_time(&line, &terrain), 20, 1e-12);
        change(CHANGE_WALL, (struct box){ { 0, 6, 6 }, { 19, 15, 11 } }, 0);
        ck_assert_double_eq_tol(polyline_time(&line, &terrain), 40, 1e-12);
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

START_TEST(hausdorff_is_the_distance_of_the_farthest_point)
    {
        add(&line, 0, 0);
        add(&line, 20, 0);
        add(&other, 0, 3);
        add(&other, 10, 7.25);
        add(&other, 20, 3);
        ck_assert_double_eq_tol(polyline_hausdorff(&line, &other, 0.05), 7.25,
                                1e-12);
        ck_assert_double_eq(polyline_hausdorff(&line, &line, 0.05), 0);
        /* For a longer path the end has the maximum distance, in either
         * order. */
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
            const double extent[] = { 30, 30, _i ? 30 : 0 }; /* 2D, 3D */
            add_random(&line, &random, extent);
            add_random(&other, &random, extent);
        }
        enum { N = 600 };
        static double at[2][4 * N][GRID_AXES];
        const struct polyline *lines[2] = { &line, &other };
        for (int l = 0; l < 2; l++)
            for (int i = 0; i < 4 * N; i++)
                for (int axis = 0; axis < GRID_AXES; axis++) {
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
                    least =
                        fmin(least, polyline_distance(at[l][i], at[1 - l][j]));
                most = fmax(most, least);
            }
        /* The points of a segment of 52 cells are 52/599 apart. */
        ck_assert_double_eq_tol(polyline_hausdorff(&line, &other, 0.01), most,
                                0.05);
    }
END_TEST

/* ---- traces ---- */

START_TEST(a_trace_follows_the_headings_and_ends_straight)
    {
        double(*heading)[GRID_AXES] =
            memory_new(grid_cells(&grid), sizeof *heading);
        for (size_t i = 0; i < grid_cells(&grid); i++)
            heading[i][0] = -1;
        const double from[GRID_AXES] = { 30, 12 };
        const double source[GRID_AXES] = { 5, 10 };
        bool arrived;
        trace_follow(&terrain, (const double(*)[GRID_AXES])heading, from,
                     source, 25, &line, &arrived);
        ck_assert(arrived);
        /* West at y = 12 as far as x = 7 (√(2² + 2²) ≤ 3), then straight: from
         * the first point at a distance of at most 3. */
        double x = line.points[line.count - 2][0];
        ck_assert_double_le(hypot(x - 5, 2), 3);
        ck_assert_double_gt(hypot(x + 0.25 - 5, 2), 3);
        ck_assert_double_eq_tol(polyline_length(&line),
                                30 - x + hypot(x - 5, 2), 1e-12);
        /* A wall between: the trace continues, and does not arrive. */
        polyline_release(&line);
        wall(0, 11, 39, 11);
        trace_follow(&terrain, (const double(*)[GRID_AXES])heading, from,
                     source, 25, &line, &arrived);
        ck_assert(!arrived);
        /* No heading at the start: the trace stays there. */
        polyline_release(&line);
        heading[grid_index(&grid, 30, 12, 0)][0] = 0;
        trace_follow(&terrain, (const double(*)[GRID_AXES])heading, from,
                     source, 25, &line, &arrived);
        ck_assert(!arrived);
        ck_assert_uint_eq(line.count, 1);
        memory_release(heading);
    }
END_TEST

START_TEST(a_trace_in_3d_slides_along_a_wall_by_its_largest_component)
    {
        const double way[GRID_AXES] = { -0.6, -0.64, -0.48 };
        const double from[GRID_AXES] = { 16, 12, 10 };
        const double source[GRID_AXES] = { 2, 5, 1 };
        double(*heading)[GRID_AXES] =
            memory_new(grid_cells(&grid), sizeof *heading);
        bool arrived;
        for (size_t i = 0; i < grid_cells(&grid); i++)
            memcpy(heading[i], way, sizeof way);
        /* A wall directly below y = 12: of the blocked step first y is tried,
         * and fails, then x alone until x ends, then z alone. */
        change(CHANGE_WALL, (struct box){ { 0, 0, 2 }, { 19, 11, 11 } }, 0);
        trace_follow(&terrain, (const double(*)[GRID_AXES])heading, from,
                     source, 25, &line, &arrived);
        /* Down to y = 11.5, the wall's face, by whole steps. */
        const double *last = from;
        size_t i = 1;
        for (; line.points[i][1] < last[1]; i++) {
            for (int axis = 0; axis < GRID_AXES; axis++)
                ck_assert_double_eq_tol(line.points[i][axis] - last[axis],
                                        TRACE_STEP * way[axis], 1e-12);
            last = line.points[i];
        }
        ck_assert_double_lt(last[1] + TRACE_STEP * way[1], 11.5);
        for (; line.points[i][0] < last[0]; i++) {
            ck_assert_double_eq(line.points[i][1], last[1]);
            ck_assert_double_eq(line.points[i][2], last[2]);
            last = line.points[i];
        }
        ck_assert_double_eq(last[0], 0);
        memory_release(heading);
    }
END_TEST

START_TEST(the_length_of_a_trace_is_that_of_its_path)
    {
        double(*heading)[GRID_AXES] =
            memory_new(grid_cells(&grid), sizeof *heading);
        const double from[GRID_AXES] = { 17, 13, 9 };
        const double source[GRID_AXES] = { 2, 3, 1 };
        bool arrived;
        for (size_t i = 0; i < grid_cells(&grid); i++) {
            int at[GRID_AXES];
            grid_cell(&grid, i, at);
            const double here[GRID_AXES] = { at[0], at[1], at[2] };
            double distance = polyline_distance(here, source);
            for (int axis = 0; axis < GRID_AXES && distance > 0; axis++)
                heading[i][axis] = (source[axis] - here[axis]) / distance;
        }
        trace_follow(&terrain, (const double(*)[GRID_AXES])heading, from,
                     source, 25, &line, &arrived);
        ck_assert(arrived);
        double length =
            trace_length(&terrain, (const double(*)[GRID_AXES])heading,
                         grid_index(&grid, 2, 3, 1), from, 25);
        ck_assert_double_eq_tol(length, polyline_length(&line), 1e-12);
        ck_assert_double_eq_tol(length / polyline_distance(from, source), 1,
                                2e-3);
        memory_release(heading);
    }
END_TEST

/* trace_length() ends a path that returns to a place, trace_follow() does not:
 * both must agree whether it reaches the source. Headings along the axes and
 * diagonals, some of them turned away from the source, make closed loops. */
START_TEST(a_closed_path_does_not_arrive)
    {
        double(*heading)[GRID_AXES] =
            memory_new(grid_cells(&grid), sizeof *heading);
        const double source[GRID_AXES] = { 2, 3, 1 };
        struct random random;
        int home = 0, lost = 0;
        random_seed(&random, 12);
        for (int round = 0; round < 200; round++) {
            for (size_t i = 0; i < grid_cells(&grid); i++) {
                int at[GRID_AXES];
                grid_cell(&grid, i, at);
                for (int axis = 0; axis < GRID_AXES; axis++) {
                    double way = source[axis] - at[axis];
                    heading[i][axis] = (way > 0) - (way < 0);
                    if (random_below(&random, 8) == 0)
                        heading[i][axis] *= -1;
                }
            }
            const double from[GRID_AXES] = { 17 - round % 7, 13 - round % 5,
                                             9 - round % 3 };
            bool arrived;
            polyline_release(&line);
            trace_follow(&terrain, (const double(*)[GRID_AXES])heading, from,
                         source, 25, &line, &arrived);
            double length =
                trace_length(&terrain, (const double(*)[GRID_AXES])heading,
                             grid_index(&grid, 2, 3, 1), from, 25);
            ck_assert_int_eq(arrived, length >= 0);
            if (arrived)
                ck_assert_double_eq_tol(length, polyline_length(&line), 1e-12);
            home += arrived;
            lost += !arrived;
        }
        ck_assert_int_gt(home, 20);
        ck_assert_int_gt(lost, 20);
        memory_release(heading);
    }
END_TEST

/* ---- changes of speed ---- */

START_TEST(the_two_forms_laws_agree_with_continuity)
    {
        for (double c2 = 0.2; c2 < 3; c2 += 0.3) {
            const double c1 = 0.9;
            double r, t;
            /* 1 + R = T; slopes: (1 − R)/c1 = T/c2, times c² if c²∂z is
             * continuous. */
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
        values[150] = 9; /* is not used */
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
    TCase *space = tcase_create("paths in 3D");
    tcase_add_checked_fixture(paths, start, stop);
    tcase_add_test(paths, a_path_has_its_length_and_no_point_twice);
    tcase_add_test(paths,
                   the_time_of_a_path_is_that_of_its_pieces_through_the_cells);
    tcase_add_test(paths,
                   the_time_of_a_crooked_path_is_that_of_a_million_small_steps);
    tcase_add_test(paths,
                   along_an_edge_the_faster_side_counts_and_walls_do_not);
    tcase_add_test(paths, hausdorff_is_the_distance_of_the_farthest_point);
    tcase_add_loop_test(paths, hausdorff_is_that_of_all_pairs_of_points, 0, 2);
    tcase_add_test(paths, a_trace_follows_the_headings_and_ends_straight);
    tcase_add_checked_fixture(space, start_in_space, stop);
    tcase_add_test(space,
                   in_3d_time_and_length_in_each_area_are_those_of_small_steps);
    tcase_add_test(space, all_axes_give_the_same);
    tcase_add_test(space, along_an_edge_in_3d_the_fastest_of_four_cells_counts);
    tcase_add_test(space,
                   a_trace_in_3d_slides_along_a_wall_by_its_largest_component);
    tcase_add_test(space, the_length_of_a_trace_is_that_of_its_path);
    tcase_add_test(space, a_closed_path_does_not_arrive);
    tcase_add_test(rest, the_two_forms_laws_agree_with_continuity);
    tcase_add_test(rest, a_peak_is_found_between_the_cells);
    suite_add_tcase(suite, paths);
    suite_add_tcase(suite, space);
    suite_add_tcase(suite, rest);
    return suite_main(suite);
}
