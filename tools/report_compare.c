/* SPDX-License-Identifier: MIT */
/* Several recordings on one page: what tells them apart, and how they did. */
#include "report_page.h"

#include <string.h>

const char *report_name(const struct report_runs *runs,
                        const struct report_run *run)
{
    for (size_t i = 0; i < runs->count; i++)
        if (&runs->run[i] != run &&
            strcmp(report_file(&runs->run[i]), report_file(run)) == 0)
            return recording_path(run->recording);
    return report_file(run);
}

/* Settings that say nothing of what was run. */
static bool is_told(const char *key)
{
    return strcmp(key, "title") != 0 && strncmp(key, "record.", 7) != 0;
}

/* Has another of the same title another value? */
static bool is_unlike(const struct report_runs *runs,
                      const struct report_run *run, const char *key,
                      const char *value)
{
    for (size_t i = 0; i < runs->count; i++) {
        const struct report_run *beside = &runs->run[i];
        const char *other = recording_setting(beside->recording, key);
        if (strcmp(report_title(beside), report_title(run)) == 0 &&
            (!other || strcmp(other, value) != 0))
            return true;
    }
    return false;
}

/* A line "key = value" of the run's parameters, cut in two. */
static void cut_line(const char *line, size_t length, char key[REPORT_TEXT],
                     char value[REPORT_TEXT])
{
    const char *is = memmem(line, length, " = ", 3);
    size_t before = is ? (size_t)(is - line) : length;
    size_t after = is ? length - before - 3 : 0;
    if (before >= REPORT_TEXT || after >= REPORT_TEXT)
        before = after = 0;
    memcpy(key, line, before);
    key[before] = '\0';
    memcpy(value, is ? is + 3 : line, after);
    value[after] = '\0';
}

void report_differs(const struct report_runs *runs,
                    const struct report_run *run, char text[REPORT_TEXT])
{
    const char *line = recording_text(run->recording, "parameters");
    size_t used = 0;
    text[0] = '\0';
    for (; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char key[REPORT_TEXT], value[REPORT_TEXT];
        cut_line(line, strcspn(line, "\n"), key, value);
        if (!value[0] || !is_told(key) || !is_unlike(runs, run, key, value))
            continue;
        const char *slash =
            strcmp(key, "map.file") ? NULL : strrchr(value, '/');
        const char *told = slash ? slash + 1 : value;
        size_t more = strlen(key) + strlen(told) + 3;
        if (used + more + 8 > REPORT_TEXT) {
            snprintf(text + used, REPORT_TEXT - used, used ? ", …" : "…");
            return;
        }
        used += (size_t)snprintf(text + used, REPORT_TEXT - used, "%s%s %s",
                                 used ? ", " : "", key, told);
    }
}

static void put_row(FILE *out, const struct report_runs *runs, size_t i)
{
    const struct report_run *run = &runs->run[i];
    char text[8][REPORT_NUMBER], cells[REPORT_NUMBER * 2], differs[REPORT_TEXT];
    int64_t first, last, arrival = -1;
    int64_t captured = report_captures(run, &first, &last);
    for (size_t k = 0; k < run->info.agent_count; k++) {
        int64_t at = run->info.agents[k].first;
        arrival = arrival < 0 || (at >= 0 && at < arrival) ? at : arrival;
    }
    report_cells(cells, recording_grid(run->recording));
    report_differs(runs, run, differs);
    const struct html_slot slots[] = {
        { .name = "number", .text = report_number((int64_t)i + 1, text[0]) },
        { .name = "title", .text = report_title(run) },
        { .name = "name", .text = report_name(runs, run) },
        { .name = "differs", .text = differs },
        { .name = "cells", .text = cells },
        { .name = "steps", .text = report_number(report_last(run), text[1]) },
        { .name = "waves",
          .text = report_number(report_waves_of(run), text[2]) },
        { .name = "agents",
          .text = report_number((int64_t)run->info.agent_count, text[3]) },
        { .name = "captured", .text = report_number(captured, text[4]) },
        { .name = "first-capture", .text = report_number(first, text[5]) },
        { .name = "last-capture", .text = report_number(last, text[6]) },
        { .name = "first-arrival", .text = report_number(arrival, text[7]) },
        { 0 }
    };
    report_part(out, "compare-row", slots);
}

void report_compare_rows(FILE *out, const void *of)
{
    const struct report_runs *runs = of;
    for (size_t i = 0; i < runs->count; i++)
        put_row(out, runs, i);
}
