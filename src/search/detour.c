/* SPDX-License-Identifier: MIT */
#include "search/detour.h"

#include <stdlib.h>

static bool is_open(const struct passages *p, struct relay_node at,
                    enum direction d)
{
    return p->open[passages_at(p, at.x, at.y, 0)] >> passages_towards(p, d) & 1;
}

static void go(struct detour *detour)
{
    detour->at.x += direction_step[detour->heading][0];
    detour->at.y += direction_step[detour->heading][1];
}

void detour_start(struct detour *detour, struct relay_node from,
                  struct relay_node goal)
{
    *detour = (struct detour){ .origin = from, .goal = goal, .at = from };
}

/* ---- the line ---- */

static bool lies_between(int32_t a, int32_t x, int32_t b)
{
    return a < b ? a <= x && x <= b : b <= x && x <= a;
}

/* The number of the line's cells before this one; −1: it is not on the line. */
static int32_t line_place(const struct detour *detour, struct relay_node at)
{
    struct relay_node from = detour->origin, to = detour->goal;
    if (at.y == to.y && lies_between(from.x, at.x, to.x))
        return abs(to.y - from.y) + abs(at.x - from.x);
    if (at.x == from.x && lies_between(from.y, at.y, to.y))
        return abs(at.y - from.y);
    return -1;
}

/* The direction of the line at a cell of it that is not the goal. */
static enum direction line_direction(const struct detour *detour)
{
    if (detour->at.y != detour->goal.y)
        return detour->at.y < detour->goal.y ? SOUTH : NORTH;
    return detour->at.x < detour->goal.x ? EAST : WEST;
}

/* A quarter turn: to the left if hand is 1, to the right if it is −1. */
static enum direction turned(enum direction d, int hand)
{
    static const enum direction left[] = {
        [EAST] = NORTH, [NORTH] = WEST, [WEST] = SOUTH, [SOUTH] = EAST
    };
    return hand > 0 ? left[d] : left[d] ^ 1;
}

/* Turns to the first open side from `first` on, away from the wall. False: all
 * sides are closed. */
static bool turn(const struct passages *p, struct detour *detour,
                 enum direction first)
{
    for (int i = 0; i < 4; i++, first = turned(first, detour->hand))
        if (is_open(p, detour->at, first)) {
            detour->heading = (int32_t)first;
            return true;
        }
    return false;
}

/* The same during the walk along the wall. */
static bool follow(const struct passages *p, struct detour *detour)
{
    return turn(p, detour,
                turned((enum direction)detour->heading, -detour->hand));
}

/* In a map that is mirrored along one axis the other hand comes first. */
static int first_hand(const struct passages *p)
{
    return (p->mirror ^ p->mirror >> 1) & 1 ? -1 : 1;
}

/* A wall blocks the line here: computes the walk round it, and starts along the
 * shorter side to the exit. */
static bool meet_wall(const struct passages *p, struct detour *detour)
{
    struct detour walk = *detour;
    int64_t steps = 0, first = 0, last = 0; /* at the arrival at that cell */
    int32_t farthest = line_place(detour, detour->at);
    detour->met = farthest;
    walk.hand = first_hand(p);
    if (!turn(p, &walk, line_direction(detour)))
        return false;
    int32_t out = walk.heading;
    do {
        go(&walk);
        steps++;
        int32_t place = line_place(&walk, walk.at);
        if (place > farthest) {
            farthest = place;
            first = steps;
        }
        if (place == farthest)
            last = steps;
        /* Each state occurs once, unless one-way cells lead into a loop. */
        if (!follow(p, &walk) || steps > (int64_t)4 * p->cells)
            return false;
    } while (!relay_node_same(walk.at, detour->at) || walk.heading != out);
    if (!first)
        return false;
    detour->hand = steps - last < first ? -walk.hand : walk.hand;
    detour->left = steps - last < first ? steps - last : first;
    return turn(p, detour, line_direction(detour));
}

bool detour_step(const struct passages *p, struct detour *detour)
{
    if (detour->left) {
        if (!follow(p, detour))
            return false;
    } else if (is_open(p, detour->at, line_direction(detour))) {
        detour->heading = (int32_t)line_direction(detour);
    } else if (!meet_wall(p, detour)) {
        return false;
    }
    go(detour);
    if (!detour->left || --detour->left)
        return true;
    /* True, unless one-way cells make the sides differ. */
    return line_place(detour, detour->at) > detour->met;
}

/* ---- nodes ---- */

/* The number of open cells from here on each side. */
static void look_around(const struct passages *p, struct relay_node from,
                        int32_t far[4])
{
    for (int d = 0; d < 4; d++) {
        struct relay_node at = from;
        for (far[d] = 0; is_open(p, at, (enum direction)d); far[d]++) {
            at.x += direction_step[d][0];
            at.y += direction_step[d][1];
        }
    }
}

static bool is_seen(struct relay_node from, const int32_t far[4],
                    struct relay_node at)
{
    int32_t dx = at.x - from.x, dy = at.y - from.y;
    if (dx && dy)
        return false;
    return dx <= far[EAST] && -dx <= far[WEST] && dy <= far[SOUTH] &&
           -dy <= far[NORTH];
}

bool detour_node(const struct passages *p, struct detour *detour)
{
    struct relay_node from = detour->at;
    int32_t far[4];
    look_around(p, from, far);
    /* Again if the last cell seen is where it began. */
    while (relay_node_same(detour->at, from) &&
           !relay_node_same(from, detour->goal)) {
        struct detour ahead = *detour;
        for (int i = 0;
             i < DETOUR_LOOK && !relay_node_same(ahead.at, ahead.goal); i++) {
            if (!detour_step(p, &ahead))
                return false;
            if (is_seen(from, far, ahead.at))
                *detour = ahead;
        }
    }
    return true;
}
