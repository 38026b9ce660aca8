/* SPDX-License-Identifier: MIT */
/* Reads the rows of each wave in order and passes them to every oracle. */
#include "analysis/check/judge.h"

#include "base/memory.h"
#include "base/team.h"
#include "view/arrival_run.h"
#include "wave/arrival/detector.h"

#include <stdio.h>
#include <string.h>

/* ---- the memory of the checks, and the rows ---- */

static bool wants_fronts(const struct judge *judge)
{
    return (judge->law.source == LAW_IMPULSE ||
            judge->law.source == LAW_REST) &&
           !stencil_has_diagonals(judge->law.stencil);
}

/* If any wave has an arrival field, "wave0_arrival" exists. */
static bool has_arrivals(const struct judge *judge)
{
    return judge->arrival.detector &&
           recording_find(judge->recording, "wave0_arrival");
}

static enum status judge_memory(struct judge *judge, struct error *error)
{
    const size_t cells = grid_cells(&judge->law.grid);
    const bool own = has_arrivals(judge) && judge->arrival.detector->own_wave;
    enum status status = STATUS_OK;
    bool good = true;
    for (int i = 0; i < 3 && judge->shown; i++) {
        judge->field[i] = memory_new(cells, sizeof(double));
        good = good && judge->field[i];
    }
    if (judge->shown || own) {
        judge->packed = memory_new(judge->region_cells, sizeof(double));
        judge->wall = memory_new(cells, 1);
        good = good && judge->packed && judge->wall;
    }
    if (has_arrivals(judge) && (judge->shown || own)) {
        judge->arrivals.step = memory_new(cells, sizeof *judge->arrivals.step);
        good = good && judge->arrivals.step;
    }
    if (!good)
        return error_memory(error);
    if (judge->shown || own)
        status = ground_init(&judge->law, &judge->ground, error);
    if (!status && own)
        status =
            banded_init(&judge->law, &judge->arrival, &judge->banded, error);
    if (!status && judge->shown && wants_fronts(judge))
        status = check_front_init(&judge->law, &judge->front, error);
    return status;
}

/* Restricts the law to the region and the cells adjacent to it, which the rows
 * show. A detector's own wave needs the whole map. */
static void judge_narrow(struct judge *judge, struct box region)
{
    struct grid *grid = &judge->law.grid;
    int *extent[GRID_AXES] = { &grid->nx, &grid->ny, &grid->nz };
    const struct box all = grid_box(grid);
    judge->whole = memcmp(&all, &region, sizeof all) == 0;
    judge->region_cells = box_cells(&region);
    judge->region = region;
    if (has_arrivals(judge) && judge->arrival.detector->own_wave)
        return;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int low = region.low[axis] - (region.low[axis] > 0);
        int high = region.high[axis] + (region.high[axis] < all.high[axis]);
        judge->law.origin[axis] = low;
        *extent[axis] = high - low + 1;
        judge->region.low[axis] -= low;
        judge->region.high[axis] -= low;
    }
}

/* Is the law's grid the map's? */
static bool is_of_map(const struct judge *judge)
{
    return grid_cells(&judge->law.grid) ==
           grid_cells(recording_grid(judge->recording));
}

/* The cell of the law's grid, GRID_NOWHERE if it is outside. */
static size_t local_cell(const struct judge *judge, size_t cell)
{
    int at[GRID_AXES];
    grid_cell(recording_grid(judge->recording), cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] -= judge->law.origin[axis];
    return grid_holds(&judge->law.grid, at[0], at[1], at[2])
               ? grid_index(&judge->law.grid, at[0], at[1], at[2])
               : GRID_NOWHERE;
}

/* The reverse. */
static size_t map_cell(const struct judge *judge, size_t cell)
{
    const int *origin = judge->law.origin;
    int at[GRID_AXES];
    grid_cell(&judge->law.grid, cell, at);
    return grid_index(recording_grid(judge->recording), origin[0] + at[0],
                      origin[1] + at[1], origin[2] + at[2]);
}

/* Reads the settings and allocates the memory. Release with judge_release,
 * after failures too. */
