/* SPDX-License-Identifier: MIT */
#include "analysis/check/wave.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/team.h"
#include "settings/value.h"
#include "tests/analysis/rules/arrival.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum { CELLS = 441, ROWS = 41 };

/* A run of ROWS generations on a grid of at most CELLS cells, emitted at 0. */
struct run {
    struct law law;
    struct ground ground;
    size_t source;
    double z[ROWS][CELLS];
};

static void run_init(struct run *run, const char *stencil, struct grid grid)
{
    memset(run, 0, sizeof *run);
    run->law = (struct law){ .grid = grid,
                             .stencil = stencil_find(stencil),
                             .delta = 0.25,
                             .amplitude = 1,
                             .areas = true };
    ck_assert_uint_le(grid_cells(&grid), CELLS);
    ground_init(&run->law, &run->ground);
    run->source = grid_index(&grid, grid.nx / 2, grid.ny / 2, grid.nz / 2);
}

/* Uses the present walls, speeds and law, and fills the rows. */
static void run_fill(struct run *run)
{
    const struct law *law = &run->law;
    const struct ground *ground = &run->ground;
    ground_build(law, &run->ground);
    bool rest = law->source == LAW_REST || law->source == LAW_GAUSSIAN;
    for (size_t i = 0; i < grid_cells(&law->grid); i++)
        run->z[0][i] = law_emitted(law, ground->wall, run->source, i);
    for (int k = 1; k < ROWS; k++)
        for (size_t i = 0; i < grid_cells(&law->grid); i++) {
            double before = k > 1 ? run->z[k - 2][i] : rest ? run->z[0][i] : 0;
            double z = law_next(law, ground, run->z[k - 1], before, i);
            if (law->source == LAW_RICKER && i == run->source)
                z = law_driven(law, ground, i, z, k);
            run->z[k][i] = z;
        }
}

static struct wave_row row_of(const struct run *run, int step)
{
    return (struct wave_row){
        .step = step,
        .now = run->z[step],
        .before = step > 0 ? run->z[step - 1] : NULL,
        .older = step > 1 ? run->z[step - 2] : NULL,
        .known = grid_box(&run->law.grid),
        .source = run->source,
    };
}

static void scatter(struct run *run, uint64_t seed)
{
    struct random random;
    random_seed(&random, seed);
    for (size_t i = 0; i < grid_cells(&run->law.grid); i++) {
        run->ground.wall[i] = i != run->source && random_below(&random, 4) == 0;
        run->ground.speed[i] = random_below(&random, 3) ? 1 : 0.75;
    }
}

static const struct grid square = { 2, 21, 21, 1 };
static const struct grid cube = { 3, 7, 7, 7 };

static struct finding stencil_of(const struct run *run)
{
    struct finding finding = { 0 };
    for (int k = 0; k < ROWS; k++) {
        struct wave_row row = row_of(run, k);
        check_stencil(&run->law, &run->ground, run->ground.wall, &row,
                      &finding);
    }
    return finding;
}

START_TEST(rows_of_the_law_pass_and_one_changed_value_fails)
    {
        static struct run run;
        static const enum law_source sources[] = { LAW_IMPULSE, LAW_REST,
                                                   LAW_GAUSSIAN, LAW_RICKER };
        for (int s = 0; s < 4; s++) {
            run_init(&run, "5-point", square);
            run.law.source = sources[s];
            run.law.sigma = 1.5, run.law.wavelength = 6;
            run.law.single = s % 2;
            scatter(&run, 1);
            run_fill(&run);
            struct finding finding = stencil_of(&run);
            ck_assert_int_eq(finding_verdict(&finding), VERDICT_PASS);
            ck_assert_int_eq(finding.looked, ROWS * CELLS);
            /* One unit in the last place of one value: that value is wrong, and
             * the rows that are computed from it. */
            size_t cell = run.source + 1;
            ck_assert(!run.ground.wall[cell]);
            double *z = &run.z[20][cell];
            *z = run.law.single ? (double)nextafterf((float)*z, 9)
                                : nextafter(*z, 9);
            finding = stencil_of(&run);
            ck_assert_int_eq(finding_verdict(&finding), VERDICT_FAIL);
            ck_assert_int_ge(finding.wrong, 1);
            ck_assert_int_le(finding.spot.step, 22);
            ck_assert_int_ge(finding.spot.step, 20);
            ground_release(&run.ground);
        }
    }
END_TEST

