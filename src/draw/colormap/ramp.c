/* SPDX-License-Identifier: MIT */
#include "draw/colormap/colormap.h"

#include "base/inputs.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const colormap_kind_names[] = { "sequential", "diverging",
                                            "cyclic" };

const struct colormap *colormap_find(const char *name)
{
    for (const struct colormap *const *map = colormaps; *map; map++)
        if (strcmp((*map)->name, name) == 0)
            return *map;
    return NULL;
}

enum {
    MOST_ROWS = 65536,
    LINE_MOST = 254,
    BYTES_MOST = MOST_ROWS * LINE_MOST,
    /* Squared distance in RGB at which two adjacent colours can be
     * distinguished; every compiled-in map has this distance from its wall
     * colour. */
    APART = 40 * 40,
};

/* Tried in this order: dark gray suits all maps except gray ones. */
static const uint8_t wall_colors[][3] = {
    { 64, 64, 64 }, { 150, 110, 60 }, { 160, 160, 160 }, { 0, 128, 128 }
};
static const uint8_t missing_colors[][3] = {
    { 255, 255, 255 }, { 180, 225, 170 }, { 215, 200, 235 }, { 0, 0, 0 }
};

static int distance(const uint8_t a[3], const uint8_t b[3])
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* The first candidate that is APART from the map and from `other` (may be
 * NULL), else the one farthest from them. */
static void choose(const struct ramp *ramp, const uint8_t other[3],
                   const uint8_t (*candidates)[3], size_t count,
                   uint8_t chosen[3])
{
    int best = -1;
    for (size_t c = 0; c < count && best < APART; c++) {
        int nearest = other ? distance(candidates[c], other) : INT_MAX;
        for (int i = 0; i < COLORMAP_SIZE; i++) {
            int d = distance(candidates[c], ramp->colors[i]);
            nearest = d < nearest ? d : nearest;
        }
        if (nearest > best) {
            best = nearest;
            memcpy(chosen, candidates[c], 3);
        }
    }
}

/* The colours of a file during reading. */
struct rows {
    double (*colors)[3];
    size_t count, room;
    double largest;
    bool hex; /* rows are `#rrggbb` */
};

static enum status keep_row(const double color[3], const char *path, int number,
                            struct rows *rows, struct error *error)
{
    if (rows->count == MOST_ROWS)
        return error_at(error, STATUS_INPUT, path, number,
                        "more than %d colours; at most %d differ in a picture",
                        MOST_ROWS, COLORMAP_SIZE);
    double(*colors)[3] =
        need_more(rows->colors, rows->count, &rows->room, sizeof *colors);
    rows->colors = colors;
    for (int i = 0; i < 3; i++) {
        rows->colors[rows->count][i] = color[i];
        rows->largest = fmax(rows->largest, color[i]);
    }
    rows->count++;
    return STATUS_OK;
}

/* `#rrggbb`, and blanks after it; the comment of a row of numbers is no colour.
 */
static bool is_hex(const char *line, double color[3])
{
    const char *at = line + strspn(line, " \t\"',");
    unsigned value;
    if (*at != '#' || strspn(at + 1, "0123456789abcdefABCDEF") != 6 ||
        at[7 + strspn(at + 7, " \t\"',;")] != '\0')
        return false;
    value = (unsigned)strtoul(at + 1, NULL, 16);
    for (int i = 0; i < 3; i++)
        color[i] = value >> (16 - 8 * i) & 0xff;
    return true;
}

/* One line: a colour, or only blanks and a comment. */
static enum status take_line(char *line, const char *path, int number,
                             struct rows *rows, struct error *error)
{
    double values[4];
    int count = 0;
    const bool hex = is_hex(line, values);
    if (hex && rows->count && !rows->hex)
        return error_at(error, STATUS_INPUT, path, number,
                        "'%.40s' is a colour, but the rows before are `r g b`",
                        line);
    if (hex) {
        rows->hex = true;
        return keep_row(values, path, number, rows, error);
    }
    line[strcspn(line, "#")] = '\0';
    const char *at = line + strspn(line, " \t,");
    while (*at && count < 4) {
        char *end;
        values[count] = strtod(at, &end);
        if (end == at || !(values[count] >= 0 && values[count] <= 255))
            return error_at(
                error, STATUS_INPUT, path, number,
                "'%.40s': a number from 0 to 255, or from 0 to 1, is required, "
                "or a row `#rrggbb`",
                at);
        count++;
        at = end + strspn(end, " \t,");
    }
    if (!count)
        return STATUS_OK;
    if (*at || count < 3)
        return error_at(error, STATUS_INPUT, path, number,
                        "a row is `r g b` or `r g b alpha`; this has %s",
                        *at ? "more than four" : "fewer than three numbers");
    if (rows->hex)
        return error_at(error, STATUS_INPUT, path, number,
                        "a row `r g b`, but the rows before are `#rrggbb`");
    return keep_row(values, path, number, rows, error);
}

