/* SPDX-License-Identifier: MIT */
#include "draw/view.h"

#include "base/memory.h"
#include "draw/column.h"
#include "wave/arrival_field.h"

#include <stdio.h>
#include <string.h>

/* The wave's first emission, and when it goes out again (−1: it does not). */
struct emission {
    int64_t step, next;
    size_t cell; /* of the region */
};

enum { WAVE, STEP, PLACE, COLUMNS = PLACE + GRID_AXES };

static bool find_first(const struct view *view, double *const columns[COLUMNS],
                       int64_t rows, struct emission *emission,
                       int64_t cell[GRID_AXES])
{
    for (int64_t i = 0; i < rows; i++) {
        if (columns[WAVE][i] != view->wave)
            continue;
        int64_t step = (int64_t)columns[STEP][i];
        if (emission->step >= 0) {
            emission->next = step;
            return true;
        }
        emission->step = step;
        for (int axis = 0; axis < GRID_AXES; axis++)
            cell[axis] =
                columns[PLACE + axis] ? (int64_t)columns[PLACE + axis][i] : 0;
    }
    return emission->step >= 0;
}

static enum status find_emission(const struct view *view,
                                 struct emission *emission, struct error *error)
{
    static const char *const names[COLUMNS] = { "emissions/wave",
                                                "emissions/step", "emissions/x",
                                                "emissions/y", "emissions/z" };
    const struct recording *recording = view->recording;
    int64_t rows = recording_table_rows(recording, "emissions");
    double *columns[COLUMNS] = { 0 };
    int count = COLUMNS - (view->cut.block.dims == 2);
    enum status status = STATUS_OK;
    for (int i = 0; i < count && !status && rows > 0; i++)
        status = column_read(recording, names[i], rows, &columns[i], error);
    int64_t cell[GRID_AXES];
    if (!status &&
        (rows <= 0 || !find_first(view, columns, rows, emission, cell)))
        status = error_set(error, STATUS_INPUT, "%s: wave %d was never emitted",
                           recording_path(recording), view->wave);
    for (int i = 0; i < COLUMNS; i++)
        memory_release(columns[i]);
    if (status)
        return status;
    const struct box *box = &view->region;
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (cell[axis] < box->low[axis] || cell[axis] > box->high[axis])
            return error_set(error, STATUS_INPUT,
                             "%s: the source is outside the recorded region; "
                             "record.fields with \"arrival\" records arrivals",
                             recording_path(recording));
    emission->cell =
        grid_index(&view->cut.block, (int)cell[0] - box->low[0],
                   (int)cell[1] - box->low[1], (int)cell[2] - box->low[2]);
    return STATUS_OK;
}

/* The run's detector, from the settings it keeps. */
static enum status read_settings(const struct recording *recording,
                                 struct arrival_settings *settings,
                                 struct error *error)
{
    *settings = arrival_defaults;
    const char *name = recording_setting(recording, "arrival.detector");
    char plain[64] = "threshold";
    if (name) /* a libconfig value: its quotes fall away */
        snprintf(plain, sizeof plain, "%.*s",
                 (int)strcspn(name + (*name == '"'), "\""),
                 name + (*name == '"'));
    settings->detector = detector_find(plain);
    if (!settings->detector || !settings->detector->holds)
        return error_set(error, STATUS_INPUT,
                         "%s: arrivals of the detector '%s' are not worked out "
                         "from rows; record.fields with \"arrival\" records "
                         "them",
                         recording_path(recording), plain);
    settings->threshold = recording_setting_real(recording, "arrival.threshold",
                                                 settings->threshold);
    settings->cap =
        recording_setting_real(recording, "arrival.cap", settings->cap);
    settings->beta =
        recording_setting_real(recording, "arrival.beta", settings->beta);
    return STATUS_OK;
}

/* Feeds the rows from the emission on, while they are there one a step. */
static enum status feed(const struct view *view,
                        const struct variable *variable,
                        const struct emission *emission,
                        struct arrival_field *field, void *buffer,
                        struct error *error)
{
    const struct recording *recording = view->recording;
    const int64_t *steps = recording_steps(recording);
    int64_t row;
    enum status status =
        recording_row_of(recording, emission->step, &row, error);
    for (int64_t age = 0; !status && row < recording_rows(recording);
         age++, row++) {
        int64_t step = emission->step + age;
        if (emission->next >= 0 && step >= emission->next)
            break;
        if (steps[row] != step)
            return error_set(error, STATUS_INPUT,
                             "%s: not every step was recorded, so arrivals are "
                             "not worked out; record.every = 1, or "
                             "record.fields with \"arrival\"",
                             recording_path(recording));
        status = recording_read(recording, variable, row, buffer, error);
        if (!status)
            arrival_field_take(field, buffer, age, NULL);
    }
    return status;
}

enum status view_derive_arrival(const struct view *view, double *block,
                                struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", view->wave);
    const struct recording *recording = view->recording;
    const struct variable *variable = recording_find(recording, name);
    if (!variable ||
        (variable->type != TYPE_FLOAT32 && variable->type != TYPE_FLOAT64) ||
        variable_elements(variable) != grid_cells(&view->cut.block))
        return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                        "%s: is no wave over the region", name);
    struct arrival_settings settings;
    struct emission emission = { -1, -1, 0 };
    enum status status = read_settings(recording, &settings, error);
    if (!status)
        status = find_emission(view, &emission, error);
    if (status)
        return status;
    struct arrival_field_options options = {
        .settings = &settings,
        .amplitude = recording_setting_real(recording, "wave.amplitude", 1),
        .width = element_bytes(variable->type),
    };
    struct arrival_field field = { 0 };
    size_t cells = grid_cells(&view->cut.block);
    void *buffer = memory_new(cells, options.width);
    status = buffer
                 ? arrival_field_init(&field, &view->cut.block, &options, error)
                 : error_memory(error);
    if (!status) {
        arrival_field_begin(&field, emission.cell);
        status = feed(view, variable, &emission, &field, buffer, error);
        for (size_t i = 0; !status && i < cells; i++)
            block[i] = field.step[i];
        arrival_field_release(&field);
    }
    memory_release(buffer);
    return status;
}

enum status view_front_age(const struct view *view, int64_t step, int64_t *age,
                           struct error *error)
{
    struct emission emission = { -1, -1, 0 };
    enum status status = find_emission(view, &emission, error);
    if (status)
        return status;
    *age = step - emission.step;
    if (*age < 0 || (emission.next >= 0 && step >= emission.next))
        *age = -1;
    return STATUS_OK;
}
