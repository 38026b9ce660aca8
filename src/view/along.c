/* SPDX-License-Identifier: MIT */
#include "view/along.h"

#include "base/memory.h"
#include "view/settings.h"
#include "wave/wave.h"
#include "words/words.h"
#include "world/local_width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct along {
    struct field field; /* of the view */
    struct view *inner; /* the original view: the plane that is read */
    struct along_line line;
    double length; /* of the line, cells */
    int columns;
    size_t *cells;       /* of each column: its index in inner->values */
    double *reach;       /* of each column: see view_along_place; NULL: later */
    int64_t *rows;       /* of each step; −1: not recorded */
    int64_t first, each; /* of the steps */
};

void along_lengths(const struct along_line *line, double at[ALONG_POINTS])
{
    at[0] = 0;
    for (int i = 1; i < line->count; i++) {
        double leg[GRID_AXES];
        for (int axis = 0; axis < GRID_AXES; axis++)
            leg[axis] = line->point[i][axis] - line->point[i - 1][axis];
        at[i] = at[i - 1] + hypot(hypot(leg[0], leg[1]), leg[2]);
    }
}

double along_nearest(const struct along_line *line,
                     const double place[GRID_AXES], double *distance)
{
    double at[ALONG_POINTS], nearest = INFINITY;
    along_lengths(line, at);
    for (int i = 1; i < line->count; i++) {
        const int *from = line->point[i - 1], *to = line->point[i];
        double length = at[i] - at[i - 1], part = 0, square = 0;
        for (int axis = 0; axis < GRID_AXES; axis++)
            part += (place[axis] - from[axis]) * (to[axis] - from[axis]);
        part /= length * length;
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            double off =
                place[axis] - from[axis] - part * (to[axis] - from[axis]);
            square += off * off;
        }
        if (sqrt(square) >= nearest)
            continue;
        nearest = sqrt(square);
        *distance = at[i - 1] + part * length;
    }
    return nearest;
}

static void along_release(void *changed)
{
    struct along *along = changed;
    view_release(along->inner);
    memory_release(along->cells);
    memory_release(along->reach);
    memory_release(along->rows);
    memory_release(along);
}

static enum status along_read(struct view *view, struct error *error)
{
    const struct along *along = view->changed;
    const struct view *inner = along->inner;
    for (int y = 0; y < view->cut.ny; y++) {
        double *values = view->values + (size_t)y * (size_t)view->cut.nx;
        uint8_t *wall = view->wall + (size_t)y * (size_t)view->cut.nx;
        bool recorded = along->rows[y] >= 0;
        enum status status =
            recorded ? view_read(along->inner, along->rows[y], error)
                     : STATUS_OK;
        if (status)
            return status;
        for (int x = 0; x < view->cut.nx; x++) {
            values[x] = recorded ? inner->values[along->cells[x]] : (double)NAN;
            wall[x] = recorded ? inner->wall[along->cells[x]] : 0;
        }
    }
    return STATUS_OK;
}

static void print_cell(const struct along *along, const int cell[GRID_AXES],
                       char *text, size_t size)
{
    if (along->inner->cut.block.dims == 2)
        snprintf(text, size, "%d,%d", cell[0], cell[1]);
    else
        snprintf(text, size, "%d,%d,%d", cell[0], cell[1], cell[2]);
}

static void along_describe(const struct view *view, bool drawn, char *text,
                           size_t size)
{
    const struct along *along = view->changed;
    char from[48], to[48];
    int bends = along->line.count - 2;
    print_cell(along, along->line.point[0], from, sizeof from);
    print_cell(along, along->line.point[bends + 1], to, sizeof to);
    view_describe(along->inner, drawn, text, size);
    size_t used = strlen(text);
    snprintf(text + used, size - used, words_if(drawn, ", along %s to %s"),
             from, to);
    used = strlen(text);
    if (bends)
        snprintf(text + used, size - used,
                 bends == 1 ? words_if(drawn, " with %d bend")
                            : words_if(drawn, " with %d bends"),
                 bends);
}

static void along_axis(const struct view *view, int side,
                       struct view_axis *axis)
{
    const struct along *along = view->changed;
    double seconds = recording_setting_real(view->recording, "scale.step", 0);
    if (side == 0) {
        double columns = view->cut.nx - 1;
        snprintf(axis->name, sizeof axis->name, "%s", N_("distance"));
        axis->first = 0;
        axis->each *= along->length / columns;
        return;
    }
    double unit = seconds > 0 ? seconds : 1;
    snprintf(axis->name, sizeof axis->name, "%s", N_("time"));
    axis->unit = seconds > 0 ? N_("s") : N_("steps");
    axis->first = (double)along->first * unit;
    axis->each = (double)along->each * unit;
}

