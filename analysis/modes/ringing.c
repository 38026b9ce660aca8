/* SPDX-License-Identifier: MIT */
#include "analysis/modes/ringing.h"

#include "analysis/modes/dense.h"
#include "base/memory.h"
#include "base/need.h"
#include "wave/ricker.h"

#include <math.h>
#include <string.h>

/* Places of a filtered series; steps at least; more poles than places give. */
enum { PLACES = 41, STEPS_LEAST = 64, POLES_MOST = 48 };

/* Of Kaiser's window: outside its band a series is e^(−shape) or less, as the
 * rounding of single precision is. Singular values below this part of the
 * largest are none; a pole has this part of the largest's size at least; steps
 * used over the decay time; the largest decay time measured, over the steps;
 * the largest difference to what two thirds of the steps give, over the
 * reciprocal of the decay time, or over that of the steps. */
static const double window_shape = 16, no_rank = 1e-7, weak = 1e-4,
                    decays_used = 8, longest = 100, unsettled = .05, off = .02;

/* ---- poles of a series ---- */

/* I₀, the modified Bessel function. */
static double bessel(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= x * x / (4. * k * k);
        sum += term;
    }
    return sum;
}

/* The series at `places` places, `apart` steps from each other, about a
 * frequency: (places, probes). */
static void filter(const double *series, size_t probes, double frequency,
                   size_t length, size_t apart, size_t places,
                   double complex *out)
{
    double complex *window = need_memory(length, sizeof *window);
    for (size_t t = 0; t < length; t++) {
        const double at = 2 * (double)t / (double)(length - 1) - 1;
        window[t] = bessel(window_shape * sqrt(fmax(0, 1 - at * at))) *
                    cexp(I * frequency * (double)t);
    }
    for (size_t n = 0; n < places; n++)
        for (size_t p = 0; p < probes; p++) {
            const double *from = series + n * apart * probes + p;
            double complex sum = 0;
            for (size_t t = 0; t < length; t++)
                sum += window[t] * from[t * probes];
            out[n * probes + p] =
                sum * cexp(I * frequency * (double)(n * apart));
        }
    memory_release(window);
}

/* The powers z of Σ a zⁿ, n = 0 … places − 1, in all series: (places,
 * probes). */
static size_t find_powers(const double complex *y, size_t places, size_t probes,
                          double complex power[POLES_MOST])
{
    /* The rows y[n] … y[n + width], which are no fewer than columns. */
    const size_t width = (places * probes - 1) / (probes + 1) < places - 1
                             ? (places * probes - 1) / (probes + 1)
                             : places - 1;
    const size_t columns = width + 1, rows = (places - width) * probes;
    double complex *matrix = need_memory(rows * columns, sizeof *matrix);
    double complex *right = need_memory(columns * columns, sizeof *right);
    double complex *low = need_memory(width * width, sizeof *low);
    double complex *high = need_memory(width * width, sizeof *high);
    double *singular = need_memory(columns, sizeof *singular);
    size_t rank = 0;
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++)
            matrix[j * rows + i] = y[(i / probes + j) * probes + i % probes];
    if (dense_svd(rows, columns, matrix, singular, right))
        while (rank + 1 < width && singular[rank] > no_rank * singular[0])
            rank++;
    for (size_t j = 0; j < rank; j++)
        for (size_t i = 0; i < width; i++) {
            low[j * width + i] = right[i * columns + j];
            high[j * width + i] = right[(i + 1) * columns + j];
        }
    if (rank && !dense_fit(width, rank, low, rank, high))
        rank = 0;
    for (size_t j = 0; j < rank; j++)
        for (size_t i = 0; i < rank; i++)
            low[j * rank + i] = high[j * width + i];
    if (!dense_eigen(rank, low, power, NULL))
        rank = 0;
    memory_release(singular);
    memory_release(high);
    memory_release(low);
    memory_release(right);
    memory_release(matrix);
    return rank;
}

/* The size of each power in the series. */
static bool find_sizes(double complex *y, size_t places, size_t probes,
                       const double complex *power, size_t count, double *size)
{
    double complex *matrix = need_memory(places * count, sizeof *matrix);
    double complex *sides = need_memory(places * probes, sizeof *sides);
    for (size_t j = 0; j < count; j++)
        for (size_t n = 0; n < places; n++)
            matrix[j * places + n] = cpow(power[j], (double)n);
    for (size_t p = 0; p < probes; p++)
        for (size_t n = 0; n < places; n++)
            sides[p * places + n] = y[n * probes + p];
    const bool found = dense_fit(places, count, matrix, probes, sides);
    for (size_t j = 0; j < count; j++) {
        size[j] = 0;
        for (size_t p = 0; p < probes; p++)
            size[j] += cabs(sides[p * places + j]);
    }
    memory_release(sides);
    memory_release(matrix);
    return found;
}

