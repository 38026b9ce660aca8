/* SPDX-License-Identifier: MIT */
#include "tests/analysis/rules/chase.h"

#include "base/memory.h"
#include "recording/read/tables.h"
#include "tests/analysis/rules/agents.h"
#include "wave/arrival/detector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Distances that count as equal (docs/explanation/chases.md, "Rounding decides
 * nothing").
 */
static const double near = 0x1p-20;

/* ---- the rows ---- */

static enum status read_captures(struct chase *chase, struct error *error)
{
    static const char *const names[] = { "agent", "step" };
    double *column[2] = { NULL };
    size_t rows = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < chase->count; i++)
        chase->captured[i] = INT64_MAX;
    if (recording_table_rows(chase->recording, "captures") > 0)
        status = table_columns_read(chase->recording, "captures", names, 2,
                                    column, &rows, error);
    for (size_t i = 0; i < rows && !status; i++)
        if (column[0][i] >= 0 && column[0][i] < (double)chase->count &&
            (double)chase->captured[(size_t)column[0][i]] > column[1][i])
            chase->captured[(size_t)column[0][i]] = (int64_t)column[1][i];
    memory_release(column[0]);
    memory_release(column[1]);
    return status;
}

static void take_settings(struct chase *chase)
{
    const struct scenario *scenario = chase->scenario;
    size_t agent = 0;
    for (size_t i = 0; i < scenario->agent_count; i++)
        for (int j = 0; j < scenario->agents[i].count && agent < chase->count;
             j++)
            chase->setting[agent++] = &scenario->agents[i];
}

enum status chase_init(struct chase *chase, const struct recording *recording,
                       const struct scenario *scenario, struct error *error)
{
    const struct variable *x = recording_find(recording, "agents/x");
    *chase = (struct chase){
        .recording = recording,
        .scenario = scenario,
        .has_target = recording_find(recording, "target/x") != NULL,
        .step = { -1, -1 },
        .version = SIZE_MAX,
    };
    if (x && variable_elements(x) == scenario_agents(scenario))
        chase->count = variable_elements(x);
    const size_t count = chase->count;
    chase->setting = memory_new(count, sizeof(void *));
    chase->captured = memory_new(count, sizeof *chase->captured);
    chase->wall = memory_new(grid_cells(recording_grid(recording)), 1);
    bool good = chase->setting && chase->captured && chase->wall;
    for (int row = 0; row < 2; row++) {
        chase->state[row] = memory_new(count, sizeof(double));
        good = good && chase->state[row];
        for (int axis = 0; axis < GRID_AXES; axis++) {
            chase->at[row][axis] = memory_new(count, sizeof(double));
            chase->heading[row][axis] = memory_new(count, sizeof(double));
            good = good && chase->at[row][axis] && chase->heading[row][axis];
        }
    }
    if (!good)
        return error_memory(error);
    take_settings(chase);
    return read_captures(chase, error);
}

void chase_release(struct chase *chase)
{
    memory_release(chase->setting);
    memory_release(chase->captured);
    memory_release(chase->wall);
    for (int row = 0; row < 2; row++) {
        memory_release(chase->state[row]);
        for (int axis = 0; axis < GRID_AXES; axis++) {
            memory_release(chase->at[row][axis]);
            memory_release(chase->heading[row][axis]);
        }
    }
}

/* "agents/" with the letter of an axis, "target/heading_" with it, … */
static bool read_values(const struct chase *chase, const char *stem, int axis,
                        int64_t row, double *out)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "%s%.1s", stem, &"xyz"[axis]);
    const struct variable *variable = recording_find(chase->recording, name);
    return variable && variable->by_row &&
           !recording_read_real(chase->recording, variable, row, out, NULL);
}

static void swap(double **a, double **b)
{
    double *was = *a;
    *a = *b;
    *b = was;
}

