/* SPDX-License-Identifier: MIT */
/* The one door to the heap, and the one checked multiplication of sizes. */
#ifndef HAMON_BASE_MEMORY_H
#define HAMON_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* *product = a * b; false, and *product untouched, where it does not fit. */
bool size_multiply(size_t a, size_t b, size_t *product);

/* Zeroed memory for `count` items of `size` bytes, aligned to 64 bytes (a
 * cache line, the widest vector). NULL where the product does not fit or
 * there is no memory. A count of 0 gives a pointer that may be released.
 * Release with memory_release. */
void *memory_new(size_t count, size_t size);

/* `old` (from memory_new, holding `used` items, or NULL) moved to room for
 * `count` items; the new ones are zero. NULL leaves `old` as it was. */
void *memory_grow(void *old, size_t used, size_t count, size_t size);

/* `items` (from memory_new or NULL) with room for another item behind `count`:
 * as they are, or moved to twice the room, which *room tells. NULL leaves both
 * as they were. */
void *memory_more(void *items, size_t count, size_t *room, size_t size);

/* A copy of `text`, or what printf makes of the format, from memory_new; or
 * NULL. */
char *memory_text(const char *text);
char *memory_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

void memory_release(void *memory);

/* The most bytes that were held at once so far. */
size_t memory_most(void);

/* The bytes that are held now; from here on memory_most counts from them. */
size_t memory_count_anew(void);

/* From here on memory_new gives no more than `bytes` at once. Before this call
 * there is no limit. */
void memory_limit(size_t bytes);

/* The limit, if memory_new has refused something because of it; 0 if not. */
size_t memory_limit_met(void);

/* Would the limit allow `bytes` more? */
bool memory_allows(size_t bytes);

/* From here on large blocks are promised, whatever the limit is and however
 * much memory there is, and take none before they are touched: to see what
 * something would take. */
void memory_promise(void);
bool memory_is_promised(void);

#endif
