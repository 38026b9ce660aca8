/* SPDX-License-Identifier: MIT */
#include "draw/figure/labels.h"

#include "words/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint8_t white[3] = { 255, 255, 255 }, ink[3] = { 20, 20, 20 };

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

/* ---- The names of agents. ---- */

/* The label's room on one of eight sides of a mark. */
static struct label_box box_beside(const double at[2], double reach,
                                   double wide, double high, int side)
{
    static const double sides[][2] = { { 1, -1 }, { 1, 1 }, { -1, -1 },
                                       { -1, 1 }, { 1, 0 }, { -1, 0 },
                                       { 0, -1 }, { 0, 1 } };
    const double *way = sides[side];
    double away = way[0] != 0 && way[1] != 0 ? .8 * reach : 1.15 * reach;
    double x = at[0] + way[0] * (away + wide / 2);
    double y = at[1] + way[1] * (away + high / 2);
    return (struct label_box){ x - wide / 2, y - high / 2, x + wide / 2,
                               y + high / 2 };
}

enum { LABEL_SIDES = 8, MARK_BOXES = 64, BOXES_MOST = 256 };

/* What letters may not cover: marks, then other labels. */
struct boxes {
    struct label_box box[BOXES_MOST];
    size_t count, marks;
};

static void take_box(const struct label_box *box, struct boxes *boxes)
{
    if (boxes->count < BOXES_MOST)
        boxes->box[boxes->count++] = *box;
}

/* Has each start its agent's number? */
static bool has_numbers(const struct picture *picture)
{
    return picture_crowd(picture) == CROWD_SOME &&
           (picture->options.overlays & OVERLAY_TRAILS);
}

/* Writes the text in the middle of its box, which is taken then. */
static void put_label(struct figure *figure, const char *text,
                      const struct label_box *box, struct boxes *boxes)
{
    take_box(box, boxes);
    figure_cased_text(figure, text, figure->small,
                      (double[]){ (box->left + box->right) / 2,
                                  (box->top + box->bottom) / 2 },
                      .5);
}

/* The marks of a panel, at which no name may stand: those of starts have the
 * room of their numbers. */
static void find_marks(const struct figure *figure, const struct frame *panel,
                       int64_t row, struct boxes *boxes)
{
    const struct picture *picture = figure->picture;
    for (size_t i = 0;
         i < picture->tracks.count && boxes->count < MARK_BOXES - 1; i++) {
        double at[2];
        const struct track *track = &picture->tracks.track[i];
        const bool numbered = has_numbers(picture) && track->number >= 0;
        for (int now = 0; now < 2; now++) {
            double reach = .8 * mark_reach(MARK_WAITING, figure->em);
            if (!now && numbered) {
                picture_start(picture, track, at);
                reach = .79 * mark_start_reach(figure->em);
            } else
                picture_place(picture, track, now ? row : 0, at);
            boxes->box[boxes->count++] = (struct label_box){
                panel->left + at[0] - reach, panel->top + at[1] - reach,
                panel->left + at[0] + reach, panel->top + at[1] + reach
            };
        }
    }
    boxes->marks = boxes->count;
}

/* Would it cover a trail? */
static bool is_on_trail(const struct picture *picture, int64_t row,
                        const struct frame *panel, const struct label_box *box)
{
    if (!(picture->options.overlays & OVERLAY_TRAILS))
        return false;
    for (size_t i = 0; i < picture->tracks.count; i++)
        for (int64_t k = 0; k <= row; k++) {
            double at[2];
            picture_place(picture, &picture->tracks.track[i], k, at);
            at[0] += panel->left;
            at[1] += panel->top;
            if (at[0] > box->left && at[0] < box->right && at[1] > box->top &&
                at[1] < box->bottom)
                return true;
        }
    return false;
}

static void name_one(struct figure *figure, const struct frame *panel,
                     const char *name, int64_t row, const double at[2],
                     double reach, struct boxes *boxes)
{
    double wide =
        text_width(figure->font, figure->small, name) + .2 * figure->em;
    double high = 1.05 * figure->em;
    for (int try = 0; try < 2 * LABEL_SIDES; try++) {
        const struct label_box box =
            box_beside(at, reach, wide, high, try % LABEL_SIDES);
        if (!box_is_free(&box, panel, boxes->box, boxes->count) ||
            (try < LABEL_SIDES &&
             is_on_trail(figure->picture, row, panel, &box)))
            continue;
        put_label(figure, name, &box, boxes);
        return;
    }
}

