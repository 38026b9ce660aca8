/* SPDX-License-Identifier: MIT */
#include "isotropy_report.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

const char *const isotropy_lee_names[] = { "Lee over 4 neighbours",
                                           "Lee over 8 neighbours", NULL };
enum { LEES = 2 };
static const int lee_moves[LEES] = { 4, 8 };

static const double degrees = 57.295779513082320877;

/* Adds a front to its series. */
static void take_front(struct isotropy_series *series,
                       const struct isotropy *isotropy, double radius)
{
    double rho[ISOTROPY_BINS], error[ISOTROPY_BINS];
    struct ring ring;
    isotropy_angles(isotropy, radius, rho, error);
    for (int b = 0; b < ISOTROPY_BINS; b++) {
        series->rho[b] += rho[b];
        series->error[b] += error[b];
    }
    int reach = isotropy_reach(isotropy, ISOTROPY_ROOM);
    for (int r = 1; r < ISOTROPY_RADII; r++)
        series->anisotropy[r] += r <= reach && isotropy_ring(isotropy, r, &ring)
                                     ? ring.anisotropy
                                     : (double)NAN;
    isotropy_ring(isotropy, radius, &ring);
    struct ring *sum = &series->ring;
    sum->cells = ring.cells;
    sum->anisotropy += ring.anisotropy;
    sum->mean_time += ring.mean_time;
    sum->rms += ring.rms;
    sum->mean += ring.mean;
    sum->low += ring.low;
    sum->high += ring.high;
    series->worst = fmax(series->worst, isotropy_worst(isotropy, radius + 1));
    series->readings++;
}

static void take_means(struct isotropy_series *series)
{
    double n = series->readings;
    for (int b = 0; b < ISOTROPY_BINS; b++) {
        series->rho[b] /= n;
        series->error[b] /= n;
    }
    for (int r = 0; r < ISOTROPY_RADII; r++)
        series->anisotropy[r] /= n;
    struct ring *ring = &series->ring;
    ring->anisotropy /= n;
    ring->mean_time /= n;
    ring->rms /= n;
    ring->mean /= n;
    ring->low /= n;
    ring->high /= n;
}

/* The reading's front; *speed its nominal one. */
static enum status read_front(const struct isotropy_report *report,
                              const struct reading *reading,
                              struct front *front, double *speed,
                              struct error *error)
{
    struct arrival_settings settings;
    enum status status =
        reading_arrival(report->study, reading, &settings, error);
    if (!status)
        status = front_open(front, reading->recording, report->wave, error);
    if (!status)
        status = front_follow(front, reading->recording, report->wave,
                              &settings, NULL, error);
    *speed =
        sqrt(recording_setting_real(reading->recording, "wave.delta", 0.25));
    return status;
}

static struct isotropy isotropy_of(const struct front *front, double speed)
{
    return (struct isotropy){
        .terrain = &front->terrain,
        .source = front->source,
        .time = front->time,
        .heading = (const double(*)[2])front->heading,
        .speed = speed,
    };
}

/* Nearer to the source a ring has too few cells to be round: one that is not
 * asked for is no smaller. */
enum { LEAST_RADIUS = 5 };

static enum status no_ring(const struct study *study,
                           const struct reading *reading, double radius,
                           int reach, struct error *error)
{
    bool several = study->group_count > 1;
    return error_set(
        error, STATUS_INPUT,
        "%s%s%.100s: no ring of radius %g round the source that is free "
        "and that the front reached everywhere; the largest is "
        "%d. Fronts are measured in the open (samples/field): "
        "another map, more steps, a lower arrival.threshold, or "
        "--radius",
        recording_path(reading->recording), several ? ", " : "",
        several ? study->groups[reading->group].label : "", radius, reach);
}

/* The free space's fronts of Lee, into the last series. */
static enum status measure_lees(struct isotropy_report *report,
                                struct front *front, struct error *error)
{
    struct isotropy isotropy = isotropy_of(front, 0);
    enum status status = STATUS_OK;
    for (int i = 0; i < LEES && !status; i++) {
        status = isotropy_lee(&front->terrain, front->source, lee_moves[i],
                              front->time, front->heading, error);
        if (!status)
            take_front(&report->series[report->study->group_count + (size_t)i],
                       &isotropy, report->radius);
    }
    return status;
}

/* A reading's front into its group's series; of a group's first reading the
 * map, of the very first Lee's fronts. */
