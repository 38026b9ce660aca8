/* SPDX-License-Identifier: MIT */
#include "search/problems.h"

#include "tests/search/search_benchmarks.h"
#include "tests/suite.h"

#include <dirent.h>
#include <unistd.h>

static char folder[] = "/tmp/hamon-problems-XXXXXX";
static char scen[64], scen3[64];

static void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(scen, sizeof scen, "%s/a.map.scen", folder);
    snprintf(scen3, sizeof scen3, "%s/a.3dscen", folder);
}

static void remove_folder(void)
{
    unlink(scen);
    unlink(scen3);
    rmdir(folder);
}

static enum status load(const char *path, const char *text,
                        struct problems *problems, struct error *error)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    return problems_load(path, problems, error);
}

START_TEST(problems_are_read_with_tabs_blanks_and_blank_lines)
    {
        static const char *const texts[] = {
            "version 1\n3\tmaps/my maps/a.map\t9\t7\t1\t2\t8\t6\t8.65685\n\n",
            "version 1.0\r\n3 a.map 9 7 1 2 8 6 8.65685\r\n\r\n \r\n",
            "version 1\n3\ta.map\t9\t7\t1\t2\t8\t6\t8.65685",
        };
        for (int i = 0; i < 3; i++) {
            struct problems problems;
            struct error error;
            ck_assert_msg(!load(scen, texts[i], &problems, &error), "%s",
                          error.message);
            ck_assert_uint_eq(problems.count, 1);
            ck_assert_int_eq(problems.width, 9);
            ck_assert_int_eq(problems.items[0].start[1], 2);
            ck_assert_int_eq(problems.items[0].goal[0], 8);
            ck_assert_int_eq(problems.items[0].line, 2);
            ck_assert(problems.items[0].optimal == 8.65685);
            char *map, expected[64];
            ck_assert(!problems_map_path(&problems, &map, NULL));
            snprintf(expected, sizeof expected, "%s/a.map", folder);
            ck_assert_str_eq(map, expected);
            memory_release(map);
            problems_release(&problems);
        }
    }
END_TEST

START_TEST(a_map_outside_the_problems_folder_is_rejected)
    {
        static const struct {
            const char *map;
            bool good;
        } cases[] = {
            { "/etc/passwd", false },
            { "//a.map", false },
            { "..", false },
            { "../a.map", false },
            { "maps/../../a.map", false },
            { "maps/..", false },
            { "./../a.map", false },
            { "..a.map", true },
            { "a..map", true },
            { "maps/a...map", true },
            { "./a.map", true },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct problems problems;
            struct error error;
            char text[128], *map = NULL;
            snprintf(text, sizeof text,
                     "version 1\n3\t%s\t9\t7\t1\t2\t8\t6\t8.65685\n",
                     cases[i].map);
            ck_assert_int_eq(load(scen, text, &problems, NULL), STATUS_OK);
            enum status status = problems_map_path(&problems, &map, &error);
            ck_assert_msg(status == (cases[i].good ? STATUS_OK : STATUS_INPUT),
                          "%s", cases[i].map);
            if (status) {
                ck_assert(!map);
                ck_assert_ptr_nonnull(strstr(error.message, cases[i].map));
                ck_assert_ptr_nonnull(strstr(error.message, "--map FILE"));
            }
            memory_release(map);
            problems_release(&problems);
        }
    }
END_TEST

START_TEST(problems_in_3d_are_read)
    {
        struct problems problems;
        ck_assert_int_eq(load(scen3,
                              "version 1\na.3dmap\n1 2 3 4 5 6 15.317 1.054\n",
                              &problems, NULL),
                         STATUS_OK);
        ck_assert_int_eq(problems.dims, 3);
        ck_assert_int_eq(problems.items[0].goal[2], 6);
        struct grid grid = { .dims = 3, .nx = 5, .ny = 6, .nz = 7 };
        struct error error;
        ck_assert_int_eq(problems_fit(&problems, &grid, NULL), STATUS_OK);
        grid.nz = 6;
        ck_assert_int_eq(problems_fit(&problems, &grid, &error), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "a.3dscen:3: "));
        grid = (struct grid){ .dims = 2, .nx = 50, .ny = 60, .nz = 1 };
        ck_assert_int_eq(problems_fit(&problems, &grid, NULL), STATUS_INPUT);
        problems_release(&problems);
    }
