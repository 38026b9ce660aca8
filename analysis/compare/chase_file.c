/* SPDX-License-Identifier: MIT */
#include "analysis/compare/chase_file.h"

#include "base/memory.h"
#include "base/need.h"
#include "search/problems.h"
#include "world/maps/file.h"
#include "world/maps/map.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 5, CHECKSUM_DIGITS = 8, NAME_MOST = 64, EXACT_MOST = 40 };

/* ---- the fields of a line ---- */

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* The next field, which is removed from the front of `rest`. */
static struct map_line next_field(struct map_line *rest)
{
    struct map_line field;
    while (rest->length && is_blank(*rest->text)) {
        rest->text++;
        rest->length--;
    }
    field.text = rest->text;
    for (field.length = 0;
         field.length < rest->length && !is_blank(field.text[field.length]);)
        field.length++;
    rest->text += field.length;
    rest->length -= field.length;
    return field;
}

static char *text_of(const struct map_line *field)
{
    return need_format("%.*s", (int)field->length, field->text);
}

/* A name is used in tables and journals. */
static enum status read_name(const struct map_file *file, const char *what,
                             const struct map_line *field, char **name,
                             struct error *error)
{
    for (size_t i = 0; i < field->length; i++)
        if (field->length > NAME_MOST || (unsigned char)field->text[i] < '!' ||
            field->text[i] > '~' || strchr("\"\\'", field->text[i]))
            return map_file_error(file, error,
                                  "%s `%.*s`: up to %d letters, digits and "
                                  "signs but \" ' \\ are allowed",
                                  what, MAP_LINE_SHOWN(*field), NAME_MOST);
    *name = text_of(field);
    return STATUS_OK;
}

static enum status read_checksum(const struct map_file *file,
                                 const struct map_line *field,
                                 struct chase_problem *problem,
                                 struct error *error)
{
    char digits[CHECKSUM_DIGITS + 1] = "";
    problem->has_checksum = field->length != 1 || *field->text != '-';
    if (!problem->has_checksum)
        return STATUS_OK;
    if (field->length == CHECKSUM_DIGITS)
        memcpy(digits, field->text, CHECKSUM_DIGITS);
    if (strspn(digits, "0123456789abcdef") != CHECKSUM_DIGITS)
        return map_file_error(file, error,
                              "checksum `%.*s`: the CRC-32C of the map's file "
                              "is required, 8 digits of 0-9a-f, or - for any "
                              "map",
                              MAP_LINE_SHOWN(*field));
    problem->checksum = (uint32_t)strtoul(digits, NULL, 16);
    return STATUS_OK;
}

static enum status read_exact(const struct map_file *file,
                              const struct map_line *field,
                              struct chase_problem *problem,
                              struct error *error)
{
    static const char *const heads[] = {
        [EXACT_PATH] = "path:", [EXACT_STEPS] = "steps:"
    };
    char text[EXACT_MOST] = "", *end = text;
    if (field->length < sizeof text)
        memcpy(text, field->text, field->length);
    problem->exact = NAN;
    if (strcmp(text, "-") == 0)
        return STATUS_OK;
    for (int i = EXACT_PATH; i <= EXACT_STEPS; i++) {
        size_t head = strlen(heads[i]);
        const char *number = text + head;
        if (strncmp(text, heads[i], head) != 0 ||
            strspn(number, "0123456789.") != strlen(number))
            continue;
        problem->exact_of = (enum exact_of)i;
        problem->exact = strtod(number, &end);
    }
    if (end == text || *end || !(problem->exact > 0))
        return map_file_error(file, error,
                              "exact value `%.*s`: path:LENGTH, steps:COUNT "
                              "(over 0) or - is required",
                              MAP_LINE_SHOWN(*field));
    return STATUS_OK;
}

/* The integers after the map's name, 4 or 6. */
static bool read_box(const char *text, struct box *box)
{
    int number[2 * GRID_AXES] = { 0 }, count = 0;
    for (const char *at = text;; at++) {
        size_t digits = strspn(at, "0123456789");
        if (digits < 1 || digits > 9 || count == 2 * GRID_AXES)
            return false;
        number[count++] = atoi(at);
        at += digits;
        if (!*at)
            break;
        if (*at != ',')
            return false;
    }
    int axes = count / 2;
    if (count != 4 && count != 6)
        return false;
    *box = (struct box){ { 0 }, { 0 } };
    for (int axis = 0; axis < axes; axis++) {
        box->low[axis] = number[axis];
        box->high[axis] = number[axes + axis];
        if (box->low[axis] > box->high[axis])
            return false;
    }
    return true;
}

