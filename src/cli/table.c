/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/system.h"
#include "base/utf8.h"
#include "cli/json.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum status table_format_parse(const char *table, bool json,
                               enum table_format *format, struct error *error)
{
    static const char *const names[] = {
        [TABLE_TEXT] = "text",
        [TABLE_CSV] = "csv",
        [TABLE_MD] = "md",
        [TABLE_TEX] = "tex",
    };
    if (table && json)
        return error_set(error, STATUS_INPUT,
                         "--table and --json: give one of them");
    *format = json ? TABLE_JSON : TABLE_TEXT;
    if (!table)
        return STATUS_OK;
    for (int i = 0; i < TABLE_JSON; i++)
        if (strcmp(table, names[i]) == 0) {
            *format = (enum table_format)i;
            return STATUS_OK;
        }
    return error_set(error, STATUS_INPUT,
                     "--table '%.60s': tables are text, csv, md or tex", table);
}

void table_describe(const char *name, const char *meaning, FILE *file)
{
    enum { LEFT = 28, RIGHT = 80 };
    int column = fprintf(file, "  %s", name);
    if (column > LEFT - 2) {
        putc('\n', file);
        column = 0;
    }
    column += fprintf(file, "%*s", LEFT - column, "");
    for (const char *word = meaning; *word;) {
        int length = (int)strcspn(word, " ");
        if (column > LEFT && column + length >= RIGHT)
            column = fprintf(file, "\n%*s", LEFT, "") - 1;
        if (column > LEFT)
            column += fprintf(file, " ");
        fprintf(file, "%.*s", length, word);
        column += length;
        word += length + (word[length] == ' ');
    }
    putc('\n', file);
}

void table_describe_columns(const struct table_column *columns, size_t count,
                            FILE *file)
{
    for (size_t i = 0; i < count; i++)
        table_describe(columns[i].name, columns[i].meaning, file);
}

void table_hint(enum table_format format)
{
    if (format == TABLE_TEXT && isatty(STDOUT_FILENO))
        puts("--help columns describes the columns.");
}

void table_init(struct table *table, const char *label_name,
                const struct table_column *columns, size_t count)
{
    *table = (struct table){ .columns = columns,
                             .column_count = count,
                             .text_count = 1,
                             .label_name = label_name };
}

void table_init_texts(struct table *table, const char *const *names,
                      size_t text_count, const struct table_column *columns,
                      size_t count)
{
    *table = (struct table){ .columns = columns,
                             .column_count = count,
                             .text_names = names,
                             .text_count = text_count };
}

void table_init_mixed(struct table *table, const struct table_column *columns,
                      size_t text_count, size_t count)
{
    *table = (struct table){ .columns = columns + text_count,
                             .column_count = count - text_count,
                             .named_by = columns,
                             .text_count = text_count };
}

static const char *name_of_text(const struct table *table, size_t i)
{
    return table->text_names ? table->text_names[i]
           : table->named_by ? table->named_by[i].name
                             : table->label_name;
}

static const char *text_at(const struct table *table, size_t row, size_t i)
{
    return table->texts[row * table->text_count + i];
}

void table_release(struct table *table)
{
    for (size_t i = 0; i < table->rows * table->text_count; i++)
        memory_release(table->texts[i]);
    memory_release(table->texts);
    memory_release(table->widths);
    memory_release(table->filled);
    memory_release(table->numbers);
    *table = (struct table){ 0 };
}

static void make_room(struct table *table)
{
    if (table->rows < table->room)
        return;
    if (!table->widths)
        table->widths = need_memory(table->text_count, sizeof *table->widths);
    if (!table->filled)
        table->filled = need_memory(table->column_count, sizeof *table->filled);
    size_t room = 2 * table->room + 16, columns = table->column_count;
    size_t count = table->text_count;
    table->texts = need_grow(table->texts, table->rows * count, room * count,
                             sizeof *table->texts);
    table->numbers = need_grow(table->numbers, table->rows * columns,
                               room * columns, sizeof *table->numbers);
    table->room = room;
}

void table_add_texts(struct table *table, const char *const *texts,
                     const double *numbers)
{
    size_t count = table->text_count, first = table->rows * count;
    make_room(table);
    for (size_t i = 0; i < count; i++) {
        table->texts[first + i] = need_text(texts[i]);
        int width = (int)utf8_width(texts[i]);
        if (width > table->widths[i])
            table->widths[i] = width;
    }
    for (size_t c = 0; c < table->column_count; c++)
        table->filled[c] |= isfinite(numbers[c]) != 0;
    memcpy(table->numbers + table->rows * table->column_count, numbers,
           table->column_count * sizeof *numbers);
    table->rows++;
}

