/* SPDX-License-Identifier: MIT */
#include "steering.h"

#include "base/memory.h"
#include "descent.h"
#include "front.h"
#include "recording/tables.h"
#include "search/exact.h"
#include "search/fast_marching.h"
#include "trace.h"

#include <math.h>
#include <string.h>

const char *const steering_kind_names[] = {
    [STEERING_TRAJECTORY] = "agents",
    [STEERING_TRACE] = "traces",
    [STEERING_MARCHING] = "fast marching",
    [STEERING_SHORTEST] = "shortest path",
    [STEERING_KINDS] = NULL,
};

/* Spacing at which Hausdorff distances are looked for, cells. */
static const double spacing = 0.05;

/* What is open while a reading is measured. */
struct measuring {
    struct steering *steering;
    const struct study *study;
    const struct reading *reading;
    const struct recording *recording;
    int wave;
    struct emission emission;
    size_t source;
    size_t agents; /* in the recording; starts are some of them */
    size_t *agent; /* (start): its number */
    struct exact *exact;
    struct fast_marching *marching;
};

static enum status check_reading(const struct measuring *m, struct error *error)
{
    const char *motion = recording_setting(m->recording, "target.motion");
    const char *wrong = NULL;
    if (recording_grid(m->recording)->dims != 2)
        wrong = "a map of 2D";
    else if (!recording_find(m->recording, "agents/x"))
        wrong = "agents, whose starts are where paths begin";
    else if (motion && strcmp(motion, "still") != 0)
        wrong = "target.motion = still";
    else if (recording_rows(m->recording) == 0)
        wrong = "rows, and none is committed";
    else if (recording_version_at(m->recording, INT64_MAX) != 0)
        wrong = "a map that does not change";
    if (!wrong)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "%s: steering is measured with %s (samples/steering)",
                     recording_path(m->recording), wrong);
}

static void find_contrast(struct steering *steering)
{
    const struct terrain *terrain = &steering->terrain;
    steering->contrast = 1;
    for (size_t i = 0; terrain->speed && i < grid_cells(&terrain->grid); i++)
        if (!terrain->wall[i] &&
            fabs(log(terrain->speed[i])) > fabs(log(steering->contrast)))
            steering->contrast = terrain->speed[i];
}

static enum status read_terrain(struct measuring *m, struct error *error)
{
    struct terrain *terrain = &m->steering->terrain;
    enum status status =
        terrain_init(terrain, recording_grid(m->recording), error);
    if (!status)
        status = recording_read_terrain(m->recording, "wall", 0, terrain->wall,
                                        error);
    if (!status && recording_find(m->recording, "speed")) {
        status = terrain_prepare(terrain, CHANGE_SPEED, error);
        if (!status)
            status = recording_read_terrain(m->recording, "speed", 0,
                                            terrain->speed, error);
    }
    if (!status)
        status = emission_first(m->recording, m->wave, &m->emission, error);
    if (status)
        return status;
    m->source =
        grid_index(&terrain->grid, m->emission.cell[0], m->emission.cell[1], 0);
    m->steering->source[0] = m->emission.cell[0];
    m->steering->source[1] = m->emission.cell[1];
    find_contrast(m->steering);
    return STATUS_OK;
}

static enum status solve(struct measuring *m, struct error *error)
{
    const struct terrain *terrain = &m->steering->terrain;
    enum status status = exact_new(terrain, &m->exact, error);
    if (!status)
        status = fast_marching_new(terrain, &fast_marching_fine, &m->marching,
                                   error);
    if (!status && (!exact_solve(m->exact, m->source) ||
                    !fast_marching_solve(m->marching, m->source, SIZE_MAX)))
        status = error_set(error, STATUS_INPUT, "%s: the source is in a wall",
                           recording_path(m->recording));
    return status;
}

/* T between cell centres: on the slope of the nearest one. */
static double time_at(const struct measuring *m, const double at[GRID_AXES])
{
    const struct terrain *terrain = &m->steering->terrain;
    size_t cell = grid_nearest(&terrain->grid, at);
    int centre[GRID_AXES];
    double slope[GRID_AXES];
    double time = fast_marching_time(m->marching, cell);
    grid_cell(&terrain->grid, cell, centre);
    if (fast_marching_heading(m->marching, at, slope))
        for (int axis = 0; axis < 2; axis++)
            time -= slope[axis] * (at[axis] - centre[axis]) /
                    (terrain->speed ? terrain->speed[cell] : 1);
    return time;
}

