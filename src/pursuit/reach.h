/* SPDX-License-Identifier: MIT */
/* The free cells that are connected to the target's cell by steps along the
 * axes: no wave of the target reaches an agent anywhere else. */
#ifndef HAMON_PURSUIT_REACH_H
#define HAMON_PURSUIT_REACH_H

#include "base/status.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

struct reach {
    const struct terrain *terrain;
    uint8_t *reached; /* (cells) */
    int32_t *queue;   /* (cells) */
    bool known;       /* false: the walls have changed since */
};

/* Borrows the terrain. Release with reach_release, a zeroed struct too. */
enum status reach_init(struct reach *reach, const struct terrain *terrain,
                       struct error *error);
void reach_release(struct reach *reach);

/* Finds the cells connected to `from`, if they are not known; none if it is a
 * wall. */
void reach_find(struct reach *reach, size_t from);

/* Is one of the cells that touch the position connected? */
bool reach_holds(const struct reach *reach, const double at[GRID_AXES]);

#endif
