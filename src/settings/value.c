/* SPDX-License-Identifier: MIT */
#include "settings/value.h"

#include "base/memory.h"
#include "base/real.h"
#include "base/utf8.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40 };

/* The value as shown in the message. */
static void show(const struct value *value, char *text, size_t size)
{
    switch (value->type) {
    case VALUE_WHOLE:
        snprintf(text, size, "%lld", (long long)value->whole);
        break;
    case VALUE_REAL:
        snprintf(text, size, "%s", REAL_TEXT(value->real));
        break;
    case VALUE_SWITCH:
        snprintf(text, size, "%s", value->whole ? "true" : "false");
        break;
    case VALUE_TEXT:
        snprintf(text, size, "\"%.*s\"%s", SHOWN, value->text,
                 strlen(value->text) > SHOWN ? "..." : "");
        break;
    case VALUE_GROUP:
        snprintf(text, size, "a group");
        break;
    case VALUE_LIST:
        snprintf(text, size, "a list of %d", (int)value->whole);
    }
}

enum status value_refuse(const struct key *key, const struct value *value,
                         struct error *error)
{
    char allowed[256], shown[SHOWN + 32];
    key_describe(key, allowed, sizeof allowed);
    show(value, shown, sizeof shown);
    return error_set(error, STATUS_INPUT, "%s is not allowed; %s is", shown,
                     allowed);
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

static enum status store_whole(const struct key *key, const struct value *value,
                               void *at, struct error *error)
{
    double real = value->real;
    /* 1e3 and 1000.0 are shown as whole numbers, which the key requires. */
    if (value->type == VALUE_REAL && real == floor(real) && real >= key->low &&
        real <= key->high && fabs(real) < 0x1p63)
        return error_set(error, STATUS_INPUT,
                         "a whole number is written without point and "
                         "exponent: %lld",
                         (long long)real);
    /* A maximum of 2^63 means 2^63 − 1, which no double can represent. */
    if (value->type != VALUE_WHOLE || value->whole < (int64_t)key->low ||
        (key->high < 0x1p63 && value->whole > (int64_t)key->high))
        return value_refuse(key, value, error);
    store(key, at, value->whole);
    return STATUS_OK;
}

/* Whole numbers are allowed for reals. */
static enum status store_real(const struct key *key, const struct value *value,
                              void *at, struct error *error)
{
    double real =
        value->type == VALUE_WHOLE ? (double)value->whole : value->real;
    if ((value->type != VALUE_WHOLE && value->type != VALUE_REAL) ||
        !isfinite(real) || real < key->low || real > key->high ||
        (key->above && real <= key->low))
        return value_refuse(key, value, error);
    memcpy(at, &real, sizeof real);
    return STATUS_OK;
}

static enum status store_name(const struct key *key, const struct value *value,
                              void *at, struct error *error)
{
    int index =
        value->type == VALUE_TEXT ? key_name_find(key, value->text) : -1;
    if (index < 0)
        return value_refuse(key, value, error);
    if (key->type == KEY_NAMED)
        memcpy(at, &key->rows[index], sizeof key->rows[index]);
    else
        store(key, at, index);
    return STATUS_OK;
}

/* A list as print_set writes it: ("west", "south"). */
static enum status store_set(const struct key *key, const struct value *value,
                             void *at, struct error *error)
{
    const char *text = value->type == VALUE_TEXT ? value->text : "";
    char name[LONGEST_NAME + 1], end = *text == '(' ? ',' : '\0';
    unsigned set = 0;
    int used = 0, index;
    text += end != '\0';
    while (end == ',' &&
           sscanf(text, " \"%63[^\"]\"%c%n", name, &end, &used) == 2 &&
           (index = key_name_find(key, name)) >= 0) {
        set |= 1u << index;
        text += used;
    }
    if (end != ')' || *text)
        return value_refuse(key, value, error);
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

static enum status store_text(const struct key *key, const struct value *value,
                              void *at, struct error *error)
{
    const char *text = value->text;
    if (value->type != VALUE_TEXT || (key->type == KEY_PATH && !*text) ||
        (key->type == KEY_TEXT && strlen(text) > (size_t)key->high))
        return value_refuse(key, value, error);
    if (key->type == KEY_TEXT && !is_line(text))
        return error_set(error, STATUS_INPUT,
                         "holds a control character or is not UTF-8; one line "
                         "of plain text is allowed");
    char *copy = memory_text(text);
    if (!copy)
        return error_memory(error);
    memory_release(*(char **)at);
    memcpy(at, &copy, sizeof copy);
    return STATUS_OK;
}

static enum status store_color(const struct key *key, const struct value *value,
                               void *at, struct error *error)
{
    static const char hex[] = "0123456789abcdefABCDEF";
    const char *text = value->type == VALUE_TEXT ? value->text : "";
    unsigned color;
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, hex) != 6 ||
        sscanf(text + 1, "%x", &color) != 1)
        return value_refuse(key, value, error);
    memcpy(at, &(uint32_t){ color }, sizeof(uint32_t));
    return STATUS_OK;
}

