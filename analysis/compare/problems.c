/* SPDX-License-Identifier: MIT */
/* Each method is run on each problem of a public file; its guarantee is
 * checked, and a table has the results and costs. */
#include "analysis/compare/problems.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/need.h"
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
    PROMISE_AT_MOST, /* at most that: any angle is allowed */
};

/* What a method's path is, and how it is made. */
struct path_kind {
    bool any_angle; /* its path has no moves, so no turns to count */
    enum promise promise;
    const struct relay_settings *relay; /* of walks by relay nodes, else NULL */
};

static const struct path_kind any_moves = { 0 };
static const struct path_kind shortest_moves = { .promise = PROMISE_OPTIMUM };
static const struct path_kind any_angles = { .any_angle = true };
static const struct path_kind shortest_angles = { .any_angle = true,
                                                  .promise = PROMISE_AT_MOST };
static const struct path_kind relay_walks = { .relay = &relay_defaults };
static const struct path_kind complete_walks = { .relay = &relay_complete };

/* The names are those of searches, if they are. */
static const struct work_method attempt_methods[] = {
    { "lee", .own = &any_moves }, /* the minimum number of moves */
    { "dijkstra", .own = &shortest_moves },
    { "astar", .own = &shortest_moves },
    { "fast-marching", .own = &any_moves },
    { "fast-marching-fine", .spare = true, .own = &any_angles },
    { "dstar-lite", .own = &shortest_moves },
    { "exact", .flat = true, .own = &shortest_angles },
    { "relay", .flat = true, .spare = true, .own = &relay_walks },
    { "relay-complete", .flat = true, .spare = true, .own = &complete_walks },
    { 0 },
};
_Static_assert(sizeof attempt_methods <=
                   sizeof(struct work_method[WORK_METHODS_MOST]),
               "each can be chosen");

struct attempt {
    double outcome;    /* enum search_outcome */
    double length;     /* cells; INFINITY if no path was found */
    double expansions; /* NAN if there is no queue */
    double generated;  /* NAN if they are not counted */
    double turns;      /* of the path; NAN if it is not made of moves */
    double nanoseconds;
    double memory; /* of the workspace, bytes */
};
enum { ATTEMPT_FIGURES = sizeof(struct attempt) / sizeof(double) };
_Static_assert((int)ATTEMPT_FIGURES <= (int)WORK_FIGURES_MOST, "fits a record");

struct attempter {
    const struct path_kind *kind;
    const struct terrain *terrain;
    struct passages *passages;
    struct search_workspace *workspace; /* NULL: relay nodes */
};

static void attempter_release(struct attempter *attempter)
{
    if (!attempter)
        return;
    search_workspace_release(attempter->workspace);
    passages_release(attempter->passages);
    memory_release(attempter);
}

/* Moves are 8 in 2D and 26 in 3D, by their lengths; relay uses 4 moves. Borrows
 * the terrain. Release with attempter_release. */
static enum status attempter_new(const struct work_method *method,
                                 const struct terrain *terrain,
                                 struct attempter **attempter,
                                 struct error *error)
{
    const struct search *search = search_find(method->name);
    int dims = terrain->grid.dims, moves = dims == 2 ? 8 : 26;
    struct attempter *made = need_memory(1, sizeof *made);
    *made = (struct attempter){ .kind = method->own, .terrain = terrain };
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

/* Bytes that it keeps between queries. */
static size_t attempter_memory(const struct attempter *attempter)
{
    return attempter->workspace ? attempter->workspace->memory
                                : sizeof(struct relay_walker);
}

/* The number of changes of move along a path of adjacent cells. */
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
        .generated = result.generated ? (double)result.generated : (double)NAN,
        .turns = attempter->kind->any_angle
                     ? NAN
                     : turns_of(grid, result.path, result.path_count),
        .nanoseconds = (double)result.nanoseconds,
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
                                 .expansions = NAN,
                                 .generated = NAN };
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
                                     attempter->kind->relay, &counters, &to)) <
           RELAY_ARRIVED) {
        attempt->turns += length > 0 && along_x != (to.y == at.y);
        along_x = to.y == at.y;
        length += abs(to.x - at.x) + abs(to.y - at.y);
        at = to;
    }
    attempt->nanoseconds = (double)counters.nanoseconds;
    if (step == RELAY_ARRIVED) {
        attempt->outcome = SEARCH_FOUND;
        attempt->length = length;
    }
}

