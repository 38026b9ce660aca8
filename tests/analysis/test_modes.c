/* SPDX-License-Identifier: MIT */
#include "analysis/modes/corridor.h"
#include "analysis/modes/echoes.h"
#include "analysis/modes/modes.h"
#include "analysis/modes/series.h"
#include "analysis/modes/spectrum.h"
#include "analysis/modes/wavenumber.h"
#include "base/memory.h"
#include "base/random.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

/* ---- the modes and their law ---- */

START_TEST(shapes_are_orthonormal_and_are_the_walls_own)
    {
        for (int fixed = 0; fixed < 2; fixed++)
            for (int width = 1; width <= 9; width++) {
                double shape[9][9];
                for (int p = 0; p < width; p++)
                    mode_shape(p, width, fixed, shape[p]);
                for (int p = 0; p < width; p++)
                    for (int q = 0; q < width; q++) {
                        double sum = 0;
                        for (int j = 0; j < width; j++)
                            sum += shape[p][j] * shape[q][j];
                        ck_assert_double_eq_tol(sum, p == q, 1e-14);
                    }
                /* The transverse Laplacian has the eigenvalue 4s. */
                for (int p = 0; p < width; p++) {
                    struct mode_law law = mode_law(p, width, fixed, .25);
                    const double *z = shape[p];
                    for (int j = 0; j < width; j++) {
                        double wall = fixed ? 0 : z[j];
                        double above = j > 0 ? z[j - 1] : wall;
                        double under = j + 1 < width ? z[j + 1] : wall;
                        ck_assert_double_eq_tol(2 * z[j] - above - under,
                                                4 * law.s * z[j], 1e-14);
                    }
                }
            }
    }
END_TEST

/* In the order of their cutoffs, orthonormal, and each an eigenvector of the
 * transverse Laplacian of both axes. */
START_TEST(modes_of_a_duct_are_products_with_the_terms_of_both_axes)
    {
        enum { WIDE = 4, HIGH = 3, CELLS_ACROSS = WIDE * HIGH };
        for (int fixed = 0; fixed < 2; fixed++) {
            struct mode of[CELLS_ACROSS];
            double shape[CELLS_ACROSS][CELLS_ACROSS];
            mode_list(WIDE, HIGH, fixed, .25, of);
            for (int p = 0; p < CELLS_ACROSS; p++) {
                mode_section(&of[p], WIDE, HIGH, fixed, shape[p]);
                ck_assert_double_eq_tol(
                    of[p].law.s,
                    mode_law(of[p].across, WIDE, fixed, .25).s +
                        mode_law(of[p].up, HIGH, fixed, .25).s,
                    1e-15);
                ck_assert(p == 0 || of[p].law.s >= of[p - 1].law.s);
            }
            for (int p = 0; p < CELLS_ACROSS; p++)
                for (int q = 0; q < CELLS_ACROSS; q++) {
                    double sum = 0;
                    for (int i = 0; i < CELLS_ACROSS; i++)
                        sum += shape[p][i] * shape[q][i];
                    ck_assert_double_eq_tol(sum, p == q, 1e-14);
                }
            for (int p = 0; p < CELLS_ACROSS; p++)
                for (int i = 0; i < CELLS_ACROSS; i++) {
                    const double *z = shape[p];
                    int x = i % WIDE, y = i / WIDE;
                    double wall = fixed ? 0 : z[i];
                    double sum = (x > 0 ? z[i - 1] : wall) +
                                 (x + 1 < WIDE ? z[i + 1] : wall) +
                                 (y > 0 ? z[i - WIDE] : wall) +
                                 (y + 1 < HIGH ? z[i + WIDE] : wall);
                    ck_assert_double_eq_tol(4 * z[i] - sum,
                                            4 * of[p].law.s * z[i], 1e-14);
                }
        }
    }
END_TEST

