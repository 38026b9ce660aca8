/* SPDX-License-Identifier: MIT */
/* The colour bar and the scale bar. */
#include "draw/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint8_t ink[3] = { 20, 20, 20 };

void figure_bar_label(const struct figure *figure, char *text, size_t size)
{
    const struct view *view = figure->picture->view;
    view_describe(view, text, size);
    char *comma = strchr(text, ',');
    if (comma && figure->picture->options.oblique)
        *comma = '\0'; /* the layers are labelled */
    size_t used = strlen(text);
    if (view->field->unit[0])
        snprintf(text + used, size - used, " (%s)", view->field->unit);
}

static void paint_ramp(struct figure *figure, bool lies)
{
    const struct frame *bar = &figure->bar;
    int length = lies ? bar->width : bar->height;
    for (int i = 0; i < length; i++) {
        double place = (i + .5) / length;
        int level = (int)(255 * (lies ? place : 1 - place) + .5);
        const uint8_t *color = figure->picture->ramp.colors[level];
        image_fill(&figure->image, bar->left + (lies ? i : 0),
                   bar->top + (lies ? 0 : i), lies ? 1 : bar->width,
                   lies ? bar->height : 1, color);
    }
}

static void draw_tick(struct figure *figure, const struct tick *tick, bool lies)
{
    const struct frame *bar = &figure->bar;
    int line = figure_line(figure);
    double em = figure->em;
    int length = (int)round((tick->label[0] ? .35 : .2) * em);
    if (lies) {
        int x = bar->left + (int)round(tick->place * (bar->width - 1));
        int y = bar->top + bar->height + line;
        image_fill(&figure->image, x - line / 2, y, line, length, ink);
        figure_text(figure, tick->label, .9 * em,
                    (double[]){ x + .5, y + .95 * em }, .5, false);
    } else {
        int x = bar->left + bar->width + line;
        int y = bar->top + (int)round((1 - tick->place) * (bar->height - 1));
        image_fill(&figure->image, x, y - line / 2, length, line, ink);
        figure_text(figure, tick->label, .9 * em,
                    (double[]){ x + .6 * em, y + .5 }, 0, false);
    }
}

void figure_draw_bar(struct figure *figure)
{
    const struct frame *bar = &figure->bar;
    bool lies = bar->width > bar->height;
    double em = figure->em;
    ticks_make(&figure->picture->scale,
               (int)((lies ? bar->width / 4. : bar->height / 1.7) / em),
               &figure->bar_ticks);
    paint_ramp(figure, lies);
    figure_outline(figure, bar);
    for (int i = 0; i < figure->bar_ticks.count; i++)
        draw_tick(figure, &figure->bar_ticks.tick[i], lies);
    char text[256];
    figure_bar_label(figure, text, sizeof text);
    text_fit(figure->font, em, lies ? bar->width : figure->image.height, text);
    if (lies)
        figure_text(figure, text, em,
                    (double[]){ bar->left + bar->width / 2.,
                                bar->top + bar->height + 2.4 * em },
                    .5, false);
    else
        figure_text(
            figure, text, em,
            (double[]){ bar->left + bar->width + figure->bar_reach + .95 * em,
                        bar->top + bar->height / 2. },
            .5, true);
}

/* A round length, about a quarter of a panel's width. */
void figure_draw_scale_bar(struct figure *figure)
{
    const struct cut *cut = &figure->picture->view->cut;
    double cell = figure->picture->options.cell, em = figure->em;
    double length = ticks_round(fmax(.26 * cut->nx, 1) * figure->unit);
    int pixels = (int)round(length / figure->unit * cell);
    int thick = (int)fmax(2, round(.2 * em));
    int left = figure->panels.left, middle = figure->scale_base;
    image_fill(&figure->image, left, middle - thick / 2, pixels, thick, ink);
    char number[TICK_LABEL_SIZE], text[TICK_LABEL_SIZE + 16];
    ticks_label(length, length, number);
    snprintf(text, sizeof text, "%s %s", number,
             length == 1 && figure->unit_name[1] ? "cell" : figure->unit_name);
    figure_text(figure, text, .9 * em,
                (double[]){ left + pixels + .5 * em, middle }, 0, false);
}
