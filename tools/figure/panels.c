/* SPDX-License-Identifier: MIT */
/* Panels, drawn by their programs. */
#include "tools/figure/composition.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/process.h"
#include "base/system.h"
#include "base/utf8.h"

#include <errno.h>
#include <limits.h>
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

/* Adds the characters that the program's message names. */
static void take_lacking(int said, struct lacking *lacking)
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
        const char *at = strstr(line, LACKING_WORDS);
        at = at ? at + strlen(LACKING_WORDS) : "";
        for (size_t length; *at && *at != '"'; at += length) {
            length = utf8_character((const unsigned char *)at);
            length = length ? length : 1;
            lacking_add(lacking, at, length);
        }
    }
    fclose(file);
}

static enum status run_program(struct composition *figure,
                               const struct panel *panel,
                               const char *const *words, struct error *error)
{
    int ended = 0, said = system_nameless_file();
    const struct process process = { words, NULL, figure->folder, said };
    errno = process_run(&process, &ended);
    enum status status = STATUS_OK;
    if (errno)
        status = error_system(error, STATUS_FAILED, "%s", words[0]);
    else if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        status = fault(figure, panel, said, ended, error);
    else if (said >= 0)
        take_lacking(said, &figure->lacking);
    if (said >= 0)
        close(said);
    return status;
}

/* Runs the panel's command followed by our own options, which take precedence
 * if both are given. */
static enum status run_panel(struct composition *figure,
                             const struct panel *panel, const char *formats,
                             const char *output, struct error *error)
{
    char program[PATH_MAX], width[32];
    enum status status = process_find(panel->words[0], program, error);
    if (status)
        return status;
    snprintf(width, sizeof width, "%.4f", panel_width(figure, panel));
    const char *const own[] = { "--force", "--format", formats, "--width",
                                width,     "--output", output,  NULL };
    size_t given = panel->word_count, more = sizeof own / sizeof *own;
    const char **words = need_memory(given + more, sizeof *words);
    words[0] = program;
    for (size_t i = 1; i < given; i++)
        words[i] = panel->words[i];
    memcpy(words + given, own, sizeof own);
    status = run_program(figure, panel, words, error);
    memory_release(words);
    return status;
}

static enum status measure(struct composition *figure, size_t number,
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
                           output, error);
        memory_release(output);
    }
    return status ? status : measure(figure, number, error);
}
