/* SPDX-License-Identifier: MIT */
#include "cli/recorded.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/process.h"
#include "cli/interrupt.h"
#include "cli/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool recorded_is_scenario(const char *path)
{
    static const char hdf5[] = "\x89HDF\r\n\x1a\n";
    char start[sizeof hdf5 - 1] = "";
    size_t length = strlen(path);
    if (length < 4 || strcmp(path + length - 4, ".cfg") != 0)
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return true; /* hamon-record says why */
    ssize_t got = pread(fd, start, sizeof start, 0);
    close(fd);
    return got < (ssize_t)sizeof start ||
           memcmp(start, hdf5, sizeof start) != 0;
}

static int fail(const struct error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return (int)error->status;
}

/* Runs the program to its end, and passes it the signals that end this one.
 * *number is the last of them, or 0. Returns an errno. */
static int run_recorder(const char *const *words, int *ended, int *number)
{
    sigset_t usual, waited, before;
    pid_t child, done;
    interrupt_signals(&usual);
    waited = usual;
    sigaddset(&waited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &waited, &before);
    *ended = 0;
    *number = 0;
    const struct process record = {
        .words = words, .said = -1, .blocked = &before, .usual = &usual
    };
    int code = process_start(&record, &child);
    if (!code) {
        while ((done = waitpid(child, ended, WNOHANG)) == 0) {
            int came = sigwaitinfo(&waited, NULL);
            if (came <= 0 || came == SIGCHLD)
                continue;
            *number = came;
            kill(child, came);
        }
        code = done < 0 ? errno : 0;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return code;
}

int recorded_make(const char *scenario, bool quiet, const char **path)
{
    char program[PATH_MAX];
    struct error error;
    const char *slash = strrchr(scenario, '/');
    const char *base = slash ? slash + 1 : scenario;
    char *bare = need_format("%.*s", (int)strlen(base) - 4, base);
    enum status status = process_find("hamon-record", program, &error);
    if (!status)
        status = temporary_name(bare[0] ? bare : "run", path, &error);
    memory_release(bare);
    if (status)
        return fail(&error);
    interrupt_guard();
    if (!quiet)
        fprintf(stderr,
                "%s: this scenario is recorded into %s, which is removed at "
                "the end; hamon-record keeps it\n",
                scenario, *path);
    int ended, number;
    const char *words[7] = { program, "--output", *path };
    size_t count = 3;
    if (quiet)
        words[count++] = "--quiet";
    words[count++] = "--";
    words[count] = scenario;
    errno = run_recorder(words, &ended, &number);
    if (errno)
        return fail(
            (error_system(&error, STATUS_FAILED, "%s", program), &error));
    if (number)
        interrupt_die(number);
    if (WIFSIGNALED(ended))
        return fail((error_set(&error, STATUS_FAILED,
                               "%s: hamon-record was ended by signal %d",
                               scenario, WTERMSIG(ended)),
                     &error));
    /* What was recorded of a wave that diverged can be shown. */
    int code = WEXITSTATUS(ended);
    return code == STATUS_DIVERGED ? 0 : code;
}
