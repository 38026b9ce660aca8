/* SPDX-License-Identifier: MIT */
/* hamon-steering: how areas of other speed bend the paths of waves and of
 * agents. */
#include "analysis/study/interface.h"
#include "analysis/study/program.h"
#include "analysis/study/steering.h"
#include "base/memory.h"
#include "base/need.h"
#include "metrics/summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
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

/* ---- the chart's panels, drawn by steering.gp ---- */

enum legend { MAP_LEGEND = 1, TIME_LEGEND, STRIP_LEGEND };

/* One entry for each panel; ranges and the abscissa depend on the data. */
/* clang-format off */
static const struct chart_panel panels[] = {
    { .name = "map", .title = "paths", /* and from where */
      .own_only = true,
      .block = "map", .style = "map", .every = 40, .legend = MAP_LEGEND },
    { .name = "time",
      .title = "time above the least time", /* and whether it has bars */
      .y = "time lost (%)", .own_only = true, .lines = 1,
      .block = "steering", .style = "time", .legend = TIME_LEGEND },
    { .name = "distance",
      .title = "Hausdorff distance from the path of least time",
      .y = "mean distance (cells)", .own_only = true, .lines = 1,
      .block = "steering", .style = "distance", .legend = TIME_LEGEND },
    { .name = "strip", .title = "amplitudes at a change of speed; lines: laws",
      .x = "speed beyond over speed before, c2 / c1",
      .y = "amplitude (of incident)", .y_range = "[-1.05:2.05]",
      .own_only = true, .lines = 1,
      .block = "interface", .style = "strip", .legend = STRIP_LEGEND },
};
/* clang-format on */
enum { MAP, TIME, DISTANCE, STRIP };

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
};

/* A projection of the map along one axis, onto the section through the
 * source. */
struct side {
    const char *name;       /* of its panel and its block */
    int flat, across, down; /* axes */
};

/* The content of the map. */
struct scene {
    const struct steering *map; /* NULL: strips have none */
    size_t reading;             /* its number */
    size_t place;               /* of the map's places */
    struct side sides[2];       /* one in 2D, two in 3D */
    size_t side_count;
    size_t hues; /* groups with paths on it; not all are drawn */
    size_t *hue; /* (group): its number among these from 1; 0: none */
    double tints[2][3]
                [2]; /* slow and fast: lowest and highest speed; 0: none */
};

struct report {
    const struct study *study;
    bool agents;                   /* --agents: one row for each */
    const char *from;              /* --agent: the map shows its start */
    struct path_reading *readings; /* as study's */
    struct sum (*sums)[KINDS];     /* (group) */
    bool strips;                   /* all are strips; else none is */
    const char *key; /* of the abscissa; NULL: the group's number */
    char abscissa[80];
    bool logarithmic;                /* its axis is logarithmic */
    double low, high;                /* its ends */
    double lost, lost_low, distance; /* ends of axes: per cent of time; cells */
    bool there[KINDS];               /* there is a path of this kind */
    struct study_lines lines;        /* of the panels */
    struct scene scene;
    size_t area_count; /* names of all readings' areas, each once */
    char (*areas)[AREA_NAME_SIZE];
    struct table_column *columns; /* of the table of agents */
    char (*column_names)[AREA_NAME_SIZE + 24];
    char remark[1000], note[240], map_note[240]; /* if maps are drawn */
};

/* The values of the paths of a kind that arrived, for a group's readings. */
struct values {
    double *fermat, *weight, *hausdorff, *ratio;
    size_t count;
};

static void take_path(const struct steering_path *path, struct sum *sum,
                      struct values *values)
{
    sum->paths++;
    if (!path->arrived)
        return;
    values->fermat[values->count] = path->fermat;
    values->weight[values->count++] = 1;
    sum->fermat_high = fmax(sum->fermat_high, path->fermat);
    sum->hausdorff += path->hausdorff;
    sum->hausdorff_high = fmax(sum->hausdorff_high, path->hausdorff);
    sum->ratio += path->ratio;
}

static void sum_kind(const struct report *report, size_t group, int kind,
                     struct values *values)
{
    struct sum *sum = &report->sums[group][kind];
    *sum = (struct sum){ .fermat_high = NAN, .hausdorff_high = NAN };
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
    };
    report->sums = need_memory(study->group_count, sizeof *report->sums);
    for (size_t g = 0; g < study->group_count; g++)
        for (int kind = 0; kind < KINDS; kind++) {
            sum_kind(report, g, kind, &values);
            report->there[kind] |= report->sums[g][kind].paths > 0;
        }
    memory_release(values.fermat);
    memory_release(values.weight);
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
    study_lines_release(&report->lines);
    memory_release(report->scene.hue);
    memory_release(report->areas);
    memory_release(report->columns);
    memory_release(report->column_names);
    *report = (struct report){ 0 };
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

