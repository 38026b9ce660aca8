/* SPDX-License-Identifier: MIT */
/* The loops of the band: its stencil, sums, and what closes. */
#include "front_band_tiles.h"

#ifdef __x86_64__
#include <float.h>
#include <immintrin.h>
#include <math.h>

#define INLINE AVX512 static inline __attribute__((always_inline))

enum { LOOK_EVERY = 4, AHEAD = 2 };

/* ---- the stencil ---- */

#define EVERY(x) _mm512_set1_ps(x)
#define ADD _mm512_add_ps
#define TIMES _mm512_mul_ps
#define LOAD _mm512_load_ps
#define PICK(mask, yes, no) _mm512_mask_blend_ps(mask, no, yes)
#define JOINED(low, high, first)                                               \
    _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(high),         \
                                            _mm512_castps_si512(low), first))

INLINE __m512 to_east(const float *z)
{
    return JOINED(LOAD(z), LOAD(z + LANES), 1);
}
INLINE __m512 to_west(const float *z)
{
    return JOINED(LOAD(z - LANES), LOAD(z), LANES - 1);
}
INLINE __mmask16 walls_east(const uint16_t *walls)
{
    return (__mmask16)(walls[0] >> 1 | walls[1] << 15);
}
INLINE __mmask16 walls_west(const uint16_t *walls)
{
    return (__mmask16)(walls[0] << 1 | walls[-1] >> 15);
}

/* As wave.h has it: what cannot be read folds onto the one beside it. */
INLINE __m512 fold(__m512 there, __m512 own, __mmask16 wall, __m512 side,
                   __mmask16 side_wall, __m512 other, __mmask16 other_wall)
{
    __m512 folded = PICK(side_wall, other, PICK(other_wall, side, own));
    return PICK((__mmask16)(wall | (side_wall & other_wall)), folded, there);
}

struct around {
    __m512 own, e, w, n, s;
    __mmask16 e_wall, w_wall, n_wall, s_wall;
};

INLINE __m512 diagonals(const float *z, ptrdiff_t stride, const uint16_t *walls,
                        const struct around *at, bool select)
{
    __m512 se = to_east(z + stride), nw = to_west(z - stride);
    __m512 ne = to_east(z - stride), sw = to_west(z + stride);
    if (select) {
        const uint16_t *north = walls - stride / LANES;
        const uint16_t *south = walls + stride / LANES;
        se = fold(se, at->own, walls_east(south), at->e, at->e_wall, at->s,
                  at->s_wall);
        nw = fold(nw, at->own, walls_west(north), at->w, at->w_wall, at->n,
                  at->n_wall);
        ne = fold(ne, at->own, walls_east(north), at->e, at->e_wall, at->n,
                  at->n_wall);
        sw = fold(sw, at->own, walls_west(south), at->w, at->w_wall, at->s,
                  at->s_wall);
    }
    return ADD(ADD(se, nw), ADD(ne, sw));
}

/* S of wave.h at the vector z. */
INLINE __m512 weighted_sum(const struct band *band, const float *z,
                           const uint16_t *walls, int points, bool select)
{
    const ptrdiff_t stride = band->layout.stride, layer = band->layout.layer;
    struct around at = {
        LOAD(z), to_east(z), to_west(z), LOAD(z - stride), LOAD(z + stride), 0,
        0,       0,          0
    };
    if (select) {
        at.e_wall = walls_east(walls);
        at.w_wall = walls_west(walls);
        at.n_wall = walls[-stride / LANES];
        at.s_wall = walls[stride / LANES];
        at.e = PICK(at.e_wall, at.own, at.e);
        at.w = PICK(at.w_wall, at.own, at.w);
        at.n = PICK(at.n_wall, at.own, at.n);
        at.s = PICK(at.s_wall, at.own, at.s);
    }
    __m512 axes = ADD(ADD(at.e, at.w), ADD(at.n, at.s));
    if (points == 6) {
        __m512 d = LOAD(z + layer), u = LOAD(z - layer);
        if (select) {
            d = PICK(walls[layer / LANES], at.own, d);
            u = PICK(walls[-layer / LANES], at.own, u);
        }
        return ADD(axes, ADD(d, u));
    }
    if (points == 8)
        return ADD(TIMES(EVERY((float)(4. / 6)), axes),
                   TIMES(EVERY((float)(1. / 6)),
                         diagonals(z, stride, walls, &at, select)));
    return axes;
}

/* ---- a generation ---- */

struct pass {
    int points;
    bool select, two, field, looks;
    __m512 d, c, growth[2], closed, ceiling, mark, eta, least, largest;
    __m256i age; /* plus 1 */
};

