/* SPDX-License-Identifier: MIT */
/* A field over the map of a recording as a picture with title, axes and colour
 * bar, as wide as the charts. */
#ifndef HAMON_ANALYSIS_STUDY_MAP_H
#define HAMON_ANALYSIS_STUDY_MAP_H

#include "draw/figure/figure.h"
#include "recording/read/recording.h"
#include "view/view.h"

/* Kinds of cells without a value. Without colours the first is white, the
 * second hatched, the third dotted, and there are no more. */
enum { STUDY_KINDS = 8 };

/* The drawn field of a recording's wave: amplitudes at a step; or `values`, an
 * angle for each cell in degrees, 0 to 180, NaN for none; or with `colours`
 * only the kinds of the cells. */
struct study_map {
    const struct recording *recording;
    struct view_place place; /* the plane drawn in 3D, or */
    bool oblique;            /* several layers, as hamon-slice --oblique */
    int wave;
    const char *name;     /* of the values, for the bar */
    const double *values; /* (nz, ny, nx) of the map; NULL: amplitudes */
    /* (nz, ny, nx): 0, or 1 + the cell's kind, whose name is below the map;
     * NULL: there are none. */
    const uint8_t *kind;
    const char *const *kinds;
    const uint8_t (*colours)[3]; /* of the kinds; NULL: patterns */
    int64_t step;                /* of the amplitudes */
    const double *times; /* (nz, ny, nx): fronts at multiples of `apart` */
    double apart;        /* are drawn as lines; NULL: none */
};

/* Writes a PNG of it with a width of at most `width` centimetres, 300 dots an
 * inch, with letters of 7.5 points. */
enum status study_map_write(const struct study_map *map, const char *title,
                            double width, const char *software,
                            struct output *output, struct error *error);

#endif
