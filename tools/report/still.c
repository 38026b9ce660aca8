/* SPDX-License-Identifier: MIT */
/* The page's picture without scripts: the opening view at the last step, with
 * the agents over it and its colours below; and the signs of agents. */
#include "tools/report/report.h"

#include "draw/figure/overlay.h"
#include "draw/figure/ticks.h"
#include "tools/report/html.h"
#include "words/words.h"

#include <string.h>

enum {
    POINTS = 200, /* of all trails, about */
    TICKS = 5,
    WIDTH = 600 /* pixels for which the picture is drawn */
};

/* ---- signs ---- */

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

static void put_agent(FILE *out, int agent)
{
    static const uint8_t black[3];
    put_shape(out, agent, 7, black);
    put_shape(out, agent, 5.5, overlay_color(agent));
}

static void put_target(FILE *out)
{
    fputs("<circle r=\"8\"/><circle r=\"6.5\" fill=\"#fff\"/>"
          "<circle r=\"3.5\"/><circle r=\"1.8\" fill=\"#fff\"/>",
          out);
}

void report_sign(FILE *out, const void *number)
{
    int agent;
    memcpy(&agent, number, sizeof agent);
    fputs("<svg viewBox=\"-11 -11 22 20\" aria-hidden=\"true\">", out);
    put_agent(out, agent);
    fputs("</svg>", out);
}

/* ---- the picture ---- */

static bool stands(const struct report_run *run, const struct report_view *view,
                   const double at[])
{
    if (view->layer < 0)
        return true;
    const double along = at[run->along];
    return run->layers.low[view->layer] <= along &&
           along < run->layers.high[view->layer];
}

/* Its position on the picture, in cells from the corner. */
static void put_place(FILE *out, const struct report_run *run,
                      const double at[])
{
    fprintf(out, "%.4g %.4g", at[run->right] - run->origin[0] + .5,
            at[run->down] - run->origin[1] + .5);
}

static void put_trail(FILE *out, const struct report_run *run,
                      const struct report_view *view,
                      const struct report_agent *agent)
{
    const size_t most = 2 + POINTS / run->agent_count;
    size_t count = run->places < most ? run->places : most;
    const double *drawn = NULL; /* before this place, on this view */
    fputs("<path d=\"", out);
    for (size_t i = 0; i < count; i++) {
        size_t place = count > 1 ? i * (run->places - 1) / (count - 1) : 0;
        const double *at = agent->at[place];
        const bool on = stands(run, view, at);
        if (on && !(drawn && at[run->right] == drawn[run->right] &&
                    at[run->down] == drawn[run->down])) {
            fputs(drawn ? "L" : "M", out);
            put_place(out, run, at);
        }
        drawn = on ? at : NULL;
    }
    const uint8_t *rgb = overlay_color(agent->number);
    fprintf(out, "\" stroke=\"#%02x%02x%02x\"/>", rgb[0], rgb[1], rgb[2]);
}

static void put_agents(FILE *out, const struct report_run *run,
                       const struct report_view *view)
{
    for (size_t i = 0; i < run->agent_count; i++)
        put_trail(out, run, view, &run->agents[i]);
    for (size_t i = 0; i < run->agent_count; i++) {
        const struct report_agent *agent = &run->agents[i];
        const double *at = agent->at[run->places - 1];
        fputs("<g transform=\"translate(", out);
        put_place(out, run, at);
        fprintf(out, ") scale(%.4g)\"%s>", (double)run->nx / WIDTH,
                stands(run, view, at) ? "" : " opacity=\".35\"");
        if (agent->number < 0)
            put_target(out);
        else
            put_agent(out, agent->number);
        fputs("</g>\n", out);
    }
}

static void put_image(FILE *out, const char *png, int width, int height)
{
    fprintf(out,
            "<image width=\"%d\" height=\"%d\" preserveAspectRatio=\"none\" "
            "href=\"data:image/png;base64,%s\"/>\n",
            width, height, png);
}

/* The colours with their ticks, 1000 wide. */
static void put_bar(FILE *out, const struct report_view *view)
{
    struct ticks ticks;
    ticks_make(&view->scale, TICKS, &ticks);
    fputs("<svg class=\"bar\" viewBox=\"-60 0 1120 70\" "
          "aria-hidden=\"true\">",
          out);
    put_image(out, view->bar, 1000, 20);
    for (int i = 0; i < ticks.count; i++)
        fprintf(out, "<text x=\"%.4g\" y=\"56\">%s</text>",
                1000 * ticks.tick[i].place, ticks.tick[i].label);
    fputs("</svg>\n", out);
}

void report_still(FILE *out, const void *of)
{
    const struct report_run *run = of;
    const struct report_view *view = &run->views[run->opening];
    int block = run->block;
    int nx = (run->nx + block - 1) / block * block;
    int ny = (run->ny + block - 1) / block * block;
    char means[2 * REPORT_TEXT];
    snprintf(means, sizeof means, _("Step %lld: %s."),
             (long long)report_last(run), view->means);
    fprintf(out,
            "<svg class=\"still\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"",
            nx, ny);
    html_text(out, means);
    fputs("\">\n", out);
    put_image(out, view->frames[view->count - 1], nx, ny);
    put_agents(out, run, view);
    fputs("</svg>\n", out);
    if (!report_view_is_map(view))
        put_bar(out, view);
    fputs("<p class=\"means\">", out);
    html_text(out, means);
    fputs("</p>", out);
}
