/* SPDX-License-Identifier: MIT */
/* The table: a row for each method and group. It is printed by cli/table.h. */
#include "analysis/compare/table.h"

#include "base/memory.h"
#include "base/natural.h"
#include "base/need.h"

#include <math.h>
#include <string.h>

/* ---- columns ---- */

static char *name_of(const struct result *result, int end)
{
    const char *stem = end && result->stem ? result->stem : result->name;
    return need_format("%s%s", stem, ends_names[end]);
}

void compared_describe(const struct result *results, size_t count, FILE *out)
{
    static const char *const ends[] = {
        "",
        ("lower end of its 95 % interval, of 5 values or more; no value if too "
         "few captured. In text: 95 % or range"),
        "upper end of this interval",
        "smallest of 2 to 4 values; no value if it is not of a capture",
        "largest of 2 to 4 values; no value if it is not of a capture"
    };
    for (size_t i = 0; i < count; i++) {
        const struct result *result = &results[i];
        for (int end = 0; end <= (int)result->ends && !result->only_swept;
             end++) {
            bool unit = result->unit && strcmp(result->unit, "1") != 0;
            char *name = name_of(result, end);
            char *text =
                end ? need_text(ends[end])
                    : need_format("%s%s%s%s. In text: %s", result->meaning,
                                  unit ? " (" : "", unit ? result->unit : "",
                                  unit ? ")" : "", result->heading);
            table_describe(name, text, out);
            memory_release(name);
            memory_release(text);
        }
    }
}

void compared_init(struct compared *table, const struct result *results,
                   size_t count)
{
    static const char *const ends[] = { "", ", 95 % low", ", 95 % high",
                                        ", least", ", largest" };
    for (size_t i = 0; i < count; i++)
        for (int end = 0; end <= (int)results[i].ends && !results[i].only_swept;
             end++)
            table->columns[table->column_count++] = (struct compared_column){
                .result = &results[i],
                .end = end,
                .name = name_of(&results[i], end),
                .heading = need_format("%s%s", results[i].heading, ends[end]),
            };
}

void compared_release(struct compared *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        memory_release(table->columns[i].name);
        memory_release(table->columns[i].heading);
    }
    memory_release(table->rows);
    *table = (struct compared){ 0 };
}

/* ---- rows ---- */

struct compared_row *compared_add(struct compared *table, const char *method,
                                  const char *group)
{
    table->rows =
        need_more(table->rows, table->count, &table->room, sizeof *table->rows);
    struct compared_row *row = &table->rows[table->count++];
    snprintf(row->method, sizeof row->method, "%s", method);
    snprintf(row->group, sizeof row->group, "%s", group);
    row->values = NULL;
    return row;
}

