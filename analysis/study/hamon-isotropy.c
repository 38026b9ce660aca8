/* SPDX-License-Identifier: MIT */
/* hamon-isotropy: the roundness of the front, and its headings. */
#include "analysis/study/dispersion.h"
#include "analysis/study/isotropy.h"
#include "analysis/study/program.h"
#include "base/memory.h"
#include "base/need.h"
#include "draw/figure/contour.h"
#include "view/front.h"
#include "words/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the figures: a series for each group of readings, and for Lee's fronts
 * ---- */

static const double degrees = 57.295779513082320877;

enum { RADII = 1000 };

/* Means over a group's readings. */
struct series {
    const char *label;
    int readings;
    double rho[ISOTROPY_SECTIONS][ISOTROPY_BINS];   /* cells */
    double error[ISOTROPY_SECTIONS][ISOTROPY_BINS]; /* radians */
    double *sphere;           /* 3D: ρ of isotropy_sphere; owned */
    double anisotropy[RADII]; /* at radius i */
    struct ring ring;
    double worst; /* heading error at any node within the ring, radians */
};

/* Lee's fronts for comparison, in 2D and in 3D. */
enum { LEES = 3 };
struct lee {
    int moves;
    const char *name;
};
static const struct lee flat_lees[] = { { 4, N_("Lee over 4 neighbours") },
                                        { 8, N_("Lee over 8 neighbours") } };
static const struct lee deep_lees[] = { { 6, N_("Lee over 6 neighbours") },
                                        { 18, N_("Lee over 18 neighbours") },
                                        { 26, N_("Lee over 26 neighbours") } };

static const struct lee *lees_of(int dims)
{
    return dims == 2 ? flat_lees : deep_lees;
}

struct report {
    const struct study *study;
    int wave;
    double radius;      /* of the ring; 0: the largest reached by all fronts */
    int dims, sections; /* of the recordings; of the figures */
    int columns;        /* of isotropy_sphere */
    size_t source;      /* of the first reading */
    size_t lees;
    size_t series_count; /* groups and Lee's fronts */
    struct series *series;
    struct study_map *maps;              /* of each group's first reading */
    double **times;                      /* of these maps; owned */
    struct dispersion **dispersion;      /* of each group, or NULL */
    char unmeasured[ERROR_MESSAGE_SIZE]; /* why it is missing */
};

/* Generations between contours. */
enum { APART = 20 };

/* The front of a group's first reading, and the step at which it is on the
 * ring. */
static void take_map(struct report *report, size_t group,
                     const struct front *front,
                     const struct recording *recording, double mean_time)
{
    size_t cells = grid_cells(&front->terrain.grid);
    int source[GRID_AXES];
    grid_cell(&front->terrain.grid, front->source, source);
    report->source = group ? report->source : front->source;
    double *time = need_memory(cells, sizeof *time);
    memcpy(time, front->time, cells * sizeof *time);
    report->times[group] = time;
    report->maps[group] =
        (struct study_map){ .recording = recording,
                            .wave = report->wave,
                            .place = { .axis = 2, .at = source[2] },
                            .step = front->emitted + lround(mean_time),
                            .times = time,
                            .apart = APART };
}

static struct study_map map_of(const void *of, size_t group)
{
    return ((const struct report *)of)->maps[group];
}

static void add_ring(struct ring *sum, const struct ring *ring)
{
    sum->cells = ring->cells;
    sum->anisotropy += ring->anisotropy;
    sum->mean_time += ring->mean_time;
    sum->rms += ring->rms;
    sum->low += ring->low;
    sum->high += ring->high;
    sum->mean += ring->mean;
    for (int axis = 0; axis < GRID_AXES; axis++)
        sum->along[axis] += ring->along[axis];
}

/* Adds the radius by direction to the series. */
static void add_sphere(struct series *series, const struct isotropy *isotropy,
                       double radius, int columns)
{
    size_t bins = (size_t)columns * (size_t)(columns / 2);
    double *rho = need_memory(bins, sizeof *rho);
    if (!series->sphere)
        series->sphere = need_memory(bins, sizeof *series->sphere);
    isotropy_sphere(isotropy, radius, columns, rho);
    for (size_t b = 0; b < bins; b++)
        series->sphere[b] += rho[b];
    memory_release(rho);
}

