/* SPDX-License-Identifier: MIT */
#include "pursuit/hearing.h"

#include "base/memory.h"
#include "pursuit/cone_state.h"

#include <float.h>
#include <math.h>

/* Only a detector that may ask for less than the precision holds can lose an
 * arrival; the others need no light cone. */
static bool may_lose(const struct arrival_rules *rules)
{
    const struct arrival_settings *settings = rules->settings;
    return settings->detector->level &&
           settings->detector->level(settings, rules->amplitude,
                                     rules->lifetime) <= rules->smallest;
}

struct hearing_rules hearing_rules_of(const struct terrain *terrain,
                                      const struct wave_settings *wave,
                                      const struct arrival_settings *arrival,
                                      struct team *team)
{
    bool single = wave->precision == PRECISION_SINGLE;
    struct hearing_rules rules = {
        .terrain = terrain,
        .wave = wave,
        .arrival = { .settings = arrival,
                     .amplitude = wave->amplitude,
                     .smallest = single ? FLT_MIN : DBL_MIN,
                     .lifetime = wave->lifetime },
        .team = team,
        .share = share_whole(&terrain->grid),
        .has_laplace = arrival->detector == &detector_laplace,
        .has_front = arrival->detector == &detector_laplace_front,
    };
    rules.has_field = arrival->heading == HEADING_ARRIVAL_TIME &&
                      !detector_sums(arrival->detector);
    rules.has_cone = may_lose(&rules.arrival);
    return rules;
}

static size_t number_bytes(const struct hearing_rules *rules)
{
    return rules->wave->precision == PRECISION_SINGLE ? sizeof(float)
                                                      : sizeof(double);
}

static enum status field_init(struct hearing *hearing, struct error *error)
{
    const struct hearing_rules *rules = hearing->rules;
    const struct grid *grid = &rules->terrain->grid;
    struct arrival_field_options options = {
        .settings = rules->arrival.settings,
        .amplitude = rules->arrival.amplitude,
        .lifetime = rules->arrival.lifetime,
        .width = number_bytes(rules),
        .times = true,
    };
    hearing->generation = memory_new(grid_cells(grid), options.width);
    if (!hearing->generation)
        return error_memory(error);
    return arrival_field_init(&hearing->field, grid, &options, error);
}

enum status hearing_init(struct hearing *hearing,
                         const struct hearing_rules *rules,
                         const struct wave *wave, struct error *error)
{
    *hearing = (struct hearing){ .rules = rules, .wave = wave };
    struct laplace_options options = {
        .p = rules->arrival.settings->p,
        .eta = rules->arrival.settings->eta,
        .amplitude = rules->arrival.amplitude,
        .lifetime = rules->arrival.lifetime,
        .width = number_bytes(rules),
        .matched = rules->wave->stencil == stencil_find("9-point"),
    };
    enum status status = STATUS_OK;
    if (rules->has_cone)
        status = light_cone_init(&hearing->cone, rules->terrain, error);
    if (!status && rules->has_laplace)
        status = laplace_pair_init(
            &hearing->laplace, rules->terrain, &options,
            rules->arrival.settings->heading == HEADING_ARRIVAL_TIME, error);
    if (!status && rules->has_front)
        status = laplace_front_init(
            &hearing->front, wave_medium(wave), &options,
            rules->arrival.settings->range,
            rules->arrival.settings->heading == HEADING_ARRIVAL_TIME, error);
    if (!status && rules->has_field)
        status = field_init(hearing, error);
    return status;
}

void hearing_release(struct hearing *hearing)
{
    light_cone_release(&hearing->cone);
    arrival_field_release(&hearing->field);
    laplace_pair_release(&hearing->laplace);
    laplace_front_release(&hearing->front);
    memory_release(hearing->generation);
    *hearing = (struct hearing){ 0 };
}

void hearing_open(struct hearing *hearing)
{
    hearing->newest = wave_newest(hearing->wave);
}

