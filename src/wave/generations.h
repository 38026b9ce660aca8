/* SPDX-License-Identifier: MIT */
/* Private to the wave: one wave's two generations. */
#ifndef HAMON_WAVE_GENERATIONS_H
#define HAMON_WAVE_GENERATIONS_H

#include "wave/edges.h"
#include "wave/medium.h"

struct wave {
    const struct medium *medium;
    void *now, *before; /* in the medium's layout, with valid ghosts */
    struct edges *edges;
    int64_t step;    /* generation of `now` */
    int64_t emitted; /* generation of the last emission, or −1 */
    size_t source;   /* a cell of the whole grid */
    int scale;       /* what a source adds later is multiplied by 2^scale, */
    bool turned;     /* and by −1: laplace/wave.h */
    int centre[GRID_AXES]; /* the same in the medium's grid, or outside it */
    int64_t owed;          /* generations that are not computed yet */
    struct team *owed_by;
    /* Outside this box both generations are +0, because the emitted wave cannot
     * have reached further. Empty: all is +0. */
    struct box lit;
    struct box map_lit; /* the same in the map's coordinates (wave_newest) */
    bool dark;
    /* of a wave that ranks share: the same box on all ranks */
    struct box reach;
};

/* source_emit writes the source's shape into the cleared generations;
 * source_add adds its value of generation wave->step. */
void source_emit(struct wave *wave);
void source_add(struct wave *wave);

/* Is anything added to the generations after the emission, before the next is
 * computed? */
static inline bool source_lasts(const struct medium *medium)
{
    return medium->settings.source >= SOURCE_RICKER;
}

/* Does it add anything to the source's cell in a generation, and which value?
 * Not for mode. */
bool source_adds(const struct wave *wave, int64_t step, double *value);

/* wave_clear sets both generations to 0; wave_emit_again is wave_emit without
 * that. */
void wave_clear(struct wave *wave);
void wave_emit_again(struct wave *wave, size_t source, int64_t step);

/* The wavelet that a ricker source of unit amplitude adds at this age ≥ 1, δ
 * being that of its cell. */
double source_ricker(double delta, double wavelength, int64_t age);

/* The cells that an emission and what it adds later reach at first. */
struct box source_box(const struct wave *wave);

/* Is the source's cell in the medium's grid? */
bool source_is_here(const struct wave *wave);

/* wave_step and wave_emit if ranks share the wave (shared.c). */
void shared_step(struct wave *wave, struct team *team);
void shared_emit(struct wave *wave);
struct box shared_everywhere(void); /* a reach without bounds */

/* Parts of a shared step. shared_grow extends the reach to that of the next
 * generation. All ranks together: shared_exchange copies the neighbours' cells
 * of one generation into the halo, shared_load those of both. */
void shared_grow(struct wave *wave);
void shared_exchange(const struct wave *wave, void *generation);
void shared_load(struct wave *wave);

/* Steps the cells of a block by the fast loops. */
void wave_sweep_block(const struct wave *wave, const struct box *block,
                      struct team *team);

/* Ends a step: `before` contains generation step + 1 and becomes `now`. */
void wave_turn(struct wave *wave);

/* The sweep of one generation from `now` into `out`, which contains the
 * generation before. */
struct sweep wave_sweep(const struct wave *wave, const void *now, void *out);

/* The box of cells that may be nonzero in each of the next generations;
 * wave->lit becomes that of the last. */
void wave_grow(struct wave *wave, struct box lit[], int generations);

/* wave_advance with at most `most` generations in a pass, in strips of `strip`
 * cells along x (2D: whole lines) or rows (3D), or FUSE_WHOLE: each generation
 * at once. most = 1: single steps. */
enum { FUSE_WHOLE = 1 << 29 };
void wave_advance_fused(struct wave *wave, int64_t generations, int most,
                        int strip, struct team *team);

/* Selects other loops than the best of this machine, for tests and
 * measurements. */
void medium_choose(struct medium *medium, enum kernel_level level);

#endif
