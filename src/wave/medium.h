/* SPDX-License-Identifier: MIT */
/* Inside the wave: the coefficients of every cell. */
#ifndef HAMON_WAVE_MEDIUM_H
#define HAMON_WAVE_MEDIUM_H

#include "wave/step/halo.h"
#include "wave/step/kernel.h"
#include "wave/step/layout.h"
#include "wave/wave.h"

/* What cell i's update needs, rounded once to the run's precision. The
 * conservative form has a face in each direction (its δ over 1 + m) and no d.
 */
struct coefficients {
    double d, c, a;
    double face[DIRECTIONS];
};

/* Each field is laid out by `layout`; those a form does not need are NULL. */
struct medium {
    const struct terrain *terrain;
    struct share share; /* the terrain's place in the world */
    struct box own;     /* what is stepped here, in the terrain's grid */
    struct halo *halo;  /* NULL: the terrain is the world */
    struct wave_settings settings;
    struct layout layout;
    enum kernel_shape shape;
    enum kernel_form form;
    uint8_t *walls; /* bits, see kernel.h */
    void *d, *c;    /* c2-laplacian with a speed per cell; c conservative too */
    /* Conservative: the face between a cell and the one before it on each
     * axis (west, north, up). */
    void *face[GRID_AXES];
    struct coefficients uniform; /* d, c, a of a medium without speeds */
    size_t cache;                /* bytes that one thread may keep in work */
    kernel_sweep sweep;
    kernel_slope slope;
};

/* Do both generations stay in the cache from step to step? */
static inline bool medium_is_cached(const struct medium *medium)
{
    const struct layout *layout = &medium->layout;
    return 2 * layout->items * layout->item <= medium->cache;
}

/* Coefficients of the free cell (x, y, z) from the terrain alone. */
void medium_coefficients(const struct medium *medium, int x, int y, int z,
                         struct coefficients *coefficients);

/* Outside the map, or in a free wall: no value to read, the cell's own stands
 * in for it. */
static inline bool medium_mirrors(const struct medium *medium, int x, int y,
                                  int z)
{
    const struct terrain *terrain = medium->terrain;
    if (!grid_holds(&terrain->grid, x, y, z))
        return true;
    return medium->settings.walls == WALLS_FREE &&
           terrain->wall[grid_index(&terrain->grid, x, y, z)];
}

#endif