INLINE void note_age(uint16_t *ages, __mmask16 cells, __m256i age)
{
    __m256i old = _mm256_loadu_si256((const __m256i *)ages);
    _mm256_storeu_si256((__m256i *)ages,
                        _mm256_mask_mov_epi16(old, cells, age));
}

INLINE void note_arrivals(struct band *band, const struct pass *pass,
                          ptrdiff_t at, const __m512 sum[2], __m512 size,
                          __mmask16 open, __mmask16 over)
{
    for (int i = 0; i <= pass->two; i++) {
        __m256i *ages = (__m256i *)(band->arrived[i] + at);
        __m256i old = _mm256_loadu_si256(ages);
        __mmask16 missing = _mm256_testn_epi16_mask(old, old) & open;
        __mmask16 held =
            _mm512_mask_cmp_ps_mask(missing, _mm512_max_ps(size, pass->least),
                                    TIMES(pass->eta, sum[i]), _CMP_LE_OQ);
        held |= missing & over;
        _mm256_storeu_si256(ages, _mm256_mask_mov_epi16(old, held, pass->age));
    }
}

/* One vector: false where it has no open cell any more, at a look. */
INLINE bool step_vector(struct band *band, struct pass *pass, ptrdiff_t at)
{
    const __m512 zero = _mm512_setzero_ps();
    float *out = band->before + at, *low = band->sum[0] + at;
    const __m512 v = LOAD(low);
    const __mmask16 open = _mm512_cmp_ps_mask(v, pass->closed, _CMP_LE_OQ);
    if (pass->looks && !open) { /* its z have been 0 since the last look */
        _mm512_store_ps(out, zero);
        return false;
    }
    const float *z = band->now + at;
    __m512 s = weighted_sum(band, z, band->walls + at / LANES, pass->points,
                            pass->select);
    __m512 rest = _mm512_sub_ps(TIMES(pass->c, LOAD(z)), LOAD(out));
    __m512 next = _mm512_maskz_add_ps(open, TIMES(pass->d, s), rest), sum[2];
    __m512 size = _mm512_abs_ps(next);
    __mmask16 over = 0;
    sum[0] = _mm512_mask_add_ps(v, open, TIMES(v, pass->growth[0]), next);
    if (pass->two) {
        __m512 h = LOAD(band->sum[1] + at);
        sum[1] = _mm512_mask_add_ps(h, open, TIMES(h, pass->growth[1]), next);
    }
    if (pass->looks) {
        pass->largest = _mm512_max_ps(pass->largest, size);
        over = _mm512_mask_cmp_ps_mask(open, sum[0], pass->ceiling, _CMP_GT_OQ);
        note_age(band->closed_at + at, over, pass->age);
    }
    if (pass->field)
        note_arrivals(band, pass, at, sum, size, open, over);
    if (pass->looks)
        for (int i = 0; i <= pass->two; i++)
            sum[i] = _mm512_mask_mul_ps(sum[i], over, sum[i], pass->mark);
    _mm512_store_ps(low, sum[0]);
    if (pass->two)
        _mm512_store_ps(band->sum[1] + at, sum[1]);
    _mm512_store_ps(out, next);
    return true;
}

/* Dark vectors that light comes to. */
INLINE uint64_t find_lit(const struct band *band, const struct pass *pass,
                         const struct band_tile *tile)
{
    uint64_t lit = 0;
    for (uint64_t left = tile->active & ~tile->lit; left; left &= left - 1) {
        ptrdiff_t at = band_place(band, tile, __builtin_ctzll(left));
        __m512 s = weighted_sum(band, band->now + at, band->walls + at / LANES,
                                pass->points, pass->select);
        if (_mm512_cmp_ps_mask(TIMES(pass->d, s), _mm512_setzero_ps(),
                               _CMP_NEQ_UQ))
            lit |= left & -left;
    }
    return lit;
}

INLINE void step_tile(struct band *band, struct pass *pass, int index)
{
    struct band_tile *tile = &band->tile[index];
    const ptrdiff_t far =
        pass->points == 6 ? band->layout.layer : band->layout.stride;
    uint64_t lit = find_lit(band, pass, tile), dropped = 0;
    for (uint64_t left = (tile->active & tile->lit) | lit; left;
         left &= left - 1) {
        ptrdiff_t at = band_place(band, tile, __builtin_ctzll(left));
        ptrdiff_t soon = at + AHEAD * band->layout.stride;
        __builtin_prefetch(band->now + soon + far);
        __builtin_prefetch(band->before + soon, 1);
        __builtin_prefetch(band->sum[0] + soon, 1);
        if (!step_vector(band, pass, at))
            dropped |= left & -left;
    }
    band->vectors += __builtin_popcountll(tile->active);
    band_mirror(band, tile, band->before);
    tile->active &= ~dropped;
    tile->lit |= lit;
    if (lit)
        band_wake_round(band, index, lit);
}

