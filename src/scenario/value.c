/* SPDX-License-Identifier: MIT */
/* Scalars, names and texts of the tree, checked against their keys. */
#include "base/memory.h"
#include "base/real.h"
#include "base/utf8.h"
#include "scenario/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 40 };

/* What stands there, for the message. */
static void show(const config_setting_t *setting, char *text, size_t size)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        snprintf(text, size, "%lld", config_setting_get_int64(setting));
        break;
    case CONFIG_TYPE_FLOAT:
        snprintf(text, size, "%s",
                 REAL_TEXT(config_setting_get_float(setting)));
        break;
    case CONFIG_TYPE_BOOL:
        snprintf(text, size, "%s",
                 config_setting_get_bool(setting) ? "true" : "false");
        break;
    case CONFIG_TYPE_STRING:
        snprintf(
            text, size, "\"%.*s\"%s", SHOWN, config_setting_get_string(setting),
            strlen(config_setting_get_string(setting)) > SHOWN ? "..." : "");
        break;
    case CONFIG_TYPE_GROUP:
        snprintf(text, size, "a group");
        break;
    default:
        snprintf(text, size, "a list of %d", config_setting_length(setting));
    }
}

enum status fault_wanted(const struct load *load, const struct key *key,
                         const config_setting_t *setting)
{
    char wanted[256], shown[SHOWN + 32];
    key_describe(key, wanted, sizeof wanted);
    show(setting, shown, sizeof shown);
    return fault(load, setting, NULL, "%s is not allowed; %s is", shown,
                 wanted);
}

/* Stores a whole number, choice or switch in its 1, 4 or 8 bytes. */
static void store(const struct key *key, void *at, int64_t value)
{
    int32_t narrow = (int32_t)value;
    bool truth = value != 0;
    if (key->size == sizeof value)
        memcpy(at, &value, sizeof value);
    else if (key->size == sizeof narrow)
        memcpy(at, &narrow, sizeof narrow);
    else
        memcpy(at, &truth, sizeof truth);
}

/* 1e3 and 1000.0 are shown as what they ought to be. */
static enum status fault_real(const struct load *load, const struct key *key,
                              const config_setting_t *setting)
{
    double value = config_setting_get_float(setting);
    if (value != floor(value) || value < key->low || value > key->high ||
        fabs(value) >= 0x1p63)
        return fault_wanted(load, key, setting);
    return fault(load, setting, NULL,
                 "a whole number is written without point and exponent: %lld",
                 (long long)value);
}

static enum status read_whole(const struct load *load, const struct key *key,
                              const config_setting_t *setting, void *at)
{
    int type = config_setting_type(setting);
    if (type == CONFIG_TYPE_FLOAT)
        return fault_real(load, key, setting);
    if (type != CONFIG_TYPE_INT && type != CONFIG_TYPE_INT64)
        return fault_wanted(load, key, setting);
    int64_t value = config_setting_get_int64(setting);
    /* A high of 2^63 stands for 2^63 − 1, which no double holds. */
    if (value < (int64_t)key->low ||
        (key->high < 0x1p63 && value > (int64_t)key->high))
        return fault_wanted(load, key, setting);
    store(key, at, value);
    return STATUS_OK;
}

/* Whole numbers serve as reals; libconfig converts them only on request. */
static enum status read_real(const struct load *load, const struct key *key,
                             const config_setting_t *setting, void *at)
{
    if (!config_setting_is_number(setting))
        return fault_wanted(load, key, setting);
    double value = config_setting_type(setting) == CONFIG_TYPE_FLOAT
                       ? config_setting_get_float(setting)
                       : (double)config_setting_get_int64(setting);
    if (!isfinite(value) || value < key->low || value > key->high ||
        (key->above && value <= key->low))
        return fault_wanted(load, key, setting);
    memcpy(at, &value, sizeof value);
    return STATUS_OK;
}

static enum status read_switch(const struct load *load, const struct key *key,
                               const config_setting_t *setting, void *at)
{
    if (config_setting_type(setting) != CONFIG_TYPE_BOOL)
        return fault_wanted(load, key, setting);
    store(key, at, config_setting_get_bool(setting));
    return STATUS_OK;
}

