/* SPDX-License-Identifier: MIT */
/* The table of a folder's runs: the columns that hamon-sweep's table has for
 * each run, a row for each run and each method of its agents. */
#include "tools/report/html.h"
#include "tools/report/report.h"

#include "base/memory.h"
#include "base/need.h"
#include "metrics/results.h"
#include "words/words.h"

#include <math.h>
#include <string.h>

enum { NUMBER_SIZE = 32 };

/* The agents of the row; NULL: there is no such row. */
static const char *take_row(const struct measured *run, size_t row,
                            const struct measured_agent **agents, size_t *count)
{
    const char *method = NULL;
    size_t rows = 0;
    for (size_t i = 0; i < run->agent_count && !method; i++) {
        size_t same = 0;
        while (strcmp(run->agents[same].method, run->agents[i].method) != 0)
            same++;
        if (same == i && rows++ == row)
            method = run->agents[i].method;
    }
    *count = 0;
    for (size_t i = 0; i < run->agent_count && method; i++)
        if (strcmp(run->agents[i].method, method) == 0)
            agents[(*count)++] = &run->agents[i];
    return method ? method : !run->agent_count && row == 0 ? "" : NULL;
}

/* `of`: the struct results of a row. */
static void put_numbers(FILE *out, const void *of)
{
    for (size_t i = 0; i < results_column_count; i++) {
        const struct result *column = &results_columns[i];
        double numbers[ESTIMATE_NUMBERS] = { NAN };
        char text[NUMBER_SIZE] = "\u2013";
        if (!column->label)
            continue;
        results_numbers(column, of, numbers);
        if (!isnan(numbers[0]) && column->digits < 0)
            snprintf(text, sizeof text, "%g", numbers[0]);
        else if (!isnan(numbers[0]))
            snprintf(text, sizeof text, "%.*f", column->digits, numbers[0]);
        REPORT_PART(out, "sweep-number", { .name = "number", .text = text });
    }
}

void report_sweep_columns(FILE *out, const void *of)
{
    (void)of;
    for (size_t i = 0; i < results_column_count; i++)
        if (results_columns[i].label)
            REPORT_PART(
                out, "sweep-column",
                { .name = "name", .text = _(results_columns[i].label) },
                { .name = "meaning", .text = results_columns[i].meaning });
}

static void put_rows(FILE *out, const struct report_run *run, size_t number)
{
    const struct measured *measured = &run->measured;
    const struct measured_agent **agents =
        need_memory(measured->agent_count + 1, sizeof *agents);
    const char *method;
    char text[NUMBER_SIZE];
    size_t count;
    snprintf(text, sizeof text, "%zu", number);
    for (size_t row = 0; (method = take_row(measured, row, agents, &count));
         row++) {
        struct results results;
        results_make(&results, agents, count, measured, measured->limit);
        REPORT_PART(
            out, "sweep-row", { .name = "number", .text = text },
            { .name = "name", .text = run->label },
            { .name = "method", .text = method },
            { .name = "numbers", .write = put_numbers, .of = &results });
    }
    memory_release(agents);
}

void report_sweep_rows(FILE *out, const void *of)
{
    const struct report_runs *all = of;
    for (size_t i = 0; i < all->count; i++)
        put_rows(out, &all->run[i], i + 1);
}
