/* SPDX-License-Identifier: MIT */
#include "draw/overlay.h"

#include "search/pincer.h"

#include <math.h>

static const uint8_t black[3] = { 0, 0, 0 }, white[3] = { 255, 255, 255 };

/* Okabe and Ito (2008), the brightest first, without their black. */
static const uint8_t okabe_ito[][3] = {
    { 240, 228, 66 },  { 86, 180, 233 }, { 230, 159, 0 }, { 0, 158, 115 },
    { 204, 121, 167 }, { 213, 94, 0 },   { 0, 114, 178 },
};

enum { COLORS = sizeof okabe_ito / sizeof *okabe_ito };

const uint8_t *overlay_color(int agent)
{
    return agent < 0 ? white : okabe_ito[agent % COLORS];
}

const char *const overlay_shape_names[] = { "disc", "square", "triangle" };

enum overlay_shape overlay_shape(int agent)
{
    return agent < 0 ? OVERLAY_DISC
                     : (enum overlay_shape)(agent / COLORS % OVERLAY_SHAPES);
}

/* Half a side √π / 2; from the middle to a corner √(4π / 3√3). */
#define HALF 0.886226925452758
#define TIP 1.555121186690843
static const double square[][2] = {
    { -HALF, -HALF }, { HALF, -HALF }, { HALF, HALF }, { -HALF, HALF }
};
static const double triangle[][2] = {
    { 0, -TIP },
    { 0.866025403784439 * TIP, TIP / 2 },
    { -0.866025403784439 * TIP, TIP / 2 },
};

int overlay_corners(enum overlay_shape shape, const double (**corners)[2])
{
    *corners = shape == OVERLAY_SQUARE ? square : triangle;
    return shape == OVERLAY_DISC ? 0 : shape == OVERLAY_SQUARE ? 4 : 3;
}

/* The corners about a place; their count. */
static int corners_at(enum overlay_shape shape, const double at[2],
                      double radius, double corners[MASK_CORNERS][2])
{
    const double(*unit)[2];
    int count = overlay_corners(shape, &unit);
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 2; axis++)
            corners[i][axis] = at[axis] + radius * unit[i][axis];
    return count;
}

static void gather_sign(const struct pen *pen, enum overlay_shape shape,
                        const double at[2], double radius)
{
    double corners[MASK_CORNERS][2];
    int count = corners_at(shape, at, radius, corners);
    if (count)
        mask_corners(pen->mask, (const double(*)[2])corners, count);
    else
        mask_disc(pen->mask, at, radius);
}

static void gather_outline(const struct pen *pen, enum overlay_shape shape,
                           const double at[2], double radius, double width)
{
    double corners[MASK_CORNERS][2];
    int count = corners_at(shape, at, radius, corners);
    for (int i = 0; i < count; i++)
        mask_line(pen->mask, corners[i], corners[(i + 1) % count], width);
    if (!count)
        mask_ring(pen->mask, at, radius, width);
}

double overlay_line(double em)
{
    return fmax(em / 8, 1.2);
}

double overlay_casing(double em)
{
    return overlay_line(em) + fmax(em / 9, 1.5);
}

void overlay_place(const struct pen *pen, const double world[GRID_AXES],
                   double pixel[2])
{
    double seen[GRID_AXES] = { world[0], world[1], world[2] };
    if (pen->layers)
        seen[pen->layers->axis] =
            layers_height(pen->layers, world[pen->layers->axis]);
    stage_place(pen->stage, seen, pixel);
}

double overlay_agent_radius(double em)
{
    return fmax(.34 * em, 3);
}

double overlay_agent_reach(double em)
{
    return 2 * overlay_agent_radius(em) + overlay_casing(em);
}

/* Discs within each other, from the outside in. */
static void rings(const struct pen *pen, const double at[2],
                  const double radii[], const uint8_t *const colors[],
                  int count)
{
    for (int i = 0; i < count; i++) {
        mask_disc(pen->mask, at, radii[i]);
        mask_lay(pen->mask, pen->image, colors[i]);
    }
}

/* An agent's colour in its shape, with a black edge. */
static void draw_sign(const struct pen *pen, int number, const double at[2],
                      double radius)
{
    gather_sign(pen, overlay_shape(number), at, radius);
    mask_lay(pen->mask, pen->image, black);
    gather_sign(pen, overlay_shape(number), at, radius - fmax(pen->em / 14, 1));
    mask_lay(pen->mask, pen->image, overlay_color(number));
}

void overlay_agent(const struct pen *pen, int number, const double at[2])
{
    double radius = overlay_agent_radius(pen->em), edge = fmax(pen->em / 14, 1);
    if (number >= 0) {
        draw_sign(pen, number, at, radius);
        return;
    }
    rings(pen, at,
          (double[]){ radius + edge, radius, radius * .68, radius * .36 },
          (const uint8_t *const[]){ white, black, white, black }, 4);
}

