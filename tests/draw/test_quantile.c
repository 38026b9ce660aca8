/* SPDX-License-Identifier: MIT */
/* Quantiles counted in one pass, compared with those of the sorted values. */
#include "draw/colormap/quantile.h"

#include "base/memory.h"
#include "base/random.h"
#include "tests/suite.h"

#include <math.h>

enum { VALUES = 7919 };

static struct quantile *quantile, *other;

static void set_up(void)
{
    quantile = memory_new(1, sizeof *quantile);
    other = memory_new(1, sizeof *other);
}

static void tear_down(void)
{
    memory_release(quantile);
    memory_release(other);
}

/* Sizes over 18 decades, a few zeros, infinities and NaNs. */
static void make_values(uint64_t seed, double *values, unsigned char *skip)
{
    struct random random;
    random_seed(&random, seed);
    for (int i = 0; i < VALUES; i++) {
        double size = pow(10, 18 * random_unit(&random) - 12);
        values[i] = random_unit(&random) < .5 ? -size : size;
        skip[i] = random_unit(&random) < .1;
        if (i % 101 == 7)
            values[i] = 0;
        if (i % 307 == 5)
            values[i] = i % 2 ? (double)NAN : (double)INFINITY;
    }
}

static int by_size(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* The sizes that count, in order; returns their number. */
static size_t sort_sizes(const double *values, const unsigned char *skip,
                         double *sizes)
{
    size_t count = 0;
    for (int i = 0; i < VALUES; i++)
        if (!(skip && skip[i]) && isfinite(values[i]) && values[i] != 0)
            sizes[count++] = fabs(values[i]);
    qsort(sizes, count, sizeof *sizes, by_size);
    return count;
}

START_TEST(a_quantile_is_that_of_the_sorted_sizes_to_1_part_in_128)
    {
        static double values[VALUES], sizes[VALUES];
        static unsigned char skip[VALUES];
        static const double shares[] = { .02, .25, .5, .77, .98, .999, 1 };
        make_values((uint64_t)_i, values, skip);
        const unsigned char *skipped = _i % 2 ? skip : NULL;
        size_t count = sort_sizes(values, skipped, sizes);
        quantile_add(quantile, values, skipped, VALUES);
        ck_assert_uint_eq(quantile->total, count);
        for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
            double bound = quantile_find(quantile, shares[i]);
            size_t least = (size_t)ceil(shares[i] * (double)count);
            /* At least the share is below; of a bound that is smaller by
             * two counts, less. */
            ck_assert_double_gt(bound, (double)(float)sizes[least - 1]);
            ck_assert_double_le(bound, sizes[least - 1] * (1 + 1.01 / 128));
        }
    }
END_TEST

START_TEST(zeros_infinities_and_nans_do_not_count)
    {
        static const double values[] = { 0,    -0., (double)NAN,
                                         3.25, -2,  (double)INFINITY };
        quantile_add(quantile, values, NULL, 6);
        ck_assert_uint_eq(quantile->total, 2);
        ck_assert_uint_eq(quantile->zeros, 2);
        ck_assert_double_lt(quantile_find(quantile, .5), 2.02);
        ck_assert_double_ge(quantile_find(quantile, .5), 2);
        ck_assert_double_gt(quantile_find(quantile, .51), 3.25);
    }
END_TEST

START_TEST(the_quantile_of_nothing_is_0)
    {
        ck_assert_double_eq(quantile_find(quantile, .98), 0);
        quantile_add(quantile, (const double[]){ 0, 0 }, NULL, 2);
        ck_assert_double_eq(quantile_find(quantile, .98), 0);
    }
END_TEST

START_TEST(joined_counts_are_those_of_all_values)
    {
        static double values[VALUES];
        static unsigned char skip[VALUES];
        struct quantile *all = memory_new(1, sizeof *all);
        make_values(11, values, skip);
        quantile_add(all, values, NULL, VALUES);
        quantile_add(quantile, values, NULL, 3000);
        quantile_add(other, values + 3000, NULL, VALUES - 3000);
        quantile_join(quantile, other);
        ck_assert_mem_eq(quantile, all, sizeof *all);
        memory_release(all);
    }
END_TEST

/* By brute force over the candidates. */
START_TEST(a_bound_is_rounded_up_to_half_a_digit)
    {
        struct random random;
        random_seed(&random, 5);
        for (int i = 0; i < 2000; i++) {
            double value = pow(10, 20 * random_unit(&random) - 10);
            double expected = INFINITY;
            for (int power = -12; power <= 12; power++)
                for (int half = 2; half < 20; half++) {
                    double candidate = half / 2. * pow(10, power);
                    if (candidate >= value * (1 - 1e-12))
                        expected = fmin(expected, candidate);
                }
            ck_assert_double_eq_tol(quantile_round(value) / expected, 1, 1e-9);
        }
        ck_assert_double_eq(quantile_round(3), 3);
        ck_assert_double_eq(quantile_round(3.01), 3.5);
        ck_assert_double_eq(quantile_round(9.6), 10);
        ck_assert_double_eq(quantile_round(.25), .25);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("quantile");
    TCase *tests = tcase_create("quantile");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(
        tests, a_quantile_is_that_of_the_sorted_sizes_to_1_part_in_128, 0, 6);
    tcase_add_test(tests, zeros_infinities_and_nans_do_not_count);
    tcase_add_test(tests, the_quantile_of_nothing_is_0);
    tcase_add_test(tests, joined_counts_are_those_of_all_values);
    tcase_add_test(tests, a_bound_is_rounded_up_to_half_a_digit);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
