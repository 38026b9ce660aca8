/* SPDX-License-Identifier: MIT */
#include "analysis/study/steering.h"

#include "analysis/study/trace.h"
#include "base/memory.h"
#include "base/need.h"
#include "recording/read/tables.h"
#include "search/least_time.h"
#include "view/front.h"
#include "view/tracks.h"

#include <math.h>
#include <string.h>

/* Spacing of the points for Hausdorff distances, cells. */
static const double spacing = 0.05;

/* State while a reading is measured. */
struct measuring {
    struct steering *steering;
    const struct study *study;
    const struct reading *reading;
    const struct recording *recording;
    int wave;
    size_t source;
    struct tracks tracks;
    struct terrain blind; /* only walls; borrowed from the terrain */
    struct least_time *least, *shortest;
};

static enum status check_reading(const struct measuring *m, struct error *error)
{
    const char *motion = recording_setting(m->recording, "target.motion");
    const char *wrong = NULL;
    if (!recording_find(m->recording, "agents/x"))
        wrong = "agents, whose starts are where paths begin";
    else if (motion && strcmp(motion, "still") != 0)
        wrong = "target.motion = still";
    else if (recording_rows(m->recording) == 0)
        wrong = "rows, and none is committed";
    else if (recording_setting_real(m->recording, "record.every", 1) != 1)
        wrong = "record.every = 1 (record.keyframes keeps the file small)";
    else if (recording_version_at(m->recording, INT64_MAX) != 0)
        wrong = "a map that does not change";
    if (!wrong)
        return STATUS_OK;
    return error_set(
        error, STATUS_INPUT,
        "%s: to measure steering, record with %s (samples/steering)",
        recording_path(m->recording), wrong);
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
    m->blind = (struct terrain){ .grid = terrain->grid, .wall = terrain->wall };
    return status
               ? status
               : areas_read(&m->steering->areas, m->recording, terrain, error);
}

/* The source of the wave; in a run without waves the target's cell. */
static enum status find_source(struct measuring *m, struct error *error)
{
    struct steering *steering = m->steering;
    const struct grid *grid = &steering->terrain.grid;
    const struct tracks *tracks = &m->tracks;
    const struct track *target =
        tracks->count ? &tracks->track[tracks->count - 1] : NULL;
    int cell[GRID_AXES];
    if (recording_ran_waves(m->recording)) {
        struct emission emission;
        enum status status =
            emission_first(m->recording, m->wave, &emission, error);
        if (status)
            return status;
        memcpy(cell, emission.cell, sizeof cell);
    } else if (target && target->number < 0) {
        const double at[GRID_AXES] = { target->at[0][0], target->at[1][0],
                                       target->at[2][0] };
        grid_cell(grid, grid_nearest(grid, at), cell);
    } else {
        return error_set(error, STATUS_INPUT,
                         "%s: to measure steering, record with a target",
                         recording_path(m->recording));
    }
    m->source = grid_index(grid, cell[0], cell[1], cell[2]);
    for (int axis = 0; axis < GRID_AXES; axis++)
        steering->source[axis] = cell[axis];
    return STATUS_OK;
}

static enum status solve(struct measuring *m, struct error *error)
{
    const struct terrain *terrain = &m->steering->terrain;
    if (terrain->wall[m->source])
        return error_set(error, STATUS_INPUT, "%s: the source is in a wall",
                         recording_path(m->recording));
    enum status status = least_time_new(terrain, m->source, &m->least, error);
    if (!status)
        status = least_time_new(&m->blind, m->source, &m->shortest, error);
    return status;
}

/* ---- the references ---- */

static void take_path(const struct least_path *found,
                      struct steering_path *path)
{
    for (size_t i = 0; i < found->count; i++)
        polyline_add(&path->line, found->points[i]);
    path->there = path->arrived = true;
}

/* The place at `at`, new or not; *place is SIZE_MAX if it is too near, or has
 * no path to the source. */
static enum status find_place(struct measuring *m, const double at[GRID_AXES],
                              size_t *place, struct error *error)
{
    struct steering *steering = m->steering;
    struct least_path found;
    for (*place = 0; *place < steering->place_count; ++*place)
        if (memcmp(steering->places[*place].at, at,
                   sizeof steering->places->at) == 0)
            return STATUS_OK;
    *place = SIZE_MAX;
    enum status status = least_time_path(m->shortest, at, &found, error);
    if (status || !found.found || found.time <= 3)
        return status;
    struct steering_place *here = &steering->places[steering->place_count];
    *place = steering->place_count++;
    memcpy(here->at, at, sizeof here->at);
    here->geodesic = found.time;
    steering->bound = fmax(steering->bound, found.bound);
    take_path(&found, &here->path[STEERING_SHORTEST]);
    status = least_time_path(m->least, at, &found, error);
    here->least = found.time;
    steering->bound = fmax(steering->bound, found.bound);
    if (!status)
        take_path(&found, &here->path[STEERING_LEAST]);
    return status;
}

