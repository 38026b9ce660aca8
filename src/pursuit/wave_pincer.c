/* SPDX-License-Identifier: MIT */
#include "pursuit/wave_pincer.h"

#include "base/memory.h"
#include "base/team.h"
#include "wave/arrival/field.h"

#include <math.h>
#include <string.h>

/* A plan waits for the wave at most this many times the generations that Lee's
 * front needs. A wave of speed √δ = √½ needs √2 times as many along an axis;
 * the rest allows for slow areas. */
enum { PATIENCE = 64 };

struct wave_pincer {
    struct wave_pincer_view view;
    struct wave_settings settings;
    struct pincer *pincer;        /* order and colours */
    struct search_workspace *lee; /* is there a path at all? */
    struct terrain terrain;       /* the view's, with the plan's speeds */
    struct medium *medium;
    struct wave *wave;
    void *generation; /* packed */
    struct arrival_field field;
    double quickest;  /* the speed at the stencil's limit */
    size_t *pursuers; /* cells, as given */
    size_t goal;
    int32_t *path; /* (cells) */
    uint32_t *met; /* (cells): the plan whose path met the cell last */
    uint32_t plans;
    size_t memory;
};

/* ---- the medium of a plan ---- */

static double speed_at(const struct wave_pincer *p, size_t cell, size_t start)
{
    const struct terrain *terrain = p->view.terrain;
    double speed = terrain->speed ? terrain->speed[cell] : 1;
    if (terrain->cost && terrain->cost[cell] > 1)
        speed /= terrain->cost[cell];
    bool colored =
        cell != start && pincer_color_of(p->pincer, cell) != PINCER_WHITE;
    if (speed > p->quickest) /* after a change by an event */
        speed = p->quickest;
    return colored ? speed * p->view.slow : speed;
}

static void widen(struct box *box, const int at[GRID_AXES], bool first)
{
    for (int axis = 0; axis < GRID_AXES; axis++) {
        if (first || at[axis] < box->low[axis])
            box->low[axis] = at[axis];
        if (first || at[axis] > box->high[axis])
            box->high[axis] = at[axis];
    }
}

/* Turns colours and costs into speeds; updates the medium where they
 * changed. */
static void set_speeds(struct wave_pincer *p, size_t start)
{
    const struct grid *grid = &p->terrain.grid;
    struct box changed;
    bool any = false;
    for (size_t cell = 0; cell < grid_cells(grid); cell++) {
        double speed = speed_at(p, cell, start);
        if (p->terrain.wall[cell] || p->terrain.speed[cell] == speed)
            continue;
        int at[GRID_AXES];
        grid_cell(grid, cell, at);
        widen(&changed, at, !any);
        any = true;
        p->terrain.speed[cell] = speed;
    }
    if (any)
        medium_update(p->medium, &changed);
}

void wave_pincer_update(struct wave_pincer *p, const struct box *box)
{
    const struct grid *grid = &p->terrain.grid;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                size_t cell = grid_index(grid, x, y, z);
                p->terrain.wall[cell] = p->view.terrain->wall[cell];
            }
    medium_update(p->medium, box);
}

/* ---- one emission, and the descent of its arrival times ---- */

/* Runs until the wave has reached `start`; returns the number of generations,
 * or −1 − that number if it did not arrive. */
static int64_t listen(struct wave_pincer *p, size_t start, int64_t most)
{
    wave_emit(p->wave, p->goal, 0);
    arrival_field_begin(&p->field, p->goal);
    for (int64_t age = 0;; age++) {
        wave_copy(p->wave, p->generation, NULL);
        arrival_field_take(&p->field, p->generation, age, NULL);
        if (p->field.step[start] >= 0)
            return age;
        if (age == most)
            return -1 - age;
        wave_step(p->wave, NULL);
    }
}

/* The move of steepest descent among those to cells not met; equals are chosen
 * by `ties`, or the first is taken; −1 if there is none. */
