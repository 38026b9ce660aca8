/* SPDX-License-Identifier: MIT */
/* A map and a source that a mirror leaves as they are make a field that it
 * leaves as it is, to the last bit: sums are taken in pairs. The mirrors are
 * the flips of x, y and z, and the exchange of x and y where both have the same
 * extent, and what they make together: all 8 in 2D. (An exchange with z would
 * add the pairs in another order.) */
#include "check_wave.h"

#include <string.h>

enum { FLIP_X = 1, FLIP_Y = 2, FLIP_Z = 4, EXCHANGE = 8 };

static size_t image(const struct grid *grid, int mirror, int x, int y, int z)
{
    if (mirror & EXCHANGE) {
        int was = x;
        x = y;
        y = was;
    }
    return grid_index(grid, mirror & FLIP_X ? grid->nx - 1 - x : x,
                      mirror & FLIP_Y ? grid->ny - 1 - y : y,
                      mirror & FLIP_Z ? grid->nz - 1 - z : z);
}

static bool holds_here(const struct law *law, const struct ground *ground,
                       size_t source, int mirror)
{
    const struct grid *grid = &law->grid;
    if (!mirror || (mirror & FLIP_Z && grid->dims < 3) ||
        (mirror & EXCHANGE && grid->nx != grid->ny))
        return false;
    int at[GRID_AXES];
    grid_cell(grid, source, at);
    if (image(grid, mirror, at[0], at[1], at[2]) != source)
        return false;
    size_t cell = 0;
    for (int z = 0; z < grid->nz; z++)
        for (int y = 0; y < grid->ny; y++)
            for (int x = 0; x < grid->nx; x++, cell++) {
                size_t there = image(grid, mirror, x, y, z);
                if (!ground->wall[cell] != !ground->wall[there] ||
                    (!ground->wall[cell] &&
                     ground->delta[cell] != ground->delta[there]))
                    return false;
            }
    return true;
}

/* A mirror that an earlier map of this wave did not have, or may not have had,
 * does not hold. */
static void look_again(const struct law *law, const struct ground *ground,
                       const struct wave_row *row, struct symmetry *symmetry)
{
    bool fresh =
        symmetry->emitted != row->emitted && row->mapped <= row->emitted;
    for (int mirror = 0; mirror < MIRRORS; mirror++)
        symmetry->holds[mirror] = (fresh || symmetry->holds[mirror]) &&
                                  holds_here(law, ground, row->source, mirror);
    symmetry->emitted = row->emitted;
    symmetry->mapped = row->mapped;
}

static void compare(const struct law *law, const struct wave_row *row,
                    int mirror, struct finding *finding)
{
    const struct grid *grid = &law->grid;
    size_t cell = 0;
    for (int z = 0; z < grid->nz; z++)
        for (int y = 0; y < grid->ny; y++)
            for (int x = 0; x < grid->nx; x++, cell++) {
                struct spot spot = { row->wave, -1, row->step, (int64_t)cell };
                finding_exact(finding, row->now[cell],
                              row->now[image(grid, mirror, x, y, z)], &spot);
            }
}

void check_symmetry(const struct law *law, const struct ground *ground,
                    const struct wave_row *row, struct symmetry *symmetry,
                    struct finding *finding)
{
    if (row->emitted < 0)
        return;
    if (symmetry->emitted != row->emitted || symmetry->mapped != row->mapped)
        look_again(law, ground, row, symmetry);
    bool any = false;
    for (int mirror = 1; mirror < MIRRORS; mirror++)
        if (symmetry->holds[mirror]) {
            compare(law, row, mirror, finding);
            any = true;
        }
    if (!any)
        finding_skip(finding, 0, "no mirror leaves map and source as they are");
}
