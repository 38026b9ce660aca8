/* SPDX-License-Identifier: MIT */
/* Positions, boxes and drawn maps of the tree. */
#include "base/memory.h"
#include "base/real.h"
#include "scenario/load.h"

#include <stdio.h>
#include <string.h>

static const struct grid *grid_of(const struct load *load)
{
    return &load->draft->scenario.terrain.grid;
}

static bool is_sequence(const config_setting_t *setting)
{
    return config_setting_is_array(setting) || config_setting_is_list(setting);
}

static const config_setting_t *item(const config_setting_t *setting, int i)
{
    return config_setting_get_elem(setting, (unsigned)i);
}

/* `count` numbers; `form` shows how they are written. */
static enum status read_numbers(const struct load *load, const struct key *key,
                                const config_setting_t *setting, int count,
                                const char *form, double *numbers)
{
    if (!is_sequence(setting))
        return fault_wanted(load, key, setting);
    if (config_setting_length(setting) != count)
        return fault(load, setting, NULL,
                     "%d numbers on a map of %d axes; %s is allowed",
                     config_setting_length(setting), grid_of(load)->dims, form);
    for (int i = 0; i < count; i++) {
        const config_setting_t *number = item(setting, i);
        if (!config_setting_is_number(number))
            return fault(load, number, NULL,
                         "not a number; %s is allowed, all numbers", form);
        numbers[i] = config_setting_type(number) == CONFIG_TYPE_FLOAT
                         ? config_setting_get_float(number)
                         : (double)config_setting_get_int64(number);
    }
    return STATUS_OK;
}

static int extent(const struct grid *grid, int axis)
{
    return axis == 0 ? grid->nx : axis == 1 ? grid->ny : grid->nz;
}

/* Inside the map and in a free cell (`terrain` is that of row 0). */
static enum status read_position(const struct load *load, const struct key *key,
                                 const config_setting_t *setting,
                                 double at[GRID_AXES])
{
    const struct terrain *terrain = &load->draft->scenario.terrain;
    const struct grid *grid = grid_of(load);
    double numbers[GRID_AXES] = { 0, 0, 0 };
    enum status status =
        read_numbers(load, key, setting, grid_axes(grid),
                     grid->dims == 2 ? "[x, y]" : "[x, y, z]", numbers);
    if (status)
        return status;
    for (int axis = 0; axis < grid_axes(grid); axis++)
        if (!(numbers[axis] >= 0 && numbers[axis] <= extent(grid, axis) - 1))
            return fault(load, setting, NULL,
                         "%c = %s lies outside the map; from 0 to %d is "
                         "allowed",
                         "xyz"[axis], REAL_TEXT(numbers[axis]),
                         extent(grid, axis) - 1);
    size_t cell = grid_nearest(grid, numbers);
    if (terrain->wall[cell]) {
        int nearest[GRID_AXES];
        grid_cell(grid, cell, nearest);
        char layer[32] = "";
        if (grid->dims == 3)
            snprintf(layer, sizeof layer, ", %d", nearest[2]);
        return fault(load, setting, NULL,
                     "its nearest cell [%d, %d%s] is a wall; a free cell is "
                     "allowed",
                     nearest[0], nearest[1], layer);
    }
    memcpy(at, numbers, sizeof numbers);
    return STATUS_OK;
}

static enum status read_place(const struct load *load, const struct key *key,
                              const config_setting_t *setting, void *at)
{
    struct place *place = at;
    const char *word = config_setting_get_string(setting);
    if (word && strcmp(word, "random") == 0) {
        place->random = true;
        return STATUS_OK;
    }
    if (word)
        return fault_wanted(load, key, setting);
    return read_position(load, key, setting, place->at);
}

static enum status read_positions(const struct load *load,
                                  const struct key *key,
                                  const config_setting_t *setting, void *at)
{
    if (!is_sequence(setting))
        return fault_wanted(load, key, setting);
    int count = config_setting_length(setting);
    double(*positions)[GRID_AXES] = memory_new((size_t)count, key->size);
    if (!positions)
        return error_memory(load->error);
    list_store(at, positions, (size_t)count);
    enum status status = STATUS_OK;
    for (int i = 0; !status && i < count; i++)
        status = read_position(load, key, item(setting, i), positions[i]);
    return status;
}

