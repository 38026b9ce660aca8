/* SPDX-License-Identifier: MIT */
/* The negative controls: changes of a wave between its steps. */
#include "remedies.h"

#include "base/memory.h"

#include <math.h>

const char *const control_names[] = { "none", "ignite", "sponge", NULL };

static double *numbers(size_t cells)
{
    return memory_new(cells, sizeof(double));
}

/* Cells to the nearest wall or to the outside, at most `most`. */
static double room(const struct terrain *terrain, size_t cell, int most)
{
    const struct grid *grid = &terrain->grid;
    int at[GRID_AXES];
    double nearest = most;
    grid_cell(grid, cell, at);
    for (int dy = -most; dy <= most; dy++)
        for (int dx = -most; dx <= most; dx++) {
            int x = at[0] + dx, y = at[1] + dy;
            if (!grid_holds(grid, x, y, 0) ||
                terrain->wall[grid_index(grid, x, y, 0)])
                nearest = fmin(nearest, hypot(dx, dy));
        }
    return nearest;
}

/* Cerjan et al. (1985): both generations times exp(−(.3 (w − d)/w)²) at the
 * distance d < w from a wall or the edge. */
static void make_sponge(struct controlled *controlled)
{
    const struct terrain *terrain = controlled->terrain;
    int width = controlled->study->sponge;
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++) {
        double depth = (width - room(terrain, i, width)) / width;
        controlled->factor[i] = exp(-.09 * depth * depth);
    }
}

enum status controlled_init(struct controlled *controlled,
                            const struct study *study,
                            const struct terrain *terrain, struct error *error)
{
    size_t cells = grid_cells(&terrain->grid);
    *controlled = (struct controlled){ .study = study, .terrain = terrain };
    if (study->control == CONTROL_NONE)
        return STATUS_OK;
    controlled->newest = numbers(cells);
    controlled->older = numbers(cells);
    controlled->factor = numbers(cells);
    controlled->ignited = memory_new(cells, 1);
    if (!controlled->newest || !controlled->older || !controlled->factor ||
        !controlled->ignited) {
        controlled_release(controlled);
        return error_memory(error);
    }
    if (study->control == CONTROL_SPONGE)
        make_sponge(controlled);
    return STATUS_OK;
}

void controlled_release(struct controlled *controlled)
{
    memory_release(controlled->newest);
    memory_release(controlled->older);
    memory_release(controlled->factor);
    memory_release(controlled->ignited);
    *controlled = (struct controlled){ 0 };
}

static double get(const struct study *study, const void *field, size_t cell)
{
    return study->wave.precision == PRECISION_SINGLE
               ? (double)((const float *)field)[cell]
               : ((const double *)field)[cell];
}

static void set(const struct study *study, void *field, size_t cell, double z)
{
    if (study->wave.precision == PRECISION_SINGLE)
        ((float *)field)[cell] = (float)z;
    else
        ((double *)field)[cell] = z;
}

static void ignite(struct controlled *controlled, size_t cell)
{
    const struct study *study = controlled->study;
    double z = get(study, controlled->newest, cell);
    double amplitude = study->wave.amplitude;
    if (controlled->ignited[cell] ||
        fabs(z) < study->arrival.threshold * amplitude)
        return;
    controlled->ignited[cell] = 1;
    set(study, controlled->newest, cell, amplitude);
}

static void fade(const struct controlled *controlled, size_t cell)
{
    const struct study *study = controlled->study;
    void *const fields[] = { controlled->newest, controlled->older };
    for (int i = 0; i < 2; i++)
        set(study, fields[i], cell,
            get(study, fields[i], cell) * controlled->factor[cell]);
}

void controlled_apply(struct controlled *controlled, struct wave *wave,
                      int64_t step)
{
    int64_t emitted, source;
    if (!controlled->newest)
        return;
    wave_save(wave, controlled->newest, controlled->older, &emitted, &source);
    for (size_t i = 0; i < grid_cells(&controlled->terrain->grid); i++) {
        if (controlled->terrain->wall[i])
            continue;
        if (controlled->study->control == CONTROL_IGNITE)
            ignite(controlled, i);
        else
            fade(controlled, i);
    }
    wave_load(wave, controlled->newest, controlled->older, emitted, source,
              step);
}
