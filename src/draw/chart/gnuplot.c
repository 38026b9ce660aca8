/* SPDX-License-Identifier: MIT */
/* Runs gnuplot, and checks the pictures that it makes. */
#include "draw/chart/chart.h"

#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <spawn.h>
#include <stdint.h>
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

/* ---- pictures ---- */

/* What gnuplot makes is well below this. */
enum { PICTURE_MOST_BYTES = 1 << 28 };

struct bytes {
    char *at;
    size_t count;
};

/* The whole file, with a NUL behind it. */
static enum status read_file(const char *path, struct bytes *bytes,
                             struct error *error)
{
    *bytes = (struct bytes){ 0 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_system(error, STATUS_FAILED, "%s", path);
    enum status status = STATUS_OK;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size < 0 || size > PICTURE_MOST_BYTES)
        status = error_set(error, STATUS_FAILED, "%s: is no picture", path);
    else if (!(bytes->at = memory_new((size_t)size + 1, 1)))
        status = error_memory(error);
    rewind(file);
    if (!status) {
        bytes->count = fread(bytes->at, 1, (size_t)size, file);
        if (bytes->count != (size_t)size)
            status = error_system(error, STATUS_DISK, "%s", path);
    }
    fclose(file);
    return status;
}

static bool starts(const struct bytes *bytes, const char *text)
{
    size_t length = strlen(text);
    return bytes->count >= length && memcmp(bytes->at, text, length) == 0;
}

/* `text` at the end, white space behind it passed over. */
static bool ends(const struct bytes *bytes, const char *text)
{
    size_t end = bytes->count, length = strlen(text);
    while (end && isspace((unsigned char)bytes->at[end - 1]))
        end--;
    return end >= length && memcmp(bytes->at + end - length, text, length) == 0;
}

static char *find(const struct bytes *bytes, size_t from, const char *text)
{
    return from < bytes->count ? memmem(bytes->at + from, bytes->count - from,
                                        text, strlen(text))
                               : NULL;
}

/* How often `text` stands behind `from`, a place in the bytes. */
static size_t count(const struct bytes *bytes, const char *from,
                    const char *text)
{
    size_t found = 0;
    for (const char *at = from;
         (at = find(bytes, (size_t)(at - bytes->at), text)); at++)
        found++;
    return found;
}

/* A page's content comes first, deflated; that of an empty page is a few bytes
 * of it, of axes without a curve some hundred. */
static const char *fault_of_pdf(struct bytes *bytes)
{
    if (!starts(bytes, "%PDF-") || !ends(bytes, "%%EOF"))
        return "is not whole";
    const char *first = find(bytes, 0, "stream\n");
    const char *last = find(bytes, 0, "endstream");
    if (!first || !last || last - first < 512)
        return "is blank";
    char *date = find(bytes, 0, "/CreationDate (D:");
    if (date)
        memcpy(date + strlen("/CreationDate (D:"), "19700101000000", 14);
    return NULL;
}

static const char *fault_of_svg(struct bytes *bytes)
{
    if (!starts(bytes, "<?xml") || !ends(bytes, "</svg>"))
        return "is not whole";
    /* The definitions at its head are no part of what is seen. */
    const char *seen = find(bytes, 0, "</defs>");
    seen = seen ? seen : bytes->at;
    return count(bytes, seen, "<path ") + count(bytes, seen, "<use ") < 2
               ? "is blank"
               : NULL;
}

/* Less than a thousandth of another colour than the corner's is blank. */
static const char *fault_of_pixels(const struct bytes *bytes, png_image *image)
{
    image->format = PNG_FORMAT_RGB;
    size_t pixels = (size_t)image->width * image->height, other = 0;
    if (pixels == 0 || pixels > PICTURE_MOST_BYTES)
        return "has no size a chart has";
    uint8_t *rgb = memory_new(pixels, 3);
    if (!rgb)
        return "needs more memory than there is";
    bool whole = png_image_finish_read(image, NULL, rgb, 0, NULL);
    for (size_t i = 1; i < pixels; i++)
        other += memcmp(rgb + 3 * i, rgb, 3) != 0;
    memory_release(rgb);
    if (!whole)
        return "is not whole";
    return other < pixels / 1000 ? "is blank" : NULL;
}

