/* SPDX-License-Identifier: MIT */
#include "draw/figure/heatmap.h"

#include "draw/raster/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t *cell_color(const struct plane *plane, size_t i,
                                 const struct scale *scale,
                                 const struct ramp *ramp)
{
    if (plane->wall && plane->wall[i])
        return ramp->wall;
    int level = scale_level(scale, plane->values[i]);
    return level < 0 ? ramp->missing : ramp->colors[level];
}

void heatmap_paint(const struct plane *plane, const struct scale *scale,
                   const struct ramp *ramp, int cell, struct image *image,
                   int left, int top)
{
    size_t bytes = 3 * (size_t)plane->nx * (size_t)cell;
    for (int y = 0; y < plane->ny; y++) {
        uint8_t *first = image_at(image, left, top + y * cell), *to = first;
        for (int x = 0; x < plane->nx; x++) {
            size_t i = (size_t)y * (size_t)plane->nx + (size_t)x;
            const uint8_t *color = cell_color(plane, i, scale, ramp);
            for (int k = 0; k < cell; k++, to += 3)
                memcpy(to, color, 3);
        }
        for (int k = 1; k < cell; k++)
            memcpy(image_at(image, left, top + y * cell + k), first, bytes);
    }
}

/* ---- as a sheet ---- */

/* Numbers of colours: the map's, and these after them. */
enum { WALL = COLORMAP_SIZE, MISSING, KINDS };

/* A cell's level, with an additional bit if the cell is a wall: without a
 * branch, because walls may be anywhere. */
static inline unsigned level_or_wall(const uint8_t *index, const uint8_t *wall,
                                     size_t i)
{
    return index[i] | (unsigned)(wall[i] != 0) * COLORMAP_SIZE;
}

/* Finds the kinds of colour in the plane; sheet->index contains levels. */
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

/* Sorts the colours, each once, and numbers each kind. */
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

/* Replaces levels and walls by the numbers of their colours. */
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

bool heatmap_paint_sheet(const struct plane *plane, const struct levels *levels,
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
