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
        .has_laplace = arrival->detector == &detector_laplace,
    };
    rules.has_field =
        arrival->heading == HEADING_ARRIVAL_TIME && !rules.has_laplace;
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
        status =
            laplace_init(&hearing->laplace, rules->terrain, &options, error);
    if (!status && rules->has_field)
        status = field_init(hearing, error);
    return status;
}

void hearing_release(struct hearing *hearing)
{
    light_cone_release(&hearing->cone);
    arrival_field_release(&hearing->field);
    laplace_release(&hearing->laplace);
    memory_release(hearing->generation);
    *hearing = (struct hearing){ 0 };
}

/* The newest generation goes into what is kept beside the wave. */
static void take_generation(struct hearing *hearing, int64_t age)
{
    const struct hearing_rules *rules = hearing->rules;
    hearing->age = age;
    hearing->newest = wave_newest(hearing->wave);
    if (rules->has_laplace)
        laplace_take(&hearing->laplace, &hearing->newest, age, rules->team);
    if (rules->has_field) {
        wave_copy(hearing->wave, hearing->generation, rules->team);
        arrival_field_take(&hearing->field, hearing->generation, age,
                           rules->team);
    }
}

void hearing_begin(struct hearing *hearing, size_t cell)
{
    const struct hearing_rules *rules = hearing->rules;
    if (rules->has_cone)
        light_cone_begin(&hearing->cone, cell);
    if (rules->has_field)
        arrival_field_begin(&hearing->field, cell);
    if (rules->has_laplace)
        laplace_begin(&hearing->laplace, cell);
    take_generation(hearing, 0);
}

/* The flux goes on summing after its arrival, whatever the amplitude. */
static double level_at(const struct hearing_rules *rules, int64_t age)
{
    const struct arrival_settings *settings = rules->arrival.settings;
    if (!settings->detector->level || settings->heading == HEADING_FLUX)
        return 0;
    return settings->detector->level(settings, rules->arrival.amplitude, age);
}

void hearing_advance(struct hearing *hearing, int64_t step)
{
    int64_t age = step - wave_emitted(hearing->wave);
    if (hearing->rules->has_cone)
        light_cone_advance(&hearing->cone);
    take_generation(hearing, age);
    hearing->level = level_at(hearing->rules, age);
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
    if (wave_emitted(hearing->wave) < 0)
        return;
    if (rules->has_cone)
        light_cone_update(&hearing->cone, box);
    if (rules->has_field)
        forget_walls(&hearing->field, rules->terrain, box);
    if (rules->has_laplace)
        laplace_update(&hearing->laplace, box);
}

/* An interpolated amplitude is a mean of nodes, so it is below what all of
 * them are below; walls hold 0. A hair lower, for rounding. */
#define NODES_BELOW(real, magnitude)                                           \
    do {                                                                       \
        const real *node = (const real *)newest->values + base;                \
        for (int i = 0; i < 1 << grid->dims; i++)                              \
            if (magnitude(node[offset[i]]) >= (real)bound)                     \
                return false;                                                  \
    } while (0)

static bool nodes_are_below(const struct hearing *hearing,
                            const double at[GRID_AXES], double level)
{
    const struct grid *grid = &hearing->rules->terrain->grid;
    const struct amplitudes *newest = &hearing->newest;
    int x = (int)at[0], y = (int)at[1], z = (int)at[2];
    ptrdiff_t base = z * newest->layer + y * newest->row + x;
    ptrdiff_t east = x < grid->nx - 1, south = y < grid->ny - 1,
              down = z < grid->nz - 1;
    south *= newest->row;
    down *= newest->layer;
    const ptrdiff_t offset[8] = {
        0,    east,        south,        east + south,
        down, east + down, south + down, east + south + down,
    };
    double bound = level * (1 - 1e-6);
    if (hearing->rules->wave->precision == PRECISION_SINGLE)
        NODES_BELOW(float, fabsf);
    else
        NODES_BELOW(double, fabs);
    return true;
}

bool hearing_is_quiet(const struct hearing *hearing, const double at[GRID_AXES],
                      bool told)
{
    if (hearing->level <= 0 || !nodes_are_below(hearing, at, hearing->level))
        return false;
    if (!hearing->rules->has_cone || told)
        return true;
    size_t cell = grid_nearest(&hearing->rules->terrain->grid, at);
    int32_t reached = hearing->cone.reached[cell];
    return reached < 0 || reached >= hearing->age;
}

void hearing_look(const struct hearing *hearing, const double at[GRID_AXES],
                  struct arrival_look *look)
{
    const struct hearing_rules *rules = hearing->rules;
    const struct grid *grid = &rules->terrain->grid;
    *look = (struct arrival_look){ .age = hearing->age, .reached = -1 };
    if (rules->has_laplace) {
        laplace_look(&hearing->laplace, &hearing->newest, at, look);
        return;
    }
    wave_sample_amplitude(hearing->wave, at, &look->now, &look->before);
    if (rules->has_cone)
        look->reached = hearing->cone.reached[grid_nearest(grid, at)];
    if (fabs(look->now) < hearing->level)
        return;
    wave_sample_gradient(hearing->wave, at, look->gradient);
    if (rules->has_field)
        arrival_descent(grid, hearing->field.time, at, (double)hearing->age,
                        look->descent);
}

void hearing_state(struct hearing *hearing, struct state *state)
{
    if (hearing->rules->has_cone)
        cone_state(&hearing->cone, state);
    if (hearing->rules->has_field)
        arrival_field_state(&hearing->field, state);
    if (hearing->rules->has_laplace)
        laplace_state(&hearing->laplace, state);
}