static enum status measure(struct isotropy_report *report, size_t number,
                           struct error *error)
{
    const struct reading *reading = &report->study->readings[number];
    size_t group = reading->group;
    struct front front = { 0 };
    struct ring ring;
    double speed;
    enum status status = read_front(report, reading, &front, &speed, error);
    struct isotropy isotropy = isotropy_of(&front, speed);
    if (!status) {
        int reach = isotropy_reach(&isotropy, 0);
        if (reach < 1 || report->radius > reach ||
            !isotropy_ring(&isotropy, report->radius, &ring))
            status =
                no_ring(report->study, reading, report->radius, reach, error);
    }
    if (!status)
        take_front(&report->series[group], &isotropy, report->radius);
    if (!status && report->study->groups[group].first == number)
        status =
            isotropy_map_take(&report->maps[group], &front, reading->recording,
                              report->wave, ring.mean_time, error);
    if (!status && number == 0)
        status = measure_lees(report, &front, error);
    front_release(&front);
    return status;
}

/* The largest ring of all readings. */
static enum status find_radius(struct isotropy_report *report,
                               struct error *error)
{
    const struct study *study = report->study;
    int least = ISOTROPY_RADII - 1;
    for (size_t i = 0; i < study->reading_count; i++) {
        struct front front = { 0 };
        double speed;
        enum status status =
            read_front(report, &study->readings[i], &front, &speed, error);
        int reach = 0;
        if (!status) {
            struct isotropy isotropy = isotropy_of(&front, speed);
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

/* Of a group; what has none to measure says why, and is no fault. */
static enum status measure_group(struct isotropy_report *report, size_t g,
                                 struct error *error)
{
    const struct study *study = report->study;
    struct error why;
    struct dispersion *dispersion = memory_new(1, sizeof *dispersion);
    if (!dispersion)
        return error_memory(error);
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

/* Of each group whose waves are others than an earlier one's. */
static enum status measure_dispersion(struct isotropy_report *report,
                                      struct error *error)
{
    const struct study *study = report->study;
    enum status status = STATUS_OK;
    for (size_t g = 0; g < study->group_count && !status; g++) {
        const struct recording *recording =
            study->readings[study->groups[g].first].recording;
        size_t before = 0;
        while (before < g &&
               study->readings[study->groups[before].first].recording !=
                   recording)
            before++;
        if (before == g)
            status = measure_group(report, g, error);
    }
    return status;
}

static void name_series(struct isotropy_report *report)
{
    const struct study *study = report->study;
    for (size_t g = 0; g < study->group_count; g++)
        report->series[g].label = study->groups[g].label;
    for (int i = 0; i < LEES; i++)
        report->series[study->group_count + (size_t)i].label =
            isotropy_lee_names[i];
}

enum status isotropy_report_make(struct isotropy_report *report,
                                 const struct study *study, int wave,
                                 double radius, struct error *error)
{
    *report = (struct isotropy_report){
        .study = study,
        .wave = wave,
        .radius = radius,
        .series_count = study->group_count + LEES,
    };
    report->series = memory_new(report->series_count, sizeof *report->series);
    report->dispersion =
        memory_new(study->group_count, sizeof *report->dispersion);
    report->maps = memory_new(study->group_count, sizeof *report->maps);
    if (!report->series || !report->dispersion || !report->maps)
        return error_memory(error);
    enum status status = radius > 0 ? STATUS_OK : find_radius(report, error);
    for (size_t i = 0; i < study->reading_count && !status; i++)
        status = measure(report, i, error);
    if (status)
        return status;
    name_series(report);
    for (size_t i = 0; i < report->series_count; i++)
        take_means(&report->series[i]);
    return measure_dispersion(report, error);
}

void isotropy_report_release(struct isotropy_report *report)
{
    for (size_t g = 0; report->dispersion && g < report->study->group_count;
         g++)
        memory_release(report->dispersion[g]);
    for (size_t g = 0; report->maps && g < report->study->group_count; g++)
        isotropy_map_release(&report->maps[g]);
    memory_release(report->maps);
    memory_release(report->dispersion);
    memory_release(report->series);
    *report = (struct isotropy_report){ 0 };
}

static const struct table_column columns[] = {
    { "radius (cells)", 0 },
    { "nodes", 0 },
    { "anisotropy (%)", 3 },
    { "mean time (steps)", 2 },
    { "RMS heading error (degrees)", 3 },
    { "largest, any node (degrees)", 3 },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

enum status isotropy_report_table(const struct isotropy_report *report,
                                  struct table *table, struct error *error)
{
    table_init(table, "front", columns, COLUMNS);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < report->series_count && !status; i++) {
        const struct isotropy_series *series = &report->series[i];
        const double numbers[COLUMNS] = {
            report->radius,
            (double)series->ring.cells,
            100 * series->ring.anisotropy,
            series->ring.mean_time,
            degrees * series->ring.rms,
            degrees * series->worst,
        };
        status = table_add(table, series->label, numbers, error);
    }
    return status;
}
