/* SPDX-License-Identifier: MIT */
#include "tests/analysis/rules/arrival.h"

#include "analysis/check/settings.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/team.h"
#include "tests/analysis/rules/report.h"
#include "view/arrival_run.h"
#include "wave/arrival/detector.h"

#include <stdio.h>
#include <string.h>

void check_arrivals_begin(const struct law *law, struct arrivals *arrivals)
{
    for (size_t i = 0; i < grid_cells(&law->grid); i++)
        arrivals->step[i] = -1;
    arrivals->emitted = -1;
    arrivals->ended = -1;
    arrivals->broken = false;
}

static void detect(const struct law *law,
                   const struct arrival_settings *settings,
                   const struct wave_row *row, int64_t age,
                   struct arrivals *arrivals)
{
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        if (arrivals->step[i] >= 0)
            continue;
        /* z[−1] of age 1 does not exist: 0. */
        struct detector_sample sample = {
            .now = row->now[i],
            .before = row->before[i],
            .earlier = age > 1 ? row->older[i] : 0,
            .amplitude = law->amplitude,
            .age = age,
        };
        if (settings->detector->holds(settings, &sample))
            arrivals->step[i] = (int32_t)row->step;
    }
}

void check_arrivals_take(const struct law *law,
                         const struct arrival_settings *settings,
                         const struct wave_row *row, struct arrivals *arrivals)
{
    if (row->emitted < 0 || arrivals->ended >= 0)
        return;
    if (arrivals->emitted < 0)
        arrivals->emitted = row->emitted;
    if (arrivals->emitted != row->emitted) {
        arrivals->ended = row->emitted;
        arrivals->broken |= !row->before;
        return;
    }
    int64_t age = row->step - row->emitted;
    if (age == 0 && row->source != GRID_NOWHERE)
        arrivals->step[row->source] = (int32_t)row->step;
    else if (age == 0)
        return;
    else if (!row->before || (age > 1 && !row->older))
        arrivals->broken = true;
    else
        detect(law, settings, row, age, arrivals);
}

void check_arrivals(const struct law *law, const struct arrivals *arrivals,
                    const struct box *known, int wave, int64_t last,
                    const double *recorded, struct finding *finding)
{
    for (int z = known->low[2]; z <= known->high[2]; z++)
        for (int y = known->low[1]; y <= known->high[1]; y++)
            for (int x = known->low[0]; x <= known->high[0]; x++) {
                double value = *recorded++;
                size_t cell = grid_index(&law->grid, x, y, z);
                struct spot spot = { wave, -1, -1, (int64_t)cell };
                /* The field of a killed run may be ahead of its frames. */
                bool unseen =
                    arrivals->step[cell] < 0 && value >= 0 &&
                    (value == (double)arrivals->ended || value > (double)last);
                if (arrivals->broken)
                    finding_skip(finding, 1,
                                 "needs a row for every step: record.every");
                else if (unseen)
                    finding_skip(finding, 1, "arrivals that no row shows");
                else
                    finding_exact(finding, value, arrivals->step[cell], &spot);
            }
}

/* ---- a recording ---- */

struct detected {
    const struct recording *recording;
    struct law law; /* on the whole map */
    struct arrival_settings settings;
    struct arrivals arrivals;
    double *field[3]; /* (cells): frames k, k − 1, k − 2 in turn, 0 outside the
                       * region */
    double *packed; /* (region) */
    int wave;
    const struct variable *amplitude, *recorded;
    struct emission_row *emissions; /* of this wave */
    size_t emission_count;
};

static const struct variable *find(const struct detected *detected,
                                   const char *tail)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d%s", detected->wave, tail);
    return recording_find(detected->recording, name);
}

/* A packed region into a field over the map. */
static void unpack(const struct detected *detected, double *field)
{
    const struct box box = recording_region(detected->recording);
    const double *packed = detected->packed;
    for (int z = box.low[2]; z <= box.high[2]; z++)
        for (int y = box.low[1]; y <= box.high[1]; y++)
            for (int x = box.low[0]; x <= box.high[0]; x++)
                field[grid_index(&detected->law.grid, x, y, z)] = *packed++;
}

