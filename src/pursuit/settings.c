/* SPDX-License-Identifier: MIT */
#include "pursuit/settings.h"

const char *const agent_method_names[] = {
    [METHOD_WAVE] = "wave",
    [METHOD_LEE] = "lee",
    [METHOD_DIJKSTRA] = "dijkstra",
    [METHOD_ASTAR] = "astar",
    [METHOD_FAST_MARCHING] = "fast-marching",
    [METHOD_DSTAR_LITE] = "dstar-lite",
    [METHOD_PINCER] = "pincer",
    [METHOD_RELAY] = "relay",
    [METHOD_RELAY_COMPLETE] = "relay-complete",
    [METHOD_WAVE_PINCER] = "wave-pincer",
    NULL,
};

const char *const steering_rule_names[] = {
    [STEERING_EMISSION] = "emission",
    [STEERING_EVERY_STEP] = "every-step",
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