/* Products of the first steps are between 2⁻¹²⁶ − 2⁻¹⁵¹ and 2⁻¹²⁶. */
START_TEST(rows_by_the_rule_of_other_processors_are_recognised)
    {
        static struct run run;
        const bool was = denormals_flush(true);
        run_init(&run, "5-point", square);
        run.law.single = run.law.flush = true;
        run.law.amplitude = 4.701977963808536e-38;
        run.law.delta = 0.2499999701976776;
        run_fill(&run);
        struct finding finding = stencil_of(&run);
        ck_assert_int_eq(finding.wrong, 0);
        ck_assert_ptr_null(finding.rule);
        run.law.other = true;
        run_fill(&run);
        run.law.other = false;
        finding = stencil_of(&run);
        ck_assert_int_gt(finding.wrong, 0);
        ck_assert_ptr_nonnull(finding.rule);
        /* That rule explains no other wrong value. */
        run.z[9][0] = 1;
        finding = stencil_of(&run);
        ck_assert_ptr_null(finding.rule);
        ground_release(&run.ground);
        denormals_flush(was);
    }
END_TEST

START_TEST(a_value_behind_a_wall_and_a_wave_never_emitted_must_be_0)
    {
        static struct run run;
        run_init(&run, "5-point", square);
        run.ground.wall[5] = 1;
        run_fill(&run);
        run.z[7][5] = 1e-30;
        struct finding finding = { 0 };
        struct wave_row row = row_of(&run, 7);
        check_stencil(&run.law, &run.ground, run.ground.wall, &row, &finding);
        ck_assert_int_eq(finding.wrong, 1);
        ck_assert_int_eq(finding.spot.cell, 5);
        row.emitted = -1;
        finding = (struct finding){ 0 };
        check_stencil(&run.law, &run.ground, run.ground.wall, &row, &finding);
        ck_assert_int_gt(finding.wrong, 50);
        ground_release(&run.ground);
    }
END_TEST

START_TEST(a_wall_that_closes_clears_its_cells_in_that_row)
    {
        static struct run run;
        run_init(&run, "5-point", square);
        run_fill(&run);
        uint8_t wall[CELLS] = { 0 };
        wall[run.source] = 1;
        struct finding finding = { 0 };
        struct wave_row row = row_of(&run, 7);
        check_stencil(&run.law, &run.ground, wall, &row, &finding);
        ck_assert_int_eq(finding.wrong, 1);
        run.z[7][run.source] = 0;
        finding = (struct finding){ 0 };
        check_stencil(&run.law, &run.ground, wall, &row, &finding);
        ck_assert_int_eq(finding.wrong, 0);
        ground_release(&run.ground);
    }
END_TEST

START_TEST(rows_apart_and_the_rim_of_a_region_are_skipped)
    {
        static struct run run;
        run_init(&run, "5-point", square);
        run_fill(&run);
        struct wave_row row = row_of(&run, 7);
        row.older = NULL;
        struct finding finding = { 0 };
        check_stencil(&run.law, &run.ground, run.ground.wall, &row, &finding);
        ck_assert_int_eq(finding_verdict(&finding), VERDICT_SKIP);
        ck_assert_int_eq(finding.skipped, CELLS);
        ck_assert(finding.why[0]);
        row = row_of(&run, 7);
        row.known = (struct box){ .low = { 0, 3, 0 }, .high = { 9, 8, 0 } };
        finding = (struct finding){ 0 };
        check_stencil(&run.law, &run.ground, run.ground.wall, &row, &finding);
        ck_assert_int_eq(finding_verdict(&finding), VERDICT_PASS);
        ck_assert_int_eq(finding.looked, 9 * 4);
        ck_assert_int_eq(finding.skipped, 60 - 9 * 4);
        ground_release(&run.ground);
    }
END_TEST

START_TEST(a_recorded_gradient_is_checked_against_the_amplitude)
    {
        static struct run run;
        static double slope[2][CELLS];
        run_init(&run, "9-point", square);
        scatter(&run, 2);
        run_fill(&run);
        struct wave_row row = row_of(&run, 30);
        for (size_t i = 0; i < CELLS; i++)
            for (int axis = 0; axis < 2; axis++)
                slope[axis][i] =
                    law_gradient(&run.law, &run.ground, row.now, i, axis);
        struct finding finding = { 0 };
        for (int axis = 0; axis < 2; axis++)
            check_gradient(&run.law, &run.ground, &row, axis, slope[axis],
                           &finding);
        ck_assert_int_eq(finding_verdict(&finding), VERDICT_PASS);
        ck_assert_int_eq(finding.looked, 2 * CELLS);
        slope[1][run.source + 3] += 1e-3;
        finding = (struct finding){ 0 };
        for (int axis = 0; axis < 2; axis++)
            check_gradient(&run.law, &run.ground, &row, axis, slope[axis],
                           &finding);
        ck_assert_int_eq(finding.wrong, 1);
        ck_assert_int_eq(finding.spot.cell, (int64_t)run.source + 3);
        ck_assert_double_eq_tol(finding.error, 1e-3, 1e-15);
        ground_release(&run.ground);
    }
