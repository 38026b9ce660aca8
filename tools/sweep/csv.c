/* SPDX-License-Identifier: MIT */
/* The tables of a sweep: of runs, long, over seeds. The same rows are written
 * to the folder as CSV and printed in any format; those for programs have the
 * unit and the seeds in columns of their own. */
#include "tools/sweep/sweep.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/output.h"

#include <math.h>
#include <string.h>

static const struct table_column of_number[] = {
    { "value", .meaning = "its value" },
};
static const struct table_column over_seeds[] = {
    { "n", .meaning = "number of values" },
    { "estimate", -1,
      .meaning = "the statistic over the runs that differ only in the seed" },
    { "lower_quartile", -1, "quartiles", .detail = true,
      .meaning = "lower quartile over these runs" },
    { "upper_quartile", -1, .meaning = "upper quartile over these runs" },
    { "low_95", -1, "95 %", true,
      .meaning = "lower end of the 95 % interval, of 5 values or more: of "
                 "medians by bootstrap; of rates Wilson's, of 10 or more" },
    { "high_95", -1, .meaning = "upper end of this interval" },
    { "least", -1, .meaning = "smallest of 2 to 4 values" },
    { "largest", -1, .meaning = "largest of 2 to 4 values" },
};
enum { OVER_SEEDS = sizeof over_seeds / sizeof *over_seeds };

static void describe(const char *name, const char *help, const char *unit,
                     FILE *out)
{
    char text[256];
    snprintf(text, sizeof text, strcmp(unit, "1") ? "%s (%s)" : "%s", help,
             unit);
    table_describe(name, text, out);
}

void sweep_describe_columns(FILE *out)
{
    const struct result *metrics[RESULTS_MOST];
    const size_t count = sweep_metrics(metrics);
    fputs("table.csv (table.h5 describes its own columns):\n", out);
    table_describe("run", "folder of the run", out);
    table_describe("state", "done, failed or stopped", out);
    table_describe("KEY",
                   "value of each key of --vary, --zip and --set; "
                   "set.KEY if a metric has this name",
                   out);
    table_describe("method", "method of the row's agents; with --teams: team",
                   out);
    for (size_t m = 0; m < count; m++)
        describe(metrics[m]->name, metrics[m]->meaning, metrics[m]->unit, out);
    fputs("\nlong.csv has the first columns of table.csv, and:\n", out);
    table_describe("metric", "one of the metrics above", out);
    table_describe("unit", "its unit; 1: none", out);
    table_describe_columns(of_number, 1, out);
    fputs("\nover-seeds.csv and --table with a varied seed have KEY, method, "
          "and:\n",
          out);
    table_describe("metric", "a metric as above, or one of those below", out);
    table_describe("statistic", "what estimate is: median, rate or mean", out);
    table_describe("unit", "unit of the metric; 1: none", out);
    table_describe("seeds", "the seeds of the runs with a value", out);
    table_describe_columns(over_seeds, OVER_SEEDS, out);
    fputs("Their metrics are those above, and:\n", out);
    for (size_t i = 0; i < SWEEP_MORE; i++)
        describe(sweep_more[i].name, sweep_more[i].help, sweep_more[i].unit,
                 out);
}

/* ---- one of the tables ---- */

enum kind {
    RUNS,  /* table.csv: a row for each run and method */
    DONE,  /* printed: the same of the runs that are done */
    LONG,  /* long.csv: a row for each number */
    SEEDS, /* over-seeds.csv: a row for each group and metric */
    READ,  /* printed for people: units with the metrics, no seeds */
};

struct making {
    const struct sweep_table *table;
    enum kind kind;
    const char **names, **texts; /* of the columns of text */
    size_t count;
    struct table out;
};

static void put(struct making *making, const char *name, const char *text)
{
    making->names[making->count] = name;
    making->texts[making->count++] = text;
}

/* The texts of a row; those behind the method only if the kind has them. */
static void put_texts(struct making *making, size_t row, const char *metric,
                      const char *statistic, const char *unit,
                      const char *seeds)
{
    const struct sweep_table *table = making->table;
    const enum kind kind = making->kind;
    const bool groups = kind == SEEDS || kind == READ;
    size_t run = sweep_row_run(table, row);
    const struct sweep_run *its = &table->sweep->runs[run];
    making->count = 0;
    if (kind == RUNS || kind == LONG) {
        put(making, "run", its->name);
        put(making, "state", sweep_state_names[its->state]);
    }
    for (size_t c = 0; c < table->column_count; c++)
        if (!groups || !sweep_pooled(table, table->columns[c].axis))
            put(making, table->columns[c].name, table->columns[c].texts[run]);
    put(making, sweep_method_name(table), table->row[row].method);
    if (kind == LONG || groups)
        put(making, "metric", metric);
    if (groups)
        put(making, "statistic", statistic);
    if (kind == LONG || kind == SEEDS)
        put(making, "unit", unit);
    if (kind == SEEDS)
        put(making, "seeds", seeds);
}

