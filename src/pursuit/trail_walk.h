/* SPDX-License-Identifier: MIT */
/* Agents that steer at every step: in each cell that it enters, an agent
 * follows the newest emission that has arrived there (one from the same source
 * only when it is settled). It walks from node to node up the potential that
 * the emission left in the cells (pursuit/node_walk.h). */
#ifndef HAMON_PURSUIT_TRAIL_WALK_H
#define HAMON_PURSUIT_TRAIL_WALK_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "pursuit/node_walk.h"
#include "pursuit/trail.h"
#include "pursuit/waiting.h"
#include "world/split.h"
#include "world/state.h"

struct trail_walk_view {
    struct agents *agents;
    /* agents of this method that steer by nodes */
    enum agent_method method;
    /* This rank's part of the world, for the agents in its own block. */
    const struct terrain *terrain;
    const struct share *share; /* NULL: the terrain is the world */
    double sight;              /* R, cells */
    int waves;
};

/* An emission whose potential is there. */
struct trail_emission {
    int64_t emitted, source; /* its step, and the source's cell of the world */
    int wave;
    bool newest;                 /* of its wave */
    struct detection_sums terms; /* of the newest; row 0: they are not known */
};

struct trail_walk {
    struct trail_walk_view view;
    struct share share;
    struct trail_emission *emissions; /* in this step, the newest first */
    size_t emission_count;
    /* (waves): the agents that no emission can have reached yet; may be NULL */
    const struct waiting *waiting;
    struct trail *trails;    /* (waves); NULL: no agent walks by a trail */
    struct node_hold *holds; /* (agents), cells of the world */
    uint8_t *cornered;       /* node_mark_corners */
};

/* Does this agent walk by a trail? */
bool trail_walk_has(const struct trail_walk *walk, size_t agent);

/* Borrows the contents of the view. Next, before any other call, set each
 * wave's potential; not needed if no agent walks by a trail. Release with
 * trail_walk_release, a zeroed one too. */
enum status trail_walk_init(struct trail_walk *walk,
                            const struct trail_walk_view *view,
                            struct error *error);
enum status trail_walk_name(struct trail_walk *walk, int wave,
                            trail_potential *potential, trail_sums *sums,
                            const void *context, const struct fall *fall,
                            struct error *error);
void trail_walk_release(struct trail_walk *walk);

/* Does an agent in the own block follow the wave's emission before the last
 * one, which the next emission would replace? `cut_off`: (agents), those that
 * do not count. */
bool trail_walk_leads(const struct trail_walk *walk, int wave,
                      const uint8_t *cut_off);

/* Before a wave is emitted again; after it was emitted from a cell of the world
 * at `step`. */
void trail_walk_keep(struct trail_walk *walk, int wave);
void trail_walk_emitted(struct trail_walk *walk, int wave, size_t cell,
                        int64_t step);

/* The walls inside `box` changed. */
void trail_walk_update(struct trail_walk *walk, const struct box *box);

/* The walls changed somewhere in the world: a node may be hidden now. */
void trail_walk_look_anew(struct trail_walk *walk);

/* Moves each such agent in the own block one step. An agent stays in place if
 * it has nothing to follow yet, or at a source that no newer emission
 * replaces. */
void trail_walk_move(struct trail_walk *walk);

/* For a restart: the nodes that agents hold, and the potentials. */
void trail_walk_holds_state(struct trail_walk *walk, struct state *state);
void trail_walk_trail_state(struct trail_walk *walk, int wave,
                            struct state *state);

#endif
