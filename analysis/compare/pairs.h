/* SPDX-License-Identifier: MIT */
/* One method against another on the same problems and seeds: which is faster,
 * and with what certainty. */
#ifndef HAMON_ANALYSIS_COMPARE_PAIRS_H
#define HAMON_ANALYSIS_COMPARE_PAIRS_H

#include "analysis/compare/outcome.h"
#include "analysis/compare/table.h"

#include <stdio.h>

enum pairs_figure {
    PAIRS_COUNT,
    PAIRS_WINS,
    PAIRS_TIES,
    PAIRS_LOSSES,
    PAIRS_RECORDINGS,
    PAIRS_SHARE, /* (wins + ties/2)/pairs, and its interval or range */
    PAIRS_SHARE_LOW,
    PAIRS_SHARE_HIGH,
    PAIRS_SHARE_LEAST,
    PAIRS_SHARE_LARGEST,
    PAIRS_DIFFERENCE, /* of the restricted means, and the same */
    PAIRS_DIFFERENCE_LOW,
    PAIRS_DIFFERENCE_HIGH,
    PAIRS_DIFFERENCE_LEAST,
    PAIRS_DIFFERENCE_LARGEST,
    PAIRS_LIMIT,
    PAIRS_TESTED,
    PAIRS_P, /* Wilcoxon's */
    PAIRS_P_HOLM,
    PAIRS_FIGURES
};

/* A row for each method and group that has pairs with the reference: a method,
 * in the group with the same settings, or "METHOD, VALUE, …", one row of the
 * table of outcomes. Pairs are agents with the same problem, or teams if a
 * chase ends at the first capture; the bootstrap draws the pairs of a recording
 * together. STATUS_INPUT if there are none, or if one has several partners. */
enum status pairs_make(const struct outcomes *outcomes, const char *reference,
                       struct compared *table, struct error *error);

/* Describes the columns. */
void pairs_describe(FILE *out);

#endif
