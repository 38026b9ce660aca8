/* SPDX-License-Identifier: MIT */
#include "pursuit/waiting.h"

#include "base/memory.h"

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
    waiting->age = 0;
    memset(waiting->wake, 0, waiting->room * sizeof *waiting->wake);
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

/* Sorts by ascending wake, keeping the order of equals: one byte at a time, the
 * lowest first. */
static void sort(struct waiting *waiting)
{
    enum { DIGITS = 256, BITS = 8 };
    const int32_t *wake = waiting->wake;
    size_t count = waiting->asleep_count;
    int32_t latest = 0;
    for (size_t i = 0; i < count; i++)
        if (wake[waiting->asleep[i]] > latest)
            latest = wake[waiting->asleep[i]];
    for (int shift = 0; shift <= 32 - BITS && latest >> shift; shift += BITS) {
        int32_t *from = waiting->asleep;
        size_t place[DIGITS + 1] = { 0 };
        for (size_t i = 0; i < count; i++)
            place[(wake[from[i]] >> shift) % DIGITS + 1]++;
        for (int digit = 1; digit < DIGITS; digit++)
            place[digit] += place[digit - 1];
        for (size_t i = 0; i < count; i++)
            waiting->merged[place[(wake[from[i]] >> shift) % DIGITS]++] =
                from[i];
        waiting->asleep = waiting->merged;
        waiting->merged = from;
    }
}

/* The one that wakes first is last, so that a step removes from the end. */
void waiting_order(struct waiting *waiting)
{
    sort(waiting);
    for (size_t i = 0, j = waiting->asleep_count; i + 1 < j; i++) {
        int32_t other = waiting->asleep[--j];
        waiting->asleep[j] = waiting->asleep[i];
        waiting->asleep[i] = other;
    }
}

/* How many of the ascending list are below `listener`. Without a branch,
 * because a predictor would be wrong for half of them. */
static size_t count_below(const int32_t *list, size_t count, int32_t listener)
{
    size_t below = 0;
    for (; count > 1; count -= count / 2)
        below += list[below + count / 2 - 1] < listener ? count / 2 : 0;
    return below + (count && list[below] < listener);
}

/* Merges the agents of one wake, descending, into the awake list: from the end,
 * so that each item moves once. */
static void wake_all(struct waiting *waiting, const int32_t *woken,
                     size_t count)
{
    int32_t *awake = waiting->awake;
    size_t end = waiting->awake_count;
    waiting->awake_count += count;
    for (; count > 0; count--, woken++) {
        size_t place = count_below(awake, end, *woken);
        memmove(&awake[place + count], &awake[place],
                (end - place) * sizeof *awake);
        awake[place + count - 1] = *woken;
        end = place;
    }
}

void waiting_advance(struct waiting *waiting, int64_t age)
{
    const int32_t *asleep = waiting->asleep, *wake = waiting->wake;
    size_t end = waiting->asleep_count;
    waiting->age = age;
    while (end && wake[asleep[end - 1]] <= age) {
        size_t first = end - 1;
        while (first && wake[asleep[first - 1]] == wake[asleep[end - 1]])
            first--;
        wake_all(waiting, &asleep[first], end - first);
        end = first;
    }
    waiting->asleep_count = end;
}

void waiting_remove(struct waiting *waiting, const int32_t *done, size_t count)
{
    int32_t *awake = waiting->awake;
    const size_t all = waiting->awake_count;
    if (!count)
        return;
    size_t kept = count_below(awake, all, done[0]), gone = kept;
    for (size_t i = 1; i <= count; i++) {
        size_t from = gone + 1; /* the kept items are from here to the next */
        gone = i < count ? from + count_below(&awake[from], all - from, done[i])
                         : all;
        memmove(&awake[kept], &awake[from], (gone - from) * sizeof *awake);
        kept += gone - from;
    }
    waiting->awake_count = kept;
}
