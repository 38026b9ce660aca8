/* SPDX-License-Identifier: MIT */
/* Charts by gnuplot: BASE.dat holds the numbers and every text, BASE.gp is a
 * script that takes nothing else, and the pictures are what gnuplot makes of
 * the two. gnuplot is started without a shell; a text reaches it as data
 * alone, and none is executed by it or by TeX. The same chart has the same
 * bytes on any day. */
#ifndef HAMON_DRAW_CHART_H
#define HAMON_DRAW_CHART_H

#include "base/status.h"
#include "draw/output.h"

#include <stdbool.h>
#include <stdio.h>

enum chart_format { CHART_PDF, CHART_SVG, CHART_PNG, CHART_TEX, CHART_FORMATS };
extern const char *const chart_format_names[]; /* ends with NULL */

/* "pdf,svg" as bits 1 << CHART_PDF | 1 << CHART_SVG; "none" as 0: the data and
 * the script alone. */
enum status chart_formats_parse(const char *text, unsigned *formats,
                                struct error *error);

/* Centimetres: of a paper's column, and of its page. */
#define CHART_COLUMN 8.5
#define CHART_PAGE 17.

/* "column", "page", or centimetres from 6 to 60. */
enum status chart_width_parse(const char *text, double *width,
                              struct error *error);

struct chart {
    unsigned formats; /* bits 1 << CHART_… */
    double width;     /* of the pictures, centimetres: CHART_COLUMN */
    bool force;
    bool debug;         /* gnuplot's own words go to this program's output */
    struct output data; /* BASE.dat; numbers go to data.file */
    struct output script;
    struct output picture[CHART_FORMATS];
    char *path[2 + CHART_FORMATS]; /* BASE.dat, BASE.gp, BASE.pdf … */
};

/* Line styles that are told apart: a chart draws no more series; of the lines
 * of one panel. */
enum { CHART_STYLES = 12, CHART_LINE_STYLES = 6 };

/* A panel: constants of the program, never a user's words. Panels stand below
 * each other in a column, side by side on a page; letters are as large on
 * both. */
struct chart_panel {
    const char *name;
    bool polar;           /* without axes, and half a column wide */
    bool own_lines;       /* draws none of the series: its legend says what */
    const char *shape;    /* height over width, an expression; NULL: none */
    const char *legend;   /* commands for entries of its own; NULL: none;
                           * panels may share one, by its address */
    const char *commands; /* gnuplot's; see chart_script.c */
};

enum { CHART_PANELS = 26 }; /* a letter for each */

struct chart_figure {
    const char *before; /* commands for all panels, in front of them */
    size_t count;
    struct chart_panel panels[CHART_PANELS];
};

/* Starts BASE.dat. STATUS_INPUT where one of the files is there already and
 * `force` is not set: nothing is worked out in vain. Release with
 * chart_release, after a failure too. */
enum status chart_open(struct chart *chart, const char *base, unsigned formats,
                       bool force, struct error *error);
void chart_release(struct chart *chart);

/* Starts the block "texts", the first (see chart_say). In front of it are
 * comments alone; one that began with a block's name would be taken for it. */
void chart_texts(struct chart *chart);

/* Starts the block "name", which gnuplot finds by it (`index "name"`);
 * `columns` says what they are, with their units. */
void chart_block(struct chart *chart, const char *name, const char *columns);

/* Writes one number of a row and what stands behind it; NaN is a gap. */
void chart_number(struct chart *chart, double number, char behind);

/* An empty line: a curve that is drawn through the rows ends here. */
void chart_gap(struct chart *chart);

/* A text of the chart, the `place`-th (from 1) of its kind: a legend of the
 * series of this number, a line of the caption, or the name of such a line of a
 * panel's own (CHART_LINES, CHART_LINES + 1 …), or that some of them are not
 * drawn (CHART_MORE_LINES …). All of them form the block
 * "texts" (chart_texts) that must come first. What gnuplot would read as more
 * than letters (quotes, backslashes, control characters, broken UTF-8) is
 * written as what looks like it. */
enum { CHART_LINE_PANELS = 3 }; /* with lines of their own, at most */
enum chart_text {
    CHART_LEGEND,
    CHART_CAPTION,
    CHART_LINES,
    CHART_MORE_LINES = CHART_LINES + CHART_LINE_PANELS,
};
void chart_say(struct chart *chart, int kind, int place, size_t series,
               const char *text);

/* Ends BASE.dat and BASE.gp, which stay whatever follows, and draws the
 * formats, each accepted only whole and not blank. STATUS_FAILED where gnuplot
 * is missing or fails. */
enum status chart_draw(struct chart *chart, const struct chart_figure *figure,
                       struct error *error);

/* ---- chart_picture.c ---- */

/* Is the file a whole picture of this format with something on it? Takes out
 * of it when it was made, and has a PNG say that it has 300 pixels an inch.
 * STATUS_FAILED, saying what is wrong. */
enum status chart_picture_check(const char *path, enum chart_format format,
                                struct error *error);

/* ---- chart_gnuplot.c ---- */

/* Runs `gnuplot -d -c SCRIPT FORMAT PICTURE DATA`; the paths must begin with
 * `/` or `./`. STATUS_FAILED, with gnuplot's words, where it is missing or
 * fails. */
enum status chart_gnuplot(const char *script, const char *format,
                          const char *picture, const char *data, bool debug,
                          struct error *error);

/* ---- chart_text.c ---- */

/* How wide a line of text is, in heights of its letters; an estimate, on the
 * safe side, for a sans serif. */
double chart_text_ems(const char *text);

/* ---- chart_panels.c ---- */

/* Leaves only the panels of these letters, "a,e", in the figure's order; they
 * are lettered anew. STATUS_INPUT, naming those there are, where it has not all
 * of them. */
enum status chart_panels_choose(const char *text, struct chart_figure *figure,
                                struct error *error);

/* The commands that tell a figure's panels and legends. */
void chart_panels_write(const struct chart_figure *figure, FILE *file);

/* ---- chart_script.c, chart_layout.c ---- */

/* The commands before a figure's panels are told, before they are drawn, and
 * after them. */
extern const char chart_script_head[], chart_script_layout[],
    chart_script_foot[];

#endif
