/* SPDX-License-Identifier: MIT */
/* In free space the gradient of a wave from one cell lies along the line to
 * it: X·gy = Y·gx at every node and step, with the central difference of the
 * 5- and 7-point stencil and with the matched one of the 9-point. */
#include "check_wave.h"

#include <math.h>
#include <stdlib.h>

static void from_source(const struct law *law, size_t source, size_t cell,
                        int way[GRID_AXES])
{
    int from[GRID_AXES], to[GRID_AXES];
    grid_cell(&law->grid, source, from);
    grid_cell(&law->grid, cell, to);
    for (int axis = 0; axis < GRID_AXES; axis++)
        way[axis] = to[axis] - from[axis];
}

/* Steps that the wave needs to a cell: one along an axis each, or along a
 * diagonal too with the 9-point stencil. */
static int64_t steps_to(const struct law *law, const int way[GRID_AXES])
{
    int64_t x = abs(way[0]), y = abs(way[1]), z = abs(way[2]);
    if (law->stencil->points == 8)
        return x > y ? x : y;
    return x + y + z;
}

int64_t free_ages(const struct law *law, const struct ground *ground,
                  size_t source)
{
    const int extent[GRID_AXES] = { law->grid.nx, law->grid.ny, law->grid.nz };
    int at[GRID_AXES], way[GRID_AXES];
    grid_cell(&law->grid, source, at);
    int64_t nearest = INT32_MAX;
    for (int axis = 0; axis < grid_axes(&law->grid); axis++) {
        int edge = at[axis] + 1 < extent[axis] - at[axis]
                       ? at[axis] + 1
                       : extent[axis] - at[axis];
        nearest = edge < nearest ? edge : nearest;
    }
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        if (!ground->wall[i] && ground->delta[i] == ground->delta[source])
            continue;
        from_source(law, source, i, way);
        int64_t steps = steps_to(law, way);
        nearest = steps < nearest ? steps : nearest;
    }
    /* The field is touched at age `nearest`; the gradient of the cells before
     * the obstacle, which reads it, a step earlier. */
    return nearest - 2;
}

/* For each pair of axes a, b: |X_a g_b − X_b g_a| to the finding, where there
 * is one; the largest |X_a g_b| of the cell. */
static double pairs(const struct law *law, const struct ground *ground,
                    const struct wave_row *row, size_t cell, double scale,
                    struct finding *finding)
{
    int way[GRID_AXES];
    from_source(law, row->source, cell, way);
    double slope[GRID_AXES] = { 0 }, largest = 0;
    for (int axis = 0; axis < law->grid.dims; axis++)
        slope[axis] = law_gradient(law, ground, row->now, cell, axis);
    for (int a = 0; a < law->grid.dims; a++)
        for (int b = a + 1; b < law->grid.dims; b++) {
            double one = way[a] * slope[b], two = way[b] * slope[a];
            largest = fmax(largest, fmax(fabs(one), fabs(two)));
            if (finding)
                finding_within(
                    finding, fabs(one - two) / scale,
                    1e-13 * (law_roundoff(law) / 0x1p-53),
                    &(struct spot){ row->wave, -1, row->step, (int64_t)cell });
        }
    return largest;
}

void check_radial(const struct law *law, const struct ground *ground,
                  const struct wave_row *row, int64_t ages,
                  struct finding *finding)
{
    if (row->step - row->emitted > ages) {
        finding_skip(finding, 0, "a wall, an edge or another speed is near");
        return;
    }
    double scale = 0;
    size_t cells = grid_cells(&law->grid);
    for (size_t i = 0; i < cells; i++)
        scale = fmax(scale, pairs(law, ground, row, i, 1, NULL));
    for (size_t i = 0; i < cells && scale > 0; i++)
        pairs(law, ground, row, i, scale, finding);
}
