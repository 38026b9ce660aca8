/* SPDX-License-Identifier: MIT */
/* rules [-q] FILE…: do the recordings follow the rules of chases and of
 * arrivals? Prints each check with PASS, FAIL or skip, with -q only those that
 * failed. Exit 1: one failed; 2: a file cannot be read. */
#include "analysis/check/scenario.h"
#include "tests/analysis/rules/chase.h"
#include "view/replay.h"

#include <stdio.h>
#include <string.h>

static const char *const names[CHECKS] = {
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
    [CHECK_DETECTED] = "arrivals as detected",
};

static enum status check_rules(const struct recording *recording,
                               struct check_report *report, struct error *error)
{
    struct scenario *scenario = NULL;
    struct finding settings = { 0 };
    enum status status = check_quantities(recording, report, error);
    if (!status)
        status = check_detected(recording, report, error);
    if (!status)
        status = check_trajectories(recording, report, error);
    if (!status)
        status = check_scenario(recording, &settings, &scenario, error);
    if (status || !scenario)
        return status;
    status = check_chase(recording, scenario, report, error);
    if (!status)
        status = check_listening(recording, scenario, report, error);
    if (!status)
        status = check_routes(recording, scenario, report, error);
    scenario_release(scenario);
    return status;
}

static int print(const struct check_report *report, bool quiet)
{
    static const char *const verdicts[] = { [VERDICT_PASS] = "pass",
                                            [VERDICT_FAIL] = "FAIL",
                                            [VERDICT_SKIP] = "skip" };
    int code = 0;
    for (int c = 0; c < CHECKS; c++) {
        const struct finding *finding = &report->finding[c];
        const enum verdict verdict = finding_verdict(finding);
        if (verdict == VERDICT_FAIL)
            code = 1;
        if (quiet && verdict != VERDICT_FAIL)
            continue;
        printf("  %-25s %s %lld compared, %lld wrong, worst %g at step %lld "
               "of agent %d, wave %d; %s\n",
               finding->name, verdicts[verdict], (long long)finding->looked,
               (long long)finding->wrong, finding->error,
               (long long)finding->spot.step, finding->spot.agent,
               finding->spot.wave, finding->why);
    }
    return code;
}

static int check_file(const char *path, bool quiet)
{
    struct recording *recording;
    struct check_report report = { 0 };
    struct error error;
    for (int c = 0; c < CHECKS; c++)
        report.finding[c].name = names[c];
    enum status status = replay_open(path, &recording, &error);
    if (!status && recording_rows(recording) > 0)
        status = check_rules(recording, &report, &error);
    if (status) {
        fprintf(stderr, "%s\n", error.message);
        return status;
    }
    recording_close(recording);
    return print(&report, quiet);
}

int main(int count, char **words)
{
    const bool quiet = count > 1 && strcmp(words[1], "-q") == 0;
    int code = 0;
    for (int i = quiet ? 2 : 1; i < count; i++) {
        const int one = check_file(words[i], quiet);
        code = one > code ? one : code;
    }
    return code;
}
