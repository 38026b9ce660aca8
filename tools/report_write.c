/* SPDX-License-Identifier: MIT */
/* The page, part after part of its template. */
#include "report_page.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A run with what its part of the page is told besides. */
struct chapter {
    const struct report_run *run;
    const struct report_runs *all;
    const char *output;
    int number;
};

/* ---- the viewer ---- */

static void put_data(FILE *out, const void *of)
{
    report_data(out, of);
}

static void put_viewer(FILE *out, const void *of)
{
    const struct chapter *chapter = of;
    const struct report_run *run = chapter->run;
    char note[2 * REPORT_TEXT], name[REPORT_NUMBER];
    int used =
        snprintf(note, sizeof note, "%zu of %lld recorded steps are shown.",
                 run->frame_count, (long long)recording_rows(run->recording));
    if (run->block > 1)
        used += snprintf(note + used, sizeof note - (size_t)used,
                         " A pixel is the strongest of %d × %d cells.",
                         run->block, run->block);
    if (run->flattened)
        used += snprintf(note + used, sizeof note - (size_t)used,
                         " Of all layers the value farthest from 0 is shown; "
                         "hamon-report --at z=K shows layer K alone.");
    if (run->info.agent_count > REPORT_AGENTS)
        used += snprintf(note + used, sizeof note - (size_t)used,
                         " The first %d of %zu agents are drawn.",
                         REPORT_AGENTS, run->info.agent_count);
    if (run->missing[0])
        snprintf(note + used, sizeof note - (size_t)used,
                 " First arrivals are left out: %s.", run->missing);
    const struct html_slot slots[] = {
        { .name = "number", .text = report_number(chapter->number, name) },
        { .name = "title", .text = report_title(run) },
        { .name = "name", .text = report_name(chapter->all, run) },
        { .name = "note", .text = note },
        { .name = "data", .write = put_data, .of = run },
        { 0 }
    };
    report_part(out, "viewer", slots);
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
    snprintf(link, size, "%s", report_file(chapter->run));
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
    const struct chapter *chapter = of;
    char differs[REPORT_TEXT];
    report_differs(chapter->all, chapter->run, differs);
    const struct html_slot slots[] = {
        { .name = "title", .text = report_title(chapter->run) },
        { .name = "name", .text = report_name(chapter->all, chapter->run) },
        { .name = "differs", .text = differs },
        { 0 }
    };
    report_part(out, "heading", slots);
}

static void put_nothing(FILE *out, const void *of)
{
    (void)out;
    (void)of;
}

static void put_run(FILE *out, const struct chapter *chapter)
{
    const struct report_run *run = chapter->run;
    char link[PATH_MAX], address[3 * PATH_MAX], quoted[PATH_MAX],
        name[REPORT_NUMBER], last[REPORT_NUMBER];
    find_link(chapter, link, sizeof link);
    html_address(link, address, sizeof address);
    quote(report_file(run), quoted, sizeof quoted);
    const struct html_slot slots[] = {
        { .name = "number", .text = report_number(chapter->number, name) },
        { .name = "title", .text = report_title(run) },
        { .name = "name", .text = report_name(chapter->all, run) },
        { .name = "heading",
          .write = chapter->all->count > 1 ? put_heading : put_nothing,
          .of = chapter },
        { .name = "facts", .write = report_facts, .of = run },
        { .name = "viewer", .write = put_viewer, .of = chapter },
        { .name = "charts", .write = put_charts, .of = run },
        { .name = "agents", .write = report_agents, .of = run },
        { .name = "waves", .write = report_waves, .of = run },
        { .name = "settings", .write = report_settings, .of = run },
        { .name = "provenance", .write = report_provenance, .of = run },
        { .name = "link", .text = address },
        { .name = "file", .text = report_file(run) },
        { .name = "quoted", .text = quoted },
        { .name = "last", .text = report_number(report_last(run), last) },
        { .name = "scenario", .write = report_scenario, .of = run },
        { 0 }
    };
    report_part(out, "run", slots);
}

/* ---- the page ---- */

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
                 report_file(runs), date ? date : "", version ? version : "");
    const char *set = recording_text(recording, "set");
    size_t used = strlen(lede);
    if (count == 1 && set && *set)
        snprintf(lede + used, REPORT_TEXT - used, " Set for it: %.200s",
                 set); /* the page shows line ends as blanks */
}

void report_write(FILE *out, const struct report_run *runs, size_t count,
                  const char *output, const char *software)
{
    const struct report_runs all = { runs, count };
    char title[REPORT_TEXT], lede[REPORT_TEXT];
    snprintf(title, sizeof title, "%zu recordings", count);
    tell_lede(runs, count, lede);
    const struct html_slot slots[] = {
        { .name = "title", .text = count > 1 ? title : report_title(runs) },
        { .name = "lede", .text = lede },
        { .name = "software", .text = software },
        { .name = "css-hash", .text = report_css_hash },
        { .name = "js-hash", .text = report_js_hash },
        { .name = "css", .write = put_bytes, .of = report_css },
        { .name = "js", .write = put_bytes, .of = report_js },
        { .name = "rows", .write = report_compare_rows, .of = &all },
        { 0 },
    };
    report_part(out, "head", slots);
    if (count > 1)
        report_part(out, "compare", slots);
    for (size_t i = 0; i < count; i++) {
        struct chapter chapter = { &runs[i], &all, output, (int)i + 1 };
        put_run(out, &chapter);
    }
    report_part(out, "foot", slots);
}
