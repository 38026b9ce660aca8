/* SPDX-License-Identifier: MIT */
/* Terrains for the tests of the searches, and costs by brute force. */
#ifndef HAMON_TESTS_SEARCH_SEARCH_MAPS_H
#define HAMON_TESTS_SEARCH_SEARCH_MAPS_H

#include "base/memory.h"
#include "base/random.h"
#include "search/moves.h"
#include "search/passages.h"
#include "world/terrain.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a 2D map: @ wall, > < v ^ one-way, a digit its cost, others free. */
static inline struct terrain terrain_of_rows(const char *const *rows, int count)
{
    struct grid grid;
    struct terrain terrain;
    ck_assert_int_eq(grid_make(2, (int)strlen(rows[0]), count, 1, &grid, NULL),
                     STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    for (int y = 0; y < count; y++)
        for (int x = 0; x < grid.nx; x++) {
            size_t cell = grid_index(&grid, x, y, 0);
            const char arrows[] = "><v^", symbol = rows[y][x];
            const char *arrow = strchr(arrows, symbol);
            terrain.wall[cell] = symbol == '@';
            if (arrow) {
                terrain_prepare(&terrain, CHANGE_ONE_WAY, NULL);
                terrain.one_way[cell] = (uint8_t)(1 + (arrow - arrows));
            }
            if (symbol >= '1' && symbol <= '9') {
                terrain_prepare(&terrain, CHANGE_COST, NULL);
                terrain.cost[cell] = symbol - '0';
            }
        }
    return terrain;
}

enum { WITH_COSTS = 1, WITH_ARROWS = 2 };

/* Each cell is a wall with probability `walls`. */
static inline struct terrain terrain_of_chance(struct random *random, int dims,
                                               int nx, int ny, int nz,
                                               double walls, int with)
{
    struct grid grid;
    struct terrain terrain;
    ck_assert_int_eq(grid_make(dims, nx, ny, nz, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    if (with & WITH_COSTS)
        terrain_prepare(&terrain, CHANGE_COST, NULL);
    if (with & WITH_ARROWS)
        terrain_prepare(&terrain, CHANGE_ONE_WAY, NULL);
    for (size_t i = 0; i < grid_cells(&grid); i++) {
        terrain.wall[i] = random_unit(random) < walls;
        if (with & WITH_COSTS)
            terrain.cost[i] = 0.25 + 4 * random_unit(random);
        if ((with & WITH_ARROWS) && random_below(random, 8) == 0)
            terrain.one_way[i] =
                (uint8_t)(1 + random_below(random, 2 * (uint64_t)dims));
    }
    return terrain;
}

/* Is the single move from cell `at` by `step` allowed? Written from the rules,
 * apart from passages.c. */
static inline bool oracle_allows(const struct terrain *terrain, const int *at,
                                 const int *step)
{
    const struct grid *grid = &terrain->grid;
    int low[3], high[3];
    for (int i = 0; i < 3; i++) {
        low[i] = at[i] + (step[i] < 0 ? step[i] : 0);
        high[i] = at[i] + (step[i] > 0 ? step[i] : 0);
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++)
                if (!grid_holds(grid, x, y, z) ||
                    terrain->wall[grid_index(grid, x, y, z)])
                    return false;
    if (!terrain->one_way)
        return true;
    int leave = terrain->one_way[grid_index(grid, at[0], at[1], at[2])];
    int enter = terrain->one_way[grid_index(grid, at[0] + step[0],
                                            at[1] + step[1], at[2] + step[2])];
    if (leave && memcmp(direction_step[leave - 1], step, 3 * sizeof *step) != 0)
        return false;
    for (int i = 0; enter && i < 3; i++)
        if (step[i] && step[i] == -direction_step[enter - 1][i])
            return false;
    return true;
}

/* Minimum costs from `from`, by relaxing every move until no cost changes. */
static inline void oracle_costs(const struct terrain *terrain, int moves,
                                enum measure measure, size_t from, double *cost)
{
    const struct grid *grid = &terrain->grid;
    size_t cells = grid_cells(grid);
    for (size_t i = 0; i < cells; i++)
        cost[i] = INFINITY;
    if (!terrain->wall[from])
        cost[from] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < cells; i++) {
            int at[3];
            grid_cell(grid, i, at);
            for (int d = 0; cost[i] < INFINITY && d < moves; d++) {
                const struct move *move = &moves_of(grid)[d];
                if (!oracle_allows(terrain, at, move->step))
                    continue;
                size_t to =
                    grid_index(grid, at[0] + move->step[0],
                               at[1] + move->step[1], at[2] + move->step[2]);
                double length = measure == MEASURE_STEPS ? 1 : sqrt(move->axes);
                double next =
                    cost[i] + length * (terrain->cost ? terrain->cost[to] : 1);
                if (next < cost[to]) {
                    cost[to] = next;
                    changed = true;
                }
            }
        }
    }
}

/* The cost of a path, each of its moves checked. */
static inline double oracle_path_cost(const struct terrain *terrain,
                                      enum measure measure, const int32_t *path,
                                      size_t count)
{
    double cost = 0;
    for (size_t i = 1; i < count; i++) {
        int at[3], to[3], step[3], axes = 0;
        grid_cell(&terrain->grid, (size_t)path[i - 1], at);
        grid_cell(&terrain->grid, (size_t)path[i], to);
        for (int k = 0; k < 3; k++) {
            step[k] = to[k] - at[k];
            ck_assert_int_le(abs(step[k]), 1);
            axes += step[k] != 0;
        }
        ck_assert_int_ge(axes, 1);
        ck_assert(oracle_allows(terrain, at, step));
        cost += (measure == MEASURE_STEPS ? 1 : sqrt(axes)) *
                (terrain->cost ? terrain->cost[path[i]] : 1);
    }
    return cost;
}

static inline size_t free_cell(const struct terrain *terrain,
                               struct random *random)
{
    for (;;) {
        size_t cell = random_below(random, grid_cells(&terrain->grid));
        if (!terrain->wall[cell])
            return cell;
    }
}

#endif
