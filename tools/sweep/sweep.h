/* SPDX-License-Identifier: MIT */
/* hamon-sweep: one scenario run for every combination of some keys' values
 * (grid.c), the list of runs and their state in the folder (plan.c), the runs
 * as processes (run.c), and the table of their metrics (table.c), as CSV and
 * printed in any format (csv.c), and as HDF5 (hdf5.c). emit.c writes scripts
 * for other schedulers. */
#ifndef HAMON_TOOLS_SWEEP_SWEEP_H
#define HAMON_TOOLS_SWEEP_SWEEP_H

#include "cli/cli.h"
#include "cli/range.h"
#include "cli/table.h"
#include "metrics/results.h"
#include "metrics/summary.h"
#include "scenario/scenario.h"
#include "settings/parameters.h"

#include <stdbool.h>
#include <sys/types.h>

/* ---- the grid of values (grid.c) ---- */

struct sweep_axis {
    char *key;     /* "wave.walls", by sweep_key */
    char **values; /* in the form of --set */
    size_t count;
    bool zipped; /* by --zip: it varies with the axis before it if that is
                  * zipped too */
};

struct sweep_grid {
    struct sweep_axis *axes;
    size_t axis_count;
    size_t runs; /* product of the counts; zipped axes count once */
};

enum { SWEEP_MOST_RUNS = 10000, SWEEP_NAME_SIZE = 201 };

/* The path of a key in the spelling of parameters, so that it can be compared:
 * agents[0]speed and agents.[00].speed are agents.[0].speed. From
 * need_memory. */
char *sweep_key(const char *path, size_t length);

/* Is `other`, of `length` bytes, the key, or one below it? */
bool sweep_key_holds(const char *key, const char *other, size_t length);

/* Adds an axis from `KEY=V1,V2,…`. Commas inside quotes and brackets do not
 * separate values; numbers may be given as A:B and A:STEP:B, both ends
 * included. A key given twice, a value given twice, and a group after a key in
 * it are errors. */
enum status sweep_grid_add(struct sweep_grid *grid, const char *vary,
                           struct error *error);

/* Adds axes that vary together after all others: they have equally many values.
 * A value may be repeated, but not a combination of them. */
enum status sweep_grid_zip(struct sweep_grid *grid, const struct cli_list *zip,
                           struct error *error);
void sweep_grid_release(struct sweep_grid *grid);

/* The value of axis `axis` in a run: the last axis changes fastest. */
size_t sweep_value_number(const struct sweep_grid *grid, size_t run,
                          size_t axis);
const char *sweep_value(const struct sweep_grid *grid, size_t run, size_t axis);

/* The run with the first value of the axis and otherwise the values of
 * `run`. */
size_t sweep_first_run(const struct sweep_grid *grid, size_t run, size_t axis);

/* The axis of a key, which may be spelled otherwise; axis_count: there is
 * none. */
size_t sweep_axis_of(const struct sweep_grid *grid, const char *key);

/* The axes *first … *end − 1 vary together: this one, and those zipped with
 * it. */
void sweep_zipped(const struct sweep_grid *grid, size_t axis, size_t *first,
                  size_t *end);

/* Puts a value before the others of its axes, and those zipped with it too. */
void sweep_grid_order(struct sweep_grid *grid, const char *value);

/* A file name for the run: `wave.walls=free,seed=3`, bytes of a value with a
 * special meaning in a file system or a shell are written as %XX; a longer name
 * is cut and ends in a hash of the whole. */
void sweep_name(const struct sweep_grid *grid, size_t run,
                char name[SWEEP_NAME_SIZE]);

/* ---- the runs ---- */

enum sweep_state {
    SWEEP_TO_DO,
    SWEEP_RUNNING,
    SWEEP_DONE,
    SWEEP_FAILED,
    SWEEP_STOPPED,  /* not done: a part of it is recorded */
    SWEEP_LEFT_OUT, /* by --only */
};
extern const char *const sweep_state_names[]; /* of the states in the table */

struct sweep_run {
    enum sweep_state state;
    bool kept;    /* done before this sweep */
    bool begun;   /* a part of it is recorded, and is to be resumed */
    bool anew;    /* hamon-record reported that it cannot be resumed */
    bool resumed; /* it was resumed */
    int64_t step; /* the last recorded one */
    int code;     /* the exit code if it failed, or 0 */
    pid_t pid;    /* while running */
    int said;     /* its output, while running */
    char name[SWEEP_NAME_SIZE];
    char *folder, *recording, *log;
    /* The parameters and map that the recording must have, or has; the ground
     * only if has_ground: the CRC of the map before the first step. */
    char *parameters;
    bool has_ground;
    uint32_t ground;
    char identity[SHA256_TEXT]; /* of its settings and map; "": unknown */
};

