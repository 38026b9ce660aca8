/* SPDX-License-Identifier: MIT */
/* The frames of the recordings' views: their steps, their number, the size of
 * their pixels, and each frame as PNG in Base64. */
#include "tools/report/html.h"
#include "tools/report/report.h"

#include "base/memory.h"
#include "base/need.h"
#include "cli/interrupt.h"
#include "draw/colormap/quantile.h"
#include "recording/read/tables.h"
#include "words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COARSE = 2,   /* number of a map's colours that are merged into one */
    QUOTES = 12,  /* bytes of the page round a frame */
    WIDEST = 512, /* pixels a side, */
    STILL = 160,  /* of the one picture of a run that the page computes */
    BAR = 64,     /* of its colours, between which browsers interpolate */
};

/* A page has errors and causes of headings in maps of so many cells, if the run
 * that they require has so many cells times waves times steps. */
static const double most_front = 40000, most_again = 1e8;

/* ---- a plane of cells, with several cells a pixel ---- */

/* Cells, or pixels of `block` cells a side: (ny, nx). */
struct pixels {
    int nx, ny, block;
    double *values; /* NaN: none */
    uint8_t *wall;
};

/* Memory for the cut's cells. Release with pixels_release, after a failure
 * too. */
static void pixels_init(struct pixels *pixels, const struct cut *cut, int block)
{
    *pixels =
        (struct pixels){ (cut->nx + block - 1) / block,
                         (cut->ny + block - 1) / block, block, NULL, NULL };
    size_t count = (size_t)pixels->nx * (size_t)pixels->ny;
    pixels->values = need_memory(count, sizeof *pixels->values);
    pixels->wall = need_memory(count, 1);
}

static void pixels_release(struct pixels *pixels)
{
    memory_release(pixels->values);
    memory_release(pixels->wall);
    *pixels = (struct pixels){ 0 };
}

/* On one axis: the range of pixels of `from` that pixel `at` of larger ones
 * touches; *first is its begin, the result its end (exclusive). */
static int touched(int at, int block, int from_block, int from_count,
                   int *first)
{
    int end = ((at + 1) * block + from_block - 1) / from_block;
    *first = at * block / from_block;
    return end < from_count ? end : from_count;
}

static void take(const struct pixels *from, bool least, int px, int py,
                 struct pixels *to)
{
    int left, top;
    int right = touched(px, to->block, from->block, from->nx, &left);
    int bottom = touched(py, to->block, from->block, from->ny, &top);
    size_t at = (size_t)py * (size_t)to->nx + (size_t)px;
    double value = (double)NAN;
    to->wall[at] = 1;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            size_t i = (size_t)y * (size_t)from->nx + (size_t)x;
            if (from->wall[i])
                continue;
            to->wall[at] = 0;
            double v = from->values[i];
            if (isnan(value) || (least ? v < value : fabs(v) > fabs(value)))
                value = v;
        }
    to->values[at] = value;
}

/* Larger pixels from smaller ones. The value of a pixel is that of the free
 * cell farthest from 0, or with `least` the smallest value; a pixel with only
 * walls is a wall. If the blocks do not divide evenly, a pixel on a border
 * counts for both sides. */
static void pixels_coarsen(const struct pixels *from, bool least,
                           struct pixels *to)
{
    for (int y = 0; y < to->ny; y++)
        for (int x = 0; x < to->nx; x++)
            take(from, least, x, y, to);
}

/* ---- a frame ---- */

/* State while the frames of one view are made. */
struct maker {
    struct view *view;
    struct levels *levels;
    struct report_view *to;
    struct pixels pixels; /* of the row that was read */
    struct sheet sheet;
    uint8_t *bytes; /* of a PNG */
    size_t used, room;
};

static bool keep_bytes(void *context, const void *bytes, size_t count)
{
    struct maker *maker = context;
    if (count > maker->room - maker->used) {
        size_t room = 2 * maker->room + count + 4096;
        maker->bytes = need_grow(maker->bytes, maker->used, room, 1);
        maker->room = room;
    }
    memcpy(maker->bytes + maker->used, bytes, count);
    maker->used += count;
    return true;
}

