/* SPDX-License-Identifier: MIT */
#include "analysis/study/interface.h"

#include "base/memory.h"
#include "base/need.h"
#include "view/arrival_run.h"
#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Beyond this many sigma a pulse is taken as 0: e^(−12.5) = 4e-6. */
static const double clear = 5;

/* The strip along the pulse's direction: s = 0 at the source, increasing
 * towards the interface. */
struct strip {
    int axis;         /* of the strip */
    int source, way;  /* position on the axis; +1 or −1 */
    int behind;       /* cells on the other side of the source */
    int near, beyond; /* cells from the source to the interface, and after it */
    double near_speed, beyond_speed;
};

void interface_law(double c1, double c2, bool conservative, double *reflected,
                   double *transmitted)
{
    *reflected = (conservative ? c1 - c2 : c2 - c1) / (c1 + c2);
    *transmitted = 2 * (conservative ? c1 : c2) / (c1 + c2);
}

/* The smallest box that contains all free cells; false if there are none. */
static bool find_free_box(const struct grid *grid, const uint8_t *wall,
                          struct box *box)
{
    bool any = false;
    for (size_t i = 0; i < grid_cells(grid); i++) {
        int cell[GRID_AXES];
        if (wall[i])
            continue;
        grid_cell(grid, i, cell);
        for (int axis = 0; axis < GRID_AXES; axis++) {
            if (!any || cell[axis] < box->low[axis])
                box->low[axis] = cell[axis];
            if (!any || cell[axis] > box->high[axis])
                box->high[axis] = cell[axis];
        }
        any = true;
    }
    return any;
}

/* The axis of the row that contains all free cells (x for a single cell); −1:
 * there is none. */
static int axis_of(const struct grid *grid, const uint8_t *wall)
{
    struct box box;
    int along = 0, wide = 0;
    if (!find_free_box(grid, wall, &box))
        return -1;
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (box_width(&box, axis) > 1) {
            along = axis;
            wide++;
        }
    return wide > 1 ? -1 : along;
}

enum status interface_is_strip(const struct recording *recording, bool *strip,
                               struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    uint8_t *wall = need_memory(grid_cells(grid), 1);
    enum status status =
        recording_read_terrain(recording, "wall", 0, wall, error);
    *strip = !status && axis_of(grid, wall) >= 0;
    memory_release(wall);
    return status;
}

double interface_peak(const double *values, int count, double first,
                      double last)
{
    int low = (int)fmax(ceil(first), 0);
    int high = (int)fmin(floor(last), count - 1);
    int at = low;
    for (int i = low; i <= high; i++)
        if (fabs(values[i]) > fabs(values[at]))
            at = i;
    if (low > high)
        return 0;
    if (at == low || at == high)
        return values[at];
    double left = values[at - 1], right = values[at + 1];
    double slope = (right - left) / 2, bend = left - 2 * values[at] + right;
    return bend == 0 ? values[at] : values[at] - slope * slope / (2 * bend);
}

/* Number of free cells from `from` on, at most to `end`, in steps of `step`,
 * with the speed at `from`, unless `speed` is NULL. */
static int run_of(const double *speed, const uint8_t *wall, int from, int end,
                  int step)
{
    int count = 0;
    for (int x = from;
         x != end && !wall[x] && (!speed || speed[x] == speed[from]); x += step)
        count++;
    return count;
}

/* Chooses the nearer change of speed of a row of `count` cells; false if there
 * is none. */
static bool strip_find(const double *speed, const uint8_t *wall, int count,
                       int source, struct strip *strip)
{
    int axis = strip->axis;
    strip->near = 0;
    for (int way = -1; way <= 1; way += 2) {
        int end = way < 0 ? -1 : count;
        int near = run_of(speed, wall, source, end, way);
        int other = source + way * near;
        if (other == end || wall[other] || (strip->near && strip->near < near))
            continue;
        *strip = (struct strip){
            .axis = axis,
            .source = source,
            .way = way,
            .near = near,
            .beyond = run_of(speed, wall, other, end, way),
            .behind =
                run_of(NULL, wall, source, way < 0 ? count : -1, -way) - 1,
            .near_speed = speed[source],
            .beyond_speed = speed[other],
        };
    }
    return strip->near > 0;
}

