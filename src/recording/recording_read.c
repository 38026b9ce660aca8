/* SPDX-License-Identifier: MIT */
/* Rows, series and terrain, each row held to its checksum. */
#include "recording/recording_parts.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "recording/disk.h"
#include "recording/replay.h"

#include <stdio.h>
#include <string.h>

enum status read_bytes(const struct recording *recording,
                       const struct layout_item *item, uint64_t at,
                       size_t bytes, void *out, struct error *error)
{
    if (item->chunk[0])
        return read_packed(recording, item, at, bytes, out, error);
    if (!disk_read(recording->fd, out, bytes, item->offset + at))
        return error_system(error, STATUS_DISK, "%s: %s cannot be read",
                            recording->path, item->variable.name);
    return STATUS_OK;
}

/* Variables are handed out as the first members of their items. */
static const struct layout_item *item_of(const struct variable *variable)
{
    return (const struct layout_item *)variable;
}

enum status check_rows(const struct recording *recording,
                       const struct layout_item *item, int64_t row,
                       int64_t count, const void *data, struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    size_t bytes = layout_row_bytes(item);
    snprintf(name, sizeof name, "crc/%.58s", item->variable.name);
    const struct layout_item *sums = layout_find(&recording->layout, name);
    for (int64_t i = 0; i < count; i++) {
        uint32_t kept;
        enum status status =
            read_bytes(recording, sums, (uint64_t)(row + i) * sizeof kept,
                       sizeof kept, &kept, error);
        if (status)
            return status;
        if (crc32c(0, (const char *)data + (size_t)i * bytes, bytes) != kept)
            return error_at(error, STATUS_INPUT, recording->path, 0,
                            "%s: row %lld is damaged: its checksum is another",
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
    double every = recording_setting_real(recording, "record.keyframes", 2);
    return keyframe_at(row, (int64_t)every, &index) ? index : -1;
}

static enum status read_row(const struct recording *recording,
                            const struct layout_item *item, int64_t row,
                            void *out, struct error *error)
{
    size_t bytes = layout_row_bytes(item);
    if (row < 0 || row >= recording->rows)
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "%s: row %lld: %lld rows are recorded, from 0 on",
                        item->variable.name, (long long)row,
                        (long long)recording->rows);
    if (item->keyframed || item->derived)
        return replay_read(recording->replay, item, row, out, error);
    enum status status =
        read_bytes(recording, item, (uint64_t)row * bytes, bytes, out, error);
    return status ? status : check_rows(recording, item, row, 1, out, error);
}

/* Versions of the map that the rows have come to. */
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
        status = read_bytes(recording, item, (uint64_t)i * sizeof who,
                            sizeof who, &who, error);
        *emitted = who == wave;
    }
    return status;
}

/* While a run goes on, its first arrivals may be ahead of its rows: of later
 * generations, or the 0 at the source of a wave that is yet to be sent. */
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
    enum status status =
        read_bytes(recording, item, 0, (size_t)item->bytes, out, error);
    if (!status && item->entry->role == ROLE_ROWS)
        status = check_rows(recording, item, 0, versions_used(recording), out,
                            error);
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

enum status recording_read_real(const struct recording *recording,
                                const struct variable *variable, int64_t row,
                                double *out, struct error *error)
{
    /* The row is read into the end of `out`, and widened from its start on: a
     * number is in its place before the next ones' bytes are written over. */
    size_t count = variable_elements(variable);
    size_t size = element_bytes(variable->type);
    char *values = (char *)out + count * (sizeof *out - size);
    enum status status =
        recording_read(recording, variable, row, values, error);
    for (size_t i = 0; i < count && !status; i++) {
        uint64_t value;
        memcpy(&value, values + i * size, size);
        out[i] = element_real(variable->type, &value);
    }
    return status;
}

/* Rows that are computed one from the other are whole. */
static enum status replay_series(const struct recording *recording,
                                 const struct layout_item *item, size_t element,
                                 double *out, struct error *error)
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
        return replay_series(recording, item, element, out, error);
    for (int64_t row = 0; row < recording->rows && !status; row++) {
        uint64_t value;
        uint64_t at = (uint64_t)row * layout_row_bytes(item) + element * size;
        status = read_bytes(recording, item, at, size, &value, error);
        if (!status)
            out[row] = element_real(variable->type, &value);
    }
    return status;
}

enum status recording_row_of(const struct recording *recording, int64_t step,
                             int64_t *row, struct error *error)
{
    int64_t low = 0, high = recording->rows;
    const int64_t *steps = recording->steps;
    if (recording->rows == 0)
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "step %lld: nothing is recorded yet", (long long)step);
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (steps[middle] < step)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == recording->rows || steps[low] != step) {
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
    size_t bytes = layout_row_bytes(item);
    enum status status =
        read_bytes(recording, item, version * bytes, bytes, out, error);
    return status
               ? status
               : check_rows(recording, item, (int64_t)version, 1, out, error);
}
