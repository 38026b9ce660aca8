/* SPDX-License-Identifier: MIT */
/* hamon-steering's chart: the blocks of its data and the panels that show
 * them. */
#include "steering_report.h"

#include <math.h>

double steering_panels_height(const struct steering_report *report)
{
    return report->strips ? 7 : 9.5;
}

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

/* The start whose shortest path, blind to speed, costs most. */
static size_t telling_start(const struct steering *steering)
{
    size_t best = 0;
    for (size_t i = 1; i < steering->start_count; i++)
        if (steering->starts[i].path[STEERING_SHORTEST].fermat >
            steering->starts[best].path[STEERING_SHORTEST].fermat)
            best = i;
    return best;
}

static void write_map(const struct steering *steering, struct chart *chart)
{
    const struct grid *grid = &steering->terrain.grid;
    for (int y = 0; y < grid->ny; y++)
        for (int x = 0; x < grid->nx; x++) {
            size_t cell = grid_index(grid, x, y, 0);
            chart_number(chart, x, ' ');
            chart_number(chart, y, ' ');
            chart_number(chart,
                         steering->terrain.wall[cell] ? 0
                         : steering->terrain.speed
                             ? steering->terrain.speed[cell]
                             : 1,
                         '\n');
        }
}

static void write_path(const struct steering_path *path, size_t group, int kind,
                       size_t start, struct chart *chart)
{
    for (size_t i = 0; i < path->line.count; i++) {
        chart_number(chart, path->line.points[i][0], ' ');
        chart_number(chart, path->line.points[i][1], ' ');
        chart_number(chart, (double)(group + 1), ' ');
        chart_number(chart, kind, ' ');
        chart_number(chart, (double)start, '\n');
    }
    chart_gap(chart);
}

static void write_paths(const struct steering_report *report,
                        struct chart *chart)
{
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct steering *steering = &report->readings[i].steering;
        for (size_t s = 0; s < steering->start_count; s++)
            for (int kind = 0; kind < STEERING_KINDS; kind++)
                if (steering->starts[s].path[kind].there)
                    write_path(&steering->starts[s].path[kind],
                               report->study->readings[i].group, kind, s,
                               chart);
    }
}

static double contrast_of(const struct steering_report *report, size_t group)
{
    size_t first = report->study->groups[group].first;
    return report->readings[first].steering.contrast;
}

static void write_sums(const struct steering_report *report,
                       struct chart *chart)
{
    for (size_t g = 0; g < report->study->group_count; g++)
        for (int kind = 0; kind < STEERING_KINDS; kind++) {
            const struct steering_sum *sum = &report->sums[g][kind];
            if (!sum->arrived)
                continue;
            const double numbers[] = {
                contrast_of(report, g), (double)(g + 1), kind,
                (double)sum->arrived,   sum->fermat,     sum->fermat_low,
                sum->fermat_high,       sum->hausdorff,  sum->hausdorff_high,
            };
            for (int i = 0; i < 9; i++)
                chart_number(chart, numbers[i], i < 8 ? ' ' : '\n');
        }
}

static void write_interfaces(const struct steering_report *report,
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
        };
        for (int n = 0; n < 7; n++)
            chart_number(chart, numbers[n], n < 6 ? ' ' : '\n');
    }
}

/* What the panels are laid out by. */
static void write_layout(const struct steering_report *report,
                         const struct steering *map, struct chart *chart)
{
    double c_high = 1, fermat = 1.01, hausdorff = 1;
    for (size_t i = 0; i < report->study->reading_count; i++) {
        const struct steering_reading *reading = &report->readings[i];
        c_high = fmax(c_high, reading->strip ? reading->interface.c2 /
                                                   reading->interface.c1
                                             : reading->steering.contrast);
    }
    for (size_t g = 0; g < report->study->group_count; g++)
        for (int kind = 0; kind < STEERING_KINDS; kind++) {
            const struct steering_sum *sum = &report->sums[g][kind];
            fermat = fmax(fermat, sum->fermat_high); /* NAN is passed over */
            hausdorff = fmax(hausdorff, sum->hausdorff_high);
        }
    const double numbers[] = {
        report->strips,
        map ? map->terrain.grid.nx : 1,
        map ? map->terrain.grid.ny : 1,
        map ? map->source[0] : 0,
        map ? map->source[1] : 0,
        1.1 * c_high,
        1 + 1.15 * (fermat - 1),
        1.15 * hausdorff,
        map ? (double)telling_start(map) : 0,
    };
    for (int i = 0; i < 9; i++)
        chart_number(chart, numbers[i], i < 8 ? ' ' : '\n');
}

