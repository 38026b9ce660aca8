/* SPDX-License-Identifier: MIT */
/* Writes the bytes of a frame: the fields, cut to the region, with a checksum
 * for each row; small rows (agents, target, checksums), collected until there
 * are enough for one write; and the versions of the terrain. */
#include "recording/write/file.h"

#include "base/crc32c.h"
#include "base/disk.h"
#include "base/memory.h"

#include <string.h>

/* ---- columns ---- */

enum status recorder_write_error(const struct recorder *recorder,
                                 const char *variable, int64_t row,
                                 struct error *error)
{
    return error_system(error, STATUS_DISK,
                        "%s: %s: row %lld cannot be written", recorder->path,
                        variable, (long long)row);
}

static enum status place_error(const struct recorder *recorder,
                               const struct column *column, struct error *error)
{
    uint64_t at = column->end - column->gathered;
    return recorder_write_error(recorder, column->item->variable.name,
                                (int64_t)(at / layout_row_bytes(column->item)),
                                error);
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

/* ---- fields ---- */

/* Finds the next bytes of a box of the grid. */
struct cutter {
    const char *field;
    const struct grid *grid;
    const struct box *box;
    size_t element, line, lines, within, width; /* within, width: in bytes */
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
    return (struct cutter){
        .field = field,
        .grid = &recorder->grid,
        .box = box,
        .element = element,
        .lines = box_width(box, 1) * box_width(box, 2),
        .width = box_width(box, 0) * element,
    };
}

static bool is_zero(const unsigned char *bytes, size_t count)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

static enum status field_write(struct recorder *recorder,
                               const struct layout_item *item, uint64_t at,
                               size_t bytes, const void *field, bool cut,
                               uint32_t *crc, struct error *error)
{
    struct cutter cutter =
        cutter_over(recorder, field, element_bytes(item->variable.type));
    bool blank = recorder->blank && !layout_starts_unused(item);
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
            return recorder_write_error(recorder, item->variable.name,
                                        (int64_t)(at / bytes), error);
        recorder->unsent += now;
    }
    return STATUS_OK;
}

