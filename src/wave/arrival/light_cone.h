/* SPDX-License-Identifier: MIT */
/* The light cone of an emission: where the wave must have come by now.
 *
 * On the 5- and 7-point stencil the support of a wave k generations after an
 * impulse is exactly the cells within k steps of the source (Lee's ball); on
 * the 9- and 27-point one it is no smaller. What lies inside and is still 0 was
 * lost to underflow. The front walks with the wave, so walls may come and go
 * under it; all its generations together cost one pass over the reached cells.
 */
#ifndef HAMON_WAVE_ARRIVAL_LIGHT_CONE_H
#define HAMON_WAVE_ARRIVAL_LIGHT_CONE_H

#include "base/status.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdint.h>

struct light_cone {
    const struct terrain *terrain;
    int32_t *reached; /* (nz, ny, nx): age at which the cone came, −1 not yet */
    int64_t age;      /* of the last begin or advance; −1 before the first */
    int32_t *front;   /* cells that may still hand the wave on */
    int32_t *next;
    uint8_t *queued; /* 1: stands in front */
    size_t count;    /* of front */
};

/* Nothing reached. Borrows terrain. Release with light_cone_release. */
enum status light_cone_init(struct light_cone *cone,
                            const struct terrain *terrain, struct error *error);
void light_cone_release(struct light_cone *cone);

/* Starts again at age 0 from the cell `source`; from a wall nothing goes, nor
 * from GRID_NOWHERE. */
void light_cone_begin(struct light_cone *cone, size_t source);

/* One generation on. Allocates nothing. */
void light_cone_advance(struct light_cone *cone);

/* `reached` was written from elsewhere inside `box`: what came at this age goes
 * on from there. */
void light_cone_join(struct light_cone *cone, const struct box *box);

/* Takes up a change of walls inside `box`: closed cells are as if never
 * reached, and the cells around pass the wave on into opened ones. */
void light_cone_update(struct light_cone *cone, const struct box *box);

/* What a restart needs of it: the front is who stands in it, in any order. */
void light_cone_state(struct light_cone *cone, struct state *state);

#endif
