/* SPDX-License-Identifier: MIT */
/* A thread pool: threads that share a piece of work and wait for each other at
 * its end, and the rule for how many of them to use. */
#ifndef HAMON_BASE_TEAM_H
#define HAMON_BASE_TEAM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct team;

/* The caller is thread 0; threads − 1 more are started and wait. Flushing
 * denormals is a setting of each thread: with `flush_denormals` it is set in
 * every thread of the pool, and in the caller during team_run (its own setting
 * is restored). threads ≥ 1. Release with team_release. */
enum status team_new(int threads, bool flush_denormals, struct team **team,
                     struct error *error);

/* Stops and joins the threads. */
void team_release(struct team *team);

int team_threads(const struct team *team);

/* The number of processors that this process may use, at least 1: those of its
 * affinity, which taskset, a scheduler or a container sets. Opens no file. */
int team_processors(void);

/* Does part number `part` of `parts` of some work. Two threads never get the
 * same part. */
typedef void (*team_work)(void *context, int part, int parts);

/* Calls work for as many parts as there are threads and returns when all are
 * done. Each thread has its own part; if it has not begun it (its processor has
 * other work), a thread that has finished its own part does it. team may be
 * NULL: then work(context, 0, 1) is called by the caller, with the denormal
 * setting that it has. */
void team_run(struct team *team, team_work work, void *context);

/* As team_run, for work that is repeated often, as a step of a map is. It uses
 * as many parts as pay. `cells` is the amount of work, in updates of a cell
 * (CELLS_A_THREAD). */
void team_step(struct team *team, size_t cells, team_work work, void *context);

/* The updates of cells (about 0.1 ns each in the fastest loops) that one thread
 * must have before a further one pays: three times the time in which two
 * spinning threads synchronise (bench/threads; docs/studies/performance.md,
 * Threads). For larger work team_step and team_begin measure now and then
 * whether sharing pays. */
enum { CELLS_A_THREAD = 16384 };

/* True if HAMON_THREADS=all is in the environment: then all work is shared,
 * whether it pays or not, so that tests and measurements use every path on
 * small maps. */
bool team_takes_all(void);

/* How many threads, at most `most`, are useful for so many cells. */
int team_worth(size_t cells, int most);

/* For work in several team_run_parts: how many parts to use now for the kind of
 * work `work`. The time until team_end is measured. */
int team_begin(struct team *team, team_work work, size_t cells);
void team_end(struct team *team);

/* As team_run, in at most as many parts as there are threads. */
void team_run_parts(struct team *team, int parts, team_work work,
                    void *context);

/* The half-open range [*first, *last) of `count` items for `thread` of
 * `threads`: contiguous, in order, with sizes that differ by at most 1. */
void team_share(size_t count, int thread, int threads, size_t *first,
                size_t *last);

/* Sets whether this thread flushes denormals, and returns the previous setting.
 * Does nothing if the processor has no such mode. */
bool denormals_flush(bool flush);

#endif