void chase_read(struct chase *chase, int64_t row)
{
    bool good = true;
    swap(&chase->state[0], &chase->state[1]);
    memcpy(chase->target[1], chase->target[0], sizeof chase->target[0]);
    chase->target_state[1] = chase->target_state[0];
    chase->step[1] = chase->step[0];
    for (int axis = 0; axis < grid_axes(recording_grid(chase->recording));
         axis++) {
        swap(&chase->at[0][axis], &chase->at[1][axis]);
        swap(&chase->heading[0][axis], &chase->heading[1][axis]);
        if (chase->count)
            good =
                good &&
                read_values(chase, "agents/", axis, row, chase->at[0][axis]) &&
                read_values(chase, "agents/heading_", axis, row,
                            chase->heading[0][axis]);
        if (chase->has_target)
            good = good && read_values(chase, "target/", axis, row,
                                       &chase->target[0][axis]);
    }
    if (chase->count)
        good =
            good && read_values(chase, "agents/state", 3, row, chase->state[0]);
    if (chase->has_target)
        good = good && read_values(chase, "target/state", 3, row,
                                   &chase->target_state[0]);
    chase->step[0] = good ? recording_steps(chase->recording)[row] : -1;
}

bool chase_is_next(const struct chase *chase)
{
    return chase->step[0] > 0 && chase->step[1] == chase->step[0] - 1;
}

enum status chase_walls(struct chase *chase, int64_t step, struct error *error)
{
    size_t version = recording_version_at(chase->recording, step);
    if (version == chase->version)
        return STATUS_OK;
    chase->version = version;
    return recording_read_terrain(chase->recording, "wall", version,
                                  chase->wall, error);
}

void chase_place(const struct chase *chase, int row, int agent,
                 double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = agent == SPOT_TARGET ? chase->target[row][axis]
                                        : chase->at[row][axis][agent];
}

bool chase_turns_at_arrivals(const struct chase *chase, size_t agent)
{
    const struct agent_settings *setting = chase->setting[agent];
    const enum steering_rule steering = setting->has_steering
                                            ? setting->steering
                                            : chase->scenario->pursuit.steering;
    return (setting->method == METHOD_WAVE || setting->method == METHOD_LEE) &&
           steering == STEERING_EMISSION;
}

int64_t chase_last_step(const struct recording *recording)
{
    int64_t rows = recording_rows(recording);
    return rows ? recording_steps(recording)[rows - 1] : -1;
}

static double distance(const double a[GRID_AXES], const double b[GRID_AXES])
{
    double square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return sqrt(square);
}

/* ---- captures: at the radius, and not later ---- */

static bool pursues(const struct chase *chase, size_t agent)
{
    return !chase->setting[agent]->goal_random;
}

static void check_captures(const struct chase *chase, struct finding *finding)
{
    const double radius = chase->scenario->pursuit.capture_radius + near;
    double place[GRID_AXES], target[GRID_AXES];
    chase_place(chase, 0, SPOT_TARGET, target);
    for (size_t i = 0; i < chase->count && chase->has_target; i++) {
        const struct spot spot = { -1, (int)i, chase->step[0], -1 };
        chase_place(chase, 0, (int)i, place);
        /* With a margin for rounding: the radius is compared with the run's own
         * sum. */
        double over = distance(place, target) - radius;
        bool free = chase->step[0] < chase->captured[i];
        if (free && pursues(chase, i))
            finding_within(finding, fmax(-over, 0), 1e-12, &spot);
        if (chase->step[0] == chase->captured[i])
            finding_within(finding, pursues(chase, i) ? fmax(over, 0) : 1,
                           1e-12, &spot);
        finding_within(finding,
                       free == (chase->state[0][i] != AGENT_CAPTURED) ? 0 : 1,
                       0, &spot);
    }
}

/* ---- a step along a heading ---- */

