/* SPDX-License-Identifier: MIT */
#include "metrics_reach.h"

#include "base/memory.h"
#include "draw/arrival_run.h"
#include "draw/view.h"

#include <math.h>

/* Does the recording hold the first arrivals, or rows to find them in: those
 * of the whole map at every step? */
static bool has_arrivals(const struct recording *recording)
{
    if (recording_find(recording, "wave0_arrival"))
        return true;
    struct arrival_settings settings;
    struct box region = recording_region(recording);
    struct box whole = grid_box(recording_grid(recording));
    bool all = recording_setting_real(recording, "record.every", 0) == 1;
    for (int axis = 0; axis < GRID_AXES; axis++)
        all = all && region.low[axis] == whole.low[axis] &&
              region.high[axis] == whole.high[axis];
    return all && recording_find(recording, "wave0") &&
           !arrival_settings_of(recording, &settings, NULL);
}

/* The first arrivals of wave 0 over the recorded region, −1 never. */
static enum status read_field(const struct recording *recording, double *field,
                              struct error *error)
{
    const struct variable *variable =
        recording_find(recording, "wave0_arrival");
    if (variable)
        return recording_read_real(recording, variable, 0, field, error);
    struct view_place place = { .axis = -1 };
    struct view *view;
    enum status status =
        view_open(recording, "arrival", 0, &place, &view, error);
    if (status)
        return status;
    status = view_derive_arrival(view, field, error);
    view_release(view);
    return status;
}

enum status measure_reach(const struct recording *recording,
                          struct geodesic *geodesic,
                          const struct emission_row *emissions, size_t count,
                          struct measured *measured, struct error *error)
{
    measured->far_cells = measured->far_reached = -1;
    const struct emission_row *first = NULL;
    for (size_t i = count; i-- > 0;)
        if (emissions[i].wave == 0)
            first = &emissions[i];
    if (!first || !has_arrivals(recording))
        return STATUS_OK;
    struct box region = recording_region(recording);
    struct grid part = { .dims = geodesic->grid.dims,
                         .nx = region.high[0] - region.low[0] + 1,
                         .ny = region.high[1] - region.low[1] + 1,
                         .nz = region.high[2] - region.low[2] + 1 };
    size_t cells = grid_cells(&part);
    double *field = memory_new(cells, sizeof *field);
    if (!field)
        return error_memory(error);
    enum status status = read_field(recording, field, error);
    geodesic_solve(geodesic, first->cell);
    measured->far_cells = measured->far_reached = 0;
    for (size_t i = 0; i < cells && !status; i++) {
        int at[GRID_AXES];
        grid_cell(&part, i, at);
        double distance = geodesic_distance(
            geodesic, grid_index(&geodesic->grid, at[0] + region.low[0],
                                 at[1] + region.low[1], at[2] + region.low[2]));
        if (!(distance > 3) || isinf(distance))
            continue;
        measured->far_cells++;
        measured->far_reached += field[i] >= 0;
    }
    memory_release(field);
    return status;
}
