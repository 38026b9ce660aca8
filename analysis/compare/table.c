/* SPDX-License-Identifier: MIT */
/* The table: a row for each method and group. It is printed by cli/table.h. */
#include "analysis/compare/table.h"

#include "analysis/compare/times.h"
#include "base/memory.h"
#include "base/natural.h"
#include "base/need.h"
#include "base/utf8.h"
#include "metrics/proportion.h"
#include "metrics/summary.h"
#include "metrics/survival.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(const struct outcome *outcome, const struct compared_row *row)
{
    return strcmp(outcome->method, row->method) == 0 &&
           strcmp(outcome->group, row->group) == 0;
}

/* ---- pairs ---- */

/* The agents of method lee that captured, by problem. */
struct partners {
    const struct outcome **lee; /* (count), sorted */
    size_t count;
};

static int by_problem(const void *a, const void *b)
{
    const struct outcome *left = *(const struct outcome *const *)a;
    const struct outcome *right = *(const struct outcome *const *)b;
    if (left->problem != right->problem)
        return left->problem < right->problem ? -1 : 1;
    return strcmp(left->shared, right->shared);
}

static void partners_find(const struct outcomes *outcomes,
                          struct partners *partners)
{
    partners->count = 0;
    partners->lee = need_memory(outcomes->count, sizeof *partners->lee);
    for (size_t i = 0; i < outcomes->count; i++)
        if (strcmp(outcomes->items[i].method, "lee") == 0 &&
            outcomes->items[i].capture > 0)
            partners->lee[partners->count++] = &outcomes->items[i];
    qsort(partners->lee, partners->count, sizeof *partners->lee, by_problem);
}

/* Its steps divided by those of its partner, or NAN. */
static double against_lee(const struct partners *partners,
                          const struct outcome *outcome)
{
    const struct outcome *const *lee =
        partners->count ? bsearch(&outcome, partners->lee, partners->count,
                                  sizeof *partners->lee, by_problem)
                        : NULL;
    if (!lee || strcmp(outcome->method, "lee") == 0)
        return NAN;
    return (double)outcome->capture / (double)(*lee)->capture;
}

/* ---- figures ---- */

/* The results of a row that are not quantiles of one column. */
struct share {
    double all, captured, rate, low, high;
};
struct results {
    struct share agents, chases;
    struct survival times;  /* including those without a capture, as censored */
    struct interval median; /* of these times */
    double limit;
    struct summary steps; /* of the agents that captured */
    double pairs;         /* with an agent of method lee that captured too */
};
#define OF(member) offsetof(struct results, member)

/* A value of each agent, of which a figure is a quantile. */
enum column {
    COLUMN_NONE,
    COLUMN_STEPS,
    COLUMN_LENGTH,
    COLUMN_TURNS,
    COLUMN_RATIO,
    COLUMN_MARCHED,
    COLUMN_PATH_RATIO,
    COLUMN_WAITED,
    COLUMN_LEE,
    COLUMN_UPDATES,
    COLUMN_EXPANSIONS,
    COLUMN_NANOSECONDS,
    COLUMN_STEP_NANOSECONDS
};

