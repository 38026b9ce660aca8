/* SPDX-License-Identifier: MIT */
/* The walls of a 2D map as exact paths see them: runs of like cells along each
 * row, and corners on the lines between the rows.
 *
 * Coordinates are doubled, so that all are whole: the centre of the cell
 * (x, y) is (2x, 2y), and the lattice point (i, j), the north-west corner of
 * the cell (i, j), is (2i − 1, 2j − 1). */
#ifndef HAMON_SEARCH_LATTICE_H
#define HAMON_SEARCH_LATTICE_H

#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

struct lattice {
    int nx, ny;     /* cells; points run over 0 … nx and 0 … ny */
    uint8_t *wall;  /* (ny + 2, nx + 2): a border of walls round the cells */
    int32_t *first; /* like wall: the first cell of the run that holds this */
    int32_t *last;  /* … and the last; −1 … nx */
    /* (ny + 1, nx + 2): the next corner on the line at or after this point,
     * nx + 1 where there is none. */
    int32_t *corner;
    uint8_t *quadrant; /* (ny + 1, nx + 1): where a corner's wall lies, 1 + 1
                        * for east + 2 for south; 0 no corner */
};

enum status lattice_init(struct lattice *lattice, const struct grid *grid,
                         struct error *error);
void lattice_release(struct lattice *lattice);
size_t lattice_memory(const struct lattice *lattice);

/* Reads the walls of a terrain of the lattice's own extents. */
void lattice_update(struct lattice *lattice, const struct terrain *terrain);

/* The place of the cell (x, y), −1 … nx and −1 … ny, in wall and runs. */
static inline size_t lattice_cell(const struct lattice *lattice, int x, int y)
{
    return (size_t)(y + 1) * ((size_t)lattice->nx + 2) + (size_t)(x + 1);
}

static inline size_t lattice_points(const struct lattice *lattice)
{
    return ((size_t)lattice->nx + 1) * ((size_t)lattice->ny + 1);
}

static inline int32_t lattice_point(const struct lattice *lattice, int i, int j)
{
    return j * (lattice->nx + 1) + i;
}

/* The first corner on line j at or after point i; nx + 1: none. */
static inline int lattice_corner(const struct lattice *lattice, int i, int j)
{
    return lattice->corner[(size_t)j * ((size_t)lattice->nx + 2) + (size_t)i];
}

#endif
