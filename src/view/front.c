/* SPDX-License-Identifier: MIT */
#include "view/front.h"

#include "base/memory.h"
#include "view/own_wave.h"
#include "wave/arrival/field.h"
#include "wave/arrival/watch.h"
#include "world/local_width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const int front_cause_lags[FRONT_CAUSES] = { 0, 2, 4, 8, 12 };

double heading_error(const double g[GRID_AXES], const double u[GRID_AXES])
{
    if (heading_none(g) || heading_none(u))
        return (double)NAN;
    double x = g[1] * u[2] - g[2] * u[1], y = g[2] * u[0] - g[0] * u[2];
    double z = g[0] * u[1] - g[1] * u[0];
    double across = hypot(hypot(x, y), z); /* in 2D exactly |z| */
    return atan2(across, g[0] * u[0] + g[1] * u[1] + g[2] * u[2]);
}

static enum status check(const struct recording *recording, struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    struct box region = recording_region(recording), whole = grid_box(grid);
    if (memcmp(&region, &whole, sizeof whole) != 0)
        return error_set(
            error, STATUS_INPUT,
            "%s: has only a part of the map; record without record.region "
            "(record.keyframes keeps the file small)",
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
    front->source = grid_index(&front->terrain.grid, emission.cell[0],
                               emission.cell[1], emission.cell[2]);
    front->emitted = emission.step;
    front->sent_anew = emission.next;
    front->step = memory_new(cells, sizeof *front->step);
    front->time = memory_new(cells, sizeof *front->time);
    front->heading = memory_new(cells, sizeof *front->heading);
    return front->step && front->time && front->heading ? STATUS_OK
                                                        : error_memory(error);
}

enum status front_waves_new(struct front *front, double wrong, double delta,
                            bool fixed, struct error *error)
{
    const struct grid *grid = &front->terrain.grid;
    size_t cells = grid_cells(grid);
    int shortest = grid->nx < grid->ny ? grid->nx : grid->ny;
    const bool deep = grid->dims == GRID_AXES;
    if (deep && grid->nz < shortest)
        shortest = grid->nz;
    struct front_waves *waves = memory_new(1, sizeof *waves);
    front->waves = waves;
    if (!waves)
        return error_memory(error);
    waves->wrong = wrong;
    waves->delta = delta;
    waves->width = memory_new(cells, sizeof *waves->width);
    waves->period = memory_new(cells, sizeof *waves->period);
    if (deep)
        waves->height = memory_new(cells, sizeof *waves->height);
    waves->error = memory_new(cells, sizeof *waves->error);
    waves->sums = memory_new(cells, sizeof *waves->sums);
    if (!waves->width || !waves->period || !waves->error || !waves->sums ||
        (deep && !waves->height))
        return error_memory(error);
    enum status status =
        local_width(&front->terrain, waves->width, waves->height, error);
    for (size_t i = 0; i < cells && !status; i++) {
        int width = waves->width[i] ? waves->width[i] : shortest;
        int height = deep && waves->width[i] ? waves->height[i]
                     : deep                  ? shortest
                                             : 0;
        waves->period[i] = (int32_t)cause_period(delta, width, height, fixed);
        for (int k = 0; k < FRONT_CAUSES; k++)
            waves->error[i][k] = (double)NAN;
    }
    return status;
}

static void waves_release(struct front_waves *waves)
{
    if (waves) {
        memory_release(waves->width);
        memory_release(waves->height);
        memory_release(waves->period);
        memory_release(waves->error);
        memory_release(waves->sums);
    }
    memory_release(waves);
}

void front_release(struct front *front)
{
    waves_release(front->waves);
    terrain_release(&front->terrain);
    memory_release(front->step);
    memory_release(front->time);
    memory_release(front->heading);
    *front = (struct front){ 0 };
}

/* ---- detection in each row, by the agents' rules ---- */

/* State while the rows are read. */
struct following {
    struct front *front;
    const struct recording *recording;
    const struct arrival_settings *settings;
    const double (*toward)[GRID_AXES];
    struct detection *detection; /* of the frames, or own.detection */
    struct own_wave own;         /* of a detector with its own wave */
    const struct emission *emission;
    struct arrival_rules rules;
    struct arrival_watch *watches; /* of flux: (nz, ny, nx); else NULL */
    /* z and its slope along each axis of the grid: variables, and their rows;
     * the z and slopes of the row before. */
    int axes;
    const struct variable *variable[1 + GRID_AXES];
    double *row[1 + GRID_AXES], *before, *earlier, *slope[GRID_AXES];
};

/* A slope of the row, or of the one before, as a vector. */
static void slope_at(const struct following *f, double *const *slope,
                     size_t cell, double vector[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        vector[axis] = axis < f->axes ? slope[axis][cell] : 0;
}

/* The heading that the rule gives at a cell of the row. */
static bool read_heading(const struct following *f, size_t cell, int64_t age,
                         double heading[GRID_AXES])
{
    double unit[GRID_AXES] = { 0 }, slope[GRID_AXES] = { 0 };
    bool good;
    if (f->settings->detector->own_wave) {
        detection_slope(f->detection, cell, slope);
        good = heading_unit(slope, unit);
    } else if (f->settings->heading == HEADING_ARRIVAL_TIME) {
        int at[GRID_AXES];
        grid_cell(&f->front->terrain.grid, cell, at);
        const double place[GRID_AXES] = { at[0], at[1], at[2] };
        good = arrival_descent(&f->front->terrain.grid,
                               detection_times(f->detection), place,
                               (double)age, unit);
    } else {
        double sign =
            f->settings->heading == HEADING_SIGNED && f->row[0][cell] < 0 ? -1
                                                                          : 1;
        slope_at(f, f->row + 1, cell, slope);
        for (int axis = 0; axis < f->axes; axis++)
            slope[axis] *= sign;
        good = heading_unit(slope, unit);
    }
    memcpy(heading, unit, sizeof unit);
    return good;
}

static bool holds(const struct following *f, size_t cell, int64_t age)
{
    struct detector_sample sample = {
        .now = f->row[0][cell],
        .before = f->before[cell],
        .earlier = f->earlier[cell],
        .amplitude = f->rules.amplitude,
        .age = age,
    };
    if (f->settings->detector->own_wave) /* U counts as summed */
        return true;
    return f->settings->detector->holds(f->settings, &sample);
}

/* Feeds the cell's watch, which sums the flux as an agent's does; true when the
 * sum is complete. */
static bool sum_flux(const struct following *f, size_t cell, int64_t age,
                     int64_t *arrived, double heading[GRID_AXES])
{
    struct arrival_watch *watch = &f->watches[cell];
    struct arrival_look look = {
        .age = age,
        .now = f->row[0][cell],
        .before = f->before[cell],
        .earlier = f->earlier[cell],
        .reached = -1,
    };
    struct arrival arrival;
    slope_at(f, f->row + 1, cell, look.gradient);
    if (arrival_watch_feed(watch, &f->rules, &look, &arrival) != ARRIVAL_CAME)
        return false;
    *arrived = arrival.age;
    memcpy(heading, arrival.heading, sizeof arrival.heading);
    return true;
}

/* Cells in which the wave arrives get their heading, if there is one. */
static void listen_arrivals(struct following *f, int64_t age)
{
    struct front *front = f->front;
    const int32_t *ages = detection_ages(f->detection);
    const double *times = detection_times(f->detection);
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        int64_t arrived = age;
        if (front->step[i] >= 0 || ages[i] < 0 || i == front->source)
            continue;
        if (f->watches ? !sum_flux(f, i, age, &arrived, front->heading[i])
                       : (ages[i] != age && !holds(f, i, age)) ||
                             !read_heading(f, i, age, front->heading[i]))
            continue;
        front->step[i] = (int32_t)arrived;
        front->time[i] =
            ages[i] == arrived && times ? times[i] : (double)arrived;
    }
}

static void add_lag(struct front *front, size_t cell, int64_t lag, double error)
{
    front->lag_squares[lag] += error * error;
    front->lag_count[lag]++;
    for (int k = 0; front->waves && k < FRONT_CAUSES; k++)
        if (front_cause_lags[k] == lag)
            front->waves->error[cell][k] = error;
}

/* Adds the errors of the row's headings, by the lag after each arrival. A flux
 * has only one heading, when its sum is complete. */
static void listen_lags(struct following *f, int64_t age)
{
    struct front *front = f->front;
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        int64_t lag = age - front->step[i];
        double now[GRID_AXES];
        if (front->step[i] < 0 || lag >= FRONT_LAGS || f->watches ||
            heading_none(f->toward[i]) || !read_heading(f, i, age, now))
            continue;
        add_lag(front, i, lag, heading_error(now, f->toward[i]));
    }
}

