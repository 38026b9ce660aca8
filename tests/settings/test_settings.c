/* SPDX-License-Identifier: MIT */
/* Values of the table of settings: read from text and written as text. */
#include "base/real.h"
#include "settings/value.h"
#include "tests/suite.h"
#include "wave/arrival/detector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_scalar(const struct key *key)
{
    return key->type == KEY_WHOLE || key->type == KEY_REAL ||
           key->type == KEY_SWITCH || key->type == KEY_CHOICE ||
           key->type == KEY_NAMED;
}

/* Room for a value of any scalar key. */
union room {
    int64_t whole;
    double real;
    const void *row;
};

static char *printed(const struct key *key, const union room *room)
{
    static const struct value_format flat = { .dims = 2, .flat = true };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    value_print(out, &flat, key, room, 0);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

/* The printed text is read back to the same bytes. */
static void assert_returns(const struct key *key, const char *text)
{
    union room first = { 0 }, second = { 0 };
    struct error error;
    ck_assert_msg(value_take(key, text, &first, &error) == STATUS_OK, "%s: %s",
                  key->path, error.message);
    char *again = printed(key, &first);
    ck_assert_int_eq(value_take(key, again, &second, &error), STATUS_OK);
    ck_assert_mem_eq(&first, &second, sizeof first);
    free(again);
}

START_TEST(values_that_are_printed_are_read_back)
    {
        const struct key *key = &keys[_i];
        if (!is_scalar(key))
            return;
        for (int preset = PRESET_PAPER; preset <= PRESET_BEST; preset++)
            if (value_default(key, preset))
                assert_returns(key, value_default(key, preset));
        for (size_t i = 0; (key->names || key->rows) && key_name(key, i); i++)
            assert_returns(key, key_name(key, i));
        if (key->type == KEY_REAL && isfinite(key->high))
            assert_returns(key, REAL_TEXT(key->high));
    }
END_TEST

START_TEST(a_group_gets_its_defaults)
    {
        struct wave_settings wave = { .sigma = 7 };
        settings_default("wave", &wave);
        ck_assert(wave.count == 3 && wave.lifetime == 300 &&
                  wave.delta == 0.25 && wave.amplitude == 1 &&
                  wave.damping == 0 && wave.sigma == 2 &&
                  wave.wavelength == 20 && wave.walls == WALLS_FIXED &&
                  wave.flush_denormals && !wave.allow_unstable);
        ck_assert_ptr_null(wave.stencil); /* the map determines it */
        struct arrival_settings arrival = arrival_default();
        ck_assert_str_eq(arrival.detector->name, "threshold");
        ck_assert(
            arrival.heading == HEADING_PAPER && arrival.threshold == 1e-5 &&
            arrival.cap == 1e-4 && arrival.beta == 0.3 && arrival.p == 1 &&
            arrival.eta == 0.01 && arrival.range == 0 && !arrival.ignore_older);
    }
END_TEST

static const struct {
    const char *path, *text, *message;
} refused[] = {
    { "arrival.threshold", "0", "0 is not allowed; a number over 0 to 1 is" },
    { "arrival.threshold", "1.5", "1.5 is not allowed" },
    { "arrival.threshold", "inf", "inf is not allowed" },
    { "arrival.threshold", "nan", "nan is not allowed" },
    { "arrival.threshold", "1e-5 ", "\"1e-5 \" is not allowed" },
    { "arrival.threshold", "", "\"\" is not allowed" },
    { "arrival.p", "0", "0 is not allowed; a number over 0 to 20 is" },
    { "arrival.p", "20.5", "20.5 is not allowed" },
    { "arrival.range", "66.0", "written without point and exponent: 66" },
    { "arrival.range", "2001", "2001 is not allowed; a whole number from 0" },
    { "arrival.heading", "up", "\"up\" is not allowed; one of signed, " },
    { "arrival.detector", "\"no", "\"\"no\" is not allowed; one of thresh" },
    { "wave.allow_unstable", "1", "\"1\" is not allowed; true or false is" },
    { "wave.lifetime", "99999999999999999999", "1e+20 is not allowed" },
    { "wave.stencil", "6-point", "\"6-point\" is not allowed; one of " },
};

START_TEST(a_text_that_is_not_allowed_is_rejected_and_stores_nothing)
    {
        const struct key *key = key_of(refused[_i].path);
        union room room = { .whole = 42 };
        struct error error;
        ck_assert_int_eq(value_take(key, refused[_i].text, &room, &error),
                         STATUS_INPUT);
        ck_assert_msg(strstr(error.message, refused[_i].message),
                      "no `%s` in `%s`", refused[_i].message, error.message);
        ck_assert_int_eq(room.whole, 42);
        ck_assert_int_eq(value_take(key, refused[_i].text, &room, NULL),
                         STATUS_INPUT);
    }
END_TEST

/* A key of the short list must be printed on one line. */
START_TEST(the_short_list_has_scalars_only)
    {
        const struct key *key = &keys[_i];
        ck_assert(!key->brief || is_scalar(key));
    }
END_TEST

START_TEST(each_key_of_a_detector_is_in_the_table)
    {
        for (int i = 0; detectors[i]; i++)
            for (int k = 0; detectors[i]->keys[k]; k++)
                ck_assert_ptr_nonnull(key_of(detectors[i]->keys[k]));
    }
END_TEST

int main(void)
{
    int key_count = 0;
    while (keys[key_count].path)
        key_count++;
    Suite *suite = suite_create("settings");
    TCase *tests = tcase_create("settings");
    tcase_add_loop_test(tests, values_that_are_printed_are_read_back, 0,
                        key_count);
    tcase_add_test(tests, a_group_gets_its_defaults);
    tcase_add_loop_test(
        tests, a_text_that_is_not_allowed_is_rejected_and_stores_nothing, 0,
        sizeof refused / sizeof *refused);
    tcase_add_loop_test(tests, the_short_list_has_scalars_only, 0, key_count);
    tcase_add_test(tests, each_key_of_a_detector_is_in_the_table);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
