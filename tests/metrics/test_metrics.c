/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "metrics/measured.h"
#include "metrics/paired.h"
#include "metrics/proportion.h"
#include "metrics/results.h"
#include "metrics/summary.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

/* A column of the run's agents of a method; NULL: of all. */
static double value(const char *name, const struct measured *run,
                    const char *method)
{
    const struct measured_agent *agents[8];
    size_t count = 0;
    for (size_t i = 0; i < run->agent_count; i++) {
        run->agents[i].run = run;
        if (!method || strcmp(run->agents[i].method, method) == 0)
            agents[count++] = &run->agents[i];
    }
    for (size_t i = 0; i < results_column_count; i++)
        if (strcmp(results_columns[i].name, name) == 0) {
            double numbers[ESTIMATE_NUMBERS];
            struct results results;
            results_make(&results, agents, count, run, run->limit);
            results_numbers(&results_columns[i], &results, numbers);
            return numbers[0];
        }
    ck_abort_msg("no column %s", name);
    return 0;
}

START_TEST(columns_have_different_names_and_a_unit)
    {
        size_t printed = 0;
        for (size_t i = 0; i < results_column_count; i++) {
            const struct result *column = &results_columns[i];
            printed += 1 + (size_t)column->ends;
            ck_assert_int_gt((int)strlen(column->unit), 0);
            ck_assert_int_gt((int)strlen(column->heading), 0);
            ck_assert_int_gt((int)strlen(column->meaning), 0);
            ck_assert_int_eq(
                (int)strspn(column->name,
                            "abcdefghijklmnopqrstuvwxyz_0123456789"),
                (int)strlen(column->name));
            for (size_t k = 0; k < i; k++)
                ck_assert_str_ne(results_columns[k].name, column->name);
        }
        ck_assert_uint_le(printed, RESULTS_MOST);
    }
END_TEST

START_TEST(means_leave_out_agents_without_a_number)
    {
        struct measured_agent agents[3] = {
            { .speed = 0.15,
              .geodesic = 30,
              .captured = 260,
              .path_length = 39,
              .first_arrival = 40,
              .arrival_error = 3 },
            { .speed = 0.15,
              .geodesic = 60,
              .captured = 480,
              .path_length = 72,
              .first_arrival = NAN,
              .arrival_error = NAN },
            { .speed = 0.15,
              .geodesic = INFINITY,
              .captured = NAN,
              .path_length = 0,
              .first_arrival = 50,
              .arrival_error = 4 },
        };
        const struct measured measured = { .steps = 480,
                                           .dims = 2,
                                           .agents = agents,
                                           .agent_count = 3,
                                           .far_cells = 80,
                                           .far_reached = 20 };
        ck_assert_double_eq(value("captured", &measured, NULL), 2);
        ck_assert_double_eq_tol(value("capture_rate", &measured, NULL), 2. / 3,
                                1e-15);
        ck_assert_double_eq(value("captured_steps", &measured, NULL), 370);
        ck_assert_double_eq_tol(value("captured_ratio", &measured, NULL),
                                (0.15 * 260 / 30 + 0.15 * 480 / 60) / 2, 1e-15);
        ck_assert_double_eq_tol(value("capture_ratio_q3", &measured, NULL),
                                0.15 * 260 / 30 + 0.25 * -.1, 1e-15);
        ck_assert(isnan(value("marching_ratio_q3", &measured, NULL)));
        ck_assert_double_eq(value("geodesic", &measured, NULL), 45);
        ck_assert_double_eq(value("path_length", &measured, NULL), 37);
        ck_assert_double_eq(value("path_cells_median", &measured, NULL), 55.5);
        ck_assert_double_eq(value("first_arrival", &measured, NULL), 45);
        ck_assert_double_eq_tol(value("arrival_error", &measured, NULL),
                                sqrt(12.5), 1e-15);
        ck_assert_double_eq(value("reach", &measured, NULL), 0.25);
    }
END_TEST

