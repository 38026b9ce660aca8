/* SPDX-License-Identifier: MIT */
/* The table: the measurements of each run, the medians over seeds, and the
 * settings of the runs. */
#include "tools/sweep/sweep.h"

#include "base/memory.h"
#include "base/need.h"
#include "scenario/parse.h"
#include "view/replay.h"
#include "words/words.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values given on the command line ---- */

/* A text without its quotes and with its escapes replaced; anything else as
 * typed. */
static char *as_it_is(const char *value)
{
    struct setting root = { 0 };
    struct error error;
    value += strspn(value, " \t\n");
    const bool text = *value == '"' && !parse_value(value, key_of("title"), "",
                                                    &root, "title", &error);
    char *copy = need_text(text ? root.first->text : value);
    setting_clear(&root);
    return copy;
}

/* Does the setting KEY=VALUE set exactly this key? Returns its value. */
static const char *value_for(const char *set, const char *key)
{
    const char *equals = strchr(set, '=');
    char *its = equals ? sweep_key(set, (size_t)(equals - set)) : NULL;
    bool same = its && strcmp(its, key) == 0;
    memory_release(its);
    return same ? equals + 1 : NULL;
}

/* The value given for a key, by the run's value of an axis or by the last
 * --set; "" if none was given. From need_memory. */
static char *given_value(const struct sweep *sweep, size_t run, const char *key)
{
    for (size_t axis = sweep->grid.axis_count; axis-- > 0;)
        if (strcmp(sweep->grid.axes[axis].key, key) == 0)
            return as_it_is(sweep_value(&sweep->grid, run, axis));
    for (size_t i = sweep->set.count; i-- > 0;) {
        const char *value = value_for(sweep->set.items[i], key);
        if (value)
            return as_it_is(value);
    }
    return need_text("");
}

/* ---- settings of the runs ---- */

/* A key's column, named "set.KEY" if another column has that name. */
static void name_column(struct sweep_column *column, const char *key,
                        size_t length)
{
    column->key = need_format("%.*s", (int)length, key);
    const struct result *metrics[RESULTS_MOST];
    bool taken = false;
    for (size_t m = sweep_metrics(metrics); m-- > 0;)
        taken = taken || strcmp(metrics[m]->name, column->key) == 0;
    column->name = need_format("%s%s", taken ? "set." : "", column->key);
}

static bool has_column(const struct sweep_table *table, const char *key,
                       size_t length)
{
    for (size_t c = 0; c < table->column_count; c++) {
        const char *other = table->columns[c].key;
        if (strlen(other) == length && memcmp(other, key, length) == 0)
            return true;
    }
    return false;
}

static void add_column(struct sweep_table *table, const char *key,
                       size_t length, size_t axis)
{
    size_t count = table->column_count++;
    table->columns =
        need_grow(table->columns, count, count + 1, sizeof *table->columns);
    struct sweep_column *column = &table->columns[count];
    column->axis = axis;
    column->texts = need_memory(table->sweep->grid.runs, sizeof(char *));
    name_column(column, key, length);
}

/* A column for a key, or for each key of any run below a group. */
static void add_columns(struct sweep_table *table, const char *key, size_t axis)
{
    const struct sweep *sweep = table->sweep;
    struct parameter parameter;
    for (size_t run = 0; run < sweep->grid.runs; run++) {
        const char *text = sweep->runs[run].parameters;
        while (text && parameters_next(&text, &parameter))
            if (sweep_key_holds(key, parameter.key, parameter.key_length) &&
                !has_column(table, parameter.key, parameter.key_length))
                add_column(table, parameter.key, parameter.key_length, axis);
    }
}

/* Is `given`, which may be relative to the scenario, this file? */
static bool names_file(const struct sweep *sweep, const char *given,
                       const char *file)
{
    char joined[PATH_MAX], real[PATH_MAX];
    const char *slash = strrchr(sweep->scenario, '/');
    int folder =
        slash && *given != '/' ? (int)(slash + 1 - sweep->scenario) : 0;
    int length = snprintf(joined, sizeof joined, "%.*s%s", folder,
                          sweep->scenario, given);
    return length > 0 && length < PATH_MAX && realpath(joined, real) &&
           strcmp(real, file) == 0;
}

/* The value of a key in a run, "" if it has none. From need_memory. */
static char *parameter_of(const char *parameters, const char *key)
{
    struct parameter parameter;
    size_t length = strlen(key);
    while (parameters_next(&parameters, &parameter))
        if (parameter.key_length == length &&
            memcmp(parameter.key, key, length) == 0)
            return need_format("%.*s", (int)parameter.value_length,
                               parameter.value);
    return need_text("");
}

