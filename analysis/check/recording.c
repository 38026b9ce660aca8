/* SPDX-License-Identifier: MIT */
#include "analysis/check/recording.h"

#include "analysis/check/again.h"
#include "analysis/check/scenario.h"
#include "base/memory.h"
#include "base/need.h"
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
    [CHECK_AGAIN] = "replay: settings",
    [CHECK_AGAIN_MAP] = "replay: map",
    [CHECK_AGAIN_FIELDS] = "replay: fields",
    [CHECK_AGAIN_EMISSIONS] = "replay: emissions",
    [CHECK_AGAIN_ARRIVALS] = "replay: arrivals",
    [CHECK_AGAIN_AGENTS] = "replay: agents",
    [CHECK_AGAIN_TARGET] = "replay: target",
    [CHECK_AGAIN_PLANS] = "replay: plans",
    [CHECK_AGAIN_CAPTURES] = "replay: captures",
    [CHECK_AGAIN_END] = "replay: end",
};

/* Reads every row of one variable; recording_read compares its checksum. */
static enum status check_variable(const struct recording *recording,
                                  const struct variable *variable,
                                  struct finding *finding, struct error *error)
{
    size_t bytes = element_bytes(variable->type);
    void *row = need_memory(variable_elements(variable), bytes);
    int64_t rows = recording_rows(recording);
    const int64_t *steps = recording_steps(recording);
    for (int64_t i = 0; i < rows; i++) {
        struct error fault;
        bool bad = recording_read(recording, variable, i, row, &fault);
        finding_test(finding, !bad, &(struct spot){ -1, -1, steps[i], -1 });
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

static enum status check_run(const struct recording *recording,
                             struct scenario *scenario, bool again,
                             struct check_report *report, struct error *error)
{
    enum status status = STATUS_OK;
    for (int c = CHECK_AGAIN; c < CHECKS && !(scenario && again); c++)
        if (c != CHECK_AGAIN || scenario)
            finding_skip(&report->finding[c], 0,
                         scenario ? "--no-replay"
                                  : "the scenario cannot be run again");
    if (scenario && again)
        status = check_again(recording, scenario, report, error);
    for (int c = CHECK_AGAIN; c < CHECKS; c++)
        if (finding_verdict(&report->finding[c]) == VERDICT_FAIL)
            note_build(recording, &report->finding[c]);
    return status;
}

enum status check_recording(const struct recording *recording, bool again,
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
        status = check_scenario(recording, &report->finding[CHECK_AGAIN],
                                &scenario, error);
    if (!status)
        status = check_waves(recording, scenario, report, error);
    if (!status)
        status = check_run(recording, scenario, again, report, error);
    scenario_release(scenario);
    return status;
}
