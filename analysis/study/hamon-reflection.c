/* SPDX-License-Identifier: MIT */
/* hamon-reflection: the errors of headings behind walls. */
#include "analysis/study/crest.h"
#include "analysis/study/program.h"
#include "analysis/study/reflection.h"
#include "base/crc32c.h"
#include "base/memory.h"
#include "base/need.h"
#include "cli/range.h"
#include "metrics/summary.h"
#include "wave/arrival/detector.h"
#include "words/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The chart's panels, in their order on a page (reflection.gp). */
enum {
    MAP_PANEL,
    ALONG_PANEL,
    HEATMAP_PANEL,
    CAUSE_PANEL,
    WIDTH_PANEL, /* over the settings, in the order of `against` */
    LAG_PANEL = WIDTH_PANEL + 4,
    DISTANCE_PANEL,
    HISTOGRAM_PANEL,
    SPECTRUM_PANEL,
    CAUSE_WIDTH_PANEL, /* stacks of the first group with most wrong headings */
    CAUSE_DISTANCE_PANEL,
    CAUSE_LAG_PANEL,
    PAST_BEND_PANEL,
    PANELS
};
static const char *const panel_names[PANELS] = {
    "map",         "along",          "heatmap",   "cause",
    "width",       "threshold",      "delta",     "height",
    "lag",         "distance",       "histogram", "spectrum",
    "cause_width", "cause_distance", "cause_lag", "past_bend",
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
    double expected; /* where wrong headings begin (crest.h); NaN: unknown */
    /* Of the true headings: Σ of the squares of their errors, and the number of
     * cells. */
    double truth_squares;
    int64_t truth_counted;
    double spectrum_at;              /* its cell's distance from the source */
    double spectrum[SPECTRUM_LINES]; /* |Z| over its maximum */
    int source[GRID_AXES]; /* of the first reading, and the bends behind it */
    struct reflection_bend bends[REFLECTION_BENDS];
    size_t bend_count;
    double *errors; /* of the first reading, (nz, ny, nx), degrees; or NaN */
    uint8_t *blank; /* why there is no error (enum reflection_blank) */
    uint8_t *kind;  /* 1 + its kind on a map of causes */
};

/* The contribution of one reading to its group, for intervals over readings;
 * and the data by which readings of two groups are paired. */
