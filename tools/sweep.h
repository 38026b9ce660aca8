/* SPDX-License-Identifier: MIT */
/* A sweep: one scenario run for every combination of some keys' values, and
 * what came of the runs. */
#ifndef HAMON_TOOLS_SWEEP_H
#define HAMON_TOOLS_SWEEP_H

#include "cli.h"
#include "metrics.h"
#include "parameters.h"
#include "range.h"
#include "scenario/scenario.h"
#include "summary.h"

#include <stdbool.h>
#include <sys/types.h>

/* ---- the grid of values (sweep_grid.c) ---- */

struct sweep_axis {
    char *key;     /* "wave.walls", by sweep_key */
    char **values; /* as --set takes them */
    size_t count;
};

struct sweep_grid {
    struct sweep_axis *axes;
    size_t axis_count;
    size_t runs; /* product of the counts */
};

enum { SWEEP_MOST_RUNS = 10000, SWEEP_NAME_SIZE = 201 };

/* The path of a key in the one spelling that parameters have, and so is to be
 * compared: agents[0]speed and agents.[00].speed are agents.[0].speed. From
 * memory_new, or NULL. */
char *sweep_key(const char *path, size_t length);

/* Is `other`, of `length` bytes, the key, or one below it? */
bool sweep_key_holds(const char *key, const char *other, size_t length);

/* Adds an axis from `KEY=V1,V2,…`. Commas inside quotes and brackets divide
 * nothing; numbers may come as A:B and A:STEP:B, both ends included. A key
 * given twice, a value given twice, and a group behind a key in it are
 * faults. */
enum status sweep_grid_add(struct sweep_grid *grid, const char *vary,
                           struct error *error);
void sweep_grid_release(struct sweep_grid *grid);

/* The value that axis `axis` has in a run, and its number among the axis's: the
 * last axis changes fastest. */
size_t sweep_value_number(const struct sweep_grid *grid, size_t run,
                          size_t axis);
const char *sweep_value(const struct sweep_grid *grid, size_t run, size_t axis);

/* A file name for the run: `wave.walls=free,seed=3`, every byte of a value
 * that could mean something to a file system or a shell as %XX; what is too
 * long is cut and ends in a number made of the whole. */
void sweep_name(const struct sweep_grid *grid, size_t run,
                char name[SWEEP_NAME_SIZE]);

/* ---- the runs ---- */

enum sweep_state {
    SWEEP_TO_DO,
    SWEEP_RUNNING,
    SWEEP_DONE,
    SWEEP_FAILED,
    SWEEP_LEFT_OUT, /* by --only */
};

struct sweep_run {
    enum sweep_state state;
    bool kept;    /* done before this sweep */
    bool begun;   /* a part of it is recorded, to be gone on with */
    bool anew;    /* hamon-record said that it cannot */
    bool resumed; /* it was gone on with */
    pid_t pid;    /* while running */
    int said;     /* where it writes what it says, while running */
    char name[SWEEP_NAME_SIZE];
    char *folder, *recording, *log;
    /* What the recording must have been made with, or was; the ground only
     * where has_ground: the CRC of the map before the first step. */
    char *parameters;
    bool has_ground;
    uint32_t ground;
};

struct sweep {
    const struct cli *cli;
    const char *scenario, *folder;
    const char *const *set; /* for every run, before the varied keys */
    size_t set_count;
    const char *const *vary; /* as given */
    size_t vary_count;
    const struct range *only; /* the runs to do, by number; NULL: all */
    int jobs;
    bool force; /* runs of another experiment are replaced */
    struct sweep_grid grid;
    struct sweep_run *runs;
    size_t failed;
    int lock;     /* of the folder; runs inherit it */
    int stopped;  /* the signal that asked for an end, or 0 */
    bool unknown; /* it came before all runs were looked for */
    bool ending;  /* what still runs is told to stop */
};

/* Makes the folder, waits for its lock, and finds out for every run whether it
 * can run at all and whether a recording of it is there (sweep_plan.c).
 * STATUS_INPUT where no run can, and where a run's folder holds another run and
 * `force` is not set: nothing is changed then. With `only` the folder is shared
 * with others that do theirs, and the rest is left out. */
enum status sweep_plan(struct sweep *sweep, struct error *error);
void sweep_release(struct sweep *sweep);

/* The `KEY=VALUE`s of a run and their count; memory_release each from
 * set_count on, then the array. */
enum status sweep_settings(const struct sweep *sweep, size_t run,
                           const char ***settings, size_t *count,
                           struct error *error);
void sweep_settings_release(const struct sweep *sweep, const char **settings,
                            size_t count);

