/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "base/random.h"
#include "tests/base/limited_memory.h"
#include "tests/world/flood.h"

#include <stdio.h>
#include <string.h>

static struct terrain new_terrain(int dims, int nx, int ny, int nz)
{
    struct grid grid;
    struct terrain terrain;
    ck_assert_int_eq(grid_make(dims, nx, ny, nz, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    return terrain;
}

/* A wall for '#', one-way for an arrow, from rows joined into one. */
static struct terrain drawn(int nx, int ny, const char *rows)
{
    static const char arrows[] = "><v^";
    struct terrain terrain = new_terrain(2, nx, ny, 1);
    ck_assert_int_eq(terrain_prepare(&terrain, CHANGE_ONE_WAY, NULL),
                     STATUS_OK);
    ck_assert_uint_eq(strlen(rows), grid_cells(&terrain.grid));
    for (size_t i = 0; rows[i]; i++) {
        const char *arrow = strchr(arrows, rows[i]);
        terrain.wall[i] = rows[i] == '#';
        terrain.one_way[i] = arrow ? (uint8_t)(1 + (arrow - arrows)) : 0;
    }
    return terrain;
}

/* The reached cells as 'o', walls '#', others '.'. */
static void check_flood(struct terrain *terrain, size_t from,
                        const char *expected)
{
    size_t cells = grid_cells(&terrain->grid);
    uint8_t *reached = memory_new(cells, sizeof *reached);
    int32_t *queue = memory_new(cells, sizeof *queue);
    size_t count = terrain_flood(terrain, from, reached, queue), marked = 0;
    for (size_t i = 0; i < cells; i++) {
        char seen = reached[i] ? 'o' : terrain->wall[i] ? '#' : '.';
        ck_assert_msg(seen == expected[i], "cell %zu is %c, not %c", i, seen,
                      expected[i]);
        marked += reached[i];
    }
    ck_assert_uint_eq(count, marked);
    memory_release(reached);
    memory_release(queue);
    terrain_release(terrain);
}

START_TEST(a_new_terrain_is_free_and_uniform)
    {
        struct terrain terrain = new_terrain(3, 4, 3, 2);
        for (size_t i = 0; i < 24; i++)
            ck_assert_uint_eq(terrain.wall[i], 0);
        ck_assert(!terrain.speed && !terrain.cost && !terrain.one_way);
        terrain_release(&terrain);
        ck_assert_ptr_null(terrain.wall);
    }
END_TEST

START_TEST(preparing_fills_with_the_neutral_value_and_only_once)
    {
        struct terrain terrain = new_terrain(2, 5, 3, 1);
        for (int kind = CHANGE_WALL; kind <= CHANGE_ONE_WAY; kind++)
            ck_assert_int_eq(
                terrain_prepare(&terrain, (enum terrain_change_kind)kind, NULL),
                STATUS_OK);
        for (size_t i = 0; i < 15; i++) {
            ck_assert_double_eq(terrain.speed[i], 1);
            ck_assert_double_eq(terrain.cost[i], 1);
            ck_assert_uint_eq(terrain.one_way[i], 0);
        }
        terrain.speed[7] = 2.385;
        ck_assert_int_eq(terrain_prepare(&terrain, CHANGE_SPEED, NULL),
                         STATUS_OK);
        ck_assert_double_eq(terrain.speed[7], 2.385);
        terrain_release(&terrain);
    }
END_TEST

/* The expected effect of each kind of change at a cell inside and outside. */
static void check_change(enum terrain_change_kind kind, double value,
                         enum direction direction)
{
    struct terrain terrain = new_terrain(3, 6, 5, 4);
    struct box box = { { 1, 2, 0 }, { 4, 2, 3 } };
    struct terrain_change change = { box, kind, value, direction };
    if (kind == CHANGE_FREE)
        memset(terrain.wall, 1, grid_cells(&terrain.grid));
    ck_assert_int_eq(terrain_prepare(&terrain, kind, NULL), STATUS_OK);
    terrain_apply(&terrain, &change);
    for (size_t i = 0; i < grid_cells(&terrain.grid); i++) {
        int cell[GRID_AXES];
        grid_cell(&terrain.grid, i, cell);
        bool inside = cell[0] >= 1 && cell[0] <= 4 && cell[1] == 2;
        if (kind == CHANGE_WALL || kind == CHANGE_FREE)
            ck_assert_int_eq(terrain.wall[i], inside == (kind == CHANGE_WALL));
        else if (kind == CHANGE_ONE_WAY)
            ck_assert_int_eq(terrain.one_way[i], inside ? 1 + direction : 0);
        else
            ck_assert_double_eq(
                (kind == CHANGE_SPEED ? terrain.speed : terrain.cost)[i],
                inside ? value : 1);
    }
    terrain_release(&terrain);
}

START_TEST(a_change_fills_its_box_with_both_ends_and_nothing_else)
    {
        check_change(CHANGE_WALL, 0, EAST);
        check_change(CHANGE_FREE, 0, EAST);
        check_change(CHANGE_SPEED, 0.45, EAST);
        check_change(CHANGE_COST, 5.25, EAST);
        for (int d = 0; d < DIRECTIONS; d++)
            check_change(CHANGE_ONE_WAY, 0, (enum direction)d);
    }
END_TEST

START_TEST(a_copy_has_memory_of_its_own)
    {
        struct terrain from = new_terrain(2, 3, 2, 1), to;
        ck_assert_int_eq(terrain_prepare(&from, CHANGE_COST, NULL), STATUS_OK);
        from.wall[4] = 1;
        from.cost[1] = 5;
        ck_assert_int_eq(terrain_copy(&from, &to, NULL), STATUS_OK);
        from.wall[4] = 0;
        from.cost[1] = 1;
        ck_assert_uint_eq(to.wall[4], 1);
        ck_assert_double_eq(to.cost[1], 5);
        ck_assert(!to.speed && !to.one_way);
        ck_assert_int_eq(to.grid.nx, 3);
        terrain_release(&from);
        terrain_release(&to);
    }
END_TEST

/* These fields of 400 MB are never written, so they take no time. */
START_TEST(without_memory_every_call_fails_and_changes_nothing)
    {
        if (!limit_memory((rlim_t)700 << 20))
            return;
        struct terrain terrain = new_terrain(2, 20000, 20000, 1), copy;
        struct error error;
        copy.wall = terrain.wall;
        ck_assert_int_eq(terrain_copy(&terrain, &copy, &error), STATUS_FAILED);
        ck_assert_int_eq(error.status, STATUS_FAILED);
        ck_assert_ptr_eq(copy.wall, terrain.wall);
        ck_assert_int_eq(terrain_init(&copy, &terrain.grid, &error),
                         STATUS_FAILED);
        ck_assert_ptr_eq(copy.wall, terrain.wall);
        for (int kind = CHANGE_SPEED; kind <= CHANGE_ONE_WAY; kind++)
            ck_assert_int_eq(terrain_prepare(&terrain,
                                             (enum terrain_change_kind)kind,
                                             &error),
                             STATUS_FAILED);
        ck_assert(!terrain.speed && !terrain.cost && !terrain.one_way);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_flood_goes_round_walls_and_not_through_diagonals)
    {
        struct terrain terrain = drawn(5, 4,
                                       "..#.."
                                       ".##.."
                                       "#...#"
                                       "..#..");
        check_flood(&terrain, 3,
                    "..#oo"
                    ".##oo"
                    "#ooo#"
                    "oo#oo");
    }
END_TEST

START_TEST(a_flood_from_a_wall_reaches_nothing)
    {
        struct terrain terrain = drawn(3, 1, ".#.");
        check_flood(&terrain, 1, ".#.");
    }
END_TEST

START_TEST(a_one_way_cell_is_left_along_its_arrow_only)
    {
        struct terrain east = drawn(3, 3, "....>....");
        check_flood(&east, 4, "ooooooooo");
        struct terrain lane = drawn(3, 3, "###.>.###");
        check_flood(&lane, 4, "###.oo###");
        struct terrain up = drawn(3, 3, "#.#.^.#.#");
        check_flood(&up, 4, "#o#.o.#.#");
    }
END_TEST

START_TEST(a_one_way_cell_is_entered_from_behind_and_from_the_sides)
    {
        struct terrain behind = drawn(3, 1, ".>.");
        check_flood(&behind, 0, "ooo");
        struct terrain above = drawn(3, 3, "#.##>.#.#");
        check_flood(&above, 1, "#o##oo#.#");
        struct terrain below = drawn(3, 3, "#.##>.#.#");
        check_flood(&below, 7, "#.##oo#o#");
    }
END_TEST

START_TEST(a_one_way_cell_is_not_entered_from_its_front)
    {
        struct terrain east = drawn(3, 1, ".>.");
        check_flood(&east, 2, "..o");
        struct terrain west = drawn(3, 1, ".<.");
        check_flood(&west, 0, "o..");
        struct terrain south = drawn(1, 3, ".v.");
        check_flood(&south, 2, "..o");
        struct terrain facing = drawn(4, 1, ".><.");
        check_flood(&facing, 0, "oo..");
    }
END_TEST

START_TEST(components_are_gathered_one_after_another)
    {
        struct terrain terrain = drawn(5, 1, "..#..");
        uint8_t reached[5] = { 0 };
        int32_t queue[5];
        ck_assert_uint_eq(terrain_flood(&terrain, 0, reached, queue), 2);
        ck_assert_uint_eq(terrain_flood(&terrain, 1, reached, queue), 0);
        ck_assert_uint_eq(terrain_flood(&terrain, 4, reached, queue), 2);
        ck_assert_uint_eq(reached[0] + reached[3], 2);
        terrain_release(&terrain);
    }
END_TEST

/* The one-way rule of the pincer paper by coordinates, implemented a second
 * time: the two cells differ by one on one axis, both are free, the first is
 * not one-way or points at the second, and the second does not point at the
 * first. */
static bool points_at(const struct terrain *terrain, size_t a, size_t b)
{
    int from[GRID_AXES], to[GRID_AXES], same = 0;
    if (!terrain->one_way[a])
        return false;
    grid_cell(&terrain->grid, a, from);
    grid_cell(&terrain->grid, b, to);
    for (int axis = 0; axis < GRID_AXES; axis++)
        same += from[axis] + direction_step[terrain->one_way[a] - 1][axis] ==
                to[axis];
    return same == GRID_AXES;
}

static bool may_step(const struct terrain *terrain, size_t a, size_t b)
{
    int from[GRID_AXES], to[GRID_AXES], distance = 0;
    grid_cell(&terrain->grid, a, from);
    grid_cell(&terrain->grid, b, to);
    for (int axis = 0; axis < GRID_AXES; axis++)
        distance += abs(from[axis] - to[axis]);
    return distance == 1 && !terrain->wall[a] && !terrain->wall[b] &&
           (!terrain->one_way[a] || points_at(terrain, a, b)) &&
           !points_at(terrain, b, a);
}

/* Reachability as the least fixed point over all pairs of cells. */
static void reach_by_force(const struct terrain *terrain, size_t from,
                           uint8_t *reached)
{
    size_t cells = grid_cells(&terrain->grid);
    memset(reached, 0, cells);
    reached[from] = 1;
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t a = 0; a < cells; a++)
            for (size_t b = 0; reached[a] && b < cells; b++)
                if (!reached[b] && may_step(terrain, a, b))
                    reached[b] = 1, grew = true;
    }
}

