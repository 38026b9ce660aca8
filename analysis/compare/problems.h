/* SPDX-License-Identifier: MIT */
/* The searches on the problems of a public .scen or .3dscen file: every method
 * tries every problem, its length is compared with the file's optimum, and a
 * table says what it took. */
#ifndef HAMON_ANALYSIS_COMPARE_PROBLEMS_H
#define HAMON_ANALYSIS_COMPARE_PROBLEMS_H

#include "analysis/compare/table.h"
#include "base/status.h"
#include "search/problems.h"
#include "world/terrain.h"

#include <stddef.h>
#include <stdio.h>

struct attempt_method;
struct attempt;

struct problem_options {
    const char *file;
    const char *map; /* NULL: the one that the file names */
    const char *
        methods; /* "lee,astar"; NULL: all that fit the map and are not spare */
    size_t every; /* takes problems 0, every, 2·every … */
};

struct problem_runs {
    struct problems problems; /* those taken */
    struct terrain terrain;
    const struct attempt_method **methods; /* (method_count) */
    size_t method_count;
    struct attempt *attempts; /* (method_count, problems.count) */
    double *memory;           /* (method_count) bytes */
};

/* Methods run one after another, so that each finds its own memory warm.
 * STATUS_INPUT where a file or the list of methods is at fault. Release with
 * problem_runs_release whatever the status. */
enum status problem_runs_make(const struct problem_options *options,
                              struct problem_runs *runs, struct error *error);
void problem_runs_release(struct problem_runs *runs);

/* Promises that methods did not keep: other lengths than the optimum, no path,
 * and, counted with those, ends in walls. */
size_t problem_runs_missed(const struct problem_runs *runs);

/* A line "file:line: method: what" for each of these, the first `most`, and a
 * last one that counts the rest. */
void problem_runs_tell(const struct problem_runs *runs, size_t most, FILE *out);

/* Release with compared_release. */
enum status problem_runs_table(const struct problem_runs *runs,
                               struct compared *table, struct error *error);

#endif