static void add_paths(const struct report *report, struct table *table)
{
    const struct study *study = report->study;
    table_init(table, "group", path_columns, PATH_COLUMNS);
    for (size_t i = 0; i < study->group_count * KINDS; i++) {
        size_t g = i / KINDS;
        int kind = (int)(i % KINDS);
        const struct sum *sum = &report->sums[g][kind];
        char label[STUDY_LABEL_SIZE + 80], name[64];
        if (sum->paths == 0)
            continue;
        name_kind(report, g, kind, name, sizeof name);
        snprintf(label, sizeof label, "%s: %s", study->groups[g].label, name);
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
        table_add(table, label, numbers);
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

static void add_agent(const struct report *report, size_t reading,
                      const struct steering_agent *agent, double *numbers,
                      struct table *table)
{
    const struct study *study = report->study;
    const struct steering *steering = &report->readings[reading].steering;
    const struct steering_path *path = &agent->path;
    size_t group = study->readings[reading].group;
    char label[STUDY_LABEL_SIZE + 160], name[64];
    const double first[AGENT_COLUMNS] = {
        agent->steps,
        path->length,
        path->ratio,
        path->time,
        steering->places[agent->place].least,
        path->fermat,
        path->hausdorff,
    };
    memcpy(numbers, first, sizeof first);
    for (size_t i = AGENT_COLUMNS; i < table->column_count; i++)
        numbers[i] = NAN;
    for (size_t k = 1; k < steering->areas.count; k++) {
        size_t at = find_area(report, steering->areas.name[k]);
        numbers[AGENT_COLUMNS + 2 * at] = agent->shares[k].time;
        numbers[AGENT_COLUMNS + 2 * at + 1] = agent->shares[k].length;
    }
    name_kind(report, group, (int)agent->method, name, sizeof name);
    snprintf(label, sizeof label, "%s: %s, %s", study->groups[group].label,
             agent->name, name);
    table_add(table, label, numbers);
}

/* By groups, in the order of their readings. */
static void add_agents(const struct report *report, struct table *table)
{
    const struct study *study = report->study;
    table_init(table, "agents", report->columns,
               AGENT_COLUMNS + 2 * report->area_count);
    double *numbers = need_memory(table->column_count, sizeof *numbers);
    for (size_t g = 0; g < study->group_count; g++)
        for (size_t i = 0; i < study->reading_count; i++) {
            const struct steering *steering = &report->readings[i].steering;
            if (study->readings[i].group != g)
                continue;
            for (size_t k = 0; k < steering->agent_count; k++)
                add_agent(report, i, &steering->agents[k], numbers, table);
        }
    memory_release(numbers);
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
    fputs("A row for each group and method:\n", out);
    table_describe("group", "settings that differ between the groups: method",
                   out);
    table_describe_columns(path_columns, PATH_COLUMNS, out);
    fputs("\nWith --agents, a row for each agent:\n", out);
    table_describe("agents", "settings: agent, method", out);
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

/* ---- the map ---- */

static double speed_at(const struct steering *steering, size_t cell)
{
    return steering->terrain.speed ? steering->terrain.speed[cell] : 1;
}

/* Does it have a free cell with a speed other than 1? */
static bool has_areas(const struct steering *steering)
{
    for (size_t i = 0; i < grid_cells(&steering->terrain.grid); i++)
        if (!steering->terrain.wall[i] && fabs(speed_at(steering, i) - 1) > 0)
            return true;
    return false;
}

/* The map that is drawn: of the first reading with different speeds, or of the
 * first. */
static size_t shown(const struct report *report)
{
    for (size_t i = 0; i < report->study->reading_count; i++)
        if (has_areas(&report->readings[i].steering))
            return i;
    return 0;
}

/* Is the reading's ground like the map's: the same walls, and areas only in
 * cells in which the map has them? */
static bool is_on(const struct steering *steering, const struct steering *map)
{
    const struct grid *grid = &map->terrain.grid;
    const struct grid *own = &steering->terrain.grid;
    if (own->nx != grid->nx || own->ny != grid->ny || own->nz != grid->nz)
        return false;
    for (size_t i = 0; i < grid_cells(grid); i++)
        if (steering->terrain.wall[i] != map->terrain.wall[i] ||
            (fabs(speed_at(steering, i) - 1) > 0 &&
             fabs(speed_at(map, i) - 1) <= 0))
            return false;
    return true;
}

/* Is it the place that the map shows? */
static bool is_at(const struct steering *steering, size_t place,
                  const double at[GRID_AXES])
{
    return memcmp(steering->places[place].at, at, sizeof(double[GRID_AXES])) ==
           0;
}

/* The largest Hausdorff distance from the path of minimum time, in cells, of
 * agents and traces from this place of the map, over all readings on its
 * ground. */
static double farthest_from(const struct report *report, size_t place)
{
    const struct steering *map = report->scene.map;
    double farthest = 0;
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct steering *steering = &report->readings[i].steering;
        for (int kind = 0; kind <= TRACE && is_on(steering, map); kind++)
            for (size_t k = 0; k < count_of(steering, kind); k++) {
                size_t from;
                const struct steering_path *path =
                    path_at(steering, kind, k, &from);
                if (path && is_at(steering, from, map->places[place].at))
                    farthest = fmax(farthest, path->hausdorff); /* or NaN */
            }
    }
    return farthest;
}

/* The start of the agent given by --agent, else the place whose paths are
 * farthest from that of minimum time, the first of equals. */
static enum status choose_place(struct report *report, struct error *error)
{
    const struct steering *map = report->scene.map;
    double most = -1;
    for (size_t i = 0; i < map->agent_count && report->from; i++)
        if (strcmp(map->agents[i].name, report->from) == 0) {
            report->scene.place = map->agents[i].place;
            return STATUS_OK;
        }
    if (report->from)
        return error_set(error, STATUS_INPUT,
                         "--agent %s: no such agent is measured in %s; see "
                         "--agents",
                         report->from,
                         recording_path(report->study->recordings[0]));
    for (size_t i = 0; i < map->place_count; i++) {
        double here = farthest_from(report, i);
        if (here > most) {
            most = here;
            report->scene.place = i;
        }
    }
    return STATUS_OK;
}

/* The extent of the paths of minimum time and of minimum length along an
 * axis. */
static double reach_along(const struct steering_place *place, int axis)
{
    double low = INFINITY, high = -INFINITY;
    for (int kind = STEERING_LEAST; kind < STEERING_PATHS; kind++)
        for (size_t i = 0; i < place->path[kind].line.count; i++) {
            double at = place->path[kind].line.points[i][axis];
            low = fmin(low, at);
            high = fmax(high, at);
        }
    return high - low;
}

/* In 2D the paths are seen along z; in 3D along the two axes with the smallest
 * extents. */
static void choose_sides(struct scene *scene)
{
    const struct steering_place *place = &scene->map->places[scene->place];
    bool flat = scene->map->terrain.grid.dims == 2;
    int widest = 0;
    for (int axis = 1; axis < GRID_AXES; axis++)
        if (reach_along(place, axis) > reach_along(place, widest))
            widest = axis;
    for (int axis = GRID_AXES - 1; axis >= 0 && scene->side_count < 2; axis--)
        if (flat ? axis == 2 : axis != widest) {
            scene->sides[scene->side_count] = (struct side){
                .name = scene->side_count ? "side" : "map",
                .flat = axis,
                .across = axis == 0,
                .down = axis == 2 ? 1 : 2,
            };
            scene->side_count++;
        }
}

static int extent_of(const struct grid *grid, int axis)
{
    return axis == 0 ? grid->nx : axis == 1 ? grid->ny : grid->nz;
}

/* The cell of a side's section. */
static size_t cell_of(const struct scene *scene, const struct side *side,
                      int across, int down)
{
    int at[GRID_AXES];
    at[side->flat] = (int)scene->map->source[side->flat];
    at[side->across] = across;
    at[side->down] = down;
    return grid_index(&scene->map->terrain.grid, at[0], at[1], at[2]);
}

/* Appends the speeds of a section that are not 1; returns their number. */
static size_t list_speeds(const struct scene *scene, const struct side *side,
                          double *speeds)
{
    const struct grid *grid = &scene->map->terrain.grid;
    size_t count = 0;
    for (int y = 0; y < extent_of(grid, side->down); y++)
        for (int x = 0; x < extent_of(grid, side->across); x++) {
            size_t cell = cell_of(scene, side, x, y);
            double c = speed_at(scene->map, cell);
            if (!scene->map->terrain.wall[cell] && (c < 1 || c > 1))
                speeds[count++] = c;
        }
    return count;
}

/* Sorts the values, and removes duplicates; returns their number. */
static size_t sort_once(double *values, size_t count)
{
    size_t kept = 0;
    summary_sort(values, count);
    for (size_t i = 0; i < count; i++)
        if (!kept || values[i] > values[kept - 1])
            values[kept++] = values[i];
    return kept;
}

/* The speeds of the sections in three tints of slow ones and three of fast
 * ones, beginning with those farthest from 1. */
static void choose_tints(struct scene *scene)
{
    size_t cells = grid_cells(&scene->map->terrain.grid), count = 0, slow = 0;
    double *speeds = need_memory(2 * cells, sizeof *speeds);
    for (size_t i = 0; i < scene->side_count; i++)
        count += list_speeds(scene, &scene->sides[i], speeds + count);
    count = sort_once(speeds, count);
    while (slow < count && speeds[slow] < 1)
        slow++;
    for (size_t i = 0; i < count; i++) {
        bool fast = i >= slow;
        size_t rank = fast ? count - 1 - i : i, of = fast ? count - slow : slow;
        double *tint = scene->tints[fast][of > 3 ? 3 * rank / of : rank];
        tint[0] = tint[0] > 0 ? tint[0] : speeds[i];
        tint[1] = speeds[i];
    }
    memory_release(speeds);
}

/* The tint of a cell: 0 plain, 1 to 3 slow, 4 to 6 fast, 7 wall. */
static int tint_of(const struct scene *scene, size_t cell)
{
    double c = speed_at(scene->map, cell);
    if (scene->map->terrain.wall[cell])
        return 7;
    for (int i = 0; i < 6; i++) {
        const double *tint = scene->tints[i / 3][i % 3];
        if (c >= tint[0] && c <= tint[1])
            return 1 + i;
    }
    return 0;
}

/* Numbers the groups with paths on the map, in their order. */
static void number_hues(struct report *report)
{
    const struct study *study = report->study;
    struct scene *scene = &report->scene;
    scene->hue = need_memory(study->group_count, sizeof *scene->hue);
    for (size_t i = 0; i < study->reading_count; i++) {
        const struct steering *steering = &report->readings[i].steering;
        for (size_t k = 0; k < steering->place_count; k++)
            if (is_on(steering, scene->map) &&
                is_at(steering, k, scene->map->places[scene->place].at))
                scene->hue[study->readings[i].group] = 1;
    }
    for (size_t g = 0; g < study->group_count; g++)
        if (scene->hue[g])
            scene->hue[g] = ++scene->hues;
}

static enum status set_scene(struct report *report, struct error *error)
{
    struct scene *scene = &report->scene;
    scene->reading = shown(report);
    scene->map = &report->readings[scene->reading].steering;
    enum status status = choose_place(report, error);
    if (status)
        return status;
    choose_sides(scene);
    choose_tints(scene);
    number_hues(report);
    return STATUS_OK;
}

static void write_map(const struct scene *scene, const struct side *side,
                      struct chart *chart)
{
    const struct grid *grid = &scene->map->terrain.grid;
    for (int y = 0; y < extent_of(grid, side->down); y++)
        for (int x = 0; x < extent_of(grid, side->across); x++)
            CHART_ROW(chart, x, y, tint_of(scene, cell_of(scene, side, x, y)));
}

/* Is a path from this place drawn? Reference paths are those of the map's own
 * reading. */
static bool is_drawn(const struct report *report, size_t reading, int kind,
                     size_t place)
{
    const struct scene *scene = &report->scene;
    const struct steering *steering = &report->readings[reading].steering;
    return is_at(steering, place, scene->map->places[scene->place].at) &&
           (kind <= TRACE || reading == scene->reading) &&
           is_on(steering, scene->map);
}

static void write_path(const struct report *report, size_t reading, int kind,
                       size_t place, const struct polyline *line,
                       struct chart *chart)
{
    size_t group = report->study->readings[reading].group;
    for (size_t i = 0; i < line->count; i++)
        CHART_ROW(chart, line->points[i][0], line->points[i][1],
                  line->points[i][2], kind + 1, (double)(group + 1),
                  (double)place, (double)report->scene.hue[group]);
    chart_gap(chart);
}

/* Those that are drawn, or the others. */
static void write_paths(const struct report *report, bool drawn,
                        struct chart *chart)
{
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct steering *steering = &report->readings[i].steering;
        for (int kind = 0; kind < KINDS; kind++)
            for (size_t k = 0; k < count_of(steering, kind); k++) {
                size_t place;
                const struct steering_path *path =
                    path_at(steering, kind, k, &place);
                if (path && is_drawn(report, i, kind, place) == drawn)
                    write_path(report, i, kind, place, &path->line, chart);
            }
    }
}

/* ---- the abscissa ---- */

/* Its value in a group; NAN: none, or not a number. */
static double value_of(const struct report *report, const char *key, size_t g)
{
    const struct study *study = report->study;
    return reading_real(study, &study->readings[study->groups[g].first], key,
                        NAN);
}

/* Is it a number in every group, and a name that gnuplot and TeX print
 * unchanged? */
static bool is_abscissa(const struct report *report, const char *key)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789.[]";
    if (strlen(key) > 40 || key[strspn(key, plain)])
        return false;
    for (size_t g = 0; g < report->study->group_count; g++)
        if (!isfinite(value_of(report, key, g)))
            return false;
    return true;
}

