/* SPDX-License-Identifier: MIT */
/* The quality of a recorded chase: a row of a Markdown table for each agent.
 *
 *   | LABEL | captured at | waited | path | shortest | path/shortest | Fermat |
 *
 * waited: steps before the first one that moved it. path: the path of the agent
 * since the last change of the map, and the straight line from its end to the
 * target. shortest: from the agent's place at that change to the target's place
 * at the end. Fermat: ∫ds/c along the path over the least time. Both are
 * measured by fast marching on a grid three times finer.
 * usage: chases LABEL RECORDING; chases --head */
#include "base/memory.h"
#include "pursuit/motion.h"
#include "recording/read/recording.h"
#include "search/fast_marching.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chase {
    struct recording *recording;
    struct terrain terrain, plain; /* the last map; only its walls */
    int64_t rows, changed;         /* changed: the first row of the last map */
    double *agent[GRID_AXES], *target[GRID_AXES]; /* (rows) */
};

static void give_up(const struct error *error)
{
    fprintf(stderr, "chases: %s\n", error->message);
    exit(2);
}

static const struct variable *find(const struct chase *chase, const char *group,
                                   int axis)
{
    char name[32];
    snprintf(name, sizeof name, "%s/%c", group, 'x' + axis);
    const struct variable *variable = recording_find(chase->recording, name);
    if (!variable) {
        fprintf(stderr, "chases: %s: no %s\n", recording_path(chase->recording),
                name);
        exit(2);
    }
    return variable;
}

static void read_walk(const struct chase *chase, const char *group,
                      size_t agent, double *at[GRID_AXES])
{
    struct error error;
    for (int axis = 0; axis < recording_grid(chase->recording)->dims; axis++)
        if (recording_read_series(chase->recording, find(chase, group, axis),
                                  agent, at[axis], &error))
            give_up(&error);
}

static void read_terrain(struct chase *chase)
{
    struct error error;
    const struct grid *grid = recording_grid(chase->recording);
    const int64_t *steps = recording_steps(chase->recording);
    size_t version =
        recording_version_at(chase->recording, steps[chase->rows - 1]);
    for (chase->changed = chase->rows - 1; chase->changed > 0; chase->changed--)
        if (recording_version_at(chase->recording, steps[chase->changed - 1]) !=
            version)
            break;
    if (terrain_init(&chase->terrain, grid, &error) ||
        terrain_init(&chase->plain, grid, &error) ||
        recording_read_terrain(chase->recording, "wall", version,
                               chase->terrain.wall, &error))
        give_up(&error);
    memcpy(chase->plain.wall, chase->terrain.wall, grid_cells(grid));
    if (!recording_find(chase->recording, "speed") &&
        !recording_find(chase->recording, "world/speed"))
        return;
    if (terrain_prepare(&chase->terrain, CHANGE_SPEED, &error) ||
        recording_read_terrain(chase->recording, "speed", version,
                               chase->terrain.speed, &error))
        give_up(&error);
}

static void chase_open(struct chase *chase, const char *path)
{
    struct error error;
    *chase = (struct chase){ .rows = 0 };
    if (recording_open(path, &chase->recording, &error))
        give_up(&error);
    chase->rows = recording_rows(chase->recording);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        chase->agent[axis] = memory_new((size_t)chase->rows, sizeof(double));
        chase->target[axis] = memory_new((size_t)chase->rows, sizeof(double));
    }
    read_terrain(chase);
    read_walk(chase, "target", 0, chase->target);
}

static void chase_close(struct chase *chase)
{
    for (int axis = 0; axis < GRID_AXES; axis++) {
        memory_release(chase->agent[axis]);
        memory_release(chase->target[axis]);
    }
    terrain_release(&chase->terrain);
    terrain_release(&chase->plain);
    recording_close(chase->recording);
}

static void place(double *const walk[GRID_AXES], int64_t row,
                  double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = walk[axis][row];
}

