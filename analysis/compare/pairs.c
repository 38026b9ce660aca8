/* SPDX-License-Identifier: MIT */
#include "analysis/compare/pairs.h"

#include "base/memory.h"
#include "base/need.h"
#include "metrics/holm.h"
#include "metrics/paired.h"
#include "metrics/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pairs_figures {
    double count, wins, ties, losses, recordings;
    struct estimate share, difference, ratio;
    double divided, ratio_q1, ratio_q3;
    double limit, tested, p, p_holm;
};
#define OF(member) offsetof(struct pairs_figures, member)

static const struct result columns[] = {
    { "pairs", "pairs", 0, .meaning = "number of pairs", .member = OF(count) },
    { "wins", "wins", 0,
      .meaning = "pairs that the first method captures first",
      .member = OF(wins) },
    { "ties", "ties", 0,
      .meaning = "pairs with equal steps, or without a capture",
      .member = OF(ties) },
    { "losses", "losses", 0,
      .meaning = "pairs that the second method captures first",
      .member = OF(losses) },
    { "recordings", "n", 0,
      .meaning =
          "number of recordings with these pairs: the n of intervals and "
          "ranges",
      .member = OF(recordings) },
    { "wins_share", "share of wins", 2,
      .meaning = "(wins + ties/2) / pairs; its interval is by bootstrap over 5 "
                 "recordings or more",
      .member = OF(share), .ends = ENDS_RANGE },
    { "mean_difference", "difference of means (steps)", 1,
      .meaning = "first minus second mean of the steps to the capture, up to "
                 "limit; below 0 if the first is faster; its interval is by "
                 "bootstrap over 5 recordings or more",
      .member = OF(difference), .ends = ENDS_RANGE },
    { "ratio_pairs", "pairs with a capture", 0, SHOWN_NAMED,
      .meaning = "number of pairs with a capture in time, of which there are "
                 "ratios",
      .member = OF(divided) },
    { "ratio_q1", "ratio q1", 2, SHOWN_NAMED,
      .meaning = "lower quartile of these ratios", .member = OF(ratio_q1) },
    { "ratio_median", "ratio of steps, median", 2,
      .meaning = "median over pairs of the first method's steps to the capture "
                 "divided by the second's; below all others if only the first "
                 "captures, above all if only the second; its interval is by "
                 "bootstrap over 5 recordings or more",
      .member = OF(ratio), .ends = ENDS_RANGE },
    { "ratio_q3", "ratio q3", 2, SHOWN_NAMED,
      .meaning = "upper quartile of these ratios", .member = OF(ratio_q3) },
    { "limit", "limit (steps)", 0,
      .meaning = "smallest step limit of all recordings (steps)",
      .member = OF(limit) },
    { "tested", "pairs that differ", 0, SHOWN_NAMED,
      .meaning = "number of pairs that differ, which the test uses",
      .member = OF(tested) },
    { "p", "p (Wilcoxon)", -1, .meaning = "p by Wilcoxon's signed-rank test",
      .member = OF(p) },
    { "p_holm", "p (Holm)", -1,
      .meaning = "p by Holm's correction for the number of rows",
      .member = OF(p_holm) },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

void pairs_describe(FILE *out)
{
    compared_describe(columns, COLUMNS, out);
}

/* ---- the reference ---- */

struct reference {
    const char *method;
    const char *group; /* NULL: the one with the row's settings */
};

static bool is_named(const struct outcome *outcome, const char *name)
{
    size_t length = strlen(outcome->agent->method);
    return strncmp(name, outcome->agent->method, length) == 0 &&
           strncmp(name + length, ", ", 2) == 0 &&
           strcmp(name + length + 2, outcome->group) == 0;
}

static enum status find_reference(const struct outcomes *outcomes,
                                  const char *name, struct reference *reference,
                                  struct error *error)
{
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        *reference = (struct reference){ outcome->agent->method, NULL };
        if (strcmp(outcome->agent->method, name) == 0)
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
    *one = (struct who){ outcome->agent->method, outcome->group, NULL };
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
    const struct measured_agent **agents;
    struct timed *one, *other;
    struct pair *pairs;
    uint64_t *courses;          /* of the two of each pair */
    struct paired_list *list;   /* NULL: not needed */
    struct pairs_figures *rows; /* (rows of the table) */
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

static void keep(struct paired_list *list, size_t row, const struct who *who,
                 const struct timed *one, const struct timed *other)
{
    if (!list)
        return;
    list->items =
        need_more(list->items, list->count, &list->room, sizeof *list->items);
    list->items[list->count++] =
        (struct paired_times){ row, *who, *one, *other };
}

static enum status match(const struct room *room, size_t row, size_t ones,
                         size_t others, size_t *count, const struct who *who,
                         struct error *error)
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
                             who->method);
        if (order == 0 && !is_known(room, *count, i, k)) {
            keep(room->list, row, who, &room->one[i], &room->other[k]);
            room->courses[2 * *count] = room->one[i].course;
            room->courses[2 * *count + 1] = room->other[k].course;
            room->pairs[(*count)++] =
                (struct pair){ room->one[i].time, room->other[k].time,
                               room->one[i].run->number };
        }
        i += order <= 0;
        k += order >= 0;
    }
    return STATUS_OK;
}

