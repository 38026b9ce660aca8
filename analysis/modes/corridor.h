/* SPDX-License-Identifier: MIT */
/* A straight corridor: consecutive equal cross-sections, along x or along y,
 * with walls (or the map's edge) on both sides. In 3D a duct: its
 * cross-sections are rectangles with walls on all four sides, along x, y or
 * z. */
#ifndef HAMON_ANALYSIS_MODES_CORRIDOR_H
#define HAMON_ANALYSIS_MODES_CORRIDOR_H

#include "base/status.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>

/* The boundary at a cell of the corridor. A free wall and a mirror at the map's
 * edge reflect in the same manner. BOUNDARY_EDGE: an open edge of the map. */
enum boundary { BOUNDARY_OPEN, BOUNDARY_FIXED, BOUNDARY_FREE, BOUNDARY_EDGE };

/* Where corridors are: `fixed`: walls inside the map are fixed. `open`: the
 * map's sides that waves leave, 1 << direction. */
struct corridor_map {
    const struct terrain *terrain;
    bool fixed;
    unsigned open;
};

struct corridor {
    int axis;        /* its direction: 0 x, 1 y, 2 z */
    int first, last; /* coordinates along it, both included */
    int low, high;   /* across it, both included: on the first other axis */
    int top, bottom; /* of a duct on the second one; 0 in 2D */
    /* Before low and after high; of a duct also before top and after bottom.
     * Walls or mirrors. */
    enum boundary sides[4];
    enum boundary ends[2]; /* before first and after last */
};

/* Cells along it and across it. */
static inline int corridor_length(const struct corridor *corridor)
{
    return corridor->last - corridor->first + 1;
}
static inline int corridor_width(const struct corridor *corridor)
{
    return corridor->high - corridor->low + 1;
}

/* Of a duct; 1 in 2D. */
static inline int corridor_height(const struct corridor *corridor)
{
    return corridor->bottom - corridor->top + 1;
}

/* The cells of a cross-section, the rows of the first other axis
 * successively. */
static inline size_t corridor_section(const struct corridor *corridor)
{
    return (size_t)corridor_width(corridor) * (size_t)corridor_height(corridor);
}

/* The position (x, y, z) at these coordinates along and across. */
static inline void corridor_place(int axis, int along, int across, int up,
                                  int at[GRID_AXES])
{
    at[axis] = along;
    at[axis == 0 ? 1 : 0] = across;
    at[axis == 2 ? 1 : 2] = up;
}

/* The longest of the map, of several the first, along x before along y and z;
 * false: there is none. */
bool corridor_longest(const struct corridor_map *map,
                      struct corridor *corridor);

/* The corridor from the cell `from` to the cell `to`, which differ in one
 * coordinate. STATUS_INPUT if a cell is outside the map or in a wall, or if the
 * cross-section changes between them; the message begins with `where`. */
enum status corridor_between(const struct corridor_map *map,
                             const int from[GRID_AXES], const int to[GRID_AXES],
                             const char *where, struct corridor *corridor,
                             struct error *error);

/* The longest one through a free cell; false: its cross-section is no
 * rectangle with walls all round along any axis. */
bool corridor_through(const struct corridor_map *map, const int cell[GRID_AXES],
                      struct corridor *corridor);

/* The same along one axis. */
bool corridor_along(const struct corridor_map *map, int axis,
                    const int cell[GRID_AXES], struct corridor *corridor);

/* "x 12 ... 172, y 9 ... 15, 7 wide, walls fixed"; of a duct "…, z 5 ... 9,
 * 7 x 5, walls fixed". In the language of words if it is drawn. */
void corridor_describe(const struct terrain *terrain,
                       const struct corridor *corridor, bool drawn, char *text,
                       size_t size);

#endif
