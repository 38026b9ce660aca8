/* SPDX-License-Identifier: MIT */
/* hamon-reflection: the errors of headings behind walls. */
#include "analysis/study/program.h"
#include "analysis/study/reflection.h"
#include "base/crc32c.h"
#include "base/memory.h"
#include "base/need.h"
#include "cli/range.h"
#include "metrics/summary.h"
#include "wave/arrival/detector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the chart's panels, drawn by reflection.gp ---- */

/* Each of the settings has its own legend, from LINES_LEGEND on. */
enum legend { SPECTRUM_LEGEND = 1, CAUSE_LEGEND, LINES_LEGEND };

#define ERROR "RMS error (°)"
#define WRONG "wrong headings (%)"
/* One entry for each panel. Those that are drawn have the letters (a), (b), …
 * in this order. */
/* clang-format off */
static const struct chart_panel panels[] = {
    { .name = "lag", .title = "error by time after the arrival",
      .x = "time after the arrival (steps)", .x_range = "[0:30]",
      .y = ERROR, .y_range = "[0:195]", .y_tics = 30,
      .block = "lag", .style = "lag", .every = 5 },
    { .name = "distance", .title = "error by distance",
      .x = "shortest path to the source (cells)", .x_range = "[0:*]",
      .y = ERROR, .y_range = "[0:*]",
      .block = "distance", .style = "curves", .every = 2 },
    { .name = "histogram", .title = "how often each error is",
      .x = "heading error (°)", .x_range = "[0:180]", .x_tics = 30,
      .y = "cells (%)", .y_range = "[0.01:100]", .log = "y",
      .block = "histogram", .style = "curves", .every = 1 },
    { .name = "spectrum", .title = "spectrum of the wave", /* and how far on */
      .x = "frequency (rad/step)", .x_range = "[0:1]", .x_tics = .2,
      .y = "relative amplitude", .y_range = "[0.001:1.5]", .log = "y",
      .block = "spectrum", .style = "spectrum", .legend = SPECTRUM_LEGEND },
    { .name = "width", .title = "error by width",
      .x = "local width (cells)", .x_range = "[0:*]",
      .y = ERROR, .y_range = "[0:*]", .own_only = true, .lines = 1,
      .block = "width", .style = "points", .legend = LINES_LEGEND },
    { .name = "threshold", .title = "error by threshold",
      .x = "threshold (of the amplitude of the source)",
      .x_range = "[*:*] noextend", .log = "x",
      .y = ERROR, .y_range = "[0:*]", .own_only = true, .lines = 2,
      .block = "threshold", .style = "points", .legend = LINES_LEGEND + 1 },
    { .name = "delta", .title = "error by squared Courant number",
      .x = "squared Courant number", .x_range = "[0:*]",
      .y = ERROR, .y_range = "[0:*]", .own_only = true, .lines = 3,
      .block = "delta", .style = "points", .legend = LINES_LEGEND + 2 },
    { .name = "height", .title = "error by height",
      .x = "second extent of the cross-section (cells)", .x_range = "[0:*]",
      .y = ERROR, .y_range = "[0:*]", .own_only = true, .lines = 1,
      .block = "height", .style = "points", .legend = LINES_LEGEND },
    { .name = "cause", .title = "wrong headings by cause",
      .x = "group",
      .y = WRONG, .y_range = "[0:*]", .own_only = true,
      .block = "cause", .style = "stacks", .legend = CAUSE_LEGEND },
    { .name = "cause-width", .title = "causes by width",
      .x = "local width (cells)", .x_range = "[0:*]",
      .y = WRONG, .y_range = "[0:*]", .own_only = true,
      .block = "cause-width", .style = "stacks", .legend = CAUSE_LEGEND },
    { .name = "cause-distance", .title = "causes by distance",
      .x = "shortest path to the source (cells)", .x_range = "[0:*]",
      .y = WRONG, .y_range = "[0:*]", .own_only = true,
      .block = "cause-distance", .style = "stacks", .legend = CAUSE_LEGEND },
    { .name = "cause-lag", .title = "causes by time after the arrival",
      .x = "time after the arrival (steps)", .x_range = "[-1.5:14]",
      .y = WRONG, .y_range = "[0:*]", .own_only = true,
      .block = "cause-lag", .style = "stacks", .legend = CAUSE_LEGEND },
};
/* clang-format on */
enum {
    SPECTRUM_PANEL = 3,
    FIRST_SETTING_PANEL = 4,
    CAUSE_PANEL = 8, /* of several groups; those after it are of one group */
    CAUSE_WIDTH_PANEL = 9,
    PANELS = sizeof panels / sizeof *panels
};

/* ---- the figures: a series for each group of readings ---- */

/* Of the amplitude's spectrum: frequencies up to 1 radian a step. */
enum { SPECTRUM_LINES = 200 };
#define SPECTRUM_HIGHEST 1.

/* A group's errors, and the settings on which they may depend. */
struct series {
    struct reflection sum;
    struct ratio squares, wrong; /* of the errors (radians) and of wrong ones */
    double width, height;        /* medians; NaN: none; height in 3D */
    double delta;                /* squared Courant number */
    double threshold;            /* NaN with another detector */
    double cutoff;               /* radians a step; NaN with free walls */
    /* Of the true headings: Σ of the squares of their errors, and the number of
     * cells. */
    double truth_squares;
    int64_t truth_counted;
    bool has_spectrum;  /* else an earlier group has the same wave */
    double spectrum_at; /* its cell's distance from the source */
    double spectrum[SPECTRUM_LINES]; /* |Z| over its maximum */
    int layer;                       /* z of the first reading's source */
    double *errors; /* of the first reading, (nz, ny, nx), degrees; or NaN */
    uint8_t *blank; /* why there is no error (enum reflection_blank) */
    uint8_t *kind;  /* 1 + its kind on a map of causes */
};

/* The contribution of one reading to its group, for intervals over readings;
 * and the data by which readings of two groups are paired. */
struct reading_sums {
    double squares, counted, wrong;
    struct {
        double squares, count;
    } across[ACROSS][REFLECTION_WIDTHS];
    size_t source;
    uint32_t map; /* a checksum of its extents and walls */
    bool paired;
};

/* The abscissas of panels, in the order of the panels. Width and height have
 * the same lines. */
enum { WIDTH, THRESHOLD, DELTA, HEIGHT, SETTINGS };

