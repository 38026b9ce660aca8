/* SPDX-License-Identifier: MIT */
#include "pursuit/needs.h"

#include "base/memory.h"

enum status needs_init(struct needs *needs, int waves, struct error *error)
{
    const size_t count = (size_t)waves;
    *needs = (struct needs){
        .waves = waves,
        .emitted = memory_new(count, sizeof *needs->emitted),
        .over = memory_new(count, sizeof *needs->over),
        .stays = memory_new(count, sizeof *needs->stays),
    };
    return needs->emitted && needs->over && needs->stays ? STATUS_OK
                                                         : error_memory(error);
}

void needs_release(struct needs *needs)
{
    memory_release(needs->emitted);
    memory_release(needs->over);
    memory_release(needs->stays);
    *needs = (struct needs){ 0 };
}

void needs_add(struct needs *needs, int64_t received)
{
    int oldest = -1;
    for (int i = 0; i < needs->waves; i++)
        if (needs->emitted[i] > received && !needs->over[i] &&
            (oldest < 0 || needs->emitted[i] < needs->emitted[oldest]))
            oldest = i;
    if (oldest >= 0)
        needs->stays[oldest] = true;
}

void needs_limit(struct needs *needs)
{
    const int most = needs->waves > 1 ? needs->waves / 2 : 1;
    while (needs_count(needs) > most) {
        int newest = -1;
        for (int i = 0; i < needs->waves; i++)
            if (needs->stays[i] &&
                (newest < 0 || needs->emitted[i] > needs->emitted[newest]))
                newest = i;
        needs->stays[newest] = false;
    }
}

int needs_count(const struct needs *needs)
{
    int count = 0;
    for (int i = 0; i < needs->waves; i++)
        count += needs->stays[i];
    return count;
}