static void scatter(struct terrain *terrain, struct random *random)
{
    int directions = 2 * terrain->grid.dims;
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++) {
        terrain->wall[i] = random_below(random, 100) < 25;
        terrain->one_way[i] =
            random_below(random, 100) < 35
                ? (uint8_t)(1 + random_below(random, (uint64_t)directions))
                : 0;
    }
}

START_TEST(a_flood_equals_brute_force_on_random_maps)
    {
        enum { MAPS = 60, CELLS = 96 };
        struct random random;
        random_seed(&random, 4711);
        uint8_t reached[CELLS], expected[CELLS];
        int32_t queue[CELLS];
        size_t stopped = 0;
        for (int map = 0; map < MAPS; map++) {
            struct terrain terrain =
                map % 2 ? new_terrain(3, 6, 4, 4) : new_terrain(2, 12, 8, 1);
            ck_assert_int_eq(terrain_prepare(&terrain, CHANGE_ONE_WAY, NULL),
                             STATUS_OK);
            scatter(&terrain, &random);
            size_t from = (size_t)random_below(&random, CELLS);
            terrain.wall[from] = 0;
            memset(reached, 0, sizeof reached);
            size_t count = terrain_flood(&terrain, from, reached, queue);
            reach_by_force(&terrain, from, expected);
            ck_assert_mem_eq(reached, expected, CELLS);
            stopped += count < 10;
            terrain_release(&terrain);
        }
        ck_assert_uint_lt(stopped, MAPS / 2); /* most maps are not closed */
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("terrain");
    TCase *tests = tcase_create("terrain");
    tcase_add_test(tests, a_new_terrain_is_free_and_uniform);
    tcase_add_test(tests, preparing_fills_with_the_neutral_value_and_only_once);
    tcase_add_test(tests,
                   a_change_fills_its_box_with_both_ends_and_nothing_else);
    tcase_add_test(tests, a_copy_has_memory_of_its_own);
    tcase_add_test(tests, without_memory_every_call_fails_and_changes_nothing);
    tcase_add_test(tests, a_flood_goes_round_walls_and_not_through_diagonals);
    tcase_add_test(tests, a_flood_from_a_wall_reaches_nothing);
    tcase_add_test(tests, a_one_way_cell_is_left_along_its_arrow_only);
    tcase_add_test(tests,
                   a_one_way_cell_is_entered_from_behind_and_from_the_sides);
    tcase_add_test(tests, a_one_way_cell_is_not_entered_from_its_front);
    tcase_add_test(tests, components_are_gathered_one_after_another);
    tcase_add_test(tests, a_flood_equals_brute_force_on_random_maps);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
