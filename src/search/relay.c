/* SPDX-License-Identifier: MIT */
#include "search/relay.h"

#include "search/search.h"

#include <stdlib.h>
#include <string.h>

const struct relay_settings relay_defaults = { 3, 200, 0 };
const struct relay_settings relay_complete = { 3, 200, 10 };

static bool is_street(const struct passages *p, int x, int y)
{
    return grid_holds(&p->grid, x, y, 0) && !p->wall[passages_at(p, x, y, 0)];
}

bool relay_is_straight(const struct passages *p, struct relay_node from,
                       struct relay_node to)
{
    if ((from.x != to.x && from.y != to.y) || !is_street(p, from.x, from.y) ||
        !is_street(p, to.x, to.y))
        return false;
    enum direction d = from.x == to.x ? (to.y > from.y ? SOUTH : NORTH)
                                      : (to.x > from.x ? EAST : WEST);
    while (!relay_node_same(from, to)) {
        if (!(p->open[passages_at(p, from.x, from.y, 0)] >>
                  passages_towards(p, d) &
              1))
            return false;
        from.x += direction_step[d][0];
        from.y += direction_step[d][1];
    }
    return true;
}

/* ---- the relay between two nodes ---- */

/* Is the order of passages mirrored along the axis? */
static int mirrored(const struct passages *p, int axis)
{
    return (int)(p->mirror >> axis & 1);
}

/* The street nearest to *relay along ±(dx, dy); the plus side first, or the
 * minus side if passages are mirrored. */
static bool look_outwards(const struct passages *p, int dx, int dy, int most,
                          struct relay_node *relay)
{
    int first = mirrored(p, dx ? 0 : 1) ? -1 : 1;
    for (int d = 0; d <= most; d++)
        for (int side = 0; side < 2; side++) {
            int sign = side ? -first : first;
            int x = relay->x + sign * d * dx, y = relay->y + sign * d * dy;
            if (is_street(p, x, y)) {
                *relay = (struct relay_node){ x, y };
                return true;
            }
        }
    return false;
}

static bool bends(const struct passages *p, struct relay_node node,
                  struct relay_node bend, struct relay_node next)
{
    return relay_is_straight(p, node, bend) && relay_is_straight(p, bend, next);
}

/* The article's searchRelayNode; its tiles are cells here. */
static bool find_relay(const struct passages *p, struct relay_node node,
                       struct relay_node next, struct relay_node *relay)
{
    relay->x = (node.x + next.x + mirrored(p, 0)) / 2;
    relay->y = (node.y + next.y + mirrored(p, 1)) / 2;
    if (node.x == next.x)
        return look_outwards(p, 1, 0, p->grid.nx, relay);
    if (node.y == next.y)
        return look_outwards(p, 0, 1, p->grid.ny, relay);
    struct relay_node down = { node.x, next.y }, along = { next.x, node.y };
    if (bends(p, node, down, next) || bends(p, node, along, next)) {
        *relay = bends(p, node, down, next) ? down : along;
        return true;
    }
    bool falling = (node.x < next.x) == (node.y < next.y);
    return look_outwards(p, 1, falling ? -1 : 1, p->grid.nx, relay);
}

/* ---- the recursion ---- */

struct relay_run {
    const struct passages *passages;
    const struct relay_settings *settings;
    struct relay_route *route;
    int calls, nodes_most;
};

/* The relays of the enclosing calls. */
struct ancestor {
    const struct ancestor *above;
    struct relay_node relay;
    int depth;
};

static bool repeats(const struct ancestor *ancestor, struct relay_node relay)
{
    for (; ancestor; ancestor = ancestor->above)
        if (relay_node_same(ancestor->relay, relay))
            return true;
    return false;
}

static bool insert(struct relay_run *run, int at, struct relay_node node)
{
    struct relay_route *route = run->route;
    if (route->count == RELAY_NODES_MOST)
        return false;
    memmove(&route->nodes[at + 1], &route->nodes[at],
            (size_t)(route->count - at) * sizeof node);
    route->nodes[at] = node;
    if (++route->count > run->nodes_most)
        run->nodes_most = route->count;
    return true;
}

