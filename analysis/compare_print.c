/* SPDX-License-Identifier: MIT */
#include "compare_table.h"

#include <math.h>
#include <string.h>

const char *const table_formats[] = { "text", "csv", "md", "tex", NULL };
enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_MD, FORMAT_TEX };

/* A column of the printed table: one figure, or quartiles round one. */
static const struct heading {
    const char *name, *unit, *csv;
    int decimals;
} headings[FIGURES] = {
    [FIGURE_AGENTS] = { "agents", "", "agents", 0 },
    [FIGURE_CAPTURED] = { "captured", "", "captured", 0 },
    [FIGURE_RATE] = { "rate", "", "capture_rate", 2 },
    [FIGURE_STEPS_Q1] = { "steps q1", "steps", "steps_q1", 0 },
    [FIGURE_STEPS] = { "median", "steps", "steps_median", 0 },
    [FIGURE_STEPS_Q3] = { "q3", "steps", "steps_q3", 0 },
    [FIGURE_STEPS_P95] = { "p95", "steps", "steps_p95", 0 },
    [FIGURE_LENGTH] = { "path", "cells", "path_cells_median", 1 },
    [FIGURE_TURNS] = { "turns", "", "turns_median", 0 },
    [FIGURE_RATIO_Q1] = { "vs/d q1", "", "capture_ratio_q1", 3 },
    [FIGURE_RATIO] = { "median", "", "capture_ratio_median", 3 },
    [FIGURE_RATIO_Q3] = { "q3", "", "capture_ratio_q3", 3 },
    [FIGURE_PAIRS] = { "pairs", "", "pairs", 0 },
    [FIGURE_LEE_Q1] = { "/lee q1", "", "over_lee_q1", 3 },
    [FIGURE_LEE] = { "median", "", "over_lee_median", 3 },
    [FIGURE_LEE_Q3] = { "q3", "", "over_lee_q3", 3 },
    [FIGURE_UPDATES] = { "updates", "", "updates_median", 0 },
    [FIGURE_EXPANSIONS] = { "expanded", "cells/plan", "expansions_median", 0 },
    [FIGURE_NANOSECONDS] = { "time", "ns/plan", "plan_ns_median", 0 },
};

/* Columns in which no row has a figure are left out, but of csv. */
static bool is_shown(const struct table *table, enum figure figure, int format)
{
    if (format == FORMAT_CSV)
        return true;
    for (size_t i = 0; i < table->count; i++)
        if (!isnan(table->rows[i].figure[figure]))
            return true;
    return false;
}

static const char *show(const struct table_row *row, enum figure figure,
                        const char *none, char text[32])
{
    if (isnan(row->figure[figure]))
        return none;
    snprintf(text, 32, "%.*f", headings[figure].decimals, row->figure[figure]);
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
        fprintf(out, "%*s%s", space, "", text);
    else
        fprintf(out, "%s%*s", text, space, "");
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
    size_t method, group, figure[FIGURES];
};

static struct widths measure(const struct table *table, const char *keys)
{
    struct widths widths = { .method = strlen("method"),
                             .group = width_of(keys) };
    char text[32];
    for (int f = 0; f < FIGURES; f++)
        widths.figure[f] =
            larger(strlen(headings[f].name), strlen(headings[f].unit));
    for (size_t i = 0; i < table->count; i++) {
        const struct table_row *row = &table->rows[i];
        widths.method = larger(widths.method, width_of(row->method));
        widths.group = larger(widths.group, width_of(row->group));
        for (int f = 0; f < FIGURES; f++)
            widths.figure[f] = larger(
                widths.figure[f], strlen(show(row, (enum figure)f, "-", text)));
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
    for (int f = 0; f < FIGURES; f++) {
        if (!is_shown(table, (enum figure)f, FORMAT_TEXT))
            continue;
        fputs("  ", out);
        pad(out, widths->figure[f],
            row     ? show(row, (enum figure)f, "-", text)
            : units ? headings[f].unit
                    : headings[f].name,
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

/* A text with what the format minds escaped. */
static void print_escaped(const char *text, int format, FILE *out)
{
    bool quote = format == FORMAT_CSV && strpbrk(text, ",\"\n\r");
    if (quote)
        putc('"', out);
    for (; *text; text++) {
        if (format == FORMAT_CSV && *text == '"')
            putc('"', out);
        if (format == FORMAT_MD && strchr("|\\`*_<", *text))
            putc('\\', out);
        if (format == FORMAT_TEX && strchr("\\~^", *text)) {
            fprintf(out, "\\char`\\%c{}", *text);
            continue;
        }
        if (format == FORMAT_TEX && strchr("&%$#_{}", *text))
            putc('\\', out);
        putc(*text, out);
    }
    if (quote)
        putc('"', out);
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
    for (int f = 0; f < FIGURES; f++) {
        if (!is_shown(table, (enum figure)f, format))
            continue;
        fputs(marks[format].between, out);
        print_escaped(format == FORMAT_CSV ? headings[f].csv : headings[f].name,
                      format, out);
        if (format != FORMAT_CSV && headings[f].unit[0])
            fprintf(out, " (%s)", headings[f].unit);
    }
    fputs(marks[format].end, out);
}

/* How columns stand: texts to the left, figures to the right. */
static void print_columns(const struct table *table, int format,
                          const char *text, const char *figure, FILE *out)
{
    for (size_t i = 0; i < 1 + (table->key_count > 0); i++)
        fputs(text, out);
    for (int f = 0; f < FIGURES; f++)
        if (is_shown(table, (enum figure)f, format))
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
        for (int f = 0; f < FIGURES; f++)
            if (is_shown(table, (enum figure)f, format))
                fprintf(out, "%s%s", marks[format].between,
                        show(row, (enum figure)f, marks[format].none, text));
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