static enum status encode(struct maker *maker, const struct sheet *sheet,
                          char **text, struct error *error)
{
    struct png_sink sink = { keep_bytes, maker };
    maker->used = 0;
    enum status status = sheet_encode_png(sheet, &sink, error);
    if (!status)
        *text = html_base64(maker->bytes, maker->used);
    return status;
}

static enum status make_frame(struct maker *maker, int64_t row, char **text,
                              struct error *error)
{
    const struct view *view = maker->view;
    struct pixels *pixels = &maker->pixels;
    enum status status = interrupt_check(error);
    if (!status)
        status = view_read(maker->view, row, error);
    if (status)
        return status;
    const struct pixels cells = { view->cut.nx, view->cut.ny, 1, view->values,
                                  view->wall };
    pixels_coarsen(&cells, !maker->to->by_row, pixels);
    const struct plane plane = { pixels->nx, pixels->ny, pixels->values,
                                 pixels->wall };
    if (!heatmap_paint_sheet(&plane, maker->levels, &maker->to->ramp,
                             &maker->sheet))
        return error_set(error, STATUS_FAILED, "a frame has too many colours");
    return encode(maker, &maker->sheet, text, error);
}

/* ---- a view ---- */

static void maker_release(struct maker *maker)
{
    view_release(maker->view);
    memory_release(maker->levels);
    pixels_release(&maker->pixels);
    memory_release(maker->bytes);
    sheet_release(&maker->sheet);
    *maker = (struct maker){ 0 };
}

/* The colours of a view, with similar ones merged: so frames have room for
 * walls and cells without a value, and are smaller. */
static enum status make_ramp(struct report_view *to,
                             const struct report_options *options,
                             struct error *error)
{
    bool own = options->map && to->field->range == RANGE_SYMMETRIC;
    const struct field_kinds *kinds = to->field->kinds;
    enum status status = ramp_load(own     ? options->map
                                   : kinds ? "viridis"
                                           : to->field->map,
                                   &to->ramp, error);
    for (int i = 0; i < COLORMAP_SIZE && kinds; i++)
        memcpy(to->ramp.colors[i],
               kinds->colors[i * kinds->count / COLORMAP_SIZE], 3);
    const struct ramp fine = to->ramp;
    static const uint8_t gray[3] = { 64, 64, 64 };
    if (report_view_is_map(to)) /* on white: all colours remain free */
        memcpy(to->ramp.wall, gray, 3);
    for (int i = 0; i < COLORMAP_SIZE && !status && !kinds; i++) {
        /* Towards the ends, so that both halves of the map remain alike. */
        int end = i < COLORMAP_SIZE / 2 ? 0 : COARSE - 1;
        memcpy(to->ramp.colors[i], fine.colors[i - i % COARSE + end], 3);
    }
    return status;
}

static enum status maker_open(struct maker *maker, const struct report_run *run,
                              const struct report_options *options,
                              struct report_view *to, struct error *error)
{
    *maker = (struct maker){ .to = to };
    enum status status = view_open(run->recording, to->field->name, to->wave,
                                   &to->place, &maker->view, error);
    if (status)
        return status;
    pixels_init(&maker->pixels, &maker->view->cut, run->block);
    maker->levels = need_memory(1, sizeof *maker->levels);
    if (!status)
        sheet_init(&maker->sheet, maker->pixels.nx, maker->pixels.ny, 1);
    return status ? status : make_ramp(to, options, error);
}

