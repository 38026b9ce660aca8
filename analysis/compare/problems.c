/* SPDX-License-Identifier: MIT */
/* Each method tries each problem of a public file; what it promised is checked,
 * and a table says what it took. */
#include "analysis/compare/problems.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "metrics/summary.h"
#include "search/relay.h"
#include "search/search.h"
#include "world/maps/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one method, one problem ---- */

enum promise {
    PROMISE_NONE,    /* a path */
    PROMISE_OPTIMUM, /* the shortest, with the moves of the problems */
    PROMISE_AT_MOST, /* no longer than that: any angle is allowed */
};

struct attempt_method {
    const char *name; /* of the search, or "relay" */
    bool flat;        /* 2D only */
    bool spare;       /* only if --methods names it */
    bool any_angle;   /* its path is none of moves, and has no turns to count */
    enum promise promise;
};

static const struct attempt_method attempt_methods[] = {
    { .name = "lee" }, /* the fewest moves */
    { .name = "dijkstra", .promise = PROMISE_OPTIMUM },
    { .name = "astar", .promise = PROMISE_OPTIMUM },
    { .name = "fast-marching" },
    { .name = "fast-marching-fine", .spare = true, .any_angle = true },
    { .name = "dstar-lite", .promise = PROMISE_OPTIMUM },
    { .name = "exact",
      .flat = true,
      .any_angle = true,
      .promise = PROMISE_AT_MOST },
    { .name = "relay", .flat = true, .spare = true },
    { 0 },
};