static bool is_region_speed(const char *key)
{
    size_t length = strlen(key);
    return strncmp(key, "regions.", 8) == 0 && length > 6 &&
           strcmp(key + length - 6, ".speed") == 0;
}

/* The first setting that varies and is a number; speeds of areas come before
 * all others. */
static void choose_key(struct report *report)
{
    const struct study *study = report->study;
    for (int speeds = 1; speeds >= 0 && !report->key; speeds--)
        for (size_t i = 0; i < study->key_count && !report->key; i++)
            if (is_region_speed(study->keys[i]) == speeds &&
                is_abscissa(report, study->keys[i]))
                report->key = study->keys[i];
}

static double place_of(const struct report *report, size_t g)
{
    return report->key ? value_of(report, report->key, g) : (double)(g + 1);
}

/* Names the axis of the settings and finds its ends, with some margin; for
 * strips it includes 0, at which their laws begin. */
static void find_abscissa(struct report *report)
{
    double low = INFINITY, high = -INFINITY;
    choose_key(report);
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct path_reading *reading = &report->readings[i];
        double at = reading->strip
                        ? reading->interface.c2 / reading->interface.c1
                        : place_of(report, report->study->readings[i].group);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    if (report->strips) {
        low = fmin(low, 1);
        high = fmax(high, 1);
    }
    report->logarithmic = !report->strips && low > 0 && high > 30 * low;
    double room = report->key || report->strips
                      ? .08 * (high > low ? high - low : fmax(fabs(high), 1))
                      : .5;
    double times = pow(high / low, .08);
    report->low = report->strips        ? 0
                  : report->logarithmic ? low / times
                                        : low - room;
    report->high = report->logarithmic ? high * times : high + room;
    snprintf(report->abscissa, sizeof report->abscissa, "%s%s",
             report->key                      ? report->key
             : report->study->group_count > 1 ? "group, by the numbers below"
                                              : "",
             report->key && is_region_speed(report->key) ? " (c of the rest)"
                                                         : "");
}

