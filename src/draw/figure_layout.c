/* SPDX-License-Identifier: MIT */
/* How much room each part of a page takes, and where it stands. */
#include "draw/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The room round the panels. */
struct margins {
    double left, top, right, bottom;
};

/* Ticks along one side of a panel, in the axes' unit. */
static void make_axis(struct figure *figure, int side)
{
    const struct view *view = figure->picture->view;
    const struct cut *cut = &view->cut;
    int cells = side ? cut->ny : cut->nx;
    int low = view->region.low[side ? cut->down : cut->right];
    double pixels = (double)cells * figure->picture->options.cell;
    struct scale scale = { low * figure->unit, (low + cells - 1) * figure->unit,
                           0 };
    struct ticks *ticks = &figure->axis_ticks[side];
    ticks->count = 0;
    if (cells > 1)
        ticks_make(&scale, (int)(pixels / ((side ? 2.2 : 3.0) * figure->em)),
                   ticks);
}

/* Metres where the scenario has told how long a cell is. */
static void choose_unit(struct figure *figure)
{
    double cell = recording_setting_real(figure->picture->view->recording,
                                         "scale.cell", 0);
    figure->unit = cell > 0 ? cell : 1;
    figure->unit_name = cell > 0 ? "m" : "cells";
}

/* Room for axes on the left and under the panels; how far the last panels'
 * labels reach down. */
static void leave_axes(struct figure *figure, struct margins *margins)
{
    double em = figure->em;
    choose_unit(figure);
    if (figure->options.axes) {
        make_axis(figure, 0);
        make_axis(figure, 1);
        margins->left += 1.3 * em + .7 * em +
                         figure_widest(figure, &figure->axis_ticks[1], .9 * em);
        margins->bottom += 3.1 * em;
    }
    if (figure->picture->options.oblique)
        margins->left += text_width(figure->font, .9 * em, "z = 000");
}

/* The bar stands to the right of the panels, or lies under them where they are
 * much wider than high. */
static void leave_bar(struct figure *figure, struct margins *margins,
                      double *below)
{
    struct frame *bar = &figure->bar;
    const struct frame *panels = &figure->panels;
    double em = figure->em, thick = round(.9 * em);
    bool lies = panels->width > 1.7 * panels->height;
    double length = lies ? panels->width : panels->height;
    ticks_make(&figure->picture->scale, (int)(length / ((lies ? 4 : 1.7) * em)),
               &figure->bar_ticks);
    double widest = figure_widest(figure, &figure->bar_ticks, .9 * em);
    if (lies) {
        *below = margins->bottom;
        bar->width = (int)length;
        bar->height = (int)thick;
        margins->bottom += thick + 3.9 * em;
        margins->right += .5 * widest;
    } else {
        bar->width = (int)thick;
        bar->height = (int)length;
        figure->bar_reach = .6 * em + widest;
        margins->right = em + thick + figure->bar_reach + 1.9 * em;
        margins->top = fmax(margins->top, .8 * em);
        margins->bottom = fmax(margins->bottom, .8 * em);
    }
}

static void place_panels(struct figure *figure, const struct margins *margins)
{
    figure->panel.left = figure->panels.left = (int)ceil(margins->left);
    figure->panel.top = figure->panels.top = (int)ceil(margins->top);
}

static void measure_panels(struct figure *figure)
{
    const struct figure_options *options = &figure->options;
    const struct image *image = &figure->picture->image;
    bool many = options->columns * options->rows > 1;
    figure->panel.width = image->width;
    figure->panel.height = image->height;
    double oblique = figure->picture->options.oblique
                         ? text_width(figure->font, .9 * figure->em, "z = 000")
                         : 0;
    figure->pitch[0] = image->width + (int)round(.8 * figure->em + oblique);
    figure->pitch[1] = image->height + (int)round(1.9 * figure->em);
    figure->panels.width =
        image->width + (options->columns - 1) * figure->pitch[0];
    figure->panels.height =
        image->height + (options->rows - 1) * figure->pitch[1];
    if (!many)
        figure->pitch[0] = figure->pitch[1] = 0;
}

enum status figure_lay_out(struct figure *figure, struct error *error)
{
    const struct figure_options *options = &figure->options;
    double em = figure->em, half = .5 * em, bar_below = 0;
    struct margins margins = { half, half, half, half };
    measure_panels(figure);
    if (options->title) {
        figure->title_base = (int)round(margins.top + .6 * em);
        margins.top += 1.7 * em;
    }
    if (options->columns * options->rows > 1)
        margins.top += 1.4 * em;
    leave_axes(figure, &margins);
    margins.right += options->axes ? em : 0; /* half a tick's label */
    if (options->bar)
        leave_bar(figure, &margins, &bar_below);
    place_panels(figure, &margins);
    int bottom = figure->panels.top + figure->panels.height;
    int right = figure->panels.left + figure->panels.width;
    bool lies = figure->bar.width > figure->bar.height;
    figure->bar.left = lies ? figure->panels.left : right + (int)round(em);
    figure->bar.top =
        lies ? bottom + (int)round(bar_below + .3 * em) : figure->panels.top;
    double page = bottom + margins.bottom;
    if (options->scale_bar) {
        figure->scale_base = (int)round(page + .5 * em);
        page += 1.6 * em;
    }
    figure->legend =
        (struct frame){ figure->panels.left, (int)round(page),
                        figure->panels.width,
                        figure_legend_height(figure, figure->panels.width) };
    page += figure->legend.height;
    return image_init(&figure->image, (int64_t)ceil(right + margins.right),
                      (int64_t)ceil(page), error);
}
