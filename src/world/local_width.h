/* SPDX-License-Identifier: MIT */
/* How wide the free space is at each cell, whatever is sent through it. */
#ifndef HAMON_WORLD_LOCAL_WIDTH_H
#define HAMON_WORLD_LOCAL_WIDTH_H

#include "base/status.h"
#include "world/terrain.h"

#include <stdint.h>

/* Fills `width` (nz, ny, nx) with the local width in cells: the side of the
 * largest square (2D) or cube (3D) of free cells that contains the cell. This
 * is the local thickness of Hildebrand and Rüegsegger (1997) with squares
 * instead of balls: exact in corridors along the axes, at their bends and dead
 * ends too; a corridor at 45° is reported up to √2 too narrow. 0 for walls, and
 * for cells that only the map's edge bounds: the edge is no wall, so a cell
 * whose square would be larger if one more row of free cells lay round the map
 * has no width.
 *
 * In 3D `height` (NULL: not required) gets the second extent of the
 * cross-section: the middle one of the lengths of the three free runs through
 * the cell along the axes; 0 where there is no width. */
enum status local_width(const struct terrain *terrain, int32_t *width,
                        int32_t *height, struct error *error);

#endif
