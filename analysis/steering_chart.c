/* SPDX-License-Identifier: MIT */
/* The blocks of hamon-steering's data. */
#include "steering_report.h"

#include <math.h>

/* The map that is shown: of the first reading whose speeds differ, or of the
 * first that has paths. */
static const struct steering *shown(const struct steering_report *report)
{
    const struct steering *first = NULL;
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct steering *steering = &report->readings[i].steering;
        if (report->readings[i].strip)
            continue;
        first = first ? first : steering;
        if (steering->contrast != 1)
            return steering;
    }
    return first;
}

static double speed_at(const struct steering *steering, size_t cell)
{
    return steering->terrain.speed ? steering->terrain.speed[cell] : 1;
}

static void write_map(const struct steering *steering, struct chart *chart)
{
    const struct grid *grid = &steering->terrain.grid;
    for (int y = 0; y < grid->ny; y++)
        for (int x = 0; x < grid->nx; x++) {
            size_t cell = grid_index(grid, x, y, 0);
            chart_number(chart, x, ' ');
            chart_number(chart, y, ' ');
            chart_number(
                chart,
                steering->terrain.wall[cell] ? 0 : speed_at(steering, cell),
                '\n');
        }
}

/* Does the reading's ground look as the map's: the same walls, and areas where
 * the map has them, or none? */
static bool is_on(const struct steering *steering, const struct steering *map)
{
    const struct grid *grid = &map->terrain.grid;
    const struct grid *own = &steering->terrain.grid;
    if (own->nx != grid->nx || own->ny != grid->ny)
        return false;
    for (size_t i = 0; i < grid_cells(grid); i++)
        if (steering->terrain.wall[i] != map->terrain.wall[i] ||
            (fabs(speed_at(steering, i) - 1) > 0 &&
             fabs(speed_at(map, i) - 1) <= 0))
            return false;
    return true;
}

/* The largest Hausdorff distance, cells, between the paths of two groups from
 * one start that the map shows: of agents, or of traces. */
static double apart(const struct steering_report *report,
                    const struct steering *map, size_t start)
{
    static const double fineness = 0.5; /* of a choice, not of a figure */
    const struct study *study = report->study;
    double most = 0;
    for (size_t i = 0; i < study->reading_count; i++)
        for (size_t j = i + 1; j < study->reading_count; j++) {
            const struct steering *a = &report->readings[i].steering;
            const struct steering *b = &report->readings[j].steering;
            if (study->readings[i].group == study->readings[j].group ||
                start >= a->start_count || start >= b->start_count ||
                !is_on(a, map) || !is_on(b, map))
                continue;
            for (int kind = STEERING_TRAJECTORY; kind <= STEERING_TRACE; kind++)
                if (a->starts[start].path[kind].there &&
                    b->starts[start].path[kind].there)
                    most = fmax(most, polyline_hausdorff(
                                          &a->starts[start].path[kind].line,
                                          &b->starts[start].path[kind].line,
                                          fineness));
        }
    return most;
}

/* The start whose paths lie farthest apart between groups; where none do, as of
 * one group, the one whose shortest path, blind to speed, costs most. The first
 * of equals. */
static size_t telling_start(const struct steering_report *report,
                            const struct steering *map)
{
    size_t best = 0;
    double most = -1, cost = 0;
    for (size_t i = 0; i < map->start_count; i++) {
        double here = apart(report, map, i);
        double blind = map->starts[i].path[STEERING_SHORTEST].fermat;
        if (here < most || (here <= most && !(blind > cost)))
            continue;
        most = here;
        cost = blind;
        best = i;
    }
    return best;
}

/* Whose paths these are, and whether the map shows their ground. */
struct owner {
    size_t group;
    bool shown;
};

static void write_path(const struct steering_path *path,
                       const struct owner *owner, int kind, size_t start,
                       struct chart *chart)
{
    for (size_t i = 0; i < path->line.count; i++) {
        chart_number(chart, path->line.points[i][0], ' ');
        chart_number(chart, path->line.points[i][1], ' ');
        chart_number(chart, (double)(owner->group + 1), ' ');
        chart_number(chart, kind, ' ');
        chart_number(chart, (double)start, ' ');
        chart_number(chart, owner->shown, '\n');
    }
    chart_gap(chart);
}

static void write_paths(const struct steering_report *report,
                        const struct steering *map, struct chart *chart)
{
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct steering *steering = &report->readings[i].steering;
        const struct owner owner = { report->study->readings[i].group,
                                     is_on(steering, map) };
        for (size_t s = 0; s < steering->start_count; s++)
            for (int kind = 0; kind < STEERING_KINDS; kind++)
                if (steering->starts[s].path[kind].there)
                    write_path(&steering->starts[s].path[kind], &owner, kind, s,
                               chart);
    }
}

static double contrast_of(const struct steering_report *report, size_t group)
{
    size_t first = report->study->groups[group].first;
    return report->readings[first].steering.contrast;
}

