/* SPDX-License-Identifier: MIT */
#include "draw/chart/chart.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"
#include "base/version.h"
#include "words/words.h"

#include <ctype.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const chart_format_names[] = {
    [CHART_PDF] = "pdf", [CHART_SVG] = "svg",    [CHART_PNG] = "png",
    [CHART_TEX] = "tex", [CHART_FORMATS] = NULL,
};

/* Centimetres: a narrower panel has no room for its axes. */
static const double least_width = 6, most_width = 60;

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
                             "--format '%.*s': the formats are pdf, svg, png "
                             "and tex, separated by commas; or none",
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
                     "centimetres from %g to %g are required",
                     text, CHART_COLUMN, CHART_PAGE, least_width, most_width);
}

enum status chart_caption_parse(const char *text, enum chart_caption *caption,
                                struct error *error)
{
    static const char *const names[] = {
        [CHART_FULL] = "full",
        [CHART_SHORT] = "short",
        [CHART_NONE] = "none",
    };
    for (int i = 0; i <= CHART_NONE; i++)
        if (strcmp(text, names[i]) == 0) {
            *caption = (enum chart_caption)i;
            return STATUS_OK;
        }
    return error_set(error, STATUS_INPUT,
                     "--caption '%.60s': captions are full, short or none",
                     text);
}

/* Does fontconfig have a font of this family? It would silently substitute
 * another one. A generic name stands for some font of its kind. */
static bool font_exists(const char *name)
{
    static const char *const generic[] = { "sans", "sans-serif", "serif",
                                           "monospace" };
    for (size_t i = 0; i < sizeof generic / sizeof *generic; i++)
        if (strcasecmp(name, generic[i]) == 0)
            return true;
    FcPattern *family =
        FcPatternBuild(NULL, FC_FAMILY, FcTypeString, name, (char *)NULL);
    FcObjectSet *nothing = FcObjectSetCreate();
    FcFontSet *found =
        family && nothing ? FcFontList(NULL, family, nothing) : NULL;
    bool exists = found && found->nfont > 0;
    if (found)
        FcFontSetDestroy(found);
    if (nothing)
        FcObjectSetDestroy(nothing);
    if (family)
        FcPatternDestroy(family);
    FcFini(); /* only this function uses fontconfig */
    return exists;
}

enum status chart_font_check(const char *text, struct error *error)
{
    enum { MOST = 60 };
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) ||
           (text[length] && strchr(" -_.", text[length])))
        length++;
    bool named = length && length <= MOST && !text[length];
    if (named && font_exists(text))
        return STATUS_OK;
    if (named)
        return error_set(error, STATUS_INPUT,
                         "--font '%.60s': no such font is installed; `fc-list "
                         ": family` lists the fonts",
                         text);
    return error_set(
        error, STATUS_INPUT,
        "--font '%.60s': a font's name as fc-list prints it is required, with "
        "only letters, digits, spaces, '-', '_' and '.'",
        text);
}

/* The paths are BASE and the ending, with "./" before a relative name: gnuplot
 * would read a leading `<` or `|` as a command to run, and `-` and `~` as
 * special names. */
static enum status name_files(struct chart *chart, const char *base,
                              struct error *error)
{
    const char *slash = strrchr(base, '/');
    size_t room = strlen(base) + 8;
    if (!*(slash ? slash + 1 : base))
        return error_set(error, STATUS_INPUT,
                         "-o '%s': a name is required; .csv, .gp and the "
                         "formats' endings are added to it",
                         base);
    for (int i = 0; i < CHART_PATHS; i++) {
        const char *ending = i == CHART_PATH_DATA ? "csv"
                             : i == CHART_PATH_SCRIPT
                                 ? "gp"
                                 : chart_format_names[i - CHART_PATH_PICTURES];
        chart->path[i] = need_memory(room, 1);
        snprintf(chart->path[i], room, "%s%s.%s", base[0] == '/' ? "" : "./",
                 base, ending);
    }
    return STATUS_OK;
}

enum status chart_open(struct chart *chart, const char *base, unsigned formats,
                       bool force, struct error *error)
{
    *chart = (struct chart){ .formats = formats,
                             .width = CHART_COLUMN,
                             .words_font = "Sans",
                             .caption = CHART_NONE,
                             .force = force,
                             .options = need_text("") };
    enum status status = name_files(chart, base, error);
    if (!status && !words_english() &&
        !installed_family(chart->words_font, sizeof chart->words_font))
        status = installed_none(error);
    if (!status)
        status = output_open(&chart->data, chart->path[CHART_PATH_DATA], force,
                             error);
    if (!status)
        status = output_open(&chart->script, chart->path[CHART_PATH_SCRIPT],
                             force, error);
    for (int i = 0; i < CHART_FORMATS && !status; i++)
        if (formats & 1U << i)
            status =
                output_open(&chart->picture[i],
                            chart->path[CHART_PATH_PICTURES + i], force, error);
    if (!status)
        fprintf(chart->data.file,
                "# Made by hamon %s, commit %s. Two empty lines separate "
                "blocks;\n# NaN is a missing value. To draw the chart, run "
                "gnuplot on the .gp file beside this file.\n",
                hamon_version, hamon_commit);
    return status;
}

enum status chart_add(struct chart *chart, const char *path,
                      struct output **output, struct error *error)
{
    struct chart_file *file = need_memory(1, sizeof *file);
    file->next = chart->added;
    chart->added = file;
    file->path = need_text(path);
    *output = &file->output;
    return output_open(*output, file->path, chart->force, error);
}