static void take_rows(struct detected *detected)
{
    const int64_t *steps = recording_steps(detected->recording);
    int64_t known[3] = { -1, -1, -1 };
    for (int64_t i = 0; i < recording_rows(detected->recording); i++) {
        double *oldest = detected->field[2];
        for (int j = 2; j > 0; j--) {
            detected->field[j] = detected->field[j - 1];
            known[j] = known[j - 1];
        }
        detected->field[0] = oldest;
        known[0] = -1;
        if (recording_read_real(detected->recording, detected->amplitude, i,
                                detected->packed, NULL))
            continue;
        unpack(detected, oldest);
        known[0] = steps[i];
        struct wave_row row = {
            .wave = detected->wave,
            .step = steps[i],
            .now = oldest,
            .before = known[1] == steps[i] - 1 ? detected->field[1] : NULL,
            .older = known[2] == steps[i] - 2 ? detected->field[2] : NULL,
            .emitted = -1,
        };
        for (size_t j = 0; j < detected->emission_count; j++)
            if (detected->emissions[j].step <= steps[i]) {
                row.emitted = detected->emissions[j].step;
                row.source = detected->emissions[j].cell;
            }
        check_arrivals_take(&detected->law, &detected->settings, &row,
                            &detected->arrivals);
    }
}

/* What the recording does not show, or NULL. */
static const char *hidden(const struct detected *detected)
{
    if (!detected->recorded)
        return "no arrival field is recorded";
    if (detected->settings.detector->own_wave)
        return NULL;
    if (!detected->amplitude)
        return "no amplitude is recorded";
    return recording_keep_bits(detected->recording)
               ? "waves were rounded when packed"
               : NULL;
}

static enum status check_wave(struct detected *detected,
                              struct finding *finding, struct error *error)
{
    const struct recording *recording = detected->recording;
    const struct box region = recording_region(recording);
    const char *why = hidden(detected);
    enum status status = STATUS_OK;
    if (why) {
        finding_skip(finding, 0, "%s", why);
        return STATUS_OK;
    }
    check_arrivals_begin(&detected->law, &detected->arrivals);
    bool was = denormals_flush(detected->law.flush);
    if (detected->settings.detector->own_wave)
        status = own_arrivals(recording, &detected->law, &detected->settings,
                              detected->emissions, detected->emission_count,
                              &detected->arrivals, error);
    else
        take_rows(detected);
    denormals_flush(was);
    if (!status && variable_elements(detected->recorded) != box_cells(&region))
        status = error_set(error, STATUS_INPUT,
                           "%s: %s: does not cover the recorded region",
                           recording_path(recording), detected->recorded->name);
    if (!status)
        status = recording_read_real(recording, detected->recorded, 0,
                                     detected->packed, error);
    if (!status)
        check_arrivals(
            &detected->law, &detected->arrivals, &region, detected->wave,
            recording_steps(recording)[recording_rows(recording) - 1],
            detected->packed, finding);
    return status;
}

static enum status check_waves_of(struct detected *detected,
                                  struct finding *finding, struct error *error)
{
    struct emission_row *all = NULL;
    size_t count = 0;
    enum status status =
        emissions_read(detected->recording, &all, &count, error);
    for (int i = 0; i < recording_waves(detected->recording) && !status; i++) {
        detected->wave = i;
        detected->amplitude = find(detected, "");
        detected->recorded = find(detected, "_arrival");
        detected->emissions = need_memory(count + 1, sizeof *all);
        detected->emission_count = 0;
        for (size_t j = 0; j < count; j++)
            if (all[j].wave == i)
                detected->emissions[detected->emission_count++] = all[j];
        status = check_wave(detected, finding, error);
        memory_release(detected->emissions);
    }
    memory_release(all);
    return status;
}

enum status check_detected(const struct recording *recording,
                           struct check_report *report, struct error *error)
{
    struct detected detected = { .recording = recording };
    struct finding *finding = &report->finding[CHECK_DETECTED];
    if (recording_waves(recording) == 0 ||
        arrival_settings_of(recording, &detected.settings, NULL)) {
        finding_skip(finding, 0, "there are no waves, or no known detector");
        return STATUS_OK;
    }
    enum status status = law_read(recording, &detected.law, error);
    if (status)
        return status;
    const size_t cells = grid_cells(&detected.law.grid);
    for (int i = 0; i < 3; i++)
        detected.field[i] = need_memory(cells, sizeof(double));
    detected.packed = need_memory(cells, sizeof(double));
    detected.arrivals.step = need_memory(cells, sizeof(int32_t));
    status = check_waves_of(&detected, finding, error);
    for (int i = 0; i < 3; i++)
        memory_release(detected.field[i]);
    memory_release(detected.packed);
    memory_release(detected.arrivals.step);
    return status;
}