/* The ends of the other axes. */
static void find_ends(struct report *report)
{
    double lost = .1, least = 10, hausdorff = 1;
    for (size_t g = 0; g < report->study->group_count; g++)
        for (int kind = 0; kind < KINDS; kind++) {
            const struct sum *sum = &report->sums[g][kind];
            if (kind == LEAST || !sum->fermat.n)
                continue;
            lost = fmax(lost, 100 * (sum->fermat.estimate - 1));
            /* NaN is skipped. */
            lost = fmax(lost, 100 * (sum->fermat.interval.high - 1));
            least = fmin(least, 100 * (sum->fermat.estimate - 1));
            hausdorff = fmax(hausdorff, sum->hausdorff);
        }
    report->lost = pow(10, ceil(log10(1.2 * lost)));
    report->lost_low = least < .01 ? .001 : .01;
    report->distance = 1.15 * hausdorff;
}

/* Does a point of the panel of times have an error bar? */
static bool has_bars(const struct report *report)
{
    bool any = false;
    for (size_t i = 0; i < report->study->group_count * KINDS; i++) {
        double low, high;
        interval_bar(&report->sums[i / KINDS][i % KINDS].fermat.interval, &low,
                     &high);
        any = any || !isnan(low);
    }
    return any;
}

static void write_sum(const struct report *report, size_t g, int kind,
                      size_t line, struct chart *chart)
{
    const struct sum *sum = &report->sums[g][kind];
    double low, high;
    interval_bar(&sum->fermat.interval, &low, &high);
    CHART_ROW(chart, place_of(report, g), kind + 1, (double)(line + 1),
              (double)(g + 1), (double)sum->fermat.n, sum->fermat.estimate, low,
              high, sum->hausdorff, sum->hausdorff_high);
}

