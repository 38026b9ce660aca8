/* SPDX-License-Identifier: MIT */
#include "analysis/modes/series.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <string.h>

/* a[mode][along] of a generation. */
static void project(const struct corridor *corridor, const double *shapes,
                    const double *z, double *a)
{
    const size_t length = (size_t)corridor_length(corridor);
    const size_t count = corridor_section(corridor);
    for (size_t mode = 0; mode < count; mode++) {
        const double *shape = shapes + mode * count;
        for (size_t i = 0; i < length; i++) {
            const double *section = z + i * count;
            double sum = 0;
            for (size_t j = 0; j < count; j++)
                sum += shape[j] * section[j];
            a[mode * length + i] = sum;
        }
    }
}

/* Adds to the cell `i` the energy of a pair of cells along the corridor, or of
 * a cell and a closed end. `stride` is the distance to the next cell along. */
static double along_energy(const struct corridor *corridor,
                           const double *before, const double *now, int i,
                           size_t stride)
{
    const int last = corridor_length(corridor) - 1;
    const size_t at = (size_t)i * stride;
    double sum = 0;
    if (i > 0)
        sum += (now[at] - now[at - stride]) *
               (before[at] - before[at - stride]) / 2;
    else if (corridor->ends[0] == BOUNDARY_FIXED)
        sum += now[at] * before[at];
    if (i < last)
        sum += (now[at] - now[at + stride]) *
               (before[at] - before[at + stride]) / 2;
    else if (corridor->ends[1] == BOUNDARY_FIXED)
        sum += now[at] * before[at];
    return sum / 2;
}

/* Of `count` cells in a line across, `stride` apart. */
static double line_energy(const enum boundary sides[2], const double *before,
                          const double *now, int count, size_t stride)
{
    const size_t last = (size_t)(count - 1) * stride;
    double sum = 0;
    for (size_t j = 0; j < last; j += stride)
        sum += (now[j + stride] - now[j]) * (before[j + stride] - before[j]);
    if (sides[0] == BOUNDARY_FIXED)
        sum += now[0] * before[0];
    if (sides[1] == BOUNDARY_FIXED)
        sum += now[last] * before[last];
    return sum / 2;
}

static double across_energy(const struct corridor *corridor,
                            const double *before, const double *now)
{
    const int width = corridor_width(corridor);
    const int height = corridor_height(corridor);
    const bool duct = corridor->sides[2] != BOUNDARY_OPEN;
    double sum = 0;
    for (int l = 0; l < height; l++) {
        const size_t row = (size_t)l * (size_t)width;
        sum += line_energy(corridor->sides, before + row, now + row, width, 1);
    }
    for (int j = 0; j < width && duct; j++)
        sum += line_energy(corridor->sides + 2, before + j, now + j, height,
                           (size_t)width);
    return sum;
}

static double kinetic_energy(double before, double now, double delta)
{
    return (now - before) * (now - before) / (2 * delta);
}

double mode_energy_take(const struct corridor *corridor, double delta,
                        const struct mode *modes, const double *shapes,
                        const double *before, const double *now,
                        double *a_before, double *a_now, double *energy)
{
    const int length = corridor_length(corridor);
    const size_t count = corridor_section(corridor);
    double sum = 0;
    project(corridor, shapes, before, a_before);
    project(corridor, shapes, now, a_now);
    for (size_t mode = 0; mode < count; mode++) {
        const double *b = a_before + mode * (size_t)length;
        const double *a = a_now + mode * (size_t)length;
        double *e = energy + mode * (size_t)length;
        for (int i = 0; i < length; i++)
            e[i] += kinetic_energy(b[i], a[i], delta) +
                    2 * modes[mode].law.s * a[i] * b[i] +
                    along_energy(corridor, b, a, i, 1);
    }
    for (int i = 0; i < length; i++) {
        const size_t section = (size_t)i * count;
        for (size_t j = 0; j < count; j++)
            sum +=
                kinetic_energy(before[section + j], now[section + j], delta) +
                along_energy(corridor, before + j, now + j, i, count);
        sum += across_energy(corridor, before + section, now + section);
    }
    return sum;
}

