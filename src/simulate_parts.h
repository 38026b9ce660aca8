/* SPDX-License-Identifier: MIT */
/* What a simulation is made of, for its own files only. */
#ifndef HAMON_SIMULATE_PARTS_H
#define HAMON_SIMULATE_PARTS_H

#include "simulate.h"
#include "wave/halo.h"
#include "wave/wave.h"

struct simulation {
    const struct scenario *scenario;
    struct terrain terrain; /* its own: events change it */
    /* Where ranks share the world: `terrain` is the first rank's alone, each
     * has its share of it and keeps the waves whole by the halo. */
    struct ranks *ranks;
    struct share share;
    struct terrain held;
    struct halo *halo;
    struct team *team;
    struct medium *medium; /* NULL where no wave runs */
    struct wave **waves;
    struct emission *emissions; /* of this generation; room for every wave */
    size_t emission_count;
    struct pursuit *pursuit;
    int64_t step;
    size_t next_event; /* the first that is not applied yet */
    bool terrain_changed, may_diverge;
};

static inline int wave_count(const struct simulation *simulation)
{
    return simulation->medium ? simulation->scenario->wave.count : 0;
}

/* All events up to this step; *changed where there were any. */
enum status simulation_apply_events(struct simulation *simulation,
                                    bool *changed, struct error *error);

#endif
