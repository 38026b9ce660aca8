/* SPDX-License-Identifier: MIT */
#include "run/simulate.h"

#include "base/memory.h"
#include "wave/arrival/detector.h"
#include "wave/step/halo.h"
#include "wave/wave.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

struct simulation {
    const struct scenario *scenario;
    struct terrain terrain; /* its own copy, which events change */
    /* If ranks share the map: `terrain` belongs to the first rank only; each
     * rank has its share of it, and exchanges the waves by the halo. */
    struct ranks *ranks;
    struct share share;
    struct terrain held;
    struct halo *halo;
    struct team *team;
    struct medium *medium; /* NULL if no wave runs */
    struct wave **waves;
    /* of this generation, with room for every wave */
    struct simulation_emission *emissions;
    size_t emission_count;
    struct pursuit *pursuit;
    int64_t step;
    size_t next_event; /* the first that is not applied yet */
    bool terrain_changed, may_diverge, looks_at_all;
};

static int wave_count(const struct simulation *simulation)
{
    return simulation->medium ? simulation->scenario->wave.count : 0;
}

/* The depth of the halo. An agent may be half a cell outside its block. The
 * nodes round it and their neighbours are at most two cells away; if it steers
 * by nodes, so are those within its sight. */
static int halo_depth(const struct scenario *scenario)
{
    int depth = 1;
    for (size_t i = 0; i < scenario->agent_count; i++) {
        const struct agent_settings *agent = &scenario->agents[i];
        int needed = steers_by_nodes(agent->steering)
                         ? (int)ceil(scenario->pursuit.sight) + 2
                         : 2;
        if (agent_methods[agent->method]->waves && needed > depth)
            depth = needed;
    }
    return depth;
}

/* A message is limited to 2 GiB. */
static void pass_array(struct ranks *ranks, int from, int to, char *array,
                       size_t bytes)
{
    enum { PIECE = 1 << 30 };
    for (size_t at = 0, now; at < bytes; at += now) {
        now = bytes - at < PIECE ? bytes - at : PIECE;
        if (ranks_self(ranks) == from)
            ranks_send(ranks, to, 0, array + at, now);
        else
            ranks_receive(ranks, from, 0, array + at, now);
        ranks_wait(ranks);
    }
}

/* The first rank sends each rank its share of the map. */
static enum status deal(struct simulation *simulation, int to,
                        const struct box *held, struct error *error)
{
    const struct terrain *whole = &simulation->scenario->terrain;
    struct ranks *ranks = simulation->ranks;
    const int self = ranks_self(ranks);
    const struct grid grid = box_grid(held, whole->grid.dims);
    struct terrain part = { 0 };
    bool has[TERRAIN_ARRAYS];
    enum status status = STATUS_OK;
    for (int i = 0; i < TERRAIN_ARRAYS; i++)
        has[i] = terrain_array_at(whole, i) != NULL;
    if (self == 0)
        status = terrain_cut(whole, held, &part, error);
    else if (self == to)
        status = terrain_blank(&part, &grid, has, error);
    status = ranks_agree(ranks, status, error);
    for (int i = 0; i < TERRAIN_ARRAYS && !status; i++)
        if (has[i] && to > 0 && (self == 0 || self == to))
            pass_array(ranks, 0, to, terrain_array_at(&part, i),
                       grid_cells(&grid) * terrain_arrays[i].width);
    if (!status && self == to)
        simulation->held = part;
    else
        terrain_release(&part);
    return status;
}

static enum status share_world(struct simulation *simulation,
                               struct error *error)
{
    const struct scenario *scenario = simulation->scenario;
    const struct grid *grid = &scenario->terrain.grid;
    const int depth = halo_depth(scenario);
    if (scenario->has_wave && wave_open_sides(&scenario->wave, grid->dims))
        return error_at(error, STATUS_INPUT, scenario->path, 0,
                        "wave.edge: ranks cannot share a run with open edges; "
                        "run it as one process, or with edge \"mirror\"");
    struct halo_options options = {
        .depth = depth,
        .corners = depth > 1 ||
                   detector_has_diagonals(&scenario->arrival, &scenario->wave),
        .item = sizeof(double),
    };
    struct split split;
    enum status status = split_make(grid, ranks_count(simulation->ranks),
                                    options.depth, &split, error);
    if (status)
        return status;
    simulation->share =
        split_share(&split, ranks_self(simulation->ranks), options.depth);
    status =
        halo_new(&split, simulation->ranks, &options, &simulation->halo, error);
    status = ranks_agree(simulation->ranks, status, error);
    for (int i = 0; i < ranks_count(simulation->ranks) && !status; i++) {
        struct share theirs = split_share(&split, i, depth);
        status = deal(simulation, i, &theirs.held, error);
    }
    return status;
}