/* The index of the name that the setting holds, or a fault. */
static enum status name_index(const struct load *load, const struct key *key,
                              const config_setting_t *setting, size_t *index)
{
    const char *name = config_setting_get_string(setting);
    if (!name)
        return fault_wanted(load, key, setting);
    for (size_t i = 0; key_name(key, i); i++)
        if (strcmp(name, key_name(key, i)) == 0) {
            *index = i;
            return STATUS_OK;
        }
    return fault_wanted(load, key, setting);
}

static enum status read_name(const struct load *load, const struct key *key,
                             const config_setting_t *setting, void *at)
{
    size_t index = 0;
    enum status status = name_index(load, key, setting, &index);
    if (status)
        return status;
    if (key->type == KEY_NAMED)
        memcpy(at, &key->rows[index], sizeof key->rows[index]);
    else
        store(key, at, (int64_t)index);
    return STATUS_OK;
}

static enum status read_set(const struct load *load, const struct key *key,
                            const config_setting_t *setting, void *at)
{
    unsigned set = 0;
    if ((!config_setting_is_array(setting) &&
         !config_setting_is_list(setting)) ||
        config_setting_length(setting) == 0)
        return fault_wanted(load, key, setting);
    for (int i = 0; i < config_setting_length(setting); i++) {
        size_t index = 0;
        enum status status = name_index(
            load, key, config_setting_get_elem(setting, (unsigned)i), &index);
        if (status)
            return status;
        set |= 1u << index;
    }
    memcpy(at, &set, sizeof set);
    return STATUS_OK;
}

/* Printable UTF-8: C0 and C1 control characters are not. */
static bool is_line(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        size_t length = utf8_character(at);
        if (length == 0 || *at < 0x20 || *at == 0x7f ||
            (at[0] == 0xc2 && at[1] < 0xa0))
            return false;
        at += length;
    }
    return true;
}

static enum status read_text(const struct load *load, const struct key *key,
                             const config_setting_t *setting, void *at)
{
    const char *text = config_setting_get_string(setting);
    if (!text || (key->type == KEY_PATH && !*text))
        return fault_wanted(load, key, setting);
    if (key->type == KEY_TEXT && strlen(text) > (size_t)key->high)
        return fault_wanted(load, key, setting);
    if (key->type == KEY_TEXT && !is_line(text))
        return fault(load, setting, NULL,
                     "holds a control character or is not UTF-8; one line of "
                     "plain text is allowed");
    char *copy = memory_text(text);
    if (!copy)
        return error_memory(load->error);
    memory_release(*(char **)at);
    memcpy(at, &copy, sizeof copy);
    return STATUS_OK;
}

static enum status read_symbol(const struct load *load, const struct key *key,
                               const config_setting_t *setting, void *at)
{
    const char *text = config_setting_get_string(setting);
    if (!text || text[0] <= ' ' || text[0] >= 0x7f || text[1])
        return fault_wanted(load, key, setting);
    memcpy(at, text, 1);
    return STATUS_OK;
}

static enum status read_color(const struct load *load, const struct key *key,
                              const config_setting_t *setting, void *at)
{
    static const char hex[] = "0123456789abcdefABCDEF";
    const char *text = config_setting_get_string(setting);
    unsigned color;
    if (!text || text[0] != '#' || strlen(text) != 7 ||
        strspn(text + 1, hex) != 6 || sscanf(text + 1, "%x", &color) != 1)
        return fault_wanted(load, key, setting);
    uint32_t value = color;
    memcpy(at, &value, sizeof value);
    return STATUS_OK;
}

enum status value_read(const struct load *load, const struct key *key,
                       const config_setting_t *setting, void *at)
{
    switch (key->type) {
    case KEY_WHOLE:
        return read_whole(load, key, setting, at);
    case KEY_REAL:
        return read_real(load, key, setting, at);
    case KEY_SWITCH:
        return read_switch(load, key, setting, at);
    case KEY_TEXT:
    case KEY_PATH:
        return read_text(load, key, setting, at);
    case KEY_CHOICE:
    case KEY_NAMED:
        return read_name(load, key, setting, at);
    case KEY_SET:
        return read_set(load, key, setting, at);
    case KEY_SYMBOL:
        return read_symbol(load, key, setting, at);
    case KEY_COLOR:
        return read_color(load, key, setting, at);
    default:
        return place_read(load, key, setting, at);
    }
}
