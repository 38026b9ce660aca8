/* SPDX-License-Identifier: MIT */
#include "analysis/compare/plot.h"

#include "base/memory.h"
#include "base/need.h"
#include "metrics/summary.h"
#include "words/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void plot_release(struct plot *plot)
{
    for (size_t i = 0; i < plot->count; i++) {
        memory_release(plot->series[i].label);
        memory_release(plot->series[i].times);
        memory_release(plot->series[i].paths);
        memory_release(plot->series[i].pairs);
    }
    memory_release(plot->series);
    memory_release(plot->reference);
    *plot = (struct plot){ 0 };
}

static size_t drawn(const struct plot *plot)
{
    return plot->count < PLOT_SERIES ? plot->count : PLOT_SERIES;
}

/* ---- styles ---- */

/* The methods that have the first styles in every chart; 7 is ink. */
static const char *const styled[] = { "wave", "lee", "astar", "dstar-lite",
                                      "pincer" };
enum { STYLED = sizeof styled / sizeof *styled, STYLES = 8, STYLE_INK = 7 };

static int style_of(const char *method)
{
    for (int i = 0; i < STYLED; i++)
        if (strcmp(styled[i], method) == 0)
            return i + 1;
    return 0;
}

static bool any_repeats(const char *const *methods, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(methods[i], methods[k]) == 0)
                return true;
    return false;
}

void plot_styles(const char *const *methods, size_t count, int *styles)
{
    const bool repeat = any_repeats(methods, count);
    int next = repeat ? 1 : STYLED + 1;
    for (size_t i = 0; i < count; i++) {
        const bool lee = strcmp(methods[i], "lee") == 0;
        styles[i] = !repeat ? style_of(methods[i]) : lee ? STYLE_INK : 0;
        if (styles[i])
            continue;
        next += repeat && next == STYLE_INK;
        styles[i] = next;
        next = next < STYLES ? next + 1 : 1;
    }
}

/* ---- panels ---- */

enum { SURVIVAL, PAIRS, RATIOS, WINS, PATHS, PANELS };
static const char *const panel_names[PANELS] = {
    [SURVIVAL] = "captures", [PAIRS] = "pairs", [RATIOS] = "ratios",
    [WINS] = "wins",         [PATHS] = "paths",
};

/* Of the panels that can be drawn, those that fit in a column of 22 cm: the
 * text of panel ratios has the wins too. */
enum { COLUMN_SERIES = 5 };

static bool fits(const struct plot *plot, double width, int panel)
{
    return width > 14 ||
           (panel != WINS && (panel != PATHS || drawn(plot) <= COLUMN_SERIES));
}

static bool has_panel(const struct plot *plot, int panel)
{
    bool paths = false;
    for (size_t i = 0; i < drawn(plot); i++)
        paths |= plot->series[i].path_count > 0;
    return panel == SURVIVAL ||
           (panel == PATHS ? paths : plot->reference != NULL);
}

/* Sets show_captures … to 1 or 0, and the number of panels. */
static enum status choose(const struct plot *plot, const char *panels,
                          struct chart *chart, struct error *error)
{
    struct chart_figure there = { 0 };
    for (int i = 0; i < PANELS; i++)
        if (has_panel(plot, i))
            there.panels[there.count++].name = panel_names[i];
    if (panels) {
        enum status status = chart_panels_choose(panels, &there, error);
        if (status)
            return status;
    }
    size_t count = 0;
    for (int i = 0; i < PANELS; i++) {
        bool shown = false;
        for (size_t k = 0; k < there.count; k++)
            shown |= there.panels[k].name == panel_names[i];
        shown = shown && (panels || fits(plot, chart->width, i));
        count += shown;
        char *name = need_format("show_%s", panel_names[i]);
        chart_option_number(chart, name, shown);
        memory_release(name);
    }
    chart_option_number(chart, "panels", (double)count);
    return STATUS_OK;
}

/* ---- numbers ---- */

/* The ticks of the axis of steps, as head.gp's axis makes them with `every` 8.
 */