/* State between one generation and the next. */
struct making {
    double *shapes;      /* (count, count) */
    double *z[2], *a[2]; /* of the generation before, and the present one */
    int from, to;        /* the cells of the profiles */
    double *part[2]; /* (count): Σ w z cos kx and Σ w z sin kx of a step */
    double *sum[4];  /* (kept, count): over all steps, with w cos ωt and
                      * −w sin ωt; of both parts */
};

const double mode_profile_number = 0.78539816339744830962;

static double hann(double at)
{
    return .5 - .5 * cos(6.28318530717958647692 * at);
}

/* Adds a generation to the sums of the profiles. */
static void take_profiles(const struct mode_series *series,
                          struct making *making, const double *z, int64_t k)
{
    const size_t count = (size_t)series->count;
    for (int i = 0; i < 2; i++)
        memset(making->part[i], 0, count * sizeof(double));
    for (int x = making->from; x <= making->to; x++) {
        const double at =
            (x - making->from + .5) / (making->to - making->from + 1);
        const double angle = mode_profile_number * x;
        const double turn[2] = { hann(at) * cos(angle), hann(at) * sin(angle) };
        for (size_t j = 0; j < count; j++)
            for (int i = 0; i < 2; i++)
                making->part[i][j] += turn[i] * z[(size_t)x * count + j];
    }
    const double weight = hann(((double)k + .5) / (double)series->steps);
    for (int mode = 0; mode < series->kept; mode++) {
        const double angle =
            mode_frequency(&series->modes[mode].law, mode_profile_number) *
            (double)k;
        const double turn[2] = { weight * cos(angle), -weight * sin(angle) };
        for (int i = 0; i < 4; i++)
            for (size_t j = 0; j < count; j++)
                making->sum[i][(size_t)mode * count + j] +=
                    turn[i % 2] * making->part[i / 2][j];
    }
}

/* Z of a mode in a cell, for +k (1) or −k (−1). */
static void take_sum(const struct making *making, int way, size_t at,
                     double z[2])
{
    z[0] = making->sum[0][at] - way * making->sum[3][at];
    z[1] = making->sum[1][at] + way * making->sum[2][at];
}

/* Does another mode have a frequency at this wave number so close that Hann's
 * window over the steps does not separate both? */
static bool is_alone(const struct mode_series *series, int mode)
{
    const double lobe = 12.5663706143591729539 / (double)series->steps;
    const double own =
        mode_frequency(&series->modes[mode].law, mode_profile_number);
    for (int i = 0; i < series->count; i++)
        if (i != mode &&
            fabs(mode_frequency(&series->modes[i].law, mode_profile_number) -
                 own) < lobe)
            return false;
    return true;
}

/* The profile in one direction; returns the size of the mode's part. */
static double make_profile(const struct making *making, int way, size_t first,
                           size_t count, double *profile)
{
    double along[2] = { 0 }, all = 0, z[2];
    for (size_t j = 0; j < count; j++) {
        take_sum(making, way, first + j, z);
        for (int i = 0; i < 2; i++)
            along[i] += making->shapes[first + j] * z[i];
        all += z[0] * z[0] + z[1] * z[1];
    }
    const double size = hypot(along[0], along[1]);
    for (size_t j = 0; j < count; j++) {
        take_sum(making, way, first + j, z);
        profile[j] =
            size > 0 ? (along[0] * z[0] + along[1] * z[1]) / (size * sqrt(all))
                     : (double)NAN;
    }
    return size;
}

/* In the direction in which more of the mode travels. */
static void make_profiles(struct mode_series *series,
                          const struct making *making)
{
    const size_t count = (size_t)series->count;
    double *other = need_memory(count, sizeof *other);
    for (int mode = 0; mode < series->kept; mode++) {
        const size_t first = (size_t)mode * count;
        double *profile = series->profile + first;
        const bool there =
            mode_series_energy(series, mode) > 1e-12 * series->field_energy &&
            is_alone(series, mode);
        const double size = make_profile(making, 1, first, count, profile);
        if (make_profile(making, -1, first, count, other) > size)
            memcpy(profile, other, count * sizeof *other);
        for (size_t j = 0; j < count && !there; j++)
            profile[j] = NAN;
    }
    memory_release(other);
}

void mode_series_shape(const struct corridor_field *field,
                       const struct mode_series *series, int mode, double *out)
{
    const struct corridor *corridor = &field->corridor;
    const bool flat = corridor->sides[2] == BOUNDARY_OPEN;
    mode_section(&series->modes[mode], corridor_width(corridor),
                 flat ? 0 : corridor_height(corridor),
                 corridor->sides[0] == BOUNDARY_FIXED, out);
}

