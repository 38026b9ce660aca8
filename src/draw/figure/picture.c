/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "base/need.h"

#include "base/utf8.h"
#include "draw/figure/extremes.h"
#include "draw/figure/picture.h"
#include "draw/figure/ticks.h"
#include "view/along.h"
#include "view/arrival_run.h"
#include "words/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    OF_PLANS = OVERLAY_PATHS | OVERLAY_NODES | OVERLAY_COLORS,
    OF_STREAMLINES = OVERLAY_STREAMLINES | OVERLAY_GRADIENT_STREAMLINES,
    OF_ARROWS = OVERLAY_HEADINGS | OVERLAY_GRADIENT | OVERLAY_DIRECTION |
                OVERLAY_FLUX | OVERLAY_ONE_WAY | OF_STREAMLINES,
    OF_PLANE = OF_ARROWS | OVERLAY_COLORS | OVERLAY_CONTOURS |
               OVERLAY_VALUES, /* only for a single plane */
};

static struct page *page_of(struct picture *picture)
{
    return picture->page ? picture->page : picture->over;
}

/* Opens another field, of the same wave in the same plane. */
static enum status open_beside(const struct view *view, const char *field,
                               struct view **beside, struct error *error)
{
    struct view_place place = {
        view->cut.block.dims == 2 ? -1 : view->cut.axis,
        view->cut.at + view->region.low[view->cut.axis],
        false,
    };
    enum status status = view_open(view->recording, field,
                                   view->newest ? WAVE_NEWEST : view->wave,
                                   &place, beside, error);
    if (!status) {
        (*beside)->moments = view->moments;
        (*beside)->moment_count = view->moment_count;
    }
    return status;
}

static enum status prepare_arrows(struct picture *picture, struct error *error)
{
    const unsigned overlays = picture->options.overlays;
    const struct cut *cut = &picture->view->cut;
    size_t cells = (size_t)cut->nx * (size_t)cut->ny;
    picture->right = need_memory(cells, sizeof *picture->right);
    picture->down = need_memory(cells, sizeof *picture->down);
    picture->arrow_room = need_memory(cells, 2 * sizeof *picture->arrow_room);
    return open_beside(picture->view,
                       overlays & OVERLAY_HEADINGS    ? "heading"
                       : overlays & OVERLAY_DIRECTION ? "gradient-direction"
                       : overlays & (OVERLAY_FLUX | OVERLAY_STREAMLINES)
                           ? "flux"
                       : overlays & OVERLAY_ONE_WAY ? "one-way"
                                                    : "gradient",
                       &picture->arrows, error);
}

static enum status take_row(struct picture *picture, int64_t row,
                            struct error *error);

static enum status read_areas(struct picture *picture, int64_t row,
                              struct error *error)
{
    if (picture->options.oblique || picture->options.outside)
        return STATUS_OK;
    enum status status = take_row(picture, row, error);
    for (int kind = 0; kind < AREA_KINDS && !status; kind++)
        status = outlined_read(picture->view, (enum area_kind)kind,
                               &picture->areas[kind], error);
    return status;
}

static enum status picture_prepare_overlays(struct picture *picture,
                                            int64_t last, struct error *error)
{
    unsigned overlays = picture->options.overlays;
    const struct view *view = picture->view;
    const struct picture_options *options = &picture->options;
    if ((overlays & OF_PLANE) &&
        (view->most || view->whole || options->oblique))
        return error_set(
            error, STATUS_INPUT,
            "--overlay: arrows, streamlines, gradients, contours, values and "
            "colors "
            "are drawn over one plane; leave out --project, --oblique and "
            "--view, and name it by --at z=N");
    if ((overlays & OVERLAY_VALUES) && (overlays & OF_ARROWS))
        return error_set(error, STATUS_INPUT,
                         "--overlay: values and arrows would cover each other "
                         "in the middle of a cell; draw them in two pictures");
    const unsigned of_arrows = overlays & OF_ARROWS;
    if ((overlays & OF_STREAMLINES) && (of_arrows & (of_arrows - 1)))
        return error_set(error, STATUS_INPUT,
                         "--overlay: streamlines and arrows, or two kinds of "
                         "streamlines, would cover each other; draw them in "
                         "two pictures");
    const struct field *field = view->field;
    if ((overlays & OVERLAY_CONTOURS) && (field->angle || field->kinds))
        return error_set(error, STATUS_INPUT,
                         "--overlay contours: %s cannot have contours; use a "
                         "field of numbers, such as amplitude or arrival",
                         field->name);
    if ((overlays & OVERLAY_FRONT) && (view->most || view->whole))
        return error_set(error, STATUS_INPUT,
                         "--overlay: front is drawn over planes; leave out "
                         "--project and --view, and name one by --at z=N, or "
                         "several by --oblique");
    enum status status = STATUS_OK;
    if (picture->image.rgb)
        status = page_over(&picture->image, NULL, &picture->over, error);
    const bool agents = overlays & OVERLAY_OF_AGENTS;
    if (!status && picture_is_along(picture))
        return along_read(view, options->agents, options->agent_count,
                          agents ? &picture->tracks : NULL, &picture->along,
                          error);
    if (!status && agents)
        status = tracks_read(view->recording, last + 1, options->agents,
                             options->agent_count, &picture->tracks, error);
    picture->elsewhere =
        !status && picture->layers.count &&
        overlay_any_elsewhere(&picture->layers, &picture->tracks, last);
    if (!status && (overlays & OF_PLANS))
        status = plans_read(view->recording, &picture->plans, error);
    if (!status && (overlays & OVERLAY_COLORS) && picture->plans.kindless)
        status = error_at(
            error, STATUS_INPUT, recording_path(view->recording), 0,
            "--overlay colors takes the plans of pincers, and the agents were "
            "not recorded; record with record.fields = (..., \"agents\")");
    if (!status && (overlays & OVERLAY_COLORS))
        picture->colors =
            need_memory(grid_cells(recording_grid(view->recording)),
                        sizeof *picture->colors);
    if (!status && (overlays & OVERLAY_CONTOURS))
        picture->labels = need_memory(CONTOUR_LABELS, sizeof *picture->labels);
    if (!status && (overlays & OVERLAY_AREAS) && !view->change)
        status = read_areas(picture, last, error);
    if (!status && (overlays & OF_ARROWS))
        status = prepare_arrows(picture, error);
    if (!status && (overlays & OVERLAY_FRONT))
        status = open_beside(view, "arrival", &picture->arrival, error);
    return status;
}

