/* SPDX-License-Identifier: MIT */
/* The page as HTML: its template (page.html) filled part after part with the
 * facts, tables, charts and data of the recordings. */
#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"
#include "settings/value.h"
#include "tools/report/html.h"
#include "tools/report/report.h"
#include "words/words.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_NUMBER = 32 };

/* A number; an en dash for −1. */
static const char *report_number(int64_t value, char text[REPORT_NUMBER])
{
    snprintf(text, REPORT_NUMBER, "%" PRId64, value);
    return value < 0 ? "\u2013" : text;
}
#define NUMBER(value) report_number(value, (char[REPORT_NUMBER]){ 0 })

static const char *report_file(const struct report_run *run)
{
    const char *path = recording_path(run->recording);
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The recording's title, or the name of its file. */
static const char *report_title(const struct report_run *run)
{
    return *run->title ? run->title : report_file(run);
}

/* The number of agents that captured, and the first and last step of a capture,
 * or −1. */
static int64_t report_captures(const struct report_run *run, int64_t *first,
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

/* "50 % (24 to 76 %)"; if there are too few for an interval "50 % (2 of 4)"; an
 * en dash for none. */
static void write_share(const struct report_share *share,
                        char text[2 * REPORT_NUMBER])
{
    if (share->count && isnan(share->low))
        snprintf(text, 2 * REPORT_NUMBER, "%.0f\u00a0%% (%lld of %lld)",
                 100 * share->estimate, (long long)share->hits,
                 (long long)share->count);
    else if (share->count)
        snprintf(text, 2 * REPORT_NUMBER, "%.0f\u00a0%% (%.0f to %.0f\u00a0%%)",
                 100 * share->estimate, 100 * share->low, 100 * share->high);
    else
        snprintf(text, 2 * REPORT_NUMBER, "\u2013");
}

/* The number of waves that ran; −1 if none is recorded. */
static int64_t report_waves_of(const struct report_run *run)
{
    int waves = recording_waves(run->recording);
    return waves || !recording_ran_waves(run->recording) ? waves : -1;
}

/* "200 × 200". */
static void report_cells(char text[REPORT_NUMBER * 2], const struct grid *grid)
{
    int used = snprintf(text, REPORT_NUMBER * 2, "%d × %d", grid->nx, grid->ny);
    if (grid->dims == 3)
        snprintf(text + used, REPORT_NUMBER * 2 - (size_t)used, " × %d",
                 grid->nz);
}

static void put_bytes(FILE *out, const void *of)
{
    fputs(of, out);
}

/* ---- facts, settings, provenance ---- */

/* A part with a name and a value. */
static void put_pair(FILE *out, const char *name, const char *title,
                     const char *value)
{
    REPORT_PART(out, name, { .name = "name", .text = title },
                { .name = "value", .text = value });
}

static void report_facts(FILE *out, const void *of)
{
    const struct report_run *run = of;
    char cells[2 * REPORT_NUMBER];
    int64_t first, last, agents = (int64_t)run->info.agent_count;
    int64_t waves = report_waves_of(run);
    report_cells(cells, recording_grid(run->recording));
    put_pair(out, "fact", _("cells"), cells);
    put_pair(out, "fact", _("steps"), NUMBER(report_last(run)));
    if (waves < 0)
        put_pair(out, "fact", _("not recorded"), _("waves"));
    else
        put_pair(out, "fact", waves == 1 ? _("wave") : _("waves"),
                 NUMBER(waves));
    put_pair(out, "fact", agents == 1 ? _("agent") : _("agents"),
             NUMBER(agents));
    if (agents)
        put_pair(out, "fact", _("captured"),
                 NUMBER(report_captures(run, &first, &last)));
    put_pair(out, "fact", "",
             _(run_state_names[recording_state(run->recording)]));
}

/* A setting's text; a real with as few digits as read back equal. */
static void write_setting(const char *text, char digits[REPORT_TEXT])
{
    char *end;
    const double value = strtod(text, &end);
    const bool real = end != text && !*end && strpbrk(text, ".e");
    snprintf(digits, REPORT_TEXT, "%s", text);
    for (int count = 1; real && count <= 17; count++) {
        snprintf(digits, REPORT_TEXT, "%.*g", count, value);
        if (strtod(digits, NULL) == value)
            break;
    }
}

/* Is the value another one than the default? */
static bool is_changed(const struct recording *recording, const char *path,
                       const char *value)
{
    const char *preset = recording_setting(recording, "preset");
    const struct key *key = key_of(path);
    const char *usual =
        !key ? NULL
        : key->by_axes[0]
            ? key_default_of_axes(key, recording_grid(recording)->dims)
            : value_default(key, preset && strcmp(preset, "best") == 0
                                     ? PRESET_BEST
                                     : PRESET_PAPER);
    char ours[REPORT_TEXT], bare[REPORT_TEXT], theirs[REPORT_TEXT];
    if (!usual)
        return false;
    const size_t quoted = *usual == '"';
    snprintf(bare, sizeof bare, "%.*s", (int)(strlen(usual) - 2 * quoted),
             usual + quoted);
    write_setting(value, ours);
    write_setting(bare, theirs);
    return strcmp(ours, theirs) != 0;
}

static bool is_unlike(const struct report_runs *runs,
                      const struct report_run *run, const char *key,
                      const char *value);

/* Those that are not the default first; of several runs those they share. */
static void report_settings(FILE *out, const void *of)
{
    const struct report_runs *all = of;
    const struct report_run *run = all->run;
    static const char *const groups[] = { "wave", "arrival", NULL, "pursuit" };
    enum { GROUPS = sizeof groups / sizeof *groups };
    for (size_t g = 0; g < 2 * GROUPS; g++) {
        const char *paths[INFO_KEYS];
        size_t count = info_keys(run->recording, groups[g % GROUPS], paths);
        for (size_t i = 0; i < count; i++) {
            const char *value = recording_setting(run->recording, paths[i]);
            char text[REPORT_TEXT];
            if (!value || is_unlike(all, run, paths[i], value) ||
                is_changed(run->recording, paths[i], value) != (g < GROUPS))
                continue;
            write_setting(value, text);
            put_pair(out, g < GROUPS ? "changed" : "entry", paths[i], text);
        }
    }
}

static void report_provenance(FILE *out, const void *of)
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

/* ---- several recordings on one page: their differences and results ---- */

/* All keys except the title and those of recording. */
static bool says_what_ran(const char *key)
{
    return strcmp(key, "title") != 0 && strncmp(key, "record.", 7) != 0;
}

/* Does another recording of the same title have another value? */
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

/* A line "key = value" of the run's parameters, split at " = ". */
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

/* The settings that differ from other recordings of its title: "wave.walls
 * free, seed 2". */
static void report_differs(const struct report_runs *runs,
                           const struct report_run *run, char text[REPORT_TEXT])
{
    const char *line = recording_text(run->recording, "parameters");
    size_t used = 0;
    text[0] = '\0';
    for (; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char key[REPORT_TEXT], value[REPORT_TEXT];
        cut_line(line, strcspn(line, "\n"), key, value);
        if (!value[0] || !says_what_ran(key) ||
            !is_unlike(runs, run, key, value))
            continue;
        const char *slash =
            strcmp(key, "map.file") ? NULL : strrchr(value, '/');
        const char *shown = slash ? slash + 1 : value;
        size_t more = strlen(key) + strlen(shown) + 3;
        if (used + more + 8 > REPORT_TEXT) {
            snprintf(text + used, REPORT_TEXT - used, used ? ", …" : "…");
            return;
        }
        used += (size_t)snprintf(text + used, REPORT_TEXT - used, "%s%s %s",
                                 used ? ", " : "", key, shown);
    }
}

static void put_row(FILE *out, const struct report_runs *runs, size_t i)
{
    const struct report_run *run = &runs->run[i];
    char cells[REPORT_NUMBER * 2], differs[REPORT_TEXT],
        rate[REPORT_NUMBER * 2];
    const struct report_group all = { .run = run };
    const struct report_share share = report_captured(&all, report_last(run));
    int64_t first, last, arrival = -1;
    int64_t captured = report_captures(run, &first, &last);
    for (size_t k = 0; k < run->info.agent_count; k++) {
        int64_t at = run->info.agents[k].first;
        arrival = arrival < 0 || (at >= 0 && at < arrival) ? at : arrival;
    }
    report_cells(cells, recording_grid(run->recording));
    report_differs(runs, run, differs);
    write_share(&share, rate);
    REPORT_PART(
        out, "compare-row",
        { .name = "number", .text = NUMBER((int64_t)i + 1) },
        { .name = "title", .text = report_title(run) },
        { .name = "name", .text = run->label },
        { .name = "differs", .text = differs },
        { .name = "cells", .text = cells },
        { .name = "steps", .text = NUMBER(report_last(run)) },
        { .name = "waves", .text = NUMBER(report_waves_of(run)) },
        { .name = "agents", .text = NUMBER((int64_t)run->info.agent_count) },
        { .name = "captured", .text = NUMBER(captured) },
        { .name = "share", .text = rate },
        { .name = "first-capture", .text = NUMBER(first) },
        { .name = "last-capture", .text = NUMBER(last) },
        { .name = "first-arrival", .text = NUMBER(arrival) });
}

static void report_compare_rows(FILE *out, const void *of)
{
    const struct report_runs *runs = of;
    for (size_t i = 0; i < runs->count; i++)
        put_row(out, runs, i);
}

/* ---- the tables of methods, agents and waves ---- */

static void put_method_rows(FILE *out, const void *of)
{
    static struct report_group groups[REPORT_GROUPS];
    const struct report_run *run = of;
    size_t count = report_methods(run, groups);
    for (size_t i = 0; i < count; i++) {
        struct report_share share =
            report_captured(&groups[i], report_last(run));
        char rate[2 * REPORT_NUMBER];
        write_share(&share, rate);
        REPORT_PART(out, "method", { .name = "name", .text = groups[i].name },
                    { .name = "trials", .text = NUMBER(share.count) },
                    { .name = "captured", .text = NUMBER(share.hits) },
                    { .name = "share", .text = rate });
    }
}

static void report_methods_table(FILE *out, const void *of)
{
    const struct report_run *run = of;
    if (run->info.agent_count)
        REPORT_PART(out, "methods",
                    { .name = "trials",
                      .text = report_is_team(run) ? _("Chases") : _("Agents") },
                    { .name = "rows", .write = put_method_rows, .of = of });
}

static void put_agent_rows(FILE *out, const void *of)
{
    const struct report_run *run = of;
    for (size_t i = 0; i < run->agent_count; i++) {
        const struct report_agent *agent = &run->agents[i];
        if (agent->number < 0)
            continue;
        const struct info_agent *info = &run->info.agents[agent->number];
        char length[REPORT_NUMBER];
        snprintf(length, sizeof length, "%.1f", agent->path_length);
        REPORT_PART(
            out, "agent",
            { .name = "dot", .write = report_sign, .of = &agent->number },
            { .name = "name", .text = info->name },
            { .name = "method", .text = info->method },
            { .name = "first", .text = NUMBER(info->first) },
            { .name = "arrivals", .text = NUMBER(info->arrivals) },
            { .name = "captured", .text = NUMBER(info->captured) },
            { .name = "path", .text = length },
            { .name = "state", .text = _(info_state_name(info->state)) });
    }
}

static void put_more(FILE *out, const void *of)
{
    const struct report_run *run = of;
    char text[REPORT_TEXT];
    if (run->info.agent_count <= REPORT_AGENTS)
        return;
    snprintf(
        text, sizeof text,
        _("The first %d of %zu agents; hamon-export --csv writes all of them."),
        REPORT_AGENTS, run->info.agent_count);
    REPORT_PART(out, "more", { .name = "text", .text = text });
}

static void report_agents(FILE *out, const void *of)
{
    const struct report_run *run = of;
    if (run->info.agent_count)
        REPORT_PART(out, "agents",
                    { .name = "rows", .write = put_agent_rows, .of = of },
                    { .name = "more", .write = put_more, .of = of });
}

static void put_wave_rows(FILE *out, const void *of)
{
    const struct report_run *run = of;
    for (int i = 0; i < recording_waves(run->recording); i++) {
        const struct info_wave *wave = &run->info.waves[i];
        char reached[2 * REPORT_NUMBER] = "\u2013";
        for (size_t k = 0; k < run->reach_count; k++)
            if (run->reach[k].wave == i && run->reach[k].cells)
                snprintf(reached, sizeof reached, "%" PRId64 " of %" PRId64,
                         run->reach[k].reached, run->reach[k].cells);
        REPORT_PART(out, "wave", { .name = "wave", .text = NUMBER(i) },
                    { .name = "emissions", .text = NUMBER(wave->emissions) },
                    { .name = "first", .text = NUMBER(wave->first) },
                    { .name = "last", .text = NUMBER(wave->last) },
                    { .name = "reached", .text = reached });
    }
}

static void report_waves(FILE *out, const void *of)
{
    const struct report_run *run = of;
    if (recording_waves(run->recording))
        REPORT_PART(out, "waves",
                    { .name = "rows", .write = put_wave_rows, .of = of });
}

/* ---- the frames to play ---- */

/* A run with the other data for its part of the page. */
struct chapter {
    const struct report_run *run;
    const struct report_runs *all;
    const char *output;
    int number;
};

static void describe_frames(const struct report_run *run, char *note,
                            size_t size)
{
    size_t used = 0;
    *note = '\0';
    if (!run->checked_count)
        used = (size_t)snprintf(note, size,
                                "Pictures of %zu of %lld recorded steps, "
                                "because the page cannot compute this run: "
                                "%s.",
                                run->frame_count,
                                (long long)recording_rows(run->recording),
                                run->why);
    if (run->block > 1 && !run->checked_count)
        used += (size_t)snprintf(note + used, size - used,
                                 " A pixel shows the value farthest from 0 of "
                                 "%d × %d cells.",
                                 run->block, run->block);
    if (run->layers.count > 1 && !run->checked_count)
        used += (size_t)snprintf(note + used, size - used,
                                 " Each floor has a view, of its most open "
                                 "layer; agents on other floors are pale.");
    if (run->flattened && !run->checked_count)
        used += (size_t)snprintf(
            note + used, size - used,
            " %s; hamon-report --at z=K shows only layer K.",
            report_view_is_map(&run->views[0])
                ? "A cell is a wall if it is one in all layers"
                : "The value farthest from 0 of all layers is shown");
    if (run->info.agent_count > REPORT_AGENTS)
        used += (size_t)snprintf(note + used, size - used,
                                 _(" The first %d of %zu agents are drawn."),
                                 REPORT_AGENTS, run->info.agent_count);
    if (run->view_count == REPORT_VIEWS && !run->checked_count &&
        run->views[REPORT_VIEWS - 1].wave + 1 < recording_waves(run->recording))
        used += (size_t)snprintf(note + used, size - used,
                                 " Waves after wave %d are left out; "
                                 "hamon-report --wave N shows one.",
                                 run->views[REPORT_VIEWS - 1].wave);
    if (run->missing[0])
        snprintf(note + used, size - used,
                 _(" First arrivals are left out: %s."), run->missing);
}

static void put_caption(FILE *out, const void *of)
{
    const struct chapter *chapter = of;
    char differs[REPORT_TEXT];
    report_differs(chapter->all, chapter->run, differs);
    REPORT_PART(out, "caption",
                { .name = "number", .text = NUMBER(chapter->number) },
                { .name = "title", .text = report_title(chapter->run) },
                { .name = "name", .text = chapter->run->label },
                { .name = "differs", .text = differs });
}

static void put_screen(FILE *out, const struct chapter *chapter)
{
    char note[3 * REPORT_TEXT];
    describe_frames(chapter->run, note, sizeof note);
    REPORT_PART(out, "screen",
                { .name = "number", .text = NUMBER(chapter->number) },
                { .name = "caption",
                  .write = chapter->all->count > 1 ? put_caption : NULL,
                  .of = chapter },
                { .name = "still", .write = report_still, .of = chapter->run },
                { .name = "note", .text = note });
}

static void put_data(FILE *out, const void *of)
{
    const struct report_runs *all = of;
    for (size_t i = 0; i < all->count; i++)
        REPORT_PART(
            out, "data", { .name = "number", .text = NUMBER((int64_t)i + 1) },
            { .name = "data", .write = put_bytes, .of = all->run[i].data });
}

static void put_screens(FILE *out, const void *of)
{
    const struct report_runs *all = of;
    for (size_t i = 0; i < all->count; i++) {
        struct chapter chapter = { &all->run[i], all, NULL, (int)i + 1 };
        put_screen(out, &chapter);
    }
}

/* Do views of this name and wave in several recordings have different scales?
 */
static bool is_unshared(const struct report_runs *all,
                        const struct report_view *view)
{
    size_t alike = 0;
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->run[i].view_count; k++)
            if (all->run[i].views[k].wave == view->wave &&
                strcmp(all->run[i].views[k].name, view->name) == 0)
                alike++;
    return alike > 1 && !view->shared;
}

/* The meaning of colours in several recordings. */
static void put_colors(FILE *out, const void *of)
{
    const struct report_runs *all = of;
    char text[REPORT_TEXT];
    const struct report_view *unlike = NULL;
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->run[i].view_count && !unlike; k++)
            if (is_unshared(all, &all->run[i].views[k]))
                unlike = &all->run[i].views[k];
    if (unlike)
        snprintf(
            text, sizeof text,
            _("Colours of view %s, wave %d, have another range in each "
              "recording: the greatest values differ by more than a factor "
              "of %d."),
            unlike->name, unlike->wave, REPORT_ALIKE);
    else
        snprintf(text, sizeof text, "%s",
                 _("All recordings show the same step, and the same colour is "
                   "the same value. A recording that has ended shows its last "
                   "step."));
    REPORT_PART(out, "more", { .name = "text", .text = text });
}

