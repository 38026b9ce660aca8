/* SPDX-License-Identifier: MIT */
/* The statistics of src/metrics compared with brute force and with results by
 * hand; statistics.test compares them with R. */
#include "base/random.h"
#include "metrics/holm.h"
#include "metrics/paired.h"
#include "metrics/proportion.h"
#include "metrics/summary.h"
#include "metrics/survival.h"
#include "metrics/wilcoxon.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define CAUGHT(t)                                                              \
    {                                                                          \
        t, true, 0                                                             \
    }
#define MISSED(t)                                                              \
    {                                                                          \
        t, false, 0                                                            \
    }

static double within(struct random *random, double below)
{
    return (double)random_below(random, (uint64_t)below);
}

/* ---- proportions ---- */

/* Wilson's ends are where |hits/n − p| = z √(p(1 − p)/n). */
START_TEST(a_proportions_limits_solve_the_score_equation)
    {
        static const double hits[] = { 0, 1, 3, 7, 19, 20 };
        for (size_t i = 0; i < sizeof hits / sizeof *hits; i++) {
            const struct interval of = proportion_make(hits[i], 20).interval;
            const double end[2] = { of.low, of.high };
            ck_assert_double_le(end[0], hits[i] / 20);
            ck_assert_double_ge(end[1], hits[i] / 20);
            for (int k = 0; k < 2; k++)
                ck_assert_double_eq_tol(
                    pow(hits[i] / 20 - end[k], 2),
                    pow(NORMAL_95, 2) * end[k] * (1 - end[k]) / 20, 1e-15);
        }
        const struct estimate none = proportion_make(0, 0);
        ck_assert(isnan(none.estimate) && isnan(none.interval.low) &&
                  isnan(none.interval.high));
    }
END_TEST

/* ---- times with censoring ---- */

/* S(t) by its definition, over all distinct times up to t. */
static double surviving(const struct survival_time *times, size_t n, double t)
{
    double product = 1;
    for (double at = 0; at <= t; at++) {
        double captured = 0, at_risk = 0;
        for (size_t i = 0; i < n; i++) {
            captured += times[i].captured && times[i].time == at;
            at_risk += times[i].time >= at;
        }
        if (captured > 0)
            product *= 1 - captured / at_risk;
    }
    return product;
}

static void draw_times(struct random *random, struct survival_time *times,
                       size_t n, double range)
{
    for (size_t i = 0; i < n; i++)
        times[i] = (struct survival_time){ within(random, range),
                                           random_below(random, 3) > 0, 0 };
}

/* With whole times S is constant within a step: the area is a sum. */
START_TEST(the_mean_is_the_area_under_the_curve_by_its_definition)
    {
        struct random random;
        random_seed(&random, 4);
        for (size_t n = 1; n <= 40; n++) {
            struct survival_time times[40];
            struct survival s;
            double limit = 5 + within(&random, 30), area = 0;
            draw_times(&random, times, n, 25);
            s = survival_make(times, n, limit);
            for (double t = 0; t < limit; t++)
                area += surviving(times, n, t);
            ck_assert_double_eq_tol(s.mean, area, 1e-12);
            ck_assert_uint_eq(s.n, n);
        }
    }
END_TEST

START_TEST(quartiles_are_the_times_at_which_the_curve_reaches_them)
    {
        struct random random;
        random_seed(&random, 5);
        for (size_t n = 1; n <= 39; n += 2) { /* never at a quarter's level */
            struct survival_time times[40];
            struct survival s;
            draw_times(&random, times, n, 25);
            s = survival_make(times, n, 30);
            const double at[] = { s.lower_quartile.at, s.median.at,
                                  s.upper_quartile.at };
            for (int q = 0; q < 3; q++) {
                double level = .75 - .25 * q;
                if (isnan(at[q])) {
                    ck_assert_double_gt(surviving(times, n, 30), level);
                    continue;
                }
                ck_assert_double_le(surviving(times, n, at[q]), level + 1e-12);
                ck_assert_double_ge(surviving(times, n, at[q] - 1),
                                    level - 1e-12);
            }
        }
    }
