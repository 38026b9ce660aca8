/* SPDX-License-Identifier: MIT */
/* The steps of a recording that show what happens in its run. */
#ifndef HAMON_VIEW_MOMENTS_H
#define HAMON_VIEW_MOMENTS_H

#include "view/events.h"

enum { MOMENTS_MOST = 6, MOMENT_REASON_SIZE = 120, MOMENT_NAMES = 3 };

struct moment {
    int64_t step; /* of a recorded row */
    int wave;     /* that the reason names, else emitted last; −1: none */
    bool named;   /* the reason is how this wave spreads */
    char reason[MOMENT_REASON_SIZE]; /* "first arrival (B, C)" */
};

/* Chooses up to `most` ≤ MOMENTS_MOST recorded steps, ascending; returns their
 * number, 0 only without rows or if `most` is 0.
 *
 * With agents: half of the time from its emission to the first arrival; the
 * first arrival, or the first start; halfway from there to what follows; a
 * later wave, halfway from its emission to what follows; the first and the last
 * capture, or the end without a capture; and if there is room, the first change
 * of the map. If no agent moves: equal distances from the first emission to the
 * end. A step that was not recorded is replaced by the next one that was. If
 * `most` is smaller, the first arrival and the last capture or end are kept
 * longest. Up to MOMENT_NAMES agents are named, more are counted. */
size_t moments_choose(const struct recording *recording,
                      const struct events *events, size_t most,
                      struct moment moments[MOMENTS_MOST]);

#endif
