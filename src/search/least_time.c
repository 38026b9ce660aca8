/* SPDX-License-Identifier: MIT */
/* Improves each of the routes that fast marching finds, and returns the
 * fastest. */
#include "search/least_time.h"

#include "base/memory.h"
#include "search/downhill.h"
#include "search/exact.h"
#include "search/face_graph.h"
#include "search/fast_marching.h"
#include "search/sleeve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct least_time {
    const struct terrain *terrain;
    size_t source;
    double end[GRID_AXES]; /* its centre */
    int refine;
    struct fast_marching *marching; /* from the source */
    struct fast_marching *back;     /* from the other end, on the cells */
    struct face_graph *graph;
    struct exact *exact; /* of 2D maps of one speed; else NULL */
    double (*turns)[2];  /* of the exact path */
    size_t turns_most;
    struct sleeve best, trial;
    double *sum;         /* of every cell, the sum of both marches' times */
    struct place *order; /* the cells in the band, by their time */
    int32_t *band;       /* the cells whose faces the graph has */
    size_t band_count;
    int32_t *route; /* from the graph, before improvement */
    size_t route_count, route_room;
    uint8_t *seen; /* of every cell: bit a: routes over its face to the next
                    * cell along axis a were tried */
    double (*points)[GRID_AXES]; /* of the result */
    size_t count, room;
};

/* A face, to the next cell along an axis, and the minimum time over it. */
struct place {
    double time;
    int32_t cell;
    int axis;
    bool detour;
};

/* Maximum cells of a march: up to this it is 3 times finer. */
static const double fine_most = 1 << 26;

enum { ALL_AXES = 7 }; /* of `seen` */

/* Routes that are slower than the best one by this fraction are not improved
 * fully. */
static const double near = 0.005;
/* Times whose relative difference is smaller are of the same path. */
static const double same_time = 1e-6;

/* The graph has the faces of `cells` cells, divided into `parts`; its times are
 * too long by at most the fraction `late`. Routes are tried until they have
 * `work` cells in total, and detours for `more` cells more. */
struct effort {
    size_t cells;
    int parts;
    double late;
    size_t work, more;
};
/* 2D, 3D, and small 3D maps in which speeds may change from cell to cell. */
static const struct effort flat = { 4000, 4, 0.02, 3000, 500 };
static const struct effort deep = { 1500, 4, 0.03, 3000, 500 };
static const struct effort small = { 512, 4, 0.03, 3000, 500 };

static const struct effort *effort_for(const struct grid *grid)
{
    if (grid->dims == 2)
        return &flat;
    return grid_cells(grid) <= small.cells ? &small : &deep;
}

static bool one_speed(const struct terrain *terrain)
{
    double speed = 0;
    for (size_t i = 0; i < grid_cells(&terrain->grid) && terrain->speed; i++) {
        if (terrain->wall[i])
            continue;
        if (speed > 0 && terrain->speed[i] != speed)
            return false;
        speed = terrain->speed[i];
    }
    return true;
}

static enum status lay_out(struct least_time *l, struct error *error)
{
    const struct grid *grid = &l->terrain->grid;
    const struct effort *effort = effort_for(grid);
    size_t cells = grid_cells(grid);
    double fine = (double)cells * pow(3, grid->dims);
    l->refine = fine <= fine_most ? 3 : 1;
    struct fast_marching_settings settings = { l->refine, 16.0 / l->refine };
    enum status status =
        fast_marching_new(l->terrain, &settings, &l->marching, error);
    if (!status)
        status = fast_marching_new(l->terrain, &fast_marching_plain, &l->back,
                                   error);
    if (!status)
        status = face_graph_new(l->terrain, effort->parts, effort->cells,
                                &l->graph, error);
    if (status)
        return status;
    if (grid->dims == 2 && one_speed(l->terrain))
        status = exact_new(l->terrain, &l->exact, error);
    if (status)
        return status;
    l->sum = memory_new(cells, sizeof *l->sum);
    l->order = memory_new((size_t)grid->dims * effort->cells, sizeof *l->order);
    l->band = memory_new(effort->cells, sizeof *l->band);
    l->seen = memory_new(cells, sizeof *l->seen);
    return l->sum && l->order && l->band && l->seen ? STATUS_OK
                                                    : error_memory(error);
}

