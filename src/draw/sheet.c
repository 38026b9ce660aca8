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

/* A cell's level, with a bit above it where the cell is wall: no branch, for
 * walls may stand anywhere. */
static inline unsigned level_or_wall(const uint8_t *index, const uint8_t *wall,
                                     size_t i)
{
    return index[i] | (unsigned)(wall[i] != 0) * COLORMAP_SIZE;
}

/* Which kinds of colour the plane has; sheet->index holds levels. */
static void find_kinds(const struct plane *plane, const struct sheet *sheet,
                       bool missing, bool kinds[KINDS])
{
    size_t cells = (size_t)plane->nx * (size_t)plane->ny;
    const uint8_t *index = sheet->index, *wall = plane->wall;
    bool seen[2 * COLORMAP_SIZE] = { false };
    for (size_t i = 0; i < cells && missing; i++)
        if (wall && wall[i])
            kinds[WALL] = true;
        else
            kinds[isnan(plane->values[i]) ? MISSING : index[i]] = true;
    for (size_t i = 0; i < cells && !missing && wall; i++)
        seen[level_or_wall(index, wall, i)] = true;
    for (size_t i = 0; i < cells && !missing && !wall; i++)
        seen[index[i]] = true;
    for (int k = 0; k < COLORMAP_SIZE; k++) {
        kinds[k] |= seen[k];
        kinds[WALL] |= seen[COLORMAP_SIZE + k];
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

/* Levels become numbers of colours, and walls theirs. */
static void set_numbers(const uint8_t *wall, const uint8_t number[KINDS],
                        size_t cells, uint8_t *index)
{
    uint8_t of[2 * COLORMAP_SIZE];
    memcpy(of, number, COLORMAP_SIZE);
    memset(of + COLORMAP_SIZE, number[WALL], COLORMAP_SIZE);
    for (size_t i = 0; i < cells && wall; i++)
        index[i] = of[level_or_wall(index, wall, i)];
    for (size_t i = 0; i < cells && !wall; i++)
        index[i] = of[index[i]];
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
    set_numbers(plane->wall, number, cells, sheet->index);
    for (size_t i = 0; missing && i < cells; i++)
        if (isnan(plane->values[i]) && !(plane->wall && plane->wall[i]))
            sheet->index[i] = number[MISSING];
    return true;
}
