/* SPDX-License-Identifier: MIT */
/* How fast a generation goes: the naive loop one would write first, memory's
 * own speed (a[i] = s*b[i] - a[i] over as many numbers, in place: the bytes of
 * a step), the wave's step, and many generations a pass, on the same maps in
 * one run (single precision, one in ten cells a wall, fixed walls). A line a
 * method: the median over rounds in Mcell/s with the quarter of the rounds
 * below and above, and the median of the ratios to the naive loop of the same
 * round. On one thread the clock is that of the thread's own time, so that a
 * busy machine disturbs less; on two it is the wall's, for those lines and for
 * what they are compared with. The last line of a map tells the bytes that
 * stepping one wave takes a cell, beside the map's own byte of wall. Where the
 * triad gains nothing by a second thread, memory is one thread's full load, and
 * a single sweep can gain nothing either.
 * usage: step [ROUNDS [MAP [STENCIL [free]]]], else the papers' stencil, and
 *        fixed walls
 *        step --one MAP naive|triad|step|fused: one piece's Mcell/s, for
 *        bench/peers/step-peers.py */
#include "base/memory.h"
#include "base/random.h"
#include "clock.h"
#include "wave/generations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum method {
    NAIVE,
    TRIAD,
    PLAIN,
    STEP,
    FUSED,
    TRIAD_2, /* from here on two threads */
    STEP_2,
    FUSED_2,
    METHODS
};
enum { MOST_ROUNDS = 999, PIECE = 4000000, FUSE = 48 };
static const char *const method_names[METHODS] = {
    "naive", "triad in place",   "judge",           "step",
    "fused", "triad, 2 threads", "step, 2 threads", "fused, 2 threads",
};

struct course {
    struct terrain terrain;
    struct medium *medium;
    struct wave *wave, *judge;
    struct team *team;
    float *field[3];                   /* of the naive loop */
    double rate[METHODS][MOST_ROUNDS]; /* Mcell/s */
    double wall[METHODS][MOST_ROUNDS]; /* the same by the wall's clock */
};

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

#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static void
triad(float *restrict a, const float *restrict b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        a[i] = 0.5f * b[i] - a[i];
}

static void triad_share(void *context, int thread, int threads)
{
    const struct course *course = context;
    size_t first, last;
    team_share(grid_cells(&course->terrain.grid), thread, threads, &first,
               &last);
    triad(course->field[0] + first, course->field[1] + first, last - first);
}

/* `generations` of them. */
static void step(struct course *course, enum method method, int generations)
{
    if (method == FUSED || method == FUSED_2) {
        wave_advance(course->wave, generations,
                     method == FUSED_2 ? course->team : NULL);
        return;
    }
    for (int k = 0; k < generations; k++)
        if (method == NAIVE)
            naive_step(course);
        else if (method == TRIAD || method == TRIAD_2)
            team_run(method == TRIAD_2 ? course->team : NULL, triad_share,
                     course);
        else if (method == PLAIN)
            wave_step_plain(course->judge);
        else
            wave_step(course->wave, method == STEP_2 ? course->team : NULL);
}

/* NULL: the papers'. */
static const char *stencil_name;
static enum wall_rule wall_rule;

