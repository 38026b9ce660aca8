/* SPDX-License-Identifier: MIT */
/* A picture, or several of them as panels, with what a reader needs round it:
 * title, axes, colour bar, scale bar, legend. Text stands beside the data,
 * never on it. */
#ifndef HAMON_DRAW_FIGURE_FIGURE_H
#define HAMON_DRAW_FIGURE_FIGURE_H

#include "draw/figure/picture.h"
#include "draw/figure/ticks.h"
#include "draw/raster/text.h"

enum { FIGURE_PANELS = 26, FIGURE_LEGEND = 24 };

struct figure_options {
    bool bar, axes, scale_bar, legend;
    /* %d in it is the step, %t the time in seconds by scale.step, %f the
     * picture's name, %% a %; with one of the three it is each panel's of a
     * montage, and otherwise the page's; NULL: none */
    const char *title;
    const char *font;  /* of font_open */
    double points;     /* width on paper of a page of vectors; 0: of pixels */
    int columns, rows; /* of panels, each ≥ 1 and FIGURE_PANELS in all */
};

/* Rectangles of pixels. */
struct frame {
    int left, top, width, height;
};

struct figure {
    struct figure_options options;
    struct picture *picture; /* borrowed; of several the one that is painted */
    struct picture *const *pictures; /* of figure_set_beside; or NULL */
    size_t picture_count;
    struct font *font;  /* NULL where there is nothing round the picture */
    struct image image; /* the page; of vectors its size alone */
    struct mask mask;
    struct page_size size; /* of vectors */
    struct page *page; /* what figure_paint draws on; borrowed, NULL: image */
    double em, small, large; /* of text: the em, ticks' labels, titles */
    struct frame panel;      /* the first */
    int beside, below;   /* room in it for the names of the box's edges; half of
                          * `below` above it too */
    int pitch[2];        /* from panel to panel, across and down */
    struct frame panels; /* round all of them */
    struct frame bar;    /* lies where it is wider than high */
    double bar_reach;    /* of its labels, from a standing bar's right edge */
    double bar_room;     /* for a line of its label, of which there may be */
    char bar_label[256]; /* several */
    struct ticks bar_ticks, axis_ticks[2]; /* across, down */
    struct view_axis axis[2];
    double unit;                /* of a box's edges, in cells */
    const char *unit_name;      /* "cells", "m" */
    size_t cut_titles;          /* of those painted so far */
    int title_base, scale_base; /* the middle of the text's capitals */
    struct frame legend;
};

/* Lays out pages for the picture, which is borrowed; its options.em must have
 * been chosen for the whole page; of vectors it is chosen here. STATUS_INPUT
 * where the options do not go together. Release with figure_release, after a
 * failure too. */
enum status figure_init(struct figure *figure, struct picture *picture,
                        const struct figure_options *options,
                        struct error *error);
void figure_release(struct figure *figure);

/* Of now on the i-th panel is of the i-th of these pictures, and so on round;
 * the first is that of figure_init. Borrowed. STATUS_INPUT where they are not
 * of one size, or where the legend would name agents that differ. */
enum status figure_set_beside(struct figure *figure,
                              struct picture *const *pictures, size_t count,
                              struct error *error);

/* Paints the page of these rows (1 … columns × rows of them), each of its
 * panel's picture. */
enum status figure_paint(struct figure *figure, const int64_t *rows,
                         size_t count, struct error *error);

/* Is there nothing but the field? Then the page is the picture, except for an
 * oblique view, whose layers are labelled. */
bool figure_is_bare(const struct figure_options *options);

/* The page, after figure_paint. */
const struct image *figure_page(const struct figure *figure);

/* ---- for what others draw on the page ---- */

/* Text from `at`, or centred or ending there (part 0, ½, 1). The middle of its
 * capitals, not its baseline, is at the height of `at`; upwards likewise. */
void figure_text(struct figure *figure, const char *text, double size,
                 const double at[2], double part, bool upward);
void figure_outline(struct figure *figure, const struct frame *frame);
int figure_line(const struct figure *figure); /* width of lines, pixels */

#endif
