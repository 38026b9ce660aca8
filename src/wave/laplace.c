/* SPDX-License-Identifier: MIT */
#if defined __GNUC__ && !defined __clang__
/* Comparisons that may raise a flag keep gcc from making vectors of the loops
 * below. Nobody reads the flag; no value changes. */
#pragma GCC optimize("no-trapping-math")
#endif

#include "wave/laplace.h"

#include "base/memory.h"

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

/* The loops for a precision and a machine; see DEFINE_LOOPS. */
struct laplace_loops {
    int (*add)(const struct laplace *laplace, size_t cell, const void *z,
               int count);
    int (*held)(const struct laplace *laplace, size_t cell, const void *z,
                int count);
    void (*note)(const struct laplace *laplace, size_t cell, int count);
};

static const struct laplace_loops *loops_for(size_t width);

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
    laplace->age = -1;
}

bool laplace_is_spoilt(const struct laplace *laplace, size_t cell)
{
    double smallest =
        laplace->options.width == sizeof(float) ? FLT_MIN : DBL_MIN;
    return laplace_log(laplace, cell) + laplace->decay * laplace->first[cell] <
           log(smallest * HEADROOM);
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
        .shut = memory_new(cells / (size_t)grid->nx * blocks,
                           sizeof *laplace->shut),
    };
    if (!laplace->sum || !laplace->closed || !laplace->first ||
        !laplace->shut || (options->steps && !laplace->step)) {
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
    *laplace = (struct laplace){ .age = -1 };
}

void laplace_begin(struct laplace *laplace, size_t source)
{
    laplace_clear(laplace);
    if (laplace->step && source != GRID_NOWHERE)
        laplace->step[source] = 0;
}

/* add: V ← V·e^p + z where V is not closed; how many are then closed, and 256
 * times how many are not 0.
 * held: how many cells the detector holds in now for the first time: 0 in most
 * blocks at most ages.
 * note: gives cells that were lit or closed just now their ages.
 * No branch in any, so that compilers make vectors of them. */
