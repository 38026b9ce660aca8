/* SPDX-License-Identifier: MIT */
/* Panels, drawn by their programs. */
#include "tools/figure/composition.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/process.h"
#include "base/system.h"
#include "words/words.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Removes mentions of files in the work folder, because the folder is
 * deleted. */
static void forget_work(const struct composition *figure, char *text)
{
    char *work = strstr(text, figure->work);
    for (; work && work > text; work--)
        if (*work == ';')
            *work = '\0';
}

enum status panel_fault(const struct composition *figure,
                        const struct panel *panel, struct error *error,
                        const char *format, ...)
{
    char text[ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_at(error, STATUS_INPUT, figure->path, panel->line, "%s", text);
}

/* The program's message, headed by the file and line of its command. */
static enum status fault(const struct composition *figure,
                         const struct panel *panel, int said, int ended,
                         struct error *error)
{
    char text[800] = "";
    if (said >= 0)
        process_last_line(said, text, sizeof text);
    forget_work(figure, text);
    int code = WIFEXITED(ended) ? WEXITSTATUS(ended) : STATUS_FAILED;
    return error_at(error,
                    code > STATUS_DIVERGED ? STATUS_FAILED : (enum status)code,
                    figure->path, panel->line, "%s: %s", panel->words[0],
                    *text                ? text
                    : WIFSIGNALED(ended) ? strsignal(WTERMSIG(ended))
                                         : "failed without a message");
}

/* A line "NAME VALUE" of the measures. */
static void take_measure(const char *line, struct measures *measures)
{
    double *m = measures->margins;
    const char *value = strchr(line, ' ');
    value = value ? value + 1 : "";
    measures->framed |=
        sscanf(line, "margins %lf %lf %lf", &m[0], &m[1], &m[2]) == 3;
    sscanf(line, "signs %u", &measures->signs);
    sscanf(line, "cell %lf", &measures->cell);
    sscanf(line, "range %lf %lf %lf %lf", &measures->low, &measures->high,
           &measures->least, &measures->most);
    if (strncmp(line, "colors ", 7) == 0)
        snprintf(measures->colors, sizeof measures->colors, "%s", value);
    if (strncmp(line, "about ", 6) == 0)
        snprintf(measures->about, sizeof measures->about, "%s", value);
    if (strncmp(line, "caption ", 8) == 0)
        snprintf(measures->caption, sizeof measures->caption, "%s", value);
}

/* Of the lines that the program printed: measures, and the characters that no
 * font has. */
static void take_lines(int said, struct measures *measures,
                       struct lacking *lacking)
{
    char line[1024];
    const int copy = dup(said);
    FILE *file = copy >= 0 ? fdopen(copy, "r") : NULL;
    if (!file) {
        if (copy >= 0)
            close(copy);
        return;
    }
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        const char *at = strstr(line, LACKING_WORDS);
        if (measures)
            take_measure(line, measures);
        else if (at)
            lacking_take(lacking, at + strlen(LACKING_WORDS));
    }
    fclose(file);
}

static enum status run_program(struct composition *figure,
                               const struct panel *panel,
                               const char *const *words,
                               struct measures *measures, struct error *error)
{
    int ended = 0, said = system_nameless_file();
    const struct process process = { .words = words,
                                     .folder = figure->folder,
                                     .said = said };
    errno = process_run(&process, &ended);
    enum status status = STATUS_OK;
    if (errno)
        status = error_system(error, STATUS_FAILED, "%s", words[0]);
    else if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        status = fault(figure, panel, said, ended, error);
    else if (said >= 0)
        take_lines(said, measures, &figure->lacking);
    if (said >= 0)
        close(said);
    return status;
}

/* How the panel is drawn on the page, for hamon-slice --placed; after the first
 * measuring its range and key are known. */
static void describe(const struct composition *figure,
                     const struct panel *panel, bool measure, char *text,
                     size_t size)
{
    const struct measures *known = &panel->measured;
    const double *margins = panel->margins;
    size_t used = (size_t)snprintf(
        text, size, "left=%.4f,above=%.4f,right=%.4f%s%s%s%s", margins[0],
        margins[1], margins[2], measure ? ",measure" : "",
        panel->share == SHARE_RANGE ? ",shared" : "",
        panel->strip ? ",strip" : "", figure->unnamed ? ",unnamed" : "");
    if (known->colors[0])
        used += (size_t)snprintf(text + used, size - used,
                                 ",range=%.17g:%.17g:%.17g:%.17g", known->low,
                                 known->high, known->least, known->most);
    if (known->framed)
        snprintf(text + used, size - used, ",signs=%u", known->signs);
}

/* Runs the panel's command followed by our own options, which take precedence
 * if both are given. It draws the output, or prints the measures. */
static enum status run_panel(struct composition *figure,
                             const struct panel *panel, const char *formats,
                             const char *output, struct measures *measures,
                             struct error *error)
{
    char program[PATH_MAX], width[32], placed[512];
    enum status status = process_find(panel->words[0], program, error);
    if (status)
        return status;
    snprintf(width, sizeof width, "%.4f", panel_width(figure, panel));
    describe(figure, panel, measures, placed, sizeof placed);
    const char *const own[] = {
        "--force",  "--format", formats,    "--width", width,
        "--output", output,     "--placed", placed,    measures ? "-q" : NULL,
        NULL
    };
    size_t given = panel->word_count, more = sizeof own / sizeof *own;
    const char **words = need_memory(given + 2 + more, sizeof *words);
    words[0] = program;
    for (size_t i = 1; i < given; i++)
        words[i] = panel->words[i];
    if (!words_english()) {
        words[given++] = "--language";
        words[given++] = words_language();
    }
    memcpy(words + given, own, sizeof own);
    if (!panel->slice)
        words[given + 7] = NULL;
    status = run_program(figure, panel, words, measures, error);
    memory_release(words);
    return status;
}

enum status panel_measure(struct composition *figure, size_t number,
                          struct error *error)
{
    struct panel *panel = &figure->panels[number];
    struct measures measures = { 0 };
    char *output = panel_path(figure, number, "pdf");
    enum status status =
        run_panel(figure, panel, "pdf", output, &measures, error);
    memory_release(output);
    if (!status)
        panel->measured = measures;
    return status;
}

static enum status find_size(struct composition *figure, size_t number,
                             struct error *error)
{
    struct panel_place *place = &figure->panels[number].place;
    char *path = panel_path(figure, number, "pdf");
    enum status status = pdf_size(path, &place->width, &place->height, error);
    memory_release(path);
    return status;
}

enum status panel_draw(struct composition *figure, size_t number,
                       struct error *error)
{
    static const char *const formats[] = { "pdf", "svg" };
    const struct panel *panel = &figure->panels[number];
    enum status status = STATUS_OK;
    for (size_t i = 0; i < (panel->slice ? 2 : 1) && !status; i++) {
        char *output = panel->slice
                           ? panel_path(figure, number, formats[i])
                           : need_format("%s/%zu", figure->work, number);
        status = run_panel(figure, panel, panel->slice ? formats[i] : "pdf,svg",
                           output, NULL, error);
        memory_release(output);
    }
    return status ? status : find_size(figure, number, error);
}
