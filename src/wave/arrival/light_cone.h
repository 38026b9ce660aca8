/* SPDX-License-Identifier: MIT */
/* The light cone of an emission: the cells that the wave must have reached by
 * now.
 *
 * On the 5- and 7-point stencils the support of a wave k generations after an
 * impulse is exactly the set of cells within k steps of the source (Lee's
 * ball); on the 9- and 27-point stencils it is at least as large. If a cell
 * inside is still 0, its amplitude was lost by underflow. The front of the cone
 * moves with the wave, so walls may open and close during the emission. All
 * generations together cost one pass over the reached cells. */
#ifndef HAMON_WAVE_ARRIVAL_LIGHT_CONE_H
#define HAMON_WAVE_ARRIVAL_LIGHT_CONE_H

#include "base/status.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdint.h>

struct light_cone {
    const struct terrain *terrain;
    /* (nz, ny, nx): the age at which it was reached; −1 not yet */
    int32_t *reached;
    int64_t age;    /* of the last begin or advance; −1 before the first */
    int32_t *front; /* cells whose neighbours may still be unreached */
    int32_t *next;
    uint8_t *queued; /* 1: is in front */
    size_t count;    /* elements of front */
};

/* Nothing reached. Borrows terrain. Release with light_cone_release. */
enum status light_cone_init(struct light_cone *cone,
                            const struct terrain *terrain, struct error *error);
void light_cone_release(struct light_cone *cone);

/* Starts again at age 0 from the cell `source`. From a wall, or from
 * GRID_NOWHERE, nothing is reached. */
void light_cone_begin(struct light_cone *cone, size_t source);

/* Advances by one generation. Allocates nothing. */
void light_cone_advance(struct light_cone *cone);

/* Call it after `reached` was written inside `box` by somebody else: cells
 * reached at this age join the front. */
void light_cone_join(struct light_cone *cone, const struct box *box);

/* Applies a change of walls inside `box`: closed cells become unreached, and
 * reached cells beside opened ones join the front. */
void light_cone_update(struct light_cone *cone, const struct box *box);

/* Visits what a restart needs: of the front, the set of its cells in any
 * order. */
void light_cone_state(struct light_cone *cone, struct state *state);

#endif