static char *text_in(const struct sweep *sweep, size_t run, const char *key)
{
    const char *parameters = sweep->runs[run].parameters;
    if (!parameters)
        return given_value(sweep, run, key);
    char *value = parameter_of(parameters, key);
    if (strcmp(key, "map.file") != 0)
        return value;
    char *given = given_value(sweep, run, key);
    const bool same = names_file(sweep, given, value);
    memory_release(same ? value : given);
    return same ? given : value;
}

/* A column for each key of --vary, then of --set; for a group, one for each key
 * in it. The values are those of the recordings' /provenance/parameters, not
 * those typed: a group may be set after one of its keys, and a path has several
 * spellings. Only a map's file has the given name, and a run that could not be
 * read has the given values. */
static void columns_make(struct sweep_table *table)
{
    const struct sweep *sweep = table->sweep;
    const struct sweep_grid *grid = &sweep->grid;
    for (size_t axis = 0; axis < grid->axis_count; axis++)
        add_columns(table, grid->axes[axis].key, axis);
    for (size_t i = 0; i < sweep->set.count; i++) {
        const char *set = sweep->set.items[i];
        char *key = sweep_key(set, strcspn(set, "="));
        add_columns(table, key, grid->axis_count);
        memory_release(key);
    }
    for (size_t c = 0; c < table->column_count; c++)
        for (size_t run = 0; run < grid->runs; run++)
            table->columns[c].texts[run] =
                text_in(sweep, run, table->columns[c].key);
}

static void columns_release(struct sweep_table *table)
{
    for (size_t c = 0; c < table->column_count; c++) {
        struct sweep_column *column = &table->columns[c];
        for (size_t i = 0; i < table->sweep->grid.runs; i++)
            memory_release(column->texts[i]);
        memory_release(column->texts);
        memory_release(column->name);
        memory_release(column->key);
    }
    memory_release(table->columns);
}

/* ---- the rows ---- */

/* The scenario may have been edited since it was read for the sweep's plan. */
static void keep_parameters(struct sweep_run *run,
                            const struct recording *recording)
{
    const char *parameters = recording_text(recording, "parameters");
    memory_release(run->parameters);
    run->parameters = need_text(parameters ? parameters : "");
}

/* Replaces the method by the team's name: the agent's name without the number
 * at its end. */
static void name_teams(struct measured *measured)
{
    for (size_t i = 0; i < measured->agent_count; i++) {
        struct measured_agent *agent = &measured->agents[i];
        snprintf(agent->method, sizeof agent->method, "%.*s",
                 MEASURED_METHOD_SIZE - 1, agent->name);
        size_t end = strlen(agent->method);
        while (end > 1 && agent->method[end - 1] >= '0' &&
               agent->method[end - 1] <= '9')
            end--;
        agent->method[end] = '\0';
    }
}

/* Measures a run; no measurement if it is not done; if it cannot be measured it
 * has failed. */
