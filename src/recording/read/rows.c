/* SPDX-License-Identifier: MIT */
/* Rows, series and terrain; each row is compared with its checksum. */
#include "recording/read/file.h"

#include "base/crc32c.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* Every struct variable that the reader returns is the first member of its
 * item. */
static const struct layout_item *item_of(const struct variable *variable)
{
    return (const struct layout_item *)variable;
}

enum status recording_check_rows(const struct recording *recording,
                                 const struct layout_item *item, int64_t row,
                                 int64_t count, const void *data,
                                 struct error *error)
{
    size_t bytes = layout_row_bytes(item);
    const struct layout_item *sums = layout_checksums(&recording->layout, item);
    for (int64_t i = 0; i < count; i++) {
        uint32_t kept = 0;
        enum status status = recording_read_bytes(
            recording, sums, (uint64_t)(row + i) * sizeof kept, sizeof kept,
            &kept, error);
        if (status)
            return status;
        if (crc32c(0, (const char *)data + (size_t)i * bytes, bytes) != kept)
            return error_at(
                error, STATUS_INPUT, recording->path, 0,
                "%s: row %lld is damaged: its checksum does not match",
                item->variable.name, (long long)(row + i));
    }
    return STATUS_OK;
}

int64_t recording_stored_row(const struct recording *recording,
                             const struct variable *variable, int64_t row)
{
    const struct layout_item *item = item_of(variable);
    int64_t index = row;
    if (row < 0 || row >= recording->rows || item->derived)
        return -1;
    if (!item->keyframed)
        return row;
    return layout_keyframe_at(row, recording->keyframes, &index) ? index : -1;
}

enum status recording_read_stored(const struct recording *recording,
                                  const struct layout_item *item, int64_t row,
                                  void *out, struct error *error)
{
    int64_t index = row;
    size_t bytes = layout_row_bytes(item);
    if (item->keyframed &&
        !layout_keyframe_at(row, recording->keyframes, &index))
        return error_at(error, STATUS_FAILED, recording->path, 0,
                        "%s: row %lld is not stored: it is between keyframes",
                        item->variable.name, (long long)row);
    enum status status = recording_read_bytes(
        recording, item, (uint64_t)index * bytes, bytes, out, error);
    return status ? status
                  : recording_check_rows(recording, item, row, 1, out, error);
}

static enum status read_row(const struct recording *recording,
                            const struct layout_item *item, int64_t row,
                            void *out, struct error *error)
{
    const struct row_source *source = &recording->source;
    if (row < 0 || row >= recording->rows)
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "%s: row %lld: %lld rows are recorded, from 0 on",
                        item->variable.name, (long long)row,
                        (long long)recording->rows);
    return source->context && (item->keyframed || item->derived)
               ? source->read(source->context, item, row, out, error)
               : recording_read_stored(recording, item, row, out, error);
}

/* The versions of the map up to the last committed frame. */
static int64_t versions_used(const struct recording *recording)
{
    if (recording->rows == 0)
        return 0;
    int64_t last = recording->steps[recording->rows - 1];
    return (int64_t)recording_version_at(recording, last) + 1;
}

/* Was a wave emitted by the last committed step? */
static enum status was_emitted(const struct recording *recording, int wave,
                               bool *emitted, struct error *error)
{
    const struct layout_item *item =
        layout_find(&recording->layout, "emissions/wave");
    int64_t rows = recording_table_rows(recording, "emissions");
    enum status status = STATUS_OK;
    *emitted = false;
    for (int64_t i = 0; i < rows && !status && !*emitted; i++) {
        int32_t who = -1;
        status = recording_read_bytes(recording, item, (uint64_t)i * sizeof who,
                                      sizeof who, &who, error);
        *emitted = who == wave;
    }
    return status;
}

/* While a run writes, its first-arrival fields may be ahead of the frames: of
 * later generations, or (until November 2026) the 0 at the source of a wave
 * that is emitted later. */
static enum status hold_back(const struct recording *recording,
                             const struct layout_item *item, int32_t *arrival,
                             struct error *error)
{
    size_t count = (size_t)item->bytes / sizeof *arrival;
    int64_t last = recording->rows ? recording->steps[recording->rows - 1] : -1;
    bool emitted;
    enum status status = was_emitted(recording, item->wave, &emitted, error);
    for (size_t i = 0; i < count; i++)
        if (arrival[i] > last || !emitted)
            arrival[i] = -1;
    return status;
}

enum status recording_read(const struct recording *recording,
                           const struct variable *variable, int64_t row,
                           void *out, struct error *error)
{
    const struct layout_item *item = item_of(variable);
    if (variable->by_row)
        return read_row(recording, item, row, out, error);
    enum status status = recording_read_bytes(recording, item, 0,
                                              (size_t)item->bytes, out, error);
    if (!status && item->entry->role == ROLE_ROWS)
        status = recording_check_rows(recording, item, 0,
                                      versions_used(recording), out, error);
    if (!status && item->entry->needs & PART_ARRIVAL &&
        recording->state == RUN_RUNNING)
        status = hold_back(recording, item, out, error);
    return status;
}

double element_real(enum element_type type, const void *value)
{
    switch (type) {
    case TYPE_INT32:
        return *(const int32_t *)value;
    case TYPE_INT64:
        return (double)*(const int64_t *)value;
    case TYPE_UINT32:
        return *(const uint32_t *)value;
    case TYPE_FLOAT32:
        return (double)*(const float *)value;
    case TYPE_FLOAT64:
        return *(const double *)value;
    default:
        return *(const int8_t *)value;
    }
}

