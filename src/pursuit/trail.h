/* SPDX-License-Identifier: MIT */
/* The potential that the emissions of one wave left in the cells. From each
 * free cell that an emission reached, the potential grows towards the source to
 * at least one of the cell's neighbours. Agents that steer at every step walk
 * up it.
 *
 * The newest emission's potential is read from the stepped wave, and kept as
 * soon as it is final. The one before it is kept for the agents that the newest
 * has not reached yet. */
#ifndef HAMON_PURSUIT_TRAIL_H
#define HAMON_PURSUIT_TRAIL_H

#include "base/status.h"
#include "wave/arrival/detector.h"
#include "world/state.h"
#include "world/terrain.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* The newest emission's potential in a free cell, −∞ if it has not arrived;
 * *settled: it is final. */
typedef double trail_potential(const void *context, size_t cell, bool *settled);

/* Gives the terms of potentials that are not final; false: there are none. */
typedef bool trail_sums(const void *context, struct detection_sums *sums);

/* Maximum number of cells whose potential was read in this step and may still
 * change. */
enum { TRAIL_UNSETTLED = 1 << 13 };
enum { TRAIL_SLACK = 16 };
struct trail_unsettled {
    size_t count;
    size_t cell[TRAIL_UNSETTLED];
};

struct trail {
    const struct terrain *terrain;
    trail_potential *potential;
    const void *context;
    const struct fall *fall; /* of the potential */
    /* These save time, and may be NULL, the first two as at first, or 0: for
     * potentials that are not final; which cells have corners
     * (node_mark_corners); the least fall a cell of distance, at c = 1. */
    trail_sums *sums;
    const uint8_t *cornered;
    double steep;
    unsigned mirror; /* of the order in which ties of nodes are broken; 0 at
                      * first */
    /* The step of the newest emission and of the one before it; −1: none. */
    int64_t emitted, emitted_before;
    int64_t source, source_before; /* their source cells in the world */
    /* (nz, ny, nx) of each, and TRAIL_SLACK more; NaN: not read yet */
    float *now, *before;
    struct trail_unsettled *unsettled;
};

/* Borrows all. Release with trail_release, a zeroed one too. */
enum status trail_init(struct trail *trail, const struct terrain *terrain,
                       trail_potential *potential, const void *context,
                       const struct fall *fall, struct error *error);
void trail_release(struct trail *trail);

/* Before the wave is emitted again: keeps the potential of the newest emission
 * if `needed`. After: it was emitted from the cell `source` of the world at
 * `step`. */
void trail_keep(struct trail *trail, bool needed);
void trail_begin(struct trail *trail, int64_t source, int64_t step);

/* The wave has been stepped since the last call. */
void trail_refresh(struct trail *trail);

/* The walls inside `box` changed. */
void trail_update(struct trail *trail, const struct box *box);

/* For a restart; the terrain and the wave are loaded before. */
void trail_state(struct trail *trail, struct state *state);

/* The potential of emission `emitted`, one of the trail's two, in a free
 * cell. */
static inline float trail_at(const struct trail *trail, int64_t emitted,
                             size_t cell)
{
    bool settled;
    if (emitted != trail->emitted)
        return trail->before[cell];
    if (!isnan(trail->now[cell]))
        return trail->now[cell];
    float value = (float)trail->potential(trail->context, cell, &settled);
    if (!settled) { /* many agents read the same cells in one step */
        struct trail_unsettled *unsettled = trail->unsettled;
        if (unsettled->count == TRAIL_UNSETTLED)
            return value;
        unsettled->cell[unsettled->count++] = cell;
    }
    trail->now[cell] = value;
    return value;
}

/* Has emission `emitted`, one of the trail's two, arrived at the cell, and is
 * its potential there final? In a wall it has not arrived. */
static inline bool trail_is_settled(const struct trail *trail, int64_t emitted,
                                    size_t cell)
{
    bool settled = true;
    if (trail->terrain->wall[cell])
        return false;
    if (emitted != trail->emitted)
        return trail->before[cell] > -INFINITY;
    /* `now` does not record whether its value is final. */
    return trail->potential(trail->context, cell, &settled) > -INFINITY &&
           settled;
}

#endif
