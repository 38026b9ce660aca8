/* SPDX-License-Identifier: MIT */
/* Map files of a test in a separate folder: made before the first test, removed
 * after the last (unchecked fixtures: they run in the parent). */
#ifndef HAMON_TESTS_WORLD_MAPS_MAP_FILES_H
#define HAMON_TESTS_WORLD_MAPS_MAP_FILES_H

#include "tests/suite.h"
#include "world/maps/map.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/hamon-test-map-XXXXXX";

static inline void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chmod(folder, 0755), 0);
}

static inline void remove_folder(void)
{
    DIR *entries = opendir(folder);
    ck_assert_ptr_nonnull(entries);
    for (struct dirent *entry; (entry = readdir(entries));)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(entries), entry->d_name,
                     entry->d_type == DT_DIR ? AT_REMOVEDIR : 0);
    closedir(entries);
    ck_assert_int_eq(rmdir(folder), 0);
}

enum { PATH_SIZE = 128 };

static inline void path_of(const char *name, char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/%s", folder, name);
}

static inline void write_map(const char *name, const void *bytes, size_t size)
{
    char path[PATH_SIZE];
    path_of(name, path);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static inline enum status load(const char *name, const struct legend *legend,
                               struct terrain *terrain, struct error *error)
{
    char path[PATH_SIZE];
    path_of(name, path);
    return map_load(path, legend, terrain, error);
}

/* Checks that the map is rejected as bad input, with one line that starts with
 * its path and `expected`, and that terrain is unchanged. */
static inline void check_refused(const char *name, const char *expected)
{
    char path[PATH_SIZE];
    struct terrain terrain = { .grid = { .nx = -7 } };
    struct error error = { 0 };
    path_of(name, path);
    enum status status = map_load(path, NULL, &terrain, &error);
    ck_assert_msg(status == STATUS_INPUT, "status %d, not input, for `%s`",
                  (int)status, expected);
    ck_assert_int_eq(error.status, STATUS_INPUT);
    ck_assert_msg(strncmp(error.message, path, strlen(path)) == 0 &&
                      strncmp(error.message + strlen(path), expected,
                              strlen(expected)) == 0,
                  "`%s` is not `%s%s…`", error.message, path, expected);
    ck_assert_ptr_null(strpbrk(error.message, "\n\r"));
    ck_assert(terrain.grid.nx == -7 && !terrain.wall);
    ck_assert_int_eq(map_load(path, NULL, &terrain, NULL), STATUS_INPUT);
}

/* Checks that the map's walls are `expected`: '#' and '.', layer by layer. */
static inline void check_walls(struct terrain *terrain, int nx, int ny, int nz,
                               const char *expected)
{
    ck_assert_int_eq(terrain->grid.nx, nx);
    ck_assert_int_eq(terrain->grid.ny, ny);
    ck_assert_int_eq(terrain->grid.nz, nz);
    ck_assert_uint_eq(strlen(expected), grid_cells(&terrain->grid));
    for (size_t i = 0; expected[i]; i++)
        ck_assert_msg(terrain->wall[i] == (expected[i] == '#'), "cell %zu", i);
}

#endif
