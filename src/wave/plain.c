/* SPDX-License-Identifier: MIT */
#include "wave/generations.h"

#define REAL float
#define NAME(x) x##_single
#include "wave/plain.inc"
#undef REAL
#undef NAME
#define REAL double
#define NAME(x) x##_double
#include "wave/plain.inc"
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
    wave_turn(wave);
}
