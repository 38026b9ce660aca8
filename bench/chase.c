/* SPDX-License-Identifier: MIT */
/* bench/chase SCENARIO FIRST LAST METHOD…: the chase of a scenario with each
 * method for every agent, seeds FIRST to LAST, nothing recorded. A line each:
 *
 *   seed, method, steps to the end, 1 captured or 0 censored, rounds of plans,
 *   us a round, us a round by the plain search, spread, crc
 *
 * A METHOD-fixed has pursuit.ties = "fixed": one chase, whatever the seed.
 * A round is all plans of one step. Times and spread (the pursuers' mean
 * distance, Manhattan, or Chebyshev where moves are diagonal) are means over
 * the first rounds and steps, as many as every method of the seed had. The
 * plain search is the method's own for the same ends with ties fixed: what
 * leaving out the other optimal paths saves; for the pincer it is Dijkstra's,
 * for the same ends, with ties drawn. Equal crcs are equal trajectories
 * of all agents and the target, bit for bit. */
#include "base/crc32c.h"
#include "base/memory.h"
#include "run/simulate.h"
#include "search/search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS_MOST = 8, AGENTS_MOST = 64 };

struct chase {
    const char *method;
    struct scenario *scenario;
    struct simulation *simulation;
    struct passages *passages;
    struct search_workspace *plain;
    struct random ties, *drawn; /* drawn: NULL where the plain ties are fixed */
    int64_t steps, rounds;
    bool captured;
    uint32_t crc;
    double *nanoseconds, *plain_nanoseconds; /* of each round */
    double *spread;                          /* of each step */
};

static void must(enum status status, const struct error *error)
{
    if (status) {
        fprintf(stderr, "bench/chase: %s\n", error->message);
        exit(status);
    }
}

static void chase_open(struct chase *chase, const char *path, int seed,
                       const char *method)
{
    static char texts[AGENTS_MOST + 2][64];
    const char *overrides[AGENTS_MOST + 2];
    struct error error;
    struct scenario *plain;
    must(scenario_load(path, NULL, 0, &plain, &error), &error);
    size_t entries = plain->agent_count, count = 0;
    scenario_release(plain);
    char name[32];
    snprintf(name, sizeof name, "%s", method);
    char *fixed = strstr(name, "-fixed");
    if (fixed)
        *fixed = '\0';
    if (entries > AGENTS_MOST)
        entries = AGENTS_MOST;
    for (size_t i = 0; i < entries; i++, count++)
        snprintf(texts[count], sizeof *texts, "agents.[%zu].method=%s", i,
                 name);
    if (fixed)
        snprintf(texts[count++], sizeof *texts, "pursuit.ties=fixed");
    snprintf(texts[count++], sizeof *texts, "seed=%d", seed);
    for (size_t i = 0; i < count; i++)
        overrides[i] = texts[i];
    *chase = (struct chase){ .method = method };
    must(scenario_load(path, overrides, count, &chase->scenario, &error),
         &error);
    must(simulation_new(chase->scenario, 1, &chase->simulation, &error),
         &error);
    const struct pursuit_settings *pursuit = &chase->scenario->pursuit;
    const struct terrain *terrain = simulation_terrain(chase->simulation);
    must(passages_new(terrain, pursuit->moves, pursuit->measure,
                      &chase->passages, &error),
         &error);
    const struct search *search = search_find(name);
    random_seed(&chase->ties, 1);
    chase->drawn = search ? NULL : &chase->ties;
    must(search_workspace_new(search ? search : search_find("dijkstra"),
                              chase->passages, terrain, &chase->plain, &error),
         &error);
    size_t most = (size_t)chase->scenario->steps + 1;
    chase->nanoseconds = memory_new(most, sizeof(double));
    chase->plain_nanoseconds = memory_new(most, sizeof(double));
    chase->spread = memory_new(most, sizeof(double));
    if (!chase->nanoseconds || !chase->plain_nanoseconds || !chase->spread)
        must(error_memory(&error), &error);
}

static void chase_close(struct chase *chase)
{
    simulation_release(chase->simulation);
    scenario_release(chase->scenario);
    search_workspace_release(chase->plain);
    passages_release(chase->passages);
    memory_release(chase->nanoseconds);
    memory_release(chase->plain_nanoseconds);
    memory_release(chase->spread);
}

