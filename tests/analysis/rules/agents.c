/* SPDX-License-Identifier: MIT */
/* Agents and target, row by row: positions on the map, speeds, walls. */
#include "tests/analysis/rules/agents.h"

#include "base/memory.h"
#include "metrics/measured.h"
#include "pursuit/motion.h"
#include "recording/read/tables.h"
#include "tests/analysis/rules/report.h"
#include "wave/arrival/detector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- one stride ---- */

/* The distance of a coordinate outside 0 … extent − 1; NaN if it is not a
 * number. */
static double outside(double at, int extent)
{
    if (isnan(at))
        return NAN;
    return fmax(fmax(-at, at - (extent - 1)), 0);
}

static bool check_range(const struct grid *grid, const struct stride *stride,
                        const struct spot *spot, struct finding *finding)
{
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    double worst = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) { /* in 2D z is 0 of 1 */
        double out = outside(stride->now[axis], extent[axis]);
        worst = isnan(out) || out > worst ? out : worst;
    }
    finding_within(finding, worst, 0, spot);
    return worst == 0;
}

static double length(const struct stride *stride)
{
    double square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double way = stride->now[axis] - stride->before[axis];
        square += way * way;
    }
    return sqrt(square);
}

/* Displacements are rounded, and an agent that is almost at its next point is
 * placed there (pursuit/motion.h). */
static void check_speed(const struct stride *stride, const struct spot *spot,
                        struct finding *finding)
{
    if (isnan(stride->speed)) {
        finding_skip(finding, 1, "the scenario sets no speed");
        return;
    }
    double over = length(stride) / (double)stride->steps - stride->speed;
    double beside = MOTION_NEAR / (double)stride->steps + 0x1p-29;
    finding_within(finding, fmax(over, 0), beside, spot);
}

/* The agent is inside a wall, but not by a step of its own. */
static bool is_caught(const struct grid *grid, const uint8_t *wall,
                      const double at[GRID_AXES])
{
    return motion_cell(grid, at) >= 0 && !motion_touches_free(grid, wall, at);
}

void check_stride(const struct grid *grid, const uint8_t *wall,
                  const struct stride *stride,
                  const struct agent_findings *findings)
{
    struct spot spot = { -1, stride->agent, stride->step, -1 };
    bool inside = check_range(grid, stride, &spot, findings->range);
    if (inside)
        spot.cell = (int64_t)grid_nearest(grid, stride->now);
    if (!stride->steps)
        return;
    check_speed(stride, &spot, findings->speed);
    if (!inside || length(stride) == 0)
        return;
    if (!wall)
        finding_skip(findings->walls, 1, "the map changed between two rows");
    else if (motion_touches_free(grid, wall, stride->now))
        finding_within(findings->walls, 0, 0, &spot);
    else if (is_caught(grid, wall, stride->before))
        finding_skip(findings->walls, 1, "an event set its cell to wall");
    else
        finding_within(findings->walls, 1, 0, &spot);
}

/* ---- all rows ---- */

struct walkers {
    const struct recording *recording;
    struct agent_findings findings;
    size_t count; /* agents, or 1 */
    bool target;  /* the target instead of the agents */
    int axes;     /* of the map */
    const struct variable *at[GRID_AXES];
    double *now[GRID_AXES], *before[GRID_AXES]; /* (count) */
    double *speed; /* (count): cells a step, or NAN */
    uint8_t *wall; /* of the map's version in force */
    size_t version;
    bool has_wall;
};

static enum status walkers_init(struct walkers *walkers,
                                const struct recording *recording, bool target,
                                struct check_report *report,
                                struct error *error)
{
    *walkers = (struct walkers){
        .recording = recording,
        .target = target,
        .axes = grid_axes(recording_grid(recording)),
        .findings = { &report->finding[CHECK_RANGE],
                      &report->finding[CHECK_SPEED],
                      &report->finding[CHECK_WALLS] },
    };
    const struct grid *grid = recording_grid(recording);
    for (int axis = 0; axis < walkers->axes; axis++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "%s/%c", target ? "target" : "agents",
                 'x' + axis);
        walkers->at[axis] = recording_find(recording, name);
        if (!walkers->at[axis] || !walkers->at[axis]->by_row) {
            walkers->at[0] = NULL; /* not recorded */
            return STATUS_OK;
        }
        size_t count = variable_elements(walkers->at[axis]);
        if (axis && count != walkers->count)
            return error_set(error, STATUS_INPUT,
                             "%s: %s: its agents are not those of x",
                             recording_path(recording), name);
        walkers->count = count;
        walkers->now[axis] = memory_new(count, sizeof(double));
        walkers->before[axis] = memory_new(count, sizeof(double));
        if (!walkers->now[axis] || !walkers->before[axis])
            return error_memory(error);
    }
    walkers->speed = memory_new(walkers->count, sizeof(double));
    walkers->wall = memory_new(grid_cells(grid), 1);
    if (!walkers->speed || !walkers->wall)
        return error_memory(error);
    if (!target)
        measured_speeds(recording, walkers->speed, walkers->count);
    for (size_t i = 0; target && i < walkers->count; i++)
        walkers->speed[i] =
            recording_setting_real(recording, "target.speed", NAN);
    return STATUS_OK;
}

static void walkers_release(struct walkers *walkers)
{
    for (int axis = 0; axis < GRID_AXES; axis++) {
        memory_release(walkers->now[axis]);
        memory_release(walkers->before[axis]);
    }
    memory_release(walkers->speed);
    memory_release(walkers->wall);
}

