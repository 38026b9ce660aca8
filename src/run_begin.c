/* SPDX-License-Identifier: MIT */
/* How a run comes to its recording: laid out new, or found and gone on with, by
 * one process or by ranks together. */
#include "run_parts.h"

/* What the state of the file that was found is of, before anything is written:
 * a recording that is refused stays as it was. */
static enum status load_found(struct run *run, struct resumption *found,
                              struct error *error)
{
    struct ranks *ranks = run->options.ranks;
    uint64_t at = found ? resumption_state_at(found) : 0;
    if (found)
        run->rows = resumption_rows(found);
    ranks_tell(ranks, &at, sizeof at);
    ranks_tell(ranks, &run->rows, sizeof run->rows);
    return run_state_load(run, at, error);
}

/* The first rank holds what is found, and all load their parts of its state. */
static enum status find_shared(struct run *run, struct resumption **found,
                               struct error *error)
{
    struct ranks *ranks = run->options.ranks;
    enum status status = STATUS_OK;
    if (ranks_self(ranks) == 0)
        status = recorder_find(run->options.path, &run->plan.recording, NULL,
                               found, error);
    if (ranks_most(ranks, status))
        return status ? status : STATUS_FAILED;
    return load_found(run, *found, error);
}

/* The first rank's file; the others write in it when it is there. */
static enum status open_shared(struct run *run, struct error *error)
{
    struct ranks *ranks = run->options.ranks;
    const struct recording_plan *plan = &run->plan.recording;
    const char *path = run->options.path;
    struct resumption *found = NULL;
    bool first = ranks_self(ranks) == 0;
    enum status status = STATUS_OK;
    if (run->options.resume)
        status = find_shared(run, &found, error);
    if (status)
        resumption_release(found);
    else if (found)
        status = recorder_resume(found, &run->recorder, error);
    else if (first)
        status = recorder_create(path, plan, run->options.force, &run->recorder,
                                 error);
    if (ranks_most(ranks, status))
        return status ? status : STATUS_FAILED;
    run->under_way = true;
    if (!first)
        status = recorder_follow(path, plan, &run->recorder, error);
    if (!status)
        status = recorder_share(run->recorder, ranks,
                                &simulation_share(run->simulation)->own,
                                run->options.collective, error);
    return status ? status
                  : recorder_overlap(run->recorder, run->field_sets, error);
}

static enum status create(struct run *run, struct error *error)
{
    enum status status;
    if (run->options.ranks) {
        status = open_shared(run, error);
        return status ? status : run_look(run, error);
    }
    status = recorder_create(run->options.path, &run->plan.recording,
                             run->options.force, &run->recorder, error);
    if (!status)
        status = recorder_overlap(run->recorder, run->field_sets, error);
    return status ? status : run_look(run, error);
}

static enum status take_up(struct run *run, struct error *error)
{
    struct resumption *found;
    if (run->options.ranks)
        return open_shared(run, error);
    enum status status = recorder_find(run->options.path, &run->plan.recording,
                                       run->restart, &found, error);
    if (status)
        return status;
    status = load_found(run, found, error);
    if (status)
        resumption_release(found);
    else
        status = recorder_resume(found, &run->recorder, error);
    return status ? status
                  : recorder_overlap(run->recorder, run->field_sets, error);
}

static enum status go_on(struct run *run, struct error *error)
{
    const struct recording_plan *plan = &run->plan.recording;
    enum status status = take_up(run, error);
    if (status)
        return status;
    run->committed = run->rows;
    run->committed_step = simulation_step(run->simulation);
    while (run->version + 1 < plan->versions &&
           plan->version_steps[run->version + 1] <= run->committed_step)
        run->version++;
    /* The last step of a run makes no plans; with more steps it is not last. */
    return run_record_plans(run, error);
}

enum status run_begin(struct run *run, struct error *error)
{
    struct run_size size;
    enum status status = run_size(run, &size, error);
    if (status)
        return status;
    run->row_bytes = size.bytes / (uint64_t)size.rows;
    status = run_take_room(run, error);
    if (status)
        return status;
    run->commit_time = run_clock();
    return run->options.resume ? go_on(run, error) : create(run, error);
}
