/* SPDX-License-Identifier: MIT */
#include "wave/laplace/laplace.h"

#include "base/memory.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static bool is_single(const struct laplace *laplace)
{
    return laplace->layout.item == sizeof(float);
}

enum status laplace_init(struct laplace *laplace, const struct medium *medium,
                         const int32_t *scale_of,
                         const struct laplace_options *options,
                         struct error *error)
{
    const size_t items = medium->layout.items;
    *laplace = (struct laplace){ .medium = medium,
                                 .scale_of = scale_of,
                                 .terrain = medium->terrain,
                                 .options = *options,
                                 .layout = medium->layout,
                                 .age = -1 };
    laplace->sum = memory_new(items, medium->layout.item);
    laplace->closed = memory_new(items, sizeof *laplace->closed);
    laplace->arrived = memory_new(items, sizeof *laplace->arrived);
    if (options->steps)
        laplace->step = memory_new(grid_cells(&laplace->layout.grid),
                                   sizeof *laplace->step);
    if (!laplace->sum || !laplace->closed || !laplace->arrived ||
        (options->steps && !laplace->step)) {
        laplace_release(laplace);
        return error_memory(error);
    }
    laplace->growth = exp(options->p);
    if (is_single(laplace))
        laplace->growth = (double)(float)laplace->growth;
    laplace->decay = log(laplace->growth);
    if (!memory_is_promised()) /* else the memory would be touched */
        laplace_clear(laplace);
    return STATUS_OK;
}

void laplace_release(struct laplace *laplace)
{
    memory_release(laplace->sum);
    memory_release(laplace->closed);
    memory_release(laplace->arrived);
    memory_release(laplace->step);
    *laplace = (struct laplace){ .age = -1 };
}

/* ---- from emission to emission ---- */

/* Clears the items of whole lines that contain a row. Items that are no cells
 * are closed for ever, as walls are. */
static void clear_row(struct laplace *laplace, int row)
{
    const struct layout *layout = &laplace->layout;
    const int nx = layout->grid.nx, ny = layout->grid.ny;
    const uint8_t *wall =
        laplace->terrain->wall + (size_t)row * (size_t)layout->grid.nx;
    const ptrdiff_t first = layout_at(layout, 0, row % ny, row / ny);
    const ptrdiff_t begin = first - (ptrdiff_t)layout->lead;
    const size_t lines =
        ((size_t)nx + layout->lead + layout->lanes - 1) / layout->lanes;
    const size_t items = lines * layout->lanes;
    memset(field_at(layout, laplace->sum, first), 0, (size_t)nx * layout->item);
    memset(laplace->arrived + first, 0, (size_t)nx * sizeof *laplace->arrived);
    for (ptrdiff_t i = begin; i < begin + (ptrdiff_t)items; i++)
        laplace->closed[i] =
            i < first || i >= first + nx || wall[i - first] ? LAPLACE_NEVER : 0;
}

void laplace_clear(struct laplace *laplace)
{
    const struct grid *grid = &laplace->layout.grid;
    for (int row = 0; row < grid->ny * grid->nz; row++)
        clear_row(laplace, row);
    if (laplace->step)
        memset(laplace->step, 0xff, grid_cells(grid) * sizeof *laplace->step);
}

void laplace_begin(struct laplace *laplace, size_t source)
{
    laplace->age = -1;
    laplace->owed = NULL;
    if (!laplace->step || source == GRID_NOWHERE ||
        laplace->terrain->wall[source]) /* a wall emits nothing */
        return;
    laplace->arrived[layout_cell(&laplace->layout, source)] = 1;
    laplace->step[source] = 0;
}

static void forget(struct laplace *laplace, size_t cell)
{
    ptrdiff_t i = layout_cell(&laplace->layout, cell);
    field_set(&laplace->layout, laplace->sum, i, 0);
    laplace->arrived[i] = 0;
    laplace->closed[i] = LAPLACE_NEVER;
    if (laplace->step)
        laplace->step[cell] = -1;
}

static void open_up(struct laplace *laplace, size_t cell)
{
    ptrdiff_t i = layout_cell(&laplace->layout, cell);
    if (laplace->closed[i] == LAPLACE_NEVER)
        laplace->closed[i] = 0;
}

void laplace_update(struct laplace *laplace, const struct box *box)
{
    const struct grid *grid = &laplace->terrain->grid;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                size_t cell = grid_index(grid, x, y, z);
                if (laplace->terrain->wall[cell])
                    forget(laplace, cell);
                else
                    open_up(laplace, cell);
            }
}