static const struct compared_heading headings[] = {
    { "agents", "agents", 0, .meaning = "number of agents",
      .member = OF(agents.all) },
    { "captured", "captured", 0, SHOWN_NAMED,
      .meaning = "number of agents that captured",
      .member = OF(agents.captured) },
    { "capture rate", "capture_rate", 2,
      .meaning = "share of the agents that captured",
      .member = OF(agents.rate) },
    { "rate, 95 % low", "capture_rate_low_95", 2, SHOWN_ALONE,
      .meaning = "lower end of its 95 % interval (Wilson), of 10 or more",
      .member = OF(agents.low) },
    { "rate, 95 % high", "capture_rate_high_95", 2, SHOWN_ALONE,
      .meaning = "upper end of this interval", .member = OF(agents.high) },
    { "chases", "chases", 0, SHOWN_TEAMS, .meaning = "number of chases",
      .member = OF(chases.all) },
    { "chases captured", "chases_captured", 0, SHOWN_NAMED,
      .meaning = "number of chases that ended with a capture",
      .member = OF(chases.captured) },
    { "chase rate", "chase_rate", 2, SHOWN_TEAMS,
      .meaning = "share of the chases that ended with a capture",
      .member = OF(chases.rate) },
    { "chase rate, 95 % low", "chase_rate_low_95", 2, SHOWN_TEAMS,
      .meaning = "lower end of its 95 % interval (Wilson), of 10 or more",
      .member = OF(chases.low) },
    { "chase rate, 95 % high", "chase_rate_high_95", 2, SHOWN_TEAMS,
      .meaning = "upper end of this interval", .member = OF(chases.high) },
    { "time q1 (steps)", "time_q1", 0, SHOWN_NAMED,
      .meaning = "lower quartile of the steps to the capture (Kaplan-Meier)",
      .member = OF(times.lower_quartile.at) },
    { "time q1, 95 % low", "time_q1_low_95", 0, SHOWN_NAMED,
      .meaning = "lower end of the 95 % interval of this lower quartile; no "
                 "value if too few captured",
      .member = OF(times.lower_quartile.low) },
    { "time q1, 95 % high", "time_q1_high_95", 0, SHOWN_NAMED,
      .meaning = "upper end of this interval",
      .member = OF(times.lower_quartile.high) },
    { "time median (steps)", "time_median", 0,
      .meaning = "median of the steps to the capture (Kaplan-Meier); no value "
                 "if less than half captured",
      .member = OF(times.median.at) },
    { "time median, 95 % low", "time_median_low_95", 0,
      .meaning = "lower end of the 95 % interval of this median; no value if "
                 "too few captured, or of fewer than 5",
      .member = OF(median.low) },
    { "time median, 95 % high", "time_median_high_95", 0,
      .meaning = "upper end of this interval", .member = OF(median.high) },
    { "time, least", "time_median_least", 0,
      .meaning = "smallest of 2 to 4 times (steps); no value if it is not of a "
                 "capture",
      .member = OF(median.least) },
    { "time, largest", "time_median_largest", 0,
      .meaning = "largest of 2 to 4 times (steps); no value if it is not of a "
                 "capture",
      .member = OF(median.largest) },
    { "time q3 (steps)", "time_q3", 0, SHOWN_NAMED,
      .meaning = "upper quartile of the steps to the capture (Kaplan-Meier)",
      .member = OF(times.upper_quartile.at) },
    { "time q3, 95 % low", "time_q3_low_95", 0, SHOWN_NAMED,
      .meaning = "lower end of the 95 % interval of this upper quartile; no "
                 "value if too few captured",
      .member = OF(times.upper_quartile.low) },
    { "time q3, 95 % high", "time_q3_high_95", 0, SHOWN_NAMED,
      .meaning = "upper end of this interval",
      .member = OF(times.upper_quartile.high) },
    { "restricted mean (steps)", "restricted_mean", 1,
      .meaning = "mean of the steps to the capture, up to limit",
      .member = OF(times.mean) },
    { "its standard error", "restricted_mean_error", 1,
      .meaning = "its standard error (steps)", .member = OF(times.error) },
    { "limit (steps)", "limit", 0,
      .meaning = "smallest step limit of all recordings (steps)",
      .member = OF(limit) },
    { "steps q1 of captured", "captured_steps_q1", 0, SHOWN_NAMED,
      .meaning = "lower quartile of the steps to the capture, only of agents "
                 "that captured",
      .column = COLUMN_STEPS, .share = .25 },
    { "steps median of captured", "captured_steps_median", 0, SHOWN_NAMED,
      .meaning =
          "median of the steps to the capture, only of agents that captured",
      .column = COLUMN_STEPS, .share = .5 },
    { "median of captured, 95 % low", "captured_steps_low_95", 0, SHOWN_NAMED,
      .meaning = "lower end of the 95 % bootstrap interval of this median, if "
                 "5 or more captured",
      .member = OF(steps.interval.low) },
    { "median of captured, 95 % high", "captured_steps_high_95", 0, SHOWN_NAMED,
      .meaning = "upper end of this interval",
      .member = OF(steps.interval.high) },
    { "steps of captured, least", "captured_steps_least", 0, SHOWN_NAMED,
      .meaning = "smallest of these steps, if 2 to 4 captured",
      .member = OF(steps.interval.least) },
    { "steps of captured, largest", "captured_steps_largest", 0, SHOWN_NAMED,
      .meaning = "largest of these steps, if 2 to 4 captured",
      .member = OF(steps.interval.largest) },
    { "steps q3 of captured", "captured_steps_q3", 0, SHOWN_NAMED,
      .meaning = "upper quartile of the steps to the capture, only of agents "
                 "that captured",
      .column = COLUMN_STEPS, .share = .75 },
    { "steps p95 of captured", "captured_steps_p95", 0, SHOWN_NAMED,
      .meaning = "95 % quantile of these steps", .column = COLUMN_STEPS,
      .share = .95 },
    { "path median (cells)", "path_cells_median", 1, SHOWN_NAMED,
      .meaning = "median length of the path, of agents that captured (cells)",
      .column = COLUMN_LENGTH, .share = .5 },
    { "turns median", "turns_median", 0, SHOWN_NAMED,
      .meaning = "median number of turns by more than 1 degree, of agents that "
                 "captured",
      .column = COLUMN_TURNS, .share = .5 },
    { "vs/d q1", "capture_ratio_q1", 3, SHOWN_NAMED,
      .meaning = "lower quartile of v*steps/d, of agents that captured, with "
                 "the speed v and the exact path d from start to start (2D)",
      .column = COLUMN_RATIO, .share = .25 },
    { "vs/d median", "capture_ratio_median", 3, SHOWN_NAMED,
      .meaning = "median of v*steps/d, of agents that captured, with the speed "
                 "v and the exact path d from start to start (2D)",
      .column = COLUMN_RATIO, .share = .5 },
    { "vs/d q3", "capture_ratio_q3", 3, SHOWN_NAMED,
      .meaning = "upper quartile of v*steps/d, of agents that captured, with "
                 "the speed v and the exact path d from start to start (2D)",
      .column = COLUMN_RATIO, .share = .75 },
    { "vs/fmf q1", "marching_ratio_q1", 3, SHOWN_NAMED,
      .meaning = "lower quartile of v*steps/d, of agents that captured, with d "
                 "by fast-marching-fine (3D)",
      .column = COLUMN_MARCHED, .share = .25 },
    { "vs/fmf median", "marching_ratio_median", 3, SHOWN_NAMED,
      .meaning = "median of v*steps/d, of agents that captured, with d by "
                 "fast-marching-fine (3D)",
      .column = COLUMN_MARCHED, .share = .5 },
    { "vs/fmf q3", "marching_ratio_q3", 3, SHOWN_NAMED,
      .meaning = "upper quartile of v*steps/d, of agents that captured, with d "
                 "by fast-marching-fine (3D)",
      .column = COLUMN_MARCHED, .share = .75 },
    { "path/d, median of captured", "path_ratio_median", 3,
      .meaning =
          "median length of the path over the shortest path at any angle, from "
          "the start to the place of the capture, without the rest that was "
          "left between agent and target; of agents that captured",
      .column = COLUMN_PATH_RATIO, .share = .5 },
    { "path/d p95", "path_ratio_p95", 3, SHOWN_NAMED,
      .meaning = "95 % quantile of this ratio", .column = COLUMN_PATH_RATIO,
      .share = .95 },
    { "waited median", "waited_share_median", 3, SHOWN_NAMED,
      .meaning = "median share of the steps before the first heading, of "
                 "agents that captured",
      .column = COLUMN_WAITED, .share = .5 },
    { "pairs", "pairs", 0, SHOWN_NAMED,
      .meaning = "number of agents for which an agent of method lee with the "
                 "same problem captured too",
      .member = OF(pairs) },
    { "/lee q1", "over_lee_q1", 3, SHOWN_NAMED,
      .meaning = "lower quartile of the steps over those of the agent of "
                 "method lee in the same problem",
      .column = COLUMN_LEE, .share = .25 },
    { "/lee median", "over_lee_median", 3, SHOWN_NAMED,
      .meaning = "median of the steps over those of the agent of method lee in "
                 "the same problem",
      .column = COLUMN_LEE, .share = .5 },
    { "/lee q3", "over_lee_q3", 3, SHOWN_NAMED,
      .meaning = "upper quartile of the steps over those of the agent of "
                 "method lee in the same problem",
      .column = COLUMN_LEE, .share = .75 },
    { "updates median", "updates_median", 0, SHOWN_NAMED,
      .meaning = "median number of headings that arrivals gave, of agents that "
                 "captured",
      .column = COLUMN_UPDATES, .share = .5 },
    { "expanded, median (cells/plan)", "expansions_median", 0, SHOWN_NAMED,
      .meaning =
          "median number of cells expanded in a plan, of all agents that plan",
      .column = COLUMN_EXPANSIONS, .share = .5 },
    { "time median (ns/plan)", "plan_ns_median", 0, SHOWN_NAMED,
      .meaning = "median time of a plan, of all agents that plan (ns)",
      .column = COLUMN_NANOSECONDS, .share = .5 },
    { "time median (ns/step)", "step_ns_median", 0, SHOWN_ALONE,
      .meaning = "median time to simulate a step of the recording: waves, "
                 "plans and all agents (ns)",
      .column = COLUMN_STEP_NANOSECONDS, .share = .5 },
};
enum { FIGURES = sizeof headings / sizeof *headings };

