/* SPDX-License-Identifier: MIT */
#include "front.h"

#include "base/memory.h"
#include "wave/arrival_field.h"

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

/* What is held while the rows go by. */
struct following {
    struct front *front;
    const struct recording *recording;
    const struct arrival_settings *settings;
    const double (*toward)[2];
    struct arrival_field field;
    const struct variable *variable[3]; /* z, its slope along x and y */
    double *row[3], *before, *earlier;  /* rows of these, and z before */
};

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
    f->before = memory_new(cells, sizeof(double));
    f->earlier = memory_new(cells, sizeof(double));
    return f->row[0] && f->row[1] && f->row[2] && f->before && f->earlier
               ? STATUS_OK
               : error_memory(error);
}

/* The heading that the rule reads from the row at a cell. */
static bool read_heading(const struct following *f, size_t cell, int64_t age,
                         double heading[2])
{
    double unit[GRID_AXES] = { 0 };
    bool good;
    if (f->settings->heading == HEADING_ARRIVAL_TIME) {
        const struct grid *grid = &f->front->terrain.grid;
        int at[GRID_AXES];
        grid_cell(grid, cell, at);
        double place[GRID_AXES] = { at[0], at[1], 0 };
        good = arrival_descent(grid, f->field.time, place, (double)age, unit);
    } else {
        double sign =
            f->settings->heading == HEADING_SIGNED && f->row[0][cell] < 0 ? -1
                                                                          : 1;
        double slope[GRID_AXES] = { sign * f->row[1][cell],
                                    sign * f->row[2][cell], 0 };
        good = heading_unit(slope, unit);
    }
    heading[0] = unit[0];
    heading[1] = unit[1];
    return good;
}

static bool holds(const struct following *f, size_t cell, int64_t age)
{
    struct detector_sample sample = {
        .now = f->row[0][cell],
        .before = f->before[cell],
        .earlier = f->earlier[cell],
        .amplitude = f->field.options.amplitude,
        .age = age,
    };
    return f->settings->detector->holds(f->settings, &sample);
}

/* Cells at which the detector holds take their heading, if there is one. */
static void take_arrivals(struct following *f, int64_t age)
{
    struct front *front = f->front;
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        if (front->step[i] >= 0 || f->field.step[i] < 0 || i == front->source)
            continue;
        bool first = f->field.step[i] == age;
        if ((!first && !holds(f, i, age)) ||
            !read_heading(f, i, age, front->heading[i]))
            continue;
        front->step[i] = (int32_t)age;
        front->time[i] = first ? f->field.time[i] : (double)age;
    }
}

static void take_lags(struct following *f, int64_t age)
{
    struct front *front = f->front;
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        int64_t lag = age - front->step[i];
        double now[2];
        if (front->step[i] < 0 || lag >= FRONT_LAGS ||
            (f->toward[i][0] == 0 && f->toward[i][1] == 0) ||
            !read_heading(f, i, age, now))
            continue;
        double e = heading_error(now, f->toward[i]);
        front->lag_squares[lag] += e * e;
        front->lag_count[lag]++;
    }
}

static enum status take_row(struct following *f, int64_t row, int64_t age,
                            struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < 3 && !status; i++)
        status = recording_read_real(f->recording, f->variable[i], row,
                                     f->row[i], error);
    if (status)
        return status;
    arrival_field_take(&f->field, f->row[0], age, NULL);
    if (age > 0)
        take_arrivals(f, age);
    if (age > 0 && f->toward)
        take_lags(f, age);
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
    struct arrival_field_options options = {
        .settings = f->settings,
        .amplitude = recording_setting_real(f->recording, "wave.amplitude", 1),
        .width = sizeof(double),
        .times = true,
    };
    if (f->settings->heading == HEADING_FLUX)
        return error_set(error, STATUS_INPUT,
                         "%s: the heading flux is not read from rows; "
                         "--vary arrival.heading=signed",
                         recording_path(f->recording));
    enum status status = find_variables(f, wave, error);
    if (!status)
        status = emission_first(f->recording, wave, emission, error);
    if (!status)
        status = arrival_field_init(&f->field, &front->terrain.grid, &options,
                                    error);
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
    if (!status) {
        arrival_field_begin(&f.field, front->source);
        status = take_rows(&f, &emission, error);
    }
    arrival_field_release(&f.field);
    for (int i = 0; i < 3; i++)
        memory_release(f.row[i]);
    memory_release(f.before);
    memory_release(f.earlier);
    return status;
}
