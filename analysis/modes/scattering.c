/* SPDX-License-Identifier: MIT */
#include "analysis/modes/scattering.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <string.h>

/* h; changes of a share that are not settled; power, and squares of amplitudes
 * that decay, which are too much; and the power of one mode alone. */
static const double apart = 5e-4;
static const double unsettled = 1e-3, stray = 1e-3, near_field = 1e-5;
static const double alone = .999;
/* A wave is here from this part of its largest amplitude on. */
static const double first_part = 1e-6;

static double power_of(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

const struct port *scattering_port(const struct scattering *scattering,
                                   size_t channel)
{
    return &scattering->ports.port[scattering->channel[channel].port];
}

static double complex step_of(const struct scattering *scattering,
                              size_t channel, double frequency, double *power)
{
    const struct port *port = scattering_port(scattering, channel);
    return mode_step(&port->modes[scattering->channel[channel].mode].law,
                     frequency, power);
}

bool scattering_travels(const struct scattering *scattering, size_t channel,
                        double frequency)
{
    double power;
    step_of(scattering, channel, frequency, &power);
    return power > 0;
}

/* ---- the modes' amplitudes over time ---- */

static enum status check_cells(const struct corridor_field *field,
                               const struct ports *ports, struct error *error)
{
    const struct box region = recording_region(field->recording);
    int cell[GRID_AXES];
    for (size_t p = 0; p < ports->count; p++)
        for (size_t i = 0; i < 2 * ports->port[p].count; i++) {
            port_cell(&ports->port[p], i / 2, (int)i % 2, cell);
            for (int axis = 0; axis < GRID_AXES; axis++)
                if (cell[axis] < region.low[axis] ||
                    cell[axis] > region.high[axis])
                    return error_set(error, STATUS_INPUT,
                                     "the port %s at %d,%d is outside the "
                                     "recorded region; choose another by "
                                     "--from and --to",
                                     ports->port[p].name, cell[0], cell[1]);
        }
    for (size_t i = 0; field->terrain.speed && i < ports->cells; i++) {
        const double speed = field->terrain.speed[ports->cell[i]];
        if (speed < 1 || speed > 1)
            return error_set(error, STATUS_INPUT,
                             "cells between the ports have another speed; "
                             "exact values require speed 1 in all cells");
    }
    return STATUS_OK;
}

/* Reads z(t + 1) − z(t) of each channel, at its port and the next cells
 * outwards: (channels, 2, steps − 1). */
static enum status read_series(const struct corridor_field *field,
                               const struct scattering *scattering,
                               double *series, struct error *error)
{
    const size_t steps = (size_t)field->steps - 1;
    enum status status = STATUS_OK;
    for (int64_t t = 0; t < field->steps && !status; t++) {
        status = field_read_row(field, t, error);
        for (size_t c = 0; c < 2 * scattering->channels && !status; c++) {
            const struct port *port = scattering_port(scattering, c / 2);
            const double *shape =
                port->shapes + scattering->channel[c / 2].mode * port->count;
            double sum = 0;
            for (size_t i = 0; i < port->count; i++) {
                int cell[GRID_AXES];
                port_cell(port, i, (int)(c % 2), cell);
                sum += shape[i] * field_at(field, cell[0], cell[1], cell[2]);
            }
            if (t > 0)
                series[c * steps + (size_t)t - 1] += sum;
            if (t < field->steps - 1)
                series[c * steps + (size_t)t] = -sum;
        }
    }
    return status;
}

/* ---- the steps that are used ---- */

/* The first step of a wave at a port, `all` if none comes. */
static size_t first_at(const struct scattering *scattering,
                       const double *series, size_t port, size_t all)
{
    double largest = 0;
    for (size_t i = 0; i < 2 * scattering->channels * all; i++)
        largest = fmax(largest, fabs(series[i]));
    for (size_t t = 0; t < all; t++)
        for (size_t c = 0; c < scattering->channels; c++)
            if (scattering->channel[c].port == port &&
                fabs(series[2 * c * all + t]) > first_part * largest)
                return t;
    return all;
}

static void limit_steps(struct scattering *scattering, const double *series,
                        size_t all, double delta)
{
    scattering->steps = (int64_t)all;
    for (size_t p = 1; p < scattering->ports.count; p++) {
        const struct port *port = &scattering->ports.port[p];
        const struct corridor *corridor = &port->corridor;
        if (corridor->ends[port->out > 0] == BOUNDARY_EDGE)
            continue;
        const int beyond = port->out > 0 ? corridor->last - port->at
                                         : port->at - corridor->first;
        const int64_t back = (int64_t)first_at(scattering, series, p, all) +
                             (int64_t)(2 * beyond / sqrt(delta));
        if (back >= scattering->steps)
            continue;
        scattering->steps = back;
        scattering->back = (int)p;
    }
}

/* ---- in and out ---- */

/* w(t) e^(iωt) for so many steps. */
static void make_waves(double frequency, size_t steps, double complex *wave)
{
    const double half = (double)steps / 2;
    for (size_t t = 0; t < steps; t++) {
        const double late = fmax(0, ((double)t - half) / half);
        const double falling = cos(pi / 2 * late);
        wave[t] = falling * falling * cexp(I * frequency * (double)t);
    }
}

/* `in` of modes that do not travel is a itself. */
static void split(const struct scattering *scattering, const double *series,
                  size_t all, size_t steps, double frequency,
                  double complex *wave, double complex *in, double complex *out)
{
    make_waves(frequency, steps, wave);
    for (size_t c = 0; c < scattering->channels; c++) {
        double power;
        const double complex step = step_of(scattering, c, frequency, &power);
        double complex sum[2] = { 0, 0 };
        for (size_t side = 0; side < 2; side++)
            for (size_t t = 0; t < steps; t++)
                sum[side] += series[(2 * c + side) * all + t] * wave[t];
        const double scale = power > 0 ? sqrt(power) : 1;
        in[c] = (sum[0] * step - sum[1]) / (step - 1 / step) * scale;
        out[c] = (sum[1] - sum[0] / step) / (step - 1 / step) * scale;
    }
}

/* Clears the modes that do not travel; returns the squares of the first
 * port's. */
static double clear_near(const struct scattering *scattering, double frequency,
                         double complex *in, double complex *out)
{
    double sum = 0;
    for (size_t c = 0; c < scattering->channels; c++) {
        if (scattering_travels(scattering, c, frequency))
            continue;
        sum += scattering->channel[c].port == 0 ? power_of(in[c]) : 0;
        in[c] = out[c] = 0;
    }
    return sum;
}

/* What comes in by the first port, or by the others. */
static double incoming(const struct scattering *scattering,
                       const double complex *in, bool others)
{
    double sum = 0;
    for (size_t c = 0; c < scattering->channels; c++)
        if ((scattering->channel[c].port > 0) == others)
            sum += power_of(in[c]);
    return sum;
}

/* Is what is measured the same with fewer steps, of waves that travel and come
 * in by the first port? */
static bool is_settled(const struct scattering *scattering,
                       const double complex *in, const double complex *out,
                       const double complex *in_less,
                       const double complex *out_less, double near)
{
    const double all = incoming(scattering, in, false);
    const double less = incoming(scattering, in_less, false);
    if (!(all > 0 && less > 0) || near > near_field * all ||
        incoming(scattering, in, true) > stray * all)
        return false;
    for (size_t c = 0; c < scattering->channels; c++)
        if (fabs(power_of(out[c]) / all - power_of(out_less[c]) / less) >
            unsettled)
            return false;
    return true;
}

static void measure(struct scattering *scattering, const double *series,
                    size_t all)
{
    const size_t channels = scattering->channels;
    const size_t steps = (size_t)scattering->steps;
    double complex *wave = need_memory(steps, sizeof *wave);
    double complex *less = need_memory(2 * channels, sizeof *less);
    for (size_t i = 0; i < scattering->count; i++) {
        const double middle = scattering->frequency[i];
        double complex *in = scattering->in + SCATTERING_PLACES * i * channels;
        double complex *out =
            scattering->out + SCATTERING_PLACES * i * channels;
        double near = 0;
        for (size_t k = 0; k < SCATTERING_PLACES; k++) {
            const size_t at = k * channels;
            const double frequency = middle + ((double)k - 1) * apart;
            split(scattering, series, all, steps, frequency, wave, in + at,
                  out + at);
            const double of =
                clear_near(scattering, frequency, in + at, out + at);
            near = k == 1 ? of : near;
        }
        split(scattering, series, all, steps / 2, middle, wave, less,
              less + channels);
        clear_near(scattering, middle, less, less + channels);
        scattering->settled[i] =
            is_settled(scattering, in + channels, out + channels, less,
                       less + channels, near);
    }
    memory_release(less);
    memory_release(wave);
}

/* ---- exact ---- */

/* Without a wave that comes in: the first port's first mode that travels. */
static void drive(const struct scattering *scattering, double frequency,
                  double complex *in)
{
    for (size_t c = 0; c < scattering->channels; c++)
        if (scattering->channel[c].port == 0 &&
            scattering_travels(scattering, c, frequency)) {
            in[c] = 1;
            return;
        }
}

static enum status compute(struct scattering *scattering, size_t i, size_t k,
                           double complex *matrix, struct error *error)
{
    const size_t channels = scattering->channels;
    const size_t first = (SCATTERING_PLACES * i + k) * channels;
    const double frequency = scattering->frequency[i] + ((double)k - 1) * apart;
    double complex *in = scattering->in + first;
    enum status status =
        exact_matrix(&scattering->ports, frequency, matrix, error);
    if (!(incoming(scattering, in, false) > 0))
        drive(scattering, frequency, in);
    for (size_t to = 0; to < channels && !status; to++)
        for (size_t from = 0; from < channels; from++)
            if (scattering->channel[from].port == 0)
                scattering->exact[first + to] +=
                    matrix[to * channels + from] * in[from];
    if (k == 1)
        memcpy(scattering->matrix + i * channels * channels, matrix,
               channels * channels * sizeof *matrix);
    return status;
}

static enum status compute_all(struct scattering *scattering,
                               struct error *error)
{
    const size_t channels = scattering->channels;
    double complex *matrix = need_memory(channels * channels, sizeof *matrix);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < scattering->count && !status; i++)
        for (size_t k = 0; k < SCATTERING_PLACES && !status; k++)
            status = compute(scattering, i, k, matrix, error);
    memory_release(matrix);
    return status;
}