enum { SWEEP_WARNINGS = 32 }; /* more would not be read */

struct sweep {
    const struct cli *cli;
    const char *scenario, *folder;
    struct cli_list set;       /* for every run, before the varied keys */
    struct cli_list vary, zip; /* as given */
    bool teams;                /* the table has a row for each team */
    const char *chart, *format, *width; /* of its chart; NULL: not given */
    struct cli_list by;     /* keys: if there are any, only these make groups */
    struct cli_list order;  /* methods, and values: they are first */
    struct cli_list labels; /* "NAME=TEXT": words of the chart */
    const struct range *only; /* the numbers of runs to do; NULL: all */
    int64_t jobs;
    bool force;   /* runs of another experiment are replaced */
    bool at_once; /* fails if it would have to wait for another sweep */
    struct sweep_grid grid;
    struct sweep_run *runs;
    size_t failed, unfinished;
    int lock;          /* of the folder; runs inherit it */
    char refused[640]; /* a run's message about a full or failed disk, or "" */
    int stopped;       /* the signal that ended the sweep, or 0 */
    bool unknown;      /* it was received before all runs were examined */
    bool ending;       /* the remaining runs are being stopped */
    /* warnings about scenarios, and how many runs have each */
    char *warned[SWEEP_WARNINGS];
    size_t warned_runs[SWEEP_WARNINGS], warned_count;
};

/* Makes the folder, waits for its lock, and finds out for every run whether it
 * can run and whether it has a recording (plan.c). STATUS_INPUT if no run can,
 * and, unless `force` is set, if the folder contains another experiment's run
 * or table; then nothing is changed. With `only` the folder is shared with
 * other sweeps, and all other runs are left out. */
enum status sweep_plan(struct sweep *sweep, struct error *error);
void sweep_release(struct sweep *sweep);

/* The `KEY=VALUE`s of a run and their count. */
char **sweep_settings(const struct sweep *sweep, size_t run, size_t *count);
void sweep_settings_release(char **settings, size_t count);

/* Counts the run as failed, or as stopped at its last step, and prints this. */
void sweep_fail(struct sweep *sweep, struct sweep_run *run, const char *why);
void sweep_stop(struct sweep *sweep, struct sweep_run *run);

/* What the folder has of a run: all of it, or the first rows, or rows of
 * another run. An unreadable or diverged recording counts as nothing. */
enum sweep_found { FOUND_NOTHING, FOUND_PART, FOUND_ALL, FOUND_OTHER };

/* `change` is the difference of another run; else it is "". run->step is the
 * last recorded one. */
enum status sweep_find(struct sweep_run *run, enum sweep_found *found,
                       char change[PARAMETERS_CHANGE_SIZE],
                       struct error *error);

/* Was INT or TERM received? The program blocks them and polls here. Waits at
 * most `seconds` for one, or for the end of a run. */
bool sweep_stopped(struct sweep *sweep, double seconds);

/* Does the remaining runs, `jobs` at once (run.c). After a signal it ends the
 * runs and returns with `stopped` set; if the disk fails for one of them it
 * ends the others: STATUS_DISK. */
enum status sweep_all(struct sweep *sweep, struct error *error);

/* The last line in the run's log, or "". */
void sweep_log_line(const struct sweep_run *run, char *last, size_t size);

/* ---- for other schedulers (emit.c) ---- */

enum sweep_emit { EMIT_PARALLEL, EMIT_SLURM };

/* Writes the sweep's scripts into its folder. */
enum status sweep_write_scripts(const struct sweep *sweep, enum sweep_emit how,
                                struct error *error);

/* ---- the table (table.c) ---- */

/* A key of the runs, and its value in each. */
struct sweep_column {
    char *key, *name; /* the name is "set.KEY" if a metric has the key's name */
    size_t axis;      /* that varies it; axis_count: from a --set */
    char **texts;     /* (runs) */
};

/* A run's agents of one method, or with --teams of one team. A run that failed,
 * or has no agents, has one row without a method. */
struct sweep_row {
    size_t run;
    size_t base;        /* its run, but with the first values of pooled axes */
    const char *method; /* one of table->methods, or "" */
    size_t rank;        /* of the method in table->methods */
};