/* ---- agents ---- */

static enum status find_method(const struct measuring *m, size_t number,
                               enum agent_method *method, struct error *error)
{
    char name[64];
    enum status status = recording_agent_text(m->recording, "agents/method",
                                              number, name, sizeof name, error);
    for (int i = 0; agent_methods[i] && !status; i++)
        if (strcmp(agent_methods[i]->name, name) == 0) {
            *method = (enum agent_method)i;
            return STATUS_OK;
        }
    return status ? status
                  : error_set(error, STATUS_INPUT,
                              "%s: agents/method: '%s' is not a method",
                              recording_path(m->recording), name);
}

/* A track's position at a row. STATUS_INPUT if it is outside the map. */
static enum status read_position(const struct measuring *m,
                                 const struct track *track, int64_t row,
                                 double at[GRID_AXES], struct error *error)
{
    const struct box whole = grid_box(&m->steering->terrain.grid);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        at[axis] = track->at[axis][row];
        if (!(at[axis] >= 0 && at[axis] <= whole.high[axis]))
            return error_set(error, STATUS_INPUT,
                             "%s: row %lld: agent %s is outside the map; "
                             "hamon-check reports all faults",
                             recording_path(m->recording), (long long)row,
                             track->name);
    }
    return STATUS_OK;
}

/* Ends the path of an agent that captured from a distance: by the path of
 * minimum time, because the straight line may cross a wall. */
static enum status end_path(const struct measuring *m,
                            struct steering_path *path, struct error *error)
{
    struct least_path rest;
    enum status status = least_time_path(
        m->least, path->line.points[path->line.count - 1], &rest, error);
    for (size_t i = 0; i < rest.count && !status; i++)
        polyline_add(&path->line, rest.points[i]);
    path->arrived = path->arrived && rest.found;
    return status;
}

/* Takes the track's positions at all rows; then those to the source, if it
 * captured. */
static enum status follow(const struct measuring *m, const struct track *track,
                          struct steering_agent *agent, struct error *error)
{
    struct steering_path *path = &agent->path;
    enum status status = STATUS_OK;
    for (int64_t row = 0; row < m->tracks.rows && !status; row++) {
        double at[GRID_AXES];
        status = read_position(m, track, row, at, error);
        if (!status)
            polyline_add(&path->line, at);
    }
    path->there = true;
    path->arrived = !isnan(agent->steps);
    if (!status && path->arrived)
        status = end_path(m, path, error);
    return status;
}

/* The agents that start more than 3 from the source, with a path to it; steps
 * (agent): to the capture, or NAN. */
static enum status take_agents(struct measuring *m, const double *steps,
                               struct error *error)
{
    struct steering *steering = m->steering;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < m->tracks.count && !status; i++) {
        const struct track *track = &m->tracks.track[i];
        double at[GRID_AXES];
        size_t place = SIZE_MAX;
        if (track->number < 0)
            continue;
        status = read_position(m, track, 0, at, error);
        if (!status)
            status = find_place(m, at, &place, error);
        steering->left_out += place == SIZE_MAX;
        if (status || place == SIZE_MAX || m->study->variation_count)
            continue;
        struct steering_agent *agent =
            &steering->agents[steering->agent_count++];
        agent->place = place;
        agent->steps = steps[track->number];
        memcpy(agent->name, track->name, sizeof agent->name);
        status = find_method(m, (size_t)track->number, &agent->method, error);
        if (!status)
            status = follow(m, track, agent, error);
    }
    if (!status && !steering->place_count)
        status = error_set(error, STATUS_INPUT,
                           "%s: no agent starts farther than 3 cells from the "
                           "source and can reach it",
                           recording_path(m->recording));
    return status;
}

/* Steps from the first row to each agent's capture. */
static enum status read_captures(const struct measuring *m, double *steps,
                                 size_t agents, struct error *error)
{
    static const char *const names[] = { "agent", "step" };
    double *column[2] = { NULL };
    size_t rows;
    enum status status = table_columns_read(m->recording, "captures", names, 2,
                                            column, &rows, error);
    for (size_t i = 0; i < agents; i++)
        steps[i] = NAN;
    for (size_t i = 0; i < rows && !status; i++)
        if (column[0][i] >= 0 && column[0][i] < (double)agents &&
            isnan(steps[(size_t)column[0][i]]))
            steps[(size_t)column[0][i]] =
                column[1][i] - (double)recording_steps(m->recording)[0];
    memory_release(column[0]);
    memory_release(column[1]);
    return status;
}

