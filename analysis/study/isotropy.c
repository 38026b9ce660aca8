/* SPDX-License-Identifier: MIT */
#include "analysis/study/isotropy.h"

#include "base/memory.h"
#include "base/need.h"
#include "search/search.h"
#include "view/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct isotropy_section isotropy_sections[ISOTROPY_SECTIONS] = {
    { "z = 0", { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } },
    { "y = 0", { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } },
    { "x = 0", { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    { "x = y", { 1, -1, 0 }, { 1, 1, 0 }, { 0, 0, 1 } },
    { "x = -y", { 1, 1, 0 }, { 1, -1, 0 }, { 0, 0, 1 } },
    { "x = z", { 1, 0, -1 }, { 1, 0, 1 }, { 0, 1, 0 } },
    { "x = -z", { 1, 0, 1 }, { 1, 0, -1 }, { 0, 1, 0 } },
    { "y = z", { 0, 1, -1 }, { 0, 1, 1 }, { 1, 0, 0 } },
    { "y = -z", { 0, 1, 1 }, { 0, 1, -1 }, { 1, 0, 0 } },
};

/* The position of a cell in polar coordinates about the source. */
static void polar_of(const struct isotropy *isotropy, size_t cell,
                     double offset[GRID_AXES], double *radius)
{
    int at[GRID_AXES], source[GRID_AXES];
    grid_cell(&isotropy->terrain->grid, cell, at);
    grid_cell(&isotropy->terrain->grid, isotropy->source, source);
    offset[0] = at[0] - source[0];
    offset[1] = source[1] - at[1];
    offset[2] = source[2] - at[2];
    *radius = hypot(hypot(offset[0], offset[1]), offset[2]);
}

/* The angle between the heading and the direction to the source. */
static double astray_at(const struct isotropy *isotropy, size_t cell)
{
    double offset[GRID_AXES], radius;
    polar_of(isotropy, cell, offset, &radius);
    /* y and z point downwards again */
    double toward[GRID_AXES] = { -offset[0], offset[1], offset[2] };
    double error = heading_error(isotropy->heading[cell], toward);
    return isnan(error) ? 0 : error;
}

/* Visits the cells of a ring or a shell, row by row. */
struct walk {
    const struct isotropy *isotropy;
    double ring;
    int source[GRID_AXES], x, y, z;
    int hole, end; /* columns of the row: the inner radius, the outer radius */
    size_t cell;   /* the present cell, its distance from the source */
    double offset[GRID_AXES], radius;
};

/* Half a ball's width in this row, in whole cells; 0 if it does not reach the
 * row. */
static int half_width(double radius, double dy, double dz)
{
    double square = radius * radius - dy * dy - dz * dz;
    return radius > 0 && square > 0 ? (int)sqrt(square) : 0;
}

/* Starts before the row's first cell; with a cell's margin on both sides for
 * rounding. */
static void enter_row(struct walk *walk, int y)
{
    double dy = y - walk->source[1], dz = walk->z - walk->source[2];
    walk->y = y;
    walk->hole = half_width(walk->ring - 2, dy, dz);
    walk->end = half_width(walk->ring + 2, dy, dz);
    walk->x = walk->source[0] - walk->end - 1;
    if (walk->x < -1)
        walk->x = -1;
}

/* The first row or layer along an axis that may have cells of the ring. */
static int first_of(const struct walk *walk, int axis)
{
    return (int)fmax(walk->source[axis] - ceil(walk->ring + 1), 0);
}

/* The index after the last one. */
static int end_of(const struct walk *walk, int axis, int extent)
{
    return (int)fmin(walk->source[axis] + floor(walk->ring + 1) + 1, extent);
}

static struct walk walk_round(const struct isotropy *isotropy, double ring)
{
    struct walk walk = { .isotropy = isotropy, .ring = ring };
    grid_cell(&isotropy->terrain->grid, isotropy->source, walk.source);
    walk.z = first_of(&walk, 2);
    enter_row(&walk, first_of(&walk, 1));
    return walk;
}

/* False after the last cell. */
static bool walk_next(struct walk *walk)
{
    const struct grid *grid = &walk->isotropy->terrain->grid;
    const int layers = end_of(walk, 2, grid->nz);
    const int rows = end_of(walk, 1, grid->ny);
    while (walk->z < layers) {
        walk->x++;
        if (abs(walk->x - walk->source[0]) < walk->hole)
            walk->x = walk->source[0] + walk->hole;
        if (walk->x >= grid->nx || walk->x > walk->source[0] + walk->end) {
            bool last = walk->y + 1 >= rows;
            walk->z += last;
            enter_row(walk, last ? first_of(walk, 1) : walk->y + 1);
            continue;
        }
        walk->cell = grid_index(grid, walk->x, walk->y, walk->z);
        polar_of(walk->isotropy, walk->cell, walk->offset, &walk->radius);
        if (fabs(walk->radius - walk->ring) <= 1)
            return true;
    }
    return false;
}

/* T and r where the line from the source through the walk's cell crosses the
 * plane `k` cells away along its longest axis: interpolated linearly along the
 * other axes. Times are INFINITY outside the map. */
struct crossing {
    double time, radius;
};

static struct crossing crossing_at(const struct walk *walk, int longest, int k)
{
    const struct isotropy *isotropy = walk->isotropy;
    const struct grid *grid = &isotropy->terrain->grid;
    int cell[GRID_AXES], offset[GRID_AXES], low[GRID_AXES];
    double part[GRID_AXES];
    grid_cell(grid, walk->cell, cell);
    for (int axis = 0; axis < GRID_AXES; axis++)
        offset[axis] = cell[axis] - walk->source[axis];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        /* offset·k is a whole number, so a cell on the line is met exactly. */
        double at = (double)offset[axis] * k / abs(offset[longest]);
        low[axis] = (int)floor(at);
        part[axis] = at - low[axis];
    }
    struct crossing crossing = { 0 };
    for (unsigned corner = 0; corner < 1U << GRID_AXES; corner++) {
        double weight = 1, square = 0;
        int at[GRID_AXES];
        for (int axis = 0; axis < GRID_AXES; axis++) {
            const int up = corner >> axis & 1U;
            double along = low[axis] + up;
            weight *= up ? part[axis] : 1 - part[axis];
            square += along * along;
            at[axis] = walk->source[axis] + low[axis] + up;
        }
        if (weight <= 0)
            continue;
        crossing.radius += weight * sqrt(square);
        crossing.time +=
            grid_holds(grid, at[0], at[1], at[2])
                ? weight * isotropy->time[grid_index(grid, at[0], at[1], at[2])]
                : INFINITY;
    }
    return crossing;
}

