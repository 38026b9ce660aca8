/* SPDX-License-Identifier: MIT */
/* What the page says in words and figures of one recording: facts, settings,
 * provenance. */
#include "report_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void report_part(FILE *out, const char *name, const struct html_slot *slots)
{
    html_part(out, (const char *)report_page, name, slots);
}

const char *report_number(int64_t value, char text[REPORT_NUMBER])
{
    snprintf(text, REPORT_NUMBER, "%" PRId64, value);
    return value < 0 ? "\u2013" : text;
}

const char *report_file(const struct report_run *run)
{
    const char *path = recording_path(run->recording);
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *report_title(const struct report_run *run)
{
    const char *title = recording_title(run->recording);
    return title && *title ? title : report_file(run);
}

int64_t report_captures(const struct report_run *run, int64_t *first,
                        int64_t *last)
{
    int64_t count = 0;
    *first = *last = -1;
    for (size_t i = 0; i < run->info.agent_count; i++) {
        int64_t at = run->info.agents[i].captured;
        if (at < 0)
            continue;
        *first = *first < 0 || at < *first ? at : *first;
        *last = at > *last ? at : *last;
        count++;
    }
    return count;
}

int64_t report_waves_of(const struct report_run *run)
{
    int waves = recording_waves(run->recording);
    return waves || !recording_ran_waves(run->recording) ? waves : -1;
}

void report_cells(char text[REPORT_NUMBER * 2], const struct grid *grid)
{
    int used = snprintf(text, REPORT_NUMBER * 2, "%d × %d", grid->nx, grid->ny);
    if (grid->dims == 3)
        snprintf(text + used, REPORT_NUMBER * 2 - (size_t)used, " × %d",
                 grid->nz);
}

/* ---- facts, settings, provenance ---- */

/* A part that has a name and a value. */
static void put_pair(FILE *out, const char *name, const char *title,
                     const char *value)
{
    const struct html_slot slots[] = { { .name = "name", .text = title },
                                       { .name = "value", .text = value },
                                       { 0 } };
    report_part(out, name, slots);
}

static void put_count(FILE *out, const char *title, int64_t count)
{
    char text[REPORT_NUMBER];
    put_pair(out, "fact", title, report_number(count, text));
}

void report_facts(FILE *out, const void *of)
{
    const struct report_run *run = of;
    char cells[2 * REPORT_NUMBER];
    int64_t first, last, agents = (int64_t)run->info.agent_count;
    int64_t waves = report_waves_of(run);
    report_cells(cells, recording_grid(run->recording));
    put_pair(out, "fact", "cells", cells);
    put_count(out, "steps", report_last(run));
    if (waves < 0)
        put_pair(out, "fact", "not recorded", "waves");
    else
        put_count(out, waves == 1 ? "wave" : "waves", waves);
    put_count(out, agents == 1 ? "agent" : "agents", agents);
    if (agents)
        put_count(out, "captured", report_captures(run, &first, &last));
    put_pair(out, "fact", "", run_state_names[recording_state(run->recording)]);
}

/* A setting's text; a real in as few digits as tell it. */
static void put_setting(FILE *out, const char *key, const char *text)
{
    char digits[40], *end;
    double value = strtod(text, &end);
    bool real = end != text && !*end && strpbrk(text, ".e");
    for (int count = 1; real && count <= 17; count++) {
        snprintf(digits, sizeof digits, "%.*g", count, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    put_pair(out, "entry", key, real ? digits : text);
}

void report_settings(FILE *out, const void *of)
{
    const struct report_run *run = of;
    static const char *const others[] = { "preset", "pursuit.capture_radius",
                                          "pursuit.moves", "pursuit.stop",
                                          NULL };
    const char *arrivals[INFO_ARRIVAL_KEYS];
    const char *const *const groups[] = { info_wave_keys, arrivals, others };
    info_arrival_keys(run->recording, arrivals);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (const char *const *key = groups[g]; *key; key++) {
            const char *value = recording_setting(run->recording, *key);
            if (value)
                put_setting(out, *key, value);
        }
}

void report_provenance(FILE *out, const void *of)
{
    static const char *const names[] = { "command",  "version", "commit",
                                         "compiler", "flags",   "hdf5",
                                         "host",     "date",    "seed",
                                         NULL };
    const struct report_run *run = of;
    for (const char *const *name = names; *name; name++) {
        const char *text = recording_text(run->recording, *name);
        if (text && *text)
            put_pair(out, "entry", *name, text);
    }
}

void report_scenario(FILE *out, const void *of)
{
    static const char *const texts[][2] = {
        { "scenario", "The scenario, as it was written" },
        { "resolved", "The scenario, with every default spelt out" }
    };
    const struct report_run *run = of;
    for (size_t i = 0; i < 2; i++) {
        const char *text = recording_text(run->recording, texts[i][0]);
        const struct html_slot slots[] = { { .name = "name",
                                             .text = texts[i][1] },
                                           { .name = "value", .text = text },
                                           { 0 } };
        if (text && *text)
            report_part(out, "text", slots);
    }
}
