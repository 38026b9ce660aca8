/* SPDX-License-Identifier: MIT */
/* The discrete wave equation on a map (Watanabe 2021, eqs 12–15; Kumagai 2024,
 * eqs 2.13–2.19): one medium, any number of waves in it.
 *
 *   c2-laplacian   z[k+1] = d*S + (c*z[k] - a*z[k−1])
 *   conservative   z[k+1] =   S + (c*z[k] - a*z[k−1])
 *
 * with m = μΔt/2, a = (1 − m)/(1 + m), and the neighbours in this order:
 *
 *   5-point        S = (E + W) + (N + S)
 *   7-point        S = ((E + W) + (N + S)) + (D + U)
 *   9-point        S = w1*((E + W) + (N + S)) + w2*((SE + NW) + (NE + SW)),
 *                  w1 = 4/6, w2 = 1/6
 *   27-point       S = (w1*(A + (D + U)) + w2*(B + (A↓ + A↑))) + w3*(B↓ + B↑),
 *                  A = (E + W) + (N + S), B = (SE + NW) + (NE + SW) in the
 *                  cell's layer, the one below and the one above,
 *                  w1 = 16/36, w2 = 4/36, w3 = 1/36
 *   matched        as 9- or 27-point, d = 1, with w1, w2, w3 of each cell: its
 *                  own weight of stencil_match times δᵢ/(1 + m)
 *   border         matched in 2D between free walls, if one of the eight cells
 *                  round it is free and has another δᵢ: d = 1, c = 2/(1 + m) −
 *                  W, and each neighbour has the weight v, the root of its own
 *                  weight times that of the cell that is read:
 *                  S = ((vE*E + vW*W) + (vN*N + vS*S)) +
 *                      ((vSE*SE + vNW*NW) + (vNE*NE + vSW*SW)), W = Σv alike
 *   conservative   S = (fE*E + fW*W) + (fN*N + fS*S) [+ (fD*D + fU*U)]
 *
 *   c2-laplacian   d = δᵢ/(1 + m), c = (2 − nδᵢ)/(1 + m), δᵢ = δ·(cᵢ·cᵢ),
 *                  n = 4, 6, 10/3 or 38/9, the stencil's whole weight
 *                  (matched: 4a + 4b or 6a + 12b + 8c of the cell)
 *   conservative   f = φ/(1 + m), c = (2 − Σφ)/(1 + m), φ the δ of the face: to
 *                  a free cell the harmonic mean 2(δᵢ·δⱼ)/(δᵢ + δⱼ), δᵢ itself
 *                  where they are equal; to a fixed wall δᵢ; to a free wall and
 *                  over the map's edge 0
 *
 * Every coefficient is computed in double and rounded once to the run's
 * precision; every operation above is rounded once to it, none fused, none
 * reordered. This is the definition: each path through the code computes it bit
 * for bit on every machine, with every compiler, vector unit and number of
 * threads.
 *
 * Mirrors. A neighbour beyond the map's edge, or in a free wall, cannot be
 * read: the cell's own value is used instead, which gives the edge rule
 * (2 − 3δ), (2 − 2δ) of eqs 14–15. (Conservative: a free wall is read as 0,
 * times its face of 0.) A fixed wall is read as 0. A step over an edge or a
 * corner (9- and 27-point) spans a block of 2 × 2 or 2 × 2 × 2 cells: an axis
 * is left out of the step if nothing of the block beyond it can be read. The
 * rest of the step is read if a path of cells that can be read, one axis at a
 * time, leads there; else the cell's own value is used. In 2 × 2 this means: a
 * diagonal that cannot be read is replaced by the axis neighbour beside it that
 * can be read, if exactly one of the two can; a diagonal that can be read is
 * dropped if both of them are mirrors. So each block couples its cells
 * symmetrically, and none more strongly than an open block does: the operator
 * stays symmetric and the limit of δ is valid on every map. Walls are always
 * exactly +0.
 *
 * Open edges. Beyond them the map's edge cells are repeated, and waves vanish
 * there (wave/edges.h). Nothing outside the wave sees these cells: every field,
 * cell and position here is of the map. A gaussian source ends at the map's
 * edge.
 *
 * Denormals: the loops use the mode of the thread that runs them; see
 * team.h. */
#ifndef HAMON_WAVE_WAVE_H
#define HAMON_WAVE_WAVE_H

#include "base/status.h"
#include "base/team.h"
#include "wave/amplitudes.h"
#include "wave/step/stencil.h"
#include "world/split.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

