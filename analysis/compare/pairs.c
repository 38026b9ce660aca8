/* SPDX-License-Identifier: MIT */
#include "analysis/compare/pairs.h"

#include "analysis/compare/times.h"
#include "base/memory.h"
#include "base/need.h"
#include "metrics/holm.h"
#include "metrics/paired.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct compared_heading headings[PAIRS_FIGURES] = {
    [PAIRS_COUNT] = { "pairs", "pairs", 0, .meaning = "number of pairs" },
    [PAIRS_WINS] = { "wins", "wins", 0,
                     .meaning = "pairs that the first method captures first" },
    [PAIRS_TIES] = { "ties", "ties", 0,
                     .meaning =
                         "pairs with equal steps, or without a capture" },
    [PAIRS_LOSSES] = { "losses", "losses", 0,
                       .meaning =
                           "pairs that the second method captures first" },
    [PAIRS_RECORDINGS] = { "n", "recordings", 0,
                           .meaning =
                               "number of recordings with these pairs: the n "
                               "of intervals and ranges" },
    [PAIRS_SHARE] = { "share of wins", "wins_share", 2,
                      .meaning = "(wins + ties/2) / pairs" },
    [PAIRS_SHARE_LOW] = { "share, 95 % low", "wins_share_low_95", 2,
                          .meaning = "lower end of its 95 % bootstrap interval "
                                     "over 5 recordings or more" },
    [PAIRS_SHARE_HIGH] = { "share, 95 % high", "wins_share_high_95", 2,
                           .meaning = "upper end of this interval" },
    [PAIRS_SHARE_LEAST] = { "share, least", "wins_share_least", 2,
                            .meaning = "smallest share of 2 to 4 recordings" },
    [PAIRS_SHARE_LARGEST] = { "share, largest", "wins_share_largest", 2,
                              .meaning = "largest share of 2 to 4 recordings" },
    [PAIRS_DIFFERENCE] = { "difference of means (steps)", "mean_difference", 1,
                           .meaning = "first minus second mean of the steps to "
                                      "the capture, up to limit; below 0 if "
                                      "the first is faster" },
    [PAIRS_DIFFERENCE_LOW] = { "difference, 95 % low", "mean_difference_low_95",
                               1,
                               .meaning = "lower end of its 95 % bootstrap "
                                          "interval over 5 recordings or "
                                          "more" },
    [PAIRS_DIFFERENCE_HIGH] = { "difference, 95 % high",
                                "mean_difference_high_95", 1,
                                .meaning = "upper end of this interval" },
    [PAIRS_DIFFERENCE_LEAST] = { "difference, least", "mean_difference_least",
                                 1,
                                 .meaning = "smallest difference of 2 to 4 "
                                            "recordings (steps)" },
    [PAIRS_DIFFERENCE_LARGEST] = { "difference, largest",
                                   "mean_difference_largest", 1,
                                   .meaning = "largest difference of 2 to 4 "
                                              "recordings (steps)" },
    [PAIRS_LIMIT] = { "limit (steps)", "limit", 0,
                      .meaning =
                          "smallest step limit of all recordings (steps)" },
    [PAIRS_TESTED] = { "pairs that differ", "tested", 0, SHOWN_NAMED,
                       .meaning =
                           "number of pairs that differ, which the test uses" },
    [PAIRS_P] = { "p (Wilcoxon)", "p", -1,
                  .meaning = "p by Wilcoxon's signed-rank test" },
    [PAIRS_P_HOLM] = { "p (Holm)", "p_holm", -1,
                       .meaning =
                           "p by Holm's correction for the number of rows" },
};

void pairs_describe(FILE *out)
{
    compared_describe(headings, PAIRS_FIGURES, out);
}

/* ---- the reference ---- */

struct reference {
    const char *method;
    const char *group; /* NULL: the one with the row's settings */
};

static bool is_named(const struct outcome *outcome, const char *name)
{
    size_t length = strlen(outcome->method);
    return strncmp(name, outcome->method, length) == 0 &&
           strncmp(name + length, ", ", 2) == 0 &&
           strcmp(name + length + 2, outcome->group) == 0;
}

static enum status find_reference(const struct outcomes *outcomes,
                                  const char *name, struct reference *reference,
                                  struct error *error)
{
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        *reference = (struct reference){ outcome->method, NULL };
        if (strcmp(outcome->method, name) == 0)
            return STATUS_OK;
        reference->group = outcome->group;
        if (is_named(outcome, name))
            return STATUS_OK;
    }
    return error_set(error, STATUS_INPUT,
                     "--paired %s: no such method, and no such row METHOD, "
                     "VALUE of --by; the table without --paired lists them",
                     name);
}

/* The row of the i-th outcome, if that is its first; is it to be compared, and
 * with which? */
static bool take_row(const struct outcomes *outcomes, size_t i,
                     const struct reference *reference, struct who *one,
                     struct who *other)
{
    const struct outcome *outcome = &outcomes->items[i];
    *one = (struct who){ outcome->method, outcome->group, NULL };
    *other = (struct who){ reference->method, reference->group,
                           reference->group ? NULL : outcome->shared };
    for (size_t k = 0; k < i; k++)
        if (who_has(one, &outcomes->items[k]))
            return false;
    return !(strcmp(one->method, reference->method) == 0 &&
             (!reference->group || strcmp(one->group, reference->group) == 0));
}

/* ---- the pairs of a row ---- */

struct room {
    struct timed *one, *other;
    struct pair *pairs;
    uint64_t *courses; /* of the two of each pair */
};

static int by_problem(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    return (x->problem > y->problem) - (x->problem < y->problem);
}

