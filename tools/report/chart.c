/* SPDX-License-Identifier: MIT */
/* Charts as SVG in which lines are scaled with the page and letters are not. */
#include "tools/report/report.h"

#include "draw/figure/ticks.h"
#include "tools/report/html.h"

#include <math.h>
#include <string.h>

enum {
    LINES = REPORT_GROUPS,
    POINTS = REPORT_BINS + 1,
    Y_TICKS = 5,
    X_TICKS = 6,
    COLORS = 7
};

struct line {
    char name[INFO_NAME_SIZE];
    int color;   /* of --c0 … in report.css */
    bool dashed; /* its colour is used for the second time */
    size_t count;
    double x[POINTS], y[POINTS];
    double low[POINTS], high[POINTS]; /* of the band, if `banded` */
    bool marked;                      /* at the right end of the line */
    bool stairs;                      /* y is constant until the next x */
    bool banded;
};

struct chart_lines {
    struct line line[LINES];
    size_t count;
    double width, height; /* the ends of the axes; both begin at 0 */
    const char *unit;     /* after the numbers of y */
};

static void draw_grid(FILE *out, const struct chart_lines *chart)
{
    struct ticks ticks;
    struct scale scale = { 0, chart->height, 0 };
    ticks_make(&scale, Y_TICKS, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double y = 100 * (1 - ticks.tick[i].place);
        fprintf(out,
                "<line class=\"%s\" x1=\"0\" x2=\"100%%\" y1=\"%.4g%%\" "
                "y2=\"%.4g%%\"/><text x=\"-8\" y=\"%.4g%%\" dy=\".35em\" "
                "text-anchor=\"end\">%s%s</text>\n",
                ticks.tick[i].place > 0 ? "grid" : "axis", y, y, y,
                ticks.tick[i].label, chart->unit);
    }
}

static void draw_below(FILE *out, const struct chart_lines *chart)
{
    struct ticks ticks;
    struct scale scale = { 0, chart->width, 0 };
    ticks_make(&scale, X_TICKS, &ticks);
    fputs("<svg class=\"below\" aria-hidden=\"true\">", out);
    for (int i = 0; i < ticks.count; i++)
        fprintf(out,
                "<text x=\"%.4g%%\" y=\"1.35em\" "
                "text-anchor=\"middle\">%s</text>",
                100 * ticks.tick[i].place, ticks.tick[i].label);
    fputs("</svg>\n", out);
}

/* Values over x, forwards or backwards; the first point by `move`, M or L. */
static void draw_values(FILE *out, const struct chart_lines *chart,
                        const struct line *line, const double *values,
                        bool back, char move)
{
    for (size_t i = 0; i < line->count; i++) {
        size_t at = back ? line->count - 1 - i : i;
        double x = 1000 * line->x[at] / chart->width;
        double y = 1000 * (1 - values[at] / chart->height);
        if (i && line->stairs)
            fprintf(out, back ? "V%.4gH%.4g" : "H%.4gV%.4g", back ? y : x,
                    back ? x : y);
        else
            fprintf(out, "%c%.4g %.4g", i ? 'L' : move, x, y);
    }
}

static void draw_band(FILE *out, const struct chart_lines *chart,
                      const struct line *line)
{
    fprintf(out, "<path class=\"band c%d\" d=\"", line->color);
    draw_values(out, chart, line, line->low, false, 'M');
    draw_values(out, chart, line, line->high, true, 'L');
    fputs("Z\"/>\n", out);
}

static void draw_line(FILE *out, const struct chart_lines *chart,
                      const struct line *line)
{
    fprintf(out, "<path class=\"c%d%s\" d=\"", line->color,
            line->dashed ? " dashed" : "");
    draw_values(out, chart, line, line->y, false, 'M');
    fputs("\"/>\n", out);
}

static void draw_mark(FILE *out, const struct chart_lines *chart,
                      const struct line *line)
{
    size_t last = line->count - 1;
    fprintf(out,
            "<circle class=\"mark c%d\" r=\"4.5\" cx=\"%.4g%%\" "
            "cy=\"%.4g%%\"/>\n",
            line->color, 100 * line->x[last] / chart->width,
            100 * (1 - line->y[last] / chart->height));
}

