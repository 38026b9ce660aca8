/* SPDX-License-Identifier: MIT */
#include "interface.h"

#include "base/memory.h"
#include "draw/arrival_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Beyond this many sigma a pulse is nothing: e^(−12.5) = 4e-6. */
static const double clear = 5;

/* The strip as seen along the pulse's way: s = 0 at the source, growing
 * towards the interface. */
struct strip {
    int source, way;  /* column; +1 east, −1 west */
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

static enum status read_walls(const struct recording *recording, uint8_t **wall,
                              struct error *error)
{
    *wall = memory_new(grid_cells(recording_grid(recording)), 1);
    if (!*wall)
        return error_memory(error);
    return recording_read_terrain(recording, "wall", 0, *wall, error);
}

enum status interface_is_strip(const struct recording *recording, bool *strip,
                               struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    uint8_t *wall = NULL;
    enum status status = read_walls(recording, &wall, error);
    int rows = 0, last = -1;
    for (int y = 0; !status && grid->dims == 2 && y < grid->ny; y++)
        for (int x = 0; x < grid->nx; x++)
            if (!wall[grid_index(grid, x, y, 0)] && last != y) {
                last = y;
                rows++;
            }
    *strip = rows == 1;
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

/* Equal speeds from `from` on, at most to `end`, in steps of `way`. */
static int run_of(const double *speed, const uint8_t *wall, int from, int end,
                  int way)
{
    int count = 0;
    for (int x = from; x != end && !wall[x] && speed[x] == speed[from];
         x += way)
        count++;
    return count;
}

/* Free cells from `from` on. */
static int free_run(const uint8_t *wall, int from, int end, int way)
{
    int count = 0;
    for (int x = from; x != end && !wall[x]; x += way)
        count++;
    return count;
}

/* Chooses the nearer change of speed; false where there is none. */
static bool strip_find(const double *speed, const uint8_t *wall, int nx,
                       int source, struct strip *strip)
{
    strip->near = 0;
    for (int way = -1; way <= 1; way += 2) {
        int end = way < 0 ? -1 : nx;
        int near = run_of(speed, wall, source, end, way);
        int other = source + way * near;
        if (other == end || wall[other] || (strip->near && strip->near < near))
            continue;
        *strip = (struct strip){
            .source = source,
            .way = way,
            .near = near,
            .beyond = run_of(speed, wall, other, end, way),
            .behind = free_run(wall, source, way < 0 ? nx : -1, -way) - 1,
            .near_speed = speed[source],
            .beyond_speed = speed[other],
        };
    }
    return strip->near > 0;
}

/* Speeds and walls of the strip's row. */
static enum status read_strip(const struct recording *recording,
                              const struct emission *emission,
                              struct strip *strip, struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    size_t cells = grid_cells(grid);
    size_t row = grid_index(grid, 0, emission->cell[1], 0);
    size_t version = recording_version_at(recording, emission->step);
    double *speed = memory_new(cells, sizeof *speed);
    uint8_t *wall = memory_new(cells, 1);
    enum status status = speed && wall ? STATUS_OK : error_memory(error);
    if (!status)
        status =
            recording_read_terrain(recording, "wall", version, wall, error);
    for (size_t i = 0; !status && i < cells; i++)
        speed[i] = 1;
    if (!status && recording_find(recording, "speed"))
        status =
            recording_read_terrain(recording, "speed", version, speed, error);
    if (!status && !strip_find(speed + row, wall + row, grid->nx,
                               emission->cell[0], strip))
        status = error_set(error, STATUS_INPUT,
                           "%s: the strip has no change of speed; a region "
                           "with speed makes one",
                           recording_path(recording));
    memory_release(speed);
    memory_release(wall);
    return status;
}

/* Which recordings the law is told of. */
static enum status check_settings(const struct recording *recording,
                                  struct error *error)
{
    const char *source = recording_setting(recording, "wave.source");
    const char *walls = recording_setting(recording, "wave.walls");
    const char *wrong = NULL;
    struct box region = recording_region(recording);
    const struct grid *grid = recording_grid(recording);
    if (!source || strcmp(source, "gaussian") != 0)
        wrong = "wave.source = gaussian";
    else if (recording_setting_real(recording, "wave.damping", 0) > 0)
        wrong = "wave.damping = 0";
    else if (grid->ny > 1 && (!walls || strcmp(walls, "free") != 0))
        wrong = "wave.walls = free, or a map of one row";
    else if (region.low[0] > 0 || region.high[0] < grid->nx - 1)
        wrong = "the whole strip in record.region";
    if (!wrong)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "%s: what a strip reflects is measured with %s",
                     recording_path(recording), wrong);
}

/* The row of a generation along the pulse's way: out[s − (−behind)]. */
static enum status read_row(const struct recording *recording, int wave,
                            const struct emission *emission, int64_t age,
                            const struct strip *strip, double *out,
                            struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", wave);
    const struct variable *variable = recording_find(recording, name);
    if (!variable)
        return error_set(error, STATUS_INPUT,
                         "%s: %s is not recorded; record.fields with "
                         "\"amplitude\"",
                         recording_path(recording), name);
    struct box region = recording_region(recording);
    size_t width = (size_t)(region.high[0] - region.low[0] + 1);
    double *values = memory_new(variable_elements(variable), sizeof *values);
    if (!values)
        return error_memory(error);
    int64_t row;
    enum status status =
        recording_row_of(recording, emission->step + age, &row, error);
    if (!status)
        status = recording_read_real(recording, variable, row, values, error);
    int y = emission->cell[1] - region.low[1];
    for (int s = -strip->behind; !status && s < strip->near + strip->beyond;
         s++)
        out[s + strip->behind] =
            values[(size_t)y * width +
                   (size_t)(strip->source + strip->way * s)];
    memory_release(values);
    return status;
}

/* The steps at which the incident pulse is halfway to the interface, and the
 * reflected one is as far behind it again. */
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
    /* Room for each pulse, the twin that runs the other way included: its
     * echo from the end behind must be behind the reflected one. */
    double wants_near = 4 * clear * sigma;
    double wants_behind = half + clear * sigma;
    double wants_beyond = (half + clear * sigma) * slower;
    if (strip->near < wants_near || strip->behind < wants_behind ||
        strip->beyond < wants_beyond)
        return error_set(
            error, STATUS_INPUT,
            "%s: too short a strip for a pulse of sigma %g: %d cells from the "
            "source to the change of speed, %d behind the source and %d beyond "
            "the change; at least %.0f, %.0f and %.0f are wanted",
            recording_path(recording), sigma, strip->near, strip->behind,
            strip->beyond, ceil(wants_near), ceil(wants_behind),
            ceil(wants_beyond));
    if (emission->next >= 0 &&
        emission->step + interface->after >= emission->next)
        return error_set(error, STATUS_INPUT,
                         "%s: the wave goes out again at step %lld, before the "
                         "pulse is through; a wave.lifetime over %lld",
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
    double *row = memory_new((size_t)count, sizeof *row);
    enum status status = row ? STATUS_OK : error_memory(error);
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
    enum status status = check_settings(recording, error);
    if (!status)
        status = emission_first(recording, wave, &emission, error);
    if (!status)
        status = read_strip(recording, &emission, &strip, error);
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