/* Heading arrows are all as long as there is room. */
static void take_headings(struct picture *picture, size_t cells)
{
    const double radians = acos(-1) / 180;
    for (size_t i = 0; i < cells; i++) {
        double angle = picture->arrows->values[i] * radians;
        picture->right[i] = cos(angle);
        picture->down[i] = -sin(angle);
    }
}

static enum status take_components(struct picture *picture, int64_t row,
                                   struct error *error)
{
    struct view *arrows = picture->arrows;
    enum status status = view_read_component(arrows, arrows->cut.right, row,
                                             picture->right, error);
    return status ? status
                  : view_read_component(arrows, arrows->cut.down, row,
                                        picture->down, error);
}

/* Arrows of a field of lengths are proportional to their length relative to the
 * largest of free cells; on a logarithmic scale, to its logarithm down to 1e-4
 * of the largest. */
static void scale_lengths(struct picture *picture, size_t cells)
{
    const struct view *arrows = picture->arrows;
    double most = 0;
    for (size_t i = 0; i < cells; i++)
        if (!arrows->wall[i])
            most = fmax(most, hypot(picture->right[i], picture->down[i]));
    struct scale scale = { -most, most,
                           picture->options.logarithmic ? 1e-4 * most : 0 };
    for (size_t i = 0; i < cells && most > 0; i++) {
        double length = hypot(picture->right[i], picture->down[i]);
        double part = 2 * scale_place(&scale, length) - 1;
        picture->right[i] *= length > 0 ? part / length : 0;
        picture->down[i] *= length > 0 ? part / length : 0;
    }
}

/* For one-way cells: an arrow in each if there is room, over trails and
 * paths. */
static bool arrows_of_map(const struct picture *picture)
{
    return picture->arrows && !picture->arrows->field->of_wave;
}

/* Notes a picture with so few arrows that a reader may expect more. */
static void note_arrows(struct picture *picture, int64_t row, size_t cells)
{
    const struct view *arrows = picture->arrows;
    struct few_arrows few = { .pictures = 1, .row = row, .cells = cells };
    for (size_t i = 0; i < view_cells(arrows); i++)
        few.free_cells += !arrows->wall[i];
    if (few.cells * FEW_ARROWS < few.free_cells)
        few_arrows_add(&picture->few_arrows, &few);
}

void few_arrows_add(struct few_arrows *all, const struct few_arrows *more)
{
    size_t pictures = all->pictures + more->pictures;
    if (more->pictures && (!all->pictures || more->row < all->row))
        *all = *more;
    all->pictures = pictures;
}

/* In the cells that are painted. */
static void draw_streamlines(struct picture *picture, const struct pen *pen)
{
    const struct view *arrows = picture->arrows;
    const struct cells *part = &picture->part;
    const struct vectors vectors = {
        .right = picture->right,
        .down = picture->down,
        .wall = arrows->wall,
        .nx = arrows->cut.nx,
        .ny = arrows->cut.ny,
        .left = part->left,
        .top = part->top,
        .end_x = part->right + 1,
        .end_y = part->bottom + 1,
    };
    overlay_streamlines(pen, &vectors, picture->options.cell,
                        picture->options.apart, &picture->streamlines);
}

static enum status draw_arrows(struct picture *picture, const struct pen *pen,
                               int64_t row, struct error *error)
{
    struct view *arrows = picture->arrows;
    const struct cut *cut = &arrows->cut;
    size_t cells = (size_t)cut->nx * (size_t)cut->ny;
    enum status status = view_read(arrows, row, error);
    if (!status && arrows->field->angle)
        take_headings(picture, cells);
    else if (!status)
        status = take_components(picture, row, error);
    if (status)
        return status;
    if (picture->options.overlays & OF_STREAMLINES) {
        draw_streamlines(picture, pen);
        return STATUS_OK;
    }
    if (!arrows->field->angle)
        scale_lengths(picture, cells);
    int cell = picture->options.cell;
    int apart =
        arrows_of_map(picture) ? (int)ceil(8. / cell) : picture->options.apart;
    size_t found =
        overlay_arrows(pen, picture->right, picture->down, arrows->wall,
                       cut->nx, cut->ny, cell, apart, picture->arrow_room);
    if (!arrows_of_map(picture))
        note_arrows(picture, row, found);
    return STATUS_OK;
}

/* The cells that the plans of a pincer avoided, in the visible plane. */
static void draw_colors(struct picture *picture, const struct pen *pen,
                        int64_t row)
{
    const struct view *view = picture->view;
    const struct cut *cut = &view->cut;
    const struct grid *grid = recording_grid(view->recording);
    double moves = recording_setting_real(view->recording, "pursuit.moves", 0);
    plans_color(&picture->plans, grid, (int)moves,
                recording_steps(view->recording)[row], picture->colors);
    for (int y = 0; y < cut->ny; y++)
        for (int x = 0; x < cut->nx; x++) {
            int at[GRID_AXES] = { 0 };
            at[cut->axis] = cut->at;
            at[cut->right] = x;
            at[cut->down] = y;
            for (int axis = 0; axis < GRID_AXES; axis++)
                at[axis] += view->region.low[axis];
            size_t i = (size_t)y * (size_t)cut->nx + (size_t)x;
            if (!view->wall[i])
                overlay_square(
                    pen, x, y, picture->options.cell,
                    picture->colors[grid_index(grid, at[0], at[1], at[2])]);
        }
}

/* Reads a row unless the view has it already. */
static enum status take_row(struct picture *picture, int64_t row,
                            struct error *error)
{
    if (row == picture->row)
        return STATUS_OK;
    picture->row = -1;
    enum status status = view_read(picture->view, row, error);
    if (!status)
        picture->row = row;
    return status;
}

/* Goes to the i-th plane of an oblique view. */
static void take_plane(struct picture *picture, int i)
{
    if (!picture->options.oblique)
        return;
    view_move(picture->view, picture->layers.at[i]);
    if (!picture->view->read)
        picture->row = -1;
}

static int plane_count(const struct picture *picture)
{
    return picture->options.oblique ? picture->layers.count : 1;
}

/* The levels to be drawn: the front half a step later, so that it is between
 * the cells that it has reached and the others; or round numbers. */
static enum status find_levels(struct picture *picture, int64_t row,
                               struct ticks *levels, struct error *error)
{
    const struct view *view = picture->view, *arrival = picture->arrival;
    const struct cut *cut = &arrival->cut;
    levels->count = 0;
    if (view->field->by_row) {
        int64_t step = recording_steps(view->recording)[row];
        struct emission sent;
        enum status status =
            emission_first(view->recording, view->wave, &sent, error);
        if (!status && step >= sent.step && (sent.next < 0 || step < sent.next))
            levels->tick[levels->count++].value = (double)step + .5;
        return status;
    }
    struct extremes extremes = { 0 };
    extremes_add(&extremes, arrival->values, arrival->wall,
                 (size_t)cut->nx * (size_t)cut->ny);
    struct scale scale = scale_over(&extremes, false);
    ticks_make(&scale, 12, levels);
    return STATUS_OK;
}

