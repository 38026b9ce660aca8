/* SPDX-License-Identifier: MIT */
/* hamon-steering: how areas of other speed bend the paths of waves and of
 * agents. */
#include "analysis/study/interface.h"
#include "analysis/study/program.h"
#include "analysis/study/refraction.h"
#include "analysis/study/steering.h"
#include "base/memory.h"
#include "base/need.h"
#include "draw/chart/labels.h"
#include "metrics/summary.h"
#include "view/areas.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kinds of paths: one for each method of agents, and those of places
 * ---- */

enum {
    TRACE = METHOD_WAVE_PINCER + 1,
    LEAST = TRACE + STEERING_LEAST,
    SHORTEST = TRACE + STEERING_SHORTEST,
    KINDS = TRACE + STEERING_PATHS
};
static const char *const path_names[] = {
    [STEERING_TRACE] = "traces",
    [STEERING_LEAST] = "least time",
    [STEERING_SHORTEST] = "shortest path",
};

static const char *kind_name(int kind)
{
    return kind < TRACE ? agent_methods[kind]->name : path_names[kind - TRACE];
}

/* The number of paths for path_at. */
static size_t count_of(const struct steering *steering, int kind)
{
    return kind < TRACE ? steering->agent_count : steering->place_count;
}

/* The i-th path if it is of this kind, or NULL; `place` is its start. */
static const struct steering_path *path_at(const struct steering *steering,
                                           int kind, size_t i, size_t *place)
{
    if (kind < TRACE) {
        const struct steering_agent *agent = &steering->agents[i];
        *place = agent->place;
        return (int)agent->method == kind ? &agent->path : NULL;
    }
    *place = i;
    const struct steering_path *path = &steering->places[i].path[kind - TRACE];
    return path->there ? path : NULL;
}

/* The agent's name, or that of the first one that starts at the place. */
static const char *name_at(const struct steering *steering, int kind,
                           size_t number, size_t place)
{
    size_t i = kind < TRACE ? number : 0;
    while (i < steering->agent_count && kind >= TRACE &&
           steering->agents[i].place != place)
        i++;
    return i < steering->agent_count ? steering->agents[i].name : "";
}

/* ---- the chart's panels, laid out by steering.gp ---- */

static const struct chart_panel panels[] = {
    { .name = "paths" },
    { .name = "lost" },
    { .name = "distance", .extra = true },
    { .name = "refraction" },
};
static const struct chart_panel strip_panel = { .name = "strip" };
enum { PANELS = sizeof panels / sizeof *panels }; /* the last: crossings */

/* The groups that have maps, and the maps: in 3D two for each group. */
enum { MAPS = 4 };

/* ---- the figures: paths of each group of readings, and the reflection and
 * transmission of its strips ---- */

/* One reading: a strip, or a field with paths. */
struct path_reading {
    bool strip;
    struct interface interface;
    struct steering steering;
};

/* Over all paths of one kind of a group's readings. */
struct sum {
    size_t paths;
    struct ratio fermat; /* mean and its interval; n: those that arrived */
    double fermat_high, hausdorff, hausdorff_high, ratio;
    double least;             /* of lost */
    struct summary lost, far; /* time, per cent of the least; cells */
};

/* A projection of the map along one axis, onto the section through the
 * source. */
struct side {
    size_t group;
    const struct steering *steering;   /* of the group's first reading */
    const struct recording *recording; /* of this reading */
    int flat, across, down;            /* axes */
    int low[2], high[2];               /* its free cells, and one more */
    struct outlined_areas areas;
};

/* A crossing of a side of an area, by a path that waves lead or of least time.
 */
struct crossing {
    size_t group;
    int kind;
    struct refraction refraction;
};

struct report {
    const struct study *study;
    bool agents;                   /* --agents: one row for each */
    const char *from;              /* --agent: maps show only its start */
    struct path_reading *readings; /* as study's */
    struct sum (*sums)[KINDS];     /* (group) */
    bool strips;                   /* all are strips; else none is */
    bool there[KINDS];             /* there is a path of this kind */
    struct side sides[MAPS];       /* the maps */
    size_t side_count;
    struct crossing *crossings;
    size_t crossing_count, crossing_room;
    size_t area_count; /* names of all readings' areas, each once */
    char (*areas)[AREA_NAME_SIZE];
    const char **texts;           /* names of the tables' columns of text */
    struct table_column *columns; /* of the table of agents */
    char (*column_names)[AREA_NAME_SIZE + 24];
    char remark[1000], note[2][400]; /* in English; as it is drawn */
};

/* The values of the paths of a kind that arrived, for a group's readings. */
struct values {
    double *fermat, *weight, *lost, *far;
    size_t count;
};

static void take_path(const struct steering_path *path, struct sum *sum,
                      struct values *values)
{
    sum->paths++;
    if (!path->arrived)
        return;
    values->fermat[values->count] = path->fermat;
    values->lost[values->count] = 100 * (path->fermat - 1);
    values->far[values->count] = path->hausdorff;
    values->weight[values->count++] = 1;
    sum->fermat_high = fmax(sum->fermat_high, path->fermat);
    sum->least = fmin(sum->least, 100 * (path->fermat - 1));
    sum->hausdorff += path->hausdorff;
    sum->hausdorff_high = fmax(sum->hausdorff_high, path->hausdorff);
    sum->ratio += path->ratio;
}

static void sum_kind(const struct report *report, size_t group, int kind,
                     struct values *values)
{
    struct sum *sum = &report->sums[group][kind];
    *sum =
        (struct sum){ .fermat_high = NAN, .hausdorff_high = NAN, .least = NAN };
    values->count = 0;
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct steering *steering = &report->readings[i].steering;
        if (report->study->readings[i].group != group)
            continue;
        for (size_t k = 0; k < count_of(steering, kind); k++) {
            size_t place;
            const struct steering_path *path =
                path_at(steering, kind, k, &place);
            if (path)
                take_path(path, sum, values);
        }
    }
    sum->hausdorff /= (double)values->count; /* NAN if there is none */
    sum->ratio /= (double)values->count;
    sum->fermat = summary_ratio(values->fermat, values->weight, values->count);
    sum->lost = summary_make(values->lost, values->count);
    sum->far = summary_make(values->far, values->count);
}

