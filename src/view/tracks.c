/* SPDX-License-Identifier: MIT */
#include "view/tracks.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static const char axis_letters[] = "xyz";

size_t tracks_agents(const struct recording *recording)
{
    const struct variable *x = recording_find(recording, "agents/x");
    return x ? variable_elements(x) : 0;
}

static enum status agent_name(const struct recording *recording, size_t agent,
                              char name[TRACK_NAME_SIZE], struct error *error)
{
    return recording_agent_text(recording, "agents/name", agent, name,
                                TRACK_NAME_SIZE, error);
}

static enum status no_agent(const struct recording *recording,
                            const char *wanted, struct error *error)
{
    char all[512] = "";
    size_t count = tracks_agents(recording);
    for (size_t i = 0; i < count; i++) {
        char name[TRACK_NAME_SIZE];
        if (agent_name(recording, i, name, error))
            return STATUS_INPUT;
        size_t used = strlen(all);
        if (used > sizeof all - TRACK_NAME_SIZE - 8) {
            snprintf(all + used, sizeof all - used, " …");
            break;
        }
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", name);
    }
    return error_set(error, STATUS_INPUT, "%s: no agent '%s'; there %s %s",
                     recording_path(recording), wanted,
                     count == 1 ? "is" : "are", count ? all : "none");
}

static enum status find_agent(const struct recording *recording,
                              const char *wanted, size_t *agent,
                              struct error *error)
{
    size_t count = tracks_agents(recording);
    for (*agent = 0; *agent < count; ++*agent) {
        char name[TRACK_NAME_SIZE];
        enum status status = agent_name(recording, *agent, name, error);
        if (status)
            return status;
        if (strcmp(name, wanted) == 0)
            return STATUS_OK;
    }
    return no_agent(recording, wanted, error);
}

static enum status make_track(const struct recording *recording,
                              struct tracks *tracks, int number,
                              struct error *error)
{
    struct track *track = &tracks->track[tracks->count++];
    track->number = number;
    snprintf(track->name, sizeof track->name, "target");
    track->state = memory_new((size_t)tracks->rows, sizeof *track->state);
    if (!track->state)
        return error_memory(error);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        track->at[axis] = memory_new((size_t)tracks->rows, sizeof(double));
        track->heading[axis] = memory_new((size_t)tracks->rows, sizeof(double));
        if (!track->at[axis] || !track->heading[axis])
            return error_memory(error);
    }
    return number < 0
               ? STATUS_OK
               : agent_name(recording, (size_t)number, track->name, error);
}

enum row { ROW_PLACE, ROW_HEADING, ROW_STATE };

/* Reads one variable, with an element for each agent, into the tracks. */
static enum status read_row(const struct recording *recording,
                            struct tracks *tracks, bool target, enum row of,
                            int axis, struct error *error)
{
    char name[VARIABLE_NAME_SIZE] = "agents/state";
    if (of != ROW_STATE)
        snprintf(name, sizeof name, "%s/%s%c", target ? "target" : "agents",
                 of == ROW_HEADING ? "heading_" : "", axis_letters[axis]);
    const struct variable *variable = recording_find(recording, name);
    if (!variable)
        return STATUS_OK;
    size_t elements = variable_elements(variable);
    double *row = memory_new(elements, sizeof *row);
    if (!row)
        return error_memory(error);
    enum status status = STATUS_OK;
    for (int64_t k = 0; k < tracks->rows && !status; k++) {
        status = recording_read_real(recording, variable, k, row, error);
        for (size_t i = 0; i < tracks->count && !status; i++) {
            struct track *track = &tracks->track[i];
            if (target != (track->number < 0) ||
                (!target && (size_t)track->number >= elements))
                continue;
            const double value = row[target ? 0 : track->number];
            if (of == ROW_STATE)
                track->state[k] = (int8_t)value;
            else
                (of == ROW_HEADING ? track->heading : track->at)[axis][k] =
                    value;
        }
    }
    memory_release(row);
    return status;
}

enum status tracks_read(const struct recording *recording, int64_t rows,
                        const char *const *names, size_t name_count,
                        struct tracks *tracks, struct error *error)
{
    size_t agents = name_count ? name_count : tracks_agents(recording);
    *tracks = (struct tracks){ .rows = rows };
    tracks->track = memory_new(agents + 1, sizeof *tracks->track);
    if (!tracks->track)
        return error_memory(error);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < agents && !status; i++) {
        size_t agent = i;
        if (name_count)
            status = find_agent(recording, names[i], &agent, error);
        if (!status)
            status = make_track(recording, tracks, (int)agent, error);
    }
    bool target = recording_find(recording, "target/x") != NULL;
    if (!status && target)
        status = make_track(recording, tracks, -1, error);
    int dims = recording_grid(recording)->dims;
    for (int axis = 0; axis < dims; axis++)
        for (int what = 0; what < 4 && !status; what++)
            status = read_row(recording, tracks, what & 1,
                              what & 2 ? ROW_HEADING : ROW_PLACE, axis, error);
    return status ? status
                  : read_row(recording, tracks, false, ROW_STATE, 0, error);
}

void tracks_release(struct tracks *tracks)
{
    for (size_t i = 0; i < tracks->count; i++) {
        for (int axis = 0; axis < GRID_AXES; axis++) {
            memory_release(tracks->track[i].at[axis]);
            memory_release(tracks->track[i].heading[axis]);
        }
        memory_release(tracks->track[i].state);
    }
    memory_release(tracks->track);
    *tracks = (struct tracks){ 0 };
}
