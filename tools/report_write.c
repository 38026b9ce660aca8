/* SPDX-License-Identifier: MIT */
/* The page, part after part of its template. */
#include "report.h"

#include "draw/overlay.h"
#include "html.h"
#include "progress.h"
#include "report_parts.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32, SLOTS = 16 };

static void part(FILE *out, const char *name, const struct html_slot *slots)
{
    html_part(out, (const char *)report_page, name, slots);
}

/* A run with what its part of the page is told besides. */
struct chapter {
    const struct report_run *run;
    const char *output;
    int number, of;
};

static const char *file_name(const struct report_run *run)
{
    const char *path = recording_path(run->recording);
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *title_of(const struct report_run *run)
{
    const char *title = recording_title(run->recording);
    return title && *title ? title : file_name(run);
}

/* A number, with an en dash for none (−1). */
static const char *number(int64_t value, char text[NUMBER])
{
    snprintf(text, NUMBER, "%" PRId64, value);
    return value < 0 ? "\u2013" : text;
}

/* ---- facts, settings, provenance ---- */

static void put_pair(FILE *out, const char *name, const char *title,
                     const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A part that has a name and a value. */
static void put_pair(FILE *out, const char *name, const char *title,
                     const char *format, ...)
{
    char value[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    const struct html_slot slots[] = { { .name = "name", .text = title },
                                       { .name = "value", .text = value },
                                       { 0 } };
    part(out, name, slots);
}

static int64_t captures_of(const struct report_run *run, int64_t *first,
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

static void put_cells(char text[NUMBER * 2], const struct grid *grid)
{
    int used = snprintf(text, NUMBER * 2, "%d × %d", grid->nx, grid->ny);
    if (grid->dims == 3)
        snprintf(text + used, NUMBER * 2 - (size_t)used, " × %d", grid->nz);
}

static void put_facts(FILE *out, const void *of)
{
    const struct report_run *run = of;
    char cells[NUMBER * 2];
    int64_t first, last, agents = (int64_t)run->info.agent_count;
    int waves = recording_waves(run->recording);
    put_cells(cells, recording_grid(run->recording));
    put_pair(out, "fact", "cells", "%s", cells);
    put_pair(out, "fact", "steps", "%lld", (long long)report_last(run));
    put_pair(out, "fact", waves == 1 ? "wave" : "waves", "%d", waves);
    put_pair(out, "fact", agents == 1 ? "agent" : "agents", "%lld",
             (long long)agents);
    if (agents)
        put_pair(out, "fact", "captured", "%lld",
                 (long long)captures_of(run, &first, &last));
    put_pair(out, "fact", "", "%s",
             run_state_names[recording_state(run->recording)]);
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
    put_pair(out, "entry", key, "%s", real ? digits : text);
}

static void put_settings(FILE *out, const void *of)
{
    const struct report_run *run = of;
    static const char *const others[] = { "preset", "pursuit.capture_radius",
                                          "pursuit.moves", "pursuit.stop",
                                          NULL };
    const char *const *const groups[] = { info_wave_keys, info_arrival_keys,
                                          others };
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (const char *const *key = groups[g]; *key; key++) {
            const char *value = recording_setting(run->recording, *key);
            if (value)
                put_setting(out, *key, value);
        }
}

static void put_provenance(FILE *out, const void *of)
{
    static const char *const names[] = { "command",  "version", "commit",
                                         "compiler", "flags",   "hdf5",
                                         "host",     "date",    "seed",
                                         NULL };
    const struct report_run *run = of;
    for (const char *const *name = names; *name; name++) {
        const char *text = recording_text(run->recording, *name);
        if (text && *text)
            put_pair(out, "entry", *name, "%s", text);
    }
}

static void put_scenario(FILE *out, const void *of)
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
            part(out, "text", slots);
    }
}

/* ---- tables ---- */

static void put_dot(FILE *out, const void *of)
{
    const uint8_t *rgb = of;
    fprintf(out,
            "<svg viewBox=\"-9 -9 18 18\" aria-hidden=\"true\"><circle r=\"7\" "
            "fill=\"#000\"/><circle r=\"5.5\" "
            "fill=\"#%02x%02x%02x\"/></svg>",
            rgb[0], rgb[1], rgb[2]);
}

static void put_agent_rows(FILE *out, const void *of)
{
    const struct report_run *run = of;
    for (size_t i = 0; i < run->agent_count; i++) {
        const struct report_agent *agent = &run->agents[i];
        if (agent->number < 0)
            continue;
        const struct info_agent *info = &run->info.agents[agent->number];
        char first[NUMBER], arrivals[NUMBER], captured[NUMBER], way[NUMBER];
        snprintf(way, sizeof way, "%.1f", agent->way);
        const struct html_slot slots[] = {
            { .name = "dot",
              .write = put_dot,
              .of = overlay_color(agent->number) },
            { .name = "name", .text = info->name },
            { .name = "method", .text = info->method },
            { .name = "first", .text = number(info->first, first) },
            { .name = "arrivals", .text = number(info->arrivals, arrivals) },
            { .name = "captured", .text = number(info->captured, captured) },
            { .name = "way", .text = way },
            { .name = "state", .text = info_state_name(info->state) },
            { 0 }
        };
        part(out, "agent", slots);
    }
}

static void put_more(FILE *out, const void *of)
{
    const struct report_run *run = of;
    char text[REPORT_TEXT];
    if (run->info.agent_count <= REPORT_AGENTS)
        return;
    snprintf(text, sizeof text,
             "The first %d of %zu agents; hamon-export --csv tells them all.",
             REPORT_AGENTS, run->info.agent_count);
    const struct html_slot slots[] = { { .name = "text", .text = text },
                                       { 0 } };
    part(out, "more", slots);
}

static void put_agents(FILE *out, const void *of)
{
    const struct report_run *run = of;
    const struct html_slot slots[] = {
        { .name = "rows", .write = put_agent_rows, .of = of },
        { .name = "more", .write = put_more, .of = of },
        { 0 }
    };
    if (run->info.agent_count)
        part(out, "agents", slots);
}

static void put_wave_rows(FILE *out, const void *of)
{
    const struct report_run *run = of;
    for (int i = 0; i < recording_waves(run->recording); i++) {
        const struct info_wave *wave = &run->info.waves[i];
        char name[NUMBER], emissions[NUMBER], first[NUMBER], last[NUMBER],
            reached[2 * NUMBER] = "\u2013";
        for (size_t k = 0; k < run->reach_count; k++)
            if (run->reach[k].wave == i && run->reach[k].cells)
                snprintf(reached, sizeof reached, "%" PRId64 " of %" PRId64,
                         run->reach[k].reached, run->reach[k].cells);
        const struct html_slot slots[] = {
            { .name = "wave", .text = number(i, name) },
            { .name = "emissions", .text = number(wave->emissions, emissions) },
            { .name = "first", .text = number(wave->first, first) },
            { .name = "last", .text = number(wave->last, last) },
            { .name = "reached", .text = reached },
            { 0 }
        };
        part(out, "wave", slots);
    }
}

static void put_waves(FILE *out, const void *of)
{
    const struct report_run *run = of;
    const struct html_slot slots[] = {
        { .name = "rows", .write = put_wave_rows, .of = of }, { 0 }
    };
    if (recording_waves(run->recording))
        part(out, "waves", slots);
}

/* ---- the viewer ---- */

static void put_data(FILE *out, const void *of)
{
    report_data(out, of);
}

static void put_viewer(FILE *out, const void *of)
{
    const struct chapter *chapter = of;
    const struct report_run *run = chapter->run;
    char note[2 * REPORT_TEXT], name[NUMBER];
    int used =
        snprintf(note, sizeof note, "%zu of %lld recorded steps are shown.",
                 run->frame_count, (long long)recording_rows(run->recording));
    if (run->block > 1)
        used += snprintf(note + used, sizeof note - (size_t)used,
                         " A pixel is the strongest of %d × %d cells.",
                         run->block, run->block);
    if (run->info.agent_count > REPORT_AGENTS)
        used += snprintf(note + used, sizeof note - (size_t)used,
                         " The first %d of %zu agents are drawn.",
                         REPORT_AGENTS, run->info.agent_count);
    if (run->missing[0])
        snprintf(note + used, sizeof note - (size_t)used,
                 " First arrivals are left out: %s.", run->missing);
    const struct html_slot slots[] = {
        { .name = "number", .text = number(chapter->number, name) },
        { .name = "title", .text = title_of(run) },
        { .name = "note", .text = note },
        { .name = "data", .write = put_data, .of = run },
        { 0 }
    };
    part(out, "viewer", slots);
}

static void put_charts(FILE *out, const void *of)
{
    report_charts(out, of);
}

/* ---- a recording ---- */

/* From the folder of the page to the recording. */
static void find_link(const struct chapter *chapter, char *link, size_t size)
{
    char folder[PATH_MAX], from[PATH_MAX], to[PATH_MAX];
    const char *path = recording_path(chapter->run->recording);
    const char *slash = strrchr(chapter->output, '/');
    snprintf(folder, sizeof folder, "%.*s",
             slash ? (int)(slash - chapter->output + 1) : 1,
             slash ? chapter->output : ".");
    snprintf(link, size, "%s", file_name(chapter->run));
    if (strcmp(chapter->output, "-") == 0 || !realpath(folder, from) ||
        !realpath(path, to))
        return;
    size_t same = 0;
    for (size_t i = 0; from[i] == to[i] && to[i]; i++)
        if (to[i] == '/')
            same = i + 1;
    size_t length = strlen(from);
    if (strncmp(from, to, length) == 0 && to[length] == '/')
        same = length + 1;
    size_t used = 0;
    for (const char *at = from + same; same <= length && *at && used < size;) {
        used += (size_t)snprintf(link + used, size - used, "../");
        at += strcspn(at, "/");
        at += *at == '/';
    }
    if (used < size)
        snprintf(link + used, size - used, "%s", to + same);
}

/* A word for the shell: between single quotes unless it is plain. */
static void quote(const char *word, char *text, size_t size)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                                "uvwxyz0123456789._+/";
    size_t used = 0;
    if (word[strspn(word, plain)] == '\0') {
        snprintf(text, size, "%s", word);
        return;
    }
    text[used++] = '\'';
    for (; *word && used + 6 < size; word++) {
        if (*word == '\'')
            used += (size_t)snprintf(text + used, size - used, "'\\'");
        text[used++] = *word;
    }
    snprintf(text + used, size - used, "'");
}

static void put_heading(FILE *out, const void *of)
{
    const struct html_slot slots[] = { { .name = "title", .text = of }, { 0 } };
    part(out, "heading", slots);
}

static void put_nothing(FILE *out, const void *of)
{
    (void)out;
    (void)of;
}

static void put_run(FILE *out, const struct chapter *chapter)
{
    const struct report_run *run = chapter->run;
    char link[PATH_MAX], address[3 * PATH_MAX], quoted[PATH_MAX], name[NUMBER],
        last[NUMBER];
    find_link(chapter, link, sizeof link);
    html_address(link, address, sizeof address);
    quote(file_name(run), quoted, sizeof quoted);
    const struct html_slot slots[] = {
        { .name = "number", .text = number(chapter->number, name) },
        { .name = "title", .text = title_of(run) },
        { .name = "heading",
          .write = chapter->of > 1 ? put_heading : put_nothing,
          .of = title_of(run) },
        { .name = "facts", .write = put_facts, .of = run },
        { .name = "viewer", .write = put_viewer, .of = chapter },
        { .name = "charts", .write = put_charts, .of = run },
        { .name = "agents", .write = put_agents, .of = run },
        { .name = "waves", .write = put_waves, .of = run },
        { .name = "settings", .write = put_settings, .of = run },
        { .name = "provenance", .write = put_provenance, .of = run },
        { .name = "link", .text = address },
        { .name = "file", .text = file_name(run) },
        { .name = "quoted", .text = quoted },
        { .name = "last", .text = number(report_last(run), last) },
        { .name = "scenario", .write = put_scenario, .of = run },
        { 0 }
    };
    part(out, "run", slots);
}

/* ---- several of them ---- */

struct runs {
    const struct report_run *run;
    size_t count;
};

static void put_compare_rows(FILE *out, const void *of)
{
    const struct runs *runs = of;
    for (size_t i = 0; i < runs->count; i++) {
        const struct report_run *run = &runs->run[i];
        char text[8][NUMBER], cells[NUMBER * 2];
        int64_t first, last, arrival = -1;
        int64_t captured = captures_of(run, &first, &last);
        for (size_t k = 0; k < run->info.agent_count; k++) {
            int64_t at = run->info.agents[k].first;
            arrival = arrival < 0 || (at >= 0 && at < arrival) ? at : arrival;
        }
        put_cells(cells, recording_grid(run->recording));
        const struct html_slot slots[] = {
            { .name = "number", .text = number((int64_t)i + 1, text[0]) },
            { .name = "title", .text = title_of(run) },
            { .name = "cells", .text = cells },
            { .name = "steps", .text = number(report_last(run), text[1]) },
            { .name = "waves",
              .text = number(recording_waves(run->recording), text[2]) },
            { .name = "agents",
              .text = number((int64_t)run->info.agent_count, text[3]) },
            { .name = "captured", .text = number(captured, text[4]) },
            { .name = "first-capture", .text = number(first, text[5]) },
            { .name = "last-capture", .text = number(last, text[6]) },
            { .name = "first-arrival", .text = number(arrival, text[7]) },
            { 0 }
        };
        part(out, "compare-row", slots);
    }
}

static void put_bytes(FILE *out, const void *of)
{
    fputs(of, out);
}

/* What the page is of. */
static void tell_lede(const struct report_run *runs, size_t count,
                      char lede[REPORT_TEXT])
{
    const struct recording *recording = runs->recording;
    const char *date = recording_text(recording, "date");
    const char *version = recording_text(recording, "version");
    if (count > 1)
        snprintf(lede, REPORT_TEXT,
                 "Waves from a target over a grid, and agents that walk up "
                 "their gradients.");
    else
        snprintf(lede, REPORT_TEXT, "%.200s, recorded %.10s by hamon %.20s.",
                 file_name(runs), date ? date : "", version ? version : "");
}

void report_write(FILE *out, const struct report_run *runs, size_t count,
                  const char *output, const char *software)
{
    const struct runs all = { runs, count };
    char title[REPORT_TEXT], lede[REPORT_TEXT];
    snprintf(title, sizeof title, "%zu recordings", count);
    tell_lede(runs, count, lede);
    const struct html_slot slots[] = {
        { .name = "title", .text = count > 1 ? title : title_of(runs) },
        { .name = "lede", .text = lede },
        { .name = "software", .text = software },
        { .name = "css-hash", .text = report_css_hash },
        { .name = "js-hash", .text = report_js_hash },
        { .name = "css", .write = put_bytes, .of = report_css },
        { .name = "js", .write = put_bytes, .of = report_js },
        { .name = "rows", .write = put_compare_rows, .of = &all },
        { 0 },
    };
    part(out, "head", slots);
    if (count > 1)
        part(out, "compare", slots);
    for (size_t i = 0; i < count; i++) {
        struct chapter chapter = { &runs[i], output, (int)i + 1, (int)count };
        put_run(out, &chapter);
    }
    part(out, "foot", slots);
}
