/* SPDX-License-Identifier: MIT */
#include "polyline.h"

#include "base/memory.h"

#include <math.h>

enum status polyline_add(struct polyline *line, const double at[2],
                         struct error *error)
{
    if (line->count && line->points[line->count - 1][0] == at[0] &&
        line->points[line->count - 1][1] == at[1])
        return STATUS_OK;
    if (line->count == line->room) {
        size_t room = line->room ? 2 * line->room : 256;
        double(*points)[2] =
            memory_grow(line->points, line->count, room, sizeof *line->points);
        if (!points)
            return error_memory(error);
        line->points = points;
        line->room = room;
    }
    line->points[line->count][0] = at[0];
    line->points[line->count++][1] = at[1];
    return STATUS_OK;
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
        length += hypot(line->points[i][0] - line->points[i - 1][0],
                        line->points[i][1] - line->points[i - 1][1]);
    return length;
}

/* The share of the piece at which it next comes to a line x + ½ (y + ½)
 * between cells, behind the share `from`. */
static double next_cut(double start, double way, double from)
{
    if (way == 0)
        return 1;
    double at = start + from * way + 0.5;
    double line = way > 0 ? floor(at) + 1 : ceil(at) - 1;
    double share = (line - 0.5 - start) / way;
    /* Rounding may have left `from` on this side of its own line. */
    if (share <= from)
        share = (line + (way > 0 ? 1 : -1) - 0.5 - start) / way;
    return share < 1 ? share : 1;
}

/* The speed at a point; the fastest free cell's where it lies between cells. */
static double speed_at(const struct terrain *terrain, const double at[2])
{
    const struct grid *grid = &terrain->grid;
    double fastest = 0;
    int low[2], high[2];
    for (int axis = 0; axis < 2; axis++) {
        double place = at[axis] + 0.5;
        high[axis] = (int)floor(place);
        low[axis] = high[axis] - (place == floor(place));
    }
    for (int y = low[1]; terrain->speed && y <= high[1]; y++)
        for (int x = low[0]; x <= high[0]; x++) {
            if (!grid_holds(grid, x, y, 0))
                continue;
            size_t cell = grid_index(grid, x, y, 0);
            if (!terrain->wall[cell])
                fastest = fmax(fastest, terrain->speed[cell]);
        }
    return fastest > 0 ? fastest : 1;
}

static double piece_time(const double a[2], const double b[2],
                         const struct terrain *terrain)
{
    double way[2] = { b[0] - a[0], b[1] - a[1] };
    double length = hypot(way[0], way[1]), time = 0;
    for (double from = 0; from < 1;) {
        double to =
            fmin(next_cut(a[0], way[0], from), next_cut(a[1], way[1], from));
        double middle = (from + to) / 2;
        double at[2] = { a[0] + middle * way[0], a[1] + middle * way[1] };
        time += length * (to - from) / speed_at(terrain, at);
        from = to;
    }
    return time;
}

double polyline_time(const struct polyline *line, const struct terrain *terrain)
{
    double time = 0;
    for (size_t i = 1; i < line->count; i++)
        time += piece_time(line->points[i - 1], line->points[i], terrain);
    return time;
}

static double to_piece(const double at[2], const double a[2], const double b[2])
{
    double way[2] = { b[0] - a[0], b[1] - a[1] };
    double square = way[0] * way[0] + way[1] * way[1];
    double share =
        square > 0
            ? ((at[0] - a[0]) * way[0] + (at[1] - a[1]) * way[1]) / square
            : 0;
    share = fmin(fmax(share, 0), 1);
    return hypot(at[0] - a[0] - share * way[0], at[1] - a[1] - share * way[1]);
}

static double to_line(const double at[2], const struct polyline *line)
{
    double least = to_piece(at, line->points[0], line->points[0]);
    for (size_t i = 1; i < line->count; i++)
        least = fmin(least, to_piece(at, line->points[i - 1], line->points[i]));
    return least;
}

/* The farthest that points of `a` lie from `b`. */
static double one_way(const struct polyline *a, const struct polyline *b,
                      double spacing)
{
    double most = to_line(a->points[0], b);
    for (size_t i = 1; i < a->count; i++) {
        const double *from = a->points[i - 1], *to = a->points[i];
        double length = hypot(to[0] - from[0], to[1] - from[1]);
        int parts = (int)fmax(ceil(length / spacing), 1);
        for (int p = 1; p <= parts; p++) {
            double share = (double)p / parts;
            double at[2] = { from[0] + share * (to[0] - from[0]),
                             from[1] + share * (to[1] - from[1]) };
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