void laplace_store_steps(struct laplace *laplace)
{
    const struct layout *layout = &laplace->layout;
    const int nx = layout->grid.nx, ny = layout->grid.ny;
    for (int row = 0; row < ny * layout->grid.nz; row++) {
        const uint16_t *arrived =
            laplace->arrived + layout_at(layout, 0, row % ny, row / ny);
        int32_t *step = laplace->step + (size_t)row * (size_t)nx;
        for (int x = 0; x < nx; x++)
            step[x] = laplace_step_of(arrived[x]);
    }
}

/* ---- a restart ---- */

static void visit_field(const struct laplace *laplace, void *cells, size_t item,
                        struct state *state)
{
    const struct layout *layout = &laplace->layout;
    bool whole = !state->shared || state->shared->alone;
    struct state_field field = {
        .cells = (char *)cells + layout->origin * (ptrdiff_t)item,
        .item = item,
        .row = layout->stride,
        .layer = layout->layer,
        .box = whole ? grid_box(&layout->grid) : state->shared->cover,
    };
    state_visit_field(state, &field);
}

/* Ages are stored plus 1; none is later than the newest, except
 * LAPLACE_NEVER. */
static void visit_ages(const struct laplace *laplace, uint16_t *ages,
                       struct state *state)
{
    const struct layout *layout = &laplace->layout;
    size_t cells = grid_cells(&layout->grid);
    visit_field(laplace, ages, sizeof *ages, state);
    if (state->mode != STATE_LOAD)
        return;
    for (size_t cell = 0; cell < cells; cell++) {
        uint16_t *age = &ages[layout_cell(layout, cell)];
        if (!state_holds(state,
                         *age <= laplace->age + 1 || *age == LAPLACE_NEVER))
            *age = 0;
    }
}

void laplace_state(struct laplace *laplace, struct state *state)
{
    const int64_t oldest = laplace_oldest(&laplace->options);
    laplace->owed = NULL;
    state_visit_whole(state, &laplace->age, 1, -1,
                      state->step < oldest ? state->step : oldest);
    visit_field(laplace, laplace->sum, laplace->layout.item, state);
    visit_ages(laplace, laplace->closed, state);
    if (!laplace->step)
        return;
    visit_ages(laplace, laplace->arrived, state);
    if (state->mode == STATE_LOAD)
        laplace_store_steps(laplace);
}

/* ---- a cell ---- */

struct laplace_cell laplace_cell(const struct laplace *laplace, size_t cell)
{
    return laplace_at(laplace, layout_cell(&laplace->layout, cell));
}

/* V of an open cell including the postponed generation, with the same bits as
 * when the run's threads add it. */
static double sum_with_owed(const struct laplace *laplace, ptrdiff_t i)
{
    const bool single = is_single(laplace);
    double sum = field_value(&laplace->layout, laplace->sum, i);
    double z = field_value(&laplace->layout, laplace->owed, i);
    sum = single ? (double)((float)sum * (float)laplace->growth + (float)z)
                 : sum * laplace->growth + z;
    if (laplace->medium->settings.flush_denormals &&
        fabs(sum) < (single ? (double)FLT_MIN : DBL_MIN))
        return 0;
    return sum;
}

struct laplace_cell laplace_at(const struct laplace *laplace, ptrdiff_t i)
{
    const int64_t closed = laplace->closed[i];
    double sum = field_value(&laplace->layout, laplace->sum, i);
    if (closed != 0 && closed != LAPLACE_NEVER)
        return (struct laplace_cell){ sum, closed - 1,
                                      laplace->scale_of[closed - 1] };
    if (laplace->owed && closed == 0)
        sum = sum_with_owed(laplace, i);
    return (struct laplace_cell){ sum, laplace->age, laplace->scale };
}

/* ---- what flushing to zero has left ---- */

/* If a sum is less than this share of what one neighbour alone contributes to
 * it, it is incomplete. (If the tip is cut off at every cell alike, the share
 * is smaller too, down to a tenth, but the headings are right;
 * docs/studies/remedies.md.) */
#define LEAST_SHARE 0x1p-5

/* The contribution of the neighbour in a direction to U, over that neighbour's
 * U; `there` is that neighbour, a free cell. */
static double share_of(const struct medium *medium,
                       const struct coefficients *from, int direction,
                       ptrdiff_t there)
{
    if (medium->form == COEFFICIENTS_FACE)
        return from->face[direction];
    if (medium->borders)
        return sqrt(from->weight[0] *
                    field_value(&medium->layout, medium->weight[0], there));
    return from->d * from->weight[0];
}

