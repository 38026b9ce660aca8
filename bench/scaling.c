/* SPDX-License-Identifier: MIT */
/* The gain and the cost of ranks, under mpirun. All measurements are made in
 * turn within one run, so that their ratios are from the same minutes; if one
 * process works alone the others sleep. Single precision, one in ten cells a
 * wall, one wave that fills the map; a step is one sweep a generation, except
 * for the fused one. One line a method: the median time of a step over the
 * rounds in µs with the quarter of the rounds below and above, Mcell/s, and how
 * many times faster than `alone` it was in the same round, median and quarters
 * (for `weak`, where the ranks together have as many times the cells, times
 * that).
 *
 *   strong NX NY NZ [ROUNDS]   the map shared by all; alone: the same map
 *   weak NX NY NZ [ROUNDS]     this number of cells a rank; alone: one rank's
 *   messages [ROUNDS]          between two ranks: bytes, µs one way, MB/s; and
 *                              µs to agree on a word among all
 *
 * usage: mpirun -n N scaling PIECE …, strong and weak also without mpirun */
#include "base/memory.h"
#include "base/random.h"
#include "base/ranks.h"
#include "clock.h"
#include "triad.h"
#include "wave/generations.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* shared: as hamon-record steps. late: messages after all cells, not at the
 * same time. silent: no messages at all (to measure their cost; the field is
 * then wrong). */
enum method {
    ALONE,
    ALONE_THREADS,
    FUSED,
    SHARED,
    LATE,
    SILENT,
    TRIAD_ALONE,
    TRIAD,
    METHODS
};
static const char *const method_names[METHODS] = {
    "alone",  "alone, a thread a rank", "alone, fused",      "shared", "late",
    "silent", "triad in place, alone",  "triad, every rank",
};
enum { MOST_ROUNDS = 199, FUSE = 48, PIECE = 64000000 };

struct course {
    struct terrain terrain;
    struct medium *medium;
    struct halo *halo;
    struct wave *wave;
};

struct bench {
    struct ranks *ranks;
    struct split split;
    struct course whole, share; /* alone's, the rank's */
    bool threads;               /* the first rank's thread pool is measured
                                 * too */
    struct team *team;
    double field_cells;                /* of the map that the ranks share */
    float *triad[2];                   /* with the size of the larger course */
    double time[METHODS][MOST_ROUNDS]; /* seconds a step */
    double expected[METHODS];          /* seconds that it took last time */
};

static void sleep_for(double seconds)
{
    struct timespec time = { .tv_sec = (time_t)seconds };
    time.tv_nsec = (long)(1e9 * (seconds - (double)time.tv_sec));
    nanosleep(&time, NULL);
}

static void must(enum status status, const struct error *error)
{
    if (!status)
        return;
    fprintf(stderr, "scaling: %s\n", error->message);
    exit(status);
}

static bool is_first(const struct bench *bench)
{
    return ranks_self(bench->ranks) == 0;
}

/* ---- the maps ---- */

/* A number that depends only on the cell: walls and amplitudes must not depend
 * on the cuts. */
static uint64_t cell_number(size_t cell)
{
    struct random random;
    random_seed(&random, cell);
    return random_next(&random);
}

static void fill(struct course *course, const struct share *share,
                 struct error *error)
{
    const struct wave_settings settings = {
        .delta = share->world.dims == 3 ? 0.2 : 0.25,
        .amplitude = 1,
        .stencil = stencil_find(share->world.dims == 3 ? "7-point" : "5-point"),
        .precision = PRECISION_SINGLE,
    };
    const struct box *held = &share->held, *own = &share->own;
    struct grid grid = box_grid(&share->held, share->world.dims);
    must(terrain_init(&course->terrain, &grid, error), error);
    size_t cell = 0, packed = 0;
    float *field = memory_new(box_cells(own), sizeof *field);
    for (int z = held->low[2]; z <= held->high[2]; z++)
        for (int y = held->low[1]; y <= held->high[1]; y++)
            for (int x = held->low[0]; x <= held->high[0]; x++, cell++) {
                uint64_t n = cell_number(grid_index(&share->world, x, y, z));
                bool wall = n % 10 == 0;
                course->terrain.wall[cell] = wall;
                if (field && share_owns(share, x, y, z))
                    field[packed++] = wall ? 0 : 1e-3f * (float)(n >> 54);
            }
    must(field ? STATUS_OK : error_memory(error), error);
    must(medium_new_shared(&course->terrain, share, course->halo, &settings,
                           &course->medium, error),
         error);
    must(wave_new(course->medium, &course->wave, error), error);
    wave_load(course->wave, field, field, 0, 0, 0);
    memory_release(field);
}

