/* SPDX-License-Identifier: MIT */
/* From the tree to the draft, by the table of keys. */
#include "base/memory.h"
#include "scenario/load.h"

#include <stdio.h>
#include <string.h>

static const struct key *next_in(const struct key *group, const struct key *key)
{
    for (; key->path; key++)
        if (key_is_in(key, group))
            return key;
    return NULL;
}

static enum status keys_read(const struct load *load, const struct key *group,
                             const config_setting_t *setting, void *base)
{
    enum status status = STATUS_OK;
    for (const struct key *key = next_in(group, keys); key && !status;
         key = next_in(group, key + 1))
        status = key_read(load, key, setting, base);
    return status;
}

static enum status read_groups(const struct load *load, const struct key *key,
                               const config_setting_t *setting, void *at)
{
    if (!config_setting_is_list(setting) && !config_setting_is_array(setting))
        return fault_wanted(load, key, setting);
    int count = config_setting_length(setting);
    char *items = memory_new((size_t)count, key->size);
    if (!items)
        return error_memory(load->error);
    list_store(at, items, (size_t)count);
    for (int i = 0; i < count; i++) {
        const config_setting_t *group =
            config_setting_get_elem(setting, (unsigned)i);
        if (!config_setting_is_group(group))
            return fault_wanted(load, key, group);
        enum status status =
            keys_read(load, key, group, items + (size_t)i * key->size);
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* The keys of a group that must be there, in a group that is. */
static enum status fault_missing(const struct load *load, const struct key *key,
                                 const config_setting_t *group)
{
    char wanted[256];
    key_describe(key, wanted, sizeof wanted);
    return fault(load, group, key_leaf(key), "is missing; %s is expected",
                 wanted);
}

enum status key_read(const struct load *load, const struct key *key,
                     const config_setting_t *group, void *base)
{
    const config_setting_t *setting =
        group ? config_setting_get_member(group, key_leaf(key)) : NULL;
    char *bytes = base;
    if (key->given != NOT_TOLD)
        *(bool *)(bytes + key->given) = setting != NULL;
    if (!setting && key->required && group)
        return fault_missing(load, key, group);
    if (key->type == KEY_GROUP) {
        if (setting && !config_setting_is_group(setting))
            return fault_wanted(load, key, setting);
        return keys_read(load, key, setting, base);
    }
    if (!setting)
        setting = default_of(load, key);
    if (!setting)
        return STATUS_OK;
    void *at = bytes + key->offset;
    return key->type == KEY_GROUPS ? read_groups(load, key, setting, at)
                                   : value_read(load, key, setting, at);
}

static void release_rows(struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->count; i++)
        memory_release(drawing->rows[i]);
    memory_release(drawing->rows);
}

static void release_groups(const struct key *key, struct list list)
{
    for (size_t i = 0; i < list.count; i++)
        keys_release(key, (char *)list.items + i * key->size);
    memory_release(list.items);
}

void keys_release(const struct key *group, void *base)
{
    for (const struct key *key = next_in(group, keys); key;
         key = next_in(group, key + 1)) {
        void *at = (char *)base + key->offset;
        if (key->type == KEY_GROUP)
            keys_release(key, base);
        else if (key->type == KEY_GROUPS)
            release_groups(key, list_at(at));
        else if (key->type == KEY_TEXT || key->type == KEY_PATH)
            memory_release(*(char **)at);
        else if (key->type == KEY_POSITIONS)
            memory_release(list_at(at).items);
        else if (key->type == KEY_ROWS || key->type == KEY_LAYERS)
            release_rows(at);
    }
}
