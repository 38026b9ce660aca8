/* SPDX-License-Identifier: MIT */
#include "draw/arrival_run.h"

#include "base/memory.h"
#include "draw/column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAVE, STEP, PLACE, COLUMNS = PLACE + GRID_AXES };

static bool find_first(int wave, double *const columns[COLUMNS], int64_t rows,
                       struct emission *emission)
{
    for (int64_t i = 0; i < rows; i++) {
        if (columns[WAVE][i] != wave)
            continue;
        int64_t step = (int64_t)columns[STEP][i];
        if (emission->step >= 0) {
            emission->next = step;
            return true;
        }
        emission->step = step;
        for (int axis = 0; axis < GRID_AXES; axis++)
            emission->cell[axis] =
                columns[PLACE + axis] ? (int)columns[PLACE + axis][i] : 0;
    }
    return emission->step >= 0;
}

enum status emission_first(const struct recording *recording, int wave,
                           struct emission *emission, struct error *error)
{
    static const char *const names[COLUMNS] = { "emissions/wave",
                                                "emissions/step", "emissions/x",
                                                "emissions/y", "emissions/z" };
    int64_t rows = recording_table_rows(recording, "emissions");
    double *columns[COLUMNS] = { 0 };
    int count = COLUMNS - (recording_grid(recording)->dims == 2);
    enum status status = STATUS_OK;
    *emission = (struct emission){ .step = -1, .next = -1 };
    for (int i = 0; i < count && !status && rows > 0; i++)
        status = column_read(recording, names[i], rows, &columns[i], error);
    if (!status && (rows <= 0 || !find_first(wave, columns, rows, emission)))
        status = error_set(error, STATUS_INPUT, "%s: wave %d was never emitted",
                           recording_path(recording), wave);
    for (int i = 0; i < COLUMNS; i++)
        memory_release(columns[i]);
    struct box box = recording_region(recording);
    for (int axis = 0; axis < GRID_AXES && !status; axis++)
        if (emission->cell[axis] < box.low[axis] ||
            emission->cell[axis] > box.high[axis])
            status =
                error_set(error, STATUS_INPUT,
                          "%s: the source is outside the recorded region; "
                          "record.fields with \"arrival\" records arrivals",
                          recording_path(recording));
    return status;
}

const char *const arrival_setting_keys[] = {
    "arrival.detector", "arrival.threshold", "arrival.heading",
    "arrival.cap",      "arrival.beta",      NULL,
};

static enum status take_detector(struct arrival_settings *settings,
                                 const char *text, const char *where,
                                 struct error *error)
{
    settings->detector = detector_find(text);
    if (settings->detector && settings->detector->holds)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "%s: arrivals of the detector '%s' are not worked out "
                     "from rows; record.fields with \"arrival\" records them",
                     where, text);
}

enum status arrival_setting_take(struct arrival_settings *settings,
                                 const char *key, const char *text,
                                 const char *where, struct error *error)
{
    if (strcmp(key, "arrival.detector") == 0)
        return take_detector(settings, text, where, error);
    if (strcmp(key, "arrival.heading") == 0) {
        for (int i = 0; heading_rule_names[i]; i++)
            if (strcmp(text, heading_rule_names[i]) == 0) {
                settings->heading = (enum heading_rule)i;
                return STATUS_OK;
            }
    } else {
        double *const reals[] = { &settings->threshold, &settings->cap,
                                  &settings->beta };
        static const char *const keys[] = { "arrival.threshold", "arrival.cap",
                                            "arrival.beta" };
        char *end;
        double value = strtod(text, &end);
        for (int i = 0; i < 3; i++)
            if (strcmp(key, keys[i]) == 0 && end != text && !*end &&
                isfinite(value) && value >= 0) {
                *reals[i] = value;
                return STATUS_OK;
            }
    }
    return error_set(error, STATUS_INPUT, "%s: %s = %s: no such setting", where,
                     key, text);
}

enum status arrival_settings_of(const struct recording *recording,
                                struct arrival_settings *settings,
                                struct error *error)
{
    enum status status = STATUS_OK;
    *settings = arrival_defaults;
    for (int i = 0; arrival_setting_keys[i] && !status; i++) {
        const char *text =
            recording_setting(recording, arrival_setting_keys[i]);
        if (text)
            status =
                arrival_setting_take(settings, arrival_setting_keys[i], text,
                                     recording_path(recording), error);
    }
    return status;
}
