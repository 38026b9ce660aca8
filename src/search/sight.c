/* SPDX-License-Identifier: MIT */
/* A walk along the line from one crossing of a cell face to the next
 * (Amanatides and Woo 1987), over a set of cells instead of one: a line in the
 * faces between cells passes up to four cells at a time, and continues while
 * one of them is free. */
#include "search/sight.h"

#include <math.h>

enum { LANES = 8 }; /* bit i of a lane: it is beyond the face on axis i */

struct line {
    const struct terrain *terrain;
    double from[GRID_AXES], step[GRID_AXES]; /* b − a */
    int cell[GRID_AXES];                     /* of lane 0 */
    int ahead[GRID_AXES];                    /* −1, 0, 1 */
    bool split[GRID_AXES]; /* the line is in the face on this axis */
    bool lane[LANES];      /* the line continues through it */
};

static bool is_free(const struct line *line, const int cell[GRID_AXES])
{
    const struct grid *grid = &line->terrain->grid;
    return grid_holds(grid, cell[0], cell[1], cell[2]) &&
           !line->terrain->wall[grid_index(grid, cell[0], cell[1], cell[2])];
}

static bool lane_used(const struct line *line, int lane)
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        if ((lane >> axis & 1) && !line->split[axis])
            return false;
    return true;
}

static void lane_cell(const struct line *line, int lane, int cell[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        cell[axis] = line->cell[axis] + (lane >> axis & 1);
}

/* Lanes that share a face with a lane that is passed are passed too, if
 * free. */
static void join_lanes(struct line *line)
{
    for (int round = 0; round < 2; round++)
        for (int lane = 0; lane < LANES; lane++)
            for (int axis = 0; axis < GRID_AXES && line->lane[lane]; axis++) {
                int cell[GRID_AXES], other = lane ^ 1 << axis;
                lane_cell(line, other, cell);
                if (lane_used(line, other) && is_free(line, cell))
                    line->lane[other] = true;
            }
}

/* Can the axes in `due` be stepped along from `cell` in some order? */
static bool step_free(const struct line *line, const int cell[GRID_AXES],
                      int due)
{
    if (due == 0)
        return true;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int next[GRID_AXES] = { cell[0], cell[1], cell[2] };
        next[axis] += line->ahead[axis];
        if ((due >> axis & 1) && is_free(line, next) &&
            step_free(line, next, due ^ 1 << axis))
            return true;
    }
    return false;
}

/* All lanes step along the axes in `due`; false if none passes. */
static bool cross(struct line *line, int due)
{
    bool any = false;
    for (int lane = 0; lane < LANES; lane++) {
        int cell[GRID_AXES];
        lane_cell(line, lane, cell);
        line->lane[lane] = line->lane[lane] && step_free(line, cell, due);
        any |= line->lane[lane];
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (due >> axis & 1)
            line->cell[axis] += line->ahead[axis];
    join_lanes(line);
    return any;
}

/* The axes whose next faces the line meets first; 0 if it ends before. A face
 * is met at t = (face − from) / step; fractions are compared by
 * cross-multiplication, exactly for whole multiples of ½. */
static int next_axes(const struct line *line)
{
    int due = 0;
    double distance = 1, whole = 1; /* t = distance / whole, at first the end */
    for (int axis = 0; axis < GRID_AXES; axis++) {
        if (line->ahead[axis] == 0)
            continue;
        double face = line->cell[axis] + 0.5 * line->ahead[axis];
        double d = fabs(face - line->from[axis]), w = fabs(line->step[axis]);
        double order = d * whole - distance * w;
        if (order < 0) {
            distance = d;
            whole = w;
            due = 1 << axis;
        } else if (order == 0 && due != 0) {
            due |= 1 << axis;
        }
    }
    return due;
}

static void line_start(struct line *line, const double a[GRID_AXES],
                       const double b[GRID_AXES])
{
    int dims = line->terrain->grid.dims;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double from = axis < dims ? a[axis] : 0;
        double step = axis < dims ? b[axis] - a[axis] : 0;
        bool on_face = from + 0.5 == floor(from + 0.5);
        line->from[axis] = from;
        line->step[axis] = step;
        line->ahead[axis] = (step > 0) - (step < 0);
        line->cell[axis] = (int)floor(from + 0.5);
        line->split[axis] = on_face && step == 0;
        if (on_face && step <= 0)
            line->cell[axis]--; /* a face belongs to the cell that is entered */
    }
    for (int lane = 0; lane < LANES; lane++) {
        int cell[GRID_AXES];
        lane_cell(line, lane, cell);
        line->lane[lane] = lane_used(line, lane) && is_free(line, cell);
    }
}

bool search_in_sight(const struct terrain *terrain, const double a[GRID_AXES],
                     const double b[GRID_AXES])
{
    struct line line = { .terrain = terrain };
    bool any = false;
    int due;
    line_start(&line, a, b);
    for (int lane = 0; lane < LANES; lane++)
        any |= line.lane[lane];
    while (any && (due = next_axes(&line)) != 0)
        any = cross(&line, due);
    return any;
}

size_t search_line_cells(const struct terrain *terrain,
                         const double a[GRID_AXES], const double b[GRID_AXES],
                         int32_t *cells, size_t most)
{
    struct line line = { .terrain = terrain };
    size_t count = 0;
    line_start(&line, a, b);
    for (int due = 0;; count++) {
        int lane = 0, cell[GRID_AXES];
        while (lane < LANES && !line.lane[lane])
            lane++;
        if (lane == LANES)
            return count;
        lane_cell(&line, lane, cell);
        if (count < most)
            cells[count] =
                (int32_t)grid_index(&terrain->grid, cell[0], cell[1], cell[2]);
        due = next_axes(&line);
        if (due == 0)
            return count + 1;
        cross(&line, due);
    }
}
