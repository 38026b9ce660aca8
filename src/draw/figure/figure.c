/* SPDX-License-Identifier: MIT */
#include "draw/figure/figure.h"
#include "draw/figure/labels.h"
#include "draw/figure/outcomes.h"

#include "base/utf8.h"
#include "view/along.h"
#include "words/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t white[3] = { 255, 255, 255 }, ink[3] = { 20, 20, 20 };

/* Sizes of text on paper, in points: the em; then ticks' labels and titles in
 * ems. */
static const double letters = 7.5, small_letters = 7 / 7.5,
                    large_letters = 8 / 7.5;

/* From a line of text to the next, in ems. */
#define BAR_LINE 1.3
#define CAPTION_LINE 1.25

/* From this width on, in ems, a sheet's key is beside its bar, not below. */
#define STRIP_WIDE 40

/* If the edge of an image is between two pixels of a screen, the line below the
 * image must show there, on a page of vectors too, and not the paper. */
static void ink_below(struct figure *figure, const struct frame *frame)
{
    if (figure->page)
        figure_fill(figure, frame->left, frame->top, frame->width,
                    frame->height);
}

static bool is_paper(const struct figure *figure)
{
    return figure->picture->options.paper;
}

static bool is_montage(const struct figure *figure)
{
    return figure->options.columns * figure->options.rows > 1;
}

/* Is its bar short, below the panels, with its label to the right? */
static bool has_strip(const struct figure *figure)
{
    return is_paper(figure) && (is_montage(figure) || figure->options.strip);
}

static int part_cells(const struct figure *figure, int side)
{
    const struct cells *part = &figure->picture->part;
    return side ? part->bottom - part->top + 1 : part->right - part->left + 1;
}

/* Pixels of a cell to the right (side 0) or down (1). */
static double cell_of(const struct figure *figure, int side)
{
    const struct picture_options *options = &figure->picture->options;
    return side ? options->cell * options->tall : options->cell;
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
    double thick = figure_thickness(figure);
    if (side == BELOW) {
        figure_fill(figure, x - line / 2, y - line, thick, pixels + line);
        figure_text(figure, label, figure->small,
                    (double[]){ x + .5, y + .95 * em }, .5, false);
        return;
    }
    bool left = side == LEFT;
    x -= left ? pixels : 0;
    figure_fill(figure, left ? x : x - line, y - line / 2, pixels + line,
                thick);
    figure_text(figure, label, figure->small,
                (double[]){ left ? x - .25 * em : x + .6 * em, y + .5 }, left,
                false);
}

static void drop_zeros(char *label)
{
    size_t length = strlen(label);
    if (!strchr(label, '.') || strstr(label, "10"))
        return;
    while (label[length - 1] == '0')
        length--;
    label[label[length - 1] == '.' ? length - 1 : length] = '\0';
}

/* The largest value if the bar ends before it. */
static void add_largest(const struct figure *figure, char *text, size_t size)
{
    const struct picture *picture = figure->picture;
    char number[TICK_LABEL_SIZE];
    bool ends[2];
    picture_beyond(picture, ends);
    if (!is_paper(figure) || !(ends[0] || ends[1]))
        return;
    const struct extremes *extremes = &picture->extremes;
    double most = fabs(extremes->low) > fabs(extremes->high) ? extremes->low
                                                             : extremes->high;
    ticks_label(most, ticks_round(fabs(most)) / 10, number);
    drop_zeros(number);
    snprintf(text, size, _(", largest %s"), number);
}

static double reach_of(const struct picture *picture)
{
    return fmax(fabs(picture->scale.low), fabs(picture->scale.high));
}

/* How its range compares with the widest one, "5.7 x as sensitive as b". */
static void add_factor(const struct figure *figure, char *text, size_t size)
{
    const size_t count = figure->picture_count;
    size_t widest = 0;
    for (size_t i = 1; i < count; i++)
        if (reach_of(figure->pictures[i]) > reach_of(figure->pictures[widest]))
            widest = i;
    const double factor =
        reach_of(figure->pictures[widest]) / reach_of(figure->picture);
    if (factor > 1)
        snprintf(text, size,
                 factor < 9.95 ? _(", %.1f\u00a0\u00d7 as sensitive as %c")
                               : _(", %.0f\u00a0\u00d7 as sensitive as %c"),
                 factor,
                 (int)('a' + (size_t)figure->number -
                       (size_t)figure->number % count + widest));
}

static void figure_bar_label(const struct figure *figure, char *text,
                             size_t size)
{
    const struct view *view = figure->picture->view;
    if (figure->options.unnamed)
        snprintf(text, size, "%s", _(view->field->name));
    else
        view_describe(view, true, text, size);
    char *comma = strstr(text, _(", "));
    if (comma && (figure->picture->options.oblique || view_is_along(view)))
        *comma = '\0'; /* layers have labels; axes name the line */
    size_t used = strlen(text);
    if (view->field->unit[0])
        used += (size_t)snprintf(text + used, size - used, _(" (%s)"),
                                 _(view->field->unit));
    add_largest(figure, text + used, size - used);
    used += strlen(text + used);
    if (figure->own_bars)
        add_factor(figure, text + used, size - used);
}

/* Japanese has no spaces. A line may end before a bracket, and behind hiragana
 * (the end of most phrases) or punctuation if another kind of letter follows.
 */
static bool may_break(const char *before, const char *at)
{
    static const char closing[] = "、。）」ー";
    char this[8] = "", last[8] = "";
    const unsigned char *next = (const unsigned char *)at;
    const unsigned char *end = (const unsigned char *)before;
    const size_t bytes = utf8_character(next), behind = utf8_character(end);
    if (bytes < 2 || !behind)
        return false;
    memcpy(this, next, bytes);
    memcpy(last, end, behind);
    const uint32_t code = utf8_code(next, bytes), old = utf8_code(end, behind);
    const bool ended = (old > 0x3040 && old < 0x30a0) || strstr(closing, last);
    return code > 0x2e7f && !strstr(closing, this) &&
           (strcmp(this, "（") == 0 || (ended && code > 0x309f));
}

/* Breaks the bar's label at spaces and between Japanese phrases into lines no
 * wider than `room`, each ended by a newline except the last; returns their
 * number. A longer word has its own line. */
