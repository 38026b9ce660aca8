/* SPDX-License-Identifier: MIT */
#include "world/maps/file.h"
#include "world/maps/legend.h"
#include "world/maps/map.h"

#include <stdio.h>
#include <string.h>

/* Texts without a comma between them are one text to libconfig. */
static enum status report_uneven(const char *file, int line, int layer, int row,
                                 const char *cells, const char *first,
                                 bool layers, struct error *error)
{
    const size_t length = strlen(cells), width = strlen(first);
    char of[32] = "", hint[MAP_HINT_SIZE];
    map_row_hint(cells, length, row, hint);
    if (!hint[0])
        map_row_hint(first, width, 0, hint);
    if (layers)
        snprintf(of, sizeof of, " of layer %d", layer);
    return error_at(error, STATUS_INPUT, file, line,
                    "row %d%s of the map that begins here has %zu cells, row 0 "
                    "has %zu: all must be equally long%s",
                    row, of, length, width,
                    length == 2 * width ? "; a comma is missing after it"
                                        : hint);
}

/* All rows must be as long as the first, which gives the width. */
static enum status check_rows(const char *const *rows, int layers, int height,
                              const char *file, int line, struct grid *grid,
                              struct error *error)
{
    int dims = layers > 0 ? 3 : 2, nz = layers > 0 ? layers : 1;
    if (layers < 0 || height < 1)
        return error_at(error, STATUS_INPUT, file, line,
                        "a map of rows needs at least one row");
    size_t width = strlen(rows[0]);
    int64_t extents[GRID_AXES] = { (int64_t)width, height, nz };
    enum status status = map_grid(dims, extents, file, line, grid, error);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < nz * height; i++) {
        if (strlen(rows[i]) != width)
            return report_uneven(file, line, i / height, i % height, rows[i],
                                 rows[0], dims == 3, error);
    }
    return STATUS_OK;
}

enum status map_from_rows(const char *const *rows, int layers, int height,
                          const struct legend *legend, const char *file,
                          int line, struct terrain *terrain,
                          struct error *error)
{
    struct grid grid;
    struct terrain made;
    struct legend_symbols symbols;
    enum status status =
        check_rows(rows, layers, height, file, line, &grid, error);
    if (status == STATUS_OK)
        status = terrain_init(&made, &grid, error);
    if (status != STATUS_OK)
        return status;
    legend_symbols_init(&symbols, legend);
    for (int i = 0; status == STATUS_OK && i < grid.nz * grid.ny; i++)
        status =
            legend_apply_row(&symbols, rows[i], &made,
                             (size_t)i * (size_t)grid.nx, file, line, error);
    if (status == STATUS_OK)
        *terrain = made;
    else
        terrain_release(&made);
    return status;
}
