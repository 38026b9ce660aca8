/* SPDX-License-Identifier: MIT */
/* Exact paths: a heap of corners by distance, the sweep over all that one root
 * sees, and the entry of the table of searches. A root is the source or a
 * corner.
 *
 * The sweep goes row by row. A cone is the part of the plane between two rays
 * from the root. In each row it is cut to the free runs that it enters, and
 * walls divide it. Rays have whole-number directions, so whether a cell is seen
 * is decided exactly. */
#include "search/exact.h"

#include "base/memory.h"
#include "search/search.h"
#include "search/sight.h"

#include <math.h>
#include <string.h>

/* ---- the lattice: the walls as exact paths see them ---- */

/* Runs of equal cells along each row, and corners on the lines between the
 * rows. Coordinates are doubled, so that all are integers: the centre of the
 * cell (x, y) is (2x, 2y), and the lattice point (i, j), the north-west corner
 * of the cell (i, j), is (2i − 1, 2j − 1). */
struct lattice {
    int nx, ny;     /* cells; points run over 0 … nx and 0 … ny */
    uint8_t *wall;  /* (ny + 2, nx + 2): a border of walls round the cells */
    int32_t *first; /* like wall: the first cell of the run that contains this
                     * cell */
    int32_t *last;  /* … and the last; −1 … nx */
    /* (ny + 1, nx + 2): the next corner on the line at or after this point, nx
     * + 1 if there is none. */
    int32_t *corner;
    uint8_t *quadrant; /* (ny + 1, nx + 1): the position of a corner's wall, 1 +
                        * 1 for east + 2 for south; 0 no corner */
};

/* The index of the cell (x, y), −1 … nx and −1 … ny, in wall and runs. */
static size_t lattice_cell(const struct lattice *l, int x, int y)
{
    return (size_t)(y + 1) * ((size_t)l->nx + 2) + (size_t)(x + 1);
}

static size_t lattice_points(const struct lattice *l)
{
    return ((size_t)l->nx + 1) * ((size_t)l->ny + 1);
}

static int32_t lattice_point(const struct lattice *l, int i, int j)
{
    return j * (l->nx + 1) + i;
}

/* The first corner on line j at or after point i; nx + 1: none. */
static int lattice_corner(const struct lattice *l, int i, int j)
{
    return l->corner[(size_t)j * ((size_t)l->nx + 2) + (size_t)i];
}

static size_t bordered(const struct lattice *l)
{
    return ((size_t)l->nx + 2) * ((size_t)l->ny + 2);
}

static size_t line_slots(const struct lattice *l)
{
    return ((size_t)l->nx + 2) * ((size_t)l->ny + 1);
}

static void lattice_release(struct lattice *l)
{
    memory_release(l->wall);
    memory_release(l->first);
    memory_release(l->last);
    memory_release(l->corner);
    memory_release(l->quadrant);
    *l = (struct lattice){ 0 };
}

static enum status lattice_init(struct lattice *l, const struct grid *grid,
                                struct error *error)
{
    *l = (struct lattice){ .nx = grid->nx, .ny = grid->ny };
    l->wall = memory_new(bordered(l), sizeof *l->wall);
    l->first = memory_new(bordered(l), sizeof *l->first);
    l->last = memory_new(bordered(l), sizeof *l->last);
    l->corner = memory_new(line_slots(l), sizeof *l->corner);
    l->quadrant = memory_new(lattice_points(l), sizeof *l->quadrant);
    if (l->wall && l->first && l->last && l->corner && l->quadrant)
        return STATUS_OK;
    lattice_release(l);
    return error_memory(error);
}

static size_t lattice_memory(const struct lattice *l)
{
    return bordered(l) *
               (sizeof *l->wall + sizeof *l->first + sizeof *l->last) +
           line_slots(l) * sizeof *l->corner +
           lattice_points(l) * sizeof *l->quadrant;
}

static void find_runs(struct lattice *l)
{
    for (int y = -1; y <= l->ny; y++) {
        const uint8_t *wall = l->wall + lattice_cell(l, 0, y);
        int32_t *first = l->first + lattice_cell(l, 0, y);
        int32_t *last = l->last + lattice_cell(l, 0, y);
        first[-1] = -1;
        for (int x = 0; x <= l->nx; x++)
            first[x] = wall[x] == wall[x - 1] ? first[x - 1] : x;
        last[l->nx] = l->nx;
        for (int x = l->nx - 1; x >= -1; x--)
            last[x] = wall[x] == wall[x + 1] ? last[x + 1] : x;
    }
}

