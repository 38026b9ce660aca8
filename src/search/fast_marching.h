/* SPDX-License-Identifier: MIT */
/* Fast marching (Tsitsiklis 1995, Sethian 1996) of the eikonal equation |∇T| =
 * 1/c, second order if two accepted cells are upwind (Sethian 1999). T is the
 * arrival time of a front from the source with local speed c (the terrain's, 1
 * if it has none); at c = 1 it is the length of the shortest path.
 *
 * Round the source, where no difference scheme is accurate, T is set exactly in
 * a disc (a ball), on the cells whose box to the source is free. One-way cells
 * and costs are ignored. With `refine` 3 the grid is 3 times finer; this is the
 * reference if exact paths are not available: in 3D, and with speeds. */
#ifndef HAMON_SEARCH_FAST_MARCHING_H
#define HAMON_SEARCH_FAST_MARCHING_H

#include "base/status.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fast_marching;

struct fast_marching_settings {
    int refine; /* odd, ≥ 1: subcells along each side of a cell */
    double disc; /* radius of the exact disc in cells, ≥ 0; smaller if the speed
                  * within it is not constant */
};

/* {1, 16}: the search fast-marching; {3, 4}: fast-marching-fine. The scheme's
 * error near the source is carried over the whole field, inversely proportional
 * to the disc's radius: on an open field of 512² 0.099 cells (L2) with a disc
 * of 4, 0.020 with one of 16, at no measurable cost. */
extern const struct fast_marching_settings fast_marching_plain;
extern const struct fast_marching_settings fast_marching_fine;

/* Does the number of cells of the grid, refined and with its border, fit the
 * counters? */
bool fast_marching_fits(const struct grid *grid,
                        const struct fast_marching_settings *settings);

/* Release with fast_marching_release. STATUS_INPUT if it does not fit. */
enum status fast_marching_new(const struct terrain *terrain,
                              const struct fast_marching_settings *settings,
                              struct fast_marching **marching,
                              struct error *error);
void fast_marching_release(struct fast_marching *marching);

/* Bytes that a march takes on this grid if all speeds are 1; INFINITY if it is
 * too large. */
double fast_marching_bytes(const struct grid *grid, int refine);

/* Copies walls and speeds in `box` (NULL: all). Allocates only for the
 * terrain's first speeds. An earlier solution remains until the next one. */
enum status fast_marching_update(struct fast_marching *marching,
                                 const struct terrain *terrain,
                                 const struct box *box, struct error *error);

/* Marches from the centre of the cell `from` until the centre of the cell `to`
 * is accepted, or everywhere (`to` SIZE_MAX). False if `from` is a wall or `to`
 * is not reached. Allocates nothing. */
bool fast_marching_solve(struct fast_marching *marching, size_t from,
                         size_t to);

/* T at a cell's centre; INFINITY if the last solve did not reach it. */
double fast_marching_time(const struct fast_marching *marching, size_t cell);

/* T at the centre of the (sub)cell nearest to a position; INFINITY as above. */
double fast_marching_time_at(const struct fast_marching *marching,
                             const double at[GRID_AXES]);

/* The unit direction of −∇T, towards the source, at the (sub)cell nearest to a
 * position, by the differences that T was solved with, or central ones if these
 * are of first order and both sides are reached. False in walls, in cells that
 * the march did not reach, and at the source. */
bool fast_marching_heading(const struct fast_marching *marching,
                           const double at[GRID_AXES],
                           double heading[GRID_AXES]);

/* (Sub)cells accepted by the last solve. */
uint64_t fast_marching_expansions(const struct fast_marching *marching);

#endif
