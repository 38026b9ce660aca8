/* SPDX-License-Identifier: MIT */
/* hamon-isotropy: the roundness of the front, and its headings. */
#include "analysis/study/dispersion.h"
#include "analysis/study/isotropy.h"
#include "analysis/study/program.h"
#include "base/memory.h"
#include "base/need.h"
#include "view/front.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the chart's panels, drawn by isotropy.gp ---- */

enum legend { HEADING_LEGEND = 1, SPEED_LEGEND, SPHERE_LEGEND };

#define POLAR(rim)                                                             \
    .x_range = "[-1.32 * " rim ":1.32 * " rim "]", .y = "",                    \
    .y_range = "[-2.1 * " rim ":1.32 * " rim "]", .polar = true, .shape = 1.3, \
    .style = "polar"
#define ANISOTROPY                                                             \
    .name = "anisotropy", .title = "spread of the radius, over its mean",      \
    .x = "radius (cells)", .x_range = "[0:*]", .y = "anisotropy (%)",          \
    .y_range = "[*:100]", .log = "y", .block = "anisotropy",                   \
    .style = "curves", .every = 10
#define SPEED                                                                  \
    .name = "speed", .title = "phase speed over that of long waves",           \
    .x = "wave number (rad/cell)", .y = "speed ratio",                         \
    .y_range = "[0:1.05]" /* from the minimum */, .block = "dispersion",       \
    .legend = SPEED_LEGEND
/* One entry for each panel. */
/* clang-format off */
static const struct chart_panel flat_panels[] = {
    { .name = "front", .title = "front", /* and the radius of its ring */
      .x = "radius (cells)", POLAR("front_rim"), .block = "front" },
    { .name = "heading", .title = "heading error", /* and at what radius */
      .x = "RMS heading error (°)", POLAR("heading_rim"),
      .block = "heading", .legend = HEADING_LEGEND },
    { ANISOTROPY },
    { SPEED, .x_range = "[0:4.5]", .style = "speed" },
};
static const struct chart_panel deep_panels[] = {
    { .name = "front", .title = "front, axial planes",
      .x = "radius (cells)", POLAR("front_rim"), .block = "front" },
    { .name = "diagonal", .title = "front, diagonal planes",
      .x = "radius (cells)", POLAR("front_rim"), .block = "diagonal" },
    { .name = "heading", .title = "heading, axial planes",
      .x = "RMS heading error (°)", POLAR("heading_rim"),
      .block = "heading", .legend = HEADING_LEGEND },
    { .name = "heading_diagonal", .title = "heading, diagonal planes",
      .x = "RMS heading error (°)", POLAR("heading_rim"),
      .block = "heading_diagonal" },
    { ANISOTROPY },
    { SPEED, .x_range = "[0:5.5]", .style = "speed_deep" },
};
static const struct chart_panel sphere_panel = {
    .name = "sphere", .title = "radius by direction at", /* what */
    .x = "radius off its mean (%)", .y = "",
    .x_range = "[-3.5:3.5]", .y_range = "[-2.2:1.8]", .block = "sphere",
    .style = "sphere", .shape = .57, .own_only = true,
};
/* clang-format on */
/* The first panel of each kind: in 2D, in 3D. */
enum { FRONT, HEADING, FLAT_SPEED = 3, FLAT_PANELS };
enum { DEEP_HEADING = 2, DEEP_SPEED = 5, DEEP_PANELS };
/* Groups that have a panel of directions. */
enum { SPHERES = 4 };

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
static const struct lee flat_lees[] = { { 4, "Lee over 4 neighbours" },
                                        { 8, "Lee over 8 neighbours" } };
static const struct lee deep_lees[] = { { 6, "Lee over 6 neighbours" },
                                        { 18, "Lee over 18 neighbours" },
                                        { 26, "Lee over 26 neighbours" } };

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
    size_t lees;
    const char *lee_names[LEES + 1]; /* ends with NULL */
    size_t series_count;             /* groups and Lee's fronts */
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
        report->series[study->group_count + i].label = report->lee_names[i];
}

