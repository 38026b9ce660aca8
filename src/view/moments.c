/* SPDX-License-Identifier: MIT */
#include "view/moments.h"

#include "words/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a moment shows, by how long it is kept. */
enum rank {
    RANK_ARRIVAL,
    RANK_LAST,
    RANK_FIRST,
    RANK_NEXT,
    RANK_EARLY,
    RANK_BETWEEN,
    RANK_MAP,
    RANKS
};

struct choice {
    const struct recording *recording;
    const struct events *events;
    struct moment moment[RANKS];
    int64_t row[RANKS]; /* −1: there is no such moment */
};

static int64_t last_step(const struct recording *recording)
{
    return recording_steps(recording)[recording_rows(recording) - 1];
}

static int64_t between(int64_t first, int64_t last)
{
    return first + (last - first) / 2;
}

/* The moment of the row that shows the step. Returns where its reason is to be
 * written. */
static struct moment *choose(struct choice *choice, enum rank rank,
                             int64_t step)
{
    struct moment *moment = &choice->moment[rank];
    choice->row[rank] = recording_row_from(choice->recording, step);
    moment->step = recording_steps(choice->recording)[choice->row[rank]];
    moment->wave = events_newest_wave(choice->events, moment->step);
    return moment;
}

static void explain(struct moment *moment, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void explain(struct moment *moment, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(moment->reason, sizeof moment->reason, format, arguments);
    va_end(arguments);
}

/* ---- events ---- */

/* The first event of a kind, or the last; NULL: there is none. */
static const struct event *find(const struct events *events,
                                enum event_kind kind, bool last)
{
    const struct event *found = NULL;
    for (size_t i = 0; i < events->count && (last || !found); i++)
        if (events->event[i].kind == kind)
            found = &events->event[i];
    return found;
}

/* "B, C", or "4 agents". */
struct agents {
    int count;
    size_t used;
    char text[MOMENT_REASON_SIZE - 32];
};

static void agents_add(struct agents *agents, const char *name)
{
    const size_t size = sizeof agents->text;
    if (agents->used < size)
        agents->used +=
            (size_t)snprintf(agents->text + agents->used, size - agents->used,
                             "%s%s", agents->count ? _(", ") : "", name);
    agents->count++;
}

static void agents_end(struct agents *agents)
{
    if (agents->count > MOMENT_NAMES || agents->used >= sizeof agents->text)
        snprintf(agents->text, sizeof agents->text,
                 agents->count == 1 ? _("%d agent") : _("%d agents"),
                 agents->count);
}

/* Those with an event of this kind after the row `before` up to a step. */
static struct agents list_agents(const struct choice *choice,
                                 enum event_kind kind, int64_t before,
                                 int64_t step)
{
    const struct events *events = choice->events;
    int64_t after =
        before < 0 ? -1 : recording_steps(choice->recording)[before];
    struct agents agents = { 0 };
    for (size_t i = 0; i < events->count && events->event[i].step <= step; i++)
        if (events->event[i].kind == kind && events->event[i].step > after)
            agents_add(&agents, events->name[events->event[i].agent]);
    agents_end(&agents);
    return agents;
}

/* Those that are stuck in the last row. */
static struct agents list_stuck(const struct events *events)
{
    struct agents agents = { 0 };
    for (size_t i = 0; i < events->agents; i++)
        if (events->state[i] == AGENT_STUCK)
            agents_add(&agents, events->name[i]);
    agents_end(&agents);
    return agents;
}

/* ---- the moments of agents that move ---- */

/* The emission of a wave that is the last up to a step; NULL: none. */
static const struct event *emission(const struct events *events, int wave,
                                    int64_t step)
{
    const struct event *found = NULL;
    for (size_t i = 0; i < events->count && events->event[i].step <= step; i++)
        if (events->event[i].kind == EVENT_SENT &&
            events->event[i].wave == wave)
            found = &events->event[i];
    return found;
}

/* Halfway from an emission to when the wave is emitted again, or to `end`. */
static int64_t spread_of(const struct events *events, const struct event *sent,
                         int64_t end)
{
    const struct event *after = events->event + events->count;
    for (const struct event *event = sent + 1; event < after; event++) {
        if (event->step >= end)
            break;
        if (event->kind == EVENT_SENT && event->wave == sent->wave)
            return between(sent->step, event->step);
    }
    return between(sent->step, end);
}

/* Of the emissions between two steps the one that is spread when two thirds of
 * the time have passed; NULL: there is none. */
static const struct event *find_next(const struct events *events, int64_t first,
                                     int64_t end)
{
    const struct event *found = NULL;
    int64_t wanted = first + (end - first) / 3 * 2, nearest = 0;
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->event[i];
        if (event->kind != EVENT_SENT || event->step <= first ||
            event->step >= end)
            continue;
        int64_t away = llabs(spread_of(events, event, end) - wanted);
        if (found && away >= nearest)
            continue;
        found = event;
        nearest = away;
    }
    return found;
}

static void choose_early(struct choice *choice, const struct event *arrival)
{
    const struct event *sent =
        emission(choice->events, arrival->wave, arrival->step - 1);
    if (!sent)
        return;
    struct moment *early =
        choose(choice, RANK_EARLY, between(sent->step, arrival->step));
    early->wave = arrival->wave;
    early->named = true;
    explain(early, _("wave %d spreads"), arrival->wave);
}