void chart_release(struct chart *chart)
{
    for (struct chart_file *file = chart->added, *next; file; file = next) {
        next = file->next;
        output_abandon(&file->output);
        memory_release(file->path);
        memory_release(file);
    }
    output_abandon(&chart->data);
    output_abandon(&chart->script);
    for (int i = 0; i < CHART_FORMATS; i++)
        output_abandon(&chart->picture[i]);
    for (int i = 0; i < CHART_PATHS; i++)
        memory_release(chart->path[i]);
    for (size_t i = 0; i < chart->entry_count; i++) {
        memory_release(chart->entries[i].text);
        memory_release(chart->entries[i].drawn);
    }
    memory_release(chart->entries);
    memory_release(chart->options);
    *chart = (struct chart){ 0 };
}

void chart_number(struct chart *chart, double number, char behind)
{
    if (isfinite(number))
        fprintf(chart->data.file, "%.9g%c", number, behind);
    else
        fprintf(chart->data.file, "NaN%c", behind);
}

void chart_row(struct chart *chart, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        chart_number(chart, numbers[i], i + 1 == count ? '\n' : ',');
}

void chart_cells(struct chart *chart, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        chart_number(chart, numbers[i], ',');
}

void chart_gap(struct chart *chart)
{
    fputc('\n', chart->data.file);
}

/* The text for the file, from need_memory: without quotes, backslashes and
 * unprintable characters. */
static char *plain_text(const char *text)
{
    char *plain = need_memory(3 * strlen(text) + 1, 1), *out = plain;
    const unsigned char *begin = (const unsigned char *)text;
    for (const unsigned char *at = begin; *at;) {
        size_t length = utf8_character(at), hidden = utf8_unshown(at);
        const char *instead =
            *at == '"'    ? "'"
            : *at == '\\' ? "\xe2\x88\x96" /* U+2216, the set minus */
            : hidden      ? "?"
            : *at == '>' && at - begin > 1 && at[-1] == ']' && at[-2] == ']'
                ? "\xe2\x80\xba" /* "]]>" may not be in an SVG's text */
                : NULL;
        size_t bytes = instead ? strlen(instead) : length;
        memcpy(out, instead ? instead : (const char *)at, bytes);
        out += bytes;
        at += hidden ? hidden : length;
    }
    return plain;
}

void chart_say_words(struct chart *chart, enum chart_text kind,
                     const char *text, const char *drawn)
{
    chart->entries = need_more(chart->entries, chart->entry_count,
                               &chart->entry_room, sizeof *chart->entries);
    chart->entries[chart->entry_count++] =
        (struct chart_entry){ kind, plain_text(text), plain_text(drawn) };
}

void chart_say(struct chart *chart, enum chart_text kind, const char *format,
               ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    chart_say_words(chart, kind, text, text);
}

void chart_comment(struct chart *chart, const char *text)
{
    char *plain = plain_text(text);
    fprintf(chart->data.file, "# %s\n", plain);
    memory_release(plain);
}

/* ---- tables and options ---- */

void chart_table(struct chart *chart, const char *name, const char *what,
                 const char *columns)
{
    fprintf(chart->data.file, "\n\n# %s: %s\n%s\n", name, what, columns);
}

void chart_word(struct chart *chart, const char *text, char behind)
{
    char *plain = plain_text(text);
    csv_text(chart->data.file, plain);
    fputc(behind, chart->data.file);
    memory_release(plain);
}

static void add_option(struct chart *chart, const char *name, const char *value)
{
    char *more = need_format("%s%s = %s\n", chart->options, name, value);
    memory_release(chart->options);
    chart->options = more;
}

/* Between single quotes gnuplot replaces nothing; the text's own become
 * apostrophes. */
void chart_option(struct chart *chart, const char *name, const char *text)
{
    static const char apostrophe[] = "\xe2\x80\x99"; /* U+2019 */
    char *plain = plain_text(text);
    char *quoted = need_memory(3 * strlen(plain) + 3, 1), *out = quoted;
    *out++ = '\'';
    for (const char *at = plain; *at; at++)
        if (*at == '\'')
            out = stpcpy(out, apostrophe);
        else
            *out++ = *at;
    *out = '\'';
    add_option(chart, name, quoted);
    memory_release(quoted);
    memory_release(plain);
}

void chart_option_number(struct chart *chart, const char *name, double number)
{
    char text[32] = "NaN";
    if (isfinite(number))
        snprintf(text, sizeof text, "%.9g", number);
    add_option(chart, name, text);
}

void chart_option_of(struct chart *chart, const char *name, size_t i,
                     double number)
{
    char *option = need_format("%s_%zu", name, i + 1);
    chart_option_number(chart, option, number);
    memory_release(option);
}

void chart_option_text_of(struct chart *chart, const char *name, size_t i,
                          const char *text)
{
    char *option = need_format("%s_%zu", name, i + 1);
    chart_option(chart, option, text);
    memory_release(option);
}

char *chart_key_words(const char *path)
{
    char *words = need_text("");
    for (size_t length; *path; path += length + (path[length] == '.')) {
        length = strcspn(path, ".");
        char *part = need_format("%.*s", (int)length, path), *out = part;
        for (const char *at = part; *at; at++)
            if (!strchr("[]", *at))
                *out++ = (char)(*at == '_' ? ' ' : *at);
        *out = '\0';
        const bool number = isdigit((unsigned char)*part);
        char *more = !*words  ? need_text(_(part))
                     : number ? need_format("%s %s", words, part)
                              : need_format(_("%s %s"), words, _(part));
        memory_release(words);
        memory_release(part);
        words = more;
    }
    return words;
}
