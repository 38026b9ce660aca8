/* SPDX-License-Identifier: MIT */
/* A library to be preloaded: the n-th allocation of a program, n = FAILING_AT,
 * fails; with FAILING_AFTER = 1 all later ones fail too. All allocations count,
 * also those of libraries and of forked children, but not those of other
 * programs that it starts. With FAILING_OWN only those count that the program's
 * own code makes by calloc. A program with sanitizers has their allocator: for
 * it, build the library with -DOWN. With FAILING_LIST = FILE none fails; the
 * file gets the numbers of the allocations with a new call path, and last "of"
 * and the number of all. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WAYS_MAX = 1 << 16, DEPTH = 24 };

/* Shared with the children. */
static struct {
    atomic_long made;
    atomic_uint_least64_t ways[WAYS_MAX];
    atomic_int found;
    long first[WAYS_MAX]; /* first allocation of each call path, in the order
                           * found */
} * shared;

static long failing_at = -1;
static bool failing_after;
static const char *list;
static bool own;
static uintptr_t program_from, program_to;
static __thread bool inside; /* allocations by backtrace do not count */

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static int (*next_posix_memalign)(void **, size_t, size_t);
static void *(*next_aligned_alloc)(size_t, size_t);

static void find_next(void)
{
    *(void **)&next_malloc = dlsym(RTLD_NEXT, "malloc");
    *(void **)&next_calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&next_realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&next_posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    *(void **)&next_aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
}

/* The first object is the program itself. */
static int note_program(struct dl_phdr_info *info, size_t size, void *context)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        program_from = info->dlpi_addr + part->p_vaddr;
        program_to = program_from + part->p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void start(void)
{
    const char *at = getenv("FAILING_AT"), *after = getenv("FAILING_AFTER");
    void *warm[1];
    backtrace(warm, 1); /* it loads a library the first time */
    if (at)
        failing_at = atol(at);
    failing_after = after && *after;
    list = getenv("FAILING_LIST");
    own = getenv("FAILING_OWN") != NULL;
    dl_iterate_phdr(note_program, NULL);
    unsetenv("LD_PRELOAD"); /* for other programs that it starts */
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        _exit(99);
}

__attribute__((destructor)) static void end(void)
{
    int file = list ? open(list, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    inside = true;
    for (int i = 0; file >= 0 && i < shared->found; i++)
        dprintf(file, "%ld\n", shared->first[i]);
    if (file >= 0)
        dprintf(file, "of %ld\n", shared->made);
}

/* Was there an allocation with this call path before? */
static bool is_new(void)
{
    void *stack[DEPTH];
    uint64_t way = 1469598103934665603U;
    int depth = backtrace(stack, DEPTH);
    for (int i = 0; i < depth; i++)
        way = (way ^ (uintptr_t)stack[i]) * 1099511628211U;
    for (uint64_t at = way % WAYS_MAX;; at = (at + 1) % WAYS_MAX) {
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(&shared->ways[at], &there, way))
            return true;
        if (there == way)
            return false;
    }
}

static bool fails(bool by_program)
{
    if (!shared || inside || (own && !by_program))
        return false;
    long now = atomic_fetch_add(&shared->made, 1);
    if (list) {
        inside = true;
        if (is_new())
            shared->first[atomic_fetch_add(&shared->found, 1)] = now;
        inside = false;
    }
    if (failing_at < 0 || now < failing_at ||
        (now > failing_at && !failing_after))
        return false;
    errno = ENOMEM;
    return true;
}

void *calloc(size_t number, size_t size)
{
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    if (!next_calloc)
        find_next();
    return fails(caller >= program_from && caller < program_to)
               ? NULL
               : next_calloc(number, size);
}

#ifndef OWN
void *malloc(size_t bytes)
{
    if (!next_malloc)
        find_next();
    return fails(false) ? NULL : next_malloc(bytes);
}

void *realloc(void *old, size_t bytes)
{
    if (!next_realloc)
        find_next();
    return bytes > 0 && fails(false) ? NULL : next_realloc(old, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    if (!next_posix_memalign)
        find_next();
    return fails(false) ? ENOMEM
                        : next_posix_memalign(memory, alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    if (!next_aligned_alloc)
        find_next();
    return fails(false) ? NULL : next_aligned_alloc(alignment, bytes);
}
#endif
