/* SPDX-License-Identifier: MIT */
/* Every public benchmark map loads, with the number of free cells that a simple
 * count of its bytes gives. Their folder is named by HAMON_BENCHMARKS. */
#include "base/memory.h"
#include "tests/suite.h"
#include "world/maps/map.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

static size_t free_cells(const struct terrain *terrain)
{
    size_t count = 0;
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++)
        count += !terrain->wall[i];
    return count;
}

/* Symbols of free cells after a line with only the word "map". */
static size_t count_octile(FILE *file)
{
    char line[4096];
    size_t count = 0;
    bool inside = false;
    while (fgets(line, sizeof line, file)) {
        if (inside)
            for (const char *c = line; *c; c++)
                count += *c == '.' || *c == 'G' || *c == 'S';
        inside = inside || strncmp(line, "map", 3) == 0;
    }
    return count;
}

/* All cells minus the distinct ones that are listed. */
static size_t count_voxels(FILE *file)
{
    size_t x, y, z, nx, ny, nz;
    ck_assert_int_eq(fscanf(file, "voxel %zu %zu %zu", &nx, &ny, &nz), 3);
    size_t count = nx * ny * nz;
    char *seen = memory_new(count, 1);
    ck_assert_ptr_nonnull(seen);
    while (fscanf(file, "%zu %zu %zu", &x, &y, &z) == 3) {
        char *cell = &seen[(x * ny + y) * nz + z];
        count -= !*cell;
        *cell = 1;
    }
    memory_release(seen);
    return count;
}

static void check_maps(const char *pattern, int dims, size_t at_least,
                       size_t (*count)(FILE *file))
{
    char path[4096];
    glob_t found;
    snprintf(path, sizeof path, "%s/%s", getenv("HAMON_BENCHMARKS"), pattern);
    ck_assert_int_eq(glob(path, 0, NULL, &found), 0);
    ck_assert_uint_ge(found.gl_pathc, at_least);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *name = found.gl_pathv[i];
        struct terrain terrain;
        struct error error;
        ck_assert_msg(map_load(name, NULL, &terrain, &error) == STATUS_OK, "%s",
                      error.message);
        FILE *file = fopen(name, "r");
        ck_assert_ptr_nonnull(file);
        size_t expected = count(file), free = free_cells(&terrain);
        fclose(file);
        ck_assert_msg(free == expected, "%s: %zu free cells, not %zu", name,
                      free, expected);
        ck_assert_int_eq(terrain.grid.dims, dims);
        printf("# %s: %d x %d x %d, %zu free\n", strrchr(name, '/') + 1,
               terrain.grid.nx, terrain.grid.ny, terrain.grid.nz, free);
        terrain_release(&terrain);
    }
    fflush(stdout);
    globfree(&found);
}

START_TEST(every_flat_benchmark_map_loads_whole)
    {
        check_maps("2d/*.map", 2, 10, count_octile);
    }
END_TEST

START_TEST(every_voxel_benchmark_map_loads_whole)
    {
        check_maps("3d/*.3dmap", 3, 1, count_voxels);
    }
END_TEST

int main(void)
{
    if (!getenv("HAMON_BENCHMARKS")) {
        puts("1..0 # SKIP HAMON_BENCHMARKS names no folder of maps");
        return EXIT_SUCCESS;
    }
    Suite *suite = suite_create("map_benchmarks");
    TCase *tests = tcase_create("map_benchmarks");
    tcase_add_test(tests, every_flat_benchmark_map_loads_whole);
    tcase_add_test(tests, every_voxel_benchmark_map_loads_whole);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
