/* SPDX-License-Identifier: MIT */
#include "wave/laplace_front_band.h"
#include "wave/laplace_front_parts.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>

/* log2: how far V stands over all that is to come when its cell is closed. */
enum { CEILING = 16 };

/* What A is brought by at first, and each look by 2^12 at most. */
enum { SCALE_MOST = 4096 + LAPLACE_FRONT_BROUGHT * (LAPLACE_OLDEST + 1) };

/* Generations from look to look, and the p above which each is one. */
enum { LOOK_EVERY = 4 };
#define LOOK_P 2.0

static double smallest(const struct laplace_front *front)
{
    return laplace_front_is_single(front) ? (double)FLT_MIN : DBL_MIN;
}

/* ---- making it ---- */

static int look_every(double p)
{
    return p > LOOK_P ? 1 : LOOK_EVERY;
}

/* How far V may stand over the largest |z|. */
static double ceiling_over(double growth, double eta)
{
    return fmax(ldexp(1, CEILING), 2 / eta) / (1 - 1 / growth);
}

double laplace_front_bits(double p, double eta, int range, bool by_time)
{
    double low = by_time ? p * (1 - LAPLACE_PAIR_STEP) : p;
    double high = by_time ? p * (1 + LAPLACE_PAIR_STEP) : p;
    double grown = (look_every(low) + 1) * low / log(2);
    double bits = range + log2(ceiling_over(exp(low), eta)) +
                  LAPLACE_FRONT_BROUGHT + grown;
    return bits * high / low; /* V of the larger p meanwhile */
}

int laplace_front_room(enum precision precision)
{
    return precision == PRECISION_SINGLE ? FLT_MAX_EXP - FLT_MIN_EXP
                                         : DBL_MAX_EXP - DBL_MIN_EXP;
}

static void choose_numbers(struct laplace_front *front, int range)
{
    const struct laplace *low = laplace_front_slower(front);
    if (range == 0)
        range = laplace_front_range(front->medium->settings.walls);
    front->look_every = look_every(low->options.p);
    front->largest = ldexp(smallest(front), range);
    front->ceiling =
        front->largest * ceiling_over(low->growth, low->options.eta);
    if (laplace_front_is_single(front))
        front->ceiling = (double)(float)front->ceiling;
}

enum status laplace_front_init(struct laplace_front *front,
                               const struct medium *medium,
                               const struct laplace_options *options, int range,
                               bool by_time, struct error *error)
{
    struct laplace_options own = *options;
    own.front = front;
    *front = (struct laplace_front){ .medium = medium, .age = -1 };
    front->ages = (size_t)laplace_oldest(options) + 1;
    enum status status =
        laplace_pair_init(&front->pair, medium->terrain, &own, by_time, error);
    if (status)
        return status;
    front->scale_of = memory_new(front->ages, sizeof *front->scale_of);
    front->row = memory_new(laplace_front_rows(front), sizeof *front->row);
    status = front->scale_of && front->row
                 ? wave_new(medium, &front->wave, error)
                 : error_memory(error);
    if (!status)
        status = front_band_new(front, &front->band, error);
    if (status) {
        laplace_front_release(front);
        return status;
    }
    front->wave->turned = medium->settings.source == SOURCE_RICKER;
    choose_numbers(front, range);
    laplace_front_set_level(front, kernel_best());
    return STATUS_OK;
}

void laplace_front_release(struct laplace_front *front)
{
    laplace_pair_release(&front->pair);
    wave_release(front->wave);
    memory_release(front->scale_of);
    memory_release(front->row);
    front_band_release(front->band);
    *front = (struct laplace_front){ .age = -1 };
}

void laplace_front_set_level(struct laplace_front *front,
                             enum kernel_level level)
{
    front_band_set_level(front, level);
}

/* ---- from emission to emission ---- */

/* The source's cell in the terrain, or GRID_NOWHERE. */
static size_t source_cell(const struct laplace_front *front)
{
    const int *at = front->wave->centre;
    return source_is_here(front->wave)
               ? grid_index(&front->medium->layout.grid, at[0], at[1], at[2])
               : GRID_NOWHERE;
}

static void forget(struct laplace_front *front)
{
    for (int i = 0; i < front->pair.count; i++)
        for (size_t j = 0; j < front->pair.sum[i].tiles; j++)
            front->pair.sum[i].tile[j].touched = true;
    wave_clear(front->wave);
}

static void set_age(struct laplace_front *front, int64_t age)
{
    front->age = age;
    front->scale_of[age] = front->scale;
    for (int i = 0; i < front->pair.count; i++)
        front->pair.sum[i].age = age;
}

void laplace_front_begin(struct laplace_front *front, size_t source,
                         struct team *team)
{
    if (front_band_runs(front))
        front_band_forget(front);
    else
        forget(front);
    wave_emit_again(front->wave, source, 0);
    laplace_pair_begin(&front->pair, source_cell(front));
    front->band->stale = true; /* until it is lit */
    front->scale = 0;
    front->past_source = false;
    front->wave->scale = 0;
    laplace_front_multiply(
        front, laplace_front_short_of(front, front->medium->settings.amplitude),
        team);
    set_age(front, 0);
    laplace_front_take(front, team);
    if (front_band_runs(front))
        front_band_light(front);
}

void laplace_front_advance(struct laplace_front *front, struct team *team)
{
    if (front->age < 0 || (size_t)front->age + 1 >= front->ages)
        return;
    set_age(front, front->age + 1);
    if (front_band_runs(front)) {
        front_band_advance(front, team);
    } else {
        wave_step(front->wave, team);
        laplace_front_take(front, team);
    }
}

void laplace_front_update(struct laplace_front *front, const struct box *box)
{
    front_band_catch_up(front);
    laplace_pair_update(&front->pair, box);
    front->band->stale = true;
    if (front->age >= 0)
        wave_clear_walls(front->wave, box);
}

void laplace_front_state(struct laplace_front *front, struct state *state)
{
    const int64_t oldest = (int64_t)front->ages - 1;
    front_band_catch_up(front);
    state_visit_whole(state, &front->age, 1, -1,
                      state->step < oldest ? state->step : oldest);
    state_visit_index(state, &front->scale, 1, -SCALE_MOST, SCALE_MOST);
    state_visit_index(state, front->scale_of, front->ages, -SCALE_MOST,
                      SCALE_MOST);
    state_visit_bool(state, &front->past_source);
    wave_state(front->wave, front->age, state);
    laplace_pair_state(&front->pair, state);
    front->band->stale = true;
    front->wave->scale = front->scale;
    for (int i = 0; i < front->pair.count; i++) {
        struct laplace *sum = &front->pair.sum[i];
        sum->scale = front->scale;
        if (!state_holds(state, sum->age == front->age))
            sum->age = front->age;
    }
}
