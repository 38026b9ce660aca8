/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "base/memory.h"
#include "recording/tables.h"

#include <string.h>

int64_t report_step(const struct report_run *run, size_t place)
{
    return recording_steps(run->recording)[run->place_rows[place]];
}

int64_t report_last(const struct report_run *run)
{
    return report_step(run, run->places - 1);
}

/* All rows, or as many as are kept, the last among them. */
static enum status choose_places(struct report_run *run, struct error *error)
{
    int64_t rows = recording_rows(run->recording);
    if (rows < 1)
        return error_set(error, STATUS_INPUT, "%s: holds no row yet",
                         recording_path(run->recording));
    int64_t places = rows < REPORT_PLACES ? rows : REPORT_PLACES;
    run->place_rows = memory_new((size_t)places, sizeof *run->place_rows);
    if (!run->place_rows)
        return error_memory(error);
    for (int64_t i = 0; i < places; i++)
        run->place_rows[i] = places > 1 ? i * (rows - 1) / (places - 1) : 0;
    run->places = (size_t)places;
    return STATUS_OK;
}

static enum status check_waves(const struct report_run *run,
                               const struct report_options *options,
                               struct error *error)
{
    for (size_t i = 0; i < options->wave_count; i++)
        if (options->waves[i] >= recording_waves(run->recording))
            return error_set(
                error, STATUS_INPUT, "%s: no wave %lld; it has %d, from 0 on",
                recording_path(run->recording), (long long)options->waves[i],
                recording_waves(run->recording));
    return STATUS_OK;
}

/* What is in view, from a view that is opened for it. */
static enum status find_ground(struct report_run *run,
                               const struct report_options *options,
                               struct error *error)
{
    struct view *view;
    enum status status =
        view_open(run->recording, "walls", 0, &options->place, &view, error);
    if (status)
        return status;
    run->nx = view->cut.nx;
    run->ny = view->cut.ny;
    run->right = view->cut.right;
    run->down = view->cut.down;
    run->origin[0] = view->region.low[run->right];
    run->origin[1] = view->region.low[run->down];
    view_release(view);
    return STATUS_OK;
}

/* The frame that is seen first: the last one in which the first view's wave has
 * gone some way since it was sent, for at an emission there is but a dot. */
static enum status choose_start(struct report_run *run, struct error *error)
{
    struct emission_row *emissions;
    size_t count;
    run->start = run->frame_count - 1;
    if (report_view_is_map(&run->views[0]))
        return STATUS_OK;
    enum status status =
        emissions_read(run->recording, &emissions, &count, error);
    if (status)
        return status;
    int64_t last = report_last(run);
    for (size_t frame = run->frame_count; frame-- > 0;) {
        int64_t step = report_step(run, run->frames[frame]), sent = -1;
        for (size_t i = 0; i < count; i++)
            if (emissions[i].wave == run->views[0].wave &&
                emissions[i].step <= step && emissions[i].step > sent)
                sent = emissions[i].step;
        if (sent >= 0 && 8 * (step - sent) >= last) {
            run->start = frame;
            break;
        }
    }
    memory_release(emissions);
    return STATUS_OK;
}

enum status report_run_open(const char *path,
                            const struct report_options *options,
                            struct report_run *run, struct error *error)
{
    *run = (struct report_run){ 0 };
    struct report_options own = *options;
    enum status status = recording_open(path, &run->recording, error);
    if (!status)
        status = info_init(&run->info, run->recording, false, error);
    if (!status)
        status = choose_places(run, error);
    if (!status)
        status = check_waves(run, options, error);
    if (!status && recording_grid(run->recording)->dims == 3 &&
        own.place.axis < 0)
        run->flattened = own.place.most = true;
    if (!status)
        status = find_ground(run, &own, error);
    if (!status)
        status = report_frames_make(run, &own, error);
    if (!status)
        status = report_agents_read(run, error);
    if (!status)
        status = choose_start(run, error);
    return status;
}

void report_run_release(struct report_run *run)
{
    for (size_t i = 0; i < run->agent_count; i++)
        memory_release(run->agents[i].at);
    report_frames_release(run);
    memory_release(run->place_rows);
    memory_release(run->way_text);
    info_release(&run->info);
    recording_close(run->recording);
    *run = (struct report_run){ 0 };
}
