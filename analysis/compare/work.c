/* SPDX-License-Identifier: MIT */
/* Workers are forked processes: a worker's memory is separate and can be
 * measured, an interrupt ends it at once, and loaded data are shared. They take
 * the next task from a counter in shared memory and write their results to one
 * pipe, in records that a pipe does not split. Only the parent writes the
 * journal. */
#include "analysis/compare/work.h"

#include "base/crc32c.h"
#include "base/disk.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/real.h"
#include "base/version.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "metrics/measured.h"
#include "metrics/summary.h"
#include "world/maps/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS_MOST = 1024 };

struct record {
    size_t task;
    enum status status;
    union {
        double figures[WORK_FIGURES_MOST];
        char message[ERROR_MESSAGE_SIZE];
    } gave;
};
_Static_assert(sizeof(struct record) <= PIPE_BUF, "a pipe keeps records whole");

/* State while the work is done. */
struct shift {
    const struct work *work;
    bool *done; /* (tasks) */
    size_t tasks, left;
    int journal;         /* -1: there is none */
    atomic_size_t *next; /* in memory common to all workers */
    pid_t worker[WORKERS_MOST];
    int workers, pipe[2];
};

/* Tasks are numbered in the order of their figures: problem by problem. */
static size_t task_at(const struct work *work, size_t order)
{
    if (!work->by_method)
        return order;
    return order % work->problems * work->method_count + order / work->problems;
}

static double *results_at(const struct work *work, size_t task)
{
    return work->results + task * work->figures;
}

const void *work_at(const struct work *work, size_t problem, size_t method)
{
    return results_at(work, problem * work->method_count + method);
}

/* ---- the methods ---- */

static bool is_allowed(const struct work_method *method, int dims)
{
    return dims == 2 || !method->flat;
}

static enum status not_a_method(const char *name, size_t length,
                                const struct work_method *all, int dims,
                                const char *where, struct error *error)
{
    char allowed[256] = "";
    size_t used = 0;
    for (const struct work_method *m = all; m->name; m++)
        if (is_allowed(m, dims) && used < sizeof allowed)
            used += (size_t)snprintf(allowed + used, sizeof allowed - used,
                                     "%s%s", used ? ", " : "", m->name);
    return error_set(error, STATUS_INPUT, "--methods '%.*s': %s %s are allowed",
                     (int)length, name, where, allowed);
}

static void add_method(struct work *work, const struct work_method *method)
{
    for (size_t i = 0; i < work->method_count; i++)
        if (work->methods[i] == method)
            return;
    work->methods[work->method_count++] = method;
}

/* The order of the methods by --order, and their words by --label. */
static enum status name_methods(struct work *work, struct error *error)
{
    const struct work_options *options = work->options;
    const size_t count = work->method_count;
    const struct work_method *methods[WORK_METHODS_MOST];
    struct labels_row row[WORK_METHODS_MOST];
    struct labels_rows rows = { .row = row, .count = count };
    size_t places[WORK_METHODS_MOST];
    memcpy(methods, work->methods, sizeof methods);
    for (size_t m = 0; m < count; m++)
        row[m] = (struct labels_row){ methods[m]->name, "", NULL };
    enum status status = labels_order(&rows, options->order,
                                      options->order_count, places, error);
    for (size_t m = 0; m < count && !status; m++) {
        work->methods[m] = methods[places[m]];
        row[m].method = work->methods[m]->name;
    }
    return status ? status
                  : labels_make(&rows, &options->labels, work->labels, error);
}

enum status work_choose(struct work *work, const struct work_method *all,
                        int dims, const char *where, struct error *error)
{
    const char *list = work->options->methods;
    for (const struct work_method *m = all; !list && m->name; m++)
        if (!m->spare && is_allowed(m, dims))
            add_method(work, m);
    for (const char *at = list; at; at = *at ? at + 1 : NULL) {
        size_t length = strcspn(at, ",");
        const struct work_method *m = all;
        while (m->name &&
               (strlen(m->name) != length || memcmp(m->name, at, length) != 0))
            m++;
        if (!m->name || !is_allowed(m, dims))
            return not_a_method(at, length, all, dims, where, error);
        add_method(work, m);
        at += length;
    }
    return name_methods(work, error);
}

/* ---- the journal ---- */

/* The first line, which identifies the work: a journal with another one is
 * rejected. Release with memory_release. */
static enum status journal_head(const struct work *work, char **head,
                                struct error *error)
{
    const struct work_options *options = work->options;
    uint32_t checksum, settings = 0;
    enum status status = map_file_checksum(options->file, &checksum, error);
    if (status)
        return status;
    for (size_t i = 0; i < options->setting_count; i++)
        settings = crc32c(settings, options->settings[i],
                          strlen(options->settings[i]) + 1);
    *head = need_format("hamon-compare %s: %s, %08" PRIx32 ", set %08" PRIx32
                        ", every %zu, repeat %zu\n",
                        hamon_commit, work->unit, checksum, settings,
                        options->every, options->repeats);
    return STATUS_OK;
}

static enum status journal_fault(const struct work *work, struct error *error)
{
    return error_system(error, STATUS_DISK, "%s", work->options->journal);
}

