/* SPDX-License-Identifier: MIT */
/* The table on standard output: with a varied seed each metric over the seeds,
 * with its intervals; else the runs. */
#include "tools/sweep/sweep.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct table_column over_seeds[] = {
    { "n", .digits = 0 },
    { "estimate", .digits = -1 },
    { "lower quartile", .digits = -1, .interval = "quartiles", .detail = true },
    { "upper quartile", .digits = -1 },
    { "95 % low", .digits = -1, .interval = "95 %" },
    { "95 % high", .digits = -1 },
};
enum { OVER_SEEDS = sizeof over_seeds / sizeof *over_seeds };

/* The texts of a row: the keys of --vary and --set, without the seed of a
 * group; then the method, the metric and the statistic. */
struct texts {
    const char **at; /* from memory_new */
    size_t count;
};

static bool is_shown(const struct sweep_table *table, size_t column)
{
    return !table->group_count ||
           table->columns[column].axis != table->seed_axis;
}

/* The names of the keys, or their values in a run. */
static void put_keys(const struct sweep_table *table, bool names, size_t run,
                     struct texts *texts)
{
    texts->count = 0;
    for (size_t c = 0; c < table->column_count; c++)
        if (is_shown(table, c))
            texts->at[texts->count++] =
                names ? table->columns[c].name : table->columns[c].texts[run];
}

static enum status add_groups(const struct sweep_table *table,
                              struct texts *texts, struct table *out,
                              struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < table->group_count * SWEEP_FIGURES && !status; i++) {
        const struct summary *summary = &table->summaries[i];
        const struct sweep_figure figure = sweep_figure(i % SWEEP_FIGURES);
        size_t row = sweep_member(table, i / SWEEP_FIGURES, 0);
        char metric[128];
        if (summary->n == 0)
            continue;
        snprintf(metric, sizeof metric,
                 strcmp(figure.unit, "1") ? "%s (%s)" : "%s", figure.name,
                 figure.unit);
        put_keys(table, false, sweep_row_run(table, row), texts);
        texts->at[texts->count++] = table->row[row].method;
        texts->at[texts->count++] = metric;
        texts->at[texts->count++] = figure.statistic;
        const double numbers[OVER_SEEDS] = {
            (double)summary->n,      summary->median, summary->lower_quartile,
            summary->upper_quartile, summary->low,    summary->high,
        };
        status = table_add_texts(out, texts->at, numbers, error);
    }
    return status;
}

static enum status add_runs(const struct sweep_table *table,
                            struct texts *texts, struct table *out,
                            struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < table->rows && !status; i++) {
        size_t run = sweep_row_run(table, i);
        if (table->sweep->runs[run].state != SWEEP_DONE)
            continue;
        put_keys(table, false, run, texts);
        texts->at[texts->count++] = table->row[i].method;
        status =
            table_add_texts(out, texts->at, &table->values[i * METRICS], error);
    }
    return status;
}

enum status sweep_print(const struct sweep_table *table,
                        enum table_format format, FILE *file,
                        struct error *error)
{
    struct table_column columns[METRICS];
    struct texts names = { memory_new(table->column_count + 3, sizeof(char *)),
                           0 };
    struct texts texts = { memory_new(table->column_count + 3, sizeof(char *)),
                           0 };
    bool groups = table->group_count > 0;
    struct table out = { 0 };
    enum status status = names.at && texts.at ? STATUS_OK : error_memory(error);
    for (int m = 0; m < METRICS; m++)
        columns[m] = (struct table_column){ metrics[m].name, .digits = -1 };
    if (!status) {
        put_keys(table, true, 0, &names);
        names.at[names.count++] = sweep_method_name(table);
        if (groups) {
            names.at[names.count++] = "metric";
            names.at[names.count++] = "statistic";
        }
        table_init_texts(&out, names.at, names.count,
                         groups ? over_seeds : columns,
                         groups ? OVER_SEEDS : METRICS);
        status = (groups ? add_groups : add_runs)(table, &texts, &out, error);
    }
    if (!status) {
        table_print(&out, format, file);
        table_hint(format);
    }
    table_release(&out);
    memory_release(names.at);
    memory_release(texts.at);
    return status ? status : cli_flush(error);
}
