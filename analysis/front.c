/* SPDX-License-Identifier: MIT */
#include "front_listen.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double heading_error(const double g[2], const double u[2])
{
    if ((g[0] == 0 && g[1] == 0) || (u[0] == 0 && u[1] == 0))
        return (double)NAN;
    return fabs(atan2(g[0] * u[1] - g[1] * u[0], g[0] * u[0] + g[1] * u[1]));
}

static enum status check(const struct recording *recording, struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    struct box region = recording_region(recording), whole = grid_box(grid);
    if (grid->dims != 2)
        return error_set(error, STATUS_INPUT,
                         "%s: is of 3D, and fronts are measured in 2D",
                         recording_path(recording));
    if (memcmp(&region, &whole, sizeof whole) != 0)
        return error_set(error, STATUS_INPUT,
                         "%s: holds a part of the map alone; record without "
                         "record.region",
                         recording_path(recording));
    return STATUS_OK;
}

enum status front_open(struct front *front, const struct recording *recording,
                       int wave, struct error *error)
{
    struct emission emission;
    *front = (struct front){ 0 };
    enum status status = check(recording, error);
    if (!status)
        status = emission_first(recording, wave, &emission, error);
    if (!status)
        status =
            terrain_init(&front->terrain, recording_grid(recording), error);
    if (!status)
        status = recording_read_terrain(
            recording, "wall", recording_version_at(recording, emission.step),
            front->terrain.wall, error);
    if (status)
        return status;
    size_t cells = grid_cells(&front->terrain.grid);
    front->source =
        grid_index(&front->terrain.grid, emission.cell[0], emission.cell[1], 0);
    front->emitted = emission.step;
    front->step = memory_new(cells, sizeof *front->step);
    front->time = memory_new(cells, sizeof *front->time);
    front->heading = memory_new(cells, sizeof *front->heading);
    return front->step && front->time && front->heading ? STATUS_OK
                                                        : error_memory(error);
}

void front_release(struct front *front)
{
    terrain_release(&front->terrain);
    memory_release(front->step);
    memory_release(front->time);
    memory_release(front->heading);
    *front = (struct front){ 0 };
}

static enum status find_variables(struct following *f, int wave,
                                  struct error *error)
{
    static const char *const endings[] = { "", "_grad_x", "_grad_y" };
    size_t cells = grid_cells(&f->front->terrain.grid);
    for (int i = 0; i < 3; i++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "wave%d%s", wave, endings[i]);
        f->variable[i] = recording_find(f->recording, name);
        if (!f->variable[i] || variable_elements(f->variable[i]) != cells)
            return error_set(error, STATUS_INPUT,
                             "%s: %s is not recorded; record.fields with "
                             "\"amplitude\" and \"gradient\", and a wave that "
                             "there is",
                             recording_path(f->recording), name);
        f->row[i] = memory_new(cells, sizeof(double));
    }
    if (f->variable[0]->type != TYPE_FLOAT32 &&
        f->variable[0]->type != TYPE_FLOAT64)
        return error_set(error, STATUS_INPUT, "%s: wave%d is not of reals",
                         recording_path(f->recording), wave);
    f->raw = memory_new(cells, element_bytes(f->variable[0]->type));
    f->before = memory_new(cells, sizeof(double));
    f->earlier = memory_new(cells, sizeof(double));
    return f->raw && f->row[0] && f->row[1] && f->row[2] && f->before &&
                   f->earlier
               ? STATUS_OK
               : error_memory(error);
}

static enum status read_rows(struct following *f, int64_t row,
                             struct error *error)
{
    const struct variable *z = f->variable[0];
    enum status status = recording_read(f->recording, z, row, f->raw, error);
    for (size_t i = 0; i < variable_elements(z) && !status; i++)
        f->row[0][i] = z->type == TYPE_FLOAT32
                           ? (double)((const float *)f->raw)[i]
                           : ((const double *)f->raw)[i];
    for (int i = 1; i < 3 && !status; i++)
        status = recording_read_real(f->recording, f->variable[i], row,
                                     f->row[i], error);
    return status;
}

static enum status take_row(struct following *f, int64_t row, int64_t age,
                            struct error *error)
{
    enum status status = read_rows(f, row, error);
    if (!status)
        status = listen_on(f, age, error);
    if (status)
        return status;
    if (age > 0)
        listen_arrivals(f, age);
    if (age > 0 && f->toward)
        listen_lags(f, age);
    double *oldest = f->earlier;
    f->earlier = f->before;
    f->before = f->row[0];
    f->row[0] = oldest;
    f->front->rows++;
    return STATUS_OK;
}

/* From the emission to the next one, as long as the map stays what it is. */
static enum status take_rows(struct following *f,
                             const struct emission *emission,
                             struct error *error)
{
    const int64_t *steps = recording_steps(f->recording);
    size_t version = recording_version_at(f->recording, emission->step);
    int64_t row;
    enum status status =
        recording_row_of(f->recording, emission->step, &row, error);
    for (int64_t age = 0; !status && row < recording_rows(f->recording);
         age++, row++) {
        int64_t step = emission->step + age;
        if ((emission->next >= 0 && step >= emission->next) ||
            recording_version_at(f->recording, step) != version)
            break;
        if (steps[row] != step)
            return error_set(error, STATUS_INPUT,
                             "%s: not every step was recorded, so fronts are "
                             "not followed; record.every = 1",
                             recording_path(f->recording));
        status = take_row(f, row, age, error);
    }
    return status;
}

static enum status prepare(struct following *f, int wave,
                           struct emission *emission, struct error *error)
{
    struct front *front = f->front;
    f->rules = (struct arrival_rules){
        .settings = f->settings,
        .amplitude = recording_setting_real(f->recording, "wave.amplitude", 1),
        .lifetime =
            (int64_t)recording_setting_real(f->recording, "wave.lifetime", 1e9),
    };
    enum status status = find_variables(f, wave, error);
    if (!status)
        status = emission_first(f->recording, wave, emission, error);
    f->emission = emission;
    if (!status)
        status = listen_start(f, error);
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        front->step[i] = -1;
        front->time[i] = INFINITY;
    }
    front->step[front->source] = 0;
    front->time[front->source] = 0;
    return status;
}

enum status front_follow(struct front *front, const struct recording *recording,
                         int wave, const struct arrival_settings *settings,
                         const double (*toward)[2], struct error *error)
{
    struct following f = {
        .front = front,
        .recording = recording,
        .settings = settings,
        .toward = toward,
    };
    struct emission emission;
    enum status status = prepare(&f, wave, &emission, error);
    if (!status)
        status = take_rows(&f, &emission, error);
    if (!status && f.watches)
        listen_flux_lag(&f);
    first_arrival_release(&f.of_rows);
    own_wave_release(&f.own);
    memory_release(f.watches);
    memory_release(f.raw);
    for (int i = 0; i < 3; i++)
        memory_release(f.row[i]);
    memory_release(f.before);
    memory_release(f.earlier);
    return status;
}
