/* SPDX-License-Identifier: MIT */
/* A map file in memory, and its text line by line: shared by the readers of the
 * formats. */
#ifndef HAMON_WORLD_MAPS_FILE_H
#define HAMON_WORLD_MAPS_FILE_H

#include "base/status.h"
#include "world/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Larger files are rejected: as text, a map of 2^30 cells. */
#define MAP_FILE_BYTES_MAX ((size_t)1 << 30)

struct map_file {
    const char *path; /* borrowed, for error messages */
    char *bytes;      /* without a NUL at the end */
    size_t size;
    size_t at; /* the next byte to be read */
    int line;  /* the last line read, from 1 */
};

/* Without its line feed and without a carriage return before that. */
struct map_line {
    const char *text;
    size_t length;
};

/* Reads a regular file whole; messages call it a `what`, "map". STATUS_INPUT if
 * it cannot be opened, is a directory or device, is empty or too large. Release
 * with map_file_release. */
enum status map_file_load(const char *path, const char *what,
                          struct map_file *file, struct error *error);

void map_file_release(struct map_file *file);

/* The CRC-32C of its bytes (a byte-order mark is ignored). */
enum status map_file_checksum(const char *path, uint32_t *checksum,
                              struct error *error);

/* The next line, which need not end in a line feed; false, and an empty line,
 * after the last. */
bool map_file_line(struct map_file *file, struct map_line *line);

/* Is the line blank? */
bool map_line_is_blank(const struct map_line *line);

/* Is the line `word` (trailing blanks are ignored), or does it start with it
 * and a blank? Then *rest is the text after it. */
bool map_line_starts(const struct map_line *line, const char *word,
                     struct map_line *rest);

/* Does the line have exactly `count` whole decimal numbers between blanks?
 * Numbers that do not fit 64 bits become INT64_MAX or −INT64_MAX. */
bool map_line_numbers(const struct map_line *line, int count, int64_t *numbers);

enum { MAP_HINT_SIZE = 96 };

/* Why a row may have another number of cells than it seems to have: blanks at
 * an end, or characters of several bytes; else "". */
void map_row_hint(const char *cells, size_t length, int row,
                  char hint[MAP_HINT_SIZE]);

/* error_at the line last read. */
#define map_file_error(file, error, ...)                                       \
    error_at(error, STATUS_INPUT, (file)->path, (file)->line, __VA_ARGS__)

/* grid_make for extents as stated in a file; errors are reported at `line`, or
 * without a line if that is 0. */
enum status map_grid(int dims, const int64_t extents[GRID_AXES],
                     const char *path, int line, struct grid *grid,
                     struct error *error);

/* The part of a line that a message shows: "%.*s", MAP_LINE_SHOWN(line). */
#define MAP_LINE_SHOWN(l) (int)((l).length < 40 ? (l).length : 40), (l).text

#endif
