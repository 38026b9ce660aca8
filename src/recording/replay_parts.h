/* SPDX-License-Identifier: MIT */
/* What a replay is made of, for its own files only. */
#ifndef HAMON_RECORDING_REPLAY_PARTS_H
#define HAMON_RECORDING_REPLAY_PARTS_H

#include "base/team.h"
#include "recording/replay.h"
#include "recording/replay_told.h"
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
    /* Rows that were computed through to one whose checksum they gave. */
    int64_t held_from, held_to;
};

/* A generation to go back to. */
struct replay_place {
    int64_t row, emitted, source;
    void *newest, *older;
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

/* replay.c: the wave at the row, computed from its keyframe or from where it
 * is; on from where it is; and back. */
enum status replay_go_to(struct replay *replay, struct player *player,
                         const struct layout_item *item, int64_t row,
                         struct error *error);
enum status replay_step_to(struct replay *replay, struct player *player,
                           const struct layout_item *item, int64_t row,
                           struct error *error);
enum status replay_go_back(struct replay *replay, struct player *player,
                           const struct replay_place *place,
                           struct error *error);

/* The status; a wave that a fault left somewhere is loaded anew. */
enum status replay_fault(struct player *player, enum status status);

/* replay_hold.c: the generation where the wave is against the row's checksum,
 * if one is kept; replay_step_to looks at each that it comes to. */
enum status replay_look(struct replay *replay, struct player *player,
                        const struct layout_item *item, struct error *error);

/* Before a row is handed out: computes on from it to the next row of which the
 * run has kept a checksum, if there is one before the wave is loaded anew. */
enum status replay_hold(struct replay *replay, struct player *player,
                        const struct layout_item *item, int64_t row,
                        struct error *error);

/* The last emission of the wave up to a step, or NULL. */
const struct sent *replay_last_sent(const struct replay *replay, int wave,
                                    int64_t step);

#endif