/* Rings cannot be compared with shells. */
static enum status choose_dims(struct report *report, struct error *error)
{
    const struct study *study = report->study;
    report->dims = recording_grid(study->recordings[0])->dims;
    report->sections = report->dims == 2 ? 1 : ISOTROPY_SECTIONS;
    report->lees = report->dims == 2 ? 2 : LEES;
    for (size_t i = 0; i < report->lees; i++)
        report->lee_names[i] = lees_of(report->dims)[i].name;
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

/* ---- the chart's data ---- */

/* One number for each series. */
static void write_series(const struct report *report, struct chart *chart,
                         double (*of)(const struct series *, int, int),
                         int section, int i)
{
    for (size_t s = 0; s < report->series_count; s++)
        chart_number(chart, of(&report->series[s], section, i),
                     s + 1 < report->series_count ? ' ' : '\n');
}

static double rho_of(const struct series *series, int section, int bin)
{
    return series->rho[section][bin];
}

static double error_of(const struct series *series, int section, int bin)
{
    return degrees * series->error[section][bin];
}

static double anisotropy_of(const struct series *series, int section,
                            int radius)
{
    (void)section;
    return 100 * series->anisotropy[radius];
}

/* Relative to the mean radius, per cent. */
static double sphere_of(const struct series *series, int section, int bin)
{
    (void)section;
    return 100 * (series->sphere[bin] / series->ring.mean - 1);
}

/* The curves of these sections, one after another. */
static void write_angles(const struct report *report, struct chart *chart,
                         double (*of)(const struct series *, int, int),
                         int first, int end)
{
    for (int s = first; s < end; s++) {
        if (s > first)
            chart_gap(chart);
        /* The first bin again at the end closes the curve. */
        for (int b = 0; b <= ISOTROPY_BINS; b++) {
            chart_number(chart, 360. * b / ISOTROPY_BINS, ' ');
            write_series(report, chart, of, s, b % ISOTROPY_BINS);
        }
    }
}

static void write_anisotropy(const struct report *report, struct chart *chart)
{
    for (int r = 5; r < RADII; r++) {
        bool any = false;
        for (size_t i = 0; i < report->series_count; i++)
            any = any || isfinite(report->series[i].anisotropy[r]);
        if (!any)
            break;
        chart_number(chart, r, ' ');
        write_series(report, chart, anisotropy_of, 0, r);
    }
}

static void write_dispersion(const struct report *report, struct chart *chart)
{
    bool any = false;
    for (size_t g = 0; g < report->study->group_count; g++) {
        const struct dispersion *d = report->dispersion[g];
        for (int way = 0; d && way < d->ways; way++) {
            for (int i = 0; i < DISPERSION_NUMBERS; i++)
                CHART_ROW(chart, d->k[way][i], (double)(g + 1), way,
                          d->measured[way][i], d->law[way][i]);
            chart_gap(chart);
            any = true;
        }
    }
    for (int way = 0; way < DISPERSION_WAYS_2D && !any; way++)
        CHART_ROW(chart, 0, NAN, NAN, NAN, NAN);
}

/* The bins whose middle is within the ellipse. */
static void write_sphere(const struct report *report, struct chart *chart)
{
    const int across = report->columns, rows = across / 2;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < across; x++) {
            double right = 4 * sqrt(2) * ((x + .5) / across - .5);
            double up = 2 * sqrt(2) * ((y + .5) / rows - .5);
            if (right * right / 8 + up * up / 2 > 1)
                continue;
            chart_number(chart, right, ' ');
            chart_number(chart, up, ' ');
            write_series(report, chart, sphere_of, 0, y * across + x);
        }
}

/* The largest error in a section's panel, NaN if there is none. */
static double worst_of(const struct report *report, const struct series *series)
{
    double worst = NAN;
    for (int s = 0; s < report->sections; s++)
        for (int b = 0; b < ISOTROPY_BINS; b++) /* NaN is skipped */
            worst = fmax(worst, error_of(series, s, b));
    return worst;
}

/* A power of ten not exceeded by the errors of a series that is only a dot at
 * the centre of a panel with `rim` degrees at its rim; 0: all series are
 * visible. */
static double unseen_below(const struct report *report, double rim)
{
    double most = -INFINITY;
    for (size_t i = 0; i < report->series_count; i++) {
        double worst = worst_of(report, &report->series[i]);
        if (worst < 0.01 * rim)
            most = fmax(most, worst);
    }
    if (isinf(most))
        return 0;
    return pow(10, ceil(log10(fmax(most, 1e-12)) + 1e-9));
}

