/* SPDX-License-Identifier: MIT */
#include "analysis/compare/chases.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/need.h"
#include "metrics/holm.h"
#include "metrics/paired.h"
#include "metrics/proportion.h"
#include "metrics/summary.h"
#include "metrics/survival.h"
#include "pursuit/motion.h"
#include "run/simulate.h"
#include "search/exact.h"
#include "search/search.h"

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

static void print_row(const struct chase_runs *runs, size_t problem,
                      size_t method, FILE *out)
{
    static const char *const exact_names[] = { "", "path", "steps" };
    const struct chase_problem *p = &runs->problems.items[problem];
    const struct chase_result *result = result_at(runs, method, problem);
    csv_text(out, p->name);
    putc(',', out);
    csv_text(out, p->class_name);
    putc(',', out);
    csv_text(out, p->map);
    fprintf(out, ",%s,%.0f", runs->work.methods[method]->name,
            result->captured);
    csv_number(out, result->steps);
    csv_number(out, result->walked);
    fprintf(out, ",%s", exact_names[p->exact_of]);
    csv_number(out, p->exact);
    csv_number(out, result->over);
    csv_number(out, result->updates);
    csv_number(out, result->plans);
    csv_number(out, result->expansions);
    csv_number(out, result->nanoseconds);
    csv_number(out, result->memory);
    putc('\n', out);
}

static const struct table_column output_columns[] = {
    { "problem", .meaning = "name of the problem" },
    { "class", .meaning = "class of the problem" },
    { "map", .meaning = "file of its map" },
    { "method", .meaning = "method of its agents" },
    { "captured",
      .meaning = "1 if the chase ended with a capture, otherwise 0" },
    { "steps", .meaning = "steps to the capture, or the step limit" },
    { "walked", .meaning = "length of the path of the agent (cells)" },
    { "exact_of",
      .meaning =
          "what the exact value is: path (length) or steps; empty: none" },
    { "exact", .meaning = "exact value of the problem (cells or steps)" },
    { "over_exact", .meaning = "the result over the exact value" },
    { "updates", .meaning = "headings that waves or fronts gave" },
    { "plans", .meaning = "number of plans" },
    { "expansions", .meaning = "cells expanded by all plans" },
    { "ns_step", .meaning = "time of a step (ns)" },
    { "memory_bytes", .meaning = "memory of the method (bytes)" },
};
enum { OUTPUT_COLUMNS = sizeof output_columns / sizeof *output_columns };

void chase_runs_print(const struct chase_runs *runs, FILE *out)
{
    table_print_names(output_columns, OUTPUT_COLUMNS, out);
    for (size_t i = 0; i < runs->problems.count; i++)
        for (size_t m = 0; m < runs->work.method_count; m++)
            print_row(runs, i, m, out);
}

/* ---- the table ---- */

enum {
    CHASE_COUNT,
    CHASE_CAPTURED,
    CHASE_RATE,
    CHASE_RATE_LOW, /* 95 % intervals or ranges, here and below */
    CHASE_RATE_HIGH,
    CHASE_STEPS, /* Kaplan and Meier's median */
    CHASE_STEPS_LOW,
    CHASE_STEPS_HIGH,
    CHASE_STEPS_LEAST,
    CHASE_STEPS_LARGEST,
    CHASE_MEAN, /* restricted to the class's smallest step limit */
    CHASE_MEAN_ERROR,
    CHASE_WINS, /* against the first method, on the same problems */
    CHASE_LOSSES,
    CHASE_MORE, /* difference of the restricted means */
    CHASE_MORE_LOW,
    CHASE_MORE_HIGH,
    CHASE_MORE_LEAST,
    CHASE_MORE_LARGEST,
    CHASE_P, /* Wilcoxon's, by Holm's correction over the class's methods */
    CHASE_WALKED,
    CHASE_OVER,
    CHASE_OVER_MOST,
    CHASE_UPDATES,
    CHASE_PLANS,
    CHASE_EXPANSIONS,
    CHASE_NANOSECONDS,
    CHASE_MEMORY,
    CHASE_FIGURES
};

