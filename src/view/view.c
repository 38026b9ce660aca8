/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include "base/memory.h"
#include "view/moments.h"
#include "words/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char axis_letters[] = "xyz";

size_t view_cells(const struct view *view)
{
    return view->whole ? grid_cells(&view->cut.block)
                       : (size_t)view->cut.nx * (size_t)view->cut.ny;
}

void view_release(struct view *view)
{
    if (!view)
        return;
    for (int i = 0; i < GRID_AXES; i++)
        memory_release(view->rows[i].bytes);
    if (view->work)
        view->release_work(view->work);
    if (view->change)
        view->change->release(view->changed);
    memory_release(view->block);
    memory_release(view->plane);
    memory_release(view->values);
    memory_release(view->kept);
    memory_release(view->wall);
    memory_release(view->walls);
    memory_release(view->sent);
    memory_release(view);
}

double *view_block(struct view *view)
{
    if (!view->block)
        view->block = memory_new(grid_cells(&view->cut.block), sizeof(double));
    view->block_of = NULL;
    return view->block;
}

void view_move(struct view *view, int at)
{
    int first = at - view->region.low[view->cut.axis];
    if (first == view->cut.at)
        return;
    view->cut.at = first;
    view->version = -1; /* the walls belong to another plane */
    view->read = false;
}

void view_axis(const struct view *view, int side, struct view_axis *axis)
{
    double metres = recording_setting_real(view->recording, "scale.cell", 0);
    int along = side ? view->cut.down : view->cut.right;
    double unit = metres > 0 ? metres : 1;
    snprintf(axis->name, sizeof axis->name, "%c", axis_letters[along]);
    axis->unit = metres > 0 ? N_("m") : N_("cells");
    axis->first = view->region.low[along] * unit;
    axis->each = unit;
    if (view->change && view->change->axis)
        view->change->axis(view, side, axis);
}

/* The wave that was emitted last before the step: of one emitted at it there is
 * only its source. */
static int newest_at(const struct view *view, int64_t step)
{
    int64_t newest = -1;
    int wave = 0;
    for (size_t i = 0; i < view->sent_count; i++) {
        const struct emission_row *sent = &view->sent[i];
        if ((sent->step < step || newest < 0) && sent->step <= step &&
            sent->step >= newest) {
            newest = sent->step;
            wave = sent->wave;
        }
    }
    return wave;
}

/* Or the one that is named for this step. */
static int wave_at(const struct view *view, int64_t step)
{
    for (size_t i = 0; i < view->moment_count; i++)
        if (view->moments[i].named && view->moments[i].step == step)
            return view->moments[i].wave;
    return newest_at(view, step);
}

/* Is another wave than the newest named for a step? */
static bool names_another(const struct view *view)
{
    for (size_t i = 0; i < view->moment_count; i++) {
        const int64_t step = view->moments[i].step;
        if (wave_at(view, step) != newest_at(view, step))
            return true;
    }
    return false;
}

void field_describe(const struct field *field,
                    const struct recording *recording, int wave, bool drawn,
                    char *text, size_t size)
{
    const char *title =
        words_if(drawn, field->title ? field->title : field->name);
    const char *by = field->by ? recording_setting(recording, field->by) : NULL;
    char of[100];
    if (field->of_wave && wave == WAVE_NEWEST)
        snprintf(of, sizeof of, words_if(drawn, "%s of the newest wave"),
                 title);
    else if (field->of_wave)
        snprintf(of, sizeof of, words_if(drawn, "%s of wave %d"), title, wave);
    else
        snprintf(of, sizeof of, "%s", title);
    if (by)
        snprintf(text, size, words_if(drawn, "%s by %.40s"), of, by);
    else
        snprintf(text, size, "%s", of);
}

void view_describe(const struct view *view, bool drawn, char *text, size_t size)
{
    if (view->change) {
        view->change->describe(view, drawn, text, size);
        return;
    }
    if (names_another(view))
        snprintf(text, size, words_if(drawn, "%s of the newest or named wave"),
                 words_if(drawn, view->field->title ? view->field->title
                                                    : view->field->name));
    else
        field_describe(view->field, view->recording,
                       view->newest ? WAVE_NEWEST : view->wave, drawn, text,
                       size);
    size_t used = strlen(text);
    view_describe_place(view, drawn, text + used, size - used);
}

void view_describe_place(const struct view *view, bool drawn, char *text,
                         size_t size)
{
    text[0] = '\0';
    if (view->most)
        snprintf(text, size, words_if(drawn, ", maximum along %c"),
                 axis_letters[view->cut.axis]);
    else if (view->cut.block.dims == 3 && !view->whole)
        snprintf(text, size, words_if(drawn, ", %c = %d"),
                 axis_letters[view->cut.axis],
                 view->cut.at + view->region.low[view->cut.axis]);
}

/* ---- A view's frames: variables, terrain, projections. */

/* Finds the variable of this name, which covers the region, or the whole map
 * in the whole run. */
static enum status find_variable(const struct view *view, const char *name,
                                 const struct variable **variable,
                                 struct error *error)
{
    const char *path = recording_path(view->recording);
    const struct box covered = recording_region(view->source);
    const struct grid block = box_grid(&covered, view->cut.block.dims);
    *variable = recording_find(view->source, name);
    if (!*variable)
        return error_at(error, STATUS_INPUT, path, 0, "%s is missing", name);
    if (variable_elements(*variable) != grid_cells(&block))
        return error_at(error, STATUS_INPUT, path, 0,
                        "%s does not cover the region", name);
    return STATUS_OK;
}