void elements_real(enum element_type type, const void *values, size_t count,
                   double *out)
{
    /* A block is copied before its doubles are written: if `values` are the end
     * of `out`, the doubles then never overwrite elements that are not read
     * yet. */
    enum { BLOCK = 512 };
    union {
        float single[BLOCK];
        double any[BLOCK];
    } block;
    size_t size = element_bytes(type);
    for (size_t done = 0; done < count; done += BLOCK) {
        size_t n = count - done < BLOCK ? count - done : BLOCK;
        memcpy(&block, (const char *)values + done * size, n * size);
        if (type == TYPE_FLOAT32)
            for (size_t i = 0; i < n; i++)
                out[done + i] = (double)block.single[i];
        else
            for (size_t i = 0; i < n; i++)
                out[done + i] =
                    element_real(type, (const char *)&block + i * size);
    }
}

enum status recording_read_real(const struct recording *recording,
                                const struct variable *variable, int64_t row,
                                double *out, struct error *error)
{
    /* The row is read into the end of `out`, and converted from the start. */
    size_t count = variable_elements(variable);
    char *values =
        (char *)out + count * (sizeof *out - element_bytes(variable->type));
    enum status status =
        recording_read(recording, variable, row, values, error);
    if (!status)
        elements_real(variable->type, values, count, out);
    return status;
}

/* Frames that are computed one from another are computed completely. */
static enum status read_computed_series(const struct recording *recording,
                                        const struct layout_item *item,
                                        size_t element, double *out,
                                        struct error *error)
{
    size_t size = element_bytes(item->variable.type);
    char *values = memory_new(variable_elements(&item->variable), size);
    if (!values)
        return error_memory(error);
    enum status status = STATUS_OK;
    for (int64_t row = 0; row < recording->rows && !status; row++) {
        status = read_row(recording, item, row, values, error);
        if (!status)
            out[row] =
                element_real(item->variable.type, values + element * size);
    }
    memory_release(values);
    return status;
}

enum status recording_read_series(const struct recording *recording,
                                  const struct variable *variable,
                                  size_t element, double *out,
                                  struct error *error)
{
    const struct layout_item *item = item_of(variable);
    size_t size = element_bytes(variable->type);
    enum status status = STATUS_OK;
    if (!variable->by_row || element >= variable_elements(variable))
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "%s: no element %zu in each row", variable->name,
                        element);
    if (item->keyframed || item->derived)
        return read_computed_series(recording, item, element, out, error);
    for (int64_t row = 0; row < recording->rows && !status; row++) {
        uint64_t value;
        uint64_t at = (uint64_t)row * layout_row_bytes(item) + element * size;
        status = recording_read_bytes(recording, item, at, size, &value, error);
        if (!status)
            out[row] = element_real(variable->type, &value);
    }
    return status;
}

int64_t recording_row_from(const struct recording *recording, int64_t step)
{
    const int64_t *steps = recording->steps;
    int64_t low = 0, high = recording->rows - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (steps[middle] < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum status recording_row_of(const struct recording *recording, int64_t step,
                             int64_t *row, struct error *error)
{
    const int64_t low = recording_row_from(recording, step);
    const int64_t *steps = recording->steps;
    if (recording->rows == 0)
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "step %lld: nothing is recorded yet", (long long)step);
    if (steps[low] != step) {
        int64_t last = steps[recording->rows - 1];
        int64_t every = recording_every(recording);
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "step %lld is not recorded: there are steps %lld to "
                        "%lld, every %lld%s",
                        (long long)step, (long long)steps[0], (long long)last,
                        (long long)every, last % every ? " and the last" : "");
    }
    *row = low;
    return STATUS_OK;
}

size_t recording_version_at(const struct recording *recording, int64_t step)
{
    size_t version = 0;
    while (version + 1 < recording->versions &&
           recording->version_steps[version + 1] <= step)
        version++;
    return version;
}

enum status recording_read_terrain(const struct recording *recording,
                                   const char *name, size_t version, void *out,
                                   struct error *error)
{
    char world[VARIABLE_NAME_SIZE];
    snprintf(world, sizeof world, "world/%.50s", name);
    const struct layout_item *item = layout_find(&recording->layout, world);
    if (!item)
        item = layout_find(&recording->layout, name);
    if (!item || item->entry->role != ROLE_ROWS ||
        item->entry->axes[0] != AXIS_VERSION)
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "%s: the recording has no such map", name);
    if ((int64_t)version >= versions_used(recording))
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "version %zu of the map: %lld are recorded, from 0 on",
                        version, (long long)versions_used(recording));
    return recording_read_stored(recording, item, (int64_t)version, out, error);
}

static bool has_terrain(const struct recording *recording, const char *name)
{
    char world[VARIABLE_NAME_SIZE];
    snprintf(world, sizeof world, "world/%.50s", name);
    return recording_find(recording, world) || recording_find(recording, name);
}

enum status recording_ground(const struct recording *recording, uint32_t *sum,
                             struct error *error)
{
    size_t cells = grid_cells(recording_grid(recording));
    void *arrays[TERRAIN_ARRAYS] = { NULL };
    enum status status = STATUS_OK;
    for (int i = 0; i < TERRAIN_ARRAYS && !status; i++) {
        const struct terrain_array *array = &terrain_arrays[i];
        if (!has_terrain(recording, array->name))
            continue;
        arrays[i] = memory_new(cells, array->width);
        status = arrays[i] ? recording_read_terrain(recording, array->name, 0,
                                                    arrays[i], error)
                           : error_memory(error);
    }
    if (!status)
        status =
            terrain_checksum((const void *const *)arrays, cells, sum, error);
    for (int i = 0; i < TERRAIN_ARRAYS; i++)
        memory_release(arrays[i]);
    return status;
}