static const struct attempt_method *attempt_method_find(const char *name)
{
    for (const struct attempt_method *m = attempt_methods; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

struct attempt {
    enum search_outcome outcome;
    double length;     /* cells; INFINITY if no path was found */
    double expansions; /* NAN if there is no queue */
    double turns;      /* of the path; NAN if it is not made of moves */
    int64_t nanoseconds;
};

struct attempter {
    const struct attempt_method *method;
    const struct terrain *terrain;
    struct passages *passages;
    struct search_workspace *workspace; /* NULL: relay */
};

static void attempter_release(struct attempter *attempter)
{
    if (!attempter)
        return;
    search_workspace_release(attempter->workspace);
    passages_release(attempter->passages);
    memory_release(attempter);
}

/* Moves are 8 in 2D and 26 in 3D, by their lengths; relay goes by 4. Borrows
 * the terrain. Release with attempter_release. */
static enum status attempter_new(const struct attempt_method *method,
                                 const struct terrain *terrain,
                                 struct attempter **attempter,
                                 struct error *error)
{
    const struct search *search = search_find(method->name);
    int dims = terrain->grid.dims, moves = dims == 2 ? 8 : 26;
    struct attempter *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    *made = (struct attempter){ .method = method, .terrain = terrain };
    enum status status = passages_new(terrain, search ? moves : 2 * dims,
                                      MEASURE_LENGTH, &made->passages, error);
    if (!status && search)
        status = search_workspace_new(search, made->passages, terrain,
                                      &made->workspace, error);
    if (status)
        attempter_release(made);
    else
        *attempter = made;
    return status;
}

/* Bytes that it keeps from query to query. */
static size_t attempter_memory(const struct attempter *attempter)
{
    return attempter->workspace ? attempter->workspace->memory
                                : sizeof(struct relay_walker);
}

/* How often a path of neighbouring cells changes its move. */
static double turns_of(const struct grid *grid, const int32_t *path,
                       size_t count)
{
    int at[GRID_AXES], next[GRID_AXES], step[GRID_AXES], turns = 0;
    for (size_t i = 0; i < count; i++) {
        grid_cell(grid, (size_t)path[i], next);
        for (int axis = 0; i > 0 && axis < GRID_AXES; axis++)
            at[axis] = next[axis] - at[axis];
        turns += i > 1 && memcmp(at, step, sizeof step) != 0;
        if (i > 0)
            memcpy(step, at, sizeof step);
        memcpy(at, next, sizeof at);
    }
    return turns;
}

static size_t cell_of(const struct grid *grid, const int at[GRID_AXES])
{
    return grid_index(grid, at[0], at[1], at[2]);
}

static void try_search(struct attempter *attempter,
                       const struct problem *problem, struct attempt *attempt)
{
    const struct grid *grid = &attempter->terrain->grid;
    struct search_query query = { cell_of(grid, problem->start),
                                  cell_of(grid, problem->goal), NULL };
    struct search_result result;
    search_run(attempter->workspace, &query, &result);
    *attempt = (struct attempt){
        .outcome = result.outcome,
        .length = result.length,
        .expansions = (double)result.expansions,
        .turns = attempter->method->any_angle
                     ? NAN
                     : turns_of(grid, result.path, result.path_count),
        .nanoseconds = result.nanoseconds,
    };
}

/* A walk from node to node; each leg is straight. */
static void try_relay(struct attempter *attempter,
                      const struct problem *problem, struct attempt *attempt)
{
    const uint8_t *wall = attempter->terrain->wall;
    const struct grid *grid = &attempter->terrain->grid;
    struct relay_counters counters = { 0 };
    struct relay_walker walker;
    struct relay_node at = { problem->start[0], problem->start[1] }, to;
    enum relay_step step = RELAY_FAILED;
    bool along_x = false;
    *attempt = (struct attempt){ .outcome = SEARCH_UNREACHABLE,
                                 .length = INFINITY,
                                 .expansions = NAN };
    if (wall[cell_of(grid, problem->start)])
        attempt->outcome = SEARCH_START_BLOCKED;
    else if (wall[cell_of(grid, problem->goal)])
        attempt->outcome = SEARCH_GOAL_BLOCKED;
    if (attempt->outcome != SEARCH_UNREACHABLE)
        return;
    double length = 0;
    relay_walker_start(
        &walker, at, (struct relay_node){ problem->goal[0], problem->goal[1] });
    while ((step = relay_walker_next(&walker, attempter->passages,
                                     &relay_defaults, &counters, &to)) <
           RELAY_ARRIVED) {
        attempt->turns += length > 0 && along_x != (to.y == at.y);
        along_x = to.y == at.y;
        length += abs(to.x - at.x) + abs(to.y - at.y);
        at = to;
    }
    attempt->nanoseconds = counters.nanoseconds;
    if (step == RELAY_ARRIVED) {
        attempt->outcome = SEARCH_FOUND;
        attempt->length = length;
    }
}

static void attempter_try(struct attempter *attempter,
                          const struct problem *problem,
                          struct attempt *attempt)
{
    if (attempter->workspace)
        try_search(attempter, problem, attempt);
    else
        try_relay(attempter, problem, attempt);
}

/* ---- all of them ---- */

void problem_runs_release(struct problem_runs *runs)
{
    problems_release(&runs->problems);
    terrain_release(&runs->terrain);
    memory_release(runs->methods);
    memory_release(runs->attempts);
    memory_release(runs->memory);
    *runs = (struct problem_runs){ 0 };
}

static enum status load(const struct problem_options *options,
                        struct problem_runs *runs, struct error *error)
{
    struct problems *problems = &runs->problems;
    enum status status = problems_load(options->file, problems, error);
    if (status)
        return status;
    char *named = NULL;
    if (!options->map)
        status = problems_map_path(problems, &named, error);
    if (!status)
        status = map_load(options->map ? options->map : named, NULL,
                          &runs->terrain, error);
    memory_release(named);
    if (!status)
        status = problems_fit(problems, &runs->terrain.grid, error);
    size_t taken = 0;
    for (size_t i = 0; i < problems->count; i += options->every)
        problems->items[taken++] = problems->items[i];
    problems->count = taken;
    return status;
}

static enum status not_a_method(const char *name, size_t length, int dims,
                                struct error *error)
{
    char allowed[256] = "";
    size_t used = 0;
    for (const struct attempt_method *m = attempt_methods; m->name; m++)
        if ((dims == 2 || !m->flat) && used < sizeof allowed)
            used += (size_t)snprintf(allowed + used, sizeof allowed - used,
                                     "%s%s", used ? ", " : "", m->name);
    return error_set(error, STATUS_INPUT,
                     "--methods '%.*s': in %dD %s are allowed", (int)length,
                     name, dims, allowed);
}

/* The methods between the commas, each once. */
static enum status choose(const char *list, struct problem_runs *runs,
                          struct error *error)
{
    int dims = runs->terrain.grid.dims;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        char name[METHOD_NAME_SIZE] = "";
        if (length < sizeof name)
            memcpy(name, at, length);
        const struct attempt_method *method = attempt_method_find(name);
        if (!method || (method->flat && dims != 2))
            return not_a_method(at, length, dims, error);
        bool known = false;
        for (size_t i = 0; i < runs->method_count; i++)
            known = known || runs->methods[i] == method;
        if (!known)
            runs->methods[runs->method_count++] = method;
        at += length;
        if (!*at)
            return STATUS_OK;
    }
}

static void choose_all(struct problem_runs *runs)
{
    for (const struct attempt_method *m = attempt_methods; m->name; m++)
        if (!m->spare && (!m->flat || runs->terrain.grid.dims == 2))
            runs->methods[runs->method_count++] = m;
}

static enum status run_method(struct problem_runs *runs, size_t which,
                              struct error *error)
{
    struct attempter *attempter;
    enum status status =
        attempter_new(runs->methods[which], &runs->terrain, &attempter, error);
    if (status)
        return status;
    size_t count = runs->problems.count;
    for (size_t i = 0; i < count; i++)
        attempter_try(attempter, &runs->problems.items[i],
                      &runs->attempts[which * count + i]);
    runs->memory[which] = (double)attempter_memory(attempter);
    attempter_release(attempter);
    return STATUS_OK;
}

enum status problem_runs_make(const struct problem_options *options,
                              struct problem_runs *runs, struct error *error)
{
    *runs = (struct problem_runs){ 0 };
    enum status status = load(options, runs, error);
    if (status)
        return status;
    size_t most = 0, room;
    while (attempt_methods[most].name)
        most++;
    runs->methods = memory_new(most, sizeof *runs->methods);
    runs->memory = memory_new(most, sizeof *runs->memory);
    if (size_multiply(most, runs->problems.count, &room))
        runs->attempts = memory_new(room, sizeof *runs->attempts);
    if (!runs->methods || !runs->memory || !runs->attempts)
        return error_memory(error);
    if (options->methods)
        status = choose(options->methods, runs, error);
    else
        choose_all(runs);
    for (size_t i = 0; i < runs->method_count && !status; i++)
        status = run_method(runs, i, error);
    return status;
}

/* ---- the promises ---- */

static const struct attempt *attempt_at(const struct problem_runs *runs,
                                        size_t method, size_t problem)
{
    return &runs->attempts[method * runs->problems.count + problem];
}

static bool is_kept(const struct problem_runs *runs, size_t method,
                    size_t problem)
{
    const struct problem *p = &runs->problems.items[problem];
    double length = attempt_at(runs, method, problem)->length;
    switch (runs->methods[method]->promise) {
    case PROMISE_OPTIMUM:
        return problem_is_met(p, length);
    case PROMISE_AT_MOST:
        return length <= p->optimal || problem_is_met(p, length);
    case PROMISE_NONE:
        break;
    }
    return true;
}

size_t problem_runs_missed(const struct problem_runs *runs)
{
    size_t missed = 0;
    for (size_t m = 0; m < runs->method_count; m++)
        for (size_t i = 0; i < runs->problems.count; i++)
            missed += !is_kept(runs, m, i);
    return missed;
}

void problem_runs_tell(const struct problem_runs *runs, size_t most, FILE *out)
{
    size_t told = 0, missed = problem_runs_missed(runs);
    for (size_t m = 0; m < runs->method_count && told < most; m++)
        for (size_t i = 0; i < runs->problems.count && told < most; i++) {
            const struct attempt *attempt = attempt_at(runs, m, i);
            const struct problem *problem = &runs->problems.items[i];
            if (is_kept(runs, m, i))
                continue;
            told++;
            utf8_show(out, runs->problems.path);
            fprintf(out, ":%d: %s: ", problem->line, runs->methods[m]->name);
            if (attempt->outcome != SEARCH_FOUND)
                fprintf(out, "%s\n", search_outcome_names[attempt->outcome]);
            else
                fprintf(out, "length %.8g, the file's optimum is %.8g\n",
                        attempt->length, problem->optimal);
        }
    if (told < missed) {
        utf8_show(out, runs->problems.path);
        fprintf(out, ": %zu more like these\n", missed - told);
    }
}

/* ---- the table ---- */

enum {
    PROBLEM_COUNT,
    PROBLEM_SOLVED,
    PROBLEM_NO_PATH,
    PROBLEM_IN_WALL,
    PROBLEM_MET,
    PROBLEM_MISSED,
    PROBLEM_OVER,
    PROBLEM_OVER_MOST,
    PROBLEM_ANY_ANGLE,
    PROBLEM_TURNS,
    PROBLEM_EXPANSIONS,
    PROBLEM_TIME,
    PROBLEM_TIME_P95,
    PROBLEM_MEMORY,
    PROBLEM_FIGURES
};

static const struct compared_heading headings[PROBLEM_FIGURES] = {
    [PROBLEM_COUNT] = { "problems", "", "problems", "problems", 0 },
    [PROBLEM_SOLVED] = { "solved", "", "solved", "solved", 0 },
    [PROBLEM_NO_PATH] = { "no path", "", "no path", "no_path", 0 },
    [PROBLEM_IN_WALL] = { "in wall", "", "in wall", "in_wall", 0 },
    [PROBLEM_MET] = { "met", "", "optimum met", "optimum_met", 0 },
    [PROBLEM_MISSED] = { "missed", "", "promise missed", "promise_missed", 0 },
    [PROBLEM_OVER] = { "/optimum", "mean", "/optimum mean", "over_optimum_mean",
                       4 },
    [PROBLEM_OVER_MOST] = { "most", "", "/optimum most", "over_optimum_most",
                            4 },
    [PROBLEM_ANY_ANGLE] = { "/exact", "mean", "/exact mean", "over_exact_mean",
                            4 },
    [PROBLEM_TURNS] = { "turns", "median", "turns median", "turns_median", 0 },
    [PROBLEM_EXPANSIONS] = { "expanded", "median", "expanded (cells), median",
                             "expansions_median", 0 },
    [PROBLEM_TIME] = { "time", "us median", "time (us), median", "us_median",
                       1 },
    [PROBLEM_TIME_P95] = { "p95", "us", "time (us), p95", "us_p95", 1 },
    [PROBLEM_MEMORY] = { "memory", "KiB", "memory (KiB)", "memory_kib", 1 },
};

enum measured { OVER_OPTIMUM, OVER_EXACT, TURNS, EXPANSIONS, TIME };

/* NAN: not to be counted. Time and expansions are of all tries with both ends
 * free, the rest of those that were solved. */
static double value_of(const struct problem_runs *runs, size_t method,
                       size_t exact, size_t problem, enum measured measured)
{
    const struct attempt *attempt = attempt_at(runs, method, problem);
    double optimal = runs->problems.items[problem].optimal, shortest = NAN;
    if (attempt->outcome >= SEARCH_START_BLOCKED)
        return NAN;
    if (measured == TIME)
        return (double)attempt->nanoseconds / 1000;
    if (measured == EXPANSIONS)
        return attempt->expansions;
    if (attempt->outcome != SEARCH_FOUND)
        return NAN;
    if (exact < runs->method_count)
        shortest = attempt_at(runs, exact, problem)->length;
    switch (measured) {
    case OVER_OPTIMUM:
        return optimal > 0 ? attempt->length / optimal : NAN;
    case OVER_EXACT:
        return shortest > 0 ? attempt->length / shortest : NAN;
    default:
        return attempt->turns;
    }
}

static size_t gather(const struct problem_runs *runs, size_t method,
                     size_t exact, enum measured measured, double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < runs->problems.count; i++) {
        double value = value_of(runs, method, exact, i, measured);
        if (!isnan(value))
            values[count++] = value;
    }
    summary_sort(values, count);
    return count;
}

