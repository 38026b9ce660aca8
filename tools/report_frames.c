/* SPDX-License-Identifier: MIT */
/* The views' frames: which, how large, and as what bytes. */
#include "report.h"

#include "base/memory.h"
#include "html.h"
#include "interrupt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 7,  /* frames by which the size of all is guessed */
    FEW = 24,     /* frames; below, pixels become larger */
    NARROW = 160, /* pixels, which they do not go below */
    WIDEST = 512, /* pixels a side */
    COARSE = 2,   /* colours of a map that become one */
};

/* One view while its frames are made. */
struct maker {
    const struct report_run *run;
    struct view *view;
    struct levels *levels;
    struct report_view *to;
    double *values; /* (py, px): of blocks */
    uint8_t *wall;
    struct sheet sheet;
    uint8_t *bytes; /* of a PNG */
    size_t used, room;
};

/* ---- a frame ---- */

/* Of a block's free cells that have a value, the one farthest from 0; of first
 * arrivals the first. A block of walls is a wall. */
static void take_block(struct maker *maker, int px, int py)
{
    const struct view *view = maker->view;
    int block = maker->run->block;
    size_t to = (size_t)py * (size_t)maker->sheet.nx + (size_t)px;
    bool least = !maker->to->by_row;
    double value = (double)NAN;
    maker->wall[to] = 1;
    for (int y = py * block; y < (py + 1) * block && y < view->cut.ny; y++)
        for (int x = px * block; x < (px + 1) * block && x < view->cut.nx;
             x++) {
            size_t i = (size_t)y * (size_t)view->cut.nx + (size_t)x;
            if (view->wall[i])
                continue;
            maker->wall[to] = 0;
            double v = view->values[i];
            if (isnan(value) || (least ? v < value : fabs(v) > fabs(value)))
                value = v;
        }
    maker->values[to] = value;
}

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

static enum status encode(struct maker *maker, const struct sheet *sheet,
                          char **text, struct error *error)
{
    struct png_sink sink = { keep_bytes, maker };
    maker->used = 0;
    enum status status = sheet_encode_png(sheet, &sink, error);
    if (!status && !(*text = html_base64(maker->bytes, maker->used)))
        status = error_memory(error);
    return status;
}

static enum status make_frame(struct maker *maker, int64_t row, char **text,
                              struct error *error)
{
    enum status status = interrupt_check(error);
    if (!status)
        status = view_read(maker->view, row, error);
    if (status)
        return status;
    for (int y = 0; y < maker->sheet.ny; y++)
        for (int x = 0; x < maker->sheet.nx; x++)
            take_block(maker, x, y);
    bool walls = strcmp(maker->to->field->name, "walls") == 0;
    struct plane plane = { maker->sheet.nx, maker->sheet.ny, maker->values,
                           walls ? NULL : maker->wall };
    if (!sheet_paint(&plane, maker->levels, &maker->to->ramp, &maker->sheet))
        return error_set(error, STATUS_FAILED, "a frame has too many colours");
    return encode(maker, &maker->sheet, text, error);
}

/* ---- a view ---- */

static void maker_release(struct maker *maker)
{
    view_release(maker->view);
    memory_release(maker->levels);
    memory_release(maker->values);
    memory_release(maker->wall);
    memory_release(maker->bytes);
    sheet_release(&maker->sheet);
    *maker = (struct maker){ 0 };
}

static enum status maker_open(struct maker *maker, struct report_run *run,
                              const struct report_options *options,
                              struct report_view *to, struct error *error)
{
    *maker = (struct maker){ .run = run, .to = to };
    enum status status = view_open(run->recording, to->field->name, to->wave,
                                   &options->place, &maker->view, error);
    if (status)
        return status;
    const struct cut *cut = &maker->view->cut;
    int block = run->block;
    int px = (cut->nx + block - 1) / block, py = (cut->ny + block - 1) / block;
    size_t pixels = (size_t)px * (size_t)py;
    maker->levels = memory_new(1, sizeof *maker->levels);
    maker->values = memory_new(pixels, sizeof *maker->values);
    maker->wall = memory_new(pixels, 1);
    if (!maker->levels || !maker->values || !maker->wall)
        return error_memory(error);
    return sheet_init(&maker->sheet, px, py, 1, error);
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
    for (int i = 0; i < COLORMAP_SIZE && !status; i++) {
        /* Towards the ends, so that both halves of the map stay alike. */
        int end = i < COLORMAP_SIZE / 2 ? 0 : COARSE - 1;
        memcpy(to->ramp.colors[i], fine.colors[i - i % COARSE + end], 3);
    }
    return status;
}

