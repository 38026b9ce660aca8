/* SPDX-License-Identifier: MIT */
#include "compare_table.h"

#include "base/utf8.h"
#include "draw/csv.h"

#include <math.h>
#include <string.h>

const char *const table_formats[] = { "text", "csv", "md", "tex", NULL };
enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_MD, FORMAT_TEX };

/* Columns in which no row has a figure are left out, but of csv. */
static bool is_shown(const struct table *table, int figure, int format)
{
    if (table->hidden >> figure & 1)
        return false;
    if (format == FORMAT_CSV)
        return true;
    for (size_t i = 0; i < table->count; i++)
        if (!isnan(table->rows[i].figure[figure]))
            return true;
    return false;
}

static int find_figure(const struct table *table, const char *name,
                       size_t length)
{
    for (int f = 0; f < table->figures; f++)
        if (strncmp(table->headings[f].csv, name, length) == 0 &&
            !table->headings[f].csv[length])
            return f;
    return -1;
}

static enum status no_such(const struct table *table, const char *name,
                           size_t length, struct error *error)
{
    char names[ERROR_MESSAGE_SIZE];
    size_t used = 0;
    for (int f = 0; f < table->figures && used < sizeof names; f++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 f ? ", " : "", table->headings[f].csv);
    return error_set(error, STATUS_INPUT, "--columns: there is no %.*s; of %s",
                     (int)length, name, names);
}

enum status table_choose(struct table *table, const char *names,
                         struct error *error)
{
    table->hidden = ~UINT64_C(0);
    for (const char *at = names;;) {
        size_t length = strcspn(at, ",");
        int figure = find_figure(table, at, length);
        if (figure < 0)
            return no_such(table, at, length, error);
        table->hidden &= ~(UINT64_C(1) << figure);
        if (!at[length])
            return STATUS_OK;
        at += length + 1;
    }
}

static const char *show(const struct table *table, const struct table_row *row,
                        int figure, const char *none, char text[32])
{
    if (isnan(row->figure[figure]))
        return none;
    snprintf(text, 32, "%.*f", table->headings[figure].decimals,
             row->figure[figure]);
    return text;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Characters, not bytes, of UTF-8. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void pad(FILE *out, size_t width, const char *text, bool right)
{
    int space = (int)(width > width_of(text) ? width - width_of(text) : 0);
    if (right)
        fprintf(out, "%*s", space, "");
    utf8_show(out, text);
    if (!right)
        fprintf(out, "%*s", space, "");
}

static void join_keys(const struct table *table, char text[GROUP_SIZE])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < table->key_count && used < GROUP_SIZE; i++)
        used += (size_t)snprintf(text + used, GROUP_SIZE - used, "%s%s",
                                 i ? ", " : "", table->keys[i]);
}

/* ---- text ---- */

struct widths {
    size_t method, group, figure[TABLE_FIGURES_MOST];
};

static struct widths measure(const struct table *table, const char *keys)
{
    struct widths widths = { .method = strlen("method"),
                             .group = width_of(keys) };
    char text[32];
    for (int f = 0; f < table->figures; f++)
        widths.figure[f] = larger(strlen(table->headings[f].name),
                                  strlen(table->headings[f].unit));
    for (size_t i = 0; i < table->count; i++) {
        const struct table_row *row = &table->rows[i];
        widths.method = larger(widths.method, width_of(row->method));
        widths.group = larger(widths.group, width_of(row->group));
        for (int f = 0; f < table->figures; f++)
            widths.figure[f] = larger(widths.figure[f],
                                      strlen(show(table, row, f, "-", text)));
    }
    return widths;
}

static void print_line(const struct table *table, const struct widths *widths,
                       const struct table_row *row, bool units, FILE *out)
{
    char keys[GROUP_SIZE], text[32];
    join_keys(table, keys);
    pad(out, widths->method, row ? row->method : units ? "" : "method", false);
    if (table->key_count) {
        fputs("  ", out);
        pad(out, widths->group, row ? row->group : units ? "" : keys, false);
    }
    for (int f = 0; f < table->figures; f++) {
        if (!is_shown(table, f, FORMAT_TEXT))
            continue;
        fputs("  ", out);
        pad(out, widths->figure[f],
            row     ? show(table, row, f, "-", text)
            : units ? table->headings[f].unit
                    : table->headings[f].name,
            true);
    }
    putc('\n', out);
}

