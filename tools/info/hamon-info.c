/* SPDX-License-Identifier: MIT */
/* hamon-info: prints the content of a recording, as text for a person or as
 * JSON. */
#include "tools/info/info.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "settings/keys.h"
#include "view/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the content as text ---- */

enum {
    AGENTS_SHOWN = 20,
    EVENTS_SHOWN = 20,
    INFO_SET = 84,  /* bytes of a --set */
    LIST_DEPTH = 8, /* depth of nested lists in a setting */
};

/* Prints the label before the first of the lines that follow. */
static void label(FILE *out, const char *text)
{
    fprintf(out, "  %-10s ", text);
}

/* A complete line of text. */
static void line(FILE *out, const char *name, const char *text)
{
    label(out, name);
    utf8_show(out, text);
    fputc('\n', out);
}

static void print_setting(const struct info *info, const char *key, FILE *out)
{
    const char *text = recording_setting(info->recording, key);
    char *end, digits[32];
    if (!text)
        return;
    double value = strtod(text, &end);
    fprintf(out, "%s ", strchr(key, '.') + 1);
    if (end != text && !*end) { /* with few digits: 1e-05, not 17 digits */
        snprintf(digits, sizeof digits, "%.10g", value);
        text = digits;
    }
    utf8_show(out, text);
}

static void print_settings(const struct info *info, const char *group,
                           const char *name, FILE *out)
{
    const char *paths[INFO_KEYS];
    size_t count = info_keys(info->recording, group, paths);
    label(out, name);
    for (size_t i = 0; i < count; i++) {
        if (i && i % 4 == 0)
            fprintf(out, "\n%13s", "");
        else if (i)
            fputs(", ", out);
        print_setting(info, paths[i], out);
    }
    fputc('\n', out);
}

static void print_place(const double at[GRID_AXES], int dims, FILE *out)
{
    for (int axis = 0; axis < dims; axis++)
        fprintf(out, "%s%.6g", axis ? ", " : "", at[axis]);
}

static void print_map(const struct info *info, FILE *out)
{
    const struct grid *grid = recording_grid(info->recording);
    const char *file = recording_setting(info->recording, "map.file");
    label(out, "map");
    fprintf(out, "%d x %d", grid->nx, grid->ny);
    if (grid->dims == 3)
        fprintf(out, " x %d", grid->nz);
    fprintf(out, " cells");
    if (info->free_cells >= 0)
        fprintf(out, ", %" PRId64 " free", info->free_cells);
    if (info->versions > 1)
        fprintf(out, ", %zu versions", info->versions);
    if (file) {
        fputs(", ", out);
        utf8_show(out, file);
    }
    struct box box = recording_region(info->recording), all = grid_box(grid);
    if (memcmp(&box, &all, sizeof box) != 0) {
        fprintf(out, "\n");
        label(out, "region");
        fprintf(out, "%d %d %d to %d %d %d", box.low[0], box.low[1], box.low[2],
                box.high[0], box.high[1], box.high[2]);
    }
    fputc('\n', out);
}

static void print_rows(const struct info *info, FILE *out)
{
    const struct recording *recording = info->recording;
    const int64_t *steps = recording_steps(recording);
    int64_t rows = recording_rows(recording);
    label(out, "rows");
    fprintf(out, "%" PRId64, rows);
    if (rows > 0)
        fprintf(out, ", steps %" PRId64 " to %" PRId64, steps[0],
                steps[rows - 1]);
    else
        fputs(", no step", out);
    if (info->planned >= 0)
        fprintf(out, " of %" PRId64, info->planned);
    int64_t every = recording_every(info->recording);
    if (every > 1)
        fprintf(out, ", every %" PRId64 " and the last", every);
    fputc('\n', out);
}

/* Prints a command that can be copied into a shell, whatever characters the
 * file's name contains. */
