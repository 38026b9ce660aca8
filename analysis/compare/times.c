/* SPDX-License-Identifier: MIT */
#include "analysis/compare/times.h"

#include <math.h>
#include <string.h>

static bool is_same(const char *wanted, const char *text)
{
    return !wanted || strcmp(wanted, text) == 0;
}

bool who_has(const struct who *who, const struct outcome *outcome)
{
    return is_same(who->method, outcome->method) &&
           is_same(who->group, outcome->group) &&
           is_same(who->shared, outcome->shared);
}

static struct timed alone(const struct outcome *outcome)
{
    bool captured = outcome->capture >= 0;
    int64_t time = captured ? outcome->capture : outcome->cap;
    return (struct timed){ { (double)time, captured, 0 },
                           outcome->problem,
                           outcome->recording,
                           outcome->course };
}

static void join(struct timed *chase, const struct outcome *outcome)
{
    struct timed other = alone(outcome);
    chase->time = survival_join(chase->time, other.time, outcome->team);
    chase->problem = (chase->problem ^ other.problem) * UINT64_C(0x100000001b3);
    chase->course = (chase->course ^ other.course) * UINT64_C(0x100000001b3);
}

static size_t gather(const struct outcomes *outcomes, const struct who *who,
                     bool chases, struct timed *times)
{
    size_t count = 0;
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        if (!who_has(who, outcome))
            continue;
        if (count && (chases || outcome->team) &&
            times[count - 1].recording == outcome->recording)
            join(&times[count - 1], outcome);
        else
            times[count++] = alone(outcome);
    }
    return count;
}

size_t times_of_chases(const struct outcomes *outcomes, const struct who *who,
                       struct timed *times)
{
    return gather(outcomes, who, true, times);
}

size_t times_of_agents(const struct outcomes *outcomes, const struct who *who,
                       struct timed *times)
{
    return gather(outcomes, who, false, times);
}

double times_limit(const struct outcomes *outcomes)
{
    double limit = INFINITY;
    for (size_t i = 0; i < outcomes->count; i++)
        limit = fmin(limit, outcomes->items[i].limit);
    return limit;
}
