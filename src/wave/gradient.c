/* SPDX-License-Identifier: MIT */
#include "wave/generations.h"

#include <math.h>

struct gradient {
    struct slope slope;
    kernel_slope run;
    void *out[GRID_AXES];
};

static struct gradient gradient_of(const struct wave *wave)
{
    const struct medium *medium = wave->medium;
    return (struct gradient){ .slope = { .layout = &medium->layout,
                                         .now = wave->now,
                                         .flags = medium->flags },
                              .run = medium->slope };
}

static void gradient_rows(void *context, int thread, int threads)
{
    const struct gradient *gradient = context;
    const struct layout *layout = gradient->slope.layout;
    const size_t nx = (size_t)layout->grid.nx, ny = (size_t)layout->grid.ny;
    size_t first, last;
    team_share(ny * (size_t)layout->grid.nz, thread, threads, &first, &last);
    for (size_t r = first; r < last; r++) {
        void *out[GRID_AXES] = { NULL, NULL, NULL };
        for (int axis = 0; axis < layout->grid.dims; axis++)
            out[axis] =
                field_at(layout, gradient->out[axis], (ptrdiff_t)(r * nx));
        gradient->run(&gradient->slope,
                      layout_at(layout, 0, (int)(r % ny), (int)(r / ny)), nx,
                      out);
    }
}

void wave_gradient(const struct wave *wave, void *gx, void *gy, void *gz,
                   struct team *team)
{
    struct gradient gradient = gradient_of(wave);
    gradient.out[0] = gx;
    gradient.out[1] = gy;
    gradient.out[2] = gz;
    team_run(team, gradient_rows, &gradient);
}

/* The gradient at one node, rounded as the field of wave_gradient is. */
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

struct sample {
    double weight, amplitude, gradient[GRID_AXES];
};

static void add_node(const struct wave *wave, int x, int y, int z,
                     double weight, struct sample *sum)
{
    const struct layout *layout = &wave->medium->layout;
    if (weight == 0 || !grid_holds(&layout->grid, x, y, z) ||
        wave->medium->terrain->wall[grid_index(&layout->grid, x, y, z)])
        return;
    ptrdiff_t index = layout_at(layout, x, y, z);
    double gradient[GRID_AXES] = { 0, 0, 0 };
    node_gradient(wave, index, gradient);
    sum->weight += weight;
    sum->amplitude += weight * field_value(layout, wave->now, index);
    for (int axis = 0; axis < layout->grid.dims; axis++)
        sum->gradient[axis] += weight * gradient[axis];
}

void wave_sample(const struct wave *wave, const double at[GRID_AXES],
                 double *amplitude, double gradient[GRID_AXES])
{
    const struct grid *grid = &wave->medium->layout.grid;
    struct sample sum = { .weight = 0 };
    double u[GRID_AXES] = { 0, 0, 0 };
    int low[GRID_AXES] = { 0, 0, 0 };
    for (int axis = 0; axis < grid->dims; axis++) {
        double floor_at = floor(at[axis]);
        low[axis] = (int)floor_at;
        u[axis] = at[axis] - floor_at;
    }
    for (int corner = 0; corner < 1 << grid->dims; corner++) {
        int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
        double weight = (x ? u[0] : 1 - u[0]) * (y ? u[1] : 1 - u[1]) *
                        (z ? u[2] : 1 - u[2]);
        add_node(wave, low[0] + x, low[1] + y, low[2] + z, weight, &sum);
    }
    double whole = sum.weight > 0 ? sum.weight : 1; /* all walls: 0 / 1 */
    *amplitude = sum.amplitude / whole;
    for (int axis = 0; axis < GRID_AXES; axis++)
        gradient[axis] = sum.gradient[axis] / whole;
}