/* The frames of all recordings, synchronised. */
static void put_player(FILE *out, const void *of)
{
    const struct report_runs *all = of;
    const char *label =
        all->count > 1 ? _("all recordings") : report_title(all->run);
    char step[2 * REPORT_TEXT];
    snprintf(step, sizeof step, _("Step of %s"), label);
    REPORT_PART(out, "player",
                { .name = "screens", .write = put_screens, .of = all },
                { .name = "label", .text = step },
                { .name = "note",
                  .write = all->count > 1 ? put_colors : NULL,
                  .of = all });
}

/* ---- a recording ---- */

/* The relative path from the folder of the page to the recording. */
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

/* A word for the shell: in single quotes if necessary. */
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
    REPORT_PART(out, "heading",
                { .name = "title", .text = report_title(chapter->run) },
                { .name = "name", .text = chapter->run->label },
                { .name = "differs", .text = differs });
}

/* The page's title is the run's; a document outline without gaps needs a
 * heading. */
static void put_heading_alone(FILE *out, const void *of)
{
    (void)of;
    REPORT_PART(out, "heading-alone", { 0 });
}

static void put_run(FILE *out, const struct chapter *chapter)
{
    const struct report_run *run = chapter->run;
    const struct report_runs alone = { run, 1 };
    char link[PATH_MAX], address[3 * PATH_MAX], quoted[PATH_MAX];
    find_link(chapter, link, sizeof link);
    html_address(link, address, sizeof address);
    quote(report_file(run), quoted, sizeof quoted);
    REPORT_PART(
        out, "run", { .name = "number", .text = NUMBER(chapter->number) },
        { .name = "title", .text = report_title(run) },
        { .name = "name", .text = run->label },
        { .name = "heading",
          .write = chapter->all->count > 1 ? put_heading : put_heading_alone,
          .of = chapter },
        { .name = "facts", .write = report_facts, .of = run },
        { .name = "player",
          .write = chapter->all->count > 1 ? NULL : put_player,
          .of = chapter->all },
        { .name = "methods", .write = report_methods_table, .of = run },
        { .name = "agents", .write = report_agents, .of = run },
        { .name = "waves", .write = report_waves, .of = run },
        { .name = "settings", .write = report_settings, .of = &alone },
        { .name = "provenance", .write = report_provenance, .of = run },
        { .name = "link", .text = address },
        { .name = "file", .text = report_file(run) },
        { .name = "quoted", .text = quoted },
        { .name = "last", .text = NUMBER(report_last(run)) });
}