END_TEST

START_TEST(without_censoring_all_is_as_in_the_plain_sample)
    {
        static const struct survival_time times[] = { CAUGHT(40), CAUGHT(10),
                                                      CAUGHT(20), CAUGHT(30) };
        struct survival s;
        s = survival_make(times, 4, 100);
        ck_assert_double_eq(s.median.at, 25);
        ck_assert_double_eq(s.lower_quartile.at, 15);
        ck_assert_double_eq(s.upper_quartile.at, 35);
        ck_assert_double_eq_tol(s.mean, 25, 1e-13);
        /* Of the sample: √(Σ (t − 25)²)/n. */
        ck_assert_double_eq_tol(s.error, sqrt(500) / 4, 1e-12);
        ck_assert_double_eq(s.least, 10);
        ck_assert_double_eq(s.largest, 40);
    }
END_TEST

START_TEST(a_curve_that_ends_at_the_level_has_the_middle_of_its_last_piece)
    {
        static const struct survival_time times[] = { CAUGHT(10), MISSED(50) };
        struct survival s;
        s = survival_make(times, 2, 50);
        ck_assert_double_eq(s.lower_quartile.at, 10);
        ck_assert_double_eq(s.least, 10);
        ck_assert(isnan(s.largest));
        ck_assert_double_eq(s.median.at, 30);
        ck_assert(isnan(s.upper_quartile.at));
    }
END_TEST

START_TEST(chases_without_a_capture_have_the_limit_as_mean)
    {
        static const struct survival_time times[] = { MISSED(50), MISSED(50) };
        struct survival s;
        s = survival_make(times, 2, 50);
        ck_assert_double_eq(s.mean, 50);
        ck_assert_double_eq(s.error, 0);
        ck_assert(isnan(s.median.at) && isnan(s.least) && isnan(s.largest));
        ck_assert(isnan(s.lower_quartile.at) && isnan(s.lower_quartile.high));
        s = survival_make(times, 0, 50);
        ck_assert(isnan(s.mean) && isnan(s.median.at));
    }
END_TEST

START_TEST(a_chase_ends_at_its_first_capture_or_at_its_last)
    {
        static const struct {
            struct survival_time a, b, first, last;
        } chases[] = {
            { CAUGHT(3), CAUGHT(7), CAUGHT(3), CAUGHT(7) },
            { CAUGHT(5), CAUGHT(5), CAUGHT(5), CAUGHT(5) },
            { CAUGHT(5), MISSED(5), CAUGHT(5), MISSED(5) },
            { CAUGHT(5), MISSED(90), CAUGHT(5), MISSED(90) },
            { MISSED(90), MISSED(90), MISSED(90), MISSED(90) },
        };
        for (size_t i = 0; i < 2 * sizeof chases / sizeof *chases; i++) {
            struct survival_time a = chases[i / 2].a, b = chases[i / 2].b;
            for (int any = 0; any < 2; any++) {
                struct survival_time chase =
                    i % 2 ? survival_join(b, a, any) : survival_join(a, b, any);
                struct survival_time wanted =
                    any ? chases[i / 2].first : chases[i / 2].last;
                ck_assert_double_eq(chase.time, wanted.time);
                ck_assert_int_eq(chase.captured, wanted.captured);
            }
        }
    }
END_TEST

START_TEST(a_weight_counts_as_so_many_copies)
    {
        struct random random;
        random_seed(&random, 6);
        for (int round = 0; round < 50; round++) {
            struct survival_time times[12], copies[60];
            double weights[12];
            size_t filled = 0;
            draw_times(&random, times, 12, 20);
            survival_sort(times, 12);
            for (size_t i = 0; i < 12; i++) {
                times[i].group = 11 - i;
                weights[11 - i] = within(&random, 5);
                for (double k = 0; k < weights[11 - i]; k++)
                    copies[filled++] = times[i];
            }
            ck_assert_double_eq_tol(survival_mean(times, weights, 12, 17),
                                    survival_mean(copies, NULL, filled, 17),
                                    1e-13);
        }
        const double none[12] = { 0 };
        struct survival_time one = CAUGHT(3);
        ck_assert(isnan(survival_mean(&one, none, 1, 17)));
    }
