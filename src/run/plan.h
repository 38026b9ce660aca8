/* SPDX-License-Identifier: MIT */
/* From a scenario to the layout of its recording: which variables, how many
 * frames, how large the tables, which texts. */
#ifndef HAMON_RUN_PLAN_H
#define HAMON_RUN_PLAN_H

#include "base/status.h"
#include "recording/write/recorder.h"
#include "run/simulate.h"
#include "scenario/scenario.h"

#include <stdint.h>

enum { RUN_TEXTS = 14 };

struct run_plan {
    struct recording_plan recording;
    /* Arrays that the recording's plan borrows. */
    int64_t *version_steps;
    const char **agent_names, **agent_methods;
    struct recording_text texts[RUN_TEXTS];
    char host[256], date[32], seed[24];
    char *start; /* start.h; NULL: nothing is hidden */
};

/* Makes all of the plan but restart_bytes. Borrows all; command may be NULL.
 * Release with run_plan_release, which also takes a zeroed or incomplete
 * plan. */
enum status run_plan_init(struct run_plan *plan,
                          const struct scenario *scenario,
                          const struct simulation *simulation,
                          const char *command, struct error *error);
void run_plan_release(struct run_plan *plan);

int64_t run_plan_rows(const struct run_plan *plan);

/* The free bytes on the file system of `path`; 0 if not known. */
uint64_t run_plan_disk_free(const char *path);

#endif
