/* SPDX-License-Identifier: MIT */
/* From the tree to the draft, by the table of keys: scalars, checked by
 * settings/value.h; positions, boxes and drawn maps, checked against the map;
 * and groups. */
#include "base/memory.h"
#include "base/real.h"
#include "pursuit/motion.h"
#include "scenario/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fault of a wrong type or value. */
static enum status fault_value(const struct load *load, const struct key *key,
                               const struct setting *setting)
{
    struct error why;
    value_refuse(key, &setting->value, &why);
    return load_fault(load, setting, NULL, "%s", why.message);
}

static enum status read_scalar(const struct load *load, const struct key *key,
                               const struct setting *setting, void *at)
{
    struct error why;
    enum status status = value_store(key, &setting->value, at, &why);
    if (status == STATUS_INPUT)
        return load_fault(load, setting, NULL, "%s", why.message);
    return status ? error_memory(load->error) : STATUS_OK;
}

static const struct grid *grid_of(const struct load *load)
{
    return &load->draft->scenario.terrain.grid;
}

/* The number of items of a list; 0 for another value. */
static int length_of(const struct setting *setting)
{
    return setting->value.type == VALUE_LIST ? (int)setting->value.whole : 0;
}

static bool is_list(const struct setting *setting)
{
    return setting->value.type == VALUE_LIST;
}

static enum status read_set(const struct load *load, const struct key *key,
                            const struct setting *setting, void *at)
{
    unsigned set = 0;
    if (length_of(setting) == 0)
        return fault_value(load, key, setting);
    for (const struct setting *item = setting->first; item; item = item->next) {
        int index = item->text ? key_name_find(key, item->text) : -1;
        if (index < 0)
            return fault_value(load, key, item);
        set |= 1u << index;
    }
    memcpy(at, &set, sizeof set);
    return STATUS_OK;
}

/* `count` numbers; `form` shows how they are written. */
static enum status read_numbers(const struct load *load, const struct key *key,
                                const struct setting *setting, int count,
                                const char *form, double *numbers)
{
    if (!is_list(setting))
        return fault_value(load, key, setting);
    if (length_of(setting) != count)
        return load_fault(load, setting, NULL,
                          "%d numbers on a map of %d axes; %s is allowed",
                          length_of(setting), grid_of(load)->dims, form);
    for (const struct setting *item = setting->first; item; item = item->next) {
        const struct value *value = &item->value;
        if (value->type != VALUE_REAL && value->type != VALUE_WHOLE)
            return load_fault(load, item, NULL,
                              "not a number; %s is allowed, all numbers", form);
        *numbers++ =
            value->type == VALUE_REAL ? value->real : (double)value->whole;
    }
    return STATUS_OK;
}

static int extent(const struct grid *grid, int axis)
{
    return axis == 0 ? grid->nx : axis == 1 ? grid->ny : grid->nz;
}

/* Inside the map and in a free cell (`terrain` is that of row 0). */
static enum status read_position(const struct load *load, const struct key *key,
                                 const struct setting *setting,
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
            return load_fault(load, setting, NULL,
                              "%c = %s lies outside the map; from 0 to %d is "
                              "allowed",
                              "xyz"[axis], REAL_TEXT(numbers[axis]),
                              extent(grid, axis) - 1);
    double place[GRID_AXES];
    motion_place(numbers, place);
    if (!motion_touches_free(grid, terrain->wall, place)) {
        int nearest[GRID_AXES];
        grid_cell(grid, grid_nearest(grid, numbers), nearest);
        char layer[32] = "";
        if (grid->dims == 3)
            snprintf(layer, sizeof layer, ", %d", nearest[2]);
        return load_fault(
            load, setting, NULL,
            "its nearest cell [%d, %d%s] is a wall; a free cell is "
            "allowed",
            nearest[0], nearest[1], layer);
    }
    memcpy(at, numbers, sizeof numbers);
    return STATUS_OK;
}

static enum status read_place(const struct load *load, const struct key *key,
                              const struct setting *setting, void *at)
{
    struct place *place = at;
    place->random = setting->text && strcmp(setting->text, "random") == 0;
    if (place->random)
        return STATUS_OK;
    return read_position(load, key, setting, place->at);
}

