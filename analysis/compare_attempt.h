/* SPDX-License-Identifier: MIT */
/* One method's answer to one problem of a public file, and what it cost. */
#ifndef HAMON_ANALYSIS_COMPARE_ATTEMPT_H
#define HAMON_ANALYSIS_COMPARE_ATTEMPT_H

#include "base/status.h"
#include "search/problems.h"
#include "search/search.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

enum promise {
    PROMISE_NONE,    /* a path */
    PROMISE_OPTIMUM, /* the shortest, with the moves of the problems */
    PROMISE_AT_MOST, /* no longer than that: any angle is allowed */
};

struct attempt_method {
    const char *name; /* of the search, or "relay" */
    bool flat;        /* 2D only */
    bool spare;       /* only where it is asked for */
    bool any_angle;   /* its path is none of moves, and has no turns to count */
    enum promise promise;
};

extern const struct attempt_method
    attempt_methods[]; /* ends with a NULL name */

const struct attempt_method *attempt_method_find(const char *name);

struct attempt {
    enum search_outcome outcome;
    double length;     /* cells; INFINITY where no path was found */
    double expansions; /* NAN where there is no queue */
    double turns;      /* of the path; NAN where it is not made of moves */
    int64_t nanoseconds;
};

struct attempter;

/* Moves are 8 in 2D and 26 in 3D, by their lengths; relay goes by 4. Borrows
 * the terrain. Release with attempter_release. */
enum status attempter_new(const struct attempt_method *method,
                          const struct terrain *terrain,
                          struct attempter **attempter, struct error *error);
void attempter_release(struct attempter *attempter);

void attempter_try(struct attempter *attempter, const struct problem *problem,
                   struct attempt *attempt);

/* Bytes that it keeps from query to query. */
size_t attempter_memory(const struct attempter *attempter);

#endif