END_TEST

/* ---- Wilcoxon ---- */

/* Of all 2^n signs the number with a sum at least as far from the middle. */
static double signs_as_far(size_t n, double v)
{
    double middle = (double)n * (double)(n + 1) / 4, count = 0;
    for (unsigned signs = 0; signs < 1U << n; signs++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += signs >> i & 1 ? (double)(i + 1) : 0;
        count += fabs(sum - middle) >= fabs(v - middle);
    }
    return count / (double)(1U << n);
}

START_TEST(wilcoxons_p_is_the_share_of_all_signs)
    {
        struct random random;
        random_seed(&random, 7);
        for (size_t n = 1; n <= 14; n++) {
            double differences[14];
            struct wilcoxon w;
            for (size_t i = 0; i < n; i++)
                differences[i] = (double)(i + 1) * (within(&random, 2) * 2 - 1);
            w = wilcoxon_make(differences, n);
            ck_assert(w.exact);
            ck_assert_uint_eq(w.n, n);
            ck_assert_double_eq_tol(w.p, signs_as_far(n, w.v), 1e-15);
        }
    }
END_TEST

START_TEST(wilcoxon_takes_mean_ranks_and_leaves_out_zeros)
    {
        static const double differences[] = { 3, 0, -1, 3, -3, 7, 0 };
        struct wilcoxon w;
        w = wilcoxon_make(differences, 7);
        ck_assert_uint_eq(w.n, 5);
        ck_assert_double_eq(w.v, 3 + 3 + 5); /* 1, then 3 three times, then 5 */
        ck_assert(!w.exact);
        /* σ² = 5·6·11/24 − (27 − 3)/48 = 13.25; |11 − 7.5| − .5 = 3 */
        ck_assert_double_eq_tol(w.p, erfc(3 / sqrt(2 * 13.25)), 1e-15);
        w = wilcoxon_make(differences + 1, 1);
        ck_assert_uint_eq(w.n, 0);
        ck_assert(isnan(w.p));
    }
END_TEST

START_TEST(wilcoxon_of_fifty_is_the_normal_approximation)
    {
        double differences[50];
        struct wilcoxon w;
        for (int i = 0; i < 50; i++)
            differences[i] = i % 3 ? i + 1 : -i - 1;
        w = wilcoxon_make(differences, 49);
        ck_assert(w.exact);
        w = wilcoxon_make(differences, 50);
        ck_assert(!w.exact);
        double sigma = sqrt(50. * 51 * 101 / 24);
        ck_assert_double_eq_tol(
            w.p, erfc((w.v - 50. * 51 / 4 - .5) / sigma / sqrt(2)), 1e-15);
    }
END_TEST

/* ---- Holm ---- */

/* By the steps of the paper: sorted, each multiplied by the number of those not
 * yet treated, never smaller than the one before. */
START_TEST(holm_goes_down_step_by_step)
    {
        struct random random;
        random_seed(&random, 8);
        for (int round = 0; round < 100; round++) {
            enum { N = 9 };
            double p[N], sorted[N], adjusted[N], before = 0;
            for (int i = 0; i < N; i++)
                sorted[i] = p[i] = within(&random, 12) / 40;
            holm_adjust(p, N, adjusted);
            summary_sort(sorted, N);
            for (int k = 0; k < N; k++) {
                before = fmin(1, fmax(before, (N - k) * sorted[k]));
                for (int i = 0; i < N; i++)
                    if (p[i] == sorted[k] && (k == 0 || sorted[k - 1] < p[i]))
                        ck_assert_double_eq(adjusted[i], before);
            }
        }
    }
END_TEST

