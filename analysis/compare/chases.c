/* SPDX-License-Identifier: MIT */
#include "analysis/compare/chases.h"

#include "analysis/compare/plot.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/version.h"
#include "metrics/holm.h"
#include "metrics/paired.h"
#include "metrics/proportion.h"
#include "metrics/summary.h"
#include "metrics/survival.h"
#include "pursuit/motion.h"
#include "run/simulate.h"
#include "search/exact.h"
#include "search/search.h"
#include "words/words.h"

#include <math.h>
#include <string.h>

/* Each with the additional settings of its scenarios. The detector of preset
 * best runs its own wave, which wave-pincer's cannot do. */
static const struct work_method chase_methods[] = {
    { "wave", .own = "wave = { };" },
    { "lee", .own = "" },
    { "dijkstra", .spare = true, .own = "" },
    { "astar", .own = "" },
    { "fast-marching", .spare = true, .own = "" },
    { "dstar-lite", .own = "" },
    { "pincer", .own = "" },
    { "relay", .spare = true, .own = "" },
    { "relay-complete", .spare = true, .own = "" },
    { "wave-pincer", .spare = true,
      .own = "arrival = { detector = \"threshold\"; };" },
    { 0 },
};
_Static_assert(sizeof chase_methods <=
                   sizeof(struct work_method[WORK_METHODS_MOST]),
               "each can be chosen");

struct chase_result {
    double captured; /* 1: the rule of pursuit.stop was fulfilled */
    double steps;    /* until the end */
    double walked;   /* by all pursuers, cells */
    double over;     /* over the exact value; NAN: no capture, or no value */
    double updates;  /* headings given by waves or fronts */
    double plans, expansions;
    double nanoseconds; /* a step */
    double memory;      /* of the simulation at its largest, bytes */
};
enum { RESULT_FIGURES = sizeof(struct chase_result) / sizeof(double) };
_Static_assert((int)RESULT_FIGURES <= (int)WORK_FIGURES_MOST, "fits a record");

bool chase_runs_wanted(const char *file)
{
    static const char ending[] = ".chase";
    size_t length = strlen(file), tail = sizeof ending - 1;
    return length >= tail && strcmp(file + length - tail, ending) == 0;
}

/* ---- one chase ---- */

/* The pursuers' positions at the step before, and the lengths walked. */
struct steps_of {
    double (*at)[GRID_AXES]; /* (agents) */
    double *walked;          /* (agents) */
    size_t first;            /* the first that captured; agents: none yet */
};

static void follow(const struct agents *agents, struct steps_of *steps)
{
    for (size_t i = 0; i < agents->count; i++) {
        double at[GRID_AXES];
        agents_place(agents, i, at);
        steps->walked[i] += motion_distance(steps->at[i], at);
        memcpy(steps->at[i], at, sizeof at);
        if (agents->state[i] == AGENT_CAPTURED && steps->first == agents->count)
            steps->first = i;
    }
}

static void take_plans(struct simulation *simulation,
                       struct chase_result *result)
{
    struct agent_plan plan;
    while (simulation_plan(simulation, &plan)) {
        result->plans++;
        result->expansions += (double)plan.expansions;
    }
}

/* Runs to the end of the scenario. */
static enum status run_to_end(struct simulation *simulation,
                              struct steps_of *steps,
                              struct chase_result *result, struct error *error)
{
    const struct pursuit *pursuit = simulation_pursuit(simulation);
    enum status status = simulation_begin(simulation, error);
    follow(pursuit_agents(pursuit), steps);
    while (!status && !simulation_ended(simulation)) {
        take_plans(simulation, result);
        status = simulation_advance(simulation, error);
        if (!status)
            status = simulation_begin(simulation, error);
        follow(pursuit_agents(pursuit), steps);
        result->updates += (double)pursuit_arrivals(pursuit)->count;
    }
    result->steps = (double)simulation_step(simulation);
    result->captured = pursuit_over(pursuit);
    return status;
}

