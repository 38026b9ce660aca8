/* SPDX-License-Identifier: MIT */
/* The map as the law sees it: who is whose neighbour, and through what. */
#include "base/memory.h"
#include "check_law.h"
#include "check_sum.h"

#include <math.h>

enum status ground_init(const struct law *law, struct ground *ground,
                        struct error *error)
{
    size_t cells = grid_cells(&law->grid);
    *ground = (struct ground){
        .wall = memory_new(cells, sizeof *ground->wall),
        .speed = memory_new(cells, sizeof *ground->speed),
        .delta = memory_new(cells, sizeof *ground->delta),
        .seen = memory_new(cells, 8 * sizeof *ground->seen),
    };
    ground->excess = memory_new(cells, sizeof *ground->excess);
    if (law->conservative)
        ground->face = memory_new(cells, 8 * sizeof *ground->face);
    if (!ground->wall || !ground->speed || !ground->delta || !ground->seen ||
        !ground->excess || (law->conservative && !ground->face)) {
        ground_release(ground);
        return error_memory(error);
    }
    for (size_t i = 0; i < cells; i++)
        ground->speed[i] = 1;
    return STATUS_OK;
}

void ground_release(struct ground *ground)
{
    memory_release(ground->wall);
    memory_release(ground->speed);
    memory_release(ground->delta);
    memory_release(ground->seen);
    memory_release(ground->face);
    memory_release(ground->excess);
    *ground = (struct ground){ 0 };
}

/* The cell `step` away, or −1 where there is a mirror: beyond the map's edge
 * or a free wall. */
static int64_t neighbour(const struct law *law, const struct ground *ground,
                         size_t cell, const int step[GRID_AXES])
{
    int at[GRID_AXES];
    grid_cell(&law->grid, cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] += step[axis];
    if (!grid_holds(&law->grid, at[0], at[1], at[2]))
        return -1;
    size_t there = grid_index(&law->grid, at[0], at[1], at[2]);
    return law->free_walls && ground->wall[there] ? -1 : (int64_t)there;
}

static size_t seen(const struct law *law, const struct ground *ground,
                   size_t cell, const int step[GRID_AXES])
{
    int64_t there = neighbour(law, ground, cell, step);
    if (!step[0] || !step[1])
        return there < 0 ? cell : (size_t)there;
    int64_t beside = neighbour(law, ground, cell, (int[]){ step[0], 0, 0 });
    int64_t below = neighbour(law, ground, cell, (int[]){ 0, step[1], 0 });
    if (there >= 0 && (beside >= 0 || below >= 0))
        return (size_t)there;
    if ((beside < 0) == (below < 0))
        return cell;
    return (size_t)(beside < 0 ? below : beside);
}

/* δ of the face between two cells: the harmonic mean; a fixed wall is of the
 * cell's own stuff; nothing flows through a mirror, where a cell sees itself.
 */
static double face(const struct ground *ground, size_t cell, size_t there)
{
    double a = ground->delta[cell], b = ground->delta[there];
    if (there == cell)
        return 0;
    return a == b || ground->wall[there] ? a : 2 * (a * b) / (a + b);
}

/* To the last bit: it is of the size of one rounding itself. */
static double excess(const struct law *law, const struct ground *ground,
                     size_t cell)
{
    struct law_weights weights;
    struct sum sum = { 0 };
    law_weigh(law, ground, cell, &weights);
    sum_add(&sum, weights.c);
    sum_add(&sum, -2);
    for (int p = 0; p < law->stencil->points; p++) {
        double product = weights.d * weights.point[p];
        sum_add(&sum, product);
        sum_add(&sum, fma(weights.d, weights.point[p], -product));
    }
    return sum_total(&sum);
}

void ground_build(const struct law *law, struct ground *ground)
{
    size_t cells = grid_cells(&law->grid);
    size_t points = (size_t)law->stencil->points;
    ground->fastest = 0;
    for (size_t i = 0; i < cells; i++) {
        ground->delta[i] = law->delta * (ground->speed[i] * ground->speed[i]);
        if (!ground->wall[i] && ground->delta[i] > ground->fastest)
            ground->fastest = ground->delta[i];
        for (size_t p = 0; p < points; p++)
            ground->seen[i * 8 + p] =
                (int32_t)seen(law, ground, i, law->stencil->point[p].step);
    }
    for (size_t i = 0; law->conservative && i < cells; i++)
        for (size_t p = 0; p < points; p++)
            ground->face[i * 8 + p] =
                face(ground, i, (size_t)ground->seen[i * 8 + p]);
    for (size_t i = 0; i < cells; i++)
        ground->excess[i] = ground->wall[i] ? 0 : excess(law, ground, i);
}

int ground_links(const struct law *law, const struct ground *ground,
                 size_t cell, struct link links[8])
{
    int count = 0;
    for (int p = 0; p < law->stencil->points; p++) {
        int32_t there = ground->seen[cell * 8 + (size_t)p];
        if ((size_t)there == cell)
            continue;
        double weight = law->stencil->point[p].weight;
        if (law->conservative)
            weight *= ground->face[cell * 8 + (size_t)p];
        links[count++] =
            (struct link){ ground->wall[there] ? -1 : there, weight };
    }
    return count;
}