static void draw(FILE *out, const void *of)
{
    const struct chart_lines *chart = of;
    fputs("<div class=\"plot\"><svg class=\"lines\" aria-hidden=\"true\">\n",
          out);
    draw_grid(out, chart);
    fputs("<svg width=\"100%\" height=\"100%\" viewBox=\"0 0 1000 1000\" "
          "preserveAspectRatio=\"none\">\n",
          out);
    for (size_t i = chart->count; i-- > 0;)
        if (chart->line[i].banded)
            draw_band(out, chart, &chart->line[i]);
    for (size_t i = chart->count; i-- > 0;)
        draw_line(out, chart, &chart->line[i]);
    fputs("</svg>\n", out);
    for (size_t i = 0; i < chart->count; i++)
        if (chart->line[i].marked)
            draw_mark(out, chart, &chart->line[i]);
    fputs("<line class=\"cursor\" x1=\"0\" x2=\"0\" y1=\"0\" "
          "y2=\"100%\"/></svg>\n",
          out);
    draw_below(out, chart);
    fputs("</div>\n", out);
}

/* A piece of the line of a legend, ten wide. */
static void draw_piece(FILE *out, const struct line *line, int from, int width)
{
    fprintf(out,
            "<rect class=\"c%d\" x=\"%d\" y=\"3.5\" width=\"%d\" height=\"3\" "
            "rx=\"%g\"/>",
            line->color, from, width, line->dashed ? .5 : 1.5);
}

static void draw_legend(FILE *out, const void *of)
{
    const struct chart_lines *chart = of;
    fputs("<ul class=\"legend\">", out);
    for (size_t i = 0; i < chart->count; i++) {
        const struct line *line = &chart->line[i];
        fputs("<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\">", out);
        draw_piece(out, line, 0, line->dashed ? 4 : 10);
        if (line->dashed)
            draw_piece(out, line, 6, 4);
        fputs("</svg>", out);
        html_text(out, line->name);
        fputs("</li>", out);
    }
    fputs("</ul>\n", out);
}

static void write_chart(FILE *out, const char *title, const char *caption,
                        const struct chart_lines *chart)
{
    REPORT_PART(out, "chart", { .name = "title", .text = title },
                { .name = "caption", .text = caption },
                { .name = "drawing", .write = draw, .of = chart },
                { .name = "legend", .write = draw_legend, .of = chart });
}

/* " The first 12 of 40 agents." at the end of a caption, if some have no
 * line. */
static void describe_first(char *caption, size_t total, const char *what)
{
    size_t used = strlen(caption);
    if (total > LINES)
        snprintf(caption + used, REPORT_TEXT - used, " The first %d of %zu %s.",
                 LINES, total, what);
}

/* ---- distance of agents from their target ---- */

/* Until the capture, or the end. */
static void take_distance(const struct report_run *run,
                          const struct report_agent *agent,
                          const struct report_agent *target, struct line *line)
{
    int64_t captured = run->info.agents[agent->number].captured;
    size_t count = run->places < POINTS ? run->places : POINTS;
    for (size_t i = 0; i < count; i++) {
        size_t place = count > 1 ? i * (run->places - 1) / (count - 1) : 0;
        double far = 0;
        for (int axis = 0; axis < GRID_AXES; axis++)
            far = hypot(far, (double)(agent->at[place][axis] -
                                      target->at[place][axis]));
        if (captured >= 0 && report_step(run, place) > captured)
            break;
        line->x[line->count] = (double)report_step(run, place);
        line->y[line->count++] = far;
    }
    line->marked = captured >= 0 && line->count;
    line->color = agent->number % COLORS;
    line->dashed = agent->number >= COLORS;
    snprintf(line->name, sizeof line->name, "%s", agent->name);
}

static void write_distances(FILE *out, const struct report_run *run)
{
    static struct chart_lines chart;
    chart = (struct chart_lines){ .unit = "" };
    const struct report_agent *target =
        run->agent_count ? &run->agents[run->agent_count - 1] : NULL;
    if (!target || target->number >= 0 || run->agent_count < 2 ||
        run->places < 2)
        return;
    for (size_t i = 0; i + 1 < run->agent_count && i < LINES; i++) {
        struct line *line = &chart.line[chart.count++];
        take_distance(run, &run->agents[i], target, line);
        for (size_t k = 0; k < line->count; k++)
            chart.height = fmax(chart.height, line->y[k]);
    }
    chart.width = fmax((double)report_last(run), 1);
    chart.height = fmax(1.05 * chart.height, 1);
    bool deep = recording_grid(run->recording)->dims == 3;
    char caption[REPORT_TEXT];
    snprintf(caption, sizeof caption,
             "in cells, in a straight line%s, by step; a dot is a capture.",
             deep ? " with its height" : "");
    describe_first(caption, run->info.agent_count, "agents");
    write_chart(out, "Distance to the target,", caption, &chart);
}

