/* SPDX-License-Identifier: MIT */
/* Functions shared by the detectors of the plain wave's amplitude: values of
 * the wave, a first-arrival field, and the light cone if an arrival may be
 * lost. */
#ifndef HAMON_WAVE_ARRIVAL_PLAIN_H
#define HAMON_WAVE_ARRIVAL_PLAIN_H

#include "wave/arrival/detector.h"

/* For a detector with a level: |z| ≥ level. */
bool plain_holds(const struct arrival_settings *settings,
                 const struct detector_sample *sample);

bool plain_report(const struct arrival_settings *settings,
                  const struct arrival_look *look, struct arrival *arrival);

enum status plain_new(const struct detection_options *options,
                      struct detection **detection, struct error *error);
void plain_release(struct detection *detection);
void plain_begin(struct detection *detection, size_t cell, struct team *team);
void plain_take(struct detection *detection, const void *generation,
                int64_t age, struct team *team);
void plain_catch_up(struct detection *detection);
void plain_update(struct detection *detection, const struct box *box);
void plain_look(struct detection *detection, const double at[GRID_AXES],
                bool whole, struct arrival_look *look);
int64_t plain_reached(struct detection *detection, const double at[GRID_AXES]);
void plain_state(struct detection *detection, struct state *state);
const int32_t *plain_ages(const struct detection *detection);
const double *plain_times(const struct detection *detection);
double plain_potential(const struct detection *detection, size_t cell,
                       bool *settled);
void plain_fall(const struct detection *detection, struct fall *fall);

/* The members of such a detector that are the same for all. */
#define PLAIN_DETECTOR                                                         \
    .report = plain_report, .new = plain_new, .release = plain_release,        \
    .begin = plain_begin, .take = plain_take, .catch_up = plain_catch_up,      \
    .update = plain_update, .look = plain_look, .reached = plain_reached,      \
    .state = plain_state, .ages = plain_ages, .times = plain_times,            \
    .potential = plain_potential, .fall = plain_fall

#endif