static bool has_twin(const struct timed *times, size_t count, size_t i)
{
    return i + 1 < count && times[i + 1].problem == times[i].problem;
}

/* Two seeds that give the same two chases, move for move, are one pair. */
static bool is_known(const struct room *room, size_t count, size_t i, size_t k)
{
    for (size_t pair = 0; pair < count; pair++)
        if (room->courses[2 * pair] == room->one[i].course &&
            room->courses[2 * pair + 1] == room->other[k].course)
            return true;
    return false;
}

static enum status match(const struct room *room, size_t ones, size_t others,
                         size_t *count, const char *method, struct error *error)
{
    *count = 0;
    for (size_t i = 0, k = 0; i < ones && k < others;) {
        int order = by_problem(&room->one[i], &room->other[k]);
        if (order == 0 &&
            (has_twin(room->one, ones, i) || has_twin(room->other, others, k)))
            return error_set(error, STATUS_INPUT,
                             "--paired: %s has several partners with one "
                             "problem and seed; name the setting in which they "
                             "differ by --by",
                             method);
        if (order == 0 && !is_known(room, *count, i, k)) {
            room->courses[2 * *count] = room->one[i].course;
            room->courses[2 * *count + 1] = room->other[k].course;
            room->pairs[(*count)++] =
                (struct pair){ room->one[i].time, room->other[k].time,
                               room->one[i].recording };
        }
        i += order <= 0;
        k += order >= 0;
    }
    return STATUS_OK;
}

static void put(struct compared_row *row, enum pairs_figure at,
                const struct paired_estimate *estimate)
{
    row->figure[at] = estimate->estimate;
    row->figure[at + 1] = estimate->interval.low;
    row->figure[at + 2] = estimate->interval.high;
    row->figure[at + 3] = estimate->interval.least;
    row->figure[at + 4] = estimate->interval.largest;
}

static void put_row(struct compared_row *row, const struct paired *paired)
{
    row->figure[PAIRS_COUNT] = (double)paired->n;
    row->figure[PAIRS_WINS] = (double)paired->wins;
    row->figure[PAIRS_TIES] = (double)paired->ties;
    row->figure[PAIRS_LOSSES] = (double)paired->losses;
    row->figure[PAIRS_RECORDINGS] = (double)paired->groups;
    put(row, PAIRS_SHARE, &paired->wins_share);
    put(row, PAIRS_DIFFERENCE, &paired->difference);
    row->figure[PAIRS_LIMIT] = paired->limit;
    row->figure[PAIRS_TESTED] = (double)paired->tested;
    row->figure[PAIRS_P] = paired->p;
}

static void name_row(struct compared_row *row, const struct who *one,
                     const struct who *other)
{
    snprintf(row->method, sizeof row->method, "%s - %s", one->method,
             other->method);
    snprintf(row->group, sizeof row->group, other->group ? "%s - %s" : "%s",
             one->group, other->group);
}

/* Adds the row if it has pairs. */
static enum status add_row(const struct outcomes *outcomes,
                           const struct who *one, const struct who *other,
                           const struct room *room, struct compared *table,
                           struct error *error)
{
    size_t count, ones = times_of_agents(outcomes, one, room->one);
    size_t others = times_of_agents(outcomes, other, room->other);
    qsort(room->one, ones, sizeof *room->one, by_problem);
    qsort(room->other, others, sizeof *room->other, by_problem);
    enum status status = match(room, ones, others, &count, one->method, error);
    if (status || count == 0)
        return status;
    const struct paired paired =
        paired_make(room->pairs, count, times_limit(outcomes));
    struct compared_row *row = &table->rows[table->count++];
    put_row(row, &paired);
    name_row(row, one, other);
    return STATUS_OK;
}

/* ---- all rows ---- */

static void correct(struct compared *table)
{
    double *p = need_memory(table->count, 2 * sizeof *p);
    for (size_t i = 0; i < table->count; i++)
        p[i] = table->rows[i].figure[PAIRS_P];
    holm_adjust(p, table->count, p + table->count);
    for (size_t i = 0; i < table->count; i++)
        table->rows[i].figure[PAIRS_P_HOLM] = p[table->count + i];
    memory_release(p);
}

static enum status add_rows(const struct outcomes *outcomes,
                            const struct reference *reference,
                            const struct room *room, struct compared *table,
                            struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < outcomes->count && !status; i++) {
        struct who one, other;
        if (take_row(outcomes, i, reference, &one, &other))
            status = add_row(outcomes, &one, &other, room, table, error);
    }
    if (!status && table->count == 0)
        return error_set(error, STATUS_INPUT,
                         "--paired %s: no agent of another row has the same "
                         "problem and seed as one of its agents",
                         reference->method);
    if (!status)
        correct(table);
    return status;
}

enum status pairs_make(const struct outcomes *outcomes, const char *name,
                       struct compared *table, struct error *error)
{
    struct reference reference;
    size_t most = outcomes->count;
    struct room room = { need_memory(most, sizeof *room.one),
                         need_memory(most, sizeof *room.other),
                         need_memory(most, sizeof *room.pairs),
                         need_memory(most, 2 * sizeof *room.courses) };
    table->headings = headings;
    table->figures = PAIRS_FIGURES;
    table->count = 0;
    table->rows = need_memory(most, sizeof *table->rows);
    enum status status = find_reference(outcomes, name, &reference, error);
    if (!status)
        status = add_rows(outcomes, &reference, &room, table, error);
    memory_release(room.one);
    memory_release(room.other);
    memory_release(room.pairs);
    memory_release(room.courses);
    return status;
}
