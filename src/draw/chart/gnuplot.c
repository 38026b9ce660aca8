/* SPDX-License-Identifier: MIT */
/* Runs gnuplot. */
#include "draw/chart/chart.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
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

/* The caller's environment without these; from memory_new. */
static char **plain_environment(void)
{
    static char locale[] = "LC_ALL=C", zone[] = "TZ=UTC0";
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **plain = memory_new(count + 3, sizeof *plain);
    if (!plain)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (!changes_pictures(environ[i]))
            plain[kept++] = environ[i];
    plain[kept++] = locale;
    plain[kept] = zone;
    return plain;
}

/* Starts it; what it says goes to `words` (−1: where ours goes). 0 or errno. */
static int start(char *const arguments[], char *const environment[], int words,
                 pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int fault = posix_spawn_file_actions_init(&actions);
    if (fault)
        return fault;
    fault = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
                                             "/dev/null", O_RDONLY, 0);
    /* Not to our standard output: that is for data. */
    if (!fault)
        fault = posix_spawn_file_actions_adddup2(
            &actions, words >= 0 ? words : STDERR_FILENO, STDOUT_FILENO);
    if (!fault && words >= 0)
        fault =
            posix_spawn_file_actions_adddup2(&actions, words, STDERR_FILENO);
    if (!fault)
        fault = posix_spawnp(child, arguments[0], &actions, NULL, arguments,
                             environment);
    posix_spawn_file_actions_destroy(&actions);
    return fault;
}

/* The last line that gnuplot said: what it stopped at. */
static void last_words(int words, char *text, size_t size)
{
    off_t end = lseek(words, 0, SEEK_END);
    off_t from = end > (off_t)size - 1 ? end - (off_t)size + 1 : 0;
    ssize_t got = pread(words, text, size - 1, from);
    text[got > 0 ? got : 0] = '\0';
    size_t length = strlen(text);
    while (length && (text[length - 1] == '\n' || text[length - 1] == ' '))
        text[--length] = '\0';
    const char *line = strrchr(text, '\n');
    if (line)
        memmove(text, line + 1, strlen(line));
}

static enum status finish(pid_t child, const char *script, int words,
                          struct error *error)
{
    int ended;
    while (waitpid(child, &ended, 0) < 0)
        if (errno != EINTR)
            return error_system(error, STATUS_FAILED, "gnuplot");
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return STATUS_OK;
    char text[400] = "";
    if (words >= 0)
        last_words(words, text, sizeof text);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 127 && !*text)
        return error_set(error, STATUS_FAILED,
                         "gnuplot cannot be started; %s draws the chart where "
                         "it is installed",
                         script);
    return error_set(error, STATUS_FAILED, "gnuplot failed on %s: %s", script,
                     *text ? text
                     : WIFSIGNALED(ended)
                         ? strsignal(WTERMSIG(ended))
                         : "it said nothing (--debug shows its words)");
}

/* Runs `gnuplot -d -c SCRIPT FORMAT PICTURE DATA`; the paths begin with `/` or
 * `./`. STATUS_FAILED, with gnuplot's words, if it is missing or fails. */
static enum status run(const char *script, const char *format,
                       const char *picture, const char *data, bool debug,
                       struct error *error)
{
    /* posix_spawn takes them as char *, and changes nothing. */
    char *const arguments[] = {
        (char[]){ "gnuplot" }, (char[]){ "-d" },
        (char[]){ "-c" },      memory_text(script),
        memory_text(format),   memory_text(picture),
        memory_text(data),     NULL,
    };
    char **environment = plain_environment();
    int words = debug ? -1 : memfd_create("gnuplot", MFD_CLOEXEC);
    bool whole = environment != NULL;
    for (int i = 3; i < 7; i++)
        whole = whole && arguments[i];
    pid_t child;
    int fault = whole ? start(arguments, environment, words, &child) : ENOMEM;
    errno = fault;
    enum status status =
        fault == ENOENT
            ? error_set(error, STATUS_FAILED,
                        "gnuplot is not installed (not in PATH); %s draws the "
                        "chart where it is",
                        script)
        : fault ? error_system(error, STATUS_FAILED, "gnuplot")
                : finish(child, script, words, error);
    if (words >= 0)
        close(words);
    for (int i = 3; i < 7; i++)
        memory_release(arguments[i]);
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
    struct error full; /* of a full disk gnuplot says little or nothing */
    if (!output_has_room(picture, &full))
        return status;
    *error = full;
    return full.status;
}

/* What the picture shows, by its panels' titles, and all lines of its caption,
 * drawn or not; from memory_new. */
static enum status describe(const struct chart *chart,
                            const struct chart_figure *figure,
                            struct chart_words *words, struct error *error)
{
    enum { AROUND = 8 }; /* bytes: "; (a) " */
    size_t title = 1, description = 1, used = 0;
    for (size_t k = 0; k < figure->count; k++)
        title += strlen(figure->panels[k].title) + AROUND;
    for (size_t i = 0; i < chart->entry_count; i++)
        description += strlen(chart->entries[i].text) + AROUND;
    words->title = memory_new(title, 1);
    words->description = memory_new(description, 1);
    if (!words->title || !words->description)
        return error_memory(error);
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
    return STATUS_OK;
}

enum status chart_draw(struct chart *chart, const struct chart_figure *figure,
                       struct error *error)
{
    enum status status =
        chart_script_write(chart, figure, chart->script.file, error);
    if (!status)
        status = output_commit(&chart->data, error);
    if (!status)
        status = output_commit(&chart->script, error);
    struct chart_words words = { .width = chart->width };
    if (!status)
        status = describe(chart, figure, &words, error);
    for (int i = 0; i < CHART_FORMATS && !status; i++)
        if (chart->formats & 1U << i)
            status = draw_format(chart, (enum chart_format)i, &words, error);
    memory_release(words.title);
    memory_release(words.description);
    return status;
}