static int extent_of(const struct grid *grid, int axis)
{
    return axis == 0 ? grid->nx : axis == 1 ? grid->ny : grid->nz;
}

/* Finds the change of speed in the row of cells through the source. */
static enum status find_strip(const struct recording *recording,
                              const struct emission *emission,
                              const double *speed, const uint8_t *wall,
                              struct strip *strip, struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    int axis = strip->axis, count = extent_of(grid, axis);
    double *row_speed = need_memory((size_t)count, sizeof *row_speed);
    uint8_t *row_wall = need_memory((size_t)count, 1);
    enum status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        int at[GRID_AXES];
        memcpy(at, emission->cell, sizeof at);
        at[axis] = i;
        size_t cell = grid_index(grid, at[0], at[1], at[2]);
        row_speed[i] = speed[cell];
        row_wall[i] = wall[cell];
    }
    if (!status &&
        !strip_find(row_speed, row_wall, count, emission->cell[axis], strip))
        status = error_set(
            error, STATUS_INPUT,
            "%s: the strip has no change of speed; add a region with speed",
            recording_path(recording));
    memory_release(row_speed);
    memory_release(row_wall);
    return status;
}

/* Speeds and walls as at the emission. */
static enum status read_strip(const struct recording *recording,
                              const struct emission *emission,
                              struct strip *strip, struct error *error)
{
    size_t cells = grid_cells(recording_grid(recording));
    size_t version = recording_version_at(recording, emission->step);
    double *speed = need_memory(cells, sizeof *speed);
    uint8_t *wall = need_memory(cells, 1);
    enum status status =
        recording_read_terrain(recording, "wall", version, wall, error);
    for (size_t i = 0; !status && i < cells; i++)
        speed[i] = 1;
    if (!status && recording_find(recording, "speed"))
        status =
            recording_read_terrain(recording, "speed", version, speed, error);
    if (!status) {
        strip->axis = axis_of(recording_grid(recording), wall);
        status =
            strip->axis < 0
                ? error_set(error, STATUS_INPUT,
                            "%s: the map is a strip at step 0 and none "
                            "when the wave is sent; measure a map that "
                            "does not change",
                            recording_path(recording))
                : find_strip(recording, emission, speed, wall, strip, error);
    }
    memory_release(speed);
    memory_release(wall);
    return status;
}

/* Rejects recordings to which the law does not apply. */
static enum status check_settings(const struct recording *recording,
                                  const struct strip *strip,
                                  struct error *error)
{
    const char *source = recording_setting(recording, "wave.source");
    const char *walls = recording_setting(recording, "wave.walls");
    const char *wrong = NULL;
    struct box region = recording_region(recording);
    const struct grid *grid = recording_grid(recording);
    int count = extent_of(grid, strip->axis);
    if (!source || strcmp(source, "gaussian") != 0)
        wrong = "wave.source = gaussian";
    else if (recording_setting_real(recording, "wave.damping", 0) > 0)
        wrong = "wave.damping = 0";
    else if (grid_cells(grid) > (size_t)count &&
             (!walls || strcmp(walls, "free") != 0))
        wrong = "wave.walls = free, or a map of one row";
    else if (region.low[strip->axis] > 0 ||
             region.high[strip->axis] < count - 1)
        wrong = "the whole strip in record.region";
    if (!wrong)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "%s: to measure what a strip reflects, record with %s",
                     recording_path(recording), wrong);
}

