/* SPDX-License-Identifier: MIT */
/* A preset gives defaults: values in the text take precedence. A user who sets
 * another preset on the command line expects it to change the run, so the keys
 * of the text that prevent this are reported. */
#include "scenario/load.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Scalars and names have 8 bytes. */
bool load_changes(const struct load *load, const struct key *key)
{
    int64_t said = 0, otherwise = 0;
    const struct setting *given = load_find(load, key->path);
    return given && !load_value(load, key, given, &said) &&
           !value_take(key, value_default(key, load->draft->preset), &otherwise,
                       NULL) &&
           said != otherwise;
}

bool load_from_text(const struct load *load, const char *path)
{
    int line;
    return load_head(load, path, &line) == load->path;
}

enum status load_settle_preset(struct load *load)
{
    if (load_from_text(load, "preset"))
        return STATUS_OK;
    char kept[256] = "";
    size_t used = 0;
    for (const struct key *key = keys; key->path; key++) {
        if (!key->best || !load_changes(load, key) ||
            !load_from_text(load, key->path) ||
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
