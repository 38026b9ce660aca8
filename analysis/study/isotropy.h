/* SPDX-License-Identifier: MIT */
/* The roundness of a front in free space, from its arrival time at each cell:
 * in 2D over a ring of cells, in 3D over a shell. Directions are relative to
 * the source: x to the east, y to the north, z up (rows and layers are counted
 * downwards). */
#ifndef HAMON_ANALYSIS_STUDY_ISOTROPY_H
#define HAMON_ANALYSIS_STUDY_ISOTROPY_H

#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>

/* A front: its arrival time and heading at each cell. */
struct isotropy {
    const struct terrain *terrain; /* walls and speeds ≠ 1 end free space */
    size_t source;
    const double *time; /* (nz, ny, nx), generations; INFINITY never */
    const double (*heading)[GRID_AXES];
    /* The radius is proportional to the time in each direction, exactly, as
     * that of Lee's fronts is: ρ = r·(mean T)/T, which needs no cell beyond the
     * ring. */
    bool proportional;
};

/* The front at one time, the mean T of the cells with |r − radius| ≤ 1. ρ is
 * its distance from the source along the line through each of these cells: on
 * this line T and r are interpolated linearly where it crosses the planes of
 * cells across its longest axis, and between two such crossings. As both are
 * interpolated alike, a front with T = a + b·r has the same ρ everywhere. */
struct ring {
    size_t cells;
    double anisotropy;      /* (max ρ − min ρ) / mean ρ */
    double mean_time;       /* generations */
    double rms, worst;      /* heading error, radians */
    double low, high, mean; /* of ρ, cells */
    /* The mean of ρ over the cells exactly on the axes, on the diagonals of two
     * axes and on those of three; NaN if there is none. */
    double along[GRID_AXES];
};

/* False if the ring has no cell or has the source, or if it or the whole front
 * at its mean time is at cells outside the map or never reached. */
bool isotropy_ring(const struct isotropy *isotropy, double radius,
                   struct ring *ring);

/* A plane through the source. Angles in it run from `right` towards `up`. */
struct isotropy_section {
    const char *name;
    int across[GRID_AXES], right[GRID_AXES], up[GRID_AXES];
};

/* The planes of two axes, then those of an axis and a diagonal of the other
 * two, which contain all 13 axes and diagonals: 35.26 degrees above the
 * diagonal of two axes is one of three. 2D has only the first plane. */
enum { ISOTROPY_FLAT = 3, ISOTROPY_SECTIONS = 9 };
extern const struct isotropy_section isotropy_sections[ISOTROPY_SECTIONS];

/* Bins of the angle round the source: 2 degrees each. */
enum { ISOTROPY_BINS = 180 };

/* By angle (bin b about b · 2 degrees from `right`, counter-clockwise), over
 * the ring's cells at most 1 off the section: the mean of ρ and the RMS heading
 * error, radians; NaN if there is no cell. */
bool isotropy_angles(const struct isotropy *isotropy,
                     const struct isotropy_section *section, double radius,
                     double rho[ISOTROPY_BINS], double error[ISOTROPY_BINS]);

/* Hammer's equal-area map of a direction (not 0): x in ±2√2, y in ±√2; east in
 * the middle, up above, north a quarter turn to the right. */
void isotropy_hammer(const double direction[GRID_AXES], double at[2]);

/* 3D. The map as `columns` × columns / 2 bins of the same solid angle, rows
 * from below: the mean of ρ over the shell's cells in each; NaN if there is
 * none. */
bool isotropy_sphere(const struct isotropy *isotropy, double radius,
                     int columns, double *rho);

/* The number of columns that gives a shell of so many cells about 8 cells a
 * bin: even, 16 to 120. */
int isotropy_columns(size_t cells);

/* The largest integer radius such that the ring, the whole front at its mean
 * time and their interior are inside the map, `room` cells from its edge, free
 * of walls and areas of other speed, and reached; 0: none. The edge is a
 * mirror, so the front is higher there, and its gradient is bent. */
int isotropy_reach(const struct isotropy *isotropy, int room);

/* With this room heading errors of a wave from one cell are under 1e-4 degrees
 * at thresholds up to 1e-2; with none they are 2 degrees. */
enum { ISOTROPY_ROOM = 4 };

/* The largest heading error of the cells within `radius`, radians. */
double isotropy_worst(const struct isotropy *isotropy, double radius);

/* Lee's front from a cell over `moves` 4 or 8, in 3D 6, 18 or 26: one move a
 * generation in any direction. 18 moves step along one or two axes; their
 * number is that of free space: max(k₂₆, ⌈k₆/2⌉), k the generations over 26 and
 * over 6. Fills time and heading (nz, ny, nx): the direction to the lowest of
 * the 8 neighbours, in 3D 26, no corner cut, ties in the order of
 * search/moves.h. */
enum status isotropy_lee(const struct terrain *terrain, size_t source,
                         int moves, double *time, double (*heading)[GRID_AXES],
                         struct error *error);

#endif
