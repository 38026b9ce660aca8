/* SPDX-License-Identifier: MIT */
#include "world/maps/file.h"

#include "base/crc32c.h"
#include "base/inputs.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status check_kind(const char *path, const char *what,
                              const struct stat *about, struct error *error)
{
    if (!S_ISREG(about->st_mode))
        return error_at(
            error, STATUS_INPUT, path, 0, "is %s: a %s must be a regular file",
            S_ISDIR(about->st_mode) ? "a directory" : "a device or pipe", what);
    if ((uintmax_t)about->st_size > MAP_FILE_BYTES_MAX)
        return error_at(error, STATUS_INPUT, path, 0,
                        "the file has %jd bytes: at most %zu are allowed",
                        (intmax_t)about->st_size, MAP_FILE_BYTES_MAX);
    return STATUS_OK;
}

/* Fills `bytes` up to the file's end; it may have become shorter since
 * fstat. */
static enum status read_bytes(int descriptor, const char *path, char *bytes,
                              size_t size, size_t *got, struct error *error)
{
    for (*got = 0; *got < size;) {
        ssize_t count = read(descriptor, bytes + *got, size - *got);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return error_system(error, STATUS_INPUT, "%s: cannot be read",
                                path);
        if (count == 0)
            break;
        *got += (size_t)count;
    }
    return STATUS_OK;
}

enum status map_file_load(const char *path, const char *what,
                          struct map_file *file, struct error *error)
{
    char *bytes = NULL;
    size_t got = 0;
    struct stat about;
    /* O_NONBLOCK: opening a pipe without a writer must not block. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    enum status status =
        descriptor < 0 || fstat(descriptor, &about) != 0
            ? error_system(error, STATUS_INPUT, "%s: the %s cannot be opened",
                           path, what)
            : check_kind(path, what, &about, error);
    if (!status)
        status = inputs_note(descriptor, error);
    if (!status && !(bytes = memory_new((size_t)about.st_size, 1)))
        status = error_memory(error);
    if (!status)
        status = read_bytes(descriptor, path, bytes, (size_t)about.st_size,
                            &got, error);
    if (!status) {
        const size_t mark = utf8_mark(bytes, got);
        got -= mark;
        memmove(bytes, bytes + mark, got);
    }
    if (!status && got == 0)
        status = error_at(error, STATUS_INPUT, path, 0,
                          "the file is empty: a %s is required", what);
    if (status)
        memory_release(bytes);
    else
        *file = (struct map_file){ .path = path, .bytes = bytes, .size = got };
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

void map_file_release(struct map_file *file)
{
    memory_release(file->bytes);
    *file = (struct map_file){ 0 };
}

enum status map_file_checksum(const char *path, uint32_t *checksum,
                              struct error *error)
{
    struct map_file file;
    enum status status = map_file_load(path, "file", &file, error);
    if (status)
        return status;
    *checksum = crc32c(0, file.bytes, file.size);
    map_file_release(&file);
    return STATUS_OK;
}

bool map_file_line(struct map_file *file, struct map_line *line)
{
    if (file->at == file->size) {
        *line = (struct map_line){ "", 0 };
        return false;
    }
    const char *text = file->bytes + file->at;
    size_t rest = file->size - file->at;
    const char *end = memchr(text, '\n', rest);
    size_t length = end ? (size_t)(end - text) : rest;
    file->at += length + (end != NULL);
    file->line++;
    if (length > 0 && text[length - 1] == '\r')
        length--;
    *line = (struct map_line){ text, length };
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The line without leading blanks. */
static struct map_line skip_blanks(struct map_line line)
{
    while (line.length > 0 && is_blank(*line.text))
        line.text++, line.length--;
    return line;
}

bool map_line_is_blank(const struct map_line *line)
{
    return skip_blanks(*line).length == 0;
}

bool map_line_starts(const struct map_line *line, const char *word,
                     struct map_line *rest)
{
    size_t length = strlen(word);
    if (line->length < length || memcmp(line->text, word, length) != 0 ||
        (line->length > length && !is_blank(line->text[length])))
        return false;
    *rest = skip_blanks(
        (struct map_line){ line->text + length, line->length - length });
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

void map_row_hint(const char *cells, size_t length, int row,
                  char hint[MAP_HINT_SIZE])
{
    size_t last = 0, first = 0, plain = 0;
    while (last < length && (is_blank(cells[length - 1 - last]) ||
                             cells[length - 1 - last] == '\r'))
        last++;
    while (first < length && is_blank(cells[first]))
        first++;
    while (plain < length && (unsigned char)cells[plain] < 0x80)
        plain++;
    hint[0] = '\0';
    if (last == length)
        snprintf(hint, MAP_HINT_SIZE, "; row %d is blank", row);
    else if (last)
        snprintf(hint, MAP_HINT_SIZE,
                 "; row %d ends with blanks (spaces, tabs), %zu: remove them",
                 row, last);
    else if (first)
        snprintf(hint, MAP_HINT_SIZE,
                 "; row %d begins with blanks (spaces, tabs), %zu: remove them",
                 row, first);
    else if (plain < length)
        snprintf(hint, MAP_HINT_SIZE,
                 "; row %d has a character of several bytes at cell %zu: use "
                 "ASCII",
                 row, plain);
}

/* One number at the front of *line; then moves *line to the text after it. */
static bool take_number(struct map_line *line, int64_t *number)
{
    bool negative = line->length > 0 && *line->text == '-';
    size_t i = negative, first = i;
    int64_t value = 0;
    for (; i < line->length && is_digit(line->text[i]); i++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, line->text[i] - '0', &value))
            value = INT64_MAX;
    if (i == first || (i < line->length && !is_blank(line->text[i])))
        return false;
    *number = negative ? -value : value;
    *line = (struct map_line){ line->text + i, line->length - i };
    return true;
}

bool map_line_numbers(const struct map_line *line, int count, int64_t *numbers)
{
    struct map_line rest = skip_blanks(*line);
    for (int i = 0; i < count; i++, rest = skip_blanks(rest))
        if (!take_number(&rest, &numbers[i]))
            return false;
    return rest.length == 0;
}

/* The minimum bytes a run takes for a cell: a wave of single precision has two
 * generations of 4 bytes and a byte of wall, a search no less. */
enum { CELL_BYTES = 9 };

enum status map_grid(int dims, const int64_t extents[GRID_AXES],
                     const char *path, int line, struct grid *grid,
                     struct error *error)
{
    for (int axis = 0; axis < dims; axis++)
        if (extents[axis] < 1 || extents[axis] > INT32_MAX)
            return error_at(error, STATUS_INPUT, path, line,
                            "an extent of %jd cells: 1 to 2147483647 are "
                            "allowed",
                            (intmax_t)extents[axis]);
    struct error fault;
    enum status status =
        grid_make(dims, (int)extents[0], (int)extents[1],
                  dims == 3 ? (int)extents[2] : 1, grid, &fault);
    if (status != STATUS_OK)
        return error_at(error, status, path, line, "%s", fault.message);
    const size_t bytes = CELL_BYTES * grid_cells(grid);
    if (!memory_allows(bytes))
        return error_at(error, STATUS_INPUT, path, line,
                        "a map of %zu cells: a run on it takes at least %.3g "
                        "GB, more than --memory allows",
                        grid_cells(grid), 1e-9 * (double)bytes);
    return STATUS_OK;
}
