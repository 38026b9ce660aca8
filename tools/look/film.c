/* SPDX-License-Identifier: MIT */
#include "tools/look/film.h"

#include "base/process.h"
#include "base/system.h"
#include "cli/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* H.264 and VP9 require even sides. Colours are those of BT.709, which is
 * stored in the film. */
#define EVEN                                                                   \
    "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white,"                               \
    "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd"
#define BT709                                                                  \
    "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries",         \
        "bt709", "-color_trc", "bt709"

enum { CODEC_WORDS = 24 };

static const struct kind {
    const char *ending, *format;
    const char *codec[CODEC_WORDS]; /* ends with NULL */
} kinds[] = {
    { ".mp4",
      "mp4",
      { "-vf", EVEN, "-c:v", "libx264", "-preset", "medium", "-crf", "16",
        BT709, "-movflags", "+faststart", NULL } },
    { ".webm",
      "webm",
      { "-vf", EVEN, "-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0",
        "-deadline", "good", "-cpu-used", "4", BT709, NULL } },
    /* One palette for the whole film, and no dithering, so that cells of one
     * colour stay so. */
    { ".gif",
      "gif",
      { "-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none",
        "-loop", "0", NULL } },
};

static enum status find_kind(const char *path, const struct kind **kind,
                             struct error *error)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t ending = strlen(kinds[i].ending);
        if (length > ending &&
            strcmp(path + length - ending, kinds[i].ending) == 0) {
            *kind = &kinds[i];
            return STATUS_OK;
        }
    }
    return error_set(error, STATUS_INPUT,
                     "--output '%s': a film's name ends with .mp4, .webm or "
                     ".gif",
                     path);
}

/* A GIF counts hundredths of a second. Frames of alternating hundredths keep
 * any speed up to 50 a second, but viewers show a frame of less than two
 * hundredths for ten. */
enum status film_check(const char *path, int64_t fps, struct error *error)
{
    enum { GIF_MOST = 50 };
    const struct kind *kind = NULL;
    enum status status = find_kind(path, &kind, error);
    if (status || fps <= GIF_MOST || strcmp(kind->format, "gif") != 0)
        return status;
    const long long every = (fps + GIF_MOST - 1) / GIF_MOST;
    return error_set(error, STATUS_INPUT,
                     "--fps %lld: a GIF plays up to %d frames a second; choose "
                     ".mp4 or .webm, or play every %lld frames at --fps %lld",
                     (long long)fps, GIF_MOST, every, (long long)fps / every);
}

static int spawn(struct film *film, const char *const *words, int from, int to)
{
    const struct process process = {
        .words = words, .said = film->words, .from = from, .to = to
    };
    const int failed = process_start(&process, &film->process);
    if (failed)
        film->process = 0;
    return failed;
}

static enum status start(struct film *film, const char *const *words,
                         struct error *error)
{
    int ends[2];
    film->words = system_nameless_file();
    if (film->words < 0 || pipe2(ends, O_CLOEXEC) != 0)
        return error_system(error, STATUS_FAILED, "ffmpeg");
    int failed = spawn(film, words, ends[0], 0);
    close(ends[0]);
    film->to = ends[1];
    if (failed == ENOENT)
        return error_set(error, STATUS_FAILED,
                         "ffmpeg, which makes the film, is not installed; "
                         "hamon-slice -o NAME-%%06d.png writes the pictures");
    if (failed) {
        errno = failed;
        return error_system(error, STATUS_FAILED, "cannot start ffmpeg");
    }
    return STATUS_OK;
}

enum status film_open(struct film *film, const char *path, bool force,
                      int width, int height, int64_t fps, struct error *error)
{
    *film = (struct film){
        .to = -1, .words = -1, .width = width, .height = height
    };
    const struct kind *kind = NULL;
    enum status status = find_kind(path, &kind, error);
    if (!status)
        status = output_open(&film->output, path, force, error);
    if (status)
        return status;
    char size[40], rate[24], target[4200];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%lld", (long long)fps);
    snprintf(target, sizeof target, "file:%s", film->output.partial);
    const char *words[64] = {
        "ffmpeg",   "-hide_banner", "-loglevel", "error",    "-f",
        "rawvideo", "-pix_fmt",     "rgb24",     "-s",       size,
        "-r",       rate,           "-i",        "pipe:0",   "-map_metadata",
        "-1",       "-fflags",      "+bitexact", "-flags:v", "+bitexact"
    };
    int count = 20;
    for (const char *const *word = kind->codec; *word; word++)
        words[count++] = *word;
    words[count++] = "-f";
    words[count++] = kind->format;
    words[count++] = "-y";
    words[count] = target;
    signal(SIGPIPE, SIG_IGN); /* then ffmpeg's exit code has the reason */
    return start(film, words, error);
}

