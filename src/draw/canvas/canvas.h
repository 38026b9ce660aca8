/* SPDX-License-Identifier: MIT */
/* The surface of a figure or a picture: a page over its image, or a page of
 * vectors. The same calls draw the same shapes on both; coordinates are pixels
 * of the image. */
#ifndef HAMON_DRAW_CANVAS_CANVAS_H
#define HAMON_DRAW_CANVAS_CANVAS_H

#include "draw/canvas/page.h"

struct canvas {
    const struct image *image; /* for its size */
    struct page *page;
};

/* Shapes are gathered, and canvas_lay draws all of them in one colour. Overlaps
 * do not add up. Lines have round ends. */
void canvas_line(const struct canvas *canvas, const double from[2],
                 const double to[2], double width);
void canvas_disc(const struct canvas *canvas, const double at[2],
                 double radius);
void canvas_ring(const struct canvas *canvas, const double at[2], double radius,
                 double width);
void canvas_triangle(const struct canvas *canvas, const double a[2],
                     const double b[2], const double c[2]);
void canvas_corners(const struct canvas *canvas, const double (*corners)[2],
                    int count);
void canvas_lay(const struct canvas *canvas, const uint8_t color[3]);

/* A rectangle of whole pixels. */
void canvas_fill(const struct canvas *canvas, int left, int top, int width,
                 int height, const uint8_t color[3]);

/* Text; its baseline runs from `at` to the right, or with `upward` towards the
 * top. */
void canvas_text(const struct canvas *canvas, double size, const char *text,
                 const double at[2], bool upward, const uint8_t color[3]);

/* The image's pixels as rectangles that fill these pixels of the canvas. */
void canvas_image(const struct canvas *canvas, const struct image *image,
                  int left, int top, int width, int height);

#endif
