/* SPDX-License-Identifier: MIT */
/* Relay nodes (N. Yasunaga, "RPG-kei program …", CodeZine, 2005): routes of a
 * few nodes for many walkers on large town maps, fine near the walker and
 * coarse far away, searched by halving instead of by a queue.
 *
 * As printed the recursion may not end: a relay may equal an end of its leg, or
 * two relays may require each other. Here a search fails if a relay repeats, if
 * it is too deep or too long, or if the route is full.
 *
 * The second variant, relay_complete, is the next step that the article
 * announced. A full route releases its far nodes, and nodes that a straight leg
 * can skip are removed. Each search of the recursion must start nearer to the
 * goal than the one before, so there are finitely many. If one fails or is not
 * nearer, the walker takes the direct route (search/detour.h, with the proof)
 * to the end. So it reaches every goal that can be reached; with one-way cells
 * most, but not all of them.
 *
 * 2D, single steps along the axes; one-way cells are respected, costs are
 * ignored. */
#ifndef HAMON_SEARCH_RELAY_H
#define HAMON_SEARCH_RELAY_H

#include "search/detour.h"
#include "search/passages.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    RELAY_NODES_MOST = 64,
    RELAY_CALLS_MOST = 4096,     /* of the recursion, in one search */
    RELAY_RESEARCHES_MOST = 1000 /* towards one goal */
};

/* nodes[0] is the walker's position, the last one its goal. */
struct relay_route {
    int count;
    struct relay_node nodes[RELAY_NODES_MOST];
};

struct relay_settings {
    int search_level; /* refine both halves from this depth on; 3 */
    int depth_most;   /* a search that goes deeper fails; 200 */
    int kept;         /* nodes of a route; 0: as printed, a full route fails */
};
extern const struct relay_settings relay_defaults; /* as printed */
extern const struct relay_settings relay_complete; /* the second variant */

/* Summed over searches and walkers; set to zero before use. */
struct relay_counters {
    uint64_t searches;   /* first ones and re-searches */
    uint64_t researches; /* at a node whose next leg was not straight ("?") */
    uint64_t goals;      /* reached ("!") */
    uint64_t failures;   /* searches that failed or left no straight leg */
    uint64_t nodes;      /* summed over searches, for the mean */
    int nodes_most;      /* in one route */
    int researches_most; /* towards one goal */
    int64_t nanoseconds; /* in searches */
};

/* Are both cells free, on one row or column, and every step between allowed? */
bool relay_is_straight(const struct passages *passages, struct relay_node from,
                       struct relay_node to);

/* The recursion, from nodes[0] to nodes[1]; the route may have more nodes after
 * these. False if the search failed; the route then has the relays that were
 * inserted before, and must not be walked. */
bool relay_search(const struct passages *passages,
                  const struct relay_settings *settings,
                  struct relay_route *route, struct relay_counters *counters);

struct relay_walker {
    struct relay_route route;
    bool fresh; /* the goal was set and not yet searched for */
    int researches;
    /* Of the second variant. */
    bool detours;    /* it takes the direct route */
    int32_t nearest; /* distance to the goal at the start of a search */
    struct detour detour;
};

enum relay_step {
    RELAY_WALKS,      /* walk straight to the returned node */
    RELAY_RESEARCHED, /* the same, after another search: "?" */
    RELAY_ARRIVED,    /* at the goal: "!" */
    RELAY_FAILED,     /* no path was found: set another goal */
};

/* Starts a walk from a cell to a goal. */
void relay_walker_start(struct relay_walker *walker, struct relay_node from,
                        struct relay_node goal);

/* The terrain changed: a direct route is dropped and searched anew. */
void relay_walker_map_changed(struct relay_walker *walker);

/* The walker is at its node: returns the next leg; if that is not straight,
 * searches first. *to is the end of the leg, reached by single steps along one
 * axis; for the walker the leg is done. */
enum relay_step relay_walker_next(struct relay_walker *walker,
                                  const struct passages *passages,
                                  const struct relay_settings *settings,
                                  struct relay_counters *counters,
                                  struct relay_node *to);

#endif
