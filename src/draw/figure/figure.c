/* SPDX-License-Identifier: MIT */
#include "draw/figure/figure.h"

#include "view/along.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint8_t white[3] = { 255, 255, 255 }, ink[3] = { 20, 20, 20 };

/* Sizes of text on paper, in points: the em; then ticks' labels and titles in
 * ems. */
static const double letters = 7.5, small_letters = 7 / 7.5,
                    large_letters = 8 / 7.5;

/* From a line of text to the next, in ems. */
#define BAR_LINE 1.3

static struct page *page_of(struct figure *figure)
{
    return figure->page ? figure->page : figure->over;
}

static void fill(struct figure *figure, int left, int top, int width,
                 int height)
{
    struct page *page = page_of(figure);
    page_fill(page, left, top, width, height, ink);
}

int figure_line(const struct figure *figure)
{
    return (int)fmax(1, round(figure->em / 14));
}

void figure_text(struct figure *figure, const char *text, double size,
                 const double at[2], double part, bool upward)
{
    double width = text_width(figure->font, size, text);
    double half = TEXT_CAPITAL * size / 2;
    double from[2] = { at[0] - (upward ? -half : part * width),
                       at[1] + (upward ? part * width : half) };
    struct page *page = page_of(figure);
    page_text(page, size, text, from, upward, ink);
}

/* If the edge of an image is between two pixels of a screen, the line below the
 * image must show there, on a page of vectors too, and not the paper. */
static void ink_below(struct figure *figure, const struct frame *frame)
{
    if (figure->page)
        fill(figure, frame->left, frame->top, frame->width, frame->height);
}

/* Strokes over the edges of an image on a page, because readers displace them
 * by as much as a pixel. */
static void stroke_outline(struct figure *figure, const struct frame *frame)
{
    struct page *page = page_of(figure);
    double left = frame->left, top = frame->top;
    double right = left + frame->width, bottom = top + frame->height;
    const double corners[][2] = {
        { left, top }, { right, top }, { right, bottom }, { left, bottom }
    };
    for (int i = 0; i < 4; i++)
        page_line(page, corners[i], corners[(i + 1) % 4], figure_line(figure));
    page_lay(page, ink);
}

void figure_outline(struct figure *figure, const struct frame *frame)
{
    int line = figure_line(figure);
    int left = frame->left - line, top = frame->top - line;
    int width = frame->width + 2 * line, height = frame->height + 2 * line;
    if (figure->page) {
        stroke_outline(figure, frame);
        return;
    }
    fill(figure, left, top, width, line);
    fill(figure, left, top + height - line, width, line);
    fill(figure, left, top, line, height);
    fill(figure, left + width - line, top, line, height);
}

/* Of the ticks' labels. */
static double widest(const struct figure *figure, const struct ticks *ticks)
{
    double most = 0;
    for (int i = 0; i < ticks->count; i++)
        most = fmax(most, text_width(figure->font, figure->small,
                                     ticks->tick[i].label));
    return most;
}

/* A tick from the pixel (x, y) outwards from the outline on which it begins,
 * `length` ems long, with its label. */
enum side { BELOW, RIGHT, LEFT };
static void draw_tick(struct figure *figure, enum side side, int x, int y,
                      double length, const char *label)
{
    double em = figure->em;
    int line = figure_line(figure), pixels = (int)round(length * em);
    if (side == BELOW) {
        fill(figure, x - line / 2, y - line, line, pixels + line);
        figure_text(figure, label, figure->small,
                    (double[]){ x + .5, y + .95 * em }, .5, false);
        return;
    }
    bool left = side == LEFT;
    x -= left ? pixels : 0;
    fill(figure, left ? x : x - line, y - line / 2, pixels + line, line);
    figure_text(figure, label, figure->small,
                (double[]){ left ? x - .25 * em : x + .6 * em, y + .5 }, left,
                false);
}

static void figure_bar_label(const struct figure *figure, char *text,
                             size_t size)
{
    const struct view *view = figure->picture->view;
    view_describe(view, text, size);
    char *comma = strchr(text, ',');
    if (comma && (figure->picture->options.oblique || view_is_along(view)))
        *comma = '\0'; /* layers have labels; axes name the line */
    size_t used = strlen(text);
    if (view->field->unit[0])
        snprintf(text + used, size - used, " (%s)", view->field->unit);
}

/* Breaks the bar's label at spaces into lines no wider than `room`, each ended
 * by a newline except the last; returns their number. A longer word has its own
 * line. */
static int break_label(struct figure *figure, double room)
{
    char *line = figure->bar_label, *space = NULL;
    int lines = 1;
    figure_bar_label(figure, figure->bar_label, sizeof figure->bar_label);
    for (char *at = line;; at++) {
        char here = *at;
        if (here != ' ' && here)
            continue;
        *at = '\0';
        if (space && text_width(figure->font, figure->em, line) > room) {
            *space = '\n';
            line = space + 1;
            lines++;
        }
        *at = here;
        if (!here)
            return lines;
        space = at;
    }
}

/* Draws the bar's label line by line, the first centred at `at`, the next ones
 * below it or, for a vertical bar, to the right. */
static void draw_label(struct figure *figure, bool lies, double room,
                       const double at[2])
{
    double place[2] = { at[0], at[1] };
    for (const char *line = figure->bar_label; line;) {
        char text[sizeof figure->bar_label];
        const char *end = strchr(line, '\n');
        snprintf(text, sizeof text, "%.*s",
                 end ? (int)(end - line) : (int)strlen(line), line);
        text_fit(figure->font, figure->em, room, text);
        figure_text(figure, text, figure->em, place, .5, !lies);
        place[lies] += BAR_LINE * figure->em;
        line = end ? end + 1 : NULL;
    }
}

