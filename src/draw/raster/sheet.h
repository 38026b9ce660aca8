/* SPDX-License-Identifier: MIT */
/* A plane of cells as a picture of few colours: a byte for each cell. Most
 * pictures are of this kind, and it makes them fast. */
#ifndef HAMON_DRAW_RASTER_SHEET_H
#define HAMON_DRAW_RASTER_SHEET_H

#include "base/status.h"

#include <stdint.h>

enum { SHEET_COLORS = 256 };

struct sheet {
    int nx, ny;     /* cells */
    int cell;       /* pixels a side of a cell */
    uint8_t *index; /* (ny, nx): the colours' numbers */
    int count;
    uint8_t colors[SHEET_COLORS][3]; /* from dark to light, each once */
};

/* Room for the cells. Release with sheet_release. */
void sheet_init(struct sheet *sheet, int nx, int ny, int cell);
void sheet_release(struct sheet *sheet);

#endif
