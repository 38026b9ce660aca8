/* SPDX-License-Identifier: MIT */
#include "isotropy.h"

#include "front.h"
#include "search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a cell is, seen from the source: y upwards. */
static void polar_of(const struct isotropy *isotropy, size_t cell,
                     double offset[2], double *radius)
{
    int at[GRID_AXES], source[GRID_AXES];
    grid_cell(&isotropy->terrain->grid, cell, at);
    grid_cell(&isotropy->terrain->grid, isotropy->source, source);
    offset[0] = at[0] - source[0];
    offset[1] = source[1] - at[1];
    *radius = hypot(offset[0], offset[1]);
}

/* The heading's angle off the way to the source. */
static double astray_at(const struct isotropy *isotropy, size_t cell)
{
    double offset[2], radius;
    polar_of(isotropy, cell, offset, &radius);
    double toward[2] = { -offset[0], offset[1] }; /* y downwards again */
    double error = heading_error(isotropy->heading[cell], toward);
    return isnan(error) ? 0 : error;
}

static bool in_ring(double radius, double ring)
{
    return fabs(radius - ring) <= 1;
}

/* Goes through the cells of a ring, row by row. */
struct walk {
    const struct isotropy *isotropy;
    double ring;
    int source[GRID_AXES], x, y;
    int hole, end; /* columns of the row: so near are within, so far outside */
    size_t cell;   /* where it is, how far it is from the source */
    double offset[2], radius;
};

/* Half a circle's width in this row, in whole cells; 0 where it is not. */
static int half_width(double radius, double dy)
{
    double square = radius * radius - dy * dy;
    return radius > 0 && square > 0 ? (int)sqrt(square) : 0;
}

/* To before the row's first cell; a cell's room on both sides for rounding. */
static void enter_row(struct walk *walk, int y)
{
    double dy = y - walk->source[1];
    walk->y = y;
    walk->hole = half_width(walk->ring - 2, dy);
    walk->end = half_width(walk->ring + 2, dy);
    walk->x = walk->source[0] - walk->end - 1;
    if (walk->x < -1)
        walk->x = -1;
}

static struct walk walk_round(const struct isotropy *isotropy, double ring)
{
    struct walk walk = { .isotropy = isotropy, .ring = ring };
    grid_cell(&isotropy->terrain->grid, isotropy->source, walk.source);
    enter_row(&walk, (int)fmax(walk.source[1] - ceil(ring + 1), 0));
    return walk;
}

/* False behind the last cell. */
static bool walk_next(struct walk *walk)
{
    const struct grid *grid = &walk->isotropy->terrain->grid;
    while (walk->y < grid->ny && walk->y <= walk->source[1] + walk->ring + 1) {
        walk->x++;
        if (abs(walk->x - walk->source[0]) < walk->hole)
            walk->x = walk->source[0] + walk->hole;
        if (walk->x >= grid->nx || walk->x > walk->source[0] + walk->end) {
            enter_row(walk, walk->y + 1);
            continue;
        }
        walk->cell = grid_index(grid, walk->x, walk->y, 0);
        polar_of(walk->isotropy, walk->cell, walk->offset, &walk->radius);
        if (in_ring(walk->radius, walk->ring))
            return true;
    }
    return false;
}

/* Where the front stands at `time`, of which it came to the cell at T. */
static double front_at(const struct walk *walk, double time)
{
    const struct isotropy *isotropy = walk->isotropy;
    double came = isotropy->time[walk->cell];
    if (isotropy->speed > 0)
        return walk->radius + isotropy->speed * (time - came);
    return walk->radius * time / came;
}

/* The mean time of the ring; NAN where it is not all reached, or empty. */
static double mean_time(const struct isotropy *isotropy, double radius,
                        size_t *count)
{
    struct walk walk = walk_round(isotropy, radius);
    double sum = 0;
    for (*count = 0; walk_next(&walk); ++*count)
        sum += isotropy->time[walk.cell];
    return *count && isfinite(sum) ? sum / (double)*count : (double)NAN;
}

