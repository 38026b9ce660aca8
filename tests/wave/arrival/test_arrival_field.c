/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "base/random.h"
#include "settings/value.h"
#include "tests/wave/waves.h"
#include "wave/arrival/detector.h"
#include "wave/arrival/field.h"
#include "wave/arrival/light_cone.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NX = 31, NY = 23, CELLS = NX * NY, STEPS = 90 };

/* A plain wave on a random map with fixed walls; every generation is stored. */
static double history[STEPS + 1][CELLS];
static float history_single[STEPS + 1][CELLS];

static double at(const double *z, int x, int y)
{
    bool inside = x >= 0 && x < NX && y >= 0 && y < NY;
    return inside ? z[y * NX + x] : NAN;
}

/* Eqs 12–15: a neighbour outside the map is left out, a wall counts as 0. */
static void run(const struct terrain *terrain, size_t source, double amplitude)
{
    static const double zero[CELLS];
    memset(history, 0, sizeof history);
    history[0][source] = amplitude;
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < CELLS; i++) {
            const double *z = history[k], *old = k ? history[k - 1] : zero;
            double sum = 0, count = 0;
            for (int d = 0; d < 4; d++) {
                double next = at(z, i % NX + direction_step[d][0],
                                 i / NX + direction_step[d][1]);
                if (isnan(next))
                    continue;
                sum += next;
                count += 1;
            }
            if (!terrain->wall[i])
                history[k + 1][i] =
                    .25 * sum + (2 - .25 * count) * z[i] - old[i];
        }
    for (int k = 0; k <= STEPS; k++)
        for (int i = 0; i < CELLS; i++)
            history_single[k][i] = (float)history[k][i];
}

static struct terrain random_map(uint64_t seed, size_t *source)
{
    struct grid grid = { .dims = 2, .nx = NX, .ny = NY, .nz = 1 };
    struct terrain terrain;
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    struct random random;
    random_seed(&random, seed);
    for (int i = 0; i < CELLS; i++)
        terrain.wall[i] = random_unit(&random) < .25;
    *source = CELLS / 2;
    terrain.wall[*source] = 0;
    return terrain;
}

/* The field computed by the detector's own test, one cell at a time. */
static int64_t first_held(const struct arrival_settings *settings,
                          double amplitude, size_t cell, size_t source,
                          bool single)
{
    if (cell == source)
        return 0;
    for (int k = 1; k <= STEPS; k++) {
        struct detector_sample sample = {
            .now = history[k][cell],
            .before = history[k - 1][cell],
            .earlier = k > 1 ? history[k - 2][cell] : 0,
            .amplitude = amplitude,
            .age = k,
        };
        if (single) {
            sample.now = (float)sample.now;
            sample.before = (float)sample.before;
            sample.earlier = (float)sample.earlier;
        }
        if (settings->detector->holds(settings, &sample))
            return k;
    }
    return -1;
}

static void check_against_brute_force(const char *detector, double threshold,
                                      double amplitude, bool single,
                                      struct team *team)
{
    size_t source;
    struct terrain terrain = random_map(17, &source);
    struct arrival_settings settings = arrival_default();
    settings.detector = detector_find(detector);
    settings.threshold = threshold;
    struct arrival_field_options options = {
        .settings = &settings,
        .amplitude = amplitude,
        .width = single ? sizeof(float) : sizeof(double),
        .times = true,
    };
    struct arrival_field field;
    ck_assert_int_eq(arrival_field_init(&field, &terrain.grid, &options, NULL),
                     STATUS_OK);
    run(&terrain, source, amplitude);
    arrival_field_begin(&field, source);
    for (int k = 0; k <= STEPS; k++)
        arrival_field_take(
            &field, single ? (void *)history_single[k] : (void *)history[k], k,
            team);
    size_t reached = 0;
    for (size_t i = 0; i < CELLS; i++) {
        ck_assert_int_eq(field.step[i],
                         first_held(&settings, amplitude, i, source, single));
        if (terrain.wall[i])
            ck_assert_int_eq(field.step[i], -1);
        if (field.step[i] < 0) {
            ck_assert(isinf(field.time[i]));
            continue;
        }
        reached++;
        ck_assert(field.time[i] <= field.step[i]);
        ck_assert(field.time[i] >= field.step[i] - 1);
    }
    ck_assert_uint_gt(reached, CELLS / 4);
    arrival_field_release(&field);
    terrain_release(&terrain);
}