static enum status judge_init(struct judge *judge,
                              const struct recording *recording,
                              const struct scenario *scenario,
                              struct check_report *report, struct error *error)
{
    *judge = (struct judge){ .recording = recording,
                             .scenario = scenario,
                             .finding = report->finding };
    enum status status = law_read(recording, &judge->law, error);
    if (!status)
        status = emissions_read(recording, &judge->emissions,
                                &judge->emission_count, error);
    if (!status)
        status = version_steps_read(recording, &judge->version_steps, error);
    if (status)
        return status;
    if (arrival_settings_of(recording, &judge->arrival, NULL))
        judge->arrival.detector = NULL;
    judge->shown =
        recording_find(recording, "wave0") && !recording_keep_bits(recording);
    judge_narrow(judge, recording_region(recording));
    return judge_memory(judge, error);
}

static void judge_release(struct judge *judge)
{
    ground_release(&judge->ground);
    check_front_release(&judge->front);
    for (int i = 0; i < 3; i++)
        memory_release(judge->field[i]);
    memory_release(judge->packed);
    memory_release(judge->wall);
    memory_release(judge->arrivals.step);
    banded_release(&judge->banded);
    memory_release(judge->emissions);
    memory_release(judge->version_steps);
}

/* "wave0" followed by `tail`: "", "_arrival", "_grad_x". */
static const struct variable *find(const struct judge *judge, const char *tail)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d%s", judge->wave, tail);
    return recording_find(judge->recording, name);
}

/* Begins a wave: none of its rows is known yet. */
static enum status judge_begin(struct judge *judge, int wave,
                               struct error *error)
{
    judge->wave = wave;
    judge->amplitude = find(judge, "");
    judge->arrival_field = find(judge, "_arrival");
    static const char *const tails[] = { "_grad_x", "_grad_y", "_grad_z" };
    for (int axis = 0; axis < grid_axes(&judge->law.grid); axis++)
        judge->gradient[axis] = find(judge, tails[axis]);
    judge->front.emitted = -1;
    if (judge->arrivals.step)
        check_arrivals_begin(&judge->law, &judge->arrivals);
    judge->energy = (struct energy){ .since = -1 };
    judge->symmetry = (struct symmetry){ .emitted = -1 };
    judge->version = 0;
    for (int i = 0; i < 3; i++)
        judge->known_steps[i] = -1;
    return judge->ground.wall ? ground_read(judge->recording, &judge->law, 0,
                                            &judge->ground, error)
                              : STATUS_OK;
}

/* A packed region into a field over the law's grid. */
static void unpack(const struct judge *judge, const double *packed,
                   double *field)
{
    const struct box *box = &judge->region;
    size_t width = (size_t)(box->high[0] - box->low[0] + 1);
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++) {
            memcpy(field + grid_index(&judge->law.grid, box->low[0], y, z),
                   packed, width * sizeof *packed);
            packed += width;
        }
}

/* Reads the next row into field[0]; the older rows become field[1] and
 * field[2]. False if it cannot be read, which the check of the checksums
 * reports; field[0] is then undefined. */
static bool judge_next(struct judge *judge, int64_t row, int64_t step)
{
    double *oldest = judge->field[2];
    for (int i = 2; i > 0; i--) {
        judge->field[i] = judge->field[i - 1];
        judge->known_steps[i] = judge->known_steps[i - 1];
    }
    judge->field[0] = oldest;
    judge->known_steps[0] = -1;
    if (recording_read_real(judge->recording, judge->amplitude, row,
                            judge->whole ? judge->field[0] : judge->packed,
                            NULL))
        return false;
    if (!judge->whole)
        unpack(judge, judge->packed, judge->field[0]);
    judge->known_steps[0] = step;
    return true;
}

static const double *field_of_step(const struct judge *judge, int64_t step)
{
    for (int i = 0; i < 3 && step >= 0; i++)
        if (judge->known_steps[i] == step)
            return judge->field[i];
    return NULL;
}

