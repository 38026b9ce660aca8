/* SPDX-License-Identifier: MIT */
/* A preset gives defaults: values in the text take precedence. A user who sets
 * another preset on the command line expects it to change the run, so the keys
 * of the text that prevent this are reported. */
#include "scenario/load.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Is the value in the text that of the preset? Keys with another default in
 * preset best are scalars or names: 8 bytes. */
static bool same_value(const struct load *load, const struct key *key,
                       const config_setting_t *given)
{
    int64_t said = 0, otherwise = 0;
    return !load_value(load, key, given, &said) &&
           !value_take(key, value_default(key, load->draft->preset), &otherwise,
                       NULL) &&
           said == otherwise;
}

static bool from_text(const struct load *load, const char *path)
{
    int line;
    return load_head(load, path, &line) == load->path;
}

enum status load_settle_preset(struct load *load)
{
    if (from_text(load, "preset"))
        return STATUS_OK;
    char kept[256] = "";
    size_t used = 0;
    for (const struct key *key = keys; key->path; key++) {
        const config_setting_t *given =
            key->best ? config_lookup(&load->config, key->path) : NULL;
        if (!given || !from_text(load, key->path) ||
            same_value(load, key, given) ||
            used + strlen(key->path) + sizeof ", " > sizeof kept)
            continue;
        used += (size_t)snprintf(kept + used, sizeof kept - used, "%s%s",
                                 used ? ", " : "", key->path);
    }
    return used ? load_warn(load, "preset",
                            "the scenario's own values are kept: %s; to use "
                            "the preset's, delete these from the scenario, or "
                            "set them too",
                            kept)
                : STATUS_OK;
}
