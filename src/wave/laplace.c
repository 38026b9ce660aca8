/* SPDX-License-Identifier: MIT */
#if defined __GNUC__ && !defined __clang__
/* Comparisons that may raise a flag keep gcc from making vectors of the loops
 * below. Nobody reads the flag; no value changes. */
#pragma GCC optimize("no-trapping-math")
#endif

#include "wave/laplace.h"

#include "base/memory.h"
#include "wave/kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Cells that are passed over together once all of them are done. */
enum { BLOCK = 64 };

/* How far V must stand over A before the cell is closed: Σ e^(−pj)|z| of all
 * that is to come is at most A/(1 − e^(−p)), for |z| stays about A. */
#define CEILING 0x1p20

/* How far a sum must stand over the smallest number at the age when z was
 * first told from 0: what was flushed before is then a thousandth of it. */
#define HEADROOM 0x1p10

/* A sum of at least `smallest · HEADROOM · e^(RECENT p)` in a cell that was lit
 * no more than RECENT generations ago is not spoilt: most arrivals. */
enum { RECENT = 32 };

/* The loops for a precision and a machine; see DEFINE_LOOPS. */
struct laplace_loops {
    int (*take)(const struct laplace *laplace, size_t cell, const void *z,
                int count);
    int (*mark)(const struct laplace *laplace, size_t cell, const void *z,
                int count, double sure);
    void (*note)(const struct laplace *laplace, size_t cell, int count);
};

static const struct laplace_loops *loops_for(size_t width);

static void count_block(struct laplace *laplace, size_t row, size_t block)
{
    size_t nx = (size_t)laplace->terrain->grid.nx, x = block * BLOCK;
    size_t end = row * nx + (nx - x < BLOCK ? nx : x + BLOCK);
    size_t at = row * laplace->blocks + block;
    int free = 0, left = 0;
    for (size_t i = row * nx + x; i < end; i++) {
        bool open = !laplace->terrain->wall[i];
        free += open;
        left += open && laplace->step && laplace->step[i] == -1;
    }
    laplace->free[at] = (uint8_t)free;
    laplace->left[at] = (uint8_t)left;
}

static void count_blocks(struct laplace *laplace)
{
    const struct grid *grid = &laplace->terrain->grid;
    for (size_t row = 0; row < grid_cells(grid) / (size_t)grid->nx; row++)
        for (size_t block = 0; block < laplace->blocks; block++)
            count_block(laplace, row, block);
}

/* Nothing summed, nothing closed. */
static void laplace_clear(struct laplace *laplace)
{
    size_t cells = grid_cells(&laplace->terrain->grid);
    size_t rows = cells / (size_t)laplace->terrain->grid.nx;
    memset(laplace->sum, 0, cells * laplace->options.width);
    memset(laplace->closed, 0xff, cells * sizeof *laplace->closed);
    memset(laplace->first, 0xff, cells * sizeof *laplace->first);
    memset(laplace->shut, 0, rows * laplace->blocks * sizeof *laplace->shut);
    if (laplace->step)
        memset(laplace->step, 0xff, cells * sizeof *laplace->step);
    count_blocks(laplace);
    laplace->age = -1;
}

static double smallest(const struct laplace *laplace)
{
    return laplace->options.width == sizeof(float) ? FLT_MIN : DBL_MIN;
}

bool laplace_is_spoilt(const struct laplace *laplace, size_t cell)
{
    return laplace_log(laplace, cell) + laplace->decay * laplace->first[cell] <
           log(smallest(laplace) * HEADROOM);
}

/* V may yet be multiplied once. */
static double ceiling_for(const struct laplace *laplace)
{
    const struct laplace_options *options = &laplace->options;
    double most = options->width == sizeof(float) ? FLT_MAX : DBL_MAX;
    double ceiling = options->amplitude / -expm1(-options->p) *
                     fmax(CEILING, 2 / options->eta);
    return fmin(ceiling, most / (4 * laplace->growth));
}

