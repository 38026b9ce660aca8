/* SPDX-License-Identifier: MIT */
/* The info as a person reads it. */
#include "cli.h"
#include "info.h"
#include "progress.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { AGENTS_SHOWN = 20, INFO_SET = 84 /* bytes of a --set */ };

/* The label of the lines that follow, once. */
static void label(FILE *out, const char *text)
{
    fprintf(out, "  %-10s ", text);
}

static void print_setting(const struct info *info, const char *key, FILE *out)
{
    const char *text = recording_setting(info->recording, key);
    char *end, digits[32];
    if (!text)
        return;
    double value = strtod(text, &end);
    fprintf(out, "%s ", strchr(key, '.') + 1);
    if (end != text && !*end) { /* as it was meant: 1e-05, not 17 digits */
        snprintf(digits, sizeof digits, "%.10g", value);
        text = digits;
    }
    utf8_show(out, text);
}

static void print_settings(const struct info *info, const char *const *keys,
                           const char *name, FILE *out)
{
    label(out, name);
    for (int i = 0; keys[i]; i++) {
        if (i && i % 4 == 0)
            fprintf(out, "\n%13s", "");
        else if (i)
            fputs(", ", out);
        print_setting(info, keys[i], out);
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

/* To be copied into a shell, whatever printed characters the file's name
 * has. */
static void print_resume(const struct info *info, FILE *out)
{
    const char *words[] = { "hamon-record", "--resume",
                            recording_path(info->recording) };
    char *command = cli_command(sizeof words / sizeof *words, words);
    fputs("; to go on: ", out);
    if (command)
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
          : unseen ? "none: waves ran and were not recorded\n"
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
    const char *keys[INFO_ARRIVAL_KEYS];
    int waves = info->wave_count;
    if (!waves)
        return;
    print_settings(info, info_wave_keys, "waves", out);
    info_arrival_keys(info->recording, keys);
    print_settings(info, keys, "arrivals", out);
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

static const char *text_of(const struct info *info, const char *name)
{
    const char *text = recording_text(info->recording, name);
    return text ? text : "unknown";
}

static void print_provenance(const struct info *info, FILE *out)
{
    label(out, "made");
    utf8_show(out, text_of(info, "date"));
    fputs(" on ", out);
    utf8_show(out, text_of(info, "host"));
    fputs(" by hamon ", out);
    utf8_show(out, text_of(info, "version"));
    fputs(", commit ", out);
    utf8_show(out, text_of(info, "commit"));
    fputc('\n', out);
    label(out, "seed");
    utf8_show(out, text_of(info, "seed"));
    fputc('\n', out);
    label(out, "command");
    utf8_show(out, text_of(info, "command"));
    fputc('\n', out);
}

static void print_health(const struct info *info, FILE *out)
{
    label(out, "health");
    if (!info->verified)
        fputs("not verified: --verify reads every row\n", out);
    else if (!info->rows_bad)
        fprintf(out, "all checksums hold (%" PRId64 " rows of variables)\n",
                info->rows_read);
    else
        fprintf(out,
                "DAMAGED: %" PRId64 " of %" PRId64 " rows of variables; %s\n",
                info->rows_bad, info->rows_read, info->first_bad);
}

/* A title is the scenario's author's, and may say what --set has changed. */
static void print_title(const struct info *info, FILE *out)
{
    label(out, "title");
    utf8_show(out, recording_title(info->recording));
    fputc('\n', out);
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

void info_print(const struct info *info, bool all_agents, FILE *out)
{
    char words[16];
    utf8_show(out, recording_path(info->recording));
    fprintf(out, ": %s\n", bytes_in_words(info->bytes, words));
    print_title(info, out);
    print_map(info, out);
    print_rows(info, out);
    print_state(info, out);
    print_fields(info, out);
    print_packing(info, out);
    print_waves(info, out);
    print_agents(info, all_agents, out);
    print_provenance(info, out);
    print_health(info, out);
}