/* The first line that ffmpeg printed, without its [address] prefix. */
static void first_words(const struct film *film, char *text, size_t size)
{
    ssize_t bytes = pread(film->words, text, size - 1, 0);
    text[bytes > 0 ? bytes : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    char *behind = text[0] == '[' ? strstr(text, "] ") : NULL;
    if (behind)
        memmove(text, behind + 2, strlen(behind + 2) + 1);
}

/* STATUS_FAILED, or STATUS_DISK if the disk is full. */
static enum status broken(const struct film *film, const char *why,
                          struct error *error)
{
    char text[400];
    first_words(film, text, sizeof text);
    bool full = strstr(text, "No space left") != NULL ||
                output_has_room(&film->output, NULL) != STATUS_OK;
    return error_set(error, full ? STATUS_DISK : STATUS_FAILED, "%s: %s: %s",
                     film->output.path, why,
                     *text ? text : "it printed no reason");
}

/* Waits for the program. Returns whether it ended with 0. */
static bool wait_for(struct film *film)
{
    int code = 0;
    const int failed = process_wait(film->process, &code);
    film->process = 0;
    return !failed && WIFEXITED(code) && WEXITSTATUS(code) == 0;
}

/* Closes the pipe and waits. ffmpeg may return 0 though the disk was full, so
 * its messages count too: at its log level they are errors. */
static enum status end(struct film *film, struct error *error)
{
    if (film->to >= 0)
        close(film->to);
    film->to = -1;
    if (!film->process)
        return STATUS_OK;
    const bool good = wait_for(film);
    char text[2];
    first_words(film, text, sizeof text);
    return good && !*text
               ? STATUS_OK
               : broken(film, "ffmpeg ended without the film", error);
}

/* Reads the whole film by ffprobe: it must be readable and have every frame. */
static enum status verify(struct film *film, struct error *error)
{
    char target[4200], text[40] = "";
    snprintf(target, sizeof target, "file:%s", film->output.partial);
    const char *words[] = { "ffprobe",       "-v",
                            "error",         "-count_packets",
                            "-show_entries", "stream=nb_read_packets",
                            "-of",           "csv=p=0",
                            target,          NULL };
    int to = system_nameless_file();
    if (to < 0)
        return error_system(error, STATUS_FAILED, "ffprobe");
    int failed = spawn(film, words, 0, to);
    bool good = !failed && wait_for(film);
    ssize_t bytes = pread(to, text, sizeof text - 1, 0);
    close(to);
    if (failed) {
        errno = failed;
        return error_system(error, STATUS_FAILED,
                            "cannot start ffprobe, which checks the film; it "
                            "comes with ffmpeg");
    }
    char more[2];
    first_words(film, more, sizeof more);
    if (bytes <= 0 || !good || *more ||
        strtoll(text, NULL, 10) != (long long)film->frames)
        return broken(film, "ffprobe finds the film damaged", error);
    return STATUS_OK;
}

enum status film_add(struct film *film, const struct image *image,
                     struct error *error)
{
    const uint8_t *at = image->rgb;
    size_t left = 3 * (size_t)image->width * (size_t)image->height;
    while (left > 0) {
        ssize_t written = write(film->to, at, left);
        if (written < 0 && errno == EINTR) {
            enum status status = interrupt_check(error);
            if (status)
                return status;
            continue;
        }
        if (written < 0) {
            int kept = errno;
            enum status status = end(film, error);
            errno = kept;
            return status ? status
                          : error_system(error, STATUS_FAILED,
                                         "ffmpeg accepts no more frames");
        }
        at += written;
        left -= (size_t)written;
    }
    film->frames++;
    return STATUS_OK;
}

enum status film_commit(struct film *film, struct error *error)
{
    enum status status = end(film, error);
    if (!status)
        status = verify(film, error);
    if (!status)
        status = output_commit(&film->output, error);
    film_abandon(film);
    return status;
}

void film_abandon(struct film *film)
{
    if (film->process)
        kill(film->process, SIGTERM);
    end(film, NULL);
    if (film->words >= 0)
        close(film->words);
    film->words = -1;
    output_abandon(&film->output);
}
