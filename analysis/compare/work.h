/* SPDX-License-Identifier: MIT */
/* Every problem by every method, shared out to worker processes. What a task
 * gives is kept in a journal as soon as it is done, so that the same command
 * goes on where it was interrupted. */
#ifndef HAMON_ANALYSIS_COMPARE_WORK_H
#define HAMON_ANALYSIS_COMPARE_WORK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { WORK_FIGURES_MOST = 16 };

/* What the command line says. All is borrowed. */
struct work_options {
    const char *file;            /* of the problems */
    const char *map;             /* NULL: beside the file */
    const char *methods;         /* "lee,astar"; NULL: the usual ones */
    size_t every;                /* takes problems 0, every, 2 every ... */
    size_t repeats;              /* of each task; times are their medians */
    int jobs;                    /* workers, >= 1 */
    bool quiet;                  /* no progress */
    const char *journal;         /* its file; NULL: nothing is kept */
    const char *const *settings; /* "key=value" for all chases */
    size_t setting_count;
};

/* What is to be done. All is borrowed. */
struct work {
    const char *unit;           /* of the progress: "chases" */
    size_t problems, figures;   /* figures: numbers that a task gives */
    const char *const *methods; /* (method_count) words without blanks */
    size_t method_count;
    bool by_method; /* all problems of a method, then the next method's */
    const struct work_options *options;
    /* A line on what the journal is of: one with another line is refused. */
    const char *identity;
    /* One task, in a worker; `context` is the worker's own copy. */
    enum status (*run)(void *context, size_t problem, size_t method,
                       double *figures, struct error *error);
    void *context;
};

/* Fills `figures` (problems, method_count, work->figures). The first task that
 * fails ends all with its error. STATUS_FAILED after a signal
 * (cli/interrupt.h). What is done stays in the journal; it is for the caller
 * to remove it, by work_forget, when the figures are where they belong. */
enum status work_do(const struct work *work, double *figures,
                    struct error *error);
void work_forget(const struct work_options *options);

#endif
