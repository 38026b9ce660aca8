/* SPDX-License-Identifier: MIT */
#include "pursuit/sharing.h"

#include "base/memory.h"
#include "pursuit/motion.h"
#include "wave/arrival/watch.h"

#include <string.h>

/* A message about an agent: its new data, followed by its arrivals and, if it
 * crossed into another block, by its watches. */
struct news {
    double at[GRID_AXES], heading[GRID_AXES];
    int32_t agent, arrivals;
    int8_t state, crossed;
};

static bool is_shared(const struct sharing *sharing, size_t agent)
{
    return sharing->agents->settings[agent]->method == METHOD_WAVE;
}

static size_t watch_bytes(const struct sharing *sharing)
{
    return sharing->chase ? wave_chase_watch_bytes(sharing->chase) : 0;
}

enum status sharing_init(struct sharing *sharing, struct ranks *ranks,
                         const struct share *share, struct agents *agents,
                         struct wave_chase *chase, struct error *error)
{
    *sharing = (struct sharing){
        .ranks = ranks, .share = share, .agents = agents, .chase = chase
    };
    for (size_t i = 0; i < agents->count; i++)
        sharing->any |= is_shared(sharing, i);
    size_t each = sizeof(struct news) + watch_bytes(sharing);
    if (chase) /* at most one arrival for each wave */
        each += watch_bytes(sharing) / sizeof(struct arrival_watch) *
                sizeof(struct agent_arrival); /* or more of them */
    if (!size_multiply(agents->count, each, &sharing->room))
        return error_memory(error);
    sharing->own = memory_new(agents->count, sizeof *sharing->own);
    sharing->news = memory_new(sharing->room, 1);
    return sharing->own && sharing->news ? STATUS_OK : error_memory(error);
}

void sharing_release(struct sharing *sharing)
{
    memory_release(sharing->own);
    memory_release(sharing->news);
    *sharing = (struct sharing){ 0 };
}

void sharing_begin(struct sharing *sharing)
{
    for (size_t i = 0; i < sharing->agents->count; i++)
        sharing->own[i] = is_shared(sharing, i) &&
                          agents_are_in(sharing->agents, i, sharing->share);
}

void sharing_move(struct sharing *sharing, const struct terrain *held,
                  bool retry)
{
    struct agents *agents = sharing->agents;
    for (size_t i = 0; i < agents->count; i++) {
        bool stuck = agents->state[i] == AGENT_STUCK;
        if (!sharing->own[i] ||
            steers_by_nodes(agents->settings[i]->steering) ||
            (agents->state[i] != AGENT_MOVING && !(stuck && retry)))
            continue;
        double at[GRID_AXES], heading[GRID_AXES];
        agents_place(agents, i, at);
        for (int axis = 0; axis < GRID_AXES; axis++)
            heading[axis] = agents->heading[axis][i];
        bool moved = motion_step_shared(held, sharing->share, at, heading,
                                        agents->settings[i]->speed);
        agents->state[i] = moved ? AGENT_MOVING : AGENT_STUCK;
        for (int axis = 0; moved && axis < GRID_AXES; axis++)
            agents->at[axis][i] = at[axis];
    }
}

/* Writes the agent's message at `at`, and advances `at`. */
static void write_news(const struct sharing *sharing, size_t agent,
                       const struct agent_arrivals *arrivals, char **at)
{
    const struct agents *agents = sharing->agents;
    struct news news = {
        .agent = (int32_t)agent,
        .state = agents->state[agent],
        .crossed = !agents_are_in(agents, agent, sharing->share),
    };
    char *head = *at;
    *at += sizeof news;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        news.at[axis] = agents->at[axis][agent];
        news.heading[axis] = agents->heading[axis][agent];
    }
    for (size_t i = 0; i < arrivals->count; i++) {
        if ((size_t)arrivals->items[i].agent != agent)
            continue;
        memcpy(*at, &arrivals->items[i], sizeof *arrivals->items);
        *at += sizeof *arrivals->items;
        news.arrivals++;
    }
    if (news.crossed && sharing->chase) {
        wave_chase_save_watches(sharing->chase, (int)agent, *at);
        *at += watch_bytes(sharing);
    }
    memcpy(head, &news, sizeof news);
}

