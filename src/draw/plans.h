/* SPDX-License-Identifier: MIT */
/* The paths that were planned in a run. */
#ifndef HAMON_DRAW_PLANS_H
#define HAMON_DRAW_PLANS_H

#include "recording/recording.h"

struct plans {
    int64_t count;
    double *agent, *step;    /* (count) */
    size_t *first;           /* (count + 1): where each path starts */
    double *cell[GRID_AXES]; /* path after path; NULL: z in 2D */
};

/* Reads all of them; none where the run made none. Release with plans_release,
 * after a failure too. */
enum status plans_read(const struct recording *recording, struct plans *plans,
                       struct error *error);
void plans_release(struct plans *plans);

/* The agent's last plan that was made at `step` or before, or −1. */
int64_t plans_find(const struct plans *plans, int agent, int64_t step);

#endif
