/* SPDX-License-Identifier: MIT */
/* hamon-modes: the guided modes of a corridor, and their dispersion laws; what
 * bends and junctions do to them; the resonances of a room; and the walls whose
 * echoes reach a cell. */
#include "analysis/modes/echoes.h"
#include "analysis/modes/panels.h"
#include "analysis/modes/room.h"
#include "analysis/modes/shares.h"
#include "analysis/modes/spectrum.h"
#include "analysis/modes/wavenumber.h"
#include "analysis/study/program.h"
#include "base/memory.h"
#include "base/need.h"
#include "words/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 6 };

/* ---- measurements ---- */

/* Of the images. */
enum { FREQUENCIES = 128, NUMBERS = 128, STEP_BINS = 100, CELL_BINS = 160 };
static const double floor_db = -60;

struct report {
    const char *along;      /* given, or NULL */
    struct cli_list probes; /* "x,y"; without probes, modes are measured */
    struct shares_asked ports;
    struct cli_list labels; /* "NAME=TEXT": words for a mode or a port */
    struct scattering scattering;
    bool scattered;     /* between ports, instead of all below */
    bool behind;        /* modes of a probe's straight part behind a bend */
    int64_t resonances; /* requested, or 0 */
    bool rung;          /* resonances, instead of all below */
    /* Why those of a room were not measured though none were requested. */
    struct error not_rung;
    struct ringing ringing;
    size_t probe_count;
    struct echoes echoes[PROBES];
    struct corridor_field field;
    struct mode_series series;
    struct span span;
    struct mode_measured measured[MODES_KEPT];
    double top;    /* the largest of the diagram's frequencies */
    double *power; /* (FREQUENCIES, NUMBERS) */
    char remark[400], note[2][300]; /* in English; as it is drawn */
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
    for (int drawn = 1; drawn >= 0; drawn--) {
        corridor_describe(&report->field.terrain, corridor, drawn, where,
                          sizeof where);
        snprintf(report->note[drawn], sizeof *report->note,
                 words_if(drawn, "Corridor %s; waves measured on %c %d ... %d, "
                                 "%lld steps"),
                 where, axis, corridor->first + span->from,
                 corridor->first + span->to, (long long)series->steps);
    }
    snprintf(report->remark, sizeof report->remark,
             "corridor %s%s; waves measured on %c %d ... %d, arrivals at %c = "
             "%d, %d cells from the source; energy of all modes over the "
             "field's: 1 %c %.1e",
             where, report->along ? "" : " (the longest of the map)", axis,
             corridor->first + span->from, corridor->first + span->to, axis,
             corridor->first + span->source + span->way * span_station(span),
             span_station(span), sum < series->field_energy ? '-' : '+',
             fabs(sum / series->field_energy - 1));
    if (report->behind)
        snprintf(
            report->remark, sizeof report->remark,
            "--probe %s: not in the straight part of the source, whose "
            "images end at the bend; these are the modes of the cell's own "
            "straight part, corridor %s; waves measured on %c %d ... %d, "
            "arrivals at %c = %d",
            report->probes.items[0], where, axis, corridor->first + span->from,
            corridor->first + span->to, axis,
            corridor->first + span->source + span->way * span_station(span));
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

/* The corridor of --along, or of the first probe, or the longest one. */
static enum status choose_corridor(struct report *report, struct error *error)
{
    struct corridor_field *field = &report->field;
    const struct cli_list *probes = &report->probes;
    const int dims = field->terrain.grid.dims;
    int cell[GRID_AXES];
    if (report->along || !probes->count || dims != 2)
        return field_choose(field, report->along, error);
    enum status status =
        field_parse_cell(probes->items[0], "--probe", dims, cell, error);
    if (!status)
        status = field_choose_probe(field, cell, &report->behind, error);
    if (!status && report->behind && probes->count > 1)
        status = error_set(error, STATUS_INPUT,
                           "--probe %s: not in the straight part of the "
                           "source; give it alone, to measure the modes of "
                           "its own straight part",
                           probes->items[0]);
    return status;
}

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
        int cell[GRID_AXES];
        enum status status =
            field_parse_cell(probes->items[i], "--probe", 2, cell, error);
        if (status)
            return status;
        struct echoes *echoes = &report->echoes[report->probe_count++];
        status = echoes_find(&report->field, cell[0], cell[1], echoes, error);
        if (status)
            return status;
        rest = fmax(rest, echoes->rest);
    }
    for (int drawn = 1; drawn >= 0; drawn--) {
        corridor_describe(&report->field.terrain, &report->field.corridor,
                          drawn, where, sizeof where);
        snprintf(report->note[drawn], sizeof *report->note,
                 words_if(drawn, "Corridor %s; images explain the traces but "
                                 "for %.1e of their largest amplitudes"),
                 where, rest);
    }
    snprintf(report->remark, sizeof report->remark,
             "corridor %s%s; images explain the traces but for %.1e of their "
             "largest amplitudes%s",
             where, report->along ? "" : " (of the source and the probe)", rest,
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

static void write_probes(const struct report *report, struct chart *chart)
{
    const size_t count = report->probe_count;
    chart_table(chart, "traces",
                "at each probe by step since the emission: the recorded "
                "amplitude, its envelope, the sum of all images, and the "
                "direction of the energy flux (0 along the corridor)",
                "probe,step (steps),amplitude (1),envelope (1),images "
                "(1),energy flux (degrees)");
    for (size_t p = 0; p < count; p++) {
        const struct echoes *echoes = &report->echoes[p];
        for (int64_t t = 0; t < echoes->steps; t++)
            CHART_ROW(chart, (double)(p + 1), (double)t, echoes->trace[t],
                      echoes->envelope[t], echoes->sum[t], echoes->flux[t]);
        chart_option_of(chart, "x", p, echoes->x);
        chart_option_of(chart, "y", p, echoes->y);
        chart_option_of(chart, "steps", p, (double)echoes->steps);
        chart_option_of(chart, "largest", p, largest_of(echoes));
    }
    chart_table(chart, "echoes", "the crests of the images at each probe",
                "probe,echo,step (steps),reflections,walls");
    for (size_t p = 0; p < count; p++)
        for (int i = 0; i < report->echoes[p].count; i++) {
            const struct image_source *image = &report->echoes[p].echo[i].image;
            CHART_CELLS(chart, (double)(p + 1), i, (double)image->arrival,
                        image->reflections);
            chart_word(chart, image->walls, '\n');
        }
    chart_option_number(chart, "probes", (double)count);
}

/* ---- modes and probes ---- */

static void describe_ringing(struct report *report)
{
    room_remark(&report->ringing, report->remark, sizeof report->remark);
    for (int drawn = 0; drawn < 2; drawn++)
        room_note(&report->ringing, drawn, report->note[drawn],
                  sizeof *report->note);
}

/* Measures resonances if they are requested, or if there is no corridor. */
static enum status ring(struct report *report, struct error *error)
{
    const bool asked = report->resonances > 0;
    if (asked && (report->along || report->ports.frequencies))
        return error_set(error, STATUS_INPUT,
                         "--resonances measures a room: give it without "
                         "--along and --frequencies");
    if (!asked && (report->along || report->probes.count ||
                   report->ports.from || report->ports.to.count ||
                   report->ports.frequencies || !room_is(&report->field)))
        return STATUS_OK;
    enum status status =
        room_make(&report->field, &report->ports,
                  asked ? (size_t)report->resonances : RINGING_USUAL,
                  &report->probes, &report->ringing, error);
    report->rung = asked || !status;
    if (status)
        report->not_rung = *error;
    else
        describe_ringing(report);
    return asked ? status : STATUS_OK;
}

/* Measures between ports if they are requested, or if there are some. */
static enum status scatter(struct report *report, struct error *error)
{
    if (report->field.settings.damping > 0)
        return STATUS_OK;
    if ((report->along || report->probes.count) &&
        (report->ports.from || report->ports.to.count ||
         report->ports.frequencies))
        return error_set(error, STATUS_INPUT,
                         "--from, --to and --frequencies measure a bend or a "
                         "junction: give them without --along and --probe");
    if (report->along || report->probes.count)
        return STATUS_OK;
    enum status status =
        shares_make(&report->field, &report->ports, &report->scattering,
                    &report->scattered, error);
    if (status || !report->scattered)
        return status;
    shares_remark(&report->scattering, report->remark, sizeof report->remark);
    for (int drawn = 0; drawn < 2; drawn++)
        shares_note(&report->scattering, drawn, report->note[drawn],
                    sizeof *report->note);
    return STATUS_OK;
}

/* The modes of a corridor, or images at probes. */
static enum status guide(struct report *report, struct error *error)
{
    enum status status = field_check_damping(&report->field, error);
    if (!status)
        status = choose_corridor(report, error);
    if (!status)
        status = spectrum_check(error);
    if (status || (report->probes.count && !report->behind))
        return status ? status : find_echoes(report, error);
    status = span_choose(&report->field, &report->span, error);
    if (!status)
        status = mode_series_make(&report->field, report->span.from,
                                  report->span.to, &report->series, error);
    for (int mode = 0; mode < report->series.kept && !status; mode++)
        mode_measure(&report->series, mode, &report->span,
                     &report->measured[mode]);
    if (!status)
        status = make_diagram(report, error);
    if (!status)
        describe(report);
    return status;
}

static enum status measure(void *of, const struct study *study, int wave,
                           struct error *error)
{
    struct report *report = of;
    enum status status =
        field_begin(&report->field, study->readings[0].recording, wave, error);
    if (!status)
        status = field_prepare(&report->field, error);
    if (!status && !report->resonances)
        status = scatter(report, error);
    if (!status && !report->scattered)
        status = ring(report, error);
    if (status || report->scattered || report->rung)
        return status;
    status = guide(report, error);
    if (status != STATUS_INPUT || !report->not_rung.status)
        return status;
    *error = report->not_rung;
    return error->status;
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
    scattering_release(&report->scattering);
    ringing_release(&report->ringing);
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
    { "profile, off the law", .digits = -1,
      .meaning = "largest difference between the amplitudes of the mode in the "
                 "cells across, measured and by the law, each with a sum of "
                 "squares of 1; BASE.csv has them" },
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
    fputs("\nBetween ports:\n", out);
    shares_describe(out);
    fputs("\nOf a room:\n", out);
    room_describe(out);
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

/* Is each NAME of --label a mode, or a port? */
static enum status check_labels(const struct report *report,
                                struct error *error)
{
    for (size_t i = 0; i < report->labels.count; i++) {
        const char *item = report->labels.items[i];
        bool known =
            report->scattered && shares_named(&report->scattering, item);
        for (int mode = 0; mode < report->series.kept; mode++) {
            char name[24];
            known |=
                labels_names(item, name_of(report, mode, name, sizeof name));
        }
        if (!known)
            return error_set(error, STATUS_INPUT,
                             "--label '%.200s': NAME=TEXT is required, with a "
                             "mode of the chart, or between ports a port, as "
                             "NAME",
                             item);
    }
    return STATUS_OK;
}

static enum status make(void *of, const struct study *study, int wave,
                        struct error *error)
{
    enum status status = measure(of, study, wave, error);
    return status ? status : check_labels(of, error);
}

/* NaN if the profile is not measured. */
static double profile_error(const struct report *report, int mode)
{
    const struct mode_series *series = &report->series;
    const size_t count = (size_t)series->count;
    const double *profile = series->profile + (size_t)mode * count;
    double *shape = need_memory(count, sizeof *shape), worst = 0;
    mode_series_shape(&report->field, series, mode, shape);
    for (size_t j = 0; j < count; j++)
        worst = fmax(worst, fabs(profile[j] - shape[j]));
    memory_release(shape);
    return isnan(profile[0]) ? (double)NAN : worst;
}

static void make_table(const void *of, struct table *table)
{
    const struct report *report = of;
    const struct mode_series *series = &report->series;
    char label[64], first[24], last[24];
    if (report->rung || report->probe_count || report->scattered) {
        report->rung        ? room_table(&report->ringing, table)
        : report->scattered ? shares_table(&report->scattering, table)
                            : make_probe_table(report, table);
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
            measured->arrival, profile_error(report, mode),
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

/* ---- the chart's tables and options, for modes.gp ---- */

static struct labels_given given_labels(const struct report *report)
{
    return (struct labels_given){ report->labels.items, report->labels.count };
}

static void write_modes(const struct report *report, struct chart *chart)
{
    const struct labels_given given = given_labels(report);
    char name[24];
    chart_table(chart, "modes", "in the order of their cutoffs",
                "mode,energy (%),cutoff law (rad/step),cutoff (rad/step),"
                "arrival law (steps),arrival (steps),name");
    for (int mode = 0; mode < report->series.kept; mode++) {
        const struct mode_measured *measured = &report->measured[mode];
        const double energy = 100 * measured->energy;
        const double cutoff = mode_cutoff(&measured->law);
        name_of(report, mode, name, sizeof name);
        CHART_CELLS(chart, mode + 1, energy, cutoff, measured->cutoff,
                    measured->arrival_law, measured->arrival);
        chart_word(chart, name, '\n');
        const char *words = labels_text(&given, name);
        chart_option_text_of(chart, "name", (size_t)mode, words ? words : name);
        chart_option_of(chart, "energy", (size_t)mode, energy);
        chart_option_of(chart, "cutoff", (size_t)mode, cutoff);
        chart_option_of(chart, "top", (size_t)mode, mode_top(&measured->law));
        chart_option_of(chart, "late", (size_t)mode,
                        measured->arrival - measured->arrival_law);
    }
}

/* The number of steps shown in the image of amplitudes: three lengths of the
 * corridor, to its end, back and once more. */
static int64_t steps_shown(const struct report *report)
{
    const struct mode_series *series = &report->series;
    int64_t there =
        (int64_t)(3 * series->length / sqrt(report->field.settings.delta));
    return there < series->steps ? there : series->steps;
}

/* The first mode's power in bins of cells and steps, as the rows of an image;
 * and the line of its fastest waves. */
static void write_field(const struct report *report, struct chart *chart)
{
    const struct mode_series *series = &report->series;
    const struct span *span = &report->span;
    const int start = report->field.corridor.first;
    const double *a = mode_series_of(series, 0);
    const int64_t steps = steps_shown(report);
    const int rows = steps < STEP_BINS ? (int)steps : STEP_BINS;
    const int across = series->length < CELL_BINS ? series->length : CELL_BINS;
    double *power = need_memory((size_t)rows * (size_t)across, sizeof *power);
    double largest = 0, k, speed = mode_fastest(&report->measured[0].law, &k);
    for (int64_t t = 0; t < steps; t++)
        for (int i = 0; i < series->length; i++) {
            double value = a[(size_t)t * (size_t)series->length + (size_t)i];
            size_t row = (size_t)(t * rows / steps);
            size_t bin = (size_t)(i * across / series->length);
            double *at = &power[row * (size_t)across + bin];
            *at = fmax(*at, value * value);
            largest = fmax(largest, *at);
        }
    chart_table(chart, "field", "largest squared amplitude of the first mode",
                "cell along (cells),step (steps),power (dB)");
    for (int row = 0; row < rows; row++)
        for (int bin = 0; bin < across; bin++)
            CHART_ROW(chart, start - .5 + (bin + .5) * series->length / across,
                      (row + .5) * (double)steps / rows,
                      in_db(power[(size_t)row * (size_t)across + (size_t)bin],
                            largest));
    memory_release(power);
    chart_table(chart, "fastest", "the law's fastest waves of the first mode",
                "cell along (cells),step (steps)");
    for (int way = 0; way < 2; way++) {
        const int end = way ? series->length - 1 : 0;
        CHART_ROW(chart, start + span->source, 0);
        CHART_ROW(chart, start + end,
                  span->timed ? abs(end - span->source) / speed : (double)NAN);
        chart_gap(chart);
    }
    chart_option_number(chart, "field_steps", (double)steps);
}

static void write_diagram(const struct report *report, struct chart *chart)
{
    double largest = 0;
    for (int i = 0; i < FREQUENCIES * NUMBERS; i++)
        largest = fmax(largest, report->power[i]);
    chart_table(chart, "diagram",
                "power of the speed of change of the modes' amplitudes",
                "wave number (rad/cell),frequency (rad/step),power (dB)");
    for (int i = 0; i < FREQUENCIES; i++)
        for (int j = 0; j < NUMBERS; j++)
            CHART_ROW(chart, pi * (j + .5) / NUMBERS,
                      report->top * (i + .5) / FREQUENCIES,
                      in_db(report->power[i * NUMBERS + j], largest));
}

static void write_laws(const struct report *report, struct chart *chart)
{
    enum { POINTS = 100 };
    double most = 0;
    chart_table(chart, "laws", "by the stencil's law",
                "mode,wave number (rad/cell),frequency (rad/step),group speed "
                "(cells/step)");
    for (int mode = 0; mode < report->series.kept; mode++) {
        const struct mode_law *law = &report->measured[mode].law;
        for (int i = 0; i <= POINTS; i++) {
            const double k = pi * i / POINTS;
            const double speed = i == 0 && law->s > 0 ? 0 : mode_speed(law, k);
            CHART_ROW(chart, mode + 1, k, mode_frequency(law, k), speed);
            most = fmax(most, speed);
        }
        chart_gap(chart);
    }
    chart_option_number(chart, "top_frequency", report->top);
    chart_option_number(chart, "fastest", most);
    chart_option_number(chart, "speed", sqrt(report->field.settings.delta));
}

static void write_points(const struct report *report, struct chart *chart)
{
    chart_table(chart, "points", "measured",
                "mode,wave number (rad/cell),frequency (rad/step)");
    for (int mode = 0; mode < report->series.kept; mode++) {
        const struct mode_measured *measured = &report->measured[mode];
        for (int i = 0; i < MODE_POINTS; i++)
            CHART_ROW(chart, mode + 1, measured->wave_number[i],
                      measured->frequency[i]);
    }
    chart_table(chart, "speeds", "group speed between two of the points",
                "mode,wave number (rad/cell),frequency (rad/step),group speed "
                "(cells/step),group speed law (cells/step)");
    for (int mode = 0; mode < report->series.kept; mode++) {
        const struct mode_measured *measured = &report->measured[mode];
        for (int i = 0; i + 1 < MODE_POINTS; i++) {
            double k, frequency,
                speed = mode_measured_speed(measured, i, &k, &frequency);
            CHART_ROW(chart, mode + 1, k, frequency, speed,
                      mode_speed(&measured->law, k));
        }
    }
}

static void write_profiles(const struct report *report, struct chart *chart)
{
    const struct mode_series *series = &report->series;
    const size_t count = (size_t)series->count;
    const int width = corridor_width(&report->field.corridor);
    double *shape = need_memory(count, sizeof *shape), most = 0;
    chart_table(chart, "profiles",
                "amplitude in the cells across, measured at wave number pi/4 "
                "and by the law, each with a sum of squares of 1",
                "mode,cell across (cells),second cell across (cells),measured "
                "(1),law (1)");
    for (int mode = 0; mode < series->kept; mode++) {
        mode_series_shape(&report->field, series, mode, shape);
        for (size_t j = 0; j < count; j++) {
            CHART_ROW(chart, mode + 1, (double)(j % (size_t)width) + 1,
                      (double)(j / (size_t)width) + 1,
                      series->profile[(size_t)mode * count + j], shape[j]);
            most = fmax(most, fabs(shape[j]));
        }
        chart_gap(chart);
    }
    memory_release(shape);
    chart_option_number(chart, "wide", width);
    chart_option_number(chart, "deep_across",
                        corridor_height(&report->field.corridor));
    chart_option_number(chart, "profile_most", most);
}

static void write_decays(const struct report *report, struct chart *chart)
{
    const struct span *span = &report->span;
    chart_table(chart, "decay",
                "amplitude over that of the first measured cell near 0.8 of "
                "the cutoff",
                "mode,distance (cells),measured (1),law (1)");
    for (int mode = 0; mode < report->series.kept; mode++) {
        const struct mode_measured *measured = &report->measured[mode];
        const int first = span->way > 0 ? span->from : span->to;
        for (int i = 0; i <= span->to - span->from; i++)
            CHART_ROW(chart, mode + 1, span->way * (first - span->source) + i,
                      measured->amplitude[first + span->way * i] /
                          measured->amplitude[first],
                      exp(-measured->decay_law * i));
        chart_gap(chart);
    }
}

static enum status write_data(const void *of, struct chart *chart,
                              struct error *error)
{
    (void)error;
    const struct report *report = of;
    const struct corridor *corridor = &report->field.corridor;
    const char axis[] = { "xyz"[corridor->axis], '\0' };
    if (report->rung || report->probe_count || report->scattered) {
        const struct labels_given given = given_labels(report);
        report->rung        ? room_write(&report->ringing, chart)
        : report->scattered ? shares_write(&report->scattering, &given, chart)
                            : write_probes(report, chart);
        return STATUS_OK;
    }
    chart_option_number(chart, "modes", report->series.kept);
    chart_option_number(chart, "fixed", corridor->sides[0] == BOUNDARY_FIXED);
    chart_option_number(chart, "timed", report->span.timed);
    chart_option(chart, "along", axis);
    chart_option_number(chart, "first", corridor->first);
    chart_option_number(chart, "last", corridor->last);
    write_modes(report, chart);
    write_diagram(report, chart);
    write_laws(report, chart);
    write_points(report, chart);
    write_profiles(report, chart);
    write_field(report, chart);
    write_decays(report, chart);
    return STATUS_OK;
}

/* Is an arrival measured that the law has too? */
static bool any_arrived(const struct report *report)
{
    for (int mode = 0; mode < report->series.kept; mode++)
        if (!isnan(report->measured[mode].arrival) &&
            !isnan(report->measured[mode].arrival_law))
            return true;
    return false;
}

/* Those that are drawn only by --panels are `extra`. */
static void name_panels(const void *of, struct chart_figure *figure)
{
    static const char *const modes[] = { "diagram", "speed",   "profiles",
                                         "shares",  "arrival", "field",
                                         "decay" };
    static const char *const probes[] = { "trace", "flux" };
    enum { MODES = 7, ARRIVAL = 4, BOTH_MOST = 2 };
    const struct report *report = of;
    const bool probed = report->probe_count > 0;
    if (report->rung) {
        room_panels(&report->ringing, figure);
        return;
    }
    if (report->scattered) {
        shares_panels(figure);
        return;
    }
    const size_t shown = any_arrived(report) ? ARRIVAL + 1 : ARRIVAL;
    figure->count = probed ? 2 : MODES;
    for (size_t i = 0; i < figure->count; i++)
        figure->panels[i] = (struct chart_panel){
            .name = probed ? probes[i] : modes[i],
            .extra = probed ? i && report->probe_count > BOTH_MOST : i >= shown,
        };
}

static const char *remark(const void *of)
{
    return ((const struct report *)of)->remark;
}

static const char *note(const void *of, bool drawn)
{
    return ((const struct report *)of)->note[drawn];
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
    "Panels: a frequency and wave number, b group speed, c profiles across, d\n"
    "share of the energy, e arrival, if one is measured; with --panels also f\n"
    "the first mode over place and time, g decay below the cutoffs. With\n"
    "--probe: a the trace of each cell, b the direction of its energy flux "
    "(of\n"
    "more than two cells with --panels).\n"
    "\n"
    "The wave at a cell (--probe) is the sum of the waves of the source and\n"
    "of its mirror images in the walls. The table has the first of them. If a\n"
    "bend is between the cell and the source, there are no such images: the\n"
    "program finds the straight part of the cell and measures its modes.\n"
    "\n"
    "If the source is in a corridor that begins at an open edge of the map\n"
    "(wave.edge = \"open\", samples/corridors/bend.cfg), or with --from, the\n"
    "program measures between ports: how much power goes back and on through\n"
    "each port, in which mode, beside the exact values for the same incoming\n"
    "waves. Points are left out where the waves have not gone by the last "
    "step.\n"
    "BASE.csv has the scattering matrix too. Panels: a power, b group delay;\n"
    "with --panels also c power by mode.\n"
    "\n"
    "If the source is in a room, closed or between corridors that begin at "
    "open\n"
    "edges (samples/corridors/ring.cfg), or with --resonances, the program\n"
    "measures resonances: the frequency and the decay time of each, from the\n"
    "series of 16 cells or those of --probe, beside the exact values of the\n"
    "map's matrix. Damping is possible here. Panels: a spectrum, b shapes, c\n"
    "decay times, if they are finite.\n"
    "  hamon-modes -o modes modes.h5\n"
    "  hamon-modes -o bend bend.h5\n"
    "  hamon-modes -o bend --from 20,50 --to 50,60 bend.h5\n"
    "  hamon-modes -o part --along 40,12:140,12 --table csv modes.h5\n"
    "  hamon-modes -o room --probe 27,15 --probe 1,20 echoes.h5\n"
    "  hamon-modes -o ring --resonances 20 ring.h5\n";

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
          "most). Behind a bend: the modes of the cell's own straight\n"
          "part. With --resonances: measure them here (16 at most)",
          &report.probes, 0, 0 },
        { CLI_LIST, 0, "label", "NAME=TEXT",
          "words of the chart for a mode, or between ports for a port\n"
          "of the table; repeatable",
          &report.labels, 0, 0 },
        { CLI_TEXT, 0, "from", "X,Y",
          "measure what a bend or a junction does: the wave comes in\n"
          "through the corridor's cross-section at this cell, in 3D\n"
          "X,Y,Z (where the source's corridor ends, if it begins at an\n"
          "open edge of the map)",
          &report.ports.from, 0, 0 },
        { CLI_LIST, 0, "to", "X,Y",
          "with --from: a cross-section through which the wave goes\n"
          "out; repeatable, 7 at most",
          &report.ports.to, 0, 0 },
        { CLI_TEXT, 0, "frequencies", "LIST",
          "of a bend or a junction: at these frequencies, as in\n"
          "0.27,0.3 (200, for large parts 50; the table has 10)",
          &report.ports.frequencies, 0, 0 },
        { CLI_INT, 0, "resonances", "N",
          "of a room or a dead end: measure its N lowest resonances\n"
          "(12, if the source is in no corridor)",
          &report.resonances, 1, RINGING_MOST },
        { 0 },
    };
    const struct study_program program = {
        .name = "hamon-modes",
        .field = "flux",
        .purpose = "Measures the guided modes of a straight corridor, what a "
                   "bend does to them, or\nthe resonances of a room, and "
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
        .panels = name_panels,
        .title = N_("modes of a corridor, and their law"),
    };
    return study_program_main(&program, argc, argv);
}
