/* SPDX-License-Identifier: MIT */
/* Detectors: when a wave counts as arrived at a place.
 *
 * A detector is a const row of `detectors` (detectors.c), and stands in a file
 * of its own. The row has the rule of an arrival, and functions on a
 * `struct detection`: that detector at work on one wave, from emission to
 * emission. Those that look at the amplitude of the plain wave share most of
 * their functions (plain.h). A run's agents, its first-arrival fields, the
 * analyses and hamon-check use the same rows. */
#ifndef HAMON_WAVE_ARRIVAL_DETECTOR_H
#define HAMON_WAVE_ARRIVAL_DETECTOR_H

#include "base/status.h"
#include "base/team.h"
#include "wave/arrival/arrival.h"
#include "wave/arrival/fall.h"
#include "wave/step/halo.h"
#include "wave/wave.h"
#include "world/state.h"

struct detection_options {
    const struct arrival_settings *settings; /* borrowed */
    const struct terrain *terrain;           /* borrowed */
    /* The world, whose cells emissions are given in, and the terrain's first
     * cell there, both borrowed; NULL: the terrain is the world. */
    const struct grid *world;
    const int *low;
    struct halo *halo; /* joins the terrain to its neighbours; or NULL */
    double amplitude;  /* A > 0 */
    int64_t lifetime;  /* later ages are the next emission's; 0: none are */
    size_t width;      /* of a number: sizeof(float) or sizeof(double) */
    bool ages;         /* keep detection_ages */
    bool times;        /* and with them the moments within the step */
    bool potential;    /* keep what detection_potential needs */
    /* The wave whose newest generation is taken, for detection_look; NULL:
     * generations are given, and there are no looks at a plain amplitude. */
    const struct wave *wave;
    /* For a detector with a wave of its own: what that runs in, kept up to date
     * by its owner; NULL: a medium of its own, of these settings. */
    const struct medium *medium;
    const struct wave_settings *waves;
};

/* The beginning of each detector's own struct. */
struct detection {
    const struct detector *detector;
    struct detection_options options;
    int64_t age; /* of the last generation taken; −1 before the first */
    /* At this age: an amplitude below `level` is no arrival (0: any may be
     * one); may an arrival be lost to underflow? */
    double level;
    bool may_lose;
    struct fall fall; /* of its potential; where options.potential */
};

/* Why settings do not fit each other: the key, and what is wrong with it. */
struct detector_fault {
    const char *key;
    char why[240];
};

struct detector {
    const char *name;
    const char *keys[4]; /* of the settings that it takes; ends with NULL */
    /* It steps a wave of its own, has headings of its own and takes no
     * generation. */
    bool own_wave;
    /* Do its settings fit the run, an emission being followed for `steps` at
     * most? NULL: always. */
    bool (*fits)(const struct arrival_settings *settings,
                 const struct wave_settings *waves,
                 const struct terrain *terrain, int64_t steps,
                 struct detector_fault *fault);
    /* Replaces settings that stand for what fits the waves. NULL: none do. */
    void (*settle)(struct arrival_settings *settings,
                   const struct wave_settings *waves,
                   const struct terrain *terrain);

    /* ---- the rule ---- */

    /* Does the wave arrive with this sample? Never with a NaN. */
    bool (*holds)(const struct arrival_settings *settings,
                  const struct detector_sample *sample);
    /* Where `holds` is no more than z[k] ≠ 0 and |z[k]| ≥ level: that level at
     * age k, so that a pass over a grid asks once a generation. Else NULL. */
    double (*level)(const struct arrival_settings *settings, double amplitude,
                    int64_t age);
    /* The arrival that this look makes. False: no heading, so no arrival. */
    bool (*report)(const struct arrival_settings *settings,
                   const struct arrival_look *look, struct arrival *arrival);

    /* ---- at work on one wave: see detection_… below ---- */

