/* SPDX-License-Identifier: MIT */
/* The width of the free space at each cell. */
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
 * for cells whose square is limited only by the map's edge: the edge is no
 * wall, so a cell has no width if its square would be larger with one more row
 * of free cells round the map.
 *
 * In 3D `height` (NULL: not required) gets the second extent of the
 * cross-section: the middle one of the lengths of the three free runs through
 * the cell along the axes; 0 if there is no width. */
enum status local_width(const struct terrain *terrain, int32_t *width,
                        int32_t *height, struct error *error);

#endif