static enum status paint_ramp(struct figure *figure, bool lies,
                              struct error *error)
{
    const struct frame *bar = &figure->bar;
    struct page *page = page_of(figure);
    int length = lies ? bar->width : bar->height;
    struct image strip = { 0 };
    enum status status =
        image_init(&strip, lies ? length : 1, lies ? 1 : length, error);
    if (status)
        return status;
    for (int i = 0; i < length; i++) {
        double place = (i + .5) / length;
        int level = (int)(255 * (lies ? place : 1 - place) + .5);
        memcpy(image_at(&strip, lies ? i : 0, lies ? 0 : i),
               figure->picture->ramp.colors[level], 3);
    }
    page_cells(page, &strip, bar->left, bar->top, bar->width, bar->height);
    image_release(&strip);
    return STATUS_OK;
}

/* On the bar. */
static void draw_value(struct figure *figure, const struct tick *tick,
                       bool lies)
{
    const struct frame *bar = &figure->bar;
    int line = figure_line(figure);
    double length = tick->label[0] ? .35 : .2;
    if (lies)
        draw_tick(figure, BELOW,
                  bar->left + (int)round(tick->place * (bar->width - 1)),
                  bar->top + bar->height + line, length, tick->label);
    else
        draw_tick(figure, RIGHT, bar->left + bar->width + line,
                  bar->top + (int)round((1 - tick->place) * (bar->height - 1)),
                  length, tick->label);
}

/* ---- The key of kinds, below the panels instead of a bar. */

static const struct field_kinds *kinds_of(const struct figure *figure)
{
    return figure->picture->view->field->kinds;
}

/* Is the key of colours below the panels? */
static bool bar_lies(const struct figure *figure)
{
    return kinds_of(figure) || figure->bar.width > figure->bar.height;
}

static void draw_swatch(struct figure *figure, const uint8_t color[3],
                        const double at[2])
{
    int side = (int)round(.9 * figure->em);
    const struct frame swatch = { (int)at[0], (int)round(at[1] - side / 2.),
                                  side, side };
    struct page *page = page_of(figure);
    page_fill(page, swatch.left, swatch.top, side, side, color);
    figure_outline(figure, &swatch);
}

/* Visits the kinds and, if drawn, walls, line by line below the field's name;
 * draws them unless `only_measure`. Returns the total height. */
static double walk_kinds(struct figure *figure, bool only_measure)
{
    const struct field_kinds *kinds = kinds_of(figure);
    const struct picture *picture = figure->picture;
    const struct frame *bar = &figure->bar;
    double em = figure->em, size = figure->small, x = 0, y = 1.5 * em;
    bool walls = picture->options.overlays & OVERLAY_WALLS;
    char name[256];
    figure_bar_label(figure, name, sizeof name);
    text_fit(figure->font, em, bar->width, name);
    double at[2] = { bar->left, bar->top + .75 * em };
    if (!only_measure)
        figure_text(figure, name, em, at, 0, false);
    for (int i = 0; i < kinds->count + walls; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s",
                 i < kinds->count ? kinds->names[i] : "wall");
        text_fit(figure->font, size, bar->width - 1.3 * em, text);
        double wide = 1.3 * em + text_width(figure->font, size, text);
        if (x > 0 && x + wide > bar->width) {
            x = 0;
            y += 1.5 * em;
        }
        at[0] = bar->left + x;
        at[1] = bar->top + y + .75 * em;
        if (!only_measure)
            draw_swatch(
                figure,
                i < kinds->count ? kinds->colors[i] : picture->ramp.wall, at);
        at[0] += 1.3 * em;
        if (!only_measure)
            figure_text(figure, text, size, at, 0, false);
        x += wide + 1.2 * em;
    }
    return y + 1.5 * em;
}

/* For a field of whole numbers, keeps only whole ticks. */
static void leave_whole(struct ticks *ticks)
{
    int kept = 0;
    for (int i = 0; i < ticks->count; i++) {
        struct tick *tick = &ticks->tick[i];
        if (fabs(tick->value - round(tick->value)) > 1e-6)
            continue;
        ticks_label(tick->value, 1, tick->label);
        ticks->tick[kept++] = *tick;
    }
    ticks->count = kept;
}

/* As many as fit, up to the number that helps to read a colour. */
static void make_bar_ticks(struct figure *figure, double length, bool lies)
{
    enum { MOST = 10 };
    double room = length / ((lies ? 4 : 1.7) * figure->em);
    ticks_make(&figure->picture->scale, (int)fmin(room, MOST),
               &figure->bar_ticks);
    if (figure->picture->view->field->whole)
        leave_whole(&figure->bar_ticks);
}

static enum status figure_draw_bar(struct figure *figure, struct error *error)
{
    const struct frame *bar = &figure->bar;
    bool lies = bar_lies(figure);
    double em = figure->em;
    if (kinds_of(figure)) {
        walk_kinds(figure, false);
        return STATUS_OK;
    }
    make_bar_ticks(figure, lies ? bar->width : bar->height, lies);
    ink_below(figure, bar);
    enum status status = paint_ramp(figure, lies, error);
    if (status)
        return status;
    figure_outline(figure, bar);
    for (int i = 0; i < figure->bar_ticks.count; i++)
        draw_value(figure, &figure->bar_ticks.tick[i], lies);
    if (lies)
        draw_label(figure, true, figure->bar_room,
                   (double[]){ bar->left + bar->width / 2.,
                               bar->top + bar->height + 2.4 * em });
    else
        draw_label(
            figure, false, figure->bar_room,
            (double[]){ bar->left + bar->width + figure->bar_reach + .95 * em,
                        bar->top + bar->height / 2. });
    return STATUS_OK;
}

