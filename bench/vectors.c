/* SPDX-License-Identifier: MIT */
/* The gain of wider vectors: every path through the wave's loops by vectors of
 * 16, 32 and 64 bytes, as far as this machine has them, in turn within one run,
 * on one thread, by the thread's processor time. One line for each path: the
 * median rate of each width, Mcell/s, and the medians of the rounds' ratios: 32
 * bytes over 64, and over 16, with the quartiles.
 *
 * usage: vectors [ROUNDS [PATH]] */
#include "clock.h"
#include "course.h"

#include "wave/arrival/detector.h"
#include "wave/arrival/field.h"
#include "wave/laplace/wave.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROUNDS = 999, GENERATIONS = 300, PIECE = 4000000 };
enum work { STEP, FUSED, GRADIENT, MARK, BAND, BAND_FIELD };

static const struct path {
    const char *name, *stencil;
    int dims, n;
    enum work work;
    bool free;
} paths[] = {
    { "5-point 200^2", "5-point", 2, 200, STEP, false },
    { "5-point 2048^2", "5-point", 2, 2048, STEP, false },
    { "5-point free 200^2", "5-point", 2, 200, STEP, true },
    { "9-point 200^2", "9-point", 2, 200, STEP, false },
    { "9-point free 200^2", "9-point", 2, 200, STEP, true },
    { "7-point 50^3", "7-point", 3, 50, STEP, false },
    { "7-point 128^3", "7-point", 3, 128, STEP, false },
    { "7-point free 50^3", "7-point", 3, 50, STEP, true },
    { "27-point 50^3", "27-point", 3, 50, STEP, false },
    { "27-point free 50^3", "27-point", 3, 50, STEP, true },
    { "fused 2048^2", "5-point", 2, 2048, FUSED, false },
    { "fused 9-point 2048^2", "9-point", 2, 2048, FUSED, false },
    { "fused 128^3", "7-point", 3, 128, FUSED, false },
    { "gradient 200^2", "5-point", 2, 200, GRADIENT, false },
    { "gradient 9-point 200^2", "9-point", 2, 200, GRADIENT, false },
    { "gradient 50^3", "7-point", 3, 50, GRADIENT, false },
    { "arrivals 200^2", "5-point", 2, 200, MARK, false },
    { "band 200^2", "5-point", 2, 200, BAND, false },
    { "band free 200^2", "5-point", 2, 200, BAND, true },
    { "band 9-point 200^2", "9-point", 2, 200, BAND, false },
    { "band 512^2", "5-point", 2, 512, BAND, false },
    { "band 50^3", "7-point", 3, 50, BAND, false },
    { "band and field 200^2", "5-point", 2, 200, BAND_FIELD, false },
};
enum { PATHS = sizeof paths / sizeof *paths };

struct bench {
    const struct path *path;
    struct course course;
    struct laplace_wave front;
    struct arrival_settings arrival;
    struct arrival_field field;
    void *out[GRID_AXES];
};

static bool sums(const struct bench *bench)
{
    return bench->path->work == BAND || bench->path->work == BAND_FIELD;
}

static void bench_open(struct bench *bench, const struct path *path)
{
    *bench = (struct bench){ .path = path };
    course_open(&bench->course, path->dims, path->n, path->stencil,
                path->free ? WALLS_FREE : WALLS_FIXED);
    const struct grid *grid = &bench->course.terrain.grid;
    for (int axis = 0; axis < GRID_AXES; axis++)
        bench->out[axis] = memory_new(grid_cells(grid), sizeof(float));
    const struct laplace_options sum = { .p = 1,
                                         .eta = .01,
                                         .steps = path->work == BAND_FIELD };
    if (sums(bench) && laplace_wave_init(&bench->front, bench->course.medium,
                                         &sum, 0, false, NULL))
        abort();
    bench->arrival = (struct arrival_settings){
        .detector = detector_find("threshold"),
        .threshold = 1e-3,
    };
    const struct arrival_field_options options = { .settings = &bench->arrival,
                                                   .amplitude = 1,
                                                   .width = sizeof(float) };
    if (arrival_field_init(&bench->field, grid, &options, NULL))
        abort();
}

