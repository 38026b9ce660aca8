/* SPDX-License-Identifier: MIT */
#include "draw/figure/solid.h"

#include "base/memory.h"
#include "base/need.h"
#include "draw/figure/surface.h"

#include <math.h>

/* The fraction of the background that a wall's face hides; rays a pixel on each
 * axis; how much darker the farthest cell is than the nearest. */
static const double glass = .2, fading = .4;
enum { RAYS = 2 };

/* Rows of pixels for which the smooth surface is kept at a time; how much
 * nearer it counts than the face of a wall at the same depth, in cells. */
enum { BAND = 32 };
static const double before_walls = 1e-3;

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

/* The point at which a ray meets the smooth surface. */
struct hit {
    float depth; /* INFINITY: it does not */
    float light, value;
};

/* Common data of all rays of a picture. */
struct lighting {
    const struct solid *solid;
    const struct solid_field *field;
    const struct scale *scale;
    const struct ramp *ramp;
    struct surface surface; /* if it is smooth */
    struct hit *hits; /* of the present BAND rows; NULL: it is not smooth */
    int top;          /* the first of them */
};

/* Walls drawn as a surface are light, because shades cannot be distinguished on
 * dark faces. */
static const uint8_t *color_of(const struct lighting *lighting, double value)
{
    static const uint8_t plaster[3] = { 222, 222, 222 };
    int level = scale_level(lighting->scale, value);
    return lighting->field->rule == SOLID_WALLS
               ? plaster
               : lighting->ramp->colors[level < 0 ? 0 : level];
}

/* Farther points are darker. */
static double fade(const struct solid *solid, double depth)
{
    return 1 - fading * (depth - solid->nearest) /
                   (solid->farthest - solid->nearest);
}

/* A ray's colour, from the front to the back. */
struct sight_line {
    double *color;
    double left; /* the part that is not hidden yet */
};

static void add_color(struct sight_line *line, double part, double light,
                      const uint8_t *own)
{
    for (int c = 0; c < 3; c++)
        line->color[c] += part * line->left * light * own[c];
    line->left *= 1 - part;
}

static double light_at(const struct solid *solid, const struct ray *ray)
{
    return face_light[ray->face] * fade(solid, ray->at);
}

/* The cells that a ray meets before `end`, where the surface is; returns the
 * depth at which it ends. */
static double follow_cells(const struct lighting *lighting,
                           const double from[GRID_AXES], double end,
                           struct sight_line *line)
{
    const struct solid *solid = lighting->solid;
    const struct solid_field *field = lighting->field;
    struct ray ray;
    bool inside = start(solid, from, &ray), in_wall = false;
    for (; inside && ray.at < end - before_walls; inside = go_on(solid, &ray)) {
        size_t i = index_of(solid, ray.cell);
        bool wall =
            field->walls && field->wall[i] && field->rule != SOLID_WALLS;
        if (!wall && !field->smooth && is_opaque(field, i)) {
            add_color(line, 1, light_at(solid, &ray),
                      color_of(lighting, field->values[i]));
            return ray.at;
        }
        if (wall && !in_wall)
            add_color(line, glass, light_at(solid, &ray), lighting->ramp->wall);
        in_wall = wall;
    }
    return end;
}

/* Adds all that one ray meets to `color`, over `behind`; returns the depth at
 * which it ends. `hit`: on the smooth surface, or NULL. */
static double follow(const struct lighting *lighting,
                     const double from[GRID_AXES], const struct hit *hit,
                     const uint8_t *behind, double color[3])
{
    const struct solid_field *field = lighting->field;
    struct sight_line line = { color, 1 };
    double depth = hit ? (double)hit->depth : INFINITY;
    if (!hit || field->walls)
        depth = follow_cells(lighting, from, depth, &line);
    if (hit && isfinite(depth))
        add_color(&line, 1, (double)hit->light * fade(lighting->solid, depth),
                  color_of(lighting, (double)hit->value));
    add_color(&line, 1, 1, behind);
    return depth;
}

/* ---- the smooth surface ---- */

/* A surface is brightest where it faces the light, which comes from above, from
 * the viewer's left and from the viewer. */
static double light_on(const struct solid *solid,
                       const double normal[GRID_AXES])
{
    double toward = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        toward -=
            normal[axis] * (.45 * solid->across[axis] + .4 * solid->into[axis] +
                            (axis == 2 ? .8 : 0));
    return .45 + .55 * fmin(fmax(toward, 0), 1);
}

/* A corner as seen: its place in rays across and down the picture, depth. */
static void see_corner(const struct solid *solid,
                       const struct surface_corner *corner, double at[3])
{
    projection_place(&solid->projection, corner->at, at);
    for (int i = 0; i < 2; i++)
        at[i] = RAYS * at[i] - .5;
    at[2] = along(solid->into, corner->at);
}

