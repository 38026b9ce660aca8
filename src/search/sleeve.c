/* SPDX-License-Identifier: MIT */
#include "search/sleeve.h"

#include "base/memory.h"
#include "search/sight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 4,    /* cells on each side of a change, to measure its gain */
    ROUND = 4,     /* cells round an edge */
    CORNER = 8,    /* cells round a corner in 3D */
    LOOP = 12,     /* cells within which a loop is searched */
    IDLE_MOST = 5, /* rounds of changes without gain */
};

/* Of crossings_solve, for the first and the last solutions. */
static const double rough = 1e-7, fine = 1e-12;
/* Times whose relative difference is smaller are taken for those of one
 * path. */
static const double same_time = 1e-6;

/* A path that is this near to a corner of eight cells is taken to pass through
 * it. */
static const double corner_width = 1e-4;

/* Smaller gains are rounding. */
static double gain_least(const struct sleeve *s)
{
    return 100 * s->precision;
}

double sleeve_slowness(const struct terrain *terrain, int32_t cell)
{
    return terrain->speed ? 1 / terrain->speed[cell] : 1;
}

void sleeve_init(struct sleeve *sleeve, const struct terrain *terrain)
{
    *sleeve = (struct sleeve){ .terrain = terrain, .precision = fine };
    crossings_init(&sleeve->path, terrain->grid.dims);
    crossings_init(&sleeve->trial, terrain->grid.dims);
}

void sleeve_release(struct sleeve *sleeve)
{
    memory_release(sleeve->cells);
    memory_release(sleeve->spare);
    crossings_release(&sleeve->path);
    crossings_release(&sleeve->trial);
}

void sleeve_clear(struct sleeve *sleeve)
{
    sleeve->count = 0;
}

enum status sleeve_add(struct sleeve *sleeve, int32_t cell, struct error *error)
{
    if (sleeve->count && sleeve->cells[sleeve->count - 1] == cell)
        return STATUS_OK;
    int32_t *cells =
        memory_more(sleeve->cells, sleeve->count, &sleeve->room, sizeof *cells);
    if (!cells)
        return error_memory(error);
    sleeve->cells = cells;
    sleeve->cells[sleeve->count++] = cell;
    return STATUS_OK;
}

/* ---- the path in a sleeve ---- */

/* The face between two cells. */
static struct face face_between(const struct grid *grid, int32_t a, int32_t b)
{
    int from[GRID_AXES], to[GRID_AXES];
    struct face face = { 0 };
    grid_cell(grid, (size_t)a, from);
    grid_cell(grid, (size_t)b, to);
    for (int axis = 0; axis < GRID_AXES && axis < grid_axes(grid); axis++) {
        if (from[axis] != to[axis])
            face.axis = axis;
        face.base[axis] = (from[axis] > to[axis] ? from[axis] : to[axis]) - 0.5;
    }
    return face;
}

static enum status solve(const struct sleeve *s, struct crossings *c,
                         const int32_t *cells, size_t count,
                         const double start[GRID_AXES],
                         const double end[GRID_AXES], struct error *error)
{
    enum status status = crossings_resize(c, count - 1, error);
    if (status)
        return status;
    memcpy(c->start, start, sizeof c->start);
    memcpy(c->end, end, sizeof c->end);
    for (size_t i = 0; i < count; i++)
        c->slowness[i] = sleeve_slowness(s->terrain, cells[i]);
    for (size_t i = 0; i + 1 < count; i++)
        c->faces[i] = face_between(&s->terrain->grid, cells[i], cells[i + 1]);
    crossings_solve(c, s->precision);
    return STATUS_OK;
}

enum status sleeve_solve(struct sleeve *s, struct error *error)
{
    return solve(s, &s->path, s->cells, s->count, s->start, s->end, error);
}

/* The points at which the path enters and leaves cell i. */
static const double *entry(const struct sleeve *s, size_t i)
{
    return i ? s->path.points[i - 1].at : s->start;
}

static const double *leave(const struct sleeve *s, size_t i)
{
    return i + 1 < s->count ? s->path.points[i].at : s->end;
}

static double length_of(const double a[GRID_AXES], const double b[GRID_AXES])
{
    double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    return sqrt(x * x + y * y + z * z);
}

/* The time from the entry of cell `first` to the exit of cell `last`. */
static double part_time(const struct sleeve *s, size_t first, size_t last)
{
    double time = 0;
    for (size_t i = first; i <= last; i++)
        time += s->path.slowness[i] * length_of(entry(s, i), leave(s, i));
    return time;
}

