/* SPDX-License-Identifier: MIT */
/* The pincer with waves, which the paper of 2025 leaves as future work. As in
 * search/pincer.h the nearest pursuer plans first, and the cells of its path
 * become yellow, their neighbours green; but a later pursuer may enter them;
 * its wave only passes them slowly.
 *
 * A plan is one emission from the target's cell through the pursuer's own
 * medium. Its speed is that of the terrain, divided by the cost of the cell if
 * that is more than 1, times `slow` in yellow and green cells; the goal and the
 * pursuer's start have no colour. It is stepped until the wave arrives at the
 * pursuer by the detector's rule, all generations within the step at which the
 * plan is made. The path descends the first-arrival times: at each cell the
 * allowed move of steepest descent to a cell that the path has not met. Every
 * emission starts from a field of zeros with the speeds of its plan, so no
 * running wave meets a change. No speed exceeds the terrain's, so if δ is
 * stable there, it is stable here. */
#ifndef HAMON_PURSUIT_WAVE_PINCER_H
#define HAMON_PURSUIT_WAVE_PINCER_H

#include "search/pincer.h"
#include "wave/arrival/arrival.h"
#include "wave/wave.h"
#include "world/terrain.h"

struct wave_pincer;

/* The data of a planner. Borrowed. */
struct wave_pincer_view {
    const struct terrain *terrain;
    const struct passages *passages;
    const struct wave_settings *wave;
    const struct arrival_settings *arrival; /* not laplace */
    double slow;                            /* in (0, 1] */
};

/* STATUS_INPUT if δ is over the stencil's limit on this terrain, or the
 * detector is laplace. Release with wave_pincer_release. */
enum status wave_pincer_new(const struct wave_pincer_view *view,
                            int pursuers_most, struct wave_pincer **pincer,
                            struct error *error);
void wave_pincer_release(struct wave_pincer *pincer);

/* The terrain changed inside `box`. Allocates nothing. */
void wave_pincer_update(struct wave_pincer *pincer, const struct box *box);

/* As pincer_begin and pincer_next. A plan's expansions are cell updates:
 * generations times cells. Its outcome is SEARCH_UNREACHABLE also if the wave
 * becomes too weak for the detector before it arrives. */
void wave_pincer_begin(struct wave_pincer *pincer, const size_t *pursuers,
                       int count, size_t evader);
bool wave_pincer_next(struct wave_pincer *pincer, struct random *ties,
                      struct pincer_plan *plan);

#endif
