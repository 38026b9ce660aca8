/* SPDX-License-Identifier: MIT */
/* The motion of agents and target: a step along a heading, blocked by walls.
 *
 * Every position of an agent or of the target is a whole multiple of 2^-30 of a
 * cell on each axis. A displacement is rounded to such a multiple before it is
 * added, so that the sum is exact: a chase does not depend on its position in
 * the map. An axis may have MOTION_CELLS_MOST cells, on which these multiples,
 * and their sums with a half, are exact in double precision. */
#ifndef HAMON_PURSUIT_MOTION_H
#define HAMON_PURSUIT_MOTION_H

#include "world/split.h"
#include "world/state.h"
#include "world/terrain.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { MOTION_CELLS_MOST = 1 << 22 };

/* Distances that differ by no more than this, in cells, count as equal: at the
 * end of a path, and at the capture radius. Speeds and radii are written in
 * decimals, and their sums are not exact. */
#define MOTION_NEAR 0x1p-20

/* The multiple of 2^-30 nearest to a displacement, |x| < 2^21 (ties to even).
 * The spacing of doubles near 1.5·2^22 is 2^-30, so this addition rounds and
 * the subtraction is exact. No branch, for vectorisation; a compiler must not
 * reassociate it (CONTRIBUTING.md: never -ffast-math). */
static inline double motion_round(double x)
{
    const double shift = 3 << 21;
    return (x + shift) - shift;
}

/* The same for a position anywhere on the map. */
static inline double motion_round_place(double x)
{
    return ldexp(rint(ldexp(x, 30)), -30);
}

static inline void motion_place(const double written[GRID_AXES],
                                double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = motion_round_place(written[axis]);
}

/* The cell nearest to a position, or −1 if it is outside [0, n − 1] on an axis.
 * Inside, ⌊x + ½⌋ is a plain conversion; in the header, because it is called
 * for every agent at every step. */
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

/* Is a coordinate (0 or more) half-way between two cells? */
static inline bool motion_is_half(double x)
{
    double upper = x + .5;
    return upper + 0x1p52 - 0x1p52 == upper;
}

/* Is a position on the map half-way between two cells, on any axis? */
static inline bool motion_is_between(const double at[GRID_AXES])
{
    return (int)motion_is_half(at[0]) | motion_is_half(at[1]) |
           motion_is_half(at[2]);
}

/* Is at least one of the cells free that are equally near to a position inside
 * the map? */
bool motion_touches_free(const struct grid *grid, const uint8_t *wall,
                         const double at[GRID_AXES]);

/* Can an agent be at this position: inside the map, in a free cell? On the
 * border of several cells one free cell is enough, so that the answer is the
 * same on a mirrored map. */
static inline bool motion_is_free(const struct terrain *terrain,
                                  const double at[GRID_AXES])
{
    int cell = motion_cell(&terrain->grid, at);
    if (cell < 0)
        return false;
    return !terrain->wall[cell] ||
           (motion_is_between(at) &&
            motion_touches_free(&terrain->grid, terrain->wall, at));
}

/* The cell of a position on the map: the nearest one. Half-way between two
 * cells on an axis, it is the one in the direction of `lean`, or the upper one
 * (⌊x + ½⌋) if that is 0; if that cell is a wall, it is a free one of the
 * equally near cells. */
size_t motion_cell_leaning(const struct terrain *terrain,
                           const double at[GRID_AXES],
                           const double lean[GRID_AXES]);

/* The same for an agent or target that was in the cell `own` until now: it
 * remains in it until another cell is nearer. */
size_t motion_cell_after(const struct terrain *terrain,
                         const double at[GRID_AXES], size_t own);

/* The same as motion_is_free for a share's part of the world's terrain. The
 * position is the world's, and is inside that part. */
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
 * half a cell, so the end point decides). If that is blocked, the single
 * components are tried by descending magnitude (ties x, y, z), each with its
 * own length. The displacement along each axis is rounded by motion_round.
 * False, and `at` unchanged, if all are blocked. */
static inline bool motion_step(const struct terrain *terrain,
                               double at[GRID_AXES],
                               const double heading[GRID_AXES], double speed)
{
    double end[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        end[axis] = at[axis] + motion_round(speed * heading[axis]);
    if (!motion_is_free(terrain, end))
        return motion_step_aside(terrain, NULL, at, heading, speed);
    memcpy(at, end, sizeof end);
    return true;
}

/* The same step, for a position in the share's own cells. */
bool motion_step_shared(const struct terrain *held, const struct share *share,
                        double at[GRID_AXES], const double heading[GRID_AXES],
                        double speed);

/* The Euclidean distance of two positions, cells. */
double motion_distance(const double a[GRID_AXES], const double b[GRID_AXES]);

/* A straight path of any number of steps: its start, and the distance walked on
 * it in cells. The position is computed from these two, so that rounding errors
 * do not add up. */
struct leg {
    double from[GRID_AXES];
    double gone;
};

void leg_begin(struct leg *leg, const double at[GRID_AXES]);

/* The position `distance` cells further along the path to `goal`; goal itself
 * if it is nearer than MOTION_NEAR, or passed. */
void leg_look(const struct leg *leg, const double goal[GRID_AXES],
              double distance, double at[GRID_AXES]);

/* Moves there, and sets `at`. Returns the part of the distance left after the
 * goal, 0 if it is less than MOTION_NEAR; the next leg begins at the goal. */
double leg_go(struct leg *leg, const double goal[GRID_AXES], double distance,
              double at[GRID_AXES]);

/* For a restart. */
void leg_state(struct leg *leg, const struct grid *grid, struct state *state);

#endif
