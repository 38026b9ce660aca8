/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "draw/figure/frame_name.h"
#include "tests/suite.h"
#include "view/cut.h"

#include <string.h>

static void ck_name(const char *pattern, int64_t step, const char *wanted)
{
    static struct frame_name name;
    static char path[FRAME_NAME_SIZE];
    struct error error = { 0 };
    ck_assert_msg(frame_name_parse(pattern, &name, &error) == STATUS_OK, "%s",
                  error.message);
    ck_assert_int_eq(frame_name_make(&name, step, path, &error), STATUS_OK);
    ck_assert_str_eq(path, wanted);
}

START_TEST(the_step_replaces_d_in_the_pattern)
    {
        ck_name("c-%06d.png", 50, "c-000050.png");
        ck_name("c-%d.png", 50, "c-50.png");
        ck_name("c-%4d.png", 50, "c-  50.png");
        ck_name("c-%06d.png", 12345678, "c-12345678.png");
        ck_name("%d", 0, "0");
        ck_name("c.png", 50, "c.png");
        ck_name("50%%-%d%%.png", 7, "50%-7%.png");
        ck_name("100%%.png", 7, "100%.png");
        ck_name("%020d", INT64_MAX, "09223372036854775807");
    }
END_TEST

START_TEST(other_printf_patterns_are_rejected)
    {
        static const char *const bad[] = {
            "",
            "%",
            "%s",
            "%n",
            "%x.png",
            "%d-%d.png",
            "%ld",
            "%-6d",
            "%+d",
            "%.3d",
            "%*d",
            "%1$d",
            "%06",
            "%21d",
            "%099d",
            "a%d%",
            "% d",
            "%6i",
            "%999999999999999999999d",
        };
        static struct frame_name name;
        struct error error;
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            ck_assert_msg(frame_name_parse(bad[i], &name, &error) ==
                              STATUS_INPUT,
                          "'%s'", bad[i]);
    }
END_TEST

START_TEST(names_that_are_too_long_are_rejected)
    {
        static struct frame_name name;
        static char pattern[FRAME_NAME_SIZE + 2], path[FRAME_NAME_SIZE];
        struct error error;
        memset(pattern, 'a', FRAME_NAME_SIZE);
        ck_assert_int_eq(frame_name_parse(pattern, &name, &error),
                         STATUS_INPUT);
        memcpy(pattern + FRAME_NAME_SIZE - 3, "%d", 3);
        ck_assert_int_eq(frame_name_parse(pattern, &name, &error), STATUS_OK);
        ck_assert_int_eq(frame_name_make(&name, 10, path, &error), STATUS_OK);
        ck_assert_int_eq(frame_name_make(&name, 1000, path, &error),
                         STATUS_INPUT);
    }
END_TEST

/* The plane cell by cell, by the grid's own index. */
START_TEST(a_cut_takes_the_plane_it_names)
    {
        struct grid block = { 3, 5, 4, 3 };
        double values[60], plane[20];
        uint8_t bytes[60], byte_plane[20];
        for (int i = 0; i < 60; i++) {
            values[i] = i;
            bytes[i] = (uint8_t)i;
        }
        const int extents[GRID_AXES] = { 5, 4, 3 };
        for (int axis = 0; axis < GRID_AXES; axis++)
            for (int at = 0; at < extents[axis]; at++) {
                struct cut cut;
                cut_make(&block, axis, at, &cut);
                ck_assert_int_ne(cut.right, axis);
                ck_assert_int_ne(cut.down, axis);
                ck_assert_int_lt(cut.right, cut.down);
                ck_assert_int_eq(cut.nx, extents[cut.right]);
                ck_assert_int_eq(cut.ny, extents[cut.down]);
                cut_take(&cut, values, plane);
                cut_take_bytes(&cut, bytes, byte_plane);
                for (int i = 0; i < cut.nx * cut.ny; i++) {
                    int place[GRID_AXES] = { 0 };
                    place[axis] = at;
                    place[cut.right] = i % cut.nx;
                    place[cut.down] = i / cut.nx;
                    size_t wanted =
                        grid_index(&block, place[0], place[1], place[2]);
                    ck_assert(plane[i] == (double)wanted);
                    ck_assert_int_eq(byte_plane[i], (int)wanted);
                }
            }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("frames");
    TCase *tests = tcase_create("frames");
    tcase_add_test(tests, the_step_replaces_d_in_the_pattern);
    tcase_add_test(tests, other_printf_patterns_are_rejected);
    tcase_add_test(tests, names_that_are_too_long_are_rejected);
    tcase_add_test(tests, a_cut_takes_the_plane_it_names);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
