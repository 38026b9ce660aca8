/* SPDX-License-Identifier: MIT */
#include "settings/value.h"
#include "tests/suite.h"
#include "wave/arrival/watch.h"

#include <float.h>
#include <math.h>

static struct arrival_settings settings_of(const char *detector,
                                           enum heading_rule heading)
{
    struct arrival_settings settings = arrival_default();
    settings.detector = detector_find(detector);
    settings.heading = heading;
    return settings;
}

static struct arrival_rules rules_of(const struct arrival_settings *settings)
{
    return (struct arrival_rules){ .settings = settings,
                                   .amplitude = 1,
                                   .smallest = FLT_MIN,
                                   .lifetime = 300 };
}

static struct arrival_look look_of(int64_t age, double before, double now,
                                   double gx, double gy)
{
    return (struct arrival_look){ .age = age,
                                  .now = now,
                                  .before = before,
                                  .gradient = { gx, gy, 0 },
                                  .reached = -1 };
}

static enum arrival_news feed(struct arrival_watch *watch,
                              const struct arrival_rules *rules,
                              struct arrival_look look, struct arrival *arrival)
{
    return arrival_watch_feed(watch, rules, &look, arrival);
}

START_TEST(an_arrival_is_reported_once_in_an_emission)
    {
        struct arrival_settings settings =
            settings_of("threshold", HEADING_SIGNED);
        struct arrival_rules rules = rules_of(&settings);
        struct arrival_watch watch = { 0 };
        struct arrival arrival;
        for (int round = 0; round < 2; round++) {
            ck_assert_int_eq(
                feed(&watch, &rules, look_of(1, 0, 1e-6, 1, 0), &arrival),
                ARRIVAL_NONE);
            ck_assert_int_eq(feed(&watch, &rules,
                                  look_of(2, 1e-6, -2e-5, 3e-7, -4e-7),
                                  &arrival),
                             ARRIVAL_CAME);
            ck_assert_int_eq(arrival.age, 2);
            ck_assert_double_eq(arrival.amplitude, -2e-5);
            ck_assert_double_eq(arrival.gradient[1], -4e-7);
            ck_assert_double_eq_tol(arrival.heading[0], -.6, 1e-15);
            ck_assert_double_eq_tol(arrival.heading[1], .8, 1e-15);
            ck_assert_int_eq(
                feed(&watch, &rules, look_of(3, 0, 1, 1, 1), &arrival),
                ARRIVAL_NONE);
            watch = (struct arrival_watch){ 0 };
        }
    }
END_TEST

START_TEST(paper_uses_the_gradient_without_its_sign)
    {
        struct arrival_settings settings =
            settings_of("threshold", HEADING_PAPER);
        struct arrival_rules rules = rules_of(&settings);
        struct arrival_watch watch = { 0 };
        struct arrival arrival;
        ck_assert_int_eq(
            feed(&watch, &rules, look_of(1, 0, -1, -3e-300, 4e-300), &arrival),
            ARRIVAL_CAME);
        ck_assert_double_eq_tol(arrival.heading[0], -.6, 1e-15);
        ck_assert_double_eq_tol(arrival.heading[1], .8, 1e-15);
    }
END_TEST

START_TEST(no_gradient_is_no_arrival_and_is_tested_again)
    {
        struct arrival_settings settings =
            settings_of("leading-edge", HEADING_PAPER);
        struct arrival_rules rules = rules_of(&settings);
        struct arrival_watch watch = { 0 };
        struct arrival arrival;
        double bad[] = { 0, NAN, INFINITY, -INFINITY };
        for (int i = 0; i < 4; i++)
            ck_assert_int_eq(
                feed(&watch, &rules, look_of(i + 1, 1, 1, bad[i], 0), &arrival),
                ARRIVAL_NONE);
        ck_assert_int_eq(
            feed(&watch, &rules, look_of(5, 1, NAN, 1, 0), &arrival),
            ARRIVAL_NONE);
        ck_assert_int_eq(feed(&watch, &rules,
                              look_of(6, 1, ldexp(1, 100), ldexp(1, 1000), 0),
                              &arrival),
                         ARRIVAL_CAME);
        ck_assert_int_eq(arrival.age, 6);
        ck_assert_double_eq(arrival.heading[0], 1);
    }
END_TEST

START_TEST(detection_runs_at_ages_1_to_the_lifetime)
    {
        struct arrival_settings settings =
            settings_of("leading-edge", HEADING_PAPER);
        struct arrival_rules rules = rules_of(&settings);
        struct arrival_watch watch = { 0 };
        struct arrival arrival;
        ck_assert_int_eq(feed(&watch, &rules, look_of(0, 0, 1, 1, 0), &arrival),
                         ARRIVAL_NONE);
        ck_assert_int_eq(
            feed(&watch, &rules, look_of(301, 0, 1, 1, 0), &arrival),
            ARRIVAL_NONE);
        ck_assert_int_eq(
            feed(&watch, &rules, look_of(300, 0, 1, 1, 0), &arrival),
            ARRIVAL_CAME);
    }
END_TEST

