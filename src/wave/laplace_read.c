/* SPDX-License-Identifier: MIT */
#include "wave/laplace.h"

#include <math.h>
#include <stdlib.h>

/* Reading takes a cell's U relative to one near by, in units of
 * 2^(exponent − scale)·e^(−pr), for V alone may stand at the end of its range.
 */
struct unit {
    int64_t r;
    int exponent, scale;
};

static struct unit unit_of(const struct laplace *laplace, size_t cell)
{
    struct laplace_cell at = laplace_cell(laplace, cell);
    struct unit unit = { .r = at.age, .scale = at.scale };
    frexp(at.sum, &unit.exponent);
    return unit;
}

static double scaled(const struct laplace *laplace, struct laplace_cell at,
                     struct unit unit)
{
    double sum = ldexp(at.sum, unit.scale - at.scale - unit.exponent);
    int64_t late = at.age - unit.r;
    return late == 0 ? sum : sum * exp(-laplace->decay * (double)late);
}

static double scaled_sum(const struct laplace *laplace, size_t cell,
                         struct unit unit)
{
    return scaled(laplace, laplace_cell(laplace, cell), unit);
}

double laplace_log(const struct laplace *laplace, size_t cell)
{
    struct laplace_cell at = laplace_cell(laplace, cell);
    if (!(at.sum > 0))
        return -INFINITY;
    return log(at.sum) - laplace->decay * (double)at.age - at.scale * log(2);
}

/* The cells round one, 3 on each axis: U, or NaN in walls, outside, and behind
 * walls: where no shortest way from the middle leads through free cells. */
struct neighbourhood {
    double sum[27];
    bool whole; /* none is missing */
};

static const int stride[GRID_AXES] = { 1, 3, 9 };
enum { CENTRE = 13 };

static void offset_of(int i, int offset[GRID_AXES])
{
    offset[0] = i % 3 - 1;
    offset[1] = i / 3 % 3 - 1;
    offset[2] = i / 9 - 1;
}

/* One of the cells a step nearer to the middle was seen. */
static bool in_touch(const struct neighbourhood *round, int i)
{
    int offset[GRID_AXES];
    offset_of(i, offset);
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (offset[axis] != 0 &&
            !isnan(round->sum[i - offset[axis] * stride[axis]]))
            return true;
    return false;
}

static double look_at(const struct laplace *laplace, const int cell[GRID_AXES],
                      const int offset[GRID_AXES], struct unit unit)
{
    const struct grid *grid = &laplace->terrain->grid;
    int x = cell[0] + offset[0], y = cell[1] + offset[1];
    int z = cell[2] + offset[2];
    if (!grid_holds(grid, x, y, z))
        return NAN;
    size_t there = grid_index(grid, x, y, z);
    return laplace->terrain->wall[there] ? NAN
                                         : scaled_sum(laplace, there, unit);
}

static struct neighbourhood look_round(const struct laplace *laplace,
                                       size_t cell, struct unit unit)
{
    int dims = laplace->terrain->grid.dims;
    struct neighbourhood round = { .whole = true };
    int at[GRID_AXES], offset[GRID_AXES];
    grid_cell(&laplace->terrain->grid, cell, at);
    round.sum[CENTRE] = scaled_sum(laplace, cell, unit);
    for (int steps = 1; steps <= dims; steps++)
        for (int i = dims == 3 ? 0 : 9; i < (dims == 3 ? 27 : 18); i++) {
            offset_of(i, offset);
            if (abs(offset[0]) + abs(offset[1]) + abs(offset[2]) != steps)
                continue;
            round.sum[i] =
                in_touch(&round, i) ? look_at(laplace, at, offset, unit) : NAN;
            round.whole = round.whole && !isnan(round.sum[i]);
        }
    return round;
}

/* On as the other side goes: an exponential, as U is along a ray. */
static double beyond(double own, double opposite)
{
    return opposite > 0 ? own * own / opposite : own;
}

static double slope_through(double own, double low, double high)
{
    if (isnan(low) && isnan(high))
        return 0;
    if (isnan(low))
        low = beyond(own, high);
    else if (isnan(high))
        high = beyond(own, low);
    return (high - low) / 2;
}

/* The same in a row beside: it says what it can, and no more. */
static double slope_beside(double own, double middle, double low, double high)
{
    double still = isnan(middle) ? own : middle;
    return ((isnan(high) ? still : high) - (isnan(low) ? still : low)) / 2;
}

/* What the middle row counts for where those beside it count 1, with their own
 * U, which may be many times the cell's: laplace.h. */
static double weight_of_middle(const struct neighbourhood *round, int dims,
                               bool matched)
{
    double own = round->sum[CENTRE], total = 0;
    if (matched && round->whole)
        return 4;
    for (int axis = 0; axis < dims; axis++)
        for (int side = -1; side <= 1; side += 2) {
            double next = round->sum[CENTRE + side * stride[axis]];
            total += isnan(next) ? 0 : next;
        }
    return own > 0 ? fmax(total / (2 * own), 1) : 1;
}