/* Free if one of the cells nearest to it is free. */
static bool is_free(const struct chase *chase, const double at[GRID_AXES])
{
    const struct grid *grid = recording_grid(chase->recording);
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    int low[GRID_AXES], high[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        if (!(at[axis] >= 0 && at[axis] <= extent[axis] - 1))
            return false;
        low[axis] = (int)ceil(at[axis] - 0.5);
        high[axis] = (int)floor(at[axis] + 0.5);
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++)
                if (!chase->wall[grid_index(grid, x, y, z)])
                    return true;
    return false;
}

/* Of a displacement along one axis: a multiple of 2^-30. */
static double rounded(double way)
{
    return rint(way * 0x1p30) * 0x1p-30;
}

/* The rule of docs/explanation/chases.md, "Motion": the whole step, else its
 * components by descending magnitude, else none. False: none. */
static bool step_along(const struct chase *chase, const double from[GRID_AXES],
                       const double heading[GRID_AXES], double speed,
                       double to[GRID_AXES])
{
    bool tried[GRID_AXES] = { false };
    for (int axis = 0; axis < GRID_AXES; axis++)
        to[axis] = from[axis] + rounded(speed * heading[axis]);
    if (is_free(chase, to))
        return true;
    for (int try = 0; try < GRID_AXES; try++) {
        int best = -1;
        for (int axis = 0; axis < GRID_AXES; axis++)
            if (!tried[axis] &&
                (best < 0 || fabs(heading[axis]) > fabs(heading[best])))
                best = axis;
        tried[best] = true;
        memcpy(to, from, GRID_AXES * sizeof *to);
        to[best] += rounded(speed * heading[best]);
        if (heading[best] != 0 && is_free(chase, to))
            return true;
    }
    memcpy(to, from, GRID_AXES * sizeof *to);
    return false;
}

/* The motion of an agent that turns at arrivals, from row [1] to row [0]. */
static void check_step(const struct chase *chase, size_t agent,
                       struct finding *steps, struct finding *states)
{
    const struct spot spot = { -1, (int)agent, chase->step[0], -1 };
    double from[GRID_AXES], is[GRID_AXES], to[GRID_AXES], heading[GRID_AXES];
    chase_place(chase, 1, (int)agent, from);
    chase_place(chase, 0, (int)agent, is);
    bool turned = false;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        heading[axis] = chase->heading[0][axis][agent];
        turned = turned || heading[axis] != 0;
    }
    bool held = chase->state[1][agent] == AGENT_CAPTURED;
    enum agent_state state = AGENT_CAPTURED;
    memcpy(to, from, sizeof to);
    if (!held && turned)
        state =
            step_along(chase, from, heading, chase->setting[agent]->speed, to)
                ? AGENT_MOVING
                : AGENT_STUCK;
    else if (!held)
        state = AGENT_WAITING;
    for (int axis = 0; axis < GRID_AXES; axis++)
        finding_exact(steps, is[axis], to[axis], &spot);
    if (chase->step[0] == chase->captured[agent])
        state = AGENT_CAPTURED;
    finding_within(states, chase->state[0][agent] == state ? 0 : 1, 0, &spot);
}

/* For all other agents only one rule is known: an agent that captured does not
 * move. */
static void check_held(const struct chase *chase, size_t agent,
                       struct finding *steps, struct finding *states)
{
    const struct spot spot = { -1, (int)agent, chase->step[0], -1 };
    double moved = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        moved += fabs(chase->at[0][axis][agent] - chase->at[1][axis][agent]);
    if (chase->state[1][agent] == AGENT_CAPTURED)
        finding_within(steps, moved, 0, &spot);
    if (moved > 0)
        finding_within(states,
                       chase->state[0][agent] == AGENT_MOVING ||
                               chase->step[0] == chase->captured[agent]
                           ? 0
                           : 1,
                       0, &spot);
}