static const struct view_change along_change = {
    .read = along_read,
    .describe = along_describe,
    .axis = along_axis,
    .release = along_release,
};

bool view_is_along(const struct view *view)
{
    return view->change == &along_change;
}

/* The place of the i-th of `count` columns. */
static void column_place(const struct along_line *line, int i, int count,
                         double place[GRID_AXES])
{
    double at[ALONG_POINTS] = { 0 };
    int leg = 1;
    along_lengths(line, at);
    double distance = at[line->count - 1] * i / (count - 1);
    while (leg + 1 < line->count && at[leg] <= distance)
        leg++;
    const int *from = line->point[leg - 1], *to = line->point[leg];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double leg_axis = to[axis] - from[axis];
        place[axis] = line->count == 2
                          ? from[axis] + leg_axis * i / (count - 1)
                          : from[axis] + leg_axis * (distance - at[leg - 1]) /
                                             (at[leg] - at[leg - 1]);
    }
}

/* The cell nearest to the i-th of `count` columns. */
static size_t cell_of(const struct view *inner, const struct along_line *line,
                      int i, int count)
{
    const struct box *region = &inner->region;
    double place[GRID_AXES];
    int at[GRID_AXES];
    column_place(line, i, count, place);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = (int)floor(place[axis] + .5) - region->low[axis];
    return grid_index(&inner->cut.block, at[0], at[1], at[2]);
}

static enum status check_line(const struct view *view,
                              const struct along_line *line,
                              struct error *error)
{
    const struct box *region = &view->region;
    for (int i = 0; i < line->count; i++) {
        const int *at = line->point[i];
        for (int axis = 0; axis < GRID_AXES; axis++)
            if (at[axis] < region->low[axis] || at[axis] > region->high[axis])
                return error_set(
                    error, STATUS_INPUT,
                    "--along: %s has %c from %d to %d, and the line reaches %d",
                    recording_path(view->recording), "xyz"[axis],
                    region -> low[axis], region -> high[axis], at[axis]);
        if (i && memcmp(at, line->point[i - 1], sizeof line->point[i]) == 0)
            return error_set(error, STATUS_INPUT,
                             "--along: two cells in succession must differ, as "
                             "in 0,12:60,12");
    }
    if (!view->field->by_row)
        return error_set(error, STATUS_INPUT,
                         "--along: %s is the same at every step; leave --along "
                         "out, or show a field that changes, such as amplitude",
                         view->field->name);
    return STATUS_OK;
}

static enum status check_steps(const int64_t *steps, size_t count,
                               struct error *error)
{
    for (size_t i = 2; i < count; i++)
        if (steps[i] - steps[i - 1] != steps[1] - steps[0])
            return error_set(error, STATUS_INPUT,
                             "--along: steps %lld, %lld and %lld are not "
                             "evenly spaced; use --at step=A:STEP:B",
                             (long long)steps[i - 2], (long long)steps[i - 1],
                             (long long)steps[i]);
    return STATUS_OK;
}

static void find_rows(struct along *along, const struct recording *recording,
                      const int64_t *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (recording_row_of(recording, steps[i], &along->rows[i], NULL))
            along->rows[i] = -1;
    along->first = steps[0];
    along->each = count > 1 ? steps[1] - steps[0] : 1;
}

/* The view becomes the plane of the line; the original view is along->inner. */
static enum status turn(struct view *view, struct along *along, int columns,
                        size_t count, struct error *error)
{
    const struct grid block = { 2, columns, (int)count, 1 };
    size_t cells = grid_cells(&block);
    double *values = memory_new(cells, sizeof *values);
    uint8_t *wall = memory_new(cells, 1);
    if (!values || !wall) {
        memory_release(values);
        memory_release(wall);
        return error_memory(error);
    }
    *along->inner = *view;
    along->field = *view->field;
    along->field.by_row = false;
    *view = (struct view){
        .recording = along->inner->recording,
        .source = along->inner->source,
        .field = &along->field,
        .wave = along->inner->wave,
        .newest = along->inner->newest,
        .region = grid_box(&block),
        .values = values,
        .wall = wall,
        .version = -1,
        .change = &along_change,
        .changed = along,
    };
    cut_make(&block, 2, 0, &view->cut);
    return STATUS_OK;
}

