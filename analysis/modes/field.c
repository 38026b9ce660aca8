/* SPDX-License-Identifier: MIT */
#include "analysis/modes/field.h"

#include "base/memory.h"
#include "base/need.h"
#include "view/replay_inputs.h"

#include <stdio.h>
#include <string.h>

/* "12,9:172,9", in 3D "12,9,5:172,9,5" */
static enum status parse_along(const char *text, int dims, int from[GRID_AXES],
                               int to[GRID_AXES], struct error *error)
{
    char behind;
    from[2] = to[2] = 0;
    if (dims == 2
            ? sscanf(text, "%9d,%9d:%9d,%9d%c", &from[0], &from[1], &to[0],
                     &to[1], &behind) == 4
            : sscanf(text, "%9d,%9d,%9d:%9d,%9d,%9d%c", &from[0], &from[1],
                     &from[2], &to[0], &to[1], &to[2], &behind) == 6)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "--along '%.60s': two cells are required, as in %s", text,
                     dims == 2 ? "12,12:172,12" : "12,7,7:80,7,7");
}

static enum status refuse(const struct corridor_field *field, const char *why,
                          struct error *error)
{
    return error_set(error, STATUS_INPUT, "%s: %s",
                     recording_path(field->recording), why);
}

/* The corridor's cells in the order of field_read. */
static void place_at(const struct corridor *corridor, size_t i,
                     int at[GRID_AXES])
{
    const size_t width = (size_t)corridor_width(corridor);
    const size_t section = corridor_section(corridor);
    corridor_place(corridor->axis, corridor->first + (int)(i / section),
                   corridor->low + (int)(i % width),
                   corridor->top + (int)(i % section / width), at);
}

static size_t cells_of(const struct corridor *corridor)
{
    return (size_t)corridor_length(corridor) * corridor_section(corridor);
}

static bool has_other_speeds(const struct corridor_field *field)
{
    const double *speeds = field->terrain.speed;
    for (size_t i = 0; speeds && i < cells_of(&field->corridor); i++) {
        int at[GRID_AXES];
        place_at(&field->corridor, i, at);
        double speed =
            speeds[grid_index(&field->terrain.grid, at[0], at[1], at[2])];
        if (speed < 1 || speed > 1)
            return true;
    }
    return false;
}

enum status field_parse_cell(const char *text, const char *option, int dims,
                             int cell[GRID_AXES], struct error *error)
{
    char behind;
    cell[2] = 0;
    if (dims == 2 ? sscanf(text, "%9d,%9d%c", &cell[0], &cell[1], &behind) == 2
                  : sscanf(text, "%9d,%9d,%9d%c", &cell[0], &cell[1], &cell[2],
                           &behind) == 3)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "%s '%.60s': a cell is required, as in %s", option, text,
                     dims == 2 ? "72,12" : "72,12,5");
}

struct corridor_map field_map(const struct corridor_field *field)
{
    const struct wave_settings *settings = &field->settings;
    return (struct corridor_map){
        .terrain = &field->terrain,
        .fixed = settings->walls == WALLS_FIXED,
        .open = wave_open_sides(settings, field->terrain.grid.dims),
    };
}

static enum status check_rule(const struct corridor_field *field,
                              struct error *error)
{
    const struct wave_settings *settings = &field->settings;
    const bool flat = field->terrain.grid.dims == 2;
    if (strcmp(settings->stencil->name, flat ? "5-point" : "7-point") != 0)
        return refuse(field,
                      flat ? "modes can be measured with the 5-point stencil "
                             "only; record with wave.stencil = \"5-point\""
                           : "modes can be measured with the 7-point stencil "
                             "only; record with wave.stencil = \"7-point\"",
                      error);
    return STATUS_OK;
}

enum status field_check_damping(const struct corridor_field *field,
                                struct error *error)
{
    return field->settings.damping > 0
               ? refuse(field,
                        "modes can be measured without damping only; record "
                        "with wave.damping = 0",
                        error)
               : STATUS_OK;
}

/* Is all of it recorded, and are its walls of one kind? */
static enum status check_corridor(const struct corridor_field *field,
                                  struct error *error)
{
    const struct corridor *corridor = &field->corridor;
    const struct box region = recording_region(field->recording);
    const int sides = field->terrain.grid.dims == 2 ? 2 : 4;
    int from[GRID_AXES], to[GRID_AXES];
    for (int i = 1; i < sides; i++)
        if (corridor->sides[i] != corridor->sides[0])
            return refuse(field,
                          "the corridor has a fixed wall on one side and the "
                          "map's edge, which is free, on the other; choose "
                          "another stretch by --along",
                          error);
    corridor_place(corridor->axis, corridor->first, corridor->low,
                   corridor->top, from);
    corridor_place(corridor->axis, corridor->last, corridor->high,
                   corridor->bottom, to);
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (from[axis] < region.low[axis] || to[axis] > region.high[axis])
            return refuse(field,
                          "a part of the corridor is outside the recorded "
                          "region; choose a stretch inside by --along",
                          error);
    if (has_other_speeds(field))
        return refuse(
            field,
            "the corridor has cells of another speed, and modes require speed "
            "1 in all cells; choose another stretch by --along",
            error);
    return STATUS_OK;
}