static void course_release(struct course *course)
{
    wave_release(course->wave);
    medium_release(course->medium);
    halo_release(course->halo);
    terrain_release(&course->terrain);
}

/* mpirun binds a rank to its core; threads need all cores. */
static void hire(struct bench *bench, int threads, struct error *error)
{
    cpu_set_t own, all;
    CPU_ZERO(&all);
    for (int i = 0; i < CPU_SETSIZE; i++)
        CPU_SET(i, &all);
    sched_getaffinity(0, sizeof own, &own);
    sched_setaffinity(0, sizeof all, &all);
    must(team_new(threads, true, &bench->team, error), error);
    sched_setaffinity(0, sizeof own, &own);
}

static void fill_alone(struct bench *bench, const struct grid *grid,
                       struct error *error)
{
    struct share whole = share_whole(grid);
    if (is_first(bench))
        fill(&bench->whole, &whole, error);
}

static void fill_share(struct bench *bench, const struct grid *grid,
                       struct error *error)
{
    const struct halo_options options = { .depth = 1, .item = sizeof(float) };
    struct ranks *ranks = bench->ranks;
    must(split_make(grid, ranks_count(ranks), 1, &bench->split, error), error);
    struct share share = split_share(&bench->split, ranks_self(ranks), 1);
    must(halo_new(&bench->split, ranks, &options, &bench->share.halo, error),
         error);
    fill(&bench->share, &share, error);
    bench->field_cells = (double)grid_cells(grid);
}

/* ---- the methods ---- */

static void exchange(struct course *course, void *field)
{
    const struct layout *layout = &course->medium->layout;
    struct held_field held = {
        .cells = field_at(layout, field, layout->origin),
        .item = layout->item,
        .row = layout->stride,
        .layer = layout->layer,
    };
    struct box everything = grid_box(&layout->grid);
    halo_start(course->halo, &held, &everything);
    halo_finish(course->halo, &held);
}

/* One generation with the messages after it, or without any. */
static void step_apart(struct course *course, bool silent)
{
    struct wave *wave = course->wave;
    wave_sweep_block(wave, &course->medium->own, NULL);
    if (!silent)
        exchange(course, wave->before);
    wave_turn(wave);
}

static void run(struct bench *bench, enum method method, int steps)
{
    size_t alone =
        is_first(bench) ? grid_cells(&bench->whole.medium->layout.grid) : 0;
    size_t own = box_cells(&bench->share.medium->own);
    if (method == FUSED)
        wave_advance(bench->whole.wave, steps, NULL);
    for (int i = 0; i < steps && method != FUSED; i++)
        switch (method) {
        case ALONE:
            wave_step(bench->whole.wave, NULL);
            break;
        case ALONE_THREADS:
            wave_step(bench->whole.wave, bench->team);
            break;
        case SHARED:
            wave_step(bench->share.wave, NULL);
            break;
        case LATE:
        case SILENT:
            step_apart(&bench->share, method == SILENT);
            break;
        case TRIAD_ALONE:
            triad(bench->triad[0], bench->triad[1], alone);
            break;
        default:
            triad(bench->triad[0], bench->triad[1], own);
        }
}

static bool is_alone(enum method method)
{
    return method <= FUSED || method == TRIAD_ALONE;
}

/* Seconds a step, of the slowest rank; a step before the measurement loads the
 * data that another method has displaced from the caches. */
static double time_of(struct bench *bench, enum method method, int steps)
{
    double taken = 0;
    ranks_barrier(bench->ranks);
    if (!is_alone(method) || is_first(bench)) {
        run(bench, method, 1);
        if (!is_alone(method))
            ranks_barrier(bench->ranks);
        double begin = clock_seconds(CLOCK_MONOTONIC);
        run(bench, method, steps);
        taken = clock_seconds(CLOCK_MONOTONIC) - begin;
    } else {
        sleep_for(bench->expected[method]);
    }
    int64_t most = ranks_max(bench->ranks, (int64_t)(1e9 * taken));
    bench->expected[method] = 1e-9 * (double)most;
    return bench->expected[method] / steps;
}

/* ---- output ---- */

/* The 1st quarter, the 2nd (the median) or the 3rd. */
static double quarter(const double *values, int count, int part)
{
    double sorted[MOST_ROUNDS];
    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, clock_ascending);
    return sorted[part == 1   ? count / 4
                  : part == 3 ? count - 1 - count / 4
                              : count / 2];
}

