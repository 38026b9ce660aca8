/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

bool size_multiply(size_t a, size_t b, size_t *product)
{
    size_t result;
    if (__builtin_mul_overflow(a, b, &result))
        return false;
    *product = result;
    return true;
}

void *memory_new(size_t count, size_t size)
{
    size_t bytes;
    if (!size_multiply(count, size, &bytes) || bytes > SIZE_MAX - ALIGNMENT)
        return NULL;
    /* Large blocks come zeroed from the kernel, page by page as they are
     * first touched; calloc keeps that, memset after aligned_alloc would not.
     * So the block is calloc's, shifted to the next line, with calloc's own
     * pointer kept just before it. */
    char *raw = calloc(1, bytes + ALIGNMENT);
    if (!raw)
        return NULL;
    char *memory = raw + ALIGNMENT - (uintptr_t)raw % ALIGNMENT;
    memcpy(memory - sizeof raw, &raw, sizeof raw);
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

char *memory_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = memory_new(bytes, 1);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

void memory_release(void *memory)
{
    if (!memory)
        return;
    char *raw;
    memcpy(&raw, (char *)memory - sizeof raw, sizeof raw);
    free(raw);
}