/* Kind by kind and line by line, so that a line is drawn through its rows. */
static void write_sums(const struct report *report,
                       const struct study_lines *lines, struct chart *chart)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t line = 0; line < lines->count; line++) {
            bool any = false;
            for (size_t g = 0; g < report->study->group_count; g++)
                if (lines->of[g] == line && report->sums[g][kind].fermat.n) {
                    write_sum(report, g, kind, line, chart);
                    any = true;
                }
            if (any)
                chart_gap(chart);
        }
}

/* ---- the chart's data ---- */

static void write_interfaces(const struct report *report,
                             const struct study_lines *lines,
                             struct chart *chart)
{
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct interface *found = &report->readings[i].interface;
        if (!report->readings[i].strip)
            continue;
        size_t group = report->study->readings[i].group;
        CHART_ROW(chart, found->c2 / found->c1, (double)(group + 1),
                  found->conservative, found->reflected, found->reflected_law,
                  found->transmitted, found->transmitted_law,
                  (double)(lines->of[group] + 1));
    }
}

/* ---- legends: styles 50 on of lines, 60 on of grounds, 70 on of kinds on the
 * map, 90 on of kinds in the panels ---- */

enum { HUE = 50, GROUND = 60, ON_MAP = 70, IN_PANEL = 90 };

