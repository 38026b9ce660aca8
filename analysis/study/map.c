/* SPDX-License-Identifier: MIT */
#include "analysis/study/map.h"

#include "base/memory.h"
#include "base/need.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the key below the map: the drawing of walls, cells without a value and
 * fronts ---- */

static const uint8_t white[3] = { 255, 255, 255 }, ink[3] = { 20, 20, 20 };

enum { WALL = STUDY_KINDS + 1, FRONT, KINDS };

struct entry {
    char words[200];
    int left, line; /* pixels from the panels' left edge; of text, from 0 */
};

struct key {
    struct figure *figure;
    const struct study_map *map;
    bool there[KINDS]; /* kinds of blank cells, walls, fronts */
    struct entry entries[KINDS];
    int lines, left, top;
    double size; /* of letters */
    uint8_t wall[3];
};

/* The pixels of a cell's pattern: lines rising to the right, or dots. They
 * continue from cell to cell, and can be distinguished without colours. */
static bool is_inked(int kind, int x, int y, double em)
{
    int pitch = (int)fmax(4, round(em / 4)), thick = (pitch + 2) / 4;
    if (kind == 2)
        return (x + y) % pitch < thick;
    if (kind == 3)
        return x % pitch < thick && y % pitch < thick;
    return false;
}

static void paint_kind(struct key *key, int kind, int left, int top, int width,
                       int height)
{
    struct image *image = &key->figure->image;
    const uint8_t(*colours)[3] = key->map->colours;
    image_fill(image, left, top, width, height,
               kind == WALL ? key->wall
               : colours    ? colours[kind - 1]
                            : white);
    for (int y = top; y < top + height; y++)
        for (int x = left; x < left + width; x++)
            if (!colours && is_inked(kind, x, y, key->figure->em))
                memcpy(image_at(image, x, y), ink, sizeof ink);
}

/* The cell of the map in this column and row of the view, which shows a
 * layer. */
static size_t cell_at(const struct view *view, int x, int y)
{
    const int *low = view->region.low;
    int at[GRID_AXES];
    at[view->cut.axis] = view->cut.at;
    at[view->cut.right] = x;
    at[view->cut.down] = y;
    return grid_index(recording_grid(view->recording), at[0] + low[0],
                      at[1] + low[1], at[2] + low[2]);
}

static int kind_of(const struct key *key, int x, int y)
{
    const struct view *view = key->figure->picture->view;
    if (view->wall[y * view->cut.nx + x])
        return WALL;
    return key->map->kind ? key->map->kind[cell_at(view, x, y)] : 0;
}

/* Walls are painted already if there are no colours. */
static bool is_painted(const struct key *key, int kind)
{
    return kind > 0 && (kind < WALL || key->map->colours);
}

/* The column and row of the layer at z under a pixel of an oblique view; false:
 * none. */
static bool cell_under(const struct key *key, int x, int y, int z, int at[2])
{
    const struct picture *picture = key->figure->picture;
    const struct projection *projection = &picture->oblique.projection;
    const struct view *view = picture->view;
    /* A layer's rows are horizontal on the page (draw/figure/oblique.h). */
    double down =
        (y + .5 - projection->origin[1] - z * projection->step[2][1]) /
        projection->step[1][1];
    double right =
        (x + .5 - projection->origin[0] - down * projection->step[1][0]) /
        projection->step[0][0];
    at[0] = (int)floor(right + .5) - view->region.low[0];
    at[1] = (int)floor(down + .5) - view->region.low[1];
    return at[0] >= 0 && at[0] < view->cut.nx && at[1] >= 0 &&
           at[1] < view->cut.ny;
}

/* The layers of an oblique view, pixel by pixel. */
static void paint_layers(struct key *key)
{
    struct view *view = key->figure->picture->view;
    const struct layers *layers = &key->figure->picture->layers;
    const struct frame *panel = &key->figure->panel;
    for (int i = 0; i < layers->count; i++) {
        view_move(view, layers->at[i]);
        cut_take_bytes(&view->cut, view->walls, view->wall);
        for (int y = 0; y < panel->height; y++)
            for (int x = 0; x < panel->width; x++) {
                int at[2];
                if (!cell_under(key, x, y, layers->at[i], at))
                    continue;
                int kind = kind_of(key, at[0], at[1]);
                key->there[kind] = true;
                if (is_painted(key, kind))
                    paint_kind(key, kind, panel->left + x, panel->top + y, 1,
                               1);
            }
    }
}

