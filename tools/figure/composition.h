/* SPDX-License-Identifier: MIT */
/* A figure of a paper: panels that other programs draw, set on one page in the
 * size that they were drawn in, and a letter above each. */
#ifndef HAMON_TOOLS_FIGURE_COMPOSITION_H
#define HAMON_TOOLS_FIGURE_COMPOSITION_H

#include "base/sha256.h"
#include "base/status.h"
#include "draw/canvas/page.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    PANELS_LIMIT = 26, /* a letter for each */
    PANEL_LEAST = 6,   /* centimetres, of --width in their programs */
};

/* Points of the page. */
struct panel_place {
    double left, top; /* of the picture, below its letter */
    double width, height;
};

struct panel {
    char *command;   /* as one types it */
    int64_t columns; /* that it spans */
    int line;        /* of the figure's file */
    char **words;    /* of the command, the program's name first; NULL behind */
    size_t word_count;
    bool slice; /* writes one file a run, and not a chart's files */
    struct panel_place place;
};

struct source {
    const char *name; /* as the command has it, borrowed */
    char sum[SHA256_TEXT];
};

struct composition {
    const char *path; /* of the figure's file, borrowed */
    const char *name; /* without its folder */
    char *folder;     /* that it is in: commands run there */
    double width;     /* centimetres */
    int64_t columns;
    char *caption; /* LaTeX, "" for none */
    struct panel *panels;
    size_t count;
    struct source *sources; /* the recordings, in the order of the commands */
    size_t source_count, source_room;
    char *work;            /* a folder of our own, where all is made */
    double height;         /* of the page, points; known when all is drawn */
    char *recordings_note; /* "run.h5 sha256 …; …" */
    char *panels_note;     /* "(a) hamon-slice …; (b) …" */
};

static inline double points(double centimetres)
{
    return centimetres * 72 / 2.54;
}

/* ---- read.c ---- */

/* Reads the figure's file and checks all that can be known before a panel is
 * drawn. STATUS_INPUT with `file:line: …`. Release with composition_release,
 * after a failure too. */
enum status composition_read(const char *path, struct composition *figure,
                             struct error *error);
void composition_release(struct composition *figure);

/* How wide the panel is, in centimetres. */
double panel_width(const struct composition *figure, const struct panel *panel);

/* ---- words.c ---- */

/* The words of a command, as a shell would split it: blanks, '…', "…" and \ .
 * What a shell would do more with (* ? $ ` ; | & < >, unless quoted) is
 * refused. NULL behind the last; from memory_new, as are the words. */
enum status words_split(const char *command, char ***words, size_t *count,
                        struct error *error);
void words_release(char **words);

/* ---- sources.c ---- */

/* Which files that the commands name are recordings, and their checksums. */
enum status sources_find(struct composition *figure, struct error *error);

/* ---- panels.c ---- */

/* Makes the work folder; and removes it with all in it. */
enum status work_make(struct composition *figure, struct error *error);
void work_remove(struct composition *figure);

/* Has the panel of this number drawn: WORK/N.pdf and WORK/N.svg. The status is
 * the program's, with its message behind `file:line: `. */
enum status panel_draw(const struct composition *figure, size_t number,
                       struct error *error);

/* The path of a file in the work folder, "WORK/3.pdf"; from memory_new. */
char *work_path(const struct composition *figure, const char *name);
char *panel_path(const struct composition *figure, size_t number,
                 const char *format);

/* Sets the panels that are drawn: their places and the page's height. */
enum status composition_lay_out(struct composition *figure,
                                struct error *error);

/* A page of the figure's size that goes to `file`, with the letters on it. */
enum status letters_page(const struct composition *figure,
                         const struct page_format *format, FILE *file,
                         struct page **page, struct error *error);

/* Where the figure is from, for a picture's own notes. */
enum { NOTES = 4 };
void figure_notes(const struct composition *figure,
                  struct image_note notes[NOTES]);

/* ---- each makes WORK/figure.pdf … of the drawn panels ---- */

/* The width and the height of a panel's page, in points. */
enum status pdf_size(const char *path, double *width, double *height,
                     struct error *error);
enum status pdf_compose(const struct composition *figure, struct error *error);
enum status svg_compose(const struct composition *figure, struct error *error);
/* Of WORK/figure.pdf. */
enum status png_compose(const struct composition *figure, struct error *error);
/* `base` is the figure's name in \includegraphics. */
enum status tex_compose(const struct composition *figure, const char *base,
                        struct error *error);
/* May this be a figure's name in TeX? */
enum status tex_check_name(const char *base, struct error *error);
/* Do the caption's braces match? Or STATUS_INPUT, without file and line. */
enum status tex_check_caption(const char *caption, struct error *error);

#endif