/* The box round an area's outlines, in pixels of the page. */
static struct label_box area_box(const struct figure *figure,
                                 const struct frame *panel,
                                 const struct outlined_areas *areas,
                                 const struct outlined *area)
{
    struct label_box box = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    for (size_t i = area->first; i < area->first + area->loops; i++)
        for (size_t k = 0; k < areas->loop[i].count; k++) {
            double at[2];
            picture_place_in_plane(figure->picture, areas->loop[i].corner[k],
                                   at);
            box.left = fmin(box.left, panel->left + at[0]);
            box.right = fmax(box.right, panel->left + at[0]);
            box.top = fmin(box.top, panel->top + at[1]);
            box.bottom = fmax(box.bottom, panel->top + at[1]);
        }
    return box;
}

/* The words of an area without a name of its own. */
static void put_words(char *text, size_t size)
{
    static const char *const kinds[] = { N_("cost ="), N_("one way") };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t length = strlen(kinds[i]);
        char rest[REGION_NAME_SIZE];
        if (strncmp(text, kinds[i], length) != 0)
            continue;
        snprintf(rest, sizeof rest, "%s", text + length);
        snprintf(text, size, "%s%s", _(kinds[i]), rest);
    }
}

/* A name in a corner of its area, or above or below it. */
static void name_area(struct figure *figure, const struct frame *panel,
                      int64_t row, const struct outlined_areas *areas,
                      const struct outlined *area, struct boxes *boxes)
{
    const struct label_box round = area_box(figure, panel, areas, area);
    const double em = figure->em, high = 1.1 * em, gap = .25 * em;
    char text[REGION_NAME_SIZE];
    snprintf(text, sizeof text, "%s", area->name);
    char *place = strstr(text, " at (");
    if (place)
        *place = '\0'; /* seen on the map */
    put_words(text, sizeof text);
    double wide = text_width(figure->font, figure->small, text) + .3 * em;
    const double corners[][2] = {
        { round.left + gap, round.top + gap },
        { round.left + gap, round.bottom - gap - high },
        { round.right - gap - wide, round.top + gap },
        { round.right - gap - wide, round.bottom - gap - high },
        { round.left, round.top - gap - high },
        { round.left, round.bottom + gap },
    };
    const bool fits = round.right - round.left > wide + 2 * gap &&
                      round.bottom - round.top > high + 2 * gap;
    for (int i = fits ? 0 : 4; i < 6; i++) {
        const struct label_box box = { corners[i][0], corners[i][1],
                                       corners[i][0] + wide,
                                       corners[i][1] + high };
        if (!box_is_free(&box, panel, boxes->box, boxes->count) ||
            is_on_trail(figure->picture, row, panel, &box))
            continue;
        put_label(figure, text, &box, boxes);
        return;
    }
}

/* Writes a number in its start, unless it would meet another text. */
static bool put_number(struct figure *figure, const struct frame *panel,
                       const char *text, const double at[2],
                       struct boxes *boxes)
{
    const double size = .84 * figure->em;
    const double half = text_width(figure->font, size, text) / 2;
    const double high = .5 * size;
    const struct label_box box = { at[0] - half, at[1] - high, at[0] + half,
                                   at[1] + high };
    if (!box_is_free(&box, panel, boxes->box + boxes->marks,
                     boxes->count - boxes->marks))
        return false;
    take_box(&box, boxes);
    figure_text(figure, text, size, at, .5, false);
    return true;
}

/* Of starts at one place the numbers stand beside it, in one text; so does a
 * number that would meet that of the next start. */
static void number_starts(struct figure *figure, const struct frame *panel,
                          int64_t row, struct boxes *boxes)
{
    const struct picture *picture = figure->picture;
    const struct tracks *tracks = &picture->tracks;
    const double reach = mark_start_reach(figure->em);
    for (size_t i = 0; i < tracks->count; i++) {
        double at[2], other[2];
        char text[256] = "";
        size_t used = 0, together = 0;
        bool first = tracks->track[i].number >= 0;
        picture_start(picture, &tracks->track[i], at);
        for (size_t k = 0; k < tracks->count && first; k++) {
            const struct track *track = &tracks->track[k];
            picture_start(picture, track, other);
            if (track->number < 0 ||
                hypot(at[0] - other[0], at[1] - other[1]) > reach)
                continue;
            first = k >= i;
            together++;
            if (used < sizeof text - 8)
                used +=
                    (size_t)snprintf(text + used, sizeof text - used, "%s%d",
                                     used ? ", " : "", track->number + 1);
        }
        at[0] += panel->left;
        at[1] += panel->top;
        if (first &&
            (together > 1 || !put_number(figure, panel, text, at, boxes)))
            name_one(figure, panel, text, row, at, reach, boxes);
    }
}

/* Of a few agents, each name at its mark; captured ones meet at the target, and
 * are named at their starts. Of some, the number at each start. */