static double part_of(double last)
{
    static const double factors[] = { 1, 2, 5 };
    const double power = pow(10, floor(log10(last / 8)));
    for (size_t i = 0; i < 3; i++)
        if (last / 8 <= 1.001 * power * factors[i])
            return power * factors[i];
    return 10 * power;
}

static double last_step(const struct plot *plot)
{
    double last = 1;
    for (size_t i = 0; i < drawn(plot); i++)
        for (size_t k = 0; k < plot->series[i].count; k++)
            last = fmax(last, plot->series[i].times[k].time);
    return last;
}

struct number {
    const char *option; /* of compare.gp; the i-th series' has "_i" behind */
    const char *column; /* of the table "series" */
    double value;
};
enum { NUMBERS = 24 };

static void find_numbers(const struct plot *plot, size_t i, int style,
                         struct number numbers[NUMBERS])
{
    const struct plot_series *series = &plot->series[i];
    const struct survival s =
        survival_make(series->times, series->count, plot->limit);
    const struct paired p =
        paired_make(series->pairs, series->pair_count, plot->limit);
    const struct summary path = summary_make(series->paths, series->path_count);
    const struct number found[NUMBERS] = {
        { "number", "series", (double)(i + 1) },
        { "style", "style", style },
        { "chases", "chases (1)", (double)s.n },
        { "captured", "captured (1)", (double)s.captured },
        { "median", "median (steps)", s.median.at },
        { "low", "median 95 % low (steps)", s.median.low },
        { "high", "median 95 % high (steps)", s.median.high },
        { "above", "median above (steps)", isnan(s.median.at) ? s.last : NAN },
        { "pairs", "pairs (1)", (double)p.n },
        { "wins", "wins (1)", (double)p.wins },
        { "ties", "ties (1)", (double)p.ties },
        { "losses", "losses (1)", (double)p.losses },
        { "ratio_n", "pairs' recordings (1)", (double)p.groups },
        { "ratio", "ratio (1)", p.ratio.estimate },
        { "ratio_low", "ratio 95 % low (1)", p.ratio.interval.low },
        { "ratio_high", "ratio 95 % high (1)", p.ratio.interval.high },
        { "ratio_q1", "ratio q1 (1)", p.ratio_q1 },
        { "ratio_q3", "ratio q3 (1)", p.ratio_q3 },
        { "path_n", "paths (1)", (double)path.n },
        { "path", "path median (1)", path.median },
        { "path_low", "path 95 % low (1)", path.interval.low },
        { "path_high", "path 95 % high (1)", path.interval.high },
        { "path_q1", "path q1 (1)", path.lower_quartile },
        { "path_q3", "path q3 (1)", path.upper_quartile },
    };
    memcpy(numbers, found, sizeof found);
}

/* The names of the columns, then the label's. */
static char *series_columns(const struct number numbers[NUMBERS])
{
    char *names = need_text("");
    for (int k = 0; k < NUMBERS; k++) {
        char *more = need_format("%s%s,", names, numbers[k].column);
        memory_release(names);
        names = more;
    }
    char *all = need_format("%slabel", names);
    memory_release(names);
    return all;
}

/* A range of values on an axis, with room at both ends. */
struct range {
    double low, high;
};

static void widen(struct range *range, double value)
{
    range->low = fmin(range->low, value); /* NAN is skipped */
    range->high = fmax(range->high, value);
}

static void set_range(struct chart *chart, const char *name,
                      const struct range *range, double room)
{
    char *low = need_format("%s_low", name);
    char *high = need_format("%s_high", name);
    const double span = fmax(log(range->high / range->low), .02);
    chart_option_number(chart, low, range->low * exp(-room * span));
    chart_option_number(chart, high, range->high * exp(.08 * span));
    memory_release(low);
    memory_release(high);
}