/* The origin of the view's present plane on the picture, and the vectors to the
 * next column and to the next row. */
static void plane_projection(const struct picture *picture, double origin[2],
                             double right[2], double down[2])
{
    const struct view *view = picture->view;
    const struct projection *projection = &picture->projection;
    double world[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        world[axis] = view->region.low[axis] - .5;
    world[view->cut.axis] = view->region.low[view->cut.axis] + view->cut.at;
    projection_place(projection, world, origin);
    for (int i = 0; i < 2; i++) {
        right[i] = projection->step[view->cut.right][i];
        down[i] = projection->step[view->cut.down][i];
    }
}

/* The arrivals of the wave that is shown. */
static enum status follow_wave(struct picture *picture, struct error *error)
{
    const struct view *view = picture->view, *arrival = picture->arrival;
    const struct view_place place = {
        view->cut.block.dims == 2 ? -1 : view->cut.axis,
        view->cut.at + view->region.low[view->cut.axis],
        false,
    };
    if (!view->newest || arrival->wave == view->wave)
        return STATUS_OK;
    view_release(picture->arrival);
    picture->arrival = NULL;
    return view_open(view->recording, "arrival", view->wave, &place,
                     &picture->arrival, error);
}

static enum status draw_front(struct picture *picture, const struct pen *pen,
                              int64_t row, struct error *error)
{
    struct ticks levels;
    double origin[2], right[2], down[2];
    enum status status = follow_wave(picture, error);
    struct view *arrival = picture->arrival;
    if (!status)
        status = view_read(arrival, row, error);
    if (!status)
        status = find_levels(picture, row, &levels, error);
    if (status)
        return status;
    contour_clear(&picture->contour);
    for (int i = 0; i < levels.count && !status; i++)
        contour_add(&picture->contour, arrival->values, arrival->cut.nx,
                    arrival->cut.ny, levels.tick[i].value);
    plane_projection(picture, origin, right, down);
    if (!status)
        contour_chain(&picture->contour);
    if (!status)
        overlay_contour(pen, &picture->contour, origin, right, down);
    return status;
}

/* ---- contours of the field ---- */

/* The values of the contours, with their labels. */
static enum status contour_levels(const struct picture *picture,
                                  struct ticks *levels, struct error *error)
{
    const struct scale *scale = &picture->scale;
    const double step = picture->options.contour_step;
    if (!(step > 0)) {
        struct ticks all;
        ticks_make(scale, 8, &all);
        levels->count = 0;
        for (int i = 0; i < all.count; i++)
            if (all.tick[i].label[0])
                levels->tick[levels->count++] = all.tick[i];
        return STATUS_OK;
    }
    double first = ceil(scale->low / step), last = floor(scale->high / step);
    if (last - first >= TICKS_MOST)
        return error_set(error, STATUS_INPUT,
                         "--overlay contours=%g: gives more than %d contours "
                         "from %g to %g; use a larger step",
                         step, TICKS_MOST, scale->low, scale->high);
    levels->count = 0;
    for (double n = first; n <= last; n++) {
        struct tick *tick = &levels->tick[levels->count++];
        tick->value = n * step;
        ticks_label(tick->value, step, tick->label);
    }
    return STATUS_OK;
}

/* Notes positions along each line of the contour for its value: in the middle,
 * then on both sides of it. */
static void note_labels(struct picture *picture, const char *text,
                        const double origin[2], double cell)
{
    static const double shares[] = { .5, .3, .7, .4, .6, .2, .8 };
    const struct contour *contour = &picture->contour;
    size_t place = picture->label_count;
    size_t line = place ? picture->labels[place - 1].line + 1 : 0;
    for (size_t k = 0; k < contour->line_count; k++, line++) {
        size_t first = contour->lines[k];
        size_t end = k + 1 < contour->line_count ? contour->lines[k + 1]
                                                 : contour->count;
        if ((double)(end - first) * cell < 8 * picture->options.em)
            continue;
        for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
            if (picture->label_count == CONTOUR_LABELS)
                return;
            const struct contour_piece *piece =
                &contour->pieces[first +
                                 (size_t)(shares[i] * (double)(end - first))];
            struct contour_label *label =
                &picture->labels[picture->label_count++];
            label->line = line;
            for (int axis = 0; axis < 2; axis++)
                label->at[axis] =
                    origin[axis] + (piece->from[axis] + .5) * cell;
            snprintf(label->text, sizeof label->text, "%s", text);
        }
    }
}

static enum status draw_contours(struct picture *picture, const struct pen *pen,
                                 int64_t row, struct error *error)
{
    const struct view *view = picture->view;
    struct ticks levels = { .count = 0 };
    double origin[2], right[2], down[2];
    enum status status = take_row(picture, row, error);
    if (!status)
        status = contour_levels(picture, &levels, error);
    plane_projection(picture, origin, right, down);
    picture->label_count = 0;
    for (int i = 0; i < levels.count && !status; i++) {
        contour_clear(&picture->contour);
        contour_add(&picture->contour, view->values, view->cut.nx, view->cut.ny,
                    levels.tick[i].value);
        if (!status)
            contour_chain(&picture->contour);
        if (status)
            return status;
        overlay_contour(pen, &picture->contour, origin, right, down);
        note_labels(picture, levels.tick[i].label, origin,
                    picture->options.cell);
    }
    return status;
}

/* On each visible plane. */
static enum status draw_fronts(struct picture *picture, const struct pen *pen,
                               int64_t row, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < plane_count(picture) && !status; i++) {
        take_plane(picture, i);
        if (picture->options.oblique)
            view_move(picture->arrival, picture->layers.at[i]);
        status = draw_front(picture, pen, row, error);
    }
    return status;
}

enum crowd picture_crowd(const struct picture *picture)
{
    const struct tracks *tracks = &picture->tracks;
    size_t agents = tracks->count;
    if (agents && tracks->track[agents - 1].number < 0)
        agents--;
    return picture->options.paper ? crowd_of(agents) : CROWD_BARE;
}

