/* SPDX-License-Identifier: MIT */
/* The text formats, .map and .3dmap, and the requirements for every map
 * file. */
#include "base/random.h"
#include "tests/base/limited_memory.h"
#include "tests/world/maps/map_files.h"

#include <sys/types.h>

#define HEADER "type octile\nheight 2\nwidth 3\nmap\n"

struct text_map {
    const char *name, *bytes;
    size_t size;
    const char *expected;
};
#define TEXT(name, bytes, expected)                                            \
    {                                                                          \
        name, bytes, sizeof(bytes) - 1, expected                               \
    }

static const struct text_map good_octile[] = {
    TEXT("lf.map", HEADER ".@.\nT.S\n", ".#.#.."),
    TEXT("crlf.map",
         "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@.\r\nT.S\r\n",
         ".#.#.."),
    TEXT("no-last-feed.map", HEADER ".@.\nT.S", ".#.#.."),
    TEXT("crlf-no-last-feed.map",
         "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@.\r\nT.S", ".#.#.."),
    TEXT("blank-behind.map", HEADER ".@.\nT.S\n\n  \t\n\r\n", ".#.#.."),
    TEXT("width-first.map", "type octile\nwidth 3\nheight 2\nmap\n.@.\nT.S\n",
         ".#.#.."),
    TEXT("blanks-in-header.map",
         "type  octile \nheight\t2\nwidth 3 \nmap \n.@.\nT.S\n", ".#.#.."),
    TEXT("symbols.map", HEADER ".GS\n@OT\n", "...###"),
    TEXT("water.map", HEADER "W..\n..W\n", "#....#"),
    TEXT("ENDING.MaP", HEADER "@..\n...\n", "#....."),
};

START_TEST(every_good_form_of_a_map_loads)
    {
        const struct text_map *map = &good_octile[_i];
        struct terrain terrain;
        struct error error;
        write_map(map->name, map->bytes, map->size);
        ck_assert_msg(load(map->name, NULL, &terrain, &error) == STATUS_OK,
                      "%s", error.message);
        check_walls(&terrain, 3, 2, 1, map->expected);
        ck_assert_int_eq(terrain.grid.dims, 2);
        ck_assert(!terrain.speed && !terrain.cost && !terrain.one_way);
        terrain_release(&terrain);
    }
END_TEST