/* Each number is in the table, and an option for the texts of panels. */
static void write_series(const struct plot *plot,
                         struct number (*numbers)[NUMBERS], struct chart *chart)
{
    int *styles = need_memory(plot->count, sizeof *styles);
    const char **methods = need_memory(plot->count, sizeof *methods);
    for (size_t i = 0; i < plot->count; i++)
        methods[i] = plot->series[i].method;
    plot_styles(methods, plot->count, styles);
    memory_release(methods);
    int reference = STYLE_INK;
    size_t compared = 0, only = 0;
    for (size_t i = 0; i < drawn(plot); i++) {
        const struct plot_series *series = &plot->series[i];
        find_numbers(plot, i, styles[i], numbers[i]);
        for (int k = 1; k < NUMBERS; k++)
            chart_option_of(chart, numbers[i][k].option, i,
                            numbers[i][k].value);
        compared += series->pair_count > 0;
        only = series->pair_count ? i + 1 : only;
        chart_option_of(chart, "row", i,
                        series->pair_count ? (double)compared : 0);
        chart_option_text_of(chart, "label", i, series->label);
        if (plot->reference && strcmp(plot->reference, series->label) == 0)
            reference = styles[i];
    }
    chart_option_number(chart, "series", (double)drawn(plot));
    chart_option_number(chart, "compared", (double)compared);
    chart_option_number(chart, "only", (double)only);
    chart_option(chart, "reference", plot->reference ? plot->reference : "");
    chart_option_number(chart, "reference_style", reference);
    char *columns = series_columns(numbers[0]);
    chart_table(chart, "series",
                "median of the steps to the capture (Kaplan-Meier), or that it "
                "is above the last step observed; of pairs with the reference "
                "and of paths over the shortest; NaN: no value",
                columns);
    for (size_t i = 0; i < drawn(plot); i++) {
        for (int k = 0; k < NUMBERS; k++)
            chart_number(chart, numbers[i][k].value, ',');
        chart_word(chart, plot->series[i].label, '\n');
    }
    memory_release(columns);
    memory_release(styles);
}

static void write_ranges(const struct plot *plot,
                         struct number (*numbers)[NUMBERS], struct chart *chart)
{
    struct range pairs = { INFINITY, 1 }, ratios = { 1, 1 }, paths = { 1, 1 };
    for (size_t i = 0; i < drawn(plot); i++) {
        const struct plot_series *series = &plot->series[i];
        for (int k = 0; k < NUMBERS; k++)
            if (strncmp(numbers[i][k].option, "ratio", 5) == 0 &&
                strcmp(numbers[i][k].option, "ratio_n") != 0)
                widen(&ratios, numbers[i][k].value);
        for (size_t k = 0; k < series->path_count; k++)
            widen(&paths, series->paths[k]);
        for (size_t k = 0; k < series->pair_count; k++) {
            widen(&pairs, fmax(1, series->pairs[k].one.time));
            widen(&pairs, fmax(1, series->pairs[k].other.time));
        }
    }
    set_range(chart, "pair", &pairs, .08);
    set_range(chart, "ratio", &ratios, .08);
    set_range(chart, "path", &paths, 0);
    chart_option_number(chart, "last", last_step(plot));
    chart_option(chart, "captures",
                 plot->teams ? _("chases ended by a capture")
                             : _("agents that captured"));
}

static double per_cent(double surviving)
{
    return 100 * (1 - surviving);
}

/* The points of its curve; the caller releases them. */
static struct survival_point *curve_of(const struct plot_series *series,
                                       size_t *count)
{
    struct survival_point *points =
        need_memory(series->count + 1, sizeof *points);
    *count = survival_curve(series->times, series->count, points);
    return points;
}

/* Each curve as steps, and to the last step observed. */
static void write_captures(const struct plot *plot, struct chart *chart)
{
    chart_table(chart, "captures",
                "share captured up to the step (Kaplan-Meier), and its 95 % "
                "limits; NaN: none; the censored are not captured up to the "
                "end of their observation",
                "series,step (steps),captured (%),captured 95 % low "
                "(%),captured 95 % high (%),censored (1)");
    for (size_t i = 0; i < drawn(plot); i++) {
        const struct plot_series *series = &plot->series[i];
        size_t count;
        struct survival_point *points = curve_of(series, &count);
        for (size_t k = 0; k < count; k++)
            CHART_ROW(chart, (double)(i + 1), points[k].time,
                      per_cent(points[k].surviving), per_cent(points[k].high),
                      per_cent(points[k].low), (double)points[k].censored);
        memory_release(points);
    }
}