END_TEST

START_TEST(errors_are_reported_with_their_line)
    {
        static const struct {
            bool in_3d;
            const char *text, *message;
        } cases[] = {
            { 0, "", "" },
            { 0, "version 2\n", ":1: the first line must be `version 1`" },
            { 0, "version 1\n\n", "no problem in the file" },
            { 0, "version 1\n1 a.map 9 7 1 2 8 6\n", ":2: 8 fields: 9 are" },
            { 0, "version 1\n1 a.map 9 7 1 2 8 6 1 1\n", ":2: more than 9" },
            { 0, "version 1\n1 a.map 9 7 1 -2 8 6 1\n", ":2: start y `-2`" },
            { 0, "version 1\n1 a.map 9 7 1 2 9 6 1\n", ":2: a cell outside" },
            { 0, "version 1\n1 a.map 9 7 1 7 8 6 1\n", ":2: a cell outside" },
            { 0, "version 1\n1 a.map 9 7 1 2 8 6 nan\n", ":2: optimal length" },
            { 0, "version 1\n1 a.map 9 7 1 2 8 6 1e999\n", ":2: optimal" },
            { 0, "version 1\n1 a.map 9 7 1 2 8 6 -1\n", ":2: optimal" },
            { 0, "version 1\n1 a.map 9 7 1 2 8 6 4.2x\n", ":2: optimal" },
            { 0, "version 1\n1 a.map 0 7 1 2 8 6 1\n", ":2: width `0`" },
            { 0, "version 1\n1 a.map 9 99999999999 1 2 8 6 1\n", ":2: height" },
            { 0, "version 1\nx a.map 9 7 1 2 8 6 1\n", ":2: bucket `x`" },
            { 0, "version 1\n1 a.map 9 7 1 2 8 6 1\n1 b.map 9 7 1 2 8 6 1\n",
              ":3: map `b.map`" },
            { 1, "version 1\n", "the second line must be the map's name" },
            { 1, "version 1\na.3dmap\n1 2 3 4 5 6 7\n", ":3: 7 fields: 8 are" },
            { 1, "version 1\na.3dmap\n1 2 3 4 5 6 7 x\n", ":3: ratio `x`" },
            { 1, "version 1\na.3dmap\n1 2 3 4 5 z 7 1\n", ":3: goal z `z`" },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct problems problems;
            struct error error;
            ck_assert_int_eq(load(cases[i].in_3d ? scen3 : scen, cases[i].text,
                                  &problems, &error),
                             STATUS_INPUT);
            ck_assert_msg(strstr(error.message, cases[i].message) != NULL,
                          "case %zu: %s", i, error.message);
        }
        struct problems problems;
        ck_assert_int_eq(problems_load("/nowhere/a.scen", &problems, NULL),
                         STATUS_INPUT);
    }
END_TEST

START_TEST(an_optimum_is_met_within_its_rounding)
    {
        struct problem problem = { .optimal = 100 };
        ck_assert(problem_is_met(&problem, 100.0059));
        ck_assert(!problem_is_met(&problem, 100.0061));
        problem.optimal = 4000;
        ck_assert(problem_is_met(&problem, 3999.961));
        ck_assert(!problem_is_met(&problem, 4000.041));
    }
END_TEST

START_TEST(public_problems_are_met)
    {
        const char *benchmarks = getenv("HAMON_BENCHMARKS");
        if (benchmarks)
            try_problems(benchmarks, benchmark_files[_i], suite_every(150));
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("problems");
    TCase *tests = tcase_create("problems");
    tcase_add_unchecked_fixture(tests, make_folder, remove_folder);
    tcase_set_timeout(tests, 0); /* in make check-long: minutes */
    tcase_add_test(tests, problems_are_read_with_tabs_blanks_and_blank_lines);
    tcase_add_test(tests, a_map_outside_the_problems_folder_is_rejected);
    tcase_add_test(tests, problems_in_3d_are_read);
    tcase_add_test(tests, errors_are_reported_with_their_line);
    tcase_add_test(tests, an_optimum_is_met_within_its_rounding);
    if (getenv("HAMON_BENCHMARKS"))
        tcase_add_loop_test(tests, public_problems_are_met, 0, BENCHMARK_FILES);
    else
        fputs("# public problems skipped: HAMON_BENCHMARKS names no folder\n",
              stderr);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
