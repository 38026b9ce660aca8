/* SPDX-License-Identifier: MIT */
/* Whether one position sees another. */
#ifndef HAMON_SEARCH_SIGHT_H
#define HAMON_SEARCH_SIGHT_H

#include "world/terrain.h"

#include <stdbool.h>

/* Does the straight line from a to b run through free cells? Cells are closed
 * unit squares (cubes) round their centres; what is outside the grid is wall.
 * The line may touch walls and slide along them, and may not pass between
 * walls that touch at a corner or an edge: at a point where it changes cells
 * along several axes at once, single steps along these axes must lead through
 * free cells in some order. In 2D z is not looked at.
 *
 * Positions at whole multiples of ½ are decided exactly. */
bool search_in_sight(const struct terrain *terrain, const double a[GRID_AXES],
                     const double b[GRID_AXES]);

#endif
