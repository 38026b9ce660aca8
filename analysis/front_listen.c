/* SPDX-License-Identifier: MIT */
#include "front_listen.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static void place_of(const struct following *f, size_t cell,
                     double place[GRID_AXES])
{
    int at[GRID_AXES];
    grid_cell(&f->front->terrain.grid, cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        place[axis] = at[axis];
}

/* The heading that the rule reads from the row at a cell. */
static bool read_heading(const struct following *f, size_t cell, int64_t age,
                         double heading[2])
{
    double unit[GRID_AXES] = { 0 }, slope[GRID_AXES] = { 0 };
    bool good;
    const struct laplace_pair *sums = first_arrival_sums(f->first);
    if (sums) {
        laplace_pair_slope(sums, cell, slope);
        good = heading_unit(slope, unit);
    } else if (f->settings->heading == HEADING_ARRIVAL_TIME) {
        double place[GRID_AXES];
        place_of(f, cell, place);
        good = arrival_descent(&f->front->terrain.grid, f->first->field.time,
                               place, (double)age, unit);
    } else {
        double sign =
            f->settings->heading == HEADING_SIGNED && f->row[0][cell] < 0 ? -1
                                                                          : 1;
        slope[0] = sign * f->row[1][cell];
        slope[1] = sign * f->row[2][cell];
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
        .amplitude = f->rules.amplitude,
        .age = age,
    };
    if (first_arrival_sums(
            f->first)) /* held once, holds: U is as good as summed */
        return true;
    return f->settings->detector->holds(f->settings, &sample);
}

/* Feeds the cell's watch, which sums the flux as an agent's does; true when
 * the sum is whole. */
static bool sum_flux(const struct following *f, size_t cell, int64_t age,
                     int64_t *arrived, double heading[2])
{
    struct arrival_watch *watch = &f->watches[cell];
    const struct arrival_look look = {
        .age = age,
        .now = f->row[0][cell],
        .before = f->before[cell],
        .gradient = { f->row[1][cell], f->row[2][cell], 0 },
        .reached = -1,
    };
    struct arrival arrival;
    watch->earlier = f->earlier[cell];
    if (arrival_watch_feed(watch, &f->rules, &look, &arrival) != ARRIVAL_CAME)
        return false;
    *arrived = arrival.age;
    heading[0] = arrival.heading[0];
    heading[1] = arrival.heading[1];
    return true;
}

/* Cells at which the detector holds take their heading, if there is one. */
void listen_arrivals(struct following *f, int64_t age)
{
    struct front *front = f->front;
    const int32_t *ages = first_arrival_ages(f->first);
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        int64_t arrived = age;
        if (front->step[i] >= 0 || ages[i] < 0 || i == front->source)
            continue;
        if (f->watches ? !sum_flux(f, i, age, &arrived, front->heading[i])
                       : (ages[i] != age && !holds(f, i, age)) ||
                             !read_heading(f, i, age, front->heading[i]))
            continue;
        front->step[i] = (int32_t)arrived;
        front->time[i] = ages[i] == arrived && !first_arrival_sums(f->first)
                             ? f->first->field.time[i]
                             : (double)arrived;
    }
}

/* A flux has one heading, when its sum is whole: nothing follows it. */
void listen_lags(struct following *f, int64_t age)
{
    struct front *front = f->front;
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        int64_t lag = age - front->step[i];
        double now[2];
        if (front->step[i] < 0 || lag >= FRONT_LAGS || f->watches ||
            (f->toward[i][0] == 0 && f->toward[i][1] == 0) ||
            !read_heading(f, i, age, now))
            continue;
        double e = heading_error(now, f->toward[i]);
        front->lag_squares[lag] += e * e;
        front->lag_count[lag]++;
    }
}

/* A lag of 0 is all that there is of a flux. */
void listen_flux_lag(struct following *f)
{
    struct front *front = f->front;
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        double e = f->toward ? heading_error(front->heading[i], f->toward[i])
                             : (double)NAN;
        if (front->step[i] < 0 || isnan(e))
            continue;
        front->lag_squares[0] += e * e;
        front->lag_count[0]++;
    }
}

/* As a scenario of its own would be (wave/laplace.h). */
static enum status check_ages(const struct following *f, struct error *error)
{
    const double steps = recording_setting_real(f->recording, "steps", 0);
    if (!detector_sums(f->settings->detector) || steps <= LAPLACE_OLDEST ||
        f->rules.lifetime <= LAPLACE_OLDEST)
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, recording_path(f->recording), 0,
                    "one emission of more steps than arrival.detector "
                    "\"%s\" sums, %d; record it with a wave.lifetime up "
                    "to that, or take another detector",
                    f->settings->detector->name, LAPLACE_OLDEST);
}

/* laplace sums in the precision of the run, in which its bits then are those
 * that the run's agents heard; the others compare alone, in double. */
enum status listen_start(struct following *f, struct error *error)
{
    struct front *front = f->front;
    const char *stencil = recording_setting(f->recording, "wave.stencil");
    const bool laplace = f->settings->detector == &detector_laplace;
    const struct first_arrival_options options = {
        .settings = f->settings,
        .amplitude = f->rules.amplitude,
        .width = laplace ? element_bytes(f->variable[0]->type) : sizeof(double),
        .times = true,
        .matched = stencil && strcmp(stencil, "9-point") == 0,
    };
    enum status status = check_ages(f, error);
    if (status)
        return status;
    if (f->settings->detector == &detector_laplace_front) {
        f->first = &f->own.first;
        return own_wave_open(&f->own, f->recording, f->settings, f->emission,
                             error);
    }
    if (!laplace && f->settings->heading == HEADING_FLUX) {
        f->watches =
            memory_new(grid_cells(&front->terrain.grid), sizeof *f->watches);
        if (!f->watches)
            return error_memory(error);
    }
    f->first = &f->of_rows;
    status = first_arrival_init(f->first, &front->terrain, &options, error);
    if (!status)
        first_arrival_begin(f->first, front->source);
    return status;
}

enum status listen_on(struct following *f, int64_t age, struct error *error)
{
    if (f->first == &f->own.first)
        return own_wave_go_to(&f->own, f->emission->step + age, error);
    first_arrival_take(f->first, f->first->by_laplace ? f->raw : f->row[0], age,
                       NULL);
    return STATUS_OK;
}
