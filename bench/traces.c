/* SPDX-License-Identifier: MIT */
/* Does one wave lead every cell to its source, and by which way? The target of
 * each scenario sends one wave over the map as it starts; every cell takes the
 * heading that the scenario's detector and rule give at its arrival, and paths
 * follow these headings, as an agent moves, from every free cell whose
 * coordinates are multiples of SPACING.
 *
 *   reach    cells with an arrival over cells that the target can be reached
 *            from, farther than 3 cells from it
 *   traced   paths that come within 3 cells and in sight of it, before
 *            4d + 40 cells
 *   length   of these, the mean (and worst) path length over the shortest
 *   Fermat   the mean (and worst) time ∫ds/c along them over the least time
 *
 * Both are measured by fast marching on a grid three times finer, a little
 * late behind corners, so that a ratio may be just under 1. Prints the columns
 * of a table: reach, share traced, length, its worst, Fermat, its worst.
 * --fast-marching follows the headings of fast marching on the map's own grid
 * instead: what following headings cell by cell costs by itself.
 * usage: traces [-s SPACING] [--fast-marching] [--set KEY=VALUE]... SCENARIO */
#include "base/memory.h"
#include "pursuit/motion.h"
#include "scenario/scenario.h"
#include "search/fast_marching.h"
#include "search/sight.h"
#include "wave/laplace_pair.h"
#include "wave/wave.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 32 };
#define STRIDE 0.25 /* cells that a path goes at a time */
#define NEAR 3      /* cells from the source where headings mean nothing */

struct study {
    const struct scenario *scenario;
    struct terrain plain; /* the walls alone, for lengths */
    size_t source;
    double source_at[GRID_AXES];
    double (*heading)[GRID_AXES]; /* (cells), all 0 before the arrival */
    uint8_t *reached;             /* (cells) from the source */
    struct fast_marching *lengths, *times;
};

struct score {
    size_t cells, heard, starts, traced;
    double length, longest, time, latest;
};

static void give_up(const struct error *error)
{
    fprintf(stderr, "traces: %s\n", error->message);
    exit(2);
}

static struct fast_marching *march(const struct terrain *terrain, size_t from)
{
    struct fast_marching *marching;
    struct error error;
    if (fast_marching_new(terrain, &fast_marching_fine, &marching, &error))
        give_up(&error);
    fast_marching_solve(marching, from, SIZE_MAX);
    return marching;
}

static bool is_heard(const struct study *study, size_t cell)
{
    const double *heading = study->heading[cell];
    return heading[0] != 0 || heading[1] != 0 || heading[2] != 0;
}

/* One wave, and what listens to it. */
struct hearing {
    const struct study *study;
    struct team *team;
    struct medium *medium;
    struct wave *wave;
    bool by_laplace;
    struct laplace_pair laplace;
};

static void hearing_init(struct hearing *hearing, const struct study *study)
{
    const struct scenario *scenario = study->scenario;
    const struct arrival_settings *arrival = &scenario->arrival;
    bool single = scenario->wave.precision == PRECISION_SINGLE;
    const struct laplace_options options = {
        .p = arrival->p,
        .eta = arrival->eta,
        .amplitude = scenario->wave.amplitude,
        .lifetime = scenario->wave.lifetime,
        .width = single ? sizeof(float) : sizeof(double),
        .steps = true,
        .matched = scenario->wave.stencil == stencil_find("9-point"),
    };
    struct error error;
    *hearing = (struct hearing){
        .study = study,
        .by_laplace = arrival->detector == &detector_laplace,
    };
    if (team_new(1, scenario->wave.flush_denormals, &hearing->team, &error) ||
        medium_new(&scenario->terrain, &scenario->wave, &hearing->medium,
                   &error) ||
        wave_new(hearing->medium, &hearing->wave, &error) ||
        laplace_pair_init(&hearing->laplace, &scenario->terrain, &options,
                          arrival->heading == HEADING_ARRIVAL_TIME, &error))
        give_up(&error);
    wave_emit(hearing->wave, study->source, 0);
    laplace_pair_begin(&hearing->laplace, study->source);
}

static void hearing_release(struct hearing *hearing)
{
    laplace_pair_release(&hearing->laplace);
    wave_release(hearing->wave);
    medium_release(hearing->medium);
    team_release(hearing->team);
}

/* ∇U or −∇T, if the sum is whole with this age. */
static void listen_laplace(const struct hearing *hearing, size_t cell)
{
    double slope[GRID_AXES];
    if (laplace_pair_steps(&hearing->laplace)[cell] !=
        hearing->laplace.sum[0].age)
        return;
    laplace_pair_slope(&hearing->laplace, cell, slope);
    heading_unit(slope, hearing->study->heading[cell]);
}