START_TEST(the_field_is_the_detector_tested_cell_by_cell)
    {
        double large = ldexp(1, 100);
        for (int single = 0; single < 2; single++) {
            check_against_brute_force("threshold", 1e-5, 1, single, NULL);
            check_against_brute_force("threshold", 1e-3, 2.385, single, NULL);
            check_against_brute_force("threshold", 1e-5, large, single, NULL);
            check_against_brute_force("capped-exponential", 0, 1, single, NULL);
            check_against_brute_force("leading-edge", 0, 1, single, NULL);
            check_against_brute_force("first-peak", 0, 1, single, NULL);
            check_against_brute_force("first-peak", 0, large, single, NULL);
        }
    }
END_TEST

START_TEST(threads_change_nothing)
    {
        struct team *team;
        ck_assert_int_eq(team_new(3, true, &team, NULL), STATUS_OK);
        check_against_brute_force("threshold", 1e-5, 1, true, team);
        check_against_brute_force("leading-edge", 0, 1, true, team);
        check_against_brute_force("first-peak", 0, 1, false, team);
        team_release(team);
    }
END_TEST

/* A grid of 3 × 1 cells with the source at its left. */
static struct arrival_field one_cell(const struct arrival_settings *settings,
                                     int64_t lifetime)
{
    static const struct grid grid = { .dims = 2, .nx = 3, .ny = 1, .nz = 1 };
    struct arrival_field_options options = { .settings = settings,
                                             .amplitude = 1,
                                             .lifetime = lifetime,
                                             .width = sizeof(double),
                                             .times = true };
    struct arrival_field field;
    ck_assert_int_eq(arrival_field_init(&field, &grid, &options, NULL),
                     STATUS_OK);
    ck_assert_int_eq(field.step[0], -1);
    arrival_field_begin(&field, 0);
    return field;
}

static void take(struct arrival_field *field, int64_t age, double first,
                 double second)
{
    double generation[3] = { 1, first, second };
    arrival_field_take(field, generation, age, NULL);
}

START_TEST(the_crossing_is_interpolated_in_the_logarithm)
    {
        struct arrival_settings settings = arrival_default();
        struct arrival_field field = one_cell(&settings, 0);
        take(&field, 0, 0, 0);
        take(&field, 1, 1e-8, 0);
        take(&field, 2, -1e-4, 3e-3); /* 1e-5 is 3 of 4 decades up */
        ck_assert_double_eq_tol(field.time[1], 1.75, 1e-12);
        ck_assert_double_eq(field.time[2], 2); /* |z| was 0 before */
        ck_assert_double_eq(field.time[0], 0);
        arrival_field_release(&field);

        /* The level decreases while |z| stays: both changes count. */
        settings.detector = detector_find("capped-exponential");
        settings.cap = 1;
        settings.beta = log(10);
        field = one_cell(&settings, 0);
        for (int k = 0; k < 6; k++)
            take(&field, k, 3.1622776601683795e-4, 0);
        ck_assert_int_eq(field.step[1], 4);
        ck_assert_double_eq_tol(field.time[1], 3.5, 1e-9);
        arrival_field_release(&field);
    }
END_TEST

START_TEST(ages_out_of_order_and_after_the_lifetime_are_ignored)
    {
        struct arrival_settings settings = arrival_default();
        struct arrival_field field = one_cell(&settings, 3);
        take(&field, 1, 1, 0); /* before the emission's own generation */
        ck_assert_int_eq(field.step[1], -1);
        take(&field, 0, 1, 0); /* detection begins at age 1 */
        take(&field, 2, 1, 0);
        ck_assert_int_eq(field.step[1], -1);
        take(&field, 1, 0, NAN);
        take(&field, 2, 0, NAN);
        take(&field, 3, .5, 0);
        ck_assert_int_eq(field.step[1], 3);
        take(&field, 4, 0, 1);
        ck_assert_int_eq(field.step[2], -1);
        arrival_field_begin(&field, 2); /* the next emission clears the field */
        ck_assert_int_eq(field.step[1], -1);
        ck_assert_int_eq(field.step[2], 0);
        ck_assert(isinf(field.time[1]));
        arrival_field_release(&field);
    }