/* The row that judge_next read, in the form for the oracles. */
static struct wave_row judge_row(struct judge *judge, int64_t step)
{
    struct wave_row row = {
        .wave = judge->wave,
        .step = step,
        .now = judge->field[0],
        .before = field_of_step(judge, step - 1),
        .older = field_of_step(judge, step - 2),
        .known = judge->region,
        .emitted = -1,
        .mapped =
            judge->version_steps[recording_version_at(judge->recording, step)],
    };
    for (size_t i = 0; i < judge->emission_count; i++) {
        const struct emission_row *emission = &judge->emissions[i];
        if (emission->wave != judge->wave || emission->step > step)
            continue;
        row.emitted = emission->step;
        row.source = local_cell(judge, emission->cell);
        judge->source = emission->cell;
    }
    return row;
}

/* ---- checks that do not apply, and why ---- */

static void skip(struct judge *judge, enum check check, const char *why)
{
    finding_skip(&judge->finding[check], 0, "%s", why);
}

static bool wants_energy(const struct judge *judge)
{
    return judge->law.loss == 0 && judge->law.source != LAW_RICKER &&
           judge->whole &&
           judge->ground.fastest <= judge->law.stencil->safe_delta;
}

static bool wants_radial(const struct judge *judge)
{
    return judge->law.source != LAW_GAUSSIAN && judge->whole;
}

static bool wants_arrivals(const struct judge *judge)
{
    return judge->arrival_field && judge->arrival.detector;
}

/* Of a detector's own wave, which is in no row. */
static bool has_own_arrivals(const struct judge *judge)
{
    return wants_arrivals(judge) && judge->arrival.detector->own_wave;
}

static void tell_skips(struct judge *judge)
{
    const char *part = "only a region is recorded";
    if (!wants_fronts(judge)) {
        char why[64] = "the source is no impulse";
        if (stencil_has_diagonals(judge->law.stencil))
            snprintf(why, sizeof why, "the %s stencil spreads over diagonals",
                     judge->law.stencil->name);
        skip(judge, CHECK_SUPPORT, why);
        skip(judge, CHECK_PATHS, why);
    }
    if (!wants_energy(judge))
        skip(judge, CHECK_ENERGY,
             !judge->whole                     ? part
             : judge->law.loss > 0             ? "the wave is damped"
             : judge->law.source == LAW_RICKER ? "the source drives the wave"
                                               : "delta is over the limit");
    if (!wants_radial(judge))
        skip(judge, CHECK_RADIAL,
             judge->whole ? "the source is no single cell" : part);
    if (!judge->whole)
        skip(judge, CHECK_MIRRORS, part);
    if (!judge->gradient[0])
        skip(judge, CHECK_GRADIENT, "no gradient is recorded");
    if (!judge->arrival_field)
        skip(judge, CHECK_ARRIVAL, "no arrival field is recorded");
    else if (!wants_arrivals(judge))
        skip(judge, CHECK_ARRIVAL, "its detector is not known");
}

/* ---- rows ---- */

/* Paths to the region may use all of the map: computes the front there, and
 * keeps the part in the law's grid. */
static enum status spread_over_map(struct judge *judge,
                                   const struct wave_row *row,
                                   struct error *error)
{
    struct law law = judge->law;
    struct ground ground = { 0 };
    struct check_front front = { 0 };
    law.grid = *recording_grid(judge->recording);
    memset(law.origin, 0, sizeof law.origin);
    enum status status = ground_init(&law, &ground, error);
    if (!status)
        status =
            ground_read(judge->recording, &law, judge->version, &ground, error);
    if (!status)
        status = check_front_init(&law, &front, error);
    if (!status)
        check_front_spread(&front, &law, &ground, judge->source, row->emitted);
    for (size_t i = 0; i < grid_cells(&judge->law.grid) && !status; i++)
        judge->front.cell[i] = front.cell[map_cell(judge, i)];
    check_front_release(&front);
    ground_release(&ground);
    return status;
}

/* A new emission, on a map that has not changed since: its expected front, and
 * the time for which it runs in free space. */
