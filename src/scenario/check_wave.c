/* SPDX-License-Identifier: MIT */
/* The wave's settings against each other, the map and the stability limit. */
#include "base/real.h"
#include "scenario/load.h"
#include "wave/laplace_front.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static enum status check_stencil(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct stencil *stencil = scenario->wave.stencil;
    int dims = scenario->terrain.grid.dims;
    if (stencil->dims != dims)
        return fault_path(load, "wave.stencil",
                          "\"%s\" is of %d axes, the map has %d; %s allowed",
                          stencil->name, stencil->dims, dims,
                          dims == 2 ? "5-point and 9-point are" : "7-point is");
    if (stencil->points == 8 && scenario->wave.speed_form == FORM_CONSERVATIVE)
        return fault_path(load, "wave.speed_form",
                          "\"conservative\" conserves nothing with the 9-point "
                          "stencil; c2-laplacian is allowed");
    return STATUS_OK;
}

static enum status check_amplitude(const struct load *load)
{
    const struct wave_settings *wave = &load->draft->scenario.wave;
    if (wave->precision == PRECISION_SINGLE &&
        (wave->amplitude > FLT_MAX || wave->amplitude < FLT_MIN))
        return fault_path(load, "wave.amplitude",
                          "%s does not fit single precision; from %.9g to "
                          "%.9g is allowed, or precision \"double\"",
                          REAL_TEXT(wave->amplitude), FLT_MIN, FLT_MAX);
    return STATUS_OK;
}

static enum status fault_unstable(const struct load *load, const char *path,
                                  double largest, double limit)
{
    const struct wave_settings *wave = &load->draft->scenario.wave;
    char why[96] = "";
    if (largest != wave->delta)
        snprintf(why, sizeof why, " (delta %s at speed %.6g)",
                 REAL_TEXT(wave->delta), sqrt(largest / wave->delta));
    return fault_path(load, path,
                      "%s%s is over the limit of stability; up to %s is "
                      "allowed with %s, more only with wave.allow_unstable",
                      REAL_TEXT(largest), why, REAL_TEXT(limit),
                      wave->stencil->name);
}

/* The map as it starts, and every speed that an event may bring; any speed
 * area may meet any event, so the largest δᵢ alone decides. */
static enum status check_stability(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    double largest, limit;
    if (scenario->wave.allow_unstable)
        return STATUS_OK;
    if (!wave_is_stable(&scenario->wave, &scenario->terrain, &largest, &limit))
        return fault_unstable(load, "wave.delta", largest, limit);
    const struct change_entry *entries = load->draft->events.items;
    for (size_t i = 0; i < load->draft->events.count; i++) {
        double speed = entries[i].has_speed ? entries[i].speed : 1;
        double delta = scenario->wave.delta * (speed * speed);
        char path[64];
        snprintf(path, sizeof path, "events.[%zu].speed", i);
        if (entries[i].has_speed && delta > limit)
            return fault_unstable(load, path, delta, limit);
    }
    return STATUS_OK;
}

/* Where 2 + centre·δ = 0 the source's own cell never counts: cells of odd
 * parity stay 0, and with them the gradient when the wave arrives. */
static enum status warn_parity(const struct load *load)
{
    const struct wave_settings *wave = &load->draft->scenario.wave;
    if (wave->source != SOURCE_IMPULSE ||
        fabs(2 + wave->stencil->centre * wave->delta) > 1e-12)
        return STATUS_OK;
    return warn_path(load, "wave.delta",
                     "at %s an impulse leaves every other cell at 0, and "
                     "the gradient is 0 where it arrives; a smaller delta or "
                     "another source mends it",
                     REAL_TEXT(wave->delta));
}

static enum status check_emission(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct wave_settings *wave = &scenario->wave;
    if (!scenario->has_target)
        return fault_path(load, "wave",
                          "there is no target to send waves; a group target "
                          "with its at is expected");
    if (wave->count > wave->lifetime)
        return fault_path(load, "wave.count",
                          "%d waves within a lifetime of %lld steps; at most "
                          "one a step is allowed",
                          wave->count, (long long)wave->lifetime);
    if (wave->restart == RESTART_ON_ARRIVAL && wave->count != 1)
        return fault_path(load, "wave.count",
                          "%d waves with restart \"on-arrival\"; 1 is allowed",
                          wave->count);
    return STATUS_OK;
}

