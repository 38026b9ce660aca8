/* SPDX-License-Identifier: MIT */
/* A team of threads that all run the same work and meet again at its end. */
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

/* Calls work(context, thread, threads) once in every member and returns when
 * all have returned. team may be NULL: then work(context, 0, 1) in the
 * caller, whatever its denormal mode. */
void team_run(struct team *team,
              void (*work)(void *context, int thread, int threads),
              void *context);

/* The half-open share [*first, *last) of `count` items that falls to
 * `thread` of `threads`: contiguous, in order, sizes differing by at most 1. */
void team_share(size_t count, int thread, int threads, size_t *first,
                size_t *last);

/* Sets this thread to flush denormals (or to keep them) and returns what it
 * did before. Does nothing where the machine has no such mode. */
bool denormals_flush(bool flush);

#endif
