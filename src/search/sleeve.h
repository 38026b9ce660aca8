/* SPDX-License-Identifier: MIT */
/* A sleeve: the cells that a path passes, each sharing a face with the one
 * before, and the path of minimum time in it.
 *
 * It is improved locally. If its path touches an edge of four cells (2D: a
 * corner), the sleeve may pass the edge on the other side. The new sleeve
 * contains the old path, so its minimum time is not longer. The path that no
 * such change makes faster is a local minimum. */
#ifndef HAMON_SEARCH_SLEEVE_H
#define HAMON_SEARCH_SLEEVE_H

#include "base/status.h"
#include "search/crossings.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sleeve {
    const struct terrain *terrain;
    double start[GRID_AXES], end[GRID_AXES]; /* in the first and last cell */
    int32_t *cells;
    size_t count, room;
    double precision;       /* of crossings_solve */
    struct crossings path;  /* count − 1 faces */
    struct crossings trial; /* of a part of the sleeve, for a change */
    int32_t *spare;         /* cells of a changed sleeve */
    size_t spare_room;
};

void sleeve_init(struct sleeve *sleeve, const struct terrain *terrain);
void sleeve_release(struct sleeve *sleeve);

/* Removes all cells. */
void sleeve_clear(struct sleeve *sleeve);

/* Adds a free cell that shares a face with the last one, or equals it. */
enum status sleeve_add(struct sleeve *sleeve, int32_t cell,
                       struct error *error);

/* Adds the cells along a straight line from a, in the free cell `first`, to b,
 * in the free cell `last` (−1: any). *clear: no wall blocks it; else none is
 * added. */
enum status sleeve_add_line(struct sleeve *sleeve, const double a[GRID_AXES],
                            const double b[GRID_AXES], int32_t first,
                            int32_t last, bool *clear, struct error *error);

/* The path of minimum time in the sleeve as it is: sleeve->path. */
enum status sleeve_solve(struct sleeve *sleeve, struct error *error);

/* Solves and changes the sleeve until no change makes its path faster, first at
 * low precision. If the time is over `limit`, or over `known` by at most a
 * millionth, it ends there. Else the path is made exact, and changes are also
 * tried where the path touches no edge. */
enum status sleeve_improve(struct sleeve *sleeve, double limit, double known,
                           struct error *error);

/* 1/c of a cell. */
double sleeve_slowness(const struct terrain *terrain, int32_t cell);

#endif
