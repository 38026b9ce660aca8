/* SPDX-License-Identifier: MIT */
/* One view: its scale, and its frames as PNG in Base64. */
#include "report_view.h"

#include "base/memory.h"
#include "html.h"
#include "interrupt.h"
#include "report_pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COARSE = 2, /* colours of a map that become one */
    QUOTES = 12 /* bytes of the page round a frame */
};

/* One view while its frames are made. */
struct maker {
    struct view *view;
    struct levels *levels;
    struct report_view *to;
    struct pixels pixels; /* of the row that was read */
    struct sheet sheet;
    uint8_t *bytes; /* of a PNG */
    size_t used, room;
};

/* ---- a frame ---- */

static bool keep_bytes(void *context, const void *bytes, size_t count)
{
    struct maker *maker = context;
    if (count > maker->room - maker->used) {
        size_t room = 2 * maker->room + count + 4096;
        void *grown = memory_grow(maker->bytes, maker->used, room, 1);
        if (!grown)
            return false;
        maker->bytes = grown;
        maker->room = room;
    }
    memcpy(maker->bytes + maker->used, bytes, count);
    maker->used += count;
    return true;
}

/* The PNG of the sheet into maker->bytes, maker->used of them. */
static enum status compress(struct maker *maker, const struct sheet *sheet,
                            struct error *error)
{
    struct png_sink sink = { keep_bytes, maker };
    maker->used = 0;
    return sheet_encode_png(sheet, &sink, error);
}

static enum status encode(struct maker *maker, const struct sheet *sheet,
                          char **text, struct error *error)
{
    enum status status = compress(maker, sheet, error);
    if (!status && !(*text = html_base64(maker->bytes, maker->used)))
        status = error_memory(error);
    return status;
}

static enum status paint(const struct maker *maker, const struct pixels *pixels,
                         struct sheet *sheet, struct error *error)
{
    struct plane plane = { pixels->nx, pixels->ny, pixels->values,
                           pixels->wall };
    if (!sheet_paint(&plane, maker->levels, &maker->to->ramp, sheet))
        return error_set(error, STATUS_FAILED, "a frame has too many colours");
    return STATUS_OK;
}

/* Reads a row, as pixels. */
static enum status read_pixels(struct maker *maker, int64_t row,
                               struct pixels *pixels, struct error *error)
{
    const struct view *view = maker->view;
    enum status status = interrupt_check(error);
    if (!status)
        status = view_read(maker->view, row, error);
    struct pixels cells = { view->cut.nx, view->cut.ny, 1, view->values,
                            view->wall };
    if (!status)
        pixels_coarsen(&cells, !maker->to->by_row, pixels);
    return status;
}

