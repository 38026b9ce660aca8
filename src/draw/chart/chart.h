/* SPDX-License-Identifier: MIT */
/* Charts by gnuplot: a table of numbers and BASE.gp, from which gnuplot makes
 * the pictures. There are two kinds.
 *
 * A chart that its program's .gp file lays out: chart_open_tables,
 * chart_table, chart_option, and chart_draw with a figure without panels.
 * BASE.csv has the tables, with named columns; BASE.gp is head.gp (which has
 * the sizes, colours, axes and numbers of all charts), the options, and the
 * program's file.
 *
 * A chart of panels: data (BASE.dat: blocks of numbers) plus one constant entry
 * for each panel: its title, the names and ranges of its axes, the block that
 * it shows and the section of a .gp file that draws it. From these BASE.gp is
 * written, with all positions computed.
 * gnuplot is started without a shell. A user's
 * text reaches it as data only, and neither gnuplot nor TeX executes it. The
 * same chart always has the same bytes; it contains no date. */
#ifndef HAMON_DRAW_CHART_CHART_H
#define HAMON_DRAW_CHART_CHART_H

#include "base/output.h"
#include "base/status.h"
#include "draw/raster/installed.h"

#include <stdbool.h>
#include <stdio.h>

enum chart_format { CHART_PDF, CHART_SVG, CHART_PNG, CHART_TEX, CHART_FORMATS };

/* The files of a chart: one picture for each format. */
enum {
    CHART_PATH_DATA,
    CHART_PATH_SCRIPT,
    CHART_PATH_PICTURES,
    CHART_PATHS = CHART_PATH_PICTURES + CHART_FORMATS
};
extern const char *const chart_format_names[]; /* ends with NULL */

/* "pdf,svg" as bits 1 << CHART_PDF | 1 << CHART_SVG; "none" as 0: only the data
 * and the script. */
enum status chart_formats_parse(const char *text, unsigned *formats,
                                struct error *error);

/* Centimetres: the width of a column of a paper, and of its page. */
#define CHART_COLUMN 8.5
#define CHART_PAGE 17.

/* "column", "page", or centimetres from 6 to 60. */
enum status chart_width_parse(const char *text, double *width,
                              struct error *error);

/* ---- panels ---- */

/* How many line styles a reader can distinguish: of series, and of the lines of
 * one panel; how many panels may have their own lines. */
enum { CHART_STYLES = 12, CHART_LINE_STYLES = 6, CHART_LINE_PANELS = 3 };

/* A panel: constants of the program and its own numbers, without double quotes,
 * never a user's words. In a column panels are below each other, on a page side
 * by side; letters have the same size in both. */
struct chart_panel {
    const char *name; /* in --panels, and in BASE.gp */
    char title[96];
    const char *x, *y;             /* names of the axes, with their units */
    char x_range[64], y_range[64]; /* in gnuplot's form: "[0:*]" */
    double x_tics, y_tics;         /* their spacing; 0: gnuplot chooses */
    const char *log;               /* logarithmic axes: "x", "y"; NULL: none */
    const char *block;             /* of BASE.dat */
    const char *style;             /* the section of a .gp file that draws it */
    int every;                     /* rows of the block between symbols */
    int lines;     /* 1 + k: has the lines CHART_LINES + k; 0: has no lines */
    int legend;    /* the number of its entries, > 0; panels may share one */
    double shape;  /* height divided by width; 0: as other panels */
    bool polar;    /* without axes, two in a column if there are enough */
    bool own_only; /* draws none of the series: its legend lists its lines */
    bool series_below; /* in a column it has its own legend of the series */
    bool numbers; /* its abscissa is the number of a series in the legend */
    bool extra;   /* of a chart with tables: drawn only if it is chosen */
};

enum { CHART_PANELS = 26 }; /* a letter for each */

