/* SPDX-License-Identifier: MIT */
#include "metrics/results.h"

#include "base/memory.h"
#include "base/need.h"
#include "metrics/proportion.h"
#include "metrics/summary.h"
#include "words/words.h"

#include <math.h>
#include <string.h>

/* ---- times with censoring ---- */

static struct timed alone(const struct measured_agent *agent)
{
    bool captured = !isnan(agent->captured);
    double time = captured ? agent->captured : (double)agent->run->steps;
    return (struct timed){
        { time, captured, 0 }, agent->problem, agent->course, agent->run
    };
}

static void join(struct timed *chase, const struct measured_agent *agent)
{
    struct timed other = alone(agent);
    chase->time = survival_join(chase->time, other.time, agent->run->team);
    chase->problem = (chase->problem ^ other.problem) * UINT64_C(0x100000001b3);
    chase->course = (chase->course ^ other.course) * UINT64_C(0x100000001b3);
}

size_t results_times(const struct measured_agent *const *agents, size_t count,
                     bool chases, struct timed *times)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (found && (chases || agents[i]->run->team) &&
            times[found - 1].run == agents[i]->run)
            join(&times[found - 1], agents[i]);
        else
            times[found++] = alone(agents[i]);
    return found;
}

/* ---- a group ---- */

static struct capture_share share_of(double captured, double all)
{
    return (struct capture_share){ all, captured,
                                   proportion_make(captured, all) };
}

static struct capture_share captured_share(const struct timed *times,
                                           size_t count)
{
    double captured = 0;
    for (size_t i = 0; i < count; i++)
        captured += times[i].time.captured;
    return share_of(captured, (double)count);
}

void results_make(struct results *results,
                  const struct measured_agent *const *agents, size_t count,
                  const struct measured *run, double limit)
{
    struct timed *times = need_memory(count, sizeof *times);
    struct survival_time *plain = need_memory(count, sizeof *plain);
    double captured = 0;
    for (size_t i = 0; i < count; i++)
        captured += !isnan(agents[i]->captured);
    *results = (struct results){ .agents = agents,
                                 .count = count,
                                 .run = run,
                                 .captures = share_of(captured, (double)count),
                                 .limit = limit };
    size_t found = results_times(agents, count, true, times);
    results->chases = captured_share(times, found);
    found = results_times(agents, count, false, times);
    results->teams = found < count;
    for (size_t i = 0; i < found; i++)
        plain[i] = times[i].time;
    results->times = survival_make(plain, found, limit);
    results->median = survival_median(&results->times);
    results->above =
        isnan(results->median.estimate) ? results->times.last : NAN;
    results->mean = survival_restricted(&results->times);
    memory_release(times);
    memory_release(plain);
}

/* ---- values of a group ---- */

static double last_step(const struct results *results)
{
    double last = (double)results->run->steps;
    for (size_t i = 0; i < results->count; i++)
        last = fmax(last, (double)results->agents[i]->run->steps);
    return last < 0 ? NAN : last;
}

static double agents(const struct results *results)
{
    return (double)results->count;
}

static double captured(const struct results *results)
{
    return results->captures.captured;
}

static double arrivals(const struct results *results)
{
    double sum = 0;
    for (size_t i = 0; i < results->count; i++)
        sum += results->agents[i]->arrivals;
    return sum;
}

static double reach(const struct results *results)
{
    return results->run->far_cells > 0 ? (double)results->run->far_reached /
                                             (double)results->run->far_cells
                                       : NAN;
}

static double number_at(const void *of, size_t member)
{
    double number;
    memcpy(&number, (const char *)of + member, sizeof number);
    return number;
}

/* Of the agents that planned; NAN if there are none. */
static double over_plans(const struct results *results, size_t member)
{
    double sum = 0, plans = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct measured_agent *agent = results->agents[i];
        sum += agent->plans > 0 ? number_at(agent, member) : 0;
        plans += agent->plans;
    }
    return plans > 0 ? sum : NAN;
}
#define AGENT(member) offsetof(struct measured_agent, member)
#define RESULTS(member) offsetof(struct results, member)

static double expansions(const struct results *results)
{
    return over_plans(results, AGENT(expansions));
}

static double search_time(const struct results *results)
{
    return over_plans(results, AGENT(nanoseconds)) /
           over_plans(results, AGENT(plans));
}

/* ---- values of an agent ---- */

/* v·steps divided by the geodesic; NAN for a start at the target. */
static double ratio(const struct measured_agent *agent)
{
    return isfinite(agent->geodesic) && agent->geodesic > 0
               ? agent->speed * agent->captured / agent->geodesic
               : NAN;
}

