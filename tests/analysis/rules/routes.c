/* SPDX-License-Identifier: MIT */
#include "tests/analysis/rules/chase.h"

#include "base/memory.h"
#include "recording/read/tables.h"
#include "run/again.h"
#include "search/search.h"
#include "tests/analysis/rules/agents.h"

#include <math.h>
#include <string.h>

/* The positions on a walk are computed in double precision from cells and the
 * distance between them. */
static const double beside = 0x1p-20;

/* The path that an agent follows, in /plans. */
struct walk {
    size_t first, cells; /* no cells: there is no path */
    double start[GRID_AXES];
};

struct routes {
    struct chase chase;
    struct finding *plans, *along;
    double *agent, *step, *size, *path[GRID_AXES];
    size_t rows, next, path_cells, path_next;
    struct terrain terrain; /* of `version` */
    size_t version;
    struct passages *passages;
    struct search_workspace *workspace;
    struct walk *walk; /* (agents) */
};

static enum status routes_init(struct routes *routes,
                               const struct recording *recording,
                               const struct scenario *scenario,
                               struct check_report *report, struct error *error)
{
    static const char *const axes[] = { "plans/x", "plans/y", "plans/z" };
    *routes = (struct routes){ .plans = &report->finding[CHECK_ROUTES],
                               .along = &report->finding[CHECK_ALONG],
                               .version = SIZE_MAX };
    int64_t rows = recording_table_rows(recording, "plans");
    routes->rows = rows > 0 ? (size_t)rows : 0;
    enum status status = chase_init(&routes->chase, recording, scenario, error);
    if (!status && routes->rows)
        status = table_column_read(recording, "plans/agent", routes->rows,
                                   &routes->agent, error);
    if (!status && routes->rows)
        status = table_column_read(recording, "plans/step", routes->rows,
                                   &routes->step, error);
    if (!status && routes->rows)
        status = table_column_read(recording, "plans/row_size", routes->rows,
                                   &routes->size, error);
    for (int axis = 0;
         axis < grid_axes(recording_grid(recording)) && !status && routes->rows;
         axis++) {
        const struct variable *cells = recording_find(recording, axes[axis]);
        routes->path_cells = cells ? variable_elements(cells) : 0;
        status = table_column_read(recording, axes[axis], 0,
                                   &routes->path[axis], error);
    }
    if (!status && routes->rows)
        status =
            terrain_init(&routes->terrain, recording_grid(recording), error);
    routes->walk = memory_new(routes->chase.count, sizeof *routes->walk);
    return status || routes->walk ? status : error_memory(error);
}

static void routes_release(struct routes *routes)
{
    chase_release(&routes->chase);
    memory_release(routes->agent);
    memory_release(routes->step);
    memory_release(routes->size);
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(routes->path[axis]);
    search_workspace_release(routes->workspace);
    passages_release(routes->passages);
    terrain_release(&routes->terrain);
    memory_release(routes->walk);
}

/* ---- a plan ---- */

static void path_cell(const struct routes *routes, size_t i, int at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = routes->path[axis] ? (int)routes->path[axis][i] : 0;
}

static bool is_open(const struct terrain *terrain, const int at[GRID_AXES])
{
    const struct grid *grid = &terrain->grid;
    return grid_holds(grid, at[0], at[1], at[2]) &&
           !terrain->wall[grid_index(grid, at[0], at[1], at[2])];
}

/* Not against a one-way cell along an axis (if the method knows these), not
 * round a corner of a wall, and to a free cell. */
static bool is_move(const struct routes *routes, bool one_way,
                    const int from[GRID_AXES], const int to[GRID_AXES])
{
    const struct terrain *terrain = &routes->terrain;
    int axes = 0, along = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int way = to[axis] - from[axis];
        if (way < -1 || way > 1)
            return false;
        along = way ? axis : along;
        axes += way != 0;
    }
    if (!is_open(terrain, from) || !is_open(terrain, to) || axes == 0)
        return false;
    if (axes == 1) {
        const struct grid *grid = &terrain->grid;
        return !one_way ||
               terrain_step_is_allowed(
                   terrain, grid_index(grid, from[0], from[1], from[2]),
                   grid_index(grid, to[0], to[1], to[2]),
                   (enum direction)(2 * along + (to[along] < from[along])));
    }
    if (routes->chase.scenario->pursuit.moves <= 6)
        return false;
    for (int corner = 1; corner < 7; corner++) {
        int side[GRID_AXES];
        for (int axis = 0; axis < GRID_AXES; axis++)
            side[axis] = corner >> axis & 1 ? to[axis] : from[axis];
        if (!is_open(terrain, side))
            return false;
    }
    return true;
}