/* v·steps divided by a length; NAN for a start at the target. */
static double over_way(const struct outcome *outcome, double way)
{
    return way > 0 ? outcome->speed * (double)outcome->capture / way : NAN;
}

static double value_of(const struct outcome *outcome, enum column column,
                       const struct partners *partners)
{
    switch (column) {
    case COLUMN_STEPS:
        return (double)outcome->capture;
    case COLUMN_LENGTH:
        return outcome->length;
    case COLUMN_TURNS:
        return (double)outcome->turns;
    case COLUMN_RATIO:
        return over_way(outcome, outcome->geodesic);
    case COLUMN_MARCHED:
        return over_way(outcome, outcome->marched);
    case COLUMN_PATH_RATIO:
        return outcome->length / outcome->shortest;
    case COLUMN_WAITED:
        return outcome->waited;
    case COLUMN_LEE:
        return against_lee(partners, outcome);
    case COLUMN_UPDATES:
        return (double)outcome->updates;
    case COLUMN_EXPANSIONS:
        return outcome->expansions;
    case COLUMN_NANOSECONDS:
        return outcome->nanoseconds;
    case COLUMN_STEP_NANOSECONDS:
        return outcome->step_nanoseconds;
    case COLUMN_NONE:
        break;
    }
    return NAN;
}

