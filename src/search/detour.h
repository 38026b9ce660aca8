/* SPDX-License-Identifier: MIT */
/* A route towards a goal, and round each wall that stands on it, in a fixed
 * amount of memory: no queue, and no mark on the map.
 *
 * The route follows a line of one bend, down or up first and then along. Where
 * a wall closes the line, it goes once round that wall in mind, notes the cell
 * where the line leaves the wall for good, and walks there by the shorter side
 * (after Bug1 and Bug2 of V. J. Lumelsky and A. A. Stepanov, Algorithmica 2,
 * 403-430, 1987).
 *
 * It finds a route wherever there is one. A wall with all that touches it, by
 * corners too, bounds the walker's part of the map by one closed walk. That
 * walk meets each cell where the line leaves the wall, since the goal lies in
 * the same part. Behind the last of these cells the line does not meet this
 * wall again, so each wall is gone round at most once.
 *
 * One-way cells are obeyed, but the proof does not cover them: the walk along
 * a wall that is open in one direction only need not close. */
#ifndef HAMON_SEARCH_DETOUR_H
#define HAMON_SEARCH_DETOUR_H

#include "search/passages.h"

#include <stdbool.h>
#include <stdint.h>

/* A cell of a 2D map where a route may bend. */
struct relay_node {
    int32_t x, y;
};

struct detour {
    struct relay_node origin, goal; /* of the line */
    struct relay_node at;
    int32_t met;     /* the line's cell where it met the last wall, from 0 */
    int32_t heading; /* enum direction of the last step */
    int32_t hand;    /* the wall is on the right: 1; on the left: −1 */
    int64_t left;    /* steps along the wall that are still to go */
};

/* From a free cell to another one. */
void detour_start(struct detour *detour, struct relay_node from,
                  struct relay_node goal);

/* One cell on; the goal must not be reached yet. False: it cannot be. */
bool detour_step(const struct passages *passages, struct detour *detour);

/* On to the next node: of the cells seen straight from where it is, the last
 * that the route comes to in its next DETOUR_LOOK steps. False as above. */
enum { DETOUR_LOOK = 512 };
bool detour_node(const struct passages *passages, struct detour *detour);

#endif
