/* SPDX-License-Identifier: MIT */
#include "report_pixels.h"

#include "base/memory.h"

#include <math.h>

enum status pixels_init(struct pixels *pixels, const struct cut *cut, int block,
                        struct error *error)
{
    *pixels =
        (struct pixels){ (cut->nx + block - 1) / block,
                         (cut->ny + block - 1) / block, block, NULL, NULL };
    size_t count = (size_t)pixels->nx * (size_t)pixels->ny;
    pixels->values = memory_new(count, sizeof *pixels->values);
    pixels->wall = memory_new(count, 1);
    return pixels->values && pixels->wall ? STATUS_OK : error_memory(error);
}

void pixels_release(struct pixels *pixels)
{
    memory_release(pixels->values);
    memory_release(pixels->wall);
    *pixels = (struct pixels){ 0 };
}

/* Along an axis: the pixels of `from` that pixel `at` of larger ones touches,
 * from *first to before what is returned. */
static int touched(int at, int block, int from_block, int from_count,
                   int *first)
{
    int end = ((at + 1) * block + from_block - 1) / from_block;
    *first = at * block / from_block;
    return end < from_count ? end : from_count;
}

static void take(const struct pixels *from, bool least, int px, int py,
                 struct pixels *to)
{
    int left, top;
    int right = touched(px, to->block, from->block, from->nx, &left);
    int bottom = touched(py, to->block, from->block, from->ny, &top);
    size_t at = (size_t)py * (size_t)to->nx + (size_t)px;
    double value = (double)NAN;
    to->wall[at] = 1;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            size_t i = (size_t)y * (size_t)from->nx + (size_t)x;
            if (from->wall[i])
                continue;
            to->wall[at] = 0;
            double v = from->values[i];
            if (isnan(value) || (least ? v < value : fabs(v) > fabs(value)))
                value = v;
        }
    to->values[at] = value;
}

void pixels_coarsen(const struct pixels *from, bool least, struct pixels *to)
{
    for (int y = 0; y < to->ny; y++)
        for (int x = 0; x < to->nx; x++)
            take(from, least, x, y, to);
}