/* ---- fraction of the map that waves have reached ---- */

static void write_reached(FILE *out, const struct report_run *run)
{
    static const int wave_colors[COLORS] = { 6, 5, 3, 4, 2, 1, 0 };
    static struct chart_lines chart;
    chart = (struct chart_lines){ .unit = "\u00a0%", .height = 100 };
    chart.width = fmax((double)report_last(run), 1);
    for (size_t w = 0; w < run->reach_count && w < LINES; w++) {
        const struct report_reach *reach = &run->reach[w];
        struct line *line = &chart.line[chart.count++];
        for (int i = 0; i <= REPORT_BINS; i++) {
            line->x[line->count] = chart.width * i / REPORT_BINS;
            line->y[line->count++] =
                reach->cells
                    ? 100. * (double)reach->by_bin[i] / (double)reach->cells
                    : 0;
        }
        line->color = wave_colors[w % COLORS];
        line->dashed = w >= COLORS;
        snprintf(line->name, sizeof line->name, "wave %d", reach->wave);
    }
    char caption[REPORT_TEXT] =
        "share of free cells that the wave has reached, by step.";
    describe_first(caption, run->reach_count, "waves");
    if (chart.count)
        write_chart(out, "Reached by the wave,", caption, &chart);
}

/* ---- fraction of agents that captured ---- */

/* The fraction at each step at which it changes, of REPORT_BINS + 1 steps; the
 * last is the end. All agents are observed until then, so Kaplan and Meier's
 * estimate equals this fraction, and its interval is that of a proportion. */
static void take_captured(const struct report_group *group, struct line *line)
{
    int64_t last = report_last(group->run);
    *line = (struct line){ .stairs = true };
    for (int i = 0; i <= REPORT_BINS; i++) {
        int64_t step = last * i / REPORT_BINS;
        struct report_share share = report_captured(group, step);
        size_t at = line->count;
        bool is_end = i == REPORT_BINS;
        line->banded = !isnan(share.low);
        if (at && line->y[at - 1] == 100 * share.estimate && !is_end)
            continue;
        line->x[at] = (double)step;
        line->y[at] = 100 * share.estimate;
        line->low[at] = 100 * share.low;
        line->high[at] = 100 * share.high;
        line->count++;
    }
    snprintf(line->name, sizeof line->name, "%s", group->name);
}

/* The intervals assume independent trials: agents of one chase share its map
 * and waves, and may differ less than such trials. */
static void describe_captured(bool has_team, size_t bands, size_t lines,
                              size_t count, char caption[REPORT_TEXT])
{
    snprintf(caption, REPORT_TEXT, "share of agents by step.%s%s%s",
             bands ? " Bands are 95 % intervals (Wilson), which take the "
                     "agents of a chase as independent."
                   : "",
             bands < lines ? " Fewer than 10 have no interval." : "",
             has_team ? " A chase that ends at its first capture counts as "
                        "one agent."
                      : "");
    describe_first(caption, count, "recordings");
}

void report_captured_chart(FILE *out, const struct report_group *groups,
                           size_t count, size_t total)
{
    static const int colors[COLORS] = { 6, 5, 3, 4, 2, 1, 0 };
    static struct chart_lines chart;
    chart =
        (struct chart_lines){ .unit = "\u00a0%", .height = 100, .width = 1 };
    bool has_team = false;
    size_t bands = 0;
    for (size_t i = 0; i < count && chart.count < LINES; i++) {
        struct report_share share = report_captured(&groups[i], 0);
        if (share.count == 0)
            continue;
        struct line *line = &chart.line[chart.count];
        take_captured(&groups[i], line);
        has_team |= report_is_team(groups[i].run);
        bands += line->banded;
        line->color = colors[chart.count % COLORS];
        line->dashed = chart.count++ >= COLORS;
        chart.width = fmax(chart.width, (double)report_last(groups[i].run));
    }
    char caption[REPORT_TEXT];
    describe_captured(has_team, bands, chart.count, total, caption);
    if (chart.count)
        write_chart(out, "Captured,", caption, &chart);
}

void report_charts(FILE *out, const void *run)
{
    static struct report_group methods[REPORT_GROUPS];
    size_t count = report_methods(run, methods);
    report_captured_chart(out, methods, count, count);
    write_distances(out, run);
    write_reached(out, run);
}
