/* SPDX-License-Identifier: MIT */
/* The data of a recording for the page's script: JSON, and in it the series of
 * words.c in the order in which sim.js takes them. */
#include "tools/report/report.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "base/need.h"
#include "draw/figure/overlay.h"
#include "view/settings.h"
#include "wave/arrival/detector.h"
#include "words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_color(struct json *json, const char *key, const uint8_t *rgb)
{
    char text[8];
    snprintf(text, sizeof text, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    json_text(json, key, text);
}

/* ---- the views, and the colours of each field ---- */

static void put_views(struct json *json, struct words *words,
                      const struct report_run *run)
{
    const char *palettes[REPORT_LIVE];
    int32_t colors[COLORMAP_SIZE + 2];
    size_t count = 0;
    json_array(json, "views");
    for (size_t i = 0; i < run->view_count; i++) {
        const struct report_view *view = &run->views[i];
        json_object(json, NULL);
        json_text(json, "name", view->name);
        json_text(json, "field", view->field->name);
        json_whole(json, "wave", view->wave);
        json_text(json, "means", view->means);
        json_real(json, "low", view->scale.low);
        json_real(json, "high", view->scale.high);
        json_real(json, "width", view->scale.linear_width);
        if (view->typical > 0)
            json_real(json, "typical", view->typical);
        const struct field_kinds *kinds = view->field->kinds;
        if (kinds) {
            json_array(json, "kinds");
            for (int k = 0; k < kinds->count; k++)
                json_text(json, NULL, _(kinds->names[k]));
            json_array_end(json);
        }
        if (view->layer >= 0) {
            json_array(json, "layer");
            json_real(json, NULL, run->layers.low[view->layer]);
            json_real(json, NULL, run->layers.high[view->layer]);
            json_array_end(json);
        }
        if (!run->checked_count) {
            json_array(json, "frames");
            for (size_t k = 0; k < view->count; k++)
                json_text(json, NULL, view->frames[k]);
            json_array_end(json);
        }
        json_object_end(json);
        size_t same = 0;
        while (same < count && strcmp(palettes[same], view->field->name) != 0)
            same++;
        if (same < count)
            continue;
        palettes[count++] = view->field->name;
        for (int k = 0; k < COLORMAP_SIZE + 2; k++) {
            const uint8_t *rgb = k < COLORMAP_SIZE    ? view->ramp.colors[k]
                                 : k == COLORMAP_SIZE ? view->ramp.wall
                                                      : view->ramp.missing;
            colors[k] = rgb[0] | rgb[1] << 8 | rgb[2] << 16;
        }
        words_add(words, colors, COLORMAP_SIZE + 2);
    }
    json_array_end(json);
    json_array(json, "palettes");
    for (size_t i = 0; i < count; i++)
        json_text(json, NULL, palettes[i]);
    json_array_end(json);
}

/* Does a cell count as reached as soon as |z| is this level, whatever the
 * wave's age is? Then the page finds the first arrivals itself. */
static bool has_level(const struct report_run *run, double *level)
{
    struct arrival_settings arrival;
    struct wave_settings wave;
    struct error error;
    if (view_settings_read(run->recording, "arrival", &arrival, &error) ||
        view_settings_read(run->recording, "wave", &wave, &error) ||
        !arrival.detector->level)
        return false;
    *level = arrival.detector->level(&arrival, wave.amplitude, 0);
    return arrival.detector->level(&arrival, wave.amplitude, INT32_MAX) ==
           *level;
}

/* First arrivals of a wave in the region, as steps, −1 never: their checksum,
 * and with `before`, those of the wave before it, how they differ; and how many
 * free cells it reached. */
static enum status put_arrival(struct json *json, struct words *words,
                               struct report_run *run, int wave,
                               int32_t *before, struct error *error)
{
    const struct view_place place = { .axis = -1 };
    const int64_t row = run->place_rows[run->places - 1];
    char name[VARIABLE_NAME_SIZE];
    struct view *view;
    enum status status =
        view_open(run->recording, "arrival", wave, &place, &view, error);
    if (status)
        return status;
    status = view_read(view, row, error);
    snprintf(name, sizeof name, "wave%d_arrival", wave);
    const bool recorded = !status && recording_find(view->source, name);
    if (recorded)
        status = view_read_block(view, "_arrival", 0, error);
    const size_t cells = grid_cells(&view->cut.block);
    int32_t *steps = need_memory(cells, sizeof *steps);
    struct report_reach *reach = &run->reach[run->reach_count++];
    *reach = (struct report_reach){ .wave = wave };
    for (size_t i = 0; i < cells && !status; i++) {
        const double step = view->block[i];
        steps[i] =
            step >= 0 && step <= (double)report_last(run) ? (int32_t)step : -1;
        reach->cells += !view->walls[i];
        reach->reached += !view->walls[i] && steps[i] >= 0;
    }
    json_object(json, NULL);
    json_whole(json, "wave", wave);
    json_whole(json, "sum", crc32c(0, steps, cells * sizeof *steps));
    json_truth(json, "recorded", recorded);
    json_object_end(json);
    for (size_t i = 0; i < cells && before; i++) {
        const int32_t step = steps[i];
        steps[i] -= before[i];
        before[i] = step;
    }
    if (before)
        words_add_rows(words, steps, cells, (size_t)view->cut.block.nx);
    memory_release(steps);
    view_release(view);
    return status;
}

static enum status put_arrivals(struct json *json, struct words *words,
                                struct report_run *run, struct error *error)
{
    enum status status = STATUS_OK;
    double level = 0;
    const bool found = has_level(run, &level);
    if (found) {
        json_real(json, "level", level);
        json_real(json, "lifetime",
                  recording_setting_real(run->recording, "wave.lifetime", 0));
    }
    int32_t *before =
        found ? NULL
              : need_memory(grid_cells(recording_grid(run->recording)),
                            sizeof *before);
    json_array(json, "arrivals");
    for (size_t i = 0; i < run->view_count && !status; i++) {
        bool done = strcmp(run->views[i].field->name, "arrival") != 0;
        for (size_t k = 0; k < run->reach_count; k++)
            done |= run->reach[k].wave == run->views[i].wave;
        if (done)
            continue;
        status =
            put_arrival(json, words, run, run->views[i].wave, before, error);
    }
    json_array_end(json);
    memory_release(before);
    return status;
}

/* ---- agents, and their captures ---- */

static void put_agents(struct json *json, struct words *words,
                       const struct report_run *run)
{
    const int axes = grid_axes(recording_grid(run->recording));
    int32_t *series = need_memory(run->places, sizeof *series);
    json_array(json, "agents");
    for (size_t i = 0; i < run->agent_count; i++) {
        const struct report_agent *agent = &run->agents[i];
        const bool target = agent->number < 0;
        json_object(json, NULL);
        json_text(json, "name", agent->name);
        json_truth(json, "target", target);
        put_color(json, "color", overlay_color(agent->number));
        json_text(json, "shape",
                  overlay_shape_names[overlay_shape(agent->number)]);
        json_whole(json, "captured",
                   target ? -1 : run->info.agents[agent->number].captured);
        json_object_end(json);
        for (int k = 0; k < 2 * GRID_AXES; k++) {
            if (k % GRID_AXES >= axes)
                continue;
            for (size_t p = 0; p < run->places; p++)
                series[p] = (int32_t)lrint(1000 * agent->at[p][k]);
            words_add(words, series, run->places);
        }
    }
    json_array_end(json);
    memory_release(series);
}

/* The fraction of each group at the steps at which it changes, of REPORT_BINS
 * + 1 steps; the last is the end. All agents are observed until then, so Kaplan
 * and Meier's estimate equals this fraction, and its interval is that of a
 * proportion. */
static void put_captured(struct json *json, const struct report_group *group)
{
    const int64_t last = report_last(group->run);
    double before = -1;
    json_object(json, NULL);
    json_text(json, "name", group->name);
    json_truth(json, "team", report_is_team(group->run));
    json_array(json, "stairs");
    for (int i = 0; i <= REPORT_BINS; i++) {
        const int64_t step = last * i / REPORT_BINS;
        const struct report_share share = report_captured(group, step);
        if (share.count == 0)
            break;
        if (share.estimate == before && i < REPORT_BINS)
            continue;
        before = share.estimate;
        json_array(json, NULL);
        json_whole(json, NULL, step);
        json_real(json, NULL, share.estimate);
        json_real(json, NULL, share.low);
        json_real(json, NULL, share.high);
        json_array_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

/* All agents, then each method. */
static void put_groups(struct json *json, const struct report_run *run)
{
    static struct report_group methods[REPORT_GROUPS];
    struct report_group all = { .run = run };
    const size_t count = report_methods(run, methods);
    snprintf(all.name, sizeof all.name, "%s", run->label);
    json_array(json, "groups");
    put_captured(json, &all);
    for (size_t i = 0; i < count; i++)
        put_captured(json, &methods[i]);
    json_array_end(json);
}

/* ---- the scenario's texts ---- */

/* A copy without the map's `rows` rows that are drawn in it: each that is made
 * of dots and @ becomes one byte, 1, because the page has the map's walls. */
static size_t leave_rows(const char *text, const struct terrain *map,
                         size_t rows, char *to)
{
    const size_t nx = (size_t)map->grid.nx;
    size_t used = 0, row = 0;
    while (*text) {
        const uint8_t *wall = map->wall + (row < rows ? row : 0) * nx;
        size_t same = 0;
        while (row < rows && text[0] == '"' && same < nx &&
               text[same + 1] == ".@"[wall[same] == 1])
            same++;
        to[used++] = *text++;
        if (same < nx || text[same] != '"')
            continue;
        to[used++] = 1;
        text += same;
        row++;
    }
    return used;
}

static enum status put_texts(struct json *json, struct words *words,
                             const struct report_run *run, struct error *error)
{
    static const char *const names[] = { "scenario", "resolved" };
    struct terrain map;
    enum status status =
        terrain_init(&map, recording_grid(run->recording), error);
    if (!status)
        status =
            recording_read_terrain(run->recording, "wall", 0, map.wall, error);
    json_array(json, "texts");
    for (size_t i = 0; i < 2 && !status; i++) {
        const char *text = recording_text(run->recording, names[i]);
        char *kept = need_memory(text ? 2 * strlen(text) + 1 : 1, 1);
        const size_t rows = run->checked_count
                                ? grid_cells(&map.grid) / (size_t)map.grid.nx
                                : 0;
        const size_t count = text ? leave_rows(text, &map, rows, kept) : 0;
        json_whole(json, NULL, (int64_t)count);
        words_add_bytes(words, kept, count);
        memory_release(kept);
    }
    json_array_end(json);
    terrain_release(&map);
    return status;
}

/* ---- all ---- */

static void put_steps(struct json *json, struct words *words,
                      const struct report_run *run)
{
    int32_t *steps = need_memory(run->places, sizeof *steps);
    for (size_t i = 0; i < run->places; i++)
        steps[i] = (int32_t)report_step(run, i);
    words_add(words, steps, run->places);
    memory_release(steps);
    json_whole(json, "places", (int64_t)run->places);
    json_whole(json, "last", report_last(run));
    json_array(json, "frames");
    for (size_t i = 0; i < run->frame_count; i++)
        json_whole(json, NULL, report_step(run, run->frames[i]));
    json_array_end(json);
}

/* The plane that is shown: its axes to the right, down and along, the layer,
 * or −1 for all of them; and the floors. */
static void put_plane(struct json *json, const struct report_run *run)
{
    const struct grid *grid = recording_grid(run->recording);
    const struct box region = recording_region(run->recording);
    const int axes[] = { run->right, run->down,
                         run->along < 0 ? 2 : run->along };
    json_whole(json, "dims", grid->dims);
    report_put_list(json, "grid", (const int[]){ grid->nx, grid->ny, grid->nz },
                    3);
    report_put_box(json, "region", &region);
    report_put_list(json, "axes", axes, 3);
    json_whole(json, "block", run->block);
    json_whole(json, "layer",
               run->flattened && run->layers.count ? run->layers.at[0]
               : run->flattened                    ? -1
               : run->along < 0                    ? 0
                                                   : run->place.at);
    json_array(json, "floors");
    for (int i = 0; i < run->layers.count && run->flattened; i++) {
        json_array(json, NULL);
        json_real(json, NULL, run->layers.low[i]);
        json_real(json, NULL, run->layers.high[i]);
        json_array_end(json);
    }
    json_array_end(json);
}

/* Without the lines and their indents, which no text in it contains. */
static void join_lines(char *json)
{
    char *to = json;
    for (const char *at = json; *at;)
        if (*at == '\n')
            at += 1 + strspn(at + 1, " ");
        else
            *to++ = *at++;
    *to = '\0';
}

/* The map is packed by itself: runs with the same have it once. */
static void put_packed_map(struct json *json, struct report_run *runs,
                           size_t which, struct words *map)
{
    runs[which].map = words_pack(map);
    for (size_t i = 0; i < which; i++)
        if (runs[i].map && runs[which].map &&
            strcmp(runs[i].map, runs[which].map) == 0) {
            json_whole(json, "mapOf", (int64_t)i);
            return;
        }
    json_text(json, "map", runs[which].map ? runs[which].map : "");
}

enum status report_data_make(struct report_run *runs, size_t which,
                             struct error *error)
{
    struct report_run *run = &runs[which];
    size_t size;
    FILE *out = open_memstream(&run->data, &size);
    struct words words = { NULL, 0 }, map = { NULL, 0 };
    struct json json = { .out = out };
    double *speed = NULL;
    if (!out)
        return error_memory(error);
    json_object(&json, NULL);
    json_text(&json, "why", run->why);
    put_plane(&json, run);
    put_steps(&json, &words, run);
    put_agents(&json, &words, run);
    put_groups(&json, run);
    put_views(&json, &words, run);
    json_whole(&json, "opening", (int64_t)run->opening);
    enum status status = put_texts(&json, &words, run, error);
    if (!status)
        status = put_arrivals(&json, &words, run, error);
    if (!status)
        status = report_fronts_put(&json, &words, run, error);
    if (!status)
        status = report_live_map(&json, &map, run, &speed, error);
    if (!status && run->checked_count)
        status = report_live_put(&json, &words, run, speed, error);
    memory_release(speed);
    put_packed_map(&json, runs, which, &map);
    char *packed = words_pack(&words);
    json_text(&json, "packed", packed ? packed : "");
    json_object_end(&json);
    const bool whole = packed && run->map && !ferror(out);
    memory_release(packed);
    if ((fclose(out) || !whole) && !status)
        return error_memory(error);
    join_lines(run->data);
    return status;
}
