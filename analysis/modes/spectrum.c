/* SPDX-License-Identifier: MIT */
#include "analysis/modes/spectrum.h"

#include "analysis/modes/modes.h"

#include "base/memory.h"
#include "base/need.h"
#include "config.h"

#include <limits.h>
#include <math.h>

#ifdef HAMON_KISSFFT

#include <kiss_fft.h>

/* A transform with its input and output. */
struct transform {
    int size;
    kiss_fft_cfg plan;
    kiss_fft_cpx *in, *out;
};

static void transform_release(struct transform *transform)
{
    memory_release(transform->plan);
    memory_release(transform->in);
    memory_release(transform->out);
}

/* Of the first size that is fast and has room for `count` values. */
static enum status transform_new(struct transform *transform, size_t count,
                                 bool inverse, struct error *error)
{
    size_t bytes = 0;
    *transform = (struct transform){ 0 };
    if (count > INT_MAX / 2)
        return error_memory(error);
    transform->size = kiss_fft_next_fast_size((int)count);
    kiss_fft_alloc(transform->size, inverse, NULL, &bytes);
    void *room = need_memory(bytes, 1);
    transform->plan = kiss_fft_alloc(transform->size, inverse, room, &bytes);
    transform->in = need_memory((size_t)transform->size, sizeof(kiss_fft_cpx));
    transform->out = need_memory((size_t)transform->size, sizeof(kiss_fft_cpx));
    return STATUS_OK;
}

static void transform_run(const struct transform *transform)
{
    kiss_fft(transform->plan, transform->in, transform->out);
}

enum status spectrum_envelope(const double *trace, size_t count,
                              double *envelope, struct error *error)
{
    struct transform forth, back = { 0 };
    enum status status = transform_new(&forth, 2 * count, false, error);
    if (!status)
        status = transform_new(&back, 2 * count, true, error);
    if (!status) {
        const int size = forth.size;
        double largest = 0;
        for (size_t i = 0; i < count; i++)
            largest = fmax(largest, fabs(trace[i]));
        const double scale = largest > 0 ? largest : 1;
        for (size_t i = 0; i < count; i++)
            forth.in[i].r = (float)(trace[i] / scale);
        transform_run(&forth);
        for (int i = 0; i < size; i++) {
            const float weight = i == 0 || 2 * i == size ? 1
                                 : 2 * i < size          ? 2
                                                         : 0;
            back.in[i].r = weight * forth.out[i].r;
            back.in[i].i = weight * forth.out[i].i;
        }
        transform_run(&back);
        for (size_t i = 0; i < count; i++)
            envelope[i] = scale *
                          hypot((double)back.out[i].r, (double)back.out[i].i) /
                          size;
    }
    transform_release(&forth);
    transform_release(&back);
    return status;
}

struct image {
    double top;
    size_t frequencies, numbers;
    double *power; /* of one a(t, x) */
};

/* The wave-number bins of one frequency. */
static void take_numbers(const struct transform *across, double frequency,
                         struct image *image)
{
    const double line = frequency / image->top * (double)image->frequencies;
    if (line >= (double)image->frequencies)
        return;
    double *row = image->power + (size_t)line * image->numbers;
    for (int j = 0; 2 * j < across->size; j++) {
        const kiss_fft_cpx *one = &across->out[j];
        const kiss_fft_cpx *other =
            &across->out[(across->size - j) % across->size];
        double power =
            (double)one->r * (double)one->r + (double)one->i * (double)one->i;
        if (j)
            power += (double)other->r * (double)other->r +
                     (double)other->i * (double)other->i;
        size_t at = (size_t)(2. * j / across->size * (double)image->numbers);
        row[at] = fmax(row[at], power);
    }
}

/* Transforms each cell's trace in time and keeps the bins up to `top`: into
 * spectra[bin][cell]. */
static void take_traces(const double *a, size_t steps, size_t length,
                        size_t from, size_t to, const struct transform *in_time,
                        double unit, size_t bins, kiss_fft_cpx *spectra)
{
    const size_t count = to - from + 1;
    for (size_t x = from; x <= to; x++) {
        const double across =
            sin(pi * ((double)(x - from) + .5) / (double)count);
        for (size_t t = 0; t + 1 < steps; t++) {
            const double along = cos(pi * (double)t / (2. * (double)steps));
            in_time->in[t].r =
                (float)(across * across * along * along *
                        (a[(t + 1) * length + x] - a[t * length + x]) / unit);
        }
        transform_run(in_time);
        for (size_t bin = 0; bin < bins; bin++)
            spectra[bin * count + x - from] = in_time->out[bin];
    }
}

static void take_image(const kiss_fft_cpx *spectra, size_t bins, size_t count,
                       const struct transform *in_time,
                       const struct transform *across, struct image *image)
{
    for (size_t bin = 0; bin < bins; bin++) {
        for (size_t x = 0; x < count; x++)
            across->in[x] = spectra[bin * count + x];
        transform_run(across);
        take_numbers(across, 2 * pi * (double)bin / in_time->size, image);
    }
}

enum status spectrum_power(const double *a, size_t steps, size_t length,
                           size_t from, size_t to, double unit, double top,
                           size_t frequencies, size_t numbers, double *power,
                           struct error *error)
{
    const size_t count = to - from + 1;
    struct transform in_time, across = { 0 };
    struct image image = { top, frequencies, numbers, NULL };
    kiss_fft_cpx *spectra = NULL;
    /* Each line and column of the image has at least two bins. */
    const size_t fine = (size_t)(4 * pi / top * (double)frequencies) + 1;
    enum status status =
        transform_new(&in_time, steps > fine ? steps : fine, false, error);
    if (!status)
        status = transform_new(
            &across, count > 4 * numbers ? count : 4 * numbers, false, error);
    if (!status) {
        size_t bins = (size_t)(top / (2 * pi) * in_time.size) + 1;
        image.power = need_memory(frequencies * numbers, sizeof *image.power);
        spectra = need_memory(bins, count * sizeof *spectra);
        take_traces(a, steps, length, from, to, &in_time, unit, bins, spectra);
        take_image(spectra, bins, count, &in_time, &across, &image);
        for (size_t i = 0; i < frequencies * numbers; i++)
            power[i] += image.power[i];
    }
    transform_release(&in_time);
    transform_release(&across);
    memory_release(spectra);
    memory_release(image.power);
    return status;
}

enum status spectrum_check(struct error *error)
{
    return STATUS_OK;
}

#else

enum status spectrum_check(struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "built without kissfft: no spectrum can be computed; "
                     "install libkissfft-dev and build again");
}

enum status spectrum_envelope(const double *trace, size_t count,
                              double *envelope, struct error *error)
{
    return spectrum_check(error);
}

enum status spectrum_power(const double *a, size_t steps, size_t length,
                           size_t from, size_t to, double unit, double top,
                           size_t frequencies, size_t numbers, double *power,
                           struct error *error)
{
    return spectrum_check(error);
}

#endif
