/* SPDX-License-Identifier: MIT */
#include "world/local_width.h"

#include "base/memory.h"
#include "base/random.h"
#include "tests/base/limited_memory.h"
#include "tests/suite.h"
#include "world/maps/map.h"

#include <stdio.h>

static struct terrain terrain;
static int32_t *width, *height;

static void make_map(int dims, int nx, int ny, int nz)
{
    struct grid grid;
    ck_assert_int_eq(grid_make(dims, nx, ny, nz, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
}

static void measure(void)
{
    size_t cells = grid_cells(&terrain.grid);
    width = memory_new(cells, sizeof *width);
    height = memory_new(cells, sizeof *height);
    ck_assert_int_eq(local_width(&terrain, width,
                                 terrain.grid.dims == 3 ? height : NULL, NULL),
                     STATUS_OK);
}

static void release(void)
{
    memory_release(width);
    memory_release(height);
    terrain_release(&terrain);
}

/* A cell of the map, or of a free border of this many cells round it. */
static bool is_free(const int at[GRID_AXES], int border)
{
    const struct grid *grid = &terrain.grid;
    int deep = grid->dims == 3 ? border : 0;
    if (grid_holds(grid, at[0], at[1], at[2]))
        return !terrain.wall[grid_index(grid, at[0], at[1], at[2])];
    return at[0] >= -border && at[0] < grid->nx + border && at[1] >= -border &&
           at[1] < grid->ny + border && at[2] >= -deep &&
           at[2] < grid->nz + deep;
}

/* Is the cube of this side that starts at `first` free? */
static bool is_free_cube(const int first[GRID_AXES], int side, int border)
{
    int deep = terrain.grid.dims == 3 ? side : 1;
    for (int z = 0; z < deep; z++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++)
                if (!is_free(
                        (int[]){ first[0] + x, first[1] + y, first[2] + z },
                        border))
                    return false;
    return true;
}

/* Is the cell in a free cube of this side? Tries each cube. */
static bool is_in_cube(const int at[GRID_AXES], int side, int border)
{
    int deep = terrain.grid.dims == 3 ? side : 1;
    for (int z = 0; z < deep; z++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++)
                if (is_free_cube((int[]){ at[0] - x, at[1] - y, at[2] - z },
                                 side, border))
                    return true;
    return false;
}

static int brute_width(const int at[GRID_AXES])
{
    int side = 0;
    while (is_in_cube(at, side + 1, 0))
        side++;
    return side && is_in_cube(at, side + 1, 1) ? 0 : side;
}

static int brute_run(const int at[GRID_AXES], int axis)
{
    int length = 1;
    for (int way = -1; way <= 1; way += 2) {
        int next[GRID_AXES] = { at[0], at[1], at[2] };
        next[axis] += way;
        for (; is_free(next, 0); next[axis] += way)
            length++;
    }
    return length;
}

static int brute_height(const int at[GRID_AXES])
{
    int run[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        run[axis] = brute_run(at, axis);
    for (int i = 0; i < GRID_AXES; i++) {
        int shorter = 0, longer = 0;
        for (int k = 0; k < GRID_AXES; k++) {
            shorter += k != i && run[k] <= run[i];
            longer += k != i && run[k] >= run[i];
        }
        if (shorter >= 1 && longer >= 1)
            return run[i];
    }
    return -1;
}

static void ck_brute(void)
{
    for (size_t i = 0; i < grid_cells(&terrain.grid); i++) {
        int at[GRID_AXES];
        grid_cell(&terrain.grid, i, at);
        ck_assert_int_eq(width[i], brute_width(at));
        if (terrain.grid.dims == 3)
            ck_assert_int_eq(height[i], width[i] ? brute_height(at) : 0);
    }
}

/* Single walls, few or many, and boxes of walls. */
static void fill(struct random *random, int share)
{
    for (size_t i = 0; i < grid_cells(&terrain.grid); i++)
        terrain.wall[i] = random_below(random, 100) < (uint64_t)share;
}

START_TEST(widths_and_heights_are_those_of_brute_force)
    {
        struct random random;
        random_seed(&random, 1997);
        const int sizes[][4] = { { 2, 23, 17, 1 }, { 2, 1, 19, 1 },
                                 { 2, 12, 1, 1 },  { 3, 9, 8, 7 },
                                 { 3, 11, 5, 1 },  { 3, 2, 6, 9 } };
        const int shares[] = { 0, 1, 3, 10, 30, 60, 100 };
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
                make_map(sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3]);
                fill(&random, shares[k]);
                measure();
                ck_brute();
                release();
            }
    }
END_TEST

/* The widths of the shapes are stated only in their names. */
START_TEST(corridors_of_the_samples_are_as_wide_as_their_names_say)
    {
        static const char *const shapes[] = { "straight", "l", "s", "t", "u" };
        static const int widths[] = { 1, 3, 5, 7, 11, 21 };
        for (int k = 0; k < 30; k++) {
            char path[4096];
            int known = widths[k % 6];
            size_t right = 0, count = 0;
            snprintf(path, sizeof path, "%s/samples/maps/corridor-%s-%d.map",
                     getenv("abs_top_srcdir"), shapes[k / 6], known);
            ck_assert_int_eq(map_load(path, NULL, &terrain, NULL), STATUS_OK);
            measure();
            for (size_t i = 0; i < grid_cells(&terrain.grid); i++) {
                count += !terrain.wall[i];
                right += !terrain.wall[i] && width[i] == known;
            }
            ck_assert_uint_gt(count, 100);
            ck_assert_msg(right == count, "%s: %zu of %zu", path, right, count);
            release();
        }
    }
END_TEST

/* The map is wall except for cells with |x − y| ≤ 4: 9/√2 = 6.4 wide. */
START_TEST(a_diagonal_corridor_is_reported_too_narrow_as_documented)
    {
        make_map(2, 60, 60, 1);
        for (int y = 0; y < 60; y++)
            for (int x = 0; x < 60; x++)
                terrain.wall[y * 60 + x] = abs(x - y) > 4;
        measure();
        ck_assert_int_eq(width[30 * 60 + 30], 5);
        ck_assert_int_eq(width[30 * 60 + 33], 5);
        release();
    }
END_TEST

/* The edge is free for any kind of walls. */
START_TEST(cells_bounded_only_by_the_edge_have_no_width)
    {
        make_map(2, 31, 21, 1);
        measure();
        ck_assert_int_eq(width[8 * 31 + 3], 0); /* an open map */
        release();
        make_map(2, 31, 21, 1); /* between a wall and the edge */
        for (int x = 0; x < 31; x++)
            terrain.wall[12 * 31 + x] = 1;
        measure();
        ck_assert_int_eq(width[8 * 31 + 3], 0);
        release();
        make_map(2, 31, 21, 1); /* a corridor open at both its ends */
        for (int y = 0; y < 21; y++)
            terrain.wall[y * 31 + 1] = terrain.wall[y * 31 + 5] = 1;
        measure();
        for (int y = 0; y < 21; y++)
            ck_assert_int_eq(width[y * 31 + 3], 3);
        release();
    }
END_TEST

START_TEST(a_duct_has_a_width_and_a_height)
    {
        make_map(3, 20, 11, 9);
        for (size_t i = 0; i < grid_cells(&terrain.grid); i++) {
            int at[GRID_AXES];
            grid_cell(&terrain.grid, i, at);
            terrain.wall[i] = at[1] < 2 || at[1] > 8 || at[2] < 3 || at[2] > 5;
        }
        measure();
        size_t cell = grid_index(&terrain.grid, 10, 4, 4);
        ck_assert_int_eq(width[cell], 3);
        ck_assert_int_eq(height[cell], 7);
        release();
    }
END_TEST

START_TEST(a_lack_of_memory_is_reported)
    {
        struct error error;
        make_map(2, 4000, 4000, 1);
        width = memory_new(grid_cells(&terrain.grid), sizeof *width);
        if (limit_memory(1 << 27)) /* too little for another array of this
                                    * size */
            ck_assert_int_eq(local_width(&terrain, width, NULL, &error),
                             STATUS_FAILED);
        memory_release(width);
        terrain_release(&terrain);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_width");
    TCase *widths = tcase_create("widths");
    tcase_add_test(widths, widths_and_heights_are_those_of_brute_force);
    tcase_add_test(widths,
                   corridors_of_the_samples_are_as_wide_as_their_names_say);
    tcase_add_test(widths,
                   a_diagonal_corridor_is_reported_too_narrow_as_documented);
    tcase_add_test(widths, cells_bounded_only_by_the_edge_have_no_width);
    tcase_add_test(widths, a_duct_has_a_width_and_a_height);
    tcase_add_test(widths, a_lack_of_memory_is_reported);
    suite_add_tcase(suite, widths);
    return suite_main(suite);
}