/* The newest generation goes into what is kept beside the wave. */
static void take_generation(struct hearing *hearing, int64_t age)
{
    const struct hearing_rules *rules = hearing->rules;
    hearing->age = age;
    if (rules->has_laplace || rules->has_field)
        hearing_open(hearing);
    if (rules->has_laplace)
        laplace_pair_owe(&hearing->laplace, &hearing->newest, age, rules->team);
    if (rules->has_field) {
        wave_copy_held(hearing->wave, hearing->generation, rules->team);
        arrival_field_take(&hearing->field, hearing->generation, age,
                           rules->team);
    }
}

void hearing_begin(struct hearing *hearing, size_t cell)
{
    const struct hearing_rules *rules = hearing->rules;
    const struct grid *grid = &rules->terrain->grid;
    int source[GRID_AXES];
    if (rules->has_front)
        laplace_front_begin(&hearing->front, cell, rules->team);
    grid_cell(&rules->share.world, cell, source);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        source[axis] -= rules->share.held.low[axis];
        hearing->source[axis] = source[axis];
    }
    cell = grid_holds(grid, source[0], source[1], source[2])
               ? grid_index(grid, source[0], source[1], source[2])
               : GRID_NOWHERE;
    if (rules->has_cone)
        light_cone_begin(&hearing->cone, cell);
    if (rules->has_field)
        arrival_field_begin(&hearing->field, cell);
    if (rules->has_laplace)
        laplace_pair_begin(&hearing->laplace, cell);
    take_generation(hearing, 0);
}

static double level_at(const struct hearing_rules *rules, int64_t age)
{
    const struct arrival_settings *settings = rules->arrival.settings;
    if (!settings->detector->level)
        return 0;
    return settings->detector->level(settings, rules->arrival.amplitude, age);
}

/* Where the cone came from a neighbour's block. */
static void join_cone(struct hearing *hearing)
{
    struct halo *halo = hearing->rules->halo;
    const struct grid *grid = &hearing->rules->terrain->grid;
    struct box everything = grid_box(grid), box;
    struct held_field field = { .cells = hearing->cone.reached,
                                .item = sizeof *hearing->cone.reached,
                                .row = grid->nx,
                                .layer = (ptrdiff_t)grid->nx * grid->ny };
    halo_start(halo, &field, &everything);
    halo_finish(halo, &field);
    for (int i = 0; halo_filled(halo, i, &box); i++)
        light_cone_join(&hearing->cone, &box);
}

void hearing_advance(struct hearing *hearing, int64_t step)
{
    int64_t age = step - wave_emitted(hearing->wave);
    take_generation(hearing, age);
    if (hearing->rules->has_front)
        laplace_front_advance(&hearing->front, hearing->rules->team);
    if (hearing->rules->has_cone && hearing->rules->halo) {
        hearing_catch_up(hearing); /* with the neighbours, a step at a time */
        join_cone(hearing);
    }
    hearing->level = level_at(hearing->rules, age);
    hearing->hush = hearing->level * (1 - 1e-6);
}

/* Hardly anybody asks: only where an arrival may be lost. What the cone is does
 * not change by being followed later, so the hearing is const. */
void hearing_catch_up(const struct hearing *hearing)
{
    struct light_cone *cone = &((struct hearing *)(uintptr_t)hearing)->cone;
    while (hearing->rules->has_cone && cone->age >= 0 &&
           cone->age < hearing->age)
        light_cone_advance(cone);
}

int32_t hearing_reached(const struct hearing *hearing,
                        const double at[GRID_AXES])
{
    hearing_catch_up(hearing);
    return hearing->cone
        .reached[grid_nearest(&hearing->rules->terrain->grid, at)];
}

/* A closed cell's time is no candidate for a heading any more. */
static void forget_walls(struct arrival_field *field,
                         const struct terrain *terrain, const struct box *box)
{
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                size_t cell = grid_index(&terrain->grid, x, y, z);
                if (!terrain->wall[cell])
                    continue;
                field->step[cell] = -1;
                field->time[cell] = INFINITY;
            }
}

void hearing_update(struct hearing *hearing, const struct box *box)
{
    const struct hearing_rules *rules = hearing->rules;
    if (rules->has_laplace)
        laplace_pair_update(&hearing->laplace, box);
    if (rules->has_front)
        laplace_front_update(&hearing->front, box);
    if (wave_emitted(hearing->wave) < 0)
        return;
    if (rules->has_cone)
        light_cone_update(&hearing->cone, box);
    if (rules->has_field)
        forget_walls(&hearing->field, rules->terrain, box);
}

