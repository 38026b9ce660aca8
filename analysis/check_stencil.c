/* SPDX-License-Identifier: MIT */
/* Rows held bit for bit: to the stencil, and the gradient to the amplitude. */
#include "check_wave.h"

/* Whether all that the law reads around a cell is inside the recorded box. */
static bool is_surrounded(const struct grid *grid, const struct box *known,
                          const int at[GRID_AXES])
{
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int axis = 0; axis < GRID_AXES; axis++)
        if ((at[axis] == known->low[axis] && at[axis] > 0) ||
            (at[axis] == known->high[axis] && at[axis] < extent[axis] - 1))
            return false;
    return true;
}

/* What the law says of a cell at this row; false where the rows do not say.
 * z[k−1] of an emission is 0 after a kick and z[k] after a rest. */
static bool expected(const struct law *law, const struct ground *ground,
                     const uint8_t *wall, const struct wave_row *row,
                     size_t cell, double *value)
{
    *value = 0;
    if (row->emitted < 0 || wall[cell])
        return true;
    int64_t age = row->step - row->emitted;
    if (age == 0) {
        *value = law_emitted(law, wall, row->source, cell);
        return true;
    }
    if (!row->before || (age > 1 && !row->older))
        return false;
    bool rest = law->source == LAW_REST || law->source == LAW_GAUSSIAN;
    double before = age > 1 ? row->older[cell] : rest ? row->before[cell] : 0;
    *value = law_next(law, ground, row->before, before, cell);
    if (law->source == LAW_RICKER && cell == row->source)
        *value = law_driven(law, ground, cell, *value, age);
    return true;
}

void check_stencil(const struct law *law, const struct ground *ground,
                   const uint8_t *wall, const struct wave_row *row,
                   struct finding *finding)
{
    const struct box *known = &row->known;
    for (int z = known->low[2]; z <= known->high[2]; z++)
        for (int y = known->low[1]; y <= known->high[1]; y++)
            for (int x = known->low[0]; x <= known->high[0]; x++) {
                size_t cell = grid_index(&law->grid, x, y, z);
                double value;
                if (!is_surrounded(&law->grid, known, (int[]){ x, y, z })) {
                    finding_skip(finding, 1,
                                 "cells at the recorded region's rim");
                } else if (!expected(law, ground, wall, row, cell, &value)) {
                    finding_skip(finding, 1,
                                 "needs a row for every step: record.every");
                } else {
                    finding_exact(finding, row->now[cell], value,
                                  &(struct spot){ row->wave, -1, row->step,
                                                  (int64_t)cell });
                }
            }
}

void check_gradient(const struct law *law, const struct ground *ground,
                    const struct wave_row *row,
                    const double *const gradient[GRID_AXES],
                    struct finding *finding)
{
    const struct box *known = &row->known;
    size_t element = 0;
    for (int z = known->low[2]; z <= known->high[2]; z++)
        for (int y = known->low[1]; y <= known->high[1]; y++)
            for (int x = known->low[0]; x <= known->high[0]; x++, element++) {
                if (!is_surrounded(&law->grid, known, (int[]){ x, y, z })) {
                    finding_skip(finding, 1,
                                 "cells at the recorded region's rim");
                    continue;
                }
                size_t cell = grid_index(&law->grid, x, y, z);
                struct spot spot = { row->wave, -1, row->step, (int64_t)cell };
                for (int axis = 0; axis < law->grid.dims; axis++)
                    finding_exact(
                        finding, gradient[axis][element],
                        law_gradient(law, ground, row->now, cell, axis), &spot);
            }
}
