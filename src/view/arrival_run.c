/* SPDX-License-Identifier: MIT */
#include "view/arrival_run.h"

#include "base/memory.h"
#include "recording/read/tables.h"
#include "settings/value.h"
#include "view/settings.h"
#include "wave/arrival/detector.h"

#include <stdio.h>
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
            return error_set(
                error, STATUS_INPUT,
                "%s: the source is outside the recorded region; record with "
                "record.fields with \"arrival\" records arrivals",
                recording_path(recording));
    return STATUS_OK;
}

/* This key decides whether an arrival after a later wave's counts; here each
 * wave is read alone. */
static bool is_read(const struct key *key)
{
    return strcmp(key_leaf(key), "older_waves") != 0;
}

const struct key *arrival_key_next(const struct key *key)
{
    const struct key *group = key_of("arrival");
    key = key_next(group, key ? key + 1 : keys);
    while (key && !is_read(key))
        key = key_next(group, key + 1);
    return key;
}

static enum status refuse_key(const char *path, const char *where,
                              struct error *error)
{
    char names[400];
    size_t used = 0;
    for (const struct key *key = arrival_key_next(NULL); key;
         key = arrival_key_next(key))
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 used ? ", " : "", key->path);
    return error_set(error, STATUS_INPUT,
                     "%s: %s is not a setting of arrivals, and recorded waves "
                     "cannot change; the settings are %s",
                     where, path, names);
}

enum status arrival_setting_take(struct arrival_settings *settings,
                                 const char *path, const char *text,
                                 const char *where, struct error *error)
{
    const struct key *key = arrival_key_next(NULL);
    struct error why;
    while (key && strcmp(key->path, path) != 0)
        key = arrival_key_next(key);
    if (!key)
        return refuse_key(path, where, error);
    if (value_take(key, text, (char *)settings + key->offset, &why))
        return error_set(error, STATUS_INPUT, "%s: %s: %s", where, path,
                         why.message);
    return STATUS_OK;
}

/* Older versions of Hamon had two detectors with the Laplace-weighted wave: one
 * with the present name, summed from the run's own waves, and the present
 * detector under a name that no longer exists. The first had no range; the
 * present one is recorded with its range, which is never 0. */
enum status arrival_detector_check(const struct recording *recording,
                                   struct error *error)
{
    const char *name = recording_setting(recording, "arrival.detector");
    if (name && strcmp(name, "laplace-front") == 0)
        return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                        "made by an earlier Hamon with the detector %s, which "
                        "is called laplace now: record it again",
                        name);
    if (name && strcmp(name, "laplace") == 0 &&
        recording_setting_real(recording, "arrival.range", 0) == 0)
        return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                        "made by an earlier Hamon with another detector of the "
                        "name laplace, which was removed: record it again");
    return STATUS_OK;
}

enum status arrival_settings_of(const struct recording *recording,
                                struct arrival_settings *settings,
                                struct error *error)
{
    enum status status = arrival_detector_check(recording, error);
    *settings = arrival_default();
    for (const struct key *key = arrival_key_next(NULL); key && !status;
         key = arrival_key_next(key))
        status = view_setting_read(recording, key, settings, error);
    return status;
}