struct reading_sums {
    double squares, counted, wrong;
    struct {
        double squares, wrong, count;
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
    bool bends;                 /* is any past a bend, in a known width? */
    double wrong;               /* degrees; a larger error is wrong */
    size_t mapped;              /* the group with most wrong headings */
    /* Lines of the caption; "": none; in English and as they are drawn. Groups
     * whose waves did not reach many cells; their errors are of the others. */
    char low_reach[2][400];
    char difference[2][500]; /* of two paired groups */
    char reference[2][400];  /* of the true headings, if not all are exact */
    /* In 3D: cells with a path, and those of them that are uncertain; the grids
     * on which paths were marched. */
    int64_t reachable, unsure;
    bool marched_by_3, marched_by_5;
    char note[2][1400];      /* the existing texts, for the caption */
    char remark[1000];       /* the same below the table */
    const char *at;          /* as given by --at; NULL: not given */
    const char *by;          /* of by_words: rows of the table; or NULL */
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

static bool is_set(const struct study *study, const struct reading *reading,
                   const char *key, const char *value)
{
    const char *set = reading_setting(study, reading, key);
    return set && strcmp(set, value) == 0;
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
    bool cut = width > 0 && alike &&
               is_set(report->study, reading, "wave.walls", "fixed");
    settle(&series->width, width > 0 ? width : (double)NAN, first);
    settle(&series->height, height > 0 ? height : (double)NAN, first);
    settle(&series->delta, delta, first);
    settle(&series->threshold, threshold ? settings->threshold : (double)NAN,
           first);
    settle(&series->cutoff,
           cut ? cause_cutoff(delta, width, height, true) : (double)NAN, first);
}

/* Where wrong headings are expected to begin: by the law of an impulse's first
 * crest, if it applies. */
static void expect(struct report *report, size_t number)
{
    const struct study *study = report->study;
    const struct reading *reading = &study->readings[number];
    struct series *series = &report->series[reading->group];
    const bool first = study->groups[reading->group].first == number;
    double bends[REFLECTION_BENDS], own = NAN;
    for (size_t i = 0; i < series->bend_count; i++)
        bends[i] = series->bends[i].distance;
    if (recording_grid(reading->recording)->dims == 2 &&
        !isnan(series->cutoff) && !isnan(series->threshold) &&
        is_set(study, reading, "arrival.heading", "paper") &&
        is_set(study, reading, "wave.source", "impulse") &&
        is_set(study, reading, "wave.stencil", "5-point"))
        own = crest_reach(series->delta, (int)series->width, series->threshold,
                          bends, series->bend_count);
    settle(&series->expected, own, first);
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

static int64_t wrong_in(const struct reflection_bin *bin)
{
    int64_t wrong = 0;
    for (int cause = 0; cause < CAUSES; cause++)
        wrong += bin->cause[cause];
    return wrong;
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
            part->across[across][bin].wrong = (double)wrong_in(of);
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
    if (!status && first) {
        grid_cell(&front.terrain.grid, front.source, series->source);
        series->bend_count = reflection_bends(&front, &truth, series->bends);
    }
    if (!status)
        expect(report, number);
    if (!status)
        add_reading(report, number, &front, &truth);
    if (!status && first)
        fill_maps(&front, &truth, series);
    if (!status && first && study_group_is_first(study, reading->group)) {
        series->spectrum_at = SPECTRUM_DISTANCE;
        status = take_spectrum(reading->recording, report->wave, &truth,
                               &series->spectrum_at, series->spectrum, error);
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

static void name_low_reach(struct report *report, bool drawn)
{
    enum { MOST = 200 }; /* bytes; the other names are only counted */
    char *text = report->low_reach[drawn];
    size_t size = sizeof *report->low_reach, used = 0, more = 0;
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
                 : words_if(drawn, "The waves did not reach all cells (reach "
                                   "below 0.95), and cells without an arrival "
                                   "have no error: "),
            report->study->groups[g].label, reach);
    }
    if (more)
        snprintf(text + used, size - used, words_if(drawn, "; and %zu more"),
                 more);
}

/* The possible abscissas of panels. */
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
    for (size_t i = 0; i < study->asked->pool.count; i++)
        if (strcmp(study->asked->pool.items[i], "map.file") != 0)
            return;
    if (study->asked->by.count)
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
    for (int drawn = 0; drawn < 2; drawn++)
        snprintf(report->difference[drawn], sizeof *report->difference,
                 words_if(drawn, "From the first group to the second, paired "
                                 "over %zu sources and maps: RMS error %+.2f "
                                 "degrees (%s %+.2f to %+.2f), wrong %+.4f "
                                 "(%+.4f to %+.4f)"),
                 rms.n, rms.estimate,
                 few ? words_if(drawn, "range")
                     : words_if(drawn, "95 % interval"),
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
    const char *grids = !report->marched_by_3  ? N_("3 and 5")
                        : report->marched_by_5 ? N_("3 and 5, or 1 and 3,")
                                               : N_("1 and 3");
    if ((!report->marched_by_3 && !report->marched_by_5) || !report->reachable)
        return;
    for (int drawn = 0; drawn < 2; drawn++)
        snprintf(report->reference[drawn], sizeof *report->reference,
                 words_if(drawn,
                          "Shortest paths round edges in 3D are extrapolated "
                          "from grids %s times finer; %.1f %% of the cells "
                          "are not counted, as the heading of their path may "
                          "be off by more than 2 degrees"),
                 words_if(drawn, grids),
                 100. * (double)report->unsure / (double)report->reachable);
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
    join(report->difference[0], "\n", report->reference[0], report->remark,
         sizeof report->remark);
    for (int drawn = 0; drawn < 2; drawn++) {
        char rest[sizeof report->remark];
        const char *low = report->low_reach[drawn];
        join(report->difference[drawn], *low ? ". " : "\n",
             report->reference[drawn], rest, sizeof rest);
        join(low, "\n", rest, report->note[drawn], sizeof *report->note);
    }
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
        .by = report->by,
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
        for (int band = 0; band < REFLECTION_BANDS; band++)
            report->bends |= report->series[g].width > 0 &&
                             report->series[g].sum.by[PAST_BEND].count[band];
        if (report->series[g].sum.wrong >
            report->series[report->mapped].sum.wrong)
            report->mapped = g;
    }
    name_low_reach(report, false);
    name_low_reach(report, true);
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
    { "wrong from", .digits = 1, .detail = true,
      .meaning = "distance from the source of the first band of 5 cells in "
                 "which a tenth of the headings is wrong, its middle (cells)" },
    { "expected from", .digits = 1, .detail = true,
      .meaning = "the same by the law of an impulse's first crest: 2D, fixed "
                 "walls, one width, threshold, paper heading, 5-point stencil "
                 "(cells)" },
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
static const struct table_column distance_columns[] = {
    { "distance", .digits = 1,
      .meaning =
          "from the source along the shortest path, the middle of a band "
          "of 5 (cells)" },
    { "distance in widths", .digits = 2,
      .meaning = "the same over the median local width" },
    { "bends", .digits = 0,
      .meaning = "number of bends before it, of the shortest path to the "
                 "farthest cell of the first recording; none in 3D if paths "
                 "are not exact" },
    { "past the bend", .digits = 1,
      .meaning = "distance from the last of them (cells)" },
    { "past the bend in widths", .digits = 2,
      .meaning = "the same over the median local width" },
    { "headings", .digits = 0, .meaning = "number of counted cells" },
    { "wrong", .digits = 4, .meaning = "share of wrong headings" },
    { "phase", .digits = 4, .meaning = "share wrong by this cause" },
    { "echo", .digits = 4, .meaning = "the same" },
    { "standing", .digits = 4, .meaning = "the same" },
    { "stencil", .digits = 4, .meaning = "the same" },
    { "other", .digits = 4, .meaning = "the same" },
    { "unknown", .digits = 4, .meaning = "the same" },
    { "RMS error", .digits = 2,
      .meaning = "root mean square of the heading error (degrees)" },
};
/* The rows of --by past-bend have the columns from the fourth on. */
enum {
    DISTANCE_COLUMNS = sizeof distance_columns / sizeof *distance_columns,
    PAST_COLUMN = 3
};
static const char by_distance[] = "distance", by_past_bend[] = "past-bend";
static const char *const by_words[] = { by_distance, by_past_bend, NULL };

/* The last two are only in 3D. */
enum { COLUMNS = sizeof columns / sizeof *columns, FLAT_COLUMNS = COLUMNS - 2 };

static void describe_columns(FILE *out)
{
    table_describe("group", "settings that differ between the groups", out);
    table_describe("KEY", "in csv and json: each of these settings", out);
    table_describe_columns(columns, COLUMNS, out);
    fputs(
        "\nWith --by distance (phase to unknown are shares of the headings):\n",
        out);
    table_describe_columns(distance_columns, DISTANCE_COLUMNS, out);
    fputs(
        "\nWith --by past-bend: these columns from past the bend on, in bands "
        "of 5 cells\nof the distance past the last bend of each cell's own "
        "shortest path.\n",
        out);
}

static size_t bends_before(const struct series *series, double distance)
{
    size_t count = 0;
    while (count < series->bend_count &&
           series->bends[count].distance <= distance)
        count++;
    return count;
}

/* The numbers of a band of distances, in the order of distance_columns; false:
 * it has no headings. */
static bool find_band(const struct series *series, int abscissa, int band,
                      double numbers[DISTANCE_COLUMNS])
{
    const struct reflection_bands *by = &series->sum.by[abscissa];
    const int64_t count = by->count[band];
    const double middle = REFLECTION_BAND_CELLS * (band + .5);
    const size_t bends = bends_before(series, middle);
    double past = middle;
    if (abscissa == FROM_SOURCE)
        past = bends ? middle - series->bends[bends - 1].distance : (double)NAN;
    int64_t wrong = 0;
    for (int cause = 0; cause < CAUSES; cause++) {
        wrong += by->cause[band][cause];
        numbers[7 + cause] = share(by->cause[band][cause], count);
    }
    numbers[0] = middle;
    numbers[1] = middle / series->width;
    numbers[2] = (double)bends;
    numbers[3] = past;
    numbers[4] = past / series->width;
    numbers[5] = (double)count;
    numbers[6] = share(wrong, count);
    numbers[7 + CAUSES] = degrees * reflection_rms(by->squares[band], count);
    return count;
}

/* The middle of the first band in which a tenth is wrong, NaN: none. */
static double wrong_from(const struct series *series)
{
    double of[DISTANCE_COLUMNS];
    for (int band = 0; band < REFLECTION_BANDS; band++)
        if (find_band(series, FROM_SOURCE, band, of) && of[6] >= .1)
            return of[0];
    return (double)NAN;
}

static void make_by(const struct report *report, struct table *table)
{
    const struct study *study = report->study;
    const int abscissa = report->by == by_past_bend ? PAST_BEND : FROM_SOURCE;
    const size_t left_out = abscissa == PAST_BEND ? PAST_COLUMN : 0;
    double numbers[DISTANCE_COLUMNS];
    study_table_init(study, table, distance_columns + left_out,
                     DISTANCE_COLUMNS - left_out);
    for (size_t g = 0; g < study->group_count; g++)
        for (int band = 0; band < REFLECTION_BANDS; band++)
            if (find_band(&report->series[g], abscissa, band, numbers))
                study_table_add(study, table, g, numbers + left_out);
}

static void make_table(const void *of, struct table *table)
{
    const struct report *report = of;
    if (report->by) {
        make_by(report, table);
        return;
    }
    study_table_init(report->study, table, columns,
                     report->deep ? COLUMNS : FLAT_COLUMNS);
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
            wrong_from(series),
            series->expected,
            series->cutoff,
            series->height,
            degrees *
                reflection_rms(series->truth_squares, series->truth_counted),
        };
        study_table_add(report->study, table, g, numbers);
    }
}

/* ---- the chart: tables and options for reflection.gp ---- */

/* A line is of the groups that differ only in the map. Of each line that is
 * drawn one group has curves: that on the map that is shown, or that with most
 * wrong headings. */
enum { LINES_MOST = 6, ROWS_MOST = 40, CELLS_LEAST = 5 };

struct layout {
    const struct report *report;
    struct study_lines lines;
    char **words, **line_words; /* of each group; of each without the map */
    size_t drawn, group[LINES_MOST];
};

static const char *map_of_group(const struct report *report, size_t group)
{
    const struct study *study = report->study;
    const char *file = reading_setting(
        study, &study->readings[study->groups[group].first], "map.file");
    return file ? file : "";
}

/* Is the first of the groups better to draw for a line? */
static bool is_better(const struct report *report, size_t one, size_t other)
{
    const char *file = map_of_group(report, report->mapped);
    const bool here = !strcmp(map_of_group(report, one), file);
    const bool there = !strcmp(map_of_group(report, other), file);
    return here != there ? here
                         : report->series[one].sum.wrong >
                               report->series[other].sum.wrong;
}

static void layout_init(struct layout *layout, const struct report *report)
{
    const struct study *study = report->study;
    *layout = (struct layout){
        .report = report,
        .words = need_memory(study->group_count, sizeof *layout->words),
        .line_words = need_memory(study->group_count, sizeof *layout->words),
    };
    study_lines_make(study, "map.file", &layout->lines);
    study_words(study, layout->words);
    study_words_without(study, "map.file", layout->line_words);
    layout->drawn =
        layout->lines.count < LINES_MOST ? layout->lines.count : LINES_MOST;
    for (size_t line = 0; line < layout->drawn; line++) {
        size_t best = study->group_count;
        for (size_t g = study->group_count; g-- > 0;)
            if (layout->lines.of[g] == line &&
                (best == study->group_count || !is_better(report, best, g)))
                best = g;
        layout->group[line] = best;
    }
}

static void layout_release(struct layout *layout)
{
    for (size_t g = 0; g < layout->report->study->group_count; g++) {
        memory_release(layout->words[g]);
        memory_release(layout->line_words[g]);
    }
    memory_release(layout->words);
    memory_release(layout->line_words);
    study_lines_release(&layout->lines);
}

/* The group's line, from 1, if it has the curve of this line; else 0. */
static double line_of(const struct layout *layout, size_t group)
{
    for (size_t line = 0; line < layout->drawn; line++)
        if (layout->group[line] == group)
            return (double)line + 1;
    return 0;
}

/* A table with a column for each setting that differs behind the others. */
static void begin_table(const struct layout *layout, struct chart *chart,
                        const char *name, const char *what, const char *numbers)
{
    const struct study *study = layout->report->study;
    char *all = need_text(numbers);
    for (size_t k = 0; k < study->key_count; k++) {
        char *more = need_format("%s,%s", all, study->keys[k]);
        memory_release(all);
        all = more;
    }
    chart_table(chart, name, what, all);
    memory_release(all);
}

/* A row of numbers, then the group's settings. */
static void put_row(const struct layout *layout, struct chart *chart,
                    size_t group, const double *numbers, size_t count)
{
    const struct study *study = layout->report->study;
    const struct reading *reading =
        &study->readings[study->groups[group].first];
    for (size_t i = 0; i < count; i++)
        chart_number(chart, numbers[i],
                     i + 1 < count || study->key_count ? ',' : '\n');
    for (size_t k = 0; k < study->key_count; k++) {
        const char *value = reading_setting(study, reading, study->keys[k]);
        chart_word(chart, value ? value : "",
                   k + 1 < study->key_count ? ',' : '\n');
    }
}
#define PUT_ROW(layout, chart, group, ...)                                     \
    put_row(layout, chart, group, (const double[]){ __VA_ARGS__ },             \
            sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))

