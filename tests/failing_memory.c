/* SPDX-License-Identifier: MIT */
/* A library to be preloaded: the n-th allocation of the program's own, of
 * FAILING_AT = n, finds no memory. Libraries' allocations are left alone, and
 * so are children's. With FAILING_LIST = FILE none fails, and the numbers of
 * those that came by a way through the program not seen before are listed. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WAYS_MOST = 1 << 16, DEPTH = 24 };

static uintptr_t program_from, program_to;
static pid_t program;
static long made, failing_at = -1;
static int list = -1;
static uint64_t ways[WAYS_MOST];
static void *(*next_calloc)(size_t, size_t);

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
    const char *at = getenv("FAILING_AT"), *file = getenv("FAILING_LIST");
    void *warm[1];
    backtrace(warm, 1); /* it loads a library the first time */
    dl_iterate_phdr(note_program, NULL);
    if (at)
        failing_at = atol(at);
    if (file)
        list = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    program = getpid();
    /* Other programs that it starts have all memory. */
    unsetenv("FAILING_AT");
    unsetenv("FAILING_LIST");
}

/* Have we come by this way before? */
static int is_new(void)
{
    void *stack[DEPTH];
    uint64_t way = 1469598103934665603U;
    int depth = backtrace(stack, DEPTH);
    for (int i = 0; i < depth; i++)
        way = (way ^ (uintptr_t)stack[i]) * 1099511628211U;
    for (uint64_t at = way % WAYS_MOST;; at = (at + 1) % WAYS_MOST) {
        if (ways[at] == way)
            return 0;
        if (ways[at] == 0) {
            ways[at] = way;
            return 1;
        }
    }
}

void *calloc(size_t count, size_t size)
{
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    if (!next_calloc)
        *(void **)&next_calloc = dlsym(RTLD_NEXT, "calloc");
    if (caller >= program_from && caller < program_to && getpid() == program) {
        long now = made++;
        if (list >= 0 && is_new())
            dprintf(list, "%ld\n", now);
        if (now == failing_at) {
            errno = ENOMEM;
            return NULL;
        }
    }
    return next_calloc(count, size);
}
