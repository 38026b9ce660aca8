/* SPDX-License-Identifier: MIT */
#include "view/settings.h"

#include "recording/read/recording.h"
#include "settings/value.h"
#include "wave/wave.h"

static enum status refuse(const struct recording *recording,
                          const struct key *key, const char *why,
                          struct error *error)
{
    return error_set(error, STATUS_INPUT, "%s: provenance/parameters: %s: %s",
                     recording_path(recording), key->path, why);
}

enum status view_setting_read(const struct recording *recording,
                              const struct key *key, void *group,
                              struct error *error)
{
    const char *text = recording_setting(recording, key->path);
    struct error why;
    if (text && value_take(key, text, (char *)group + key->offset, &why))
        return refuse(recording, key, why.message, error);
    if (text && key->optional)
        *key_given(key, group) = true;
    return STATUS_OK;
}

enum status view_open_sides(const struct recording *recording, unsigned *sides,
                            struct error *error)
{
    struct wave_settings wave = { .edge = EDGE_MIRROR };
    enum status status =
        view_setting_read(recording, key_of("wave.edge"), &wave, error);
    if (!status)
        status =
            view_setting_read(recording, key_of("wave.edges"), &wave, error);
    *sides = wave_open_sides(&wave, recording_grid(recording)->dims);
    return status;
}

enum status view_settings_read(const struct recording *recording,
                               const char *group, void *settings,
                               struct error *error)
{
    const struct key *inside = key_of(group);
    enum status status = STATUS_OK;
    settings_default(group, settings);
    for (const struct key *key = key_next(inside, keys); key && !status;
         key = key_next(inside, key + 1)) {
        if (key->brief && !recording_setting(recording, key->path))
            return refuse(recording, key, "is missing", error);
        status = view_setting_read(recording, key, settings, error);
    }
    return status;
}