/* The exact path ends at the target; the walk ended within the radius. */
static double over_exact(const struct chase_problem *problem,
                         const struct pursuit *pursuit,
                         const struct steps_of *steps,
                         const struct chase_result *result)
{
    const struct target *target = pursuit_target(pursuit);
    if (!result->captured || problem->exact_of == EXACT_NONE)
        return NAN;
    if (problem->exact_of == EXACT_STEPS)
        return result->steps / problem->exact;
    return (steps->walked[steps->first] +
            motion_distance(steps->at[steps->first], target->at)) /
           problem->exact;
}

static enum status run_simulation(const struct chase_problem *problem,
                                  struct simulation *simulation,
                                  struct chase_result *result,
                                  struct error *error)
{
    const struct pursuit *pursuit = simulation_pursuit(simulation);
    const struct agents *agents = pursuit_agents(pursuit);
    struct steps_of steps = {
        .at = need_memory(agents->count, sizeof *steps.at),
        .walked = need_memory(agents->count, sizeof *steps.walked),
        .first = agents->count
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < agents->count && !status; i++)
        agents_place(agents, i, steps.at[i]);
    int64_t start = search_nanoseconds();
    if (!status)
        status = run_to_end(simulation, &steps, result, error);
    result->nanoseconds = (double)(search_nanoseconds() - start) /
                          (result->steps > 0 ? result->steps : 1);
    for (size_t i = 0; i < agents->count && !status; i++)
        result->walked += steps.walked[i];
    if (!status)
        result->over = over_exact(problem, pursuit, &steps, result);
    memory_release(steps.at);
    memory_release(steps.walked);
    return status;
}

static enum status run_chase(const struct chase_problem *problem,
                             const struct scenario *scenario,
                             struct chase_result *result, struct error *error)
{
    struct simulation *simulation;
    *result = (struct chase_result){ 0 };
    size_t before = memory_count_anew();
    enum status status = simulation_new(scenario, 1, &simulation, error);
    if (status)
        return status;
    status = run_simulation(problem, simulation, result, error);
    result->memory = (double)(memory_most() - before);
    simulation_release(simulation);
    return status;
}

/* ---- all problems ---- */

/* The scenario of a problem; method NULL: of waves, to read its entries. */
static enum status scenario_of(struct chase_runs *runs,
                               const struct chase_problem *problem,
                               const struct work_method *method,
                               struct scenario **scenario, struct error *error)
{
    const struct work_options *options = runs->work.options;
    const struct terrain *terrain;
    enum status status = chase_map_take(&runs->problems, problem, options->map,
                                        &runs->map, &terrain, error);
    if (status)
        return status;
    return chase_scenario(&runs->problems, problem, terrain,
                          (method ? method : chase_methods)->own,
                          method ? method->name : NULL, options->settings,
                          method ? options->setting_count : 0, scenario, error);
}

static enum status chase(void *context, size_t problem, size_t method,
                         double *figures, struct error *error)
{
    struct chase_runs *runs = context;
    const struct chase_problem *which = &runs->problems.items[problem];
    struct scenario *scenario;
    struct chase_result result;
    enum status status =
        scenario_of(runs, which, runs->work.methods[method], &scenario, error);
    if (status)
        return status;
    status = run_chase(which, scenario, &result, error);
    scenario_release(scenario);
    if (!status)
        memcpy(figures, &result, sizeof result);
    return status;
}

/* ---- checks before the runs ---- */

static enum status fault(const struct chase_runs *runs,
                         const struct chase_problem *problem, const char *what,
                         struct error *error)
{
    return error_at(error, STATUS_INPUT, runs->problems.path, problem->line,
                    "%s", what);
}

/* Does the file's length of the shortest path agree with the map? */
static enum status check_path(const struct chase_runs *runs,
                              const struct chase_problem *problem,
                              const struct scenario *scenario,
                              struct error *error)
{
    const struct grid *grid = &scenario->terrain.grid;
    struct exact *exact;
    if (grid->dims != 2 || scenario->target.motion != MOTION_STILL ||
        scenario->target.place.random || scenario->agents[0].place.random)
        return fault(runs, problem,
                     "exact value path: requires a still target in 2D, and "
                     "places that are not random",
                     error);
    enum status status = exact_new(&scenario->terrain, &exact, error);
    if (status)
        return status;
    exact_solve(exact, grid_nearest(grid, scenario->target.place.at));
    double length =
        exact_distance(exact, grid_nearest(grid, scenario->agents[0].place.at));
    exact_release(exact);
    if (fabs(length - problem->exact) <= 1e-4)
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, runs->problems.path, problem->line,
                    "exact value %.10g: the shortest path of this map is %.10g",
                    problem->exact, length);
}