END_TEST

static double binomial(int n, int k)
{
    double value = 1;
    for (int i = 1; i <= k; i++)
        value = value * (n - k + i) / i;
    return value;
}

START_TEST(the_front_of_free_space_has_binomial_values)
    {
        static struct run run;
        run_init(&run, "5-point", square);
        run.law.amplitude = 3;
        ground_build(&run.law, &run.ground);
        struct check_front front;
        check_front_init(&run.law, &front);
        check_front_spread(&front, &run.law, &run.ground, run.source, 0);
        for (int y = -10; y <= 10; y++)
            for (int x = -10; x <= 10; x++) {
                size_t cell = grid_index(&square, 10 + x, 10 + y, 0);
                int k = abs(x) + abs(y);
                ck_assert_int_eq(front.cell[cell].distance, k);
                ck_assert_double_eq_tol(
                    ldexp(front.cell[cell].fraction,
                          front.cell[cell].exponent) /
                        (3 * pow(0.25, k) * binomial(k, abs(x))),
                    1, 1e-14);
            }
        check_front_release(&front);
        ground_release(&run.ground);
    }
END_TEST

static void fronts_of(const struct run *run, struct finding *support,
                      struct finding *value)
{
    struct check_front front;
    check_front_init(&run->law, &front);
    check_front_spread(&front, &run->law, &run->ground, run->source, 0);
    for (int k = 0; k < ROWS; k++) {
        struct wave_row row = row_of(run, k);
        check_front(&run->law, &front, &row, support, value);
    }
    check_front_release(&front);
}

START_TEST(the_front_counts_paths_on_any_map_and_law)
    {
        static struct run run;
        double largest = 0;
        for (uint64_t seed = 0; seed < 24; seed++) {
            bool deep = seed % 3 == 0;
            run_init(&run, deep ? "7-point" : "5-point", deep ? cube : square);
            run.law.single = seed & 1;
            run.law.free_walls = seed & 2;
            run.law.conservative = seed & 4;
            run.law.loss = seed & 8 ? 0.01 : 0;
            run.law.delta = 0.23;
            if (run.law.conservative) {
                ground_release(&run.ground);
                ground_init(&run.law, &run.ground);
            }
            scatter(&run, seed);
            run_fill(&run);
            struct finding support = { 0 }, value = { 0 };
            fronts_of(&run, &support, &value);
            ck_assert_int_eq(finding_verdict(&support), VERDICT_PASS);
            ck_assert_int_eq(finding_verdict(&value), VERDICT_PASS);
            largest = fmax(largest, value.error);
            /* A value beyond the front. */
            run.z[1][run.source + 5] = 1e-20;
            fronts_of(&run, &support, &value);
            ck_assert_int_eq(support.wrong, 1);
            ground_release(&run.ground);
        }
        ck_assert_double_gt(largest, 0);
    }
END_TEST

START_TEST(a_front_with_a_hole_or_a_wrong_value_is_detected)
    {
        static struct run run;
        run_init(&run, "5-point", square);
        run_fill(&run);
        struct finding support = { 0 }, value = { 0 };
        run.z[4][run.source + 4] = 0;
        fronts_of(&run, &support, &value);
        ck_assert_int_eq(support.wrong, 1);
        ck_assert_int_eq(support.spot.step, 4);
        ck_assert_int_eq(value.wrong, 1);
        run.z[4][run.source + 4] = pow(0.25, 4) * (1 + 1e-12);
        value = (struct finding){ 0 };
        fronts_of(&run, &support, &value);
        ck_assert_int_eq(value.wrong, 1);
        ck_assert_double_eq_tol(value.error, 1e-12, 1e-14);
        ground_release(&run.ground);
    }
END_TEST