static void print_resume(const struct info *info, FILE *out)
{
    const char *words[] = { "hamon-record", "--resume",
                            recording_path(info->recording) };
    char *command = cli_command(sizeof words / sizeof *words, words);
    fputs("; to resume: ", out);
    utf8_show(out, command);
    memory_release(command);
}

static void print_state(const struct info *info, FILE *out)
{
    enum run_state state = recording_state(info->recording);
    label(out, "state");
    fputs(run_state_names[state], out);
    if (state == RUN_RUNNING && info->writer == WRITER_ALIVE)
        fputs(": a program records it now", out);
    else if (state == RUN_RUNNING && info->writer == WRITER_NONE)
        fprintf(out, ": left by a killed program at row %" PRId64,
                recording_rows(info->recording));
    if (info->can_resume)
        print_resume(info, out);
    fputc('\n', out);
}

static void print_fields(const struct info *info, FILE *out)
{
    const struct variable *variable;
    int count = 0;
    label(out, "fields");
    for (size_t i = 0; (variable = recording_variable(info->recording, i));
         i++) {
        bool field = variable->by_row || strstr(variable->name, "_arrival");
        if (!field || strchr(variable->name, '/'))
            continue;
        fprintf(out, "%s", !count ? "" : count % 6 ? " " : "\n             ");
        utf8_show(out, variable->name);
        count++;
    }
    bool unseen = !count && recording_ran_waves(info->recording);
    fputs(count    ? "\n"
          : unseen ? "none: there were waves, but they were not recorded\n"
                   : "none\n",
          out);
}

static void print_packing(const struct info *info, FILE *out)
{
    const char *packed = recording_text(info->recording, "packed");
    int kept = recording_keep_bits(info->recording);
    if (!packed && !kept)
        return;
    label(out, "packed");
    utf8_show(out, packed ? packed : "no longer");
    if (kept)
        fprintf(out, "; waves rounded to %d bits of the mantissa", kept);
    fputc('\n', out);
}

static void print_waves(const struct info *info, FILE *out)
{
    int waves = info->wave_count;
    if (!waves)
        return;
    print_settings(info, "wave", "waves", out);
    print_settings(info, "arrival", "arrivals", out);
    label(out, "emissions");
    for (int i = 0; i < waves; i++) {
        const struct info_wave *wave = &info->waves[i];
        fprintf(out, "%swave %d: %" PRId64, i ? "; " : "", i, wave->emissions);
        if (wave->emissions)
            fprintf(out, " (step %" PRId64, wave->first);
        if (wave->emissions > 1)
            fprintf(out, " to %" PRId64, wave->last);
        if (wave->emissions)
            fputc(')', out);
    }
    fputc('\n', out);
}

static void print_agents(const struct info *info, bool all, FILE *out)
{
    int dims = recording_grid(info->recording)->dims;
    size_t shown = info->agent_count;
    if (!all && shown > AGENTS_SHOWN)
        shown = AGENTS_SHOWN;
    if (info->agent_count) {
        label(out, "agents");
        fprintf(out,
                "%zu; %" PRId64 " arrivals, %" PRId64 " captures, %" PRId64
                " plans\n",
                info->agent_count,
                recording_table_rows(info->recording, "arrivals"),
                recording_table_rows(info->recording, "captures"),
                recording_table_rows(info->recording, "plans"));
    }
    for (size_t i = 0; i < shown; i++) {
        const struct info_agent *agent = &info->agents[i];
        fprintf(out, "%13s", "");
        utf8_show(out, agent->name);
        fputs(", ", out);
        utf8_show(out, agent->method);
        fprintf(out, ", %s at ", info_state_name(agent->state));
        print_place(agent->at, dims, out);
        if (agent->captured >= 0)
            fprintf(out, ", captured at step %" PRId64, agent->captured);
        fprintf(out, ", %" PRId64 " arrival%s", agent->arrivals,
                agent->arrivals == 1 ? "" : "s");
        if (agent->arrivals > 0)
            fprintf(out, " (step %" PRId64 " to %" PRId64 ")", agent->first,
                    agent->last);
        fputc('\n', out);
    }
    if (shown < info->agent_count)
        fprintf(out, "%13s%zu more: --verbose shows all\n", "",
                info->agent_count - shown);
    if (info->has_target) {
        label(out, "target");
        fputs("at ", out);
        print_place(info->target_at, dims, out);
        fputc('\n', out);
    }
}

