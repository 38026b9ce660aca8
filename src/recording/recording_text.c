/* SPDX-License-Identifier: MIT */
/* The texts of a recording: provenance, settings, agents' names. */
#include "recording/recording_parts.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A setting takes 4 bytes of the file, and 16 here. */
enum { SETTINGS_MOST = 1 << 20 };

static enum status read_all(struct recording *recording, struct error *error)
{
    const struct shape *shape = &recording->shape;
    int64_t total = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < shape->text_count && !status; i++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "provenance/%s", shape->texts[i].name);
        const struct layout_item *item = layout_find(&recording->layout, name);
        if (item->bytes > RECORDING_MAX_TEXT ||
            (total += (int64_t)item->bytes) > RECORDING_MAX_TEXT)
            return damaged(recording, name, "is too long", error);
        recording->texts[i] = memory_new((size_t)item->bytes + 1, 1);
        if (!recording->texts[i])
            return error_memory(error);
        status = read_bytes(recording, item, 0, (size_t)item->bytes,
                            recording->texts[i], error);
    }
    return status;
}

/* Cuts a line `key = value` in two, quotes around a text taken off. */
static bool cut_setting(char *line, struct setting *setting)
{
    char *equals = strstr(line, " = ");
    if (!equals)
        return false;
    *equals = '\0';
    char *value = equals + 3;
    size_t length = strlen(value);
    if (length >= 2 && value[0] == '"' && value[length - 1] == '"') {
        value[length - 1] = '\0';
        value++;
    }
    *setting = (struct setting){ line, value };
    return true;
}

static enum status cut_settings(struct recording *recording,
                                struct error *error)
{
    const char *text = recording_text(recording, "parameters");
    size_t most = 0;
    if (!text)
        return STATUS_OK;
    for (const char *at = text; *at; at++)
        most += at[0] == ' ' && at[1] == '=' && at[2] == ' ';
    if (most > SETTINGS_MOST)
        return damaged(recording, "provenance/parameters",
                       "holds more settings than any scenario", error);
    recording->parameters = memory_text(text);
    recording->settings = memory_new(most, sizeof *recording->settings);
    if (!recording->parameters || !recording->settings)
        return error_memory(error);
    char *rest = recording->parameters;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (cut_setting(line, &recording->settings[recording->setting_count]))
            recording->setting_count++;
    return STATUS_OK;
}

enum status read_texts(struct recording *recording, struct error *error)
{
    enum status status = read_all(recording, error);
    return status ? status : cut_settings(recording, error);
}

const char *recording_text(const struct recording *recording, const char *name)
{
    for (size_t i = 0; i < recording->shape.text_count; i++)
        if (strcmp(recording->shape.texts[i].name, name) == 0)
            return recording->texts[i];
    return NULL;
}

int recording_keep_bits(const struct recording *recording)
{
    const char *text = recording_text(recording, "keep_bits");
    long bits = text ? strtol(text, NULL, 10) : 0;
    return bits > 0 && bits < 64 ? (int)bits : 0;
}

const char *recording_setting(const struct recording *recording,
                              const char *key)
{
    for (size_t i = 0; i < recording->setting_count; i++)
        if (strcmp(recording->settings[i].key, key) == 0)
            return recording->settings[i].value;
    return NULL;
}

double recording_setting_real(const struct recording *recording,
                              const char *key, double otherwise)
{
    const char *text = recording_setting(recording, key);
    char *end = NULL;
    double value = text ? strtod(text, &end) : otherwise;
    return text && (end == text || *end) ? otherwise : value;
}

int64_t recording_every(const struct recording *recording)
{
    double every = recording_setting_real(recording, "record.every", 1);
    return every >= 1 && every < 1e15 ? (int64_t)every : 1;
}

enum status recording_agent_text(const struct recording *recording,
                                 const char *variable, size_t agent, char *text,
                                 size_t size, struct error *error)
{
    const struct layout_item *item = layout_find(&recording->layout, variable);
    if (!item || item->variable.type != TYPE_CHAR || item->variable.rank != 2)
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "%s: no such text of agents", variable);
    if (agent >= (size_t)item->variable.extent[0])
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "agent %zu: there are %lld agents, from 0 on", agent,
                        (long long)item->variable.extent[0]);
    size_t room = (size_t)item->variable.extent[1];
    size_t bytes = room < size - 1 ? room : size - 1;
    enum status status =
        read_bytes(recording, item, agent * room, bytes, text, error);
    if (!status)
        text[bytes] = '\0';
    return status;
}
