/* SPDX-License-Identifier: MIT */
/* The rows of a recording that a command line asks for. */
#ifndef HAMON_TOOLS_FRAMES_H
#define HAMON_TOOLS_FRAMES_H

#include "range.h"
#include "recording/recording.h"

#include <stddef.h>

struct frames {
    int64_t *rows;
    size_t count;
    int64_t absent; /* steps that were asked for and are not recorded */
};

/* The recorded rows that the range of steps holds; where none is given, all
 * or (last) the last. One step alone must be there. Release with
 * frames_release. */
enum status frames_choose(const struct recording *recording,
                          const struct place_range *steps, bool last,
                          struct frames *frames, struct error *error);
void frames_release(struct frames *frames);

#endif
