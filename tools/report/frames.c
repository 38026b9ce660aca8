/* SPDX-License-Identifier: MIT */
/* The frames of the recordings' views: their steps, their number, the size of
 * their pixels, and each frame as PNG in Base64. */
#include "tools/report/html.h"
#include "tools/report/report.h"

#include "base/memory.h"
#include "base/need.h"
#include "cli/interrupt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COARSE = 2,   /* number of a map's colours that are merged into one */
    QUOTES = 12,  /* bytes of the page round a frame */
    SAMPLES = 7,  /* frames from which the total size is estimated */
    FEW = 24,     /* frames; with fewer, pixels become larger */
    NARROW = 160, /* pixels, the minimum width */
    WIDEST = 512, /* pixels a side */
};

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

/* Writes the PNG of the sheet to maker->bytes, maker->used of them. */
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
    if (!status)
        *text = html_base64(maker->bytes, maker->used);
    return status;
}

static enum status paint(const struct maker *maker, const struct pixels *pixels,
                         struct sheet *sheet, struct error *error)
{
    struct plane plane = { pixels->nx, pixels->ny, pixels->values,
                           pixels->wall };
    if (!heatmap_paint_sheet(&plane, maker->levels, &maker->to->ramp, sheet))
        return error_set(error, STATUS_FAILED, "a frame has too many colours");
    return STATUS_OK;
}

/* Reads a row into pixels. */
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

/* The colours of a view, with similar ones merged: so frames have room for
 * walls and cells without a value, and are smaller. */