/* Removes the nodes from `at` up to `end`. */
static void drop(struct relay_route *route, int at, int end)
{
    memmove(&route->nodes[at], &route->nodes[end],
            (size_t)(route->count - end) * sizeof *route->nodes);
    route->count -= end - at;
}

/* A full route releases the node before its goal. False: the leg from node `at`
 * ends at the goal, and is not refined until the walker is nearer. */
static bool make_room(const struct relay_run *run, int at)
{
    struct relay_route *route = run->route;
    if (!run->settings->kept || route->count < run->settings->kept)
        return true;
    if (at + 2 == route->count)
        return false;
    drop(route, route->count - 2, route->count - 1);
    return true;
}

/* The article's searchRoute from node `at`; false: the search has failed. */
static bool search(struct relay_run *run, int at, int level,
                   const struct ancestor *above)
{
    const struct passages *p = run->passages;
    struct relay_route *route = run->route;
    struct ancestor self = { above, { 0, 0 }, above ? above->depth + 1 : 1 };
    if (at + 1 >= route->count)
        return true;
    struct relay_node node = route->nodes[at], next = route->nodes[at + 1];
    if (!is_street(p, node.x, node.y) || !is_street(p, next.x, next.y) ||
        relay_is_straight(p, node, next) ||
        !find_relay(p, node, next, &self.relay) || !make_room(run, at))
        return true;
    if (self.depth > run->settings->depth_most ||
        ++run->calls > RELAY_CALLS_MOST || relay_node_same(self.relay, node) ||
        relay_node_same(self.relay, next) || repeats(above, self.relay) ||
        !insert(run, at + 1, self.relay))
        return false;
    if (at + 3 < route->count &&
        relay_is_straight(p, self.relay, route->nodes[at + 3]))
        drop(route, at + 2, at + 3);
    /* The printed program increments the level before each call. */
    if (level >= run->settings->search_level &&
        !search(run, at + 1, ++level, &self))
        return false;
    return search(run, at, ++level, &self);
}

/* ---- additions of the second variant ---- */

/* The number of straight legs before the first that is not. */
static int straight_legs(const struct passages *p,
                         const struct relay_route *route)
{
    int legs = 0;
    while (legs + 1 < route->count &&
           relay_is_straight(p, route->nodes[legs], route->nodes[legs + 1]))
        legs++;
    return legs;
}

/* Releases the nodes after the first leg that is not straight, since the walker
 * searches again there, and removes nodes that a straight leg can skip. */
static void shorten(const struct passages *p, struct relay_route *route)
{
    int legs = straight_legs(p, route);
    if (legs + 1 < route->count)
        drop(route, legs + 1, route->count - 1);
    for (int at = 0; at < legs; at++) {
        int seen = legs;
        while (!relay_is_straight(p, route->nodes[at], route->nodes[seen]))
            seen--;
        drop(route, at + 1, seen);
        legs -= seen - at - 1;
    }
}

/* The next nodes of the direct route, and the goal. */
static bool take_detour(struct relay_run *run, struct detour *detour)
{
    struct relay_route *route = run->route;
    while (route->count < run->settings->kept) {
        if (!detour_node(run->passages, detour))
            return false;
        if (relay_node_same(detour->at, detour->goal))
            break;
        insert(run, route->count - 1, detour->at);
    }
    return true;
}

static int32_t apart(struct relay_node a, struct relay_node b)
{
    return abs(a.x - b.x) + abs(a.y - b.y);
}

/* From nodes[0] to nodes[1], the goal. Each search of the recursion begins
 * nearer to the goal than the one before, so their number is limited; then the
 * direct route, which reaches the goal. */
