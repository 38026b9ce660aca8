/* SPDX-License-Identifier: MIT */
/* Ranges of a command line: `N`, `A:B`, `A:STEP:B` (both ends included), and
 * places in a recording: `step=50:50:600,z=3`. */
#ifndef HAMON_CLI_RANGE_H
#define HAMON_CLI_RANGE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct range {
    int64_t first, step, last; /* step ≥ 1, first ≤ last */
};

/* Error messages begin with `what` ("--at step"). */
enum status range_parse(const char *text, const char *what, struct range *range,
                        struct error *error);

static inline bool range_holds(const struct range *range, int64_t value)
{
    return value >= range->first && value <= range->last &&
           (value - range->first) % range->step == 0;
}

enum { AT_STEP, AT_X, AT_Y, AT_Z, AT_KEYS, AT_RANGES_MOST = 64 };

/* The ranges of --at for one key ("step", "x", "y", "z"): x, y and z have one
 * range at most, steps several. */
struct place_range {
    int count; /* 0: not given */
    struct range ranges[AT_RANGES_MOST];
};

/* Reads `step=…,z=…` into places[AT_KEYS], in addition to earlier ranges: more
 * steps are appended (`step=75,275` or step= again); any other key twice is an
 * error. */
enum status place_range_parse(const char *text,
                              struct place_range places[AT_KEYS],
                              struct error *error);

/* The single plane among the first `axes` of x, y and z: *axis is 0 for x, −1
 * if none is given. `fault` is the message for several planes. */
enum status place_range_plane(const struct place_range places[AT_KEYS],
                              int axes, const char *fault, int *axis,
                              int64_t *at, struct error *error);

#endif