/* Adds a front to its series. */
static void take_front(struct report *report, struct series *series,
                       const struct isotropy *isotropy)
{
    double rho[ISOTROPY_BINS], wrong[ISOTROPY_BINS];
    const double radius = report->radius;
    struct ring ring;
    for (int s = 0; s < report->sections; s++) {
        isotropy_angles(isotropy, &isotropy_sections[s], radius, rho, wrong);
        for (int b = 0; b < ISOTROPY_BINS; b++) {
            series->rho[s][b] += rho[b];
            series->error[s][b] += wrong[b];
        }
    }
    int reach = isotropy_reach(isotropy, ISOTROPY_ROOM);
    for (int r = 1; r < RADII; r++)
        series->anisotropy[r] += r <= reach && isotropy_ring(isotropy, r, &ring)
                                     ? ring.anisotropy
                                     : (double)NAN;
    isotropy_ring(isotropy, radius, &ring);
    add_ring(&series->ring, &ring);
    series->worst = fmax(series->worst, isotropy_worst(isotropy, radius + 1));
    series->readings++;
    if (report->dims == 2)
        return;
    report->columns = isotropy_columns(ring.cells);
    add_sphere(series, isotropy, radius, report->columns);
}

static void take_means(const struct report *report, struct series *series)
{
    double n = series->readings;
    for (int s = 0; s < report->sections; s++)
        for (int b = 0; b < ISOTROPY_BINS; b++) {
            series->rho[s][b] /= n;
            series->error[s][b] /= n;
        }
    for (int b = 0; series->sphere && b < report->columns * report->columns / 2;
         b++)
        series->sphere[b] /= n;
    for (int r = 0; r < RADII; r++)
        series->anisotropy[r] /= n;
    struct ring *ring = &series->ring;
    ring->anisotropy /= n;
    ring->mean_time /= n;
    ring->rms /= n;
    ring->low /= n;
    ring->high /= n;
    ring->mean /= n;
    for (int axis = 0; axis < GRID_AXES; axis++)
        ring->along[axis] /= n;
}

/* The speeds of the front's cells; the free space ends at cells whose speed is
 * not 1. */
static enum status read_speeds(struct front *front,
                               const struct recording *recording,
                               struct error *error)
{
    if (!recording_find(recording, "speed"))
        return STATUS_OK;
    enum status status = terrain_prepare(&front->terrain, CHANGE_SPEED, error);
    return status ? status
                  : recording_read_terrain(
                        recording, "speed",
                        recording_version_at(recording, front->emitted),
                        front->terrain.speed, error);
}

/* The reading's front. */
static enum status read_front(const struct report *report,
                              const struct reading *reading,
                              struct front *front, struct error *error)
{
    struct arrival_settings settings;
    enum status status =
        reading_arrival(report->study, reading, &settings, error);
    if (!status)
        status = front_open(front, reading->recording, report->wave, error);
    if (!status)
        status = front_follow(front, reading->recording, report->wave,
                              &settings, NULL, error);
    if (!status)
        status = read_speeds(front, reading->recording, error);
    return status;
}

static struct isotropy isotropy_of(const struct front *front)
{
    return (struct isotropy){
        .terrain = &front->terrain,
        .source = front->source,
        .time = front->time,
        .heading = (const double(*)[GRID_AXES])front->heading,
    };
}

/* A smaller ring has too few cells to be round: the default is at least
 * this. */
enum { LEAST_RADIUS = 5 };

static const char *ring_name(int dims)
{
    return dims == 2 ? "ring" : "shell";
}

static enum status no_ring(const struct study *study,
                           const struct reading *reading, double radius,
                           int reach, struct error *error)
{
    bool several = study->group_count > 1;
    const char *ring = ring_name(recording_grid(reading->recording)->dims);
    return error_set(
        error, STATUS_INPUT,
        "%s%s%.100s: no %s of radius %g round the source that is free, of "
        "speed 1, and reached everywhere, as far as the whole front is at the "
        "mean time of the %s; the largest is %d. Fronts are measured in the "
        "open (samples/field): "
        "another map, more steps, a lower arrival.threshold, or "
        "--radius",
        recording_path(reading->recording), several ? ", " : "",
        several ? study->groups[reading->group].label : "", ring, radius, ring,
        reach);
}

