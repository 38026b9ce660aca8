/* SPDX-License-Identifier: MIT */
/* hamon-modes: the guided modes of a corridor, and their dispersion laws; and
 * the walls whose echoes reach a cell. */
#include "analysis/modes/echoes.h"
#include "analysis/modes/panels.h"
#include "analysis/modes/spectrum.h"
#include "analysis/modes/wavenumber.h"
#include "analysis/study/program.h"
#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- the chart's panels, drawn by modes.gp ---- */

enum legend { MODES_LEGEND = 1, TRACE_LEGEND, FLUX_LEGEND };
enum { FIELDS = 3 }; /* number of modes whose amplitude is drawn */

/* One entry for each panel; ranges and titles with numbers are in the
 * report. */
/* clang-format off */
static const struct chart_panel panels[] = {
    { .name = "energy", .title = "share of the energy",
      .y = "energy (%)", .y_range = "[0:*]",
      .block = "energy", .style = "energy", .legend = MODES_LEGEND,
      .own_only = true },
    { .name = "field-1", .y = "time (steps)", .block = "field-1",
      .style = "field", .own_only = true },
    { .name = "field-2", .y = "time (steps)", .block = "field-2",
      .style = "field", .own_only = true },
    { .name = "field-3", .y = "time (steps)", .block = "field-3",
      .style = "field", .own_only = true },
    { .name = "diagram", .title = "power of dz/dt, white at -60 dB; lines: law",
      .x = "wave number (rad/cell)", .x_range = "[0:3.1416]",
      .y = "frequency (rad/step)", .block = "diagram",
      .style = "diagram", .legend = MODES_LEGEND, .shape = 0.8,
      .own_only = true },
    { .name = "speed", .title = "group speed; lines: law",
      .x = "frequency (rad/step)",
      .y = "speed (cells/step)", .y_range = "[0:*]", .y_tics = 0.1,
      .block = "speed",
      .style = "speed", .legend = MODES_LEGEND, .own_only = true },
    { .name = "decay", .title = "below the cutoffs; lines: law",
      .x = "distance from the source (cells)", .x_range = "[0:*]",
      .y = "relative amplitude", .y_range = "[1e-5:2]", .log = "y",
      .block = "decay", .style = "decay", .legend = MODES_LEGEND,
      .own_only = true },
};
/* clang-format on */
enum { ENERGY, FIELD, DIAGRAM = FIELD + FIELDS, SPEED, DECAY, PANELS };

/* For each probe instead of the modes. */
/* clang-format off */
static const struct chart_panel probe_panels[] = {
    { .name = "trace", .x = "time since the emission (steps)", .y = "amplitude",
      .style = "trace", .legend = TRACE_LEGEND, .shape = 0.75,
      .own_only = true },
    { .name = "flux", .x = "time since the emission (steps)",
      .y = "energy flux (°)", .y_range = "[-200:200]", .y_tics = 90,
      .style = "flux", .legend = FLUX_LEGEND, .own_only = true },
};
/* clang-format on */
enum { TRACE, FLUX, PROBE_PANELS, PROBES = 6 };
static const char *const probe_blocks[PROBES][PROBE_PANELS] = {
    { "trace-1", "flux-1" }, { "trace-2", "flux-2" }, { "trace-3", "flux-3" },
    { "trace-4", "flux-4" }, { "trace-5", "flux-5" }, { "trace-6", "flux-6" },
};

/* ---- measurements ---- */

/* Of the images. */
enum { FREQUENCIES = 128, NUMBERS = 128, STEP_BINS = 100, CELL_BINS = 160 };
static const double floor_db = -60;

struct report {
    const char *along;      /* given, or NULL */
    struct cli_list probes; /* "x,y"; without probes, modes are measured */
    size_t probe_count;
    struct echoes echoes[PROBES];
    struct corridor_field field;
    struct mode_series series;
    struct span span;
    struct mode_measured measured[MODES_KEPT];
    double top;    /* the largest of the diagram's frequencies */
    double *power; /* (FREQUENCIES, NUMBERS) */
    char remark[400], note[300];
};

/* Rounded to a tenth. */
static double in_db(double power, double largest)
{
    return power > 0 ? fmax(floor_db, round(100 * log10(power / largest)) / 10)
                     : floor_db;
}

