/* SPDX-License-Identifier: MIT */
#include "base/need.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdlib.h>

static void (*on_failure)(void) = abort;

void need_on_failure(void (*failed)(void))
{
    on_failure = failed;
}

static void *needed(void *memory)
{
    if (!memory) {
        on_failure();
        abort();
    }
    return memory;
}

void *need_memory(size_t count, size_t size)
{
    return needed(memory_new(count, size));
}

void *need_grow(void *old, size_t used, size_t count, size_t size)
{
    return needed(memory_grow(old, used, count, size));
}

void *need_more(void *items, size_t count, size_t *room, size_t size)
{
    return needed(memory_more(items, count, room, size));
}

char *need_text(const char *text)
{
    return needed(memory_text(text));
}

char *need_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format_list(format, arguments);
    va_end(arguments);
    return needed(text);
}
