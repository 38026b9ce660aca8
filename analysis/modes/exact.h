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

/* ---- resonances ---- */

/* Without a wave that comes in, the system has a solution only if 4 sin²(ω/2)/δ
 * is replaced by one of some complex values: the part's resonances. In a closed
 * part they are the eigenvalues of a real symmetric matrix; with ports they are
 * on the sheet on which modes that travel at their real part go out, and others
 * decrease outwards, and their imaginary parts are negative. */
struct resonance {
    double complex value;
    double complex *shape; /* (cells): u, Σ u² = 1; owned */
};

struct resonances {
    size_t count;
    struct resonance *list; /* by the real part of their values; owned */
    double searched;        /* all with a real part below are found */
};

/* The lowest resonances of a part, `most` at most, that decrease in a cycle by
 * less than e^(−π/2), so that |Im value| < Re value / 2. Those inside an
 * ellipse are found by integrals of solutions along it (Beyn, An integral
 * method for solving nonlinear eigenvalue problems, Linear Algebra and its
 * Applications 436, 2012), one ellipse after the other, and refined by inverse
 * iteration. STATUS_FAILED as exact_matrix. Release with resonances_release,
 * after a failure too. */
enum status exact_resonances(const struct ports *ports, size_t most,
                             struct resonances *resonances,
                             struct error *error);
void resonances_release(struct resonances *resonances);

/* The frequency of a wave e^(−iωt) with this value, by the scheme's law with
 * damping μΔt: (1 + m)e^(−iω) + (1 − m)e^(iω) = 2 − δ value, m = μΔt/2. Its
 * imaginary part is minus the inverse of the decay time. */
double complex resonance_frequency(double complex value, double delta,
                                   double damping);

#endif
