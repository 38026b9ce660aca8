/* SPDX-License-Identifier: MIT */
/* Runs gnuplot. */
#include "draw/chart/chart.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/process.h"
#include "base/system.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Settings of the caller's that would change the picture. */
static bool changes_pictures(const char *setting)
{
    static const char *const names[] = { "LC_",
                                         "LANG",
                                         "TZ=",
                                         "GNUTERM=",
                                         "GDFONT",
                                         "GNUPLOT_",
                                         "SOURCE_DATE_EPOCH=",
                                         NULL };
    for (const char *const *name = names; *name; name++)
        if (strncmp(setting, *name, strlen(*name)) == 0)
            return true;
    return false;
}

/* The caller's environment without these; from need_memory. */
static char **plain_environment(void)
{
    static char locale[] = "LC_ALL=C", zone[] = "TZ=UTC0";
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **plain = need_memory(count + 3, sizeof *plain);
    for (size_t i = 0; i < count; i++)
        if (!changes_pictures(environ[i]))
            plain[kept++] = environ[i];
    plain[kept++] = locale;
    plain[kept] = zone;
    return plain;
}

/* The error of a gnuplot that failed: the line at which it stopped. */
static enum status fault(const char *script, int ended, int said,
                         struct error *error)
{
    char text[400] = "";
    if (said >= 0)
        process_last_line(said, text, sizeof text);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 127 && !*text)
        return error_set(
            error, STATUS_FAILED,
            "cannot start gnuplot; %s draws the chart on a machine that has it",
            script);
    return error_set(
        error, STATUS_FAILED, "gnuplot failed on %s: %s", script,
        *text ? text
        : WIFSIGNALED(ended)
            ? strsignal(WTERMSIG(ended))
            : "it printed no message (--debug shows all its output)");
}

/* Runs `gnuplot -d -c SCRIPT FORMAT PICTURE DATA`; the paths begin with `/` or
 * `./`. STATUS_FAILED, with gnuplot's words, if it is missing or fails. */
static enum status run(const char *script, const char *format,
                       const char *picture, const char *data, bool debug,
                       struct error *error)
{
    const char *const words[] = { "gnuplot", "-d",    "-c", script,
                                  format,    picture, data, NULL };
    char **environment = plain_environment();
    int ended = 0, said = debug ? -1 : system_nameless_file();
    const struct process gnuplot = { words, environment, NULL, said };
    errno = process_run(&gnuplot, &ended);
    enum status status = STATUS_OK;
    if (errno == ENOENT)
        status = error_set(error, STATUS_FAILED,
                           "gnuplot is not installed (not in PATH); %s draws "
                           "the chart on a machine that has it",
                           script);
    else if (errno)
        status = error_system(error, STATUS_FAILED, "gnuplot");
    else if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        status = fault(script, ended, said, error);
    if (said >= 0)
        close(said);
    memory_release(environment);
    return status;
}

static enum status draw_format(struct chart *chart, enum chart_format format,
                               const struct chart_words *words,
                               struct error *error)
{
    struct output *picture = &chart->picture[format];
    enum status status = run(chart->path[CHART_PATH_SCRIPT],
                             chart_format_names[format], picture->partial,
                             chart->path[CHART_PATH_DATA], chart->debug, error);
    if (!status)
        status = chart_picture_check(picture->partial, format, words, error);
    if (!status)
        return output_commit(picture, error);
    struct error full; /* gnuplot hardly reports a full disk */
    if (!output_has_room(picture, &full))
        return status;
    *error = full;
    return full.status;
}

/* What the picture shows, by its panels' titles, and all lines of its caption,
 * drawn or not; from need_memory. */
static void describe(const struct chart *chart,
                     const struct chart_figure *figure,
                     struct chart_words *words)
{
    enum { AROUND = 8 }; /* bytes: "; (a) " */
    size_t title = 1, description = 1, used = 0;
    for (size_t k = 0; k < figure->count; k++)
        title += strlen(figure->panels[k].title) + AROUND;
    for (size_t i = 0; i < chart->entry_count; i++)
        description += strlen(chart->entries[i].text) + AROUND;
    words->title = need_memory(title, 1);
    words->description = need_memory(description, 1);
    for (size_t k = 0; k < figure->count; k++) {
        if (figure->count > 1)
            used += (size_t)snprintf(words->title + used, title - used,
                                     "%s(%c) ", k ? "; " : "", (char)('a' + k));
        used += (size_t)snprintf(words->title + used, title - used, "%s",
                                 figure->panels[k].title);
    }
    used = 0;
    for (size_t i = 0; i < chart->entry_count; i++) {
        if (chart->entries[i].legend > CHART_OF_CAPTION)
            continue;
        const char *gap = !used                                 ? ""
                          : words->description[used - 1] == '.' ? " "
                                                                : "; ";
        used += (size_t)snprintf(words->description + used, description - used,
                                 "%s%s", gap, chart->entries[i].text);
    }
}

/* gnuplot takes a character that the font lacks from another font, and prints
 * nothing if there is none. */
static void find_lacking(struct chart *chart, const struct chart_figure *figure)
{
    struct installed *installed = installed_open();
    for (size_t k = 0; k < figure->count; k++)
        lacking_find(&chart->lacking, installed, figure->panels[k].title);
    for (size_t i = 0; i < chart->entry_count; i++)
        lacking_find(&chart->lacking, installed, chart->entries[i].text);
    installed_release(installed);
}

enum status chart_draw(struct chart *chart, const struct chart_figure *figure,
                       struct error *error)
{
    chart_script_write(chart, figure, chart->script.file);
    enum status status = output_commit(&chart->data, error);
    if (!status)
        status = output_commit(&chart->script, error);
    struct chart_words words = { .width = chart->width };
    if (!status)
        describe(chart, figure, &words);
    if (!status)
        find_lacking(chart, figure);
    for (int i = 0; i < CHART_FORMATS && !status; i++)
        if (chart->formats & 1U << i)
            status = draw_format(chart, (enum chart_format)i, &words, error);
    memory_release(words.title);
    memory_release(words.description);
    return status;
}
