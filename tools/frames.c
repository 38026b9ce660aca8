/* SPDX-License-Identifier: MIT */
#include "frames.h"

#include "base/memory.h"

enum status frames_choose(const struct recording *recording,
                          const struct place_range *steps, int64_t every,
                          struct frames *frames, struct error *error)
{
    int64_t rows = recording_rows(recording);
    const int64_t *recorded = recording_steps(recording);
    const struct range *range = &steps->range;
    *frames = (struct frames){ 0 };
    if (steps->given && range->first < 0)
        return error_set(error, STATUS_INPUT,
                         "--at step=%lld: steps count from 0",
                         (long long)range->first);
    if (rows < 1)
        return error_set(error, STATUS_INPUT, "%s: holds no row yet",
                         recording_path(recording));
    frames->rows = memory_new((size_t)rows, sizeof *frames->rows);
    if (!frames->rows)
        return error_memory(error);
    for (int64_t row = !steps->given && !every ? rows - 1 : 0; row < rows;
         row++)
        if (!steps->given || range_holds(range, recorded[row]))
            frames->rows[frames->count++] = row;
    if (!frames->count) /* fails, in the reader's words */
        return recording_row_of(recording, range->first, frames->rows, error);
    size_t found = frames->count;
    for (size_t i = frames->count = 0; i < found;
         i += every ? (size_t)every : 1)
        frames->rows[frames->count++] = frames->rows[i];
    if (steps->given)
        frames->absent =
            (range->last - range->first) / range->step + 1 - (int64_t)found;
    return STATUS_OK;
}

void frames_release(struct frames *frames)
{
    memory_release(frames->rows);
    *frames = (struct frames){ 0 };
}
