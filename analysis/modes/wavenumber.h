/* SPDX-License-Identifier: MIT */
/* Frequency and wave number of a mode, from its amplitude a(x, t) on one side
 * of the source. With Hann's window about the emission, w(t) = cos²(πt/2T),
 *
 *   Â(x) = Σ w(t) a(x, t) e^(−iωt),  B̂(x) the same of ½(a(x, t+1) + a(x,
 *   t−1)),
 *
 *   cos ω̄ = Re Σ Â*(x) B̂(x) / Σ |Â(x)|²,
 *   cos k̄ = Re Σ Â*(x) ½(Â(x+1) + Â(x−1)) / Σ |Â(x)|².
 *
 * ω̄ is the mean frequency of the part that the window passes near ω, and k̄
 * its mean wave number; echoes from the corridor's ends have the same k and do
 * not affect the result. Below the cutoff cos k̄ = cosh κ > 1. */
#ifndef HAMON_ANALYSIS_MODES_WAVENUMBER_H
#define HAMON_ANALYSIS_MODES_WAVENUMBER_H

#include "analysis/modes/series.h"

/* The measured cells along the corridor: from … to, both inside it with a
 * neighbour on either side, through which the wave only passes. */
struct span {
    int from, to; /* of the corridor's cells, from 0 */
    int source;   /* the source's; outside the corridor the nearer end */
    bool timed;   /* it is in the corridor and emits all frequencies at once */
    int way;      /* +1: away from the source is towards higher cells; −1 */
};

enum { SPAN_LEAST = 16, STEPS_LEAST = 64 };

/* Chooses the longer side of the source. STATUS_INPUT if fewer than SPAN_LEAST
 * cells or STEPS_LEAST steps remain. */
enum status span_choose(const struct corridor_field *field, struct span *span,
                        struct error *error);

struct mode_point {
    double frequency; /* ω̄, radians a step */
    double cosine;    /* cos k̄ */
};

/* Of a(steps, length) near the frequency; `amplitude` (length) gets |Â(x)|, or
 * is NULL. NaN if there is no amplitude. */
struct mode_point mode_point_measure(const double *a, int64_t steps, int length,
                                     const struct span *span, double frequency,
                                     double *amplitude);

/* ---- measurements of a mode ---- */

enum { MODE_POINTS = 24 }; /* at which the law has k = π/25 … 24π/25 */

struct mode_measured {
    struct mode_law law;
    double energy; /* its fraction of the field's */
    /* At each point ω̄ and k̄; between neighbours, at their mean k̄, the group
     * speed (ω̄[i+1] − ω̄[i])/(k̄[i+1] − k̄[i]). */
    double frequency[MODE_POINTS], wave_number[MODE_POINTS];
    double cutoff; /* ω̄ at which cos k̄ is 1 */
    /* The largest group speed by the law, and that measured at its k. */
    double fastest, fastest_law;
    double decay, decay_law; /* κ at .8 of the cutoff */
    double *amplitude;       /* (length): |Â(x)| there; owned */
    /* At the station: the first generation with half of the largest amplitude
     * there, and the one at which the fastest waves arrive by the law (NaN: the
     * source does not emit them all at once, or is outside). */
    double arrival, arrival_law;
};

/* The far station's distance from the source: 3/4 of the distance to the
 * end. */
int span_station(const struct span *span);

/* Values that cannot be measured are NaN: all of them, if a mode has less than
 * 1e-12 of the energy; the cutoff and the decay of the mode without a cutoff; a
 * decay whose amplitude is too small in the span, or at .8 of the cutoff.
 * Release with mode_measured_release. */
void mode_measure(const struct mode_series *series, int mode,
                  const struct span *span, struct mode_measured *measured);
void mode_measured_release(struct mode_measured *measured);

/* The group speed between the points i and i + 1; their mean wave number and
 * frequency. */
double mode_measured_speed(const struct mode_measured *measured, int i,
                           double *wave_number, double *frequency);

#endif
