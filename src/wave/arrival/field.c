/* SPDX-License-Identifier: MIT */
#include "wave/arrival/field.h"

#include "base/memory.h"
#include "wave/arrival/detector.h"

#include <math.h>
#include <string.h>

static bool looks_back(const struct arrival_field *field)
{
    return !field->options.settings->detector->level;
}

enum status arrival_field_init(struct arrival_field *field,
                               const struct grid *grid,
                               const struct arrival_field_options *options,
                               struct error *error)
{
    const struct detector *detector = options->settings->detector;
    if (detector->own_wave)
        return error_set(
            error, STATUS_INPUT,
            "the detector %s cannot be computed from amplitudes alone",
            detector->name);
    size_t cells = grid_cells(grid);
    *field =
        (struct arrival_field){ .grid = *grid, .options = *options, .age = -1 };
    field->mark = kernel_find_mark(kernel_best(), options->width);
    bool back = looks_back(field);
    field->step = memory_new(cells, sizeof *field->step);
    if (options->times)
        field->time = memory_new(cells, sizeof *field->time);
    if (options->times || back)
        field->before = memory_new(cells, options->width);
    if (back)
        field->earlier = memory_new(cells, options->width);
    if (!field->step || (options->times && !field->time) ||
        ((options->times || back) && !field->before) ||
        (back && !field->earlier)) {
        arrival_field_release(field);
        return error_memory(error);
    }
    if (!memory_is_promised()) /* else the memory would be touched */
        memset(field->step, 0xff, cells * sizeof *field->step);
    return STATUS_OK;
}

void arrival_field_release(struct arrival_field *field)
{
    memory_release(field->step);
    memory_release(field->time);
    memory_release(field->before);
    memory_release(field->earlier);
    *field = (struct arrival_field){ .age = -1 };
}

void arrival_field_begin(struct arrival_field *field, size_t source)
{
    size_t cells = grid_cells(&field->grid);
    memset(field->step, 0xff, cells * sizeof *field->step);
    bool here = source != GRID_NOWHERE;
    if (here)
        field->step[source] = 0;
    if (field->time) {
        for (size_t i = 0; i < cells; i++)
            field->time[i] = INFINITY;
        if (here)
            field->time[source] = 0;
    }
    if (field->earlier) /* becomes `earlier` at generation 0 */
        memset(field->before, 0, cells * field->options.width);
    field->age = -1;
}

/* The largest number of the precision below `level`: then the one comparison
 * |z| > bound means z ≠ 0 and |z| ≥ level. */
static double bound_of(const struct arrival_field *field, double level)
{
    if (level <= 0)
        return 0;
    if (field->options.width != sizeof(float))
        return nextafter(level, 0);
    float bound = (float)level;
    return (double)(bound >= level ? nextafterf(bound, 0) : bound);
}

static double value(const struct arrival_field *field, const void *generation,
                    size_t cell)
{
    if (field->options.width == sizeof(float))
        return (double)((const float *)generation)[cell];
    return ((const double *)generation)[cell];
}

static void mark_by_test(struct arrival_field *field, const void *generation,
                         size_t first, size_t last, int32_t age)
{
    const struct arrival_settings *settings = field->options.settings;
    struct detector_sample sample = { .amplitude = field->options.amplitude,
                                      .age = age };
    for (size_t i = first; i < last; i++) {
        if (field->step[i] >= 0)
            continue;
        sample.now = value(field, generation, i);
        sample.before = value(field, field->before, i);
        sample.earlier = value(field, field->earlier, i);
        if (settings->detector->holds(settings, &sample))
            field->step[i] = age;
    }
}

/* The fraction of the step at which |z| crossed the level: ln|z| − ln level
 * goes linearly from `below` < 0 to `above` ≥ 0. */
static double crossing(double below, double above)
{
    double share = below / (below - above);
    return share >= 0 && share <= 1 ? share : 1;
}