static enum status make_scale(struct maker *maker, const int64_t *rows,
                              size_t count,
                              const struct report_options *options,
                              struct error *error)
{
    struct report_view *to = maker->to;
    const struct field *field = to->field;
    struct extremes extremes = { true, field->low, field->high };
    enum status status = STATUS_OK;
    if (field->range != RANGE_FIXED) {
        extremes.any = false;
        for (size_t i = 0; i < count && !status; i++) {
            status = view_read(maker->view, rows[i], error);
            if (!status)
                extremes_add(&extremes, maker->view->values, maker->view->wall,
                             (size_t)maker->view->cut.nx *
                                 (size_t)maker->view->cut.ny);
        }
    }
    to->scale = scale_over(&extremes, field->range == RANGE_SYMMETRIC);
    if (field->range == RANGE_DATA && to->by_row) /* a size */
        to->scale.low = 0;
    if (to->by_row && !options->linear && field->range != RANGE_FIXED)
        to->scale.linear_width =
            1e-4 * fmax(fabs(to->scale.low), fabs(to->scale.high));
    if (!status)
        status = scale_check(&to->scale, error);
    if (!status)
        levels_make(&to->scale, maker->levels);
    return status;
}

static void tell_means(struct maker *maker)
{
    struct report_view *to = maker->to;
    char text[256];
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

static void drop_frames(struct report_view *view)
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

/* Makes the view's frames of these rows; *bytes are those of its frames. */
static enum status make_view(struct report_run *run,
                             const struct report_options *options,
                             struct report_view *to, const int64_t *rows,
                             size_t count, uint64_t *bytes, struct error *error)
{
    struct maker maker;
    size_t frames = to->by_row ? count : 1;
    drop_frames(to);
    enum status status = maker_open(&maker, run, options, to, error);
    if (!status)
        status = make_ramp(to, options, error);
    if (!status)
        status = make_scale(&maker, to->by_row ? rows : rows + count - 1,
                            frames, options, error);
    to->frames = memory_new(frames, sizeof *to->frames);
    if (!status && !to->frames)
        status = error_memory(error);
    for (; to->count < frames && !status; to->count++) {
        size_t i = to->by_row ? to->count : count - 1;
        status = make_frame(&maker, rows[i], &to->frames[to->count], error);
        if (!status)
            *bytes += strlen(to->frames[to->count]) + 12;
    }
    if (!status)
        tell_means(&maker);
    if (!status)
        status = make_bar(&maker, error);
    if (!status && strcmp(to->field->name, "arrival") == 0)
        status = count_reached(&maker, run, error);
    maker_release(&maker);
    return status;
}

/* ---- all of them ---- */

/* `count` of the kept places, evenly, the first and the last among them. */
static void spread(const struct report_run *run, size_t count, size_t *which,
                   int64_t *rows)
{
    for (size_t i = 0; i < count; i++) {
        size_t place =
            count > 1 ? (i * (run->places - 1) + (count - 1) / 2) / (count - 1)
                      : run->places - 1;
        which[i] = place;
        rows[i] = run->place_rows[place];
    }
}

static enum status make_moving(struct report_run *run,
                               const struct report_options *options,
                               const int64_t *rows, size_t count,
                               uint64_t *bytes, struct error *error)
{
    enum status status = STATUS_OK;
    *bytes = 0;
    for (size_t i = 0; i < run->view_count && !status; i++)
        if (run->views[i].by_row)
            status = make_view(run, options, &run->views[i], rows, count, bytes,
                               error);
    return status;
}

/* How many frames there is room for, by a few of them. */
static enum status guess(struct report_run *run,
                         const struct report_options *options, size_t *which,
                         int64_t *rows, size_t *count, struct error *error)
{
    uint64_t bytes;
    size_t samples = run->places < SAMPLES ? run->places : SAMPLES;
    size_t most = run->places < (size_t)options->frames
                      ? run->places
                      : (size_t)options->frames;
    int side = run->nx > run->ny ? run->nx : run->ny;
    run->block = (side + WIDEST - 1) / WIDEST;
    for (;; run->block++) {
        spread(run, samples, which, rows);
        enum status status =
            make_moving(run, options, rows, samples, &bytes, error);
        if (status)
            return status;
        uint64_t each = bytes / samples + 1;
        *count = options->bytes / each < most ? (size_t)(options->bytes / each)
                                              : most;
        if (*count >= (most < FEW ? most : FEW) ||
            side / (run->block + 1) < NARROW)
            break;
    }
    *count = *count < 2 ? 2 : *count;
    *count = *count > run->places ? run->places : *count;
    return STATUS_OK;
}

static enum status make_frames(struct report_run *run,
                               const struct report_options *options,
                               int64_t *rows, struct error *error)
{
    uint64_t bytes;
    size_t count = 0;
    enum status status = guess(run, options, run->frames, rows, &count, error);
    while (!status) {
        spread(run, count, run->frames, rows);
        status = make_moving(run, options, rows, count, &bytes, error);
        if (status || bytes <= options->bytes || count <= 2)
            break;
        size_t fewer = (size_t)((double)count * .98 * (double)options->bytes /
                                (double)bytes);
        count = fewer < count ? fewer : count - 1;
        count = count < 2 ? 2 : count;
    }
    run->frame_count = count;
    return status;
}

/* First arrivals, which not every recording gives. */
static enum status make_still(struct report_run *run,
                              const struct report_options *options,
                              const int64_t *rows, struct error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->view_count; i++) {
        struct report_view *view = &run->views[i];
        uint64_t bytes = 0;
        enum status status = view->by_row
                                 ? STATUS_OK
                                 : make_view(run, options, view, rows,
                                             run->frame_count, &bytes, error);
        if (status && status != STATUS_INPUT)
            return status;
        if (status) {
            drop_frames(view);
            snprintf(run->missing, sizeof run->missing, "%.500s",
                     error->message);
            continue;
        }
        if (kept < i) {
            run->views[kept] = *view;
            *view = (struct report_view){ 0 };
        }
        kept++;
    }
    run->view_count = kept;
    return STATUS_OK;
}

