/* SPDX-License-Identifier: MIT */
/* Ranges of a command line: `N`, `A:B`, `A:STEP:B` (both ends included), and
 * places in a recording: `step=50:50:600,z=3`. */
#ifndef HAMON_TOOLS_RANGE_H
#define HAMON_TOOLS_RANGE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct range {
    int64_t first, step, last; /* step ≥ 1, first ≤ last */
};

/* `what` heads the message of a fault ("--at step"). */
enum status range_parse(const char *text, const char *what, struct range *range,
                        struct error *error);

static inline bool range_holds(const struct range *range, int64_t value)
{
    return value >= range->first && value <= range->last &&
           (value - range->first) % range->step == 0;
}

/* One word of --at: a key ("step", "x", "y", "z") and its range. */
struct place_range {
    bool given;
    struct range range;
};

enum { AT_STEP, AT_X, AT_Y, AT_Z, AT_KEYS };

/* Reads `step=…,z=…` into places[AT_KEYS]; keys given before stay. */
enum status at_parse(const char *text, struct place_range places[AT_KEYS],
                     struct error *error);

#endif
