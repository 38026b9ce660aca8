/* SPDX-License-Identifier: MIT */
#include "wave/generations.h"

/* Lines that are asked for ahead of a single sweep: one page of memory, where
 * the machine's own foresight ends. */
enum { AHEAD = 64 };

void wave_grow(struct box *lit, const struct grid *grid)
{
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        lit->low[axis] -= lit->low[axis] > 0;
        lit->high[axis] += lit->high[axis] < extent[axis] - 1;
    }
}

void wave_turn(struct wave *wave)
{
    void *newest = wave->before;
    wave->before = wave->now;
    wave->now = newest;
    wave->step++;
    source_add(wave);
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
        .face = { medium->face[0], medium->face[1], medium->face[2] },
        .uniform_d = medium->uniform.d,
        .uniform_c = medium->uniform.c,
        .a = medium->uniform.a,
        .ahead = AHEAD * (ptrdiff_t)medium->layout.lanes,
    };
}

struct step {
    struct sweep sweep;
    struct box lit;
};

/* Rows share themselves out over the lit ones only, so that a young front
 * keeps every thread busy; in 3D, where there are enough, whole layers do. */
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

void wave_step(struct wave *wave, struct team *team)
{
    if (wave->emitted < 0)
        return;
    wave_catch_up(wave);
    wave_grow(&wave->lit, &wave->medium->layout.grid);
    struct step step = { .sweep = wave_sweep(wave, wave->now, wave->before),
                         .lit = wave->lit };
    team_run(team, step_share, &step);
    wave_turn(wave);
}
