/* SPDX-License-Identifier: MIT */
/* Detectors: they decide when a wave has arrived at a place.
 *
 * A detector is a const element of `detectors` (detectors.c) in a file of its
 * own. It has the rule of an arrival, and functions on a `struct detection`:
 * the state of that detector for one wave, from emission to emission. Detectors
 * of the plain wave's amplitude share most of their functions (plain.h). A
 * run's agents, its first-arrival fields, the analyses and hamon-check use the
 * same detectors. */
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
    /* The whole grid, to which cells of emissions refer, and the terrain's
     * first cell in it, both borrowed; NULL: the terrain is the whole grid. */
    const struct grid *world;
    const int *low;
    struct halo *halo; /* exchanges with neighbour ranks; or NULL */
    double amplitude;  /* A > 0 */
    int64_t lifetime;  /* later ages belong to the next emission; 0: no limit */
    size_t width;      /* of a number: sizeof(float) or sizeof(double) */
    bool ages;         /* keep detection_ages */
    bool times;        /* keep the moments within the step, too */
    bool potential;    /* keep what detection_potential needs */
    /* The wave whose newest generation is taken, also by detection_look. NULL:
     * generations are passed by the caller, and detection_look has no amplitude
     * of the plain wave. */
    struct wave *wave;
    /* For a detector with its own wave: its medium, kept up to date by the
     * owner of the medium. NULL: the detector makes its own medium from these
     * settings. */
    const struct medium *medium;
    const struct wave_settings *waves;
};

/* The first member of each detector's own struct. */
struct detection {
    const struct detector *detector;
    struct detection_options options;
    int64_t age; /* of the last generation taken; −1 before the first */
    /* At this age: an amplitude below `level` is no arrival (0: any may be
     * one). may_lose: can an arrival be lost by underflow? */
    double level;
    bool may_lose;
    struct fall fall; /* fall of its potential; if options.potential */
};

/* The terms of potentials that are not final, if these are logarithms: that of
 * an open cell is ln(growth·sum + owes·z) − unit. Pointers
 * to the cell (0, 0, 0); a row's next cell is the next number. */
struct detection_sums {
    const float *sum, *z;
    const uint16_t *closed; /* 0: the cell is open */
    ptrdiff_t row, layer;
    float growth, owes;
    float eta; /* the wave has arrived in an open cell if |z| ≤ eta·(…) */
    double unit;
};

/* Why settings do not fit together: the key, and what is wrong with it. */
struct detector_fault {
    const char *key;
    char why[240];
};

struct detector {
    const char *name;
    const char *keys[5]; /* of its settings; ends with NULL */
    /* It steps its own wave, has its own headings, and takes no generation. */
    bool own_wave;
    /* Do its settings fit the run, if an emission is followed for `steps` at
     * most? NULL: always. */
    bool (*fits)(const struct arrival_settings *settings,
                 const struct wave_settings *waves,
                 const struct terrain *terrain, int64_t steps,
                 struct detector_fault *fault);
    /* Replaces settings that mean "choose a value that fits the waves". NULL:
     * there are none. */
    void (*settle)(struct arrival_settings *settings,
                   const struct wave_settings *waves,
                   const struct terrain *terrain);

    /* ---- the rule ---- */

    /* Does the wave arrive with this sample? False for a NaN. */
    bool (*holds)(const struct arrival_settings *settings,
                  const struct detector_sample *sample);
    /* If `holds` is only z[k] ≠ 0 and |z[k]| ≥ level: that level at age k, so
     * that a pass over a grid calls it once in a generation. Else NULL. */
    double (*level)(const struct arrival_settings *settings, double amplitude,
                    int64_t age);
    /* Fills the arrival from this look. False: there is no heading, so no
     * arrival. */
    bool (*report)(const struct arrival_settings *settings,
                   const struct arrival_look *look, struct arrival *arrival);

    /* ---- the state for one wave: see detection_… below ---- */