static const struct text_map bad_octile[] = {
    TEXT("bad.map", "", ": the file is empty"),
    TEXT("bad.map", "\n", ":1: `` in the header"),
    TEXT("bad.map", "type octile", ":1: the file ends before the line `map`"),
    TEXT("bad.map", "type octile\nheight 2\nwidth 3\n",
         ":3: the file ends before the line `map`"),
    TEXT("bad.map", "height 2\nwidth 3\nmap\n.@.\nT.S\n",
         ":3: `map` comes before `type octile`"),
    TEXT("bad.map", "type octile\nwidth 3\nmap\n.@.\nT.S\n",
         ":3: `map` comes before `height H`"),
    TEXT("bad.map", "type octile\nheight 2\nmap\n.@.\nT.S\n",
         ":3: `map` comes before `width W`"),
    TEXT("bad.map", "type hexagonal\nheight 2\n",
         ":1: type `hexagonal`: octile is the only one known"),
    TEXT("bad.map", "type octile 4\n", ":1: type `octile 4`"),
    TEXT("bad.map", "type octiles\n", ":1: type `octiles`"),
    TEXT("bad.map", "typeoctile\n", ":1: `typeoctile` in the header"),
    TEXT("bad.map", "Type octile\n", ":1: `Type octile` in the header"),
    TEXT("bad.map", "type octile\nheight 2\nheight 2\n",
         ":3: height is given twice"),
    TEXT("bad.map", "type octile\nwidth 2\nwidth 3\n",
         ":3: width is given twice"),
    TEXT("bad.map", "type octile\nheight\n", ":2: height ``: a whole number"),
    TEXT("bad.map", "type octile\nheight two\n", ":2: height `two`"),
    TEXT("bad.map", "type octile\nheight 0\n", ":2: height `0`"),
    TEXT("bad.map", "type octile\nheight -2\n", ":2: height `-2`"),
    TEXT("bad.map", "type octile\nheight -\n", ":2: height `-`"),
    TEXT("bad.map", "type octile\nheight +2\n", ":2: height `+2`"),
    TEXT("bad.map", "type octile\nheight 2.5\n", ":2: height `2.5`"),
    TEXT("bad.map", "type octile\nheight 0x2\n", ":2: height `0x2`"),
    TEXT("bad.map", "type octile\nheight 2 2\n", ":2: height `2 2`"),
    TEXT("bad.map", "type octile\nheight 2\nwidth 3px\n", ":3: width `3px`"),
    TEXT("bad.map", "type octile\nheight nan\n", ":2: height `nan`"),
    TEXT("bad.map", "type octile\nheight 2147483648\nwidth 1\nmap\n",
         ":4: an extent of 2147483648 cells: 1 to 2147483647"),
    TEXT("bad.map", "type octile\nheight 1\nwidth 18446744073709551617\nmap\n",
         ":4: an extent of 9223372036854775807 cells"),
    TEXT("bad.map", "type octile\nheight 1\nwidth -18446744073709551617\nmap\n",
         ":3: width `-18446744073709551617`"),
    TEXT("bad.map", "type octile\nheight 2000000000\nwidth 2000000000\nmap\n",
         ":4: a grid of 2000000000 x 2000000000 x 1 cells is too large"),
    TEXT("bad.map", "type octile\nheight 65536\nwidth 32768\nmap\n",
         ":4: a grid of 32768 x 65536 x 1 cells is too large"),
    TEXT("bad.map", "type octile\nheight 2147483647\nwidth 1\nmap\n.\n",
         ":5: the file ends after 1 of 2147483647 rows"),
    TEXT("bad.map", "type octile\nheight 40000\nwidth 50000\nmap\n...\n",
         ":5: row 0 has 3 cells, not the width's 50000"),
    TEXT("bad.map", "type octile\nheight 2\nwidth 3\nlength 4\nmap\n",
         ":4: `length 4` in the header"),
    TEXT("bad.map", "type octile\nheight 2\n\nwidth 3\nmap\n",
         ":3: `` in the header"),
    TEXT("bad.map", "type octile\nheight 2\nwidth 3\nmaps\n",
         ":4: `maps` in the header"),
    TEXT("bad.map", "type octile\0\nheight 2\n", ":1: type `octile"),
    TEXT("bad.map", "type octile\nheight 2\0\n", ":2: height `2"),
    TEXT("bad.map", "\xef\xbb\xbf", ": the file is empty"),
    TEXT("bad.map", HEADER, ":4: the file ends after 0 of 2 rows"),
    TEXT("bad.map", HEADER ".@.\n", ":5: the file ends after 1 of 2 rows"),
    TEXT("bad.map", HEADER ".@.\nT.", ":6: row 1 has 2 cells, not the width's"),
    TEXT("bad.map", HEADER ".@.\nT..S\n", ":6: row 1 has 4 cells"),
    TEXT("bad.map", HEADER ".@. \nT.S\n",
         ":5: row 0 has 4 cells, not the width's 3; row 0 ends with blanks "
         "(spaces, tabs), 1: remove them"),
    TEXT("bad.map", HEADER ".@.\nT.S\t \t\n",
         ":6: row 1 has 6 cells, not the width's 3; row 1 ends with blanks "
         "(spaces, tabs), 3: remove them"),
    TEXT("bad.map", HEADER ".@.  \r\nT.S  \r\n",
         ":5: row 0 has 5 cells, not the width's 3; row 0 ends with blanks "
         "(spaces, tabs), 2"),
    TEXT("bad.map", HEADER "  .@.\nT.S\n",
         ":5: row 0 has 5 cells, not the width's 3; row 0 begins with blanks "
         "(spaces, tabs), 2"),
    TEXT("bad.map", HEADER ".\xc2\xb7.\nT.S\n",
         ":5: row 0 has 4 cells, not the width's 3; row 0 has a character of "
         "several bytes at cell 1"),
    TEXT("bad.map", HEADER "   \nT.S\n", ":5: symbol 0x20 at cell (0, 0)"),
    TEXT("bad.map", HEADER "     \nT.S\n",
         ":5: row 0 has 5 cells, not the width's 3; row 0 is blank"),
    TEXT("bad.map", HEADER ".@.\r\r\nT.S\n", ":5: row 0 has 4 cells"),
    TEXT("bad.map", HEADER "\n.@.\nT.S\n", ":5: row 0 has 0 cells"),
    TEXT("bad.map", HEADER ".@.\n\nT.S\n", ":6: row 1 has 0 cells"),
    TEXT("bad.map", HEADER ".@.\rT.S\r", ":5: row 0 has 7 cells"),
    TEXT("bad.map", HEADER ".@.\nT.S\n...\n",
         ":7: `...` after the last of 2 rows"),
    TEXT("bad.map", HEADER ".@.\nT.S\n\nend\n", ":8: `end` after the last"),
    TEXT("bad.map", HEADER ".@.\nT.S\n\0\n", ":7: `"),
    TEXT("bad.map", HEADER ".@.\nT#S\n",
         ":6: symbol '#' at cell (1, 1) has no meaning: . G S are free"),
    TEXT("bad.map", HEADER ".@.\nT.\0\n", ":6: symbol 0x00 at cell (2, 1)"),
    TEXT("bad.map", HEADER "\xc2\xb7.\n...\n",
         ":5: symbol 0xc2 at cell (0, 0)"),
    TEXT("bad.map", HEADER ".\t.\n...\n", ":5: symbol 0x09 at cell (1, 0)"),
    TEXT("bad.map", "\x89PNG\r\n\x1a\n", ":1: `"),
};

