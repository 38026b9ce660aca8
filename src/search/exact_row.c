/* SPDX-License-Identifier: MIT */
/* Exact paths as a row of the table of searches. */
#include "search/exact.h"
#include "search/rows.h"
#include "search/search.h"
#include "search/sight.h"

#include <math.h>
#include <string.h>

static enum status prepare(struct search_workspace *w, struct error *error)
{
    struct exact *exact = NULL;
    enum status status = exact_new(w->terrain, &exact, error);
    w->state = exact;
    if (!status)
        w->memory += exact_memory(exact);
    return status;
}

static void release(struct search_workspace *w)
{
    exact_release(w->state);
}

/* Adds the cells from `at` to `next`, the first of them once. */
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
        more = exact_beyond(exact, next);
        if (more)
            lay_piece(w, at, next);
    }
}

/* Solved from the query's end, so that turns lead from its start on; a whole
 * field from its start. */
static bool run(struct search_workspace *w, const struct search_query *query,
                struct search_result *result)
{
    struct exact *exact = w->state;
    bool all = query->to == SEARCH_EVERYWHERE;
    exact_solve(exact, all ? query->from : query->to);
    result->expansions = exact_expansions(exact);
    result->cost = exact_distance(exact, query->from);
    if (all || !isfinite(result->cost))
        return all;
    result->length = result->cost;
    lay_path(w, query->from);
    return true;
}

static double distance(const struct search_workspace *w, size_t cell)
{
    return exact_distance(w->state, cell);
}

static enum status changed(struct search_workspace *w, const struct box *box,
                           struct error *error)
{
    exact_update(w->state, w->terrain);
    return STATUS_OK;
}

const struct search search_exact = {
    .name = "exact",
    .prepare = prepare,
    .release = release,
    .run = run,
    .distance = distance,
    .changed = changed,
};