/* Counts the run as failed and tells why. */
void sweep_fail(struct sweep *sweep, struct sweep_run *run, const char *why);

/* ---- what is there already (sweep_find.c) ---- */

/* Keeps of the scenario what a recording of the run is known by. */
enum status sweep_expect(struct sweep_run *run, const struct scenario *scenario,
                         struct error *error);

/* Of a run there is all, or the first rows; or its folder holds rows of another
 * run. What cannot be read, and what diverged, is nothing. */
enum sweep_found { FOUND_NOTHING, FOUND_PART, FOUND_ALL, FOUND_OTHER };

/* `change` says in what another run is another; else it is "". */
enum status sweep_find(const struct sweep_run *run, enum sweep_found *found,
                       char change[PARAMETERS_CHANGE_SIZE],
                       struct error *error);

/* Tells in one line of the recordings in the folder that are of no run of the
 * sweep; they stay as they are. */
enum status sweep_tell_strangers(const struct sweep *sweep,
                                 struct error *error);

/* Has a signal asked for an end? INT and TERM are blocked by the program and
 * asked for. Waits `seconds` at most for one, or for the end of a run. */
bool sweep_stopped(struct sweep *sweep, double seconds);

/* Does what is to do, `jobs` runs at once (sweep_run.c). After a signal it
 * ends the runs and returns with `stopped` set. */
enum status sweep_all(struct sweep *sweep, struct error *error);

/* ---- for others to schedule (sweep_emit.c) ---- */

enum sweep_emit { EMIT_PARALLEL, EMIT_SLURM };
extern const char *const sweep_emit_names[]; /* ends with NULL */

/* Writes the sweep's scripts into its folder. */
enum status sweep_write_scripts(const struct sweep *sweep, enum sweep_emit how,
                                struct error *error);

/* ---- the table (sweep_table.c) ---- */

/* A key that the runs were made with, and its value in each. */
struct sweep_column {
    char *key, *name; /* the name is "set.KEY" where a metric has the key's */
    size_t axis;      /* that varies it; axis_count: it is of a --set */
    char **texts;     /* (runs) */
};

/* A row is a run's agents of one method: of each method that is in any of the
 * runs. A run without it has the row too, without numbers. */
struct sweep_table {
    const struct sweep *sweep;
    char (*methods)[MEASURED_METHOD_SIZE]; /* sorted; at least one, maybe "" */
    size_t method_count, rows;    /* row = run · method_count + method */
    double *values;               /* (row, METRICS) */
    struct sweep_column *columns; /* of the axes, then of --set */
    size_t column_count;
    /* Over seeds: rows that differ in nothing but the seed are a group; none
     * where no seed is varied. */
    size_t seed_axis;          /* axis_count: none */
    size_t seeds, seed_stride; /* of a group, and rows from one to the next */
    size_t group_count;
    struct summary *summaries; /* (group, METRICS) */
};

/* Measures every run that is done; one whose recording cannot be read counts
 * as failed. Release with sweep_table_release, after failures too. */
enum status sweep_table_make(struct sweep *sweep, struct sweep_table *table,
                             struct error *error);
void sweep_table_release(struct sweep_table *table);

/* ---- what the runs were made with (sweep_columns.c, sweep_given.c) ---- */

/* What was given for a key, by the run's value of an axis or by the last --set,
 * as what it is: a text without its quotes, whose escapes are what they stand
 * for; anything else as typed; "" where nothing was. From memory_new, or NULL.
 */
char *sweep_given(const struct sweep *sweep, size_t run, const char *key);

/* A column for each key of --vary and --set; of a group, for each key in it.
 * The values are those of the recordings' /provenance/parameters, whatever set
 * them, but for a map's file, which is named as it was given. A run that could
 * not be read has what was given. */
enum status sweep_columns_make(struct sweep_table *table, struct error *error);
void sweep_columns_release(struct sweep_table *table);

/* ---- its files ---- */

/* The group's row with the i-th seed. */
size_t sweep_group_row(const struct sweep_table *table, size_t group, size_t i);

static inline size_t sweep_row_run(const struct sweep_table *table, size_t row)
{
    return row / table->method_count;
}
static inline const char *sweep_row_method(const struct sweep_table *table,
                                           size_t row)
{
    return table->methods[row % table->method_count];
}

/* DIR/table.csv and DIR/over-seeds.csv; DIR/table.h5. */
enum status sweep_write_csv(const struct sweep_table *table,
                            struct error *error);
enum status sweep_write_hdf5(const struct sweep_table *table,
                             struct error *error);

/* FOLDER/NAME from memory_new, or NULL. */
char *sweep_path(const char *folder, const char *name);

#endif