static double percent(int64_t part, int64_t whole)
{
    return 100 * share(part, whole);
}

/* ---- the map ---- */

/* A plane of the first recording of the group with most wrong headings. */
static struct cut plane_of(const struct report *report)
{
    struct cut cut;
    const struct study *study = report->study;
    const struct view_place *place = &report->place;
    const int axis = place->axis >= 0 ? place->axis : 2;
    const size_t first = study->groups[report->mapped].first;
    cut_make(recording_grid(study->readings[first].recording), axis,
             place->axis >= 0 ? (int)place->at
                              : report->series[report->mapped].source[2],
             &cut);
    return cut;
}

/* The cell's kind, 1 + …; 0: a wall, or cut off. */
static uint8_t kind_at(const struct series *series, const struct cut *cut,
                       int x, int y)
{
    const size_t cell = cut_first(cut) + (size_t)x * cut_column_stride(cut) +
                        (size_t)y * cut_row_stride(cut);
    const bool blank = series->blank[cell] == BLANK_NONE ||
                       series->blank[cell] == BLANK_CUT_OFF;
    return blank && isnan(series->errors[cell]) ? 0 : series->kind[cell];
}

/* Rectangles of one kind: each begins at the first cell that is in none. */
static void write_map(const struct report *report, struct chart *chart)
{
    const struct series *series = &report->series[report->mapped];
    const struct cut cut = plane_of(report);
    uint8_t *left = need_memory((size_t)cut.nx, (size_t)cut.ny);
    int low[2] = { cut.nx, cut.ny }, high[2] = { 0, 0 };
    bool there[FRONT_KINDS + 1] = { false };
    for (int y = 0; y < cut.ny; y++)
        for (int x = 0; x < cut.nx; x++)
            left[y * cut.nx + x] = kind_at(series, &cut, x, y);
    chart_table(chart, "map",
                "rectangles of free cells of one kind: causes of wrong "
                "headings, right ones, not counted",
                "kind,x low (cells),x high (cells),y low (cells),y high "
                "(cells)");
    for (int y = 0; y < cut.ny; y++)
        for (int x = 0; x < cut.nx; x++) {
            const uint8_t kind = left[y * cut.nx + x];
            int right = x, down = y;
            if (!kind)
                continue;
            while (right < cut.nx && left[y * cut.nx + right] == kind)
                right++;
            for (bool same = true; same && down < cut.ny; down += same)
                for (int i = x; i < right; i++)
                    same &= left[down * cut.nx + i] == kind;
            for (int k = y; k < down; k++)
                memset(&left[k * cut.nx + x], 0, (size_t)(right - x));
            CHART_ROW(chart, kind, x - .5, right - .5, y - .5, down - .5);
            there[kind] = true;
            low[0] = x < low[0] ? x : low[0];
            low[1] = y < low[1] ? y : low[1];
            high[0] = right > high[0] ? right : high[0];
            high[1] = down > high[1] ? down : high[1];
        }
    memory_release(left);
    chart_option_number(chart, "x_low", low[0] - 1.5);
    chart_option_number(chart, "x_high", high[0] + .5);
    chart_option_number(chart, "y_low", low[1] - 1.5);
    chart_option_number(chart, "y_high", high[1] + .5);
    char *plane = need_format("%c = %d", "xyz"[cut.axis], cut.at);
    chart_option(chart, "plane", report->deep ? plane : "");
    memory_release(plane);
    chart_option(chart, "x_name", (const char *[]){ "x", "y", "z" }[cut.right]);
    chart_option(chart, "y_name", (const char *[]){ "x", "y", "z" }[cut.down]);
    chart_option_number(chart, "source_x", series->source[cut.right]);
    chart_option_number(chart, "source_y", series->source[cut.down]);
    for (int kind = 1; kind <= FRONT_KINDS; kind++)
        chart_option_of(chart, "there", (size_t)kind - 1, there[kind]);
}

