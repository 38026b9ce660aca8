/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include "base/system.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    PARTS = 4, /* of the text: done, time left, speed, bytes */
    BAR_CELLS = 24,
    BAR_FEW = 4,        /* no bar is shorter */
    UNKNOWN_WIDTH = 80, /* if the terminal does not know its own */
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

const char *progress_bytes(uint64_t bytes, char text[16])
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB" };
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 999.5 && unit < 5; unit++)
        value /= 1000;
    snprintf(text, 16, value < 9.95 && unit ? "%.1f %s" : "%.0f %s", value,
             units[unit]);
    return text;
}

void progress_start(struct progress *progress, bool quiet, const char *unit,
                    int64_t total)
{
    *progress = (struct progress){
        .shown = !quiet && isatty(STDERR_FILENO),
        .unit = unit,
        .total = total,
        .started = now(),
    };
}

/* Prints a line of at most `room` columns: if that is too few, the bar becomes
 * shorter, then the last parts of the text are left out, which end where `ends`
 * says. The cursor returns to the start of the line: if the terminal becomes
 * narrower and breaks the line, the next one still clears all of it. */
static void draw(double share, const char *text, const size_t ends[PARTS],
                 size_t room)
{
    char bar[BAR_CELLS + 1] = "";
    int part = PARTS - 1;
    while (part > 0 && ends[part] > room)
        part--;
    const size_t length = ends[part] < room ? ends[part] : room;
    const size_t free = room - length; /* for the bar, brackets and a blank */
    if (part == PARTS - 1 && free >= BAR_FEW + 3) {
        const size_t cells = free - 3 < BAR_CELLS ? free - 3 : BAR_CELLS;
        memset(bar, '.', cells);
        memset(bar, '#', (size_t)(share * (double)cells));
    }
    fprintf(stderr, "\r\033[J%s%s%s%.*s\r", *bar ? "[" : "", bar,
            *bar ? "] " : "", (int)length, text);
}

void progress_update(struct progress *progress, int64_t done, uint64_t bytes)
{
    if (!progress->shown)
        return;
    double time = now();
    if (time - progress->drawn < 0.1 && done < progress->total)
        return;
    progress->drawn = time;
    double share = progress->total ? (double)done / (double)progress->total : 1;
    double rate = (double)done / (time - progress->started + 1e-9);
    double left = rate > 0 ? (double)(progress->total - done) / rate : 0;
    left = left < INT_MAX ? left : INT_MAX;
    char parts[PARTS][64] = { 0 }, text[sizeof parts], words[16];
    snprintf(parts[0], sizeof *parts, "%" PRId64 "/%" PRId64 " %s", done,
             progress->total, progress->unit);
    snprintf(parts[1], sizeof *parts, ", %d:%02d left", (int)left / 60,
             (int)left % 60);
    snprintf(parts[2], sizeof *parts, ", %.0f/s", rate);
    if (bytes)
        snprintf(parts[3], sizeof *parts, ", %s", progress_bytes(bytes, words));
    size_t ends[PARTS], used = 0;
    for (int i = 0; i < PARTS; i++)
        ends[i] = used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s", parts[i]);
    const int width = system_terminal_width(stderr);
    draw(share, text, ends, (size_t)(width > 0 ? width : UNKNOWN_WIDTH) - 1);
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[J", stderr);
    progress->shown = false;
}
