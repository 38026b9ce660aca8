/* SPDX-License-Identifier: MIT */
/* The tables of agents and waves. */
#include "report_page.h"

#include "draw/overlay.h"

#include <inttypes.h>

static void put_dot(FILE *out, const void *of)
{
    const uint8_t *rgb = of;
    fprintf(out,
            "<svg viewBox=\"-9 -9 18 18\" aria-hidden=\"true\"><circle r=\"7\" "
            "fill=\"#000\"/><circle r=\"5.5\" "
            "fill=\"#%02x%02x%02x\"/></svg>",
            rgb[0], rgb[1], rgb[2]);
}

static void put_agent_rows(FILE *out, const void *of)
{
    const struct report_run *run = of;
    for (size_t i = 0; i < run->agent_count; i++) {
        const struct report_agent *agent = &run->agents[i];
        if (agent->number < 0)
            continue;
        const struct info_agent *info = &run->info.agents[agent->number];
        char first[REPORT_NUMBER], arrivals[REPORT_NUMBER],
            captured[REPORT_NUMBER], way[REPORT_NUMBER];
        snprintf(way, sizeof way, "%.1f", agent->way);
        const struct html_slot slots[] = {
            { .name = "dot",
              .write = put_dot,
              .of = overlay_color(agent->number) },
            { .name = "name", .text = info->name },
            { .name = "method", .text = info->method },
            { .name = "first", .text = report_number(info->first, first) },
            { .name = "arrivals",
              .text = report_number(info->arrivals, arrivals) },
            { .name = "captured",
              .text = report_number(info->captured, captured) },
            { .name = "way", .text = way },
            { .name = "state", .text = info_state_name(info->state) },
            { 0 }
        };
        report_part(out, "agent", slots);
    }
}

static void put_more(FILE *out, const void *of)
{
    const struct report_run *run = of;
    char text[REPORT_TEXT];
    if (run->info.agent_count <= REPORT_AGENTS)
        return;
    snprintf(text, sizeof text,
             "The first %d of %zu agents; hamon-export --csv tells them all.",
             REPORT_AGENTS, run->info.agent_count);
    const struct html_slot slots[] = { { .name = "text", .text = text },
                                       { 0 } };
    report_part(out, "more", slots);
}

void report_agents(FILE *out, const void *of)
{
    const struct report_run *run = of;
    const struct html_slot slots[] = {
        { .name = "rows", .write = put_agent_rows, .of = of },
        { .name = "more", .write = put_more, .of = of },
        { 0 }
    };
    if (run->info.agent_count)
        report_part(out, "agents", slots);
}

static void put_wave_rows(FILE *out, const void *of)
{
    const struct report_run *run = of;
    for (int i = 0; i < recording_waves(run->recording); i++) {
        const struct info_wave *wave = &run->info.waves[i];
        char name[REPORT_NUMBER], emissions[REPORT_NUMBER],
            first[REPORT_NUMBER], last[REPORT_NUMBER],
            reached[2 * REPORT_NUMBER] = "\u2013";
        for (size_t k = 0; k < run->reach_count; k++)
            if (run->reach[k].wave == i && run->reach[k].cells)
                snprintf(reached, sizeof reached, "%" PRId64 " of %" PRId64,
                         run->reach[k].reached, run->reach[k].cells);
        const struct html_slot slots[] = {
            { .name = "wave", .text = report_number(i, name) },
            { .name = "emissions",
              .text = report_number(wave->emissions, emissions) },
            { .name = "first", .text = report_number(wave->first, first) },
            { .name = "last", .text = report_number(wave->last, last) },
            { .name = "reached", .text = reached },
            { 0 }
        };
        report_part(out, "wave", slots);
    }
}

void report_waves(FILE *out, const void *of)
{
    const struct report_run *run = of;
    const struct html_slot slots[] = {
        { .name = "rows", .write = put_wave_rows, .of = of }, { 0 }
    };
    if (recording_waves(run->recording))
        report_part(out, "waves", slots);
}
