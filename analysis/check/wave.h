/* SPDX-License-Identifier: MIT */
/* The oracles of docs/explanation/checks.md on the rows of one wave, fed in
 * order: each looks at one generation at a time and keeps no more than it must.
 */
#ifndef HAMON_ANALYSIS_CHECK_WAVE_H
#define HAMON_ANALYSIS_CHECK_WAVE_H

#include "analysis/check/finding.h"
#include "analysis/check/law.h"
#include "wave/arrival/arrival.h"

/* One recorded row of one wave. All fields are over the law's grid, with 0
 * outside `known`; those of steps that the recording has no row of are NULL.
 * The grid may be a part of the map: `known` and the cells beside it. */
struct wave_row {
    int wave;
    int64_t step;
    const double *now, *before, *older; /* z[step], z[step−1], z[step−2] */
    struct box known;                   /* record.region */
    int64_t emitted; /* the last emission, ≤ step; −1: none yet */
    size_t source;   /* of that; GRID_NOWHERE: outside the grid */
    int64_t mapped;  /* the step since which the map is as it is, ≤ step */
};

/* Each row bit for bit from the two before it: emissions, the law, map events,
 * in the order of §2. `ground` is the map at step − 1, `wall` the walls at
 * `step`. */
void check_stencil(const struct law *law, const struct ground *ground,
                   const uint8_t *wall, const struct wave_row *row,
                   struct finding *finding);

/* The component of the recorded gradient along an axis, packed over `known`,
 * bit for bit from the recorded amplitude. Cells left out are counted with the
 * first axis. */
void check_gradient(const struct law *law, const struct ground *ground,
                    const struct wave_row *row, int axis,
                    const double *gradient, struct finding *finding);

/* ---- the front: Lee distances and path counting ---- */

/* A cell's distance in single steps from the source, −1 where there is no way,
 * and the value that the front has there, fraction · 2^exponent: A times the
 * sum over the shortest paths of the product of what each cell takes from the
 * one before. `faint` cells have a shortest path through a value that the
 * precision does not hold. */
struct front_cell {
    int32_t distance;
    int exponent : 31;
    unsigned faint : 1;
    double fraction;
};

struct check_front {
    struct front_cell *cell; /* (cells) */
    int32_t *queue;
    int64_t emitted; /* that it was spread for; −1 */
};

enum status check_front_init(const struct law *law, struct check_front *front,
                             struct error *error);
void check_front_release(struct check_front *front);
void check_front_spread(struct check_front *front, const struct law *law,
                        const struct ground *ground, size_t source,
                        int64_t emitted);

/* `support`: 0 beyond the front and not 0 on it. `value`: on the front, the
 * value, relative to what path counting says. */
void check_front(const struct law *law, const struct check_front *front,
                 const struct wave_row *row, struct finding *support,
                 struct finding *value);

/* ---- energy ---- */

struct energy {
    double first;  /* energy after the last emission or map event */
    int64_t since; /* the step that it was taken at, −1: none */
    int64_t start; /* the emission or event */
};

/* The discrete energy between row->before and row->now; `size` becomes the sum
 * of the magnitudes that it is made of. */
double check_wave_energy(const struct law *law, const struct ground *ground,
                         const struct wave_row *row, double *size);

/* Its drift since the last emission or map event, relative to its size. */
void check_energy(const struct law *law, const struct ground *ground,
                  const struct wave_row *row, struct energy *energy,
                  struct finding *finding);

/* ---- free space ---- */

/* The last age at which neither amplitude nor gradient of a wave from `source`
 * has been touched by a wall, an edge or another speed. */
int64_t check_free_ages(const struct law *law, const struct ground *ground,
                        size_t source);

/* The gradient lies along the line to the source: |X·gy − Y·gx| relative to
 * the largest |X·gy| of the row. */
void check_radial(const struct law *law, const struct ground *ground,
                  const struct wave_row *row, int64_t ages,
                  struct finding *finding);

/* ---- mirrors ---- */

enum { MIRRORS = 16 };

/* Which of the grid's mirrors still hold for this wave: the bits of flips of x,
 * y, z and of the exchange of x and y. */
struct symmetry {
    int64_t emitted, mapped; /* that it was told for */
    bool holds[MIRRORS];
};

/* The row beside its mirror images, bit for bit, for each mirror of map and
 * source. */
void check_symmetry(const struct law *law, const struct ground *ground,
                    const struct wave_row *row, struct symmetry *symmetry,
                    struct finding *finding);

/* ---- arrivals ---- */

/* The first-arrival field of a wave's first emission as the rows give it. */
struct arrivals {
    int32_t *step;   /* (cells): the generation, −1 never */
    int64_t emitted; /* the first emission, −1: none yet */
    int64_t ended;   /* the emission after it, −1: none yet */
    bool broken;     /* a row was missing */
};

/* Forgets what was before; `step` stays the caller's. */
void check_arrivals_begin(const struct law *law, struct arrivals *arrivals);

void check_arrivals_take(const struct law *law,
                         const struct arrival_settings *settings,
                         const struct wave_row *row, struct arrivals *arrivals);

/* The recorded field, packed over `known`, beside the one that the rows up to
 * `last` gave. What arrives in the very step of the next emission is in no
 * row. */
void check_arrivals(const struct law *law, const struct arrivals *arrivals,
                    const struct box *known, int wave, int64_t last,
                    const double *recorded, struct finding *finding);

#endif
