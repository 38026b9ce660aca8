/* SPDX-License-Identifier: MIT */
/* A queue of cells in buckets of equal width, each a stack (Denardo and Fox
 * 1979). A cell is in one bucket at most, and its links are in the cell's own
 * record, so the queue takes no memory beyond its heads and may be abandoned at
 * any time.
 *
 * Keys in the queue may not span more than the buckets do. This is true if a
 * move adds less than that span to the key of the cell it leaves. */
#ifndef HAMON_SEARCH_BUCKET_QUEUE_H
#define HAMON_SEARCH_BUCKET_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

enum { BUCKETS_MOST = 1 << 14, BUCKET_NONE = -1 };

/* The record of a padded cell in best-first searches: 16 bytes, so that all
 * that the relaxation of a move reads is in one cache line. */
struct bucket_node {
    union {
        int64_t cost;
        double time; /* of fast marching */
    };
    int32_t next, before; /* before: BUCKET_NONE − 1 − bucket at the top */
};

struct bucket_queue {
    struct bucket_node *nodes; /* borrowed */
    int32_t *heads;            /* BUCKETS_MOST */
    int64_t first;             /* the key at which bucket 0 began */
    int64_t cursor;            /* buckets passed since */
    int64_t count;             /* cells in the queue */
    int64_t mask;
    int shift; /* the width is 2^shift */
};

/* The widest shift with which a bucket is no wider than `width`. */
static inline int bucket_queue_shift(int64_t width)
{
    return width > 1 ? 63 - __builtin_clzll((unsigned long long)width) : 0;
}

/* Empties the queue for keys from `first` on, to which a move adds at most
 * `span`; width 2^shift, or more if the span requires it. */
static inline void bucket_queue_start(struct bucket_queue *queue, int64_t first,
                                      int64_t span, int shift)
{
    while ((span >> shift) + 2 > BUCKETS_MOST)
        shift++;
    int64_t buckets = 2;
    while (buckets < (span >> shift) + 2)
        buckets *= 2;
    for (int64_t i = 0; i < buckets; i++)
        queue->heads[i] = BUCKET_NONE;
    queue->first = first;
    queue->cursor = queue->count = 0;
    queue->mask = buckets - 1;
    queue->shift = shift;
}

static inline void bucket_queue_put(struct bucket_queue *queue, int32_t cell,
                                    int64_t key)
{
    int64_t at = ((key - queue->first) >> queue->shift) & queue->mask;
    int32_t next = queue->heads[at];
    struct bucket_node *node = &queue->nodes[cell];
    node->next = next;
    node->before = BUCKET_NONE - 1 - (int32_t)at;
    if (next != BUCKET_NONE)
        queue->nodes[next].before = cell;
    queue->heads[at] = cell;
    queue->count++;
}

/* Removes a cell that is in the queue. */
static inline void bucket_queue_drop(struct bucket_queue *queue, int32_t cell)
{
    struct bucket_node *node = &queue->nodes[cell];
    if (node->next != BUCKET_NONE)
        queue->nodes[node->next].before = node->before;
    if (node->before < BUCKET_NONE)
        queue->heads[BUCKET_NONE - 1 - node->before] = node->next;
    else
        queue->nodes[node->before].next = node->next;
    queue->count--;
}

/* Takes a cell from the lowest bucket that is not empty; BUCKET_NONE at the
 * end. The cell's `next` is then the cell itself: a mark that it is not
 * queued. */
static inline int32_t bucket_queue_take(struct bucket_queue *queue)
{
    if (queue->count == 0)
        return BUCKET_NONE;
    while (queue->heads[queue->cursor & queue->mask] == BUCKET_NONE)
        queue->cursor++;
    int32_t *head = &queue->heads[queue->cursor & queue->mask];
    int32_t cell = *head;
    struct bucket_node *node = &queue->nodes[cell];
    if (node->next != BUCKET_NONE)
        queue->nodes[node->next].before = node->before;
    *head = node->next;
    node->next = cell;
    queue->count--;
    return cell;
}

/* Is the key in a bucket that is already passed? Then every cell with a smaller
 * key has been taken. */
static inline bool bucket_queue_passed(const struct bucket_queue *queue,
                                       int64_t key)
{
    return (key - queue->first) >> queue->shift < queue->cursor;
}

#endif
