/* SPDX-License-Identifier: MIT */
/* How anything moves: a step along a heading, held back by walls. */
#ifndef HAMON_PURSUIT_MOTION_H
#define HAMON_PURSUIT_MOTION_H

#include "world/split.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The cell nearest to a position, or −1 where that lies outside [0, n − 1] on
 * an axis. Inside, ⌊x + ½⌋ is a plain conversion; in the header, because every
 * agent asks at every step. */
static inline int motion_cell(const struct grid *grid,
                              const double at[GRID_AXES])
{
    if (!(at[0] >= 0 && at[0] <= grid->nx - 1 && at[1] >= 0 &&
          at[1] <= grid->ny - 1))
        return -1;
    /* A grid has at most 2^31 − 1 cells. */
    int cell = (int)(at[1] + .5) * grid->nx + (int)(at[0] + .5);
    if (grid->dims == 2)
        return cell;
    return at[2] >= 0 && at[2] <= grid->nz - 1
               ? cell + (int)(at[2] + .5) * grid->nx * grid->ny
               : -1;
}

/* May something stand at this position: inside the map, in a free cell? */
static inline bool motion_is_free(const struct terrain *terrain,
                                  const double at[GRID_AXES])
{
    int cell = motion_cell(&terrain->grid, at);
    return cell >= 0 && !terrain->wall[cell];
}

/* The same of what a share holds of the world's terrain; the position is the
 * world's, and lies no farther from the share's own cells than it holds. */
static inline bool motion_is_free_in(const struct terrain *held,
                                     const struct share *share,
                                     const double at[GRID_AXES])
{
    double local[GRID_AXES];
    share_local(share, at, local);
    return motion_is_free(held, local);
}

/* The rest of motion_step: the whole step is blocked. share may be NULL. */
bool motion_step_aside(const struct terrain *terrain, const struct share *share,
                       double at[GRID_AXES], const double heading[GRID_AXES],
                       double speed);

/* Moves `at` by speed·heading (a unit vector; speed in cells a step, at most
 * half a cell, so the end point decides). Where that is blocked the single
 * components are tried by falling magnitude (ties x, y, z), each at its own
 * length. False, and `at` as it was, where all are blocked. */
static inline bool motion_step(const struct terrain *terrain,
                               double at[GRID_AXES],
                               const double heading[GRID_AXES], double speed)
{
    double end[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        end[axis] = at[axis] + speed * heading[axis];
    if (!motion_is_free(terrain, end))
        return motion_step_aside(terrain, NULL, at, heading, speed);
    memcpy(at, end, sizeof end);
    return true;
}

/* The same step, of something in the share's own cells. */
bool motion_step_shared(const struct terrain *held, const struct share *share,
                        double at[GRID_AXES], const double heading[GRID_AXES],
                        double speed);

/* The Euclidean distance of two positions, cells. */
double motion_distance(const double a[GRID_AXES], const double b[GRID_AXES]);

#endif
