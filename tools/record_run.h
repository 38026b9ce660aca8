/* SPDX-License-Identifier: MIT */
/* A run from its beginning to whatever ends it, as hamon-record tells it. */
#ifndef HAMON_TOOLS_RECORD_RUN_H
#define HAMON_TOOLS_RECORD_RUN_H

#include "base/ranks.h"
#include "cli.h"
#include "run.h"

#include <stdint.h>

/* Nothing is under way yet and every rank comes here: has any a fault? The
 * first that has one tells it, and all end with it. */
int record_agree(struct ranks *ranks, enum status status,
                 const struct error *error);

/* Begins or goes on with the run, tells what it takes, steps until the end, a
 * signal or a fault, and closes it. The exit code; after INT or TERM a process
 * that is alone dies by the signal. Frees the run, whatever becomes of it. */
int record_run(const struct cli *cli, struct run *run, int64_t steps,
               const char *path, struct ranks *ranks);

#endif
