/* SPDX-License-Identifier: MIT */
/* Shapes with smooth edges. They are gathered as coverage, in which overlaps do
 * not add up, and then laid onto an image in one colour. */
#ifndef HAMON_DRAW_RASTER_MASK_H
#define HAMON_DRAW_RASTER_MASK_H

#include "draw/raster/image.h"

struct mask {
    int width, height;
    uint8_t *cover; /* (height, width): 0 none … 255 all of it */
    int left, top, right, bottom; /* all nonzero pixels are within */
};

/* Empty, as large as the image it is for. Release with mask_release. */
void mask_init(struct mask *mask, int width, int height);
void mask_release(struct mask *mask);

/* Positions and lengths are in pixels; pixel (i, j) covers [i, i + 1) to the
 * right and [j, j + 1) down. The coverage of a pixel is the distance of its
 * centre inside the edge, over one pixel's width. Parts outside the image are
 * omitted. */
void mask_disc(struct mask *mask, const double at[2], double radius);
void mask_ring(struct mask *mask, const double at[2], double radius,
               double width);
/* With round ends. */
void mask_line(struct mask *mask, const double from[2], const double to[2],
               double width);
void mask_triangle(struct mask *mask, const double a[2], const double b[2],
                   const double c[2]);
/* Three or four corners of a convex shape, in clockwise order. */
enum { MASK_CORNERS = 4 };
void mask_corners(struct mask *mask, const double (*corners)[2], int count);
/* Raises the coverage of the pixel (x, y) to `cover`, 0 … 255. */
void mask_raise(struct mask *mask, int x, int y, unsigned cover);

/* Draws the shapes in a colour, and empties the mask. */
void mask_lay(struct mask *mask, struct image *image, const uint8_t color[3]);

#endif