static void sum_all(struct report *report)
{
    const struct study *study = report->study;
    size_t most = 0;
    for (size_t i = 0; i < study->reading_count; i++)
        most += report->readings[i].steering.agent_count +
                report->readings[i].steering.place_count;
    struct values values = {
        .fermat = need_memory(most, sizeof *values.fermat),
        .weight = need_memory(most, sizeof *values.weight),
        .lost = need_memory(most, sizeof *values.lost),
        .far = need_memory(most, sizeof *values.far),
    };
    report->sums = need_memory(study->group_count, sizeof *report->sums);
    for (size_t g = 0; g < study->group_count; g++)
        for (int kind = 0; kind < KINDS; kind++) {
            sum_kind(report, g, kind, &values);
            report->there[kind] |= report->sums[g][kind].paths > 0;
        }
    memory_release(values.fermat);
    memory_release(values.weight);
    memory_release(values.lost);
    memory_release(values.far);
}

static enum status measure(struct report *report, size_t i, int wave,
                           struct error *error)
{
    struct path_reading *made = &report->readings[i];
    const struct reading *reading = &report->study->readings[i];
    enum status status =
        interface_is_strip(reading->recording, &made->strip, error);
    report->strips = report->readings[0].strip;
    if (!status && made->strip != report->strips)
        return error_set(error, STATUS_INPUT,
                         "%s is %s strip one cell wide, and %s is %s; draw "
                         "them in separate commands",
                         recording_path(reading->recording),
                         made->strip ? "a" : "no",
                         recording_path(report->study->readings[0].recording),
                         made->strip ? "none" : "one");
    if (!status && made->strip)
        return interface_measure(reading->recording, wave, &made->interface,
                                 error);
    return status ? status
                  : steering_measure(&made->steering, report->study, reading,
                                     wave, error);
}

static void release(void *of)
{
    struct report *report = of;
    for (size_t i = 0; report->readings && i < report->study->reading_count;
         i++)
        steering_release(&report->readings[i].steering);
    memory_release(report->readings);
    memory_release(report->sums);
    for (size_t m = 0; m < report->side_count; m++)
        outlined_release(&report->sides[m].areas);
    memory_release(report->crossings);
    memory_release(report->areas);
    memory_release(report->texts);
    memory_release(report->columns);
    memory_release(report->column_names);
    *report = (struct report){ 0 };
}

typedef void take_path_of(const struct report *report, size_t reading, int kind,
                          size_t number, size_t place,
                          const struct steering_path *path, void *to);

static void each_path(const struct report *report, size_t reading,
                      take_path_of *take, void *to)
{
    const struct steering *steering = &report->readings[reading].steering;
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t k = 0; k < count_of(steering, kind); k++) {
            size_t place;
            const struct steering_path *path =
                path_at(steering, kind, k, &place);
            if (path)
                take(report, reading, kind, k, place, path, to);
        }
}

static void each_path_of_all(const struct report *report, take_path_of *take,
                             void *to)
{
    for (size_t i = 0; i < report->study->reading_count; i++)
        each_path(report, i, take, to);
}

/* ---- tables ---- */

static const struct table_column path_columns[] = {
    { "paths", .digits = 0,
      .meaning = "number of paths of this group and method" },
    { "arrived", .digits = 0,
      .meaning = "number of these paths that end at the source" },
    { "time over the least, mean", .digits = 5,
      .meaning = "mean over these of the path's time over the least time" },
    { "time over the least, 95 % low", .digits = 5, .interval = "95 %",
      .ranged = true,
      .meaning = "lower end of its 95 % bootstrap interval, if 5 paths or more "
                 "arrived" },
    { "time over the least, 95 % high", .digits = 5,
      .meaning = "upper end of this interval" },
    { "time over the least, range from", .digits = 5,
      .meaning = "smallest of these ratios, if 2 to 4 paths arrived" },
    { "time over the least, range to", .digits = 5,
      .meaning = "largest of these ratios, if 2 to 4 paths arrived" },
    { "time over the least, largest", .digits = 5,
      .meaning = "largest of these ratios" },
    { "Hausdorff distance, mean (cells)", .digits = 2,
      .meaning = "mean Hausdorff distance between the path and the path of "
                 "least time" },
    { "Hausdorff distance, largest (cells)", .digits = 2,
      .meaning = "largest of these distances" },
    { "length over the shortest, mean", .digits = 4,
      .meaning = "mean over these of the path's length over the length of the "
                 "shortest path" },
};
enum { PATH_COLUMNS = sizeof path_columns / sizeof *path_columns };

/* "lee"; for waves with the detector, "wave (laplace)". */
static void name_kind(const struct report *report, size_t group, int kind,
                      char *name, size_t size)
{
    const struct study *study = report->study;
    const char *detector =
        reading_setting(study, &study->readings[study->groups[group].first],
                        "arrival.detector");
    if (kind == METHOD_WAVE && detector)
        snprintf(name, size, "wave (%s)", detector);
    else
        snprintf(name, size, "%s", kind_name(kind));
}

/* Columns of text: a label of all, the settings that differ, and these two. */
static void init_texts(const struct report *report, const char *label,
                       bool agents, const struct table_column *columns,
                       size_t count, struct table *table)
{
    const struct study *study = report->study;
    size_t texts = 0;
    report->texts[texts++] = label;
    for (size_t k = 0; k < study->key_count; k++)
        report->texts[texts++] = study->keys[k];
    if (agents)
        report->texts[texts++] = "agent";
    report->texts[texts++] = "method";
    table_init_texts(table, report->texts, texts, columns, count);
}

static void add_row(const struct report *report, size_t group, int kind,
                    const char *agent, const double *numbers,
                    struct table *table)
{
    const struct study *study = report->study;
    const struct group *of = &study->groups[group];
    char label[STUDY_LABEL_SIZE + 160], name[64];
    const char **texts = need_memory(table->text_count, sizeof *texts);
    size_t used = 0;
    name_kind(report, group, kind, name, sizeof name);
    snprintf(label, sizeof label, "%s: %s%s%s", of->label, agent ? agent : "",
             agent ? ", " : "", name);
    texts[used++] = label;
    for (size_t k = 0; k < study->key_count; k++) {
        const char *value =
            reading_setting(study, &study->readings[of->first], study->keys[k]);
        texts[used++] = value ? value : "";
    }
    if (agent)
        texts[used++] = agent;
    texts[used] = kind_name(kind);
    table_add_texts(table, texts, numbers);
    memory_release(texts);
}