static bool has_walls(const struct scene *scene, const struct side *side)
{
    const struct grid *grid = &scene->map->terrain.grid;
    for (int y = 0; y < extent_of(grid, side->down); y++)
        for (int x = 0; x < extent_of(grid, side->across); x++)
            if (scene->map->terrain.wall[cell_of(scene, side, x, y)])
                return true;
    return false;
}

static void write_grounds(const struct scene *scene, struct chart *chart)
{
    bool walls = false;
    for (size_t i = 0; i < scene->side_count; i++)
        walls |= has_walls(scene, &scene->sides[i]);
    if (walls)
        chart_entry(chart, MAP_LEGEND, 0, GROUND + 7, "wall");
    for (int i = 0; i < 6; i++) {
        const double *tint = scene->tints[i / 3][i % 3];
        if (tint[1] > tint[0])
            chart_entry(chart, MAP_LEGEND, 0, GROUND + 1 + i,
                        "area, c = %g to %g", tint[0], tint[1]);
        else if (tint[0] > 0)
            chart_entry(chart, MAP_LEGEND, 0, GROUND + 1 + i, "area, c = %g",
                        tint[0]);
    }
}

/* Does the map show a path of this kind? */
static bool is_on_map(const struct report *report, int kind)
{
    const struct scene *scene = &report->scene;
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct steering *steering = &report->readings[i].steering;
        for (size_t k = 0; k < count_of(steering, kind); k++) {
            size_t place;
            if (path_at(steering, kind, k, &place) &&
                is_on(steering, scene->map) &&
                is_at(steering, place, scene->map->places[scene->place].at))
                return true;
        }
    }
    return false;
}

static void write_map_legend(const struct report *report, struct chart *chart)
{
    const struct scene *scene = &report->scene;
    const struct study *study = report->study;
    size_t own = study->readings[scene->reading].group;
    for (size_t g = 0; g < study->group_count && scene->hues > 1; g++)
        if (scene->hue[g] && scene->hue[g] <= CHART_STYLES)
            chart_entry(chart, MAP_LEGEND, HUE + (int)scene->hue[g], 0, "%s",
                        study->groups[g].label);
    if (scene->hues > CHART_STYLES)
        chart_entry(chart, MAP_LEGEND, 0, 0,
                    "%zu more are not drawn (BASE.dat has them)",
                    scene->hues - CHART_STYLES);
    for (int kind = 0; kind < KINDS; kind++)
        if (is_on_map(report, kind)) {
            int style = ON_MAP + 1 + kind;
            bool named = kind == LEAST && scene->hues > 1;
            chart_entry(chart, MAP_LEGEND, style, kind <= TRACE ? style : 0,
                        "%s%s%s", kind_name(kind), named ? ", " : "",
                        named ? study->groups[own].label : "");
        }
    chart_entry(chart, MAP_LEGEND, 0, 22, "source");
    write_grounds(scene, chart);
}

static bool has_arrived(const struct report *report, int kind)
{
    for (size_t g = 0; g < report->study->group_count; g++)
        if (report->sums[g][kind].fermat.n)
            return true;
    return false;
}

static void write_panel_legend(const struct report *report,
                               const struct study_lines *lines,
                               struct chart *chart)
{
    const struct study *study = report->study;
    for (int kind = 0; kind < KINDS; kind++)
        if (kind != LEAST && has_arrived(report, kind))
            chart_entry(chart, TIME_LEGEND, IN_PANEL + 1 + kind,
                        IN_PANEL + 1 + kind, "%s", kind_name(kind));
    for (size_t i = 0; i < lines->drawn_count && lines->drawn_count > 1; i++)
        chart_entry(chart, TIME_LEGEND, HUE + 1 + (int)i, 0, "%s",
                    lines->label[lines->drawn[i]]);
    if (*lines->left_out)
        chart_entry(chart, TIME_LEGEND, 0, 0, "%s", lines->left_out);
    for (size_t g = 0;
         g < study->group_count && !report->key && study->group_count > 1; g++)
        chart_entry(chart, TIME_LEGEND, 0, 0, "%zu: %s", g + 1,
                    study->groups[g].label);
}

static void write_strip_legend(const struct study_lines *lines,
                               struct chart *chart)
{
    bool several = lines->drawn_count > 1;
    chart_entry(chart, STRIP_LEGEND, 21, 0, "transmitted, c2-laplacian");
    chart_entry(chart, STRIP_LEGEND, 22, 0, "transmitted, conservative");
    chart_entry(chart, STRIP_LEGEND, 23, 0, "reflected, c2-laplacian");
    chart_entry(chart, STRIP_LEGEND, 24, 0, "reflected, conservative");
    for (size_t i = 0; i < lines->drawn_count; i++)
        chart_entry(chart, STRIP_LEGEND, 0, 41 + (int)i, "measured%s%s",
                    several ? ", " : "",
                    several ? lines->label[lines->drawn[i]] : "");
    if (*lines->left_out)
        chart_entry(chart, STRIP_LEGEND, 0, 0, "%s", lines->left_out);
}

