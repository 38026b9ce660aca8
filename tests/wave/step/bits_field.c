/* SPDX-License-Identifier: MIT */
/* Prints two hashes over many fields and gradients, of the 27-point stencil and
 * of the others: bits.test builds this with every compiler and optimisation
 * level. usage: bits_field THREADS */
#include "base/crc32c.h"
#include "base/memory.h"
#include "base/random.h"
#include "wave/generations.h"

#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 48 };

static struct random dice;
static uint32_t hash;
static struct team *team;

static void add(struct wave *wave, const struct layout *layout)
{
    size_t bytes = wave_field_bytes(wave->medium);
    void *field[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        field[axis] = memory_new(bytes, 1);
    wave_copy(wave, field[0], team);
    hash = crc32c(hash, field[0], bytes);
    wave_gradient(wave, field[0], field[1], field[2], team);
    for (int axis = 0; axis < layout->grid.dims; axis++)
        hash = crc32c(hash, field[axis], bytes);
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(field[axis]);
}

/* By single steps, or several generations in a pass. */
static void advance(struct wave *wave, bool fused)
{
    if (fused)
        wave_advance_fused(wave, STEPS / 2, 7, 16, team);
    for (int k = 0; k < STEPS / 2 && !fused; k++)
        wave_step(wave, team);
}

/* Runs it twice with each vector unit of this machine: all must have the same
 * hash. */
static void run(const struct terrain *terrain,
                const struct wave_settings *settings)
{
    uint32_t before = hash, first = 0;
    for (int path = 0; path <= 2 * (int)kernel_best() + 1; path++) {
        struct medium *medium;
        struct wave *wave;
        if (medium_new(terrain, settings, &medium, NULL) ||
            wave_new(medium, &wave, NULL))
            exit(EXIT_FAILURE);
        medium_choose(medium, (enum kernel_level)(path / 2));
        wave_emit(wave, 5, 0);
        hash = before;
        for (int half = 0; half < 2; half++) {
            advance(wave, path % 2);
            add(wave, &medium->layout);
        }
        if (path > 0 && hash != first) {
            fprintf(stderr, "vector unit %d has other bits%s\n", path / 2,
                    path % 2 ? ", fused" : "");
            exit(EXIT_FAILURE);
        }
        first = hash;
        wave_release(wave);
        medium_release(medium);
    }
}

static void run_settings(const struct terrain *terrain, const char *name)
{
    struct wave_settings settings = { .delta = 0.2385,
                                      .amplitude = 2.385,
                                      .stencil = stencil_find(name) };
    for (int i = 0; i < 16; i++) {
        settings.walls = (enum wall_rule)(i & 1);
        settings.precision = (enum precision)(i >> 1 & 1);
        settings.speed_form = (enum speed_form)(i >> 2 & 1);
        settings.damping = i >> 3 & 1 ? 0.01 : 0;
        if (!stencil_has_diagonals(settings.stencil) ||
            settings.speed_form == FORM_C2_LAPLACIAN)
            run(terrain, &settings);
    }
}

static void run_map(const char *name, int nx, int ny, int nz, bool speeds)
{
    struct terrain terrain = { .speed = NULL };
    if (grid_make(nz ? 3 : 2, nx, ny, nz ? nz : 1, &terrain.grid, NULL))
        exit(EXIT_FAILURE);
    size_t cells = grid_cells(&terrain.grid);
    terrain.wall = memory_new(cells, 1);
    terrain.speed = speeds ? memory_new(cells, sizeof(double)) : NULL;
    for (size_t i = 0; i < cells; i++) {
        terrain.wall[i] = i != 5 && random_unit(&dice) < 0.2;
        if (speeds)
            terrain.speed[i] = 0.3 + 0.7 * random_unit(&dice);
    }
    run_settings(&terrain, name);
    memory_release(terrain.wall);
    memory_release(terrain.speed);
}

int main(int argc, char **argv)
{
    setenv("HAMON_THREADS", "all", 1); /* threads on small maps, too */
    if (argc != 2 || team_new(atoi(argv[1]), true, &team, NULL))
        return EXIT_FAILURE;
    random_seed(&dice, 20242021);
    for (int speeds = 0; speeds < 2; speeds++) {
        run_map("5-point", 61, 47, 0, speeds);
        run_map("9-point", 61, 47, 0, speeds);
        run_map("7-point", 21, 13, 11, speeds);
    }
    const uint32_t others = hash;
    hash = 0;
    for (int speeds = 0; speeds < 2; speeds++)
        run_map("27-point", 21, 13, 11, speeds);
    team_release(team);
    printf("%08x-%08x\n", others, hash);
    return EXIT_SUCCESS;
}