START_TEST(holm_does_not_count_nan)
    {
        static const double p[] = { .01, NAN, .04 };
        double adjusted[3];
        holm_adjust(p, 3, adjusted);
        ck_assert_double_eq(adjusted[0], .02);
        ck_assert(isnan(adjusted[1]));
        ck_assert_double_eq(adjusted[2], .04);
    }
END_TEST

/* ---- pairs ---- */

#define CAUGHT(t)                                                              \
    {                                                                          \
        t, true, 0                                                             \
    }
#define MISSED(t)                                                              \
    {                                                                          \
        t, false, 0                                                            \
    }

START_TEST(a_win_is_a_capture_while_the_other_is_known_to_be_free)
    {
        static const struct pair pairs[] = {
            { CAUGHT(10), CAUGHT(12), 1 },  /* win */
            { CAUGHT(10), CAUGHT(10), 2 },  /* tie */
            { CAUGHT(12), CAUGHT(10), 3 },  /* loss */
            { CAUGHT(50), MISSED(100), 4 }, /* win */
            { MISSED(100), CAUGHT(99), 5 }, /* loss */
            { MISSED(100), MISSED(100), 6 },
            { MISSED(20), CAUGHT(30), 7 }, /* unknown */
            { MISSED(30), CAUGHT(30), 8 }, /* loss: it was not captured at 30 */
            { CAUGHT(120), MISSED(100), 9 }, /* after the limit: a tie */
        };
        struct paired paired;
        paired = paired_make(pairs, 9, 100);
        ck_assert_uint_eq(paired.n, 9);
        ck_assert_uint_eq(paired.groups, 9);
        ck_assert_uint_eq(paired.wins, 2);
        ck_assert_uint_eq(paired.losses, 3);
        ck_assert_uint_eq(paired.ties, 4);
        ck_assert_double_eq_tol(paired.wins_share.estimate, 4. / 9, 1e-15);
        ck_assert_uint_eq(paired.tested, 4); /* of pairs 1 to 5 and 9 */
        /* below, 10/12, 10/10, 12/10, above, above */
        ck_assert_uint_eq(paired.divided, 6);
        ck_assert_double_eq_tol(paired.ratio.estimate, sqrt(1.2), 1e-15);
        ck_assert_double_eq_tol(paired.ratio_q1, pow(10. / 12, .75), 1e-15);
        ck_assert(isnan(paired.ratio_q3));
    }
END_TEST

START_TEST(the_difference_of_means_is_the_mean_difference_if_all_is_known)
    {
        struct random random;
        struct pair pairs[30];
        struct paired paired, other;
        double sum = 0, differences[30];
        random_seed(&random, 9);
        for (uint64_t i = 0; i < 30; i++) {
            double a = within(&random, 130), b = within(&random, 130);
            pairs[i] = (struct pair){ { fmin(a, 100), a <= 100, 0 },
                                      { fmin(b, 100), b <= 100, 0 },
                                      i / 2 };
            differences[i] = fmin(a, 100) - fmin(b, 100);
            sum += differences[i];
        }
        struct wilcoxon w;
        w = wilcoxon_make(differences, 30);
        paired = paired_make(pairs, 30, 100);
        ck_assert_double_eq_tol(paired.difference.estimate, sum / 30, 1e-12);
        ck_assert_double_lt(paired.difference.interval.low, sum / 30);
        ck_assert_double_gt(paired.difference.interval.high, sum / 30);
        ck_assert_uint_eq(paired.groups, 15);
        ck_assert_uint_eq(paired.tested, w.n);
        ck_assert_double_eq(paired.p, w.p);

        for (int i = 0; i < 15; i++) { /* in reverse order */
            struct pair swap = pairs[i];
            pairs[i] = pairs[29 - i];
            pairs[29 - i] = swap;
        }
        other = paired_make(pairs, 30, 100);
        ck_assert_mem_eq(&paired, &other, sizeof paired);
    }
END_TEST

/* Draws as paired_make does, but copies the pairs and finds each mean by the
 * definition of S. */
