/* SPDX-License-Identifier: MIT */
/* A figure of a paper: panels drawn by other programs, placed on one page at
 * their own size, with a letter above each. */
#ifndef HAMON_TOOLS_FIGURE_COMPOSITION_H
#define HAMON_TOOLS_FIGURE_COMPOSITION_H

#include "base/sha256.h"
#include "base/status.h"
#include "draw/canvas/page.h"
#include "draw/raster/installed.h"

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

/* What hamon-slice --placed=measure prints. */
struct measures {
    bool framed;        /* it has a frame: */
    double margins[3];  /* points from its left, upper and right edge */
    char colors[160];   /* of one bar for all that have the same; "" none */
    double low, high;   /* ends of the scale */
    double least, most; /* extremes of the values */
    char about[256];    /* what the bar's label says */
    unsigned signs;     /* in its key */
    double cell;        /* points, the shorter side; 0: no cells */
    char caption[256];  /* the line above it */
};

enum sharing { SHARE_NONE, SHARE_RANGE };

struct panel {
    char *command;   /* as typed in a shell */
    char *title;     /* beside its letter; "": of its program */
    int64_t columns; /* that it spans */
    int share;       /* enum sharing */
    int line;        /* of the figure's file */
    char **words;    /* of the command, the program first; ends with NULL */
    size_t word_count;
    bool slice; /* writes one file for each run, not the files of a chart */
    bool strip; /* the bar and the key of those that share */
    int64_t first, row; /* its first column, and the row */
    struct measures measured;
    double margins[3]; /* points, at least; hamon-slice's */
    struct panel_place place;
};

struct source {
    char *name; /* as in the command, or below its folder */
    char sum[SHA256_TEXT];
};

struct composition {
    const char *path; /* of the figure's file, borrowed */
    const char *name; /* without its folder */
    char *folder;     /* its folder: commands run there */
    double width;     /* centimetres */
    int64_t columns;
    char *caption; /* LaTeX, "" for none */
    int share;     /* enum sharing, unless a panel says other */
    /* After the panels: the strip, if panels share a range, and a page of the
     * titles; `drawn` in all. The panels' words are the strip's too. */
    struct panel *panels;
    size_t count, drawn;
    bool unnamed;           /* the strip's label is the field's name alone */
    struct source *sources; /* the recordings, in the order of the commands */
    size_t source_count, source_room;
    char *work;             /* our own folder for all intermediate files */
    double height;          /* of the page, points; known after drawing */
    char *recordings_note;  /* "run.h5 sha256 …; …" */
    char *panels_note;      /* "(a) hamon-slice …; (b) …" */
    struct lacking lacking; /* characters in panels that no font has */
};

static inline double points(double centimetres)
{
    return centimetres * 72 / 2.54;
}

/* ---- read.c ---- */

/* Reads the figure's file and checks all that can be checked before a panel is
 * drawn. STATUS_INPUT with `file:line: …`. Release with composition_release,
 * after a failure too. */
enum status composition_read(const char *path, struct composition *figure,
                             struct error *error);
void composition_release(struct composition *figure);

/* The message about a panel, after `file:line: `. */
enum status panel_fault(const struct composition *figure,
                        const struct panel *panel, struct error *error,
                        const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The width of the panel, in centimetres. */
double panel_width(const struct composition *figure, const struct panel *panel);

/* ---- words.c ---- */

/* The words of a command, as a shell would split it: blanks, '…', "…" and \ .
 * Characters with other meanings in a shell (* ? $ ` ; | & < >, unless quoted)
 * are rejected. NULL after the last; from need_memory, as are the words. */
enum status words_split(const char *command, char ***words, size_t *count,
                        struct error *error);
void words_release(char **words);

/* ---- sources.c ---- */

/* Finds the recordings among the files that the commands name, and their
 * checksums. */
enum status sources_find(struct composition *figure, struct error *error);

/* ---- work.c ---- */

/* Makes the work folder; removes it with its content. */
enum status work_make(struct composition *figure, struct error *error);
void work_remove(struct composition *figure);

/* The path of a file in the work folder, "WORK/3.pdf"; from need_memory. */
char *work_path(const struct composition *figure, const char *name);
char *panel_path(const struct composition *figure, size_t number,
                 const char *format);

/* ---- panels.c ---- */

/* Stores the measures that its program prints if the panel is drawn with what
 * is known of it. */
enum status panel_measure(struct composition *figure, size_t number,
                          struct error *error);

/* Draws the panel of this number by its program: WORK/N.pdf and WORK/N.svg.
 * Stores its size, and adds to figure->lacking. The status is the program's,
 * with its message after `file:line: `. */
enum status panel_draw(struct composition *figure, size_t number,
                       struct error *error);

/* ---- measure.c ---- */

/* Measures all panels, and gives them the margins that align their frames, and
 * those that share a range that range and a strip below them. STATUS_INPUT if
 * they cannot share. */
enum status composition_measure(struct composition *figure,
                                struct error *error);

/* ---- page.c ---- */

/* Places the drawn panels: their positions and the page's height. */
void composition_lay_out(struct composition *figure);

/* A page of the figure's size with the letters, written to `file`. */
enum status letters_page(const struct composition *figure,
                         const struct page_format *format, FILE *file,
                         struct page **page, struct error *error);

/* Draws the titles beside the letters, as the last of the panels. */
enum status titles_draw(struct composition *figure, struct error *error);

/* The sources of the figure, for a picture's own notes. */
enum { NOTES = 4 };
void figure_notes(const struct composition *figure,
                  struct image_note notes[NOTES]);

/* ---- each makes WORK/figure.pdf … from the drawn panels ---- */

/* Can this build put pages of PDF together? If not, STATUS_FAILED. */
enum status pdf_check(struct error *error);
/* The width and the height of a panel's page, in points. */
enum status pdf_size(const char *path, double *width, double *height,
                     struct error *error);
enum status pdf_compose(const struct composition *figure, struct error *error);
/* Writes a copy of the page with room above it, up to this height in points. */
enum status pdf_heighten(const char *path, const char *to, double height,
                         struct error *error);
enum status svg_compose(const struct composition *figure, struct error *error);
/* From WORK/figure.pdf; so many dots an inch. */
enum status png_compose(const struct composition *figure, int dots,
                        struct error *error);
enum status eps_compose(const struct composition *figure, struct error *error);
/* `base` is the figure's name in \includegraphics. */
enum status tex_compose(const struct composition *figure, const char *base,
                        struct error *error);
/* Is this allowed as a figure's name in TeX? */
enum status tex_check_name(const char *base, struct error *error);
/* Do the caption's braces match? If not, STATUS_INPUT, without file and
 * line. */
enum status tex_check_caption(const char *caption, struct error *error);

#endif
