/* SPDX-License-Identifier: MIT */
/* bench/chase SCENARIO FIRST LAST METHOD…: the chase of a scenario with each
 * method for every agent, seeds FIRST to LAST, without a recording. A header,
 * and one line for each, separated by tabs:
 *
 *   seed, method, steps to the end, captured (0: censored), rounds of plans,
 *   us a round, plain_us: by the plain search, spread, crc, cells expanded a
 *   round, overlap, pincer: 1 or 0
 *
 * A METHOD-fixed has pursuit.ties = "fixed": the same chase for every seed. A
 * round is all plans of one step. Times, cells, overlap and spread (the
 * pursuers' mean distance, Manhattan, or Chebyshev if moves are diagonal) are
 * means over the first rounds and steps, their number being the smallest of all
 * methods with this seed. Overlap: of the cells of a plan's path, without the
 * evader's cell, the share that is also in an earlier path of its round; means
 * over the plans after the first. A pincer: see is_pincer. The plain search is
 * the method's own for the same ends with ties fixed: it shows the time saved
 * by omitting the other optimal paths; for the pincer it is Dijkstra's, for the
 * same ends, with ties drawn. Equal crcs are equal trajectories of all agents
 * and the target, bit for bit. */
#include "base/crc32c.h"
#include "base/memory.h"
#include "run/simulate.h"
#include "search/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS_MOST = 8, AGENTS_MOST = 64 };

/* k of is_pincer, cells: twice the widest street of samples/pincer-2025, so
 * that the cells within k / 2 of an evader fill the whole width of a street. */
enum { NEAR = 8 };

struct chase {
    const char *method;
    struct scenario *scenario;
    struct simulation *simulation;
    struct passages *passages;
    struct search_workspace *plain;
    struct random ties, *drawn; /* drawn: NULL if the plain search has fixed
                                 * ties */
    int64_t steps, rounds;
    bool captured, pincer;
    uint32_t crc;
    double *nanoseconds, *plain_nanoseconds; /* of each round */
    double *expansions, *overlap;            /* of each round too */
    double *spread;                          /* of each step */
    int32_t *trail;   /* (rounds + 1, agents) of take_cells */
    int32_t *crossed; /* (cells) 1 + the last round with a path through it */
};

static void must(enum status status, const struct error *error)
{
    if (status) {
        fprintf(stderr, "bench/chase: %s\n", error->message);
        exit(status);
    }
}

static double *numbers(size_t count)
{
    struct error error;
    double *made = memory_new(count, sizeof *made);
    if (!made)
        must(error_memory(&error), &error);
    return made;
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
    chase->nanoseconds = numbers(most);
    chase->plain_nanoseconds = numbers(most);
    chase->expansions = numbers(most);
    chase->overlap = numbers(most);
    chase->spread = numbers(most);
    size_t agents =
        pursuit_agents(simulation_pursuit(chase->simulation))->count;
    chase->trail = memory_new(most * agents, sizeof *chase->trail);
    chase->crossed =
        memory_new(grid_cells(&terrain->grid), sizeof *chase->crossed);
    if (!chase->trail || !chase->crossed)
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
    memory_release(chase->expansions);
    memory_release(chase->overlap);
    memory_release(chase->spread);
    memory_release(chase->trail);
    memory_release(chase->crossed);
}

/* The share of the path's cells, without its last, that are in an earlier path
 * of this round. */
static double overlap(struct chase *chase, const struct agent_plan *plan)
{
    int32_t round = (int32_t)chase->rounds + 1;
    size_t shared = 0;
    for (size_t i = 0; i + 1 < plan->path_cells; i++)
        shared += chase->crossed[plan->path[i]] == round;
    for (size_t i = 0; i + 1 < plan->path_cells; i++)
        chase->crossed[plan->path[i]] = round;
    return plan->path_cells > 1
               ? (double)shared / (double)(plan->path_cells - 1)
               : 0;
}

/* Half-way between two cells it is the upper one. */
static int32_t cell_at(const struct chase *chase, const double at[GRID_AXES])
{
    const struct grid *grid = &chase->scenario->terrain.grid;
    return (int32_t)grid_index(grid, (int)floor(at[0] + 0.5),
                               (int)floor(at[1] + 0.5),
                               (int)floor(at[2] + 0.5));
}

/* Stores the cells in which the agents are, at each round and at the end. */
static void take_cells(struct chase *chase)
{
    const struct agents *agents =
        pursuit_agents(simulation_pursuit(chase->simulation));
    for (size_t i = 0; i < agents->count; i++) {
        double at[GRID_AXES];
        agents_place(agents, i, at);
        chase->trail[(size_t)chase->rounds * agents->count + i] =
            cell_at(chase, at);
    }
}

