/* SPDX-License-Identifier: MIT */
#include "view/plans.h"

#include "base/memory.h"
#include "recording/read/tables.h"
#include "search/moves.h"
#include "search/pincer.h"

#include <string.h>

/* Computes where each path begins from the paths' lengths. */
static enum status find_paths(const struct recording *recording,
                              struct plans *plans, struct error *error)
{
    double *sizes = NULL;
    plans->first = memory_new((size_t)plans->count + 1, sizeof *plans->first);
    enum status status =
        plans->first ? table_column_read(recording, "plans/row_size",
                                         (size_t)plans->count, &sizes, error)
                     : error_memory(error);
    for (int64_t i = 0; i < plans->count && !status; i++) {
        if (!(sizes[i] >= 0))
            status = error_at(error, STATUS_INPUT, recording_path(recording), 0,
                              "plans/row_size: %g cells of a path", sizes[i]);
        else
            plans->first[i + 1] = plans->first[i] + (size_t)sizes[i];
    }
    memory_release(sizes);
    return status;
}

/* All cells of paths must be inside the map. */
static enum status check_cells(const struct recording *recording,
                               const struct plans *plans, struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int axis = 0; axis < grid_axes(grid); axis++)
        for (size_t i = 0; i < plans->first[plans->count]; i++) {
            double at = plans->cell[axis][i];
            if (!(at >= 0 && at < extent[axis]))
                return error_at(error, STATUS_INPUT, recording_path(recording),
                                0, "plans/%c: cell %g is outside the map",
                                "xyz"[axis], at);
        }
    return STATUS_OK;
}

static uint8_t kind_of(const char *method)
{
    static const struct {
        const char *method;
        enum plan_kind kind;
    } kinds[] = { { "pincer", PLAN_PINCER },
                  { "wave-pincer", PLAN_WAVE_PINCER },
                  { "relay", PLAN_NODES },
                  { "relay-complete", PLAN_NODES } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(method, kinds[i].method) == 0)
            return (uint8_t)kinds[i].kind;
    return PLAN_PATH;
}

/* The agents' methods, each read when first needed. */
static enum status read_kind(const struct recording *recording, double agent,
                             int16_t *known, struct error *error)
{
    char method[64];
    enum status status =
        recording_agent_text(recording, "agents/method", (size_t)agent, method,
                             sizeof method, error);
    if (!status)
        *known = kind_of(method);
    return status;
}

/* Counts the agents, of whom there are none if record.fields lacks "agents"; a
 * plan of any other agent is an error. */
static enum status count_agents(const struct recording *recording,
                                const struct plans *plans, size_t *agents,
                                struct error *error)
{
    const struct variable *x = recording_find(recording, "agents/x");
    size_t there = x ? variable_elements(x) : 0;
    *agents = there;
    for (int64_t i = 0; i < plans->count; i++)
        if (!(plans->agent[i] >= 0 && (!x || plans->agent[i] < (double)there)))
            return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                            "plans/agent: %g is not an agent", plans->agent[i]);
    return STATUS_OK;
}

/* By the methods of the agents that made them. */
static enum status find_kinds(const struct recording *recording,
                              struct plans *plans, struct error *error)
{
    enum { UNKNOWN = -1 };
    int16_t *known = NULL;
    size_t agents;
    enum status status = count_agents(recording, plans, &agents, error);
    plans->kindless = agents == 0;
    plans->kind = memory_new((size_t)plans->count, sizeof *plans->kind);
    if (!status && !(known = memory_new(agents, sizeof *known)))
        status = error_memory(error);
    if (!status && !plans->kind)
        status = error_memory(error);
    for (size_t i = 0; i < agents && !status; i++)
        known[i] = UNKNOWN;
    for (int64_t i = 0; i < plans->count && !status; i++) {
        if (plans->kindless) {
            plans->kind[i] = PLAN_PATH;
            continue;
        }
        int16_t *kind = &known[(size_t)plans->agent[i]];
        if (*kind == UNKNOWN)
            status = read_kind(recording, plans->agent[i], kind, error);
        if (!status)
            plans->kind[i] = (uint8_t)*kind;
    }
    memory_release(known);
    return status;
}