/* ---- rows: the groups, line by line ---- */

/* Do widths, or widths and heights, distinguish the groups of each line? */
static bool widths_differ(const struct layout *layout)
{
    const struct series *series = layout->report->series;
    const size_t groups = layout->report->study->group_count;
    for (size_t g = 0; g < groups; g++)
        for (size_t h = 0; h <= g; h++)
            if (isnan(series[g].width) ||
                (h < g && layout->lines.of[g] == layout->lines.of[h] &&
                 !(series[g].width < series[h].width) &&
                 !(series[g].width > series[h].width) &&
                 !(series[g].height < series[h].height) &&
                 !(series[g].height > series[h].height)))
                return false;
    return groups > layout->lines.count;
}

static char *row_words(const struct layout *layout, size_t group, bool widths)
{
    const struct series *series = &layout->report->series[group];
    return !widths ? need_text(layout->report->study->group_count >
                                       layout->lines.count
                                   ? layout->words[group]
                                   : "")
           : layout->report->flat
               ? need_format("%g × %g", series->width, series->height)
               : need_format("%g", series->width);
}

/* A heading above the rows of each line, if there are several. Sets the places
 * of the groups' rows, 0 for those that have none. */
static void place_rows(const struct layout *layout, double *places,
                       struct chart *chart)
{
    const struct study *study = layout->report->study;
    const bool several = layout->lines.count > 1;
    const bool widths = widths_differ(layout);
    double place = 0;
    size_t rows = 0, heads = 0;
    for (size_t line = 0; line < layout->lines.count; line++) {
        bool headed = !several;
        for (size_t g = 0; g < study->group_count && rows < ROWS_MOST; g++) {
            if (layout->lines.of[g] != line)
                continue;
            if (!headed) {
                chart_option_of(chart, "head_place", heads, place += 1);
                chart_option_text_of(chart, "head", heads++,
                                     layout->line_words[g]);
                headed = true;
            }
            char *words = row_words(layout, g, widths);
            chart_option_text_of(chart, "row", rows, words);
            chart_option_of(chart, "row_place", rows++, place += 1);
            places[g] = place;
            memory_release(words);
        }
    }
    chart_option(chart, "rows_are",
                 !widths                ? ""
                 : layout->report->flat ? _("width × height (cells)")
                                        : _("width (cells)"));
    chart_option_number(chart, "rows", (double)rows);
    chart_option_number(chart, "heads", (double)heads);
    chart_option_number(chart, "row_total", place);
    chart_option_number(chart, "rows_left_out",
                        (double)(study->group_count - rows));
}