/* Keeps the view's region of a row of the whole map, in place. */
static void keep_region(const struct view *view, size_t cell, char *bytes)
{
    const struct grid *world = recording_grid(view->source);
    const struct grid *region = &view->cut.block;
    const int *low = view->region.low;
    const size_t line = (size_t)region->nx * cell;
    char *to = bytes;
    for (int z = 0; z < region->nz; z++)
        for (int y = 0; y < region->ny; y++, to += line)
            memmove(to,
                    bytes + grid_index(world, low[0], low[1] + y, low[2] + z) *
                                cell,
                    line);
}

/* Reads a row as it is recorded; *bytes is valid until the next one is read. A
 * projection and the whole region read the same rows for plane after plane, so
 * the last rows of a field and of a gradient's components are kept. */
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
    if (view->most || view->whole)
        view->next_row = (view->next_row + 1) % GRID_AXES;
    held->of = NULL;
    if (cell > held->cell) {
        memory_release(held->bytes);
        held->cell = 0;
        held->bytes = memory_new(variable_elements(variable), cell);
        if (!held->bytes)
            return error_memory(error);
        held->cell = cell;
    }
    enum status status =
        recording_read(view->source, variable, row, held->bytes, error);
    if (status)
        return status;
    if (variable_elements(variable) != grid_cells(&view->cut.block))
        keep_region(view, cell, held->bytes);
    held->of = variable;
    held->row = row;
    *bytes = held->bytes;
    return STATUS_OK;
}

/* Takes the plane out of the row, as doubles. */
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
        if (column == 1)
            elements_real(type, from, (size_t)cut->nx, plane);
        else
            for (int x = 0; x < cut->nx; x++)
                plane[x] =
                    element_real(type, (const char *)from + (size_t)x * step);
    }
}

static enum status view_read_variable(struct view *view, const char *name,
                                      int64_t row, double *plane,
                                      struct error *error)
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
    enum status status = find_variable(view, name, &variable, error);
    if (!status && view->block_of == variable && view->block_row == row)
        return STATUS_OK; /* the planes of one row are read in succession */
    if (!status && !view_block(view))
        return error_memory(error);
    if (!status)
        status = read_row(view, variable, row, &bytes, error);
    size_t cells = grid_cells(&view->cut.block);
    if (!status) {
        elements_real(variable->type, bytes, cells, view->block);
        view->block_of = variable;
        view->block_row = row;
    }
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
    bool wall = strcmp(name, "wall") == 0;
    bool bytes = wall || strcmp(name, "one_way") == 0;
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
                if (wall)
                    ((uint8_t *)block)[i] = ((const int8_t *)all)[from] != 0;
                else
                    ((double *)block)[i] = bytes ? ((const int8_t *)all)[from]
                                                 : ((const double *)all)[from];
        }
    memory_release(all);
    return status;
}

/* Reads the field's planes one after another. Of each line of cells along the
 * axis it keeps the value farthest from 0, without walls; wall if all of the
 * line is wall. */
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

/* Reads the field's planes one after another into the region. */
static enum status read_whole(struct view *view, int64_t row,
                              struct error *error)
{
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    double *values = view->values;
    uint8_t *wall = view->wall;
    int middle = view->cut.at;
    enum status status = STATUS_OK;
    memcpy(wall, view->walls, view_cells(view));
    for (int z = 0; z < view->cut.block.nz && !status; z++) {
        view->cut.at = z;
        status = view->field->read(view, row, error);
        view->values += cells;
        view->wall += cells;
    }
    view->values = values;
    view->wall = wall;
    view->cut.at = middle;
    return status;
}

int64_t view_source_row(const struct view *view, int64_t row)
{
    return view->source == view->recording
               ? row
               : recording_steps(view->recording)[row];
}

enum status view_go_to(struct view *view, int64_t row, struct error *error)
{
    int64_t step = recording_steps(view->recording)[row];
    int64_t version = (int64_t)recording_version_at(view->recording, step);
    if (version == view->version)
        return STATUS_OK;
    view->version = version;
    view->widths = false;
    enum status status = view_read_terrain(view, "wall", view->walls, error);
    if (status)
        view->version = -1;
    else if (!view->whole)
        cut_take_bytes(&view->cut, view->walls, view->wall);
    return status;
}

enum status view_read(struct view *view, int64_t row, struct error *error)
{
    if (view->read && !view->field->by_row)
        return STATUS_OK;
    if (view->change && view->change->read) {
        enum status status = view->change->read(view, error);
        view->read = !status;
        return status;
    }
    enum status status = view_go_to(view, row, error);
    if (view->newest)
        view->wave = wave_at(view, recording_steps(view->recording)[row]);
    row = view_source_row(view, row);
    if (!status)
        status = view->most    ? read_most(view, row, error)
                 : view->whole ? read_whole(view, row, error)
                               : view->field->read(view, row, error);
    view->read = !status;
    if (status)
        view->version = -1;
    return status;
}

enum status view_read_component(struct view *view, int axis, int64_t row,
                                double *plane, struct error *error)
{
    return view->field->component(view, axis, view_source_row(view, row), plane,
                                  error);
}
