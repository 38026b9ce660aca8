/* SPDX-License-Identifier: MIT */
/* laplace: U > 0 and |y| ≤ ηU, of its own wave (wave/laplace/wave.h). The
 * heading is along ∇U or, with the heading arrival-time, along −∇T. */
#include "wave/arrival/detector.h"

#include "base/memory.h"
#include "wave/generations.h"
#include "wave/laplace/wave.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct weighted {
    struct detection detection; /* the first member */
    struct laplace_wave front;
    struct medium *medium; /* its own medium; NULL: borrowed */
};

static struct weighted *weighted_of(struct detection *detection)
{
    return (struct weighted *)detection;
}

static const struct laplace_wave *front_of(const struct detection *detection)
{
    return &((const struct weighted *)detection)->front;
}

/* ---- the rule ---- */

static bool weighted_holds(const struct arrival_settings *settings,
                           const struct detector_sample *sample)
{
    return laplace_holds(sample->sum, sample->now, settings->eta);
}

/* Reports ln U, and ∇ln U, whose length is the decay per cell, or −∇T. U itself
 * may be as small as 2^-2000. */
static bool weighted_report(const struct arrival_settings *settings,
                            const struct arrival_look *look,
                            struct arrival *arrival)
{
    (void)settings;
    *arrival = (struct arrival){ .age = look->age };
    if (!heading_unit(look->gradient, arrival->heading))
        return false;
    arrival->amplitude = log(look->sum) + look->log_unit;
    for (int axis = 0; axis < GRID_AXES; axis++)
        arrival->gradient[axis] = look->gradient[axis] / look->sum;
    return true;
}

static bool by_time(const struct arrival_settings *settings)
{
    return settings->heading == HEADING_ARRIVAL_TIME;
}

/* In areas of other speeds ln U must decrease as a time does
 * (wave_matched_speed). For small p a mean time does so without a
 * correction. */
static bool has_matched_speeds(const struct arrival_settings *settings,
                               const struct terrain *terrain)
{
    return terrain->speed && !by_time(settings);
}

/* In areas of slow waves the tip of the front falls by several times as many
 * bits a cell as beside them, and both are open at once. So with areas it is as
 * many bits as the precision has room for, up to RANGE_AREAS. */
static int default_range(const struct arrival_settings *settings,
                         const struct wave_settings *waves,
                         const struct terrain *terrain)
{
    enum { RANGE_AREAS = 600 };
    const bool areas = has_matched_speeds(settings, terrain);
    const int room = laplace_wave_room(waves->precision);
    int range = laplace_wave_range(
        detector_is_matched(settings) ? WALLS_FREE : waves->walls, areas);
    while (areas && range < RANGE_AREAS &&
           laplace_wave_bits(settings->p, settings->eta, range + 1, false) <=
               room)
        range++;
    return range;
}

/* All values from the smallest amplitude that is kept to the largest sum must
 * fit the precision, and ages are stored in 16 bits. */
static bool weighted_fits(const struct arrival_settings *settings,
                          const struct wave_settings *waves,
                          const struct terrain *terrain, int64_t steps,
                          struct detector_fault *fault)
{
    const bool single = waves->precision == PRECISION_SINGLE;
    const int most = laplace_wave_room(waves->precision);
    const int range = settings->range ? settings->range
                                      : default_range(settings, waves, terrain);
    const double bits =
        laplace_wave_bits(settings->p, settings->eta, range, by_time(settings));
    *fault = (struct detector_fault){ .key = "arrival.range" };
    if (waves->lifetime > LAPLACE_OLDEST && steps > LAPLACE_OLDEST) {
        fault->key = "wave.lifetime";
        snprintf(fault->why, sizeof fault->why,
                 "%lld steps of one emission are more than detector \"%s\" can "
                 "sum; up to %d is allowed, or steps up to %d, or another "
                 "arrival.detector",
                 (long long)waves->lifetime, settings->detector->name,
                 LAPLACE_OLDEST, LAPLACE_OLDEST);
    } else if (range < LAPLACE_WAVE_RANGE_LEAST) {
        snprintf(fault->why, sizeof fault->why,
                 "%d bits are too few; %d or more are allowed, or 0: chosen "
                 "by the map",
                 range, LAPLACE_WAVE_RANGE_LEAST);
    } else if (bits > most) {
        snprintf(fault->why, sizeof fault->why,
                 "%d bits and what p and eta add are %.0f, and %s precision "
                 "has %d; a smaller range%s a larger p or eta%s is allowed",
                 range, ceil(bits), single ? "single" : "double", most,
                 single ? "," : ", or",
                 single ? ", or wave.precision \"double\"" : "");
    }
    return fault->why[0] == '\0';
}