static bool search_completely(struct relay_run *run,
                              struct relay_walker *walker)
{
    struct relay_node from = run->route->nodes[0], goal = run->route->nodes[1];
    int32_t distance = apart(from, goal);
    if (!walker->detours && (walker->fresh || distance < walker->nearest) &&
        search(run, 0, 1, NULL) && straight_legs(run->passages, run->route)) {
        walker->nearest = distance;
        shorten(run->passages, run->route);
        return true;
    }
    if (!walker->detours || !relay_node_same(from, walker->detour.at) ||
        !relay_node_same(goal, walker->detour.goal))
        detour_start(&walker->detour, from, goal);
    walker->detours = true;
    *run->route = (struct relay_route){ .count = 2, .nodes = { from, goal } };
    return take_detour(run, &walker->detour);
}

/* ---- counting ---- */

static void count_nodes(const struct relay_run *run,
                        struct relay_counters *counters)
{
    int most = run->settings->kept ? run->nodes_most : run->route->count;
    counters->nodes += (uint64_t)run->route->count;
    if (most > counters->nodes_most)
        counters->nodes_most = most;
}

/* walker: of the second variant, or NULL */
static bool run_counted(struct relay_run *run, struct relay_walker *walker,
                        struct relay_counters *counters)
{
    int64_t start = search_nanoseconds();
    bool found =
        walker ? search_completely(run, walker) : search(run, 0, 1, NULL);
    counters->nanoseconds += search_nanoseconds() - start;
    counters->searches++;
    if (found)
        count_nodes(run, counters);
    return found;
}

bool relay_search(const struct passages *passages,
                  const struct relay_settings *settings,
                  struct relay_route *route, struct relay_counters *counters)
{
    struct relay_run run = { passages, settings, route, 0, route->count };
    return run_counted(&run, NULL, counters);
}

/* ---- walking ---- */

void relay_walker_start(struct relay_walker *walker, struct relay_node from,
                        struct relay_node goal)
{
    walker->route = (struct relay_route){ .count = 2, .nodes = { from, goal } };
    walker->fresh = true;
    walker->detours = false;
    walker->researches = 0;
    if (relay_node_same(from, goal))
        walker->route.count = 1;
}

static void count_research(struct relay_walker *walker,
                           struct relay_counters *counters)
{
    counters->researches++;
    if (++walker->researches > counters->researches_most)
        counters->researches_most = walker->researches;
}

void relay_walker_map_changed(struct relay_walker *walker)
{
    walker->detours = false;
}

/* From nodes[0] to the goal; false if the walker cannot start. */
static bool search_again(struct relay_walker *walker,
                         const struct passages *passages,
                         const struct relay_settings *settings,
                         struct relay_counters *counters)
{
    struct relay_route *route = &walker->route;
    struct relay_run run = { passages, settings, route, 0, 2 };
    drop(route, 1, route->count - 1);
    if (!walker->fresh)
        count_research(walker, counters);
    if (settings->kept)
        return run_counted(&run, walker, counters);
    return walker->researches <= RELAY_RESEARCHES_MOST &&
           run_counted(&run, NULL, counters) &&
           relay_is_straight(passages, route->nodes[0], route->nodes[1]);
}

enum relay_step relay_walker_next(struct relay_walker *walker,
                                  const struct passages *passages,
                                  const struct relay_settings *settings,
                                  struct relay_counters *counters,
                                  struct relay_node *to)
{
    struct relay_route *route = &walker->route;
    bool again = false;
    *to = route->nodes[0];
    if (route->count == 1) {
        counters->goals++;
        return RELAY_ARRIVED;
    }
    if (!relay_is_straight(passages, route->nodes[0], route->nodes[1])) {
        again = !walker->fresh;
        if (!search_again(walker, passages, settings, counters)) {
            counters->failures++;
            return RELAY_FAILED;
        }
    }
    walker->fresh = false;
    drop(route, 0, 1);
    *to = route->nodes[0];
    return again ? RELAY_RESEARCHED : RELAY_WALKS;
}