/* ---- the page ---- */

/* The script's words, each that it marks, in the language of the page. */
static void put_words(FILE *out, const void *of)
{
    struct json json = { .out = out };
    (void)of;
    fputs("<script type=\"application/json\" id=\"words\">", out);
    json_object(&json, NULL);
    for (const char *at = (const char *)report_js; (at = strstr(at, "_(\""));) {
        at += 3;
        char *word = need_format("%.*s", (int)strcspn(at, "\""), at);
        json_text(&json, word, words_of(word));
        memory_release(word);
    }
    json_object_end(&json);
    fputs("</script>\n", out);
}

/* The content of the page, in a sentence. */
static void describe_lede(const struct report_run *runs, size_t count,
                          char lede[REPORT_TEXT])
{
    const struct recording *recording = runs->recording;
    const char *date = recording_text(recording, "date");
    const char *version = recording_text(recording, "version");
    if (count > 1)
        snprintf(lede, REPORT_TEXT, "%s",
                 _("Waves spread from a target over a grid, and agents follow "
                   "their gradients."));
    else
        snprintf(lede, REPORT_TEXT, _("%.*s, recorded %.10s by hamon %.20s."),
                 (int)utf8_cut(report_file(runs), 200), report_file(runs),
                 date ? date : "", version ? version : "");
    const char *set = recording_text(recording, "set");
    size_t used = strlen(lede);
    if (count == 1 && set && *set)
        snprintf(lede + used, REPORT_TEXT - used, _(" Settings: %.*s"),
                 (int)utf8_cut(set, 200),
                 set); /* the page shows line ends as blanks */
}

