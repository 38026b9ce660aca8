/* SPDX-License-Identifier: MIT */
/* A 3D field seen from outside, by parallel rays: the cells whose values are
 * beyond a level as opaque cubes, walls as tinted glass. Each ray goes from
 * cell to cell (Amanatides and Woo 1987), so the picture shows the recorded
 * cells. Instead of the cubes there can be the smooth surface of surface.h. */
#ifndef HAMON_DRAW_FIGURE_SOLID_H
#define HAMON_DRAW_FIGURE_SOLID_H

#include "draw/canvas/page.h"
#include "draw/colormap/colormap.h"
#include "draw/colormap/scale.h"
#include "draw/figure/projection.h"
#include "draw/raster/image.h"

#include <stdbool.h>

/* The viewing direction, in degrees. At azimuth 0 from the front, with x to the
 * right; positive turns the viewer counter-clockwise as seen from above.
 * Elevation 0 is level with it, 90 from above, −90 from below. */
struct solid_sight {
    double azimuth, elevation;
};

/* The opaque cells; NaN never is opaque, a wall only by its own rule. */
enum solid_rule {
    SOLID_FROM,  /* value ≥ level */
    SOLID_UP_TO, /* value ≤ level */
    SOLID_SIZE,  /* |value| ≥ level */
    SOLID_WALLS, /* only walls */
};

/* The field to be drawn. The arrays are borrowed. */
struct solid_field {
    const double *values; /* (nz, ny, nx) of the region */
    const uint8_t *wall;  /* (nz, ny, nx), ≠ 0 is wall */
    bool walls;           /* walls are drawn as glass */
    enum solid_rule rule;
    double level;
    bool smooth; /* a surface instead of cubes; not for SOLID_WALLS */
};

struct solid {
    struct box region; /* of the world, the arrays' part */
    struct box box;    /* the visible part of it */
    struct projection projection;
    int width, height;                         /* pixels */
    double cell;                               /* pixels */
    double across[GRID_AXES], down[GRID_AXES]; /* the picture's axes */
    double into[GRID_AXES];                    /* along the rays */
    double nearest, farthest; /* of the box, in cells along `into` */
    float *depth;        /* (height, width): of opaque cells; INFINITY: none */
    const uint8_t *wall; /* of the last field painted */
};

/* The width and height of the picture of the box, in cells. */
void solid_extent(const struct box *box, const struct solid_sight *sight,
                  double size[2]);

/* Lays out the picture of `box`, `cell` pixels a cell, with a margin of
 * `margin` pixels. Release with solid_release, after a failure too. */
enum status solid_init(struct solid *solid, const struct box *region,
                       const struct box *box, const struct solid_sight *sight,
                       double cell, double margin, struct error *error);
void solid_release(struct solid *solid);

/* Paints the field over the present content of the image (height, width). Faces
 * differ in brightness, and farther cells are darker. */
void solid_paint(struct solid *solid, const struct solid_field *field,
                 const struct scale *scale, const struct ramp *ramp,
                 struct image *image);

/* Adds the box's edges: those behind the field, or its outline. */
void solid_edges(const struct solid *solid, bool behind, struct page *page,
                 double width);

/* Is the position in the box, or less than half a cell from it? */
bool solid_holds(const struct solid *solid, const double world[GRID_AXES]);

/* Is the position behind opaque cells? After solid_paint. */
bool solid_hides(const struct solid *solid, const double world[GRID_AXES]);

/* The z at which an object that falls from there meets a wall or the bottom of
 * the box. After solid_paint. */
double solid_ground(const struct solid *solid, const double world[GRID_AXES]);

#endif