    enum status (*new)(const struct detection_options *options,
                       struct detection **detection, struct error *error);
    void (*release)(struct detection *detection);
    void (*begin)(struct detection *detection, size_t cell, struct team *team);
    void (*take)(struct detection *detection, const void *generation,
                 int64_t age, struct team *team);
    void (*catch_up)(struct detection *detection); /* or NULL */
    void (*update)(struct detection *detection, const struct box *box);
    void (*look)(struct detection *detection, const double at[GRID_AXES],
                 bool whole, struct arrival_look *look);
    /* False only if the wave does not arrive at the position now, cheaper than
     * a look; or NULL. */
    bool (*may_hold)(const struct detection *detection,
                     const double at[GRID_AXES]);
    int64_t (*reached)(struct detection *detection,
                       const double at[GRID_AXES]); /* or NULL */
    void (*state)(struct detection *detection, struct state *state);
    const int32_t *(*ages)(const struct detection *detection);
    const double *(*times)(const struct detection *detection); /* or NULL */
    void (*slope)(const struct detection *detection, size_t cell,
                  double slope[GRID_AXES]); /* or NULL */
    double (*potential)(const struct detection *detection, size_t cell,
                        bool *settled);
    /* False: potentials do not have this form. */
    bool (*sums)(const struct detection *detection,
                 struct detection_sums *sums); /* or NULL */
    void (*fall)(const struct detection *detection, struct fall *fall);
    bool (*is_spent)(const struct detection *detection); /* or NULL: always */
};

/* The first detector that uses this key; NULL: all detectors do. */
const struct detector *detector_with(const char *path);

/* Does a value of this key have an effect with the detector? */
bool detector_uses(const struct detector *detector, const char *path);

/* Does the detector step its own wave, by a stencil with matched weights? */
static inline bool detector_is_matched(const struct arrival_settings *settings)
{
    return settings->detector && settings->detector->own_wave &&
           settings->stencil == SUM_STENCIL_MATCHED &&
           settings->heading != HEADING_ARRIVAL_TIME;
}

/* Does the wave that agents detect spread over edges and corners too? */
static inline bool
detector_has_diagonals(const struct arrival_settings *settings,
                       const struct wave_settings *waves)
{
    return detector_is_matched(settings) ||
           stencil_has_diagonals(waves->stencil);
}

/* The last age at which an emission is followed: the lifetime; for a detector
 * with its own wave that is emitted again only after it was received, until
 * that wave ends. */
int64_t detector_lifetime(const struct detector *detector,
                          const struct wave_settings *waves);

/* Allocates the state; nothing is emitted. Release with detection_release,
 * which also takes NULL. */
enum status detection_new(const struct detection_options *options,
                          struct detection **detection, struct error *error);
void detection_release(struct detection *detection);

/* Begins an emission from the free cell `cell` of the whole grid; earlier ones
 * are forgotten. */
void detection_begin(struct detection *detection, size_t cell,
                     struct team *team);

/* Takes the generation of this age, before the terrain changes: first 0, that
 * of the emission, then 1, 2, … in order, up to the lifetime; a generation out
 * of order is not taken. `generation`: packed (nz, ny, nx); NULL if the
 * detector has its own wave or options.wave has it. team may be NULL. Allocates
 * nothing. */
void detection_take(struct detection *detection, const void *generation,
                    int64_t age, struct team *team);

/* Call detection_catch_up before the terrain changes, and detection_update
 * after it has changed inside `box`; both after the last generation was
 * taken. */
void detection_catch_up(struct detection *detection);
void detection_update(struct detection *detection, const struct box *box);

/* Fills what a watch at `at` tests. The gradient costs more time than the
 * amplitude: it stays 0 if the amplitude is below the level, unless `whole`. */
void detection_look(struct detection *detection, const double at[GRID_AXES],
                    bool whole, struct arrival_look *look);

/* If may_lose: the age by which the wave must have reached the cell nearest to
 * `at`, or −1. */
static inline int64_t detection_reached(struct detection *detection,
                                        const double at[GRID_AXES])
{
    return detection->may_lose ? detection->detector->reached(detection, at)
                               : -1;
}

/* Visits what a restart needs; the terrain is loaded before. */
void detection_state(struct detection *detection, struct state *state);

/* (nz, ny, nx): the age of the first arrival, 0 at the source, −1 if there is
 * none (yet), below −1 if there never will be one. detection_times: the same as
 * moments within the step, +∞ if there is none; NULL if the detector does not
 * compute them. */
const int32_t *detection_ages(const struct detection *detection);
const double *detection_times(const struct detection *detection);

/* If options.potential: a number that increases towards the source from each
 * free cell to one of its neighbours: ln U, or minus the moment of the first
 * arrival in steps; −∞ if the wave has not arrived. *settled: it does not
 * change any more in this emission. detection->fall is its decrease along a
 * path. */
double detection_potential(const struct detection *detection, size_t cell,
                           bool *settled);

/* True if this emission can make no more arrivals: the detector's own wave has
 * died out. Of the plain wave, whose reflections never end, this is not known.
 * All ranks return the same. */
bool detection_is_spent(const struct detection *detection);

/* The slope of the detector's own wave at the centre of a free cell, from which
 * its heading is made. */
void detection_slope(const struct detection *detection, size_t cell,
                     double slope[GRID_AXES]);

#endif
