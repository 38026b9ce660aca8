/* SPDX-License-Identifier: MIT */
/* A team of threads that share pieces of work and meet again at their end, and
 * the rule of how many of them a piece of work is worth. */
#ifndef HAMON_BASE_TEAM_H
#define HAMON_BASE_TEAM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct team;

/* The caller is thread 0; threads − 1 more are started and wait. Flushing
 * denormals is a setting of each thread: `flush_denormals` sets it in every
 * member, and in the caller while it runs team_run (and gives the caller's
 * own mode back). threads ≥ 1. Release with team_release. */
enum status team_new(int threads, bool flush_denormals, struct team **team,
                     struct error *error);

/* Stops and joins the threads. */
void team_release(struct team *team);

int team_threads(const struct team *team);

/* The processors that this process may run on, at least 1: those of its
 * affinity, which taskset, a scheduler or a container sets, and asked without
 * opening a file. */
int team_processors(void);

/* Work in parts, of which `part` of `parts` is to be done. No two threads are
 * ever at the same part. */
typedef void (*team_work)(void *context, int part, int parts);

/* Calls work for each of as many parts as there are threads and returns when
 * all are done. Each thread has a part of its own; one whose thread has not
 * begun it (its processor has other work) is done by a thread that is through
 * with its own. team may be NULL: then work(context, 0, 1) in the caller,
 * whatever its denormal mode. */
void team_run(struct team *team, team_work work, void *context);

/* The same for work that is done again and again, as a step of a map is: in as
 * many parts as pay. `cells` is how much there is to do, in updates of a cell
 * (CELLS_A_THREAD). */
void team_step(struct team *team, size_t cells, team_work work, void *context);

/* The updates of cells (some 0.1 ns each in the fastest loops) that one thread
 * must have for a further one to pay: three times what two threads that spin
 * take to meet (bench/threads; docs/studies/performance.md, Threads). Of what
 * is larger team_step and team_begin measure now and then whether threads pay
 * now. */
enum { CELLS_A_THREAD = 16384 };

/* HAMON_THREADS=all in the environment: teams share out all work, whether it
 * pays or not, so that tests and measurements have every path on small maps. */
bool team_takes_all(void);

/* How many threads of `most` so much work is worth at all. */
int team_worth(size_t cells, int most);

/* For work in several team_run_parts: how many parts pay now of what `work`
 * names. What is done until team_end is measured. */
int team_begin(struct team *team, team_work work, size_t cells);
void team_end(struct team *team);

/* As team_run, in at most as many parts as there are threads. */
void team_run_parts(struct team *team, int parts, team_work work,
                    void *context);

/* The half-open share [*first, *last) of `count` items that falls to
 * `thread` of `threads`: contiguous, in order, sizes differing by at most 1. */
void team_share(size_t count, int thread, int threads, size_t *first,
                size_t *last);

/* Sets this thread to flush denormals (or to keep them) and returns what it
 * did before. Does nothing where the machine has no such mode. */
bool denormals_flush(bool flush);

#endif
