/* SPDX-License-Identifier: MIT */
#include "settings/value.h"
#include "tests/suite.h"
#include "wave/arrival/detector.h"

#include <math.h>
#include <string.h>

/* The first age at which the detector fires on this signal, or −1. The signal
 * is 0 before its first value, which is that of age 0. */
static int64_t first_held(const char *name, const double *signal, int count,
                          double amplitude)
{
    struct arrival_settings settings = arrival_default();
    settings.detector = detector_find(name);
    for (int k = 1; k < count; k++) {
        struct detector_sample sample = {
            .now = signal[k],
            .before = signal[k - 1],
            .earlier = k > 1 ? signal[k - 2] : 0,
            .amplitude = amplitude,
            .age = k,
        };
        if (settings.detector->holds(&settings, &sample))
            return k;
    }
    return -1;
}

START_TEST(every_detector_is_found_by_its_name_and_no_other)
    {
        static const char *const names[] = { "threshold", "capped-exponential",
                                             "leading-edge", "first-peak",
                                             "laplace" };
        for (int i = 0; i < 5; i++) {
            ck_assert_ptr_eq(detector_find(names[i]), detectors[i]);
            ck_assert_str_eq(detectors[i]->name, names[i]);
        }
        ck_assert_ptr_null(detectors[5]);
        ck_assert_ptr_null(detector_find("Threshold"));
        ck_assert_ptr_null(detector_find(""));
        ck_assert_str_eq(heading_rule_names[HEADING_FLUX], "flux");
        ck_assert_ptr_null(heading_rule_names[HEADING_ARRIVAL_TIME + 1]);
    }
END_TEST

START_TEST(threshold_is_met_at_equality_and_by_magnitude)
    {
        double level = arrival_default().threshold * 2.385;
        double signal[] = { 0, 0, nextafter(level, 0), -level, 1 };
        ck_assert_int_eq(first_held("threshold", signal, 5, 2.385), 3);
        ck_assert_int_eq(first_held("threshold", signal, 3, 2.385), -1);
    }
END_TEST

START_TEST(capped_exponential_has_a_lower_level_for_an_older_wave)
    {
        /* 6.9e-6 is between e^(−.3·39) = 8.3e-6 and e^(−.3·40) = 6.1e-6. */
        double signal[64];
        for (int k = 0; k < 64; k++)
            signal[k] = 6.9e-6;
        ck_assert_int_eq(first_held("capped-exponential", signal, 64, 1), 40);
        /* Only the cap counts while e^(−βk) is above it (k < 31). */
        signal[7] = -1.01e-4;
        ck_assert_int_eq(first_held("capped-exponential", signal, 64, 1), 7);
    }
END_TEST

START_TEST(leading_edge_takes_the_smallest_number_and_not_a_nan)
    {
        double signal[] = { 0, -0.0, NAN, 0, -4.9406564584124654e-324, 1 };
        ck_assert_int_eq(first_held("leading-edge", signal, 6, 1), 4);
    }
END_TEST

START_TEST(first_peak_is_met_one_generation_after_the_largest_rate)
    {
        /* Rates 0, 1, 3, 7, 6: the maximum is at 4, known at 5. */
        double signal[] = { 0, 0, 1, 4, 11, 17, 20 };
        ck_assert_int_eq(first_held("first-peak", signal, 7, 1), 5);
        /* The same below the floor is not a peak; a falling wave has one
         * too. */
        ck_assert_int_eq(first_held("first-peak", signal, 7, 1e15), -1);
        for (int k = 0; k < 7; k++)
            signal[k] = -signal[k];
        ck_assert_int_eq(first_held("first-peak", signal, 7, 1), 5);
    }
END_TEST

/* Numbers whose differences are exact. */
START_TEST(first_peak_waits_while_the_rate_stays_the_same)
    {
        /* Rates 0, 2, 2, 2, 1: the maximum lasts until 4, known at 5. */
        double signal[] = { 0, 0, 2, 4, 6, 7 };
        ck_assert_int_eq(first_held("first-peak", signal, 5, 1), -1);
        ck_assert_int_eq(first_held("first-peak", signal, 6, 1), 5);
        /* A fall of the same size is the same rate. */
        double swing[] = { 0, 0, 2, 0, 2, 1 };
        ck_assert_int_eq(first_held("first-peak", swing, 6, 1), 5);
    }
END_TEST

