/* SPDX-License-Identifier: MIT */
/* A recorder's file: its columns, its values in /status and its slots of
 * /restart; and the functions that the files of this folder call in each other.
 * A row is one index of a variable's first axis, for variables along time a
 * frame. */
#ifndef HAMON_RECORDING_WRITE_FILE_H
#define HAMON_RECORDING_WRITE_FILE_H

#include "base/worker.h"
#include "recording/format/layout.h"
#include "recording/write/recorder.h"

/* The size of pieces: small enough that the checksum has it in the cache for
 * the write after it. */
enum { PIECE_BYTES = 1 << 18, COLUMN_BYTES = 4096 };

/* A variable that grows in small pieces. They are collected here and written
 * when the buffer is full, and at commits. */
struct column {
    const struct layout_item *item; /* NULL: not in this recording */
    uint64_t end;                   /* bytes written and collected */
    size_t gathered;
    unsigned char bytes[COLUMN_BYTES];
};

/* A variable by rows (of time or of versions), and its checksums. */
struct row_column {
    struct column data; /* the buffer `bytes` is used for small rows only */
    struct column crc;
};

enum { TABLE_COLUMNS = 11 };

struct table {
    struct column columns[TABLE_COLUMNS];
    int64_t rows, capacity; /* 0: no such table */
};

/* The scalars, most of them in /status, in the order in which they are written
 * at a commit: readers ignore tables' rows after the last committed step, so
 * `committed` comes last. The others are written at the end of a run. */
enum mark {
    MARK_TABLES, /* one for each of the TABLES */
    MARK_PLAN_CELLS = MARK_TABLES + TABLES,
    MARK_SEQUENCE,
    MARK_COMMITTED,
    MARK_STEP_NANOSECONDS,
    MARK_STATE,
    MARKS
};
extern const char *const recorder_mark_names[MARKS];

/* The counts of a commit, as in /status. In a slot of /restart they come before
 * the caller's state, little-endian, and one checksum covers both, so that an
 * incompletely written slot is recognised. */
enum { SLOT_MAGIC = 0x33534d48 /* "HMS3" */, SLOTS = 2 };
struct slot_header {
    uint32_t magic;
    uint32_t crc; /* of everything after it, including the state */
    int64_t sequence, rows, bytes;
    int64_t table_rows[TABLES], plan_cells, versions;
};

enum {
    SMALL_NAMED = 4 * GRID_AXES + 2,
    SMALL_COLUMNS = SMALL_NAMED + RELAY_COUNTERS,
};

struct recorder {
    char *path;
    int fd;
    struct layout layout;
    struct shape shape; /* of the file */
    struct grid grid;
    struct box region;
    int64_t keyframes;
    bool cut; /* the region is only a part of the grid */
    char *title;
    struct layout_header header;
    int64_t next_row, committed, sequence;
    int64_t every;
    /* the first that this program writes; its time is written again */
    int64_t first_row;
    bool odd_end; /* the last frame's step is no multiple of `every` */
    int64_t step_nanoseconds; /* 0: unknown */
    int64_t marks[MARKS];
    const struct layout_item *mark_items[MARKS];
    /* Columns along time: [wave * (1 + dims) + 0 amplitude, 1 … gradient]; and
     * of agents, target and relay, in the order of small_names in
     * recorder.c. */
    struct row_column *waves;
    struct row_column small[SMALL_COLUMNS];
    /* Columns along versions: of the root and of /world. */
    struct row_column terrain[2][TERRAIN_ARRAYS];
    size_t versions_written;
    const struct layout_item *arrival_fields[RECORDING_MAX_WAVES];
    struct table tables[TABLES];
    struct column plan_cells[GRID_AXES];
    const struct layout_item *slots[SLOTS];
    size_t restart_bytes;
    unsigned char *gather; /* buffer for the region's part of a field */
    /* bytes of fields written since the last writeback was begun */
    size_t unsent;
    bool blank;       /* a newly created file: zeros need not be written */
    bool provisional; /* a new file before its first commit */
    struct overlap *overlap; /* NULL: the caller does everything itself */
    struct shared *shared;   /* NULL: one process writes everything */
    bool follows;            /* a rank other than the first: it has no file */
};

/* ---- layout.c ---- */

/* The shape that the plan needs; and its text with this name, "" if there is
 * none. */
enum status recording_plan_shape(const struct recording_plan *plan,
                                 struct shape *shape, struct error *error);
struct layout_header recording_plan_header(const struct recording_plan *plan);
const char *recording_plan_text(const struct recording_plan *plan,
                                const char *name);

/* A file created under a temporary name: space is reserved, tables contain -1,
 * fd has it locked. On failure no file is left. */
struct laid_out {
    char *temporary; /* release with memory_release */
    int fd;
    struct layout layout;
};
enum status laid_out_make(const char *path, const struct shape *shape,
                          const struct layout_header *header,
                          struct laid_out *laid_out, struct error *error);
void laid_out_undo(struct laid_out *laid_out);

/* Writes the values of the plan that do not change with frames. */
enum status laid_out_write_plan(const struct laid_out *laid_out,
                                const char *path,
                                const struct recording_plan *plan,
                                struct error *error);