/* ±∇z, if |z| is at the level for the first time. */
static void listen(const struct hearing *hearing, size_t cell, double level)
{
    const struct study *study = hearing->study;
    double z = wave_value(hearing->wave, cell), gradient[GRID_AXES];
    if (is_heard(study, cell) || !(fabs(z) > 0 && fabs(z) >= level))
        return;
    int place[GRID_AXES];
    grid_cell(&study->plain.grid, cell, place);
    double at[GRID_AXES] = { place[0], place[1], place[2] };
    wave_sample_gradient(hearing->wave, at, gradient);
    if (!heading_unit(gradient, study->heading[cell]))
        return;
    if (study->scenario->arrival.heading == HEADING_SIGNED && z < 0)
        for (int axis = 0; axis < GRID_AXES; axis++)
            study->heading[cell][axis] *= -1;
}

static void hear_generation(struct hearing *hearing, int64_t age)
{
    const struct study *study = hearing->study;
    const struct arrival_settings *arrival = &study->scenario->arrival;
    double level = 0;
    if (hearing->by_laplace) {
        struct amplitudes newest = wave_newest(hearing->wave);
        laplace_pair_take(&hearing->laplace, &newest, age, hearing->team);
    } else {
        level = arrival->detector->level(arrival,
                                         study->scenario->wave.amplitude, age);
    }
    for (size_t i = 0; age > 0 && i < grid_cells(&study->plain.grid); i++) {
        if (!study->reached[i] || i == study->source)
            continue;
        if (hearing->by_laplace)
            listen_laplace(hearing, i);
        else
            listen(hearing, i, level);
    }
}

static void hear(const struct study *study)
{
    struct hearing hearing;
    hearing_init(&hearing, study);
    hear_generation(&hearing, 0);
    for (int64_t age = 1; age <= study->scenario->wave.lifetime; age++) {
        wave_step(hearing.wave, hearing.team);
        hear_generation(&hearing, age);
    }
    hearing_release(&hearing);
}

static void hear_fast_marching(const struct study *study)
{
    const struct terrain *terrain = &study->scenario->terrain;
    struct fast_marching *marching;
    struct error error;
    if (fast_marching_new(terrain, &fast_marching_plain, &marching, &error))
        give_up(&error);
    fast_marching_solve(marching, study->source, SIZE_MAX);
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++) {
        int place[GRID_AXES];
        grid_cell(&terrain->grid, i, place);
        double at[GRID_AXES] = { place[0], place[1], place[2] };
        fast_marching_heading(marching, at, study->heading[i]);
    }
    fast_marching_release(marching);
}

static double slowness(const struct study *study, const double at[GRID_AXES])
{
    const struct terrain *terrain = &study->scenario->terrain;
    return terrain->speed ? 1 / terrain->speed[grid_nearest(&terrain->grid, at)]
                          : 1;
}

/* ∫ds/c along a straight piece. */
static double time_along(const struct study *study,
                         const double from[GRID_AXES],
                         const double to[GRID_AXES])
{
    double length = motion_distance(from, to), time = 0;
    int pieces = (int)ceil(length / (STRIDE / 8)) + 1;
    for (int i = 0; i < pieces; i++) {
        double at[GRID_AXES];
        for (int axis = 0; axis < GRID_AXES; axis++)
            at[axis] =
                from[axis] + (to[axis] - from[axis]) * (i + 0.5) / pieces;
        time += slowness(study, at) * length / pieces;
    }
    return time;
}

/* Follows the headings from a cell; false where they do not lead to the
 * source. */
static bool trace(const struct study *study, const int start[GRID_AXES],
                  double distance, double *length, double *time)
{
    const struct terrain *terrain = &study->scenario->terrain;
    double at[GRID_AXES] = { start[0], start[1], start[2] };
    *length = *time = 0;
    for (double gone = 0; gone <= 4 * distance + 40; gone += STRIDE) {
        double left = motion_distance(at, study->source_at), from[GRID_AXES];
        if (left <= NEAR && search_in_sight(terrain, at, study->source_at)) {
            *length += left;
            *time += time_along(study, at, study->source_at);
            return true;
        }
        memcpy(from, at, sizeof from);
        if (!motion_step(terrain, at,
                         study->heading[grid_nearest(&terrain->grid, at)],
                         STRIDE))
            return false;
        *length += motion_distance(from, at);
        *time += time_along(study, from, at);
    }
    return false;
}

