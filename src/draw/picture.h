/* SPDX-License-Identifier: MIT */
/* Rows of a view made into pictures that belong together: one colour scale,
 * one size, one set of things drawn over the field. */
#ifndef HAMON_DRAW_PICTURE_H
#define HAMON_DRAW_PICTURE_H

#include "draw/heatmap.h"
#include "draw/png_write.h"
#include "draw/view.h"

#include <stdbool.h>

/* What may be drawn over the field, or-ed. */
enum overlay {
    OVERLAY_WALLS = 1 << 0,
};

struct picture_options {
    const char *map; /* of ramp_load; NULL: the field's own */
    bool has_range;  /* else low … high are taken from the data */
    double low, high;
    bool symmetric; /* about zero */
    bool logarithmic;
    double linear_width; /* of it; 0: 1e-4 of the larger end */
    int cell;            /* pixels a side of a cell, ≥ 1 */
    unsigned overlays;
};

enum { PICTURE_NOTES = 7, PICTURE_NOTE_SIZE = 512 };

struct picture {
    struct view *view; /* borrowed */
    struct picture_options options;
    struct ramp ramp;
    struct scale scale;
    struct image image; /* the last one painted */
    /* Where it is from; those that hold for all rows come first. */
    char texts[PICTURE_NOTES][PICTURE_NOTE_SIZE];
    struct image_note notes[PICTURE_NOTES];
    size_t note_count, lasting_notes;
    int64_t row; /* that the view holds; −1: none */
};

/* Prepares pictures of the `count` rows: reads each once to find the range,
 * where it is to be taken from the data. `software` goes into the notes. The
 * view is borrowed. Release with picture_release, after a failure too. */
enum status picture_init(struct picture *picture, struct view *view,
                         const struct picture_options *options,
                         const int64_t *rows, size_t count,
                         const char *software, struct error *error);
void picture_release(struct picture *picture);

/* Paints one of the rows into picture->image, and tells it in the notes. */
enum status picture_paint(struct picture *picture, int64_t row,
                          struct error *error);

/* "-0.25 to 0.25", and of a signed logarithm its linear width. */
void picture_range(const struct picture *picture, char *text, size_t size);

#endif
