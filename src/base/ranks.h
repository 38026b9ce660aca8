/* SPDX-License-Identifier: MIT */
/* The processes that share a run, and how they speak: the one door to MPI
 * (ranks_mpi.c; ranks_one.c stands in where it is not built in). A run of one
 * process has no ranks: NULL serves in every call, and is rank 0 of 1.
 *
 * One thread of each speaks at a time: the one that called ranks_start, and
 * others only by ranks_beside. A fault of the network is not survived: MPI ends
 * the program. Calls marked "all together" must be made by every rank in the
 * same order. */
#ifndef HAMON_BASE_RANKS_H
#define HAMON_BASE_RANKS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ranks;

/* Joins the processes that mpirun or srun started with this one: *ranks, or
 * NULL where it runs alone. All together; release with ranks_end, all together.
 */
enum status ranks_start(struct ranks **ranks, struct error *error);
void ranks_end(struct ranks *ranks);

/* The same processes for another thread of each, which then speaks beside this
 * one: its calls meet those of its like alone. *beside is NULL where MPI does
 * not let threads speak at once. All together, in one thread; ranks_end it
 * before `ranks`. */
enum status ranks_beside(struct ranks *ranks, struct ranks **beside,
                         struct error *error);

/* Ends all of them at once, with this exit code, from any. */
void ranks_abort(struct ranks *ranks, int code);

int ranks_count(const struct ranks *ranks);
int ranks_self(const struct ranks *ranks);

/* Messages to and from single ranks: at most RANKS_MESSAGES each way are under
 * way at once, and ranks_wait ends them all. Buffers are borrowed until then. A
 * tag tells messages between the same two apart. */
enum { RANKS_MESSAGES = 26 };
void ranks_receive(struct ranks *ranks, int from, int tag, void *buffer,
                   size_t bytes);
void ranks_send(struct ranks *ranks, int to, int tag, const void *buffer,
                size_t bytes);
void ranks_wait(struct ranks *ranks);

/* All together: the largest of what each says; the first rank's bytes to all;
 * words joined by exclusive or, in the first rank; nobody goes on before all
 * have come. */
int64_t ranks_most(struct ranks *ranks, int64_t value);
void ranks_tell(struct ranks *ranks, void *data, size_t bytes);
void ranks_xor(struct ranks *ranks, uint32_t *words, size_t count);
void ranks_meet(struct ranks *ranks);

/* All together: the own status if it is a fault, STATUS_FAILED if only another
 * rank has one, else STATUS_OK. */
static inline enum status ranks_agree(struct ranks *ranks, enum status status,
                                      struct error *error)
{
    if (!ranks_most(ranks, status) || status)
        return status;
    return error_set(error, STATUS_FAILED, "another rank has failed");
}

/* The same for a thread whose core others need: it sleeps meanwhile. */
void ranks_meet_asleep(struct ranks *ranks);

/* All together: what each has, in the order of the ranks, to all. *all is the
 * ranks' own, valid until the next call. */
enum status ranks_gather(struct ranks *ranks, const void *data, size_t bytes,
                         const void **all, size_t *all_bytes,
                         struct error *error);

#endif
