/* SPDX-License-Identifier: MIT */
#include "wave/arrival_watch.h"

#include <math.h>

void arrival_watch_reset(struct arrival_watch *watch)
{
    *watch = (struct arrival_watch){ .reacted = false };
}

static bool is_laplace(const struct arrival_rules *rules)
{
    return detector_sums(rules->settings->detector);
}

static bool holds(const struct arrival_watch *watch,
                  const struct arrival_rules *rules,
                  const struct arrival_look *look)
{
    const struct arrival_settings *settings = rules->settings;
    if (is_laplace(rules))
        return laplace_holds(look->sum, look->now, settings->eta);
    struct detector_sample sample = { .now = look->now,
                                      .before = look->before,
                                      .earlier = watch->earlier,
                                      .amplitude = rules->amplitude,
                                      .age = look->age };
    return settings->detector->holds(settings, &sample);
}

/* In exact numbers a wave that the cone brought is not 0 twice in turn (at
 * δ = 1/2 it is 0 every other generation). A detector that asks for more than
 * the smallest number misses nothing by underflow. */
static bool is_lost(const struct arrival_rules *rules,
                    const struct arrival_look *look)
{
    const struct arrival_settings *settings = rules->settings;
    if (look->reached < 0 || look->reached >= look->age)
        return false;
    if (look->now != 0 || look->before != 0 || !settings->detector->level)
        return false;
    return settings->detector->level(settings, rules->amplitude, look->age) <=
           rules->smallest;
}

static void copy(const double from[GRID_AXES], double to[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        to[axis] = from[axis];
}

/* ∇ln U, whose size is the decay a cell; U itself may be 2^-2000. */
static void tell_laplace(const struct arrival_look *look,
                         struct arrival *arrival)
{
    arrival->amplitude = log(look->sum) + look->log_unit;
    for (int axis = 0; axis < GRID_AXES; axis++)
        arrival->gradient[axis] = look->gradient[axis] / look->sum;
}

/* The arrival as this look gives it. False: no heading, so no arrival. */
static bool tell(const struct arrival_rules *rules,
                 const struct arrival_look *look, struct arrival *arrival)
{
    *arrival = (struct arrival){ .age = look->age, .amplitude = look->now };
    copy(look->gradient, arrival->gradient);
    if (!heading_unit(look->gradient, arrival->heading))
        return false;
    if (is_laplace(rules)) {
        tell_laplace(look, arrival);
        return true;
    }
    switch (rules->settings->heading) {
    case HEADING_ARRIVAL_TIME:
        copy(look->descent, arrival->heading);
        return true;
    case HEADING_SIGNED:
        for (int axis = 0; axis < GRID_AXES; axis++)
            arrival->heading[axis] *= (look->now > 0) - (look->now < 0);
        return look->now != 0;
    case HEADING_PAPER:
    case HEADING_FLUX:
        return true;
    }
    return false;
}

static bool sums_flux(const struct arrival_rules *rules)
{
    return rules->settings->heading == HEADING_FLUX && !is_laplace(rules);
}

static void begin_flux(struct arrival_watch *watch,
                       const struct arrival *arrival)
{
    watch->flux_from = arrival->age;
    watch->flux_arrival = *arrival;
    watch->flux_unit = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        watch->flux_unit =
            fmax(watch->flux_unit, fabs(arrival->gradient[axis]));
        watch->flux[axis] = 0;
    }
}

/* Energy flows along −∂z/∂t·∇z, away from the source; the heading is against
 * it. In units of the first gradient, for 2^-600 squared is 0. */
static void add_flux(struct arrival_watch *watch,
                     const struct arrival_look *look)
{
    double rate = (look->now - look->before) / watch->flux_unit;
    for (int axis = 0; axis < GRID_AXES; axis++)
        watch->flux[axis] += rate * (look->gradient[axis] / watch->flux_unit);
}

static bool changes_sign(double first, double now)
{
    return (first > 0 && now < 0) || (first < 0 && now > 0);
}

static enum arrival_news close_flux(struct arrival_watch *watch,
                                    struct arrival *arrival)
{
    watch->flux_from = 0;
    *arrival = watch->flux_arrival;
    watch->reacted = heading_unit(watch->flux, arrival->heading);
    return watch->reacted ? ARRIVAL_CAME : ARRIVAL_NONE;
}

static enum arrival_news take_flux(struct arrival_watch *watch,
                                   const struct arrival_rules *rules,
                                   const struct arrival_look *look,
                                   struct arrival *arrival)
{
    if (changes_sign(watch->flux_arrival.amplitude, look->now))
        return close_flux(watch, arrival);
    add_flux(watch, look);
    if (look->age - watch->flux_from + 1 >= FLUX_STEPS ||
        look->age >= rules->lifetime)
        return close_flux(watch, arrival);
    return ARRIVAL_NONE;
}

static enum arrival_news tell_lost(struct arrival_watch *watch,
                                   const struct arrival_look *look,
                                   struct arrival *arrival)
{
    watch->lost = true;
    *arrival = (struct arrival){ .age = look->age };
    return ARRIVAL_LOST;
}

static enum arrival_news listen(struct arrival_watch *watch,
                                const struct arrival_rules *rules,
                                const struct arrival_look *look,
                                struct arrival *arrival)
{
    bool held = holds(watch, rules, look);
    if (held && is_laplace(rules) && look->spoilt) {
        watch->reacted = true;
        return tell_lost(watch, look, arrival);
    }
    if (held && tell(rules, look, arrival)) {
        if (sums_flux(rules)) {
            begin_flux(watch, arrival);
            return take_flux(watch, rules, look, arrival);
        }
        watch->reacted = true;
        return ARRIVAL_CAME;
    }
    if (watch->lost || !is_lost(rules, look))
        return ARRIVAL_NONE;
    return tell_lost(watch, look, arrival);
}

enum arrival_news arrival_watch_feed(struct arrival_watch *watch,
                                     const struct arrival_rules *rules,
                                     const struct arrival_look *look,
                                     struct arrival *arrival)
{
    if (watch->reacted || look->age < 1 || look->age > rules->lifetime)
        return ARRIVAL_NONE;
    enum arrival_news news = watch->flux_from > 0
                                 ? take_flux(watch, rules, look, arrival)
                                 : listen(watch, rules, look, arrival);
    watch->earlier = look->before;
    return news;
}
