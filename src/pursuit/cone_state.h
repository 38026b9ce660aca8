/* SPDX-License-Identifier: MIT */
/* A light cone in a restart. What lies behind the end of its front is nobody's,
 * and is cleared so that equal cones make equal bytes. */
#ifndef HAMON_PURSUIT_CONE_STATE_H
#define HAMON_PURSUIT_CONE_STATE_H

#include "base/state.h"
#include "wave/light_cone.h"

static inline void cone_state(struct light_cone *cone, struct state *state)
{
    size_t cells = grid_cells(&cone->terrain->grid);
    if (state->mode == STATE_SAVE)
        memset(cone->front + cone->count, 0,
               (cells - cone->count) * sizeof *cone->front);
    state_visit(state, &cone->age, sizeof cone->age);
    state_visit(state, &cone->count, sizeof cone->count);
    state_visit(state, cone->reached, cells * sizeof *cone->reached);
    state_visit(state, cone->front, cells * sizeof *cone->front);
    state_visit(state, cone->queued, cells * sizeof *cone->queued);
}

#endif
