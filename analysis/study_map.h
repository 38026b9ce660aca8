/* SPDX-License-Identifier: MIT */
/* A field over the map of a recording as a picture with title, axes and colour
 * bar, as wide as the charts beside it. */
#ifndef HAMON_ANALYSIS_STUDY_MAP_H
#define HAMON_ANALYSIS_STUDY_MAP_H

#include "draw/figure.h"
#include "recording/recording.h"

/* Ways in which cells without a value are drawn: white, hatched, dotted. */
enum { STUDY_BLANKS = 3 };

/* What is drawn of a recording's wave: amplitudes at a step, or `values`, an
 * angle a cell in degrees, 0 to 180, NaN for none. */
struct study_map {
    const struct recording *recording;
    int wave;
    const char *name;     /* of the values, for the bar */
    const double *values; /* (ny, nx) of the map; NULL: amplitudes */
    /* (ny, nx): 0, or 1 + which of `blanks` (STUDY_BLANKS at most, then NULL)
     * says why a cell has no value; NULL: nothing is said. */
    const uint8_t *blank;
    const char *const *blanks;
    int64_t step;        /* of the amplitudes */
    const double *times; /* (ny, nx): fronts at multiples of `apart` */
    double apart;        /* are drawn as lines; NULL: none */
};

/* Writes it `width` centimetres wide or somewhat less, 300 dots an inch, with
 * letters of 7.5 points. */
enum status study_map_write(const struct study_map *map, const char *title,
                            double width, const char *software,
                            const char *path, bool force, struct error *error);

/* ---- study_map_key.c ---- */

/* Draws the cells without a value as what they are, and a key to them, to the
 * walls and the fronts, below the page. */
enum status study_map_key(struct figure *figure, const struct study_map *map,
                          struct error *error);

#endif