static const struct compared_heading headings[CHASE_FIGURES] = {
    [CHASE_COUNT] = { "chases", "chases", 0, .meaning = "number of chases" },
    [CHASE_CAPTURED] = { "captured", "captured", 0,
                         .meaning =
                             "number of chases that ended with a capture" },
    [CHASE_RATE] = { "capture rate", "capture_rate", 3,
                     .meaning =
                         "share of the chases that ended with a capture" },
    [CHASE_RATE_LOW] = { "capture rate, low 95 %", "capture_rate_low_95", 3,
                         .meaning = "lower end of its 95 % interval (Wilson), "
                                    "of 10 or more" },
    [CHASE_RATE_HIGH] = { "capture rate, high 95 %", "capture_rate_high_95", 3,
                          .meaning = "upper end of this interval" },
    [CHASE_STEPS] = { "steps, median", "steps_median", 0,
                      .meaning =
                          "median of the steps to the capture (Kaplan-Meier)" },
    [CHASE_STEPS_LOW] = { "steps, low 95 %", "steps_median_low_95", 0,
                          .meaning = "lower end of its 95 % interval, of 5 "
                                     "chases or more" },
    [CHASE_STEPS_HIGH] = { "steps, high 95 %", "steps_median_high_95", 0,
                           .meaning = "upper end of this interval" },
    [CHASE_STEPS_LEAST] = { "steps, least", "steps_median_least", 0,
                            .meaning = "smallest steps of 2 to 4 chases; no "
                                       "value if not of a capture" },
    [CHASE_STEPS_LARGEST] = { "steps, largest", "steps_median_largest", 0,
                              .meaning = "largest steps of 2 to 4 chases; no "
                                         "value if not of a capture" },
    [CHASE_MEAN] = { "steps, restricted mean", "steps_mean", 1,
                     .meaning = "mean of the steps to the capture, up to the "
                                "smallest step limit of the class" },
    [CHASE_MEAN_ERROR] = { "standard error", "steps_mean_error", 1, true,
                           .meaning = "its standard error (steps)" },
    [CHASE_WINS] = { "wins", "wins", 0,
                     .meaning = "chases that the method ends before the first "
                                "method" },
    [CHASE_LOSSES] = { "losses", "losses", 0,
                       .meaning = "chases that the first method ends before "
                                  "the method" },
    [CHASE_MORE] = { "more steps, mean", "more_steps", 1,
                     .meaning = "mean of the method minus mean of the first "
                                "method (steps)" },
    [CHASE_MORE_LOW] = { "more steps, low 95 %", "more_steps_low_95", 1,
                         .meaning = "lower end of its 95 % interval, of 5 "
                                    "chases or more" },
    [CHASE_MORE_HIGH] = { "more steps, high 95 %", "more_steps_high_95", 1,
                          .meaning = "upper end of this interval" },
    [CHASE_MORE_LEAST] = { "more steps, least", "more_steps_least", 1,
                           .meaning = "smallest difference of 2 to 4 chases "
                                      "(steps)" },
    [CHASE_MORE_LARGEST] = { "more steps, largest", "more_steps_largest", 1,
                             .meaning = "largest difference of 2 to 4 chases "
                                        "(steps)" },
    [CHASE_P] = { "p (Holm)", "p_holm", 4,
                  .meaning = "p by Wilcoxon's signed-rank test with Holm's "
                             "correction over the methods" },
    [CHASE_WALKED] = { "walked (cells), median", "walked_median", 1, true,
                       .meaning = "median length of the path, of captured "
                                  "chases (cells)" },
    [CHASE_OVER] = { "/exact mean", "over_exact_mean", 4,
                     .meaning = "mean result over the problem's exact value" },
    [CHASE_OVER_MOST] = { "/exact most", "over_exact_most", 4, true,
                          .meaning = "largest of these ratios" },
    [CHASE_UPDATES] = { "updates, median", "updates_median", 0,
                        .meaning = "median number of headings that waves or "
                                   "fronts gave" },
    [CHASE_PLANS] = { "plans, median", "plans_median", 0, true,
                      .meaning = "median number of plans" },
    [CHASE_EXPANSIONS] = { "expanded (cells), median", "expansions_median", 0,
                           .meaning =
                               "median number of cells expanded by all plans" },
    [CHASE_NANOSECONDS] = { "ns a step, median", "ns_step_median", 0,
                            .meaning = "median time of a step (ns)" },
    [CHASE_MEMORY] = { "memory (KiB), most", "memory_kib_most", 0,
                       .meaning = "largest memory of the method (KiB)" },
};

void chase_runs_describe(FILE *out)
{
    compared_describe(headings, CHASE_FIGURES, out);
    fputs("\nIn the rows of --output:\n", out);
    table_describe_columns(output_columns, OUTPUT_COLUMNS, out);
}

static bool is_in(const struct chase_problem *problem, const char *class_name)
{
    return !class_name || strcmp(problem->class_name, class_name) == 0;
}

/* The member of a result at this offset, for the chases of a class. */
static size_t gather(const struct chase_runs *runs, size_t method,
                     const char *class_name, size_t member, double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < runs->problems.count; i++) {
        const struct chase_result *result = result_at(runs, method, i);
        double value;
        memcpy(&value, (const char *)result + member, sizeof value);
        if (!isnan(value) && is_in(&runs->problems.items[i], class_name))
            values[count++] = value;
    }
    summary_sort(values, count);
    return count;
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

/* The four figures from `at` on. */
static void put(double *at, struct interval interval)
{
    const double ends[] = { interval.low, interval.high, interval.least,
                            interval.largest };
    memcpy(at, ends, sizeof ends);
}

