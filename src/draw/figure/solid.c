/* SPDX-License-Identifier: MIT */
#include "draw/figure/solid.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>

/* The fraction of the background that a wall's face hides; rays a pixel on each
 * axis; how much darker the farthest cell is than the nearest. */
static const double glass = .2, fading = .4;
enum { RAYS = 2 };

/* Brightness of a face across x, y and z: the light comes from above. */
static const double face_light[GRID_AXES] = { .72, .84, 1 };

static void find_axes(const struct solid_sight *sight, double across[GRID_AXES],
                      double down[GRID_AXES], double into[GRID_AXES])
{
    const double degree = acos(-1) / 180;
    double a = sight->azimuth * degree, e = sight->elevation * degree;
    across[0] = cos(a);
    across[1] = -sin(a);
    across[2] = 0;
    down[0] = sin(a) * sin(e);
    down[1] = cos(a) * sin(e);
    down[2] = cos(e);
    into[0] = -sin(a) * cos(e);
    into[1] = -cos(a) * cos(e);
    into[2] = sin(e);
}

static double along(const double axis[GRID_AXES], const double at[GRID_AXES])
{
    return axis[0] * at[0] + axis[1] * at[1] + axis[2] * at[2];
}

/* One of the box's eight corners: bit k of `number` is its side on axis k. */
static void corner_at(const struct box *box, int number, double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] =
            number >> axis & 1 ? box->high[axis] + .5 : box->low[axis] - .5;
}

/* The minimum and maximum coordinate of the box along an axis of the
 * picture. */
static void reach(const struct box *box, const double axis[GRID_AXES],
                  double *low, double *high)
{
    for (int i = 0; i < 8; i++) {
        double at[GRID_AXES];
        corner_at(box, i, at);
        double place = along(axis, at);
        *low = i ? fmin(*low, place) : place;
        *high = i ? fmax(*high, place) : place;
    }
}

void solid_extent(const struct box *box, const struct solid_sight *sight,
                  double size[2])
{
    double axes[3][GRID_AXES], low = 0, high = 0;
    find_axes(sight, axes[0], axes[1], axes[2]);
    for (int i = 0; i < 2; i++) {
        reach(box, axes[i], &low, &high);
        size[i] = high - low;
    }
}

enum status solid_init(struct solid *solid, const struct box *region,
                       const struct box *box, const struct solid_sight *sight,
                       double cell, double margin, struct error *error)
{
    double size[2], low[2] = { 0 }, high = 0;
    *solid = (struct solid){ .region = *region, .box = *box, .cell = cell };
    find_axes(sight, solid->across, solid->down, solid->into);
    solid_extent(box, sight, size);
    reach(box, solid->across, &low[0], &high);
    reach(box, solid->down, &low[1], &high);
    reach(box, solid->into, &solid->nearest, &solid->farthest);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        solid->projection.step[axis][0] = cell * solid->across[axis];
        solid->projection.step[axis][1] = cell * solid->down[axis];
    }
    for (int i = 0; i < 2; i++)
        solid->projection.origin[i] = margin - cell * low[i];
    double width = ceil(cell * size[0] + 2 * margin);
    double height = ceil(cell * size[1] + 2 * margin);
    if (!(width >= 1 && height >= 1 && width <= IMAGE_MAX_SIDE &&
          height <= IMAGE_MAX_SIDE))
        return error_set(error, STATUS_INPUT,
                         "a picture of %.0f x %.0f pixels: a side has 1 to "
                         "%d; choose a smaller --scale",
                         width, height, IMAGE_MAX_SIDE);
    solid->width = (int)width;
    solid->height = (int)height;
    solid->depth = need_memory((size_t)width * (size_t)height, sizeof(float));
    return STATUS_OK;
}

void solid_release(struct solid *solid)
{
    memory_release(solid->depth);
    solid->depth = NULL;
}

/* The state of a ray that goes from cell to cell. */
struct ray {
    int cell[GRID_AXES], step[GRID_AXES];
    double next[GRID_AXES]; /* `at` of its exit from the cell on each axis */
    double each[GRID_AXES]; /* from one cell face to the next */
    double at;              /* its entry into the cell */
    int face;               /* the axis of the face of entry */
};