/* The radius of the front at `time` in the direction of the walk's cell; NaN
 * if it lies beyond the map or the cells that the front reached. */
static double front_at(const struct walk *walk, double time)
{
    if (walk->isotropy->proportional)
        return walk->radius * time / walk->isotropy->time[walk->cell];
    int longest = 0;
    for (int axis = 1; axis < GRID_AXES; axis++)
        if (fabs(walk->offset[axis]) > fabs(walk->offset[longest]))
            longest = axis;
    int k = (int)fabs(walk->offset[longest]);
    if (k == 0) /* the source is in no direction */
        return NAN;
    struct crossing in = crossing_at(walk, longest, k), out = in;
    while (k > 0 && in.time > time) {
        out = in;
        in = crossing_at(walk, longest, --k);
    }
    while (out.time <= time) {
        in = out;
        out = crossing_at(walk, longest, ++k);
    }
    if (in.time > time || isinf(out.time))
        return NAN;
    return in.radius +
           (out.radius - in.radius) * (time - in.time) / (out.time - in.time);
}

/* The mean time of the ring; NAN if it is empty, or not all reached. */
static double mean_time(const struct isotropy *isotropy, double radius,
                        size_t *count)
{
    struct walk walk = walk_round(isotropy, radius);
    double sum = 0;
    for (*count = 0; walk_next(&walk); ++*count)
        sum += isotropy->time[walk.cell];
    return *count && isfinite(sum) ? sum / (double)*count : (double)NAN;
}

/* The number of axes of the diagonal on which the offset is exactly; 0: on
 * none. */
static int axes_of(const double offset[GRID_AXES])
{
    double largest = 0;
    int axes = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        largest = fmax(largest, fabs(offset[axis]));
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (offset[axis] != 0 && fabs(offset[axis]) < largest)
            return 0;
        else
            axes += offset[axis] != 0;
    return axes;
}

