/* SPDX-License-Identifier: MIT */
/* Other programs, started without a shell. */
#ifndef HAMON_BASE_PROCESS_H
#define HAMON_BASE_PROCESS_H

#include "base/status.h"

#include <limits.h>
#include <stddef.h>

struct process {
    /* The program, looked up in PATH unless it has a slash, and its arguments;
     * NULL behind the last. */
    const char *const *words;
    char *const *environment; /* NULL: that of this process */
    const char *folder;       /* to run in; NULL: that of this process */
    int said; /* a file for what it prints; −1: to our standard error */
};

/* Runs it to its end, with nothing to read. 0, and *ended as of waitpid, or an
 * errno. */
int process_run(const struct process *process, int *ended);

/* The last line that it printed to the file `said`, without blanks behind. */
void process_last_line(int said, char *text, size_t size);

/* The path of another of our programs: in the folder of this one, or as in a
 * build in that of the tools or the analyses beside it. STATUS_FAILED if it is
 * in none of them. */
enum status process_find(const char *name, char path[PATH_MAX],
                         struct error *error);

#endif