/* Lee's fronts in the free space, into the last series. */
static enum status measure_lees(struct report *report, struct front *front,
                                struct error *error)
{
    struct isotropy isotropy = isotropy_of(front);
    isotropy.proportional = true;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < report->lees && !status; i++) {
        status = isotropy_lee(&front->terrain, front->source,
                              lees_of(report->dims)[i].moves, front->time,
                              front->heading, error);
        if (!status)
            take_front(report, &report->series[report->study->group_count + i],
                       &isotropy);
    }
    return status;
}

/* A reading's front into its group's series; of a group's first reading also
 * the map, of the very first reading also Lee's fronts. */
static enum status measure(struct report *report, size_t number,
                           struct error *error)
{
    const struct reading *reading = &report->study->readings[number];
    size_t group = reading->group;
    struct front front = { 0 };
    struct ring ring = { 0 };
    enum status status = read_front(report, reading, &front, error);
    struct isotropy isotropy = isotropy_of(&front);
    if (!status) {
        int reach = isotropy_reach(&isotropy, 0);
        if (reach < 1 || report->radius > reach ||
            !isotropy_ring(&isotropy, report->radius, &ring))
            status =
                no_ring(report->study, reading, report->radius, reach, error);
    }
    if (!status)
        take_front(report, &report->series[group], &isotropy);
    if (!status && report->study->groups[group].first == number)
        take_map(report, group, &front, reading->recording, ring.mean_time);
    if (!status && number == 0)
        status = measure_lees(report, &front, error);
    front_release(&front);
    return status;
}

/* The largest ring of all readings. */
static enum status find_radius(struct report *report, struct error *error)
{
    const struct study *study = report->study;
    int least = RADII - 1;
    for (size_t i = 0; i < study->reading_count; i++) {
        struct front front = { 0 };
        enum status status =
            read_front(report, &study->readings[i], &front, error);
        int reach = 0;
        if (!status) {
            struct isotropy isotropy = isotropy_of(&front);
            reach = isotropy_reach(&isotropy, ISOTROPY_ROOM);
        }
        front_release(&front);
        if (status)
            return status;
        if (reach < LEAST_RADIUS)
            return no_ring(study, &study->readings[i], LEAST_RADIUS, reach,
                           error);
        least = reach < least ? reach : least;
    }
    report->radius = least;
    return STATUS_OK;
}

/* For a group; if it has no front to measure, the reason is reported, without
 * an error. */
static enum status measure_group(struct report *report, size_t g,
                                 struct error *error)
{
    const struct study *study = report->study;
    struct error why;
    struct dispersion *dispersion = need_memory(1, sizeof *dispersion);
    enum status status =
        dispersion_measure(study->readings[study->groups[g].first].recording,
                           report->wave, dispersion, &why);
    if (!status) {
        report->dispersion[g] = dispersion;
        return STATUS_OK;
    }
    memory_release(dispersion);
    if (status == STATUS_INPUT) {
        memcpy(report->unmeasured, why.message, sizeof why.message);
        return STATUS_OK;
    }
    *error = why;
    return status;
}

/* For each group whose waves differ from those of all earlier groups. */
static enum status measure_dispersion(struct report *report,
                                      struct error *error)
{
    const struct study *study = report->study;
    enum status status = STATUS_OK;
    for (size_t g = 0; g < study->group_count && !status; g++)
        if (study_group_is_first(study, g))
            status = measure_group(report, g, error);
    return status;
}

static void name_series(struct report *report)
{
    const struct study *study = report->study;
    for (size_t g = 0; g < study->group_count; g++)
        report->series[g].label = study->groups[g].label;
    for (size_t i = 0; i < report->lees; i++)
        report->series[study->group_count + i].label =
            lees_of(report->dims)[i].name;
}

