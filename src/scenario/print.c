/* SPDX-License-Identifier: MIT */
/* The draft as text again, by the table of keys: nested, as a scenario that
 * reads back to the same draft, and flat, a line a key. */
#include "scenario/load.h"

#include "base/memory.h"
#include "base/real.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without quotes a flat value is the text itself;
 * control characters stay escaped, and so a value stays one line. */
static void print_text(FILE *out, const char *text, bool quoted)
{
    if (quoted)
        fputc('"', out);
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        size_t hidden = utf8_unshown(at);
        size_t length = hidden ? hidden : utf8_character(at);
        if (quoted && (*at == '"' || *at == '\\'))
            fputc('\\', out);
        for (size_t i = 0; i < length; i++)
            fprintf(out, hidden ? "\\x%02x" : "%c", at[i]);
        at += length;
    }
    if (quoted)
        fputc('"', out);
}

/* Always with a point or an exponent: an array of libconfig is of one type. */
static void print_real(FILE *out, double value)
{
    char text[REAL_SIZE];
    real_text(value, text);
    fprintf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void print_whole(FILE *out, int64_t value)
{
    bool wide = value > INT32_MAX || value < INT32_MIN;
    fprintf(out, "%lld%s", (long long)value, wide ? "L" : "");
}

static void print_position(FILE *out, const double at[GRID_AXES], int dims)
{
    for (int axis = 0; axis < dims; axis++) {
        fputs(axis ? ", " : "[", out);
        print_real(out, at[axis]);
    }
    fputc(']', out);
}

static void print_box(FILE *out, const struct box *box, int dims)
{
    for (int i = 0; i < 2 * dims; i++)
        fprintf(out, "%s%d", i ? ", " : "[",
                i < dims ? box->low[i] : box->high[i - dims]);
    fputc(']', out);
}

static int64_t load_whole(const struct key *key, const void *at)
{
    int64_t value;
    int32_t narrow;
    bool truth;
    if (key->size == sizeof value) {
        memcpy(&value, at, sizeof value);
        return value;
    }
    if (key->size == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&truth, at, sizeof truth);
    return truth;
}

static void print_set(FILE *out, const struct key *key, unsigned set)
{
    const char *head = "(";
    for (size_t i = 0; key->names[i]; i++)
        if (set & 1u << i) {
            fprintf(out, "%s\"%s\"", head, key->names[i]);
            head = ", ";
        }
    fputc(')', out);
}

static void print_positions(FILE *out, struct list list, int dims)
{
    const double(*positions)[GRID_AXES] = list.items;
    fputc('(', out);
    for (size_t i = 0; i < list.count; i++) {
        fputs(i ? ", " : "", out);
        print_position(out, positions[i], dims);
    }
    fputc(')', out);
}

/* `indent` as nested keys have it, or −1 for all in one line. */
static void print_rows(FILE *out, const struct drawing *drawing, int indent)
{
    size_t height = drawing->height ? drawing->height : drawing->count;
    for (size_t i = 0; i < drawing->count; i++) {
        if (i % height == 0)
            fputs(drawing->height ? (i ? "), (" : "((") : "(", out);
        else
            fputs(indent < 0 ? ", " : ",", out);
        if (indent >= 0)
            fprintf(out, "\n%*s", indent + 4, "");
        print_text(out, drawing->rows[i], true);
    }
    fputs(drawing->height ? "))" : ")", out);
}

struct printer {
    FILE *out;
    int dims;
    bool flat;
};

static const char *name_at(const struct key *key, const void *at)
{
    if (key->type == KEY_CHOICE)
        return key->names[load_whole(key, at)];
    const void *row;
    const char *name;
    memcpy(&row, at, sizeof row);
    memcpy(&name, row, sizeof name);
    return name;
}

static void print_value(const struct printer *printer, const struct key *key,
                        const void *at, int indent)
{
    FILE *out = printer->out;
    const struct place *place = at;
    char symbol[2] = "";
    switch (key->type) {
    case KEY_WHOLE:
        print_whole(out, load_whole(key, at));
        break;
    case KEY_REAL:
        print_real(out, *(const double *)at);
        break;
    case KEY_SWITCH:
        fputs(*(const bool *)at ? "true" : "false", out);
        break;
    case KEY_TEXT:
    case KEY_PATH:
        print_text(out, *(char *const *)at, !printer->flat);
        break;
    case KEY_CHOICE:
    case KEY_NAMED:
        print_text(out, name_at(key, at), !printer->flat);
        break;
    case KEY_SET:
        print_set(out, key, *(const unsigned *)at);
        break;
    case KEY_PLACE:
        if (place->random)
            print_text(out, "random", !printer->flat);
        else
            print_position(out, place->at, printer->dims);
        break;
    case KEY_POSITIONS:
        print_positions(out, list_at(at), printer->dims);
        break;
    case KEY_BOX:
        print_box(out, at, printer->dims);
        break;
    case KEY_ROWS:
    case KEY_LAYERS:
        print_rows(out, at, printer->flat ? -1 : indent);
        break;
    case KEY_COLOR:
        fprintf(out, printer->flat ? "#%06x" : "\"#%06x\"",
                (unsigned)*(const uint32_t *)at);
        break;
    default:
        symbol[0] = *(const char *)at;
        print_text(out, symbol, !printer->flat);
    }
}

static bool is_told(const struct key *key, const void *base)
{
    return key->given == NOT_TOLD ||
           *(const bool *)((const char *)base + key->given);
}

static void print_nested(const struct printer *printer, const struct key *group,
                         const void *base, int indent);

static void print_groups(const struct printer *printer, const struct key *key,
                         struct list list, int indent)
{
    FILE *out = printer->out;
    fputc('(', out);
    for (size_t i = 0; i < list.count; i++) {
        fprintf(out, "%s\n%*s{\n", i ? "," : "", indent + 4, "");
        print_nested(printer, key, (char *)list.items + i * key->size,
                     indent + 8);
        fprintf(out, "%*s}", indent + 4, "");
    }
    if (list.count)
        fprintf(out, "\n%*s", indent, "");
    fputc(')', out);
}

/* The keys of a group that were told, each a line `name = value;`. */
static void print_nested(const struct printer *printer, const struct key *group,
                         const void *base, int indent)
{
    FILE *out = printer->out;
    for (const struct key *key = keys; key->path; key++) {
        if (!key_is_in(key, group) || !is_told(key, base))
            continue;
        const char *at = (const char *)base + key->offset;
        fprintf(out, "%*s%s = ", indent, "", key_leaf(key));
        if (key->type == KEY_GROUP) {
            fputs("{\n", out);
            print_nested(printer, key, base, indent + 4);
            fprintf(out, "%*s}", indent, "");
        } else if (key->type == KEY_GROUPS) {
            print_groups(printer, key, list_at(at), indent);
        } else {
            print_value(printer, key, at, indent);
        }
        fputs(";\n", out);
    }
}

/* The same with a path before each key, "agents.[0].speed = 0.15". */
static void print_flat(const struct printer *printer, const struct key *group,
                       const void *base, const char *path)
{
    for (const struct key *key = keys; key->path; key++) {
        if (!key_is_in(key, group) || !is_told(key, base))
            continue;
        const char *at = (const char *)base + key->offset;
        char below[128];
        snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "",
                 key_leaf(key));
        if (key->type == KEY_GROUP) {
            print_flat(printer, key, base, below);
        } else if (key->type == KEY_GROUPS) {
            struct list list = list_at(at);
            size_t length = strlen(below);
            for (size_t i = 0; i < list.count; i++) {
                snprintf(below + length, sizeof below - length, ".[%zu]", i);
                print_flat(printer, key, (char *)list.items + i * key->size,
                           below);
            }
        } else {
            fprintf(printer->out, "%s = ", below);
            print_value(printer, key, at, 0);
            fputc('\n', printer->out);
        }
    }
}

static enum status print(const struct draft *draft, bool flat, char **text,
                         struct error *error)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    if (!out)
        return error_memory(error);
    struct printer printer = { out, draft->scenario.terrain.grid.dims, flat };
    if (flat)
        print_flat(&printer, NULL, draft, "");
    else
        print_nested(&printer, NULL, draft, 0);
    bool whole = fclose(out) == 0;
    *text = whole && buffer ? memory_text(buffer) : NULL;
    free(buffer);
    return *text ? STATUS_OK : error_memory(error);
}

enum status resolved_print(const struct draft *draft, char **text,
                           struct error *error)
{
    return print(draft, false, text, error);
}

enum status parameters_print(const struct draft *draft, char **text,
                             struct error *error)
{
    return print(draft, true, text, error);
}