/* A flux has only the lag 0. */
static void listen_flux_lag(struct following *f)
{
    struct front *front = f->front;
    for (size_t i = 0; f->toward && i < grid_cells(&front->terrain.grid); i++) {
        double e = heading_error(front->heading[i], f->toward[i]);
        if (front->step[i] >= 0 && !isnan(e))
            add_lag(front, i, 0, e);
    }
}

/* The step from which the windows of a cell are counted: that of its arrival,
 * after which a flux is summed; −1: no arrival yet. */
static int64_t window_start(const struct following *f, size_t cell)
{
    if (f->front->step[cell] >= 0 || !f->watches)
        return f->front->step[cell];
    return detection_ages(f->detection)[cell];
}

/* Adds the step before this row: its next step is now known. */
static void add_waves(struct following *f, int64_t age)
{
    struct front_waves *waves = f->front->waves;
    for (size_t i = 0; i < grid_cells(&f->front->terrain.grid); i++) {
        const double *toward = f->toward[i];
        double slope[GRID_AXES];
        int64_t start = window_start(f, i), period = waves->period[i];
        if (start < 0 || heading_none(toward))
            continue;
        slope_at(f, f->slope, i, slope);
        for (int k = 0; k < FRONT_CAUSES; k++) {
            int64_t into = age - 1 - start - front_cause_lags[k];
            if (into < 0 || into > period || waves->error[i][k] <= waves->wrong)
                continue;
            cause_add(&waves->sums[i][k], cause_weight(into, period),
                      f->earlier[i], f->row[0][i], slope, toward, waves->delta);
        }
    }
}

