/* SPDX-License-Identifier: MIT */
#include "recording/format/layout.h"

#include "base/disk.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { FILL_BYTES = 1 << 13 };

static const char letters[GRID_AXES] = { 'x', 'y', 'z' };

void layout_name(const char *template, int wave, int letter, char *name,
                 size_t size)
{
    size_t used = 0;
    name[0] = '\0';
    for (; *template; template ++) {
        char piece[16] = { *template };
        if (*template == '#')
            snprintf(piece, sizeof piece, "%d", wave);
        else if (*template == '@')
            piece[0] = letters[letter];
        size_t bytes = strlen(piece);
        if (used + bytes >= size)
            return;
        memcpy(name + used, piece, bytes + 1);
        used += bytes;
    }
}

static bool in_world(const char *name)
{
    return strncmp(name, "world/", 6) == 0;
}

/* The number of chunks in a row of the fields; 0 if it overflows. */
static int64_t tiles_of(const int64_t *extent, const int64_t *tile)
{
    size_t tiles = 1;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int64_t most = tile[axis] > 0 ? tile[axis] : 1;
        int64_t count = extent[axis] / most + (extent[axis] % most != 0);
        if (count < 1 || !size_multiply(tiles, (size_t)count, &tiles) ||
            tiles > INT32_MAX)
            return 0;
    }
    return (int64_t)tiles;
}

static int64_t axis_length(const struct shape *shape, const char *name,
                           enum axis axis)
{
    if (in_world(name) && axis >= AXIS_Z && axis <= AXIS_X)
        return shape->world[AXIS_X - axis];
    const int64_t *length = shape->length;
    if (axis == AXIS_TILE)
        return tiles_of(
            (int64_t[]){ length[AXIS_X], length[AXIS_Y], length[AXIS_Z] },
            shape->tile);
    if (axis == AXIS_WORLD_TILE)
        return tiles_of(shape->world, shape->world_tile);
    if (axis == AXIS_PLACE)
        return 2;
    return length[axis];
}

static void set_axis(struct variable *variable, const char *name,
                     int64_t length)
{
    snprintf(variable->axis[variable->rank], AXIS_NAME_SIZE, "%s", name);
    variable->extent[variable->rank++] = length;
}

/* bytes = elements × size. Checks that offsets in the whole file cannot
 * overflow. */
static enum status measure(struct layout_item *item, struct error *error)
{
    size_t bytes = element_bytes(item->variable.type);
    for (int axis = 0; axis < item->variable.rank; axis++) {
        int64_t extent = item->variable.extent[axis];
        if (extent < 1 || !size_multiply(bytes, (size_t)extent, &bytes) ||
            bytes > INT64_MAX)
            return error_set(error, STATUS_INPUT,
                             "%s: an extent of %lld does not fit",
                             item->variable.name, (long long)extent);
    }
    item->bytes = item->entry->role == ROLE_DIMENSION ? 0 : bytes;
    return STATUS_OK;
}

static struct layout_item *next_item(struct layout *layout,
                                     const struct schema_entry *entry)
{
    struct layout_item *item = &layout->items[layout->count++];
    item->entry = entry;
    item->variable.type = entry->type;
    return item;
}

bool layout_is_field(const struct layout_item *item)
{
    const struct schema_entry *entry = item->entry;
    if (entry->role != ROLE_ROWS && !(entry->needs & PART_ARRIVAL))
        return false;
    for (int i = 0; i < VARIABLE_MAX_RANK; i++)
        if (entry->axes[i] == AXIS_X)
            return true;
    return false;
}

/* The length of a chunk along an axis: fields are divided into chunks; along
 * the axis of rows it is 1. */
static int64_t chunk_length(const struct shape *shape, const char *name,
                            enum axis axis)
{
    const int64_t *tile = in_world(name) ? shape->world_tile : shape->tile;
    return axis >= AXIS_Z && axis <= AXIS_X ? tile[AXIS_X - axis] : 1;
}

