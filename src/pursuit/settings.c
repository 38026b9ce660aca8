/* SPDX-License-Identifier: MIT */
#include "pursuit/settings.h"

const char *const steering_rule_names[] = {
    [STEERING_EMISSION] = "emission",
    [STEERING_EVERY_STEP] = "every-step",
    [STEERING_EVERY_CELL] = "every-cell",
    NULL,
};

const char *const target_motion_names[] = {
    [MOTION_STILL] = "still",
    [MOTION_RANDOM] = "random",
    [MOTION_WAYPOINTS] = "waypoints",
    [MOTION_EVADE] = "evade",
    [MOTION_FARTHEST_SAFE] = "farthest-safe",
    NULL,
};

const char *const stop_rule_names[] = {
    [STOP_ALL_CAPTURED] = "all-captured",
    [STOP_ANY_CAPTURED] = "any-captured",
    [STOP_NEVER] = "never",
    NULL,
};

const char *const measure_names[] = {
    [MEASURE_LENGTH] = "length",
    [MEASURE_STEPS] = "steps",
    NULL,
};

const char *const tie_rule_names[] = {
    [TIES_RANDOM] = "random",
    [TIES_FIXED] = "fixed",
    NULL,
};
