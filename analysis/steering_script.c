/* SPDX-License-Identifier: MIT */
/* Paths on the map, their times and distances; reflection and transmission. */
#include "steering_report.h"

/* clang-format off: a line here is a line of the script */
static const char before[] =
    "stats data index 'layout' using (nx = $2, ny = $3, source_x = $4, \\\n"
    "    source_y = $5, c_low = $6, c_high = $7, time_high = $8, \\\n"
    "    distance_high = $9, one = $10) nooutput\n"
    "stats data index 'layout' using (agents = $11, traces = $12, \\\n"
    "    one_x = $13, one_y = $14, areas = $15) nooutput\n"
    "shade(c) = c == 0 ? 0.3 : c < 1 ? 0.55 + 0.3 * c : c > 1 ? 0.85 : 1\n"
    "# Lines apart at the same speed; agents filled, traces open.\n"
    "beside(i, k) = 0.012 * (c_high - c_low) * (2 * i - 1 - said_of[3] + k)\n"
    "last = beside(said_of[3] + 1, 0)\n";

static const char map_legend[] = "series_block = across > 1 ? 0 : block\n"
                                 "text = 'fast marching'\n"
                                 "line = 21\n"
                                 "point = 0\n"
                                 "eval entry\n"
                                 "text = 'shortest path'\n"
                                 "line = 25\n"
                                 "eval entry\n"
                                 "text = 'source'\n"
                                 "line = 0\n"
                                 "point = 22\n"
                                 "eval entry\n";

static const char map[] =
    "title = gprintf('paths from (%g, ', one_x).gprintf('%g)', one_y) "
    "\\\n"
    "    .(areas > 0 ? '; gray: speed areas' : '')\n"
    "x_name = 'x (cells)'\n"
    "y_name = 'y (cells)'\n"
    "eval place\n"
    "set xrange [-0.5:nx - 0.5]\n"
    "set yrange [ny - 0.5:-0.5]\n"
    "set cbrange [0:1]\n"
    "set palette gray\n"
    "unset colorbox\n"
    "unset grid\n"
    "set border 15 lw 0.8\n"
    "set tics out\n"
    "plot data index 'map' using 1:2:(shade($3)) with image, \\\n"
    "  data index 'paths' using ($6 > 0 && $4 == 2 && $5 == one ? $1 : "
    "NaN):2 \\\n"
    "  with lines ls 21 lw 0.6, \\\n"
    "  data index 'paths' using ($6 > 0 && $4 == 3 && $5 == one ? $1 : "
    "NaN):2 \\\n"
    "  with lines ls 25 lw 1.2, \\\n"
    "  for [i = 1:series] data index 'paths' using \\\n"
    "  ($6 > 0 && $3 == nth[i] && $4 == 1 && $5 == one ? $1 : NaN):2 \\\n"
    "  with linespoints ls i lw 0.9 pointinterval 40, \\\n"
    "  for [i = 1:series] data index 'paths' using \\\n"
    "  ($6 > 0 && $3 == nth[i] && $4 == 0 && $5 == one ? $1 : NaN):2 \\\n"
    "  with linespoints ls i lw 1.6 pointinterval 40, \\\n"
    "  '+' using (source_x):(source_y) every ::0::0 with points ls 22\n"
    "set border 3 lw 0.8\n"
    "eval lines\n";

/* Lines that have no style any more. */
#define MORE_LEGEND                                                            \
    "do for [i = 1:said_of[6]] {\n"                                            \
    "    text = said[5000 + i]\n"                                              \
    "    wide = ems[5000 + i]\n"                                               \
    "    line = 0\n"                                                           \
    "    point = 0\n"                                                          \
    "    eval entry\n"                                                         \
    "}\n"

static const char time_legend[] =
    "do for [i = 1:said_of[3]] {\n"
    "    behind = said_of[3] > 1 ? ', '.said[2000 + i] : ''\n"
    "    line = 0\n"
    "    if (agents) {\n"
    "        text = 'agents'.behind\n"
    "        wide = said_of[3] > 1 ? 5 + ems[2000 + i] : 0\n"
    "        point = 30 + i\n"
    "        eval entry\n"
    "    }\n"
    "    if (traces) {\n"
    "        text = 'traces'.behind\n"
    "        wide = said_of[3] > 1 ? 5 + ems[2000 + i] : 0\n"
    "        point = 40 + i\n"
    "        eval entry\n"
    "    }\n"
    "}\n" MORE_LEGEND "text = 'shortest path'\n"
    "line = 0\n"
    "point = 23\n"
    "eval entry\n";