void picture_place(const struct picture *picture, const struct track *track,
                   int64_t row, double pixel[2])
{
    double world[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        world[axis] = track->at[axis][row];
    projection_place(&picture->projection, world, pixel);
}

void picture_place_in_plane(const struct picture *picture, const double at[2],
                            double pixel[2])
{
    const struct view *view = picture->view;
    double world[GRID_AXES] = { 0 };
    world[view->cut.axis] = view->region.low[view->cut.axis] + view->cut.at;
    world[view->cut.right] = at[0];
    world[view->cut.down] = at[1];
    projection_place(&picture->projection, world, pixel);
}

void picture_start(const struct picture *picture, const struct track *track,
                   double pixel[2])
{
    const double size[2] = { picture->image.width, picture->image.height };
    picture_place(picture, track, 0, pixel);
    overlay_keep_whole(
        size, overlay_start_reach(picture_crowd(picture), picture->options.em),
        pixel);
}

bool picture_is_along(const struct picture *picture)
{
    return picture->options.paper && view_is_along(picture->view);
}

/* No drawing is so large that it hides a small panel. */
struct pen picture_pen(struct picture *picture)
{
    double side = fmin(picture->image.width, picture->image.height);
    return (struct pen){
        .page = page_of(picture),
        .size = { picture->image.width, picture->image.height },
        .projection = &picture->projection,
        .em = fmin(picture->options.em, .4 * side),
        .point = picture->options.em / 7.5,
        .layers = picture->layers.count ? &picture->layers : NULL,
        .oblique = picture->options.oblique,
        .solid = picture->options.outside ? &picture->solid : NULL,
        .origin = { -picture->part.left * picture->options.cell,
                    -picture->part.top * picture->options.cell },
        .crowd = picture_crowd(picture),
    };
}

/* Of the view's present plane, as vectors. */
static void draw_walls(struct picture *picture)
{
    const struct view *view = picture->view;
    const struct pen pen = picture_pen(picture);
    double origin[2], right[2], down[2];
    contour_clear(&picture->contour);
    contour_add_walls(&picture->contour, view->wall, view->cut.nx,
                      view->cut.ny);
    contour_chain(&picture->contour);
    plane_projection(picture, origin, right, down);
    overlay_walls(&pen, &picture->contour, origin, right, down,
                  picture->ramp.wall);
}

/* Is the row the last of the run? */
static bool is_end(const struct picture *picture, int64_t row)
{
    const struct recording *recording = picture->view->recording;
    double steps = recording_setting_real(recording, "steps", 0);
    return (double)recording_steps(recording)[row] >= steps;
}

unsigned picture_marks(const struct picture *picture)
{
    const struct tracks *tracks = &picture->tracks;
    const unsigned overlays = picture->options.overlays;
    unsigned found = 0;
    for (size_t i = 0; i < picture->along.mark_count; i++)
        found |= 1U << picture->along.marks[i].mark;
    if (picture_is_along(picture))
        return found;
    for (size_t i = 0; i < tracks->count; i++)
        for (size_t k = 0; k < picture->row_count; k++) {
            const struct track *track = &tracks->track[i];
            int64_t row = picture->rows[k];
            if (overlays & OVERLAY_AGENTS)
                found |= 1U << overlay_mark(track, row, is_end(picture, row));
            if ((overlays & OVERLAY_TRAILS) && track->number >= 0 &&
                track->state[row] != AGENT_WAITING)
                found |= 1U << MARK_START;
        }
    return found;
}

static void draw_areas(const struct picture *picture, const struct pen *pen,
                       const struct outlined_areas *areas)
{
    for (size_t i = 0; i < areas->loops; i++) {
        const struct outline *loop = &areas->loop[i];
        double(*pixels)[2] = need_memory(loop->count, sizeof *pixels);
        for (size_t k = 0; k < loop->count; k++)
            picture_place_in_plane(picture, loop->corner[k], pixels[k]);
        overlay_outline(pen, (const double(*)[2])pixels, loop->count);
        memory_release(pixels);
    }
}

static enum status picture_draw_overlays(struct picture *picture, int64_t row,
                                         struct error *error)
{
    unsigned overlays = picture->options.overlays;
    bool oblique = picture->options.oblique;
    struct pen pen = picture_pen(picture);
    static const uint8_t gray[3] = { 64, 64, 64 };
    for (int i = 0; oblique && i < picture->layers.count; i++)
        oblique_frame(picture->view, &picture->oblique, picture->layers.at[i],
                      pen.page, fmax(1, pen.em / 12));
    page_lay(pen.page, gray);
    enum status status = STATUS_OK;
    if (picture_is_along(picture)) {
        along_draw(&pen, &picture->along, &picture->tracks);
        return STATUS_OK;
    }
    for (int kind = 0; kind < AREA_KINDS; kind++)
        draw_areas(picture, &pen, &picture->areas[kind]);
    if (picture->arrows && !arrows_of_map(picture))
        status = draw_arrows(picture, &pen, row, error);
    if (!status && picture->arrival)
        status = draw_fronts(picture, &pen, row, error);
    if (!status && (overlays & OVERLAY_CONTOURS))
        status = draw_contours(picture, &pen, row, error);
    if (status)
        return status;
    if (overlays & OVERLAY_COLORS)
        draw_colors(picture, &pen, row);
    if (overlays & OVERLAY_TRAILS)
        overlay_trails(&pen, &picture->tracks, row);
    if (overlays & OVERLAY_PATHS)
        overlay_paths(&pen, &picture->plans, &picture->tracks,
                      recording_steps(picture->view->recording)[row]);
    if (overlays & OVERLAY_NODES)
        overlay_nodes(&pen, &picture->plans, &picture->tracks,
                      recording_steps(picture->view->recording)[row]);
    if (arrows_of_map(picture))
        status = draw_arrows(picture, &pen, row, error);
    pen.ended = is_end(picture, row);
    pen.starts = overlays & OVERLAY_TRAILS;
    if (!status && pen.crowd && (overlays & OVERLAY_TRAILS))
        overlay_starts(&pen, &picture->tracks);
    if (!status && (overlays & OVERLAY_AGENTS))
        overlay_agents(&pen, &picture->tracks, row);
    return status;
}

__attribute__((format(printf, 3, 4))) static void
note(struct picture *picture, const char *key, const char *format, ...)
{
    size_t i = picture->note_count++;
    char text[PICTURE_NOTE_SIZE + 8]; /* it may end within a character */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    utf8_copy(picture->texts[i], PICTURE_NOTE_SIZE, text);
    picture->notes[i] = (struct image_note){ key, picture->texts[i] };
}

static bool shows_walls(const struct picture *picture)
{
    return picture->view->field->of_walls;
}

/* By the field's kind: the values that an isosurface encloses. */
static enum solid_rule rule_of(const struct picture *picture)
{
    const struct field *field = picture->view->field;
    return shows_walls(picture)              ? SOLID_WALLS
           : field->rises                    ? SOLID_UP_TO
           : field->range == RANGE_SYMMETRIC ? SOLID_SIZE
                                             : SOLID_FROM;
}

/* The middle of the scale between 0, or the minimum, and its end. */
double picture_level(const struct picture *picture)
{
    bool symmetric = picture->view->field->range == RANGE_SYMMETRIC;
    return isnan(picture->options.level)
               ? scale_value(&picture->scale, symmetric ? .75 : .5)
               : picture->options.level;
}

/* The range of all rows together, without walls. */
static enum status find_extremes(struct picture *picture, const int64_t *rows,
                                 size_t count, struct extremes *extremes,
                                 struct error *error)
{
    const struct view *view = picture->view;
    if (!view->field->by_row && count > 1)
        count = 1;
    if (!picture->options.oblique && count > 1) {
        picture->row = -1;
        return extremes_of_rows(picture->view, rows, count,
                                picture->options.threads, extremes,
                                picture->sizes, error);
    }
    for (size_t i = 0; i < count; i++)
        for (int plane = 0; plane < plane_count(picture); plane++) {
            take_plane(picture, plane);
            enum status status = take_row(picture, rows[i], error);
            if (status)
                return status;
            extremes_add(extremes, view->values, view->wall, view_cells(view));
            if (picture->sizes)
                quantile_add(picture->sizes, view->values, view->wall,
                             view_cells(view));
        }
    return STATUS_OK;
}

/* The range that encloses options.share of the sizes. */
static bool scale_by_share(const struct picture *picture, struct scale *scale)
{
    double bound = picture->sizes
                       ? quantile_find(picture->sizes, picture->options.share)
                       : 0;
    if (!(bound > 0))
        return false;
    bound = quantile_round(bound);
    bool below = picture->extremes.low < 0 ||
                 picture->view->field->range == RANGE_SYMMETRIC;
    *scale = (struct scale){ below ? -bound : 0, bound, 0 };
    return true;
}

/* Has the field cells at rest that a wave has not reached? */
static bool has_rest(const struct view *view)
{
    return view->field->decades && (!view->change || view_is_along(view));
}

bool picture_has_blanks(const struct picture *picture)
{
    const struct quantile *sizes = picture->options.scaled
                                       ? picture->options.scaled->sizes
                                       : picture->sizes;
    return picture->values && has_rest(picture->view) &&
           (!sizes || sizes->zeros > 0);
}

void picture_beyond(const struct picture *picture, bool ends[2])
{
    const struct extremes *extremes = &picture->extremes;
    ends[0] = extremes->any && extremes->low < picture->scale.low;
    ends[1] = extremes->any && extremes->high > picture->scale.high;
}

/* Sets the scale from picture->extremes. */
static enum status set_scale(struct picture *picture, struct error *error)
{
    const struct picture_options *options = &picture->options;
    const struct field *field = picture->view->field;
    bool given = options->has_low && options->has_high;
    bool symmetric =
        options->symmetric || (!given && field->range == RANGE_SYMMETRIC);
    picture->scale = given && !symmetric
                         ? (struct scale){ options->low, options->high, 0 }
                         : scale_over(&picture->extremes, symmetric);
    if (!given)
        scale_by_share(picture, &picture->scale);
    if (!given && options->has_low)
        picture->scale.low = options->low;
    if (!given && options->has_high)
        picture->scale.high = options->high;
    struct scale *scale = &picture->scale;
    if (options->logarithmic)
        scale->linear_width =
            options->linear_width != 0
                ? options->linear_width
                : 1e-4 * fmax(fabs(scale->low), fabs(scale->high));
    enum status status = scale_check(scale, error);
    if (!status && picture->levels)
        levels_make(scale, picture->levels);
    return status;
}

static enum status make_scale(struct picture *picture, const int64_t *rows,
                              size_t count, struct error *error)
{
    const struct picture_options *options = &picture->options;
    const struct field *field = picture->view->field;
    struct extremes *extremes = &picture->extremes;
    bool given = options->has_low && options->has_high;
    enum status status = STATUS_OK;
    if (options->scaled) {
        *extremes = options->scaled->extremes;
        picture->scale = options->scaled->scale;
        if (picture->levels)
            levels_make(&picture->scale, picture->levels);
        return STATUS_OK;
    }
    *extremes = options->has_extremes
                    ? (struct extremes){ true, options->least, options->most }
                    : (struct extremes){ true, options->low, options->high };
    if (!given && field->range == RANGE_FIXED) {
        *extremes = (struct extremes){ true, field->low, field->high };
    } else if (!given) {
        extremes->any = false;
        if (options->share > 0) {
            memory_release(picture->sizes);
            picture->sizes = need_memory(1, sizeof *picture->sizes);
        }
        status = find_extremes(picture, rows, count, extremes, error);
    }
    return status ? status : set_scale(picture, error);
}

/* Would one range leave a picture pale? */
static bool are_apart(struct picture *const *pictures, size_t count)
{
    const struct picture_options *options = &pictures[0]->options;
    double least = INFINITY, most = 0;
    if (!options->paper || options->has_low || options->has_high)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!pictures[i]->sizes)
            return false;
        double bound = quantile_find(pictures[i]->sizes, options->share);
        if (!(bound > 0))
            continue; /* nothing to see in any range */
        least = fmin(least, bound);
        most = fmax(most, bound);
    }
    return most > PICTURE_APART * least;
}

