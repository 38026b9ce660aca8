/* SPDX-License-Identifier: MIT */
#include "base/process.h"

#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int add_actions(const struct process *process,
                       posix_spawn_file_actions_t *actions)
{
    const int said = process->said;
    int fault = process->from
                    ? posix_spawn_file_actions_adddup2(actions, process->from,
                                                       STDIN_FILENO)
                    : posix_spawn_file_actions_addopen(
                          actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    /* Our standard output is for data only. */
    if (!fault)
        fault = posix_spawn_file_actions_adddup2(actions,
                                                 process->to ? process->to
                                                 : said >= 0 ? said
                                                             : STDERR_FILENO,
                                                 STDOUT_FILENO);
    if (!fault && said >= 0)
        fault = posix_spawn_file_actions_adddup2(actions, said, STDERR_FILENO);
    if (!fault && process->folder)
        fault = posix_spawn_file_actions_addchdir_np(actions, process->folder);
    return fault;
}

int process_start(const struct process *process, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int fault = posix_spawn_file_actions_init(&actions);
    if (fault)
        return fault;
    fault = posix_spawnattr_init(&attributes);
    if (!fault) {
        fault = add_actions(process, &actions);
        if (process->blocked) {
            posix_spawnattr_setsigmask(&attributes, process->blocked);
            posix_spawnattr_setsigdefault(&attributes, process->usual);
            posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK |
                                                      POSIX_SPAWN_SETSIGDEF);
        }
        /* posix_spawn takes the words as char *, but does not change them. */
        if (!fault)
            fault = posix_spawnp(
                child, process->path ? process->path : process->words[0],
                &actions, &attributes, (char *const *)(uintptr_t)process->words,
                process->environment ? process->environment : environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return fault;
}

int process_wait(pid_t child, int *ended)
{
    while (waitpid(child, ended, 0) < 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

int process_run(const struct process *process, int *ended)
{
    pid_t child;
    int fault = process_start(process, &child);
    return fault ? fault : process_wait(child, ended);
}

void process_last_line(int said, char *text, size_t size)
{
    off_t end = lseek(said, 0, SEEK_END);
    off_t from = end > (off_t)size - 1 ? end - (off_t)size + 1 : 0;
    ssize_t got = pread(said, text, size - 1, from);
    text[got > 0 ? got : 0] = '\0';
    size_t length = strlen(text);
    while (length && (text[length - 1] == '\n' || text[length - 1] == ' '))
        text[--length] = '\0';
    const char *line = strrchr(text, '\n');
    if (line)
        memmove(text, line + 1, strlen(line));
}

enum status process_find(const char *name, char path[PATH_MAX],
                         struct error *error)
{
    static const char *const folders[] = { "", "../tools/", "../analysis/" };
    char own[PATH_MAX];
    if (!system_program(own))
        return error_system(
            error, STATUS_FAILED,
            "%s: cannot find its own path: start it by its full path",
            program_invocation_name);
    const char *base = strrchr(own, '/') + 1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        int needed = snprintf(path, PATH_MAX, "%.*s%s%s", (int)(base - own),
                              own, folders[i], name);
        if (needed < PATH_MAX && access(path, X_OK) == 0)
            return STATUS_OK;
    }
    return error_set(error, STATUS_FAILED,
                     "%.*s%s: not found; it must be in the folder of %s",
                     (int)(base - own), own, name, base);
}
