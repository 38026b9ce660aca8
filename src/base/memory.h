/* SPDX-License-Identifier: MIT */
/* All allocations of this project, and the checked multiplication of sizes. */
#ifndef HAMON_BASE_MEMORY_H
#define HAMON_BASE_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* *product = a * b. If it overflows: false, and *product is not changed. */
bool size_multiply(size_t a, size_t b, size_t *product);

/* Zeroed memory for `count` items of `size` bytes, aligned to 64 bytes (a cache
 * line, the widest vector). NULL if the product overflows or there is no
 * memory. A count of 0 gives a pointer that may be released. Release with
 * memory_release. */
void *memory_new(size_t count, size_t size);

/* Moves `old` (from memory_new, with `used` items, or NULL) to room for `count`
 * items; the new ones are zero. On NULL `old` is not changed. */
void *memory_grow(void *old, size_t used, size_t count, size_t size);

/* Makes room for another item behind the `count` items of `items` (from
 * memory_new, or NULL): returns them as they are, or moved to twice the room,
 * which is stored in *room. On NULL both are not changed. */
void *memory_more(void *items, size_t count, size_t *room, size_t size);

/* A copy of `text`, or the formatted text, from memory_new; NULL if there is no
 * memory. */
char *memory_text(const char *text);
char *memory_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
char *memory_format_list(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));

void memory_release(void *memory);

/* The maximum number of bytes allocated at the same time so far. */
size_t memory_most(void);

/* The bytes that are allocated now. memory_most starts again from them. */
size_t memory_count_anew(void);

/* From this call on memory_new allocates no more than `bytes` at the same time.
 * Before it there is no limit. */
void memory_limit(size_t bytes);

/* The limit, if memory_new has failed because of it; else 0. */
size_t memory_limit_met(void);

/* Would the limit allow `bytes` more? */
bool memory_allows(size_t bytes);

/* From this call on large blocks are reserved only, whatever the limit and the
 * free memory are, and take no memory before they are touched: to calculate how
 * much memory a run would need. */
void memory_promise(void);
bool memory_is_promised(void);

#endif