static bool measure(struct sweep *sweep, struct sweep_run *run,
                    struct measured *measured)
{
    struct recording *recording;
    struct error fault;
    if (run->state != SWEEP_DONE)
        return false;
    if (replay_open(run->recording, &recording, &fault)) {
        sweep_fail(sweep, run, fault.message);
        return false;
    }
    enum status status =
        measured_init(measured, recording, MEASURED_REACH, &fault);
    keep_parameters(run, recording);
    if (!status && sweep->teams)
        name_teams(measured);
    recording_close(recording);
    if (!status)
        return true;
    sweep_fail(sweep, run, fault.message);
    measured_release(measured);
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool is_method(const struct sweep_table *table, const char *method)
{
    for (size_t i = 0; i < table->method_count; i++)
        if (strcmp(table->methods[i], method) == 0)
            return true;
    return false;
}

/* The methods of all runs. */
static void collect_methods(struct sweep_table *table,
                            const struct measured *runs)
{
    for (size_t i = 0; i < table->sweep->grid.runs; i++)
        for (size_t j = 0; j < runs[i].agent_count; j++) {
            const char *method = runs[i].agents[j].method;
            size_t count = table->method_count;
            if (is_method(table, method))
                continue;
            table->methods = need_grow(table->methods, count, count + 1,
                                       sizeof *table->methods);
            snprintf(table->methods[count], sizeof table->methods[count], "%s",
                     method);
            table->method_count++;
        }
    if (table->method_count)
        qsort(table->methods, table->method_count, sizeof *table->methods,
              by_name);
}

/* Puts the methods of --order first. */
static enum status order_methods(struct sweep_table *table, struct error *error)
{
    const struct sweep *sweep = table->sweep;
    size_t placed = 0;
    for (size_t i = 0; i < sweep->order.count; i++) {
        const char *name = sweep->order.items[i];
        bool known = false;
        for (size_t axis = 0; axis < sweep->grid.axis_count; axis++)
            for (size_t k = 0; k < sweep->grid.axes[axis].count; k++)
                known |= strcmp(sweep->grid.axes[axis].values[k], name) == 0;
        for (size_t m = placed; m < table->method_count; m++) {
            if (strcmp(table->methods[m], name) != 0)
                continue;
            char moved[MEASURED_METHOD_SIZE];
            memcpy(moved, table->methods[m], sizeof moved);
            memmove(table->methods[placed + 1], table->methods[placed],
                    (m - placed) * sizeof *table->methods);
            memcpy(table->methods[placed++], moved, sizeof moved);
            known = true;
        }
        if (!known && !is_method(table, name))
            return error_set(error, STATUS_INPUT,
                             "--order %.200s: no such value of --vary or "
                             "--zip, and no such %s of the runs",
                             name, sweep_method_name(table));
    }
    return STATUS_OK;
}

/* Adds the run's agents of a method; returns their number. */
static size_t select_agents(const struct measured *run, const char *method,
                            const struct measured_agent **agents)
{
    size_t count = 0;
    for (size_t i = 0; i < run->agent_count; i++)
        if (strcmp(run->agents[i].method, method) == 0)
            agents[count++] = &run->agents[i];
    return count;
}

/* Adds the rows of the run, each with the metrics of its agents; `agents` has
 * room for the run's agents. */
static void add_rows(struct sweep_table *table, size_t run,
                     const struct measured *measured, bool done,
                     const struct measured_agent **agents)
{
    const struct sweep_grid *grid = &table->sweep->grid;
    const struct sweep_run *its = &table->sweep->runs[run];
    size_t base = run;
    for (size_t axis = 0; axis < grid->axis_count; axis++)
        if (sweep_pooled(table, axis))
            base = sweep_first_run(grid, base, axis);
    size_t methods = measured->agent_count ? table->method_count : 1;
    for (size_t i = 0; i < methods; i++) {
        const char *method = measured->agent_count ? table->methods[i] : "";
        const size_t count = select_agents(measured, method, agents);
        struct results results;
        if (measured->agent_count && !count)
            continue;
        results_make(&results, agents, count, measured, measured->limit);
        double *values = &table->values[table->rows * table->metric_count];
        for (size_t m = 0; m < table->metric_count; m++) {
            double numbers[ESTIMATE_NUMBERS] = { NAN };
            if (done)
                results_numbers(table->metrics[m], &results, numbers);
            else if (its->state == SWEEP_STOPPED &&
                     strcmp(table->metrics[m]->name, "steps") == 0)
                numbers[0] = (double)its->step;
            values[m] = numbers[0];
        }
        table->row[table->rows++] = (struct sweep_row){ run, base, method, i };
    }
}

static size_t most_agents(const struct measured *runs, size_t count)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (runs[i].agent_count > most)
            most = runs[i].agent_count;
    return most;
}

static void fill_values(struct sweep_table *table, const struct measured *runs,
                        const bool *done)
{
    size_t count = table->sweep->grid.runs;
    size_t most = count * (table->method_count + 1);
    table->row = need_memory(most, sizeof *table->row);
    table->values =
        need_memory(most, table->metric_count * sizeof *table->values);
    const struct measured_agent **agents =
        need_memory(most_agents(runs, count), sizeof *agents);
    for (size_t i = 0; i < count; i++)
        add_rows(table, i, &runs[i], done[i], agents);
    memory_release(agents);
}

/* ---- over seeds ---- */

const struct sweep_figure sweep_more[] = {
    { "chase_rate", "1", N_("rate"), "share of the chases that captured",
      N_("chases captured (%)") },
    { "capture_time", "step", N_("median"),
      "steps to the capture, with those that did not capture as censored",
      N_("steps to the capture") },
    { "restricted_mean", "step", N_("mean"),
      "restricted mean of the same, up to the smallest step limit of all "
      "runs",
      N_("mean steps to the capture, up to the limit") },
};