/* The limits as a line through the corners of their steps, to the next time. */
static void write_bands(const struct plot *plot, struct chart *chart)
{
    chart_table(chart, "bands",
                "the limits of captures, at the corners of their steps",
                "series,step (steps),captured 95 % low (%),captured 95 % high "
                "(%)");
    for (size_t i = 0; i < drawn(plot); i++) {
        const struct plot_series *series = &plot->series[i];
        size_t count;
        struct survival_point *points = curve_of(series, &count);
        for (size_t k = 0; k + 1 < count; k++)
            for (size_t end = k; end <= k + 1 && !isnan(points[k].low); end++)
                CHART_ROW(chart, (double)(i + 1), points[end].time,
                          per_cent(points[k].high), per_cent(points[k].low));
        memory_release(points);
    }
}

static void write_at_risk(const struct plot *plot, struct chart *chart)
{
    const double last = last_step(plot), part = part_of(last);
    chart_table(chart, "at risk",
                "number not captured and observed before the step",
                "series,step (steps),at risk (1)");
    for (size_t i = 0; i < drawn(plot); i++)
        for (double step = 0; step <= last; step += part)
            CHART_ROW(chart, (double)(i + 1), step,
                      (double)survival_at_risk(plot->series[i].times,
                                               plot->series[i].count, step));
}

static void write_pairs(const struct plot *plot, struct chart *chart)
{
    chart_table(chart, "pairs",
                "steps of the same chase by the series and by the reference; "
                "captured 1, censored 0",
                "series,steps (steps),captured (1),reference steps "
                "(steps),reference captured (1)");
    for (size_t i = 0; i < drawn(plot); i++)
        for (size_t k = 0; k < plot->series[i].pair_count; k++) {
            const struct pair *pair = &plot->series[i].pairs[k];
            CHART_ROW(chart, (double)(i + 1), pair->one.time,
                      pair->one.captured, pair->other.time,
                      pair->other.captured);
        }
}

static void write_paths(const struct plot *plot, struct chart *chart)
{
    chart_table(chart, "paths",
                "length of the path of an agent that captured over the "
                "shortest one; place: beside others of its series, -1 to 1",
                "series,place,path over shortest (1)");
    for (size_t i = 0; i < drawn(plot); i++) {
        const struct plot_series *series = &plot->series[i];
        for (size_t k = 0; k < series->path_count; k++)
            CHART_ROW(chart, (double)(i + 1),
                      2 * fmod((double)k * .6180339887, 1) - 1,
                      series->paths[k]);
    }
}

void plot_describe(const struct plot *plot, struct chart *chart)
{
    chart_say(chart, CHART_CAPTION,
              "Captures by Kaplan and Meier's estimate with 95 %% log-log "
              "limits; ticks: not captured up to the end of the observation");
    for (size_t i = 0; i < plot->count; i++)
        chart_say(chart, CHART_CAPTION, "%s: %zu %s", plot->series[i].label,
                  plot->series[i].count, plot->teams ? "chases" : "agents");
}

enum status plot_draw(const struct plot *plot, const char *panels,
                      struct chart *chart, struct error *error)
{
    static const struct chart_figure figure = {
        .commands = compare_gp,
        .title = N_("captures over time, pairs and paths by method"),
    };
    enum status status = choose(plot, panels, chart, error);
    if (status)
        return status;
    struct number(*numbers)[NUMBERS] =
        need_memory(drawn(plot), sizeof *numbers);
    write_series(plot, numbers, chart);
    write_ranges(plot, numbers, chart);
    memory_release(numbers);
    write_captures(plot, chart);
    write_bands(plot, chart);
    write_at_risk(plot, chart);
    write_pairs(plot, chart);
    write_paths(plot, chart);
    return chart_draw(chart, &figure, error);
}