/* The values of a column in a row, sorted, without NANs; returns their
 * number. */
static size_t gather(const struct outcomes *outcomes,
                     const struct partners *partners,
                     const struct compared_row *row, enum column column,
                     double *values)
{
    size_t count = 0;
    bool of_all = column == COLUMN_EXPANSIONS || column == COLUMN_NANOSECONDS ||
                  column == COLUMN_STEP_NANOSECONDS;
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        if (!is_of(outcome, row) || (!of_all && outcome->capture < 0))
            continue;
        double value = value_of(outcome, column, partners);
        if (!isnan(value))
            values[count++] = value;
    }
    summary_sort(values, count);
    return count;
}

static struct share share_of(double captured, double all)
{
    struct share share = { all, captured, captured / all, NAN, NAN };
    proportion_interval(captured, all, &share.low, &share.high);
    return share;
}

/* Rates of agents and of chases, and times including those without a
 * capture. */
static void find_times(const struct outcomes *outcomes,
                       const struct compared_row *row, struct timed *times,
                       struct survival_time *plain, bool *teams,
                       struct results *results)
{
    const struct who who = { row->method, row->group, NULL };
    double agents = 0, captured = 0, chases_captured = 0;
    for (size_t i = 0; i < outcomes->count; i++) {
        bool is_in = who_has(&who, &outcomes->items[i]);
        agents += is_in;
        captured += is_in && outcomes->items[i].capture >= 0;
    }
    size_t chases = times_of_chases(outcomes, &who, times);
    for (size_t i = 0; i < chases; i++)
        chases_captured += times[i].time.captured;
    results->agents = share_of(captured, agents);
    results->chases = share_of(chases_captured, (double)chases);
    size_t count = times_of_agents(outcomes, &who, times);
    for (size_t i = 0; i < count; i++)
        plain[i] = times[i].time;
    *teams = *teams || (double)count < agents;
    results->times = survival_make(plain, count, results->limit);
    const struct survival *of = &results->times;
    results->median = interval_of(of->n, of->median.low, of->median.high,
                                  of->least, of->largest);
}

