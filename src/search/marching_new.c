/* SPDX-License-Identifier: MIT */
/* A march made, told what has changed of its terrain, and released. */
#include "search/fast_marching.h"

#include "base/memory.h"
#include "search/marching_state.h"

#include <limits.h>
#include <string.h>

const struct fast_marching_settings fast_marching_plain = { 1, 16 };
const struct fast_marching_settings fast_marching_fine = { 3, 4 };

uint64_t fast_marching_expansions(const struct fast_marching *m)
{
    return m->expansions;
}

size_t fast_marching_memory(const struct fast_marching *m)
{
    size_t each = sizeof *m->nodes + sizeof *m->mark +
                  (m->slowness ? sizeof *m->slowness : 0);
    return sizeof *m + (size_t)m->cells * each +
           BUCKETS_MOST * sizeof *m->queue.heads;
}

static void copy_cell(struct fast_marching *m, const struct terrain *terrain,
                      int x, int y, int z)
{
    size_t cell = grid_index(&m->grid, x, y, z);
    int refine = m->settings.refine, deep = m->grid.dims == 2 ? 1 : refine;
    double slowness = terrain->speed ? 1 / terrain->speed[cell] : 1;
    for (int c = 0; c < deep; c++)
        for (int b = 0; b < refine; b++)
            for (int a = 0; a < refine; a++) {
                int32_t at =
                    at_fine(m, x * refine + a, y * refine + b, z * deep + c);
                if (terrain->wall[cell])
                    m->mark[at] = MARCHING_WALL;
                else if (m->mark[at] == MARCHING_WALL)
                    m->mark[at] = 0;
                if (m->slowness)
                    m->slowness[at] = slowness;
            }
    m->quickest = fmin(m->quickest, slowness);
    m->slowest = fmax(m->slowest, slowness);
}

enum status fast_marching_update(struct fast_marching *m,
                                 const struct terrain *terrain,
                                 const struct box *box, struct error *error)
{
    struct box all = grid_box(&m->grid);
    if (terrain->speed && !m->slowness) {
        m->slowness = memory_new((size_t)m->cells, sizeof *m->slowness);
        if (!m->slowness)
            return error_memory(error);
        box = NULL;
    }
    if (!box)
        box = &all;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++)
                copy_cell(m, terrain, x, y, z);
    return STATUS_OK;
}

static enum status lay_out(struct fast_marching *m, struct error *error)
{
    int refine = m->settings.refine, deep = m->grid.dims == 2 ? 1 : refine;
    double sides[] = { (double)m->grid.nx * refine, (double)m->grid.ny * refine,
                       (double)m->grid.nz * deep };
    double cells = (sides[0] + 2) * (sides[1] + 2) *
                   (m->grid.dims == 2 ? 1 : sides[2] + 2);
    if (cells > INT_MAX)
        return error_set(error, STATUS_INPUT,
                         "fast marching on %.0f cells: at most 2147483647 with "
                         "their border",
                         cells);
    m->fine = (struct grid){ m->grid.dims, (int)sides[0], (int)sides[1],
                             (int)sides[2] };
    m->cells = (int32_t)cells;
    m->pitch = m->fine.nx + 2;
    m->layer = m->grid.dims == 2 ? 0 : m->pitch * (m->fine.ny + 2);
    for (int d = 0; d < 2 * m->grid.dims; d++)
        m->offset[d] = direction_step[d][0] + direction_step[d][1] * m->pitch +
                       direction_step[d][2] * m->layer;
    return STATUS_OK;
}

enum status fast_marching_new(const struct terrain *terrain,
                              const struct fast_marching_settings *settings,
                              struct fast_marching **marching,
                              struct error *error)
{
    if (settings->refine < 1 || settings->refine % 2 == 0 ||
        !(settings->disc >= 0))
        return error_set(error, STATUS_INPUT,
                         "fast marching with refine = %d, disc = %g: an odd "
                         "refinement and a radius of 0 or more are allowed",
                         settings->refine, settings->disc);
    struct fast_marching *m = memory_new(1, sizeof *m);
    if (!m)
        return error_memory(error);
    *m = (struct fast_marching){ .grid = terrain->grid,
                                 .settings = *settings,
                                 .quickest = INFINITY };
    enum status status = lay_out(m, error);
    if (!status) {
        size_t cells = (size_t)m->cells;
        m->nodes = memory_new(cells, sizeof *m->nodes);
        m->mark = memory_new(cells, sizeof *m->mark);
        m->queue.heads = memory_new(BUCKETS_MOST, sizeof *m->queue.heads);
        m->queue.nodes = m->nodes;
        if (!m->nodes || !m->mark || !m->queue.heads)
            status = error_memory(error);
        else
            memset(m->mark, 0xff, cells * sizeof *m->mark); /* all walls */
    }
    if (!status)
        status = fast_marching_update(m, terrain, NULL, error);
    if (status)
        fast_marching_release(m);
    else
        *marching = m;
    return status;
}

void fast_marching_release(struct fast_marching *m)
{
    if (!m)
        return;
    memory_release(m->slowness);
    memory_release(m->nodes);
    memory_release(m->mark);
    memory_release(m->queue.heads);
    memory_release(m);
}