START_TEST(the_sum_decides_an_arrival_by_the_laplace_weighted_wave)
    {
        const struct detector *detector = detector_find("laplace");
        const struct arrival_settings defaults = arrival_default();
        const struct {
            double sum, now;
            bool holds;
        } of[] = { { 1, .01, true }, { 1, -.01, true }, { 1, .0101, false },
                   { 0, 0, false },  { NAN, 0, false }, { 1, NAN, false },
                   { -1, 0, false } };
        for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
            struct detector_sample sample = {
                .now = of[i].now, .amplitude = 1, .age = 9, .sum = of[i].sum
            };
            ck_assert(detector->holds(&defaults, &sample) == of[i].holds);
        }
    }
END_TEST

/* With areas of other speeds one bit more does not fit, or 600 are enough. */
START_TEST(the_range_is_as_large_as_areas_of_other_speeds_need)
    {
        const struct detector *detector = detector_find("laplace");
        double speed[1] = { .5 };
        struct terrain terrain = { .speed = NULL };
        struct wave_settings waves = { .walls = WALLS_FREE };
        for (int i = 0; i < 12; i++) {
            struct arrival_settings settings = arrival_default();
            struct detector_fault fault;
            settings.detector = detector;
            settings.p = i % 3 ? i % 3 : .3;
            settings.eta = i / 3 % 2 ? .3 : 1e-4;
            waves.precision = i / 6 % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE;
            terrain.speed = NULL;
            detector->settle(&settings, &waves, &terrain);
            ck_assert_int_eq(settings.range, 66);
            settings.range = 0;
            terrain.speed = speed;
            detector->settle(&settings, &waves, &terrain);
            ck_assert(detector->fits(&settings, &waves, &terrain, 1, &fault));
            settings.range++;
            if (waves.precision == PRECISION_DOUBLE)
                ck_assert_int_eq(settings.range, 601);
            else
                ck_assert(
                    !detector->fits(&settings, &waves, &terrain, 1, &fault));
        }
    }
END_TEST

START_TEST(no_detector_is_met_by_nan)
    {
        double signal[] = { NAN, NAN, NAN, NAN };
        for (int i = 0; detectors[i]; i++)
            ck_assert_int_eq(first_held(detectors[i]->name, signal, 4, 1), -1);
    }
END_TEST

START_TEST(arrivals_do_not_depend_on_the_amplitude)
    {
        double large = ldexp(1, 100), small[48], scaled[48];
        for (int k = 0; k < 48; k++) {
            small[k] = ldexp(sin(.31 * k), k - 60);
            scaled[k] = small[k] * large;
        }
        for (int i = 0; !detectors[i]->own_wave; i++) {
            int64_t held = first_held(detectors[i]->name, small, 48, 1);
            ck_assert_int_gt(held, 0);
            ck_assert_int_eq(first_held(detectors[i]->name, scaled, 48, large),
                             held);
        }
    }
END_TEST

START_TEST(a_level_is_the_same_test_as_its_detector)
    {
        struct arrival_settings settings = arrival_default();
        for (int i = 0; detectors[i]->level; i++) {
            settings.detector = detectors[i];
            for (int64_t age = 1; age < 4000; age += 37)
                for (int shift = -1080; shift < 8; shift += 3) {
                    double z = ldexp(-1.37, shift);
                    struct detector_sample sample = { .now = z,
                                                      .amplitude = 1.9,
                                                      .age = age };
                    bool level = z != 0 && fabs(z) >= detectors[i]->level(
                                                          &settings, 1.9, age);
                    ck_assert(detectors[i]->holds(&settings, &sample) == level);
                }
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("arrival");
    TCase *tests = tcase_create("detectors");
    tcase_add_test(tests, every_detector_is_found_by_its_name_and_no_other);
    tcase_add_test(tests, threshold_is_met_at_equality_and_by_magnitude);
    tcase_add_test(tests,
                   capped_exponential_has_a_lower_level_for_an_older_wave);
    tcase_add_test(tests, leading_edge_takes_the_smallest_number_and_not_a_nan);
    tcase_add_test(tests,
                   first_peak_is_met_one_generation_after_the_largest_rate);
    tcase_add_test(tests, first_peak_waits_while_the_rate_stays_the_same);
    tcase_add_test(tests,
                   the_sum_decides_an_arrival_by_the_laplace_weighted_wave);
    tcase_add_test(tests, the_range_is_as_large_as_areas_of_other_speeds_need);
    tcase_add_test(tests, no_detector_is_met_by_nan);
    tcase_add_test(tests, arrivals_do_not_depend_on_the_amplitude);
    tcase_add_test(tests, a_level_is_the_same_test_as_its_detector);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