START_TEST(first_peak_uses_earlier_generations)
    {
        struct arrival_settings settings =
            settings_of("first-peak", HEADING_PAPER);
        struct arrival_rules rules = rules_of(&settings);
        struct arrival_watch watch = { 0 };
        struct arrival arrival;
        double signal[] = { 0, 0, 1, 4, 11, 17 };
        for (int k = 1; k < 5; k++)
            ck_assert_int_eq(feed(&watch, &rules,
                                  look_of(k, signal[k - 1], signal[k], 1, 0),
                                  &arrival),
                             ARRIVAL_NONE);
        ck_assert_int_eq(
            feed(&watch, &rules, look_of(5, 11, 17, 1, 0), &arrival),
            ARRIVAL_CAME);
    }
END_TEST

/* A wave that travels along u away from its source: z = f(t − r/c), f a pulse
 * that rises and then changes sign, at one place. */
static struct arrival_look pulse_look(int64_t age, double scale,
                                      const double u[2])
{
    double c = .5, period = 36;
    double omega = 2 * M_PI / period;
    double now = scale * sin(omega * (double)age);
    double before = scale * sin(omega * (double)(age - 1));
    double slope = -scale * omega / c * cos(omega * (double)age);
    return look_of(age, before, now, slope * u[0], slope * u[1]);
}

START_TEST(flux_points_against_the_wave_that_passes)
    {
        double u[2] = { .8, -.6 };
        double scales[] = { 1, -1, ldexp(1, 100), ldexp(-1, -600) };
        struct arrival_settings settings =
            settings_of("leading-edge", HEADING_FLUX);
        struct arrival_rules rules = rules_of(&settings);
        for (int i = 0; i < 4; i++) {
            struct arrival_watch watch = { 0 };
            struct arrival arrival;
            enum arrival_news news = ARRIVAL_NONE;
            int64_t age = 0;
            while (news == ARRIVAL_NONE && ++age < 100)
                news = feed(&watch, &rules, pulse_look(age, scales[i], u),
                            &arrival);
            ck_assert_int_eq(age, 19); /* the sign changes after 18 */
            ck_assert_int_eq(arrival.age, 1);
            ck_assert_double_eq_tol(arrival.heading[0], -.8, 1e-12);
            ck_assert_double_eq_tol(arrival.heading[1], .6, 1e-12);
            ck_assert_double_eq(arrival.amplitude,
                                pulse_look(1, scales[i], u).now);
        }
    }
END_TEST

START_TEST(flux_ends_after_its_steps_or_with_the_lifetime)
    {
        struct arrival_settings settings =
            settings_of("leading-edge", HEADING_FLUX);
        struct arrival_rules rules = rules_of(&settings);
        int64_t lifetimes[] = { 300, 25 }, ends[] = { 42, 25 };
        for (int i = 0; i < 2; i++) {
            rules.lifetime = lifetimes[i];
            struct arrival_watch watch = { 0 };
            struct arrival arrival;
            int64_t age = 2;
            enum arrival_news news = ARRIVAL_NONE;
            while (news == ARRIVAL_NONE && ++age < 50)
                news =
                    feed(&watch, &rules,
                         look_of(age, (double)age - 3, (double)age - 2, 2, 0),
                         &arrival);
            ck_assert_int_eq(age, ends[i]);
            ck_assert_int_eq(arrival.age, 3);
            ck_assert_double_eq(arrival.heading[0], 1);
        }
    }
END_TEST

START_TEST(flux_that_cancels_is_no_arrival_and_is_tested_again)
    {
        struct arrival_settings settings =
            settings_of("leading-edge", HEADING_FLUX);
        struct arrival_rules rules = rules_of(&settings);
        struct arrival_watch watch = { 0 };
        struct arrival arrival;
        feed(&watch, &rules, look_of(1, 0, 1, 1, 0), &arrival);
        feed(&watch, &rules, look_of(2, 1, 2, -1, 0), &arrival);
        ck_assert_int_eq(
            feed(&watch, &rules, look_of(3, 2, -1, 5, 0), &arrival),
            ARRIVAL_NONE);
        feed(&watch, &rules, look_of(4, -1, -2, 0, 1), &arrival);
        ck_assert_int_eq(
            feed(&watch, &rules, look_of(5, -2, 2, 5, 0), &arrival),
            ARRIVAL_CAME);
        ck_assert_int_eq(arrival.age, 4);
        ck_assert_double_eq(arrival.heading[1], -1);
    }
END_TEST

START_TEST(arrival_time_takes_the_descent_and_keeps_the_heading_without_one)
    {
        struct arrival_settings settings =
            settings_of("threshold", HEADING_ARRIVAL_TIME);
        struct arrival_rules rules = rules_of(&settings);
        struct arrival_watch watch = { 0 };
        struct arrival arrival;
        struct arrival_look look = look_of(1, 0, 1, 1, 0);
        look.descent[1] = -1;
        ck_assert_int_eq(feed(&watch, &rules, look, &arrival), ARRIVAL_CAME);
        ck_assert_double_eq(arrival.heading[0], 0);
        ck_assert_double_eq(arrival.heading[1], -1);
        watch = (struct arrival_watch){ 0 };
        look.descent[1] = 0;
        ck_assert_int_eq(feed(&watch, &rules, look, &arrival), ARRIVAL_CAME);
        ck_assert_double_eq(arrival.heading[1], 0);
    }