/* A round length, about a quarter of a panel's width. */
static void figure_draw_scale_bar(struct figure *figure)
{
    const struct cut *cut = &figure->picture->view->cut;
    const struct view_axis *axis = &figure->axis[0];
    double cell = figure->picture->options.cell, em = figure->em;
    double length = ticks_round(fmax(.26 * cut->nx, 1) * axis->each);
    int pixels = (int)round(length / axis->each * cell);
    int thick = (int)fmax(2, round(.2 * em));
    int left = figure->panels.left, middle = figure->scale_base;
    fill(figure, left, middle - thick / 2, pixels, thick);
    char number[TICK_LABEL_SIZE], text[TICK_LABEL_SIZE + 16];
    ticks_label(length, length, number);
    snprintf(text, sizeof text, "%s %s", number,
             length == 1 && axis->unit[1] ? "cell" : axis->unit);
    figure_text(figure, text, figure->small,
                (double[]){ left + pixels + .5 * em, middle }, 0, false);
}

/* ---- Axes of panels, labels of layers, and the legend of agents. */

static const char axis_letters[] = "xyz";

/* The middle of a tick's cell, in pixels from the panel's edge. */
static int tick_at(const struct figure *figure, const struct tick *tick,
                   int side)
{
    const struct view_axis *axis = &figure->axis[side];
    double cell = figure->picture->options.cell;
    double cells = (tick->value - axis->first) / axis->each;
    return (int)floor((cells + .5) * cell);
}

/* The ticks below a panel (side 0) or to the left of it (1). */
static void draw_axis(struct figure *figure, const struct frame *panel,
                      int side, bool labels)
{
    const struct ticks *ticks = &figure->axis_ticks[side];
    int line = figure_line(figure);
    for (int i = 0; i < ticks->count; i++) {
        const struct tick *tick = &ticks->tick[i];
        int at = tick_at(figure, tick, side);
        const char *label = labels ? tick->label : "";
        if (side)
            draw_tick(figure, LEFT, panel->left - line, panel->top + at, .35,
                      label);
        else
            draw_tick(figure, BELOW, panel->left + at,
                      panel->top + panel->height + line, .35, label);
    }
}

/* The name with its unit, or the name only if there is no room for both. */
static void name_axis(struct figure *figure, int side, double room, char *text,
                      size_t size)
{
    const struct view_axis *axis = &figure->axis[side];
    snprintf(text, size, "%s (%s)", axis->name, axis->unit);
    if (text_width(figure->font, figure->em, text) > room)
        snprintf(text, size, "%s", axis->name);
}

static void figure_name_axes(struct figure *figure)
{
    const struct frame *panels = &figure->panels;
    double em = figure->em;
    int line = figure_line(figure), length = (int)round(.35 * em);
    char text[32];
    name_axis(figure, 0, panels->width, text, sizeof text);
    figure_text(figure, text, em,
                (double[]){ panels->left + panels->width / 2.,
                            panels->top + panels->height + line + 2.2 * em },
                .5, false);
    /* There is room for this name too, beside the row of the other axis's
     * name. */
    name_axis(figure, 1, panels->height + 2.5 * em, text, sizeof text);
    double labels = widest(figure, &figure->axis_ticks[1]);
    double along = text_width(figure->font, em, text);
    figure_text(figure, text, em,
                (double[]){ panels->left - line - length - em - labels,
                            panels->top + fmax(panels->height, along) / 2. },
                .5, true);
}

/* An edge of the box seen from outside that can serve as an axis: along x and y
 * the nearest at the bottom, along z the leftmost. The result is its two outer
 * corners, at the minimum and maximum of its coordinate. */
static void axis_edge(const struct figure *figure, int axis,
                      double ends[2][GRID_AXES])
{
    const struct solid *solid = &figure->picture->solid;
    double best = INFINITY;
    for (int i = 0; i < 4; i++) {
        double from[GRID_AXES], pixel[2];
        int bits = axis == 0 ? i << 1 : axis == 1 ? (i & 1) | (i & 2) << 1 : i;
        for (int k = 0; k < GRID_AXES; k++)
            from[k] = bits >> k & 1 ? solid->box.high[k] + .5
                                    : solid->box.low[k] - .5;
        projection_place(&solid->projection, from, pixel);
        double rank = axis == 2 ? pixel[0] : -pixel[1];
        if (rank >= best - 1e-9)
            continue;
        best = rank;
        for (int end = 0; end < 2; end++)
            memcpy(ends[end], from, sizeof from);
        ends[1][axis] = solid->box.high[axis] + .5;
    }
}

/* A label at a point of an edge, on the side `side`: −1 left, 1 right, 0 below;
 * `away` ems from it. */
static void label_edge(struct figure *figure, const char *text,
                       const double at[2], int side, double away)
{
    double em = figure->em;
    double label[2] = { at[0] + .6 * side * em, at[1] + away * em };
    figure_text(figure, text, figure->small, label, (1 - side) / 2., false);
}

/* An edge with its labels. */
struct edge {
    double ends[2][GRID_AXES], pixels[2][2]; /* at its axis's two ends */
    int axis, side;
    bool steep; /* labels are beside it, its name at the upper end */
    double length;
};

static struct edge edge_of(const struct figure *figure,
                           const struct frame *panel, int axis)
{
    const struct solid *solid = &figure->picture->solid;
    struct edge edge = { .axis = axis };
    axis_edge(figure, axis, edge.ends);
    for (int end = 0; end < 2; end++) {
        projection_place(&solid->projection, edge.ends[end], edge.pixels[end]);
        edge.pixels[end][0] += panel->left + figure->beside;
        edge.pixels[end][1] += panel->top + figure->below / 2;
    }
    double way[2] = { edge.pixels[1][0] - edge.pixels[0][0],
                      edge.pixels[1][1] - edge.pixels[0][1] };
    double middle = edge.pixels[0][0] + way[0] / 2;
    edge.length = hypot(way[0], way[1]);
    edge.steep = fabs(way[0]) < .35 * edge.length;
    bool level = fabs(way[1]) < .1 * edge.length;
    bool left = middle < panel->left + panel->width / 2.;
    edge.side = level ? 0 : left || axis == 2 ? -1 : 1;
    return edge;
}

