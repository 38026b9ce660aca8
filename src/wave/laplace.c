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
#ifdef __x86_64__
#include <immintrin.h>
#endif

/* Cells whose bits stand together; passed over once all are closed. */
enum { BLOCK = 64 };

/* How far V must stand over A before the cell is closed: Σ e^(−pj)|z| of all
 * that is to come is at most A/(1 − e^(−p)), for |z| stays about A. */
#define CEILING 0x1p20

/* How far a sum must stand over the smallest number at the age when z was
 * first told from 0: what was flushed before is then a thousandth of it. */
#define HEADROOM 0x1p10

/* What a block's cells are after a generation, a bit each. */
struct told {
    uint64_t lit, closed, held;
};

/* The bits of a block from its cells. */
static void read_block(struct laplace *laplace, size_t row, size_t block)
{
    size_t nx = (size_t)laplace->terrain->grid.nx, x = block * BLOCK;
    size_t count = nx - x < BLOCK ? nx - x : BLOCK;
    struct laplace_block bits = { .wall = 0 };
    for (size_t i = 0; i < count; i++) {
        size_t cell = row * nx + x + i;
        bits.wall |= (uint64_t)(laplace->terrain->wall[cell] != 0) << i;
        bits.lit |= (uint64_t)(laplace->first[cell] >= 0) << i;
        bits.closed |= (uint64_t)(laplace->closed[cell] >= 0) << i;
        bits.arrived |= (uint64_t)(!laplace->step || laplace->step[cell] != -1)
                        << i;
    }
    if (count < BLOCK)
        bits.wall |= ~(uint64_t)0 << count;
    laplace->block[row * laplace->blocks + block] = bits;
}

static void read_blocks(struct laplace *laplace)
{
    const struct grid *grid = &laplace->terrain->grid;
    for (size_t row = 0; row < grid_cells(grid) / (size_t)grid->nx; row++)
        for (size_t block = 0; block < laplace->blocks; block++)
            read_block(laplace, row, block);
}

/* Nothing summed, nothing closed. */
static void laplace_clear(struct laplace *laplace)
{
    size_t cells = grid_cells(&laplace->terrain->grid);
    memset(laplace->sum, 0, cells * laplace->options.width);
    memset(laplace->closed, 0xff, cells * sizeof *laplace->closed);
    memset(laplace->first, 0xff, cells * sizeof *laplace->first);
    if (laplace->step)
        memset(laplace->step, 0xff, cells * sizeof *laplace->step);
    read_blocks(laplace);
    laplace->age = -1;
}

static double smallest(const struct laplace *laplace)
{
    return laplace->options.width == sizeof(float) ? FLT_MIN : DBL_MIN;
}

static inline bool is_spoilt(const struct laplace *laplace, size_t cell)
{
    int64_t late = laplace_age(laplace, cell) - laplace->first[cell];
    if (late >= 0 && late < LAPLACE_LATE)
        return laplace_sum(laplace, cell) < laplace->floor[late];
    return laplace_log(laplace, cell) + laplace->decay * laplace->first[cell] <
           log(smallest(laplace) * HEADROOM);
}

bool laplace_is_spoilt(const struct laplace *laplace, size_t cell)
{
    return is_spoilt(laplace, cell);
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
    for (int late = 0; late < LAPLACE_LATE; late++)
        laplace->floor[late] =
            smallest(laplace) * HEADROOM * exp(laplace->decay * late);
    laplace_set_level(laplace, kernel_best());
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
        .block = memory_new(all, sizeof *laplace->block),
    };
    if (!laplace->sum || !laplace->closed || !laplace->first ||
        !laplace->block || (options->steps && !laplace->step)) {
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
    memory_release(laplace->block);
    *laplace = (struct laplace){ .age = -1 };
}

void laplace_begin(struct laplace *laplace, size_t source)
{
    laplace_clear(laplace);
    if (!laplace->step || source == GRID_NOWHERE)
        return;
    size_t nx = (size_t)laplace->terrain->grid.nx;
    laplace->step[source] = 0;
    read_block(laplace, source / nx, source % nx / BLOCK);
}