/* U of another cell, in the unit of one cell's V. */
static double sum_in_unit_of(const struct laplace *laplace,
                             struct laplace_cell there, struct laplace_cell own)
{
    double sum = there.sum;
    if (own.scale != there.scale)
        sum = ldexp(sum, own.scale - there.scale);
    if (own.age != there.age) /* almost never for a new arrival */
        sum *= exp(laplace->decay * (double)(own.age - there.age));
    return sum;
}

/* The factor of U in the sum of the neighbours' contributions. (At a border
 * that of the cell's own weights: the test is about magnitudes.) */
static double whole_of(const struct laplace *laplace,
                       const struct coefficients *from)
{
    return laplace->growth - from->c + from->a / laplace->growth;
}

double laplace_least(const struct laplace *laplace)
{
    static const double ROUNDING = 1e-4;
    const struct medium *medium = laplace->medium;
    const struct coefficients *from = &medium->uniform;
    if (medium->form != COEFFICIENTS_UNIFORM)
        return INFINITY;
    return LEAST_SHARE * (1 + ROUNDING) * share_of(medium, from, 0, 0) /
           whole_of(laplace, from);
}

bool laplace_is_spoilt(const struct laplace *laplace, const int at[GRID_AXES])
{
    const struct medium *medium = laplace->medium;
    const struct layout *layout = &laplace->layout;
    const struct laplace_cell own =
        laplace_at(laplace, layout_at(layout, at[0], at[1], at[2]));
    struct coefficients from;
    if (!(own.sum > 0))
        return true;
    if (medium->form == COEFFICIENTS_UNIFORM)
        from = medium->uniform;
    else
        medium_coefficients(medium, at[0], at[1], at[2], &from);
    double whole = whole_of(laplace, &from);
    for (int k = 0; k < 2 * grid_axes(&layout->grid); k++) {
        const int *step = direction_step[k];
        const int x = at[0] + step[0], y = at[1] + step[1], z = at[2] + step[2];
        if (!grid_holds(&layout->grid, x, y, z))
            continue;
        const ptrdiff_t there = layout_at(layout, x, y, z);
        double sum = sum_in_unit_of(laplace, laplace_at(laplace, there), own);
        if (sum < 0 || own.sum * whole < LEAST_SHARE *
                                             share_of(medium, &from, k, there) *
                                             sum)
            return true;
    }
    return false;
}

void laplace_lose(struct laplace *laplace, const int at[GRID_AXES])
{
    ptrdiff_t i = layout_at(&laplace->layout, at[0], at[1], at[2]);
    if (laplace->arrived[i] == (uint16_t)(laplace->age + 1) &&
        laplace_is_spoilt(laplace, at))
        laplace->arrived[i] = laplace->closed[i] ? LAPLACE_NEVER : 0;
}

/* ---- readings ---- */

/* A cell's U is read relative to a cell near by, in units of
 * 2^(exponent − scale)·e^(−pr), because V itself may be near the end of its
 * range. */
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

double laplace_log_of(const struct laplace *laplace, struct laplace_cell at)
{
    if (!(at.sum > 0))
        return -INFINITY;
    return log(at.sum) - laplace->decay * (double)at.age - at.scale * log(2);
}

/* U of the 3 × 3 × 3 cells round one. NaN in walls, outside the map, and in
 * cells to which no shortest path from the middle leads through free cells. */
struct neighbourhood {
    double sum[27];
    bool whole; /* no value is missing */
};

static const int stride[GRID_AXES] = { 1, 3, 9 };
enum { CENTRE = 13 };

static void offset_of(int i, int offset[GRID_AXES])
{
    offset[0] = i % 3 - 1;
    offset[1] = i / 3 % 3 - 1;
    offset[2] = i / 9 - 1;
}

/* Was one of the cells that are a step nearer to the middle read? */
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

/* Extrapolates from the opposite side by an exponential, as U is along a
 * ray. */
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

/* The same in a row beside the middle one, without extrapolation: a missing
 * value is replaced by the row's middle value or the cell's own. */
static double slope_beside(double own, double middle, double low, double high)
{
    double still = isnan(middle) ? own : middle;
    return ((isnan(high) ? still : high) - (isnan(low) ? still : low)) / 2;
}

/* The weight of the middle row, if rows beside it have weight 1. Their own U
 * may be many times that of the cell: laplace.h. */
static double weight_of_middle(const struct neighbourhood *round, int dims,
                               double whole)
{
    double own = round->sum[CENTRE], total = 0;
    if (whole > 0 && round->whole)
        return whole;
    for (int axis = 0; axis < dims; axis++)
        for (int side = -1; side <= 1; side += 2) {
            double next = round->sum[CENTRE + side * stride[axis]];
            total += isnan(next) ? 0 : next;
        }
    return own > 0 ? fmax(total / (2 * own), 1) : 1;
}