static void name_agents(struct figure *figure, const struct frame *panel,
                        int64_t row, struct boxes *boxes)
{
    const struct picture *picture = figure->picture;
    find_marks(figure, panel, row, boxes);
    for (int kind = 0; kind < AREA_KINDS; kind++)
        for (size_t i = 0; i < picture->areas[kind].count; i++)
            name_area(figure, panel, row, &picture->areas[kind],
                      &picture->areas[kind].area[i], boxes);
    if (has_numbers(picture))
        number_starts(figure, panel, row, boxes);
    if (picture_crowd(picture) != CROWD_FEW ||
        !(picture->options.overlays & OVERLAY_AGENTS))
        return;
    for (size_t i = 0; i < picture->tracks.count; i++) {
        const struct track *track = &picture->tracks.track[i];
        const enum mark mark = overlay_mark(track, row, false);
        const bool captured = mark == MARK_CAPTURED;
        double at[2];
        if (track->number < 0)
            continue;
        if (captured)
            picture_start(picture, track, at);
        else
            picture_place(picture, track, row, at);
        at[0] += panel->left;
        at[1] += panel->top;
        name_one(figure, panel, track->name, row, at,
                 captured ? mark_start_reach(figure->em)
                          : mark_reach(mark, figure->em),
                 boxes);
    }
}

/* ---- The values of contours. ---- */

/* Writes on each contour its value, upright on paper, at the first free
 * position; a contour without a free position has none. */
static void label_contours(struct figure *figure, const struct frame *panel,
                           struct boxes *boxes)
{
    const struct picture *picture = figure->picture;
    size_t labelled = SIZE_MAX;
    for (size_t i = 0; i < picture->label_count; i++) {
        const struct contour_label *label = &picture->labels[i];
        double at[2] = { panel->left + label->at[0],
                         panel->top + label->at[1] };
        double wide = text_width(figure->font, figure->small, label->text) / 2 +
                      .2 * figure->em;
        double high = .6 * figure->em;
        const struct label_box box = { at[0] - wide, at[1] - high, at[0] + wide,
                                       at[1] + high };
        if (label->line == labelled ||
            !box_is_free(&box, panel, boxes->box, boxes->count))
            continue;
        labelled = label->line;
        take_box(&box, boxes);
        page_fill(figure_surface(figure), (int)floor(box.left),
                  (int)floor(box.top), (int)ceil(2 * wide), (int)ceil(2 * high),
                  white);
        figure_text(figure, label->text, figure->small, at, .5, false);
    }
}

/* ---- A line over time. ---- */

/* "c = 0.5" beside a front, above it: earlier than the wave. */
static bool name_front(struct figure *figure, const struct frame *panel,
                       const struct along_front *front, const char *text,
                       struct boxes *boxes)
{
    static const double shares[] = { .5, .6, .4, .7, .3, .8, .2 };
    const double wide =
        text_width(figure->font, figure->small, text) + .2 * figure->em;
    const int side = front->to[0] > front->from[0] ? 0 : 2;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        double at[GRID_AXES] = { 0 }, pixel[2];
        for (int axis = 0; axis < 2; axis++)
            at[axis] = front->from[axis] +
                       shares[i] * (front->to[axis] - front->from[axis]);
        projection_place(&figure->picture->projection, at, pixel);
        pixel[0] += panel->left;
        pixel[1] += panel->top;
        const struct label_box box =
            box_beside(pixel, .3 * figure->em, wide, 1.05 * figure->em, side);
        if (!box_is_free(&box, panel, boxes->box, boxes->count) ||
            is_on_trail(figure->picture, figure->picture->tracks.rows - 1,
                        panel, &box))
            continue;
        put_label(figure, text, &box, boxes);
        return true;
    }
    return false;
}

static void place_mark(const struct figure *figure, const struct frame *panel,
                       const struct along_mark *mark, double pixel[2])
{
    const struct picture *picture = figure->picture;
    const double size[2] = { picture->image.width, picture->image.height };
    projection_place(&picture->projection,
                     (double[]){ mark->at[0], mark->at[1], 0 }, pixel);
    overlay_keep_whole(size, mark_reach(MARK_WAITING, figure->em), pixel);
    pixel[0] += panel->left;
    pixel[1] += panel->top;
}

/* The agent's name, or its number, where it begins, and the time of its
 * end. */
