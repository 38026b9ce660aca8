/* SPDX-License-Identifier: MIT */
/* Runs as processes of hamon-record, several at once. */
#include "tools/sweep/sweep.h"

#include "base/disk.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/process.h"
#include "base/system.h"
#include "cli/interrupt.h"
#include "cli/progress.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Removes what an interrupted run left in its folder: recordings that never got
 * their names, and the one that did unless it is resumed. */
static enum status clear_folder(const struct sweep_run *run,
                                struct error *error)
{
    DIR *directory = opendir(run->folder);
    if (!directory)
        return error_system(error, STATUS_DISK, "%s", run->folder);
    for (const struct dirent *entry; (entry = readdir(directory));)
        if (strncmp(entry->d_name, ".hamon-", 7) == 0 ||
            (strncmp(entry->d_name, "run.h5", 6) == 0 &&
             !(run->begun && !entry->d_name[6])))
            unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    return STATUS_OK;
}

/* Takes the lock of a run, which its hamon-record inherits: *lock, or −1 if
 * another sweep that shares the folder does the run. */
static enum status lock_run(const struct sweep_run *run, int *lock,
                            struct error *error)
{
    if (mkdir(run->folder, 0777) != 0 && errno != EEXIST)
        return disk_refused(run->folder, error);
    char *path = sweep_path(run->folder, "lock");
    *lock = open(path, O_RDWR | O_CREAT, 0666);
    enum status status = STATUS_OK;
    if (*lock < 0)
        status = disk_refused(path, error);
    else if (flock(*lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK)
            status =
                error_system(error, STATUS_DISK, "%s: cannot be locked", path);
        close(*lock);
        *lock = -1;
    }
    memory_release(path);
    return status;
}

/* The words of hamon-record's command line, NULL at the end. */
static const char **words_of(const struct sweep *sweep,
                             const struct sweep_run *run,
                             const char *const *settings, size_t count)
{
    const char **words = need_memory(2 * count + 10, sizeof *words),
               **at = words;
    *at++ = "hamon-record";
    *at++ = "--quiet";
    if (sweep->jobs > 1) { /* the other runs use the processors */
        *at++ = "--threads";
        *at++ = "1";
    }
    if (run->begun) {
        *at++ = "--resume";
    } else {
        *at++ = "--force";
        *at++ = "--output";
    }
    *at++ = run->recording;
    for (size_t i = 0; i < count; i++) {
        *at++ = "--set";
        *at++ = settings[i];
    }
    *at++ = "--";
    *at++ = sweep->scenario;
    return words;
}

/* Opens the file for a run's output: its log, with space reserved for the
 * message about a full disk; memory if there is no log. */
