/* SPDX-License-Identifier: MIT */
#include "check_recording.h"

#include "base/memory.h"

static const char *const names[CHECKS] = {
    [CHECK_CHECKSUMS] = "checksums of the rows",
    [CHECK_STENCIL] = "rows follow the stencil",
    [CHECK_SUPPORT] = "support is the Lee ball",
    [CHECK_PATHS] = "fronts count the paths",
    [CHECK_ENERGY] = "energy is kept",
    [CHECK_RADIAL] = "free gradient is radial",
    [CHECK_MIRRORS] = "mirrors of the map hold",
    [CHECK_GRADIENT] = "gradient is amplitude's",
    [CHECK_ARRIVAL] = "arrivals as detected",
    [CHECK_RANGE] = "agents stay on the map",
    [CHECK_SPEED] = "agents keep their speed",
    [CHECK_WALLS] = "no step ends in a wall",
};

/* Every row of one variable; recording_read holds it to its checksum. */
static enum status check_variable(const struct recording *recording,
                                  const struct variable *variable,
                                  struct finding *finding, struct error *error)
{
    size_t bytes = element_bytes(variable->type);
    void *row = memory_new(variable_elements(variable), bytes);
    if (!row)
        return error_memory(error);
    int64_t rows = recording_rows(recording);
    const int64_t *steps = recording_steps(recording);
    for (int64_t i = 0; i < rows; i++) {
        struct error fault;
        bool bad = recording_read(recording, variable, i, row, &fault);
        finding_within(finding, bad, 0, &(struct spot){ -1, -1, steps[i], -1 });
        if (bad)
            finding_skip(finding, 0, "%s", fault.message);
    }
    memory_release(row);
    return STATUS_OK;
}

enum status check_checksums(const struct recording *recording,
                            struct check_report *report, struct error *error)
{
    enum status status = STATUS_OK;
    const struct variable *variable;
    for (size_t i = 0; !status && (variable = recording_variable(recording, i));
         i++)
        if (variable->by_row)
            status = check_variable(recording, variable,
                                    &report->finding[CHECK_CHECKSUMS], error);
    return status;
}

enum status check_recording(const struct recording *recording,
                            struct check_report *report, struct error *error)
{
    *report = (struct check_report){ 0 };
    for (int c = 0; c < CHECKS; c++)
        report->finding[c].name = names[c];
    if (recording_rows(recording) == 0) {
        for (int c = 0; c < CHECKS; c++)
            finding_skip(&report->finding[c], 0, "no row is committed");
        return STATUS_OK;
    }
    enum status status = check_checksums(recording, report, error);
    if (!status)
        status = check_waves(recording, report, error);
    if (!status)
        status = check_trajectories(recording, report, error);
    return status;
}
