/* SPDX-License-Identifier: MIT */
/* The table as CSV (RFC 4180, lines ending in \n). */
#include "tools/sweep/sweep.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/real.h"

#include <math.h>
#include <string.h>

/* Empty if there is not a number. */
static void put_number(FILE *out, double value)
{
    putc(',', out);
    if (isfinite(value))
        fputs(REAL_TEXT(value), out);
    else if (isinf(value))
        fputs("inf", out);
}

static const struct table_column head[] = {
    { "run", .meaning = "folder of the run" },
    { "state", .meaning = "done, failed or stopped" },
};
static const struct table_column of_number[] = {
    { "metric", .meaning = "one of the metrics above" },
    { "unit", .meaning = "its unit; 1: none" },
    { "value", .meaning = "its value" },
};
static const struct table_column over_seeds[] = {
    { "metric", .meaning = "a metric as above, or one of those below" },
    { "statistic", .meaning = "what estimate is: median, rate or mean" },
    { "unit", .meaning = "unit of the metric; 1: none" },
    { "n", .meaning = "number of values" },
    { "estimate", .meaning = "the statistic over the runs that differ only in "
                             "the seed" },
    { "lower_quartile", .meaning = "lower quartile over these runs" },
    { "upper_quartile", .meaning = "upper quartile over these runs" },
    { "low_95", .meaning = "lower end of the 95 % interval: of medians by "
                           "bootstrap, of rates Wilson's" },
    { "high_95", .meaning = "upper end of this interval" },
    { "seeds", .meaning = "the seeds of the runs with a value" },
};
enum {
    HEAD = sizeof head / sizeof *head,
    OF_NUMBER = sizeof of_number / sizeof *of_number,
    OVER_SEEDS = sizeof over_seeds / sizeof *over_seeds
};

static void describe_metrics(int from, FILE *out)
{
    for (size_t i = (size_t)from; i < (from ? SWEEP_FIGURES : METRICS); i++) {
        const struct sweep_figure figure = sweep_figure(i);
        char text[256];
        snprintf(text, sizeof text, strcmp(figure.unit, "1") ? "%s (%s)" : "%s",
                 figure.help, figure.unit);
        table_describe(figure.name, text, out);
    }
}

void sweep_describe_columns(FILE *out)
{
    fputs("table.csv (table.h5 describes its own columns):\n", out);
    table_describe_columns(head, HEAD, out);
    table_describe("KEY",
                   "value of each key of --vary, --zip and --set; "
                   "set.KEY if a metric has this name",
                   out);
    table_describe("method", "method of the row's agents; with --teams: team",
                   out);
    describe_metrics(0, out);
    fputs("\nlong.csv has the first columns of table.csv, and:\n", out);
    table_describe_columns(of_number, OF_NUMBER, out);
    fputs("\nover-seeds.csv and --table with a varied seed have KEY, method, "
          "and:\n",
          out);
    table_describe_columns(over_seeds, OVER_SEEDS, out);
    fputs("Their metrics are those above, and:\n", out);
    describe_metrics(METRICS, out);
}

/* Names of the first columns, which identify a row. */
static void put_head(const struct sweep_table *table, FILE *out)
{
    for (size_t i = 0; i < HEAD; i++)
        fprintf(out, "%s%s", i ? "," : "", head[i].name);
    for (size_t c = 0; c < table->column_count; c++) {
        putc(',', out);
        csv_text(out, table->columns[c].name);
    }
    fprintf(out, ",%s", sweep_method_name(table));
}

static void put_row_head(const struct sweep_table *table, size_t row, FILE *out)
{
    size_t run = sweep_row_run(table, row);
    const struct sweep_run *its = &table->sweep->runs[run];
    csv_text(out, its->name);
    fprintf(out, ",%s", sweep_state_names[its->state]);
    for (size_t c = 0; c < table->column_count; c++) {
        putc(',', out);
        csv_text(out, table->columns[c].texts[run]);
    }
    putc(',', out);
    csv_text(out, table->row[row].method);
}

