/* SPDX-License-Identifier: MIT */
/* Inside the Laplace-weighted wave: its tiles, and a number's bits. */
#ifndef HAMON_WAVE_LAPLACE_TILES_H
#define HAMON_WAVE_LAPLACE_TILES_H

#include "wave/laplace.h"

#include <string.h>

/* Makes tiles and their lists, for laplace_clear_tile; false: no memory. */
bool laplace_tile_up(struct laplace *laplace);

struct laplace_tile *laplace_tile_of(const struct laplace *laplace,
                                     size_t cell);

/* Nothing summed, nothing closed but walls. */
void laplace_clear_tile(struct laplace *laplace, struct laplace_tile *tile);

/* Makes its lists anew from what its cells are. */
void laplace_list(const struct laplace *laplace, struct laplace_tile *tile);

/* Puts `step` of its cells right. */
void laplace_tell_steps(struct laplace *laplace, struct laplace_tile *tile);

/* The first lane of a row's first vector, and how many vectors hold it. */
static inline ptrdiff_t laplace_row(const struct laplace *laplace, int row)
{
    const struct layout *layout = &laplace->layout;
    int ny = layout->grid.ny;
    return layout_at(layout, 0, row % ny, row / ny) - (ptrdiff_t)layout->lead;
}

static inline int laplace_row_vectors(const struct laplace *laplace)
{
    const struct layout *layout = &laplace->layout;
    return (int)(((size_t)layout->grid.nx + layout->lead + layout->lanes - 1) /
                 layout->lanes);
}

/* The upper 32 bits of a positive number: they grow as its logarithm, by one in
 * the exponent for log2, linearly within. */
static inline uint32_t laplace_bits_single(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}
static inline uint32_t laplace_bits_double(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (uint32_t)(bits >> 32);
}
static inline uint32_t laplace_bits(const struct laplace *laplace,
                                    double number)
{
    return laplace->options.width == sizeof(float)
               ? laplace_bits_single((float)number)
               : laplace_bits_double(number);
}

#endif