/* Bytes of 0 or 1 as bits, the first lowest. */
static inline uint64_t bits_of(const uint8_t bytes[BLOCK])
{
    uint64_t bits = 0;
    for (int i = 0; i < BLOCK / 8; i++) {
        uint64_t eight;
        memcpy(&eight, bytes + 8 * i, sizeof eight);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        eight = __builtin_bswap64(eight);
#endif
        bits |= eight * UINT64_C(0x0102040810204080) >> 56 << 8 * i;
    }
    return bits;
}

/* V ← V·e^p + z where V is not closed; then which are not 0, which are closed,
 * and in which the detector holds or is overtaken by the end of the sum. No
 * branch in the loop, so that compilers make vectors of it; in whole blocks
 * they know how long it is. */
#define DEFINE_TAKE(name, real, magnitude, machine)                            \
    machine static inline void name##_run(const struct laplace *laplace,       \
                                          size_t cell, const real *restrict z, \
                                          int count, struct told *told)        \
    {                                                                          \
        real *restrict sum = (real *)laplace->sum + cell;                      \
        const real growth = (real)laplace->growth;                             \
        const real ceiling = (real)laplace->ceiling;                           \
        const real eta = (real)laplace->options.eta;                           \
        uint8_t lit[BLOCK] = { 0 }, closed[BLOCK] = { 0 };                     \
        uint8_t held[BLOCK] = { 0 };                                           \
        for (int i = 0; i < count; i++) {                                      \
            real grown = sum[i] * growth + z[i];                               \
            real kept = magnitude(sum[i]) <= ceiling ? grown : sum[i];         \
            lit[i] = kept != 0;                                                \
            closed[i] = magnitude(kept) > ceiling;                             \
            held[i] = (kept > 0) &                                             \
                      ((magnitude(z[i]) <= eta * kept) | (kept > ceiling));    \
            sum[i] = kept;                                                     \
        }                                                                      \
        told->lit = bits_of(lit);                                              \
        told->closed = bits_of(closed);                                        \
        told->held = bits_of(held);                                            \
    }                                                                          \
    machine static void name(                                                  \
        const struct laplace *laplace, size_t cell, const void *z, int count,  \
        const struct laplace_block *block, struct told *told)                  \
    {                                                                          \
        if (count == BLOCK)                                                    \
            name##_run(laplace, cell, z, BLOCK, told);                         \
        else                                                                   \
            name##_run(laplace, cell, z, count, told);                         \
    }

DEFINE_TAKE(take_single, float, fabsf, )
DEFINE_TAKE(take_double, double, fabs, )

#ifdef __x86_64__
#define AVX2 __attribute__((target("avx2")))
DEFINE_TAKE(take_single_avx2, float, fabsf, AVX2)
DEFINE_TAKE(take_double_avx2, double, fabs, AVX2)

/* The same by hand, for here comparisons give bits at once: vector by vector,
 * those passed over that are summed, or that no z has come to. */
#define DEFINE_TAKE_AVX512(name, real, vector, mask, of)                       \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) static void  \
    name(const struct laplace *laplace, size_t cell, const void *values,       \
         int count, const struct laplace_block *block, struct told *told)      \
    {                                                                          \
        enum { LANES = 64 / sizeof(real) };                                    \
        real *sum = (real *)laplace->sum + cell;                               \
        const real *z = values;                                                \
        const vector growth = _mm512_set1_##of((real)laplace->growth);         \
        const vector ceiling = _mm512_set1_##of((real)laplace->ceiling);       \
        const vector eta = _mm512_set1_##of((real)laplace->options.eta);       \
        const vector zero = _mm512_setzero_##of();                             \
        for (int i = 0; i < count; i += LANES) {                               \
            const int left = count - i < LANES ? count - i : LANES;            \
            const mask there = (mask)((1U << left) - 1);                       \
            if ((mask)(~((block->closed | block->wall) >> i) & there) == 0)    \
                continue;                                                      \
            vector now = _mm512_maskz_loadu_##of(there, z + i);                \
            if ((mask)(block->lit >> i & there) == 0 &&                        \
                _mm512_cmp_##of##_mask(now, zero, _CMP_NEQ_UQ) == 0)           \
                continue;                                                      \
            vector old = _mm512_maskz_loadu_##of(there, sum + i);              \
            vector grown = _mm512_add_##of(_mm512_mul_##of(old, growth), now); \
            mask open = _mm512_cmp_##of##_mask(_mm512_abs_##of(old), ceiling,  \
                                               _CMP_LE_OQ);                    \
            vector kept = _mm512_mask_mov_##of(old, open, grown);              \
            mask over = _mm512_cmp_##of##_mask(kept, ceiling, _CMP_GT_OQ);     \
            mask still = _mm512_cmp_##of##_mask(                               \
                _mm512_abs_##of(now), _mm512_mul_##of(eta, kept), _CMP_LE_OQ); \
            mask closed = _mm512_cmp_##of##_mask(_mm512_abs_##of(kept),        \
                                                 ceiling, _CMP_GT_OQ);         \
            mask lit = _mm512_cmp_##of##_mask(kept, zero, _CMP_NEQ_UQ);        \
            mask held = _mm512_cmp_##of##_mask(kept, zero, _CMP_GT_OQ) &       \
                        (mask)(over | still);                                  \
            _mm512_mask_storeu_##of(sum + i, there, kept);                     \
            told->lit |= (uint64_t)lit << i;                                   \
            told->closed |= (uint64_t)closed << i;                             \
            told->held |= (uint64_t)held << i;                                 \
        }                                                                      \
    }
