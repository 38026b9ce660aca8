/* SPDX-License-Identifier: MIT */
/* Memory for programs, drawings and analyses: never NULL. If there is none, or
 * more than --memory allows, the process ends. Code that libhamon calls uses
 * base/memory.h, and returns the error to its caller. */
#ifndef HAMON_BASE_NEED_H
#define HAMON_BASE_NEED_H

#include <stddef.h>

/* As memory_new, memory_grow, memory_more, memory_text and memory_format; also
 * released with memory_release. */
void *need_memory(size_t count, size_t size) __attribute__((returns_nonnull));
void *need_grow(void *old, size_t used, size_t count, size_t size)
    __attribute__((returns_nonnull));
void *need_more(void *items, size_t count, size_t *room, size_t size)
    __attribute__((returns_nonnull));
char *need_text(const char *text) __attribute__((returns_nonnull));
char *need_format(const char *format, ...)
    __attribute__((format(printf, 1, 2), returns_nonnull));

/* From this call on `failed` is called, in any thread, if there is no memory.
 * It must end the process. Before it the process is aborted. */
void need_on_failure(void (*failed)(void));

#endif