/* The recording then contains the range that is used. */
static void weighted_settle(struct arrival_settings *settings,
                            const struct wave_settings *waves,
                            const struct terrain *terrain)
{
    if (settings->range == 0)
        settings->range = default_range(settings, waves, terrain);
}

/* ---- from emission to emission ---- */

static void weighted_release(struct detection *detection)
{
    struct weighted *weighted = weighted_of(detection);
    laplace_wave_release(&weighted->front);
    medium_release(weighted->medium);
    memory_release(weighted);
}

/* Makes its own medium: from the options, or from `theirs` but with matched
 * speeds or weights. Its edges are mirrors: what they reflect follows the
 * front, at which the wave arrives. */
static enum status own_medium(const struct detection_options *options,
                              const struct medium *theirs,
                              struct medium **medium, struct error *error)
{
    struct wave_settings waves = theirs ? theirs->settings : *options->waves;
    const struct share share =
        theirs ? theirs->share : share_whole(&options->terrain->grid);
    waves.edge = EDGE_MIRROR;
    waves.has_edges = false;
    if (has_matched_speeds(options->settings, options->terrain))
        waves.matched_p = options->settings->p;
    if (detector_is_matched(options->settings)) {
        waves.matched_p = options->settings->p;
        waves.matched_weights = true;
        waves.stencil = stencil_whole(options->terrain->grid.dims);
        waves.walls = WALLS_FREE;
        waves.speed_form = FORM_C2_LAPLACIAN;
    }
    return medium_new_shared(options->terrain, &share,
                             theirs ? theirs->halo : NULL, &waves, medium,
                             error);
}

static enum status weighted_new(const struct detection_options *options,
                                struct detection **detection,
                                struct error *error)
{
    const struct arrival_settings *settings = options->settings;
    const struct medium *medium = options->medium;
    const struct laplace_options laplace = {
        .p = settings->p,
        .eta = settings->eta,
        .lifetime = options->lifetime,
        .steps = options->ages,
    };
    struct weighted *weighted = memory_new(1, sizeof *weighted);
    if (!weighted)
        return error_memory(error);
    enum status status = STATUS_OK;
    if (!medium || has_matched_speeds(settings, options->terrain) ||
        detector_is_matched(settings) || medium->open) {
        status = own_medium(options, medium, &weighted->medium, error);
        medium = weighted->medium;
    }
    if (!status)
        status = laplace_wave_init(&weighted->front, medium, &laplace,
                                   settings->range, by_time(settings), error);
    if (status)
        weighted_release(&weighted->detection);
    else
        *detection = &weighted->detection;
    return status;
}

static void weighted_begin(struct detection *detection, size_t cell,
                           struct team *team)
{
    laplace_wave_begin(&weighted_of(detection)->front, cell, team);
}

static void weighted_take(struct detection *detection, const void *generation,
                          int64_t age, struct team *team)
{
    struct laplace_wave *front = &weighted_of(detection)->front;
    (void)generation;
    if (age > 0 && age == front->age + 1)
        laplace_wave_advance(front, team);
}

static void weighted_update(struct detection *detection, const struct box *box)
{
    struct weighted *weighted = weighted_of(detection);
    if (weighted->medium)
        medium_update(weighted->medium, box);
    laplace_wave_update(&weighted->front, box);
}

static void weighted_state(struct detection *detection, struct state *state)
{
    struct weighted *weighted = weighted_of(detection);
    const struct box all = grid_box(&detection->options.terrain->grid);
    /* stored with the terrain */
    if (state->mode == STATE_LOAD && weighted->medium)
        medium_update(weighted->medium, &all);
    laplace_wave_state(&weighted->front, state);
}

/* ---- reading it ---- */

