/* SPDX-License-Identifier: MIT */
#include "search/pincer.h"

#include "base/memory.h"
#include "search/pincer_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- colours ---- */

void pincer_color_path(struct pincer *p, const int32_t *path, size_t count)
{
    const struct passages *passages = p->passages;
    int32_t *cells = p->waiting[PINCER_GREEN]; /* nobody waits any more */
    for (size_t i = 0; i < count; i++) {
        cells[i] = passages_index(passages, (size_t)path[i]);
        if (cells[i] != p->goal)
            p->color[cells[i]] = (uint16_t)(4 * p->round + PINCER_YELLOW);
    }
    uint16_t green = (uint16_t)(4 * p->round + PINCER_GREEN);
    for (size_t i = 0; i < count; i++)
        for (int d = 0; cells[i] != p->goal && d < passages->moves; d++) {
            int32_t n = cells[i] + passages->offset[d];
            if (p->color[n] < green && !passages->wall[n])
                p->color[n] = green;
        }
    p->color[p->goal] = 0;
}

enum pincer_color pincer_color_of(const struct pincer *p, size_t cell)
{
    return pincer_color_at(p, passages_index(p->passages, cell));
}

/* ---- plans ---- */

static int far_from(const struct pincer *p, size_t cell, size_t evader)
{
    int a[GRID_AXES], b[GRID_AXES], sum = 0, most = 0;
    grid_cell(&p->passages->grid, cell, a);
    grid_cell(&p->passages->grid, evader, b);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int difference = abs(a[axis] - b[axis]);
        sum += difference;
        most = difference > most ? difference : most;
    }
    return p->passages->moves > 2 * p->passages->grid.dims ? most : sum;
}

void pincer_begin(struct pincer *p, const size_t *pursuers, int count,
                  size_t evader)
{
    size_t cells = grid_cells(&p->passages->grid);
    if (p->round == UINT16_MAX / 4) {
        memset(p->color, 0, (size_t)p->passages->cells * sizeof *p->color);
        p->round = 0;
    }
    p->round++;
    p->goal = evader < cells ? passages_index(p->passages, evader) : 0;
    passages_place(p->passages, p->goal, p->goal_at);
    p->count = count;
    p->next = 0;
    for (int i = 0; i < count; i++) {
        int far = far_from(p, pursuers[i], evader), at = i;
        p->pursuers[i] = pursuers[i];
        for (; at > 0 && far_from(p, pursuers[p->order[at - 1]], evader) > far;
             at--)
            p->order[at] = p->order[at - 1];
        p->order[at] = i;
    }
}

static int64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static enum search_outcome plan_path(struct pincer *p, size_t from,
                                     struct random *ties,
                                     struct search_result *result)
{
    const struct passages *passages = p->passages;
    if (from >= grid_cells(&passages->grid) ||
        passages->wall[passages_index(passages, from)])
        return SEARCH_START_BLOCKED;
    if (passages->wall[p->goal])
        return SEARCH_GOAL_BLOCKED;
    p->start = passages_index(passages, from);
    if (!(ties && pincer_steps_suit(p) ? pincer_steps_search
                                       : pincer_search)(p, ties, &result->cost))
        return SEARCH_UNREACHABLE;
    if (p->next < p->count)
        pincer_color_path(p, p->workspace.path, p->workspace.path_count);
    return SEARCH_FOUND;
}

int pincer_turn(struct pincer *p)
{
    return p->next < p->count ? p->order[p->next++] : -1;
}

bool pincer_next(struct pincer *p, struct random *ties,
                 struct pincer_plan *plan)
{
    int pursuer = pincer_turn(p);
    if (pursuer < 0)
        return false;
    int64_t start = nanoseconds();
    *plan = (struct pincer_plan){ .pursuer = pursuer };
    struct search_result *result = &plan->result;
    result->cost = result->length = INFINITY;
    result->memory = p->workspace.memory;
    p->workspace.path_count = 0;
    p->expansions = 0;
    p->allowed = PINCER_WHITE;
    result->outcome = plan_path(p, p->pursuers[pursuer], ties, result);
    result->nanoseconds = nanoseconds() - start;
    result->expansions = p->expansions;
    plan->allowed = p->allowed;
    if (result->outcome == SEARCH_FOUND) {
        result->path = p->workspace.path;
        result->path_count = p->workspace.path_count;
        result->length = search_path_length(&p->workspace);
    }
    return true;
}

/* ---- making ---- */

enum status pincer_new(const struct passages *passages, int pursuers_most,
                       struct pincer **pincer, struct error *error)
{
    struct pincer *p = memory_new(1, sizeof *p);
    if (!p)
        return error_memory(error);
    size_t cells = (size_t)passages->cells, most = (size_t)pursuers_most;
    *p = (struct pincer){ .passages = passages, .most = pursuers_most };
    p->nodes = memory_new(cells, sizeof *p->nodes);
    p->color = memory_new(cells, sizeof *p->color);
    p->waiting[PINCER_GREEN] = memory_new(cells, sizeof(int32_t));
    p->waiting[PINCER_YELLOW] = memory_new(cells, sizeof(int32_t));
    p->pursuers = memory_new(most, sizeof *p->pursuers);
    p->order = memory_new(most, sizeof *p->order);
    p->queue.nodes = p->nodes;
    p->queue.heads = memory_new(BUCKETS_MOST, sizeof(int32_t));
    p->workspace.path = memory_new(cells, sizeof(int32_t));
    p->workspace.passages = passages;
    p->workspace.state = p;
    p->workspace.memory =
        sizeof *p + BUCKETS_MOST * sizeof(int32_t) +
        cells * (sizeof *p->nodes + sizeof *p->color + 3 * sizeof(int32_t)) +
        most * (sizeof *p->pursuers + sizeof *p->order);
    if (!p->nodes || !p->color || !p->waiting[PINCER_GREEN] ||
        !p->waiting[PINCER_YELLOW] || !p->pursuers || !p->order ||
        !p->queue.heads || !p->workspace.path) {
        pincer_release(p);
        return error_memory(error);
    }
    enum status status = pincer_steps_init(p, error);
    if (status)
        pincer_release(p);
    else
        *pincer = p;
    return status;
}

void pincer_release(struct pincer *p)
{
    if (!p)
        return;
    pincer_steps_release(&p->steps);
    memory_release(p->nodes);
    memory_release(p->color);
    memory_release(p->waiting[PINCER_GREEN]);
    memory_release(p->waiting[PINCER_YELLOW]);
    memory_release(p->pursuers);
    memory_release(p->order);
    memory_release(p->queue.heads);
    memory_release(p->workspace.path);
    memory_release(p);
}
