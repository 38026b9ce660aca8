/* SPDX-License-Identifier: MIT */
/* Steering at every step: an agent holds a node and walks straight to it.
 *
 * Nodes are the centres of free cells, and points just off the corners of walls
 * and of areas of slower waves (NODE_CORNER of a cell away on both axes), whose
 * potential (pursuit/trail.h) is the mean of those of the two cells beside the
 * corner. In each cell that an agent enters (or at every step: settings.h,
 * enum steering_rule), and at its node, it looks at the nodes within R cells
 * that it can walk straight to and whose potential is larger than that of the
 * node it holds. It takes the one with the largest potential − fall(path to
 * it), if that is more than the value of the node it holds or if it is at that
 * node. At every step it walks straight to the node it holds.
 *
 * In 2D the sums of matched weights are right up to the border of two areas
 * (wave/arrival/fall.h, `borders`), where a path of least time turns. So there
 * nodes are also just off the faces of a cell towards slower ones, on the
 * cell's side, for agents with R from NODE_FACE_SIGHT. The potential there is
 * continued from the cell.
 *
 * In 3D a corner is an edge. Its node is weighed in the middle, and when it is
 * taken it gets the place on the edge (or face) for which the fall is least
 * from the agent to it, and on to the node that would be chosen in the middle.
 *
 * A held node was in sight when it was taken, and stays in sight on the
 * straight path to it; each next one has a larger potential, and there are
 * finitely many. So an agent ends at the source: docs/explanation/chases.md
 * has the proof, and the further conditions for a moving target and finite
 * precision. */
#ifndef HAMON_PURSUIT_NODE_WALK_H
#define HAMON_PURSUIT_NODE_WALK_H

#include "pursuit/trail.h"
#include "world/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The distance that a straight path keeps from walls, and corner nodes from
 * their corners; cells. */
#define NODE_CLEAR 0x1p-8
#define NODE_CORNER 0x1p-7

/* The emission and node that an agent follows. A zeroed one with `node` −1
 * follows none. */
struct node_hold {
    int64_t emitted; /* the emission */
    int64_t node;    /* the held node's cell of the world, or −1 */
    int32_t corner;  /* 0: its centre; else the number of its corner, from 1,
                      * and NODE_CORNERS times that of the place on the edge;
                      * of its face from NODE_FACE on, with NODE_FACES */
    int32_t looked;  /* the cell in which it looked last; −1: it must look */
};

/* Maximum number of corners of a cell: 4 for each pair of axes. In 3D a corner
 * is an edge, and its node has one of NODE_PLACES places, NODE_APART cells from
 * each other: from the middle to 2⁻⁷ before both ends. */
enum { NODE_CORNERS = 12, NODE_PLACES = 17 };
/* In 2D the faces follow: two for each axis, with places as edges have. */
enum {
    NODE_FACES = 4,
    NODE_FACE = 1 + NODE_CORNERS * NODE_PLACES,
    NODE_NUMBERS = NODE_FACE + NODE_FACES * NODE_PLACES
};
#define NODE_APART (63 * 0x1p-10)
#define NODE_FACE_SIGHT 2.

/* The position of a node. */
void node_place(const struct grid *grid, int64_t cell, int corner,
                double at[GRID_AXES]);

/* The walls inside `box` changed, or all are new: sets one bit for each cell in
 * it, or beside it, that has corners, in rows of node_corner_row bytes; a row
 * ends with enough bytes for a load of 32 bits at its last cell. */
size_t node_corner_row(const struct grid *grid);
void node_mark_corners(const struct terrain *terrain, const struct box *box,
                       uint8_t *cornered);

/* Takes the node that the rule chooses at `at`, for emission hold->emitted of
 * the trail. False: no node is chosen. Positions and cells, the held node's
 * too, are in the coordinates of the trail's terrain. */
/* Of equally good nodes it takes the first in the order of z, y, x (centre,
 * then corners); each axis is mirrored whose bit of trail->mirror is set. */
bool node_choose(const struct trail *trail, double sight,
                 const double at[GRID_AXES], struct node_hold *hold);

/* Is the straight path from a to b clear? *slower becomes the mean along the
 * path of the potential's fall, divided by the fall at speed 1. */
bool node_in_sight(const struct trail *trail, const double a[GRID_AXES],
                   const double b[GRID_AXES], double *slower);

#endif
