/* SPDX-License-Identifier: MIT */
#include "wave/generations.h"

#include <math.h>

struct gradient {
    struct slope slope;
    kernel_slope run;
    struct box box;
    void *out[GRID_AXES];
};

static struct gradient gradient_of(const struct wave *wave)
{
    const struct medium *medium = wave->medium;
    return (struct gradient){ .slope = { .layout = &medium->layout,
                                         .now = wave->now,
                                         .walls = medium->walls },
                              .run = medium->slope,
                              .box = medium->own };
}

static void gradient_rows(void *context, int thread, int threads)
{
    const struct gradient *gradient = context;
    const struct layout *layout = gradient->slope.layout;
    const int *low = gradient->box.low, *high = gradient->box.high;
    const size_t nx = (size_t)(high[0] - low[0] + 1);
    const size_t ny = (size_t)(high[1] - low[1] + 1);
    size_t first, last;
    team_share(ny * (size_t)(high[2] - low[2] + 1), thread, threads, &first,
               &last);
    for (size_t r = first; r < last; r++) {
        void *out[GRID_AXES] = { NULL, NULL, NULL };
        for (int axis = 0; axis < layout->grid.dims; axis++)
            out[axis] =
                field_at(layout, gradient->out[axis], (ptrdiff_t)(r * nx));
        int y = low[1] + (int)(r % ny), z = low[2] + (int)(r / ny);
        gradient->run(&gradient->slope, layout_at(layout, low[0], y, z), nx,
                      out);
    }
}

void wave_gradient(struct wave *wave, void *gx, void *gy, void *gz,
                   struct team *team)
{
    wave_catch_up(wave);
    struct gradient gradient = gradient_of(wave);
    gradient.out[0] = gx;
    gradient.out[1] = gy;
    gradient.out[2] = gz;
    team_step(team, box_cells(&gradient.box), gradient_rows, &gradient);
}

/* The gradient at one node, rounded as wave_gradient rounds its field. */
static void node_gradient(const struct wave *wave, ptrdiff_t index,
                          double out[GRID_AXES])
{
    const struct layout *layout = &wave->medium->layout;
    const struct gradient gradient = gradient_of(wave);
    double room[GRID_AXES] = { 0, 0, 0 }; /* large enough for either REAL */
    gradient.run(&gradient.slope, index, 1,
                 (void *const[]){ &room[0], &room[1], &room[2] });
    for (int axis = 0; axis < layout->grid.dims; axis++)
        out[axis] = field_value(layout, &room[axis], 0);
}

/* The nodes round a position that are no walls, and their weights (eq 16). */
struct nodes {
    int count;
    ptrdiff_t index[8]; /* in the wave's layout */
    size_t cell[8];
    double weight[8];
};

static struct nodes nodes_round(const struct wave *wave,
                                const double at[GRID_AXES])
{
    const struct terrain *map = wave->medium->map;
    const struct grid *grid = &map->grid;
    double u[GRID_AXES] = { 0, 0, 0 }, whole = 0;
    int low[GRID_AXES] = { 0, 0, 0 };
    for (int axis = 0; axis < grid->dims; axis++) {
        low[axis] = (int)at[axis];
        low[axis] -= low[axis] > at[axis]; /* ⌊x⌋ */
        u[axis] = at[axis] - low[axis];
    }
    struct nodes nodes = { .count = 0 };
    for (int corner = 0; corner < 1 << grid->dims; corner++) {
        int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
        int x = low[0] + dx, y = low[1] + dy, z = low[2] + dz;
        double weight = (dx ? u[0] : 1 - u[0]) * (dy ? u[1] : 1 - u[1]) *
                        (dz ? u[2] : 1 - u[2]);
        if (weight == 0 || !grid_holds(grid, x, y, z))
            continue;
        const size_t cell = grid_index(grid, x, y, z);
        if (map->wall[cell])
            continue;
        nodes.cell[nodes.count] = cell;
        nodes.index[nodes.count] = medium_cell(wave->medium, cell);
        nodes.weight[nodes.count++] = weight;
        whole += weight;
    }
    for (int i = 0; i < nodes.count; i++)
        nodes.weight[i] /= whole;
    return nodes;
}

void wave_sample_amplitude(struct wave *wave, const double at[GRID_AXES],
                           double *newest, double *older)
{
    wave_catch_up(wave);
    const struct layout *layout = &wave->medium->layout;
    const struct nodes nodes = nodes_round(wave, at);
    *newest = *older = 0;
    for (int i = 0; i < nodes.count; i++) {
        *newest +=
            nodes.weight[i] * field_value(layout, wave->now, nodes.index[i]);
        *older +=
            nodes.weight[i] * field_value(layout, wave->before, nodes.index[i]);
    }
}

void wave_sample_gradient(struct wave *wave, const double at[GRID_AXES],
                          double gradient[GRID_AXES])
{
    wave_catch_up(wave);
    const struct nodes nodes = nodes_round(wave, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        gradient[axis] = 0;
    for (int i = 0; i < nodes.count; i++) {
        double node[GRID_AXES] = { 0, 0, 0 };
        node_gradient(wave, nodes.index[i], node);
        for (int axis = 0; axis < GRID_AXES; axis++)
            gradient[axis] += nodes.weight[i] * node[axis];
    }
}

double wave_sample_copy(const struct wave *wave, const void *field,
                        const double at[GRID_AXES])
{
    const struct layout *layout = &wave->medium->layout;
    const struct nodes nodes = nodes_round(wave, at);
    double sum = 0;
    for (int i = 0; i < nodes.count; i++)
        sum += nodes.weight[i] *
               field_value(layout, field, (ptrdiff_t)nodes.cell[i]);
    return sum;
}
