/* SPDX-License-Identifier: MIT */
/* A preset gives defaults: what the text says itself stands. Who sets another
 * preset on the command line expects it to change the run, and is told which
 * keys of the text keep it from doing so. */
#include "scenario/load.h"

#include <stdio.h>
#include <string.h>

static bool same_value(const config_setting_t *a, const config_setting_t *b)
{
    const char *text_a = config_setting_get_string(a);
    const char *text_b = config_setting_get_string(b);
    if (text_a && text_b)
        return strcmp(text_a, text_b) == 0;
    return config_setting_get_float(a) == config_setting_get_float(b);
}

static bool from_text(const struct load *load, const char *path)
{
    int line;
    return fault_head(load, path, &line) == load->path;
}

enum status preset_settle(struct load *load)
{
    if (from_text(load, "preset"))
        return STATUS_OK;
    char kept[256] = "";
    size_t used = 0;
    for (const struct key *key = keys; key->path; key++) {
        const config_setting_t *given =
            key->best ? config_lookup(&load->config, key->path) : NULL;
        if (!given || !from_text(load, key->path) ||
            same_value(given, default_of(load, key)) ||
            used + strlen(key->path) + sizeof ", " > sizeof kept)
            continue;
        used += (size_t)snprintf(kept + used, sizeof kept - used, "%s%s",
                                 used ? ", " : "", key->path);
    }
    return used ? warn_path(load, "preset",
                            "what the scenario itself says stands: %s; set "
                            "also these, or take them out of it",
                            kept)
                : STATUS_OK;
}
