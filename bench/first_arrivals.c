/* SPDX-License-Identifier: MIT */
/* The cost of a run of first arrivals: agents wait in a yard with boxes in it
 * until the target's one wave has arrived at each of them, without a recording.
 * It is compared with the plain method: every generation over the whole map,
 * and a test for every agent. Both must detect the same: step and amplitude,
 * bit for bit. Milliseconds of the thread's processor time, medians over rounds
 * in turn. The last column is the maximum possible gain, if all other work took
 * no time: the cells of the whole sweeps over those of the boxes that contain
 * the wave; after a wave fills the map, all of it must be computed until the
 * last agent has detected it.
 * usage: first_arrivals [ROUNDS] */
#include "base/memory.h"
#include "clock.h"
#include "run/simulate.h"
#include "wave/generations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROUNDS = 99, MOST_AGENTS = 100 };

struct detected {
    int64_t step;
    double amplitude;
};

static void must(enum status status, const struct error *error)
{
    if (!status)
        return;
    fprintf(stderr, "first_arrivals: %s\n", error->message);
    exit(EXIT_FAILURE);
}

static struct scenario *scenario_of(int side, int agents)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        exit(EXIT_FAILURE);
    fprintf(out,
            "steps = 100000; seed = 7; wave = { count = 1; lifetime = 100000; "
            "}; target = { at = [%d.0, %d.0]; motion = \"still\"; }; agents = "
            "({ at = \"random\"; count = %d; }); pursuit = { stop = \"never\"; "
            "capture_radius = 0.0; }; map = { rows = (",
            side / 2 + 3, side / 2 + 3, agents);
    for (int y = 0; y < side; y++) {
        fprintf(out, y ? ",\"" : "\"");
        for (int x = 0; x < side; x++)
            putc(x % 20 >= 8 && y % 20 >= 8 ? '@' : '.', out);
        putc('"', out);
    }
    fprintf(out, "); };");
    fclose(out);
    struct scenario *scenario;
    struct error error;
    must(scenario_parse(text, "first_arrivals", NULL, 0, &scenario, &error),
         &error);
    free(text);
    return scenario;
}

struct yard {
    struct scenario *scenario;
    int agents;
    double at[MOST_AGENTS][GRID_AXES]; /* the place of each */
    size_t source;
    struct detected ours[MOST_AGENTS], theirs[MOST_AGENTS];
    int64_t steps;
};

static double run_ours(struct yard *yard)
{
    struct simulation *simulation;
    struct error error;
    int detected = 0;
    must(simulation_new(yard->scenario, 1, &simulation, &error), &error);
    must(simulation_begin(simulation, &error), &error);
    const struct pursuit *pursuit = simulation_pursuit(simulation);
    for (int i = 0; i < yard->agents; i++) {
        yard->ours[i].step = -1;
        for (int axis = 0; axis < GRID_AXES; axis++)
            yard->at[i][axis] = pursuit_agents(pursuit)->at[axis][i];
    }
    size_t count;
    yard->source = simulation_emissions(simulation, &count)[0].cell;
    double start = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    while (detected < yard->agents && !simulation_ended(simulation)) {
        must(simulation_advance(simulation, &error), &error);
        must(simulation_begin(simulation, &error), &error);
        const struct agent_arrivals *arrivals = pursuit_arrivals(pursuit);
        for (size_t i = 0; i < arrivals->count; i++) {
            const struct agent_arrival *one = &arrivals->items[i];
            yard->ours[one->agent] =
                (struct detected){ one->step, one->amplitude };
            detected++;
        }
    }
    double spent = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
    yard->steps = simulation_step(simulation);
    simulation_release(simulation);
    return spent;
}

/* All cells over those of the boxes that contain the wave. */
static double most_gain(const struct yard *yard)
{
    struct simulation *simulation;
    struct error error;
    const struct grid *grid = &yard->scenario->terrain.grid;
    double swept = 0;
    must(simulation_new(yard->scenario, 1, &simulation, &error), &error);
    must(simulation_begin(simulation, &error), &error);
    while (simulation_step(simulation) < yard->steps) {
        must(simulation_advance(simulation, &error), &error);
        must(simulation_begin(simulation, &error), &error);
        const struct box *lit = simulation_newest(simulation, 0).lit;
        swept += (double)(lit->high[0] - lit->low[0] + 1) *
                 (lit->high[1] - lit->low[1] + 1);
    }
    simulation_release(simulation);
    return (double)yard->steps * (double)grid_cells(grid) / swept;
}

/* The same number of generations, for all cells and all agents. */
static double run_plain(struct yard *yard)
{
    const struct scenario *scenario = yard->scenario;
    struct medium *medium;
    struct wave *wave;
    struct team *team;
    struct error error;
    must(medium_new(&scenario->terrain, &scenario->wave, &medium, &error),
         &error);
    must(wave_new(medium, &wave, &error), &error);
    must(team_new(1, scenario->wave.flush_denormals, &team, &error), &error);
    wave_emit(wave, yard->source, 0);
    wave->lit = grid_box(&scenario->terrain.grid);
    for (int i = 0; i < yard->agents; i++)
        yard->theirs[i].step = -1;
    double level = scenario->arrival.threshold * scenario->wave.amplitude;
    double start = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int64_t k = 1; k <= yard->steps; k++) {
        wave_step(wave, team);
        for (int i = 0; i < yard->agents; i++) {
            double now, before;
            if (yard->theirs[i].step >= 0)
                continue;
            wave_sample_amplitude(wave, yard->at[i], &now, &before);
            if (fabs(now) >= level)
                yard->theirs[i] = (struct detected){ k, now };
        }
    }
    double spent = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
    wave_release(wave);
    medium_release(medium);
    team_release(team);
    return spent;
}

static void compare(const struct yard *yard)
{
    for (int i = 0; i < yard->agents; i++) {
        const struct detected *a = &yard->ours[i], *b = &yard->theirs[i];
        if (a->step < 0 || a->step != b->step || a->amplitude != b->amplitude) {
            fprintf(
                stderr,
                "first_arrivals: agent %d detected %.17g at %lld, the whole "
                "sweep %.17g at %lld\n",
                i, a->amplitude, (long long)a->step, b->amplitude,
                (long long)b->step);
            exit(EXIT_FAILURE);
        }
    }
}

static void measure(int side, int agents, int rounds)
{
    static struct yard yard;
    double ours[MOST_ROUNDS], ratio[MOST_ROUNDS];
    yard = (struct yard){ .scenario = scenario_of(side, agents),
                          .agents = agents };
    for (int round = 0; round < rounds; round++) {
        ours[round] = run_ours(&yard);
        ratio[round] = run_plain(&yard) / ours[round];
        compare(&yard);
    }
    double middle = clock_median(ratio, rounds);
    printf("%4d^2 %6d %9lld %11.3f %8.2f (%.2f ... %.2f) %8.2f\n", side, agents,
           (long long)yard.steps, 1e3 * clock_median(ours, rounds), middle,
           ratio[rounds / 4], ratio[rounds - 1 - rounds / 4], most_gain(&yard));
    scenario_release(yard.scenario);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 9;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: first_arrivals [ROUNDS], 1 to %d\n",
                MOST_ROUNDS);
        return 2;
    }
    printf(
        "map    agents generations        ms  x the whole sweep     at most\n");
    for (int side = 200; side <= 800; side *= 2)
        for (int agents = 1; agents <= MOST_AGENTS; agents *= 10)
            measure(side, agents, rounds);
    return 0;
}