static int break_label(struct figure *figure, double room)
{
    char *line = figure->bar_label, *place = NULL, *before = line;
    int lines = 1;
    figure_bar_label(figure, figure->bar_label, sizeof figure->bar_label);
    for (char *at = line;; at++) {
        char here = *at;
        const bool letter = (here & 0xc0) != 0x80;
        if (here != ' ' && here &&
            !(letter && at > line && may_break(before, at))) {
            before = letter ? at : before;
            continue;
        }
        *at = '\0';
        bool wide = place && text_width(figure->font, figure->em, line) > room;
        *at = here;
        if (wide && *place != ' ') {
            if (strlen(figure->bar_label) + 1 >= sizeof figure->bar_label)
                return lines;
            memmove(place + 1, place, strlen(place) + 1);
            at++;
        }
        if (wide) {
            *place = '\n';
            line = place + 1;
            lines++;
        }
        if (!here)
            return lines;
        before = place = at;
    }
}

/* Draws the bar's label line by line, the first one's `part` (figure_text) at
 * `at`, the next ones below it or, for a vertical bar, to the right. */
static void draw_label(struct figure *figure, bool lies, double part,
                       double room, const double at[2])
{
    double place[2] = { at[0], at[1] };
    for (const char *line = figure->bar_label; line;) {
        char text[sizeof figure->bar_label];
        const char *end = strchr(line, '\n');
        snprintf(text, sizeof text, "%.*s",
                 end ? (int)(end - line) : (int)strlen(line), line);
        text_fit(figure->font, figure->em, room, text);
        figure_text(figure, text, figure->em, place, part, !lies);
        place[lies] += BAR_LINE * figure->em;
        line = end ? end + 1 : NULL;
    }
}

/* The bar without the points that show that values lie beyond its ends. */
static struct frame ramp_of(const struct figure *figure, bool lies,
                            bool ends[2])
{
    struct frame ramp = figure->bar;
    int cap = (lies ? ramp.height : ramp.width) * 3 / 4;
    picture_beyond(figure->picture, ends);
    for (int end = 0; end < 2; end++)
        ends[end] &= is_paper(figure);
    if (lies) {
        ramp.left += ends[0] * cap;
        ramp.width -= (ends[0] + ends[1]) * cap;
    } else {
        ramp.top += ends[1] * cap;
        ramp.height -= (ends[0] + ends[1]) * cap;
    }
    return ramp;
}

/* The point at the high (1) or the low end (0) of the ramp, and its edges. */
static void draw_point(struct figure *figure, const struct frame *ramp,
                       bool lies, int end)
{
    struct page *page = figure_surface(figure);
    const struct frame *bar = &figure->bar;
    double left = ramp->left, top = ramp->top;
    double right = left + ramp->width, bottom = top + ramp->height;
    double tip[2], base[2][2];
    if (lies) {
        tip[0] = end ? bar->left + bar->width : bar->left;
        tip[1] = (top + bottom) / 2;
        base[0][0] = base[1][0] = end ? right : left;
        base[0][1] = end ? bottom : top;
        base[1][1] = end ? top : bottom;
    } else {
        tip[0] = (left + right) / 2;
        tip[1] = end ? bar->top : bar->top + bar->height;
        base[0][1] = base[1][1] = end ? top : bottom;
        base[0][0] = end ? right : left;
        base[1][0] = end ? left : right;
    }
    page_triangle(page, tip, base[0], base[1]);
    page_lay(page, figure->picture->ramp.colors[end ? 255 : 0]);
    page_line(page, base[0], tip, figure_thickness(figure));
    page_line(page, tip, base[1], figure_thickness(figure));
    page_lay(page, ink);
}

static enum status paint_ramp(struct figure *figure, bool lies,
                              struct error *error)
{
    bool ends[2];
    const struct frame bar = ramp_of(figure, lies, ends);
    struct page *page = figure_surface(figure);
    int length = lies ? bar.width : bar.height;
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
    ink_below(figure, &bar);
    page_cells(page, &strip, bar.left, bar.top, bar.width, bar.height);
    image_release(&strip);
    figure_outline(figure, &bar);
    for (int end = 0; end < 2; end++)
        if (ends[end])
            draw_point(figure, &bar, lies, end);
    return STATUS_OK;
}

/* On the bar. */
static void draw_value(struct figure *figure, const struct tick *tick,
                       bool lies)
{
    bool ends[2];
    const struct frame bar = ramp_of(figure, lies, ends);
    int line = figure_line(figure);
    double length = tick->label[0] ? .35 : .2;
    if (lies)
        draw_tick(figure, BELOW,
                  bar.left + (int)round(tick->place * (bar.width - 1)),
                  bar.top + bar.height + line, length, tick->label);
    else
        draw_tick(figure, RIGHT, bar.left + bar.width + line,
                  bar.top + (int)round((1 - tick->place) * (bar.height - 1)),
                  length, tick->label);
}

/* ---- The key of kinds, below the panels instead of a bar. */

static const struct field_kinds *kinds_of(const struct figure *figure)
{
    return figure->picture->view->field->kinds;
}

/* On paper, of all directions in degrees. */
static bool has_compass(const struct figure *figure)
{
    const struct picture *picture = figure->picture;
    return is_paper(figure) && picture->view->field->angle &&
           picture->scale.low == -180 && picture->scale.high == 180;
}

/* Is the key of colours below the panels? */
static bool bar_lies(const struct figure *figure)
{
    return kinds_of(figure) || has_compass(figure) ||
           figure->bar.width > figure->bar.height;
}

static void draw_swatch(struct figure *figure, const uint8_t color[3],
                        const double at[2])
{
    int side = (int)round(.9 * figure->em);
    const struct frame swatch = { (int)at[0], (int)round(at[1] - side / 2.),
                                  side, side };
    struct page *page = figure_surface(figure);
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
                 i < kinds->count ? _(kinds->names[i]) : _("wall"));
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

/* Has half of it at most two digits? */
static bool has_short_half(double value)
{
    double halves = 2 * value / pow(10, floor(log10(value)));
    return fabs(halves / 2 - round(halves / 2)) < 1e-6;
}

/* A range that ends at round numbers by itself has them at its ends. */
static void take_ends(const struct scale *scale, int parts, struct ticks *ticks)
{
    ticks->count = 0;
    for (int i = 0; i <= parts; i++) {
        struct tick *tick = &ticks->tick[ticks->count++];
        double place = (double)i / parts;
        tick->place = place;
        tick->value = scale->low + place * (scale->high - scale->low);
        ticks_label(tick->value, scale->high / 20, tick->label);
        drop_zeros(tick->label);
    }
}

/* As many as fit, up to the number that helps to read a colour. */
static void make_bar_ticks(struct figure *figure, double length, bool lies)
{
    enum { MOST = 10 };
    double room = length / ((lies ? 4 : 1.7) * figure->em);
    ticks_make(&figure->picture->scale, (int)fmin(room, MOST),
               &figure->bar_ticks);
    const struct picture *picture = figure->picture;
    if (picture->options.share > 0 && !(picture->scale.linear_width > 0) &&
        picture->scale.low == -picture->scale.high)
        take_ends(&picture->scale,
                  room >= 5 && has_short_half(picture->scale.high) ? 4 : 2,
                  &figure->bar_ticks);
    if (picture->view->field->whole)
        leave_whole(&figure->bar_ticks);
}

