/* SPDX-License-Identifier: MIT */
/* Shortest paths in 3D: prisms compared with closed forms, and marched paths
 * compared with the exact ones of prisms. */
#include "base/memory.h"
#include "tests/suite.h"
#include "view/marched.h"
#include "view/truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct terrain terrain;

static void make_map(int nx, int ny, int nz, bool solid)
{
    struct grid grid;
    ck_assert_int_eq(grid_make(3, nx, ny, nz, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    memset(terrain.wall, solid, grid_cells(&grid));
}

static size_t cell_at(const int at[GRID_AXES])
{
    return grid_index(&terrain.grid, at[0], at[1], at[2]);
}

static void put(const int low[GRID_AXES], const int high[GRID_AXES], bool wall)
{
    int at[GRID_AXES];
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++)
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++)
            for (at[0] = low[0]; at[0] <= high[0]; at[0]++)
                terrain.wall[cell_at(at)] = wall;
}

/* Coordinates (along, across, up) of an L whose arms are parallel to `along`
 * and `across`; the three rotations of the axes give each of them in turn. */
struct turned {
    int along, across, up;
};

static const struct turned turns[] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 } };

static void turn(const struct turned *t, int along, int across, int up,
                 int at[GRID_AXES])
{
    at[t->along] = along;
    at[t->across] = across;
    at[t->up] = up;
}

static void put_turned(const struct turned *t, const int low[GRID_AXES],
                       const int high[GRID_AXES], bool wall)
{
    int from[GRID_AXES], to[GRID_AXES];
    turn(t, low[0], low[1], low[2], from);
    turn(t, high[0], high[1], high[2], to);
    put(from, to, wall);
}

enum { LONG = 26, WIDE = 26, HIGH = 9 };

/* Both arms are 5 wide and 7 high; the inner corner is at (18.5, 7.5). */
static size_t make_l(const struct turned *t)
{
    int sides[GRID_AXES], source[GRID_AXES];
    turn(t, LONG, WIDE, HIGH, sides);
    make_map(sides[0], sides[1], sides[2], true);
    put_turned(t, (int[]){ 2, 3, 1 }, (int[]){ 23, 7, 7 }, false);
    put_turned(t, (int[]){ 19, 3, 1 }, (int[]){ 23, 23, 7 }, false);
    turn(t, 4, 4, 2, source);
    return cell_at(source);
}

/* The path from a cell to the source at (4, 4, 2): straight, or round the inner
 * corner and, unfolded there, straight; its length and the direction of its
 * next turn. */
static double path_of_l(double along, double across, double up, double unit[3])
{
    const double corner[2] = { 18.5, 7.5 };
    double to[2] = { 4 - along, 4 - across }, plane = hypot(to[0], to[1]);
    /* Does the line to the source pass below the corner? */
    double part = (corner[0] - along) / (4 - along);
    bool straight =
        along < corner[0] || across + part * (4 - across) <= corner[1];
    if (!straight) {
        to[0] = corner[0] - along;
        to[1] = corner[1] - across;
        plane = hypot(to[0], to[1]) + hypot(corner[0] - 4, corner[1] - 4);
    }
    double length = hypot(plane, 2 - up), first = hypot(to[0], to[1]);
    unit[0] = first > 0 ? to[0] / first * plane / length : 0;
    unit[1] = first > 0 ? to[1] / first * plane / length : 0;
    unit[2] = (2 - up) / length;
    return length;
}

START_TEST(in_a_duct_along_any_axis_paths_are_the_unfolded_ones)
    {
        for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
            const struct turned *t = &turns[i];
            struct truth truth;
            size_t source = make_l(t);
            int64_t counted = 0, reachable = 0;
            ck_assert_int_eq(truth_make(&truth, &terrain, source, NULL),
                             STATUS_OK);
            ck_assert_int_eq(truth.refined, 0);
            for (size_t cell = 0; cell < grid_cells(&terrain.grid); cell++) {
                int at[GRID_AXES];
                double unit[3];
                grid_cell(&terrain.grid, cell, at);
                double length =
                    path_of_l(at[t->along], at[t->across], at[t->up], unit);
                const double *toward = truth.toward[cell];
                if (terrain.wall[cell]) {
                    ck_assert(isinf(truth.distance[cell]));
                    continue;
                }
                ck_assert_double_eq_tol(truth.distance[cell], length, 1e-12);
                reachable += length > TRUTH_NEAR;
                if (toward[0] == 0 && toward[1] == 0 && toward[2] == 0)
                    continue;
                counted++;
                ck_assert_double_eq_tol(toward[t->along], unit[0], 1e-12);
                ck_assert_double_eq_tol(toward[t->across], unit[1], 1e-12);
                ck_assert_double_eq_tol(toward[t->up], unit[2], 1e-12);
            }
            ck_assert_int_eq(truth.counted, counted);
            ck_assert_int_eq(truth.reachable, reachable);
            ck_assert_int_gt(counted, reachable - 60); /* those behind the
                                                        * edge */
            truth_release(&truth);
            terrain_release(&terrain);
        }
    }