END_TEST

START_TEST(before_an_emission_the_amplitude_counts_as_0)
    {
        struct arrival_settings settings = arrival_default();
        settings.detector = detector_find("first-peak");
        struct arrival_field field = one_cell(&settings, 0);
        for (int emission = 0; emission < 2; emission++) {
            arrival_field_begin(&field, 0);
            take(&field, 0, 0, 0);
            take(&field, 1, 0, 0); /* the emission before left 5 here */
            ck_assert_int_eq(field.step[1], -1);
            take(&field, 2, 2, 0);
            take(&field, 3, 5, 0);
            ck_assert_int_eq(field.step[1], -1);
            take(&field, 4, 6, 0);
            ck_assert_int_eq(field.step[1], 4);
            take(&field, 5, 5, 0);
        }
        arrival_field_release(&field);
    }
END_TEST

/* The generation two before the present one, read from a second wave that is
 * two generations behind, at any place. */
static void ck_looks_back(struct pool *pool, struct random *random,
                          bool looks_back)
{
    const struct grid *grid = &pool->grid;
    struct arrival_settings settings = arrival_default();
    settings.detector =
        detector_find(looks_back ? "first-peak" : "leading-edge");
    const struct detection_options options = {
        .settings = &settings,
        .terrain = &pool->terrain,
        .amplitude = 1,
        .lifetime = 1000,
        .width = pool->settings.precision == PRECISION_SINGLE ? sizeof(float)
                                                              : sizeof(double),
        .wave = pool->wave,
    };
    struct detection *detection;
    struct wave *late;
    ck_assert_int_eq(detection_new(&options, &detection, NULL), STATUS_OK);
    ck_assert_int_eq(wave_new(pool->medium, &late, NULL), STATUS_OK);
    for (int emission = 0; emission < 2; emission++) {
        const size_t source = 3 + (size_t)emission;
        wave_emit(pool->wave, source, 0);
        detection_begin(detection, source, NULL);
        detection_take(detection, NULL, 0, NULL);
        for (int64_t age = 1; age < 40; age++) {
            wave_step(pool->wave, NULL);
            detection_take(detection, NULL, age, NULL);
            if (age == 2)
                wave_emit(late, source, 0);
            if (age > 2)
                wave_step(late, NULL);
            for (int i = 0; i < 5; i++) {
                const double place[GRID_AXES] = {
                    random_unit(random) * (grid->nx - 1),
                    random_unit(random) * (grid->ny - 1),
                    random_unit(random) * (grid->nz - 1)
                };
                struct arrival_look look;
                double earlier = 0, older;
                detection_look(detection, place, false, &look);
                if (age > 1 && looks_back)
                    wave_sample_amplitude(late, place, &earlier, &older);
                ck_assert_msg(look.earlier == earlier, "%g, not %g at %d",
                              look.earlier, earlier, (int)age);
            }
        }
    }
    wave_release(late);
    detection_release(detection);
}

START_TEST(a_look_has_the_amplitude_of_two_generations_before_at_its_place)
    {
        struct random random;
        random_seed(&random, 31);
        for (int nz = 0; nz <= 5; nz += 5)
            for (int looks_back = 0; looks_back < 2; looks_back++) {
                struct pool pool;
                pool_init(&pool, 12, 9, nz);
                pool_walls(&pool, &random, .2);
                memset(pool.terrain.wall, 0, 6);
                if (looks_back)
                    pool.settings.precision = PRECISION_SINGLE;
                pool_fill(&pool);
                ck_looks_back(&pool, &random, looks_back);
                pool_release(&pool);
            }
    }
END_TEST

