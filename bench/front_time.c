/* SPDX-License-Identifier: MIT */
/* What the Laplace-weighted wave by its front alone costs beside the wave that
 * is drawn (front_band.h; docs/remedies.md), as bench/arrival_time has it: one
 * emission of 300 generations in single precision, 10 % walls, medians of
 * rounds that take turns, in time of the processor. Then how far ln U is from
 * that of a plain wave's sum in double precision.
 *
 *   front_time [side [stencil [walls [range]]]]   200 5-point fixed 66 */
#include "base/memory.h"
#include "clock.h"
#include "emission_map.h"
#include "front_band.h"
#include "wave/laplace.h"
#include "wave/wave.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 15, STEPS = 300, KINDS = 4, MANY = 1 << 20 };

static const char *const kind_names[KINDS] = { "a sum, grad U",
                                               "a sum and its field",
                                               "two sums, the mean time",
                                               "two sums and their field" };

struct bench {
    struct terrain terrain;
    struct wave_settings settings;
    struct medium *medium;
    struct wave *wave;
    struct band band[KINDS];
    size_t source;
};

/* As docs/remedies.md chooses them. */
static struct band_options options_of(const struct bench *bench, int kind,
                                      int range)
{
    const bool nine = bench->settings.stencil == stencil_find("9-point");
    const bool two = kind >= 2;
    return (struct band_options){
        .stencil = bench->settings.stencil,
        .free_walls = bench->settings.walls == WALLS_FREE,
        .p = !two   ? 1
             : nine ? .5
                    : .8,
        .eta = !two   ? .01
               : nine ? 1e-6
                      : 1e-4,
        .by_time = two,
        .field = kind % 2,
        .range = range,
    };
}

static enum status bench_open(struct bench *bench, int side, int range,
                              struct error *error)
{
    bool solid = bench->settings.stencil == stencil_find("7-point");
    enum status status =
        emission_map(side, solid, &bench->terrain, &bench->source, error);
    if (status != STATUS_OK)
        return status;
    status =
        medium_new(&bench->terrain, &bench->settings, &bench->medium, error);
    if (status == STATUS_OK)
        status = wave_new(bench->medium, &bench->wave, error);
    for (int kind = 0; kind < KINDS && status == STATUS_OK; kind++) {
        struct band_options options = options_of(bench, kind, range);
        status =
            band_init(&bench->band[kind], &bench->terrain, &options, error);
    }
    return status;
}

static void bench_close(struct bench *bench)
{
    for (int kind = 0; kind < KINDS; kind++)
        band_release(&bench->band[kind]);
    wave_release(bench->wave);
    medium_release(bench->medium);
    terrain_release(&bench->terrain);
}

/* The wave alone, or a band alone: they are independent. */
static double time_wave(struct bench *bench)
{
    double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    wave_emit(bench->wave, bench->source, 0);
    for (int k = 0; k < STEPS; k++)
        wave_step(bench->wave, NULL);
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static double time_band(struct bench *bench, struct band *band)
{
    double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    band_begin(band, bench->source);
    for (int k = 0; k < STEPS; k++)
        band_step(band);
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static void measure(struct bench *bench)
{
    double times[KINDS + 1][ROUNDS];
    int rounds = grid_cells(&bench->terrain.grid) > MANY ? ROUNDS / 5 : ROUNDS;
    for (int round = 0; round < rounds; round++) {
        times[KINDS][round] = time_wave(bench);
        for (int kind = 0; kind < KINDS; kind++)
            times[kind][round] = time_band(bench, &bench->band[kind]);
    }
    double wave = clock_median(times[KINDS], rounds);
    printf("%-26s %8.3f ms\n", "the wave", 1e3 * wave);
    for (int kind = 0; kind < KINDS; kind++) {
        double band = clock_median(times[kind], rounds);
        printf("%-26s %8.3f ms  wave and band: x %.2f  %.0f vectors\n",
               kind_names[kind], 1e3 * band, 1 + band / wave,
               (double)bench->band[kind].vectors);
    }
}

/* ---- against the plain wave's sum ---- */

static void tell_difference(const struct bench *bench,
                            const struct laplace *sum)
{
    double most = 0, total = 0, count = 0;
    for (size_t i = 0; i < grid_cells(&bench->terrain.grid); i++) {
        double own = band_log(&bench->band[0], i);
        if (bench->terrain.wall[i] || isinf(own))
            continue;
        double off =
            fabs(own - (laplace_log(sum, i) - log(sum->options.amplitude)));
        most = fmax(most, off);
        total += off;
        count++;
    }
    printf("%.0f cells closed; ln U differs by %.2g at most, %.2g on the "
           "mean\n",
           count, most, total / count);
}

static enum status compare(struct bench *bench, struct error *error)
{
    struct medium *medium = NULL;
    struct wave *wave = NULL;
    struct laplace sum = { 0 };
    struct wave_settings settings = bench->settings;
    settings.precision = PRECISION_DOUBLE;
    settings.amplitude = 1e300;
    const struct laplace_options options = {
        .p = 1,
        .eta = .01,
        .amplitude = settings.amplitude,
        .width = sizeof(double),
        .matched = settings.stencil == stencil_find("9-point")
    };
    enum status status = medium_new(&bench->terrain, &settings, &medium, error);
    if (status == STATUS_OK)
        status = wave_new(medium, &wave, error);
    if (status == STATUS_OK)
        status = laplace_init(&sum, &bench->terrain, &options, error);
    if (status == STATUS_OK) {
        wave_emit(wave, bench->source, 0);
        laplace_begin(&sum, bench->source);
        for (int k = 0; k <= STEPS; k++) {
            if (k)
                wave_step(wave, NULL);
            struct amplitudes newest = wave_newest(wave);
            laplace_take(&sum, &newest, k, NULL);
        }
        tell_difference(bench, &sum);
    }
    laplace_release(&sum);
    wave_release(wave);
    medium_release(medium);
    return status;
}

int main(int argc, char **argv)
{
    const int side = argc > 1 ? atoi(argv[1]) : 200;
    const int range = argc > 4 ? atoi(argv[4]) : 66;
    struct error error;
    struct bench bench = {
        .settings = { .count = 1,
                      .lifetime = STEPS,
                      .delta = .25,
                      .amplitude = 0x1p100,
                      .walls = argc > 3 && !strcmp(argv[3], "free")
                                   ? WALLS_FREE
                                   : WALLS_FIXED,
                      .stencil = stencil_find(argc > 2 ? argv[2] : "5-point") },
    };
    if (!bench.settings.stencil || side < 1 || range < 1 || range > 186) {
        fprintf(stderr, "front_time: [side [5-point, 9-point or 7-point "
                        "[fixed or free [range, 1 to 186]]]]\n");
        return STATUS_INPUT;
    }
    if (!band_can_run()) {
        printf("front_time: needs a machine with AVX-512\n");
        return STATUS_OK;
    }
    denormals_flush(true);
    enum status status = bench_open(&bench, side, range, &error);
    if (status == STATUS_OK) {
        measure(&bench);
        status = compare(&bench, &error);
    }
    if (status != STATUS_OK)
        fprintf(stderr, "front_time: %s\n", error.message);
    bench_close(&bench);
    return (int)status;
}
