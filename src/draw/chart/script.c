/* SPDX-License-Identifier: MIT */
/* BASE.gp: settings, options and the commands that draw them. */
#include "draw/chart/chart.h"

#include "base/memory.h"
#include "base/need.h"
#include "words/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static enum status no_panel(const char *text, const struct chart_figure *figure,
                            struct error *error)
{
    char there[400] = "";
    size_t used = 0;
    for (size_t i = 0; i < figure->count && used < sizeof there; i++)
        used += (size_t)snprintf(there + used, sizeof there - used, "%s%c (%s)",
                                 i ? ", " : "", (char)('a' + i),
                                 figure->panels[i].name);
    return error_set(error, STATUS_INPUT,
                     "--panels '%.60s': letters or names separated by commas "
                     "are required; this chart has %s",
                     text, there);
}

/* The panel of a letter, or of a name; count: there is none. */
static size_t find_panel(const char *text, size_t length,
                         const struct chart_figure *figure)
{
    size_t i = 0;
    if (length == 1)
        return text[0] >= 'a' && (size_t)(text[0] - 'a') < figure->count
                   ? (size_t)(text[0] - 'a')
                   : figure->count;
    while (i < figure->count &&
           (strlen(figure->panels[i].name) != length ||
            strncmp(figure->panels[i].name, text, length) != 0))
        i++;
    return i;
}

enum status chart_panels_choose(const char *text, struct chart_figure *figure,
                                struct error *error)
{
    bool chosen[CHART_PANELS] = { false };
    for (const char *at = text;;) {
        const size_t length = strcspn(at, ",");
        const size_t panel = find_panel(at, length, figure);
        if (panel == figure->count)
            return no_panel(text, figure, error);
        chosen[panel] = true;
        at += length;
        if (!*at++)
            break;
    }
    size_t count = 0;
    for (size_t i = 0; i < figure->count; i++)
        if (chosen[i])
            figure->panels[count++] = figure->panels[i];
    figure->count = count;
    return STATUS_OK;
}

/* Writes commands, with the words between _( and ) in the language that was
 * chosen. */
static void write_commands_of(FILE *file, const char *commands, size_t bytes)
{
    const char *end = commands + bytes;
    for (const char *at = commands; at < end;) {
        const bool marked = at + 3 < end && at[0] == '_' && at[1] == '(' &&
                            (at[2] == '\'' || at[2] == '"') &&
                            (at == commands || !isalnum(at[-1]));
        const char *close =
            marked ? memchr(at + 3, at[2], (size_t)(end - at - 3)) : NULL;
        if (!close) {
            fputc(*at++, file);
            continue;
        }
        char *english = need_format("%.*s", (int)(close - at - 3), at + 3);
        fprintf(file, "%c%s%c", at[2], words_of(english), at[2]);
        memory_release(english);
        at = close + 2; /* the bracket too */
    }
    fputc('\n', file);
}

/* Writes the section of this name, without the blank lines at its end. */
static void write_section(FILE *file, const unsigned char *commands,
                          const char *name)
{
    static const char mark[] = "\n\n# ---- ";
    char line[80];
    snprintf(line, sizeof line, "%s%s ----\n", mark, name);
    const char *found = strstr((const char *)commands, line);
    if (!found)
        return;
    found += strlen(line);
    const char *end = strstr(found, mark);
    size_t bytes = end ? (size_t)(end - found) : strlen(found);
    while (bytes && found[bytes - 1] == '\n')
        bytes--;
    write_commands_of(file, found, bytes);
}

void chart_script_write(const struct chart *chart,
                        const struct chart_figure *figure, FILE *file)
{
    write_section(file, head_gp, "start");
    fprintf(file,
            "# ---- settings ----\n"
            "width = %g # centimetres: 8.5 a column, 17 a page\n"
            "font = '%s'\n"
            "# ---- the chart ----\n%s",
            chart->width, chart->font ? chart->font : chart->words_font,
            chart->options);
    write_section(file, head_gp, "tools");
    write_section(file, figure->commands, "size");
    write_section(file, head_gp, "page");
    write_section(file, figure->commands, "panels");
    write_section(file, head_gp, "end");
}