bool isotropy_ring(const struct isotropy *isotropy, double radius,
                   struct ring *ring)
{
    *ring = (struct ring){ .low = INFINITY, .high = -INFINITY };
    ring->mean_time = mean_time(isotropy, radius, &ring->cells);
    if (isnan(ring->mean_time))
        return false;
    struct walk walk = walk_round(isotropy, radius);
    double sum = 0, squares = 0;
    while (walk_next(&walk)) {
        double rho = front_at(&walk, ring->mean_time);
        double error = astray_at(isotropy, walk.cell);
        sum += rho;
        squares += error * error;
        ring->low = fmin(ring->low, rho);
        ring->high = fmax(ring->high, rho);
        ring->worst = fmax(ring->worst, error);
    }
    ring->mean = sum / (double)ring->cells;
    ring->anisotropy = (ring->high - ring->low) / ring->mean;
    ring->rms = sqrt(squares / (double)ring->cells);
    return true;
}

bool isotropy_angles(const struct isotropy *isotropy, double radius,
                     double rho[ISOTROPY_BINS], double error[ISOTROPY_BINS])
{
    const double turn = 2 * acos(-1);
    size_t count[ISOTROPY_BINS] = { 0 }, all;
    double time = mean_time(isotropy, radius, &all);
    for (int b = 0; b < ISOTROPY_BINS; b++)
        rho[b] = error[b] = 0;
    if (isnan(time))
        return false;
    for (struct walk walk = walk_round(isotropy, radius); walk_next(&walk);) {
        double angle = atan2(walk.offset[1], walk.offset[0]) / turn;
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

int isotropy_reach(const struct isotropy *isotropy, int room)
{
    const struct grid *grid = &isotropy->terrain->grid;
    int at[GRID_AXES];
    grid_cell(grid, isotropy->source, at);
    double least = fmin(fmin(at[0], grid->nx - 1 - at[0]),
                        fmin(at[1], grid->ny - 1 - at[1])) -
                   room;
    for (size_t i = 0; i < grid_cells(grid); i++) {
        double offset[2], r;
        if (!isotropy->terrain->wall[i] && isfinite(isotropy->time[i]))
            continue;
        polar_of(isotropy, i, offset, &r);
        least = fmin(least, r - 1e-9);
    }
    int reach = (int)floor(least) - 1;
    return reach > 0 ? reach : 0;
}

double isotropy_worst(const struct isotropy *isotropy, double radius)
{
    double worst = 0;
    for (size_t i = 0; i < grid_cells(&isotropy->terrain->grid); i++) {
        double offset[2], r;
        polar_of(isotropy, i, offset, &r);
        if (r > 0 && r <= radius)
            worst = fmax(worst, astray_at(isotropy, i));
    }
    return worst;
}

/* The neighbour of the least time; the first of them in the moves' order. */
static void head(const struct passages *passages, const double *time,
                 size_t cell, double heading[2])
{
    const struct grid *grid = &passages->grid;
    int at[GRID_AXES], best = -1;
    double least = time[cell];
    grid_cell(grid, cell, at);
    for (int d = 0; d < MOVES_2D; d++) {
        if (!(passages->open[passages_index(passages, cell)] & 1U << d))
            continue;
        const int *step = moves_2d[d].step;
        double there =
            time[grid_index(grid, at[0] + step[0], at[1] + step[1], 0)];
        if (there < least) {
            least = there;
            best = d;
        }
    }
    for (int axis = 0; axis < 2; axis++)
        heading[axis] =
            best < 0 ? 0
                     : moves_2d[best].step[axis] / sqrt(moves_2d[best].axes);
}

enum status isotropy_lee(const struct terrain *terrain, size_t source,
                         int moves, double *time, double (*heading)[2],
                         struct error *error)
{
    struct passages *spread = NULL, *around = NULL;
    struct search_workspace *workspace = NULL;
    enum status status =
        passages_new(terrain, moves, MEASURE_STEPS, &spread, error);
    if (!status)
        status = passages_new(terrain, MOVES_2D, MEASURE_STEPS, &around, error);
    if (!status)
        status = search_workspace_new(search_find("lee"), spread, terrain,
                                      &workspace, error);
    if (!status) {
        struct search_query query = { .from = source, .to = SEARCH_EVERYWHERE };
        struct search_result result;
        search_run(workspace, &query, &result);
        size_t cells = grid_cells(&terrain->grid);
        for (size_t i = 0; i < cells; i++)
            time[i] = search_distance(workspace, i);
        for (size_t i = 0; i < cells; i++)
            head(around, time, i, heading[i]);
    }
    search_workspace_release(workspace);
    passages_release(around);
    passages_release(spread);
    return status;
}