static bool is_wanted(const struct report_options *options, int wave)
{
    for (size_t i = 0; i < options->wave_count; i++)
        if (options->waves[i] == wave)
            return true;
    return !options->wave_count;
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
    for (int wave = 0; wave < recording_waves(run->recording); wave++)
        for (size_t k = 0; k < LOOKS; k++) {
            const struct field *field = field_find(looks[k].field);
            if (run->view_count < REPORT_VIEWS && is_wanted(options, wave) &&
                field->there(run->recording, wave))
                run->views[run->view_count++] =
                    (struct report_view){ .field = field,
                                          .name = looks[k].name,
                                          .wave = wave,
                                          .by_row = looks[k].by_row };
        }
    if (!run->view_count)
        run->views[run->view_count++] =
            (struct report_view){ .field = field_find("walls"), .name = "Map" };
}

enum status report_frames_make(struct report_run *run,
                               const struct report_options *options,
                               struct error *error)
{
    choose_views(run, options);
    int64_t *rows = memory_new(run->places, sizeof *rows);
    run->frames = memory_new(run->places, sizeof *run->frames);
    enum status status = rows && run->frames
                             ? make_frames(run, options, rows, error)
                             : error_memory(error);
    if (!status)
        status = make_still(run, options, rows, error);
    memory_release(rows);
    return status;
}

void report_frames_release(struct report_run *run)
{
    for (size_t i = 0; i < REPORT_VIEWS; i++)
        drop_frames(&run->views[i]);
    memory_release(run->frames);
    run->frames = NULL;
}
