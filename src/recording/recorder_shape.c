/* SPDX-License-Identifier: MIT */
#include "recording/recorder_parts.h"

#include <string.h>

static bool covers(const struct box *region, const struct grid *grid)
{
    struct box whole = grid_box(grid);
    return memcmp(region, &whole, sizeof whole) == 0;
}

static int64_t longest(const char *const *texts, size_t count)
{
    size_t length = 1;
    for (size_t i = 0; i < count; i++)
        if (strlen(texts[i]) > length)
            length = strlen(texts[i]);
    return (int64_t)length;
}

static unsigned parts_of(const struct recording_plan *plan)
{
    const struct {
        bool here;
        enum part part;
    } parts[] = {
        { plan->grid.dims == 3, PART_DEPTH },
        { plan->amplitude, PART_AMPLITUDE },
        { plan->gradient, PART_GRADIENT },
        { plan->arrival, PART_ARRIVAL },
        { plan->speed, PART_SPEED },
        { plan->cost, PART_COST },
        { plan->one_way, PART_ONE_WAY },
        { !covers(&plan->region, &plan->grid), PART_WORLD },
        { plan->agents > 0, PART_AGENTS },
        { plan->target, PART_TARGET },
        { plan->relay, PART_RELAY },
        { plan->arrivals > 0, PART_ARRIVALS },
        { plan->emissions > 0, PART_EMISSIONS },
        { plan->captures > 0, PART_CAPTURES },
        { plan->plans > 0, PART_PLANS },
        { plan->restart_bytes > 0, PART_RESTART },
        { plan->keyframes > 0, PART_KEYFRAMES },
        { true, PART_TIME },
    };
    unsigned or_ed = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].here)
            or_ed |= parts[i].part;
    return or_ed;
}

static void set_lengths(const struct recording_plan *plan, struct shape *shape)
{
    int64_t *length = shape->length;
    for (int axis = 0; axis < GRID_AXES; axis++)
        length[AXIS_X - axis] =
            plan->region.high[axis] - plan->region.low[axis] + 1;
    shape->world[0] = plan->grid.nx;
    shape->world[1] = plan->grid.ny;
    shape->world[2] = plan->grid.nz;
    length[AXIS_TIME] = recording_plan_rows(plan, plan->steps);
    if (plan->keyframes)
        length[AXIS_KEYFRAME] =
            keyframes_of(length[AXIS_TIME], plan->keyframes);
    length[AXIS_VERSION] = (int64_t)plan->versions;
    length[AXIS_AGENT] = (int64_t)plan->agents;
    length[AXIS_NAME] = longest(plan->agent_names, plan->agents);
    length[AXIS_METHOD] = longest(plan->agent_methods, plan->agents);
    length[AXIS_ARRIVAL] = (int64_t)plan->arrivals;
    length[AXIS_EMISSION] = (int64_t)plan->emissions;
    length[AXIS_CAPTURE] = (int64_t)plan->captures;
    length[AXIS_PLAN] = (int64_t)plan->plans;
    length[AXIS_PATH_CELL] = plan->plan_cells ? (int64_t)plan->plan_cells : 1;
    length[AXIS_BYTE] =
        (int64_t)(plan->restart_bytes + sizeof(struct slot_header));
}

static enum status set_texts(const struct recording_plan *plan,
                             struct shape *shape, struct error *error)
{
    int64_t total = 0;
    if (plan->text_count > RECORDING_MAX_TEXTS)
        return error_set(error, STATUS_FAILED,
                         "%zu texts of provenance: at most %d are kept",
                         plan->text_count, RECORDING_MAX_TEXTS);
    for (size_t i = 0; i < plan->text_count; i++) {
        const struct recording_text *text = &plan->texts[i];
        size_t length = strlen(text->text);
        total += (int64_t)length;
        if (strlen(text->name) >= RECORDING_TEXT_NAME_SIZE ||
            total > RECORDING_MAX_TEXT)
            return error_set(error, STATUS_INPUT,
                             "%s: too long to be kept: all texts of "
                             "provenance hold at most %d bytes",
                             text->name, RECORDING_MAX_TEXT);
        strncpy(shape->texts[i].name, text->name, RECORDING_TEXT_NAME_SIZE - 1);
        shape->texts[i].length = length ? (int64_t)length : 1;
    }
    shape->text_count = plan->text_count;
    return STATUS_OK;
}

enum status plan_shape(const struct recording_plan *plan, struct shape *shape,
                       struct error *error)
{
    *shape = (struct shape){
        .parts = parts_of(plan),
        .real = plan->real,
        .waves = plan->waves,
    };
    set_lengths(plan, shape);
    return set_texts(plan, shape, error);
}
