/* SPDX-License-Identifier: MIT */
#include "draw/colormap/colormap.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char place[] = "/tmp/hamon-colormap-XXXXXX";
static char path[64];

static void make_place(void)
{
    ck_assert_ptr_nonnull(mkdtemp(place));
    snprintf(path, sizeof path, "%s/map.txt", place);
}

static void remove_place(void)
{
    unlink(path);
    rmdir(place);
    memcpy(place + strlen(place) - 6, "XXXXXX", 6);
}

static void put(const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void ck_color(const uint8_t color[3], int r, int g, int b)
{
    ck_assert_int_eq(color[0], r);
    ck_assert_int_eq(color[1], g);
    ck_assert_int_eq(color[2], b);
}

/* Both ends and the middle, as published by the authors (as #rrggbb). */
START_TEST(maps_have_their_authors_colors)
    {
        static const struct {
            const char *name;
            int at;
            int r, g, b;
        } known[] = {
            { "viridis", 0, 0x44, 0x01, 0x54 },
            { "viridis", 255, 0xfd, 0xe7, 0x25 },
            { "magma", 0, 0x00, 0x00, 0x04 },
            { "magma", 255, 0xfc, 0xfd, 0xbf },
            { "cividis", 0, 0x00, 0x22, 0x4e },
            { "cividis", 255, 0xfe, 0xe8, 0x38 },
            { "turbo", 0, 0x30, 0x12, 0x3b },
            { "turbo", 255, 0x7a, 0x04, 0x03 },
            { "RdBu", 0, 0x67, 0x00, 0x1f },
            { "RdBu", 51, 0xd6, 0x60, 0x4d },
            { "RdBu", 255, 0x05, 0x30, 0x61 },
            { "batlow", 0, 1, 25, 89 },
            { "batlow", 255, 250, 204, 250 },
            { "vik", 0, 0, 18, 97 },
            { "vik", 127, 235, 230, 226 },
            { "vik", 128, 236, 229, 224 },
            { "vik", 255, 89, 0, 8 },
            { "berlin", 0, 158, 176, 255 },
            { "berlin", 255, 255, 173, 173 },
            { "gray", 0, 255, 255, 255 },
            { "gray", 255, 0, 0, 0 },
        };
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            const struct colormap *map = colormap_find(known[i].name);
            ck_assert_ptr_nonnull(map);
            ck_color(map->colors[known[i].at], known[i].r, known[i].g,
                     known[i].b);
        }
        ck_assert_ptr_null(colormap_find("jet"));
    }
END_TEST

