/* SPDX-License-Identifier: MIT */
/* The map of a scenario: its file, or the rows drawn in the scenario. */
#include "base/memory.h"
#include "scenario/load.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Has an earlier entry the same symbol or colour? */
static bool repeats(const struct legend *legend, size_t i)
{
    const struct legend_entry *entry = &legend->entries[i];
    for (size_t j = 0; j < i; j++) {
        const struct legend_entry *other = &legend->entries[j];
        if (entry->by_color == other->by_color &&
            (entry->by_color ? entry->color == other->color
                             : entry->symbol == other->symbol))
            return true;
    }
    return false;
}

static enum status read_legend(struct load *load)
{
    enum { ENTRIES_LIMIT = 1024 };
    struct draft *draft = load->draft;
    const struct legend_draft *from = draft->map.legend.items;
    struct legend *legend = &draft->scenario.legend;
    size_t count = draft->map.legend.count;
    if (count > ENTRIES_LIMIT)
        return load_fault_path(load, "map.legend",
                               "%zu entries; at most %d are allowed", count,
                               ENTRIES_LIMIT);
    legend->entries = memory_new(count, sizeof *legend->entries);
    if (!legend->entries)
        return error_memory(load->error);
    legend->count = count;
    for (size_t i = 0; i < count; i++) {
        const char *path = ITEM_PATH("map.legend", i, NULL);
        legend->entries[i] = from[i].entry;
        if (from[i].has_symbol == from[i].entry.by_color)
            return load_fault_path(load, path,
                                   "one of symbol and color is expected");
        if (repeats(legend, i))
            return load_fault_path(load, path,
                                   "an earlier entry has the same symbol or "
                                   "color; one entry for each is allowed");
    }
    return STATUS_OK;
}

enum status load_beside(const struct load *load, const char *key,
                        const char *file, char path[])
{
    const char *slash = strrchr(load->path, '/');
    int directory = *file != '/' && slash ? (int)(slash - load->path) + 1 : 0;
    int length =
        snprintf(path, PATH_MAX, "%.*s%s", directory, load->path, file);
    if (length < 0 || length >= PATH_MAX)
        return load_fault_path(load, key,
                               "a path of %d bytes; at most %d are allowed",
                               length, PATH_MAX - 1);
    return STATUS_OK;
}

/* Sets the absolute path of `directory of the scenario`/`file`. */
static enum status make_absolute(struct load *load)
{
    char joined[PATH_MAX], absolute[PATH_MAX];
    char **file = &load->draft->map.file;
    const enum status status = load_beside(load, "map.file", *file, joined);
    if (status)
        return status;
    if (!realpath(joined, absolute) || access(absolute, R_OK))
        return load_fault_path(
            load, "map.file",
            "%s: %s; a file that can be read is expected, its "
            "path absolute or relative to the scenario",
            joined, strerror(errno));
    char *text = memory_text(absolute);
    if (!text)
        return error_memory(load->error);
    memory_release(*file);
    *file = text;
    return STATUS_OK;
}

static enum status read_drawing(struct load *load, const char *path,
                                const struct drawing *drawing)
{
    struct scenario *scenario = &load->draft->scenario;
    int layers = drawing->height ? (int)(drawing->count / drawing->height) : 0;
    int height = (int)(layers ? drawing->height : drawing->count);
    int line;
    const char *head = load_head(load, path, &line);
    return map_from_rows((const char *const *)drawing->rows, layers, height,
                         &scenario->legend, head, line, &scenario->terrain,
                         load->error);
}

enum status load_map(struct load *load)
{
    struct draft *draft = load->draft;
    struct scenario *scenario = &draft->scenario;
    if (draft->map.has_file + draft->map.has_rows + draft->map.has_layers != 1)
        return load_fault_path(load, "map",
                               "one of file, rows and layers is expected");
    enum status status = read_legend(load);
    if (!status && load->outline)
        status = terrain_blank(&scenario->terrain, &load->outline->grid,
                               load->outline->has, load->error);
    else if (!status && draft->map.has_rows)
        status = read_drawing(load, "map.rows.[0]", &draft->map.rows);
    else if (!status && draft->map.has_layers)
        status = read_drawing(load, "map.layers.[0].[0]", &draft->map.layers);
    else if (!status && !load->map)
        status = make_absolute(load);
    if (draft->map.has_file)
        scenario->map_file = draft->map.file;
    if (!status && draft->map.has_file && !load->outline)
        status = load->map
                     ? terrain_copy(load->map, &scenario->terrain, load->error)
                     : map_load(scenario->map_file, &scenario->legend,
                                &scenario->terrain, load->error);
    return status;
}
