/* SPDX-License-Identifier: MIT */
/* The marks of figures: agents by what they are doing, the target, starts.
 * They differ in shape as well as in colour, and their edges are visible on any
 * colour of a field. */
#ifndef HAMON_DRAW_FIGURE_MARKS_H
#define HAMON_DRAW_FIGURE_MARKS_H

#include "draw/canvas/page.h"

enum mark {
    MARK_TARGET,
    MARK_START,
    MARK_WAITING,
    MARK_WALKING,
    MARK_CAPTURED,
    MARK_STUCK,
    MARK_UNDER_WAY, /* at the end of the run */
    MARK_COUNT,
};
extern const char *const mark_names[MARK_COUNT];

/* Half the width of a mark, with its edge. `em` is the size of the text: 7.5
 * points on paper. */
double mark_reach(enum mark mark, double em);

/* Draws the mark at a position. `along` is the heading on the picture, of any
 * length: the point of MARK_UNDER_WAY, a nose of MARK_WALKING; NULL: none. */
void mark_draw(struct page *page, enum mark mark, double em, const double at[2],
               const double *along);

/* A start with room for a number, its edge in the colour of its trail. */
void mark_draw_start(struct page *page, double em, const double at[2],
                     const uint8_t color[3]);
double mark_start_reach(double em);

/* Colours that differ also for readers with deuteranopia or protanopia and, by
 * turns dark and light, in gray. */
enum { MARK_COLORS = 8 };
const uint8_t *mark_color(int number);

#endif
