/* SPDX-License-Identifier: MIT */
/* Gathers a recording for its page: the visible rows, the agents' and the
 * target's paths; the frames are made by frames.c. */
#include "tools/report/report.h"

#include "base/memory.h"
#include "base/need.h"
#include "cli/again.h"
#include "recording/read/tables.h"

#include <math.h>
#include <string.h>

/* ---- the paths of agents and target ---- */

static const char *const agent_axes[] = { "agents/x", "agents/y", "agents/z" };
static const char *const target_axes[] = { "target/x", "target/y", "target/z" };

static void add_agent(struct report_run *run, int number, const char *name)
{
    struct report_agent *agent = &run->agents[run->agent_count];
    agent->number = number;
    snprintf(agent->name, sizeof agent->name, "%s", name);
    agent->at = need_memory(run->places, sizeof *agent->at);
    run->agent_count++;
}

/* Stores the positions of the agents, or only of the target. */
static void keep_row(struct report_run *run, bool target, double *const *values,
                     size_t place, double (*last)[GRID_AXES])
{
    for (size_t i = 0; i < run->agent_count; i++) {
        struct report_agent *agent = &run->agents[i];
        if (target != (agent->number < 0))
            continue;
        size_t from = target ? 0 : (size_t)agent->number;
        double at[GRID_AXES] = { 0 }, far = 0;
        for (int axis = 0; axis < grid_axes(recording_grid(run->recording));
             axis++)
            at[axis] = values[axis][from];
        for (int axis = 0; axis < GRID_AXES; axis++) {
            far = hypot(far, at[axis] - last[i][axis]);
            last[i][axis] = at[axis];
        }
        agent->path_length += place ? far : 0;
        for (int axis = 0; axis < GRID_AXES; axis++)
            agent->at[place][axis] = (float)at[axis];
    }
}

static enum status read_all(struct report_run *run, const char *const *names,
                            struct error *error)
{
    static double last[REPORT_AGENTS + 1][GRID_AXES];
    const struct recording *recording = run->recording;
    const struct variable *x = recording_find(recording, names[0]);
    double *values[GRID_AXES]; /* of each axis */
    enum status status = STATUS_OK;
    if (!x)
        return STATUS_OK;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        values[axis] = need_memory(variable_elements(x), sizeof *values[axis]);
    }
    for (size_t place = 0; place < run->places && !status; place++) {
        int axes = grid_axes(recording_grid(recording));
        for (int axis = 0; axis < axes && !status; axis++)
            status = recording_read_real(
                recording, recording_find(recording, names[axis]),
                run->place_rows[place], values[axis], error);
        if (!status)
            keep_row(run, names == target_axes, values, place, last);
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(values[axis]);
    return status;
}

static enum status report_agents_read(struct report_run *run,
                                      struct error *error)
{
    enum status status = STATUS_OK;
    size_t agents = run->info.agent_count;
    run->path_text = need_memory(run->places, REPORT_PLACE_SIZE);
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

/* The step at which the wave was last emitted, or −1. */
static int64_t last_sent(int wave, const struct emission_row *emissions,
                         size_t count)
{
    int64_t sent = -1;
    for (size_t i = 0; i < count; i++)
        if (emissions[i].wave == wave && emissions[i].step > sent)
            sent = emissions[i].step;
    return sent;
}

/* The view shown first, at the last step: the first one. If its wave was
 * emitted shortly before that step, it shows little but a dot; then it is the
 * first arrivals of this wave. */
static enum status choose_opening(struct report_run *run, struct error *error)
{
    struct emission_row *emissions;
    size_t count;
    const struct report_view *first = &run->views[0];
    if (report_view_is_map(first))
        return STATUS_OK;
    enum status status =
        emissions_read(run->recording, &emissions, &count, error);
    if (status)
        return status;
    int64_t last = report_last(run);
    int64_t sent = last_sent(first->wave, emissions, count);
    bool is_dot = sent >= 0 && 8 * (last - sent) < last;
    for (size_t i = run->view_count; i-- > 0 && is_dot;)
        if (run->views[i].wave == first->wave && !run->views[i].by_row)
            run->opening = i;
    memory_release(emissions);
    return STATUS_OK;
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
        if (!status)
            status = find_ground(&runs[i], options, error);
    }
    if (!status)
        status = report_frames_make(runs, count, options, error);
    for (size_t i = 0; i < count && !status; i++) {
        status = report_agents_read(&runs[i], error);
        if (!status)
            status = choose_opening(&runs[i], error);
    }
    return status;
}

void report_run_release(struct report_run *run)
{
    for (size_t i = 0; i < run->agent_count; i++)
        memory_release(run->agents[i].at);
    report_frames_release(run);
    memory_release(run->place_rows);
    memory_release(run->path_text);
    info_release(&run->info);
    recording_close(run->recording);
    *run = (struct report_run){ 0 };
}
