/* SPDX-License-Identifier: MIT */
#include "view/difference.h"

#include "base/memory.h"
#include "words/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct difference {
    struct field field; /* of the view */
    const struct field *of;
    struct view *other;
};

static void difference_release(void *changed)
{
    struct difference *difference = changed;
    if (difference)
        view_release(difference->other);
    memory_release(difference);
}

/* The other recording's row at the view's step; for a field without steps the
 * last row. */
static enum status find_row(const struct view *view, int64_t row,
                            int64_t *there, struct error *error)
{
    const struct difference *difference = view->changed;
    const struct recording *other = difference->other->recording;
    int64_t step = recording_steps(view->source)[row];
    enum status status = recording_row_of(other, step, there, error);
    if (!status || difference->of->by_row)
        return status;
    *there = recording_rows(other) - 1;
    return STATUS_OK;
}

/* To the range −180 … 180 degrees. */
static double turn(double angle)
{
    return remainder(angle, 360);
}

static enum status difference_read(struct view *view, int64_t row,
                                   struct error *error)
{
    const struct difference *difference = view->changed;
    const struct field *of = difference->of;
    struct view *other = difference->other;
    const struct cut *cut = &view->cut;
    int64_t there = 0;
    enum status status = of->read(view, row, error);
    if (!status)
        status = find_row(view, row, &there, error);
    if (!status)
        status = view_go_to(other, there, error);
    if (status)
        return status;
    other->cut.at = cut->at;
    cut_take_bytes(&other->cut, other->walls, other->wall);
    status = of->read(other, view_source_row(other, there), error);
    size_t cells = (size_t)cut->nx * (size_t)cut->ny;
    for (size_t i = 0; i < cells && !status; i++) {
        double less = view->values[i] - other->values[i];
        bool theirs = other->wall[i] && !view->wall[i];
        view->values[i] = theirs && !of->of_walls ? (double)NAN
                          : of->angle             ? turn(less)
                                                  : less;
    }
    return status;
}

enum status difference_cells(const struct recording *one,
                             const struct recording *other, const char *option,
                             const char *what, struct error *error)
{
    const struct grid *a = recording_grid(one), *b = recording_grid(other);
    const struct box first = recording_region(one);
    const struct box second = recording_region(other);
    if (a->nx != b->nx || a->ny != b->ny || a->nz != b->nz)
        return error_set(error, STATUS_INPUT,
                         "%s%s has %d x %d x %d cells and %s has %d x %d x %d; "
                         "%s requires equal grids",
                         option, recording_path(one), a->nx, a->ny, a->nz,
                         recording_path(other), b->nx, b->ny, b->nz, what);
    if (memcmp(&first, &second, sizeof first) != 0)
        return error_set(error, STATUS_INPUT,
                         "%s%s and %s have different regions (record.region); "
                         "%s requires the same cells",
                         option, recording_path(one), recording_path(other),
                         what);
    return STATUS_OK;
}

static enum status check(const struct view *view, const struct recording *other,
                         struct error *error)
{
    if (view->field->kinds)
        return error_set(error, STATUS_INPUT,
                         "--minus: %s has categories, not numbers; use -f "
                         "error, which has the errors in degrees",
                         view->field->name);
    return difference_cells(view->recording, other, "--minus: ", "a difference",
                            error);
}

static void difference_describe(const struct view *view, bool drawn, char *text,
                                size_t size)
{
    const struct difference *difference = view->changed;
    const char *path = recording_path(difference->other->recording);
    const char *slash = strrchr(path, '/');
    char field[160];
    field_describe(view->field, view->recording,
                   view->newest ? WAVE_NEWEST : view->wave, drawn, field,
                   sizeof field);
    snprintf(text, size, words_if(drawn, "%s minus %.80s"), field,
             slash ? slash + 1 : path);
    size_t used = strlen(text);
    view_describe_place(view, drawn, text + used, size - used);
}

static enum status difference_twin(const struct view *view, struct view *twin,
                                   struct error *error);

static const struct view_change difference_change = {
    .describe = difference_describe,
    .twin = difference_twin,
    .release = difference_release,
};

static void take_field(struct view *view, struct difference *difference,
                       const struct field *of)
{
    difference->of = of;
    difference->field = *of;
    difference->field.map = "vik";
    difference->field.rises = false;
    difference->field.read = difference_read;
    difference->field.range = of->angle ? RANGE_FIXED : RANGE_SYMMETRIC;
    view->change = &difference_change;
    view->changed = difference;
    view->field = &difference->field;
    view->read = false;
}

enum status view_subtract(struct view *view, const struct recording *other,
                          struct error *error)
{
    const struct cut *cut = &view->cut;
    const struct view_place place = {
        .axis = view->whole            ? VIEW_WHOLE
                : cut->block.dims == 2 ? -1
                                       : cut->axis,
        .at = cut->at + view->region.low[cut->axis],
        .most = view->most && cut->block.dims == 3,
    };
    enum status status = check(view, other, error);
    struct difference *made = status ? NULL : memory_new(1, sizeof *made);
    if (!status && !made)
        status = error_memory(error);
    if (!status)
        status = view_open(other, view->field->name,
                           view->newest ? WAVE_NEWEST : view->wave, &place,
                           &made->other, error);
    if (status)
        difference_release(made);
    else
        take_field(view, made, view->field);
    return status;
}

static enum status difference_twin(const struct view *view, struct view *twin,
                                   struct error *error)
{
    const struct difference *difference = view->changed;
    struct difference *made = memory_new(1, sizeof *made);
    enum status status = made
                             ? view_twin(difference->other, &made->other, error)
                             : error_memory(error);
    if (status)
        difference_release(made);
    else
        take_field(twin, made, difference->of);
    return status;
}
