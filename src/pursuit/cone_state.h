/* SPDX-License-Identifier: MIT */
/* A light cone in a restart. Its front is told by who stands in it; in which
 * order is nobody's. */
#ifndef HAMON_PURSUIT_CONE_STATE_H
#define HAMON_PURSUIT_CONE_STATE_H

#include "wave/light_cone.h"
#include "world/state.h"

static inline void cone_state(struct light_cone *cone, struct state *state)
{
    const struct grid *grid = &cone->terrain->grid;
    const size_t cells = grid_cells(grid);
    state_visit_steps(state, &cone->age, 1);
    state_visit_cells(state, cone->reached, sizeof *cone->reached, grid);
    state_visit_cells(state, cone->queued, sizeof *cone->queued, grid);
    if (state->mode != STATE_LOAD)
        return;
    state_hold_cells(state, cone->reached, cells, -1, cone->age);
    for (size_t cell = 0; cell < cells; cell++)
        if (!state_holds(state, cone->queued[cell] <= 1))
            cone->queued[cell] = 1;
    light_cone_line_up(cone);
}

#endif
