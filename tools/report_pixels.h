/* SPDX-License-Identifier: MIT */
/* A plane of cells, seen with several of them a pixel. */
#ifndef HAMON_TOOLS_REPORT_PIXELS_H
#define HAMON_TOOLS_REPORT_PIXELS_H

#include "draw/cut.h"

#include <stdbool.h>
#include <stdint.h>

/* Cells, or pixels of `block` cells a side: (ny, nx). */
struct pixels {
    int nx, ny, block;
    double *values; /* NaN: none */
    uint8_t *wall;
};

/* Room for the cut's cells. Release with pixels_release, after a failure too.
 */
enum status pixels_init(struct pixels *pixels, const struct cut *cut, int block,
                        struct error *error);
void pixels_release(struct pixels *pixels);

/* Larger pixels from smaller: of those that are free and have a value, the one
 * farthest from 0, or the least. A pixel of walls is a wall. Where the blocks
 * do not divide, a pixel on the edge counts on both sides. */
void pixels_coarsen(const struct pixels *from, bool least, struct pixels *to);

#endif
