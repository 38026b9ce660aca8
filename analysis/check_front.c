/* SPDX-License-Identifier: MIT */
/* The front: it goes one cell a step along the axes, so its first non-zero
 * value counts the shortest lattice paths, each with the product of what every
 * cell on it takes from the one before. */
#include "check_wave.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum status front_init(const struct law *law, struct front *front,
                       struct error *error)
{
    size_t cells = grid_cells(&law->grid);
    *front = (struct front){
        .distance = memory_new(cells, sizeof *front->distance),
        .exponent = memory_new(cells, sizeof *front->exponent),
        .queue = memory_new(cells, sizeof *front->queue),
        .fraction = memory_new(cells, sizeof *front->fraction),
        .faint = memory_new(cells, sizeof *front->faint),
        .emitted = -1,
    };
    if (front->distance && front->exponent && front->queue && front->fraction &&
        front->faint)
        return STATUS_OK;
    front_release(front);
    return error_memory(error);
}

void front_release(struct front *front)
{
    memory_release(front->distance);
    memory_release(front->exponent);
    memory_release(front->queue);
    memory_release(front->fraction);
    memory_release(front->faint);
    *front = (struct front){ 0 };
}

/* fraction · 2^exponent of the cell grows by value · 2^exponent: no range of a
 * float is left, however long the way. */
static void grow(struct front *front, size_t cell, double value, int exponent)
{
    if (front->fraction[cell] == 0) {
        front->exponent[cell] = exponent;
    } else if (front->exponent[cell] >= exponent) {
        value = ldexp(value, exponent - front->exponent[cell]);
    } else {
        front->fraction[cell] =
            ldexp(front->fraction[cell], front->exponent[cell] - exponent);
        front->exponent[cell] = exponent;
    }
    int shift;
    front->fraction[cell] = frexp(front->fraction[cell] + value, &shift);
    front->exponent[cell] += shift;
}

/* What `to` takes of a neighbour's value through a link. */
static double taken(const struct law *law, const struct ground *ground,
                    const struct link *link)
{
    double weight = link->weight / (1 + law->loss);
    return law->conservative ? weight : weight * ground->delta[link->cell];
}

static bool is_faint(const struct law *law, const struct front *front,
                     size_t cell)
{
    int least = ilogb(law_least(law));
    return front->exponent[cell] <= least;
}

void front_spread(struct front *front, const struct law *law,
                  const struct ground *ground, size_t source, int64_t emitted)
{
    size_t cells = grid_cells(&law->grid);
    memset(front->faint, 0, cells);
    memset(front->fraction, 0, cells * sizeof *front->fraction);
    for (size_t i = 0; i < cells; i++)
        front->distance[i] = -1;
    front->emitted = emitted;
    if (ground->wall[source])
        return;
    front->distance[source] = 0;
    front->fraction[source] = frexp(law->amplitude, &front->exponent[source]);
    front->queue[0] = (int32_t)source;
    size_t queued = 1;
    for (size_t next = 0; next < queued; next++) {
        size_t from = (size_t)front->queue[next];
        struct link links[8];
        int count = ground_links(law, ground, from, links);
        if (is_faint(law, front, from))
            front->faint[from] = 1;
        for (int i = 0; i < count; i++) {
            if (links[i].cell < 0)
                continue;
            size_t to = (size_t)links[i].cell;
            if (front->distance[to] < 0) {
                front->distance[to] = front->distance[from] + 1;
                front->queue[queued++] = links[i].cell;
            }
            if (front->distance[to] != front->distance[from] + 1)
                continue;
            grow(front, to,
                 front->fraction[from] * taken(law, ground, &links[i]),
                 front->exponent[from]);
            front->faint[to] |= front->faint[from];
        }
    }
}

/* Relative to the front's value: a rounding of the coefficient, of the product
 * and of each of the sums a step, on values that only add up; two more for the
 * damping's quotient and A. */
static double value_bound(const struct law *law, int32_t distance)
{
    return (law->grid.dims * 2 + 4) * (double)(distance + 1) *
           law_roundoff(law);
}

static void check_cell(const struct law *law, const struct front *front,
                       const struct wave_row *row, size_t cell,
                       struct finding *support, struct finding *value)
{
    int64_t age = row->step - row->emitted;
    int32_t distance = front->distance[cell];
    struct spot spot = { row->wave, -1, row->step, (int64_t)cell };
    double z = row->now[cell];
    if (distance < 0 || distance > age) {
        finding_within(support, fabs(z), 0, &spot);
    } else if (distance == age && front->faint[cell]) {
        finding_skip(support, 1, "fronts below 2^%d", ilogb(law_least(law)));
        finding_skip(value, 1, "fronts below 2^%d", ilogb(law_least(law)));
    } else if (distance == age) {
        double scaled = ldexp(z, -front->exponent[cell]);
        finding_within(support, z != 0 ? 0 : 1, 0, &spot);
        finding_within(value, fabs(scaled / front->fraction[cell] - 1),
                       value_bound(law, distance), &spot);
    }
}

void check_front(const struct law *law, const struct front *front,
                 const struct wave_row *row, struct finding *support,
                 struct finding *value)
{
    const struct box *known = &row->known;
    for (int z = known->low[2]; z <= known->high[2]; z++)
        for (int y = known->low[1]; y <= known->high[1]; y++)
            for (int x = known->low[0]; x <= known->high[0]; x++)
                check_cell(law, front, row, grid_index(&law->grid, x, y, z),
                           support, value);
}
