/* SPDX-License-Identifier: MIT */
/* How agents detect one wave: its newest generation, and the state of the
 * detector from earlier ones. All agents share it; for each agent only the
 * cells round it are read. */
#ifndef HAMON_PURSUIT_HEARING_H
#define HAMON_PURSUIT_HEARING_H

#include "base/status.h"
#include "base/team.h"
#include "wave/arrival/detector.h"
#include "wave/arrival/watch.h"

#include <stdbool.h>
#include <stdint.h>

/* Common to the hearings of all waves of a run. */
struct hearing_rules {
    const struct terrain *terrain;
    const struct wave_settings *wave;
    struct arrival_rules arrival;
    struct team *team;
    /* The terrain's position in the world, and its exchange with the other
     * ranks (NULL: the terrain is the world). Positions are in the terrain's
     * coordinates, source cells are the world's. */
    struct share share;
    struct halo *halo;
    bool potential; /* keep the data that detection_potential needs */
};

struct hearing_rules hearing_rules_of(const struct terrain *terrain,
                                      const struct wave_settings *wave,
                                      const struct arrival_settings *arrival,
                                      struct team *team);

struct hearing {
    const struct hearing_rules *rules;
    const struct wave *wave;
    struct detection *detection; /* the detector's record of it */
    double source[GRID_AXES];    /* where the wave started */
    /* Of the newest generation: */
    int64_t age;
    struct amplitudes newest;
    /* If all nodes round an agent are below it, the amplitude is below the
     * detection's level; 0: not known. */
    double hush;
};

/* Borrows rules and wave. Release with hearing_release. */
enum status hearing_init(struct hearing *hearing,
                         const struct hearing_rules *rules,
                         const struct wave *wave, struct error *error);
void hearing_release(struct hearing *hearing);

/* The wave was just emitted from `cell`. */
void hearing_begin(struct hearing *hearing, size_t cell);

/* The wave was advanced one generation, to `step`. */
void hearing_advance(struct hearing *hearing, int64_t step);

/* Prepares this generation for hearing_find_loud and hearing_look. A generation
 * that no agent looks at need not be prepared. */
void hearing_open(struct hearing *hearing);

/* Before the walls change; after they changed inside `box`. */
void hearing_catch_up(struct hearing *hearing);
void hearing_update(struct hearing *hearing, const struct box *box);

/* The earliest age at which an agent at `at`, moving at most at `speed`, can
 * detect the wave; 0 if it can at once. */
double hearing_begins(const struct hearing *hearing, const double at[GRID_AXES],
                      double speed);

/* For each of the positions (count), inside the map, the first of the nodes
 * round it: its index among the newest amplitudes, the same for all waves. */
void hearing_place(const struct hearing *hearing, double *const at[GRID_AXES],
                   size_t count, ptrdiff_t *node);

/* Finds those of the agents who[] (count) for which this generation may change
 * the watch. Fills loud (room for count) with them, in order, and returns their
 * number; for the others nothing can change. node: (agents) as of
 * hearing_place; watches: (agents). */
size_t hearing_find_loud(const struct hearing *hearing, const ptrdiff_t *node,
                         double *const at[GRID_AXES],
                         const struct arrival_watch *watches,
                         const int32_t *who, size_t count, int32_t *loud);

/* Fills the input of the watch at `at`. With restart on-arrival the wave is
 * sampled at the centre of the nearest cell, as in Kumagai 2024. The gradient
 * costs more time than the amplitude; it stays 0 if the wave is below the
 * level. */
void hearing_look(const struct hearing *hearing, const double at[GRID_AXES],
                  const struct arrival_watch *watch, struct arrival_look *look);

/* For a restart. */
void hearing_state(struct hearing *hearing, struct state *state);

#endif