/* Powers of two: of z and V where some cell is open. */
AVX512 static void bring_up(struct band *band, float largest)
{
    int now, wanted;
    frexpf(largest, &now);
    frexpf(band->largest, &wanted);
    if (!(largest > 0) || wanted - now < FALLEN)
        return;
    int up = wanted - now < BROUGHT ? wanted - now : BROUGHT;
    const __m512 by = EVERY(ldexpf(1, up)), closed = EVERY(band->closed);
    for (int i = 0; i < band->tiles; i++) {
        struct band_tile *tile = &band->tile[i];
        for (uint64_t left = tile->active; left; left &= left - 1) {
            ptrdiff_t at = band_place(band, tile, __builtin_ctzll(left));
            const __mmask16 open =
                _mm512_cmp_ps_mask(LOAD(band->sum[0] + at), closed, _CMP_LE_OQ);
            float *const field[] = { band->now + at, band->before + at };
            for (int j = 0; j < 2; j++)
                _mm512_store_ps(field[j], TIMES(LOAD(field[j]), by));
            for (int j = 0; j <= band->options.by_time; j++) {
                __m512 v = LOAD(band->sum[j] + at);
                _mm512_store_ps(band->sum[j] + at,
                                _mm512_mask_mul_ps(v, open, v, by));
            }
        }
        if (tile->active) {
            band_mirror(band, tile, band->now);
            band_mirror(band, tile, band->before);
        }
    }
    band->scale += up;
}

INLINE void step(struct band *band, int points, bool select, bool two,
                 bool field, bool looks)
{
    const double total = points == 8 ? 10. / 3 : points;
    struct pass pass = {
        .points = points,
        .select = select,
        .two = two,
        .field = field,
        .looks = looks,
        .d = EVERY(.25f),
        .c = EVERY((float)(2 - total / 4)),
        .growth = { EVERY(band->growth[0]), EVERY(band->growth[1]) },
        .closed = EVERY(band->closed),
        .ceiling = EVERY(band->ceiling),
        .mark = EVERY(band->mark),
        .eta = EVERY((float)band->options.eta),
        .least = EVERY(FLT_MIN),
        .largest = _mm512_setzero_ps(),
        .age = _mm256_set1_epi16((int16_t)(band->age + 1)),
    };
    for (int i = 0; i < band->tiles; i++)
        if (band->tile[i].active)
            step_tile(band, &pass, i);
    float *newest = band->before;
    band->before = band->now;
    band->now = newest;
    if (looks)
        bring_up(band, _mm512_reduce_max_ps(pass.largest));
}

/* Constants folded into a loop for each case. */
#define CASE(name, points, select, two, field)                                 \
    AVX512 static void name##_look(struct band *band)                          \
    {                                                                          \
        step(band, points, select, two, field, true);                          \
    }                                                                          \
    AVX512 static void name(struct band *band)                                 \
    {                                                                          \
        step(band, points, select, two, field, false);                         \
    }
#define CASES(name, points, select)                                            \
    CASE(name, points, select, false, false)                                   \
    CASE(name##_field, points, select, false, true)                            \
    CASE(name##_two, points, select, true, false)                              \
    CASE(name##_two_field, points, select, true, true)
CASES(five, 4, false)
CASES(five_free, 4, true)
CASES(nine, 8, false)
CASES(nine_free, 8, true)
CASES(seven, 6, false)
CASES(seven_free, 6, true)
#define BOTH(name)                                                             \
    {                                                                          \
        name, name##_look                                                      \
    }
#define TABLE(name)                                                            \
    {                                                                          \
        { BOTH(name), BOTH(name##_field) },                                    \
        {                                                                      \
            BOTH(name##_two), BOTH(name##_two_field)                           \
        }                                                                      \
    }

void band_step(struct band *band)
{
    /* by points (4, 6, 8), walls, sums, field, look */
    static void (*const steps[3][2][2][2][2])(struct band *) = {
        { TABLE(five), TABLE(five_free) },
        { TABLE(seven), TABLE(seven_free) },
        { TABLE(nine), TABLE(nine_free) },
    };
    const struct band_options *options = &band->options;
    band->scale_of[++band->age] = band->scale;
    steps[options->stencil->points / 2 - 2][options->free_walls]
         [options->by_time][options->field][(band->age + 1) % LOOK_EVERY == 0](
             band);
}

#else

void band_step(struct band *band)
{
    (void)band;
}

#endif