END_TEST

START_TEST(without_walls_every_far_cell_has_a_heading_to_the_source)
    {
        struct truth truth;
        make_map(15, 13, 11, false);
        const int home[GRID_AXES] = { 4, 6, 3 };
        ck_assert_int_eq(truth_make(&truth, &terrain, cell_at(home), NULL),
                         STATUS_OK);
        for (size_t cell = 0; cell < grid_cells(&terrain.grid); cell++) {
            int at[GRID_AXES];
            grid_cell(&terrain.grid, cell, at);
            double d = sqrt(pow(home[0] - at[0], 2) + pow(home[1] - at[1], 2) +
                            pow(home[2] - at[2], 2));
            ck_assert_double_eq_tol(truth.distance[cell], d, 1e-12);
            for (int axis = 0; axis < GRID_AXES; axis++)
                ck_assert_double_eq_tol(
                    truth.toward[cell][axis],
                    d > TRUTH_NEAR ? (home[axis] - at[axis]) / d : 0, 1e-12);
        }
        truth_release(&truth);
        terrain_release(&terrain);
    }
END_TEST

/* ---- marched paths ---- */

static double angle_of(const double a[3], const double b[3])
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    double z = a[0] * b[1] - a[1] * b[0];
    return atan2(sqrt(x * x + y * y + z * z),
                 a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/* The marched paths of a prism, compared with its exact ones. */
struct comparison {
    int64_t compared, above; /* cells; errors above their estimate */
    int64_t alone;           /* counted by only one of the two rules */
    int64_t out_of_sight, exact_counted;
    double squares, farthest; /* of headings; of distances */
};

static void compare(size_t source, struct comparison *c)
{
    struct truth truth;
    struct marched marched;
    *c = (struct comparison){ 0 };
    ck_assert_int_eq(truth_make(&truth, &terrain, source, NULL), STATUS_OK);
    ck_assert_int_eq(truth.refined, 0);
    ck_assert_int_eq(marched_make(&marched, &terrain, source, NULL), STATUS_OK);
    ck_assert_int_eq(marched.refined, 5);
    c->exact_counted = truth.counted;
    for (size_t i = 0; i < grid_cells(&terrain.grid); i++) {
        const double *exact = truth.toward[i];
        double length = marched.distance[i];
        ck_assert(isinf(length) == isinf(truth.distance[i]));
        if (isinf(length) || truth.distance[i] <= TRUTH_NEAR)
            continue;
        bool counts = !marched_near_edge(&marched, i, TRUTH_CORNER) &&
                      !marched_on_cut(&marched, i, TRUTH_CUT);
        bool exact_counts = exact[0] != 0 || exact[1] != 0 || exact[2] != 0;
        c->alone += counts != exact_counts;
        c->farthest = fmax(c->farthest, fabs(length - truth.distance[i]));
        if (!counts || !exact_counts || marched.error[i] > TRUTH_ERROR)
            continue;
        double error = angle_of(marched.heading[i], exact);
        if (!(marched.error[i] > 0)) {
            ck_assert_double_le(error, 1e-12); /* in sight */
            continue;
        }
        ck_assert_double_le(error, TRUTH_ERROR);
        c->out_of_sight++;
        c->above += error > marched.error[i];
        c->squares += error * error;
    }
    marched_release(&marched);
    truth_release(&truth);
}

START_TEST(marched_paths_round_an_edge_are_the_exact_ones)
    {
        for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
            struct comparison c;
            compare(make_l(&turns[i]), &c);
            ck_assert_int_gt(c.out_of_sight, 300);
            ck_assert_double_le(sqrt(c.squares / (double)c.out_of_sight),
                                .4 / 57.29577951308232);
            ck_assert_double_le((double)c.above, .05 * (double)c.out_of_sight);
            ck_assert_double_le(c.farthest, .02);
            ck_assert_int_le(c.alone, c.exact_counted / 100);
            terrain_release(&terrain);
        }
    }
END_TEST

/* A pillar from floor to ceiling next to the source: behind it two paths have
 * equal length. */