static void plan(struct chase *chase)
{
    struct agent_plan plan;
    bool planned = false;
    while (simulation_plan(chase->simulation, &plan)) {
        planned = true;
        chase->nanoseconds[chase->rounds] += (double)plan.nanoseconds;
        if (!plan.path_cells)
            continue;
        struct search_query query = {
            .from = (size_t)plan.path[0],
            .to = (size_t)plan.path[plan.path_cells - 1],
            .ties = chase->drawn,
        };
        struct search_result result;
        search_run(chase->plain, &query, &result);
        chase->plain_nanoseconds[chase->rounds] += (double)result.nanoseconds;
    }
    chase->rounds += planned;
}

static double far(double dx, double dy, double dz, bool diagonal)
{
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    dz = dz < 0 ? -dz : dz;
    double most = dx > dy ? dx : dy;
    return diagonal ? (most > dz ? most : dz) : dx + dy + dz;
}

static double spread(const struct chase *chase)
{
    const struct agents *agents =
        pursuit_agents(simulation_pursuit(chase->simulation));
    int dims = chase->scenario->terrain.grid.dims;
    bool diagonal = chase->scenario->pursuit.moves > 2 * dims;
    double *const *at = (double *const *)agents->at, sum = 0;
    size_t pairs = 0;
    for (size_t i = 0; i < agents->count; i++)
        for (size_t j = 0; j < i; j++, pairs++)
            sum += far(at[0][i] - at[0][j], at[1][i] - at[1][j],
                       at[2][i] - at[2][j], diagonal);
    return pairs ? sum / (double)pairs : 0;
}

static void take_positions(struct chase *chase)
{
    const struct pursuit *pursuit = simulation_pursuit(chase->simulation);
    const struct agents *agents = pursuit_agents(pursuit);
    const struct target *target = pursuit_target(pursuit);
    for (int axis = 0; axis < GRID_AXES; axis++)
        chase->crc = crc32c(chase->crc, agents->at[axis],
                            agents->count * sizeof(double));
    chase->crc = crc32c(chase->crc, target->at, sizeof target->at);
}

static void run(struct chase *chase)
{
    struct error error;
    must(simulation_begin(chase->simulation, &error), &error);
    for (;;) {
        take_positions(chase);
        chase->spread[chase->steps] = spread(chase);
        if (simulation_ended(chase->simulation))
            break;
        plan(chase);
        must(simulation_advance(chase->simulation, &error), &error);
        must(simulation_begin(chase->simulation, &error), &error);
        chase->steps = simulation_step(chase->simulation);
    }
    const struct agents *agents =
        pursuit_agents(simulation_pursuit(chase->simulation));
    for (size_t i = 0; i < agents->count; i++)
        chase->captured |= agents->state[i] == AGENT_CAPTURED;
}

static double mean(const double *values, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / (double)count : 0;
}

static void print(const struct chase *chases, int count, int seed)
{
    int64_t steps = chases[0].steps, rounds = chases[0].rounds;
    for (int i = 1; i < count; i++) {
        steps = chases[i].steps < steps ? chases[i].steps : steps;
        rounds = chases[i].rounds < rounds ? chases[i].rounds : rounds;
    }
    for (int i = 0; i < count; i++) {
        const struct chase *chase = &chases[i];
        printf("%d\t%s\t%" PRId64 "\t%d\t%" PRId64 "\t%.3f\t%.3f\t%.4f\t%08x\n",
               seed, chase->method, chase->steps, chase->captured,
               chase->rounds, mean(chase->nanoseconds, rounds) / 1000,
               mean(chase->plain_nanoseconds, rounds) / 1000,
               mean(chase->spread, steps + 1), chase->crc);
    }
}

int main(int count, char **arguments)
{
    int methods = count - 4, first = count > 4 ? atoi(arguments[2]) : 1;
    int last = count > 4 ? atoi(arguments[3]) : 0;
    if (methods < 1 || methods > METHODS_MOST || first < 0 || last < first) {
        fputs("usage: chase SCENARIO FIRST LAST METHOD...: seeds FIRST to "
              "LAST, 1 to 8 methods\n",
              stderr);
        return STATUS_INPUT;
    }
    for (int seed = first; seed <= last; seed++) {
        struct chase chases[METHODS_MOST];
        for (int i = 0; i < methods; i++) {
            chase_open(&chases[i], arguments[1], seed, arguments[4 + i]);
            run(&chases[i]);
        }
        print(chases, methods, seed);
        for (int i = 0; i < methods; i++)
            chase_close(&chases[i]);
    }
    return 0;
}
