/* SPDX-License-Identifier: MIT */
/* The sample maps load and have the shapes of their names. */
#include "base/memory.h"
#include "scenario/scenario.h"
#include "search/relay.h"
#include "tests/suite.h"
#include "tests/world/flood.h"
#include "world/maps/map.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

static struct terrain load(const char *path)
{
    struct terrain terrain;
    struct error error;
    ck_assert_msg(map_load(path, NULL, &terrain, &error) == STATUS_OK, "%s",
                  error.message);
    return terrain;
}

static struct terrain load_sample(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/samples/maps/%s", getenv("abs_top_srcdir"),
             name);
    return load(path);
}

static size_t free_cells(const struct terrain *terrain)
{
    size_t count = 0;
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++)
        count += !terrain->wall[i];
    return count;
}

/* A start from which no cell can be reached is not used. */
static void check_connected(const char *path)
{
    struct terrain terrain = load(path);
    size_t cells = grid_cells(&terrain.grid), from = 0;
    uint8_t *reached = memory_new(cells, sizeof *reached);
    int32_t *queue = memory_new(cells, sizeof *queue);
    while (from < cells - 1 && terrain.wall[from])
        from++;
    size_t count = terrain_flood(&terrain, from, reached, queue);
    ck_assert_msg(count == free_cells(&terrain), "%s: %zu cells of %zu reached",
                  path, count, free_cells(&terrain));
    memory_release(reached);
    memory_release(queue);
    terrain_release(&terrain);
}

START_TEST(every_sample_map_is_in_one_piece)
    {
        char pattern[4096];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/samples/maps/*map",
                 getenv("abs_top_srcdir"));
        ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
        ck_assert_uint_ge(found.gl_pathc, 38);
        for (size_t i = 0; i < found.gl_pathc; i++)
            check_connected(found.gl_pathv[i]);
        globfree(&found);
    }
END_TEST

static const int widths[] = { 1, 3, 5, 7, 11, 21 };
static const struct {
    const char *shape;
    int length; /* of the centre line */
} corridors[] = {
    { "straight", 160 }, { "l", 150 }, { "u", 160 }, { "t", 170 }, { "s", 180 }
};

/* A square brush w wide along a line L long (bent, or with a branch) covers w
 * (L + w) cells; and the walls round it are two cells thick, so that a wave
 * meets a wall and never the map's edge. */
START_TEST(a_corridor_has_the_width_and_length_of_its_name)
    {
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
            char name[64];
            snprintf(name, sizeof name, "corridor-%s-%d.map",
                     corridors[_i].shape, widths[i]);
            struct terrain terrain = load_sample(name);
            const struct grid *grid = &terrain.grid;
            ck_assert_uint_eq(
                free_cells(&terrain),
                (size_t)(widths[i] * (corridors[_i].length + widths[i])));
            for (size_t cell = 0; cell < grid_cells(grid); cell++) {
                int at[GRID_AXES];
                grid_cell(grid, cell, at);
                if (at[0] < 2 || at[0] >= grid->nx - 2 || at[1] < 2 ||
                    at[1] >= grid->ny - 2)
                    ck_assert_msg(terrain.wall[cell], "%s: no wall at (%d, %d)",
                                  name, at[0], at[1]);
            }
            terrain_release(&terrain);
        }
    }
END_TEST

START_TEST(a_slit_is_seven_cells_wide_in_a_screen_three_thick)
    {
        static const char *const names[] = { "slit-single.map",
                                             "slit-double.map" };
        for (size_t slits = 1; slits <= 2; slits++) {
            struct terrain terrain = load_sample(names[slits - 1]);
            size_t cells = grid_cells(&terrain.grid);
            size_t screen = 3 * ((size_t)terrain.grid.ny - 7 * slits);
            ck_assert_uint_eq(free_cells(&terrain), cells - screen);
            for (int y = 0; y < terrain.grid.ny; y++) /* the mirror image */
                ck_assert_uint_eq(
                    terrain.wall[grid_index(&terrain.grid, 61, y, 0)],
                    terrain.wall[grid_index(&terrain.grid, 61,
                                            terrain.grid.ny - 1 - y, 0)]);
            terrain_release(&terrain);
        }
    }
END_TEST

START_TEST(a_floor_is_left_only_by_the_stairwell)
    {
        struct terrain terrain = load_sample("two-floors.3dmap");
        ck_assert_int_eq(terrain.grid.dims, 3);
        for (int y = 0; y < terrain.grid.ny; y++)
            for (int x = 0; x < terrain.grid.nx; x++) {
                bool stairwell = x >= 29 && x <= 36 && y >= 4 && y <= 11;
                ck_assert_uint_eq(
                    terrain.wall[grid_index(&terrain.grid, x, y, 5)],
                    !stairwell);
            }
        terrain_release(&terrain);
    }
END_TEST

static struct relay_node node_of(const struct place *place)
{
    return (struct relay_node){ (int32_t)place->at[0], (int32_t)place->at[1] };
}

START_TEST(the_marks_of_the_endless_search_are_its_relays)
    {
        char path[4096];
        struct scenario *scenario;
        struct passages *passages;
        struct relay_counters counters = { 0 };
        snprintf(path, sizeof path, "%s/samples/yasunaga-2005/failing.cfg",
                 getenv("abs_top_srcdir"));
        ck_assert(!scenario_load(path, NULL, 0, &scenario, NULL));
        ck_assert(!passages_new(&scenario->terrain, 4, MEASURE_STEPS, &passages,
                                NULL));
        const struct agent_settings *agents = scenario->agents;
        struct relay_route route = {
            2, { node_of(&agents[0].place), node_of(&scenario->target.place) }
        };
        ck_assert(!relay_search(passages, &relay_defaults, &route, &counters));
        ck_assert_int_eq(route.count, 4);
        for (int i = 1; i <= 2; i++) {
            struct relay_node mark = node_of(&agents[3 - i].place);
            ck_assert_int_eq(route.nodes[i].x, mark.x);
            ck_assert_int_eq(route.nodes[i].y, mark.y);
        }
        passages_release(passages);
        scenario_release(scenario);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("samples");
    TCase *tests = tcase_create("samples");
    tcase_add_test(tests, every_sample_map_is_in_one_piece);
    tcase_add_loop_test(tests, a_corridor_has_the_width_and_length_of_its_name,
                        0, sizeof corridors / sizeof *corridors);
    tcase_add_test(tests, a_slit_is_seven_cells_wide_in_a_screen_three_thick);
    tcase_add_test(tests, a_floor_is_left_only_by_the_stairwell);
    tcase_add_test(tests, the_marks_of_the_endless_search_are_its_relays);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
