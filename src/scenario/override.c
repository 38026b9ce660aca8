/* SPDX-License-Identifier: MIT */
/* --set key=value: changes the tree before it is read. The value replaces the
 * whole value in the text; missing groups on the path to the key are created,
 * so that `wave.delta=0.1` enables a wave. */
#include "base/memory.h"
#include "scenario/load.h"
#include "scenario/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_SIZE = 128, NAME_SIZE = 64 };

struct override {
    struct load *load;
    char head[HEAD_SIZE];  /* start of messages: "--set wave.delta=0.1" */
    const char *at, *end;  /* the rest of the path */
    const struct key *key; /* the last one reached; NULL at the root */
    struct setting *setting;
};

static enum status fault_override(const struct override *override,
                                  const char *what)
{
    return error_at(override->load->error, STATUS_INPUT, override->head, 0,
                    "%s", what);
}

/* The next name of the path, up to a dot or an index. */
static enum status walk_name(struct override *walk)
{
    char name[NAME_SIZE];
    size_t length = 0;
    while (walk->at + length < walk->end && !strchr(".[", walk->at[length]))
        length++;
    bool hangs = walk->end - walk->at == (ptrdiff_t)length + 1 &&
                 walk->at[length] == '.';
    if (length == 0 || length >= NAME_SIZE || hangs)
        return fault_override(walk, "not the path of a key; one like "
                                    "wave.delta or agents.[0].speed is "
                                    "allowed");
    snprintf(name, NAME_SIZE, "%.*s", (int)length, walk->at);
    const struct key *key = key_find(keys, walk->key, name, length);
    if (!key) {
        char text[160];
        snprintf(text, sizeof text,
                 "%s: unknown key; the nearest known one is %s", name,
                 key_nearest(keys, walk->key, name)->path);
        return fault_override(walk, text);
    }
    walk->key = key;
    walk->at += length;
    if (walk->at < walk->end && *walk->at == '.')
        walk->at++;
    return STATUS_OK;
}

/* Into the i-th group of a list, "[i]" or "[i].": `list` may be NULL. */
static enum status walk_index(struct override *walk, struct setting *list)
{
    char text[200], *end = NULL;
    int count =
        list && list->value.type == VALUE_LIST ? (int)list->value.whole : 0;
    if (walk->at < walk->end && *walk->at == '[')
        strtoul(walk->at + 1, &end, 10);
    if (!end || *end != ']' || walk->at[1] < '0' || walk->at[1] > '9') {
        snprintf(text, sizeof text,
                 "%s is a list; an index is expected, as in %s.[0]",
                 walk->key->path, walk->key->path);
        return fault_override(walk, text);
    }
    struct setting *item = count ? setting_find(list, walk->at) : NULL;
    if (!item || item->value.type != VALUE_GROUP) {
        snprintf(text, sizeof text,
                 "the scenario has %d %s; an index from 0 to below that is "
                 "allowed",
                 count, walk->key->path);
        return fault_override(walk, text);
    }
    walk->setting = item;
    walk->at = end + 1;
    if (walk->at < walk->end && *walk->at == '.')
        walk->at++;
    return STATUS_OK;
}

/* Every override's setting owns a copy of its head. */
static enum status mark(const struct override *override,
                        struct setting *setting)
{
    if (setting)
        setting->override = memory_text(override->head);
    return setting && setting->override ? STATUS_OK
                                        : error_memory(override->load->error);
}

/* Into the group of the walk's key, which is created if absent. */
static enum status walk_group(struct override *walk)
{
    const char *name = key_leaf(walk->key);
    struct setting *group = setting_find(walk->setting, name);
    enum status status = STATUS_OK;
    if (!group) {
        group = setting_add(walk->setting, name, VALUE_GROUP, 0);
        status = mark(walk, group);
        if (!status && walk->key->optional)
            status = load_warn(walk->load, walk->key->path,
                               "the scenario has no such group; it is added");
    } else if (group->value.type != VALUE_GROUP) {
        return load_fault(walk->load, group, NULL,
                          "not a group, where --set expects one");
    }
    walk->setting = group;
    return status;
}

/* Walks to the last name, walk->key; walk->setting then contains it. */
static enum status walk_path(struct override *walk)
{
    enum status status = walk_name(walk);
    while (!status && walk->at < walk->end) {
        if (walk->key->type == KEY_GROUP)
            status = walk_group(walk);
        else if (walk->key->type == KEY_GROUPS)
            status = walk_index(
                walk, setting_find(walk->setting, key_leaf(walk->key)));
        else
            status = fault_override(walk, "continues after a key that is not a "
                                          "group; set the whole value");
        if (!status && walk->at == walk->end)
            status = fault_override(walk, "ends before a key; one of the "
                                          "group's keys is expected");
        if (!status)
            status = walk_name(walk);
    }
    return status;
}

/* A bare word is a text; for a key of texts, so is any value without quotes. */
static bool is_bare(const struct key *key, const char *value)
{
    switch (key->type) {
    case KEY_TEXT:
    case KEY_PATH:
    case KEY_CHOICE:
    case KEY_NAMED:
    case KEY_COLOR:
    case KEY_SYMBOL:
        return *value != '"';
    default:
        return ((*value >= 'a' && *value <= 'z') ||
                (*value >= 'A' && *value <= 'Z')) &&
               strcasecmp(value, "true") != 0 &&
               strcasecmp(value, "false") != 0;
    }
}

enum status load_override(struct load *load, const char *text)
{
    struct override walk = { .load = load, .at = text, .setting = load->root };
    snprintf(walk.head, sizeof walk.head, "--set %.100s%s", text,
             strlen(text) > 100 ? "..." : "");
    const char *equals = strchr(text, '=');
    if (!equals)
        return fault_override(&walk, "key=value is expected");
    walk.end = equals;
    enum status status = walk_path(&walk);
    if (status)
        return status;
    const char *name = key_leaf(walk.key);
    const char *value = equals + 1 + strspn(equals + 1, " \t\n");
    struct setting *before = setting_find(walk.setting, name);
    if (before)
        setting_clear(before); /* and without a name it is not found again */
    if (!is_bare(walk.key, value)) {
        status = parse_value(value, walk.key, walk.head, walk.setting, name,
                             load->error);
        return status ? status : mark(&walk, walk.setting->last);
    }
    struct setting *setting = setting_add(walk.setting, name, VALUE_TEXT, 0);
    if (setting)
        setting->value.text = setting->text = memory_text(value);
    return setting && setting->text ? mark(&walk, setting)
                                    : error_memory(load->error);
}