static enum status read_agents(struct measuring *m, struct error *error)
{
    struct steering *steering = m->steering;
    size_t agents = variable_elements(recording_find(m->recording, "agents/x"));
    double *steps = need_memory(agents, sizeof *steps);
    steering->places = need_memory(agents, sizeof *steering->places);
    steering->agents = need_memory(agents, sizeof *steering->agents);
    enum status status = read_captures(m, steps, agents, error);
    if (!status)
        status = take_agents(m, steps, error);
    memory_release(steps);
    return status;
}

/* ---- paths along the recorded headings ---- */

/* Do the rows have the data to follow a front? */
static bool can_trace(const struct measuring *m, struct arrival_settings *how)
{
    char name[VARIABLE_NAME_SIZE];
    struct box region = recording_region(m->recording);
    struct box whole = grid_box(&m->steering->terrain.grid);
    snprintf(name, sizeof name, "wave%d_grad_x", m->wave);
    return recording_find(m->recording, name) &&
           memcmp(&region, &whole, sizeof whole) == 0 &&
           !reading_arrival(m->study, m->reading, how, NULL);
}

/* Does the trace end in a cell that the wave has not reached? */
static bool has_no_heading(const struct front *front,
                           const struct steering_path *trace)
{
    if (trace->arrived || !trace->line.count)
        return false;
    size_t cell = grid_nearest(&front->terrain.grid,
                               trace->line.points[trace->line.count - 1]);
    return front->step[cell] < 0;
}

static enum status trace_places(struct measuring *m, struct error *error)
{
    struct steering *steering = m->steering;
    struct arrival_settings how;
    if (!can_trace(m, &how))
        return STATUS_OK;
    struct front front = { 0 };
    enum status status = front_open(&front, m->recording, m->wave, error);
    if (!status)
        status = front_follow(&front, m->recording, m->wave, &how, NULL, error);
    for (size_t i = 0; i < steering->place_count && !status; i++) {
        struct steering_place *place = &steering->places[i];
        struct steering_path *path = &place->path[STEERING_TRACE];
        path->there = true;
        trace_follow(&steering->terrain,
                     (const double(*)[GRID_AXES])front.heading, place->at,
                     steering->source, place->geodesic, &path->line,
                     &path->arrived);
    }
    for (size_t i = 0; i < steering->place_count && !status; i++)
        steering->undetected +=
            has_no_heading(&front, &steering->places[i].path[STEERING_TRACE]);
    steering->sent_anew = front.sent_anew;
    front_release(&front);
    return status;
}

/* ---- all measurements ---- */

static void compare(const struct steering *steering,
                    const struct steering_place *place,
                    struct steering_path *path)
{
    path->time = polyline_time(&path->line, &steering->terrain);
    path->length = polyline_length(&path->line);
    path->fermat = path->hausdorff = path->ratio = NAN;
    if (!path->arrived)
        return;
    path->fermat = path->time / place->least;
    path->ratio = path->length / place->geodesic;
    path->hausdorff = polyline_hausdorff(
        &path->line, &place->path[STEERING_LEAST].line, spacing);
}

static void compare_all(struct steering *steering)
{
    for (size_t i = 0; i < steering->place_count; i++)
        for (int kind = 0; kind < STEERING_PATHS; kind++)
            compare(steering, &steering->places[i],
                    &steering->places[i].path[kind]);
    for (size_t i = 0; i < steering->agent_count; i++)
        compare(steering, &steering->places[steering->agents[i].place],
                &steering->agents[i].path);
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
        status = tracks_read(m.recording, recording_rows(m.recording), NULL, 0,
                             &m.tracks, error);
    if (!status)
        status = find_source(&m, error);
    if (!status)
        status = solve(&m, error);
    if (!status)
        status = read_agents(&m, error);
    if (!status)
        status = trace_places(&m, error);
    if (!status)
        compare_all(steering);
    tracks_release(&m.tracks);
    least_time_release(m.least);
    least_time_release(m.shortest);
    return status;
}

void steering_release(struct steering *steering)
{
    for (size_t i = 0; i < steering->place_count; i++)
        for (int kind = 0; kind < STEERING_PATHS; kind++)
            polyline_release(&steering->places[i].path[kind].line);
    for (size_t i = 0; i < steering->agent_count; i++)
        polyline_release(&steering->agents[i].path.line);
    memory_release(steering->places);
    memory_release(steering->agents);
    areas_release(&steering->areas);
    terrain_release(&steering->terrain);
    *steering = (struct steering){ 0 };
}
