/* SPDX-License-Identifier: MIT */
#include "study_map.h"

#include "base/memory.h"
#include <math.h>
#include <stdio.h>

/* Pixels of a centimetre and of a letter's height of 7.5 points. */
static const double centimetre = 300 / 2.54, em = 31;

/* What is worked out here stands in view->values before it is read. */
static enum status keep(struct view *view, int64_t row, struct error *error)
{
    (void)view;
    (void)row;
    (void)error;
    return STATUS_OK;
}

/* What is open while a map is drawn. */
struct drawing {
    struct view *view;
    struct field field; /* of the values */
    struct picture picture;
    struct figure figure;
};

/* The values in the plane that the recording covers. */
static enum status take_values(struct drawing *drawing,
                               const struct study_map *map, struct error *error)
{
    const struct view_place place = { -1, 0, false };
    const struct grid *grid = recording_grid(map->recording);
    enum status status =
        view_open(map->recording, map->values ? "walls" : "amplitude",
                  map->wave, &place, &drawing->view, error);
    if (status || !map->values)
        return status;
    struct view *view = drawing->view;
    drawing->field = (struct field){ .name = map->name,
                                     .unit = "degrees",
                                     .map = "viridis",
                                     .range = RANGE_FIXED,
                                     .high = 180,
                                     .of_wave = true,
                                     .read = keep };
    view->field = &drawing->field;
    view->wave = map->wave;
    for (int y = 0; y < view->cut.ny; y++)
        for (int x = 0; x < view->cut.nx; x++)
            view->values[y * view->cut.nx + x] = map->values[grid_index(
                grid, x + view->region.low[0], y + view->region.low[1], 0)];
    return STATUS_OK;
}

/* A cell's pixels, so that with what stands round it the page is this wide. */
static int cell_pixels(const struct view *view, double width)
{
    bool lies = view->cut.nx > 1.7 * view->cut.ny; /* the bar below */
    double room = width * centimetre - (lies ? 6 : 9.5) * em;
    return (int)fmax(1, floor(room / view->cut.nx));
}

/* The palest two thirds of the colours, so that lines stand out. */
static enum status choose_range(struct view *view, int64_t row,
                                struct picture_options *options,
                                struct error *error)
{
    struct extremes extremes = { 0 };
    enum status status = view_read(view, row, error);
    if (status)
        return status;
    extremes_add(&extremes, view->values, view->wall,
                 (size_t)view->cut.nx * (size_t)view->cut.ny);
    struct scale scale = scale_over(&extremes, true);
    options->has_low = options->has_high = true;
    options->low = 1.5 * scale.low;
    options->high = 1.5 * scale.high;
    return STATUS_OK;
}

/* One front over the page. */
static enum status draw_front(struct figure *figure, const double *times,
                              double time, const struct view *view,
                              struct error *error)
{
    static const uint8_t black[3] = { 0, 0, 0 };
    struct contour contour = { 0 };
    double cell = figure->picture->options.cell;
    enum status status =
        contour_add(&contour, times, view->cut.nx, view->cut.ny, time, error);
    for (size_t i = 0; i < contour.count && !status; i++) {
        const struct contour_piece *piece = &contour.pieces[i];
        const double from[2] = {
            figure->panel.left + (piece->from[0] + .5) * cell,
            figure->panel.top + (piece->from[1] + .5) * cell,
        };
        const double to[2] = {
            figure->panel.left + (piece->to[0] + .5) * cell,
            figure->panel.top + (piece->to[1] + .5) * cell,
        };
        mask_line(&figure->mask, from, to, em / 14);
    }
    mask_lay(&figure->mask, &figure->image, black);
    contour_release(&contour);
    return status;
}

static enum status draw_fronts(struct drawing *drawing,
                               const struct study_map *map, struct error *error)
{
    const struct view *view = drawing->view;
    const struct grid *grid = recording_grid(map->recording);
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    double *times = memory_new(cells, sizeof *times), last = 0;
    if (!times)
        return error_memory(error);
    for (int y = 0; y < view->cut.ny; y++)
        for (int x = 0; x < view->cut.nx; x++) {
            double time = map->times[grid_index(grid, x + view->region.low[0],
                                                y + view->region.low[1], 0)];
            times[y * view->cut.nx + x] = isfinite(time) ? time : (double)NAN;
            last = isfinite(time) ? fmax(last, time) : last;
        }
    enum status status = STATUS_OK;
    for (double time = map->apart; time <= last && !status; time += map->apart)
        status = draw_front(&drawing->figure, times, time, view, error);
    memory_release(times);
    return status;
}

static enum status paint(struct drawing *drawing, const struct study_map *map,
                         const char *title, double width, const char *software,
                         struct error *error)
{
    struct picture_options options = { .overlays = OVERLAY_WALLS, .em = em };
    const struct figure_options round = {
        .bar = true, .axes = true, .title = title, .columns = 1, .rows = 1
    };
    int64_t row = 0;
    enum status status =
        map->values ? STATUS_OK
                    : recording_row_of(map->recording, map->step, &row, error);
    if (!status && !map->values)
        status = choose_range(drawing->view, row, &options, error);
    options.cell = cell_pixels(drawing->view, width);
    if (!status)
        status = picture_init(&drawing->picture, drawing->view, &options, &row,
                              1, software, error);
    if (!status)
        status =
            figure_init(&drawing->figure, &drawing->picture, &round, error);
    if (!status)
        status = figure_paint(&drawing->figure, &row, 1, error);
    if (!status && map->times)
        status = draw_fronts(drawing, map, error);
    if (!status && (map->blank || map->times))
        status = study_map_key(&drawing->figure, map, error);
    return status;
}

/* What the figure reads as `text`: each % twice. */
static void as_it_is(const char *text, char *out, size_t size)
{
    size_t used = 0;
    for (; *text && used + 2 < size; text++) {
        if (*text == '%')
            out[used++] = '%';
        out[used++] = *text;
    }
    out[used] = '\0';
}

enum status study_map_write(const struct study_map *map, const char *title,
                            double width, const char *software,
                            const char *path, bool force, struct error *error)
{
    struct drawing drawing = { 0 };
    char plain[1024];
    as_it_is(title, plain, sizeof plain);
    enum status status = take_values(&drawing, map, error);
    if (!status)
        status = paint(&drawing, map, plain, width, software, error);
    if (!status)
        status =
            image_write_png(figure_page(&drawing.figure), drawing.picture.notes,
                            drawing.picture.note_count, path, force, error);
    figure_release(&drawing.figure);
    picture_release(&drawing.picture);
    view_release(drawing.view);
    return status;
}
