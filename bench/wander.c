/* SPDX-License-Identifier: MIT */
/* bench/wander METHOD LEVEL TRIALS MAP…: walks by relay nodes, METHOD relay or
 * relay-complete, SEARCH_LEVEL = LEVEL, from TRIALS random starts to random
 * goals that can be reached. One line for each map:
 *
 *   map, cells, walks, success %, failed walks, most nodes, mean nodes, length
 *   over optimum, searches a walk, most re-searches, bytes a walker, ns a
 *   search, us a walk, and a breadth-first search's bytes and us
 *
 * and for a scenario (.cfg) its wanderers are simulated to the end:
 *
 *   scenario, steps, walkers, goals, failures, success %, most nodes, mean
 *   nodes, re-searches, most re-searches, ns a search
 *
 * Lengths are those of the walks that arrived, over the shortest. */
#include "base/memory.h"
#include "run/simulate.h"
#include "search/relay.h"
#include "search/search.h"
#include "tests/world/flood.h"
#include "world/maps/map.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(enum status status, const struct error *error)
{
    if (status) {
        fprintf(stderr, "bench/wander: %s\n", error->message);
        exit(status);
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct town {
    struct terrain terrain;
    struct passages *passages;
    struct search_workspace *lee;
    struct relay_settings settings;
    struct relay_counters counters;
    struct random random;
    int32_t *cells; /* free cells that the first walk's start reaches */
    size_t cell_count;
    double walked, optimum; /* of the walks that arrived */
    int64_t lee_nanoseconds;
};

/* The largest connected part of the map. */
static void list_cells(struct town *town)
{
    size_t cells = grid_cells(&town->terrain.grid);
    uint8_t *seen = memory_new(cells, 1), *reached = memory_new(cells, 1);
    int32_t *queue = memory_new(cells, sizeof *queue);
    town->cells = memory_new(cells, sizeof *town->cells);
    if (!seen || !reached || !queue || !town->cells)
        exit(STATUS_FAILED);
    for (size_t from = 0; from < cells; from++) {
        if (town->terrain.wall[from] || seen[from])
            continue;
        size_t count = terrain_flood(&town->terrain, from, seen, queue);
        if (count <= town->cell_count)
            continue;
        memset(reached, 0, cells);
        terrain_flood(&town->terrain, from, reached, queue);
        town->cell_count = 0;
        for (size_t i = 0; i < cells; i++)
            if (reached[i])
                town->cells[town->cell_count++] = (int32_t)i;
    }
    memory_release(seen);
    memory_release(reached);
    memory_release(queue);
}

static struct relay_node draw(struct town *town)
{
    int at[GRID_AXES];
    uint64_t i = random_below(&town->random, town->cell_count);
    grid_cell(&town->terrain.grid, (size_t)town->cells[i], at);
    return (struct relay_node){ at[0], at[1] };
}

static void walk(struct town *town, struct relay_node from,
                 struct relay_node goal)
{
    const struct grid *grid = &town->terrain.grid;
    struct relay_walker walker;
    struct relay_node at = from, to;
    double walked = 0;
    struct search_query query = { .from = grid_index(grid, from.x, from.y, 0),
                                  .to = grid_index(grid, goal.x, goal.y, 0) };
    struct search_result result;
    search_run(town->lee, &query, &result);
    town->lee_nanoseconds += result.nanoseconds;
    relay_walker_start(&walker, from, goal);
    for (;;) {
        enum relay_step step = relay_walker_next(
            &walker, town->passages, &town->settings, &town->counters, &to);
        if (step == RELAY_FAILED)
            return;
        if (step == RELAY_ARRIVED)
            break;
        walked += abs(to.x - at.x) + abs(to.y - at.y);
        at = to;
    }
    town->walked += walked;
    town->optimum += result.length;
}

static void print_town(const struct town *town, const char *path, int trials)
{
    const struct relay_counters *counters = &town->counters;
    double asked = (double)counters->searches;
    /* failed searches leave no nodes, and are not in their sum */
    double found = asked - (double)counters->failures;
    printf("%s\t%dx%d\t%d\t%.1f\t%" PRIu64
           "\t%d\t%.2f\t%.3f\t%.2f\t%d\t%zu\t%.0f\t%.2f\t%zu\t%.1f\n",
           base_name(path), town->terrain.grid.nx, town->terrain.grid.ny,
           trials, 100 * (double)counters->goals / trials, counters->failures,
           counters->nodes_most,
           found > 0 ? (double)counters->nodes / found : 0,
           town->optimum > 0 ? town->walked / town->optimum : 0, asked / trials,
           counters->researches_most, sizeof(struct relay_walker),
           (double)counters->nanoseconds / asked,
           (double)counters->nanoseconds / trials / 1e3, town->lee->memory,
           (double)town->lee_nanoseconds / trials / 1e3);
}

static void measure_town(const char *path,
                         const struct relay_settings *settings, int trials)
{
    struct error error;
    struct town town = { .settings = *settings };
    random_seed(&town.random, 2005);
    must(map_load(path, NULL, &town.terrain, &error), &error);
    must(passages_new(&town.terrain, 4, MEASURE_STEPS, &town.passages, &error),
         &error);
    must(search_workspace_new(search_find("lee"), town.passages, &town.terrain,
                              &town.lee, &error),
         &error);
    list_cells(&town);
    for (int i = 0; i < trials && town.cell_count > 1; i++) {
        struct relay_node from = draw(&town), goal;
        do
            goal = draw(&town);
        while (goal.x == from.x && goal.y == from.y);
        walk(&town, from, goal);
    }
    print_town(&town, path, trials);
    memory_release(town.cells);
    search_workspace_release(town.lee);
    passages_release(town.passages);
    terrain_release(&town.terrain);
}

static void measure_scenario(const char *path, int level)
{
    struct error error;
    struct scenario *scenario;
    struct simulation *simulation;
    char override[64];
    const char *overrides[] = { override };
    snprintf(override, sizeof override, "pursuit.search_level=%d", level);
    must(scenario_load(path, overrides, 1, &scenario, &error), &error);
    must(simulation_new(scenario, 1, &simulation, &error), &error);
    must(simulation_begin(simulation, &error), &error);
    while (!simulation_ended(simulation)) {
        must(simulation_advance(simulation, &error), &error);
        must(simulation_begin(simulation, &error), &error);
    }
    const struct relay_counters *counters =
        pursuit_relay(simulation_pursuit(simulation));
    double asked = (double)counters->searches;
    double ends = (double)(counters->goals + counters->failures);
    printf("%s\t%" PRId64 "\t%zu\t%" PRIu64 "\t%" PRIu64
           "\t%.1f\t%d\t%.2f\t%" PRIu64 "\t%d\t%.0f\n",
           base_name(path), simulation_step(simulation),
           scenario_agents(scenario), counters->goals, counters->failures,
           100 * (double)counters->goals / ends, counters->nodes_most,
           (double)counters->nodes / (asked - (double)counters->failures),
           counters->researches, counters->researches_most,
           (double)counters->nanoseconds / asked);
    simulation_release(simulation);
    scenario_release(scenario);
}

int main(int count, char **arguments)
{
    struct relay_settings settings = { 0 };
    int trials = count > 4 ? atoi(arguments[3]) : 0;
    if (count > 4 && strcmp(arguments[1], "relay") == 0)
        settings = relay_defaults;
    if (count > 4 && strcmp(arguments[1], "relay-complete") == 0)
        settings = relay_complete;
    if (settings.search_level)
        settings.search_level = atoi(arguments[2]);
    if (settings.search_level < 1 || trials < 1) {
        fputs("usage: wander METHOD LEVEL TRIALS MAP|SCENARIO...\n", stderr);
        return STATUS_INPUT;
    }
    for (int i = 4; i < count; i++) {
        const char *ending = strrchr(arguments[i], '.');
        if (ending && strcmp(ending, ".cfg") == 0)
            measure_scenario(arguments[i], settings.search_level);
        else
            measure_town(arguments[i], &settings, trials);
    }
    return 0;
}
