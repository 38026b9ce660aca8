/* SPDX-License-Identifier: MIT */
/* The properties of each cell of the grid: wall or free, the speed of a wave in
 * it, the cost of a step into it, and the only direction in which it may be
 * left, if it is one-way. */
#ifndef HAMON_WORLD_TERRAIN_H
#define HAMON_WORLD_TERRAIN_H

#include "base/status.h"
#include "world/grid.h"

#include <stdbool.h>
#include <stdint.h>

/* one_way is 0 for a cell that may be left in any direction, else 1 + the only
 * direction in which it may be left. A one-way cell may not be entered from the
 * side to which it leads. */
struct terrain {
    struct grid grid;
    uint8_t *wall;    /* (nz, ny, nx): 1 wall, 0 free */
    double *speed;    /* c of the cell over the medium's c, > 0; NULL: all 1 */
    double *cost;     /* cost of a step into the cell, > 0; NULL: all 1 */
    uint8_t *one_way; /* NULL: none */
};

/* The arrays of a terrain, with their names in recordings, in the order of
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

/* terrain_array_at: an array of a terrain, or NULL. terrain_array_usual:
 * `cells` cells with the default value of an array, for a terrain without it;
 * release with memory_release. NULL if there is no memory. */
void *terrain_array_at(const struct terrain *terrain, int which);
void *terrain_array_usual(int which, size_t cells);

/* The checksum of arrays of `cells` cells; NULL: an array's default values. */
enum status terrain_checksum(const void *const arrays[TERRAIN_ARRAYS],
                             size_t cells, uint32_t *sum, struct error *error);

/* What a region of the scenario, or an event, changes on the map. */
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

/* A change that happens before generation `step` is recorded. */
struct map_event {
    int64_t step;
    struct terrain_change change;
};

/* All free, speed and cost 1. Release with terrain_release. */
enum status terrain_init(struct terrain *terrain, const struct grid *grid,
                         struct error *error);

void terrain_release(struct terrain *terrain);

/* Allocates the arrays that `has` selects, all bytes 0. */
enum status terrain_blank(struct terrain *terrain, const struct grid *grid,
                          const bool has[TERRAIN_ARRAYS], struct error *error);

/* A copy with memory of its own. */
enum status terrain_copy(const struct terrain *from, struct terrain *to,
                         struct error *error);

/* A copy, with memory of its own, of the cells inside `box`. */
enum status terrain_cut(const struct terrain *from, const struct box *box,
                        struct terrain *to, struct error *error);

/* Allocates the array that a change of this kind writes to, if it is NULL, so
 * that terrain_apply need not allocate. */
enum status terrain_prepare(struct terrain *terrain,
                            enum terrain_change_kind kind, struct error *error);

/* Applies a change. The box must lie inside the grid and the kind's array
 * must be prepared. */
void terrain_apply(struct terrain *terrain,
                   const struct terrain_change *change);

/* Is the step from the cell `from` in direction d to its neighbour `to`
 * allowed? `to` must be free, `from` must allow to be left in direction d, and
 * `to` must not be entered from the side to which it leads. */
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