/* `middle` is the middle row's weight; 0: the other rows are not used. */
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

/* The weight of the middle row with all neighbours free: 4 for the 9- and
 * 27-point stencils; for matched weights a/b, or √(a/c) in 3D, where rows have
 * the product of two weights. 0: other rows are not used. */
static double weight_in_open(const struct laplace *laplace, size_t cell)
{
    const struct medium *medium = laplace->medium;
    const int last = laplace->layout.grid.dims - 1;
    const ptrdiff_t at = layout_cell(&laplace->layout, cell);
    double first = medium->uniform.weight[0];
    double other = medium->uniform.weight[last];
    if (!shape_has_diagonals(medium->shape))
        return 0;
    if (!medium->settings.matched_weights)
        return 4;
    if (medium->weight[0]) {
        first = field_value(&laplace->layout, medium->weight[0], at);
        other = field_value(&laplace->layout, medium->weight[last], at);
    }
    return last == 2 ? sqrt(first / other) : first / other;
}

/* ∇U at the centre of a free cell. */
static void gradient_at(const struct laplace *laplace, size_t cell,
                        struct unit unit, double gradient[GRID_AXES])
{
    int dims = laplace->terrain->grid.dims;
    struct neighbourhood round = look_round(laplace, cell, unit);
    double whole = weight_in_open(laplace, cell);
    double middle =
        whole > 0 || !round.whole ? weight_of_middle(&round, dims, whole) : 0;
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

/* A node round a position, and its weight. False if it is no free cell, or if
 * its weight is 0. */
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
                  const double at[GRID_AXES], struct laplace_look *look)
{
    const struct terrain *terrain = laplace->terrain;
    size_t nearest = grid_nearest(&terrain->grid, at);
    struct unit unit = unit_of(laplace, nearest);
    struct nodes nodes = nodes_round(terrain, at);
    double z = 0;
    *look = (struct laplace_look){ .age = laplace->age };
    look->log_unit =
        (unit.exponent - unit.scale) * log(2) - laplace->decay * (double)unit.r;
    for (int i = 0; i < nodes.count; i++) {
        double weight = nodes.weight[i];
        const int *place = nodes.place[i];
        ptrdiff_t index = place[0] + place[1] * generation->row +
                          place[2] * generation->layer;
        ptrdiff_t item =
            layout_at(&laplace->layout, place[0], place[1], place[2]);
        z += weight * field_value(&laplace->layout, generation->values, index);
        look->sum += weight * scaled(laplace, laplace_at(laplace, item), unit);
    }
    look->now = ldexp(z, unit.scale - laplace->scale - unit.exponent);
    if (laplace->age != unit.r)
        look->now *= exp(-laplace->decay * (double)(laplace->age - unit.r));
    /* Most looks are before the arrival, and the gradient is what costs
     * time. */
    if (laplace_holds(look->sum, look->now, laplace->options.eta)) {
        int cell[GRID_AXES];
        grid_cell(&terrain->grid, nearest, cell);
        look->spoilt = laplace_is_spoilt(laplace, cell);
        add_gradients(laplace, &nodes, unit, look->gradient);
    }
}

/* In double precision, so rounded otherwise than V is: what is nearer to the
 * bound than ROUNDING passes. The weights of nodes that are no walls are not
 * divided by their total, which both sides of the test have in common. */
bool laplace_may_hold(const struct laplace *laplace,
                      const struct amplitudes *generation,
                      const double at[GRID_AXES])
{
    static const double ROUNDING = 1e-6;
    const struct terrain *terrain = laplace->terrain;
    const double eta = laplace->options.eta;
    double z = 0, sum = 0, size = 0;
    for (int corner = 0; corner < 1 << grid_axes(&terrain->grid); corner++) {
        int place[GRID_AXES] = { 0 };
        double weight;
        if (!node_at(terrain, at, corner, place, &weight))
            continue;
        const ptrdiff_t item =
            layout_at(&laplace->layout, place[0], place[1], place[2]);
        const ptrdiff_t index = place[0] + place[1] * generation->row +
                                place[2] * generation->layer;
        double y = field_value(&laplace->layout, generation->values, index);
        double own = field_value(&laplace->layout, laplace->sum, item);
        if (laplace->owed)
            own = own * laplace->growth + y;
        if (laplace->closed[item] != 0 || own < 0)
            return true;
        z += weight * y;
        sum += weight * own;
        size += weight * (fabs(y) + eta * own);
    }
    return size != 0 && !(fabs(z) - eta * sum > ROUNDING * size);
}