/* All ranges are in the notes of the first, which are the page's. */
static void note_ranges(struct picture *const *pictures, size_t count)
{
    char *text = pictures[0]->texts[pictures[0]->range_note];
    size_t used = 0;
    for (size_t i = 0; i < count && used + 1 < PICTURE_NOTE_SIZE; i++) {
        char range[256];
        picture_range(pictures[i], range, sizeof range);
        used += (size_t)snprintf(text + used, PICTURE_NOTE_SIZE - used, "%s%s",
                                 i ? "; " : "", range);
    }
}

enum status picture_share_scale(struct picture *const *pictures, size_t count,
                                struct error *error)
{
    struct extremes all = { 0 };
    enum status status = STATUS_OK;
    if (are_apart(pictures, count)) {
        note_ranges(pictures, count);
        return STATUS_OK;
    }
    for (size_t i = 1; i < count; i++)
        if (pictures[0]->sizes && pictures[i]->sizes)
            quantile_join(pictures[0]->sizes, pictures[i]->sizes);
    for (size_t i = 1; i < count; i++)
        if (pictures[0]->sizes && pictures[i]->sizes)
            *pictures[i]->sizes = *pictures[0]->sizes;
    for (size_t i = 0; i < count; i++) {
        const struct extremes *own = &pictures[i]->extremes;
        if (own->any)
            extremes_add(&all, (const double[]){ own->low, own->high }, NULL,
                         2);
    }
    for (size_t i = 0; i < count && !status; i++) {
        struct picture *picture = pictures[i];
        picture->extremes = all;
        status = set_scale(picture, error);
        picture_range(picture, picture->texts[picture->range_note],
                      PICTURE_NOTE_SIZE);
    }
    return status;
}

