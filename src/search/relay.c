/* SPDX-License-Identifier: MIT */
#include "search/relay.h"

#include "search/search.h"

#include <string.h>

const struct relay_settings relay_defaults = { 3, 200 };

static bool is_street(const struct passages *p, int x, int y)
{
    return grid_holds(&p->grid, x, y, 0) && !p->wall[passages_at(p, x, y, 0)];
}

static bool same(struct relay_node a, struct relay_node b)
{
    return a.x == b.x && a.y == b.y;
}

bool relay_is_straight(const struct passages *p, struct relay_node from,
                       struct relay_node to)
{
    if ((from.x != to.x && from.y != to.y) || !is_street(p, from.x, from.y) ||
        !is_street(p, to.x, to.y))
        return false;
    enum direction d = from.x == to.x ? (to.y > from.y ? SOUTH : NORTH)
                                      : (to.x > from.x ? EAST : WEST);
    while (!same(from, to)) {
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

/* The street nearest to *relay along ±(dx, dy), the plus side first, or if
 * passages are mirrored the other. */
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

/* The article's searchRelayNode; its tiles are our cells. */
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
    int calls;
};

/* The relays of the calls that this one stands in. */
struct ancestor {
    const struct ancestor *above;
    struct relay_node relay;
    int depth;
};

static bool repeats(const struct ancestor *ancestor, struct relay_node relay)
{
    for (; ancestor; ancestor = ancestor->above)
        if (same(ancestor->relay, relay))
            return true;
    return false;
}

static bool insert(struct relay_route *route, int at, struct relay_node node)
{
    if (route->count == RELAY_NODES_MOST)
        return false;
    memmove(&route->nodes[at + 1], &route->nodes[at],
            (size_t)(route->count - at) * sizeof node);
    route->nodes[at] = node;
    route->count++;
    return true;
}

static void drop(struct relay_route *route, int at)
{
    memmove(&route->nodes[at], &route->nodes[at + 1],
            (size_t)(route->count - at - 1) * sizeof *route->nodes);
    route->count--;
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
        !find_relay(p, node, next, &self.relay))
        return true;
    if (self.depth > run->settings->depth_most ||
        ++run->calls > RELAY_CALLS_MOST || same(self.relay, node) ||
        same(self.relay, next) || repeats(above, self.relay) ||
        !insert(route, at + 1, self.relay))
        return false;
    if (at + 3 < route->count &&
        relay_is_straight(p, self.relay, route->nodes[at + 3]))
        drop(route, at + 2);
    /* The print increments the level before each call. */
    if (level >= run->settings->search_level &&
        !search(run, at + 1, ++level, &self))
        return false;
    return search(run, at, ++level, &self);
}

bool relay_search(const struct passages *passages,
                  const struct relay_settings *settings,
                  struct relay_route *route, struct relay_counters *counters)
{
    struct relay_run run = { passages, settings, route, 0 };
    int64_t start = search_nanoseconds();
    bool found = search(&run, 0, 1, NULL);
    counters->nanoseconds += search_nanoseconds() - start;
    counters->searches++;
    if (!found)
        return false;
    counters->nodes += (uint64_t)route->count;
    if (route->count > counters->nodes_most)
        counters->nodes_most = route->count;
    return true;
}

/* ---- walking ---- */

void relay_walker_start(struct relay_walker *walker, struct relay_node from,
                        struct relay_node goal)
{
    walker->route = (struct relay_route){ .count = 2, .nodes = { from, goal } };
    walker->fresh = true;
    walker->researches = 0;
    if (same(from, goal))
        walker->route.count = 1;
}

static void count_research(struct relay_walker *walker,
                           struct relay_counters *counters)
{
    counters->researches++;
    if (++walker->researches > counters->researches_most)
        counters->researches_most = walker->researches;
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
        route->nodes[1] = route->nodes[route->count - 1];
        route->count = 2;
        if (again)
            count_research(walker, counters);
        if (walker->researches > RELAY_RESEARCHES_MOST ||
            !relay_search(passages, settings, route, counters) ||
            !relay_is_straight(passages, route->nodes[0], route->nodes[1])) {
            counters->failures++;
            return RELAY_FAILED;
        }
    }
    walker->fresh = false;
    drop(route, 0);
    *to = route->nodes[0];
    return again ? RELAY_RESEARCHED : RELAY_WALKS;
}