static enum status read_row(const struct measuring *m, int64_t row, double *x,
                            double *y, struct error *error)
{
    enum status status = recording_read_real(
        m->recording, recording_find(m->recording, "agents/x"), row, x, error);
    return status
               ? status
               : recording_read_real(m->recording,
                                     recording_find(m->recording, "agents/y"),
                                     row, y, error);
}

/* The agents that start farther than 3 from the source, on its side of the
 * walls. */
static enum status find_starts(struct measuring *m, double *x, double *y,
                               struct error *error)
{
    struct steering *steering = m->steering;
    steering->starts = memory_new(m->agents, sizeof *steering->starts);
    m->agent = memory_new(m->agents, sizeof *m->agent);
    if (!steering->starts || !m->agent)
        return error_memory(error);
    enum status status = read_row(m, 0, x, y, error);
    for (size_t i = 0; i < m->agents && !status; i++) {
        double at[GRID_AXES] = { x[i], y[i], 0 };
        double distance =
            exact_distance(m->exact, grid_nearest(&steering->terrain.grid, at));
        if (!(distance > 3) || isinf(distance))
            continue;
        m->agent[steering->start_count] = i;
        steering->starts[steering->start_count++] = (struct steering_start){
            .at = { x[i], y[i] },
            .least = time_at(m, at),
            .geodesic = distance,
        };
    }
    if (!status && !steering->start_count)
        status = error_set(error, STATUS_INPUT,
                           "%s: no agent starts farther than 3 cells from the "
                           "source and can come to it",
                           recording_path(m->recording));
    return status;
}

/* ---- agents' own paths ---- */

/* Which agents go by the wave, and which of them captured. */
static enum status find_captors(struct measuring *m, struct error *error)
{
    struct steering *steering = m->steering;
    int64_t used = recording_table_rows(m->recording, "captures");
    double *captor = NULL;
    enum status status = STATUS_OK;
    if (used > 0)
        status = table_column_read(m->recording, "captures/agent", (size_t)used,
                                   &captor, error);
    for (size_t i = 0; i < steering->start_count && !status; i++) {
        struct steering_path *path =
            &steering->starts[i].path[STEERING_TRAJECTORY];
        char method[64];
        status =
            recording_agent_text(m->recording, "agents/method", m->agent[i],
                                 method, sizeof method, error);
        path->there = !status && strcmp(method, "wave") == 0;
        for (int64_t c = 0; c < used && path->there; c++)
            path->arrived = path->arrived || captor[c] == (double)m->agent[i];
    }
    memory_release(captor);
    return status;
}

static enum status follow_agents(struct measuring *m, double *x, double *y,
                                 struct error *error)
{
    struct steering *steering = m->steering;
    enum status status = find_captors(m, error);
    for (int64_t row = 0; row < recording_rows(m->recording) && !status;
         row++) {
        status = read_row(m, row, x, y, error);
        for (size_t i = 0; i < steering->start_count && !status; i++) {
            struct steering_path *path =
                &steering->starts[i].path[STEERING_TRAJECTORY];
            double at[2] = { x[m->agent[i]], y[m->agent[i]] };
            if (path->there)
                status = polyline_add(&path->line, at, error);
        }
    }
    for (size_t i = 0; i < steering->start_count && !status; i++) {
        struct steering_path *path =
            &steering->starts[i].path[STEERING_TRAJECTORY];
        if (path->arrived)
            status = polyline_add(&path->line, steering->source, error);
    }
    return status;
}

/* ---- paths along the recorded headings ---- */

/* Do the rows hold what a front is followed by? */
static bool can_trace(const struct measuring *m, struct arrival_settings *how)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d_grad_x", m->wave);
    return recording_find(m->recording, name) &&
           recording_setting_real(m->recording, "record.every", 1) == 1 &&
           !reading_arrival(m->study, m->reading, how, NULL);
}

