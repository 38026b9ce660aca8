/* SPDX-License-Identifier: MIT */
/* How the cost of stepping grows with the work, and two runs of the papers.
 * Nanoseconds of the thread's processor time (threads: of wall-clock time),
 * medians over rounds in which all sizes are measured in turn; the slope is
 * that of the logarithm of the cost over that of the size: 1 means
 * proportional.
 * usage: growth [ROUNDS] */
#include "base/memory.h"
#include "base/random.h"
#include "clock.h"
#include "wave/generations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_WAVES = 8, MOST_ROUNDS = 99, MOST_SIZES = 9 };

struct pool {
    struct terrain terrain;
    struct medium *medium;
    struct wave *wave[MOST_WAVES];
    int waves;
};

/* An open map of n × n cells, one in ten a wall, filled by all waves. */
static void fill(struct pool *pool, int n, int waves)
{
    const struct wave_settings settings = { .delta = 0.25,
                                            .amplitude = 1,
                                            .stencil = stencil_find("5-point"),
                                            .precision = PRECISION_SINGLE };
    struct random random;
    *pool = (struct pool){ .waves = waves };
    random_seed(&random, 1);
    if (grid_make(2, n, n, 1, &pool->terrain.grid, NULL))
        abort();
    size_t cells = grid_cells(&pool->terrain.grid);
    pool->terrain.wall = memory_new(cells, 1);
    if (!pool->terrain.wall)
        abort();
    for (size_t i = 0; i < cells; i++)
        pool->terrain.wall[i] =
            i != cells / 2 && random_below(&random, 10) == 0;
    if (medium_new(&pool->terrain, &settings, &pool->medium, NULL))
        abort();
    for (int i = 0; i < waves; i++) {
        if (wave_new(pool->medium, &pool->wave[i], NULL))
            abort();
        wave_emit(pool->wave[i], cells / 2, 0);
        pool->wave[i]->lit = grid_box(&pool->terrain.grid);
    }
}

static void empty(struct pool *pool)
{
    for (int i = 0; i < pool->waves; i++)
        wave_release(pool->wave[i]);
    medium_release(pool->medium);
    memory_release(pool->terrain.wall);
}

/* Seconds of this number of generations of all waves, each of them visible or
 * not. */
static double run(struct pool *pool, int generations, bool visible,
                  struct team *team)
{
    clockid_t clock = team ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    double start = clock_seconds(clock);
    for (int k = 0; visible && k < generations; k++)
        for (int i = 0; i < pool->waves; i++)
            wave_step(pool->wave[i], team);
    for (int i = 0; !visible && i < pool->waves; i++)
        wave_advance(pool->wave[i], generations, team);
    return clock_seconds(clock) - start;
}

/* Least squares of ln cost over ln size. */
static double slope(const double *size, const double *cost, int count)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < count; i++) {
        x += log(size[i]) / count;
        y += log(cost[i]) / count;
    }
    for (int i = 0; i < count; i++) {
        xx += (log(size[i]) - x) * (log(size[i]) - x);
        xy += (log(size[i]) - x) * (log(cost[i]) - y);
    }
    return xy / xx;
}

/* One quantity that grows, and the fixed ones. */
struct growth {
    const char *of;
    int count;
    struct {
        int n, waves, generations, threads;
    } at[MOST_SIZES];
    bool visible;
};

static double size_of(const struct growth *growth, int i)
{
    double n = growth->at[i].n;
    switch (growth->of[0]) {
    case 'c':
        return n * n;
    case 'w':
        return growth->at[i].waves;
    case 's':
        return growth->at[i].generations;
    default:
        return growth->at[i].threads;
    }
}

