/* SPDX-License-Identifier: MIT */
#include "tests/wave/waves.h"

START_TEST(each_source_begins_as_it_is_described)
    {
        const enum source_kind kinds[] = { SOURCE_IMPULSE, SOURCE_REST,
                                           SOURCE_GAUSSIAN, SOURCE_RICKER };
        for (int i = 0; i < 4; i++) {
            struct pool pool;
            pool_init(&pool, 15, 11, 0);
            pool.terrain.wall[pool_cell(&pool, 8, 5, 0)] = 1;
            pool.settings.source = kinds[i];
            pool.settings.amplitude = 2.385;
            pool.settings.sigma = 1.75;
            pool.settings.wavelength = 12;
            pool_fill(&pool);
            wave_emit(pool.wave, pool_cell(&pool, 7, 5, 0), 3);
            ck_assert_int_eq(wave_emitted(pool.wave), 3);
            for (size_t j = 0; j < grid_cells(&pool.grid); j++) {
                int at[GRID_AXES];
                grid_cell(&pool.grid, j, at);
                double square = pow(at[0] - 7, 2) + pow(at[1] - 5, 2);
                double now = square == 0 ? 2.385 : 0, old = now;
                if (kinds[i] == SOURCE_IMPULSE)
                    old = 0;
                if (kinds[i] == SOURCE_RICKER)
                    now = old = 0;
                if (kinds[i] == SOURCE_GAUSSIAN)
                    now = old = 2.385 * exp(-square / (2 * 1.75 * 1.75));
                if (pool.terrain.wall[j])
                    now = old = 0;
                ck_assert_double_eq_tol(wave_value(pool.wave, j), now, 1e-15);
                ck_assert_double_eq_tol(wave_older_value(pool.wave, j), old,
                                        1e-15);
            }
            pool_release(&pool);
        }
    }
END_TEST

START_TEST(a_source_in_a_wall_emits_nothing)
    {
        for (int kind = 0; kind < 4; kind++) {
            struct pool pool;
            pool_init(&pool, 9, 9, 0);
            pool.terrain.wall[40] = 1;
            pool.settings.source = (enum source_kind)kind;
            pool.settings.sigma = 2;
            pool.settings.wavelength = 5;
            pool_fill(&pool);
            wave_emit(pool.wave, 40, 0);
            pool_run(&pool, 30);
            for (size_t i = 0; i < 81; i++)
                ck_assert(wave_value(pool.wave, i) == 0);
            pool_release(&pool);
        }
    }
END_TEST

/* A single cell has no neighbours: z⁺ = 2z − z⁻ + A·w, so the second difference
 * of its values is the wavelet itself. */
static double added(struct pool *pool, double *last, double *before)
{
    wave_step(pool->wave, NULL);
    double now = wave_value(pool->wave, 0), second = now - 2 * *last + *before;
    *before = *last;
    *last = now;
    return second;
}

START_TEST(a_ricker_source_adds_its_wavelet_and_peaks_at_its_frequency)
    {
        enum { STEPS = 400 };
        struct pool pool;
        pool_init(&pool, 1, 1, 0);
        pool.settings.source = SOURCE_RICKER;
        pool.settings.wavelength = 16;
        pool_fill(&pool);
        wave_emit(pool.wave, 0, 7);
        double omega = 2 * asin(0.5 * sin(PI / 16)), wavelet[STEPS];
        int peak = 1 + (int)ceil(2 * sqrt(18) / omega);
        double last = 0, before = 0;
        for (int k = 1; k < STEPS; k++) {
            double u = pow(omega * (k - peak) / 2, 2);
            wavelet[k] = added(&pool, &last, &before);
            ck_assert_double_eq_tol(wavelet[k], (1 - 2 * u) * exp(-u), 1e-12);
        }
        ck_assert(fabs(wavelet[1]) < 1e-6 && fabs(wavelet[peak] - 1) < 1e-12);
        /* The spectrum's largest bin is the one of ω. */
        double best = 0, at = 0;
        for (double w = omega / 4; w < 4 * omega; w += omega / 64) {
            double re = 0, im = 0;
            for (int k = 1; k < STEPS; k++) {
                re += wavelet[k] * cos(w * k);
                im += wavelet[k] * sin(w * k);
            }
            if (hypot(re, im) > best) {
                best = hypot(re, im);
                at = w;
            }
        }
        ck_assert_double_eq_tol(at, omega, omega / 32);
        pool_release(&pool);
    }
END_TEST

