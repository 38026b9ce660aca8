/* SPDX-License-Identifier: MIT */
/* Makes a layout from what was found, and checks that everything found agrees
 * with it. */
#include "recording/read/inspect.h"

#include "base/memory.h"
#include "recording/read/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct found *find(const struct inspection *inspection,
                                const char *name)
{
    for (size_t i = 0; i < inspection->count; i++)
        if (strcmp(inspection->items[i].name, name) == 0)
            return &inspection->items[i];
    return NULL;
}

/* A part is present if any variable exists that needs only this part. */
static unsigned parts_of(const struct inspection *inspection)
{
    unsigned parts = 0;
    for (const struct schema_entry *entry = schema; entry->name; entry++) {
        unsigned part = entry->needs;
        char name[VARIABLE_NAME_SIZE];
        if (part & (part - 1))
            continue;
        layout_name(entry->name, 0, 0, name, sizeof name);
        if (find(inspection, name))
            parts |= part;
    }
    if (find(inspection, "crc/crc_wall"))
        parts |= PART_OWN_NAMES;
    return parts;
}

/* The first of the wave's variables that exists. */
static const struct found *find_wave(const struct inspection *inspection,
                                     int wave)
{
    static const char *const tails[] = { "", "_grad_x", "_arrival" };
    const struct found *found = NULL;
    char name[VARIABLE_NAME_SIZE];
    for (size_t i = 0; i < sizeof tails / sizeof *tails && !found; i++) {
        snprintf(name, sizeof name, "wave%d%s", wave, tails[i]);
        found = find(inspection, name);
    }
    return found;
}

static void find_waves(const struct inspection *inspection, struct shape *shape)
{
    const struct found *first = find_wave(inspection, 0);
    shape->real =
        first && first->type == TYPE_FLOAT64 ? TYPE_FLOAT64 : TYPE_FLOAT32;
    while (shape->waves < RECORDING_MAX_WAVES &&
           find_wave(inspection, shape->waves))
        shape->waves++;
}

static void find_lengths(const struct inspection *inspection,
                         struct shape *shape)
{
    for (int axis = 0; axis < AXES; axis++)
        shape->length[axis] = 1;
    for (int axis = 0; axis < GRID_AXES; axis++)
        shape->world[axis] = 1;
    for (const struct schema_entry *entry = schema; entry->name; entry++) {
        if (entry->role != ROLE_SCALE && entry->role != ROLE_DIMENSION)
            continue;
        const struct found *found = find(inspection, entry->name);
        if (!found)
            continue;
        enum axis axis = entry->axes[0];
        if (strncmp(entry->name, "world/", 6) == 0)
            shape->world[AXIS_X - axis] = found->extent[0];
        else
            shape->length[axis] = found->extent[0];
    }
}

static void find_tile(const struct inspection *inspection, const char *name,
                      int64_t tile[GRID_AXES])
{
    const struct found *found = find(inspection, name);
    for (int axis = 0; axis < GRID_AXES; axis++)
        tile[axis] = 1;
    for (int axis = 0; found && found->chunk[0] && axis + 1 < found->rank;
         axis++)
        tile[axis] = found->chunk[found->rank - 1 - axis];
}

static void find_texts(const struct inspection *inspection, struct shape *shape)
{
    static const char folder[] = "provenance/";
    size_t skip = sizeof folder - 1;
    for (size_t i = 0; i < inspection->count; i++) {
        const struct found *found = &inspection->items[i];
        if (strncmp(found->name, folder, skip) != 0 ||
            found->type != TYPE_CHAR ||
            strlen(found->name + skip) >= RECORDING_TEXT_NAME_SIZE ||
            shape->text_count == RECORDING_MAX_TEXTS)
            continue;
        struct shape_text *text = &shape->texts[shape->text_count++];
        memcpy(text->name, found->name + skip, strlen(found->name + skip) + 1);
        text->length = found->extent[0];
    }
}

/* Is it in chunks exactly if the others are, of a size that hamon-pack
 * makes? */
static const char *packing_fault(const struct layout_item *item,
                                 const struct found *found)
{
    if (memcmp(found->chunk, item->chunk, sizeof item->chunk) != 0)
        return item->chunk[0] ? "is not in chunks as the others are"
                              : "is in chunks: rewritten by another program? "
                                "Recordings are read as they were made, or as "
                                "hamon-pack packs them";
    if (!item->chunk[0])
        return NULL;
    size_t chunk = element_bytes(item->variable.type);
    for (int axis = 0; axis < item->variable.rank; axis++)
        if (!size_multiply(chunk, (size_t)item->chunk[axis], &chunk) ||
            chunk > LAYOUT_CHUNK_MOST)
            return "has chunks larger than any recording's";
    return NULL;
}