/* Copies what two layouts have in common: the first part of each variable. */
enum status laid_out_copy(int from, const struct layout *old,
                          const struct laid_out *to, const char *path,
                          struct error *error);

/* Syncs the file and renames it to `path`. */
enum status laid_out_publish(struct laid_out *laid_out, const char *path,
                             bool force, struct error *error);

/* ---- recorder.c ---- */

/* Makes a recorder of the plan without a file; gives it its file; finds its
 * columns in the layout. */
enum status recorder_start(const char *path, const struct recording_plan *plan,
                           struct recorder **recorder, struct error *error);
enum status recorder_adopt(struct recorder *recorder, struct laid_out *file,
                           struct error *error);
enum status recorder_bind(struct recorder *recorder, struct error *error);

/* From this call on the file is kept, also after an error. */
void recorder_keep(struct recorder *recorder);

/* Call `visit` with each column until it fails: with those of the waves, which
 * belong to the thread that writes rows, or with all others. */
typedef enum status column_visitor(struct recorder *recorder,
                                   struct column *column, struct error *error);
enum status recorder_each_wave(struct recorder *recorder, column_visitor *visit,
                               struct error *error);
enum status recorder_each_small(struct recorder *recorder,
                                column_visitor *visit, struct error *error);

/* ---- rows.c ---- */

enum status column_append(struct recorder *recorder, struct column *column,
                          const void *data, size_t bytes, struct error *error);
enum status column_flush(struct recorder *recorder, struct column *column,
                         struct error *error);

/* The message for a write that failed: file, variable and row. */
enum status recorder_write_error(const struct recorder *recorder,
                                 const char *variable, int64_t row,
                                 struct error *error);

/* Writes the fields of a row; writes 0 as checksum of each row below `rows`
 * that has none; and writes out the buffers of the fields. */
enum status recorder_write_waves(struct recorder *recorder, int64_t row,
                                 const struct recording_fields *fields,
                                 struct error *error);
enum status recorder_skip_waves(struct recorder *recorder, int64_t rows,
                                struct error *error);
enum status recorder_finish_waves(struct recorder *recorder, int64_t rows,
                                  struct error *error);

/* ---- overlap.c ---- */

/* Waits until no row, or no commit, is being written. Returns its error, or
 * that of an earlier one. */
enum status overlap_settle_rows(struct recorder *recorder, struct error *error);
enum status overlap_settle_commit(struct recorder *recorder,
                                  struct error *error);
/* Writes the row's fields, or makes the commit: at once, or in the thread for
 * it after earlier ones are done. */
enum status overlap_row(struct recorder *recorder, int64_t row,
                        const struct recording_fields *fields,
                        struct error *error);
enum status overlap_commit(struct recorder *recorder,
                           const struct slot_header *commit,
                           struct error *error);
void overlap_release(struct overlap *overlap);

/* ---- commit.c ---- */

/* Data, sync, /status, sync, for rows that are written. */
enum status commit_make(struct recorder *recorder,
                        const struct slot_header *commit, struct error *error);

/* The header of a slot except its checksum, which covers the rest of the header
 * and the state. */
struct slot_header slot_header_make(const struct recorder *recorder,
                                    int64_t rows);
uint32_t slot_crc_front(const struct slot_header *header);

/* The rows of /plans/path in use. */
int64_t recorder_path_cells(const struct recorder *recorder);
enum status recorder_write_mark(struct recorder *recorder, enum mark mark,
                                int64_t value, struct error *error);
/* Writes the values of a commit; `committed` comes last. */
enum status recorder_write_marks(struct recorder *recorder,
                                 const struct slot_header *commit,
                                 struct error *error);
/* `rows` is for the message if it fails. */
enum status recorder_sync(struct recorder *recorder, int64_t rows,
                          struct error *error);

/* ---- shared.c: ranks that share a run; all call these together ---- */

/* This rank's part: of a row's fields and of their checksums; of only the
 * checksums, for a frame that is not stored; of a first-arrival field. */
enum status shared_waves(struct recorder *recorder, int64_t row,
                         const struct recording_fields *fields,
                         struct error *error);
enum status shared_sums(struct recorder *recorder, int64_t row,
                        const struct recording_fields *fields,
                        struct error *error);
enum status shared_arrival_field(struct recorder *recorder, int wave,
                                 const int32_t *arrival, struct error *error);
/* Combines the checksums of the rows since the last commit in the first rank,
 * which writes them. */
enum status shared_checksums(struct recorder *recorder, struct error *error);
/* Writes a state into the next slot: all ranks its fields, the first rank the
 * rest. */
enum status shared_state(struct recorder *recorder, int64_t rows,
                         const struct state_shared *state, struct error *error);
/* No value of a commit is written before every rank's data is durable, and the
 * next commit writes no slot before this one is complete. */
enum status shared_settle(struct recorder *recorder, struct error *error);
void shared_meet(struct recorder *recorder);
/* Can two threads of each rank communicate at the same time? */
bool shared_overlaps(const struct recorder *recorder);
void shared_release(struct shared *shared);

#endif