/* The ends of axes. */
struct limits {
    double front, error; /* of the polar panels' rims: cells, degrees */
    double speed;        /* the minimum */
    double unseen;       /* errors below it are too small to be visible */
    double sphere;       /* 3D: of the groups' radii from the mean, per cent */
};

/* The number of groups with a panel of directions. */
static size_t spheres_of(const struct report *report)
{
    size_t groups = report->study->group_count;
    return report->dims == 2 ? 0 : groups < SPHERES ? groups : SPHERES;
}

static void find_limits(const struct report *report, struct limits *limits)
{
    double high = 0, worst = 0, least = 1;
    for (size_t i = 0; i < report->series_count; i++) {
        high = fmax(high, report->series[i].ring.high);
        worst = fmax(worst, worst_of(report, &report->series[i]));
    }
    for (size_t g = 0; g < report->study->group_count; g++) {
        const struct dispersion *d = report->dispersion[g];
        for (int i = 0; d && i < d->ways * DISPERSION_NUMBERS; i++)
            least = fmin(
                least, d->law[i / DISPERSION_NUMBERS][i % DISPERSION_NUMBERS]);
    }
    limits->front = 20 * ceil(high / 20 + 0.01);
    limits->error = 10 * ceil(worst / 10 + 0.01);
    limits->speed = floor(10 * (least - 0.15)) / 10;
    limits->unseen = unseen_below(report, limits->error);
    limits->sphere = 0;
    for (size_t g = 0; g < spheres_of(report); g++)
        for (int b = 0; b < report->columns * report->columns / 2; b++)
            limits->sphere =
                fmax(limits->sphere, fabs(sphere_of(&report->series[g], 0, b)));
    if (limits->sphere > 0) {
        double half = pow(10, floor(log10(limits->sphere))) / 2;
        limits->sphere = ceil(limits->sphere / half) * half;
    }
}

/* The entries of the panels' own legends. */
static void add_entries(const struct report *report, struct chart *chart)
{
    chart_entry(chart, SPEED_LEGEND, 21, 0, "law, along an axis");
    chart_entry(chart, SPEED_LEGEND, 22, 0,
                report->dims == 2 ? "law, along a diagonal"
                                  : "law, along a diagonal of two axes");
    if (report->dims == GRID_AXES)
        chart_entry(chart, SPEED_LEGEND, 23, 0,
                    "law, along a diagonal of three");
    chart_entry(chart, SPEED_LEGEND, 0, 21, "points: measured");
    for (size_t g = 0; g < spheres_of(report); g++)
        chart_entry(chart, SPHERE_LEGEND + (int)g, (int)g + 1, 0, "%s",
                    report->series[g].label);
}

static void write_flat(const struct report *report, struct chart *chart)
{
    chart_block(chart, "front",
                "angle (degrees counter-clockwise from east), then radius of "
                "each series' front (cells)");
    write_angles(report, chart, rho_of, 0, 1);
    chart_block(chart, "heading",
                "angle (degrees), then RMS heading error of each series "
                "(degrees)");
    write_angles(report, chart, error_of, 0, 1);
}

static void write_deep(const struct report *report, struct chart *chart)
{
    chart_block(chart, "front",
                "planes z, y and x = that of the source, one after another: "
                "angle (degrees from x, from x, from y), then radius of each "
                "series' front (cells)");
    write_angles(report, chart, rho_of, 0, ISOTROPY_FLAT);
    chart_block(chart, "diagonal",
                "planes x = y, x = -y, x = z, x = -z, y = z, y = -z, seen from "
                "the source with y to the north and z up: angle (degrees from "
                "the diagonal of two axes), then radius of each series' front "
                "(cells)");
    write_angles(report, chart, rho_of, ISOTROPY_FLAT, ISOTROPY_SECTIONS);
    chart_block(chart, "heading",
                "the planes of front: angle (degrees), then RMS heading error "
                "of each series (degrees)");
    write_angles(report, chart, error_of, 0, ISOTROPY_FLAT);
    chart_block(chart, "heading_diagonal",
                "the planes of diagonal: angle (degrees), then RMS heading "
                "error of each series (degrees)");
    write_angles(report, chart, error_of, ISOTROPY_FLAT, ISOTROPY_SECTIONS);
    chart_block(chart, "sphere",
                "Hammer's equal-area map of directions: right (east in the "
                "middle, then north), up, then radius of each series' front "
                "off its mean (per cent)");
    write_sphere(report, chart);
}