/* The poles of `probes` series (steps, probes) near a frequency: their ω, and
 * their sizes. The number; 0 also in a build without LAPACK. */
static size_t poles_near(const double *series, size_t steps, size_t probes,
                         double frequency, double complex pole[POLES_MOST],
                         double size[POLES_MOST])
{
    const size_t length = steps / 2;
    const size_t apart =
        steps - length > PLACES ? (steps - length) / (PLACES - 1) : 1;
    const size_t room = (steps - length) / apart + 1;
    const size_t places = room < PLACES ? room : PLACES;
    double complex power[POLES_MOST];
    double complex *y = need_memory(places * probes, sizeof *y);
    filter(series, probes, frequency, length, apart, places, y);
    size_t count = find_powers(y, places, probes, power);
    if (count && !find_sizes(y, places, probes, power, count, size))
        count = 0;
    for (size_t i = 0; i < count; i++)
        pole[i] = frequency + I * clog(power[i]) / (double)apart;
    memory_release(y);
    return count;
}

/* ---- the measurement of each resonance ---- */

static double distance(double complex a, double complex b)
{
    return cabs(a - b);
}

/* Is no other resonance nearer to the pole? */
static bool is_nearest(const struct ringing *ringing, size_t i,
                       double complex pole)
{
    const double mine = distance(ringing->exact[i], pole);
    for (size_t k = 0; k < ringing->resonances.count; k++)
        if (distance(ringing->exact[k], pole) < .999 * mine)
            return false;
    return true;
}

/* The pole nearest to the i-th resonance in these steps, NaN if there is
 * none. */
static double complex pole_of(const struct ringing *ringing, size_t i,
                              size_t steps)
{
    const double complex exact = ringing->exact[i];
    double complex pole[POLES_MOST], found = (double)NAN;
    double size[POLES_MOST], largest = 0;
    double nearest = 2 * pi / (double)steps;
    const size_t count = poles_near(ringing->series, steps, ringing->probes,
                                    creal(exact), pole, size);
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, size[k]);
    for (size_t k = 0; k < count; k++)
        if (size[k] > weak * largest && is_nearest(ringing, i, pole[k]) &&
            distance(exact, pole[k]) < nearest) {
            nearest = distance(exact, pole[k]);
            found = pole[k];
        }
    return found;
}

/* In all steps, or in those until a resonance has decayed; and it is the same
 * in fewer. */
static void measure(struct ringing *ringing, size_t i)
{
    const double decay = fmax(0, -cimag(ringing->exact[i]));
    const double used = fmax(STEPS_LEAST, decays_used / decay);
    const size_t steps =
        used < (double)ringing->steps ? (size_t)used : ringing->steps;
    const double complex all = pole_of(ringing, i, steps);
    const double complex less = pole_of(ringing, i, steps * 2 / 3);
    const bool settled =
        distance(all, less) < fmax(unsettled * decay, off / (double)steps);
    ringing->measured[i] = settled ? all : (double)NAN;
}

double ringing_decay(const struct ringing *ringing, double complex frequency)
{
    const double decay = -1 / cimag(frequency);
    return decay > 0 && decay < longest * (double)ringing->steps ? decay
                                                                 : (double)NAN;
}

double ringing_power(const struct ringing *ringing, double frequency)
{
    const size_t steps = ringing->steps, probes = ringing->probes;
    const double complex turn = cexp(I * frequency);
    double complex sum[RINGING_PROBES] = { 0 }, wave = 1;
    double power = 0;
    for (size_t t = 0; t < steps; t++) {
        const double at = (double)t / (double)steps;
        const double falling =
            ringing->closed ? sin(pi * at) : cos(pi / 2 * at);
        for (size_t p = 0; p < probes; p++)
            sum[p] +=
                falling * falling * wave * ringing->series[t * probes + p];
        wave *= turn;
    }
    for (size_t p = 0; p < probes; p++)
        power += creal(sum[p] * conj(sum[p]));
    return power;
}

/* ---- probes ---- */

static bool is_recorded(const struct corridor_field *field, const int cell[])
{
    const struct box region = recording_region(field->recording);
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (cell[axis] < region.low[axis] || cell[axis] > region.high[axis])
            return false;
    return true;
}