START_TEST(every_bad_map_is_rejected_at_its_line)
    {
        const struct text_map *map = &bad_octile[_i];
        write_map(map->name, map->bytes, map->size);
        check_refused(map->name, map->expected);
    }
END_TEST

static const struct text_map bad_voxel[] = {
    TEXT("bad.3dmap", "", ": the file is empty"),
    TEXT("bad.3dmap", "\n", ":1: ``: the first line must be `voxel X Y Z`"),
    TEXT("bad.3dmap", "voxel 3 2\n", ":1: `voxel 3 2`"),
    TEXT("bad.3dmap", "voxel 3 2 2 1\n", ":1: `voxel 3 2 2 1`"),
    TEXT("bad.3dmap", "voxel3 2 2\n", ":1: `voxel3 2 2`"),
    TEXT("bad.3dmap", "3 2 2\n", ":1: `3 2 2`"),
    TEXT("bad.3dmap", "voxel 3 2 2.0\n", ":1: `voxel 3 2 2.0`"),
    TEXT("bad.3dmap", "voxel 3 0 2\n", ":1: an extent of 0 cells"),
    TEXT("bad.3dmap", "voxel 3 2 -2\n", ":1: an extent of -2 cells"),
    TEXT("bad.3dmap", "voxel 2000 2000 2000\n",
         ":1: a grid of 2000 x 2000 x 2000 cells is too large"),
    TEXT("bad.3dmap", "voxel 99999999999999999999 1 1\n",
         ":1: an extent of 9223372036854775807 cells"),
    TEXT("bad.3dmap", "voxel 3 2 2\n3 0 0\n",
         ":2: cell `3 0 0` lies outside the 3 x 2 x 2 cells"),
    TEXT("bad.3dmap", "voxel 3 2 2\n0 0 0\n0 2 0\n", ":3: cell `0 2 0`"),
    TEXT("bad.3dmap", "voxel 3 2 2\n0 0 2\n", ":2: cell `0 0 2`"),
    TEXT("bad.3dmap", "voxel 3 2 2\n0 -1 0\n", ":2: cell `0 -1 0`"),
    TEXT("bad.3dmap", "voxel 3 2 2\n0 0 18446744073709551616\n",
         ":2: cell `0 0 18446744073709551616`"),
    TEXT("bad.3dmap", "voxel 3 2 2\n0 0\n", ":2: `0 0`: a blocked cell"),
    TEXT("bad.3dmap", "voxel 3 2 2\n0 0 0 0\n", ":2: `0 0 0 0`"),
    TEXT("bad.3dmap", "voxel 3 2 2\n0 0 0x\n", ":2: `0 0 0x`"),
    TEXT("bad.3dmap", "voxel 3 2 2\n0,0,0\n", ":2: `0,0,0`"),
    TEXT("bad.3dmap",
         "voxel 3 2 2\n0 0 \0"
         "0\n",
         ":2: `0 0 "),
    TEXT("bad.3dmap", HEADER "...\n...\n", ":1: `type octile`"),
};