static enum status trace_starts(struct measuring *m, struct error *error)
{
    struct steering *steering = m->steering;
    struct arrival_settings how;
    steering->traced = can_trace(m, &how);
    if (!steering->traced)
        return STATUS_OK;
    struct front front = { 0 };
    enum status status = front_open(&front, m->recording, m->wave, error);
    if (!status)
        status = front_follow(&front, m->recording, m->wave, &how, NULL, error);
    for (size_t i = 0; i < steering->start_count && !status; i++) {
        struct steering_start *start = &steering->starts[i];
        struct steering_path *path = &start->path[STEERING_TRACE];
        path->there = true;
        status =
            trace_follow(&steering->terrain, (const double(*)[2])front.heading,
                         start->at, steering->source, start->geodesic,
                         &path->line, &path->arrived, error);
    }
    front_release(&front);
    return status;
}

/* ---- the references ---- */

static enum status march_down(const struct measuring *m,
                              const struct steering_start *start,
                              struct steering_path *path, struct error *error)
{
    path->there = true;
    return descent_follow(
        m->marching, &m->steering->terrain, fast_marching_fine.refine,
        start->at, m->steering->source, &path->line, &path->arrived, error);
}

static enum status shortest(const struct measuring *m,
                            const struct steering_start *start,
                            struct steering_path *path, struct error *error)
{
    const double at[GRID_AXES] = { start->at[0], start->at[1], 0 };
    size_t cell = grid_nearest(&m->steering->terrain.grid, at);
    size_t count = exact_path(m->exact, cell, NULL, 0);
    double(*points)[2] = memory_new(count, sizeof *points);
    enum status status = points ? STATUS_OK : error_memory(error);
    if (!status)
        exact_path(m->exact, cell, points, count);
    for (size_t i = 0; i < count && !status; i++)
        status = polyline_add(&path->line, i ? points[i] : start->at, error);
    memory_release(points);
    path->there = path->arrived = true;
    return status;
}

static void judge(const struct measuring *m, struct steering_start *start)
{
    const struct steering_path *least = &start->path[STEERING_MARCHING];
    for (int kind = 0; kind < STEERING_KINDS; kind++) {
        struct steering_path *path = &start->path[kind];
        path->fermat = path->hausdorff = path->ratio = NAN;
        if (!path->arrived)
            continue;
        path->fermat =
            polyline_time(&path->line, &m->steering->terrain) / start->least;
        path->ratio = polyline_length(&path->line) / start->geodesic;
        if (least->arrived)
            path->hausdorff =
                polyline_hausdorff(&path->line, &least->line, spacing);
    }
}

static enum status make_paths(struct measuring *m, struct error *error)
{
    struct steering *steering = m->steering;
    m->agents = variable_elements(recording_find(m->recording, "agents/x"));
    double *x = memory_new(m->agents, sizeof *x);
    double *y = memory_new(m->agents, sizeof *y);
    enum status status = x && y ? STATUS_OK : error_memory(error);
    if (!status)
        status = find_starts(m, x, y, error);
    if (!status && !m->study->variation_count)
        status = follow_agents(m, x, y, error);
    if (!status)
        status = trace_starts(m, error);
    for (size_t i = 0; i < steering->start_count && !status; i++) {
        struct steering_start *start = &steering->starts[i];
        status = march_down(m, start, &start->path[STEERING_MARCHING], error);
        if (!status)
            status = shortest(m, start, &start->path[STEERING_SHORTEST], error);
        if (!status)
            judge(m, start);
    }
    memory_release(x);
    memory_release(y);
    return status;
}

enum status steering_measure(struct steering *steering,
                             const struct study *study,
                             const struct reading *reading, int wave,
                             struct error *error)
{
    struct measuring m = {
        .steering = steering,
        .study = study,
        .reading = reading,
        .recording = reading->recording,
        .wave = wave,
    };
    *steering = (struct steering){ 0 };
    enum status status = check_reading(&m, error);
    if (!status)
        status = read_terrain(&m, error);
    if (!status)
        status = solve(&m, error);
    if (!status)
        status = make_paths(&m, error);
    exact_release(m.exact);
    fast_marching_release(m.marching);
    memory_release(m.agent);
    return status;
}

void steering_release(struct steering *steering)
{
    for (size_t i = 0; i < steering->start_count; i++)
        for (int kind = 0; kind < STEERING_KINDS; kind++)
            polyline_release(&steering->starts[i].path[kind].line);
    memory_release(steering->starts);
    terrain_release(&steering->terrain);
    *steering = (struct steering){ 0 };
}
