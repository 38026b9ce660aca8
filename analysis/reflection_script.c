/* SPDX-License-Identifier: MIT */
#include "reflection_report.h"

#include <math.h>

/* clang-format off: a line here is a line of the script */
static const char before[] =
    "stats data index 'heard' using \\\n"
    "    (near = floor($1 + 0.5), far = floor($2 + 0.5)) nooutput\n"
    "axes = 'eval place;' \\\n"
    "    .'set xtics auto nomirror;' \\\n"
    "    .'set ytics auto nomirror;' \\\n"
    "    .'unset logscale;' \\\n"
    "    .'set format \"%g\"'\n";

static const char lag_legend[] =
    "text = 'symbols at the top: half a period of the cutoff'\n"
    "line = 0\n"
    "point = 0\n"
    "eval entry\n";

static const char lag[] =
    "title = 'error by time after the arrival'\n"
    "x_name = 'time after the arrival (steps)'\n"
    "y_name = 'RMS error (degrees)'\n"
    "eval axes\n"
    "set xrange [0:30]\n"
    "set yrange [0:195]\n"
    "set ytics 0, 30, 180\n"
    "plot for [i = 1:series] data index 'lag' using 1:(column(nth[i] + 1)) \\\n"
    "    with linespoints ls i lw 1.2 pointinterval 5, \\\n"
    "  for [i = 1:series] data index 'cutoff' \\\n"
    "    using ($1 == nth[i] ? $3 : NaN):(189) with points ls i\n";

static const char distance[] =
    "title = 'error by distance'\n"
    "x_name = 'shortest path to the source (cells)'\n"
    "y_name = 'RMS error (degrees)'\n"
    "eval axes\n"
    "set xrange [0:*]\n"
    "set yrange [0:*]\n"
    "plot for [i = 1:series] data index 'distance' \\\n"
    "    using 1:(column(nth[i] + 1)) with linespoints ls i lw 1.2 \\\n"
    "    pointinterval 2\n";

static const char histogram[] =
    "title = 'how often each error is'\n"
    "x_name = 'heading error (degrees)'\n"
    "y_name = 'cells (per cent)'\n"
    "eval axes\n"
    "set xrange [0:180]\n"
    "set xtics 0, 30\n"
    "set yrange [0.01:100]\n"
    "set logscale y\n"
    "plot for [i = 1:series] data index 'histogram' \\\n"
    "    using 1:(column(nth[i] + 1)) with linespoints ls i lw 1.2\n";

static const char spectrum_legend[] =
    "text = 'vertical: cutoff of a corridor with fixed walls'\n"
    "line = 0\n"
    "point = 0\n"
    "eval entry\n";

static const char spectrum[] =
    "title = 'spectrum of the wave '.gprintf('%g', near) \\\n"
    "    .(near < far ? gprintf(' to %g', far) : '').' cells on'\n"
    "x_name = 'frequency (radians per step)'\n"
    "y_name = 'amplitude (of largest)'\n"
    "eval axes\n"
    "set xrange [0:1]\n"
    "set xtics 0, 0.2\n"
    "set yrange [0.001:1.5]\n"
    "set logscale y\n"
    "plot for [i = 1:series] data index 'spectrum' \\\n"
    "    using 1:(column(nth[i] + 1)) with lines ls i lw 1.2, \\\n"
    "  for [i = 1:series] data index 'cutoff' \\\n"
    "    using ($1 == nth[i] ? $2 : NaN):(0.001):(0):(1.5) with vectors "
    "nohead \\\n"
    "    ls i lw 0.8, \\\n"
    "  for [i = 1:series] data index 'cutoff' \\\n"
    "    using ($1 == nth[i] ? $2 : NaN):(1.2) with points ls i\n";

/* A panel's own lines, how many more it has, and what its open points are. */
#define LINES_LEGEND(of, kind, more_of, more)                                  \
    "do for [i = 1:said_of[" of "]] {\n"                                       \
    "    if (said_of[" of "] > 1) {\n"                                         \
    "        text = said[" kind " + i]\n"                                      \
    "        wide = ems[" kind " + i]\n"                                       \
    "        line = 30 + i\n"                                                  \
    "        point = 30 + i\n"                                                 \
    "        eval entry\n"                                                     \
    "    }\n"                                                                  \
    "}\n"                                                                      \
    "do for [i = 1:said_of[" more_of "]] {\n"                                  \
    "    text = said[" more " + i]\n"                                          \
    "    wide = ems[" more " + i]\n"                                           \
    "    line = 0\n"                                                           \
    "    point = 0\n"                                                          \
    "    eval entry\n"                                                         \
    "}\n"