static double weight_of(const struct routes *routes, const int from[GRID_AXES],
                        const int to[GRID_AXES])
{
    const struct terrain *terrain = &routes->terrain;
    double square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        square += (to[axis] - from[axis]) * (to[axis] - from[axis]);
    double length = routes->chase.scenario->pursuit.measure == MEASURE_STEPS
                        ? 1
                        : sqrt(square);
    return length *
           (terrain->cost
                ? terrain->cost[grid_index(&terrain->grid, to[0], to[1], to[2])]
                : 1);
}

/* The map and the passages at a step. */
static enum status take_map(struct routes *routes, int64_t step,
                            struct error *error)
{
    const struct recording *recording = routes->chase.recording;
    const struct pursuit_settings *pursuit = &routes->chase.scenario->pursuit;
    size_t version = recording_version_at(recording, step);
    enum status status = STATUS_OK;
    if (version == routes->version)
        return STATUS_OK;
    routes->version = version;
    search_workspace_release(routes->workspace);
    passages_release(routes->passages);
    routes->workspace = NULL;
    routes->passages = NULL;
    status = again_map(recording, version, &routes->terrain, error);
    if (!status)
        status = passages_new(&routes->terrain, pursuit->moves,
                              pursuit->measure, &routes->passages, error);
    if (!status)
        status =
            search_workspace_new(&search_dijkstra, routes->passages,
                                 &routes->terrain, &routes->workspace, error);
    return status;
}

/* A path of adjacent cells; its cost, NAN if it is no path. */
static double path_cost(const struct routes *routes, bool one_way, size_t first,
                        size_t cells)
{
    double cost = 0;
    for (size_t i = first + 1; i < first + cells; i++) {
        int from[GRID_AXES], to[GRID_AXES];
        path_cell(routes, i - 1, from);
        path_cell(routes, i, to);
        if (!is_move(routes, one_way, from, to))
            return NAN;
        cost += weight_of(routes, from, to);
    }
    return cost;
}

static bool is_shortest(enum agent_method method)
{
    return method == METHOD_DIJKSTRA || method == METHOD_ASTAR ||
           method == METHOD_DSTAR_LITE;
}

static bool is_routed(enum agent_method method)
{
    return is_shortest(method) || method == METHOD_FAST_MARCHING ||
           method == METHOD_PINCER || method == METHOD_WAVE_PINCER;
}

static void check_cost(struct routes *routes, size_t first, size_t cells,
                       const struct spot *spot)
{
    int from[GRID_AXES], to[GRID_AXES];
    const struct grid *grid = &routes->terrain.grid;
    const enum agent_method method = routes->chase.setting[spot->agent]->method;
    /* A wave passes one-way cells in both directions. */
    const bool one_way =
        method != METHOD_FAST_MARCHING && method != METHOD_WAVE_PINCER;
    double cost = path_cost(routes, one_way, first, cells);
    struct search_result result;
    path_cell(routes, first, from);
    path_cell(routes, first + cells - 1, to);
    if (isnan(cost) || !is_open(&routes->terrain, from) ||
        !is_open(&routes->terrain, to)) {
        finding_within(routes->plans, 1, 0, spot);
        return;
    }
    finding_within(routes->plans, 0, 0, spot);
    if (!is_shortest(method))
        return;
    const struct search_query query = {
        .from = grid_index(grid, from[0], from[1], from[2]),
        .to = grid_index(grid, to[0], to[1], to[2]),
    };
    search_run(routes->workspace, &query, &result);
    finding_within(routes->plans, fabs(cost - result.cost), 1e-6 * (1 + cost),
                   spot);
}

/* From the cell that the agent is in or enters to the target's cell. */
static void check_ends(struct routes *routes, size_t first, size_t cells,
                       const struct spot *spot)
{
    const struct chase *chase = &routes->chase;
    const struct agent_settings *setting = chase->setting[spot->agent];
    int from[GRID_AXES], to[GRID_AXES];
    double at[GRID_AXES], off = 0, past = 0;
    path_cell(routes, first, from);
    path_cell(routes, first + cells - 1, to);
    chase_place(chase, 0, spot->agent, at);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        off = fmax(off, fabs(from[axis] - at[axis]));
        past = fmax(past, fabs(to[axis] - chase->target[0][axis]));
    }
    finding_within(routes->plans, off, 1 + beside, spot);
    if (chase->has_target && !setting->goal_random)
        finding_within(routes->plans, past, 0.5, spot);
}

/* The plans of steps up to `step`; those of the last row read are compared with
 * the positions in it. */