static const char lost_time[] =
    "title = 'time lost against the least, mean and range'\n"
    "x_name = 'speed of the area (of the rest)'\n"
    "y_name = 'time lost (per cent)'\n"
    "eval place\n"
    "set xrange [c_low:c_high]\n"
    "set logscale y\n"
    "set yrange [0.01:time_high]\n"
    "set ytics add ('≤0.01' 0.01)\n"
    "set format y '%g'\n"
    "lost(f) = f > 1.0001 ? 100 * (f - 1) : 0.01\n"
    "plot for [i = 1:said_of[3]] data index 'steering' using \\\n"
    "  ($3 == 0 && $10 == nth[2000 + i] ? $1 + beside(i, 0) : NaN): \\\n"
    "  (lost($5)):(lost($6)):(lost($7)) with yerrorbars ls 30 + i dt "
    "solid, \\\n"
    "  for [i = 1:said_of[3]] data index 'steering' using \\\n"
    "  ($3 == 1 && $10 == nth[2000 + i] ? $1 + beside(i, 1) : NaN): \\\n"
    "  (lost($5)):(lost($6)):(lost($7)) with yerrorbars ls 40 + i dt "
    "solid, \\\n"
    "  data index 'steering' using ($3 == 3 ? $1 + last : NaN): \\\n"
    "  (lost($5)):(lost($6)):(lost($7)) with yerrorbars ls 23\n"
    "unset logscale\n"
    "set ytics auto\n";

static const char distance[] =
    "title = 'Hausdorff distance from the path of least time'\n"
    "x_name = 'speed of the area (of the rest)'\n"
    "y_name = 'mean distance (cells)'\n"
    "eval place\n"
    "set xrange [c_low:c_high]\n"
    "set yrange [0:distance_high]\n"
    "set format '%g'\n"
    "plot for [i = 1:said_of[3]] data index 'steering' using \\\n"
    "  ($3 == 0 && $10 == nth[2000 + i] ? $1 + beside(i, 0) : NaN):8 \\\n"
    "  with points ls 30 + i, \\\n"
    "  for [i = 1:said_of[3]] data index 'steering' using \\\n"
    "  ($3 == 1 && $10 == nth[2000 + i] ? $1 + beside(i, 1) : NaN):8 \\\n"
    "  with points ls 40 + i, \\\n"
    "  data index 'steering' using ($3 == 3 ? $1 + last : NaN):8 with points "
    "ls 23\n";

static const char strip_legend[] =
    "point = 0\n"
    "text = 'transmitted, c2-laplacian'\n"
    "line = 21\n"
    "eval entry\n"
    "text = 'transmitted, conservative'\n"
    "line = 22\n"
    "eval entry\n"
    "text = 'reflected, c2-laplacian'\n"
    "line = 23\n"
    "eval entry\n"
    "text = 'reflected, conservative'\n"
    "line = 24\n"
    "eval entry\n"
    "do for [i = 1:said_of[3]] {\n"
    "    text = 'measured'.(said_of[3] > 1 ? ', '.said[2000 + i] : '')\n"
    "    wide = 6 + ems[2000 + i]\n"
    "    line = 0\n"
    "    point = 40 + i\n"
    "    eval entry\n"
    "}\n" MORE_LEGEND;

static const char strip[] =
    "title = 'amplitudes at a change of speed; lines: laws'\n"
    "x_name = 'speed beyond over speed before (c2 / c1, no unit)'\n"
    "y_name = 'amplitude (of incident)'\n"
    "eval place\n"
    "set xrange [0:c_high]\n"
    "set yrange [-1.05:2.05]\n"
    "plot [0:c_high] 2 * x / (1 + x) with lines ls 21, \\\n"
    "  2 / (1 + x) with lines ls 22, \\\n"
    "  (x - 1) / (1 + x) with lines ls 23, \\\n"
    "  (1 - x) / (1 + x) with lines ls 24, \\\n"
    "  for [i = 1:said_of[3]] data index 'interface' using \\\n"
    "  ($8 == nth[2000 + i] ? $1 : NaN):6 with points ls 40 + i, \\\n"
    "  for [i = 1:said_of[3]] data index 'interface' using \\\n"
    "  ($8 == nth[2000 + i] ? $1 : NaN):4 with points ls 40 + i\n";
/* clang-format on */

static const struct chart_panel paths[] = {
    { "map", false, false, "real(ny) / nx", map_legend, map },
    { "time", false, true, NULL, time_legend, lost_time },
    { "distance", false, true, NULL, time_legend, distance },
};
static const struct chart_panel strips[] = {
    { "strip", false, true, NULL, strip_legend, strip },
};

void steering_figure(const struct steering_report *report,
                     struct chart_figure *figure)
{
    const struct chart_panel *shown = report->strips ? strips : paths;
    *figure =
        (struct chart_figure){ before, report->strips ? 1 : 3, { { 0 } } };
    for (size_t i = 0; i < figure->count; i++)
        figure->panels[i] = shown[i];
}