/* ---- by distance ---- */

static void write_past(const struct layout *layout, const double *places,
                       struct chart *chart)
{
    const struct report *report = layout->report;
    double least = INFINITY, most = 0, of[DISTANCE_COLUMNS];
    begin_table(layout, chart, "past",
                "by the distance past the last bend of each cell's shortest "
                "path, in bands",
                "group,row,past the bend (cells),low (widths),high "
                "(widths),headings (1),wrong (%),RMS error (degrees)");
    for (size_t g = 0; g < report->study->group_count; g++)
        for (int band = 0; band < REFLECTION_BANDS; band++) {
            const double width = report->series[g].width;
            const double low = REFLECTION_BAND_CELLS * band / width,
                         high = REFLECTION_BAND_CELLS * (band + 1) / width;
            if (!find_band(&report->series[g], PAST_BEND, band, of))
                continue;
            PUT_ROW(layout, chart, g, (double)g + 1, places[g], of[3], low,
                    high, of[5], 100 * of[6], of[13]);
            least = fmin(least, high);
            most = fmax(most, high);
        }
    chart_option_number(chart, "past_least", least);
    chart_option_number(chart, "past_most", most);
}

static void write_along(const struct layout *layout, const double *places,
                        struct chart *chart)
{
    const struct report *report = layout->report;
    double last = 0, of[DISTANCE_COLUMNS];
    begin_table(
        layout, chart, "along",
        "by the distance from the source along the shortest path, in bands; "
        "bends of the path to the farthest cell; NaN: no value",
        "group,line,row,distance (cells),bends (1),past the bend "
        "(cells),headings (1),wrong (%),phase (%),echo (%),standing "
        "(%),stencil (%),other (%),unknown (%),RMS error (degrees),distance "
        "(widths),past the bend (widths)");
    for (size_t g = 0; g < report->study->group_count; g++)
        for (int band = 0; band < REFLECTION_BANDS; band++)
            if (find_band(&report->series[g], FROM_SOURCE, band, of)) {
                last = fmax(last, of[0] + REFLECTION_BAND_CELLS / 2.);
                PUT_ROW(layout, chart, g, (double)g + 1, line_of(layout, g),
                        places[g], of[0], of[2], of[3], of[5], 100 * of[6],
                        100 * of[7], 100 * of[8], 100 * of[9], 100 * of[10],
                        100 * of[11], 100 * of[12], of[13], of[1], of[4]);
            }
    chart_option_number(chart, "distance_last", last);
    write_past(layout, places, chart);
    begin_table(layout, chart, "bends",
                "of the shortest path to the farthest cell, in the first "
                "recording",
                "group,row,bend,distance (cells),x (cells),y (cells),z "
                "(cells)");
    for (size_t g = 0; g < report->study->group_count; g++)
        for (size_t i = 0; i < report->series[g].bend_count; i++) {
            const struct reflection_bend *bend = &report->series[g].bends[i];
            PUT_ROW(layout, chart, g, (double)g + 1, places[g], (double)i + 1,
                    bend->distance, bend->at[0], bend->at[1], bend->at[2]);
        }
}

