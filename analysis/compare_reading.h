/* SPDX-License-Identifier: MIT */
/* A recording on its way into outcomes, an agent each. */
#ifndef HAMON_ANALYSIS_COMPARE_READING_H
#define HAMON_ANALYSIS_COMPARE_READING_H

#include "compare_outcome.h"
#include "world/terrain.h"

#include <stdbool.h>

struct reading {
    const struct recording *recording;
    size_t agents;
    struct outcome *outcome;   /* (agents) */
    double *before[GRID_AXES]; /* (agents): positions a row ago */
    double *now[GRID_AXES];
    double *heading[GRID_AXES]; /* (agents): the last one that counts */
    double *turned[GRID_AXES];  /* (agents): this row's */
    double *start[GRID_AXES];   /* (agents): positions at row 0 */
    double target[GRID_AXES];   /* the target's at row 0 */
    bool has_target;
};

static inline int reading_axes(const struct reading *reading)
{
    return grid_axes(recording_grid(reading->recording));
}

/* Measures the ways from start to start through the terrain's walls: exact ones
 * in 2D; in 3D, where these are out of reach, by fast-marching-fine. */
enum status reading_ways(struct reading *reading, const struct terrain *terrain,
                         struct error *error);

/* Takes what the tables tell: captures, arrivals, plans. */
enum status reading_tables(struct reading *reading, struct error *error);

#endif
