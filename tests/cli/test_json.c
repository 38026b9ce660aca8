/* SPDX-License-Identifier: MIT */
#include "cli/json.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static char *buffer;
static size_t size;
static struct json json;

static void start(void)
{
    json = (struct json){ .out = open_memstream(&buffer, &size) };
    ck_assert_ptr_nonnull(json.out);
}

static void wrote(const char *expected)
{
    fclose(json.out);
    ck_assert_str_eq(buffer, expected);
    free(buffer);
}

START_TEST(values_are_separated_and_nested)
    {
        json_object(&json, NULL);
        json_whole(&json, "a", INT64_MIN);
        json_array(&json, "b");
        json_array_end(&json);
        json_array(&json, "c");
        json_truth(&json, NULL, true);
        json_text(&json, NULL, NULL);
        json_array_end(&json);
        json_text(&json, "d", "e");
        json_object_end(&json);
        wrote("{\n  \"a\": -9223372036854775808,\n  \"b\": [],\n"
              "  \"c\": [\n    true,\n    null\n  ],\n  \"d\": \"e\"\n}\n");
    }
END_TEST

START_TEST(texts_are_escaped)
    {
        json_text(&json, NULL, "\"\\/\n\t\x01\x7f");
        wrote("\"\\\"\\\\/\\n\\u0009\\u0001\\u007f\"");
    }
END_TEST

START_TEST(invalid_utf8_is_replaced)
    {
        /* é, 波 and an emoji are kept; a stray byte, an overlong slash, a
         * surrogate, a truncated character and one past the last are not. */
        json_text(&json, NULL, "\xc3\xa9\xe6\xb3\xa2\xf0\x9f\x8c\x8a");
        json_text(&json, NULL, "\xff_\xc0\xaf_\xed\xa0\x80");
        json_text(&json, NULL, "\xf4\x90\x80\x80_\xe6\xb3");
        wrote("\"\xc3\xa9\xe6\xb3\xa2\xf0\x9f\x8c\x8a\","
              "\"\\ufffd_\\ufffd\\ufffd_\\ufffd\\ufffd\\ufffd\","
              "\"\\ufffd\\ufffd\\ufffd\\ufffd_\\ufffd\\ufffd\"");
    }
END_TEST

START_TEST(reals_are_the_shortest_that_read_back)
    {
        static const double values[] = { 0.1,    1. / 3, 1e300,   -2.5,
                                         5e-324, NAN,    INFINITY };
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            json_real(&json, NULL, values[i]);
        wrote("0.1,0.3333333333333333,1e+300,-2.5,5e-324,null,null");
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("json");
    TCase *tests = tcase_create("json");
    tcase_add_checked_fixture(tests, start, NULL);
    tcase_add_test(tests, values_are_separated_and_nested);
    tcase_add_test(tests, texts_are_escaped);
    tcase_add_test(tests, invalid_utf8_is_replaced);
    tcase_add_test(tests, reals_are_the_shortest_that_read_back);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