enum status view_lay_along(struct view *view, const struct along_line *line,
                           const int64_t *steps, size_t count,
                           struct error *error)
{
    double at[ALONG_POINTS];
    along_lengths(line, at);
    double length = at[line->count - 1];
    int columns = (int)floor(length + .5) + 1;
    enum status status = check_line(view, line, error);
    if (!status)
        status = check_steps(steps, count, error);
    if (status)
        return status;
    struct along *along = memory_new(1, sizeof *along);
    if (!along)
        return error_memory(error);
    along->line = *line;
    along->length = length;
    along->columns = columns;
    along->cells = memory_new((size_t)columns, sizeof *along->cells);
    along->rows = memory_new(count, sizeof *along->rows);
    along->inner = memory_new(1, sizeof *along->inner);
    if (!along->cells || !along->rows || !along->inner) {
        along_release(along);
        return error_memory(error);
    }
    for (int i = 0; i < columns; i++)
        along->cells[i] = cell_of(view, line, i, columns);
    find_rows(along, view->recording, steps, count);
    status = turn(view, along, columns, count, error);
    if (status)
        along_release(along);
    return status;
}

/* ---- places beside the line ---- */

const struct along_line *view_along_line(const struct view *view)
{
    const struct along *along = view->changed;
    return &along->line;
}

static enum status find_reach(struct along *along, struct error *error)
{
    const struct recording *recording = along->inner->recording;
    const struct grid *world = recording_grid(recording);
    struct terrain terrain = { 0 };
    int32_t *widths = memory_new(grid_cells(world), sizeof *widths);
    double *reach = memory_new((size_t)along->columns, sizeof *reach);
    enum status status = widths && reach ? terrain_init(&terrain, world, error)
                                         : error_memory(error);
    if (!status)
        status = recording_read_terrain(
            recording, "wall", recording_version_at(recording, along->first),
            terrain.wall, error);
    if (!status)
        status = local_width(&terrain, widths, NULL, error);
    for (int i = 0; i < along->columns && !status; i++) {
        double place[GRID_AXES];
        column_place(&along->line, i, along->columns, place);
        int32_t width = widths[grid_nearest(world, place)];
        reach[i] = width ? width / 2. : 1;
    }
    terrain_release(&terrain);
    memory_release(widths);
    if (status)
        memory_release(reach);
    else
        along->reach = reach;
    return status;
}

enum status view_along_place(const struct view *view,
                             const double place[GRID_AXES], double *distance,
                             struct error *error)
{
    struct along *along = view->changed;
    enum status status = along->reach ? STATUS_OK : find_reach(along, error);
    if (status)
        return status;
    double off = along_nearest(&along->line, place, distance);
    int column =
        (int)floor(*distance / along->length * (along->columns - 1) + .5);
    if (!(off <= along->reach[column]))
        *distance = (double)NAN;
    return STATUS_OK;
}

double view_along_column(const struct view *view, double distance)
{
    const struct along *along = view->changed;
    return distance / along->length * (along->columns - 1);
}

double view_along_row(const struct view *view, double step)
{
    const struct along *along = view->changed;
    return (step - (double)along->first) / (double)along->each;
}

/* The one speed of the line's free cells; NaN: they differ. */
static double speed_of_cells(const struct along *along, const uint8_t *wall,
                             const double *speeds)
{
    const struct grid *world = recording_grid(along->inner->recording);
    double speed = 0;
    for (int i = 0; i < along->columns; i++) {
        double place[GRID_AXES];
        column_place(&along->line, i, along->columns, place);
        size_t cell = grid_nearest(world, place);
        if (wall[cell])
            continue;
        if (speed > 0 && speeds[cell] != speed)
            return (double)NAN;
        speed = speeds[cell];
    }
    return speed > 0 ? speed : (double)NAN;
}

enum status view_along_speed(const struct view *view, double *speed,
                             struct error *error)
{
    const struct along *along = view->changed;
    const struct recording *recording = along->inner->recording;
    const size_t cells = grid_cells(recording_grid(recording));
    const size_t version = recording_version_at(recording, along->first);
    struct wave_settings wave;
    *speed = 1;
    enum status status = view_settings_read(recording, "wave", &wave, error);
    if (!status && recording_find(recording, "speed")) {
        uint8_t *wall = memory_new(cells, sizeof *wall);
        double *speeds = memory_new(cells, sizeof *speeds);
        status = wall && speeds ? recording_read_terrain(recording, "wall",
                                                         version, wall, error)
                                : error_memory(error);
        if (!status)
            status = recording_read_terrain(recording, "speed", version, speeds,
                                            error);
        if (!status)
            *speed = speed_of_cells(along, wall, speeds);
        memory_release(wall);
        memory_release(speeds);
    }
    if (!status)
        *speed *= sqrt(wave.delta);
    return status;
}