static void find_corners(struct lattice *l)
{
    for (int j = 0; j <= l->ny; j++) {
        int32_t *line = l->corner + (size_t)j * ((size_t)l->nx + 2);
        line[l->nx + 1] = l->nx + 1;
        for (int i = l->nx; i >= 0; i--) {
            int nw = l->wall[lattice_cell(l, i - 1, j - 1)];
            int ne = l->wall[lattice_cell(l, i, j - 1)];
            int sw = l->wall[lattice_cell(l, i - 1, j)];
            int se = l->wall[lattice_cell(l, i, j)];
            bool corner = nw + ne + sw + se == 1;
            l->quadrant[lattice_point(l, i, j)] =
                corner ? (uint8_t)(1 + ne + 2 * sw + 3 * se) : 0;
            line[i] = corner ? i : line[i + 1];
        }
    }
}

static void lattice_update(struct lattice *l, const struct terrain *terrain)
{
    memset(l->wall, 1, bordered(l));
    for (int y = 0; y < l->ny; y++)
        for (int x = 0; x < l->nx; x++)
            l->wall[lattice_cell(l, x, y)] =
                terrain->wall[grid_index(&terrain->grid, x, y, 0)] != 0;
    find_runs(l);
    find_corners(l);
}

/* ---- state of corners and cells ---- */

enum { NO_POINT = -2, SOURCE = -1 };

/* A direction from the root of a sweep, in doubled coordinates. */
struct ray {
    int64_t dx, dy;
};

/* The part of a row that is seen: the points between two rays. */
struct cone {
    struct ray left, right;
};

struct corner_state {
    double distance; /* to the source; INFINITY: not seen yet */
    int32_t parent;  /* the corner (a lattice point) before it, or SOURCE */
    int32_t place;   /* index in the heap, 0: not in it */
};

struct cell_state {
    double distance, second;
    int32_t next, second_next; /* a lattice point, SOURCE or NO_POINT */
};

struct exact {
    struct grid grid;
    struct lattice lattice;
    struct corner_state *corners; /* (ny + 1, nx + 1) */
    struct cell_state *cells;     /* (ny, nx) */
    int32_t *heap;                /* lattice points by distance, from 1 */
    int32_t heap_count;
    struct cone *now, *later; /* of two lines, nx + 2 each */
    int source_x, source_y;   /* cells */
    size_t expansions;
};

/* The doubled position of a root. */
static void place_of(const struct exact *e, int32_t root, int64_t at[2])
{
    int points = e->lattice.nx + 1;
    at[0] = root == SOURCE ? 2 * (int64_t)e->source_x
                           : 2 * (int64_t)(root % points) - 1;
    at[1] = root == SOURCE ? 2 * (int64_t)e->source_y
                           : 2 * (int64_t)(root / points) - 1;
}

/* ---- the heap of corners ---- */

static void heap_set(struct exact *e, int32_t place, int32_t point)
{
    e->heap[place] = point;
    e->corners[point].place = place;
}

static void heap_rise(struct exact *e, int32_t point)
{
    int32_t at = e->corners[point].place;
    double distance = e->corners[point].distance;
    for (; at > 1 && e->corners[e->heap[at / 2]].distance > distance; at /= 2)
        heap_set(e, at, e->heap[at / 2]);
    heap_set(e, at, point);
}

/* The distance of a corner became shorter: puts it into the heap, or moves it
 * up. */
static void queue_corner(struct exact *e, int32_t point)
{
    if (e->corners[point].place == 0)
        e->corners[point].place = ++e->heap_count;
    heap_rise(e, point);
}

static int32_t heap_take(struct exact *e)
{
    int32_t top = e->heap[1], moved = e->heap[e->heap_count--];
    int32_t at = 1, below;
    double distance = e->corners[moved].distance;
    e->corners[top].place = 0;
    if (top == moved)
        return top;
    while ((below = 2 * at) <= e->heap_count) {
        if (below < e->heap_count && e->corners[e->heap[below + 1]].distance <
                                         e->corners[e->heap[below]].distance)
            below++;
        if (e->corners[e->heap[below]].distance >= distance)
            break;
        heap_set(e, at, e->heap[below]);
        at = below;
    }
    heap_set(e, at, moved);
    return top;
}

/* ---- the sweep ---- */

/* Lengths that differ by less are the same path with different rounding. */
static const double same_length = 1e-9;

/* One sweep, away from the root along y. */
struct sweep {
    struct exact *exact;
    int32_t root;     /* lattice point, or SOURCE */
    int64_t rx, ry;   /* its doubled position */
    double distance;  /* the root's own */
    int sign;         /* −1 north, 1 south */
    struct cone *out; /* the cones that continue into the next row */
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
    queue_corner(e, point);
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

/* The floor and the ceiling of the doubled x of a ray, `k` doubled rows from
 * the root. A horizontal ray never reaches it: INT32_MIN or INT32_MAX. */
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

/* Is a to the left of b? Both point away from the root to the same side. */
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
 * the root to k + 2. It continues over the far line unless every cell it
 * touches already has such a shorter path that no cell beyond can be improved
 * through here: any two points of a cell are at most √2 apart. */
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

