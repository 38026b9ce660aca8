/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "draw/arrival_run.h"
#include "draw/picture.h"
#include "draw/ticks.h"

#include <math.h>

enum {
    OF_PLANS = OVERLAY_PATHS | OVERLAY_NODES | OVERLAY_COLORS,
    OF_ARROWS = OVERLAY_HEADINGS | OVERLAY_GRADIENT,
    OF_PLANE = OF_ARROWS | OVERLAY_FRONT |
               OVERLAY_COLORS, /* what a projection cannot have */
};

/* Another field, of the same wave in the same plane. */
static enum status open_beside(const struct view *view, const char *field,
                               struct view **beside, struct error *error)
{
    struct view_place place = {
        view->cut.block.dims == 2 ? -1 : view->cut.axis,
        view->cut.at + view->region.low[view->cut.axis],
        false,
    };
    return view_open(view->recording, field, view->wave, &place, beside, error);
}

static enum status prepare_arrows(struct picture *picture, struct error *error)
{
    bool headings = picture->options.overlays & OVERLAY_HEADINGS;
    const struct cut *cut = &picture->view->cut;
    size_t cells = (size_t)cut->nx * (size_t)cut->ny;
    picture->right = memory_new(cells, sizeof *picture->right);
    picture->down = memory_new(cells, sizeof *picture->down);
    if (!picture->right || !picture->down)
        return error_memory(error);
    return open_beside(picture->view, headings ? "heading" : "gradient",
                       &picture->arrows, error);
}

enum status picture_prepare_overlays(struct picture *picture, int64_t last,
                                     struct error *error)
{
    unsigned overlays = picture->options.overlays;
    const struct view *view = picture->view;
    const struct picture_options *options = &picture->options;
    if ((overlays & OF_PLANE) && (view->most || options->oblique))
        return error_set(error, STATUS_INPUT,
                         "arrows, front and colors are drawn over one plane, "
                         "not over a projection or an oblique view");
    enum status status = mask_init(&picture->mask, picture->image.width,
                                   picture->image.height, error);
    if (!status && (overlays & OVERLAY_OF_AGENTS))
        status = tracks_read(view->recording, last + 1, options->agents,
                             options->agent_count, &picture->tracks, error);
    picture->elsewhere =
        !status && picture->layers.count &&
        overlay_any_elsewhere(&picture->layers, &picture->tracks, last);
    if (!status && (overlays & OF_PLANS))
        status = plans_read(view->recording, &picture->plans, error);
    if (!status && (overlays & OVERLAY_COLORS)) {
        picture->colors =
            memory_new(grid_cells(recording_grid(view->recording)),
                       sizeof *picture->colors);
        status = picture->colors ? STATUS_OK : error_memory(error);
    }
    if (!status && (overlays & OF_ARROWS))
        status = prepare_arrows(picture, error);
    if (!status && (overlays & OVERLAY_FRONT))
        status = open_beside(view, "arrival", &picture->arrival, error);
    return status;
}

void picture_release_overlays(struct picture *picture)
{
    mask_release(&picture->mask);
    tracks_release(&picture->tracks);
    plans_release(&picture->plans);
    memory_release(picture->colors);
    view_release(picture->arrows);
    view_release(picture->arrival);
    contour_release(&picture->contour);
    memory_release(picture->right);
    memory_release(picture->down);
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

/* Gradient arrows are as long as their share of the largest free cell's; on a
 * logarithmic scale, as its logarithm down to 1e-4 of the largest. */
static enum status take_gradient(struct picture *picture, int64_t row,
                                 size_t cells, struct error *error)
{
    struct view *arrows = picture->arrows;
    enum status status = view_read_gradient(arrows, arrows->cut.right, row,
                                            picture->right, error);
    if (!status)
        status = view_read_gradient(arrows, arrows->cut.down, row,
                                    picture->down, error);
    if (status)
        return status;
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
    return STATUS_OK;
}

static enum status draw_arrows(struct picture *picture, const struct pen *pen,
                               int64_t row, struct error *error)
{
    struct view *arrows = picture->arrows;
    const struct cut *cut = &arrows->cut;
    size_t cells = (size_t)cut->nx * (size_t)cut->ny;
    enum status status = view_read(arrows, row, error);
    if (!status && (picture->options.overlays & OVERLAY_HEADINGS))
        take_headings(picture, cells);
    else if (!status)
        status = take_gradient(picture, row, cells, error);
    if (!status)
        overlay_arrows(pen, picture->right, picture->down, arrows->wall,
                       cut->nx, cut->ny, picture->options.cell);
    return status;
}

/* What the plans of a pincer went round, of the plane that is seen. */
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

/* The levels to be drawn: the front half a step on, so that it runs
 * between the cells that it has reached and those it has not; or round numbers.
 */
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

static enum status draw_front(struct picture *picture, const struct pen *pen,
                              int64_t row, struct error *error)
{
    struct view *arrival = picture->arrival;
    struct ticks levels;
    enum status status = view_read(arrival, row, error);
    if (!status)
        status = find_levels(picture, row, &levels, error);
    if (status)
        return status;
    contour_clear(&picture->contour);
    for (int i = 0; i < levels.count && !status; i++)
        status =
            contour_add(&picture->contour, arrival->values, arrival->cut.nx,
                        arrival->cut.ny, levels.tick[i].value, error);
    if (!status)
        overlay_contour(pen, &picture->contour, picture->options.cell);
    return status;
}

enum status picture_draw_overlays(struct picture *picture, int64_t row,
                                  struct error *error)
{
    unsigned overlays = picture->options.overlays;
    bool oblique = picture->options.oblique;
    /* Nothing is so large that it hides a small panel. */
    double side = fmin(picture->image.width, picture->image.height);
    struct pen pen = { .image = &picture->image,
                       .mask = &picture->mask,
                       .stage = &picture->stage,
                       .em = fmin(picture->options.em, .4 * side),
                       .layers =
                           picture->layers.count ? &picture->layers : NULL,
                       .oblique = oblique };
    static const uint8_t gray[3] = { 64, 64, 64 };
    for (int i = 0; oblique && i < picture->layers.count; i++)
        oblique_frame(picture->view, &picture->oblique, picture->layers.at[i],
                      &picture->mask, fmax(1, pen.em / 12));
    mask_lay(&picture->mask, &picture->image, gray);
    enum status status = STATUS_OK;
    if (picture->arrows)
        status = draw_arrows(picture, &pen, row, error);
    if (!status && picture->arrival)
        status = draw_front(picture, &pen, row, error);
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
    if (overlays & OVERLAY_AGENTS)
        overlay_agents(&pen, &picture->tracks, row);
    return STATUS_OK;
}