/* ---- points: over a setting ---- */

/* A group, or for width and height the cells of this width or height in a
 * line's groups. */
struct point {
    double x, reach;
    struct ratio squares, wrong;
    size_t line, group; /* its line: groups that differ only in this setting */
};

static int by_line_and_x(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
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
    for (int wrong = 0; wrong < 2; wrong++) {
        for (size_t i = 0; i < study->reading_count; i++)
            if (lines->of[study->readings[i].group] == line)
                numbers_add(numbers,
                            wrong
                                ? report->parts[i].across[across][bin].wrong
                                : report->parts[i].across[across][bin].squares,
                            report->parts[i].across[across][bin].count);
        *(wrong ? &point->wrong : &point->squares) = numbers_take(numbers);
    }
    point->x = extents / (double)count;
    point->reach = share(reached, reachable);
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
        const struct series *series = &report->series[g];
        struct point *point = &points[*count];
        *point = (struct point){
            .x = value_of(series, setting),
            .reach = reach_of(series),
            .squares = series->squares,
            .wrong = series->wrong,
            .line = lines->of[g],
            .group = g,
        };
        *count += !isnan(point->x);
    }
}

/* The lines with points are numbered from 1; of more than have styles the
 * others are counted. */
static void write_points(const struct layout *layout, int number,
                         struct chart *chart)
{
    const struct report *report = layout->report;
    const struct setting *setting = &against[number];
    const struct study *study = report->study;
    struct study_lines lines;
    study_lines_make(study, setting->key, &lines);
    char **words = need_memory(study->group_count, sizeof *words);
    study_words_without(study, setting->key, words);
    struct point *points = need_memory(
        study->group_count, (REFLECTION_WIDTHS + 1) * sizeof *points);
    size_t count = 0, line = 0;
    find_points(report, setting, &lines, points, &count);
    qsort(points, count, sizeof *points, by_line_and_x);
    for (size_t i = 0; i < count; i++) {
        const struct point *of = &points[i];
        double low, high, wrong_low, wrong_high;
        interval_bar(&of->squares.interval, &low, &high);
        interval_bar(&of->wrong.interval, &wrong_low, &wrong_high);
        if (!i || of->line != points[i - 1].line) {
            char *name = need_format("%s_line", setting->name);
            chart_option_text_of(chart, name, line++, words[of->group]);
            memory_release(name);
        }
        PUT_ROW(layout, chart, of->group, (double)number + 1, (double)line,
                of->x, 100 * of->wrong.estimate, 100 * wrong_low,
                100 * wrong_high, of->reach,
                degrees * sqrt(of->squares.estimate), degrees * sqrt(low),
                degrees * sqrt(high), (double)of->group + 1);
    }
    char *name = need_format("%s_lines", setting->name);
    chart_option_number(chart, name, (double)line);
    memory_release(name);
    for (size_t g = 0; g < study->group_count; g++)
        memory_release(words[g]);
    memory_release(words);
    memory_release(points);
    study_lines_release(&lines);
}

/* ---- causes ---- */

/* The tops of a stack's parts, each above the one before (per cent). */
static void find_tops(const int64_t of[CAUSES], int64_t counted,
                      double tops[CAUSES])
{
    int64_t top = 0;
    for (int cause = 0; cause < CAUSES; cause++)
        tops[cause] = percent(top += of[cause], counted);
}