/* ---- loops ---- */

static void cut(struct sleeve *s, size_t first, size_t last)
{
    memmove(s->cells + first, s->cells + last,
            (s->count - last) * sizeof *s->cells);
    s->count -= last - first;
}

/* Removes, before the path is known, detours that never help: into a cell that
 * is not faster and back, and out of one of two cells and into it again. */
static void clean(struct sleeve *s)
{
    for (size_t i = 0; i + 2 < s->count; i++) {
        const int32_t *at = s->cells + i;
        bool back = at[0] == at[2];
        bool slower = back && sleeve_slowness(s->terrain, at[1]) >=
                                  sleeve_slowness(s->terrain, at[0]);
        bool twice = back && i + 3 < s->count && at[1] == at[3];
        if (!slower && !twice)
            continue;
        cut(s, i, i + 2);
        i = i < 4 ? (size_t)-1 : i - 4;
    }
}

/* Removes each loop from a cell back to itself that is not shorter than the
 * straight path; true if there was one. */
static bool cut_loops(struct sleeve *s)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = i + 2; j < s->count && j <= i + LOOP; j++) {
            if (s->cells[i] != s->cells[j])
                continue;
            double straight =
                s->path.slowness[i] * length_of(entry(s, i), leave(s, j));
            if (straight <= part_time(s, i, j) + gain_least(s) / 100) {
                cut(s, i, j);
                return true;
            }
        }
    return false;
}

/* ---- straight connections ---- */

static enum status grow_spare(struct sleeve *s, size_t count,
                              struct error *error)
{
    if (count <= s->spare_room)
        return STATUS_OK;
    memory_release(s->spare);
    s->spare_room = 2 * count;
    s->spare = memory_new(s->spare_room, sizeof *s->spare);
    if (s->spare)
        return STATUS_OK;
    s->spare_room = 0;
    return error_memory(error);
}

/* Steps along axes through free cells from `at` to `to`, which differ by 1 at
 * most on each axis; adds the cells. False, and none is added, if walls block
 * it. */
static bool connect(struct sleeve *s, const int at[GRID_AXES],
                    const int to[GRID_AXES], enum status *status,
                    struct error *error)
{
    const struct grid *grid = &s->terrain->grid;
    size_t count = s->count;
    if (memcmp(at, to, GRID_AXES * sizeof *at) == 0)
        return true;
    for (int axis = 0; axis < GRID_AXES && axis < grid_axes(grid); axis++) {
        int next[GRID_AXES] = { at[0], at[1], at[2] };
        next[axis] = to[axis];
        size_t cell = grid_index(grid, next[0], next[1], next[2]);
        if (next[axis] == at[axis] || abs(to[axis] - at[axis]) > 1 ||
            s->terrain->wall[cell])
            continue;
        *status = sleeve_add(s, (int32_t)cell, error);
        if (*status || connect(s, next, to, status, error))
            return true;
        s->count = count;
    }
    return false;
}

/* Adds a cell that may touch the last one only at a corner or edge, and the
 * cells between. */
static bool connect_to(struct sleeve *s, int32_t cell, enum status *status,
                       struct error *error)
{
    int at[GRID_AXES], to[GRID_AXES];
    grid_cell(&s->terrain->grid, (size_t)s->cells[s->count - 1], at);
    grid_cell(&s->terrain->grid, (size_t)cell, to);
    return connect(s, at, to, status, error);
}

enum status sleeve_add_line(struct sleeve *s, const double a[GRID_AXES],
                            const double b[GRID_AXES], int32_t first,
                            int32_t last, bool *clear, struct error *error)
{
    size_t kept = s->count, room = 4, count = 0;
    enum status status = sleeve_add(s, first, error);
    for (int axis = 0; axis < grid_axes(&s->terrain->grid); axis++)
        room += (size_t)fabs(b[axis] - a[axis]) + 2;
    if (!status)
        status = grow_spare(s, room, error);
    *clear = !status && search_in_sight(s->terrain, a, b);
    if (*clear)
        count = search_line_cells(s->terrain, a, b, s->spare, room);
    for (size_t i = 0; i < count && *clear && !status; i++)
        *clear = connect_to(s, s->spare[i], &status, error);
    if (*clear && !status && last >= 0)
        *clear = connect_to(s, last, &status, error);
    if (!*clear)
        s->count = kept;
    return status;
}