static double mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / (double)count : NAN;
}

static void count_outcomes(const struct problem_runs *runs, size_t method,
                           double figure[PROBLEM_FIGURES])
{
    bool promised = runs->methods[method]->promise != PROMISE_NONE;
    figure[PROBLEM_COUNT] = (double)runs->problems.count;
    if (!promised)
        figure[PROBLEM_MISSED] = NAN;
    for (size_t i = 0; i < runs->problems.count; i++) {
        const struct attempt *attempt = attempt_at(runs, method, i);
        figure[PROBLEM_SOLVED] += attempt->outcome == SEARCH_FOUND;
        figure[PROBLEM_NO_PATH] += attempt->outcome == SEARCH_UNREACHABLE;
        figure[PROBLEM_IN_WALL] += attempt->outcome >= SEARCH_START_BLOCKED;
        figure[PROBLEM_MET] +=
            problem_is_met(&runs->problems.items[i], attempt->length);
        figure[PROBLEM_MISSED] += !is_kept(runs, method, i);
    }
}

static void fill_row(const struct problem_runs *runs, size_t method,
                     size_t exact, double *values, struct compared_row *row)
{
    double *figure = row->figure;
    snprintf(row->method, sizeof row->method, "%s",
             runs->methods[method]->name);
    count_outcomes(runs, method, figure);
    size_t count = gather(runs, method, exact, OVER_OPTIMUM, values);
    figure[PROBLEM_OVER] = mean(values, count);
    figure[PROBLEM_OVER_MOST] = summary_quantile(values, count, 1);
    count = gather(runs, method, exact, OVER_EXACT, values);
    figure[PROBLEM_ANY_ANGLE] = mean(values, count);
    count = gather(runs, method, exact, TURNS, values);
    figure[PROBLEM_TURNS] = summary_quantile(values, count, .5);
    count = gather(runs, method, exact, EXPANSIONS, values);
    figure[PROBLEM_EXPANSIONS] = summary_quantile(values, count, .5);
    count = gather(runs, method, exact, TIME, values);
    figure[PROBLEM_TIME] = summary_quantile(values, count, .5);
    figure[PROBLEM_TIME_P95] = summary_quantile(values, count, .95);
    figure[PROBLEM_MEMORY] = runs->memory[method] / 1024;
}

enum status problem_runs_table(const struct problem_runs *runs,
                               struct compared *table, struct error *error)
{
    double *values = memory_new(runs->problems.count, sizeof *values);
    *table =
        (struct compared){ .headings = headings, .figures = PROBLEM_FIGURES };
    table->rows = memory_new(runs->method_count, sizeof *table->rows);
    if (!values || !table->rows) {
        memory_release(values);
        return error_memory(error);
    }
    size_t exact = 0;
    while (exact < runs->method_count &&
           strcmp(runs->methods[exact]->name, "exact") != 0)
        exact++;
    for (size_t i = 0; i < runs->method_count; i++)
        fill_row(runs, i, exact, values, &table->rows[table->count++]);
    memory_release(values);
    return STATUS_OK;
}