static void fill_row(const struct outcomes *outcomes,
                     const struct partners *partners, struct results *results,
                     struct compared_row *row, double *values)
{
    const size_t count = gather(outcomes, partners, row, COLUMN_STEPS, values);
    results->steps = summary_make(values, count);
    size_t pairs = gather(outcomes, partners, row, COLUMN_LEE, values);
    results->pairs = pairs ? (double)pairs : NAN;
    for (int f = 0; f < FIGURES; f++) {
        const struct compared_heading *heading = &headings[f];
        if (heading->column)
            row->figure[f] =
                summary_quantile(values,
                                 gather(outcomes, partners, row,
                                        (enum column)heading->column, values),
                                 heading->share);
        else
            memcpy(&row->figure[f], (const char *)results + heading->member,
                   sizeof row->figure[f]);
    }
}

static struct compared_row *row_for(struct compared *table,
                                    const struct outcome *outcome)
{
    for (size_t i = 0; i < table->count; i++)
        if (is_of(outcome, &table->rows[i]))
            return &table->rows[i];
    struct compared_row *row = &table->rows[table->count++];
    memcpy(row->method, outcome->method, sizeof outcome->method);
    memcpy(row->group, outcome->group, sizeof outcome->group);
    return row;
}

/* Is `row` to stand before `other`, which is before it in the order of first
 * occurrence? Only if their values differ in numbers alone. */
static bool is_before(const struct compared_row *row,
                      const struct compared_row *other)
{
    return natural_same_words(row->group, other->group) &&
           natural_compare(row->group, other->group) < 0;
}

/* The rows are in the order of the recordings' first occurrence, but those
 * whose values differ only in numbers are in the order of these. */
static void name_rows(const struct outcomes *outcomes, struct compared *table)
{
    for (size_t i = 0; i < outcomes->count; i++)
        row_for(table, &outcomes->items[i]);
    for (size_t i = 1; i < table->count; i++) {
        const struct compared_row row = table->rows[i];
        size_t to = i;
        for (size_t k = i; k-- > 0;)
            if (is_before(&row, &table->rows[k]))
                to = k;
        memmove(&table->rows[to + 1], &table->rows[to],
                (i - to) * sizeof *table->rows);
        table->rows[to] = row;
    }
}

static void fill_rows(const struct outcomes *outcomes, struct compared *table)
{
    struct partners partners = { NULL, 0 };
    double *values = need_memory(outcomes->count, sizeof *values);
    struct timed *times = need_memory(outcomes->count, sizeof *times);
    struct survival_time *plain = need_memory(outcomes->count, sizeof *plain);
    struct results results = { .limit = times_limit(outcomes) };
    partners_find(outcomes, &partners);
    for (size_t i = 0; i < table->count; i++) {
        struct compared_row *row = &table->rows[i];
        find_times(outcomes, row, times, plain, &table->teams, &results);
        fill_row(outcomes, &partners, &results, row, values);
    }
    memory_release(values);
    memory_release(times);
    memory_release(plain);
    memory_release(partners.lee);
}

void compared_make(const struct outcomes *outcomes, struct compared *table)
{
    table->headings = headings;
    table->figures = FIGURES;
    table->count = 0;
    table->rows = need_memory(outcomes->count, sizeof *table->rows);
    name_rows(outcomes, table);
    fill_rows(outcomes, table);
}

void compared_release(struct compared *table)
{
    memory_release(table->rows);
    table->rows = NULL;
}

static bool is_limit(const struct compared_heading *heading)
{
    static const char *const ends[] = { "_low_95", "_high_95", "_least",
                                        "_largest" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strstr(heading->csv, ends[i]))
            return true;
    return false;
}

void compared_describe(const struct compared_heading *columns, int figures,
                       FILE *out)
{
    for (int f = 0; f < figures; f++) {
        const struct compared_heading *heading = &columns[f];
        char text[512];
        snprintf(text, sizeof text,
                 is_limit(heading) ? "%s. In text: 95 %% or range; without "
                                     "the other ends: %s"
                                   : "%s. In text: %s",
                 heading->meaning, heading->name);
        table_describe(heading->csv, text, out);
    }
}

void compared_describe_own(FILE *out)
{
    compared_describe(headings, FIGURES, out);
}

/* ---- formats ---- */