START_TEST(group_speed_is_the_slope_of_the_law)
    {
        for (int p = 0; p < 5; p++) {
            struct mode_law law = mode_law(p, 5, false, .25);
            for (double k = .05; k < pi - .05; k += .01) {
                double slope = (mode_frequency(&law, k + 1e-5) -
                                mode_frequency(&law, k - 1e-5)) /
                               2e-5;
                ck_assert_double_eq_tol(mode_speed(&law, k), slope, 1e-8);
                ck_assert_double_eq_tol(
                    mode_cosine(&law, mode_frequency(&law, k)), cos(k), 1e-12);
            }
        }
    }
END_TEST

/* For every delta up to the limit, with the terms s of one axis or two. */
START_TEST(the_fastest_wave_is_the_maximum_of_the_group_speed)
    {
        for (double delta = .03; delta <= .5; delta += .047)
            for (double s = 0; s <= 2 && delta * (1 + s) < 1; s += .0625) {
                struct mode_law law = { delta, s };
                double at, fastest = mode_fastest(&law, &at);
                ck_assert_double_eq(fastest, mode_speed(&law, at));
                for (double k = .001; k < pi; k += .001)
                    ck_assert_double_le(mode_speed(&law, k), fastest + 1e-14);
                if (s > 0)
                    ck_assert_double_eq_tol(mode_speed(&law, at - 1e-4),
                                            mode_speed(&law, at + 1e-4), 1e-8);
                else
                    ck_assert_double_eq(fastest, sqrt(delta));
            }
    }
END_TEST

/* ---- energy ---- */

enum { LENGTH = 40, WIDTH = 6 };

static double shapes[WIDTH * WIDTH], before[LENGTH * WIDTH],
    now[LENGTH * WIDTH], a_before[LENGTH * WIDTH], a_now[LENGTH * WIDTH],
    energy[WIDTH * LENGTH];

static struct mode modes[WIDTH];

/* A corridor WIDTH wide, or a duct with WIDTH cells, 3 wide. */
static struct corridor corridor_of(bool fixed, bool duct)
{
    const enum boundary sides = fixed ? BOUNDARY_FIXED : BOUNDARY_FREE;
    const enum boundary floors = duct ? sides : BOUNDARY_OPEN;
    int width = duct ? 3 : WIDTH, height = duct ? WIDTH / 3 : 0;
    mode_list(width, height, fixed, .25, modes);
    for (int p = 0; p < WIDTH; p++)
        mode_section(&modes[p], width, height, fixed, shapes + p * WIDTH);
    memset(energy, 0, sizeof energy);
    return (struct corridor){ .last = LENGTH - 1,
                              .high = width - 1,
                              .bottom = duct ? height - 1 : 0,
                              .sides = { sides, sides, floors, floors },
                              .ends = { BOUNDARY_OPEN, BOUNDARY_FIXED } };
}

static double share(int mode, double whole)
{
    double sum = 0;
    for (int i = 0; i < LENGTH; i++)
        sum += energy[mode * LENGTH + i];
    return sum / whole;
}

START_TEST(energies_of_the_modes_of_any_field_add_up_to_its_own)
    {
        struct random random;
        random_seed(&random, 20);
        for (int kind = 0; kind < 4; kind++) {
            struct corridor corridor = corridor_of(kind & 1, kind & 2);
            for (int i = 0; i < LENGTH * WIDTH; i++) {
                before[i] = random_unit(&random) - .5;
                now[i] = random_unit(&random) - .5;
            }
            double sum = 0, whole = mode_energy_take(&corridor, .25, modes,
                                                     shapes, before, now,
                                                     a_before, a_now, energy);
            for (int p = 0; p < WIDTH; p++)
                sum += share(p, whole);
            ck_assert_double_gt(whole, 1);
            ck_assert_double_eq_tol(sum, 1, 1e-13);
        }
    }
END_TEST