/* Adds the cells straight from the entry of the old cell i to the exit of cell
 * j, if all have the speed of cell i. */
static enum status shortcut(struct sleeve *s, const struct sleeve *old,
                            size_t i, size_t j, bool *done, struct error *error)
{
    size_t kept = s->count;
    double slowness = old->path.slowness[i];
    enum status status =
        sleeve_add_line(s, entry(old, i), leave(old, j), old->cells[i],
                        old->cells[j], done, error);
    for (size_t k = kept; k < s->count && *done; k++)
        *done = sleeve_slowness(s->terrain, s->cells[k]) == slowness;
    if (!*done)
        s->count = kept;
    return status;
}

/* Replaces parts of the sleeve by straight ones, if the path sees a later point
 * of itself and the cells between have one speed. */
static enum status straighten(struct sleeve *s, struct error *error)
{
    struct sleeve old = *s;
    enum status status = STATUS_OK;
    s->cells = NULL;
    s->count = s->room = 0;
    for (size_t i = 0; i < old.count && !status;) {
        double slowness = old.path.slowness[i];
        size_t j = i;
        bool done = false;
        while (j + 1 < old.count && old.path.slowness[j + 1] == slowness)
            j++;
        for (; j > i && !done && !status; j = done ? j : i + (j - i) / 2)
            status = shortcut(s, &old, i, j, &done, error);
        if (!done && !status)
            status = sleeve_add(s, old.cells[i], error);
        i = j + 1;
    }
    memory_release(old.cells);
    return status;
}

/* ---- round an edge ---- */

/* An edge of four cells, at which the planes before the cells line[0] and
 * line[1] on two axes meet; place: the four cells' coordinate on the third. */
struct edge {
    int axis[2], line[2];
    int third, place;
};

/* A part of the sleeve, cells[first] … cells[last], that turns round an edge,
 * and the replacement cells that turn in the other direction. */
struct change {
    size_t first, last;
    int32_t cells[CORNER];
    size_t count;
    bool pulled; /* the path is pulled over the edge */
};

/* The cell's position round the edge, 0 … 3; −1: it is none of the four. */
static int place_round(const struct sleeve *s, const struct edge *edge,
                       int32_t cell)
{
    static const int places[2][2] = { { 0, 3 }, { 1, 2 } };
    int at[GRID_AXES];
    grid_cell(&s->terrain->grid, (size_t)cell, at);
    int a = at[edge->axis[0]] - edge->line[0] + 1;
    int b = at[edge->axis[1]] - edge->line[1] + 1;
    if (a < 0 || a > 1 || b < 0 || b > 1 || at[edge->third] != edge->place)
        return -1;
    return places[a][b];
}

/* The free cell at a position round the edge, or −1. */
static int32_t cell_round(const struct sleeve *s, const struct edge *edge,
                          int place)
{
    const struct grid *grid = &s->terrain->grid;
    int at[GRID_AXES];
    at[edge->third] = edge->place;
    at[edge->axis[0]] = edge->line[0] - (place == 0 || place == 3);
    at[edge->axis[1]] = edge->line[1] - (place == 0 || place == 1);
    if (!grid_holds(grid, at[0], at[1], at[2]))
        return -1;
    size_t cell = grid_index(grid, at[0], at[1], at[2]);
    return s->terrain->wall[cell] ? -1 : (int32_t)cell;
}

static bool on_edge(const struct edge *edge, const double at[GRID_AXES])
{
    return at[edge->axis[0]] == edge->line[0] - 0.5 &&
           at[edge->axis[1]] == edge->line[1] - 0.5;
}

/* The edge at the low (0) or high (1) border of face i on an axis. */
static struct edge edge_at(const struct sleeve *s, size_t i, int axis, int side)
{
    int a[GRID_AXES], b[GRID_AXES];
    int across = s->path.faces[i].axis;
    grid_cell(&s->terrain->grid, (size_t)s->cells[i], a);
    grid_cell(&s->terrain->grid, (size_t)s->cells[i + 1], b);
    struct edge edge = { .axis = { across, axis }, .third = 3 - across - axis };
    edge.line[0] = a[across] > b[across] ? a[across] : b[across];
    edge.line[1] = a[axis] + side;
    edge.place = a[edge.third];
    return edge;
}