/* The number of events from `first` on with its step, kind and wave. */
static size_t count_same(const struct events *events, size_t first)
{
    const struct event *event = &events->event[first];
    size_t count = 1;
    while (first + count < events->count && event[count].step == event->step &&
           event[count].kind == event->kind && event[count].wave == event->wave)
        count++;
    return count;
}

/* A line for each event; without `all` a line for several of a kind. */
static void print_events(const struct info *info, bool all, FILE *out)
{
    const struct events *events = &info->events;
    size_t done = 0;
    if (info->events_fault.status)
        line(out, "events", info->events_fault.message);
    for (size_t lines = 0;
         done < events->count && (all || lines < EVENTS_SHOWN); lines++) {
        const struct event *event = &events->event[done];
        size_t same = all ? 1 : count_same(events, done);
        label(out, lines ? "" : "events");
        fprintf(out, "step %" PRId64 ": ", event->step);
        utf8_show(out, event->text);
        if (same > 1)
            fprintf(out, " (and %zu more)", same - 1);
        fputc('\n', out);
        done += same;
    }
    if (done < events->count)
        fprintf(out, "%13s%zu more: --verbose shows all\n", "",
                events->count - done);
}

static const char *text_of(const struct info *info, const char *name)
{
    const char *text = recording_text(info->recording, name);
    return text ? text : "unknown";
}

static void print_provenance(const struct info *info, FILE *out)
{
    static const struct {
        const char *before, *name;
    } made[] = { { "", "date" },
                 { " on ", "host" },
                 { " by hamon ", "version" },
                 { ", commit ", "commit" } };
    label(out, "made");
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        fputs(made[i].before, out);
        utf8_show(out, text_of(info, made[i].name));
    }
    fputc('\n', out);
    line(out, "seed", text_of(info, "seed"));
    line(out, "command", text_of(info, "command"));
}

static void print_health(const struct info *info, FILE *out)
{
    label(out, "health");
    if (!info->verified)
        fputs("not verified: --verify reads every row\n", out);
    else if (!info->rows_bad)
        fprintf(out, "all checksums match (%" PRId64 " rows of variables)\n",
                info->rows_read);
    else
        fprintf(out,
                "DAMAGED: %" PRId64 " of %" PRId64 " rows of variables; %s\n",
                info->rows_bad, info->rows_read, info->first_bad);
}

/* The title was written by the scenario's author, and --set may have changed
 * what it says. */
static void print_title(const struct info *info, FILE *out)
{
    line(out, "title", recording_title(info->recording));
    const char *set = recording_text(info->recording, "set");
    if (!set || !*set)
        return;
    label(out, "set");
    for (const char *end; *set; set = *end ? end + 1 : end) {
        char text[INFO_SET];
        end = set + strcspn(set, "\n");
        int length = (int)(end - set), most = INFO_SET - 4;
        snprintf(text, sizeof text, "%.*s%s", length < most ? length : most,
                 set, length < most ? "" : "...");
        utf8_show(out, text);
        fputs(*end && end[1] ? "; " : "", out);
    }
    fputc('\n', out);
}

static void info_print(const struct info *info, bool all, FILE *out)
{
    char words[16];
    utf8_show(out, recording_path(info->recording));
    fprintf(out, ": %s\n", progress_bytes(info->bytes, words));
    print_title(info, out);
    print_map(info, out);
    print_rows(info, out);
    print_state(info, out);
    print_fields(info, out);
    print_packing(info, out);
    print_waves(info, out);
    print_agents(info, all, out);
    print_events(info, all, out);
    print_provenance(info, out);
    print_health(info, out);
}

/* ---- the content as JSON ---- */

