/* SPDX-License-Identifier: MIT */
#include "reflection_report.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double degrees = 57.295779513082320877;

/* Of the cell whose spectrum is taken: beyond the first reflections, and near
 * enough that most of the wave comes by. */
#define SPECTRUM_DISTANCE 60.

/* What sets the group apart, and its map of errors, from its first reading. */
static enum status
describe(const struct reflection_report *report, const struct reading *reading,
         const struct front *front, const struct truth *truth,
         struct reflection_series *series, struct error *error)
{
    struct arrival_settings settings;
    const struct study *study = report->study;
    enum status status = reading_arrival(study, reading, &settings, error);
    if (status)
        return status;
    const char *walls = reading_setting(study, reading, "wave.walls");
    size_t cells = grid_cells(&front->terrain.grid);
    int width = reflection_width(&front->terrain, front->source);
    series->width = width > 0 ? width : (double)NAN;
    series->delta = reading_real(study, reading, "wave.delta", 0.25);
    series->threshold = strcmp(settings.detector->name, "threshold") == 0
                            ? settings.threshold
                            : (double)NAN;
    series->cutoff = width > 0 && walls && strcmp(walls, "fixed") == 0
                         ? reflection_cutoff(series->delta, width)
                         : (double)NAN;
    series->grid = front->terrain.grid;
    series->errors = memory_new(cells, sizeof *series->errors);
    series->blank = memory_new(cells, 1);
    if (!series->errors || !series->blank)
        return error_memory(error);
    for (size_t i = 0; i < cells; i++)
        series->blank[i] = (uint8_t)reflection_blank(front, truth, i);
    return STATUS_OK;
}

/* Has no earlier group a first reading of the same recording? */
static bool first_of_recording(const struct study *study, size_t group)
{
    const struct group *groups = study->groups;
    const struct recording *own =
        study->readings[groups[group].first].recording;
    for (size_t g = 0; g < group; g++)
        if (study->readings[groups[g].first].recording == own)
            return false;
    return true;
}

