/* SPDX-License-Identifier: MIT */
/* Fast marching, plain and fine, as rows of the table of searches. */
#include "search/fast_marching.h"
#include "search/rows.h"
#include "search/search.h"

static enum status prepare(struct search_workspace *w, struct error *error,
                           const struct fast_marching_settings *settings)
{
    struct fast_marching *marching = NULL;
    enum status status =
        fast_marching_new(w->terrain, settings, &marching, error);
    w->state = marching;
    if (!status)
        w->memory += fast_marching_memory(marching);
    return status;
}

static enum status plain_prepare(struct search_workspace *w,
                                 struct error *error)
{
    return prepare(w, error, &fast_marching_plain);
}

static enum status fine_prepare(struct search_workspace *w, struct error *error)
{
    return prepare(w, error, &fast_marching_fine);
}

static void release(struct search_workspace *w)
{
    fast_marching_release(w->state);
}

/* The march starts at the query's end, so that the way down from its start is
 * the path in order; a whole field starts at `from`. */
static bool run(struct search_workspace *w, const struct search_query *query,
                struct search_result *result)
{
    struct fast_marching *marching = w->state;
    bool all = query->to == SEARCH_EVERYWHERE;
    bool found = fast_marching_solve(marching, all ? query->from : query->to,
                                     all ? SIZE_MAX : query->from);
    result->expansions = fast_marching_expansions(marching);
    if (!found)
        return false;
    result->cost = all ? 0 : fast_marching_time(marching, query->from);
    if (all)
        return true;
    w->path_count = fast_marching_path(
        marching, query->from, w->passages->moves > 2 * w->terrain->grid.dims,
        w->path, grid_cells(&w->terrain->grid));
    return w->path_count > 0;
}

static double distance(const struct search_workspace *w, size_t cell)
{
    return fast_marching_time(w->state, cell);
}

static enum status changed(struct search_workspace *w, const struct box *box,
                           struct error *error)
{
    return fast_marching_update(w->state, w->terrain, box, error);
}

/* The way down goes through subcells, by moves of theirs: on cells it would be
 * a row of axis moves wherever it does not lead through a cell's corners. */
static bool run_fine(struct search_workspace *w,
                     const struct search_query *query,
                     struct search_result *result)
{
    bool found = run(w, query, result);
    if (found && query->to != SEARCH_EVERYWHERE && !w->terrain->speed)
        result->length = result->cost;
    return found;
}

const struct search search_fast_marching = {
    .name = "fast-marching",
    .prepare = plain_prepare,
    .release = release,
    .run = run,
    .distance = distance,
    .changed = changed,
};

const struct search search_fast_marching_fine = {
    .name = "fast-marching-fine",
    .prepare = fine_prepare,
    .release = release,
    .run = run_fine,
    .distance = distance,
    .changed = changed,
};
