/* SPDX-License-Identifier: MIT */
#include "analysis/study/polyline.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <string.h>

double polyline_distance(const double a[GRID_AXES], const double b[GRID_AXES])
{
    double square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        square += (b[axis] - a[axis]) * (b[axis] - a[axis]);
    return sqrt(square);
}

/* The point at a fraction of the piece from a to b. */
static void point_at(const double a[GRID_AXES], const double b[GRID_AXES],
                     double share, double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = a[axis] + share * (b[axis] - a[axis]);
}

void polyline_add(struct polyline *line, const double at[GRID_AXES])
{
    const double *last = line->count ? line->points[line->count - 1] : NULL;
    if (last && last[0] == at[0] && last[1] == at[1] && last[2] == at[2])
        return;
    double(*points)[GRID_AXES] =
        need_more(line->points, line->count, &line->room, sizeof *points);
    line->points = points;
    memcpy(line->points[line->count++], at, sizeof *points);
}

void polyline_release(struct polyline *line)
{
    memory_release(line->points);
    *line = (struct polyline){ 0 };
}

double polyline_length(const struct polyline *line)
{
    double length = 0;
    for (size_t i = 1; i < line->count; i++)
        length += polyline_distance(line->points[i - 1], line->points[i]);
    return length;
}

/* The fraction of the piece at its next border x + ½ between cells, after the
 * fraction `from`. */
static double next_cut(double start, double way, double from)
{
    if (way == 0)
        return 1;
    double at = start + from * way + 0.5;
    double border = way > 0 ? floor(at) + 1 : ceil(at) - 1;
    double share = (border - 0.5 - start) / way;
    /* Because of rounding, `from` may be just before its own border. */
    if (share <= from)
        share = (border + (way > 0 ? 1 : -1) - 0.5 - start) / way;
    return share < 1 ? share : 1;
}

/* The free cell at a point, of several that meet there the fastest; SIZE_MAX:
 * there is none. */
static size_t cell_at(const struct terrain *terrain, const double at[GRID_AXES])
{
    const struct grid *grid = &terrain->grid;
    int low[GRID_AXES], high[GRID_AXES];
    size_t best = SIZE_MAX;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double place = at[axis] + 0.5;
        high[axis] = (int)floor(place);
        low[axis] = high[axis] - (place == floor(place));
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++) {
                if (!grid_holds(grid, x, y, z))
                    continue;
                size_t cell = grid_index(grid, x, y, z);
                if (!terrain->wall[cell] &&
                    (best == SIZE_MAX ||
                     (terrain->speed &&
                      terrain->speed[cell] > terrain->speed[best])))
                    best = cell;
            }
    return best;
}

/* The next part of the piece from a to b, after the fraction `from`: its end,
 * and the cell that it crosses. */
static double next_part(const double a[GRID_AXES], const double b[GRID_AXES],
                        double from, const struct terrain *terrain,
                        size_t *cell)
{
    double to = 1, at[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        to = fmin(to, next_cut(a[axis], b[axis] - a[axis], from));
    point_at(a, b, (from + to) / 2, at);
    *cell = cell_at(terrain, at);
    return to;
}

static double speed_of(const struct terrain *terrain, size_t cell)
{
    return terrain->speed && cell != SIZE_MAX ? terrain->speed[cell] : 1;
}

double polyline_time(const struct polyline *line, const struct terrain *terrain)
{
    double sum = 0;
    for (size_t i = 1; i < line->count; i++) {
        const double *a = line->points[i - 1], *b = line->points[i];
        double length = polyline_distance(a, b), time = 0;
        for (double from = 0, to; from < 1; from = to) {
            size_t cell;
            to = next_part(a, b, from, terrain, &cell);
            time += length * (to - from) / speed_of(terrain, cell);
        }
        sum += time;
    }
    return sum;
}

void polyline_add_shares(const struct polyline *line,
                         const struct terrain *terrain, const int32_t *area,
                         struct polyline_share *shares)
{
    for (size_t i = 1; i < line->count; i++) {
        const double *a = line->points[i - 1], *b = line->points[i];
        double length = polyline_distance(a, b);
        for (double from = 0, to; from < 1; from = to) {
            size_t cell;
            to = next_part(a, b, from, terrain, &cell);
            if (cell == SIZE_MAX)
                continue;
            struct polyline_share *share = &shares[area[cell]];
            share->length += length * (to - from);
            share->time += length * (to - from) / speed_of(terrain, cell);
        }
    }
}

static double to_piece(const double at[GRID_AXES], const double a[GRID_AXES],
                       const double b[GRID_AXES])
{
    double square = 0, along = 0, nearest[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        square += (b[axis] - a[axis]) * (b[axis] - a[axis]);
        along += (at[axis] - a[axis]) * (b[axis] - a[axis]);
    }
    point_at(a, b, square > 0 ? fmin(fmax(along / square, 0), 1) : 0, nearest);
    return polyline_distance(at, nearest);
}

static double to_line(const double at[GRID_AXES], const struct polyline *line)
{
    double least = to_piece(at, line->points[0], line->points[0]);
    for (size_t i = 1; i < line->count; i++)
        least = fmin(least, to_piece(at, line->points[i - 1], line->points[i]));
    return least;
}

/* The maximum distance of points of `a` from `b`. */
static double one_way(const struct polyline *a, const struct polyline *b,
                      double spacing)
{
    double most = to_line(a->points[0], b);
    for (size_t i = 1; i < a->count; i++) {
        const double *from = a->points[i - 1], *to = a->points[i];
        int parts = (int)fmax(ceil(polyline_distance(from, to) / spacing), 1);
        for (int p = 1; p <= parts; p++) {
            double at[GRID_AXES];
            point_at(from, to, (double)p / parts, at);
            most = fmax(most, to_line(at, b));
        }
    }
    return most;
}

double polyline_hausdorff(const struct polyline *a, const struct polyline *b,
                          double spacing)
{
    return fmax(one_way(a, b, spacing), one_way(b, a, spacing));
}
