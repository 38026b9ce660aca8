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

const uint8_t *overlay_color(int agent)
{
    int count = sizeof okabe_ito / sizeof *okabe_ito;
    return agent < 0 ? white : okabe_ito[agent % count];
}

static double line_width(const struct pen *pen)
{
    return fmax(pen->em / 8, 1.2);
}

static void place(const struct pen *pen, double *const at[GRID_AXES],
                  int64_t row, double pixel[2])
{
    double world[GRID_AXES] = { at[0][row], at[1][row], at[2][row] };
    stage_place(pen->stage, world, pixel);
}

static void gather_trail(const struct pen *pen, const struct track *track,
                         int64_t row, double width)
{
    double from[2], to[2];
    place(pen, track->at, 0, from);
    for (int64_t k = 1; k <= row; k++) {
        place(pen, track->at, k, to);
        if (from[0] == to[0] && from[1] == to[1])
            continue;
        mask_line(pen->mask, from, to, width);
        from[0] = to[0];
        from[1] = to[1];
    }
}

void overlay_trails(const struct pen *pen, const struct tracks *tracks,
                    int64_t row)
{
    double width = line_width(pen);
    for (size_t i = 0; i < tracks->count; i++) {
        const struct track *track = &tracks->track[i];
        gather_trail(pen, track, row, width + fmax(pen->em / 9, 1.5));
        mask_lay(pen->mask, pen->image, black);
        gather_trail(pen, track, row, width);
        mask_lay(pen->mask, pen->image, overlay_color(track->number));
    }
}

double overlay_agent_radius(double em)
{
    return fmax(.34 * em, 3);
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

void overlay_agent(const struct pen *pen, int number, const double at[2])
{
    double radius = overlay_agent_radius(pen->em), edge = fmax(pen->em / 14, 1);
    if (number >= 0) {
        rings(pen, at, (double[]){ radius, radius - edge },
              (const uint8_t *const[]){ black, overlay_color(number) }, 2);
        return;
    }
    rings(pen, at,
          (double[]){ radius + edge, radius, radius * .68, radius * .36 },
          (const uint8_t *const[]){ white, black, white, black }, 4);
}

/* From the disc's edge forwards, as far again. */
static void draw_nose(const struct pen *pen, const struct track *track,
                      int64_t row)
{
    double from[2], ahead[2], world[GRID_AXES];
    place(pen, track->at, row, from);
    for (int axis = 0; axis < GRID_AXES; axis++)
        world[axis] = track->at[axis][row] + track->heading[axis][row];
    stage_place(pen->stage, world, ahead);
    double along[2] = { ahead[0] - from[0], ahead[1] - from[1] };
    double length = hypot(along[0], along[1]);
    if (!(length > 0) || !isfinite(length))
        return;
    double reach = 2 * overlay_agent_radius(pen->em) / length;
    double to[2] = { from[0] + along[0] * reach, from[1] + along[1] * reach };
    double width = line_width(pen);
    mask_line(pen->mask, from, to, width + fmax(pen->em / 9, 1.5));
    mask_lay(pen->mask, pen->image, white);
    mask_line(pen->mask, from, to, width);
    mask_lay(pen->mask, pen->image, black);
}

static bool is_off(const struct pen *pen, const struct track *track,
                   int64_t row)
{
    return pen->axis >= 0 &&
           !(fabs(track->at[pen->axis][row] - pen->plane) < .5);
}

static void draw_hollow(const struct pen *pen, int number, const double at[2])
{
    double radius = overlay_agent_radius(pen->em), width = line_width(pen);
    mask_ring(pen->mask, at, radius - width / 2,
              width + fmax(pen->em / 9, 1.5));
    mask_lay(pen->mask, pen->image, black);
    mask_ring(pen->mask, at, radius - width / 2, width);
    mask_lay(pen->mask, pen->image, overlay_color(number));
}

void overlay_agents(const struct pen *pen, const struct tracks *tracks,
                    int64_t row)
{
    for (size_t i = tracks->count; i-- > 0;) { /* the target undermost */
        const struct track *track = &tracks->track[i];
        double at[2];
        place(pen, track->at, row, at);
        if (track->number >= 0)
            draw_nose(pen, track, row);
        if (is_off(pen, track, row))
            draw_hollow(pen, track->number, at);
        else
            overlay_agent(pen, track->number, at);
    }
}

/* The line from → to in dashes that go on from piece to piece; `run` is how
 * far the path has come. */
static void gather_dashes(const struct pen *pen, const double from[2],
                          const double to[2], double width, double *run)
{
    double dash = fmax(.45 * pen->em, 4);
    double length = hypot(to[0] - from[0], to[1] - from[1]);
    for (double done = 0; done < length;) {
        double phase = fmod(*run + done, 2 * dash);
        double left = phase < dash ? dash - phase : 2 * dash - phase;
        double end = fmin(done + fmax(left, 1e-3), length);
        double a = done / length, b = end / length;
        if (phase < dash)
            mask_line(pen->mask,
                      (double[]){ from[0] + a * (to[0] - from[0]),
                                  from[1] + a * (to[1] - from[1]) },
                      (double[]){ from[0] + b * (to[0] - from[0]),
                                  from[1] + b * (to[1] - from[1]) },
                      width);
        done = end;
    }
    *run += length;
}

static void gather_path(const struct pen *pen, const struct plans *plans,
                        int64_t plan, double width)
{
    double from[2] = { 0, 0 }, to[2], run = 0;
    for (size_t i = plans->first[plan]; i < plans->first[plan + 1]; i++) {
        double world[GRID_AXES] = { plans->cell[0][i], plans->cell[1][i],
                                    plans->cell[2] ? plans->cell[2][i] : 0 };
        stage_place(pen->stage, world, to);
        if (i > plans->first[plan])
            gather_dashes(pen, from, to, width, &run);
        from[0] = to[0];
        from[1] = to[1];
    }
}

void overlay_paths(const struct pen *pen, const struct plans *plans,
                   const struct tracks *tracks, int64_t step)
{
    double width = line_width(pen);
    for (size_t i = 0; i < tracks->count; i++) {
        int number = tracks->track[i].number;
        int64_t plan = number < 0 ? -1 : plans_find(plans, number, step);
        if (plan < 0)
            continue;
        gather_path(pen, plans, plan, width + fmax(pen->em / 9, 1.5));
        mask_lay(pen->mask, pen->image, black);
        gather_path(pen, plans, plan, width);
        mask_lay(pen->mask, pen->image, overlay_color(number));
    }
}

void overlay_nodes(const struct pen *pen, const struct plans *plans,
                   const struct tracks *tracks, int64_t step)
{
    double radius = .6 * overlay_agent_radius(pen->em);
    double edge = fmax(pen->em / 14, 1);
    for (size_t i = 0; i < tracks->count; i++) {
        int number = tracks->track[i].number;
        int64_t plan = number < 0 ? -1 : plans_find(plans, number, step);
        if (plan < 0 || plans->kind[plan] != PLAN_NODES)
            continue;
        for (size_t k = plans->first[plan]; k < plans->first[plan + 1]; k++) {
            double world[GRID_AXES] = { plans->cell[0][k], plans->cell[1][k],
                                        0 };
            double pixel[2];
            double size =
                k + 1 == plans->first[plan + 1] ? 1.5 * radius : radius;
            stage_place(pen->stage, world, pixel);
            rings(pen, pixel, (double[]){ size, size - edge },
                  (const uint8_t *const[]){ black, overlay_color(number) }, 2);
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
