/* SPDX-License-Identifier: MIT */
/* bench/agents [SIDE [ROUNDS [KIND…]]]: what agents cost. A yard of SIDE × SIDE
 * cells (200) with boxes in it, three waves of 300 steps, a target that walks
 * about, nothing recorded: nanoseconds of processor time a step with 1, 10, 100
 * and 1000 agents, one thread, and the speed against that with one agent;
 * medians over ROUNDS (9) rounds, the counts taken in turn within each. All
 * kinds are taken if none is named. */
#include "base/memory.h"
#include "simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS_MOST = 99, STEPS = 600, COUNTS = 5 };
static const int counts[COUNTS] = { 1, 10, 100, 1000, 10000 };

static const struct {
    const char *name, *keys;
} kinds[] = {
    { "paper", "preset = \"paper\"; wave = { };" },
    { "best", "preset = \"best\"; wave = { };" },
    { "flux", "wave = { }; arrival = { heading = \"flux\"; };" },
    { "laplace", "wave = { }; arrival = { detector = \"laplace\"; };" },
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

static struct scenario *scenario_of(int kind, int side, int agents)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        exit(EXIT_FAILURE);
    fprintf(out,
            "steps = %d; seed = 7; %s target = { at = [%d.0, %d.0]; motion = "
            "\"random\"; }; agents = ({ at = \"random\"; count = %d; }); "
            "pursuit = { stop = \"never\"; capture_radius = 0.0; };",
            STEPS, kinds[kind].keys, side / 2 + 3, side / 2 + 3, agents);
    print_map(out, side);
    fclose(out);
    struct scenario *scenario;
    struct error error;
    if (scenario_parse(text, "bench/agents", NULL, 0, &scenario, &error))
        fail(&error);
    free(text);
    return scenario;
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Nanoseconds a step, and the arrivals that were heard. */
static double time_run(const struct scenario *scenario, size_t *arrivals)
{
    struct simulation *simulation;
    struct error error;
    if (simulation_new(scenario, 1, &simulation, &error) ||
        simulation_begin(simulation, &error))
        fail(&error);
    *arrivals = 0;
    double start = seconds();
    while (!simulation_ended(simulation)) {
        if (simulation_advance(simulation, &error) ||
            simulation_begin(simulation, &error))
            fail(&error);
        *arrivals += pursuit_arrivals(simulation_pursuit(simulation))->count;
    }
    double spent = seconds() - start;
    simulation_release(simulation);
    return 1e9 * spent / STEPS;
}

static int ascending(const void *a, const void *b)
{
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

static void measure(int kind, int side, int rounds)
{
    struct scenario *scenario[COUNTS];
    static double spent[COUNTS][ROUNDS_MOST], ratio[COUNTS][ROUNDS_MOST];
    size_t arrivals[COUNTS];
    for (int i = 0; i < COUNTS; i++)
        scenario[i] = scenario_of(kind, side, counts[i]);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < COUNTS; i++) {
            spent[i][round] = time_run(scenario[i], &arrivals[i]);
            ratio[i][round] = spent[0][round] / spent[i][round];
        }
    for (int i = 0; i < COUNTS; i++) {
        qsort(spent[i], (size_t)rounds, sizeof(double), ascending);
        qsort(ratio[i], (size_t)rounds, sizeof(double), ascending);
        printf("%-8s %6d agents %12.0f ns a step %8.3f of the speed of one "
               "(%.3f ... %.3f) %9zu arrivals\n",
               kinds[kind].name, counts[i], spent[i][rounds / 2],
               ratio[i][rounds / 2], ratio[i][0], ratio[i][rounds - 1],
               arrivals[i]);
        scenario_release(scenario[i]);
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
    for (int kind = 0; kind < KINDS; kind++)
        if (is_wanted(kinds[kind].name, argc - 3, argv + 3))
            measure(kind, side, rounds);
    return EXIT_SUCCESS;
}