static void check_target(const struct chase *chase, struct finding *steps,
                         struct finding *states)
{
    const struct target_settings *target = &chase->scenario->target;
    const struct spot spot = { -1, SPOT_TARGET, chase->step[0], -1 };
    bool held = false, moved = false;
    for (size_t i = 0; i < chase->count; i++)
        held = held || chase->captured[i] <= chase->step[0];
    for (int axis = 0; axis < GRID_AXES; axis++)
        moved = moved || chase->target[0][axis] != chase->target[1][axis];
    const bool still = target->motion == MOTION_STILL || !(target->speed > 0);
    enum agent_state state = still   ? AGENT_WAITING
                             : moved ? AGENT_MOVING
                                     : AGENT_STUCK;
    if (still)
        finding_within(steps, moved, 0, &spot);
    /* Without agents in the recording it is not known whether one has captured
     * it. */
    if (chase->count || !chase->scenario->agent_count)
        finding_within(
            states,
            chase->target_state[0] == (held ? AGENT_CAPTURED : state) ? 0 : 1,
            0, &spot);
}

static enum status check_steps(struct chase *chase, struct finding *steps,
                               struct finding *states, struct error *error)
{
    if (!chase_is_next(chase)) {
        const char *why = "needs a row for every step: record.every";
        if (chase->step[0] > 0) {
            finding_skip(steps, (int64_t)chase->count, "%s", why);
            finding_skip(states, (int64_t)chase->count, "%s", why);
        }
        return STATUS_OK;
    }
    enum status status = chase_walls(chase, chase->step[1], error);
    for (size_t i = 0; i < chase->count && !status; i++) {
        if (chase_turns_at_arrivals(chase, i))
            check_step(chase, i, steps, states);
        else
            check_held(chase, i, steps, states);
    }
    if (!status && chase->has_target)
        check_target(chase, steps, states);
    return status;
}

/* ---- headings: from the last arrival ---- */

struct turns {
    double *column[2 + GRID_AXES]; /* of /arrivals: agent, step, heading */
    size_t rows, next;
    double *heading[GRID_AXES]; /* (agents): of the last arrival */
};

static enum status turns_init(struct turns *turns, const struct chase *chase,
                              struct error *error)
{
    static const char *const names[] = { "agent", "step", "heading_x",
                                         "heading_y", "heading_z" };
    int axes = grid_axes(recording_grid(chase->recording));
    *turns = (struct turns){ .rows = 0 };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        turns->heading[axis] = memory_new(chase->count, sizeof(double));
        if (!turns->heading[axis])
            return error_memory(error);
    }
    if (recording_table_rows(chase->recording, "arrivals") <= 0)
        return STATUS_OK;
    return table_columns_read(chase->recording, "arrivals", names, 2 + axes,
                              turns->column, &turns->rows, error);
}

static void turns_release(struct turns *turns)
{
    for (int i = 0; i < 2 + GRID_AXES; i++)
        memory_release(turns->column[i]);
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(turns->heading[axis]);
}

/* Takes the arrivals up to `step`. One without a heading (lost, or without a
 * gradient) turns no agent. */
static void turns_take(struct turns *turns, const struct chase *chase,
                       int64_t step)
{
    for (; turns->next < turns->rows &&
           turns->column[1][turns->next] <= (double)step;
         turns->next++) {
        double agent = turns->column[0][turns->next], heading[GRID_AXES];
        bool any = false;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            const double *column = turns->column[2 + axis];
            heading[axis] = column ? column[turns->next] : 0;
            any = any || heading[axis] != 0;
        }
        if (any && agent >= 0 && agent < (double)chase->count)
            for (int axis = 0; axis < GRID_AXES; axis++)
                turns->heading[axis][(size_t)agent] = heading[axis];
    }
}

static void check_headings(struct turns *turns, const struct chase *chase,
                           struct finding *finding)
{
    turns_take(turns, chase, chase->step[0]);
    for (size_t i = 0; i < chase->count; i++) {
        double square = 0;
        const struct spot spot = { -1, (int)i, chase->step[0], -1 };
        for (int axis = 0; axis < GRID_AXES; axis++) {
            double heading = chase->heading[0][axis][i];
            square += heading * heading;
            if (chase_turns_at_arrivals(chase, i))
                finding_exact(finding, heading, turns->heading[axis][i], &spot);
        }
        if (square != 0)
            finding_within(finding, fabs(square - 1), 1e-12, &spot);
    }
}

