/* SPDX-License-Identifier: MIT */
#include "draw/view.h"

#include "base/memory.h"
#include "draw/arrival_run.h"
#include "wave/arrival_field.h"

#include <stdio.h>

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
    struct emission emission;
    enum status status = arrival_settings_of(recording, &settings, error);
    if (!status)
        status = emission_first(recording, view->wave, &emission, error);
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
        const int *low = view->region.low, *cell = emission.cell;
        arrival_field_begin(&field,
                            grid_index(&view->cut.block, cell[0] - low[0],
                                       cell[1] - low[1], cell[2] - low[2]));
        status = feed(view, variable, &emission, &field, buffer, error);
        for (size_t i = 0; !status && i < cells; i++)
            block[i] = field.step[i] > 0
                           ? (double)(emission.step + field.step[i])
                           : field.step[i];
        arrival_field_release(&field);
    }
    memory_release(buffer);
    return status;
}
