/* SPDX-License-Identifier: MIT */
/* The frames of a recording's views: which rows, how many frames, how large
 * their pixels are, and each frame as PNG in Base64. */
#include "tools/report/html.h"
#include "tools/report/report.h"

#include "base/memory.h"
#include "cli/interrupt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COARSE = 2,   /* colours of a map that become one */
    QUOTES = 12,  /* bytes of the page round a frame */
    SAMPLES = 7,  /* frames by which the size of all is guessed */
    FEW = 24,     /* frames; below, pixels become larger */
    NARROW = 160, /* pixels, which they do not go below */
    WIDEST = 512, /* pixels a side */
};

/* ---- a plane of cells, seen with several of them a pixel ---- */

/* Cells, or pixels of `block` cells a side: (ny, nx). */
struct pixels {
    int nx, ny, block;
    double *values; /* NaN: none */
    uint8_t *wall;
};

/* Memory for the cut's cells. Release with pixels_release, after a failure
 * too. */
static enum status pixels_init(struct pixels *pixels, const struct cut *cut,
                               int block, struct error *error)
{
    *pixels =
        (struct pixels){ (cut->nx + block - 1) / block,
                         (cut->ny + block - 1) / block, block, NULL, NULL };
    size_t count = (size_t)pixels->nx * (size_t)pixels->ny;
    pixels->values = memory_new(count, sizeof *pixels->values);
    pixels->wall = memory_new(count, 1);
    return pixels->values && pixels->wall ? STATUS_OK : error_memory(error);
}

static void pixels_release(struct pixels *pixels)
{
    memory_release(pixels->values);
    memory_release(pixels->wall);
    *pixels = (struct pixels){ 0 };
}

/* Along an axis: the pixels of `from` that pixel `at` of larger ones touches,
 * from *first to before what is returned. */
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
 * cell farthest from 0, or with `least` the smallest; a pixel of walls alone is
 * a wall. If the blocks do not divide evenly, a pixel on the edge counts for
 * both sides. */
static void pixels_coarsen(const struct pixels *from, bool least,
                           struct pixels *to)
{
    for (int y = 0; y < to->ny; y++)
        for (int x = 0; x < to->nx; x++)
            take(from, least, x, y, to);
}

/* ---- a frame ---- */

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
    if (!heatmap_paint_sheet(&plane, maker->levels, &maker->to->ramp, sheet))
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
                                   &to->place, &maker->view, error);
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
    for (size_t i = 0; i < run->reach_count; i++)
        if (run->reach[i].wave == view->wave)
            return STATUS_OK; /* by another layer's view */
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

/* Makes the view's frames of these rows, which share one scale, with pixels of
 * run->block cells; a view that does not change has one frame, of the last row.
 * Reads each row twice. */