/* Dots and numbers. */
static void draw_edge_ticks(struct figure *figure, const struct edge *edge)
{
    const struct solid *solid = &figure->picture->solid;
    struct page *page = page_of(figure);
    int low = solid->box.low[edge->axis], high = solid->box.high[edge->axis];
    double em = figure->em;
    struct ticks ticks = { .count = 0 };
    struct scale scale = { low * figure->unit, high * figure->unit, 0 };
    if (high > low)
        ticks_make(&scale, (int)(edge->length / (2.6 * em)), &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double pixel[2], cells = ticks.tick[i].value / figure->unit;
        double part = (cells - low + .5) / (high - low + 1);
        for (int k = 0; k < 2; k++)
            pixel[k] = edge->pixels[0][k] +
                       part * (edge->pixels[1][k] - edge->pixels[0][k]);
        page_disc(page, pixel, fmax(1, em / 9));
        page_lay(page, ink);
        label_edge(figure, ticks.tick[i].label, pixel, edge->side,
                   edge->steep ? 0 : .7);
    }
}

/* Names and numbers along three edges of the box. */
static void figure_draw_edges(struct figure *figure, const struct frame *panel)
{
    for (int axis = 0; axis < GRID_AXES; axis++) {
        struct edge edge = edge_of(figure, panel, axis);
        const double *first = edge.pixels[0], *last = edge.pixels[1];
        char name[32];
        if (edge.length < 2 * figure->em)
            continue;
        draw_edge_ticks(figure, &edge);
        snprintf(name, sizeof name, "%c (%s)", axis_letters[axis],
                 figure->unit_name);
        double at[2] = { (first[0] + last[0]) / 2, (first[1] + last[1]) / 2 };
        if (edge.steep)
            memcpy(at, first[1] < last[1] ? first : last, sizeof at);
        label_edge(figure, name, at, edge.side, edge.steep ? -1.2 : 1.9);
    }
}

static void figure_draw_layers(struct figure *figure, const struct frame *panel)
{
    const struct picture *picture = figure->picture;
    const struct layers *layers = &picture->layers;
    for (int i = 0; i < layers->count; i++) {
        char text[32];
        double edge[2];
        snprintf(text, sizeof text, "z = %d", layers->at[i]);
        oblique_edge(picture->view, &picture->oblique, layers->at[i], edge);
        figure_text(figure, text, figure->small,
                    (double[]){ panel->left + edge[0] - .4 * figure->em,
                                panel->top + edge[1] - .45 * figure->em },
                    1, false);
    }
}

/* An entry of the legend: an agent by its number, or the sign for being on no
 * layer. */
struct entry {
    char text[TRACK_NAME_SIZE + 16];
    bool elsewhere;
    int number;
    double radius; /* half the width of its sign */
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
                 picture->options.oblique ? "between layers"
                                          : "outside the plane");
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

/* Visits the entries line by line; draws them unless `only_measure`. Returns
 * the total height. */
static double walk_legend(struct figure *figure, bool only_measure)
{
    int width = figure->legend.width;
    double em = figure->em, x = 0, y = 0, line = 1.5 * em;
    struct pen pen = { .page = page_of(figure),
                       .size = { figure->image.width, figure->image.height },
                       .em = em };
    size_t count = count_entries(figure->picture);
    for (size_t i = 0; i < count; i++) {
        struct entry entry = entry_at(figure, i);
        double gap = .7 * overlay_agent_radius(em);
        double sign = 2 * entry.radius + gap;
        text_fit(figure->font, figure->small, width - sign, entry.text);
        double wide =
            sign + text_width(figure->font, figure->small, entry.text);
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
            figure_text(figure, entry.text, figure->small, at, 0, false);
        x += wide + 1.2 * em;
    }
    return count ? y + line : 0;
}

/* ---- The size and position of each part of a page. */

/* Does the title have this letter after a % (%% is a percent sign)? */
static bool has_code(const char *title, char letter)
{
    while ((title = strchr(title, '%')) && title[1] != letter)
        title += title[1] == '%' ? 2 : 1;
    return title != NULL;
}

static bool is_montage(const struct figure *figure)
{
    return figure->options.columns * figure->options.rows > 1;
}

/* A title with a step is drawn for each panel, one without for the page. */
static bool titles_panels(const struct figure *figure)
{
    const char *title = figure->options.title;
    return title && is_montage(figure) &&
           (has_code(title, 'd') || has_code(title, 't') ||
            has_code(title, 'f'));
}

/* The room round the panels. */
struct margins {
    double left, top, right, bottom;
};

/* Ticks along one side of a panel, in the axes' unit. */
static void make_axis(struct figure *figure, int side)
{
    const struct cut *cut = &figure->picture->view->cut;
    const struct view_axis *axis = &figure->axis[side];
    int cells = side ? cut->ny : cut->nx;
    double pixels = (double)cells * figure->picture->options.cell;
    struct scale scale = { axis->first, axis->first + (cells - 1) * axis->each,
                           0 };
    struct ticks *ticks = &figure->axis_ticks[side];
    ticks->count = 0;
    if (cells > 1)
        ticks_make(&scale, (int)(pixels / ((side ? 2.2 : 3.0) * figure->em)),
                   ticks);
}

/* Leaves room for axes on the left and below the panels; returns how far the
 * last panels' labels reach down. */