/* "phase, echo, standing" */
static void name_kinds(const struct field_kinds *kinds, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < kinds->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i ? ", " : "", kinds->names[i]);
}

void picture_range(const struct picture *picture, char *text, size_t size)
{
    const struct scale *scale = &picture->scale;
    if (picture->view->field->kinds) {
        name_kinds(picture->view->field->kinds, text, size);
        return;
    }
    int used = snprintf(text, size, "%.6g to %.6g", scale->low, scale->high);
    if (picture->view->field->unit[0])
        used += snprintf(text + used, size - (size_t)used, " %s",
                         picture->view->field->unit);
    if (scale->linear_width > 0)
        snprintf(text + used, size - (size_t)used,
                 ", signed logarithm, linear within %.6g", scale->linear_width);
}

void picture_describe(const struct picture *picture, char *text, size_t size)
{
    const struct layers *layers = &picture->layers;
    const struct picture_options *options = &picture->options;
    view_describe(picture->view, false, text, size);
    if (options->outside) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, ", seen from %g,%g",
                 options->sight.azimuth, options->sight.elevation);
    }
    if (!options->oblique)
        return;
    text[strcspn(text, ",")] = '\0';
    for (int i = 0; i < layers->count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, ", %s%d",
                 i ? "" : "z = ", layers->at[i]);
    }
}

static void make_notes(struct picture *picture, const char *software)
{
    const struct view *view = picture->view;
    const char *path = recording_path(view->recording);
    const char *slash = strrchr(path, '/');
    char text[PICTURE_NOTE_SIZE];
    recording_title_among(&view->recording, 1, 0, text, sizeof text);
    const char *title = picture->options.title ? picture->options.title : text;
    if (*title)
        note(picture, "Title", "%s", title);
    note(picture, "Source", "%s",
         picture->options.source ? picture->options.source
         : slash                 ? slash + 1
                                 : path);
    picture_describe(picture, text, sizeof text);
    note(picture, "Field", "%s", text);
    picture_range(picture, text, sizeof text);
    const struct picture *scaled = picture->options.scaled;
    picture->range_note = picture->note_count;
    note(picture, "Range", "%s",
         scaled ? scaled->texts[scaled->range_note] : text);
    if (picture->options.outside)
        note(picture, "Surface", "%.6g", picture_level(picture));
    note(picture, "Colormap", "%s", picture->ramp.name);
    if (!words_english())
        note(picture, "Language", "%s", words_language());
    note(picture, "Software", "%s", software);
    picture->lasting_notes = picture->note_count;
}

double picture_em(double width, double height)
{
    double em = .04 * fmax(width, .6 * height);
    double most = fmax(32, .4 * fmin(width, height));
    return fmax(10, round(fmin(em, most)));
}

/* The default; for an oblique view or one from outside approximate. */
static double em_of(const struct picture *picture)
{
    const struct picture_options *options = &picture->options;
    const struct cut *cut = &picture->view->cut;
    double size[2] = { oblique_cells(cut->nx, cut->ny), cut->ny };
    if (options->em > 0)
        return options->em;
    if (options->outside)
        solid_extent(&picture->view->region, &options->sight, size);
    return picture_em(size[0] * options->cell, size[1] * options->cell);
}

/* The visible layers, and for an oblique view their positions. */
static enum status find_layers(struct picture *picture, int64_t row,
                               struct error *error)
{
    struct layers *layers = &picture->layers;
    const struct picture_options *options = &picture->options;
    const struct view *view = picture->view;
    bool agents = options->overlays & OVERLAY_OF_AGENTS;
    if (options->oblique &&
        (view->cut.block.dims == 2 || view->cut.axis != 2 || view->most))
        return error_set(
            error, STATUS_INPUT,
            "%s: is 2D: --oblique requires a 3D recording; leave it out",
            recording_path(view->recording));
    if (view->cut.block.dims == 2 || view->most || view->whole ||
        !(agents || options->oblique))
        return STATUS_OK;
    enum status status = take_row(picture, row, error);
    if (status)
        return status;
    if (!options->oblique)
        layers_of_plane(view, layers);
    else if (options->plane_count)
        layers_of_list(view, options->planes, options->plane_count, layers);
    else
        layers_of_floors(view, layers);
    if (options->oblique)
        oblique_lay_out(view, layers, options->cell,
                        agents ? overlay_agent_reach(em_of(picture)) : 0,
                        &picture->oblique);
    return STATUS_OK;
}

static int part_columns(const struct picture *picture)
{
    return picture->part.right - picture->part.left + 1;
}

static int part_rows(const struct picture *picture)
{
    return picture->part.bottom - picture->part.top + 1;
}

/* The projection of a plane: the corner of the part's first cell is the
 * picture's. */
static void set_projection(struct picture *picture)
{
    const struct view *view = picture->view;
    const struct cut *cut = &view->cut;
    const struct cells *part = &picture->part;
    double cell = picture->options.cell, tall = cell * picture->options.tall;
    struct projection *projection = &picture->projection;
    *projection = (struct projection){ 0 };
    projection->step[cut->right][0] = cell;
    projection->step[cut->down][1] = tall;
    projection->origin[0] =
        (.5 - view->region.low[cut->right] - part->left) * cell;
    projection->origin[1] =
        (.5 - view->region.low[cut->down] - part->top) * tall;
}

/* The view from outside: the visible part of the region, and its size. */
static enum status lay_out_solid(struct picture *picture, struct error *error)
{
    const struct picture_options *options = &picture->options;
    const struct box *region = &picture->view->region;
    struct box box = *region;
    if (options->plane_count) {
        box.low[2] = options->planes[0];
        box.high[2] = options->planes[options->plane_count - 1];
    }
    bool agents = options->overlays & OVERLAY_OF_AGENTS;
    double margin = agents ? overlay_agent_reach(em_of(picture)) : 2;
    return solid_init(&picture->solid, region, &box, &options->sight,
                      options->cell, margin, error);
}

