/* SPDX-License-Identifier: MIT */
/* A generation of the band. */
#include "wave/laplace_front_band.h"
#include "wave/laplace_front_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#ifdef __x86_64__
#include "wave/kernel_avx512.h"

#define VECTOR 64
#define TARGET AVX512_TARGET
#define LIT(v) (_mm512_test_epi32_mask((__m512i)(v), (__m512i)(v)) != 0)

#define REAL float
#define BITS int32_t
#define SMALLEST FLT_MIN
#define NAME(x) x##_single_avx512
#define CHOOSE AVX512_CHOOSE_SINGLE
#define JOIN AVX512_JOIN_SINGLE
#define OVER(v, w) _mm512_cmp_ps_mask((__m512)(v), (__m512)(w), _CMP_GT_OQ)
#define WITHIN(v, w) _mm512_cmp_ps_mask((__m512)(v), (__m512)(w), _CMP_LE_OQ)
#define LOAD_AGES(ages) _mm256_loadu_si256((const __m256i *)(ages))
#define NONE(ages) _mm256_testn_epi16_mask(LOAD_AGES(ages), LOAD_AGES(ages))
#define NOTE(ages, lanes, now)                                                 \
    _mm256_storeu_si256(                                                       \
        (__m256i *)(ages),                                                     \
        _mm256_mask_mov_epi16(LOAD_AGES(ages), (__mmask16)(lanes),             \
                              _mm256_set1_epi16((short)(now))))
#include "wave/laplace_front_band.inc"
#undef REAL
#undef BITS
#undef SMALLEST
#undef NAME
#undef CHOOSE
#undef JOIN
#undef OVER
#undef WITHIN
#undef LOAD_AGES
#undef NONE
#undef NOTE

#define REAL double
#define BITS int64_t
#define SMALLEST DBL_MIN
#define NAME(x) x##_double_avx512
#define CHOOSE AVX512_CHOOSE_DOUBLE
#define JOIN AVX512_JOIN_DOUBLE
#define OVER(v, w) _mm512_cmp_pd_mask((__m512d)(v), (__m512d)(w), _CMP_GT_OQ)
#define WITHIN(v, w) _mm512_cmp_pd_mask((__m512d)(v), (__m512d)(w), _CMP_LE_OQ)
#define LOAD_AGES(ages) _mm_loadu_si128((const __m128i *)(ages))
#define NONE(ages) _mm_testn_epi16_mask(LOAD_AGES(ages), LOAD_AGES(ages))
#define NOTE(ages, lanes, now)                                                 \
    _mm_storeu_si128((__m128i *)(ages),                                        \
                     _mm_mask_mov_epi16(LOAD_AGES(ages), (__mmask8)(lanes),    \
                                        _mm_set1_epi16((short)(now))))
#include "wave/laplace_front_band.inc"
#endif

void front_band_set_level(struct laplace_front *front, enum kernel_level level)
{
    struct front_band *band = front->band;
    front_band_catch_up(front);
    memset(band->step, 0, sizeof band->step);
    band->multiply = band->catch_up = NULL;
    band->stale = true;
#ifdef __x86_64__
    const struct medium *medium = front->medium;
    const bool single = laplace_front_is_single(front);
    const bool select = medium->settings.walls == WALLS_FREE;
    if (level != LEVEL_AVX512 || medium->halo)
        return;
    for (int work = 0; work < BAND_WORKS; work++)
        band->step[work] =
            (single ? steps_single_avx512
                    : steps_double_avx512)[medium->shape][medium->form][select]
                                          [front->pair.count - 1][work];
    band->multiply = single ? multiply_single_avx512 : multiply_double_avx512;
    band->catch_up = single ? catch_up_single_avx512 : catch_up_double_avx512;
#else
    (void)level;
#endif
}

/* ---- a generation ---- */

static void step_tiles(void *context, int thread, int threads)
{
    const struct band_pass *pass = context;
    pass->front->band->step[pass->work](pass, thread, threads);
}

static void multiply_tiles(void *context, int thread, int threads)
{
    const struct band_pass *pass = context;
    pass->front->band->multiply(pass, thread, threads);
}