static void put_runs(const struct sweep_table *table, FILE *out)
{
    put_head(table, out);
    for (int m = 0; m < METRICS; m++)
        fprintf(out, ",%s", metrics[m].name);
    putc('\n', out);
    for (size_t i = 0; i < table->rows; i++) {
        put_row_head(table, i, out);
        for (int m = 0; m < METRICS; m++)
            put_number(out, table->values[i * METRICS + (size_t)m]);
        putc('\n', out);
    }
}

/* A row for each existing number. */
static void put_long(const struct sweep_table *table, FILE *out)
{
    put_head(table, out);
    putc(',', out);
    table_print_names(of_number, OF_NUMBER, out);
    for (size_t i = 0; i < table->rows * METRICS; i++) {
        if (isnan(table->values[i]))
            continue;
        put_row_head(table, i / METRICS, out);
        fprintf(out, ",%s,%s", metrics[i % METRICS].name,
                metrics[i % METRICS].unit);
        put_number(out, table->values[i]);
        putc('\n', out);
    }
}

/* The keys except the seed, in a line's first columns: their values in `run`,
 * or their names if `names`. */
static void put_keys(const struct sweep_table *table, bool names, size_t run,
                     FILE *out)
{
    for (size_t c = 0; c < table->column_count; c++) {
        const struct sweep_column *column = &table->columns[c];
        if (column->axis == table->seed_axis)
            continue;
        csv_text(out, names ? column->name : column->texts[run]);
        putc(',', out);
    }
}

/* The seeds of the runs with a number (for figures that are no metric: of all),
 * separated by blanks. */
static void put_seeds(const struct sweep_table *table, size_t group,
                      size_t figure, FILE *out)
{
    const char *gap = ",";
    size_t first = table->group_first[group];
    for (size_t i = 0; first + i < table->group_first[group + 1]; i++) {
        size_t row = sweep_member(table, group, i);
        if (figure < METRICS &&
            !isfinite(table->values[row * METRICS + figure]))
            continue;
        fprintf(out, "%s%s", gap,
                sweep_value(&table->sweep->grid, sweep_row_run(table, row),
                            table->seed_axis));
        gap = " ";
    }
    if (*gap == ',')
        putc(',', out);
}

static void put_groups(const struct sweep_table *table, FILE *out)
{
    put_keys(table, true, 0, out);
    fprintf(out, "%s,", sweep_method_name(table));
    table_print_names(over_seeds, OVER_SEEDS, out);
    for (size_t i = 0; i < table->group_count * SWEEP_FIGURES; i++) {
        size_t group = i / SWEEP_FIGURES, number = i % SWEEP_FIGURES;
        const struct summary *summary = &table->summaries[i];
        const struct sweep_figure figure = sweep_figure(number);
        size_t row = sweep_member(table, group, 0);
        if (summary->n == 0)
            continue;
        put_keys(table, false, sweep_row_run(table, row), out);
        csv_text(out, table->row[row].method);
        fprintf(out, ",%s,%s,%s,%zu", figure.name, figure.statistic,
                figure.unit, summary->n);
        const double numbers[] = { summary->median, summary->lower_quartile,
                                   summary->upper_quartile, summary->low,
                                   summary->high };
        for (int n = 0; n < 5; n++)
            put_number(out, numbers[n]);
        put_seeds(table, group, number, out);
        putc('\n', out);
    }
}

static enum status write(const struct sweep_table *table, const char *name,
                         void (*put)(const struct sweep_table *, FILE *),
                         struct error *error)
{
    struct output output;
    char *path = sweep_path(table->sweep->folder, name);
    if (!path)
        return error_memory(error);
    enum status status = output_open(&output, path, true, error);
    if (!status) {
        put(table, output.file);
        status = output_commit(&output, error);
    }
    memory_release(path);
    return status;
}

enum status sweep_write_csv(const struct sweep_table *table,
                            struct error *error)
{
    enum status status = write(table, "table.csv", put_runs, error);
    if (!status)
        status = write(table, "long.csv", put_long, error);
    if (!status && table->group_count)
        status = write(table, "over-seeds.csv", put_groups, error);
    return status;
}
