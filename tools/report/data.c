/* SPDX-License-Identifier: MIT */
/* The data of a recording for the page's script. */
#include "tools/report/report.h"

#include "cli/json.h"
#include "draw/figure/overlay.h"
#include "draw/figure/ticks.h"

#include <math.h>
#include <string.h>

enum { TICKS = 7 };

static void put_color(struct json *json, const char *key, const uint8_t *rgb)
{
    char text[8];
    snprintf(text, sizeof text, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    json_text(json, key, text);
}

static void put_swatch(struct json *json, const char *name, const uint8_t *rgb)
{
    json_array(json, NULL);
    json_text(json, NULL, name);
    put_color(json, NULL, rgb);
    json_array_end(json);
}

static void put_ticks(struct json *json, const struct scale *scale)
{
    struct ticks ticks;
    ticks_make(scale, TICKS, &ticks);
    json_array(json, "ticks");
    for (int i = 0; i < ticks.count; i++) {
        if (!ticks.tick[i].label[0])
            continue;
        json_object(json, NULL);
        json_real(json, "place", round(1e4 * ticks.tick[i].place) / 1e4);
        json_text(json, "label", ticks.tick[i].label);
        json_object_end(json);
    }
    json_array_end(json);
}

static void put_view(struct json *json, const struct report_run *run,
                     const struct report_view *view)
{
    char wave[24];
    snprintf(wave, sizeof wave, "%d", view->wave);
    json_object(json, NULL);
    json_text(json, "name", view->name);
    json_text(json, "wave", wave);
    json_text(json, "means", view->means);
    if (!report_view_is_map(view)) {
        json_text(json, "ramp", view->bar);
        put_ticks(json, &view->scale);
    }
    if (view->layer >= 0) {
        json_array(json, "layer");
        json_real(json, NULL, run->layers.low[view->layer]);
        json_real(json, NULL, run->layers.high[view->layer]);
        json_array_end(json);
    }
    json_array(json, "swatches");
    put_swatch(json, "wall", view->ramp.wall);
    if (strcmp(view->field->name, "arrival") == 0)
        put_swatch(json, "not reached", view->ramp.missing);
    json_array_end(json);
    json_array(json, "frames");
    for (size_t i = 0; i < view->count; i++)
        json_text(json, NULL, view->frames[i]);
    json_array_end(json);
    json_object_end(json);
}

/* Its position on these axes, minus the origin, to a thousandth. */
static void put_axes(struct json *json, const struct report_run *run,
                     const struct report_agent *agent, const char *key,
                     const int *axes, const double *origin, int count)
{
    char *to = run->path_text;
    for (size_t i = 0; i < run->places; i++)
        for (int k = 0; k < count; k++) {
            double at = (double)agent->at[i][axes[k]] - origin[k];
            to += snprintf(to, REPORT_PLACE_SIZE / 2, "%s%.7g",
                           to > run->path_text ? " " : "",
                           round(1000 * at) / 1000);
        }
    json_text(json, key, run->path_text);
}

/* In cells from the picture's corner; with layers also its position along
 * them. */
static void put_places(struct json *json, const struct report_run *run,
                       const struct report_agent *agent)
{
    const int plane[2] = { run->right, run->down };
    const double corner[2] = { run->origin[0] - .5, run->origin[1] - .5 };
    const double zero = 0;
    put_axes(json, run, agent, "at", plane, corner, 2);
    if (run->layers.count)
        put_axes(json, run, agent, "along", &run->along, &zero, 1);
}

static void put_agents(struct json *json, const struct report_run *run)
{
    json_array(json, "agents");
    for (size_t i = 0; i < run->agent_count; i++) {
        const struct report_agent *agent = &run->agents[i];
        bool target = agent->number < 0;
        json_object(json, NULL);
        json_text(json, "name", agent->name);
        json_truth(json, "target", target);
        put_color(json, "color", overlay_color(agent->number));
        json_text(json, "shape",
                  overlay_shape_names[overlay_shape(agent->number)]);
        json_whole(json, "captured",
                   target ? -1 : run->info.agents[agent->number].captured);
        put_places(json, run, agent);
        json_object_end(json);
    }
    json_array_end(json);
}

static void put_pair(struct json *json, const char *key, int64_t a, int64_t b)
{
    json_array(json, key);
    json_whole(json, NULL, a);
    json_whole(json, NULL, b);
    json_array_end(json);
}

void report_data(FILE *out, const void *of)
{
    const struct report_run *run = of;
    struct json json = { .out = out };
    int block = run->block;
    int px = (run->nx + block - 1) / block, py = (run->ny + block - 1) / block;
    json_object(&json, NULL);
    put_pair(&json, "size", (int64_t)px * block, (int64_t)py * block);
    put_pair(&json, "pixels", px, py);
    json_whole(&json, "last", report_last(run));
    json_whole(&json, "opening", (int64_t)run->opening);
    json_array(&json, "steps");
    for (size_t i = 0; i < run->frame_count; i++)
        json_whole(&json, NULL, report_step(run, run->frames[i]));
    json_array_end(&json);
    json_array(&json, "at");
    for (size_t i = 0; i < run->frame_count; i++)
        json_whole(&json, NULL, (int64_t)run->frames[i]);
    json_array_end(&json);
    put_agents(&json, run);
    json_array(&json, "views");
    for (size_t i = 0; i < run->view_count; i++)
        put_view(&json, run, &run->views[i]);
    json_array_end(&json);
    json_object_end(&json);
}
