/* SPDX-License-Identifier: MIT */
#include "view/headings.h"

#include "base/memory.h"
#include "pursuit/node_heading.h"
#include "pursuit/settings.h"
#include "recording/read/tables.h"
#include "settings/value.h"
#include "view/own_wave.h"
#include "view/settings.h"
#include "wave/arrival/watch.h"
#include "wave/wave.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

struct headings {
    const struct recording *recording;
    struct arrival_settings arrival;
    struct arrival_rules rules;
    struct emission_row *sent; /* of this wave, in order of their steps */
    size_t count, next;        /* next: the first not emitted yet */
    struct own_wave own;       /* terrain.wall NULL: no emission yet */
    bool by_nodes;             /* then `sight` and `trail` are used; else the
                                * members below */
    double sight;              /* cells */
    struct trail trail;
    /* (cells): did the cell react to the newest emission? With the heading
     * `flux` the watch that sums it; else NULL. */
    uint8_t *reacted;
    struct arrival_watch *watches;
    double *heading[GRID_AXES]; /* (cells) */
};

static enum status read_emissions(struct headings *headings, int wave,
                                  struct error *error)
{
    size_t all;
    enum status status =
        emissions_read(headings->recording, &headings->sent, &all, error);
    for (size_t i = 0; i < all && !status; i++)
        if (headings->sent[i].wave == wave)
            headings->sent[headings->count++] = headings->sent[i];
    return status;
}

static bool names_nodes(const char *rule)
{
    return rule && strcmp(rule, steering_rule_names[STEERING_EMISSION]) != 0;
}

/* Does an agent that follows waves steer by nodes? Without such an agent: is
 * that the run's rule? */
static bool any_follows_nodes(const struct recording *recording)
{
    const char *wave = agent_methods[METHOD_WAVE]->name;
    const char *rule = recording_setting(recording, "pursuit.steering");
    const char *method;
    bool any = false;
    for (int entry = 0;; entry++) {
        char key[64];
        snprintf(key, sizeof key, "agents.[%d].method", entry);
        if (!(method = recording_setting(recording, key)))
            break;
        if (strcmp(method, wave) != 0)
            continue;
        snprintf(key, sizeof key, "agents.[%d].steering", entry);
        const char *own = recording_setting(recording, key);
        if (!own)
            own = rule;
        if (names_nodes(own))
            return true;
        any = true;
    }
    return !any && names_nodes(rule);
}

static enum status read_steering(struct headings *headings, struct error *error)
{
    struct pursuit_settings pursuit;
    settings_default("pursuit", &pursuit);
    headings->by_nodes = any_follows_nodes(headings->recording);
    enum status status = view_setting_read(
        headings->recording, key_of("pursuit.sight"), &pursuit, error);
    headings->sight = pursuit.sight;
    return status;
}

static enum status make_room(struct headings *headings, struct error *error)
{
    const struct grid *grid = recording_grid(headings->recording);
    const struct arrival_settings *arrival = &headings->arrival;
    size_t cells = grid_cells(grid);
    if (headings->by_nodes)
        return STATUS_OK;
    bool good = (headings->reacted = memory_new(cells, 1)) != NULL;
    for (int axis = 0; axis < grid_axes(grid) && good; axis++)
        good = (headings->heading[axis] = memory_new(cells, sizeof(double))) !=
               NULL;
    if (good && arrival->heading == HEADING_FLUX &&
        !arrival->detector->own_wave)
        good = (headings->watches =
                    memory_new(cells, sizeof *headings->watches)) != NULL;
    return good ? STATUS_OK : error_memory(error);
}

enum status headings_new(const struct recording *recording, int wave,
                         struct headings **headings, struct error *error)
{
    struct headings *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->recording = recording;
    enum status status = arrival_settings_of(recording, &made->arrival, error);
    if (!status)
        status = read_emissions(made, wave, error);
    if (!status)
        status = read_steering(made, error);
    if (!status)
        status = make_room(made, error);
    if (status)
        headings_release(made);
    else
        *headings = made;
    return status;
}

static void close_wave(struct headings *headings)
{
    trail_release(&headings->trail);
    own_wave_release(&headings->own);
}

void headings_release(struct headings *headings)
{
    if (!headings)
        return;
    close_wave(headings);
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(headings->heading[axis]);
    memory_release(headings->reacted);
    memory_release(headings->watches);
    memory_release(headings->sent);
    memory_release(headings);
}

static bool is_open(const struct headings *headings)
{
    return headings->own.terrain.wall != NULL;
}

static void set_heading(struct headings *headings, size_t cell,
                        const double heading[GRID_AXES])
{
    const struct grid *grid = recording_grid(headings->recording);
    for (int axis = 0; axis < grid_axes(grid); axis++)
        headings->heading[axis][cell] = heading[axis];
}

/* No cell has reacted to it. */
static void begin_emission(struct headings *headings)
{
    const size_t cells = grid_cells(recording_grid(headings->recording));
    if (headings->by_nodes) {
        trail_begin(&headings->trail, -1, headings->own.step);
        return;
    }
    memset(headings->reacted, 0, cells);
    if (headings->watches)
        memset(headings->watches, 0, cells * sizeof *headings->watches);
}

