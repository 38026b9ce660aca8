/* SPDX-License-Identifier: MIT */
#include "analysis/study/table.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/real.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

enum status table_format_parse(const char *text, enum table_format *format,
                               struct error *error)
{
    static const char *const names[] = { "text", "csv", "tex" };
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *format = (enum table_format)i;
            return STATUS_OK;
        }
    return error_set(error, STATUS_INPUT,
                     "--table '%s': tables are text, csv or tex", text);
}

void table_init(struct table *table, const char *label_name,
                const struct table_column *columns, size_t count)
{
    *table = (struct table){ .columns = columns,
                             .column_count = count,
                             .label_name = label_name };
}

void table_release(struct table *table)
{
    for (size_t i = 0; i < table->rows; i++)
        memory_release(table->labels[i]);
    memory_release(table->labels);
    memory_release(table->numbers);
    *table = (struct table){ 0 };
}

static enum status make_room(struct table *table, struct error *error)
{
    if (table->rows < table->room)
        return STATUS_OK;
    size_t room = 2 * table->room + 16, columns = table->column_count;
    char **labels =
        memory_grow(table->labels, table->rows, room, sizeof *table->labels);
    if (!labels)
        return error_memory(error);
    table->labels = labels;
    double *numbers = memory_grow(table->numbers, table->rows * columns,
                                  room * columns, sizeof *table->numbers);
    if (!numbers)
        return error_memory(error);
    table->numbers = numbers;
    table->room = room;
    return STATUS_OK;
}

enum status table_add(struct table *table, const char *label,
                      const double *numbers, struct error *error)
{
    enum status status = make_room(table, error);
    if (status)
        return status;
    char *copy = memory_text(label);
    if (!copy)
        return error_memory(error);
    table->labels[table->rows] = copy;
    memcpy(table->numbers + table->rows * table->column_count, numbers,
           table->column_count * sizeof *numbers);
    table->rows++;
    return STATUS_OK;
}

static void write_number(const struct table *table, size_t row, size_t column,
                         char *text, size_t size)
{
    double number = table->numbers[row * table->column_count + column];
    int digits = table->columns[column].digits;
    if (!isfinite(number))
        snprintf(text, size, "-");
    else if (digits < 0)
        snprintf(text, size, "%g", number);
    else
        snprintf(text, size, "%.*f", digits, number);
}

static void print_padded(const char *text, int width, FILE *file)
{
    utf8_show(file, text);
    fprintf(file, "%*s", width - (int)utf8_count(text), "");
}

static void print_lines(const struct table *table, const char *head, FILE *file)
{
    int width = (int)utf8_count(table->label_name);
    for (size_t i = 0; i < table->rows; i++)
        if ((int)utf8_count(table->labels[i]) > width)
            width = (int)utf8_count(table->labels[i]);
    fputs(head, file);
    print_padded(table->label_name, width, file);
    for (size_t c = 0; c < table->column_count; c++)
        fprintf(file, "  %10s", table->columns[c].name);
    for (size_t i = 0; i < table->rows; i++) {
        fprintf(file, "\n%s", head);
        print_padded(table->labels[i], width, file);
        for (size_t c = 0; c < table->column_count; c++) {
            char number[64];
            int room = (int)strlen(table->columns[c].name);
            write_number(table, i, c, number, sizeof number);
            fprintf(file, "  %*s", room > 10 ? room : 10, number);
        }
    }
    fputc('\n', file);
}

static void print_csv(const struct table *table, FILE *file)
{
    csv_quoted(file, table->label_name);
    for (size_t c = 0; c < table->column_count; c++) {
        fputc(',', file);
        csv_quoted(file, table->columns[c].name);
    }
    fputs("\r\n", file);
    for (size_t i = 0; i < table->rows; i++) {
        csv_quoted(file, table->labels[i]);
        for (size_t c = 0; c < table->column_count; c++) {
            double number = table->numbers[i * table->column_count + c];
            if (isfinite(number))
                fprintf(file, ",%s", REAL_TEXT(number));
            else
                fputc(',', file);
        }
        fputs("\r\n", file);
    }
}

static void print_tex_text(const char *text, FILE *file)
{
    for (; *text; text++) {
        if (strchr("{}$&#_%", *text))
            fprintf(file, "\\%c", *text);
        else if (*text == '\\')
            fputs("\\textbackslash{}", file);
        else if (*text == '^')
            fputs("\\textasciicircum{}", file);
        else if (*text == '~')
            fputs("\\textasciitilde{}", file);
        else if (*text == '<' || *text == '>')
            fprintf(file, "$%c$", *text);
        else
            fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
    }
}

static void print_tex(const struct table *table, FILE *file)
{
    fputs("\\begin{tabular}{l", file);
    for (size_t c = 0; c < table->column_count; c++)
        fputc('r', file);
    fputs("}\n\\hline\n", file);
    print_tex_text(table->label_name, file);
    for (size_t c = 0; c < table->column_count; c++) {
        fputs(" & ", file);
        print_tex_text(table->columns[c].name, file);
    }
    fputs(" \\\\\n\\hline\n", file);
    for (size_t i = 0; i < table->rows; i++) {
        print_tex_text(table->labels[i], file);
        for (size_t c = 0; c < table->column_count; c++) {
            char number[64];
            write_number(table, i, c, number, sizeof number);
            fprintf(file, " & %s", strcmp(number, "-") == 0 ? "--" : number);
        }
        fputs(" \\\\\n", file);
    }
    fputs("\\hline\n\\end{tabular}\n", file);
}

void table_print(const struct table *table, enum table_format format,
                 FILE *file)
{
    if (format == TABLE_CSV)
        print_csv(table, file);
    else if (format == TABLE_TEX)
        print_tex(table, file);
    else
        print_lines(table, format == TABLE_COMMENT ? "# | " : "", file);
}