static double ratio(const struct bench *bench, enum method method, int rounds,
                    double size, int part)
{
    enum method to = method >= TRIAD_ALONE ? TRIAD_ALONE : ALONE;
    double ratios[MOST_ROUNDS];
    for (int i = 0; i < rounds; i++)
        ratios[i] = (is_alone(method) ? 1 : size) * bench->time[to][i] /
                    bench->time[method][i];
    return quarter(ratios, rounds, part);
}

static int64_t sum_of(struct bench *bench, int64_t value, struct error *error)
{
    const void *all;
    size_t bytes;
    int64_t sum = 0;
    must(ranks_allgather(bench->ranks, &value, sizeof value, &all, &bytes,
                         error),
         error);
    for (size_t i = 0; i < bytes / sizeof value; i++)
        sum += ((const int64_t *)all)[i];
    return sum;
}

/* Each cut is sent in both directions. */
static int64_t theory(const struct split *split)
{
    const struct grid *grid = &split->grid;
    const int64_t extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    int64_t cells = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        cells += (split->parts[axis] - 1) * extent[(axis + 1) % GRID_AXES] *
                 extent[(axis + 2) % GRID_AXES];
    return 2 * cells * (int64_t)sizeof(float);
}

static void print_volume(struct bench *bench, struct error *error)
{
    enum { STEPS = 10 };
    struct halo_traffic before = halo_traffic(bench->share.halo);
    run(bench, SHARED, STEPS);
    struct halo_traffic after = halo_traffic(bench->share.halo);
    int64_t bytes = sum_of(bench, after.bytes - before.bytes, error) / STEPS;
    int64_t messages =
        sum_of(bench, after.messages - before.messages, error) / STEPS;
    const int *parts = bench->split.parts;
    if (is_first(bench))
        printf("volume   %d x %d x %d blocks: %lld messages, %lld bytes a "
               "step; theory %lld\n",
               parts[0], parts[1], parts[2], (long long)messages,
               (long long)bytes, (long long)theory(&bench->split));
}

static void print(const struct bench *bench, const char *piece, int rounds,
                  double size)
{
    const struct grid *grid = &bench->split.grid;
    for (enum method method = 0; method < METHODS; method++) {
        const double *time = bench->time[method];
        double cells =
            is_alone(method) ? bench->field_cells / size : bench->field_cells;
        if (method == ALONE_THREADS && !bench->threads)
            continue;
        double middle = quarter(time, rounds, 2);
        printf("%-7s %d %dx%dx%d  %-23s %10.1f  %10.1f ... %10.1f  %7.0f "
               "%7.3f [%.2f, %.2f]\n",
               piece, ranks_count(bench->ranks), grid->nx, grid->ny, grid->nz,
               method_names[method], 1e6 * middle,
               1e6 * quarter(time, rounds, 1), 1e6 * quarter(time, rounds, 3),
               1e-6 * cells / middle, ratio(bench, method, rounds, size, 2),
               ratio(bench, method, rounds, size, 1),
               ratio(bench, method, rounds, size, 3));
    }
}

/* ---- the measurements ---- */

static void measure(struct bench *bench, const char *piece, int rounds,
                    double size, struct error *error)
{
    size_t own = box_cells(&bench->share.medium->own);
    size_t alone = (size_t)(bench->field_cells / size);
    int steps = (int)(PIECE * size / bench->field_cells) + 1;
    for (int i = 0; i < 2; i++)
        bench->triad[i] = memory_new(own > alone ? own : alone, sizeof(float));
    must(bench->triad[0] && bench->triad[1] ? STATUS_OK : error_memory(error),
         error);
    for (int i = -1; i < rounds; i++) /* one to warm up */
        for (int j = 0; j < METHODS; j++) {
            /* No method always follows the same other. */
            enum method method =
                (enum method)((i + 1 + j * (2 * (i + 1) + 1)) % METHODS);
            if (method == ALONE_THREADS && !bench->threads)
                continue;
            int count =
                method == FUSED ? (steps + FUSE - 1) / FUSE * FUSE : steps;
            double time = time_of(bench, method, count);
            if (i >= 0)
                bench->time[method][i] = time;
        }
    if (is_first(bench))
        print(bench, piece, rounds, size);
    print_volume(bench, error);
    for (int i = 0; i < 2; i++)
        memory_release(bench->triad[i]);
}

/* As many times the cells as there are ranks, by doubling one axis after
 * another, the one with the longest strides first. */
static void multiply(struct grid *grid, int ranks)
{
    int *axes[GRID_AXES] = { &grid->nz, &grid->ny, &grid->nx };
    for (int i = grid->dims == 3 ? 0 : 1; ranks > 1; ranks /= 2) {
        *axes[i] *= 2;
        i = i == 2 ? (grid->dims == 3 ? 0 : 1) : i + 1;
    }
}