START_TEST(a_pure_mode_has_all_of_the_energy)
    {
        for (int kind = 0; kind < 4; kind++)
            for (int p = 0; p < WIDTH; p++) {
                struct corridor corridor = corridor_of(kind & 1, kind & 2);
                struct mode_law law = modes[p].law;
                double k = .7, w = mode_frequency(&law, k);
                for (int i = 0; i < LENGTH; i++)
                    for (int j = 0; j < WIDTH; j++) {
                        double shape = shapes[p * WIDTH + j];
                        before[i * WIDTH + j] = shape * cos(k * i);
                        now[i * WIDTH + j] = shape * cos(k * i - w);
                    }
                double whole =
                    mode_energy_take(&corridor, .25, modes, shapes, before, now,
                                     a_before, a_now, energy);
                for (int q = 0; q < WIDTH; q++)
                    ck_assert_double_eq_tol(share(q, whole), p == q, 1e-13);
            }
    }
END_TEST

/* ---- frequency and wave number ---- */

enum { STEPS = 600, CELLS = 60 };
static double trace[STEPS * CELLS];
static const struct span span = { .from = 1, .to = CELLS - 2, .way = 1 };

/* An impulse in a mode, stepped by the mode's own equation between two free
 * ends: waves and their echoes. */
static void step_mode(const struct mode_law *law, int source)
{
    memset(trace, 0, sizeof trace);
    trace[source] = 1;
    for (int t = 0; t + 1 < STEPS; t++)
        for (int i = 0; i < CELLS; i++) {
            const double *z = trace + t * CELLS;
            double ahead = i + 1 < CELLS ? z[i + 1] : z[i];
            double behind = i > 0 ? z[i - 1] : z[i];
            double older = t > 0 ? z[i - CELLS] : 0;
            trace[(t + 1) * CELLS + i] =
                2 * z[i] - older +
                law->delta * (ahead + behind - (2 + 4 * law->s) * z[i]);
        }
}

START_TEST(waves_with_their_echoes_have_the_wave_number_of_their_frequency)
    {
        for (int p = 0; p < 7; p++) {
            struct mode_law law = mode_law(p, 7, true, .25);
            const struct span beside = { .from = 4, .to = CELLS - 2, .way = 1 };
            step_mode(&law, 3);
            for (double k = .3; k < 2.9; k += .37) {
                double w = mode_frequency(&law, k);
                struct mode_point point =
                    mode_point_measure(trace, STEPS, CELLS, &beside, w, NULL);
                ck_assert_double_eq_tol(point.frequency, w, 2 * pi / STEPS);
                ck_assert_double_eq_tol(
                    point.cosine, mode_cosine(&law, point.frequency), 1e-9);
            }
        }
    }
END_TEST

START_TEST(below_the_cutoff_the_cosine_is_that_of_the_decay)
    {
        double amplitude[CELLS];
        for (int t = 0; t < STEPS; t++)
            for (int i = 0; i < CELLS; i++)
                trace[t * CELLS + i] = exp(-.31 * i) * cos(.2 * t);
        struct mode_point point =
            mode_point_measure(trace, STEPS, CELLS, &span, .2, amplitude);
        ck_assert_double_eq_tol(acosh(point.cosine), .31, 1e-12);
        ck_assert_double_eq_tol(amplitude[9] / amplitude[8], exp(-.31), 1e-12);
    }
END_TEST

START_TEST(the_diagram_is_black_at_the_frequency_of_the_wave)
    {
        enum { W = 50, K = 40 };
        static double power[W * K];
        double k = 1.3, w = .62, top = 1.5;
        for (int t = 0; t < STEPS; t++)
            for (int i = 0; i < CELLS; i++)
                trace[t * CELLS + i] = cos(w * t - k * i);
        memset(power, 0, sizeof power);
        ck_assert_int_eq(spectrum_power(trace, STEPS, CELLS, 0, CELLS - 1, 1,
                                        top, W, K, power, NULL),
                         STATUS_OK);
        int largest = 0, empty = 0;
        for (int i = 0; i < W * K; i++) {
            if (power[i] > power[largest])
                largest = i;
            empty += !(power[i] > 0);
        }
        ck_assert_int_eq(largest / K, (int)(w / top * W));
        ck_assert_int_eq(largest % K, (int)(k / pi * K));
        ck_assert_int_eq(empty, 0);
    }
END_TEST