enum status least_time_new(const struct terrain *terrain, size_t source,
                           struct least_time **least, struct error *error)
{
    if (source >= grid_cells(&terrain->grid) || terrain->wall[source])
        return error_set(error, STATUS_INPUT,
                         "the source of a path of least time is a wall or "
                         "outside the map: choose a free cell");
    struct least_time *l = memory_new(1, sizeof *l);
    if (!l)
        return error_memory(error);
    int at[GRID_AXES];
    l->terrain = terrain;
    l->source = source;
    grid_cell(&terrain->grid, source, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        l->end[axis] = at[axis];
    sleeve_init(&l->best, terrain);
    sleeve_init(&l->trial, terrain);
    enum status status = lay_out(l, error);
    if (status) {
        least_time_release(l);
        return status;
    }
    fast_marching_solve(l->marching, source, SIZE_MAX);
    if (l->exact)
        exact_solve(l->exact, source);
    *least = l;
    return STATUS_OK;
}

void least_time_release(struct least_time *l)
{
    if (!l)
        return;
    fast_marching_release(l->marching);
    fast_marching_release(l->back);
    face_graph_release(l->graph);
    exact_release(l->exact);
    memory_release(l->turns);
    sleeve_release(&l->best);
    sleeve_release(&l->trial);
    memory_release(l->sum);
    memory_release(l->order);
    memory_release(l->band);
    memory_release(l->route);
    memory_release(l->seen);
    memory_release(l->points);
    memory_release(l);
}

/* The free cell that contains a point, or has it on its border; −1: none. */
static int32_t cell_of(const struct terrain *terrain,
                       const double at[GRID_AXES])
{
    const struct grid *grid = &terrain->grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int corner = 0; corner < 1 << grid_axes(grid); corner++) {
        int cell[GRID_AXES] = { 0 };
        bool within = true;
        for (int axis = 0; axis < grid_axes(grid); axis++) {
            bool below = corner >> axis & 1; /* the cell on the border's side */
            double place = at[axis] + 0.5, first = floor(place) - below;
            within = within && first >= 0 && first < extent[axis] &&
                     (!below || place == floor(place));
            cell[axis] = within ? (int)first : 0;
        }
        size_t index = grid_index(grid, cell[0], cell[1], cell[2]);
        if (within && !terrain->wall[index])
            return (int32_t)index;
    }
    return -1;
}

/* ---- other routes ---- */

static void see(struct least_time *l, const struct sleeve *sleeve)
{
    const struct grid *grid = &l->terrain->grid;
    for (size_t i = 0; i + 1 < sleeve->count; i++) {
        int32_t a = sleeve->cells[i], b = sleeve->cells[i + 1];
        int32_t low = a < b ? a : b, apart = a < b ? b - a : a - b;
        int axis = 2;
        if (apart == 1 && grid->nx > 1)
            axis = 0;
        else if (apart == grid->nx && grid->ny > 1)
            axis = 1;
        l->seen[low] |= (uint8_t)(1 << axis);
    }
}

/* Around a route that led to the best path, no routes within `radius` cells of
 * it are tried. */
static void see_around(struct least_time *l, int radius)
{
    const struct grid *grid = &l->terrain->grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (size_t i = 0; i < l->route_count; i++) {
        int at[GRID_AXES], low[GRID_AXES], high[GRID_AXES];
        grid_cell(grid, (size_t)l->route[i], at);
        for (int axis = 0; axis < GRID_AXES; axis++) {
            low[axis] = at[axis] > radius ? at[axis] - radius : 0;
            high[axis] = at[axis] + radius < extent[axis] ? at[axis] + radius
                                                          : extent[axis] - 1;
        }
        for (int z = low[2]; z <= high[2]; z++)
            for (int y = low[1]; y <= high[1]; y++)
                memset(l->seen + grid_index(grid, low[0], y, z), ALL_AXES,
                       (size_t)(high[0] - low[0] + 1));
    }
}

static void add_to_band(struct least_time *l, int32_t cell)
{
    if (l->band_count < effort_for(&l->terrain->grid)->cells &&
        !l->seen[cell]) {
        l->band[l->band_count++] = cell;
        l->seen[cell] = 1;
    }
}

/* The largest sum of times such that no more than `most` cells are below it. */
static double band_limit(const struct least_time *l, size_t most)
{
    size_t cells = grid_cells(&l->terrain->grid);
    double low = 0, high = 0;
    for (size_t i = 0; i < cells; i++)
        high = isfinite(l->sum[i]) ? fmax(high, l->sum[i]) : high;
    for (int halving = 0; halving < 40; halving++) {
        double middle = halving ? (low + high) / 2 : high;
        size_t count = 0;
        for (size_t i = 0; i < cells; i++)
            count += l->sum[i] <= middle;
        if (count <= most)
            low = middle;
        else
            high = middle;
        if (low == high)
            break;
    }
    return low;
}

/* The cells that a path of minimum time may cross: those of the best one so
 * far, and then those with the smallest sum of times from both ends. */