static void add_paths(const struct report *report, struct table *table)
{
    const struct study *study = report->study;
    init_texts(report, "group", false, path_columns, PATH_COLUMNS, table);
    for (size_t i = 0; i < study->group_count * KINDS; i++) {
        size_t g = i / KINDS;
        int kind = (int)(i % KINDS);
        const struct sum *sum = &report->sums[g][kind];
        if (sum->paths == 0)
            continue;
        const double numbers[PATH_COLUMNS] = {
            (double)sum->paths,
            (double)sum->fermat.n,
            sum->fermat.estimate,
            sum->fermat.interval.low,
            sum->fermat.interval.high,
            sum->fermat.interval.least,
            sum->fermat.interval.largest,
            sum->fermat_high,
            sum->hausdorff,
            sum->hausdorff_high,
            sum->ratio,
        };
        add_row(report, g, kind, NULL, numbers, table);
    }
}

/* After these: the time and the length in each area. */
static const struct table_column agent_columns[] = {
    { "steps", .digits = 0,
      .meaning = "steps that the agent took to the capture" },
    { "length (cells)", .digits = 2, .meaning = "length of its path" },
    { "length over the shortest", .digits = 4,
      .meaning = "this over the length of the shortest path" },
    { "time (cells at c = 1)", .digits = 3,
      .meaning = "time of its path, the integral of ds/c" },
    { "least time (cells at c = 1)", .digits = 3,
      .meaning = "time of the path of least time from its start" },
    { "time over the least", .digits = 5,
      .meaning = "the first over the second of these times" },
    { "Hausdorff distance (cells)", .digits = 2,
      .meaning =
          "Hausdorff distance between its path and the path of least time" },
};
enum { AGENT_COLUMNS = sizeof agent_columns / sizeof *agent_columns };

/* The number of the area in the report, or area_count. */
static size_t find_area(const struct report *report, const char *name)
{
    size_t i = 0;
    while (i < report->area_count && strcmp(report->areas[i], name) != 0)
        i++;
    return i;
}

/* All areas' names in the order of first occurrence, and the table's
 * columns. */
static void name_areas(struct report *report)
{
    size_t most = 0;
    for (size_t i = 0; i < report->study->reading_count; i++)
        most += report->readings[i].steering.areas.count;
    report->texts =
        need_memory(report->study->key_count + 3, sizeof *report->texts);
    report->areas = need_memory(most, sizeof *report->areas);
    report->columns =
        need_memory(AGENT_COLUMNS + 2 * most, sizeof *report->columns);
    report->column_names = need_memory(2 * most, sizeof *report->column_names);
    memcpy(report->columns, agent_columns, sizeof agent_columns);
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct areas *areas = &report->readings[i].steering.areas;
        for (size_t k = 1; k < areas->count; k++) {
            size_t at = find_area(report, areas->name[k]);
            if (at < report->area_count)
                continue;
            memcpy(report->areas[report->area_count++], areas->name[k],
                   AREA_NAME_SIZE);
            char(*names)[AREA_NAME_SIZE + 24] = &report->column_names[2 * at];
            snprintf(names[0], sizeof *names, "time in %s", areas->name[k]);
            snprintf(names[1], sizeof *names, "cells in %s", areas->name[k]);
            for (int half = 0; half < 2; half++)
                report->columns[AGENT_COLUMNS + 2 * at + (size_t)half] =
                    (struct table_column){ names[half], .digits = 3 - half };
        }
    }
}

/* A path of an agent, or of the place from which it starts. */
static void add_agent(const struct report *report, size_t reading, int kind,
                      size_t number, size_t place,
                      const struct steering_path *path, void *to)
{
    struct table *table = to;
    const struct steering *steering = &report->readings[reading].steering;
    const struct areas *areas = &steering->areas;
    double *numbers = need_memory(table->column_count, sizeof *numbers);
    struct polyline_share *shares = need_memory(areas->count, sizeof *shares);
    const double first[AGENT_COLUMNS] = {
        kind < TRACE ? steering->agents[number].steps : (double)NAN,
        path->length,
        path->ratio,
        path->time,
        steering->places[place].least,
        path->fermat,
        path->hausdorff,
    };
    memcpy(numbers, first, sizeof first);
    for (size_t i = AGENT_COLUMNS; i < table->column_count; i++)
        numbers[i] = NAN;
    polyline_add_shares(&path->line, &steering->terrain, areas->of, shares);
    for (size_t k = 1; k < areas->count; k++) {
        size_t at = find_area(report, areas->name[k]);
        numbers[AGENT_COLUMNS + 2 * at] = shares[k].time;
        numbers[AGENT_COLUMNS + 2 * at + 1] = shares[k].length;
    }
    add_row(report, report->study->readings[reading].group, kind,
            name_at(steering, kind, number, place), numbers, table);
    memory_release(numbers);
    memory_release(shares);
}

/* By groups, in the order of their readings; of each first the agents. */
static void add_agents(const struct report *report, struct table *table)
{
    init_texts(report, "agents", true, report->columns,
               AGENT_COLUMNS + 2 * report->area_count, table);
    for (size_t g = 0; g < report->study->group_count; g++)
        for (size_t i = 0; i < report->study->reading_count; i++)
            if (report->study->readings[i].group == g)
                each_path(report, i, add_agent, table);
}

static const struct table_column interface_columns[] = {
    { "c2/c1", .digits = 4,
      .meaning = "speed beyond the change over the speed before it" },
    { "sigma (cells)", .digits = 1, .meaning = "width of the pulse" },
    { "R", .digits = 5,
      .meaning = "reflected amplitude, measured (of the incident amplitude)" },
    { "R by the law", .digits = 5,
      .meaning = "the same, by the law of the form of the equation" },
    { "R off (%)", .digits = 3, .meaning = "relative difference of the two" },
    { "T", .digits = 5,
      .meaning =
          "transmitted amplitude, measured (of the incident amplitude)" },
    { "T by the law", .digits = 5, .meaning = "the same, by the law" },
    { "T off (%)", .digits = 3, .meaning = "relative difference of the two" },
};
enum {
    INTERFACE_COLUMNS = sizeof interface_columns / sizeof *interface_columns
};

