/* SPDX-License-Identifier: MIT */
#include "remedies.h"

#include <math.h>
#include <stdio.h>

enum { BAND_FIRST = 38, BAND_LAST = 55 };

/* The least time from the source across the band, by Snell's law: the sine q of
 * the angle outside for which the segments end at the right place. */
static double least_time(const double from[2], const double to[2], double c)
{
    double width = BAND_LAST - BAND_FIRST + 1;
    double outside = fabs(to[0] - from[0]) - width;
    double across = fabs(to[1] - from[1]), low = 0, high = fmin(1, 1 / c), q;
    for (int i = 0; i < 200; i++) {
        q = (low + high) / 2;
        double reach = outside * q / sqrt(1 - q * q) +
                       width * q * c / sqrt(1 - q * q * c * c);
        if (reach < across)
            low = q;
        else
            high = q;
    }
    q = low;
    return outside / sqrt(1 - q * q) + width / sqrt(1 - q * q * c * c) / c;
}

static bool in_band(double x)
{
    return x >= BAND_FIRST - .5 && x <= BAND_LAST + .5;
}

/* The time along the traced path, or −1. */
static double traced_time(const struct front *front, const double start[2],
                          const double source[2], double c)
{
    const struct grid *grid = &front->terrain.grid;
    double at[3] = { start[0], start[1], 0 }, time = 0;
    for (int i = 0; i < 4000; i++) {
        double left = hypot(at[0] - source[0], at[1] - source[1]);
        if (left <= 3)
            return time + left;
        const double *heading = front->heading[grid_nearest(grid, at)];
        double x = at[0], y = at[1];
        at[0] = fmin(fmax(x + .05 * heading[0], 0), grid->nx - 1);
        at[1] = fmin(fmax(y + .05 * heading[1], 0), grid->ny - 1);
        time +=
            hypot(at[0] - x, at[1] - y) / (in_band((x + at[0]) / 2) ? c : 1);
    }
    return -1;
}

/* An open map with a band of another speed across it. */
static enum status make_band(const struct study *study, struct front *front,
                             struct error *error)
{
    struct grid grid = { .dims = 2, .nx = 98, .ny = 78, .nz = 1 };
    struct terrain_change band = {
        .box = { { BAND_FIRST, 0, 0 }, { BAND_LAST, grid.ny - 1, 0 } },
        .kind = CHANGE_SPEED,
        .value = study->speed,
    };
    enum status status = terrain_init(&front->terrain, &grid, error);
    if (status == STATUS_OK)
        status = terrain_prepare(&front->terrain, CHANGE_SPEED, error);
    if (status != STATUS_OK)
        return status;
    terrain_apply(&front->terrain, &band);
    front->source = grid_index(&grid, 6, 6, 0);
    return make_front(front, error);
}

static void print_speed(const struct study *study, const struct front *front)
{
    const double from[2] = { 6, 6 };
    double starts = 0, came = 0, sum = 0, worst = 0;
    for (int y = 3; y < 78; y += 8)
        for (int x = 62; x < 98; x += 7) {
            double at[2] = { x, y };
            double time = traced_time(front, at, from, study->speed);
            double ratio = time / least_time(from, at, study->speed);
            starts++;
            came += time >= 0;
            sum += time >= 0 ? ratio : 0;
            worst = fmax(worst, ratio);
        }
    printf("speed %-5g %6.0f  trace %.4f  time %.4f  worst %.4f\n",
           study->speed, starts, came / starts, sum / fmax(came, 1), worst);
}

enum status study_speed(const struct study *study, struct error *error)
{
    struct front front = { 0 };
    enum status status = make_band(study, &front, error);
    if (status == STATUS_OK)
        status = find_headings(study, &front, error);
    if (status == STATUS_OK)
        print_speed(study, &front);
    front_release(&front);
    return status;
}