/* middle: the middle row's weight; 0: it stands alone. */
static double slope_along(const struct neighbourhood *round, int axis, int dims,
                          double middle)
{
    double own = round->sum[CENTRE], total = 0, weights = 0;
    int one = (axis + 1) % dims, other = (axis + 2) % GRID_AXES;
    int width = middle > 0 ? 1 : 0, depth = width && dims == 3 ? 1 : 0;
    for (int i = -width; i <= width; i++)
        for (int j = -depth; j <= depth; j++) {
            int at = CENTRE + i * stride[one] + (depth ? j * stride[other] : 0);
            double weight =
                (!width || i ? 1 : middle) * (!depth || j ? 1 : middle);
            double low = round->sum[at - stride[axis]];
            double high = round->sum[at + stride[axis]];
            total += weight * (at == CENTRE ? slope_through(own, low, high)
                                            : slope_beside(own, round->sum[at],
                                                           low, high));
            weights += weight;
        }
    return total / weights;
}

/* ∇U at the centre of a free cell. */
static void gradient_at(const struct laplace *laplace, size_t cell,
                        struct unit unit, double gradient[GRID_AXES])
{
    int dims = laplace->terrain->grid.dims;
    struct neighbourhood round = look_round(laplace, cell, unit);
    bool matched = laplace->options.matched;
    double middle =
        matched || !round.whole ? weight_of_middle(&round, dims, matched) : 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        gradient[axis] =
            axis < dims ? slope_along(&round, axis, dims, middle) : 0;
}

void laplace_slope(const struct laplace *laplace, size_t cell,
                   double slope[GRID_AXES])
{
    struct unit unit = unit_of(laplace, cell);
    double own = scaled_sum(laplace, cell, unit);
    gradient_at(laplace, cell, unit, slope);
    for (int axis = 0; axis < GRID_AXES; axis++)
        slope[axis] = own != 0 ? slope[axis] / own : 0;
}

/* The up to 8 nodes round a position and their weights, walls left out. */
struct nodes {
    int place[8][GRID_AXES];
    double weight[8];
    int count;
};

/* One of the nodes round a position, and how near it lies; false where that is
 * no free cell, or as far as the next one. */
static bool node_at(const struct terrain *terrain, const double at[GRID_AXES],
                    int corner, int node[GRID_AXES], double *weight)
{
    const struct grid *grid = &terrain->grid;
    *weight = 1;
    for (int axis = 0; axis < grid_axes(grid); axis++) {
        double low = floor(at[axis]), share = at[axis] - low;
        bool high = corner >> axis & 1;
        node[axis] = (int)low + high;
        *weight *= high ? share : 1 - share;
    }
    if (!(*weight > 0) || !grid_holds(grid, node[0], node[1], node[2]))
        return false;
    return !terrain->wall[grid_index(grid, node[0], node[1], node[2])];
}

static struct nodes nodes_round(const struct terrain *terrain,
                                const double at[GRID_AXES])
{
    struct nodes nodes = { .count = 0 };
    double total = 0;
    for (int corner = 0; corner < 1 << grid_axes(&terrain->grid); corner++) {
        int *place = nodes.place[nodes.count];
        double weight;
        place[0] = place[1] = place[2] = 0;
        if (!node_at(terrain, at, corner, place, &weight))
            continue;
        nodes.weight[nodes.count++] = weight;
        total += weight;
    }
    for (int i = 0; i < nodes.count; i++)
        nodes.weight[i] /= total;
    return nodes;
}

static void add_gradients(const struct laplace *laplace,
                          const struct nodes *nodes, struct unit unit,
                          double sum[GRID_AXES])
{
    for (int i = 0; i < nodes->count; i++) {
        const int *at = nodes->place[i];
        double gradient[GRID_AXES];
        gradient_at(laplace,
                    grid_index(&laplace->terrain->grid, at[0], at[1], at[2]),
                    unit, gradient);
        for (int axis = 0; axis < GRID_AXES; axis++)
            sum[axis] += nodes->weight[i] * gradient[axis];
    }
}

void laplace_look(const struct laplace *laplace,
                  const struct amplitudes *generation,
                  const double at[GRID_AXES], struct arrival_look *look)
{
    const struct terrain *terrain = laplace->terrain;
    size_t nearest = grid_nearest(&terrain->grid, at);
    struct unit unit = unit_of(laplace, nearest);
    struct nodes nodes = nodes_round(terrain, at);
    double z = 0;
    look->age = laplace->age;
    look->sum = 0;
    look->spoilt = false;
    look->log_unit =
        (unit.exponent - unit.scale) * log(2) - laplace->decay * (double)unit.r;
    for (int axis = 0; axis < GRID_AXES; axis++)
        look->gradient[axis] = 0;
    for (int i = 0; i < nodes.count; i++) {
        double weight = nodes.weight[i];
        const int *place = nodes.place[i];
        ptrdiff_t index = place[0] + place[1] * generation->row +
                          place[2] * generation->layer;
        ptrdiff_t item =
            layout_at(&laplace->layout, place[0], place[1], place[2]);
        z += weight * laplace_number(laplace, generation->values, index);
        look->sum += weight * scaled(laplace, laplace_at(laplace, item), unit);
    }
    look->now = ldexp(z, unit.scale - laplace->scale - unit.exponent);
    if (laplace->age != unit.r)
        look->now *= exp(-laplace->decay * (double)(laplace->age - unit.r));
    /* Most looks find nothing, and what makes them dear is the gradient. */
    if (laplace_holds(look->sum, look->now, laplace->options.eta)) {
        look->spoilt = laplace_is_spoilt(laplace, nearest);
        add_gradients(laplace, &nodes, unit, look->gradient);
    }
}