static double exact_ratio(const struct measured_agent *agent)
{
    return agent->run->dims == 2 ? ratio(agent) : NAN;
}

static double marched_ratio(const struct measured_agent *agent)
{
    return agent->run->dims == 3 ? ratio(agent) : NAN;
}

static double path_ratio(const struct measured_agent *agent)
{
    return agent->path_length / agent->shortest;
}

static double step_time(const struct measured_agent *agent)
{
    return agent->run->step_nanoseconds;
}

/* ---- the table ---- */

const char *const ends_names[] = { "", "_low_95", "_high_95", "_least",
                                   "_largest" };

const struct result results_columns[] = {
    { "steps", "last step", 0, SHOWN_NAMED, "step", "the last step of the run",
      .label = N_("last step"), .of_group = last_step },
    { "agents", "agents", 0, SHOWN, "1", "number of agents",
      .label = N_("agents"), .of_group = agents },
    { "captured", "captured", 0, SHOWN_NAMED, "1",
      "number of agents that captured", .label = N_("captured agents"),
      .of_group = captured },
    { "capture_rate", "capture rate", 2, SHOWN, "1",
      "share of the agents that captured; interval by Wilson, of 10 or more",
      .ends = ENDS_INTERVAL, .alone = true, .label = N_("captured (%)"),
      .member = RESULTS(captures.rate) },
    { "chases", "chases", 0, SHOWN_TEAMS, "1", "number of chases",
      .member = RESULTS(chases.all) },
    { "chases_captured", "chases captured", 0, SHOWN_NAMED, "1",
      "number of chases that ended with a capture",
      .member = RESULTS(chases.captured) },
    { "chase_rate", "chase rate", 2, SHOWN_TEAMS, "1",
      "share of the chases that ended with a capture; interval by Wilson, of "
      "10 or more",
      .ends = ENDS_INTERVAL, .member = RESULTS(chases.rate) },
    { "time_q1", "time q1 (steps)", 0, SHOWN_NAMED, "step",
      "lower quartile of the steps to the capture (Kaplan-Meier)",
      .ends = ENDS_INTERVAL, .member = RESULTS(times.lower_quartile) },
    { "time_median", "time median (steps)", 0, SHOWN, "step",
      "median of the steps to the capture (Kaplan-Meier); no value if less "
      "than half captured",
      .ends = ENDS_RANGE, .member = RESULTS(median) },
    { "time_median_above", "median above (steps)", 0, SHOWN, "step",
      "if less than half captured: the last step observed, which the median of "
      "the steps to the capture is above",
      .member = RESULTS(above) },
    { "time_q3", "time q3 (steps)", 0, SHOWN_NAMED, "step",
      "upper quartile of the steps to the capture (Kaplan-Meier)",
      .ends = ENDS_INTERVAL, .member = RESULTS(times.upper_quartile) },
    { "restricted_mean", "restricted mean (steps)", 1, SHOWN, "step",
      "mean of the steps to the capture, up to limit",
      .member = RESULTS(mean) },
    { "restricted_mean_error", "its standard error", 1, SHOWN, "step",
      "its standard error", .member = RESULTS(times.error) },
    { "limit", "limit (steps)", 0, SHOWN, "step",
      "smallest step limit of all recordings", .member = RESULTS(limit) },
    { "captured_steps", "steps mean of captured", 1, SHOWN_NAMED, "step",
      "steps to the capture, mean of those that captured",
      .label = N_("mean steps of those that captured"), .of = OF_MEAN,
      .member = AGENT(captured) },
    { "captured_steps_q1", "steps q1 of captured", 0, SHOWN_NAMED, "step",
      "lower quartile of the steps to the capture, only of agents that "
      "captured",
      .of = OF_QUANTILE, .share = .25, .member = AGENT(captured) },
    { "captured_steps_median", "steps median of captured", 0, SHOWN_NAMED,
      "step",
      "median of the steps to the capture, only of agents that captured",
      .ends = ENDS_RANGE, .stem = "captured_steps", .of = OF_MEDIAN,
      .member = AGENT(captured) },
    { "captured_steps_q3", "steps q3 of captured", 0, SHOWN_NAMED, "step",
      "upper quartile of the steps to the capture, only of agents that "
      "captured",
      .of = OF_QUANTILE, .share = .75, .member = AGENT(captured) },
    { "captured_steps_p95", "steps p95 of captured", 0, SHOWN_NAMED, "step",
      "95 % quantile of these steps", .of = OF_QUANTILE, .share = .95,
      .member = AGENT(captured) },
    { "path_length", "path mean (cells)", 1, SHOWN_NAMED, "cell",
      "length of the path, mean of the agents", .label = N_("path (cells)"),
      .of = OF_MEAN, .all = true, .member = AGENT(path_length) },
    { "path_cells_median", "path median (cells)", 1, SHOWN_NAMED, "cell",
      "median length of the path, of agents that captured", .of = OF_QUANTILE,
      .share = .5, .member = AGENT(path_length) },
    { "turns_median", "turns median", 0, SHOWN_NAMED, "1",
      "median number of turns by more than 1 degree, of agents that captured",
      .of = OF_QUANTILE, .share = .5, .member = AGENT(turns) },
    { "geodesic", "geodesic mean (cells)", 1, SHOWN_NAMED, "cell",
      "shortest path from the agent's start to the target's, mean",
      .label = N_("shortest path (cells)"), .of = OF_MEAN, .all = true,
      .member = AGENT(geodesic) },
    { "captured_ratio", "vs/d mean of captured", 3, SHOWN_NAMED, "1",
      "speed times steps to the capture over the geodesic, mean of those that "
      "captured",
      .label = N_("speed × steps / shortest path"), .of = OF_MEAN,
      .of_agent = ratio },
    { "capture_ratio_q1", "vs/d q1", 3, SHOWN_NAMED, "1",
      "lower quartile of v*steps/d, of agents that captured, with the speed v "
      "and the exact path d from start to start (2D)",
      .of = OF_QUANTILE, .of_agent = exact_ratio, .share = .25 },
    { "capture_ratio_median", "vs/d median", 3, SHOWN_NAMED, "1",
      "median of v*steps/d, of agents that captured, with the speed v and the "
      "exact path d from start to start (2D)",
      .of = OF_QUANTILE, .of_agent = exact_ratio, .share = .5 },
    { "capture_ratio_q3", "vs/d q3", 3, SHOWN_NAMED, "1",
      "upper quartile of v*steps/d, of agents that captured, with the speed v "
      "and the exact path d from start to start (2D)",
      .of = OF_QUANTILE, .of_agent = exact_ratio, .share = .75 },
    { "marching_ratio_q1", "vs/fmf q1", 3, SHOWN_NAMED, "1",
      "lower quartile of v*steps/d, of agents that captured, with d by "
      "fast-marching-fine (3D)",
      .of = OF_QUANTILE, .of_agent = marched_ratio, .share = .25 },
    { "marching_ratio_median", "vs/fmf median", 3, SHOWN_NAMED, "1",
      "median of v*steps/d, of agents that captured, with d by "
      "fast-marching-fine (3D)",
      .of = OF_QUANTILE, .of_agent = marched_ratio, .share = .5 },
    { "marching_ratio_q3", "vs/fmf q3", 3, SHOWN_NAMED, "1",
      "upper quartile of v*steps/d, of agents that captured, with d by "
      "fast-marching-fine (3D)",
      .of = OF_QUANTILE, .of_agent = marched_ratio, .share = .75 },
    { "path_ratio_median", "path/d, median of captured", 3, SHOWN, "1",
      "median length of the path over the shortest path at any angle, from the "
      "start to the place of the capture, without the rest that was left "
      "between agent and target; of agents that captured",
      .of = OF_QUANTILE, .of_agent = path_ratio, .share = .5 },
    { "path_ratio_p95", "path/d p95", 3, SHOWN_NAMED, "1",
      "95 % quantile of this ratio", .of = OF_QUANTILE, .of_agent = path_ratio,
      .share = .95 },
    { "waited_share_median", "waited median", 3, SHOWN_NAMED, "1",
      "median share of the steps before the first heading, of agents that "
      "captured",
      .of = OF_QUANTILE, .share = .5, .member = AGENT(waited) },
    { "pairs", "pairs", 0, SHOWN_NAMED, "1",
      "number of agents for which an agent of method lee with the same problem "
      "captured too",
      .of = OF_COUNT, .member = AGENT(over_lee) },
    { "over_lee_q1", "/lee q1", 3, SHOWN_NAMED, "1",
      "lower quartile of the steps over those of the agent of method lee in "
      "the same problem",
      .of = OF_QUANTILE, .share = .25, .member = AGENT(over_lee) },
    { "over_lee_median", "/lee median", 3, SHOWN_NAMED, "1",
      "median of the steps over those of the agent of method lee in the same "
      "problem",
      .of = OF_QUANTILE, .share = .5, .member = AGENT(over_lee) },
    { "over_lee_q3", "/lee q3", 3, SHOWN_NAMED, "1",
      "upper quartile of the steps over those of the agent of method lee in "
      "the same problem",
      .of = OF_QUANTILE, .share = .75, .member = AGENT(over_lee) },
    { "arrivals", "arrivals", 0, SHOWN_NAMED, "1",
      "arrivals that agents reacted to", .label = N_("arrivals"),
      .of_group = arrivals },
    { "first_arrival", "first arrival mean (steps)", 1, SHOWN_NAMED, "step",
      "from the emission to the first arrival, mean of the agents",
      .label = N_("first arrival (steps)"), .of = OF_MEAN, .all = true,
      .member = AGENT(first_arrival) },
    { "arrival_error", "arrival error (degrees)", 2, SHOWN_NAMED, "degree",
      "heading at the first arrival against the exact path, RMS of the agents",
      .label = N_("error of the first heading (degrees)"), .of = OF_RMS,
      .all = true, .member = AGENT(arrival_error) },
    { "reach", "reach", 3, SHOWN_NAMED, "1",
      "share of the reachable cells farther than 3 from the source at which "
      "the first emission of wave 0 arrives",
      .label = N_("share of cells reached"), .only_swept = true,
      .of_group = reach },
    { "updates_median", "updates median", 0, SHOWN_NAMED, "1",
      "median number of headings that arrivals gave, of agents that captured",
      .of = OF_QUANTILE, .share = .5, .member = AGENT(updates) },
    { "expansions", "expanded (cells)", 0, SHOWN_NAMED, "1",
      "cells expanded by all searches", .label = N_("expanded cells"),
      .of_group = expansions },
    { "expansions_median", "expanded, median (cells/plan)", 0, SHOWN_NAMED, "1",
      "median number of cells expanded in a plan, of all agents that plan",
      .of = OF_QUANTILE, .share = .5, .all = true,
      .member = AGENT(plan_expansions) },
    { "search_time", "time mean (ns/plan)", 0, SHOWN_NAMED, "ns",
      "time of a search, mean", .label = N_("time of a search (ns)"),
      .of_group = search_time },
    { "plan_ns_median", "time median (ns/plan)", 0, SHOWN_NAMED, "ns",
      "median time of a plan, of all agents that plan", .of = OF_QUANTILE,
      .share = .5, .all = true, .member = AGENT(plan_nanoseconds) },
    { "step_ns_median", "time median (ns/step)", 0, SHOWN_ALONE, "ns",
      "median time to simulate a step of the recording: waves, plans and all "
      "agents",
      .of = OF_QUANTILE, .of_agent = step_time, .share = .5, .all = true },
};
const size_t results_column_count =
    sizeof results_columns / sizeof *results_columns;