static enum status check_problem(const struct chase_runs *runs,
                                 struct chase_problem *problem,
                                 const struct scenario *scenario,
                                 struct error *error)
{
    problem->agents = scenario->agent_count;
    problem->steps = scenario->steps;
    if (!scenario->agent_count)
        return fault(runs, problem, "agents: there is no pursuer", error);
    if (scenario->pursuit.stop == STOP_NEVER)
        return fault(runs, problem,
                     "pursuit.stop: \"never\" has no last step; any-captured "
                     "or all-captured is required",
                     error);
    if (problem->exact_of != EXACT_NONE && scenario_agents(scenario) != 1)
        return fault(
            runs, problem,
            "an exact value requires one pursuer; with several - is required",
            error);
    return problem->exact_of == EXACT_PATH
               ? check_path(runs, problem, scenario, error)
               : STATUS_OK;
}

/* With each method, so that an error is found before any chase is run. */
static enum status check_all(struct chase_runs *runs, struct error *error)
{
    struct scenario *scenario;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < runs->problems.count && !status; i++) {
        struct chase_problem *problem = &runs->problems.items[i];
        status = scenario_of(runs, problem, NULL, &scenario, error);
        if (status)
            return status;
        status = check_problem(runs, problem, scenario, error);
        scenario_release(scenario);
        for (size_t m = 0; m < runs->work.method_count && !status; m++) {
            status = scenario_of(runs, problem, runs->work.methods[m],
                                 &scenario, error);
            if (!status)
                scenario_release(scenario);
        }
    }
    return status;
}

/* ---- the runs ---- */

void chase_runs_release(struct chase_runs *runs)
{
    chase_problems_release(&runs->problems);
    chase_map_release(&runs->map);
    work_release(&runs->work);
}

enum status chase_runs_make(const struct work_options *options,
                            struct chase_runs *runs, struct error *error)
{
    *runs = (struct chase_runs){ 0 };
    enum status status =
        chase_problems_load(options->file, &runs->problems, error);
    if (status)
        return status;
    chase_problems_thin(&runs->problems, options->every);
    runs->work = (struct work){
        .unit = "chases",
        .problems = runs->problems.count,
        .figures = RESULT_FIGURES,
        .nanoseconds =
            offsetof(struct chase_result, nanoseconds) / sizeof(double),
        .options = options,
        .run = chase,
        .context = runs,
    };
    status = work_choose(&runs->work, chase_methods, 2, "for chases", error);
    if (!status)
        status = check_all(runs, error);
    return status ? status : work_do(&runs->work, error);
}

static const struct chase_result *result_at(const struct chase_runs *runs,
                                            size_t method, size_t problem)
{
    return work_at(&runs->work, problem, method);
}

/* ---- a row for each chase ---- */

static const struct table_column output_columns[] = {
    { "problem", .meaning = "name of the problem" },
    { "class", .meaning = "class of the problem" },
    { "map", .meaning = "file of its map" },
    { "method", .meaning = "method of its agents" },
    { "exact_of",
      .meaning =
          "what the exact value is: path (length) or steps; empty: none" },
    { "captured",
      .meaning = "1 if the chase ended with a capture, otherwise 0" },
    { "steps", .meaning = "steps to the capture, or the step limit" },
    { "walked", .meaning = "length of the path of the agent (cells)" },
    { "exact", .meaning = "exact value of the problem (cells or steps)" },
    { "over_exact", .meaning = "the result over the exact value" },
    { "updates", .meaning = "headings that waves or fronts gave" },
    { "plans", .meaning = "number of plans" },
    { "expansions", .meaning = "cells expanded by all plans" },
    { "ns_step", .meaning = "time of a step (ns)" },
    { "memory_bytes", .meaning = "memory of the method (bytes)" },
};
enum {
    OUTPUT_COLUMNS = sizeof output_columns / sizeof *output_columns,
    OUTPUT_TEXTS = 5
};

