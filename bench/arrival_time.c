/* SPDX-License-Identifier: MIT */
/* The cost of detecting arrivals, compared with that of the wave: one emission
 * of 300 generations in single precision, medians of rounds, measured in turn,
 * in processor time: other programs may run.
 *
 *   arrival_time [side [stencil [walls [p eta [range]]]]]
 *
 * A square map, or with 7-point a cube, 10 % walls: 200 5-point fixed. p, eta:
 * of one sum; range: of laplace, 0 by the walls. */
#include "base/memory.h"
#include "clock.h"
#include "emission_map.h"
#include "settings/value.h"
#include "wave/arrival/field.h"
#include "wave/laplace/wave.h"
#include "wave/wave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 15, STEPS = 300, KINDS = 7, FRONTS = 3, MANY = 1 << 20 };

static const char *const kind_names[KINDS] = {
    "wave",
    "wave, copied",
    "wave, first-arrival field (threshold)",
    "wave, laplace",
    "wave, laplace and its field",
    "wave, laplace by the mean time",
    "wave, the same and its field"
};

struct bench {
    struct terrain terrain;
    struct medium *medium;
    struct wave *wave;
    struct arrival_field field;
    /* One sum; two, for the mean time: without and with their field. */
    struct laplace_wave fronts[4];
    void *z;
    size_t source;
};

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
                                        .steps = true };
    const bool nine = stencil == stencil_find("9-point");
    /* As chosen in docs/studies/remedies.md; for the mean time the sums wait
     * longer. */
    struct laplace_options by_time = weighted;
    by_time.p = nine ? .5 : .8;
    by_time.eta = nine ? 1e-6 : 1e-4;
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
    for (int i = 0; i < 4 && status == STATUS_OK; i++) {
        struct laplace_options own = i < 2 ? weighted : by_time;
        own.steps = i % 2;
        status = laplace_wave_init(&bench->fronts[i], bench->medium, &own,
                                   settings->range, i >= 2, error);
    }
    return status;
}

static void bench_close(struct bench *bench)
{
    for (int i = 0; i < 4; i++)
        laplace_wave_release(&bench->fronts[i]);
    arrival_field_release(&bench->field);
    wave_release(bench->wave);
    medium_release(bench->medium);
    memory_release(bench->z);
    terrain_release(&bench->terrain);
}

/* Each kind starts in its own time, and discards its last round. */
static double time_round(struct bench *bench, int kind)
{
    struct laplace_wave *front =
        kind >= FRONTS ? &bench->fronts[kind - FRONTS] : NULL;
    double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    wave_emit(bench->wave, bench->source, 0);
    if (kind == 2)
        arrival_field_begin(&bench->field, bench->source);
    if (front)
        laplace_wave_begin(front, bench->source, NULL);
    for (int k = 0; k <= STEPS; k++) {
        if (k)
            wave_step(bench->wave, NULL);
        if (kind == 1 || kind == 2)
            wave_copy(bench->wave, bench->z, NULL);
        if (kind == 2)
            arrival_field_take(&bench->field, bench->z, k, NULL);
        if (front && k)
            laplace_wave_advance(front, NULL);
    }
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
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
    struct arrival_settings settings = arrival_default();
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
    for (int kind = 0; kind < KINDS; kind++) {
        double median = clock_median(times[kind], rounds);
        printf("%-40s %7.3f ms  x %.2f\n", kind_names[kind], 1e3 * median,
               median / times[0][rounds / 2]);
    }
    bench_close(&bench);
    return STATUS_OK;
}