static void describe(struct report *report)
{
    const struct corridor *corridor = &report->field.corridor;
    const struct mode_series *series = &report->series;
    const struct span *span = &report->span;
    const char axis = "xyz"[corridor->axis];
    char where[120];
    double sum = 0;
    for (int mode = 0; mode < series->count; mode++)
        sum += mode_series_energy(series, mode);
    corridor_describe(&report->field.terrain, corridor, where, sizeof where);
    snprintf(report->note, sizeof report->note,
             "Corridor %s; waves measured on %c %d ... %d, %lld steps", where,
             axis, corridor->first + span->from, corridor->first + span->to,
             (long long)series->steps);
    snprintf(report->remark, sizeof report->remark,
             "corridor %s%s; waves measured on %c %d ... %d, arrivals at %c = "
             "%d, %d cells from the source; energy of all modes over the "
             "field's: 1 %c %.1e",
             where, report->along ? "" : " (the longest of the map)", axis,
             corridor->first + span->from, corridor->first + span->to, axis,
             corridor->first + span->source + span->way * span_station(span),
             span_station(span), sum < series->field_energy ? '-' : '+',
             fabs(sum / series->field_energy - 1));
}

static enum status make_diagram(struct report *report, struct error *error)
{
    const struct mode_series *series = &report->series;
    enum status status = STATUS_OK;
    report->power =
        need_memory((size_t)FREQUENCIES * NUMBERS, sizeof *report->power);
    report->top =
        fmin(pi, 1.05 * mode_top(&report->measured[series->kept - 1].law));
    double unit = 0;
    for (int mode = 0; mode < series->kept; mode++)
        for (int64_t i = 0; i < series->steps * series->length; i++)
            unit = fmax(unit, fabs(mode_series_of(series, mode)[i]));
    for (int mode = 0; mode < series->kept && unit > 0 && !status; mode++)
        status =
            spectrum_power(mode_series_of(series, mode), (size_t)series->steps,
                           (size_t)series->length, (size_t)report->span.from,
                           (size_t)report->span.to, unit, report->top,
                           FREQUENCIES, NUMBERS, report->power, error);
    return status;
}

/* ---- probes ---- */

static enum status find_echoes(struct report *report, struct error *error)
{
    const struct cli_list *probes = &report->probes;
    char where[120];
    double rest = 0;
    if (report->field.terrain.grid.dims != 2)
        return error_set(error, STATUS_INPUT,
                         "--probe: %s is 3D, and images are for 2D; leave out "
                         "--probe to measure its modes",
                         recording_path(report->field.recording));
    if (probes->count > PROBES)
        return error_set(error, STATUS_INPUT,
                         "--probe: %zu cells are too many for a chart; give "
                         "%d at most",
                         probes->count, PROBES);
    for (size_t i = 0; i < probes->count; i++) {
        int x, y;
        char behind;
        if (sscanf(probes->items[i], "%9d,%9d%c", &x, &y, &behind) != 2)
            return error_set(error, STATUS_INPUT,
                             "--probe '%.60s': a cell is required, as in "
                             "72,12",
                             probes->items[i]);
        struct echoes *echoes = &report->echoes[report->probe_count++];
        enum status status = echoes_find(&report->field, x, y, echoes, error);
        if (status)
            return status;
        rest = fmax(rest, echoes->rest);
    }
    corridor_describe(&report->field.terrain, &report->field.corridor, where,
                      sizeof where);
    snprintf(report->note, sizeof report->note,
             "Corridor %s; images explain the traces but for %.1e of their "
             "largest amplitudes",
             where, rest);
    snprintf(report->remark, sizeof report->remark,
             "corridor %s%s; images explain the traces but for %.1e of their "
             "largest amplitudes%s",
             where, report->along ? "" : " (the longest of the map)", rest,
             rest < 1e-3 ? ""
                         : ": something else sends waves too, for example an "
                           "open end, or they began in another place");
    return STATUS_OK;
}

