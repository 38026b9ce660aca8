/* SPDX-License-Identifier: MIT */
/* A view's rows: variables, terrain, projections. */
#include "draw/view.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The variable of this name, which covers the region. */
static enum status find_variable(const struct view *view, const char *name,
                                 const struct variable **variable,
                                 struct error *error)
{
    const char *path = recording_path(view->recording);
    *variable = recording_find(view->recording, name);
    if (!*variable)
        return error_at(error, STATUS_INPUT, path, 0, "%s is not there", name);
    if (variable_elements(*variable) != grid_cells(&view->cut.block))
        return error_at(error, STATUS_INPUT, path, 0,
                        "%s does not cover the region", name);
    return STATUS_OK;
}

/* A row as it is recorded, in *bytes until the next is read. A projection asks
 * for the same rows plane after plane: of a field and of a gradient's
 * components they are kept. */
static enum status read_row(struct view *view, const struct variable *variable,
                            int64_t row, const void **bytes,
                            struct error *error)
{
    size_t cell = element_bytes(variable->type);
    for (int i = 0; i < GRID_AXES; i++)
        if (view->rows[i].of == variable && view->rows[i].row == row) {
            *bytes = view->rows[i].bytes;
            return STATUS_OK;
        }
    struct view_row *held = &view->rows[view->next_row];
    if (view->most)
        view->next_row = (view->next_row + 1) % GRID_AXES;
    held->of = NULL;
    if (cell > held->cell) {
        memory_release(held->bytes);
        held->cell = 0;
        held->bytes = memory_new(grid_cells(&view->cut.block), cell);
        if (!held->bytes)
            return error_memory(error);
        held->cell = cell;
    }
    enum status status =
        recording_read(view->recording, variable, row, held->bytes, error);
    if (status)
        return status;
    held->of = variable;
    held->row = row;
    *bytes = held->bytes;
    return STATUS_OK;
}

/* Takes the plane out of what was read, as doubles. */
static void take_plane(const struct view *view, enum element_type type,
                       const void *bytes, double *plane)
{
    const struct cut *cut = &view->cut;
    size_t column = cut_column_stride(cut), down = cut_row_stride(cut);
    size_t step = column * element_bytes(type);
    for (int y = 0; y < cut->ny; y++, plane += cut->nx) {
        const void *from =
            (const char *)bytes +
            (cut_first(cut) + (size_t)y * down) * element_bytes(type);
        if (type == TYPE_FLOAT32 && column == 1)
            for (int x = 0; x < cut->nx; x++)
                plane[x] = (double)((const float *)from)[x];
        else
            for (int x = 0; x < cut->nx; x++)
                plane[x] =
                    element_real(type, (const char *)from + (size_t)x * step);
    }
}

enum status view_read_variable(struct view *view, const char *name, int64_t row,
                               double *plane, struct error *error)
{
    const struct variable *variable;
    const void *bytes;
    enum status status = find_variable(view, name, &variable, error);
    if (!status)
        status = read_row(view, variable, row, &bytes, error);
    if (!status)
        take_plane(view, variable->type, bytes, plane);
    return status;
}

enum status view_read_block(struct view *view, const char *suffix, int64_t row,
                            struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d%s", view->wave, suffix);
    const struct variable *variable;
    const void *bytes;
    if (!view_block(view))
        return error_memory(error);
    enum status status = find_variable(view, name, &variable, error);
    if (!status)
        status = read_row(view, variable, row, &bytes, error);
    size_t cells = grid_cells(&view->cut.block);
    for (size_t i = 0; i < cells && !status; i++)
        view->block[i] =
            element_real(variable->type, (const char *)bytes +
                                             i * element_bytes(variable->type));
    return status;
}

enum status view_read_wave(struct view *view, const char *suffix, int64_t row,
                           double *plane, struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d%s", view->wave, suffix);
    return view_read_variable(view, name, row, plane, error);
}

enum status view_read_terrain(struct view *view, const char *name, void *block,
                              struct error *error)
{
    const struct grid *world = recording_grid(view->recording);
    const struct grid *region = &view->cut.block;
    const int *low = view->region.low;
    bool bytes = strcmp(name, "wall") == 0;
    void *all = memory_new(grid_cells(world), bytes ? 1 : sizeof(double));
    if (!all)
        return error_memory(error);
    enum status status = recording_read_terrain(
        view->recording, name, (size_t)view->version, all, error);
    size_t i = 0;
    for (int z = 0; z < region->nz && !status; z++)
        for (int y = 0; y < region->ny; y++) {
            size_t from = grid_index(world, low[0], low[1] + y, low[2] + z);
            for (int x = 0; x < region->nx; x++, from++, i++)
                if (bytes)
                    ((uint8_t *)block)[i] = ((const int8_t *)all)[from] != 0;
                else
                    ((double *)block)[i] = ((const double *)all)[from];
        }
    memory_release(all);
    return status;
}

/* The field's planes one after another; of each line of cells along the axis
 * the value farthest from 0, walls left out; wall where all of it is wall. */
static enum status read_most(struct view *view, int64_t row,
                             struct error *error)
{
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    int axis = view->cut.axis;
    int planes = view->region.high[axis] - view->region.low[axis] + 1;
    for (size_t i = 0; i < cells; i++)
        view->kept[i] = (double)NAN;
    enum status status = STATUS_OK;
    for (view->cut.at = 0; view->cut.at < planes; view->cut.at++) {
        cut_take_bytes(&view->cut, view->walls, view->wall);
        status = view->field->read(view, row, error);
        if (status)
            break;
        for (size_t i = 0; i < cells; i++)
            if (!view->wall[i] &&
                !(fabs(view->values[i]) <= fabs(view->kept[i])) &&
                !isnan(view->values[i]))
                view->kept[i] = view->values[i];
    }
    view->cut.at = 0;
    memcpy(view->values, view->kept, cells * sizeof *view->values);
    for (size_t i = 0; i < cells; i++)
        view->wall[i] = 1;
    for (size_t i = 0, n = grid_cells(&view->cut.block); i < n; i++)
        if (!view->walls[i])
            view->wall[cut_cell_of(&view->cut, i)] = 0;
    return status;
}

enum status view_read(struct view *view, int64_t row, struct error *error)
{
    if (view->read && !view->field->by_row)
        return STATUS_OK;
    int64_t step = recording_steps(view->recording)[row];
    int64_t version = (int64_t)recording_version_at(view->recording, step);
    enum status status = STATUS_OK;
    if (version != view->version) {
        view->version = version;
        status = view_read_terrain(view, "wall", view->walls, error);
        cut_take_bytes(&view->cut, view->walls, view->wall);
    }
    if (!status)
        status = view->most ? read_most(view, row, error)
                            : view->field->read(view, row, error);
    view->read = !status;
    if (status)
        view->version = -1;
    return status;
}
