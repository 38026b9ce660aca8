/* SPDX-License-Identifier: MIT */
#include "compare_table.h"

#include "base/memory.h"
#include "compare_quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(const struct outcome *outcome, const struct table_row *row)
{
    return strcmp(outcome->method, row->method) == 0 &&
           strcmp(outcome->group, row->group) == 0;
}

/* ---- who is paired with whom ---- */

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

static enum status partners_find(const struct outcomes *outcomes,
                                 struct partners *partners, struct error *error)
{
    partners->count = 0;
    partners->lee = memory_new(outcomes->count, sizeof *partners->lee);
    if (!partners->lee)
        return error_memory(error);
    for (size_t i = 0; i < outcomes->count; i++)
        if (strcmp(outcomes->items[i].method, "lee") == 0 &&
            outcomes->items[i].capture > 0)
            partners->lee[partners->count++] = &outcomes->items[i];
    qsort(partners->lee, partners->count, sizeof *partners->lee, by_problem);
    return STATUS_OK;
}

/* Steps over those of its partner, or NAN. */
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

static const struct table_heading headings[FIGURES] = {
    [FIGURE_AGENTS] = { "agents", "", "agents", "agents", 0 },
    [FIGURE_CAPTURED] = { "captured", "", "captured", "captured", 0 },
    [FIGURE_RATE] = { "rate", "", "capture rate", "capture_rate", 2 },
    [FIGURE_STEPS_Q1] = { "steps q1", "steps", "steps q1", "steps_q1", 0 },
    [FIGURE_STEPS] = { "median", "steps", "steps median", "steps_median", 0 },
    [FIGURE_STEPS_Q3] = { "q3", "steps", "steps q3", "steps_q3", 0 },
    [FIGURE_STEPS_P95] = { "p95", "steps", "steps p95", "steps_p95", 0 },
    [FIGURE_LENGTH] = { "path median", "cells", "path median (cells)",
                        "path_cells_median", 1 },
    [FIGURE_TURNS] = { "turns", "median", "turns median", "turns_median", 0 },
    [FIGURE_RATIO_Q1] = { "vs/d q1", "", "vs/d q1", "capture_ratio_q1", 3 },
    [FIGURE_RATIO] = { "median", "", "vs/d median", "capture_ratio_median", 3 },
    [FIGURE_RATIO_Q3] = { "q3", "", "vs/d q3", "capture_ratio_q3", 3 },
    [FIGURE_MARCHED_Q1] = { "vs/fmf q1", "", "vs/fmf q1", "marching_ratio_q1",
                            3 },
    [FIGURE_MARCHED] = { "median", "", "vs/fmf median", "marching_ratio_median",
                         3 },
    [FIGURE_MARCHED_Q3] = { "q3", "", "vs/fmf q3", "marching_ratio_q3", 3 },
    [FIGURE_PAIRS] = { "pairs", "", "pairs", "pairs", 0 },
    [FIGURE_LEE_Q1] = { "/lee q1", "", "/lee q1", "over_lee_q1", 3 },
    [FIGURE_LEE] = { "median", "", "/lee median", "over_lee_median", 3 },
    [FIGURE_LEE_Q3] = { "q3", "", "/lee q3", "over_lee_q3", 3 },
    [FIGURE_UPDATES] = { "updates", "median", "updates median",
                         "updates_median", 0 },
    [FIGURE_EXPANSIONS] = { "expanded", "median/plan",
                            "expanded, median (cells/plan)",
                            "expansions_median", 0 },
    [FIGURE_NANOSECONDS] = { "time median", "ns/plan", "time median (ns/plan)",
                             "plan_ns_median", 0 },
    [FIGURE_STEP_NANOSECONDS] = { "time median", "ns/step",
                                  "time median (ns/step)", "step_ns_median",
                                  0 },
};

enum column {
    COLUMN_STEPS,
    COLUMN_LENGTH,
    COLUMN_TURNS,
    COLUMN_RATIO,
    COLUMN_MARCHED,
    COLUMN_LEE,
    COLUMN_UPDATES,
    COLUMN_EXPANSIONS,
    COLUMN_NANOSECONDS,
    COLUMN_STEP_NANOSECONDS,
    COLUMNS
};

