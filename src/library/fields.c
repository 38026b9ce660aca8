/* SPDX-License-Identifier: MIT */
#include "library/handle.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static size_t region_cells(const struct recording *recording)
{
    const struct box box = recording_region(recording);
    size_t cells = 1;
    for (int axis = 0; axis < GRID_AXES; axis++)
        cells *= (size_t)(box.high[axis] - box.low[axis] + 1);
    return cells;
}

/* ---- maps ---- */

static enum status read_map(struct call *call,
                            const struct recording *recording, const char *name,
                            int64_t step, double *out)
{
    size_t cells = grid_cells(recording_grid(recording));
    const struct variable *variable = recording_find(recording, name);
    if (!variable || variable->rank < 3 ||
        strcmp(variable->axis[0], "version") != 0)
        return error_at(&call->made, STATUS_INPUT, recording_path(recording), 0,
                        "%s: the recording has no such map", name);
    size_t size = element_bytes(variable->type);
    char *values = memory_new(cells, size);
    if (!values)
        return error_memory(&call->made);
    enum status status = recording_read_terrain(
        recording, name, recording_version_at(recording, step), values,
        &call->made);
    if (!status)
        elements_real(variable->type, values, cells, out);
    memory_release(values);
    return status;
}

int hamon_read_map(const struct hamon_recording *recording, const char *name,
                   int64_t step, double *out, size_t count,
                   struct hamon_error *error)
{
    struct call call;
    call_begin(&call, error);
    if (!recording || !name || !out)
        return call_end(&call, call_null(&call, "hamon_read_map"));
    int64_t frames = recording_rows(recording->recording);
    const int64_t *steps = recording_steps(recording->recording);
    int64_t last = frames ? steps[frames - 1] : -1;
    enum status status = STATUS_OK;
    if (step < 0 || step > last)
        status = error_at(&call.made, STATUS_INPUT,
                          recording_path(recording->recording), 0,
                          "step %lld: the last recorded step is %lld",
                          (long long)step, (long long)last);
    if (!status)
        status =
            call_room(&call, recording, name,
                      grid_cells(recording_grid(recording->recording)), count);
    if (!status)
        status = read_map(&call, recording->recording, name, step, out);
    return call_end(&call, status);
}

/* ---- fields ---- */

/* The view of the last call, or a new one. Fields of angles or kinds can be
 * shown only in planes. */
static enum status open_view(struct call *call,
                             struct hamon_recording *recording,
                             const char *field, int wave)
{
    const struct view *kept = recording->view;
    if (kept && strcmp(kept->field->name, field) == 0 &&
        (!kept->field->of_wave || kept->wave == wave))
        return STATUS_OK;
    const struct field *found = field_find(field);
    bool whole = recording_grid(recording->recording)->dims == 3 && found &&
                 !found->angle && !found->kinds;
    const struct view_place place = { .axis = whole ? VIEW_WHOLE : -1 };
    struct view *made;
    enum status status = view_open(recording->recording, field, wave, &place,
                                   &made, &call->made);
    if (status)
        return status;
    view_release(recording->view);
    recording->view = made;
    return STATUS_OK;
}

static enum status read_planes(struct call *call, struct view *view,
                               int64_t frame, double *out)
{
    size_t cells = view_cells(view);
    int planes =
        view->whole ? 1 : view->region.high[2] - view->region.low[2] + 1;
    enum status status = STATUS_OK;
    for (int z = 0; z < planes && !status; z++, out += cells) {
        if (planes > 1)
            view_move(view, view->region.low[2] + z);
        status = view_read(view, frame, &call->made);
        if (!status)
            memcpy(out, view->values, cells * sizeof *out);
    }
    return status;
}

int hamon_read_field(struct hamon_recording *recording, const char *field,
                     int wave, int64_t frame, double *out, size_t count,
                     struct hamon_error *error)
{
    struct call call;
    call_begin(&call, error);
    if (!recording || !field || !out)
        return call_end(&call, call_null(&call, "hamon_read_field"));
    enum status status = call_frame(&call, recording, frame);
    if (!status)
        status = call_room(&call, recording, field,
                           region_cells(recording->recording), count);
    if (!status)
        status = open_view(&call, recording, field, wave);
    if (!status)
        status = read_planes(&call, recording->view, frame, out);
    return call_end(&call, status);
}