START_TEST(the_interval_of_the_difference_is_that_of_copied_pairs)
    {
        enum { GROUPS = 7, N = 2 * GROUPS };
        static double found[BOOTSTRAP_SAMPLES];
        struct random random;
        struct survival_time one[N], other[N], drawn[2][N];
        struct pair pairs[N];
        struct paired paired;
        random_seed(&random, 10);
        draw_times(&random, one, N, 25);
        draw_times(&random, other, N, 35);
        for (uint64_t i = 0; i < N; i++)
            pairs[i] = (struct pair){ one[i], other[i], 100 + i / 2 };
        paired = paired_make(pairs, N, 30);
        random_seed(&random, BOOTSTRAP_SEED);
        for (int sample = 0; sample < BOOTSTRAP_SAMPLES; sample++) {
            for (int i = 0; i < N; i += 2) {
                size_t from = 2 * random_below(&random, GROUPS);
                memcpy(&drawn[0][i], &one[from], 2 * sizeof *one);
                memcpy(&drawn[1][i], &other[from], 2 * sizeof *other);
            }
            found[sample] = 0;
            for (double t = 0; t < 30; t++)
                found[sample] +=
                    surviving(drawn[0], N, t) - surviving(drawn[1], N, t);
        }
        summary_sort(found, BOOTSTRAP_SAMPLES);
        double tail = summary_tail(GROUPS);
        ck_assert_double_eq_tol(
            paired.difference.interval.low,
            summary_quantile(found, BOOTSTRAP_SAMPLES, tail), 1e-12);
        ck_assert_double_eq_tol(
            paired.difference.interval.high,
            summary_quantile(found, BOOTSTRAP_SAMPLES, 1 - tail), 1e-12);
    }
END_TEST

/* Of 400 samples of 20 pairs from exponential times of means 300 and 400, to a
 * limit of 500: the share of intervals that contain the true difference. */
/* By copied pairs, and by exchanged methods. */
START_TEST(the_ratio_is_the_median_quotient_with_the_interval_of_copies)
    {
        enum { N = 20, GROUPS = 10, SAMPLES = 2000 };
        struct random random;
        struct pair pairs[N], exchanged[N];
        double logs[N], copies[N], found[SAMPLES];
        struct paired paired, other;
        random_seed(&random, 14);
        for (int i = 0; i < N; i++) {
            pairs[i] = (struct pair){ CAUGHT(1 + within(&random, 40)),
                                      CAUGHT(1 + within(&random, 60)),
                                      (uint64_t)(i / 2) };
            exchanged[i] =
                (struct pair){ pairs[i].other, pairs[i].one, pairs[i].group };
            logs[i] = log(pairs[i].one.time / pairs[i].other.time);
        }
        paired = paired_make(pairs, N, 100);
        other = paired_make(exchanged, N, 100);
        random_seed(&random, 1);
        for (int k = 0; k < SAMPLES; k++) {
            for (int g = 0; g < GROUPS; g++) {
                size_t drawn = random_below(&random, GROUPS);
                copies[2 * g] = logs[2 * drawn];
                copies[2 * g + 1] = logs[2 * drawn + 1];
            }
            summary_sort(copies, N);
            found[k] = summary_quantile(copies, N, .5);
        }
        summary_sort(found, SAMPLES);
        summary_sort(logs, N);
        ck_assert_uint_eq(paired.divided, N);
        ck_assert_double_eq_tol(paired.ratio.estimate,
                                exp(summary_quantile(logs, N, .5)), 1e-12);
        ck_assert_double_eq_tol(paired.ratio_q1,
                                exp(summary_quantile(logs, N, .25)), 1e-12);
        ck_assert_double_eq_tol(
            log(paired.ratio.interval.low),
            summary_quantile(found, SAMPLES, summary_tail(GROUPS)), 1e-12);
        ck_assert_double_eq_tol(
            log(paired.ratio.interval.high),
            summary_quantile(found, SAMPLES, 1 - summary_tail(GROUPS)), 1e-12);
        ck_assert_double_lt(paired.ratio.interval.low,
                            paired.ratio.interval.high);
        ck_assert_double_eq_tol(other.ratio.estimate, 1 / paired.ratio.estimate,
                                1e-12);
        ck_assert_double_eq_tol(other.ratio_q1, 1 / paired.ratio_q3, 1e-12);
        ck_assert_double_eq_tol(other.ratio.interval.low,
                                1 / paired.ratio.interval.high, 1e-12);
    }