static void choose_numbers(struct laplace *laplace)
{
    laplace->growth = exp(laplace->options.p);
    if (laplace->options.width == sizeof(float))
        laplace->growth = (double)(float)laplace->growth;
    laplace->decay = log(laplace->growth);
    laplace->ceiling = ceiling_for(laplace);
    laplace->loops = loops_for(laplace->options.width);
}

enum status laplace_init(struct laplace *laplace, const struct terrain *terrain,
                         const struct laplace_options *options,
                         struct error *error)
{
    const struct grid *grid = &terrain->grid;
    size_t cells = grid_cells(grid);
    size_t blocks = ((size_t)grid->nx + BLOCK - 1) / BLOCK;
    size_t all = cells / (size_t)grid->nx * blocks;
    *laplace = (struct laplace){
        .terrain = terrain,
        .options = *options,
        .age = -1,
        .sum = memory_new(cells, options->width),
        .closed = memory_new(cells, sizeof *laplace->closed),
        .first = memory_new(cells, sizeof *laplace->first),
        .step =
            options->steps ? memory_new(cells, sizeof *laplace->step) : NULL,
        .blocks = blocks,
        .shut = memory_new(all, sizeof *laplace->shut),
        .free = memory_new(all, 1),
        .left = memory_new(all, 1),
    };
    if (!laplace->sum || !laplace->closed || !laplace->first ||
        !laplace->shut || !laplace->free || !laplace->left ||
        (options->steps && !laplace->step)) {
        laplace_release(laplace);
        return error_memory(error);
    }
    choose_numbers(laplace);
    laplace_clear(laplace);
    return STATUS_OK;
}

void laplace_release(struct laplace *laplace)
{
    memory_release(laplace->sum);
    memory_release(laplace->closed);
    memory_release(laplace->first);
    memory_release(laplace->step);
    memory_release(laplace->shut);
    memory_release(laplace->free);
    memory_release(laplace->left);
    *laplace = (struct laplace){ .age = -1 };
}

void laplace_begin(struct laplace *laplace, size_t source)
{
    laplace_clear(laplace);
    if (!laplace->step)
        return;
    size_t nx = (size_t)laplace->terrain->grid.nx;
    laplace->step[source] = 0;
    count_block(laplace, source / nx, source % nx / BLOCK);
}

/* take: V ← V·e^p + z where V is not closed; how many are then closed, 256
 * times how many are not 0, and 65536 times in how many the detector holds or
 * has been overtaken by the end of the sum.
 * mark: those of them that have not arrived do so now; how many, and 256 times
 * how many of these underflow may have spoilt.
 * note: gives cells that were lit or closed just now their ages.
 * No branch in any, so that compilers make vectors of them. */
