/* SPDX-License-Identifier: MIT */
/* What is recorded against what runs. */
#include "scenario/load.h"

static enum status check_fields(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const unsigned of_waves = FIELD_AMPLITUDE | FIELD_GRADIENT | FIELD_ARRIVAL;
    if (!scenario->has_wave && (scenario->record.fields & of_waves))
        return fault_path(load, "record.fields",
                          "amplitude, gradient and arrival are fields of "
                          "waves, and none run; (\"agents\") or a group wave "
                          "is allowed");
    return STATUS_OK;
}

/* Rows between keyframes are computed again from two whole generations. */
static enum status check_keyframes(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct record_settings *record = &scenario->record;
    static const char path[] = "record.keyframes";
    if (record->keyframes == 0)
        return STATUS_OK;
    if (record->keyframes == 1)
        return fault_path(load, path,
                          "1 is no distance between pairs of rows; 0, or 2 and "
                          "more is allowed");
    if (!(record->fields & FIELD_AMPLITUDE))
        return fault_path(load, path,
                          "needs amplitude among record.fields to compute "
                          "rows from");
    if (record->every != 1)
        return fault_path(load, path, "needs record.every = 1, not %lld",
                          (long long)record->every);
    if (record->has_region)
        return fault_path(load, path,
                          "needs the whole map; no record.region is allowed "
                          "beside it");
    return warn_path(load, path,
                     "is not built yet: every row is stored all the same");
}

enum status record_settle(struct load *load)
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
            warn_path(load, "record.every",
                      "%lld is over the steps, %lld: only row 0 is "
                      "recorded",
                      (long long)record->every, (long long)scenario->steps);
    return status;
}