static double potential(const void *context, size_t cell, bool *settled)
{
    return detection_potential(context, cell, settled);
}

/* The first emission: the wave is made. */
static enum status start(struct headings *headings, struct error *error)
{
    const struct emission_row *sent = &headings->sent[0];
    struct emission emission = { .step = sent->step, .next = -1 };
    grid_cell(recording_grid(headings->recording), sent->cell, emission.cell);
    enum status status =
        own_wave_open(&headings->own, headings->recording, &headings->arrival,
                      &emission, headings->by_nodes, error);
    if (!status && headings->by_nodes)
        status = trail_init(&headings->trail, &headings->own.terrain, potential,
                            headings->own.detection,
                            &headings->own.detection->fall, error);
    if (status)
        return status;
    const struct wave_settings *wave = &headings->own.settings;
    headings->rules = (struct arrival_rules){
        .settings = &headings->arrival,
        .amplitude = wave->amplitude,
        .smallest =
            wave->precision == PRECISION_SINGLE ? (double)FLT_MIN : DBL_MIN,
        .lifetime = detector_lifetime(headings->arrival.detector, wave),
    };
    headings->next = 1;
    begin_emission(headings);
    return STATUS_OK;
}

/* As an agent at the cell's centre would. Unless a flux is summed, the watch
 * only has to store the emission reacted to. */
static void look(struct headings *headings, size_t cell)
{
    const struct grid *grid = recording_grid(headings->recording);
    struct arrival_watch fresh = { 0 };
    struct arrival_watch *watch =
        headings->watches ? &headings->watches[cell] : &fresh;
    struct arrival_look seen;
    struct arrival arrival;
    int at[GRID_AXES];
    grid_cell(grid, cell, at);
    detection_look(headings->own.detection,
                   (double[GRID_AXES]){ at[0], at[1], at[2] },
                   watch->flux_from > 0, &seen);
    enum arrival_news news =
        arrival_watch_feed(watch, &headings->rules, &seen, &arrival);
    /* Without a new heading the old one remains. */
    if (news == ARRIVAL_CAME && !heading_none(arrival.heading))
        set_heading(headings, cell, arrival.heading);
    headings->reacted[cell] = watch->reacted;
}

/* A cell in which the wave has not arrived need not be examined. */
static void look_all(struct headings *headings)
{
    const size_t cells = grid_cells(recording_grid(headings->recording));
    const int32_t *ages = detection_ages(headings->own.detection);
    for (size_t i = 0; i < cells; i++)
        if (ages[i] >= 0 && !headings->reacted[i])
            look(headings, i);
}

/* No agent is inside a wall. */
static void forget_walls(struct headings *headings)
{
    const struct terrain *terrain = &headings->own.terrain;
    const struct box all = grid_box(&terrain->grid);
    if (headings->by_nodes) {
        trail_update(&headings->trail, &all);
        return;
    }
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++)
        if (terrain->wall[i])
            set_heading(headings, i, (double[GRID_AXES]){ 0 });
}

static enum status advance(struct headings *headings, struct error *error)
{
    struct own_wave *own = &headings->own;
    const size_t version = own->version;
    own_wave_advance(own);
    if (headings->by_nodes)
        trail_refresh(&headings->trail);
    else
        look_all(headings);
    enum status status = own_wave_take_events(own, error);
    if (!status && own->version != version)
        forget_walls(headings);
    if (status || headings->next >= headings->count ||
        headings->sent[headings->next].step > own->step)
        return status;
    const struct emission_row *sent = &headings->sent[headings->next++];
    if (headings->by_nodes)
        trail_keep(&headings->trail, true);
    own_wave_emit(own, sent->cell);
    begin_emission(headings);
    return STATUS_OK;
}

enum status headings_go_to(struct headings *headings, int64_t step,
                           struct error *error)
{
    const struct grid *grid = recording_grid(headings->recording);
    enum status status = STATUS_OK;
    if (is_open(headings) && headings->own.step > step) {
        close_wave(headings);
        for (int axis = 0; axis < grid_axes(grid) && !headings->by_nodes;
             axis++)
            memset(headings->heading[axis], 0,
                   grid_cells(grid) * sizeof(double));
    }
    if (!is_open(headings) && headings->count && headings->sent[0].step <= step)
        status = start(headings, error);
    while (!status && is_open(headings) && headings->own.step < step)
        status = advance(headings, error);
    if (status)
        close_wave(headings);
    return status;
}

void headings_at(const struct headings *headings, size_t cell,
                 double heading[GRID_AXES])
{
    memset(heading, 0, GRID_AXES * sizeof *heading);
    if (headings->by_nodes && is_open(headings))
        node_heading(&headings->trail, headings->sight, cell, heading);
    for (int axis = 0; axis < GRID_AXES && headings->heading[axis]; axis++)
        heading[axis] = headings->heading[axis][cell];
}
