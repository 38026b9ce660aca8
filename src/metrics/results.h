/* SPDX-License-Identifier: MIT */
/* The table of results: the columns of hamon-compare and hamon-sweep, each with
 * its names, unit, meaning, and how it is computed for a group of agents, of
 * one recording or of many. What a column says is computed here alone. */
#ifndef HAMON_METRICS_RESULTS_H
#define HAMON_METRICS_RESULTS_H

#include "metrics/interval.h"
#include "metrics/measured.h"
#include "metrics/survival.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- a group of agents ---- */

struct capture_share {
    double all, captured;
    struct estimate rate; /* Wilson's interval */
};

/* The time of an agent, or of a chase of several. */
struct timed {
    struct survival_time time;
    uint64_t problem, course; /* of measured.h, for all its agents */
    const struct measured *run;
};

/* Borrows the agents, which are in the order of their recordings. */
struct results {
    const struct measured_agent *const *agents;
    size_t count;
    const struct measured *run; /* the first, also of a group without agents */
    struct capture_share captures, chases;
    /* Of the times, those without a capture as censored. */
    struct survival times;
    struct estimate median, mean;
    double above; /* the last time, if the median is later; else NAN */
    double limit;
    bool teams; /* a chase of several agents ends at the first capture */
};

/* `run`: their first recording, also if there are none; `limit`: of the
 * restricted mean. */
void results_make(struct results *results,
                  const struct measured_agent *const *agents, size_t count,
                  const struct measured *run, double limit);

/* The chases of agents: all of them that are in one recording. If the chase
 * ends at the first capture its time is that of the first, else that of the
 * last, and it is captured once all have captured. `chases` false: a time for
 * each agent if the chase does not end at the first capture. `times` has room
 * for one for each agent; returns their number. */
size_t results_times(const struct measured_agent *const *agents, size_t count,
                     bool chases, struct timed *times);

/* ---- columns ---- */

/* If a column is not named by --columns: it is always in csv and json, and in
 * the other formats …… */
enum shown {
    SHOWN,
    SHOWN_NAMED, /* never */
    SHOWN_TEAMS, /* if the table has teams */
    SHOWN_ALONE, /* if the table has none */
};

/* The columns behind an estimate: the ends of its interval, NAME_low_95 and
 * NAME_high_95; or these and those of its range, NAME_least and
 * NAME_largest. */
enum ends { ENDS_NONE = 0, ENDS_INTERVAL = 2, ENDS_RANGE = 4 };
extern const char *const ends_names[1 + ENDS_RANGE]; /* "", "_low_95", … */
enum { ESTIMATE_NUMBERS = 1 + ENDS_RANGE };

enum result_of {
    OF_MEMBER, /* the number, and its ends, at `member` of a struct */
    OF_QUANTILE,
    OF_MEDIAN, /* with its bootstrap interval */
    OF_MEAN,
    OF_RMS,
    OF_COUNT, /* of agents with a value */
};

struct result {
    const char *name;    /* in CSV, JSON and HDF5: of letters, digits and _ */
    const char *heading; /* in text, Markdown and LaTeX */
    int digits;          /* there; −1: as %g */
    enum shown shown;
    const char *unit; /* "1" if it has none; NULL: the meaning has it */
    const char *meaning;
    enum ends ends;
    bool alone;       /* its ends are shown only if the table has no teams */
    const char *stem; /* the name in its ends; NULL: the name */
    /* Its name and unit at the axis of a chart; NULL: hamon-sweep does not have
     * it for every run. */
    const char *label;
    bool only_swept; /* hamon-compare has it not */
    /* How it is computed for a group: by a function of it; or from a value of
     * its agents that captured, or with `all` of all. */
    double (*of_group)(const struct results *);
    enum result_of of;
    double (*of_agent)(const struct measured_agent *);
    double share; /* of OF_QUANTILE */
    bool all;
    size_t member; /* of struct results or, without of_agent, an agent; in other
                    * tables of a struct of theirs */
};

enum { RESULTS_MOST = 96 }; /* columns of a table, with their ends */
extern const struct result results_columns[];
extern const size_t results_column_count;

/* The numbers of a column: the estimate, and as many ends as it has. */
void results_numbers(const struct result *column, const struct results *results,
                     double numbers[ESTIMATE_NUMBERS]);

/* Of other tables: a number at `member` of the struct `of` if it is OF_MEMBER;
 * else from the numbers at `member` of an array of structs, `size` bytes
 * each. */
void results_take(const struct result *column, const void *of,
                  const void *items, size_t count, size_t size,
                  double numbers[ESTIMATE_NUMBERS]);

#endif