static enum status frames_make(struct report_run *run,
                               const struct report_options *options,
                               struct report_view *to, const int64_t *rows,
                               size_t count, struct error *error)
{
    struct maker maker;
    size_t frames = to->by_row ? count : 1;
    frames_drop(to);
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

/* Keeps these frames alone, in rising order. */
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

/* Adds to bytes[i] about what frames of these rows would take in the page with
 * pixels of run->block + i cells, i = 0 … sizes − 1. Reads each row once. */
static enum status frames_weigh(struct report_run *run,
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

/* ---- which frames, and how many ---- */

/* The share of the allowed bytes that is used when the size of all frames is
 * guessed from samples, which may be smaller than the rest. */
static const double trust = 0.95;

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

/* How many sizes of pixels there are to choose from, run->block the least. */
static size_t count_sizes(struct report_run *run)
{
    int side = run->nx > run->ny ? run->nx : run->ny;
    size_t sizes = 1;
    run->block = (side + WIDEST - 1) / WIDEST;
    while (side / (run->block + (int)sizes) >= NARROW)
        sizes++;
    return sizes;
}

/* How many frames there is room for, by a few of them; and how large their
 * pixels must be for more than a few. */
static enum status guess(struct report_run *run,
                         const struct report_options *options, size_t *which,
                         int64_t *rows, size_t *count, struct error *error)
{
    size_t samples = run->places < SAMPLES ? run->places : SAMPLES;
    size_t most = run->places < (size_t)options->frames
                      ? run->places
                      : (size_t)options->frames;
    size_t sizes = count_sizes(run), size = 0;
    uint64_t *bytes = memory_new(sizes, sizeof *bytes);
    enum status status = bytes ? STATUS_OK : error_memory(error);
    spread(run, samples, which, rows);
    for (size_t i = 0; i < run->view_count && !status; i++)
        if (run->views[i].by_row)
            status = frames_weigh(run, options, &run->views[i], rows, samples,
                                  sizes, bytes, error);
    for (; !status; size++) {
        double each = (double)(bytes[size] / samples + 1);
        double room = trust * (double)options->bytes / each;
        *count = room < (double)most ? (size_t)room : most;
        if (*count >= (most < FEW ? most : FEW) || size + 1 == sizes)
            break;
    }
    memory_release(bytes);
    run->block += (int)size;
    *count = *count < 2 ? 2 : *count;
    *count = *count > run->places ? run->places : *count;
    return status;
}

/* Of `made` frames `count`, as evenly as they allow; what they take. */
static uint64_t choose(const uint64_t *bytes, size_t made, size_t *kept,
                       size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        kept[i] = count > 1 ? i * (made - 1) / (count - 1) : made - 1;
        sum += bytes[kept[i]];
    }
    return sum;
}

/* Where there is no room for all frames that were made, fewer of them stay. */
static enum status fit(struct report_run *run,
                       const struct report_options *options, int64_t *rows,
                       size_t *count, struct error *error)
{
    size_t made = *count;
    size_t *kept = memory_new(made, sizeof *kept);
    uint64_t *bytes = memory_new(made, sizeof *bytes);
    enum status status = kept && bytes ? STATUS_OK : error_memory(error);
    for (size_t i = 0; i < run->view_count && !status; i++)
        for (size_t k = 0; k < made && run->views[i].by_row; k++)
            bytes[k] += strlen(run->views[i].frames[k]) + QUOTES;
    while (!status && choose(bytes, made, kept, *count) > options->bytes &&
           *count > 2)
        --*count;
    for (size_t i = 0; i < run->view_count && !status; i++)
        if (run->views[i].by_row)
            frames_thin(&run->views[i], kept, *count);
    for (size_t i = 0; i < *count && !status; i++) {
        run->frames[i] = run->frames[kept[i]];
        rows[i] = rows[kept[i]];
    }
    memory_release(kept);
    memory_release(bytes);
    return status;
}

static enum status make_frames(struct report_run *run,
                               const struct report_options *options,
                               int64_t *rows, struct error *error)
{
    size_t count = 0;
    enum status status = guess(run, options, run->frames, rows, &count, error);
    if (!status)
        spread(run, count, run->frames, rows);
    for (size_t i = 0; i < run->view_count && !status; i++)
        if (run->views[i].by_row)
            status =
                frames_make(run, options, &run->views[i], rows, count, error);
    if (!status)
        status = fit(run, options, rows, &count, error);
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
        enum status status = view->by_row
                                 ? STATUS_OK
                                 : frames_make(run, options, view, rows,
                                               run->frame_count, error);
        if (status && status != STATUS_INPUT)
            return status;
        if (status) {
            frames_drop(view);
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

/* One, or one of each layer. */
static void add_views(struct report_run *run,
                      const struct report_options *options,
                      const struct report_view *like, const char *name)
{
    const struct layers *layers = &run->layers;
    int count = layers->count > 1 ? layers->count : 1;
    for (int i = 0; i < count && run->view_count < REPORT_VIEWS; i++) {
        struct report_view *view = &run->views[run->view_count++];
        *view = *like;
        view->place = options->place;
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
    for (int wave = 0; wave < recording_waves(run->recording); wave++)
        for (size_t k = 0; k < LOOKS; k++) {
            const struct report_view view = { .field =
                                                  field_find(looks[k].field),
                                              .wave = wave,
                                              .by_row = looks[k].by_row };
            if (is_wanted(options, wave) &&
                view.field->there(run->recording, wave))
                add_views(run, options, &view, looks[k].name);
        }
    const struct report_view map = {
        .field = field_find("walls"),
        .by_row = recording_version_at(run->recording, report_last(run)) !=
                  recording_version_at(run->recording, report_step(run, 0))
    };
    if (!run->view_count)
        add_views(run, options, &map, "Map");
}

bool report_view_is_map(const struct report_view *view)
{
    return strcmp(view->field->name, "walls") == 0;
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
        frames_drop(&run->views[i]);
    memory_release(run->frames);
    run->frames = NULL;
}