static enum status take_up_emission(struct judge *judge,
                                    const struct wave_row *row,
                                    struct error *error)
{
    enum status status = STATUS_OK;
    if (row->emitted < 0 || judge->front.emitted == row->emitted ||
        row->mapped > row->emitted)
        return STATUS_OK;
    if (wants_fronts(judge) && is_of_map(judge))
        check_front_spread(&judge->front, &judge->law, &judge->ground,
                           row->source, row->emitted);
    else if (wants_fronts(judge))
        status = spread_over_map(judge, row, error);
    if (wants_radial(judge))
        judge->free_ages =
            check_free_ages(&judge->law, &judge->ground, row->source);
    judge->front.emitted = row->emitted;
    return status;
}

static void show_fronts(struct judge *judge, const struct wave_row *row)
{
    if (row->emitted < 0)
        return;
    bool still =
        judge->front.emitted == row->emitted && row->mapped <= row->emitted;
    if (!still) {
        const char *why = "the map changed while the wave ran";
        if (wants_fronts(judge)) {
            skip(judge, CHECK_SUPPORT, why);
            skip(judge, CHECK_PATHS, why);
        }
        return;
    }
    if (wants_fronts(judge))
        check_front(&judge->law, &judge->front, row,
                    &judge->finding[CHECK_SUPPORT],
                    &judge->finding[CHECK_PATHS]);
    if (wants_radial(judge))
        check_radial(&judge->law, &judge->ground, row, judge->free_ages,
                     &judge->finding[CHECK_RADIAL]);
}

static void show_gradient(struct judge *judge, const struct wave_row *row,
                          int64_t index)
{
    for (int axis = 0; axis < grid_axes(&judge->law.grid); axis++) {
        if (!judge->gradient[axis] ||
            recording_read_real(judge->recording, judge->gradient[axis], index,
                                judge->packed, NULL))
            return;
        bool was = denormals_flush(judge->law.flush);
        check_gradient(&judge->law, &judge->ground, row, axis, judge->packed,
                       &judge->finding[CHECK_GRADIENT]);
        denormals_flush(was);
    }
}

enum { WALLED_AND_FREED = 2 };

/* A cell that is walled and freed by events of one step is 0 too: no version of
 * the map has it as a wall. */
static void add_walled(const struct judge *judge, int64_t step)
{
    for (size_t i = 0; judge->scenario && i < judge->scenario->event_count;
         i++) {
        const struct map_event *event = &judge->scenario->events[i];
        struct box box = grid_box(&judge->law.grid);
        if (event->step != step || event->change.kind != CHANGE_WALL)
            continue;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            int low = event->change.box.low[axis] - judge->law.origin[axis];
            int high = event->change.box.high[axis] - judge->law.origin[axis];
            box.low[axis] = low > box.low[axis] ? low : box.low[axis];
            box.high[axis] = high < box.high[axis] ? high : box.high[axis];
        }
        for (int z = box.low[2]; z <= box.high[2]; z++)
            for (int y = box.low[1]; y <= box.high[1]; y++)
                for (int x = box.low[0]; x <= box.high[0]; x++) {
                    uint8_t *wall =
                        &judge->wall[grid_index(&judge->law.grid, x, y, z)];
                    *wall = *wall ? *wall : WALLED_AND_FREED;
                }
    }
}

static enum status show_stencil(struct judge *judge, const struct wave_row *row,
                                struct error *error)
{
    size_t version = recording_version_at(judge->recording, row->step);
    bool changed = version != judge->version;
    if (changed) {
        enum status status =
            law_terrain_read(judge->recording, &judge->law, "wall", version, 1,
                             judge->wall, error);
        if (status)
            return status;
        add_walled(judge, row->step);
    }
    bool was = denormals_flush(judge->law.flush);
    check_stencil(&judge->law, &judge->ground,
                  changed ? judge->wall : judge->ground.wall, row,
                  &judge->finding[CHECK_STENCIL]);
    denormals_flush(was);
    if (!changed)
        return STATUS_OK;
    for (size_t i = 0; i < grid_cells(&judge->law.grid); i++)
        if (judge->wall[i] == WALLED_AND_FREED)
            judge->field[1][i] = 0; /* a wall clears both generations */
    judge->version = version;
    return ground_read(judge->recording, &judge->law, version, &judge->ground,
                       error);
}