#define TOPS                                                                   \
    "phase top (%),echo top (%),standing top (%),stencil top (%),other top "   \
    "(%),unknown top (%)"

static void write_causes(const struct layout *layout, const double *places,
                         struct chart *chart)
{
    const struct report *report = layout->report;
    double tops[CAUSES];
    begin_table(layout, chart, "causes",
                "wrong headings of each group: the top of each cause's part, "
                "above the one before",
                "group,row,headings (1),wrong (%)," TOPS);
    for (size_t g = 0; g < report->study->group_count; g++) {
        const struct reflection *sum = &report->series[g].sum;
        find_tops(sum->lag_cause[0], sum->counted, tops);
        PUT_ROW(layout, chart, g, (double)g + 1, places[g],
                (double)sum->counted, percent(sum->wrong, sum->counted),
                tops[0], tops[1], tops[2], tops[3], tops[4], tops[5]);
    }
}

static void put_stack(struct chart *chart, int panel, double x, double wide,
                      const int64_t of[CAUSES], int64_t counted)
{
    double tops[CAUSES];
    find_tops(of, counted, tops);
    if (counted)
        CHART_ROW(chart, panel, x, wide, (double)counted, tops[0], tops[1],
                  tops[2], tops[3], tops[4], tops[5]);
}

static void write_stacks(const struct report *report, struct chart *chart)
{
    const struct reflection *sum = &report->series[report->mapped].sum;
    const struct reflection_bin *widths = sum->across[ACROSS_WIDTH];
    chart_table(chart, "stacks",
                "the causes in the group of the map, by width (panel 1, "
                "cells), distance (2, cells) and time after the arrival (3, "
                "steps)",
                "panel,value,width of the bar,headings (1)," TOPS);
    for (int bin = 0; bin < REFLECTION_WIDTHS; bin++)
        put_stack(chart, 1, widths[bin].sum / (double)widths[bin].count, .7,
                  widths[bin].cause, widths[bin].count);
    for (int band = 0; band < REFLECTION_BANDS; band++)
        put_stack(chart, 2, REFLECTION_BAND_CELLS * (band + .5),
                  .8 * REFLECTION_BAND_CELLS, sum->by[FROM_SOURCE].cause[band],
                  sum->by[FROM_SOURCE].count[band]);
    for (int k = 0; k < FRONT_CAUSES; k++)
        put_stack(chart, 3, front_cause_lags[k], 1.4, sum->lag_cause[k],
                  sum->lag_counted[k]);
}

