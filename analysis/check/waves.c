/* SPDX-License-Identifier: MIT */
/* Reads the rows of each wave in order and passes them to every oracle. */
#include "analysis/check/recording.h"
#include "analysis/check/scenario.h"
#include "analysis/check/settings.h"
#include "analysis/check/wave.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/team.h"
#include "recording/read/tables.h"
#include "run/again.h"

#include <stdio.h>
#include <string.h>

/* ---- the memory of the checks, and the rows ---- */

/* The memory for the checks of one recording's waves, one wave after the
 * other. */
struct wave_checks {
    const struct recording *recording;
    const struct scenario *scenario; /* for its events; NULL: not known */
    struct finding *finding;         /* of the report */
    struct law law; /* on its grid: the region and the cells adjacent to it */
    struct emission_row *emissions;
    size_t emission_count;
    int64_t *version_steps;
    struct box region; /* in the law's grid */
    bool whole;        /* the region is the map */
    bool shown;        /* amplitudes are recorded, and to their last bit */
    size_t region_cells;
    /* Memory that the waves use one after the other; cells are those of the
     * law's grid. Only memory that this recording's checks need is
     * allocated. */
    struct ground ground;
    uint8_t *wall;    /* of a new version, before it is copied to ground */
    double *field[3]; /* (cells): rows k, k − 1, k − 2 in turn */
    double *packed;   /* (region): a row as it is recorded */
    struct check_front front;
    /* Of the present wave. */
    int wave;
    const struct variable *amplitude, *gradient[GRID_AXES];
    size_t version;         /* version in ground */
    int64_t known_steps[3]; /* the steps in field; −1: none */
    size_t source;          /* of the last emission, a cell of the map */
    int64_t free_ages;      /* of the emission for which front was computed */
    struct energy energy;
    struct symmetry symmetry;
};

static bool wants_fronts(const struct wave_checks *checks)
{
    return (checks->law.source == LAW_IMPULSE ||
            checks->law.source == LAW_REST) &&
           !stencil_has_diagonals(checks->law.stencil);
}

static void wave_checks_memory(struct wave_checks *checks)
{
    const size_t cells = grid_cells(&checks->law.grid);
    if (!checks->shown)
        return;
    for (int i = 0; i < 3; i++)
        checks->field[i] = need_memory(cells, sizeof(double));
    checks->packed = need_memory(checks->region_cells, sizeof(double));
    checks->wall = need_memory(cells, 1);
    ground_init(&checks->law, &checks->ground);
    if (wants_fronts(checks))
        check_front_init(&checks->law, &checks->front);
}

/* Restricts the law to the region and the cells adjacent to it, which the rows
 * show. */
static void wave_checks_narrow(struct wave_checks *checks, struct box region)
{
    struct grid *grid = &checks->law.grid;
    int *extent[GRID_AXES] = { &grid->nx, &grid->ny, &grid->nz };
    const struct box all = grid_box(grid);
    checks->whole = memcmp(&all, &region, sizeof all) == 0;
    checks->region_cells = box_cells(&region);
    checks->region = region;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int low = region.low[axis] - (region.low[axis] > 0);
        int high = region.high[axis] + (region.high[axis] < all.high[axis]);
        checks->law.origin[axis] = low;
        *extent[axis] = high - low + 1;
        checks->region.low[axis] -= low;
        checks->region.high[axis] -= low;
    }
}

/* Is the law's grid the map's? */
static bool is_of_map(const struct wave_checks *checks)
{
    return grid_cells(&checks->law.grid) ==
           grid_cells(recording_grid(checks->recording));
}

/* The cell of the law's grid, GRID_NOWHERE if it is outside. */
static size_t local_cell(const struct wave_checks *checks, size_t cell)
{
    int at[GRID_AXES];
    grid_cell(recording_grid(checks->recording), cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] -= checks->law.origin[axis];
    return grid_holds(&checks->law.grid, at[0], at[1], at[2])
               ? grid_index(&checks->law.grid, at[0], at[1], at[2])
               : GRID_NOWHERE;
}

/* The reverse. */
static size_t map_cell(const struct wave_checks *checks, size_t cell)
{
    const int *origin = checks->law.origin;
    int at[GRID_AXES];
    grid_cell(&checks->law.grid, cell, at);
    return grid_index(recording_grid(checks->recording), origin[0] + at[0],
                      origin[1] + at[1], origin[2] + at[2]);
}

/* Reads the settings and allocates the memory. Release with
 * wave_checks_release, after failures too. */
