/* SPDX-License-Identifier: MIT */
/* Agents that plan together, by searches (search/pincer.h) or by waves
 * (pursuit/wave_pincer.h): every `replan` steps all that still pursue plan in
 * turn, the nearest to the target first. Each plans from the cell that it is
 * entering, and avoids the paths of those before it. Random ties are drawn from
 * a stream of the method. */
#ifndef HAMON_PURSUIT_PINCER_CHASE_H
#define HAMON_PURSUIT_PINCER_CHASE_H

#include "pursuit/chase.h"

extern const struct chase_kind pincer_chase, wave_pincer_chase;

#endif