/* ---- all of it ---- */

static void list_channels(struct scattering *scattering)
{
    size_t c = 0;
    for (size_t p = 0; p < scattering->ports.count; p++)
        for (size_t m = 0; m < scattering->ports.port[p].count; m++)
            scattering->channel[c++] = (struct channel){ p, m };
}

enum status scattering_make(const struct corridor_field *field,
                            struct ports *ports, const double *frequencies,
                            size_t count, struct scattering *scattering,
                            struct error *error)
{
    const size_t channels = ports_channels(ports);
    const size_t waves = count * SCATTERING_PLACES * channels;
    *scattering = (struct scattering){
        .ports = *ports,
        .channels = channels,
        .channel = need_memory(channels, sizeof(struct channel)),
        .back = -1,
        .count = count,
        .frequency = need_memory(count, sizeof(double)),
        .in = need_memory(waves, sizeof(double complex)),
        .out = need_memory(waves, sizeof(double complex)),
        .exact = need_memory(waves, sizeof(double complex)),
        .matrix =
            need_memory(count * channels * channels, sizeof(double complex)),
        .settled = need_memory(count, sizeof(bool)),
    };
    *ports = (struct ports){ 0 };
    memcpy(scattering->frequency, frequencies, count * sizeof *frequencies);
    list_channels(scattering);
    enum status status = check_cells(field, &scattering->ports, error);
    const size_t all = field->steps > 1 ? (size_t)field->steps - 1 : 0;
    double *series = NULL;
    if (!status && scattering->ports.driven && all) {
        series = need_memory(2 * channels * all, sizeof *series);
        status = read_series(field, scattering, series, error);
    }
    if (series && !status) {
        limit_steps(scattering, series, all, field->settings.delta);
        measure(scattering, series, all);
    }
    memory_release(series);
    return status ? status : compute_all(scattering, error);
}