static int steepest(const struct wave_pincer *p, int32_t at, double here,
                    struct random *ties)
{
    const struct passages *passages = p->view.passages;
    double best = -INFINITY;
    int chosen = -1;
    uint64_t equals = 0;
    for (uint32_t open = passages->open[at]; open; open &= open - 1) {
        int d = __builtin_ctz(open);
        size_t to = passages_cell(passages, at + passages->offset[d]);
        if (p->met[to] == p->plans || p->field.step[to] < 0)
            continue;
        double slope = (here - p->field.time[to]) /
                       ((double)passages->weight[d] / passages->unit);
        if (slope < best)
            continue;
        equals = slope > best ? 1 : equals + 1;
        if (equals == 1 || (ties && random_below(ties, equals) == 0))
            chosen = d;
        best = slope;
    }
    return chosen;
}

/* The cells from `start` to the goal; 0 if the descent ends before it. The
 * times fall towards the goal from every cell on the path, except where waves
 * meet or a one-way cell blocks the descent; there the move with the smallest
 * rise is taken. */
static size_t descend(struct wave_pincer *p, size_t start, struct random *ties)
{
    const struct passages *passages = p->view.passages;
    int32_t at = passages_index(passages, start);
    size_t count = 0, cell = start;
    if (++p->plans == 0) {
        memset(p->met, 0, grid_cells(&p->terrain.grid) * sizeof *p->met);
        p->plans = 1;
    }
    for (;;) {
        p->met[cell] = p->plans;
        p->path[count++] = (int32_t)cell;
        if (cell == p->goal)
            return count;
        int d = steepest(p, at, p->field.time[cell], ties);
        if (d < 0)
            return 0;
        at += passages->offset[d];
        cell = passages_cell(passages, at);
    }
}

/* ---- plans ---- */

static double length_of(const struct wave_pincer *p, size_t count)
{
    struct search_workspace path = { .passages = p->view.passages,
                                     .path = p->path,
                                     .path_count = count };
    return search_path_length(&path);
}

static void plan_path(struct wave_pincer *p, size_t start, struct random *ties,
                      struct search_result *result)
{
    const struct grid *grid = &p->terrain.grid;
    struct search_query query = { start, p->goal, NULL };
    struct search_result way;
    search_run(p->lee, &query, &way);
    result->outcome = way.outcome;
    if (way.outcome != SEARCH_FOUND)
        return;
    set_speeds(p, start);
    int64_t most = PATIENCE * ((int64_t)way.path_count + 1);
    bool flushed = denormals_flush(p->settings.flush_denormals);
    int64_t ages = listen(p, start, most);
    denormals_flush(flushed);
    uint64_t generations = (uint64_t)(ages < 0 ? -1 - ages : ages);
    result->expansions = generations * grid_cells(grid);
    result->path_count = ages < 0 ? 0 : descend(p, start, ties);
    if (!result->path_count) {
        result->outcome = SEARCH_UNREACHABLE;
        return;
    }
    result->cost = p->field.time[start];
    result->path = p->path;
    pincer_color_path(p->pincer, p->path, result->path_count);
}

void wave_pincer_begin(struct wave_pincer *p, const size_t *pursuers, int count,
                       size_t evader)
{
    pincer_begin(p->pincer, pursuers, count, evader);
    for (int i = 0; i < count; i++)
        p->pursuers[i] = pursuers[i];
    p->goal = evader;
}

bool wave_pincer_next(struct wave_pincer *p, struct random *ties,
                      struct pincer_plan *plan)
{
    int pursuer = pincer_turn(p->pincer);
    if (pursuer < 0)
        return false;
    int64_t begun = search_nanoseconds();
    *plan = (struct pincer_plan){
        .pursuer = pursuer,
        .result = { .cost = INFINITY, .length = INFINITY, .memory = p->memory },
    };
    plan_path(p, p->pursuers[pursuer], ties, &plan->result);
    plan->result.nanoseconds = search_nanoseconds() - begun;
    if (plan->result.outcome == SEARCH_FOUND)
        plan->result.length = length_of(p, plan->result.path_count);
    return true;
}