void chase_runs_print(const struct chase_runs *runs, FILE *out)
{
    static const char *const exact_names[] = { "", "path", "steps" };
    struct table table;
    table_init_mixed(&table, output_columns, OUTPUT_TEXTS, OUTPUT_COLUMNS);
    for (size_t i = 0; i < runs->problems.count; i++)
        for (size_t m = 0; m < runs->work.method_count; m++) {
            const struct chase_problem *p = &runs->problems.items[i];
            const struct chase_result *result = result_at(runs, m, i);
            const char *const texts[OUTPUT_TEXTS] = {
                p->name, p->class_name, p->map, runs->work.methods[m]->name,
                exact_names[p->exact_of]
            };
            const double numbers[] = { result->captured,    result->steps,
                                       result->walked,      p->exact,
                                       result->over,        result->updates,
                                       result->plans,       result->expansions,
                                       result->nanoseconds, result->memory };
            table_add_texts(&table, texts, numbers);
        }
    table_print(&table, TABLE_CSV, out);
    table_release(&table);
}

/* ---- the table ---- */

struct chase_figures {
    double count, captured;
    struct estimate rate, steps; /* Kaplan and Meier's median */
    double mean, mean_error; /* restricted to the class's smallest step limit */
    /* Against the first method, on the same problems: the difference of the
     * restricted means; Wilcoxon's p, by Holm's correction over the class's
     * methods. */
    double wins, losses;
    struct estimate more;
    double p;
};
#define OF(member) offsetof(struct chase_figures, member)
#define OF_RESULT(member) offsetof(struct chase_result, member)