static enum status add(struct layout *layout, const struct shape *shape,
                       const struct schema_entry *entry, int wave, int letter,
                       struct error *error)
{
    struct layout_item *item = next_item(layout, entry);
    struct variable *variable = &item->variable;
    item->wave = wave;
    item->letter = letter;
    item->keyframed =
        shape->parts & PART_KEYFRAMES && entry->needs == PART_AMPLITUDE;
    bool chunks = shape->parts & PART_PACKED && layout_is_field(item);
    if (entry->real)
        variable->type = shape->real;
    layout_name(entry->name, wave, letter, variable->name,
                sizeof variable->name);
    for (int i = 0; i < VARIABLE_MAX_RANK && entry->axes[i]; i++) {
        enum axis axis = entry->axes[i];
        if (axis == AXIS_Z && !(shape->parts & PART_DEPTH))
            continue;
        if (chunks)
            item->chunk[variable->rank] =
                chunk_length(shape, entry->name, axis);
        if (axis == AXIS_TIME && item->keyframed)
            axis = AXIS_KEYFRAME;
        set_axis(variable, axis_names[axis],
                 axis_length(shape, entry->name, axis));
    }
    variable->by_row = entry->role == ROLE_ROWS && entry->axes[0] == AXIS_TIME;
    return measure(item, error);
}

/* How often the entry is repeated in the layout: waves × letters. */
static void repeats(const struct schema_entry *entry, const struct shape *shape,
                    int *waves, int *letters_used)
{
    bool here = (shape->parts & entry->needs) == entry->needs;
    *waves = !here ? 0 : strchr(entry->name, '#') ? shape->waves : 1;
    *letters_used = !strchr(entry->name, '@')   ? 1
                    : shape->parts & PART_DEPTH ? 3
                                                : 2;
}

static enum status add_schema(struct layout *layout, const struct shape *shape,
                              struct error *error)
{
    enum status status = STATUS_OK;
    for (const struct schema_entry *entry = schema; entry->name; entry++) {
        int waves, axes;
        repeats(entry, shape, &waves, &axes);
        for (int wave = 0; wave < waves; wave++)
            for (int letter = 0; letter < axes && !status; letter++)
                status = add(layout, shape, entry, wave, letter, error);
    }
    return status;
}

/* The name in `folder` of the item that belongs to `path`: "crc/agents/crc_x"
 * for "agents/x". Its last part differs from that of the path, because NCO
 * takes a variable with the requested name from every group. Older recordings
 * have "crc/agents/x". */
static void name_beside(const char *folder, const char *path, bool own,
                        char name[VARIABLE_NAME_SIZE])
{
    const char *slash = strrchr(path, '/');
    const int group = slash ? (int)(slash - path) + 1 : 0;
    if (own)
        snprintf(name, VARIABLE_NAME_SIZE, "%s/%.*s%s_%.40s", folder, group,
                 path, folder, path + group);
    else
        snprintf(name, VARIABLE_NAME_SIZE, "%s/%.56s", folder, path);
}

/* Adds one checksum for each index of the first axis, for each variable that is
 * written by rows. */
static enum status add_checksums(struct layout *layout,
                                 const struct shape *shape, struct error *error)
{
    enum status status = STATUS_OK;
    size_t count = layout->count;
    for (size_t i = 0; i < count && !status; i++) {
        const struct variable of = layout->items[i].variable;
        bool keyframed = layout->items[i].keyframed;
        if (layout->items[i].entry->role != ROLE_ROWS)
            continue;
        struct layout_item *item = next_item(layout, &schema_crc);
        name_beside("crc", of.name, shape->parts & PART_OWN_NAMES,
                    item->variable.name);
        item->of = i;
        /* also of frames that are not stored but computed again */
        if (keyframed)
            set_axis(&item->variable, axis_names[AXIS_TIME],
                     shape->length[AXIS_TIME]);
        else
            set_axis(&item->variable, of.axis[0], of.extent[0]);
        status = measure(item, error);
    }
    return status;
}

