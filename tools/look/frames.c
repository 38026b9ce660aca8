/* SPDX-License-Identifier: MIT */
#include "tools/look/frames.h"

#include "base/memory.h"
#include "base/need.h"

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

static int64_t last_step(const struct recording *recording)
{
    return recording_steps(recording)[recording_rows(recording) - 1];
}

/* Has the run steps in each of the ranges, and the recording not? */
static bool needs_whole(const struct recording *recording,
                        const struct place_range *steps)
{
    bool needs = false;
    for (int i = 0; i < steps->count; i++) {
        const struct range *range = &steps->ranges[i];
        int64_t count;
        if (range->first < 0 || range->first > last_step(recording))
            return false;
        needs = count_rows(recording, range, &count, NULL) || needs;
    }
    return needs && recording_has_whole(recording);
}

enum status frames_source(const struct recording *recording,
                          const int64_t *steps, size_t count,
                          const struct recording **source, struct error *error)
{
    int64_t row;
    *source = recording;
    for (size_t i = 0; i < count; i++)
        if (recording_has_whole(recording) &&
            steps[i] <= last_step(recording) &&
            recording_row_of(recording, steps[i], &row, NULL))
            return recording_whole(recording, source, error);
    return STATUS_OK;
}

enum status frames_choose(const struct recording *recording,
                          const struct place_range *steps, int64_t every,
                          struct frames *frames, struct error *error)
{
    enum status status = STATUS_OK;
    *frames = (struct frames){ 0 };
    if (recording_rows(recording) < 1)
        return error_set(error, STATUS_INPUT, "%s: has no row yet",
                         recording_path(recording));
    if (needs_whole(recording, steps))
        status = recording_whole(recording, &recording, error);
    if (!status)
        status = count_absent(recording, steps, &frames->absent, error);
    if (status)
        return status;
    int64_t rows = recording_rows(recording);
    const int64_t *recorded = recording_steps(recording);
    frames->recording = recording;
    frames->rows = need_memory((size_t)rows, sizeof *frames->rows);
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