START_TEST(missing_data_of_a_run_are_nan)
    {
        static const char *const counts[] = { "agents",   "captured",
                                              "chases",   "chases_captured",
                                              "arrivals", "limit" };
        const struct measured none = { .steps = -1,
                                       .step_nanoseconds = NAN,
                                       .far_cells = -1 };
        for (size_t i = 0; i < results_column_count; i++) {
            bool count = false;
            for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
                count =
                    count || strcmp(results_columns[i].name, counts[k]) == 0;
            double number = value(results_columns[i].name, &none, NULL);
            ck_assert_msg(count ? number == 0 : isnan(number), "%s",
                          results_columns[i].name);
        }
    }
END_TEST

START_TEST(a_method_is_measured_as_if_it_ran_alone)
    {
        struct measured_agent agents[4] = {
            { .method = "wave", .captured = 10, .arrivals = 2 },
            { .method = "astar",
              .captured = NAN,
              .plans = 3,
              .expansions = 30,
              .nanoseconds = 600 },
            { .method = "wave", .captured = NAN, .arrivals = 5 },
            { .method = "astar",
              .captured = 7,
              .plans = 1,
              .expansions = 4,
              .nanoseconds = 200 },
        };
        const struct measured all = {
            .steps = 10, .agents = agents, .agent_count = 4, .far_cells = -1
        };
        ck_assert_double_eq(value("steps", &all, "astar"), 10);
        ck_assert_double_eq(value("agents", &all, "astar"), 2);
        ck_assert_double_eq(value("captured_steps", &all, "astar"), 7);
        ck_assert_double_eq(value("expansions", &all, "astar"), 34);
        ck_assert_double_eq(value("search_time", &all, "astar"), 200);
        ck_assert_double_eq(value("arrivals", &all, "astar"), 0);
        ck_assert_double_eq(value("arrivals", &all, "wave"), 7);
        ck_assert(isnan(value("expansions", &all, "wave")));
        ck_assert_double_eq(value("agents", &all, "lee"), 0);
    }
END_TEST

START_TEST(quantiles_are_linear_between_neighbours)
    {
        const double values[] = { 1.5, 2, 4, 9 };
        ck_assert_double_eq(summary_quantile(values, 4, 0), 1.5);
        ck_assert_double_eq(summary_quantile(values, 4, 1), 9);
        ck_assert_double_eq(summary_quantile(values, 4, 0.5), 3);
        ck_assert_double_eq(summary_quantile(values, 4, 0.25), 1.875);
        ck_assert_double_eq(summary_quantile(values, 1, 0.7), 1.5);
    }
END_TEST

START_TEST(a_summary_does_not_depend_on_order_and_skips_nan)
    {
        const double one[] = { 3, NAN, 1, 2, INFINITY, 7.5 };
        const double other[] = { 7.5, 2, 1, 3 };
        struct summary a, b;
        a = summary_make(one, 6);
        b = summary_make(other, 4);
        ck_assert_uint_eq(a.n, 4);
        ck_assert_mem_eq(&a, &b, sizeof a);
        ck_assert_double_eq(a.median, 2.5);
        a = summary_make(one + 1, 1);
        ck_assert_uint_eq(a.n, 0);
        ck_assert(isnan(a.median) && isnan(a.interval.low) &&
                  isnan(a.interval.least));
    }
END_TEST

/* The bootstrap of the median of n distinct values has an exact law: the
 * probability that it is at most the k-th (n odd, m = (n+1)/2) is that of a
 * binomial number, n draws of probability k/n, being at least m. */
START_TEST(the_bootstrap_interval_is_that_of_its_exact_law)
    {
        enum { N = 21, MIDDLE = 11 };
        double values[N], law[N + 1];
        for (int i = 0; i < N; i++)
            values[i] = i;
        for (int k = 0; k <= N; k++) {
            double p = (double)k / N, sum = 0;
            for (int j = MIDDLE; j <= N; j++)
                sum +=
                    exp(lgamma(N + 1.) - lgamma(j + 1.) - lgamma(N - j + 1.)) *
                    pow(p, j) * pow(1 - p, N - j);
            law[k] = sum; /* probability that the median is at most k − 1 */
        }
        struct summary s;
        s = summary_make(values, N);
        /* 2000 samples: the standard error of a percentile is .0035; 4 of
         * these. */
        const int low = (int)s.interval.low, high = (int)s.interval.high;
        ck_assert_double_le(law[low], 0.025 + 0.014);
        ck_assert_double_ge(law[low + 1], 0.025 - 0.014);
        ck_assert_double_le(law[high], 0.975 + 0.014);
        ck_assert_double_ge(law[high + 1], 0.975 - 0.014);
    }