static void leave_axes(struct figure *figure, struct margins *margins)
{
    double em = figure->em;
    /* Metres, if the scenario gives the length of a cell. */
    double cell = recording_setting_real(figure->picture->view->recording,
                                         "scale.cell", 0);
    figure->unit = cell > 0 ? cell : 1;
    figure->unit_name = cell > 0 ? "m" : "cells";
    for (int side = 0; side < 2; side++)
        view_axis(figure->picture->view, side, &figure->axis[side]);
    if (figure->options.axes && !figure->picture->options.outside) {
        make_axis(figure, 0);
        make_axis(figure, 1);
        margins->left +=
            1.3 * em + .7 * em + widest(figure, &figure->axis_ticks[1]);
        margins->bottom += 3.1 * em;
    }
    if (figure->picture->options.oblique)
        margins->left += text_width(figure->font, figure->small, "z = 000");
}

/* The bar is to the right of the panels, or below them if they are much wider
 * than high. */
static void leave_bar(struct figure *figure, struct margins *margins,
                      double *below)
{
    struct frame *bar = &figure->bar;
    const struct frame *panels = &figure->panels;
    double em = figure->em, thick = round(.9 * em);
    if (kinds_of(figure)) {
        *below = margins->bottom;
        bar->width = panels->width;
        bar->height = (int)ceil(walk_kinds(figure, true));
        margins->bottom += bar->height + .5 * em;
        return;
    }
    bool lies = panels->width > 1.7 * panels->height;
    double length = lies ? panels->width : panels->height;
    make_bar_ticks(figure, length, lies);
    double labels = widest(figure, &figure->bar_ticks);
    if (lies) {
        *below = margins->bottom;
        bar->width = (int)length;
        bar->height = (int)thick;
        figure->bar_room = length + 2 * fmin(margins->left, margins->right);
        margins->bottom +=
            thick + 3.9 * em +
            BAR_LINE * em * (break_label(figure, figure->bar_room) - 1);
        margins->right += .5 * labels;
        margins->left = fmax(margins->left, .5 * labels + .2 * em);
    } else {
        bar->width = (int)thick;
        bar->height = (int)length;
        figure->bar_reach = .6 * em + labels;
        margins->top = fmax(margins->top, .8 * em);
        margins->bottom = fmax(margins->bottom, .8 * em);
        figure->bar_room = length + 2 * fmin(margins->top, margins->bottom);
        margins->right =
            em + thick + figure->bar_reach + 1.9 * em +
            BAR_LINE * em * (break_label(figure, figure->bar_room) - 1);
    }
}

static void measure_panels(struct figure *figure)
{
    const struct figure_options *options = &figure->options;
    const struct image *image = &figure->picture->image;
    bool many = options->columns * options->rows > 1;
    if (options->axes && figure->picture->options.outside) {
        figure->beside = (int)ceil(
            text_width(figure->font, figure->small, "z (cells)") + figure->em);
        figure->below = (int)ceil(2.6 * figure->em);
    }
    figure->panel.width = image->width + 2 * figure->beside;
    figure->panel.height = image->height + figure->below + figure->below / 2;
    double oblique = figure->picture->options.oblique
                         ? text_width(figure->font, figure->small, "z = 000")
                         : 0;
    const struct frame *panel = &figure->panel;
    /* Between the last number of an axis and the first number of the next
     * one. */
    double gap = (options->axes ? 1.6 : .8) * figure->em;
    figure->pitch[0] = panel->width + (int)round(gap + oblique);
    figure->pitch[1] = panel->height + (int)round(1.9 * figure->em);
    figure->panels.width =
        panel->width + (options->columns - 1) * figure->pitch[0];
    figure->panels.height =
        panel->height + (options->rows - 1) * figure->pitch[1];
    if (!many)
        figure->pitch[0] = figure->pitch[1] = 0;
}

/* Places all parts for this em; returns the page's width and height. */
static void figure_lay_out(struct figure *figure, double page_size[2])
{
    const struct figure_options *options = &figure->options;
    double em = figure->em, half = .5 * em, bar_below = 0;
    struct margins margins = { half, half, half, half };
    measure_panels(figure);
    if (options->title && !titles_panels(figure)) {
        figure->title_base = (int)round(margins.top + .6 * em);
        margins.top += 1.7 * em;
    }
    if (is_montage(figure))
        margins.top += 1.4 * em;
    leave_axes(figure, &margins);
    margins.right += options->axes ? em : 0; /* half a tick's label */
    if (options->bar)
        leave_bar(figure, &margins, &bar_below);
    figure->panel.left = figure->panels.left = (int)ceil(margins.left);
    figure->panel.top = figure->panels.top = (int)ceil(margins.top);
    int bottom = figure->panels.top + figure->panels.height;
    int right = figure->panels.left + figure->panels.width;
    bool lies = bar_lies(figure);
    figure->bar.left = lies ? figure->panels.left : right + (int)round(em);
    figure->bar.top =
        lies ? bottom + (int)round(bar_below + .3 * em) : figure->panels.top;
    double page = bottom + margins.bottom;
    if (options->scale_bar) {
        figure->scale_base = (int)round(page + .5 * em);
        page += 1.6 * em;
    }
    figure->legend = (struct frame){ figure->panels.left, (int)round(page),
                                     figure->panels.width, 0 };
    if (options->legend)
        figure->legend.height = (int)ceil(walk_legend(figure, true));
    page_size[0] = ceil(right + margins.right);
    page_size[1] = ceil(page + figure->legend.height);
}

/* Letters of these sizes in pixels. */
static void set_em(struct figure *figure, double em)
{
    bool paper = figure->options.points > 0;
    figure->em = em;
    figure->small = (paper ? small_letters : .9) * em;
    figure->large = (paper ? large_letters : 1.15) * em;
}

/* Is the page narrow enough in ems that its letters are large enough on
 * paper? */
static bool is_narrow(struct figure *figure, double em, double size[2])
{
    set_em(figure, em);
    figure_lay_out(figure, size);
    return size[0] * letters <= em * figure->options.points;
}