enum status value_store(const struct key *key, const struct value *value,
                        void *at, struct error *error)
{
    const char *text = value->type == VALUE_TEXT ? value->text : "";
    switch (key->type) {
    case KEY_WHOLE:
        return store_whole(key, value, at, error);
    case KEY_REAL:
        return store_real(key, value, at, error);
    case KEY_TEXT:
    case KEY_PATH:
        return store_text(key, value, at, error);
    case KEY_CHOICE:
    case KEY_NAMED:
        return store_name(key, value, at, error);
    case KEY_SET:
        return store_set(key, value, at, error);
    case KEY_COLOR:
        return store_color(key, value, at, error);
    case KEY_SWITCH:
        if (value->type != VALUE_SWITCH)
            break;
        store(key, at, value->whole);
        return STATUS_OK;
    case KEY_SYMBOL:
        if (text[0] <= ' ' || text[0] >= 0x7f || text[1])
            break;
        memcpy(at, text, 1);
        return STATUS_OK;
    default:
        break;
    }
    return value_refuse(key, value, error);
}

/* The text as a number, whole or real; else as text. */
static struct value number_of(const char *text)
{
    struct value value = { .type = VALUE_TEXT, .text = text };
    char *end;
    errno = 0;
    long long whole = strtoll(text, &end, 10);
    if (end != text && !errno && (!*end || strcmp(end, "L") == 0))
        return (struct value){ .type = VALUE_WHOLE, .whole = whole };
    double real = strtod(text, &end);
    if (end != text && !*end)
        value = (struct value){ .type = VALUE_REAL, .real = real };
    return value;
}

enum { TEXT_SIZE = LONGEST_TEXT + 8 };

static struct value value_of_text(const struct key *key, const char *text,
                                  char room[TEXT_SIZE])
{
    size_t length = strlen(text);
    bool quoted = length >= 2 && text[0] == '"' && text[length - 1] == '"';
    bool truth = key->type == KEY_SWITCH && strcmp(text, "true") == 0;
    if (key->type == KEY_WHOLE || key->type == KEY_REAL)
        return number_of(text);
    if (truth || (key->type == KEY_SWITCH && strcmp(text, "false") == 0))
        return (struct value){ .type = VALUE_SWITCH, .whole = truth };
    snprintf(room, TEXT_SIZE, "%.*s", (int)(length - 2 * quoted),
             text + quoted);
    return (struct value){ .type = VALUE_TEXT, .text = room };
}

const char *value_default(const struct key *key, enum preset preset)
{
    return preset == PRESET_BEST && key->best ? key->best : key->otherwise;
}

static bool take_box(const char *text, struct box *box)
{
    double number[2 * GRID_AXES];
    const size_t count = real_list(text, number, 2 * GRID_AXES);
    if (count != 4 && count != 6)
        return false;
    *box = (struct box){ { 0 }, { 0 } };
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(number[i]) < INT_MAX) || number[i] != floor(number[i]))
            return false;
        (i < count / 2 ? box->low : box->high)[i % (count / 2)] =
            (int)number[i];
    }
    return true;
}

enum status value_take(const struct key *key, const char *text, void *at,
                       struct error *error)
{
    char room[TEXT_SIZE];
    if (key->type == KEY_BOX && take_box(text, at))
        return STATUS_OK;
    if (key->type == KEY_NUMBERS && real_list(text, NULL, 0)) {
        memcpy(at, &text, sizeof text);
        return STATUS_OK;
    }
    struct value value = value_of_text(key, text, room);
    return value_store(key, &value, at, error);
}

void settings_default(const char *group, void *at)
{
    const struct key *inside = key_of(group);
    for (const struct key *key = key_next(inside, keys); key;
         key = key_next(inside, key + 1))
        if (key->otherwise && key->otherwise[0] != '(')
            value_take(key, key->otherwise, (char *)at + key->offset, NULL);
}

struct arrival_settings arrival_default(void)
{
    struct arrival_settings settings = { 0 };
    settings_default("arrival", &settings);
    return settings;
}

/* ---- to text ---- */

/* Without quotes a flat value is the text itself; control characters are
 * escaped, so that a value is always one line. */
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

/* Always with a point or an exponent, because an array of libconfig has one
 * type. */
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

/* `indent` of nested keys, or −1 for all in one line. */
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

static const char *name_at(const struct key *key, const void *at)
{
    if (key->type == KEY_CHOICE)
        return key_name(key, (size_t)load_whole(key, at));
    const void *row;
    const char *name;
    memcpy(&row, at, sizeof row);
    memcpy(&name, row, sizeof name);
    return name;
}

void value_print(FILE *out, const struct value_format *format,
                 const struct key *key, const void *at, int indent)
{
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
        print_text(out, *(char *const *)at, !format->flat);
        break;
    case KEY_CHOICE:
    case KEY_NAMED:
        print_text(out, name_at(key, at), !format->flat);
        break;
    case KEY_SET:
        print_set(out, key, *(const unsigned *)at);
        break;
    case KEY_PLACE:
        if (place->random)
            print_text(out, "random", !format->flat);
        else
            print_position(out, place->at, format->dims);
        break;
    case KEY_POSITIONS:
        print_positions(out, list_at(at), format->dims);
        break;
    case KEY_NUMBERS:
        fputs(*(char *const *)at, out);
        break;
    case KEY_BOX:
        print_box(out, at, format->dims);
        break;
    case KEY_ROWS:
    case KEY_LAYERS:
        print_rows(out, at, format->flat ? -1 : indent);
        break;
    case KEY_COLOR:
        fprintf(out, format->flat ? "#%06x" : "\"#%06x\"",
                (unsigned)*(const uint32_t *)at);
        break;
    default:
        symbol[0] = *(const char *)at;
        print_text(out, symbol, !format->flat);
    }
}