static enum status waves_new(struct simulation *simulation, int threads,
                             struct error *error)
{
    const struct wave_settings *settings = &simulation->scenario->wave;
    const size_t cells = box_cells(&simulation->share.held);
    if (!team_takes_all())
        threads = wave_threads(cells, settings->count, threads);
    enum status status =
        team_new(threads, settings->flush_denormals, &simulation->team, error);
    if (status)
        return status;
    status = medium_new_shared(simulation_held(simulation), &simulation->share,
                               simulation->halo, settings, &simulation->medium,
                               error);
    if (status)
        return status;
    size_t count = (size_t)settings->count;
    simulation->waves = memory_new(count, sizeof *simulation->waves);
    simulation->emissions = memory_new(count, sizeof *simulation->emissions);
    if (!simulation->waves || !simulation->emissions)
        return error_memory(error);
    for (size_t i = 0; i < count && !status; i++)
        status = wave_new(simulation->medium, &simulation->waves[i], error);
    return status;
}

/* Can an amplitude become infinite? A stable scheme with one speed on a
 * constant map is a sum of modes. Each grows by the k-th power of a number of
 * magnitude 1, or k-fold for the mean (U_k of Chebyshev):
 * |z[k]| ≤ (k + 1)·√cells·A, and (k + 1) times that for a source that
 * continues. */
static bool may_diverge(const struct scenario *scenario)
{
    const struct wave_settings *wave = &scenario->wave;
    double ages = (double)(wave->restart == RESTART_RECEIVED ? scenario->steps
                                                             : wave->lifetime) +
                  1;
    double most = wave->amplitude * ages * ages *
                  (double)grid_cells(&scenario->terrain.grid);
    double largest =
        wave->precision == PRECISION_SINGLE ? (double)FLT_MAX : DBL_MAX;
    return wave->allow_unstable || scenario->event_count ||
           scenario->terrain.speed || !(most < 1e-6 * largest);
}

static enum status make_members(struct simulation *simulation, int threads,
                                struct error *error)
{
    const struct scenario *scenario = simulation->scenario;
    bool first = ranks_self(simulation->ranks) == 0;
    enum status status = STATUS_OK;
    simulation->terrain.grid = scenario->terrain.grid;
    simulation->share = share_whole(&scenario->terrain.grid);
    if (first)
        status = terrain_copy(&scenario->terrain, &simulation->terrain, error);
    status = ranks_agree(simulation->ranks, status, error);
    if (!status && simulation->ranks)
        status = share_world(simulation, error);
    if (!status && scenario->has_wave)
        status = waves_new(simulation, threads, error);
    status = ranks_agree(simulation->ranks, status, error);
    if (status)
        return status;
    simulation->may_diverge = may_diverge(scenario);
    struct pursuit_view view = {
        .terrain = first ? &simulation->terrain : &scenario->terrain,
        .agents = scenario->agents,
        .agent_count = scenario->agent_count,
        .seed = scenario->seed,
        .target = scenario->has_target ? &scenario->target : NULL,
        .pursuit = &scenario->pursuit,
        .arrival = &scenario->arrival,
        .wave = &scenario->wave,
        .waves = simulation->waves,
        .team = simulation->team,
    };
    if (simulation->ranks) {
        view.ranks = simulation->ranks;
        view.share = &simulation->share;
        view.held = &simulation->held;
        view.halo = simulation->halo;
    }
    return pursuit_new(&view, &simulation->pursuit, error);
}

enum status simulation_new(const struct scenario *scenario, int threads,
                           struct simulation **simulation, struct error *error)
{
    return simulation_new_shared(scenario, threads, NULL, simulation, error);
}