static const struct table_column probe_columns[] = {
    { "x", .digits = 0, .meaning = "column of the cell" },
    { "y", .digits = 0, .meaning = "row of the cell" },
    { "reflections", .digits = 0,
      .meaning = "number of reflections of the image in walls" },
    { "distance (cells)", .digits = 2,
      .meaning = "distance of the image from the cell" },
    { "sign", .digits = 0,
      .meaning = "sign of the image: -1 after an odd number of reflections at "
                 "fixed walls" },
    { "arrival, image (step)", .digits = 0,
      .meaning = "step of the crest in the image's wave" },
    { "arrival, measured (step)", .digits = 0,
      .meaning = "step of the crest nearest to it in the recorded wave" },
    { "crest", .digits = -1,
      .meaning = "amplitude of the image's wave at its crest" },
    { "trace at the crest", .digits = -1,
      .meaning = "recorded amplitude at that step" },
};
enum { PROBE_COLUMNS = sizeof probe_columns / sizeof *probe_columns };

static void make_probe_table(const struct report *report, struct table *table)
{
    table_init(table, "walls", probe_columns, PROBE_COLUMNS);
    for (size_t p = 0; p < report->probe_count; p++) {
        const struct echoes *echoes = &report->echoes[p];
        for (int i = 0; i < echoes->count; i++) {
            const struct echo *echo = &echoes->echo[i];
            const struct image_source *image = &echo->image;
            const double numbers[PROBE_COLUMNS] = {
                echoes->x,          echoes->y,
                image->reflections, hypot(image->along, image->across),
                image->sign,        (double)image->arrival,
                echo->measured,     echo->crest,
                echo->trace,
            };
            table_add(table, image->walls, numbers);
        }
    }
}

static double largest_of(const struct echoes *echoes)
{
    double largest = 0;
    for (int64_t t = 0; t < echoes->steps; t++)
        largest = fmax(largest, fabs(echoes->trace[t]));
    return largest > 0 ? largest : 1;
}

static void write_probe(const struct report *report, size_t p,
                        struct chart *chart)
{
    const struct echoes *echoes = &report->echoes[p];
    char name[32];
    const double largest = largest_of(echoes);
    chart_block(chart, probe_blocks[p][TRACE],
                "steps since the emission, amplitude, envelope, sum of all "
                "images");
    for (int64_t t = 0; t < echoes->steps; t++)
        CHART_ROW(chart, (double)t, echoes->trace[t], echoes->envelope[t],
                  echoes->sum[t]);
    chart_block(chart, probe_blocks[p][FLUX],
                "steps since the emission, direction of the energy flux "
                "(degrees)");
    for (int64_t t = 0; t < echoes->steps; t++)
        CHART_ROW(chart, (double)t, echoes->flux[t]);
    snprintf(name, sizeof name, "echoes-%zu", p + 1);
    chart_block(chart, name,
                "step of an image's crest, its line's lower and upper end, its "
                "label's side of the line (1 right), reflections and walls");
    for (int i = 0; i < echoes->count; i++) {
        const struct image_source *image = &echoes->echo[i].image;
        chart_number(chart, (double)image->arrival, ' ');
        chart_number(chart, -1.1 * largest, ' ');
        chart_number(chart, largest * (1.3 + .27 * i), ' ');
        chart_number(chart, 5 * image->arrival < echoes->steps, ' ');
        fprintf(chart->data.file, "%d:%s\n", image->reflections, image->walls);
    }
}

static void choose_probe_panels(const struct report *report,
                                struct chart_figure *figure)
{
    for (size_t p = 0; p < report->probe_count; p++)
        for (int i = 0; i < PROBE_PANELS; i++) {
            const struct echoes *echoes = &report->echoes[p];
            struct chart_panel *panel = &figure->panels[figure->count++];
            *panel = probe_panels[i];
            panel->block = probe_blocks[p][i];
            snprintf(panel->title, sizeof panel->title,
                     i == TRACE ? "cell %d,%d; reflections:walls"
                                : "cell %d,%d; 0 along the corridor",
                     echoes->x, echoes->y);
            snprintf(panel->x_range, sizeof panel->x_range, "[0:%lld]",
                     (long long)echoes->steps);
            const double largest = largest_of(echoes);
            if (i == TRACE)
                snprintf(panel->y_range, sizeof panel->y_range, "[%g:%g]",
                         -1.15 * largest, 3.15 * largest);
        }
}