/* The detector counts the ages of one emission in 16 bits (wave/laplace.h). */
static enum status check_ages(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    int64_t lifetime = scenario->wave.lifetime;
    if (detector_sums(scenario->arrival.detector) &&
        lifetime > LAPLACE_OLDEST && scenario->steps > LAPLACE_OLDEST)
        return fault_path(load, "wave.lifetime",
                          "%lld steps of one emission are more than detector "
                          "\"%s\" sums; up to %d is allowed, or steps "
                          "up to %d, or another arrival.detector",
                          (long long)lifetime, scenario->arrival.detector->name,
                          LAPLACE_OLDEST, LAPLACE_OLDEST);
    return STATUS_OK;
}

/* Summed with any p a ricker is below 0: none would ever be heard. */
static enum status check_sign(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    if (scenario->arrival.detector == &detector_laplace &&
        scenario->wave.source == SOURCE_RICKER)
        return fault_path(load, "wave.source",
                          "the sums that detector \"laplace\" makes of a "
                          "\"ricker\" are below 0, and nobody would hear it; "
                          "another source, or arrival.detector "
                          "\"laplace-front\", is allowed");
    return STATUS_OK;
}

/* From the faintest tip to the largest sum all must be in the precision. */
static enum status check_range(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct arrival_settings *arrival = &scenario->arrival;
    const bool single = scenario->wave.precision == PRECISION_SINGLE;
    const int most = laplace_front_room(scenario->wave.precision);
    int range = arrival->range;
    if (arrival->detector != &detector_laplace_front)
        return STATUS_OK;
    if (range > 0 && range < LAPLACE_FRONT_RANGE_LEAST)
        return fault_path(load, "arrival.range",
                          "%d bits are too few; %d or more are allowed, or 0: "
                          "by the walls",
                          range, LAPLACE_FRONT_RANGE_LEAST);
    if (range == 0)
        range = laplace_front_range(scenario->wave.walls);
    double bits = laplace_front_bits(arrival->p, arrival->eta, range,
                                     arrival->heading == HEADING_ARRIVAL_TIME);
    if (bits <= most)
        return STATUS_OK;
    return fault_path(load, "arrival.range",
                      "%d bits and what p and eta add are %.0f, and %s "
                      "precision has %d; a smaller range%s a larger p or eta%s "
                      "is allowed",
                      range, ceil(bits), single ? "single" : "double", most,
                      single ? "," : ", or",
                      single ? ", or wave.precision \"double\"" : "");
}

/* Their waves are their own, and need no group. */
static bool any_wave_pincer(const struct scenario *scenario)
{
    for (size_t i = 0; i < scenario->agent_count; i++)
        if (scenario->agents[i].method == METHOD_WAVE_PINCER)
            return true;
    return false;
}

enum status wave_settle(struct load *load)
{
    struct draft *draft = load->draft;
    struct scenario *scenario = &draft->scenario;
    if (!scenario->wave.stencil)
        scenario->wave.stencil = stencil_find(
            scenario->terrain.grid.dims == 2 ? "5-point" : "7-point");
    if (!scenario->has_wave) {
        bool unused = draft->has_arrival && !any_wave_pincer(scenario);
        draft->has_arrival = draft->has_arrival && !unused;
        return unused ? warn_path(load, "arrival",
                                  "has no effect without a group wave")
                      : STATUS_OK;
    }
    draft->has_arrival = true;
    enum status status = check_emission(load);
    if (!status)
        status = check_stencil(load);
    if (!status)
        status = check_amplitude(load);
    if (!status)
        status = check_stability(load);
    if (!status)
        status = check_ages(load);
    if (!status)
        status = check_sign(load);
    if (!status)
        status = check_range(load);
    return status ? status : warn_parity(load);
}
