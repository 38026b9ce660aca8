/* SPDX-License-Identifier: MIT */
/* Runs a scenario to its end, for the tests that look at its recording. */
#ifndef HAMON_TESTS_VIEW_RUN_SCENARIO_H
#define HAMON_TESTS_VIEW_RUN_SCENARIO_H

#include "run/run.h"
#include "scenario/scenario.h"
#include "tests/suite.h"

/* Releases the scenario. */
static inline void run_scenario(struct scenario *scenario, const char *path)
{
    const struct run_options options = {
        .path = path, .force = true, .threads = 1, .command = "test"
    };
    struct run *run;
    bool ended = false;
    ck_assert_int_eq(run_new(scenario, &options, &run, NULL), STATUS_OK);
    ck_assert_int_eq(run_begin(run, NULL), STATUS_OK);
    while (!ended)
        ck_assert_int_eq(run_step(run, &ended, NULL), STATUS_OK);
    ck_assert_int_eq(run_close(run, RUN_DONE, NULL, NULL), STATUS_OK);
    scenario_release(scenario);
}

#endif