/* Rings cannot be compared with shells. */
static enum status choose_dims(struct report *report, struct error *error)
{
    const struct study *study = report->study;
    report->dims = recording_grid(study->recordings[0])->dims;
    report->sections = report->dims == 2 ? 1 : ISOTROPY_SECTIONS;
    report->lees = report->dims == 2 ? 2 : LEES;
    for (size_t i = 1; i < study->recording_count; i++)
        if (recording_grid(study->recordings[i])->dims != report->dims)
            return error_set(
                error, STATUS_INPUT,
                "%s is %dD, and %s is %dD: a ring of cells cannot be compared "
                "with a shell; measure 2D and 3D recordings in separate "
                "commands",
                recording_path(study->recordings[i]), 5 - report->dims,
                recording_path(study->recordings[0]), report->dims);
    return STATUS_OK;
}

static enum status make(void *of, const struct study *study, int wave,
                        struct error *error)
{
    struct report *report = of;
    report->study = study;
    report->wave = wave;
    enum status status = choose_dims(report, error);
    if (status)
        return status;
    report->series_count = study->group_count + report->lees;
    report->series = need_memory(report->series_count, sizeof *report->series);
    report->dispersion =
        need_memory(study->group_count, sizeof *report->dispersion);
    report->maps = need_memory(study->group_count, sizeof *report->maps);
    report->times = need_memory(study->group_count, sizeof *report->times);
    if (!(report->radius > 0))
        status = find_radius(report, error);
    for (size_t i = 0; i < study->reading_count && !status; i++)
        status = measure(report, i, error);
    if (status)
        return status;
    name_series(report);
    for (size_t i = 0; i < report->series_count; i++)
        take_means(report, &report->series[i]);
    return measure_dispersion(report, error);
}

static void release(void *of)
{
    struct report *report = of;
    for (size_t g = 0; report->dispersion && g < report->study->group_count;
         g++)
        memory_release(report->dispersion[g]);
    for (size_t g = 0; report->times && g < report->study->group_count; g++)
        memory_release(report->times[g]);
    memory_release(report->times);
    memory_release(report->maps);
    memory_release(report->dispersion);
    for (size_t i = 0; report->series && i < report->series_count; i++)
        memory_release(report->series[i].sphere);
    memory_release(report->series);
    *report = (struct report){ 0 };
}

/* The last ones are only in 3D. */
static const struct table_column columns[] = {
    { "radius (cells)", .digits = 0,
      .meaning = "radius of the ring, or in 3D of the shell, on which the "
                 "front is measured" },
    { "nodes", .digits = 0,
      .meaning = "number of cells within 1 of the ring or shell" },
    { "anisotropy (%)", .digits = 3,
      .meaning = "largest minus smallest radius of the front at the mean time, "
                 "over the mean radius" },
    { "mean time (steps)", .digits = 2,
      .meaning =
          "mean first arrival at these cells, in steps after the emission" },
    { "RMS heading error (degrees)", .digits = 3,
      .meaning =
          "root mean square of the angle between the heading at the first "
          "arrival and the direction of the source, over these cells" },
    { "largest heading error (degrees)", .digits = 3,
      .meaning = "largest such angle of all cells within the radius" },
    { "front along axes (cells)", .digits = 3,
      .meaning = "3D only: mean radius of the front along the axes" },
    { "front along diagonals of two axes (cells)", .digits = 3,
      .meaning = "3D only: the same along the diagonals of two axes" },
    { "front along diagonals of three axes (cells)", .digits = 3,
      .meaning = "3D only: the same along the diagonals of three axes" },
    { "largest over smallest radius", .digits = 3,
      .meaning = "3D only: largest over smallest radius of the front" },
};
enum { FLAT_COLUMNS = 6, COLUMNS = sizeof columns / sizeof *columns };

static void describe_columns(FILE *out)
{
    table_describe("front",
                   "settings that differ between the groups, or Lee's "
                   "front with its number of neighbours",
                   out);
    table_describe_columns(columns, COLUMNS, out);
}

