/* SPDX-License-Identifier: MIT */
/* Agents, nodes, squares, arrows and contours; then the lines: trails and
 * planned paths. */
#include "draw/figure/overlay.h"

#include "base/memory.h"
#include "base/need.h"
#include "pursuit/settings.h"
#include "search/pincer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t black[3] = { 0, 0, 0 }, white[3] = { 255, 255, 255 },
                     wall_edge[3] = { 90, 90, 90 };

/* The colours of Okabe and Ito (2008), the brightest first, without black. */
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

/* Half a side: √π / 2; from the middle to a corner: √(4π / 3√3). */
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

/* The corners round a position; returns their number. */
static int corners_at(enum overlay_shape shape, const double at[2],
                      double radius, double corners[OVERLAY_CORNERS][2])
{
    const double(*unit)[2];
    int count = overlay_corners(shape, &unit);
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 2; axis++)
            corners[i][axis] = at[axis] + radius * unit[i][axis];
    return count;
}

/* The width of edges and thin lines. */
static double thin(const struct pen *pen)
{
    return fmax(pen->em / 14, 1);
}

/* The width of a line, from its part of an em: on paper half a point, in small
 * pictures too. */
static double line_of(const struct pen *pen, double part)
{
    return fmax(fmax(part * pen->em, .5 * pen->point), 1);
}

static void gather_sign(const struct pen *pen, enum overlay_shape shape,
                        const double at[2], double radius)
{
    double corners[OVERLAY_CORNERS][2];
    int count = corners_at(shape, at, radius, corners);
    if (count)
        page_corners(pen->page, (const double(*)[2])corners, count);
    else
        page_disc(pen->page, at, radius);
}

static void gather_outline(const struct pen *pen, enum overlay_shape shape,
                           const double at[2], double radius, double width)
{
    double corners[OVERLAY_CORNERS][2];
    int count = corners_at(shape, at, radius, corners);
    for (int i = 0; i < count; i++)
        page_line(pen->page, corners[i], corners[(i + 1) % count], width);
    if (!count)
        page_ring(pen->page, at, radius, width);
}

static double overlay_line(double em)
{
    return fmax(em / 8, 1.2);
}

static double overlay_casing(double em)
{
    return overlay_line(em) + fmax(em / 9, 1.5);
}

static void overlay_place(const struct pen *pen, const double world[GRID_AXES],
                          double pixel[2])
{
    double seen[GRID_AXES] = { world[0], world[1], world[2] };
    if (pen->layers)
        seen[pen->layers->axis] =
            layers_height(pen->layers, world[pen->layers->axis]);
    projection_place(pen->projection, seen, pixel);
}

double overlay_agent_radius(double em)
{
    return fmax(.34 * em, 3);
}

double overlay_agent_reach(double em)
{
    return 2 * overlay_agent_radius(em) + overlay_casing(em);
}

/* Concentric discs, from the outside in. */
static void rings(const struct pen *pen, const double at[2],
                  const double radii[], const uint8_t *const colors[],
                  int count)
{
    for (int i = 0; i < count; i++) {
        page_disc(pen->page, at, radii[i]);
        page_lay(pen->page, colors[i]);
    }
}

/* An agent's colour in its shape, with a black edge. */
static void draw_sign(const struct pen *pen, int number, const double at[2],
                      double radius)
{
    gather_sign(pen, overlay_shape(number), at, radius);
    page_lay(pen->page, black);
    gather_sign(pen, overlay_shape(number), at, radius - thin(pen));
    page_lay(pen->page, overlay_color(number));
}

void overlay_agent(const struct pen *pen, int number, const double at[2])
{
    double radius = overlay_agent_radius(pen->em), edge = thin(pen);
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
    page_line(pen->page, from, to, overlay_casing(pen->em));
    page_lay(pen->page, casing);
    page_line(pen->page, from, to, overlay_line(pen->em));
    page_lay(pen->page, color);
}

/* The heading of a track as drawn on the picture. */
static void heading_of(const struct pen *pen, const struct track *track,
                       int64_t row, double along[2])
{
    double from[2], ahead[2], world[GRID_AXES];
    world_of(track, row, world);
    overlay_place(pen, world, from);
    for (int axis = 0; axis < GRID_AXES; axis++)
        world[axis] += track->heading[axis][row];
    overlay_place(pen, world, ahead);
    for (int i = 0; i < 2; i++)
        along[i] = ahead[i] - from[i];
}