enum wall_rule { WALLS_FIXED, WALLS_FREE };
enum edge_rule { EDGE_MIRROR, EDGE_OPEN };
enum precision { PRECISION_SINGLE, PRECISION_DOUBLE };
enum speed_form { FORM_C2_LAPLACIAN, FORM_CONSERVATIVE };
enum wave_restart { RESTART_LIFETIME, RESTART_ON_ARRIVAL, RESTART_RECEIVED };

/* impulse: z⁰ = A at one cell, z⁻¹ = 0. rest: the same with z⁻¹ = z⁰. gaussian:
 * z⁰ = z⁻¹ = A exp(−r²/2σ²) over all free cells, also behind walls. ricker:
 * starts from 0 and adds A·w(t) to generation t of the source cell after each
 * step, unless the cell is a wall then: w(t) = (1 − 2u)e^(−u),
 * u = (ω(t − t₀)/2)². Its spectrum has its peak at ω, the angular frequency of
 * a plane wave of `wavelength` λ cells along an axis (sin(ω/2) = √δᵢ sin(π/λ));
 * t₀ = 1 + ⌈2√18/ω⌉, so that it starts below 6e-7 of its peak. signal: the
 * same with A times the k-th number of `signal` in generation k, k = 1 ….
 * mode: starts from 0, and a mode of a corridor sets out from a cross-section
 * (wave/mode.h). */
enum source_kind {
    SOURCE_IMPULSE,
    SOURCE_REST,
    SOURCE_GAUSSIAN,
    SOURCE_RICKER,
    SOURCE_SIGNAL,
    SOURCE_MODE
};

/* Names as the scenario spells them, indexed by the enums; each list ends
 * with NULL. */
extern const char *const wall_rule_names[]; /* "fixed", "free" */
extern const char *const edge_rule_names[]; /* "mirror", "open" */
extern const char *const precision_names[]; /* "single", "double" */
extern const char
    *const speed_form_names[]; /* "c2-laplacian", "conservative" */
extern const char *const wave_restart_names[]; /* "lifetime", … */
extern const char *const source_names[];

struct wave_settings {
    int count;        /* n: waves that exist at the same time */
    int64_t lifetime; /* T, generations; wave i emits at ⌊iT/n⌋ + mT */
    double delta;     /* δ */
    double amplitude; /* A */
    double damping;   /* μΔt ≥ 0 */
    enum wall_rule walls;
    enum edge_rule edge;
    bool has_edge, has_edges; /* is the key given? */
    unsigned edges;           /* if has_edges: the open sides, 1 << direction */
    const struct stencil *stencil;
    enum source_kind source;
    double sigma;      /* cells; for gaussian */
    double wavelength; /* cells; for ricker */
    /* For signal and mode: a list of numbers as text, "[0.5, 1.0]", which must
     * outlive the settings and their media. The file, if the scenario names
     * one instead, is read when the scenario is. */
    bool has_signal, has_signal_file;
    const char *signal;
    char *signal_file;
    /* For mode: its numbers along the first and the second axis across (the
     * lowest if not given), the cross-section, the direction of travel, and one
     * of frequency, band (as `signal`) and signal. */
    bool has_mode, has_second_mode, has_section, has_toward, has_frequency,
        has_band;
    int mode, second_mode;
    struct box section; /* one cell along the direction's axis */
    int toward;         /* enum direction */
    double frequency;   /* ω, radians a generation */
    const char *band;
    int64_t ages; /* the last age that a mode is needed for */
    enum precision precision;
    enum speed_form speed_form;
    enum wave_restart restart;
    bool allow_unstable;
    bool flush_denormals;
    /* p of a wave whose sums Σ e^(−pk)z[k] must decrease as a time does in
     * areas of other speeds (wave_matched_speed); 0: δᵢ = δcᵢ². */
    double matched_p;
    /* The same in all directions, too: each cell has the weights that match
     * the decay of the sum in it (stencil_match), and in 2D each pair of cells
     * of different speeds the geometric mean of both, which is nearly the
     * weight of their mean decay. Needs matched_p, a stencil with diagonals,
     * and the c2-laplacian form. */
    bool matched_weights;
};

/* The sides of a map of `dims` axes that waves leave, 1 << direction: those of
 * `edges`, or without it all if `edge` says so. */
unsigned wave_open_sides(const struct wave_settings *settings, int dims);

/* The most ages that a mode may be needed for. */
enum { WAVE_MODE_AGES = 1000000 };

/* Do they say what a source of kind signal or mode needs, on a map of this
 * grid? STATUS_INPUT if not: the message says what is wrong, and *key becomes
 * the key of a scenario that it is about. Other kinds need nothing here. */
enum status wave_source_check(const struct wave_settings *settings,
                              const struct grid *grid, const char **key,
                              struct error *error);

/* For mode: the cells of the two cross-sections in which it is added, the
 * latter the section itself. */
void wave_source_sections(const struct wave_settings *settings,
                          struct box sections[2]);

