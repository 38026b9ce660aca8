/* SPDX-License-Identifier: MIT */
/* A picture, or several of them as panels, with title, axes, colour bar, scale
 * bar and legend. Text is placed beside the data, never on it. */
#ifndef HAMON_DRAW_FIGURE_FIGURE_H
#define HAMON_DRAW_FIGURE_FIGURE_H

#include "draw/figure/picture.h"
#include "draw/figure/ticks.h"
#include "draw/raster/text.h"

enum { FIGURE_PANELS = 26, FIGURE_LEGEND = 24 };

/* A part of the panel's cells, larger, in one of its corners. */
struct inset {
    struct cells cells; /* of the plane */
    int right, bottom;  /* in the right or left, lower or upper corner */
};

struct figure_options {
    /* `key`: of the marks, lines and blanks in the panels, below them */
    bool bar, axes, scale_bar, legend, key;
    bool has_inset;
    struct inset inset;
    /* %d in it is the step, %t the time in seconds by scale.step, %f the
     * picture's name, %% a %; with one of the first three each panel of a
     * montage has it, and otherwise the page; NULL: none */
    const char *title;
    const char *font;           /* of font_open */
    const char *const *reasons; /* why each panel's step is shown; NULL: none;
                                 * borrowed */
    double points;              /* width on paper of a page; 0: of pixels */
    int columns, rows; /* of panels, each ≥ 1 and FIGURE_PANELS in all */
    /* A part of a larger page, whose own text is above it. */
    bool placed;
    double margins[3]; /* points, at least, to the left, above, to the right */
    bool strip;        /* no panels, only the bar and the key, side by side */
    bool unnamed;      /* the bar's label is the field's name alone */
    bool has_signs;    /* the key has these signs, of figure_signs */
    unsigned signs;
};

/* Rectangles of pixels. */
struct frame {
    int left, top, width, height;
};

struct figure {
    struct figure_options options;
    struct picture *picture; /* borrowed; of several the one being painted */
    struct picture *const *pictures; /* of figure_set_beside; or NULL */
    size_t picture_count;
    struct font *font;     /* NULL if there is only the picture */
    struct image image;    /* the page; for vectors only its size */
    struct page *over;     /* its image */
    struct page_size size; /* of vectors */
    struct page *page; /* the surface for figure_paint; borrowed, NULL: image */
    bool keeps;        /* it is the same PNG for all pages, with one scale */
    size_t kept;       /* then all round so many panels is kept on it */
    double em, small, large; /* of text: the em, ticks' labels, titles */
    struct frame panel;      /* the first */
    int beside, below;   /* room in it for the names of the box's edges; half of
                          * `below` is above it too */
    int pitch[2];        /* from panel to panel, across and down */
    struct frame panels; /* round all of them */
    bool own_bars;       /* each panel has its range and bar; the number of: */
    int number;          /* the panel whose bar is drawn */
    struct frame bar; /* of all, or the first in the lowest row; horizontal if
                         it is wider than high */
    double bar_reach; /* of its labels, from its right edge */
    double bar_room;  /* for a line of its label, which may have */
    char bar_label[256];                   /* several lines */
    struct ticks bar_ticks, axis_ticks[2]; /* across, down */
    struct view_axis axis[2];
    double unit;                /* of a box's edges, in cells */
    const char *unit_name;      /* "cells", "m" */
    size_t cut_titles;          /* of those painted so far */
    int title_base, scale_base; /* the middle of the text's capitals */
    int caption_lines;          /* above each panel: 0 to 3 */
    struct frame legend;
    struct frame outcomes; /* width 0: none */
};

/* Lays out pages for the picture, which is borrowed; its options.em must have
 * been chosen for the whole page; for vectors it is chosen here. STATUS_INPUT
 * if the options cannot be combined. Release with figure_release, after a
 * failure too. */
enum status figure_init(struct figure *figure, struct picture *picture,
                        const struct figure_options *options,
                        struct error *error);
void figure_release(struct figure *figure);

/* From now on the panels show these pictures in turn; the first is that of
 * figure_init. If their scales differ, each panel has its own bar, and the page
 * is laid out anew. Borrowed. STATUS_INPUT if their sizes differ, or if the
 * legend would have agents with different names. */
enum status figure_set_beside(struct figure *figure,
                              struct picture *const *pictures, size_t count,
                              struct error *error);

/* Paints the page of these rows (1 … columns × rows of them), each with the
 * picture of its panel. */
enum status figure_paint(struct figure *figure, const int64_t *rows,
                         size_t count, struct error *error);

/* The frame round its panels: its distances from the page's left, upper and
 * right edges, in points. */
void figure_margins(const struct figure *figure, double margins[3]);

/* The signs of the key, as a set. */
unsigned figure_signs(const struct figure *figure);

/* The line above its only panel, whether it is drawn or not; "": none. */
void figure_caption(const struct figure *figure, int64_t step, char *text,
                    size_t size);

/* Is there only the field? Then the page is the picture, except for an oblique
 * view, whose layers are labelled. */
bool figure_is_bare(const struct figure_options *options);

/* The page, after figure_paint. */
const struct image *figure_page(const struct figure *figure);

/* ---- ink.c: for all that draw on the page ---- */

struct page *figure_surface(struct figure *figure);
void figure_fill(struct figure *figure, double left, double top, double width,
                 double height);

/* Text that begins, is centred or ends at `at` (part 0, ½, 1). The middle of
 * its capitals, not its baseline, is at the height of `at`; the same for upward
 * text. */
void figure_text(struct figure *figure, const char *text, double size,
                 const double at[2], double part, bool upward);
void figure_gray_text(struct figure *figure, const char *text, double size,
                      const double at[2], double part);
/* With white round the letters, readable on any colour. */
void figure_cased_text(struct figure *figure, const char *text, double size,
                       const double at[2], double part);
void figure_outline(struct figure *figure, const struct frame *frame);
/* A line of this width over the frame's sides. */
void figure_stroke(struct figure *figure, const struct frame *frame,
                   double width);
/* The room of a line, pixels; its thickness, on a page at least .5 points. */
int figure_line(const struct figure *figure);
double figure_thickness(const struct figure *figure);

#endif