static void world_of(const struct track *track, int64_t row,
                     double world[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        world[axis] = track->at[axis][row];
}

/* A line with a casing of another colour. */
static void draw_line(const struct pen *pen, const double from[2],
                      const double to[2], const uint8_t *casing,
                      const uint8_t *color)
{
    mask_line(pen->mask, from, to, overlay_casing(pen->em));
    mask_lay(pen->mask, pen->image, casing);
    mask_line(pen->mask, from, to, overlay_line(pen->em));
    mask_lay(pen->mask, pen->image, color);
}

/* From the disc's edge forwards, as far again. */
static void draw_nose(const struct pen *pen, const struct track *track,
                      int64_t row)
{
    double from[2], ahead[2], world[GRID_AXES];
    world_of(track, row, world);
    overlay_place(pen, world, from);
    for (int axis = 0; axis < GRID_AXES; axis++)
        world[axis] += track->heading[axis][row];
    overlay_place(pen, world, ahead);
    double along[2] = { ahead[0] - from[0], ahead[1] - from[1] };
    double length = hypot(along[0], along[1]);
    if (!(length > 1e-6) || !isfinite(length))
        return;
    double radius = overlay_agent_radius(pen->em), ends[2][2];
    for (int i = 0; i < 2; i++) {
        ends[0][i] = from[i] + along[i] * radius / length;
        ends[1][i] = from[i] + along[i] * 2 * radius / length;
    }
    draw_line(pen, ends[0], ends[1], white, black);
}

static bool is_elsewhere(const struct layers *layers, const struct track *track,
                         int64_t row)
{
    return layers && layers_find(layers, track->at[layers->axis][row]) < 0;
}

bool overlay_any_elsewhere(const struct layers *layers,
                           const struct tracks *tracks, int64_t row)
{
    for (size_t i = 0; i < tracks->count; i++)
        for (int64_t k = 0; k <= row; k++)
            if (is_elsewhere(layers, &tracks->track[i], k))
                return true;
    return false;
}

static void draw_ring(const struct pen *pen, enum overlay_shape shape,
                      const double at[2], const uint8_t *casing,
                      const uint8_t *color)
{
    double width = overlay_line(pen->em);
    double radius = overlay_agent_radius(pen->em) - width / 2;
    gather_outline(pen, shape, at, radius, overlay_casing(pen->em));
    mask_lay(pen->mask, pen->image, casing);
    gather_outline(pen, shape, at, radius, width);
    mask_lay(pen->mask, pen->image, color);
}

static void draw_hollow(const struct pen *pen, int number, const double at[2])
{
    draw_ring(pen, overlay_shape(number), at, number < 0 ? white : black,
              number < 0 ? black : overlay_color(number));
}

void overlay_elsewhere(const struct pen *pen, const double at[2])
{
    static const uint8_t gray[3] = { 160, 160, 160 };
    double radius = overlay_agent_radius(pen->em);
    for (int side = -1; side <= 1; side += 2)
        overlay_dots(pen, (double[]){ at[0] + side * 1.5 * radius, at[1] },
                     (double[]){ at[0] + side * 3 * radius, at[1] }, gray);
    draw_ring(pen, OVERLAY_DISC, at, black, gray);
}

/* From the ring of something in the air to where it is above, or under, on a
 * layer. */
static void draw_stem(const struct pen *pen, const struct track *track,
                      int64_t row)
{
    const struct layers *layers = pen->layers;
    double world[GRID_AXES], at[2], foot[2];
    double radius = overlay_agent_radius(pen->em);
    int below = 0;
    world_of(track, row, world);
    while (below < layers->count - 1 && layers->at[below] < world[2])
        below++;
    overlay_place(pen, world, at);
    world[2] = layers->at[below];
    overlay_place(pen, world, foot);
    if (fabs(foot[1] - at[1]) <= radius)
        return;
    at[1] += foot[1] > at[1] ? radius : -radius;
    draw_line(pen, at, foot, white, black);
}

static void draw_agent(const struct pen *pen, const struct track *track,
                       int64_t row)
{
    double at[2], world[GRID_AXES];
    bool elsewhere = is_elsewhere(pen->layers, track, row);
    world_of(track, row, world);
    if (pen->layers && !layers_see(pen->layers, world[pen->layers->axis]))
        return;
    overlay_place(pen, world, at);
    if (elsewhere && pen->oblique)
        draw_stem(pen, track, row);
    if (track->number >= 0)
        draw_nose(pen, track, row);
    if (elsewhere)
        draw_hollow(pen, track->number, at);
    else
        overlay_agent(pen, track->number, at);
}

void overlay_agents(const struct pen *pen, const struct tracks *tracks,
                    int64_t row)
{
    for (size_t i = tracks->count; i-- > 0;) /* the target undermost */
        draw_agent(pen, &tracks->track[i], row);
}

void overlay_nodes(const struct pen *pen, const struct plans *plans,
                   const struct tracks *tracks, int64_t step)
{
    double radius = .6 * overlay_agent_radius(pen->em);
    for (size_t i = 0; i < tracks->count; i++) {
        int number = tracks->track[i].number;
        int64_t plan = number < 0 ? -1 : plans_find(plans, number, step);
        if (plan < 0 || plans->kind[plan] != PLAN_NODES)
            continue;
        for (size_t k = plans->first[plan]; k < plans->first[plan + 1]; k++) {
            double world[GRID_AXES] = { plans->cell[0][k], plans->cell[1][k],
                                        plans->cell[2] ? plans->cell[2][k]
                                                       : 0 };
            double pixel[2];
            double size =
                k + 1 == plans->first[plan + 1] ? 1.5 * radius : radius;
            overlay_place(pen, world, pixel);
            draw_sign(pen, number, pixel, size);
        }
    }
}

const uint8_t *overlay_square_color(int color)
{
    static const uint8_t yellow[3] = { 255, 214, 0 }, green[3] = { 0, 168, 89 };
    return color == PINCER_YELLOW ? yellow : green;
}

void overlay_square(const struct pen *pen, int x, int y, int cell, int color)
{
    double low[2] = { (x + .2) * cell, (y + .2) * cell };
    double high[2] = { (x + .8) * cell, (y + .8) * cell };
    if (color == PINCER_WHITE)
        return;
    for (int j = (int)floor(low[1]); j < high[1]; j++)
        for (int i = (int)floor(low[0]); i < high[0]; i++)
            mask_raise(pen->mask, i, j, 255);
    mask_lay(pen->mask, pen->image, overlay_square_color(color));
}

/* An arrow centred on (x, y). */
static void gather_arrow(const struct pen *pen, double x, double y,
                         const double along[2], double casing)
{
    double length = hypot(along[0], along[1]);
    double unit[2] = { along[0] / length, along[1] / length };
    double head = fmin(.36 * pen->em, .55 * length) + 1.5 * casing;
    double half = length / 2 + casing;
    double tip[2] = { x + unit[0] * half, y + unit[1] * half };
    double back[2] = { tip[0] - unit[0] * head, tip[1] - unit[1] * head };
    double wing = .5 * head;
    mask_triangle(
        pen->mask, tip,
        (double[]){ back[0] - unit[1] * wing, back[1] + unit[0] * wing },
        (double[]){ back[0] + unit[1] * wing, back[1] - unit[0] * wing });
    mask_line(pen->mask,
              (double[]){ x - unit[0] * length / 2, y - unit[1] * length / 2 },
              back, fmax(pen->em / 14, 1) + 2 * casing);
}

void overlay_arrows(const struct pen *pen, const double *right,
                    const double *down, const uint8_t *wall, int nx, int ny,
                    int cell)
{
    int stride = (int)ceil(fmax(1.4 * pen->em, 8) / cell);
    double room = .86 * stride * cell;
    for (int casing = 1; casing >= 0; casing--) {
        for (int y = stride / 2; y < ny; y += stride)
            for (int x = stride / 2; x < nx; x += stride) {
                size_t i = (size_t)y * (size_t)nx + (size_t)x;
                double along[2] = { right[i] * room, down[i] * room };
                if ((wall && wall[i]) ||
                    !(hypot(along[0], along[1]) >= .1 * room))
                    continue;
                gather_arrow(pen, (x + .5) * cell, (y + .5) * cell, along,
                             casing * fmax(pen->em / 18, .8));
            }
        mask_lay(pen->mask, pen->image, casing ? white : black);
    }
}

void overlay_contour(const struct pen *pen, const struct contour *contour,
                     int cell)
{
    double width = fmax(pen->em / 11, 1.2);
    for (int casing = 1; casing >= 0; casing--) {
        for (size_t i = 0; i < contour->count; i++) {
            const struct contour_piece *piece = &contour->pieces[i];
            mask_line(pen->mask,
                      (double[]){ (piece->from[0] + .5) * cell,
                                  (piece->from[1] + .5) * cell },
                      (double[]){ (piece->to[0] + .5) * cell,
                                  (piece->to[1] + .5) * cell },
                      width + casing * fmax(pen->em / 10, 1.5));
        }
        mask_lay(pen->mask, pen->image, casing ? white : black);
    }
}