void steering_report_chart(const struct steering_report *report,
                           struct chart *chart)
{
    const struct steering *map = shown(report);
    chart_block(chart, "layout",
                "strips (0, 1), width and height of the map, "
                "source x, y (cells), upper ends of the axes of c, time, "
                "distance, the start that is shown");
    write_layout(report, map, chart);
    if (map) {
        chart_block(chart, "map", "x, y (cells), speed (0: wall)");
        write_map(map, chart);
        chart_block(chart, "paths",
                    "x, y (cells), series, kind (0 agents, 1 traces, 2 fast "
                    "marching, 3 shortest path), start");
        write_paths(report, chart);
        chart_block(chart, "steering",
                    "c of the area, series, kind, paths that arrived, time "
                    "over the least (mean, least, most), Hausdorff distance "
                    "from the path of fast marching (mean, most; cells)");
        write_sums(report, chart);
    }
    if (report->strips) {
        chart_block(chart, "interface",
                    "c2/c1, series, form (0 c2-laplacian, 1 conservative), "
                    "reflected amplitude measured and by the law, transmitted "
                    "amplitude measured and by the law (of the incident)");
        write_interfaces(report, chart);
    }
}

/* Paths on the map, their times and distances; reflection and transmission. */
/* clang-format off: a line here is a line of the script */
const char steering_panels[] =
    "stats data index 'layout' using (strips = int($1), nx = $2, \\\n"
    "    ny = $3, source_x = $4, source_y = $5, c_high = $6, \\\n"
    "    time_high = $7, distance_high = $8, one = $9) nooutput\n"
    "kind_name(k) = k == 0 ? 'agents' : k == 1 ? 'traces' : \\\n"
    "    k == 2 ? 'fast marching' : 'shortest path'\n"
    "kind_point(k) = k == 0 ? 7 : k == 1 ? 6 : k == 2 ? 1 : 2\n"
    "shade(c) = c == 0 ? 0.3 : c < 1 ? 0.55 + 0.3 * c : c > 1 ? 0.93 : 1\n"
    "tic(range) = range > 2 ? 0.5 : range > 0.8 ? 0.2 : range > 0.3 ? 0.1 : "
    "\\\n"
    "    range > 0.15 ? 0.05 : range > 0.06 ? 0.02 : \\\n"
    "    range > 0.03 ? 0.01 : 0.005\n"
    "if (!strips) {\n"
    "    set lmargin at screen 0.085\n"
    "    set rmargin at screen 0.5\n"
    "    set bmargin at screen up(0.13)\n"
    "    set tmargin at screen up(0.82)\n"
    "    set size ratio -1\n"
    "    set label 1 '(a) paths from one start; grey: speed areas' \\\n"
    "        at screen 0.2925, screen up(0.97) center\n"
    "    set xlabel 'x (cells)'\n"
    "    set ylabel 'y (cells)' offset 1\n"
    "    set xrange [-0.5:nx - 0.5]\n"
    "    set yrange [ny - 0.5:-0.5]\n"
    "    set cbrange [0:1]\n"
    "    set palette gray\n"
    "    unset colorbox\n"
    "    unset grid\n"
    "    set key at screen 0.2925, screen up(0.895) center center \\\n"
    "        horizontal maxrows 2 noenhanced samplen 2 width -1\n"
    "    plot data index 'map' using 1:2:(shade($3)) with image notitle, \\\n"
    "      data index 'paths' using ($4 == 2 && $5 == one ? $1 : NaN):2 \\\n"
    "      with lines lc rgb 'black' lw 0.6 dt solid title 'fast marching', "
    "\\\n"
    "      data index 'paths' using ($4 == 3 && $5 == one ? $1 : NaN):2 \\\n"
    "      with lines lc rgb '#666666' lw 1.2 dt (3,3) \\\n"
    "      title 'shortest path', \\\n"
    "      for [i = 1:series] data index 'paths' using \\\n"
    "      ($3 == i && $4 == 1 && $5 == one ? $1 : NaN):2 \\\n"
    "      with lines ls style_of(i) lw 0.9 notitle, \\\n"
    "      for [i = 1:series] data index 'paths' using \\\n"
    "      ($3 == i && $4 == 0 && $5 == one ? $1 : NaN):2 \\\n"
    "      with lines ls style_of(i) lw 1.6 notitle, \\\n"
    "      '+' using (source_x):(source_y) every ::0::0 with points pt 3 \\\n"
    "      lc rgb 'black' title 'source'\n"
    "    set size noratio\n"
    "    set grid lc rgb '#b0b0b0' lw 0.5 dt solid\n"
    "    set lmargin at screen 0.6\n"
    "    set rmargin at screen 0.97\n"
    "    set bmargin at screen up(0.6)\n"
    "    set tmargin at screen up(0.82)\n"
    "    set label 1 '(b) time over the least, mean and range' \\\n"
    "        at screen 0.785, screen up(0.97) center\n"
    "    set xlabel 'speed of the area' offset 0, 0.5\n"
    "    set ylabel 'Fermat ratio' offset 1\n"
    "    set xrange [0:c_high]\n"
    "    set yrange [0.99:time_high]\n"
    "    set ytics tic(time_high - 1)\n"
    "    set key at screen 0.785, screen up(0.895) center center \\\n"
    "        horizontal maxrows 2 noenhanced samplen 2 width -1\n"
    "    plot for [k = 0:3] for [i = 1:series] data index 'steering' \\\n"
    "      using ($2 == i && $3 == k ? $1 + 0.012 * (k - 1.5) : NaN):5:6:7 \\\n"
    "      with yerrorbars ls style_of(i) pt kind_point(k) dt solid \\\n"
    "      notitle, \\\n"
    "      for [k = 0:3] NaN with points pt kind_point(k) \\\n"
    "      lc rgb 'black' title kind_name(k)\n"
    "    unset key\n"
    "    unset label 1\n"
    "    set bmargin at screen up(0.13)\n"
    "    set tmargin at screen up(0.4)\n"
    "    set title '(c) distance from the path of least time'\n"
    "    set ylabel 'Hausdorff, mean (cells)' offset 1\n"
    "    set yrange [0:distance_high]\n"
    "    set ytics auto\n"
    "    plot for [k = 0:3] for [i = 1:series] data index 'steering' \\\n"
    "      using ($2 == i && $3 == k ? $1 + 0.012 * (k - 1.5) : NaN):8 \\\n"
    "      with points ls style_of(i) pt kind_point(k)\n"
    "}\n"
    "if (strips) {\n"
    "    set lmargin at screen 0.1\n"
    "    set rmargin at screen 0.72\n"
    "    set bmargin at screen up(0.15)\n"
    "    set tmargin at screen up(0.9)\n"
    "    set title 'amplitudes at a change of speed'\n"
    "    set xlabel 'c2 / c1' offset 0, 0.3\n"
    "    set ylabel 'of the incident amplitude' offset 1\n"
    "    set xrange [0:c_high]\n"
    "    set yrange [-1.05:2.05]\n"
    "    set key at screen 0.74, graph 1 left top Left reverse noenhanced \\\n"
    "        samplen 2 spacing 1.1\n"
    "    plot [0:c_high] 2 * x / (1 + x) with lines lc rgb 'black' dt solid "
    "\\\n"
    "      title 'T, c2-laplacian', \\\n"
    "      2 / (1 + x) with lines lc rgb 'black' dt (12,4) \\\n"
    "      title 'T, conservative', \\\n"
    "      (x - 1) / (1 + x) with lines lc rgb '#666666' dt solid \\\n"
    "      title 'R, c2-laplacian', \\\n"
    "      (1 - x) / (1 + x) with lines lc rgb '#666666' dt (12,4) \\\n"
    "      title 'R, conservative', \\\n"
    "      for [i = 1:series] data index 'interface' using \\\n"
    "      ($2 == i ? $1 : NaN):6 with points ls style_of(i) notitle, \\\n"
    "      for [i = 1:series] data index 'interface' using \\\n"
    "      ($2 == i ? $1 : NaN):4 with points ls style_of(i) notitle, \\\n"
    "      NaN with points pt 4 lc rgb 'black' title 'points: measured'\n"
    "    unset key\n"
    "}\n";
/* clang-format on */
