/* SPDX-License-Identifier: MIT */
/* The step of a wave that ranks share: first the cells that neighbours wait
 * for, then the others while the messages travel. The loops are the same
 * as for one process; what they write into the halo is overwritten by the
 * received cells. */
#include "wave/generations.h"

#include "wave/step/halo.h"

enum { FAR = 1 << 29, STRIPS = 2 * GRID_AXES };

static struct held_field field_of(const struct medium *medium, void *field)
{
    const struct layout *layout = &medium->layout;
    return (struct held_field){
        .cells = field_at(layout, field, layout->origin),
        .item = layout->item,
        .row = layout->stride,
        .layer = layout->layer,
    };
}

/* Updates the ghosts of rows that were received. */
static void mirror_filled(const struct medium *medium, void *field)
{
    struct box box;
    for (int i = 0; halo_filled(medium->halo, i, &box); i++)
        for (int z = box.low[2]; z <= box.high[2]; z++)
            for (int y = box.low[1]; y <= box.high[1]; y++)
                layout_mirror_row(&medium->layout, field, y, z);
}

void shared_exchange(const struct wave *wave, void *generation)
{
    const struct medium *medium = wave->medium;
    struct held_field held = field_of(medium, generation);
    halo_start(medium->halo, &held, &wave->reach);
    halo_finish(medium->halo, &held);
    mirror_filled(medium, generation);
}

/* Every rank that has the source's cell has set it, and each rank has its part
 * of a Gaussian, so nothing needs to be exchanged yet. */
void shared_emit(struct wave *wave)
{
    const struct medium *medium = wave->medium;
    wave->reach = medium->settings.source == SOURCE_GAUSSIAN
                      ? shared_everywhere()
                      : source_box(wave);
    struct box held = grid_box(&medium->layout.grid);
    wave->dark = !box_meet(&wave->reach, &held, &wave->lit);
}

struct box shared_everywhere(void)
{
    return (struct box){ .low = { -FAR, -FAR, -FAR },
                         .high = { FAR, FAR, FAR } };
}

void shared_load(struct wave *wave)
{
    shared_exchange(wave, wave->now);
    shared_exchange(wave, wave->before);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Takes a strip of `depth` cells off `rest` at one end of an axis. Along x it
 * is whole lines, because the loops work on those. False: nothing is left. */
static bool take_strip(const struct medium *medium, struct box *rest, int axis,
                       bool high, int depth, struct box *strip)
{
    const struct box *own = &medium->own;
    int lanes = (int)medium->layout.lanes, lead = (int)medium->layout.lead;
    int *end = high ? &rest->high[axis] : &rest->low[axis];
    *strip = *rest;
    if (high) {
        int first = own->high[axis] - depth + 1;
        if (axis == 0)
            first = (first + lead) / lanes * lanes - lead;
        strip->low[axis] = larger(first, rest->low[axis]);
        *end = smaller(*end, strip->low[axis] - 1);
    } else {
        int last = own->low[axis] + depth - 1;
        if (axis == 0)
            last = (last + lead) / lanes * lanes + lanes - 1 - lead;
        strip->high[axis] = smaller(last, rest->high[axis]);
        *end = larger(*end, strip->high[axis] + 1);
    }
    return rest->low[axis] <= rest->high[axis];
}

/* Finds the strips beside neighbours; *rest is the remainder. False: there is
 * no remainder. */
static bool carve(const struct medium *medium, struct box *rest,
                  struct box strips[STRIPS], int *count)
{
    *count = 0;
    for (int axis = GRID_AXES - 1; axis >= 0; axis--)
        for (int high = 0; high < 2; high++) {
            int depths[2];
            struct box *strip = &strips[*count];
            halo_depths(medium->halo, axis, &depths[0], &depths[1]);
            if (!depths[high])
                continue;
            bool left =
                take_strip(medium, rest, axis, high, depths[high], strip);
            bool any = strip->low[axis] <= strip->high[axis];
            *count += any;
            if (!left)
                return false;
        }
    return true;
}

void shared_grow(struct wave *wave)
{
    struct box held = grid_box(&wave->medium->layout.grid);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        wave->reach.low[axis] -= wave->reach.low[axis] > -FAR;
        wave->reach.high[axis] += wave->reach.high[axis] < FAR;
    }
    wave->dark = !box_meet(&wave->reach, &held, &wave->lit);
}

void shared_step(struct wave *wave, struct team *team)
{
    const struct medium *medium = wave->medium;
    struct held_field out = field_of(medium, wave->before);
    struct box rest, strips[STRIPS];
    int count = 0;
    shared_grow(wave);
    bool left = box_meet(&wave->reach, &medium->own, &rest) &&
                carve(medium, &rest, strips, &count);
    for (int i = 0; i < count; i++)
        wave_sweep_block(wave, &strips[i], team);
    halo_start(medium->halo, &out, &wave->reach);
    if (left)
        wave_sweep_block(wave, &rest, team);
    halo_finish(medium->halo, &out);
    mirror_filled(medium, wave->before);
    wave_turn(wave);
}
