/* SPDX-License-Identifier: MIT */
#include "simulate.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/state.h"
#include "base/team.h"
#include "wave/wave.h"

#include <float.h>
#include <inttypes.h>

struct simulation {
    const struct scenario *scenario;
    struct terrain terrain; /* its own: events change it */
    struct team *team;
    struct medium *medium; /* NULL where no wave runs */
    struct wave **waves;
    struct emission *emissions; /* of this generation; room for every wave */
    size_t emission_count;
    struct pursuit *pursuit;
    struct random random;
    int64_t step;
    size_t next_event; /* the first that is not applied yet */
    bool terrain_changed, may_diverge;
};

static int wave_count(const struct simulation *simulation)
{
    return simulation->medium ? simulation->scenario->wave.count : 0;
}

static enum status waves_new(struct simulation *simulation, int threads,
                             struct error *error)
{
    const struct wave_settings *settings = &simulation->scenario->wave;
    enum status status =
        team_new(threads, settings->flush_denormals, &simulation->team, error);
    if (status)
        return status;
    status =
        medium_new(&simulation->terrain, settings, &simulation->medium, error);
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

/* Can an amplitude leave the numbers? A stable scheme of one speed whose map
 * stays is a sum of modes, each of which grows by the k-th power of a number
 * of magnitude 1, or k-fold where it is the mean (U_k of Chebyshev): |z[k]| ≤
 * (k + 1)·√cells·A, and (k + 1) times that for a source that goes on. */
static bool may_diverge(const struct scenario *scenario)
{
    const struct wave_settings *wave = &scenario->wave;
    double ages = (double)wave->lifetime + 1;
    double most = wave->amplitude * ages * ages *
                  (double)grid_cells(&scenario->terrain.grid);
    double largest =
        wave->precision == PRECISION_SINGLE ? (double)FLT_MAX : DBL_MAX;
    return wave->allow_unstable || scenario->event_count ||
           scenario->terrain.speed || !(most < 1e-6 * largest);
}

static enum status fill(struct simulation *simulation, int threads,
                        struct error *error)
{
    const struct scenario *scenario = simulation->scenario;
    enum status status =
        terrain_copy(&scenario->terrain, &simulation->terrain, error);
    if (!status && scenario->has_wave)
        status = waves_new(simulation, threads, error);
    if (status)
        return status;
    simulation->may_diverge = may_diverge(scenario);
    random_seed(&simulation->random, scenario->seed);
    struct pursuit_view view = {
        .terrain = &simulation->terrain,
        .agents = scenario->agents,
        .agent_count = scenario->agent_count,
        .target = scenario->has_target ? &scenario->target : NULL,
        .pursuit = &scenario->pursuit,
        .arrival = &scenario->arrival,
        .wave = &scenario->wave,
        .waves = simulation->waves,
        .team = simulation->team,
    };
    return pursuit_new(&view, &simulation->random, &simulation->pursuit, error);
}

enum status simulation_new(const struct scenario *scenario, int threads,
                           struct simulation **simulation, struct error *error)
{
    struct simulation *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->scenario = scenario;
    enum status status = fill(made, threads, error);
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
    memory_release(simulation);
}

/* The terrain, the medium and the walled cells of every wave take up one
 * event; nothing is rebuilt. */
static enum status apply(struct simulation *simulation,
                         const struct terrain_change *change,
                         struct error *error)
{
    for (int i = 0; i < wave_count(simulation); i++)
        wave_catch_up(simulation->waves[i]); /* by the map as it was */
    terrain_apply(&simulation->terrain, change);
    if (simulation->medium)
        medium_update(simulation->medium, &change->box);
    if (change->kind == CHANGE_WALL)
        for (int i = 0; i < wave_count(simulation); i++)
            wave_clear_walls(simulation->waves[i], &change->box);
    return pursuit_update(simulation->pursuit, &change->box, error);
}

/* All events up to this step; *changed where there were any. */
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

/* The waves and Lee's fronts that are due go out from the target's cell. */
static void emit(struct simulation *simulation)
{
    const struct target *target = pursuit_target(simulation->pursuit);
    size_t cell = grid_nearest(&simulation->terrain.grid, target->at);
    int64_t step = simulation->step;
    for (int i = 0; i < simulation->scenario->wave.count; i++) {
        if (pursuit_wave_due(simulation->pursuit, i, step)) {
            wave_emit(simulation->waves[i], cell, step);
            pursuit_wave_emitted(simulation->pursuit, i, cell);
            simulation->emissions[simulation->emission_count++] =
                (struct emission){ .wave = i, .cell = cell };
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
        pursuit_step(simulation->pursuit, 0, &simulation->random);
    return STATUS_OK;
}

bool simulation_plan(struct simulation *simulation, struct agent_plan *plan)
{
    return !simulation_ended(simulation) &&
           pursuit_plan(simulation->pursuit, simulation->step,
                        &simulation->random, plan);
}

enum status simulation_advance(struct simulation *simulation,
                               struct error *error)
{
    struct agent_plan plan;
    while (simulation_plan(simulation, &plan))
        ;
    for (int i = 0; i < wave_count(simulation); i++) {
        wave_owe(simulation->waves[i], simulation->team);
        if (simulation->may_diverge &&
            !wave_is_finite(simulation->waves[i], simulation->team))
            return error_set(
                error, STATUS_DIVERGED,
                "step %" PRId64 ": wave %d is no longer finite: the "
                "coefficients diverge, keep wave.delta within the limit",
                simulation->step + 1, i);
    }
    simulation->step++;
    pursuit_step(simulation->pursuit, simulation->step, &simulation->random);
    return STATUS_OK;
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

const struct emission *simulation_emissions(const struct simulation *simulation,
                                            size_t *count)
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

void simulation_gradient(const struct simulation *simulation, int wave,
                         void *gx, void *gy, void *gz)
{
    wave_gradient(simulation->waves[wave], gx, gy, gz, simulation->team);
}

struct team *simulation_team(const struct simulation *simulation)
{
    return simulation->team;
}

const struct pursuit *simulation_pursuit(const struct simulation *simulation)
{
    return simulation->pursuit;
}

static void wave_state(struct simulation *simulation, int index,
                       struct state *state)
{
    struct wave *wave = simulation->waves[index];
    size_t field = simulation_field_bytes(simulation);
    struct {
        int64_t emitted, source;
    } origin = { 0 };
    char *newest = state->mode == STATE_MEASURE
                       ? NULL
                       : state->memory + state->used + sizeof origin;
    if (state->mode == STATE_SAVE)
        wave_save(wave, newest, newest + field, &origin.emitted,
                  &origin.source);
    state_visit(state, &origin, sizeof origin);
    if (state->mode == STATE_LOAD)
        wave_load(wave, newest, newest + field, origin.emitted, origin.source,
                  simulation->step);
    state->used += 2 * field;
}

/* The terrain is not in the state: on loading, the events up to the step give
 * it again. */
static enum status visit(struct simulation *simulation, struct state *state,
                         struct error *error)
{
    enum status status = STATUS_OK;
    bool changed;
    state_visit(state, &simulation->step, sizeof simulation->step);
    state_visit(state, &simulation->random, sizeof simulation->random);
    if (state->mode == STATE_LOAD)
        status = apply_events(simulation, &changed, error);
    pursuit_state(simulation->pursuit, state);
    for (int i = 0; i < wave_count(simulation); i++)
        wave_state(simulation, i, state);
    return status;
}

size_t simulation_state_bytes(struct simulation *simulation)
{
    struct state state = { .mode = STATE_MEASURE };
    visit(simulation, &state, NULL);
    return state.used;
}

void simulation_save(struct simulation *simulation, void *memory)
{
    visit(simulation, &(struct state){ .mode = STATE_SAVE, .memory = memory },
          NULL);
}

enum status simulation_load(struct simulation *simulation, const void *memory,
                            struct error *error)
{
    struct state state = { .mode = STATE_LOAD, .memory = (char *)memory };
    return visit(simulation, &state, error);
}