static void print_text(const struct table *table, FILE *out)
{
    char keys[GROUP_SIZE];
    join_keys(table, keys);
    struct widths widths = measure(table, keys);
    print_line(table, &widths, NULL, false, out);
    print_line(table, &widths, NULL, true, out);
    for (size_t i = 0; i < table->count; i++)
        print_line(table, &widths, &table->rows[i], false, out);
}

/* ---- what other programs read ---- */

static void put_escaped(char character, int format, FILE *out)
{
    if (format == FORMAT_TEX && strchr("\\~^", character)) {
        fprintf(out, "\\char`\\%c{}", character);
        return;
    }
    if ((format == FORMAT_MD && strchr("|\\`*_<>[]!&", character)) ||
        (format == FORMAT_TEX && strchr("&%$#_{}", character)))
        putc('\\', out);
    putc(character, out);
}

/* A text with what the format minds escaped; what is not to be shown, as
 * utf8_show has it. */
static void print_escaped(const char *text, int format, FILE *out)
{
    if (format == FORMAT_CSV) {
        csv_text(out, text);
        return;
    }
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        size_t hidden = utf8_unshown(at);
        const unsigned char *next = at + (hidden ? hidden : utf8_character(at));
        for (; at < next; at++) {
            put_escaped(hidden ? '\\' : (char)*at, format, out);
            if (hidden)
                fprintf(out, "x%02x", *at);
        }
    }
}

struct marks {
    const char *begin, *between, *end, *none;
};
static const struct marks marks[] = {
    [FORMAT_CSV] = { "", ",", "\n", "" },
    [FORMAT_MD] = { "| ", " | ", " |\n", "–" },
    [FORMAT_TEX] = { "", " & ", " \\\\\n", "--" },
};

static void print_head(const struct table *table, int format, FILE *out)
{
    fputs(marks[format].begin, out);
    fputs("method", out);
    for (size_t i = 0; i < table->key_count; i++) {
        fputs(i && format == FORMAT_CSV ? ";"
              : i                       ? ", "
                                        : marks[format].between,
              out);
        print_escaped(table->keys[i], format, out);
    }
    for (int f = 0; f < table->figures; f++) {
        if (!is_shown(table, f, format))
            continue;
        fputs(marks[format].between, out);
        print_escaped(format == FORMAT_CSV ? table->headings[f].csv
                                           : table->headings[f].alone,
                      format, out);
    }
    fputs(marks[format].end, out);
}

/* How columns stand: texts to the left, figures to the right. */
static void print_columns(const struct table *table, int format,
                          const char *text, const char *figure, FILE *out)
{
    for (size_t i = 0; i < 1 + (table->key_count > 0); i++)
        fputs(text, out);
    for (int f = 0; f < table->figures; f++)
        if (is_shown(table, f, format))
            fputs(figure, out);
}

static void print_rows(const struct table *table, int format, FILE *out)
{
    char text[32];
    for (size_t i = 0; i < table->count; i++) {
        const struct table_row *row = &table->rows[i];
        fputs(marks[format].begin, out);
        print_escaped(row->method, format, out);
        if (table->key_count) {
            fputs(marks[format].between, out);
            print_escaped(row->group, format, out);
        }
        for (int f = 0; f < table->figures; f++)
            if (is_shown(table, f, format))
                fprintf(out, "%s%s", marks[format].between,
                        show(table, row, f, marks[format].none, text));
        fputs(marks[format].end, out);
    }
}

void table_print(const struct table *table, int format, FILE *out)
{
    if (format == FORMAT_TEXT) {
        print_text(table, out);
        return;
    }
    if (format == FORMAT_TEX) {
        fputs("\\begin{tabular}{", out);
        print_columns(table, format, "l", "r", out);
        fputs("}\n\\hline\n", out);
    }
    print_head(table, format, out);
    if (format == FORMAT_MD) {
        putc('|', out);
        print_columns(table, format, "---|", "---:|", out);
        putc('\n', out);
    }
    if (format == FORMAT_TEX)
        fputs("\\hline\n", out);
    print_rows(table, format, out);
    if (format == FORMAT_TEX)
        fputs("\\hline\n\\end{tabular}\n", out);
}
