/* SPDX-License-Identifier: MIT */
#include "draw/chart.h"

#include "base/memory.h"
#include "base/version.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const chart_format_names[] = {
    [CHART_PDF] = "pdf", [CHART_SVG] = "svg",    [CHART_PNG] = "png",
    [CHART_TEX] = "tex", [CHART_FORMATS] = NULL,
};

/* Centimetres: below it a panel has no room for its axes. */
static const double least_width = 6, most_width = 60;

enum { DATA, SCRIPT, PICTURES, PATHS = PICTURES + CHART_FORMATS };

enum status chart_formats_parse(const char *text, unsigned *formats,
                                struct error *error)
{
    *formats = 0;
    if (strcmp(text, "none") == 0)
        return STATUS_OK;
    for (;;) {
        size_t length = strcspn(text, ",");
        int format = 0;
        while (format < CHART_FORMATS &&
               (strlen(chart_format_names[format]) != length ||
                strncmp(text, chart_format_names[format], length) != 0))
            format++;
        if (format == CHART_FORMATS)
            return error_set(error, STATUS_INPUT,
                             "--format '%.*s': formats are pdf, svg, png and "
                             "tex, with commas between; or none",
                             (int)(length < 60 ? length : 60), text);
        *formats |= 1U << format;
        if (!text[length])
            return STATUS_OK;
        text += length + 1;
    }
}

enum status chart_width_parse(const char *text, double *width,
                              struct error *error)
{
    if (strcmp(text, "column") == 0) {
        *width = CHART_COLUMN;
        return STATUS_OK;
    }
    if (strcmp(text, "page") == 0) {
        *width = CHART_PAGE;
        return STATUS_OK;
    }
    char *end;
    *width = strtod(text, &end);
    if (end != text && !*end && *width >= least_width && *width <= most_width)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "--width '%.60s': column (%g cm), page (%g cm) or "
                     "centimetres from %g to %g are wanted",
                     text, CHART_COLUMN, CHART_PAGE, least_width, most_width);
}

/* BASE and the ending, with "./" before a relative name: gnuplot would read a
 * first `<` or `|` as a command to run, `-` and `~` as names of its own. */
static char *path_of(const char *base, const char *ending)
{
    size_t room = strlen(base) + strlen(ending) + 4;
    char *path = memory_new(room, 1);
    if (path)
        snprintf(path, room, "%s%s.%s", base[0] == '/' ? "" : "./", base,
                 ending);
    return path;
}

static enum status name_files(struct chart *chart, const char *base,
                              struct error *error)
{
    const char *slash = strrchr(base, '/');
    if (!*(slash ? slash + 1 : base))
        return error_set(error, STATUS_INPUT,
                         "-o '%s': a name is wanted, to which .dat, .gp and "
                         "the formats are added",
                         base);
    for (int i = 0; i < PATHS; i++) {
        chart->path[i] =
            path_of(base, i == DATA     ? "dat"
                          : i == SCRIPT ? "gp"
                                        : chart_format_names[i - PICTURES]);
        if (!chart->path[i])
            return error_memory(error);
    }
    return STATUS_OK;
}

enum status chart_open(struct chart *chart, const char *base, unsigned formats,
                       bool force, struct error *error)
{
    *chart = (struct chart){ .formats = formats,
                             .width = CHART_COLUMN,
                             .force = force };
    enum status status = name_files(chart, base, error);
    if (!status)
        status = output_open(&chart->data, chart->path[DATA], force, error);
    if (!status)
        status = output_open(&chart->script, chart->path[SCRIPT], force, error);
    for (int i = 0; i < CHART_FORMATS && !status; i++)
        if (formats & 1U << i)
            status = output_open(&chart->picture[i], chart->path[PICTURES + i],
                                 force, error);
    if (!status)
        fprintf(chart->data.file,
                "# Made by hamon %s, commit %s. Blocks have two empty lines "
                "between them;\n# NaN is no value. The chart: gnuplot with the "
                ".gp beside this file.\n",
                hamon_version, hamon_commit);
    return status;
}

void chart_release(struct chart *chart)
{
    output_abandon(&chart->data);
    output_abandon(&chart->script);
    for (int i = 0; i < CHART_FORMATS; i++)
        output_abandon(&chart->picture[i]);
    for (int i = 0; i < PATHS; i++)
        memory_release(chart->path[i]);
    *chart = (struct chart){ 0 };
}

void chart_texts(struct chart *chart)
{
    fputs("\n# texts: kind (0 legend, 1 caption, 2 on: lines of a panel), "
          "place, number of the series, width (letters' heights), text\n",
          chart->data.file);
}

void chart_block(struct chart *chart, const char *name, const char *columns)
{
    fprintf(chart->data.file, "\n\n# %s: %s\n", name, columns);
}

void chart_number(struct chart *chart, double number, char behind)
{
    if (isfinite(number))
        fprintf(chart->data.file, "%.9g%c", number, behind);
    else
        fprintf(chart->data.file, "NaN%c", behind);
}

void chart_gap(struct chart *chart)
{
    fputc('\n', chart->data.file);
}

static enum status draw_format(struct chart *chart, enum chart_format format,
                               struct error *error)
{
    struct output *picture = &chart->picture[format];
    enum status status =
        chart_gnuplot(chart->path[SCRIPT], chart_format_names[format],
                      picture->partial, chart->path[DATA], chart->debug, error);
    if (!status)
        status = chart_picture_check(picture->partial, format, error);
    return status ? status : output_commit(picture, error);
}

static void write_script(struct chart *chart, const struct chart_figure *figure)
{
    FILE *file = chart->script.file;
    fprintf(file,
            "width = %g # centimetres: 8.5 a column, 17 a page\n"
            "panels = %zu\n%s\n%s\n",
            chart->width, figure->count, chart_script_head, figure->before);
    chart_panels_write(figure, file);
    fputs(chart_script_layout, file);
    for (size_t i = 0; i < figure->count; i++)
        fprintf(file, "\n# ---- %s ----\npanel = %zu\n%s",
                figure->panels[i].name, i + 1, figure->panels[i].commands);
    fprintf(file, "\n%s", chart_script_foot);
}

enum status chart_draw(struct chart *chart, const struct chart_figure *figure,
                       struct error *error)
{
    write_script(chart, figure);
    enum status status = output_commit(&chart->data, error);
    if (!status)
        status = output_commit(&chart->script, error);
    for (int i = 0; i < CHART_FORMATS && !status; i++)
        if (chart->formats & 1U << i)
            status = draw_format(chart, (enum chart_format)i, error);
    return status;
}
