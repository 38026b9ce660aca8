/* SPDX-License-Identifier: MIT */
#include "wave/laplace/pair.h"

#include "base/memory.h"
#include "wave/generations.h"

#include <math.h>

static size_t cells_of(const struct laplace_pair *pair)
{
    return grid_cells(&pair->sum[0].terrain->grid);
}

/* p₊ − p₋. */
static double spread(const struct laplace_pair *pair)
{
    return pair->sum[0].options.p - pair->sum[1].options.p;
}

static enum status two_init(struct laplace_pair *pair,
                            const struct medium *medium,
                            const int32_t *scale_of,
                            const struct laplace_options *options,
                            struct error *error)
{
    struct laplace_options high = *options, low = *options;
    high.p *= 1 + LAPLACE_PAIR_STEP;
    low.p *= 1 - LAPLACE_PAIR_STEP;
    pair->count = 2;
    enum status status =
        laplace_init(&pair->sum[0], medium, scale_of, &high, error);
    if (!status)
        status = laplace_init(&pair->sum[1], medium, scale_of, &low, error);
    if (status || !options->steps)
        return status;
    pair->step = memory_new(cells_of(pair), sizeof *pair->step);
    return pair->step ? STATUS_OK : error_memory(error);
}

enum status laplace_pair_init(struct laplace_pair *pair,
                              const struct medium *medium,
                              const int32_t *scale_of,
                              const struct laplace_options *options,
                              bool by_time, struct error *error)
{
    *pair = (struct laplace_pair){ .count = 1 };
    if (!by_time)
        return laplace_init(&pair->sum[0], medium, scale_of, options, error);
    enum status status = two_init(pair, medium, scale_of, options, error);
    if (status)
        laplace_pair_release(pair);
    return status;
}

void laplace_pair_release(struct laplace_pair *pair)
{
    for (int i = 0; i < pair->count; i++)
        laplace_release(&pair->sum[i]);
    memory_release(pair->step);
    *pair = (struct laplace_pair){ .count = 0 };
}

static int32_t both(int32_t one, int32_t other)
{
    if (one == -1 || other == -1)
        return -1;
    if (one == LAPLACE_LOST || other == LAPLACE_LOST)
        return LAPLACE_LOST;
    return one > other ? one : other;
}

void laplace_pair_join_cell(struct laplace_pair *pair, size_t cell)
{
    if (pair->step)
        pair->step[cell] =
            both(pair->sum[0].step[cell], pair->sum[1].step[cell]);
}

void laplace_pair_join(struct laplace_pair *pair)
{
    for (size_t i = 0; pair->step && i < cells_of(pair); i++)
        laplace_pair_join_cell(pair, i);
}

bool laplace_pair_store_step(struct laplace_pair *pair, const int at[GRID_AXES])
{
    const struct layout *layout = &pair->sum[0].layout;
    const uint16_t now = (uint16_t)(pair->sum[0].age + 1);
    const ptrdiff_t i = layout_at(layout, at[0], at[1], at[2]);
    const size_t cell = grid_index(&layout->grid, at[0], at[1], at[2]);
    bool arrived = true;
    for (int j = 0; j < pair->count; j++) {
        struct laplace *sum = &pair->sum[j];
        if (sum->arrived[i] != now)
            continue;
        laplace_lose(sum, at);
        sum->step[cell] = laplace_step_of(sum->arrived[i]);
        arrived = arrived && sum->arrived[i];
    }
    laplace_pair_join_cell(pair, cell);
    return arrived;
}

void laplace_pair_begin(struct laplace_pair *pair, size_t source)
{
    for (int i = 0; i < pair->count; i++)
        laplace_begin(&pair->sum[i], source);
    laplace_pair_join(pair);
}

void laplace_pair_update(struct laplace_pair *pair, const struct box *box)
{
    for (int i = 0; i < pair->count; i++)
        laplace_update(&pair->sum[i], box);
    laplace_pair_join(pair);
}

void laplace_pair_state(struct laplace_pair *pair, struct state *state)
{
    for (int i = 0; i < pair->count; i++)
        laplace_state(&pair->sum[i], state);
    laplace_pair_join(pair);
}

const int32_t *laplace_pair_steps(const struct laplace_pair *pair)
{
    return pair->count == 2 ? pair->step : pair->sum[0].step;
}

static bool is_zero(const double slope[GRID_AXES])
{
    return slope[0] == 0 && slope[1] == 0 && slope[2] == 0;
}

void laplace_pair_slope(const struct laplace_pair *pair, size_t cell,
                        double slope[GRID_AXES])
{
    double low[GRID_AXES];
    laplace_slope(&pair->sum[0], cell, slope);
    if (pair->count == 1)
        return;
    laplace_slope(&pair->sum[1], cell, low);
    bool none = is_zero(slope) || is_zero(low);
    for (int axis = 0; axis < GRID_AXES; axis++)
        slope[axis] = none ? 0 : (slope[axis] - low[axis]) / spread(pair);
}

void laplace_pair_look(const struct laplace_pair *pair,
                       const struct amplitudes *generation,
                       const double at[GRID_AXES], struct laplace_look *look)
{
    struct laplace_look low;
    laplace_look(&pair->sum[0], generation, at, look);
    if (pair->count == 1)
        return;
    laplace_look(&pair->sum[1], generation, at, &low);
    look->spoilt = look->spoilt || low.spoilt;
    if (!laplace_holds(low.sum, low.now, pair->sum[1].options.eta))
        look->sum = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        look->gradient[axis] =
            look->sum > 0 ? (look->gradient[axis] -
                             low.gradient[axis] * (look->sum / low.sum)) /
                                spread(pair)
                          : 0;
}

double laplace_pair_potential(const struct laplace_pair *pair,
                              const struct amplitudes *newest, size_t cell,
                              bool *settled)
{
    const struct laplace *last = &pair->sum[pair->count - 1];
    const struct layout *layout = &last->layout;
    int at[GRID_AXES];
    grid_cell(&layout->grid, cell, at);
    const ptrdiff_t i = layout_at(layout, at[0], at[1], at[2]);
    const ptrdiff_t index = at[0] + at[1] * newest->row + at[2] * newest->layer;
    struct laplace_cell sum[2] = { 0 };
    *settled = last->closed[i] != 0;
    for (int j = 0; j < pair->count; j++) {
        sum[j] = laplace_at(&pair->sum[j], i);
        if (!*settled &&
            !laplace_holds(sum[j].sum,
                           field_value(layout, newest->values, index),
                           pair->sum[j].options.eta))
            return -INFINITY;
    }
    if (pair->count == 1)
        return laplace_log_of(last, sum[0]);
    double high = laplace_log_of(&pair->sum[0], sum[0]);
    double low = laplace_log_of(last, sum[1]);
    return isinf(high) || isinf(low) ? -INFINITY : (high - low) / spread(pair);
}
