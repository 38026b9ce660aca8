/* SPDX-License-Identifier: MIT */
#include "wave/arrival/plain.h"

#include "base/memory.h"
#include "wave/arrival/field.h"
#include "wave/arrival/light_cone.h"
#include "wave/medium.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct plain {
    struct detection detection; /* the first member */
    struct arrival_field field; /* of ages, or for the heading arrival-time */
    void *generation;           /* of options.wave, packed, for the field */
    /* the cells that the wave must have reached; may be behind */
    struct light_cone cone;
    /* Of options.wave, for a detector that uses earlier generations: z[k−2] and
     * z[k−1], packed; 0 before the emission. */
    void *past[2];
    bool has_field, has_cone, looks_back;
};

static struct plain *plain_of(struct detection *detection)
{
    return (struct plain *)detection;
}

static const struct arrival_field *field_of(const struct detection *detection)
{
    return &((const struct plain *)detection)->field;
}

/* ---- the rule ---- */

/* If the level underflows to 0, an arrival still requires |z| > 0; and a NaN
 * fails the comparison. */
bool plain_holds(const struct arrival_settings *settings,
                 const struct detector_sample *sample)
{
    double size = fabs(sample->now);
    return size > 0 && size >= settings->detector->level(
                                   settings, sample->amplitude, sample->age);
}

bool plain_report(const struct arrival_settings *settings,
                  const struct arrival_look *look, struct arrival *arrival)
{
    *arrival = (struct arrival){ .age = look->age, .amplitude = look->now };
    memcpy(arrival->gradient, look->gradient, sizeof arrival->gradient);
    if (!heading_unit(look->gradient, arrival->heading))
        return false;
    switch (settings->heading) {
    case HEADING_ARRIVAL_TIME:
        memcpy(arrival->heading, look->descent, sizeof arrival->heading);
        return true;
    case HEADING_SIGNED:
        for (int axis = 0; axis < GRID_AXES; axis++)
            arrival->heading[axis] *= (look->now > 0) - (look->now < 0);
        return look->now != 0;
    case HEADING_PAPER:
    case HEADING_FLUX:
        return true;
    }
    return false;
}

static double smallest(const struct detection_options *options)
{
    return options->width == sizeof(float) ? (double)FLT_MIN : DBL_MIN;
}

static double level_at(const struct detection_options *options, int64_t age)
{
    const struct arrival_settings *settings = options->settings;
    if (!settings->detector->level)
        return 0;
    return settings->detector->level(settings, options->amplitude, age);
}

/* Only a detector whose level may be below the smallest number of the precision
 * can lose an arrival; the others need no light cone. */
static bool may_lose(const struct detection_options *options)
{
    return options->settings->detector->level &&
           level_at(options, options->lifetime) <= smallest(options);
}

/* ---- from emission to emission ---- */

enum status plain_new(const struct detection_options *options,
                      struct detection **detection, struct error *error)
{
    const struct grid *grid = &options->terrain->grid;
    const bool descends =
        options->wave && options->settings->heading == HEADING_ARRIVAL_TIME;
    const struct arrival_field_options field = {
        .settings = options->settings,
        .amplitude = options->amplitude,
        .lifetime = options->lifetime,
        .width = options->width,
        .times = options->times || options->potential || descends,
    };
    struct plain *plain = memory_new(1, sizeof *plain);
    if (!plain)
        return error_memory(error);
    enum status status = STATUS_OK;
    plain->has_field = options->ages || options->potential || descends;
    plain->has_cone = options->wave && may_lose(options);
    plain->looks_back = options->wave && !options->settings->detector->level;
    if (plain->has_cone)
        status = light_cone_init(&plain->cone, options->terrain, error);
    if (!status && plain->has_field)
        status = arrival_field_init(&plain->field, grid, &field, error);
    if (!status && options->wave && plain->has_field) {
        plain->generation = memory_new(grid_cells(grid), options->width);
        status = plain->generation ? STATUS_OK : error_memory(error);
    }
    for (int i = 0; i < 2 && plain->looks_back && !status; i++) {
        plain->past[i] = memory_new(grid_cells(grid), options->width);
        status = plain->past[i] ? STATUS_OK : error_memory(error);
    }
    if (status)
        plain_release(&plain->detection);
    else
        *detection = &plain->detection;
    return status;
}

void plain_release(struct detection *detection)
{
    struct plain *plain = plain_of(detection);
    light_cone_release(&plain->cone);
    arrival_field_release(&plain->field);
    memory_release(plain->generation);
    memory_release(plain->past[0]);
    memory_release(plain->past[1]);
    memory_release(plain);
}

/* The index in the terrain of a cell of the whole grid, or GRID_NOWHERE. */
static size_t local_cell(const struct detection_options *options, size_t cell)
{
    const struct grid *grid = &options->terrain->grid;
    int at[GRID_AXES];
    if (!options->world)
        return cell;
    grid_cell(options->world, cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] -= options->low[axis];
    return grid_holds(grid, at[0], at[1], at[2])
               ? grid_index(grid, at[0], at[1], at[2])
               : GRID_NOWHERE;
}

