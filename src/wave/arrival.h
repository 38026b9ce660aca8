/* SPDX-License-Identifier: MIT */
/* When a wave counts as arrived, and which way it then points.
 *
 * A detector is a const row of `detectors` with a name and a function
 * (arrival.c), a heading rule a name beside its enum, applied in
 * arrival_watch.c. A is the source's amplitude, k the wave's age in generations
 * at the tested one. */
#ifndef HAMON_WAVE_ARRIVAL_H
#define HAMON_WAVE_ARRIVAL_H

#include "world/grid.h"

#include <stdbool.h>
#include <stdint.h>

#define ARRIVAL_THRESHOLD 1e-5
#define ARRIVAL_CAP 1e-4
#define ARRIVAL_BETA 0.3
#define ARRIVAL_P 1.0
#define ARRIVAL_ETA 0.01

struct detector;

enum heading_rule {
    HEADING_SIGNED, /* sign(z)·∇z */
    HEADING_PAPER,  /* +∇z */
    HEADING_FLUX,   /* against the energy that flows past after the arrival */
    HEADING_ARRIVAL_TIME, /* −∇T of the first-arrival field, or of laplace's
                             mean time */
};
extern const char *const heading_rule_names[]; /* ends with NULL */

struct arrival_settings {
    const struct detector *detector;
    enum heading_rule heading;
    double threshold; /* θ: threshold holds at |z| ≥ θA */
    double cap, beta; /* capped-exponential: |z| ≥ A·min(cap, e^(−βk)) */
    double p, eta;    /* laplace, laplace-front */
    int range;        /* laplace-front: bits, 0: by the walls */
    /* A wave older than the last one reacted to is no arrival any more. */
    bool ignore_older;
};

/* The constants above with `threshold` and `paper`. */
extern const struct arrival_settings arrival_defaults;

/* `direction` at length 1, whatever its scale; false, and `heading` all 0,
 * where it is zero or not finite: that is no heading. */
bool heading_unit(const double direction[GRID_AXES], double heading[GRID_AXES]);

/* What a detector looks at in one cell. */
struct detector_sample {
    double now, before; /* z[k] and z[k−1] */
    double earlier;     /* z[k−2] */
    double amplitude;   /* A > 0 */
    int64_t age;        /* k ≥ 1 */
};

struct detector {
    const char *name;
    /* Does the wave arrive with this sample? Never with a NaN. A detector with
     * a field of its own (laplace) has no such test of the plain amplitude:
     * NULL. */
    bool (*holds)(const struct arrival_settings *settings,
                  const struct detector_sample *sample);
    /* Where `holds` is no more than z[k] ≠ 0 and |z[k]| ≥ level: that level at
     * age k, so that a pass over a grid asks once a generation. Else NULL. */
    double (*level)(const struct arrival_settings *settings, double amplitude,
                    int64_t age);
};

/* threshold, capped-exponential, leading-edge, first-peak, laplace,
 * laplace-front; NULL. */
extern const struct detector *const detectors[];

/* The row without a test of z, and the test it has instead, of the sum U and
 * the newest term y (src/wave/laplace.h), both in one unit: U > 0 and
 * |y| ≤ ηU, all that is to come weighs little against what has. */
extern const struct detector detector_laplace;

/* The same by a wave of its own, which is kept where its sum is still open
 * (src/wave/laplace_front.h). */
extern const struct detector detector_laplace_front;

/* One of these two. */
static inline bool detector_sums(const struct detector *detector)
{
    return detector == &detector_laplace || detector == &detector_laplace_front;
}
bool laplace_holds(double sum, double y, double eta);

/* The detector of this name, or NULL. */
const struct detector *detector_find(const char *name);

#endif
