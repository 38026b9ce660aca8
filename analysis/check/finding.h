/* SPDX-License-Identifier: MIT */
/* The result of one check of a recording: its largest error, the bound of that
 * error, its position, and the number of values tested. */
#ifndef HAMON_ANALYSIS_CHECK_FINDING_H
#define HAMON_ANALYSIS_CHECK_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The agent number of the target. */
enum { SPOT_TARGET = -2 };

/* A position in a recording. Unused members are −1. */
struct spot {
    int wave, agent;
    int64_t step, cell;
};

enum { FINDING_WHY_SIZE = 160 };

struct finding {
    const char *name;
    int64_t looked, skipped, wrong; /* values */
    double error, bound;            /* of the spot with the largest error/bound;
                                     * by error if the bound is 0 */
    struct spot spot;
    bool has_spot;
    /* Of the wrong values those that are right by another rule; its words if
     * all of them are, else NULL. */
    int64_t other;
    const char *rule;
    char why[FINDING_WHY_SIZE]; /* why no value was tested, or not all */
};

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIP };

/* FAIL with a wrong value, SKIP if no value was tested, else PASS. */
enum verdict finding_verdict(const struct finding *finding);

/* Compares `recorded` with `expected` bit for bit: the sign of a zero counts.
 */
void finding_exact(struct finding *finding, double recorded, double expected,
                   const struct spot *spot);

/* Counts a value that is not the expected one, though both may be equal as
 * double. */
void finding_differs(struct finding *finding, double recorded, double expected,
                     const struct spot *spot);

/* The same as finding_exact for each of `values` > 0 values that are equal to
 * the expected ones; `spot` is the first one's. */
void finding_equal(struct finding *finding, size_t values,
                   const struct spot *spot);

/* Compares an error with its bound. A NaN is wrong. */
void finding_within(struct finding *finding, double error, double bound,
                    const struct spot *spot);

/* Notes why values were left out; the first reason is kept. */
void finding_skip(struct finding *finding, int64_t values, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

/* Tests a condition at a position. */
void finding_test(struct finding *finding, bool good, const struct spot *spot);

/* Tests a condition without a position: `what` describes the fault if it is
 * false. */
void finding_expect(struct finding *finding, bool same, const char *what);

#endif
