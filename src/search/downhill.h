/* SPDX-License-Identifier: MIT */
/* The path of descent through a field of fast marching, as the cells that it
 * crosses. 2D and 3D. */
#ifndef HAMON_SEARCH_DOWNHILL_H
#define HAMON_SEARCH_DOWNHILL_H

#include "search/fast_marching.h"
#include "search/sleeve.h"

#include <stdbool.h>
#include <stddef.h>

/* Adds to `sleeve` the cells from `from`, a point of the free cell `cell`, to
 * the cell `source`, from which `marching` was solved with `refine` subcells a
 * side. The steps are half a subcell along −∇T. If that leads into a wall, or
 * into a cell that leads back, the path follows the border, in the faster of
 * the two cells. If T does not fall in this direction, it steps to the
 * neighbouring subcell of the lowest T, so that it always arrives. *time is
 * ∫ds/c of this path, INFINITY if there is none. */
enum status downhill(const struct fast_marching *marching, int refine,
                     const double from[GRID_AXES], int32_t cell, size_t source,
                     struct sleeve *sleeve, double *time, struct error *error);

#endif