static void choose_band(struct least_time *l, int32_t from)
{
    size_t cells = grid_cells(&l->terrain->grid);
    fast_marching_solve(l->back, (size_t)from, SIZE_MAX);
    for (size_t i = 0; i < cells; i++)
        l->sum[i] =
            fast_marching_time(l->marching, i) + fast_marching_time(l->back, i);
    memset(l->seen, 0, cells);
    l->band_count = 0;
    for (size_t i = 0; i < l->best.count; i++)
        add_to_band(l, l->best.cells[i]);
    size_t room = effort_for(&l->terrain->grid)->cells - l->band_count;
    double limit = band_limit(l, room);
    for (size_t i = 0; i < cells; i++)
        if (l->sum[i] <= limit)
            add_to_band(l, (int32_t)i);
    memset(l->seen, 0, cells);
}

static int by_time(const void *a, const void *b)
{
    const struct place *one = a, *two = b;
    if (one->detour != two->detour)
        return one->detour ? 1 : -1;
    if (one->time != two->time)
        return one->time < two->time ? -1 : 1;
    if (one->cell != two->cell)
        return one->cell < two->cell ? -1 : 1;
    return one->axis - two->axis;
}

/* All faces that a path touches, by their times, but detours last; returns
 * their number. */
static size_t order_faces(struct least_time *l)
{
    size_t count = 0;
    double first = INFINITY;
    for (size_t i = 0; i < l->band_count; i++)
        for (int axis = 0; axis < grid_axes(&l->terrain->grid); axis++) {
            struct place place = { .cell = l->band[i], .axis = axis };
            place.time =
                face_graph_time(l->graph, place.cell, axis, &place.detour);
            if (isfinite(place.time))
                l->order[count++] = place;
        }
    for (size_t i = 0; i < count; i++)
        first = fmin(first, l->order[i].time);
    for (size_t i = 0; i < count; i++)
        if (l->order[i].time <= first)
            l->order[i].detour = false;
    qsort(l->order, count, sizeof *l->order, by_time);
    return count;
}

static void start_trial(struct least_time *l)
{
    memcpy(l->trial.start, l->best.start, sizeof l->trial.start);
    memcpy(l->trial.end, l->best.end, sizeof l->trial.end);
    sleeve_clear(&l->trial);
}

static enum status improve_trial(struct least_time *l, double known,
                                 struct error *error)
{
    double limit = l->best.path.time * (1 + near);
    enum status status = sleeve_improve(&l->trial, limit, known, error);
    if (!status && l->trial.path.time < l->best.path.time) {
        struct sleeve better = l->trial;
        l->trial = l->best;
        l->best = better;
    }
    return status;
}

static enum status make_turns(struct least_time *l, size_t count,
                              struct error *error)
{
    if (count <= l->turns_most)
        return STATUS_OK;
    memory_release(l->turns);
    l->turns = memory_new(count, sizeof *l->turns);
    l->turns_most = l->turns ? count : 0;
    return l->turns ? STATUS_OK : error_memory(error);
}

/* The exact shortest path from the cell's centre, with the first point replaced
 * by the start. *sure: the start is that centre, and no other route can be
 * shorter. */
static enum status try_exact(struct least_time *l, int32_t from, bool *sure,
                             struct error *error)
{
    size_t count = exact_path(l->exact, (size_t)from, NULL, 0);
    enum status status = make_turns(l, count, error);
    bool clear = count > 1;
    int32_t first = from;
    double at[GRID_AXES], next[GRID_AXES] = { 0 };
    if (status || !clear)
        return status;
    exact_path(l->exact, (size_t)from, l->turns, count);
    start_trial(l);
    memcpy(at, l->best.start, sizeof at);
    for (size_t i = 1; i < count && clear && !status; i++) {
        memcpy(next, l->turns[i], sizeof l->turns[i]);
        status = sleeve_add_line(&l->trial, at, next, first,
                                 i + 1 == count ? (int32_t)l->source : -1,
                                 &clear, error);
        memcpy(at, next, sizeof at);
        first = l->trial.count ? l->trial.cells[l->trial.count - 1] : from;
    }
    *sure = clear && l->best.start[0] == l->turns[0][0] &&
            l->best.start[1] == l->turns[0][1];
    return clear && !status ? improve_trial(l, 0, error) : status;
}

static enum status keep_route(struct least_time *l, struct error *error)
{
    l->route_count = l->trial.count;
    if (l->route_count > l->route_room) {
        memory_release(l->route);
        l->route_room = 2 * l->route_count;
        l->route = memory_new(l->route_room, sizeof *l->route);
        if (!l->route) {
            l->route_count = l->route_room = 0;
            return error_memory(error);
        }
    }
    memcpy(l->route, l->trial.cells, l->route_count * sizeof *l->route);
    return STATUS_OK;
}

/* Improves the route by the graph over a face, and keeps it if it is
 * faster. */