static void name_row(struct compared *table, const struct who *one,
                     const struct who *other)
{
    char *method = need_format("%s - %s", one->method, other->method);
    char *group =
        need_format(other->group ? "%s - %s" : "%s", one->group, other->group);
    compared_add(table, method, group);
    memory_release(method);
    memory_release(group);
}

static size_t times_of(const struct outcomes *outcomes, const struct who *who,
                       const struct room *room, struct timed *times)
{
    const size_t agents = outcomes_select(outcomes, who, room->agents);
    const size_t count = results_times(room->agents, agents, false, times);
    qsort(times, count, sizeof *times, by_problem);
    return count;
}

/* Adds the row if it has pairs. */
static enum status add_row(const struct outcomes *outcomes,
                           const struct who *one, const struct who *other,
                           const struct room *room, struct compared *table,
                           struct error *error)
{
    size_t count, ones = times_of(outcomes, one, room, room->one);
    size_t others = times_of(outcomes, other, room, room->other);
    enum status status =
        match(room, table->count, ones, others, &count, one, error);
    if (status || count == 0)
        return status;
    const struct paired paired =
        paired_make(room->pairs, count, outcomes->limit);
    room->rows[table->count] = (struct pairs_figures){
        .count = (double)paired.n,
        .wins = (double)paired.wins,
        .ties = (double)paired.ties,
        .losses = (double)paired.losses,
        .recordings = (double)paired.groups,
        .share = paired.wins_share,
        .difference = paired.difference,
        .ratio = paired.ratio,
        .divided = (double)paired.divided,
        .ratio_q1 = paired.ratio_q1,
        .ratio_q3 = paired.ratio_q3,
        .limit = paired.limit,
        .tested = (double)paired.tested,
        .p = paired.p,
    };
    name_row(table, one, other);
    return STATUS_OK;
}

/* ---- all rows ---- */

static void correct(struct pairs_figures *rows, size_t count)
{
    double *p = need_memory(count, 2 * sizeof *p);
    for (size_t i = 0; i < count; i++)
        p[i] = rows[i].p;
    holm_adjust(p, count, p + count);
    for (size_t i = 0; i < count; i++)
        rows[i].p_holm = p[count + i];
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
        correct(room->rows, table->count);
    for (size_t i = 0; i < table->count && !status; i++)
        compared_take(table, i, &room->rows[i], NULL, 0, 0);
    return status;
}

enum status pairs_make(const struct outcomes *outcomes, const char *name,
                       struct compared *table, struct paired_list *list,
                       struct error *error)
{
    struct reference reference;
    const size_t most = outcomes->count;
    struct room room = {
        need_memory(most, sizeof *room.agents),
        need_memory(most, sizeof *room.one),
        need_memory(most, sizeof *room.other),
        need_memory(most, sizeof *room.pairs),
        need_memory(most, 2 * sizeof *room.courses),
        list,
        need_memory(most, sizeof *room.rows),
    };
    compared_init(table, columns, COLUMNS);
    enum status status = find_reference(outcomes, name, &reference, error);
    if (!status)
        status = add_rows(outcomes, &reference, &room, table, error);
    memory_release(room.agents);
    memory_release(room.one);
    memory_release(room.other);
    memory_release(room.pairs);
    memory_release(room.courses);
    memory_release(room.rows);
    return status;
}