static void add_run(struct making *making, size_t row)
{
    const struct sweep_table *table = making->table;
    const double *values = &table->values[row * table->metric_count];
    if (making->kind != LONG) {
        put_texts(making, row, NULL, NULL, NULL, NULL);
        table_add_texts(&making->out, making->texts, values);
        return;
    }
    for (size_t m = 0; m < table->metric_count; m++) {
        if (isnan(values[m]))
            continue;
        put_texts(making, row, table->metrics[m]->name, NULL,
                  table->metrics[m]->unit, NULL);
        table_add_texts(&making->out, making->texts, &values[m]);
    }
}

/* The seeds of the runs with a number (for figures that are no metric: of all),
 * separated by blanks; from need_memory. */
static char *seeds_of(const struct sweep_table *table, size_t group,
                      size_t figure)
{
    char *seeds = need_text("");
    const size_t first = table->group_first[group];
    const bool varied = table->seed_axis < table->sweep->grid.axis_count;
    for (size_t i = 0; varied && first + i < table->group_first[group + 1];
         i++) {
        size_t row = sweep_member(table, group, i);
        if (figure < table->metric_count &&
            !isfinite(table->values[row * table->metric_count + figure]))
            continue;
        char *more = need_format("%s%s%s", seeds, *seeds ? " " : "",
                                 sweep_value(&table->sweep->grid,
                                             sweep_row_run(table, row),
                                             table->seed_axis));
        memory_release(seeds);
        seeds = more;
    }
    return seeds;
}

static void add_figure(struct making *making, size_t group, size_t number)
{
    const struct summary *s =
        &making->table->summaries[group * making->table->figure_count + number];
    const struct sweep_figure figure = sweep_figure(making->table, number);
    const double numbers[OVER_SEEDS] = {
        (double)s->n,      s->median,           s->lower_quartile,
        s->upper_quartile, s->interval.low,     s->interval.high,
        s->interval.least, s->interval.largest,
    };
    const bool unit = making->kind == READ && strcmp(figure.unit, "1") != 0;
    char metric[128];
    if (s->n == 0)
        return;
    char *seeds = seeds_of(making->table, group, number);
    snprintf(metric, sizeof metric, unit ? "%s (%s)" : "%s", figure.name,
             figure.unit);
    put_texts(making, sweep_member(making->table, group, 0), metric,
              figure.statistic, figure.unit, seeds);
    table_add_texts(&making->out, making->texts, numbers);
    memory_release(seeds);
}

static void add_all(struct making *making)
{
    const struct sweep_table *table = making->table;
    const bool groups = making->kind == SEEDS || making->kind == READ;
    size_t figures = groups ? table->group_count * table->figure_count : 0;
    size_t rows = groups ? 0 : table->rows;
    for (size_t i = 0; i < figures; i++)
        add_figure(making, i / table->figure_count, i % table->figure_count);
    for (size_t i = 0; i < rows; i++)
        if (making->kind != DONE ||
            table->sweep->runs[sweep_row_run(table, i)].state == SWEEP_DONE)
            add_run(making, i);
}

static void put_table(const struct sweep_table *table, enum kind kind,
                      enum table_format format, FILE *file)
{
    enum { OTHER_TEXTS = 7 };
    const size_t texts = table->column_count + OTHER_TEXTS;
    struct table_column all[RESULTS_MOST];
    struct making making = { .table = table, .kind = kind };
    making.names = need_memory(texts, sizeof *making.names);
    making.texts = need_memory(texts, sizeof *making.texts);
    for (size_t m = 0; m < table->metric_count; m++)
        all[m] = (struct table_column){ table->metrics[m]->name, .digits = -1 };
    put_texts(&making, 0, NULL, NULL, NULL, NULL);
    if (kind == RUNS || kind == DONE)
        table_init_texts(&making.out, making.names, making.count, all,
                         table->metric_count);
    else if (kind == LONG)
        table_init_texts(&making.out, making.names, making.count, of_number, 1);
    else
        table_init_texts(&making.out, making.names, making.count, over_seeds,
                         OVER_SEEDS);
    add_all(&making);
    table_print(&making.out, format, file);
    table_release(&making.out);
    memory_release(making.names);
    memory_release(making.texts);
}

enum status sweep_print(const struct sweep_table *table,
                        enum table_format format, FILE *file,
                        struct error *error)
{
    const bool exact = format == TABLE_CSV || format == TABLE_JSON;
    enum kind kind = !sweep_pools_seeds(table) ? DONE : exact ? SEEDS : READ;
    put_table(table, kind, format, file);
    table_hint(format);
    return cli_flush(error);
}

static enum status write(const struct sweep_table *table, const char *name,
                         enum kind kind, struct error *error)
{
    struct output output;
    char *path = sweep_path(table->sweep->folder, name);
    enum status status = output_open(&output, path, true, error);
    if (!status) {
        put_table(table, kind, TABLE_CSV, output.file);
        status = output_commit(&output, error);
    }
    memory_release(path);
    return status;
}

enum status sweep_write_csv(const struct sweep_table *table,
                            struct error *error)
{
    enum status status = write(table, "table.csv", RUNS, error);
    if (!status)
        status = write(table, "long.csv", LONG, error);
    if (!status && sweep_pools_seeds(table))
        status = write(table, "over-seeds.csv", SEEDS, error);
    return status;
}
