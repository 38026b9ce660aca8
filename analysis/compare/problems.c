/* SPDX-License-Identifier: MIT */
/* Each method is run on each problem of a public file; its guarantee is
 * checked, and a table has the results and costs. */
#include "analysis/compare/problems.h"

#include "analysis/compare/plot.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"
#include "base/version.h"
#include "metrics/summary.h"
#include "search/relay.h"
#include "search/search.h"
#include "words/words.h"
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
enum {
    OUTPUT_COLUMNS = sizeof output_columns / sizeof *output_columns,
    OUTPUT_TEXTS = 4
};

void problem_runs_print(const struct problem_runs *runs, FILE *out)
{
    struct table table;
    table_init_mixed(&table, output_columns, OUTPUT_TEXTS, OUTPUT_COLUMNS);
    for (size_t i = 0; i < runs->problems.count; i++)
        for (size_t m = 0; m < runs->work.method_count; m++) {
            const struct problem *p = &runs->problems.items[i];
            const struct attempt *attempt = attempt_at(runs, m, i);
            char line[16], bucket[16] = "";
            snprintf(line, sizeof line, "%d", p->line);
            if (p->bucket >= 0)
                snprintf(bucket, sizeof bucket, "%d", p->bucket);
            const char *const texts[OUTPUT_TEXTS] = {
                line, bucket, runs->work.methods[m]->name,
                search_outcome_names[(int)attempt->outcome]
            };
            const double numbers[] = { p->optimal,         attempt->length,
                                       attempt->turns,     attempt->expansions,
                                       attempt->generated, attempt->nanoseconds,
                                       attempt->memory };
            table_add_texts(&table, texts, numbers);
        }
    table_print(&table, TABLE_CSV, out);
    table_release(&table);
}

/* ---- the table ---- */

struct problem_figures {
    double count, solved, no_path, in_wall, met, missed, memory;
};
#define OF(member) offsetof(struct problem_figures, member)

/* Of an attempt; NAN: not to be counted. Time and expansions are of all
 * attempts with both ends free, the others of those that were solved. */
struct problem_values {
    double over, over_exact, turns, expansions, time;
};
#define OF_VALUE(member) offsetof(struct problem_values, member)

