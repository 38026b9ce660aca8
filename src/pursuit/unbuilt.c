/* SPDX-License-Identifier: MIT */
#include "pursuit/unbuilt.h"

/* Who builds one of these takes its row away. */
static const struct unbuilt {
    const char *what;
    bool of_target; /* a motion of the target, or a method of agents */
    int value;
} unbuilt[] = {
    { "agents with method \"pincer\"", false, METHOD_PINCER },
    { "agents with method \"relay\"", false, METHOD_RELAY },
    { "a target with motion \"evade\"", true, MOTION_EVADE },
    { "a target with motion \"farthest-safe\"", true, MOTION_FARTHEST_SAFE },
};

static bool is_wanted(const struct unbuilt *row,
                      const struct agent_settings *agents, size_t count,
                      const struct target_settings *target)
{
    if (row->of_target)
        return target && (int)target->motion == row->value;
    for (size_t i = 0; i < count; i++)
        if ((int)agents[i].method == row->value)
            return true;
    return false;
}

const char *unbuilt_next(const struct agent_settings *agents, size_t count,
                         const struct target_settings *target, size_t *next)
{
    while (*next < sizeof unbuilt / sizeof *unbuilt) {
        const struct unbuilt *row = &unbuilt[(*next)++];
        if (is_wanted(row, agents, count, target))
            return row->what;
    }
    return NULL;
}