static int steps_alike(struct bench *bench, const char *piece,
                       const int extent[GRID_AXES], int rounds,
                       struct error *error)
{
    struct grid grid;
    int count = ranks_count(bench->ranks);
    bool weak = strcmp(piece, "weak") == 0;
    if (weak && (count & (count - 1))) {
        fprintf(stderr, "scaling: weak is for 1, 2, 4, 8, … ranks\n");
        return 2;
    }
    must(grid_make(extent[2] > 1 ? 3 : 2, extent[0], extent[1], extent[2],
                   &grid, error),
         error);
    fill_alone(bench, &grid, error);
    if (weak)
        multiply(&grid, count);
    fill_share(bench, &grid, error);
    bench->threads = !weak && count > 1;
    if (bench->threads && is_first(bench))
        hire(bench, count, error);
    measure(bench, piece, rounds, weak ? count : 1, error);
    team_release(bench->team);
    if (is_first(bench))
        course_release(&bench->whole);
    course_release(&bench->share);
    return EXIT_SUCCESS;
}

/* One way: half of the round trip. */
static double one_way(struct ranks *ranks, void *buffer, size_t bytes,
                      int times)
{
    int self = ranks_self(ranks);
    ranks_barrier(ranks);
    double begin = clock_seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < times && self < 2; i++) {
        for (int turn = 0; turn < 2; turn++) {
            if (turn == self)
                ranks_send(ranks, 1 - self, 0, buffer, bytes);
            else
                ranks_receive(ranks, 1 - self, 0, buffer, bytes);
            ranks_wait(ranks);
        }
    }
    return (clock_seconds(CLOCK_MONOTONIC) - begin) / times / 2;
}

static void print_messages(struct ranks *ranks, void *buffer, size_t most,
                           int rounds)
{
    for (size_t bytes = 8; bytes <= most; bytes *= 8) {
        double time[MOST_ROUNDS];
        int times = bytes < 1 << 16 ? 2000 : 100;
        for (int i = 0; i < rounds; i++)
            time[i] = one_way(ranks, buffer, bytes, times);
        double middle = quarter(time, rounds, 2);
        if (ranks_self(ranks) == 0)
            printf("message  %8zu bytes %9.2f us one way %8.0f MB/s\n", bytes,
                   1e6 * middle, 1e-6 * (double)bytes / middle);
    }
}

static int messages(struct bench *bench, int rounds, struct error *error)
{
    enum { MOST = 1 << 24, WORDS = 2000 };
    if (ranks_count(bench->ranks) < 2) {
        fprintf(stderr, "scaling: messages need two ranks: mpirun -n 2\n");
        return 2;
    }
    void *buffer = memory_new(MOST, 1);
    double time[MOST_ROUNDS];
    must(buffer ? STATUS_OK : error_memory(error), error);
    print_messages(bench->ranks, buffer, MOST, rounds);
    for (int i = 0; i < rounds; i++) {
        ranks_barrier(bench->ranks);
        double begin = clock_seconds(CLOCK_MONOTONIC);
        for (int j = 0; j < WORDS; j++)
            ranks_max(bench->ranks, j);
        time[i] = (clock_seconds(CLOCK_MONOTONIC) - begin) / WORDS;
    }
    if (is_first(bench))
        printf("agreed   %d ranks %9.2f us a word\n", ranks_count(bench->ranks),
               1e6 * quarter(time, rounds, 2));
    memory_release(buffer);
    return EXIT_SUCCESS;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: mpirun -n N scaling strong|weak NX NY NZ [ROUNDS] "
            "| messages [ROUNDS], 1 to %d rounds\n",
            MOST_ROUNDS);
    return 2;
}

static int run_piece(struct bench *bench, int argc, char **argv,
                     struct error *error)
{
    const char *piece = argc > 1 ? argv[1] : "";
    bool steps = !strcmp(piece, "strong") || !strcmp(piece, "weak");
    int at = steps ? 5 : 2, rounds = argc > at ? atoi(argv[at]) : 11;
    if (rounds < 1 || rounds > MOST_ROUNDS || argc < at || argc > at + 1 ||
        (!steps && strcmp(piece, "messages") != 0))
        return usage();
    if (!steps)
        return messages(bench, rounds, error);
    const int extent[GRID_AXES] = { atoi(argv[2]), atoi(argv[3]),
                                    atoi(argv[4]) };
    return steps_alike(bench, piece, extent, rounds, error);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct error error = { .status = STATUS_OK };
    denormals_flush(true);
    must(ranks_start(&bench.ranks, &error), &error);
    int code = run_piece(&bench, argc, argv, &error);
    ranks_end(bench.ranks);
    return code;
}
