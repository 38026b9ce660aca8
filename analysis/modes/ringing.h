/* SPDX-License-Identifier: MIT */
/* The resonances of a room or a dead end: frequencies and decay times measured
 * from recorded series, and those of the map's matrix.
 *
 * Near each exact resonance the series z(t + 1) − z(t) at the probes are
 * multiplied by e^(iωt), passed through a window as long as half of the steps
 * used, and taken at a few places: there they are sums of few powers of complex
 * numbers, one for each resonance that the window passes. These are the
 * eigenvalues of the matrix by which the series' own vectors shift by a place
 * (the matrix pencil, or ESPRIT; of all probes together). Exact values only
 * choose the windows, and the pole nearest to each. */
#ifndef HAMON_ANALYSIS_MODES_RINGING_H
#define HAMON_ANALYSIS_MODES_RINGING_H

#include "analysis/modes/exact.h"
#include "analysis/modes/field.h"

enum { RINGING_MOST = 64, RINGING_USUAL = 12, RINGING_PROBES = 16 };

struct ringing {
    struct ports ports;
    struct resonances resonances;
    bool closed;   /* nothing decays: no ports, no damping */
    int64_t start; /* the first step used, since the emission */
    size_t steps;
    size_t probes;
    int probe[RINGING_PROBES][GRID_AXES];
    double *series; /* (steps, probes) */
    /* (resonances.count): ω, with an imaginary part of minus the inverse of the
     * decay time; `measured`: NaN if no pole is nearest to it. */
    double complex *exact, *measured;
};

/* Takes over the ports: of the `most` lowest resonances of their part.
 * `probes`: "x,y", of which each is in the part, or none: then cells are chosen
 * in all of it. STATUS_INPUT if the source does not end, if too few steps
 * remain behind it, or if nothing rings. Release with ringing_release, after a
 * failure too. */
enum status ringing_make(const struct corridor_field *field,
                         struct ports *ports, size_t most,
                         const char *const *probes, size_t probe_count,
                         struct ringing *ringing, struct error *error);
void ringing_release(struct ringing *ringing);

/* The time in which an amplitude falls to 1/e; NaN if it is too long to be
 * measured in these steps. */
double ringing_decay(const struct ringing *ringing, double complex frequency);

/* The power of all series at a frequency, of a window that falls to 0 (of a
 * closed part from the middle to both ends). */
double ringing_power(const struct ringing *ringing, double frequency);

#endif