/* From a lying bar to its label beside it. */
static double label_gap(const struct figure *figure)
{
    return fmax(1.8 * figure->em, figure->bar_reach + .5 * figure->em);
}

/* To the right of the bar. */
static void draw_label_beside(struct figure *figure)
{
    const struct frame *bar = &figure->bar;
    const bool lines = strchr(figure->bar_label, '\n');
    draw_label(figure, true, 0, INFINITY,
               (double[]){ bar->left + bar->width + label_gap(figure),
                           bar->top + bar->height / 2. -
                               (lines ? .2 * figure->em : 0) });
}

/* ---- The compass of a field of directions, instead of a bar. */

#define COMPASS_RADIUS 2.2 /* ems */

/* A ring whose colour in each direction, as seen on the map, is that of a cell
 * with this direction. */
static void draw_compass(struct figure *figure)
{
    enum { PARTS = 72 };
    const struct picture *picture = figure->picture;
    struct page *page = figure_surface(figure);
    const double em = figure->em, outer = COMPASS_RADIUS * em;
    const double inner = .55 * outer, turn = 2 * acos(-1) / PARTS;
    const double middle[2] = { figure->bar.left + outer + 2.6 * em,
                               figure->bar.top + outer + 1.2 * em };
    static const struct {
        const char *text;
        int x, y;
    } names[] = {
        { "0\u00b0", 1, 0 },
        { "90\u00b0", 0, -1 },
        { "180\u00b0", -1, 0 },
        { "\u221290\u00b0", 0, 1 },
    };
    for (int i = 0; i < PARTS; i++) {
        double corners[4][2], angle = (i + .5) * 360 / PARTS;
        for (int k = 0; k < 4; k++) {
            double at = (i + (k == 1 || k == 2 ? 1.05 : 0)) * turn;
            double radius = k < 2 ? outer : inner;
            corners[k][0] = middle[0] + radius * cos(at);
            corners[k][1] = middle[1] - radius * sin(at);
        }
        const double turned[4][2] = { { corners[3][0], corners[3][1] },
                                      { corners[2][0], corners[2][1] },
                                      { corners[1][0], corners[1][1] },
                                      { corners[0][0], corners[0][1] } };
        int level =
            scale_level(&picture->scale, angle > 180 ? angle - 360 : angle);
        page_corners(page, turned, 4);
        page_lay(page, picture->ramp.colors[level]);
    }
    for (int i = 0; i < 4; i++) {
        double away = outer + (names[i].x ? .3 : .7) * em;
        figure_text(figure, names[i].text, figure->small,
                    (double[]){ middle[0] + names[i].x * away,
                                middle[1] + names[i].y * away },
                    names[i].x ? (1 - names[i].x) / 2. : .5, false);
    }
}

static enum status figure_draw_bar(struct figure *figure, struct error *error)
{
    const struct frame *bar = &figure->bar;
    bool lies = bar_lies(figure);
    double em = figure->em;
    if (has_compass(figure)) {
        draw_compass(figure);
        draw_label_beside(figure);
        return STATUS_OK;
    }
    if (kinds_of(figure)) {
        walk_kinds(figure, false);
        return STATUS_OK;
    }
    make_bar_ticks(figure, lies ? bar->width : bar->height, lies);
    enum status status = paint_ramp(figure, lies, error);
    if (status)
        return status;
    for (int i = 0; i < figure->bar_ticks.count; i++)
        draw_value(figure, &figure->bar_ticks.tick[i], lies);
    if (has_strip(figure))
        draw_label_beside(figure);
    else if (lies)
        draw_label(figure, true, .5, figure->bar_room,
                   (double[]){ bar->left + bar->width / 2.,
                               bar->top + bar->height + 2.4 * em });
    else
        draw_label(
            figure, false, .5, figure->bar_room,
            (double[]){ bar->left + bar->width + figure->bar_reach + .95 * em,
                        bar->top + bar->height / 2. });
    return STATUS_OK;
}

/* A round length, about a quarter of a panel's width. */
static double scale_length(const struct figure *figure)
{
    return ticks_round(fmax(.26 * part_cells(figure, 0), 1) *
                       figure->axis[0].each);
}

/* "20 cells", "1 cell", "5 m" */
static void scale_text(const struct figure *figure, double length, char *text,
                       size_t size)
{
    const char *unit = figure->axis[0].unit;
    char number[TICK_LABEL_SIZE];
    ticks_label(length, length, number);
    snprintf(text, size, "%s %s", number,
             length == 1 && unit[1] ? _("cell") : _(unit));
}

static void figure_draw_scale_bar(struct figure *figure)
{
    double em = figure->em, length = scale_length(figure);
    int pixels = (int)round(length / figure->axis[0].each * cell_of(figure, 0));
    int thick = (int)fmax(2, round(.2 * em));
    int left = figure->panels.left, middle = figure->scale_base;
    char text[TICK_LABEL_SIZE + 16];
    figure_fill(figure, left, middle - thick / 2, pixels, thick);
    scale_text(figure, length, text, sizeof text);
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
    double cells = (tick->value - axis->first) / axis->each;
    return (int)floor((cells + .5) * cell_of(figure, side));
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
    size_t used = (size_t)snprintf(text, size, "%s", _(axis->name));
    snprintf(text + used, size - used, _(" (%s)"), _(axis->unit));
    if (text_width(figure->font, figure->em, text) > room)
        text[used] = '\0';
}