static void measure(const struct growth *growth, int rounds)
{
    static double spent[MOST_SIZES][MOST_ROUNDS];
    struct pool pool[MOST_SIZES];
    struct team *team[MOST_SIZES] = { NULL };
    double size[MOST_SIZES], cost[MOST_SIZES];
    for (int i = 0; i < growth->count; i++) {
        fill(&pool[i], growth->at[i].n, growth->at[i].waves);
        if (growth->of[0] == 't' &&
            team_new(growth->at[i].threads, true, &team[i], NULL))
            abort();
        run(&pool[i], 1, true, team[i]);
    }
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < growth->count; i++)
            spent[i][round] = run(&pool[i], growth->at[i].generations,
                                  growth->visible, team[i]);
    for (int i = 0; i < growth->count; i++) {
        bool by_step = growth->of[0] != 's';
        size[i] = size_of(growth, i);
        cost[i] = 1e9 * clock_median(spent[i], rounds) /
                  (by_step ? growth->at[i].generations : 1);
        printf("%-8s %-7s %10.0f  %14.0f ns (%.0f ... %.0f)\n", growth->of,
               growth->visible ? "visible" : "fused", size[i], cost[i],
               1e9 * spent[i][rounds / 4] /
                   (by_step ? growth->at[i].generations : 1),
               1e9 * spent[i][rounds - 1 - rounds / 4] /
                   (by_step ? growth->at[i].generations : 1));
        team_release(team[i]);
        empty(&pool[i]);
    }
    printf("%-8s %-7s slope %.2f\n", growth->of,
           growth->visible ? "visible" : "fused",
           slope(size, cost, growth->count));
}

/* Three waves, every generation visible, no recording: Watanabe 2021 reports
 * 1423.49 and 547.31 frames a second of its program on its machine. */
static void paper(int n, double published, int rounds)
{
    struct pool pool;
    double rate[MOST_ROUNDS];
    const int frames = 1000000 / (n * n) * 10;
    fill(&pool, n, 3);
    for (int round = 0; round < rounds; round++)
        rate[round] = frames / run(&pool, frames, true, NULL);
    double middle = clock_median(rate, rounds);
    printf("paper    %d^2 x 3 waves  %.0f frames/s (%.0f ... %.0f), %.1f times "
           "its %.2f\n",
           n, middle, rate[rounds / 4], rate[rounds - 1 - rounds / 4],
           middle / published, published);
    empty(&pool);
}

static const struct growth growths[] = {
    { .of = "cells",
      .count = 5,
      .at = { { 100, 1, 400, 1 },
              { 316, 1, 80, 1 },
              { 1000, 1, 16, 1 },
              { 3162, 1, 4, 1 },
              { 10000, 1, 1, 1 } },
      .visible = true },
    { .of = "cells",
      .count = 5,
      .at = { { 100, 1, 400, 1 },
              { 316, 1, 96, 1 },
              { 1000, 1, 32, 1 },
              { 3162, 1, 16, 1 },
              { 10000, 1, 16, 1 } } },
    { .of = "waves",
      .count = 4,
      .at = { { 200, 1, 100, 1 },
              { 200, 2, 100, 1 },
              { 200, 4, 100, 1 },
              { 200, 8, 100, 1 } },
      .visible = true },
    { .of = "steps",
      .count = 4,
      .at = { { 200, 1, 10, 1 },
              { 200, 1, 100, 1 },
              { 200, 1, 1000, 1 },
              { 200, 1, 10000, 1 } },
      .visible = true },
    { .of = "threads",
      .count = 2,
      .at = { { 2048, 1, 8, 1 }, { 2048, 1, 8, 2 } },
      .visible = true },
    { .of = "threads",
      .count = 2,
      .at = { { 2048, 1, 32, 1 }, { 2048, 1, 32, 2 } } },
};

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 9;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: growth [ROUNDS], 1 to %d\n", MOST_ROUNDS);
        return 2;
    }
    denormals_flush(true);
    printf("what     looked        size  cost of a step (steps: of all)\n");
    for (size_t i = 0; i < sizeof growths / sizeof *growths; i++)
        measure(&growths[i], rounds);
    paper(100, 1423.49, rounds);
    paper(200, 547.31, rounds);
    return 0;
}