static enum status show_row(struct judge *judge, int64_t index,
                            struct error *error)
{
    int64_t step = recording_steps(judge->recording)[index];
    if (!judge_next(judge, index, step))
        return STATUS_OK;
    struct wave_row row = judge_row(judge, step);
    enum status status = show_stencil(judge, &row, error);
    if (status)
        return status;
    status = take_up_emission(judge, &row, error);
    if (status)
        return status;
    show_fronts(judge, &row);
    if (wants_energy(judge))
        check_energy(&judge->law, &judge->ground, &row, &judge->energy,
                     &judge->finding[CHECK_ENERGY]);
    if (judge->whole)
        check_symmetry(&judge->law, &judge->ground, &row, &judge->symmetry,
                       &judge->finding[CHECK_MIRRORS]);
    show_gradient(judge, &row, index);
    if (wants_arrivals(judge) && !has_own_arrivals(judge)) {
        bool was = denormals_flush(judge->law.flush);
        check_arrivals_take(&judge->law, &judge->arrival, &row,
                            &judge->arrivals);
        denormals_flush(was);
    }
    return STATUS_OK;
}

/* After the last row: compares the recorded arrival field with that of the
 * rows. */
static enum status show_arrivals(struct judge *judge, struct error *error)
{
    int64_t rows = recording_rows(judge->recording);
    if (!wants_arrivals(judge) || rows == 0)
        return STATUS_OK;
    if (variable_elements(judge->arrival_field) != judge->region_cells)
        return error_set(
            error, STATUS_INPUT, "%s: %s: does not cover the recorded region",
            recording_path(judge->recording), judge->arrival_field->name);
    enum status status = recording_read_real(
        judge->recording, judge->arrival_field, 0, judge->packed, error);
    if (!status)
        check_arrivals(&judge->law, &judge->arrivals, &judge->region,
                       judge->wave, recording_steps(judge->recording)[rows - 1],
                       judge->packed, &judge->finding[CHECK_ARRIVAL]);
    return status;
}

static enum status show_wave(struct judge *judge, int wave, struct error *error)
{
    enum status status = judge_begin(judge, wave, error);
    if (status)
        return status;
    const int kept = recording_keep_bits(judge->recording);
    const bool shown = judge->shown && judge->amplitude;
    char why[64] = "no amplitude is recorded";
    if (judge->amplitude && kept)
        snprintf(why, sizeof why, "waves were rounded to %d bits when packed",
                 kept);
    if (shown)
        tell_skips(judge);
    for (int64_t i = 0;
         shown && i < recording_rows(judge->recording) && !status; i++)
        status = show_row(judge, i, error);
    for (int c = CHECK_STENCIL; c <= CHECK_ARRIVAL && !shown; c++)
        if (c != CHECK_ARRIVAL || !has_own_arrivals(judge))
            skip(judge, (enum check)c, why);
    if (!status && has_own_arrivals(judge))
        status = judge_own_arrivals(judge, error);
    if (!status && (shown || has_own_arrivals(judge)))
        status = show_arrivals(judge, error);
    return status;
}

enum status check_waves(const struct recording *recording,
                        const struct scenario *scenario,
                        struct check_report *report, struct error *error)
{
    if (recording_waves(recording) == 0) {
        for (int c = CHECK_STENCIL; c <= CHECK_ARRIVAL; c++)
            finding_skip(&report->finding[c], 0,
                         recording_ran_waves(recording) ? "waves not recorded"
                                                        : "no wave runs");
        return STATUS_OK;
    }
    struct judge judge;
    enum status status = judge_init(&judge, recording, scenario, report, error);
    for (int i = 0; i < recording_waves(recording) && !status; i++)
        status = show_wave(&judge, i, error);
    for (int c = CHECK_STENCIL; c <= CHECK_ARRIVAL && !status; c++) {
        struct spot *spot = &report->finding[c].spot;
        if (report->finding[c].has_spot && spot->cell >= 0)
            spot->cell = (int64_t)map_cell(&judge, (size_t)spot->cell);
    }
    judge_release(&judge);
    return status;
}