/* Adds the address and size of each chunk, for each packed field. */
static enum status add_places(struct layout *layout, const struct shape *shape,
                              struct error *error)
{
    enum status status = STATUS_OK;
    size_t count = layout->count;
    for (size_t i = 0; i < count && !status; i++) {
        const struct layout_item of = layout->items[i];
        if (!of.chunk[0])
            continue;
        enum axis tile =
            in_world(of.variable.name) ? AXIS_WORLD_TILE : AXIS_TILE;
        struct layout_item *item = next_item(layout, &schema_chunk);
        name_beside("chunk", of.variable.name, shape->parts & PART_OWN_NAMES,
                    item->variable.name);
        item->of = i;
        if (of.entry->role == ROLE_ROWS)
            set_axis(&item->variable, of.variable.axis[0],
                     of.variable.extent[0]);
        set_axis(&item->variable, axis_names[tile],
                 axis_length(shape, "", tile));
        set_axis(&item->variable, axis_names[AXIS_PLACE], 2);
        status = measure(item, error);
    }
    return status;
}

static enum status add_texts(struct layout *layout, const struct shape *shape,
                             struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < shape->text_count && !status; i++) {
        const struct shape_text *text = &shape->texts[i];
        char axis[AXIS_NAME_SIZE];
        snprintf(axis, sizeof axis, "%s_length", text->name);
        struct layout_item *length = next_item(layout, &schema_text_length);
        snprintf(length->variable.name, VARIABLE_NAME_SIZE, "provenance/%s",
                 axis);
        set_axis(&length->variable, axis, text->length);
        struct layout_item *item = next_item(layout, &schema_text);
        snprintf(item->variable.name, VARIABLE_NAME_SIZE, "provenance/%s",
                 text->name);
        set_axis(&item->variable, axis, text->length);
        status = measure(length, error);
        if (!status)
            status = measure(item, error);
    }
    return status;
}

static size_t items_at_most(const struct shape *shape)
{
    size_t count = 0;
    for (const struct schema_entry *entry = schema; entry->name; entry++) {
        int waves, axes;
        repeats(entry, shape, &waves, &axes);
        count += (size_t)(waves * axes);
    }
    return 3 * (count + shape->text_count) + /* checksums, chunks */
           /* gradients that are computed, not stored */
           GRID_AXES * (size_t)shape->waves;
}

enum status layout_expand(const struct shape *shape, struct layout *layout,
                          struct error *error)
{
    *layout = (struct layout){ 0 };
    if (shape->waves > RECORDING_MAX_WAVES ||
        shape->length[AXIS_TIME] > RECORDING_MAX_ROWS)
        return error_set(error, STATUS_INPUT,
                         "%d waves and %lld rows: a recording holds at most %d "
                         "waves and %d rows, see record.every",
                         shape->waves, (long long)shape->length[AXIS_TIME],
                         RECORDING_MAX_WAVES, RECORDING_MAX_ROWS);
    layout->items = memory_new(items_at_most(shape), sizeof *layout->items);
    if (!layout->items)
        return error_memory(error);
    enum status status = add_schema(layout, shape, error);
    if (!status)
        status = add_checksums(layout, shape, error);
    if (!status)
        status = add_places(layout, shape, error);
    if (!status)
        status = add_texts(layout, shape, error);
    if (status)
        layout_release(layout);
    return status;
}

void layout_release(struct layout *layout)
{
    memory_release(layout->items);
    *layout = (struct layout){ 0 };
}

struct layout_item *layout_find(const struct layout *layout, const char *name)
{
    for (size_t i = 0; i < layout->count; i++)
        if (strcmp(layout->items[i].variable.name, name) == 0)
            return &layout->items[i];
    return NULL;
}

bool layout_has(const struct layout *layout, const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < layout->count; i++) {
        const char *item = layout->items[i].variable.name;
        if (length == 0 || (strncmp(item, name, length) == 0 &&
                            (item[length] == '/' || item[length] == '\0')))
            return true;
    }
    return false;
}

/* Scales of axes contain metres, because many programs do not apply
 * scale_factor to them; positions contain cells, exactly. */
