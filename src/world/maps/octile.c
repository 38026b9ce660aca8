/* SPDX-License-Identifier: MIT */
/* .map files (N. Sturtevant, "Benchmarks for grid-based pathfinding", IEEE
 * T-CIAIG 4(2), 2012). Such files have LF or CRLF, the last row with or without
 * a line feed, and perhaps blank lines after it. */
#include "world/maps/formats.h"
#include "world/maps/legend.h"

/* The extents so far, 0 if not yet stated. */
struct octile_header {
    bool has_type;
    int64_t width, height;
};

static enum status read_extent(const struct map_file *file,
                               const struct map_line *value, const char *name,
                               int64_t *extent, struct error *error)
{
    if (*extent)
        return map_file_error(file, error, "%s is given twice", name);
    if (!map_line_numbers(value, 1, extent) || *extent < 1)
        return map_file_error(
            file, error,
            "%s `%.*s`: a whole number from 1 to 2147483647 is required", name,
            MAP_LINE_SHOWN(*value));
    return STATUS_OK;
}

static enum status read_header_line(const struct map_file *file,
                                    const struct map_line *line,
                                    struct octile_header *header,
                                    struct error *error)
{
    struct map_line value;
    if (map_line_starts(line, "height", &value))
        return read_extent(file, &value, "height", &header->height, error);
    if (map_line_starts(line, "width", &value))
        return read_extent(file, &value, "width", &header->width, error);
    struct map_line rest;
    if (map_line_starts(line, "type", &value)) {
        if (!map_line_starts(&value, "octile", &rest) ||
            !map_line_is_blank(&rest))
            return map_file_error(file, error,
                                  "type `%.*s`: octile is the only one known",
                                  MAP_LINE_SHOWN(value));
        header->has_type = true;
        return STATUS_OK;
    }
    return map_file_error(file, error,
                          "`%.*s` in the header: `type octile`, `height H`, "
                          "`width W`, then `map` are allowed",
                          MAP_LINE_SHOWN(*line));
}

static enum status read_header(struct map_file *file, struct grid *grid,
                               struct error *error)
{
    struct octile_header header = { 0 };
    for (;;) {
        struct map_line line, rest;
        if (!map_file_line(file, &line))
            return map_file_error(file, error,
                                  "the file ends before the line `map`");
        if (map_line_starts(&line, "map", &rest) && map_line_is_blank(&rest))
            break;
        enum status status = read_header_line(file, &line, &header, error);
        if (status != STATUS_OK)
            return status;
    }
    if (!header.has_type || !header.height || !header.width)
        return map_file_error(file, error, "`map` comes before `%s`",
                              !header.has_type ? "type octile"
                              : !header.height ? "height H"
                                               : "width W");
    int64_t extents[GRID_AXES] = { header.width, header.height, 1 };
    return map_grid(2, extents, file->path, file->line, grid, error);
}

/* Checks the rows and the lines after them; no memory is allocated for the grid
 * before the file is known to contain it. */
static enum status check_rows(struct map_file file, const struct grid *grid,
                              struct error *error)
{
    struct map_line line;
    char hint[MAP_HINT_SIZE];
    for (int y = 0; y < grid->ny; y++) {
        if (!map_file_line(&file, &line))
            return map_file_error(
                &file, error, "the file ends after %d of %d rows", y, grid->ny);
        if (line.length != (size_t)grid->nx) {
            map_row_hint(line.text, line.length, y, hint);
            return map_file_error(&file, error,
                                  "row %d has %zu cells, not the width's %d%s",
                                  y, line.length, grid->nx, hint);
        }
    }
    while (map_file_line(&file, &line))
        if (!map_line_is_blank(&line))
            return map_file_error(
                &file, error,
                "`%.*s` after the last of %d rows: nothing may follow",
                MAP_LINE_SHOWN(line), grid->ny);
    return STATUS_OK;
}

static enum status read_grid(struct map_file *file, struct grid *grid,
                             struct error *error)
{
    enum status status = read_header(file, grid, error);
    return status ? status : check_rows(*file, grid, error);
}

static enum status read_cells(struct map_file *file,
                              const struct legend *legend,
                              struct terrain *terrain, struct error *error)
{
    struct legend_symbols symbols;
    legend_symbols_init(&symbols, legend);
    for (int y = 0; y < terrain->grid.ny; y++) {
        struct map_line line;
        map_file_line(file, &line);
        enum status status = legend_apply_row(
            &symbols, line.text, terrain, grid_index(&terrain->grid, 0, y, 0),
            file->path, file->line, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

const struct map_format map_octile = { ".map", read_grid, read_cells };
