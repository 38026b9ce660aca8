/* SPDX-License-Identifier: MIT */
/* What is drawn over a field: agents, trails, paths, arrows, the front. */
#ifndef HAMON_DRAW_FIGURE_OVERLAY_H
#define HAMON_DRAW_FIGURE_OVERLAY_H

#include "draw/canvas/canvas.h"
#include "draw/figure/contour.h"
#include "draw/figure/solid.h"
#include "draw/figure/stage.h"
#include "view/layers.h"
#include "view/plans.h"
#include "view/tracks.h"

#include <stdbool.h>

/* What all of it is drawn with. Lines have a casing of the other brightness,
 * so that they show on any colour. */
struct pen {
    struct canvas canvas; /* nothing is gathered before and after each call */
    const struct stage *stage;
    double em; /* pixels: what sizes go by, the size of the text */
    /* What is seen of a 3D map: what stands on none of it is drawn hollow,
     * ways dotted. NULL: all of it. */
    const struct layers *layers;
    bool oblique; /* what stands on none has a stem to the next below */
    /* What is behind its opaque cells is drawn hollow and dotted, and each sign
     * that is not has a stem to the ground. NULL: not a view from outside. */
    const struct solid *solid;
};

/* The colour of an agent by its number: those of Okabe and Ito, told apart by
 * the colour-blind, round again after the last. The target (−1) is white. */
const uint8_t *overlay_color(int agent);

/* Its shape: another each time that the colours go round again, so that those
 * of one colour are told apart, without colours too. Their trails are unbroken,
 * dashed and dotted on black. Their area is that of a disc. */
enum overlay_shape {
    OVERLAY_DISC,
    OVERLAY_SQUARE,
    OVERLAY_TRIANGLE,
    OVERLAY_SHAPES
};
extern const char *const overlay_shape_names[];
enum overlay_shape overlay_shape(int agent);

/* The corners of a square or a triangle round (0, 0) whose area is that of a
 * disc of radius 1; their count, 0 for a disc. */
int overlay_corners(enum overlay_shape shape, const double (**corners)[2]);

/* A disc, or its shape, for each agent with a nose along its heading, a bull's
 * eye for the target; hollow where they stand on no layer. */
void overlay_agents(const struct pen *pen, const struct tracks *tracks,
                    int64_t row);

/* Does any of them, at any row up to this one, stand on no layer? */
bool overlay_any_elsewhere(const struct layers *layers,
                           const struct tracks *tracks, int64_t row);

/* One of them, anywhere, and a ring amid dots: for legends. */
void overlay_agent(const struct pen *pen, int number, const double at[2]);
void overlay_elsewhere(const struct pen *pen, const double at[2]);
double overlay_agent_radius(double em);

/* How far from its place an agent is drawn: its disc, its nose, their edges. */
double overlay_agent_reach(double em);

/* The relay nodes of each walker's route at the step: its sign, small, and
 * larger where it is to go. */
void overlay_nodes(const struct pen *pen, const struct plans *plans,
                   const struct tracks *tracks, int64_t step);

/* The cell in column x and row y: a square, yellow or green, over its middle
 * three fifths; none for PINCER_WHITE. */
void overlay_square(const struct pen *pen, int x, int y, int cell, int color);
const uint8_t *overlay_square_color(int color);

/* Arrows over a plane of (ny, nx), a cell `cell` pixels wide, about `apart`
 * cells apart (0: 1.4 em), in cells without a wall; every corridor that is
 * longer than 1.5 times that has one. `right` and `down` are the components of
 * each cell's, 1 being as long as there is room; NaN and what is shorter than a
 * tenth is left out. wall may be NULL. `room` is for 2·ny·nx numbers, of which
 * the first ny·nx are then below 0 where an arrow stands. Returns how many
 * cells without a wall have a direction of a tenth or more. */
size_t overlay_arrows(const struct pen *pen, const double *right,
                      const double *down, const uint8_t *wall, int nx, int ny,
                      int cell, int apart, int32_t *room);

/* The pieces, on a plane whose first cell's outer corner is at `origin`; the
 * next column is `right` away and the next row `down`, in pixels. */
void overlay_contour(const struct pen *pen, const struct contour *contour,
                     const double origin[2], const double right[2],
                     const double down[2]);

/* Likewise the edges of walls of this colour, of contour_add_walls, thin. */
void overlay_walls(const struct pen *pen, const struct contour *contour,
                   const double origin[2], const double right[2],
                   const double down[2], const uint8_t color[3]);

/* The way of each track up to and with the row. */
void overlay_trails(const struct pen *pen, const struct tracks *tracks,
                    int64_t row);

/* The path that each agent follows at the step: dashes along its cells. */
void overlay_paths(const struct pen *pen, const struct plans *plans,
                   const struct tracks *tracks, int64_t step);

/* From pixel to pixel, for legends. */
void overlay_dots(const struct pen *pen, const double from[2],
                  const double to[2], const uint8_t *color);

#endif
