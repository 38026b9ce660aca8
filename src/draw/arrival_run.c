/* SPDX-License-Identifier: MIT */
#include "draw/arrival_run.h"

#include "base/memory.h"
#include "recording/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status emission_first(const struct recording *recording, int wave,
                           struct emission *emission, struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    struct box box = recording_region(recording);
    struct emission_row *rows;
    size_t count;
    enum status status = emissions_read(recording, &rows, &count, error);
    if (status)
        return status;
    *emission = (struct emission){ .step = -1, .next = -1 };
    for (size_t i = 0; i < count && emission->next < 0; i++) {
        if (rows[i].wave != wave)
            continue;
        if (emission->step >= 0) {
            emission->next = rows[i].step;
        } else {
            emission->step = rows[i].step;
            grid_cell(grid, rows[i].cell, emission->cell);
        }
    }
    memory_release(rows);
    if (emission->step < 0)
        return error_set(error, STATUS_INPUT, "%s: wave %d was never emitted",
                         recording_path(recording), wave);
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (emission->cell[axis] < box.low[axis] ||
            emission->cell[axis] > box.high[axis])
            return error_set(error, STATUS_INPUT,
                             "%s: the source is outside the recorded region; "
                             "record.fields with \"arrival\" records arrivals",
                             recording_path(recording));
    return STATUS_OK;
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