static void lay_out(struct course *course, int dims, int n)
{
    struct terrain *terrain = &course->terrain;
    const struct wave_settings settings = {
        .delta = 0.25,
        .amplitude = 1,
        .stencil = stencil_find(stencil_name ? stencil_name
                                : dims == 3  ? "7-point"
                                             : "5-point"),
        .walls = wall_rule,
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

static void run_method(struct course *of, enum method method, int number)
{
    size_t cells = grid_cells(&of->terrain.grid);
    int steps = (int)(PIECE / cells) + 1;
    if (method == PLAIN)
        steps = steps / 8 + 1;
    if (method == FUSED || method == FUSED_2)
        steps = (steps + FUSE - 1) / FUSE * FUSE;
    if (cells < 1000000)
        step(of, method, 1); /* warms the caches */
    double wall = clock_seconds(CLOCK_MONOTONIC);
    double own = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    step(of, method, steps);
    own = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - own;
    wall = clock_seconds(CLOCK_MONOTONIC) - wall;
    of->wall[method][number] = 1e-6 * (double)cells * steps / wall;
    of->rate[method][number] = method < TRIAD_2
                                   ? 1e-6 * (double)cells * steps / own
                                   : of->wall[method][number];
}

static double ratio(const struct course *course, enum method method,
                    enum method to, int rounds)
{
    double ratios[MOST_ROUNDS];
    bool wall = method >= TRIAD_2;
    for (int i = 0; i < rounds; i++)
        ratios[i] = wall ? course->wall[method][i] / course->wall[to][i]
                         : course->rate[method][i] / course->rate[to][i];
    return clock_median(ratios, rounds);
}

static void report(struct course *course, const char *name, int rounds)
{
    for (enum method method = 0; method < METHODS; method++) {
        double rate[MOST_ROUNDS];
        memcpy(rate, course->rate[method], sizeof rate);
        double middle = clock_median(rate, rounds);
        printf("%-7s %-17s %7.0f  %7.0f ... %7.0f  %7.2f %7.2f %7.2f\n", name,
               method_names[method], middle, rate[rounds / 4],
               rate[rounds - 1 - rounds / 4],
               ratio(course, method, NAIVE, rounds),
               ratio(course, method, TRIAD, rounds),
               ratio(course, method, STEP, rounds));
    }
}

static void tell_memory(const struct course *course, const char *name)
{
    const struct layout *layout = &course->medium->layout;
    double walls = (double)layout->items / WALL_BITS + WALL_SLACK;
    double fields = 2 * (double)(layout->items * layout->item);
    double cells = (double)grid_cells(&layout->grid);
    printf("%-7s %-17s %7.2f bytes a cell, %.2f of them walls\n", name,
           "memory, one wave", (fields + walls) / cells, walls / cells);
}

static const struct {
    const char *name;
    int dims, n;
} maps[] = { { "100^2", 2, 100 },   { "200^2", 2, 200 },   { "512^2", 2, 512 },
             { "2048^2", 2, 2048 }, { "4096^2", 2, 4096 }, { "50^3", 3, 50 },
             { "128^3", 3, 128 },   { "256^3", 3, 256 } };
enum { MAPS = sizeof maps / sizeof *maps };

static struct course course;

static int run_one(const char *map, const char *method)
{
    static const char *const names[] = { "naive", "triad", "", "step",
                                         "fused" };
    for (size_t i = 0; i < MAPS; i++)
        for (enum method m = NAIVE; m <= FUSED; m++)
            if (!strcmp(map, maps[i].name) && !strcmp(method, names[m])) {
                lay_out(&course, maps[i].dims, maps[i].n);
                step(&course, m, FUSE);
                run_method(&course, m, 0);
                printf("%.1f\n", course.rate[m][0]);
                clear_up(&course);
                return EXIT_SUCCESS;
            }
    fprintf(stderr, "step: no map %s or method %s\n", map, method);
    return 2;
}

int main(int argc, char **argv)
{
    denormals_flush(true);
    if (argc == 4 && !strcmp(argv[1], "--one"))
        return run_one(argv[2], argv[3]);
    int rounds = argc > 1 ? atoi(argv[1]) : 11;
    stencil_name = argc > 3 ? argv[3] : NULL;
    wall_rule = argc > 4 && !strcmp(argv[4], "free") ? WALLS_FREE : WALLS_FIXED;
    if (rounds < 1 || rounds > MOST_ROUNDS ||
        (stencil_name && !stencil_find(stencil_name))) {
        fprintf(stderr,
                "usage: step [ROUNDS [MAP [STENCIL [fixed|free]]]], 1 to %d "
                "rounds\n",
                MOST_ROUNDS);
        return 2;
    }
    printf("map     method            Mcell/s  quartiles           x naive x "
           "triad  x step\n");
    for (size_t i = 0; i < MAPS; i++) {
        if (argc > 2 && strcmp(argv[2], maps[i].name))
            continue;
        course = (struct course){ .medium = NULL };
        lay_out(&course, maps[i].dims, maps[i].n);
        for (int k = 0; k < rounds; k++)
            for (enum method method = 0; method < METHODS; method++)
                run_method(&course, method, k);
        report(&course, maps[i].name, rounds);
        tell_memory(&course, maps[i].name);
        clear_up(&course);
    }
    return 0;
}
