/* SPDX-License-Identifier: MIT */
/* The time of a step of the simulation with 1, 10, 100 and 1000 agents in 3D
 * that go by waves (three, capped-exponential, free walls, single precision),
 * by A* and by Dijkstra (26 moves, a plan every 15 steps), one thread: on the
 * map given, and on it with every cell made 2 x 2 x 2. The target goes at
 * random, nobody is recorded, nobody stops.
 *
 * A row a count of agents: the median over rounds of 15 steps each, so that
 * each holds one plan of each agent, in microseconds a step; and the median of
 * the ratios to the wave's of the same round. Where the plans of a round would
 * take longer than BUDGET, the mean of those made in that time stands for the
 * rest, marked ~. usage: agents3d MAP.3dmap [ROUNDS] */
#include "base/memory.h"
#include "clock.h"
#include "run/simulate.h"
#include "scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { METHODS = 3, REPLAN = 15, WARM_UP = 300, MOST_ROUNDS = 99 };
#define BUDGET 5.0 /* seconds */

static void give_up(const struct error *error)
{
    fprintf(stderr, "agents3d: %s\n", error->message);
    exit(2);
}

static struct scenario *chase(const char *map, const char *method, int agents)
{
    char text[1024];
    struct scenario *scenario;
    struct error error;
    snprintf(text, sizeof text,
             "preset = \"best\"; map = { file = \"%s\"; }; steps = 1000000;"
             "arrival = { detector = \"capped-exponential\"; };"
             "%s"
             "target = { at = \"random\"; motion = \"random\"; };"
             "agents = ( { at = \"random\"; method = \"%s\"; count = %d; } );"
             "pursuit = { moves = 26; replan = %d; ties = \"fixed\";"
             " stop = \"never\"; capture_radius = 0.0; };",
             map, method[0] == 'w' ? "wave = { count = 3; };" : "", method,
             agents, REPLAN);
    if (scenario_parse(text, "agents3d", NULL, 0, &scenario, &error))
        give_up(&error);
    return scenario;
}

static void step(struct simulation *simulation)
{
    struct error error;
    if (simulation_begin(simulation, &error) ||
        simulation_advance(simulation, &error))
        give_up(&error);
}

/* Seconds a plan, over one round of them or BUDGET; *made becomes how many. */
static double time_plans(struct simulation *simulation, int *made)
{
    struct error error;
    struct agent_plan plan;
    if (simulation_begin(simulation, &error))
        give_up(&error);
    double start = clock_seconds(CLOCK_MONOTONIC), spent = 0;
    *made = 0;
    while (spent < BUDGET && simulation_plan(simulation, &plan)) {
        (*made)++;
        spent = clock_seconds(CLOCK_MONOTONIC) - start;
    }
    return *made ? spent / *made : 0;
}

/* One method on one map. */
struct contender {
    struct scenario *scenario;
    struct simulation *simulation;
    bool estimated;
    double estimate, time[MOST_ROUNDS]; /* microseconds a step */
};

static void contender_start(struct contender *contender, const char *map,
                            const char *method, int agents)
{
    struct error error;
    int made;
    contender->scenario = chase(map, method, agents);
    if (simulation_new(contender->scenario, 1, &contender->simulation, &error))
        give_up(&error);
    double plan = time_plans(contender->simulation, &made);
    contender->estimated = plan * agents > BUDGET;
    contender->estimate = 1e6 * plan * agents / REPLAN;
    for (int k = 0; contender->scenario->has_wave && k < WARM_UP; k++)
        step(contender->simulation);
}

static void contender_stop(struct contender *contender)
{
    simulation_release(contender->simulation);
    scenario_release(contender->scenario);
}

static void run_round(struct contender *contender, int round)
{
    double start = clock_seconds(CLOCK_MONOTONIC);
    for (int k = 0; k < REPLAN && !contender->estimated; k++)
        step(contender->simulation);
    contender->time[round] =
        contender->estimated
            ? contender->estimate
            : 1e6 * (clock_seconds(CLOCK_MONOTONIC) - start) / REPLAN;
}

static void print_row(struct contender contender[METHODS], int rounds)
{
    double median[METHODS];
    for (int i = 0; i < METHODS; i++) {
        double time[MOST_ROUNDS];
        memcpy(time, contender[i].time, sizeof time);
        median[i] = clock_median(time, rounds);
        printf(" %s%.0f |", contender[i].estimated ? "~" : "", median[i]);
    }
    for (int i = 1; i < METHODS; i++) {
        double ratio[MOST_ROUNDS];
        for (int k = 0; k < rounds; k++)
            ratio[k] = contender[i].time[k] / contender[0].time[k];
        printf(" %.3g |", clock_median(ratio, rounds));
    }
    puts("");
    fflush(stdout);
}

static void print_rows(const char *map, const char *name, int rounds)
{
    static const char *const methods[METHODS] = { "wave", "astar", "dijkstra" };
    for (int agents = 1; agents <= 1000; agents *= 10) {
        struct contender contender[METHODS];
        for (int i = 0; i < METHODS; i++)
            contender_start(&contender[i], map, methods[i], agents);
        for (int round = 0; round < rounds; round++)
            for (int i = 0; i < METHODS; i++)
                run_round(&contender[i], round);
        printf("| %s | %d |", name, agents);
        print_row(contender, rounds);
        for (int i = 0; i < METHODS; i++)
            contender_stop(&contender[i]);
    }
}

/* The map with every cell made 2 x 2 x 2, into `path`. */
static void write_doubled(const char *map, const char *path)
{
    struct scenario *scenario = chase(map, "astar", 1);
    const struct terrain *terrain = &scenario->terrain;
    const struct grid *grid = &terrain->grid;
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(3);
    }
    fprintf(file, "voxel %d %d %d\n", 2 * grid->nx, 2 * grid->ny, 2 * grid->nz);
    for (int z = 0; z < 2 * grid->nz; z++)
        for (int y = 0; y < 2 * grid->ny; y++)
            for (int x = 0; x < 2 * grid->nx; x++)
                if (terrain->wall[grid_index(grid, x / 2, y / 2, z / 2)])
                    fprintf(file, "%d %d %d\n", x, y, z);
    if (fclose(file)) {
        perror(path);
        exit(3);
    }
    scenario_release(scenario);
}

int main(int argc, char **argv)
{
    int rounds = argc > 2 ? atoi(argv[2]) : 7;
    if (argc < 2 || rounds < 1 || rounds > MOST_ROUNDS) {
        fputs("usage: agents3d MAP.3dmap [ROUNDS]\n", stderr);
        return 2;
    }
    char folder[] = "/tmp/agents3dXXXXXX", doubled[64];
    if (!mkdtemp(folder)) {
        perror(folder);
        return 3;
    }
    snprintf(doubled, sizeof doubled, "%s/doubled.3dmap", folder);
    write_doubled(argv[1], doubled);
    puts("| map | agents | wave | A* | Dijkstra | A*/wave | Dijkstra/wave |\n"
         "|---|---|---|---|---|---|---|");
    print_rows(argv[1], "50^3", rounds);
    print_rows(doubled, "100^3", rounds);
    remove(doubled);
    rmdir(folder);
    return 0;
}
