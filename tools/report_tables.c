/* SPDX-License-Identifier: MIT */
/* The tables of agents and waves. */
#include "report_page.h"

#include "draw/overlay.h"

#include <inttypes.h>
#include <string.h>

static void put_shape(FILE *out, int agent, double radius, const uint8_t *rgb)
{
    const double(*corners)[2];
    int count = overlay_corners(overlay_shape(agent), &corners);
    if (count)
        fputs("<polygon points=\"", out);
    else
        fprintf(out, "<circle r=\"%g\"", radius);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%.2f,%.2f%s", i ? " " : "", radius * corners[i][0],
                radius * corners[i][1], i + 1 < count ? "" : "\"");
    fprintf(out, " fill=\"#%02x%02x%02x\"/>", rgb[0], rgb[1], rgb[2]);
}

/* The sign of the agent of this number. */
static void put_sign(FILE *out, const void *of)
{
    static const uint8_t black[3];
    int agent;
    memcpy(&agent, of, sizeof agent);
    fputs("<svg viewBox=\"-11 -11 22 20\" aria-hidden=\"true\">", out);
    put_shape(out, agent, 7, black);
    put_shape(out, agent, 5.5, overlay_color(agent));
    fputs("</svg>", out);
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
            { .name = "dot", .write = put_sign, .of = &agent->number },
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
