/* SPDX-License-Identifier: MIT */
#include "simulate.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/team.h"
#include "wave/wave.h"

#include <inttypes.h>
#include <string.h>

struct simulation {
    const struct scenario *scenario;
    struct terrain terrain; /* its own: events change it */
    struct team *team;
    struct medium *medium; /* NULL where no wave runs */
    struct wave **waves;
    struct emission *emissions; /* of this generation; room for every wave */
    size_t emission_count;
    struct agents agents;
    struct target target;
    struct random random;
    int64_t step;
    size_t next_event; /* the first that is not applied yet */
    bool terrain_changed;
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

static enum status fill(struct simulation *simulation, int threads,
                        struct error *error)
{
    const struct scenario *scenario = simulation->scenario;
    enum status status =
        terrain_copy(&scenario->terrain, &simulation->terrain, error);
    if (!status)
        status = agents_init(&simulation->agents, scenario->agents,
                             scenario->agent_count, error);
    if (status)
        return status;
    if (scenario->has_target)
        simulation->target.settings = &scenario->target;
    random_seed(&simulation->random, scenario->seed);
    status = agents_place(&simulation->agents, &simulation->target,
                          &simulation->terrain, &simulation->random, error);
    if (!status && scenario->has_wave)
        status = waves_new(simulation, threads, error);
    return status;
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
    for (int i = 0; simulation->waves && i < simulation->scenario->wave.count;
         i++)
        wave_release(simulation->waves[i]);
    memory_release(simulation->waves);
    memory_release(simulation->emissions);
    medium_release(simulation->medium);
    team_release(simulation->team);
    agents_release(&simulation->agents);
    terrain_release(&simulation->terrain);
    memory_release(simulation);
}

/* The terrain, the medium and the walled cells of every wave take up one
 * event; nothing is rebuilt. */
static void apply(struct simulation *simulation,
                  const struct terrain_change *change)
{
    terrain_apply(&simulation->terrain, change);
    if (!simulation->medium)
        return;
    medium_update(simulation->medium, &change->box);
    if (change->kind == CHANGE_WALL)
        for (int i = 0; i < wave_count(simulation); i++)
            wave_clear_walls(simulation->waves[i], &change->box);
}

/* Wave i of n emits at ⌊iT/n⌋ + mT. */
static bool emission_due(const struct wave_settings *settings, int wave,
                         int64_t step)
{
    int64_t first = wave * settings->lifetime / settings->count;
    return step >= first && (step - first) % settings->lifetime == 0;
}

static void emit(struct simulation *simulation, int wave)
{
    size_t cell =
        grid_nearest(&simulation->terrain.grid, simulation->target.at);
    wave_emit(simulation->waves[wave], cell, simulation->step);
    simulation->emissions[simulation->emission_count++] =
        (struct emission){ .wave = wave, .cell = cell };
}

void simulation_begin(struct simulation *simulation)
{
    const struct scenario *scenario = simulation->scenario;
    simulation->terrain_changed = false;
    while (simulation->next_event < scenario->event_count &&
           scenario->events[simulation->next_event].step <= simulation->step) {
        apply(simulation, &scenario->events[simulation->next_event].change);
        simulation->next_event++;
        simulation->terrain_changed = true;
    }
    simulation->emission_count = 0;
    for (int i = 0; i < wave_count(simulation); i++)
        if (emission_due(&scenario->wave, i, simulation->step))
            emit(simulation, i);
}

enum status simulation_advance(struct simulation *simulation,
                               struct error *error)
{
    for (int i = 0; i < wave_count(simulation); i++) {
        wave_step(simulation->waves[i], simulation->team);
        if (!wave_is_finite(simulation->waves[i], simulation->team))
            return error_set(
                error, STATUS_DIVERGED,
                "step %" PRId64 ": wave %d is no longer finite: the "
                "coefficients diverge, keep wave.delta within the limit",
                simulation->step + 1, i);
    }
    simulation->step++;
    return STATUS_OK;
}

int64_t simulation_step(const struct simulation *simulation)
{
    return simulation->step;
}

bool simulation_ended(const struct simulation *simulation)
{
    return simulation->step >= simulation->scenario->steps;
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

const struct agents *simulation_agents(const struct simulation *simulation)
{
    return &simulation->agents;
}

const struct target *simulation_target(const struct simulation *simulation)
{
    return &simulation->target;
}

/* ---- the state: a header, the agents, then both generations of each wave */

struct state_header {
    int64_t step;
    struct random random;
};

struct state_wave {
    int64_t emitted, source;
};

size_t simulation_state_bytes(const struct simulation *simulation)
{
    return sizeof(struct state_header) +
           agents_state_bytes(&simulation->agents) +
           (size_t)wave_count(simulation) *
               (sizeof(struct state_wave) +
                2 * simulation_field_bytes(simulation));
}

void simulation_save(const struct simulation *simulation, void *memory)
{
    struct state_header header = { .step = simulation->step,
                                   .random = simulation->random };
    char *at = memory;
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    agents_save(&simulation->agents, &simulation->target, at);
    at += agents_state_bytes(&simulation->agents);
    size_t field = simulation_field_bytes(simulation);
    for (int i = 0; i < wave_count(simulation); i++) {
        struct state_wave wave;
        char *newest = at + sizeof wave;
        wave_save(simulation->waves[i], newest, newest + field, &wave.emitted,
                  &wave.source);
        memcpy(at, &wave, sizeof wave);
        at = newest + 2 * field;
    }
}

/* The terrain is not in the state: the events up to the step give it again. */
static void replay_events(struct simulation *simulation)
{
    const struct scenario *scenario = simulation->scenario;
    while (simulation->next_event < scenario->event_count &&
           scenario->events[simulation->next_event].step <= simulation->step)
        apply(simulation, &scenario->events[simulation->next_event++].change);
}

void simulation_load(struct simulation *simulation, const void *memory)
{
    struct state_header header;
    const char *at = memory;
    memcpy(&header, at, sizeof header);
    at += sizeof header;
    simulation->step = header.step;
    simulation->random = header.random;
    agents_load(&simulation->agents, &simulation->target, at);
    at += agents_state_bytes(&simulation->agents);
    replay_events(simulation);
    size_t field = simulation_field_bytes(simulation);
    for (int i = 0; i < wave_count(simulation); i++) {
        struct state_wave wave;
        memcpy(&wave, at, sizeof wave);
        const char *newest = at + sizeof wave;
        wave_load(simulation->waves[i], newest, newest + field, wave.emitted,
                  wave.source, simulation->step);
        at = newest + 2 * field;
    }
}