END_TEST

START_TEST(intervals_of_the_difference_cover_95_per_cent)
    {
        enum { TRIALS = 400, N = 20 };
        struct random random;
        double truth =
            300 * (1 - exp(-500 / 300.)) - 400 * (1 - exp(-500 / 400.));
        int covered = 0;
        random_seed(&random, 11);
        for (int trial = 0; trial < TRIALS; trial++) {
            struct pair pairs[N];
            struct paired paired;
            for (uint64_t i = 0; i < N; i++)
                pairs[i] =
                    (struct pair){ CAUGHT(-300 * log(1 - random_unit(&random))),
                                   CAUGHT(-400 * log(1 - random_unit(&random))),
                                   i };
            paired = paired_make(pairs, N, 500);
            covered += paired.difference.interval.low <= truth &&
                       truth <= paired.difference.interval.high;
        }
        ck_assert_msg(covered >= .92 * TRIALS && covered <= .98 * TRIALS,
                      "%d of %d", covered, TRIALS);
    }
END_TEST

START_TEST(one_group_has_no_interval_and_no_pair_has_no_number)
    {
        static const struct pair pairs[] = { { CAUGHT(10), CAUGHT(20), 3 },
                                             { CAUGHT(10), CAUGHT(40), 3 } };
        struct paired paired;
        paired = paired_make(pairs, 2, 100);
        ck_assert_double_eq(paired.difference.estimate, -20);
        ck_assert(isnan(paired.difference.interval.low));
        ck_assert(isnan(paired.wins_share.interval.high));
        ck_assert_double_eq(paired.p, .5);
        paired = paired_make(pairs, 0, 100);
        ck_assert_uint_eq(paired.n, 0);
        ck_assert(isnan(paired.difference.estimate) && isnan(paired.p));
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("statistics");
    TCase *tests = tcase_create("statistics");
    tcase_add_test(tests, a_proportions_limits_solve_the_score_equation);
    tcase_add_test(tests,
                   the_mean_is_the_area_under_the_curve_by_its_definition);
    tcase_add_test(tests,
                   quartiles_are_the_times_at_which_the_curve_reaches_them);
    tcase_add_test(tests, without_censoring_all_is_as_in_the_plain_sample);
    tcase_add_test(
        tests, a_curve_that_ends_at_the_level_has_the_middle_of_its_last_piece);
    tcase_add_test(tests, chases_without_a_capture_have_the_limit_as_mean);
    tcase_add_test(tests, a_chase_ends_at_its_first_capture_or_at_its_last);
    tcase_add_test(tests, a_weight_counts_as_so_many_copies);
    tcase_add_test(tests, wilcoxons_p_is_the_share_of_all_signs);
    tcase_add_test(tests, wilcoxon_takes_mean_ranks_and_leaves_out_zeros);
    tcase_add_test(tests, wilcoxon_of_fifty_is_the_normal_approximation);
    tcase_add_test(tests, holm_goes_down_step_by_step);
    tcase_add_test(tests, holm_does_not_count_nan);
    tcase_add_test(tests,
                   a_win_is_a_capture_while_the_other_is_known_to_be_free);
    tcase_add_test(
        tests, the_difference_of_means_is_the_mean_difference_if_all_is_known);
    tcase_add_test(tests,
                   the_interval_of_the_difference_is_that_of_copied_pairs);
    tcase_add_test(
        tests, the_ratio_is_the_median_quotient_with_the_interval_of_copies);
    tcase_add_test(tests, intervals_of_the_difference_cover_95_per_cent);
    tcase_add_test(tests, one_group_has_no_interval_and_no_pair_has_no_number);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