static enum status wave_checks_init(struct wave_checks *checks,
                                    const struct recording *recording,
                                    const struct scenario *scenario,
                                    struct check_report *report,
                                    struct error *error)
{
    *checks = (struct wave_checks){ .recording = recording,
                                    .scenario = scenario,
                                    .finding = report->finding };
    enum status status = law_read(recording, &checks->law, error);
    if (!status)
        status = emissions_read(recording, &checks->emissions,
                                &checks->emission_count, error);
    if (!status)
        status = version_steps_read(recording, &checks->version_steps, error);
    if (status)
        return status;
    checks->shown =
        recording_find(recording, "wave0") && !recording_keep_bits(recording);
    wave_checks_narrow(checks, recording_region(recording));
    wave_checks_memory(checks);
    return STATUS_OK;
}

static void wave_checks_release(struct wave_checks *checks)
{
    ground_release(&checks->ground);
    check_front_release(&checks->front);
    for (int i = 0; i < 3; i++)
        memory_release(checks->field[i]);
    memory_release(checks->packed);
    memory_release(checks->wall);
    memory_release(checks->emissions);
    memory_release(checks->version_steps);
}

/* "wave0" followed by `tail`: "" or "_grad_x". */
static const struct variable *find(const struct wave_checks *checks,
                                   const char *tail)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d%s", checks->wave, tail);
    return recording_find(checks->recording, name);
}

/* Begins a wave: none of its rows is known yet. */
static enum status wave_checks_begin(struct wave_checks *checks, int wave,
                                     struct error *error)
{
    checks->wave = wave;
    checks->amplitude = find(checks, "");
    static const char *const tails[] = { "_grad_x", "_grad_y", "_grad_z" };
    for (int axis = 0; axis < grid_axes(&checks->law.grid); axis++)
        checks->gradient[axis] = find(checks, tails[axis]);
    checks->front.emitted = -1;
    checks->energy = (struct energy){ .since = -1 };
    checks->symmetry = (struct symmetry){ .emitted = -1 };
    checks->version = 0;
    for (int i = 0; i < 3; i++)
        checks->known_steps[i] = -1;
    return checks->ground.wall ? ground_read(checks->recording, &checks->law, 0,
                                             &checks->ground, error)
                               : STATUS_OK;
}

/* A packed region into a field over the law's grid. */
static void unpack(const struct wave_checks *checks, const double *packed,
                   double *field)
{
    const struct box *box = &checks->region;
    size_t width = (size_t)(box->high[0] - box->low[0] + 1);
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++) {
            memcpy(field + grid_index(&checks->law.grid, box->low[0], y, z),
                   packed, width * sizeof *packed);
            packed += width;
        }
}

/* Reads the next row into field[0]; the older rows become field[1] and
 * field[2]. False if it cannot be read, which the check of the checksums
 * reports; field[0] is then undefined. */
static bool wave_checks_next(struct wave_checks *checks, int64_t row,
                             int64_t step)
{
    double *oldest = checks->field[2];
    for (int i = 2; i > 0; i--) {
        checks->field[i] = checks->field[i - 1];
        checks->known_steps[i] = checks->known_steps[i - 1];
    }
    checks->field[0] = oldest;
    checks->known_steps[0] = -1;
    if (recording_read_real(checks->recording, checks->amplitude, row,
                            checks->whole ? checks->field[0] : checks->packed,
                            NULL))
        return false;
    if (!checks->whole)
        unpack(checks, checks->packed, checks->field[0]);
    checks->known_steps[0] = step;
    return true;
}

static const double *field_of_step(const struct wave_checks *checks,
                                   int64_t step)
{
    for (int i = 0; i < 3 && step >= 0; i++)
        if (checks->known_steps[i] == step)
            return checks->field[i];
    return NULL;
}

/* The row that wave_checks_next read, in the form for the oracles. */
static struct wave_row wave_checks_row(struct wave_checks *checks, int64_t step)
{
    struct wave_row row = {
        .wave = checks->wave,
        .step = step,
        .now = checks->field[0],
        .before = field_of_step(checks, step - 1),
        .older = field_of_step(checks, step - 2),
        .known = checks->region,
        .emitted = -1,
        .mapped =
            checks
                ->version_steps[recording_version_at(checks->recording, step)],
    };
    for (size_t i = 0; i < checks->emission_count; i++) {
        const struct emission_row *emission = &checks->emissions[i];
        if (emission->wave != checks->wave || emission->step > step)
            continue;
        row.emitted = emission->step;
        row.source = local_cell(checks, emission->cell);
        checks->source = emission->cell;
    }
    return row;
}

/* ---- checks that do not apply, and why ---- */

static void skip(struct wave_checks *checks, enum check check, const char *why)
{
    finding_skip(&checks->finding[check], 0, "%s", why);
}

static bool wants_energy(const struct wave_checks *checks)
{
    return checks->law.loss == 0 && !checks->law.open &&
           checks->law.source < LAW_RICKER && checks->whole &&
           checks->ground.fastest <= checks->law.stencil->safe_delta;
}