/* Reads the message at `at`; returns the position after it. */
static const char *read_news(struct sharing *sharing, const char *at,
                             struct agent_arrivals *arrivals)
{
    struct agents *agents = sharing->agents;
    struct news news;
    memcpy(&news, at, sizeof news);
    at += sizeof news;
    bool mine = sharing->own[news.agent];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        agents->at[axis][news.agent] = news.at[axis];
        agents->heading[axis][news.agent] = news.heading[axis];
    }
    agents->state[news.agent] = news.state;
    for (int i = 0; i < news.arrivals; i++) {
        struct agent_arrival *arrival = &arrivals->items[arrivals->count];
        memcpy(arrival, at, sizeof *arrival);
        at += sizeof *arrival;
        arrivals->count++;
        if (!mine)
            wave_chase_take_arrival(sharing->chase, arrival);
    }
    if (news.crossed && sharing->chase) {
        if (!mine)
            wave_chase_load_watches(sharing->chase, news.agent, at);
        at += watch_bytes(sharing);
    }
    return at;
}

enum status sharing_news(struct sharing *sharing,
                         struct agent_arrivals *arrivals, struct error *error)
{
    const struct agents *agents = sharing->agents;
    char *end = sharing->news;
    for (size_t i = 0; i < agents->count; i++)
        if (sharing->own[i] &&
            (steers_by_nodes(agents->settings[i]->steering) ||
             agents->state[i] == AGENT_MOVING ||
             agents->state[i] == AGENT_STUCK || arrivals->count > 0))
            write_news(sharing, i, arrivals, &end);
    const void *all;
    size_t bytes;
    enum status status =
        ranks_allgather(sharing->ranks, sharing->news,
                        (size_t)(end - sharing->news), &all, &bytes, error);
    if (status)
        return status;
    arrivals->count = 0;
    for (const char *at = all, *last = at + bytes; at < last;)
        at = read_news(sharing, at, arrivals);
    if (sharing->chase)
        wave_chase_order(sharing->chase, arrivals);
    return STATUS_OK;
}

enum status sharing_send_watches(struct sharing *sharing, struct error *error)
{
    size_t each = sizeof(int32_t) + watch_bytes(sharing), bytes;
    char *end = sharing->news;
    const void *all;
    for (size_t i = 0; i < sharing->agents->count; i++) {
        int32_t agent = (int32_t)i;
        if (!is_shared(sharing, i) ||
            !agents_are_in(sharing->agents, i, sharing->share))
            continue;
        memcpy(end, &agent, sizeof agent);
        wave_chase_save_watches(sharing->chase, agent, end + sizeof agent);
        end += each;
    }
    enum status status =
        ranks_allgather(sharing->ranks, sharing->news,
                        (size_t)(end - sharing->news), &all, &bytes, error);
    for (size_t at = 0; !status && at < bytes; at += each) {
        int32_t agent;
        memcpy(&agent, (const char *)all + at, sizeof agent);
        wave_chase_load_watches(sharing->chase, agent,
                                (const char *)all + at + sizeof agent);
    }
    return status;
}

void sharing_outcome(struct sharing *sharing, struct target *target,
                     int *captures, size_t *capture_count)
{
    struct outcome {
        double at[GRID_AXES], heading[GRID_AXES];
        int64_t cell;
        size_t captures;
    } outcome = { .cell = target->cell, .captures = *capture_count };
    memcpy(outcome.at, target->at, sizeof outcome.at);
    memcpy(outcome.heading, target->heading, sizeof outcome.heading);
    ranks_broadcast(sharing->ranks, &outcome, sizeof outcome);
    memcpy(target->at, outcome.at, sizeof outcome.at);
    memcpy(target->heading, outcome.heading, sizeof outcome.heading);
    target->cell = outcome.cell;
    *capture_count = outcome.captures;
    if (outcome.captures)
        ranks_broadcast(sharing->ranks, captures,
                        outcome.captures * sizeof *captures);
    for (size_t i = 0; i < outcome.captures; i++)
        sharing->agents->state[captures[i]] = AGENT_CAPTURED;
}
