/* SPDX-License-Identifier: MIT */
/* Gathers a recording for its page: the visible rows, the agents' and the
 * target's paths; the frames are made by frames.c. */
#include "tools/report/report.h"

#include "base/memory.h"
#include "base/need.h"
#include "cli/again.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the paths of agents and target ---- */

/* Positions and headings; a recording of an older version may lack some. */
#define AXES(of)                                                               \
    {                                                                          \
        of "/x", of "/y", of "/z", of "/heading_x", of "/heading_y",           \
            of "/heading_z"                                                    \
    }
enum { COLUMNS = 2 * GRID_AXES };
static const char *const agent_axes[COLUMNS] = AXES("agents");
static const char *const target_axes[COLUMNS] = AXES("target");

static void add_agent(struct report_run *run, int number, const char *name)
{
    struct report_agent *agent = &run->agents[run->agent_count];
    agent->number = number;
    snprintf(agent->name, sizeof agent->name, "%s", name);
    agent->at = need_memory(run->places, sizeof *agent->at);
    run->agent_count++;
}

/* Stores the row of the agents, or only of the target. */
static void keep_row(struct report_run *run, bool target, double *const *values,
                     size_t place)
{
    for (size_t i = 0; i < run->agent_count; i++) {
        struct report_agent *agent = &run->agents[i];
        if (target != (agent->number < 0))
            continue;
        const size_t from = target ? 0 : (size_t)agent->number;
        double far = 0;
        for (int k = 0; k < COLUMNS; k++)
            agent->at[place][k] = values[k][from];
        for (int axis = 0; axis < GRID_AXES && place; axis++)
            far =
                hypot(far, agent->at[place][axis] - agent->at[place - 1][axis]);
        agent->path_length += far;
    }
}

static enum status read_all(struct report_run *run, const char *const *names,
                            struct error *error)
{
    const struct recording *recording = run->recording;
    const struct variable *x = recording_find(recording, names[0]);
    double *values[COLUMNS]; /* of each column, 0 if it does not exist */
    enum status status = STATUS_OK;
    if (!x)
        return STATUS_OK;
    for (int k = 0; k < COLUMNS; k++)
        values[k] = need_memory(variable_elements(x), sizeof *values[k]);
    for (size_t place = 0; place < run->places && !status; place++) {
        for (int k = 0; k < COLUMNS && !status; k++) {
            const struct variable *column = recording_find(recording, names[k]);
            if (column)
                status = recording_read_real(recording, column,
                                             run->place_rows[place], values[k],
                                             error);
        }
        if (!status)
            keep_row(run, names == target_axes, values, place);
    }
    for (int k = 0; k < COLUMNS; k++)
        memory_release(values[k]);
    return status;
}

static enum status report_agents_read(struct report_run *run,
                                      struct error *error)
{
    enum status status = STATUS_OK;
    size_t agents = run->info.agent_count;
    for (size_t i = 0; i < agents && i < REPORT_AGENTS && !status; i++)
        add_agent(run, (int)i, run->info.agents[i].name);
    if (recording_find(run->recording, target_axes[0]))
        add_agent(run, -1, "target");
    if (!status)
        status = read_all(run, agent_axes, error);
    if (!status)
        status = read_all(run, target_axes, error);
    return status;
}

/* ---- the recordings ---- */

static enum status check_waves(const struct report_run *run,
                               const struct report_options *options,
                               struct error *error)
{
    for (size_t i = 0; i < options->wave_count; i++)
        if (options->waves[i] >= view_waves(run->recording))
            return error_set(error, STATUS_INPUT,
                             "%s: no wave %lld; it has %d waves, from 0 on",
                             recording_path(run->recording),
                             (long long)options->waves[i],
                             view_waves(run->recording));
    return STATUS_OK;
}

/* The layers that have their own view, by the map of the first row: in 3D the
 * given plane, or the floors. Otherwise all layers are seen as one. */
static void find_layers(struct report_run *run, const struct view *view,
                        struct view_place *place)
{
    bool asked = place->axis >= 0;
    if (view->cut.block.dims == 2)
        return;
    if (asked)
        layers_of_plane(view, &run->layers);
    else if (layers_has_floors(view))
        layers_of_floors(view, &run->layers);
    else
        run->flattened = place->most = true;
    if (!asked && run->checked_count)
        run->flattened = place->most = true;
    if (!asked && !run->flattened)
        *place = (struct view_place){ .axis = 2, .at = run->layers.at[0] };
}

/* The visible area, from a view that is opened for it. */
static enum status find_ground(struct report_run *run,
                               const struct report_options *options,
                               struct error *error)
{
    struct view *view;
    run->place = options->place;
    enum status status =
        view_open(run->recording, "walls", 0, &run->place, &view, error);
    if (status)
        return status;
    status = view_read(view, run->place_rows[0], error);
    if (!status)
        find_layers(run, view, &run->place);
    run->along = view->cut.block.dims == 2 ? -1 : view->cut.axis;
    run->nx = view->cut.nx;
    run->ny = view->cut.ny;
    run->right = view->cut.right;
    run->down = view->cut.down;
    run->origin[0] = view->region.low[run->right];
    run->origin[1] = view->region.low[run->down];
    view_release(view);
    return status;
}

static enum status open_run(const struct cli *cli, const char *path,
                            const struct report_options *options,
                            struct report_run *run, struct error *error)
{
    enum status status = again_open(cli, path, &run->recording, error);
    if (!status)
        status = info_init(&run->info, run->recording, false, error);
    if (!status && recording_rows(run->recording) < 1)
        status = error_set(error, STATUS_INPUT,
                           "%s: it has no frame yet; wait for its first commit",
                           path);
    return status ? status : check_waves(run, options, error);
}

enum status report_runs_open(const struct cli *cli, char *const *paths,
                             size_t count, const struct report_options *options,
                             struct report_run *runs, struct error *error)
{
    enum status status = STATUS_OK;
    int64_t rows = 1; /* the minimum over the recordings */
    for (size_t i = 0; i < count && !status; i++) {
        status = open_run(cli, paths[i], options, &runs[i], error);
        if (!status && recording_rows(runs[i].recording) > rows)
            rows = recording_rows(runs[i].recording);
    }
    /* One stride for all, so that they keep the same steps. */
    for (size_t i = 0; i < count && !status; i++) {
        report_places_choose(&runs[i],
                             (rows + REPORT_PLACES - 1) / REPORT_PLACES);
        status = report_live_find(&runs[i], options, error);
        if (!status)
            status = find_ground(&runs[i], options, error);
    }
    if (!status)
        status = report_frames_make(runs, count, options, error);
    for (size_t i = 0; i < count && !status; i++) {
        status = report_agents_read(&runs[i], error);
        if (!status)
            status = report_data_make(runs, i, error);
        if (!status && options->sweep)
            status = measured_init(&runs[i].measured, runs[i].recording,
                                   MEASURED_REACH, error);
    }
    return status;
}

void report_run_release(struct report_run *run)
{
    for (size_t i = 0; i < run->agent_count; i++)
        memory_release(run->agents[i].at);
    report_frames_release(run);
    memory_release(run->place_rows);
    free(run->data);
    memory_release(run->map);
    measured_release(&run->measured);
    info_release(&run->info);
    recording_close(run->recording);
    *run = (struct report_run){ 0 };
}
