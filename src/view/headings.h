/* SPDX-License-Identifier: MIT */
/* The headings that agents follow: what an agent at the centre of each cell
 * would have turned to by a step. They are in no frame; the waves are stepped
 * again.
 *
 * Where an agent of the run steers at every step (or, in a run without wave
 * agents, where that is what `pursuit.steering` says) they are those of the
 * choice among nodes (pursuit/node_heading.h), by what the newest emission that
 * had arrived there left by then. Else they are the detector's: as it was when
 * that emission arrived. */
#ifndef HAMON_VIEW_HEADINGS_H
#define HAMON_VIEW_HEADINGS_H

#include "recording/read/recording.h"

struct headings;

/* Of one wave, by the run's own detector and rule; at no step yet. Borrows the
 * recording. STATUS_INPUT if it has not what waves are stepped from. Release
 * with headings_release, NULL too. */
enum status headings_new(const struct recording *recording, int wave,
                         struct headings **headings, struct error *error);
void headings_release(struct headings *headings);

/* Goes to the step: a generation each for later ones, from the first emission
 * on for earlier ones. */
enum status headings_go_to(struct headings *headings, int64_t step,
                           struct error *error);

/* At a cell of the whole map: a unit vector, or all 0 where nothing has arrived
 * and in walls. */
void headings_at(const struct headings *headings, size_t cell,
                 double heading[GRID_AXES]);

#endif