#define DEFINE_LOOPS(name, real, magnitude, machine)                           \
    machine static int name##_take(const struct laplace *laplace, size_t cell, \
                                   const void *values, int count)              \
    {                                                                          \
        real *restrict sum = (real *)laplace->sum + cell;                      \
        const real *restrict z = values;                                       \
        const real growth = (real)laplace->growth;                             \
        const real ceiling = (real)laplace->ceiling;                           \
        const real eta = (real)laplace->options.eta;                           \
        int told = 0;                                                          \
        for (int i = 0; i < count; i++) {                                      \
            real grown = sum[i] * growth + z[i];                               \
            real kept = magnitude(sum[i]) <= ceiling ? grown : sum[i];         \
            told += magnitude(kept) > ceiling ? 1 : 0;                         \
            told += kept != 0 ? 256 : 0;                                       \
            told += (kept > 0) & ((magnitude(z[i]) <= eta * kept) |            \
                                  (kept > ceiling))                            \
                        ? 65536                                                \
                        : 0;                                                   \
            sum[i] = kept;                                                     \
        }                                                                      \
        return told;                                                           \
    }                                                                          \
    machine static int name##_mark(const struct laplace *laplace, size_t cell, \
                                   const void *values, int count, double sure) \
    {                                                                          \
        const real *restrict sum = (const real *)laplace->sum + cell;          \
        const real *restrict z = values;                                       \
        const int32_t *restrict first = laplace->first + cell;                 \
        int32_t *restrict step = laplace->step + cell;                         \
        const real ceiling = (real)laplace->ceiling;                           \
        const real eta = (real)laplace->options.eta;                           \
        const real least = (real)sure;                                         \
        const int32_t age = (int32_t)laplace->age, recent = age - RECENT;      \
        int told = 0;                                                          \
        for (int i = 0; i < count; i++) {                                      \
            int holds =                                                        \
                (step[i] == -1) & (sum[i] > 0) &                               \
                ((magnitude(z[i]) <= eta * sum[i]) | (sum[i] > ceiling));      \
            int doubt = holds & !((sum[i] >= least) & (first[i] >= recent));   \
            told += holds + 256 * doubt;                                       \
            step[i] = holds ? age : step[i];                                   \
        }                                                                      \
        return told;                                                           \
    }                                                                          \
    machine static void name##_note(const struct laplace *laplace,             \
                                    size_t cell, int count)                    \
    {                                                                          \
        const real *restrict sum = (const real *)laplace->sum + cell;          \
        int32_t *restrict first = laplace->first + cell;                       \
        int32_t *restrict closed = laplace->closed + cell;                     \
        const real ceiling = (real)laplace->ceiling;                           \
        const int32_t age = (int32_t)laplace->age;                             \
        for (int i = 0; i < count; i++) {                                      \
            int32_t lit = sum[i] != 0 ? age : -1;                              \
            int32_t shut = magnitude(sum[i]) > ceiling ? age : -1;             \
            first[i] = first[i] < 0 ? lit : first[i];                          \
            closed[i] = closed[i] < 0 ? shut : closed[i];                      \
        }                                                                      \
    }                                                                          \
    static const struct laplace_loops name = { name##_take, name##_mark,       \
                                               name##_note };

DEFINE_LOOPS(single_plain, float, fabsf, )
DEFINE_LOOPS(double_plain, double, fabs, )

#ifdef __x86_64__
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
DEFINE_LOOPS(single_avx2, float, fabsf, AVX2)
DEFINE_LOOPS(double_avx2, double, fabs, AVX2)
DEFINE_LOOPS(single_avx512, float, fabsf, AVX512)
DEFINE_LOOPS(double_avx512, double, fabs, AVX512)
#endif

static const struct laplace_loops *loops_for(size_t width)
{
#ifdef __x86_64__
    if (kernel_best() == LEVEL_AVX512)
        return width == sizeof(float) ? &single_avx512 : &double_avx512;
    if (kernel_best() == LEVEL_AVX2)
        return width == sizeof(float) ? &single_avx2 : &double_avx2;
#endif
    return width == sizeof(float) ? &single_plain : &double_plain;
}

/* Those that arrived just now by a sum that was too small to hold have not. */
static void unmark_spoilt(struct laplace *laplace, size_t first, int count)
{
    for (size_t i = first; i < first + (size_t)count; i++)
        if (laplace->step[i] == laplace->age && laplace_is_spoilt(laplace, i))
            laplace->step[i] = LAPLACE_LOST;
}

struct take {
    struct laplace *laplace;
    const struct amplitudes *generation;
    double sure; /* see RECENT */
};

static void mark_block(const struct take *take, size_t first, const void *z,
                       int count, uint8_t *left)
{
    struct laplace *laplace = take->laplace;
    int told = laplace->loops->mark(laplace, first, z, count, take->sure);
    *left = (uint8_t)(*left - told % 256);
    if (told >= 256)
        unmark_spoilt(laplace, first, count);
}

static void take_block(const struct take *take, size_t first, const void *z,
                       int count, size_t block)
{
    struct laplace *laplace = take->laplace;
    int told = laplace->loops->take(laplace, first, z, count);
    int counts = told % 65536;
    if (counts == 0)
        return;
    if (counts != laplace->shut[block])
        laplace->loops->note(laplace, first, count);
    if (told >= 65536 && laplace->left[block] > 0 && laplace->age > 0)
        mark_block(take, first, z, count, &laplace->left[block]);
    laplace->shut[block] = counts % 256 == laplace->free[block] ? -1 : counts;
}

/* The blocks of a row that the lit columns touch. */
static void take_row(const struct take *take, size_t row, const struct box *lit)
{
    struct laplace *laplace = take->laplace;
    const struct amplitudes *generation = take->generation;
    const struct grid *grid = &laplace->terrain->grid;
    size_t nx = (size_t)grid->nx, ny = (size_t)grid->ny;
    size_t last = (size_t)lit->high[0] / BLOCK;
    ptrdiff_t at = (ptrdiff_t)(row % ny) * generation->row +
                   (ptrdiff_t)(row / ny) * generation->layer;
    const char *z = (const char *)generation->values +
                    at * (ptrdiff_t)laplace->options.width;
    for (size_t block = (size_t)lit->low[0] / BLOCK; block <= last; block++) {
        size_t x = block * BLOCK, count = nx - x < BLOCK ? nx - x : BLOCK;
        if (laplace->shut[row * laplace->blocks + block] >= 0)
            take_block(take, row * nx + x, z + x * laplace->options.width,
                       (int)count, row * laplace->blocks + block);
    }
}

/* Rows share themselves out over the lit ones only. */
static void take_rows(void *context, int thread, int threads)
{
    const struct take *take = context;
    const struct grid *grid = &take->laplace->terrain->grid;
    const struct box all = grid_box(grid);
    const struct box *lit =
        take->generation->lit ? take->generation->lit : &all;
    size_t ny = (size_t)grid->ny, first, last;
    size_t low = (size_t)lit->low[2] * ny + (size_t)lit->low[1];
    size_t high = (size_t)lit->high[2] * ny + (size_t)lit->high[1];
    team_share(high + 1 - low, thread, threads, &first, &last);
    for (size_t row = low + first; row < low + last; row++) {
        int y = (int)(row % ny);
        if (y >= lit->low[1] && y <= lit->high[1])
            take_row(take, row, lit);
    }
}

void laplace_take(struct laplace *laplace, const struct amplitudes *generation,
                  int64_t age, struct team *team)
{
    int64_t lifetime = laplace->options.lifetime;
    if (age != laplace->age + 1 || age > INT32_MAX ||
        (lifetime > 0 && age > lifetime))
        return;
    laplace->age = age;
    struct take take = { laplace, generation,
                         smallest(laplace) * HEADROOM *
                             exp(RECENT * laplace->decay) };
    team_run(team, take_rows, &take);
}

static void forget(struct laplace *laplace, size_t cell)
{
    memset((char *)laplace->sum + cell * laplace->options.width, 0,
           laplace->options.width);
    laplace->closed[cell] = laplace->first[cell] = -1;
    if (laplace->step)
        laplace->step[cell] = -1;
}

void laplace_update(struct laplace *laplace, const struct box *box)
{
    const struct grid *grid = &laplace->terrain->grid;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++) {
            size_t row = (size_t)z * (size_t)grid->ny + (size_t)y;
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                size_t cell = grid_index(grid, x, y, z);
                if (laplace->terrain->wall[cell])
                    forget(laplace, cell);
            }
            for (int block = box->low[0] / BLOCK; block <= box->high[0] / BLOCK;
                 block++) {
                count_block(laplace, row, (size_t)block);
                /* What is closed is counted by the next generation. */
                laplace->shut[row * laplace->blocks + (size_t)block] = 0;
            }
        }
}

void laplace_state(struct laplace *laplace, struct state *state)
{
    const struct grid *grid = &laplace->terrain->grid;
    size_t cells = grid_cells(grid);
    state_visit(state, &laplace->age, sizeof laplace->age);
    state_visit(state, laplace->sum, cells * laplace->options.width);
    state_visit(state, laplace->closed, cells * sizeof *laplace->closed);
    state_visit(state, laplace->first, cells * sizeof *laplace->first);
    state_visit(state, laplace->shut,
                cells / (size_t)grid->nx * laplace->blocks *
                    sizeof *laplace->shut);
    if (laplace->step)
        state_visit(state, laplace->step, cells * sizeof *laplace->step);
    count_blocks(laplace);
}