static int apart(const uint8_t a[3], const uint8_t b[3])
{
    int sum = 0;
    for (int c = 0; c < 3; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

START_TEST(neighbours_in_a_map_are_close_and_a_cyclic_one_closes)
    {
        for (const struct colormap *const *m = colormaps; *m; m++) {
            for (int i = 0; i + 1 < COLORMAP_SIZE; i++)
                ck_assert_msg(apart((*m)->colors[i], (*m)->colors[i + 1]) <=
                                  10 * 10,
                              "%s at %d", (*m)->name, i);
            if ((*m)->kind == COLORMAP_CYCLIC)
                ck_assert_int_le(
                    apart((*m)->colors[0], (*m)->colors[COLORMAP_SIZE - 1]),
                    4 * 4);
        }
    }
END_TEST

static double luminance(const uint8_t color[3])
{
    return .2126 * pow(color[0] / 255., 2.2) +
           .7152 * pow(color[1] / 255., 2.2) +
           .0722 * pow(color[2] / 255., 2.2);
}

START_TEST(sequential_maps_but_turbo_are_monotonic_in_luminance)
    {
        for (const struct colormap *const *m = colormaps; *m; m++) {
            if ((*m)->kind != COLORMAP_SEQUENTIAL ||
                strcmp((*m)->name, "turbo") == 0)
                continue;
            double sign = luminance((*m)->colors[0]) <
                                  luminance((*m)->colors[COLORMAP_SIZE - 1])
                              ? 1
                              : -1;
            for (int i = 0; i + 4 < COLORMAP_SIZE; i++)
                ck_assert_msg(sign * (luminance((*m)->colors[i + 4]) -
                                      luminance((*m)->colors[i])) >
                                  0,
                              "%s at %d", (*m)->name, i);
        }
    }
END_TEST

START_TEST(walls_and_missing_cells_differ_from_every_map)
    {
        for (const struct colormap *const *m = colormaps; *m; m++) {
            struct ramp ramp;
            ck_assert_int_eq(ramp_load((*m)->name, &ramp, NULL), STATUS_OK);
            for (int i = 0; i < COLORMAP_SIZE; i++) {
                ck_assert_int_ge(apart(ramp.wall, ramp.colors[i]), 40 * 40);
                ck_assert_int_ge(apart(ramp.missing, ramp.colors[i]), 40 * 40);
            }
            ck_assert_int_ge(apart(ramp.missing, ramp.wall), 40 * 40);
        }
    }
END_TEST

START_TEST(a_leading_minus_reverses)
    {
        struct ramp plain, turned;
        ck_assert_int_eq(ramp_load("vik", &plain, NULL), STATUS_OK);
        ck_assert_int_eq(ramp_load("-vik", &turned, NULL), STATUS_OK);
        for (int i = 0; i < COLORMAP_SIZE; i++)
            ck_assert_mem_eq(plain.colors[i],
                             turned.colors[COLORMAP_SIZE - 1 - i], 3);
        ck_assert_str_eq(turned.name, "-vik");
        put("0 0 0\n255 255 255\n");
        char name[80];
        snprintf(name, sizeof name, "-%s", path);
        ck_assert_int_eq(ramp_load(name, &turned, NULL), STATUS_OK);
        ck_color(turned.colors[0], 255, 255, 255);
    }
END_TEST

START_TEST(a_file_of_rows_is_interpolated)
    {
        struct ramp ramp;
        put("# a comment\n\n0 0 0\r\n 255,\t0 51 # red\n0 0 102");
        ck_assert_int_eq(ramp_load(path, &ramp, NULL), STATUS_OK);
        ck_color(ramp.colors[0], 0, 0, 0);
        ck_color(ramp.colors[51], 102, 0, 20); /* 0.4 between both, at 20.4 */
        ck_color(ramp.colors[204], 102, 0, 82);
        ck_color(ramp.colors[255], 0, 0, 102);
    }
END_TEST

START_TEST(a_file_within_0_and_1_is_in_units_and_alpha_is_left_out)
    {
        struct ramp ramp;
        put("1 1 1 0\n0 0 0 1\n");
        ck_assert_int_eq(ramp_load(path, &ramp, NULL), STATUS_OK);
        const struct colormap *gray = colormap_find("gray");
        ck_assert_mem_eq(ramp.colors, gray->colors, sizeof ramp.colors);
    }
END_TEST

START_TEST(a_file_of_256_rows_is_taken_row_by_row)
    {
        const struct colormap *map = colormap_find("turbo");
        char text[256 * 12], *to = text;
        for (int i = 0; i < COLORMAP_SIZE; i++)
            to += sprintf(to, "%d %d %d\n", map->colors[i][0],
                          map->colors[i][1], map->colors[i][2]);
        put(text);
        struct ramp ramp;
        ck_assert_int_eq(ramp_load(path, &ramp, NULL), STATUS_OK);
        ck_assert_mem_eq(ramp.colors, map->colors, sizeof ramp.colors);
    }
END_TEST

/* The same colours, as files write them. */
START_TEST(marks_line_ends_and_hexadecimal_colours_are_read)
    {
        static const char *const same[] = {
            "255 0 0\n0 128 255\n",
            "\xef\xbb\xbf"
            "255 0 0\n0 128 255\n",
            "255 0 0\r\n0 128 255\r\n",
            "255 0 0\r0 128 255",
            "\r\n255,0,0,255\r\r\n\n0\t128\t255\n\n",
            "# a comment\n255 0 0 # red\n0 128 255\n",
            "#ff0000\n#0080ff\n",
            "\xef\xbb\xbf#FF0000 \r\n# beef\n#0080ff\t\r\n",
            "\"#ff0000\",\n  '#0080FF'\n",
        };
        struct ramp first, ramp;
        put(same[0]);
        ck_assert_int_eq(ramp_load(path, &first, NULL), STATUS_OK);
        for (size_t i = 1; i < sizeof same / sizeof *same; i++) {
            struct error error;
            put(same[i]);
            ck_assert_msg(ramp_load(path, &ramp, &error) == STATUS_OK, "%s",
                          error.message);
            ck_assert_mem_eq(ramp.colors, first.colors, sizeof ramp.colors);
        }
        put("#000000\n#010101\n"); /* never from 0 to 1 */
        ck_assert_int_eq(ramp_load(path, &ramp, NULL), STATUS_OK);
        ck_assert_int_eq(ramp.colors[COLORMAP_SIZE - 1][0], 1);
        FILE *file = fopen(path, "w");
        fwrite("1 2 3\n4 5 6\0 7\n8 9 9\n", 1, 21, file);
        fclose(file);
        struct error error;
        ck_assert_int_eq(ramp_load(path, &ramp, &error), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, ":2: a NUL character"));
    }
END_TEST

START_TEST(errors_in_a_file_name_file_and_line)
    {
        static const struct {
            const char *text, *expected;
        } bad[] = {
            { "", ": a colour map needs at least two rows" },
            { "1 2 3\n", ": a colour map needs at least two rows" },
            { "1 2 3\n4 5\n", ":2: a row is" },
            { "1 2 3 4 5\n4 5 6\n", ":1: a row is" },
            { "1 2 3\n4 5 256\n", ":2: '256'" },
            { "1 2 3\n4 -5 6\n", ":2: '-5 6'" },
            { "1 2 nan\n4 5 6\n", ":1: 'nan'" },
            { "1 2 inf\n4 5 6\n", ":1: 'inf'" },
            { "1 2 red\n4 5 6\n", ":1: 'red'" },
            { "1 2 3\r4 5\r6 7 8\r", ":2: a row is" },
            { "#010203\n4 5 6\n", ":2: a row `r g b`, but the rows before" },
            { "4 5 6\n7 8 9\n#010203\n", ":3: '#010203' is a colour, but" },
            { "#010203\n# 010203\n", ": a colour map needs at least two rows "
                                     "`r g b` or `#rrggbb`; this has 1" },
            { "010203\n040506\n", ":1: '010203'" },
            { "0x010203\n0x040506\n", ":1: '0x010203'" },
            { "\xff\xfe"
              "1 2 3\n",
              ":1: '\\xff\\xfe1 2 3'" },
        };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            struct ramp ramp = { .name = "untouched" };
            struct error error;
            char expected[128];
            put(bad[i].text);
            ck_assert_int_eq(ramp_load(path, &ramp, &error), STATUS_INPUT);
            snprintf(expected, sizeof expected, "%s%s", path, bad[i].expected);
            ck_assert_msg(strncmp(error.message, expected, strlen(expected)) ==
                              0,
                          "%s", error.message);
            ck_assert_str_eq(ramp.name, "untouched");
        }
    }