/* Data kept from the last query (D* Lite repairs its last search if the goal is
 * the same) would shorten the next one: a query with another goal removes
 * them. */
static void forget(struct attempter *attempter, const struct problem *problem)
{
    size_t start = cell_of(&attempter->terrain->grid, problem->start);
    struct search_query query = { start, start, NULL };
    struct search_result result;
    if (attempter->workspace && attempter->workspace->search->changed)
        search_run(attempter->workspace, &query, &result);
}

static void attempter_try(struct attempter *attempter,
                          const struct problem *problem,
                          struct attempt *attempt)
{
    forget(attempter, problem);
    if (attempter->workspace)
        try_search(attempter, problem, attempt);
    else
        try_relay(attempter, problem, attempt);
    attempt->memory = (double)attempter_memory(attempter);
}

/* ---- all problems ---- */

void problem_runs_release(struct problem_runs *runs)
{
    problems_release(&runs->problems);
    terrain_release(&runs->terrain);
    work_release(&runs->work);
}

static enum status load(const struct work_options *options,
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

/* The data of a worker: the attempter of one method at a time. */
struct solver {
    const struct problem_runs *runs;
    size_t method;
    struct attempter *attempter; /* NULL: none yet */
};

/* The first attempt is not counted: it warms the memory. */
static enum status take_method(struct solver *solver, size_t method,
                               const struct problem *problem,
                               struct error *error)
{
    struct attempt attempt;
    if (solver->attempter && solver->method == method)
        return STATUS_OK;
    attempter_release(solver->attempter);
    solver->attempter = NULL;
    enum status status =
        attempter_new(solver->runs->work.methods[method],
                      &solver->runs->terrain, &solver->attempter, error);
    if (status)
        return status;
    solver->method = method;
    attempter_try(solver->attempter, problem, &attempt);
    return STATUS_OK;
}

static enum status solve(void *context, size_t problem, size_t method,
                         double *figures, struct error *error)
{
    struct solver *solver = context;
    const struct problem *which = &solver->runs->problems.items[problem];
    struct attempt attempt;
    enum status status = take_method(solver, method, which, error);
    if (status)
        return status;
    attempter_try(solver->attempter, which, &attempt);
    memcpy(figures, &attempt, sizeof attempt);
    return STATUS_OK;
}

enum status problem_runs_make(const struct work_options *options,
                              struct problem_runs *runs, struct error *error)
{
    struct solver solver = { .runs = runs };
    *runs = (struct problem_runs){ 0 };
    enum status status = load(options, runs, error);
    if (status)
        return status;
    int dims = runs->terrain.grid.dims;
    runs->work = (struct work){
        .unit = "searches",
        .problems = runs->problems.count,
        .figures = ATTEMPT_FIGURES,
        .nanoseconds = offsetof(struct attempt, nanoseconds) / sizeof(double),
        .by_method = true,
        .options = options,
        .run = solve,
        .context = &solver,
    };
    status = work_choose(&runs->work, attempt_methods, dims,
                         dims == 2 ? "in 2D" : "in 3D", error);
    return status ? status : work_do(&runs->work, error);
}

/* ---- the guarantees ---- */

static const struct attempt *attempt_at(const struct problem_runs *runs,
                                        size_t method, size_t problem)
{
    return work_at(&runs->work, problem, method);
}

static enum promise promise_of(const struct problem_runs *runs, size_t method)
{
    const struct path_kind *kind = runs->work.methods[method]->own;
    return kind->promise;
}

static bool is_kept(const struct problem_runs *runs, size_t method,
                    size_t problem)
{
    const struct problem *p = &runs->problems.items[problem];
    double length = attempt_at(runs, method, problem)->length;
    switch (promise_of(runs, method)) {
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
    for (size_t m = 0; m < runs->work.method_count; m++)
        for (size_t i = 0; i < runs->problems.count; i++)
            missed += !is_kept(runs, m, i);
    return missed;
}

void problem_runs_report(const struct problem_runs *runs, size_t most,
                         FILE *out)
{
    size_t reported = 0, missed = problem_runs_missed(runs);
    for (size_t m = 0; m < runs->work.method_count && reported < most; m++)
        for (size_t i = 0; i < runs->problems.count && reported < most; i++) {
            const struct attempt *attempt = attempt_at(runs, m, i);
            const struct problem *problem = &runs->problems.items[i];
            if (is_kept(runs, m, i))
                continue;
            reported++;
            utf8_show(out, runs->problems.path);
            fprintf(out, ":%d: %s: ", problem->line,
                    runs->work.methods[m]->name);
            if (attempt->outcome != SEARCH_FOUND)
                fprintf(out, "%s\n",
                        search_outcome_names[(int)attempt->outcome]);
            else
                fprintf(out, "length %.8g, the file's optimum is %.8g\n",
                        attempt->length, problem->optimal);
        }
    if (reported < missed) {
        utf8_show(out, runs->problems.path);
        fprintf(out, ": %zu more such lengths\n", missed - reported);
    }
}

/* ---- a row for each attempt ---- */

static void print_row(const struct problem_runs *runs, size_t problem,
                      size_t method, FILE *out)
{
    const struct problem *p = &runs->problems.items[problem];
    const struct attempt *attempt = attempt_at(runs, method, problem);
    fprintf(out, "%d", p->line);
    csv_number(out, p->bucket < 0 ? (double)NAN : p->bucket);
    fprintf(out, ",%s,%s", runs->work.methods[method]->name,
            search_outcome_names[(int)attempt->outcome]);
    csv_number(out, p->optimal);
    csv_number(out, attempt->length);
    csv_number(out, attempt->turns);
    csv_number(out, attempt->expansions);
    csv_number(out, attempt->generated);
    csv_number(out, attempt->nanoseconds);
    csv_number(out, attempt->memory);
    putc('\n', out);
}

static const struct table_column output_columns[] = {
    { "line", .meaning = "line of the problem in its file" },
    { "bucket",
      .meaning =
          "the file's number for problems of similar length; empty in 3D" },
    { "method", .meaning = "search method" },
    { "outcome", .meaning = "found, no path, or start or goal in a wall" },
    { "optimum", .meaning = "the file's optimum (cells)" },
    { "length", .meaning = "length of the path (cells)" },
    { "turns", .meaning = "number of turns in the path" },
    { "expansions", .meaning = "number of expanded cells" },
    { "generated", .meaning = "number of generated cells" },
    { "ns", .meaning = "time of the search (ns)" },
    { "memory_bytes", .meaning = "memory of the method's workspace (bytes)" },
};
enum { OUTPUT_COLUMNS = sizeof output_columns / sizeof *output_columns };

void problem_runs_print(const struct problem_runs *runs, FILE *out)
{
    table_print_names(output_columns, OUTPUT_COLUMNS, out);
    for (size_t i = 0; i < runs->problems.count; i++)
        for (size_t m = 0; m < runs->work.method_count; m++)
            print_row(runs, i, m, out);
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
    [PROBLEM_COUNT] = { "problems", "problems", 0,
                        .meaning = "number of problems" },
    [PROBLEM_SOLVED] = { "solved", "solved", 0,
                         .meaning = "problems for which a path was found" },
    [PROBLEM_NO_PATH] = { "no path", "no_path", 0,
                          .meaning = "problems without a path" },
    [PROBLEM_IN_WALL] = { "in wall", "in_wall", 0,
                          .meaning = "problems whose start or goal is a wall" },
    [PROBLEM_MET] = { "optimum met", "optimum_met", 0,
                      .meaning = "paths whose length equals the file's optimum "
                                 "within max(.006, 1e-5 of it)" },
    [PROBLEM_MISSED] = { "promise missed", "promise_missed", 0,
                         .meaning = "paths longer than the method guarantees" },
    [PROBLEM_OVER] = { "/optimum mean", "over_optimum_mean", 4,
                       .meaning = "mean length over the file's optimum" },
    [PROBLEM_OVER_MOST] = { "/optimum most", "over_optimum_most", 4,
                            .meaning = "largest of these ratios" },
    [PROBLEM_ANY_ANGLE] = { "/exact mean", "over_exact_mean", 4,
                            .meaning =
                                "mean length over that of method exact" },
    [PROBLEM_TURNS] = { "turns median", "turns_median", 0,
                        .meaning = "median number of turns" },
    [PROBLEM_EXPANSIONS] = { "expanded (cells), median", "expansions_median", 0,
                             .meaning = "median number of expanded cells" },
    [PROBLEM_TIME] = { "time (us), median", "us_median", 1,
                       .meaning = "median time of a search (us)" },
    [PROBLEM_TIME_P95] = { "time (us), p95", "us_p95", 1,
                           .meaning =
                               "95 % quantile of the time of a search (us)" },
    [PROBLEM_MEMORY] = { "memory (KiB)", "memory_kib", 1,
                         .meaning = "memory of the method's workspace (KiB)" },
};

void problem_runs_describe(FILE *out)
{
    compared_describe(headings, PROBLEM_FIGURES, out);
    fputs("\nIn the rows of --output:\n", out);
    table_describe_columns(output_columns, OUTPUT_COLUMNS, out);
}

enum measured { OVER_OPTIMUM, OVER_EXACT, TURNS, EXPANSIONS, TIME };

/* NAN: not to be counted. Time and expansions are of all attempts with both
 * ends free, other figures of those that were solved. */
static double value_of(const struct problem_runs *runs, size_t method,
                       size_t exact, size_t problem, enum measured measured)
{
    const struct attempt *attempt = attempt_at(runs, method, problem);
    double optimal = runs->problems.items[problem].optimal, shortest = NAN;
    if (attempt->outcome >= SEARCH_START_BLOCKED)
        return NAN;
    if (measured == TIME)
        return attempt->nanoseconds / 1000;
    if (measured == EXPANSIONS)
        return attempt->expansions;
    if (attempt->outcome != SEARCH_FOUND)
        return NAN;
    if (exact < runs->work.method_count)
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

static void count_outcomes(const struct problem_runs *runs, size_t method,
                           double figure[PROBLEM_FIGURES])
{
    bool promised = promise_of(runs, method) != PROMISE_NONE;
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
             runs->work.methods[method]->name);
    count_outcomes(runs, method, figure);
    size_t count = gather(runs, method, exact, OVER_OPTIMUM, values);
    figure[PROBLEM_OVER] = summary_mean(values, count);
    figure[PROBLEM_OVER_MOST] = summary_quantile(values, count, 1);
    count = gather(runs, method, exact, OVER_EXACT, values);
    figure[PROBLEM_ANY_ANGLE] = summary_mean(values, count);
    count = gather(runs, method, exact, TURNS, values);
    figure[PROBLEM_TURNS] = summary_quantile(values, count, .5);
    count = gather(runs, method, exact, EXPANSIONS, values);
    figure[PROBLEM_EXPANSIONS] = summary_quantile(values, count, .5);
    count = gather(runs, method, exact, TIME, values);
    figure[PROBLEM_TIME] = summary_quantile(values, count, .5);
    figure[PROBLEM_TIME_P95] = summary_quantile(values, count, .95);
    figure[PROBLEM_MEMORY] = attempt_at(runs, method, 0)->memory / 1024;
}

void problem_runs_table(const struct problem_runs *runs, struct compared *table)
{
    double *values = need_memory(runs->problems.count, sizeof *values);
    *table =
        (struct compared){ .headings = headings, .figures = PROBLEM_FIGURES };
    table->rows = need_memory(runs->work.method_count, sizeof *table->rows);
    size_t exact = 0;
    while (exact < runs->work.method_count &&
           strcmp(runs->work.methods[exact]->name, "exact") != 0)
        exact++;
    for (size_t i = 0; i < runs->work.method_count; i++)
        fill_row(runs, i, exact, values, &table->rows[table->count++]);
    memory_release(values);
}