/* The colours and names of the slices' field cause. */
static void name_kinds(const struct report *report, struct chart *chart)
{
    static const char *const words[FRONT_KINDS] = {
        N_("sign of the stripe (phase)"),
        N_("echo"),
        N_("standing wave"),
        N_("beside a wall (stencil)"),
        N_("other cause"),
        N_("unknown cause"),
        N_("right"),
        N_("not counted"),
    };
    for (int kind = 0; kind < FRONT_KINDS; kind++) {
        const uint8_t *rgb = front_kind_colors[kind];
        char color[8];
        bool any = false, late = false;
        snprintf(color, sizeof color, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
        for (size_t g = 0; kind < CAUSES && g < report->study->group_count; g++)
            any |= report->series[g].sum.lag_cause[0][kind] > 0;
        for (int k = 0; kind < CAUSES && k < FRONT_CAUSES; k++)
            late |= report->series[report->mapped].sum.lag_cause[k][kind] > 0;
        chart_option_text_of(chart, "kind_color", (size_t)kind, color);
        chart_option_text_of(chart, "kind", (size_t)kind, _(words[kind]));
        chart_option_of(chart, "any", (size_t)kind, any);
        chart_option_of(chart, "late", (size_t)kind, late);
    }
}

/* ---- curves ---- */

/* A group has the spectrum of the first one with the same recording. */
static const struct series *spectrum_of(const struct report *report,
                                        size_t group)
{
    const struct study *study = report->study;
    size_t g = 0;
    while (study->readings[study->groups[g].first].recording !=
           study->readings[study->groups[group].first].recording)
        g++;
    return &report->series[g];
}

static void write_curves(const struct layout *layout, struct chart *chart)
{
    const struct report *report = layout->report;
    chart_table(chart, "curves",
                "RMS error (degrees) by steps after the arrival (panel 1); "
                "share of the headings (%) by error (2, degrees); amplitude "
                "over the largest by frequency (3, rad/step)",
                "panel,group,line,x,y");
    for (size_t g = 0; g < report->study->group_count; g++) {
        const struct series *series = &report->series[g];
        const double group = (double)g + 1, line = line_of(layout, g);
        for (int lag = 0; lag < FRONT_LAGS; lag++)
            CHART_ROW(chart, 1, group, line, lag, at_lag(series, lag));
        for (int angle = 0; angle < REFLECTION_ANGLES; angle++)
            PUT_ROW(
                layout, chart, g, 2, group, line,
                180 * (angle + 0.5) / REFLECTION_ANGLES,
                percent(series->sum.angle_count[angle], series->sum.counted));
        for (int i = 0; i < SPECTRUM_LINES; i++)
            CHART_ROW(chart, 3, group, line,
                      SPECTRUM_HIGHEST * (i + 1) / SPECTRUM_LINES,
                      spectrum_of(report, g)->spectrum[i]);
    }
}

static enum status write_data(const void *of, struct chart *chart,
                              struct error *error)
{
    const struct report *report = of;
    const size_t groups = report->study->group_count;
    struct layout layout;
    (void)error;
    layout_init(&layout, report);
    double *places = need_memory(groups, sizeof *places);
    chart_option_number(chart, "wrong", report->wrong);
    chart_option(chart, "mapped",
                 groups > 1 ? layout.words[report->mapped] : "");
    chart_option_number(chart, "bends_of", (double)report->mapped + 1);
    bool shared = true, ticks = false;
    for (size_t line = 0; line < layout.drawn; line++)
        shared &= !strcmp(map_of_group(report, layout.group[line]),
                          map_of_group(report, report->mapped));
    for (size_t g = 0; g < groups; g++)
        ticks |= report->series[g].bend_count > 0;
    chart_option_number(chart, "bends",
                        shared && report->series[report->mapped].bend_count);
    chart_option_number(chart, "ticks", ticks);
    chart_option_number(chart, "low_reach", *report->low_reach[0] != '\0');
    chart_option_number(chart, "lines", (double)layout.drawn);
    chart_option_number(chart, "lines_left_out",
                        (double)(layout.lines.count - layout.drawn));
    for (size_t line = 0; line < layout.drawn; line++) {
        const size_t g = layout.group[line];
        const struct series *series = &report->series[g];
        chart_option_text_of(chart, "line", line, layout.line_words[g]);
        chart_option_of(chart, "cutoff", line, series->cutoff);
        chart_option_of(chart, "spectrum_at", line,
                        spectrum_of(report, g)->spectrum_at);
    }
    place_rows(&layout, places, chart);
    name_kinds(report, chart);
    if (report->causes)
        write_map(report, chart);
    write_along(&layout, places, chart);
    begin_table(&layout, chart, "points",
                "over a setting: width (panel 1, cells), threshold (2), "
                "squared Courant number (3), height (4, cells); lines are "
                "groups that differ only in it",
                "panel,line,value,wrong (%),wrong 95 % low (%),wrong 95 % high "
                "(%),reach (1),RMS error (degrees),RMS 95 % low (degrees),RMS "
                "95 % high (degrees),group");
    for (int i = 0; i < SETTINGS; i++)
        if (report->varies[i])
            write_points(&layout, i, chart);
    write_causes(&layout, places, chart);
    write_stacks(report, chart);
    write_curves(&layout, chart);
    memory_release(places);
    layout_release(&layout);
    return STATUS_OK;
}

/* The panels that have data. By default the first ones that answer which
 * headings are wrong. */
static void choose_panels(const void *of, struct chart_figure *figure)
{
    const struct report *report = of;
    struct layout layout;
    layout_init(&layout, report);
    for (int i = 0; i < PANELS; i++) {
        const bool setting = i >= WIDTH_PANEL && i < LAG_PANEL;
        const bool shown =
            setting ? report->varies[i - WIDTH_PANEL]
            : i == HEATMAP_PANEL
                ? report->errors && layout.drawn < report->study->group_count
            : i == PAST_BEND_PANEL ? report->bends
            : i == MAP_PANEL || i == CAUSE_PANEL || i > SPECTRUM_PANEL
                ? report->causes
                : report->errors || i == SPECTRUM_PANEL;
        if (shown)
            figure->panels[figure->count++] = (struct chart_panel){
                .name = panel_names[i],
                .extra = i >= LAG_PANEL && report->errors,
            };
    }
    layout_release(&layout);
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
        .place =
            report->place.axis >= 0
                ? report->place
                : (struct view_place){ .axis = 2,
                                       .at = report->series[group].source[2] },
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
    "The chart shows the map of the group with most wrong headings, their\n"
    "share along the shortest path (of a group for each setting besides the\n"
    "map) and for all groups, the causes, and the share over width,\n"
    "threshold, delta and height: panels map, along, heatmap, cause, width,\n"
    "threshold, delta, height. --panels draws also lag, distance,\n"
    "histogram, spectrum, cause_width, cause_distance, cause_lag, and\n"
    "past_bend, over the widths past the last bend. A chart is at most 24 cm\n"
    "high, and names the panels that do not fit.\n"
    "BASE.csv has all numbers.\n"
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

static const char *note(const void *of, bool drawn)
{
    return ((const struct report *)of)->note[drawn];
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
        .title = N_("wrong headings: where, how they grow, how many, and why"),
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
        .by_words = by_words,
        .by_chosen = &report.by,
        .by_help = "a group for each value of this setting, and of no other;\n"
                   "distance: a row of the table for each group and distance\n"
                   "from the source; past-bend: past the last bend;\n"
                   "repeatable, or KEY,KEY (of each that differs)",
        .data = write_data,
        .panels = choose_panels,
    };
    return study_program_main(&program, argc, argv);
}
