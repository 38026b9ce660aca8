/* SPDX-License-Identifier: MIT */
/* What exact paths keep: shared by the search (exact.c) and by the sweep over
 * all that one root sees (exact_sweep.c). A root is the source or a corner. */
#ifndef HAMON_SEARCH_EXACT_STATE_H
#define HAMON_SEARCH_EXACT_STATE_H

#include "search/exact.h"
#include "search/lattice.h"

enum { NO_POINT = -2, SOURCE = -1 };

/* A direction from the root of a sweep, in doubled coordinates. */
struct ray {
    int64_t dx, dy;
};

/* What is seen through a row: the points between two rays. */
struct cone {
    struct ray left, right;
};

struct corner_state {
    double distance; /* to the source; INFINITY: not seen yet */
    int32_t parent;  /* the corner (a lattice point) before it, or SOURCE */
    int32_t place;   /* in the heap, 0: not there */
};

struct cell_state {
    double distance, second;
    int32_t next, second_next; /* a lattice point, SOURCE or NO_POINT */
};

struct exact {
    struct grid grid;
    struct lattice lattice;
    struct corner_state *corners; /* (ny + 1, nx + 1) */
    struct cell_state *cells;     /* (ny, nx) */
    int32_t *heap;                /* lattice points by distance, from 1 */
    int32_t heap_count;
    struct cone *now, *later; /* of two lines, nx + 2 each */
    int source_x, source_y;   /* cells */
    size_t expansions;
};

/* The doubled place of a root. */
static inline void place_of(const struct exact *e, int32_t root, int64_t at[2])
{
    int points = e->lattice.nx + 1;
    at[0] = root == SOURCE ? 2 * (int64_t)e->source_x
                           : 2 * (int64_t)(root % points) - 1;
    at[1] = root == SOURCE ? 2 * (int64_t)e->source_y
                           : 2 * (int64_t)(root / points) - 1;
}

/* Sees from the source, or round a corner, every cell and corner that a taut
 * string can go on to: lowers their distances, and queues the corners. */
void exact_expand_source(struct exact *exact);
void exact_expand_corner(struct exact *exact, int32_t point);

/* A corner's distance has been lowered: puts it into the heap, or higher. */
void exact_queue_corner(struct exact *exact, int32_t point);

#endif