static void make_table(const void *of, struct table *table)
{
    const struct report *report = of;
    table_init(table, "front", columns,
               report->dims == 2 ? FLAT_COLUMNS : COLUMNS);
    for (size_t i = 0; i < report->series_count; i++) {
        const struct series *series = &report->series[i];
        const struct ring *ring = &series->ring;
        const double numbers[COLUMNS] = {
            report->radius,         (double)ring->cells,
            100 * ring->anisotropy, ring->mean_time,
            degrees * ring->rms,    degrees * series->worst,
            ring->along[0],         ring->along[1],
            ring->along[2],         ring->high / ring->low,
        };
        table_add(table, series->label, numbers);
    }
}

/* ---- the chart's tables and options, for isotropy.gp ---- */

/* The groups and spheres drawn. */
enum { DRAWN = 6 };

/* The series that are drawn: groups, then Lee's fronts. */
struct drawn {
    const struct report *report;
    size_t groups, count;
};

static struct drawn drawn_of(const struct report *report)
{
    const size_t groups = report->study->group_count;
    struct drawn drawn = { .report = report,
                           .groups = groups < DRAWN ? groups : DRAWN };
    drawn.count = drawn.groups + report->lees;
    return drawn;
}

static const struct series *series_in(const struct drawn *drawn, size_t i)
{
    return &drawn->report
                ->series[i < drawn->groups ? i
                                           : drawn->report->study->group_count +
                                                 i - drawn->groups];
}

/* Relative to the mean radius, per cent. */
static double off_mean(const struct series *series, double rho)
{
    return 100 * (rho / series->ring.mean - 1);
}

/* The groups' spheres, and if there is room that of Lee's front over 6
 * neighbours. */
static size_t spheres_of(const struct drawn *drawn)
{
    return drawn->report->dims == 2 ? 0
           : drawn->groups == DRAWN ? DRAWN
                                    : drawn->groups + 1;
}

static size_t bins_of(const struct report *report)
{
    return (size_t)report->columns * (size_t)(report->columns / 2);
}

static double most_of_sphere(const struct drawn *drawn, size_t i)
{
    const struct series *series = series_in(drawn, i);
    double most = 0;
    for (size_t b = 0; b < bins_of(drawn->report); b++)
        most = fmax(most, fabs(off_mean(series, series->sphere[b])));
    return most;
}

/* The deviations in the sections, of the first `count` series. */
static void find_range(const struct drawn *drawn, size_t count, double *low,
                       double *high)
{
    *low = *high = 0;
    for (size_t i = 0; i < count; i++)
        for (int s = 0; s < drawn->report->sections; s++)
            for (int b = 0; b < ISOTROPY_BINS; b++) {
                const struct series *series = series_in(drawn, i);
                const double off = off_mean(series, series->rho[s][b]);
                *low = fmin(*low, off);
                *high = fmax(*high, off);
            }
}

/* The largest heading error in a section, degrees; 0 if there is none. */
static double worst_of(const struct drawn *drawn)
{
    double worst = 0;
    for (size_t i = 0; i < drawn->count; i++)
        for (int s = 0; s < drawn->report->sections; s++)
            for (int b = 0; b < ISOTROPY_BINS; b++)
                worst = fmax(worst, degrees * series_in(drawn, i)->error[s][b]);
    return worst;
}

/* The panel of the groups alone enlarges them so many times. */
static double enlargement(const struct drawn *drawn)
{
    double low, high, low_groups, high_groups;
    find_range(drawn, drawn->count, &low, &high);
    find_range(drawn, drawn->groups, &low_groups, &high_groups);
    return high_groups > low_groups ? (high - low) / (high_groups - low_groups)
                                    : 1;
}

/* It is drawn if it enlarges them by at least this. */
static const double enlarged_least = 3;

static void set_ranges(const struct drawn *drawn, struct chart *chart)
{
    double low, high;
    find_range(drawn, drawn->count, &low, &high);
    chart_option_number(chart, "off_low", low);
    chart_option_number(chart, "off_high", high);
    find_range(drawn, drawn->groups, &low, &high);
    chart_option_number(chart, "waves_low", low);
    chart_option_number(chart, "waves_high", high);
    chart_option_number(chart, "enlarged", enlargement(drawn));
    chart_option_number(chart, "worst", worst_of(drawn));
}