static enum status hold(const struct layout_item *item,
                        const struct found *found, uint64_t bytes,
                        const char *path, struct error *error)
{
    const struct variable *variable = &item->variable;
    const char *fault = NULL;
    if (!found)
        fault = "is missing";
    else if ((enum element_type)found->type != variable->type)
        fault = "is of the wrong type";
    else if (found->rank != variable->rank ||
             memcmp(found->extent, variable->extent,
                    (size_t)variable->rank * sizeof *found->extent) != 0)
        fault = "does not have the extents of its axes";
    else if ((fault = packing_fault(item, found)))
        ;
    else if (item->bytes > 0 && !item->chunk[0] &&
             (found->offset > bytes || item->bytes > bytes - found->offset))
        fault = "is not inside the file: was it cut short?";
    if (fault)
        return error_at(error, STATUS_INPUT, path, 0,
                        "not a readable recording: %s: %s", variable->name,
                        fault);
    return STATUS_OK;
}

/* A few bytes can declare a large map, and a program would then allocate memory
 * for every cell. A caller that knows the size passes it. */
uint64_t recording_cells_believed(uint64_t bytes)
{
    const char *given = getenv("HAMON_CELLS_MOST");
    uint64_t most = bytes * LAYOUT_CELLS_A_BYTE;
    if (most < LAYOUT_CELLS_FREE)
        most = LAYOUT_CELLS_FREE;
    if (given && strtoull(given, NULL, 10) > most)
        most = strtoull(given, NULL, 10);
    return most;
}

static enum status hold_cells(const struct layout_item *item, uint64_t bytes,
                              uint64_t known, const char *path,
                              struct error *error)
{
    if (!item->chunk[0])
        return STATUS_OK;
    uint64_t row =
        item->entry->role == ROLE_ROWS ? layout_row_bytes(item) : item->bytes;
    uint64_t cells = row / element_bytes(item->variable.type);
    if (cells <= known || cells <= recording_cells_believed(bytes))
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, path, 0,
                    "not a readable recording: %s: unpacks to %llu cells, and "
                    "the file has %llu bytes: if you trust the file, set "
                    "HAMON_CELLS_MOST=%llu in the environment",
                    item->variable.name, (unsigned long long)cells,
                    (unsigned long long)bytes, (unsigned long long)cells);
}

static enum status hold_all(const struct inspection *inspection,
                            const char *path, uint64_t bytes, uint64_t cells,
                            struct layout *layout, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < layout->count && !status; i++) {
        struct layout_item *item = &layout->items[i];
        const struct found *found = find(inspection, item->variable.name);
        status = hold(item, found, bytes, path, error);
        if (!status)
            status = hold_cells(item, bytes, cells, path, error);
        if (!status)
            item->offset = found->offset;
        if (!status)
            memcpy(item->ends, found->ends, sizeof item->ends);
    }
    for (size_t i = 0; i < inspection->count && !status; i++)
        if (!layout_find(layout, inspection->items[i].name))
            status = error_at(error, STATUS_INPUT, path, 0,
                              "not a readable recording: %s: does not match "
                              "the other variables",
                              inspection->items[i].name);
    return status;
}

enum status inspect_layout(const struct inspection *inspection,
                           const char *path, uint64_t bytes, uint64_t cells,
                           struct shape *shape, struct layout *layout,
                           struct error *error)
{
    struct error why;
    *shape = (struct shape){ .parts = parts_of(inspection) };
    find_waves(inspection, shape);
    find_lengths(inspection, shape);
    find_tile(inspection, "wall", shape->tile);
    find_tile(inspection, "world/wall", shape->world_tile);
    find_texts(inspection, shape);
    enum status status = layout_expand(shape, layout, &why);
    if (status == STATUS_INPUT)
        return error_at(error, status, path, 0,
                        "not a readable recording: %.800s", why.message);
    if (status)
        return error_memory(error);
    status = hold_all(inspection, path, bytes, cells, layout, error);
    if (status)
        layout_release(layout);
    return status;
}