#define OPEN_LEGEND                                                            \
    "text = 'open symbols: reach under 0.95'\n"                                \
    "line = 0\n"                                                               \
    "point = 41\n"                                                             \
    "eval entry\n"

/* Its points: open (on white, as the line goes through them) where the reach,
 * column 5, is low. */
#define POINT_OF(kind, reach)                                                  \
    "(($4 == nth[" kind " + i]) && ($5 " reach " 0.95) ? $1 : NaN):2"
#define POINTS(of, kind, block)                                                \
    "plot for [i = 1:said_of[" of "]] data index '" block "' \\\n"             \
    "    using ($4 == nth[" kind " + i] ? $1 : NaN):2 with lines ls 30 + i, "  \
    "\\\n"                                                                     \
    "  for [i = 1:said_of[" of "]] data index '" block "' using \\\n"          \
    "    " POINT_OF(                                                           \
        kind, ">=") " with points ls 30 + i, \\\n"                             \
                    "  for [i = 1:said_of[" of "]] data index '" block         \
                    "' using \\\n"                                             \
                    "    " POINT_OF(                                           \
                        kind, "<") " with points ls 30 + i \\\n"               \
                                   "    lc rgb 'white', \\\n"                  \
                                   "  for [i = 1:said_of[" of                  \
                                   "]] data index '" block "' using \\\n"      \
                                   "    " POINT_OF(                            \
                                       kind, "<") " with points ls 40 + i\n"

static const char *const lines_legends[][2] = {
    { LINES_LEGEND("3", "2000", "6", "5000"),
      LINES_LEGEND("3", "2000", "6", "5000") OPEN_LEGEND },
    { LINES_LEGEND("4", "3000", "7", "6000"),
      LINES_LEGEND("4", "3000", "7", "6000") OPEN_LEGEND },
    { LINES_LEGEND("5", "4000", "8", "7000"),
      LINES_LEGEND("5", "4000", "8", "7000") OPEN_LEGEND },
};

static const char width[] = "title = 'error by width'\n"
                            "x_name = 'width of the corridor (cells)'\n"
                            "y_name = 'RMS error (degrees)'\n"
                            "eval axes\n"
                            "set xrange [0:*]\n"
                            "set yrange [0:*]\n"
                            "set offsets 0, graph 0.05, 0, 0\n" POINTS(
                                "3", "2000", "width") "unset offsets\n";

static const char threshold[] =
    "title = 'error by threshold'\n"
    "x_name = 'threshold (of the amplitude of the source)'\n"
    "y_name = 'RMS error (degrees)'\n"
    "eval axes\n"
    "set xrange [*:*] noextend\n"
    "set yrange [0:*]\n"
    "set logscale x\n"
    "set format x '%.0e'\n"
    "set offsets graph 0.05, graph 0.05, 0, 0\n" POINTS(
        "4", "3000", "threshold") "unset offsets\n";

static const char delta[] = "title = 'error by squared Courant number'\n"
                            "x_name = 'squared Courant number (no unit)'\n"
                            "y_name = 'RMS error (degrees)'\n"
                            "eval axes\n"
                            "set xrange [0:*]\n"
                            "set yrange [0:*]\n"
                            "set offsets 0, graph 0.05, 0, 0\n" POINTS(
                                "5", "4000", "delta") "unset offsets\n";
/* clang-format on */

void reflection_figure(const struct reflection_report *report,
                       struct chart_figure *figure)
{
    bool cutoffs = false, open = report->low_reach[0];
    for (size_t g = 0; g < report->study->group_count; g++)
        cutoffs = cutoffs || !isnan(report->series[g].cutoff);
    const struct {
        bool shown;
        struct chart_panel panel;
    } all[] = {
        { report->errors,
          { "lag", false, false, NULL, cutoffs ? lag_legend : NULL, lag } },
        { report->errors, { "distance", false, false, NULL, NULL, distance } },
        { report->errors,
          { "histogram", false, false, NULL, NULL, histogram } },
        { true,
          { "spectrum", false, false, NULL, cutoffs ? spectrum_legend : NULL,
            spectrum } },
        { report->varies[0],
          { "width", false, true, NULL, lines_legends[0][open], width } },
        { report->varies[1],
          { "threshold", false, true, NULL, lines_legends[1][open],
            threshold } },
        { report->varies[2],
          { "delta", false, true, NULL, lines_legends[2][open], delta } },
    };
    *figure = (struct chart_figure){ .before = before };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].shown)
            figure->panels[figure->count++] = all[i].panel;
}
