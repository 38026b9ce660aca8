/* SPDX-License-Identifier: MIT */
#include "isotropy.h"

#include "front.h"
#include "search/search.h"

#include <math.h>
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

/* Where the front stands at `time`, of which it came to the cell at T. */
static double front_at(const struct isotropy *isotropy, size_t cell,
                       double radius, double time)
{
    double came = isotropy->time[cell];
    if (isotropy->speed > 0)
        return radius + isotropy->speed * (time - came);
    return radius * time / came;
}

/* The mean time of the ring; NAN where it is not all reached, or empty. */
static double mean_time(const struct isotropy *isotropy, double radius,
                        size_t *count)
{
    double sum = 0;
    *count = 0;
    for (size_t i = 0; i < grid_cells(&isotropy->terrain->grid); i++) {
        double offset[2], r;
        polar_of(isotropy, i, offset, &r);
        if (!in_ring(r, radius))
            continue;
        sum += isotropy->time[i];
        ++*count;
    }
    return *count && isfinite(sum) ? sum / (double)*count : (double)NAN;
}

bool isotropy_ring(const struct isotropy *isotropy, double radius,
                   struct ring *ring)
{
    *ring = (struct ring){ .low = INFINITY, .high = -INFINITY };
    ring->mean_time = mean_time(isotropy, radius, &ring->cells);
    if (isnan(ring->mean_time))
        return false;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < grid_cells(&isotropy->terrain->grid); i++) {
        double offset[2], r;
        polar_of(isotropy, i, offset, &r);
        if (!in_ring(r, radius))
            continue;
        double rho = front_at(isotropy, i, r, ring->mean_time);
        double error = astray_at(isotropy, i);
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
    for (size_t i = 0; i < grid_cells(&isotropy->terrain->grid); i++) {
        double offset[2], r;
        polar_of(isotropy, i, offset, &r);
        if (!in_ring(r, radius))
            continue;
        double angle = atan2(offset[1], offset[0]) / turn;
        int bin = (int)lround((angle + 1) * ISOTROPY_BINS) % ISOTROPY_BINS;
        double e = astray_at(isotropy, i);
        rho[bin] += front_at(isotropy, i, r, time);
        error[bin] += e * e;
        count[bin]++;
    }
    for (int b = 0; b < ISOTROPY_BINS; b++) {
        rho[b] = count[b] ? rho[b] / (double)count[b] : (double)NAN;
        error[b] = count[b] ? sqrt(error[b] / (double)count[b]) : (double)NAN;
    }
    return true;
}

int isotropy_reach(const struct isotropy *isotropy)
{
    const struct grid *grid = &isotropy->terrain->grid;
    int at[GRID_AXES];
    grid_cell(grid, isotropy->source, at);
    /* The edge is a mirror, and what it throws back is later than the front. */
    double least = fmin(fmin(at[0], grid->nx - 1 - at[0]),
                        fmin(at[1], grid->ny - 1 - at[1]));
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
