/* SPDX-License-Identifier: MIT */
/* Contours of a plane of cells by marching squares. */
#ifndef HAMON_DRAW_FIGURE_CONTOUR_H
#define HAMON_DRAW_FIGURE_CONTOUR_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* A piece of a contour, in columns and rows of cells; cell centres are at whole
 * numbers. */
struct contour_piece {
    double from[2], to[2];
};

struct contour {
    struct contour_piece *pieces;
    size_t count, room;
    size_t *lines; /* of contour_chain: the first piece of each line */
    size_t line_count, line_room;
};

/* Adds the pieces of the contour at `level` of (ny, nx) values, linear between
 * the centres of cells. A value equal to the level counts as above it. If one
 * of the four centres round a corner is NaN, no piece is added there; if two
 * connections are possible, the mean of the four decides. */
void contour_add(struct contour *contour, const double *values, int nx, int ny,
                 double level);

/* Adds each edge between a wall and a free cell, of (ny, nx) walls (1) and free
 * cells (0), as a piece. */
void contour_add_walls(struct contour *contour, const uint8_t *wall, int nx,
                       int ny);

/* Orders and turns all pieces so that they form lines, in which each piece
 * begins at the end of the one before. A line ends where it began, or at the
 * edge of the plane. */
void contour_chain(struct contour *contour);

/* Keeps the allocated room. */
void contour_clear(struct contour *contour);
void contour_release(struct contour *contour);

#endif
