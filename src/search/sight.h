/* SPDX-License-Identifier: MIT */
/* Visibility between positions. */
#ifndef HAMON_SEARCH_SIGHT_H
#define HAMON_SEARCH_SIGHT_H

#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is the straight line from a to b in free cells? Cells are closed unit squares
 * (cubes) round their centres; outside the grid all is wall. The line may touch
 * walls and slide along them, and may not pass between walls that touch at a
 * corner or an edge: at a point where it changes cells along several axes at
 * once, single steps along these axes must lead through free cells in some
 * order. In 2D z is ignored.
 *
 * Positions at whole multiples of ½ are decided exactly. */
bool search_in_sight(const struct terrain *terrain, const double a[GRID_AXES],
                     const double b[GRID_AXES]);

/* The cells that the line passes from a to b, if b is in sight: of several that
 * it passes between, the first one. Writes up to `most`; returns the number of
 * cells up to the first wall. */
size_t search_line_cells(const struct terrain *terrain,
                         const double a[GRID_AXES], const double b[GRID_AXES],
                         int32_t *cells, size_t most);

#endif