static void fill_survival(const struct chase_runs *runs, size_t method,
                          const char *class_name, double *figure)
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
    proportion_interval((double)survival.captured, (double)survival.n,
                        &figure[CHASE_RATE_LOW], &figure[CHASE_RATE_HIGH]);
    figure[CHASE_COUNT] = (double)survival.n;
    figure[CHASE_CAPTURED] = (double)survival.captured;
    figure[CHASE_RATE] = figure[CHASE_CAPTURED] / figure[CHASE_COUNT];
    figure[CHASE_STEPS] = survival.median.at;
    put(figure + CHASE_STEPS_LOW,
        interval_of(survival.n, survival.median.low, survival.median.high,
                    survival.least, survival.largest));
    figure[CHASE_MEAN] = survival.mean;
    figure[CHASE_MEAN_ERROR] = survival.error;
}

/* Compares with the first method; empty for that one itself. */
static void fill_pairs(const struct chase_runs *runs, size_t method,
                       const char *class_name, double *figure)
{
    struct pair *pairs = need_memory(runs->problems.count, sizeof *pairs);
    size_t count = 0;
    for (size_t i = 0; i < runs->problems.count; i++)
        if (is_in(&runs->problems.items[i], class_name))
            pairs[count++] = (struct pair){ .one = time_of(runs, method, i),
                                            .other = time_of(runs, 0, i),
                                            .group = i };
    for (int f = CHASE_WINS; f <= CHASE_P; f++)
        figure[f] = NAN;
    if (method > 0) {
        const struct paired paired =
            paired_make(pairs, count, limit_of(runs, class_name));
        figure[CHASE_WINS] = (double)paired.wins;
        figure[CHASE_LOSSES] = (double)paired.losses;
        figure[CHASE_MORE] = paired.difference.estimate;
        put(figure + CHASE_MORE_LOW, paired.difference.interval);
        figure[CHASE_P] = paired.p;
    }
    memory_release(pairs);
}

/* The rows of a class, one for each method. */
static void correct_p(const struct chase_runs *runs, struct compared_row *rows)
{
    double p[WORK_METHODS_MOST], adjusted[WORK_METHODS_MOST];
    for (size_t m = 0; m < runs->work.method_count; m++)
        p[m] = rows[m].figure[CHASE_P];
    holm_adjust(p, runs->work.method_count, adjusted);
    for (size_t m = 0; m < runs->work.method_count; m++)
        rows[m].figure[CHASE_P] = adjusted[m];
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

static void fill_row(const struct chase_runs *runs, size_t method,
                     const char *class_name, double *values,
                     struct compared_row *row)
{
    static const struct {
        int figure;
        size_t member;
        double share;
    } quantiles[] = {
        { CHASE_WALKED, offsetof(struct chase_result, walked), .5 },
        { CHASE_OVER_MOST, offsetof(struct chase_result, over), 1 },
        { CHASE_UPDATES, offsetof(struct chase_result, updates), .5 },
        { CHASE_PLANS, offsetof(struct chase_result, plans), .5 },
        { CHASE_EXPANSIONS, offsetof(struct chase_result, expansions), .5 },
        { CHASE_NANOSECONDS, offsetof(struct chase_result, nanoseconds), .5 },
        { CHASE_MEMORY, offsetof(struct chase_result, memory), 1 },
    };
    double *figure = row->figure;
    snprintf(row->method, sizeof row->method, "%s",
             runs->work.methods[method]->name);
    snprintf(row->group, sizeof row->group, "%s",
             class_name ? class_name : "all");
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        size_t count =
            gather(runs, method, class_name, quantiles[i].member, values);
        figure[quantiles[i].figure] =
            summary_quantile(values, count, quantiles[i].share);
    }
    size_t count = gather(runs, method, class_name,
                          offsetof(struct chase_result, over), values);
    figure[CHASE_OVER] = summary_mean(values, count);
    if (!one_measure(runs, class_name))
        figure[CHASE_OVER] = figure[CHASE_OVER_MOST] = NAN;
    if (figure[CHASE_MEMORY] > 0)
        figure[CHASE_MEMORY] /= 1024;
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
                     double *values, struct compared *table, size_t *room)
{
    for (size_t m = 0; m < runs->work.method_count; m++) {
        table->rows =
            need_more(table->rows, table->count, room, sizeof *table->rows);
        struct compared_row *row = &table->rows[table->count++];
        fill_row(runs, m, class_name, values, row);
        fill_survival(runs, m, class_name, row->figure);
        fill_pairs(runs, m, class_name, row->figure);
    }
    correct_p(runs, &table->rows[table->count - runs->work.method_count]);
}

void chase_runs_table(const struct chase_runs *runs, struct compared *table)
{
    static const char *const keys[] = { "class" };
    double *values = need_memory(runs->problems.count, sizeof *values);
    size_t room = 0, classes = 0;
    *table = (struct compared){ .headings = headings,
                                .figures = CHASE_FIGURES,
                                .keys = keys,
                                .key_count = 1 };
    for (size_t i = 0; i < runs->problems.count; i++) {
        if (!is_new_class(runs, i))
            continue;
        classes++;
        add_rows(runs, runs->problems.items[i].class_name, values, table,
                 &room);
    }
    if (classes > 1)
        add_rows(runs, NULL, values, table, &room);
    memory_release(values);
}
