/* SPDX-License-Identifier: MIT */
#include "draw/sheet.h"

#include "base/memory.h"
#include "draw/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of colours: the map's, and behind them these. */
enum { WALL = COLORMAP_SIZE, MISSING, KINDS };

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

/* Which kinds of colour the plane has; sheet->index holds levels. */
static void find_kinds(const struct plane *plane, const struct sheet *sheet,
                       bool missing, bool kinds[KINDS])
{
    size_t cells = (size_t)plane->nx * (size_t)plane->ny;
    for (size_t i = 0; i < cells; i++) {
        if (plane->wall && plane->wall[i])
            kinds[WALL] = true;
        else if (missing && isnan(plane->values[i]))
            kinds[MISSING] = true;
        else
            kinds[sheet->index[i]] = true;
    }
}

/* Sorts the colours, each once, and gives each kind its number. */
static bool make_palette(const bool kinds[KINDS], const struct ramp *ramp,
                         struct sheet *sheet, uint8_t number[KINDS])
{
    uint32_t colors[KINDS], own[KINDS];
    int count = 0, distinct = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const uint8_t *rgb = kind == WALL      ? ramp->wall
                             : kind == MISSING ? ramp->missing
                                               : ramp->colors[kind];
        own[kind] = palette_color(rgb);
        if (kinds[kind])
            colors[count++] = own[kind];
    }
    qsort(colors, (size_t)count, sizeof *colors, palette_darker);
    for (int i = 0; i < count; i++)
        if (!i || colors[i] != colors[distinct - 1])
            colors[distinct++] = colors[i];
    if (distinct > SHEET_COLORS)
        return false;
    for (int i = 0; i < distinct; i++)
        for (int c = 0; c < 3; c++)
            sheet->colors[i][c] = (uint8_t)(colors[i] >> (16 - 8 * c));
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; kinds[kind] && i < distinct; i++)
            if (colors[i] == own[kind])
                number[kind] = (uint8_t)i;
    sheet->count = distinct;
    return true;
}

bool sheet_paint(const struct plane *plane, const struct levels *levels,
                 const struct ramp *ramp, struct sheet *sheet)
{
    size_t cells = (size_t)plane->nx * (size_t)plane->ny;
    bool missing = levels_of(levels, plane->values, cells, sheet->index);
    bool kinds[KINDS] = { false };
    uint8_t number[KINDS] = { 0 };
    find_kinds(plane, sheet, missing, kinds);
    if (!make_palette(kinds, ramp, sheet, number))
        return false;
    for (size_t i = 0; i < cells; i++)
        sheet->index[i] = plane->wall && plane->wall[i]
                              ? number[WALL]
                              : number[sheet->index[i]];
    for (size_t i = 0; missing && i < cells; i++)
        if (isnan(plane->values[i]) && !(plane->wall && plane->wall[i]))
            sheet->index[i] = number[MISSING];
    return true;
}
