/* SPDX-License-Identifier: MIT */
#include "target.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void demand(int kept, const char *what, const struct error *error)
{
    if (kept)
        return;
    fprintf(stderr, "a reader broke its word: %s: `%.1024s`\n", what,
            error->message);
    abort();
}

void hold_to_word(enum status status, const struct error *error,
                  const char *path)
{
    if (status == STATUS_OK)
        return;
    demand(status == STATUS_INPUT, "a status that is not bad input", error);
    demand(error->status == status, "two statuses", error);
    demand(memchr(error->message, '\0', sizeof error->message) != NULL,
           "a message without an end", error);
    demand(strncmp(error->message, path, strlen(path)) == 0,
           "a message without its file", error);
    for (const char *at = error->message; *at; at++)
        demand((unsigned char)*at >= ' ' && *at != 0x7f,
               "a control character in a message", error);
}

static char scratch_path[256];
static pid_t scratch_owner;

/* Children of libFuzzer and of a target end without this cleanup. */
static void scratch_remove(void)
{
    if (getpid() == scratch_owner)
        unlink(scratch_path);
}

const char *scratch_file(const char *ending, const uint8_t *data, size_t size)
{
    static int file = -1;
    if (file < 0 || scratch_owner != getpid()) {
        const char *folder = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
        scratch_owner = getpid();
        snprintf(scratch_path, sizeof scratch_path, "%s/hamon-fuzz-%ld%s",
                 folder, (long)scratch_owner, ending);
        file = open(scratch_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file < 0) {
            perror(scratch_path);
            exit(1);
        }
        atexit(scratch_remove);
    }
    if (ftruncate(file, 0) < 0 ||
        pwrite(file, data, size, 0) != (ssize_t)size) {
        perror(scratch_path);
        exit(1);
    }
    return scratch_path;
}