    /* Cells touched anywhere in the row: between the rays' outermost points. */
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

/* A cone on the line before row y enters each free run that the interval
 * between its rays overlaps. */
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

/* The cones in `out` are k doubled rows off the root, before row y. */
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

/* Lowers the distances of all cells and corners that the source sees, and
 * queues the corners. */
static void expand_source(struct exact *e)
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

/* How a taut string that reaches a corner continues. The wall is in the
 * direction (wall_x, wall_y). A string that passes one side of the wall, moving
 * away from it, and not yet along the other, may bend towards the other side:
 * the visible part is between the string's direction u and that side. Any other
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

/* The same for all that a taut string round the corner `point` can reach. */
static void expand_corner(struct exact *e, int32_t point)
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
    int x = (int)((s.rx + 1) / 2) - west; /* the cell adjacent to the corner */
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

/* ---- solving and queries ---- */

static void forget(struct exact *e)
{
    size_t cells = grid_cells(&e->grid), points = lattice_points(&e->lattice);
    for (size_t i = 0; i < cells; i++)
        e->cells[i] =
            (struct cell_state){ INFINITY, INFINITY, NO_POINT, NO_POINT };
    for (size_t i = 0; i < points; i++)
        e->corners[i] = (struct corner_state){ INFINITY, NO_POINT, 0 };
    e->heap_count = 0;
    e->expansions = 0;
}

bool exact_solve(struct exact *e, size_t source)
{
    int at[GRID_AXES];
    forget(e);
    if (source >= grid_cells(&e->grid))
        return false;
    grid_cell(&e->grid, source, at);
    if (e->lattice.wall[lattice_cell(&e->lattice, at[0], at[1])])
        return false;
    e->source_x = at[0];
    e->source_y = at[1];
    expand_source(e);
    while (e->heap_count > 0)
        expand_corner(e, heap_take(e));
    return true;
}

double exact_distance(const struct exact *e, size_t cell)
{
    return e->cells[cell].distance;
}

/* (x, y) of a root, in cells. */
static void point_of(const struct exact *e, int32_t root, double point[2])
{
    int64_t at[2];
    place_of(e, root, at);
    point[0] = 0.5 * (double)at[0];
    point[1] = 0.5 * (double)at[1];
}

bool exact_next(const struct exact *e, size_t cell, double next[2])
{
    const struct cell_state *state = &e->cells[cell];
    if (state->next == NO_POINT || state->distance == 0)
        return false;
    point_of(e, state->next, next);
    return true;
}

/* Replaces a turn of a shortest path by the next one; at the source false, and
 * unchanged. */
static bool beyond(const struct exact *e, double turn[2])
{
    if (turn[0] == e->source_x && turn[1] == e->source_y)
        return false;
    int32_t point =
        lattice_point(&e->lattice, (int)(turn[0] + 0.5), (int)(turn[1] + 0.5));
    point_of(e, e->corners[point].parent, turn);
    return true;
}

bool exact_near_corner(const struct exact *e, size_t cell, double radius)
{
    const struct cell_state *state = &e->cells[cell];
    if (state->next < 0)
        return false;
    return state->distance - e->corners[state->next].distance <= radius;
}

bool exact_on_cut(const struct exact *e, size_t cell, double tolerance)
{
    const struct cell_state *state = &e->cells[cell];
    if (state->second_next == NO_POINT ||
        state->second > state->distance + tolerance)
        return false;
    int at[GRID_AXES];
    int64_t one[2], two[2];
    grid_cell(&e->grid, cell, at);
    place_of(e, state->next, one);
    place_of(e, state->second_next, two);
    for (int axis = 0; axis < 2; axis++) {
        one[axis] -= 2 * (int64_t)at[axis];
        two[axis] -= 2 * (int64_t)at[axis];
    }
    /* Two corners on one line of sight give one heading. */
    return one[0] * two[1] != one[1] * two[0] ||
           one[0] * two[0] + one[1] * two[1] < 0;
}

size_t exact_path(const struct exact *e, size_t cell, double (*points)[2],
                  size_t most_points)
{
    int at[GRID_AXES];
    if (e->cells[cell].next == NO_POINT)
        return 0;
    grid_cell(&e->grid, cell, at);
    double point[2] = { at[0], at[1] };
    size_t count = 0;
    bool more = true;
    while (more) {
        if (points && count < most_points)
            memcpy(points[count], point, sizeof point);
        more = count++ ? beyond(e, point) : exact_next(e, cell, point);
    }
    return count;
}

static size_t memory_of(const struct exact *e)
{
    size_t cones = 2 * ((size_t)e->grid.nx + 2) * sizeof *e->now;
    return sizeof *e + lattice_memory(&e->lattice) + cones +
           lattice_points(&e->lattice) *
               (sizeof *e->corners + sizeof *e->heap) +
           grid_cells(&e->grid) * sizeof *e->cells;
}

/* Copies the walls of a terrain of the same extents; earlier solutions become
 * invalid. */
static void update(struct exact *e, const struct terrain *terrain)
{
    lattice_update(&e->lattice, terrain);
    forget(e);
}

enum status exact_new(const struct terrain *terrain, struct exact **exact,
                      struct error *error)
{
    const struct grid *grid = &terrain->grid;
    if (grid->dims != 2)
        return error_set(error, STATUS_INPUT,
                         "exact shortest paths are for maps of 2 axes, not %d: "
                         "in 3D use fast-marching-fine",
                         grid->dims);
    struct exact *e = memory_new(1, sizeof *e);
    if (!e)
        return error_memory(error);
    e->grid = *grid;
    enum status status = lattice_init(&e->lattice, grid, error);
    if (!status) {
        size_t points = lattice_points(&e->lattice);
        e->corners = memory_new(points, sizeof *e->corners);
        e->heap = memory_new(points + 1, sizeof *e->heap);
        e->cells = memory_new(grid_cells(grid), sizeof *e->cells);
        e->now = memory_new((size_t)grid->nx + 2, sizeof *e->now);
        e->later = memory_new((size_t)grid->nx + 2, sizeof *e->later);
        if (!e->corners || !e->heap || !e->cells || !e->now || !e->later)
            status = error_memory(error);
    }
    if (status) {
        exact_release(e);
        return status;
    }
    update(e, terrain);
    *exact = e;
    return STATUS_OK;
}

void exact_release(struct exact *e)
{
    if (!e)
        return;
    lattice_release(&e->lattice);
    memory_release(e->corners);
    memory_release(e->heap);
    memory_release(e->cells);
    memory_release(e->now);
    memory_release(e->later);
    memory_release(e);
}

/* ---- the entry of the table of searches ---- */

static enum status row_prepare(struct search_workspace *w, struct error *error)
{
    struct exact *exact = NULL;
    enum status status = exact_new(w->terrain, &exact, error);
    w->state = exact;
    if (!status)
        w->memory += memory_of(exact);
    return status;
}

static void row_release(struct search_workspace *w)
{
    exact_release(w->state);
}

/* Adds the cells from `at` to `next`; the first of them only once. */
static void lay_piece(struct search_workspace *w, const double at[GRID_AXES],
                      const double next[GRID_AXES])
{
    size_t room = grid_cells(&w->terrain->grid) - w->path_count;
    int32_t *cells = w->path + w->path_count;
    size_t count = search_line_cells(w->terrain, at, next, cells, room);
    count = count < room ? count : room;
    if (w->path_count > 0 && count > 0 && cells[-1] == cells[0])
        memmove(cells, cells + 1, --count * sizeof *cells);
    w->path_count += count;
}

static void lay_path(struct search_workspace *w, size_t from)
{
    const struct exact *exact = w->state;
    int cell[GRID_AXES];
    grid_cell(&w->terrain->grid, from, cell);
    double at[GRID_AXES] = { cell[0], cell[1], 0 };
    double next[GRID_AXES] = { cell[0], cell[1], 0 };
    bool more = exact_next(exact, from, next);
    lay_piece(w, at, next);
    while (more) {
        memcpy(at, next, sizeof at);
        more = beyond(exact, next);
        if (more)
            lay_piece(w, at, next);
    }
}

/* Solved from the query's end, so that turns are in order from its start; a
 * whole field from its start. */
static bool row_run(struct search_workspace *w,
                    const struct search_query *query,
                    struct search_result *result)
{
    struct exact *exact = w->state;
    bool all = query->to == SEARCH_EVERYWHERE;
    exact_solve(exact, all ? query->from : query->to);
    result->expansions = exact->expansions;
    result->cost = exact_distance(exact, query->from);
    if (all || !isfinite(result->cost))
        return all;
    result->length = result->cost;
    lay_path(w, query->from);
    return true;
}

static double row_distance(const struct search_workspace *w, size_t cell)
{
    return exact_distance(w->state, cell);
}

static enum status row_changed(struct search_workspace *w,
                               const struct box *box, struct error *error)
{
    update(w->state, w->terrain);
    return STATUS_OK;
}

const struct search search_exact = {
    .name = "exact",
    .prepare = row_prepare,
    .release = row_release,
    .run = row_run,
    .distance = row_distance,
    .changed = row_changed,
};
