/* SPDX-License-Identifier: MIT */
#include "draw/chart.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "base/version.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

const char *const chart_format_names[] = {
    [CHART_PDF] = "pdf", [CHART_SVG] = "svg",    [CHART_PNG] = "png",
    [CHART_TEX] = "tex", [CHART_FORMATS] = NULL,
};

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
    *chart = (struct chart){ .formats = formats, .force = force };
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
                ".gp beside this file.\n\n# texts: kind (0 legend, 1 caption), "
                "number, text\n",
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

void chart_say(struct chart *chart, enum chart_text kind, int i,
               const char *text)
{
    FILE *file = chart->data.file;
    fprintf(file, "%d %d \"", kind, i);
    const unsigned char *begin = (const unsigned char *)text;
    for (const unsigned char *at = begin; *at;) {
        size_t length = utf8_character(at), hidden = utf8_unshown(at);
        if (*at == '"')
            fputc('\'', file);
        else if (*at == '\\') /* the division slash's mirror: U+2216 */
            fputs("\xe2\x88\x96", file);
        else if (hidden)
            fputc('?', file);
        else if (*at == '>' && at - begin > 1 && at[-1] == ']' && at[-2] == ']')
            fputs("\xe2\x80\xba", file); /* "]]>" is no text in an SVG */
        else
            fwrite(at, 1, length, file);
        at += hidden ? hidden : length;
    }
    fputs("\"\n", file);
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

enum status chart_draw(struct chart *chart, const struct chart_figure *figure,
                       struct error *error)
{
    fprintf(chart->script.file, "panels = %g # high, centimetres\n%s\n%s\n%s",
            figure->height, chart_script_head, figure->panels,
            chart_script_foot);
    enum status status = output_commit(&chart->data, error);
    if (!status)
        status = output_commit(&chart->script, error);
    for (int i = 0; i < CHART_FORMATS && !status; i++)
        if (chart->formats & 1U << i)
            status = draw_format(chart, (enum chart_format)i, error);
    return status;
}
