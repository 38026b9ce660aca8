/* SPDX-License-Identifier: MIT */
#include "isotropy_report.h"

/* clang-format off: a line here is a line of the script */
static const char before[] =
    "stats data index 'radius' using (ring = $1, outer = $2, low = $3, \\\n"
    "    rim = $4, unseen = $5) nooutput\n"
    "set angles degrees\n"
    "set samples 181\n"
    "# A polar panel, `far` to its rim: rings, spokes, and a ruler below.\n"
    "round = 'eval place;' \\\n"
    "    .'unset border;' \\\n"
    "    .'unset tics;' \\\n"
    "    .'unset grid;' \\\n"
    "    .'set xrange [-1.32 * far:1.32 * far];' \\\n"
    "    .'set yrange [-2.1 * far:1.32 * far];' \\\n"
    "    .'do for [k = 0:7] {' \\\n"
    "    .'    set label 1 + k gprintf(\"%g°\", 45 * k) at 1.17 * far * "
    "cos(45 * k),' \\\n"
    "    .'        1.15 * far * sin(45 * k) center font small;' \\\n"
    "    .'    set arrow 1 + k from 0, 0 to far * cos(45 * k), far * "
    "sin(45 * k)' \\\n"
    "    .'        nohead ls 26' \\\n"
    "    .'};' \\\n"
    "    .'set arrow 9 from -far, -1.45 * far to far, -1.45 * far nohead "
    "ls 27;' \\\n"
    "    .'do for [k = -2:2] {' \\\n"
    "    .'    set arrow 12 + k from k * far / 2, -1.45 * far' \\\n"
    "    .'        to k * far / 2, -1.51 * far nohead ls 27;' \\\n"
    "    .'    set label 12 + k gprintf(\"%g\", abs(k) * far / 2)' \\\n"
    "    .'        at k * far / 2, -1.64 * far center font small' \\\n"
    "    .'};' \\\n"
    "    .'set label 15 ruler at 0, -1.92 * far center'\n"
    "rings = 'for [k = 1:4] [t = 0:360] \"+\" using (k * far / 4 * "
    "cos(t)):' \\\n"
    "    .'(k * far / 4 * sin(t)) with lines ls 26'\n"
    "straight = 'unset label;' \\\n"
    "    .'unset arrow;' \\\n"
    "    .'set border 3 lw 0.8;' \\\n"
    "    .'set xtics auto nomirror;' \\\n"
    "    .'set ytics auto nomirror;' \\\n"
    "    .'eval lines;' \\\n"
    "    .'eval place'\n";

static const char front[] =
    "title = gprintf('front, mean %g cells', ring)\n"
    "x_name = ''\n"
    "y_name = ''\n"
    "ruler = 'radius (cells)'\n"
    "far = outer\n"
    "eval round\n"
    "eval 'plot '.rings.', for [i = 1:series] data index \"front\"' \\\n"
    "    .' using (column(nth[i] + 1) * cos($1)):(column(nth[i] + 1) * "
    "sin($1))' \\\n"
    "    .' with lines ls i lw 1.2'\n";

/* Errors that are a dot at the centre. */
static const char heading_legend[] =
    "text = gprintf('lines not seen: below %g°', unseen)\n"
    "line = 0\n"
    "point = 0\n"
    "if (unseen > 0) { eval entry }\n";

static const char heading[] =
    "x_name = ''\n"
    "y_name = ''\n"
    "ruler = 'RMS heading error (degrees)'\n"
    "title = gprintf('heading error at %g', ring)\n"
    "far = rim\n"
    "eval round\n"
    "eval 'plot '.rings.', for [i = 1:series] data index \"heading\"' \\\n"
    "    .' using (column(nth[i] + 1) * cos($1)):(column(nth[i] + 1) * "
    "sin($1))' \\\n"
    "    .' with lines ls i lw 1.2'\n";

static const char anisotropy[] =
    "title = 'spread of the radius over its mean'\n"
    "x_name = 'radius (cells)'\n"
    "y_name = 'anisotropy (per cent)'\n"
    "eval straight\n"
    "set xrange [0:*]\n"
    "set logscale y\n"
    "set yrange [*:100]\n"
    "set format y '%g'\n"
    "plot for [i = 1:series] data index 'anisotropy' \\\n"
    "    using 1:(column(nth[i] + 1)) with linespoints ls i lw 1.2 \\\n"
    "    pointinterval 10\n"
    "unset logscale\n";

static const char speed_legend[] = "text = 'law, along an axis'\n"
                                   "line = 21\n"
                                   "point = 0\n"
                                   "eval entry\n"
                                   "text = 'law, along a diagonal'\n"
                                   "line = 22\n"
                                   "eval entry\n"
                                   "text = 'points: measured'\n"
                                   "line = 0\n"
                                   "point = 21\n"
                                   "eval entry\n";

static const char speed[] =
    "title = 'phase speed over that of long waves'\n"
    "x_name = 'wave number (radians per cell)'\n"
    "y_name = 'speed ratio (no unit)'\n"
    "eval straight\n"
    "set xrange [0:4.5]\n"
    "set yrange [low:1.05]\n"
    "plot for [i = 1:series] data index 'dispersion' \\\n"
    "    using 1:($2 == nth[i] && $3 == 0 ? $4 : NaN) with points \\\n"
    "    ls i ps 0.7 * points, \\\n"
    "  for [i = 1:series] data index 'dispersion' \\\n"
    "    using 1:($2 == nth[i] && $3 == 1 ? $4 : NaN) with points \\\n"
    "    ls i ps 0.5 * points, \\\n"
    "  data index 'dispersion' using 1:($3 == 0 ? $5 : NaN) \\\n"
    "    with lines ls 21 lw 1, \\\n"
    "  data index 'dispersion' using 1:($3 == 1 ? $5 : NaN) \\\n"
    "    with lines ls 22 lw 1\n";
/* clang-format on */

static const struct chart_panel panels[] = {
    { "front", true, false, "1.3", NULL, front },
    { "heading", true, false, "1.3", heading_legend, heading },
    { "anisotropy", false, false, NULL, NULL, anisotropy },
    { "speed", false, false, NULL, speed_legend, speed },
};

void isotropy_figure(const struct isotropy_report *report,
                     struct chart_figure *figure)
{
    bool speeds = false;
    for (size_t g = 0; g < report->study->group_count; g++)
        speeds = speeds || report->dispersion[g];
    *figure = (struct chart_figure){ .before = before };
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++)
        if (speeds || panels[i].commands != speed)
            figure->panels[figure->count++] = panels[i];
}