static const struct result columns[] = {
    { "problems", "problems", 0, .meaning = "number of problems",
      .member = OF(count) },
    { "solved", "solved", 0, .meaning = "problems for which a path was found",
      .member = OF(solved) },
    { "no_path", "no path", 0, .meaning = "problems without a path",
      .member = OF(no_path) },
    { "in_wall", "in wall", 0,
      .meaning = "problems whose start or goal is a wall",
      .member = OF(in_wall) },
    { "optimum_met", "optimum met", 0,
      .meaning =
          "paths whose length equals the file's optimum within max(.006, "
          "1e-5 of it)",
      .member = OF(met) },
    { "promise_missed", "promise missed", 0,
      .meaning = "paths longer than the method guarantees",
      .member = OF(missed) },
    { "over_optimum_mean", "/optimum mean", 4,
      .meaning = "mean length over the file's optimum", .of = OF_MEAN,
      .member = OF_VALUE(over) },
    { "over_optimum_most", "/optimum most", 4,
      .meaning = "largest of these ratios", .of = OF_QUANTILE, .share = 1,
      .member = OF_VALUE(over) },
    { "over_exact_mean", "/exact mean", 4,
      .meaning = "mean length over that of method exact", .of = OF_MEAN,
      .member = OF_VALUE(over_exact) },
    { "turns_median", "turns median", 0, .meaning = "median number of turns",
      .of = OF_QUANTILE, .share = .5, .member = OF_VALUE(turns) },
    { "expansions_median", "expanded (cells), median", 0,
      .meaning = "median number of expanded cells", .of = OF_QUANTILE,
      .share = .5, .member = OF_VALUE(expansions) },
    { "us_median", "time (us), median", 1,
      .meaning = "median time of a search (us)", .of = OF_QUANTILE, .share = .5,
      .member = OF_VALUE(time) },
    { "us_p95", "time (us), p95", 1,
      .meaning = "95 % quantile of the time of a search (us)",
      .of = OF_QUANTILE, .share = .95, .member = OF_VALUE(time) },
    { "memory_kib", "memory (KiB)", 1,
      .meaning = "memory of the method's workspace (KiB)",
      .member = OF(memory) },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

void problem_runs_describe(FILE *out)
{
    compared_describe(columns, COLUMNS, out);
    fputs("\nIn the rows of --output:\n", out);
    table_describe_columns(output_columns, OUTPUT_COLUMNS, out);
}

static struct problem_values values_of(const struct problem_runs *runs,
                                       size_t method, size_t exact,
                                       size_t problem)
{
    const struct attempt *attempt = attempt_at(runs, method, problem);
    double optimal = runs->problems.items[problem].optimal;
    struct problem_values values = { NAN, NAN, NAN, NAN, NAN };
    if (attempt->outcome >= SEARCH_START_BLOCKED)
        return values;
    values.time = attempt->nanoseconds / 1000;
    values.expansions = attempt->expansions;
    if (attempt->outcome != SEARCH_FOUND)
        return values;
    values.turns = attempt->turns;
    if (optimal > 0)
        values.over = attempt->length / optimal;
    if (exact < runs->work.method_count &&
        attempt_at(runs, exact, problem)->length > 0)
        values.over_exact =
            attempt->length / attempt_at(runs, exact, problem)->length;
    return values;
}

static void count_outcomes(const struct problem_runs *runs, size_t method,
                           struct problem_figures *figures)
{
    bool promised = promise_of(runs, method) != PROMISE_NONE;
    figures->count = (double)runs->problems.count;
    if (!promised)
        figures->missed = NAN;
    for (size_t i = 0; i < runs->problems.count; i++) {
        const struct attempt *attempt = attempt_at(runs, method, i);
        figures->solved += attempt->outcome == SEARCH_FOUND;
        figures->no_path += attempt->outcome == SEARCH_UNREACHABLE;
        figures->in_wall += attempt->outcome >= SEARCH_START_BLOCKED;
        figures->met +=
            problem_is_met(&runs->problems.items[i], attempt->length);
        figures->missed += !is_kept(runs, method, i);
    }
}

void problem_runs_table(const struct problem_runs *runs, struct compared *table)
{
    const size_t count = runs->problems.count;
    struct problem_values *values = need_memory(count, sizeof *values);
    *table = (struct compared){ 0 };
    compared_init(table, columns, COLUMNS);
    size_t exact = 0;
    while (exact < runs->work.method_count &&
           strcmp(runs->work.methods[exact]->name, "exact") != 0)
        exact++;
    for (size_t m = 0; m < runs->work.method_count; m++) {
        struct problem_figures figures = { 0 };
        count_outcomes(runs, m, &figures);
        figures.memory = attempt_at(runs, m, 0)->memory / 1024;
        for (size_t i = 0; i < count; i++)
            values[i] = values_of(runs, m, exact, i);
        compared_add(table, runs->work.methods[m]->name, "");
        compared_take(table, m, &figures, values, count, sizeof *values);
    }
    memory_release(values);
}

/* ---- the chart ---- */

enum { BINS_PER_DOUBLING = 2, BINS = 80, POINTS_MOST = 300 };

/* Ratios of length of the solved problems, ascending; returns their number. */
static size_t take_over(const struct problem_runs *runs, size_t method,
                        double *over)
{
    size_t count = 0;
    for (size_t i = 0; i < runs->problems.count; i++) {
        over[count] = values_of(runs, method, SIZE_MAX, i).over;
        count += isfinite(over[count]) != 0;
    }
    summary_sort(over, count);
    return count;
}

static int bin_of(double length)
{
    int bin = (int)floor(BINS_PER_DOUBLING * log2(length));
    return bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
}

/* A problem's length and expansions can be on axes with logarithms. */
static bool is_plotted(const struct problem_runs *runs, size_t method,
                       size_t problem)
{
    return runs->problems.items[problem].optimal > 0 &&
           attempt_at(runs, method, problem)->outcome == SEARCH_FOUND &&
           attempt_at(runs, method, problem)->expansions > 0;
}

/* The range of an axis; of nothing 1 to 10. */
struct range {
    double low, high;
};

static void widen(struct range *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

static void set_range(struct chart *chart, const char *low, const char *high,
                      const struct range *range, double factor)
{
    const bool any = range->low <= range->high;
    chart_option_number(chart, low, any ? range->low / factor : 1);
    chart_option_number(chart, high, any ? range->high * factor : 10);
}

static void write_ranges(const struct problem_runs *runs, struct chart *chart)
{
    struct range lengths = { INFINITY, 0 }, expanded = lengths;
    struct range costs = { 1, 1.01 };
    for (size_t m = 0; m < runs->work.method_count; m++)
        for (size_t i = 0; i < runs->problems.count; i++) {
            const double over = values_of(runs, m, SIZE_MAX, i).over;
            if (isfinite(over))
                widen(&costs, over);
            if (!is_plotted(runs, m, i))
                continue;
            widen(&lengths, runs->problems.items[i].optimal);
            widen(&expanded, attempt_at(runs, m, i)->expansions);
        }
    set_range(chart, "cost_low", "cost_high", &costs, 1);
    set_range(chart, "length_low", "length_high", &lengths, 1.2);
    set_range(chart, "expanded_low", "expanded_high", &expanded, 1.3);
    chart_option_number(chart, "points", runs->problems.count <= POINTS_MOST);
    chart_option_number(chart, "series", (double)runs->work.method_count);
}

static void write_methods(const struct problem_runs *runs, struct chart *chart)
{
    const size_t methods = runs->work.method_count;
    const char *names[WORK_METHODS_MOST];
    int styles[WORK_METHODS_MOST];
    double *over = need_memory(runs->problems.count, sizeof *over);
    for (size_t m = 0; m < methods; m++)
        names[m] = runs->work.methods[m]->name;
    plot_styles(names, methods, styles);
    chart_table(chart, "methods",
                "length over the file's optimum, of the solved problems",
                "series,problems (1),solved (1),optimal (1),median (1),lower "
                "quartile (1),upper quartile (1),largest (1),method");
    for (size_t m = 0; m < methods; m++) {
        static const char *const options[] = { "number",  "problems", "solved",
                                               "optimal", "cost",     "cost_q1",
                                               "cost_q3", "cost_most" };
        enum { OPTIONS = sizeof options / sizeof *options };
        struct problem_figures figures = { 0 };
        const size_t count = take_over(runs, m, over);
        count_outcomes(runs, m, &figures);
        const double numbers[OPTIONS] = {
            (double)(m + 1),
            figures.count,
            figures.solved,
            figures.met,
            summary_quantile(over, count, .5),
            summary_quantile(over, count, .25),
            summary_quantile(over, count, .75),
            summary_quantile(over, count, 1),
        };
        for (int k = 0; k < OPTIONS; k++)
            chart_option_of(chart, options[k], m, numbers[k]);
        chart_cells(chart, numbers, OPTIONS);
        chart_word(chart, names[m], '\n');
        chart_option_of(chart, "style", m, styles[m]);
        chart_option_text_of(chart, "label", m, runs->work.labels[m]);
    }
    memory_release(over);
}

static void write_problems(const struct problem_runs *runs, struct chart *chart)
{
    chart_table(chart, "problems", "of the solved problems",
                "series,optimum (cells),length over optimum (1),expanded "
                "(cells)");
    for (size_t m = 0; m < runs->work.method_count; m++)
        for (size_t i = 0; i < runs->problems.count; i++) {
            if (!is_plotted(runs, m, i))
                continue;
            CHART_ROW(chart, (double)(m + 1), runs->problems.items[i].optimal,
                      values_of(runs, m, SIZE_MAX, i).over,
                      attempt_at(runs, m, i)->expansions);
        }
}

/* The medians of problems of similar length. */
static void write_lengths(const struct problem_runs *runs, struct chart *chart)
{
    double *expanded = need_memory(runs->problems.count, sizeof *expanded);
    chart_table(chart, "lengths",
                "of solved problems of similar length, within a factor of "
                "2^(1/2): the geometric mean of their optima",
                "series,optimum (cells),problems (1),expanded median (cells)");
    for (size_t m = 0; m < runs->work.method_count; m++)
        for (int bin = 0; bin < BINS; bin++) {
            size_t count = 0;
            double logs = 0;
            for (size_t i = 0; i < runs->problems.count; i++) {
                const double optimal = runs->problems.items[i].optimal;
                if (!is_plotted(runs, m, i) || bin_of(optimal) != bin)
                    continue;
                expanded[count++] = attempt_at(runs, m, i)->expansions;
                logs += log(optimal);
            }
            if (!count)
                continue;
            summary_sort(expanded, count);
            CHART_ROW(chart, (double)(m + 1), exp(logs / (double)count),
                      (double)count, summary_quantile(expanded, count, .5));
        }
    memory_release(expanded);
}

enum status problem_runs_draw(const struct problem_runs *runs,
                              struct chart *chart, struct error *error)
{
    static const struct chart_figure figure = {
        .commands = searches_gp,
        .title = N_("cost over the optimum and expanded cells by method"),
    };
    chart_say(chart, CHART_SOURCE,
              _("%zu problems of %s; hamon-compare %s, commit %s"),
              runs->problems.count, runs->problems.path, hamon_version,
              hamon_commit);
    write_ranges(runs, chart);
    write_methods(runs, chart);
    write_problems(runs, chart);
    write_lengths(runs, chart);
    return chart_draw(chart, &figure, error);
}