/* ∫ds/c along a straight segment. */
static double time_along(const struct terrain *terrain,
                         const double from[GRID_AXES],
                         const double to[GRID_AXES])
{
    double length = motion_distance(from, to), time = 0;
    if (!terrain->speed)
        return length;
    int pieces = (int)ceil(length * 32) + 1;
    for (int i = 0; i < pieces; i++) {
        double at[GRID_AXES];
        for (int axis = 0; axis < GRID_AXES; axis++)
            at[axis] =
                from[axis] + (to[axis] - from[axis]) * (i + 0.5) / pieces;
        time +=
            length / pieces / terrain->speed[grid_nearest(&terrain->grid, at)];
    }
    return time;
}

static double least(const struct terrain *terrain, const double from[GRID_AXES],
                    const double to[GRID_AXES])
{
    struct fast_marching *marching;
    struct error error;
    size_t start = grid_nearest(&terrain->grid, from);
    if (fast_marching_new(terrain, &fast_marching_fine, &marching, &error))
        give_up(&error);
    fast_marching_solve(marching, grid_nearest(&terrain->grid, to), start);
    double time = fast_marching_time(marching, start);
    fast_marching_release(marching);
    return time;
}

static bool is_captured(const struct chase *chase, size_t agent)
{
    struct error error;
    double *state = memory_new((size_t)chase->rows, sizeof *state);
    const struct variable *variable =
        recording_find(chase->recording, "agents/state");
    if (!state || !variable ||
        recording_read_series(chase->recording, variable, agent, state, &error))
        exit(2);
    bool captured = state[chase->rows - 1] == 2;
    memory_release(state);
    return captured;
}

static void print_row(const struct chase *chase, const char *label,
                      size_t agent)
{
    const int64_t *steps = recording_steps(chase->recording);
    double start[GRID_AXES], from[GRID_AXES], to[GRID_AXES], end[GRID_AXES];
    double length = 0, time = 0;
    int64_t waited = -1;
    place(chase->agent, 0, from);
    place(chase->target, chase->rows - 1, end);
    for (int64_t row = 1; row < chase->rows; row++) {
        place(chase->agent, row, to);
        double step = motion_distance(from, to);
        if (waited < 0 && step > 0)
            waited = steps[row - 1];
        if (row <= chase->changed) {
            memcpy(from, to, sizeof from);
            continue;
        }
        length += step;
        time += time_along(&chase->terrain, from, to);
        memcpy(from, to, sizeof from);
    }
    place(chase->agent, chase->changed, start);
    length += motion_distance(from, end);
    time += time_along(&chase->terrain, from, end);
    if (!is_captured(chase, agent)) {
        printf("| %s | not within %" PRId64 " | %" PRId64 " | %.1f | | | |\n",
               label, steps[chase->rows - 1], waited, length);
        return;
    }
    double shortest = least(&chase->plain, start, end);
    printf("| %s | %" PRId64 " | %" PRId64 " | %.1f | %.1f | %.3f | ", label,
           steps[chase->rows - 1], waited, length, shortest, length / shortest);
    if (chase->terrain.speed)
        printf("%.3f |\n", time / least(&chase->terrain, start, end));
    else
        printf("|\n");
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--head") == 0) {
        puts("| chase | captured at | waited | path | shortest | path/shortest "
             "| Fermat |\n|---|---|---|---|---|---|---|");
        return 0;
    }
    if (argc != 3) {
        fputs("usage: chases LABEL RECORDING; chases --head\n", stderr);
        return 2;
    }
    struct chase chase;
    chase_open(&chase, argv[2]);
    size_t agents = variable_elements(find(&chase, "agents", 0));
    for (size_t agent = 0; agent < agents; agent++) {
        read_walk(&chase, "agents", agent, chase.agent);
        print_row(&chase, argv[1], agent);
    }
    chase_close(&chase);
    return 0;
}
