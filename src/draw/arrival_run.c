/* SPDX-License-Identifier: MIT */
#include "draw/arrival_run.h"

#include "base/memory.h"
#include "recording/tables.h"

#include <math.h>
#include <stdio.h>
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
    "arrival.cap",      "arrival.beta",      "arrival.p",
    "arrival.eta",      "arrival.range",     NULL,
};

static bool take_heading(struct arrival_settings *settings, const char *text)
{
    for (int i = 0; heading_rule_names[i]; i++)
        if (strcmp(text, heading_rule_names[i]) == 0) {
            settings->heading = (enum heading_rule)i;
            return true;
        }
    return false;
}

static bool take_real(struct arrival_settings *settings, const char *key,
                      const char *text)
{
    const struct {
        const char *key;
        double *real;
        bool zero; /* may be 0 */
    } rows[] = { { "arrival.threshold", &settings->threshold, true },
                 { "arrival.cap", &settings->cap, true },
                 { "arrival.beta", &settings->beta, true },
                 { "arrival.p", &settings->p, false },
                 { "arrival.eta", &settings->eta, false } };
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value < 0)
        return false;
    if (strcmp(key, "arrival.range") == 0 && value <= 2000) {
        settings->range = (int)value;
        return true;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(key, rows[i].key) == 0 && (value > 0 || rows[i].zero)) {
            *rows[i].real = value;
            return true;
        }
    return false;
}

static void list_names(char *text, size_t size, const char *(*name)(size_t i))
{
    size_t used = 0;
    for (size_t i = 0; name(i) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i ? ", " : "", name(i));
}

static const char *detector_name(size_t i)
{
    return detectors[i] ? detectors[i]->name : NULL;
}

static const char *heading_name(size_t i)
{
    return heading_rule_names[i];
}

static const char *key_name(size_t i)
{
    return arrival_setting_keys[i];
}

static enum status refuse_setting(const char *key, const char *text,
                                  const char *where, struct error *error)
{
    char names[400] = "a number, 0 or more";
    bool known = false;
    for (int i = 0; arrival_setting_keys[i]; i++)
        known = known || strcmp(key, arrival_setting_keys[i]) == 0;
    if (!known) {
        list_names(names, sizeof names, key_name);
        return error_set(error, STATUS_INPUT,
                         "%s: %s is no setting of arrivals, and the waves are "
                         "recorded already; there are %s",
                         where, key, names);
    }
    if (strcmp(key, "arrival.detector") == 0)
        list_names(names, sizeof names, detector_name);
    else if (strcmp(key, "arrival.heading") == 0)
        list_names(names, sizeof names, heading_name);
    else if (strcmp(key, "arrival.p") == 0 || strcmp(key, "arrival.eta") == 0)
        snprintf(names, sizeof names, "a number over 0");
    return error_set(error, STATUS_INPUT, "%s: %s = %s: allowed: %s", where,
                     key, text, names);
}

enum status arrival_setting_take(struct arrival_settings *settings,
                                 const char *key, const char *text,
                                 const char *where, struct error *error)
{
    bool good;
    if (strcmp(key, "arrival.detector") == 0) {
        const struct detector *detector = detector_find(text);
        settings->detector = detector ? detector : settings->detector;
        good = detector != NULL;
    } else if (strcmp(key, "arrival.heading") == 0) {
        good = take_heading(settings, text);
    } else {
        good = take_real(settings, key, text);
    }
    return good ? STATUS_OK : refuse_setting(key, text, where, error);
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
