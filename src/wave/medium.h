/* SPDX-License-Identifier: MIT */
/* Private to the wave: the coefficients of every cell. */
#ifndef HAMON_WAVE_MEDIUM_H
#define HAMON_WAVE_MEDIUM_H

#include "wave/step/halo.h"
#include "wave/step/kernel.h"
#include "wave/step/layout.h"
#include "wave/wave.h"

/* The coefficients of cell i's update, rounded once to the run's precision. The
 * conservative form has a face in each direction (its δ over 1 + m) and no d.
 * weight: w1, w2, w3 of wave.h; not rounded if they are the stencil's. */
struct coefficients {
    double d, c, a;
    double weight[STENCIL_WEIGHTS];
    double face[DIRECTIONS];
};

struct mode_source; /* wave/mode.h */

/* Each field has the layout `layout`; those that a form does not need are
 * NULL. */
struct medium {
    /* The map, or the rank's part of it; and what waves are stepped on. Both
     * are the same, but beyond open edges the latter has the layers of edges.h,
     * `margin` cells before the first of each axis. */
    const struct terrain *map, *terrain;
    unsigned open;           /* the open sides, 1 << direction */
    int margin[GRID_AXES];   /* 0 without open edges */
    struct terrain extended; /* what `terrain` is then, else empty */
    struct share share;      /* the map's place in the world */
    struct box own;    /* the cells of the map stepped here, in `terrain` */
    struct halo *halo; /* NULL: the terrain is the whole grid */
    struct wave_settings settings;
    struct layout layout;
    enum kernel_shape shape;
    enum kernel_form form;
    uint8_t *walls; /* bits, see kernel.h */
    void *d, *c;    /* c2-laplacian with a speed per cell; c conservative too */
    void *weight[STENCIL_WEIGHTS]; /* with matched weights instead of d */
    uint8_t *borders; /* bits like walls: medium_is_border; or NULL */
    /* Conservative: the face between a cell and the one before it on each
     * axis (west, north, up). */
    void *face[GRID_AXES];
    /* d, c, a of a medium without speeds, and the weights unless each cell has
     * its own */
    struct coefficients uniform;
    double matched[STENCIL_WEIGHTS]; /* weights at speed 1: of most cells */
    struct mode_source *mode;        /* NULL: another kind of source */
    double *signal;                  /* numbers, for source signal; else NULL */
    size_t signal_count;
    size_t cache; /* bytes that one thread may use at a time */
    kernel_sweep sweep;
    kernel_slope slope;
};

/* Do both generations of a wave fit the cache, so that they stay there from
 * step to step? */
static inline bool medium_is_cached(const struct medium *medium)
{
    const struct layout *layout = &medium->layout;
    return 2 * layout->items * layout->item <= medium->cache;
}

/* With matched weights in 2D, between free walls: has one of the eight cells
 * round this one another δᵢ, and is free? */
bool medium_is_border(const struct medium *medium, int x, int y, int z);

/* The map's cells in `terrain`. */
static inline struct box medium_map_box(const struct medium *medium)
{
    const struct box all = grid_box(&medium->map->grid);
    const int *margin = medium->margin;
    return box_from(&all, (int[]){ -margin[0], -margin[1], -margin[2] });
}

/* The index in the layout of a cell of the map. */
static inline ptrdiff_t medium_cell(const struct medium *medium, size_t cell)
{
    const int *margin = medium->margin;
    int at[GRID_AXES];
    grid_cell(&medium->map->grid, cell, at);
    return layout_at(&medium->layout, at[0] + margin[0], at[1] + margin[1],
                     at[2] + margin[2]);
}

/* A box of the map in `terrain`; with the cells of the layers that repeat its
 * cells. */
struct box medium_box(const struct medium *medium, const struct box *box);

/* Coefficients of the free cell (x, y, z) from the terrain alone. */
void medium_coefficients(const struct medium *medium, int x, int y, int z,
                         struct coefficients *coefficients);

/* Is the cell outside the map, or in a free wall? Then it has no value to read,
 * and the cell's own value is used instead. */
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
