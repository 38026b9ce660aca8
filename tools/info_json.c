/* SPDX-License-Identifier: MIT */
/* The info as programs read it. */
#include "info.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

/* A setting's value as what it is: a number, a truth, or a text. */
static void json_value(struct json *json, const char *key, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    bool digit = *text == '-' || (*text >= '0' && *text <= '9');
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        json_truth(json, key, *text == 't');
    else if (digit && end != text && (!*end || strcmp(end, "L") == 0))
        json_real(json, key, value);
    else
        json_text(json, key, text);
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

void info_json(const struct info *info, struct json *json)
{
    json_object(json, NULL);
    json_text(json, "file", recording_path(info->recording));
    json_real(json, "bytes", (double)info->bytes);
    json_text(json, "title", recording_title(info->recording));
    json_grid(info, json);
    json_rows(info, json);
    json_waves(info, json);
    json_agents(info, json);
    json_tables(info, json);
    json_variables(info, json);
    json_settings(info, json);
    json_provenance(info, json);
    json_health(info, json);
    json_object_end(json);
}