/* In the recorded cells of the part, in the order of their numbers, at
 * multiples of the golden section. */
static void choose_probes(const struct corridor_field *field,
                          struct ringing *ringing)
{
    const struct ports *ports = &ringing->ports;
    const struct grid *grid = &ports->map.terrain->grid;
    size_t *recorded = need_memory(ports->cells, sizeof *recorded), count = 0;
    int cell[GRID_AXES];
    for (size_t i = 0; i < ports->cells; i++) {
        grid_cell(grid, ports->cell[i], cell);
        if (is_recorded(field, cell))
            recorded[count++] = ports->cell[i];
    }
    ringing->probes = count < RINGING_PROBES ? count : RINGING_PROBES;
    for (size_t i = 0; i < ringing->probes; i++) {
        const double at = fmod(((double)i + .5) * (sqrt(5) - 1) / 2, 1);
        const size_t k =
            count > RINGING_PROBES ? (size_t)(at * (double)count) : i;
        grid_cell(grid, recorded[k], ringing->probe[i]);
    }
    memory_release(recorded);
}

static enum status take_probes(const struct corridor_field *field,
                               struct ringing *ringing,
                               const char *const *probes, size_t count,
                               struct error *error)
{
    const struct ports *ports = &ringing->ports;
    const struct grid *grid = &ports->map.terrain->grid;
    enum status status = STATUS_OK;
    if (count > RINGING_PROBES)
        return error_set(error, STATUS_INPUT,
                         "--probe: %zu cells are too many; give %d at most",
                         count, RINGING_PROBES);
    for (size_t i = 0; i < count && !status; i++) {
        int *cell = ringing->probe[ringing->probes++];
        status =
            field_parse_cell(probes[i], "--probe", grid->dims, cell, error);
        if (!status &&
            (!grid_holds(grid, cell[0], cell[1], cell[2]) ||
             ports->number[grid_index(grid, cell[0], cell[1], cell[2])] < 0 ||
             !is_recorded(field, cell)))
            status = error_set(error, STATUS_INPUT,
                               "--probe %.60s: the cell is in a wall, outside "
                               "the part that rings, or was not recorded; give "
                               "a free cell of the room",
                               probes[i]);
    }
    return status;
}

/* ---- the steps used ---- */

/* Steps since the emission until the source is silent. */
static enum status end_of_source(const struct corridor_field *field,
                                 int64_t *end, struct error *error)
{
    const struct wave_settings *settings = &field->settings;
    const double omega =
        ricker_frequency(settings->delta, settings->wavelength);
    *end = 0;
    if (settings->source == SOURCE_MODE)
        return error_set(error, STATUS_INPUT,
                         "resonances are measured after a source that ends: "
                         "record with wave.source = \"impulse\", \"ricker\" or "
                         "\"signal\"");
    if (settings->source == SOURCE_RICKER)
        *end = 2 * (int64_t)ricker_delay(omega);
    if (settings->source == SOURCE_SIGNAL) {
        *end = 1;
        for (const char *at = settings->signal; *at; at++)
            *end += *at == ',';
    }
    return STATUS_OK;
}

/* Steps in which a wave has left a part with ports, if it leaves. */
static int64_t steps_across(const struct corridor_field *field,
                            const struct ports *ports)
{
    const int *source = field->emission.cell;
    int cells = 0;
    if (!ports->count)
        return 0;
    struct box box = ports_box(ports);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        box.low[axis] =
            source[axis] < box.low[axis] ? source[axis] : box.low[axis];
        box.high[axis] =
            source[axis] > box.high[axis] ? source[axis] : box.high[axis];
        cells += box.high[axis] - box.low[axis] + 1;
    }
    return (int64_t)(cells / sqrt(field->settings.delta));
}

static enum status read_series(const struct corridor_field *field,
                               struct ringing *ringing, struct error *error)
{
    const size_t probes = ringing->probes;
    enum status status = STATUS_OK;
    ringing->series = need_memory(ringing->steps * probes, sizeof(double));
    for (size_t t = 0; t <= ringing->steps && !status; t++) {
        status = field_read_row(field, ringing->start + (int64_t)t, error);
        for (size_t p = 0; p < probes && !status; p++) {
            const int *cell = ringing->probe[p];
            const double z = field_at(field, cell[0], cell[1], cell[2]);
            if (t > 0)
                ringing->series[(t - 1) * probes + p] += z;
            if (t < ringing->steps)
                ringing->series[t * probes + p] = -z;
        }
    }
    return status;
}

