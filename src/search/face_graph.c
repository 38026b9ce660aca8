/* SPDX-License-Identifier: MIT */
/* A point belongs to one face, also at the face's border. So a path changes
 * cells only across faces, and never passes between walls that touch at a
 * corner. */
#include "search/face_graph.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { ENDS = 2, NONE = -1 };

/* Times whose relative difference is smaller are equal except for rounding. */
static const double same_time = 1e-9;

struct face_point {
    double time[ENDS];     /* from the start, from the end */
    int32_t before[ENDS];  /* the point before it; NONE: the end itself */
    int32_t through[ENDS]; /* the cell that the piece to it crosses */
    int32_t place;         /* index in the heap; 0: not in it */
};

struct face_graph {
    const struct terrain *terrain;
    int faces;       /* of a cell: 4 or 6 */
    int face_points; /* of a face */
    int parts;
    size_t most, count; /* cells */
    int32_t *cells;     /* the listed cells */
    int32_t *slot;      /* of every cell of the grid, NONE: not listed */
    /* (most, axes, face_points): the points of a cell's faces to the next cell
     * along each axis. */
    struct face_point *points;
    int32_t *heap; /* from 1 */
    int32_t heap_count;
    double *length; /* (faces·face_points)²: between the points of a cell */
    double (*place)[GRID_AXES]; /* of the points of a cell, relative to its
                                 * centre */
};

/* ---- points ---- */

static int axes_of(const struct face_graph *g)
{
    return grid_axes(&g->terrain->grid);
}

/* Face f is that across axis f / 2, on the low side if f is odd. Its points
 * belong to the cell on its low side; NONE if there is no cell beyond the
 * face. */
static int32_t first_point(const struct face_graph *g, int32_t cell, int f)
{
    const struct grid *grid = &g->terrain->grid;
    int at[GRID_AXES], axis = f / 2;
    grid_cell(grid, (size_t)cell, at);
    at[axis] += f & 1 ? -1 : 1;
    if (!grid_holds(grid, at[0], at[1], at[2]))
        return NONE;
    int32_t other = (int32_t)grid_index(grid, at[0], at[1], at[2]);
    if (g->slot[other] == NONE)
        return NONE;
    int32_t owner = g->slot[f & 1 ? other : cell];
    return (owner * axes_of(g) + axis) * g->face_points;
}

/* The two cells of a point's face. */
static void cells_of(const struct face_graph *g, int32_t point,
                     int32_t cells[2])
{
    const struct grid *grid = &g->terrain->grid;
    const int32_t stride[GRID_AXES] = { 1, grid->nx, grid->nx * grid->ny };
    int32_t face = point / g->face_points;
    cells[0] = g->cells[face / axes_of(g)];
    cells[1] = cells[0] + stride[face % axes_of(g)];
}

static void place_points(struct face_graph *g)
{
    int count = g->faces * g->face_points;
    for (int i = 0; i < count; i++) {
        int f = i / g->face_points, rest = i % g->face_points;
        for (int axis = 0; axis < axes_of(g); axis++) {
            if (axis == f / 2) {
                g->place[i][axis] = f & 1 ? -0.5 : 0.5;
                continue;
            }
            g->place[i][axis] =
                (double)(rest % (g->parts + 1)) / g->parts - 0.5;
            rest /= g->parts + 1;
        }
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double x = g->place[i][0] - g->place[j][0];
            double y = g->place[i][1] - g->place[j][1];
            double z = g->place[i][2] - g->place[j][2];
            g->length[i * count + j] = sqrt(x * x + y * y + z * z);
        }
}

/* ---- the heap ---- */

static void heap_set(struct face_graph *g, int32_t place, int32_t point)
{
    g->heap[place] = point;
    g->points[point].place = place;
}

static void heap_rise(struct face_graph *g, int end, int32_t point)
{
    if (!g->points[point].place)
        g->points[point].place = ++g->heap_count;
    int32_t at = g->points[point].place;
    double time = g->points[point].time[end];
    for (; at > 1 && g->points[g->heap[at / 2]].time[end] > time; at /= 2)
        heap_set(g, at, g->heap[at / 2]);
    heap_set(g, at, point);
}

