/* SPDX-License-Identifier: MIT */
#include "search/lattice.h"

#include "base/memory.h"

#include <string.h>

static size_t bordered(const struct lattice *l)
{
    return ((size_t)l->nx + 2) * ((size_t)l->ny + 2);
}

static size_t line_slots(const struct lattice *l)
{
    return ((size_t)l->nx + 2) * ((size_t)l->ny + 1);
}

enum status lattice_init(struct lattice *l, const struct grid *grid,
                         struct error *error)
{
    *l = (struct lattice){ .nx = grid->nx, .ny = grid->ny };
    l->wall = memory_new(bordered(l), sizeof *l->wall);
    l->first = memory_new(bordered(l), sizeof *l->first);
    l->last = memory_new(bordered(l), sizeof *l->last);
    l->corner = memory_new(line_slots(l), sizeof *l->corner);
    l->quadrant = memory_new(lattice_points(l), sizeof *l->quadrant);
    if (l->wall && l->first && l->last && l->corner && l->quadrant)
        return STATUS_OK;
    lattice_release(l);
    return error_memory(error);
}

void lattice_release(struct lattice *l)
{
    memory_release(l->wall);
    memory_release(l->first);
    memory_release(l->last);
    memory_release(l->corner);
    memory_release(l->quadrant);
    *l = (struct lattice){ 0 };
}

size_t lattice_memory(const struct lattice *l)
{
    return bordered(l) *
               (sizeof *l->wall + sizeof *l->first + sizeof *l->last) +
           line_slots(l) * sizeof *l->corner +
           lattice_points(l) * sizeof *l->quadrant;
}

static void find_runs(struct lattice *l)
{
    for (int y = -1; y <= l->ny; y++) {
        const uint8_t *wall = l->wall + lattice_cell(l, 0, y);
        int32_t *first = l->first + lattice_cell(l, 0, y);
        int32_t *last = l->last + lattice_cell(l, 0, y);
        first[-1] = -1;
        for (int x = 0; x <= l->nx; x++)
            first[x] = wall[x] == wall[x - 1] ? first[x - 1] : x;
        last[l->nx] = l->nx;
        for (int x = l->nx - 1; x >= -1; x--)
            last[x] = wall[x] == wall[x + 1] ? last[x + 1] : x;
    }
}

static void find_corners(struct lattice *l)
{
    for (int j = 0; j <= l->ny; j++) {
        int32_t *line = l->corner + (size_t)j * ((size_t)l->nx + 2);
        line[l->nx + 1] = l->nx + 1;
        for (int i = l->nx; i >= 0; i--) {
            int nw = l->wall[lattice_cell(l, i - 1, j - 1)];
            int ne = l->wall[lattice_cell(l, i, j - 1)];
            int sw = l->wall[lattice_cell(l, i - 1, j)];
            int se = l->wall[lattice_cell(l, i, j)];
            bool corner = nw + ne + sw + se == 1;
            l->quadrant[lattice_point(l, i, j)] =
                corner ? (uint8_t)(1 + ne + 2 * sw + 3 * se) : 0;
            line[i] = corner ? i : line[i + 1];
        }
    }
}

void lattice_update(struct lattice *l, const struct terrain *terrain)
{
    memset(l->wall, 1, bordered(l));
    for (int y = 0; y < l->ny; y++)
        for (int x = 0; x < l->nx; x++)
            l->wall[lattice_cell(l, x, y)] =
                terrain->wall[grid_index(&terrain->grid, x, y, 0)] != 0;
    find_runs(l);
    find_corners(l);
}