/* ---- emissions ---- */

/* Is there an arrival at any agent that follows the waves at this step? */
static bool arrived_at(const struct turns *turns, const struct chase *chase,
                       int64_t step)
{
    for (size_t i = 0; i < turns->rows; i++) {
        double agent = turns->column[0][i];
        if (turns->column[1][i] == (double)step && agent >= 0 &&
            agent < (double)chase->count &&
            chase->setting[(size_t)agent]->method == METHOD_WAVE)
            return true;
    }
    return false;
}

/* `last`: step of the last emission of each wave, −1; `any`: of any wave. */
static bool is_in_time(const struct chase *chase, const struct turns *turns,
                       const struct emission_row *emission, int64_t last,
                       int64_t any)
{
    const struct wave_settings *wave = &chase->scenario->wave;
    int64_t first = emission->wave * wave->lifetime / wave->count;
    int64_t since = last < 0 ? INT64_MAX : emission->step - last;
    switch (wave->restart) {
    case RESTART_LIFETIME:
        return emission->step == (last < 0 ? first : last + wave->lifetime);
    case RESTART_ON_ARRIVAL:
        return last < 0 ? emission->step == 0
                        : since == wave->lifetime || !chase->count ||
                              (since < wave->lifetime &&
                               arrived_at(turns, chase, emission->step));
    case RESTART_RECEIVED:
        return last < 0
                   ? emission->step >= first
                   : since >= wave->lifetime &&
                         emission->step - any >= wave->lifetime / wave->count;
    }
    return false;
}

/* Each emission starts at the cell nearest to the target, and by the rule of
 * `wave.restart`; and no emission is missing that the lifetime alone
 * requires. */
static enum status check_emissions(const struct chase *chase,
                                   const struct turns *turns,
                                   struct finding *finding, struct error *error)
{
    const struct wave_settings *wave = &chase->scenario->wave;
    const int64_t end = chase_last_step(chase->recording);
    struct emission_row *rows = NULL;
    size_t count = 0;
    int64_t *last = memory_new((size_t)wave->count, sizeof *last), any = -1;
    enum status status =
        last ? emissions_read(chase->recording, &rows, &count, error)
             : error_memory(error);
    for (int i = 0; i < wave->count && !status; i++)
        last[i] = -1;
    for (size_t i = 0; i < count && !status; i++) {
        if (rows[i].wave >= wave->count)
            continue;
        bool good = is_in_time(chase, turns, &rows[i], last[rows[i].wave], any);
        finding_within(finding, good ? 0 : 1, 0,
                       &(struct spot){ rows[i].wave, -1, rows[i].step, -1 });
        last[rows[i].wave] = any = rows[i].step;
    }
    for (int i = 0;
         i < wave->count && !status && wave->restart == RESTART_LIFETIME &&
         chase->scenario->has_wave && chase->scenario->has_target;
         i++) {
        int64_t due = last[i] < 0 ? i * wave->lifetime / wave->count
                                  : last[i] + wave->lifetime;
        finding_within(finding, due > end ? 0 : 1, 0,
                       &(struct spot){ i, -1, due, -1 });
    }
    memory_release(last);
    memory_release(rows);
    return status;
}

