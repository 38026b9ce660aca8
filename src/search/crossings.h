/* SPDX-License-Identifier: MIT */
/* The points at which a path crosses a sequence of faces in minimum time.
 *
 * Piece i of a path runs from point i to point i + 1 at slowness s[i]. The
 * first and the last point are given; each other one is on a face: a unit
 * interval (2D) or a unit square (3D) across one axis. The time Σ s|r| is
 * convex. It is minimized by a primal-dual interior-point method for sums of
 * norms (Andersen, Christiansen, Conn, Overton 2000: SIAM J. Sci. Comput. 22),
 * with a logarithmic barrier at the borders of the faces, so that coincident
 * points, at which the norm has no derivative, need no special case. A step
 * solves one block tridiagonal system: its cost is linear in the number of
 * faces. */
#ifndef HAMON_SEARCH_CROSSINGS_H
#define HAMON_SEARCH_CROSSINGS_H

#include "base/status.h"
#include "world/grid.h"

#include <stddef.h>

/* A face between two cells: base[axis] is its plane, and base[k] to base[k] + 1
 * its extent on each other axis k < dims. */
struct face {
    int axis;
    double base[GRID_AXES];
};

/* The borders at a point of the solution. */
struct crossing {
    double at[GRID_AXES];
    /* On each axis along which the face extends: −1 at its low border, 1 at its
     * high border, 0 between. */
    int border[GRID_AXES];
    /* The force, in slowness, with which the path pulls the point over that
     * border (−: over the low one). */
    double pull[GRID_AXES];
};

struct crossings {
    int dims;
    size_t count, room;                      /* faces */
    double start[GRID_AXES], end[GRID_AXES]; /* the given points */
    struct face *faces;                      /* count */
    double *slowness;                        /* count + 1 */
    struct crossing *points;                 /* count: the solution */
    double time;                             /* of the solution */
    double lower;                   /* lower bound of the time of any path
                                     * through these faces */
    struct crossings_node *nodes;   /* of the method */
    struct crossings_piece *pieces; /* count + 1 */
};

void crossings_init(struct crossings *c, int dims);
void crossings_release(struct crossings *c);

/* Room for `count` faces; the caller then fills faces, slowness, start and
 * end. */
enum status crossings_resize(struct crossings *c, size_t count,
                             struct error *error);

/* Finds points, time and lower. The time exceeds the minimum by about twice
 * `precision` in slowness for each face. A point that is nearer to a border of
 * its face than √precision, and is pulled over it, is placed on it. Allocates
 * nothing. */
void crossings_solve(struct crossings *c, double precision);

#endif