/* Of an oblique view and one from outside all cells are painted. */
static void choose_part(struct picture *picture)
{
    const struct cut *cut = &picture->view->cut;
    struct picture_options *options = &picture->options;
    bool plane = !options->oblique && !options->outside;
    picture->part = options->cropped && plane
                        ? options->crop
                        : (struct cells){ 0, 0, cut->nx - 1, cut->ny - 1 };
    if (!(options->tall > 0))
        options->tall = 1;
    size_t cells = (size_t)part_columns(picture) * (size_t)part_rows(picture);
    if (!plane || !(options->cropped || options->paper))
        return;
    picture->values = need_memory(cells, sizeof *picture->values);
    picture->wall = need_memory(cells, sizeof *picture->wall);
}

static enum status make_image(struct picture *picture, int64_t row,
                              struct error *error)
{
    choose_part(picture);
    int64_t width = (int64_t)part_columns(picture) * picture->options.cell;
    int64_t height =
        (int64_t)ceil((double)part_rows(picture) * picture->options.cell *
                      picture->options.tall);
    enum status status = find_layers(picture, row, error);
    set_projection(picture);
    if (picture->options.oblique) {
        picture->projection = picture->oblique.projection;
        width = picture->oblique.width;
        height = picture->oblique.height;
    }
    if (!status && picture->options.outside) {
        status = lay_out_solid(picture, error);
        picture->projection = picture->solid.projection;
        width = picture->solid.width;
        height = picture->solid.height;
    }
    if (!(picture->options.em > 0))
        picture->options.em = picture_em((double)width, (double)height);
    if (status)
        return status;
    picture->image.width = (int)width;
    picture->image.height = (int)height;
    if (!picture->options.vectors || picture->options.outside)
        status = image_init(&picture->image, width, height, error);
    if (!status && !picture->options.outside &&
        (picture->options.vectors || picture->options.oblique))
        status = image_init(&picture->cells, part_columns(picture),
                            part_rows(picture), error);
    return status;
}

/* If only the field and its walls are drawn, a sheet is painted; a page of
 * vectors takes images and shapes only. */
static void make_sheet(struct picture *picture)
{
    const struct picture_options *options = &picture->options;
    unsigned over = options->overlays & ~(unsigned)OVERLAY_WALLS;
    if (!options->sheet || options->vectors || options->oblique ||
        options->outside || over)
        return;
    picture->levels = need_memory(1, sizeof *picture->levels);
    sheet_init(&picture->sheet, part_columns(picture), part_rows(picture),
               options->cell);
}

/* The colours of kinds; each takes an equal part of the map. */
static void ramp_of_kinds(const struct field_kinds *kinds, struct ramp *ramp)
{
    static const uint8_t ink[3] = { 20, 20, 20 };
    snprintf(ramp->name, sizeof ramp->name, "of kinds");
    for (int i = 0; i < COLORMAP_SIZE; i++)
        memcpy(ramp->colors[i], kinds->colors[i * kinds->count / COLORMAP_SIZE],
               3);
    memcpy(ramp->wall, ink, 3);
    memcpy(ramp->missing, kinds->colors[kinds->count - 1], 3);
}

/* A leading '-' reverses a map, so a reversed one loses it. */
static enum status load_ramp(struct picture *picture, struct error *error)
{
    const struct picture_options *options = &picture->options;
    const struct field *field = picture->view->field;
    const char *name = options->map ? options->map : field->map;
    char turned[4096];
    if (field->kinds) {
        ramp_of_kinds(field->kinds, &picture->ramp);
        return STATUS_OK;
    }
    if (!options->reversed)
        return ramp_load(name, &picture->ramp, error);
    int length = snprintf(turned, sizeof turned, "%s%s",
                          name[0] == '-' ? "" : "-", name + (name[0] == '-'));
    return length < (int)sizeof turned
               ? ramp_load(turned, &picture->ramp, error)
               : error_set(error, STATUS_INPUT, "--colormap: too long a name");
}

/* Are most of the walls a cell or two thick? */
static bool is_thin(const struct view *view)
{
    const int nx = view->cut.nx, ny = view->cut.ny;
    size_t walls = 0, edges = 0;
    for (int y = 1; y + 1 < ny; y++)
        for (int x = 1; x + 1 < nx; x++) {
            const uint8_t *wall =
                view->wall + (size_t)y * (size_t)nx + (size_t)x;
            walls += wall[0];
            edges += wall[0] && !(wall[-1] && wall[1] && wall[-nx] && wall[nx]);
        }
    return 3 * edges > 2 * walls;
}

/* On paper walls are gray, thin ones darker, and the rest is white. */
static enum status ink_walls(struct picture *picture, int64_t row,
                             struct error *error)
{
    struct ramp *ramp = &picture->ramp;
    const struct view *view = picture->view;
    bool plane = !view->whole && !view->change;
    if (shows_walls(picture) && !picture->options.map)
        for (int i = 0; i < COLORMAP_SIZE; i++)
            memset(ramp->colors[i], i < COLORMAP_SIZE / 2 ? 0xff : 0xcf, 3);
    if (view->field->kinds) {
        memset(ramp->wall, 0xcf, 3);
        return STATUS_OK;
    }
    if (strstr(ramp->name, "gray"))
        return STATUS_OK;
    enum status status = take_row(picture, row, error);
    if (status)
        return status;
    memset(ramp->wall, plane && is_thin(view) ? 0x8a : 0xcf, 3);
    memset(ramp->missing, 0xff, 3);
    return STATUS_OK;
}

enum status picture_init(struct picture *picture, struct view *view,
                         const struct picture_options *options,
                         const int64_t *rows, size_t count,
                         const char *software, struct error *error)
{
    *picture = (struct picture){ .view = view,
                                 .options = *options,
                                 .rows = rows,
                                 .row_count = count,
                                 .row = -1 };
    if (shows_walls(picture))
        picture->options.overlays &= ~(unsigned)OVERLAY_WALLS;
    int64_t last = -1;
    for (size_t i = 0; i < count; i++)
        last = rows[i] > last ? rows[i] : last;
    if (options->smooth && shows_walls(picture))
        return error_set(error, STATUS_INPUT,
                         "--smooth: walls have no values between cells; use "
                         "another field than walls");
    enum status status = load_ramp(picture, error);
    if (!status)
        status = make_image(picture, last, error);
    if (!status)
        make_sheet(picture);
    if (!status)
        status =
            make_scale(picture, rows, options->per_frame ? 1 : count, error);
    if (!status && options->paper)
        status = ink_walls(picture, last, error);
    if (!status)
        status = picture_prepare_overlays(picture, last, error);
    if (!status)
        make_notes(picture, software);
    return status;
}

