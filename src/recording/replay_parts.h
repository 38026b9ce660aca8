/* SPDX-License-Identifier: MIT */
/* What a replay is made of, for its own files only. */
#ifndef HAMON_RECORDING_REPLAY_PARTS_H
#define HAMON_RECORDING_REPLAY_PARTS_H

#include "base/team.h"
#include "recording/replay.h"
#include "wave/wave.h"

#include <pthread.h>

struct sent {
    int32_t wave;
    int64_t step, order; /* in the table */
    size_t cell;
};

/* A wave with its medium, at the generation that was last asked for. */
struct player {
    struct terrain terrain;
    struct medium *medium;
    struct wave *wave;
    size_t version; /* of the map in the terrain */
    int64_t row;
    bool goes_on; /* `before` is the generation before: it may be stepped */
};

struct replay {
    const struct recording *recording;
    struct wave_settings settings;
    struct team *team; /* of one: it keeps the run's mode of denormals */
    int64_t every;     /* K */
    struct sent *sent; /* by wave, then by step */
    int64_t sent_count;
    struct player *players; /* (waves) */
    void *field[1 + GRID_AXES];
    pthread_mutex_t mutex;
};

/* replay_told.c: the settings of the waves; the emissions. STATUS_INPUT where
 * they are none that a run has. */
enum status replay_read_settings(struct replay *replay, struct error *error);
enum status replay_read_emissions(struct replay *replay, struct error *error);

/* The last emission of the wave up to a step, or NULL. */
const struct sent *replay_last_sent(const struct replay *replay, int wave,
                                    int64_t step);

#endif
