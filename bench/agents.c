/* SPDX-License-Identifier: MIT */
/* bench/agents [SIDE [ROUNDS [KIND…]]]: the cost of agents. A yard of SIDE ×
 * SIDE cells (200) with boxes in it, three waves of 300 steps, a target that
 * moves at random, without a recording: nanoseconds of processor time a step
 * with 1, 10, 100 and 1000 agents, one thread, and the speed relative to that
 * with one agent; medians over ROUNDS (9) rounds, each with other places
 * (another seed), the numbers of agents measured in turn within each. All kinds
 * are measured if none is named.
 *
 * Two readings, because a generation is not computed if no agent needs it:
 *
 *   left out  as in a run. One agent is far from every front most of the time
 *             and pays for a part of the wave; of many one is always near, and
 *             all of the wave is computed. One agent saves this time, many do
 *             not.
 *   whole     every generation of every wave is computed, whatever the number
 *             of agents, as in a recorded run (and in the papers): the time
 *             that the agents themselves add to the wave that they share. */
#include "base/memory.h"
#include "clock.h"
#include "run/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MOST = 99, STEPS = 600, COUNTS = 4 };
static const int counts[COUNTS] = { 1, 10, 100, 1000 };

static const struct {
    const char *name, *keys, *agents; /* keys of the agents */
} kinds[] = {
    { "paper", "preset = \"paper\"; wave = { };", "" },
    { "best", "preset = \"best\"; wave = { };", "" },
    { "best-emission", "preset = \"best\"; wave = { };",
      "steering = \"emission\";" },
    { "best-fixed",
      "preset = \"best\"; wave = { walls = \"fixed\"; };"
      "arrival = { eta = 0.1; range = 96; };",
      "" },
    { "flux", "wave = { }; arrival = { heading = \"flux\"; };", "" },
    { "laplace", "wave = { }; arrival = { detector = \"laplace\"; };", "" },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void fail(const struct error *error)
{
    fprintf(stderr, "bench/agents: %s\n", error->message);
    exit(EXIT_FAILURE);
}

/* Boxes of 12 × 12 cells, 8 apart from each other. */
static void print_map(FILE *out, int side)
{
    fprintf(out, "map = { rows = (");
    for (int y = 0; y < side; y++) {
        fprintf(out, y ? ",\"" : "\"");
        for (int x = 0; x < side; x++)
            putc(x % 20 >= 8 && y % 20 >= 8 ? '@' : '.', out);
        putc('"', out);
    }
    fprintf(out, "); };");
}

static struct scenario *scenario_of(int kind, int side, int agents, int seed)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        exit(EXIT_FAILURE);
    fprintf(out,
            "steps = %d; seed = %d; %s target = { at = [%d.0, %d.0]; motion = "
            "\"random\"; }; agents = ({ at = \"random\"; count = %d; %s }); "
            "pursuit = { stop = \"never\"; capture_radius = 0.0; };",
            STEPS, seed, kinds[kind].keys, side / 2 + 3, side / 2 + 3, agents,
            kinds[kind].agents);
    print_map(out, side);
    fclose(out);
    struct scenario *scenario;
    struct error error;
    if (scenario_parse(text, "bench/agents", NULL, 0, &scenario, &error))
        fail(&error);
    free(text);
    return scenario;
}

/* Nanoseconds a step, and the number of arrivals detected. */
static double time_run(const struct scenario *scenario, bool whole,
                       size_t *arrivals)
{
    struct simulation *simulation;
    struct error error;
    if (simulation_new(scenario, 1, &simulation, &error) ||
        simulation_begin(simulation, &error))
        fail(&error);
    *arrivals = 0;
    double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    while (!simulation_ended(simulation)) {
        if (simulation_advance(simulation, &error) ||
            simulation_begin(simulation, &error))
            fail(&error);
        for (int i = 0; whole && i < scenario->wave.count; i++)
            simulation_newest(simulation, i); /* completes the wave */
        *arrivals += pursuit_arrivals(simulation_pursuit(simulation))->count;
    }
    double spent = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    simulation_release(simulation);
    return 1e9 * spent / STEPS;
}

enum reading { LEFT_OUT, WHOLE, READINGS };

static struct {
    double spent[READINGS][ROUNDS_MOST]; /* ns a step */
    double speed[READINGS][ROUNDS_MOST]; /* relative to one agent */
    size_t arrivals;
} results[COUNTS];

static void run_round(int kind, int side, int round)
{
    for (int i = 0; i < COUNTS; i++) {
        struct scenario *scenario =
            scenario_of(kind, side, counts[i], 7 + round);
        for (enum reading reading = LEFT_OUT; reading < READINGS; reading++) {
            size_t arrivals;
            double spent = time_run(scenario, reading == WHOLE, &arrivals);
            if (reading == WHOLE && arrivals != results[i].arrivals) {
                fprintf(stderr,
                        "bench/agents: the readings differ in arrivals\n");
                exit(EXIT_FAILURE);
            }
            results[i].arrivals = arrivals;
            results[i].spent[reading][round] = spent;
            results[i].speed[reading][round] =
                results[0].spent[reading][round] / spent;
        }
        scenario_release(scenario);
    }
}

static void measure(int kind, int side, int rounds)
{
    for (int round = 0; round < rounds; round++)
        run_round(kind, side, round);
    for (int i = 0; i < COUNTS; i++) {
        printf("%-8s %6d", kinds[kind].name, counts[i]);
        for (enum reading reading = LEFT_OUT; reading < READINGS; reading++) {
            double *spent = results[i].spent[reading];
            double *speed = results[i].speed[reading];
            double middle = clock_median(speed, rounds);
            printf(" %10.0f %6.3f (%.3f ... %.3f)", clock_median(spent, rounds),
                   middle, speed[rounds / 4], speed[rounds - 1 - rounds / 4]);
        }
        printf(" %9zu\n", results[i].arrivals);
    }
}

static bool is_wanted(const char *kind, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], kind) == 0)
            return true;
    return count <= 0;
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 200;
    int rounds = argc > 2 ? atoi(argv[2]) : 9;
    if (side < 20 || rounds < 1 || rounds > ROUNDS_MOST) {
        fprintf(stderr, "usage: bench/agents [SIDE [ROUNDS [KIND...]]]\n");
        return 2;
    }
    printf("                unheard generations left out        the whole wave "
           "computed\n"
           "kind     agents  ns a step  of one's (quarters)     ns a step  of "
           "one's (quarters)     arrivals\n");
    for (int kind = 0; kind < KINDS; kind++)
        if (is_wanted(kinds[kind].name, argc - 3, argv + 3))
            measure(kind, side, rounds);
    return EXIT_SUCCESS;
}
