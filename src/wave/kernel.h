/* SPDX-License-Identifier: MIT */
/* Inside the wave: the fast loops, one for each shape of stencil, form of the
 * coefficients, rule of the walls and precision, in versions for the vector
 * units there are. All compute the expression of wave.h in its order.
 *
 * A byte of flags a cell. A wall has them all. A free cell has none between
 * fixed walls; between free ones they name the neighbours that cannot be read.
 * Loops with `select` put the cell's own value for those, and a wall, blocked
 * all round, stays +0 by itself; the others (fixed walls; the conservative
 * form, whose faces are 0 there) write +0 into walls.
 *
 * The next steps in speed have their place here: several generations a pass
 * (call a sweep for bands of rows, each generation a row or two behind), and
 * walls as bits. */
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

/* Bits of `select` flags. A diagonal's bit is set where the cell there cannot
 * be read or both axis neighbours beside it cannot. */
enum kernel_flag {
    BLOCKED_E = 1,
    BLOCKED_W = 2,
    BLOCKED_N = 4,
    BLOCKED_S = 8,
    BLOCKED_SE = 16,
    BLOCKED_NW = 32,
    BLOCKED_NE = 64,
    BLOCKED_SW = 128,
    BLOCKED_D = 16, /* 3D has no diagonals */
    BLOCKED_U = 32,
    BLOCKED_ALL = 255
};

struct sweep;

/* Works on rows first … last − 1; row r is y = r mod ny, z = r / ny. Sweeps of
 * disjoint rows may run at once. */
typedef void (*kernel_sweep)(const struct sweep *sweep, size_t first,
                             size_t last);

/* One generation: `out` holds z[k−1] and receives z[k+1] where the rows meet
 * `lit`; cells outside lit are +0 and stay it. The reals are held rounded. */
struct sweep {
    kernel_sweep run;
    const struct layout *layout;
    const void *now;
    void *out;
    const uint8_t *flags;
    const void *d, *c;
    const void *face[GRID_AXES];
    double uniform_d, uniform_c, a;
    struct box lit;
};

/* The gradient at cells x … x + count − 1 of a row into out[axis][0 …]. */
struct slope {
    const struct layout *layout;
    const void *now;
    const uint8_t *flags;
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