static const struct result columns[] = {
    { "chases", "chases", 0, .meaning = "number of chases",
      .member = OF(count) },
    { "captured", "captured", 0,
      .meaning = "number of chases that ended with a capture",
      .member = OF(captured) },
    { "capture_rate", "capture rate", 3,
      .meaning = "share of the chases that ended with a capture; its interval "
                 "is Wilson's, of 10 or more",
      .member = OF(rate), .ends = ENDS_INTERVAL },
    { "steps_median", "steps, median", 0,
      .meaning = "median of the steps to the capture (Kaplan-Meier); its "
                 "interval is of 5 chases or more",
      .member = OF(steps), .ends = ENDS_RANGE },
    { "steps_mean", "steps, restricted mean", 1,
      .meaning = "mean of the steps to the capture, up to the smallest step "
                 "limit of the class",
      .member = OF(mean) },
    { "steps_mean_error", "standard error", 1, SHOWN_NAMED,
      .meaning = "its standard error (steps)", .member = OF(mean_error) },
    { "wins", "wins", 0,
      .meaning = "chases that the method ends before the first method",
      .member = OF(wins) },
    { "losses", "losses", 0,
      .meaning = "chases that the first method ends before the method",
      .member = OF(losses) },
    { "more_steps", "more steps, mean", 1,
      .meaning = "mean of the method minus mean of the first method (steps); "
                 "its interval is of 5 chases or more",
      .member = OF(more), .ends = ENDS_RANGE },
    { "p_holm", "p (Holm)", 4,
      .meaning = "p by Wilcoxon's signed-rank test with Holm's correction over "
                 "the methods",
      .member = OF(p) },
    { "walked_median", "walked (cells), median", 1, SHOWN_NAMED,
      .meaning = "median length of the path, of captured chases (cells)",
      .of = OF_QUANTILE, .share = .5, .member = OF_RESULT(walked) },
    { "over_exact_mean", "/exact mean", 4,
      .meaning = "mean result over the problem's exact value", .of = OF_MEAN,
      .member = OF_RESULT(over) },
    { "over_exact_most", "/exact most", 4, SHOWN_NAMED,
      .meaning = "largest of these ratios", .of = OF_QUANTILE, .share = 1,
      .member = OF_RESULT(over) },
    { "updates_median", "updates, median", 0,
      .meaning = "median number of headings that waves or fronts gave",
      .of = OF_QUANTILE, .share = .5, .member = OF_RESULT(updates) },
    { "plans_median", "plans, median", 0, SHOWN_NAMED,
      .meaning = "median number of plans", .of = OF_QUANTILE, .share = .5,
      .member = OF_RESULT(plans) },
    { "expansions_median", "expanded (cells), median", 0,
      .meaning = "median number of cells expanded by all plans",
      .of = OF_QUANTILE, .share = .5, .member = OF_RESULT(expansions) },
    { "ns_step_median", "ns a step, median", 0,
      .meaning = "median time of a step (ns)", .of = OF_QUANTILE, .share = .5,
      .member = OF_RESULT(nanoseconds) },
    { "memory_kib_most", "memory (KiB), most", 0,
      .meaning = "largest memory of the method (KiB)", .of = OF_QUANTILE,
      .share = 1, .member = OF_RESULT(memory) },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

void chase_runs_describe(FILE *out)
{
    compared_describe(columns, COLUMNS, out);
    fputs("\nIn the rows of --output:\n", out);
    table_describe_columns(output_columns, OUTPUT_COLUMNS, out);
}

static bool is_in(const struct chase_problem *problem, const char *class_name)
{
    return !class_name || strcmp(problem->class_name, class_name) == 0;
}

static struct survival_time time_of(const struct chase_runs *runs,
                                    size_t method, size_t problem)
{
    const struct chase_result *result = result_at(runs, method, problem);
    return (struct survival_time){ .time = result->steps,
                                   .captured = result->captured != 0 };
}

/* The smallest step limit of a class: all chases were observed until then. */
static double limit_of(const struct chase_runs *runs, const char *class_name)
{
    double limit = INFINITY;
    for (size_t i = 0; i < runs->problems.count; i++)
        if (is_in(&runs->problems.items[i], class_name))
            limit = fmin(limit, (double)runs->problems.items[i].steps);
    return limit;
}

static void fill_survival(const struct chase_runs *runs, size_t method,
                          const char *class_name, struct chase_figures *figures)
{
    struct survival_time *times =
        need_memory(runs->problems.count, sizeof *times);
    size_t count = 0;
    for (size_t i = 0; i < runs->problems.count; i++)
        if (is_in(&runs->problems.items[i], class_name))
            times[count++] = time_of(runs, method, i);
    const struct survival survival =
        survival_make(times, count, limit_of(runs, class_name));
    memory_release(times);
    figures->count = (double)survival.n;
    figures->captured = (double)survival.captured;
    figures->rate = proportion_make(figures->captured, figures->count);
    figures->steps = survival_median(&survival);
    figures->mean = survival.mean;
    figures->mean_error = survival.error;
}

/* Compares with the first method; empty for that one itself. */
static void fill_pairs(const struct chase_runs *runs, size_t method,
                       const char *class_name, struct chase_figures *figures)
{
    struct pair *pairs = need_memory(runs->problems.count, sizeof *pairs);
    size_t count = 0;
    for (size_t i = 0; i < runs->problems.count; i++)
        if (is_in(&runs->problems.items[i], class_name))
            pairs[count++] = (struct pair){ .one = time_of(runs, method, i),
                                            .other = time_of(runs, 0, i),
                                            .group = i };
    figures->wins = figures->losses = figures->p = NAN;
    figures->more = (struct estimate){ NAN, interval_none };
    if (method > 0) {
        const struct paired paired =
            paired_make(pairs, count, limit_of(runs, class_name));
        figures->wins = (double)paired.wins;
        figures->losses = (double)paired.losses;
        figures->more = paired.difference;
        figures->p = paired.p;
    }
    memory_release(pairs);
}

/* Of a class: one for each method. */
static void correct_p(struct chase_figures *figures, size_t count)
{
    double p[WORK_METHODS_MOST] = { 0 }, adjusted[WORK_METHODS_MOST];
    for (size_t m = 0; m < count; m++)
        p[m] = figures[m].p;
    holm_adjust(p, count, adjusted);
    for (size_t m = 0; m < count; m++)
        figures[m].p = adjusted[m];
}

/* Do all exact values of a class (NULL: of all) measure the same quantity? */
static bool one_measure(const struct chase_runs *runs, const char *class_name)
{
    bool seen[EXACT_STEPS + 1] = { false };
    for (size_t i = 0; i < runs->problems.count; i++) {
        const struct chase_problem *p = &runs->problems.items[i];
        if (is_in(p, class_name))
            seen[p->exact_of] = true;
    }
    return !(seen[EXACT_PATH] && seen[EXACT_STEPS]);
}

/* Copies the results of a method's chases in a class; returns their number. */
static size_t take_results(const struct chase_runs *runs, size_t method,
                           const char *class_name, struct chase_result *results)
{
    const bool comparable = one_measure(runs, class_name);
    size_t count = 0;
    for (size_t i = 0; i < runs->problems.count; i++)
        if (is_in(&runs->problems.items[i], class_name)) {
            struct chase_result *result = &results[count++];
            *result = *result_at(runs, method, i);
            result->memory /= 1024;
            if (!comparable)
                result->over = NAN;
        }
    return count;
}

/* Is problem i the first of its class? */
static bool is_new_class(const struct chase_runs *runs, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (is_in(&runs->problems.items[j], runs->problems.items[i].class_name))
            return false;
    return true;
}

static void add_rows(const struct chase_runs *runs, const char *class_name,
                     struct compared *table)
{
    struct chase_figures figures[WORK_METHODS_MOST];
    struct chase_result *results =
        need_memory(runs->problems.count, sizeof *results);
    const size_t methods = runs->work.method_count;
    for (size_t m = 0; m < methods; m++) {
        fill_survival(runs, m, class_name, &figures[m]);
        fill_pairs(runs, m, class_name, &figures[m]);
    }
    correct_p(figures, methods);
    for (size_t m = 0; m < methods; m++) {
        const size_t count = take_results(runs, m, class_name, results);
        compared_add(table, runs->work.methods[m]->name,
                     class_name ? class_name : "all");
        compared_take(table, table->count - 1, &figures[m], results, count,
                      sizeof *results);
    }
    memory_release(results);
}

void chase_runs_table(const struct chase_runs *runs, struct compared *table)
{
    static const char *const keys[] = { "class" };
    size_t classes = 0;
    *table = (struct compared){ .keys = keys, .key_count = 1 };
    compared_init(table, columns, COLUMNS);
    for (size_t i = 0; i < runs->problems.count; i++)
        if (is_new_class(runs, i)) {
            classes++;
            add_rows(runs, runs->problems.items[i].class_name, table);
        }
    if (classes > 1)
        add_rows(runs, NULL, table);
}

/* ---- the chart ---- */

static void take_series(const struct chase_runs *runs, size_t method,
                        struct plot_series *series)
{
    const size_t count = runs->problems.count;
    series->method = runs->work.methods[method]->name;
    series->count = count;
    series->times = need_memory(count, sizeof *series->times);
    series->paths = need_memory(count, sizeof *series->paths);
    series->pairs = need_memory(count, sizeof *series->pairs);
    for (size_t i = 0; i < count; i++) {
        const double over = result_at(runs, method, i)->over;
        series->times[i] = time_of(runs, method, i);
        if (runs->problems.items[i].exact_of == EXACT_PATH && isfinite(over))
            series->paths[series->path_count++] = over;
        if (method > 0)
            series->pairs[series->pair_count++] =
                (struct pair){ .one = series->times[i],
                               .other = time_of(runs, 0, i),
                               .group = i };
    }
}

enum status chase_runs_draw(const struct chase_runs *runs, const char *panels,
                            struct chart *chart, struct error *error)
{
    const size_t methods = runs->work.method_count;
    struct plot plot = { .limit = limit_of(runs, NULL), .teams = true };
    plot.series = need_memory(methods, sizeof *plot.series);
    for (size_t m = 0; m < methods; m++) {
        take_series(runs, m, &plot.series[plot.count++]);
        plot.series[m].label = need_text(runs->work.labels[m]);
    }
    plot.reference = methods > 1 ? need_text(runs->work.labels[0]) : NULL;
    plot_describe(&plot, chart);
    chart_say(chart, CHART_SOURCE,
              _("%zu problems of %s; hamon-compare %s, commit %s"),
              runs->problems.count, runs->problems.path, hamon_version,
              hamon_commit);
    enum status status = plot_draw(&plot, panels, chart, error);
    plot_release(&plot);
    return status;
}
