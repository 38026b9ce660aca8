/* SPDX-License-Identifier: MIT */
#include "wave/generations.h"

#include <string.h>

/* Lines to prefetch in a sweep of one generation: one page of memory, beyond
 * which the processor's own prefetching does not go. In 3D, with twice as many
 * rows in use, half of it. */
enum { AHEAD = 64, AHEAD_3D = 32 };

/* ---- the box of nonzero cells ---- */

/* True for ±0: no bit other than the sign is set. */
#define DEFINE_IS_DARK(name, bits, real)                                       \
    static bool name(const real *row, int count)                               \
    {                                                                          \
        bits any = 0, one;                                                     \
        for (int x = 0; x < count; x++) {                                      \
            memcpy(&one, &row[x], sizeof one);                                 \
            any |= (bits)(one << 1);                                           \
        }                                                                      \
        return any == 0;                                                       \
    }
DEFINE_IS_DARK(single_is_dark, uint32_t, float)
DEFINE_IS_DARK(double_is_dark, uint64_t, double)

static bool is_dark(const struct wave *wave, const struct box *box)
{
    const struct layout *layout = &wave->medium->layout;
    const void *fields[] = { wave->now, wave->before };
    int width = box->high[0] - box->low[0] + 1;
    for (int i = 0; i < 2; i++)
        for (int z = box->low[2]; z <= box->high[2]; z++)
            for (int y = box->low[1]; y <= box->high[1]; y++) {
                const void *row = field_from(
                    layout, fields[i], layout_at(layout, box->low[0], y, z));
                if (layout->item == sizeof(float) ? !single_is_dark(row, width)
                                                  : !double_is_dark(row, width))
                    return false;
            }
    return true;
}

/* How many planes of cells at one side of the box `lit` are 0 in both
 * generations, at most `most`. The front moves at most one cell in a step, so
 * for as many generations it cannot leave the box at this side. (If amplitudes
 * underflow, the front and the box grow more slowly.) */
static int dark_lines(const struct wave *wave, int axis, bool high, int most)
{
    struct box line = wave->lit;
    int from = high ? line.high[axis] : line.low[axis], count = 0;
    int lines = line.high[axis] - line.low[axis] + 1;
    for (; count < most && count < lines; count++) {
        line.low[axis] = line.high[axis] = high ? from - count : from + count;
        if (!is_dark(wave, &line))
            break;
    }
    return count;
}

void wave_grow(struct wave *wave, struct box lit[], int generations)
{
    const struct grid *grid = &wave->medium->layout.grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int j = 0; j < generations; j++)
        lit[j] = wave->lit;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int low = wave->lit.low[axis], high = wave->lit.high[axis];
        int j = low > 0 ? dark_lines(wave, axis, false, generations) : 0;
        for (; low > 0 && j < generations; j++)
            for (int later = j; later < generations; later++)
                lit[later].low[axis] -= lit[later].low[axis] > 0;
        j = high < extent[axis] - 1 ? dark_lines(wave, axis, true, generations)
                                    : 0;
        for (; high < extent[axis] - 1 && j < generations; j++)
            for (int later = j; later < generations; later++)
                lit[later].high[axis] +=
                    lit[later].high[axis] < extent[axis] - 1;
    }
    wave->lit = lit[generations - 1];
}

void wave_turn(struct wave *wave)
{
    void *newest = wave->before;
    wave->before = wave->now;
    wave->now = newest;
    wave->step++;
    source_add(wave);
}

static ptrdiff_t asked_ahead(const struct medium *medium)
{
    const struct layout *layout = &medium->layout;
    if (medium_is_cached(medium))
        return 0;
    return (layout->grid.dims == 3 ? AHEAD_3D : AHEAD) *
           (ptrdiff_t)layout->lanes;
}

struct sweep wave_sweep(const struct wave *wave, const void *now, void *out)
{
    const struct medium *medium = wave->medium;
    return (struct sweep){
        .run = medium->sweep,
        .layout = &medium->layout,
        .now = now,
        .out = out,
        .walls = medium->walls,
        .d = medium->d,
        .c = medium->c,
        .weight = { medium->weight[0], medium->weight[1], medium->weight[2] },
        .borders = medium->borders,
        .face = { medium->face[0], medium->face[1], medium->face[2] },
        .uniform_d = medium->uniform.d,
        .uniform_c = medium->uniform.c,
        .uniform_weight = { medium->uniform.weight[0],
                            medium->uniform.weight[1],
                            medium->uniform.weight[2] },
        .a = medium->uniform.a,
        .ahead = asked_ahead(medium),
    };
}

struct step {
    struct sweep sweep;
    struct box lit;
};

/* Only the rows inside the box are shared out, so that a young front uses every
 * thread; in 3D whole layers, if there are enough. */
static void step_share(void *context, int thread, int threads)
{
    const struct step *step = context;
    struct box block = step->lit;
    size_t first, last;
    int axis = block.high[2] - block.low[2] + 1 >= 2 * threads ? 2 : 1;
    team_share((size_t)(block.high[axis] - block.low[axis] + 1), thread,
               threads, &first, &last);
    if (first == last)
        return;
    block.high[axis] = block.low[axis] + (int)last - 1;
    block.low[axis] += (int)first;
    step->sweep.run(&step->sweep, &block);
}

void wave_sweep_block(const struct wave *wave, const struct box *block,
                      struct team *team)
{
    struct step step = { .sweep = wave_sweep(wave, wave->now, wave->before),
                         .lit = *block };
    team_step(team, box_cells(block), step_share, &step);
}
