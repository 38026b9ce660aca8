/* SPDX-License-Identifier: MIT */
/* The views' frames: which, how many, and how large. */
#include "report_view.h"

#include "base/memory.h"

#include <string.h>

enum {
    SAMPLES = 7,  /* frames by which the size of all is guessed */
    FEW = 24,     /* frames; below, pixels become larger */
    NARROW = 160, /* pixels, which they do not go below */
    WIDEST = 512, /* pixels a side */
};

/* Of the room that samples leave, what is counted on: they may be small ones.
 */
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
            status = report_view_weigh(run, options, &run->views[i], rows,
                                       samples, sizes, bytes, error);
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
            bytes[k] += report_view_bytes(&run->views[i], k);
    while (!status && choose(bytes, made, kept, *count) > options->bytes &&
           *count > 2)
        --*count;
    for (size_t i = 0; i < run->view_count && !status; i++)
        if (run->views[i].by_row)
            report_view_thin(&run->views[i], kept, *count);
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
            status = report_view_make(run, options, &run->views[i], rows, count,
                                      error);
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
                                 : report_view_make(run, options, view, rows,
                                                    run->frame_count, error);
        if (status && status != STATUS_INPUT)
            return status;
        if (status) {
            report_view_drop(view);
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

/* Are walls other ones at the end than at the beginning? */
static bool changes(const struct report_run *run)
{
    return recording_version_at(run->recording, report_last(run)) !=
           recording_version_at(run->recording, report_step(run, 0));
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
        run->views[run->view_count++] = (struct report_view){
            .field = field_find("walls"), .name = "Map", .by_row = changes(run)
        };
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
        report_view_drop(&run->views[i]);
    memory_release(run->frames);
    run->frames = NULL;
}
