/* SPDX-License-Identifier: MIT */
/* The table as CSV (RFC 4180, lines ending in \n). */
#include "tools/sweep/sweep.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/real.h"

#include <math.h>
#include <string.h>

/* Nothing where there is no number. */
static void put_number(FILE *out, double value)
{
    putc(',', out);
    if (isfinite(value))
        fputs(REAL_TEXT(value), out);
    else if (isinf(value))
        fputs("inf", out);
}

static void put_runs(const struct sweep_table *table, FILE *out)
{
    const struct sweep *sweep = table->sweep;
    fputs("run,state", out);
    for (size_t c = 0; c < table->column_count; c++) {
        putc(',', out);
        csv_text(out, table->columns[c].name);
    }
    fputs(",method", out);
    for (int m = 0; m < METRICS; m++)
        fprintf(out, ",%s", metrics[m].name);
    putc('\n', out);
    for (size_t i = 0; i < table->rows; i++) {
        size_t run = sweep_row_run(table, i);
        csv_text(out, sweep->runs[run].name);
        fputs(sweep->runs[run].state == SWEEP_DONE ? ",done" : ",failed", out);
        for (size_t c = 0; c < table->column_count; c++) {
            putc(',', out);
            csv_text(out, table->columns[c].texts[run]);
        }
        fprintf(out, ",%s", sweep_row_method(table, i));
        for (int m = 0; m < METRICS; m++)
            put_number(out, table->values[i * METRICS + (size_t)m]);
        putc('\n', out);
    }
}

/* The keys but the seed, in a line's first columns; those of `run`, or their
 * names where `names`. */
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

/* The seeds whose run has a number, with blanks between. */
static void put_seeds(const struct sweep_table *table, size_t group,
                      size_t metric, FILE *out)
{
    const char *gap = ",";
    for (size_t s = 0; s < table->seeds; s++) {
        size_t row = sweep_group_row(table, group, s);
        if (!isfinite(table->values[row * METRICS + metric]))
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
    fputs("method,metric,unit,n,median,lower_quartile,upper_quartile,low_95,"
          "high_95,"
          "seeds\n",
          out);
    for (size_t i = 0; i < table->group_count * METRICS; i++) {
        size_t group = i / METRICS, metric = i % METRICS;
        const struct summary *summary = &table->summaries[i];
        size_t row = sweep_group_row(table, group, 0);
        put_keys(table, false, sweep_row_run(table, row), out);
        fprintf(out, "%s,%s,%s,%zu", sweep_row_method(table, row),
                metrics[metric].name, metrics[metric].unit, summary->n);
        const double numbers[] = { summary->median, summary->lower_quartile,
                                   summary->upper_quartile, summary->low,
                                   summary->high };
        for (int n = 0; n < 5; n++)
            put_number(out, numbers[n]);
        put_seeds(table, group, metric, out);
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
    if (!status && table->group_count)
        status = write(table, "over-seeds.csv", put_groups, error);
    return status;
}