void table_add(struct table *table, const char *label, const double *numbers)
{
    table_add_texts(table, &label, numbers);
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

static int width_of_text(const struct table *table, size_t text)
{
    int width = (int)utf8_width(name_of_text(table, text));
    return table->rows && table->widths[text] > width ? table->widths[text]
                                                      : width;
}

static void print_csv(const struct table *table, FILE *file)
{
    for (size_t t = 0; t < table->text_count; t++) {
        fputs(t ? "," : "", file);
        csv_text(file, name_of_text(table, t));
    }
    for (size_t c = 0; c < table->column_count; c++) {
        fputc(',', file);
        csv_text(file, table->columns[c].name);
    }
    fputc('\n', file);
    for (size_t i = 0; i < table->rows; i++) {
        for (size_t t = 0; t < table->text_count; t++) {
            fputs(t ? "," : "", file);
            csv_text(file, text_at(table, i, t));
        }
        for (size_t c = 0; c < table->column_count; c++)
            csv_number(file, table->numbers[i * table->column_count + c]);
        fputc('\n', file);
    }
}

static void print_json(const struct table *table, FILE *file)
{
    struct json json = { .out = file };
    json_array(&json, NULL);
    for (size_t i = 0; i < table->rows; i++) {
        json_object(&json, NULL);
        for (size_t t = 0; t < table->text_count; t++)
            json_text(&json, name_of_text(table, t), text_at(table, i, t));
        for (size_t c = 0; c < table->column_count; c++)
            json_real(&json, table->columns[c].name,
                      table->numbers[i * table->column_count + c]);
        json_object_end(&json);
    }
    json_array_end(&json);
}

/* ---- columns of text, Markdown and LaTeX ---- */

/* The columns of numbers that a column shows: of an interval both ends, and
 * those of the range. */
static size_t span_of(const struct table *table, size_t column)
{
    const struct table_column *of = &table->columns[column];
    return !of->interval ? 1 : of->ranged ? 4 : 2;
}

static bool any_filled(const struct table *table, size_t first, size_t end)
{
    bool any = false;
    for (size_t c = first; c < end && table->rows; c++)
        any = any || table->filled[c];
    return any;
}

/* Does it have its own column? The other numbers of an interval are in the
 * column of its first. */
static bool is_column(const struct table *table, size_t column, bool details)
{
    const size_t span = span_of(table, column);
    for (size_t back = 1; back <= column && back < 4; back++)
        if (back < span_of(table, column - back))
            return false;
    return any_filled(table, column, column + span) &&
           (details || !table->columns[column].detail);
}

static const char *heading_of(const struct table *table, size_t column)
{
    const struct table_column *of = &table->columns[column];
    if (!of->interval)
        return of->heading ? of->heading : of->name;
    if (!of->ranged || !any_filled(table, column + 2, column + 4))
        return of->interval;
    return any_filled(table, column, column + 2) ? "95 % or range" : "range";
}

static bool is_number(const struct table *table, size_t row, size_t column)
{
    return isfinite(table->numbers[row * table->column_count + column]);
}

enum { CELL_SIZE = 192 };

/* The number, or `none` if there is none; of an interval "[0.91, 0.97]", each
 * number with its part of the brackets; of a range "0.91 to 0.97". */
static void write_cell(const struct table *table, size_t row, size_t column,
                       const char *before, const char *behind, const char *none,
                       char text[CELL_SIZE])
{
    const bool interval = table->columns[column].interval != NULL;
    size_t end = column + interval;
    bool ranged = false;
    if (!is_number(table, row, column) && !is_number(table, row, end)) {
        ranged =
            span_of(table, column) > 2 && (is_number(table, row, column + 2) ||
                                           is_number(table, row, column + 3));
        if (!ranged) {
            snprintf(text, CELL_SIZE, "%s", none);
            return;
        }
        column += 2;
        end += 2;
    }
    const char *open = ranged || !interval ? "" : "[";
    const char *close = ranged || !interval ? "" : "]";
    const char *between = ranged ? " to " : ", ";
    int used = snprintf(text, CELL_SIZE, "%s", open);
    for (size_t c = column; c <= end; c++) {
        char number[64];
        bool there = is_number(table, row, c);
        write_number(table, row, c, number, sizeof number);
        used +=
            snprintf(text + used, CELL_SIZE - (size_t)used, "%s%s%s%s",
                     c > column ? between : "", there && interval ? before : "",
                     there ? number : none, there && interval ? behind : "");
    }
    snprintf(text + used, CELL_SIZE - (size_t)used, "%s", close);
}

static void print_cell(const struct table *table, size_t row, size_t column,
                       const char *before, const char *behind, const char *none,
                       FILE *file)
{
    char text[CELL_SIZE];
    write_cell(table, row, column, before, behind, none, text);
    fputs(text, file);
}

/* The bytes of a heading's first line: as many words as are about as wide as a
 * column's numbers, at least one. A percent sign is kept with its number. */
static size_t first_line(const char *name)
{
    enum { ROOM = 10 };
    size_t end = 0;
    for (size_t at = 1; end == 0 || at <= ROOM; at++) {
        if (!name[at])
            return at;
        if (name[at] == ' ' && name[at + 1] != '%')
            end = at;
    }
    return end;
}

/* The heading behind its first line. */
static const char *behind_line(const char *name)
{
    name += first_line(name);
    return name + (*name == ' ');
}

/* The bytes of its longest line. */
static size_t heading_length(const char *name)
{
    size_t longest = 0;
    for (; *name; name = behind_line(name)) {
        size_t length = first_line(name);
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* The index after a column and its interval, which stay together. */
static size_t behind_column(const struct table *table, size_t column)
{
    size_t end = column + span_of(table, column);
    while (end < table->column_count && table->columns[end].interval)
        end += span_of(table, end);
    return end;
}

/* The end of the block of columns from `first` on, which is at most `page` wide
 * with the `used` width of the texts; it has one column at least. */
static size_t behind_block(const struct table *table, size_t first,
                           bool details, double used, double page,
                           double (*width)(const struct table *, size_t))
{
    size_t end = first;
    for (bool any = false; end < table->column_count;) {
        size_t next = behind_column(table, end);
        bool here = false;
        for (size_t c = end; c < next; c++)
            if (is_column(table, c, details)) {
                used += width(table, c);
                here = true;
            }
        if (here && any && used > page)
            break;
        any |= here;
        end = next;
    }
    return end;
}

/* ---- text ---- */

/* Characters between columns, and of a line unless it is on a terminal; and the
 * columns of a block. */
enum { TEXT_GAP = 2, TEXT_LINE = 120, TEXT_COLUMNS = 128 };

static double text_width(const struct table *table, size_t column)
{
    size_t width = heading_length(heading_of(table, column));
    for (size_t i = 0; i < table->rows; i++) {
        char cell[CELL_SIZE];
        write_cell(table, i, column, "", "", "-", cell);
        width = strlen(cell) > width ? strlen(cell) : width;
    }
    return (double)width + TEXT_GAP;
}

static size_t heading_lines(const char *name)
{
    size_t lines = 0;
    for (; *name; name = behind_line(name))
        lines++;
    return lines;
}

/* The first columns of a line; texts NULL: blank. */
static void print_texts(const struct table *table, const char *head,
                        const char *const *texts, FILE *file)
{
    fputs(head, file);
    for (size_t t = 0; t < table->text_count; t++) {
        const char *text = texts ? texts[t] : "";
        fprintf(file, "%*s", t ? TEXT_GAP : 0, "");
        utf8_show(file, text);
        fprintf(file, "%*s", width_of_text(table, t) - (int)utf8_width(text),
                "");
    }
}

/* Headings end at the numbers below them. */
static void print_headings(const struct table *table, size_t first, size_t end,
                           const int *width, const char *head, FILE *file)
{
    const char *const *names =
        table->text_names ? table->text_names : &table->label_name;
    size_t lines = 1;
    for (size_t c = first; c < end; c++) {
        size_t own = heading_lines(heading_of(table, c));
        lines = is_column(table, c, true) && own > lines ? own : lines;
    }
    for (; lines > 0; lines--) {
        int blanks = 0;
        print_texts(table, head, lines == 1 ? names : NULL, file);
        for (size_t c = first; c < end; c++) {
            const char *name = heading_of(table, c);
            size_t own = heading_lines(name);
            if (!is_column(table, c, true))
                continue;
            blanks += width[c - first];
            if (own < lines)
                continue;
            for (; own > lines; own--)
                name = behind_line(name);
            int shown = (int)first_line(name);
            fprintf(file, "%*s%.*s", blanks - shown, "", shown, name);
            blanks = 0;
        }
        fputc('\n', file);
    }
}

static void print_text_block(const struct table *table, size_t first,
                             size_t end, const char *head, FILE *file)
{
    int width[TEXT_COLUMNS] = { 0 };
    for (size_t c = first; c < end; c++)
        width[c - first] = (int)text_width(table, c);
    print_headings(table, first, end, width, head, file);
    for (size_t i = 0; i < table->rows; i++) {
        print_texts(table, head,
                    (const char *const *)&table->texts[i * table->text_count],
                    file);
        for (size_t c = first; c < end; c++) {
            char cell[CELL_SIZE];
            if (!is_column(table, c, true))
                continue;
            write_cell(table, i, c, "", "", "-", cell);
            fprintf(file, "%*s", width[c - first], cell);
        }
        fputc('\n', file);
    }
}

/* Blocks of columns below each other, so that a line fits a terminal. */
static void print_text(const struct table *table, const char *head, FILE *file)
{
    int line = system_terminal_width(file), texts = 0;
    for (size_t t = 0; t < table->text_count; t++)
        texts += width_of_text(table, t) + (t ? TEXT_GAP : 0);
    for (size_t first = 0, end = 0; first < table->column_count; first = end) {
        end = behind_block(table, first, true, texts,
                           line > 0 ? line : TEXT_LINE, text_width);
        end = end - first > TEXT_COLUMNS ? first + TEXT_COLUMNS : end;
        if (first)
            fprintf(file, "%s\n", head);
        print_text_block(table, first, end, head, file);
    }
}

/* ---- Markdown and LaTeX ---- */

static void put_tex(unsigned char byte, FILE *file)
{
    if (strchr("{}$&#_%", byte))
        fprintf(file, "\\%c", byte);
    else if (byte == '\\')
        fputs("\\textbackslash{}", file);
    else if (byte == '^')
        fputs("\\textasciicircum{}", file);
    else if (byte == '~')
        fputs("\\textasciitilde{}", file);
    else if (byte == '<' || byte == '>' || byte == '|')
        fprintf(file, "$%c$", byte);
    else
        fputc(byte, file);
}

static void put_md(unsigned char byte, FILE *file)
{
    if (strchr("|\\`*_<>[]!&", byte))
        fputc('\\', file);
    fputc(byte, file);
}

/* Unprintable bytes are written as \xNN, as in utf8_show. */
static void print_bytes(const char *text, size_t length,
                        void (*put)(unsigned char, FILE *), FILE *file)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    /* After a row's end LaTeX takes a bracket or star for its argument. */
    if (put == put_tex && (*at == '[' || *at == '*'))
        fputs("{}", file);
    while (at < end) {
        size_t hidden = utf8_unshown(at);
        const unsigned char *next = at + (hidden ? hidden : utf8_character(at));
        for (; at < next; at++) {
            put(hidden ? '\\' : *at, file);
            if (hidden)
                fprintf(file, "x%02x", *at);
        }
    }
}

static void print_escaped(const char *text, void (*put)(unsigned char, FILE *),
                          FILE *file)
{
    print_bytes(text, strlen(text), put, file);
}

static void print_md(const struct table *table, FILE *file)
{
    for (size_t t = 0; t < table->text_count; t++) {
        fputs("| ", file);
        print_escaped(name_of_text(table, t), put_md, file);
        fputc(' ', file);
    }
    for (size_t c = 0; c < table->column_count; c++)
        if (is_column(table, c, true)) {
            fputs("| ", file);
            print_escaped(heading_of(table, c), put_md, file);
            fputc(' ', file);
        }
    fputs("|\n|", file);
    for (size_t t = 0; t < table->text_count; t++)
        fputs("---|", file);
    for (size_t c = 0; c < table->column_count; c++)
        if (is_column(table, c, true))
            fputs("---:|", file);
    for (size_t i = 0; i < table->rows; i++) {
        fputc('\n', file);
        for (size_t t = 0; t < table->text_count; t++) {
            fputs("| ", file);
            print_escaped(text_at(table, i, t), put_md, file);
            fputc(' ', file);
        }
        for (size_t c = 0; c < table->column_count; c++)
            if (is_column(table, c, true)) {
                fputs("| ", file);
                print_cell(table, i, c, "", "", "–", file);
                fputc(' ', file);
            }
        fputc('|', file);
    }
    fputc('\n', file);
}

/* The space for a column's numbers before and after their points:
 * "[table-format=-2.3]"; "" with an exponent, for which S finds it itself. */
static void write_room(const struct table *table, size_t column, char *text,
                       size_t size)
{
    int before = 1, behind = 0;
    bool negative = false;
    text[0] = '\0';
    for (size_t i = 0; i < table->rows; i++) {
        char number[64];
        if (!isfinite(table->numbers[i * table->column_count + column]))
            continue;
        write_number(table, i, column, number, sizeof number);
        if (strchr(number, 'e'))
            return;
        const char *digits = number + (*number == '-');
        int whole = (int)strcspn(digits, "."), all = (int)strlen(digits);
        negative |= *number == '-';
        before = whole > before ? whole : before;
        behind = all - whole - 1 > behind ? all - whole - 1 : behind;
    }
    snprintf(text, size, "[table-format=%s%d.%d]", negative ? "-" : "", before,
             behind);
}

/* A heading longer than the numbers below it is split into lines. */
static void print_heading(const char *name, FILE *file)
{
    bool stacked = *name && name[first_line(name)];
    fputs(stacked ? "{\\shortstack{" : "{", file);
    while (*name) {
        print_bytes(name, first_line(name), put_tex, file);
        name = behind_line(name);
        fputs(*name ? "\\\\" : "", file);
    }
    fputs(stacked ? "}}" : "}", file);
}

/* ---- blocks of LaTeX's columns that fit a page ---- */

/* Points: 17 cm, the width of charts across a page; and in \footnotesize a
 * digit, a letter and the gap between two columns. */
static const double page = 483, digit = 4.25, letter = 3.9, gap = 12;

/* Does LaTeX have the column of texts? If all rows are the same, the caption
 * has it. */
static bool is_text_column(const struct table *table, size_t t)
{
    bool differs = t == 0 || table->rows < 2;
    for (size_t i = 1; i < table->rows && !differs; i++)
        differs = strcmp(text_at(table, i, t), text_at(table, 0, t)) != 0;
    return differs;
}

static double texts_width(const struct table *table)
{
    double width = 0;
    for (size_t t = 0; t < table->text_count; t++)
        if (is_text_column(table, t))
            width += letter * width_of_text(table, t) + gap;
    return width;
}

/* Of a column, or of both ends of an interval with its brackets and comma. */
static double column_width(const struct table *table, size_t column)
{
    double longest = 0;
    for (size_t i = 0; i < table->rows; i++) {
        char text[CELL_SIZE];
        write_cell(table, i, column, "", "", "", text);
        longest = fmax(longest, digit * (double)strlen(text));
    }
    double heading = letter * (double)heading_length(heading_of(table, column));
    return fmax(longest, heading) + gap;
}

static void print_tex_row(const struct table *table, size_t row, size_t first,
                          size_t end, FILE *file)
{
    for (size_t t = 0; t < table->text_count; t++)
        if (is_text_column(table, t)) {
            fputs(t ? " & " : "", file);
            print_escaped(text_at(table, row, t), put_tex, file);
        }
    for (size_t c = first; c < end; c++)
        if (is_column(table, c, false)) {
            fputs(" & ", file);
            print_cell(table, row, c, "\\num{", "}", "{--}", file);
        }
    fputs(" \\\\\n", file);
}

static void print_tex_block(const struct table *table, size_t first, size_t end,
                            FILE *file)
{
    fputs("\\begin{tabular}{@{}", file);
    for (size_t t = 0; t < table->text_count; t++)
        fputs(is_text_column(table, t) ? "l" : "", file);
    for (size_t c = first; c < end; c++) {
        char room[64];
        write_room(table, c, room, sizeof room);
        if (is_column(table, c, false) && table->columns[c].interval)
            fputs(" c", file);
        else if (is_column(table, c, false))
            fprintf(file, " S%s", room);
    }
    fputs("@{}}\n\\toprule\n", file);
    for (size_t t = 0; t < table->text_count; t++)
        if (is_text_column(table, t)) {
            fputs(t ? " & " : "", file);
            print_escaped(name_of_text(table, t), put_tex, file);
        }
    for (size_t c = first; c < end; c++)
        if (is_column(table, c, false)) {
            fputs(" & ", file);
            print_heading(heading_of(table, c), file);
        }
    fputs(" \\\\\n\\midrule\n", file);
    for (size_t i = 0; i < table->rows; i++)
        print_tex_row(table, i, first, end, file);
    fputs("\\bottomrule\n\\end{tabular}\n", file);
}

static void print_tex(const struct table *table, FILE *file)
{
    fputs("% \\usepackage{booktabs,siunitx}\n", file);
    for (size_t first = 0, end = 0; end < table->column_count; first = end) {
        end = behind_block(table, first, false, texts_width(table) - gap, page,
                           column_width);
        fputs(first ? "\n\\medskip\n" : "", file);
        print_tex_block(table, first, end, file);
    }
}

void table_print(const struct table *table, enum table_format format,
                 FILE *file)
{
    if (format == TABLE_CSV)
        print_csv(table, file);
    else if (format == TABLE_MD)
        print_md(table, file);
    else if (format == TABLE_TEX)
        print_tex(table, file);
    else if (format == TABLE_JSON)
        print_json(table, file);
    else
        print_text(table, format == TABLE_COMMENT ? "# | " : "", file);
}
