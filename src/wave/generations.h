/* SPDX-License-Identifier: MIT */
/* Inside the wave: one wave's two generations, and the step of the judge. */
#ifndef HAMON_WAVE_GENERATIONS_H
#define HAMON_WAVE_GENERATIONS_H

#include "wave/medium.h"

struct wave {
    const struct medium *medium;
    void *now, *before; /* laid out by the medium's layout, ghosts put right */
    int64_t step;       /* generation of `now` */
    int64_t emitted;    /* generation of the last emission, or −1 */
    size_t source;      /* a cell of the whole grid */
    int scale;          /* what a source adds later is times 2^scale, */
    bool turned;        /* and times −1: laplace/wave.h */
    int centre[GRID_AXES]; /* the same in the medium's grid, or outside it */
    int64_t owed;          /* generations that nobody has looked at yet */
    struct team *owed_by;
    /* Outside this box both generations are +0: what was emitted cannot have
     * come so far. Nothing of it: dark. */
    struct box lit;
    bool dark;
    struct box reach; /* of a shared wave: the same, wherever it may be */
};

/* The source's shape into the cleared generations, and its part in each later
 * one, added to generation wave->step. */
void source_emit(struct wave *wave);
void source_add(struct wave *wave);

/* Whether it adds anything to a generation, and what. */
bool source_adds(const struct wave *wave, int64_t step, double *value);

/* Both generations become 0; and wave_emit where they are. */
void wave_clear(struct wave *wave);
void wave_emit_again(struct wave *wave, size_t source, int64_t step);

/* The wavelet that a ricker source of unit amplitude adds at this age ≥ 1, δ
 * being that of its cell. */
double source_ricker(double delta, double wavelength, int64_t age);

/* Does the medium hold the source's cell? */
bool source_is_here(const struct wave *wave);

/* wave_step where ranks share the wave (shared.c), and its beginnings. */
void shared_step(struct wave *wave, struct team *team);
void shared_emit(struct wave *wave);
void shared_load(struct wave *wave);
struct box shared_everywhere(void); /* no bounds to a reach */

/* The loops over a block, once. */
void wave_sweep_block(const struct wave *wave, const struct box *block,
                      struct team *team);

/* Ends a step: `before` has become generation step + 1. */
void wave_turn(struct wave *wave);

/* One generation from `now` into `out`, which holds the one before. */
struct sweep wave_sweep(const struct wave *wave, const void *now, void *out);

/* What is lit in each of so many generations to come; wave->lit becomes that of
 * the last. */
void wave_grow(struct wave *wave, struct box lit[], int generations);

/* wave_advance with at most `most` generations a pass, in strips of `strip`
 * cells along x (2D: whole lines) or rows (3D), or each generation at once;
 * most = 1: single steps. */
enum { FUSE_WHOLE = 1 << 29 };
void wave_advance_fused(struct wave *wave, int64_t generations, int most,
                        int strip, struct team *team);

/* wave_step as the equation is read from the page, from the terrain alone, a
 * neighbour at a time: what the fast loops are held to. */
void wave_step_plain(struct wave *wave);

/* Takes other loops than the machine's best: for tests and measurements. */
void medium_choose(struct medium *medium, enum kernel_level level);

#endif
