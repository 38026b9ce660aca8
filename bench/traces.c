/* SPDX-License-Identifier: MIT */
/* Does one wave lead every cell to its source, and on which path? The target of
 * each scenario emits one wave at the start; every cell takes the heading of
 * the scenario's detector and rule at its arrival, and paths follow these
 * headings, as an agent moves, from every free cell whose coordinates are
 * multiples of SPACING.
 *
 *   reach    cells with an arrival over cells from which the target can be
 *            reached, farther than 3 cells from it
 *   traced   paths that come within 3 cells and in sight of it, before
 *            4d + 40 cells
 *   length   of these, the mean (and worst) path length over the shortest
 *   Fermat   the mean (and worst) time ∫ds/c along them over the least time
 *
 * Both are measured by fast marching on a grid three times finer, which is late
 * behind every corner by some (2 − √2)/3 of a cell. --extrapolate removes this
 * error: it is proportional to the subcell's side, so a second march on a grid
 * five times finer gives the limit for an infinitely fine one.
 *
 * --marching R follows the headings of fast marching on a grid R times finer
 * instead: 1, the map's own; 5, as good as the true ones, shows the error of
 * following headings from cell to cell. --between follows headings interpolated
 * between cells, as an agent detects them. --each also prints every path: its
 * start, the shortest length, the least time, its own over these, and its
 * length in cells whose speed is not 1.
 *
 * Prints the columns of a table: reach, share traced, length, its worst,
 * Fermat, its worst.
 * usage: traces [-s SPACING] [--marching R] [--extrapolate] [--between]
 *               [--each] [--set KEY=VALUE]... SCENARIO */
#include "traces.h"

#include "base/memory.h"
#include "pursuit/motion.h"
#include "search/sight.h"
#include "tests/world/flood.h"
#include "wave/arrival/detector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 32 };
#define STRIDE 0.25 /* step of a path, in cells */
#define NEAR 3      /* cells from the source without a true heading */

/* The present part of a path. */
struct way {
    double length, time, slowed; /* slowed: length where the speed is not 1 */
};

struct score {
    size_t cells, reached, starts, traced;
    double length, longest, time, latest;
};

void give_up(const struct error *error)
{
    fprintf(stderr, "traces: %s\n", error->message);
    exit(2);
}

struct fast_marching *march(const struct terrain *terrain, int refine,
                            size_t from)
{
    struct fast_marching_settings settings = fast_marching_fine;
    struct fast_marching *marching;
    struct error error;
    settings.refine = refine;
    if (fast_marching_new(terrain,
                          refine == 1 ? &fast_marching_plain : &settings,
                          &marching, &error))
        give_up(&error);
    fast_marching_solve(marching, from, SIZE_MAX);
    return marching;
}

static void *memory_for(size_t count, size_t size)
{
    struct error error;
    void *memory = memory_new(count, size);
    if (!memory) {
        error_memory(&error);
        give_up(&error);
    }
    return memory;
}

/* T of every cell, on a grid three times finer; or with those five times finer
 * T₅ + (T₅ − T₃)·(1/5)/(1/3 − 1/5), which has no term in the subcell's side. */
static double *times_of(const struct study *study,
                        const struct terrain *terrain)
{
    size_t cells = grid_cells(&terrain->grid);
    double *times = memory_for(cells, sizeof *times);
    struct fast_marching *coarse = march(terrain, 3, study->source);
    struct fast_marching *fine =
        study->options->extrapolate ? march(terrain, 5, study->source) : NULL;
    for (size_t i = 0; i < cells; i++) {
        times[i] = fast_marching_time(coarse, i);
        if (fine && isfinite(times[i])) {
            double finer = fast_marching_time(fine, i);
            times[i] = finer + 1.5 * (finer - times[i]);
        }
    }
    fast_marching_release(fine);
    fast_marching_release(coarse);
    return times;
}

static double slowness(const struct study *study, const double at[GRID_AXES])
{
    const struct terrain *terrain = &study->scenario->terrain;
    return terrain->speed ? 1 / terrain->speed[grid_nearest(&terrain->grid, at)]
                          : 1;
}

/* ∫ds/c along a straight segment. */
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

/* With the weights of wave_sample: linear, and 0 in walls. */
static void heading_between(const struct study *study,
                            const double at[GRID_AXES],
                            double heading[GRID_AXES])
{
    const struct terrain *terrain = &study->scenario->terrain;
    double sum[GRID_AXES] = { 0 };
    for (int corner = 0; corner < 1 << terrain->grid.dims; corner++) {
        int place[GRID_AXES] = { 0 };
        double weight = 1;
        for (int axis = 0; axis < terrain->grid.dims; axis++) {
            double low = floor(at[axis]), part = at[axis] - low;
            int up = corner >> axis & 1;
            place[axis] = (int)low + up;
            weight *= up ? part : 1 - part;
        }
        if (!grid_holds(&terrain->grid, place[0], place[1], place[2]))
            continue;
        size_t cell = grid_index(&terrain->grid, place[0], place[1], place[2]);
        for (int axis = 0; axis < GRID_AXES && !terrain->wall[cell]; axis++)
            sum[axis] += weight * study->heading[cell][axis];
    }
    if (!heading_unit(sum, heading))
        memset(heading, 0, sizeof sum);
}

static void heading_at(const struct study *study, const double at[GRID_AXES],
                       double heading[GRID_AXES])
{
    size_t cell = grid_nearest(&study->plain.grid, at);
    if (study->options->between)
        heading_between(study, at, heading);
    else
        memcpy(heading, study->heading[cell], GRID_AXES * sizeof *heading);
}

