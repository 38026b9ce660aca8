/* SPDX-License-Identifier: MIT */
#include "analysis/check/recording.h"

#include "analysis/check/chase.h"
#include "analysis/check/replay.h"
#include "base/memory.h"
#include "base/version.h"

#include <string.h>

static const char *const names[CHECKS] = {
    [CHECK_CHECKSUMS] = "checksums of the rows",
    [CHECK_STENCIL] = "rows follow the stencil",
    [CHECK_SUPPORT] = "support is Lee's ball",
    [CHECK_PATHS] = "fronts count paths",
    [CHECK_ENERGY] = "energy is kept",
    [CHECK_RADIAL] = "free gradient is radial",
    [CHECK_MIRRORS] = "mirror symmetry",
    [CHECK_GRADIENT] = "gradient is amplitude's",
    [CHECK_ARRIVAL] = "arrivals as detected",
    [CHECK_QUANTITY] = "arrivals match waves",
    [CHECK_RANGE] = "agents stay on the map",
    [CHECK_SPEED] = "agents keep their speed",
    [CHECK_WALLS] = "no step ends in a wall",
    [CHECK_SCHEDULE] = "emissions are on schedule",
    [CHECK_HEADINGS] = "headings of the arrivals",
    [CHECK_STEPS] = "steps follow the headings",
    [CHECK_STATES] = "states follow the steps",
    [CHECK_CAPTURES] = "captures at the radius",
    [CHECK_END] = "the run ends by its rule",
    [CHECK_LISTENED] = "arrivals are the waves'",
    [CHECK_ROUTES] = "plans are shortest paths",
    [CHECK_ALONG] = "agents follow their plans",
    [CHECK_REPLAY] = "replay: settings",
    [CHECK_REPLAY_MAP] = "replay: map",
    [CHECK_REPLAY_FIELDS] = "replay: fields",
    [CHECK_REPLAY_EMISSIONS] = "replay: emissions",
    [CHECK_REPLAY_ARRIVALS] = "replay: arrivals",
    [CHECK_REPLAY_AGENTS] = "replay: agents",
    [CHECK_REPLAY_TARGET] = "replay: target",
    [CHECK_REPLAY_PLANS] = "replay: plans",
    [CHECK_REPLAY_CAPTURES] = "replay: captures",
    [CHECK_REPLAY_END] = "replay: end",
};

/* Reads every row of one variable; recording_read compares its checksum. */
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

static enum status check_checksums(const struct recording *recording,
                                   struct check_report *report,
                                   struct error *error)
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

/* Another build may have other rules. */
static void note_build(const struct recording *recording,
                       struct finding *finding)
{
    const char *commit = recording_text(recording, "commit");
    if (commit && strcmp(commit, hamon_commit) != 0)
        finding_skip(finding, 0, "recorded by commit %.40s, this is %.40s",
                     commit, hamon_commit);
}

/* All checks that need the scenario in the recording. */
static enum status check_run(const struct recording *recording,
                             const struct scenario *scenario, bool replay,
                             struct check_report *report, struct error *error)
{
    for (int c = CHECK_SCHEDULE; c < CHECKS && !scenario; c++)
        if (c != CHECK_REPLAY)
            finding_skip(&report->finding[c], 0,
                         "the scenario cannot be run again");
    if (!scenario)
        return STATUS_OK;
    enum status status = check_chase(recording, scenario, report, error);
    if (!status)
        status = check_listening(recording, scenario, report, error);
    if (!status)
        status = check_routes(recording, scenario, report, error);
    for (int c = CHECK_REPLAY_MAP; c < CHECKS && !replay; c++)
        finding_skip(&report->finding[c], 0, "--no-replay");
    if (!status && replay)
        status = check_replay(recording, scenario, report, error);
    for (int c = CHECK_REPLAY; c < CHECKS; c++)
        if (finding_verdict(&report->finding[c]) == VERDICT_FAIL)
            note_build(recording, &report->finding[c]);
    return status;
}

enum status check_recording(const struct recording *recording, bool replay,
                            struct check_report *report, struct error *error)
{
    struct scenario *scenario = NULL;
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
        status = replay_scenario(recording, &report->finding[CHECK_REPLAY],
                                 &scenario, error);
    if (!status)
        status = check_waves(recording, scenario, report, error);
    if (!status)
        status = check_quantities(recording, report, error);
    if (!status)
        status = check_trajectories(recording, report, error);
    if (!status)
        status = check_run(recording, scenario, replay, report, error);
    scenario_release(scenario);
    return status;
}
