/* SPDX-License-Identifier: MIT */
/* Rows of a scenario, and the effect of a legend on them and on map files. */
#include "base/memory.h"
#include "tests/base/limited_memory.h"
#include "tests/world/maps/map_files.h"

static struct legend_entry entries[] = {
    { .symbol = '~', .speed = 0.5, .cost = 1 },
    { .symbol = '$', .speed = 1, .cost = 5.25 },
    { .symbol = '>', .speed = 1, .cost = 1, .one_way = 1 + EAST },
    { .symbol = '^', .speed = 1, .cost = 1, .one_way = 1 + NORTH },
    { .symbol = '#', .wall = true, .speed = 1, .cost = 1 },
    { .symbol = 'W', .speed = 0.25, .cost = 3 },
    { .symbol = (char)0xb7, .wall = true, .speed = 1, .cost = 1 },
};
static const struct legend legend = { entries,
                                      sizeof entries / sizeof *entries };

START_TEST(rows_make_a_flat_map)
    {
        static const char *const rows[] = { ".@G", "SOT", "W.." };
        struct terrain terrain;
        ck_assert_int_eq(
            map_from_rows(rows, 0, 3, NULL, "a.cfg", 7, &terrain, NULL),
            STATUS_OK);
        check_walls(&terrain, 3, 3, 1, ".#..###..");
        ck_assert_int_eq(terrain.grid.dims, 2);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(rows_in_layers_make_a_3d_map)
    {
        static const char *const rows[] = {
            "..", "@.", "..", ".@", "@@", ".."
        };
        struct terrain terrain;
        ck_assert_int_eq(
            map_from_rows(rows, 3, 2, NULL, "a.cfg", 7, &terrain, NULL),
            STATUS_OK);
        check_walls(&terrain, 2, 2, 3, "..#....###..");
        ck_assert_int_eq(terrain.grid.dims, 3);
        terrain_release(&terrain);
        ck_assert_int_eq(
            map_from_rows(rows, 1, 2, NULL, "a.cfg", 7, &terrain, NULL),
            STATUS_OK);
        check_walls(&terrain, 2, 2, 1, "..#.");
        ck_assert_int_eq(terrain.grid.dims, 3);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(the_legend_goes_before_the_formats_own_meaning)
    {
        static const char *const rows[] = { ".~$>", "^#W\xb7" };
        struct terrain terrain;
        ck_assert_int_eq(
            map_from_rows(rows, 0, 2, &legend, "a.cfg", 7, &terrain, NULL),
            STATUS_OK);
        check_walls(&terrain, 4, 2, 1, ".....#.#");
        static const double speed[] = { 1, 0.5, 1, 1, 1, 1, 0.25, 1 };
        static const double cost[] = { 1, 1, 5.25, 1, 1, 1, 3, 1 };
        static const int one_way[] = { 0, 0, 0, 1 + EAST, 1 + NORTH, 0, 0, 0 };
        for (size_t i = 0; i < 8; i++) {
            ck_assert_double_eq(terrain.speed[i], speed[i]);
            ck_assert_double_eq(terrain.cost[i], cost[i]);
            ck_assert_int_eq(terrain.one_way[i], one_way[i]);
        }
        terrain_release(&terrain);
    }
END_TEST

START_TEST(the_legend_serves_map_files_too)
    {
        static const char map[] =
            "type octile\nheight 2\nwidth 3\nmap\n.#.\nW>.\n";
        struct terrain terrain;
        write_map("legend.map", map, sizeof map - 1);
        ck_assert_int_eq(load("legend.map", &legend, &terrain, NULL),
                         STATUS_OK);
        check_walls(&terrain, 3, 2, 1, ".#....");
        ck_assert_double_eq(terrain.speed[3], 0.25);
        ck_assert_int_eq(terrain.one_way[4], 1 + EAST);
        terrain_release(&terrain);
    }
END_TEST

static void check_rows_refused(const char *const *rows, int layers, int height,
                               const char *expected)
{
    struct terrain terrain = { .grid = { .nx = -7 } };
    struct error error;
    ck_assert_int_eq(
        map_from_rows(rows, layers, height, NULL, "a.cfg", 7, &terrain, &error),
        STATUS_INPUT);
    ck_assert_msg(strncmp(error.message, expected, strlen(expected)) == 0,
                  "`%s` is not `%s…`", error.message, expected);
    ck_assert(terrain.grid.nx == -7 && !terrain.wall);
}

START_TEST(bad_rows_are_rejected_at_the_scenarios_line)
    {
        static const char *const uneven[] = { "...", "..", "...", "...." };
        check_rows_refused(uneven, 0, 3,
                           "a.cfg:7: row 1 of the map that begins here has 2 "
                           "cells, row 0 has 3: all must be equally long");
        static const char *const joined[] = { "...", "......" };
        check_rows_refused(joined, 0, 2,
                           "a.cfg:7: row 1 of the map that begins here has 6 "
                           "cells, row 0 has 3: all must be equally long; a "
                           "comma is missing after it");
        static const char *const blank[] = { "...", "... ", "... ", "..." };
        check_rows_refused(blank, 0, 2,
                           "a.cfg:7: row 1 of the map that begins here has 4 "
                           "cells, row 0 has 3: all must be equally long; row "
                           "1 ends with blanks (spaces, tabs), 1: remove them");
        check_rows_refused(blank + 2, 0, 2,
                           "a.cfg:7: row 1 of the map that begins here has 3 "
                           "cells, row 0 has 4: all must be equally long; row "
                           "0 ends with blanks (spaces, tabs), 1: remove them");
        check_rows_refused(uneven + 2, 2, 1,
                           "a.cfg:7: row 0 of layer 1 of the map that begins "
                           "here has 4 cells");
        check_rows_refused(uneven, 0, 0,
                           "a.cfg:7: a map of rows needs at least one row");
        static const char *const empty[] = { "", "" };
        check_rows_refused(empty, 0, 2, "a.cfg:7: an extent of 0 cells");
        static const char *const odd[] = { "..", ".?", "..", "#." };
        check_rows_refused(odd, 0, 2,
                           "a.cfg:7: symbol '?' at cell (1, 1) has no");
        check_rows_refused(odd + 2, 2, 1,
                           "a.cfg:7: symbol '#' at cell (0, 0, 1) has no");
    }
END_TEST

/* 20000 times the same row of 20000 cells: 400 MB for the walls, and at least
 * as much for the field that the first symbol requires. */
START_TEST(rows_whose_legend_needs_too_much_memory_fail)
    {
        enum { SIDE = 20000 };
        char *row = memory_new(SIDE + 1, 1);
        const char **rows = memory_new(SIDE, sizeof *rows);
        memset(row, '.', SIDE);
        for (int y = 0; y < SIDE; y++)
            rows[y] = row;
        if (!limit_memory((rlim_t)700 << 20))
            goto done;
        for (const char *symbol = "~$>"; *symbol; symbol++) {
            struct terrain terrain = { .grid = { .nx = -7 } };
            struct error error;
            row[0] = *symbol;
            ck_assert_int_eq(map_from_rows(rows, 0, SIDE, &legend, "a.cfg", 7,
                                           &terrain, &error),
                             STATUS_FAILED);
            ck_assert_ptr_nonnull(strstr(error.message, ": out of memory"));
            ck_assert(terrain.grid.nx == -7 && !terrain.wall);
        }
    done:
        memory_release(rows);
        memory_release(row);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("map_rows");
    TCase *tests = tcase_create("map_rows");
    tcase_add_unchecked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, rows_make_a_flat_map);
    tcase_add_test(tests, rows_in_layers_make_a_3d_map);
    tcase_add_test(tests, the_legend_goes_before_the_formats_own_meaning);
    tcase_add_test(tests, the_legend_serves_map_files_too);
    tcase_add_test(tests, bad_rows_are_rejected_at_the_scenarios_line);
    tcase_add_test(tests, rows_whose_legend_needs_too_much_memory_fail);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
