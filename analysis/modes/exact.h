/* SPDX-License-Identifier: MIT */
/* What a part of a map does to waves of one frequency, without a run. There
 *
 *   Σ (u[neighbour] − u) + 4 sin²(ω/2)/δ u = 0    in each cell of the part,
 *
 * with the rules of wave/wave.h at walls and mirrors. A port's corridor is
 * endless: beyond its cross-section u is, with e^(−iωt),
 *
 *   Σ φₚ (aₚ e^(−ikₚ) + bₚ e^(ikₚ)),   φₚ·u = aₚ + bₚ there,
 *
 * a what comes in, b what goes out; sin²(ω/2) = δ(sin²(kₚ/2) + s), and below a
 * cutoff bₚ alone, which decays outwards. The linear system is solved by
 * LAPACK's zgbsv: cells are numbered from the ports on, so that its band is
 * about as wide as the corridors together. */
#ifndef HAMON_ANALYSIS_MODES_EXACT_H
#define HAMON_ANALYSIS_MODES_EXACT_H

#include "analysis/modes/ports.h"

#include <complex.h>

/* Can this build compute it? */
enum status exact_check(struct error *error);

/* The number of modes of all ports, those of the first port first. */
size_t ports_channels(const struct ports *ports);

/* e^(ik) of a mode at a frequency: of magnitude 1 if it travels, then *power =
 * sin k; else less, and *power = 0. */
double complex mode_step(const struct mode_law *law, double frequency,
                         double *power);

/* The scattering matrix at a frequency, (to, from) of all channels:
 * b[to] √sin k[to] = Σ matrix a[from] √sin k[from], 0 where one does not
 * travel. STATUS_FAILED if the system has no solution or is too large. */
enum status exact_matrix(const struct ports *ports, double frequency,
                         double complex *matrix, struct error *error);

#endif