    enum status (*new)(const struct detection_options *options,
                       struct detection **detection, struct error *error);
    void (*release)(struct detection *detection);
    void (*begin)(struct detection *detection, size_t cell, struct team *team);
    void (*take)(struct detection *detection, const void *generation,
                 int64_t age, struct team *team);
    void (*catch_up)(struct detection *detection); /* or NULL */
    void (*update)(struct detection *detection, const struct box *box);
    void (*look)(const struct detection *detection, const double at[GRID_AXES],
                 bool whole, struct arrival_look *look);
    int64_t (*reached)(const struct detection *detection,
                       const double at[GRID_AXES]); /* or NULL */
    void (*state)(struct detection *detection, struct state *state);
    const int32_t *(*ages)(const struct detection *detection);
    const double *(*times)(const struct detection *detection); /* or NULL */
    void (*slope)(const struct detection *detection, size_t cell,
                  double slope[GRID_AXES]); /* or NULL */
    double (*potential)(const struct detection *detection, size_t cell,
                        bool *settled);
    void (*fall)(const struct detection *detection, struct fall *fall);
    bool (*is_spent)(const struct detection *detection); /* or NULL: always */
};

/* The ages at which an emission is followed: to the lifetime; a wave of a
 * detector's own that goes out again only when it was received, to its end. */
int64_t detector_lifetime(const struct detector *detector,
                          const struct wave_settings *waves);

/* Nothing has begun. Release with detection_release, NULL too. */
enum status detection_new(const struct detection_options *options,
                          struct detection **detection, struct error *error);
void detection_release(struct detection *detection);

/* A wave goes out from the free cell `cell` of the world: forgets what was
 * before. */
void detection_begin(struct detection *detection, size_t cell,
                     struct team *team);

/* The generation of this age is there, before the terrain changes: 0, the
 * emission's own, first, then 1, 2, … in order, through the lifetime; what does
 * not follow in this order is not taken. `generation`: packed (nz, ny, nx);
 * NULL where the detector has a wave of its own, or options.wave has it. team
 * may be NULL. Allocates nothing. */
void detection_take(struct detection *detection, const void *generation,
                    int64_t age, struct team *team);

/* The terrain is about to change; it changed inside `box`, after the generation
 * that was taken last. */
void detection_catch_up(struct detection *detection);
void detection_update(struct detection *detection, const struct box *box);

/* What a watch at `at` is fed with. The gradient costs more than the amplitude;
 * it stays 0 where that is below the level, unless `whole`. */
void detection_look(const struct detection *detection,
                    const double at[GRID_AXES], bool whole,
                    struct arrival_look *look);

/* Where may_lose: the age at which the wave must have come to the cell nearest
 * to `at`, or −1. */
int64_t detection_reached(const struct detection *detection,
                          const double at[GRID_AXES]);

/* What a restart needs of it; the terrain is loaded before. */
void detection_state(struct detection *detection, struct state *state);

/* (nz, ny, nx): the age of the first arrival, 0 at the source, −1 none (yet),
 * below −1 none, and none will come. The same as moments within the step, +∞
 * where there is none; NULL where the detector knows none. */
const int32_t *detection_ages(const struct detection *detection);
const double *detection_times(const struct detection *detection);

/* With options.potential: a number that grows towards the source from one free
 * cell to one of its neighbours: ln U, or minus the moment of the first arrival
 * in steps; −∞ where the wave has not arrived. *settled: the emission changes
 * it no more. detection->fall says what it falls by along a way. */
double detection_potential(const struct detection *detection, size_t cell,
                           bool *settled);

/* Nothing says that the emission will still arrive somewhere: a wave of a
 * detector's own has died out; of the plain wave, whose reflections never do,
 * it is not known. All ranks know the same. */
bool detection_is_spent(const struct detection *detection);

/* The slope along which the detector heads at the centre of a free cell, of its
 * own wave. */
void detection_slope(const struct detection *detection, size_t cell,
                     double slope[GRID_AXES]);

#endif