START_TEST(a_detector_with_its_own_wave_is_rejected)
    {
        struct arrival_settings settings = arrival_default();
        settings.detector = detector_find("laplace");
        struct grid grid = { .dims = 2, .nx = 3, .ny = 1, .nz = 1 };
        struct arrival_field_options options = { .settings = &settings,
                                                 .amplitude = 1,
                                                 .width = sizeof(double) };
        struct arrival_field field;
        struct error error;
        ck_assert_int_eq(arrival_field_init(&field, &grid, &options, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "laplace"));
    }
END_TEST

START_TEST(the_descent_points_upwind_round_walls)
    {
        struct grid grid = { .dims = 2, .nx = 4, .ny = 3, .nz = 1 };
        double far = INFINITY;
        double time[12] = { 0, 1, 2,   far, /* the source is at the top left */
                            1, 3, far, far, /* a wall at (2, 1) */
                            2, 4, 5,   far };
        double heading[3];
        ck_assert(
            arrival_descent(&grid, time, (double[]){ 1.2, .9, 0 }, 9, heading));
        ck_assert_double_eq_tol(heading[0], -M_SQRT1_2, 1e-15);
        ck_assert_double_eq_tol(heading[1], -M_SQRT1_2, 1e-15);
        ck_assert(
            arrival_descent(&grid, time, (double[]){ 2, 2, 0 }, 9, heading));
        ck_assert_double_eq(heading[0], -1);
        ck_assert_double_eq(heading[1], 0);
        /* The cell itself is not reached: it counts as `now`. */
        ck_assert(
            arrival_descent(&grid, time, (double[]){ 3, 0, 0 }, 2.5, heading));
        ck_assert_double_eq(heading[0], -1);
        /* No earlier neighbour: the source, and a cell that has none. */
        ck_assert(
            !arrival_descent(&grid, time, (double[]){ 0, 0, 0 }, 9, heading));
        ck_assert(
            !arrival_descent(&grid, time, (double[]){ 3, 1, 0 }, 9, heading));
        ck_assert_double_eq(heading[0], 0);
    }
END_TEST

/* ---- the light cone ---- */

