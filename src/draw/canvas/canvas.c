/* SPDX-License-Identifier: MIT */
#include "draw/canvas/canvas.h"

#include <string.h>

void canvas_line(const struct canvas *canvas, const double from[2],
                 const double to[2], double width)
{
    if (canvas->page)
        page_line(canvas->page, from, to, width);
    else
        mask_line(canvas->mask, from, to, width);
}

void canvas_disc(const struct canvas *canvas, const double at[2], double radius)
{
    if (canvas->page)
        page_disc(canvas->page, at, radius);
    else
        mask_disc(canvas->mask, at, radius);
}

void canvas_ring(const struct canvas *canvas, const double at[2], double radius,
                 double width)
{
    if (canvas->page)
        page_ring(canvas->page, at, radius, width);
    else
        mask_ring(canvas->mask, at, radius, width);
}

void canvas_triangle(const struct canvas *canvas, const double a[2],
                     const double b[2], const double c[2])
{
    const double corners[][2] = { { a[0], a[1] },
                                  { b[0], b[1] },
                                  { c[0], c[1] } };
    if (canvas->page)
        page_corners(canvas->page, corners, 3);
    else
        mask_triangle(canvas->mask, a, b, c);
}

void canvas_corners(const struct canvas *canvas, const double (*corners)[2],
                    int count)
{
    if (canvas->page)
        page_corners(canvas->page, corners, count);
    else
        mask_corners(canvas->mask, corners, count);
}

void canvas_lay(const struct canvas *canvas, const uint8_t color[3])
{
    if (canvas->page)
        page_lay(canvas->page, color);
    else
        mask_lay(canvas->mask, canvas->image, color);
}

void canvas_fill(const struct canvas *canvas, int left, int top, int width,
                 int height, const uint8_t color[3])
{
    if (canvas->page)
        page_fill(canvas->page, left, top, width, height, color);
    else
        image_fill(canvas->image, left, top, width, height, color);
}

void canvas_text(const struct canvas *canvas, struct font *font, double size,
                 const char *text, const double at[2], bool upward,
                 const uint8_t color[3])
{
    if (canvas->page) {
        page_text(canvas->page, size, text, at, upward, color);
        return;
    }
    text_draw(font, size, text, canvas->mask, at, upward);
    mask_lay(canvas->mask, canvas->image, color);
}

void canvas_image(const struct canvas *canvas, const struct image *image,
                  int left, int top, int width, int height)
{
    if (canvas->page) {
        page_image(canvas->page, image, (double[]){ left, top },
                   (double[]){ (double)width / image->width, 0 },
                   (double[]){ 0, (double)height / image->height });
        return;
    }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            memcpy(image_at(canvas->image, left + x, top + y),
                   image_at(image, (int)((int64_t)x * image->width / width),
                            (int)((int64_t)y * image->height / height)),
                   3);
}
