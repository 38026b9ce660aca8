/* SPDX-License-Identifier: MIT */
/* The processes (ranks) that share a run, and their messages. All of MPI is
 * behind this header (ranks_mpi.c; ranks_one.c replaces it in a build without
 * MPI). A run of one process has no ranks: NULL is allowed in every call, and
 * is rank 0 of 1.
 *
 * One thread of each process communicates at a time: the one that called
 * ranks_start; others need ranks_beside. A network failure is not survived: MPI
 * ends the program. Calls marked "all together" are collective: every rank must
 * make them in the same order. */
#ifndef HAMON_BASE_RANKS_H
#define HAMON_BASE_RANKS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ranks;

/* Joins the processes that mpirun or srun started with this one: *ranks, or
 * NULL if it runs alone. All together; release with ranks_end, all together. */
enum status ranks_start(struct ranks **ranks, struct error *error);
void ranks_end(struct ranks *ranks);

/* The same processes for a second thread of each, which may then communicate at
 * the same time as the first; its calls match only those of the other second
 * threads. *beside is NULL if MPI does not allow two threads to communicate at
 * once. All together, in one thread; call ranks_end for it before that for
 * `ranks`. */
enum status ranks_beside(struct ranks *ranks, struct ranks **beside,
                         struct error *error);

/* Ends all of the processes at once with this exit code. Any rank may call
 * it. */
void ranks_abort(struct ranks *ranks, int code);

int ranks_count(const struct ranks *ranks);
int ranks_self(const struct ranks *ranks);

/* Messages to and from single ranks. At most RANKS_MESSAGES in each direction
 * may be pending; ranks_wait completes them all. Buffers are borrowed until
 * then. A tag distinguishes messages between the same two ranks. */
enum { RANKS_MESSAGES = 26 };
void ranks_receive(struct ranks *ranks, int from, int tag, void *buffer,
                   size_t bytes);
void ranks_send(struct ranks *ranks, int to, int tag, const void *buffer,
                size_t bytes);
void ranks_wait(struct ranks *ranks);

/* All together: the maximum of all values; the first rank's bytes to all; words
 * combined by exclusive or in the first rank; a barrier. */
int64_t ranks_max(struct ranks *ranks, int64_t value);
void ranks_broadcast(struct ranks *ranks, void *data, size_t bytes);
void ranks_xor(struct ranks *ranks, uint32_t *words, size_t count);
void ranks_barrier(struct ranks *ranks);

/* All together: the status of this rank if it is an error; STATUS_FAILED, with
 * an empty message, if only another rank has an error, which reports it; else
 * STATUS_OK. */
static inline enum status ranks_agree(struct ranks *ranks, enum status status,
                                      struct error *error)
{
    if (!ranks_max(ranks, status) || status)
        return status;
    return error_set(error, STATUS_FAILED, "%s", "");
}

/* A barrier that sleeps, for a thread whose processor other threads need. */
void ranks_barrier_asleep(struct ranks *ranks);

/* All together: the data of all ranks, in the order of the ranks, to all. *all
 * belongs to the ranks and is valid until the next call. */
enum status ranks_allgather(struct ranks *ranks, const void *data, size_t bytes,
                            const void **all, size_t *all_bytes,
                            struct error *error);

#endif