/* Letters of the same size on every page: the em at which its width is that of
 * the paper. The width changes in small jumps because of labels; the difference
 * remains as room on the right. */
static enum status figure_fit(struct figure *figure, double size[2],
                              struct error *error)
{
    const double points = figure->options.points;
    double low = 0, high = letters * figure->picture->image.width / points;
    for (int doubled = 0; !is_narrow(figure, high, size); doubled++) {
        low = high;
        high *= 2;
        if (doubled == 12)
            return error_set(
                error, STATUS_INPUT,
                "--width: axes, bars and text around the picture fill all of "
                "%.3g cm; use a wider page or a smaller montage",
                points / 72 * 2.54);
    }
    while (high - low > 1e-6 * high) {
        double middle = (low + high) / 2;
        if (is_narrow(figure, middle, size))
            high = middle;
        else
            low = middle;
    }
    is_narrow(figure, high, size);
    size[0] = high * points / letters;
    figure->picture->options.em = high;
    return STATUS_OK;
}

static enum status make_page(struct figure *figure, struct error *error)
{
    double size[2];
    if (!(figure->options.points > 0)) {
        set_em(figure, figure->em);
        figure_lay_out(figure, size);
        enum status status = image_init(&figure->image, (int64_t)size[0],
                                        (int64_t)size[1], error);
        if (!status)
            status =
                page_over(&figure->image, figure->font, &figure->over, error);
        return status;
    }
    enum status status = figure_fit(figure, size, error);
    figure->size =
        (struct page_size){ size[0], size[1], figure->options.points, 0 };
    figure->image.width = (int)ceil(size[0]);
    figure->image.height = (int)ceil(size[1]);
    return status;
}

bool figure_is_bare(const struct figure_options *options)
{
    return !options->bar && !options->axes && !options->scale_bar &&
           !options->legend && !options->title &&
           options->columns * options->rows == 1;
}

/* Of a step, from the scenario; 0: not given. */
static double seconds_of(const struct figure *figure)
{
    return recording_setting_real(figure->picture->view->recording,
                                  "scale.step", 0);
}

static enum status check(const struct figure *figure, struct error *error)
{
    const struct figure_options *options = &figure->options;
    if (options->columns < 1 || options->rows < 1 ||
        options->columns > FIGURE_PANELS || options->rows > FIGURE_PANELS ||
        options->columns * options->rows > FIGURE_PANELS)
        return error_set(error, STATUS_INPUT,
                         "a montage of %d x %d: 1 to %d panels are allowed, a "
                         "letter for each",
                         options->columns, options->rows, FIGURE_PANELS);
    if (options->bar && figure->picture->options.per_frame &&
        options->columns * options->rows > 1)
        return error_set(error, STATUS_INPUT,
                         "one colour bar cannot be right for panels with "
                         "different ranges; leave out the bar or --per-frame");
    if (options->title && has_code(options->title, 't') &&
        !(seconds_of(figure) > 0))
        return error_set(error, STATUS_INPUT,
                         "--title: %%t is the time by scale.step, which the "
                         "scenario does not set; %%d is the step");
    if (options->axes && figure->picture->options.oblique)
        return error_set(error, STATUS_INPUT,
                         "--axes: an oblique view has no axes, its layers are "
                         "labelled; --view has them");
    return STATUS_OK;
}

enum status figure_init(struct figure *figure, struct picture *picture,
                        const struct figure_options *options,
                        struct error *error)
{
    *figure = (struct figure){ .options = *options,
                               .picture = picture,
                               .em = picture->options.em };
    enum status status = check(figure, error);
    if (status)
        return status;
    if (figure_is_bare(options) && !picture->options.oblique &&
        !(picture->options.overlays & OVERLAY_VALUES)) {
        const struct image *image = &picture->image;
        figure->size = (struct page_size){ image->width, image->height,
                                           options->points, 0 };
        if (options->points > 0)
            picture->options.em = letters * image->width / options->points;
        return STATUS_OK;
    }
    status = font_open(options->font, &figure->font, error);
    return status ? status : make_page(figure, error);
}

/* Do the agents of both have the same names? */
static bool names_alike(const struct tracks *a, const struct tracks *b)
{
    bool alike = a->count == b->count;
    for (size_t i = 0; i < a->count && alike; i++)
        alike = a->track[i].number == b->track[i].number &&
                strcmp(a->track[i].name, b->track[i].name) == 0;
    return alike;
}

enum status figure_set_beside(struct figure *figure,
                              struct picture *const *pictures, size_t count,
                              struct error *error)
{
    const struct picture *first = pictures[0];
    for (size_t i = 1; i < count; i++) {
        const struct image *image = &pictures[i]->image;
        const char *path = recording_path(first->view->recording);
        const char *other = recording_path(pictures[i]->view->recording);
        if (image->width != first->image.width ||
            image->height != first->image.height)
            return error_set(error, STATUS_INPUT,
                             "%s and %s: their pictures differ in size, so "
                             "they cannot be drawn side by side",
                             path, other);
        if (figure->options.legend &&
            !names_alike(&first->tracks, &pictures[i]->tracks))
            return error_set(
                error, STATUS_INPUT,
                "--legend: the agents of %s and %s differ; leave it out, or "
                "choose by --agent the agents that both have",
                path, other);
        pictures[i]->options.em = first->options.em;
    }
    figure->pictures = pictures;
    figure->picture_count = count;
    return STATUS_OK;
}

void figure_release(struct figure *figure)
{
    page_release(figure->over);
    font_release(figure->font);
    image_release(&figure->image);
}

const struct image *figure_page(const struct figure *figure)
{
    return figure->font ? &figure->image : &figure->picture->image;
}

