/* SPDX-License-Identifier: MIT */
/* All that is seen from one root, row by row. A cone is the part of the plane
 * between two rays from the root; crossing a row it is cut to the free runs
 * that it enters, and parts at walls. Rays have whole-number directions, so
 * every question of what is seen is decided exactly. */
#include "search/exact_state.h"

#include <math.h>

/* Lengths that differ by less are the same path, rounded twice. */
static const double same_length = 1e-9;

/* One sweep, away from the root along y. */
struct sweep {
    struct exact *exact;
    int32_t root;     /* lattice point, or SOURCE */
    int64_t rx, ry;   /* its doubled place */
    double distance;  /* its own */
    int sign;         /* −1 north, 1 south */
    struct cone *out; /* cones that leave the row */
    int out_count;
};

static double length_of(int64_t dx, int64_t dy)
{
    return 0.5 * sqrt((double)(dx * dx + dy * dy));
}

static void see_corner(struct sweep *s, int i, int j)
{
    struct exact *e = s->exact;
    int32_t point = lattice_point(&e->lattice, i, j);
    struct corner_state *corner = &e->corners[point];
    double distance =
        s->distance + length_of(2 * i - 1 - s->rx, 2 * j - 1 - s->ry);
    if (distance >= corner->distance - same_length)
        return;
    corner->distance = distance;
    corner->parent = s->root;
    exact_queue_corner(e, point);
}

static double see_cell(struct sweep *s, int x, int y, bool seen)
{
    struct exact *e = s->exact;
    struct cell_state *cell =
        &e->cells[(size_t)y * (size_t)e->grid.nx + (size_t)x];
    double distance = s->distance + length_of(2 * x - s->rx, 2 * y - s->ry);
    if (seen && distance < cell->distance - same_length) {
        cell->second = cell->distance;
        cell->second_next = cell->next;
        cell->distance = distance;
        cell->next = s->root;
    } else if (seen && distance < cell->second) {
        cell->second = distance;
        cell->second_next = s->root;
    }
    return distance - cell->distance;
}

/* Where the ray stands `k` doubled rows from the root: the floor and ceiling
 * of its doubled x, held to −limit … limit (level rays are never there). */
static int64_t floor_at(const struct sweep *s, struct ray ray, int64_t k)
{
    int64_t rows = ray.dy < 0 ? -ray.dy : ray.dy;
    if (rows == 0)
        return ray.dx < 0 ? INT32_MIN : INT32_MAX;
    int64_t product = ray.dx * k, quotient = product / rows;
    return s->rx + quotient - (product % rows < 0);
}

static int64_t ceiling_at(const struct sweep *s, struct ray ray, int64_t k)
{
    int64_t rows = ray.dy < 0 ? -ray.dy : ray.dy;
    if (rows == 0)
        return ray.dx < 0 ? INT32_MIN : INT32_MAX;
    int64_t product = ray.dx * k, quotient = product / rows;
    return s->rx + quotient + (product % rows > 0);
}