bool isotropy_ring(const struct isotropy *isotropy, double radius,
                   struct ring *ring)
{
    double along[1 + GRID_AXES] = { 0 }, count[1 + GRID_AXES] = { 0 };
    *ring = (struct ring){ .low = INFINITY, .high = -INFINITY };
    ring->mean_time = mean_time(isotropy, radius, &ring->cells);
    if (isnan(ring->mean_time))
        return false;
    struct walk walk = walk_round(isotropy, radius);
    double sum = 0, squares = 0;
    while (walk_next(&walk)) {
        double rho = front_at(&walk, ring->mean_time);
        double error = astray_at(isotropy, walk.cell);
        int axes = axes_of(walk.offset);
        along[axes] += rho;
        count[axes]++;
        sum += rho;
        squares += error * error;
        ring->low = fmin(ring->low, rho);
        ring->high = fmax(ring->high, rho);
        ring->worst = fmax(ring->worst, error);
    }
    if (isnan(sum))
        return false;
    ring->mean = sum / (double)ring->cells;
    ring->anisotropy = (ring->high - ring->low) / ring->mean;
    ring->rms = sqrt(squares / (double)ring->cells);
    for (int axes = 1; axes <= GRID_AXES; axes++)
        ring->along[axes - 1] =
            count[axes] > 0 ? along[axes] / count[axes] : (double)NAN;
    return true;
}

static double product(const double offset[GRID_AXES],
                      const int along[GRID_AXES])
{
    return offset[0] * along[0] + offset[1] * along[1] + offset[2] * along[2];
}

static double length_of(const int along[GRID_AXES])
{
    return sqrt(along[0] * along[0] + along[1] * along[1] +
                along[2] * along[2]);
}

bool isotropy_angles(const struct isotropy *isotropy,
                     const struct isotropy_section *section, double radius,
                     double rho[ISOTROPY_BINS], double error[ISOTROPY_BINS])
{
    const double across = length_of(section->across);
    const double right = length_of(section->right);

    const double turn = 2 * acos(-1);
    size_t count[ISOTROPY_BINS] = { 0 }, all;
    double time = mean_time(isotropy, radius, &all);
    for (int b = 0; b < ISOTROPY_BINS; b++)
        rho[b] = error[b] = 0;
    if (isnan(time))
        return false;
    for (struct walk walk = walk_round(isotropy, radius); walk_next(&walk);) {
        if (fabs(product(walk.offset, section->across)) > across)
            continue;
        double angle = atan2(product(walk.offset, section->up),
                             product(walk.offset, section->right) / right) /
                       turn;
        int bin = (int)lround((angle + 1) * ISOTROPY_BINS) % ISOTROPY_BINS;
        double e = astray_at(isotropy, walk.cell);
        rho[bin] += front_at(&walk, time);
        error[bin] += e * e;
        count[bin]++;
    }
    for (int b = 0; b < ISOTROPY_BINS; b++) {
        rho[b] = count[b] ? rho[b] / (double)count[b] : (double)NAN;
        error[b] = count[b] ? sqrt(error[b] / (double)count[b]) : (double)NAN;
    }
    return true;
}

void isotropy_hammer(const double direction[GRID_AXES], double at[2])
{
    double length = hypot(hypot(direction[0], direction[1]), direction[2]);
    double sine = direction[2] / length,
           cosine = sqrt(1 - fmin(sine * sine, 1));
    double half = atan2(direction[1], direction[0]) / 2;
    double scale = sqrt(2 / (1 + cosine * cos(half)));
    at[0] = 2 * scale * cosine * sin(half);
    at[1] = scale * sine;
}

/* The bin of a part of a whole. */
static int bin_of(double part, int bins)
{
    int bin = (int)floor(part * bins);
    return bin < 0 ? 0 : bin < bins ? bin : bins - 1;
}

bool isotropy_sphere(const struct isotropy *isotropy, double radius,
                     int columns, double *rho)
{
    const size_t bins = (size_t)columns * (size_t)(columns / 2);
    size_t all;
    double time = mean_time(isotropy, radius, &all);
    double *count = need_memory(bins, sizeof *count);
    for (size_t b = 0; b < bins; b++)
        rho[b] = 0;
    if (!count || isnan(time)) {
        memory_release(count);
        return false;
    }
    for (struct walk walk = walk_round(isotropy, radius); walk_next(&walk);) {
        double at[2];
        isotropy_hammer(walk.offset, at);
        int x = bin_of(at[0] / (4 * sqrt(2)) + .5, columns);
        int y = bin_of(at[1] / (2 * sqrt(2)) + .5, columns / 2);
        rho[y * columns + x] += front_at(&walk, time);
        count[y * columns + x]++;
    }
    for (size_t b = 0; b < bins; b++)
        rho[b] = count[b] > 0 ? rho[b] / count[b] : (double)NAN;
    memory_release(count);
    return true;
}

int isotropy_columns(size_t cells)
{
    double columns = sqrt((double)cells / acos(-1));
    return 2 * (int)(fmin(fmax(columns, 16), 120) / 2);
}

