/* SPDX-License-Identifier: MIT */
/* Allocations of the libraries: HDF5, libpng, FreeType, the C library. Not all
 * of them survive a lack of memory: HDF5 1.10 crashes, corrupts the heap, loops
 * forever, or reports a good file as damaged. So in a program no library gets
 * NULL: these functions receive every allocation and end the program if there
 * is no memory. */
#ifndef HAMON_BASE_ALLOCATION_H
#define HAMON_BASE_ALLOCATION_H

#include <stddef.h>

/* The sanitizers have their own allocator, and reserve terabytes of address
 * space. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAMON_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
    __has_feature(memory_sanitizer)
#define HAMON_SANITIZED 1
#endif
#endif

/* From this call on `failed` is called, in any thread, when malloc, calloc,
 * realloc, posix_memalign or aligned_alloc finds no memory for `bytes` bytes.
 * It should end the process without another allocation. If it returns, the
 * caller gets NULL, as before this call. Builds with sanitizers ignore it. */
void allocation_on_failure(void (*failed)(size_t bytes));

/* Zeroed bytes for free(), or NULL; `failed` is not called. For base/memory.c,
 * whose callers all handle NULL. */
void *allocation_new(size_t bytes);

#endif