void compared_take(struct compared *table, size_t row, const void *of,
                   const void *items, size_t count, size_t size)
{
    for (size_t c = 0; c < table->column_count; c++)
        if (!table->columns[c].end)
            results_take(table->columns[c].result, of, items, count, size,
                         &table->rows[row].figure[c]);
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
void compared_name(const struct outcomes *outcomes, struct compared *table)
{
    compared_init(table, results_columns, results_column_count);
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        size_t known = 0;
        while (
            known < table->count &&
            !(strcmp(table->rows[known].method, outcome->agent->method) == 0 &&
              strcmp(table->rows[known].group, outcome->group) == 0))
            known++;
        if (known == table->count)
            compared_add(table, outcome->agent->method, outcome->group)
                ->values = (const char *const *)outcome->values;
    }
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

void compared_rows(const struct compared *table, struct labels_rows *rows)
{
    *rows = (struct labels_rows){ need_memory(table->count, sizeof *rows->row),
                                  table->count, table->keys, table->key_count };
    for (size_t r = 0; r < table->count; r++) {
        const struct compared_row *row = &table->rows[r];
        rows->row[r] =
            (struct labels_row){ row->method, row->group, row->values };
    }
}

static void move_rows(struct compared *table, const size_t *places)
{
    struct compared_row *rows = need_memory(table->room, sizeof *rows);
    for (size_t r = 0; r < table->count; r++)
        rows[r] = table->rows[places[r]];
    memory_release(table->rows);
    table->rows = rows;
}

/* In the order of the table's rows. */
static void move_outcomes(const struct compared *table,
                          struct outcomes *outcomes)
{
    struct outcome *items = need_memory(outcomes->count, sizeof *items);
    size_t count = 0;
    for (size_t r = 0; r < table->count; r++) {
        const struct compared_row *row = &table->rows[r];
        const struct who who = { row->method, row->group, NULL };
        for (size_t i = 0; i < outcomes->count; i++)
            if (who_has(&who, &outcomes->items[i]))
                items[count++] = outcomes->items[i];
    }
    memory_release(outcomes->items);
    outcomes->items = items;
    outcomes->room = count;
}

enum status compared_arrange(struct compared *table, const char *const *names,
                             size_t count, struct outcomes *outcomes,
                             struct error *error)
{
    struct labels_rows rows;
    size_t *places = need_memory(table->count, sizeof *places);
    compared_rows(table, &rows);
    enum status status = labels_order(&rows, names, count, places, error);
    if (!status) {
        move_rows(table, places);
        move_outcomes(table, outcomes);
    }
    memory_release(rows.row);
    memory_release(places);
    return status;
}

void compared_fill(const struct outcomes *outcomes, struct compared *table)
{
    const struct measured_agent **agents =
        need_memory(outcomes->count, sizeof *agents);
    outcomes_pair(outcomes);
    for (size_t i = 0; i < table->count; i++) {
        struct compared_row *row = &table->rows[i];
        const struct who who = { row->method, row->group, NULL };
        const size_t count = outcomes_select(outcomes, &who, agents);
        struct results results;
        results_make(&results, agents, count, agents[0]->run, outcomes->limit);
        table->teams = table->teams || results.teams;
        for (size_t c = 0; c < table->column_count; c++)
            if (!table->columns[c].end)
                results_numbers(table->columns[c].result, &results,
                                &row->figure[c]);
    }
    memory_release(agents);
}

/* ---- formats ---- */

static bool is_plain(const struct compared *table, size_t column)
{
    const struct compared_column *of = &table->columns[column];
    if (of->end && of->result->alone && table->teams)
        return false;
    switch (of->result->shown) {
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
static bool is_shown(const struct compared *table, size_t column,
                     enum table_format format)
{
    if (table->columns[column].hidden)
        return false;
    if (format == TABLE_CSV || format == TABLE_JSON)
        return true;
    if (!table->chosen && !is_plain(table, column))
        return false;
    /* limits are shown with the figure to which they belong */
    column -= (size_t)table->columns[column].end;
    for (size_t i = 0; i < table->count; i++)
        if (!isnan(table->rows[i].figure[column]))
            return true;
    return false;
}

enum status compared_choose(struct compared *table, const char *names,
                            struct error *error)
{
    table->chosen = true;
    for (size_t c = 0; c < table->column_count; c++)
        table->columns[c].hidden = true;
    for (const char *at = names;;) {
        const size_t length = strcspn(at, ",");
        bool found = false;
        for (size_t c = 0; c < table->column_count; c++) {
            struct compared_column *column = &table->columns[c];
            if (strncmp(column->name, at, length) == 0 &&
                !column->name[length]) {
                column->hidden = false;
                found = true;
            }
        }
        if (!found)
            return error_set(error, STATUS_INPUT,
                             "--columns: there is no %.*s; --help columns "
                             "lists the names",
                             (int)length, at);
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

void compared_print(const struct compared *compared, enum table_format format,
                    FILE *out)
{
    char keys[GROUP_SIZE];
    const char *const names[] = { "method", keys };
    struct table_column columns[RESULTS_MOST];
    size_t figures[RESULTS_MOST]; /* of the columns */
    double numbers[RESULTS_MOST];
    size_t count = 0;
    struct table table;
    join_keys(compared, keys);
    for (size_t c = 0; c < compared->column_count; c++) {
        const struct compared_column *column = &compared->columns[c];
        if (!is_shown(compared, c, format))
            continue;
        /* Is the one before it, or the third before it, the lower end? */
        if (column->end == 2 && count && figures[count - 1] == c - 1)
            columns[count - 1].interval = "95 %";
        if (column->end == 4 && count > 2 && figures[count - 3] == c - 3)
            columns[count - 3].ranged = true;
        figures[count] = c;
        columns[count++] =
            (struct table_column){ column->name,
                                   .digits = column->result->digits,
                                   .heading = column->heading };
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