static enum status choose(struct corridor_field *field, const char *along,
                          struct error *error)
{
    const struct corridor_map map = field_map(field);
    int from[GRID_AXES], to[GRID_AXES];
    char where[RECORDING_TITLE_SIZE];
    if (!along)
        return corridor_longest(&map, &field->corridor)
                   ? STATUS_OK
                   : refuse(field,
                            field->terrain.grid.dims == 2
                                ? "there is no corridor: no free cells with "
                                  "walls or mirrors on both sides"
                                : "there is no duct: no rectangle of free "
                                  "cells with walls all round",
                            error);
    enum status status =
        parse_along(along, field->terrain.grid.dims, from, to, error);
    snprintf(where, sizeof where, "--along %.60s", along);
    return status ? status
                  : corridor_between(&map, from, to, where, &field->corridor,
                                     error);
}

static enum status count_steps(struct corridor_field *field,
                               struct error *error)
{
    const struct recording *recording = field->recording;
    const int64_t *steps = recording_steps(recording);
    int64_t from = field->emission.step;
    enum status status =
        recording_row_of(recording, from, &field->first_row, error);
    if (status)
        return status;
    size_t version = recording_version_at(recording, from);
    for (int64_t row = field->first_row; row < recording_rows(recording);
         row++) {
        if (steps[row] != from + field->steps ||
            (field->emission.next >= 0 && steps[row] >= field->emission.next) ||
            recording_version_at(recording, steps[row]) != version)
            break;
        field->steps++;
    }
    return STATUS_OK;
}

enum status field_begin(struct corridor_field *field,
                        const struct recording *recording, int wave,
                        struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", wave);
    *field = (struct corridor_field){
        .recording = recording,
        .variable = recording_find(recording, name),
    };
    enum status status =
        emission_first(recording, wave, &field->emission, error);
    if (!status)
        status = replay_wave_settings(recording, &field->settings, error);
    if (!status)
        status = replay_terrain_new(recording, &field->terrain, error);
    if (!status)
        status = replay_terrain_read(
            recording, recording_version_at(recording, field->emission.step),
            &field->terrain, error);
    return status;
}

enum status field_prepare(struct corridor_field *field, struct error *error)
{
    enum status status = check_rule(field, error);
    if (!status)
        status = count_steps(field, error);
    if (!status)
        field->row =
            need_memory(variable_elements(field->variable), sizeof *field->row);
    return status;
}

enum status field_choose(struct corridor_field *field, const char *along,
                         struct error *error)
{
    enum status status = choose(field, along, error);
    return status ? status : check_corridor(field, error);
}

enum status field_choose_probe(struct corridor_field *field,
                               const int cell[GRID_AXES], bool *behind,
                               struct error *error)
{
    const struct corridor_map map = field_map(field);
    const struct grid *grid = &field->terrain.grid;
    struct corridor *corridor = &field->corridor;
    const bool inside = grid_holds(grid, cell[0], cell[1], cell[2]);
    int along, across;
    if (!inside ||
        field->terrain.wall[grid_index(grid, cell[0], cell[1], cell[2])])
        return error_set(error, STATUS_INPUT,
                         "--probe %d,%d: the cell is %s; a free cell of the "
                         "map is required",
                         cell[0], cell[1],
                         inside ? "a wall" : "outside the map");
    *behind = false;
    for (int axis = 0; axis < grid_axes(grid); axis++)
        if (corridor_along(&map, axis, cell, corridor) &&
            field_source(field, &along, &across))
            return check_corridor(field, error);
    *behind = true;
    if (!corridor_through(&map, cell, corridor))
        return error_set(error, STATUS_INPUT,
                         "--probe %d,%d: the cell is in no straight part of a "
                         "corridor, with walls on both sides; choose another",
                         cell[0], cell[1]);
    return check_corridor(field, error);
}

void field_release(struct corridor_field *field)
{
    terrain_release(&field->terrain);
    memory_release(field->row);
    *field = (struct corridor_field){ 0 };
}

double field_at(const struct corridor_field *field, int x, int y, int z)
{
    const struct box region = recording_region(field->recording);
    size_t row = (size_t)(z - region.low[2]) * box_width(&region, 1) +
                 (size_t)(y - region.low[1]);
    return field
        ->row[row * box_width(&region, 0) + (size_t)(x - region.low[0])];
}

enum status field_read_row(const struct corridor_field *field, int64_t k,
                           struct error *error)
{
    return recording_read_real(field->recording, field->variable,
                               field->first_row + k, field->row, error);
}

enum status field_read(const struct corridor_field *field, int64_t k, double *z,
                       struct error *error)
{
    const struct corridor *corridor = &field->corridor;
    enum status status = field_read_row(field, k, error);
    if (status)
        return status;
    for (size_t i = 0; i < cells_of(corridor); i++) {
        int at[GRID_AXES];
        place_at(corridor, i, at);
        z[i] = field_at(field, at[0], at[1], at[2]);
    }
    return STATUS_OK;
}

bool field_source(const struct corridor_field *field, int *along, int *across)
{
    const struct corridor *corridor = &field->corridor;
    const int *cell = field->emission.cell;
    const int up = cell[corridor->axis == 2 ? 1 : 2];
    *along = cell[corridor->axis];
    *across = cell[corridor->axis == 0 ? 1 : 0];
    return *along >= corridor->first && *along <= corridor->last &&
           *across >= corridor->low && *across <= corridor->high &&
           up >= corridor->top && up <= corridor->bottom;
}
