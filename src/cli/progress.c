/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_CELLS = 24 };

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
    char bar[BAR_CELLS + 1], words[16];
    int filled = (int)(share * BAR_CELLS);
    memset(bar, '.', BAR_CELLS);
    memset(bar, '#', (size_t)filled);
    bar[BAR_CELLS] = '\0';
    fprintf(stderr,
            "\r\033[K[%s] %" PRId64 "/%" PRId64 " %s, %.0f/s, %d:%02d left",
            bar, done, progress->total, progress->unit, rate, (int)left / 60,
            (int)left % 60);
    if (bytes)
        fprintf(stderr, ", %s", progress_bytes(bytes, words));
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