static void add_interfaces(const struct report *report, struct table *table)
{
    const struct study *study = report->study;
    table_init(table, "interface", interface_columns, INTERFACE_COLUMNS);
    for (size_t i = 0; i < study->reading_count; i++) {
        const struct interface *found = &report->readings[i].interface;
        if (!report->readings[i].strip)
            continue;
        const double numbers[INTERFACE_COLUMNS] = {
            found->c2 / found->c1,
            found->sigma,
            found->reflected,
            found->reflected_law,
            100 * fabs(found->reflected / found->reflected_law - 1),
            found->transmitted,
            found->transmitted_law,
            100 * fabs(found->transmitted / found->transmitted_law - 1),
        };
        table_add(table, study->groups[study->readings[i].group].label,
                  numbers);
    }
}

static void describe_columns(FILE *out)
{
    fputs("Each setting that differs between the groups has a column too.\n\n"
          "A row for each group and method:\n",
          out);
    table_describe("group", "settings that differ between the groups: method",
                   out);
    table_describe("method", "of the agents, or another kind of path", out);
    table_describe_columns(path_columns, PATH_COLUMNS, out);
    fputs("\nWith --agents, a row for each agent, and for each start a row for "
          "each other\nkind of path:\n",
          out);
    table_describe("agents", "settings: agent, method", out);
    table_describe("agent", "its name, or the first one's that starts there",
                   out);
    table_describe("method", "of the agent, or another kind of path", out);
    table_describe_columns(agent_columns, AGENT_COLUMNS, out);
    table_describe("time in AREA",
                   "part of the time in this area (cells at c "
                   "= 1)",
                   out);
    table_describe("cells in AREA", "part of the length in this area (cells)",
                   out);
    fputs("\nOf a strip, a row for each recording:\n", out);
    table_describe("interface", "settings that differ between the recordings",
                   out);
    table_describe_columns(interface_columns, INTERFACE_COLUMNS, out);
}

static void make_table(const void *of, struct table *table)
{
    const struct report *report = of;
    if (report->strips)
        add_interfaces(report, table);
    else if (report->agents)
        add_agents(report, table);
    else
        add_paths(report, table);
}

/* ---- the maps ---- */

static int extent_of(const struct grid *grid, int axis)
{
    return axis == 0 ? grid->nx : axis == 1 ? grid->ny : grid->nz;
}

/* The extent of the paths of least time and of least length along an axis. */
static double reach_along(const struct steering *steering, int axis)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < steering->place_count; k++)
        for (int kind = STEERING_LEAST; kind < STEERING_PATHS; kind++) {
            const struct polyline *line = &steering->places[k].path[kind].line;
            for (size_t i = 0; i < line->count; i++) {
                low = fmin(low, line->points[i][axis]);
                high = fmax(high, line->points[i][axis]);
            }
        }
    return high - low;
}

static bool is_free(const struct side *side, int across, int down)
{
    const struct terrain *terrain = &side->steering->terrain;
    int at[GRID_AXES] = { 0 };
    at[side->flat] = (int)side->steering->source[side->flat];
    at[side->across] = across;
    at[side->down] = down;
    return !terrain->wall[grid_index(&terrain->grid, at[0], at[1], at[2])];
}

/* Its free cells, and one more in each direction. */
static void crop(struct side *side)
{
    const struct grid *grid = &side->steering->terrain.grid;
    const int size[2] = { extent_of(grid, side->across),
                          extent_of(grid, side->down) };
    side->low[0] = size[0];
    side->low[1] = size[1];
    for (int y = 0; y < size[1]; y++)
        for (int x = 0; x < size[0]; x++)
            if (is_free(side, x, y)) {
                const int at[2] = { x, y };
                for (int i = 0; i < 2; i++) {
                    if (at[i] - 1 < side->low[i])
                        side->low[i] = at[i] > 0 ? at[i] - 1 : 0;
                    if (at[i] + 1 > side->high[i])
                        side->high[i] =
                            at[i] + 1 < size[i] ? at[i] + 1 : size[i] - 1;
                }
            }
}

static enum status read_areas(struct side *side, struct error *error)
{
    const bool deep = side->steering->terrain.grid.dims == GRID_AXES;
    const struct view_place place = {
        deep ? side->flat : -1,
        deep ? (int64_t)side->steering->source[side->flat] : 0, false
    };
    struct view *view = NULL;
    enum status status =
        view_open(side->recording, "walls", 0, &place, &view, error);
    if (!status)
        status = view_read(view, 0, error);
    if (!status)
        status = outlined_read(view, AREA_SPEED, &side->areas, error);
    view_release(view);
    return status;
}

/* In 2D the paths are seen along z; in 3D along the two axes with the smallest
 * extents. */
static enum status add_maps(struct report *report, size_t group,
                            struct error *error)
{
    const size_t first = report->study->groups[group].first;
    const struct steering *steering = &report->readings[first].steering;
    const bool flat = steering->terrain.grid.dims == 2;
    enum status status = STATUS_OK;
    int widest = 0;
    for (int axis = 1; axis < GRID_AXES; axis++)
        if (reach_along(steering, axis) > reach_along(steering, widest))
            widest = axis;
    for (int axis = GRID_AXES - 1;
         axis >= 0 && report->side_count < MAPS && !status; axis--)
        if (flat ? axis == 2 : axis != widest) {
            struct side *side = &report->sides[report->side_count++];
            *side = (struct side){
                .group = group,
                .steering = steering,
                .recording = report->study->readings[first].recording,
                .flat = axis,
                .across = axis == 0,
                .down = axis == 2 ? 1 : 2,
            };
            crop(side);
            status = read_areas(side, error);
        }
    return status;
}

static enum status check_from(const struct report *report, struct error *error)
{
    for (size_t i = 0; i < report->study->reading_count && report->from; i++) {
        const struct steering *steering = &report->readings[i].steering;
        for (size_t k = 0; k < steering->agent_count; k++)
            if (strcmp(steering->agents[k].name, report->from) == 0)
                return STATUS_OK;
    }
    return !report->from
               ? STATUS_OK
               : error_set(error, STATUS_INPUT,
                           "--agent %s: no such agent is measured in %s; see "
                           "--agents",
                           report->from,
                           recording_path(report->study->recordings[0]));
}

