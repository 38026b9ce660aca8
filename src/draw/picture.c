/* SPDX-License-Identifier: MIT */
#include "draw/picture.h"

#include "base/memory.h"
#include "draw/extremes.h"

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

/* Goes to the i-th plane of an oblique view. */
static void take_plane(struct picture *picture, int i)
{
    if (!picture->options.oblique)
        return;
    view_move(picture->view, picture->layers.at[i]);
    if (!picture->view->read)
        picture->row = -1;
}

static int plane_count(const struct picture *picture)
{
    return picture->options.oblique ? picture->layers.count : 1;
}

/* The range of all rows together; walls do not count. */
static enum status find_extremes(struct picture *picture, const int64_t *rows,
                                 size_t count, struct extremes *extremes,
                                 struct error *error)
{
    const struct view *view = picture->view;
    if (!view->field->by_row && count > 1)
        count = 1;
    if (!picture->options.oblique && count > 1) {
        picture->row = -1;
        return extremes_of_rows(picture->view, rows, count,
                                picture->options.threads, extremes, error);
    }
    for (size_t i = 0; i < count; i++)
        for (int plane = 0; plane < plane_count(picture); plane++) {
            take_plane(picture, plane);
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
    bool given = options->has_low && options->has_high;
    struct extremes extremes = { true, options->low, options->high };
    if (!given && field->range == RANGE_FIXED) {
        extremes = (struct extremes){ true, field->low, field->high };
    } else if (!given) {
        extremes.any = false;
        enum status status =
            find_extremes(picture, rows, count, &extremes, error);
        if (status)
            return status;
    }
    bool symmetric =
        options->symmetric || (!given && field->range == RANGE_SYMMETRIC);
    picture->scale = given && !symmetric
                         ? (struct scale){ options->low, options->high, 0 }
                         : scale_over(&extremes, symmetric);
    if (!given && options->has_low)
        picture->scale.low = options->low;
    if (!given && options->has_high)
        picture->scale.high = options->high;
    struct scale *scale = &picture->scale;
    if (options->logarithmic)
        scale->linear_width =
            options->linear_width != 0
                ? options->linear_width
                : 1e-4 * fmax(fabs(scale->low), fabs(scale->high));
    enum status status = scale_check(scale, error);
    if (!status && picture->levels)
        levels_make(scale, picture->levels);
    return status;
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

void picture_describe(const struct picture *picture, char *text, size_t size)
{
    const struct layers *layers = &picture->layers;
    view_describe(picture->view, text, size);
    if (!picture->options.oblique)
        return;
    text[strcspn(text, ",")] = '\0';
    for (int i = 0; i < layers->count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, ", %s%d",
                 i ? "" : "z = ", layers->at[i]);
    }
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
    picture_describe(picture, text, sizeof text);
    note(picture, "Field", "%s", text);
    picture_range(picture, text, sizeof text);
    picture->range_note = picture->note_count;
    note(picture, "Range", "%s", text);
    note(picture, "Colormap", "%s", picture->ramp.name);
    note(picture, "Software", "%s", software);
    picture->lasting_notes = picture->note_count;
}

double picture_em(double width, double height)
{
    return fmax(10, round(.04 * fmax(width, .6 * height)));
}

/* Where it is not given, of an oblique view about. */
static double em_of(const struct picture *picture)
{
    const struct picture_options *options = &picture->options;
    const struct cut *cut = &picture->view->cut;
    return options->em > 0
               ? options->em
               : picture_em(oblique_cells(cut->nx, cut->ny) * options->cell,
                            (double)cut->ny * options->cell);
}

/* The layers that are shown, and of an oblique view where they stand. */
static enum status find_layers(struct picture *picture, int64_t row,
                               struct error *error)
{
    struct layers *layers = &picture->layers;
    const struct picture_options *options = &picture->options;
    const struct view *view = picture->view;
    bool agents = options->overlays & OVERLAY_OF_AGENTS;
    if (options->oblique &&
        (view->cut.block.dims == 2 || view->cut.axis != 2 || view->most))
        return error_set(error, STATUS_INPUT,
                         "%s: an oblique view is of layers z of a 3D recording",
                         recording_path(view->recording));
    if (view->cut.block.dims == 2 || view->most ||
        !(agents || options->oblique))
        return STATUS_OK;
    enum status status = take_row(picture, row, error);
    if (status)
        return status;
    if (!options->oblique)
        layers_of_plane(view, layers);
    else if (options->plane_count)
        layers_of_list(view, options->planes, options->plane_count, layers);
    else
        layers_of_floors(view, layers);
    if (options->oblique)
        oblique_lay_out(view, layers, options->cell,
                        agents ? overlay_agent_reach(em_of(picture)) : 0,
                        &picture->oblique);
    return STATUS_OK;
}

/* The stage of a plane: its first cell's corner is the picture's. */
static void set_stage(struct picture *picture)
{
    const struct view *view = picture->view;
    const struct cut *cut = &view->cut;
    double cell = picture->options.cell;
    struct stage *stage = &picture->stage;
    *stage = (struct stage){ 0 };
    stage->step[cut->right][0] = stage->step[cut->down][1] = cell;
    stage->origin[0] = (.5 - view->region.low[cut->right]) * cell;
    stage->origin[1] = (.5 - view->region.low[cut->down]) * cell;
}

static enum status make_image(struct picture *picture, int64_t row,
                              struct error *error)
{
    const struct cut *cut = &picture->view->cut;
    int64_t width = (int64_t)cut->nx * picture->options.cell;
    int64_t height = (int64_t)cut->ny * picture->options.cell;
    enum status status = find_layers(picture, row, error);
    set_stage(picture);
    if (picture->options.oblique) {
        picture->stage = picture->oblique.stage;
        width = picture->oblique.width;
        height = picture->oblique.height;
    }
    if (!(picture->options.em > 0))
        picture->options.em = picture_em((double)width, (double)height);
    if (!status)
        status = image_init(&picture->image, width, height, error);
    return status;
}

/* Where the field is seen alone, but for its walls, a sheet is painted. */
static enum status make_sheet(struct picture *picture, struct error *error)
{
    const struct picture_options *options = &picture->options;
    const struct cut *cut = &picture->view->cut;
    unsigned over = options->overlays & ~(unsigned)OVERLAY_WALLS;
    if (!options->sheet || options->oblique || over)
        return STATUS_OK;
    picture->levels = memory_new(1, sizeof *picture->levels);
    if (!picture->levels)
        return error_memory(error);
    return sheet_init(&picture->sheet, cut->nx, cut->ny, options->cell, error);
}

enum status picture_init(struct picture *picture, struct view *view,
                         const struct picture_options *options,
                         const int64_t *rows, size_t count,
                         const char *software, struct error *error)
{
    *picture = (struct picture){ .view = view, .options = *options, .row = -1 };
    if (strcmp(view->field->name, "walls") == 0)
        picture->options.overlays &= ~(unsigned)OVERLAY_WALLS;
    int64_t last = -1;
    for (size_t i = 0; i < count; i++)
        last = rows[i] > last ? rows[i] : last;
    enum status status = ramp_load(
        options->map ? options->map : view->field->map, &picture->ramp, error);
    if (!status)
        status = make_image(picture, last, error);
    if (!status)
        status = make_sheet(picture, error);
    if (!status)
        status =
            make_scale(picture, rows, options->per_frame ? 1 : count, error);
    if (!status)
        status = picture_prepare_overlays(picture, last, error);
    if (!status)
        make_notes(picture, software);
    return status;
}

void picture_release(struct picture *picture)
{
    picture_release_overlays(picture);
    image_release(&picture->image);
    sheet_release(&picture->sheet);
    memory_release(picture->levels);
}

static void paint_plane(struct picture *picture, int i)
{
    const struct view *view = picture->view;
    bool walls = picture->options.overlays & OVERLAY_WALLS;
    struct plane plane = { view->cut.nx, view->cut.ny, view->values,
                           walls ? view->wall : NULL };
    picture->sheet.count = 0;
    if (picture->levels &&
        sheet_paint(&plane, picture->levels, &picture->ramp, &picture->sheet))
        return;
    if (!picture->options.oblique) {
        heatmap_paint(&plane, &picture->scale, &picture->ramp,
                      picture->options.cell, &picture->image, 0, 0);
        return;
    }
    double origin[2];
    double world[GRID_AXES] = { view->region.low[0] - .5,
                                view->region.low[1] - .5,
                                picture->layers.at[i] };
    stage_place(&picture->stage, world, origin);
    heatmap_paint_slanted(&plane, &picture->scale, &picture->ramp,
                          &picture->image, origin, picture->stage.step[0],
                          picture->stage.step[1]);
}

enum status picture_paint(struct picture *picture, int64_t row,
                          struct error *error)
{
    static const uint8_t white[3] = { 255, 255, 255 };
    const struct view *view = picture->view;
    enum status status = STATUS_OK;
    if (picture->options.per_frame) {
        status = make_scale(picture, &row, 1, error);
        if (!status)
            picture_range(picture, picture->texts[picture->range_note],
                          PICTURE_NOTE_SIZE);
    }
    if (picture->options.oblique)
        image_fill(&picture->image, 0, 0, picture->image.width,
                   picture->image.height, white);
    for (int i = 0; i < plane_count(picture) && !status; i++) {
        take_plane(picture, i);
        status = take_row(picture, row, error);
        if (!status)
            paint_plane(picture, i);
    }
    if (!status)
        status = picture_draw_overlays(picture, row, error);
    if (status)
        return status;
    picture->note_count = picture->lasting_notes;
    if (view->field->by_row)
        note(picture, "Step", "%lld",
             (long long)recording_steps(view->recording)[row]);
    return STATUS_OK;
}

enum status picture_write(const struct picture *picture, const char *path,
                          bool force, struct error *error)
{
    return picture->sheet.count
               ? sheet_write_png(&picture->sheet, picture->notes,
                                 picture->note_count, path, force, error)
               : image_write_png(&picture->image, picture->notes,
                                 picture->note_count, path, force, error);
}
