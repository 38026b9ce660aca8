/* SPDX-License-Identifier: MIT */
/* Agents and target: their settings in the scenario. */
#ifndef HAMON_PURSUIT_SETTINGS_H
#define HAMON_PURSUIT_SETTINGS_H

#include "search/passages.h" /* enum measure */
#include "world/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum agent_method {
    METHOD_WAVE,
    METHOD_LEE,
    METHOD_DIJKSTRA,
    METHOD_ASTAR,
    METHOD_FAST_MARCHING,
    METHOD_DSTAR_LITE,
    METHOD_PINCER,
    METHOD_RELAY,
    METHOD_RELAY_COMPLETE,
    METHOD_WAVE_PINCER,
};

struct chase_kind;

/* A method: what it needs, and what steers its agents. */
struct method {
    const char *name;
    const struct chase_kind *chase; /* NULL: pursuit/wave_chase.h */
    /* Its agents react to emissions (arrivals are recorded); else they plan. */
    bool reacts;
    bool waves;     /* the run must have waves */
    bool own_waves; /* plans by waves of its own: no detector of another wave */
    bool wanders;   /* goal = "random" is allowed */
    bool flat;      /* 2D only */
    size_t nodes;   /* maximum number of nodes of a plan; 0: it is a path of
                     * cells */
};

/* In the order of the enum; each list ends with NULL (methods.c). */
extern const struct method *const agent_methods[];

/* The state of an agent, as stored in a recording. */
enum agent_state {
    AGENT_WAITING = 0, /* for its first heading */
    AGENT_MOVING = 1,
    AGENT_CAPTURED = 2, /* it has captured the target */
    AGENT_STUCK = 3,    /* its last step was blocked in all directions */
};

/* How agents of waves and of Lee's front steer: by the heading that each
 * emission gives them when it arrives; or by nodes of the potential that the
 * newest emission to reach their cell left in the cells (pursuit/node_walk.h),
 * which they look for at every step, or in every cell that they enter. */
enum steering_rule {
    STEERING_EMISSION,
    STEERING_EVERY_STEP,
    STEERING_EVERY_CELL
};
extern const char *const steering_rule_names[];

static inline bool steers_by_nodes(enum steering_rule rule)
{
    return rule != STEERING_EMISSION;
}

enum target_motion {
    MOTION_STILL,
    MOTION_RANDOM,
    MOTION_WAYPOINTS,
    MOTION_EVADE,
    MOTION_FARTHEST_SAFE,
};
extern const char *const target_motion_names[];

enum stop_rule { STOP_ALL_CAPTURED, STOP_ANY_CAPTURED, STOP_NEVER };
extern const char *const stop_rule_names[];

extern const char *const measure_names[];

enum tie_rule { TIES_RANDOM, TIES_FIXED };
extern const char *const tie_rule_names[];

/* A position, or a free cell drawn by the seed from which the target can be
 * reached (for the target: any free cell), at least min_distance from it. */
struct place {
    bool random;
    double at[GRID_AXES];
    double min_distance; /* cells */
};

/* One entry of `agents`: `count` agents of a kind. With count 1 the agent has
 * the entry's name; else name1, name2, … */
struct agent_settings {
    char *name; /* NULL: agent1, agent2, … (pursuit/agents.h) */
    bool has_name;
    int count;
    struct place place;
    enum agent_method method;
    double speed;     /* cells a step */
    bool goal_random; /* wanders to random goals, does not pursue */
    enum steering_rule steering;
    bool has_steering; /* else the pursuit's */
};

struct target_settings {
    struct place place;
    enum target_motion motion;
    double speed;      /* cells a step */
    double *waypoints; /* (waypoint_count, 3) */
    size_t waypoint_count;
};

struct pursuit_settings {
    double capture_radius; /* cells */
    enum steering_rule steering;
    double sight; /* R of steering at every step, cells */
    int moves;    /* 4, 8 in 2D; 6, 26 in 3D */
    enum measure measure;
    int64_t replan; /* steps between searches */
    enum tie_rule ties;
    enum stop_rule stop;
    int search_level; /* of the relay searches */
    double slow;      /* of wave-pincer: speed near others' paths, (0, 1] */
};

#endif
