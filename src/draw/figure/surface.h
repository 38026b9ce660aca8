/* SPDX-License-Identifier: MIT */
/* The surface round the cells beyond a level, interpolated between the centres
 * of cells, as triangles: marching tetrahedra (Doi and Koide 1991), six to a
 * cube of eight centres round one of its diagonals. */
#ifndef HAMON_DRAW_FIGURE_SURFACE_H
#define HAMON_DRAW_FIGURE_SURFACE_H

#include "draw/figure/solid.h"

/* A corner of triangles. Between cells that both have a value it is where the
 * field crosses the level; at a wall, a cell without a value or the edge of the
 * box it is half a cell from the centre, on the face of the cell. */
struct surface_corner {
    double at[GRID_AXES];     /* cells, in the world */
    double normal[GRID_AXES]; /* a unit vector outwards */
    double value;             /* of the field there */
};

struct surface {
    struct surface_corner *corners;
    size_t count, room;
    size_t (*triangles)[3]; /* a, b, c: (b − a) × (c − a) points outwards */
    size_t triangle_count, triangle_room;
};

/* Finds the surface of the field (of `region`) within `box`. It is closed: each
 * edge has two triangles. Not for SOLID_WALLS. */
void surface_find(struct surface *surface, const struct solid_field *field,
                  const struct box *region, const struct box *box);
void surface_release(struct surface *surface);

#endif