/* Waves start from the cell nearest to the target. */
static enum status check_sources(struct chase *chase, struct finding *finding,
                                 struct error *error)
{
    struct emission_row *rows = NULL;
    size_t count = 0, next = 0;
    enum status status = emissions_read(chase->recording, &rows, &count, error);
    for (int64_t row = 0; row < recording_rows(chase->recording) && !status &&
                          chase->has_target && next < count;
         row++) {
        const int64_t step = recording_steps(chase->recording)[row];
        while (next < count && rows[next].step < step)
            next++;
        if (next == count || rows[next].step != step)
            continue;
        chase_read(chase, row);
        for (; next < count && rows[next].step == step; next++) {
            int cell[GRID_AXES];
            double off = 0;
            grid_cell(recording_grid(chase->recording), rows[next].cell, cell);
            for (int axis = 0; axis < GRID_AXES && chase->step[0] >= 0; axis++)
                off = fmax(off, fabs(cell[axis] - chase->target[0][axis]));
            finding_within(finding, off, 0.5,
                           &(struct spot){ rows[next].wave, -1, step,
                                           (int64_t)rows[next].cell });
        }
    }
    chase->step[0] = -1;
    memory_release(rows);
    return status;
}

/* ---- the end ---- */

/* The first step at which the stop rule is true. */
static int64_t stop_step(const struct chase *chase)
{
    int64_t first = INT64_MAX, last = -1;
    for (size_t i = 0; i < chase->count; i++) {
        if (!pursues(chase, i))
            continue;
        first = chase->captured[i] < first ? chase->captured[i] : first;
        last = chase->captured[i] > last ? chase->captured[i] : last;
    }
    switch (chase->scenario->pursuit.stop) {
    case STOP_ANY_CAPTURED:
        return first;
    case STOP_ALL_CAPTURED:
        return last < 0 ? INT64_MAX : last;
    case STOP_NEVER:
        break;
    }
    return INT64_MAX;
}

static void check_end(const struct chase *chase, struct finding *finding)
{
    const int64_t last = chase_last_step(chase->recording);
    const int64_t steps = chase->scenario->steps;
    const int64_t stop = stop_step(chase);
    const struct spot spot = { -1, -1, last, -1 };
    if (!chase->count && chase->scenario->agent_count) {
        finding_skip(finding, 1, "no agents are recorded");
        return;
    }
    finding_within(finding, last <= steps && last <= stop ? 0 : 1, 0, &spot);
    if (recording_state(chase->recording) == RUN_DONE)
        finding_within(finding, last == steps || last == stop ? 0 : 1, 0,
                       &spot);
}

/* ---- all checks ---- */

static enum status check_rows(struct chase *chase, struct turns *turns,
                              struct check_report *report, struct error *error)
{
    enum status status = STATUS_OK;
    for (int64_t row = 0; row < recording_rows(chase->recording) && !status;
         row++) {
        chase_read(chase, row);
        if (chase->step[0] < 0)
            continue;
        check_captures(chase, &report->finding[CHECK_CAPTURES]);
        check_headings(turns, chase, &report->finding[CHECK_HEADINGS]);
        status = check_steps(chase, &report->finding[CHECK_STEPS],
                             &report->finding[CHECK_STATES], error);
    }
    return status;
}

enum status check_chase(const struct recording *recording,
                        const struct scenario *scenario,
                        struct check_report *report, struct error *error)
{
    struct chase chase;
    struct turns turns = { .rows = 0 };
    enum status status = chase_init(&chase, recording, scenario, error);
    if (!status)
        status = turns_init(&turns, &chase, error);
    if (!status)
        status = check_emissions(&chase, &turns,
                                 &report->finding[CHECK_SCHEDULE], error);
    if (!status)
        status = check_sources(&chase, &report->finding[CHECK_SCHEDULE], error);
    if (!status)
        status = check_rows(&chase, &turns, report, error);
    if (!status)
        check_end(&chase, &report->finding[CHECK_END]);
    for (int c = CHECK_SCHEDULE; c <= CHECK_CAPTURES; c++)
        if (!report->finding[c].looked)
            finding_skip(&report->finding[c], 0, "%s",
                         c == CHECK_SCHEDULE ? "there are no emissions"
                                             : "no agents are recorded");
    turns_release(&turns);
    chase_release(&chase);
    return status;
}