static void write_path_blocks(const struct report *report,
                              const struct study_lines *lines,
                              struct chart *chart)
{
    const struct scene *scene = &report->scene;
    const double *at = scene->map->places[scene->place].at;
    chart_block(chart, "layout",
                "source x, y, z, and the start that is shown: its number, x, "
                "y, z (cells)");
    CHART_ROW(chart, scene->map->source[0], scene->map->source[1],
              scene->map->source[2], (double)scene->place, at[0], at[1], at[2]);
    for (size_t i = 0; i < scene->side_count; i++) {
        chart_block(chart, scene->sides[i].name,
                    "place on the map across and down (cells), 0 plain, 1 to 3 "
                    "slow, 4 to 6 fast, 7 wall");
        write_map(scene, &scene->sides[i], chart);
    }
    chart_block(chart, "steering",
                "setting of the abscissa, kind, line, group, paths that "
                "arrived, time over the least (mean, ends of its 95 % "
                "interval), Hausdorff distance from the path of least time "
                "(mean, most; cells)");
    write_sums(report, lines, chart);
    chart_block(chart, "paths",
                "x, y, z (cells), kind (1 wave, 2 lee, 3 dijkstra, 4 astar, 5 "
                "fast-marching, 6 dstar-lite, 7 pincer, 8 relay, 9 "
                "relay-complete, 10 wave-pincer, 11 traces, 12 least time, 13 "
                "shortest path), "
                "group, place, number among the groups on the map");
    write_paths(report, true, chart);
    /* After all other blocks, so that gnuplot does not read them. */
    chart_block(chart, "not-drawn",
                "paths as above that the map does not show");
    write_paths(report, false, chart);
}

static enum status write_data(const void *of, struct chart *chart,
                              struct error *error)
{
    const struct report *report = of;
    struct study_lines lines = report->lines;
    (void)error;
    study_lines_name(&lines, NULL, 0, chart);
    if (report->strips) {
        write_strip_legend(&lines, chart);
        chart_block(chart, "interface",
                    "c2/c1, series, form (0 c2-laplacian, 1 conservative), "
                    "reflected amplitude measured and by the law, transmitted "
                    "amplitude measured and by the law (of the incident), "
                    "line");
        write_interfaces(report, &lines, chart);
    } else {
        write_map_legend(report, chart);
        write_panel_legend(report, &lines, chart);
        write_path_blocks(report, &lines, chart);
    }
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
    char least_times[sizeof report->note];
    snprintf(least_times, sizeof least_times,
             "Least times: on their routes they are too long by a relative "
             "%.1g at most; another route may be faster.",
             bound);
    snprintf(report->note, sizeof report->note, "%s", least_times);
    snprintf(report->remark, sizeof report->remark, "%s", least_times);
    snprintf(report->map_note, sizeof report->map_note, "%.160s%s", least_times,
             report->scene.side_count > 1
                 ? "\nMaps: paths projected; walls and areas of the layer of "
                   "the source."
                 : "");
    size_t used = strlen(report->remark);
    if (left_out)
        snprintf(report->remark + used, sizeof report->remark - used,
                 "\nNot measured: %zu agent%s within 3 cells of the source or "
                 "without a path to it.",
                 left_out, left_out == 1 ? "" : "s");
    for (size_t i = 0; i < report->study->reading_count; i++)
        write_undetected(report, i);
}

static const char *note(const void *of, const struct chart_figure *figure)
{
    const struct report *report = of;
    for (size_t k = 0; k < figure->count; k++)
        if (strcmp(figure->panels[k].style, panels[MAP].style) == 0)
            return report->map_note;
    return report->note;
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
    find_abscissa(report);
    study_lines_make(study, report->strips ? "regions.*.speed" : report->key,
                     &report->lines);
    if (report->strips)
        return STATUS_OK;
    sum_all(report);
    name_areas(report);
    status = set_scene(report, error);
    if (!status) {
        find_ends(report);
        write_notes(report);
    }
    return status;
}