static enum status make_frame(struct maker *maker, int64_t row, char **text,
                              struct error *error)
{
    enum status status = read_pixels(maker, row, &maker->pixels, error);
    if (!status)
        status = paint(maker, &maker->pixels, &maker->sheet, error);
    return status ? status : encode(maker, &maker->sheet, text, error);
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

/* The colours of a view, some alike made one: frames have room for walls and
 * cells without a value, and are smaller. */
static enum status make_ramp(struct report_view *to,
                             const struct report_options *options,
                             struct error *error)
{
    bool own = options->map && to->field->range == RANGE_SYMMETRIC;
    enum status status =
        ramp_load(own ? options->map : to->field->map, &to->ramp, error);
    const struct ramp fine = to->ramp;
    static const uint8_t gray[3] = { 64, 64, 64 };
    if (report_view_is_map(to)) /* on white: no colours are taken */
        memcpy(to->ramp.wall, gray, 3);
    for (int i = 0; i < COLORMAP_SIZE && !status; i++) {
        /* Towards the ends, so that both halves of the map stay alike. */
        int end = i < COLORMAP_SIZE / 2 ? 0 : COARSE - 1;
        memcpy(to->ramp.colors[i], fine.colors[i - i % COARSE + end], 3);
    }
    return status;
}

static enum status maker_open(struct maker *maker, struct report_run *run,
                              const struct report_options *options,
                              struct report_view *to, struct error *error)
{
    *maker = (struct maker){ .to = to };
    enum status status = view_open(run->recording, to->field->name, to->wave,
                                   &options->place, &maker->view, error);
    if (status)
        return status;
    status = pixels_init(&maker->pixels, &maker->view->cut, run->block, error);
    maker->levels = memory_new(1, sizeof *maker->levels);
    if (!status && !maker->levels)
        status = error_memory(error);
    if (!status)
        status = sheet_init(&maker->sheet, maker->pixels.nx, maker->pixels.ny,
                            1, error);
    return status ? status : make_ramp(to, options, error);
}

/* The scale over the extremes of what is shown. */
static enum status set_scale(struct maker *maker,
                             const struct extremes *extremes, bool linear,
                             struct error *error)
{
    struct report_view *to = maker->to;
    const struct field *field = to->field;
    to->scale = scale_over(extremes, field->range == RANGE_SYMMETRIC);
    if (field->range == RANGE_DATA && to->by_row) /* a size */
        to->scale.low = 0;
    if (field->decades && !linear)
        to->scale.linear_width =
            1e-4 * fmax(fabs(to->scale.low), fabs(to->scale.high));
    enum status status = scale_check(&to->scale, error);
    if (!status)
        levels_make(&to->scale, maker->levels);
    return status;
}

static enum status make_scale(struct maker *maker, const int64_t *rows,
                              size_t count,
                              const struct report_options *options,
                              struct error *error)
{
    const struct field *field = maker->to->field;
    const struct view *view = maker->view;
    struct extremes extremes = { true, field->low, field->high };
    enum status status = STATUS_OK;
    if (field->range != RANGE_FIXED)
        extremes.any = false;
    for (size_t i = 0; i < count && !status && field->range != RANGE_FIXED;
         i++) {
        status = interrupt_check(error);
        if (!status)
            status = view_read(maker->view, rows[i], error);
        if (!status)
            extremes_add(&extremes, view->values, view->wall,
                         (size_t)view->cut.nx * (size_t)view->cut.ny);
    }
    return status ? status
                  : set_scale(maker, &extremes, options->linear, error);
}

static void tell_means(struct maker *maker)
{
    struct report_view *to = maker->to;
    char text[256];
    if (report_view_is_map(to)) {
        snprintf(to->means, sizeof to->means, "the map");
        return;
    }
    view_describe(maker->view, text, sizeof text);
    int used = snprintf(to->means, sizeof to->means, "%s", text);
    if (to->field->unit[0])
        used += snprintf(to->means + used, sizeof to->means - (size_t)used,
                         ", %s", to->field->unit);
    if (to->scale.linear_width > 0)
        snprintf(to->means + used, sizeof to->means - (size_t)used,
                 "; logarithm, linear within %.3g of 0",
                 to->scale.linear_width);
}

/* The map as a row of pixels. */
static enum status make_bar(struct maker *maker, struct error *error)
{
    double values[COLORMAP_SIZE];
    struct sheet sheet;
    struct plane plane = { COLORMAP_SIZE, 1, values, NULL };
    for (int i = 0; i < COLORMAP_SIZE; i++)
        values[i] = scale_value(&maker->to->scale, (i + .5) / COLORMAP_SIZE);
    enum status status = sheet_init(&sheet, COLORMAP_SIZE, 1, 1, error);
    if (!status &&
        !sheet_paint(&plane, maker->levels, &maker->to->ramp, &sheet))
        status = error_set(error, STATUS_FAILED, "too many colours");
    if (!status)
        status = encode(maker, &sheet, &maker->to->bar, error);
    sheet_release(&sheet);
    return status;
}

bool report_view_is_map(const struct report_view *view)
{
    return strcmp(view->field->name, "walls") == 0;
}

void report_view_drop(struct report_view *view)
{
    for (size_t i = 0; i < view->count; i++)
        memory_release(view->frames[i]);
    memory_release(view->frames);
    memory_release(view->bar);
    view->frames = NULL;
    view->bar = NULL;
    view->count = 0;
}

/* Counts the region's free cells and when they were reached. */
static enum status count_reached(struct maker *maker, struct report_run *run,
                                 struct error *error)
{
    struct view *view = maker->view;
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d_arrival", view->wave);
    enum status status = STATUS_OK;
    if (recording_find(run->recording, name))
        status = view_read_block(view, "_arrival", 0, error);
    if (status)
        return status;
    struct report_reach *reach = &run->reach[run->reach_count++];
    *reach = (struct report_reach){ .wave = view->wave };
    double last = (double)report_last(run);
    for (size_t i = 0, n = grid_cells(&view->cut.block); i < n; i++) {
        if (view->walls[i])
            continue;
        reach->cells++;
        if (!(view->block[i] >= 0 && view->block[i] <= last))
            continue;
        reach->reached++;
        double bin = ceil(view->block[i] / fmax(last, 1) * REPORT_BINS);
        reach->by_bin[(int)bin]++;
    }
    for (int i = 1; i <= REPORT_BINS; i++)
        reach->by_bin[i] += reach->by_bin[i - 1];
    return STATUS_OK;
}

enum status report_view_make(struct report_run *run,
                             const struct report_options *options,
                             struct report_view *to, const int64_t *rows,
                             size_t count, struct error *error)
{
    struct maker maker;
    size_t frames = to->by_row ? count : 1;
    report_view_drop(to);
    enum status status = maker_open(&maker, run, options, to, error);
    if (!status)
        status = make_scale(&maker, to->by_row ? rows : rows + count - 1,
                            frames, options, error);
    to->frames = memory_new(frames, sizeof *to->frames);
    if (!status && !to->frames)
        status = error_memory(error);
    for (; to->count < frames && !status; to->count++) {
        size_t i = to->by_row ? to->count : count - 1;
        status = make_frame(&maker, rows[i], &to->frames[to->count], error);
    }
    if (!status)
        tell_means(&maker);
    if (!status && !report_view_is_map(to))
        status = make_bar(&maker, error);
    if (!status && strcmp(to->field->name, "arrival") == 0)
        status = count_reached(&maker, run, error);
    maker_release(&maker);
    return status;
}

uint64_t report_view_bytes(const struct report_view *view, size_t frame)
{
    return strlen(view->frames[frame]) + QUOTES;
}

void report_view_thin(struct report_view *view, const size_t *kept,
                      size_t count)
{
    size_t next = 0;
    for (size_t i = 0; i < view->count; i++)
        if (next < count && kept[next] == i)
            view->frames[next++] = view->frames[i];
        else
            memory_release(view->frames[i]);
    view->count = count;
}

/* ---- how large frames would be ---- */

/* What frames of these samples would take with larger pixels. */
static enum status weigh(struct maker *maker, const struct pixels *samples,
                         size_t count, int block, uint64_t *bytes,
                         struct error *error)
{
    struct pixels pixels;
    struct sheet sheet = { 0 };
    enum status status = pixels_init(&pixels, &maker->view->cut, block, error);
    if (!status)
        status = sheet_init(&sheet, pixels.nx, pixels.ny, 1, error);
    for (size_t i = 0; i < count && !status; i++) {
        pixels_coarsen(&samples[i], false, &pixels);
        status = paint(maker, &pixels, &sheet, error);
        if (!status)
            status = compress(maker, &sheet, error);
        *bytes += (maker->used + 2) / 3 * 4 + QUOTES;
    }
    pixels_release(&pixels);
    sheet_release(&sheet);
    return status;
}

enum status report_view_weigh(struct report_run *run,
                              const struct report_options *options,
                              struct report_view *view, const int64_t *rows,
                              size_t count, size_t sizes, uint64_t *bytes,
                              struct error *error)
{
    struct maker maker;
    struct extremes extremes = { .any = false };
    struct pixels *samples = memory_new(count, sizeof *samples);
    enum status status = maker_open(&maker, run, options, view, error);
    if (!status && !samples)
        status = error_memory(error);
    for (size_t i = 0; i < count && !status; i++) {
        status = pixels_init(&samples[i], &maker.view->cut, run->block, error);
        if (!status)
            status = read_pixels(&maker, rows[i], &samples[i], error);
        if (!status)
            extremes_add(&extremes, samples[i].values, samples[i].wall,
                         (size_t)samples[i].nx * (size_t)samples[i].ny);
    }
    if (!status)
        status = set_scale(&maker, &extremes, options->linear, error);
    for (size_t i = 0; i < sizes && !status; i++)
        status = weigh(&maker, samples, count, run->block + (int)i, &bytes[i],
                       error);
    for (size_t i = 0; samples && i < count; i++)
        pixels_release(&samples[i]);
    memory_release(samples);
    maker_release(&maker);
    return status;
}