static void figure_name_axes(struct figure *figure)
{
    const struct frame *panels = &figure->panels;
    double em = figure->em;
    int line = figure_line(figure), length = (int)round(.35 * em);
    char text[64];
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
    struct page *page = figure_surface(figure);
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
        name[0] = axis_letters[axis];
        snprintf(name + 1, sizeof name - 1, _(" (%s)"), _(figure->unit_name));
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

/* An entry below the panels: an agent by its number, a mark, or one of the
 * other signs. */
enum sign {
    SIGN_AGENT,
    SIGN_ELSEWHERE, /* an agent that is on no layer */
    SIGN_MARK,
    SIGN_AREA,
    SIGN_BLANK, /* a cell without a value */
    SIGN_BEND,  /* of a line over time, and the speed of its wave */
    SIGN_SPEED,
    SIGN_SCALE,
};

struct entry {
    char text[TRACK_NAME_SIZE + 16];
    enum sign sign;
    int number;    /* of the agent, or the mark */
    double radius; /* half the width of its sign */
};

enum { KEY_MOST = FIGURE_LEGEND + 1 };

struct key {
    struct entry entry[KEY_MOST];
    size_t count;
};

__attribute__((format(printf, 5, 6))) static void
add_entry(struct key *key, enum sign sign, int number, double radius,
          const char *format, ...)
{
    struct entry *entry = &key->entry[key->count++];
    va_list arguments;
    *entry = (struct entry){ .sign = sign, .number = number, .radius = radius };
    va_start(arguments, format);
    vsnprintf(entry->text, sizeof entry->text, format, arguments);
    va_end(arguments);
}

static void add_elsewhere(const struct figure *figure, struct key *key)
{
    add_entry(key, SIGN_ELSEWHERE, 0, 3 * overlay_agent_radius(figure->em),
              "%s",
              figure->picture->options.oblique   ? _("between layers")
              : figure->picture->options.outside ? _("behind the surface")
                                                 : _("outside the plane"));
}

/* The agents by name. */
static void name_agents(const struct figure *figure, struct key *key)
{
    const struct tracks *tracks = &figure->picture->tracks;
    for (size_t i = 0; i < tracks->count && i < FIGURE_LEGEND; i++) {
        int number = tracks->track[i].number;
        double radius = overlay_agent_radius(figure->em);
        if (overlay_shape(number) == OVERLAY_TRIANGLE)
            radius *= 1.35; /* its lower corners */
        if (i == FIGURE_LEGEND - 1 && tracks->count > FIGURE_LEGEND)
            add_entry(key, SIGN_AGENT, number, radius, _("and %zu more"),
                      tracks->count - i);
        else
            add_entry(key, SIGN_AGENT, number, radius, "%s",
                      number < 0 ? _(tracks->track[i].name)
                                 : tracks->track[i].name);
    }
    if (figure->picture->elsewhere)
        add_elsewhere(figure, key);
}

/* The marks of all pictures' rows, which other pages may show. */
static unsigned marks_of(const struct figure *figure)
{
    unsigned found = 0;
    for (size_t i = 0; i < figure->picture_count || i < 1; i++) {
        const struct picture *picture =
            figure->pictures ? figure->pictures[i] : figure->picture;
        found |= picture_marks(picture);
    }
    return found;
}

/* On a line over time: its time at a mark, its bends, the speed. */
static void name_along(const struct figure *figure, struct key *key)
{
    const double em = figure->em;
    bool bends = false, speed = false;
    char unit[32];
    for (size_t i = 0; i < figure->picture_count || i < 1; i++) {
        struct picture *picture =
            figure->pictures ? figure->pictures[i] : figure->picture;
        const struct pen pen = picture_pen(picture);
        const struct along_lines *lines = &picture->along;
        bends |= lines->bends > 0;
        for (size_t k = 0; k < lines->front_count; k++)
            speed |= along_shows(&pen, &lines->fronts[k]);
    }
    if (bends)
        add_entry(key, SIGN_BEND, 0, .32 * em, "%s", _("bend of the line"));
    along_speed(figure->picture->view, 0, unit, sizeof unit);
    if (speed)
        add_entry(key, SIGN_SPEED, 0, 1.2 * em, _("speed c of the wave (%s)"),
                  unit);
}

/* The marks are the first of the signs; then areas, and the last ones. */
enum {
    SIGNS_AREAS = 16,
    SIGNS_ELSEWHERE = SIGNS_AREAS + AREA_KINDS,
    SIGNS_BLANK,
};

unsigned figure_signs(const struct figure *figure)
{
    const struct picture *picture = figure->picture;
    unsigned signs = marks_of(figure);
    if (figure->options.has_signs)
        return figure->options.signs;
    for (int kind = 0; kind < AREA_KINDS; kind++)
        signs |= (unsigned)(picture->areas[kind].count > 0)
                 << (SIGNS_AREAS + kind);
    const bool behind = picture->options.outside && picture->tracks.count;
    signs |= (unsigned)(picture->elsewhere || behind) << SIGNS_ELSEWHERE;
    return signs | (unsigned)picture_has_blanks(picture) << SIGNS_BLANK;
}

static const char *const area_words[AREA_KINDS] = {
    N_("area of other speed"),
    N_("area of other cost"),
    N_("one-way cells"),
};

/* What the panels contain: marks, areas, blanks; and the length of a bar. */
static void name_marks(struct figure *figure, struct key *key)
{
    const double em = figure->em;
    const unsigned found = figure_signs(figure);
    for (int mark = 0; mark < MARK_COUNT; mark++)
        if (found >> mark & 1)
            add_entry(key, SIGN_MARK, mark, mark_reach(mark, em), "%s",
                      _(mark_names[mark]));
    if (picture_is_along(figure->picture))
        name_along(figure, key);
    if (found >> SIGNS_ELSEWHERE & 1)
        add_elsewhere(figure, key);
    const char *areas = NULL;
    for (int kind = 0; kind < AREA_KINDS; kind++)
        if (found >> (SIGNS_AREAS + kind) & 1)
            areas = areas ? N_("named area") : area_words[kind];
    if (areas)
        add_entry(key, SIGN_AREA, 0, em, "%s", _(areas));
    if (found >> SIGNS_BLANK & 1)
        add_entry(key, SIGN_BLANK, 0, .45 * em, "%s", _("not reached yet"));
    if (figure->options.scale_bar) {
        double length = scale_length(figure);
        char text[TICK_LABEL_SIZE + 16];
        scale_text(figure, length, text, sizeof text);
        add_entry(key, SIGN_SCALE, 0,
                  round(length / figure->axis[0].each * cell_of(figure, 0)) / 2,
                  "%s", text);
    }
}

static void draw_sign(struct figure *figure, const struct entry *entry,
                      const double at[2])
{
    struct page *page = figure_surface(figure);
    const double em = figure->em;
    const struct pen pen = {
        .page = page,
        .size = { figure->image.width, figure->image.height },
        .em = em,
    };
    const double left[2] = { at[0] - entry->radius, at[1] };
    const double right[2] = { at[0] + entry->radius, at[1] };
    int side = (int)round(2 * entry->radius), thick;
    switch (entry->sign) {
    case SIGN_AGENT:
        overlay_agent(&pen, entry->number, at);
        break;
    case SIGN_ELSEWHERE:
        overlay_elsewhere(&pen, at);
        break;
    case SIGN_MARK:
        mark_draw(page, (enum mark)entry->number, em, at, NULL);
        break;
    case SIGN_AREA:
        overlay_dashes(&pen, left, right);
        break;
    case SIGN_BLANK:
        draw_swatch(figure, figure->picture->ramp.missing,
                    (double[]){ round(left[0]), at[1] });
        break;
    case SIGN_BEND:
        along_bend(&pen, (double[]){ at[0], at[1] - .5 * em }, at[1] + .5 * em);
        break;
    case SIGN_SPEED:
        overlay_dashes(&pen, left, right);
        break;
    case SIGN_SCALE:
        thick = (int)fmax(2, round(.15 * em));
        figure_fill(figure, (int)round(left[0]), (int)round(at[1]) - thick / 2,
                    side, thick);
    }
}

/* Visits the entries line by line; draws them unless `only_measure`. Returns
 * the total height. */
static double walk_legend(struct figure *figure, bool only_measure)
{
    int width = figure->legend.width;
    double em = figure->em, x = 0, y = 0, line = 1.5 * em;
    struct key key = { .count = 0 };
    if (figure->options.key)
        name_marks(figure, &key);
    else
        name_agents(figure, &key);
    for (size_t i = 0; i < key.count; i++) {
        struct entry *entry = &key.entry[i];
        double gap = .7 * overlay_agent_radius(em);
        double sign = 2 * entry->radius + gap;
        text_fit(figure->font, figure->small, width - sign, entry->text);
        double wide =
            sign + text_width(figure->font, figure->small, entry->text);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += line;
        }
        double at[2] = { figure->legend.left + x + entry->radius + 1,
                         figure->legend.top + y + line / 2 };
        if (!only_measure)
            draw_sign(figure, entry, at);
        at[0] += entry->radius + gap;
        if (!only_measure)
            figure_text(figure, entry->text, figure->small, at, 0, false);
        x += wide + 1.2 * em;
    }
    return key.count ? y + line : 0;
}