/* The type of a setting, also of "agents.[2].at"; KEY_TEXT if this version does
 * not know it. */
static enum key_type type_of(const char *path)
{
    char plain[128];
    key_plain_path(path, plain, sizeof plain);
    const struct key *key = key_of(plain);
    return key ? key->type : KEY_TEXT;
}

/* Writes a number, true or false as such, and anything else as a text. */
static void json_word(struct json *json, const char *key, const char *text)
{
    char *whole_end, *end;
    errno = 0;
    const int64_t whole = strtoll(text, &whole_end, 10);
    const bool fits = errno == 0;
    const double value = strtod(text, &end);
    const bool digit = strchr("-.0123456789", *text) && end != text;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        json_truth(json, key, *text == 't');
    else if (digit && fits && (!*whole_end || strcmp(whole_end, "L") == 0))
        json_whole(json, key, whole);
    else if (digit && !*end)
        json_real(json, key, value);
    else
        json_text(json, key, text);
}

/* Unescapes the quoted text at `at` in place and writes it; returns the
 * position after it. */
static char *json_quoted(struct json *json, char *at)
{
    char *start = ++at, *to = start;
    while (*at && *at != '"') {
        at += *at == '\\' && at[1];
        *to++ = *at++;
    }
    at += *at == '"';
    *to = '\0'; /* not after `at` */
    json_text(json, NULL, start);
    return at;
}

/* Writes the list of numbers, texts and lists that starts at `at`; returns the
 * position after it. */
static char *json_list(struct json *json, const char *key, char *at, int depth)
{
    json_array(json, key);
    for (at++; *at && !strchr("])", *at);) {
        if (strchr(" ,", *at)) {
            at++;
        } else if (strchr("[(", *at) && depth > 0) {
            at = json_list(json, NULL, at, depth - 1);
        } else if (*at == '"') {
            at = json_quoted(json, at);
        } else {
            const size_t length = strcspn(at + 1, " ,])") + 1;
            const char end = at[length];
            at[length] = '\0';
            json_word(json, NULL, at);
            at += length;
            *at = end;
        }
    }
    json_array_end(json);
    return *at ? at + 1 : at;
}

/* Writes a setting's value by its type. */
static void json_value(struct json *json, const char *key, char *text)
{
    switch (type_of(key)) {
    case KEY_PLACE: /* a list, or a word */
    case KEY_POSITIONS:
    case KEY_BOX:
    case KEY_NUMBERS:
    case KEY_SET:
    case KEY_ROWS:
    case KEY_LAYERS:
        if (*text == '[' || *text == '(')
            json_list(json, key, text, LIST_DEPTH);
        else
            json_text(json, key, text);
        break;
    case KEY_WHOLE:
    case KEY_REAL:
    case KEY_SWITCH:
        json_word(json, key, text);
        break;
    default:
        json_text(json, key, text);
    }
}

static void json_settings(const struct info *info, struct json *json)
{
    char *rest = info->parameters;
    json_object(json, "settings");
    for (char *line; (line = strsep(&rest, "\n"));) {
        char *equals = strstr(line, " = ");
        if (!equals)
            continue;
        *equals = '\0';
        json_value(json, line, equals + 3);
    }
    json_object_end(json);
}

static void json_place(struct json *json, const char *key, const double *at,
                       int axes)
{
    json_array(json, key);
    for (int axis = 0; axis < axes; axis++)
        json_real(json, NULL, at[axis]);
    json_array_end(json);
}

static void json_cells(struct json *json, const char *key, const int *at,
                       int axes)
{
    json_array(json, key);
    for (int axis = 0; axis < axes; axis++)
        json_whole(json, NULL, at[axis]);
    json_array_end(json);
}

