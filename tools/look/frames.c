/* SPDX-License-Identifier: MIT */
#include "tools/look/frames.h"

#include "base/memory.h"

/* Small enough that no sum of them overflows. */
static const int64_t absent_most = INT64_MAX / (2 * AT_RANGES_MOST);

/* The number of rows in the range; none is an error, with the reader's
 * message. */
static enum status count_rows(const struct recording *recording,
                              const struct range *range, int64_t *count,
                              struct error *error)
{
    const int64_t *recorded = recording_steps(recording);
    int64_t rows = recording_rows(recording), row;
    *count = 0;
    if (range->first < 0)
        return error_set(error, STATUS_INPUT,
                         "--at step=%lld: steps count from 0",
                         (long long)range->first);
    for (row = 0; row < rows; row++)
        *count += range_holds(range, recorded[row]);
    return *count ? STATUS_OK
                  : recording_row_of(recording, range->first, &row, error);
}

static enum status count_absent(const struct recording *recording,
                                const struct place_range *steps,
                                int64_t *absent, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < steps->count && !status; i++) {
        const struct range *range = &steps->ranges[i];
        int64_t found = 1;
        status = count_rows(recording, range, &found, error);
        if (status)
            break;
        int64_t lacking =
            (range->last - range->first) / range->step - (found - 1);
        *absent += lacking < absent_most ? lacking : absent_most;
    }
    return status;
}

static bool asked_for(const struct place_range *steps, int64_t step)
{
    for (int i = 0; i < steps->count; i++)
        if (range_holds(&steps->ranges[i], step))
            return true;
    return steps->count == 0;
}

enum status frames_choose(const struct recording *recording,
                          const struct place_range *steps, int64_t every,
                          struct frames *frames, struct error *error)
{
    int64_t rows = recording_rows(recording);
    const int64_t *recorded = recording_steps(recording);
    *frames = (struct frames){ 0 };
    if (rows < 1)
        return error_set(error, STATUS_INPUT, "%s: has no row yet",
                         recording_path(recording));
    enum status status = count_absent(recording, steps, &frames->absent, error);
    if (status)
        return status;
    frames->rows = memory_new((size_t)rows, sizeof *frames->rows);
    if (!frames->rows)
        return error_memory(error);
    for (int64_t row = !steps->count && !every ? rows - 1 : 0; row < rows;
         row++)
        if (asked_for(steps, recorded[row]))
            frames->rows[frames->count++] = row;
    size_t found = frames->count;
    for (size_t i = frames->count = 0; i < found;
         i += every ? (size_t)every : 1)
        frames->rows[frames->count++] = frames->rows[i];
    return STATUS_OK;
}

void frames_release(struct frames *frames)
{
    memory_release(frames->rows);
    *frames = (struct frames){ 0 };
}