void plain_begin(struct detection *detection, size_t cell, struct team *team)
{
    struct plain *plain = plain_of(detection);
    const size_t source = local_cell(&detection->options, cell);
    (void)team;
    if (plain->has_cone)
        light_cone_begin(&plain->cone, source);
    if (plain->has_field)
        arrival_field_begin(&plain->field, source);
    for (int i = 0; i < 2 && plain->looks_back; i++)
        memset(plain->past[i], 0,
               grid_cells(&detection->options.terrain->grid) *
                   detection->options.width);
}

/* Continues the cone in the cells that it reached from a neighbour's block. */
static void join_cone(struct plain *plain)
{
    struct halo *halo = plain->detection.options.halo;
    const struct grid *grid = &plain->detection.options.terrain->grid;
    struct box everything = grid_box(grid), box;
    struct held_field field = { .cells = plain->cone.reached,
                                .item = sizeof *plain->cone.reached,
                                .row = grid->nx,
                                .layer = (ptrdiff_t)grid->nx * grid->ny };
    halo_start(halo, &field, &everything);
    halo_finish(halo, &field);
    for (int i = 0; halo_filled(halo, i, &box); i++)
        light_cone_join(&plain->cone, &box);
}

/* One generation later z[k−1] has become z[k−2]. */
static void look_back(struct plain *plain, struct team *team)
{
    void *oldest = plain->past[0];
    plain->past[0] = plain->past[1];
    plain->past[1] = oldest;
    wave_copy_older_held(plain->detection.options.wave, oldest, team);
}

void plain_take(struct detection *detection, const void *generation,
                int64_t age, struct team *team)
{
    struct plain *plain = plain_of(detection);
    const struct detection_options *options = &detection->options;
    detection->level = level_at(options, age);
    detection->may_lose =
        plain->has_cone && detection->level <= smallest(options);
    if (plain->has_field) {
        if (options->wave)
            wave_copy_held(options->wave, plain->generation, team);
        arrival_field_take(&plain->field,
                           options->wave ? plain->generation : generation, age,
                           team);
    }
    if (plain->looks_back && age > 0)
        look_back(plain, team);
    if (plain->has_cone && options->halo && age > 0) {
        /* exchanges with the neighbours at each step */
        plain_catch_up(detection);
        join_cone(plain);
    }
}

void plain_catch_up(struct detection *detection)
{
    struct plain *plain = plain_of(detection);
    struct light_cone *cone = &plain->cone;
    while (plain->has_cone && cone->age >= 0 && cone->age < detection->age)
        light_cone_advance(cone);
}

/* The time of a closed cell must not be used for a heading any more. */
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
                if (field->time)
                    field->time[cell] = INFINITY;
            }
}

/* First arrivals are kept, also if the cell becomes a wall. */
void plain_update(struct detection *detection, const struct box *box)
{
    struct plain *plain = plain_of(detection);
    const struct detection_options *options = &detection->options;
    if (!options->wave || wave_emitted(options->wave) < 0)
        return;
    if (plain->has_cone)
        light_cone_update(&plain->cone, box);
    if (plain->has_field)
        forget_walls(&plain->field, options->terrain, box);
}

/* ---- reading it ---- */

void plain_look(struct detection *detection, const double at[GRID_AXES],
                bool whole, struct arrival_look *look)
{
    const struct plain *plain = plain_of(detection);
    const struct detection_options *options = &detection->options;
    wave_sample_amplitude(options->wave, at, &look->now, &look->before);
    if (plain->looks_back)
        look->earlier = wave_sample_copy(options->wave, plain->past[0], at);
    look->reached = detection_reached(detection, at);
    if (fabs(look->now) < detection->level && !whole)
        return;
    wave_sample_gradient(options->wave, at, look->gradient);
    if (options->settings->heading == HEADING_ARRIVAL_TIME)
        arrival_descent(&options->terrain->grid, plain->field.time, at,
                        (double)detection->age, look->descent);
}

/* Called seldom: only if an arrival may be lost. */
int64_t plain_reached(struct detection *detection, const double at[GRID_AXES])
{
    struct plain *plain = plain_of(detection);
    plain_catch_up(detection);
    return plain->cone
        .reached[grid_nearest(&detection->options.terrain->grid, at)];
}

void plain_state(struct detection *detection, struct state *state)
{
    struct plain *plain = plain_of(detection);
    struct light_cone *cone = &plain->cone;
    plain_catch_up(detection);
    if (plain->has_cone)
        light_cone_state(cone, state);
    /* It was saved up to date: an older one would take long to advance. */
    if (plain->has_cone &&
        !state_holds(state, cone->age < 0 || cone->age == detection->age))
        cone->age = detection->age;
    if (plain->has_field)
        arrival_field_state(&plain->field, state);
    for (int i = 0; i < 2 && plain->looks_back; i++)
        state_visit_cells(state, plain->past[i], detection->options.width,
                          &detection->options.terrain->grid);
}

const int32_t *plain_ages(const struct detection *detection)
{
    return field_of(detection)->step;
}

const double *plain_times(const struct detection *detection)
{
    return field_of(detection)->time;
}

double plain_potential(const struct detection *detection, size_t cell,
                       bool *settled)
{
    const double time = field_of(detection)->time[cell];
    *settled = time < INFINITY;
    return -time;
}

void plain_fall(const struct detection *detection, struct fall *fall)
{
    const struct detection_options *options = &detection->options;
    fall_of_time(sqrt(wave_medium(options->wave)->settings.delta), fall);
}