struct chart_figure {
    /* A .gp file: a section for each style; without panels `size` and
     * `panels`, see head.gp. */
    const unsigned char *commands;
    const char *title; /* of a picture without panels */
    char numbers[200]; /* lines `name = 1.5` that it reads */
    size_t count;
    struct chart_panel panels[CHART_PANELS];
};

/* Keeps only the panels of these letters or names, "a,width", in the figure's
 * order; they get new letters. STATUS_INPUT, with a list of the panels that
 * exist, if one does not. */
enum status chart_panels_choose(const char *text, struct chart_figure *figure,
                                struct error *error);

/* ---- the chart's data ---- */

/* A line of a legend or of the caption. */
struct chart_entry {
    int legend;      /* as chart_panel's; CHART_OF_… */
    int line, point; /* styles of chart.gp; 0: none */
    double ems;      /* width of the text, in letter heights */
    char *text;      /* owned */
};
enum { CHART_OF_SERIES = 0, CHART_OF_CAPTION = -1, CHART_OF_SOURCE = -2 };

/* Which lines of the caption are drawn: all, those necessary to read the chart,
 * none. A picture's own description has all of them. */
enum chart_caption { CHART_FULL, CHART_SHORT, CHART_NONE };

/* "full", "short", "none". */
enum status chart_caption_parse(const char *text, enum chart_caption *caption,
                                struct error *error);

/* The name of a font known to fontconfig: letters, digits, spaces, - and _ . */
enum status chart_font_check(const char *text, struct error *error);

/* The lines that panels of one kind have in addition: their numbers in
 * BASE.dat, from 1. */
struct chart_lines {
    size_t count, number[CHART_LINE_STYLES];
};

/* Another file of the chart. */
struct chart_file {
    struct chart_file *next;
    char *path;
    struct output output;
};

struct chart {
    unsigned formats; /* bits 1 << CHART_… */
    double width;     /* of the pictures, centimetres: CHART_COLUMN */
    enum chart_caption caption;
    const char *font; /* borrowed; NULL: Sans */
    bool force;
    bool debug;         /* gnuplot's messages are printed too */
    char *options;      /* lines of BASE.gp by chart_option; owned */
    struct output data; /* BASE.dat or BASE.csv; numbers go to data.file */
    struct output script;
    struct output picture[CHART_FORMATS];
    char *path[CHART_PATHS];  /* BASE.dat, BASE.gp, BASE.pdf … */
    struct chart_file *added; /* by chart_add, the last first */
    size_t series_count, series[CHART_STYLES]; /* those drawn; from 1 */
    struct chart_lines lines[CHART_LINE_PANELS];
    size_t entry_count, entry_room;
    struct chart_entry *entries;
    struct lacking lacking; /* of its texts, set by chart_draw */
};

/* Starts BASE.dat. STATUS_INPUT if one of the files exists and `force` is not
 * set, before anything is computed. All files appear together in chart_draw, or
 * none does. Release with chart_release, after a failure too. */
enum status chart_open(struct chart *chart, const char *base, unsigned formats,
                       bool force, struct error *error);
void chart_release(struct chart *chart);

/* The same for a chart that its .gp file lays out: starts BASE.csv. */
enum status chart_open_tables(struct chart *chart, const char *base,
                              unsigned formats, bool force,
                              struct error *error);

/* Adds another file in the directory of BASE, which appears with the others;
 * write to *output. */
enum status chart_add(struct chart *chart, const char *path,
                      struct output **output, struct error *error);

/* Starts the block "texts", the first (see chart_say). Only comments precede
 * it; one that begins with a block's name would be taken for the block. */
void chart_texts(struct chart *chart);

/* Starts the block "name", which gnuplot finds by its name (`index "name"`);
 * `columns` are their names, with units. */
void chart_block(struct chart *chart, const char *name, const char *columns);

/* Writes one number of a row and the character after it; NaN is a gap. */
void chart_number(struct chart *chart, double number, char behind);