/* Replaces in `text` each %d by the step, each %t by its time, each %f by the
 * picture's name, each %% by a %. */
static void put_step(const struct figure *figure, const char *text,
                     int64_t step, char *out, size_t size)
{
    const char *name = figure->picture->options.name;
    double seconds = seconds_of(figure);
    size_t used = 0;
    for (*out = '\0'; *text && used + 1 < size;) {
        bool number = strncmp(text, "%d", 2) == 0;
        if (strncmp(text, "%f", 2) == 0 && name) {
            used += (size_t)snprintf(out + used, size - used, "%s", name);
            text += 2;
        } else if (number || strncmp(text, "%t", 2) == 0) {
            used += (size_t)(number ? snprintf(out + used, size - used, "%lld",
                                               (long long)step)
                                    : snprintf(out + used, size - used, "%.10g",
                                               (double)step * seconds));
            text += 2;
        } else {
            text += strncmp(text, "%%", 2) == 0;
            out[used++] = *text++;
            out[used] = '\0';
        }
    }
}

static void fit_title(struct figure *figure, double size, double width,
                      char *text)
{
    figure->cut_titles += text_width(figure->font, size, text) > width;
    text_fit(figure->font, size, width, text);
}

static void draw_title(struct figure *figure, int64_t step)
{
    char text[1024];
    put_step(figure, figure->options.title, step, text, sizeof text);
    double size = figure->large;
    fit_title(figure, size, figure->image.width - figure->em, text);
    double middle = figure->panels.left + figure->panels.width / 2.;
    double half = text_width(figure->font, size, text) / 2;
    middle = fmin(fmax(middle, half + figure->em / 2),
                  figure->image.width - half - figure->em / 2);
    figure_text(figure, text, size, (double[]){ middle, figure->title_base },
                .5, false);
}

/* The default title. */
static const char *panel_title(const struct figure *figure)
{
    bool steps = figure->picture->view->field->by_row;
    return figure->picture_count > 1 ? (steps ? "%f, step %d" : "%f")
                                     : (steps ? "step %d" : "");
}

/* "(a)  step 120" over a panel, or its own title; with a narrower gap if there
 * is no room for it. */
static void draw_caption(struct figure *figure, const struct frame *panel,
                         int number, int64_t step)
{
    char text[1024];
    const char *title =
        titles_panels(figure) ? figure->options.title : panel_title(figure);
    size_t used = (size_t)snprintf(text, sizeof text, "(%c)%s", 'a' + number,
                                   *title ? "  " : "");
    put_step(figure, title, step, text + used, sizeof text - used);
    double size = figure->em;
    if (*title && text_width(figure->font, size, text) > panel->width)
        memmove(text + used - 1, text + used, strlen(text + used) + 1);
    fit_title(figure, size, panel->width, text);
    figure_text(figure, text, size,
                (double[]){ panel->left,
                            panel->top - figure_line(figure) - .75 * size },
                0, false);
}

static enum status paint_picture(struct figure *figure,
                                 const struct frame *panel, int64_t row,
                                 struct error *error)
{
    struct picture *picture = figure->picture;
    const struct image *from = &picture->image;
    int left = panel->left + figure->beside;
    int top = panel->top + figure->below / 2;
    if (figure->page)
        page_part(figure->page, left, top, from->width, from->height);
    enum status status = picture_paint(picture, row, error);
    if (figure->page)
        page_whole(figure->page);
    for (int y = 0; y < from->height && !figure->page; y++)
        memcpy(image_at(&figure->image, left, top + y), image_at(from, 0, y),
               3 * (size_t)from->width);
    return status;
}

/* ---- The values of contours. ---- */

/* The room that a label takes, in pixels of the page. */
struct label_box {
    double left, top, right, bottom;
};

static bool boxes_meet(const struct label_box *a, const struct label_box *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom &&
           b->top < a->bottom;
}

/* Is it within the panel, and clear of all the others? */
static bool box_is_free(const struct label_box *box, const struct frame *panel,
                        const struct label_box *others, size_t count)
{
    bool clear = box->left >= panel->left && box->top >= panel->top &&
                 box->right <= panel->left + panel->width &&
                 box->bottom <= panel->top + panel->height;
    for (size_t i = 0; i < count && clear; i++)
        clear = !boxes_meet(box, &others[i]);
    return clear;
}

/* Writes on each contour its value, upright on paper, at the first free
 * position; a contour without a free position has none. */
static void draw_contour_values(struct figure *figure,
                                const struct frame *panel)
{
    const struct picture *picture = figure->picture;
    struct page *page = page_of(figure);
    struct label_box boxes[CONTOUR_LABELS];
    size_t count = 0, labelled = SIZE_MAX;
    for (size_t i = 0; i < picture->label_count; i++) {
        const struct contour_label *label = &picture->labels[i];
        double at[2] = { panel->left + label->at[0],
                         panel->top + label->at[1] };
        double wide = text_width(figure->font, figure->small, label->text) / 2 +
                      .2 * figure->em;
        double high = .6 * figure->em;
        const struct label_box box = { at[0] - wide, at[1] - high, at[0] + wide,
                                       at[1] + high };
        if (label->line == labelled || !box_is_free(&box, panel, boxes, count))
            continue;
        labelled = label->line;
        boxes[count++] = box;
        page_fill(page, (int)floor(box.left), (int)floor(box.top),
                  (int)ceil(2 * wide), (int)ceil(2 * high), white);
        figure_text(figure, label->text, figure->small, at, .5, false);
    }
}

/* ---- The values of cells. ---- */

