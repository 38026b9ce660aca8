/* SPDX-License-Identifier: MIT */
/* Built without MPI: every process runs alone. */
#include "base/ranks.h"

enum status ranks_start(struct ranks **ranks, struct error *error)
{
    *ranks = NULL;
    return STATUS_OK;
}

void ranks_end(struct ranks *ranks)
{
}

enum status ranks_beside(struct ranks *ranks, struct ranks **beside,
                         struct error *error)
{
    *beside = NULL;
    return STATUS_OK;
}

void ranks_abort(struct ranks *ranks, int code)
{
}

int ranks_count(const struct ranks *ranks)
{
    return 1;
}

int ranks_self(const struct ranks *ranks)
{
    return 0;
}

void ranks_receive(struct ranks *ranks, int from, int tag, void *buffer,
                   size_t bytes)
{
}

void ranks_send(struct ranks *ranks, int to, int tag, const void *buffer,
                size_t bytes)
{
}

void ranks_wait(struct ranks *ranks)
{
}

int64_t ranks_max(struct ranks *ranks, int64_t value)
{
    return value;
}

void ranks_broadcast(struct ranks *ranks, void *data, size_t bytes)
{
}

void ranks_xor(struct ranks *ranks, uint32_t *words, size_t count)
{
}

void ranks_barrier(struct ranks *ranks)
{
}

void ranks_barrier_asleep(struct ranks *ranks)
{
}

enum status ranks_allgather(struct ranks *ranks, const void *data, size_t bytes,
                            const void **all, size_t *all_bytes,
                            struct error *error)
{
    *all = data;
    *all_bytes = bytes;
    return STATUS_OK;
}