/* For mode: the two cross-sections are of one corridor on this map, free and
 * of speed 1, with walls or the map's edge round them. */
enum status wave_source_fits(const struct wave_settings *settings,
                             const struct terrain *terrain,
                             struct error *error);

/* 2 sinh(κ/2); the sum Σ e^(−pk)z[k] decreases by e^(−κ) per cell along an axis
 * at speed 1. */
double wave_sum_slope(double delta, double p);

/* The smallest c for which the exact formula is used. */
#define WAVE_MATCHED_SLOWEST .25

/* The speed c′ at which the logarithm of the sum decreases by κ/c per cell, in
 * proportion to the travel time of a wave. On the lattice, with speed c it
 * decreases by less in slow areas (1.5 κ instead of 2 κ at c = .5, p = 1.5,
 * δ = .3), because e^(−p) per step corresponds to a short wave there:
 *
 *   c′ = sinh(κ/2) / sinh(κ/2c).
 *
 * For c below WAVE_MATCHED_SLOWEST, c′ is that of WAVE_MATCHED_SLOWEST, or c if
 * that is smaller, because a decrease of more than 4κ per cell soon leaves the
 * range of numbers. A c′ over 1 is limited to the stability limit of the
 * stencil (or to c). */
double wave_matched_speed(const struct stencil *stencil, double delta, double p,
                          double c);

/* With matched_weights: the weights of a cell whose δᵢ is `delta`. */
void wave_matched_weights(const struct wave_settings *settings, double delta,
                          double weight[STENCIL_WEIGHTS]);

/* The Courant limit that the settings must keep on this terrain: `*largest`
 * becomes the largest δᵢ = δ(cᵢ)², including walls (an event may make them
 * free), `*limit` the safe limit of the stencil. Returns largest ≤ limit. */
bool wave_is_stable(const struct wave_settings *settings,
                    const struct terrain *terrain, double *largest,
                    double *limit);

/* ---- the medium: the coefficients of every cell, shared by all waves ---- */

struct medium;
struct halo; /* wave/step/halo.h */

/* Borrows terrain, which must outlive the medium. If events will change speeds,
 * terrain->speed must exist already (terrain_prepare). STATUS_INPUT: a stencil
 * for another number of axes than the map's, or one with diagonals and the
 * conservative form. Release with medium_release. */
enum status medium_new(const struct terrain *terrain,
                       const struct wave_settings *settings,
                       struct medium **medium, struct error *error);
void medium_release(struct medium *medium);

/* The medium of a rank's share: terrain is that of the share, and the halo
 * (borrowed) exchanges the waves across its edges; all ranks then call
 * wave_emit and wave_step together. Cells of emissions refer to the whole grid;
 * everything else here is in the share's coordinates, and packed fields are of
 * the rank's own block. */
enum status medium_new_shared(const struct terrain *terrain,
                              const struct share *share, struct halo *halo,
                              const struct wave_settings *settings,
                              struct medium **medium, struct error *error);

/* Applies a change of the terrain inside `box`. No wave is rebuilt; cells of a
 * wave that became walls are cleared by wave_clear_walls. Allocates nothing. */
void medium_update(struct medium *medium, const struct box *box);

/* ---- one wave: two generations of amplitudes ---- */

struct wave;

/* All zero, never emitted. Borrows medium. Release with wave_release. */
enum status wave_new(const struct medium *medium, struct wave **wave,
                     struct error *error);
void wave_release(struct wave *wave);

const struct medium *wave_medium(const struct wave *wave);

/* Clears both generations and emits from the free cell `source` at generation
 * `step`: z[step] = the source's shape, z[step−1] as source_kind says. A
 * source in a wall emits nothing (all stays 0). */
void wave_emit(struct wave *wave, size_t source, int64_t step);

/* The generation of the last emission, or −1. */
int64_t wave_emitted(const struct wave *wave);

/* Sets both generations to 0 in the walls inside `box`, which an event has
 * closed. */
void wave_clear_walls(struct wave *wave, const struct box *box);

/* Advances by one generation. team may be NULL. Waves that were never emitted
 * stay 0 and cost nothing. */
void wave_step(struct wave *wave, struct team *team);

/* The same as so many steps, in fewer passes through memory: if nobody reads
 * the generations between. */
void wave_advance(struct wave *wave, int64_t generations, struct team *team);

/* How many threads, at most `most`, are useful for so many waves on a map of so
 * many cells, if nobody reads every generation. */
int wave_threads(size_t cells, int waves, int most);

/* Postpones a step until the wave is read; then wave_advance does it together
 * with all other postponed steps. An emission cancels them. Every function
 * below computes them first. `team` must live until then. wave_catch_up
 * computes the postponed steps now: call it before terrain or medium change. */
