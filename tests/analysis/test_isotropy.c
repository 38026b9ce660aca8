/* SPDX-License-Identifier: MIT */
/* The measures of hamon-isotropy on fronts given by formula, and the table that
 * prints them. */
#include "analysis/study/dispersion.h"
#include "analysis/study/isotropy.h"
#include "cli/table.h"
#include "view/front.h"

#include "base/memory.h"
#include "run/run.h"
#include "search/moves.h"
#include "tests/suite.h"
#include "view/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 121, CENTRE = SIDE / 2 };

static struct terrain terrain;
static double times[SIDE * SIDE];
static double headings[SIDE * SIDE][GRID_AXES];
static struct isotropy front;

static void make_field(void)
{
    struct grid grid;
    ck_assert_int_eq(grid_make(2, SIDE, SIDE, 1, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    front = (struct isotropy){
        .terrain = &terrain,
        .source = grid_index(&grid, CENTRE, CENTRE, 0),
        .time = times,
        .heading = (const double(*)[GRID_AXES])headings,
    };
}

static void drop_field(void)
{
    terrain_release(&terrain);
}

/* A front that starts late and has travelled r(1 + ripple·cos 4φ) cells;
 * headings are turned by `turned` radians from the direction to the source. */
static void run_front(double late, double ripple, double turned)
{
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        double x = (double)(i % SIDE) - CENTRE;
        double y = CENTRE - (double)(i / SIDE), r = hypot(x, y);
        double angle = atan2(y, x), home = angle + acos(-1) + turned;
        times[i] = late + (r - 50 * ripple * cos(4 * angle)) / 0.5;
        headings[i][0] = cos(home);
        headings[i][1] = -sin(home);
    }
}

START_TEST(a_round_front_is_round_however_late_it_starts)
    {
        struct ring ring;
        for (double late = 0; late < 100; late += 33) {
            run_front(late, 0, 0);
            ck_assert(isotropy_ring(&front, 40, &ring));
            ck_assert_double_lt(ring.anisotropy, 1e-12);
            ck_assert_double_lt(ring.worst, 1e-12);
            ck_assert_double_eq_tol(ring.mean_time, late + 2 * ring.mean, 1e-9);
        }
    }
END_TEST

START_TEST(a_rippled_front_has_its_ripple_as_anisotropy)
    {
        struct ring ring;
        run_front(10, 0.02, 0);
        ck_assert(isotropy_ring(&front, 50, &ring));
        /* ±1 cell of 50; the axes and the diagonals are in the ring. */
        ck_assert_double_eq_tol(ring.high - ring.low, 2, 1e-3);
        ck_assert_double_eq_tol(ring.anisotropy, 0.04, 2e-4);
    }
END_TEST

START_TEST(a_turned_heading_is_off_by_its_turn)
    {
        struct ring ring;
        for (int i = -3; i <= 3; i++) {
            run_front(0, 0, i);
            ck_assert(isotropy_ring(&front, 30, &ring));
            ck_assert_double_eq_tol(ring.rms, abs(i), 1e-9);
            ck_assert_double_eq_tol(isotropy_worst(&front, 30), abs(i), 1e-9);
        }
    }
END_TEST

START_TEST(angles_have_the_values_of_their_cells)
    {
        double rho[ISOTROPY_BINS], error[ISOTROPY_BINS];
        struct ring ring;
        run_front(10, 0.02, 0.25);
        ck_assert(isotropy_ring(&front, 50, &ring));
        ck_assert(
            isotropy_angles(&front, &isotropy_sections[0], 50, rho, error));
        for (int b = 0; b < ISOTROPY_BINS; b++) {
            double angle = b * 2 * acos(-1) / ISOTROPY_BINS;
            /* a bin is ±1 degree wide: 1·4·.0175 */
            ck_assert_double_eq_tol(rho[b], ring.mean + cos(4 * angle), 0.075);
            ck_assert_double_eq_tol(error[b], 0.25, 1e-9);
        }
    }
END_TEST

/* All cells are tested, although the ring has only cells near it. */
START_TEST(a_ring_has_the_cells_that_are_near_it_and_no_others)
    {
        static const int sources[][2] = { { CENTRE, CENTRE },
                                          { 3, 70 },
                                          { 120, 0 } };
        run_front(10, 0.02, 0.25);
        front.proportional = true; /* not a front of the other sources */
        for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
            for (double radius = 0; radius < 90; radius += 0.75) {
                struct ring ring;
                size_t cells = 0;
                double sum = 0;
                front.source =
                    grid_index(&terrain.grid, sources[s][0], sources[s][1], 0);
                for (size_t i = 0; i < SIDE * SIDE; i++) {
                    double x = (double)(i % SIDE) - sources[s][0];
                    double y = (double)(i / SIDE) - sources[s][1];
                    if (fabs(hypot(x, y) - radius) > 1)
                        continue;
                    cells++;
                    sum += times[i];
                }
                ck_assert(isotropy_ring(&front, radius, &ring) == (cells > 0));
                ck_assert_uint_eq(ring.cells, cells);
                if (cells)
                    ck_assert_double_eq(ring.mean_time, sum / (double)cells);
            }
    }
END_TEST

START_TEST(a_ring_that_is_not_reached_is_no_ring)
    {
        struct ring ring;
        run_front(0, 0, 0);
        ck_assert_int_eq(isotropy_reach(&front, 0), CENTRE - 1);
        ck_assert_int_eq(isotropy_reach(&front, 4), CENTRE - 5);
        times[grid_index(&terrain.grid, CENTRE + 30, CENTRE, 0)] = INFINITY;
        ck_assert(!isotropy_ring(&front, 30, &ring));
        ck_assert(!isotropy_ring(&front, 31, &ring));
        ck_assert(isotropy_ring(&front, 32, &ring));
        ck_assert_int_eq(isotropy_reach(&front, 0), 28);
        ck_assert_int_eq(isotropy_reach(&front, 4), 28); /* the edge is far */
        terrain.wall[grid_index(&terrain.grid, CENTRE, CENTRE - 10, 0)] = 1;
        ck_assert_int_eq(isotropy_reach(&front, 0), 8);
    }
END_TEST

/* T = |x| + |y| is linear between cells: the front is a diamond, whose corners
 * are .27 of the ring's radius beyond it. */
START_TEST(a_front_is_measured_where_it_is_and_must_be_on_the_map)
    {
        struct ring ring, share;
        ck_assert_int_eq(
            isotropy_lee(&terrain, front.source, 4, times, headings, NULL),
            STATUS_OK);
        int reach = isotropy_reach(&front, 0);
        ck_assert_int_eq(reach, 47);
        ck_assert(isotropy_ring(&front, reach, &ring));
        front.proportional = true;
        ck_assert_int_eq(isotropy_reach(&front, 0), CENTRE - 1);
        ck_assert(isotropy_ring(&front, reach, &share));
        ck_assert_double_eq_tol(ring.high, ring.mean_time, 1e-12);
        ck_assert_double_eq_tol(ring.low, ring.mean_time / sqrt(2), 1e-12);
        ck_assert_double_eq_tol(ring.high, share.high, 1e-12);
        ck_assert_double_eq_tol(ring.low, share.low, 1e-12);
    }
END_TEST

/* The ring of Lee's diamond, by its own formula, beside the measured one. */
START_TEST(lee_4_is_a_diamond)
    {
        struct ring ring;
        double low = INFINITY, high = 0, sum = 0, count = 0;
        ck_assert_int_eq(
            isotropy_lee(&terrain, front.source, 4, times, headings, NULL),
            STATUS_OK);
        front.proportional = true;
        for (int y = -CENTRE; y <= CENTRE; y++)
            for (int x = -CENTRE; x <= CENTRE; x++) {
                double share = hypot(x, y) / (abs(x) + abs(y));
                ck_assert_double_eq(times[(y + CENTRE) * SIDE + x + CENTRE],
                                    abs(x) + abs(y));
                if (fabs(hypot(x, y) - 50) > 1)
                    continue;
                low = fmin(low, share);
                high = fmax(high, share);
                sum += share;
                count++;
            }
        ck_assert(isotropy_ring(&front, 50, &ring));
        ck_assert_double_eq_tol(ring.anisotropy, (high - low) / (sum / count),
                                1e-12);
        ck_assert_double_eq_tol(ring.anisotropy, 0.369, 0.01);
        /* Diagonal moves first: uniform in ±45 degrees, RMS 45/√3. */
        ck_assert_double_eq_tol(ring.rms * 180 / acos(-1), 45 / sqrt(3), 1.5);
    }
END_TEST

START_TEST(lee_8_is_a_square)
    {
        struct ring ring;
        ck_assert_int_eq(
            isotropy_lee(&terrain, front.source, 8, times, headings, NULL),
            STATUS_OK);
        front.proportional = true;
        for (int y = -CENTRE; y <= CENTRE; y++)
            for (int x = -CENTRE; x <= CENTRE; x++)
                ck_assert_double_eq(times[(y + CENTRE) * SIDE + x + CENTRE],
                                    fmax(abs(x), abs(y)));
        ck_assert(isotropy_ring(&front, 50, &ring));
        ck_assert_double_eq_tol(ring.low / ring.high, 1 / sqrt(2), 0.01);
    }
END_TEST

/* ---- shells ---- */

enum { EDGE = 61, MIDDLE = EDGE / 2, VOLUME = EDGE * EDGE * EDGE };

static double
    lean; /* of the bump; 1: not symmetric, so that every axis matters */
static double shell_times[VOLUME], shell_headings[VOLUME][GRID_AXES];

static void make_space(void)
{
    struct grid grid;
    ck_assert_int_eq(grid_make(3, EDGE, EDGE, EDGE, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    front = (struct isotropy){
        .terrain = &terrain,
        .source = grid_index(&grid, MIDDLE, MIDDLE, MIDDLE),
        .time = shell_times,
        .heading = (const double(*)[GRID_AXES])shell_headings,
    };
    lean = 1;
}

/* Seen from the middle: y to the north, z up. */
static double seen_from_middle(size_t cell, double offset[GRID_AXES])
{
    int at[GRID_AXES];
    grid_cell(&terrain.grid, cell, at);
    offset[0] = at[0] - MIDDLE;
    offset[1] = MIDDLE - at[1];
    offset[2] = MIDDLE - at[2];
    return sqrt(offset[0] * offset[0] + offset[1] * offset[1] +
                offset[2] * offset[2]);
}

static double bump(const double d[GRID_AXES])
{
    double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double x = d[0] / r, y = d[1] / r, z = d[2] / r;
    return x * x * x * x + y * y * y * y + z * z * z * z +
           lean * (.2 * x + .3 * y + .4 * z);
}

enum { SHELL = 25 };

/* A front that starts late and whose radius is increased by `ripple` cells
 * times the bump; headings are turned from the direction to the source. */
static void run_shell(double late, double ripple, double turned)
{
    for (size_t i = 0; i < VOLUME; i++) {
        double d[GRID_AXES], r = seen_from_middle(i, d);
        double flat = hypot(d[0], d[1]);
        /* A unit vector across d, in rows and layers counted downwards. */
        const double across[GRID_AXES] = { flat > 0 ? -d[1] / flat : 1,
                                           flat > 0 ? -d[0] / flat : 0, 0 };
        shell_times[i] = late + (r - (r > 0 ? ripple * bump(d) : 0)) / 0.5;
        for (int axis = 0; axis < GRID_AXES && r > 0; axis++)
            shell_headings[i][axis] =
                cos(turned) * (axis ? d[axis] : -d[axis]) / r +
                sin(turned) * across[axis];
    }
}

START_TEST(a_round_shell_is_round_and_a_turned_heading_off_by_its_turn)
    {
        struct ring ring;
        for (int i = 0; i <= 3; i++) {
            run_shell(33 * i, 0, i);
            ck_assert(isotropy_ring(&front, SHELL, &ring));
            ck_assert_double_lt(ring.anisotropy, 1e-12);
            ck_assert_double_eq_tol(ring.rms, i, 1e-9);
            ck_assert_double_eq_tol(isotropy_worst(&front, SHELL), i, 1e-9);
            for (int axis = 0; axis < GRID_AXES; axis++)
                ck_assert_double_eq_tol(ring.along[axis], ring.mean, 1e-9);
        }
    }
END_TEST

START_TEST(a_shell_has_its_radius_along_axes_and_diagonals)
    {
        struct ring ring;
        run_shell(10, .5, 0);
        ck_assert(isotropy_ring(&front, SHELL, &ring));
        /* x⁴ + y⁴ + z⁴ is 1, 1/2 and 1/3; the other terms cancel between
         * opposite ends. */
        ck_assert_double_eq_tol(ring.along[0] - ring.along[1], .25, 1e-9);
        ck_assert_double_eq_tol(ring.along[0] - ring.along[2], .5 * 2 / 3,
                                1e-9);
        /* Now the extremes are along axes and diagonals, so lines through cells
         * have them. */
        lean = 0;
        run_shell(10, .5, 0);
        ck_assert(isotropy_ring(&front, SHELL, &ring));
        ck_assert_double_eq_tol(ring.high - ring.low, .5 * 2 / 3, 1e-9);
        ck_assert_double_eq_tol(ring.anisotropy * ring.mean, .5 * 2 / 3, 1e-9);
        ck_assert_double_eq_tol(ring.high, ring.along[0], 1e-9);
        ck_assert_double_eq_tol(ring.low, ring.along[2], 1e-9);
    }
END_TEST

START_TEST(sections_have_the_values_of_their_directions)
    {
        double rho[ISOTROPY_BINS], error[ISOTROPY_BINS];
        struct ring ring;
        run_shell(10, .5, .25);
        ck_assert(isotropy_ring(&front, SHELL, &ring));
        /* The time at which the shell's mean is measured. */
        double base = ring.along[0] - .5;
        for (int s = 0; s < ISOTROPY_SECTIONS; s++) {
            const struct isotropy_section *section = &isotropy_sections[s];
            ck_assert(isotropy_angles(&front, section, SHELL, rho, error));
            for (int b = 0; b < ISOTROPY_BINS; b++) {
                double angle = b * 2 * acos(-1) / ISOTROPY_BINS;
                double d[GRID_AXES], right = 0;
                for (int axis = 0; axis < GRID_AXES; axis++)
                    right += abs(section->right[axis]);
                for (int axis = 0; axis < GRID_AXES; axis++)
                    d[axis] = cos(angle) * section->right[axis] / sqrt(right) +
                              sin(angle) * section->up[axis];
                /* A bin and the slab are 3 degrees wide: .05·.5·2 */
                ck_assert_double_eq_tol(rho[b], base + .5 * bump(d), .06);
                ck_assert_double_eq_tol(error[b], .25, 1e-9);
            }
        }
    }
END_TEST

START_TEST(hammer_s_map_keeps_areas_and_has_east_in_the_middle)
    {
        const double pi = acos(-1), h = 1e-5;
        for (double lat = -1.4; lat < 1.5; lat += .2)
            for (double lon = -3; lon < 3.1; lon += .25) {
                double at[4][2];
                for (int i = 0; i < 4; i++) {
                    double f = lat + (i == 0 ? h : i == 1 ? -h : 0);
                    double l = lon + (i == 2 ? h : i == 3 ? -h : 0);
                    isotropy_hammer((double[]){ 7 * cos(f) * cos(l),
                                                7 * cos(f) * sin(l),
                                                7 * sin(f) },
                                    at[i]);
                }
                double area = (at[2][0] - at[3][0]) * (at[0][1] - at[1][1]) -
                              (at[0][0] - at[1][0]) * (at[2][1] - at[3][1]);
                ck_assert_double_eq_tol(area / (4 * h * h), cos(lat), 1e-5);
            }
        double at[2];
        isotropy_hammer((double[]){ 1, 0, 0 }, at);
        ck_assert(at[0] == 0 && at[1] == 0);
        isotropy_hammer((double[]){ 0, 0, 5 }, at);
        ck_assert_double_eq_tol(at[1], sqrt(2), 1e-15);
        isotropy_hammer((double[]){ 0, 3, 0 }, at);
        ck_assert_double_eq_tol(
            at[0], 2 * sqrt(2 / (1 + cos(pi / 4))) * sin(pi / 4), 1e-15);
        isotropy_hammer((double[]){ -1, 0, 0 }, at);
        ck_assert_double_eq_tol(at[0], 2 * sqrt(2), 1e-15);
    }
END_TEST

START_TEST(the_sphere_has_the_values_of_its_directions)
    {
        struct ring ring;
        run_shell(10, .5, 0);
        ck_assert(isotropy_ring(&front, SHELL, &ring));
        int columns = isotropy_columns(ring.cells), counted = 0;
        ck_assert_int_eq(columns, 70); /* √(4π·25²·2 / π) = 70.7 */
        ck_assert_int_eq(isotropy_columns(1), 16);
        ck_assert_int_eq(isotropy_columns(1000000), 120);
        double *rho = memory_new((size_t)(columns * columns / 2), sizeof *rho);
        ck_assert(isotropy_sphere(&front, SHELL, columns, rho));
        for (size_t i = 0; i < VOLUME; i++) {
            double d[GRID_AXES], r = seen_from_middle(i, d), at[2];
            if (fabs(r - SHELL) > 1)
                continue;
            isotropy_hammer(d, at);
            int x = (int)floor((at[0] / sqrt(32) + .5) * columns);
            int y = (int)floor((at[1] / sqrt(8) + .5) * columns / 2);
            x = x < columns ? x : columns - 1;
            y = y < columns / 2 ? y : columns / 2 - 1;
            /* The bins at the rim are long and narrow. */
            ck_assert_double_eq_tol(rho[y * columns + x],
                                    ring.along[0] - .5 + .5 * bump(d), .15);
            counted++;
        }
        ck_assert_int_eq(counted, (int)ring.cells);
        shell_times[grid_index(&terrain.grid, MIDDLE, MIDDLE, 5)] = INFINITY;
        ck_assert(!isotropy_sphere(&front, SHELL, columns, rho));
        memory_release(rho);
    }
END_TEST

/* All cells are tested, although the shell has only cells near it. */
START_TEST(a_shell_has_the_cells_that_are_near_it_and_no_others)
    {
        static const int sources[][GRID_AXES] = { { MIDDLE, MIDDLE, MIDDLE },
                                                  { 3, 40, 60 },
                                                  { 60, 0, 1 } };
        run_shell(10, .5, 0);
        front.proportional = true; /* not a front of the other sources */
        for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
            for (double radius = 0; radius < 55; radius += 7.75) {
                struct ring ring;
                size_t cells = 0;
                double sum = 0;
                front.source = grid_index(&terrain.grid, sources[s][0],
                                          sources[s][1], sources[s][2]);
                for (size_t i = 0; i < VOLUME; i++) {
                    int at[GRID_AXES], square = 0;
                    grid_cell(&terrain.grid, i, at);
                    for (int axis = 0; axis < GRID_AXES; axis++)
                        square += (at[axis] - sources[s][axis]) *
                                  (at[axis] - sources[s][axis]);
                    if (fabs(sqrt(square) - radius) > 1)
                        continue;
                    cells++;
                    sum += shell_times[i];
                }
                ck_assert(isotropy_ring(&front, radius, &ring) == (cells > 0));
                ck_assert_uint_eq(ring.cells, cells);
                if (cells)
                    ck_assert_double_eq(ring.mean_time, sum / (double)cells);
            }
    }
END_TEST

START_TEST(a_shell_reaches_as_far_as_layers_and_walls_let_it)
    {
        run_shell(0, 0, 0);
        ck_assert_int_eq(isotropy_reach(&front, 0), MIDDLE - 1);
        ck_assert_int_eq(isotropy_reach(&front, 4), MIDDLE - 5);
        front.source = grid_index(&terrain.grid, MIDDLE, MIDDLE, 9);
        front.proportional = true; /* not a front of this source */
        ck_assert_int_eq(isotropy_reach(&front, 0), 8);
        front.source = grid_index(&terrain.grid, MIDDLE, MIDDLE, MIDDLE);
        front.proportional = false;
        terrain.wall[grid_index(&terrain.grid, MIDDLE, MIDDLE, 10)] = 1;
        ck_assert_int_eq(isotropy_reach(&front, 0), 18);
    }
END_TEST

/* The breadth-first search itself, over moves along one axis or two. */
static void spread_18(double *time)
{
    bool grown = true;
    for (size_t i = 0; i < VOLUME; i++)
        time[i] = i == front.source ? 0 : INFINITY;
    for (int age = 0; grown; age++) {
        grown = false;
        for (size_t i = 0; i < VOLUME; i++) {
            int at[GRID_AXES];
            if (time[i] < age || time[i] > age)
                continue;
            grid_cell(&terrain.grid, i, at);
            for (int d = 0; d < MOVES_3D; d++) {
                const int *step = moves_3d[d].step;
                int x = at[0] + step[0], y = at[1] + step[1];
                int z = at[2] + step[2];
                if (moves_3d[d].axes > 2 || !grid_holds(&terrain.grid, x, y, z))
                    continue;
                double *there = &time[grid_index(&terrain.grid, x, y, z)];
                if (isinf(*there)) {
                    *there = age + 1;
                    grown = true;
                }
            }
        }
    }
}

START_TEST(lee_over_6_is_an_octahedron_and_over_26_a_cube)
    {
        static const int moves[] = { 6, 18, 26 };
        static double searched[VOLUME];
        struct ring ring;
        front.proportional = true;
        spread_18(searched);
        for (int m = 0; m < 3; m++) {
            ck_assert_int_eq(isotropy_lee(&terrain, front.source, moves[m],
                                          shell_times, shell_headings, NULL),
                             STATUS_OK);
            for (size_t i = 0; i < VOLUME; i++) {
                double d[GRID_AXES], r = seen_from_middle(i, d), length = 0;
                double sum = fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
                double most = fmax(fabs(d[0]), fmax(fabs(d[1]), fabs(d[2])));
                double steps = m == 0   ? sum
                               : m == 1 ? fmax(most, ceil(sum / 2))
                                        : most;
                ck_assert_double_eq(shell_times[i], steps);
                ck_assert(m != 1 || searched[i] == steps);
                for (int axis = 0; axis < GRID_AXES; axis++)
                    length = hypot(length, shell_headings[i][axis]);
                ck_assert_double_eq_tol(length, r > 0, 1e-15);
            }
            ck_assert(isotropy_ring(&front, SHELL, &ring));
            /* Its radius is that of the norm: 1 : 1/√2 : 1/√3 and 1 : √2 : √3,
             * and for 18 neighbours 1 : √2 : 2/√3. */
            double two = ring.along[1] / ring.along[0];
            double three = ring.along[2] / ring.along[0];
            ck_assert_double_eq_tol(two, m == 0 ? sqrt(.5) : sqrt(2), 1e-12);
            ck_assert_double_eq_tol(ring.high / ring.low,
                                    m == 1 ? sqrt(2) : sqrt(3), 1e-12);
            if (m != 1) /* ⌈k₆/2⌉ is one step later if k₆ is odd */
                ck_assert_double_eq_tol(three, m ? sqrt(3) : sqrt(1 / 3.),
                                        1e-12);
            else
                ck_assert_double_eq_tol(three, 2 / sqrt(3), .03);
        }
    }
END_TEST

START_TEST(heading_errors_are_angles_without_sign)
    {
        const double east[GRID_AXES] = { 1 }, none[GRID_AXES] = { 0 };
        for (int i = -179; i <= 180; i++) {
            double angle = i * acos(-1) / 180;
            double other[GRID_AXES] = { 3 * cos(angle), 3 * sin(angle) };
            ck_assert_double_eq_tol(heading_error(other, east), fabs(angle),
                                    1e-12);
            ck_assert_double_eq_tol(heading_error(east, other), fabs(angle),
                                    1e-12);
        }
        ck_assert(isnan(heading_error(none, east)));
        ck_assert(isnan(heading_error(east, none)));
    }
END_TEST

/* The expression for 2D, which made every recorded table of 2D. */
START_TEST(in_2d_heading_errors_have_the_bits_of_the_plane)
    {
        for (int i = 0; i < 4000; i++) {
            const double g[GRID_AXES] = { sin(i * i), cos(i * 1.7) };
            const double u[GRID_AXES] = { cos(i * i * .3), sin(i * 2.3) };
            const double flat = fabs(
                atan2(g[0] * u[1] - g[1] * u[0], g[0] * u[0] + g[1] * u[1]));
            ck_assert(heading_error(g, u) == flat);
        }
        const double back[GRID_AXES] = { -1 }, on[GRID_AXES] = { 1 };
        ck_assert(heading_error(back, on) == acos(-1));
        ck_assert(heading_error(on, on) == 0);
    }
END_TEST

/* u turned by an angle about an axis across it. */
START_TEST(in_3d_heading_errors_are_the_angle_of_the_turn)
    {
        const double pi = acos(-1);
        for (int i = 0; i < 2000; i++) {
            double angle = pi * (i + .5) / 2000, a = i * .7, b = i * 1.3;
            const double u[GRID_AXES] = { cos(a) * sin(b), sin(a) * sin(b),
                                          cos(b) };
            const double across[GRID_AXES] = { -sin(a), cos(a), 0 };
            double g[GRID_AXES];
            for (int axis = 0; axis < GRID_AXES; axis++)
                g[axis] =
                    2.385 * (cos(angle) * u[axis] + sin(angle) * across[axis]);
            ck_assert_double_eq_tol(heading_error(g, u), angle, 1e-14);
            ck_assert_double_eq_tol(heading_error(u, g), angle, 1e-14);
        }
        const double up[GRID_AXES] = { 0, 0, 1 }, none[GRID_AXES] = { 0 };
        ck_assert(isnan(heading_error(up, none)));
        ck_assert(heading_error(up, up) == 0);
    }
END_TEST

START_TEST(a_plane_wave_gives_its_frequency_back)
    {
        for (double omega = 0.05; omega < 3.1; omega += 0.3) {
            struct plane_wave wave = { 0 };
            for (int n = 0; n < 40; n++) {
                double z[2] = { 2 * cos(omega * n + 1), 3 * sin(omega * n) };
                plane_wave_take(&wave, z);
            }
            ck_assert_double_eq_tol(plane_wave_frequency(&wave), omega, 1e-9);
        }
    }
END_TEST

/* 2 cos ω − 2 = δ · symbol, the symbol Σ w (cos k·e − 1) over the points. */
START_TEST(the_laws_of_the_stencils_are_their_symbols)
    {
        for (int i = 0; stencils[i]; i++)
            for (double kx = 0; kx < 3.14; kx += 0.4)
                for (double ky = 0; ky < 3.14; ky += 0.4) {
                    const struct stencil *stencil = stencils[i];
                    double k[GRID_AXES] = { kx, -ky, 0 }, symbol = 0;
                    if (stencil->dims == GRID_AXES)
                        k[2] = kx + ky - 3;
                    for (int p = 0; p < stencil->points; p++) {
                        const int *step = stencil->point[p].step;
                        double phase =
                            k[0] * step[0] + k[1] * step[1] + k[2] * step[2];
                        symbol += stencil->point[p].weight * (cos(phase) - 1);
                    }
                    double omega = dispersion_frequency(k, .25, stencil);
                    ck_assert_double_eq_tol(2 * cos(omega) - 2, .25 * symbol,
                                            1e-12);
                }
        const double shortest[GRID_AXES] = { 3, 3, 0 };
        ck_assert(isnan(
            dispersion_frequency(shortest, 0.6, stencil_find("5-point"))));
    }
END_TEST

/* ---- phase speeds of recorded waves ---- */

static char recorded[] = "/tmp/hamon-isotropy-XXXXXX.h5";

/* Records a scenario; release it with drop_recording. */
static struct recording *record(const char *text)
{
    struct scenario *scenario;
    struct error error;
    struct run *run;
    struct recording *recording;
    bool ended = false;
    ck_assert_msg(scenario_parse(text, "open.cfg", NULL, 0, &scenario,
                                 &error) == STATUS_OK,
                  "%s", error.message);
    int file = mkstemps(recorded, 3);
    ck_assert_int_ge(file, 0);
    close(file);
    const struct run_options options = {
        .path = recorded, .force = true, .threads = 1, .command = "test"
    };
    ck_assert_int_eq(run_new(scenario, &options, &run, NULL), STATUS_OK);
    ck_assert_int_eq(run_begin(run, NULL), STATUS_OK);
    while (!ended)
        ck_assert_int_eq(run_step(run, &ended, NULL), STATUS_OK);
    ck_assert_int_eq(run_close(run, RUN_DONE, NULL, NULL), STATUS_OK);
    scenario_release(scenario);
    ck_assert_msg(replay_open(recorded, &recording, &error) == STATUS_OK, "%s",
                  error.message);
    return recording;
}

static void drop_recording(struct recording *recording)
{
    recording_close(recording);
    unlink(recorded);
    memcpy(recorded + strlen(recorded) - strlen("XXXXXX.h5"), "XXXXXX", 6);
}

/* An open map as text: `side` rows, and in 3D `side` layers. */
static void open_map(int dims, int side, char *text)
{
    text +=
        sprintf(text, dims == 2 ? "map = { rows = (" : "map = { layers = (");
    for (int z = 0; z < (dims == 2 ? 1 : side); z++) {
        text += sprintf(text, dims == 2 ? "" : z ? ",(" : "(");
        for (int y = 0; y < side; y++)
            text += sprintf(text, "%s\"%.*s\"", y ? "," : "", side,
                            "........................................");
        text += sprintf(text, dims == 2 ? "" : ")");
    }
    sprintf(text, "); };\n");
}

/* The speeds of an impulse that does not reach the edge of the map, in double
 * precision. */
static void ck_speeds(int dims, const char *more)
{
    enum { SIDE_OF_MAP = 37, STEPS = SIDE_OF_MAP / 2 - 1 };
    static char text[SIDE_OF_MAP * SIDE_OF_MAP * (SIDE_OF_MAP + 4) + 400];
    struct dispersion speeds;
    struct error error;
    double worst = 0;
    open_map(dims, SIDE_OF_MAP, text);
    sprintf(text + strlen(text),
            "steps = %d; wave = { count = 1; precision = \"double\"; %s };"
            "target = { at = [18.0, 18.0%s]; };"
            "record = { fields = (\"amplitude\"); };\n",
            STEPS, more, dims == 2 ? "" : ", 18.0");
    struct recording *recording = record(text);
    ck_assert_msg(dispersion_measure(recording, 0, &speeds, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    ck_assert_int_eq(speeds.ways, dims == 2 ? 2 : 13);
    ck_assert_int_eq(speeds.rows, STEPS + 1);
    for (int way = 0; way < speeds.ways; way++)
        for (int i = 0; i < DISPERSION_NUMBERS; i++)
            worst =
                fmax(worst, fabs(speeds.measured[way][i] - speeds.law[way][i]));
    ck_assert_double_le(worst, 1e-12);
    drop_recording(recording);
}

START_TEST(phase_speeds_of_a_recorded_impulse_follow_the_law_in_every_direction)
    {
        ck_speeds(2, "");
        ck_speeds(2, "stencil = \"9-point\";");
        ck_speeds(3, "");
        ck_speeds(3, "delta = 0.3;");
        ck_speeds(3, "delta = 0.6; stencil = \"27-point\";");
    }
END_TEST

START_TEST(the_directions_of_3d_are_the_13_axes_and_diagonals_each_once)
    {
        for (int i = 0; i < DISPERSION_WAYS; i++) {
            const struct dispersion_way *one = dispersion_way(3, i);
            int axes = 0;
            for (int axis = 0; axis < GRID_AXES; axis++)
                axes += abs(one->step[axis]);
            ck_assert_int_eq(axes, one->axes);
            ck_assert_int_eq(axes, i < 3 ? 1 : i < 9 ? 2 : 3);
            for (int j = 0; j < i; j++) {
                const int *a = one->step, *b = dispersion_way(3, j)->step;
                int product = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
                ck_assert_int_lt(product * product,
                                 axes * dispersion_way(3, j)->axes);
            }
        }
    }
END_TEST

static char *printed(const struct table *table, enum table_format format)
{
    static char text[4096];
    FILE *file = fmemopen(text, sizeof text, "w");
    table_print(table, format, file);
    fclose(file);
    return text;
}

START_TEST(tables_are_printed_in_every_format)
    {
        static const struct table_column columns[] = {
            { .name = "share (%)", .digits = 1 }, { .name = "x", .digits = -1 }
        };
        struct table table;
        table_init(&table, "what", columns, 2);
        for (int i = 0; i < 20; i++) /* more than the initial capacity */
            table_add(&table, i ? "a" : "b_1, \"c\" 5%",
                      (double[]){ 1.0 / 3, i ? (double)NAN : 1e-9 });
        char *text = printed(&table, TABLE_TEXT);
        ck_assert_ptr_nonnull(strstr(text, "what"));
        ck_assert_ptr_nonnull(strstr(text, "0.3  1e-09\n"));
        ck_assert_ptr_nonnull(strstr(text, "-\n"));
        text = printed(&table, TABLE_CSV);
        ck_assert_ptr_nonnull(strstr(text,
                                     "\"b_1, \"\"c\"\" 5%\",0.3333333333333333,"
                                     "1e-09\na,"));
        ck_assert_ptr_nonnull(strstr(text, "33,\n"));
        text = printed(&table, TABLE_TEX);
        ck_assert_ptr_nonnull(
            strstr(text, "b\\_1, \"c\" 5\\% & 0.3 & 1e-09 \\\\\n"));
        ck_assert_ptr_nonnull(
            strstr(text, "{@{}l S[table-format=1.1] S@{}}\n\\toprule\nwhat & "
                         "{share (\\%)} & {x} \\\\\n\\midrule\n"));
        ck_assert_ptr_nonnull(strstr(text, "a & 0.3 & {--} \\\\\n"));
        text = printed(&table, TABLE_JSON);
        ck_assert_ptr_nonnull(
            strstr(text, "[\n  {\n    \"what\": \"b_1, \\\"c\\\" 5%\",\n"
                         "    \"share (%)\": 0.3333333333333333,\n"
                         "    \"x\": 1e-09\n  },\n"));
        ck_assert_ptr_nonnull(strstr(text, "    \"x\": null\n  }\n]\n"));
        table_release(&table);
        enum table_format format;
        struct error error;
        ck_assert_int_eq(table_format_parse(NULL, false, &format, NULL),
                         STATUS_OK);
        ck_assert_int_eq(format, TABLE_TEXT);
        ck_assert_int_eq(table_format_parse(NULL, true, &format, NULL),
                         STATUS_OK);
        ck_assert_int_eq(format, TABLE_JSON);
        ck_assert_int_eq(table_format_parse("csv", true, &format, &error),
                         STATUS_INPUT);
        ck_assert_int_eq(table_format_parse("csv", false, &format, NULL),
                         STATUS_OK);
        ck_assert_int_eq(format, TABLE_CSV);
        ck_assert_int_eq(table_format_parse("xls", false, &format, &error),
                         STATUS_INPUT);
    }
END_TEST

static Suite *isotropy_suite(void)
{
    Suite *suite = suite_create("isotropy");
    TCase *fronts = tcase_create("fronts");
    tcase_add_checked_fixture(fronts, make_field, drop_field);
    tcase_add_test(fronts, a_round_front_is_round_however_late_it_starts);
    tcase_add_test(fronts, a_rippled_front_has_its_ripple_as_anisotropy);
    tcase_add_test(fronts, a_turned_heading_is_off_by_its_turn);
    tcase_add_test(fronts, angles_have_the_values_of_their_cells);
    tcase_add_test(fronts, a_ring_has_the_cells_that_are_near_it_and_no_others);
    tcase_add_test(fronts, a_ring_that_is_not_reached_is_no_ring);
    tcase_add_test(fronts,
                   a_front_is_measured_where_it_is_and_must_be_on_the_map);
    tcase_add_test(fronts, lee_4_is_a_diamond);
    tcase_add_test(fronts, lee_8_is_a_square);
    suite_add_tcase(suite, fronts);
    TCase *shells = tcase_create("shells");
    tcase_add_checked_fixture(shells, make_space, drop_field);
    tcase_set_timeout(shells, 60);
    tcase_add_test(shells,
                   a_round_shell_is_round_and_a_turned_heading_off_by_its_turn);
    tcase_add_test(shells, a_shell_has_its_radius_along_axes_and_diagonals);
    tcase_add_test(shells, sections_have_the_values_of_their_directions);
    tcase_add_test(shells, hammer_s_map_keeps_areas_and_has_east_in_the_middle);
    tcase_add_test(shells, the_sphere_has_the_values_of_its_directions);
    tcase_add_test(shells,
                   a_shell_has_the_cells_that_are_near_it_and_no_others);
    tcase_add_test(shells, a_shell_reaches_as_far_as_layers_and_walls_let_it);
    tcase_add_test(shells, lee_over_6_is_an_octahedron_and_over_26_a_cube);
    suite_add_tcase(suite, shells);
    TCase *pure = tcase_create("pure");
    tcase_add_test(pure, heading_errors_are_angles_without_sign);
    tcase_add_test(pure, in_2d_heading_errors_have_the_bits_of_the_plane);
    tcase_add_test(pure, in_3d_heading_errors_are_the_angle_of_the_turn);
    tcase_add_test(pure, a_plane_wave_gives_its_frequency_back);
    tcase_add_test(pure, the_laws_of_the_stencils_are_their_symbols);
    tcase_add_test(
        pure,
        phase_speeds_of_a_recorded_impulse_follow_the_law_in_every_direction);
    tcase_add_test(
        pure, the_directions_of_3d_are_the_13_axes_and_diagonals_each_once);
    tcase_set_timeout(pure, 60);
    tcase_add_test(pure, tables_are_printed_in_every_format);
    suite_add_tcase(suite, pure);
    return suite;
}

int main(void)
{
    return suite_main(isotropy_suite());
}