/* A complete line at once: a truncated one has no end and is not read. */
static enum status journal_put(const struct shift *shift, const char *line,
                               size_t length, struct error *error)
{
    errno = ENOSPC;
    return write(shift->journal, line, length) == (ssize_t)length
               ? STATUS_OK
               : journal_fault(shift->work, error);
}

static enum status journal_note(const struct shift *shift, size_t task,
                                struct error *error)
{
    const struct work *work = shift->work;
    char line[64 + MEASURED_METHOD_SIZE + WORK_FIGURES_MOST * REAL_SIZE];
    if (shift->journal < 0)
        return STATUS_OK;
    size_t used =
        (size_t)snprintf(line, sizeof line, "%zu %s", task / work->method_count,
                         work->methods[task % work->method_count]->name);
    for (size_t i = 0; i < work->figures; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, " %s",
                                 REAL_TEXT(results_at(work, task)[i]));
    line[used++] = '\n';
    return journal_put(shift, line, used, error);
}

/* The task at the beginning of a line, and the position of its figures; false
 * if there is no such task. */
static bool journal_task(const struct work *work, const char *line,
                         size_t *task, const char **rest)
{
    char *end;
    uintmax_t problem = strtoumax(line, &end, 10);
    if (end == line || *end != ' ' || problem >= work->problems)
        return false;
    const char *name = end + 1;
    size_t length = strcspn(name, " ");
    for (size_t i = 0; i < work->method_count; i++)
        if (strlen(work->methods[i]->name) == length &&
            memcmp(work->methods[i]->name, name, length) == 0) {
            *task = (size_t)problem * work->method_count + i;
            *rest = name + length;
            return true;
        }
    return false;
}

/* Takes the figures of a complete line of the journal; other lines are not of
 * this work. */
static void journal_take(struct shift *shift, const char *line)
{
    const struct work *work = shift->work;
    double figures[WORK_FIGURES_MOST];
    size_t task;
    const char *at;
    if (!strchr(line, '\n') || !journal_task(work, line, &task, &at) ||
        shift->done[task])
        return;
    for (size_t i = 0; i < work->figures; i++) {
        char *end;
        figures[i] = strtod(at, &end);
        if (end == at)
            return;
        at = end;
    }
    memcpy(results_at(work, task), figures, work->figures * sizeof *figures);
    shift->done[task] = true;
    shift->left--;
}

static enum status journal_read(struct shift *shift, FILE *file,
                                const char *head, struct error *error)
{
    const struct work *work = shift->work;
    char *line = NULL;
    size_t room = 0;
    enum status status = STATUS_OK;
    if (getline(&line, &room, file) < 1 || strcmp(line, head) != 0)
        status = error_set(error, STATUS_INPUT,
                           "%s: belongs to other problems or settings; finish "
                           "those, or remove it",
                           work->options->journal);
    while (!status && getline(&line, &room, file) > 0)
        journal_take(shift, line);
    free(line);
    return status;
}

/* The rest of an interrupted line must not be joined with the next one. */
static enum status journal_continue(const struct shift *shift, off_t size,
                                    struct error *error)
{
    char last = '\n';
    if (pread(shift->journal, &last, 1, size - 1) != 1)
        return journal_fault(shift->work, error);
    return last == '\n' ? STATUS_OK : journal_put(shift, "\n", 1, error);
}

static enum status journal_begin(struct shift *shift, const char *head,
                                 struct error *error)
{
    const struct work *work = shift->work;
    off_t size = lseek(shift->journal, 0, SEEK_END);
    if (size == 0)
        return journal_put(shift, head, strlen(head), error);
    FILE *file = size > 0 ? fopen(work->options->journal, "r") : NULL;
    if (!file)
        return journal_fault(work, error);
    enum status status = journal_read(shift, file, head, error);
    fclose(file);
    return status ? status : journal_continue(shift, size, error);
}

static enum status journal_open(struct shift *shift, struct error *error)
{
    const struct work *work = shift->work;
    char *head;
    if (!work->options->journal)
        return STATUS_OK;
    shift->journal = open(work->options->journal,
                          O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (shift->journal < 0)
        return disk_refused(work->options->journal, error);
    if (flock(shift->journal, LOCK_EX | LOCK_NB) != 0)
        return error_system(error, STATUS_INPUT,
                            "%s: another program is writing it",
                            work->options->journal);
    enum status status = journal_head(work, &head, error);
    if (status)
        return status;
    status = journal_begin(shift, head, error);
    memory_release(head);
    return status;
}

void work_forget(const struct work_options *options)
{
    if (options->journal)
        unlink(options->journal);
}

/* ---- a worker ---- */

static void send_record(const struct shift *shift, const struct record *record)
{
    ssize_t sent;
    do
        sent = write(shift->pipe[1], record, sizeof *record);
    while (sent < 0 && errno == EINTR);
    if (sent != (ssize_t)sizeof *record)
        exit(STATUS_FAILED); /* the reader has ended */
}

/* A task, repeated; its time is the median of theirs. */
static enum status run_task(const struct work *work, size_t task,
                            double *figures, struct error *error)
{
    size_t repeats = work->options->repeats;
    double *times = need_memory(repeats, sizeof *times);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < repeats && !status; i++) {
        status = work->run(work->context, task / work->method_count,
                           task % work->method_count, figures, error);
        times[i] = figures[work->nanoseconds];
    }
    if (!status) {
        summary_sort(times, repeats);
        figures[work->nanoseconds] = summary_quantile(times, repeats, .5);
    }
    memory_release(times);
    return status;
}

