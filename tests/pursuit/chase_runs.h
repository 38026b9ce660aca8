/* SPDX-License-Identifier: MIT */
/* Simulations of scenarios written in the tests. */
#ifndef HAMON_TESTS_PURSUIT_CHASE_RUNS_H
#define HAMON_TESTS_PURSUIT_CHASE_RUNS_H

#include "base/memory.h"
#include "run/simulate.h"
#include "tests/suite.h"
#include "world/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct chase_run {
    struct scenario *scenario;
    struct simulation *simulation;
};

static inline struct chase_run chase_start(const char *text, int threads)
{
    struct chase_run run = { 0 };
    struct error error = { 0 };
    ck_assert_msg(!scenario_parse(text, "test", NULL, 0, &run.scenario, &error),
                  "%s", error.message);
    ck_assert_msg(
        !simulation_new(run.scenario, threads, &run.simulation, &error), "%s",
        error.message);
    ck_assert_int_eq(simulation_begin(run.simulation, NULL), STATUS_OK);
    return run;
}

static inline void chase_end(struct chase_run *run)
{
    simulation_release(run->simulation);
    scenario_release(run->scenario);
}

/* One generation, up to the test of its row. */
static inline void chase_step(struct chase_run *run)
{
    struct error error = { 0 };
    ck_assert_msg(!simulation_advance(run->simulation, &error), "%s",
                  error.message);
    ck_assert_int_eq(simulation_begin(run->simulation, NULL), STATUS_OK);
}

static inline void chase_go_to(struct chase_run *run, int64_t step)
{
    while (simulation_step(run->simulation) < step)
        chase_step(run);
}

static inline const struct agents *chase_agents(const struct chase_run *run)
{
    return pursuit_agents(simulation_pursuit(run->simulation));
}

static inline const struct target *chase_target(const struct chase_run *run)
{
    return pursuit_target(simulation_pursuit(run->simulation));
}

/* Everything the next steps depend on, as bytes; from memory_new. */
static inline char *chase_state(struct chase_run *run, size_t *bytes)
{
    struct state state = { .mode = STATE_MEASURE };
    simulation_state(run->simulation, &state, NULL);
    *bytes = state.used;
    char *memory = memory_new(*bytes, 1);
    ck_assert_ptr_nonnull(memory);
    state = (struct state){ .mode = STATE_SAVE, .memory = memory };
    simulation_state(run->simulation, &state, NULL);
    return memory;
}

/* The reverse, into a new simulation of the same scenario. */
static inline enum status simulation_load(struct simulation *simulation,
                                          const char *memory,
                                          struct error *error)
{
    struct state state = { .mode = STATE_LOAD,
                           .memory = (char *)(uintptr_t)memory };
    enum status status = simulation_state(simulation, &state, error);
    if (!status && state.strange)
        return error_set(error, STATUS_INPUT,
                         "the state does not belong to this scenario");
    return status;
}

#endif