/* Is a to the left of b? Both lead away from the root to the same side. */
static bool left_of(const struct sweep *s, struct ray a, struct ray b)
{
    return s->sign * (b.dx * a.dy - a.dx * b.dy) > 0;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
/* Halves of doubled coordinates, rounded down and up. */
static int64_t half_down(int64_t a)
{
    return a >> 1;
}
static int64_t half_up(int64_t a)
{
    return (a + 1) >> 1;
}

static void see_line(struct sweep *s, int j, int64_t low, int64_t high)
{
    const struct lattice *l = &s->exact->lattice;
    int64_t end = half_down(high + 1); /* points i with low ≤ 2i − 1 ≤ high */
    for (int64_t i = half_up(low + 1); i <= end; i++) {
        i = lattice_corner(l, (int)i, j);
        if (i <= end)
            see_corner(s, (int)i, j);
    }
}

/* A cone crosses the free run first … last of row y, from k doubled rows off
 * the root to k + 2, and leaves by the far line unless every cell it touches
 * is reached by so much shorter a way that none beyond can be reached through
 * here: any two points of a cell are √2 apart at most. */
static void cross_run(struct sweep *s, struct cone cone, int first, int last,
                      int y, int64_t k)
{
    const int64_t low = 2 * (int64_t)first - 1, high = 2 * (int64_t)last + 1;
    int64_t from = most(low, floor_at(s, cone.left, k + 1));
    int64_t to = least(high, ceiling_at(s, cone.right, k + 1));
    int64_t seen_from = half_up(most(low, ceiling_at(s, cone.left, k + 1)));
    int64_t seen_to = half_down(least(high, floor_at(s, cone.right, k + 1)));
    int64_t far_low = most(low, ceiling_at(s, cone.left, k + 2));
    int64_t far_high = least(high, floor_at(s, cone.right, k + 2));
    bool alive = false;

    /* Cells touched anywhere in the row: from the rays' outermost points. */
    from = most(low, least(from, least(floor_at(s, cone.left, k),
                                       floor_at(s, cone.left, k + 2))));
    to = least(high, most(to, most(ceiling_at(s, cone.right, k),
                                   ceiling_at(s, cone.right, k + 2))));
    int64_t end = least(last, half_up(to));
    for (int64_t x = most(first, half_down(from)); x <= end; x++) {
        bool seen = x >= seen_from && x <= seen_to;
        double late = see_cell(s, (int)x, y, seen);
        alive |= !(late > EXACT_REACH + M_SQRT2 + same_length);
    }
    see_line(s, s->sign > 0 ? y + 1 : y, far_low, far_high);

    struct ray west = { low - s->rx, s->sign * (k + 2) };
    struct ray east = { high - s->rx, s->sign * (k + 2) };
    if (left_of(s, cone.left, west))
        cone.left = west;
    if (left_of(s, east, cone.right))
        cone.right = east;
    if (alive && left_of(s, cone.left, cone.right))
        s->out[s->out_count++] = cone;
}

/* A cone stands on the line before row y: it enters each free run that the
 * interval between its rays overlaps. */
static void enter_row(struct sweep *s, struct cone cone, int y, int64_t k)
{
    const struct lattice *l = &s->exact->lattice;
    int64_t x = half_down(floor_at(s, cone.left, k) + 1);
    int64_t end = half_up(ceiling_at(s, cone.right, k) - 1);
    while (x <= end) {
        size_t at = lattice_cell(l, (int)x, y);
        int first = l->first[at], last = l->last[at];
        x = last + 1;
        if (l->wall[at])
            continue;
        struct ray west = { 2 * (int64_t)first - 1 - s->rx, s->sign * k };
        struct ray east = { 2 * (int64_t)last + 1 - s->rx, s->sign * k };
        struct cone part = cone;
        if (left_of(s, part.left, west))
            part.left = west;
        if (left_of(s, east, part.right))
            part.right = east;
        if (left_of(s, part.left, part.right))
            cross_run(s, part, first, last, y, k);
    }
}

/* The cones in `out` stand k doubled rows off the root, before row y. */
static void sweep_rows(struct sweep *s, int y, int64_t k)
{
    struct exact *e = s->exact;
    for (; s->out_count > 0; y += s->sign, k += 2) {
        struct cone *cones = s->out;
        int count = s->out_count;
        s->out = cones == e->now ? e->later : e->now;
        s->out_count = 0;
        for (int i = 0; i < count; i++)
            enter_row(s, cones[i], y, k);
    }
}

void exact_expand_source(struct exact *e)
{
    struct sweep s = { .exact = e,
                       .root = SOURCE,
                       .rx = 2 * (int64_t)e->source_x,
                       .ry = 2 * (int64_t)e->source_y };
    size_t at = lattice_cell(&e->lattice, e->source_x, e->source_y);
    int64_t low = 2 * (int64_t)e->lattice.first[at] - 1;
    int64_t high = 2 * (int64_t)e->lattice.last[at] + 1;
    for (int x = e->lattice.first[at]; x <= e->lattice.last[at]; x++)
        see_cell(&s, x, e->source_y, true);
    for (s.sign = -1; s.sign <= 1; s.sign += 2) {
        see_line(&s, e->source_y + (s.sign > 0), low, high);
        s.out = e->now;
        s.out_count = 1;
        s.out[0] =
            (struct cone){ { low - s.rx, s.sign }, { high - s.rx, s.sign } };
        sweep_rows(&s, e->source_y + s.sign, 1);
    }
}

/* How a taut string that comes to a corner goes on. Its wall lies to
 * (wall_x, wall_y). A string that comes over one side of the wall, away from
 * it, and not yet along the other, bends round towards the other side: what is
 * seen lies between the string's own direction u and that side. Any other
 * string does not bend here: false. */
static bool bend(const struct exact *e, int32_t point, struct sweep *s,
                 struct cone *cone)
{
    int quadrant = e->lattice.quadrant[point] - 1;
    int wall_x = quadrant & 1 ? 1 : -1, wall_y = quadrant & 2 ? 1 : -1;
    int64_t at[2], from[2];
    place_of(e, point, at);
    place_of(e, e->corners[point].parent, from);
    struct ray u = { at[0] - from[0], at[1] - from[1] }, side;
    int64_t along_x = u.dx * wall_x, along_y = u.dy * wall_y;
    if (along_x < 0 && along_y >= 0) {
        side = (struct ray){ 0, wall_y };
        s->sign = wall_y;
    } else if (along_x >= 0 && along_y < 0) {
        side = (struct ray){ wall_x, 0 };
        s->sign = -wall_y;
    } else {
        return false;
    }
    s->rx = at[0];
    s->ry = at[1];
    *cone = wall_x > 0 ? (struct cone){ u, side } : (struct cone){ side, u };
    return true;
}

void exact_expand_corner(struct exact *e, int32_t point)
{
    const struct lattice *l = &e->lattice;
    struct sweep s = { .exact = e,
                       .root = point,
                       .distance = e->corners[point].distance,
                       .out = e->now };
    struct cone cone;
    if (!bend(e, point, &s, &cone))
        return;
    e->expansions++;
    int j = (int)((s.ry + 1) / 2), y = s.sign > 0 ? j : j - 1;
    bool west = cone.left.dx < 0;
    int x = (int)((s.rx + 1) / 2) - west; /* the cell beside the corner */
    size_t at = lattice_cell(l, x, y);
    int64_t low = 2 * (int64_t)l->first[at] - 1;
    int64_t high = 2 * (int64_t)l->last[at] + 1;
    if (cone.left.dy == 0)
        see_line(&s, j, low, s.rx - 2);
    if (cone.right.dy == 0)
        see_line(&s, j, s.rx + 2, high);
    cross_run(&s, cone, l->first[at], l->last[at], y, 0);
    sweep_rows(&s, y + s.sign, 2);
}