static void write_probes(const struct report *report, struct chart *chart)
{
    chart_entry(chart, TRACE_LEGEND, 21, 0, "recorded");
    chart_entry(chart, TRACE_LEGEND, 25, 0, "its envelope");
    chart_entry(chart, TRACE_LEGEND, 2, 0, "sum of the images");
    chart_entry(chart, TRACE_LEGEND, 24, 0, "an image's crest");
    chart_entry(chart, FLUX_LEGEND, 0, 21, "direction of the energy flux");
    for (size_t p = 0; p < report->probe_count; p++)
        write_probe(report, p, chart);
}

/* ---- modes and probes ---- */

static enum status make(void *of, const struct study *study, int wave,
                        struct error *error)
{
    struct report *report = of;
    enum status status =
        field_open(&report->field, study->readings[0].recording, wave,
                   report->along, error);
    if (!status)
        status = spectrum_check(error);
    if (status || report->probes.count)
        return status ? status : find_echoes(report, error);
    status = span_choose(&report->field, &report->span, error);
    if (!status)
        status = mode_series_make(&report->field, &report->series, error);
    for (int mode = 0; mode < report->series.kept && !status; mode++)
        mode_measure(&report->series, mode, &report->span,
                     &report->measured[mode]);
    if (!status)
        status = make_diagram(report, error);
    if (!status)
        describe(report);
    return status;
}

static void release(void *of)
{
    struct report *report = of;
    for (size_t p = 0; p < report->probe_count; p++)
        echoes_release(&report->echoes[p]);
    for (int mode = 0; mode < MODES_KEPT; mode++)
        mode_measured_release(&report->measured[mode]);
    memory_release(report->power);
    mode_series_release(&report->series);
    field_release(&report->field);
    *report = (struct report){ 0 };
}

/* ---- the table ---- */