static void time_arrivals(struct arrival_field *field, const void *generation,
                          size_t first, size_t last, int32_t age,
                          const double level[2])
{
    for (size_t i = first; i < last; i++) {
        if (field->step[i] != age)
            continue;
        double before = fabs(value(field, field->before, i));
        double now = fabs(value(field, generation, i));
        /* if |z| was 0 before, or without a level: the end of the step */
        double share = 1;
        if (level[0] > 0 && level[1] > 0 && before > 0)
            share =
                crossing(log(before) - log(level[0]), log(now) - log(level[1]));
        field->time[i] = age - 1 + share;
    }
}

struct take {
    struct arrival_field *field;
    const void *generation;
    int32_t age;
    double level[2]; /* of the previous age and of this one */
};

static void take_share(void *context, int thread, int threads)
{
    const struct take *take = context;
    struct arrival_field *field = take->field;
    size_t first, last;
    team_share(grid_cells(&field->grid), thread, threads, &first, &last);
    if (looks_back(field))
        mark_by_test(field, take->generation, first, last, take->age);
    else
        field->mark(field->step, take->generation, first, last,
                    bound_of(field, take->level[1]), take->age);
    if (field->time)
        time_arrivals(field, take->generation, first, last, take->age,
                      take->level);
}

static double level_at(const struct arrival_field *field, int64_t age)
{
    const struct arrival_settings *settings = field->options.settings;
    if (!settings->detector->level)
        return 0;
    return settings->detector->level(settings, field->options.amplitude, age);
}

static void remember(struct arrival_field *field, const void *generation)
{
    if (field->earlier) {
        void *oldest = field->earlier;
        field->earlier = field->before;
        field->before = oldest;
    }
    if (field->before)
        memcpy(field->before, generation,
               grid_cells(&field->grid) * field->options.width);
}

void arrival_field_take(struct arrival_field *field, const void *generation,
                        int64_t age, struct team *team)
{
    int64_t lifetime = field->options.lifetime;
    if (age != field->age + 1 || age > INT32_MAX ||
        (lifetime > 0 && age > lifetime))
        return;
    field->age = age;
    if (age > 0) {
        struct take take = { .field = field,
                             .generation = generation,
                             .age = (int32_t)age,
                             .level = { level_at(field, age - 1),
                                        level_at(field, age) } };
        team_step(team, grid_cells(&field->grid), take_share, &take);
    }
    remember(field, generation);
}

/* The component of −∇T towards the earlier of two neighbours: by how much it is
 * earlier. */
static double upwind(double here, double low, double high)
{
    double earliest = fmin(low, high);
    if (!(earliest < here))
        return 0;
    return high < low ? here - earliest : earliest - here;
}

static double time_at(const struct grid *grid, const double *time,
                      const int cell[GRID_AXES], int axis, int by)
{
    int at[GRID_AXES] = { cell[0], cell[1], cell[2] };
    at[axis] += by;
    if (!grid_holds(grid, at[0], at[1], at[2]))
        return INFINITY;
    return time[grid_index(grid, at[0], at[1], at[2])];
}

bool arrival_descent(const struct grid *grid, const double *time,
                     const double at[GRID_AXES], double now,
                     double descent[GRID_AXES])
{
    size_t nearest = grid_nearest(grid, at);
    int cell[GRID_AXES];
    grid_cell(grid, nearest, cell);
    double here = fmin(time[nearest], now);
    double slope[GRID_AXES] = { 0 };
    for (int axis = 0; axis < grid_axes(grid); axis++)
        slope[axis] = upwind(here, time_at(grid, time, cell, axis, -1),
                             time_at(grid, time, cell, axis, 1));
    return heading_unit(slope, descent);
}

void arrival_field_state(struct arrival_field *field, struct state *state)
{
    const struct grid *grid = &field->grid;
    size_t width = field->options.width;
    state_visit_steps(state, &field->age, 1);
    state_visit_cells(state, field->step, sizeof *field->step, grid);
    state_hold_cells(state, field->step, grid_cells(grid), -1,
                     field->age > 0 ? field->age : 0);
    if (field->time)
        state_visit_cells(state, field->time, sizeof *field->time, grid);
    if (field->before)
        state_visit_cells(state, field->before, width, grid);
    if (field->earlier)
        state_visit_cells(state, field->earlier, width, grid);
}
