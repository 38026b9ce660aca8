/* SPDX-License-Identifier: MIT */
/* The writer of recordings. It takes a plan (what is recorded, and its size),
 * then arrays and a grid for each generation, and makes a file that can be
 * opened at any time. It does not depend on struct wave.
 *
 * A row is one index of a variable's first axis; a row of time is a frame.
 *
 * HDF5 creates the structure of the whole file once: every dataset contiguous,
 * of fixed extent, allocated early, never filled. HDF5 then closes it, its
 * space is reserved, and frames are written with pwrite at the datasets'
 * addresses. No metadata changes during a run, so the file stays valid if the
 * program is killed at any moment. Order of a commit: data, fdatasync,
 * /status/committed, fdatasync.
 *
 * The path of a frame to the file: recorder_row in rows.c writes the fields
 * itself or passes them to the thread of overlap.c; commit.c makes it
 * durable. */
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

/* Everything that determines the layout. Borrowed during recorder_create, and
 * from recorder_find until recorder_resume. */
struct recording_plan {
    const char *title;
    struct grid grid;                  /* of the whole map */
    struct box region;                 /* the cells that fields cover */
    enum element_type real;            /* TYPE_FLOAT32 or TYPE_FLOAT64 */
    int waves;                         /* 0: no wave runs */
    bool amplitude, gradient, arrival; /* the fields of each wave */
    /* frames: each multiple of every, and the last step */
    int64_t steps, every;
    /* K: of amplitudes only the frames 0, 1, K, K + 1, … are stored, and
     * checksums of some between; 0: every frame */
    int64_t keyframes;
    int64_t *version_steps; /* the step of each version of the map; [0] is 0 */
    size_t versions;
    bool speed, cost, one_way; /* terrain variables that exist */
    size_t agents;
    const char *const *agent_names, *const *agent_methods;
    bool target;
    bool relay; /* agents use relay nodes: record their counters */
    /* Capacities of the tables, in rows; plan_cells: of /plans/path, in
     * cells. */
    size_t emissions, arrivals, captures, plans, plan_cells;
    size_t restart_bytes; /* of one slot of the caller's own state */
    double cell_metres, step_seconds; /* 0: not given */
    const struct recording_text *texts;
    size_t text_count;
};

/* The frames from step 0 to `step`, if that is the last one. */
static inline int64_t recording_plan_rows(const struct recording_plan *plan,
                                          int64_t step)
{
    return step / plan->every + 1 + (step % plan->every != 0);
}

/* The bytes that the recording will take (to the page), before anything is
 * written. */
enum status recording_plan_bytes(const struct recording_plan *plan,
                                 uint64_t *bytes, struct error *error);

struct recorder;

/* Creates the file under a temporary name beside `path`, reserves its space and
 * renames it: from then on `path` can always be opened, with committed = 0. If
 * the recorder is abandoned before the first commit, the file is removed. An
 * existing `path` is STATUS_INPUT unless `force`, which replaces it: a failure
 * after that and before the first commit leaves neither the old recording nor
 * the new one. Too little space is STATUS_DISK, is found before the rename, and
 * changes nothing. */
enum status recorder_create(const char *path, const struct recording_plan *plan,
                            bool force, struct recorder **recorder,
                            struct error *error);

/* Finds the recording at `path` to resume it from its last commit. The file is
 * locked but not changed. `restart` (plan->restart_bytes; NULL: ranks read
 * their parts themselves) gets the state of that commit. The state may come
 * from an untrusted source: only its checksum is checked. The plan, which is
 * borrowed until recorder_resume, must be the one of recorder_create, except
 * that steps, versions and capacities may be larger. STATUS_INPUT, with the
 * difference, if the file is of another run or cannot be resumed. */
struct resumption;
enum status recorder_find(const char *path, const struct recording_plan *plan,
                          void *restart, struct resumption **found,
                          struct error *error);
void resumption_release(struct resumption *found);

/* The committed frames, and the position of the state in the file. */
int64_t resumption_rows(const struct resumption *found);
uint64_t resumption_state_at(const struct resumption *found);

/* Resumes what was found, and releases it. Data after the commit is no longer
 * counted. If the file has too little room (it was shortened at its end, or
 * there are more steps), or its text "parameters" is not the plan's, a new file
 * is created and renamed over it. */
enum status recorder_resume(struct resumption *found,
                            struct recorder **recorder, struct error *error);

/* From this call on, threads of the recorder write the frames' fields and make
 * commits while the caller continues. The arrays of a frame's fields are then
 * borrowed until `rows` - 1 more calls of recorder_row with a frame that is
 * stored completely, recorder_close or recorder_abandon have returned. A commit
 * is durable when the next one, or recorder_close, returns. An error is
 * returned by a later call. rows ≥ 2. Call it once. The bytes and their order
 * on the disk are the same. */
