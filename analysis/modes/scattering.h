/* SPDX-License-Identifier: MIT */
/* What a recorded wave does at a bend or a junction: the power that leaves a
 * part of the map through each port, in each mode, beside the exact values for
 * the same waves coming in. */
#ifndef HAMON_ANALYSIS_MODES_SCATTERING_H
#define HAMON_ANALYSIS_MODES_SCATTERING_H

#include "analysis/modes/exact.h"
#include "analysis/modes/field.h"

/* A mode of a port. */
struct channel {
    size_t port, mode;
};

/* Measured from the mode's amplitudes z at a port's cross-section and the next
 * one outwards, of which the parts coming in and going out are
 *
 *   a = (Z₀ e^(ik) − Z₁)/(2i sin k),   b = (Z₁ − Z₀ e^(−ik))/(2i sin k),
 *   Z = Σ w(t) (z(t + 1) − z(t)) e^(iωt),
 *
 * with w(t) 1 in the first half of the steps, then falling to 0 as cos². The
 * lattice's recursion has no other solutions, and what a and b are at all
 * frequencies is exact when the wave has gone. Amplitudes here are a√sin k and
 * b√sin k: their squares are powers.
 *
 * The steps end where waves could come back through a port that no wave is to
 * come in by: its corridor's length there and back, at speed √δ, after the
 * first wave. At each frequency there are values for ω − h, ω and ω + h, from
 * which group delays are computed. */
enum { SCATTERING_PLACES = 3 };

struct scattering {
    struct ports ports;
    size_t channels;
    struct channel *channel; /* (channels) */
    int64_t steps;           /* of the transform; 0: nothing is measured */
    int back;                /* the port that limits them; −1: none */
    size_t count;            /* of frequencies */
    bool listed;             /* by the user */
    double *frequency;
    /* (count, SCATTERING_PLACES, channels): what comes in, of the recorded wave
     * or else the first port's first mode that travels; what goes out, measured
     * and by the matrix */
    double complex *in, *out, *exact;
    double complex *matrix; /* (count, channels, channels), at ω */
    /* (count): is the result the same with half of the steps, and does nothing
     * else come in: by other ports, or of modes that decay, from a source near
     * to the port? */
    bool *settled;
};

/* Takes over the ports. `frequencies`: (count), copied. STATUS_INPUT if a
 * port's cells are outside the recorded region, or if a cell between the ports
 * has another speed. Release with scattering_release, after a failure too. */
enum status scattering_make(const struct corridor_field *field,
                            struct ports *ports, const double *frequencies,
                            size_t count, struct scattering *scattering,
                            struct error *error);
void scattering_release(struct scattering *scattering);

const struct port *scattering_port(const struct scattering *scattering,
                                   size_t channel);

/* Does the channel's mode travel at a frequency? */
bool scattering_travels(const struct scattering *scattering, size_t channel,
                        double frequency);

/* The power that goes out in a channel over all that comes in; NaN: not
 * measured. */
double scattering_share(const struct scattering *scattering, size_t i,
                        size_t channel, bool exact);

/* The delay of a channel's wave against what comes in, dφ/dω in steps: from the
 * first port's cross-section to that of the channel. NaN: not measured, no
 * power, or several modes come in. */
double scattering_delay(const struct scattering *scattering, size_t i,
                        size_t channel, bool exact);

#endif
