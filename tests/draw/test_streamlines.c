/* SPDX-License-Identifier: MIT */
/* Streamlines of fields whose lines are known, and what all lines keep to. */
#include "tests/suite.h"

#include "base/random.h"
#include "draw/figure/streamlines.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { NX = 61, NY = 47, CELLS = NX * NY };

static double right[CELLS], down[CELLS];
static uint8_t wall[CELLS];
static const double centre[2] = { 30.3, 22.6 };
static const struct vectors vectors = {
    .right = right,
    .down = down,
    .wall = wall,
    .nx = NX,
    .ny = NY,
    .end_x = NX,
    .end_y = NY,
};
static struct streamlines lines;

/* Outwards from the centre, or clockwise round it on the picture. */
static void make_field(bool round)
{
    memset(wall, 0, sizeof wall);
    for (int i = 0; i < CELLS; i++) {
        double x = i % NX - centre[0], y = i / NX - centre[1];
        right[i] = round ? -y : x;
        down[i] = round ? x : y;
    }
}

/* Random waves, with walls and cells without a value. */
static void make_waves(uint64_t seed)
{
    struct random random;
    double wave[6][3];
    random_seed(&random, seed);
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 3; i++)
            wave[k][i] = random_unit(&random) - (i < 2 ? .5 : 0);
    for (int i = 0; i < CELLS; i++) {
        right[i] = down[i] = 0;
        for (int k = 0; k < 6; k++) {
            double phase =
                wave[k][0] * (i % NX) + wave[k][1] * (i / NX) + 6 * wave[k][2];
            right[i] += wave[k][0] * sin(phase);
            down[i] += wave[k][1] * cos(phase);
        }
        wall[i] = i % NX % 13 == 12 && i / NX % 9 < 7;
        if (random_unit(&random) < .01)
            right[i] = (double)NAN;
    }
}

static size_t end_of(size_t line)
{
    return line + 1 < lines.line_count ? lines.lines[line + 1] : lines.count;
}

static double off(const double at[2])
{
    return hypot(at[0] - centre[0], at[1] - centre[1]);
}

/* Between centres of cells: beyond the outermost ones no vector is linear. */
static bool is_inside(const double at[2])
{
    return at[0] >= 0 && at[0] <= NX - 1 && at[1] >= 0 && at[1] <= NY - 1;
}

START_TEST(the_lines_of_a_source_are_straight_from_it)
    {
        double nearest = INFINITY;
        make_field(false);
        streamlines_trace(&lines, &vectors, 5, .2);
        ck_assert_uint_gt(lines.line_count, 20);
        for (size_t k = 0; k < lines.line_count; k++) {
            const double *last = lines.points[end_of(k) - 1];
            const double *middle =
                lines.points[(lines.lines[k] + end_of(k)) / 2];
            for (size_t i = lines.lines[k]; i < end_of(k); i++) {
                const double *at = lines.points[i];
                double aside = ((at[0] - centre[0]) * (middle[1] - centre[1]) -
                                (at[1] - centre[1]) * (middle[0] - centre[0])) /
                               off(middle);
                if (is_inside(at) && is_inside(middle))
                    ck_assert_double_lt(fabs(aside), 1e-9);
                if (i > lines.lines[k])
                    ck_assert_double_gt(off(at), off(lines.points[i - 1]));
                nearest = fmin(nearest, off(at));
            }
            /* Outwards as far as the map goes. */
            ck_assert(last[0] < 0 || last[0] > NX - 1.3 || last[1] < 0 ||
                      last[1] > NY - 1.3);
        }
        ck_assert_double_lt(nearest, .5);
    }
END_TEST

START_TEST(the_lines_of_a_rotation_are_rings)
    {
        int rings = 0;
        make_field(true);
        streamlines_trace(&lines, &vectors, 5, .2);
        for (size_t k = 0; k < lines.line_count; k++) {
            const double *first = lines.points[lines.lines[k]];
            const double *last = lines.points[end_of(k) - 1];
            if (off(first) > NY - 1 - centre[1])
                continue; /* the map's edge cuts it */
            for (size_t i = lines.lines[k]; i < end_of(k); i++)
                ck_assert_double_eq_tol(off(lines.points[i]), off(first), 1e-4);
            ck_assert_double_eq(first[0], last[0]);
            ck_assert_double_eq(first[1], last[1]);
            rings++;
        }
        ck_assert_int_ge(rings, 4);
        ck_assert_int_le(rings, 9);
    }
END_TEST

static bool is_wall(double x, double y)
{
    int column = (int)floor(x + .5), row = (int)floor(y + .5);
    return column < 0 || column >= NX || row < 0 || row >= NY ||
           wall[row * NX + column];
}

