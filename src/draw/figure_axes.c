/* SPDX-License-Identifier: MIT */
/* Axes of panels, labels of layers, and the legend of agents. */
#include "draw/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint8_t ink[3] = { 20, 20, 20 };
static const char axis_letters[] = "xyz";

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
}

/* The name with its unit, or alone where there is no room for both. */
static void name_axis(struct figure *figure, int axis, double room, char *text,
                      size_t size)
{
    snprintf(text, size, "%c (%s)", axis_letters[axis], figure->unit_name);
    if (text_width(figure->font, figure->em, text) > room)
        text[1] = '\0';
}

void figure_name_axes(struct figure *figure)
{
    const struct cut *cut = &figure->picture->view->cut;
    const struct frame *panels = &figure->panels;
    double em = figure->em;
    int line = figure_line(figure), length = (int)round(.35 * em);
    char text[32];
    name_axis(figure, cut->right, panels->width, text, sizeof text);
    figure_text(figure, text, em,
                (double[]){ panels->left + panels->width / 2.,
                            panels->top + panels->height + line + 2.2 * em },
                .5, false);
    /* Beside the row of the other axis's name there is room for this one too.
     */
    name_axis(figure, cut->down, panels->height + 2.5 * em, text, sizeof text);
    double labels = figure_widest(figure, &figure->axis_ticks[1], .9 * em);
    double along = text_width(figure->font, em, text);
    figure_text(figure, text, em,
                (double[]){ panels->left - line - length - em - labels,
                            panels->top + fmax(panels->height, along) / 2. },
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
    const struct layers *layers = &picture->layers;
    for (int i = 0; i < layers->count; i++) {
        char text[32];
        double edge[2];
        snprintf(text, sizeof text, "z = %d", layers->at[i]);
        oblique_edge(picture->view, &picture->oblique, layers->at[i], edge);
        figure_text(figure, text, .9 * figure->em,
                    (double[]){ panel->left + edge[0] - .4 * figure->em,
                                panel->top + edge[1] - .45 * figure->em },
                    1, false);
    }
}

/* An entry of the legend: an agent by its number, or what stands on no layer.
 */
struct entry {
    char text[TRACK_NAME_SIZE + 16];
    bool elsewhere;
    int number;
    double radius; /* what its sign takes to either side of its middle */
};

static struct entry entry_at(const struct figure *figure, size_t i)
{
    const struct picture *picture = figure->picture;
    const struct tracks *tracks = &picture->tracks;
    struct entry entry = { .radius = overlay_agent_radius(figure->em),
                           .elsewhere =
                               i == tracks->count || i == FIGURE_LEGEND };
    if (entry.elsewhere) {
        entry.radius *= 3;
        snprintf(entry.text, sizeof entry.text, "%s",
                 picture->options.oblique ? "between layers" : "off the plane");
        return entry;
    }
    entry.number = tracks->track[i].number;
    if (overlay_shape(entry.number) == OVERLAY_TRIANGLE)
        entry.radius *= 1.35; /* its lower corners */
    snprintf(entry.text, sizeof entry.text, "%s", tracks->track[i].name);
    if (i == FIGURE_LEGEND - 1 && tracks->count > FIGURE_LEGEND)
        snprintf(entry.text, sizeof entry.text, "and %zu more",
                 tracks->count - i);
    return entry;
}

static size_t count_entries(const struct picture *picture)
{
    size_t count = picture->tracks.count;
    count = count > FIGURE_LEGEND ? FIGURE_LEGEND : count;
    return count + picture->elsewhere;
}

/* Goes through the entries, line by line; draws them unless `only_measure`.
 * The height of it all. */
static double walk_legend(struct figure *figure, int width, bool only_measure)
{
    double em = figure->em, x = 0, y = 0, line = 1.5 * em;
    struct pen pen = { .image = &figure->image,
                       .mask = &figure->mask,
                       .em = em };
    size_t count = count_entries(figure->picture);
    for (size_t i = 0; i < count; i++) {
        struct entry entry = entry_at(figure, i);
        double gap = .7 * overlay_agent_radius(em);
        double sign = 2 * entry.radius + gap;
        text_fit(figure->font, .9 * em, width - sign, entry.text);
        double wide = sign + text_width(figure->font, .9 * em, entry.text);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += line;
        }
        double at[2] = { figure->legend.left + x + entry.radius + 1,
                         figure->legend.top + y + line / 2 };
        if (!only_measure && entry.elsewhere)
            overlay_elsewhere(&pen, at);
        else if (!only_measure)
            overlay_agent(&pen, entry.number, at);
        at[0] += entry.radius + gap;
        if (!only_measure)
            figure_text(figure, entry.text, .9 * em, at, 0, false);
        x += wide + 1.2 * em;
    }
    return count ? y + line : 0;
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
