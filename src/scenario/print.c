/* SPDX-License-Identifier: MIT */
/* The draft as text, by the table of keys: nested, as a scenario that reads
 * back to the same draft; or flat, one line for each key. */
#include "scenario/load.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct printer {
    FILE *out;
    enum preset preset;
    struct value_format format;
    char path[128]; /* of the present key */
};

/* Text for the nested form only. */
__attribute__((format(printf, 2, 3))) static void
nested(const struct printer *printer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!printer->format.flat)
        vfprintf(printer->out, format, arguments);
    va_end(arguments);
}

static void print_keys(struct printer *printer, const struct key *group,
                       const void *base, int indent);

static void print_groups(struct printer *printer, const struct key *key,
                         struct list list, int indent)
{
    size_t length = strlen(printer->path);
    nested(printer, "(");
    for (size_t i = 0; i < list.count; i++) {
        snprintf(printer->path + length, sizeof printer->path - length,
                 ".[%zu]", i);
        nested(printer, "%s\n%*s{\n", i ? "," : "", indent + 4, "");
        print_keys(printer, key, (char *)list.items + i * key->size,
                   indent + 8);
        nested(printer, "%*s}", indent + 4, "");
    }
    if (list.count)
        nested(printer, "\n%*s", indent, "");
    nested(printer, ")");
}

/* Scalars and names have 8 bytes at most. */
static bool is_left_out(const struct printer *printer, const struct key *key,
                        const void *at)
{
    int64_t otherwise = 0;
    return key->later &&
           value_default(key, printer->preset) == key->otherwise &&
           !value_take(key, key->otherwise, &otherwise, NULL) &&
           memcmp(&otherwise, at, key->size) == 0;
}

/* The keys of a group that have a value: nested, each `name = value;`, or flat,
 * each a line with the path before it, "agents.[0].speed = 0.15". */
static void print_keys(struct printer *printer, const struct key *group,
                       const void *base, int indent)
{
    bool flat = printer->format.flat;
    size_t length = strlen(printer->path);
    for (const struct key *key = key_next(group, keys); key;
         key = key_next(group, key + 1)) {
        if (key->optional && !key_is_given(key, base))
            continue;
        const void *at = key_seen(key, base);
        if (is_left_out(printer, key, at))
            continue;
        snprintf(printer->path + length, sizeof printer->path - length, "%s%s",
                 length ? "." : "", key_leaf(key));
        nested(printer, "%*s%s = ", indent, "", key_leaf(key));
        if (key->type == KEY_GROUP) {
            nested(printer, "{\n");
            print_keys(printer, key, at, indent + 4);
            nested(printer, "%*s}", indent, "");
        } else if (key->type == KEY_GROUPS) {
            print_groups(printer, key, list_at(at), indent);
        } else {
            if (flat)
                fprintf(printer->out, "%s = ", printer->path);
            value_print(printer->out, &printer->format, key, at, indent);
            if (flat)
                fputc('\n', printer->out);
        }
        nested(printer, ";\n");
    }
    printer->path[length] = '\0';
}

enum status draft_print(const struct draft *draft, bool flat, char **text,
                        struct error *error)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    if (!out)
        return error_memory(error);
    struct printer printer = {
        .out = out,
        .preset = draft->preset,
        .format = { draft->scenario.terrain.grid.dims, flat },
    };
    print_keys(&printer, NULL, draft, 0);
    bool whole = fclose(out) == 0;
    *text = whole && buffer ? memory_text(buffer) : NULL;
    free(buffer);
    return *text ? STATUS_OK : error_memory(error);
}