/* The row of a generation along the pulse's direction: out[s − (−behind)]. */
static enum status read_row(const struct recording *recording, int wave,
                            const struct emission *emission, int64_t age,
                            const struct strip *strip, double *out,
                            struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", wave);
    const struct variable *variable = recording_find(recording, name);
    struct box region = recording_region(recording);
    struct grid part = box_grid(&region, recording_grid(recording)->dims);
    double *values = need_memory(variable_elements(variable), sizeof *values);
    int64_t row;
    enum status status =
        recording_row_of(recording, emission->step + age, &row, error);
    if (!status)
        status = recording_read_real(recording, variable, row, values, error);
    int at[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = emission->cell[axis] - region.low[axis];
    for (int s = -strip->behind; !status && s < strip->near + strip->beyond;
         s++) {
        at[strip->axis] = strip->source + strip->way * s;
        out[s + strip->behind] = values[grid_index(&part, at[0], at[1], at[2])];
    }
    memory_release(values);
    return status;
}

/* The steps at which the incident pulse is halfway to the interface, and the
 * reflected one is back at the same distance. */
static enum status choose_steps(const struct recording *recording,
                                const struct strip *strip, double cells_a_step,
                                const struct emission *emission,
                                struct interface *interface,
                                struct error *error)
{
    double half = (strip->near - 0.5) / 2, sigma = interface->sigma;
    double slower = strip->beyond_speed / strip->near_speed;
    interface->before = (int64_t)round(half / cells_a_step);
    interface->after = (int64_t)round(3 * half / cells_a_step);
    /* Room for each pulse, including its twin in the other direction: the
     * twin's echo from the end behind the source must be behind the reflected
     * pulse. */
    double wants_near = 4 * clear * sigma;
    double wants_behind = half + clear * sigma;
    double wants_beyond = (half + clear * sigma) * slower;
    if (strip->near < wants_near || strip->behind < wants_behind ||
        strip->beyond < wants_beyond)
        return error_set(
            error, STATUS_INPUT,
            "%s: too short a strip for a pulse of sigma %g: %d cells from the "
            "source to the change of speed, %d behind the source and %d beyond "
            "the change; at least %.0f, %.0f and %.0f are required",
            recording_path(recording), sigma, strip->near, strip->behind,
            strip->beyond, ceil(wants_near), ceil(wants_behind),
            ceil(wants_beyond));
    if (emission->next >= 0 &&
        emission->step + interface->after >= emission->next)
        return error_set(error, STATUS_INPUT,
                         "%s: the wave is sent again at step %lld, before the "
                         "pulse has passed; set wave.lifetime above %lld",
                         recording_path(recording), (long long)emission->next,
                         (long long)interface->after);
    return STATUS_OK;
}

static enum status measure(const struct recording *recording, int wave,
                           const struct emission *emission,
                           const struct strip *strip, double cells_a_step,
                           struct interface *interface, struct error *error)
{
    int count = strip->behind + strip->near + strip->beyond;
    double *row = need_memory((size_t)count, sizeof *row);
    enum status status = STATUS_OK;
    double edge = strip->near - 0.5, reach = 3 * interface->sigma;
    double slower = strip->beyond_speed / strip->near_speed;
    double incident = 0;
    if (!status)
        status = read_row(recording, wave, emission, interface->before, strip,
                          row, error);
    if (!status) {
        double at = strip->behind + cells_a_step * (double)interface->before;
        incident = interface_peak(row, count, at - reach, at + reach);
        status = read_row(recording, wave, emission, interface->after, strip,
                          row, error);
    }
    if (!status) {
        double past = cells_a_step * (double)interface->after - edge;
        double at = strip->behind + edge - past;
        interface->reflected =
            interface_peak(row, count, at - reach, at + reach) / incident;
        at = strip->behind + edge + past * slower;
        interface->transmitted = interface_peak(row, count, at - reach * slower,
                                                at + reach * slower) /
                                 incident;
    }
    memory_release(row);
    return status;
}

enum status interface_measure(const struct recording *recording, int wave,
                              struct interface *interface, struct error *error)
{
    struct emission emission;
    struct strip strip = { 0 };
    *interface = (struct interface){
        .sigma = recording_setting_real(recording, "wave.sigma", NAN),
    };
    const char *form = recording_setting(recording, "wave.speed_form");
    interface->conservative = form && strcmp(form, "conservative") == 0;
    enum status status =
        view_source_of(recording, field_find("flux"), wave, &recording, error);
    if (!status)
        status = emission_first(recording, wave, &emission, error);
    if (!status)
        status = read_strip(recording, &emission, &strip, error);
    if (!status)
        status = check_settings(recording, &strip, error);
    if (status)
        return status;
    double delta = recording_setting_real(recording, "wave.delta", NAN);
    double cells_a_step = sqrt(delta) * strip.near_speed;
    interface->c1 = strip.near_speed;
    interface->c2 = strip.beyond_speed;
    interface_law(interface->c1, interface->c2, interface->conservative,
                  &interface->reflected_law, &interface->transmitted_law);
    status = choose_steps(recording, &strip, cells_a_step, &emission, interface,
                          error);
    if (!status)
        status = measure(recording, wave, &emission, &strip, cells_a_step,
                         interface, error);
    return status;
}