START_TEST(every_bad_voxel_map_is_rejected_at_its_line)
    {
        const struct text_map *map = &bad_voxel[_i];
        write_map(map->name, map->bytes, map->size);
        check_refused(map->name, map->expected);
    }
END_TEST

static const struct text_map good_voxel[] = {
    TEXT("a.3dmap", "voxel 3 2 2\n0 0 0\n2 1 0\n1 0 1\n", "#....#.#...."),
    TEXT("a.3dmap", "voxel 3 2 2\r\n0 0 0\r\n2 1 0\r\n1 0 1", "#....#.#...."),
    TEXT("a.3DMAP", "voxel 3 2 2\n\n 0\t0 0 \n2 1 0\n2 1 0\n1 0 1\n\n",
         "#....#.#...."),
    TEXT("a.3dmap", "voxel 3 2 2", "............"),
};

START_TEST(every_good_form_of_a_voxel_map_loads)
    {
        const struct text_map *map = &good_voxel[_i];
        struct terrain terrain;
        struct error error;
        write_map(map->name, map->bytes, map->size);
        ck_assert_msg(load(map->name, NULL, &terrain, &error) == STATUS_OK,
                      "%s", error.message);
        check_walls(&terrain, 3, 2, 2, map->expected);
        ck_assert_int_eq(terrain.grid.dims, 3);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_flat_voxel_map_is_still_3d)
    {
        struct terrain terrain;
        write_map("flat.3dmap", "voxel 3 2 1\n1 1 0\n", 18);
        ck_assert_int_eq(load("flat.3dmap", NULL, &terrain, NULL), STATUS_OK);
        check_walls(&terrain, 3, 2, 1, "....#.");
        ck_assert_int_eq(terrain.grid.dims, 3);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_name_without_a_known_ending_is_rejected)
    {
        static const char *const names[] = { "a.txt",    "map",   "a.map.scen",
                                             "a.map.gz", ".mapx", "" };
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            check_refused(names[i],
                          ": its name is not a map's: names ending in");
        struct error error;
        struct terrain terrain;
        ck_assert_int_eq(map_load("", NULL, &terrain, &error), STATUS_INPUT);
    }
END_TEST

START_TEST(a_path_that_is_no_readable_file_is_rejected)
    {
        char path[PATH_SIZE];
        static const char *const names[] = { "none.map", "none.3dmap",
                                             "none.png" };
        for (size_t i = 0; i < 3; i++)
            check_refused(names[i], ": the map cannot be opened: No such file");
        path_of("folder.map", path);
        ck_assert_int_eq(mkdir(path, 0700), 0);
        check_refused("folder.map", ": is a directory: a map must be");
        path_of("pipe.map", path);
        ck_assert_int_eq(mkfifo(path, 0600), 0);
        check_refused("pipe.map", ": is a device or pipe: a map must be");
        path_of("zero.map", path);
        ck_assert_int_eq(symlink("/dev/zero", path), 0);
        check_refused("zero.map", ": is a device or pipe: a map must be");
        path_of("loop.map", path);
        ck_assert_int_eq(symlink("loop.map", path), 0);
        check_refused("loop.map", ": the map cannot be opened: ");
        check_refused("folder.map/a.map", ": the map cannot be opened: ");
    }
END_TEST

/* Root may read every file: this test is a child process, which drops that
 * right. */
START_TEST(a_file_without_read_permission_is_rejected)
    {
        char path[PATH_SIZE];
        write_map("secret.map", HEADER "...\n...\n", 41);
        path_of("secret.map", path);
        ck_assert_int_eq(chmod(path, 0), 0);
        if (geteuid() == 0)
            ck_assert_int_eq(seteuid(65534), 0);
        check_refused("secret.map",
                      ": the map cannot be opened: Permission denied");
        if (getuid() == 0)
            ck_assert_int_eq(seteuid(0), 0);
    }
END_TEST

