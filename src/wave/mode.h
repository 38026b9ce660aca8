/* SPDX-License-Identifier: MIT */
/* Private to the wave: a source of one mode of a straight corridor or duct,
 * which sends it one way.
 *
 * A mode φ across obeys a chain along the corridor,
 *
 *   (1 + m)u⁺[j] = δ′(u[j+1] + u[j−1]) + (2 − 2δ′ − M)u[j] − (1 − m)u⁻[j],
 *
 *   5- and 7-point    δ′ = δ, M = 4δ Σ sin²(q/2) over the axes across
 *   9- and 27-point   δ′ = δP, M = 6δ(1 − P), P = Π (1 − ⅔ sin²(q/2))
 *
 * m = μΔt/2. u is the wave that moves in the source's direction, with
 * u[0] = A s(k), s the signal, in the cells behind the cross-section, j = 1 in
 * the section. The map has u added to it from j = 1 on only: so the section
 * must see u[0] behind it, and the cells behind must not see u[1] before them.
 * With κ = δ′/(1 + m), to generation k + 1
 *
 *   κ u[0](k) φ is added in the section, −κ u[1](k) φ in the cells behind.
 *
 * u[1] = h * u[0], h the response of the endless chain. Its generating function
 * is a root of H + 1/H = ((1 + m) − (2 − 2δ′ − M)x + (1 − m)x²)/(δ′x), from
 * which a recurrence of four terms follows. So nothing goes back, whatever the
 * signal: not only for one frequency, and not only after some time. */
#ifndef HAMON_WAVE_MODE_H
#define HAMON_WAVE_MODE_H

#include "wave/medium.h"

struct wave;
struct mode_source;

/* Of a medium whose settings wave_source_check has passed. Release with
 * mode_source_release. */
enum status mode_source_new(const struct medium *medium,
                            struct mode_source **source, struct error *error);
void mode_source_release(struct mode_source *source);

/* What is added at ages 1, 2, … over φ, in the cells behind the section (0) and
 * in it (1); and φ by cell along an axis across, 0 or in 3D 1. */
const double *mode_source_levels(const struct mode_source *source, int section);
const double *mode_source_shape(const struct mode_source *source, int across);

/* Both cross-sections, in the medium's grid. */
struct box mode_source_box(const struct medium *medium);

/* Adds to the newest generation. */
void mode_source_add(struct wave *wave);

#endif