static enum status read_map(const struct map_file *file,
                            const struct map_line *field,
                            struct chase_problem *problem, struct error *error)
{
    enum status status = read_name(file, "map", field, &problem->map, error);
    if (status)
        return status;
    const char *colon = strchr(problem->map, ':');
    problem->map_file = strcspn(problem->map, ":");
    problem->has_box = colon != NULL;
    if (colon && !read_box(colon + 1, &problem->box))
        return map_file_error(file, error,
                              "map `%.*s`: FILE:X0,Y0,X1,Y1 or "
                              "FILE:X0,Y0,Z0,X1,Y1,Z1, the lower corner first, "
                              "is required",
                              MAP_LINE_SHOWN(*field));
    if (problems_leads_out(problem->map))
        return map_file_error(
            file, error,
            "map `%.*s`: a name in the maps' folder is required, without ..",
            MAP_LINE_SHOWN(*field));
    return STATUS_OK;
}

static enum status read_settings(const struct map_file *file,
                                 const struct map_line *rest,
                                 struct chase_problem *problem,
                                 struct error *error)
{
    struct map_line line = *rest;
    if (map_line_is_blank(&line))
        return map_file_error(file, error,
                              "no settings: name, class, map, checksum, exact "
                              "value and settings are required");
    if (memchr(line.text, '\0', line.length) ||
        memchr(line.text, '#', line.length))
        return map_file_error(file, error,
                              "a # or a NUL in the settings: comments have "
                              "lines of their own");
    problem->settings = text_of(&line);
    return STATUS_OK;
}

static enum status read_problem(const struct map_file *file,
                                const struct map_line *line,
                                struct chase_problem *problem,
                                struct error *error)
{
    struct map_line rest = *line, field[FIELDS];
    *problem = (struct chase_problem){ .line = file->line };
    for (int i = 0; i < FIELDS; i++)
        field[i] = next_field(&rest);
    if (field[FIELDS - 1].length == 0)
        return map_file_error(file, error,
                              "name, class, map, checksum, exact value and "
                              "settings are required");
    enum status status =
        read_name(file, "name", &field[0], &problem->name, error);
    if (!status)
        status =
            read_name(file, "class", &field[1], &problem->class_name, error);
    if (!status)
        status = read_map(file, &field[2], problem, error);
    if (!status)
        status = read_checksum(file, &field[3], problem, error);
    if (!status)
        status = read_exact(file, &field[4], problem, error);
    return status ? status : read_settings(file, &rest, problem, error);
}

/* ---- the file ---- */

static void problem_release(struct chase_problem *problem)
{
    memory_release(problem->name);
    memory_release(problem->class_name);
    memory_release(problem->map);
    memory_release(problem->settings);
}

void chase_problems_release(struct chase_problems *problems)
{
    for (size_t i = 0; i < problems->count; i++)
        problem_release(&problems->items[i]);
    memory_release(problems->items);
    memory_release(problems->path);
    *problems = (struct chase_problems){ 0 };
}

void chase_problems_thin(struct chase_problems *problems, size_t every)
{
    size_t taken = 0;
    for (size_t i = 0; i < problems->count; i++)
        if (i % every == 0)
            problems->items[taken++] = problems->items[i];
        else
            problem_release(&problems->items[i]);
    problems->count = taken;
}

static enum status read_lines(struct map_file *file,
                              struct chase_problems *problems,
                              struct error *error)
{
    struct map_line line;
    size_t room = 0;
    if (!map_file_line(file, &line) ||
        !map_line_starts(&line, "version", &line) || line.length != 1 ||
        *line.text != '1')
        return map_file_error(file, error,
                              "the first line must be `version 1`");
    while (map_file_line(file, &line)) {
        if (map_line_is_blank(&line) || *line.text == '#')
            continue;
        struct chase_problem *items =
            need_more(problems->items, problems->count, &room, sizeof *items);
        problems->items = items;
        enum status status =
            read_problem(file, &line, &items[problems->count++], error);
        if (status)
            return status;
    }
    if (problems->count == 0)
        return map_file_error(file, error, "no problem in the file");
    return STATUS_OK;
}

static int by_name(const void *a, const void *b)
{
    const struct chase_problem *const *one = a, *const *other = b;
    int order = strcmp((*one)->name, (*other)->name);
    return order ? order : ((*one)->line > (*other)->line) * 2 - 1;
}

static enum status check_names(const struct chase_problems *problems,
                               struct error *error)
{
    const struct chase_problem **order =
        need_memory(problems->count, sizeof *order);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < problems->count; i++)
        order[i] = &problems->items[i];
    qsort(order, problems->count, sizeof *order, by_name);
    for (size_t i = 1; i < problems->count && !status; i++)
        if (strcmp(order[i - 1]->name, order[i]->name) == 0)
            status =
                error_at(error, STATUS_INPUT, problems->path, order[i]->line,
                         "name `%s`: line %d has it too; names must "
                         "differ",
                         order[i]->name, order[i - 1]->line);
    memory_release(order);
    return status;
}

