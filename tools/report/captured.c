/* SPDX-License-Identifier: MIT */
/* The number of agents that captured, by method and step. */
#include "tools/report/report.h"

#include "metrics/proportion.h"

#include <string.h>

bool report_is_team(const struct report_run *run)
{
    const char *stop = recording_setting(run->recording, "pursuit.stop");
    return stop && strcmp(stop, "any-captured") == 0;
}

struct report_share report_captured(const struct report_group *group,
                                    int64_t step)
{
    const struct info *info = &group->run->info;
    struct report_share share = { 0 };
    for (size_t i = 0; i < info->agent_count; i++) {
        const struct info_agent *agent = &info->agents[i];
        if (group->method && strcmp(agent->method, group->method) != 0)
            continue;
        share.count++;
        share.hits += agent->captured >= 0 && agent->captured <= step;
    }
    if (report_is_team(group->run)) {
        share.count = share.count > 0;
        share.hits = share.hits > 0;
    }
    const struct estimate rate =
        proportion_make((double)share.hits, (double)share.count);
    share.estimate = rate.estimate;
    share.low = rate.interval.low;
    share.high = rate.interval.high;
    return share;
}

size_t report_methods(const struct report_run *run,
                      struct report_group groups[REPORT_GROUPS])
{
    size_t count = 0;
    for (size_t i = 0; i < run->info.agent_count; i++) {
        const char *method = run->info.agents[i].method;
        size_t same = 0;
        while (same < count && strcmp(groups[same].method, method) != 0)
            same++;
        if (same < count || count == REPORT_GROUPS)
            continue;
        groups[count].run = run;
        groups[count].method = method;
        snprintf(groups[count++].name, REPORT_TEXT, "%s", method);
    }
    return count;
}
