/* SPDX-License-Identifier: MIT */
/* The law of a recording's waves, implemented a second time.
 *
 *   z[k+1] = d·S + (c·z[k] − a·z[k−1])
 *
 * cell by cell from docs/explanation/wave.md, without any code of the
 * stepper: a check that copied it would repeat its errors. All values are
 * stored as double and rounded to the run's precision after each operation,
 * which gives the same bits as float arithmetic: 53 ≥ 2·24 + 2. */
#ifndef HAMON_ANALYSIS_CHECK_LAW_H
#define HAMON_ANALYSIS_CHECK_LAW_H

#include "base/status.h"
#include "wave/step/stencil.h"
#include "world/grid.h"

#include <stdbool.h>
#include <stdint.h>

enum law_source {
    LAW_IMPULSE,
    LAW_REST,
    LAW_GAUSSIAN,
    LAW_RICKER,
    LAW_SIGNAL,
    LAW_MODE
};

struct law {
    struct grid grid;      /* of the map, or of a part of it */
    int origin[GRID_AXES]; /* the cell of the map at which it begins */
    const struct stencil *stencil;
    double delta;     /* δ */
    double loss;      /* m = μΔt/2 */
    double amplitude; /* A */
    bool free_walls, conservative;
    /* The map's open sides, 1 << direction. What is beyond them is not
     * recorded, so cells there are not compared. */
    unsigned open;
    struct grid map;
    bool areas;  /* cells have their own speeds */
    bool single; /* precision */
    bool flush;  /* of denormals; the caller has set its thread accordingly */
    /* Flushes as the other kind of processors does (law_early). */
    bool other;
    enum law_source source;
    double sigma, wavelength; /* cells */
    const char *signal;       /* "[0.5, 1.0]", of LAW_SIGNAL; borrowed */
    /* Of LAW_MODE: the cells of the map in which the mode is added. They are
     * not computed here, but compared with a second run. */
    struct box section[2];
};

/* The maximum relative error of one rounding in the run's arithmetic: 2⁻²⁴ or
 * 2⁻⁵³. */
double law_roundoff(const struct law *law);

/* The predicted value below which a front is not tested: 2⁻¹²⁰ or 2⁻¹⁰²⁰. */
double law_least(const struct law *law);

/* Does this processor flush a result to 0 that is below 2⁻¹²⁶ before it is
 * rounded (arm64), or only one that still is after it (amd64)? */
extern const bool law_early;

/* `value` rounded once to the run's precision. */
double law_rounded(const struct law *law, double value);

/* One version of the map, prepared for the law: for each cell and each point p
 * of the stencil the cell that is seen there. This is the neighbour; the cell
 * itself if a mirror (the map's edge, a free wall) returns its own value; for
 * an edge or corner next to mirrors the cell onto which it folds (wave/wave.h).
 * Maps may have a hundred million cells, so only a few bytes are stored for
 * each: the axes (a bit each) along which the cell seen at a point is
 * displaced. */
struct ground {
    size_t points;  /* of the stencil */
    uint8_t *wall;  /* (cells), as recorded */
    double *speed;  /* (cells), c of the cell over the medium's c; NULL: 1 */
    double fastest; /* the largest δᵢ of the free cells */
    uint8_t *seen;  /* (cells, points) */
    int32_t away[STENCIL_POINTS][1 << GRID_AXES]; /* in cells, by those bits */
};

static inline int32_t ground_seen(const struct ground *ground, size_t cell,
                                  int point)
{
    return (int32_t)cell +
           ground->away[point]
                       [ground->seen[cell * ground->points + (size_t)point]];
}

/* All free and of speed 1 until wall and speed (allocated if law->areas) are
 * filled and ground_build is called. Release with ground_release. */
void ground_init(const struct law *law, struct ground *ground);
void ground_release(struct ground *ground);

/* Fills the rest from wall and speed. */
void ground_build(const struct law *law, struct ground *ground);

/* δᵢ of a cell. */
double ground_delta(const struct law *law, const struct ground *ground,
                    size_t cell);

/* A link of the graph whose Laplacian is Lz = Σ w(z' − z). In the conservative
 * form w includes the face's δ. */
struct link {
    int32_t cell; /* −1: a fixed wall, z' = 0 */
    double weight;
};

/* The links of a free cell; mirrors have none. Returns their number. */
int ground_links(const struct law *law, const struct ground *ground,
                 size_t cell, struct link links[STENCIL_POINTS]);

/* The coefficients of a free cell, rounded: d (1 in the conservative form), c,
 * a, and the factor of the value seen at point p inside S. */
struct law_weights {
    double d, c, a, point[STENCIL_POINTS];
};
void law_weigh(const struct law *law, const struct ground *ground, size_t cell,
               struct law_weights *weights);

/* The error of the coefficients for a constant field: c plus all factors of
 * z[k] round it, minus 2. A field's mean grows by it. */
double law_excess(const struct law *law, const struct law_weights *weights);

/* z[k+1] of one cell, from the field z[k] over the whole grid and the cell's
 * own z[k−1]. */
double law_next(const struct law *law, const struct ground *ground,
                const double *now, double before, size_t cell);

/* The same by these coefficients. */
double law_next_by(const struct law *law, const struct ground *ground,
                   const struct law_weights *weights, const double *now,
                   double before, size_t cell);

/* z of a cell at the generation of an emission from `source`. */
double law_emitted(const struct law *law, const uint8_t *wall, size_t source,
                   size_t cell);

/* Does the source add to its cell at ages k ≥ 1? */
static inline bool law_drives(const struct law *law)
{
    return law->source == LAW_RICKER || law->source == LAW_SIGNAL;
}

/* The value of the cell of such a source at age k ≥ 1, if the law without it
 * gives `value`. */
double law_driven(const struct law *law, const struct ground *ground,
                  size_t source, double value, int64_t age);

/* The gradient's component along `axis` in one cell. */
double law_gradient(const struct law *law, const struct ground *ground,
                    const double *field, size_t cell, int axis);

#endif