/* A detector's own wave is stepped in the precision of the run, to the same
 * bits that the run's agents detected; the other detectors only compare, in
 * double precision. */
static enum status listen_start(struct following *f, struct error *error)
{
    struct front *front = f->front;
    const struct detection_options options = {
        .settings = f->settings,
        .terrain = &front->terrain,
        .amplitude = f->rules.amplitude,
        .width = sizeof(double),
        .ages = true,
        .times = true,
    };
    if (f->settings->detector->own_wave) {
        enum status status = own_wave_open(&f->own, f->recording, f->settings,
                                           f->emission, false, error);
        f->detection = f->own.detection;
        return status;
    }
    if (f->settings->heading == HEADING_FLUX) {
        f->watches =
            memory_new(grid_cells(&front->terrain.grid), sizeof *f->watches);
        if (!f->watches)
            return error_memory(error);
    }
    enum status status = detection_new(&options, &f->detection, error);
    if (!status)
        detection_begin(f->detection, front->source, NULL);
    return status;
}

static enum status listen_on(struct following *f, int64_t age,
                             struct error *error)
{
    if (f->settings->detector->own_wave)
        return own_wave_go_to(&f->own, f->emission->step + age, error);
    detection_take(f->detection, f->row[0], age, NULL);
    return STATUS_OK;
}

/* ---- the rows ---- */

static enum status find_variables(struct following *f, int wave,
                                  struct error *error)
{
    static const char *const endings[] = { "", "_grad_x", "_grad_y",
                                           "_grad_z" };
    size_t cells = grid_cells(&f->front->terrain.grid);
    for (int i = 0; i <= f->axes; i++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "wave%d%s", wave, endings[i]);
        f->variable[i] = recording_find(f->recording, name);
        if (!f->variable[i] || variable_elements(f->variable[i]) != cells)
            return error_set(
                error, STATUS_INPUT,
                "%s: %s is not recorded; record with record.fields = "
                "(\"amplitude\", \"gradient\"), and choose an existing wave",
                recording_path(f->recording), name);
        f->row[i] = memory_new(cells, sizeof(double));
        if (!f->row[i])
            return error_memory(error);
    }
    if (f->variable[0]->type != TYPE_FLOAT32 &&
        f->variable[0]->type != TYPE_FLOAT64)
        return error_set(error, STATUS_INPUT,
                         "%s: wave%d does not have real numbers",
                         recording_path(f->recording), wave);
    f->before = memory_new(cells, sizeof(double));
    f->earlier = memory_new(cells, sizeof(double));
    bool room = f->before && f->earlier;
    for (int axis = 0; axis < f->axes; axis++) {
        f->slope[axis] = memory_new(cells, sizeof(double));
        room = room && f->slope[axis];
    }
    return room ? STATUS_OK : error_memory(error);
}

static enum status take_row(struct following *f, int64_t row, int64_t age,
                            struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i <= f->axes && !status; i++)
        status = recording_read_real(f->recording, f->variable[i], row,
                                     f->row[i], error);
    if (!status)
        status = listen_on(f, age, error);
    if (status)
        return status;
    if (age > 0)
        listen_arrivals(f, age);
    if (age > 0 && f->toward)
        listen_lags(f, age);
    if (age > 0 && f->toward && f->front->waves)
        add_waves(f, age);
    double *oldest = f->earlier;
    f->earlier = f->before;
    f->before = f->row[0];
    f->row[0] = oldest;
    for (int axis = 0; axis < f->axes; axis++) {
        double *slope = f->slope[axis];
        f->slope[axis] = f->row[1 + axis];
        f->row[1 + axis] = slope;
    }
    f->front->rows++;
    return STATUS_OK;
}

/* From the emission to the next one, or until the map changes. */
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
                             "%s: not every step was recorded, so fronts "
                             "cannot be followed; record with record.every = 1",
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
                         const double (*toward)[GRID_AXES], struct error *error)
{
    struct following f = {
        .front = front,
        .recording = recording,
        .settings = settings,
        .toward = toward,
        .axes = grid_axes(&front->terrain.grid),
    };
    struct emission emission;
    enum status status = prepare(&f, wave, &emission, error);
    if (!status)
        status = take_rows(&f, &emission, error);
    if (!status && f.watches)
        listen_flux_lag(&f);
    if (f.detection != f.own.detection)
        detection_release(f.detection);
    own_wave_release(&f.own);
    memory_release(f.watches);
    for (int i = 0; i <= f.axes; i++)
        memory_release(f.row[i]);
    for (int axis = 0; axis < f.axes; axis++)
        memory_release(f.slope[axis]);
    memory_release(f.before);
    memory_release(f.earlier);
    return status;
}
