/* SPDX-License-Identifier: MIT */
#include "draw/raster/sheet.h"

#include "base/memory.h"
#include "base/need.h"

void sheet_init(struct sheet *sheet, int nx, int ny, int cell)
{
    *sheet = (struct sheet){ .nx = nx, .ny = ny, .cell = cell };
    sheet->index = need_memory((size_t)nx, (size_t)ny);
}

void sheet_release(struct sheet *sheet)
{
    memory_release(sheet->index);
    *sheet = (struct sheet){ 0 };
}
