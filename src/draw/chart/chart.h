/* SPDX-License-Identifier: MIT */
/* Charts by gnuplot: BASE.csv has tables with named columns, and BASE.gp draws
 * the pictures from them. BASE.gp is head.gp (the sizes, colours, axes and
 * numbers of all charts), the options by chart_option, and the .gp file of the
 * program, which lays the chart out. gnuplot is started without a shell. A
 * user's text reaches it as data only, and neither gnuplot nor TeX executes it.
 * The same chart always has the same bytes; it contains no date. */
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

/* A panel that --panels can choose; the .gp file draws it if show_NAME is 1. */
struct chart_panel {
    const char *name;
    bool extra; /* not drawn unless it is chosen */
};

enum { CHART_PANELS = 26 }; /* a letter for each */

struct chart_figure {
    const unsigned char *commands; /* a .gp file with `size` and `panels` */
    const char *title;             /* of its pictures */
    size_t count;
    struct chart_panel panels[CHART_PANELS];
};

/* Keeps only the panels of these letters or names, "a,width", in the figure's
 * order; they get new letters. STATUS_INPUT, with a list of the panels that
 * exist, if one does not. */
enum status chart_panels_choose(const char *text, struct chart_figure *figure,
                                struct error *error);

/* ---- the chart's data ---- */

/* Lines of the caption, and those that name the source of the data. */
enum chart_text { CHART_CAPTION, CHART_SOURCE };

struct chart_entry {
    enum chart_text kind;
    char *text;  /* owned */
    char *drawn; /* the same in the pictures' language; owned */
};

/* Which lines of the caption are drawn: all, those necessary to read the chart,
 * none. A picture's own description has all of them. */
enum chart_caption { CHART_FULL, CHART_SHORT, CHART_NONE };

/* "full", "short", "none". */
enum status chart_caption_parse(const char *text, enum chart_caption *caption,
                                struct error *error);

/* The name of a font known to fontconfig: letters, digits, spaces, - and _ . */
enum status chart_font_check(const char *text, struct error *error);

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
    const char *font; /* borrowed; NULL: that of words_font */
    /* Sans, or one that has the letters of words that are not English */
    char words_font[64];
    bool force;
    bool debug;         /* gnuplot's messages are printed too */
    char *options;      /* lines of BASE.gp by chart_option; owned */
    struct output data; /* BASE.csv; numbers go to data.file */
    struct output script;
    struct output picture[CHART_FORMATS];
    char *path[CHART_PATHS];  /* BASE.csv, BASE.gp, BASE.pdf … */
    struct chart_file *added; /* by chart_add, the last first */
    size_t entry_count, entry_room;
    struct chart_entry *entries;
    struct lacking lacking; /* of its texts, set by chart_draw */
    char told[200]; /* by its .gp file, as by `print`; set by chart_draw */
};

/* Starts BASE.csv. STATUS_INPUT if one of the files exists and `force` is not
 * set, before anything is computed. All files appear together in chart_draw, or
 * none does. Release with chart_release, after a failure too. */
enum status chart_open(struct chart *chart, const char *base, unsigned formats,
                       bool force, struct error *error);
void chart_release(struct chart *chart);

/* Adds another file in the directory of BASE, which appears with the others;
 * write to *output. */
enum status chart_add(struct chart *chart, const char *path,
                      struct output **output, struct error *error);

/* Starts a table, which gnuplot finds by its name (`index "name"`) and reads by
 * its columns' names (`using "x":"y"`): "x,y", of which the first has numbers.
 * Its rows are written by chart_number and chart_word, with ',' behind all
 * but the last. */
void chart_table(struct chart *chart, const char *name, const char *what,
                 const char *columns);

/* Writes one number of a row and the character after it; NaN is a gap. */
void chart_number(struct chart *chart, double number, char behind);

/* Writes a row of these numbers. */
void chart_row(struct chart *chart, const double *numbers, size_t count);
#define CHART_ROW(chart, ...)                                                  \
    chart_row(chart, (const double[]){ __VA_ARGS__ },                          \
              sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))

/* Writes numbers of a row before a text: each with ',' behind. */
void chart_cells(struct chart *chart, const double *numbers, size_t count);
#define CHART_CELLS(chart, ...)                                                \
    chart_cells(chart, (const double[]){ __VA_ARGS__ },                        \
                sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))

/* Writes a text of a row. Characters with a meaning for gnuplot (quotes,
 * backslashes, control characters, broken UTF-8) are replaced by similar
 * ones. */
void chart_word(struct chart *chart, const char *text, char behind);

/* An empty line: ends a curve through the rows. */
void chart_gap(struct chart *chart);

/* Adds a line to the caption; characters as in chart_word. */
void chart_say(struct chart *chart, enum chart_text kind, const char *format,
               ...) __attribute__((format(printf, 3, 4)));

/* The same, in English for the pictures' descriptions, and as it is drawn. */
void chart_say_words(struct chart *chart, enum chart_text kind,
                     const char *text, const char *drawn);

/* Writes a comment before the first table. One that begins with a table's name
 * would be taken for it after another table. */
void chart_comment(struct chart *chart, const char *text);

/* Sets a variable of BASE.gp to a text, which gnuplot does not execute, or to a
 * number. */
void chart_option(struct chart *chart, const char *name, const char *text);
void chart_option_number(struct chart *chart, const char *name, double number);

/* The same of the i-th series (from 0), for which BASE.gp has NAME_1 … */
void chart_option_of(struct chart *chart, const char *name, size_t i,
                     double number);
void chart_option_text_of(struct chart *chart, const char *name, size_t i,
                          const char *text);

/* The words of a key of a scenario or of its end, from need_memory:
 * "regions 1 speed" of regions.[1].speed. */
char *chart_key_words(const char *path);

/* ---- script.c ---- */

/* In a .gp file a text in quotes between _( and ) is replaced by the text in
 * quotes, in the language of words (words/words.h). */

/* head.gp, made part of the program by build-aux/embed.sh. */
extern const unsigned char head_gp[];

/* Writes BASE.gp. */
void chart_script_write(const struct chart *chart,
                        const struct chart_figure *figure, FILE *file);

/* ---- gnuplot.c ---- */

/* STATUS_FAILED if gnuplot is missing or has no terminal for a format, before
 * anything is computed. */
enum status chart_gnuplot_check(const struct chart *chart, struct error *error);

/* Ends BASE.csv and BASE.gp and draws the formats; each picture is accepted
 * only if it is complete and not blank. Then all files get their names; after a
 * failure no file is left. STATUS_FAILED if gnuplot is missing or fails. */
enum status chart_draw(struct chart *chart, const struct chart_figure *figure,
                       struct error *error);

/* ---- picture.c ---- */

/* The texts written into a picture: its title and description (of a PDF its
 * subject, of TeX comments), and an SVG's width in centimetres. */
struct chart_words {
    const char *title;
    char *description;
    double width;
};

/* Is the file a complete picture of this format, and not blank? With `words`,
 * which may be NULL, replaces its date by these, and writes into a PNG its
 * resolution of 300 pixels an inch. Else STATUS_FAILED with the cause. */
enum status chart_picture_check(const char *path, enum chart_format format,
                                const struct chart_words *words,
                                struct error *error);

#endif