END_TEST

START_TEST(a_line_too_long_and_a_file_too_long_are_rejected)
    {
        struct ramp ramp;
        struct error error;
        char text[400];
        memset(text, '1', sizeof text);
        text[sizeof text - 1] = '\0';
        put(text);
        ck_assert_int_eq(ramp_load(path, &ramp, &error), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, ":1: a line of more"));
        FILE *file = fopen(path, "w");
        for (int i = 0; i < 65537; i++)
            fputs("1 1 1\n", file);
        fclose(file);
        ck_assert_int_eq(ramp_load(path, &ramp, &error), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, ":65537: more than"));
    }
END_TEST

START_TEST(a_name_of_no_map_and_no_file_is_rejected)
    {
        struct ramp ramp;
        struct error error;
        ck_assert_int_eq(ramp_load("jet", &ramp, &error), STATUS_INPUT);
        ck_assert_str_eq(error.message, "jet: neither a colour map nor a file; "
                                        "--list-colormaps lists the maps");
        ck_assert_int_eq(ramp_load("-", &ramp, &error), STATUS_INPUT);
        ck_assert_int_eq(ramp_load("", &ramp, &error), STATUS_INPUT);
        ck_assert_int_eq(ramp_load(place, &ramp, &error), STATUS_INPUT);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("colormap");
    TCase *tests = tcase_create("colormap");
    tcase_add_checked_fixture(tests, make_place, remove_place);
    tcase_add_test(tests, maps_have_their_authors_colors);
    tcase_add_test(tests,
                   neighbours_in_a_map_are_close_and_a_cyclic_one_closes);
    tcase_add_test(tests, sequential_maps_but_turbo_are_monotonic_in_luminance);
    tcase_add_test(tests, walls_and_missing_cells_differ_from_every_map);
    tcase_add_test(tests, a_leading_minus_reverses);
    tcase_add_test(tests, a_file_of_rows_is_interpolated);
    tcase_add_test(tests,
                   a_file_within_0_and_1_is_in_units_and_alpha_is_left_out);
    tcase_add_test(tests, a_file_of_256_rows_is_taken_row_by_row);
    tcase_add_test(tests, marks_line_ends_and_hexadecimal_colours_are_read);
    tcase_add_test(tests, errors_in_a_file_name_file_and_line);
    tcase_add_test(tests, a_line_too_long_and_a_file_too_long_are_rejected);
    tcase_add_test(tests, a_name_of_no_map_and_no_file_is_rejected);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
