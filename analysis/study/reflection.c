/* SPDX-License-Identifier: MIT */
#include "analysis/study/reflection.h"

#include "analysis/study/trace.h"
#include "base/memory.h"
#include "base/need.h"
#include "view/cut.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

double reflection_rms(double squares, int64_t count)
{
    return count ? sqrt(squares / (double)count) : (double)NAN;
}

/* How far the cell is past the last bend of its path; NaN: it has none, or
 * paths are marched. */
static double past_bend(const struct front *front, const struct truth *truth,
                        size_t cell)
{
    const struct grid *grid = &front->terrain.grid;
    int at[GRID_AXES];
    double turn[2];
    struct cut cut; /* the base of a prism */
    if (!truth->exact)
        return (double)NAN;
    grid_cell(grid, front->source, at);
    cut_make(grid, truth->axis, at[truth->axis], &cut);
    const size_t in_base = cut_cell_of(&cut, cell);
    if (exact_path(truth->exact, in_base, NULL, 0) < 3 ||
        !exact_next(truth->exact, in_base, turn))
        return (double)NAN;
    grid_cell(grid, cell, at);
    /* In 3D a path rises evenly along its base. */
    return hypot(at[cut.right] - turn[0], at[cut.down] - turn[1]) *
           truth->distance[cell] / exact_distance(truth->exact, in_base);
}

/* The band of a distance, or −1. */
static int band_of(double distance)
{
    return distance < REFLECTION_BANDS * REFLECTION_BAND_CELLS
               ? (int)(distance / REFLECTION_BAND_CELLS)
               : -1;
}

static void add_error(struct reflection *reflection, double error,
                      const double distances[ABSCISSAS], double wrong)
{
    const double pi = acos(-1);
    int angle = (int)(error / pi * REFLECTION_ANGLES);
    reflection->squares += error * error;
    reflection->counted++;
    reflection->wrong += error > wrong;
    reflection
        ->angle_count[angle < REFLECTION_ANGLES ? angle
                                                : REFLECTION_ANGLES - 1]++;
    for (int of = 0; of < ABSCISSAS; of++) {
        const int band = band_of(distances[of]);
        if (band < 0)
            continue;
        reflection->by[of].squares[band] += error * error;
        reflection->by[of].count[band]++;
    }
}

static void add_trace(struct reflection *reflection, const struct front *front,
                      size_t cell, double distance)
{
    int at[GRID_AXES];
    grid_cell(&front->terrain.grid, cell, at);
    double length = trace_length(
        &front->terrain, (const double(*)[GRID_AXES])front->heading,
        front->source, (double[]){ at[0], at[1], at[2] }, distance);
    reflection->started++;
    if (length < 0)
        return;
    reflection->traced++;
    reflection->ratio += length / distance;
}

int reflection_width_bin(int width)
{
    return width <= 20    ? width - 1
           : width <= 30  ? 20
           : width <= 50  ? 21
           : width <= 100 ? 22
                          : 23;
}

/* The cell's local width or height; 0: it has none. */
static int extent_of(const struct front_waves *waves, int across, size_t cell)
{
    const int32_t *extents =
        across == ACROSS_WIDTH ? waves->width : waves->height;
    return extents ? extents[cell] : 0;
}

/* Its bin, or NULL. */
static struct reflection_bin *bin_of(struct reflection *r,
                                     const struct front_waves *waves,
                                     int across, size_t cell)
{
    int extent = extent_of(waves, across, cell);
    return extent ? &r->across[across][reflection_width_bin(extent)] : NULL;
}

/* Adds the cell to the sums by width and by cause. */
static void add_waves(struct reflection *r, const struct front *front,
                      const struct truth *truth, size_t cell, double error,
                      const double distances[ABSCISSAS])
{
    const struct front_waves *waves = front->waves;
    for (int across = 0; across < ACROSS; across++) {
        struct reflection_bin *bin = bin_of(r, waves, across, cell);
        if (!bin)
            continue;
        bin->reachable++;
        bin->reached += front->step[cell] >= 0;
        if (isnan(error))
            continue;
        bin->squares += error * error;
        bin->sum += extent_of(waves, across, cell);
        bin->count++;
    }
    for (int k = 0; k < FRONT_CAUSES; k++) {
        double at_lag = k ? waves->error[cell][k] : error;
        r->lag_counted[k] += !isnan(at_lag);
        if (!(at_lag > waves->wrong))
            continue;
        enum cause cause =
            front_cause(front, truth, cell, k, &cause_usual_limits);
        r->lag_cause[k][cause]++;
        for (int across = 0; across < ACROSS && k == 0; across++) {
            struct reflection_bin *bin = bin_of(r, waves, across, cell);
            if (bin)
                bin->cause[cause]++;
        }
        for (int of = 0; of < ABSCISSAS && k == 0; of++) {
            const int band = band_of(distances[of]);
            if (band >= 0)
                r->by[of].cause[band][cause]++;
        }
    }
}

void reflection_add(struct reflection *reflection, const struct front *front,
                    const struct truth *truth, double *errors, uint8_t *causes)
{
    double wrong = front->waves ? front->waves->wrong : acos(-1) / 2;
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        double distance = truth->distance[i];
        double error = heading_error(front->heading[i], truth->toward[i]);
        if (errors)
            errors[i] = error;
        if (causes && front->waves)
            causes[i] = error > wrong
                            ? 1 + (uint8_t)front_cause(front, truth, i, 0,
                                                       &cause_usual_limits)
                            : 0;
        if (!isfinite(distance) || distance <= TRUTH_NEAR)
            continue;
        reflection->reachable++;
        reflection->reached += front->step[i] >= 0;
        add_trace(reflection, front, i, distance);
        const double distances[ABSCISSAS] = {
            [FROM_SOURCE] = distance,
            [PAST_BEND] =
                isnan(error) ? (double)NAN : past_bend(front, truth, i),
        };
        if (!isnan(error))
            add_error(reflection, error, distances, wrong);
        if (front->waves)
            add_waves(reflection, front, truth, i, error, distances);
    }
    for (int lag = 0; lag < FRONT_LAGS; lag++) {
        reflection->lag_squares[lag] += front->lag_squares[lag];
        reflection->lag_count[lag] += front->lag_count[lag];
    }
}