static enum status make_maps(struct report *report, struct error *error)
{
    enum status status = check_from(report, error);
    for (size_t g = 0; g < report->study->group_count && !status; g++)
        if (report->side_count < MAPS)
            status = add_maps(report, g, error);
    return status;
}

/* Rectangles of walls: runs of cells that several rows share. */
static void write_walls(const struct side *side, size_t map,
                        struct chart *chart)
{
    const int width = side->high[0] + 2;
    int *top = need_memory((size_t)width, sizeof *top); /* 1 + row; 0: none */
    int *end = need_memory((size_t)width, sizeof *end);
    for (int y = side->low[1]; y <= side->high[1] + 1; y++)
        for (int x = side->low[0]; x <= side->high[0]; x++) {
            int right = x;
            while (y <= side->high[1] && right <= side->high[0] &&
                   !is_free(side, right, y))
                right++;
            for (int i = x; i <= (right > x ? right - 1 : x); i++)
                if (top[i] && (i > x || end[i] != right)) {
                    CHART_ROW(chart, (double)(map + 1), i - .5, top[i] - 1.5,
                              end[i] - .5, y - .5);
                    top[i] = 0;
                }
            if (right == x)
                continue;
            top[x] = top[x] ? top[x] : y + 1;
            end[x] = right;
            x = right - 1;
        }
    memory_release(top);
    memory_release(end);
}

static void write_areas(const struct side *side, size_t map,
                        struct chart *chart)
{
    for (size_t a = 0; a < side->areas.count; a++) {
        const struct outlined *area = &side->areas.area[a];
        for (size_t i = 0; i < area->loops; i++) {
            const struct outline *loop = &side->areas.loop[area->first + i];
            for (size_t k = 0; k <= loop->count; k++)
                CHART_ROW(chart, (double)(map + 1), (double)(a + 1),
                          area->value, loop->corner[k % loop->count][0],
                          loop->corner[k % loop->count][1]);
            chart_gap(chart);
        }
    }
}

/* ---- the crossings ---- */

static void add_crossings(const struct report *report, size_t reading, int kind,
                          size_t number, size_t place,
                          const struct steering_path *path, void *to)
{
    struct report *made = to;
    const size_t group = report->study->readings[reading].group;
    struct refraction *found = NULL;
    size_t room = 0, count = 0;
    (void)number;
    (void)place;
    if (path->arrived && (kind == METHOD_WAVE || kind == METHOD_WAVE_PINCER ||
                          kind == TRACE || kind == LEAST))
        refraction_add(&path->line, &report->readings[reading].steering.terrain,
                       &found, &count, &room);
    for (size_t i = 0; i < count; i++) {
        made->crossings =
            need_more(made->crossings, made->crossing_count,
                      &made->crossing_room, sizeof *made->crossings);
        made->crossings[made->crossing_count++] =
            (struct crossing){ group, kind, found[i] };
    }
    memory_release(found);
}

/* ---- the chart's tables ---- */

static void write_interfaces(const struct report *report, char *const *words,
                             struct chart *chart)
{
    double high = 1;
    bool conservative = false, other = false;
    chart_table(chart, "strips",
                "amplitudes at a change of speed, of the incident one; form 0 "
                "c2-laplacian, 1 conservative",
                "group,c2 / c1 (1),form,reflected (1),reflected by the law "
                "(1),transmitted (1),transmitted by the law (1),label");
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct interface *found = &report->readings[i].interface;
        const size_t group = report->study->readings[i].group;
        CHART_CELLS(chart, (double)(group + 1), found->c2 / found->c1,
                    found->conservative, found->reflected, found->reflected_law,
                    found->transmitted, found->transmitted_law);
        chart_word(chart, words[group], '\n');
        high = fmax(high, found->c2 / found->c1);
        conservative |= found->conservative;
        other |= !found->conservative;
    }
    chart_option_number(chart, "high", high);
    chart_option_number(chart, "form_0", other);
    chart_option_number(chart, "form_1", conservative);
}

static const char *words_of_kind(const struct report *report, int kind)
{
    const struct labels_given *given = &report->study->labels;
    const char *text = labels_text(given, kind_name(kind));
    return text            ? text
           : kind == LEAST ? _("path of least time")
           : kind < TRACE  ? labels_method(given, kind_name(kind))
           : kind == TRACE ? _("along the headings of first arrivals")
                           : _("shortest path");
}

/* Is it a path from the start given by --agent? */
static bool is_from(const struct report *report,
                    const struct steering *steering, size_t place)
{
    for (size_t i = 0; i < steering->agent_count && report->from; i++)
        if (steering->agents[i].place == place &&
            strcmp(steering->agents[i].name, report->from) == 0)
            return true;
    return !report->from;
}

/* The next point to write after this one: those between lie on a straight line,
 * to .005 cells. */
static size_t next_corner(const struct polyline *line, size_t from)
{
    enum { LONGEST = 100 };
    size_t to = from + 1;
    for (size_t end = from + 2; end < line->count && end - from < LONGEST;
         end++) {
        const double *a = line->points[from], *b = line->points[end];
        const double length = polyline_distance(a, b);
        for (size_t i = from + 1; i < end; i++) {
            const double *at = line->points[i];
            const double bent =
                polyline_distance(a, at) + polyline_distance(at, b) - length;
            if (bent * length > 2 * .005 * .005)
                return to;
        }
        to = end;
    }
    return to;
}

/* The map draws those of its group's first reading. Agents have a point for
 * each step; other paths may run along the edge of an area. */
static void write_path(const struct report *report, size_t reading, int kind,
                       size_t number, size_t place,
                       const struct steering_path *path, void *to)
{
    struct chart *chart = to;
    const struct study *study = report->study;
    const size_t group = study->readings[reading].group;
    const bool drawn =
        study->groups[group].first == reading &&
        is_from(report, &report->readings[reading].steering, place);
    (void)number;
    for (size_t i = 0; i < path->line.count;
         i = kind < TRACE ? next_corner(&path->line, i) : i + 1) {
        const double *at = path->line.points[i];
        CHART_CELLS(chart, (double)(group + 1), drawn, at[0], at[1], at[2]);
        chart_word(chart, kind_name(kind), '\n');
    }
    chart_gap(chart);
}