static const struct table_column columns[] = {
    { "energy share", .digits = 7,
      .meaning =
          "share of the wave's energy in this mode, over all cells and steps" },
    { "cutoff, law (rad/step)", .digits = 5,
      .meaning = "cutoff frequency by the stencil's law" },
    { "cutoff, measured", .digits = 5,
      .meaning = "the same, measured (rad/step)" },
    { "fastest, law (cells/step)", .digits = 5,
      .meaning = "largest group speed of the mode by the law" },
    { "fastest, measured", .digits = 5,
      .meaning = "group speed measured at its wave number (cells/step)" },
    { "decay, law (1/cell)", .digits = 5,
      .meaning = "decay with distance at 0.8 of the cutoff, by the law" },
    { "decay, measured", .digits = 5,
      .meaning = "the same, measured (1/cell)" },
    { "arrival, law (step)", .digits = 1,
      .meaning = "arrival of the fastest waves of the mode at the cell named "
                 "below the table, by the law" },
    { "arrival, measured", .digits = 0,
      .meaning = "first step there with half of the largest amplitude" },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void describe_columns(FILE *out)
{
    table_describe("mode",
                   "number of the mode; 1;2: of the first and second "
                   "axis across a duct",
                   out);
    table_describe_columns(columns, COLUMNS, out);
    fputs("\nWith --probe:\n", out);
    table_describe("walls",
                   "walls (N, S, W, E) that reflected the image, in "
                   "order; 0: the source itself",
                   out);
    table_describe_columns(probe_columns, PROBE_COLUMNS, out);
}

/* "1", or for a duct "1;2": of the first and of the second axis across. */
static const char *name_of(const struct report *report, int mode, char *text,
                           size_t size)
{
    const bool fixed = report->field.corridor.sides[0] == BOUNDARY_FIXED;
    const struct mode *of = &report->series.modes[mode];
    int used = snprintf(text, size, "%d", mode_name(of->across, fixed));
    if (of->up >= 0)
        snprintf(text + used, size - (size_t)used, ";%d",
                 mode_name(of->up, fixed));
    return text;
}

static void make_table(const void *of, struct table *table)
{
    const struct report *report = of;
    const struct mode_series *series = &report->series;
    char label[64], first[24], last[24];
    if (report->probe_count) {
        make_probe_table(report, table);
        return;
    }
    table_init(table, "mode", columns, COLUMNS);
    for (int mode = 0; mode < series->kept; mode++) {
        const struct mode_measured *measured = &report->measured[mode];
        const double numbers[COLUMNS] = {
            measured->energy,  mode_cutoff(&measured->law),
            measured->cutoff,  measured->fastest_law,
            measured->fastest, measured->decay_law,
            measured->decay,   measured->arrival_law,
            measured->arrival,
        };
        table_add(table, name_of(report, mode, label, sizeof label), numbers);
    }
    if (series->kept == series->count)
        return;
    double numbers[COLUMNS] = { 0 };
    for (int i = 1; i < COLUMNS; i++)
        numbers[i] = NAN;
    for (int mode = series->kept; mode < series->count; mode++)
        numbers[0] += mode_series_energy(series, mode) / series->field_energy;
    snprintf(label, sizeof label, "%s ... %s",
             name_of(report, series->kept, first, sizeof first),
             name_of(report, series->count - 1, last, sizeof last));
    table_add(table, label, numbers);
}

/* ---- the chart's data ---- */

static void write_energy(const struct report *report, struct chart *chart)
{
    const struct mode_series *series = &report->series;
    chart_block(chart, "energy",
                "cell along the corridor, then each mode's share of the "
                "energy there over all steps");
    for (int i = 0; i < series->length; i++) {
        double sum = 0;
        for (int mode = 0; mode < series->count; mode++)
            sum +=
                series
                    ->energy[(size_t)mode * (size_t)series->length + (size_t)i];
        chart_number(chart, report->field.corridor.first + i, ' ');
        for (int mode = 0; mode < series->kept; mode++)
            chart_number(chart,
                         series->energy[(size_t)mode * (size_t)series->length +
                                        (size_t)i] /
                             sum,
                         mode + 1 < series->kept ? ' ' : '\n');
    }
}

/* The number of steps shown in the images of amplitudes: three lengths of the
 * corridor, to its end, back and once more. */
static int64_t steps_shown(const struct report *report)
{
    const struct mode_series *series = &report->series;
    int64_t there =
        (int64_t)(3 * series->length / sqrt(report->field.settings.delta));
    return there < series->steps ? there : series->steps;
}

/* A mode's power in bins of cells and steps, as the rows of an image. */
static void write_field(const struct report *report, int mode,
                        struct chart *chart)
{
    const struct mode_series *series = &report->series;
    const double *a = mode_series_of(series, mode);
    const int64_t steps = steps_shown(report);
    const int rows = steps < STEP_BINS ? (int)steps : STEP_BINS;
    const int across = series->length < CELL_BINS ? series->length : CELL_BINS;
    double *power = need_memory((size_t)rows * (size_t)across, sizeof *power);
    double largest = 0;
    char name[32];
    for (int64_t t = 0; t < steps; t++)
        for (int i = 0; i < series->length; i++) {
            double value = a[(size_t)t * (size_t)series->length + (size_t)i];
            size_t row = (size_t)(t * rows / steps);
            size_t bin = (size_t)(i * across / series->length);
            double *at = &power[row * (size_t)across + bin];
            *at = fmax(*at, value * value);
            largest = fmax(largest, *at);
        }
    snprintf(name, sizeof name, "field-%d", mode + 1);
    chart_block(chart, name,
                "cell along the corridor, steps since the emission, largest "
                "squared amplitude of the mode there (dB)");
    for (int row = 0; row < rows; row++)
        for (int bin = 0; bin < across; bin++)
            CHART_ROW(chart,
                      report->field.corridor.first - .5 +
                          (bin + .5) * series->length / across,
                      (row + .5) * (double)steps / rows,
                      in_db(power[(size_t)row * (size_t)across + (size_t)bin],
                            largest));
    memory_release(power);
}

static void write_fastest(const struct report *report, struct chart *chart)
{
    const struct mode_series *series = &report->series;
    chart_block(chart, "fastest",
                "mode, cell along the corridor, steps that the law's fastest "
                "waves take to it");
    for (int mode = 0; mode < series->kept && mode < FIELDS; mode++) {
        double k, speed = mode_fastest(&report->measured[mode].law, &k);
        for (int way = -1; way <= 1; way += 2) {
            int end = way < 0 ? 0 : series->length - 1;
            double cells = fabs((double)(end - report->span.source));
            if (!report->span.timed)
                cells = NAN;
            CHART_ROW(chart, mode + 1,
                      report->field.corridor.first + report->span.source, 0);
            CHART_ROW(chart, mode + 1, report->field.corridor.first + end,
                      cells / speed);
            chart_gap(chart);
        }
    }
}

static void write_diagram(const struct report *report, struct chart *chart)
{
    double largest = 0;
    for (int i = 0; i < FREQUENCIES * NUMBERS; i++)
        largest = fmax(largest, report->power[i]);
    chart_block(chart, "diagram",
                "wave number (radians per cell), frequency (radians per step), "
                "power of the speed of change of all modes (dB)");
    for (int i = 0; i < FREQUENCIES; i++)
        for (int j = 0; j < NUMBERS; j++)
            CHART_ROW(chart, pi * (j + .5) / NUMBERS,
                      report->top * (i + .5) / FREQUENCIES,
                      in_db(report->power[i * NUMBERS + j], largest));
}

static void write_laws(const struct report *report, struct chart *chart)
{
    enum { POINTS = 100 };
    chart_block(chart, "laws",
                "mode, wave number, frequency, group speed by the law");
    for (int mode = 0; mode < report->series.kept; mode++) {
        const struct mode_law *law = &report->measured[mode].law;
        for (int i = 0; i <= POINTS; i++) {
            double k = pi * i / POINTS;
            CHART_ROW(chart, mode + 1, k, mode_frequency(law, k),
                      i == 0 && law->s > 0 ? 0 : mode_speed(law, k));
        }
        chart_gap(chart);
    }
    chart_block(chart, "cutoffs",
                "mode, cutoff by the law, measured (radians per step)");
    for (int mode = 0; mode < report->series.kept; mode++)
        CHART_ROW(chart, mode + 1, mode_cutoff(&report->measured[mode].law),
                  report->measured[mode].cutoff);
}

static void write_speeds(const struct report *report, struct chart *chart)
{
    chart_block(chart, "speed",
                "mode, frequency, group speed measured, by the law, mean wave "
                "number");
    for (int mode = 0; mode < report->series.kept; mode++) {
        const struct mode_measured *measured = &report->measured[mode];
        for (int i = 0; i + 1 < MODE_POINTS; i++) {
            double k, frequency,
                speed = mode_measured_speed(measured, i, &k, &frequency);
            CHART_ROW(chart, mode + 1, frequency, speed,
                      mode_speed(&measured->law, k), k);
        }
        chart_gap(chart);
    }
}

static void write_decays(const struct report *report, struct chart *chart)
{
    const struct span *span = &report->span;
    chart_block(chart, "decay",
                "mode, cells from the source, amplitude over that of the first "
                "measured cell near 0.8 of the cutoff, by the law");
    for (int mode = 0; mode < report->series.kept; mode++) {
        const struct mode_measured *measured = &report->measured[mode];
        int first = span->way > 0 ? span->from : span->to;
        for (int i = 0; i <= span->to - span->from; i++) {
            double law = exp(-measured->decay_law * i);
            CHART_ROW(chart, mode + 1, span->way * (first - span->source) + i,
                      measured->amplitude[first + span->way * i] /
                          measured->amplitude[first],
                      law);
        }
        chart_gap(chart);
    }
}

static enum status write_data(const void *of, struct chart *chart,
                              struct error *error)
{
    const struct report *report = of;
    char name[24];
    if (report->probe_count) {
        write_probes(report, chart);
        return STATUS_OK;
    }
    for (int mode = 0; mode < report->series.kept; mode++)
        chart_entry(chart, MODES_LEGEND, mode + 1, mode + 1, "mode %s",
                    name_of(report, mode, name, sizeof name));
    write_energy(report, chart);
    for (int mode = 0; mode < FIELDS && mode < report->series.kept; mode++)
        write_field(report, mode, chart);
    write_fastest(report, chart);
    write_diagram(report, chart);
    write_laws(report, chart);
    write_speeds(report, chart);
    write_decays(report, chart);
    return STATUS_OK;
}

static void choose_panels(const void *of, struct chart_figure *figure)
{
    const struct report *report = of;
    const struct corridor *corridor = &report->field.corridor;
    static const char *const axes[] = { "x (cells)", "y (cells)", "z (cells)" };
    char name[24];
    if (report->probe_count) {
        choose_probe_panels(report, figure);
        return;
    }
    snprintf(figure->numbers, sizeof figure->numbers, "modes = %d\n",
             report->series.kept);
    for (int i = 0; i < PANELS; i++) {
        struct chart_panel *panel = &figure->panels[figure->count];
        *panel = panels[i];
        int mode = i - FIELD;
        bool field = mode >= 0 && mode < FIELDS;
        if (field && mode >= report->series.kept)
            continue;
        if (field)
            snprintf(panel->title, sizeof panel->title,
                     "mode %s, white at -60 dB; line: fastest",
                     name_of(report, mode, name, sizeof name));
        if (field || i == ENERGY) {
            panel->x = axes[corridor->axis];
            snprintf(panel->x_range, sizeof panel->x_range, "[%d:%d]",
                     corridor->first, corridor->last);
        }
        if (field)
            snprintf(panel->y_range, sizeof panel->y_range, "[0:%lld]",
                     (long long)steps_shown(report));
        if (i == DIAGRAM)
            snprintf(panel->y_range, sizeof panel->y_range, "[0:%.4f]",
                     report->top);
        if (i == SPEED)
            snprintf(panel->x_range, sizeof panel->x_range, "[0:%.4f]",
                     report->top);
        figure->count++;
    }
}

static const char *remark(const void *of)
{
    return ((const struct report *)of)->remark;
}

static const char *note(const void *of, const struct chart_figure *figure)
{
    (void)figure;
    return ((const struct report *)of)->note;
}

static const char notes[] =
    "The recording needs a source in or beside a straight corridor\n"
    "(samples/corridors/modes.cfg), or in 3D in a duct (samples/ducts);\n"
    "5-point or 7-point stencil, no damping. If the amplitude of every step\n"
    "was not recorded, the run is computed again. Modes are numbered as in\n"
    "docs/explanation/wave.md: from 1 between fixed walls, from 0 between "
    "free\n"
    "walls; 1;2 is a mode of a duct, for the first and the\n"
    "second axis across it. Frequencies and wave numbers are measured on the\n"
    "longer side of the source, and the decay near 0.8 of the cutoff, for the\n"
    "eight lowest modes; the last row is the energy of all others. An arrival\n"
    "is the first step with half of the largest amplitude; it may be before\n"
    "the law's arrival.\n"
    "\n"
    "The wave at a cell (--probe) is the sum of the waves of the source and\n"
    "of its mirror images in the walls. The table has the first of them.\n"
    "  hamon-modes -o modes modes.h5\n"
    "  hamon-modes -o part --along 40,12:140,12 --table csv modes.h5\n"
    "  hamon-modes -o room --probe 27,15 --probe 1,20 echoes.h5\n";

int main(int argc, char **argv)
{
    struct report report = { 0 };
    const struct cli_option own[] = {
        { CLI_TEXT, 0, "along", "X0,Y0:X1,Y1",
          "the part of the corridor between two cells of one row or\n"
          "column, in 3D X0,Y0,Z0:X1,Y1,Z1 (the longest corridor of\n"
          "the map)",
          &report.along, 0, 0 },
        { CLI_LIST, 0, "probe", "X,Y",
          "in 2D, instead of modes: the amplitude over time at this\n"
          "cell, and which walls sent its crests; repeatable (6 at\n"
          "most)",
          &report.probes, 0, 0 },
        { 0 },
    };
    const struct study_program program = {
        .name = "hamon-modes",
        .field = "flux",
        .purpose = "Measures the guided modes of a straight corridor, and "
                   "compares them with theory.",
        .notes = notes,
        .one_recording = true,
        .own = own,
        .commands = modes_gp,
        .report = &report,
        .make = make,
        .release = release,
        .table = make_table,
        .columns = describe_columns,
        .remark = remark,
        .note = note,
        .data = write_data,
        .panels = choose_panels,
    };
    return study_program_main(&program, argc, argv);
}