/* Does tasks until none is left, and ends the process. */
static void work_on(const struct shift *shift)
{
    const struct work *work = shift->work;
    size_t order;
    close(shift->pipe[0]);
    while ((order = atomic_fetch_add(shift->next, 1)) < shift->tasks) {
        struct record record = { .task = task_at(work, order) };
        struct error error;
        if (shift->done[record.task])
            continue;
        record.status =
            run_task(work, record.task, record.gave.figures, &error);
        if (record.status)
            memcpy(record.gave.message, error.message, sizeof error.message);
        send_record(shift, &record);
        if (record.status)
            break;
    }
    exit(STATUS_OK);
}

/* ---- the parent ---- */

static enum status start_workers(struct shift *shift, struct error *error)
{
    int jobs = shift->work->options->jobs;
    if ((size_t)jobs > shift->left)
        jobs = (int)shift->left;
    fflush(NULL); /* buffered output belongs to the parent */
    while (shift->workers < jobs) {
        pid_t pid = fork();
        if (pid < 0)
            return error_system(error, STATUS_FAILED, "no worker process");
        if (pid == 0)
            work_on(shift);
        shift->worker[shift->workers++] = pid;
    }
    return STATUS_OK;
}

static enum status take_record(struct shift *shift, const struct record *record,
                               struct error *error)
{
    const struct work *work = shift->work;
    if (record->status)
        return error_set(error, record->status, "%s", record->gave.message);
    memcpy(results_at(work, record->task), record->gave.figures,
           work->figures * sizeof(double));
    shift->left--;
    return journal_note(shift, record->task, error);
}

/* Until all workers have ended, or one of them or the journal fails. */
static enum status gather(struct shift *shift, struct error *error)
{
    struct progress progress;
    struct record record;
    enum status status = STATUS_OK;
    progress_start(&progress, shift->work->options->quiet, shift->work->unit,
                   (int64_t)shift->tasks);
    while (!status) {
        progress_update(&progress, (int64_t)(shift->tasks - shift->left), 0);
        ssize_t got = read(shift->pipe[0], &record, sizeof record);
        if (interrupt_number())
            status = error_set(error, STATUS_FAILED, "interrupted");
        else if (got == (ssize_t)sizeof record)
            status = take_record(shift, &record, error);
        else if (got == 0)
            break;
        else if (errno != EINTR)
            status = error_system(error, STATUS_FAILED, "a worker's pipe");
    }
    progress_end(&progress);
    return status;
}

/* Ends them; true if all had already ended without error. */
static bool end_workers(const struct shift *shift, bool at_once)
{
    bool well = true;
    for (int i = 0; i < shift->workers; i++) {
        int how;
        pid_t got;
        if (at_once)
            kill(shift->worker[i], SIGKILL);
        do
            got = waitpid(shift->worker[i], &how, 0);
        while (got < 0 && errno == EINTR);
        well = well && got > 0 && WIFEXITED(how) && WEXITSTATUS(how) == 0;
    }
    return well;
}

static enum status do_tasks(struct shift *shift, struct error *error)
{
    if (pipe2(shift->pipe, O_CLOEXEC) != 0)
        return error_system(error, STATUS_FAILED, "no pipe");
    enum status status = start_workers(shift, error);
    close(shift->pipe[1]);
    if (!status)
        status = gather(shift, error);
    close(shift->pipe[0]);
    bool well = end_workers(shift, status != STATUS_OK);
    if (!status && (!well || shift->left))
        status = error_set(error, STATUS_FAILED,
                           "a worker process ended before it was done");
    return status;
}

enum status work_do(struct work *work, struct error *error)
{
    struct shift shift = { .work = work, .journal = -1 };
    if (!size_multiply(work->problems, work->method_count, &shift.tasks))
        return error_memory(error);
    shift.left = shift.tasks;
    shift.done = need_memory(shift.tasks, sizeof *shift.done);
    shift.next = mmap(NULL, sizeof *shift.next, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    work->results =
        need_memory(shift.tasks, work->figures * sizeof *work->results);
    enum status status = shift.next == MAP_FAILED ? error_memory(error)
                                                  : journal_open(&shift, error);
    if (!status && shift.left)
        status = do_tasks(&shift, error);
    if (shift.journal >= 0)
        close(shift.journal);
    if (shift.next != MAP_FAILED)
        munmap(shift.next, sizeof *shift.next);
    memory_release(shift.done);
    return status;
}

void work_release(struct work *work)
{
    for (size_t m = 0; m < work->method_count; m++)
        memory_release(work->labels[m]);
    memory_release(work->results);
    *work = (struct work){ 0 };
}