/* ---- The size and position of each part of a page. */

/* Does the title have this letter after a % (%% is a percent sign)? */
static bool has_code(const char *title, char letter)
{
    while ((title = strchr(title, '%')) && title[1] != letter)
        title += title[1] == '%' ? 2 : 1;
    return title != NULL;
}

/* A title with a step is drawn for each panel, one without for the page. */
static bool titles_panels(const struct figure *figure)
{
    const char *title = figure->options.title;
    return title && is_montage(figure) &&
           (has_code(title, 'd') || has_code(title, 't') ||
            has_code(title, 'f'));
}

static bool titles_page(const struct figure *figure)
{
    return figure->options.title && !titles_panels(figure) &&
           !figure->options.placed;
}

/* The room round the panels. */
struct margins {
    double left, top, right, bottom;
};

/* Leaves out labels that would meet the one before, as of a map five cells
 * high. */
static void part_labels(const struct figure *figure, int side,
                        struct ticks *ticks)
{
    double end = -INFINITY;
    for (int i = 0; i < ticks->count; i++) {
        struct tick *tick = &ticks->tick[i];
        double half =
            (side ? figure->em
                  : text_width(figure->font, figure->small, tick->label) +
                        .4 * figure->em) /
            2;
        double at = tick_at(figure, tick, side);
        if (!tick->label[0])
            continue;
        if (at - half < end)
            tick->label[0] = '\0';
        else
            end = at + half;
    }
}

