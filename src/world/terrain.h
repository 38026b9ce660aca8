/* SPDX-License-Identifier: MIT */
/* What each cell of the grid is: wall or free, how fast a wave runs through
 * it, what a step into it costs, and which way alone it may be left. */
#ifndef HAMON_WORLD_TERRAIN_H
#define HAMON_WORLD_TERRAIN_H

#include "base/status.h"
#include "world/grid.h"

#include <stdbool.h>
#include <stdint.h>

/* one_way holds 0 for a cell that may be left any way, else 1 + the direction
 * in which alone it may be left (and it may not be entered from its front). */
struct terrain {
    struct grid grid;
    uint8_t *wall;    /* (nz, ny, nx): 1 wall, 0 free */
    double *speed;    /* c of the cell over the medium's c, > 0; NULL: all 1 */
    double *cost;     /* cost of a step into the cell, > 0; NULL: all 1 */
    uint8_t *one_way; /* NULL: none */
};

/* Its arrays, by the names that recordings have for them, in the order of
 * `enum terrain_array_name`. */
enum terrain_array_name {
    TERRAIN_WALL,
    TERRAIN_SPEED,
    TERRAIN_COST,
    TERRAIN_ONE_WAY,
    TERRAIN_ARRAYS
};
struct terrain_array {
    const char *name;
    size_t width;  /* bytes of a cell */
    size_t offset; /* of the pointer in struct terrain */
};
extern const struct terrain_array terrain_arrays[TERRAIN_ARRAYS];

/* An array of a terrain, or NULL; and `cells` cells as they are where there is
 * none, in memory of the caller's (memory_release), or NULL. */
void *terrain_array_at(const struct terrain *terrain, int which);
void *terrain_array_usual(int which, size_t cells);

/* What a region of the scenario or an event of the map changes. */
enum terrain_change_kind {
    CHANGE_WALL,
    CHANGE_FREE,
    CHANGE_SPEED,
    CHANGE_COST,
    CHANGE_ONE_WAY,
};

struct terrain_change {
    struct box box;
    enum terrain_change_kind kind;
    double value;             /* of speed and cost */
    enum direction direction; /* of one_way */
};

/* A change that happens before row `step` is recorded. */
struct map_event {
    int64_t step;
    struct terrain_change change;
};

/* All free, speed and cost 1. Release with terrain_release. */
enum status terrain_init(struct terrain *terrain, const struct grid *grid,
                         struct error *error);

void terrain_release(struct terrain *terrain);

/* The arrays that `has` names, all bytes 0. */
enum status terrain_blank(struct terrain *terrain, const struct grid *grid,
                          const bool has[TERRAIN_ARRAYS], struct error *error);

/* A copy with memory of its own. */
enum status terrain_copy(const struct terrain *from, struct terrain *to,
                         struct error *error);

/* A copy, with memory of its own, of the cells inside `box`. */
enum status terrain_cut(const struct terrain *from, const struct box *box,
                        struct terrain *to, struct error *error);

/* Makes the array that a change of this kind writes to, where it is NULL, so
 * that terrain_apply need not allocate. */
enum status terrain_prepare(struct terrain *terrain,
                            enum terrain_change_kind kind, struct error *error);

/* Applies a change. The box must lie inside the grid and the kind's array
 * must be prepared. */
void terrain_apply(struct terrain *terrain,
                   const struct terrain_change *change);

/* Whether the step from the cell `from` in direction d, which leads to the
 * neighbour `to`, is allowed: `to` is free, `from` may be left along d, and
 * `to` is not entered from its front. */
static inline bool terrain_step_is_allowed(const struct terrain *terrain,
                                           size_t from, size_t to,
                                           enum direction d)
{
    if (terrain->wall[to])
        return false;
    const uint8_t *one_way = terrain->one_way;
    return !one_way || ((!one_way[from] || one_way[from] == 1 + d) &&
                        one_way[to] != 1 + (d ^ 1));
}

#endif