/* ---- the corridor ---- */

static struct grid grid;
static struct terrain terrain;
static const struct corridor_map fixed_walls = { &terrain, true, 0 };
static const struct corridor_map free_walls = { &terrain, false, 0 };

static void draw(const char *const *rows, int nx, int ny)
{
    ck_assert_int_eq(grid_make(2, nx, ny, 1, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            terrain.wall[grid_index(&grid, x, y, 0)] = rows[y][x] == '@';
}

/* All wall except a duct 3 x 2 along x that opens into a room, and a longer but
 * lower one along z. */
static void draw_ducts(void)
{
    ck_assert_int_eq(grid_make(3, 20, 12, 26, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    for (size_t i = 0; i < grid_cells(&grid); i++) {
        int at[GRID_AXES];
        grid_cell(&grid, i, at);
        bool along_x = at[0] >= 1 && at[0] <= 12 && at[1] >= 3 && at[1] <= 5 &&
                       at[2] >= 4 && at[2] <= 5;
        bool along_z = at[0] == 17 && at[1] >= 7 && at[1] <= 10 && at[2] >= 2 &&
                       at[2] <= 24;
        bool room = at[0] >= 10 && at[0] <= 12 && at[1] >= 2 && at[1] <= 8 &&
                    at[2] >= 3 && at[2] <= 9;
        terrain.wall[i] = !along_x && !along_z && !room;
    }
}

static void stop(void)
{
    terrain_release(&terrain);
}

static const char *const bend[] = {
    "@@@@@@@@@@", /* two wide to the south, three wide to the east */
    "@.........", /* and closed only by the map's edge */
    "@........@", "@........@", "@..@@@@@@@", "@..@@@@@@@",
    "@..@@@@@@@", "@..@@@@@@@", "@..@@@@@@@", "@@@@@@@@@@",
};

START_TEST(the_longest_corridor_is_found_with_its_walls_and_ends)
    {
        struct corridor corridor;
        draw(bend, 10, 10);
        ck_assert(corridor_longest(&fixed_walls, &corridor));
        ck_assert_int_eq(corridor.axis, 0);
        ck_assert_int_eq(corridor.first, 3);
        ck_assert_int_eq(corridor.last, 8);
        ck_assert_int_eq(corridor.low, 1);
        ck_assert_int_eq(corridor.high, 3);
        ck_assert_int_eq(corridor.ends[0], BOUNDARY_OPEN);
        ck_assert_int_eq(corridor.ends[1], BOUNDARY_OPEN);
        /* An open edge is no mirror: the east is its end, not its side. */
        const struct corridor_map open = { &terrain, true, 1U << EAST };
        ck_assert(corridor_longest(&open, &corridor));
        ck_assert_int_eq(corridor.axis, 0);
        ck_assert_int_eq(corridor.ends[1], BOUNDARY_OPEN);
        ck_assert(corridor_through(&open, (const int[]){ 9, 1, 0 }, &corridor));
        ck_assert_int_eq(corridor.first, 9);
        ck_assert_int_eq(corridor.ends[1], BOUNDARY_EDGE);
        for (int y = 1; y < 4; y++) /* two cells shorter */
            memset(terrain.wall + grid_index(&grid, 7, y, 0), 1, 3);
        ck_assert(corridor_longest(&free_walls, &corridor));
        ck_assert_int_eq(corridor.axis, 1);
        ck_assert_int_eq(corridor.first, 4);
        ck_assert_int_eq(corridor.last, 8);
        ck_assert_int_eq(corridor.low, 1);
        ck_assert_int_eq(corridor.high, 2);
        ck_assert_int_eq(corridor.ends[0], BOUNDARY_OPEN);
        ck_assert_int_eq(corridor.ends[1], BOUNDARY_FREE);
        memset(terrain.wall, 1, grid_cells(&grid));
        ck_assert(!corridor_longest(&free_walls, &corridor));
    }
END_TEST

START_TEST(the_longest_duct_is_found_and_one_between_two_cells)
    {
        struct corridor corridor;
        struct error error;
        char text[120];
        draw_ducts();
        ck_assert(corridor_longest(&fixed_walls, &corridor));
        corridor_describe(&terrain, &corridor, false, text, sizeof text);
        ck_assert_str_eq(text, "z 2 ... 24, x 17 ... 17, y 7 ... 10, 1 x 4, "
                               "walls fixed");
        ck_assert_int_eq(corridor.ends[0], BOUNDARY_FIXED);
        const int from[GRID_AXES] = { 2, 4, 5 }, to[GRID_AXES] = { 9, 4, 5 };
        const int inside[GRID_AXES] = { 11, 4, 5 };
        ck_assert_int_eq(
            corridor_between(&free_walls, to, from, "here", &corridor, &error),
            STATUS_OK);
        corridor_describe(&terrain, &corridor, false, text, sizeof text);
        ck_assert_str_eq(text, "x 2 ... 9, y 3 ... 5, z 4 ... 5, 3 x 2, walls "
                               "free");
        ck_assert_int_eq((int)corridor_section(&corridor), 6);
        ck_assert_int_eq(corridor.ends[1], BOUNDARY_OPEN);
        ck_assert_int_eq(corridor_between(&fixed_walls, from, inside, "here",
                                          &corridor, &error),
                         STATUS_INPUT);
        ck_assert_str_eq(error.message,
                         "here: the cross-section of 6 cells, y 3 ... 5, z 4 "
                         "... 5, ends at x = 9: choose cells up to there");
    }
END_TEST

START_TEST(a_corridor_between_two_cells_in_any_order_or_a_message_where_it_ends)
    {
        struct corridor corridor, other;
        struct error error;
        draw(bend, 10, 10);
        const int from[GRID_AXES] = { 2, 5 }, to[GRID_AXES] = { 2, 8 };
        const int above[GRID_AXES] = { 2, 3 };
        ck_assert_int_eq(
            corridor_between(&fixed_walls, from, to, "here", &corridor, &error),
            STATUS_OK);
        ck_assert_int_eq(
            corridor_between(&fixed_walls, to, from, "here", &other, &error),
            STATUS_OK);
        ck_assert_mem_eq(&corridor, &other, sizeof other);
        ck_assert_int_eq(corridor_length(&corridor), 4);
        ck_assert_int_eq(corridor_width(&corridor), 2);
        ck_assert_int_eq(corridor_between(&fixed_walls, to, above, "here",
                                          &corridor, &error),
                         STATUS_INPUT);
        ck_assert_str_eq(error.message,
                         "here: the cross-section of 2 cells, x 1 ... 2, ends "
                         "at y = 4: choose cells up to there");
    }
END_TEST

/* ---- images ---- */

/* Between two mirrors: the sum of the images' signs in a cell, as the field of
 * point sources would be, is odd or even about each wall. */
START_TEST(images_make_the_field_odd_at_fixed_walls_and_even_at_free_ones)
    {
        enum { CELLS_BETWEEN = 7, MIDDLE = 50, ROOM = 120 };
        for (int kinds = 0; kinds < 4; kinds++) {
            const enum boundary mirrors[] = {
                kinds & 1 ? BOUNDARY_FIXED : BOUNDARY_FREE,
                kinds & 2 ? BOUNDARY_FIXED : BOUNDARY_FREE,
            };
            struct mirrored images[ROOM];
            int field[2 * MIDDLE] = { 0 };
            size_t count = mirror_images(2, 3, CELLS_BETWEEN, mirrors, "NS",
                                         INT32_MAX, MIDDLE - 10, images, ROOM);
            for (size_t i = 0; i < count; i++)
                field[MIDDLE + images[i].at] += images[i].sign;
            for (int i = 0; i < 20; i++) {
                int low = mirrors[0] == BOUNDARY_FIXED;
                int high = mirrors[1] == BOUNDARY_FIXED;
                ck_assert_int_eq(field[MIDDLE + i],
                                 (low ? -1 : 1) * field[MIDDLE - 1 - low - i]);
                ck_assert_int_eq(field[MIDDLE + CELLS_BETWEEN - 1 - i],
                                 (high ? -1 : 1) *
                                     field[MIDDLE + CELLS_BETWEEN + high + i]);
            }
            ck_assert_int_eq(field[MIDDLE + 2], 1);
        }
    }
END_TEST

START_TEST(an_image_names_its_walls_in_the_order_of_its_path)
    {
        const enum boundary both[] = { BOUNDARY_FIXED, BOUNDARY_FREE };
        const enum boundary one[] = { BOUNDARY_OPEN, BOUNDARY_FREE };
        struct mirrored images[30];
        ck_assert_uint_eq(
            mirror_images(2, 3, 7, both, "NS", 8, 1000, images, 30), 17);
        ck_assert_str_eq(images[0].walls, "");
        ck_assert_str_eq(images[3].walls, "NSN");
        ck_assert_int_eq(images[3].at, -19); /* 2 → −4 → 17 → −19 */
        ck_assert_int_eq(images[3].sign, 1);
        ck_assert_str_eq(images[8].walls, "NSNSNS...");
        ck_assert_str_eq(images[9].walls, "S");
        ck_assert_int_eq(images[9].at, 11);
        ck_assert_uint_eq(
            mirror_images(2, 3, 7, one, "NS", 8, 1000, images, 30), 2);
        ck_assert_uint_eq(mirror_images(2, 3, 7, both, "NS", 8, 7, images, 30),
                          2); /* itself, and −4 */
    }
END_TEST

/* ---- the envelope ---- */

START_TEST(the_envelope_of_a_pulse_is_its_own)
    {
        enum { COUNT = 300 };
        double pulse[COUNT], envelope[COUNT];
        for (int t = 0; t < COUNT; t++)
            pulse[t] = 3e-7 * exp(-pow((t - 140) / 30., 2)) * cos(.7 * t);
        ck_assert_int_eq(spectrum_envelope(pulse, COUNT, envelope, NULL),
                         STATUS_OK);
        for (int t = 0; t < COUNT; t++)
            ck_assert_double_eq_tol(
                envelope[t], 3e-7 * exp(-pow((t - 140) / 30., 2)), 3e-12);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("modes");
    TCase *plain = tcase_create("modes"), *maps = tcase_create("corridors");
    tcase_add_test(plain, shapes_are_orthonormal_and_are_the_walls_own);
    tcase_add_test(plain,
                   modes_of_a_duct_are_products_with_the_terms_of_both_axes);
    tcase_add_test(plain, group_speed_is_the_slope_of_the_law);
    tcase_add_test(plain, the_fastest_wave_is_the_maximum_of_the_group_speed);
    tcase_add_test(plain, energies_of_the_modes_of_any_field_add_up_to_its_own);
    tcase_add_test(plain, a_pure_mode_has_all_of_the_energy);
    tcase_add_test(
        plain, waves_with_their_echoes_have_the_wave_number_of_their_frequency);
    tcase_add_test(plain, below_the_cutoff_the_cosine_is_that_of_the_decay);
    const bool transforms = spectrum_check(NULL) == STATUS_OK;
    if (transforms)
        tcase_add_test(plain,
                       the_diagram_is_black_at_the_frequency_of_the_wave);
    tcase_add_test(
        plain, images_make_the_field_odd_at_fixed_walls_and_even_at_free_ones);
    tcase_add_test(plain, an_image_names_its_walls_in_the_order_of_its_path);
    if (transforms)
        tcase_add_test(plain, the_envelope_of_a_pulse_is_its_own);
    suite_add_tcase(suite, plain);
    tcase_add_checked_fixture(maps, NULL, stop);
    tcase_add_test(maps, the_longest_corridor_is_found_with_its_walls_and_ends);
    tcase_add_test(maps, the_longest_duct_is_found_and_one_between_two_cells);
    tcase_add_test(
        maps,
        a_corridor_between_two_cells_in_any_order_or_a_message_where_it_ends);
    suite_add_tcase(suite, maps);
    return suite_main(suite);
}
