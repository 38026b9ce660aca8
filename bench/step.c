/* SPDX-License-Identifier: MIT */
/* The speed of a generation by four methods: a naive loop, the speed of memory
 * (a[i] = s*b[i] - a[i] over as many numbers, in place: the bytes of a step),
 * the wave's step, and many generations in a pass, on the same maps in one run
 * (single precision, one in ten cells a wall, fixed walls). One line for each
 * method: the median over rounds in Mcell/s with the lower and the upper
 * quartile, and the medians of the ratios to the naive loop, the triad and the
 * step of the same round. All by the thread's processor time, so that other
 * programs affect it less; for two threads see bench/threads. The last line of
 * a map has the bytes per cell for stepping one wave, in addition to the map's
 * own byte of wall.
 *
 * usage: step [ROUNDS [MAP [STENCIL [free]]]]: else the papers' stencil, and
 *        fixed walls
 *        step --one MAP naive|triad|step|fused: one piece's Mcell/s, for
 *        bench/peers/step-peers.py
 */
#include "clock.h"
#include "course.h"
#include "tests/wave/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum method { NAIVE, TRIAD, PLAIN, STEP, FUSED, METHODS };
enum { MOST_ROUNDS = 999, PIECE = 4000000, FUSE = 48 };
static const char *const method_names[METHODS] = {
    "naive", "triad in place", "reference", "step", "fused",
};

static struct measured {
    struct course course;
    struct wave *reference;
    float *field[3];                   /* for the naive loop */
    double rate[METHODS][MOST_ROUNDS]; /* Mcell/s */
} measured;

/* With a branch for each neighbour, a count of those that exist, and three
 * arrays. */
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

static void naive_step(struct measured *of)
{
    const struct terrain *terrain = &of->course.terrain;
    const struct grid *grid = &terrain->grid;
    float *z = of->field[0], *old = of->field[1];
    float *next = of->field[2];
    for (int k = 0; k < grid->nz; k++)
        for (int y = 0; y < grid->ny; y++)
            for (int x = 0; x < grid->nx; x++)
                next[grid_index(grid, x, y, k)] =
                    naive_cell(terrain, z, old, x, y, k);
    of->field[0] = next;
    of->field[1] = z;
    of->field[2] = old;
}

/* Makes `generations` of them. */
static void step(struct measured *of, enum method method, int generations)
{
    if (method == FUSED) {
        wave_advance(of->course.wave, generations, NULL);
        return;
    }
    for (int k = 0; k < generations; k++)
        if (method == NAIVE)
            naive_step(of);
        else if (method == TRIAD)
            course_triad_share(&of->course, 0, 1);
        else if (method == PLAIN)
            wave_step_plain(of->reference);
        else
            wave_step(of->course.wave, NULL);
}

/* NULL: the stencil of the papers. */
static const char *stencil_name;
static enum wall_rule wall_rule;

static void lay_out(struct measured *of, int dims, int n)
{
    course_open(&of->course, dims, n, stencil_name, wall_rule);
    size_t cells = grid_cells(&of->course.terrain.grid);
    for (int i = 0; i < 3; i++)
        of->field[i] = memory_new(cells, sizeof(float));
    of->field[0][cells / 2] = 1;
    if (wave_new(of->course.medium, &of->reference, NULL))
        abort();
    wave_emit(of->reference, cells / 2, 0);
}

static void clear_up(struct measured *of)
{
    wave_release(of->reference);
    for (int i = 0; i < 3; i++)
        memory_release(of->field[i]);
    course_close(&of->course);
}

static void run_method(struct measured *of, enum method method, int number)
{
    size_t cells = grid_cells(&of->course.terrain.grid);
    int steps = (int)(PIECE / cells) + 1;
    if (method == PLAIN)
        steps = steps / 8 + 1;
    if (method == FUSED)
        steps = (steps + FUSE - 1) / FUSE * FUSE;
    if (cells < 1000000)
        step(of, method, 1); /* loads the caches */
    double own = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    step(of, method, steps);
    own = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - own;
    of->rate[method][number] = 1e-6 * (double)cells * steps / own;
}

static double ratio(const struct measured *of, enum method method,
                    enum method to, int rounds)
{
    double ratios[MOST_ROUNDS];
    for (int i = 0; i < rounds; i++)
        ratios[i] = of->rate[method][i] / of->rate[to][i];
    return clock_median(ratios, rounds);
}

static void report(const struct measured *of, const char *name, int rounds)
{
    for (enum method method = 0; method < METHODS; method++) {
        double rate[MOST_ROUNDS];
        memcpy(rate, of->rate[method], sizeof rate);
        double middle = clock_median(rate, rounds);
        printf("%-7s %-17s %7.0f  %7.0f ... %7.0f  %7.2f %7.2f %7.2f\n", name,
               method_names[method], middle, rate[rounds / 4],
               rate[rounds - 1 - rounds / 4], ratio(of, method, NAIVE, rounds),
               ratio(of, method, TRIAD, rounds),
               ratio(of, method, STEP, rounds));
    }
}

static void print_memory(const struct course *course, const char *name)
{
    const struct layout *layout = &course->medium->layout;
    double walls = (double)layout->items / WALL_BITS + WALL_SLACK;
    double fields = 2 * (double)(layout->items * layout->item);
    double cells = (double)grid_cells(&layout->grid);
    printf("%-7s %-17s %7.2f bytes a cell, %.2f of them walls\n", name,
           "memory, one wave", (fields + walls) / cells, walls / cells);
}

static int run_one(const char *map, const char *method)
{
    static const char *const names[] = { "naive", "triad", "", "step",
                                         "fused" };
    for (size_t i = 0; i < COURSE_MAPS; i++)
        for (enum method m = NAIVE; m <= FUSED; m++)
            if (!strcmp(map, course_maps[i].name) &&
                !strcmp(method, names[m])) {
                lay_out(&measured, course_maps[i].dims, course_maps[i].n);
                step(&measured, m, FUSE);
                run_method(&measured, m, 0);
                printf("%.1f\n", measured.rate[m][0]);
                clear_up(&measured);
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
    for (size_t i = 0; i < COURSE_MAPS; i++) {
        if (argc > 2 && strcmp(argv[2], course_maps[i].name))
            continue;
        lay_out(&measured, course_maps[i].dims, course_maps[i].n);
        for (int k = 0; k < rounds; k++)
            for (enum method method = 0; method < METHODS; method++)
                run_method(&measured, method, k);
        report(&measured, course_maps[i].name, rounds);
        print_memory(&measured.course, course_maps[i].name);
        clear_up(&measured);
    }
    return 0;
}