void report_write(FILE *out, const struct report_run *runs, size_t count,
                  bool sweep, const char *output, const char *software)
{
    const struct report_runs all = { runs, count }, first = { runs, 1 };
    char title[REPORT_TEXT], lede[REPORT_TEXT];
    if (sweep)
        snprintf(title, sizeof title, _("%.*s: %zu runs"),
                 (int)utf8_cut(report_title(runs), 400), report_title(runs),
                 count);
    else
        snprintf(title, sizeof title, _("%zu recordings"), count);
    describe_lede(runs, count, lede);
    const struct html_slot slots[] = {
        { .name = "title",
          .text = count > 1 || sweep ? title : report_title(runs) },
        { .name = "lede", .text = lede },
        { .name = "software", .text = software },
        { .name = "css-hash", .text = report_css_hash },
        { .name = "js-hash", .text = report_js_hash },
        { .name = "css", .write = put_bytes, .of = report_css },
        { .name = "js", .write = put_bytes, .of = report_js },
        { .name = "rows", .write = report_compare_rows, .of = &all },
        { .name = "player", .write = put_player, .of = sweep ? &first : &all },
        { .name = "name", .text = runs->label },
        { .name = "columns", .write = report_sweep_columns, .of = &all },
        { .name = "runs", .write = report_sweep_rows, .of = &all },
        { .name = "settings", .write = report_settings, .of = &all },
        { .name = "data", .write = put_data, .of = &all },
        { .name = "words", .write = words_english() ? NULL : put_words },
        { .name = "language", .text = words_language() },
        { 0 },
    };
    html_part(out, (const char *)report_page, "head", slots);
    if (sweep)
        html_part(out, (const char *)report_page, "sweep", slots);
    else if (count > 1)
        html_part(out, (const char *)report_page, "compare", slots);
    for (size_t i = 0; i < count && !sweep; i++) {
        struct chapter chapter = { &runs[i], &all, output, (int)i + 1 };
        put_run(out, &chapter);
    }
    html_part(out, (const char *)report_page, "foot", slots);
}
