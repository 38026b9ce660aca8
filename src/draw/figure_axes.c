/* SPDX-License-Identifier: MIT */
/* Axes of panels, labels of layers, and the legend of agents. */
#include "draw/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint8_t ink[3] = { 20, 20, 20 };
static const char axis_letters[] = "xyz";

static void name_axis(const struct figure *figure, int axis, char *text,
                      size_t size)
{
    snprintf(text, size, "%c (%s)", axis_letters[axis], figure->unit_name);
}

/* The middle of a tick's cell, in pixels from the panel's edge. */
static int tick_at(const struct figure *figure, const struct tick *tick,
                   int axis)
{
    const struct view *view = figure->picture->view;
    double cell = figure->picture->options.cell;
    double cells = tick->value / figure->unit - view->region.low[axis];
    return (int)floor((cells + .5) * cell);
}

static void draw_across(struct figure *figure, const struct frame *panel,
                        bool labels)
{
    const struct cut *cut = &figure->picture->view->cut;
    const struct ticks *ticks = &figure->axis_ticks[0];
    int line = figure_line(figure), length = (int)round(.35 * figure->em);
    int y = panel->top + panel->height + line;
    for (int i = 0; i < ticks->count; i++) {
        int x = panel->left + tick_at(figure, &ticks->tick[i], cut->right);
        image_fill(&figure->image, x - line / 2, y, line, length, ink);
        if (labels)
            figure_text(figure, ticks->tick[i].label, .9 * figure->em,
                        (double[]){ x + .5, y + .95 * figure->em }, .5, false);
    }
    if (!labels)
        return;
    char text[32];
    name_axis(figure, cut->right, text, sizeof text);
    figure_text(
        figure, text, figure->em,
        (double[]){ panel->left + panel->width / 2., y + 2.2 * figure->em }, .5,
        false);
}

static void draw_down(struct figure *figure, const struct frame *panel,
                      bool labels)
{
    const struct cut *cut = &figure->picture->view->cut;
    const struct ticks *ticks = &figure->axis_ticks[1];
    double em = figure->em;
    int line = figure_line(figure), length = (int)round(.35 * em);
    int x = panel->left - line - length;
    for (int i = 0; i < ticks->count; i++) {
        int y = panel->top + tick_at(figure, &ticks->tick[i], cut->down);
        image_fill(&figure->image, x, y - line / 2, length, line, ink);
        if (labels)
            figure_text(figure, ticks->tick[i].label, .9 * em,
                        (double[]){ x - .25 * em, y + .5 }, 1, false);
    }
    if (!labels)
        return;
    char text[32];
    name_axis(figure, cut->down, text, sizeof text);
    figure_text(figure, text, em,
                (double[]){ x - .25 * em -
                                figure_widest(figure, ticks, .9 * em) -
                                .75 * em,
                            panel->top + panel->height / 2. },
                .5, true);
}

void figure_draw_axes(struct figure *figure, const struct frame *panel,
                      bool leftmost, bool lowest)
{
    draw_across(figure, panel, lowest);
    draw_down(figure, panel, leftmost);
}

void figure_draw_layers(struct figure *figure, const struct frame *panel)
{
    const struct picture *picture = figure->picture;
    const struct oblique *oblique = &picture->oblique;
    for (int i = 0; i < oblique->count; i++) {
        char text[32];
        double edge[2];
        snprintf(text, sizeof text, "z = %d", oblique->planes[i]);
        oblique_edge(picture->view, oblique, i, edge);
        figure_text(figure, text, .9 * figure->em,
                    (double[]){ panel->left + edge[0] - .4 * figure->em,
                                panel->top + edge[1] - .45 * figure->em },
                    1, false);
    }
}

/* Goes through the entries, line by line; draws them unless `only_measure`.
 * The height of it all. */
static double walk_legend(struct figure *figure, int width, bool only_measure)
{
    const struct tracks *tracks = &figure->picture->tracks;
    double em = figure->em, x = 0, y = 0, line = 1.5 * em;
    struct pen pen = { &figure->image, &figure->mask, NULL, em, -1, 0 };
    double radius = overlay_agent_radius(em);
    for (size_t i = 0; i < tracks->count && i < FIGURE_LEGEND; i++) {
        char text[TRACK_NAME_SIZE + 16];
        snprintf(text, sizeof text, "%s", tracks->track[i].name);
        if (i == FIGURE_LEGEND - 1 && tracks->count > FIGURE_LEGEND)
            snprintf(text, sizeof text, "and %zu more", tracks->count - i);
        text_fit(figure->font, .9 * em, width - 3 * radius, text);
        double wide = 2.9 * radius + text_width(figure->font, .9 * em, text);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += line;
        }
        double at[2] = { figure->legend.left + x + radius + 1,
                         figure->legend.top + y + line / 2 };
        if (!only_measure) {
            overlay_agent(&pen, tracks->track[i].number, at);
            at[0] += 1.7 * radius;
            figure_text(figure, text, .9 * em, at, 0, false);
        }
        x += wide + 1.2 * em;
    }
    return tracks->count ? y + line : 0;
}

int figure_legend_height(struct figure *figure, int width)
{
    return figure->options.legend ? (int)ceil(walk_legend(figure, width, true))
                                  : 0;
}

void figure_draw_legend(struct figure *figure)
{
    walk_legend(figure, figure->legend.width, false);
}
