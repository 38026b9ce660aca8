/* SPDX-License-Identifier: MIT */
/* Every problem by every method, divided among worker processes. The result of
 * a task is written to a journal as soon as it is done, so that the same
 * command resumes after an interruption. */
#ifndef HAMON_ANALYSIS_COMPARE_WORK_H
#define HAMON_ANALYSIS_COMPARE_WORK_H

#include "base/status.h"
#include "draw/chart/labels.h"

#include <stdbool.h>
#include <stddef.h>

enum { WORK_FIGURES_MOST = 16, WORK_METHODS_MOST = 16 };

/* The command line's options. All are borrowed. */
struct work_options {
    const char *file;         /* of the problems */
    const char *map;          /* NULL: in the file's folder */
    const char *methods;      /* "lee,astar"; NULL: the usual ones */
    const char *const *order; /* methods that are first */
    size_t order_count;
    struct labels_given labels;  /* of the chart */
    size_t every;                /* takes problems 0, every, 2 every ... */
    size_t repeats;              /* of each task; times are their medians */
    int jobs;                    /* workers, >= 1 */
    bool quiet;                  /* no progress */
    const char *journal;         /* its file; NULL: no journal */
    const char *const *settings; /* "key=value" for all chases */
    size_t setting_count;
};

struct work_method {
    const char *name; /* a word without blanks */
    bool spare;       /* only if named in --methods */
    bool flat;        /* 2D only */
    const void *own;  /* what its tasks need besides */
};

/* The work to be done. All is borrowed, except labels and results. */
struct work {
    const char *unit;         /* of the progress: "chases" */
    size_t problems, figures; /* figures: numbers of results of a task */
    size_t nanoseconds;       /* which figure is the median of the repeats */
    const struct work_method *methods[WORK_METHODS_MOST];
    char *labels[WORK_METHODS_MOST]; /* words for the methods; owned */
    size_t method_count;
    bool by_method; /* all problems of a method, then the next method's */
    const struct work_options *options;
    /* One task, in a worker; `context` is the worker's own copy. */
    enum status (*run)(void *context, size_t problem, size_t method,
                       double *figures, struct error *error);
    void *context;
    double *results; /* (problems, method_count, figures) */
};

/* Takes the methods that options->methods names, each once; if it is NULL all
 * but the spare ones; those of options->order first. `all` ends with a name
 * NULL; `where`, "in 2D", begins the list of the allowed ones in an error. */
enum status work_choose(struct work *work, const struct work_method *all,
                        int dims, const char *where, struct error *error);

/* Makes the results. The first task that fails ends all with its error.
 * STATUS_FAILED after a signal (cli/interrupt.h). Results remain in the
 * journal; the caller removes it by work_forget after it has stored them.
 * Release with work_release for any status. */
enum status work_do(struct work *work, struct error *error);
void work_release(struct work *work);

/* The figures of a task. */
const void *work_at(const struct work *work, size_t problem, size_t method);
void work_forget(const struct work_options *options);

#endif