static void add_reals(double *sums, const double *of, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sums[i] += of[i];
}

static void add_counts(int64_t *sums, const int64_t *of, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sums[i] += of[i];
}

static void add_bin(struct reflection_bin *sum, const struct reflection_bin *of)
{
    sum->squares += of->squares;
    sum->sum += of->sum;
    sum->count += of->count;
    sum->reached += of->reached;
    sum->reachable += of->reachable;
    add_counts(sum->cause, of->cause, CAUSES);
}

#define POOL(add, member, type)                                                \
    add((type *)&sum->member, (const type *)&of->member,                       \
        sizeof sum->member / sizeof(type))

void reflection_pool(struct reflection *sum, const struct reflection *of)
{
    POOL(add_reals, squares, double);
    POOL(add_reals, ratio, double);
    POOL(add_reals, lag_squares, double);
    POOL(add_counts, counted, int64_t);
    POOL(add_counts, wrong, int64_t);
    POOL(add_counts, reached, int64_t);
    POOL(add_counts, reachable, int64_t);
    POOL(add_counts, traced, int64_t);
    POOL(add_counts, started, int64_t);
    POOL(add_counts, angle_count, int64_t);
    POOL(add_counts, lag_count, int64_t);
    POOL(add_counts, lag_counted, int64_t);
    POOL(add_counts, lag_cause, int64_t);
    for (int i = 0; i < ABSCISSAS; i++) {
        POOL(add_reals, by[i].squares, double);
        POOL(add_counts, by[i].count, int64_t);
        POOL(add_counts, by[i].cause, int64_t);
    }
    for (int across = 0; across < ACROSS; across++)
        for (int bin = 0; bin < REFLECTION_WIDTHS; bin++)
            add_bin(&sum->across[across][bin], &of->across[across][bin]);
}

static int by_size(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

void reflection_median(const struct front *front, const struct truth *truth,
                       int across, int *extent, bool *alike)
{
    size_t cells = grid_cells(&front->terrain.grid), count = 0;
    int32_t *extents = need_memory(cells, sizeof *extents);
    for (size_t i = 0; i < cells; i++) {
        int own = extent_of(front->waves, across, i);
        if (!isnan(heading_error(front->heading[i], truth->toward[i])))
            extents[count++] = own ? own : INT32_MAX;
    }
    qsort(extents, count, sizeof *extents, by_size);
    *extent = count ? extents[(count - 1) / 2] : 0;
    size_t same = 0;
    for (size_t i = 0; i < count; i++)
        same += extents[i] == *extent;
    *alike = 10 * same >= 9 * count;
    if (*extent == INT32_MAX)
        *extent = 0;
    memory_release(extents);
}

enum reflection_blank reflection_blank(const struct front *front,
                                       const struct truth *truth, size_t cell)
{
    if (front->terrain.wall[cell])
        return BLANK_NONE;
    if (!isfinite(truth->distance[cell]))
        return BLANK_CUT_OFF;
    if (heading_none(front->heading[cell]) && truth->distance[cell] > 0)
        return BLANK_NO_ARRIVAL;
    return heading_none(truth->toward[cell]) ? BLANK_UNCOUNTED : BLANK_NONE;
}

/* The farthest cell that counts, or the source. */
static size_t farthest(const struct front *front, const struct truth *truth)
{
    size_t best = front->source;
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++)
        if (!heading_none(truth->toward[i]) &&
            truth->distance[i] > truth->distance[best])
            best = i;
    return best;
}

size_t reflection_bends(const struct front *front, const struct truth *truth,
                        struct reflection_bend bends[REFLECTION_BENDS])
{
    const struct grid *grid = &front->terrain.grid;
    const size_t cell = farthest(front, truth);
    int from[GRID_AXES], to[GRID_AXES];
    struct cut cut; /* the base of a prism */
    if (!truth->exact || cell == front->source)
        return 0;
    grid_cell(grid, front->source, from);
    grid_cell(grid, cell, to);
    cut_make(grid, truth->axis, from[truth->axis], &cut);
    const size_t in_base = cut_cell_of(&cut, cell);
    const size_t turns = exact_path(truth->exact, in_base, NULL, 0);
    double(*points)[2] = need_memory(turns, sizeof *points), gone = 0;
    exact_path(truth->exact, in_base, points, turns);
    /* In 3D a path rises evenly along its base. */
    const double base = exact_distance(truth->exact, in_base);
    size_t count = 0;
    for (size_t k = turns; k-- > 2 && count < REFLECTION_BENDS; count++) {
        gone += hypot(points[k][0] - points[k - 1][0],
                      points[k][1] - points[k - 1][1]);
        struct reflection_bend *bend = &bends[count];
        bend->at[cut.right] = points[k - 1][0];
        bend->at[cut.down] = points[k - 1][1];
        bend->at[cut.axis] =
            from[cut.axis] + gone / base * (to[cut.axis] - from[cut.axis]);
        bend->distance = gone / base * truth->distance[cell];
    }
    memory_release(points);
    return count;
}
