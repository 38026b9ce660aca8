/* SPDX-License-Identifier: MIT */
/* The stored positions of a run, and their steps; lists of places. */
#include "tools/report/report.h"

#include "base/need.h"

void report_places_choose(struct report_run *run, int64_t stride)
{
    int64_t rows = recording_rows(run->recording);
    run->places = (size_t)((rows - 1 + stride - 1) / stride + 1);
    run->place_rows = need_memory(run->places, sizeof *run->place_rows);
    for (size_t i = 0; i < run->places; i++)
        run->place_rows[i] = (int64_t)i * stride;
    run->place_rows[run->places - 1] = rows - 1;
}

int64_t report_step(const struct report_run *run, size_t place)
{
    return recording_steps(run->recording)[run->place_rows[place]];
}

int64_t report_last(const struct report_run *run)
{
    return report_step(run, run->places - 1);
}

void report_put_list(struct json *json, const char *key, const int *items,
                     int count)
{
    json_array(json, key);
    for (int i = 0; i < count; i++)
        json_whole(json, NULL, items[i]);
    json_array_end(json);
}

void report_put_box(struct json *json, const char *key, const struct box *box)
{
    json_array(json, key);
    report_put_list(json, NULL, box->low, GRID_AXES);
    report_put_list(json, NULL, box->high, GRID_AXES);
    json_array_end(json);
}
