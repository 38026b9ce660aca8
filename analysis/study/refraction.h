/* SPDX-License-Identifier: MIT */
/* Where a path crosses a straight side of an area of another speed, and by how
 * much it bends there. 2D and 3D. */
#ifndef HAMON_ANALYSIS_STUDY_REFRACTION_H
#define HAMON_ANALYSIS_STUDY_REFRACTION_H

#include "analysis/study/polyline.h"

/* The side is straight, and the path has one speed, within so many cells of the
 * crossing, on both sides. */
#define REFRACTION_REACH 5

/* Angles between the side's normal and the path's chord of this length, in
 * degrees: where waves are faster, and where they are slower. */
struct refraction {
    double at[GRID_AXES];
    double fast, slow; /* speeds */
    double fast_angle, slow_angle;
    double law; /* of slow_angle, by Snell's law from fast_angle */
};

/* Appends the path's crossings to *found, of which *count exist in *room
 * places; need_more of base/need.h. */
void refraction_add(const struct polyline *path, const struct terrain *terrain,
                    struct refraction **found, size_t *count, size_t *room);

#endif
