/* SPDX-License-Identifier: MIT */
/* What open edges cost: the time of a generation with all edges open over that
 * with mirrors, on the same open map in one run (single precision). `step`: one
 * generation at a time, as if each is read; `advance`: 48 at once, as if only
 * the last is. The medians over rounds, by the thread's processor time.
 *
 * usage: edges [ROUNDS]
 */
#include "base/memory.h"
#include "clock.h"
#include "wave/generations.h"

#include <stdio.h>

enum { MOST_ROUNDS = 99, AT_ONCE = 48, CELLS = 8000000 };

struct pond {
    struct terrain terrain;
    struct medium *medium;
    struct wave *wave;
};

static void open_pond(struct pond *pond, int dims, int n, enum edge_rule edge)
{
    const struct wave_settings settings = {
        .delta = .25,
        .amplitude = 1,
        .edge = edge,
        .stencil = stencil_find(dims == 3 ? "7-point" : "5-point"),
        .precision = PRECISION_SINGLE,
    };
    struct grid grid;
    if (grid_make(dims, n, n, dims == 3 ? n : 1, &grid, NULL) ||
        terrain_init(&pond->terrain, &grid, NULL) ||
        medium_new(&pond->terrain, &settings, &pond->medium, NULL) ||
        wave_new(pond->medium, &pond->wave, NULL))
        abort();
    wave_emit(pond->wave, grid_cells(&grid) / 2, 0);
    wave_advance(pond->wave, n, NULL); /* until it is everywhere */
}

static void close_pond(struct pond *pond)
{
    wave_release(pond->wave);
    medium_release(pond->medium);
    terrain_release(&pond->terrain);
}

/* Seconds of a generation. */
static double time_of(struct pond *pond, int steps, bool at_once)
{
    const double start = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int k = 0; k < steps; k += at_once ? AT_ONCE : 1)
        if (at_once)
            wave_advance(pond->wave, AT_ONCE, NULL);
        else
            wave_step(pond->wave, NULL);
    return (clock_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / steps;
}

int main(int argc, char **argv)
{
    static const int maps[][2] = {
        { 2, 200 }, { 2, 512 }, { 2, 2048 }, { 3, 50 }
    };
    const int rounds = argc > 1 ? atoi(argv[1]) : 11;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: edges [ROUNDS], 1 to %d\n", MOST_ROUNDS);
        return 2;
    }
    denormals_flush(true);
    printf("map       generations  mirror, us  open, us  open / mirror\n");
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        const int dims = maps[i][0], n = maps[i][1];
        const int cells = dims == 3 ? n * n * n : n * n;
        const int steps = (CELLS / cells / AT_ONCE + 1) * AT_ONCE;
        struct pond mirror, open;
        open_pond(&mirror, dims, n, EDGE_MIRROR);
        open_pond(&open, dims, n, EDGE_OPEN);
        for (int at_once = 0; at_once < 2; at_once++) {
            double one[MOST_ROUNDS], other[MOST_ROUNDS], ratio[MOST_ROUNDS];
            for (int k = 0; k < rounds; k++) {
                one[k] = time_of(&mirror, steps, at_once);
                other[k] = time_of(&open, steps, at_once);
                ratio[k] = other[k] / one[k];
            }
            printf(
                "%4d^%d     %-11s %11.1f %9.1f %14.2f\n", n, dims,
                at_once ? "advance" : "step", 1e6 * clock_median(one, rounds),
                1e6 * clock_median(other, rounds), clock_median(ratio, rounds));
        }
        close_pond(&mirror);
        close_pond(&open);
    }
    return 0;
}