static bool wants_radial(const struct wave_checks *checks)
{
    return checks->law.source != LAW_GAUSSIAN &&
           checks->law.source != LAW_MODE && checks->whole;
}

static void note_skips(struct wave_checks *checks)
{
    const char *part = "only a region is recorded";
    if (!wants_fronts(checks)) {
        char why[64] = "the source is not an impulse";
        if (stencil_has_diagonals(checks->law.stencil))
            snprintf(why, sizeof why, "the %s stencil spreads over diagonals",
                     checks->law.stencil->name);
        skip(checks, CHECK_SUPPORT, why);
        skip(checks, CHECK_PATHS, why);
    }
    if (!wants_energy(checks))
        skip(checks, CHECK_ENERGY,
             !checks->whole         ? part
             : checks->law.loss > 0 ? "the wave is damped"
             : checks->law.open     ? "the wave leaves at open edges"
             : checks->law.source >= LAW_RICKER ? "the source drives the wave"
                                                : "delta is above the limit");
    if (!wants_radial(checks))
        skip(checks, CHECK_RADIAL,
             checks->whole ? "the source is not a single cell" : part);
    if (!checks->whole || checks->law.source == LAW_MODE)
        skip(checks, CHECK_MIRRORS,
             checks->whole ? "the source sends its wave one way" : part);
    if (!checks->gradient[0])
        skip(checks, CHECK_GRADIENT, "no gradient is recorded");
}

/* ---- rows ---- */

/* Paths to the region may use all of the map: computes the front there, and
 * keeps the part in the law's grid. */
static enum status spread_over_map(struct wave_checks *checks,
                                   const struct wave_row *row,
                                   struct error *error)
{
    struct law law = checks->law;
    struct ground ground = { 0 };
    struct check_front front = { 0 };
    law.grid = *recording_grid(checks->recording);
    memset(law.origin, 0, sizeof law.origin);
    ground_init(&law, &ground);
    enum status status =
        ground_read(checks->recording, &law, checks->version, &ground, error);
    if (!status)
        check_front_init(&law, &front);
    if (!status)
        check_front_spread(&front, &law, &ground, checks->source, row->emitted);
    for (size_t i = 0; i < grid_cells(&checks->law.grid) && !status; i++)
        checks->front.cell[i] = front.cell[map_cell(checks, i)];
    check_front_release(&front);
    ground_release(&ground);
    return status;
}

/* A new emission, on a map that has not changed since: its expected front, and
 * the time for which it runs in free space. */
static enum status take_up_emission(struct wave_checks *checks,
                                    const struct wave_row *row,
                                    struct error *error)
{
    enum status status = STATUS_OK;
    if (row->emitted < 0 || checks->front.emitted == row->emitted ||
        row->mapped > row->emitted)
        return STATUS_OK;
    if (wants_fronts(checks) && is_of_map(checks))
        check_front_spread(&checks->front, &checks->law, &checks->ground,
                           row->source, row->emitted);
    else if (wants_fronts(checks))
        status = spread_over_map(checks, row, error);
    if (wants_radial(checks))
        checks->free_ages =
            check_free_ages(&checks->law, &checks->ground, row->source);
    checks->front.emitted = row->emitted;
    return status;
}

static void show_fronts(struct wave_checks *checks, const struct wave_row *row)
{
    if (row->emitted < 0)
        return;
    bool still =
        checks->front.emitted == row->emitted && row->mapped <= row->emitted;
    if (!still) {
        const char *why = "the map changed while the wave ran";
        if (wants_fronts(checks)) {
            skip(checks, CHECK_SUPPORT, why);
            skip(checks, CHECK_PATHS, why);
        }
        return;
    }
    if (wants_fronts(checks))
        check_front(&checks->law, &checks->front, row,
                    &checks->finding[CHECK_SUPPORT],
                    &checks->finding[CHECK_PATHS]);
    if (wants_radial(checks))
        check_radial(&checks->law, &checks->ground, row, checks->free_ages,
                     &checks->finding[CHECK_RADIAL]);
}

static void show_gradient(struct wave_checks *checks,
                          const struct wave_row *row, int64_t index)
{
    for (int axis = 0; axis < grid_axes(&checks->law.grid); axis++) {
        if (!checks->gradient[axis] ||
            recording_read_real(checks->recording, checks->gradient[axis],
                                index, checks->packed, NULL))
            return;
        bool was = denormals_flush(checks->law.flush);
        check_gradient(&checks->law, &checks->ground, row, axis, checks->packed,
                       &checks->finding[CHECK_GRADIENT]);
        denormals_flush(was);
    }
}

enum { WALLED_AND_FREED = 2 };

/* A cell that is walled and freed by events of one step is 0 too: no version of
 * the map has it as a wall. */