static void weighted_look(struct detection *detection,
                          const double at[GRID_AXES], bool whole,
                          struct arrival_look *look)
{
    struct laplace_look seen;
    (void)whole;
    laplace_wave_look(front_of(detection), at, &seen);
    look->age = seen.age;
    look->now = seen.now;
    look->sum = seen.sum;
    look->log_unit = seen.log_unit;
    look->spoilt = seen.spoilt;
    memcpy(look->gradient, seen.gradient, sizeof look->gradient);
}

/* The newest generation, without what wave_newest makes anew for each look. */
static struct amplitudes newest_of(const struct laplace_wave *front)
{
    const struct layout *layout = &front->pair.sum[0].layout;
    return (struct amplitudes){
        .values = field_at(layout, front->wave->now, layout->origin),
        .row = layout->stride,
        .layer = layout->layer,
    };
}

static bool weighted_may_hold(const struct detection *detection,
                              const double at[GRID_AXES])
{
    const struct laplace_wave *front = front_of(detection);
    const struct amplitudes newest = newest_of(front);
    return laplace_may_hold(&front->pair.sum[0], &newest, at);
}

static const int32_t *weighted_ages(const struct detection *detection)
{
    return laplace_pair_steps(&front_of(detection)->pair);
}

static void weighted_slope(const struct detection *detection, size_t cell,
                           double slope[GRID_AXES])
{
    laplace_pair_slope(&front_of(detection)->pair, cell, slope);
}

static double weighted_potential(const struct detection *detection, size_t cell,
                                 bool *settled)
{
    const struct laplace_wave *front = front_of(detection);
    const struct amplitudes newest = newest_of(front);
    return laplace_pair_potential(&front->pair, &newest, cell, settled);
}

static bool weighted_sums(const struct detection *detection,
                          struct detection_sums *sums)
{
    const struct laplace_wave *front = front_of(detection);
    const struct laplace *sum = &front->pair.sum[0];
    const struct layout *layout = &sum->layout;
    if (front->pair.count != 1 || layout->item != sizeof(float))
        return false;
    *sums = (struct detection_sums){
        .sum = (const float *)sum->sum + layout->origin,
        .z = (const float *)front->wave->now + layout->origin,
        .closed = sum->closed + layout->origin,
        .row = layout->stride,
        .layer = layout->layer,
        .growth = sum->owed ? (float)sum->growth : 1,
        .owes = sum->owed ? 1 : 0,
        .eta = (float)sum->options.eta,
        .unit = sum->decay * (double)sum->age + sum->scale * log(2),
    };
    return true;
}

static void weighted_fall(const struct detection *detection, struct fall *fall)
{
    const struct laplace_wave *front = front_of(detection);
    const struct wave_settings *waves = &front->medium->settings;
    const struct laplace_pair *pair = &front->pair;
    const double p = pair->sum[0].options.p;
    fall_of_sum(waves, p, fall);
    if (pair->count == 2) {
        const double low = pair->sum[1].options.p;
        struct fall high_fall = *fall, low_fall;
        fall_of_sum(waves, low, &low_fall);
        fall_of_difference(&high_fall, &low_fall, 1 / (p - low), fall);
    }
    fall->borders = waves->matched_weights && waves->stencil->dims == 2;
    fall->behind =
        waves->speed_form == FORM_CONSERVATIVE || fall->borders ? 0 : .5;
}

static bool weighted_is_spent(const struct detection *detection)
{
    return laplace_wave_is_spent(front_of(detection));
}

const struct detector detector_laplace_wave = {
    .name = "laplace",
    .keys = { "arrival.p", "arrival.eta", "arrival.range", "arrival.stencil" },
    .own_wave = true,
    .fits = weighted_fits,
    .settle = weighted_settle,
    .holds = weighted_holds,
    .report = weighted_report,
    .new = weighted_new,
    .release = weighted_release,
    .begin = weighted_begin,
    .take = weighted_take,
    .update = weighted_update,
    .look = weighted_look,
    .may_hold = weighted_may_hold,
    .state = weighted_state,
    .ages = weighted_ages,
    .slope = weighted_slope,
    .potential = weighted_potential,
    .sums = weighted_sums,
    .fall = weighted_fall,
    .is_spent = weighted_is_spent,
};