static enum status try_route(struct least_time *l, const struct place *place,
                             struct error *error)
{
    start_trial(l);
    enum status status =
        face_graph_route(l->graph, place->cell, place->axis, &l->trial, error);
    if (!status)
        status = keep_route(l, error);
    see(l, &l->trial);
    if (!status)
        status = improve_trial(l, l->best.path.time, error);
    see(l, &l->trial);
    see(l, &l->best);
    return status;
}

/* Did the last route lead to the previous best path, or to one as fast? If the
 * best path is new, more routes round it are tried. */
static bool is_best(const struct least_time *l)
{
    return fabs(l->trial.path.time - l->best.path.time) <=
           same_time * l->best.path.time;
}

/* The radius grows with the number of successive routes that led to the best
 * path, but stays small compared with the route's length. */
static int radius_after(int again, size_t cells)
{
    int most = (int)(cells / 16);
    return again < 16 && 1 << (again - 1) < most ? 1 << (again - 1) : most;
}

/* Tries the fastest routes of the graph; each crosses a face that none before
 * did. */
static enum status try_routes(struct least_time *l, int32_t from,
                              struct error *error)
{
    const struct effort *effort = effort_for(&l->terrain->grid);
    enum status status = STATUS_OK;
    size_t work = 0;
    int again = 0;   /* successive routes that led to the best path */
    double same = 0; /* routes of this time or less lead to the best path */
    choose_band(l, from);
    face_graph_solve(l->graph, l->band, l->band_count, from, l->best.start,
                     (int32_t)l->source, l->end);
    size_t count = order_faces(l);
    see(l, &l->best);
    for (size_t i = 0; i < count && !status; i++) {
        const struct place *place = &l->order[i];
        bool known = l->seen[place->cell] >> place->axis & 1;
        if (place->time > l->best.path.time * (1 + effort->late) ||
            work > effort->work + (place->detour ? effort->more : 0) ||
            (i > 0 && (known || place->time <= same)))
            continue;
        status = try_route(l, place, error);
        work += l->trial.count;
        again = is_best(l) ? again + 1 : 0;
        if (!again)
            continue;
        same = place->time * (1 + 1e-9);
        see_around(l, radius_after(again, l->route_count));
    }
    return status;
}

/* Each time a faster path is found, its own cells are added to the band. Routes
 * that were too slow before may lead on from it. */
static enum status try_until_best(struct least_time *l, int32_t from,
                                  struct error *error)
{
    enum status status = STATUS_OK;
    double before = INFINITY;
    while (!status && l->best.path.time < before * (1 - same_time)) {
        before = l->best.path.time;
        status = try_routes(l, from, error);
    }
    return status;
}

/* ---- the result ---- */

static enum status add_point(struct least_time *l, const double at[GRID_AXES],
                             struct error *error)
{
    if (l->count &&
        memcmp(l->points[l->count - 1], at, GRID_AXES * sizeof *at) == 0)
        return STATUS_OK;
    double(*points)[GRID_AXES] =
        memory_more(l->points, l->count, &l->room, sizeof *points);
    if (!points)
        return error_memory(error);
    l->points = points;
    memcpy(l->points[l->count++], at, GRID_AXES * sizeof *at);
    return STATUS_OK;
}

static enum status lay_points(struct least_time *l, struct error *error)
{
    l->count = 0;
    enum status status = add_point(l, l->best.start, error);
    for (size_t i = 0; i < l->best.path.count && !status; i++)
        status = add_point(l, l->best.path.points[i].at, error);
    return status ? status : add_point(l, l->best.end, error);
}

enum status least_time_path(struct least_time *l, const double from[GRID_AXES],
                            struct least_path *path, struct error *error)
{
    struct sleeve *best = &l->best;
    int32_t cell = cell_of(l->terrain, from);
    double start_time;
    bool sure = false;
    *path = (struct least_path){ .found = false };
    if (cell < 0)
        return STATUS_OK;
    for (int axis = 0; axis < GRID_AXES; axis++)
        best->start[axis] =
            axis < grid_axes(&l->terrain->grid) ? from[axis] : 0;
    memcpy(best->end, l->end, sizeof best->end);
    sleeve_clear(best);
    enum status status = downhill(l->marching, l->refine, best->start, cell,
                                  l->source, best, &start_time, error);
    if (status || !isfinite(start_time))
        return status;
    status = sleeve_improve(best, INFINITY, 0, error);
    if (!status && l->exact)
        status = try_exact(l, cell, &sure, error);
    if (!status && !sure)
        status = try_until_best(l, cell, error);
    if (!status)
        status = lay_points(l, error);
    if (status)
        return status;
    *path = (struct least_path){
        .found = true,
        .time = best->path.time,
        .start_time = start_time,
        .count = l->count,
        .points = (const double(*)[GRID_AXES])l->points,
    };
    if (path->time > 0)
        path->bound = fmax(1 - best->path.lower / path->time, 0);
    return STATUS_OK;
}
