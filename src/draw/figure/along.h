/* SPDX-License-Identifier: MIT */
/* What a figure draws over a line over time (view/along.h): where agents and
 * target are along the line at each step, its bends, and the speed of the
 * wave. Positions are a column and a row of the view. */
#ifndef HAMON_DRAW_FIGURE_ALONG_H
#define HAMON_DRAW_FIGURE_ALONG_H

#include "draw/figure/overlay.h"
#include "view/along.h"

/* Where a track begins on the picture, and where an agent is captured or
 * stuck. */
struct along_mark {
    enum mark mark; /* MARK_COUNT: none, it comes to the line from beside it */
    double at[2];
    const struct track *track;
    int64_t step;
};

/* From an emission on the line along its longer part, at the wave's speed,
 * until the line's end or the next emission that is shown. */
struct along_front {
    double from[2], to[2];
};

struct along_lines {
    double bend[ALONG_POINTS]; /* columns */
    int bends;
    double speed; /* cells a step; NaN: they differ along the line */
    struct along_front *fronts;
    struct along_mark *marks;
    size_t front_count, mark_count;
};

/* Reads what there is to draw. Of the tracks of these agents (count 0: all;
 * `tracks` NULL: none is read) at[0] and at[1] become column and row; NaN
 * where it is not near the line, after its capture, and of a target that does
 * not move after its first row. They have the rows of the recording up to the
 * last step of the picture. Release with along_release and tracks_release,
 * after a failure too. */
enum status along_read(const struct view *view, const char *const *agents,
                       size_t agent_count, struct tracks *tracks,
                       struct along_lines *lines, struct error *error);
void along_release(struct along_lines *lines);

/* A speed of so many cells a step in the units of the view's axes, and their
 * name: "cells a step", "m/s". */
double along_speed(const struct view *view, double cells, char *unit,
                   size_t size);

/* Is a front long enough to be seen? */
bool along_shows(const struct pen *pen, const struct along_front *front);

/* Draws bends, fronts, and the lines and marks of the tracks. */
void along_draw(const struct pen *pen, const struct along_lines *lines,
                const struct tracks *tracks);

/* The sign of a bend: a line to `bottom` with a point at its upper end. */
void along_bend(const struct pen *pen, const double top[2], double bottom);

#endif
