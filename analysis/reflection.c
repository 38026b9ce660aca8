/* SPDX-License-Identifier: MIT */
#include "reflection.h"

#include "trace.h"

#include <math.h>
#include <stdbool.h>

double reflection_rms(double squares, int64_t count)
{
    return count ? sqrt(squares / (double)count) : (double)NAN;
}

static void add_error(struct reflection *reflection, double error,
                      double distance)
{
    const double pi = acos(-1);
    int angle = (int)(error / pi * REFLECTION_ANGLES);
    int band = (int)(distance / REFLECTION_BAND_CELLS);
    reflection->squares += error * error;
    reflection->counted++;
    reflection->wrong += error > pi / 2;
    reflection
        ->angle_count[angle < REFLECTION_ANGLES ? angle
                                                : REFLECTION_ANGLES - 1]++;
    if (band < REFLECTION_BANDS) {
        reflection->band_squares[band] += error * error;
        reflection->band_count[band]++;
    }
}

static void add_trace(struct reflection *reflection, const struct front *front,
                      size_t cell, double distance)
{
    int at[GRID_AXES];
    grid_cell(&front->terrain.grid, cell, at);
    double length =
        trace_length(&front->terrain, (const double(*)[2])front->heading,
                     front->source, (double[]){ at[0], at[1] }, distance);
    reflection->started++;
    if (length < 0)
        return;
    reflection->traced++;
    reflection->ratio += length / distance;
}

void reflection_add(struct reflection *reflection, const struct front *front,
                    const struct truth *truth, double *errors)
{
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        double distance = truth->distance[i];
        double error = heading_error(front->heading[i], truth->toward[i]);
        if (errors)
            errors[i] = error;
        if (!isfinite(distance) || distance <= TRUTH_NEAR)
            continue;
        reflection->reachable++;
        reflection->reached += front->step[i] >= 0;
        add_trace(reflection, front, i, distance);
        if (!isnan(error))
            add_error(reflection, error, distance);
    }
    for (int lag = 0; lag < FRONT_LAGS; lag++) {
        reflection->lag_squares[lag] += front->lag_squares[lag];
        reflection->lag_count[lag] += front->lag_count[lag];
    }
}

static bool is_zero(const double vector[2])
{
    return vector[0] == 0 && vector[1] == 0;
}

enum reflection_blank reflection_blank(const struct front *front,
                                       const struct truth *truth, size_t cell)
{
    if (front->terrain.wall[cell])
        return BLANK_NONE;
    if (!isfinite(truth->distance[cell]))
        return BLANK_CUT_OFF;
    if (is_zero(front->heading[cell]) && truth->distance[cell] > 0)
        return BLANK_UNHEARD;
    return is_zero(truth->toward[cell]) ? BLANK_UNCOUNTED : BLANK_NONE;
}

/* Free cells in a row from `from` on, itself with them; `walled`: and a wall
 * behind them. */
static int run(const struct terrain *terrain, const int from[GRID_AXES], int dx,
               int dy, bool *walled)
{
    int x = from[0], y = from[1], length = 0;
    for (; grid_holds(&terrain->grid, x, y, 0) &&
           !terrain->wall[grid_index(&terrain->grid, x, y, 0)];
         x += dx, y += dy)
        length++;
    *walled = *walled && grid_holds(&terrain->grid, x, y, 0);
    return length;
}

int reflection_width(const struct terrain *terrain, size_t source)
{
    int at[GRID_AXES];
    bool across_walled = true, along_walled = true;
    grid_cell(&terrain->grid, source, at);
    int across = run(terrain, at, 1, 0, &across_walled) +
                 run(terrain, at, -1, 0, &across_walled) - 1;
    int along = run(terrain, at, 0, 1, &along_walled) +
                run(terrain, at, 0, -1, &along_walled) - 1;
    if (across < along)
        return across_walled ? across : 0;
    return along_walled ? along : 0;
}

double reflection_cutoff(double delta, int width)
{
    return 2 * asin(sqrt(delta) * sin(acos(-1) / (2 * (width + 1))));
}
