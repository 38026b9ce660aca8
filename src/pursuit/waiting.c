/* SPDX-License-Identifier: MIT */
#include "pursuit/waiting.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum status waiting_init(struct waiting *waiting, size_t count,
                         struct error *error)
{
    *waiting = (struct waiting){
        .room = count,
        .awake = memory_new(count, sizeof *waiting->awake),
        .asleep = memory_new(count, sizeof *waiting->asleep),
        .wake = memory_new(count, sizeof *waiting->wake),
        .merged = memory_new(count, sizeof *waiting->merged),
    };
    return waiting->awake && waiting->asleep && waiting->wake && waiting->merged
               ? STATUS_OK
               : error_memory(error);
}

void waiting_release(struct waiting *waiting)
{
    memory_release(waiting->awake);
    memory_release(waiting->asleep);
    memory_release(waiting->wake);
    memory_release(waiting->merged);
    *waiting = (struct waiting){ 0 };
}

void waiting_clear(struct waiting *waiting)
{
    waiting->awake_count = waiting->asleep_count = 0;
}

void waiting_add(struct waiting *waiting, size_t listener, double wake)
{
    if (wake <= 1) {
        waiting->awake[waiting->awake_count++] = (int32_t)listener;
        return;
    }
    waiting->wake[listener] = wake < INT32_MAX ? (int32_t)wake : INT32_MAX;
    waiting->asleep[waiting->asleep_count++] = (int32_t)listener;
}

/* The last one wakes first, so that a step takes them off the end. Merge sort
 * by halves of doubling length: nothing is allocated, and equals keep their
 * order, which is turned round at the end. */
static void sort(struct waiting *waiting)
{
    size_t count = waiting->asleep_count;
    const int32_t *wake = waiting->wake;
    for (size_t width = 1; width < count; width *= 2) {
        int32_t *from = waiting->asleep, *to = waiting->merged;
        for (size_t low = 0; low < count; low += 2 * width) {
            size_t middle = low + width < count ? low + width : count;
            size_t high = middle + width < count ? middle + width : count;
            size_t left = low, right = middle;
            for (size_t i = low; i < high; i++) {
                bool first =
                    right == high ||
                    (left < middle && wake[from[left]] <= wake[from[right]]);
                to[i] = first ? from[left++] : from[right++];
            }
        }
        waiting->asleep = to;
        waiting->merged = from;
    }
}

void waiting_order(struct waiting *waiting)
{
    sort(waiting);
    for (size_t i = 0, j = waiting->asleep_count; i + 1 < j; i++) {
        int32_t other = waiting->asleep[--j];
        waiting->asleep[j] = waiting->asleep[i];
        waiting->asleep[i] = other;
    }
}

static int rising(const void *a, const void *b)
{
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

void waiting_advance(struct waiting *waiting, int64_t age)
{
    size_t sleeping = waiting->asleep_count, awake = waiting->awake_count;
    while (sleeping && waiting->wake[waiting->asleep[sleeping - 1]] <= age)
        sleeping--;
    size_t fresh = waiting->asleep_count - sleeping;
    if (!fresh)
        return;
    int32_t *woken = waiting->asleep + sleeping;
    waiting->asleep_count = sleeping;
    qsort(woken, fresh, sizeof *woken, rising);
    size_t old = 0, now = 0;
    for (size_t i = 0; i < awake + fresh; i++)
        waiting->merged[i] =
            now == fresh || (old < awake && waiting->awake[old] < woken[now])
                ? waiting->awake[old++]
                : woken[now++];
    int32_t *spare = waiting->awake;
    waiting->awake = waiting->merged;
    waiting->merged = spare;
    waiting->awake_count = awake + fresh;
}

void waiting_remove(struct waiting *waiting, const int32_t *done, size_t count)
{
    size_t kept = 0, gone = 0;
    for (size_t i = 0; i < waiting->awake_count && count; i++)
        if (gone < count && waiting->awake[i] == done[gone])
            gone++;
        else
            waiting->awake[kept++] = waiting->awake[i];
    if (count)
        waiting->awake_count = kept;
}
