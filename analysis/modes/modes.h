/* SPDX-License-Identifier: MIT */
/* The guided modes of a corridor of w cells on the 5-point stencil, and the
 * law of each: sin²(ω/2) = δ(sin²(k/2) + s), s = sin²(q/2).
 *
 *   fixed walls   mode p = 1 … w      sin(qj),       q = pπ/(w + 1)
 *   free walls    mode p = 0 … w − 1  cos(q(j − ½)), q = pπ/w
 *
 * j = 1 … w counts the cells across. Modes are numbered here from 0 in the
 * order of their cutoffs; mode_name gives p. */
#ifndef HAMON_ANALYSIS_MODES_MODES_H
#define HAMON_ANALYSIS_MODES_MODES_H

#include <stdbool.h>

static const double pi = 3.14159265358979323846;

struct mode_law {
    double delta;
    double s; /* sin²(q/2); 4s is the eigenvalue of the transverse Laplacian */
};

struct mode_law mode_law(int mode, int width, bool fixed, double delta);

/* A mode of a duct in 3D, 7-point stencil: the product of a mode of each
 * transverse axis, with the terms of both: s = sin²(q/2) + sin²(q'/2). For a
 * corridor in 2D `up` is −1. */
struct mode {
    int across, up; /* modes of one axis, from 0 */
    struct mode_law law;
};

/* All of them in the order of their cutoffs; of equal ones the one that varies
 * less along the second axis comes first: modes[width], or for a duct [width ·
 * height]. `height` is 0 in 2D. */
void mode_list(int width, int height, bool fixed, double delta,
               struct mode *modes);

/* Its amplitude in the cells of the cross-section, (height, width). */
void mode_section(const struct mode *mode, int width, int height, bool fixed,
                  double *out);

/* p of the formulas above. */
static inline int mode_name(int mode, bool fixed)
{
    return fixed ? mode + 1 : mode;
}

/* Its amplitude in the cells across, out[width], Σ out² = 1. */
void mode_shape(int mode, int width, bool fixed, double *out);

/* ω at k, the frequency at k = 0 and at k = π, the group speed dω/dk at k (in
 * cells a step). */
double mode_frequency(const struct mode_law *law, double k);
double mode_cutoff(const struct mode_law *law);
double mode_top(const struct mode_law *law);
double mode_speed(const struct mode_law *law, double k);

/* The largest group speed, and the k at which it occurs: closed forms. */
double mode_fastest(const struct mode_law *law, double *k);

/* cos k at ω: above 1 below the cutoff, as cosh κ. */
double mode_cosine(const struct mode_law *law, double frequency);

#endif
