/* SPDX-License-Identifier: MIT */
#include "search/problems.h"

#include "base/memory.h"
#include "world/maps/file.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS_2D = 9, FIELDS_3D = 8, FIELDS_MOST = 9, NUMBER_MOST = 32 };

/* Splits a line at tabs, or at runs of blanks if it has no tab; returns the
 * number of fields, FIELDS_MOST + 1 if there are more. */
static int split(const struct map_line *line,
                 struct map_line fields[FIELDS_MOST])
{
    const char *at = line->text, *end = at + line->length;
    bool tabs = memchr(at, '\t', line->length) != NULL;
    int count = 0;
    while (at < end) {
        const char *from = at;
        while (at < end && *at != '\t' && (tabs || *at != ' '))
            at++;
        if (at > from && count == FIELDS_MOST)
            return FIELDS_MOST + 1;
        if (at > from)
            fields[count++] = (struct map_line){ from, (size_t)(at - from) };
        at++;
    }
    return count;
}

static bool read_real(const struct map_line *field, double *value)
{
    char text[NUMBER_MOST], *end;
    if (field->length >= sizeof text || field->length == 0)
        return false;
    memcpy(text, field->text, field->length);
    text[field->length] = '\0';
    /* No sign, no inf, no nan, no hexadecimals. */
    if (strspn(text, "0123456789.eE+-") != field->length || text[0] == '-' ||
        text[0] == '+')
        return false;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

static bool read_whole(const struct map_line *field, int *value)
{
    int64_t number;
    if (!map_line_numbers(field, 1, &number) || number < 0 || number > INT_MAX)
        return false;
    *value = (int)number;
    return true;
}

static enum status bad_number(const struct map_file *file, const char *name,
                              const struct map_line *field, struct error *error)
{
    return map_file_error(file, error,
                          "%s `%.*s`: a number of 0 or more is required", name,
                          MAP_LINE_SHOWN(*field));
}

/* The fields of a line with cells, from `first` on: start, then goal. */
static enum status read_cells(const struct map_file *file, int dims,
                              const struct map_line *fields,
                              struct problem *problem, struct error *error)
{
    static const char *const names[2][GRID_AXES] = {
        { "start x", "start y", "start z" }, { "goal x", "goal y", "goal z" }
    };
    for (int end = 0; end < 2; end++)
        for (int axis = 0; axis < dims; axis++) {
            const struct map_line *field = &fields[end * dims + axis];
            int *cell = end ? problem->goal : problem->start;
            if (!read_whole(field, &cell[axis]))
                return bad_number(file, names[end][axis], field, error);
        }
    if (!read_real(&fields[2 * dims], &problem->optimal))
        return bad_number(file, "optimal length", &fields[2 * dims], error);
    return STATUS_OK;
}

/* The map, its width and height: the same in every line. */
static enum status read_map(const struct map_file *file,
                            const struct map_line *fields,
                            struct problems *problems, int *bucket,
                            struct error *error)
{
    int width, height;
    if (!read_whole(&fields[0], bucket))
        return bad_number(file, "bucket", &fields[0], error);
    if (!read_whole(&fields[2], &width) || width < 1)
        return bad_number(file, "width", &fields[2], error);
    if (!read_whole(&fields[3], &height) || height < 1)
        return bad_number(file, "height", &fields[3], error);
    if (!problems->map) {
        problems->map =
            memory_format("%.*s", (int)fields[1].length, fields[1].text);
        if (!problems->map)
            return error_memory(error);
        problems->width = width;
        problems->height = height;
    }
    if (strlen(problems->map) != fields[1].length ||
        memcmp(problems->map, fields[1].text, fields[1].length) != 0 ||
        problems->width != width || problems->height != height)
        return map_file_error(file, error,
                              "map `%.*s`, %d x %d: the lines before are for "
                              "`%s`, %d x %d; one map a file is allowed",
                              MAP_LINE_SHOWN(fields[1]), width, height,
                              problems->map, problems->width, problems->height);
    return STATUS_OK;
}

static enum status read_problem(const struct map_file *file,
                                const struct map_line *line,
                                struct problems *problems,
                                struct problem *problem, struct error *error)
{
    struct map_line fields[FIELDS_MOST];
    int count = split(line, fields);
    int wanted = problems->dims == 2 ? FIELDS_2D : FIELDS_3D;
    if (count != wanted)
        return map_file_error(
            file, error, "%s%d fields: %d are required: %s",
            count > FIELDS_MOST ? "more than " : "",
            count > FIELDS_MOST ? FIELDS_MOST : count, wanted,
            problems->dims == 2
                ? "bucket, map, width, height, start x y, goal x y, optimal"
                : "start x y z, goal x y z, optimal, ratio");
    *problem = (struct problem){ .bucket = -1, .line = file->line };
    double ratio;
    if (problems->dims == 3 && !read_real(&fields[7], &ratio))
        return bad_number(file, "ratio", &fields[7], error);
    if (problems->dims == 3)
        return read_cells(file, 3, fields, problem, error);
    enum status status =
        read_map(file, fields, problems, &problem->bucket, error);
    if (!status)
        status = read_cells(file, 2, fields + 4, problem, error);
    if (status)
        return status;
    if (problem->start[0] >= problems->width ||
        problem->goal[0] >= problems->width ||
        problem->start[1] >= problems->height ||
        problem->goal[1] >= problems->height)
        return map_file_error(file, error, "a cell outside the map of %d x %d",
                              problems->width, problems->height);
    return STATUS_OK;
}

static enum status read_head(struct map_file *file, struct problems *problems,
                             struct error *error)
{
    struct map_line line, version;
    if (!map_file_line(file, &line) ||
        !map_line_starts(&line, "version", &version) ||
        !((version.length == 1 && version.text[0] == '1') ||
          (version.length == 3 && memcmp(version.text, "1.0", 3) == 0)))
        return map_file_error(file, error,
                              "the first line must be `version 1`");
    if (problems->dims == 2)
        return STATUS_OK;
    struct map_line fields[FIELDS_MOST];
    if (!map_file_line(file, &line) || split(&line, fields) != 1)
        return map_file_error(file, error,
                              "the second line must be the map's name");
    problems->map =
        memory_format("%.*s", (int)fields[0].length, fields[0].text);
    return problems->map ? STATUS_OK : error_memory(error);
}

static enum status read_rows(struct map_file *file, struct problems *problems,
                             struct error *error)
{
    size_t room = 0;
    struct map_line line;
    while (map_file_line(file, &line)) {
        if (map_line_is_blank(&line))
            continue;
        if (problems->count == room) {
            size_t larger = room ? 2 * room : 256;
            struct problem *grown =
                memory_grow(problems->items, room, larger, sizeof *grown);
            if (!grown)
                return error_memory(error);
            problems->items = grown;
            room = larger;
        }
        enum status status = read_problem(
            file, &line, problems, &problems->items[problems->count], error);
        if (status)
            return status;
        problems->count++;
    }
    if (problems->count == 0)
        return map_file_error(file, error, "no problem in the file");
    return STATUS_OK;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

enum status problems_load(const char *path, struct problems *problems,
                          struct error *error)
{
    struct map_file file;
    struct problems made = { .dims = ends_with(path, ".3dscen") ? 3 : 2 };
    enum status status = map_file_load(path, "problem file", &file, error);
    if (status)
        return status;
    made.path = memory_text(path);
    if (!made.path)
        status = error_memory(error);
    if (!status)
        status = read_head(&file, &made, error);
    if (!status)
        status = read_rows(&file, &made, error);
    map_file_release(&file);
    if (status)
        problems_release(&made);
    else
        *problems = made;
    return status;
}

void problems_release(struct problems *problems)
{
    memory_release(problems->path);
    memory_release(problems->map);
    memory_release(problems->items);
    *problems = (struct problems){ 0 };
}

/* `name` in the problems' folder. */
static char *beside(const struct problems *problems, const char *name)
{
    const char *slash = strrchr(problems->path, '/');
    int folder = slash ? (int)(slash - problems->path) + 1 : 0;
    return memory_format("%.*s%s", folder, problems->path, name);
}

bool problems_leads_out(const char *name)
{
    if (*name == '/')
        return true;
    for (const char *at = name; *at;) {
        size_t length = strcspn(at, "/");
        if (length == 2 && memcmp(at, "..", 2) == 0)
            return true;
        at += length + (at[length] == '/');
    }
    return false;
}

enum status problems_map_path(const struct problems *problems, char **path,
                              struct error *error)
{
    const char *slash = strrchr(problems->map, '/');
    if (problems_leads_out(problems->map)) {
        struct map_line name = { problems->map, strlen(problems->map) };
        return error_at(error, STATUS_INPUT, problems->path, 0,
                        "its map `%.*s` is not in the problems' own folder: "
                        "name the map yourself, --map FILE",
                        MAP_LINE_SHOWN(name));
    }
    *path = beside(problems, problems->map);
    if (*path && slash && access(*path, F_OK) != 0) {
        memory_release(*path);
        *path = beside(problems, slash + 1);
    }
    return *path ? STATUS_OK : error_memory(error);
}

static enum status misfit(const struct problems *problems, int line,
                          const struct grid *grid, struct error *error)
{
    return error_at(error, STATUS_INPUT, problems->path, line,
                    "the problem is not for this map of %d x %d x %d cells",
                    grid->nx, grid->ny, grid->nz);
}

enum status problems_fit(const struct problems *problems,
                         const struct grid *grid, struct error *error)
{
    if (grid->dims != problems->dims)
        return misfit(problems, problems->items[0].line, grid, error);
    if (grid->dims == 2 &&
        (grid->nx != problems->width || grid->ny != problems->height))
        return misfit(problems, problems->items[0].line, grid, error);
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *p = &problems->items[i];
        if (!grid_holds(grid, p->start[0], p->start[1], p->start[2]) ||
            !grid_holds(grid, p->goal[0], p->goal[1], p->goal[2]))
            return misfit(problems, p->line, grid, error);
    }
    return STATUS_OK;
}

bool problem_is_met(const struct problem *problem, double length)
{
    return fabs(length - problem->optimal) <=
           fmax(0.006, 1e-5 * problem->optimal);
}
