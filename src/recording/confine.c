/* SPDX-License-Identifier: MIT */
#include "recording/confine.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    MEMORY_BYTES = 160 << 20,
    CPU_SECONDS = 4,
};

/* Sanitizers reserve address space by the terabyte: their builds go without
 * the limit on it. */
static void limit(int resource, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(resource, &now) == 0 && now.rlim_max < most)
        most = now.rlim_max;
    struct rlimit set = { most, most };
    setrlimit(resource, &set);
}

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static void limit_all(void)
{
    limit(RLIMIT_CPU, CPU_SECONDS);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
#ifndef SANITIZED
    /* On top of what the parent had mapped when it forked. */
    unsigned long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "re");
    if (sizes && fscanf(sizes, "%lu", &pages) != 1)
        pages = 0;
    if (sizes)
        fclose(sizes);
    limit(RLIMIT_AS,
          (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + MEMORY_BYTES);
#endif
}

/* Only the file and the pipe stay open; HDF5 has nothing to say to anyone. */
static void leave_the_parent(int *fd, int *out)
{
    int null = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3 && null >= 0; i++)
        dup2(null, i);
    int low = fcntl(*fd, F_DUPFD, 10), pipe = fcntl(*out, F_DUPFD, 11);
    if (low < 0 || pipe < 0)
        _exit(1);
    for (int i = 3; i < 1024; i++)
        if (i != low && i != pipe)
            close(i);
    *fd = low;
    *out = pipe;
}

void confine(int *fd, int *out)
{
    leave_the_parent(fd, out);
    limit_all();
}