enum status recorder_overlap(struct recorder *recorder, size_t rows,
                             struct error *error);

/* If ranks share a run, the first rank creates its recorder or resumes it, the
 * others call recorder_follow, and then all call recorder_share together, each
 * with its own block of the grid. From then on fields are of that block, and
 * all ranks call the functions for frames, arrival fields, commits and the end
 * together. The other functions do nothing in ranks that follow. Each rank
 * writes its part of a frame by itself or, if `collective`, all write it
 * together by MPI. */
enum status recorder_follow(const char *path, const struct recording_plan *plan,
                            struct recorder **recorder, struct error *error);
enum status recorder_share(struct recorder *recorder, struct ranks *ranks,
                           const struct box *own, bool collective,
                           struct error *error);

/* A field in place in memory: rows of nx numbers; `row` and `layer` are the
 * distances between rows and between layers, in numbers. */
struct recording_lying {
    const void *values;
    ptrdiff_t row, layer;
};

/* The data of one frame: arrays, packed, borrowed during the call. */
struct recording_fields {
    int64_t step;
    /* [wave]: (nz, ny, nx) of the whole grid in the plan's real type; the
     * recorder takes the region out of it. NULL if the plan does not have the
     * field, and for amplitudes of frames of which nothing is stored
     * (recorder_keeps). */
    const void *const *amplitude;
    const void *const *gradient[GRID_AXES];
    /* [wave]: the amplitude in place in memory, for frames of which only the
     * checksum is stored; not borrowed after the call. NULL: packed. */
    const struct recording_lying *lying;
    /* (agents): position and heading of each, and its state. */
    const double *agent_at[GRID_AXES], *agent_heading[GRID_AXES];
    const int8_t *agent_state;
    double target_at[GRID_AXES], target_heading[GRID_AXES];
    int8_t target_state;
    /* (RELAY_COUNTERS), in the order of relay_counter_names. */
    int64_t relay[RELAY_COUNTERS];
};

/* What is stored of the amplitudes of a frame: between keyframes mostly
 * nothing, and of some frames the checksum (layout.h; recorder_row also stores
 * that of any other frame whose amplitudes are given). */
enum kept { KEPT_NOTHING, KEPT_CHECKSUM, KEPT_WHOLE };
enum kept recorder_keeps(const struct recorder *recorder, int64_t row);

/* Writes frame `row` (0, 1, … in order). A frame whose step is no multiple of
 * `every` is the last one: a resumed run overwrites it. */
enum status recorder_row(struct recorder *recorder, int64_t row,
                         const struct recording_fields *fields,
                         struct error *error);

/* Writes version `version` of the terrain. */
enum status recorder_terrain(struct recorder *recorder, size_t version,
                             const struct terrain *terrain,
                             struct error *error);

/* Stores the first-arrival field of a wave, (nz, ny, nx) int32: steps, −1
 * never. May be called again; it is written at commits. */
enum status recorder_arrival_field(struct recorder *recorder, int wave,
                                   const int32_t *arrival, struct error *error);

/* Rows of the tables. STATUS_DISK if a table is full. Cells are indices in the
 * whole grid. */
enum status recorder_emission(struct recorder *recorder, int wave, int64_t step,
                              size_t cell, struct error *error);
struct recorded_arrival {
    int agent, wave;
    int64_t step;
    enum arrival_quantity quantity; /* of amplitude and gradient */
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

/* Makes all frames below `rows` durable. `restart` (restart_bytes of the
 * caller's state after the step from which the run would be resumed) goes to
 * the slot that the last commit did not use. */
enum status recorder_commit(struct recorder *recorder, int64_t rows,
                            const void *restart, struct error *error);

/* The same if ranks share the run, all together; `state` is this rank's part of
 * the state, or NULL. */
enum status recorder_commit_shared(struct recorder *recorder, int64_t rows,
                                   const struct state_shared *state,
                                   struct error *error);

/* Is the last commit durable? If not, the next one waits for it. */
bool recorder_settled(const struct recorder *recorder);

/* Stores the mean time to simulate a step in /provenance; call it before
 * recorder_close. */
void recorder_step_time(struct recorder *recorder, int64_t nanoseconds);

/* Closes the recording. The last commit must have been made. A run with fewer
 * frames than planned gets its true extents: it is copied to a new file that is
 * renamed over the first. If there is no space the first file stays, and `note`
 * (may be NULL, of ERROR_MESSAGE_SIZE) says so. Frees the recorder, whatever it
 * returns. */
enum status recorder_close(struct recorder *recorder, enum run_state state,
                           char *note, struct error *error);

/* Frees the recorder without an error: the file stays as the last commit left
 * it, and a new file without a commit is removed. */
void recorder_abandon(struct recorder *recorder);

#endif
