/* SPDX-License-Identifier: MIT */
#include "pursuit/hearing.h"

#include <float.h>
#include <math.h>

struct hearing_rules hearing_rules_of(const struct terrain *terrain,
                                      const struct wave_settings *wave,
                                      const struct arrival_settings *arrival,
                                      struct team *team)
{
    const bool single = wave->precision == PRECISION_SINGLE;
    return (struct hearing_rules){
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

enum status hearing_init(struct hearing *hearing,
                         const struct hearing_rules *rules,
                         const struct wave *wave, struct error *error)
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
    *hearing = (struct hearing){ .rules = rules, .wave = wave };
    return detection_new(&options, &hearing->detection, error);
}

void hearing_release(struct hearing *hearing)
{
    detection_release(hearing->detection);
    *hearing = (struct hearing){ 0 };
}

void hearing_open(struct hearing *hearing)
{
    hearing->newest = wave_newest(hearing->wave);
}

void hearing_begin(struct hearing *hearing, size_t cell)
{
    const struct hearing_rules *rules = hearing->rules;
    int source[GRID_AXES];
    grid_cell(&rules->share.world, cell, source);
    for (int axis = 0; axis < GRID_AXES; axis++)
        hearing->source[axis] = source[axis] - rules->share.held.low[axis];
    hearing->age = 0;
    detection_begin(hearing->detection, cell, rules->team);
    detection_take(hearing->detection, NULL, 0, rules->team);
}

void hearing_advance(struct hearing *hearing, int64_t step)
{
    hearing->age = step - wave_emitted(hearing->wave);
    detection_take(hearing->detection, NULL, hearing->age,
                   hearing->rules->team);
    hearing->hush = hearing->detection->level * (1 - 1e-6);
}

void hearing_catch_up(struct hearing *hearing)
{
    detection_catch_up(hearing->detection);
}

void hearing_update(struct hearing *hearing, const struct box *box)
{
    detection_update(hearing->detection, box);
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
double hearing_begins(const struct hearing *hearing, const double at[GRID_AXES],
                      double speed)
{
    const struct hearing_rules *rules = hearing->rules;
    const struct wave_settings *wave = rules->wave;
    bool straight = !stencil_has_diagonals(wave->stencil);
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

/* The position at which an agent samples the wave. */
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
    double at[GRID_AXES];
    place_ear(hearing->rules, from, at);
    detection_look(hearing->detection, at, sums_flux(watch), look);
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
    hearing->detection->age = hearing->age;
    detection_state(hearing->detection, state);
}