/* ---- construction ---- */

static enum status check(struct wave_pincer *p, struct error *error)
{
    double largest, limit;
    bool stable = wave_is_stable(&p->settings, &p->terrain, &largest, &limit);
    p->quickest = sqrt(limit / p->settings.delta);
    if (stable)
        return STATUS_OK;
    return error_set(
        error, STATUS_INPUT,
        "wave.delta: %g at the fastest cell, above the limit %g of the %s "
        "stencil; method \"wave-pincer\" is for stable waves only",
        largest, limit, p->settings.stencil->name);
}

static enum status waves_new(struct wave_pincer *p, struct error *error)
{
    enum status status =
        medium_new(&p->terrain, &p->settings, &p->medium, error);
    if (!status)
        status = wave_new(p->medium, &p->wave, error);
    if (status)
        return status;
    bool single = p->settings.precision == PRECISION_SINGLE;
    struct arrival_field_options options = {
        .settings = p->view.arrival,
        .amplitude = p->settings.amplitude,
        .width = single ? sizeof(float) : sizeof(double),
        .times = true,
    };
    p->generation = memory_new(grid_cells(&p->terrain.grid), options.width);
    if (!p->generation)
        return error_memory(error);
    return arrival_field_init(&p->field, &p->terrain.grid, &options, error);
}

static enum status make_members(struct wave_pincer *p, int most,
                                struct error *error)
{
    const struct grid *grid = &p->view.terrain->grid;
    size_t cells = grid_cells(grid);
    if (!p->settings.stencil)
        p->settings.stencil =
            stencil_find(grid->dims == 2 ? "5-point" : "7-point");
    enum status status = terrain_copy(p->view.terrain, &p->terrain, error);
    if (!status)
        status = terrain_prepare(&p->terrain, CHANGE_SPEED, error);
    if (!status)
        status = check(p, error);
    if (!status)
        status = pincer_new(p->view.passages, most, &p->pincer, error);
    if (!status)
        status = search_workspace_new(search_find("lee"), p->view.passages,
                                      p->view.terrain, &p->lee, error);
    if (!status)
        status = waves_new(p, error);
    if (status)
        return status;
    p->pursuers = memory_new((size_t)most, sizeof *p->pursuers);
    p->path = memory_new(cells, sizeof *p->path);
    p->met = memory_new(cells, sizeof *p->met);
    if (!p->pursuers || !p->path || !p->met)
        return error_memory(error);
    p->memory = sizeof *p + p->lee->memory + 3 * wave_field_bytes(p->medium) +
                cells * (sizeof *p->path + sizeof *p->met + sizeof(double) +
                         sizeof *p->field.step + sizeof *p->field.time);
    return STATUS_OK;
}

enum status wave_pincer_new(const struct wave_pincer_view *view,
                            int pursuers_most, struct wave_pincer **pincer,
                            struct error *error)
{
    struct wave_pincer *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    *made = (struct wave_pincer){ .view = *view, .settings = *view->wave };
    if (view->wave->source >= SOURCE_SIGNAL) /* the target's, not theirs */
        made->settings.source = SOURCE_IMPULSE;
    enum status status = make_members(made, pursuers_most, error);
    if (status)
        wave_pincer_release(made);
    else
        *pincer = made;
    return status;
}

void wave_pincer_release(struct wave_pincer *p)
{
    if (!p)
        return;
    pincer_release(p->pincer);
    search_workspace_release(p->lee);
    wave_release(p->wave);
    medium_release(p->medium);
    arrival_field_release(&p->field);
    terrain_release(&p->terrain);
    memory_release(p->generation);
    memory_release(p->pursuers);
    memory_release(p->path);
    memory_release(p->met);
    memory_release(p);
}
