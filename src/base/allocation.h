/* SPDX-License-Identifier: MIT */
/* Allocations of the libraries: HDF5, libconfig, libpng, FreeType, the C
 * library. Not all of them survive a lack of memory: HDF5 1.10 and libconfig
 * 1.5 crash, corrupt the heap, loop, or report a good file as damaged. So no
 * library is given NULL in a program: every allocation passes here. */
#ifndef HAMON_BASE_ALLOCATION_H
#define HAMON_BASE_ALLOCATION_H

#include <stddef.h>

/* The sanitizers have an allocator of their own, and reserve address space by
 * the terabyte. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAMON_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
    __has_feature(memory_sanitizer)
#define HAMON_SANITIZED 1
#endif
#endif

/* From here on `failed` is called, in whatever thread it is, when malloc,
 * calloc, realloc, posix_memalign or aligned_alloc finds no memory for `bytes`
 * bytes: to end the process without another allocation. If it returns, the
 * caller gets NULL, as before this call. Builds with sanitizers ignore it. */
void allocation_on_failure(void (*failed)(size_t bytes));

/* Zeroed bytes for free(), or NULL: `failed` is not called. For
 * base/memory.c, whose callers all handle NULL. */
void *allocation_new(size_t bytes);

#endif
