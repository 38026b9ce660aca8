/* SPDX-License-Identifier: MIT */
/* A chase steers the agents of one method or of several, or the target. Each is
 * a const chase_kind in a file of its own; agent_methods has the kind of each
 * method, and pursuit.c calls all of them at each step. */
#ifndef HAMON_PURSUIT_CHASE_H
#define HAMON_PURSUIT_CHASE_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "wave/arrival/arrival.h"
#include "wave/wave.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

struct chase_kind;

/* Agents, target, terrain and settings. Borrowed; must exist longer than the
 * chase. */
struct chase_view {
    struct agents *agents;
    struct target *target;
    const struct terrain *terrain;
    const struct pursuit_settings *settings;
    const struct wave_settings *wave;
    const struct arrival_settings *arrival;
    unsigned mirror; /* mirrors the order of moves: passages_new_mirrored */
    /* Set by pursuit_chase_new: */
    const struct chase_kind *kind;
    const struct method *const *methods; /* agent_methods */
    size_t count;                        /* of its agents, see chase_steers */
};

/* The functions get a struct of `size` bytes whose first member is its
 * chase_view, called `view`. All but move may be NULL. */
struct chase_kind {
    size_t size;
    /* Is it needed? If NULL: if it has agents. */
    bool (*needed)(const struct chase_view *view);
    /* Fills the rest, which is 0. If it fails, release is called too, which
     * frees the members, not the struct. */
    enum status (*init)(void *chase, struct error *error);
    void (*release)(void *chase);
    /* The terrain changed inside `box`. */
    enum status (*update)(void *chase, const struct box *box,
                          struct error *error);
    /* Makes the next plan that is due at `step` and not made yet; false if none
     * is left. */
    bool (*plan)(void *chase, int64_t step, struct agent_plan *plan);
    /* Moves its agents that have not captured, or the target, one step. */
    void (*move)(void *chase);
    /* For a restart, at a step whose plans are all made or not begun. */
    void (*state)(void *chase, struct state *state);
};

extern const struct chase_kind lee_chase, route_chase, pincer_chase,
    wave_pincer_chase, relay_walk, evasion;

/* In the order of their plans, and of their moves; ends with NULL
 * (methods.c). */
enum { CHASE_KINDS_MOST = 16 };
extern const struct chase_kind *const chase_kinds[CHASE_KINDS_MOST + 1];

/* *chase is NULL if it is not needed. Release with pursuit_chase_release. */
enum status pursuit_chase_new(const struct chase_kind *kind,
                              const struct chase_view *view, void **chase,
                              struct error *error);
void pursuit_chase_release(void *chase);

/* Is it an agent of a method of this kind? */
static inline bool chase_steers(const struct chase_view *view, size_t agent)
{
    return view->methods[view->agents->settings[agent]->method]->chase ==
           view->kind;
}

#endif
