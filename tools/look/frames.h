/* SPDX-License-Identifier: MIT */
/* The rows of a recording that a command line selects. */
#ifndef HAMON_TOOLS_LOOK_FRAMES_H
#define HAMON_TOOLS_LOOK_FRAMES_H

#include "cli/range.h"
#include "recording/read/recording.h"

#include <stddef.h>

struct frames {
    int64_t *rows;
    size_t count;
    /* Steps that were given but not recorded; a step in several ranges counts
     * once for each. */
    int64_t absent;
};

/* The recorded rows in any of the ranges of steps, each once and in the order
 * of steps; all if no range is given. Of these every N-th; with `every` 0 all,
 * or only the last if no range is given. Each range must contain at least one
 * recorded row. Release with frames_release. */
enum status frames_choose(const struct recording *recording,
                          const struct place_range *steps, int64_t every,
                          struct frames *frames, struct error *error);
void frames_release(struct frames *frames);

#endif