enum status plans_read(const struct recording *recording, struct plans *plans,
                       struct error *error)
{
    static const char *const names[] = { "plans/x", "plans/y", "plans/z" };
    *plans =
        (struct plans){ .count = recording_table_rows(recording, "plans") };
    if (plans->count < 1) {
        plans->count = 0;
        return STATUS_OK;
    }
    enum status status = table_column_read(
        recording, "plans/agent", (size_t)plans->count, &plans->agent, error);
    if (!status)
        status = table_column_read(recording, "plans/step",
                                   (size_t)plans->count, &plans->step, error);
    if (!status)
        status = find_kinds(recording, plans, error);
    if (!status)
        status = find_paths(recording, plans, error);
    int axes = grid_axes(recording_grid(recording));
    for (int axis = 0; axis < axes && !status; axis++)
        status = table_column_read(recording, names[axis],
                                   plans->first[plans->count],
                                   &plans->cell[axis], error);
    return status ? status : check_cells(recording, plans, error);
}

void plans_release(struct plans *plans)
{
    memory_release(plans->kind);
    memory_release(plans->agent);
    memory_release(plans->step);
    memory_release(plans->first);
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(plans->cell[axis]);
    *plans = (struct plans){ 0 };
}

int64_t plans_find(const struct plans *plans, int agent, int64_t step)
{
    for (int64_t i = plans->count - 1; i >= 0; i--)
        if ((int)plans->agent[i] == agent && plans->step[i] <= (double)step)
            return i;
    return -1;
}

static void color_path(const struct plans *plans, int64_t plan,
                       const struct grid *grid, int moves, uint8_t *color)
{
    for (size_t i = plans->first[plan]; i + 1 < plans->first[plan + 1]; i++) {
        int at[GRID_AXES] = { 0 };
        for (int axis = 0; axis < grid->dims; axis++)
            at[axis] = (int)plans->cell[axis][i];
        color[grid_index(grid, at[0], at[1], at[2])] = PINCER_YELLOW;
        for (int d = 0; d < moves; d++) {
            const int *step = moves_of(grid)[d].step;
            int to[GRID_AXES] = { at[0] + step[0], at[1] + step[1],
                                  at[2] + step[2] };
            if (!grid_holds(grid, to[0], to[1], to[2]))
                continue;
            uint8_t *beside = &color[grid_index(grid, to[0], to[1], to[2])];
            if (*beside == PINCER_WHITE)
                *beside = PINCER_GREEN;
        }
    }
}

/* The goal, at which all paths end, has no colour. */
static void clear_goal(const struct plans *plans, int64_t plan,
                       const struct grid *grid, uint8_t *color)
{
    if (plans->first[plan + 1] == plans->first[plan])
        return;
    size_t last = plans->first[plan + 1] - 1;
    int at[GRID_AXES] = { 0 };
    for (int axis = 0; axis < grid->dims; axis++)
        at[axis] = (int)plans->cell[axis][last];
    color[grid_index(grid, at[0], at[1], at[2])] = PINCER_WHITE;
}

static void color_round(const struct plans *plans, enum plan_kind kind,
                        const struct grid *grid, int moves, int64_t step,
                        uint8_t *color)
{
    int64_t last = plans->count - 1;
    while (last >= 0 &&
           (plans->kind[last] != kind || plans->step[last] > (double)step))
        last--;
    for (int64_t i = last - 1; i >= 0 && plans->step[i] == plans->step[last];
         i--)
        if (plans->kind[i] == kind)
            color_path(plans, i, grid, moves, color);
    for (int64_t i = last - 1; i >= 0 && plans->step[i] == plans->step[last];
         i--)
        if (plans->kind[i] == kind)
            clear_goal(plans, i, grid, color);
}

void plans_color(const struct plans *plans, const struct grid *grid, int moves,
                 int64_t step, uint8_t *color)
{
    memset(color, PINCER_WHITE, grid_cells(grid));
    if (moves_suit(moves, grid)) {
        color_round(plans, PLAN_PINCER, grid, moves, step, color);
        color_round(plans, PLAN_WAVE_PINCER, grid, moves, step, color);
    }
}