static enum status measure(struct reflection_report *report, size_t number,
                           struct error *error)
{
    const struct study *study = report->study;
    const struct reading *reading = &study->readings[number];
    struct reflection_series *series = &report->series[reading->group];
    bool first = study->groups[reading->group].first == number;
    struct arrival_settings settings;
    struct front front = { 0 };
    struct truth truth = { 0 };
    enum status status = reading_arrival(study, reading, &settings, error);
    if (!status)
        status = front_open(&front, reading->recording, report->wave, error);
    if (!status)
        status = truth_make(&truth, &front.terrain, front.source, error);
    if (!status)
        status =
            front_follow(&front, reading->recording, report->wave, &settings,
                         (const double(*)[2])truth.toward, error);
    if (!status && first)
        status = describe(report, reading, &front, &truth, series, error);
    if (!status)
        reflection_add(&series->sum, &front, &truth,
                       first ? series->errors : NULL);
    if (!status && first && first_of_recording(study, reading->group)) {
        series->heard_at = SPECTRUM_DISTANCE;
        status =
            reflection_spectrum(reading->recording, report->wave, &truth,
                                &series->heard_at, series->spectrum, error);
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

double reflection_reach(const struct reflection_series *series)
{
    return share(series->sum.reached, series->sum.reachable);
}

static void tell_low_reach(struct reflection_report *report)
{
    enum { MOST = 200 }; /* bytes, and the rest is counted */
    char *text = report->low_reach;
    size_t size = sizeof report->low_reach, used = 0, more = 0;
    for (size_t g = 0; g < report->study->group_count; g++) {
        double reach = reflection_reach(&report->series[g]);
        if (!(reach < REFLECTION_LOW_REACH))
            continue;
        if (used > MOST) {
            more++;
            continue;
        }
        used += (size_t)snprintf(
            text + used, size - used, "%s%.80s %.3f",
            used ? "; "
                 : "Waves missed cells (reach under 0.95), whose errors "
                   "are not counted: ",
            report->study->groups[g].label, reach);
    }
    if (more)
        snprintf(text + used, size - used, "; and %zu more", more);
}

static double width_of(const struct reflection_series *series)
{
    return series->width;
}

static double threshold_of(const struct reflection_series *series)
{
    return series->threshold;
}

static double delta_of(const struct reflection_series *series)
{
    return series->delta;
}

const struct reflection_setting reflection_settings[REFLECTION_SETTINGS] = {
    { "width", "map.file", width_of },
    { "threshold", "arrival.threshold", threshold_of },
    { "delta", "wave.delta", delta_of },
};

/* Has the setting more than one value among the groups with errors? */
static bool varies(const struct reflection_report *report,
                   const struct reflection_setting *setting)
{
    double first = NAN;
    for (size_t g = 0; g < report->study->group_count; g++) {
        const struct reflection_series *series = &report->series[g];
        double value = setting->of(series);
        if (isnan(value) || !series->sum.counted)
            continue;
        if (isnan(first))
            first = value;
        if (value < first || value > first)
            return true;
    }
    return false;
}

static void find_panels(struct reflection_report *report)
{
    for (int i = 0; i < REFLECTION_SETTINGS; i++)
        report->varies[i] = varies(report, &reflection_settings[i]);
    for (size_t g = 0; g < report->study->group_count; g++)
        report->errors |= report->series[g].sum.counted > 0;
}

enum status reflection_report_make(struct reflection_report *report,
                                   const struct study *study, int wave,
                                   struct error *error)
{
    *report = (struct reflection_report){ .study = study, .wave = wave };
    report->series = memory_new(study->group_count, sizeof *report->series);
    if (!report->series)
        return error_memory(error);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->reading_count && !status; i++)
        status = measure(report, i, error);
    if (!status)
        find_panels(report);
    if (!status)
        tell_low_reach(report);
    return status;
}

void reflection_report_release(struct reflection_report *report)
{
    for (size_t g = 0; report->series && g < report->study->group_count; g++) {
        memory_release(report->series[g].errors);
        memory_release(report->series[g].blank);
    }
    memory_release(report->series);
    *report = (struct reflection_report){ 0 };
}

static double rms_at(const struct reflection *sum, int lag)
{
    return degrees * reflection_rms(sum->lag_squares[lag], sum->lag_count[lag]);
}

static const struct table_column columns[] = {
    { "width", 0 },     { "delta", -1 },    { "threshold", -1 },
    { "cells", 0 },     { "RMS error", 2 }, { "wrong", 4 },
    { "reach", 3 },     { "traced", 3 },    { "path ratio", 4 },
    { "at lag 2", 1 },  { "at lag 4", 1 },  { "at lag 8", 1 },
    { "at lag 12", 1 }, { "cutoff", 4 },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

enum status reflection_report_table(const struct reflection_report *report,
                                    struct table *table, struct error *error)
{
    table_init(table, "group", columns, COLUMNS);
    enum status status = STATUS_OK;
    for (size_t g = 0; g < report->study->group_count && !status; g++) {
        const struct reflection_series *series = &report->series[g];
        const struct reflection *sum = &series->sum;
        const double numbers[COLUMNS] = {
            series->width,
            series->delta,
            series->threshold,
            (double)sum->counted,
            degrees * reflection_rms(sum->squares, sum->counted),
            share(sum->wrong, sum->counted),
            reflection_reach(series),
            share(sum->traced, sum->started),
            sum->traced ? sum->ratio / (double)sum->traced : (double)NAN,
            rms_at(sum, 2),
            rms_at(sum, 4),
            rms_at(sum, 8),
            rms_at(sum, 12),
            series->cutoff,
        };
        status =
            table_add(table, report->study->groups[g].label, numbers, error);
    }
    return status;
}