static void name_mark(struct figure *figure, const struct frame *panel,
                      const struct along_mark *mark, struct boxes *boxes)
{
    const struct view_axis *time = &figure->axis[1];
    const enum crowd crowd = picture_crowd(figure->picture);
    const bool ended = mark->mark == MARK_CAPTURED || mark->mark == MARK_STUCK;
    char text[TRACK_NAME_SIZE];
    double at[2];
    if (mark->mark == MARK_TARGET || crowd == CROWD_MANY ||
        (ended && crowd == CROWD_SOME))
        return;
    place_mark(figure, panel, mark, at);
    if (ended)
        snprintf(text, sizeof text, "%.6g",
                 time->first + time->each * mark->at[1]);
    else if (crowd == CROWD_SOME)
        snprintf(text, sizeof text, "%d", mark->track->number + 1);
    else
        snprintf(text, sizeof text, "%s", mark->track->name);
    if (crowd == CROWD_SOME && mark->mark == MARK_START)
        figure_text(figure, text, .84 * figure->em, at, .5, false);
    else
        name_one(figure, panel, text, figure->picture->tracks.rows - 1, at,
                 mark_reach(MARK_WAITING, figure->em), boxes);
}

/* The speed at the first front that has room for it, then the agents. */
static void label_along(struct figure *figure, const struct frame *panel,
                        struct boxes *boxes)
{
    struct picture *picture = figure->picture;
    const struct along_lines *lines = &picture->along;
    const struct pen pen = picture_pen(picture);
    const double reach = .8 * mark_reach(MARK_WAITING, figure->em);
    char text[48], unit[32];
    bool named = false;
    for (size_t i = 0; i < lines->mark_count && i < MARK_BOXES; i++) {
        double at[2];
        place_mark(figure, panel, &lines->marks[i], at);
        boxes->box[boxes->count++] =
            (struct label_box){ at[0] - reach, at[1] - reach, at[0] + reach,
                                at[1] + reach };
    }
    for (int i = 0; i < lines->bends && boxes->count < MARK_BOXES; i++) {
        double x[2];
        projection_place(&picture->projection,
                         (double[]){ lines->bend[i], 0, 0 }, x);
        boxes->box[boxes->count++] = (struct label_box){
            panel->left + x[0] - .1 * figure->em, panel->top,
            panel->left + x[0] + .1 * figure->em, panel->top + panel->height
        };
    }
    snprintf(text, sizeof text, "c = %.3g",
             along_speed(picture->view, lines->speed, unit, sizeof unit));
    for (size_t i = 0; i < lines->front_count && !named; i++)
        named = along_shows(&pen, &lines->fronts[i]) &&
                name_front(figure, panel, &lines->fronts[i], text, boxes);
    for (size_t i = 0; i < lines->mark_count; i++)
        name_mark(figure, panel, &lines->marks[i], boxes);
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

/* Is the cell of the plane in the part that is painted? */
static bool picture_holds(const struct picture *picture, int x, int y)
{
    const struct cells *part = &picture->part;
    return x >= part->left && x <= part->right && y >= part->top &&
           y <= part->bottom;
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
static enum status label_values(struct figure *figure,
                                const struct frame *panel, int64_t row,
                                struct error *error)
{
    const struct picture *picture = figure->picture;
    const struct view *view = picture->view;
    struct page *page = figure_surface(figure);
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
            !picture_holds(picture, x, y) ||
            (agents && is_taken(picture, row, x, y)))
            continue;
        snprintf(text, sizeof text, "%.4g", view->values[i]);
        double wide = text_width(figure->font, size, text);
        double high = TEXT_CAPITAL * size;
        const uint8_t *below =
            picture->ramp.colors[scale_level(&picture->scale, view->values[i])];
        bool dark = below[0] + below[1] + below[2] < 3 * 128;
        page_text(
            page, size, text,
            (double[]){
                panel->left + (x - picture->part.left + .5) * cell - wide / 2,
                panel->top + (y - picture->part.top + .5) * cell + high / 2 },
            false, dark ? white : ink);
    }
    return STATUS_OK;
}

enum status labels_draw(struct figure *figure, const struct frame *panel,
                        int64_t row, const struct frame *inset,
                        struct error *error)
{
    const struct picture *picture = figure->picture;
    const struct picture_options *options = &picture->options;
    struct boxes boxes = { .count = 0 };
    if (inset)
        take_box(&(struct label_box){ inset->left, inset->top,
                                      inset->left + inset->width,
                                      inset->top + inset->height },
                 &boxes);
    if (picture_is_along(picture))
        label_along(figure, panel, &boxes);
    else if (options->paper && !options->oblique && !options->outside &&
             (options->overlays & (OVERLAY_AGENTS | OVERLAY_AREAS)))
        name_agents(figure, panel, row, &boxes);
    label_contours(figure, panel, &boxes);
    return options->overlays & OVERLAY_VALUES
               ? label_values(figure, panel, row, error)
               : STATUS_OK;
}
