/* SPDX-License-Identifier: MIT */
/* A run: a simulation and its recording, one step at a time. It takes a checked
 * scenario and a path, and makes a recording that can be resumed. */
#ifndef HAMON_RUN_RUN_H
#define HAMON_RUN_RUN_H

#include "base/ranks.h"
#include "base/status.h"
#include "recording/format/schema.h"
#include "scenario/scenario.h"

#include <stdbool.h>
#include <stdint.h>

struct run;

struct run_options {
    const char *path;    /* of the recording */
    bool force;          /* an existing recording is replaced */
    bool resume;         /* it is resumed from its last commit */
    bool collective;     /* ranks write frames together: recorder_share */
    int threads;         /* ≥ 1 */
    const char *command; /* the command line, for the provenance */
    /* the ranks that share the run and call all this together, or NULL */
    struct ranks *ranks;
};

/* The size of a run, before anything is written. */
struct run_size {
    int64_t rows;
    uint64_t bytes;     /* of the recording */
    uint64_t disk_free; /* on its file system; 0 if not known */
    /* Capacities of the tables, in rows. */
    size_t emissions, arrivals, captures, plans;
};

/* Makes the simulation and plans the recording; nothing is written. Borrows
 * all. Free with run_close or run_abandon. */
enum status run_new(const struct scenario *scenario,
                    const struct run_options *options, struct run **run,
                    struct error *error);

enum status run_size(const struct run *run, struct run_size *size,
                     struct error *error);

/* Allocates the memory for frames and commits. run_begin does this itself; call
 * it to find out how much it is (memory_most). */
enum status run_take_room(struct run *run, struct error *error);

/* Creates the recording and records step 0; or resumes it: the next step is the
 * one after run_steps_done. */
enum status run_begin(struct run *run, struct error *error);

/* Is run_begin so far that the ranks work together? Before that an error ends
 * all ranks, and the rank that has the error reports it. */
bool run_is_under_way(const struct run *run);

/* Makes one step, records its generation, and commits if it is time. *ended
 * becomes true if there is no further step: then call run_close. */
enum status run_step(struct run *run, bool *ended, struct error *error);

int64_t run_steps_done(const struct run *run);

/* The number of arrivals that were lost to underflow: too small for the
 * precision. */
int64_t run_lost_arrivals(const struct run *run);

uint64_t run_bytes_written(const struct run *run);

/* Commits what is recorded and closes the recording with `state`. `note` as in
 * recorder_close. Frees the run, whatever it returns. */
enum status run_close(struct run *run, enum run_state state, char *note,
                      struct error *error);

/* Frees the run; the recording stays as the last commit left it, and a new one
 * without a commit is removed. */
void run_abandon(struct run *run);

#endif
