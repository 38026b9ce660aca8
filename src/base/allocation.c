/* SPDX-License-Identifier: MIT */
/* These functions replace those of the C library and pass every call on to
 * them. The linker and the loader look for a symbol in the program first. */
#include "base/allocation.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

#ifdef HAMON_SANITIZED

void allocation_on_failure(void (*failed)(size_t bytes))
{
}

void *allocation_new(size_t bytes)
{
    return calloc(1, bytes);
}

#else

static void (*on_failure)(size_t bytes);

/* The functions that the program would use without these. */
static struct {
    void *(*malloc)(size_t bytes);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *old, size_t bytes);
    int (*posix_memalign)(void **memory, size_t alignment, size_t bytes);
    void *(*aligned_alloc)(size_t alignment, size_t bytes);
} next;

/* Libraries allocate memory before main, but start no threads there. */
static void find_next(void)
{
    if (next.malloc)
        return;
    *(void **)&next.calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&next.realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&next.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    *(void **)&next.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    *(void **)&next.malloc = dlsym(RTLD_NEXT, "malloc");
}

void allocation_on_failure(void (*failed)(size_t bytes))
{
    on_failure = failed;
}

void *allocation_new(size_t bytes)
{
    find_next();
    return next.calloc(1, bytes);
}

/* Returns `memory`, which has `bytes` bytes. NULL is a failure unless `bytes`
 * is 0. */
static void *checked(void *memory, size_t bytes)
{
    if (!memory && bytes > 0 && on_failure) {
        on_failure(bytes);
        errno = ENOMEM;
    }
    return memory;
}

void *malloc(size_t bytes)
{
    find_next();
    return checked(next.malloc(bytes), bytes);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    find_next();
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = (size_t)-1;
    return checked(next.calloc(count, size), bytes);
}

void *realloc(void *old, size_t bytes)
{
    find_next();
    return checked(next.realloc(old, bytes), bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    find_next();
    int code = next.posix_memalign(memory, alignment, bytes);
    if (code == ENOMEM)
        checked(NULL, bytes);
    return code;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    find_next();
    return checked(next.aligned_alloc(alignment, bytes), bytes);
}

#endif