START_TEST(fronts_below_the_precisions_range_are_skipped_and_counted)
    {
        /* A corridor: the value at distance k is 2^(−2k); 2^−120 at 60. */
        static struct run run;
        struct grid corridor = { 2, 100, 1, 1 };
        run_init(&run, "5-point", corridor);
        run.law.single = true;
        run.source = 0;
        ground_build(&run.law, &run.ground);
        struct check_front front;
        check_front_init(&run.law, &front);
        check_front_spread(&front, &run.law, &run.ground, 0, 0);
        ck_assert_int_eq(front.cell[99].exponent, -2 * 99 + 1);
        for (size_t i = 0; i < 100; i++)
            ck_assert_int_eq(front.cell[i].faint, i > 60);
        double z[100] = { 0 };
        struct wave_row row = { .step = 70,
                                .now = z,
                                .known = grid_box(&corridor) };
        struct finding support = { 0 }, value = { 0 };
        check_front(&run.law, &front, &row, &support, &value);
        ck_assert_int_eq(value.skipped, 1);
        ck_assert_int_eq(value.looked, 0);
        ck_assert_int_eq(support.skipped, 1);
        ck_assert_int_eq(finding_verdict(&support), VERDICT_PASS);
        check_front_release(&front);
        ground_release(&run.ground);
    }
END_TEST

START_TEST(energy_is_constant_and_a_gain_is_detected)
    {
        static struct run run;
        for (int c = 0; c < 8; c++) {
            run_init(&run, c & 1 ? "7-point" : "5-point",
                     c & 1 ? cube : square);
            run.law.free_walls = c & 2;
            run.law.conservative = c & 4;
            ground_release(&run.ground);
            ground_init(&run.law, &run.ground);
            scatter(&run, (uint64_t)c);
            run_fill(&run);
            struct energy energy = { .since = -1 };
            struct finding finding = { 0 };
            for (int k = 0; k < ROWS; k++) {
                struct wave_row row = row_of(&run, k);
                check_energy(&run.law, &run.ground, &row, &energy, &finding);
            }
            ck_assert_int_eq(finding_verdict(&finding), VERDICT_PASS);
            ck_assert_int_eq(finding.looked, ROWS - 2);
            ck_assert_double_lt(finding.error, 1e-14);
            run.z[30][run.source] += 1e-9;
            struct wave_row row = row_of(&run, 30);
            check_energy(&run.law, &run.ground, &row, &energy, &finding);
            ck_assert_int_eq(finding.wrong, 1);
            ground_release(&run.ground);
        }
    }
END_TEST

START_TEST(the_energy_of_two_cells_is_the_sum_by_hand)
    {
        static struct run run;
        run_init(&run, "5-point", (struct grid){ 2, 2, 1, 1 });
        ground_build(&run.law, &run.ground);
        const double before[2] = { 2, 1 }, now[2] = { 3, -1 };
        struct wave_row row = { .now = now, .before = before };
        /* ½(1 + 4)/δ + ½(3·(2−1) + (−1)·(1−2)) */
        double size;
        ck_assert_double_eq(
            check_wave_energy(&run.law, &run.ground, &row, &size), 12);
        ck_assert_double_eq(size, 12);
        ground_release(&run.ground);
    }
END_TEST

START_TEST(the_gradient_of_free_space_points_along_the_radius)
    {
        static struct run run;
        static const char *const names[] = { "5-point", "9-point", "7-point",
                                             "27-point" };
        for (int c = 0; c < 8; c++) {
            run_init(&run, names[c % 4], c % 4 >= 2 ? cube : square);
            run.law.single = c >= 4;
            run_fill(&run);
            int64_t ages = check_free_ages(&run.law, &run.ground, run.source);
            ck_assert_int_eq(ages, c % 4 >= 2 ? 2 : 9);
            struct finding finding = { 0 };
            for (int k = 0; k <= ages + 1; k++) {
                struct wave_row row = row_of(&run, k);
                check_radial(&run.law, &run.ground, &row, ages, &finding);
            }
            ck_assert_int_eq(finding_verdict(&finding), VERDICT_PASS);
            ck_assert_int_gt(finding.looked, 300);
            run.z[ages][run.source + 1] += 1e-3;
            struct wave_row row = row_of(&run, (int)ages);
            check_radial(&run.law, &run.ground, &row, ages, &finding);
            ck_assert_int_gt(finding.wrong, 0);
            ground_release(&run.ground);
        }
    }
END_TEST

