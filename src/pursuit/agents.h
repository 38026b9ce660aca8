/* SPDX-License-Identifier: MIT */
/* The agents and the target of a run: where they are and which way they go. */
#ifndef HAMON_PURSUIT_AGENTS_H
#define HAMON_PURSUIT_AGENTS_H

#include "base/random.h"
#include "base/status.h"
#include "pursuit/motion.h"
#include "pursuit/settings.h"
#include "world/split.h"
#include "world/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wave_settings;
struct arrival_settings;

/* Arrays of `count` items, an agent each, in the order of the scenario. */
struct agents {
    size_t count;
    uint64_t seed; /* of their random choices, each agent's a stream's own */
    const struct agent_settings **settings; /* the entry each comes from */
    char **name;
    double *at[GRID_AXES];      /* cells */
    double *heading[GRID_AXES]; /* unit vector, 0 before the first */
    int8_t *state;              /* enum agent_state of the recording */
};

enum { TARGET_HELD_MOST = 80 }; /* over any `held` */

struct target {
    const struct target_settings *settings; /* NULL: there is no target */
    double at[GRID_AXES], heading[GRID_AXES];
    int64_t cell;         /* that it is in, by motion_cell_after */
    int64_t held;         /* random: steps that the heading still holds */
    size_t waypoint;      /* waypoints: the next one */
    struct leg leg;       /* waypoints: the way to it */
    struct random random; /* of its walk, or of its evading */
};

/* Who pursues whom, where and by which settings: what the methods that plan
 * paths look at. Borrowed, and must outlive them. */
struct chase_view {
    struct agents *agents;
    struct target *target;
    const struct terrain *terrain;
    const struct pursuit_settings *settings;
    const struct wave_settings *wave; /* these two for METHOD_WAVE_PINCER */
    const struct arrival_settings *arrival;
    unsigned mirror; /* of the order of moves: passages_new_mirrored */
};

/* A wave, or Lee's front, came to an agent and gave it a heading. */
struct agent_arrival {
    int agent, wave;
    int64_t step;
    double amplitude; /* z; steps from the source for Lee's front; 0: lost */
    double gradient[GRID_AXES], heading[GRID_AXES];
    bool lost; /* to underflow: it came, too faint for the precision */
};

/* A search made for an agent. */
struct agent_plan {
    int agent;
    int64_t step, expansions, nanoseconds;
    const int32_t *path; /* cells, valid until the next plan */
    size_t path_cells;   /* 0: there is no path */
};

/* What came in one step; room for every agent and wave, made beforehand. */
struct agent_arrivals {
    struct agent_arrival *items;
    size_t count;
};

/* Agents for the entries, all waiting, none placed. Borrows the entries. */
enum status agents_init(struct agents *agents,
                        const struct agent_settings *entries, size_t count,
                        struct error *error);
void agents_release(struct agents *agents);

/* Where an agent stands. */
static inline void agents_place(const struct agents *agents, size_t agent,
                                double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = agents->at[axis][agent];
}

/* Is its cell one of the share's own? */
bool agents_are_in(const struct agents *agents, size_t agent,
                   const struct share *share);

/* What moves, for a restart. */
void agents_state(struct agents *agents, struct target *target,
                  const struct grid *grid, struct state *state);

#endif
