/* SPDX-License-Identifier: MIT */
/* Down the times of a march: at a cell, the heading, the way to the source. */
#include "search/marching_state.h"
#include "search/moves.h"

double fast_marching_time(const struct fast_marching *m, size_t cell)
{
    int32_t at = at_centre(m, cell);
    return accepted(m, at) ? m->nodes[at].time / m->settings.refine : INFINITY;
}

/* −∂T/∂(the upwind direction). Where second order is not to be had upwind, the
 * front comes along the other axis, and both neighbours lie on its far side. */
static double slope_along(const struct fast_marching *m, int32_t cell,
                          const struct upwind *upwind)
{
    int32_t other = cell + m->offset[upwind->direction ^ 1];
    if (m->nodes[cell].time <= upwind->nearest)
        return 0;
    if (upwind->weight == 1 && accepted(m, other))
        return 0.5 * (m->nodes[other].time - upwind->nearest);
    return sqrt(upwind->weight) * fmax(m->nodes[cell].time - upwind->time, 0);
}

bool fast_marching_heading(const struct fast_marching *m,
                           const double at[GRID_AXES],
                           double heading[GRID_AXES])
{
    int refine = m->settings.refine, cell[GRID_AXES];
    const int extent[GRID_AXES] = { m->fine.nx, m->fine.ny, m->fine.nz };
    double length = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        heading[axis] = 0;
        double place =
            axis < m->grid.dims ? floor((at[axis] + 0.5) * refine) : 0;
        cell[axis] = (int)fmin(fmax(place, 0), extent[axis] - 1);
    }
    int32_t here = at_fine(m, cell[0], cell[1], cell[2]);
    if (!accepted(m, here))
        return false;
    for (int axis = 0; axis < m->grid.dims; axis++) {
        struct upwind upwind;
        if (!look_upwind(m, here, axis, &upwind))
            continue;
        double slope = slope_along(m, here, &upwind);
        heading[axis] = upwind.direction & 1 ? -slope : slope;
        length += slope * slope;
    }
    for (int axis = 0; axis < GRID_AXES && length > 0; axis++)
        heading[axis] /= sqrt(length);
    return length > 0;
}

/* ---- the way down ---- */

/* Every cell of the move's box but the first is free. */
static bool clear(const struct fast_marching *m, int32_t cell, const int *step)
{
    for (int corner = 1; corner < 8; corner++)
        if (m->mark[cell + (corner & 1 ? step[0] : 0) +
                    (corner & 2 ? step[1] * m->pitch : 0) +
                    (corner & 4 ? step[2] * m->layer : 0)] == MARCHING_WALL)
            return false;
    return true;
}

/* The neighbour to which T falls most a unit of length; −1 at the source. */
static int32_t steepest(const struct fast_marching *m, int32_t cell, int moves)
{
    static const double length[] = { 1, 1, M_SQRT2, 1.7320508075688772 };
    int32_t best = -1;
    double fall = 0;
    for (int d = 0; d < moves; d++) {
        const struct move *move = &moves_of(&m->grid)[d];
        int32_t n = cell + move->step[0] + move->step[1] * m->pitch +
                    move->step[2] * m->layer;
        if (!accepted(m, n) || !clear(m, cell, move->step))
            continue;
        double slope =
            (m->nodes[cell].time - m->nodes[n].time) / length[move->axes];
        if (slope > fall) {
            fall = slope;
            best = n;
        }
    }
    return best;
}

size_t fast_marching_path(const struct fast_marching *m, size_t from,
                          bool diagonals, int32_t *cells, size_t most)
{
    int moves = 2 * m->grid.dims;
    size_t count = 0;
    if (diagonals)
        moves = m->grid.dims == 2 ? MOVES_2D : MOVES_3D;
    int32_t at = at_centre(m, from);
    if (!accepted(m, at))
        return 0;
    for (; at >= 0; at = steepest(m, at, moves)) {
        int fine[GRID_AXES], refine = m->settings.refine;
        place_fine(m, at, fine);
        size_t cell = grid_index(&m->grid, fine[0] / refine, fine[1] / refine,
                                 m->grid.dims == 2 ? 0 : fine[2] / refine);
        if (count > 0 && (size_t)cells[count - 1] == cell)
            continue;
        if (count == most)
            return 0;
        cells[count++] = (int32_t)cell;
    }
    return count;
}