int isotropy_reach(const struct isotropy *isotropy, int room)
{
    const struct grid *grid = &isotropy->terrain->grid;
    int at[GRID_AXES];
    grid_cell(grid, isotropy->source, at);
    double least = fmin(fmin(at[0], grid->nx - 1 - at[0]),
                        fmin(at[1], grid->ny - 1 - at[1]));
    if (grid->dims == GRID_AXES)
        least = fmin(least, fmin(at[2], grid->nz - 1 - at[2]));
    least -= room;
    for (size_t i = 0; i < grid_cells(grid); i++) {
        double offset[GRID_AXES], r;
        const struct terrain *terrain = isotropy->terrain;
        if (!terrain->wall[i] && isfinite(isotropy->time[i]) &&
            (!terrain->speed || terrain->speed[i] == 1))
            continue;
        polar_of(isotropy, i, offset, &r);
        least = fmin(least, r - 1e-9);
    }
    int reach = (int)fmax(floor(least) - 1, 0);
    struct ring ring;
    while (reach > 0 && !isotropy->proportional &&
           (!isotropy_ring(isotropy, reach, &ring) || ring.high > least))
        reach--;
    return reach;
}

double isotropy_worst(const struct isotropy *isotropy, double radius)
{
    double worst = 0;
    for (size_t i = 0; i < grid_cells(&isotropy->terrain->grid); i++) {
        double offset[GRID_AXES], r;
        polar_of(isotropy, i, offset, &r);
        if (r > 0 && r <= radius)
            worst = fmax(worst, astray_at(isotropy, i));
    }
    return worst;
}

/* Heads to the neighbour of the minimum time; of equal ones the first in the
 * moves' order. */
static void head(const struct passages *passages, const double *time,
                 size_t cell, double heading[GRID_AXES])
{
    const struct grid *grid = &passages->grid;
    const struct move *best = NULL;
    int at[GRID_AXES];
    double least = time[cell];
    grid_cell(grid, cell, at);
    for (int d = 0; d < passages->moves; d++) {
        if (!(passages->open[passages_index(passages, cell)] & 1U << d))
            continue;
        const struct move *move = &moves_of(grid)[d];
        const int *step = move->step;
        double there = time[grid_index(grid, at[0] + step[0], at[1] + step[1],
                                       at[2] + step[2])];
        if (there < least) {
            least = there;
            best = move;
        }
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        heading[axis] = best ? best->step[axis] / sqrt(best->axes) : 0;
}

/* A breadth-first front over the moves of a search. */
static enum status spread(const struct terrain *terrain, size_t source,
                          int moves, double *time, struct error *error)
{
    struct passages *passages = NULL;
    struct search_workspace *workspace = NULL;
    enum status status =
        passages_new(terrain, moves, MEASURE_STEPS, &passages, error);
    if (!status)
        status = search_workspace_new(search_find("lee"), passages, terrain,
                                      &workspace, error);
    if (!status) {
        struct search_query query = { .from = source, .to = SEARCH_EVERYWHERE };
        struct search_result result;
        search_run(workspace, &query, &result);
        for (size_t i = 0; i < grid_cells(&terrain->grid); i++)
            time[i] = search_distance(workspace, i);
    }
    search_workspace_release(workspace);
    passages_release(passages);
    return status;
}

/* No search has 18 moves, and none is needed: each move reduces one or two of
 * |x|, |y| and |z| by one cell. */
static enum status spread_18(const struct terrain *terrain, size_t source,
                             double *time, struct error *error)
{
    size_t cells = grid_cells(&terrain->grid);
    double *six = need_memory(cells, sizeof *six);
    enum status status = spread(terrain, source, MOVES_3D, time, error);
    if (!status)
        status = spread(terrain, source, DIRECTIONS, six, error);
    for (size_t i = 0; i < cells && !status; i++)
        time[i] = fmax(time[i], ceil(six[i] / 2));
    memory_release(six);
    return status;
}

enum status isotropy_lee(const struct terrain *terrain, size_t source,
                         int moves, double *time, double (*heading)[GRID_AXES],
                         struct error *error)
{
    struct passages *around = NULL;
    enum status status = moves == 18
                             ? spread_18(terrain, source, time, error)
                             : spread(terrain, source, moves, time, error);
    if (!status)
        status =
            passages_new(terrain, terrain->grid.dims == 2 ? MOVES_2D : MOVES_3D,
                         MEASURE_STEPS, &around, error);
    for (size_t i = 0; i < grid_cells(&terrain->grid) && !status; i++)
        head(around, time, i, heading[i]);
    passages_release(around);
    return status;
}
