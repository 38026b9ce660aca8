/* SPDX-License-Identifier: MIT */
#include "wave/arrival/light_cone.h"

#include "base/memory.h"

#include <string.h>

enum status light_cone_init(struct light_cone *cone,
                            const struct terrain *terrain, struct error *error)
{
    size_t cells = grid_cells(&terrain->grid);
    *cone = (struct light_cone){
        .terrain = terrain,
        .reached = memory_new(cells, sizeof *cone->reached),
        .age = -1,
        .front = memory_new(cells, sizeof *cone->front),
        .next = memory_new(cells, sizeof *cone->next),
        .queued = memory_new(cells, sizeof *cone->queued),
    };
    if (!cone->reached || !cone->front || !cone->next || !cone->queued) {
        light_cone_release(cone);
        return error_memory(error);
    }
    if (!memory_is_promised()) /* else the memory would be touched */
        memset(cone->reached, 0xff, cells * sizeof *cone->reached);
    return STATUS_OK;
}

void light_cone_release(struct light_cone *cone)
{
    memory_release(cone->reached);
    memory_release(cone->front);
    memory_release(cone->next);
    memory_release(cone->queued);
    *cone = (struct light_cone){ .age = -1 };
}

static void queue(struct light_cone *cone, int32_t *list, size_t *count,
                  size_t cell)
{
    if (cone->queued[cell])
        return;
    cone->queued[cell] = 1;
    list[(*count)++] = (int32_t)cell;
}

void light_cone_begin(struct light_cone *cone, size_t source)
{
    size_t cells = grid_cells(&cone->terrain->grid);
    memset(cone->reached, 0xff, cells * sizeof *cone->reached);
    memset(cone->queued, 0, cells);
    cone->age = 0;
    cone->count = 0;
    if (source == GRID_NOWHERE || cone->terrain->wall[source])
        return;
    cone->reached[source] = 0;
    queue(cone, cone->front, &cone->count, source);
}

static void spread(struct light_cone *cone, size_t from, size_t *count)
{
    const struct grid *grid = &cone->terrain->grid;
    int cell[GRID_AXES];
    grid_cell(grid, from, cell);
    for (int d = 0; d < 2 * grid->dims; d++) {
        int x = cell[0] + direction_step[d][0];
        int y = cell[1] + direction_step[d][1];
        int z = cell[2] + direction_step[d][2];
        if (!grid_holds(grid, x, y, z))
            continue;
        size_t to = grid_index(grid, x, y, z);
        if (cone->terrain->wall[to] || cone->reached[to] >= 0)
            continue;
        cone->reached[to] = (int32_t)cone->age;
        queue(cone, cone->next, count, to);
    }
}

void light_cone_advance(struct light_cone *cone)
{
    if (cone->age < 0)
        return;
    cone->age++;
    size_t count = 0;
    for (size_t i = 0; i < cone->count; i++)
        cone->queued[cone->front[i]] = 0;
    for (size_t i = 0; i < cone->count; i++)
        if (cone->reached[cone->front[i]] >= 0)
            spread(cone, (size_t)cone->front[i], &count);
    int32_t *front = cone->front;
    cone->front = cone->next;
    cone->next = front;
    cone->count = count;
}

void light_cone_join(struct light_cone *cone, const struct box *box)
{
    const struct grid *grid = &cone->terrain->grid;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                size_t cell = grid_index(grid, x, y, z);
                if (cone->reached[cell] == cone->age)
                    queue(cone, cone->front, &cone->count, cell);
            }
}

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

/* `box` extended by one cell on each side, within the grid. */
static struct box with_rim(const struct grid *grid, const struct box *box)
{
    struct box all = grid_box(grid), rim;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        rim.low[axis] = at_least(box->low[axis] - 1, 0);
        rim.high[axis] = at_most(box->high[axis] + 1, all.high[axis]);
    }
    return rim;
}

void light_cone_update(struct light_cone *cone, const struct box *box)
{
    if (cone->age < 0)
        return;
    const struct grid *grid = &cone->terrain->grid;
    struct box rim = with_rim(grid, box);
    for (int z = rim.low[2]; z <= rim.high[2]; z++)
        for (int y = rim.low[1]; y <= rim.high[1]; y++)
            for (int x = rim.low[0]; x <= rim.high[0]; x++) {
                size_t cell = grid_index(grid, x, y, z);
                if (cone->terrain->wall[cell])
                    cone->reached[cell] = -1;
                else if (cone->reached[cell] >= 0)
                    queue(cone, cone->front, &cone->count, cell);
            }
}

/* `queued` was loaded: fills `front` with the queued cells. */
static void line_up(struct light_cone *cone)
{
    size_t cells = grid_cells(&cone->terrain->grid);
    cone->count = 0;
    for (size_t cell = 0; cell < cells; cell++)
        if (cone->queued[cell])
            cone->front[cone->count++] = (int32_t)cell;
}

void light_cone_state(struct light_cone *cone, struct state *state)
{
    const struct grid *grid = &cone->terrain->grid;
    const size_t cells = grid_cells(grid);
    state_visit_steps(state, &cone->age, 1);
    state_visit_cells(state, cone->reached, sizeof *cone->reached, grid);
    state_visit_cells(state, cone->queued, sizeof *cone->queued, grid);
    if (state->mode != STATE_LOAD)
        return;
    state_hold_cells(state, cone->reached, cells, -1, cone->age);
    for (size_t cell = 0; cell < cells; cell++)
        if (!state_holds(state, cone->queued[cell] <= 1))
            cone->queued[cell] = 1;
    line_up(cone);
}