static int open_words(const struct sweep_run *run)
{
    enum { LOG_BYTES = 4096 };
    int log = open(run->log, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (log >= 0 &&
        (system_reserve_ahead(log, LOG_BYTES) || errno == EOPNOTSUPP))
        return log;
    if (log >= 0)
        close(log);
    return system_nameless_file();
}

static enum status start_words(struct sweep_run *run, const char *program,
                               const char **words, struct error *error)
{
    run->said = open_words(run);
    if (run->said < 0)
        return error_system(error, STATUS_FAILED,
                            "%s: no memory for its arguments", program);
    sigset_t none, usual;
    sigemptyset(&none);
    interrupt_signals(&usual);
    const struct process record = { .words = words,
                                    .path = program,
                                    .said = run->said,
                                    .blocked = &none,
                                    .usual = &usual };
    errno = process_start(&record, &run->pid);
    if (!errno) {
        run->state = SWEEP_RUNNING;
        return STATUS_OK;
    }
    enum status status =
        error_system(error, STATUS_FAILED, "%s: cannot be started", program);
    close(run->said);
    return status;
}

static enum status start_locked(struct sweep *sweep, const char *program,
                                size_t i, struct error *error)
{
    struct sweep_run *run = &sweep->runs[i];
    size_t count;
    char **settings = sweep_settings(sweep, i, &count);
    const char **words =
        words_of(sweep, run, (const char *const *)settings, count);
    enum status status = clear_folder(run, error);
    if (!status)
        status = start_words(run, program, words, error);
    memory_release(words);
    sweep_settings_release(settings, count);
    return status;
}

/* After the run is locked: another sweep in the folder may have done it since
 * it was examined, or another experiment's run may be there. */
static enum status look_again(struct sweep *sweep, struct sweep_run *run,
                              struct error *error)
{
    enum sweep_found found;
    char change[PARAMETERS_CHANGE_SIZE], why[PARAMETERS_CHANGE_SIZE + 64];
    enum status status = sweep_find(run, &found, change, error);
    run->kept = found == FOUND_ALL;
    run->begun = found == FOUND_PART && !run->anew;
    if (run->kept) {
        run->state = SWEEP_DONE;
    } else if (found == FOUND_OTHER && !sweep->force) {
        snprintf(why, sizeof why, "it now has a run of another experiment: %s",
                 change);
        sweep_fail(sweep, run, why);
    }
    return status;
}

static enum status start(struct sweep *sweep, const char *program, size_t i,
                         struct error *error)
{
    int lock = -1;
    struct sweep_run *run = &sweep->runs[i];
    enum status status = lock_run(run, &lock, error);
    if (status)
        return status;
    if (lock < 0) {
        cli_say(sweep->cli, "%s: another sweep runs it", run->folder);
        run->state = SWEEP_LEFT_OUT;
        return STATUS_OK;
    }
    status = look_again(sweep, run, error);
    if (!status && run->state == SWEEP_TO_DO)
        status = start_locked(sweep, program, i, error);
    close(lock);
    return status;
}

/* Has the run made its complete recording? */
static bool is_whole(struct sweep_run *run)
{
    enum sweep_found found;
    char change[PARAMETERS_CHANGE_SIZE];
    return !sweep_find(run, &found, change, NULL) && found == FOUND_ALL;
}

void sweep_log_line(const struct sweep_run *run, char *last, size_t size)
{
    const int log = open(run->log, O_RDONLY | O_CLOEXEC);
    last[0] = '\0';
    if (log < 0)
        return;
    process_last_line(log, last, size);
    close(log);
}

static void end(struct sweep *sweep, struct sweep_run *run, int how)
{
    char words[512], why[640];
    process_last_line(run->said, words, sizeof words);
    close(run->said);
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0 && is_whole(run)) {
        run->state = SWEEP_DONE;
        run->resumed = run->begun;
        return;
    }
    if (sweep->ending) {
        run->state = SWEEP_TO_DO;
        return;
    }
    if (run->begun && WIFEXITED(how) && WEXITSTATUS(how) == STATUS_INPUT) {
        run->anew = true; /* the existing recording cannot be resumed */
        run->state = SWEEP_TO_DO;
        return;
    }
    if (WIFEXITED(how) && WEXITSTATUS(how) == STATUS_DISK) {
        snprintf(sweep->refused, sizeof sweep->refused, "%s",
                 words[0] ? words : run->recording);
        run->state = SWEEP_TO_DO;
        return;
    }
    if (WIFSIGNALED(how))
        snprintf(why, sizeof why, "killed by signal %d%s%s", WTERMSIG(how),
                 words[0] ? ": " : "", words);
    else if (WEXITSTATUS(how) == 0)
        snprintf(why, sizeof why,
                 "its recording is of another scenario: the scenario or its "
                 "map has changed meanwhile");
    else
        snprintf(why, sizeof why, "exit %d: %s", WEXITSTATUS(how),
                 words[0] ? words : "without a message");
    run->code = WIFEXITED(how) ? WEXITSTATUS(how) : 0;
    sweep_fail(sweep, run, why);
}

/* Handles the runs that have ended; returns how many still run. With `block`
 * waits for all of them. */
static int reap(struct sweep *sweep, bool block)
{
    int running = 0;
    for (size_t i = 0; i < sweep->grid.runs; i++) {
        struct sweep_run *run = &sweep->runs[i];
        if (run->state != SWEEP_RUNNING)
            continue;
        int how;
        pid_t got;
        do
            got = waitpid(run->pid, &how, block ? 0 : WNOHANG);
        while (got < 0 && errno == EINTR);
        if (got == run->pid)
            end(sweep, run, how);
        else
            running++;
    }
    return running;
}

static void stop_all(struct sweep *sweep)
{
    sweep->ending = true;
    for (size_t i = 0; i < sweep->grid.runs; i++)
        if (sweep->runs[i].state == SWEEP_RUNNING)
            kill(sweep->runs[i].pid, SIGTERM);
    reap(sweep, true);
}

static int64_t finished(const struct sweep *sweep)
{
    int64_t count = 0;
    for (size_t i = 0; i < sweep->grid.runs; i++)
        count += sweep->runs[i].state == SWEEP_DONE ||
                 sweep->runs[i].state == SWEEP_FAILED;
    return count;
}

enum status sweep_all(struct sweep *sweep, struct error *error)
{
    char program[PATH_MAX];
    enum status status = process_find("hamon-record", program, error);
    if (status)
        return status;
    /* Each run is a process of its own, also in a job step of several tasks, in
     * which hamon-record would refuse to run. */
    unsetenv("SLURM_STEP_NUM_TASKS");
    struct progress progress;
    progress_start(&progress, sweep->cli->quiet, "runs",
                   (int64_t)sweep->grid.runs);
    while (!status && !sweep_stopped(sweep, 0)) {
        int running = reap(sweep, false);
        if (sweep->refused[0]) {
            status = error_set(error, STATUS_DISK, "%s", sweep->refused);
            break;
        }
        size_t next = 0;
        while (next < sweep->grid.runs &&
               sweep->runs[next].state != SWEEP_TO_DO)
            next++;
        progress_update(&progress, finished(sweep), 0);
        if (next < sweep->grid.runs && running < sweep->jobs)
            status = start(sweep, program, next, error);
        else if (running)
            sweep_stopped(sweep, 0.2);
        else
            break;
    }
    stop_all(sweep);
    progress_end(&progress);
    return status;
}
