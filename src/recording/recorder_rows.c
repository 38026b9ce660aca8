/* SPDX-License-Identifier: MIT */
/* Rows of the fields, agents and target, and versions of the terrain. */
#include "recording/recorder_parts.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "recording/disk.h"

enum kept recorder_keeps(const struct recorder *recorder, int64_t row)
{
    int64_t index;
    if (!recorder->keyframes || keyframe_at(row, recorder->keyframes, &index))
        return KEPT_WHOLE;
    return row % KEYFRAME_SUMS == 0 ? KEPT_CHECKSUM : KEPT_NOTHING;
}

static struct row_column *amplitude_column(const struct recorder *recorder,
                                           int wave)
{
    return &recorder->waves[wave * (1 + recorder->grid.dims)];
}

enum status skip_waves(struct recorder *recorder, int64_t rows,
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

/* The checksum of a field as it would be packed. */
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

/* What is between keyframes leaves its checksum at most: at once, for to copy
 * it for a thread would take longer. */
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
        status = skip_waves(recorder, row, error);
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
        keyframe_at(row, recorder->keyframes, &row);
    }
    return row_column_field(recorder, column, row, field, recorder->cut, error);
}

enum status write_waves(struct recorder *recorder, int64_t row,
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

enum status finish_waves(struct recorder *recorder, int64_t rows,
                         struct error *error)
{
    enum status status = STATUS_OK;
    if (recorder->keyframes)
        status = skip_waves(recorder, rows, error);
    return status ? status : recorder_each_wave(recorder, column_flush, error);
}

static enum status write_small(struct recorder *recorder,
                               struct row_column *column, const void *data,
                               struct error *error)
{
    if (!column->data.item)
        return STATUS_OK;
    return row_column_append(recorder, column, data,
                             layout_row_bytes(column->data.item), error);
}

static enum status write_agents(struct recorder *recorder,
                                const struct recording_fields *fields,
                                struct error *error)
{
    enum status status = STATUS_OK;
    for (int axis = 0; axis < GRID_AXES && !status; axis++) {
        status = write_small(recorder, &recorder->agent_at[axis],
                             fields->agent_at[axis], error);
        if (!status)
            status = write_small(recorder, &recorder->agent_heading[axis],
                                 fields->agent_heading[axis], error);
        if (!status)
            status = write_small(recorder, &recorder->target_at[axis],
                                 &fields->target_at[axis], error);
        if (!status)
            status = write_small(recorder, &recorder->target_heading[axis],
                                 &fields->target_heading[axis], error);
    }
    if (!status)
        status = write_small(recorder, &recorder->agent_state,
                             fields->agent_state, error);
    if (!status)
        status = write_small(recorder, &recorder->target_state,
                             &fields->target_state, error);
    for (int i = 0; i < RELAY_COUNTERS && !status; i++)
        status = write_small(recorder, &recorder->relay[i], &fields->relay[i],
                             error);
    return status;
}

/* `time` was laid out by the plan; a last row may stand elsewhere, and in a
 * recording that is gone on with one may have stood where others go now. */
static enum status write_time(struct recorder *recorder, int64_t row,
                              int64_t step, struct error *error)
{
    double value = (double)step;
    recorder->odd_end = step % recorder->every != 0;
    bool planned = step == row * recorder->every && recorder->first_row == 0 &&
                   row + 1 < recorder->shape.length[AXIS_TIME];
    if (planned || recorder->follows)
        return STATUS_OK;
    const struct layout_item *item = layout_find(&recorder->layout, "time");
    return disk_write(recorder->fd, &value, sizeof value,
                      item->offset + (uint64_t)row * sizeof value)
               ? STATUS_OK
               : write_error(recorder, "time", row, error);
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

/* A variable that the plan has and this terrain not is 1 (speed, cost) or 0
 * (one_way) everywhere. */
static void *default_field(const struct recorder *recorder,
                           enum element_type type)
{
    size_t cells = grid_cells(&recorder->grid);
    void *field = memory_new(cells, element_bytes(type));
    for (size_t i = 0; field && type == TYPE_FLOAT64 && i < cells; i++)
        ((double *)field)[i] = 1;
    return field;
}

static enum status write_terrain(struct recorder *recorder, int variable,
                                 size_t version, const void *field,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    struct row_column *root = &recorder->terrain[0][variable];
    struct row_column *world = &recorder->terrain[1][variable];
    if (!root->data.item)
        return STATUS_OK;
    void *made = NULL;
    if (!field)
        field = made = default_field(recorder, root->data.item->variable.type);
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
    const void *fields[TERRAIN_VARIABLES] = { terrain->wall, terrain->speed,
                                              terrain->cost, terrain->one_way };
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
    for (int i = 0; i < TERRAIN_VARIABLES && !status; i++)
        status = write_terrain(recorder, i, version, fields[i], error);
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
    uint32_t crc; /* the field changes between commits: none is kept */
    enum status status = overlap_settle_rows(recorder, error);
    if (status)
        return status;
    if (recorder->shared)
        return shared_arrival_field(recorder, wave, arrival, error);
    return field_write(recorder, item, 0, (size_t)item->bytes, arrival,
                       recorder->cut, &crc, error);
}