START_TEST(a_wave_never_emitted_stays_zero)
    {
        struct pool pool;
        pool_init(&pool, 5, 5, 0);
        pool_fill(&pool);
        ck_assert_int_eq(wave_emitted(pool.wave), -1);
        pool_run(&pool, 5);
        for (size_t i = 0; i < 25; i++)
            ck_assert(wave_value(pool.wave, i) == 0);
        ck_assert(wave_is_finite(pool.wave, NULL));
        pool_release(&pool);
    }
END_TEST

START_TEST(an_emission_forgets_the_one_before)
    {
        struct pool pool, fresh;
        pool_init(&pool, 20, 20, 0);
        pool_init(&fresh, 20, 20, 0);
        pool_fill(&pool);
        pool_fill(&fresh);
        wave_emit(pool.wave, 3, 0);
        pool_run(&pool, 50);
        wave_emit(pool.wave, 210, 50);
        wave_emit(fresh.wave, 210, 0);
        pool_run(&pool, 9);
        pool_run(&fresh, 9);
        for (size_t i = 0; i < 400; i++)
            ck_assert(wave_value(pool.wave, i) == wave_value(fresh.wave, i));
        pool_release(&pool);
        pool_release(&fresh);
    }
END_TEST

START_TEST(a_saved_wave_continues_bit_for_bit)
    {
        for (int i = 0; i < 16; i++) {
            struct pool pool;
            pool_init(&pool, i & 1 ? 7 : 33, 9, i & 1 ? 5 : 0);
            pool.settings.source = (enum source_kind)(i >> 2);
            pool.settings.precision = (enum precision)(i >> 1 & 1);
            pool.settings.sigma = 2;
            pool.settings.wavelength = 7;
            pool_fill(&pool);
            struct wave *resumed;
            ck_assert_int_eq(wave_new(pool.medium, &resumed, NULL), STATUS_OK);
            void *now = pool_field(&pool), *old = pool_field(&pool);
            int64_t emitted, source;
            wave_emit(pool.wave, 12, 100);
            pool_run(&pool, 17);
            wave_save(pool.wave, now, old, &emitted, &source);
            ck_assert_int_eq(emitted, 100);
            ck_assert_int_eq(source, 12);
            wave_load(resumed, now, old, emitted, source, 117);
            pool_run(&pool, 30);
            for (int k = 0; k < 30; k++)
                wave_step(resumed, NULL);
            wave_copy(pool.wave, now, NULL);
            wave_copy(resumed, old, NULL);
            ck_assert(memcmp(now, old, wave_field_bytes(pool.medium)) == 0);
            memory_release(now);
            memory_release(old);
            wave_release(resumed);
            pool_release(&pool);
        }
    }
END_TEST

START_TEST(a_closed_cell_is_cleared_and_a_freed_one_starts_at_zero)
    {
        struct pool pool;
        pool_init(&pool, 12, 10, 0);
        pool_fill(&pool);
        wave_emit(pool.wave, pool_cell(&pool, 5, 5, 0), 0);
        pool_run(&pool, 20);
        struct box box = { .low = { 0, 3, 0 }, .high = { 4, 6, 0 } };
        for (int set = 1; set >= 0; set--) {
            for (int y = 3; y <= 6; y++)
                memset(pool.terrain.wall + pool_cell(&pool, 0, y, 0), set, 5);
            medium_update(pool.medium, &box);
            wave_clear_walls(pool.wave, &box);
            for (int y = 3; y <= 6; y++)
                for (int x = 0; x <= 4; x++) {
                    size_t cell = pool_cell(&pool, x, y, 0);
                    ck_assert(wave_value(pool.wave, cell) == 0);
                    ck_assert(wave_older_value(pool.wave, cell) == 0);
                }
        }
        wave_step(pool.wave, NULL);
        ck_assert(wave_value(pool.wave, pool_cell(&pool, 4, 4, 0)) != 0);
        pool_release(&pool);
    }
END_TEST

START_TEST(one_value_that_is_not_finite_is_found)
    {
        const double bad[] = { INFINITY, -INFINITY, NAN };
        struct team *team;
        ck_assert_int_eq(team_new(3, true, &team, NULL), STATUS_OK);
        for (int i = 0; i < 6; i++) {
            struct pool pool;
            pool_init(&pool, 37, 11, 0);
            pool.settings.precision = (enum precision)(i & 1);
            pool_fill(&pool);
            const struct layout *layout = &pool.medium->layout;
            for (size_t cell = 0; cell < 37 * 11; cell += 29) {
                wave_emit(pool.wave, 200, 0);
                pool.wave->lit = grid_box(&layout->grid);
                ck_assert(wave_is_finite(pool.wave, team));
                field_set(layout, pool.wave->now, layout_cell(layout, cell),
                          bad[i >> 1]);
                ck_assert(!wave_is_finite(pool.wave, team));
                ck_assert(!wave_is_finite(pool.wave, NULL));
            }
            pool_release(&pool);
        }
        team_release(team);
    }
