/* SPDX-License-Identifier: MIT */
/* The writer of recordings. It takes a plan (what is recorded, of which size),
 * then arrays and a grid for each generation, and gives a file that always
 * opens. It knows no wave.
 *
 * HDF5 lays the whole file out once: every dataset contiguous, of fixed
 * extent, allocated early, never filled. HDF5 then closes it, its space is
 * reserved, and rows are written with pwrite at the datasets' addresses. No
 * metadata changes during a run, so a kill at any moment leaves the file valid.
 * Order at a commit: data, fdatasync, /status/committed, fdatasync.
 *
 * A frame's way to the file: recorder_row in rows.c, which writes the fields
 * itself or gives them to the thread of overlap.c; commit.c makes it durable.
 */
#ifndef HAMON_RECORDING_WRITE_RECORDER_H
#define HAMON_RECORDING_WRITE_RECORDER_H

#include "base/ranks.h"
#include "base/status.h"
#include "recording/format/schema.h"
#include "world/grid.h"
#include "world/split.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text kept in /provenance as a char dataset, e.g. "scenario". */
struct recording_text {
    const char *name;
    const char *text;
};

/* Everything that decides the layout. Borrowed during recorder_create, and
 * from recorder_find until recorder_resume. */
struct recording_plan {
    const char *title;
    struct grid grid;                  /* the whole world */
    struct box region;                 /* what the fields cover */
    enum element_type real;            /* TYPE_FLOAT32 or TYPE_FLOAT64 */
    int waves;                         /* 0: no wave runs */
    bool amplitude, gradient, arrival; /* the fields of each wave */
    int64_t steps, every; /* rows: each multiple of every, and the last step */
    int64_t keyframes; /* K: of amplitudes, rows 0, 1, K, K + 1, … alone are
                          stored, and checksums of some between; 0: every row */
    int64_t *version_steps; /* the step of each version of the map; [0] is 0 */
    size_t versions;
    bool speed, cost, one_way; /* terrain variables that are used */
    size_t agents;
    const char *const *agent_names, *const *agent_methods;
    bool target;
    bool relay; /* agents go by relay nodes: their counters */
    /* Capacities of the tables, rows; path cells of /plans in cells. */
    size_t emissions, arrivals, captures, plans, plan_cells;
    size_t restart_bytes; /* of one slot of the caller's own state */
    double cell_metres, step_seconds; /* 0: not given */
    const struct recording_text *texts;
    size_t text_count;
};

/* Rows from step 0 to `step`, where it is the last one. */
static inline int64_t recording_plan_rows(const struct recording_plan *plan,
                                          int64_t step)
{
    return step / plan->every + 1 + (step % plan->every != 0);
}

/* Bytes the recording will take, before anything is written (to the page). */
enum status recording_plan_bytes(const struct recording_plan *plan,
                                 uint64_t *bytes, struct error *error);

struct recorder;

/* Lays the file out under a temporary name beside `path`, reserves its space
 * and renames it: from then on `path` always opens, committed 0. If the
 * recorder is abandoned before the first commit, the file is removed. An
 * existing `path` is STATUS_INPUT unless `force`, which replaces it: a failure
 * after that and before the first commit leaves neither the old recording nor
 * the new one. Too little space is STATUS_DISK, found before the rename, and
 * changes nothing. */
enum status recorder_create(const char *path, const struct recording_plan *plan,
                            bool force, struct recorder **recorder,
                            struct error *error);

/* Finds the recording at `path` to resume it from its last commit: it is
 * locked, and nothing of it is changed. `restart` (plan->restart_bytes; NULL:
 * ranks will read their parts) gets the state that was given to that commit.
 * Anybody may have made that state: only its checksum is checked. The plan,
 * which is borrowed until recorder_resume, must be the one of recorder_create,
 * except that steps, versions and capacities may have grown. STATUS_INPUT,
 * naming what differs, if the file is another run's or cannot be resumed. */
struct resumption;
enum status recorder_find(const char *path, const struct recording_plan *plan,
                          void *restart, struct resumption **found,
                          struct error *error);
void resumption_release(struct resumption *found);

/* Rows that are committed, and where in the file the state stands. */
int64_t resumption_rows(const struct resumption *found);
uint64_t resumption_state_at(const struct resumption *found);

/* Resumes what was found, and releases it. What is after the commit is no
 * longer counted. A file that lacks room (shortened at its end, or more steps),
 * or whose text "parameters" is not the plan's, is laid out anew and renamed
 * over the first. */
enum status recorder_resume(struct resumption *found,
                            struct recorder **recorder, struct error *error);

/* From here on threads of the recorder write the rows' fields and make commits
 * while the caller continues. The arrays of a row's fields are then borrowed
 * until `rows` - 1 more calls of recorder_row with a row that is kept whole,
 * recorder_close or recorder_abandon have returned; a commit is durable when
 * the next one, or recorder_close, returns; a later call returns a fault.
 * rows ≥ 2. Call it once. Same bytes, same order on the disk. */
enum status recorder_overlap(struct recorder *recorder, size_t rows,
                             struct error *error);