START_TEST(a_wall_or_another_speed_ends_free_space)
    {
        static struct run run;
        run_init(&run, "5-point", square);
        run.ground.wall[run.source + 4] = 1;
        ground_build(&run.law, &run.ground);
        ck_assert_int_eq(check_free_ages(&run.law, &run.ground, run.source), 2);
        run.ground.speed[run.source + 1 + 2 * 21] = 0.5;
        ground_build(&run.law, &run.ground);
        ck_assert_int_eq(check_free_ages(&run.law, &run.ground, run.source), 1);
        ground_release(&run.ground);
    }
END_TEST

START_TEST(mirrors_of_map_and_source_are_mirrors_of_the_field)
    {
        static struct run run;
        static const char *const names[] = { "5-point", "9-point", "7-point",
                                             "27-point" };
        static const int mirrors[] = { 7, 7, 15, 15 };
        for (int c = 0; c < 4; c++) {
            run_init(&run, names[c], c >= 2 ? cube : square);
            run.law.delta = 0.3;
            size_t cells = grid_cells(&run.law.grid);
            /* all eight images of one wall */
            static const int at[8][2] = { { 1, 2 },   { 2, 1 },  { -1, 2 },
                                          { 2, -1 },  { 1, -2 }, { -2, 1 },
                                          { -1, -2 }, { -2, -1 } };
            for (int i = 0; i < 8; i++)
                run.ground.wall[(int64_t)run.source + at[i][0] +
                                at[i][1] * run.law.grid.nx] = 1;
            run_fill(&run);
            struct symmetry symmetry = { .emitted = -1 };
            struct finding finding = { 0 };
            for (int k = 0; k < ROWS; k++) {
                struct wave_row row = row_of(&run, k);
                check_symmetry(&run.law, &run.ground, &row, &symmetry,
                               &finding);
            }
            ck_assert_int_eq(finding_verdict(&finding), VERDICT_PASS);
            ck_assert_int_eq(finding.looked,
                             (int64_t)cells * mirrors[c] * ROWS);
            double *z = &run.z[ROWS - 1][run.source + 1];
            *z = nextafter(*z, 9);
            struct wave_row row = row_of(&run, ROWS - 1);
            check_symmetry(&run.law, &run.ground, &row, &symmetry, &finding);
            ck_assert_int_gt(finding.wrong, 0);
            ground_release(&run.ground);
        }
    }
END_TEST

START_TEST(a_map_without_mirrors_has_no_symmetry_to_check)
    {
        static struct run run;
        run_init(&run, "5-point", square);
        run.ground.wall[run.source + 4 + 21] = 1;
        run_fill(&run);
        struct symmetry symmetry = { .emitted = -1 };
        struct finding finding = { 0 };
        struct wave_row row = row_of(&run, 9);
        check_symmetry(&run.law, &run.ground, &row, &symmetry, &finding);
        ck_assert_int_eq(finding_verdict(&finding), VERDICT_SKIP);
        ck_assert(finding.why[0]);
        /* A map that becomes symmetric later does not make the field
         * symmetric. */
        run.ground.wall[run.source + 4 + 21] = 0;
        ground_build(&run.law, &run.ground);
        row.mapped = 9;
        check_symmetry(&run.law, &run.ground, &row, &symmetry, &finding);
        ck_assert_int_eq(finding.looked, 0);
        ground_release(&run.ground);
    }
END_TEST