const char *layout_units(const struct layout *layout,
                         const struct layout_item *item)
{
    const struct schema_entry *entry = item->entry;
    if (entry->scaled == SCALED_TIME)
        return layout_find(layout, "step") ? "s" : "1";
    if (entry->scaled == SCALED_CELLS)
        return !layout_find(layout, "cell_x") ? "1"
               : entry->role == ROLE_SCALE    ? "m"
                                              : "cell";
    return entry->units ? entry->units : "";
}

void layout_long_name(const struct layout *layout,
                      const struct layout_item *item, char *text, size_t size)
{
    const struct schema_entry *entry = item->entry;
    if (entry->scaled == SCALED_TIME && layout_find(layout, "step"))
        snprintf(text, size, "time of the generation");
    else
        layout_name(entry->long_name ? entry->long_name : "", item->wave,
                    item->letter, text, size);
}

/* The item made by `entry` that belongs to this item. */
static const struct layout_item *find_beside(const struct layout *layout,
                                             const struct schema_entry *entry,
                                             const struct layout_item *item)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct layout_item *found = &layout->items[i];
        if (found->entry == entry &&
            strcmp(layout->items[found->of].variable.name,
                   item->variable.name) == 0)
            return found;
    }
    return NULL;
}

const struct layout_item *layout_places(const struct layout *layout,
                                        const struct layout_item *item)
{
    return find_beside(layout, &schema_chunk, item);
}

const struct layout_item *layout_checksums(const struct layout *layout,
                                           const struct layout_item *item)
{
    return find_beside(layout, &schema_crc, item);
}

bool layout_starts_unused(const struct layout_item *item)
{
    return item->entry->role == ROLE_TABLE || item->entry->needs & PART_ARRIVAL;
}

/* All bytes 0xff are -1 in every integer type, and NaN in real types, for which
 * -1 may be a value. */
bool layout_fill_unused(int fd, const struct layout_item *item, uint64_t from)
{
    unsigned char unused[FILL_BYTES];
    memset(unused, 0xff, sizeof unused);
    for (uint64_t done = from; done < item->bytes; done += FILL_BYTES) {
        uint64_t left = item->bytes - done;
        size_t now = left < FILL_BYTES ? (size_t)left : FILL_BYTES;
        if (!disk_write(fd, unused, now, item->offset + done))
            return false;
    }
    return true;
}

void layout_set_history(struct layout_header *header, const char *date,
                        const char *command)
{
    size_t size = sizeof header->history;
    int length = snprintf(header->history, size, "%s%s%s", date ? date : "",
                          date && *date ? ": " : "", command ? command : "");
    if (length < 0 || (size_t)length < size)
        return;
    size_t end = size - 1; /* do not cut a UTF-8 character */
    while (end > 0 && (header->history[end - 1] & 0xc0) == 0x80)
        end--;
    if (end > 0 && header->history[end - 1] & 0x80)
        end--;
    header->history[end] = '\0';
}

size_t layout_row_bytes(const struct layout_item *item)
{
    return item->variable.rank ? item->bytes / (size_t)item->variable.extent[0]
                               : item->bytes;
}

enum status layout_derive(struct layout *layout, const struct shape *shape,
                          struct error *error)
{
    const struct schema_entry *entry = schema;
    enum status status = STATUS_OK;
    while (entry->needs != PART_GRADIENT)
        entry++;
    for (int wave = 0; wave < shape->waves; wave++)
        for (int letter = 0; letter < (shape->parts & PART_DEPTH ? 3 : 2);
             letter++) {
            struct layout_item *item = &layout->items[layout->count];
            if (!status)
                status = add(layout, shape, entry, wave, letter, error);
            item->derived = true;
            memset(item->chunk, 0, sizeof item->chunk);
        }
    return status;
}

int64_t layout_keyframe_count(int64_t rows, int64_t every)
{
    int64_t rest = rows % every;
    return rows / every * 2 + (rest < 2 ? rest : 2);
}

bool layout_keyframe_at(int64_t row, int64_t every, int64_t *index)
{
    *index = row / every * 2 + row % every;
    return row % every < 2;
}