/* From the edge of the disc at `at` forwards, by another radius. */
static void draw_nose(const struct pen *pen, const struct track *track,
                      int64_t row, const double at[2])
{
    double along[2];
    heading_of(pen, track, row, along);
    double length = hypot(along[0], along[1]);
    if (!(length > 1e-6) || !isfinite(length))
        return;
    double radius = overlay_agent_radius(pen->em), ends[2][2];
    for (int i = 0; i < 2; i++) {
        ends[0][i] = at[i] + along[i] * radius / length;
        ends[1][i] = at[i] + along[i] * 2 * radius / length;
    }
    draw_line(pen, ends[0], ends[1], white, black);
}

static bool is_elsewhere(const struct layers *layers, const struct track *track,
                         int64_t row)
{
    return layers && layers_find(layers, track->at[layers->axis][row]) < 0;
}

/* Is it drawn hollow: on no layer, or behind opaque cells? */
static bool is_hollow(const struct pen *pen, const struct track *track,
                      int64_t row)
{
    double world[GRID_AXES];
    world_of(track, row, world);
    return pen->solid ? solid_hides(pen->solid, world)
                      : is_elsewhere(pen->layers, track, row);
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
    page_lay(pen->page, casing);
    gather_outline(pen, shape, at, radius, width);
    page_lay(pen->page, color);
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

/* The z of the layer on which a stem ends. */
static double layer_below(const struct layers *layers, double z)
{
    int below = 0;
    while (below < layers->count - 1 && layers->at[below] < z)
        below++;
    return layers->at[below];
}

/* From the sign of an agent between layers to the layer below or above it; in a
 * view from outside, to the ground. */
static void draw_stem(const struct pen *pen, const struct track *track,
                      int64_t row, const double sign[2])
{
    double world[GRID_AXES], at[2] = { sign[0], sign[1] }, foot[2];
    double radius = overlay_agent_radius(pen->em);
    world_of(track, row, world);
    world[2] = pen->solid ? solid_ground(pen->solid, world)
                          : layer_below(pen->layers, world[2]);
    overlay_place(pen, world, foot);
    if (fabs(foot[1] - at[1]) <= radius)
        return;
    at[1] += foot[1] > at[1] ? radius : -radius;
    draw_line(pen, at, foot, white, black);
}

enum crowd crowd_of(size_t agents)
{
    return agents <= CROWD_NAMED_MOST    ? CROWD_FEW
           : agents <= CROWD_LISTED_MOST ? CROWD_SOME
                                         : CROWD_MANY;
}

enum mark overlay_mark(const struct track *track, int64_t row, bool ended)
{
    if (track->number < 0)
        return MARK_TARGET;
    if (!track->state)
        return MARK_WALKING;
    switch (track->state[row]) {
    case AGENT_WAITING:
        return MARK_WAITING;
    case AGENT_CAPTURED:
        return MARK_CAPTURED;
    case AGENT_STUCK:
        return MARK_STUCK;
    default:
        return ended ? MARK_UNDER_WAY : MARK_WALKING;
    }
}

void overlay_keep_whole(const double size[2], double reach, double at[2])
{
    for (int i = 0; i < 2; i++)
        if (at[i] >= 0 && at[i] <= size[i])
            at[i] = fmax(reach, fmin(at[i], size[i] - reach));
}

/* The size of a mark: of many agents they are small. */
static double mark_em(enum crowd crowd, enum mark mark, double em)
{
    return crowd == CROWD_MANY && mark != MARK_TARGET ? .5 * em : em;
}

static void draw_agent(const struct pen *pen, const struct track *track,
                       int64_t row)
{
    double at[2], world[GRID_AXES];
    bool hollow = is_hollow(pen, track, row);
    world_of(track, row, world);
    if (pen->layers && !layers_see(pen->layers, world[pen->layers->axis]))
        return;
    if (pen->solid && !solid_holds(pen->solid, world))
        return;
    overlay_place(pen, world, at);
    enum mark mark = overlay_mark(track, row, pen->ended);
    double tip = overlay_shape(track->number) == OVERLAY_TRIANGLE ? TIP : 1;
    const double em = mark_em(pen->crowd, mark, pen->em);
    overlay_keep_whole(pen->size,
                       pen->crowd
                           ? mark_reach(mark, em)
                           : tip * overlay_agent_radius(pen->em) + thin(pen),
                       at);
    if (pen->solid ? !hollow : hollow && pen->oblique)
        draw_stem(pen, track, row, at);
    if (pen->crowd == CROWD_SOME && pen->starts && mark == MARK_WAITING)
        return;
    if (pen->crowd && !hollow) {
        double along[2];
        bool dot = mark == MARK_WALKING && pen->crowd == CROWD_MANY;
        heading_of(pen, track, row, along);
        mark_draw(pen->page, mark, em, at,
                  track->number < 0 || dot ? NULL : along);
        return;
    }
    if (track->number >= 0)
        draw_nose(pen, track, row, at);
    if (hollow)
        draw_ring(pen, pen->crowd ? OVERLAY_DISC : overlay_shape(track->number),
                  at, pen->crowd || track->number < 0 ? white : black,
                  pen->crowd || track->number < 0
                      ? black
                      : overlay_color(track->number));
    else
        overlay_agent(pen, track->number, at);
}

void overlay_agents(const struct pen *pen, const struct tracks *tracks,
                    int64_t row)
{
    for (size_t i = tracks->count; i-- > 0;) /* the target first, below all */
        draw_agent(pen, &tracks->track[i], row);
}

/* Is there anything to see of it there? */
static bool may_see(const struct pen *pen, const double world[GRID_AXES])
{
    return (!pen->layers ||
            layers_find(pen->layers, world[pen->layers->axis]) >= 0) &&
           (!pen->solid || (solid_holds(pen->solid, world) &&
                            !solid_hides(pen->solid, world)));
}

double overlay_start_reach(enum crowd crowd, double em)
{
    return crowd == CROWD_SOME
               ? mark_start_reach(em)
               : mark_reach(MARK_START, mark_em(crowd, MARK_START, em));
}

void overlay_starts(const struct pen *pen, const struct tracks *tracks)
{
    for (size_t i = 0; i < tracks->count; i++) {
        const struct track *track = &tracks->track[i];
        double at[2], world[GRID_AXES];
        world_of(track, 0, world);
        if (track->number < 0 || !may_see(pen, world))
            continue;
        overlay_place(pen, world, at);
        overlay_keep_whole(pen->size, overlay_start_reach(pen->crowd, pen->em),
                           at);
        if (pen->crowd == CROWD_SOME)
            mark_draw_start(pen->page, pen->em, at, mark_color(track->number));
        else
            mark_draw(pen->page, MARK_START,
                      mark_em(pen->crowd, MARK_START, pen->em), at, NULL);
    }
}

/* The plan that a track follows at the step; −1: none. */
static int64_t plan_of(const struct track *track, const struct plans *plans,
                       int64_t step)
{
    return track->number < 0 ? -1 : plans_find(plans, track->number, step);
}

static void cell_of(const struct plans *plans, size_t i,
                    double world[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        world[axis] = plans->cell[axis] ? plans->cell[axis][i] : 0;
}

void overlay_nodes(const struct pen *pen, const struct plans *plans,
                   const struct tracks *tracks, int64_t step)
{
    double radius = .6 * overlay_agent_radius(pen->em);
    for (size_t i = 0; i < tracks->count; i++) {
        const struct track *track = &tracks->track[i];
        int64_t plan = plan_of(track, plans, step);
        if (plan < 0 || plans->kind[plan] != PLAN_NODES)
            continue;
        for (size_t k = plans->first[plan]; k < plans->first[plan + 1]; k++) {
            double world[GRID_AXES], pixel[2];
            double size =
                k + 1 == plans->first[plan + 1] ? 1.5 * radius : radius;
            cell_of(plans, k, world);
            overlay_place(pen, world, pixel);
            draw_sign(pen, track->number, pixel, size);
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
    const double *origin = pen->origin;
    int left = (int)floor(origin[0] + (x + .2) * cell);
    int top = (int)floor(origin[1] + (y + .2) * cell);
    int right = (int)ceil(origin[0] + (x + .8) * cell);
    int bottom = (int)ceil(origin[1] + (y + .8) * cell);
    if (color != PINCER_WHITE)
        page_fill(pen->page, left, top, right - left, bottom - top,
                  overlay_square_color(color));
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
    page_triangle(
        pen->page, tip,
        (double[]){ back[0] - unit[1] * wing, back[1] + unit[0] * wing },
        (double[]){ back[0] + unit[1] * wing, back[1] - unit[0] * wing });
    page_line(pen->page,
              (double[]){ x - unit[0] * length / 2, y - unit[1] * length / 2 },
              back, thin(pen) + 2 * casing);
}

/* State during the placement of arrows on a plane. seen[i]: 0, or the number of
 * the last arrow, from 1 on, near the cell; negative if the cell has an arrow.
 * queue: of cells. Both are (ny, nx). */
struct places {
    const double *right, *down;
    const uint8_t *wall;
    int nx, ny, apart, count;
    int32_t *seen, *queue;
};

static bool is_free(const struct places *places, int x, int y)
{
    if (x < 0 || x >= places->nx || y < 0 || y >= places->ny)
        return false;
    return !places->wall ||
           !places->wall[(size_t)y * (size_t)places->nx + (size_t)x];
}

/* From cell to cell, diagonally if no corner is cut. */
static bool may_go(const struct places *places, int x, int y, int dx, int dy)
{
    return is_free(places, x + dx, y + dy) && is_free(places, x + dx, y) &&
           is_free(places, x, y + dy);
}

/* Marks the cells at most `reach` moves from (x, y). */
static void mark_near(struct places *places, int x, int y, int reach)
{
    const int32_t number = ++places->count;
    const size_t nx = (size_t)places->nx;
    size_t first = 0, last = 1;
    places->queue[0] = (int32_t)((size_t)y * nx + (size_t)x);
    places->seen[places->queue[0]] = -number;
    for (int moves = 0; moves < reach; moves++)
        for (size_t end = last; first < end; first++)
            for (int way = 0; way < 9; way++) {
                int from_x = places->queue[first] % places->nx;
                int from_y = places->queue[first] / places->nx;
                int dx = way % 3 - 1, dy = way / 3 - 1;
                int32_t to = places->queue[first] + dy * places->nx + dx;
                if (!may_go(places, from_x, from_y, dx, dy) ||
                    abs(places->seen[to]) == number)
                    continue;
                places->seen[to] = places->seen[to] < 0 ? -number : number;
                places->queue[last++] = to;
            }
}

/* The distance of a cell from the centre of its block of apart × apart
 * cells. */
static int off_centre(const struct places *places, int x, int y)
{
    int centre = places->apart / 2;
    return abs(x % places->apart - centre) + abs(y % places->apart - centre);
}

static bool has_arrow(const struct places *places, size_t cell)
{
    return hypot(places->right[cell], places->down[cell]) >= .1;
}

/* First the centres of blocks, which in open space are all; then other cells,
 * if no arrow is near by moves over free cells: so each corridor has its own
 * arrow, even if there is one beyond its walls. */
static void find_places(struct places *places)
{
    const size_t cells = (size_t)places->nx * (size_t)places->ny;
    const int reach = (3 * places->apart - 1) / 4;
    memset(places->seen, 0, cells * sizeof *places->seen);
    for (int off = 0; off <= 2 * (places->apart / 2); off++)
        for (int y = 0; y < places->ny; y++)
            for (int x = 0; x < places->nx; x++) {
                size_t i = (size_t)y * (size_t)places->nx + (size_t)x;
                if (!places->seen[i] && off_centre(places, x, y) == off &&
                    is_free(places, x, y) && has_arrow(places, i))
                    mark_near(places, x, y, reach);
            }
}

static size_t count_arrow_cells(const struct places *places)
{
    size_t count = 0;
    for (int y = 0; y < places->ny; y++)
        for (int x = 0; x < places->nx; x++)
            count +=
                is_free(places, x, y) &&
                has_arrow(places, (size_t)y * (size_t)places->nx + (size_t)x);
    return count;
}

/* Are a position, in cell coordinates, and those a quarter of a cell to either
 * side of the direction `along` free? */
static bool is_clear(const struct places *places, double x, double y,
                     const double along[2])
{
    for (int side = -1; side <= 1; side += 2)
        if (!is_free(places, (int)floor(x - along[1] * .25 * side + .5),
                     (int)floor(y + along[0] * .25 * side + .5)))
            return false;
    return true;
}

/* The length that an arrow centred in a cell may have before it meets a wall,
 * in cells, at most `longest`; at least the cell itself and `shortest`. */
static double fit_arrow(const struct places *places, size_t cell,
                        double longest, double shortest)
{
    const double x = (double)(cell % (size_t)places->nx);
    const double y = (double)(cell / (size_t)places->nx);
    const double size = hypot(places->right[cell], places->down[cell]);
    const double along[2] = { places->right[cell] / size,
                              places->down[cell] / size };
    double half = 0;
    while (half < longest / 2 &&
           is_clear(places, x + along[0] * half, y + along[1] * half, along) &&
           is_clear(places, x - along[0] * half, y - along[1] * half, along))
        half += .125;
    return fmin(fmax(2 * half, fmax(shortest, 1)), longest);
}

size_t overlay_arrows(const struct pen *pen, const double *right,
                      const double *down, const uint8_t *wall, int nx, int ny,
                      int cell, int apart, int32_t *room)
{
    const size_t cells = (size_t)nx * (size_t)ny;
    if (apart <= 0)
        apart = (int)ceil(fmax(1.4 * pen->em, 8) / cell);
    struct places places = { .right = right,
                             .down = down,
                             .wall = wall,
                             .nx = nx,
                             .ny = ny,
                             .apart = apart,
                             .seen = room,
                             .queue = room + cells };
    find_places(&places);
    for (int casing = 1; casing >= 0; casing--) {
        for (size_t i = 0; i < cells; i++) {
            if (places.seen[i] >= 0)
                continue;
            double length =
                cell * fit_arrow(&places, i, .86 * apart, .7 * pen->em / cell);
            double x = (double)(i % (size_t)nx) + .5;
            double y = (double)(i / (size_t)nx) + .5;
            gather_arrow(pen, pen->origin[0] + x * cell,
                         pen->origin[1] + y * cell,
                         (double[]){ right[i] * length, down[i] * length },
                         casing * fmax(pen->em / 18, .8));
        }
        page_lay(pen->page, casing ? white : black);
    }
    return count_arrow_cells(&places);
}

/* A line's points on the picture; those nearer than an eighth of an em to the
 * one before are left out. Returns their number. */
static size_t place_streamline(const struct pen *pen,
                               const struct streamlines *lines, size_t first,
                               size_t end, int cell, double (*pixels)[2])
{
    const double least = pen->em / 8;
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        double at[2];
        for (int k = 0; k < 2; k++)
            at[k] = pen->origin[k] + (lines->points[i][k] + .5) * cell;
        if (count > 1 && i + 1 == end &&
            hypot(at[0] - pixels[count - 1][0], at[1] - pixels[count - 1][1]) <
                least)
            count--;
        if (count && i + 1 < end &&
            hypot(at[0] - pixels[count - 1][0], at[1] - pixels[count - 1][1]) <
                least)
            continue;
        memcpy(pixels[count++], at, sizeof at);
    }
    return count;
}

/* A head that points along from → to, its middle at a part of that piece. */
static void gather_head(const struct pen *pen, const double from[2],
                        const double to[2], double part, double casing)
{
    double length = hypot(to[0] - from[0], to[1] - from[1]);
    double reach = .19 * pen->em + casing, tip[2], wings[2][2];
    for (int k = 0; k < 2; k++) {
        double unit = (to[k] - from[k]) / length;
        double side = (k ? to[0] - from[0] : from[1] - to[1]) / length;
        double at = from[k] + part * (to[k] - from[k]);
        tip[k] = at + (reach + casing) * unit;
        wings[0][k] = at - reach * unit + .75 * (reach + .3 * casing) * side;
        wings[1][k] = at - reach * unit - .75 * (reach + .3 * casing) * side;
    }
    page_triangle(pen->page, tip, wings[0], wings[1]);
}

/* One in the middle of a line, or about every eight ems of it. */
static void gather_heads(const struct pen *pen, const double (*pixels)[2],
                         size_t count, double casing)
{
    double length = 0, run = 0;
    for (size_t i = 1; i < count; i++)
        length += hypot(pixels[i][0] - pixels[i - 1][0],
                        pixels[i][1] - pixels[i - 1][1]);
    const double each = length / fmax(round(length / (8 * pen->em)), 1);
    double next = each / 2;
    for (size_t i = 1; i < count; i++) {
        double piece = hypot(pixels[i][0] - pixels[i - 1][0],
                             pixels[i][1] - pixels[i - 1][1]);
        for (; next < run + piece; next += each)
            gather_head(pen, pixels[i - 1], pixels[i], (next - run) / piece,
                        casing);
        run += piece;
    }
}

void overlay_streamlines(const struct pen *pen, const struct vectors *vectors,
                         int cell, int apart, struct streamlines *lines)
{
    const double width = line_of(pen, .1), edge = fmax(pen->em / 15, .8);
    /* Rounded: a page and its picture of pixels, whose text is not exactly as
     * large, have the same lines. */
    const double em = pen->em / cell;
    const double spacing = apart > 0 ? fmax(apart, .5 * em) : 1.1 * em;
    streamlines_trace(lines, vectors, fmax(round(16 * spacing), 1) / 16,
                      fmin(round(64 * .12 * em) / 64, .4));
    double(*pixels)[2] = need_memory(lines->count + 1, sizeof *pixels);
    for (int casing = 1; casing >= 0; casing--) {
        for (size_t i = 0; i < lines->line_count; i++) {
            size_t end =
                i + 1 < lines->line_count ? lines->lines[i + 1] : lines->count;
            size_t count = place_streamline(pen, lines, lines->lines[i], end,
                                            cell, pixels);
            for (size_t k = 1; k < count; k++)
                page_line(pen->page, pixels[k - 1], pixels[k],
                          width + casing * 2 * edge);
            gather_heads(pen, (const double(*)[2])pixels, count, casing * edge);
        }
        page_lay(pen->page, casing ? white : black);
    }
    memory_release(pixels);
}

static void gather_contour(struct page *page, const struct contour *contour,
                           const double origin[2], const double right[2],
                           const double down[2], double width)
{
    for (size_t i = 0; i < contour->count; i++) {
        const struct contour_piece *piece = &contour->pieces[i];
        double from[2], to[2];
        for (int k = 0; k < 2; k++) {
            from[k] = origin[k] + (piece->from[0] + .5) * right[k] +
                      (piece->from[1] + .5) * down[k];
            to[k] = origin[k] + (piece->to[0] + .5) * right[k] +
                    (piece->to[1] + .5) * down[k];
        }
        page_line(page, from, to, width);
    }
}

void overlay_contour(const struct pen *pen, const struct contour *contour,
                     const double origin[2], const double right[2],
                     const double down[2])
{
    double width = fmax(line_of(pen, 1 / 11.), 1.2);
    for (int casing = 1; casing >= 0; casing--) {
        gather_contour(pen->page, contour, origin, right, down,
                       width + casing * fmax(pen->em / 10, 1.5));
        page_lay(pen->page, casing ? white : black);
    }
}

void overlay_walls(const struct pen *pen, const struct contour *contour,
                   const double origin[2], const double right[2],
                   const double down[2], const uint8_t color[3])
{
    double cell = fmin(hypot(right[0], right[1]), hypot(down[0], down[1]));
    double width = .4 * pen->point;
    /* A wall or a corridor of one such small cell would be all edge. */
    if (cell < 3 * width)
        return;
    gather_contour(pen->page, contour, origin, right, down, width);
    /* A wall's colour is not one of the field's. */
    bool dark = color[0] + color[1] + color[2] < 3 * 128;
    page_lay(pen->page, dark ? white : wall_edge);
}

/* ---- Trails and planned paths of agents. */

/* A line of strokes, continued from piece to piece. */
struct strokes {
    double on, off; /* pixels; off 0: unbroken */
    double run;     /* length of the line so far */
};

static struct strokes dots_of(double em)
{
    return (struct strokes){ .on = .05 * em, .off = fmax(.36 * em, 3.5) };
}

/* Of a path; shorter and longer dashes distinguish agents of one colour. */
static struct strokes dashes_of(double em, enum overlay_shape shape)
{
    static const double lengths[OVERLAY_SHAPES] = { 1, 2, .4 };
    double dash = fmax(.45 * em, 4);
    return (struct strokes){ .on = lengths[shape] * dash, .off = dash };
}

/* Of a trail. */
static struct strokes strokes_of(double em, enum overlay_shape shape)
{
    struct strokes strokes = { 0 };
    if (shape == OVERLAY_SQUARE)
        strokes.on = strokes.off = fmax(.7 * em, 6);
    if (shape == OVERLAY_TRIANGLE)
        strokes = dots_of(em);
    return strokes;
}

/* The part [*first, *last] of the line that may be visible: a position in a
 * file may be anywhere, and the strokes to it would never end. */
static void seen_part(const double size[2], const double from[2],
                      const double along[2], double width, double *first,
                      double *last)
{
    const double most[2] = { size[0] + width, size[1] + width };
    *first = 0, *last = 1;
    for (int axis = 0; axis < 2; axis++) {
        double a = (-width - from[axis]) / along[axis];
        double b = (most[axis] - from[axis]) / along[axis];
        if (along[axis] != 0) {
            *first = fmax(*first, fmin(a, b));
            *last = fmin(*last, fmax(a, b));
        } else if (from[axis] < -width || from[axis] > most[axis])
            *last = 0;
    }
}

static void gather_strokes(const struct pen *pen, const double from[2],
                           const double to[2], double width,
                           struct strokes *strokes)
{
    double along[2] = { to[0] - from[0], to[1] - from[1] };
    double length = hypot(along[0], along[1]), first, last;
    if (!(strokes->off > 0)) {
        page_line(pen->page, from, to, width);
        return;
    }
    seen_part(pen->size, from, along, width, &first, &last);
    for (double done = first * length; done < last * length;) {
        double phase = fmod(strokes->run + done, strokes->on + strokes->off);
        bool on = phase < strokes->on;
        double left =
            on ? strokes->on - phase : strokes->on + strokes->off - phase;
        /* A step too small to change `done` would repeat for ever. */
        double end = fmin(done + fmax(left, fmax(1e-3, done * 1e-12)), length);
        double a = done / length, b = end / length;
        if (on)
            page_line(
                pen->page,
                (double[]){ from[0] + a * along[0], from[1] + a * along[1] },
                (double[]){ from[0] + b * along[0], from[1] + b * along[1] },
                width);
        done = end;
    }
    double run = fmod(strokes->run + length, strokes->on + strokes->off);
    strokes->run = isfinite(run) ? run : 0;
}

void overlay_dots(const struct pen *pen, const double from[2],
                  const double to[2], const uint8_t *color)
{
    for (int casing = 1; casing >= 0; casing--) {
        struct strokes strokes = dots_of(pen->em);
        gather_strokes(pen, from, to,
                       casing ? overlay_casing(pen->em) : overlay_line(pen->em),
                       &strokes);
        page_lay(pen->page, casing ? black : color);
    }
}

static void dash(const struct pen *pen, const double (*pixels)[2], size_t count,
                 bool closed)
{
    static const uint8_t ink[3] = { 34, 34, 34 };
    struct strokes strokes = { .on = .53 * pen->em, .off = .27 * pen->em };
    const double width = line_of(pen, .107);
    const size_t pieces = closed ? count : count - 1;
    for (size_t i = 0; i < pieces; i++)
        page_line(pen->page, pixels[i], pixels[(i + 1) % count], 2 * width);
    page_lay(pen->page, white);
    for (size_t i = 0; i < pieces; i++)
        gather_strokes(pen, pixels[i], pixels[(i + 1) % count], width,
                       &strokes);
    page_lay(pen->page, ink);
}

void overlay_dashes(const struct pen *pen, const double from[2],
                    const double to[2])
{
    const double ends[2][2] = { { from[0], from[1] }, { to[0], to[1] } };
    dash(pen, ends, 2, false);
}

void overlay_outline(const struct pen *pen, const double (*pixels)[2],
                     size_t count)
{
    dash(pen, pixels, count, true);
}

/* A line that is being gathered: either its part on the layers, or the rest. */
struct line {
    const struct pen *pen;
    double width;
    bool elsewhere;
    struct strokes strokes;
    int layer; /* of its last piece; −1: none */
};

static void between(const double from[GRID_AXES], const double to[GRID_AXES],
                    double part, double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = from[axis] + part * (to[axis] - from[axis]);
}

/* A position as drawn on a layer, independent of its height. */
static void place_on(const struct pen *pen, int layer,
                     const double world[GRID_AXES], double pixel[2])
{
    double on[GRID_AXES] = { world[0], world[1], world[2] };
    if (layer >= 0)
        on[pen->layers->axis] = pen->layers->at[layer];
    overlay_place(pen, on, pixel);
}

/* A stretch on a layer or between two, from → to. */
static void gather_stretch(struct line *line, int layer,
                           const double from[GRID_AXES],
                           const double to[GRID_AXES])
{
    const struct pen *pen = line->pen;
    double pixels[2][2];
    /* Directly from layer to layer, if nothing is between their ranges. */
    if (line->elsewhere && line->layer >= 0 && layer >= 0 &&
        layer != line->layer) {
        place_on(pen, line->layer, from, pixels[0]);
        place_on(pen, layer, from, pixels[1]);
        gather_strokes(pen, pixels[0], pixels[1], line->width, &line->strokes);
    }
    line->layer = layer;
    if ((pen->layers && layer < 0) != line->elsewhere)
        return;
    place_on(pen, layer, from, pixels[0]);
    place_on(pen, layer, to, pixels[1]);
    gather_strokes(pen, pixels[0], pixels[1], line->width, &line->strokes);
}

/* The piece from → to in parts of at most half a cell: either the hidden ones,
 * or the others. */
static void gather_behind(struct line *line, const double from[GRID_AXES],
                          const double to[GRID_AXES])
{
    double length = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        length = fmax(length, fabs(to[axis] - from[axis]));
    int parts = (int)fmin(ceil(2 * length), 1 << 16);
    for (int i = 0; i < parts; i++) {
        double ends[2][GRID_AXES], middle[GRID_AXES], pixels[2][2];
        between(from, to, (i + .5) / parts, middle);
        if (!solid_holds(line->pen->solid, middle) ||
            solid_hides(line->pen->solid, middle) != line->elsewhere)
            continue;
        for (int end = 0; end < 2; end++) {
            between(from, to, (double)(i + end) / parts, ends[end]);
            overlay_place(line->pen, ends[end], pixels[end]);
        }
        gather_strokes(line->pen, pixels[0], pixels[1], line->width,
                       &line->strokes);
    }
}

/* The piece from → to, divided where it leaves or enters layers. */
static void gather_piece(struct line *line, const double from[GRID_AXES],
                         const double to[GRID_AXES])
{
    const struct layers *layers = line->pen->layers;
    if (line->pen->solid) {
        gather_behind(line, from, to);
        return;
    }
    if (!layers) {
        gather_stretch(line, -1, from, to);
        return;
    }
    int axis = layers->axis;
    for (double part = 0, next; part < 1; part = next) {
        double middle[GRID_AXES], ends[2][GRID_AXES];
        next = layers_next(layers, from[axis], to[axis], part);
        between(from, to, (part + next) / 2, middle);
        between(from, to, part, ends[0]);
        between(from, to, next, ends[1]);
        if (layers_see(layers, middle[axis]))
            gather_stretch(line, layers_find(layers, middle[axis]), ends[0],
                           ends[1]);
    }
}

/* The positions of a line: a track up to a row, or a plan's cells. */
struct way {
    const struct track *track; /* NULL: a plan */
    const struct plans *plans;
    size_t first, end;
};

static void place_at(const struct way *way, size_t i, double at[GRID_AXES])
{
    if (way->track)
        world_of(way->track, (int64_t)i, at);
    else
        cell_of(way->plans, i, at);
}

static void gather_way(struct line *line, const struct way *way)
{
    double from[GRID_AXES] = { 0 }, to[GRID_AXES];
    for (size_t i = way->first; i < way->end; i++) {
        place_at(way, i, to);
        if (i > way->first && !isnan(from[0] + to[0]) &&
            (from[0] != to[0] || from[1] != to[1] || from[2] != to[2]))
            gather_piece(line, from, to);
        memcpy(from, to, sizeof from);
    }
}

/* Draws one line in its colour and strokes, over a casing: first its dotted
 * part, which is not on the layers or hidden. Of many agents the lines are
 * thin, without casing and transparent, so that they are darker where more of
 * them overlap. */
static void lay_way(const struct pen *pen, const struct strokes *cased,
                    const struct strokes *strokes, const uint8_t *color,
                    const struct way *way)
{
    for (int pass = pen->layers || pen->solid ? 0 : 2; pass < 4; pass++) {
        bool elsewhere = pass < 2, casing = !(pass & 1);
        bool many = pen->crowd == CROWD_MANY;
        if (many && casing)
            continue;
        struct line line = {
            .pen = pen,
            .width = casing ? overlay_casing(pen->em)
                     : many ? fmax(overlay_line(pen->em) / 2, .5 * pen->point)
                            : overlay_line(pen->em),
            .elsewhere = elsewhere,
            .strokes = elsewhere ? dots_of(pen->em)
                       : casing  ? *cased
                                 : *strokes,
            .layer = -1,
        };
        gather_way(&line, way);
        if (many)
            page_stroke(pen->page, &(struct page_stroke){ .width = line.width },
                        color, .3);
        else
            page_lay(pen->page, !casing ? color : pen->crowd ? white : black);
    }
}

/* The colour of a line that is known by a name at its end, by a number at its
 * start, or not at all. */
static const uint8_t *color_of(const struct pen *pen, int number)
{
    static const uint8_t ink[3] = { 34, 34, 34 };
    return pen->crowd == CROWD_BARE   ? overlay_color(number)
           : number < 0               ? ink
           : pen->crowd == CROWD_FEW  ? ink
           : pen->crowd == CROWD_SOME ? mark_color(number)
                                      : mark_color(0);
}

/* Trails of agents with text differ in gray too: colours that follow each other
 * in the palette are a dark and a light one, so each pair of them has other
 * strokes than the pair before, and each colour others than when it was used
 * last. */
static enum overlay_shape dashes_by(const struct pen *pen, int number)
{
    if (pen->crowd == CROWD_BARE || number < 0)
        return overlay_shape(number);
    return pen->crowd == CROWD_SOME
               ? (enum overlay_shape)((number / 2 + number / MARK_COLORS) %
                                      OVERLAY_SHAPES)
               : OVERLAY_DISC;
}

void overlay_trail(const struct pen *pen, int agent, const double from[2],
                   const double to[2])
{
    struct strokes strokes = strokes_of(pen->em, dashes_by(pen, agent));
    gather_strokes(pen, from, to, overlay_line(pen->em), &strokes);
    page_lay(pen->page, color_of(pen, agent));
}

void overlay_trails(const struct pen *pen, const struct tracks *tracks,
                    int64_t row)
{
    static const struct strokes unbroken;
    /* With text dashes lie over unbroken trails, and dots over both: where they
     * share a path, all of them are visible. */
    const bool some = pen->crowd == CROWD_SOME;
    for (int pass = 0; pass < (some ? OVERLAY_SHAPES : 1); pass++)
        for (size_t i = 0; i < tracks->count; i++) {
            const struct track *track = &tracks->track[i];
            const enum overlay_shape shape = dashes_by(pen, track->number);
            const struct strokes strokes = strokes_of(pen->em, shape);
            const struct way way = { .track = track, .end = (size_t)row + 1 };
            if (!some || (int)shape == pass)
                lay_way(pen, some ? &strokes : &unbroken, &strokes,
                        color_of(pen, track->number), &way);
        }
}

void overlay_paths(const struct pen *pen, const struct plans *plans,
                   const struct tracks *tracks, int64_t step)
{
    for (size_t i = 0; i < tracks->count; i++) {
        const struct track *track = &tracks->track[i];
        int64_t plan = plan_of(track, plans, step);
        struct strokes dashes =
            dashes_of(pen->em, dashes_by(pen, track->number));
        if (plan < 0)
            continue;
        const struct way way = { .plans = plans,
                                 .first = plans->first[plan],
                                 .end = plans->first[plan + 1] };
        lay_way(pen, &dashes, &dashes, color_of(pen, track->number), &way);
    }
}