/* The point at which it enters the box, if it does. `at` is 0 at `from`. */
static bool start(const struct solid *solid, const double from[GRID_AXES],
                  struct ray *ray)
{
    const struct box *box = &solid->box;
    double first = -INFINITY, last = INFINITY;
    ray->face = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double way = solid->into[axis];
        double low = box->low[axis] - .5, high = box->high[axis] + .5;
        if (fabs(way) < 1e-12) {
            if (from[axis] < low || from[axis] >= high)
                return false;
            continue;
        }
        double enters = ((way > 0 ? low : high) - from[axis]) / way;
        if (enters > first) {
            first = enters;
            ray->face = axis;
        }
        last = fmin(last, ((way > 0 ? high : low) - from[axis]) / way);
    }
    if (!(first < last))
        return false;
    ray->at = first;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double way = solid->into[axis], at = from[axis] + first * way;
        int cell = (int)floor(at + .5);
        cell = cell < box->low[axis] ? box->low[axis] : cell;
        cell = cell > box->high[axis] ? box->high[axis] : cell;
        bool moves = fabs(way) >= 1e-12;
        ray->cell[axis] = cell;
        ray->step[axis] = way > 0 ? 1 : -1;
        ray->each[axis] = moves ? 1 / fabs(way) : INFINITY;
        ray->next[axis] =
            moves ? (cell + .5 * ray->step[axis] - from[axis]) / way : INFINITY;
    }
    return true;
}

/* To the next cell; false if it leaves the box. */
static bool go_on(const struct solid *solid, struct ray *ray)
{
    int axis = ray->next[0] < ray->next[1] ? 0 : 1;
    axis = ray->next[2] < ray->next[axis] ? 2 : axis;
    ray->at = ray->next[axis];
    ray->next[axis] += ray->each[axis];
    ray->cell[axis] += ray->step[axis];
    ray->face = axis;
    return ray->cell[axis] >= solid->box.low[axis] &&
           ray->cell[axis] <= solid->box.high[axis];
}

static size_t index_of(const struct solid *solid, const int cell[GRID_AXES])
{
    const struct box *region = &solid->region;
    size_t nx = (size_t)(region->high[0] - region->low[0] + 1);
    size_t ny = (size_t)(region->high[1] - region->low[1] + 1);
    return ((size_t)(cell[2] - region->low[2]) * ny +
            (size_t)(cell[1] - region->low[1])) *
               nx +
           (size_t)(cell[0] - region->low[0]);
}

static bool is_opaque(const struct solid_field *field, size_t i)
{
    double value = field->values[i];
    if (field->wall[i] || field->rule == SOLID_WALLS)
        return field->wall[i] && field->rule == SOLID_WALLS;
    return field->rule == SOLID_UP_TO  ? value <= field->level
           : field->rule == SOLID_SIZE ? fabs(value) >= field->level
                                       : value >= field->level;
}

/* Common data of all rays of a picture. */
struct lighting {
    const struct solid *solid;
    const struct solid_field *field;
    const struct scale *scale;
    const struct ramp *ramp;
};

/* Walls drawn as a surface are light, because shades cannot be distinguished on
 * dark faces. */
static const uint8_t *color_of(const struct lighting *lighting, size_t i)
{
    static const uint8_t plaster[3] = { 222, 222, 222 };
    const struct solid_field *field = lighting->field;
    int level = scale_level(lighting->scale, field->values[i]);
    return field->rule == SOLID_WALLS
               ? plaster
               : lighting->ramp->colors[level < 0 ? 0 : level];
}

static double light_of(const struct solid *solid, const struct ray *ray)
{
    double part =
        (ray->at - solid->nearest) / (solid->farthest - solid->nearest);
    return face_light[ray->face] * (1 - fading * part);
}

/* Adds the cells that one ray meets to `color`, over `behind`; returns the
 * depth at which it ends. */