void scattering_release(struct scattering *scattering)
{
    ports_release(&scattering->ports);
    memory_release(scattering->channel);
    memory_release(scattering->frequency);
    memory_release(scattering->in);
    memory_release(scattering->out);
    memory_release(scattering->exact);
    memory_release(scattering->matrix);
    memory_release(scattering->settled);
    *scattering = (struct scattering){ 0 };
}

static const double complex *waves_of(const struct scattering *scattering,
                                      const double complex *of, size_t i,
                                      size_t k)
{
    return of + (SCATTERING_PLACES * i + k) * scattering->channels;
}

double scattering_share(const struct scattering *scattering, size_t i,
                        size_t channel, bool exact)
{
    const double complex *in = waves_of(scattering, scattering->in, i, 1);
    const double complex *out =
        waves_of(scattering, exact ? scattering->exact : scattering->out, i, 1);
    return exact || scattering->settled[i]
               ? power_of(out[channel]) / incoming(scattering, in, false)
               : (double)NAN;
}

double scattering_delay(const struct scattering *scattering, size_t i,
                        size_t channel, bool exact)
{
    const double complex *in = waves_of(scattering, scattering->in, i, 1);
    double complex ratio[SCATTERING_PLACES];
    size_t most = 0;
    for (size_t c = 0; c < scattering->channels; c++)
        if (scattering->channel[c].port == 0 &&
            power_of(in[c]) > power_of(in[most]))
            most = c;
    if (power_of(in[most]) < alone * incoming(scattering, in, false) ||
        !(scattering_share(scattering, i, channel, exact) > 1e-6))
        return NAN;
    for (size_t k = 0; k < SCATTERING_PLACES; k++)
        ratio[k] =
            waves_of(scattering, exact ? scattering->exact : scattering->out, i,
                     k)[channel] *
            conj(waves_of(scattering, scattering->in, i, k)[most]);
    return carg(ratio[2] * conj(ratio[0])) / (2 * apart);
}
