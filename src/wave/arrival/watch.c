/* SPDX-License-Identifier: MIT */
#include "wave/arrival/watch.h"

#include "wave/arrival/detector.h"

#include <math.h>

static bool holds(const struct arrival_rules *rules,
                  const struct arrival_look *look)
{
    const struct detector_sample sample = { .now = look->now,
                                            .before = look->before,
                                            .earlier = look->earlier,
                                            .amplitude = rules->amplitude,
                                            .age = look->age,
                                            .sum = look->sum };
    return rules->settings->detector->holds(rules->settings, &sample);
}

/* In exact arithmetic a wave that the cone has reached is not 0 in two
 * generations in succession (at δ = 1/2 it is 0 in every other generation). A
 * detector whose level is above the smallest number loses nothing by
 * underflow. */
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

static bool sums_flux(const struct arrival_rules *rules)
{
    return rules->settings->heading == HEADING_FLUX &&
           !rules->settings->detector->own_wave;
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

/* Energy flows along −∂z/∂t·∇z, away from the source; the heading is opposite.
 * In units of the first gradient, because 2^-600 squared is 0. */
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

static enum arrival_news report_lost(struct arrival_watch *watch,
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
    bool held = holds(rules, look);
    if (held && look->spoilt) {
        watch->reacted = true;
        return report_lost(watch, look, arrival);
    }
    if (held &&
        rules->settings->detector->report(rules->settings, look, arrival)) {
        if (sums_flux(rules)) {
            begin_flux(watch, arrival);
            return take_flux(watch, rules, look, arrival);
        }
        watch->reacted = true;
        return ARRIVAL_CAME;
    }
    if (watch->lost || !is_lost(rules, look))
        return ARRIVAL_NONE;
    return report_lost(watch, look, arrival);
}

enum arrival_news arrival_watch_feed(struct arrival_watch *watch,
                                     const struct arrival_rules *rules,
                                     const struct arrival_look *look,
                                     struct arrival *arrival)
{
    if (watch->reacted || look->age < 1 || look->age > rules->lifetime)
        return ARRIVAL_NONE;
    return watch->flux_from > 0 ? take_flux(watch, rules, look, arrival)
                                : listen(watch, rules, look, arrival);
}