struct report {
    const struct study *study;
    int wave;
    struct series *series;      /* of each group */
    struct reading_sums *parts; /* of each reading */
    bool varies[SETTINGS];      /* has more than one value */
    bool deep, flat;            /* recordings in 3D; are their ducts flat? */
    bool errors;                /* are there any errors? */
    bool causes;                /* is any heading wrong? */
    double wrong;               /* degrees; a larger error is wrong */
    /* Groups whose waves did not reach many cells; their errors are of the
     * other cells. */
    char low_reach[300];  /* a line of the caption; "": none */
    char difference[400]; /* of two paired groups; "": none */
    /* In 3D: cells with a path, and those of them that are uncertain; the grids
     * on which paths were marched. */
    int64_t reachable, unsure;
    bool marched_by_3, marched_by_5;
    char reference[300];     /* in words; "": all are exact */
    char note[1100];         /* the existing texts, for the caption */
    char remark[800];        /* the same below the table */
    const char *at;          /* as given by --at; NULL: not given */
    bool oblique;            /* --oblique */
    struct view_place place; /* axis −1: the source's layer */
};

/* Points with a smaller fraction are open symbols. */
#define LOW_REACH 0.95

/* The farthest cell whose distance is at most `distance`. */
static size_t find_cell(const struct truth *truth, size_t cells,
                        double distance)
{
    size_t best = 0;
    double farthest = -1;
    for (size_t i = 0; i < cells; i++)
        if (truth->distance[i] <= distance && truth->distance[i] > farthest) {
            farthest = truth->distance[i];
            best = i;
        }
    return best;
}

/* |Σ z w e^(−iωn)|, w a Hann window. */
static double line(const double *series, int64_t rows, double omega)
{
    double real = 0, imaginary = 0;
    for (int64_t n = 0; n < rows; n++) {
        double window =
            0.5 - 0.5 * cos(2 * acos(-1) * ((double)n + 0.5) / (double)rows);
        real += window * series[n] * cos(omega * (double)n);
        imaginary -= window * series[n] * sin(omega * (double)n);
    }
    return hypot(real, imaginary);
}

static enum status take_spectrum(const struct recording *recording, int wave,
                                 const struct truth *truth, double *distance,
                                 double spectrum[SPECTRUM_LINES],
                                 struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    struct emission emission = { 0 };
    int64_t first = 0, rows = recording_rows(recording);
    snprintf(name, sizeof name, "wave%d", wave);
    size_t cell =
        find_cell(truth, grid_cells(recording_grid(recording)), *distance);
    *distance = truth->distance[cell];
    double *series = need_memory((size_t)rows, sizeof *series);
    enum status status = emission_first(recording, wave, &emission, error);
    if (!status)
        status = recording_row_of(recording, emission.step, &first, error);
    if (!status)
        status = recording_read_series(
            recording, recording_find(recording, name), cell, series, error);
    int64_t last = rows; /* every step has a row: front_follow has checked it */
    if (!status && emission.next >= 0 &&
        first + emission.next - emission.step < rows)
        last = first + emission.next - emission.step;
    double most = 0;
    for (int i = 0; i < SPECTRUM_LINES && !status; i++) {
        spectrum[i] = line(series + first, last - first,
                           SPECTRUM_HIGHEST * (i + 1) / SPECTRUM_LINES);
        most = fmax(most, spectrum[i]);
    }
    for (int i = 0; i < SPECTRUM_LINES && !status; i++)
        spectrum[i] = most > 0 ? spectrum[i] / most : (double)NAN;
    memory_release(series);
    return status;
}

static const double degrees = 57.295779513082320877;

/* The distance of the cell for the spectrum: beyond the first reflections, and
 * near enough that most of the wave passes. */
#define SPECTRUM_DISTANCE 60.

static bool has_fixed_walls(const struct study *study,
                            const struct reading *reading)
{
    const char *walls = reading_setting(study, reading, "wave.walls");
    return walls && strcmp(walls, "fixed") == 0;
}

/* A value of the group: NaN if it differs between its pooled readings. */
static void settle(double *value, double own, bool first)
{
    if (first)
        *value = own;
    else if (*value < own || *value > own || isnan(own))
        *value = (double)NAN;
}

/* The settings that distinguish the group. */
static void describe(struct report *report, size_t number,
                     const struct arrival_settings *settings,
                     const struct front *front, const struct truth *truth)
{
    const struct reading *reading = &report->study->readings[number];
    struct series *series = &report->series[reading->group];
    bool first = report->study->groups[reading->group].first == number;
    bool threshold = strcmp(settings->detector->name, "threshold") == 0;
    double delta = front->waves->delta;
    int extent[ACROSS];
    bool alike = true;
    for (int across = 0; across < ACROSS; across++) {
        bool these;
        reflection_median(front, truth, across, &extent[across], &these);
        alike = alike && these;
    }
    int width = extent[ACROSS_WIDTH], height = extent[ACROSS_HEIGHT];
    report->flat |= height != width && height > 0;
    bool cut = width > 0 && alike && has_fixed_walls(report->study, reading);
    settle(&series->width, width > 0 ? width : (double)NAN, first);
    settle(&series->height, height > 0 ? height : (double)NAN, first);
    settle(&series->delta, delta, first);
    settle(&series->threshold, threshold ? settings->threshold : (double)NAN,
           first);
    settle(&series->cutoff,
           cut ? cause_cutoff(delta, width, height, true) : (double)NAN, first);
}

/* Room for the maps of the group's first reading. */
static void make_maps(struct series *series, size_t cells)
{
    series->errors = need_memory(cells, sizeof *series->errors);
    series->blank = need_memory(cells, 1);
    series->kind = need_memory(cells, 1);
}

static void fill_maps(const struct front *front, const struct truth *truth,
                      struct series *series)
{
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        series->errors[i] *= degrees;
        series->blank[i] = (uint8_t)reflection_blank(front, truth, i);
        if (!series->kind[i])
            series->kind[i] =
                1 + (isnan(series->errors[i]) ? FRONT_UNCOUNTED : FRONT_RIGHT);
    }
}

