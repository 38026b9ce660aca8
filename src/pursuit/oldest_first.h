/* SPDX-License-Identifier: MIT */
/* The order in which an agent takes the arrivals of several waves. */
#ifndef HAMON_PURSUIT_OLDEST_FIRST_H
#define HAMON_PURSUIT_OLDEST_FIRST_H

#include <stdint.h>

/* Fills order (count) with the waves by ascending `emitted` (count): of several
 * arrivals in one step the oldest emission comes first, so that the newest sets
 * the heading. Of emissions of the same step the lower number comes first. */
static inline void oldest_first(const int64_t *emitted, int count, int *order)
{
    for (int i = 0; i < count; i++) {
        int place = i;
        for (; place > 0 && emitted[i] < emitted[order[place - 1]]; place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
}

#endif