enum status simulation_new_shared(const struct scenario *scenario, int threads,
                                  struct ranks *ranks,
                                  struct simulation **simulation,
                                  struct error *error)
{
    struct simulation *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->scenario = scenario;
    made->ranks = ranks;
    enum status status = make_members(made, threads, error);
    if (status)
        simulation_release(made);
    else
        *simulation = made;
    return status;
}

void simulation_release(struct simulation *simulation)
{
    if (!simulation)
        return;
    pursuit_release(simulation->pursuit);
    for (int i = 0; simulation->waves && i < simulation->scenario->wave.count;
         i++)
        wave_release(simulation->waves[i]);
    memory_release(simulation->waves);
    memory_release(simulation->emissions);
    medium_release(simulation->medium);
    team_release(simulation->team);
    terrain_release(&simulation->terrain);
    terrain_release(&simulation->held);
    halo_release(simulation->halo);
    memory_release(simulation);
}

/* Applies one event to the medium and to the walls of every wave; nothing is
 * rebuilt. */
static void apply_held(struct simulation *simulation,
                       const struct terrain_change *change)
{
    struct terrain_change local = *change;
    if (!box_meet(&change->box, &simulation->share.held, &local.box))
        return;
    local.box = box_from(&local.box, simulation->share.held.low);
    if (simulation->ranks)
        terrain_apply(&simulation->held, &local);
    if (simulation->medium)
        medium_update(simulation->medium, &local.box);
    if (change->kind == CHANGE_WALL)
        for (int i = 0; i < wave_count(simulation); i++)
            wave_clear_walls(simulation->waves[i], &local.box);
}

static enum status apply(struct simulation *simulation,
                         const struct terrain_change *change,
                         struct error *error)
{
    for (int i = 0; i < wave_count(simulation); i++)
        wave_catch_up(simulation->waves[i]); /* with the map as it was */
    pursuit_catch_up(simulation->pursuit);
    if (ranks_self(simulation->ranks) == 0)
        terrain_apply(&simulation->terrain, change);
    apply_held(simulation, change);
    return pursuit_update(simulation->pursuit, &change->box, error);
}

/* Applies all events up to this step; *changed if there were any. */
static enum status apply_events(struct simulation *simulation, bool *changed,
                                struct error *error)
{
    const struct scenario *scenario = simulation->scenario;
    enum status status = STATUS_OK;
    *changed = false;
    while (!status && simulation->next_event < scenario->event_count &&
           scenario->events[simulation->next_event].step <= simulation->step) {
        const struct map_event *event =
            &scenario->events[simulation->next_event++];
        status = apply(simulation, &event->change, error);
        *changed = true;
    }
    return status;
}

/* Emits the waves and Lee's fronts that are due, at the target's cell. */
static void emit(struct simulation *simulation)
{
    const struct target *target = pursuit_target(simulation->pursuit);
    size_t cell = (size_t)target->cell;
    int64_t step = simulation->step;
    for (int i = 0; i < simulation->scenario->wave.count; i++) {
        if (pursuit_wave_due(simulation->pursuit, i, step)) {
            wave_emit(simulation->waves[i], cell, step);
            pursuit_wave_emitted(simulation->pursuit, i, cell);
            simulation->emissions[simulation->emission_count++] =
                (struct simulation_emission){ .wave = i, .cell = cell };
        }
        if (pursuit_lee_due(simulation->pursuit, i, step))
            pursuit_lee_emit(simulation->pursuit, i, cell, step);
    }
}

enum status simulation_begin(struct simulation *simulation, struct error *error)
{
    enum status status =
        apply_events(simulation, &simulation->terrain_changed, error);
    if (status)
        return status;
    simulation->emission_count = 0;
    emit(simulation);
    if (simulation->step == 0)
        status = pursuit_step(simulation->pursuit, 0, error);
    return status;
}

bool simulation_plan(struct simulation *simulation, struct agent_plan *plan)
{
    return !simulation_ended(simulation) &&
           pursuit_plan(simulation->pursuit, simulation->step, plan);
}

static bool is_infinite(const struct simulation *simulation, int wave)
{
    return halo_any(simulation->halo,
                    !wave_is_finite(simulation->waves[wave], simulation->team));
}

void simulation_look_at_all(struct simulation *simulation)
{
    simulation->looks_at_all = true;
}

