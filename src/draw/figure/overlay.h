/* SPDX-License-Identifier: MIT */
/* The drawings over a field: agents, trails, paths, arrows, the front. */
#ifndef HAMON_DRAW_FIGURE_OVERLAY_H
#define HAMON_DRAW_FIGURE_OVERLAY_H

#include "draw/canvas/page.h"
#include "draw/figure/contour.h"
#include "draw/figure/marks.h"
#include "draw/figure/projection.h"
#include "draw/figure/solid.h"
#include "draw/figure/streamlines.h"
#include "view/layers.h"
#include "view/plans.h"
#include "view/tracks.h"

#include <stdbool.h>

/* How agents are drawn. Without text beside them an agent is known by its
 * colour and shape; with text its mark is by its state: of a few each has its
 * name, of some a number, of many none. */
enum crowd { CROWD_BARE, CROWD_FEW, CROWD_SOME, CROWD_MANY };

enum { CROWD_NAMED_MOST = 5, CROWD_LISTED_MOST = 20 };

/* By their number, for a figure with text. */
enum crowd crowd_of(size_t agents);

/* The common settings of all of them. Lines have a casing of contrasting
 * brightness, so that they are visible on any colour. */
struct pen {
    struct page *page; /* no shape remains gathered after a call */
    double size[2];    /* of the picture, pixels */
    const struct projection *projection;
    double em;    /* pixels: the size of the text, the unit of other sizes */
    double point; /* pixels: of paper; em is less in a small picture */
    /* The visible layers of a 3D map: agents on none of them are drawn hollow,
     * their lines dotted. NULL: all is visible. */
    const struct layers *layers;
    bool oblique; /* a sign on no layer has a stem to the next one below */
    /* All behind its opaque cells is drawn hollow and dotted; each other sign
     * has a stem to the ground. NULL: not a view from outside. */
    const struct solid *solid;
    double origin[2]; /* of arrows and squares: the first cell's outer corner */
    enum crowd crowd;
    bool starts; /* are drawn: they show who of CROWD_SOME is waiting */
    bool ended;  /* the row is the run's last: who walks has not finished */
};

/* The colour of an agent by its number: those of Okabe and Ito, which
 * colour-blind readers can distinguish, repeated after the last. The target
 * (−1) is white. */
const uint8_t *overlay_color(int agent);

/* Its shape: it changes each time that the colours repeat, so that agents of
 * one colour differ, without colours too. Their trails are unbroken, dashed and
 * dotted on black. All shapes have the area of a disc. */
enum overlay_shape {
    OVERLAY_DISC,
    OVERLAY_SQUARE,
    OVERLAY_TRIANGLE,
    OVERLAY_SHAPES
};
enum { OVERLAY_CORNERS = 4 }; /* at most */
extern const char *const overlay_shape_names[];
enum overlay_shape overlay_shape(int agent);

/* The corners of a square or a triangle round (0, 0) whose area is that of a
 * disc of radius 1; returns their number, 0 for a disc. */
int overlay_corners(enum overlay_shape shape, const double (**corners)[2]);

/* For each agent a disc, or its shape, with a nose along its heading; for the
 * target concentric rings. They are hollow on no layer. */
void overlay_agents(const struct pen *pen, const struct tracks *tracks,
                    int64_t row);

/* Is any of them, at any row up to this one, on no layer? */
bool overlay_any_elsewhere(const struct layers *layers,
                           const struct tracks *tracks, int64_t row);

/* One of them at any position, and a ring between dots: for legends. */
void overlay_agent(const struct pen *pen, int number, const double at[2]);
void overlay_elsewhere(const struct pen *pen, const double at[2]);
double overlay_agent_radius(double em);

/* The radius of an agent's drawing round its position: its disc, its nose,
 * their edges. */
double overlay_agent_reach(double em);

/* The relay nodes of each walker's route at the step: its sign, small, and
 * larger at its next node. */
void overlay_nodes(const struct pen *pen, const struct plans *plans,
                   const struct tracks *tracks, int64_t step);

/* The cell in column x and row y: a square, yellow or green, over its middle
 * three fifths; none for PINCER_WHITE. */
void overlay_square(const struct pen *pen, int x, int y, int cell, int color);
const uint8_t *overlay_square_color(int color);

/* Arrows over a plane of (ny, nx), a cell `cell` pixels wide, about `apart`
 * cells apart (0: 1.4 em), in cells without a wall; every corridor longer than
 * 1.5 times that has one. `right` and `down` are the components of each cell's
 * arrow, in units of the longest arrow that fits; NaN and arrows shorter than a
 * tenth are omitted. wall may be NULL. `room` is for 2·ny·nx numbers, of which
 * the first ny·nx are then below 0 for cells with an arrow. Returns the number
 * of cells without a wall that have an arrow of a tenth or longer. */
size_t overlay_arrows(const struct pen *pen, const double *right,
                      const double *down, const uint8_t *wall, int nx, int ny,
                      int cell, int apart, int32_t *room);

/* Streamlines of the vectors, with small heads, of cells `cell` pixels wide:
 * about `apart` cells apart (0: 1.1 em), at least half an em. `lines` is room,
 * to be released. */
void overlay_streamlines(const struct pen *pen, const struct vectors *vectors,
                         int cell, int apart, struct streamlines *lines);

/* The pieces, on a plane whose first cell's outer corner is at `origin`;
 * `right` is the vector to the next column and `down` to the next row, in
 * pixels. */
void overlay_contour(const struct pen *pen, const struct contour *contour,
                     const double origin[2], const double right[2],
                     const double down[2]);

/* The same for the edges of walls of this colour, from contour_add_walls, in
 * thin lines. */
void overlay_walls(const struct pen *pen, const struct contour *contour,
                   const double origin[2], const double right[2],
                   const double down[2], const uint8_t color[3]);

double overlay_start_reach(enum crowd crowd, double em);

/* Moves a sign at the edge of a picture of this size in, so that all of it is
 * visible; a sign outside remains there. */
void overlay_keep_whole(const double size[2], double reach, double at[2]);

/* Where an agent was first; of CROWD_SOME with room for its number. */
void overlay_starts(const struct pen *pen, const struct tracks *tracks);

/* The mark of a track at a row. */
enum mark overlay_mark(const struct track *track, int64_t row, bool ended);

/* The line of each track up to and including the row, with gaps where x is
 * NaN. */
void overlay_trails(const struct pen *pen, const struct tracks *tracks,
                    int64_t row);

/* The path that each agent follows at the step: dashes along its cells. */
void overlay_paths(const struct pen *pen, const struct plans *plans,
                   const struct tracks *tracks, int64_t step);

/* The edge of an area through these pixels, closed. */
void overlay_outline(const struct pen *pen, const double (*pixels)[2],
                     size_t count);

/* A piece of an agent's trail, from pixel to pixel. */
void overlay_trail(const struct pen *pen, int agent, const double from[2],
                   const double to[2]);

/* The edge of an area: dashes from pixel to pixel. */
void overlay_dashes(const struct pen *pen, const double from[2],
                    const double to[2]);

/* From pixel to pixel, for legends. */
void overlay_dots(const struct pen *pen, const double from[2],
                  const double to[2], const uint8_t *color);

#endif