static void score_start(const struct study *study, const int start[GRID_AXES],
                        struct score *score)
{
    const struct grid *grid = &study->plain.grid;
    size_t cell = grid_index(grid, start[0], start[1], start[2]);
    double shortest = fast_marching_time(study->lengths, cell);
    double least = fast_marching_time(study->times, cell), length, time;
    score->starts++;
    if (!trace(study, start, shortest, &length, &time))
        return;
    score->traced++;
    score->length += length / shortest;
    score->longest = fmax(score->longest, length / shortest);
    score->time += time / least;
    score->latest = fmax(score->latest, time / least);
}

static struct score score_all(const struct study *study, int spacing)
{
    const struct grid *grid = &study->plain.grid;
    struct score score = { 0 };
    for (size_t i = 0; i < grid_cells(grid); i++) {
        int at[GRID_AXES];
        grid_cell(grid, i, at);
        double place[GRID_AXES] = { at[0], at[1], at[2] };
        if (!study->reached[i] ||
            motion_distance(place, study->source_at) <= NEAR)
            continue;
        score.cells++;
        score.heard += is_heard(study, i);
        if (at[0] % spacing == 0 && at[1] % spacing == 0 &&
            at[2] % spacing == 0)
            score_start(study, at, &score);
    }
    return score;
}

static void prepare(struct study *study, struct error *error)
{
    const struct terrain *terrain = &study->scenario->terrain;
    size_t cells = grid_cells(&terrain->grid);
    int32_t *queue = memory_new(cells, sizeof *queue);
    study->heading = memory_new(cells, sizeof *study->heading);
    study->reached = memory_new(cells, 1);
    if (!queue || !study->heading || !study->reached ||
        terrain_copy(terrain, &study->plain, error))
        give_up(error);
    memory_release(study->plain.speed);
    study->plain.speed = NULL;
    memcpy(study->source_at, study->scenario->target.place.at,
           sizeof study->source_at);
    study->source = grid_nearest(&terrain->grid, study->source_at);
    terrain_flood(terrain, study->source, study->reached, queue);
    memory_release(queue);
    study->lengths = march(&study->plain, study->source);
    study->times =
        terrain->speed ? march(terrain, study->source) : study->lengths;
}

static void clear_up(struct study *study)
{
    if (study->times != study->lengths)
        fast_marching_release(study->times);
    fast_marching_release(study->lengths);
    terrain_release(&study->plain);
    memory_release(study->heading);
    memory_release(study->reached);
}

static void report(const struct score *score)
{
    double traced = (double)score->traced;
    printf("%.4f | %.4f | %.4f | %.4f | %.4f | %.4f\n",
           (double)score->heard / (double)score->cells,
           traced / (double)score->starts, score->length / traced,
           score->longest, score->time / traced, score->latest);
}

static bool is_measurable(const struct scenario *scenario)
{
    const struct arrival_settings *arrival = &scenario->arrival;
    return scenario->has_wave && !scenario->target.place.random &&
           (arrival->detector == &detector_laplace ||
            (arrival->detector->level && arrival->heading <= HEADING_PAPER));
}

static void measure(const struct scenario *scenario, int spacing,
                    bool fast_marching)
{
    struct study study = { .scenario = scenario };
    struct error error;
    prepare(&study, &error);
    if (fast_marching)
        hear_fast_marching(&study);
    else
        hear(&study);
    struct score score = score_all(&study, spacing);
    report(&score);
    clear_up(&study);
}

int main(int argc, char **argv)
{
    const char *sets[MOST_SETS], *path = NULL;
    size_t set_count = 0;
    int spacing = 6;
    bool fast_marching = false;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-s") == 0 && i + 1 < argc)
            spacing = atoi(argv[++i]);
        else if (strcmp(argv[i], "--fast-marching") == 0)
            fast_marching = true;
        else if (strcmp(argv[i], "--set") == 0 && i + 1 < argc &&
                 set_count < MOST_SETS)
            sets[set_count++] = argv[++i];
        else
            path = argv[i];
    if (!path || spacing < 1) {
        fputs("usage: traces [-s SPACING] [--fast-marching]"
              " [--set KEY=VALUE]... SCENARIO\n",
              stderr);
        return 2;
    }
    struct scenario *scenario;
    struct error error;
    if (scenario_load(path, sets, set_count, &scenario, &error))
        give_up(&error);
    if (is_measurable(scenario))
        measure(scenario, spacing, fast_marching);
    else
        fputs("traces: a target at a place, and a detector with a level and "
              "heading paper or signed, or laplace, are expected\n",
              stderr);
    bool measured = is_measurable(scenario);
    scenario_release(scenario);
    return measured ? 0 : 2;
}