enum status simulation_advance(struct simulation *simulation,
                               struct error *error)
{
    struct agent_plan plan;
    while (simulation_plan(simulation, &plan))
        ;
    for (int i = 0; i < wave_count(simulation); i++)
        wave_owe(simulation->waves[i], simulation->team);
    if (simulation->may_diverge || simulation->looks_at_all)
        waves_catch_up(simulation->waves, wave_count(simulation),
                       simulation->team);
    for (int i = 0; i < wave_count(simulation); i++)
        if (simulation->may_diverge && is_infinite(simulation, i))
            return error_set(error, STATUS_DIVERGED,
                             "step %" PRId64
                             ": wave %d is no longer finite: the coefficients "
                             "diverge; keep wave.delta within the limit",
                             simulation->step + 1, i);
    simulation->step++;
    return pursuit_step(simulation->pursuit, simulation->step, error);
}

int64_t simulation_step(const struct simulation *simulation)
{
    return simulation->step;
}

bool simulation_ended(const struct simulation *simulation)
{
    return simulation->step >= simulation->scenario->steps ||
           pursuit_over(simulation->pursuit);
}

const struct terrain *simulation_terrain(const struct simulation *simulation)
{
    return &simulation->terrain;
}

bool simulation_terrain_changed(const struct simulation *simulation)
{
    return simulation->terrain_changed;
}

const struct simulation_emission *
simulation_emissions(const struct simulation *simulation, size_t *count)
{
    *count = simulation->emission_count;
    return simulation->emissions;
}

size_t simulation_field_bytes(const struct simulation *simulation)
{
    return simulation->medium ? wave_field_bytes(simulation->medium) : 0;
}

void simulation_amplitude(const struct simulation *simulation, int wave,
                          void *field)
{
    wave_copy(simulation->waves[wave], field, simulation->team);
}

struct amplitudes simulation_newest(const struct simulation *simulation,
                                    int wave)
{
    struct amplitudes newest = wave_newest(simulation->waves[wave]);
    const struct share *share = &simulation->share;
    const int *own = share->own.low, *held = share->held.low;
    ptrdiff_t cell = (own[2] - held[2]) * newest.layer +
                     (own[1] - held[1]) * newest.row + own[0] - held[0];
    bool single = simulation->scenario->wave.precision == PRECISION_SINGLE;
    newest.values = (const char *)newest.values +
                    cell * (ptrdiff_t)(single ? sizeof(float) : sizeof(double));
    if (simulation->ranks) /* coordinates are those of the share */
        newest.lit = NULL;
    return newest;
}

void simulation_gradient(const struct simulation *simulation, int wave,
                         void *gx, void *gy, void *gz)
{
    wave_gradient(simulation->waves[wave], gx, gy, gz, simulation->team);
}

const struct share *simulation_share(const struct simulation *simulation)
{
    return &simulation->share;
}

const struct terrain *simulation_held(const struct simulation *simulation)
{
    return simulation->ranks ? &simulation->held : &simulation->terrain;
}

const struct medium *simulation_medium(const struct simulation *simulation)
{
    return simulation->medium;
}

struct team *simulation_team(const struct simulation *simulation)
{
    return simulation->team;
}

const struct pursuit *simulation_pursuit(const struct simulation *simulation)
{
    return simulation->pursuit;
}

/* ---- the state ---- */

/* More than in any scenario. The caller checks it against the scenario's own
 * steps. */
#define STEP_MOST INT64_C(1000000000000)

/* The terrain is not in the state. On loading, the events up to the step are
 * applied again. */
enum status simulation_state(struct simulation *simulation, struct state *state,
                             struct error *error)
{
    enum status status = STATUS_OK;
    bool changed;
    if (state->mode == STATE_SAVE)
        status = pursuit_state_ready(simulation->pursuit, error);
    state_visit_whole(state, &simulation->step, 1, 0, STEP_MOST);
    state->step = simulation->step;
    if (state->mode == STATE_LOAD)
        status = apply_events(simulation, &changed, error);
    pursuit_state(simulation->pursuit, state);
    for (int i = 0; i < wave_count(simulation); i++)
        wave_state(simulation->waves[i], simulation->step, state);
    return status;
}
