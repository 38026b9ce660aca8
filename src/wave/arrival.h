/* SPDX-License-Identifier: MIT */
/* When a wave counts as arrived, and which way it then points.
 *
 * A detector and a heading rule are const rows with a name; another one is a
 * file and a row. A is the source's amplitude, k the wave's age in generations
 * at the tested one. */
#ifndef HAMON_WAVE_ARRIVAL_H
#define HAMON_WAVE_ARRIVAL_H

#include <stdbool.h>
#include <stdint.h>

struct detector;

enum heading_rule {
    HEADING_SIGNED, /* sign(z)·∇z */
    HEADING_PAPER,  /* +∇z */
    HEADING_FLUX,
    HEADING_ARRIVAL_TIME,
};
extern const char *const heading_rule_names[]; /* ends with NULL */

struct arrival_settings {
    const struct detector *detector;
    enum heading_rule heading;
    double threshold; /* θ: threshold holds at |z| ≥ θA */
    double cap, beta; /* capped-exponential: |z| ≥ A·min(cap, e^(−βk)) */
    double p, eta;    /* laplace */
};

/* What a detector looks at in one cell. */
struct detector_sample {
    double now, before; /* z[k] and z[k−1] */
    double earlier;     /* z[k−2] */
    double amplitude;   /* A */
    int64_t age;        /* k ≥ 1 */
};

struct detector {
    const char *name;
    /* Does the wave arrive with this sample? A detector with a field of its
     * own (laplace) has no such test of the plain amplitude: NULL. */
    bool (*holds)(const struct arrival_settings *settings,
                  const struct detector_sample *sample);
};

extern const struct detector *const detectors[]; /* ends with NULL */

/* The detector of this name, or NULL. */
const struct detector *detector_find(const char *name);

#endif
