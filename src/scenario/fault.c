/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "scenario/load.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SETTING_PATH_SIZE = 256 };

/* The override that set this setting, or NULL. */
static const char *override_of(const struct setting *setting)
{
    while (setting && !setting->override)
        setting = setting->parent;
    return setting ? setting->override : NULL;
}

/* The root has none. */
static int line_of(const struct setting *setting)
{
    return setting && setting->line ? setting->line : 1;
}

__attribute__((format(printf, 5, 0))) static enum status
set_message(const struct load *load, const struct setting *setting,
            const char *path, struct error *error, const char *format,
            va_list arguments)
{
    char what[ERROR_MESSAGE_SIZE];
    vsnprintf(what, sizeof what, format, arguments);
    const char *override = override_of(setting);
    if (!override)
        return error_at(error, STATUS_INPUT, load->path, line_of(setting),
                        "%s%s%s", path, *path ? ": " : "", what);
    size_t length = strlen(path);
    bool same = strncmp(override, "--set ", 6) == 0 &&
                strncmp(override + 6, path, length) == 0 &&
                override[6 + length] == '=';
    return error_at(error, STATUS_INPUT, override, 0, "%s%s%s",
                    same ? "" : path, same ? "" : ": ", what);
}

enum status load_fault(const struct load *load, const struct setting *setting,
                       const char *below, const char *format, ...)
{
    char path[SETTING_PATH_SIZE];
    setting_path(setting, path, sizeof path);
    size_t used = strlen(path);
    if (below)
        snprintf(path + used, sizeof path - used, "%s%s", used ? "." : "",
                 below);
    va_list arguments;
    va_start(arguments, format);
    enum status status =
        set_message(load, setting, path, load->error, format, arguments);
    va_end(arguments);
    return status;
}

const struct setting *load_find(const struct load *load, const char *path)
{
    const struct setting *setting = setting_deepest(load->root, &path);
    return *path ? NULL : setting;
}

static const struct setting *deepest(const struct load *load, const char *path)
{
    return setting_deepest(load->root, &path);
}

enum status load_fault_path(const struct load *load, const char *path,
                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    enum status status = set_message(load, deepest(load, path), path,
                                     load->error, format, arguments);
    va_end(arguments);
    return status;
}

const char *load_item_path(const char *list, size_t i, const char *key,
                           char path[ITEM_PATH_SIZE])
{
    snprintf(path, ITEM_PATH_SIZE, "%s.[%zu]%s%s", list, i, key ? "." : "",
             key ? key : "");
    return path;
}

enum status load_warn(const struct load *load, const char *path,
                      const char *format, ...)
{
    /* More would not be read, and appending is slow. */
    enum { WARNINGS_LIMIT = 32 };
    if (load->draft->scenario.warning_count == WARNINGS_LIMIT)
        return STATUS_OK;
    struct error warning;
    va_list arguments;
    va_start(arguments, format);
    set_message(load, deepest(load, path), path, &warning, format, arguments);
    va_end(arguments);
    struct scenario *scenario = &load->draft->scenario;
    size_t count = scenario->warning_count;
    char *text = memory_text(warning.message);
    char **grown = memory_grow(scenario->warnings, count, count + 1,
                               sizeof *scenario->warnings);
    if (grown)
        scenario->warnings = grown;
    if (!text || !grown) {
        memory_release(text);
        return error_memory(load->error);
    }
    grown[count] = text;
    scenario->warning_count = count + 1;
    return STATUS_OK;
}

const char *load_head(const struct load *load, const char *path, int *line)
{
    const struct setting *setting = deepest(load, path);
    const char *override = override_of(setting);
    *line = override ? 0 : line_of(setting);
    return override ? override : load->path;
}