/* v·steps over a way; a start on the target's has none. */
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
    case COLUMNS:
        break;
    }
    return NAN;
}

/* The values of a column in a row, NANs left out, sorted; how many. */
static size_t gather(const struct outcomes *outcomes,
                     const struct partners *partners,
                     const struct table_row *row, enum column column,
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
    quantile_sort(values, count, 0);
    return count;
}

static void fill_row(const struct outcomes *outcomes,
                     const struct partners *partners, struct table_row *row,
                     double *values)
{
    static const struct {
        enum column column;
        enum figure figure;
        double p;
    } cells[] = {
        { COLUMN_STEPS, FIGURE_STEPS_Q1, .25 },
        { COLUMN_STEPS, FIGURE_STEPS, .5 },
        { COLUMN_STEPS, FIGURE_STEPS_Q3, .75 },
        { COLUMN_STEPS, FIGURE_STEPS_P95, .95 },
        { COLUMN_LENGTH, FIGURE_LENGTH, .5 },
        { COLUMN_TURNS, FIGURE_TURNS, .5 },
        { COLUMN_RATIO, FIGURE_RATIO_Q1, .25 },
        { COLUMN_RATIO, FIGURE_RATIO, .5 },
        { COLUMN_RATIO, FIGURE_RATIO_Q3, .75 },
        { COLUMN_MARCHED, FIGURE_MARCHED_Q1, .25 },
        { COLUMN_MARCHED, FIGURE_MARCHED, .5 },
        { COLUMN_MARCHED, FIGURE_MARCHED_Q3, .75 },
        { COLUMN_LEE, FIGURE_LEE_Q1, .25 },
        { COLUMN_LEE, FIGURE_LEE, .5 },
        { COLUMN_LEE, FIGURE_LEE_Q3, .75 },
        { COLUMN_UPDATES, FIGURE_UPDATES, .5 },
        { COLUMN_EXPANSIONS, FIGURE_EXPANSIONS, .5 },
        { COLUMN_NANOSECONDS, FIGURE_NANOSECONDS, .5 },
        { COLUMN_STEP_NANOSECONDS, FIGURE_STEP_NANOSECONDS, .5 },
    };
    double agents = 0, captured = 0;
    for (size_t i = 0; i < outcomes->count; i++) {
        agents += is_of(&outcomes->items[i], row);
        captured +=
            is_of(&outcomes->items[i], row) && outcomes->items[i].capture >= 0;
    }
    row->figure[FIGURE_AGENTS] = agents;
    row->figure[FIGURE_CAPTURED] = captured;
    row->figure[FIGURE_RATE] = captured / agents;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        size_t count = gather(outcomes, partners, row, cells[i].column, values);
        row->figure[cells[i].figure] = quantile(values, count, cells[i].p);
        if (cells[i].column == COLUMN_LEE)
            row->figure[FIGURE_PAIRS] = count ? (double)count : NAN;
    }
}

static struct table_row *row_for(struct table *table,
                                 const struct outcome *outcome)
{
    for (size_t i = 0; i < table->count; i++)
        if (is_of(outcome, &table->rows[i]))
            return &table->rows[i];
    struct table_row *row = &table->rows[table->count++];
    memcpy(row->method, outcome->method, sizeof row->method);
    memcpy(row->group, outcome->group, sizeof row->group);
    return row;
}

enum status table_make(const struct outcomes *outcomes, struct table *table,
                       struct error *error)
{
    struct partners partners = { NULL, 0 };
    double *values = memory_new(outcomes->count, sizeof *values);
    table->headings = headings;
    table->figures = FIGURES;
    table->count = 0;
    table->rows = memory_new(outcomes->count, sizeof *table->rows);
    enum status status =
        values && table->rows ? STATUS_OK : error_memory(error);
    if (!status)
        status = partners_find(outcomes, &partners, error);
    for (size_t i = 0; i < outcomes->count && !status; i++)
        row_for(table, &outcomes->items[i]);
    for (size_t i = 0; i < table->count && !status; i++)
        fill_row(outcomes, &partners, &table->rows[i], values);
    memory_release(values);
    memory_release(partners.lee);
    return status;
}

void table_release(struct table *table)
{
    memory_release(table->rows);
    table->rows = NULL;
}
