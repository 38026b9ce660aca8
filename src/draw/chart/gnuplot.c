/* SPDX-License-Identifier: MIT */
/* Runs gnuplot. */
#include "draw/chart/chart.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/process.h"
#include "base/system.h"
#include "words/words.h"

#include <errno.h>
#include <stdio.h>
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

/* What the user can do instead. */
#define ADVICE                                                                 \
    "--format none writes only the data and the script, which draws the "      \
    "chart on another machine"

/* The error of a gnuplot that failed: the line at which it stopped. The script
 * has a temporary name, which its message begins with. */
static enum status fault(const char *script, int ended, int said,
                         struct error *error)
{
    char text[400] = "";
    const char *message = text;
    if (said >= 0)
        process_last_line(said, text, sizeof text);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 127 && !*text)
        return error_set(error, STATUS_FAILED, "cannot start gnuplot; " ADVICE);
    size_t name = script ? strlen(script) : 0;
    if (script && text[0] == '"' && strncmp(text + 1, script, name) == 0 &&
        strncmp(text + 1 + name, "\" ", 2) == 0)
        message += name + 3;
    return error_set(
        error, STATUS_FAILED, "gnuplot failed%s: %s",
        script ? " on the chart's script" : "",
        *message ? message
        : WIFSIGNALED(ended)
            ? strsignal(WTERMSIG(ended))
            : "it printed no message (--debug shows all its output)");
}

/* Runs gnuplot with these arguments. Its output goes to the file `said`, or if
 * that is −1 to our standard error. STATUS_FAILED, with gnuplot's words, if it
 * is missing or fails; `script` may be NULL. */
static enum status run_gnuplot(const char *const *words, const char *script,
                               int said, struct error *error)
{
    char **environment = plain_environment();
    int ended = 0;
    const struct process gnuplot = { .words = words,
                                     .environment = environment,
                                     .said = said };
    errno = process_run(&gnuplot, &ended);
    enum status status = STATUS_OK;
    if (errno == ENOENT)
        status = error_set(error, STATUS_FAILED,
                           "gnuplot is not installed (not in PATH); " ADVICE);
    else if (errno)
        status = error_system(error, STATUS_FAILED, "gnuplot");
    else if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        status = fault(script, ended, said, error);
    memory_release(environment);
    return status;
}

/* Those that head.gp sets. */
static const char *const terminals[] = {
    [CHART_PDF] = "pdfcairo",
    [CHART_SVG] = "svg",
    [CHART_PNG] = "pngcairo",
    [CHART_TEX] = "tikz",
};

/* The names are separated by spaces. */
static enum status find_terminals(const char *names, unsigned formats,
                                  struct error *error)
{
    for (int i = 0; i < CHART_FORMATS; i++) {
        char name[16];
        snprintf(name, sizeof name, " %s ", terminals[i]);
        if (formats & 1U << i && !strstr(names, name))
            return error_set(
                error, STATUS_FAILED,
                "this gnuplot has no terminal %s, which --format %s requires: "
                "leave out %s, or install a gnuplot that has it (Debian: "
                "gnuplot-nox); " ADVICE,
                terminals[i], chart_format_names[i], chart_format_names[i]);
    }
    return STATUS_OK;
}

enum status chart_gnuplot_check(const struct chart *chart, struct error *error)
{
    static const char *const words[] = { "gnuplot", "-d", "-e",
                                         "print ' '.GPVAL_TERMINALS.' '",
                                         NULL };
    char names[4096];
    if (!chart->formats)
        return STATUS_OK;
    int said = system_nameless_file();
    if (said < 0)
        return error_system(error, STATUS_FAILED, "gnuplot");
    enum status status = run_gnuplot(words, NULL, said, error);
    ssize_t count = pread(said, names, sizeof names - 1, 0);
    names[count > 0 ? count : 0] = '\0';
    close(said);
    return status ? status : find_terminals(names, chart->formats, error);
}

/* Takes what the chart's .gp file prints after "report: ": what it does not
 * draw. */
static void take_told(int said, char *told, size_t size)
{
    static const char mark[] = "report: ";
    char text[4096];
    const ssize_t count = pread(said, text, sizeof text - 1, 0);
    text[count > 0 ? count : 0] = '\0';
    const char *line = strstr(text, mark);
    if (line)
        snprintf(told, size, "%.*s", (int)strcspn(line + strlen(mark), "\n"),
                 line + strlen(mark));
}