/* Is an agent or the target drawn in this cell of the plane? */
static bool is_taken(const struct picture *picture, int64_t row, int x, int y)
{
    const struct cut *cut = &picture->view->cut;
    const int *low = picture->view->region.low;
    int cell[GRID_AXES] = { 0 };
    cell[cut->axis] = cut->at + low[cut->axis];
    cell[cut->right] = x + low[cut->right];
    cell[cut->down] = y + low[cut->down];
    for (size_t i = 0; i < picture->tracks.count; i++) {
        double *const *at = picture->tracks.track[i].at;
        bool in = true;
        for (int axis = 0; axis < GRID_AXES; axis++)
            in &= fabs(at[axis][row] - cell[axis]) <= .5;
        if (in)
            return true;
    }
    return false;
}

/* Size of numbers: smaller ones cannot be read. In ems of other small letters,
 * which on paper always have one size; in pixels these grow with the picture,
 * and numbers do not need to. */
#define SMALLEST .7
#define SMALLEST_PIXELS 7.5

/* The cell would have to be `factor` times as large for the text. */
static enum status no_room(const struct figure *figure, const char *text,
                           double factor, struct error *error)
{
    const int cell = figure->picture->options.cell;
    if (figure->page)
        return error_set(error, STATUS_INPUT,
                         "--overlay values: no room for %s in a cell; make "
                         "--width %.1f times as large, or draw another field",
                         text, ceil(10 * factor) / 10);
    return error_set(error, STATUS_INPUT,
                     "--overlay values: no room for %s in a cell of %d pixels; "
                     "-S %d has it; or draw another field",
                     text, cell, (int)ceil(cell * factor));
}

/* Writes in each cell its number, all in one size, except if an agent is drawn
 * in it. STATUS_INPUT if there is no room for the longest. */
static enum status draw_values(struct figure *figure, const struct frame *panel,
                               int64_t row, struct error *error)
{
    const struct picture *picture = figure->picture;
    const struct view *view = picture->view;
    struct page *page = page_of(figure);
    const bool agents = picture->options.overlays & OVERLAY_AGENTS;
    const int cell = picture->options.cell;
    char text[32], longest[32] = "";
    double size = figure->small, widest = 0;
    for (int i = 0; i < view->cut.nx * view->cut.ny; i++) {
        if (view->wall[i] || isnan(view->values[i]))
            continue;
        snprintf(text, sizeof text, "%.4g", view->values[i]);
        double width = text_width(figure->font, 1, text);
        size = fmin(size, .85 * cell / fmax(width, TEXT_CAPITAL));
        if (width > widest) {
            widest = width;
            snprintf(longest, sizeof longest, "%s", text);
        }
    }
    double least = figure->page ? SMALLEST * figure->small : SMALLEST_PIXELS;
    if (size < least)
        return no_room(figure, longest, least / size, error);
    for (int i = 0; i < view->cut.nx * view->cut.ny; i++) {
        int x = i % view->cut.nx, y = i / view->cut.nx;
        if (view->wall[i] || isnan(view->values[i]) ||
            (agents && is_taken(picture, row, x, y)))
            continue;
        snprintf(text, sizeof text, "%.4g", view->values[i]);
        double wide = text_width(figure->font, size, text);
        double high = TEXT_CAPITAL * size;
        const uint8_t *below =
            picture->ramp.colors[scale_level(&picture->scale, view->values[i])];
        bool dark = below[0] + below[1] + below[2] < 3 * 128;
        page_text(page, size, text,
                  (double[]){ panel->left + (x + .5) * cell - wide / 2,
                              panel->top + (y + .5) * cell + high / 2 },
                  false, dark ? white : ink);
    }
    return STATUS_OK;
}

static enum status paint_panel(struct figure *figure, int number, int64_t row,
                               int count, struct error *error)
{
    const struct figure_options *options = &figure->options;
    if (figure->pictures)
        figure->picture = figure->pictures[number % (int)figure->picture_count];
    figure->picture->page = figure->page;
    int column = number % options->columns, line = number / options->columns;
    struct frame panel = figure->panel;
    panel.left += column * figure->pitch[0];
    panel.top += line * figure->pitch[1];
    const struct picture_options *view = &figure->picture->options;
    if (!view->oblique && !view->outside)
        ink_below(figure, &panel);
    enum status status = paint_picture(figure, &panel, row, error);
    if (status)
        return status;
    draw_contour_values(figure, &panel);
    if (view->overlays & OVERLAY_VALUES)
        status = draw_values(figure, &panel, row, error);
    if (status)
        return status;
    if (figure->picture->options.oblique)
        figure_draw_layers(figure, &panel);
    else if (!figure->picture->options.outside)
        figure_outline(figure, &panel);
    if (options->axes && figure->picture->options.outside) {
        figure_draw_edges(figure, &panel);
    } else if (options->axes) {
        draw_axis(figure, &panel, 0, number + options->columns >= count);
        draw_axis(figure, &panel, 1, column == 0);
    }
    if (is_montage(figure))
        draw_caption(figure, &panel, number,
                     recording_steps(figure->picture->view->recording)[row]);
    return STATUS_OK;
}

enum status figure_paint(struct figure *figure, const int64_t *rows,
                         size_t count, struct error *error)
{
    struct picture *picture = figure->picture;
    picture->page = figure->page;
    if (!figure->font)
        return picture_paint(picture, rows[0], error);
    const struct figure_options *options = &figure->options;
    struct page *page = page_of(figure);
    page_fill(page, 0, 0, figure->image.width, figure->image.height, white);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = paint_panel(figure, (int)i, rows[i], (int)count, error);
    figure->picture = picture;
    if (status)
        return status;
    if (options->title && !titles_panels(figure))
        draw_title(figure, recording_steps(picture->view->recording)[rows[0]]);
    if (options->axes && !picture->options.outside)
        figure_name_axes(figure);
    if (options->bar)
        status = figure_draw_bar(figure, error);
    if (options->scale_bar)
        figure_draw_scale_bar(figure);
    if (options->legend)
        walk_legend(figure, false);
    return status;
}