/* The ray's hit on a triangle, by the shares of its corners. */
static void hit_triangle(const struct solid *solid,
                         const struct surface_corner *const corners[3],
                         const double seen[3][3], const double shares[3],
                         struct hit *hit)
{
    double depth = 0, value = 0, normal[GRID_AXES] = { 0 }, square = 0;
    for (int i = 0; i < 3; i++)
        depth += shares[i] * seen[i][2];
    if (!(depth < (double)hit->depth))
        return;
    for (int i = 0; i < 3; i++) {
        value += shares[i] * corners[i]->value;
        for (int axis = 0; axis < GRID_AXES; axis++)
            normal[axis] += shares[i] * corners[i]->normal[axis];
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        square += normal[axis] * normal[axis];
    for (int axis = 0; axis < GRID_AXES && square > 0; axis++)
        normal[axis] /= sqrt(square);
    *hit = (struct hit){ (float)depth, (float)light_on(solid, normal),
                         (float)value };
}

/* All rays of the present rows through one triangle. */
static void hit_from(struct lighting *lighting, const size_t triangle[3])
{
    const struct solid *solid = lighting->solid;
    const struct surface_corner *corners[3];
    double seen[3][3], low[2] = { INFINITY, INFINITY }, high[2] = { -1, -1 };
    const int top = RAYS * lighting->top, width = RAYS * solid->width;
    for (int i = 0; i < 3; i++) {
        corners[i] = &lighting->surface.corners[triangle[i]];
        see_corner(solid, corners[i], seen[i]);
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], seen[i][k]);
            high[k] = fmax(high[k], seen[i][k]);
        }
    }
    double area = (seen[1][0] - seen[0][0]) * (seen[2][1] - seen[0][1]) -
                  (seen[1][1] - seen[0][1]) * (seen[2][0] - seen[0][0]);
    if (area == 0 || high[1] < top || low[1] >= top + RAYS * BAND)
        return;
    int first = (int)fmax(ceil(low[1]), top);
    int last = (int)fmin(floor(high[1]), top + RAYS * BAND - 1);
    for (int y = first; y <= last; y++)
        for (int x = (int)fmax(ceil(low[0]), 0);
             x <= (int)fmin(floor(high[0]), width - 1); x++) {
            double shares[3];
            bool inside = true;
            for (int i = 0; i < 3; i++) {
                const double *a = seen[(i + 1) % 3], *b = seen[(i + 2) % 3];
                shares[i] =
                    ((a[0] - x) * (b[1] - y) - (a[1] - y) * (b[0] - x)) / area;
                inside = inside && shares[i] >= -1e-9;
            }
            if (inside)
                hit_triangle(solid, corners, (const double(*)[3])seen, shares,
                             &lighting->hits[(size_t)(y - top) * (size_t)width +
                                             (size_t)x]);
        }
}

static void begin_band(struct lighting *lighting, int top)
{
    size_t rays = (size_t)RAYS * BAND * RAYS * (size_t)lighting->solid->width;
    lighting->top = top;
    for (size_t i = 0; i < rays; i++)
        lighting->hits[i].depth = INFINITY;
    for (size_t i = 0; i < lighting->surface.triangle_count; i++)
        hit_from(lighting, lighting->surface.triangles[i]);
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

static void paint_pixel(const struct lighting *lighting, int x, int y,
                        uint8_t *pixel, float *depth)
{
    double color[3] = { 0 }, nearest = INFINITY;
    const size_t width = RAYS * (size_t)lighting->solid->width;
    for (int ray = 0; ray < RAYS * RAYS; ray++) {
        double from[GRID_AXES];
        int column = RAYS * x + ray % RAYS;
        int row = RAYS * (y - lighting->top) + ray / RAYS;
        const struct hit *hit =
            lighting->hits
                ? &lighting->hits[(size_t)row * width + (size_t)column]
                : NULL;
        from_pixel(lighting->solid, x + (ray % RAYS + .5) / RAYS,
                   y + (ray / RAYS + .5) / RAYS, from);
        nearest = fmin(nearest, follow(lighting, from, hit, pixel, color));
    }
    *depth = (float)nearest;
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)(color[c] / (RAYS * RAYS) + .5);
}

void solid_paint(struct solid *solid, const struct solid_field *field,
                 const struct scale *scale, const struct ramp *ramp,
                 struct image *image)
{
    struct lighting lighting = {
        .solid = solid, .field = field, .scale = scale, .ramp = ramp
    };
    float *depth = solid->depth;
    solid->wall = field->wall;
    if (field->smooth) {
        surface_find(&lighting.surface, field, &solid->region, &solid->box);
        lighting.hits = need_memory((size_t)RAYS * BAND * (size_t)solid->width,
                                    RAYS * sizeof *lighting.hits);
    }
    for (int y = 0; y < solid->height; y++) {
        if (field->smooth && y % BAND == 0)
            begin_band(&lighting, y);
        for (int x = 0; x < solid->width; x++, depth++)
            paint_pixel(&lighting, x, y, image_at(image, x, y), depth);
    }
    surface_release(&lighting.surface);
    memory_release(lighting.hits);
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
