/* SPDX-License-Identifier: MIT */
/* Fronts as contours over the wave that follows them. */
#include "isotropy_report.h"

#include "base/memory.h"
#include "base/version.h"
#include "draw/heatmap.h"
#include "draw/png_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Generations between contours, and pixels of the picture's longer side. */
enum { APART = 20, LONGER_SIDE = 960 };

enum status isotropy_map_take(struct isotropy_map *map,
                              const struct front *front,
                              const struct recording *recording, int wave,
                              double mean_time, struct error *error)
{
    size_t cells = grid_cells(&front->terrain.grid);
    char name[VARIABLE_NAME_SIZE];
    int64_t row;
    snprintf(name, sizeof name, "wave%d", wave);
    map->grid = front->terrain.grid;
    map->step = front->emitted + lround(mean_time);
    map->time = memory_new(cells, sizeof *map->time);
    map->amplitude = memory_new(cells, sizeof *map->amplitude);
    map->wall = memory_new(cells, 1);
    if (!map->time || !map->amplitude || !map->wall)
        return error_memory(error);
    memcpy(map->time, front->time, cells * sizeof *map->time);
    memcpy(map->wall, front->terrain.wall, cells);
    enum status status = recording_row_of(recording, map->step, &row, error);
    return status
               ? status
               : recording_read_real(recording, recording_find(recording, name),
                                     row, map->amplitude, error);
}

void isotropy_map_release(struct isotropy_map *map)
{
    memory_release(map->time);
    memory_release(map->amplitude);
    memory_release(map->wall);
    *map = (struct isotropy_map){ 0 };
}

/* T between the centres of cells, bilinear; INFINITY where a corner is. */
static double time_between(const struct isotropy_map *map, double x, double y)
{
    const struct grid *grid = &map->grid;
    int i = (int)fmin(fmax(floor(x), 0), grid->nx - 2);
    int j = (int)fmin(fmax(floor(y), 0), grid->ny - 2);
    double u = fmin(fmax(x - i, 0), 1), v = fmin(fmax(y - j, 0), 1);
    const double *at = map->time + grid_index(grid, i, j, 0);
    const double *below = at + grid->nx;
    return (1 - v) * ((1 - u) * at[0] + u * at[1]) +
           v * ((1 - u) * below[0] + u * below[1]);
}

/* How many contours lie between the source and a pixel's centre; −1: no T. */
static int contours_within(const struct isotropy_map *map, int cell, int px,
                           int py)
{
    double time =
        time_between(map, (px + 0.5) / cell - 0.5, (py + 0.5) / cell - 0.5);
    return isfinite(time) ? (int)(time / APART) : -1;
}

static void draw_contours(const struct isotropy_map *map, int cell,
                          struct image *image)
{
    static const uint8_t black[3] = { 0, 0, 0 };
    if (map->grid.nx < 2 || map->grid.ny < 2)
        return;
    for (int y = 0; y + 1 < image->height; y++)
        for (int x = 0; x + 1 < image->width; x++) {
            int here = contours_within(map, cell, x, y);
            int right = contours_within(map, cell, x + 1, y);
            int down = contours_within(map, cell, x, y + 1);
            if (here >= 0 && right >= 0 && down >= 0 &&
                (here != right || here != down))
                image_fill(image, x, y, 1, 1, black);
        }
}

static int cell_pixels(const struct grid *grid)
{
    int longer = grid->nx > grid->ny ? grid->nx : grid->ny;
    return longer < LONGER_SIDE ? LONGER_SIDE / longer : 1;
}

enum status isotropy_map_write(const struct isotropy_map *map,
                               const char *label, const char *path, bool force,
                               struct error *error)
{
    int cell = cell_pixels(&map->grid);
    const struct plane plane = { map->grid.nx, map->grid.ny, map->amplitude,
                                 map->wall };
    struct extremes extremes = { 0 };
    struct ramp ramp;
    struct image image;
    char description[160], software[128];
    snprintf(software, sizeof software, "hamon-isotropy %s, commit %s",
             hamon_version, hamon_commit);
    const struct image_note notes[] = { { "Title", label },
                                        { "Description", description },
                                        { "Software", software } };
    extremes_add(&extremes, map->amplitude, map->wall, grid_cells(&map->grid));
    struct scale scale = scale_over(&extremes, true);
    scale.low *= 1.5; /* its palest two thirds, so that lines stand out */
    scale.high *= 1.5;
    snprintf(description, sizeof description,
             "amplitude at step %lld, colour map vik from %g to %g; "
             "contours: first arrivals every %d generations",
             (long long)map->step, scale.low, scale.high, APART);
    enum status status = ramp_load("vik", &ramp, error);
    if (!status)
        status = image_init(&image, (int64_t)plane.nx * cell,
                            (int64_t)plane.ny * cell, error);
    if (status)
        return status;
    heatmap_paint(&plane, &scale, &ramp, cell, &image, 0, 0);
    draw_contours(map, cell, &image);
    status = image_write_png(&image, notes, sizeof notes / sizeof *notes, path,
                             force, error);
    image_release(&image);
    return status;
}
