/* SPDX-License-Identifier: MIT */
/* Agents and target, row by row. */
#include "check_agents.h"
#include "check_recording.h"
#include "check_settings.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

struct walkers {
    const struct recording *recording;
    struct agent_findings findings;
    size_t count; /* agents, or 1 */
    bool target;  /* it is the target's walk */
    const struct variable *at[GRID_AXES];
    double *now[GRID_AXES], *before[GRID_AXES]; /* (count) */
    double *speed; /* (count): cells a step, or NAN */
    uint8_t *wall; /* of the version that stands there */
    size_t version;
    bool has_wall;
};

/* Agents come in entries of `count`, all of one speed. */
static void read_speeds(struct walkers *walkers)
{
    size_t agent = 0;
    for (int entry = 0; agent < walkers->count; entry++) {
        char key[64];
        snprintf(key, sizeof key, "agents.[%d].speed", entry);
        double speed =
            walkers->target
                ? recording_setting_real(walkers->recording, "target.speed",
                                         NAN)
                : recording_setting_real(walkers->recording, key, NAN);
        snprintf(key, sizeof key, "agents.[%d].count", entry);
        double count = recording_setting_real(walkers->recording, key, 1);
        do
            walkers->speed[agent++] = speed;
        while (agent < walkers->count && --count >= 1);
    }
}

static enum status walkers_init(struct walkers *walkers,
                                const struct recording *recording, bool target,
                                struct check_report *report,
                                struct error *error)
{
    *walkers = (struct walkers){
        .recording = recording,
        .target = target,
        .findings = { &report->finding[CHECK_RANGE],
                      &report->finding[CHECK_SPEED],
                      &report->finding[CHECK_WALLS] },
    };
    const struct grid *grid = recording_grid(recording);
    for (int axis = 0; axis < grid->dims; axis++) {
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
                             "%s: %s: other agents than x has",
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
    read_speeds(walkers);
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

/* The walls that stood while the agents walked from one row to the next: those
 * in force at the last step before this row, if at the row before it too. */
static enum status walls_between(struct walkers *walkers, int64_t from,
                                 int64_t to, const uint8_t **wall,
                                 struct error *error)
{
    size_t version = recording_version_at(walkers->recording, from);
    *wall = NULL;
    if (recording_version_at(walkers->recording, to - 1) != version)
        return STATUS_OK;
    if (!walkers->has_wall || walkers->version != version) {
        enum status status =
            walls_read(walkers->recording, version, walkers->wall, error);
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
    for (int axis = 0; axis < grid_axes(grid); axis++) {
        double *was = walkers->before[axis];
        walkers->before[axis] = walkers->now[axis];
        walkers->now[axis] = was;
        /* A bad checksum is told by another check. */
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
        for (int axis = 0; axis < grid_axes(grid); axis++) {
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
                                          : "nobody moves");
    return status;
}