/* ---- its numbers ---- */

static double root_mean_square(double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] *= values[i];
    return sqrt(summary_mean(values, count));
}

/* Of finite values, which it sorts or squares. */
static void estimate(const struct result *column, double *values, size_t count,
                     double numbers[ESTIMATE_NUMBERS])
{
    struct estimate estimate = { NAN, interval_none };
    if (column->of == OF_QUANTILE) {
        summary_sort(values, count);
        estimate.estimate = summary_quantile(values, count, column->share);
    } else if (column->of == OF_MEDIAN) {
        const struct summary summary = summary_make(values, count);
        estimate = (struct estimate){ summary.median, summary.interval };
    } else if (column->of == OF_MEAN) {
        estimate.estimate = summary_mean(values, count);
    } else if (column->of == OF_RMS) {
        estimate.estimate = root_mean_square(values, count);
    } else if (count) { /* OF_COUNT */
        estimate.estimate = (double)count;
    }
    memcpy(numbers, &estimate, (1 + (size_t)column->ends) * sizeof *numbers);
}

void results_take(const struct result *column, const void *of,
                  const void *items, size_t count, size_t size,
                  double numbers[ESTIMATE_NUMBERS])
{
    if (column->of == OF_MEMBER) {
        memcpy(numbers, (const char *)of + column->member,
               (1 + (size_t)column->ends) * sizeof *numbers);
        return;
    }
    double *values = need_memory(count, sizeof *values);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        values[found] =
            number_at((const char *)items + i * size, column->member);
        found += isfinite(values[found]) != 0;
    }
    estimate(column, values, found, numbers);
    memory_release(values);
}

void results_numbers(const struct result *column, const struct results *results,
                     double numbers[ESTIMATE_NUMBERS])
{
    if (column->of_group) {
        numbers[0] = column->of_group(results);
        return;
    }
    if (column->of == OF_MEMBER) {
        results_take(column, results, NULL, 0, 0, numbers);
        return;
    }
    double *values = need_memory(results->count, sizeof *values);
    size_t found = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct measured_agent *agent = results->agents[i];
        values[found] = column->of_agent ? column->of_agent(agent)
                                         : number_at(agent, column->member);
        found +=
            isfinite(values[found]) && (column->all || !isnan(agent->captured));
    }
    estimate(column, values, found, numbers);
    memory_release(values);
}
