/* SPDX-License-Identifier: MIT */
/* How round a front is in free space, by when it came to each cell: in 2D over
 * a ring of cells, in 3D over a shell. Directions are seen from the source: x
 * to the east, y to the north, z up (rows and layers are counted downwards). */
#ifndef HAMON_ANALYSIS_STUDY_ISOTROPY_H
#define HAMON_ANALYSIS_STUDY_ISOTROPY_H

#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>

/* A front: the moment at which it came to each cell, and where it points. */
struct isotropy {
    const struct terrain *terrain; /* walls and speeds but 1 end what is free */
    size_t source;
    const double *time; /* (nz, ny, nx), generations; INFINITY never */
    const double (*heading)[GRID_AXES];
    /* The cells that the front runs in a generation: √δ of a wave. 0 of a
     * front that runs from the source at a speed of its own in each direction,
     * as Lee's does: its radius at another time is in proportion. */
    double speed;
};

/* The front at one time: over the cells with |r − radius| ≤ 1, ρ is where it
 * stands at their mean time, r + speed·(mean T − T). */
struct ring {
    size_t cells;
    double anisotropy;      /* (max ρ − min ρ) / mean ρ */
    double mean_time;       /* generations */
    double rms, worst;      /* heading error, radians */
    double low, high, mean; /* of ρ, cells */
    /* The mean of ρ over the cells that lie exactly along the axes, the
     * diagonals of two axes and those of three; NaN where there is none. */
    double along[GRID_AXES];
};

/* False where no cell, or one that the front never reached, is in the ring. */
bool isotropy_ring(const struct isotropy *isotropy, double radius,
                   struct ring *ring);

/* A plane through the source. Angles in it run from `right` towards `up`. */
struct isotropy_section {
    const char *name;
    int across[GRID_AXES], right[GRID_AXES], up[GRID_AXES];
};

/* The planes of two axes, then those of an axis and a diagonal of the other
 * two, which hold all 13 axes and diagonals: 35.26 degrees above the diagonal
 * of two axes is one of three. 2D has the first plane alone. */
enum { ISOTROPY_FLAT = 3, ISOTROPY_SECTIONS = 9 };
extern const struct isotropy_section isotropy_sections[ISOTROPY_SECTIONS];

/* Bins of the angle round the source: 2 degrees each. */
enum { ISOTROPY_BINS = 180 };

/* By angle (bin b about b · 2 degrees from `right`, counter-clockwise), over
 * the ring's cells at most 1 off the section: the mean of ρ and the RMS heading
 * error, radians; NaN where there is no cell. */
bool isotropy_angles(const struct isotropy *isotropy,
                     const struct isotropy_section *section, double radius,
                     double rho[ISOTROPY_BINS], double error[ISOTROPY_BINS]);

/* Hammer's equal-area map of a direction (not 0): x in ±2√2, y in ±√2; east in
 * the middle, up above, north a quarter of the way round to the right. */
void isotropy_hammer(const double direction[GRID_AXES], double at[2]);

/* 3D. The map as `columns` × columns / 2 bins of the same solid angle, rows
 * from below: the mean of ρ over the shell's cells in each; NaN where there is
 * none.
 */
bool isotropy_sphere(const struct isotropy *isotropy, double radius,
                     int columns, double *rho);

/* How many columns give a shell of so many cells about 8 cells a bin: even, 16
 * to 120. */
int isotropy_columns(size_t cells);

/* The largest whole radius whose ring and what is within it lies inside the
 * map, `room` cells off its edge, free of walls and areas of other speed, and
 * reached; 0: none. The edge
 * is a mirror, so that there the front is higher, and its gradient is bent. */
int isotropy_reach(const struct isotropy *isotropy, int room);

/* With so much room heading errors of a wave from one cell are under 1e-4
 * degrees at thresholds up to 1e-2; with none they are 2 degrees. */
enum { ISOTROPY_ROOM = 4 };

/* The largest heading error of the cells within `radius`, radians. */
double isotropy_worst(const struct isotropy *isotropy, double radius);

/* Lee's front from a cell over `moves` 4 or 8, in 3D 6, 18 or 26: a cell a
 * generation, whatever the direction. 18 moves step along one axis or two, and
 * are counted as in free space: max(k₂₆, ⌈k₆/2⌉), k the generations over 26 and
 * over 6. Fills time and heading (nz, ny, nx): the way to the lowest of the 8
 * neighbours, in 3D 26, no corner cut, ties in the order of search/moves.h. */
enum status isotropy_lee(const struct terrain *terrain, size_t source,
                         int moves, double *time, double (*heading)[GRID_AXES],
                         struct error *error);

#endif