/* Is point i, which is on the edge, pulled over it? */
static bool pulled_over(const struct sleeve *s, size_t i,
                        const struct edge *edge)
{
    const struct crossing *point = &s->path.points[i];
    for (int k = 0; k < 2; k++) {
        int axis = edge->axis[k];
        if (axis != s->path.faces[i].axis &&
            fabs(point->pull[axis]) > sqrt(s->precision) * s->path.slowness[i])
            return true;
    }
    return false;
}

/* The part of the sleeve round point i that turns round the edge: with its
 * points on the edge, or with all cells of the edge that it has. */
static struct change part_round(const struct sleeve *s, size_t i,
                                const struct edge *edge, bool touching)
{
    struct change change = { .first = i, .last = i + 1 };
    while (change.first > 0 &&
           (!touching || on_edge(edge, entry(s, change.first))) &&
           place_round(s, edge, s->cells[change.first - 1]) >= 0)
        change.first--;
    while (change.last + 1 < s->count &&
           (!touching || on_edge(edge, leave(s, change.last))) &&
           place_round(s, edge, s->cells[change.last + 1]) >= 0)
        change.last++;
    for (size_t j = change.first; j < change.last; j++)
        change.pulled |= pulled_over(s, j, edge);
    return change;
}

/* Fills the cells of a change that turns in one direction (1 or −1) round the
 * edge; false if a wall blocks it, or the sleeve already turns so. */
static bool turn(const struct sleeve *s, const struct edge *edge, int way,
                 struct change *change)
{
    int from = place_round(s, edge, s->cells[change->first]);
    int to = place_round(s, edge, s->cells[change->last]);
    bool same = true;
    change->count = 0;
    if (from == to)
        return false;
    for (int at = (from + way + ROUND) % ROUND; at != to;
         at = (at + way + ROUND) % ROUND) {
        int32_t cell = cell_round(s, edge, at);
        if (cell < 0)
            return false;
        size_t old = change->first + 1 + change->count;
        same = same && old < change->last && s->cells[old] == cell;
        change->cells[change->count++] = cell;
    }
    return !same || change->count + 1 != change->last - change->first;
}

/* Can the change help if the path touches the edge? *alike: all its cells have
 * one speed. */
static bool promises(const struct sleeve *s, const struct change *change,
                     bool *alike)
{
    double quickest = INFINITY, other = INFINITY;
    double first = s->path.slowness[change->first];
    *alike = true;
    for (size_t i = change->first; i <= change->last; i++) {
        quickest = fmin(quickest, s->path.slowness[i]);
        *alike = *alike && s->path.slowness[i] == first;
    }
    for (size_t i = 0; i < change->count; i++) {
        double slowness = sleeve_slowness(s->terrain, change->cells[i]);
        other = fmin(other, slowness);
        *alike = *alike && slowness == first;
    }
    return change->pulled || other < quickest;
}

/* The gain of the change within a window round it. */
static enum status gain_of(struct sleeve *s, const struct change *change,
                           double *gain, struct error *error)
{
    int32_t cells[2 * (WINDOW + 1) + CORNER];
    size_t first = change->first > WINDOW ? change->first - WINDOW : 0;
    size_t last =
        change->last + WINDOW < s->count ? change->last + WINDOW : s->count - 1;
    size_t count = 0;
    for (size_t i = first; i <= change->first; i++)
        cells[count++] = s->cells[i];
    for (size_t i = 0; i < change->count; i++)
        cells[count++] = change->cells[i];
    for (size_t i = change->last; i <= last; i++)
        cells[count++] = s->cells[i];
    enum status status = solve(s, &s->trial, cells, count, entry(s, first),
                               leave(s, last), error);
    *gain = part_time(s, first, last) - s->trial.time;
    return status;
}

/* The best change so far, and its gain. */
struct choice {
    struct change change;
    double gain;
};

/* Measures the gain of the change and keeps the best. */
static enum status weigh(struct sleeve *s, const struct change *change,
                         struct choice *best, struct error *error)
{
    double gain;
    enum status status = gain_of(s, change, &gain, error);
    if (!status && gain > best->gain)
        *best = (struct choice){ *change, gain };
    return status;
}

/* If point i touches an edge: the change round its other side. At one speed its
 * gain need not be measured. */
