/* SPDX-License-Identifier: MIT */
/* The headings of the first front of the page's first wave, the true ones, and
 * their errors with the causes. */
#include "tools/report/report.h"

#include "base/memory.h"
#include "base/need.h"
#include "view/arrival_run.h"
#include "view/front_error.h"

#include <math.h>
#include <string.h>

struct fronts {
    const struct report_run *run;
    struct front front;
    struct truth truth;
};

/* The angle in the picture, degrees in (−180, 180] plus 180, counter-clockwise
 * from the right; −1: none. */
static int32_t angle_of(const struct report_run *run,
                        const double way[GRID_AXES])
{
    const double right = way[run->right], up = -way[run->down];
    if (right == 0 && up == 0)
        return -1;
    const long angle = lrint(atan2(up, right) * 180 / acos(-1));
    return (int32_t)(angle == -180 ? 360 : angle + 180);
}

static int32_t heading_in(const struct fronts *fronts, size_t cell)
{
    return angle_of(fronts->run, fronts->front.heading[cell]);
}

static int32_t truth_in(const struct fronts *fronts, size_t cell)
{
    return angle_of(fronts->run, fronts->truth.toward[cell]);
}

/* Finer than the colours, which are 180/256 degrees apart. */
static int32_t error_in(const struct fronts *fronts, size_t cell)
{
    const double error = front_error(&fronts->front, &fronts->truth, cell);
    return isnan(error) ? -1 : (int32_t)lrint(2 * error);
}

static int32_t cause_in(const struct fronts *fronts, size_t cell)
{
    return fronts->front.terrain.wall[cell]
               ? -1
               : front_kind(&fronts->front, &fronts->truth, cell);
}

/* A value is low + number / parts; none if the number is −1. */
static const struct {
    const char *name;
    int low, parts;
    int32_t (*number)(const struct fronts *fronts, size_t cell);
} columns[] = { { "heading", -180, 1, heading_in },
                { "truth", -180, 1, truth_in },
                { "error", 0, 2, error_in },
                { "cause", 0, 1, cause_in } };
enum { COLUMNS = sizeof columns / sizeof *columns };

static void put_columns(struct json *json, struct words *words,
                        const struct fronts *fronts)
{
    const struct grid *world = recording_grid(fronts->run->recording);
    const struct box region = recording_region(fronts->run->recording);
    const struct grid block = box_grid(&region, world->dims);
    int32_t *numbers = need_memory(grid_cells(&block), sizeof *numbers);
    for (size_t k = 0; k < COLUMNS; k++) {
        for (size_t i = 0; i < grid_cells(&block); i++) {
            int at[GRID_AXES];
            grid_cell(&block, i, at);
            for (int axis = 0; axis < GRID_AXES; axis++)
                at[axis] += region.low[axis];
            numbers[i] = columns[k].number(
                fronts, grid_index(world, at[0], at[1], at[2]));
        }
        json_object(json, NULL);
        json_text(json, "name", columns[k].name);
        json_whole(json, "low", columns[k].low);
        json_whole(json, "parts", columns[k].parts);
        json_object_end(json);
        words_add_rows(words, numbers, grid_cells(&block), (size_t)block.nx);
    }
    memory_release(numbers);
}

enum status report_fronts_put(struct json *json, struct words *words,
                              const struct report_run *run, struct error *error)
{
    const struct report_view *of = NULL;
    const struct recording *source = NULL;
    struct fronts fronts = { .run = run };
    struct arrival_settings settings;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < run->view_count; i++)
        if (strcmp(run->views[i].field->name, "error") == 0)
            of = &run->views[i];
    json_array(json, "fronts");
    if (of)
        status =
            view_source_of(run->recording, of->field, of->wave, &source, error);
    if (source && !status)
        status = arrival_settings_of(source, &settings, error);
    if (source && !status)
        status = front_compare(&fronts.front, &fronts.truth, source, of->wave,
                               &settings, acos(-1) / 2, error);
    if (source && !status)
        put_columns(json, words, &fronts);
    json_array_end(json);
    truth_release(&fronts.truth);
    front_release(&fronts.front);
    return status == STATUS_INPUT ? STATUS_OK : status;
}
