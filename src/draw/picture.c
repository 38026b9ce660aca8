/* SPDX-License-Identifier: MIT */
#include "draw/picture.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void note(struct picture *picture, const char *key, const char *format,
                 ...) __attribute__((format(printf, 3, 4)));

static void note(struct picture *picture, const char *key, const char *format,
                 ...)
{
    size_t i = picture->note_count++;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(picture->texts[i], PICTURE_NOTE_SIZE, format, arguments);
    va_end(arguments);
    picture->notes[i] = (struct image_note){ key, picture->texts[i] };
}

/* Reads a row unless the view holds it. */
static enum status take_row(struct picture *picture, int64_t row,
                            struct error *error)
{
    if (row == picture->row)
        return STATUS_OK;
    picture->row = -1;
    enum status status = view_read(picture->view, row, error);
    if (!status)
        picture->row = row;
    return status;
}

/* The range of all rows together; walls do not count. */
static enum status find_extremes(struct picture *picture, const int64_t *rows,
                                 size_t count, struct extremes *extremes,
                                 struct error *error)
{
    const struct view *view = picture->view;
    if (!view->field->by_row && count > 1)
        count = 1;
    for (size_t i = 0; i < count; i++) {
        enum status status = take_row(picture, rows[i], error);
        if (status)
            return status;
        extremes_add(extremes, view->values, view->wall,
                     (size_t)view->cut.nx * (size_t)view->cut.ny);
    }
    return STATUS_OK;
}

static enum status make_scale(struct picture *picture, const int64_t *rows,
                              size_t count, struct error *error)
{
    const struct picture_options *options = &picture->options;
    const struct field *field = picture->view->field;
    struct extremes extremes = { true, options->low, options->high };
    if (!options->has_range && field->range == RANGE_FIXED) {
        extremes = (struct extremes){ true, field->low, field->high };
    } else if (!options->has_range) {
        extremes.any = false;
        enum status status =
            find_extremes(picture, rows, count, &extremes, error);
        if (status)
            return status;
    }
    bool symmetric = options->symmetric ||
                     (!options->has_range && field->range == RANGE_SYMMETRIC);
    picture->scale = options->has_range && !symmetric
                         ? (struct scale){ options->low, options->high, 0 }
                         : scale_over(&extremes, symmetric);
    struct scale *scale = &picture->scale;
    if (options->logarithmic)
        scale->linear_width =
            options->linear_width != 0
                ? options->linear_width
                : 1e-4 * fmax(fabs(scale->low), fabs(scale->high));
    return scale_check(scale, error);
}

void picture_range(const struct picture *picture, char *text, size_t size)
{
    const struct scale *scale = &picture->scale;
    int used = snprintf(text, size, "%.6g to %.6g", scale->low, scale->high);
    if (picture->view->field->unit[0])
        used += snprintf(text + used, size - (size_t)used, " %s",
                         picture->view->field->unit);
    if (scale->linear_width > 0)
        snprintf(text + used, size - (size_t)used,
                 ", signed logarithm, linear within %.6g", scale->linear_width);
}

static void make_notes(struct picture *picture, const char *software)
{
    const struct view *view = picture->view;
    const char *path = recording_path(view->recording);
    const char *title = recording_title(view->recording);
    const char *slash = strrchr(path, '/');
    char text[PICTURE_NOTE_SIZE];
    if (title && *title)
        note(picture, "Title", "%s", title);
    note(picture, "Source", "%s", slash ? slash + 1 : path);
    view_describe(view, text, sizeof text);
    note(picture, "Field", "%s", text);
    picture_range(picture, text, sizeof text);
    note(picture, "Range", "%s", text);
    note(picture, "Colormap", "%s", picture->ramp.name);
    note(picture, "Software", "%s", software);
    picture->lasting_notes = picture->note_count;
}

enum status picture_init(struct picture *picture, struct view *view,
                         const struct picture_options *options,
                         const int64_t *rows, size_t count,
                         const char *software, struct error *error)
{
    *picture = (struct picture){ .view = view, .options = *options, .row = -1 };
    if (strcmp(view->field->name, "walls") == 0)
        picture->options.overlays &= ~(unsigned)OVERLAY_WALLS;
    enum status status = ramp_load(
        options->map ? options->map : view->field->map, &picture->ramp, error);
    if (!status)
        status =
            image_init(&picture->image, (int64_t)view->cut.nx * options->cell,
                       (int64_t)view->cut.ny * options->cell, error);
    if (!status)
        status = make_scale(picture, rows, count, error);
    if (!status)
        make_notes(picture, software);
    return status;
}

void picture_release(struct picture *picture)
{
    image_release(&picture->image);
}

enum status picture_paint(struct picture *picture, int64_t row,
                          struct error *error)
{
    enum status status = take_row(picture, row, error);
    if (status)
        return status;
    const struct view *view = picture->view;
    bool walls = picture->options.overlays & OVERLAY_WALLS;
    struct plane plane = { view->cut.nx, view->cut.ny, view->values,
                           walls ? view->wall : NULL };
    heatmap_paint(&plane, &picture->scale, &picture->ramp,
                  picture->options.cell, &picture->image, 0, 0);
    picture->note_count = picture->lasting_notes;
    if (view->field->by_row)
        note(picture, "Step", "%lld",
             (long long)recording_steps(view->recording)[row]);
    return STATUS_OK;
}