static enum status read_box(const struct load *load, const struct key *key,
                            const config_setting_t *setting, void *at)
{
    const struct grid *grid = grid_of(load);
    double numbers[2 * GRID_AXES] = { 0 };
    enum status status = read_numbers(
        load, key, setting, 2 * grid->dims,
        grid->dims == 2 ? "[x0, y0, x1, y1]" : "[x0, y0, z0, x1, y1, z1]",
        numbers);
    struct box box = { { 0 }, { 0 } };
    for (int axis = 0; !status && axis < grid->dims; axis++) {
        double low = numbers[axis], high = numbers[grid->dims + axis];
        int last = extent(grid, axis) - 1;
        char name = "xyz"[axis];
        if (!(low >= 0 && low <= last && high >= 0 && high <= last))
            return fault(load, setting, NULL,
                         "%c from %s to %s lies outside the map; from 0 "
                         "to %d is allowed",
                         name, REAL_TEXT(low), REAL_TEXT(high), last);
        if (low > high)
            return fault(load, setting, NULL,
                         "%c0 = %s is over %c1 = %s; the lower end comes "
                         "first",
                         name, REAL_TEXT(low), name, REAL_TEXT(high));
        box.low[axis] = (int)low;
        box.high[axis] = (int)high;
        if (box.low[axis] != low || box.high[axis] != high)
            return fault(load, setting, NULL,
                         "a box ends at cells; whole numbers are allowed");
    }
    if (!status)
        memcpy(at, &box, sizeof box);
    return status;
}

/* One layer's rows, appended; drawing->rows has room. */
static enum status read_layer(const struct load *load, const struct key *key,
                              const config_setting_t *setting,
                              struct drawing *drawing)
{
    for (int i = 0; i < config_setting_length(setting); i++) {
        const char *row = config_setting_get_string(item(setting, i));
        if (!row)
            return fault_wanted(load, key, item(setting, i));
        drawing->rows[drawing->count] = memory_text(row);
        if (!drawing->rows[drawing->count])
            return error_memory(load->error);
        drawing->count++;
    }
    return STATUS_OK;
}

static enum status read_rows(const struct load *load, const struct key *key,
                             const config_setting_t *setting, void *at)
{
    struct drawing *drawing = at;
    if (!is_sequence(setting) || config_setting_length(setting) == 0)
        return fault_wanted(load, key, setting);
    drawing->rows = memory_new((size_t)config_setting_length(setting),
                               sizeof *drawing->rows);
    if (!drawing->rows)
        return error_memory(load->error);
    return read_layer(load, key, setting, drawing);
}

static enum status read_layers(const struct load *load, const struct key *key,
                               const config_setting_t *setting, void *at)
{
    struct drawing *drawing = at;
    int layers = is_sequence(setting) ? config_setting_length(setting) : 0;
    size_t rows = 0;
    for (int i = 0; i < layers; i++) {
        const config_setting_t *layer = item(setting, i);
        int height = is_sequence(layer) ? config_setting_length(layer) : 0;
        if (height == 0)
            return fault_wanted(load, key, layer);
        if (rows && (size_t)height != drawing->height)
            return fault(load, layer, NULL,
                         "%d rows where layer 0 has %zu; as many are allowed",
                         height, drawing->height);
        drawing->height = (size_t)height;
        rows += (size_t)height;
    }
    if (rows == 0)
        return fault_wanted(load, key, setting);
    drawing->rows = memory_new(rows, sizeof *drawing->rows);
    if (!drawing->rows)
        return error_memory(load->error);
    enum status status = STATUS_OK;
    for (int i = 0; !status && i < layers; i++)
        status = read_layer(load, key, item(setting, i), drawing);
    return status;
}

enum status place_read(const struct load *load, const struct key *key,
                       const config_setting_t *setting, void *at)
{
    switch (key->type) {
    case KEY_PLACE:
        return read_place(load, key, setting, at);
    case KEY_POSITIONS:
        return read_positions(load, key, setting, at);
    case KEY_BOX:
        return read_box(load, key, setting, at);
    case KEY_ROWS:
        return read_rows(load, key, setting, at);
    default:
        return read_layers(load, key, setting, at);
    }
}
