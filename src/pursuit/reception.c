/* SPDX-License-Identifier: MIT */
#include "pursuit/reception.h"

#include <float.h>
#include <math.h>

struct reception_rules
reception_rules_of(const struct terrain *terrain,
                   const struct wave_settings *wave,
                   const struct arrival_settings *arrival, struct team *team)
{
    const bool single = wave->precision == PRECISION_SINGLE;
    return (struct reception_rules){
        .terrain = terrain,
        .wave = wave,
        .arrival = { .settings = arrival,
                     .amplitude = wave->amplitude,
                     .smallest = single ? FLT_MIN : DBL_MIN,
                     .lifetime = detector_lifetime(arrival->detector, wave) },
        .team = team,
        .share = share_whole(&terrain->grid),
    };
}

enum status reception_init(struct reception *reception,
                           const struct reception_rules *rules,
                           struct wave *wave, struct error *error)
{
    const struct detection_options options = {
        .settings = rules->arrival.settings,
        .terrain = rules->terrain,
        .world = &rules->share.world,
        .low = rules->share.held.low,
        .halo = rules->halo,
        .amplitude = rules->arrival.amplitude,
        .lifetime = rules->arrival.lifetime,
        .width = rules->wave->precision == PRECISION_SINGLE ? sizeof(float)
                                                            : sizeof(double),
        .wave = wave,
        .medium = wave_medium(wave),
        .potential = rules->potential,
    };
    *reception = (struct reception){ .rules = rules, .wave = wave };
    return detection_new(&options, &reception->detection, error);
}

void reception_release(struct reception *reception)
{
    detection_release(reception->detection);
    *reception = (struct reception){ 0 };
}

void reception_open(struct reception *reception)
{
    reception->newest = wave_newest(reception->wave);
}

void reception_begin(struct reception *reception, size_t cell)
{
    const struct reception_rules *rules = reception->rules;
    int source[GRID_AXES];
    grid_cell(&rules->share.world, cell, source);
    for (int axis = 0; axis < GRID_AXES; axis++)
        reception->source[axis] = source[axis] - rules->share.held.low[axis];
    reception->age = 0;
    detection_begin(reception->detection, cell, rules->team);
    detection_take(reception->detection, NULL, 0, rules->team);
}

void reception_advance(struct reception *reception, int64_t step)
{
    reception->age = step - wave_emitted(reception->wave);
    detection_take(reception->detection, NULL, reception->age,
                   reception->rules->team);
    reception->node_level = reception->detection->level * (1 - 1e-6);
}

void reception_catch_up(struct reception *reception)
{
    detection_catch_up(reception->detection);
}

void reception_update(struct reception *reception, const struct box *box)
{
    detection_update(reception->detection, box);
}

/* The flux is still summed after its arrival, at any amplitude. */
static bool sums_flux(const struct arrival_watch *watch)
{
    return watch->flux_from > 0;
}

/* After k generations the amplitude is 0 at every cell more than k steps along
 * the axes from the source cell (with the 9- and the 27-point stencil: more
 * than k on an axis). The nodes of an interpolation are less than a cell away
 * on each axis. */
double reception_begins(const struct reception *reception,
                        const double at[GRID_AXES], double speed)
{
    const struct reception_rules *rules = reception->rules;
    const struct wave_settings *wave = rules->wave;
    bool straight = !detector_has_diagonals(rules->arrival.settings, wave);
    double distance = 0, dims = rules->terrain->grid.dims;
    if (wave->source == SOURCE_GAUSSIAN || wave->source == SOURCE_MODE)
        return 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double along = fabs(at[axis] - reception->source[axis]);
        distance = straight ? distance + along : fmax(distance, along);
    }
    double age = (double)reception->age, nearer = speed * sqrt(dims);
    return floor((distance - dims - 1 + nearer * age) / (1 + nearer));
}

void reception_position(const struct reception *reception,
                        const double from[GRID_AXES], double at[GRID_AXES])
{
    const struct reception_rules *rules = reception->rules;
    const struct grid *grid = &rules->terrain->grid;
    int cell[GRID_AXES];
    if (rules->wave->restart == RESTART_ON_ARRIVAL)
        grid_cell(grid, grid_nearest(grid, from), cell);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = rules->wave->restart == RESTART_ON_ARRIVAL ? cell[axis]
                                                              : from[axis];
}

void reception_look(const struct reception *reception,
                    const double from[GRID_AXES],
                    const struct arrival_watch *watch,
                    struct arrival_look *look)
{
    double at[GRID_AXES];
    reception_position(reception, from, at);
    detection_look(reception->detection, at, sums_flux(watch), look);
}

void reception_state(struct reception *reception, struct state *state)
{
    const int *low = reception->rules->share.held.low;
    const struct grid *world = &reception->rules->share.world;
    const int extent[GRID_AXES] = { world->nx, world->ny, world->nz };
    double source[GRID_AXES]; /* in the world */
    for (int axis = 0; axis < GRID_AXES; axis++)
        source[axis] = reception->source[axis] + low[axis];
    reception_catch_up(reception);
    state_cover(state, &reception->rules->share.held);
    for (int axis = 0; axis < GRID_AXES; axis++)
        state_visit_place(state, &source[axis], 1, extent[axis]);
    state_visit_steps(state, &reception->age, 1);
    for (int axis = 0; axis < GRID_AXES; axis++)
        reception->source[axis] = source[axis] - low[axis];
    reception->detection->age = reception->age;
    detection_state(reception->detection, state);
}