size_t sweep_metrics(const struct result *metrics[RESULTS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < results_column_count; i++)
        if (results_columns[i].label)
            metrics[count++] = &results_columns[i];
    return count;
}

struct sweep_figure sweep_figure(const struct sweep_table *table, size_t number)
{
    if (number >= table->metric_count)
        return sweep_more[number - table->metric_count];
    const struct result *metric = table->metrics[number];
    return (struct sweep_figure){ metric->name, metric->unit,
                                  metric->ends ? N_("rate") : N_("median"),
                                  metric->meaning, metric->label };
}

const char *sweep_method_name(const struct sweep_table *table)
{
    return table->sweep->teams ? N_("team") : N_("method");
}

/* The axis of the seed, if no other varies with it. */
static size_t find_seed(const struct sweep_grid *grid)
{
    for (size_t axis = 0; axis < grid->axis_count; axis++)
        if (strcmp(grid->axes[axis].key, "seed") == 0 &&
            !grid->axes[axis].zipped)
            return axis;
    return grid->axis_count;
}

/* Does --by name the axis, or one zipped with it? */
static bool is_named(const struct sweep *sweep, size_t axis)
{
    const struct sweep_grid *grid = &sweep->grid;
    size_t first, end;
    bool named = false;
    sweep_zipped(grid, axis, &first, &end);
    for (size_t i = 0; i < sweep->by.count; i++) {
        const size_t by = sweep_axis_of(grid, sweep->by.items[i]);
        named |= by >= first && by < end;
    }
    return named;
}

bool sweep_pooled(const struct sweep_table *table, size_t axis)
{
    return axis < table->sweep->grid.axis_count &&
           (axis == table->seed_axis || table->sweep->by.count) &&
           !is_named(table->sweep, axis);
}

bool sweep_pools_seeds(const struct sweep_table *table)
{
    bool pooled = false;
    for (size_t axis = 0; axis < table->sweep->grid.axis_count; axis++)
        pooled |= sweep_pooled(table, axis);
    return pooled && table->group_count > 0;
}

static int by_group(const void *a, const void *b)
{
    const struct sweep_row *x = *(struct sweep_row *const *)a;
    const struct sweep_row *y = *(struct sweep_row *const *)b;
    if (x->base != y->base)
        return x->base < y->base ? -1 : 1;
    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1)
                              : (x->run > y->run) - (x->run < y->run);
}

/* Groups the rows of runs that are done. */
static void find_groups(struct sweep_table *table)
{
    size_t count = 0;
    table->members = need_memory(table->rows, sizeof *table->members);
    table->group_first =
        need_memory(table->rows + 1, sizeof *table->group_first);
    for (size_t i = 0; i < table->rows; i++)
        if (table->sweep->runs[table->row[i].run].state == SWEEP_DONE)
            table->members[count++] = &table->row[i];
    qsort(table->members, count, sizeof *table->members, by_group);
    for (size_t i = 0; i < count; i++) {
        const struct sweep_row *row = table->members[i];
        const struct sweep_row *before = i ? table->members[i - 1] : NULL;
        if (!before || before->base != row->base ||
            strcmp(before->method, row->method) != 0)
            table->group_first[table->group_count++] = i;
    }
    table->group_first[table->group_count] = count;
}

/* ---- all agents and chases of a group together ---- */

/* The estimate in the place of the median. */
static struct summary summary_of(double n, const struct estimate *estimate)
{
    return (struct summary){ (size_t)n, estimate->estimate, NAN, NAN,
                             estimate->interval };
}

/* The times of a group to the captures, and its smallest step limit. */
static void keep_times(const struct results *results, struct sweep_times *times)
{
    *times = (struct sweep_times){ .n = results->times.n,
                                   .captured = results->times.captured,
                                   .chases = results->teams,
                                   .limit = INFINITY };
    for (size_t i = 0; i < results->count; i++)
        times->limit = fmin(times->limit, results->agents[i]->run->limit);
    if (times->n >= INTERVAL_VALUES)
        return;
    struct timed *all = need_memory(results->count, sizeof *all);
    results_times(results->agents, results->count, false, all);
    for (size_t i = 0; i < times->n; i++)
        times->few[i] = all[i].time;
    memory_release(all);
}