/* Lines end with LF, CRLF or CR. */
static enum status read_rows(const char *path, char *text, size_t length,
                             struct rows *rows, struct error *error)
{
    char *at = text + utf8_mark(text, length), *end = text + length;
    for (int number = 1; at < end; number++) {
        size_t size = strcspn(at, "\r\n");
        char *next = at + size;
        if (next < end && *next == '\0')
            return error_at(error, STATUS_INPUT, path, number,
                            "a NUL character: a colour map is a text in ASCII "
                            "or UTF-8");
        if (size > LINE_MOST)
            return error_at(error, STATUS_INPUT, path, number,
                            "a line of more than %d characters is not a row "
                            "of a colour map",
                            LINE_MOST);
        if (next < end)
            next += next[0] == '\r' && next[1] == '\n' ? 2 : 1;
        at[size] = '\0';
        enum status status = take_line(at, path, number, rows, error);
        if (status)
            return status;
        at = next;
    }
    if (rows->count < 2)
        return error_at(error, STATUS_INPUT, path, 0,
                        "a colour map needs at least two rows `r g b` or "
                        "`#rrggbb`; this has %zu",
                        rows->count);
    return STATUS_OK;
}

/* Spreads the rows evenly over the map's entries. */
static void interpolate(const struct rows *rows, struct ramp *ramp)
{
    double unit = rows->largest <= 1 && !rows->hex ? 255 : 1;
    for (int i = 0; i < COLORMAP_SIZE; i++) {
        double at = (double)i * (double)(rows->count - 1) / (COLORMAP_SIZE - 1);
        size_t k = (size_t)at;
        if (k > rows->count - 2)
            k = rows->count - 2;
        double w = at - (double)k;
        for (int c = 0; c < 3; c++)
            ramp->colors[i][c] =
                (uint8_t)(unit * (rows->colors[k][c] * (1 - w) +
                                  rows->colors[k + 1][c] * w) +
                          .5);
    }
}

static enum status load_file(const char *path, struct ramp *ramp,
                             struct error *error)
{
    struct rows rows = { 0 };
    char *text = NULL;
    size_t length = 0;
    if (strcmp(path, "-") == 0 || (access(path, F_OK) < 0 && errno == ENOENT))
        return error_set(error, STATUS_INPUT,
                         "%s: neither a colour map nor a file; "
                         "--list-colormaps lists the maps",
                         path);
    enum status status = inputs_read(path, BYTES_MOST, &text, &length, error);
    if (!status && length > BYTES_MOST)
        status = error_at(error, STATUS_INPUT, path, 0,
                          "more than %d bytes: no colour map is so long",
                          BYTES_MOST);
    if (!status)
        status = read_rows(path, text, length, &rows, error);
    if (!status)
        interpolate(&rows, ramp);
    memory_release(text);
    memory_release(rows.colors);
    return status;
}

static void reverse(struct ramp *ramp)
{
    for (int i = 0, j = COLORMAP_SIZE - 1; i < j; i++, j--) {
        uint8_t kept[3];
        memcpy(kept, ramp->colors[i], 3);
        memcpy(ramp->colors[i], ramp->colors[j], 3);
        memcpy(ramp->colors[j], kept, 3);
    }
}

enum status ramp_load(const char *name, struct ramp *ramp, struct error *error)
{
    struct ramp made = { 0 };
    const char *plain = name + (name[0] == '-');
    snprintf(made.name, sizeof made.name, "%s", name);
    const struct colormap *map = colormap_find(plain);
    if (map) {
        memcpy(made.colors, map->colors, sizeof made.colors);
    } else {
        enum status status = load_file(plain, &made, error);
        if (status)
            return status;
    }
    if (plain != name)
        reverse(&made);
    choose(&made, NULL, wall_colors, sizeof wall_colors / 3, made.wall);
    choose(&made, made.wall, missing_colors, sizeof missing_colors / 3,
           made.missing);
    *ramp = made;
    return STATUS_OK;
}
