/* SPDX-License-Identifier: MIT */
/* Path density: the number of agents whose path leads through a cell. */
#ifndef HAMON_VIEW_DENSITY_H
#define HAMON_VIEW_DENSITY_H

#include "recording/read/recording.h"

struct density;

/* Of the recorded positions, at no row yet; borrows the recording, which must
 * have agents. Release with density_release, which also takes NULL. */
enum status density_new(const struct recording *recording,
                        struct density **density, struct error *error);
void density_release(struct density *density);

/* Goes to the row: for a later one through the rows between, for an earlier one
 * from the first again. */
enum status density_go_to(struct density *density, int64_t row,
                          struct error *error);

/* The number of agents that have walked through a cell of the whole map up to
 * the row. A path is the straight line from each recorded position to the next,
 * and leads through the cells that it has a part of its length in. An agent
 * counts once in a cell, however often it comes back or waits there; one that
 * never moves counts nowhere. */
int32_t density_at(const struct density *density, size_t cell);

#endif
