/* SPDX-License-Identifier: MIT */
/* Which waves are not emitted again yet (wave.restart = "received"): those
 * whose last emission some agent still needs. An agent needs the oldest
 * emission that it has not received: it comes first. Half of the waves at most
 * stay for that, the oldest emissions, so that agents far away do not keep the
 * others from being emitted again. */
#ifndef HAMON_PURSUIT_NEEDS_H
#define HAMON_PURSUIT_NEEDS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct needs {
    int waves;
    /* (waves): the step of the last emission, or −1; can nobody receive it any
     * more; does the wave stay? */
    int64_t *emitted;
    bool *over, *stays;
};

/* Release with needs_release, a zeroed struct too. */
enum status needs_init(struct needs *needs, int waves, struct error *error);
void needs_release(struct needs *needs);

/* For each agent, after `emitted` and `over` were filled and `stays` was
 * cleared: it has received the emission of the step `received`, or none (−1).
 */
void needs_add(struct needs *needs, int64_t received);

/* After all agents: of the waves that stay, leaves the oldest half of all
 * waves, or one. */
void needs_limit(struct needs *needs);

/* The number of waves that stay. */
int needs_count(const struct needs *needs);

#endif
