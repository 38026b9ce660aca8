/* SPDX-License-Identifier: MIT */
/* Every problem by every method, divided among worker processes. The result of
 * a task is written to a journal as soon as it is done, so that the same
 * command resumes after an interruption. */
#ifndef HAMON_ANALYSIS_COMPARE_WORK_H
#define HAMON_ANALYSIS_COMPARE_WORK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { WORK_FIGURES_MOST = 16 };

/* The command line's options. All are borrowed. */
struct work_options {
    const char *file;            /* of the problems */
    const char *map;             /* NULL: in the file's folder */
    const char *methods;         /* "lee,astar"; NULL: the usual ones */
    size_t every;                /* takes problems 0, every, 2 every ... */
    size_t repeats;              /* of each task; times are their medians */
    int jobs;                    /* workers, >= 1 */
    bool quiet;                  /* no progress */
    const char *journal;         /* its file; NULL: no journal */
    const char *const *settings; /* "key=value" for all chases */
    size_t setting_count;
};

/* The work to be done. All is borrowed. */
struct work {
    const char *unit;           /* of the progress: "chases" */
    size_t problems, figures;   /* figures: numbers of results of a task */
    const char *const *methods; /* (method_count) words without blanks */
    size_t method_count;
    bool by_method; /* all problems of a method, then the next method's */
    const struct work_options *options;
    /* A line that identifies the journal's work: a journal with another line is
     * rejected. */
    const char *identity;
    /* One task, in a worker; `context` is the worker's own copy. */
    enum status (*run)(void *context, size_t problem, size_t method,
                       double *figures, struct error *error);
    void *context;
};

/* Fills `figures` (problems, method_count, work->figures). The first task that
 * fails ends all with its error. STATUS_FAILED after a signal
 * (cli/interrupt.h). Results remain in the journal; the caller removes it by
 * work_forget after it has stored the figures. */
enum status work_do(const struct work *work, double *figures,
                    struct error *error);
void work_forget(const struct work_options *options);

#endif