END_TEST

START_TEST(stability_looks_at_the_fastest_cell)
    {
        struct pool pool;
        double largest, limit;
        pool_init(&pool, 6, 6, 0);
        pool.settings.delta = 0.5;
        ck_assert(
            wave_is_stable(&pool.settings, &pool.terrain, &largest, &limit));
        ck_assert(largest == 0.5 && limit == 0.5);
        pool_speeds(&pool, NULL, 1);
        pool.terrain.speed[35] = 1.5;
        ck_assert(
            !wave_is_stable(&pool.settings, &pool.terrain, &largest, &limit));
        ck_assert(largest == 0.5 * 2.25);
        pool.settings.stencil = stencil_find("9-point");
        pool.settings.delta = 0.75 / 2.25;
        ck_assert(
            wave_is_stable(&pool.settings, &pool.terrain, &largest, &limit));
        ck_assert(limit == 0.75);
        pool_release(&pool);
    }
END_TEST

START_TEST(a_medium_rejects_impossible_settings)
    {
        struct pool pool;
        struct error error;
        pool_init(&pool, 6, 6, 0);
        pool.settings.stencil = stencil_find("7-point");
        ck_assert_int_eq(
            medium_new(&pool.terrain, &pool.settings, &pool.medium, &error),
            STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "7-point"));
        pool.settings.stencil = stencil_find("9-point");
        pool.settings.speed_form = FORM_CONSERVATIVE;
        ck_assert_int_eq(
            medium_new(&pool.terrain, &pool.settings, &pool.medium, &error),
            STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "conservative"));
        ck_assert_ptr_null(pool.medium);
        pool_release(&pool);
        pool_init(&pool, 6, 6, 6);
        pool.settings.stencil = stencil_find("27-point");
        pool.settings.speed_form = FORM_CONSERVATIVE;
        ck_assert_int_eq(
            medium_new(&pool.terrain, &pool.settings, &pool.medium, &error),
            STATUS_INPUT);
        ck_assert_ptr_nonnull(
            strstr(error.message, "27-point stencil has no conservative"));
        ck_assert_ptr_null(pool.medium);
        pool_release(&pool);
    }
END_TEST

START_TEST(names_are_in_the_order_of_their_values)
    {
        ck_assert_str_eq(wall_rule_names[WALLS_FREE], "free");
        ck_assert_str_eq(precision_names[PRECISION_DOUBLE], "double");
        ck_assert_str_eq(speed_form_names[FORM_CONSERVATIVE], "conservative");
        ck_assert_str_eq(wave_restart_names[RESTART_ON_ARRIVAL], "on-arrival");
        ck_assert_str_eq(source_names[SOURCE_RICKER], "ricker");
        ck_assert_str_eq(source_names[SOURCE_SIGNAL], "signal");
        ck_assert_str_eq(source_names[SOURCE_MODE], "mode");
        ck_assert_ptr_null(wall_rule_names[2]);
        ck_assert_ptr_null(source_names[6]);
    }
END_TEST

int main(void)
{
    setenv("HAMON_THREADS", "all", 1); /* threads on small maps, too */
    Suite *suite = suite_create("wave");
    TCase *tests = tcase_create("wave");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, each_source_begins_as_it_is_described);
    tcase_add_test(tests, a_source_in_a_wall_emits_nothing);
    tcase_add_test(tests,
                   a_ricker_source_adds_its_wavelet_and_peaks_at_its_frequency);
    tcase_add_test(tests, a_wave_never_emitted_stays_zero);
    tcase_add_test(tests, an_emission_forgets_the_one_before);
    tcase_add_test(tests, a_saved_wave_continues_bit_for_bit);
    tcase_add_test(tests,
                   a_closed_cell_is_cleared_and_a_freed_one_starts_at_zero);
    tcase_add_test(tests, one_value_that_is_not_finite_is_found);
    tcase_add_test(tests, stability_looks_at_the_fastest_cell);
    tcase_add_test(tests, a_medium_rejects_impossible_settings);
    tcase_add_test(tests, names_are_in_the_order_of_their_values);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
