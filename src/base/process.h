/* SPDX-License-Identifier: MIT */
/* Starts other programs without a shell. */
#ifndef HAMON_BASE_PROCESS_H
#define HAMON_BASE_PROCESS_H

#include "base/status.h"

#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

struct process {
    /* The program (looked up in PATH unless it contains a slash) and its
     * arguments; the last is NULL. */
    const char *const *words;
    char *const *environment; /* NULL: that of this process */
    /* working directory; NULL: that of this process */
    const char *folder;
    int said;     /* a file for its output; −1: our standard error */
    int from, to; /* its standard input and output; 0: an empty one; `said` */
    const char *path; /* of the program; NULL: words[0] */
    /* The signals that it blocks, and those that it does not ignore; NULL,
     * both: as this process. */
    const sigset_t *blocked, *usual;
};

/* Returns 0, or an errno. */
int process_start(const struct process *process, pid_t *child);

/* Waits for the end: returns 0 and stores *ended as waitpid does, or returns an
 * errno. */
int process_wait(pid_t child, int *ended);

/* Runs the program to its end. */
int process_run(const struct process *process, int *ended);

/* The last line that it printed to the file `said`, without trailing blanks. */
void process_last_line(int said, char *text, size_t size);

/* The path of another program of this project: in the directory of this one or,
 * in a build directory, in that of the tools or of the analyses beside it.
 * STATUS_FAILED if it is in none of them. */
enum status process_find(const char *name, char path[PATH_MAX],
                         struct error *error);

#endif
