/* SPDX-License-Identifier: MIT */
/* The ports of a part of the map: cross-sections of straight corridors through
 * which waves enter and leave it. */
#ifndef HAMON_ANALYSIS_MODES_PORTS_H
#define HAMON_ANALYSIS_MODES_PORTS_H

#include "analysis/modes/corridor.h"
#include "analysis/modes/modes.h"

enum { PORTS_MOST = 8, PORT_NAME_SIZE = 64 };

/* `at` is the last cross-section of the part, outwards is the one at `at +
 * out`, both of the corridor. `modes` are those of the corridor, in the order
 * of their cutoffs, and `shapes` their amplitudes in its cells, (count,
 * count). */
struct port {
    struct corridor corridor;
    int at, out;
    char name[PORT_NAME_SIZE]; /* "west", or with its place if two are */
    size_t count;
    struct mode *modes;
    double *shapes;
};

/* The cells of the part, numbered so that neighbours, and the cells of a port,
 * have numbers that differ by `band` at most. */
struct ports {
    struct corridor_map map;
    size_t count;
    struct port port[PORTS_MOST];
    size_t cells, band;
    size_t *cell;    /* (cells): its index in the grid */
    int32_t *number; /* of each cell of the grid; −1: not in the part */
    bool driven;     /* is the source outside of it, behind the first port? */
};

/* Of a cell of a port's cross-section, in the order of shapes; `beyond` cells
 * outwards. */
void port_cell(const struct port *port, size_t i, int beyond,
               int cell[GRID_AXES]);

/* Is the cell one of the port's, and the direction outwards? */
bool port_leads_out(const struct port *port, const int cell[GRID_AXES],
                    enum direction direction);

/* Finds the ports where corridors meet the map's open edges: the last
 * cross-sections before each ceases to be straight. The first is that of the
 * source's corridor, if the source is in one. STATUS_INPUT if there is none, or
 * if waves leave elsewhere too. Release with ports_release, after a failure
 * too. */
enum status ports_find(const struct corridor_map *map, double delta,
                       const int source[GRID_AXES], struct ports *ports,
                       struct error *error);

/* The same of the part in which the source is, where it may ring: none if the
 * part is closed. `driven` is not set. */
enum status ports_around(const struct corridor_map *map, double delta,
                         const int source[GRID_AXES], struct ports *ports,
                         struct error *error);

/* The smallest box with all cells of the part. */
struct box ports_box(const struct ports *ports);

/* Those at the given cells, (count, GRID_AXES), of which the first leads to the
 * source; without the others the part is that on the side without the source.
 * STATUS_INPUT if a cell is in no straight corridor, or if the cross-sections
 * separate no part of the map from the rest. If the source is in the part,
 * `driven` is false. */
enum status ports_between(const struct corridor_map *map, double delta,
                          const int (*cells)[GRID_AXES], size_t count,
                          const int source[GRID_AXES], struct ports *ports,
                          struct error *error);
void ports_release(struct ports *ports);

#endif