/* If ranks share a run, the first creates its recorder or resumes it, the
 * others follow, and then all share it together, each with its own block of the
 * grid: fields are of that block from then on, and all make rows, arrival
 * fields, commits and the end together. The other calls do nothing in those
 * that follow. Each writes its part of a row by itself or, if `collective`, all
 * write it at once by MPI. */
enum status recorder_follow(const char *path, const struct recording_plan *plan,
                            struct recorder **recorder, struct error *error);
enum status recorder_share(struct recorder *recorder, struct ranks *ranks,
                           const struct box *own, bool collective,
                           struct error *error);

/* A field in its place in memory: a row of nx numbers every `row` numbers, a
 * layer every `layer`. */
struct recording_lying {
    const void *values;
    ptrdiff_t row, layer;
};

/* One row: arrays borrowed during the call, packed. */
struct recording_fields {
    int64_t step;
    /* [wave]: (nz, ny, nx) of the whole grid in the plan's real; the recorder
     * cuts the region. NULL where the plan does not have the field, and
     * amplitudes of rows of which nothing is kept (recorder_keeps). */
    const void *const *amplitude;
    const void *const *gradient[GRID_AXES];
    /* [wave]: amplitude in its place in memory, for rows of which only the
     * checksum is kept; not borrowed after the call. NULL: packed. */
    const struct recording_lying *lying;
    /* (agents): position and heading of each, and its state. */
    const double *agent_at[GRID_AXES], *agent_heading[GRID_AXES];
    const int8_t *agent_state;
    double target_at[GRID_AXES], target_heading[GRID_AXES];
    int8_t target_state;
    /* (RELAY_COUNTERS), in the order of relay_counter_names. */
    int64_t relay[RELAY_COUNTERS];
};

/* What is kept of the amplitudes of a row: between keyframes mostly nothing,
 * and of some rows the checksum (layout.h; recorder_row keeps that of any
 * unstored row that comes with amplitudes). */
enum kept { KEPT_NOTHING, KEPT_CHECKSUM, KEPT_WHOLE };
enum kept recorder_keeps(const struct recorder *recorder, int64_t row);

/* Writes row `row` (0, 1, … in order). A row whose step is no multiple of
 * `every` is the last: a resumed run writes another over it. */
enum status recorder_row(struct recorder *recorder, int64_t row,
                         const struct recording_fields *fields,
                         struct error *error);

/* Writes version `version` of the terrain. */
enum status recorder_terrain(struct recorder *recorder, size_t version,
                             const struct terrain *terrain,
                             struct error *error);

/* Writes the first-arrival field of a wave, (nz, ny, nx) int32: steps, −1
 * never. May be called again; written at commits. */
enum status recorder_arrival_field(struct recorder *recorder, int wave,
                                   const int32_t *arrival, struct error *error);

/* Rows of the tables. STATUS_DISK where a table is full. Cells are indices of
 * the whole grid. */
enum status recorder_emission(struct recorder *recorder, int wave, int64_t step,
                              size_t cell, struct error *error);
struct recorded_arrival {
    int agent, wave;
    int64_t step;
    enum arrival_quantity quantity; /* what the next two are */
    double amplitude;
    double gradient[GRID_AXES], heading[GRID_AXES];
};
enum status recorder_arrival(struct recorder *recorder,
                             const struct recorded_arrival *arrival,
                             struct error *error);
enum status recorder_capture(struct recorder *recorder, int agent, int target,
                             int64_t step, struct error *error);
struct recorded_plan {
    int agent;
    int64_t step, expansions, nanoseconds;
    const int32_t *path; /* cells */
    size_t path_cells;
};
enum status recorder_plan(struct recorder *recorder,
                          const struct recorded_plan *plan,
                          struct error *error);

/* Makes all rows below `rows` durable. `restart` (restart_bytes of the
 * caller's state after the step from which the run would be resumed) goes to
 * the slot that the last commit did not use. */
enum status recorder_commit(struct recorder *recorder, int64_t rows,
                            const void *restart, struct error *error);

/* The same where ranks share the run, all together; `state` is what this one
 * has of it, or NULL. */
enum status recorder_commit_shared(struct recorder *recorder, int64_t rows,
                                   const struct state_shared *state,
                                   struct error *error);

/* Is the last commit durable? If not, the next one waits for it. */
bool recorder_settled(const struct recorder *recorder);

/* The mean time that a step took to simulate, for /provenance; call it before
 * recorder_close. */
void recorder_step_time(struct recorder *recorder, int64_t nanoseconds);

/* Closes. The last commit must have been made. A run of fewer rows than
 * planned gets its true extents: copied to a new file that is renamed over the
 * first; where there is no room the first stays, and `note` (may be NULL, of
 * ERROR_MESSAGE_SIZE) says so. Frees the recorder, whatever it returns. */
enum status recorder_close(struct recorder *recorder, enum run_state state,
                           char *note, struct error *error);

/* Frees silently: the file stays as the last commit left it, and a new one
 * without a commit is removed. */
void recorder_abandon(struct recorder *recorder);

#endif