START_TEST(a_file_over_the_size_limit_is_rejected_unread)
    {
        char path[PATH_SIZE];
        write_map("huge.map", HEADER, sizeof HEADER - 1);
        path_of("huge.map", path);
        ck_assert_int_eq(truncate(path, ((off_t)1 << 30) + 1), 0);
        check_refused("huge.map", ": the file has 1073741825 bytes: at most "
                                  "1073741824 are allowed");
    }
END_TEST

START_TEST(a_map_too_large_for_memory_is_no_fault_of_the_input)
    {
        struct terrain terrain;
        struct error error;
        char path[PATH_SIZE];
        write_map("large.3dmap", "voxel 1200 1200 1200\n", 21);
        write_map("large.map", HEADER, sizeof HEADER - 1);
        path_of("large.map", path);
        ck_assert_int_eq(truncate(path, (off_t)1 << 30), 0);
        if (!limit_memory((rlim_t)700 << 20))
            return;
        ck_assert_int_eq(load("large.3dmap", NULL, &terrain, &error),
                         STATUS_FAILED);
        ck_assert_ptr_nonnull(strstr(error.message, ": out of memory"));
        ck_assert_int_eq(load("large.map", NULL, &terrain, NULL),
                         STATUS_FAILED);
    }
END_TEST

START_TEST(a_map_truncated_anywhere_is_rejected_and_never_partly_loaded)
    {
        static const char whole[] = HEADER ".@.\nT.S\n";
        for (size_t size = 1; size < sizeof whole - 2; size++) {
            char expected[16];
            write_map("cut.map", whole, size);
            int line = 1;
            for (size_t i = 0; i + 1 < size; i++)
                line += whole[i] == '\n';
            snprintf(expected, sizeof expected, ":%d: ", line);
            check_refused("cut.map", expected);
        }
    }
END_TEST

START_TEST(a_map_with_any_byte_changed_loads_or_is_rejected)
    {
        static const char octile[] = HEADER ".@.\nT.S\n";
        static const char voxel[] = "voxel 3 2 2\n0 0 0\n2 1 0\n";
        struct random random;
        random_seed(&random, 99);
        int refused = 0;
        for (int i = 0; i < 600; i++) {
            const char *source = i % 2 ? octile : voxel;
            const char *name = i % 2 ? "mutant.map" : "mutant.3dmap";
            char bytes[64];
            size_t size = strlen(source);
            memcpy(bytes, source, size);
            for (int changes = 1 + i % 3; changes > 0; changes--)
                bytes[random_below(&random, size)] =
                    (char)random_below(&random, 256);
            write_map(name, bytes, size);
            struct terrain terrain;
            struct error error;
            enum status status = load(name, NULL, &terrain, &error);
            if (status == STATUS_OK)
                terrain_release(&terrain);
            else
                ck_assert_int_eq(status, STATUS_INPUT);
            refused += status != STATUS_OK;
        }
        ck_assert_int_gt(refused, 300);
    }
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

int main(void)
{
    Suite *suite = suite_create("map");
    TCase *tests = tcase_create("map");
    tcase_add_unchecked_fixture(tests, make_folder, remove_folder);
    tcase_add_loop_test(tests, every_good_form_of_a_map_loads, 0,
                        COUNT(good_octile));
    tcase_add_loop_test(tests, every_bad_map_is_rejected_at_its_line, 0,
                        COUNT(bad_octile));
    tcase_add_loop_test(tests, every_good_form_of_a_voxel_map_loads, 0,
                        COUNT(good_voxel));
    tcase_add_loop_test(tests, every_bad_voxel_map_is_rejected_at_its_line, 0,
                        COUNT(bad_voxel));
    tcase_add_test(tests, a_flat_voxel_map_is_still_3d);
    tcase_add_test(tests, a_name_without_a_known_ending_is_rejected);
    tcase_add_test(tests, a_path_that_is_no_readable_file_is_rejected);
    tcase_add_test(tests, a_file_without_read_permission_is_rejected);
    tcase_add_test(tests, a_file_over_the_size_limit_is_rejected_unread);
    tcase_add_test(tests, a_map_too_large_for_memory_is_no_fault_of_the_input);
    tcase_add_test(
        tests, a_map_truncated_anywhere_is_rejected_and_never_partly_loaded);
    tcase_add_test(tests, a_map_with_any_byte_changed_loads_or_is_rejected);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