static enum status read_positions(const struct load *load,
                                  const struct key *key,
                                  const struct setting *setting, void *at)
{
    if (!is_list(setting))
        return fault_value(load, key, setting);
    size_t count = (size_t)length_of(setting);
    double(*positions)[GRID_AXES] = memory_new(count, key->size);
    if (!positions)
        return error_memory(load->error);
    list_store(at, positions, count);
    enum status status = STATUS_OK;
    for (const struct setting *item = setting->first; item && !status;
         item = item->next)
        status = read_position(load, key, item, *positions++);
    return status;
}

static enum status read_box(const struct load *load, const struct key *key,
                            const struct setting *setting, void *at)
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
            return load_fault(load, setting, NULL,
                              "%c from %s to %s lies outside the map; from 0 "
                              "to %d is allowed",
                              name, REAL_TEXT(low), REAL_TEXT(high), last);
        if (low > high)
            return load_fault(load, setting, NULL,
                              "%c0 = %s is over %c1 = %s; the lower end comes "
                              "first",
                              name, REAL_TEXT(low), name, REAL_TEXT(high));
        box.low[axis] = (int)low;
        box.high[axis] = (int)high;
        if (box.low[axis] != low || box.high[axis] != high)
            return load_fault(load, setting, NULL,
                              "a box ends at cells; whole numbers are allowed");
    }
    if (!status)
        memcpy(at, &box, sizeof box);
    return status;
}

/* All have a point or an exponent, because an array of libconfig has one
 * type. */
enum status load_numbers(const struct load *load, const double *numbers,
                         size_t count, const char **at)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return error_memory(load->error);
    for (size_t i = 0; i < count; i++) {
        const char *number = REAL_TEXT(numbers[i]);
        fprintf(out, "%s%s%s", i ? ", " : "[", number,
                strpbrk(number, ".e") ? "" : ".0");
    }
    fputc(']', out);
    const bool whole = fclose(out) == 0 && text;
    *at = whole ? memory_text(text) : NULL;
    free(text);
    return *at ? STATUS_OK : error_memory(load->error);
}

static enum status read_list(const struct load *load, const struct key *key,
                             const struct setting *setting, void *at)
{
    const size_t count = (size_t)length_of(setting);
    if (count == 0)
        return fault_value(load, key, setting);
    double *numbers = memory_new(count, sizeof *numbers), *to = numbers;
    enum status status = numbers ? STATUS_OK : error_memory(load->error);
    for (const struct setting *item = setting->first; item && !status;
         item = item->next) {
        const struct value *value = &item->value;
        if (value->type != VALUE_REAL && value->type != VALUE_WHOLE)
            status = load_fault(load, item, NULL,
                                "not a number; a list of numbers is allowed");
        else
            *to++ =
                value->type == VALUE_REAL ? value->real : (double)value->whole;
    }
    if (!status)
        status = load_numbers(load, numbers, count, at);
    memory_release(numbers);
    return status;
}

/* One layer's rows, appended; drawing->rows has room. */
static enum status read_layer(const struct load *load, const struct key *key,
                              const struct setting *setting,
                              struct drawing *drawing)
{
    for (const struct setting *item = setting->first; item; item = item->next) {
        if (!item->text)
            return fault_value(load, key, item);
        drawing->rows[drawing->count] = memory_text(item->text);
        if (!drawing->rows[drawing->count])
            return error_memory(load->error);
        drawing->count++;
    }
    return STATUS_OK;
}

static enum status read_rows(const struct load *load, const struct key *key,
                             const struct setting *setting, void *at)
{
    struct drawing *drawing = at;
    if (length_of(setting) == 0)
        return fault_value(load, key, setting);
    drawing->rows =
        memory_new((size_t)length_of(setting), sizeof *drawing->rows);
    if (!drawing->rows)
        return error_memory(load->error);
    return read_layer(load, key, setting, drawing);
}

static enum status read_layers(const struct load *load, const struct key *key,
                               const struct setting *setting, void *at)
{
    struct drawing *drawing = at;
    const struct setting *first = is_list(setting) ? setting->first : NULL;
    size_t rows = 0;
    for (const struct setting *layer = first; layer; layer = layer->next) {
        int height = length_of(layer);
        if (height == 0)
            return fault_value(load, key, layer);
        if (rows && (size_t)height != drawing->height)
            return load_fault(
                load, layer, NULL,
                "%d rows where layer 0 has %zu; as many are allowed", height,
                drawing->height);
        drawing->height = (size_t)height;
        rows += (size_t)height;
    }
    if (rows == 0)
        return fault_value(load, key, setting);
    drawing->rows = memory_new(rows, sizeof *drawing->rows);
    if (!drawing->rows)
        return error_memory(load->error);
    enum status status = STATUS_OK;
    for (const struct setting *layer = first; layer && !status;
         layer = layer->next)
        status = read_layer(load, key, layer, drawing);
    return status;
}