static enum status row_column_skip(struct recorder *recorder,
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

static enum status row_column_field(struct recorder *recorder,
                                    struct row_column *column, int64_t row,
                                    const void *field, bool cut,
                                    struct error *error)
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

/* ---- rows of the waves ---- */

enum kept recorder_keeps(const struct recorder *recorder, int64_t row)
{
    int64_t index;
    if (!recorder->keyframes ||
        layout_keyframe_at(row, recorder->keyframes, &index))
        return KEPT_WHOLE;
    return row % KEYFRAME_SUMS == 0 ? KEPT_CHECKSUM : KEPT_NOTHING;
}

static struct row_column *amplitude_column(const struct recorder *recorder,
                                           int wave)
{
    return &recorder->waves[wave * (1 + recorder->grid.dims)];
}

enum status recorder_skip_waves(struct recorder *recorder, int64_t rows,
                                struct error *error)
{
    enum status status = STATUS_OK;
    if (recorder->follows)
        return STATUS_OK;
    for (int wave = 0; wave < recorder->shape.waves && !status; wave++)
        if (amplitude_column(recorder, wave)->crc.item)
            status = row_column_skip(recorder, amplitude_column(recorder, wave),
                                     rows, error);
    return status;
}

/* The checksum that a field has when it is packed. */
static uint32_t sum_lying(const struct recorder *recorder,
                          const struct recording_lying *field)
{
    const struct grid *grid = &recorder->grid;
    size_t element = element_bytes(recorder->shape.real);
    uint32_t crc = 0;
    for (int z = 0; z < grid->nz; z++)
        for (int y = 0; y < grid->ny; y++) {
            ptrdiff_t at = z * field->layer + y * field->row;
            crc = crc32c(crc,
                         (const char *)field->values + at * (ptrdiff_t)element,
                         (size_t)grid->nx * element);
        }
    return crc;
}

/* Between keyframes at most the checksum is stored. It is computed at once,
 * because copying the field for a thread would take longer. */
static enum status sum_waves(struct recorder *recorder, int64_t row,
                             const struct recording_fields *fields,
                             struct error *error)
{
    if (!fields->amplitude && !fields->lying)
        return STATUS_OK;
    enum status status = overlap_settle_rows(recorder, error);
    if (!status && recorder->shared)
        return shared_sums(recorder, row, fields, error);
    if (!status)
        status = recorder_skip_waves(recorder, row, error);
    for (int wave = 0; wave < recorder->shape.waves && !status; wave++) {
        struct row_column *column = amplitude_column(recorder, wave);
        struct recording_lying field = {
            .row = recorder->grid.nx,
            .layer = (ptrdiff_t)recorder->grid.nx * recorder->grid.ny,
        };
        if (fields->lying)
            field = fields->lying[wave];
        else
            field.values = fields->amplitude[wave];
        uint32_t crc = sum_lying(recorder, &field);
        status = column_append(recorder, &column->crc, &crc, sizeof crc, error);
    }
    return status;
}

static enum status write_amplitude(struct recorder *recorder,
                                   struct row_column *column, int64_t row,
                                   const void *field, struct error *error)
{
    if (recorder->keyframes) {
        enum status status = row_column_skip(recorder, column, row, error);
        if (status)
            return status;
        layout_keyframe_at(row, recorder->keyframes, &row);
    }
    return row_column_field(recorder, column, row, field, recorder->cut, error);
}

enum status recorder_write_waves(struct recorder *recorder, int64_t row,
                                 const struct recording_fields *fields,
                                 struct error *error)
{
    if (recorder->shared)
        return shared_waves(recorder, row, fields, error);
    enum status status = STATUS_OK;
    struct row_column *column = recorder->waves;
    for (int wave = 0; wave < recorder->shape.waves; wave++)
        for (int part = 0; part <= recorder->grid.dims; part++, column++) {
            if (!column->data.item || status)
                continue;
            const void *field = part ? fields->gradient[part - 1][wave]
                                     : fields->amplitude[wave];
            status = part
                         ? row_column_field(recorder, column, row, field,
                                            recorder->cut, error)
                         : write_amplitude(recorder, column, row, field, error);
        }
    return status;
}

enum status recorder_finish_waves(struct recorder *recorder, int64_t rows,
                                  struct error *error)
{
    enum status status = STATUS_OK;
    if (recorder->keyframes)
        status = recorder_skip_waves(recorder, rows, error);
    return status ? status : recorder_each_wave(recorder, column_flush, error);
}

/* ---- rows of agents and target, and the whole row ---- */

/* Writes a small row and its checksum. */
static enum status write_small(struct recorder *recorder,
                               struct row_column *column, const void *data,
                               struct error *error)
{
    if (!column->data.item)
        return STATUS_OK;
    size_t bytes = layout_row_bytes(column->data.item);
    uint32_t crc = crc32c(0, data, bytes);
    enum status status =
        column_append(recorder, &column->data, data, bytes, error);
    return status
               ? status
               : column_append(recorder, &column->crc, &crc, sizeof crc, error);
}

static enum status write_agents(struct recorder *recorder,
                                const struct recording_fields *fields,
                                struct error *error)
{
    const double *const *at = fields->agent_at;
    const double *const *heading = fields->agent_heading;
    const double *to = fields->target_at, *its = fields->target_heading;
    const void *values[SMALL_COLUMNS] = {
        at[0],
        at[1],
        at[2],
        heading[0],
        heading[1],
        heading[2],
        fields->agent_state,
        &to[0],
        &to[1],
        &to[2],
        &its[0],
        &its[1],
        &its[2],
        &fields->target_state,
    };
    for (int i = 0; i < RELAY_COUNTERS; i++)
        values[SMALL_NAMED + i] = &fields->relay[i];
    enum status status = STATUS_OK;
    for (int i = 0; i < SMALL_COLUMNS && !status; i++)
        status = write_small(recorder, &recorder->small[i], values[i], error);
    return status;
}

/* `time` was written when the file was created. But a last frame may be at
 * another step, and in a resumed recording such a step must be replaced. */
static enum status write_time(struct recorder *recorder, int64_t row,
                              int64_t step, struct error *error)
{
    double value = (double)step;
    recorder->odd_end = step % recorder->every != 0;
    bool planned = step == row * recorder->every && recorder->first_row == 0 &&
                   row + 1 < recorder->shape.length[AXIS_TIME];
    if (planned || recorder->follows)
        return STATUS_OK;
    const struct layout_item *item = layout_find(&recorder->layout, "step");
    uint64_t at = (uint64_t)row * sizeof value;
    if (item &&
        !disk_write(recorder->fd, &value, sizeof value, item->offset + at))
        return recorder_write_error(recorder, "step", row, error);
    if (item)
        value *= recorder->header.step_seconds;
    item = layout_find(&recorder->layout, "time");
    return disk_write(recorder->fd, &value, sizeof value, item->offset + at)
               ? STATUS_OK
               : recorder_write_error(recorder, "time", row, error);
}

enum status recorder_row(struct recorder *recorder, int64_t row,
                         const struct recording_fields *fields,
                         struct error *error)
{
    if (row != recorder->next_row || row >= recorder->shape.length[AXIS_TIME])
        return error_at(error, STATUS_FAILED, recorder->path, 0,
                        "row %lld comes where row %lld of %lld is due",
                        (long long)row, (long long)recorder->next_row,
                        (long long)recorder->shape.length[AXIS_TIME]);
    enum status status = recorder_keeps(recorder, row) == KEPT_WHOLE
                             ? overlap_row(recorder, row, fields, error)
                             : sum_waves(recorder, row, fields, error);
    if (!status)
        status = write_time(recorder, row, fields->step, error);
    if (!status && !recorder->follows)
        status = write_agents(recorder, fields, error);
    if (!status)
        recorder->next_row++;
    return status;
}

/* ---- terrain and first arrivals ---- */

/* If the plan has a variable that this terrain does not have, all cells have
 * the default value. */
static enum status write_terrain(struct recorder *recorder, int variable,
                                 size_t version, const struct terrain *terrain,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    const void *field = terrain_array_at(terrain, variable);
    struct row_column *root = &recorder->terrain[0][variable];
    struct row_column *world = &recorder->terrain[1][variable];
    if (!root->data.item)
        return STATUS_OK;
    void *made = NULL;
    if (!field)
        field = made =
            terrain_array_usual(variable, grid_cells(&recorder->grid));
    if (!field)
        return error_memory(error);
    status = row_column_field(recorder, root, (int64_t)version, field,
                              recorder->cut, error);
    if (!status && world->data.item)
        status = row_column_field(recorder, world, (int64_t)version, field,
                                  false, error);
    memory_release(made);
    return status;
}

enum status recorder_terrain(struct recorder *recorder, size_t version,
                             const struct terrain *terrain, struct error *error)
{
    if (version != recorder->versions_written ||
        (int64_t)version >= recorder->shape.length[AXIS_VERSION])
        return error_at(error, STATUS_FAILED, recorder->path, 0,
                        "version %zu of the map comes where version %zu of "
                        "%lld is due",
                        version, recorder->versions_written,
                        (long long)recorder->shape.length[AXIS_VERSION]);
    if (recorder->follows) {
        recorder->versions_written++;
        return STATUS_OK;
    }
    enum status status = overlap_settle_rows(recorder, error);
    for (int i = 0; i < TERRAIN_ARRAYS && !status; i++)
        status = write_terrain(recorder, i, version, terrain, error);
    if (!status)
        recorder->versions_written++;
    return status;
}

enum status recorder_arrival_field(struct recorder *recorder, int wave,
                                   const int32_t *arrival, struct error *error)
{
    const struct layout_item *item = recorder->arrival_fields[wave];
    if (!item)
        return STATUS_OK;
    uint32_t crc; /* the field changes between commits: no checksum is stored */
    enum status status = overlap_settle_rows(recorder, error);
    if (status)
        return status;
    if (recorder->shared)
        return shared_arrival_field(recorder, wave, arrival, error);
    return field_write(recorder, item, 0, (size_t)item->bytes, arrival,
                       recorder->cut, &crc, error);
}
