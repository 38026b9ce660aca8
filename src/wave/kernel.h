/* SPDX-License-Identifier: MIT */
/* Inside the wave: the fast loops, one for each shape of stencil, form of the
 * coefficients, rule of the walls and precision, in versions for the vector
 * units there are. All compute the expression of wave.h in its order.
 *
 * A bit a cell tells the walls, and all that is outside of the map counts as
 * wall. Every loop writes +0 into walls. Loops with `select`, for free walls,
 * put the cell's own value for a neighbour whose bit is set; the others read
 * the 0 of a fixed wall and the ghosts of the map's edge. */
#ifndef HAMON_WAVE_KERNEL_H
#define HAMON_WAVE_KERNEL_H

#include "wave/layout.h"

enum kernel_shape { SHAPE_FIVE, SHAPE_NINE, SHAPE_SEVEN, SHAPES };

enum kernel_form {
    COEFFICIENTS_UNIFORM, /* one d and c for all */
    COEFFICIENTS_CELL,    /* d and c a cell */
    COEFFICIENTS_FACE,    /* conservative */
    FORMS
};

/* Layers whose rows one loop takes together, in 3D. */
enum { KERNEL_LAYERS = 2 };

/* Bits of walls, one an item of the layout. */
enum { WALL_BITS = 8, WALL_SLACK = 8 /* bytes that loops read beyond */ };

static inline void wall_bit_set(uint8_t *walls, ptrdiff_t index, bool wall)
{
    uint8_t bit = (uint8_t)(1u << (index & 7));
    walls[index >> 3] =
        (uint8_t)((walls[index >> 3] & ~bit) | (wall ? bit : 0));
}

struct sweep;

/* Works on the cells of `block`; along x on all whole vectors that hold some.
 * Blocks that share no line may run at once. */
typedef void (*kernel_sweep)(const struct sweep *sweep,
                             const struct box *block);

/* One generation: `out` holds z[k−1] and receives z[k+1]. The reals are held
 * rounded. */
struct sweep {
    kernel_sweep run;
    const struct layout *layout;
    const void *now;
    void *out;
    const uint8_t *walls;
    const void *d, *c;
    const void *face[GRID_AXES];
    double uniform_d, uniform_c, a;
    ptrdiff_t ahead; /* cells in memory that are asked for ahead of use; 0: all
                        is in the cache */
};

/* The gradient at cells x … x + count − 1 of a row into out[axis][0 …]. */
struct slope {
    const struct layout *layout;
    const void *now;
    const uint8_t *walls;
};
typedef void (*kernel_slope)(const struct slope *slope, ptrdiff_t index,
                             size_t count, void *const out[GRID_AXES]);

/* Vector units, best last. */
enum kernel_level { LEVEL_PLAIN, LEVEL_AVX2, LEVEL_AVX512, LEVELS };

/* The best this machine has. */
enum kernel_level kernel_best(void);

/* NULL where the conservative form meets the 9-point stencil. */
kernel_sweep kernel_find_sweep(enum kernel_level level, size_t item,
                               enum kernel_shape shape, enum kernel_form form,
                               bool select);
kernel_slope kernel_find_slope(enum kernel_level level, size_t item,
                               enum kernel_shape shape, bool select);

#endif
