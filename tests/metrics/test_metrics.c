/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "metrics/metrics.h"
#include "metrics/summary.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static double value(const char *name, const struct measured *measured)
{
    for (const struct metric *m = metrics; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m->value(measured);
    ck_abort_msg("no metric %s", name);
    return 0;
}

START_TEST(metrics_have_different_names)
    {
        int count = 0;
        for (const struct metric *m = metrics; m->name; m++, count++) {
            ck_assert_int_gt((int)strlen(m->unit), 0);
            ck_assert_int_eq(
                (int)strspn(m->name, "abcdefghijklmnopqrstuvwxyz_"),
                (int)strlen(m->name));
            for (const struct metric *n = metrics; n < m; n++)
                ck_assert_str_ne(n->name, m->name);
        }
        ck_assert_int_eq(count, METRICS);
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
              .captured = -1,
              .path_length = 0,
              .first_arrival = 50,
              .arrival_error = 4 },
        };
        const struct measured measured = { .steps = 480,
                                           .agents = agents,
                                           .agent_count = 3,
                                           .far_cells = 80,
                                           .far_reached = 20 };
        ck_assert_double_eq(value("captured", &measured), 2);
        ck_assert_double_eq_tol(value("capture_rate", &measured), 2. / 3,
                                1e-15);
        ck_assert_double_eq(value("captured_steps", &measured), 370);
        ck_assert_double_eq_tol(value("captured_ratio", &measured),
                                (0.15 * 260 / 30 + 0.15 * 480 / 60) / 2, 1e-15);
        ck_assert_double_eq(value("geodesic", &measured), 45);
        ck_assert_double_eq(value("path_length", &measured), 37);
        ck_assert_double_eq(value("first_arrival", &measured), 45);
        ck_assert_double_eq_tol(value("arrival_error", &measured), sqrt(12.5),
                                1e-15);
        ck_assert_double_eq(value("reach", &measured), 0.25);
    }
END_TEST

START_TEST(missing_data_of_a_run_are_nan)
    {
        const struct measured none = { .steps = -1, .far_cells = -1 };
        for (const struct metric *m = metrics; m->name; m++)
            if (strcmp(m->name, "agents") != 0 &&
                strcmp(m->name, "captured") != 0 &&
                strcmp(m->name, "arrivals") != 0)
                ck_assert_msg(isnan(m->value(&none)), "%s", m->name);
    }
END_TEST

START_TEST(a_method_is_measured_as_if_it_ran_alone)
    {
        struct measured_agent agents[4] = {
            { .method = "wave", .captured = 10, .arrivals = 2 },
            { .method = "astar",
              .captured = -1,
              .plans = 3,
              .expansions = 30,
              .nanoseconds = 600 },
            { .method = "wave", .captured = -1, .arrivals = 5 },
            { .method = "astar",
              .captured = 7,
              .plans = 1,
              .expansions = 4,
              .nanoseconds = 200 },
        };
        const struct measured all = {
            .steps = 10, .agents = agents, .agent_count = 4, .far_cells = -1
        };
        struct measured_agent some[4];
        struct measured part;
        ck_assert_uint_eq(measured_of_method(&all, "astar", some, &part), 2);
        ck_assert_double_eq(value("steps", &part), 10);
        ck_assert_double_eq(value("agents", &part), 2);
        ck_assert_double_eq(value("captured_steps", &part), 7);
        ck_assert_double_eq(value("expansions", &part), 34);
        ck_assert_double_eq(value("search_time", &part), 200);
        ck_assert_double_eq(value("arrivals", &part), 0);
        ck_assert_uint_eq(measured_of_method(&all, "wave", some, &part), 2);
        ck_assert_double_eq(value("arrivals", &part), 7);
        ck_assert(isnan(value("expansions", &part)));
        ck_assert_uint_eq(measured_of_method(&all, "lee", some, &part), 0);
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
        ck_assert(isnan(a.median) && isnan(a.low));
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
        ck_assert_double_le(law[(int)s.low], 0.025 + 0.014);
        ck_assert_double_ge(law[(int)s.low + 1], 0.025 - 0.014);
        ck_assert_double_le(law[(int)s.high], 0.975 + 0.014);
        ck_assert_double_ge(law[(int)s.high + 1], 0.975 - 0.014);
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
        ck_assert_double_ge(ratio.low, 4. / 3); /* from the readings
                                                 * themselves */
        ck_assert_double_le(ratio.high, 5);
        ratio = summary_ratio(sums, weights, 1);
        ck_assert_uint_eq(ratio.n, 1);
        ck_assert_double_eq(ratio.estimate, 1.5);
        ck_assert(isnan(ratio.low) && isnan(ratio.high));
        ratio = summary_ratio(sums + 3, weights + 3, 1);
        ck_assert_uint_eq(ratio.n, 0);
        ck_assert(isnan(ratio.estimate) && isnan(ratio.low));
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
            below += sum / weight <= ratio.low;
            above += sum / weight >= ratio.high;
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
        covered += ratio.low <= 5 && 5 <= ratio.high;
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
    tcase_add_test(tests, metrics_have_different_names);
    tcase_add_test(tests, means_leave_out_agents_without_a_number);
    tcase_add_test(tests, missing_data_of_a_run_are_nan);
    tcase_add_test(tests, a_method_is_measured_as_if_it_ran_alone);
    tcase_add_test(tests, quantiles_are_linear_between_neighbours);
    tcase_add_test(tests, a_summary_does_not_depend_on_order_and_skips_nan);
    tcase_add_test(tests, the_bootstrap_interval_is_that_of_its_exact_law);
    tcase_add_test(tests,
                   a_ratio_is_of_the_sums_and_skips_readings_without_weight);
    tcase_add_test(tests, a_ratios_interval_is_that_of_all_samples);
    tcase_add_test(tests, intervals_of_95_per_cent_cover_95_per_cent);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
