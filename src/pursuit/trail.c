/* SPDX-License-Identifier: MIT */
#include "pursuit/trail.h"

#include "base/memory.h"

/* fall_along interpolates between the norms, and a vector's length is convex,
 * so what holds for their directions holds for all. */
static double least_fall(const struct fall *fall, int axes)
{
    const int thick = axes == 3 ? FALL_PARTS : 0;
    double least = INFINITY;
    for (int i = 0; i <= FALL_PARTS; i++)
        for (int j = 0; j <= thick; j++) {
            const double x = (double)i / FALL_PARTS, y = (double)j / FALL_PARTS;
            least = fmin(least, fall->norm[i][j] / sqrt(1 + x * x + y * y));
        }
    return fmax(least, 0) * (1 - 1e-6);
}

enum status trail_init(struct trail *trail, const struct terrain *terrain,
                       trail_potential *potential, const void *context,
                       const struct fall *fall, struct error *error)
{
    const size_t cells = grid_cells(&terrain->grid) + TRAIL_SLACK;
    *trail = (struct trail){
        .terrain = terrain,
        .potential = potential,
        .context = context,
        .fall = fall,
        .steep = least_fall(fall, grid_axes(&terrain->grid)),
        .emitted = -1,
        .emitted_before = -1,
        .source = -1,
        .source_before = -1,
        .now = memory_new(cells, sizeof *trail->now),
        .before = memory_new(cells, sizeof *trail->before),
        .unsettled = memory_new(1, sizeof *trail->unsettled),
    };
    return trail->now && trail->before && trail->unsettled
               ? STATUS_OK
               : error_memory(error);
}

void trail_release(struct trail *trail)
{
    memory_release(trail->now);
    memory_release(trail->before);
    memory_release(trail->unsettled);
    *trail = (struct trail){ 0 };
}

void trail_refresh(struct trail *trail)
{
    struct trail_unsettled *unsettled = trail->unsettled;
    while (unsettled->count > 0)
        trail->now[unsettled->cell[--unsettled->count]] = NAN;
}

void trail_keep(struct trail *trail, bool needed)
{
    const size_t cells = grid_cells(&trail->terrain->grid);
    trail->emitted_before = needed ? trail->emitted : -1;
    trail->source_before = needed ? trail->source : -1;
    if (!needed)
        return;
    trail_refresh(trail);
    for (size_t i = 0; i < cells; i++)
        trail->now[i] = trail->terrain->wall[i]
                            ? -INFINITY
                            : trail_at(trail, trail->emitted, i);
    float *kept = trail->now;
    trail->now = trail->before;
    trail->before = kept;
}

static void forget(struct trail *trail)
{
    const size_t cells = grid_cells(&trail->terrain->grid);
    const uint8_t *wall = trail->terrain->wall;
    for (size_t i = 0; i < cells; i++)
        trail->now[i] = wall[i] ? -INFINITY : NAN;
    trail->unsettled->count = 0;
}

void trail_begin(struct trail *trail, int64_t source, int64_t step)
{
    trail->source = source;
    trail->emitted = step;
    forget(trail);
}

/* A cell that opens has no potential from an emission that has passed. */
void trail_update(struct trail *trail, const struct box *box)
{
    const struct grid *grid = &trail->terrain->grid;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                const size_t cell = grid_index(grid, x, y, z);
                const bool wall = trail->terrain->wall[cell];
                trail->now[cell] = wall ? -INFINITY : NAN;
                if (wall)
                    trail->before[cell] = -INFINITY;
            }
}

void trail_state(struct trail *trail, struct state *state)
{
    state_visit_steps(state, &trail->emitted, 1);
    state_visit_steps(state, &trail->emitted_before, 1);
    state_visit_cells(state, trail->before, sizeof *trail->before,
                      &trail->terrain->grid);
    if (state->mode == STATE_LOAD)
        forget(trail);
}
