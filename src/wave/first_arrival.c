/* SPDX-License-Identifier: MIT */
#include "wave/first_arrival.h"

#include "wave/medium.h"

static enum status laplace_of(struct first_arrival *first,
                              const struct terrain *terrain,
                              const struct first_arrival_options *options,
                              struct error *error)
{
    const struct arrival_settings *settings = options->settings;
    const bool by_time = settings->heading == HEADING_ARRIVAL_TIME;
    const struct laplace_options laplace = {
        .p = settings->p,
        .eta = settings->eta,
        .amplitude = options->amplitude,
        .lifetime = options->lifetime,
        .width = options->width,
        .steps = true,
        .matched = options->matched,
    };
    if (first->by_laplace)
        return laplace_pair_init(&first->laplace, terrain, &laplace, by_time,
                                 error);
    enum status status = STATUS_OK;
    if (!options->medium)
        status = medium_new(terrain, options->wave, &first->medium, error);
    if (!status)
        status = laplace_front_init(
            &first->front, options->medium ? options->medium : first->medium,
            &laplace, settings->range, by_time, error);
    if (status)
        first_arrival_release(first);
    return status;
}

enum status first_arrival_init(struct first_arrival *first,
                               const struct terrain *terrain,
                               const struct first_arrival_options *options,
                               struct error *error)
{
    const struct detector *detector = options->settings->detector;
    const struct arrival_field_options plain = {
        .settings = options->settings,
        .amplitude = options->amplitude,
        .lifetime = options->lifetime,
        .width = options->width,
        .times = options->times,
    };
    *first = (struct first_arrival){
        .by_laplace = detector == &detector_laplace,
        .by_front = detector == &detector_laplace_front,
    };
    return detector_sums(detector)
               ? laplace_of(first, terrain, options, error)
               : arrival_field_init(&first->field, &terrain->grid, &plain,
                                    error);
}

void first_arrival_release(struct first_arrival *first)
{
    arrival_field_release(&first->field);
    laplace_pair_release(&first->laplace);
    laplace_front_release(&first->front);
    medium_release(first->medium);
    first->medium = NULL;
}

void first_arrival_begin(struct first_arrival *first, size_t source)
{
    first->source = source;
    if (first->by_laplace)
        laplace_pair_begin(&first->laplace, source);
    else if (!first->by_front) /* with its generation 0 */
        arrival_field_begin(&first->field, source);
}

void first_arrival_go_on(struct first_arrival *first, int64_t age,
                         struct team *team)
{
    if (!first->by_front)
        return;
    if (age == 0)
        laplace_front_begin(&first->front, first->source, team);
    else if (age == first->front.age + 1)
        laplace_front_advance(&first->front, team);
}

void first_arrival_take(struct first_arrival *first, const void *generation,
                        int64_t age, struct team *team)
{
    if (first->by_front) {
        first_arrival_go_on(first, age, team);
        return;
    }
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
    if (!first->by_front)
        return;
    if (first->medium)
        medium_update(first->medium, box);
    laplace_front_update(&first->front, box);
}

const int32_t *first_arrival_ages(const struct first_arrival *first)
{
    if (first->by_front)
        return laplace_pair_steps(&first->front.pair);
    return first->by_laplace ? laplace_pair_steps(&first->laplace)
                             : first->field.step;
}

const struct laplace_pair *first_arrival_sums(const struct first_arrival *first)
{
    if (first->by_front)
        return &first->front.pair;
    return first->by_laplace ? &first->laplace : NULL;
}

void first_arrival_state(struct first_arrival *first, struct state *state)
{
    if (first->by_front) {
        struct box all = grid_box(&first->front.medium->terrain->grid);
        if (state->mode == STATE_LOAD && first->medium) /* with the terrain */
            medium_update(first->medium, &all);
        laplace_front_state(&first->front, state);
    } else if (first->by_laplace)
        laplace_pair_state(&first->laplace, state);
    else
        arrival_field_state(&first->field, state);
}
