/* SPDX-License-Identifier: MIT */
/* The loop of a run: map events, emissions, waves, agents
 * (docs/explanation/chases.md, "One step"). It steps and returns const arrays;
 * it records nothing.
 *
 *   simulation_new
 *   for (;;) {
 *       simulation_begin      events and emissions due at generation k
 *       (look: this is row k)
 *       if (simulation_ended) break
 *       simulation_advance    k → k + 1
 *   }
 */
#ifndef HAMON_RUN_SIMULATE_H
#define HAMON_RUN_SIMULATE_H

#include "base/ranks.h"
#include "base/status.h"
#include "base/team.h"
#include "pursuit/pursuit.h"
#include "scenario/scenario.h"
#include "wave/amplitudes.h"
#include "world/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simulation;

/* An emission of this generation. A source in a wall emits nothing. */
struct simulation_emission {
    int wave;
    size_t cell;
};

/* Borrows the scenario. threads ≥ 1. Release with simulation_release. */
enum status simulation_new(const struct scenario *scenario, int threads,
                           struct simulation **simulation, struct error *error);

/* The same if ranks (NULL: none) share the map: every rank makes its own, and
 * calls begin, plan and advance together with the others. Fields are of the
 * rank's own block. The terrain, agents that do not follow a wave, plans and
 * the target are only in the first rank; arrivals, captures and the positions
 * of wave agents are in all. */
enum status simulation_new_shared(const struct scenario *scenario, int threads,
                                  struct ranks *ranks,
                                  struct simulation **simulation,
                                  struct error *error);
void simulation_release(struct simulation *simulation);

/* Applies the map events and emits the waves that are due now. */
enum status simulation_begin(struct simulation *simulation,
                             struct error *error);

/* Makes the next of the plans that are due; false if all are made.
 * simulation_advance makes the remaining ones. */
bool simulation_plan(struct simulation *simulation, struct agent_plan *plan);

/* Call it if every generation of every wave is read: then waves are stepped at
 * the same time, each by one thread. Otherwise each wave is stepped when it is
 * read. */
void simulation_look_at_all(struct simulation *simulation);

/* Steps to the next generation. STATUS_DIVERGED, with the step in the message,
 * if an amplitude is no longer finite: the generation before was the last good
 * one. */
enum status simulation_advance(struct simulation *simulation,
                               struct error *error);

/* The generation k of the present arrays. */
int64_t simulation_step(const struct simulation *simulation);

/* True if all steps are done, or the stop rule is met. */
bool simulation_ended(const struct simulation *simulation);

/* The terrain, and whether simulation_begin just changed it. */
const struct terrain *simulation_terrain(const struct simulation *simulation);
bool simulation_terrain_changed(const struct simulation *simulation);

/* The emissions of the last simulation_begin. */
const struct simulation_emission *
simulation_emissions(const struct simulation *simulation, size_t *count);

/* Copies of packed (nz, ny, nx) fields of wave i over the share's own block, in
 * the run's precision, into the caller's memory of simulation_field_bytes. gz
 * may be NULL in 2D. */
size_t simulation_field_bytes(const struct simulation *simulation);
void simulation_amplitude(const struct simulation *simulation, int wave,
                          void *field);

/* The newest generation of wave i in place, over this rank's own block: valid
 * until simulation_advance has been called twice. */
struct amplitudes simulation_newest(const struct simulation *simulation,
                                    int wave);
void simulation_gradient(const struct simulation *simulation, int wave,
                         void *gx, void *gy, void *gz);

/* This rank's own block. */
const struct share *simulation_share(const struct simulation *simulation);

/* The part of the map that this rank has, and its medium; NULL if no wave
 * runs. */
const struct terrain *simulation_held(const struct simulation *simulation);
const struct medium *simulation_medium(const struct simulation *simulation);

/* The threads that step; NULL if no wave runs. */
struct team *simulation_team(const struct simulation *simulation);

/* Agents, target, and the events of the last step. */
const struct pursuit *simulation_pursuit(const struct simulation *simulation);

/* Everything that the next steps depend on, after simulation_begin: saved, or
 * loaded into a new simulation of the same scenario, which simulation_advance
 * then continues. By all ranks together. */
enum status simulation_state(struct simulation *simulation, struct state *state,
                             struct error *error);

#endif
