/* SPDX-License-Identifier: MIT */
#include "draw/raster/sheet.h"

#include "base/memory.h"

enum status sheet_init(struct sheet *sheet, int nx, int ny, int cell,
                       struct error *error)
{
    *sheet = (struct sheet){ .nx = nx, .ny = ny, .cell = cell };
    size_t cells;
    if (!size_multiply((size_t)nx, (size_t)ny, &cells) ||
        !(sheet->index = memory_new(cells, 1)))
        return error_memory(error);
    return STATUS_OK;
}

void sheet_release(struct sheet *sheet)
{
    memory_release(sheet->index);
    *sheet = (struct sheet){ 0 };
}