static enum status turn_touched(struct sleeve *s, size_t i, struct choice *best,
                                struct error *error)
{
    enum status status = STATUS_OK;
    for (int axis = 0; axis < grid_axes(&s->terrain->grid); axis++) {
        int border = s->path.points[i].border[axis];
        if (!border)
            continue;
        struct edge edge = edge_at(s, i, axis, border > 0);
        struct change change = part_round(s, i, &edge, true);
        for (int way = -1; way <= 1 && !status; way += 2) {
            bool alike;
            if (!turn(s, &edge, way, &change) || !promises(s, &change, &alike))
                continue;
            if (!alike)
                status = weigh(s, &change, best, error);
            else if (best->gain <= gain_least(s))
                *best = (struct choice){ change, 2 * gain_least(s) };
        }
    }
    return status;
}

/* All edges of face i at which speeds differ, touched or not. */
static enum status turn_all(struct sleeve *s, size_t i, struct choice *best,
                            struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < 2 * grid_axes(&s->terrain->grid); k++) {
        if (k / 2 == s->path.faces[i].axis)
            continue;
        struct edge edge = edge_at(s, i, k / 2, k % 2);
        struct change change = part_round(s, i, &edge, false);
        for (int way = -1; way <= 1 && !status; way += 2) {
            bool alike;
            if (!turn(s, &edge, way, &change))
                continue;
            promises(s, &change, &alike);
            if (!alike)
                status = weigh(s, &change, best, error);
        }
    }
    return status;
}

/* ---- round a corner, in 3D ---- */

/* A point at which 8 cells meet: the cells before it are line − 1 on each
 * axis. */
struct corner {
    int line[GRID_AXES];
};

/* The cell's position, a bit for each axis; −1: it does not touch the
 * corner. */
static int place_at(const struct sleeve *s, const struct corner *corner,
                    int32_t cell)
{
    int at[GRID_AXES], place = 0;
    grid_cell(&s->terrain->grid, (size_t)cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int bit = at[axis] - corner->line[axis] + 1;
        if (bit < 0 || bit > 1)
            return -1;
        place |= bit << axis;
    }
    return place;
}

