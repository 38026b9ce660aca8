/* SPDX-License-Identifier: MIT */
/* The origin of the waves at a cell: image sources.
 *
 * A straight wall is a mirror. Between fixed walls the field is the free-space
 * field of the source and of its mirror images, each with a factor −1 for each
 * wall in which it was mirrored; a free wall, or the map's edge, keeps the
 * sign. On the lattice this is exact, not only far from the walls: fixed walls
 * mirror about their own nodes (where z = 0), free ones half-way between the
 * last free cell and the wall. So z(t) at a cell is the sum over images of
 * ±G(t, Δx, Δy), G the discrete wave of the same source in free space. */
#ifndef HAMON_ANALYSIS_MODES_ECHOES_H
#define HAMON_ANALYSIS_MODES_ECHOES_H

#include "analysis/modes/field.h"

enum { ECHOES = 6, IMAGE_WALLS = 24 };

struct image_source {
    int along, across; /* cells from the cell to the image, ≥ 0 */
    int sign, reflections;
    /* The walls that a wave meets on its path, those across first: "NS+E" is
     * the north, the south and the east wall; "direct". */
    char walls[IMAGE_WALLS];
    double *part;    /* (steps): its part of the trace; of echoes.parts */
    int64_t arrival; /* the step of its crest: of its largest |part| */
};

/* An arrival of a trace that can be separated in the images' sum. */
struct echo {
    struct image_source image;
    double measured; /* the step of the largest |trace − all other images| */
    double crest;    /* the part at the arrival */
    double trace;    /* the recorded amplitude at the arrival */
};

struct echoes {
    int x, y;
    int64_t steps;    /* from the emission until the end of the echoes */
    double *trace;    /* (steps): recorded */
    double *envelope; /* (steps): of its analytic signal */
    double *sum;      /* (steps): of all images */
    /* (steps): the energy flux −∂z/∂t·∇z: its angle to the corridor's axis in
     * degrees (0 towards higher cells, 90 to the right of that direction), NaN
     * if it is below 1e-3 of its largest. */
    double *flux;
    struct echo echo[ECHOES + 1]; /* the direct wave, then echoes by arrival */
    int count;
    size_t images;
    double rest; /* largest |trace − sum| over the largest |trace| */
    double *parts;
};

/* Of the cell (x, y). STATUS_INPUT if it or the source is not in the corridor,
 * if the source is not one cell, or if an adjacent cell was not recorded.
 * Release with echoes_release, after a failure too. */
enum status echoes_find(const struct corridor_field *field, int x, int y,
                        struct echoes *echoes, struct error *error);
void echoes_release(struct echoes *echoes);

/* ---- for its test ---- */

/* Along one axis: the positions of a source and of its images between two
 * mirrors next to the cells 0 and length − 1 (BOUNDARY_OPEN: none), each with
 * at most `most` reflections and within `reach` cells of `cell`. `letters` name
 * the mirrors. Returns their number, at most `room`. */
struct mirrored {
    int at, sign, reflections;
    char walls[IMAGE_WALLS / 2];
};
size_t mirror_images(int source, int cell, int length,
                     const enum boundary mirrors[2], const char *letters,
                     int most, int64_t reach, struct mirrored *out,
                     size_t room);

#endif