static void json_grid(const struct info *info, struct json *json)
{
    const struct grid *grid = recording_grid(info->recording);
    struct box box = recording_region(info->recording);
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    json_object(json, "map");
    json_whole(json, "dims", grid->dims);
    json_cells(json, "extent", extent, grid_axes(grid));
    json_whole(json, "free_cells", info->free_cells);
    json_whole(json, "versions", (int64_t)info->versions);
    json_object(json, "region");
    json_cells(json, "low", box.low, grid_axes(grid));
    json_cells(json, "high", box.high, grid_axes(grid));
    json_object_end(json);
    json_object_end(json);
}

static void json_rows(const struct info *info, struct json *json)
{
    int64_t rows = recording_rows(info->recording);
    const int64_t *steps = recording_steps(info->recording);
    json_whole(json, "rows", rows);
    if (rows > 0) {
        json_whole(json, "first_step", steps[0]);
        json_whole(json, "last_step", steps[rows - 1]);
        int64_t every = recording_every(info->recording);
        json_whole(json, "every", every);
        json_truth(json, "and_the_last", steps[rows - 1] % every != 0);
    }
    json_whole(json, "planned_steps", info->planned);
    json_text(json, "state", run_state_names[recording_state(info->recording)]);
    json_truth(json, "being_written", info->writer == WRITER_ALIVE);
    json_truth(json, "can_resume", info->can_resume);
    json_truth(json, "packed",
               recording_text(info->recording, "packed") != NULL);
    json_whole(json, "keep_bits", recording_keep_bits(info->recording));
}

static void json_variables(const struct info *info, struct json *json)
{
    const struct variable *variable;
    json_array(json, "variables");
    for (size_t i = 0; (variable = recording_variable(info->recording, i)); i++)
        json_text(json, NULL, variable->name);
    json_array_end(json);
}

static void json_waves(const struct info *info, struct json *json)
{
    json_array(json, "waves");
    for (int i = 0; i < info->wave_count; i++) {
        json_object(json, NULL);
        json_whole(json, "emissions", info->waves[i].emissions);
        json_whole(json, "first_emission", info->waves[i].first);
        json_whole(json, "last_emission", info->waves[i].last);
        json_object_end(json);
    }
    json_array_end(json);
}

static void json_agents(const struct info *info, struct json *json)
{
    int axes = grid_axes(recording_grid(info->recording));
    json_array(json, "agents");
    for (size_t i = 0; i < info->agent_count; i++) {
        const struct info_agent *agent = &info->agents[i];
        json_object(json, NULL);
        json_text(json, "name", agent->name);
        json_text(json, "method", agent->method);
        json_text(json, "state", info_state_name(agent->state));
        json_place(json, "at", agent->at, axes);
        json_whole(json, "captured_at", agent->captured);
        json_whole(json, "arrivals", agent->arrivals);
        json_whole(json, "first_arrival", agent->first);
        json_whole(json, "last_arrival", agent->last);
        json_object_end(json);
    }
    json_array_end(json);
    if (info->has_target)
        json_place(json, "target_at", info->target_at, axes);
}

static void json_events(const struct info *info, struct json *json)
{
    const struct events *events = &info->events;
    json_array(json, "events");
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->event[i];
        json_object(json, NULL);
        json_whole(json, "step", event->step);
        json_text(json, "kind", event_kind_names[event->kind]);
        if (event->agent >= 0)
            json_text(json, "agent", events->name[event->agent]);
        if (event->wave >= 0)
            json_whole(json, "wave", event->wave);
        json_text(json, "text", event->text);
        json_object_end(json);
    }
    json_array_end(json);
}

static void json_tables(const struct info *info, struct json *json)
{
    static const char *const tables[] = { "emissions", "arrivals", "captures",
                                          "plans" };
    json_object(json, "tables");
    for (int i = 0; i < 4; i++)
        json_whole(json, tables[i],
                   recording_table_rows(info->recording, tables[i]));
    json_object_end(json);
}

static void json_provenance(const struct info *info, struct json *json)
{
    static const char *const names[] = { "version", "commit",  "compiler",
                                         "flags",   "host",    "date",
                                         "seed",    "command", "set" };
    json_object(json, "provenance");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_text(json, names[i], recording_text(info->recording, names[i]));
    json_object_end(json);
}