START_TEST(cells_with_two_shortest_marched_paths_do_not_count)
    {
        struct comparison c;
        struct marched marched;
        make_map(31, 25, 7, false);
        put((int[]){ 10, 8, 0 }, (int[]){ 13, 16, 6 }, true);
        size_t source = cell_at((int[]){ 5, 12, 3 });
        compare(source, &c);
        ck_assert_int_gt(c.out_of_sight, 300);
        ck_assert_int_le(c.alone, c.exact_counted / 33);
        ck_assert_int_eq(marched_make(&marched, &terrain, source, NULL),
                         STATUS_OK);
        for (int z = 0; z < 7; z++)
            for (int x = 14; x < 31; x++) {
                ck_assert(marched_on_cut(&marched, cell_at((int[]){ x, 12, z }),
                                         TRUTH_CUT));
                ck_assert(!marched_on_cut(
                    &marched, cell_at((int[]){ x, 20, z }), TRUTH_CUT));
            }
        marched_release(&marched);
        terrain_release(&terrain);
    }
END_TEST

/* A block on the floor of a room: not a prism. Over its top the path is as
 * round any edge, here along y; the block is too long for a path round its
 * ends. */
START_TEST(over_a_block_paths_are_marched_and_estimated)
    {
        struct truth truth;
        make_map(24, 41, 16, false);
        put((int[]){ 8, 1, 6 }, (int[]){ 11, 39, 15 }, true);
        const double home[3] = { 3, 20, 12 };
        ck_assert_int_eq(
            truth_make(&truth, &terrain, cell_at((int[]){ 3, 20, 12 }), NULL),
            STATUS_OK);
        ck_assert_int_eq(truth.refined, 5);
        int64_t behind = 0;
        double squares = 0;
        for (int z = 8; z < 16; z++)
            for (int y = 14; y < 27; y++)
                for (int x = 15; x < 22; x++) {
                    /* over (7.5, 5.5) and (11.5, 5.5) in x and z */
                    double first = hypot(11.5 - x, 5.5 - z);
                    double plane =
                        first + 4 + hypot(7.5 - home[0], 5.5 - home[2]);
                    double length = hypot(plane, home[1] - y);
                    const double unit[3] = {
                        (11.5 - x) / first * plane / length,
                        (home[1] - y) / length,
                        (5.5 - z) / first * plane / length
                    };
                    size_t cell = cell_at((int[]){ x, y, z });
                    const double *toward = truth.toward[cell];
                    ck_assert_double_eq_tol(truth.distance[cell], length, .02);
                    if (toward[0] == 0 && toward[1] == 0 && toward[2] == 0)
                        continue;
                    double error = angle_of(toward, unit);
                    ck_assert_double_le(error, TRUTH_ERROR);
                    squares += error * error;
                    behind++;
                }
        ck_assert_int_gt(behind, 500);
        ck_assert_double_le(squares / (double)behind,
                            truth.error_squares / (double)truth.marched);
        ck_assert_int_gt(truth.counted, truth.marched);
        ck_assert_int_ge(truth.reachable, truth.counted + truth.unsure);
        truth_release(&truth);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(less_memory_gives_coarser_grids_and_too_little_is_rejected)
    {
        struct truth truth;
        struct error error;
        const struct turned *t = &turns[0];
        size_t source = make_l(t);
        terrain.wall[source + 1] = 1; /* not a prism any more */
        /* In a box of 22 x 21 x 7 they take 8.9 and 2.0 MB, the rest .7. */
        memory_limit(6000000);
        ck_assert_int_eq(truth_make(&truth, &terrain, source, &error),
                         STATUS_OK);
        ck_assert_int_eq(truth.refined, 3);
        truth_release(&truth);
        memory_limit(2000000);
        ck_assert_int_eq(truth_make(&truth, &terrain, source, &error),
                         STATUS_INPUT);
        ck_assert_msg(strstr(error.message, "--memory") != NULL, "%s",
                      error.message);
        truth_release(&truth);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_source_in_a_wall_has_no_paths)
    {
        struct truth truth;
        make_l(&turns[0]);
        ck_assert_int_eq(
            truth_make(&truth, &terrain, cell_at((int[]){ 0, 0, 0 }), NULL),
            STATUS_OK);
        ck_assert_int_eq(truth.reachable, 0);
        ck_assert_int_eq(truth.counted, 0);
        truth_release(&truth);
        terrain_release(&terrain);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("truth");
    TCase *prisms = tcase_create("prisms");
    tcase_add_test(prisms,
                   in_a_duct_along_any_axis_paths_are_the_unfolded_ones);
    tcase_add_test(prisms,
                   without_walls_every_far_cell_has_a_heading_to_the_source);
    tcase_add_test(prisms, a_source_in_a_wall_has_no_paths);
    suite_add_tcase(suite, prisms);
    TCase *marches = tcase_create("marched");
    tcase_add_test(marches, marched_paths_round_an_edge_are_the_exact_ones);
    tcase_add_test(marches, cells_with_two_shortest_marched_paths_do_not_count);
    tcase_add_test(marches, over_a_block_paths_are_marched_and_estimated);
    tcase_add_test(marches,
                   less_memory_gives_coarser_grids_and_too_little_is_rejected);
    suite_add_tcase(suite, marches);
    return suite_main(suite);
}