DEFINE_TAKE_AVX512(take_single_avx512, float, __m512, __mmask16, ps)
DEFINE_TAKE_AVX512(take_double_avx512, double, __m512d, __mmask8, pd)
#endif

void laplace_set_level(struct laplace *laplace, enum kernel_level level)
{
    bool single = laplace->options.width == sizeof(float);
    laplace->loop = single ? take_single : take_double;
#ifdef __x86_64__
    if (level == LEVEL_AVX2)
        laplace->loop = single ? take_single_avx2 : take_double_avx2;
    if (level == LEVEL_AVX512)
        laplace->loop = single ? take_single_avx512 : take_double_avx512;
#endif
}

struct take {
    struct laplace *laplace;
    const struct amplitudes *generation;
};

/* Gives those cells of a block their age. */
static void note(int32_t *ages, uint64_t bits, int32_t age)
{
    for (; bits; bits &= bits - 1)
        ages[__builtin_ctzll(bits)] = age;
}

/* Arrivals, but for those whose sum was too small to hold: they are lost. */
static void arrive(struct laplace *laplace, size_t first, uint64_t bits)
{
    for (; bits; bits &= bits - 1) {
        size_t cell = first + (size_t)__builtin_ctzll(bits);
        laplace->step[cell] =
            is_spoilt(laplace, cell) ? LAPLACE_LOST : (int32_t)laplace->age;
    }
}

static void take_block(const struct take *take, size_t first, const void *z,
                       int count, struct laplace_block *block)
{
    struct laplace *laplace = take->laplace;
    const int32_t age = (int32_t)laplace->age;
    struct told told = { 0 };
    laplace->loop(laplace, first, z, count, block, &told);
    if (told.lit & ~block->lit)
        note(laplace->first + first, told.lit & ~block->lit, age);
    if (told.closed & ~block->closed)
        note(laplace->closed + first, told.closed & ~block->closed, age);
    block->lit |= told.lit;
    block->closed |= told.closed;
    if (age > 0 && told.held & ~block->arrived) {
        arrive(laplace, first, told.held & ~block->arrived);
        block->arrived |= told.held;
    }
}

/* The blocks of a row that the lit columns touch, until all in them is summed.
 */
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
    for (size_t i = (size_t)lit->low[0] / BLOCK; i <= last; i++) {
        struct laplace_block *block =
            &laplace->block[row * laplace->blocks + i];
        size_t x = i * BLOCK, count = nx - x < BLOCK ? nx - x : BLOCK;
        if (~(block->closed | block->wall))
            take_block(take, row * nx + x, z + x * laplace->options.width,
                       (int)count, block);
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
    team_run(team, take_rows, &(struct take){ laplace, generation });
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
                 block++)
                read_block(laplace, row, (size_t)block);
        }
}

void laplace_state(struct laplace *laplace, struct state *state)
{
    const struct grid *grid = &laplace->terrain->grid;
    state_visit(state, &laplace->age, sizeof laplace->age);
    state_visit_cells(state, laplace->sum, laplace->options.width, grid);
    state_visit_cells(state, laplace->closed, sizeof *laplace->closed, grid);
    state_visit_cells(state, laplace->first, sizeof *laplace->first, grid);
    if (laplace->step)
        state_visit_cells(state, laplace->step, sizeof *laplace->step, grid);
    read_blocks(laplace);
}
