/* SPDX-License-Identifier: MIT */
#include "analysis/modes/wavenumber.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <stdlib.h>

/* A mode with a smaller fraction of the energy was not excited. */
static const double least_energy = 1e-12;
/* The source's cells have at least this fraction of its largest amplitude. */
static const double least_source = 1e-9;
/* Relative to the cutoff: the frequency at which the decay is measured, and the
 * range on either side in which the cutoff is searched. */
static const double below = .8, around = .2;
enum { AROUND_POINTS = 21 };
/* ω̄ may be off by this fraction of it if the decay is measured. */
static const double decay_off = 1e-6;
/* Radians a cell between the waves whose difference is the largest speed. */
static const double fastest_apart = pi / 100;

/* The extent of the emission itself along the corridor. */
static enum status source_extent(const struct corridor_field *field, int source,
                                 int *extent, struct error *error)
{
    const int length = corridor_length(&field->corridor);
    const int section = (int)corridor_section(&field->corridor);
    double largest = 0;
    double *z = need_memory((size_t)length * (size_t)section, sizeof *z);
    *extent = 0;
    enum status status = field_read(field, 0, z, error);
    for (int i = 0; i < length * section && !status; i++)
        largest = fmax(largest, fabs(z[i]));
    for (int i = 0; i < length * section && !status; i++)
        if (fabs(z[i]) > least_source * largest &&
            abs(i / section - source) > *extent)
            *extent = abs(i / section - source);
    memory_release(z);
    return status;
}

enum status span_choose(const struct corridor_field *field, struct span *span,
                        struct error *error)
{
    const int last = corridor_length(&field->corridor) - 1;
    int along, across, extent;
    const enum source_kind kind = field->settings.source;
    bool timed = field_source(field, &along, &across) &&
                 (kind == SOURCE_IMPULSE || kind == SOURCE_REST);
    int source = along - field->corridor.first;
    source = source < 0 ? 0 : source > last ? last : source;
    enum status status = source_extent(field, source, &extent, error);
    if (status)
        return status;
    *span = (struct span){ .source = source, .timed = timed, .way = 1 };
    span->from = source + extent + 1 > 1 ? source + extent + 1 : 1;
    span->to = last - 1;
    if (source > last - source) {
        span->way = -1;
        span->from = 1;
        span->to =
            source - extent - 1 < last - 1 ? source - extent - 1 : last - 1;
    }
    if (span->to - span->from + 1 < SPAN_LEAST)
        return error_set(error, STATUS_INPUT,
                         "%s: %d cells of the corridor beside the source are "
                         "too few to measure waves on; %d are required: "
                         "choose another stretch by --along",
                         recording_path(field->recording),
                         span->to < span->from ? 0 : span->to - span->from + 1,
                         SPAN_LEAST);
    if (field->steps < STEPS_LEAST)
        return error_set(error, STATUS_INPUT,
                         "%s: %lld steps from the emission to the next, or to "
                         "a change of the map, are too few to measure "
                         "frequencies; record %d or more",
                         recording_path(field->recording),
                         (long long)field->steps, STEPS_LEAST);
    return STATUS_OK;
}

int span_station(const struct span *span)
{
    int end = span->way > 0 ? span->to : span->from;
    return abs(end - span->source) * 3 / 4;
}

/* ---- one frequency ---- */

enum { CELLS = 64 /* transformed together: they share window and waves */ };

/* Real and imaginary parts at neighbouring cells. */
struct transforms {
    double A[2][CELLS], B[2][CELLS];
};

/* Â and B̂ at cells a, a + 1, … a + cells − 1. */
static void transform(const double *a, int cells, int64_t steps, int length,
                      double frequency, struct transforms *of)
{
    static const double nothing[CELLS];
    const double *before = nothing; /* the emission passes through later */
    *of = (struct transforms){ 0 };
    for (int64_t t = 0; t + 1 < steps; t++) {
        const double *now = a + (size_t)t * (size_t)length;
        const double *next = now + length;
        double window = cos(pi * (double)t / (2. * (double)steps));
        double c = window * window * cos(frequency * (double)t);
        double s = window * window * sin(frequency * (double)t);
        for (int i = 0; i < cells; i++) {
            of->A[0][i] += c * now[i];
            of->A[1][i] -= s * now[i];
            of->B[0][i] += c * (before[i] + next[i]) / 2;
            of->B[1][i] -= s * (before[i] + next[i]) / 2;
        }
        before = now;
    }
}