START_TEST(the_cone_reaches_a_cell_with_the_first_nonzero_number)
    {
        size_t source;
        struct terrain terrain = random_map(23, &source);
        run(&terrain, source, 1);
        struct light_cone cone;
        ck_assert_int_eq(light_cone_init(&cone, &terrain, NULL), STATUS_OK);
        light_cone_advance(&cone); /* nothing before the first emission */
        light_cone_begin(&cone, source);
        for (int k = 1; k <= STEPS; k++)
            light_cone_advance(&cone);
        for (size_t i = 0; i < CELLS; i++) {
            int first = -1;
            for (int k = STEPS; k >= 0; k--)
                first = history[k][i] != 0 ? k : first;
            ck_assert_int_eq(cone.reached[i], first);
        }
        light_cone_begin(&cone, source);
        ck_assert_int_eq(cone.reached[source + 1], -1);
        light_cone_release(&cone);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(the_cone_is_right_with_walls_that_open_and_close)
    {
        size_t source;
        struct terrain terrain = random_map(29, &source);
        struct light_cone cone;
        ck_assert_int_eq(light_cone_init(&cone, &terrain, NULL), STATUS_OK);
        light_cone_begin(&cone, source);
        /* The reference: one flag per cell, dilated. */
        uint8_t wet[CELLS] = { 0 }, next[CELLS];
        wet[source] = 1;
        struct random random;
        random_seed(&random, 5);
        for (int k = 1; k < 60; k++) {
            struct terrain_change change = { .kind = k % 2 ? CHANGE_WALL
                                                           : CHANGE_FREE };
            change.box.low[0] = (int)random_below(&random, NX - 2);
            change.box.low[1] = (int)random_below(&random, NY - 3);
            change.box.high[0] = change.box.low[0] + 2;
            change.box.high[1] = change.box.low[1] + 3;
            terrain_apply(&terrain, &change);
            light_cone_update(&cone, &change.box);
            /* a repeated call does no harm */
            light_cone_update(&cone, &change.box);
            for (int i = 0; i < CELLS; i++)
                wet[i] = wet[i] && !terrain.wall[i];
            memcpy(next, wet, sizeof wet);
            for (int i = 0; i < CELLS; i++)
                if (!terrain.wall[i])
                    next[i] |= (i % NX > 0 && wet[i - 1]) ||
                               (i % NX < NX - 1 && wet[i + 1]) ||
                               (i >= NX && wet[i - NX]) ||
                               (i < CELLS - NX && wet[i + NX]);
            memcpy(wet, next, sizeof wet);
            light_cone_advance(&cone);
            for (int i = 0; i < CELLS; i++)
                ck_assert_int_eq(cone.reached[i] >= 0, wet[i]);
        }
        light_cone_release(&cone);
        terrain_release(&terrain);
    }
END_TEST

/* Counts at each end of a vector and beyond; z of both signs, at the bound, and
 * NaN; steps that exist already. */
START_TEST(every_vector_marks_the_same_cells)
    {
        enum { COUNT = 75, AGE = 12 };
        static const double values[] = { 0, -0.0, .25, -.25, .3, -.3, NAN };
        float single[COUNT];
        double twice[COUNT];
        int32_t first[COUNT], step[COUNT], wanted[COUNT];
        struct random random;
        random_seed(&random, 5);
        for (int i = 0; i < COUNT; i++) {
            twice[i] = values[random_below(&random, 7)];
            single[i] = (float)twice[i];
            first[i] = random_below(&random, 3) ? -1 : (int32_t)(i % AGE);
        }
        for (int level = 0; level <= (int)kernel_best(); level++)
            for (size_t from = 0; from < 20; from++)
                for (size_t to = from; to <= COUNT; to++)
                    for (int is_single = 0; is_single < 2; is_single++) {
                        memcpy(step, first, sizeof step);
                        memcpy(wanted, first, sizeof wanted);
                        for (size_t i = from; i < to; i++)
                            if (first[i] < 0 && fabs(twice[i]) > .25)
                                wanted[i] = AGE;
                        kernel_find_mark((enum kernel_level)level,
                                         is_single ? sizeof *single
                                                   : sizeof *twice)(
                            step, is_single ? (void *)single : (void *)twice,
                            from, to, .25, AGE);
                        ck_assert_mem_eq(step, wanted, sizeof step);
                    }
    }
END_TEST

START_TEST(a_cone_from_a_wall_reaches_nothing)
    {
        size_t source;
        struct terrain terrain = random_map(31, &source);
        terrain.wall[source] = 1;
        struct light_cone cone;
        ck_assert_int_eq(light_cone_init(&cone, &terrain, NULL), STATUS_OK);
        light_cone_begin(&cone, source);
        light_cone_advance(&cone);
        for (size_t i = 0; i < CELLS; i++)
            ck_assert_int_eq(cone.reached[i], -1);
        light_cone_release(&cone);
        terrain_release(&terrain);
    }
END_TEST

int main(void)
{
    setenv("HAMON_THREADS", "all", 1); /* threads on small maps, too */
    Suite *suite = suite_create("arrival_field");
    TCase *field = tcase_create("field");
    tcase_add_test(field, the_field_is_the_detector_tested_cell_by_cell);
    tcase_add_test(field, threads_change_nothing);
    tcase_add_test(field, the_crossing_is_interpolated_in_the_logarithm);
    tcase_add_test(field, ages_out_of_order_and_after_the_lifetime_are_ignored);
    tcase_add_test(field, before_an_emission_the_amplitude_counts_as_0);
    tcase_add_test(
        field, a_look_has_the_amplitude_of_two_generations_before_at_its_place);
    tcase_add_test(field, a_detector_with_its_own_wave_is_rejected);
    tcase_add_test(field, the_descent_points_upwind_round_walls);
    tcase_add_test(field, every_vector_marks_the_same_cells);
    suite_add_tcase(suite, field);
    TCase *cone = tcase_create("light cone");
    tcase_add_test(cone, the_cone_reaches_a_cell_with_the_first_nonzero_number);
    tcase_add_test(cone, the_cone_is_right_with_walls_that_open_and_close);
    tcase_add_test(cone, a_cone_from_a_wall_reaches_nothing);
    suite_add_tcase(suite, cone);
    return suite_main(suite);
}
