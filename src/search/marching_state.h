/* SPDX-License-Identifier: MIT */
/* What fast marching keeps, and its upwind differences: shared by the march
 * (fast_marching.c) and by those that read it (marching_down.c). */
#ifndef HAMON_SEARCH_MARCHING_STATE_H
#define HAMON_SEARCH_MARCHING_STATE_H

#include "search/bucket_queue.h"
#include "search/fast_marching.h"

#include <math.h>

/* A cell is known by its mark: 2·round while it waits in the queue, 2·round + 1
 * once accepted; older marks are those of earlier rounds, a wall's is the
 * largest. */
#define MARCHING_WALL UINT32_MAX

struct fast_marching {
    struct grid grid; /* of the terrain */
    struct grid fine; /* of the march: grid × refine */
    struct fast_marching_settings settings;
    int32_t pitch, layer, cells; /* padded by one cell all round */
    int32_t offset[2 * GRID_AXES];
    double *slowness;          /* 1/c; NULL: all 1 */
    double quickest, slowest;  /* the least and greatest slowness so far */
    struct bucket_node *nodes; /* T is nodes[].time */
    uint32_t *mark, round;
    struct bucket_queue queue;
    uint64_t filled[BUCKETS_MOST / 64]; /* bits: buckets that may hold cells */
    double keys;                        /* of the queue, in a unit of T */
    uint64_t expansions;
};

static inline int32_t at_fine(const struct fast_marching *m, int x, int y,
                              int z)
{
    return (m->grid.dims == 2 ? 0 : (z + 1) * m->layer) + (y + 1) * m->pitch +
           x + 1;
}

/* The middle subcell of a cell of the terrain. */
static inline int32_t at_centre(const struct fast_marching *m, size_t cell)
{
    int at[GRID_AXES], refine = m->settings.refine, half = refine / 2;
    grid_cell(&m->grid, cell, at);
    return at_fine(m, at[0] * refine + half, at[1] * refine + half,
                   m->grid.dims == 2 ? 0 : at[2] * refine + half);
}

static inline void place_fine(const struct fast_marching *m, int32_t cell,
                              int at[GRID_AXES])
{
    int32_t rest = m->grid.dims == 2 ? cell : cell % m->layer;
    at[2] = m->grid.dims == 2 ? 0 : cell / m->layer - 1;
    at[1] = rest / m->pitch - 1;
    at[0] = rest % m->pitch - 1;
}

static inline bool accepted(const struct fast_marching *m, int32_t cell)
{
    return m->mark[cell] == 2 * m->round + 1;
}

static inline bool waiting(const struct fast_marching *m, int32_t cell)
{
    return m->mark[cell] == 2 * m->round;
}

/* One axis upwind of a cell: weight·(T − time)², which is ((3T − 4T₁ + T₂)/2)²
 * at second order and (T − T₁)² at first. */
struct upwind {
    double weight, time;
    double nearest; /* T₁: the solution may not be under it */
    int direction;  /* of the neighbour */
};

static inline bool look_upwind(const struct fast_marching *m, int32_t cell,
                               int axis, struct upwind *upwind)
{
    double best = INFINITY;
    int direction = -1;
    for (int d = 2 * axis; d < 2 * axis + 2; d++) {
        int32_t n = cell + m->offset[d];
        if (accepted(m, n) && m->nodes[n].time < best) {
            best = m->nodes[n].time;
            direction = d;
        }
    }
    if (direction < 0)
        return false;
    int32_t second = cell + 2 * m->offset[direction];
    upwind->direction = direction;
    upwind->nearest = best;
    if (accepted(m, second) && m->nodes[second].time <= best) {
        upwind->weight = 2.25;
        upwind->time = (4 * best - m->nodes[second].time) / 3;
    } else {
        upwind->weight = 1;
        upwind->time = best;
    }
    return true;
}

#endif
