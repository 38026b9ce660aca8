/* SPDX-License-Identifier: MIT */
/* Processor time of agents in 3D by Kumagai's rule (2024) and by searches on
 * the same map, with 1, 10 and 100 agents at random places and a target that
 * moves at random:
 *
 *   wave       a step: one wave, emitted again when all agents have received
 *   it,
 *              fixed walls, threshold 1e-12, and all agents; mean of 100 steps
 *   A*, Dijkstra   one new path of every agent to the target, with 26 moves, of
 *              equally short ones the first
 *
 * One row for each number of agents: medians over the rounds, in microseconds,
 * and the medians of the ratios to the wave's of the same round with their
 * bootstrap intervals. The three are measured in turn, on one thread.
 * usage: agents3d MAP.3dmap ROUNDS */
#include "base/memory.h"
#include "clock.h"
#include "metrics/summary.h"
#include "run/simulate.h"
#include "scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>

enum { METHODS = 3, STEPS = 100, REPLAN = 15, ROUNDS_MOST = 99 };

static void must(enum status status, const struct error *error)
{
    if (status) {
        fprintf(stderr, "agents3d: %s\n", error->message);
        exit(status);
    }
}

/* One method on the map. */
struct contender {
    struct scenario *scenario;
    struct simulation *simulation;
    double time[ROUNDS_MOST]; /* microseconds */
};

static void contender_start(struct contender *contender, const char *map,
                            const char *method, int agents)
{
    char text[1024];
    struct error error;
    snprintf(text, sizeof text,
             "map = { file = \"%s\"; }; steps = 1000000000;"
             "wave = { count = 1; lifetime = 1; restart = \"received\"; };"
             "arrival = { threshold = 1e-12; };"
             "target = { at = \"random\"; motion = \"random\"; };"
             "agents = ( { at = \"random\"; method = \"%s\"; count = %d; } );"
             "pursuit = { moves = 26; replan = %d; ties = \"fixed\";"
             " stop = \"never\"; capture_radius = 0.0; };",
             map, method, agents, REPLAN);
    must(
        scenario_parse(text, "agents3d", NULL, 0, &contender->scenario, &error),
        &error);
    must(simulation_new(contender->scenario, 1, &contender->simulation, &error),
         &error);
}

static void contender_stop(struct contender *contender)
{
    simulation_release(contender->simulation);
    scenario_release(contender->scenario);
}

static void step(struct simulation *simulation)
{
    struct error error;
    must(simulation_begin(simulation, &error), &error);
    must(simulation_advance(simulation, &error), &error);
}

static double step_time(struct simulation *simulation)
{
    double start = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int k = 0; k < STEPS; k++)
        step(simulation);
    return 1e6 * (clock_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / STEPS;
}

static double plans_time(struct simulation *simulation, int agents)
{
    struct error error;
    struct agent_plan plan;
    int made = 0;
    must(simulation_begin(simulation, &error), &error);
    double start = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    while (simulation_plan(simulation, &plan))
        made++;
    double time = 1e6 * (clock_seconds(CLOCK_THREAD_CPUTIME_ID) - start);
    if (made != agents) {
        fprintf(stderr, "agents3d: %d plans of %d agents\n", made, agents);
        exit(STATUS_FAILED);
    }
    must(simulation_advance(simulation, &error), &error);
    for (int k = 1; k < REPLAN; k++)
        step(simulation);
    return time;
}

static void print_row(const struct contender contender[METHODS], int agents,
                      int rounds)
{
    printf("| %d |", agents);
    for (int i = 0; i < METHODS; i++)
        printf(" %.0f |",
               summary_make(contender[i].time, (size_t)rounds).median);
    for (int i = 1; i < METHODS; i++) {
        double ratio[ROUNDS_MOST];
        for (int k = 0; k < rounds; k++)
            ratio[k] = contender[i].time[k] / contender[0].time[k];
        struct summary summary = summary_make(ratio, rounds);
        printf(" %.0f (%.0f to %.0f) |", summary.median, summary.interval.low,
               summary.interval.high);
    }
    puts("");
}

int main(int argc, char **argv)
{
    static const char *const methods[METHODS] = { "wave", "astar", "dijkstra" };
    int rounds = argc == 3 ? atoi(argv[2]) : 0;
    if (rounds < 2 || rounds > ROUNDS_MOST) {
        fputs("usage: agents3d MAP.3dmap ROUNDS (2 to 99)\n", stderr);
        return STATUS_INPUT;
    }
    puts("| agents | wave: a step | A*: a path each | Dijkstra: a path each | "
         "A*/wave (95 %) | Dijkstra/wave (95 %) |\n"
         "|---:|---:|---:|---:|---:|---:|");
    for (int agents = 1; agents <= 100; agents *= 10) {
        struct contender contender[METHODS];
        for (int i = 0; i < METHODS; i++)
            contender_start(&contender[i], argv[1], methods[i], agents);
        for (int round = -1; round < rounds; round++) /* −1: warms up */
            for (int i = 0; i < METHODS; i++) {
                double time = i ? plans_time(contender[i].simulation, agents)
                                : step_time(contender[i].simulation);
                if (round >= 0)
                    contender[i].time[round] = time;
            }
        print_row(contender, agents, rounds);
        for (int i = 0; i < METHODS; i++)
            contender_stop(&contender[i]);
    }
    return fflush(stdout) ? STATUS_DISK : STATUS_OK;
}
