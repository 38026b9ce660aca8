/* SPDX-License-Identifier: MIT */
#include "base/ranks_mpi.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

struct ranks {
    int count, self;
    MPI_Comm communicator;
    bool threads; /* several may communicate at once */
    MPI_Request requests[2 * RANKS_MESSAGES];
    int under_way;
    /* ranks_allgather: the length and the offset of each, and room for all. */
    int *lengths, *places;
    char *room;
    size_t room_bytes;
};

MPI_Comm ranks_communicator(const struct ranks *ranks)
{
    return ranks->communicator;
}

/* MPI is initialised only if a launcher started this process: alone, MPI_Init
 * would search for a launcher for some time at every start. */
static bool is_launched(void)
{
    static const char *const marks[] = { "OMPI_COMM_WORLD_SIZE", "PMIX_RANK",
                                         "PMI_RANK", "PMI_SIZE" };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (getenv(marks[i]))
            return true;
    return false;
}

static enum status new_ranks(MPI_Comm communicator, bool threads,
                             struct ranks **ranks, struct error *error)
{
    struct ranks *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    *ranks = made;
    made->communicator = communicator;
    made->threads = threads;
    MPI_Comm_size(communicator, &made->count);
    MPI_Comm_rank(communicator, &made->self);
    size_t count = (size_t)made->count;
    made->lengths = memory_new(count, sizeof *made->lengths);
    made->places = memory_new(count, sizeof *made->places);
    return made->lengths && made->places ? STATUS_OK : error_memory(error);
}

enum status ranks_start(struct ranks **ranks, struct error *error)
{
    int given;
    *ranks = NULL;
    if (!is_launched())
        return STATUS_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &given) !=
            MPI_SUCCESS ||
        given < MPI_THREAD_FUNNELED)
        return error_set(error, STATUS_FAILED,
                         "MPI cannot be started with threads");
    return new_ranks(MPI_COMM_WORLD, given == MPI_THREAD_MULTIPLE, ranks,
                     error);
}

enum status ranks_beside(struct ranks *ranks, struct ranks **beside,
                         struct error *error)
{
    MPI_Comm communicator;
    *beside = NULL;
    if (!ranks || !ranks->threads)
        return STATUS_OK;
    MPI_Comm_dup(ranks->communicator, &communicator);
    return new_ranks(communicator, true, beside, error);
}

void ranks_end(struct ranks *ranks)
{
    if (!ranks)
        return;
    MPI_Comm communicator = ranks->communicator;
    memory_release(ranks->lengths);
    memory_release(ranks->places);
    memory_release(ranks->room);
    memory_release(ranks);
    if (communicator == MPI_COMM_WORLD)
        MPI_Finalize();
    else
        MPI_Comm_free(&communicator);
}

void ranks_abort(struct ranks *ranks, int code)
{
    if (ranks)
        MPI_Abort(MPI_COMM_WORLD, code);
}

int ranks_count(const struct ranks *ranks)
{
    return ranks ? ranks->count : 1;
}

int ranks_self(const struct ranks *ranks)
{
    return ranks ? ranks->self : 0;
}

/* Pieces of a halo are far smaller than 2 GiB, the limit of an int count. */
void ranks_receive(struct ranks *ranks, int from, int tag, void *buffer,
                   size_t bytes)
{
    if (ranks)
        MPI_Irecv(buffer, (int)bytes, MPI_BYTE, from, tag, ranks->communicator,
                  &ranks->requests[ranks->under_way++]);
}

void ranks_send(struct ranks *ranks, int to, int tag, const void *buffer,
                size_t bytes)
{
    if (ranks)
        MPI_Isend(buffer, (int)bytes, MPI_BYTE, to, tag, ranks->communicator,
                  &ranks->requests[ranks->under_way++]);
}

void ranks_wait(struct ranks *ranks)
{
    if (!ranks)
        return;
    MPI_Waitall(ranks->under_way, ranks->requests, MPI_STATUSES_IGNORE);
    ranks->under_way = 0;
}

int64_t ranks_max(struct ranks *ranks, int64_t value)
{
    if (ranks)
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MAX,
                      ranks->communicator);
    return value;
}

void ranks_broadcast(struct ranks *ranks, void *data, size_t bytes)
{
    if (ranks)
        MPI_Bcast(data, (int)bytes, MPI_BYTE, 0, ranks->communicator);
}

void ranks_xor(struct ranks *ranks, uint32_t *words, size_t count)
{
    if (ranks)
        MPI_Reduce(ranks->self ? words : MPI_IN_PLACE, words, (int)count,
                   MPI_UINT32_T, MPI_BXOR, 0, ranks->communicator);
}

void ranks_barrier(struct ranks *ranks)
{
    if (ranks)
        MPI_Barrier(ranks->communicator);
}

void ranks_barrier_asleep(struct ranks *ranks)
{
    const struct timespec nap = { .tv_nsec = 200000 };
    MPI_Request request;
    int done = 0;
    if (!ranks)
        return;
    MPI_Ibarrier(ranks->communicator, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        nanosleep(&nap, NULL);
    }
}

static bool grow(struct ranks *ranks, size_t bytes)
{
    if (bytes <= ranks->room_bytes)
        return true;
    memory_release(ranks->room);
    ranks->room = memory_new(bytes, 1);
    ranks->room_bytes = ranks->room ? bytes : 0;
    return ranks->room;
}

enum status ranks_allgather(struct ranks *ranks, const void *data, size_t bytes,
                            const void **all, size_t *all_bytes,
                            struct error *error)
{
    if (!ranks) {
        *all = data;
        *all_bytes = bytes;
        return STATUS_OK;
    }
    int own = bytes < INT_MAX ? (int)bytes : INT_MAX;
    size_t total = 0;
    MPI_Allgather(&own, 1, MPI_INT, ranks->lengths, 1, MPI_INT,
                  ranks->communicator);
    for (int i = 0; i < ranks->count; i++) {
        ranks->places[i] = (int)total;
        total += (size_t)ranks->lengths[i];
        if (total >= INT_MAX)
            return error_set(error, STATUS_FAILED,
                             "%zu bytes and more must be sent to all ranks at "
                             "once: use fewer agents, or one rank",
                             total);
    }
    if (!grow(ranks, total ? total : 1))
        return error_memory(error);
    if (total)
        MPI_Allgatherv(data, own, MPI_BYTE, ranks->room, ranks->lengths,
                       ranks->places, MPI_BYTE, ranks->communicator);
    *all = ranks->room;
    *all_bytes = total;
    return STATUS_OK;
}
