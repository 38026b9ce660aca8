/* SPDX-License-Identifier: MIT */
/* How fast a generation goes: the naive loop one would write first, the
 * judge's step, and the wave's own loops, on the same maps in one run (single
 * precision, one in ten cells a wall, fixed walls). A line a map: the median
 * over rounds in Mcell/s, with the quarter of the rounds below and above, and
 * the median of the ratios to the naive loop of the same round.
 * usage: step [ROUNDS] */
#include "base/memory.h"
#include "base/random.h"
#include "wave/generations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { METHODS = 4, MOST_ROUNDS = 99 };
static const char *const method_names[METHODS] = { "naive", "plain", "wave",
                                                   "wave, 2 threads" };

struct course {
    struct terrain terrain;
    struct medium *medium;
    struct wave *wave, *judge;
    struct team *team;
    float *field[3];                   /* of the naive loop */
    int steps;                         /* a round */
    double rate[METHODS][MOST_ROUNDS]; /* Mcell/s */
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A branch a neighbour, a count of those that exist, three arrays. */
static float naive_cell(const struct terrain *terrain, const float *z,
                        const float *old, int x, int y, int k)
{
    const struct grid *grid = &terrain->grid;
    const float delta = 0.25f;
    size_t i = grid_index(grid, x, y, k);
    size_t row = (size_t)grid->nx, layer = row * (size_t)grid->ny;
    float sum = 0;
    int count = 0;
    if (terrain->wall[i])
        return 0;
    if (x > 0)
        sum += z[i - 1], count++;
    if (x < grid->nx - 1)
        sum += z[i + 1], count++;
    if (y > 0)
        sum += z[i - row], count++;
    if (y < grid->ny - 1)
        sum += z[i + row], count++;
    if (k > 0)
        sum += z[i - layer], count++;
    if (k < grid->nz - 1)
        sum += z[i + layer], count++;
    return delta * sum + (2 - (float)count * delta) * z[i] - old[i];
}

static void naive_step(struct course *course)
{
    const struct terrain *terrain = &course->terrain;
    const struct grid *grid = &terrain->grid;
    float *z = course->field[0], *old = course->field[1];
    float *next = course->field[2];
    for (int k = 0; k < grid->nz; k++)
        for (int y = 0; y < grid->ny; y++)
            for (int x = 0; x < grid->nx; x++)
                next[grid_index(grid, x, y, k)] =
                    naive_cell(terrain, z, old, x, y, k);
    course->field[0] = next;
    course->field[1] = z;
    course->field[2] = old;
}

static void step(struct course *course, int method)
{
    switch (method) {
    case 0:
        naive_step(course);
        break;
    case 1:
        wave_step_plain(course->judge);
        break;
    case 2:
        wave_step(course->wave, NULL);
        break;
    default:
        wave_step(course->wave, course->team);
        break;
    }
}

static void lay_out(struct course *course, int dims, int n)
{
    struct terrain *terrain = &course->terrain;
    const struct wave_settings settings = {
        .delta = 0.25,
        .amplitude = 1,
        .stencil = stencil_find(dims == 3 ? "7-point" : "5-point"),
        .precision = PRECISION_SINGLE,
    };
    struct random random;
    random_seed(&random, 1);
    if (grid_make(dims, n, n, dims == 3 ? n : 1, &terrain->grid, NULL))
        abort();
    size_t cells = grid_cells(&terrain->grid);
    terrain->wall = memory_new(cells, 1);
    for (size_t i = 0; i < cells; i++)
        terrain->wall[i] = random_below(&random, 10) == 0;
    terrain->wall[cells / 2] = 0;
    for (int i = 0; i < 3; i++)
        course->field[i] = memory_new(cells, sizeof(float));
    course->field[0][cells / 2] = 1;
    if (medium_new(terrain, &settings, &course->medium, NULL) ||
        wave_new(course->medium, &course->wave, NULL) ||
        wave_new(course->medium, &course->judge, NULL) ||
        team_new(2, true, &course->team, NULL))
        abort();
    wave_emit(course->wave, cells / 2, 0);
    wave_emit(course->judge, cells / 2, 0);
    course->wave->lit = grid_box(&terrain->grid); /* the whole map's work */
    course->steps = (int)(8000000 / cells) + 1;
}

static void clear_up(struct course *course)
{
    wave_release(course->wave);
    wave_release(course->judge);
    medium_release(course->medium);
    team_release(course->team);
    for (int i = 0; i < 3; i++)
        memory_release(course->field[i]);
    memory_release(course->terrain.wall);
}

static void run_round(struct course *course, int number)
{
    double cells = (double)grid_cells(&course->terrain.grid);
    for (int method = 0; method < METHODS; method++) {
        int steps = method == 1 ? course->steps / 8 + 1 : course->steps;
        step(course, method); /* warms the caches */
        double start = seconds();
        for (int k = 0; k < steps; k++)
            step(course, method);
        course->rate[method][number] =
            1e-6 * cells * steps / (seconds() - start);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(const struct course *course, const char *name, int rounds)
{
    for (int method = 0; method < METHODS; method++) {
        double rate[MOST_ROUNDS], ratio[MOST_ROUNDS];
        for (int i = 0; i < rounds; i++) {
            rate[i] = course->rate[method][i];
            ratio[i] = rate[i] / course->rate[0][i];
        }
        qsort(rate, (size_t)rounds, sizeof *rate, by_size);
        qsort(ratio, (size_t)rounds, sizeof *ratio, by_size);
        printf("%-6s %-16s %7.0f  %7.0f ... %7.0f  %6.2f\n", name,
               method_names[method], rate[rounds / 2], rate[rounds / 4],
               rate[rounds - 1 - rounds / 4], ratio[rounds / 2]);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int dims, n;
    } maps[] = { { "200^2", 2, 200 },
                 { "512^2", 2, 512 },
                 { "2048^2", 2, 2048 },
                 { "50^3", 3, 50 },
                 { "128^3", 3, 128 } };
    int rounds = argc > 1 ? atoi(argv[1]) : 11;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: step [ROUNDS], 1 to %d\n", MOST_ROUNDS);
        return 2;
    }
    denormals_flush(true);
    printf("map    method           Mcell/s  quartiles          x naive\n");
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        struct course course = { .steps = 0 };
        lay_out(&course, maps[i].dims, maps[i].n);
        for (int k = 0; k < rounds; k++)
            run_round(&course, k);
        report(&course, maps[i].name, rounds);
        clear_up(&course);
    }
    return 0;
}
