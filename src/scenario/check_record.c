/* SPDX-License-Identifier: MIT */
/* The recorded fields against the waves and agents that run. */
#include "scenario/load.h"

#include <string.h>

static enum status check_fields(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const unsigned of_waves = FIELD_AMPLITUDE | FIELD_GRADIENT | FIELD_ARRIVAL;
    if (!scenario->has_wave && (scenario->record.fields & of_waves))
        return load_fault_path(
            load, "record.fields",
            "amplitude, gradient and arrival are fields of waves, and there "
            "are no waves; (\"agents\") or a group wave is allowed");
    /* wave#_arrival is int32, and so are the ages from which it is made. */
    if ((scenario->record.fields & FIELD_ARRIVAL) &&
        scenario->steps > INT32_MAX)
        return load_fault_path(
            load, "record.fields",
            "a field arrival can store steps up to %d, and the run has %lld; "
            "fewer steps, or other fields, are allowed",
            INT32_MAX, (long long)scenario->steps);
    return STATUS_OK;
}

/* If cells become walls and free again in one step, the maps of two steps do
 * not show it: the wave is set to 0 there, and could not be computed again. */
static bool hides(const struct map_event *wall, const struct map_event *free)
{
    const struct box *a = &wall->change.box, *b = &free->change.box;
    if (wall->step != free->step || wall->change.kind != CHANGE_WALL ||
        free->change.kind != CHANGE_FREE)
        return false;
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (a->high[axis] < b->low[axis] || b->high[axis] < a->low[axis])
            return false;
    return true;
}

/* Frames between keyframes are computed again from two whole generations. */
static enum status check_keyframes(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct record_settings *record = &scenario->record;
    static const char path[] = "record.keyframes";
    if (record->keyframes == 0)
        return STATUS_OK;
    if (record->keyframes == 1)
        return load_fault_path(
            load, path,
            "1 leaves no rows to compute; 0, or 2 and more is allowed");
    if (!(record->fields & FIELD_AMPLITUDE))
        return load_fault_path(load, path,
                               "needs amplitude among record.fields to compute "
                               "rows from");
    if (record->every != 1)
        return load_fault_path(load, path, "needs record.every = 1, not %lld",
                               (long long)record->every);
    const struct box whole = grid_box(&scenario->terrain.grid);
    if (memcmp(&record->region, &whole, sizeof whole) != 0)
        return load_fault_path(
            load, path,
            "needs the whole map; no record.region is allowed "
            "beside it");
    for (size_t i = 0; i < scenario->event_count; i++)
        for (size_t j = i + 1; j < scenario->event_count; j++)
            if (hides(&scenario->events[i], &scenario->events[j]))
                return load_fault_path(
                    load, path,
                    "cannot store that events of step %lld set the same cells "
                    "first to wall and then to free; put them into two steps",
                    (long long)scenario->events[i].step);
    return STATUS_OK;
}

enum status load_settle_record(struct load *load)
{
    struct scenario *scenario = &load->draft->scenario;
    struct record_settings *record = &scenario->record;
    if (!record->fields)
        record->fields = scenario->has_wave
                             ? FIELD_AMPLITUDE | FIELD_GRADIENT | FIELD_AGENTS
                             : FIELD_AGENTS;
    if (!record->has_region)
        record->region = grid_box(&scenario->terrain.grid);
    enum status status = check_fields(load);
    if (!status)
        status = check_keyframes(load);
    if (!status && record->every > scenario->steps)
        status =
            load_warn(load, "record.every",
                      "%lld is over the steps, %lld: only row 0 is "
                      "recorded",
                      (long long)record->every, (long long)scenario->steps);
    return status;
}
