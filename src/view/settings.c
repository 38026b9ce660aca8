/* SPDX-License-Identifier: MIT */
#include "view/settings.h"

#include "base/utf8.h"
#include "recording/read/recording.h"
#include "settings/parameters.h"
#include "settings/value.h"
#include "wave/wave.h"

#include <stdio.h>
#include <string.h>

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

/* ---- what distinguishes recordings ---- */

static bool is_apart(const struct recording *const *recordings, size_t count,
                     size_t which, const char *key, const char *value)
{
    static const char *const others[] = { "title", "preset", "record." };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(key, others[i], strlen(others[i])) == 0)
            return false;
    for (size_t i = 0; i < count; i++) {
        const char *other = recording_setting(recordings[i], key);
        if (i != which && (!other || strcmp(other, value) != 0))
            return true;
    }
    return false;
}

/* "walls free" of wave.walls = "free"; of a file its name. */
static int print_setting(const char *key, const char *value, char *text,
                         size_t size)
{
    const char *dot = strrchr(key, '.');
    const char *slash = strcmp(key, "map.file") ? NULL : strrchr(value, '/');
    if (slash)
        return snprintf(text, size, "map %s", slash + 1);
    return snprintf(text, size, "%s %s", dot ? dot + 1 : key, value);
}

void view_settings_apart(const struct recording *const *recordings,
                         size_t count, size_t which, char *text, size_t size)
{
    enum { NAMED_MOST = 3 };
    const char *lines = recording_text(recordings[which], "parameters");
    struct parameter line;
    size_t used = 0, found = 0;
    *text = '\0';
    while (lines && parameters_next(&lines, &line)) {
        char key[128], one[512];
        snprintf(key, sizeof key, "%.*s", (int)line.key_length, line.key);
        const char *value = recording_setting(recordings[which], key);
        if (!value || !is_apart(recordings, count, which, key, value) ||
            ++found > NAMED_MOST)
            continue;
        print_setting(key, value, one, sizeof one);
        if (used + 1 < size)
            used += utf8_copy(text + used, size - used, used ? ", " : "");
        if (used + 1 < size)
            used += utf8_copy(text + used, size - used, one);
    }
    if (found > NAMED_MOST && used + 1 < size)
        snprintf(text + used, size - used, " and %zu more", found - NAMED_MOST);
}