/* Writes a row of these numbers, of a table or of a block. */
void chart_row(struct chart *chart, const double *numbers, size_t count);
#define CHART_ROW(chart, ...)                                                  \
    chart_row(chart, (const double[]){ __VA_ARGS__ },                          \
              sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))

/* An empty line: ends a curve through the rows. */
void chart_gap(struct chart *chart);

/* A text of the chart, the `place`-th (from 1) of its kind: the legend of the
 * series of this number, a line of the caption, the name of a panel's
 * additional line (CHART_LINES, CHART_LINES + 1 …), a note that some of these
 * are not drawn (CHART_MORE_LINES …), or a line of the caption with the source
 * of the data (CHART_SOURCE). All of them form the block "texts" (chart_texts)
 * that must come first; in a chart with tables they are comments. Legends and
 * captions are drawn unchanged; entries of lines are added by chart_entry. */
enum chart_text {
    CHART_LEGEND,
    CHART_CAPTION,
    CHART_LINES,
    CHART_MORE_LINES = CHART_LINES + CHART_LINE_PANELS,
    CHART_SOURCE = CHART_MORE_LINES + CHART_LINE_PANELS,
};
void chart_say(struct chart *chart, int kind, int place, size_t series,
               const char *text);

/* Adds a line to a legend. Characters with a meaning for gnuplot (quotes,
 * backslashes, control characters, broken UTF-8) are replaced by similar
 * ones. */
void chart_entry(struct chart *chart, int legend, int line, int point,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* ---- tables and options of a chart that its .gp file lays out ---- */

/* Starts a table, which gnuplot finds by its name (`index "name"`) and reads by
 * its columns' names (`using "x":"y"`): "x,y", of which the first has numbers.
 * Its rows are written by chart_number and chart_word, with ',' behind all
 * but the last. */
void chart_table(struct chart *chart, const char *name, const char *what,
                 const char *columns);

/* Writes a text of a row; characters as in chart_entry. */
void chart_word(struct chart *chart, const char *text, char behind);

/* Sets a variable of BASE.gp to a text, which gnuplot does not execute, or to a
 * number. */
void chart_option(struct chart *chart, const char *name, const char *text);
void chart_option_number(struct chart *chart, const char *name, double number);

/* The same of the i-th series (from 0), for which BASE.gp has NAME_1 … */
void chart_option_of(struct chart *chart, const char *name, size_t i,
                     double number);
void chart_option_text_of(struct chart *chart, const char *name, size_t i,
                          const char *text);

/* ---- script.c ---- */

/* chart.gp and head.gp, made part of the program by build-aux/embed.sh. */
extern const unsigned char chart_gp[], head_gp[];

/* Writes BASE.gp. */
void chart_script_write(const struct chart *chart,
                        const struct chart_figure *figure, FILE *file);

/* ---- gnuplot.c ---- */

/* STATUS_FAILED if gnuplot is missing or has no terminal for a format, before
 * anything is computed. */
enum status chart_gnuplot_check(const struct chart *chart, struct error *error);

/* Ends BASE.dat and BASE.gp and draws the formats; each picture is accepted
 * only if it is complete and not blank. Then all files get their names; after a
 * failure no file is left. STATUS_FAILED if gnuplot is missing or fails. */
enum status chart_draw(struct chart *chart, const struct chart_figure *figure,
                       struct error *error);

/* ---- picture.c ---- */

/* The texts written into a picture: its title and description (of a PDF its
 * subject, of TeX comments), and an SVG's width in centimetres. */
struct chart_words {
    char *title, *description;
    double width;
};

/* Is the file a complete picture of this format, and not blank? With `words`,
 * which may be NULL, replaces its date by these, and writes into a PNG its
 * resolution of 300 pixels an inch. Else STATUS_FAILED with the cause. */
enum status chart_picture_check(const char *path, enum chart_format format,
                                const struct chart_words *words,
                                struct error *error);

#endif