void wave_owe(struct wave *wave, struct team *team);
void wave_catch_up(struct wave *wave);

/* wave_catch_up for several waves that are all read next: if there are at least
 * as many waves as threads, or their maps are too small for sharing, each wave
 * is computed by one thread. */
void waves_catch_up(struct wave *const waves[], int count, struct team *team);

/* Is every amplitude of the newest generation finite? */
bool wave_is_finite(struct wave *wave, struct team *team);

/* ---- reading: packed (nz, ny, nx) arrays of the run's precision ---- */

/* The size in bytes of one packed field. */
size_t wave_field_bytes(const struct medium *medium);

/* Copies the newest generation, packed, into the caller's `field`. */
void wave_copy(struct wave *wave, void *field, struct team *team);

/* The same including the halo, with the shape (nz, ny, nx) of the share. */
void wave_copy_held(struct wave *wave, void *field, struct team *team);

/* The same for the generation before. */
void wave_copy_older_held(struct wave *wave, void *field, struct team *team);

/* The newest generation in place, valid until the next step. */
struct amplitudes wave_newest(struct wave *wave);

/* wave_save copies both generations completely (`newest`, `older`), for a
 * restart; wave_load restores them. `emitted` is that of wave_emitted, `source`
 * the cell of that emission. Only wave_state has what is beyond open edges:
 * after wave_load that is 0. */
void wave_save(struct wave *wave, void *newest, void *older, int64_t *emitted,
               int64_t *source);
void wave_load(struct wave *wave, const void *newest, const void *older,
               int64_t emitted, int64_t source, int64_t step);

/* The same as part of a restart's state; `step` is the generation that is
 * loaded. */
void wave_state(struct wave *wave, int64_t step, struct state *state);

/* The gradient of the newest generation at every cell centre by central
 * differences (Watanabe 2021, eqs 18–19 at u = v = 0), packed, a component
 * each; gz may be NULL in 2D. Neighbours as in the update: 0 in a fixed wall,
 * mirrored at a free wall (in either form) and at the map's edge, the wave
 * itself beyond an open edge; walls get 0.
 * South and down are positive.
 *
 *   5-, 7-point   gx = 0.5*(E - W), gy = 0.5*(S - N), gz = 0.5*(D - U)
 *   9-point       gx = b*((NE - NW) + (SE - SW)) + m*(E - W),
 *                 gy = b*((SW - NW) + (SE - NE)) + m*(S - N)
 *
 *   27-point      gx = (c*(((NE↓ - NW↓) + (SE↓ - SW↓)) +
 *                          ((NE↑ - NW↑) + (SE↑ - SW↑))) +
 *                       b*(((NE - NW) + (SE - SW)) +
 *                          ((E↓ - W↓) + (E↑ - W↑)))) + m*(E - W),
 *                 gy = (c*(((SW↓ - NW↓) + (SE↓ - NE↓)) +
 *                          ((SW↑ - NW↑) + (SE↑ - NE↑))) +
 *                       b*(((SW - NW) + (SE - NE)) +
 *                          ((S↓ - N↓) + (S↑ - N↑)))) + m*(S - N),
 *                 gz = (c*(((SE↓ - SE↑) + (NW↓ - NW↑)) +
 *                          ((NE↓ - NE↑) + (SW↓ - SW↑))) +
 *                       b*(((E↓ - E↑) + (W↓ - W↑)) +
 *                          ((N↓ - N↑) + (S↓ - S↑)))) + m*(D - U)
 *
 * with b = 1/12, m = 1/3 (9-point), and c = 1/72, b = 4/72, m = 16/72
 * (27-point): the difference averaged (1,4,1)/6 across, along both other axes
 * in 3D, which matches these Laplacians. Like the update it is defined bit for
 * bit. */
void wave_gradient(struct wave *wave, void *gx, void *gy, void *gz,
                   struct team *team);

/* The amplitude of the newest generation at a cell. */
double wave_value(struct wave *wave, size_t cell);

/* Amplitudes of both generations, and the gradient of the newest, at a
 * position: bilinear (eqs 16 and 20, with i = ⌊x⌋, u = x − i) or trilinear.
 * Wall nodes get weight 0 and the others are renormalised, with the same
 * weights for all values; 0 if all nodes are walls. */
void wave_sample_amplitude(struct wave *wave, const double at[GRID_AXES],
                           double *newest, double *older);
void wave_sample_gradient(struct wave *wave, const double at[GRID_AXES],
                          double gradient[GRID_AXES]);

/* The same for a field from wave_copy_held or wave_copy_older_held. */
double wave_sample_copy(const struct wave *wave, const void *field,
                        const double at[GRID_AXES]);

#endif