/* Writes the unit as for variables: a count ("per cell") follows the name. */
static void describe_unit(const struct field *field,
                          struct hamon_variable *made)
{
    static const struct {
        const char *unit, *units;
    } known[] = { { "", "1" }, { "degrees", "degree" }, { "cells", "cell" } };
    const size_t used = strlen(made->long_name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(field->unit, known[i].unit) == 0) {
            snprintf(made->units, sizeof made->units, "%s", known[i].units);
            return;
        }
    snprintf(made->units, sizeof made->units, "1");
    snprintf(made->long_name + used, sizeof made->long_name - used, ", %s",
             field->unit);
}

/* Names of the values of kinds, as flags: without blanks in them. */
static void describe_kinds(const struct field_kinds *kinds,
                           struct hamon_variable *made)
{
    size_t used = 0;
    for (int i = 0; i < kinds->count; i++) {
        if (used > 0 && used + 1 < sizeof made->flags)
            made->flags[used++] = ' ';
        for (const char *at = kinds->names[i];
             *at && used + 1 < sizeof made->flags; at++)
            if (*at != ',')
                made->flags[used++] = (char)(*at == ' ' ? '_' : *at);
    }
    made->units[0] = '\0'; /* they have no unit */
}

static void describe_field(const struct recording *recording,
                           const struct field *field, int wave,
                           struct hamon_variable *made)
{
    const struct box box = recording_region(recording);
    const int dims = recording_grid(recording)->dims;
    *made = (struct hamon_variable){ .type = HAMON_FLOAT64, .rank = dims };
    for (int i = 0; i < dims; i++) {
        const int axis = dims - 1 - i;
        made->extent[i] = box.high[axis] - box.low[axis] + 1;
        made->axis[i][0] = "xyz"[axis];
    }
    snprintf(made->name, sizeof made->name, "%s", field->name);
    field_describe(field, recording, wave, false, made->long_name,
                   sizeof made->long_name);
    describe_unit(field, made);
    if (field->kinds)
        describe_kinds(field->kinds, made);
}

int hamon_find_field(struct hamon_recording *recording, const char *field,
                     int wave, struct hamon_variable *variable,
                     struct hamon_error *error)
{
    struct call call;
    struct hamon_variable made;
    call_begin(&call, error);
    if (!recording || !field || !variable)
        return call_end(&call, call_null(&call, "hamon_find_field"));
    enum status status = open_view(&call, recording, field, wave);
    if (!status) {
        describe_field(recording->recording, recording->view->field, wave,
                       &made);
        status =
            call_give(&call, "hamon_find_field", &made, sizeof made, variable);
    }
    return call_end(&call, status);
}

/* ---- headings ---- */

static enum status open_headings(struct call *call,
                                 struct hamon_recording *recording, int wave)
{
    struct headings *made;
    if (recording->headings && recording->headings_wave == wave)
        return STATUS_OK;
    if (wave < 0 || wave >= recording_waves(recording->recording))
        return error_at(&call->made, STATUS_INPUT,
                        recording_path(recording->recording), 0,
                        "wave %d: there are %d waves, from 0 on", wave,
                        recording_waves(recording->recording));
    enum status status =
        headings_new(recording->recording, wave, &made, &call->made);
    if (status)
        return status;
    headings_release(recording->headings);
    recording->headings = made;
    recording->headings_wave = wave;
    return STATUS_OK;
}

static void take_headings(const struct hamon_recording *recording, double *out)
{
    const struct grid *world = recording_grid(recording->recording);
    const struct box box = recording_region(recording->recording);
    for (int z = box.low[2]; z <= box.high[2]; z++)
        for (int y = box.low[1]; y <= box.high[1]; y++)
            for (int x = box.low[0]; x <= box.high[0]; x++, out += GRID_AXES)
                headings_at(recording->headings, grid_index(world, x, y, z),
                            out);
}

int hamon_read_headings(struct hamon_recording *recording, int wave,
                        int64_t frame, double *out, size_t count,
                        struct hamon_error *error)
{
    struct call call;
    call_begin(&call, error);
    if (!recording || !out)
        return call_end(&call, call_null(&call, "hamon_read_headings"));
    enum status status = call_frame(&call, recording, frame);
    if (!status)
        status =
            call_room(&call, recording, "headings",
                      GRID_AXES * region_cells(recording->recording), count);
    if (!status)
        status = open_headings(&call, recording, wave);
    if (!status)
        status = headings_go_to(recording->headings,
                                recording_steps(recording->recording)[frame],
                                &call.made);
    if (!status)
        take_headings(recording, out);
    return call_end(&call, status);
}