/* The free cell at a position, or −1. */
static int32_t cell_at(const struct sleeve *s, const struct corner *corner,
                       int place)
{
    const struct grid *grid = &s->terrain->grid;
    int at[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = corner->line[axis] - 1 + (place >> axis & 1);
    if (!grid_holds(grid, at[0], at[1], at[2]))
        return -1;
    size_t cell = grid_index(grid, at[0], at[1], at[2]);
    return s->terrain->wall[cell] ? -1 : (int32_t)cell;
}

/* All paths from a position to `to` that pass no position twice (`passed`:
 * bits). */
static enum status turn_on(struct sleeve *s, const struct corner *corner,
                           int place, int to, int passed, struct change *change,
                           struct choice *best, struct error *error)
{
    enum status status = STATUS_OK;
    for (int axis = 0; axis < GRID_AXES && !status; axis++) {
        int next = place ^ 1 << axis;
        int32_t cell = cell_at(s, corner, next);
        if (next == to) {
            status = weigh(s, change, best, error);
        } else if (cell >= 0 && !(passed >> next & 1)) {
            change->cells[change->count++] = cell;
            status = turn_on(s, corner, next, to, passed | 1 << next, change,
                             best, error);
            change->count--;
        }
    }
    return status;
}

static bool near_corner(const struct corner *corner, const double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (fabs(at[axis] - corner->line[axis] + 0.5) > corner_width)
            return false;
    return true;
}

/* If the path passes through a corner of 8 cells, first at point i: tries all
 * other paths round it. A diagonal path does so without a pull to the corner;
 * its points are near to it, but not on the borders of their faces. */
static enum status turn_corner(struct sleeve *s, size_t i, struct choice *best,
                               struct error *error)
{
    const double *at = s->path.points[i].at;
    struct change change = { .first = i, .last = i + 1 };
    struct corner corner;
    for (int axis = 0; axis < GRID_AXES; axis++)
        corner.line[axis] = (int)floor(at[axis] + 1);
    if (s->terrain->grid.dims < 3 || !near_corner(&corner, at) ||
        (i > 0 && near_corner(&corner, entry(s, i))))
        return STATUS_OK;
    while (change.last + 1 < s->count &&
           near_corner(&corner, leave(s, change.last)))
        change.last++;
    int from = place_at(s, &corner, s->cells[change.first]);
    int to = place_at(s, &corner, s->cells[change.last]);
    if (from < 0 || to < 0 || from == to)
        return STATUS_OK;
    return turn_on(s, &corner, from, to, 1 << from, &change, best, error);
}

/* Tries a visit from cell i to an adjacent faster cell and back; and, if the
 * path later returns to cell i, the removal of that loop. */
static enum status visit(struct sleeve *s, size_t i, struct choice *best,
                         struct error *error)
{
    const struct grid *grid = &s->terrain->grid;
    enum status status = STATUS_OK;
    int at[GRID_AXES];
    grid_cell(grid, (size_t)s->cells[i], at);
    for (int d = 0; d < 2 * grid_axes(grid) && !status; d++) {
        int x = at[0] + direction_step[d][0], y = at[1] + direction_step[d][1];
        int z = at[2] + direction_step[d][2];
        if (!grid_holds(grid, x, y, z))
            continue;
        size_t cell = grid_index(grid, x, y, z);
        struct change change = {
            .first = i, .last = i, .cells = { (int32_t)cell }, .count = 1
        };
        if (!s->terrain->wall[cell] &&
            sleeve_slowness(s->terrain, (int32_t)cell) < s->path.slowness[i])
            status = weigh(s, &change, best, error);
    }
    for (size_t j = i + 2; j < s->count && j <= i + LOOP && !status; j++) {
        struct change change = { .first = i, .last = j + 1 };
        if (j + 1 == s->count)
            change = (struct change){ .first = i - 1, .last = j };
        if (s->cells[j] == s->cells[i] && (i > 0 || j + 1 < s->count))
            status = weigh(s, &change, best, error);
    }
    return status;
}

static void append(struct sleeve *s, size_t *count, int32_t cell)
{
    s->spare[(*count)++] = cell;
}

/* Makes the best changes, none of which overlap; *changed: were there any?
 * `wide`: also where the path touches no edge. */
static enum status change_round(struct sleeve *s, bool wide, bool *changed,
                                struct error *error)
{
    size_t count = 0, done = 0; /* cells copied, and the end of the copied
                                 * part */
    enum status status = grow_spare(s, CORNER * (s->count + 1), error);
    *changed = false;
    for (size_t i = 0; i < s->count && !status; i++) {
        struct choice best = { .gain = gain_least(s) };
        bool last = i + 1 == s->count;
        if (!last)
            status = wide ? turn_all(s, i, &best, error)
                          : turn_touched(s, i, &best, error);
        if (wide && !last && !status)
            status = turn_corner(s, i, &best, error);
        if (wide && !status)
            status = visit(s, i, &best, error);
        if (status || best.gain <= gain_least(s) || best.change.first < done)
            continue;
        for (; done <= best.change.first; done++)
            append(s, &count, s->cells[done]);
        for (size_t j = 0; j < best.change.count; j++)
            append(s, &count, best.change.cells[j]);
        done = best.change.last;
        i = done > i + 1 ? done - 1 : i;
        *changed = true;
    }
    if (status || !*changed)
        return status;
    for (; done < s->count; done++)
        append(s, &count, s->cells[done]);
    sleeve_clear(s);
    for (size_t i = 0; i < count && !status; i++)
        status = sleeve_add(s, s->spare[i], error);
    return status;
}

/* Changes the sleeve until none makes its path faster. Changes at touched edges
 * may have no gain and repeat endlessly: after IDLE_MOST successive ones only
 * the others are tried. */
static enum status change_all(struct sleeve *s, bool wide, struct error *error)
{
    enum status status = STATUS_OK;
    double least = INFINITY;
    bool changed = true;
    for (int idle = 0; idle < 2 * IDLE_MOST && changed && !status; idle++) {
        clean(s);
        status = sleeve_solve(s, error);
        if (s->path.time < least - gain_least(s)) {
            least = s->path.time;
            idle = 0;
        }
        if (status || cut_loops(s))
            continue;
        changed = false;
        if (idle < IDLE_MOST)
            status = change_round(s, false, &changed, error);
        if (!status && !changed && wide)
            status = change_round(s, true, &changed, error);
    }
    return status ? status : sleeve_solve(s, error);
}

enum status sleeve_improve(struct sleeve *s, double limit, double known,
                           struct error *error)
{
    s->precision = rough;
    clean(s);
    enum status status = sleeve_solve(s, error);
    if (!status)
        status = straighten(s, error);
    if (!status)
        status = change_all(s, false, error);
    s->precision = fine;
    if (status || s->path.time > limit ||
        (s->path.time >= known && s->path.time <= known * (1 + same_time)))
        return status;
    return change_all(s, s->terrain->speed, error);
}