/* Runs `gnuplot -d -c SCRIPT FORMAT PICTURE DATA`; the paths begin with `/` or
 * `./`. */
static enum status draw_format(struct chart *chart, enum chart_format format,
                               const struct chart_words *words,
                               struct error *error)
{
    struct output *picture = &chart->picture[format];
    const char *script = chart->script.partial;
    const char *const arguments[] = { "gnuplot",
                                      "-d",
                                      "-c",
                                      script,
                                      chart_format_names[format],
                                      picture->partial,
                                      chart->data.partial,
                                      NULL };
    int said = chart->debug ? -1 : system_nameless_file();
    enum status status = run_gnuplot(arguments, script, said, error);
    if (said >= 0) {
        take_told(said, chart->told, sizeof chart->told);
        close(said);
    }
    if (!status)
        status = chart_picture_check(picture->partial, format, words, error);
    if (!status)
        return STATUS_OK;
    struct error full; /* gnuplot hardly reports a full disk */
    if (!output_has_room(picture, &full))
        return status;
    *error = full;
    return full.status;
}

/* The lines of its caption as one text, with or without the sources of the
 * data, as it is drawn or in English; from need_memory. */
static char *caption_of(const struct chart *chart, bool sources, bool drawn)
{
    enum { AROUND = 2 }; /* bytes: "; " */
    size_t room = 1, used = 0;
    for (size_t i = 0; i < chart->entry_count; i++)
        room +=
            strlen(drawn ? chart->entries[i].drawn : chart->entries[i].text) +
            AROUND;
    char *caption = need_memory(room, 1);
    for (size_t i = 0; i < chart->entry_count; i++) {
        if (!sources && chart->entries[i].kind == CHART_SOURCE)
            continue;
        const struct chart_entry *entry = &chart->entries[i];
        const char *gap = !used ? "" : caption[used - 1] == '.' ? " " : "; ";
        used += (size_t)snprintf(caption + used, room - used, "%s%s", gap,
                                 drawn ? entry->drawn : entry->text);
    }
    return caption;
}

/* gnuplot takes a character that the font lacks from another font, and prints
 * nothing if there is none. */
static void find_lacking(struct chart *chart)
{
    struct installed *installed = installed_open();
    for (size_t i = 0; i < chart->entry_count; i++)
        lacking_find(&chart->lacking, installed, chart->entries[i].drawn);
    lacking_find(&chart->lacking, installed, chart->options);
    installed_release(installed);
}

static enum status keep_files(struct chart *chart, struct error *error)
{
    size_t count = 2 + CHART_FORMATS, used = 0;
    for (const struct chart_file *file = chart->added; file; file = file->next)
        count++;
    struct output **outputs = need_memory(count, sizeof *outputs);
    outputs[used++] = &chart->data;
    outputs[used++] = &chart->script;
    for (int i = 0; i < CHART_FORMATS; i++)
        if (chart->formats & 1U << i)
            outputs[used++] = &chart->picture[i];
    for (struct chart_file *file = chart->added; file; file = file->next)
        outputs[used++] = &file->output;
    enum status status = output_commit_all(outputs, used, error);
    memory_release(outputs);
    return status;
}

enum status chart_draw(struct chart *chart, const struct chart_figure *figure,
                       struct error *error)
{
    if (chart->caption != CHART_NONE) {
        char *caption = caption_of(chart, chart->caption == CHART_FULL, true);
        chart_option(chart, "caption", caption);
        memory_release(caption);
    }
    chart_script_write(chart, figure, chart->script.file);
    enum status status = output_flush(&chart->data, error);
    if (!status)
        status = output_flush(&chart->script, error);
    /* All lines of the caption, drawn or not. */
    const struct chart_words words = { .title = _(figure->title),
                                       .description =
                                           caption_of(chart, true, false),
                                       .width = chart->width };
    if (!status)
        find_lacking(chart);
    for (int i = 0; i < CHART_FORMATS && !status; i++)
        if (chart->formats & 1U << i)
            status = draw_format(chart, (enum chart_format)i, &words, error);
    if (!status)
        status = keep_files(chart, error);
    memory_release(words.description);
    return status;
}
