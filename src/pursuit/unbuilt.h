/* SPDX-License-Identifier: MIT */
/* What a scenario may ask of agents and target and nothing moves yet. Such an
 * agent, or the target, stands still (state waiting). */
#ifndef HAMON_PURSUIT_UNBUILT_H
#define HAMON_PURSUIT_UNBUILT_H

#include "pursuit/settings.h"

/* The first of these at or behind *next that agents or target (NULL: none)
 * have, e.g. `agents with method "relay"`; NULL where there is no further one.
 * Begin with *next = 0. */
const char *unbuilt_next(const struct agent_settings *agents, size_t count,
                         const struct target_settings *target, size_t *next);

#endif
