/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "base/real.h"
#include "tests/suite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(short_numbers_are_printed_short)
    {
        static const char *const texts[] = { "0.3",   "0.1",    "1e-05",
                                             "2.385", "1e+300", "5e-324",
                                             "-0.15", "0",      "40",
                                             "1e-310" };
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            ck_assert_str_eq(REAL_TEXT(strtod(texts[i], NULL)), texts[i]);
        ck_assert_str_eq(REAL_TEXT(0.1 + 0.2), "0.30000000000000004");
        ck_assert_str_eq(REAL_TEXT(DBL_MAX), "1.7976931348623157e+308");
        ck_assert_str_eq(REAL_TEXT(INFINITY), "inf");
    }
END_TEST

/* Every number is read back equal, and no shorter text of it would be. */
START_TEST(a_printed_number_is_read_back_equal_and_none_shorter_is)
    {
        struct random random;
        random_seed(&random, 17);
        for (int i = 0; i < 20000; i++) {
            uint64_t bits = random_next(&random);
            double value, other;
            char text[REAL_SIZE], shorter[400];
            memcpy(&value, &bits, sizeof value);
            if (i % 4 == 0) /* subnormal */
                value = (double)(bits >> 40) * 0x1p-1074;
            if (!isfinite(value))
                continue;
            other = strtod(real_text(value, text), NULL);
            ck_assert_mem_eq(&other, &value, sizeof value);
            int digits = 0;
            for (const char *c = text; *c && *c != 'e'; c++)
                digits += *c >= '0' && *c <= '9';
            for (int fewer = 1; fewer < digits; fewer++) {
                snprintf(shorter, sizeof shorter, "%.*g", fewer, value);
                ck_assert_msg(strlen(shorter) >= strlen(text) ||
                                  strtod(shorter, NULL) != value,
                              "%s for %s", text, shorter);
            }
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("real");
    TCase *tests = tcase_create("real");
    tcase_add_test(tests, short_numbers_are_printed_short);
    tcase_add_test(tests,
                   a_printed_number_is_read_back_equal_and_none_shorter_is);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