static void write_sums(const struct steering_report *report,
                       const struct study_lines *lines, struct chart *chart)
{
    for (size_t g = 0; g < report->study->group_count; g++)
        for (int kind = 0; kind < STEERING_KINDS; kind++) {
            const struct steering_sum *sum = &report->sums[g][kind];
            if (!sum->arrived)
                continue;
            const double numbers[] = {
                contrast_of(report, g),
                (double)(g + 1),
                kind,
                (double)sum->arrived,
                sum->fermat,
                sum->fermat_low,
                sum->fermat_high,
                sum->hausdorff,
                sum->hausdorff_high,
                (double)(lines->of[g] + 1),
            };
            for (int i = 0; i < 10; i++)
                chart_number(chart, numbers[i], i < 9 ? ' ' : '\n');
        }
}

static void write_interfaces(const struct steering_report *report,
                             const struct study_lines *lines,
                             struct chart *chart)
{
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct interface *found = &report->readings[i].interface;
        if (!report->readings[i].strip)
            continue;
        const double numbers[] = {
            found->c2 / found->c1,
            (double)(report->study->readings[i].group + 1),
            found->conservative,
            found->reflected,
            found->reflected_law,
            found->transmitted,
            found->transmitted_law,
            (double)(lines->of[report->study->readings[i].group] + 1),
        };
        for (int n = 0; n < 8; n++)
            chart_number(chart, numbers[n], n < 7 ? ' ' : '\n');
    }
}

/* The ends of the axis of speeds, with some room; 0 in it for strips, whose
 * laws begin there. */
static void find_speeds(const struct steering_report *report, double *low,
                        double *high)
{
    *low = *high = 1;
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct steering_reading *reading = &report->readings[i];
        double c = reading->strip
                       ? reading->interface.c2 / reading->interface.c1
                       : reading->steering.contrast;
        *low = fmin(*low, c);
        *high = fmax(*high, c);
    }
    double room = .08 * fmax(*high - *low, .5);
    *low = report->strips ? 0 : *low - room;
    *high += room;
}

/* What the panels are laid out by. */
static void write_layout(const struct steering_report *report,
                         const struct steering *map, struct chart *chart)
{
    double low, high, lost = 1, hausdorff = 1;
    bool there[STEERING_KINDS] = { false };
    for (size_t g = 0; g < report->study->group_count; g++)
        for (int kind = 0; kind < STEERING_KINDS; kind++) {
            const struct steering_sum *sum = &report->sums[g][kind];
            there[kind] = there[kind] || sum->arrived;
            lost = fmax(lost, 100 * (sum->fermat_high - 1)); /* NaN: passed */
            hausdorff = fmax(hausdorff, sum->hausdorff);
        }
    find_speeds(report, &low, &high);
    size_t one = map ? telling_start(report, map) : 0;
    const double numbers[] = {
        report->strips,
        map ? map->terrain.grid.nx : 1,
        map ? map->terrain.grid.ny : 1,
        map ? map->source[0] : 0,
        map ? map->source[1] : 0,
        low,
        high,
        pow(10, ceil(log10(1.2 * lost))),
        1.15 * hausdorff,
        (double)one,
        there[STEERING_TRAJECTORY],
        there[STEERING_TRACE],
        map ? map->starts[one].at[0] : 0,
        map ? map->starts[one].at[1] : 0,
        map && map->contrast != 1,
    };
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    for (int i = 0; i < NUMBERS; i++)
        chart_number(chart, numbers[i], i < NUMBERS - 1 ? ' ' : '\n');
}

static void write_blocks(const struct steering_report *report,
                         const struct study_lines *lines, struct chart *chart)
{
    const struct steering *map = shown(report);
    chart_block(chart, "layout",
                "strips (0, 1), width and height of the map, source x, y "
                "(cells), ends of the axis of c, upper ends of those of lost "
                "time (per cent) and distance (cells), the start that is "
                "shown, are there agents, traces (0, 1), that start's x, y "
                "(cells), are there speed areas (0, 1)");
    write_layout(report, map, chart);
    if (map) {
        chart_block(chart, "map", "x, y (cells), speed (0: wall)");
        write_map(map, chart);
        chart_block(chart, "paths",
                    "x, y (cells), series, kind (0 agents, 1 traces, 2 fast "
                    "marching, 3 shortest path), start, on the map's ground "
                    "(0, 1)");
        write_paths(report, map, chart);
        chart_block(chart, "steering",
                    "c of the area, series, kind, paths that arrived, time "
                    "over the least (mean, least, most), Hausdorff distance "
                    "from the path of fast marching (mean, most; cells), line");
        write_sums(report, lines, chart);
    }
    if (report->strips) {
        chart_block(chart, "interface",
                    "c2/c1, series, form (0 c2-laplacian, 1 conservative), "
                    "reflected amplitude measured and by the law, transmitted "
                    "amplitude measured and by the law (of the incident), "
                    "line");
        write_interfaces(report, lines, chart);
    }
}

enum status steering_report_chart(const struct steering_report *report,
                                  struct chart *chart, struct error *error)
{
    struct study_lines lines;
    enum status status =
        study_lines_make(report->study, "regions.*.speed", &lines, error);
    if (!status) {
        study_lines_tell(&lines, NULL, 0, chart);
        write_blocks(report, &lines, chart);
    }
    study_lines_release(&lines);
    return status;
}