static int32_t heap_take(struct face_graph *g, int end)
{
    int32_t top = g->heap[1], moved = g->heap[g->heap_count--];
    int32_t at = 1, below;
    double time = g->points[moved].time[end];
    g->points[top].place = 0;
    if (top == moved)
        return top;
    while ((below = 2 * at) <= g->heap_count) {
        if (below < g->heap_count && g->points[g->heap[below + 1]].time[end] <
                                         g->points[g->heap[below]].time[end])
            below++;
        if (g->points[g->heap[below]].time[end] >= time)
            break;
        heap_set(g, at, g->heap[below]);
        at = below;
    }
    heap_set(g, at, moved);
    return top;
}

/* ---- the search ---- */

static void reach(struct face_graph *g, int end, int32_t point, double time,
                  int32_t before, int32_t through)
{
    struct face_point *p = &g->points[point];
    if (time >= p->time[end])
        return;
    p->time[end] = time;
    p->before[end] = before;
    p->through[end] = through;
    heap_rise(g, end, point);
}

/* From an end of the path to the points of its cell. */
static void leave_end(struct face_graph *g, int end, int32_t cell,
                      const double at[GRID_AXES])
{
    int centre[GRID_AXES];
    double slowness = sleeve_slowness(g->terrain, cell);
    grid_cell(&g->terrain->grid, (size_t)cell, centre);
    for (int f = 0; f < g->faces; f++) {
        int32_t first = first_point(g, cell, f);
        for (int i = 0; i < g->face_points && first != NONE; i++) {
            const double *place = g->place[f * g->face_points + i];
            double square = 0;
            for (int axis = 0; axis < axes_of(g); axis++) {
                double apart = centre[axis] + place[axis] - at[axis];
                square += apart * apart;
            }
            reach(g, end, first + i, slowness * sqrt(square), NONE, cell);
        }
    }
}

/* From a point to all points of a cell that its face belongs to. */
static void cross(struct face_graph *g, int end, int32_t point, int32_t cell,
                  int low)
{
    int own = (point / g->face_points % axes_of(g)) * 2 + low;
    int row = own * g->face_points + point % g->face_points;
    const double *length = g->length + row * g->faces * g->face_points;
    double time = g->points[point].time[end];
    double slowness = sleeve_slowness(g->terrain, cell);
    for (int f = 0; f < g->faces; f++) {
        int32_t first = first_point(g, cell, f);
        for (int i = 0; i < g->face_points && first != NONE; i++)
            reach(g, end, first + i,
                  time + slowness * length[f * g->face_points + i], point,
                  cell);
    }
}

static void search(struct face_graph *g, int end, int32_t cell,
                   const double at[GRID_AXES])
{
    g->heap_count = 0;
    leave_end(g, end, cell, at);
    while (g->heap_count > 0) {
        int32_t point = heap_take(g, end), cells[2];
        cells_of(g, point, cells);
        cross(g, end, point, cells[0], 0);
        cross(g, end, point, cells[1], 1);
    }
}

void face_graph_solve(struct face_graph *g, const int32_t *cells, size_t count,
                      int32_t first, const double start[GRID_AXES],
                      int32_t last, const double end[GRID_AXES])
{
    for (size_t i = 0; i < g->count; i++)
        g->slot[g->cells[i]] = NONE;
    g->count = count < g->most ? count : g->most;
    for (size_t i = 0; i < g->count; i++) {
        g->cells[i] = cells[i];
        g->slot[cells[i]] = (int32_t)i;
    }
    size_t points = g->count * (size_t)(axes_of(g) * g->face_points);
    for (size_t i = 0; i < points; i++)
        g->points[i] = (struct face_point){ .time = { INFINITY, INFINITY } };
    search(g, 0, first, start);
    search(g, 1, last, end);
}

/* ---- results ---- */

/* The point of a face with the minimum sum of times; NONE if there is none. */
static int32_t best_point(const struct face_graph *g, int32_t cell, int axis,
                          double *time)
{
    int32_t best = NONE;
    *time = INFINITY;
    if (g->slot[cell] == NONE)
        return NONE;
    int32_t first = first_point(g, cell, 2 * axis);
    for (int i = 0; i < g->face_points && first != NONE; i++) {
        const struct face_point *p = &g->points[first + i];
        if (p->time[0] + p->time[1] < *time) {
            *time = p->time[0] + p->time[1];
            best = first + i;
        }
    }
    return best;
}