static void go(const struct study *study, const double from[GRID_AXES],
               const double to[GRID_AXES], struct way *way)
{
    double length = motion_distance(from, to), slow = slowness(study, to);
    way->length += length;
    way->time += time_along(study, from, to);
    way->slowed += slow < 1 || slow > 1 ? length : 0;
}

/* Follows the headings from a cell; false if they do not lead to the source. */
static bool trace(const struct study *study, const int start[GRID_AXES],
                  double distance, struct way *way)
{
    const struct terrain *terrain = &study->scenario->terrain;
    double at[GRID_AXES] = { start[0], start[1], start[2] };
    *way = (struct way){ 0 };
    for (double gone = 0; gone <= 4 * distance + 40; gone += STRIDE) {
        double from[GRID_AXES], heading[GRID_AXES];
        if (motion_distance(at, study->source_at) <= NEAR &&
            search_in_sight(terrain, at, study->source_at)) {
            go(study, at, study->source_at, way);
            return true;
        }
        memcpy(from, at, sizeof from);
        heading_at(study, at, heading);
        if (!motion_step(terrain, at, heading, STRIDE))
            return false;
        go(study, from, at, way);
    }
    return false;
}

static void score_start(const struct study *study, const int start[GRID_AXES],
                        struct score *score)
{
    const struct grid *grid = &study->plain.grid;
    size_t cell = grid_index(grid, start[0], start[1], start[2]);
    double shortest = study->shortest[cell], least = study->least[cell];
    struct way way;
    score->starts++;
    if (!trace(study, start, shortest, &way))
        return;
    score->traced++;
    score->length += way.length / shortest;
    score->longest = fmax(score->longest, way.length / shortest);
    score->time += way.time / least;
    score->latest = fmax(score->latest, way.time / least);
    if (study->options->each)
        printf("%d %d %d %.3f %.3f %.4f %.4f %.2f\n", start[0], start[1],
               start[2], shortest, least, way.length / shortest,
               way.time / least, way.slowed);
}

static struct score score_all(const struct study *study)
{
    int spacing = study->options->spacing;
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
        score.reached += is_reached(study, i);
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
    int32_t *queue = memory_for(cells, sizeof *queue);
    study->heading = memory_for(cells, sizeof *study->heading);
    study->reached = memory_for(cells, 1);
    if (terrain_copy(terrain, &study->plain, error))
        give_up(error);
    memory_release(study->plain.speed);
    study->plain.speed = NULL;
    memcpy(study->source_at, study->scenario->target.place.at,
           sizeof study->source_at);
    study->source = grid_nearest(&terrain->grid, study->source_at);
    terrain_flood(terrain, study->source, study->reached, queue);
    memory_release(queue);
    study->shortest = times_of(study, &study->plain);
    study->least = terrain->speed ? times_of(study, terrain) : study->shortest;
}

static void clear_up(struct study *study)
{
    if (study->least != study->shortest)
        memory_release(study->least);
    memory_release(study->shortest);
    terrain_release(&study->plain);
    memory_release(study->heading);
    memory_release(study->reached);
}

static void report(const struct score *score)
{
    double traced = (double)score->traced;
    printf("%.4f | %.4f | %.4f | %.4f | %.4f | %.4f\n",
           (double)score->reached / (double)score->cells,
           traced / (double)score->starts, score->length / traced,
           score->longest, score->time / traced, score->latest);
}

static bool is_measurable(const struct scenario *scenario)
{
    const struct arrival_settings *arrival = &scenario->arrival;
    return scenario->has_wave && !scenario->target.place.random &&
           (arrival->detector->own_wave ||
            (arrival->detector->level && arrival->heading <= HEADING_PAPER));
}

static void measure(const struct scenario *scenario,
                    const struct options *options)
{
    struct study study = { .scenario = scenario, .options = options };
    struct error error;
    prepare(&study, &error);
    if (options->marching)
        follow_fast_marching(&study);
    else
        follow_wave(&study);
    struct score score = score_all(&study);
    report(&score);
    clear_up(&study);
}

int main(int argc, char **argv)
{
    const char *sets[MOST_SETS], *path = NULL;
    size_t set_count = 0;
    struct options options = { .spacing = 6 };
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-s") == 0 && i + 1 < argc)
            options.spacing = atoi(argv[++i]);
        else if (strcmp(argv[i], "--marching") == 0 && i + 1 < argc)
            options.marching = atoi(argv[++i]);
        else if (strcmp(argv[i], "--extrapolate") == 0)
            options.extrapolate = true;
        else if (strcmp(argv[i], "--between") == 0)
            options.between = true;
        else if (strcmp(argv[i], "--each") == 0)
            options.each = true;
        else if (strcmp(argv[i], "--set") == 0 && i + 1 < argc &&
                 set_count < MOST_SETS)
            sets[set_count++] = argv[++i];
        else if (argv[i][0] != '-' && !path)
            path = argv[i];
        else
            options.spacing = 0;
    if (!path || options.spacing < 1 || options.marching < 0) {
        fputs("usage: traces [-s SPACING] [--marching R] [--extrapolate]"
              " [--between] [--each] [--set KEY=VALUE]... SCENARIO\n",
              stderr);
        return 2;
    }
    struct scenario *scenario;
    struct error error;
    if (scenario_load(path, sets, set_count, &scenario, &error))
        give_up(&error);
    if (is_measurable(scenario))
        measure(scenario, &options);
    else
        fputs("traces: a target at a place, and a detector with a level and "
              "heading paper or signed, or a sum, are expected\n",
              stderr);
    bool measured = is_measurable(scenario);
    scenario_release(scenario);
    return measured ? 0 : 2;
}