/* A row of the panels of losses: a group's paths of a kind. */
static bool has_row(const struct report *report, size_t group, int kind)
{
    return kind != LEAST && report->sums[group][kind].fermat.n > 0;
}

/* The height of its row, from the top; NAN: none. Groups are apart. */
static double height_of(const struct report *report, size_t group, int kind)
{
    double y = 0;
    for (size_t g = 0; g <= group; g++) {
        for (int k = 0; k < (g == group ? kind : KINDS); k++)
            y += has_row(report, g, k);
        y += g < group ? .5 : 0;
    }
    return has_row(report, group, kind) ? y + .5 : (double)NAN;
}

static void write_start(const struct report *report, size_t reading, int kind,
                        size_t number, size_t place,
                        const struct steering_path *path, void *to)
{
    struct chart *chart = to;
    const struct steering *steering = &report->readings[reading].steering;
    const struct steering_place *from = &steering->places[place];
    const size_t group = report->study->readings[reading].group;
    const double aside = .8 * fmod((double)number * .6180339887, 1) - .4;
    CHART_CELLS(chart, (double)(group + 1),
                height_of(report, group, kind) + aside,
                report->study->groups[group].first == reading &&
                    is_from(report, steering, place),
                from->at[0], from->at[1], from->at[2], path->time, from->least,
                100 * (path->fermat - 1), path->hausdorff,
                (double)report->sums[group][kind].lost.n);
    chart_word(chart, name_at(steering, kind, number, place), ',');
    chart_word(chart, kind_name(kind), '\n');
}

static void write_sums(const struct report *report, struct chart *chart)
{
    for (size_t g = 0; g < report->study->group_count; g++)
        for (int kind = 0; kind < KINDS; kind++) {
            const struct sum *sum = &report->sums[g][kind];
            const struct summary *lost = &sum->lost, *far = &sum->far;
            if (!has_row(report, g, kind))
                continue;
            CHART_CELLS(chart, (double)(g + 1), height_of(report, g, kind),
                        (double)sum->paths, (double)lost->n, lost->median,
                        lost->interval.low, lost->interval.high, far->median,
                        far->interval.low, far->interval.high);
            chart_word(chart, kind_name(kind), '\n');
        }
}

static void write_crossings(const struct report *report, struct chart *chart)
{
    for (size_t i = 0; i < report->crossing_count; i++) {
        const struct crossing *crossing = &report->crossings[i];
        const struct refraction *r = &crossing->refraction;
        CHART_CELLS(chart, (double)(crossing->group + 1), r->at[0], r->at[1],
                    r->at[2], r->fast, r->slow, r->fast_angle, r->slow_angle,
                    r->law);
        chart_word(chart, kind_name(crossing->kind), '\n');
    }
}

static void write_tables(const struct report *report, struct chart *chart)
{
    chart_table(chart, "walls", "corners of rectangles of wall",
                "map,left (cells),top (cells),right (cells),bottom (cells)");
    for (size_t m = 0; m < report->side_count; m++)
        write_walls(&report->sides[m], m, chart);
    chart_table(chart, "areas",
                "corners of the outlines of areas of another speed",
                "map,area,speed (1),across (cells),down (cells)");
    for (size_t m = 0; m < report->side_count; m++)
        write_areas(&report->sides[m], m, chart);
    chart_table(chart, "paths",
                "corners; those of a group's first recording are drawn",
                "group,drawn,x (cells),y (cells),z (cells),method");
    each_path_of_all(report, write_path, chart);
    chart_table(
        chart, "starts",
        "each path; its row in the panel of losses; arrived: paths of this row",
        "group,row,drawn,x (cells),y (cells),z (cells),time (cells at "
        "c = 1),least time (cells at c = 1),time lost (%),Hausdorff "
        "distance (cells),arrived (1),agent,method");
    each_path_of_all(report, write_start, chart);
    chart_table(chart, "sums",
                "medians over the paths that arrived, and their 95 % "
                "intervals; NaN: none",
                "group,row,paths (1),arrived (1),time lost (%),time lost 95 % "
                "low (%),time lost 95 % high (%),Hausdorff distance "
                "(cells),Hausdorff distance 95 % low (cells),Hausdorff "
                "distance 95 % high (cells),method");
    write_sums(report, chart);
    chart_table(chart, "crossings",
                "where paths cross a straight side of an area; angles from "
                "its normal, where waves are faster and slower, and the "
                "latter by Snell's law",
                "group,x (cells),y (cells),z (cells),faster (1),slower "
                "(1),faster angle (degrees),slower angle (degrees),slower "
                "angle by the law (degrees),method");
    write_crossings(report, chart);
}

/* ---- the chart's options ---- */

/* Of a map: its group, its axes, its cells, and what it shows. */
static void set_map(const struct report *report, size_t m, const char *words,
                    struct chart *chart)
{
    const struct side *side = &report->sides[m];
    const char axes[] = "xyz";
    const double *source = side->steering->source;
    const bool deep = side->steering->terrain.grid.dims == GRID_AXES;
    const size_t count = report->study->groups[side->group].count;
    double most = -1;
    const char *worst = "";
    for (size_t i = 0; i < side->steering->agent_count; i++) {
        const struct steering_agent *agent = &side->steering->agents[i];
        if (agent->method == METHOD_WAVE && agent->path.arrived &&
            is_from(report, side->steering, agent->place) &&
            100 * (agent->path.fermat - 1) > most) {
            most = 100 * (agent->path.fermat - 1);
            worst = agent->name;
        }
    }
    char *seen = deep ? need_format(_("%s, along %c"), words, axes[side->flat])
                      : need_text(words);
    char *says =
        count > 1 ? need_format(_("%s, first of %zu recordings"), seen, count)
                  : need_text(seen);
    chart_option_text_of(chart, "map", m, says);
    memory_release(seen);
    memory_release(says);
    chart_option_text_of(chart, "worst", m, most >= .05 ? worst : "");
    chart_option_of(chart, "most", m, most);
    chart_option_of(chart, "map_group", m, (double)(side->group + 1));
    chart_option_of(chart, "across", m, 3 + side->across);
    chart_option_of(chart, "down", m, 3 + side->down);
    chart_option_of(chart, "x_low", m, side->low[0] - .5);
    chart_option_of(chart, "x_high", m, side->high[0] + .5);
    chart_option_of(chart, "y_low", m, side->low[1] - .5);
    chart_option_of(chart, "y_high", m, side->high[1] + .5);
    chart_option_of(chart, "source_x", m, source[side->across]);
    chart_option_of(chart, "source_y", m, source[side->down]);
    chart_option_of(chart, "areas", m, (double)side->areas.count);
    for (size_t a = 0; a < side->areas.count; a++) {
        char *name = need_format("speed_%zu", m + 1);
        chart_option_of(chart, name, a, side->areas.area[a].value);
        memory_release(name);
    }
}

