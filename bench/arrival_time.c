/* SPDX-License-Identifier: MIT */
/* What looking for arrivals costs beside the wave itself: one emission of 300
 * generations in single precision, medians of rounds that take turns, in time
 * of the processor: other programs may run.
 *
 *   arrival_time [side [stencil [walls [p eta [range]]]]]
 *
 * A square map, or with 7-point a cube, 10 % walls: 200 5-point fixed. p, eta:
 * of one sum; range: of laplace-front, 0 by the walls. */
#include "base/memory.h"
#include "emission_map.h"
#include "wave/arrival_field.h"
#include "wave/laplace_front.h"
#include "wave/wave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ROUNDS = 15,
    STEPS = 300,
    KINDS = 9,
    SUMS = 3,
    FRONTS = 5,
    MANY = 1 << 20
};

static const char *const kind_names[KINDS] = {
    "wave",
    "wave, copied",
    "wave, first-arrival field (threshold)",
    "wave, laplace sum and its field",
    "wave, laplace by the mean time",
    "wave, laplace-front",
    "wave, laplace-front and its field",
    "wave, laplace-front by the mean time",
    "wave, the same and its field"
};

struct bench {
    struct terrain terrain;
    struct medium *medium;
    struct wave *wave;
    struct arrival_field field;
    struct laplace_pair sums[2];    /* one; two, for the mean time */
    struct laplace_front fronts[4]; /* the same, without their field and with */
    void *z;
    size_t source;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* one thread works */
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum status bench_open(struct bench *bench, int side,
                              const struct stencil *stencil,
                              enum wall_rule walls,
                              const struct arrival_settings *settings,
                              struct error *error)
{
    struct wave_settings wave = { .count = 1,
                                  .lifetime = STEPS,
                                  .delta = .25,
                                  .amplitude = 0x1p100,
                                  .walls = walls,
                                  .stencil = stencil };
    struct arrival_field_options plain = { .settings = settings,
                                           .amplitude = 0x1p100,
                                           .width = sizeof(float) };
    struct laplace_options weighted = { .p = settings->p,
                                        .eta = settings->eta,
                                        .amplitude = 0x1p100,
                                        .width = sizeof(float),
                                        .steps = true,
                                        .matched = stencil ==
                                                   stencil_find("9-point") };
    /* As docs/remedies.md chooses them, which for the mean time wait longer. */
    struct laplace_options by_time = weighted;
    by_time.p = weighted.matched ? .5 : .8;
    by_time.eta = weighted.matched ? 1e-6 : 1e-4;
    bool solid = stencil == stencil_find("7-point");
    enum status status =
        emission_map(side, solid, &bench->terrain, &bench->source, error);
    if (status != STATUS_OK)
        return status;
    const struct grid *grid = &bench->terrain.grid;
    bench->z = memory_new(grid_cells(grid), sizeof(float));
    status = bench->z
                 ? medium_new(&bench->terrain, &wave, &bench->medium, error)
                 : error_memory(error);
    if (status == STATUS_OK)
        status = wave_new(bench->medium, &bench->wave, error);
    if (status == STATUS_OK)
        status = arrival_field_init(&bench->field, grid, &plain, error);
    if (status == STATUS_OK)
        status = laplace_pair_init(&bench->sums[0], &bench->terrain, &weighted,
                                   false, error);
    if (status == STATUS_OK)
        status = laplace_pair_init(&bench->sums[1], &bench->terrain, &by_time,
                                   true, error);
    for (int i = 0; i < 4 && status == STATUS_OK; i++) {
        struct laplace_options own = i < 2 ? weighted : by_time;
        own.steps = i % 2;
        status = laplace_front_init(&bench->fronts[i], bench->medium, &own,
                                    settings->range, i >= 2, error);
    }
    return status;
}

static void bench_close(struct bench *bench)
{
    for (int i = 0; i < 2; i++)
        laplace_pair_release(&bench->sums[i]);
    for (int i = 0; i < 4; i++)
        laplace_front_release(&bench->fronts[i]);
    arrival_field_release(&bench->field);
    wave_release(bench->wave);
    medium_release(bench->medium);
    memory_release(bench->z);
    terrain_release(&bench->terrain);
}

/* Each kind begins, and so forgets its last round, in its own time. */
static double time_round(struct bench *bench, int kind)
{
    struct laplace_pair *sums =
        kind >= SUMS && kind < FRONTS ? &bench->sums[kind - SUMS] : NULL;
    struct laplace_front *front =
        kind >= FRONTS ? &bench->fronts[kind - FRONTS] : NULL;
    double start = seconds();
    wave_emit(bench->wave, bench->source, 0);
    if (kind == 2)
        arrival_field_begin(&bench->field, bench->source);
    if (sums)
        laplace_pair_begin(sums, bench->source);
    if (front)
        laplace_front_begin(front, bench->source, NULL);
    for (int k = 0; k <= STEPS; k++) {
        if (k)
            wave_step(bench->wave, NULL);
        if (kind == 1 || kind == 2)
            wave_copy(bench->wave, bench->z, NULL);
        if (kind == 2)
            arrival_field_take(&bench->field, bench->z, k, NULL);
        struct amplitudes newest = wave_newest(bench->wave);
        if (sums)
            laplace_pair_owe(sums, &newest, k, NULL);
        if (front && k)
            laplace_front_advance(front, NULL);
    }
    for (int i = 0; sums && i < sums->count; i++)
        laplace_catch_up(&sums->sum[i], NULL);
    return seconds() - start;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 200;
    const struct stencil *stencil =
        stencil_find(argc > 2 ? argv[2] : "5-point");
    struct bench bench = { .source = 0 };
    struct error error;
    double times[KINDS][ROUNDS];
    if (!stencil) {
        fprintf(stderr, "arrival_time: %s: 5-point, 9-point or 7-point\n",
                argv[2]);
        return STATUS_INPUT;
    }
    enum wall_rule walls =
        argc > 3 && !strcmp(argv[3], "free") ? WALLS_FREE : WALLS_FIXED;
    struct arrival_settings settings = arrival_defaults;
    if (argc > 5) {
        settings.p = atof(argv[4]);
        settings.eta = atof(argv[5]);
    }
    if (argc > 6)
        settings.range = atoi(argv[6]);
    if (bench_open(&bench, side, stencil, walls, &settings, &error) !=
        STATUS_OK) {
        fprintf(stderr, "arrival_time: %s\n", error.message);
        bench_close(&bench);
        return STATUS_FAILED;
    }
    denormals_flush(true);
    int rounds = grid_cells(&bench.terrain.grid) > MANY ? ROUNDS / 3 : ROUNDS;
    for (int round = 0; round < rounds; round++)
        for (int kind = 0; kind < KINDS; kind++)
            times[kind][round] = time_round(&bench, kind);
    for (int kind = 0; kind < KINDS; kind++)
        qsort(times[kind], (size_t)rounds, sizeof(double), by_size);
    for (int kind = 0; kind < KINDS; kind++)
        printf("%-40s %7.3f ms  x %.2f\n", kind_names[kind],
               1e3 * times[kind][rounds / 2],
               times[kind][rounds / 2] / times[0][rounds / 2]);
    bench_close(&bench);
    return STATUS_OK;
}