void front_band_multiply(struct laplace_front *front, int by, struct team *team)
{
    struct band_pass pass = {
        .front = front,
        .sweep = wave_sweep(front->wave, front->wave->now, front->wave->before),
        .by = ldexp(1, by),
    };
    team_run(team, multiply_tiles, &pass);
}

static void owe(struct laplace_front *front, const void *generation)
{
    for (int i = 0; i < front->pair.count; i++)
        front->pair.sum[i].owed = generation;
}

/* As the team's threads would have summed it. */
void front_band_catch_up(struct laplace_front *front)
{
    const struct wave *wave = front->wave;
    const struct band_pass pass = {
        .front = front,
        .sweep = wave_sweep(wave, wave->now, wave->before),
    };
    if (!front->pair.sum[0].owed)
        return;
    bool was = denormals_flush(front->medium->settings.flush_denormals);
    front->band->catch_up(&pass, 0, 1);
    denormals_flush(was);
    owe(front, NULL);
}

/* The cells of a line in which the detector holds for the first time. */
static void arrive(struct laplace_front *front, const struct band_tile *tile,
                   int bit)
{
    const struct layout *layout = &front->medium->layout;
    const int y = tile->box.low[1] + bit / BAND_LINES;
    const ptrdiff_t begin = band_place(layout, tile, bit);
    const ptrdiff_t row = layout_at(layout, 0, y, tile->box.low[2]);
    const ptrdiff_t lanes = (ptrdiff_t)layout->lanes;
    const uint16_t now = (uint16_t)(front->age + 1);
    const struct laplace_pair *pair = &front->pair;
    for (ptrdiff_t item = begin; item < begin + lanes; item++)
        if (pair->sum[0].arrived[item] == now ||
            (pair->count == 2 && pair->sum[1].arrived[item] == now))
            laplace_front_tell(front,
                               grid_index(&layout->grid, (int)(item - row), y,
                                          tile->box.low[2]));
}

/* After all tiles were stepped: what has been lit wakes what lies round it,
 * who has arrived is told; gives back the largest |z|. */
static double end_step(struct laplace_front *front)
{
    struct front_band *band = front->band;
    double most = 0;
    for (int i = 0; i < band->tiles; i++) {
        struct band_tile *tile = &band->tile[i];
        if (tile->fresh)
            band_wake_round(band, front->medium->shape, i);
        for (uint64_t left = tile->held; left; left &= left - 1)
            arrive(front, tile, __builtin_ctzll(left));
        tile->held = 0;
        most = fmax(most, tile->most);
        tile->most = 0;
    }
    return most;
}

static enum band_work choose_work(const struct laplace_front *front,
                                  const struct band_pass *pass)
{
    if (pass->arrives || pass->driven >= 0 || front->look_every % 2 != 0)
        return BAND_ALL;
    if (front->age % 2 == 0)
        return BAND_STEPS;
    if (!front->pair.sum[0].owed)
        return BAND_ALL;
    return pass->looks ? BAND_LOOKS : BAND_SUMS;
}

static void turn(struct wave *wave)
{
    void *newest = wave->before;
    wave->before = wave->now;
    wave->now = newest;
    wave->step++;
    wave->lit = grid_box(&wave->medium->layout.grid);
}

void front_band_advance(struct laplace_front *front, struct team *team)
{
    struct wave *wave = front->wave;
    struct band_pass pass = {
        .front = front,
        .sweep = wave_sweep(wave, wave->now, wave->before),
        .looks = laplace_front_looks(front),
        .arrives = front->pair.sum[0].step != NULL,
        .driven = -1,
    };
    if (front->band->stale)
        front_band_look_round(front);
    if (source_adds(wave, wave->step + 1, &pass.added))
        pass.driven = layout_cell(&front->medium->layout, wave->source);
    pass.work = choose_work(front, &pass);
    if (pass.work == BAND_ALL)
        front_band_catch_up(front);
    team_run(team, step_tiles, &pass);
    turn(wave);
    owe(front, pass.work == BAND_STEPS ? wave->now : NULL);
    double most = end_step(front);
    if (pass.looks)
        laplace_front_bring_up(front, most, team);
}
