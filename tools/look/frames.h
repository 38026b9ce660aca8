/* SPDX-License-Identifier: MIT */
/* The rows of a recording that a command line asks for. */
#ifndef HAMON_TOOLS_LOOK_FRAMES_H
#define HAMON_TOOLS_LOOK_FRAMES_H

#include "cli/range.h"
#include "recording/read/recording.h"

#include <stddef.h>

struct frames {
    int64_t *rows;
    size_t count;
    /* Steps that were named and are not recorded; one of several ranges
     * counts once for each. */
    int64_t absent;
};

/* The recorded rows that any of the ranges of steps holds, each once and in the
 * order of steps, or all where none is given; of them every N-th, with `every`
 * 0 all, but the last where no range is given. Of each range one row at least
 * must be there. Release with frames_release. */
enum status frames_choose(const struct recording *recording,
                          const struct place_range *steps, int64_t every,
                          struct frames *frames, struct error *error);
void frames_release(struct frames *frames);

#endif