static void choose_begin(struct choice *choice, const struct event *begin)
{
    struct moment *moment = choose(choice, RANK_ARRIVAL, begin->step);
    struct agents agents = list_agents(choice, begin->kind, -1, moment->step);
    if (begin->kind == EVENT_ARRIVAL)
        explain(moment, _("first arrival (%s)"), agents.text);
    else
        explain(moment, agents.count == 1 ? _("%s starts") : _("%s start"),
                agents.text);
    if (emission(choice->events, begin->wave, begin->step))
        moment->wave = begin->wave;
}

static void choose_walk(struct choice *choice, int64_t begin, int64_t end)
{
    const struct event *next = find_next(choice->events, begin, end);
    if (next) {
        struct moment *spread =
            choose(choice, RANK_NEXT, spread_of(choice->events, next, end));
        spread->wave = next->wave;
        spread->named = true;
        explain(spread,
                emission(choice->events, next->wave, next->step - 1)
                    ? _("wave %d spreads again")
                    : _("wave %d spreads"),
                next->wave);
    }
    struct moment *walk =
        choose(choice, RANK_BETWEEN, between(begin, next ? next->step : end));
    if (choice->events->agents == 1)
        explain(walk, _("%s walks"), choice->events->name[0]);
    else
        explain(walk, "%s", _("agents walk"));
}

static void choose_captures(struct choice *choice, const struct event *first,
                            const struct event *last)
{
    struct moment *moment = choose(choice, RANK_FIRST, first->step);
    struct agents agents = list_agents(choice, EVENT_CAPTURE, -1, moment->step);
    int64_t row = recording_row_from(choice->recording, last->step);
    bool once = row == choice->row[RANK_FIRST];
    if (once)
        explain(moment, agents.count == 1 ? _("%s captures") : _("%s capture"),
                agents.text);
    else
        explain(moment,
                agents.count == 1 ? _("%s captures first")
                                  : _("%s capture first"),
                agents.text);
    if (once)
        return;
    moment = choose(choice, RANK_LAST, last->step);
    agents = list_agents(choice, EVENT_CAPTURE, row - 1, moment->step);
    explain(moment,
            agents.count == 1 ? _("%s captures last") : _("%s capture last"),
            agents.text);
}

/* Nobody has captured. */
static void choose_end(struct choice *choice)
{
    struct agents stuck = list_stuck(choice->events);
    struct moment *moment =
        choose(choice, RANK_LAST, last_step(choice->recording));
    if (stuck.count)
        explain(moment, _("%s stuck at the end"), stuck.text);
    else
        explain(moment, "%s", _("end of the run"));
}

static void choose_chase(struct choice *choice, const struct event *begin)
{
    const struct event *first = find(choice->events, EVENT_CAPTURE, false);
    const struct event *last = find(choice->events, EVENT_CAPTURE, true);
    const struct event *map = find(choice->events, EVENT_MAP, false);
    int64_t end = first ? first->step : last_step(choice->recording);
    if (begin->kind == EVENT_ARRIVAL)
        choose_early(choice, begin);
    choose_begin(choice, begin);
    choose_walk(choice, begin->step, end);
    if (first)
        choose_captures(choice, first, last);
    else
        choose_end(choice);
    if (map)
        explain(choose(choice, RANK_MAP, map->step), "%s", map->text);
}

/* ---- the moments of everything else ---- */

static void choose_evenly(struct choice *choice, size_t most)
{
    const struct events *events = choice->events;
    const struct event *sent = find(events, EVENT_SENT, false);
    const struct event *moves = find(events, EVENT_TARGET, false);
    int64_t end = last_step(choice->recording);
    int64_t begin = recording_steps(choice->recording)[0];
    if (sent && sent->step > begin && sent->step < end)
        begin = sent->step;
    for (size_t i = 0; i < most; i++) {
        int64_t apart = end - begin;
        int64_t step = begin + apart / (int64_t)most * (int64_t)(i + 1) +
                       apart % (int64_t)most * (int64_t)(i + 1) / (int64_t)most;
        struct moment *moment = choose(choice, (enum rank)i, step);
        if (moment->wave >= 0)
            explain(moment, _("wave %d spreads"), moment->wave);
        else if (moves && moves->step <= moment->step)
            explain(moment, "%s", moves->text);
        else
            explain(moment, "%s", _("nothing moves"));
    }
}

/* ---- the choice ---- */

/* By step, each row once, the first `most` ranks of them. */
static size_t take(const struct choice *choice, size_t most,
                   struct moment moments[MOMENTS_MOST])
{
    size_t count = 0;
    int64_t rows[MOMENTS_MOST];
    for (int rank = 0; rank < RANKS && count < most; rank++) {
        int64_t row = choice->row[rank];
        size_t place = count;
        bool taken = row < 0;
        for (size_t i = 0; i < count; i++)
            taken = taken || rows[i] == row;
        if (taken)
            continue;
        for (; place && rows[place - 1] > row; place--) {
            rows[place] = rows[place - 1];
            moments[place] = moments[place - 1];
        }
        rows[place] = row;
        moments[place] = choice->moment[rank];
        count++;
    }
    return count;
}

size_t moments_choose(const struct recording *recording,
                      const struct events *events, size_t most,
                      struct moment moments[MOMENTS_MOST])
{
    struct choice choice = { .recording = recording, .events = events };
    const struct event *begin = find(events, EVENT_ARRIVAL, false);
    if (!begin)
        begin = find(events, EVENT_START, false);
    for (int rank = 0; rank < RANKS; rank++)
        choice.row[rank] = -1;
    if (most > MOMENTS_MOST)
        most = MOMENTS_MOST;
    if (!most || !recording_rows(recording))
        return 0;
    if (begin)
        choose_chase(&choice, begin);
    else
        choose_evenly(&choice, most);
    return take(&choice, most, moments);
}