struct mode_point mode_point_measure(const double *a, int64_t steps, int length,
                                     const struct span *span, double frequency,
                                     double *amplitude)
{
    struct transforms of;
    double A[3][2] = { 0 }, B[3][2] = { 0 }; /* of three cells, in turn */
    double squares = 0, in_time = 0, in_space = 0;
    const int begin = span->from - 1, end = span->to + 1;
    for (int i = begin; i <= end; i++) {
        const int at = (i - begin) % CELLS;
        if (at == 0)
            transform(a + i, end - i < CELLS ? end - i + 1 : CELLS, steps,
                      length, frequency, &of);
        double *now = A[(i + 3) % 3];
        for (int part = 0; part < 2; part++) {
            now[part] = of.A[part][at];
            B[(i + 3) % 3][part] = of.B[part][at];
        }
        if (amplitude)
            amplitude[i] = hypot(now[0], now[1]);
        if (i < span->from + 1)
            continue;
        const int middle = (i + 2) % 3, first = (i + 1) % 3;
        for (int part = 0; part < 2; part++) {
            squares += A[middle][part] * A[middle][part];
            in_time += A[middle][part] * B[middle][part];
            in_space += A[middle][part] * (now[part] + A[first][part]) / 2;
        }
    }
    return (struct mode_point){ .frequency = acos(in_time / squares),
                                .cosine = in_space / squares };
}

/* ---- a mode ---- */

double mode_measured_speed(const struct mode_measured *measured, int i,
                           double *wave_number, double *frequency)
{
    const double *k = measured->wave_number + i;
    const double *w = measured->frequency + i;
    *wave_number = (k[0] + k[1]) / 2;
    *frequency = (w[0] + w[1]) / 2;
    return (w[1] - w[0]) / (k[1] - k[0]);
}

/* ω̄ at which cos k̄ = 1: between the nearest point below the cutoff and the
 * nearest above it. */
static double find_cutoff(const double *a, const struct mode_series *series,
                          const struct span *span, double law)
{
    struct mode_point under = { NAN, INFINITY }, over = { NAN, -INFINITY };
    for (int i = 0; i < AROUND_POINTS; i++) {
        double part = 2. * i / (AROUND_POINTS - 1) - 1;
        struct mode_point point =
            mode_point_measure(a, series->steps, series->length, span,
                               law * (1 + around * part), NULL);
        if (point.cosine >= 1 && point.cosine < under.cosine)
            under = point;
        if (point.cosine < 1 && point.cosine > over.cosine)
            over = point;
    }
    double part = (under.cosine - 1) / (under.cosine - over.cosine);
    return under.frequency + part * (over.frequency - under.frequency);
}

/* The first step at which |a| is half of its maximum before the fastest waves
 * can return from the corridor's end. */
static void find_arrival(const double *a, const struct mode_series *series,
                         const struct span *span,
                         struct mode_measured *measured)
{
    const int distance = span_station(span);
    const int end = abs((span->way > 0 ? span->to : span->from) - span->source);
    const double *trace = a + span->source + span->way * distance;
    const size_t length = (size_t)series->length;
    double k, speed = mode_fastest(&measured->law, &k), largest = 0;
    int64_t back = (int64_t)((2 * end - distance) / speed), t = 0;
    back = back < series->steps ? back : series->steps;
    for (int64_t i = 0; i < back; i++)
        largest = fmax(largest, fabs(trace[(size_t)i * length]));
    while (t < back && fabs(trace[(size_t)t * length]) < largest / 2)
        t++;
    /* Until twice the travel time the trace may still grow. */
    if (t < back && largest > 0 && (double)series->steps > 2 * distance / speed)
        measured->arrival = (double)t;
    if (span->timed)
        measured->arrival_law = distance / speed;
}

static void measure_points(const double *a, const struct mode_series *series,
                           const struct span *span,
                           struct mode_measured *measured)
{
    for (int i = 0; i < MODE_POINTS; i++) {
        double k = pi * (i + 1) / (MODE_POINTS + 1);
        struct mode_point point =
            mode_point_measure(a, series->steps, series->length, span,
                               mode_frequency(&measured->law, k), NULL);
        measured->frequency[i] = point.frequency;
        measured->wave_number[i] = acos(point.cosine);
    }
}