static enum status take_plans(struct routes *routes, int64_t step,
                              struct error *error)
{
    enum status status = STATUS_OK;
    for (; routes->next < routes->rows &&
           routes->step[routes->next] <= (double)step && !status;
         routes->next++) {
        double agent = routes->agent[routes->next];
        double size = routes->size[routes->next];
        size_t left = routes->path_cells - routes->path_next;
        size_t cells = size > 0 && size <= (double)left ? (size_t)size : 0;
        size_t first = routes->path_next;
        routes->path_next += cells;
        if (!(agent >= 0 && agent < (double)routes->chase.count) ||
            !is_routed(routes->chase.setting[(size_t)agent]->method))
            continue;
        const struct spot spot = { -1, (int)agent,
                                   (int64_t)routes->step[routes->next], -1 };
        struct walk *walk = &routes->walk[(size_t)agent];
        walk->first = first;
        walk->cells = cells;
        if (!cells)
            continue;
        status = take_map(routes, spot.step, error);
        if (status)
            break;
        check_cost(routes, first, cells, &spot);
        if (routes->chase.step[0] == spot.step)
            check_ends(routes, first, cells, &spot);
    }
    return status;
}

/* ---- the walk along it ---- */

/* The distance of a position from the line between two others. */
static double from_line(const double at[GRID_AXES], const double a[GRID_AXES],
                        const double b[GRID_AXES])
{
    double along = 0, square = 0, off = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        along += (at[axis] - a[axis]) * (b[axis] - a[axis]);
        square += (b[axis] - a[axis]) * (b[axis] - a[axis]);
    }
    double part = square > 0 ? fmin(fmax(along / square, 0), 1) : 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        off = fmax(off, fabs(a[axis] + part * (b[axis] - a[axis]) - at[axis]));
    return off;
}

/* 0 in a cell: at the end of a path an agent walks to the target itself, which
 * is in that cell, and from there into its next path. */
static double from_cell(const struct routes *routes, size_t i,
                        const double at[GRID_AXES])
{
    int cell[GRID_AXES];
    double off = 0;
    path_cell(routes, i, cell);
    for (int axis = 0; axis < GRID_AXES; axis++)
        off = fmax(off, fabs(at[axis] - cell[axis]) - 0.5);
    return off;
}

/* Its distance from the lines that lead to a cell from its neighbours, and from
 * the agent's initial position. */
static double from_entry(const struct routes *routes, const struct walk *walk,
                         const double at[GRID_AXES])
{
    int cell[GRID_AXES];
    double centre[GRID_AXES], other[GRID_AXES];
    path_cell(routes, walk->first, cell);
    for (int axis = 0; axis < GRID_AXES; axis++)
        centre[axis] = cell[axis];
    double off = from_line(at, walk->start, centre);
    for (int way = 0; way < 27; way++) {
        const int ways[GRID_AXES] = { way % 3 - 1, way / 3 % 3 - 1,
                                      way / 9 - 1 };
        for (int axis = 0; axis < GRID_AXES; axis++)
            other[axis] = centre[axis] + ways[axis];
        off = fmin(off, from_line(at, other, centre));
    }
    return off;
}

static void check_walks(struct routes *routes)
{
    const struct chase *chase = &routes->chase;
    for (size_t i = 0; i < chase->count; i++) {
        const struct walk *walk = &routes->walk[i];
        double at[GRID_AXES], a[GRID_AXES], b[GRID_AXES];
        if (!is_routed(chase->setting[i]->method) || !walk->cells)
            continue;
        chase_place(chase, 0, (int)i, at);
        double off = fmin(from_cell(routes, walk->first, at),
                          from_cell(routes, walk->first + walk->cells - 1, at));
        off = fmin(off, from_entry(routes, walk, at));
        for (size_t j = 1; j < walk->cells && off > beside; j++) {
            int from[GRID_AXES], to[GRID_AXES];
            path_cell(routes, walk->first + j - 1, from);
            path_cell(routes, walk->first + j, to);
            for (int axis = 0; axis < GRID_AXES; axis++) {
                a[axis] = from[axis];
                b[axis] = to[axis];
            }
            off = fmin(off, from_line(at, a, b));
        }
        finding_within(routes->along, off, beside,
                       &(struct spot){ -1, (int)i, chase->step[0], -1 });
    }
}

enum status check_routes(const struct recording *recording,
                         const struct scenario *scenario,
                         struct check_report *report, struct error *error)
{
    struct routes routes;
    enum status status =
        routes_init(&routes, recording, scenario, report, error);
    for (int64_t row = 0;
         row < recording_rows(recording) && !status && routes.rows; row++) {
        chase_read(&routes.chase, row);
        if (routes.chase.step[0] < 0)
            continue;
        for (size_t i = 0; i < routes.chase.count && row == 0; i++)
            chase_place(&routes.chase, 0, (int)i, routes.walk[i].start);
        status = take_plans(&routes, routes.chase.step[0] - 1, error);
        if (!status)
            check_walks(&routes);
        if (!status)
            status = take_plans(&routes, routes.chase.step[0], error);
    }
    for (int c = CHECK_ROUTES; c <= CHECK_ALONG; c++)
        if (!report->finding[c].looked)
            finding_skip(&report->finding[c], 0, "there are no plans");
    routes_release(&routes);
    return status;
}
