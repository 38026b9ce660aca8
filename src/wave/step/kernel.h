/* SPDX-License-Identifier: MIT */
/* Private to the wave: the fast loops, one for each shape of stencil, form of
 * the coefficients, wall rule and precision, in versions for the vector units.
 * All compute the expression of wave.h in its order.
 *
 * Walls are stored as one bit for each cell, and all items outside the map
 * count as wall. Every loop writes +0 into walls. Loops with `select`, for free
 * walls, use the cell's own value for a neighbour whose bit is set; the others
 * read the 0 of a fixed wall, and the ghosts of the map's edge. */
#ifndef HAMON_WAVE_STEP_KERNEL_H
#define HAMON_WAVE_STEP_KERNEL_H

#include "wave/step/layout.h"
#include "wave/step/stencil.h"

enum kernel_shape {
    SHAPE_FIVE,
    SHAPE_NINE,
    SHAPE_SEVEN,
    SHAPE_TWENTY_SEVEN,
    SHAPES
};

static inline bool shape_is_solid(enum kernel_shape shape)
{
    return shape == SHAPE_SEVEN || shape == SHAPE_TWENTY_SEVEN;
}

static inline bool shape_has_diagonals(enum kernel_shape shape)
{
    return shape == SHAPE_NINE || shape == SHAPE_TWENTY_SEVEN;
}

enum kernel_form {
    COEFFICIENTS_UNIFORM, /* the same d and c for all cells */
    COEFFICIENTS_CELL,    /* d and c for each cell */
    COEFFICIENTS_FACE,    /* conservative */
    FORMS
};

/* CASE(name, shape, form, select) for each loop. The 9- and 27-point stencils
 * have no conservative form; in that form the faces contain the wall rule. */
#define KERNEL_FLAT_CASES(CASE)                                                \
    CASE(five_uniform, SHAPE_FIVE, COEFFICIENTS_UNIFORM, false)                \
    CASE(five_uniform_select, SHAPE_FIVE, COEFFICIENTS_UNIFORM, true)          \
    CASE(five_cell, SHAPE_FIVE, COEFFICIENTS_CELL, false)                      \
    CASE(five_cell_select, SHAPE_FIVE, COEFFICIENTS_CELL, true)                \
    CASE(five_face, SHAPE_FIVE, COEFFICIENTS_FACE, false)                      \
    CASE(nine_uniform, SHAPE_NINE, COEFFICIENTS_UNIFORM, false)                \
    CASE(nine_uniform_select, SHAPE_NINE, COEFFICIENTS_UNIFORM, true)          \
    CASE(nine_cell, SHAPE_NINE, COEFFICIENTS_CELL, false)                      \
    CASE(nine_cell_select, SHAPE_NINE, COEFFICIENTS_CELL, true)
#define KERNEL_SOLID_CASES(CASE)                                               \
    CASE(seven_uniform, SHAPE_SEVEN, COEFFICIENTS_UNIFORM, false)              \
    CASE(seven_uniform_select, SHAPE_SEVEN, COEFFICIENTS_UNIFORM, true)        \
    CASE(seven_cell, SHAPE_SEVEN, COEFFICIENTS_CELL, false)                    \
    CASE(seven_cell_select, SHAPE_SEVEN, COEFFICIENTS_CELL, true)              \
    CASE(seven_face, SHAPE_SEVEN, COEFFICIENTS_FACE, false)                    \
    CASE(solid_uniform, SHAPE_TWENTY_SEVEN, COEFFICIENTS_UNIFORM, false)       \
    CASE(solid_uniform_select, SHAPE_TWENTY_SEVEN, COEFFICIENTS_UNIFORM, true) \
    CASE(solid_cell, SHAPE_TWENTY_SEVEN, COEFFICIENTS_CELL, false)             \
    CASE(solid_cell_select, SHAPE_TWENTY_SEVEN, COEFFICIENTS_CELL, true)
#define KERNEL_CASES(CASE) KERNEL_FLAT_CASES(CASE) KERNEL_SOLID_CASES(CASE)

/* In 3D, the number of layers whose rows one loop takes together. */
enum { KERNEL_LAYERS = 2 };

/* Bits of walls, one for each item of the layout; loops read WALL_SLACK bytes
 * beyond the end. */
enum { WALL_BITS = 8, WALL_SLACK = 8 };

struct sweep;

/* Steps the cells of `block`; along x all whole vectors that contain some of
 * them. Blocks without a common line may run at the same time. */
typedef void (*kernel_sweep)(const struct sweep *sweep,
                             const struct box *block);

/* One generation: `out` contains z[k−1] and receives z[k+1]. The real numbers
 * are rounded to the precision. */
struct sweep {
    kernel_sweep run;
    const struct layout *layout;
    const void *now;
    void *out;
    const uint8_t *walls;
    const void *d, *c;
    const void
        *weight[STENCIL_WEIGHTS]; /* of each cell, instead of d; or NULL */
    const uint8_t *borders;       /* bits of cells, for select in 2D */
    const void *face[GRID_AXES];
    double uniform_d, uniform_c, a, uniform_weight[STENCIL_WEIGHTS];
    ptrdiff_t ahead; /* cells to prefetch; 0: all is in the cache */
};

/* The gradient at cells x … x + count − 1 of a row, written to out[axis][0
 * …]. */
struct slope {
    const struct layout *layout;
    const void *now;
    const uint8_t *walls;
};
typedef void (*kernel_slope)(const struct slope *slope, ptrdiff_t index,
                             size_t count, void *const out[GRID_AXES]);

/* Vector units, the best last: vectors of 16 bytes, which every machine has, of
 * 32 and of 64 bytes. */
enum kernel_level { LEVEL_PLAIN, LEVEL_AVX2, LEVEL_AVX512, LEVELS };

/* Marks first arrivals: of the cells first … last − 1, those that have no step
 * yet (it is negative) and whose |z| is over the bound (a number of the field's
 * precision) get the step `age`. */
typedef void (*kernel_mark)(int32_t *step, const void *z, size_t first,
                            size_t last, double bound, int32_t age);

/* The best level of this machine; or the one with as many bytes as
 * HAMON_VECTORS=16, 32 or 64 in the environment, so that tests and measurements
 * can use every level on one machine. */
enum kernel_level kernel_best(void);

/* STATUS_INPUT if HAMON_VECTORS names no level of this machine. */
enum status kernel_check(struct error *error);

/* NULL for the conservative form of a stencil with diagonals. */
kernel_sweep kernel_find_sweep(enum kernel_level level, size_t item,
                               enum kernel_shape shape, enum kernel_form form,
                               bool select);
kernel_slope kernel_find_slope(enum kernel_level level, size_t item,
                               enum kernel_shape shape, bool select);
kernel_mark kernel_find_mark(enum kernel_level level, size_t item);

#endif