/* The group speed at the law's fastest k, as a difference between two k̄ on
 * either side; of waves so long that the window does not resolve them, beside
 * them. */
static void measure_fastest(const double *a, const struct mode_series *series,
                            const struct span *span,
                            struct mode_measured *measured)
{
    double k;
    struct mode_point point[2];
    measured->fastest_law = mode_fastest(&measured->law, &k);
    k = fmax(k, 1.5 * fastest_apart);
    for (int i = 0; i < 2; i++)
        point[i] = mode_point_measure(
            a, series->steps, series->length, span,
            mode_frequency(&measured->law, k + (i - .5) * fastest_apart), NULL);
    measured->fastest = (point[1].frequency - point[0].frequency) /
                        (acos(point[1].cosine) - acos(point[0].cosine));
}

/* Is the amplitude in the span's farther half at most a tenth of that at its
 * start? If not, it is the part of waves above the cutoff that the window
 * passes. */
static bool decays(const double *amplitude, const struct span *span)
{
    const int middle = (span->from + span->to) / 2;
    const int start = span->way > 0 ? span->from : span->to;
    double farther = 0;
    for (int i = span->from; i <= span->to; i++)
        if (span->way > 0 ? i > middle : i < middle)
            farther = fmax(farther, amplitude[i]);
    return amplitude[start] > 10 * farther;
}

/* κ at the frequency .8 of the cutoff. The mean ω̄ of what the window passes is
 * beside the frequency at which it is measured, farther if the wave has little
 * there; so that frequency is sought (secants) at which ω̄ is this one. */
static void measure_decay(const double *a, const struct mode_series *series,
                          const struct span *span, double wanted,
                          struct mode_measured *measured)
{
    double at[2] = { wanted, wanted };
    struct mode_point point[2] = { { 0 } };
    point[1] = mode_point_measure(a, series->steps, series->length, span,
                                  wanted, measured->amplitude);
    for (int i = 0; i < 6; i++) {
        double off = wanted - point[1].frequency;
        double slope =
            i ? (point[1].frequency - point[0].frequency) / (at[1] - at[0]) : 1;
        if (!(fabs(off) > decay_off * wanted))
            break;
        point[0] = point[1];
        at[0] = at[1];
        at[1] += off / slope;
        point[1] = mode_point_measure(a, series->steps, series->length, span,
                                      at[1], measured->amplitude);
    }
    measured->decay_law = acosh(mode_cosine(&measured->law, wanted));
    const bool found = fabs(point[1].frequency - wanted) <= decay_off * wanted;
    if (found && decays(measured->amplitude, span))
        measured->decay = acosh(point[1].cosine);
    for (int i = 0; i < series->length && !found; i++)
        measured->amplitude[i] = NAN;
}

void mode_measure(const struct mode_series *series, int mode,
                  const struct span *span, struct mode_measured *measured)
{
    const double *a = mode_series_of(series, mode);
    *measured = (struct mode_measured){
        .law = series->modes[mode].law,
        .energy = mode_series_energy(series, mode) / series->field_energy,
        .cutoff = NAN,
        .fastest = NAN,
        .fastest_law = NAN,
        .decay = NAN,
        .decay_law = NAN,
        .arrival = NAN,
        .arrival_law = NAN,
    };
    for (int i = 0; i < MODE_POINTS; i++)
        measured->frequency[i] = measured->wave_number[i] = NAN;
    measured->amplitude =
        need_memory((size_t)series->length, sizeof *measured->amplitude);
    for (int i = 0; i < series->length; i++)
        measured->amplitude[i] = NAN;
    if (!(measured->energy > least_energy))
        return;
    measure_points(a, series, span, measured);
    measure_fastest(a, series, span, measured);
    double cutoff = mode_cutoff(&measured->law);
    if (cutoff > 0) {
        measured->cutoff = find_cutoff(a, series, span, cutoff);
        measure_decay(a, series, span, below * cutoff, measured);
    }
    find_arrival(a, series, span, measured);
}

void mode_measured_release(struct mode_measured *measured)
{
    memory_release(measured->amplitude);
    measured->amplitude = NULL;
}