/* Each speed of the maps' areas once, with the area's name if it has one. */
static void set_area_key(const struct report *report, struct chart *chart)
{
    double speeds[MAPS * OUTLINED_MOST];
    size_t count = 0;
    for (size_t m = 0; m < report->side_count; m++)
        for (size_t a = 0; a < report->sides[m].areas.count; a++) {
            const struct outlined *area = &report->sides[m].areas.area[a];
            size_t i = 0;
            while (i < count && fabs(speeds[i] - area->value) > 1e-9)
                i++;
            if (i < count)
                continue;
            const bool named = strncmp(area->name, "c = ", 4) != 0;
            char *text = need_format("%s%sc = %g", named ? area->name : "",
                                     named ? _(": ") : "", area->value);
            chart_option_text_of(chart, "area_label", count, text);
            chart_option_of(chart, "area_speed", count, area->value);
            memory_release(text);
            speeds[count++] = area->value;
        }
    chart_option_number(chart, "area_labels", (double)count);
}

/* Labels of the rows: of one group the methods, else the groups. */
static void set_rows(const struct report *report, char *const *words,
                     struct chart *chart)
{
    const size_t groups = report->study->group_count;
    size_t labels = 0;
    double last = 0;
    for (size_t g = 0; g < groups; g++) {
        double low = NAN, high = NAN;
        for (int kind = 0; kind < KINDS; kind++) {
            const double y = height_of(report, g, kind);
            low = fmin(low, y); /* NAN is skipped */
            high = fmax(high, y);
            if (groups > 1 || isnan(y))
                continue;
            chart_option_text_of(chart, "label", labels,
                                 words_of_kind(report, kind));
            chart_option_of(chart, "label_at", labels++, y);
        }
        if (groups > 1 && !isnan(high)) {
            chart_option_text_of(chart, "label", labels, words[g]);
            chart_option_of(chart, "label_at", labels++, (low + high) / 2);
        }
        last = fmax(last, high + .5);
    }
    chart_option_number(chart, "labels", (double)labels);
    chart_option_number(chart, "rows", last);
}