static void bench_close(struct bench *bench)
{
    if (sums(bench))
        laplace_wave_release(&bench->front);
    arrival_field_release(&bench->field);
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(bench->out[axis]);
    course_close(&bench->course);
}

static void set_level(struct bench *bench, enum kernel_level level)
{
    medium_choose(bench->course.medium, level);
    if (sums(bench))
        laplace_wave_set_level(&bench->front, level);
    bench->field.mark = kernel_find_mark(level, sizeof(float));
}

static void take(struct bench *bench, int generations)
{
    struct course *course = &bench->course;
    const size_t source = grid_cells(&course->terrain.grid) / 2;
    switch (bench->path->work) {
    case STEP:
        for (int k = 0; k < generations; k++)
            wave_step(course->wave, NULL);
        break;
    case FUSED:
        wave_advance(course->wave, generations, NULL);
        break;
    case GRADIENT:
        for (int k = 0; k < generations; k++)
            wave_gradient(course->wave, bench->out[0], bench->out[1],
                          bench->out[2], NULL);
        break;
    case MARK:
        arrival_field_begin(&bench->field, source);
        for (int k = 0; k <= generations; k++)
            arrival_field_take(&bench->field, course->a, k, NULL);
        break;
    default:
        laplace_wave_begin(&bench->front, source, NULL);
        for (int k = 0; k < generations; k++)
            laplace_wave_advance(&bench->front, NULL);
        break;
    }
}

/* Mcell/s. For an emission's sums all cells are counted, though the band has
 * only few. */
static double rate(struct bench *bench)
{
    const size_t cells = grid_cells(&bench->course.terrain.grid);
    int generations = (int)(PIECE / cells) / 16 * 16 + 16;
    if (sums(bench))
        generations = GENERATIONS;
    else
        take(bench, bench->path->work == FUSED ? 16 : 1);
    double taken = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    take(bench, generations);
    taken = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - taken;
    return 1e-6 * (double)cells * generations / taken;
}

static void print_ratio(double rates[LEVELS][MOST_ROUNDS], int to, int rounds)
{
    static double ratios[MOST_ROUNDS];
    for (int i = 0; i < rounds; i++)
        ratios[i] = rates[LEVEL_AVX2][i] / rates[to][i];
    const double middle = clock_median(ratios, rounds);
    printf("  %5.2f (%.2f ... %.2f)", middle, ratios[rounds / 4],
           ratios[rounds - 1 - rounds / 4]);
}

static void measure(struct bench *bench, int rounds)
{
    static double rates[LEVELS][MOST_ROUNDS];
    const int best = (int)kernel_best();
    for (int i = -1; i < rounds; i++) /* the first round only warms up */
        for (int level = 0; level <= best; level++) {
            set_level(bench, (enum kernel_level)level);
            if (sums(bench)) /* forgets the state left by others */
                take(bench, 1);
            rates[level][i < 0 ? 0 : i] = rate(bench);
        }
    printf("%-23s", bench->path->name);
    for (int level = best; level >= 0 && best == LEVEL_AVX512; level -= 2)
        print_ratio(rates, level, rounds);
    for (int level = 0; level <= best; level++)
        printf(" %7.0f", clock_median(rates[level], rounds));
    printf("\n");
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 11;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: vectors [ROUNDS [PATH]], 1 to %d rounds\n",
                MOST_ROUNDS);
        return 2;
    }
    denormals_flush(true);
    printf("path                     32 over 64 (quarters)   over 16 (quarters)"
           "   Mcell/s: 16      32      64 bytes\n");
    for (int i = 0; i < PATHS; i++) {
        static struct bench bench;
        if (argc > 2 && strncmp(argv[2], paths[i].name, strlen(argv[2])) != 0)
            continue;
        bench_open(&bench, &paths[i]);
        measure(&bench, rounds);
        bench_close(&bench);
    }
    return 0;
}