START_TEST(recorded_arrivals_are_checked_against_the_frames)
    {
        static struct run run;
        static int32_t step[CELLS];
        static double recorded[CELLS];
        static const char *const names[] = { "leading-edge", "threshold",
                                             "first-peak" };
        for (int c = 0; c < 3; c++) {
            run_init(&run, "5-point", square);
            run_fill(&run);
            struct arrival_settings settings = arrival_default();
            settings.detector = detector_find(names[c]);
            settings.threshold = 0.01;
            struct arrivals arrivals = { .step = step };
            check_arrivals_begin(&run.law, &arrivals);
            /* 30 generations of the first emission, then the next one. */
            for (int k = 0; k < ROWS; k++) {
                struct wave_row row = row_of(&run, k);
                row.emitted = k < 30 ? 0 : 30;
                check_arrivals_take(&run.law, &settings, &row, &arrivals);
            }
            ck_assert_int_eq(step[run.source], 0);
            ck_assert_int_eq(step[run.source + 1], c == 2 ? 3 : 1);
            if (c == 0)
                for (int i = 0; i < CELLS; i++)
                    ck_assert_int_eq(step[i],
                                     abs(i % 21 - 10) + abs(i / 21 - 10));
            for (int i = 0; i < CELLS; i++)
                recorded[i] = step[i];
            struct box all = grid_box(&square);
            struct finding finding = { 0 };
            check_arrivals(&run.law, &arrivals, &all, 0, ROWS - 1, recorded,
                           &finding);
            ck_assert_int_eq(finding_verdict(&finding), VERDICT_PASS);
            recorded[7] = 12;
            finding = (struct finding){ 0 };
            check_arrivals(&run.law, &arrivals, &all, 0, ROWS - 1, recorded,
                           &finding);
            ck_assert_int_eq(finding.wrong, 1);
            ck_assert_int_eq(finding.spot.cell, 7);
            /* In the step of the next emission the row has no value of the old
             * one. */
            step[7] = -1;
            recorded[7] = 30;
            finding = (struct finding){ 0 };
            check_arrivals(&run.law, &arrivals, &all, 0, ROWS - 1, recorded,
                           &finding);
            ck_assert_int_eq(finding.skipped, 1);
            ck_assert_int_eq(finding.wrong, 0);
            ground_release(&run.ground);
        }
    }
END_TEST

START_TEST(a_finding_keeps_its_worst_spot)
    {
        struct finding finding = { 0 };
        ck_assert_int_eq(finding_verdict(&finding), VERDICT_SKIP);
        finding_within(&finding, 2, 10, &(struct spot){ .step = 1 });
        finding_within(&finding, 1, 3, &(struct spot){ .step = 2 });
        finding_within(&finding, 0, 3, &(struct spot){ .step = 3 });
        ck_assert_int_eq(finding.spot.step, 2);
        ck_assert_int_eq(finding_verdict(&finding), VERDICT_PASS);
        finding_within(&finding, NAN, 3, &(struct spot){ .step = 4 });
        finding_within(&finding, 2, 3, &(struct spot){ .step = 5 });
        finding_within(&finding, 99, 3, &(struct spot){ .step = 6 });
        ck_assert_int_eq(finding.spot.step, 4);
        ck_assert_int_eq(finding.wrong, 2);
        ck_assert_int_eq(finding.looked, 6);
        finding = (struct finding){ 0 };
        finding_exact(&finding, 0.0, -0.0, &(struct spot){ .step = 7 });
        ck_assert_int_eq(finding_verdict(&finding), VERDICT_FAIL);
        finding_exact(&finding, 1, 1, &(struct spot){ .step = 8 });
        ck_assert_int_eq(finding.spot.step, 7);
        finding_exact(&finding, 1, 1.5, &(struct spot){ .step = 9 });
        ck_assert_int_eq(finding.spot.step, 9);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("check_wave");
    TCase *tests = tcase_create("check_wave");
    tcase_add_test(tests, rows_of_the_law_pass_and_one_changed_value_fails);
    tcase_add_test(tests, rows_by_the_rule_of_other_processors_are_recognised);
    tcase_add_test(tests,
                   a_value_behind_a_wall_and_a_wave_never_emitted_must_be_0);
    tcase_add_test(tests, a_wall_that_closes_clears_its_cells_in_that_row);
    tcase_add_test(tests, rows_apart_and_the_rim_of_a_region_are_skipped);
    tcase_add_test(tests, a_recorded_gradient_is_checked_against_the_amplitude);
    tcase_add_test(tests, the_front_of_free_space_has_binomial_values);
    tcase_add_test(tests, the_front_counts_paths_on_any_map_and_law);
    tcase_add_test(tests, a_front_with_a_hole_or_a_wrong_value_is_detected);
    tcase_add_test(tests,
                   fronts_below_the_precisions_range_are_skipped_and_counted);
    tcase_add_test(tests, energy_is_constant_and_a_gain_is_detected);
    tcase_add_test(tests, the_energy_of_two_cells_is_the_sum_by_hand);
    tcase_add_test(tests, the_gradient_of_free_space_points_along_the_radius);
    tcase_add_test(tests, a_wall_or_another_speed_ends_free_space);
    tcase_add_test(tests, mirrors_of_map_and_source_are_mirrors_of_the_field);
    tcase_add_test(tests, a_map_without_mirrors_has_no_symmetry_to_check);
    tcase_add_test(tests, recorded_arrivals_are_checked_against_the_frames);
    tcase_add_test(tests, a_finding_keeps_its_worst_spot);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