static void write_series(const struct drawn *drawn, char *const *words,
                         struct chart *chart)
{
    chart_table(chart, "series", "fronts: groups, then Lee's",
                "series,radius mean (cells),radius min (cells),radius max "
                "(cells),anisotropy (%),RMS heading error (degrees),label");
    for (size_t i = 0; i < drawn->count; i++) {
        const struct series *series = series_in(drawn, i);
        const struct ring *ring = &series->ring;
        const char *given =
            labels_text(&drawn->report->study->labels, series->label);
        const char *label = i < drawn->groups ? words[i]
                            : given           ? given
                                              : _(series->label);
        CHART_CELLS(chart, (double)(i + 1), ring->mean, ring->low, ring->high,
                    100 * ring->anisotropy, degrees * ring->rms);
        chart_word(chart, label, '\n');
        chart_option_text_of(chart, "label", i, label);
        chart_option_of(chart, "mean", i, ring->mean);
        chart_option_of(chart, "end", i, off_mean(series, series->rho[0][0]));
        chart_option_of(chart, "anisotropy", i, 100 * ring->anisotropy);
    }
}

/* The first bin again at the end closes a curve. */
static void write_angles(const struct drawn *drawn, struct chart *chart)
{
    chart_table(chart, "directions",
                "by angle from the first axis of the section, towards its "
                "second: sections 0 to 2 x-y, x-z, y-z; 3 to 8 of an axis and "
                "a diagonal of the others",
                "section,series,angle (degrees),radius (cells),radius off the "
                "mean (%),RMS heading error (degrees)");
    for (int s = 0; s < drawn->report->sections; s++)
        for (size_t i = 0; i < drawn->count; i++) {
            const struct series *series = series_in(drawn, i);
            for (int k = 0; k <= ISOTROPY_BINS; k++) {
                const int b = k % ISOTROPY_BINS;
                CHART_ROW(chart, s, (double)(i + 1), 360. * k / ISOTROPY_BINS,
                          series->rho[s][b],
                          off_mean(series, series->rho[s][b]),
                          degrees * series->error[s][b]);
            }
            chart_gap(chart);
        }
}

/* The bins whose middle is within the ellipse. */
static void write_sphere(const struct drawn *drawn, struct chart *chart)
{
    const int across = drawn->report->columns, rows = across / 2;
    const double side = 4 * sqrt(2) / across;
    chart_table(chart, "sphere",
                "cells of the sphere of equal size, in Hammer's map of "
                "directions: right (east in the middle, then north), up",
                "series,right,up,solid angle (sr),radius (cells),radius off "
                "the mean (%)");
    for (size_t i = 0; i < spheres_of(drawn); i++)
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < across; x++) {
                const struct series *series = series_in(drawn, i);
                const double rho = series->sphere[y * across + x];
                const double right = (x + .5) * side - 2 * sqrt(2);
                const double up = (y + .5) * side - sqrt(2);
                if (right * right / 8 + up * up / 2 <= 1)
                    CHART_ROW(chart, (double)(i + 1), right, up, side * side,
                              rho, off_mean(series, rho));
            }
    for (size_t i = 0; i < spheres_of(drawn); i++)
        chart_option_of(chart, "sphere", i, most_of_sphere(drawn, i));
    chart_option_number(chart, "maps", (double)spheres_of(drawn));
    chart_option_number(chart, "side", side);
}

/* The first group's arrivals on its map, as lines; few enough for a small
 * one. */
