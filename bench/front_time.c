/* SPDX-License-Identifier: MIT */
/* The cost of the front of the Laplace-weighted wave in the band of its open
 * cells (wave/laplace/band.h), for each size of the machine's vectors: compared
 * with its plain path over the lit box, and with the wave that is drawn. One
 * emission of 300 generations in single precision, 10 % walls, medians of
 * rounds, measured in turn, in processor time. Then the difference of ln U from
 * that of a plain wave's sum in double precision.
 *
 *   front_time [side [stencil [walls [range]]]]   200 5-point fixed 0
 *
 * range: 0 by the walls. */
#include "base/memory.h"
#include "clock.h"
#include "emission_map.h"
#include "wave/generations.h"
#include "wave/laplace/wave.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double laplace_log(const struct laplace *laplace, size_t cell)
{
    return laplace_log_of(laplace, laplace_cell(laplace, cell));
}

enum { ROUNDS = 15, STEPS = 300, KINDS = 4, MANY = 1 << 20 };
enum { WAVE, PLAIN, BAND, METHODS };

static const char *const kind_names[KINDS] = { "a sum, grad U",
                                               "a sum and its field",
                                               "two sums, the mean time",
                                               "two sums and their field" };

struct bench {
    struct terrain terrain;
    struct wave_settings settings;
    struct medium *medium;
    struct wave *wave;
    struct laplace_wave front[KINDS];
    size_t source;
    double times[LEVELS][KINDS][METHODS][ROUNDS];
};

/* As chosen in docs/studies/remedies.md. */
static struct laplace_options options_of(const struct bench *bench, int kind)
{
    const bool nine = bench->settings.stencil == stencil_find("9-point");
    const bool two = kind >= 2;
    return (struct laplace_options){
        .p = !two   ? 1
             : nine ? .5
                    : .8,
        .eta = !two   ? .01
               : nine ? 1e-6
                      : 1e-4,
        .steps = kind % 2,
    };
}

static enum status front_open(struct bench *bench, int kind, int range,
                              struct error *error)
{
    const struct laplace_options options = options_of(bench, kind);
    if (laplace_wave_bits(options.p, options.eta, range, kind >= 2) >
        laplace_wave_room(PRECISION_SINGLE))
        return error_set(error, STATUS_INPUT, "range: %d is too large", range);
    return laplace_wave_init(&bench->front[kind], bench->medium, &options,
                             range, kind >= 2, error);
}

static enum status bench_open(struct bench *bench, int side, int range,
                              struct error *error)
{
    bool solid = bench->settings.stencil == stencil_find("7-point");
    enum status status =
        emission_map(side, solid, &bench->terrain, &bench->source, error);
    if (status == STATUS_OK)
        status = medium_new(&bench->terrain, &bench->settings, &bench->medium,
                            error);
    if (status == STATUS_OK)
        status = wave_new(bench->medium, &bench->wave, error);
    for (int kind = 0; kind < KINDS && status == STATUS_OK; kind++)
        status = front_open(bench, kind, range, error);
    return status;
}

static void bench_close(struct bench *bench)
{
    for (int kind = 0; kind < KINDS; kind++)
        laplace_wave_release(&bench->front[kind]);
    wave_release(bench->wave);
    medium_release(bench->medium);
    terrain_release(&bench->terrain);
}