static void swap(double *pair[2])
{
    double *other = pair[0];
    pair[0] = pair[1];
    pair[1] = other;
}

static void keep(struct mode_series *series, const double *a, int64_t k)
{
    const size_t length = (size_t)series->length;
    for (int mode = 0; mode < series->kept; mode++)
        memcpy(series->a +
                   ((size_t)mode * (size_t)series->steps + (size_t)k) * length,
               a + (size_t)mode * length, length * sizeof *a);
}

static enum status take_steps(const struct corridor_field *field,
                              struct making *making, struct mode_series *series,
                              struct error *error)
{
    enum status status = STATUS_OK;
    for (int64_t k = 0; k < series->steps && !status; k++) {
        status = field_read(field, k, making->z[1], error);
        if (status)
            break;
        if (k == 0)
            project(&field->corridor, making->shapes, making->z[1],
                    making->a[1]);
        else
            series->field_energy += mode_energy_take(
                &field->corridor, field->settings.delta, series->modes,
                making->shapes, making->z[0], making->z[1], making->a[0],
                making->a[1], series->energy);
        keep(series, making->a[1], k);
        take_profiles(series, making, making->z[1], k);
        swap(making->z);
        swap(making->a);
    }
    return status;
}

enum status mode_series_make(const struct corridor_field *field, int from,
                             int to, struct mode_series *series,
                             struct error *error)
{
    const struct corridor *corridor = &field->corridor;
    const int length = corridor_length(corridor);
    const int width = corridor_width(corridor);
    const int height =
        corridor->sides[2] == BOUNDARY_OPEN ? 0 : corridor_height(corridor);
    const size_t count = corridor_section(corridor);
    const bool fixed = corridor->sides[0] == BOUNDARY_FIXED;
    struct making making = { .from = from, .to = to };
    size_t cells, squares, numbers;
    *series = (struct mode_series){
        .kept = count < MODES_KEPT ? (int)count : MODES_KEPT,
        .length = length,
        .count = (int)count,
        .steps = field->steps,
    };
    if (!size_multiply((size_t)length, count, &cells) ||
        !size_multiply(count, count, &squares) ||
        !size_multiply((size_t)series->steps,
                       (size_t)length * (size_t)series->kept, &numbers))
        return error_memory(error);
    series->a = need_memory(numbers, sizeof *series->a);
    series->energy = need_memory(cells, sizeof *series->energy);
    series->modes = need_memory(count, sizeof *series->modes);
    series->profile =
        need_memory((size_t)series->kept * count, sizeof *series->profile);
    making.shapes = need_memory(squares, sizeof *making.shapes);
    for (int i = 0; i < 2; i++) {
        making.z[i] = need_memory(cells, sizeof(double));
        making.a[i] = need_memory(cells, sizeof(double));
        making.part[i] = need_memory(count, sizeof(double));
    }
    for (int i = 0; i < 4; i++)
        making.sum[i] =
            need_memory((size_t)series->kept * count, sizeof(double));
    enum status status = STATUS_OK;
    mode_list(width, height, fixed, field->settings.delta, series->modes);
    for (size_t mode = 0; mode < count && !status; mode++)
        mode_section(&series->modes[mode], width, height, fixed,
                     making.shapes + mode * count);
    if (!status)
        status = take_steps(field, &making, series, error);
    if (!status)
        make_profiles(series, &making);
    for (int i = 0; i < 2; i++) {
        memory_release(making.z[i]);
        memory_release(making.a[i]);
        memory_release(making.part[i]);
    }
    for (int i = 0; i < 4; i++)
        memory_release(making.sum[i]);
    memory_release(making.shapes);
    return status;
}

void mode_series_release(struct mode_series *series)
{
    memory_release(series->a);
    memory_release(series->energy);
    memory_release(series->modes);
    memory_release(series->profile);
    *series = (struct mode_series){ 0 };
}

double mode_series_energy(const struct mode_series *series, int mode)
{
    double sum = 0;
    for (int i = 0; i < series->length; i++)
        sum +=
            series->energy[(size_t)mode * (size_t)series->length + (size_t)i];
    return sum;
}
