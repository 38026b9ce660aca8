/* SPDX-License-Identifier: MIT */
/* Inside the Laplace-weighted wave: its tiles, and a number's bits. */
#ifndef HAMON_WAVE_LAPLACE_TILES_H
#define HAMON_WAVE_LAPLACE_TILES_H

#include "wave/laplace.h"

#include <stdlib.h>
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
void laplace_tell_step(struct laplace *laplace, size_t cell);

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

/* The vector of a bit. */
static inline int32_t laplace_vector(const struct laplace_tile *tile, int bit)
{
    return tile->vector[bit / LAPLACE_SIDE] + bit % LAPLACE_SIDE;
}

static inline bool laplace_has_dark(const struct laplace_tile *tile)
{
    uint64_t any = 0;
    for (int word = 0; word < LAPLACE_WORDS; word++)
        any |= tile->dark[word];
    return any != 0;
}

/* The vectors of a row, from lane `begin` of the row on, within `reach` cells
 * of lane `middle`; a bit each. */
static inline uint64_t laplace_within(int middle, int reach, int begin,
                                      int lanes)
{
    int low = middle - reach - begin, high = middle + reach - begin;
    int last = LAPLACE_SIDE * lanes - 1;
    if (reach < 0 || high < 0 || low > last)
        return 0;
    low = low > 0 ? low : 0;
    high = high < last ? high : last;
    return ((uint64_t)2 << high / lanes) - ((uint64_t)1 << low / lanes);
}

/* The vectors of a tile that the wave can have come to, a bit each: from one
 * cell it goes a cell a generation and no faster. `lanes` is the layout's, for
 * the compiler to know. */
static inline void laplace_reach(const struct laplace *laplace,
                                 const struct laplace_tile *tile, int lanes,
                                 uint64_t reach[LAPLACE_WORDS])
{
    const int *centre = laplace->centre, ny = laplace->layout.grid.ny;
    const int middle = centre[0] + (int)laplace->layout.lead;
    const int age = (int)laplace->age;
    int y = tile->row % ny, z = tile->row / ny;
    for (int word = 0; word < LAPLACE_WORDS; word++) {
        reach[word] = laplace->has_centre ? 0 : UINT64_MAX;
        for (int at = 0; at < 64 && laplace->has_centre; at += LAPLACE_SIDE) {
            int south = abs(y - centre[1]), down = abs(z - centre[2]);
            int far = south > down ? south : down;
            int left = laplace->options.matched ? (far > age ? -1 : age)
                                                : age - south - down;
            reach[word] |=
                laplace_within(middle, left, tile->column * lanes, lanes) << at;
            y = y + 1 < ny ? y + 1 : 0;
            z += y == 0;
        }
    }
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