/* The figures of a group of runs: the metrics, each as its median over the
 * runs, except the capture rate, which is over all agents; and SWEEP_MORE
 * more. */
enum { SWEEP_MORE = 3 };
struct sweep_figure {
    const char *name, *unit, *statistic, *help, *label;
};
extern const struct sweep_figure sweep_more[SWEEP_MORE];

/* The columns of results that are metrics of runs; returns their number. */
size_t sweep_metrics(const struct result *metrics[RESULTS_MOST]);

/* The times to the captures of a group's agents (or chases); those of fewer
 * than INTERVAL_VALUES in `few`. */
struct sweep_times {
    size_t n, captured;
    bool chases;
    double limit; /* the smallest step limit of the group's runs */
    struct survival_time few[INTERVAL_VALUES - 1];
};

struct sweep_table {
    const struct sweep *sweep;
    char (*methods)[MEASURED_METHOD_SIZE]; /* sorted, after those of --order */
    size_t method_count, rows;
    struct sweep_row *row; /* (rows), by run, then by method */
    const struct result *metrics[RESULTS_MOST];
    size_t metric_count, figure_count;
    double *values;               /* (row, metric_count) */
    struct sweep_column *columns; /* of the axes, then of --set */
    size_t column_count;
    /* Rows of runs that are done and differ only in pooled axes form a group;
     * if there is none, each row. */
    size_t seed_axis;           /* axis_count: none is varied by itself */
    struct sweep_row **members; /* by group, then by run */
    size_t *group_first;        /* (group_count + 1) in members */
    size_t group_count;
    struct summary *summaries; /* (group, figure_count); median: the estimate */
    struct sweep_times *times; /* (group) */
};

/* Do runs that differ only in this axis belong together? That of the seed is
 * pooled if --by does not name it, the others if it names others. */
bool sweep_pooled(const struct sweep_table *table, size_t axis);

/* Is there a table over seeds? */
bool sweep_pools_seeds(const struct sweep_table *table);
struct sweep_figure sweep_figure(const struct sweep_table *table,
                                 size_t number);

/* Measures every run that is done; a run whose recording cannot be read counts
 * as failed. STATUS_INPUT if --order has a name that is neither a value nor a
 * method of the runs. Release with sweep_table_release, after a failure too. */
enum status sweep_table_make(struct sweep *sweep, struct sweep_table *table,
                             struct error *error);
void sweep_table_release(struct sweep_table *table);

/* ---- its files ---- */

static inline size_t sweep_row_run(const struct sweep_table *table, size_t row)
{
    return table->row[row].run;
}

/* The number of the i-th row of a group. */
static inline size_t sweep_member(const struct sweep_table *table, size_t group,
                                  size_t i)
{
    return (size_t)(table->members[table->group_first[group] + i] - table->row);
}

/* "method", or "team" with --teams. */
const char *sweep_method_name(const struct sweep_table *table);

/* DIR/table.csv, DIR/long.csv with a row for each metric, DIR/over-seeds.csv;
 * DIR/table.h5. */
enum status sweep_write_csv(const struct sweep_table *table,
                            struct error *error);
enum status sweep_write_hdf5(const struct sweep_table *table,
                             struct error *error);

/* Describes the columns of all tables of a sweep (--help columns). */
void sweep_describe_columns(FILE *out);

/* The table over seeds, or if there are none that of the runs; as CSV and JSON
 * over seeds it has what over-seeds.csv has. */
enum status sweep_print(const struct sweep_table *table,
                        enum table_format format, FILE *file,
                        struct error *error);

/* ---- its chart (chart.c) ---- */

struct sweep_chart {
    const char *column; /* NULL: capture_time and the share that captured, or
                         * else the first metric that has values */
    unsigned formats;   /* bits 1 << CHART_… */
    double width;       /* centimetres; 0: as the chart requires */
    bool none;          /* draws nothing */
};

/* STATUS_INPUT if the tables have no such column. */
enum status sweep_chart_check(const struct sweep_chart *given,
                              struct error *error);

/* DIR/chart.csv, DIR/chart.gp and the pictures; *drawn: there are values. */
enum status sweep_draw_chart(const struct sweep_table *table,
                             const struct sweep_chart *given, bool *drawn,
                             struct error *error);

/* FOLDER/NAME from need_memory. */
char *sweep_path(const char *folder, const char *name);

#endif