static int by_ratio(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The ratios of speeds at the crossings: the law has a line for each. */
static void set_ratios(const struct report *report, struct chart *chart)
{
    double *ratios = need_memory(report->crossing_count + 1, sizeof *ratios);
    size_t count = 0;
    for (size_t i = 0; i < report->crossing_count; i++) {
        const struct refraction *r = &report->crossings[i].refraction;
        size_t k = 0;
        while (k < count && fabs(ratios[k] - r->slow / r->fast) > 1e-9)
            k++;
        if (k == count)
            ratios[count++] = r->slow / r->fast;
    }
    qsort(ratios, count, sizeof *ratios, by_ratio);
    for (size_t i = 0; i < count; i++)
        chart_option_of(chart, "ratio", i, ratios[i]);
    double widest = 0;
    for (size_t i = 0; i < report->crossing_count; i++)
        widest = fmax(widest, report->crossings[i].refraction.fast_angle);
    chart_option_number(chart, "widest", widest);
    chart_option_number(chart, "ratios", (double)count);
    memory_release(ratios);
}

static void set_options(const struct report *report, char *const *words,
                        struct chart *chart)
{
    size_t kinds = 0;
    double lost = 1, least = 1, far = 1;
    chart_option_number(chart, "maps", (double)report->side_count);
    for (size_t m = 0; m < report->side_count; m++)
        set_map(report, m, words[report->sides[m].group], chart);
    set_area_key(report, chart);
    for (int kind = 0; kind < KINDS; kind++)
        if (report->there[kind]) {
            chart_option_text_of(chart, "method", kinds, kind_name(kind));
            chart_option_text_of(chart, "words", kinds++,
                                 words_of_kind(report, kind));
        }
    chart_option_number(chart, "kinds", (double)kinds);
    for (size_t g = 0; g < report->study->group_count; g++)
        for (int kind = 0; kind < KINDS; kind++)
            if (has_row(report, g, kind)) {
                const struct sum *sum = &report->sums[g][kind];
                lost = fmax(lost, 100 * (sum->fermat_high - 1));
                far = fmax(far, sum->hausdorff_high);
                least = fmin(least, sum->least);
            }
    chart_option_number(chart, "most_lost", lost);
    chart_option_number(chart, "least_lost",
                        pow(10, floor(log10(fmax(least, .01)) + 1e-9)));
    chart_option_number(chart, "farthest", far);
    chart_option_number(chart, "groups", (double)report->study->group_count);
    set_rows(report, words, chart);
    set_ratios(report, chart);
}

static enum status write_data(const void *of, struct chart *chart,
                              struct error *error)
{
    const struct report *report = of;
    const size_t count = report->study->group_count;
    char **words = need_memory(count, sizeof *words);
    (void)error;
    study_words(report->study, words);
    if (report->strips) {
        write_interfaces(report, words, chart);
    } else {
        set_options(report, words, chart);
        write_tables(report, chart);
    }
    for (size_t g = 0; g < count; g++)
        memory_release(words[g]);
    memory_release(words);
    return STATUS_OK;
}

/* Why traces of a reading did not arrive, if the wave had not reached their
 * cells. */
static void write_undetected(struct report *report, size_t reading)
{
    const struct steering *steering = &report->readings[reading].steering;
    size_t used = strlen(report->remark);
    if (!steering->undetected)
        return;
    snprintf(
        report->remark + used, sizeof report->remark - used,
        "\n%.60s: %zu of %zu traces end at cells that the wave had not reached "
        "when",
        report->study->groups[report->study->readings[reading].group].label,
        steering->undetected, steering->place_count);
    used = strlen(report->remark);
    if (steering->sent_anew < 0)
        snprintf(report->remark + used, sizeof report->remark - used,
                 " the recording ended: raise steps");
    else
        snprintf(report->remark + used, sizeof report->remark - used,
                 " it was sent again at step %" PRId64 ": raise wave.lifetime",
                 steering->sent_anew);
}

/* Notes on the figures. */
static void write_notes(struct report *report)
{
    double bound = 0;
    size_t left_out = 0;
    for (size_t i = 0; i < report->study->reading_count; i++) {
        bound = fmax(bound, report->readings[i].steering.bound);
        left_out += report->readings[i].steering.left_out;
    }
    const bool deep =
        report->readings[0].steering.terrain.grid.dims == GRID_AXES;
    for (int drawn = 0; drawn < 2; drawn++) {
        char *note = report->note[drawn];
        int used = snprintf(
            note, sizeof *report->note,
            words_if(drawn, "Least times: on their routes they are too long "
                            "by a relative %.1g at most; another route may be "
                            "faster."),
            bound);
        if (!drawn)
            snprintf(report->remark, sizeof report->remark, "%s", note);
        if (deep)
            snprintf(note + used, sizeof *report->note - (size_t)used, "\n%s",
                     words_if(drawn, "Maps: paths projected; walls and areas "
                                     "of the layer of the source."));
    }
    size_t used = strlen(report->remark);
    if (left_out)
        snprintf(report->remark + used, sizeof report->remark - used,
                 "\nNot measured: %zu agent%s within 3 cells of the source or "
                 "without a path to it.",
                 left_out, left_out == 1 ? "" : "s");
    for (size_t i = 0; i < report->study->reading_count; i++)
        write_undetected(report, i);
}

static const char *note(const void *of, bool drawn)
{
    return ((const struct report *)of)->note[drawn];
}

/* Groups with a map. */
static size_t count_drawn(const void *of, const struct chart_figure *figure)
{
    const struct report *report = of;
    for (size_t i = 0; i < figure->count && report->side_count; i++)
        if (strcmp(figure->panels[i].name, "paths") == 0)
            return report->sides[report->side_count - 1].group + 1;
    return report->study->group_count;
}

static const char *remark(const void *of)
{
    return ((const struct report *)of)->remark;
}

static enum status make(void *of, const struct study *study, int wave,
                        struct error *error)
{
    struct report *report = of;
    *report = (struct report){ .study = study,
                               .agents = report->agents,
                               .from = report->from };
    report->readings =
        need_memory(study->reading_count, sizeof *report->readings);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->reading_count && !status; i++)
        status = measure(report, i, wave, error);
    if (!status && report->agents && report->strips)
        status = error_set(error, STATUS_INPUT,
                           "--agents: %s is a strip, whose agents are not "
                           "measured; leave out --agents",
                           recording_path(study->recordings[0]));
    if (!status && report->agents && study->variation_count)
        status = error_set(error, STATUS_INPUT,
                           "--agents: the agents' paths do not depend on "
                           "--vary, only traces do; leave out one of them");
    if (status)
        return status;
    if (report->strips)
        return STATUS_OK;
    sum_all(report);
    name_areas(report);
    each_path_of_all(report, add_crossings, report);
    write_notes(report);
    return make_maps(report, error);
}

static void choose_panels(const void *of, struct chart_figure *figure)
{
    const struct report *report = of;
    figure->count = report->strips ? 1 : PANELS - !report->crossing_count;
    memcpy(figure->panels, report->strips ? &strip_panel : panels,
           figure->count * sizeof *panels);
}

static const char notes[] =
    "The recordings are 2D or 3D. A strip one cell wide gives the amplitudes\n"
    "that a change of speed reflects and transmits. In any other recording\n"
    "the paths of the agents, by method, and paths traced from their starts\n"
    "along the headings of first arrivals are compared with the path of least\n"
    "time: by their time (Fermat ratio) and their distance (Hausdorff). The\n"
    "shortest path, which ignores speeds, is compared too.\n"
    "A time is the integral ∫ds/c along the path, in cells at c = 1; it is\n"
    "not the number of steps that an agent took. The chart has the paths on\n"
    "the map (a), the time that each loses (b), its distance (c, only by\n"
    "--panels), and the angles at straight sides of areas with Snell's law\n"
    "(d, if a path crosses one).\n"
    "  hamon-steering -o slow slow-*.h5        # of samples/steering\n"
    "  hamon-steering -o two --agents two-areas.h5\n";

int main(int argc, char **argv)
{
    struct report report = { 0 };
    const struct cli_option own[] = {
        { CLI_FLAG, 0, "agents", NULL,
          "table: a row for each agent, and of each start for the paths\n"
          "of least time and least length, instead of each group",
          &report.agents, 0, 0 },
        { CLI_TEXT, 0, "agent", "NAME",
          "maps: draw only the paths from this agent's start (all)",
          &report.from, 0, 0 },
        { 0 },
    };
    const char *names[KINDS + 1] = { NULL };
    for (int kind = 0; kind < KINDS; kind++)
        names[kind] = kind_name(kind);
    const struct study_program program = {
        .name = "hamon-steering",
        .purpose = "Measures how areas with other wave speeds bend the paths "
                   "of waves and agents.",
        .notes = notes,
        .vary_help =
            "trace with several arrival settings, as in\n"
            "arrival.threshold=1e-3,1e-16; repeatable: all combinations",
        .own = own,
        .table_help =
            "format of the tables on standard output: text, csv, md or\n"
            "tex; with this option they are printed even with -q",
        .commands = steering_gp,
        .title = N_("paths through areas of other speed"),
        .report = &report,
        .make = make,
        .release = release,
        .table = make_table,
        .columns = describe_columns,
        .note = note,
        .drawn = count_drawn,
        .where = N_("the maps"),
        .names = names,
        .remark = remark,
        .data = write_data,
        .panels = choose_panels,
    };
    return study_program_main(&program, argc, argv);
}
