/* SPDX-License-Identifier: MIT */
/* The agents and the target of a run: positions and headings. */
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

/* Arrays of `count` items, one for each agent, in the order of the scenario. */
struct agents {
    size_t count;
    uint64_t seed; /* of their random choices; each agent has its own stream */
    const struct agent_settings **settings; /* each agent's entry */
    char **name;
    char **stream;              /* whose random numbers each agent has */
    double *at[GRID_AXES];      /* cells */
    double *heading[GRID_AXES]; /* unit vector, 0 before the first */
    int8_t *state;              /* enum agent_state of the recording */
};

enum { TARGET_HELD_MOST = 80 }; /* larger than any `held` */

struct target {
    const struct target_settings *settings; /* NULL: there is no target */
    double at[GRID_AXES], heading[GRID_AXES];
    int64_t cell;         /* the cell that it is in, see motion_cell_after */
    int64_t held;         /* random: remaining steps with this heading */
    size_t waypoint;      /* waypoints: the next one */
    struct leg leg;       /* waypoints: the straight path to it */
    struct random random; /* of its random walk, or of its evasion */
};

/* An arrival: a wave, or Lee's front, reached an agent and gave it a
 * heading. */
struct agent_arrival {
    int agent, wave;
    int64_t step;
    /* z; for Lee's front the steps from the source; 0: lost */
    double amplitude;
    double gradient[GRID_AXES], heading[GRID_AXES];
    bool lost; /* lost to underflow: below the precision when it arrived */
};

/* A search made for one agent. */
struct agent_plan {
    int agent;
    int64_t step, expansions, nanoseconds;
    const int32_t *path; /* cells, valid until the next plan */
    size_t path_cells;   /* 0: there is no path */
};

/* The arrivals of one step. Room for every agent and wave is allocated once. */
struct agent_arrivals {
    struct agent_arrival *items;
    size_t count;
};

/* The names of all agents: with count > 1 "name1", "name2", …; those of entries
 * without a name are agent1, agent2, … in order, without names that others
 * have. Release with agent_names_release. */
enum status agent_names_new(const struct agent_settings *entries, size_t count,
                            char ***names, struct error *error);
void agent_names_release(char **names, size_t count);

/* One agent for each of the entries' counts, all waiting, without positions.
 * Borrows the entries. */
enum status agents_init(struct agents *agents,
                        const struct agent_settings *entries, size_t count,
                        struct error *error);
void agents_release(struct agents *agents);

/* The position of an agent. */
static inline void agents_place(const struct agents *agents, size_t agent,
                                double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = agents->at[axis][agent];
}

/* Is the agent's cell one of the share's own cells? */
bool agents_are_in(const struct agents *agents, size_t agent,
                   const struct share *share);

/* What changes during a run, for a restart. */
void agents_state(struct agents *agents, struct target *target,
                  const struct grid *grid, struct state *state);

#endif