/* The scale over the extremes of the visible values. */
static enum status set_scale(struct maker *maker,
                             const struct extremes *extremes, bool linear,
                             struct error *error)
{
    struct report_view *to = maker->to;
    const struct field *field = to->field;
    to->scale = scale_over(extremes, field->range == RANGE_SYMMETRIC);
    if (field->range == RANGE_DATA && to->by_row) /* a magnitude */
        to->scale.low = 0;
    if (field->decades && !linear)
        to->scale.linear_width =
            1e-4 * fmax(fabs(to->scale.low), fabs(to->scale.high));
    enum status status = scale_check(&to->scale, error);
    if (!status)
        levels_make(&to->scale, maker->levels);
    return status;
}

/* The extremes of the view's values in these rows. */
static enum status measure(const struct report_run *run,
                           const struct report_options *options,
                           struct report_view *to, const int64_t *rows,
                           size_t count, struct error *error)
{
    struct maker maker;
    const struct field *field = to->field;
    bool fixed = field->range == RANGE_FIXED;
    to->extremes = (struct extremes){ fixed, field->low, field->high };
    struct quantile *sizes = need_memory(1, sizeof *sizes);
    enum status status = maker_open(&maker, run, options, to, error);
    for (size_t i = 0; i < count && !status && !fixed; i++) {
        status = interrupt_check(error);
        if (!status)
            status = view_read(maker.view, rows[i], error);
        if (status)
            break;
        const struct view *view = maker.view;
        const size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
        extremes_add(&to->extremes, view->values, view->wall, cells);
        quantile_add(sizes, view->values, view->wall, cells);
    }
    const double bound = quantile_find(sizes, .98);
    if (field->decades && !options->linear && bound > 0)
        to->typical = quantile_round(bound);
    memory_release(sizes);
    maker_release(&maker);
    return status;
}

static void describe_means(struct maker *maker, const struct report_run *run)
{
    struct report_view *to = maker->to;
    char text[256];
    if (report_view_is_map(to)) {
        snprintf(to->means, sizeof to->means, "%s", _("the map"));
        return;
    }
    if (run->checked_count) /* the script adds the place and the scale */
        field_describe(to->field, run->recording, to->wave, true, text,
                       sizeof text);
    else
        view_describe(maker->view, true, text, sizeof text);
    int used = snprintf(to->means, sizeof to->means, "%s", text);
    if (to->field->unit[0])
        used += snprintf(to->means + used, sizeof to->means - (size_t)used,
                         ", %s", _(to->field->unit));
    if (to->scale.linear_width > 0 && !run->checked_count)
        snprintf(to->means + used, sizeof to->means - (size_t)used,
                 "; logarithm, linear within %.3g of 0",
                 to->scale.linear_width);
}

/* The colour map as a row of pixels. */
static enum status make_bar(struct maker *maker, struct error *error)
{
    double values[BAR];
    struct sheet sheet;
    struct plane plane = { BAR, 1, values, NULL };
    for (int i = 0; i < BAR; i++)
        values[i] = scale_value(&maker->to->scale, (i + .5) / BAR);
    sheet_init(&sheet, BAR, 1, 1);
    enum status status = STATUS_OK;
    if (!heatmap_paint_sheet(&plane, maker->levels, &maker->to->ramp, &sheet))
        status = error_set(error, STATUS_FAILED, "too many colours");
    if (!status)
        status = encode(maker, &sheet, &maker->to->bar, error);
    sheet_release(&sheet);
    return status;
}

static void frames_drop(struct report_view *view)
{
    for (size_t i = 0; i < view->count; i++)
        memory_release(view->frames[i]);
    memory_release(view->frames);
    memory_release(view->bar);
    view->frames = NULL;
    view->bar = NULL;
    view->count = 0;
}

/* Makes the view's frames of these rows by its extremes, with pixels of
 * run->block cells. */
static enum status frames_make(struct report_run *run,
                               const struct report_options *options,
                               struct report_view *to, const int64_t *rows,
                               size_t count, struct error *error)
{
    struct maker maker;
    enum status status = maker_open(&maker, run, options, to, error);
    if (!status)
        status = set_scale(&maker, &to->extremes, options->linear, error);
    to->frames = need_memory(count + 1, sizeof *to->frames);
    for (; to->count < count && !status; to->count++)
        status =
            make_frame(&maker, rows[to->count], &to->frames[to->count], error);
    if (!status)
        describe_means(&maker, run);
    if (!status && to == &run->views[run->opening] && !report_view_is_map(to))
        status = make_bar(&maker, error);
    maker_release(&maker);
    return status;
}

