/* SPDX-License-Identifier: MIT */
#include "settings/setting.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct setting *setting_add(struct setting *parent, const char *name,
                            enum value_type type, int line)
{
    struct setting *made = memory_new(1, sizeof *made);
    if (!made)
        return NULL;
    made->name = name;
    made->value.type = type;
    made->index = (int)parent->value.whole++;
    made->line = line;
    made->parent = parent;
    *(parent->last ? &parent->last->next : &parent->first) = made;
    return parent->last = made;
}

void setting_clear(struct setting *setting)
{
    for (struct setting *item = setting->first, *next; item; item = next) {
        next = item->next;
        setting_clear(item);
        memory_release(item);
    }
    memory_release(setting->text);
    memory_release(setting->override);
    *setting =
        (struct setting){ .parent = setting->parent, .next = setting->next };
}

struct setting *setting_find(const struct setting *setting, const char *name)
{
    struct setting *at = setting ? setting->first : NULL;
    const long index = *name == '[' ? strtol(name + 1, NULL, 10) : -1;
    while (at && (at->name ? strcmp(at->name, name) != 0 : at->index != index))
        at = at->next;
    return at;
}

const struct setting *setting_deepest(const struct setting *root,
                                      const char **path)
{
    const struct setting *setting = root, *next = root;
    while (**path && next) {
        size_t length = strcspn(*path, ".");
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, *path);
        next = setting_find(setting, name);
        if (next) {
            setting = next;
            *path += length + ((*path)[length] == '.');
        }
    }
    return setting;
}

void setting_path(const struct setting *setting, char *path, size_t size)
{
    path[0] = '\0';
    if (!setting || !setting->parent)
        return;
    setting_path(setting->parent, path, size);
    size_t used = strlen(path);
    const char *dot = used ? "." : "";
    if (setting->name)
        snprintf(path + used, size - used, "%s%s", dot, setting->name);
    else
        snprintf(path + used, size - used, "%s[%d]", dot, setting->index);
}
