/* SPDX-License-Identifier: MIT */
/* Shared by the tests of the wave: a map, a medium and a wave in one. */
#ifndef HAMON_TESTS_WAVE_WAVES_H
#define HAMON_TESTS_WAVE_WAVES_H

#include "base/memory.h"
#include "base/random.h"
#include "tests/suite.h"
#include "tests/world/flood.h"
#include "wave/generations.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

struct pool {
    struct grid grid;
    struct terrain terrain;
    struct wave_settings settings;
    struct medium *medium;
    struct wave *wave;
};

/* The amplitude of the generation before the newest at a cell. */
static inline double wave_older_value(struct wave *wave, size_t cell)
{
    wave_catch_up(wave);
    return field_value(&wave->medium->layout, wave->before,
                       medium_cell(wave->medium, cell));
}

/* One wave as in the papers, in double precision; change the settings that
 * differ. */
static inline struct wave_settings plain_settings(const char *stencil)
{
    return (struct wave_settings){ .count = 1,
                                   .lifetime = 1000000,
                                   .delta = 0.25,
                                   .amplitude = 1,
                                   .stencil = stencil_find(stencil),
                                   .precision = PRECISION_DOUBLE };
}

/* A free map; nz = 0 makes it 2D. Then pool_walls, pool_speeds, pool_fill. */
static inline void pool_init(struct pool *pool, int nx, int ny, int nz)
{
    *pool =
        (struct pool){ .settings = plain_settings(nz ? "7-point" : "5-point") };
    ck_assert_int_eq(
        grid_make(nz ? 3 : 2, nx, ny, nz ? nz : 1, &pool->grid, NULL),
        STATUS_OK);
    pool->terrain.grid = pool->grid;
    pool->terrain.wall = memory_new(grid_cells(&pool->grid), 1);
    ck_assert_ptr_nonnull(pool->terrain.wall);
}

static inline void pool_walls(struct pool *pool, struct random *random,
                              double share)
{
    for (size_t i = 0; i < grid_cells(&pool->grid); i++)
        pool->terrain.wall[i] = random_unit(random) < share;
}

static inline void pool_speeds(struct pool *pool, struct random *random,
                               double low)
{
    size_t cells = grid_cells(&pool->grid);
    pool->terrain.speed = memory_new(cells, sizeof(double));
    for (size_t i = 0; i < cells; i++)
        pool->terrain.speed[i] =
            random ? low + (1 - low) * random_unit(random) : 1;
}

/* Few walls, so that they do not divide the map, and speeds, 29 x 22 or 11 x 9
 * x nz; returns the free cell in its middle. Then pool_fill. */
static inline size_t pool_random(struct pool *pool, int nz, uint64_t seed)
{
    struct random random;
    random_seed(&random, seed);
    pool_init(pool, nz ? 11 : 29, nz ? 9 : 22, nz);
    pool_walls(pool, &random, .12);
    size_t middle = grid_cells(&pool->grid) / 2;
    pool->terrain.wall[middle] = 0;
    pool_speeds(pool, &random, .4);
    return middle;
}

/* (cells): those that `source` reaches; memory_release. */
static inline uint8_t *pool_reached(const struct pool *pool, size_t source)
{
    size_t cells = grid_cells(&pool->grid);
    uint8_t *reached = memory_new(cells, 1);
    int32_t *queue = memory_new(cells, sizeof *queue);
    ck_assert(reached && queue);
    terrain_flood(&pool->terrain, source, reached, queue);
    memory_release(queue);
    return reached;
}

static inline void pool_fill(struct pool *pool)
{
    ck_assert_int_eq(
        medium_new(&pool->terrain, &pool->settings, &pool->medium, NULL),
        STATUS_OK);
    ck_assert_int_eq(wave_new(pool->medium, &pool->wave, NULL), STATUS_OK);
}

static inline void pool_release(struct pool *pool)
{
    wave_release(pool->wave);
    medium_release(pool->medium);
    memory_release(pool->terrain.wall);
    memory_release(pool->terrain.speed);
}

static inline size_t pool_cell(const struct pool *pool, int x, int y, int z)
{
    return grid_index(&pool->grid, x, y, z);
}

static inline void *pool_field(const struct pool *pool)
{
    void *field = memory_new(wave_field_bytes(pool->medium), 1);
    ck_assert_ptr_nonnull(field);
    return field;
}

static inline void pool_run(struct pool *pool, int steps)
{
    for (int k = 0; k < steps; k++)
        wave_step(pool->wave, NULL);
}

#endif