enum status load_value(const struct load *load, const struct key *key,
                       const struct setting *setting, void *at)
{
    switch (key->type) {
    case KEY_SET:
        return read_set(load, key, setting, at);
    case KEY_PLACE:
        return read_place(load, key, setting, at);
    case KEY_POSITIONS:
        return read_positions(load, key, setting, at);
    case KEY_NUMBERS:
        return read_list(load, key, setting, at);
    case KEY_BOX:
        return read_box(load, key, setting, at);
    case KEY_ROWS:
        return read_rows(load, key, setting, at);
    case KEY_LAYERS:
        return read_layers(load, key, setting, at);
    default:
        return read_scalar(load, key, setting, at);
    }
}

/* ---- groups ---- */

static enum status keys_read(const struct load *load, const struct key *group,
                             const struct setting *setting, void *base)
{
    enum status status = STATUS_OK;
    for (const struct key *key = key_next(group, keys); key && !status;
         key = key_next(group, key + 1))
        status = load_key(load, key, setting, base);
    return status;
}

static enum status read_groups(const struct load *load, const struct key *key,
                               const struct setting *setting, void *at)
{
    if (!is_list(setting))
        return fault_value(load, key, setting);
    size_t count = (size_t)length_of(setting);
    char *items = memory_new(count, key->size);
    if (!items)
        return error_memory(load->error);
    list_store(at, items, count);
    enum status status = STATUS_OK;
    for (const struct setting *item = setting->first; item && !status;
         item = item->next, items += key->size)
        status = item->value.type == VALUE_GROUP
                     ? keys_read(load, key, item, items)
                     : fault_value(load, key, item);
    return status;
}

/* Reports the required keys that are missing in a group that is given. */
static enum status fault_missing(const struct load *load, const struct key *key,
                                 const struct setting *group)
{
    char wanted[256];
    key_describe(key, wanted, sizeof wanted);
    return load_fault(load, group, key_leaf(key), "is missing; %s is expected",
                      wanted);
}

/* For lists the default is the empty one, which `at` is already. */
static enum status read_default(const struct load *load, const struct key *key,
                                void *at)
{
    const char *text = value_default(key, load->draft->preset);
    return text && key->type != KEY_GROUPS && key->type != KEY_POSITIONS
               ? value_take(key, text, at, load->error)
               : STATUS_OK;
}

enum status load_key(const struct load *load, const struct key *key,
                     const struct setting *group, void *base)
{
    const struct setting *setting = setting_find(group, key_leaf(key));
    void *at = key_at(key, base);
    if (key->optional)
        *key_given(key, base) = setting != NULL;
    if (!setting && key->required && group)
        return fault_missing(load, key, group);
    if (key->type == KEY_GROUP) {
        if (setting && setting->value.type != VALUE_GROUP)
            return fault_value(load, key, setting);
        return keys_read(load, key, setting, at);
    }
    if (setting)
        return key->type == KEY_GROUPS ? read_groups(load, key, setting, at)
                                       : load_value(load, key, setting, at);
    return read_default(load, key, at);
}

static void release_rows(struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->count; i++)
        memory_release(drawing->rows[i]);
    memory_release(drawing->rows);
}

static void release_groups(const struct key *key, struct list list)
{
    for (size_t i = 0; i < list.count; i++)
        keys_release(key, (char *)list.items + i * key->size);
    memory_release(list.items);
}

void keys_release(const struct key *group, void *base)
{
    for (const struct key *key = key_next(group, keys); key;
         key = key_next(group, key + 1)) {
        void *at = key_at(key, base);
        if (key->type == KEY_GROUP)
            keys_release(key, at);
        else if (key->type == KEY_GROUPS)
            release_groups(key, list_at(at));
        else if (key->type == KEY_TEXT || key->type == KEY_PATH ||
                 key->type == KEY_NUMBERS)
            memory_release(*(char **)at);
        else if (key->type == KEY_POSITIONS)
            memory_release(list_at(at).items);
        else if (key->type == KEY_ROWS || key->type == KEY_LAYERS)
            release_rows(at);
    }
}
