/* SPDX-License-Identifier: MIT */
/* The rows of a recording that a command line selects. */
#ifndef HAMON_TOOLS_LOOK_FRAMES_H
#define HAMON_TOOLS_LOOK_FRAMES_H

#include "cli/range.h"
#include "recording/read/recording.h"

#include <stddef.h>

struct frames {
    /* the one that was given, or its whole run (recording_whole) */
    const struct recording *recording;
    int64_t *rows;
    size_t count;
    /* Steps that were given but not recorded; a step in several ranges counts
     * once for each. */
    int64_t absent;
};

/* The recorded rows in any of the ranges of steps, each once and in the order
 * of steps; all if no range is given. Of these every N-th; with `every` 0 all,
 * or only the last if no range is given. If a range up to the last step has no
 * recorded row, the rows are those of the whole run. Release with
 * frames_release. */
enum status frames_choose(const struct recording *recording,
                          const struct place_range *steps, int64_t every,
                          struct frames *frames, struct error *error);
void frames_release(struct frames *frames);

/* The recording that has these steps, up to its last: the given one, or its
 * whole run if that can be made. */
enum status frames_source(const struct recording *recording,
                          const int64_t *steps, size_t count,
                          const struct recording **source, struct error *error);

#endif