static void json_health(const struct info *info, struct json *json)
{
    json_object(json, "health");
    json_truth(json, "verified", info->verified);
    json_whole(json, "rows_read", info->rows_read);
    json_whole(json, "rows_damaged", info->rows_bad);
    json_text(json, "first_damage", info->rows_bad ? info->first_bad : NULL);
    json_object_end(json);
}

static void info_json(const struct info *info, struct json *json)
{
    json_object(json, NULL);
    json_text(json, "file", recording_path(info->recording));
    json_real(json, "bytes", (double)info->bytes);
    json_text(json, "title", recording_title(info->recording));
    json_grid(info, json);
    json_rows(info, json);
    json_waves(info, json);
    json_agents(info, json);
    json_events(info, json);
    json_tables(info, json);
    json_variables(info, json);
    json_settings(info, json);
    json_provenance(info, json);
    json_health(info, json);
    json_object_end(json);
}

/* ---- the program ---- */

/* Files up to this size are verified also without --verify: this takes a second
 * or two. */
static const int64_t verify_bytes = 1000000000;

static bool is_small(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && about.st_size <= verify_bytes;
}

struct asked {
    bool as_json, verify;
};

/* Returns the exit code: a damaged recording is bad input. */
static int print_one(const struct cli *cli, const struct asked *asked,
                     const char *path, struct json *json)
{
    struct recording *recording;
    struct error error;
    struct info info;
    if (replay_open(path, &recording, &error))
        return cli_fail(&error);
    enum status status =
        info_init(&info, recording, asked->verify || is_small(path), &error);
    if (!status && asked->as_json)
        info_json(&info, json);
    else if (!status && !cli->quiet)
        info_print(&info, cli->verbose, stdout);
    if (!status)
        status = cli_flush(&error);
    int code = status          ? cli_fail(&error)
               : info.rows_bad ? STATUS_INPUT
                               : STATUS_OK;
    info_release(&info);
    recording_close(recording);
    return code;
}

/* Prints all files, also after one that cannot be read; returns the first
 * error's code. */
static int print_all(struct cli *cli, void *context)
{
    const struct asked *asked = context;
    struct json json = { .out = stdout };
    struct error error;
    int code = STATUS_OK;
    if (cli->operand_count == 0)
        return cli_usage(cli, "a recording is required");
    const bool array = asked->as_json && cli->operand_count > 1;
    if (array)
        json_array(&json, NULL);
    for (int i = 0; i < cli->operand_count; i++) {
        if (i && !asked->as_json && !cli->quiet)
            putchar('\n');
        int of_one = print_one(cli, asked, cli->operands[i], &json);
        code = code ? code : of_one;
    }
    if (array)
        json_array_end(&json);
    return code ? code : cli_flush(&error) ? cli_fail(&error) : STATUS_OK;
}

int main(int argc, char **argv)
{
    struct asked asked = { .as_json = false };
    const struct cli_option options[] = {
        { CLI_FLAG, 0, "json", NULL,
          "print one JSON object; for several FILEs, an array of them",
          &asked.as_json, 0, 0 },
        { CLI_FLAG, 0, "verify", NULL, "read every row, even of large files",
          &asked.verify, 0, 0 },
        { 0 },
    };
    struct cli cli = {
        .program = "hamon-info",
        .synopsis = "[OPTION]... FILE...",
        .purpose = "Prints what is in a recording: scenario, sizes, agents, "
                   "provenance, faults.",
        .notes = "Examples:\n"
                 "  hamon-info run.h5\n"
                 "  hamon-info --json run.h5 | python3 -m json.tool\n"
                 "\n"
                 "The checksums of files up to 1 GB are verified without "
                 "--verify. A\n"
                 "damaged recording is reported, and the exit status is 2.\n",
        .recordings = true,
        .options = options,
    };
    return cli_main(&cli, argc, argv, print_all, &asked);
}