static bool is_plain(const struct compared *table, int figure)
{
    switch (table->headings[figure].shown) {
    case SHOWN_NAMED:
        return false;
    case SHOWN_TEAMS:
        return table->teams;
    case SHOWN_ALONE:
        return !table->teams;
    case SHOWN:
        break;
    }
    return true;
}

/* Columns without a figure in any row are left out, except in csv and json. */
static bool is_shown(const struct compared *table, int figure,
                     enum table_format format)
{
    if (table->hidden >> figure & 1)
        return false;
    if (format == TABLE_CSV || format == TABLE_JSON)
        return true;
    if (!table->hidden && !is_plain(table, figure))
        return false;
    while (is_limit(&table->headings[figure]))
        figure--; /* limits are shown with the figure to which they belong */
    for (size_t i = 0; i < table->count; i++)
        if (!isnan(table->rows[i].figure[figure]))
            return true;
    return false;
}

static int find_figure(const struct compared *table, const char *name,
                       size_t length)
{
    for (int f = 0; f < table->figures; f++)
        if (strncmp(table->headings[f].csv, name, length) == 0 &&
            !table->headings[f].csv[length])
            return f;
    return -1;
}

static enum status no_such(const struct compared *table, const char *name,
                           size_t length, struct error *error)
{
    char names[ERROR_MESSAGE_SIZE];
    size_t used = 0;
    for (int f = 0; f < table->figures && used < sizeof names; f++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 f ? ", " : "", table->headings[f].csv);
    return error_set(error, STATUS_INPUT, "--columns: there is no %.*s; of %s",
                     (int)length, name, names);
}

enum status compared_choose(struct compared *table, const char *names,
                            struct error *error)
{
    table->hidden = ~UINT64_C(0);
    for (const char *at = names;;) {
        size_t length = strcspn(at, ",");
        int figure = find_figure(table, at, length);
        if (figure < 0)
            return no_such(table, at, length, error);
        table->hidden &= ~(UINT64_C(1) << figure);
        if (!at[length])
            return STATUS_OK;
        at += length + 1;
    }
}

static void join_keys(const struct compared *table, char text[GROUP_SIZE])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < table->key_count && used < GROUP_SIZE; i++)
        used += (size_t)snprintf(text + used, GROUP_SIZE - used, "%s%s",
                                 i ? ", " : "", table->keys[i]);
}

/* Are they two ends of an interval or of its range? In csv they have the
 * figure's name with "_low_95", "_high_95", "_least" and "_largest". */
static bool are_ends(const struct compared *compared, int one, const char *low,
                     int other, const char *high)
{
    const char *name = compared->headings[one].csv;
    const char *end = compared->headings[other].csv;
    const char *part = strstr(name, low);
    size_t length = part ? (size_t)(part - name) : 0;
    return part && strncmp(name, end, length) == 0 &&
           strcmp(end + length, high) == 0;
}

void compared_print(const struct compared *compared, enum table_format format,
                    FILE *out)
{
    char keys[GROUP_SIZE];
    const char *const names[] = { "method", keys };
    struct table_column columns[TABLE_FIGURES_MOST];
    int figures[TABLE_FIGURES_MOST]; /* of the columns */
    double numbers[TABLE_FIGURES_MOST];
    size_t count = 0;
    struct table table;
    join_keys(compared, keys);
    for (int f = 0; f < compared->figures; f++)
        if (is_shown(compared, f, format)) {
            if (count && are_ends(compared, figures[count - 1], "_low_95", f,
                                  "_high_95"))
                columns[count - 1].interval = "95 %";
            if (count > 2 && columns[count - 3].interval &&
                are_ends(compared, figures[count - 3], "_low_95", f,
                         "_largest"))
                columns[count - 3].ranged = true;
            figures[count] = f;
            columns[count++] =
                (struct table_column){ compared->headings[f].csv,
                                       .digits = compared->headings[f].decimals,
                                       .heading = compared->headings[f].name };
        }
    table_init_texts(&table, names, compared->key_count ? 2 : 1, columns,
                     count);
    for (size_t i = 0; i < compared->count; i++) {
        const struct compared_row *row = &compared->rows[i];
        const char *const texts[] = { row->method, row->group };
        for (size_t c = 0; c < count; c++)
            numbers[c] = row->figure[figures[c]];
        table_add_texts(&table, texts, numbers);
    }
    table_print(&table, format, out);
    table_release(&table);
}