/* Adds it to its group's sums, and stores it as a part. */
static void add_reading(struct report *report, size_t number,
                        const struct front *front, const struct truth *truth)
{
    const struct study *study = report->study;
    size_t group = study->readings[number].group;
    struct series *series = &report->series[group];
    struct reading_sums *part = &report->parts[number];
    bool first = study->groups[group].first == number;
    const struct grid *grid = &front->terrain.grid;
    const int extents[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    struct reflection one = { 0 };
    reflection_add(&one, front, truth, first ? series->errors : NULL,
                   first ? series->kind : NULL);
    reflection_pool(&series->sum, &one);
    part->squares = one.squares;
    part->counted = (double)one.counted;
    part->wrong = (double)one.wrong;
    for (int across = 0; across < ACROSS; across++)
        for (int bin = 0; bin < REFLECTION_WIDTHS; bin++) {
            const struct reflection_bin *of = &one.across[across][bin];
            part->across[across][bin].squares = of->squares;
            part->across[across][bin].count = (double)of->count;
        }
    series->truth_squares += truth->error_squares;
    series->truth_counted += truth->counted;
    report->reachable += truth->reachable;
    report->unsure += truth->unsure;
    report->marched_by_3 |= truth->refined == 3;
    report->marched_by_5 |= truth->refined == 5;
    part->source = front->source;
    part->map = crc32c(crc32c(0, extents, sizeof extents), front->terrain.wall,
                       grid_cells(grid));
}

static int layer_of(const struct front *front)
{
    int at[GRID_AXES];
    grid_cell(&front->terrain.grid, front->source, at);
    return at[2];
}

static enum status measure(struct report *report, size_t number,
                           struct error *error)
{
    const struct study *study = report->study;
    const struct reading *reading = &study->readings[number];
    struct series *series = &report->series[reading->group];
    bool first = study->groups[reading->group].first == number;
    struct arrival_settings settings;
    struct front front = { 0 };
    struct truth truth = { 0 };
    enum status status = reading_arrival(study, reading, &settings, error);
    if (!status)
        status = front_compare(&front, &truth, reading->recording, report->wave,
                               &settings, report->wrong / degrees, error);
    if (!status)
        describe(report, number, &settings, &front, &truth);
    if (!status && first)
        make_maps(series, grid_cells(&front.terrain.grid));
    if (!status && first)
        series->layer = layer_of(&front);
    if (!status)
        add_reading(report, number, &front, &truth);
    if (!status && first)
        fill_maps(&front, &truth, series);
    if (!status && first && study_group_is_first(study, reading->group)) {
        series->spectrum_at = SPECTRUM_DISTANCE;
        status = take_spectrum(reading->recording, report->wave, &truth,
                               &series->spectrum_at, series->spectrum, error);
        series->has_spectrum = !status;
    }
    truth_release(&truth);
    front_release(&front);
    return status;
}

static double share(int64_t part, int64_t whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

static double reach_of(const struct series *series)
{
    return share(series->sum.reached, series->sum.reachable);
}

static void name_low_reach(struct report *report)
{
    enum { MOST = 200 }; /* bytes; the other names are only counted */
    char *text = report->low_reach;
    size_t size = sizeof report->low_reach, used = 0, more = 0;
    for (size_t g = 0; g < report->study->group_count; g++) {
        double reach = reach_of(&report->series[g]);
        if (!(reach < LOW_REACH))
            continue;
        if (used > MOST) {
            more++;
            continue;
        }
        used += (size_t)snprintf(
            text + used, size - used, "%s%.80s %.3f",
            used ? "; "
                 : "The waves did not reach all cells (reach below 0.95), and "
                   "cells without an arrival have no error: ",
            report->study->groups[g].label, reach);
    }
    if (more)
        snprintf(text + used, size - used, "; and %zu more", more);
}

/* The possible abscissas of panels; in the order of their lines' names. */
static const struct setting {
    const char *name, *key;
    size_t at; /* of a series' double; NaN: none */
} against[SETTINGS] = {
    { "width", "map.file", offsetof(struct series, width) },
    { "threshold", "arrival.threshold", offsetof(struct series, threshold) },
    { "delta", "wave.delta", offsetof(struct series, delta) },
    { "height", "map.file", offsetof(struct series, height) },
};

/* The extent across by which the group's cells are binned; −1: a setting with
 * one value in each group. */
static int across_of(const struct setting *setting)
{
    return setting == &against[WIDTH]    ? ACROSS_WIDTH
           : setting == &against[HEIGHT] ? ACROSS_HEIGHT
                                         : -1;
}

static double value_of(const struct series *series,
                       const struct setting *setting)
{
    double value;
    memcpy(&value, (const char *)series + setting->at, sizeof value);
    return value;
}

/* Does the bin have counted cells? */
static bool has_bin(const struct report *report, int across, int bin)
{
    for (size_t g = 0; g < report->study->group_count; g++)
        if (report->series[g].sum.across[across][bin].count)
            return true;
    return false;
}

/* Does more than one bin have counted cells? Heights are used only if ducts are
 * flat: in others they differ from the widths only at bends. */
static bool extents_vary(const struct report *report, int across)
{
    int bins = 0;
    for (int bin = 0; bin < REFLECTION_WIDTHS; bin++)
        bins += has_bin(report, across, bin);
    return bins > 1 && (across == ACROSS_WIDTH || report->flat);
}

/* Does the setting have more than one value among the groups with errors? */
static bool varies(const struct report *report, const struct setting *setting)
{
    double first = NAN;
    if (across_of(setting) >= 0)
        return extents_vary(report, across_of(setting));
    for (size_t g = 0; g < report->study->group_count; g++) {
        const struct series *series = &report->series[g];
        double value = value_of(series, setting);
        if (isnan(value) || !series->sum.counted)
            continue;
        if (isnan(first))
            first = value;
        if (value < first || value > first)
            return true;
    }
    return false;
}

/* ---- intervals over readings ---- */

/* Room for two numbers for each reading. */
struct numbers {
    size_t count;
    double *sums, *weights;
};

static void numbers_init(struct numbers *numbers, size_t room)
{
    *numbers = (struct numbers){
        .sums = need_memory(room, sizeof *numbers->sums),
        .weights = need_memory(room, sizeof *numbers->weights),
    };
}

static void numbers_release(struct numbers *numbers)
{
    memory_release(numbers->sums);
    memory_release(numbers->weights);
}

static void numbers_add(struct numbers *numbers, double sum, double weight)
{
    numbers->sums[numbers->count] = sum;
    numbers->weights[numbers->count++] = weight;
}

/* Takes the ratio of all added numbers, and removes them. */
static struct ratio numbers_take(struct numbers *numbers)
{
    size_t count = numbers->count;
    numbers->count = 0;
    return summary_ratio(numbers->sums, numbers->weights, count);
}

static void find_intervals(struct report *report, struct numbers *numbers)
{
    const struct study *study = report->study;
    for (size_t g = 0; g < study->group_count; g++) {
        for (size_t i = 0; i < study->reading_count; i++)
            if (study->readings[i].group == g)
                numbers_add(numbers, report->parts[i].squares,
                            report->parts[i].counted);
        report->series[g].squares = numbers_take(numbers);
        for (size_t i = 0; i < study->reading_count; i++)
            if (study->readings[i].group == g)
                numbers_add(numbers, report->parts[i].wrong,
                            report->parts[i].counted);
        report->series[g].wrong = numbers_take(numbers);
    }
}

/* The first reading of the second group with the source and the map of `part`
 * that is not paired yet, or NULL. */
static struct reading_sums *find_pair(struct report *report,
                                      const struct reading_sums *part)
{
    for (size_t i = 0; i < report->study->reading_count; i++) {
        struct reading_sums *other = &report->parts[i];
        if (report->study->readings[i].group == 1 && !other->paired &&
            other->source == part->source && other->map == part->map)
            return other;
    }
    return NULL;
}

/* For two groups with the same sources on the same maps, more than one: the
 * mean difference over them and its interval. */
static void find_difference(struct report *report, struct numbers *errors,
                            struct numbers *wrongs)
{
    const struct study *study = report->study;
    /* Recordings with different values of a pooled key would be paired. */
    for (size_t i = 0; i < study->pooled_count; i++)
        if (strcmp(study->pooled[i], "map.file") != 0)
            return;
    if (study->group_count != 2 ||
        study->groups[0].count != study->groups[1].count ||
        study->groups[0].count < 2)
        return;
    for (size_t i = 0; i < study->reading_count; i++) {
        struct reading_sums *part = &report->parts[i];
        if (study->readings[i].group != 0)
            continue;
        struct reading_sums *other = find_pair(report, part);
        if (!other || !(part->counted > 0) || !(other->counted > 0))
            return;
        other->paired = true;
        numbers_add(errors,
                    degrees * (sqrt(other->squares / other->counted) -
                               sqrt(part->squares / part->counted)),
                    1);
        numbers_add(wrongs,
                    other->wrong / other->counted - part->wrong / part->counted,
                    1);
    }
    const struct ratio rms = numbers_take(errors), wrong = numbers_take(wrongs);
    const bool few = rms.n < INTERVAL_VALUES;
    const struct interval *of = &rms.interval, *its = &wrong.interval;
    snprintf(report->difference, sizeof report->difference,
             "From the first group to the second, paired over %zu sources "
             "and maps: RMS error %+.2f degrees (%s %+.2f to %+.2f), wrong "
             "%+.4f (%+.4f to %+.4f)",
             rms.n, rms.estimate, few ? "range" : "95 % interval",
             few ? of->least : of->low, few ? of->largest : of->high,
             wrong.estimate, few ? its->least : its->low,
             few ? its->largest : its->high);
}

static void find_statistics(struct report *report)
{
    struct numbers first = { 0 }, second = { 0 };
    size_t count = report->study->reading_count;
    numbers_init(&first, count);
    numbers_init(&second, count);
    find_intervals(report, &first);
    find_difference(report, &first, &second);
    numbers_release(&first);
    numbers_release(&second);
}

/* The accuracy of the true headings in 3D, if they are not exact. */
static void describe_reference(struct report *report)
{
    const char *grids = !report->marched_by_3  ? "3 and 5"
                        : report->marched_by_5 ? "3 and 5, or 1 and 3,"
                                               : "1 and 3";
    if ((!report->marched_by_3 && !report->marched_by_5) || !report->reachable)
        return;
    snprintf(report->reference, sizeof report->reference,
             "Shortest paths round edges in 3D are extrapolated from grids %s "
             "times finer; %.1f %% of the cells are not counted, as the "
             "heading of their path may be off by more than 2 degrees",
             grids, 100. * (double)report->unsure / (double)report->reachable);
}

/* Does the recording have the place of --at and --oblique? */
static enum status check_place(const struct report *report,
                               const struct recording *recording,
                               struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    const int axis = report->place.axis;
    if (grid->dims != GRID_AXES)
        return error_set(
            error, STATUS_INPUT,
            "--%s: %s is 2D, and its map is one plane; leave --%s out",
            report->oblique ? "oblique" : "at", recording_path(recording),
            report->oblique ? "oblique" : "at");
    if (axis < 0 || (report->place.at >= 0 && report->place.at < extent[axis]))
        return STATUS_OK;
    return error_set(error, STATUS_INPUT, "--at '%s': %s has %c from 0 to %d",
                     report->at, recording_path(recording), "xyz"[axis],
                     extent[axis] - 1);
}

/* The one plane given by --at. */
static enum status parse_plane(const char *at, struct view_place *place,
                               struct error *error)
{
    struct place_range places[AT_KEYS] = { 0 };
    enum status status = place_range_parse(at, places, error);
    if (!status)
        status = place_range_plane(
            places, GRID_AXES, "--at: one plane is required: x=N, y=N or z=N",
            &place->axis, &place->at, error);
    if (!status && (places[AT_STEP].count || place->axis < 0))
        status =
            error_set(error, STATUS_INPUT,
                      "--at '%s': a plane is required: x=N, y=N or z=N", at);
    return status;
}

/* The part of a 3D recording that the maps show. */
static enum status choose_place(struct report *report, struct error *error)
{
    const struct study *study = report->study;
    enum status status = STATUS_OK;
    report->place = (struct view_place){ .axis = -1 };
    if (report->at && report->oblique)
        return error_set(error, STATUS_INPUT,
                         "--at and --oblique are two different views");
    if (report->at)
        status = parse_plane(report->at, &report->place, error);
    if (report->at || report->oblique)
        for (size_t i = 0; i < study->recording_count && !status; i++)
            status = check_place(report, study->recordings[i], error);
    return status;
}

/* Joins the texts that are not empty. */
static void join(const char *first, const char *between, const char *second,
                 char *out, size_t size)
{
    snprintf(out, size, "%s%s%s", first, *first && *second ? between : "",
             second);
}

/* The caption has two lines for them: of three texts the last two are in one
 * line. */
static void note_all(struct report *report)
{
    const char *low = report->low_reach, *difference = report->difference;
    char rest[sizeof report->remark];
    join(difference, "\n", report->reference, report->remark,
         sizeof report->remark);
    join(difference, *low ? ". " : "\n", report->reference, rest, sizeof rest);
    join(low, "\n", rest, report->note, sizeof report->note);
}

static enum status make(void *of, const struct study *study, int wave,
                        struct error *error)
{
    struct report *report = of;
    *report = (struct report){
        .study = study,
        .wave = wave,
        .wrong = report->wrong,
        .at = report->at,
        .oblique = report->oblique,
    };
    report->series = need_memory(study->group_count, sizeof *report->series);
    report->parts = need_memory(study->reading_count, sizeof *report->parts);
    enum status status = choose_place(report, error);
    for (size_t i = 0; i < study->recording_count; i++)
        report->deep |= recording_grid(study->recordings[i])->dims == GRID_AXES;
    for (size_t i = 0; i < study->reading_count && !status; i++)
        status = measure(report, i, error);
    if (!status)
        find_statistics(report);
    if (status)
        return status;
    for (int i = 0; i < SETTINGS; i++)
        report->varies[i] = varies(report, &against[i]);
    for (size_t g = 0; g < study->group_count; g++) {
        report->errors |= report->series[g].sum.counted > 0;
        report->causes |= report->series[g].sum.wrong > 0;
    }
    name_low_reach(report);
    describe_reference(report);
    note_all(report);
    return STATUS_OK;
}

static void release(void *of)
{
    struct report *report = of;
    for (size_t g = 0; report->series && g < report->study->group_count; g++) {
        memory_release(report->series[g].errors);
        memory_release(report->series[g].blank);
        memory_release(report->series[g].kind);
    }
    memory_release(report->series);
    memory_release(report->parts);
    *report = (struct report){ 0 };
}

static double at_lag(const struct series *series, int lag)
{
    return degrees * reflection_rms(series->sum.lag_squares[lag],
                                    series->sum.lag_count[lag]);
}

static double of_wrong(const struct reflection *sum, enum cause cause)
{
    return share(sum->lag_cause[0][cause], sum->wrong);
}

static const struct table_column columns[] = {
    { "n", .digits = 0,
      .meaning = "number of recordings with a heading error" },
    { "width", .digits = 0, .detail = true,
      .meaning =
          "median local width of the counted cells: side of the largest square "
          "(in 3D cube) of free cells that contains a cell (cells)" },
    { "delta", .digits = -1, .detail = true,
      .meaning = "squared Courant number (c dt/dh)^2 of the recordings" },
    { "threshold", .digits = -1, .detail = true,
      .meaning = "threshold of the detector (of the amplitude of the source)" },
    { "cells", .digits = 0, .detail = true,
      .meaning = "number of counted cells" },
    { "RMS error", .digits = 2,
      .meaning = "root mean square of the heading error at the first arrival "
                 "(degrees)" },
    { "RMS low", .digits = 2, .interval = "95 %", .ranged = true,
      .meaning = "lower end of its 95 % bootstrap interval over recordings, if "
                 "n > 4 (degrees)" },
    { "RMS high", .digits = 2,
      .meaning = "upper end of this interval (degrees)" },
    { "RMS least", .digits = 2,
      .meaning = "smallest of the recordings, if n is 2 to 4 (degrees)" },
    { "RMS largest", .digits = 2,
      .meaning = "largest of the recordings, if n is 2 to 4 (degrees)" },
    { "wrong", .digits = 4,
      .meaning = "share of the counted cells whose error is over 90 degrees, "
                 "or over --wrong" },
    { "wrong low", .digits = 4, .interval = "95 %", .ranged = true,
      .meaning = "lower end of its 95 % bootstrap interval over recordings, if "
                 "n > 4" },
    { "wrong high", .digits = 4, .meaning = "upper end of this interval" },
    { "wrong least", .digits = 4,
      .meaning = "smallest of the recordings, if n is 2 to 4" },
    { "wrong largest", .digits = 4,
      .meaning = "largest of the recordings, if n is 2 to 4" },
    { "phase", .digits = 3, .detail = true,
      .meaning = "share of the wrong headings where the wave travels away from "
                 "the source, and only the sign of its amplitude misleads" },
    { "echo", .digits = 3, .detail = true,
      .meaning = "share of the wrong headings where the wave travels back to "
                 "the source" },
    { "standing", .digits = 3, .detail = true,
      .meaning = "share of the wrong headings where the wave hardly travels" },
    { "stencil", .digits = 3, .detail = true,
      .meaning = "share of the wrong headings where the wave travels across, "
                 "beside a wall or a corner" },
    { "other", .digits = 3, .detail = true,
      .meaning = "share of the wrong headings without one of these causes" },
    { "unknown", .digits = 3, .detail = true,
      .meaning = "share of the wrong headings where the recording ends too "
                 "soon after the arrival" },
    { "reach", .digits = 3,
      .meaning = "share of the cells with a path to the source at which the "
                 "wave arrived; other cells have no error" },
    { "traced", .digits = 3,
      .meaning = "share of these cells from which a walk along the headings "
                 "ends at the source" },
    { "path ratio", .digits = 4, .detail = true,
      .meaning =
          "mean length of these walks over the length of the shortest path" },
    { "RMS error at lag 2", .digits = 1, .detail = true,
      .meaning =
          "RMS error of the heading 2 steps after the arrival (degrees)" },
    { "RMS error at lag 4", .digits = 1, .detail = true,
      .meaning =
          "RMS error of the heading 4 steps after the arrival (degrees)" },
    { "RMS error at lag 8", .digits = 1, .detail = true,
      .meaning =
          "RMS error of the heading 8 steps after the arrival (degrees)" },
    { "RMS error at lag 12", .digits = 1, .detail = true,
      .meaning =
          "RMS error of the heading 12 steps after the arrival (degrees)" },
    { "cutoff", .digits = 4, .detail = true,
      .meaning =
          "cutoff frequency of a corridor of this width (and height) with "
          "fixed walls, if 90 % of the cells have this width (rad/step)" },
    { "height", .digits = 0, .detail = true,
      .meaning = "3D only: median second extent of the cross-section (cells)" },
    { "path error", .digits = 2, .detail = true,
      .meaning = "3D only: estimated RMS error of the directions of the "
                 "shortest paths (degrees)" },
};
/* The last two are only in 3D. */
enum { COLUMNS = sizeof columns / sizeof *columns, FLAT_COLUMNS = COLUMNS - 2 };

static void describe_columns(FILE *out)
{
    table_describe("group", "settings that differ between the groups", out);
    table_describe_columns(columns, COLUMNS, out);
}

static void make_table(const void *of, struct table *table)
{
    const struct report *report = of;
    table_init(table, "group", columns, report->deep ? COLUMNS : FLAT_COLUMNS);
    for (size_t g = 0; g < report->study->group_count; g++) {
        const struct series *series = &report->series[g];
        const struct reflection *sum = &series->sum;
        const double numbers[COLUMNS] = {
            (double)series->squares.n,
            series->width,
            series->delta,
            series->threshold,
            (double)sum->counted,
            degrees * sqrt(series->squares.estimate),
            degrees * sqrt(series->squares.interval.low),
            degrees * sqrt(series->squares.interval.high),
            degrees * sqrt(series->squares.interval.least),
            degrees * sqrt(series->squares.interval.largest),
            series->wrong.estimate,
            series->wrong.interval.low,
            series->wrong.interval.high,
            series->wrong.interval.least,
            series->wrong.interval.largest,
            of_wrong(sum, CAUSE_PHASE),
            of_wrong(sum, CAUSE_ECHO),
            of_wrong(sum, CAUSE_STANDING),
            of_wrong(sum, CAUSE_STENCIL),
            of_wrong(sum, CAUSE_OTHER),
            of_wrong(sum, CAUSE_UNKNOWN),
            reach_of(series),
            share(sum->traced, sum->started),
            sum->traced ? sum->ratio / (double)sum->traced : (double)NAN,
            at_lag(series, 2),
            at_lag(series, 4),
            at_lag(series, 8),
            at_lag(series, 12),
            series->cutoff,
            series->height,
            degrees *
                reflection_rms(series->truth_squares, series->truth_counted),
        };
        table_add(table, report->study->groups[g].label, numbers);
    }
}

/* ---- the chart's data ---- */

/* One number for each group, after the row's own. */
static void write_row(const struct report *report, struct chart *chart,
                      double x, int i, double (*of)(const struct series *, int))
{
    size_t count = report->study->group_count;
    chart_number(chart, x, ' ');
    for (size_t g = 0; g < count; g++)
        chart_number(chart, of(&report->series[g], i),
                     g + 1 < count ? ' ' : '\n');
}

static double in_band(const struct series *series, int band)
{
    return degrees * reflection_rms(series->sum.band_squares[band],
                                    series->sum.band_count[band]);
}

static double of_angle(const struct series *series, int angle)
{
    return 100. * (double)series->sum.angle_count[angle] /
           (double)series->sum.counted;
}

static double of_spectrum(const struct series *series, int line)
{
    return series->has_spectrum ? series->spectrum[line] : (double)NAN;
}

/* The distances of the spectra's cells from the source. */
static void find_distances(const struct report *report, double *least,
                           double *most)
{
    *least = INFINITY;
    *most = 0;
    for (size_t g = 0; g < report->study->group_count; g++) {
        const struct series *series = &report->series[g];
        if (!series->has_spectrum)
            continue;
        *least = fmin(*least, series->spectrum_at);
        *most = fmax(*most, series->spectrum_at);
    }
}

static void write_curves(const struct report *report, struct chart *chart)
{
    int bands = REFLECTION_BANDS;
    for (bool any = false; bands > 1 && !any; bands -= !any)
        for (size_t g = 0; g < report->study->group_count; g++)
            any = any || report->series[g].sum.band_count[bands - 1];
    chart_block(chart, "lag",
                "steps after the arrival, then RMS heading error of each "
                "series (degrees)");
    for (int lag = 0; lag < FRONT_LAGS; lag++)
        write_row(report, chart, lag, lag, at_lag);
    chart_block(chart, "distance",
                "middle of the band of distances (cells), then RMS heading "
                "error of each series (degrees)");
    for (int band = 0; band < bands; band++)
        write_row(report, chart, REFLECTION_BAND_CELLS * (band + 0.5), band,
                  in_band);
    chart_block(chart, "histogram",
                "middle of the bin of errors (degrees), then share of each "
                "series' cells (per cent)");
    for (int angle = 0; angle < REFLECTION_ANGLES; angle++)
        write_row(report, chart, 180 * (angle + 0.5) / REFLECTION_ANGLES, angle,
                  of_angle);
    chart_block(chart, "spectrum",
                "frequency (radians per step), then amplitude of each series' "
                "wave (of its largest)");
    for (int line = 0; line < SPECTRUM_LINES; line++)
        write_row(report, chart, SPECTRUM_HIGHEST * (line + 1) / SPECTRUM_LINES,
                  line, of_spectrum);
    double least, most;
    find_distances(report, &least, &most);
    chart_block(chart, "distances",
                "distance of the spectra's cells from the source: smallest, "
                "largest (cells)");
    CHART_ROW(chart, least, most);
    chart_block(chart, "cutoff",
                "series, lowest frequency of its corridor (radians per step), "
                "half its period (steps)");
    for (size_t g = 0; g < report->study->group_count; g++) {
        double cutoff = report->series[g].has_spectrum
                            ? report->series[g].cutoff
                            : (double)NAN;
        CHART_ROW(chart, (double)(g + 1), cutoff,
                  acos(-1) / report->series[g].cutoff);
    }
}

/* ---- stacks: percentages of the headings at a place that are wrong, by cause
 * ---- */

/* `x` and the width of the stack; then the tops of its parts, each above the
 * one before. */
static void write_stack(struct chart *chart, double x, double wide,
                        const int64_t of[CAUSES], int64_t counted)
{
    double top = 0;
    if (!counted)
        return;
    chart_number(chart, x, ' ');
    chart_number(chart, wide, ' ');
    for (int cause = 0; cause < CAUSES; cause++) {
        top += 100. * (double)of[cause] / (double)counted;
        chart_number(chart, top, cause + 1 < CAUSES ? ' ' : '\n');
    }
}

/* Does the cause have a part in a stack of any panel that is drawn? */
static bool has_cause(const struct report *report, enum cause cause)
{
    const size_t groups = report->study->group_count;
    for (size_t g = 0; g < groups; g++)
        for (int k = 0; k < (groups == 1 ? FRONT_CAUSES : 1); k++)
            if (report->series[g].sum.lag_cause[k][cause])
                return true;
    return false;
}

static void name_stacks(const struct report *report, struct chart *chart)
{
    for (enum cause cause = 0; cause < CAUSES; cause++)
        if (has_cause(report, cause))
            chart_entry(chart, CAUSE_LEGEND, 0, 51 + (int)cause, "%s",
                        cause_names[cause]);
}

static void write_stacks(const struct report *report, struct chart *chart)
{
    static const char columns_of[] = "%s, width of the stack, then the top of "
                                     "each part: %s, %s, %s, %s, %s, "
                                     "%s (per cent of the headings)";
    static const char *const blocks[][2] = {
        { "cause", "group" },
        { "cause-width", "mean local width (cells)" },
        { "cause-distance", "middle of the band of distances (cells)" },
        { "cause-lag", "steps after the arrival" },
    };
    const struct reflection *sum = &report->series[0].sum;
    const struct reflection_bin *widths = sum->across[ACROSS_WIDTH];
    for (int block = 0; block < 4; block++) {
        char text[300];
        snprintf(text, sizeof text, columns_of, blocks[block][1],
                 cause_names[0], cause_names[1], cause_names[2], cause_names[3],
                 cause_names[4], cause_names[5]);
        chart_block(chart, blocks[block][0], text);
        for (size_t g = 0; block == 0 && g < report->study->group_count; g++)
            write_stack(chart, (double)(g + 1), .7,
                        report->series[g].sum.lag_cause[0],
                        report->series[g].sum.counted);
        for (int bin = 0; block == 1 && bin < REFLECTION_WIDTHS; bin++)
            write_stack(chart, widths[bin].sum / (double)widths[bin].count, .7,
                        widths[bin].cause, widths[bin].count);
        for (int band = 0; block == 2 && band < REFLECTION_BANDS; band++)
            write_stack(chart, REFLECTION_BAND_CELLS * (band + .5),
                        .8 * REFLECTION_BAND_CELLS, sum->band_cause[band],
                        sum->band_count[band]);
        for (int k = 0; block == 3 && k < FRONT_CAUSES; k++)
            write_stack(chart, front_cause_lags[k], 1.4, sum->lag_cause[k],
                        sum->lag_counted[k]);
    }
    name_stacks(report, chart);
}

static bool has_points(const struct series *series, int i)
{
    int across = across_of(&against[i]);
    bool any = across < 0 && !isnan(value_of(series, &against[i]));
    for (int bin = 0; across >= 0 && bin < REFLECTION_WIDTHS; bin++)
        any = any || series->sum.across[across][bin].count;
    return any;
}

/* The names of a panel's lines, and the lines that are not drawn. */
static void name_lines(const struct report *report, int i, struct chart *chart)
{
    struct study_lines lines;
    size_t count = report->study->group_count;
    study_lines_make(report->study, against[i].key, &lines);
    bool *shown = need_memory(count, sizeof *shown);
    for (size_t g = 0; g < count; g++)
        if (has_points(&report->series[g], i))
            shown[lines.of[g]] = true;
    study_lines_name(&lines, shown, i, chart);
    for (size_t k = 0; k < lines.drawn_count && lines.drawn_count > 1; k++)
        chart_entry(chart, LINES_LEGEND + i, 31 + (int)k, 31 + (int)k, "%s",
                    lines.label[lines.drawn[k]]);
    if (*lines.left_out)
        chart_entry(chart, LINES_LEGEND + i, 0, 0, "%s", lines.left_out);
    if (report->low_reach[0])
        chart_entry(chart, LINES_LEGEND + i, 0, 41,
                    "open symbols: reach below 0.95");
    memory_release(shown);
    study_lines_release(&lines);
}

/* A point of a panel with a setting as abscissa: a group, or for width and
 * height the cells of this width or height in a line's groups. */
struct point {
    double x, y, reach, low, high;
    size_t line, group; /* its line: groups that differ only in this setting */
};

static int by_line_and_x(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

static void set_error(struct point *point, const struct ratio *squares)
{
    point->y = degrees * sqrt(squares->estimate);
    double low, high;
    interval_bar(&squares->interval, &low, &high);
    point->low = degrees * sqrt(low);
    point->high = degrees * sqrt(high);
}

/* The cells of a bin in all groups of a line; x NaN: there are none. */
static void pool_bin(const struct report *report,
                     const struct study_lines *lines, size_t line, int across,
                     int bin, struct numbers *numbers, struct point *point)
{
    const struct study *study = report->study;
    double extents = 0;
    int64_t count = 0, reached = 0, reachable = 0;
    *point = (struct point){ .line = line };
    for (size_t g = study->group_count; g-- > 0;) {
        const struct reflection_bin *of =
            &report->series[g].sum.across[across][bin];
        if (lines->of[g] != line || !of->count)
            continue;
        extents += of->sum;
        count += of->count;
        reached += of->reached;
        reachable += of->reachable;
        point->group = g;
    }
    for (size_t i = 0; i < study->reading_count; i++)
        if (lines->of[study->readings[i].group] == line)
            numbers_add(numbers, report->parts[i].across[across][bin].squares,
                        report->parts[i].across[across][bin].count);
    point->x = extents / (double)count;
    point->reach = share(reached, reachable);
    const struct ratio squares = numbers_take(numbers);
    set_error(point, &squares);
}

static void find_bins(const struct report *report,
                      const struct study_lines *lines, int across,
                      struct point *points, size_t *count)
{
    struct numbers numbers = { 0 };
    numbers_init(&numbers, report->study->reading_count);
    for (size_t line = 0; line < lines->count; line++)
        for (int bin = 0; bin < REFLECTION_WIDTHS; bin++) {
            pool_bin(report, lines, line, across, bin, &numbers,
                     &points[*count]);
            *count += !isnan(points[*count].x);
        }
    numbers_release(&numbers);
}

/* `points` has room for REFLECTION_WIDTHS + 1 for each group. */
static void find_points(const struct report *report,
                        const struct setting *setting,
                        const struct study_lines *lines, struct point *points,
                        size_t *count)
{
    if (across_of(setting) >= 0) {
        find_bins(report, lines, across_of(setting), points, count);
        return;
    }
    for (size_t g = 0; g < report->study->group_count; g++) {
        struct point *point = &points[*count];
        *point = (struct point){
            .x = value_of(&report->series[g], setting),
            .reach = reach_of(&report->series[g]),
            .line = lines->of[g],
            .group = g,
        };
        set_error(point, &report->series[g].squares);
        *count += !isnan(point->x);
    }
}

static void write_points(const struct report *report, struct chart *chart,
                         const struct setting *setting)
{
    const struct study *study = report->study;
    struct study_lines lines;
    study_lines_make(study, setting->key, &lines);
    struct point *points = need_memory(
        study->group_count, (REFLECTION_WIDTHS + 1) * sizeof *points);
    size_t count = 0;
    find_points(report, setting, &lines, points, &count);
    qsort(points, count, sizeof *points, by_line_and_x);
    chart_block(
        chart, setting->name,
        "value, RMS heading error (degrees), first series, line, "
        "reach, 95 % interval of the error over 5 readings or more: "
        "from, to; an empty line between settings that differ otherwise");
    for (size_t i = 0; i < count; i++) {
        if (i && points[i].line != points[i - 1].line)
            chart_gap(chart);
        CHART_ROW(chart, points[i].x, points[i].y,
                  (double)(points[i].group + 1), (double)(points[i].line + 1),
                  points[i].reach, points[i].low, points[i].high);
    }
    memory_release(points);
    study_lines_release(&lines);
}

/* Does a group that is drawn have a cutoff between these (radians a step)? */
static bool has_cutoffs(const struct report *report, double least, double most)
{
    for (size_t g = 0; g < study_drawn(report->study, NULL); g++)
        if (report->series[g].cutoff >= least &&
            report->series[g].cutoff <= most)
            return true;
    return false;
}

/* Is a recording read in several groups? Their spectra are the same. */
static bool shares_waves(const struct study *study)
{
    for (size_t g = 1; g < study_drawn(study, NULL); g++)
        if (!study_group_is_first(study, g))
            return true;
    return false;
}

static enum status write_data(const void *of, struct chart *chart,
                              struct error *error)
{
    const struct report *report = of;
    if (has_cutoffs(report, 0, SPECTRUM_HIGHEST))
        chart_entry(chart, SPECTRUM_LEGEND, 0, 0,
                    report->deep
                        ? "vertical lines: cutoff of a duct with fixed walls"
                        : "vertical lines: cutoff of a corridor with fixed "
                          "walls");
    if (shares_waves(report->study))
        chart_entry(chart, SPECTRUM_LEGEND, 0, 0,
                    "readings of the same wave share one line");
    for (int i = 0; i < HEIGHT; i++)
        if (report->varies[i] || (i == WIDTH && report->varies[HEIGHT]))
            name_lines(report, i, chart);
    write_curves(report, chart);
    for (int i = 0; i < SETTINGS; i++)
        if (report->varies[i])
            write_points(report, chart, &against[i]);
    if (report->causes)
        write_stacks(report, chart);
    return STATUS_OK;
}

static void name_spectrum(const struct report *report, char *title, size_t size)
{
    double least, most;
    find_distances(report, &least, &most);
    int near = (int)floor(least + .5), far = (int)floor(most + .5);
    if (near < far)
        snprintf(title, size, "spectrum, %d to %d cells from the source", near,
                 far);
    else
        snprintf(title, size, "spectrum, %d cells from the source", near);
}

static bool is_shown(const struct report *report, int panel)
{
    bool alone = report->study->group_count == 1;
    if (panel >= CAUSE_PANEL)
        return report->causes && alone == (panel > CAUSE_PANEL) &&
               (panel != CAUSE_WIDTH_PANEL || report->varies[WIDTH]);
    if (panel >= FIRST_SETTING_PANEL)
        return report->varies[panel - FIRST_SETTING_PANEL];
    return panel == SPECTRUM_PANEL || report->errors;
}

/* The panels with data. */
static void choose_panels(const void *of, struct chart_figure *figure)
{
    const struct report *report = of;
    /* The axis ends at half a period of 30 steps. */
    snprintf(figure->numbers, sizeof figure->numbers, "cutoffs = %d\n",
             has_cutoffs(report, acos(-1) / 30, INFINITY));
    for (int i = 0; i < PANELS; i++) {
        if (!is_shown(report, i))
            continue;
        struct chart_panel *panel = &figure->panels[figure->count++];
        *panel = panels[i];
        if (i == SPECTRUM_PANEL)
            name_spectrum(report, panel->title, sizeof panel->title);
        if (i == CAUSE_PANEL) {
            size_t groups = report->study->group_count;
            snprintf(panel->x_range, sizeof panel->x_range, "[.4:%zu.6]",
                     groups);
            panel->x_tics = groups > 15 ? 0 : 1;
            panel->numbers = groups <= CHART_STYLES;
            if (!panel->numbers)
                panel->x = "group (in the order of the table)";
        }
    }
}

/* Of enum reflection_blank, from 1 on; and with marched paths. */
static const char *const blanks[] = {
    "not counted: near the source or a corner, or two equally short paths",
    "no arrival",
    "no path to the source",
};
static const char *const marched_blanks[] = {
    "not counted: near source or edge, two equal paths, or path uncertain",
    "no arrival",
    "no path to the source",
};

static struct study_map map_of(const void *of, size_t group)
{
    const struct report *report = of;
    const struct study *study = report->study;
    return (struct study_map){
        .recording = study->readings[study->groups[group].first].recording,
        .place = report->place.axis >= 0
                     ? report->place
                     : (struct view_place){ .axis = 2,
                                            .at = report->series[group].layer },
        .oblique = report->oblique,
        .wave = report->wave,
        .name = "heading error",
        .values = report->series[group].errors,
        .kind = report->series[group].blank,
        .kinds = report->marched_by_3 || report->marched_by_5 ? marched_blanks
                                                              : blanks,
    };
}

/* Empty if no heading of the group's first reading is wrong. */
static struct study_map causes_of(const void *of, size_t group)
{
    const struct report *report = of;
    struct study_map map = map_of(of, group);
    map.name = "cause";
    map.values = NULL;
    map.kind = report->series[group].kind;
    map.kinds = front_kind_names;
    map.colours = front_kind_colors;
    const struct grid *grid = recording_grid(map.recording);
    for (size_t i = 0; i < grid_cells(grid); i++)
        if (map.kind[i] && map.kind[i] <= CAUSES)
            return map;
    return (struct study_map){ 0 };
}

static const char notes[] =
    "The recordings are of corridors, or other maps (samples/corridors, in 3D\n"
    "samples/ducts). If amplitude and gradient of every step were not\n"
    "recorded, the run is computed again. An error is the angle between\n"
    "the heading at a cell's first arrival and the exact shortest path. Cells\n"
    "are counted if they are farther than 3 from the source, farther than 2\n"
    "from the next corner of their path, and have no second path of the same\n"
    "length. In 3D paths are exact in ducts that lie in a plane, and in sight\n"
    "of the source. Other paths are extrapolated from two finer grids; cells\n"
    "whose path may be wrong by more than 2 degrees are not counted\n"
    "(docs/reference/metrics.md, Metrics).\n"
    "\n"
    "With several recordings in a group the error bars of the chart are the\n"
    "95 % bootstrap interval over recordings. If two groups have the same\n"
    "sources and maps, their paired difference is printed. If a wave reached\n"
    "less than 0.95 of the cells, its points are open, and the caption names\n"
    "it.\n"
    "--table tex leaves out some columns, so that the table fits a page of 17\n"
    "cm; the other formats have all. --help columns describes them.\n"
    "BASE-cause-N.png are maps of the causes, if a heading is wrong, and\n"
    "BASE-map-N.png of the error, made with the chart's PNG from the first\n"
    "recording of a group. A key below each explains cells without a value:\n"
    "not counted, as above; without an arrival in the recorded steps; or\n"
    "without a path to the source.\n"
    "  hamon-reflection -o walls --vary arrival.heading=paper,signed c-*.h5\n";

/* A note on the cells without an arrival: no panel except the spectrum includes
 * their errors. */
static const char *note(const void *of, const struct chart_figure *figure)
{
    for (size_t k = 0; k < figure->count; k++)
        if (strcmp(figure->panels[k].name, panels[SPECTRUM_PANEL].name) != 0)
            return ((const struct report *)of)->note;
    return "";
}

static const char *remark(const void *of)
{
    const struct report *report = of;
    return report->errors ? report->remark
                          : "warning: there is no heading error to draw: the "
                            "waves arrived at no cell that counts (--help)";
}

int main(int argc, char **argv)
{
    struct report report = { .wrong = 90 };
    const struct cli_option own[] = {
        { CLI_REAL, 0, "wrong", "DEGREES",
          "a heading with a larger error than this is wrong (90)",
          &report.wrong, 1, 180 },
        { CLI_TEXT, 0, "at", "PLANE",
          "for 3D recordings, the plane of the maps, as in z=5 or\n"
          "x=12 (the layer z of the source)",
          &report.at, 0, 0 },
        { CLI_FLAG, 0, "oblique", NULL,
          "for 3D recordings, several layers instead of a plane, seen\n"
          "from above and in front: of each floor the one with the\n"
          "fewest walls",
          &report.oblique, 0, 0 },
        { 0 },
    };
    const struct study_program program = {
        .name = "hamon-reflection",
        .field = "error",
        .purpose = "Measures how far headings at first arrivals are from the "
                   "shortest paths.",
        .notes = notes,
        .own = own,
        .commands = reflection_gp,
        .report = &report,
        .make = make,
        .release = release,
        .table = make_table,
        .columns = describe_columns,
        .note = note,
        .remark = remark,
        .map = map_of,
        .second_map = causes_of,
        .second_name = "cause",
        .data = write_data,
        .panels = choose_panels,
    };
    return study_program_main(&program, argc, argv);
}
