/* SPDX-License-Identifier: MIT */
#include "wave/first_arrival.h"

static enum status laplace_of(struct first_arrival *first,
                              const struct terrain *terrain,
                              const struct first_arrival_options *options,
                              struct error *error)
{
    const struct laplace_options laplace = {
        .p = options->settings->p,
        .eta = options->settings->eta,
        .amplitude = options->amplitude,
        .lifetime = options->lifetime,
        .width = options->width,
        .steps = true,
        .matched = options->matched,
    };
    return laplace_pair_init(&first->laplace, terrain, &laplace,
                             options->settings->heading == HEADING_ARRIVAL_TIME,
                             error);
}

enum status first_arrival_init(struct first_arrival *first,
                               const struct terrain *terrain,
                               const struct first_arrival_options *options,
                               struct error *error)
{
    const struct arrival_field_options plain = {
        .settings = options->settings,
        .amplitude = options->amplitude,
        .lifetime = options->lifetime,
        .width = options->width,
        .times = options->times,
    };
    *first = (struct first_arrival){
        .by_laplace = options->settings->detector == &detector_laplace,
    };
    return first->by_laplace ? laplace_of(first, terrain, options, error)
                             : arrival_field_init(&first->field, &terrain->grid,
                                                  &plain, error);
}

void first_arrival_release(struct first_arrival *first)
{
    arrival_field_release(&first->field);
    laplace_pair_release(&first->laplace);
}

void first_arrival_begin(struct first_arrival *first, size_t source)
{
    if (first->by_laplace)
        laplace_pair_begin(&first->laplace, source);
    else
        arrival_field_begin(&first->field, source);
}

void first_arrival_take(struct first_arrival *first, const void *generation,
                        int64_t age, struct team *team)
{
    if (!first->by_laplace) {
        arrival_field_take(&first->field, generation, age, team);
        return;
    }
    struct amplitudes packed =
        amplitudes_packed(&first->laplace.sum[0].terrain->grid, generation);
    laplace_pair_take(&first->laplace, &packed, age, team);
}

void first_arrival_update(struct first_arrival *first, const struct box *box)
{
    if (first->by_laplace)
        laplace_pair_update(&first->laplace, box);
}

const int32_t *first_arrival_ages(const struct first_arrival *first)
{
    return first->by_laplace ? laplace_pair_steps(&first->laplace)
                             : first->field.step;
}

void first_arrival_state(struct first_arrival *first, struct state *state)
{
    if (first->by_laplace)
        laplace_pair_state(&first->laplace, state);
    else
        arrival_field_state(&first->field, state);
}
