/* SPDX-License-Identifier: MIT */
#include "run/start.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool start_is_hidden(const struct scenario *scenario)
{
    return scenario->map_file && scenario->event_count &&
           scenario->events[0].step == 0;
}

static double value_at(const struct terrain *map, int array, size_t cell)
{
    const void *values = terrain_array_at(map, array);
    return terrain_arrays[array].width == 1 ? ((const uint8_t *)values)[cell]
                                            : ((const double *)values)[cell];
}

/* The end of the cells from `cell` on that have one value, and another one
 * after the events; `cell` itself if it is not such a cell. */
static size_t run_end(const struct terrain *before, const struct terrain *after,
                      int array, size_t cell)
{
    const size_t cells = grid_cells(&before->grid);
    const double value = value_at(before, array, cell);
    while (cell < cells && value_at(before, array, cell) == value &&
           value_at(after, array, cell) != value)
        cell++;
    return cell;
}

static void print_changes(FILE *out, const struct terrain *before,
                          const struct terrain *after)
{
    const size_t cells = grid_cells(&before->grid);
    for (int i = 0; i < TERRAIN_ARRAYS; i++)
        for (size_t cell = 0, end;
             terrain_array_at(before, i) && cell<cells; cell = end> cell
                 ? end
                 : cell + 1) {
            end = run_end(before, after, i, cell);
            if (end > cell)
                fprintf(out, "%s %zu %zu %.17g\n", terrain_arrays[i].name, cell,
                        end - cell, value_at(before, i, cell));
        }
}

void start_apply(const struct scenario *scenario, struct terrain *map)
{
    for (size_t i = 0;
         i < scenario->event_count && scenario->events[i].step == 0; i++)
        terrain_apply(map, &scenario->events[i].change);
}

enum status start_print(const struct scenario *scenario,
                        const struct terrain *map, char **text,
                        struct error *error)
{
    struct terrain after = { 0 };
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    enum status status = out ? STATUS_OK : error_memory(error);
    if (!status && map->wall)
        status = terrain_copy(map, &after, error);
    if (after.wall) {
        start_apply(scenario, &after);
        print_changes(out, map, &after);
    }
    if (out && fclose(out) == 0 && !status)
        *text = memory_text(buffer);
    free(buffer);
    terrain_release(&after);
    return status || *text ? status : error_memory(error);
}

/* One line; false if it is not of this map. */
static bool restore(const char *line, struct terrain *map)
{
    const size_t cells = grid_cells(&map->grid);
    char name[16];
    size_t first, count;
    double value;
    int i = 0;
    if (sscanf(line, "%15s %zu %zu %lf", name, &first, &count, &value) != 4)
        return false;
    while (i < TERRAIN_ARRAYS && strcmp(terrain_arrays[i].name, name) != 0)
        i++;
    void *values = i < TERRAIN_ARRAYS ? terrain_array_at(map, i) : NULL;
    if (!values || first > cells || count > cells - first ||
        !(value >= 0 && value <= 1e12))
        return false;
    for (size_t cell = first; cell < first + count; cell++)
        if (terrain_arrays[i].width == 1)
            ((uint8_t *)values)[cell] = value <= UINT8_MAX ? (uint8_t)value : 0;
        else
            ((double *)values)[cell] = value;
    return true;
}

enum status start_restore(const char *text, struct terrain *map,
                          struct error *error)
{
    for (const char *line = text; line && *line;) {
        if (!restore(line, map))
            return error_set(error, STATUS_INPUT,
                             "provenance/start is of another map");
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return STATUS_OK;
}