static enum status make_ramp(struct report_view *to,
                             const struct report_options *options,
                             struct error *error)
{
    bool own = options->map && to->field->range == RANGE_SYMMETRIC;
    enum status status =
        ramp_load(own ? options->map : to->field->map, &to->ramp, error);
    const struct ramp fine = to->ramp;
    static const uint8_t gray[3] = { 64, 64, 64 };
    if (report_view_is_map(to)) /* on white: all colours remain free */
        memcpy(to->ramp.wall, gray, 3);
    for (int i = 0; i < COLORMAP_SIZE && !status; i++) {
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
    enum status status = maker_open(&maker, run, options, to, error);
    for (size_t i = 0; i < count && !status && !fixed; i++) {
        status = interrupt_check(error);
        if (!status)
            status = view_read(maker.view, rows[i], error);
        if (!status)
            extremes_add(&to->extremes, maker.view->values, maker.view->wall,
                         (size_t)maker.view->cut.nx *
                             (size_t)maker.view->cut.ny);
    }
    maker_release(&maker);
    return status;
}

static void describe_means(struct maker *maker)
{
    struct report_view *to = maker->to;
    char text[256];
    if (report_view_is_map(to)) {
        snprintf(to->means, sizeof to->means, "the map");
        return;
    }
    view_describe(maker->view, false, text, sizeof text);
    int used = snprintf(to->means, sizeof to->means, "%s", text);
    if (to->field->unit[0])
        used += snprintf(to->means + used, sizeof to->means - (size_t)used,
                         ", %s", to->field->unit);
    if (to->scale.linear_width > 0)
        snprintf(to->means + used, sizeof to->means - (size_t)used,
                 "; logarithm, linear within %.3g of 0",
                 to->scale.linear_width);
}

/* The colour map as a row of pixels. */
static enum status make_bar(struct maker *maker, struct error *error)
{
    double values[COLORMAP_SIZE];
    struct sheet sheet;
    struct plane plane = { COLORMAP_SIZE, 1, values, NULL };
    for (int i = 0; i < COLORMAP_SIZE; i++)
        values[i] = scale_value(&maker->to->scale, (i + .5) / COLORMAP_SIZE);
    sheet_init(&sheet, COLORMAP_SIZE, 1, 1);
    enum status status = STATUS_OK;
    if (!status &&
        !heatmap_paint_sheet(&plane, maker->levels, &maker->to->ramp, &sheet))
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

/* Counts the region's free cells and the steps at which they were reached. */
static enum status count_reached(struct maker *maker, struct report_run *run,
                                 struct error *error)
{
    struct view *view = maker->view;
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d_arrival", view->wave);
    enum status status = STATUS_OK;
    if (recording_find(view->source, name))
        status = view_read_block(view, "_arrival", 0, error);
    if (status)
        return status;
    for (size_t i = 0; i < run->reach_count; i++)
        if (run->reach[i].wave == view->wave)
            return STATUS_OK; /* done by another layer's view */
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
    to->frames = need_memory(count, sizeof *to->frames);
    for (; to->count < count && !status; to->count++)
        status =
            make_frame(&maker, rows[to->count], &to->frames[to->count], error);
    if (!status)
        describe_means(&maker);
    if (!status && !report_view_is_map(to))
        status = make_bar(&maker, error);
    if (!status && strcmp(to->field->name, "arrival") == 0)
        status = count_reached(&maker, run, error);
    maker_release(&maker);
    return status;
}

/* Keeps only these frames, in ascending order. */
static void frames_thin(struct report_view *view, const size_t *kept,
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

/* ---- the size of frames ---- */

/* The size of frames of these samples with larger pixels. */
static enum status weigh(struct maker *maker, const struct pixels *samples,
                         size_t count, int block, uint64_t *bytes,
                         struct error *error)
{
    struct pixels pixels;
    struct sheet sheet = { 0 };
    pixels_init(&pixels, &maker->view->cut, block);
    enum status status = STATUS_OK;
    sheet_init(&sheet, pixels.nx, pixels.ny, 1);
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

/* Adds to bytes[i] the approximate size in the page of frames of these rows
 * with pixels of run->block + i cells, i = 0 … sizes − 1. Reads each row
 * once. */
static enum status frames_weigh(const struct report_run *run,
                                const struct report_options *options,
                                struct report_view *view, const int64_t *rows,
                                size_t count, size_t sizes, uint64_t *bytes,
                                struct error *error)
{
    struct maker maker;
    struct extremes extremes = { .any = false };
    struct pixels *samples = need_memory(count, sizeof *samples);
    enum status status = maker_open(&maker, run, options, view, error);
    for (size_t i = 0; i < count && !status; i++) {
        pixels_init(&samples[i], &maker.view->cut, run->block);
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
    for (size_t i = 0; i < count; i++)
        pixels_release(&samples[i]);
    memory_release(samples);
    maker_release(&maker);
    return status;
}

/* ---- the choice of frames ---- */

/* The fraction of the allowed bytes that is used when the total size is
 * estimated from samples, because these may be smaller than the rest. */
static const double trust = 0.95;

/* The number of possible pixel sizes; run->block is the minimum. */
static size_t count_sizes(struct report_run *run)
{
    int side = run->nx > run->ny ? run->nx : run->ny;
    size_t sizes = 1;
    run->block = (side + WIDEST - 1) / WIDEST;
    while (side / (run->block + (int)sizes) >= NARROW)
        sizes++;
    return sizes;
}

/* The i-th of `count` integers that are spread evenly over 0 … last, including
 * both; only last if count is 1. */
static size_t spread(size_t i, size_t count, size_t last)
{
    return count > 1 ? (i * last + (count - 1) / 2) / (count - 1) : last;
}

/* Estimates the number of frames for which there is room, from a few of them;
 * and the size of pixels necessary for more than a few. */
static enum status guess(struct report_run *run,
                         const struct report_options *options, size_t *room,
                         struct error *error)
{
    int64_t rows[SAMPLES];
    size_t samples = run->places < SAMPLES ? run->places : SAMPLES;
    size_t most = run->places < (size_t)options->frames
                      ? run->places
                      : (size_t)options->frames;
    size_t sizes = count_sizes(run), size = 0;
    uint64_t *bytes = need_memory(sizes, sizeof *bytes);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < samples; i++)
        rows[i] = run->place_rows[spread(i, samples, run->places - 1)];
    for (size_t i = 0; i < run->view_count && !status; i++)
        if (run->views[i].by_row)
            status = frames_weigh(run, options, &run->views[i], rows, samples,
                                  sizes, bytes, error);
    for (; !status; size++) {
        double each = (double)(bytes[size] / samples + 1);
        double fits = trust * (double)options->bytes / each;
        *room = fits < (double)most ? (size_t)fits : most;
        if (*room >= (most < FEW ? most : FEW) || size + 1 == sizes)
            break;
    }
    memory_release(bytes);
    run->block += (int)size;
    return status;
}

/* ---- steps common to all recordings ---- */

struct timeline {
    struct report_run *runs;
    size_t run_count;
    int64_t *steps; /* ascending; including the last one of each run: [count] */
    size_t count;
};

/* Does each run that has begun and not ended have a row at this step? */
static bool is_common(const struct timeline *line, int64_t step)
{
    for (size_t i = 0; i < line->run_count; i++) {
        const struct report_run *run = &line->runs[i];
        if (report_step(run, 0) <= step && step <= report_last(run) &&
            report_step(run, report_place(run, step)) != step)
            return false;
    }
    return true;
}

/* All steps common to the runs. */
static void find_common(struct timeline *line)
{
    const struct report_run *longest = line->runs;
    for (size_t i = 1; i < line->run_count; i++)
        if (report_last(&line->runs[i]) > report_last(longest))
            longest = &line->runs[i];
    line->steps = need_memory(longest->places, sizeof *line->steps);
    for (size_t i = 0; i < longest->places; i++)
        if (is_common(line, report_step(longest, i)))
            line->steps[line->count++] = report_step(longest, i);
}

/* The number of the timeline's steps for which there is room, by each run's
 * room for those up to its last step. */
static size_t count_steps(const struct timeline *line, const size_t *room,
                          size_t most)
{
    size_t count = line->count < most ? line->count : most;
    for (size_t i = 0; i < line->run_count; i++) {
        size_t own = 0;
        while (own < line->count &&
               line->steps[own] <= report_last(&line->runs[i]))
            own++;
        size_t fits = own ? room[i] * line->count / own : count;
        if (room[i] < line->runs[i].places && fits < count)
            count = fits;
    }
    return count < 2 && line->count > 1 ? 2 : count;
}

/* Keeps `count` of the timeline's steps. */
static void thin_steps(struct timeline *line, size_t count)
{
    for (size_t i = 0; i < count; i++)
        line->steps[i] = line->steps[spread(i, count, line->count - 1)];
    line->count = count;
}

/* The frames of the run: its rows at these steps, and its last. */
static void choose_frames(struct report_run *run, const struct timeline *line)
{
    run->frames = need_memory(line->count, sizeof *run->frames);
    for (size_t i = 0; i < line->count; i++) {
        size_t place = report_place(run, line->steps[i]);
        if (!run->frame_count || run->frames[run->frame_count - 1] < place)
            run->frames[run->frame_count++] = place;
    }
}

static enum status choose_timeline(struct timeline *line,
                                   const struct report_options *options,
                                   struct error *error)
{
    size_t *room = need_memory(line->run_count, sizeof *room);
    find_common(line);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < line->run_count && !status; i++)
        status = guess(&line->runs[i], options, &room[i], error);
    if (!status)
        thin_steps(line, count_steps(line, room, (size_t)options->frames));
    for (size_t i = 0; i < line->run_count && !status; i++)
        choose_frames(&line->runs[i], line);
    memory_release(room);
    return status;
}

/* ---- removal of frames without room ---- */

/* Bytes independent of the number of frames: views that do not change, and the
 * still picture, which is an additional frame. */
static uint64_t fixed_bytes(const struct report_run *run)
{
    uint64_t bytes = 0, greatest = 0;
    for (size_t i = 0; i < run->view_count; i++) {
        const struct report_view *view = &run->views[i];
        uint64_t last = strlen(view->frames[view->count - 1]);
        bytes += view->by_row ? 0 : last;
        greatest = last > greatest ? last : greatest;
    }
    return bytes + greatest;
}

/* Chooses the run's frames for `count` steps of the timeline; returns their
 * bytes. */
static uint64_t choose(const struct timeline *line,
                       const struct report_run *run, size_t count, size_t *kept,
                       size_t *kept_count)
{
    uint64_t bytes = fixed_bytes(run);
    size_t frame = 0;
    *kept_count = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t step = line->steps[spread(i, count, line->count - 1)];
        while (frame + 1 < run->frame_count &&
               report_step(run, run->frames[frame + 1]) <= step)
            frame++;
        if (*kept_count && kept[*kept_count - 1] == frame)
            continue;
        kept[(*kept_count)++] = frame;
        for (size_t k = 0; k < run->view_count; k++)
            if (run->views[k].by_row)
                bytes += strlen(run->views[k].frames[frame]) + QUOTES;
    }
    return bytes;
}

static bool all_fit(const struct timeline *line, uint64_t bytes, size_t count,
                    size_t *kept)
{
    size_t kept_count;
    for (size_t i = 0; i < line->run_count; i++)
        if (choose(line, &line->runs[i], count, kept, &kept_count) > bytes)
            return false;
    return true;
}

/* If there is no room for all frames, keeps fewer steps of the timeline, as
 * evenly spaced as possible. */
static void fit(struct timeline *line, const struct report_options *options)
{
    size_t count = line->count, kept_count;
    size_t *kept = need_memory(count, sizeof *kept);
    while (count > 2 && !all_fit(line, options->bytes, count, kept))
        count--;
    for (size_t i = 0; i < line->run_count; i++) {
        struct report_run *run = &line->runs[i];
        choose(line, run, count, kept, &kept_count);
        for (size_t k = 0; k < run->view_count; k++)
            if (run->views[k].by_row)
                frames_thin(&run->views[k], kept, kept_count);
        for (size_t k = 0; k < kept_count; k++)
            run->frames[k] = run->frames[kept[k]];
        run->frame_count = kept_count;
    }
    memory_release(kept);
}

/* ---- common scales of recordings ---- */

static double reach_of(const struct report_view *view)
{
    return fmax(fabs(view->extremes.low), fabs(view->extremes.high));
}

/* The views of this name and wave in all runs, at most one for each run. */
static size_t find_alike(const struct timeline *line,
                         const struct report_view *view,
                         struct report_view **alike)
{
    size_t count = 0;
    for (size_t i = 0; i < line->run_count; i++)
        for (size_t k = 0; k < line->runs[i].view_count; k++) {
            struct report_view *other = &line->runs[i].views[k];
            if (other->wave == view->wave &&
                strcmp(other->name, view->name) == 0) {
                alike[count++] = other;
                break;
            }
        }
    return count;
}

/* One range for views whose maxima differ by less than a factor of
 * REPORT_ALIKE: otherwise some would show a single colour. */
static void share_scale(struct report_view *const *alike, size_t count)
{
    struct extremes all = { .any = false };
    double least = INFINITY, greatest = 0;
    for (size_t i = 0; i < count; i++) {
        if (!alike[i]->extremes.any)
            continue;
        const double ends[] = { alike[i]->extremes.low,
                                alike[i]->extremes.high };
        extremes_add(&all, ends, NULL, 2);
        least = fmin(least, reach_of(alike[i]));
        greatest = fmax(greatest, reach_of(alike[i]));
    }
    for (size_t i = 0; i < count && greatest <= REPORT_ALIKE * least; i++) {
        alike[i]->extremes = all;
        alike[i]->shared = true;
    }
}

static void share_scales(const struct timeline *line)
{
    struct report_view **alike = need_memory(line->run_count, sizeof *alike);
    for (size_t i = 0; i < line->run_count; i++)
        for (size_t k = 0; k < line->runs[i].view_count; k++) {
            const struct report_view *view = &line->runs[i].views[k];
            size_t count = find_alike(line, view, alike);
            if (alike[0] == view)
                share_scale(alike, count);
        }
    memory_release(alike);
}

/* ---- all views of all recordings ---- */

/* The number of rows that a view shows: one for each frame, or only the last
 * one. */
static size_t rows_of(const struct report_run *run,
                      const struct report_view *view, int64_t *rows)
{
    size_t last = run->frame_count - 1;
    for (size_t i = 0; i <= last; i++)
        rows[i] = run->place_rows[run->frames[view->by_row ? i : last]];
    return view->by_row ? last + 1 : 1;
}

/* Measures all views. First arrivals, which not every recording has, are
 * omitted if they are missing. */
static enum status measure_views(struct report_run *run,
                                 const struct report_options *options,
                                 int64_t *rows, struct error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->view_count; i++) {
        struct report_view *view = &run->views[i];
        size_t count = rows_of(run, view, rows);
        enum status status = measure(run, options, view, rows, count, error);
        if (status && (view->by_row || status != STATUS_INPUT))
            return status;
        if (status)
            snprintf(run->missing, sizeof run->missing, "%.500s",
                     error->message);
        else
            run->views[kept++] = *view;
    }
    run->view_count = kept;
    return STATUS_OK;
}

static enum status make_views(struct report_run *run,
                              const struct report_options *options,
                              int64_t *rows, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < run->view_count && !status; i++) {
        struct report_view *view = &run->views[i];
        size_t count = rows_of(run, view, rows);
        status = frames_make(run, options, view, rows, count, error);
    }
    return status;
}

