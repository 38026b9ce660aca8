/* SPDX-License-Identifier: MIT */
/* The headings that agents follow: the heading that an agent at the centre of
 * each cell would have at a step. They are not in the recording; the waves are
 * stepped again.
 *
 * If an agent of the run steers by nodes (or, in a run without wave agents, if
 * `pursuit.steering` is every-step or every-cell), the heading is that of the
 * choice among nodes (pursuit/node_heading.h), by the potential of the newest
 * emission that has arrived there. Else it is the detector's heading at the
 * arrival of that emission. */
#ifndef HAMON_VIEW_HEADINGS_H
#define HAMON_VIEW_HEADINGS_H

#include "recording/read/recording.h"

struct headings;

/* Headings of one wave, by the run's own detector and rule; at no step yet.
 * Borrows the recording. STATUS_INPUT if it lacks the data to step waves.
 * Release with headings_release, which also takes NULL. */
enum status headings_new(const struct recording *recording, int wave,
                         struct headings **headings, struct error *error);
void headings_release(struct headings *headings);

/* Goes to the step: for a later one by single generations, for an earlier one
 * from the first emission again. */
enum status headings_go_to(struct headings *headings, int64_t step,
                           struct error *error);

/* At a cell of the whole map: a unit vector, or all 0 in walls and if no wave
 * has arrived. */
void headings_at(const struct headings *headings, size_t cell,
                 double heading[GRID_AXES]);

#endif
