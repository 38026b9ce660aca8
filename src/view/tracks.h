/* SPDX-License-Identifier: MIT */
/* The positions of agents and target at each recorded row. */
#ifndef HAMON_VIEW_TRACKS_H
#define HAMON_VIEW_TRACKS_H

#include "recording/read/recording.h"

#include <stdint.h>

enum { TRACK_NAME_SIZE = 64 };

struct track {
    char name[TRACK_NAME_SIZE];
    int number;                 /* of the agent; −1: the target */
    double *at[GRID_AXES];      /* (rows); z is 0 in 2D */
    double *heading[GRID_AXES]; /* (rows); the same shape */
    int8_t *state;              /* (rows): enum agent_state; of the target 0 */
};

struct tracks {
    int64_t rows;
    struct track *track; /* agents in their order, the target last */
    size_t count;
};

/* The number of agents that were recorded. */
size_t tracks_agents(const struct recording *recording);

/* Reads rows 0 … rows − 1 of the agents called `names` (count 0: of all) and of
 * the target. STATUS_INPUT, with a list of the agents, if one does not exist. A
 * recording without agents and target gives no track. Release with
 * tracks_release, after a failure too. */
enum status tracks_read(const struct recording *recording, int64_t rows,
                        const char *const *names, size_t name_count,
                        struct tracks *tracks, struct error *error);
void tracks_release(struct tracks *tracks);

#endif