static enum status prepare(const struct corridor_field *field,
                           struct ringing *ringing, struct error *error)
{
    int64_t end;
    enum status status = end_of_source(field, &end, error);
    if (status)
        return status;
    ringing->start = end + steps_across(field, &ringing->ports);
    if (field->steps - 1 - ringing->start < STEPS_LEAST)
        return error_set(
            error, STATUS_INPUT,
            "%s: %lld steps were recorded until the next emission "
            "or the end, and resonances are measured in the steps "
            "from %lld on; record %d more at least, with "
            "wave.count = 1 and a long wave.lifetime",
            recording_path(field->recording), (long long)field->steps,
            (long long)ringing->start,
            (int)(STEPS_LEAST + ringing->start + 1 - field->steps));
    ringing->steps = (size_t)(field->steps - 1 - ringing->start);
    return STATUS_OK;
}

static bool has_other_speeds(const struct ports *ports)
{
    const double *speed = ports->map.terrain->speed;
    for (size_t i = 0; speed && i < ports->cells; i++)
        if (speed[ports->cell[i]] < 1 || speed[ports->cell[i]] > 1)
            return true;
    return false;
}

static enum status find_exact(const struct corridor_field *field,
                              struct ringing *ringing, size_t most,
                              struct error *error)
{
    const struct wave_settings *settings = &field->settings;
    struct resonances *resonances = &ringing->resonances;
    enum status status =
        exact_resonances(&ringing->ports, most, resonances, error);
    if (status)
        return status;
    ringing->exact = need_memory(resonances->count + 1, sizeof(double complex));
    ringing->measured =
        need_memory(resonances->count + 1, sizeof(double complex));
    /* Damping may leave no oscillation of the lowest. */
    size_t count = 0;
    for (size_t i = 0; i < resonances->count; i++) {
        const double complex exact = resonance_frequency(
            resonances->list[i].value, settings->delta, settings->damping);
        if (-4 * cimag(exact) > creal(exact)) {
            memory_release(resonances->list[i].shape);
            continue;
        }
        /* Sorted by frequency. */
        const struct resonance resonance = resonances->list[i];
        size_t at = count++;
        for (; at > 0 && creal(ringing->exact[at - 1]) > creal(exact); at--) {
            ringing->exact[at] = ringing->exact[at - 1];
            resonances->list[at] = resonances->list[at - 1];
        }
        ringing->exact[at] = exact;
        resonances->list[at] = resonance;
    }
    resonances->count = count;
    const double top =
        creal(resonance_frequency(resonances->searched, settings->delta, 0));
    if (resonances->count == 0)
        return error_set(error, STATUS_INPUT,
                         "nothing rings: the part of the map in which the "
                         "source is has no resonance below the frequency %.3g "
                         "that lasts for two periods; its waves leave by the "
                         "open edges, or are damped",
                         top);
    return STATUS_OK;
}

enum status ringing_make(const struct corridor_field *field,
                         struct ports *ports, size_t most,
                         const char *const *probes, size_t probe_count,
                         struct ringing *ringing, struct error *error)
{
    *ringing = (struct ringing){
        .ports = *ports,
        .closed = ports->count == 0 && !(field->settings.damping > 0),
    };
    *ports = (struct ports){ 0 };
    if (has_other_speeds(&ringing->ports))
        return error_set(error, STATUS_INPUT,
                         "%s: cells of the room have another speed, and "
                         "resonances require speed 1 in all cells",
                         recording_path(field->recording));
    enum status status =
        take_probes(field, ringing, probes, probe_count, error);
    if (!status && !probe_count)
        choose_probes(field, ringing);
    if (!status && !ringing->probes)
        status = error_set(error, STATUS_INPUT,
                           "%s: no cell of the room is in the recorded region; "
                           "record it with record.region",
                           recording_path(field->recording));
    if (!status)
        status = prepare(field, ringing, error);
    if (!status)
        status = find_exact(field, ringing, most, error);
    if (!status)
        status = read_series(field, ringing, error);
    for (size_t i = 0; i < ringing->resonances.count && !status; i++)
        measure(ringing, i);
    return status;
}

void ringing_release(struct ringing *ringing)
{
    resonances_release(&ringing->resonances);
    ports_release(&ringing->ports);
    memory_release(ringing->series);
    memory_release(ringing->exact);
    memory_release(ringing->measured);
    *ringing = (struct ringing){ 0 };
}