void picture_release(struct picture *picture)
{
    for (int kind = 0; kind < AREA_KINDS; kind++)
        outlined_release(&picture->areas[kind]);
    page_release(picture->over);
    tracks_release(&picture->tracks);
    along_release(&picture->along);
    plans_release(&picture->plans);
    memory_release(picture->colors);
    view_release(picture->arrows);
    view_release(picture->arrival);
    memory_release(picture->arrow_room);
    streamlines_release(&picture->streamlines);
    contour_release(&picture->contour);
    memory_release(picture->labels);
    solid_release(&picture->solid);
    memory_release(picture->values);
    memory_release(picture->wall);
    memory_release(picture->sizes);
    memory_release(picture->right);
    memory_release(picture->down);
    image_release(&picture->image);
    image_release(&picture->cells);
    sheet_release(&picture->sheet);
    memory_release(picture->levels);
}

/* Has the wave not been in a cell yet? Then it and its neighbours are at rest;
 * a cell among others may be at rest for a moment. */
static bool is_at_rest(const struct view *view, int x, int y)
{
    const int nx = view->cut.nx, ny = view->cut.ny;
    const double *values = view->values + (size_t)y * (size_t)nx + (size_t)x;
    return values[0] == 0 && (x == 0 || values[-1] == 0) &&
           (x == nx - 1 || values[1] == 0) && (y == 0 || values[-nx] == 0) &&
           (y == ny - 1 || values[nx] == 0);
}

/* The part's values and walls. In a figure of a wave, cells where it has not
 * been have no value. */
static void take_part(struct picture *picture, bool walls, struct plane *plane)
{
    const struct view *view = picture->view;
    const struct cells *part = &picture->part;
    bool blank = picture->options.paper && has_rest(view);
    size_t to = 0;
    for (int y = part->top; y <= part->bottom; y++)
        for (int x = part->left; x <= part->right; x++, to++) {
            size_t i = (size_t)y * (size_t)view->cut.nx + (size_t)x;
            picture->values[to] =
                blank && is_at_rest(view, x, y) ? (double)NAN : view->values[i];
            picture->wall[to] = view->wall[i];
        }
    *plane = (struct plane){ part_columns(picture), part_rows(picture),
                             picture->values, walls ? picture->wall : NULL };
}

static void paint_plane(struct picture *picture)
{
    const struct view *view = picture->view;
    bool walls = picture->options.overlays & OVERLAY_WALLS;
    struct plane plane = { view->cut.nx, view->cut.ny, view->values,
                           walls ? view->wall : NULL };
    if (picture->values)
        take_part(picture, walls, &plane);
    picture->sheet.count = 0;
    if (picture->levels && heatmap_paint_sheet(&plane, picture->levels,
                                               &picture->ramp, &picture->sheet))
        return;
    if (picture->cells.rgb) {
        double origin[2], right[2], down[2];
        heatmap_paint(&plane, &picture->scale, &picture->ramp, 1,
                      &picture->cells, 0, 0);
        plane_projection(picture, origin, right, down);
        for (int k = 0; k < 2; k++)
            origin[k] +=
                picture->part.left * right[k] + picture->part.top * down[k];
        page_image(page_of(picture), &picture->cells, origin, right, down);
    } else {
        heatmap_paint(&plane, &picture->scale, &picture->ramp,
                      picture->options.cell, &picture->image, 0, 0);
    }
}

static void paint_solid(struct picture *picture)
{
    const struct view *view = picture->view;
    static const uint8_t gray[3] = { 150, 150, 150 };
    const struct solid_field field = {
        .values = view->values,
        .wall = view->wall,
        .walls = picture->options.overlays & OVERLAY_WALLS,
        .rule = rule_of(picture),
        .level = picture_level(picture),
        .smooth = picture->options.smooth,
    };
    double line = fmax(1, picture->options.em / 14);
    /* Colours behind glass are mixed with it, pixel by pixel. */
    struct image *image = &picture->image;
    struct page *front = page_of(picture);
    solid_edges(&picture->solid, true, picture->over, line);
    page_lay(picture->over, gray);
    solid_paint(&picture->solid, &field, &picture->scale, &picture->ramp,
                image);
    if (picture->page)
        page_cells(front, image, 0, 0, image->width, image->height);
    solid_edges(&picture->solid, false, front, line);
    page_lay(front, gray);
}

enum status picture_paint(struct picture *picture, int64_t row,
                          struct error *error)
{
    static const uint8_t white[3] = { 255, 255, 255 };
    const struct view *view = picture->view;
    enum status status = STATUS_OK;
    if (picture->options.per_frame) {
        status = make_scale(picture, &row, 1, error);
        if (!status)
            picture_range(picture, picture->texts[picture->range_note],
                          PICTURE_NOTE_SIZE);
    }
    if ((picture->options.oblique || picture->options.outside) &&
        picture->image.rgb)
        image_fill(&picture->image, 0, 0, picture->image.width,
                   picture->image.height, white);
    for (int i = 0; i < plane_count(picture) && !status; i++) {
        take_plane(picture, i);
        status = take_row(picture, row, error);
        if (!status && picture->options.outside)
            paint_solid(picture);
        else if (!status)
            paint_plane(picture);
        if (!status && picture->page && !picture->options.outside &&
            (picture->options.overlays & OVERLAY_WALLS))
            draw_walls(picture);
    }
    if (!status)
        status = picture_draw_overlays(picture, row, error);
    if (status)
        return status;
    picture->note_count = picture->lasting_notes;
    if (view->field->by_row)
        note(picture, "Step", "%lld",
             (long long)recording_steps(view->recording)[row]);
    return STATUS_OK;
}

enum status picture_paint_part(struct picture *picture,
                               const struct cells *part, int cell, int64_t row,
                               struct error *error)
{
    const struct picture whole = *picture;
    picture->part = *part;
    picture->options.cell = cell;
    picture->cells = (struct image){ 0 };
    set_projection(picture);
    picture->image.width = part_columns(picture) * cell;
    picture->image.height = part_rows(picture) * cell;
    enum status status = image_init(&picture->cells, part_columns(picture),
                                    part_rows(picture), error);
    if (!status)
        status = picture_paint(picture, row, error);
    image_release(&picture->cells);
    picture->part = whole.part;
    picture->options.cell = whole.options.cell;
    picture->cells = whole.cells;
    picture->image = whole.image;
    set_projection(picture);
    return status;
}

enum status picture_write(const struct picture *picture, const char *path,
                          bool force, struct error *error)
{
    return picture->sheet.count
               ? sheet_write_png(&picture->sheet, picture->notes,
                                 picture->note_count, path, force, error)
               : image_write_png(&picture->image, picture->notes,
                                 picture->note_count, path, force, error);
}