START_TEST(no_line_enters_a_wall_or_a_cell_without_a_value)
    {
        make_waves(3 + (uint64_t)_i);
        streamlines_trace(&lines, &vectors, 1.5 + _i, .3);
        ck_assert_uint_gt(lines.line_count, 5);
        for (size_t k = 0; k < lines.line_count; k++)
            for (size_t i = lines.lines[k]; i < end_of(k); i++) {
                const double *at = lines.points[i];
                int x = (int)floor(at[0] + .5), y = (int)floor(at[1] + .5);
                ck_assert(isfinite(right[y * NX + x]));
                ck_assert(!is_wall(at[0], at[1]));
                for (int corner = 0; corner < 4; corner++) {
                    double cx = at[0] + (corner & 1 ? .29 : -.29);
                    double cy = at[1] + (corner / 2 ? .29 : -.29);
                    bool edge =
                        cx < -.5 || cx > NX - .5 || cy < -.5 || cy > NY - .5;
                    ck_assert(edge || !is_wall(cx, cy));
                }
                for (int part = 1; part < 32 && i > lines.lines[k]; part++) {
                    const double *from = lines.points[i - 1];
                    ck_assert(
                        !is_wall(from[0] + part / 32. * (at[0] - from[0]),
                                 from[1] + part / 32. * (at[1] - from[1])));
                }
            }
    }
END_TEST

/* In small steps along the straight line; a corner may be touched. */
static bool is_between(const double a[2], const double b[2])
{
    for (int part = 1; part < 200; part++)
        if (is_wall(a[0] + part / 200. * (b[0] - a[0]),
                    a[1] + part / 200. * (b[1] - a[1])))
            return true;
    return false;
}

START_TEST(lines_keep_half_their_distance_unless_a_wall_is_between)
    {
        const double apart = 2 + 1.5 * _i;
        int behind_walls = 0;
        make_waves(11 + (uint64_t)_i);
        if (_i == 0)
            make_field(false);
        streamlines_trace(&lines, &vectors, apart, .1);
        for (size_t k = 0; k < lines.line_count; k++)
            for (size_t i = lines.lines[k]; i < end_of(k); i++)
                for (size_t j = end_of(k); j < lines.count; j++) {
                    const double *a = lines.points[i], *b = lines.points[j];
                    if (hypot(a[0] - b[0], a[1] - b[1]) >= .5 * apart)
                        continue;
                    ck_assert(is_between(a, b));
                    behind_walls++;
                }
        if (_i == 3)
            ck_assert_int_gt(behind_walls, 0);
    }
END_TEST

/* Each free cell with a vector is near a line, or in a pocket too short for
 * one. */
START_TEST(lines_fill_the_plane)
    {
        make_field(_i);
        streamlines_trace(&lines, &vectors, 4, .2);
        for (int cell = 0; cell < CELLS; cell++) {
            double nearest = INFINITY;
            const double at[2] = { cell % NX, cell / NX };
            bool rim = at[0] < 3 || at[0] > NX - 4 || at[1] < 3 ||
                       at[1] > NY - 4 || off(at) < 3;
            for (size_t i = 0; i < lines.count; i++)
                nearest = fmin(nearest, hypot(at[0] - lines.points[i][0],
                                              at[1] - lines.points[i][1]));
            ck_assert(rim || nearest < 4);
        }
    }
END_TEST

START_TEST(lines_are_the_same_each_time_and_only_in_their_part)
    {
        struct vectors part = vectors;
        make_waves(5);
        streamlines_trace(&lines, &vectors, 3, .2);
        struct streamlines again = { 0 };
        streamlines_trace(&again, &vectors, 3, .2);
        ck_assert_uint_eq(lines.count, again.count);
        ck_assert_mem_eq(lines.points, again.points,
                         lines.count * sizeof *lines.points);
        part.left = 10, part.top = 20, part.end_x = 40, part.end_y = 33;
        streamlines_trace(&again, &part, 3, .2);
        ck_assert_uint_gt(again.line_count, 3);
        for (size_t i = 0; i < again.count; i++)
            ck_assert(again.points[i][0] >= 9.5 && again.points[i][0] < 39.5 &&
                      again.points[i][1] >= 19.5 && again.points[i][1] < 32.5);
        memset(right, 0, sizeof right);
        memset(down, 0, sizeof down);
        streamlines_trace(&again, &vectors, 3, .2);
        ck_assert_uint_eq(again.count, 0);
        streamlines_release(&again);
    }
END_TEST

static void finish(void)
{
    streamlines_release(&lines);
}

int main(void)
{
    Suite *suite = suite_create("streamlines");
    TCase *tcase = tcase_create("streamlines");
    tcase_add_checked_fixture(tcase, NULL, finish);
    tcase_add_test(tcase, the_lines_of_a_source_are_straight_from_it);
    tcase_add_test(tcase, the_lines_of_a_rotation_are_rings);
    tcase_add_loop_test(tcase, no_line_enters_a_wall_or_a_cell_without_a_value,
                        0, 5);
    tcase_add_loop_test(
        tcase, lines_keep_half_their_distance_unless_a_wall_is_between, 0, 5);
    tcase_add_loop_test(tcase, lines_fill_the_plane, 0, 2);
    tcase_add_test(tcase, lines_are_the_same_each_time_and_only_in_their_part);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
