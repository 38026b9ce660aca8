/* SPDX-License-Identifier: MIT */
#include "draw/raster/mask.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <string.h>

static void empty(struct mask *mask)
{
    mask->left = mask->width;
    mask->top = mask->height;
    mask->right = mask->bottom = 0;
}

void mask_init(struct mask *mask, int width, int height)
{
    size_t pixels;
    *mask = (struct mask){ .width = width, .height = height };
    if (size_multiply((size_t)width, (size_t)height, &pixels))
        mask->cover = need_memory(pixels, 1);
    empty(mask);
}

void mask_release(struct mask *mask)
{
    memory_release(mask->cover);
    *mask = (struct mask){ 0 };
}

/* The pixels that a shape may touch. */
struct extent {
    int left, top, right, bottom;
};

static int within(double value, int most)
{
    return value > 0 ? value < most ? (int)value : most : 0;
}

static struct extent extent_of(struct mask *mask, double left, double top,
                               double right, double bottom)
{
    struct extent extent = {
        within(floor(left), mask->width),
        within(floor(top), mask->height),
        within(ceil(right), mask->width),
        within(ceil(bottom), mask->height),
    };
    if (extent.left >= extent.right || extent.top >= extent.bottom)
        return (struct extent){ 0, 0, 0, 0 };
    mask->left = extent.left < mask->left ? extent.left : mask->left;
    mask->top = extent.top < mask->top ? extent.top : mask->top;
    mask->right = extent.right > mask->right ? extent.right : mask->right;
    mask->bottom = extent.bottom > mask->bottom ? extent.bottom : mask->bottom;
    return extent;
}

/* Covers a pixel whose centre is `inside` pixels within the edge. */
static void cover(struct mask *mask, int x, int y, double inside)
{
    double part = inside + .5;
    part = part > 1 ? 1 : part;
    if (!(part > 0))
        return;
    uint8_t value = (uint8_t)(255 * part + .5);
    uint8_t *at = mask->cover + (size_t)y * (size_t)mask->width + x;
    *at = value > *at ? value : *at;
}

void mask_raise(struct mask *mask, int x, int y, unsigned part)
{
    if (part && x >= 0 && x < mask->width && y >= 0 && y < mask->height) {
        extent_of(mask, x, y, x + 1, y + 1);
        cover(mask, x, y, part / 255. - .5);
    }
}

void mask_disc(struct mask *mask, const double at[2], double radius)
{
    mask_line(mask, at, at, 2 * radius);
}

void mask_ring(struct mask *mask, const double at[2], double radius,
               double width)
{
    double reach = radius + width / 2 + 1;
    struct extent extent = extent_of(mask, at[0] - reach, at[1] - reach,
                                     at[0] + reach, at[1] + reach);
    for (int y = extent.top; y < extent.bottom; y++)
        for (int x = extent.left; x < extent.right; x++) {
            double distance = hypot(x + .5 - at[0], y + .5 - at[1]);
            cover(mask, x, y, width / 2 - fabs(distance - radius));
        }
}

void mask_line(struct mask *mask, const double from[2], const double to[2],
               double width)
{
    double reach = width / 2 + 1;
    double along[2] = { to[0] - from[0], to[1] - from[1] };
    double square = along[0] * along[0] + along[1] * along[1];
    if (!isfinite(square + from[0] + from[1]))
        return;
    struct extent extent = extent_of(
        mask, fmin(from[0], to[0]) - reach, fmin(from[1], to[1]) - reach,
        fmax(from[0], to[0]) + reach, fmax(from[1], to[1]) + reach);
    for (int y = extent.top; y < extent.bottom; y++)
        for (int x = extent.left; x < extent.right; x++) {
            double px = x + .5 - from[0], py = y + .5 - from[1];
            double t =
                square > 0 ? (px * along[0] + py * along[1]) / square : 0;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            double distance = hypot(px - t * along[0], py - t * along[1]);
            cover(mask, x, y, width / 2 - distance);
        }
}

/* The distance of p from the edge a → b towards the inside of a shape whose
 * corners are in clockwise order on the screen. */
static double inner(const double a[2], const double b[2], double x, double y)
{
    double dx = b[0] - a[0], dy = b[1] - a[1];
    return (dx * (y - a[1]) - dy * (x - a[0])) / hypot(dx, dy);
}

void mask_corners(struct mask *mask, const double (*corners)[2], int count)
{
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], corners[i][axis]);
            high[axis] = fmax(high[axis], corners[i][axis]);
            if (!isfinite(corners[i][axis]))
                return;
        }
    struct extent extent =
        extent_of(mask, low[0] - 1, low[1] - 1, high[0] + 1, high[1] + 1);
    for (int y = extent.top; y < extent.bottom; y++)
        for (int x = extent.left; x < extent.right; x++) {
            double inside = INFINITY;
            for (int i = 0; i < count; i++)
                inside =
                    fmin(inside, inner(corners[i], corners[(i + 1) % count],
                                       x + .5, y + .5));
            cover(mask, x, y, inside);
        }
}

void mask_triangle(struct mask *mask, const double a[2], const double b[2],
                   const double c[2])
{
    double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (!isfinite(area) || area == 0)
        return;
    if (area < 0) {
        const double *kept = b;
        b = c;
        c = kept;
    }
    mask_corners(
        mask,
        (const double[][2]){ { a[0], a[1] }, { b[0], b[1] }, { c[0], c[1] } },
        3);
}

void mask_lay(struct mask *mask, struct image *image, const uint8_t color[3])
{
    for (int y = mask->top; y < mask->bottom; y++) {
        uint8_t *row = mask->cover + (size_t)y * (size_t)mask->width;
        for (int x = mask->left; x < mask->right; x++) {
            unsigned part = row[x];
            if (!part)
                continue;
            uint8_t *pixel = image_at(image, x, y);
            for (int i = 0; i < 3; i++)
                pixel[i] = (uint8_t)((pixel[i] * (255 - part) +
                                      color[i] * part + 127) /
                                     255);
            row[x] = 0;
        }
    }
    empty(mask);
}