/* Ticks along one side of a panel, in the axes' unit. */
static void make_axis(struct figure *figure, int side)
{
    const struct view_axis *axis = &figure->axis[side];
    int cells = part_cells(figure, side);
    double pixels = cells * cell_of(figure, side);
    struct scale scale = { axis->first, axis->first + (cells - 1) * axis->each,
                           0 };
    struct ticks *ticks = &figure->axis_ticks[side];
    ticks->count = 0;
    if (cells > 1)
        ticks_make(&scale, (int)(pixels / ((side ? 2.2 : 3.0) * figure->em)),
                   ticks);
    part_labels(figure, side, ticks);
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
    figure->unit_name = cell > 0 ? N_("m") : N_("cells");
    const struct cells *part = &figure->picture->part;
    for (int side = 0; side < 2; side++) {
        struct view_axis *axis = &figure->axis[side];
        view_axis(figure->picture->view, side, axis);
        axis->first += (side ? part->top : part->left) * axis->each;
    }
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

/* Below the panels, with its label to the right. */
static void leave_compass(struct figure *figure, struct margins *margins,
                          double *below)
{
    const double em = figure->em, width = figure->panels.width;
    const double side = 2 * COMPASS_RADIUS + 2.4;
    figure->bar_reach = 0;
    figure->bar.width = (int)((side + 2.6) * em);
    figure->bar.height = (int)(side * em);
    figure->bar_room = fmax(4 * em, (width > STRIP_WIDE * em ? .5 : 1) * width -
                                        figure->bar.width - 2 * em);
    break_label(figure, figure->bar_room);
    *below = margins->bottom;
    margins->bottom += figure->bar.height + .5 * em;
}

/* Under a contact sheet: a short bar with its label beside it. */
static void leave_strip(struct figure *figure, struct margins *margins,
                        double *below)
{
    struct frame *bar = &figure->bar;
    const double em = figure->em, width = figure->panels.width;
    const bool wide = width > STRIP_WIDE * em;
    bar->height = (int)round(.9 * em);
    bar->width = (int)((wide ? .2 : .4) * width);
    make_bar_ticks(figure, bar->width, true);
    figure->bar_reach = .5 * widest(figure, &figure->bar_ticks);
    figure->bar_room = (wide ? .5 : 1) * width - bar->width -
                       fmax(5 * em, figure->bar_reach + label_gap(figure));
    int lines = break_label(figure, figure->bar_room);
    *below = margins->bottom;
    margins->bottom += fmax(bar->height + 2.1 * em, lines * BAR_LINE * em);
}

/* Below a row of panels with ranges of their own; the upper rows have their
 * axes' ticks without labels. */
#define OWN_BAR_GAP .6

/* Each panel's bar below it: on the left half, its label on the right one. */
static void leave_own_bars(struct figure *figure, struct margins *margins,
                           double *below)
{
    struct frame *bar = &figure->bar;
    struct picture *first = figure->picture;
    const double em = figure->em, width = figure->panel.width;
    int lines = 1;
    bar->height = (int)round(.9 * em);
    bar->width = (int)(.42 * width);
    figure->bar_reach = 0;
    for (size_t i = 0; i < figure->picture_count; i++) {
        figure->picture = figure->pictures[i];
        make_bar_ticks(figure, bar->width, true);
        figure->bar_reach =
            fmax(figure->bar_reach, .5 * widest(figure, &figure->bar_ticks));
    }
    const double beside = figure->bar_reach + label_gap(figure);
    figure->bar_room = fmax(.58 * width - fmax(3.4 * em, beside), 5 * em);
    for (size_t i = 0; i < figure->picture_count; i++) {
        figure->picture = figure->pictures[i];
        figure->number = (int)i;
        lines = (int)fmax(lines, break_label(figure, figure->bar_room));
    }
    figure->picture = first;
    const double high = fmax(bar->height + 2.1 * em, lines * BAR_LINE * em);
    *below = margins->bottom;
    margins->bottom += high;
    if (figure->options.rows < 2)
        return;
    figure->pitch[1] += (int)round(high + OWN_BAR_GAP * em);
    figure->panels.height =
        figure->panel.height + (figure->options.rows - 1) * figure->pitch[1];
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
    if (has_compass(figure)) {
        leave_compass(figure, margins, below);
        return;
    }
    if (figure->own_bars) {
        leave_own_bars(figure, margins, below);
        return;
    }
    if (has_strip(figure)) {
        leave_strip(figure, margins, below);
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

static bool has_captions(const struct figure *figure)
{
    return is_montage(figure) ||
           (is_paper(figure) && figure->options.key && !figure->options.title &&
            !figure->options.placed && !picture_is_along(figure->picture));
}

/* Where the second line of a reason begins that is too long for one: after the
 * last space that fits, else NULL. */
static const char *second_line(const struct figure *figure, const char *reason,
                               double width)
{
    const char *second = NULL;
    if (text_width(figure->font, figure->small, reason) <= width)
        return NULL;
    for (const char *at = reason; (at = strchr(at, ' ')); at++) {
        char line[1024];
        snprintf(line, sizeof line, "%.*s", (int)(at - reason), reason);
        if (text_width(figure->font, figure->small, line) <= width)
            second = at + 1;
    }
    return second;
}

/* One line if every panel's step and reason fit above it, else the reason is in
 * a second one, or a second and a third. */
static void count_caption_lines(struct figure *figure)
{
    const double width = figure->picture->image.width;
    figure->caption_lines = has_captions(figure);
    const char *const *reasons = figure->options.reasons;
    for (int i = 0;
         reasons && i < figure->options.columns * figure->options.rows; i++) {
        const char *reason = reasons[i] ? reasons[i] : "";
        int lines =
            text_width(figure->font, figure->em, _("a  step 0,000")) +
                        figure->em +
                        text_width(figure->font, figure->small, reason) <=
                    width
                ? 1
            : second_line(figure, reason, width) ? 3
                                                 : 2;
        if (lines > figure->caption_lines)
            figure->caption_lines = lines;
    }
}

static void measure_panels(struct figure *figure)
{
    const struct figure_options *options = &figure->options;
    const struct image *image = &figure->picture->image;
    bool many = options->columns * options->rows > 1;
    if (options->axes && figure->picture->options.outside) {
        figure->beside =
            (int)ceil(text_width(figure->font, figure->small, _("z (cells)")) +
                      figure->em);
        figure->below = (int)ceil(2.6 * figure->em);
    }
    figure->panel.width = image->width + 2 * figure->beside;
    figure->panel.height = image->height + figure->below + figure->below / 2;
    if (options->strip)
        figure->panel.height = 0;
    double oblique = figure->picture->options.oblique
                         ? text_width(figure->font, figure->small, "z = 000")
                         : 0;
    const struct frame *panel = &figure->panel;
    /* Between the last number of an axis and the first number of the next
     * one. */
    double gap = (options->axes ? 1.6 : .8) * figure->em;
    figure->pitch[0] = panel->width + (int)round(gap + oblique);
    figure->pitch[1] =
        panel->height +
        (int)round((.65 + CAPTION_LINE * fmax(1, figure->caption_lines)) *
                   figure->em);
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
    count_caption_lines(figure);
    measure_panels(figure);
    if (titles_page(figure)) {
        figure->title_base = (int)round(margins.top + .6 * em);
        margins.top += 1.7 * em;
    }
    if (figure->caption_lines)
        margins.top += (.15 + CAPTION_LINE * figure->caption_lines) * em;
    leave_axes(figure, &margins);
    margins.right += options->axes ? em : 0; /* half a tick's label */
    if (options->bar)
        leave_bar(figure, &margins, &bar_below);
    figure->outcomes = (struct frame){ 0 };
    const bool lists = outcomes_fit(figure);
    const bool list_beside =
        lists && !is_montage(figure) &&
        !(options->points > 0 &&
          options->points < 2.5 * OUTCOMES_WIDTH * letters);
    if (list_beside) {
        figure->outcomes.width = (int)ceil(OUTCOMES_WIDTH * em);
        margins.right += figure->outcomes.width + 2 * em;
    }
    const double point = em / letters;
    margins.left = fmax(margins.left, options->margins[0] * point);
    margins.top = fmax(margins.top, options->margins[1] * point);
    margins.right = fmax(margins.right, options->margins[2] * point);
    figure->panel.left = figure->panels.left = (int)ceil(margins.left);
    figure->panel.top = figure->panels.top = (int)ceil(margins.top);
    int bottom = figure->panels.top + figure->panels.height;
    int right = figure->panels.left + figure->panels.width;
    const bool lies = bar_lies(figure);
    figure->bar.left = lies ? figure->panels.left : right + (int)round(em);
    if (has_strip(figure) && !kinds_of(figure))
        figure->bar.left += (int)round(figure->bar_reach);
    figure->bar.top =
        lies ? bottom + (int)round(bar_below + .3 * em) : figure->panels.top;
    double page = bottom + margins.bottom;
    if (options->scale_bar && !options->key) {
        figure->scale_base = (int)round(page + .5 * em);
        page += 1.6 * em;
    }
    figure->legend = (struct frame){ figure->panels.left, (int)round(page),
                                     figure->panels.width, 0 };
    bool beside = figure->options.bar && has_strip(figure) &&
                  !kinds_of(figure) && !figure->own_bars &&
                  figure->panels.width > STRIP_WIDE * em;
    if (beside) {
        int shift = (int)(.52 * figure->panels.width);
        figure->legend.left += shift;
        figure->legend.width -= shift;
        figure->legend.top = figure->bar.top - (int)round(.3 * em);
    } else if (is_paper(figure)) /* to the right end of the page */
        figure->legend.width =
            (int)(right + margins.right - half) - figure->panels.left;
    if (options->legend || options->key)
        figure->legend.height = (int)ceil(walk_legend(figure, true));
    page_size[0] = ceil(right + margins.right);
    figure->outcomes.left =
        (int)(page_size[0] - figure->outcomes.width - .5 * em);
    figure->outcomes.top = figure->panels.top;
    figure->outcomes.height = figure->panels.height;
    page_size[1] = ceil(fmax(page, figure->legend.top + figure->legend.height));
    if (!beside)
        page_size[1] = ceil(page + figure->legend.height);
    if (lists && !list_beside) {
        struct frame *list = &figure->outcomes;
        list->left = figure->panels.left;
        list->width = (int)(page_size[0] - list->left - half);
        list->top = (int)(page_size[1] + 1.5 * em);
        list->height = (int)ceil(outcomes_height(figure, list->width));
        page_size[1] = list->top + list->height;
    }
}

/* Letters of these sizes in pixels. */
static void set_em(struct figure *figure, double em)
{
    bool paper = is_paper(figure) || figure->options.points > 0;
    figure->em = em;
    figure->small = (paper ? small_letters : .9) * em;
    figure->large = (paper ? large_letters : 1.15) * em;
}

/* Points: 22 cm, a page of A4 with a caption. */
#define HIGHEST 623.6

/* Is the page narrow enough in ems that its letters are large enough on
 * paper? */
static bool is_narrow(struct figure *figure, double em, double size[2])
{
    set_em(figure, em);
    figure_lay_out(figure, size);
    return size[0] * letters <= em * figure->options.points &&
           (!is_paper(figure) || size[1] * letters <= em * HIGHEST);
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
    size[0] = floor(high * points / letters);
    figure->picture->options.em = high;
    return STATUS_OK;
}

/* The letters have the picture's size in pixels. */
static enum status make_pixels(struct figure *figure, struct error *error)
{
    double size[2];
    set_em(figure, figure->em);
    figure_lay_out(figure, size);
    if (!figure->picture->options.vectors) {
        enum status status = image_init(&figure->image, (int64_t)size[0],
                                        (int64_t)size[1], error);
        return status ? status
                      : page_over(&figure->image, figure->font, &figure->over,
                                  error);
    }
    const double dots = 300; /* of page_png, whose pixels are the units then */
    for (int i = 0; i < 2; i++)
        size[i] = 2 * ceil(size[i] / 2); /* films have even sides */
    figure->size =
        (struct page_size){ size[0], size[1], size[0] * 72 / dots, dots };
    figure->image.width = (int)size[0];
    figure->image.height = (int)size[1];
    return STATUS_OK;
}

static enum status make_page(struct figure *figure, struct error *error)
{
    double size[2];
    if (!(figure->options.points > 0))
        return make_pixels(figure, error);
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
           !options->legend && !options->key && !options->title &&
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
    if (options->key && picture->view->field->of_walls)
        figure->options.bar = false; /* white and gray explain themselves */
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
    }
    figure->pictures = pictures;
    figure->picture_count = count;
    for (size_t i = 1; i < count && is_paper(figure); i++)
        figure->own_bars |=
            figure->options.bar && !kinds_of(figure) && !has_compass(figure) &&
            memcmp(&pictures[i]->scale, &first->scale, sizeof first->scale) !=
                0;
    enum status status =
        figure->own_bars ? make_page(figure, error) : STATUS_OK;
    for (size_t i = 1; i < count; i++)
        pictures[i]->options.em = first->options.em;
    return status;
}

void figure_margins(const struct figure *figure, double margins[3])
{
    const struct frame *panels = &figure->panels;
    const double point = figure->size.points / figure->size.width;
    margins[0] = panels->left * point;
    margins[1] = panels->top * point;
    margins[2] = figure->size.points - (panels->left + panels->width) * point;
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
    return figure->picture_count > 1 ? (steps ? _("%f, step %d") : "%f")
                                     : (steps ? _("step %d") : "");
}

static void caption_of(const struct figure *figure, int number, int64_t step,
                       char *text, size_t size)
{
    const char *title =
        titles_panels(figure) ? figure->options.title : panel_title(figure);
    const char *own = figure->picture->options.caption;
    size_t used = 0;
    if (is_montage(figure))
        used =
            (size_t)snprintf(text, size, is_paper(figure) ? "%c%s" : "(%c)%s",
                             'a' + number, *title ? "  " : "");
    if (own && title != figure->options.title)
        snprintf(text + used, size - used, "%s", own);
    else
        put_step(figure, title, step, text + used, size - used);
}

void figure_caption(const struct figure *figure, int64_t step, char *text,
                    size_t size)
{
    const char *title = figure->options.title;
    if (!title)
        title =
            is_paper(figure) && !is_montage(figure) ? panel_title(figure) : "";
    put_step(figure, title, step, text, size);
}

/* "a  step 120" over a panel, or its own title, and at the right end why this
 * step is shown, or in lines of its own if there is no room for both. */
static void draw_caption(struct figure *figure, const struct frame *panel,
                         int number, int64_t step)
{
    char text[1024];
    double size = figure->em;
    double base = panel->top - figure_line(figure) - .75 * size;
    const char *reason =
        figure->options.reasons ? figure->options.reasons[number] : NULL;
    caption_of(figure, number, step, text, sizeof text);
    fit_title(figure, size,
              is_montage(figure) ? panel->width
                                 : figure->image.width - panel->left - size / 2,
              text);
    figure_text(figure, text, size,
                (double[]){ panel->left, base - (figure->caption_lines - 1) *
                                                    CAPTION_LINE * size },
                0, false);
    if (!reason)
        return;
    const char *second = second_line(figure, reason, panel->width);
    snprintf(text, sizeof text, "%.*s",
             second ? (int)(second - 1 - reason) : (int)strlen(reason), reason);
    fit_title(figure, figure->small, panel->width, text);
    if (figure->caption_lines < 2) {
        figure_gray_text(figure, text, figure->small,
                         (double[]){ panel->left + panel->width, base }, 1);
        return;
    }
    double line = CAPTION_LINE * size;
    double at[2] = { panel->left, base - (figure->caption_lines - 2) * line };
    figure_gray_text(figure, text, figure->small, at, 0);
    if (!second)
        return;
    snprintf(text, sizeof text, "%s", second);
    fit_title(figure, figure->small, panel->width, text);
    at[1] += line;
    figure_gray_text(figure, text, figure->small, at, 0);
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

/* How many times as large the inset's cells are: it takes up to half of the
 * panel's sides. 0: less than twice. */
static int inset_factor(const struct figure *figure, const struct frame *panel)
{
    const struct cells *cells = &figure->options.inset.cells;
    double wide = (cells->right - cells->left + 1) * cell_of(figure, 0);
    double high = (cells->bottom - cells->top + 1) * cell_of(figure, 1);
    double most = fmin(.5 * panel->width / wide, .5 * panel->height / high);
    return most < 2 ? 0 : (int)most;
}

/* An inset's cells on the panel, and the frame in which they are `factor` times
 * as large; 0: none. */
struct enlarged {
    struct frame from, to;
    int factor;
};

static enum status place_inset(const struct figure *figure,
                               const struct frame *panel,
                               struct enlarged *inset, struct error *error)
{
    const struct figure_options *options = &figure->options;
    const struct cells *cells = &options->inset.cells;
    const struct cells *part = &figure->picture->part;
    const int cell = figure->picture->options.cell;
    *inset = (struct enlarged){ .factor = 0 };
    if (!options->has_inset)
        return STATUS_OK;
    inset->factor = inset_factor(figure, panel);
    if (!inset->factor)
        return error_set(error, STATUS_INPUT,
                         "--inset: %d x %d cells are too many to be twice as "
                         "large in half of the panel; choose fewer",
                         cells->right - cells->left + 1,
                         cells->bottom - cells->top + 1);
    inset->from = (struct frame){
        panel->left + (cells->left - part->left) * cell,
        panel->top + (cells->top - part->top) * cell,
        (cells->right - cells->left + 1) * cell,
        (cells->bottom - cells->top + 1) * cell,
    };
    struct frame *to = &inset->to;
    *to = (struct frame){ panel->left, panel->top,
                          inset->from.width * inset->factor,
                          inset->from.height * inset->factor };
    to->left += options->inset.right ? panel->width - to->width : 0;
    to->top += options->inset.bottom ? panel->height - to->height : 0;
    return STATUS_OK;
}

static enum status draw_inset(struct figure *figure,
                              const struct enlarged *inset, int64_t row,
                              struct error *error)
{
    struct picture *picture = figure->picture;
    const int cell = picture->options.cell;
    const struct frame *to = &inset->to;
    figure_stroke(figure, &inset->from, 1.7 * figure_thickness(figure));
    page_part(figure->page, to->left, to->top, to->width, to->height);
    enum status status =
        picture_paint_part(picture, &figure->options.inset.cells,
                           cell * inset->factor, row, error);
    page_whole(figure->page);
    figure_stroke(figure, to, 1.7 * figure_thickness(figure));
    char text[32];
    snprintf(text, sizeof text, "\u00d7%d", inset->factor);
    struct page *page = figure_surface(figure);
    double wide = text_width(figure->font, figure->small, text);
    page_fill(page, to->left + figure_line(figure),
              to->top + figure_line(figure), (int)(wide + .5 * figure->em),
              (int)(1.2 * figure->em), white);
    figure_text(
        figure, text, figure->small,
        (double[]){ to->left + .3 * figure->em, to->top + .7 * figure->em }, 0,
        false);
    return status;
}

static struct frame panel_at(const struct figure *figure, int number)
{
    struct frame panel = figure->panel;
    panel.left += number % figure->options.columns * figure->pitch[0];
    panel.top += number / figure->options.columns * figure->pitch[1];
    return panel;
}

static enum status paint_panel(struct figure *figure, int number, int64_t row,
                               struct error *error)
{
    const struct figure_options *options = &figure->options;
    if (figure->pictures)
        figure->picture = figure->pictures[number % (int)figure->picture_count];
    figure->picture->page = figure->page;
    const struct frame panel = panel_at(figure, number);
    const struct picture_options *view = &figure->picture->options;
    if (!view->oblique && !view->outside)
        ink_below(figure, &panel);
    struct enlarged inset;
    enum status status = place_inset(figure, &panel, &inset, error);
    if (!status)
        status = paint_picture(figure, &panel, row, error);
    if (!status)
        status = labels_draw(figure, &panel, row,
                             inset.factor ? &inset.to : NULL, error);
    if (!status && inset.factor)
        status = draw_inset(figure, &inset, row, error);
    if (status)
        return status;
    if (figure->picture->options.oblique)
        figure_draw_layers(figure, &panel);
    else if (!figure->picture->options.outside)
        figure_outline(figure, &panel);
    if (options->axes && figure->picture->options.outside)
        figure_draw_edges(figure, &panel);
    if (has_captions(figure))
        draw_caption(figure, &panel, number,
                     recording_steps(figure->picture->view->recording)[row]);
    return STATUS_OK;
}

/* The bar of each of the `count` panels, below it. */
static enum status draw_own_bars(struct figure *figure, int count,
                                 struct error *error)
{
    const struct frame first = figure->bar;
    struct picture *picture = figure->picture;
    const int columns = figure->options.columns;
    enum status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        const int up = figure->options.rows - 1 - i / columns;
        figure->number = i;
        figure->picture = figure->pictures[i % (int)figure->picture_count];
        figure->bar.left = first.left + i % columns * figure->pitch[0];
        if (up)
            figure->bar.top =
                figure->panel.top + i / columns * figure->pitch[1] +
                figure->panel.height + (int)round(OWN_BAR_GAP * figure->em);
        else
            figure->bar.top = first.top;
        break_label(figure, figure->bar_room);
        status = figure_draw_bar(figure, error);
    }
    figure->picture = picture;
    figure->bar = first;
    return status;
}

/* All round the first `count` panels that is the same at every step. */
static enum status paint_round(struct figure *figure, int count,
                               struct error *error)
{
    const struct figure_options *options = &figure->options;
    const bool axes = options->axes && !figure->picture->options.outside;
    enum status status = STATUS_OK;
    page_fill(figure_surface(figure), 0, 0, figure->image.width,
              figure->image.height, white);
    for (int i = 0; i < count && axes; i++) {
        const struct frame panel = panel_at(figure, i);
        draw_axis(figure, &panel, 0, i + options->columns >= count);
        draw_axis(figure, &panel, 1, i % options->columns == 0);
    }
    if (axes)
        figure_name_axes(figure);
    if (options->bar)
        status = figure->own_bars ? draw_own_bars(figure, count, error)
                                  : figure_draw_bar(figure, error);
    if (options->scale_bar && !options->key)
        figure_draw_scale_bar(figure);
    if (options->legend || options->key)
        walk_legend(figure, false);
    return status;
}

enum status figure_paint(struct figure *figure, const int64_t *rows,
                         size_t count, struct error *error)
{
    struct picture *picture = figure->picture;
    picture->page = figure->page;
    if (!figure->font)
        return picture_paint(picture, rows[0], error);
    enum status status = STATUS_OK;
    if (count && figure->kept == count)
        page_recall(figure->page);
    else
        status = paint_round(figure, (int)count, error);
    if (count && figure->keeps && figure->kept != count && !status) {
        page_keep(figure->page);
        figure->kept = count;
    }
    for (size_t i = 0; i < count && !status; i++)
        status = paint_panel(figure, (int)i, rows[i], error);
    figure->picture = picture;
    if (status)
        return status;
    if (titles_page(figure))
        draw_title(figure, recording_steps(picture->view->recording)[rows[0]]);
    if (figure->outcomes.width)
        outcomes_draw(figure, &figure->outcomes, rows[count - 1]);
    return STATUS_OK;
}
