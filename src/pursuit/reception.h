/* SPDX-License-Identifier: MIT */
/* How agents detect one wave: its newest generation, and the state of the
 * detector from earlier ones. All agents share it; for each agent only the
 * cells round it are read. */
#ifndef HAMON_PURSUIT_RECEPTION_H
#define HAMON_PURSUIT_RECEPTION_H

#include "base/status.h"
#include "base/team.h"
#include "wave/arrival/detector.h"
#include "wave/arrival/watch.h"

#include <stdbool.h>
#include <stdint.h>

/* Common to the receptions of all waves of a run. */
struct reception_rules {
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

struct reception_rules
reception_rules_of(const struct terrain *terrain,
                   const struct wave_settings *wave,
                   const struct arrival_settings *arrival, struct team *team);

struct reception {
    const struct reception_rules *rules;
    struct wave *wave;
    struct detection *detection; /* the detector's record of it */
    double source[GRID_AXES];    /* where the wave started */
    /* Of the newest generation: */
    int64_t age;
    struct amplitudes newest;
    /* If all nodes round an agent are below it, the amplitude is below the
     * detection's level; 0: not known. */
    double node_level;
};

/* Borrows rules and wave. Release with reception_release. */
enum status reception_init(struct reception *reception,
                           const struct reception_rules *rules,
                           struct wave *wave, struct error *error);
void reception_release(struct reception *reception);

/* The wave was just emitted from `cell`. */
void reception_begin(struct reception *reception, size_t cell);

/* The wave was advanced one generation, to `step`. */
void reception_advance(struct reception *reception, int64_t step);

/* Prepares this generation for reception_find_candidates and reception_look. A
 * generation that no agent looks at need not be prepared. */
void reception_open(struct reception *reception);

/* Before the walls change; after they changed inside `box`. */
void reception_catch_up(struct reception *reception);
void reception_update(struct reception *reception, const struct box *box);

/* The earliest age at which an agent at `at`, moving at most at `speed`, can
 * detect the wave; 0 if it can at once. */
double reception_begins(const struct reception *reception,
                        const double at[GRID_AXES], double speed);

/* For each of the positions (count), inside the map, the first of the nodes
 * round it: its index among the newest amplitudes, the same for all waves. */
void reception_place(const struct reception *reception,
                     double *const at[GRID_AXES], size_t count,
                     ptrdiff_t *node);

/* The nodes round an agent, if the detector gives the terms of its sums
 * (detector.h, `sums`). */
struct reception_nodes {
    double weight[8]; /* 0: a wall */
    ptrdiff_t item;   /* of the first node among the terms */
};

/* Those of each of the positions (count), inside the map, the same for all
 * waves. False: the detector does not give terms. */
bool reception_weigh(const struct reception *reception,
                     double *const at[GRID_AXES], size_t count,
                     struct reception_nodes *nodes);

/* Of the agents who[] (count), those at which the wave may arrive by the terms,
 * as by the detector's may_hold, with one pass over all. Fills candidates as
 * reception_find_candidates. */
size_t reception_find_by_terms(const struct reception *reception,
                               const struct reception_nodes *nodes,
                               const int32_t *who, size_t count,
                               int32_t *candidates);

/* Finds those of the agents who[] (count) for which this generation may change
 * the watch. Fills candidates (room for count) with them, in order, and returns
 * their number; for the others nothing can change. node: (agents) as of
 * reception_place; watches: (agents). */
size_t reception_find_candidates(const struct reception *reception,
                                 const ptrdiff_t *node,
                                 double *const at[GRID_AXES],
                                 const struct arrival_watch *watches,
                                 const int32_t *who, size_t count,
                                 int32_t *candidates);

/* The position at which an agent at `from` samples the wave: with restart
 * on-arrival the centre of the nearest cell, as in Kumagai 2024. */
void reception_position(const struct reception *reception,
                        const double from[GRID_AXES], double at[GRID_AXES]);

/* Fills the input of the watch of an agent at `at`. The gradient costs more
 * time than the amplitude; it stays 0 if the wave is below the level. */
void reception_look(const struct reception *reception,
                    const double at[GRID_AXES],
                    const struct arrival_watch *watch,
                    struct arrival_look *look);

/* For a restart. */
void reception_state(struct reception *reception, struct state *state);

#endif