static void add_walled(const struct wave_checks *checks, int64_t step)
{
    for (size_t i = 0; checks->scenario && i < checks->scenario->event_count;
         i++) {
        const struct map_event *event = &checks->scenario->events[i];
        struct box box = grid_box(&checks->law.grid);
        if (event->step != step || event->change.kind != CHANGE_WALL)
            continue;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            int low = event->change.box.low[axis] - checks->law.origin[axis];
            int high = event->change.box.high[axis] - checks->law.origin[axis];
            box.low[axis] = low > box.low[axis] ? low : box.low[axis];
            box.high[axis] = high < box.high[axis] ? high : box.high[axis];
        }
        for (int z = box.low[2]; z <= box.high[2]; z++)
            for (int y = box.low[1]; y <= box.high[1]; y++)
                for (int x = box.low[0]; x <= box.high[0]; x++) {
                    uint8_t *wall =
                        &checks->wall[grid_index(&checks->law.grid, x, y, z)];
                    *wall = *wall ? *wall : WALLED_AND_FREED;
                }
    }
}

static enum status show_stencil(struct wave_checks *checks,
                                const struct wave_row *row, struct error *error)
{
    size_t version = recording_version_at(checks->recording, row->step);
    bool changed = version != checks->version;
    if (changed) {
        enum status status =
            law_terrain_read(checks->recording, &checks->law, "wall", version,
                             1, checks->wall, error);
        if (status)
            return status;
        add_walled(checks, row->step);
    }
    bool was = denormals_flush(checks->law.flush);
    check_stencil(&checks->law, &checks->ground,
                  changed ? checks->wall : checks->ground.wall, row,
                  &checks->finding[CHECK_STENCIL]);
    denormals_flush(was);
    if (!changed)
        return STATUS_OK;
    for (size_t i = 0; i < grid_cells(&checks->law.grid); i++)
        if (checks->wall[i] == WALLED_AND_FREED)
            checks->field[1][i] = 0; /* a wall clears both generations */
    checks->version = version;
    return ground_read(checks->recording, &checks->law, version,
                       &checks->ground, error);
}

static enum status show_row(struct wave_checks *checks, int64_t index,
                            struct error *error)
{
    int64_t step = recording_steps(checks->recording)[index];
    if (!wave_checks_next(checks, index, step))
        return STATUS_OK;
    struct wave_row row = wave_checks_row(checks, step);
    enum status status = show_stencil(checks, &row, error);
    if (status)
        return status;
    status = take_up_emission(checks, &row, error);
    if (status)
        return status;
    show_fronts(checks, &row);
    if (wants_energy(checks))
        check_energy(&checks->law, &checks->ground, &row, &checks->energy,
                     &checks->finding[CHECK_ENERGY]);
    if (checks->whole && checks->law.source != LAW_MODE)
        check_symmetry(&checks->law, &checks->ground, &row, &checks->symmetry,
                       &checks->finding[CHECK_MIRRORS]);
    show_gradient(checks, &row, index);
    return STATUS_OK;
}

static enum status show_wave(struct wave_checks *checks, int wave,
                             struct error *error)
{
    enum status status = wave_checks_begin(checks, wave, error);
    if (status)
        return status;
    const int kept = recording_keep_bits(checks->recording);
    const bool shown = checks->shown && checks->amplitude;
    char why[64] = "no amplitude is recorded";
    if (checks->amplitude && kept)
        snprintf(why, sizeof why, "waves were rounded to %d bits when packed",
                 kept);
    if (shown)
        note_skips(checks);
    for (int64_t i = 0;
         shown && i < recording_rows(checks->recording) && !status; i++)
        status = show_row(checks, i, error);
    for (int c = CHECK_STENCIL; c <= CHECK_GRADIENT && !shown; c++)
        skip(checks, (enum check)c, why);
    return status;
}

enum status check_waves(const struct recording *recording,
                        const struct scenario *scenario,
                        struct check_report *report, struct error *error)
{
    if (recording_waves(recording) == 0) {
        for (int c = CHECK_STENCIL; c <= CHECK_GRADIENT; c++)
            finding_skip(&report->finding[c], 0,
                         recording_ran_waves(recording) ? "waves not recorded"
                                                        : "there are no waves");
        return STATUS_OK;
    }
    struct wave_checks checks;
    enum status status =
        wave_checks_init(&checks, recording, scenario, report, error);
    for (int i = 0; i < recording_waves(recording) && !status; i++)
        status = show_wave(&checks, i, error);
    for (int c = CHECK_STENCIL; c <= CHECK_GRADIENT && !status; c++) {
        struct spot *spot = &report->finding[c].spot;
        if (report->finding[c].has_spot && spot->cell >= 0)
            spot->cell = (int64_t)map_cell(&checks, (size_t)spot->cell);
    }
    wave_checks_release(&checks);
    return status;
}