END_TEST

/* ---- ratios ---- */

START_TEST(a_ratio_is_of_the_sums_and_skips_readings_without_weight)
    {
        const double sums[] = { 3, 8, 5, 100, 4 };
        const double weights[] = { 2, 4, 1, 0, 3 };
        struct ratio ratio;
        ratio = summary_ratio(sums, weights, 5);
        ck_assert_uint_eq(ratio.n, 4);
        ck_assert_double_eq(ratio.estimate, 2);
        ck_assert_double_eq(ratio.interval.least, 4. / 3);
        ck_assert_double_eq(ratio.interval.largest, 5);
        ck_assert(isnan(ratio.interval.low) && isnan(ratio.interval.high));
        ratio = summary_ratio(sums, weights, 1);
        ck_assert_uint_eq(ratio.n, 1);
        ck_assert_double_eq(ratio.estimate, 1.5);
        ck_assert(isnan(ratio.interval.low) && isnan(ratio.interval.least));
        ratio = summary_ratio(sums + 3, weights + 3, 1);
        ck_assert_uint_eq(ratio.n, 0);
        ck_assert(isnan(ratio.estimate) && isnan(ratio.interval.least));
    }
END_TEST

/* Every number of values from 0 to 12, of every statistic: under 5 there is a
 * range and no interval of 95 %, from 5 on the reverse; of proportions there is
 * an interval from 10 trials on. */
START_TEST(fewer_than_5_values_have_a_range_and_no_interval)
    {
        enum { MOST = 12 };
        double values[MOST], ones[MOST];
        struct survival_time times[MOST];
        struct pair pairs[MOST];
        for (size_t i = 0; i < MOST; i++) {
            values[i] = (double)(7 * i % 5) + .25 * (double)i + 1;
            ones[i] = 1;
            times[i] = (struct survival_time){ values[i], true, 0 };
            pairs[i] = (struct pair){ times[i], { 2 * values[i], true, 0 }, i };
        }
        for (size_t n = 0; n <= MOST; n++) {
            double least = INFINITY, largest = -INFINITY, low, high;
            for (size_t i = 0; i < n; i++) {
                least = fmin(least, values[i]);
                largest = fmax(largest, values[i]);
            }
            const struct summary summary = summary_make(values, n);
            const struct ratio ratio = summary_ratio(values, ones, n);
            const struct survival survival = survival_make(times, n, 100);
            const struct paired paired = paired_make(pairs, n, 100);
            const struct interval *const of[] = { &summary.interval,
                                                  &ratio.interval,
                                                  &paired.difference.interval,
                                                  &paired.wins_share.interval };
            for (int i = 0; i < 4; i++) {
                ck_assert_int_eq(!isnan(of[i]->low), n >= 5);
                ck_assert_int_eq(!isnan(of[i]->high), n >= 5);
                ck_assert_int_eq(!isnan(of[i]->least), n > 1 && n < 5);
                ck_assert_int_eq(!isnan(of[i]->largest), n > 1 && n < 5);
                interval_bar(of[i], &low, &high);
                ck_assert_int_eq(!isnan(low), of[i]->high > of[i]->low);
                ck_assert_int_eq(!isnan(high), of[i]->high > of[i]->low);
            }
            for (int i = 0; i < 2 && n > 1 && n < 5; i++) {
                ck_assert_double_eq(of[i]->least, least);
                ck_assert_double_eq(of[i]->largest, largest);
            }
            if (n > 1 && n < 5) { /* the other takes twice the time */
                ck_assert_double_eq_tol(of[2]->least, -largest, 1e-12);
                ck_assert_double_eq_tol(of[2]->largest, -least, 1e-12);
            }
            ck_assert(n >= 5 || isnan(survival.lower_quartile.low));
            ck_assert(n >= 5 || isnan(survival.lower_quartile.high));
            ck_assert(n < MOST || !isnan(survival.lower_quartile.high));
            const struct interval rate =
                proportion_make((double)n / 2, (double)n).interval;
            ck_assert_int_eq(!isnan(rate.low) && !isnan(rate.high), n >= 10);
        }
        const struct interval none = { 3, 3, NAN, NAN };
        double low, high;
        interval_bar(&none, &low, &high); /* nothing was varied */
        ck_assert(isnan(low) && isnan(high));
    }
