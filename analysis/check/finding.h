/* SPDX-License-Identifier: MIT */
/* What one check of a recording found: its largest error, the bound of that
 * error, where it is, and how much was looked at. */
#ifndef HAMON_ANALYSIS_CHECK_FINDING_H
#define HAMON_ANALYSIS_CHECK_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where something was found. A part that means nothing there is −1. */
struct spot {
    int wave, agent;
    int64_t step, cell;
};

enum { FINDING_WHY_SIZE = 160 };

struct finding {
    const char *name;
    int64_t looked, skipped, wrong; /* values */
    double error, bound;            /* of the spot with the largest error/bound,
                                       by error where the bound is 0 */
    struct spot spot;
    bool has_spot;
    char why[FINDING_WHY_SIZE]; /* why nothing, or not all, was looked at */
};

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIP };

/* FAIL with a wrong value, SKIP where nothing was looked at, else PASS. */
enum verdict finding_verdict(const struct finding *finding);

/* Compares `recorded` with `expected` bit for bit: the sign of a zero counts.
 */
void finding_exact(struct finding *finding, double recorded, double expected,
                   const struct spot *spot);

/* Compares an error with its bound. A NaN is wrong. */
void finding_within(struct finding *finding, double error, double bound,
                    const struct spot *spot);

/* Notes why something was left out; the first reason stays. */
void finding_skip(struct finding *finding, int64_t values, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

/* Looks at what is so or is not, nowhere in particular: `what` is what is wrong
 * then. */
void finding_expect(struct finding *finding, bool same, const char *what);

#endif
