/* SPDX-License-Identifier: MIT */
/* What grows while a run goes on: small pieces gathered, large ones written at
 * once, and a checksum for each row. */
#include "recording/recorder_parts.h"

#include "base/crc32c.h"
#include "recording/disk.h"

#include <string.h>

void column_bind(struct column *column, const struct recorder *recorder,
                 const char *name)
{
    column->item = layout_find(&recorder->layout, name);
}

void row_column_bind(struct row_column *column, const struct recorder *recorder,
                     const char *name)
{
    char crc[VARIABLE_NAME_SIZE] = "crc/";
    strncat(crc, name, sizeof crc - sizeof "crc/");
    column_bind(&column->data, recorder, name);
    column_bind(&column->crc, recorder, crc);
}

enum status write_error(const struct recorder *recorder, const char *variable,
                        int64_t row, struct error *error)
{
    return error_system(error, STATUS_DISK,
                        "%s: %s: row %lld cannot be written", recorder->path,
                        variable, (long long)row);
}

static enum status place_error(const struct recorder *recorder,
                               const struct column *column, struct error *error)
{
    uint64_t at = column->end - column->gathered;
    return write_error(recorder, column->item->variable.name,
                       (int64_t)(at / layout_row_bytes(column->item)), error);
}

enum status column_flush(struct recorder *recorder, struct column *column,
                         struct error *error)
{
    if (column->gathered == 0)
        return STATUS_OK;
    uint64_t at = column->item->offset + column->end - column->gathered;
    if (!disk_write(recorder->fd, column->bytes, column->gathered, at))
        return place_error(recorder, column, error);
    column->gathered = 0;
    return STATUS_OK;
}

enum status column_append(struct recorder *recorder, struct column *column,
                          const void *data, size_t bytes, struct error *error)
{
    enum status status = STATUS_OK;
    if (column->end + bytes > column->item->bytes)
        return error_at(error, STATUS_DISK, recorder->path, 0,
                        "%s is full: record with more room for it",
                        column->item->variable.name);
    if (column->gathered + bytes > COLUMN_BYTES)
        status = column_flush(recorder, column, error);
    if (status)
        return status;
    if (bytes > COLUMN_BYTES) {
        if (!disk_write(recorder->fd, data, bytes,
                        column->item->offset + column->end))
            return place_error(recorder, column, error);
    } else {
        memcpy(column->bytes + column->gathered, data, bytes);
        column->gathered += bytes;
    }
    column->end += bytes;
    return STATUS_OK;
}

enum status row_column_append(struct recorder *recorder,
                              struct row_column *column, const void *data,
                              size_t bytes, struct error *error)
{
    uint32_t crc = crc32c(0, data, bytes);
    enum status status =
        column_append(recorder, &column->data, data, bytes, error);
    return status
               ? status
               : column_append(recorder, &column->crc, &crc, sizeof crc, error);
}

/* Where the next byte of a box of the grid comes from. */
struct cutter {
    const char *field;
    const struct grid *grid;
    const struct box *box;
    size_t element, line, lines, within, width; /* within, width in bytes */
};

static const char *cutter_at(const struct cutter *cutter, size_t *left)
{
    const int *low = cutter->box->low;
    size_t height = (size_t)(cutter->box->high[1] - low[1] + 1);
    size_t cell =
        grid_index(cutter->grid, low[0], low[1] + (int)(cutter->line % height),
                   low[2] + (int)(cutter->line / height));
    *left = cutter->width - cutter->within;
    return cutter->field + cell * cutter->element + cutter->within;
}

static size_t cutter_gather(struct cutter *cutter, unsigned char *piece,
                            size_t room)
{
    size_t used = 0;
    while (used < room && cutter->line < cutter->lines) {
        size_t left;
        const char *from = cutter_at(cutter, &left);
        size_t now = left < room - used ? left : room - used;
        memcpy(piece + used, from, now);
        used += now;
        cutter->within += now;
        if (cutter->within == cutter->width) {
            cutter->within = 0;
            cutter->line++;
        }
    }
    return used;
}

static struct cutter cutter_over(const struct recorder *recorder,
                                 const void *field, size_t element)
{
    const struct box *box = &recorder->region;
    size_t size[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        size[axis] = (size_t)(box->high[axis] - box->low[axis] + 1);
    return (struct cutter){
        .field = field,
        .grid = &recorder->grid,
        .box = box,
        .element = element,
        .lines = size[1] * size[2],
        .width = size[0] * element,
    };
}

static bool is_zero(const unsigned char *bytes, size_t count)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

enum status field_write(struct recorder *recorder,
                        const struct layout_item *item, uint64_t at,
                        size_t bytes, const void *field, bool cut,
                        uint32_t *crc, struct error *error)
{
    struct cutter cutter =
        cutter_over(recorder, field, element_bytes(item->variable.type));
    bool blank = recorder->blank && !starts_unused(item);
    *crc = 0;
    for (size_t done = 0, now; done < bytes; done += now) {
        now = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
        const unsigned char *piece = (const unsigned char *)field + done;
        if (cut) {
            now = cutter_gather(&cutter, recorder->gather, now);
            piece = recorder->gather;
        }
        *crc = crc32c(*crc, piece, now);
        if (blank && is_zero(piece, now))
            continue;
        if (!disk_write(recorder->fd, piece, now, item->offset + at + done))
            return write_error(recorder, item->variable.name,
                               (int64_t)(at / bytes), error);
        recorder->unsent += now;
    }
    return STATUS_OK;
}

enum status row_column_skip(struct recorder *recorder,
                            struct row_column *column, int64_t row,
                            struct error *error)
{
    static const uint32_t none = 0;
    uint64_t end = (uint64_t)row * sizeof none;
    enum status status = STATUS_OK;
    while (!status && column->crc.end < end)
        status =
            column_append(recorder, &column->crc, &none, sizeof none, error);
    return status;
}

enum status row_column_field(struct recorder *recorder,
                             struct row_column *column, int64_t row,
                             const void *field, bool cut, struct error *error)
{
    const struct layout_item *item = column->data.item;
    size_t bytes = layout_row_bytes(item);
    uint32_t crc;
    enum status status = field_write(recorder, item, (uint64_t)row * bytes,
                                     bytes, field, cut, &crc, error);
    return status
               ? status
               : column_append(recorder, &column->crc, &crc, sizeof crc, error);
}
