/* SPDX-License-Identifier: MIT */
#include "search/search.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>
#include <time.h>

const struct search *const searches[] = {
    &search_lee,
    &search_dijkstra,
    &search_astar,
    &search_fast_marching,
    &search_fast_marching_fine,
    &search_dstar_lite,
    &search_exact,
    NULL,
};

const char *const search_outcome_names[] = {
    [SEARCH_FOUND] = "found",
    [SEARCH_UNREACHABLE] = "no path",
    [SEARCH_START_BLOCKED] = "the start is in a wall",
    [SEARCH_GOAL_BLOCKED] = "the goal is in a wall",
};

const struct search *search_find(const char *name)
{
    for (int i = 0; searches[i]; i++)
        if (strcmp(searches[i]->name, name) == 0)
            return searches[i];
    return NULL;
}

enum status search_workspace_new(const struct search *search,
                                 const struct passages *passages,
                                 const struct terrain *terrain,
                                 struct search_workspace **workspace,
                                 struct error *error)
{
    struct search_workspace *w = memory_new(1, sizeof *w);
    if (!w)
        return error_memory(error);
    size_t cells = grid_cells(&passages->grid);
    *w = (struct search_workspace){
        .search = search,
        .passages = passages,
        .terrain = terrain,
        .path = memory_new(cells, sizeof *w->path),
        .memory = sizeof *w + cells * sizeof *w->path,
    };
    enum status status =
        w->path ? search->prepare(w, error) : error_memory(error);
    if (status)
        search_workspace_release(w);
    else
        *workspace = w;
    return status;
}

void search_workspace_release(struct search_workspace *w)
{
    if (!w)
        return;
    if (w->state)
        w->search->release(w);
    memory_release(w->path);
    memory_release(w);
}

int64_t search_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool blocked(const struct search_workspace *w, size_t cell)
{
    return cell >= grid_cells(&w->passages->grid) ||
           w->passages->wall[passages_index(w->passages, cell)];
}

double search_path_length(const struct search_workspace *w)
{
    int count[GRID_AXES + 1] = { 0 }, at[GRID_AXES], to[GRID_AXES];
    for (size_t i = 0; i < w->path_count; i++) {
        grid_cell(&w->passages->grid, (size_t)w->path[i], to);
        if (i > 0)
            count[(at[0] != to[0]) + (at[1] != to[1]) + (at[2] != to[2])]++;
        memcpy(at, to, sizeof at);
    }
    return count[1] + count[2] * sqrt(2) + count[3] * sqrt(3);
}

bool search_run(struct search_workspace *w, const struct search_query *query,
                struct search_result *result)
{
    *result = (struct search_result){ .cost = INFINITY,
                                      .length = INFINITY,
                                      .memory = w->memory };
    w->path_count = 0;
    int64_t start = search_nanoseconds();
    if (blocked(w, query->from))
        result->outcome = SEARCH_START_BLOCKED;
    else if (query->to != SEARCH_EVERYWHERE && blocked(w, query->to))
        result->outcome = SEARCH_GOAL_BLOCKED;
    else if (!w->search->run(w, query, result))
        result->outcome = SEARCH_UNREACHABLE;
    result->nanoseconds = search_nanoseconds() - start;
    if (result->outcome != SEARCH_FOUND || query->to == SEARCH_EVERYWHERE)
        return result->outcome == SEARCH_FOUND;
    result->path = w->path;
    result->path_count = w->path_count;
    if (!isfinite(result->length))
        result->length = search_path_length(w);
    return true;
}

double search_distance(const struct search_workspace *w, size_t cell)
{
    return blocked(w, cell) ? INFINITY : w->search->distance(w, cell);
}

enum status search_changed(struct search_workspace *w, const struct box *box,
                           struct error *error)
{
    return w->search->changed ? w->search->changed(w, box, error) : STATUS_OK;
}
