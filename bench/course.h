/* SPDX-License-Identifier: MIT */
/* For measurements of the stepper: a map with a wave over all of it, one in ten
 * cells a wall, and the speed of memory for as many numbers. */
#ifndef HAMON_BENCH_COURSE_H
#define HAMON_BENCH_COURSE_H

#include "base/memory.h"
#include "base/random.h"
#include "triad.h"
#include "wave/generations.h"

#include <stdlib.h>

struct course {
    struct terrain terrain;
    struct medium *medium;
    struct wave *wave;
    float *a, *b; /* of the triad */
};

static const struct course_map {
    const char *name;
    int dims, n;
} course_maps[] = {
    { "50^2", 2, 50 },     { "100^2", 2, 100 },   { "200^2", 2, 200 },
    { "512^2", 2, 512 },   { "1024^2", 2, 1024 }, { "2048^2", 2, 2048 },
    { "4096^2", 2, 4096 }, { "50^3", 3, 50 },     { "128^3", 3, 128 },
    { "256^3", 3, 256 },
};
enum { COURSE_MAPS = sizeof course_maps / sizeof *course_maps };

/* stencil: a name, or NULL for that of the papers. */
static inline void course_open(struct course *course, int dims, int n,
                               const char *stencil, enum wall_rule walls)
{
    struct terrain *terrain = &course->terrain;
    const struct wave_settings settings = {
        .delta = 0.25,
        .amplitude = 1,
        .stencil = stencil_find(stencil     ? stencil
                                : dims == 3 ? "7-point"
                                            : "5-point"),
        .walls = walls,
        .precision = PRECISION_SINGLE,
    };
    struct random random;
    random_seed(&random, 1);
    *course = (struct course){ .medium = NULL };
    if (grid_make(dims, n, n, dims == 3 ? n : 1, &terrain->grid, NULL))
        abort();
    size_t cells = grid_cells(&terrain->grid);
    terrain->wall = memory_new(cells, 1);
    for (size_t i = 0; i < cells; i++)
        terrain->wall[i] = random_below(&random, 10) == 0;
    terrain->wall[cells / 2] = 0;
    course->a = memory_new(cells, sizeof *course->a);
    course->b = memory_new(cells, sizeof *course->b);
    course->a[cells / 2] = 1;
    if (medium_new(terrain, &settings, &course->medium, NULL) ||
        wave_new(course->medium, &course->wave, NULL))
        abort();
    wave_emit(course->wave, cells / 2, 0);
    /* so that the whole map is stepped */
    course->wave->lit = grid_box(&terrain->grid);
}

static inline void course_close(struct course *course)
{
    wave_release(course->wave);
    medium_release(course->medium);
    memory_release(course->a);
    memory_release(course->b);
    memory_release(course->terrain.wall);
}

static inline void course_triad_share(void *context, int part, int parts)
{
    const struct course *course = context;
    size_t first, last;
    team_share(grid_cells(&course->terrain.grid), part, parts, &first, &last);
    triad(course->a + first, course->b + first, last - first);
}

#endif
