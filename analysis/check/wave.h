/* SPDX-License-Identifier: MIT */
/* The oracles of docs/explanation/checks.md for the frames of one wave, which
 * are passed in order: each tests one generation at a time, and stores as
 * little as possible. */
#ifndef HAMON_ANALYSIS_CHECK_WAVE_H
#define HAMON_ANALYSIS_CHECK_WAVE_H

#include "analysis/check/finding.h"
#include "analysis/check/law.h"

/* One recorded frame of one wave. All fields are over the law's grid, with 0
 * outside `known`. A field is NULL if the recording has no frame of its step.
 * The grid may be a part of the map: `known` and the cells beside it. */
struct wave_row {
    int wave;
    int64_t step;
    const double *now, *before, *older; /* z[step], z[step−1], z[step−2] */
    struct box known;                   /* record.region */
    int64_t emitted; /* the last emission, ≤ step; −1: none yet */
    size_t source;   /* cell of that; GRID_NOWHERE: outside the grid */
    int64_t mapped;  /* the step of the last change of the map, ≤ step */
};

/* Compares each frame bit for bit with the result from the two before it:
 * emissions, the law, map events, in the order of docs/explanation/checks.md
 * §2. `ground` is the map at step − 1, `wall` the walls at `step`. */
void check_stencil(const struct law *law, const struct ground *ground,
                   const uint8_t *wall, const struct wave_row *row,
                   struct finding *finding);

/* Compares the component of the recorded gradient along an axis, packed over
 * `known`, bit for bit with that of the recorded amplitude. Cells that are left
 * out are counted with the first axis. */
void check_gradient(const struct law *law, const struct ground *ground,
                    const struct wave_row *row, int axis,
                    const double *gradient, struct finding *finding);

/* ---- the front: Lee distances and path counting ---- */

/* A cell's distance in single steps from the source, −1 if there is no path,
 * and the value of the front there, fraction · 2^exponent: A times the sum over
 * the shortest paths of the product of the coefficients along them. `faint`: a
 * shortest path leads through a value that is too small for the precision. */
struct front_cell {
    int32_t distance;
    int exponent : 31;
    unsigned faint : 1;
    double fraction;
};

struct check_front {
    struct front_cell *cell; /* (cells) */
    int32_t *queue;
    int64_t emitted; /* for which it was computed; −1 */
};

void check_front_init(const struct law *law, struct check_front *front);
void check_front_release(struct check_front *front);
void check_front_spread(struct check_front *front, const struct law *law,
                        const struct ground *ground, size_t source,
                        int64_t emitted);

/* `support`: the wave is 0 beyond the front and not 0 on it. `value`: on the
 * front, its value relative to the result of path counting. */
void check_front(const struct law *law, const struct check_front *front,
                 const struct wave_row *row, struct finding *support,
                 struct finding *value);

/* ---- energy ---- */

struct energy {
    double first;  /* energy after the last emission or map event */
    int64_t since; /* the step of `first`, −1: none */
    int64_t start; /* the emission or event */
};

/* The discrete energy between row->before and row->now; `size` becomes the sum
 * of the magnitudes of its terms. */
double check_wave_energy(const struct law *law, const struct ground *ground,
                         const struct wave_row *row, double *size);

/* Its change since the last emission or map event, relative to its size. */
void check_energy(const struct law *law, const struct ground *ground,
                  const struct wave_row *row, struct energy *energy,
                  struct finding *finding);

/* ---- free space ---- */

/* The last age at which no wall, edge or other speed has affected the amplitude
 * or the gradient of a wave from `source`. */
int64_t check_free_ages(const struct law *law, const struct ground *ground,
                        size_t source);

/* The gradient is along the line to the source: |X·gy − Y·gx| relative to the
 * largest |X·gy| of the frame. */
void check_radial(const struct law *law, const struct ground *ground,
                  const struct wave_row *row, int64_t ages,
                  struct finding *finding);

/* ---- mirrors ---- */

enum { MIRRORS = 16 };

/* The grid's mirrors that still apply to this wave: the bits of flips of x, y,
 * z and of the exchange of x and y. */
struct symmetry {
    int64_t emitted, mapped; /* of the emission and map that they apply to */
    bool holds[MIRRORS];
};

/* Compares the frame with its mirror images, bit for bit, for each mirror of
 * map and source. */
void check_symmetry(const struct law *law, const struct ground *ground,
                    const struct wave_row *row, struct symmetry *symmetry,
                    struct finding *finding);

#endif