static void paint_cells(struct key *key)
{
    const struct cut *cut = &key->figure->picture->view->cut;
    const struct frame *panel = &key->figure->panel;
    int cell = key->figure->picture->options.cell;
    for (int y = 0; y < cut->ny; y++)
        for (int x = 0; x < cut->nx; x++) {
            int kind = kind_of(key, x, y);
            key->there[kind] = true;
            if (is_painted(key, kind))
                paint_kind(key, kind, panel->left + x * cell,
                           panel->top + y * cell, cell, cell);
        }
}

static void name(const struct key *key, int kind, char *words, size_t size)
{
    if (kind == FRONT)
        snprintf(words, size, "the front every %g steps", key->map->apart);
    else
        snprintf(words, size, "%s",
                 kind == WALL ? "wall" : key->map->kinds[kind - 1]);
}

/* Entries in lines as wide as the page. */
static void lay_out(struct key *key)
{
    struct font *font = key->figure->font;
    double em = key->figure->em, at = 0;
    double room = key->figure->image.width - key->left - em / 2;
    for (int kind = 1; kind < KINDS; kind++) {
        struct entry *entry = &key->entries[kind];
        if (!key->there[kind])
            continue;
        name(key, kind, entry->words, sizeof entry->words);
        text_fit(font, key->size, room - 1.6 * em, entry->words);
        double width = 1.6 * em + text_width(font, key->size, entry->words);
        if (key->lines == 0 || at + width > room) {
            key->lines++;
            at = 0;
        }
        entry->line = key->lines - 1;
        entry->left = (int)round(at);
        at += width + 1.4 * em;
    }
}

/* Increases the height of the page. */
static enum status extend(struct figure *figure, int more, struct error *error)
{
    struct image page, *old = &figure->image;
    enum status status =
        image_init(&page, old->width, (int64_t)old->height + more, error);
    if (status)
        return status;
    image_fill(&page, 0, old->height, page.width, more, white);
    memcpy(page.rgb, old->rgb, 3 * (size_t)old->width * (size_t)old->height);
    image_release(old);
    *old = page;
    page_release(figure->over);
    return page_over(&page, figure->font, &figure->over, error);
}

static void draw_entry(struct key *key, int kind)
{
    const struct entry *entry = &key->entries[kind];
    double em = key->figure->em;
    int side = (int)round(.9 * em), left = key->left + entry->left;
    int top = key->top + (int)round(1.5 * em * entry->line);
    const struct frame swatch = { left, top, side, side };
    if (kind == FRONT) {
        int line = figure_line(key->figure);
        image_fill(&key->figure->image, left, top + (side - line) / 2, side,
                   line, ink);
    } else {
        paint_kind(key, kind, left, top, side, side);
        figure_outline(key->figure, &swatch);
    }
    figure_text(key->figure, entry->words, key->size,
                (double[]){ left + 1.6 * em, top + side / 2. }, 0, false);
}

static enum status add_key(struct figure *figure, const struct study_map *map,
                           struct error *error)
{
    struct key key = { .figure = figure,
                       .map = map,
                       .left = (int)round(figure->em),
                       .top = figure->image.height,
                       .there[FRONT] = map->times != NULL,
                       .size = .9 * figure->em };
    memcpy(key.wall, map->colours ? ink : figure->picture->ramp.wall,
           sizeof key.wall);
    if (map->oblique)
        paint_layers(&key);
    else
        paint_cells(&key);
    lay_out(&key);
    enum status status =
        extend(figure, (int)ceil((1.5 * key.lines + .2) * figure->em), error);
    for (int kind = 1; kind < KINDS && !status; kind++)
        if (key.there[kind])
            draw_entry(&key, kind);
    return status;
}

/* ---- the map ---- */

/* The pixels of a centimetre, and of a letter's height of 7.5 points. */
static const double centimetre = 300 / 2.54, em = 31;

/* The field of a map's values. */
struct value_field {
    struct field field; /* first: a view has a pointer to this member */
    const double *values;
};

/* The values in the visible plane. */
static enum status read_values(struct view *view, int64_t row,
                               struct error *error)
{
    const struct value_field *of = (const struct value_field *)view->field;
    (void)row;
    (void)error;
    for (int y = 0; y < view->cut.ny; y++)
        for (int x = 0; x < view->cut.nx; x++)
            view->values[y * view->cut.nx + x] =
                of->values[cell_at(view, x, y)];
    return STATUS_OK;
}

/* State while a map is drawn. */
struct drawing {
    struct view *view;
    struct value_field of;
    struct picture picture;
    struct figure figure;
};

