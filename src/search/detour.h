/* SPDX-License-Identifier: MIT */
/* A route to a goal and round each wall on the path, in a fixed amount of
 * memory: no queue, and no marks on the map (after Bug1 and Bug2 of V. J.
 * Lumelsky and A. A. Stepanov, Algorithmica 2, 403-430, 1987).
 *
 * The route follows a line of one bend: first along y, then along x. If a wall
 * blocks the line, it computes the closed walk along that wall. The exit is the
 * cell of the line on that walk that is nearest to the goal; the route goes
 * there by the shorter side.
 *
 * It reaches every goal that can be reached:
 *  - A wall is a set of wall cells that touch by sides or corners; all that is
 *    outside the map is wall too. A region is a set of free cells that touch by
 *    sides. Regions and walls that touch form a tree, so a wall W and the
 *    walker's region R share one boundary. The walk along W meets every cell of
 *    R adjacent to W.
 *  - Let H be the cell after the last cell of W on the line. From H on the
 *    line does not meet W. If H were not in R, it would have to meet W again,
 *    since in the tree W is between that region and R, which contains the goal.
 *    So H is in R and on the walk, and the exit is H or a later cell.
 *  - So after the exit the line never meets W again: each wall is walked round
 *    at most once, and every exit is nearer to the goal along the line.
 * If the walk has no cell of the line after the one where it began, the goal
 * cannot be reached. The walk takes at most 4 steps a cell.
 *
 * One-way cells are respected, but the proof does not cover them: the walk
 * along a wall that is open in one direction only need not close, and the
 * search then fails. */
#ifndef HAMON_SEARCH_DETOUR_H
#define HAMON_SEARCH_DETOUR_H

#include "search/passages.h"

#include <stdbool.h>
#include <stdint.h>

/* A cell of a 2D map where a route may bend. */
struct relay_node {
    int32_t x, y;
};

static inline bool relay_node_same(struct relay_node a, struct relay_node b)
{
    return a.x == b.x && a.y == b.y;
}

struct detour {
    struct relay_node origin, goal; /* of the line */
    struct relay_node at;
    int32_t met;     /* the line's cell at which it met the last wall, from 0 */
    int32_t heading; /* enum direction of the last step */
    int32_t hand;    /* the wall is on the right: 1; on the left: −1 */
    int64_t left;    /* remaining steps along the wall */
};

/* Starts a route from a free cell to another one. */
void detour_start(struct detour *detour, struct relay_node from,
                  struct relay_node goal);

/* Moves one cell; must not be called at the goal. False: the goal cannot be
 * reached. */
bool detour_step(const struct passages *passages, struct detour *detour);

/* Moves to the next node: of the cells straight ahead, the last one on the next
 * DETOUR_LOOK steps of the route. A longer look cuts more corners but takes
 * more time: in mazes the path is half as long with 512 as with 32, for four
 * times the time. False as above. */
enum { DETOUR_LOOK = 512 };
bool detour_node(const struct passages *passages, struct detour *detour);

#endif