static void write_arrivals(const struct report *report, struct chart *chart)
{
    enum { LINES_MOST = 12 };
    const struct study_map *map = &report->maps[0];
    const struct grid *grid = recording_grid(map->recording);
    const size_t cells = grid_cells(grid);
    double *times = need_memory(cells, sizeof *times), last = 0;
    int source[GRID_AXES];
    for (size_t i = 0; i < cells; i++) {
        times[i] = isfinite(map->times[i]) ? map->times[i] : (double)NAN;
        last = fmax(last, times[i]); /* NAN is skipped */
    }
    const double apart =
        map->apart * fmax(1, ceil(last / map->apart / LINES_MOST));
    grid_cell(grid, report->source, source);
    chart_table(chart, "arrivals",
                "lines of equal first arrivals of the first group, in pieces",
                "arrival (steps),x (cells),y (cells),x of the end (cells),y of "
                "the end (cells)");
    for (double time = apart; time <= last; time += apart) {
        struct contour contour = { 0 };
        contour_add(&contour, times, grid->nx, grid->ny, time);
        for (size_t i = 0; i < contour.count; i++) {
            const struct contour_piece *piece = &contour.pieces[i];
            CHART_ROW(chart, time, piece->from[0], piece->from[1], piece->to[0],
                      piece->to[1]);
        }
        contour_release(&contour);
    }
    memory_release(times);
    chart_option_number(chart, "apart", apart);
    chart_option_number(chart, "arrivals_last", last);
    chart_option_number(chart, "arrivals_x", source[0]);
    chart_option_number(chart, "arrivals_y", source[1]);
    chart_option_number(chart, "arrivals_half",
                        fmax(fmax(source[0], grid->nx - 1 - source[0]),
                             fmax(source[1], grid->ny - 1 - source[1])) +
                            .5);
}

static void write_growth(const struct drawn *drawn, struct chart *chart)
{
    double low = INFINITY, high = 0;
    int last = 0;
    chart_table(chart, "growth", "anisotropy of the front at each radius",
                "series,radius (cells),anisotropy (%)");
    for (size_t i = 0; i < drawn->count; i++)
        for (int r = 5; r < RADII; r++) {
            const double percent = 100 * series_in(drawn, i)->anisotropy[r];
            if (!isfinite(percent))
                break;
            CHART_ROW(chart, (double)(i + 1), r, percent);
            if (percent > 0)
                low = fmin(low, percent);
            high = fmax(high, percent);
            last = r > last ? r : last;
        }
    chart_option_number(chart, "growth_low", low < high ? low : 1);
    chart_option_number(chart, "growth_high", low < high ? high : 100);
    chart_option_number(chart, "growth_last", last);
}

static void write_speeds(const struct drawn *drawn, struct chart *chart)
{
    double least = 1, last = 0;
    chart_table(chart, "speeds",
                drawn->report->dims == 2
                    ? "phase speed over that of long waves; directions 0 "
                      "axis, 1 diagonal"
                    : "phase speed over that of long waves; directions 0 to 2 "
                      "axes, 3 to 8 diagonals of two, 9 to 12 of three",
                "series,direction,wave number (rad/cell),measured (1),law (1)");
    for (size_t g = 0; g < drawn->groups; g++) {
        const struct dispersion *d = drawn->report->dispersion[g];
        for (int way = 0; d && way < d->ways; way++) {
            for (int i = 0; i < DISPERSION_NUMBERS; i++) {
                CHART_ROW(chart, (double)(g + 1), way, d->k[way][i],
                          d->measured[way][i], d->law[way][i]);
                least = fmin(least, d->law[way][i]);
                last = fmax(last, d->k[way][i]);
            }
            chart_gap(chart);
        }
    }
    chart_option_number(chart, "speed_low", floor(10 * least) / 10);
    chart_option_number(chart, "speed_last", last);
}

static enum status write_data(const void *of, struct chart *chart,
                              struct error *error)
{
    (void)error;
    const struct report *report = of;
    const struct drawn drawn = drawn_of(report);
    const size_t groups = report->study->group_count;
    char **words = need_memory(groups, sizeof *words);
    study_words(report->study, words);
    chart_option_number(chart, "dims", report->dims);
    chart_option_number(chart, "series", (double)drawn.count);
    chart_option_number(chart, "groups", (double)drawn.groups);
    chart_option_number(chart, "radius", report->radius);
    set_ranges(&drawn, chart);
    write_series(&drawn, words, chart);
    write_angles(&drawn, chart);
    if (spheres_of(&drawn))
        write_sphere(&drawn, chart);
    else
        write_arrivals(report, chart);
    write_growth(&drawn, chart);
    write_speeds(&drawn, chart);
    for (size_t g = 0; g < groups; g++)
        memory_release(words[g]);
    memory_release(words);
    return STATUS_OK;
}