static double follow(const struct lighting *lighting,
                     const double from[GRID_AXES], const uint8_t *behind,
                     double color[3])
{
    const struct solid *solid = lighting->solid;
    const struct solid_field *field = lighting->field;
    struct ray ray;
    double left = 1, depth = INFINITY;
    bool inside = start(solid, from, &ray), in_wall = false;
    for (; inside && isinf(depth); inside = go_on(solid, &ray)) {
        size_t i = index_of(solid, ray.cell);
        bool wall =
            field->walls && field->wall[i] && field->rule != SOLID_WALLS;
        bool opaque = !wall && is_opaque(field, i);
        const uint8_t *own = lighting->ramp->wall;
        if (opaque) {
            own = color_of(lighting, i);
            depth = ray.at;
        }
        double part = opaque ? 1 : wall && !in_wall ? glass : 0;
        double light = part > 0 ? part * left * light_of(solid, &ray) : 0;
        for (int c = 0; c < 3 && part > 0; c++)
            color[c] += light * own[c];
        left *= 1 - part;
        in_wall = wall;
    }
    for (int c = 0; c < 3; c++)
        color[c] += left * behind[c];
    return depth;
}

/* The point of the picture at depth 0. */
static void from_pixel(const struct solid *solid, double x, double y,
                       double from[GRID_AXES])
{
    double right = (x - solid->projection.origin[0]) / solid->cell;
    double low = (y - solid->projection.origin[1]) / solid->cell;
    for (int axis = 0; axis < GRID_AXES; axis++)
        from[axis] = right * solid->across[axis] + low * solid->down[axis];
}

void solid_paint(struct solid *solid, const struct solid_field *field,
                 const struct scale *scale, const struct ramp *ramp,
                 struct image *image)
{
    const struct lighting lighting = { solid, field, scale, ramp };
    float *depth = solid->depth;
    solid->wall = field->wall;
    for (int y = 0; y < solid->height; y++)
        for (int x = 0; x < solid->width; x++, depth++) {
            uint8_t *pixel = image_at(image, x, y);
            double color[3] = { 0 }, nearest = INFINITY;
            for (int ray = 0; ray < RAYS * RAYS; ray++) {
                double from[GRID_AXES];
                from_pixel(solid, x + (ray % RAYS + .5) / RAYS,
                           y + (ray / RAYS + .5) / RAYS, from);
                nearest = fmin(nearest, follow(&lighting, from, pixel, color));
            }
            *depth = (float)nearest;
            for (int c = 0; c < 3; c++)
                pixel[c] = (uint8_t)(color[c] / (RAYS * RAYS) + .5);
        }
}

/* The corner that is farthest along the rays, or (sign −1) nearest. */
static int outermost(const struct solid *solid, double sign)
{
    int number = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        number |= (sign * solid->into[axis] > 0) << axis;
    return number;
}

void solid_edges(const struct solid *solid, bool behind, struct page *page,
                 double width)
{
    int far = outermost(solid, 1), near = outermost(solid, -1);
    for (int i = 0; i < 8; i++)
        for (int axis = 0; axis < GRID_AXES; axis++) {
            int j = i | 1 << axis;
            bool back = i == far || j == far, front = i == near || j == near;
            double ends[2][GRID_AXES], pixels[2][2];
            if (i == j || back != behind || (front && !back))
                continue;
            for (int end = 0; end < 2; end++) {
                corner_at(&solid->box, end ? j : i, ends[end]);
                projection_place(&solid->projection, ends[end], pixels[end]);
            }
            page_line(page, pixels[0], pixels[1], width);
        }
}

bool solid_holds(const struct solid *solid, const double world[GRID_AXES])
{
    const struct box *box = &solid->box;
    bool holds = true;
    for (int axis = 0; axis < GRID_AXES; axis++)
        holds = holds && world[axis] > box->low[axis] - 1 &&
                world[axis] < box->high[axis] + 1;
    return holds;
}

bool solid_hides(const struct solid *solid, const double world[GRID_AXES])
{
    double pixel[2];
    projection_place(&solid->projection, world, pixel);
    if (!(pixel[0] >= 0 && pixel[0] < solid->width && pixel[1] >= 0 &&
          pixel[1] < solid->height))
        return false;
    size_t i = (size_t)pixel[1] * (size_t)solid->width + (size_t)pixel[0];
    return along(solid->into, world) > (double)solid->depth[i];
}

double solid_ground(const struct solid *solid, const double world[GRID_AXES])
{
    const struct box *box = &solid->box;
    int cell[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double at = floor(world[axis] + .5);
        if (!(at >= box->low[axis] && at <= box->high[axis]))
            return world[2];
        cell[axis] = (int)at;
    }
    while (cell[2] < box->high[2]) {
        cell[2]++;
        if (solid->wall[index_of(solid, cell)])
            return cell[2] - .5;
    }
    return box->high[2] + .5;
}
