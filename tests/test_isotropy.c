/* SPDX-License-Identifier: MIT */
/* The measures of hamon-isotropy on fronts that are known by formula, and the
 * table that tells them. */
#include "dispersion.h"
#include "front.h"
#include "isotropy.h"
#include "table.h"

#include "base/memory.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 121, CENTRE = SIDE / 2 };

static struct terrain terrain;
static double times[SIDE * SIDE];
static double headings[SIDE * SIDE][2];
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
        .heading = (const double(*)[2])headings,
        .speed = 0.5,
    };
}

static void drop_field(void)
{
    terrain_release(&terrain);
}

/* A front that starts late and has run r(1 + ripple·cos 4φ) cells; headings
 * are `turned` radians off the way home. */
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

START_TEST(angles_hold_what_their_cells_hold)
    {
        double rho[ISOTROPY_BINS], error[ISOTROPY_BINS];
        struct ring ring;
        run_front(10, 0.02, 0.25);
        ck_assert(isotropy_ring(&front, 50, &ring));
        ck_assert(isotropy_angles(&front, 50, rho, error));
        for (int b = 0; b < ISOTROPY_BINS; b++) {
            double angle = b * 2 * acos(-1) / ISOTROPY_BINS;
            /* a bin is ±1 degree wide: 1·4·.0175 */
            ck_assert_double_eq_tol(rho[b], ring.mean + cos(4 * angle), 0.075);
            ck_assert_double_eq_tol(error[b], 0.25, 1e-9);
        }
    }
END_TEST

/* All cells are looked at, where a ring goes round itself alone. */
START_TEST(a_ring_has_the_cells_that_are_near_it_and_no_others)
    {
        static const int sources[][2] = { { CENTRE, CENTRE },
                                          { 3, 70 },
                                          { 120, 0 } };
        run_front(10, 0.02, 0.25);
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

/* The ring of Lee's diamond, by its own formula, beside the measured one. */
START_TEST(lee_4_is_a_diamond)
    {
        struct ring ring;
        double low = INFINITY, high = 0, sum = 0, count = 0;
        ck_assert_int_eq(
            isotropy_lee(&terrain, front.source, 4, times, headings, NULL),
            STATUS_OK);
        front.speed = 0;
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
        /* Diagonal while it can be: uniform in ±45 degrees, RMS 45/√3. */
        ck_assert_double_eq_tol(ring.rms * 180 / acos(-1), 45 / sqrt(3), 1.5);
    }
END_TEST

START_TEST(lee_8_is_a_square)
    {
        struct ring ring;
        ck_assert_int_eq(
            isotropy_lee(&terrain, front.source, 8, times, headings, NULL),
            STATUS_OK);
        front.speed = 0;
        for (int y = -CENTRE; y <= CENTRE; y++)
            for (int x = -CENTRE; x <= CENTRE; x++)
                ck_assert_double_eq(times[(y + CENTRE) * SIDE + x + CENTRE],
                                    fmax(abs(x), abs(y)));
        ck_assert(isotropy_ring(&front, 50, &ring));
        ck_assert_double_eq_tol(ring.low / ring.high, 1 / sqrt(2), 0.01);
    }
END_TEST

START_TEST(heading_errors_are_angles_without_sign)
    {
        const double east[2] = { 1, 0 }, none[2] = { 0, 0 };
        for (int i = -179; i <= 180; i++) {
            double angle = i * acos(-1) / 180;
            double other[2] = { 3 * cos(angle), 3 * sin(angle) };
            ck_assert_double_eq_tol(heading_error(other, east), fabs(angle),
                                    1e-12);
            ck_assert_double_eq_tol(heading_error(east, other), fabs(angle),
                                    1e-12);
        }
        ck_assert(isnan(heading_error(none, east)));
        ck_assert(isnan(heading_error(east, none)));
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

/* The symbol of the stencil, its weights summed by hand. */
START_TEST(the_laws_of_both_stencils_are_their_symbols)
    {
        for (double kx = 0; kx < 3.14; kx += 0.4)
            for (double ky = 0; ky < 3.14; ky += 0.4) {
                double five = 2 * cos(kx) + 2 * cos(ky) - 4;
                double nine = (4 * (2 * cos(kx) + 2 * cos(ky)) +
                               4 * cos(kx) * cos(ky) - 20) /
                              6;
                /* 2 cos ω − 2 = δ · symbol */
                ck_assert_double_eq_tol(
                    2 * cos(dispersion_frequency(kx, ky, 0.25, false)) - 2,
                    0.25 * five, 1e-12);
                ck_assert_double_eq_tol(
                    2 * cos(dispersion_frequency(kx, ky, 0.25, true)) - 2,
                    0.25 * nine, 1e-12);
            }
        ck_assert(isnan(dispersion_frequency(3, 3, 0.6, false)));
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

START_TEST(tables_are_told_in_three_tongues)
    {
        static const struct table_column columns[] = { { "share (%)", 1 },
                                                       { "x", -1 } };
        struct table table;
        table_init(&table, "what", columns, 2);
        for (int i = 0; i < 20; i++) /* more than the first room */
            ck_assert_int_eq(
                table_add(&table, i ? "a" : "b_1, \"c\" 5%",
                          (double[]){ 1.0 / 3, i ? (double)NAN : 1e-9 }, NULL),
                STATUS_OK);
        char *text = printed(&table, TABLE_TEXT);
        ck_assert_ptr_nonnull(strstr(text, "what"));
        ck_assert_ptr_nonnull(strstr(text, "0.3       1e-09\n"));
        ck_assert_ptr_nonnull(strstr(text, "-\n"));
        text = printed(&table, TABLE_CSV);
        ck_assert_ptr_nonnull(strstr(text,
                                     "\"b_1, \"\"c\"\" 5%\",0.3333333333333333,"
                                     "1e-09\r\n\"a\","));
        ck_assert_ptr_nonnull(strstr(text, "33,\r\n"));
        text = printed(&table, TABLE_TEX);
        ck_assert_ptr_nonnull(
            strstr(text, "b\\_1, \"c\" 5\\% & 0.3 & 1e-09 \\\\\n"));
        ck_assert_ptr_nonnull(strstr(text, "a & 0.3 & -- \\\\\n"));
        table_release(&table);
        enum table_format format;
        struct error error;
        ck_assert_int_eq(table_format_parse("csv", &format, NULL), STATUS_OK);
        ck_assert_int_eq(format, TABLE_CSV);
        ck_assert_int_eq(table_format_parse("md", &format, &error),
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
    tcase_add_test(fronts, angles_hold_what_their_cells_hold);
    tcase_add_test(fronts, a_ring_has_the_cells_that_are_near_it_and_no_others);
    tcase_add_test(fronts, a_ring_that_is_not_reached_is_no_ring);
    tcase_add_test(fronts, lee_4_is_a_diamond);
    tcase_add_test(fronts, lee_8_is_a_square);
    suite_add_tcase(suite, fronts);
    TCase *pure = tcase_create("pure");
    tcase_add_test(pure, heading_errors_are_angles_without_sign);
    tcase_add_test(pure, a_plane_wave_gives_its_frequency_back);
    tcase_add_test(pure, the_laws_of_both_stencils_are_their_symbols);
    tcase_add_test(pure, tables_are_told_in_three_tongues);
    suite_add_tcase(suite, pure);
    return suite;
}

int main(void)
{
    return suite_main(isotropy_suite());
}
