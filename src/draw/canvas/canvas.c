/* SPDX-License-Identifier: MIT */
#include "draw/canvas/canvas.h"

void canvas_line(const struct canvas *canvas, const double from[2],
                 const double to[2], double width)
{
    page_line(canvas->page, from, to, width);
}

void canvas_disc(const struct canvas *canvas, const double at[2], double radius)
{
    page_disc(canvas->page, at, radius);
}

void canvas_ring(const struct canvas *canvas, const double at[2], double radius,
                 double width)
{
    page_ring(canvas->page, at, radius, width);
}

void canvas_triangle(const struct canvas *canvas, const double a[2],
                     const double b[2], const double c[2])
{
    const double corners[][2] = { { a[0], a[1] },
                                  { b[0], b[1] },
                                  { c[0], c[1] } };
    page_corners(canvas->page, corners, 3);
}

void canvas_corners(const struct canvas *canvas, const double (*corners)[2],
                    int count)
{
    page_corners(canvas->page, corners, count);
}

void canvas_lay(const struct canvas *canvas, const uint8_t color[3])
{
    page_lay(canvas->page, color);
}

void canvas_fill(const struct canvas *canvas, int left, int top, int width,
                 int height, const uint8_t color[3])
{
    page_fill(canvas->page, left, top, width, height, color);
}

void canvas_text(const struct canvas *canvas, double size, const char *text,
                 const double at[2], bool upward, const uint8_t color[3])
{
    page_text(canvas->page, size, text, at, upward, color);
}

void canvas_image(const struct canvas *canvas, const struct image *image,
                  int left, int top, int width, int height)
{
    page_image(canvas->page, image, (double[]){ left, top },
               (double[]){ (double)width / image->width, 0 },
               (double[]){ 0, (double)height / image->height });
}