static bool is_chosen(const struct report_options *options, int wave)
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
    int count = layers->count > 1 ? layers->count : 1;
    for (int i = 0; i < count && run->view_count < REPORT_VIEWS; i++) {
        struct report_view *view = &run->views[run->view_count++];
        *view = *like;
        view->place = run->place;
        view->layer = layers->count ? i : -1;
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
            if (!is_chosen(options, wave))
                continue;
            if (view.field->there(run->recording, wave) ||
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
    if (!run->view_count)
        add_views(run, &map, "Map");
}

bool report_view_is_map(const struct report_view *view)
{
    return strcmp(view->field->name, "walls") == 0;
}

static enum status make_all(struct timeline *line,
                            const struct report_options *options,
                            struct error *error)
{
    int64_t *rows = need_memory(line->count, sizeof *rows);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < line->run_count && !status; i++)
        status = measure_views(&line->runs[i], options, rows, error);
    if (!status)
        share_scales(line);
    for (size_t i = 0; i < line->run_count && !status; i++)
        status = make_views(&line->runs[i], options, rows, error);
    memory_release(rows);
    if (!status)
        fit(line, options);
    return status;
}

enum status report_frames_make(struct report_run *runs, size_t count,
                               const struct report_options *options,
                               struct error *error)
{
    struct timeline line = { .runs = runs, .run_count = count };
    for (size_t i = 0; i < count; i++)
        choose_views(&runs[i], options);
    enum status status = choose_timeline(&line, options, error);
    if (!status)
        status = make_all(&line, options, error);
    memory_release(line.steps);
    return status;
}

void report_frames_release(struct report_run *run)
{
    for (size_t i = 0; i < REPORT_VIEWS; i++)
        frames_drop(&run->views[i]);
    memory_release(run->frames);
    run->frames = NULL;
}