enum status chase_problems_load(const char *path,
                                struct chase_problems *problems,
                                struct error *error)
{
    struct map_file file;
    struct chase_problems made = { 0 };
    enum status status = map_file_load(path, "problem file", &file, error);
    if (status)
        return status;
    made.path = need_text(path);
    status = read_lines(&file, &made, error);
    map_file_release(&file);
    if (!status)
        status = check_names(&made, error);
    if (status)
        chase_problems_release(&made);
    else
        *problems = made;
    return status;
}

/* ---- the map ---- */

void chase_map_release(struct chase_map *map)
{
    memory_release(map->path);
    terrain_release(&map->whole);
    terrain_release(&map->cut);
    *map = (struct chase_map){ 0 };
}

static char *map_path(const struct chase_problems *problems,
                      const struct chase_problem *problem, const char *folder)
{
    const char *slash = strrchr(problems->path, '/');
    int name = (int)problem->map_file;
    if (folder)
        return need_format("%s/%.*s", folder, name, problem->map);
    return need_format("%.*s%.*s",
                       slash ? (int)(slash - problems->path) + 1 : 0,
                       problems->path, name, problem->map);
}

/* Takes ownership of `path`. */
static enum status load_map(char *path, struct chase_map *map,
                            struct error *error)
{
    chase_map_release(map);
    enum status status = map_file_checksum(path, &map->checksum, error);
    if (!status)
        status = map_load(path, NULL, &map->whole, error);
    if (status)
        memory_release(path);
    else
        map->path = path;
    return status;
}

static enum status cut_map(const struct chase_problems *problems,
                           const struct chase_problem *problem,
                           struct chase_map *map, struct error *error)
{
    const struct grid *grid = &map->whole.grid;
    const int *high = problem->box.high;
    int commas = 0;
    for (const char *at = problem->map + strcspn(problem->map, ":"); *at; at++)
        commas += *at == ',';
    if (commas != 2 * grid_axes(grid) - 1 ||
        !grid_holds(grid, high[0], high[1], high[2]))
        return error_at(error, STATUS_INPUT, problems->path, problem->line,
                        "map `%s`: a box of %d numbers inside %d x %d x %d "
                        "cells is required",
                        problem->map, 2 * grid_axes(grid), grid->nx, grid->ny,
                        grid->nz);
    terrain_release(&map->cut);
    map->cut_for = NULL;
    enum status status =
        terrain_cut(&map->whole, &problem->box, &map->cut, error);
    if (!status)
        map->cut_for = problem;
    return status;
}

enum status chase_map_take(const struct chase_problems *problems,
                           const struct chase_problem *problem,
                           const char *folder, struct chase_map *map,
                           const struct terrain **terrain, struct error *error)
{
    char *path = map_path(problems, problem, folder);
    enum status status = STATUS_OK;
    if (map->path && strcmp(map->path, path) == 0)
        memory_release(path);
    else
        status = load_map(path, map, error);
    if (!status && problem->has_checksum && map->checksum != problem->checksum)
        status = error_at(error, STATUS_INPUT, problems->path, problem->line,
                          "checksum %08" PRIx32 ": the map %s has %08" PRIx32
                          "; the problem is of another version of it",
                          problem->checksum, map->path, map->checksum);
    if (!status && problem->has_box && map->cut_for != problem)
        status = cut_map(problems, problem, map, error);
    if (!status)
        *terrain = problem->has_box ? &map->cut : &map->whole;
    return status;
}

/* ---- the scenario ---- */

/* Leading line feeds give the settings the line number that error messages
 * need. */
static char *scenario_text(const struct chase_problem *problem,
                           const char *group)
{
    size_t above = (size_t)problem->line - 1;
    char *head = need_memory(above + 1, 1);
    memset(head, '\n', above);
    char *text = need_format("%spreset = \"best\"; map = { file = \"%.*s\"; }; "
                             "%s %s",
                             head, (int)problem->map_file, problem->map, group,
                             problem->settings);
    memory_release(head);
    return text;
}

/* "agents.[0].method=METHOD", ... */
static void name_methods(const struct chase_problem *problem,
                         const char *method, char **texts)
{
    for (size_t i = 0; method && i < problem->agents; i++)
        texts[i] = need_format("agents.[%zu].method=%s", i, method);
}

enum status chase_scenario(const struct chase_problems *problems,
                           const struct chase_problem *problem,
                           const struct terrain *terrain, const char *group,
                           const char *method, const char *const *settings,
                           size_t setting_count, struct scenario **scenario,
                           struct error *error)
{
    size_t named = method ? problem->agents : 0;
    char *text = scenario_text(problem, group);
    char **texts = need_memory(named + setting_count, sizeof *texts);
    name_methods(problem, method, texts);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < setting_count; i++)
        texts[named + i] = need_text(settings[i]);
    if (!status)
        status =
            scenario_parse_on(text, problems->path, (const char *const *)texts,
                              named + setting_count, terrain, scenario, error);
    for (size_t i = 0; i < named + setting_count; i++)
        memory_release(texts[i]);
    memory_release(texts);
    memory_release(text);
    return status;
}