/* ---- the choice of frames ---- */

/* The i-th of `count` integers that are spread evenly over 0 … last, including
 * both; only last if count is 1. */
static size_t spread(size_t i, size_t count, size_t last)
{
    return count > 1 ? (i * last + (count - 1) / 2) / (count - 1) : last;
}

/* Evenly spaced rows, and the size of pixels. */
static void choose_frames(struct report_run *run,
                          const struct report_options *options)
{
    const int side = run->nx > run->ny ? run->nx : run->ny;
    const size_t most =
        run->checked_count ? REPORT_MEASURED : (size_t)options->frames;
    const int widest = run->checked_count ? STILL : WIDEST;
    run->block = (side + widest - 1) / widest;
    run->frame_count = run->places < most ? run->places : most;
    run->frames = need_memory(run->frame_count, sizeof *run->frames);
    for (size_t i = 0; i < run->frame_count; i++)
        run->frames[i] = spread(i, run->frame_count, run->places - 1);
}

/* The bytes of `count` of the run's frames, with the still picture. */
static uint64_t bytes_of(const struct report_run *run, size_t count)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < run->view_count; i++) {
        const struct report_view *view = &run->views[i];
        bytes += i == run->opening ? strlen(view->frames[view->count - 1]) : 0;
        for (size_t k = 0; k < (view->by_row ? count : 1); k++)
            bytes += strlen(view->frames[spread(k, view->by_row ? count : 1,
                                                view->count - 1)]) +
                     QUOTES;
    }
    return bytes;
}

/* If there is no room for all frames, keeps fewer, evenly spaced. */
static void fit(struct report_run *run, uint64_t room)
{
    const size_t all = run->frame_count;
    size_t count = all;
    while (count > 2 && bytes_of(run, count) > room)
        count--;
    for (size_t k = 0; k < run->view_count; k++) {
        struct report_view *view = &run->views[k];
        size_t next = 0;
        for (size_t i = 0; i < all && view->by_row; i++)
            if (next < count && spread(next, count, all - 1) == i)
                view->frames[next++] = view->frames[i];
            else
                memory_release(view->frames[i]);
        view->count = view->by_row ? count : view->count;
    }
    for (size_t i = 0; i < count; i++)
        run->frames[i] = run->frames[spread(i, count, all - 1)];
    run->frame_count = count;
}

/* ---- common scales of recordings ---- */

/* The view of the same name and wave in another run, or NULL. */
static struct report_view *find_alike(struct report_run *run,
                                      const struct report_view *view)
{
    for (size_t k = 0; k < run->view_count; k++)
        if (run->views[k].wave == view->wave &&
            strcmp(run->views[k].name, view->name) == 0)
            return &run->views[k];
    return NULL;
}

/* One range for views whose maxima differ by less than a factor of
 * REPORT_ALIKE: otherwise some would show a single colour. */
static void share_scale(struct report_run *runs, size_t count,
                        const struct report_view *view)
{
    struct extremes all = { .any = false };
    double least = INFINITY, greatest = 0, typical = 0;
    for (size_t i = 0; i < count; i++) {
        const struct report_view *alike = find_alike(&runs[i], view);
        if (!alike || !alike->extremes.any)
            continue;
        const double ends[] = { alike->extremes.low, alike->extremes.high };
        const double reach = fmax(fabs(ends[0]), fabs(ends[1]));
        extremes_add(&all, ends, NULL, 2);
        least = fmin(least, reach);
        greatest = fmax(greatest, reach);
        typical = fmax(typical, alike->typical);
    }
    for (size_t i = 0; i < count && greatest <= REPORT_ALIKE * least; i++) {
        struct report_view *alike = find_alike(&runs[i], view);
        if (!alike)
            continue;
        alike->extremes = all;
        alike->typical = typical;
        alike->shared = true;
    }
}