static void plan(struct chase *chase)
{
    struct agent_plan plan;
    int planned = 0;
    int64_t round = chase->rounds;
    while (simulation_plan(chase->simulation, &plan)) {
        planned++;
        chase->nanoseconds[round] += (double)plan.nanoseconds;
        chase->expansions[round] += (double)plan.expansions;
        chase->overlap[round] += overlap(chase, &plan);
        if (!plan.path_cells)
            continue;
        struct search_query query = {
            .from = (size_t)plan.path[0],
            .to = (size_t)plan.path[plan.path_cells - 1],
            .ties = chase->drawn,
        };
        struct search_result result;
        search_run(chase->plain, &query, &result);
        chase->plain_nanoseconds[round] += (double)result.nanoseconds;
    }
    if (planned > 0)
        take_cells(chase);
    if (planned > 1)
        chase->overlap[round] /= planned - 1;
    chase->rounds += planned > 0;
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

/* ---- pincers ---- */

/* walk[cell]: from the place to the cell: straight to the centre of a cell
 * around the place and from there with moves of 1; INFINITY if there is no
 * path. */
static void take_walks(const struct chase *chase, const double at[GRID_AXES],
                       struct search_workspace *search, double *walk)
{
    const struct grid *grid = &chase->scenario->terrain.grid;
    size_t cells = grid_cells(grid);
    for (size_t i = 0; i < cells; i++)
        walk[i] = INFINITY;
    for (int corner = 0; corner < 1 << grid->dims; corner++) {
        int cell[GRID_AXES] = { 0 };
        double straight = 0;
        bool around = true;
        for (int axis = 0; axis < grid->dims; axis++) {
            double past = at[axis] - floor(at[axis]);
            int up = corner >> axis & 1;
            around &= !up || past > 0;
            cell[axis] = (int)floor(at[axis]) + up;
            straight = hypot(straight, up ? 1 - past : past);
        }
        if (!around)
            continue;
        struct search_query query = {
            .from = grid_index(grid, cell[0], cell[1], cell[2]),
            .to = SEARCH_EVERYWHERE,
        };
        struct search_result result;
        if (search_run(search, &query, &result))
            for (size_t i = 0; i < cells; i++)
                walk[i] = fmin(walk[i], straight + search_distance(search, i));
    }
}

/* The last cell more than NEAR / 2 from the evader that an agent was in; -1 if
 * there was none. */
static int32_t side(const struct chase *chase, size_t agent,
                    const double *evader)
{
    size_t agents =
        pursuit_agents(simulation_pursuit(chase->simulation))->count;
    for (int64_t round = chase->rounds; round >= 0; round--) {
        int32_t cell = chase->trail[(size_t)round * agents + agent];
        if (evader[cell] > NEAR / 2)
            return cell;
    }
    return -1;
}

/* Do cells more than NEAR / 2 and at most NEAR from the evader connect these
 * two cells, which may be a little farther from it? */
static bool connected(const struct chase *chase, int32_t from, int32_t to,
                      const double *evader)
{
    const struct passages *passages = chase->passages;
    size_t cells = grid_cells(&passages->grid), count = 0;
    int32_t *reached = memory_new(cells, sizeof *reached);
    bool *known = memory_new(cells, sizeof *known);
    struct error error;
    if (!reached || !known)
        must(error_memory(&error), &error);
    known[from] = true;
    reached[count++] = from;
    for (size_t next = 0; next < count; next++) {
        int32_t at = passages_index(passages, (size_t)reached[next]);
        for (uint32_t open = passages->open[at]; open; open &= open - 1) {
            size_t cell = passages_cell(
                passages, at + passages->offset[__builtin_ctz(open)]);
            bool between = evader[cell] > NEAR / 2 && evader[cell] <= NEAR;
            if (known[cell] || (!between && cell != (size_t)to))
                continue;
            known[cell] = true;
            reached[count++] = (int32_t)cell;
        }
    }
    bool are = known[to];
    memory_release(reached);
    memory_release(known);
    return are;
}

/* A capture is a pincer if another pursuer is at most NEAR cells from the
 * evader by its shortest walk, and on another side than the captor: the cells
 * from NEAR / 2 to NEAR from the evader do not connect the last places of the
 * two there. */
static bool is_pincer(const struct chase *chase)
{
    const struct pursuit *pursuit = simulation_pursuit(chase->simulation);
    const struct agents *agents = pursuit_agents(pursuit);
    const struct target *target = pursuit_target(pursuit);
    size_t cells = grid_cells(&chase->scenario->terrain.grid);
    struct search_workspace *search;
    struct error error;
    must(search_workspace_new(search_find("lee"), chase->passages,
                              simulation_terrain(chase->simulation), &search,
                              &error),
         &error);
    double *evader = numbers(cells), *other = numbers(cells);
    bool pincer = false;
    take_walks(chase, target->at, search, evader);
    for (size_t j = 0; j < agents->count; j++) {
        double at[GRID_AXES];
        agents_place(agents, j, at);
        take_walks(chase, at, search, other);
        int32_t to = side(chase, j, evader);
        if (other[target->cell] > NEAR || to < 0)
            continue;
        for (size_t i = 0; i < agents->count; i++) {
            int32_t from = side(chase, i, evader);
            pincer |= i != j && agents->state[i] == AGENT_CAPTURED &&
                      from >= 0 && !connected(chase, from, to, evader);
        }
    }
    search_workspace_release(search);
    memory_release(evader);
    memory_release(other);
    return pincer;
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
    take_cells(chase);
    const struct agents *agents =
        pursuit_agents(simulation_pursuit(chase->simulation));
    for (size_t i = 0; i < agents->count; i++)
        chase->captured |= agents->state[i] == AGENT_CAPTURED;
    chase->pincer = chase->captured && is_pincer(chase);
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
        printf("%d\t%s\t%" PRId64 "\t%d\t%" PRId64
               "\t%.3f\t%.3f\t%.4f\t%08x\t%.3f\t%.4f\t%d\n",
               seed, chase->method, chase->steps, chase->captured,
               chase->rounds, mean(chase->nanoseconds, rounds) / 1000,
               mean(chase->plain_nanoseconds, rounds) / 1000,
               mean(chase->spread, steps + 1), chase->crc,
               mean(chase->expansions, rounds), mean(chase->overlap, rounds),
               chase->pincer);
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
    puts("seed\tmethod\tsteps\tcaptured\trounds\tus\tplain_us\tspread\tcrc\t"
         "cells\toverlap\tpincer");
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
