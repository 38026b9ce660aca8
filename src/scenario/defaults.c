/* SPDX-License-Identifier: MIT */
/* The defaults of the table, read by libconfig like the scenario itself. */
#include "scenario/load.h"

#include <stdio.h>
#include <stdlib.h>

static void write_defaults(FILE *stream, enum preset preset)
{
    for (const struct key *key = keys; key->path; key++) {
        const char *text =
            preset == PRESET_BEST && key->best ? key->best : key->otherwise;
        if (text)
            fprintf(stream, "k%zu = %s;\n", (size_t)(key - keys), text);
    }
}

enum status defaults_load(struct load *load, enum preset preset)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return error_memory(load->error);
    write_defaults(stream, preset);
    bool read =
        fclose(stream) == 0 && config_read_string(&load->defaults, text);
    free(text);
    return read ? STATUS_OK : error_memory(load->error);
}

const config_setting_t *default_of(const struct load *load,
                                   const struct key *key)
{
    char name[32];
    snprintf(name, sizeof name, "k%zu", (size_t)(key - keys));
    return config_setting_get_member(config_root_setting(&load->defaults),
                                     name);
}
