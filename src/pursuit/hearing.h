/* SPDX-License-Identifier: MIT */
/* What agents receive of one wave: its newest generation, and beside it what
 * the detector keeps of the past. All agents share it; an agent costs a look at
 * the cells round it. */
#ifndef HAMON_PURSUIT_HEARING_H
#define HAMON_PURSUIT_HEARING_H

#include "base/status.h"
#include "base/team.h"
#include "wave/arrival/detector.h"
#include "wave/arrival/watch.h"

#include <stdbool.h>
#include <stdint.h>

/* What all hearings of a run have in common. */
struct hearing_rules {
    const struct terrain *terrain;
    const struct wave_settings *wave;
    struct arrival_rules arrival;
    struct team *team;
    /* The terrain's place in the world, and what joins it to the rest (NULL: it
     * is all). Positions are in the terrain's coordinates, sources' cells are
     * the world's. */
    struct share share;
    struct halo *halo;
    bool potential; /* keep what detection_potential needs */
};

struct hearing_rules hearing_rules_of(const struct terrain *terrain,
                                      const struct wave_settings *wave,
                                      const struct arrival_settings *arrival,
                                      struct team *team);

struct hearing {
    const struct hearing_rules *rules;
    const struct wave *wave;
    struct detection *detection; /* what the detector keeps of it */
    double source[GRID_AXES];    /* where the wave started */
    /* Of the newest generation: */
    int64_t age;
    struct amplitudes newest;
    /* Nodes below make an amplitude below the detection's level; 0: never. */
    double hush;
};

/* Borrows rules and wave. Release with hearing_release. */
enum status hearing_init(struct hearing *hearing,
                         const struct hearing_rules *rules,
                         const struct wave *wave, struct error *error);
void hearing_release(struct hearing *hearing);

/* The wave was just emitted from `cell`. */
void hearing_begin(struct hearing *hearing, size_t cell);

/* The wave went a generation on, to `step`. */
void hearing_advance(struct hearing *hearing, int64_t step);

/* Somebody will listen to this generation: hearing_find_loud and hearing_look
 * need it. One that nobody hears need not be computed. */
void hearing_open(struct hearing *hearing);

/* The walls are about to change; they changed inside `box`. */
void hearing_catch_up(struct hearing *hearing);
void hearing_update(struct hearing *hearing, const struct box *box);

/* The earliest age at which a listener at `at`, no faster than `speed`, can
 * hear anything of the wave; 0 where it can at once. */
double hearing_begins(const struct hearing *hearing, const double at[GRID_AXES],
                      double speed);

/* The first of the nodes round each of the positions (count), inside the map:
 * its place among the newest amplitudes, the same in all waves. */
void hearing_place(const struct hearing *hearing, double *const at[GRID_AXES],
                   size_t count, ptrdiff_t *node);

/* Which of the listeners who[] (count) may have news of this generation? Fills
 * loud (room for count) with them in their order and returns how many; for the
 * others it is certain that there are none. node: (agents) as of hearing_place;
 * watches: (agents). */
size_t hearing_find_loud(const struct hearing *hearing, const ptrdiff_t *node,
                         double *const at[GRID_AXES],
                         const struct arrival_watch *watches,
                         const int32_t *who, size_t count, int32_t *loud);

/* What the watch at `at` is fed with; with the restart on arrival one at the
 * nearest cell's centre, as in Kumagai 2024. The gradient costs more than the
 * amplitude; it stays 0 where the wave is below the level. */
void hearing_look(const struct hearing *hearing, const double at[GRID_AXES],
                  const struct arrival_watch *watch, struct arrival_look *look);

/* For a restart. */
void hearing_state(struct hearing *hearing, struct state *state);

#endif