END_TEST

START_TEST(laplace_reports_logarithms_that_fit_any_range)
    {
        struct arrival_settings settings =
            settings_of("laplace", HEADING_SIGNED);
        struct arrival_rules rules = rules_of(&settings);
        struct arrival_watch watch = { 0 };
        struct arrival arrival;
        struct arrival_look look = look_of(9, 0, -.011, 1.2, -1.6);
        look.sum = 1;
        look.log_unit = -3000 * log(2);
        ck_assert_int_eq(feed(&watch, &rules, look, &arrival), ARRIVAL_NONE);
        look.now = -.01;
        ck_assert_int_eq(feed(&watch, &rules, look, &arrival), ARRIVAL_CAME);
        ck_assert_double_eq_tol(arrival.amplitude, -3000 * log(2), 1e-9);
        ck_assert_double_eq(arrival.gradient[1], -1.6);
        ck_assert_double_eq_tol(arrival.heading[0], .6, 1e-15);
        watch = (struct arrival_watch){ 0 };
        look.spoilt = true; /* and no later wave arrives */
        ck_assert_int_eq(feed(&watch, &rules, look, &arrival), ARRIVAL_LOST);
        ck_assert_int_eq(feed(&watch, &rules, look, &arrival), ARRIVAL_NONE);
    }
END_TEST

START_TEST(a_wave_lost_to_underflow_is_reported_once_and_may_still_arrive)
    {
        struct arrival_settings settings =
            settings_of("leading-edge", HEADING_SIGNED);
        struct arrival_rules rules = rules_of(&settings);
        struct arrival_watch watch = { 0 };
        struct arrival arrival = { .amplitude = 7 };
        struct arrival_look look = look_of(60, 0, 0, 0, 0);
        ck_assert_int_eq(feed(&watch, &rules, look, &arrival), ARRIVAL_NONE);
        look.reached = 61; /* arrives with this generation: wait for one more */
        look.age = 61;
        ck_assert_int_eq(feed(&watch, &rules, look, &arrival), ARRIVAL_NONE);
        look.age = 62;
        ck_assert_int_eq(feed(&watch, &rules, look, &arrival), ARRIVAL_LOST);
        ck_assert_int_eq(arrival.age, 62);
        ck_assert_double_eq(arrival.amplitude, 0);
        ck_assert_double_eq(arrival.heading[0], 0);
        look.age = 63;
        ck_assert_int_eq(feed(&watch, &rules, look, &arrival), ARRIVAL_NONE);
        look = look_of(64, 0, 1e-37, 1e-37, 0);
        ck_assert_int_eq(feed(&watch, &rules, look, &arrival), ARRIVAL_CAME);
    }
END_TEST

START_TEST(a_detector_with_a_level_above_the_smallest_number_loses_nothing)
    {
        struct arrival_look look = look_of(90, 0, 0, 0, 0);
        look.reached = 80;
        struct {
            const char *name;
            int64_t age;
            enum arrival_news news;
        } of[] = {
            { "threshold", 90, ARRIVAL_NONE },
            { "first-peak", 90, ARRIVAL_NONE },
            { "laplace", 90, ARRIVAL_NONE },
            { "capped-exponential", 291, ARRIVAL_NONE }, /* e^-87.3 > FLT_MIN */
            { "capped-exponential", 292, ARRIVAL_LOST },
            { "leading-edge", 90, ARRIVAL_LOST },
        };
        for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
            struct arrival_settings settings =
                settings_of(of[i].name, HEADING_SIGNED);
            struct arrival_rules rules = rules_of(&settings);
            struct arrival_watch watch = { 0 };
            struct arrival arrival;
            look.age = of[i].age;
            ck_assert_int_eq(feed(&watch, &rules, look, &arrival), of[i].news);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("arrival_watch");
    TCase *tests = tcase_create("watch");
    tcase_add_test(tests, an_arrival_is_reported_once_in_an_emission);
    tcase_add_test(tests, paper_uses_the_gradient_without_its_sign);
    tcase_add_test(tests, no_gradient_is_no_arrival_and_is_tested_again);
    tcase_add_test(tests, detection_runs_at_ages_1_to_the_lifetime);
    tcase_add_test(tests, first_peak_uses_earlier_generations);
    tcase_add_test(tests, flux_points_against_the_wave_that_passes);
    tcase_add_test(tests, flux_ends_after_its_steps_or_with_the_lifetime);
    tcase_add_test(tests, flux_that_cancels_is_no_arrival_and_is_tested_again);
    tcase_add_test(
        tests,
        arrival_time_takes_the_descent_and_keeps_the_heading_without_one);
    tcase_add_test(tests, laplace_reports_logarithms_that_fit_any_range);
    tcase_add_test(
        tests, a_wave_lost_to_underflow_is_reported_once_and_may_still_arrive);
    tcase_add_test(
        tests, a_detector_with_a_level_above_the_smallest_number_loses_nothing);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
