/* SPDX-License-Identifier: MIT */
#include "analysis/check/scenario.h"

#include "base/memory.h"
#include "base/need.h"
#include "recording/read/file.h"
#include "run/again.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- the texts ---- */

static const char *line_end(const char *text)
{
    const char *end = strchr(text, '\n');
    return end ? end : text + strlen(text);
}

/* Are the lines the same, except for the path of the map's file, which is
 * absolute in one of them? */
static bool same_parameters(const char *a, const char *b)
{
    static const char file[] = "map.file = ";
    while (*a && *b) {
        size_t lines[2] = { (size_t)(line_end(a) - a),
                            (size_t)(line_end(b) - b) };
        bool same = lines[0] == lines[1] && memcmp(a, b, lines[0]) == 0;
        bool both_files = strncmp(a, file, sizeof file - 1) == 0 &&
                          strncmp(b, file, sizeof file - 1) == 0;
        if (!same && !both_files)
            return false;
        a += lines[0] + (a[lines[0]] != '\0');
        b += lines[1] + (b[lines[1]] != '\0');
    }
    return !*a && !*b;
}

/* Splits the text "set" into its overrides: a line that begins with a letter is
 * a new one, others continue it. Returns their number. */
static size_t cut_overrides(char *text, const char **overrides)
{
    size_t count = 0, length = strlen(text);
    if (length && text[length - 1] == '\n')
        text[length - 1] = '\0';
    for (char *line = text; line; line = strchr(line + 1, '\n')) {
        char *start = line > text ? line + 1 : line;
        if (!isalpha((unsigned char)*start))
            continue;
        if (line > text)
            *line++ = '\0';
        overrides[count++] = start;
    }
    return count;
}

/* An error in the recording is a finding; a lack of memory, or a disk error, is
 * an error of this program. */
static enum status fault_found(struct finding *finding, enum status status,
                               const struct error *why, struct error *error)
{
    if (status != STATUS_INPUT) {
        *error = *why;
        return status;
    }
    finding_expect(finding, false, why->message);
    return STATUS_OK;
}

/* The given text with its --set overrides gives the same settings. */
static enum status check_given(const struct recording *recording,
                               const struct scenario *run,
                               struct finding *finding, struct error *error)
{
    const char *given = recording_text(recording, "scenario");
    const char *set = recording_text(recording, "set");
    const char *parameters = recording_text(recording, "parameters");
    struct scenario *scenario = NULL;
    struct error why;
    if (!given || !set) {
        finding_skip(finding, 1, "the text that was given is not recorded");
        return STATUS_OK;
    }
    char *text = need_text(set);
    const char **overrides =
        need_memory(strlen(set) + AGAIN_OVERRIDES, sizeof *overrides);
    size_t count = cut_overrides(text, overrides);
    const bool starts = count ? overrides[0] == text : *text == '\0';
    count += again_overrides(recording, &overrides[count]);
    enum status status = STATUS_OK;
    const struct scenario_source source = {
        .path = recording_path(recording),
        .text = given,
        .overrides = overrides,
        .override_count = count,
        .map = &run->terrain,
        .signal = recording_setting(recording, "wave.signal"),
    };
    enum status parsed = scenario_read(&source, &scenario, &why);
    if (!parsed)
        again_leave_out(recording, scenario);
    if (parsed && parsed != STATUS_INPUT)
        status = fault_found(finding, parsed, &why, error);
    else
        finding_expect(finding,
                       !parsed && starts && parameters &&
                           same_parameters(scenario->parameters, parameters),
                       "provenance/scenario and set are another scenario's");
    scenario_release(scenario);
    memory_release(overrides);
    memory_release(text);
    return status;
}

/* ---- the scenario ---- */

/* Recordings of earlier versions lack the map before events of step 0, on which
 * agents were placed, if it was read from a file. */
static bool lacks_start(const struct recording *recording)
{
    char key[32] = "events.[0].step";
    bool at_start = false;
    for (int i = 0; recording_setting(recording, key);
         snprintf(key, sizeof key, "events.[%d].step", ++i))
        at_start = at_start || recording_setting_real(recording, key, -1) == 0;
    return at_start && recording_setting(recording, "map.file") &&
           !recording_text(recording, "start");
}

enum status check_scenario(const struct recording *recording,
                           struct finding *finding, struct scenario **scenario,
                           struct error *error)
{
    struct error why;
    *scenario = NULL;
    if (!recording_text(recording, "resolved")) {
        finding_skip(finding, 1, "the scenario is not recorded");
        return STATUS_OK;
    }
    if (lacks_start(recording)) {
        finding_skip(finding, 1,
                     "an event of step 0 hides the map that agents were "
                     "placed on");
        return STATUS_OK;
    }
    enum status status = again_scenario(recording, scenario, &why);
    if (status)
        return fault_found(finding, status, &why, error);
    return check_given(recording, *scenario, finding, error);
}
