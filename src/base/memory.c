/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include "base/allocation.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, PROMISED = 1 << 20 };

bool size_multiply(size_t a, size_t b, size_t *product)
{
    size_t result;
    if (__builtin_mul_overflow(a, b, &result))
        return false;
    *product = result;
    return true;
}

/* Stored just before a block: the start of its allocation, and the bytes from
 * there to its end. */
struct origin {
    void *raw;
    size_t bytes;
    bool mapped;
};

static atomic_size_t held, most, promised;
static size_t limit = SIZE_MAX;
static atomic_bool refused;
static bool promising;

static void count(size_t bytes)
{
    size_t now = atomic_fetch_add(&held, bytes) + bytes;
    size_t before = atomic_load(&most);
    while (now > before && !atomic_compare_exchange_weak(&most, &before, now))
        ;
}

static void *take(struct origin *origin)
{
    if (!origin->mapped)
        return allocation_new(origin->bytes);
    void *raw = mmap(NULL, origin->bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return raw == MAP_FAILED ? NULL : raw;
}

void *memory_new(size_t count_of, size_t size)
{
    enum { FRONT = sizeof(struct origin) + ALIGNMENT };
    size_t bytes;
    if (!size_multiply(count_of, size, &bytes) || bytes > SIZE_MAX - FRONT)
        return NULL;
    /* The kernel gives large blocks as zeros, page by page when they are first
     * touched. calloc keeps that; memset after aligned_alloc would not. So the
     * block is calloc's, moved up to the next cache line after `struct
     * origin`. */
    struct origin origin = { .bytes = bytes + FRONT,
                             .mapped = promising && bytes >= PROMISED };
    if (!origin.mapped && !memory_allows(origin.bytes)) {
        atomic_store(&refused, true);
        return NULL;
    }
    char *raw = origin.raw = take(&origin);
    if (!raw)
        return NULL;
    count(origin.bytes);
    if (origin.mapped)
        atomic_fetch_add(&promised, origin.bytes);
    char *memory = raw + FRONT - ((uintptr_t)raw + FRONT) % ALIGNMENT;
    memcpy(memory - sizeof origin, &origin, sizeof origin);
    return memory;
}

void *memory_grow(void *old, size_t used, size_t count, size_t size)
{
    char *grown = memory_new(count, size);
    if (!grown)
        return NULL;
    if (old)
        memcpy(grown, old, (used < count ? used : count) * size);
    memory_release(old);
    return grown;
}

void *memory_more(void *items, size_t count, size_t *room, size_t size)
{
    size_t larger = 2 * *room + 64;
    if (count < *room)
        return items;
    void *grown = memory_grow(items, count, larger, size);
    if (grown)
        *room = larger;
    return grown;
}

char *memory_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = memory_new(bytes, 1);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

char *memory_format_list(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : memory_new((size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *memory_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format_list(format, arguments);
    va_end(arguments);
    return text;
}

void memory_release(void *memory)
{
    if (!memory)
        return;
    struct origin origin;
    memcpy(&origin, (char *)memory - sizeof origin, sizeof origin);
    atomic_fetch_sub(&held, origin.bytes);
    if (origin.mapped) {
        atomic_fetch_sub(&promised, origin.bytes);
        munmap(origin.raw, origin.bytes);
    } else {
        free(origin.raw);
    }
}

size_t memory_most(void)
{
    return atomic_load(&most);
}

size_t memory_count_anew(void)
{
    size_t now = atomic_load(&held);
    atomic_store(&most, now);
    return now;
}

void memory_limit(size_t bytes)
{
    limit = bytes;
}

size_t memory_limit_met(void)
{
    return atomic_load(&refused) ? limit : 0;
}

bool memory_allows(size_t bytes)
{
    size_t taken = atomic_load(&held) - atomic_load(&promised);
    return taken <= limit && bytes <= limit - taken;
}

void memory_promise(void)
{
    promising = true;
}

bool memory_is_promised(void)
{
    return promising;
}