/* Only the wave, or only a front: they are independent. */
static double time_wave(struct bench *bench)
{
    double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    wave_emit(bench->wave, bench->source, 0);
    for (int k = 0; k < STEPS; k++)
        wave_step(bench->wave, NULL);
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static double time_front(const struct bench *bench, struct laplace_wave *front)
{
    double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    laplace_wave_begin(front, bench->source, NULL);
    for (int k = 0; k < STEPS; k++)
        laplace_wave_advance(front, NULL);
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
}

/* Each level has its own wave and plain path. */
static void time_level(struct bench *bench, int level, int round)
{
    medium_choose(bench->medium, (enum kernel_level)level);
    for (int kind = 0; kind < KINDS; kind++) {
        struct laplace_wave *front = &bench->front[kind];
        bench->times[level][kind][WAVE][round] = time_wave(bench);
        laplace_wave_set_plain(front);
        bench->times[level][kind][PLAIN][round] = time_front(bench, front);
        laplace_wave_set_level(front, (enum kernel_level)level);
        time_front(bench, front); /* the state left by the plain path is
                                   * discarded */
        bench->times[level][kind][BAND][round] = time_front(bench, front);
    }
}

static int bytes_of(int level)
{
    return 16 << level;
}

static void measure(struct bench *bench)
{
    int rounds = grid_cells(&bench->terrain.grid) > MANY ? ROUNDS / 5 : ROUNDS;
    for (int round = 0; round < rounds; round++)
        for (int level = 0; level <= (int)kernel_best(); level++)
            time_level(bench, level, round);
    for (int level = 0; level <= (int)kernel_best(); level++)
        for (int kind = 0; kind < KINDS; kind++) {
            double took[METHODS];
            for (int i = 0; i < METHODS; i++)
                took[i] = clock_median(bench->times[level][kind][i], rounds);
            printf("%2d bytes: %-25s wave %8.3f, plain %8.3f, band %8.3f ms; "
                   "band over plain: x %.3f; wave and band: x %.2f\n",
                   bytes_of(level), kind_names[kind], 1e3 * took[WAVE],
                   1e3 * took[PLAIN], 1e3 * took[BAND],
                   took[BAND] / took[PLAIN], 1 + took[BAND] / took[WAVE]);
        }
}

/* ---- compared with the plain wave's sum ---- */

/* U of every cell in double precision from A = 10^300. */
static void add_up(struct wave *wave, size_t source, double p, double *z,
                   double *sum, size_t cells)
{
    wave_emit(wave, source, 0);
    for (int k = 0; k <= STEPS; k++) {
        if (k)
            wave_step(wave, NULL);
        wave_copy(wave, z, NULL);
        for (size_t i = 0; i < cells; i++)
            sum[i] += z[i] * exp(-p * k);
    }
}

static void print_difference(struct bench *bench, int level, const double *sum,
                             double amplitude)
{
    struct laplace_wave *front = &bench->front[0];
    const struct laplace *own = &front->pair.sum[0];
    const double unit = log(amplitude / bench->settings.amplitude);
    double most = 0, total = 0, count = 0;
    laplace_wave_set_level(front, (enum kernel_level)level);
    time_front(bench, front);
    for (size_t i = 0; i < grid_cells(&bench->terrain.grid); i++) {
        if (bench->terrain.wall[i] ||
            !own->closed[layout_cell(&own->layout, i)])
            continue;
        double off = fabs(laplace_log(own, i) - (log(sum[i]) - unit));
        most = fmax(most, off);
        total += off;
        count++;
    }
    printf("%.0f cells closed; ln U differs by %.2g at most, %.2g on the "
           "mean, %d bytes\n",
           count, most, total / count, bytes_of(level));
}

static enum status compare(struct bench *bench, struct error *error)
{
    struct medium *medium = NULL;
    struct wave *wave = NULL;
    struct wave_settings settings = bench->settings;
    const size_t cells = grid_cells(&bench->terrain.grid);
    double *z = memory_new(cells, sizeof *z);
    double *sum = memory_new(cells, sizeof *sum);
    settings.precision = PRECISION_DOUBLE;
    settings.amplitude = 1e300;
    enum status status =
        z && sum ? medium_new(&bench->terrain, &settings, &medium, error)
                 : error_memory(error);
    if (status == STATUS_OK)
        status = wave_new(medium, &wave, error);
    if (status == STATUS_OK) {
        add_up(wave, bench->source, options_of(bench, 0).p, z, sum, cells);
        for (int level = 0; level <= (int)kernel_best(); level++)
            print_difference(bench, level, sum, settings.amplitude);
    }
    wave_release(wave);
    medium_release(medium);
    memory_release(z);
    memory_release(sum);
    return status;
}

int main(int argc, char **argv)
{
    const int side = argc > 1 ? atoi(argv[1]) : 200;
    const int range = argc > 4 ? atoi(argv[4]) : 0;
    struct error error;
    static struct bench bench;
    bench.settings = (struct wave_settings){
        .count = 1,
        .lifetime = STEPS,
        .delta = .25,
        .amplitude = 0x1p100,
        .walls =
            argc > 3 && !strcmp(argv[3], "free") ? WALLS_FREE : WALLS_FIXED,
        .stencil = stencil_find(argc > 2 ? argv[2] : "5-point")
    };
    if (!bench.settings.stencil || side < 1 || range < 0) {
        fprintf(stderr, "front_time: [side [5-point, 9-point or 7-point "
                        "[fixed or free [range]]]]\n");
        return STATUS_INPUT;
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