static void describe_group(const struct sweep_table *table,
                           const struct results *results,
                           struct summary *figures)
{
    const struct survival *times = &results->times;
    struct summary *more = &figures[table->metric_count];
    for (size_t m = 0; m < table->metric_count; m++)
        if (table->metrics[m]->ends)
            figures[m] =
                summary_of(results->captures.all, &results->captures.rate);
    more[0] = summary_of(results->chases.all, &results->chases.rate);
    more[1] = summary_of((double)times->n, &results->median);
    more[1].lower_quartile = times->lower_quartile.at;
    more[1].upper_quartile = times->upper_quartile.at;
    more[2] = summary_of((double)times->n, &results->mean);
}

static double least_limit(const struct sweep_table *table,
                          const struct measured *runs)
{
    double limit = INFINITY;
    for (size_t i = 0; i < table->group_first[table->group_count]; i++)
        limit = fmin(limit, runs[table->members[i]->run].limit);
    return limit;
}

/* `values` has room for the group's rows, `agents` for its agents. */
static void summarize(const struct sweep_table *table, size_t group,
                      const struct measured *runs, double limit,
                      const struct measured_agent **agents, double *values)
{
    struct sweep_row *const *member =
        &table->members[table->group_first[group]];
    size_t count = table->group_first[group + 1] - table->group_first[group];
    struct summary *figures = &table->summaries[group * table->figure_count];
    size_t found = 0;
    for (size_t m = table->metric_count; m < table->figure_count; m++)
        figures[m] = (struct summary){ 0, NAN, NAN, NAN, interval_none };
    for (size_t m = 0; m < table->metric_count; m++) {
        for (size_t i = 0; i < count; i++)
            values[i] = table->values[(size_t)(member[i] - table->row) *
                                          table->metric_count +
                                      m];
        figures[m] = summary_make(values, count);
    }
    for (size_t i = 0; i < count; i++)
        found += select_agents(&runs[member[i]->run], member[i]->method,
                               agents + found);
    if (!found)
        return;
    struct results results;
    results_make(&results, agents, found, agents[0]->run, limit);
    describe_group(table, &results, figures);
    keep_times(&results, &table->times[group]);
}

static void make_groups(struct sweep_table *table, const struct measured *runs)
{
    size_t most = 0;
    find_groups(table);
    if (table->group_count == 0)
        return;
    for (size_t g = 0; g < table->group_count; g++) {
        const size_t *first = &table->group_first[g];
        most = first[1] - first[0] > most ? first[1] - first[0] : most;
    }
    const struct measured_agent **agents =
        need_memory(most, (most_agents(runs, table->sweep->grid.runs) + 1) *
                              sizeof *agents);
    double *values = need_memory(most, sizeof *values);
    const double limit = least_limit(table, runs);
    table->summaries = need_memory(
        table->group_count, table->figure_count * sizeof *table->summaries);
    table->times = need_memory(table->group_count, sizeof *table->times);
    for (size_t g = 0; g < table->group_count; g++)
        summarize(table, g, runs, limit, agents, values);
    memory_release(agents);
    memory_release(values);
}

enum status sweep_table_make(struct sweep *sweep, struct sweep_table *table,
                             struct error *error)
{
    enum status status = STATUS_OK;
    *table = (struct sweep_table){ .sweep = sweep,
                                   .seed_axis = find_seed(&sweep->grid) };
    table->metric_count = sweep_metrics(table->metrics);
    table->figure_count = table->metric_count + SWEEP_MORE;
    struct measured *runs = need_memory(sweep->grid.runs, sizeof *runs);
    bool *done = need_memory(sweep->grid.runs, sizeof *done);
    for (size_t i = 0; i < sweep->grid.runs && !sweep_stopped(sweep, 0); i++)
        done[i] = measure(sweep, &sweep->runs[i], &runs[i]);
    if (!sweep->stopped) {
        collect_methods(table, runs);
        status = order_methods(table, error);
    }
    if (!sweep->stopped && !status) {
        fill_values(table, runs, done);
        make_groups(table, runs);
        columns_make(table);
    }
    for (size_t i = 0; i < sweep->grid.runs; i++)
        measured_release(&runs[i]);
    memory_release(runs);
    memory_release(done);
    return status;
}

void sweep_table_release(struct sweep_table *table)
{
    memory_release(table->methods);
    memory_release(table->row);
    memory_release(table->members);
    memory_release(table->group_first);
    memory_release(table->values);
    memory_release(table->summaries);
    memory_release(table->times);
    columns_release(table);
    *table = (struct sweep_table){ 0 };
}
