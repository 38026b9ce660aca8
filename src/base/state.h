/* SPDX-License-Identifier: MIT */
/* What a restart needs, said once: a room names its variables in one function,
 * and that function measures, saves and loads them, in one order. */
#ifndef HAMON_BASE_STATE_H
#define HAMON_BASE_STATE_H

#include <stddef.h>
#include <string.h>

enum state_mode { STATE_MEASURE, STATE_SAVE, STATE_LOAD };

struct state {
    enum state_mode mode;
    char *memory; /* NULL where it is measured */
    size_t used;  /* bytes so far */
};

/* Takes `bytes` of `data` into the state, or out of it, or counts them. */
static inline void state_visit(struct state *state, void *data, size_t bytes)
{
    if (state->mode == STATE_SAVE)
        memcpy(state->memory + state->used, data, bytes);
    else if (state->mode == STATE_LOAD)
        memcpy(data, state->memory + state->used, bytes);
    state->used += bytes;
}

#endif