/* ---- all views of all recordings ---- */

/* The rows that a view shows: one for each frame, or only the last one. Returns
 * their number. */
static size_t rows_of(const struct report_run *run,
                      const struct report_view *view, int64_t **rows_at)
{
    size_t last = run->frame_count - 1;
    int64_t *rows = *rows_at = need_memory(last + 1, sizeof *rows);
    for (size_t i = 0; i <= last; i++)
        rows[i] = run->place_rows[run->frames[view->by_row ? i : last]];
    return view->by_row ? last + 1 : 1;
}

/* Measures all views. First arrivals, which not every recording has, are
 * omitted if they are missing. */
static enum status measure_views(struct report_run *run,
                                 const struct report_options *options,
                                 struct error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->view_count; i++) {
        struct report_view *view = &run->views[i];
        int64_t *rows;
        size_t count = rows_of(run, view, &rows);
        /* Not the first row, which has hardly more than the source. */
        const size_t from = run->checked_count && count > 1;
        enum status status =
            measure(run, options, view, rows + from, count - from, error);
        memory_release(rows);
        if (status && (view->by_row || status != STATUS_INPUT))
            return status;
        if (!status)
            run->views[kept++] = *view;
        else if (!report_view_is_front(view))
            snprintf(run->missing, sizeof run->missing, "%.500s",
                     error->message);
    }
    run->view_count = kept;
    return STATUS_OK;
}

/* The step at which the wave was last emitted, or −1. */
static int64_t last_sent(int wave, const struct emission_row *emissions,
                         size_t count)
{
    int64_t sent = -1;
    for (size_t i = 0; i < count; i++)
        if (emissions[i].wave == wave && emissions[i].step > sent)
            sent = emissions[i].step;
    return sent;
}

/* The view shown first: the first one. If that is a picture of the last step,
 * and its wave was emitted shortly before it, it shows little but a dot; then
 * it is the first arrivals of this wave. */
static enum status choose_opening(struct report_run *run, struct error *error)
{
    struct emission_row *emissions;
    size_t count;
    const struct report_view *first = &run->views[0];
    if (report_view_is_map(first) || run->checked_count)
        return STATUS_OK;
    enum status status =
        emissions_read(run->recording, &emissions, &count, error);
    if (status)
        return status;
    int64_t last = report_last(run);
    int64_t sent = last_sent(first->wave, emissions, count);
    bool is_dot = sent >= 0 && 8 * (last - sent) < last;
    for (size_t i = run->view_count; i-- > 0 && is_dot;)
        if (run->views[i].wave == first->wave && !run->views[i].by_row)
            run->opening = i;
    memory_release(emissions);
    return STATUS_OK;
}

static enum status make_views(struct report_run *run,
                              const struct report_options *options,
                              struct error *error)
{
    enum status status = STATUS_OK;
    if (run->checked_count) {
        run->frames[0] = run->frames[run->frame_count - 1];
        run->frame_count = 1;
    }
    for (size_t i = 0; i < run->view_count && !status; i++) {
        struct report_view *view = &run->views[i];
        int64_t *rows;
        size_t count = rows_of(run, view, &rows);
        if (run->checked_count && i != run->opening)
            count = 0;
        status = frames_make(run, options, view, rows, count, error);
        memory_release(rows);
    }
    return status;
}

bool report_is_chosen(const struct report_options *options, int wave)
{
    for (size_t i = 0; i < options->wave_count; i++)
        if (options->waves[i] == wave)
            return true;
    return !options->wave_count;
}

