/* SPDX-License-Identifier: MIT */
#include "wave/step/layout.h"

#include "base/memory.h"

#include <string.h>

enum { LINE = 64 };

enum status layout_make(const struct grid *grid, size_t item,
                        struct layout *layout, struct error *error)
{
    size_t lanes = LINE / item, nx = (size_t)grid->nx;
    size_t stride = (nx + 2 + lanes - 1) / lanes * lanes;
    /* If a row fills its lines, its ghosts are in lines of their own. */
    size_t lead = nx % lanes != 0 && nx % lanes != lanes - 1;
    size_t ghosts = grid->dims == 3 ? 2 : 0;
    size_t layer, items, bytes;
    if (!size_multiply(stride, (size_t)grid->ny + 2, &layer) ||
        !size_multiply(layer, (size_t)grid->nz + ghosts, &items) ||
        !size_multiply(items, 2 * sizeof(double), &bytes) ||
        bytes > PTRDIFF_MAX)
        return error_set(error, STATUS_INPUT,
                         "a grid of %d x %d x %d cells is too large for this "
                         "machine's addresses: take fewer",
                         grid->nx, grid->ny, grid->nz);
    *layout = (struct layout){
        .grid = *grid,
        .item = item,
        .lanes = lanes,
        .lead = lead,
        .stride = (ptrdiff_t)stride,
        .layer = (ptrdiff_t)layer,
        .origin = (ptrdiff_t)(lanes + (ghosts ? layer : 0) + stride + lead),
        /* vectors read up to a line beyond either end */
        .items = items + 3 * lanes,
    };
    return STATUS_OK;
}

static void copy(const struct layout *layout, void *field, ptrdiff_t to,
                 ptrdiff_t from, size_t count)
{
    memcpy(field_at(layout, field, to), field_at(layout, field, from),
           count * layout->item);
}

void layout_mirror_row(const struct layout *layout, void *field, int y, int z)
{
    const struct grid *grid = &layout->grid;
    ptrdiff_t row = layout_at(layout, 0, y, z);
    size_t whole = (size_t)grid->nx + 2;
    copy(layout, field, row - 1, row, 1);
    copy(layout, field, row + grid->nx, row + grid->nx - 1, 1);
    for (int down = -1; down <= 1; down++) {
        if (down && (grid->dims < 3 || z != (down < 0 ? 0 : grid->nz - 1)))
            continue;
        const ptrdiff_t to = row - 1 + down * layout->layer;
        if (down)
            copy(layout, field, to, row - 1, whole);
        if (y == 0)
            copy(layout, field, to - layout->stride, row - 1, whole);
        if (y == grid->ny - 1)
            copy(layout, field, to + layout->stride, row - 1, whole);
    }
}

void layout_mirror(const struct layout *layout, void *field)
{
    for (int z = 0; z < layout->grid.nz; z++)
        for (int y = 0; y < layout->grid.ny; y++)
            layout_mirror_row(layout, field, y, z);
}
