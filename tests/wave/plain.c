/* SPDX-License-Identifier: MIT */
#include "tests/wave/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Can the cell be read that is a part of `step` away? Bit a of `part`: the step
 * along axis a is made. */
static bool can_read(const struct medium *medium, int x, int y, int z,
                     const int step[GRID_AXES], int part)
{
    return !medium_mirrors(medium, x + (part & 1 ? step[0] : 0),
                           y + (part & 2 ? step[1] : 0),
                           z + (part & 4 ? step[2] : 0));
}

/* Is there a path of readable cells to the end of the step, one axis at a
 * time? */
static bool leads_there(const struct medium *medium, int x, int y, int z,
                        const int step[GRID_AXES], int part)
{
    if (part == 0)
        return true;
    if (!can_read(medium, x, y, z, step, part))
        return false;
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (part >> axis & 1 &&
            leads_there(medium, x, y, z, step, part & ~(1 << axis)))
            return true;
    return false;
}

/* Is no cell readable of those in the block of the step that are beyond this
 * axis? */
static bool is_shut(const struct medium *medium, int x, int y, int z,
                    const int step[GRID_AXES], int whole, int axis)
{
    for (int part = 1; part <= whole; part++)
        if ((part & ~whole) == 0 && part >> axis & 1 &&
            can_read(medium, x, y, z, step, part))
            return false;
    return true;
}

/* A step across an edge or a corner, as defined in wave.h: axes beyond which no
 * cell of the block is readable are left out. The rest is read if a path leads
 * there; else the cell's own value is used. */
static void fold_step(const struct medium *medium, int x, int y, int z,
                      int step[GRID_AXES])
{
    int whole = 0, left;
    for (int axis = 0; axis < GRID_AXES; axis++)
        whole |= (step[axis] != 0) << axis;
    left = whole;
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (whole >> axis & 1 && is_shut(medium, x, y, z, step, whole, axis))
            left &= ~(1 << axis);
    if (!leads_there(medium, x, y, z, step, left))
        left = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        step[axis] = left >> axis & 1 ? step[axis] : 0;
}

#define REAL float
#define NAME(x) x##_single
#include "tests/wave/plain.inc"
#undef REAL
#undef NAME
#define REAL double
#define NAME(x) x##_double
#include "tests/wave/plain.inc"
#undef REAL
#undef NAME

void wave_step_plain(struct wave *wave)
{
    if (wave->emitted < 0)
        return;
    wave_catch_up(wave);
    const struct layout *layout = &wave->medium->layout;
    const struct grid *grid = &layout->grid;
    bool single = layout->item == sizeof(float);
    for (int z = 0; z < grid->nz; z++)
        for (int y = 0; y < grid->ny; y++)
            for (int x = 0; x < grid->nx; x++)
                (single ? step_cell_single : step_cell_double)(wave, x, y, z);
    layout_mirror(layout, wave->before);
    edges_light(wave->edges);
    edges_step(wave->edges, wave->now, wave->before, NULL);
    wave_turn(wave);
}
