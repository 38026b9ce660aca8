/* SPDX-License-Identifier: MIT */
#include "remedies.h"

#include "base/memory.h"
#include "pursuit/node_heading.h"
#include "wave/arrival/detector.h"
#include "wave/arrival/field.h"

#include <string.h>

enum status make_front(struct front *front, struct error *error)
{
    size_t cells = grid_cells(&front->terrain.grid);
    front->step = memory_new(cells, sizeof *front->step);
    front->time = memory_new(cells, sizeof *front->time);
    front->heading = memory_new(cells, sizeof *front->heading);
    if (!front->step || !front->time || !front->heading)
        return error_memory(error);
    memset(front->step, 0xff, cells * sizeof *front->step);
    return STATUS_OK;
}

struct look_around {
    const struct study *study;
    struct front *front;
    struct wave *wave;
    struct medium *medium;
    struct detection *detection;
    struct controlled controlled;
    void *z, *gx, *gy;
};

static double number(const struct look_around *around, const void *values,
                     size_t cell)
{
    return around->study->wave.precision == PRECISION_SINGLE
               ? (double)((const float *)values)[cell]
               : ((const double *)values)[cell];
}

static void head(const struct look_around *around, size_t cell, int64_t age)
{
    const struct grid *grid = &around->front->terrain.grid;
    double gradient[GRID_AXES] = { 0 }, unit[GRID_AXES];
    if (around->detection->detector->own_wave) {
        detection_slope(around->detection, cell, gradient);
    } else if (around->study->arrival.heading == HEADING_ARRIVAL_TIME) {
        int at[GRID_AXES];
        grid_cell(grid, cell, at);
        arrival_descent(grid, detection_times(around->detection),
                        (double[]){ at[0], at[1], 0 }, (double)age, gradient);
    } else {
        double z = number(around, around->z, cell);
        double sign = around->study->arrival.heading == HEADING_SIGNED
                          ? (z > 0) - (z < 0)
                          : 1;
        gradient[0] = sign * number(around, around->gx, cell);
        gradient[1] = sign * number(around, around->gy, cell);
    }
    heading_unit(gradient, unit);
    around->front->heading[cell][0] = unit[0];
    around->front->heading[cell][1] = unit[1];
}

static void take_generation(struct look_around *around, int64_t age)
{
    struct front *front = around->front;
    const bool own = around->detection->detector->own_wave;
    const int32_t *ages = detection_ages(around->detection);
    wave_copy(around->wave, around->z, NULL);
    detection_take(around->detection, around->z, age, NULL);
    if (age == 0)
        return;
    if (!own)
        wave_gradient(around->wave, around->gx, around->gy, NULL, NULL);
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++)
        if (ages[i] == age) {
            front->step[i] = (int32_t)age;
            front->time[i] =
                own ? (double)age : detection_times(around->detection)[i];
            head(around, i, age);
        }
}

static enum status open_around(struct look_around *around, struct error *error)
{
    const struct study *study = around->study;
    const struct terrain *terrain = &around->front->terrain;
    size_t cells = grid_cells(&terrain->grid);
    const struct detection_options options = {
        .settings = &study->arrival,
        .terrain = terrain,
        .amplitude = study->wave.amplitude,
        .width = study->wave.precision == PRECISION_SINGLE ? sizeof(float)
                                                           : sizeof(double),
        .ages = true,
        .times = true,
        .potential = study->sight > 0,
        .waves = &study->wave,
    };
    around->z = memory_new(cells, options.width);
    around->gx = memory_new(cells, options.width);
    around->gy = memory_new(cells, options.width);
    if (!around->z || !around->gx || !around->gy)
        return error_memory(error);
    enum status status =
        medium_new(terrain, &study->wave, &around->medium, error);
    if (status == STATUS_OK)
        status = wave_new(around->medium, &around->wave, error);
    if (status == STATUS_OK)
        status = detection_new(&options, &around->detection, error);
    if (status == STATUS_OK)
        status = controlled_init(&around->controlled, study, terrain, error);
    return status;
}

static void close_around(struct look_around *around)
{
    controlled_release(&around->controlled);
    detection_release(around->detection);
    wave_release(around->wave);
    medium_release(around->medium);
    memory_release(around->z);
    memory_release(around->gx);
    memory_release(around->gy);
}

static double potential(const void *context, size_t cell, bool *settled)
{
    return detection_potential(context, cell, settled);
}

/* By the choice among nodes, from the state after the emission has passed. */
static enum status head_to_nodes(struct look_around *around,
                                 struct error *error)
{
    struct front *front = around->front;
    struct trail trail;
    enum status status =
        trail_init(&trail, &front->terrain, potential, around->detection,
                   &around->detection->fall, error);
    trail_begin(&trail, (int64_t)front->source, 0);
    for (size_t i = 0; i < grid_cells(&front->terrain.grid) && !status; i++) {
        double unit[GRID_AXES];
        node_heading(&trail, around->study->sight, i, unit);
        front->heading[i][0] = unit[0];
        front->heading[i][1] = unit[1];
    }
    trail_release(&trail);
    return status;
}

enum status find_headings(const struct study *study, struct front *front,
                          struct error *error)
{
    struct look_around around = { .study = study, .front = front };
    enum status status = open_around(&around, error);
    if (status == STATUS_OK) {
        wave_emit(around.wave, front->source, 0);
        detection_begin(around.detection, front->source, NULL);
        take_generation(&around, 0);
        for (int64_t age = 1; age <= study->steps; age++) {
            wave_step(around.wave, NULL);
            controlled_apply(&around.controlled, around.wave, age);
            take_generation(&around, age);
        }
    }
    if (status == STATUS_OK && study->sight > 0)
        status = head_to_nodes(&around, error);
    close_around(&around);
    return status;
}