static void set_map_panel(const struct scene *scene, size_t i,
                          struct chart_panel *panel)
{
    static const char *const axes[] = { "x (cells)", "y (cells)", "z (cells)" };
    const struct grid *grid = &scene->map->terrain.grid;
    const struct side *side = &scene->sides[i];
    const double *at = scene->map->places[scene->place].at;
    int nx = extent_of(grid, side->across), ny = extent_of(grid, side->down);
    size_t range = sizeof panel->x_range;
    *panel = panels[MAP];
    panel->block = panel->name = side->name;
    panel->x = axes[side->across];
    panel->y = axes[side->down];
    panel->shape = (double)ny / nx;
    if (grid->dims == 2)
        snprintf(panel->title, sizeof panel->title, "paths from (%g, %g)",
                 at[0], at[1]);
    else if (i == 0)
        snprintf(panel->title, sizeof panel->title,
                 "paths from (%g, %g, %g), seen along %c", at[0], at[1], at[2],
                 'x' + side->flat);
    else
        snprintf(panel->title, sizeof panel->title, "the same, seen along %c",
                 'x' + side->flat);
    snprintf(panel->x_range, range, "[-0.5:%g]", nx - .5);
    snprintf(panel->y_range, range, "[%g:-0.5]", ny - .5);
}

/* The lines `name = 1.5` that steering.gp reads. */
static void set_numbers(const struct report *report, char *text, size_t size)
{
    const struct scene *scene = &report->scene;
    int used = snprintf(text, size,
                        "hues = %zu; several = %zu; named = %d; groups = %zu\n"
                        "least = %g; kinds = '",
                        scene->hues < CHART_STYLES ? scene->hues : CHART_STYLES,
                        report->lines.count, report->key != NULL,
                        report->study->group_count, report->lost_low);
    for (int kind = 0; kind < KINDS; kind++)
        if (report->there[kind] && kind != LEAST)
            used += snprintf(text + used, size - (size_t)used, "%d ", kind + 1);
    snprintf(text + used, size - (size_t)used, "'\n");
}

/* The abscissa of a panel of times, distances or amplitudes. */
static void set_abscissa(const struct report *report, struct chart_panel *panel)
{
    snprintf(panel->x_range, sizeof panel->x_range, "[%g:%g]", report->low,
             report->high);
    if (report->strips)
        return;
    panel->x = report->abscissa;
    panel->x_tics = report->key ? 0 : 1;
}

/* The panels of paths, or that of strips. */
static void choose_panels(const void *of, struct chart_figure *figure)
{
    const struct report *report = of;
    const size_t range = sizeof figure->panels->y_range;
    set_numbers(report, figure->numbers, sizeof figure->numbers);
    if (report->strips) {
        figure->count = 1;
        figure->panels[0] = panels[STRIP];
        set_abscissa(report, &figure->panels[0]);
        return;
    }
    size_t maps = report->scene.side_count;
    for (size_t i = 0; i < maps; i++)
        set_map_panel(&report->scene, i, &figure->panels[i]);
    struct chart_panel *time = &figure->panels[maps], *distance = time + 1;
    *time = panels[TIME];
    *distance = panels[DISTANCE];
    set_abscissa(report, time);
    set_abscissa(report, distance);
    time->log = report->logarithmic ? "xy" : "y";
    distance->log = report->logarithmic ? "x" : NULL;
    snprintf(time->y_range, range, "[%g:%g]", report->lost_low, report->lost);
    if (has_bars(report))
        snprintf(time->title, sizeof time->title, "%s, 95 %% intervals",
                 panels[TIME].title);
    snprintf(distance->y_range, range, "[0:%g]", report->distance);
    figure->count = maps + 2;
}

static const char notes[] =
    "The recordings are 2D or 3D. A strip one cell wide gives the amplitudes\n"
    "that a change of speed reflects and transmits. In any other recording\n"
    "the paths of the agents, by method, and paths traced from their starts\n"
    "along the headings of first arrivals are compared with the path of least\n"
    "time: by their time (Fermat ratio) and their distance (Hausdorff). The\n"
    "shortest path, which ignores speeds, is compared too.\n"
    "A time is the integral ∫ds/c along the path, in cells at c = 1; it is\n"
    "not the number of steps that an agent took. The abscissa is the setting\n"
    "that differs between the recordings, first the speed of an area.\n"
    "  hamon-steering -o slow slow-*.h5        # of samples/steering\n"
    "  hamon-steering -o two --agents two-areas.h5\n";

int main(int argc, char **argv)
{
    struct report report = { 0 };
    const struct cli_option own[] = {
        { CLI_FLAG, 0, "agents", NULL,
          "table: a row for each agent instead of each group", &report.agents,
          0, 0 },
        { CLI_TEXT, 0, "agent", "NAME",
          "map: draw the paths from this agent's start (the start\n"
          "whose paths are farthest from the path of least time)",
          &report.from, 0, 0 },
        { 0 },
    };
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
        .report = &report,
        .make = make,
        .release = release,
        .table = make_table,
        .columns = describe_columns,
        .note = note,
        .remark = remark,
        .data = write_data,
        .panels = choose_panels,
    };
    return study_program_main(&program, argc, argv);
}