#define DEFINE_LOOPS(name, real, magnitude, machine)                           \
    machine static int name##_add(const struct laplace *laplace, size_t cell,  \
                                  const void *values, int count)               \
    {                                                                          \
        real *restrict sum = (real *)laplace->sum + cell;                      \
        const real *restrict z = values;                                       \
        const real growth = (real)laplace->growth;                             \
        const real ceiling = (real)laplace->ceiling;                           \
        int closed = 0, lit = 0;                                               \
        for (int i = 0; i < count; i++) {                                      \
            real grown = sum[i] * growth + z[i];                               \
            real kept = magnitude(sum[i]) <= ceiling ? grown : sum[i];         \
            closed += magnitude(kept) > ceiling ? 1 : 0;                       \
            lit += kept != 0 ? 1 : 0;                                          \
            sum[i] = kept;                                                     \
        }                                                                      \
        return closed + 256 * lit;                                             \
    }                                                                          \
    machine static int name##_held(const struct laplace *laplace, size_t cell, \
                                   const void *values, int count)              \
    {                                                                          \
        const real *restrict sum = (const real *)laplace->sum + cell;          \
        const real *restrict z = values;                                       \
        const int32_t *restrict step = laplace->step + cell;                   \
        const real eta = (real)laplace->options.eta;                           \
        int held = 0;                                                          \
        for (int i = 0; i < count; i++)                                        \
            held += (step[i] == -1) & (sum[i] > 0) &                           \
                    (magnitude(z[i]) <= eta * sum[i]);                         \
        return held;                                                           \
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
    static const struct laplace_loops name = { name##_add, name##_held,        \
                                               name##_note };

DEFINE_LOOPS(single_plain, float, fabsf, )
DEFINE_LOOPS(double_plain, double, fabs, )

#ifdef __x86_64__
DEFINE_LOOPS(single_avx2, float, fabsf, __attribute__((target("avx2"))))
DEFINE_LOOPS(double_avx2, double, fabs, __attribute__((target("avx2"))))
#endif

static const struct laplace_loops *loops_for(size_t width)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return width == sizeof(float) ? &single_avx2 : &double_avx2;
#endif
    return width == sizeof(float) ? &single_plain : &double_plain;
}

/* The detector holds in a cell that has not arrived: it has now, unless what
 * made its sum was too small to hold. */
static void arrive(struct laplace *laplace, size_t cell)
{
    bool lost = laplace_is_spoilt(laplace, cell);
    laplace->step[cell] = lost ? LAPLACE_LOST : (int32_t)laplace->age;
}

/* After cells were closed. A cell as good as summed has its arrival,
 * whatever a small η would still wait for. Whether nothing but walls is left.
 */
static bool close_block(struct laplace *laplace, size_t first, int count)
{
    bool done = true;
    for (size_t i = first; i < first + (size_t)count; i++) {
        bool closed = laplace->closed[i] >= 0;
        if (closed && laplace->step && laplace->step[i] == -1 &&
            laplace_sum(laplace, i) > 0)
            arrive(laplace, i);
        done = done && (closed || laplace->terrain->wall[i]);
    }
    return done;
}

static void mark_held(struct laplace *laplace, size_t first, const void *z,
                      int count)
{
    for (int i = 0; i < count; i++) {
        size_t cell = first + (size_t)i;
        if (laplace->step[cell] == -1 &&
            laplace_holds(laplace_sum(laplace, cell),
                          laplace_number(laplace, z, i), laplace->options.eta))
            arrive(laplace, cell);
    }
}

static void take_block(struct laplace *laplace, size_t first, const void *z,
                       int count, int32_t *shut)
{
    int counts = laplace->loops->add(laplace, first, z, count);
    if (counts == 0)
        return;
    int changed = counts ^ *shut;
    if (changed != 0)
        laplace->loops->note(laplace, first, count);
    *shut =
        changed % 256 != 0 && close_block(laplace, first, count) ? -1 : counts;
    if (laplace->step && laplace->age > 0 &&
        laplace->loops->held(laplace, first, z, count) > 0)
        mark_held(laplace, first, z, count);
}

struct take {
    struct laplace *laplace;
    const struct amplitudes *generation;
};

static void take_rows(void *context, int thread, int threads)
{
    const struct take *take = context;
    struct laplace *laplace = take->laplace;
    const struct amplitudes *generation = take->generation;
    const struct grid *grid = &laplace->terrain->grid;
    size_t nx = (size_t)grid->nx, ny = (size_t)grid->ny, first, last;
    team_share(ny * (size_t)grid->nz, thread, threads, &first, &last);
    for (size_t row = first; row < last; row++) {
        ptrdiff_t at = (ptrdiff_t)(row % ny) * generation->row +
                       (ptrdiff_t)(row / ny) * generation->layer;
        const char *z = (const char *)generation->values +
                        at * (ptrdiff_t)laplace->options.width;
        for (size_t block = 0; block < laplace->blocks; block++) {
            int32_t *shut = &laplace->shut[row * laplace->blocks + block];
            size_t x = block * BLOCK, count = nx - x < BLOCK ? nx - x : BLOCK;
            if (*shut >= 0)
                take_block(laplace, row * nx + x,
                           z + x * laplace->options.width, (int)count, shut);
        }
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
    team_run(team, take_rows, &(struct take){ laplace, generation });
}

void laplace_update(struct laplace *laplace, const struct box *box)
{
    const struct grid *grid = &laplace->terrain->grid;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                size_t cell = grid_index(grid, x, y, z);
                size_t row = cell / (size_t)grid->nx;
                /* Counted anew by the next generation. */
                laplace->shut[row * laplace->blocks + (size_t)x / BLOCK] = 0;
                if (!laplace->terrain->wall[cell])
                    continue;
                memset((char *)laplace->sum + cell * laplace->options.width, 0,
                       laplace->options.width);
                laplace->closed[cell] = laplace->first[cell] = -1;
                if (laplace->step)
                    laplace->step[cell] = -1;
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
}
