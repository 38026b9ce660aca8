/* SPDX-License-Identifier: MIT */
/* The blocks of hamon-reflection's data, and its maps of errors. */
#include "reflection_report.h"

#include "base/memory.h"
#include "base/version.h"
#include "study_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degrees = 57.295779513082320877;

/* One number a group behind the row's own. */
static void write_row(const struct reflection_report *report,
                      struct chart *chart, double x, int i,
                      double (*of)(const struct reflection_series *, int))
{
    size_t count = report->study->group_count;
    chart_number(chart, x, ' ');
    for (size_t g = 0; g < count; g++)
        chart_number(chart, of(&report->series[g], i),
                     g + 1 < count ? ' ' : '\n');
}

static double at_lag(const struct reflection_series *series, int lag)
{
    return degrees * reflection_rms(series->sum.lag_squares[lag],
                                    series->sum.lag_count[lag]);
}

static double in_band(const struct reflection_series *series, int band)
{
    return degrees * reflection_rms(series->sum.band_squares[band],
                                    series->sum.band_count[band]);
}

static double of_angle(const struct reflection_series *series, int angle)
{
    return 100. * (double)series->sum.angle_count[angle] /
           (double)series->sum.counted;
}

static double of_spectrum(const struct reflection_series *series, int line)
{
    return series->has_spectrum ? series->spectrum[line] : (double)NAN;
}

static void write_heard(const struct reflection_report *report,
                        struct chart *chart)
{
    double least = INFINITY, most = 0;
    for (size_t g = 0; g < report->study->group_count; g++) {
        const struct reflection_series *series = &report->series[g];
        if (!series->has_spectrum)
            continue;
        least = fmin(least, series->heard_at);
        most = fmax(most, series->heard_at);
    }
    chart_block(chart, "heard",
                "how far from the source the spectra's cells are: least, most "
                "(cells)");
    chart_number(chart, least, ' ');
    chart_number(chart, most, '\n');
}

static void write_curves(const struct reflection_report *report,
                         struct chart *chart)
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
    write_heard(report, chart);
    chart_block(chart, "cutoff",
                "series, lowest frequency of its corridor (radians per step), "
                "half its period (steps)");
    for (size_t g = 0; g < report->study->group_count; g++) {
        double cutoff = report->series[g].has_spectrum
                            ? report->series[g].cutoff
                            : (double)NAN;
        chart_number(chart, (double)(g + 1), ' ');
        chart_number(chart, cutoff, ' ');
        chart_number(chart, acos(-1) / report->series[g].cutoff, '\n');
    }
}

static enum status name_lines(const struct reflection_report *report, int i,
                              struct chart *chart, struct error *error)
{
    struct study_lines lines;
    size_t count = report->study->group_count;
    enum status status = study_lines_make(
        report->study, reflection_settings[i].key, &lines, error);
    bool *shown = status ? NULL : memory_new(count, sizeof *shown);
    if (!status && !shown)
        status = error_memory(error);
    for (size_t g = 0; g < count && !status; g++)
        if (!isnan(reflection_settings[i].of(&report->series[g])))
            shown[lines.of[g]] = true;
    if (!status)
        study_lines_tell(&lines, shown, i, chart);
    memory_release(shown);
    study_lines_release(&lines);
    return status;
}

/* A group as a point of a panel against one setting. */
struct point {
    double x, y;
    size_t line, group; /* its line: groups that this setting alone parts */
};

static int by_line_and_x(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

static enum status write_points(const struct reflection_report *report,
                                struct chart *chart,
                                const struct reflection_setting *setting,
                                struct error *error)
{
    const struct study *study = report->study;
    struct study_lines lines;
    enum status status = study_lines_make(study, setting->key, &lines, error);
    struct point *points =
        status ? NULL : memory_new(study->group_count, sizeof *points);
    if (!status && !points)
        status = error_memory(error);
    size_t count = 0;
    for (size_t g = 0; g < study->group_count && !status; g++) {
        double x = setting->of(&report->series[g]);
        points[count] =
            (struct point){ x, at_lag(&report->series[g], 0), lines.of[g], g };
        count += !isnan(x);
    }
    if (!status)
        qsort(points, count, sizeof *points, by_line_and_x);
    chart_block(chart, setting->name,
                "value, RMS heading error (degrees), series, line, reach; an "
                "empty line between settings that differ otherwise");
    for (size_t i = 0; i < count && !status; i++) {
        if (i && points[i].line != points[i - 1].line)
            chart_gap(chart);
        chart_number(chart, points[i].x, ' ');
        chart_number(chart, points[i].y, ' ');
        chart_number(chart, (double)(points[i].group + 1), ' ');
        chart_number(chart, (double)(points[i].line + 1), ' ');
        chart_number(chart, reflection_reach(&report->series[points[i].group]),
                     '\n');
    }
    memory_release(points);
    study_lines_release(&lines);
    return status;
}

enum status reflection_report_chart(const struct reflection_report *report,
                                    struct chart *chart, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < REFLECTION_SETTINGS && !status; i++)
        if (report->varies[i])
            status = name_lines(report, i, chart, error);
    if (!status)
        write_curves(report, chart);
    for (int i = 0; i < REFLECTION_SETTINGS && !status; i++)
        if (report->varies[i])
            status =
                write_points(report, chart, &reflection_settings[i], error);
    return status;
}

/* Of enum reflection_blank, from 1 on. */
static const char *const blanks[] = {
    "not counted: near the source or a corner, or two ways",
    "no arrival",
    "no way to the source",
    NULL,
};

enum status reflection_map(const struct reflection_report *report, size_t group,
                           double width, const char *path, bool force,
                           struct error *error)
{
    const struct reflection_series *series = &report->series[group];
    const struct group *named = &report->study->groups[group];
    size_t cells = grid_cells(&series->grid);
    double *errors = memory_new(cells, sizeof *errors);
    if (!errors)
        return error_memory(error);
    for (size_t i = 0; i < cells; i++)
        errors[i] = degrees * series->errors[i];
    const struct study_map map = {
        .recording = report->study->readings[named->first].recording,
        .wave = report->wave,
        .name = "heading error",
        .values = errors,
        .blank = series->blank,
        .blanks = blanks,
    };
    char software[128];
    snprintf(software, sizeof software, "hamon-reflection %s, commit %s",
             hamon_version, hamon_commit);
    enum status status = study_map_write(&map, named->label, width, software,
                                         path, force, error);
    memory_release(errors);
    return status;
}
