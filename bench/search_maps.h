/* SPDX-License-Identifier: MIT */
/* The maps on which searches are measured: those of the notes on speed. */
#ifndef HAMON_BENCH_SEARCH_MAPS_H
#define HAMON_BENCH_SEARCH_MAPS_H

#include "base/random.h"
#include "world/terrain.h"

static inline bool wall_random(struct random *random, int x, int y, int side)
{
    return random_below(random, 4) == 0;
}

static inline bool wall_rooms(struct random *random, int x, int y, int side)
{
    bool door = x % 32 == 16 || x % 32 == 17 || y % 32 == 16 || y % 32 == 17;
    return (x % 32 == 0 || y % 32 == 0) && !door;
}

static inline bool wall_serpentine(struct random *random, int x, int y,
                                   int side)
{
    return y % 8 == 7 && (y / 8 % 2 ? x > 6 : x < side - 7);
}

static inline bool wall_open(struct random *random, int x, int y, int side)
{
    return false;
}

/* random 25 %, rooms, a serpentine, an open field */
static const struct search_map {
    const char *name;
    bool (*wall)(struct random *, int, int, int);
} search_maps[] = {
    { "random", wall_random },
    { "rooms", wall_rooms },
    { "serpentine", wall_serpentine },
    { "open", wall_open },
};
enum { SEARCH_MAPS = sizeof search_maps / sizeof *search_maps };

/* side × side cells; the same in every call. */
static inline enum status search_map_make(const struct search_map *map,
                                          int side, struct terrain *terrain,
                                          struct error *error)
{
    struct random random;
    struct grid grid;
    random_seed(&random, 2385);
    enum status status = grid_make(2, side, side, 1, &grid, error);
    if (!status)
        status = terrain_init(terrain, &grid, error);
    for (int y = 0; y < side && !status; y++)
        for (int x = 0; x < side; x++)
            terrain->wall[grid_index(&grid, x, y, 0)] =
                map->wall(&random, x, y, side);
    return status;
}

static inline size_t search_map_cell(const struct terrain *terrain,
                                     struct random *random)
{
    for (;;) {
        size_t cell = random_below(random, grid_cells(&terrain->grid));
        if (!terrain->wall[cell])
            return cell;
    }
}

#endif