/* The walls while the agents walked from one row to the next: those in force at
 * the last step before this row, if they were also in force at the row
 * before. */
static enum status walls_between(struct walkers *walkers, int64_t from,
                                 int64_t to, const uint8_t **wall,
                                 struct error *error)
{
    size_t version = recording_version_at(walkers->recording, from);
    *wall = NULL;
    if (recording_version_at(walkers->recording, to - 1) != version)
        return STATUS_OK;
    if (!walkers->has_wall || walkers->version != version) {
        enum status status = recording_read_terrain(
            walkers->recording, "wall", version, walkers->wall, error);
        if (status)
            return status;
        walkers->version = version;
        walkers->has_wall = true;
    }
    *wall = walkers->wall;
    return STATUS_OK;
}

static enum status walk_row(struct walkers *walkers, int64_t row, bool *known,
                            struct error *error)
{
    const struct grid *grid = recording_grid(walkers->recording);
    const int64_t *steps = recording_steps(walkers->recording);
    bool had = *known;
    *known = true;
    for (int axis = 0; axis < walkers->axes; axis++) {
        double *was = walkers->before[axis];
        walkers->before[axis] = walkers->now[axis];
        walkers->now[axis] = was;
        /* Another check reports a bad checksum. */
        *known = *known &&
                 !recording_read_real(walkers->recording, walkers->at[axis],
                                      row, walkers->now[axis], NULL);
    }
    if (!*known)
        return STATUS_OK;
    const uint8_t *wall = NULL;
    if (had) {
        enum status status =
            walls_between(walkers, steps[row - 1], steps[row], &wall, error);
        if (status)
            return status;
    }
    for (size_t i = 0; i < walkers->count; i++) {
        struct stride stride = {
            .agent = walkers->target ? SPOT_TARGET : (int)i,
            .step = steps[row],
            .steps = had ? steps[row] - steps[row - 1] : 0,
            .speed = walkers->speed[i],
        };
        for (int axis = 0; axis < walkers->axes; axis++) {
            stride.now[axis] = walkers->now[axis][i];
            stride.before[axis] = walkers->before[axis][i];
        }
        check_stride(grid, wall, &stride, &walkers->findings);
    }
    return STATUS_OK;
}

static enum status check_walk(const struct recording *recording, bool target,
                              struct check_report *report, struct error *error)
{
    struct walkers walkers;
    enum status status =
        walkers_init(&walkers, recording, target, report, error);
    bool known = false;
    for (int64_t row = 0;
         row < recording_rows(recording) && walkers.at[0] && !status; row++)
        status = walk_row(&walkers, row, &known, error);
    walkers_release(&walkers);
    return status;
}

enum status check_trajectories(const struct recording *recording,
                               struct check_report *report, struct error *error)
{
    enum status status = check_walk(recording, false, report, error);
    if (!status)
        status = check_walk(recording, true, report, error);
    for (int c = CHECK_RANGE; c <= CHECK_WALLS && !status; c++)
        if (!report->finding[c].looked && !report->finding[c].skipped)
            finding_skip(&report->finding[c], 0,
                         c == CHECK_RANGE ? "no agents are recorded"
                                          : "no agent moves");
    return status;
}

/* ---- the quantity in the table of arrivals ---- */

/* From the run's detector, or from Lee's fronts for the agents that follow
 * them. */
static enum status expected_quantity(const struct recording *recording,
                                     double agent, bool own_wave,
                                     enum arrival_quantity *quantity,
                                     struct error *error)
{
    char method[MEASURED_METHOD_SIZE];
    *quantity = QUANTITIES;
    const struct variable *names = recording_find(recording, "agents/method");
    if (!names || !(agent >= 0 && agent < (double)names->extent[0]))
        return STATUS_OK;
    enum status status =
        recording_agent_text(recording, "agents/method", (size_t)agent, method,
                             sizeof method, error);
    *quantity = strcmp(method, "lee") == 0 ? QUANTITY_FRONT_STEP
                : own_wave                 ? QUANTITY_LOG_SUM
                                           : QUANTITY_AMPLITUDE;
    return status;
}

enum status check_quantities(const struct recording *recording,
                             struct check_report *report, struct error *error)
{
    static const char *const names[] = { "agent", "step", "quantity" };
    struct finding *finding = &report->finding[CHECK_QUANTITY];
    const char *detector = recording_setting(recording, "arrival.detector");
    const struct detector *row = detector ? detector_find(detector) : NULL;
    double *column[3] = { NULL };
    size_t rows = 0;
    enum status status = STATUS_OK;
    if (recording_table_rows(recording, "arrivals") <= 0)
        finding_skip(finding, 0, "there are no arrivals");
    else if (!recording_find(recording, "agents/method"))
        finding_skip(finding, 0, "no agents are recorded");
    else if (!recording_find(recording, "arrivals/quantity"))
        finding_skip(finding, 0, "recorded by an earlier Hamon");
    else
        status = table_columns_read(recording, "arrivals", names, 3, column,
                                    &rows, error);
    for (size_t i = 0; i < rows && !status; i++) {
        enum arrival_quantity quantity;
        status = expected_quantity(recording, column[0][i],
                                   row && row->own_wave, &quantity, error);
        if (!status)
            finding_exact(finding, column[2][i], quantity,
                          &(struct spot){ -1, (int)fmax(column[0][i], -1),
                                          (int64_t)column[1][i], -1 });
    }
    for (int i = 0; i < 3; i++)
        memory_release(column[i]);
    return status;
}