END_TEST

/* All 6^6 samples. Student's t of 5 degrees of freedom has .025 beyond 2.5706;
 * 2.5706·√(6/5) leaves .002425 of the normal distribution. */
START_TEST(a_ratios_interval_is_that_of_all_samples)
    {
        enum { N = 6, ALL = 46656 };
        const double sums[N] = { 2, 9, 4, 1, 7, 3 };
        const double weights[N] = { 3, 4, 1, 2, 5, 4 };
        struct ratio ratio;
        ratio = summary_ratio(sums, weights, N);
        int below = 0, above = 0;
        for (int number = 0; number < ALL; number++) {
            double sum = 0, weight = 0;
            for (int k = 0, rest = number; k < N; k++, rest /= N) {
                sum += sums[rest % N];
                weight += weights[rest % N];
            }
            below += sum / weight <= ratio.interval.low;
            above += sum / weight >= ratio.interval.high;
        }
        /* 4.85 of 2,000 are expected beyond each end, ± 2.2. */
        ck_assert_double_ge((double)below / ALL, .0008);
        ck_assert_double_le((double)below / ALL, .0055);
        ck_assert_double_ge((double)above / ALL, .0008);
        ck_assert_double_le((double)above / ALL, .0055);
    }
END_TEST

/* Of 1,000 intervals the share that contains the true mean: of normal numbers,
 * by Box and Muller. */
static double coverage(size_t n)
{
    enum { TRIALS = 1000 };
    struct random random;
    random_seed(&random, 20 + n);
    int covered = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double values[64], ones[64];
        struct ratio ratio;
        for (size_t i = 0; i < n; i++) {
            double u = 1 - random_unit(&random), v = random_unit(&random);
            values[i] = 5 + sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
            ones[i] = 1;
        }
        ratio = summary_ratio(values, ones, n);
        const struct interval *in = &ratio.interval;
        covered += n < INTERVAL_VALUES ? in->least <= 5 && 5 <= in->largest
                                       : in->low <= 5 && 5 <= in->high;
    }
    return (double)covered / TRIALS;
}

START_TEST(intervals_of_95_per_cent_cover_95_per_cent)
    {
        double twenty = coverage(20), eight = coverage(8);
        ck_assert_msg(twenty >= .93 && twenty <= .97, "n = 20: %g", twenty);
        ck_assert_msg(eight >= .92 && eight <= .97, "n = 8: %g", eight);
        double four = coverage(4); /* between the minimum and the maximum */
        ck_assert_msg(four >= .85 && four <= .9, "n = 4: %g", four);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("metrics");
    TCase *tests = tcase_create("metrics");
    tcase_add_test(tests, columns_have_different_names_and_a_unit);
    tcase_add_test(tests, means_leave_out_agents_without_a_number);
    tcase_add_test(tests, missing_data_of_a_run_are_nan);
    tcase_add_test(tests, a_method_is_measured_as_if_it_ran_alone);
    tcase_add_test(tests, quantiles_are_linear_between_neighbours);
    tcase_add_test(tests, a_summary_does_not_depend_on_order_and_skips_nan);
    tcase_add_test(tests, the_bootstrap_interval_is_that_of_its_exact_law);
    tcase_add_test(tests,
                   a_ratio_is_of_the_sums_and_skips_readings_without_weight);
    tcase_add_test(tests, a_ratios_interval_is_that_of_all_samples);
    tcase_add_test(tests, fewer_than_5_values_have_a_range_and_no_interval);
    tcase_add_test(tests, intervals_of_95_per_cent_cover_95_per_cent);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
