/* SPDX-License-Identifier: MIT */
/* One method against another on the same problems and seeds: which is faster,
 * and with what certainty. */
#ifndef HAMON_ANALYSIS_COMPARE_PAIRS_H
#define HAMON_ANALYSIS_COMPARE_PAIRS_H

#include "analysis/compare/outcome.h"
#include "analysis/compare/table.h"
#include "metrics/results.h"

#include <stdio.h>

/* A pair of one of the table's rows; the texts are those of the outcomes. */
struct paired_times {
    size_t row;
    struct who who; /* the first of the two: method and group */
    struct timed one, other;
};

struct paired_list {
    struct paired_times *items;
    size_t count, room;
};

/* A row for each method and group that has pairs with the reference: a method,
 * in the group with the same settings, or "METHOD, VALUE, …", one row of the
 * table of outcomes. Pairs are agents with the same problem, or teams if a
 * chase ends at the first capture; the bootstrap draws the pairs of a recording
 * together. `list` (NULL: not needed) takes the pairs; its items are the
 * caller's (memory_release). STATUS_INPUT if there are none, or if one has
 * several partners. */
enum status pairs_make(const struct outcomes *outcomes, const char *reference,
                       struct compared *table, struct paired_list *list,
                       struct error *error);

/* Describes the columns. */
void pairs_describe(FILE *out);

#endif
