/* SPDX-License-Identifier: MIT */
#include "world/maps/legend.h"

#include <stdio.h>

static const struct legend_entry free_cell = { .speed = 1, .cost = 1 };
static const struct legend_entry blocked_cell = { .wall = true,
                                                  .speed = 1,
                                                  .cost = 1 };

void legend_symbols_init(struct legend_symbols *symbols,
                         const struct legend *legend)
{
    static const struct legend_symbols standard = {
        .meaning = { ['.'] = &free_cell,
                     ['G'] = &free_cell,
                     ['S'] = &free_cell,
                     ['@'] = &blocked_cell,
                     ['O'] = &blocked_cell,
                     ['T'] = &blocked_cell,
                     ['W'] = &blocked_cell }
    };
    *symbols = standard;
    for (size_t i = 0; legend && i < legend->count; i++)
        if (!legend->entries[i].by_color)
            symbols->meaning[(unsigned char)legend->entries[i].symbol] =
                &legend->entries[i];
}

const struct legend_entry *legend_find_color(const struct legend *legend,
                                             uint32_t color)
{
    for (size_t i = legend ? legend->count : 0; i-- > 0;)
        if (legend->entries[i].by_color && legend->entries[i].color == color)
            return &legend->entries[i];
    return color == 0x000000   ? &blocked_cell
           : color == 0xffffff ? &free_cell
                               : NULL;
}

enum status legend_apply(const struct legend_entry *entry,
                         struct terrain *terrain, size_t cell,
                         struct error *error)
{
    enum status status = STATUS_OK;
    /* cppcheck-suppress ctunullpointer ; map_png.c's give_up never returns */
    terrain->wall[cell] = entry->wall;
    if (entry->speed != 1) {
        status = terrain_prepare(terrain, CHANGE_SPEED, error);
        if (!status)
            terrain->speed[cell] = entry->speed;
    }
    if (!status && entry->cost != 1) {
        status = terrain_prepare(terrain, CHANGE_COST, error);
        if (!status)
            terrain->cost[cell] = entry->cost;
    }
    if (!status && entry->one_way) {
        status = terrain_prepare(terrain, CHANGE_ONE_WAY, error);
        if (!status)
            terrain->one_way[cell] = (uint8_t)entry->one_way;
    }
    return status;
}

static enum status unknown_symbol(unsigned char symbol, const struct grid *grid,
                                  size_t cell, const char *path, int line,
                                  struct error *error)
{
    int at[GRID_AXES];
    char shown[8], layer[16] = "";
    grid_cell(grid, cell, at);
    if (symbol > ' ' && symbol < 0x7f)
        snprintf(shown, sizeof shown, "'%c'", symbol);
    else
        snprintf(shown, sizeof shown, "0x%02x", symbol);
    if (grid->dims == 3)
        snprintf(layer, sizeof layer, ", %d", at[2]);
    return error_at(error, STATUS_INPUT, path, line,
                    "symbol %s at cell (%d, %d%s) has no meaning: . G S are "
                    "free, @ O T W blocked, a legend may name others",
                    shown, at[0], at[1], layer);
}

enum status legend_apply_row(const struct legend_symbols *symbols,
                             const char *row, struct terrain *terrain,
                             size_t first, const char *path, int line,
                             struct error *error)
{
    for (int x = 0; x < terrain->grid.nx; x++) {
        unsigned char symbol = (unsigned char)row[x];
        size_t cell = first + (size_t)x;
        const struct legend_entry *meaning = symbols->meaning[symbol];
        if (!meaning)
            return unknown_symbol(symbol, &terrain->grid, cell, path, line,
                                  error);
        enum status status = legend_apply(meaning, terrain, cell, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
