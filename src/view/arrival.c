/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include "base/memory.h"
#include "view/own_wave.h"

#include <stdio.h>

/* The state while the frames are read. */
struct deriving {
    const struct view *view;
    struct terrain terrain; /* of the region: only walls */
    size_t version;         /* version of the map of these walls */
    uint8_t *world;         /* walls of the whole map */
    void *row;
    struct detection *detection;
};

static enum status read_walls(struct deriving *d, size_t version,
                              struct error *error)
{
    const struct recording *recording = d->view->recording;
    const struct grid *grid = &d->terrain.grid;
    const int *low = d->view->region.low;
    enum status status =
        recording_read_terrain(recording, "wall", version, d->world, error);
    for (size_t i = 0; i < grid_cells(grid) && !status; i++) {
        int at[GRID_AXES];
        grid_cell(grid, i, at);
        d->terrain.wall[i] =
            d->world[grid_index(recording_grid(recording), at[0] + low[0],
                                at[1] + low[1], at[2] + low[2])];
    }
    d->version = version;
    return status;
}

/* Takes the frame of a step; if the map has changed since the last one, first
 * that. */
static enum status take_row(struct deriving *d, const struct variable *variable,
                            int64_t row, int64_t step, int64_t age,
                            struct error *error)
{
    const struct recording *recording = d->view->recording;
    size_t version = recording_version_at(recording, step);
    enum status status = STATUS_OK;
    if (version != d->version) {
        struct box all = grid_box(&d->terrain.grid);
        status = read_walls(d, version, error);
        detection_update(d->detection, &all);
    }
    if (!status)
        status = recording_read(recording, variable, row, d->row, error);
    if (!status)
        detection_take(d->detection, d->row, age, NULL);
    return status;
}

/* Takes the frames from the emission on, as long as there is one for each
 * step. */
static enum status feed(struct deriving *d, const struct variable *variable,
                        const struct emission *emission, struct error *error)
{
    const struct recording *recording = d->view->recording;
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
                             "%s: not every step was recorded, so arrivals "
                             "cannot be computed; record with record.every = "
                             "1, or record.fields with \"arrival\"",
                             recording_path(recording));
        status = take_row(d, variable, row, step, age, error);
    }
    return status;
}

static enum status prepare(struct deriving *d,
                           const struct arrival_settings *settings,
                           size_t width, int64_t step, struct error *error)
{
    const struct recording *recording = d->view->recording;
    const struct detection_options options = {
        .settings = settings,
        .terrain = &d->terrain,
        .world = recording_grid(recording),
        .low = d->view->region.low,
        .amplitude = recording_setting_real(recording, "wave.amplitude", 1),
        .width = width,
        .ages = true,
    };
    d->row = memory_new(grid_cells(&d->view->cut.block), width);
    d->world = memory_new(grid_cells(recording_grid(recording)), 1);
    enum status status = d->row && d->world ? STATUS_OK : error_memory(error);
    if (!status)
        status = terrain_init(&d->terrain, &d->view->cut.block, error);
    if (!status)
        status = read_walls(d, recording_version_at(recording, step), error);
    return status ? status : detection_new(&options, &d->detection, error);
}

static double step_of(int32_t age, int64_t emitted)
{
    return age >= 0 ? (double)(emitted + age) : -1;
}

static enum status derive_from_rows(struct deriving *d,
                                    const struct variable *variable,
                                    const struct arrival_settings *settings,
                                    const struct emission *emission,
                                    double *block, struct error *error)
{
    enum status status = prepare(d, settings, element_bytes(variable->type),
                                 emission->step, error);
    if (status)
        return status;
    const int *cell = emission->cell;
    detection_begin(d->detection,
                    grid_index(recording_grid(d->view->recording), cell[0],
                               cell[1], cell[2]),
                    NULL);
    status = feed(d, variable, emission, error);
    const int32_t *ages = detection_ages(d->detection);
    for (size_t i = 0; i < grid_cells(&d->terrain.grid) && !status; i++)
        block[i] = step_of(ages[i], emission->step);
    return status;
}

/* Up to and including the step of the next emission: before it the run also
 * tested for arrivals. */
static enum status derive_own(const struct view *view,
                              const struct arrival_settings *settings,
                              const struct emission *emission, double *block,
                              struct error *error)
{
    const struct recording *recording = view->recording;
    const struct grid *grid = &view->cut.block;
    struct own_wave own;
    int64_t last = recording_steps(recording)[recording_rows(recording) - 1];
    if (emission->next >= 0 && emission->next < last)
        last = emission->next;
    enum status status =
        own_wave_open(&own, recording, settings, emission, false, error);
    if (!status)
        status = own_wave_go_to(&own, last, error);
    for (size_t i = 0; i < grid_cells(grid) && !status; i++) {
        const int *low = view->region.low;
        int at[GRID_AXES];
        grid_cell(grid, i, at);
        size_t cell = grid_index(&own.terrain.grid, at[0] + low[0],
                                 at[1] + low[1], at[2] + low[2]);
        block[i] = step_of(detection_ages(own.detection)[cell], emission->step);
    }
    own_wave_release(&own);
    return status;
}

static enum status check_variable(const struct view *view, const char *name,
                                  const struct variable *variable,
                                  struct error *error)
{
    if (variable &&
        (variable->type == TYPE_FLOAT32 || variable->type == TYPE_FLOAT64) &&
        variable_elements(variable) == grid_cells(&view->cut.block))
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, recording_path(view->recording), 0,
                    "%s: is not a wave over the region", name);
}

enum status view_derive_arrival(const struct view *view, double *block,
                                struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", view->wave);
    const struct recording *recording = view->recording;
    const struct variable *variable = recording_find(recording, name);
    struct arrival_settings settings = { 0 };
    struct emission emission = { 0 };
    struct deriving d = { .view = view };
    enum status status = check_variable(view, name, variable, error);
    if (!status)
        status = arrival_settings_of(recording, &settings, error);
    if (!status)
        status = emission_first(recording, view->wave, &emission, error);
    if (!status && settings.detector->own_wave)
        status = derive_own(view, &settings, &emission, block, error);
    else if (!status)
        status =
            derive_from_rows(&d, variable, &settings, &emission, block, error);
    detection_release(d.detection);
    terrain_release(&d.terrain);
    memory_release(d.world);
    memory_release(d.row);
    return status;
}