static double sum_of(const struct face_graph *g, int32_t point)
{
    return g->points[point].time[0] + g->points[point].time[1];
}

static void point_at(const struct face_graph *g, int32_t point,
                     double at[GRID_AXES])
{
    int32_t cells[2], axis = point / g->face_points % axes_of(g);
    int own = 2 * axis * g->face_points + point % g->face_points;
    int centre[GRID_AXES];
    cells_of(g, point, cells);
    grid_cell(&g->terrain->grid, (size_t)cells[0], centre);
    for (int a = 0; a < GRID_AXES; a++)
        at[a] = centre[a] + g->place[own][a];
}

/* Do the paths over the next points of the route, at least half a cell away on
 * both sides, take less time? */
static bool is_detour(const struct face_graph *g, int32_t point)
{
    double here[GRID_AXES];
    bool faster = false;
    point_at(g, point, here);
    for (int end = 0; end < ENDS; end++)
        for (int32_t at = g->points[point].before[end]; at != NONE;
             at = g->points[at].before[end]) {
            double there[GRID_AXES];
            point_at(g, at, there);
            if (fabs(here[0] - there[0]) + fabs(here[1] - there[1]) +
                    fabs(here[2] - there[2]) <
                0.5)
                continue;
            if (sum_of(g, at) >= sum_of(g, point) * (1 - same_time))
                return false;
            faster = true;
            break;
        }
    return faster;
}

double face_graph_time(const struct face_graph *g, int32_t cell, int axis,
                       bool *detour)
{
    double time;
    int32_t point = best_point(g, cell, axis, &time);
    *detour = point != NONE && is_detour(g, point);
    return time;
}

enum status face_graph_route(const struct face_graph *g, int32_t cell, int axis,
                             struct sleeve *sleeve, struct error *error)
{
    double time;
    enum status status = STATUS_OK;
    int32_t middle = best_point(g, cell, axis, &time);
    for (int32_t at = middle; at != NONE && !status;
         at = g->points[at].before[0])
        status = sleeve_add(sleeve, g->points[at].through[0], error);
    for (size_t i = 0, j = sleeve->count; i + 1 < j; i++) {
        int32_t other = sleeve->cells[--j];
        sleeve->cells[j] = sleeve->cells[i];
        sleeve->cells[i] = other;
    }
    for (int32_t at = middle; at != NONE && !status;
         at = g->points[at].before[1])
        status = sleeve_add(sleeve, g->points[at].through[1], error);
    return status;
}

/* ---- construction ---- */

enum status face_graph_new(const struct terrain *terrain, int parts,
                           size_t most, struct face_graph **graph,
                           struct error *error)
{
    struct face_graph *g = memory_new(1, sizeof *g);
    if (!g)
        return error_memory(error);
    size_t cells = grid_cells(&terrain->grid);
    *g = (struct face_graph){ .terrain = terrain,
                              .faces = 2 * terrain->grid.dims,
                              .parts = parts,
                              .most = most < cells ? most : cells };
    g->face_points =
        terrain->grid.dims == 2 ? parts + 1 : (parts + 1) * (parts + 1);
    size_t own = (size_t)(g->faces * g->face_points), points;
    if (!size_multiply(g->most, own / 2, &points) || points >= INT32_MAX) {
        face_graph_release(g);
        return error_memory(error);
    }
    g->cells = memory_new(g->most, sizeof *g->cells);
    g->slot = memory_new(cells, sizeof *g->slot);
    g->points = memory_new(points, sizeof *g->points);
    g->heap = memory_new(points + 1, sizeof *g->heap);
    g->length = memory_new(own * own, sizeof *g->length);
    g->place = memory_new(own, sizeof *g->place);
    if (!g->cells || !g->slot || !g->points || !g->heap || !g->length ||
        !g->place) {
        face_graph_release(g);
        return error_memory(error);
    }
    for (size_t i = 0; i < cells; i++)
        g->slot[i] = NONE;
    place_points(g);
    *graph = g;
    return STATUS_OK;
}

void face_graph_release(struct face_graph *g)
{
    if (!g)
        return;
    memory_release(g->cells);
    memory_release(g->slot);
    memory_release(g->points);
    memory_release(g->heap);
    memory_release(g->length);
    memory_release(g->place);
    memory_release(g);
}