static const char *fault_of_png(struct bytes *bytes)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    if (!png_image_begin_read_from_memory(&image, bytes->at, bytes->count))
        return "is not whole";
    const char *fault = fault_of_pixels(bytes, &image);
    png_image_free(&image);
    return fault;
}

/* Behind the line that names gnuplot stands one with the day and hour. */
static void hide_date(struct bytes *bytes)
{
    char *made = find(bytes, 0, "%% generated with GNUPLOT");
    char *line = made ? strchr(made, '\n') : NULL;
    if (!line || line[1] != '%')
        return;
    for (line += 3; *line && *line != '\n'; line++)
        *line = '-';
}

static const char *fault_of_tex(struct bytes *bytes)
{
    if (!starts(bytes, "\\begin{tikzpicture}") ||
        !find(bytes, 0, "\\end{tikzpicture}"))
        return "is not whole";
    hide_date(bytes);
    return count(bytes, bytes->at, "\\draw") < 2 ? "is blank" : NULL;
}

/* gnuplot leaves out how large a pixel is: 300 an inch, as its script asks for.
 * The chunk goes behind the header, which ends at byte 33. */
static enum status add_resolution(struct bytes *bytes, struct error *error)
{
    static const uint8_t chunk[] = {
        0,    0, 0, 9,    'p',  'H', 'Y',  's',  0,    0,    0x2e,
        0x23, 0, 0, 0x2e, 0x23, 1,   0x78, 0xa5, 0x3f, 0x76,
    };
    enum { HEADER = 33 };
    const char *told = find(bytes, 0, "pHYs"), *data = find(bytes, 0, "IDAT");
    if (told && told < data)
        return STATUS_OK;
    char *more = memory_new(bytes->count + sizeof chunk + 1, 1);
    if (!more)
        return error_memory(error);
    memcpy(more, bytes->at, HEADER);
    memcpy(more + HEADER, chunk, sizeof chunk);
    memcpy(more + HEADER + sizeof chunk, bytes->at + HEADER,
           bytes->count - HEADER);
    memory_release(bytes->at);
    bytes->at = more;
    bytes->count += sizeof chunk;
    return STATUS_OK;
}

static enum status write_back(const char *path, const struct bytes *bytes,
                              struct error *error)
{
    FILE *file = fopen(path, "wb");
    bool good =
        file && fwrite(bytes->at, 1, bytes->count, file) == bytes->count;
    if (file && fclose(file) != 0)
        good = false;
    return good ? STATUS_OK
                : error_system(error, STATUS_DISK, "%s: cannot write all of it",
                               path);
}

enum status chart_picture_check(const char *path, enum chart_format format,
                                struct error *error)
{
    static const char *(*const fault_of[])(struct bytes *) = {
        [CHART_PDF] = fault_of_pdf,
        [CHART_SVG] = fault_of_svg,
        [CHART_PNG] = fault_of_png,
        [CHART_TEX] = fault_of_tex,
    };
    struct bytes bytes;
    enum status status = read_file(path, &bytes, error);
    if (!status) {
        const char *fault = fault_of[format](&bytes);
        if (fault)
            status = error_set(error, STATUS_FAILED,
                               "gnuplot's %s picture %s, and was not kept",
                               chart_format_names[format], fault);
        else if (format == CHART_PNG)
            status = add_resolution(&bytes, error);
        if (!status)
            status = write_back(path, &bytes, error);
    }
    memory_release(bytes.at);
    return status;
}

static enum status draw_format(struct chart *chart, enum chart_format format,
                               struct error *error)
{
    struct output *picture = &chart->picture[format];
    enum status status = run(chart->path[CHART_PATH_SCRIPT],
                             chart_format_names[format], picture->partial,
                             chart->path[CHART_PATH_DATA], chart->debug, error);
    if (!status)
        status = chart_picture_check(picture->partial, format, error);
    if (!status)
        return output_commit(picture, error);
    struct error full; /* of a full disk gnuplot says little or nothing */
    if (!output_has_room(picture, &full))
        return status;
    *error = full;
    return full.status;
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
    for (int i = 0; i < CHART_FORMATS && !status; i++)
        if (chart->formats & 1U << i)
            status = draw_format(chart, (enum chart_format)i, error);
    return status;
}