/* The flux goes on summing after its arrival, whatever the amplitude. */
static bool sums_flux(const struct arrival_watch *watch)
{
    return watch->flux_from > 0;
}

/* After k generations an amplitude is 0 farther than k steps along the axes
 * from the cell that it started from (the 9-point stencil: k on each axis);
 * the nodes of an interpolation are less than a cell away on each axis. */
double hearing_begins(const struct hearing *hearing, const double at[GRID_AXES],
                      double speed)
{
    const struct hearing_rules *rules = hearing->rules;
    const struct wave_settings *wave = rules->wave;
    bool straight = wave->stencil != stencil_find("9-point");
    double distance = 0, dims = rules->terrain->grid.dims;
    if (wave->source == SOURCE_GAUSSIAN)
        return 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double along = fabs(at[axis] - hearing->source[axis]);
        distance = straight ? distance + along : fmax(distance, along);
    }
    double age = (double)hearing->age, nearer = speed * sqrt(dims);
    return floor((distance - dims - 1 + nearer * age) / (1 + nearer));
}

/* Where a watch listens. */
static void place_ear(const struct hearing_rules *rules,
                      const double from[GRID_AXES], double at[GRID_AXES])
{
    const struct grid *grid = &rules->terrain->grid;
    int cell[GRID_AXES];
    if (rules->wave->restart == RESTART_ON_ARRIVAL)
        grid_cell(grid, grid_nearest(grid, from), cell);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = rules->wave->restart == RESTART_ON_ARRIVAL ? cell[axis]
                                                              : from[axis];
}

void hearing_look(const struct hearing *hearing, const double from[GRID_AXES],
                  const struct arrival_watch *watch, struct arrival_look *look)
{
    const struct hearing_rules *rules = hearing->rules;
    const struct grid *grid = &rules->terrain->grid;
    double at[GRID_AXES];
    place_ear(rules, from, at);
    *look = (struct arrival_look){ .age = hearing->age, .reached = -1 };
    if (rules->has_laplace) {
        laplace_pair_look(&hearing->laplace, &hearing->newest, at, look);
        return;
    }
    if (rules->has_front) {
        laplace_front_look(&hearing->front, at, look);
        return;
    }
    wave_sample_amplitude(hearing->wave, at, &look->now, &look->before);
    if (rules->has_cone && hearing->level <= rules->arrival.smallest)
        look->reached = hearing_reached(hearing, at);
    if (fabs(look->now) < hearing->level && !sums_flux(watch))
        return;
    wave_sample_gradient(hearing->wave, at, look->gradient);
    if (rules->has_field)
        arrival_descent(grid, hearing->field.time, at, (double)hearing->age,
                        look->descent);
}

void hearing_state(struct hearing *hearing, struct state *state)
{
    const int *low = hearing->rules->share.held.low;
    const struct grid *world = &hearing->rules->share.world;
    const int extent[GRID_AXES] = { world->nx, world->ny, world->nz };
    double source[GRID_AXES]; /* in the world */
    for (int axis = 0; axis < GRID_AXES; axis++)
        source[axis] = hearing->source[axis] + low[axis];
    hearing_catch_up(hearing);
    state_cover(state, &hearing->rules->share.held);
    for (int axis = 0; axis < GRID_AXES; axis++)
        state_visit_place(state, &source[axis], 1, extent[axis]);
    state_visit_steps(state, &hearing->age, 1);
    for (int axis = 0; axis < GRID_AXES; axis++)
        hearing->source[axis] = source[axis] - low[axis];
    if (hearing->rules->has_cone)
        cone_state(&hearing->cone, state);
    /* It was saved caught up: a younger one would be followed for long. */
    if (hearing->rules->has_cone &&
        !state_holds(state, hearing->cone.age < 0 ||
                                hearing->cone.age == hearing->age))
        hearing->cone.age = hearing->age;
    if (hearing->rules->has_field)
        arrival_field_state(&hearing->field, state);
    if (hearing->rules->has_laplace)
        laplace_pair_state(&hearing->laplace, state);
    if (hearing->rules->has_front)
        laplace_front_state(&hearing->front, state);
}