static enum status write_data(const void *of, struct chart *chart,
                              struct error *error)
{
    (void)error;
    const struct report *report = of;
    struct limits limits;
    find_limits(report, &limits);
    if (limits.unseen > 0)
        chart_entry(chart, HEADING_LEGEND, 0, 0,
                    "lines at the centre: below %g°", limits.unseen);
    add_entries(report, chart);
    if (report->dims == 2)
        write_flat(report, chart);
    else
        write_deep(report, chart);
    chart_block(chart, "anisotropy",
                "radius (cells), then (max - min) / mean of each series' "
                "front (per cent)");
    write_anisotropy(report, chart);
    chart_block(chart, "dispersion",
                report->dims == 2
                    ? "wave number (radians per cell), series, direction (0 "
                      "axis, 1 diagonal), phase speed measured and by the "
                      "stencil's law (of the long wave limit)"
                    : "wave number (radians per cell), series, direction (0 to "
                      "2 axes x, y, z; 3 to 8 diagonals of two, 9 to 12 of "
                      "three), phase speed measured and by the stencil's law "
                      "(of the long wave limit)");
    write_dispersion(report, chart);
    chart_block(
        chart, "radius",
        "radius of the ring, outer radius of the front's panel (cells), lowest "
        "speed, outer radius of the errors' panel, limit below which errors "
        "are too small to see (degrees; 0: none is)");
    CHART_ROW(chart, report->radius, limits.front, limits.speed, limits.error,
              limits.unseen);
    return STATUS_OK;
}

/* The panels common to 2D and 3D, and in 3D one for each sphere. */
static void copy_panels(const struct report *report,
                        struct chart_figure *figure)
{
    size_t spheres = spheres_of(report);
    bool speeds = false;
    for (size_t g = 0; g < report->study->group_count; g++)
        speeds = speeds || report->dispersion[g];
    if (report->dims == 2) {
        memcpy(figure->panels, flat_panels, sizeof flat_panels);
        figure->count = speeds ? FLAT_PANELS : FLAT_SPEED;
        return;
    }
    memcpy(figure->panels, deep_panels, sizeof deep_panels);
    figure->count = speeds ? DEEP_PANELS : DEEP_SPEED;
    for (size_t g = 0; g < spheres; g++) {
        struct chart_panel *panel = &figure->panels[figure->count++];
        *panel = sphere_panel;
        panel->every = (int)g + 1;
        panel->legend = SPHERE_LEGEND + (int)g;
        snprintf(panel->title, sizeof panel->title, "%s %g cells",
                 sphere_panel.title, report->radius);
    }
}

static void choose_panels(const void *of, struct chart_figure *figure)
{
    const struct report *report = of;
    const bool flat = report->dims == 2;
    struct limits limits;
    find_limits(report, &limits);
    copy_panels(report, figure);
    int used = snprintf(figure->numbers, sizeof figure->numbers,
                        "front_rim = %g; heading_rim = %g\n", limits.front,
                        limits.error);
    struct chart_panel *speed = &figure->panels[flat ? FLAT_SPEED : DEEP_SPEED];
    if (flat || figure->count > DEEP_SPEED)
        snprintf(speed->y_range, sizeof speed->y_range, "[%g:1.05]",
                 limits.speed);
    if (flat) {
        snprintf(figure->panels[FRONT].title, sizeof figure->panels->title,
                 "front at %g cells", report->radius);
        snprintf(figure->panels[HEADING].title, sizeof figure->panels->title,
                 "heading error at %g", report->radius);
        return;
    }
    snprintf(figure->numbers + used, sizeof figure->numbers - (size_t)used,
             "diagonal_rim = front_rim; heading_diagonal_rim = heading_rim; "
             "sphere_most = %g; sphere_bin = %.6f\n",
             limits.sphere, 4 * sqrt(2) / report->columns);
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
        .panels = choose_panels,
        .more_legends = (const char *const *)report.lee_names,
    };
    return study_program_main(&program, argc, argv);
}
