/* SPDX-License-Identifier: MIT */
/* The way down a field of fast marching, as the cells that it runs through. 2D
 * and 3D. */
#ifndef HAMON_SEARCH_DOWNHILL_H
#define HAMON_SEARCH_DOWNHILL_H

#include "search/fast_marching.h"
#include "search/sleeve.h"

#include <stdbool.h>
#include <stddef.h>

/* Adds to `sleeve` the cells from `from`, a point of the free cell `cell`, to
 * the cell `source`, from which `marching` was solved with `refine` subcells a
 * side. In steps of half a subcell along −∇T. Where that leads into a wall, or
 * into a cell that leads back, along the border, in the faster of the two
 * cells. Where T does not fall so, over the neighbouring subcells of the lowest
 * T, so that it always arrives. *time is ∫ds/c of this path, INFINITY where
 * there is none. */
enum status downhill(const struct fast_marching *marching, int refine,
                     const double from[GRID_AXES], int32_t cell, size_t source,
                     struct sleeve *sleeve, double *time, struct error *error);

#endif