static void name_panels(const void *of, struct chart_figure *figure)
{
    static const char *const flat[] = { "off_mean", "enlarged", "fronts",
                                        "arrivals", "numbers",  "heading",
                                        "growth",   "speed" };
    static const char *const deep[] = { "sphere", "numbers", "heading",
                                        "growth", "speed" };
    enum { FLAT = 8, DEEP = 5, FLAT_SHOWN = 5, DEEP_SHOWN = 2 };
    const struct report *report = of;
    const struct drawn drawn = drawn_of(report);
    const bool is_flat = report->dims == 2;
    bool speeds = false;
    for (size_t g = 0; g < drawn.groups; g++)
        speeds = speeds || report->dispersion[g];
    figure->count = (is_flat ? FLAT : DEEP) - !speeds;
    for (size_t i = 0; i < figure->count; i++)
        figure->panels[i] = (struct chart_panel){
            .name = is_flat ? flat[i] : deep[i],
            .extra = i >= (is_flat ? FLAT_SHOWN : DEEP_SHOWN),
        };
    if (is_flat && enlargement(&drawn) < enlarged_least)
        figure->panels[1].extra = true;
}

static size_t count_drawn(const void *of, const struct chart_figure *figure)
{
    (void)figure;
    return drawn_of(of).groups;
}

static const char *remark(const void *of)
{
    return ((const struct report *)of)->unmeasured;
}

static const char notes[] =
    "The recordings need free space with a source in the middle\n"
    "(samples/field). If amplitude and gradient of every step were not\n"
    "recorded, the run is computed again. A radius is the front's distance\n"
    "from the source at one time, the mean first arrival of the cells within\n"
    "1 of the ring (in 3D, of the shell), along the lines through these\n"
    "cells: where the detector's condition has become true by then,\n"
    "interpolated between cells. Headings are compared with the direction of\n"
    "the source. The fronts of Lee's method over 4 and 8 neighbours (in 3D\n"
    "6, 18 and 26) are shown for comparison.\n"
    "\n"
    "Panels in 2D: a 100 (r/mean - 1) by direction, b the same of the waves\n"
    "alone, c the fronts, d the first group's arrivals, e the anisotropy; "
    "with\n"
    "--panels also f heading errors by direction, g the anisotropy by radius,\n"
    "h phase speeds. In 3D: a 100 (r/mean - 1) over all directions, in cells\n"
    "of equal solid angle, b the anisotropy; also c, d and e as f, g and h in\n"
    "2D. They draw six groups at most.\n"
    "\n"
    "The heading error of a wave from one cell is 0.000 for every delta and\n"
    "threshold: its central differences point exactly to the source\n"
    "(docs/explanation/wave.md, Gradient).\n"
    "The table has no intervals: waves are not random, so its values are\n"
    "exact, and the anisotropy is the spread over directions. If a group\n"
    "(--pool) has several recordings, the values are means.\n"
    "BASE-map-N.png, made with the chart's PNG, show the wave and its front\n"
    "every 20 generations.\n"
    "  hamon-isotropy -o round --vary arrival.threshold=1e-2,1e-4,1e-10 \\\n"
    "      field.h5\n";

int main(int argc, char **argv)
{
    struct report report = { 0 };
    const struct cli_option own[] = {
        { CLI_REAL, 'r', "radius", "R",
          "radius of the ring in cells (the largest with all fronts 4\n"
          "cells or more from the map's edge, which is a mirror)",
          &report.radius, 2, 900 },
        { 0 },
    };
    const char *names[sizeof flat_lees / sizeof *flat_lees + LEES + 1] = {
        flat_lees[0].name, flat_lees[1].name, deep_lees[0].name,
        deep_lees[1].name, deep_lees[2].name, NULL
    };
    const struct study_program program = {
        .name = "hamon-isotropy",
        .field = "error",
        .purpose = "Measures how round first fronts are, and their headings.",
        .notes = notes,
        .own = own,
        .commands = isotropy_gp,
        .report = &report,
        .make = make,
        .release = release,
        .table = make_table,
        .columns = describe_columns,
        .remark = remark,
        .map = map_of,
        .data = write_data,
        .panels = name_panels,
        .title = N_("roundness of first fronts, by direction"),
        .drawn = count_drawn,
        .where = N_("panels with a line for each group"),
        .names = names,
    };
    return study_program_main(&program, argc, argv);
}