/* The values in the layer, in the recorded region. */
static enum status take_values(struct drawing *drawing,
                               const struct study_map *map, struct error *error)
{
    const struct view_place flat = { -1, 0, false };
    const bool deep = recording_grid(map->recording)->dims == GRID_AXES;
    enum status status = view_open(
        map->recording, map->values || map->colours ? "walls" : "amplitude",
        map->wave, deep ? &map->place : &flat, &drawing->view, error);
    if (status || !map->values)
        return status;
    struct view *view = drawing->view;
    drawing->of = (struct value_field){
        .field = { .name = map->name,
                   .unit = "degrees",
                   .map = "viridis",
                   .range = RANGE_FIXED,
                   .high = 180,
                   .of_wave = true,
                   .read = read_values },
        .values = map->values,
    };
    view->field = &drawing->of.field;
    view->wave = map->wave;
    return STATUS_OK;
}

/* The pixels of a cell, such that the page with all its parts has this
 * width. */
static int cell_pixels(const struct view *view, bool oblique, double width)
{
    bool lies = view->cut.nx > 1.7 * view->cut.ny; /* the bar below */
    double room = width * centimetre - (lies ? 6 : 9.5) * em;
    double cells =
        oblique ? oblique_cells(view->cut.nx, view->cut.ny) : view->cut.nx;
    return (int)fmax(1, floor(room / cells));
}

/* The palest two thirds of the colours, so that lines are visible on them. */
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
static void draw_front(struct figure *figure, const double *times, double time,
                       const struct view *view)
{
    static const uint8_t black[3] = { 0, 0, 0 };
    struct contour contour = { 0 };
    double cell = figure->picture->options.cell;
    contour_add(&contour, times, view->cut.nx, view->cut.ny, time);
    for (size_t i = 0; i < contour.count; i++) {
        const struct contour_piece *piece = &contour.pieces[i];
        const double from[2] = {
            figure->panel.left + (piece->from[0] + .5) * cell,
            figure->panel.top + (piece->from[1] + .5) * cell,
        };
        const double to[2] = {
            figure->panel.left + (piece->to[0] + .5) * cell,
            figure->panel.top + (piece->to[1] + .5) * cell,
        };
        page_line(figure->over, from, to, em / 14);
    }
    page_lay(figure->over, black);
    contour_release(&contour);
}

static void draw_fronts(struct drawing *drawing, const struct study_map *map)
{
    const struct view *view = drawing->view;
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    double *times = need_memory(cells, sizeof *times), last = 0;
    for (int y = 0; y < view->cut.ny; y++)
        for (int x = 0; x < view->cut.nx; x++) {
            double time = map->times[cell_at(view, x, y)];
            times[y * view->cut.nx + x] = isfinite(time) ? time : (double)NAN;
            last = isfinite(time) ? fmax(last, time) : last;
        }
    for (double time = map->apart; time <= last; time += map->apart)
        draw_front(&drawing->figure, times, time, view);
    memory_release(times);
}

static bool is_amplitude(const struct study_map *map)
{
    return !map->values && !map->colours;
}

static enum status paint(struct drawing *drawing, const struct study_map *map,
                         const char *title, double width, const char *software,
                         struct error *error)
{
    struct picture_options options = { .overlays = OVERLAY_WALLS, .em = em };
    const struct figure_options round = { .bar = !map->colours,
                                          .axes = !map->oblique,
                                          .title = title,
                                          .columns = 1,
                                          .rows = 1 };
    int64_t row = 0;
    enum status status =
        !is_amplitude(map)
            ? STATUS_OK
            : recording_row_of(map->recording, map->step, &row, error);
    if (!status && is_amplitude(map))
        status = choose_range(drawing->view, row, &options, error);
    options.cell = cell_pixels(drawing->view, map->oblique, width);
    options.oblique = map->oblique;
    if (!status)
        status = picture_init(&drawing->picture, drawing->view, &options, &row,
                              1, software, error);
    if (!status)
        status =
            figure_init(&drawing->figure, &drawing->picture, &round, error);
    if (!status)
        status = figure_paint(&drawing->figure, &row, 1, error);
    if (!status && map->times)
        draw_fronts(drawing, map);
    if (!status && (map->kind || map->times))
        status = add_key(&drawing->figure, map, error);
    return status;
}

/* Doubles each %, so that the figure prints `text` unchanged. */
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
                            struct output *output, struct error *error)
{
    struct drawing drawing = { 0 };
    char plain[1024];
    as_it_is(title, plain, sizeof plain);
    enum status status = take_values(&drawing, map, error);
    if (!status)
        status = paint(&drawing, map, plain, width, software, error);
    if (!status)
        status = image_print_png(
            figure_page(&drawing.figure), 0, drawing.picture.notes,
            drawing.picture.note_count, output->file, error);
    figure_release(&drawing.figure);
    picture_release(&drawing.picture);
    view_release(drawing.view);
    return status;
}