/* One view, or one for each layer. */
static void add_views(struct report_run *run, const struct report_view *like,
                      const char *name)
{
    const struct layers *layers = &run->layers;
    int count = layers->count > 1 && !run->flattened ? layers->count : 1;
    const size_t most = run->checked_count ? REPORT_LIVE : REPORT_VIEWS;
    for (int i = 0; i < count && run->view_count < most; i++) {
        struct report_view *view = &run->views[run->view_count++];
        *view = *like;
        view->place = run->place;
        view->layer = layers->count && !run->flattened ? i : -1;
        snprintf(view->name, sizeof view->name, "%s", name);
        if (count == 1)
            continue;
        view->place.at = layers->at[i];
        snprintf(view->name, sizeof view->name, "%s, z = %d", name,
                 layers->at[i]);
    }
}

static void choose_views(struct report_run *run,
                         const struct report_options *options)
{
    static const struct {
        const char *field, *name;
        bool by_row;
    } looks[] = { { "amplitude", "Wave", true },
                  { "gradient", "Gradient", true },
                  { "arrival", "Arrival", false } };
    enum { LOOKS = sizeof looks / sizeof *looks };
    for (int wave = 0; wave < view_waves(run->recording); wave++)
        for (size_t k = 0; k < LOOKS; k++) {
            const struct report_view view = { .field =
                                                  field_find(looks[k].field),
                                              .wave = wave,
                                              .by_row = looks[k].by_row };
            if (!report_is_chosen(options, wave))
                continue;
            if (run->proof != run->recording ||
                view.field->there(run->recording, wave) ||
                (options->wave_count && recording_has_whole(run->recording)))
                add_views(run, &view, looks[k].name);
            else if (!view.by_row && run->view_count)
                snprintf(run->missing, sizeof run->missing,
                         "they were not recorded; --wave computes them");
        }
    const struct report_view map = {
        .field = field_find("walls"),
        .by_row = recording_version_at(run->recording, report_last(run)) !=
                  recording_version_at(run->recording, report_step(run, 0))
    };
    const double cells = (double)grid_cells(recording_grid(run->recording));
    const double work =
        cells * (double)run->checked_count * (double)report_last(run);
    static const char *const fronts[][2] = { { "error", "Error" },
                                             { "cause", "Cause" },
                                             { "heading", "Heading" } };
    for (size_t k = 0; k < sizeof fronts / sizeof *fronts && run->checked_count;
         k++) {
        const struct report_view view = { .field = field_find(fronts[k][0]),
                                          .wave = run->checked[0] };
        if (cells > most_front || work > most_again ||
            !recording_has_whole(run->recording))
            break;
        /* Not through all layers, which kinds and angles cannot be. */
        const bool most = run->place.most;
        run->place.most = false;
        add_views(run, &view, fronts[k][1]);
        run->place.most = most;
    }
    if (!run->view_count)
        add_views(run, &map, "Map");
}

bool report_view_is_front(const struct report_view *view)
{
    return strcmp(view->field->name, "error") == 0 ||
           strcmp(view->field->name, "cause") == 0 ||
           strcmp(view->field->name, "heading") == 0;
}

bool report_view_is_map(const struct report_view *view)
{
    return strcmp(view->field->name, "walls") == 0;
}

enum status report_frames_make(struct report_run *runs, size_t count,
                               const struct report_options *options,
                               struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        choose_views(&runs[i], options);
        choose_frames(&runs[i], options);
        status = measure_views(&runs[i], options, error);
        if (!status)
            status = choose_opening(&runs[i], error);
    }
    for (size_t i = 0; i < count && !status; i++)
        for (size_t k = 0; k < runs[i].view_count; k++)
            if (!runs[i].views[k].shared)
                share_scale(runs, count, &runs[i].views[k]);
    for (size_t i = 0; i < count && !status; i++) {
        status = make_views(&runs[i], options, error);
        if (!status && !runs[i].checked_count)
            fit(&runs[i], options->bytes);
    }
    return status;
}

void report_frames_release(struct report_run *run)
{
    for (size_t i = 0; i < run->view_count; i++)
        frames_drop(&run->views[i]);
    memory_release(run->frames);
    run->frames = NULL;
}
