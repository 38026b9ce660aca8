/* SPDX-License-Identifier: MIT */
/* A recorder's file: its columns, its marks in /status and its slots of
 * /restart; and what the files of this folder do for one another. */
#ifndef HAMON_RECORDING_WRITE_FILE_H
#define HAMON_RECORDING_WRITE_FILE_H

#include "base/errand.h"
#include "recording/format/layout.h"
#include "recording/write/recorder.h"

/* A piece that the checksum brings into the cache for the write behind it. */
enum { PIECE_BYTES = 1 << 18, COLUMN_BYTES = 4096 };

/* A variable that grows by small pieces at its end: what is gathered here is
 * written when it is full, and at commits. */
struct column {
    const struct layout_item *item; /* NULL: not in this recording */
    uint64_t end;                   /* bytes written and gathered */
    size_t gathered;
    unsigned char bytes[COLUMN_BYTES];
};

/* A variable by rows (of time or of versions), and its checksums. */
struct row_column {
    struct column data; /* `bytes` used for small rows only */
    struct column crc;
};

enum { TABLE_COLUMNS = 11 };

struct table {
    struct column columns[TABLE_COLUMNS];
    int64_t rows, capacity; /* 0: no such table */
};

/* The scalars, most of them in /status, in the order in which they are written
 * at a commit: readers take tables' rows past the last committed step as
 * absent, and so `committed` comes last. The others are written at the end. */
enum mark {
    MARK_TABLES, /* TABLES of them */
    MARK_PLAN_CELLS = MARK_TABLES + TABLES,
    MARK_SEQUENCE,
    MARK_COMMITTED,
    MARK_STEP_NANOSECONDS,
    MARK_STATE,
    MARKS
};
extern const char *const recorder_mark_names[MARKS];

/* How far a commit comes, which /status tells too. A slot of /restart has it in
 * front of the caller's state, little-endian, all of it under one checksum, so
 * that a torn slot is known. */
enum { SLOT_MAGIC = 0x33534d48 /* "HMS3" */, SLOTS = 2 };
struct slot_header {
    uint32_t magic;
    uint32_t crc; /* of all behind it, the state too */
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
    struct shape shape; /* as laid out */
    struct grid grid;
    struct box region;
    int64_t keyframes;
    bool cut; /* the region is a part of the grid */
    char *title;
    struct layout_header header;
    int64_t next_row, committed, sequence;
    int64_t every;
    int64_t first_row; /* that this program writes; time holds it anew */
    bool odd_end;      /* the last row's step is no multiple of `every` */
    int64_t step_nanoseconds; /* 0: unknown */
    int64_t marks[MARKS];
    const struct layout_item *mark_items[MARKS];
    /* Rows of time: [wave * (1 + dims) + 0 amplitude, 1 … gradient]; and of
     * agents, target and relay, in the order of recorder.c's small_names. */
    struct row_column *waves;
    struct row_column small[SMALL_COLUMNS];
    /* Rows of versions: root and /world. */
    struct row_column terrain[2][TERRAIN_ARRAYS];
    size_t versions_written;
    const struct layout_item *arrival_fields[RECORDING_MAX_WAVES];
    struct table tables[TABLES];
    struct column plan_cells[GRID_AXES];
    const struct layout_item *slots[SLOTS];
    size_t restart_bytes;
    unsigned char *gather; /* for fields cut out of the grid */
    size_t unsent; /* bytes of fields written that no writeback was begun for */
    bool blank;    /* the file is as it was laid out: zeros need no writing */
    bool provisional;        /* a new file before its first commit */
    struct overlap *overlap; /* NULL: everything is done at once */
    struct shared *shared;   /* NULL: one process writes it all */
    bool follows;            /* another rank than the first: has no file */
};

/* ---- layout.c ---- */

/* What the plan needs; its text of this name, "" if it has none. */
enum status recording_plan_shape(const struct recording_plan *plan,
                                 struct shape *shape, struct error *error);
struct layout_header recording_plan_header(const struct recording_plan *plan);
const char *recording_plan_text(const struct recording_plan *plan,
                                const char *name);

/* A file laid out under a temporary name: reserved, -1 in its tables, locked
 * by fd. On failure nothing is left. */
struct laid_out {
    char *temporary; /* memory_release */
    int fd;
    struct layout layout;
};
enum status laid_out_make(const char *path, const struct shape *shape,
                          const struct layout_header *header,
                          struct laid_out *laid_out, struct error *error);
void laid_out_undo(struct laid_out *laid_out);

/* Writes the values that the plan brings and no row changes. */
enum status laid_out_write_plan(const struct laid_out *laid_out,
                                const char *path,
                                const struct recording_plan *plan,
                                struct error *error);

/* Copies what two layouts share: the leading part of each variable. */
enum status laid_out_copy(int from, const struct layout *old,
                          const struct laid_out *to, const char *path,
                          struct error *error);

/* Syncs the file and renames it to `path`. */
enum status laid_out_publish(struct laid_out *laid_out, const char *path,
                             bool force, struct error *error);

/* ---- recorder.c ---- */

/* A recorder of the plan that has no file yet; gives it its file; and finds its
 * columns in its layout. */
enum status recorder_start(const char *path, const struct recording_plan *plan,
                           struct recorder **recorder, struct error *error);
enum status recorder_adopt(struct recorder *recorder, struct laid_out *file,
                           struct error *error);
enum status recorder_bind(struct recorder *recorder, struct error *error);

/* From here on the file stays, whatever happens. */
void recorder_keep(struct recorder *recorder);

/* Calls `visit` with each column until it fails: those of the waves, which the
 * thread that writes rows has for itself, and all others. */
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

/* The message for a write that failed: file, variable and place. */
enum status recorder_write_error(const struct recorder *recorder,
                                 const char *variable, int64_t row,
                                 struct error *error);

/* The fields of a row; 0 as the checksum of each row below `rows` that has
 * none; and all that is gathered of the fields below it. */
enum status recorder_write_waves(struct recorder *recorder, int64_t row,
                                 const struct recording_fields *fields,
                                 struct error *error);
enum status recorder_skip_waves(struct recorder *recorder, int64_t rows,
                                struct error *error);
enum status recorder_finish_waves(struct recorder *recorder, int64_t rows,
                                  struct error *error);

/* ---- overlap.c ---- */

/* Waits until no row, or no commit, is being written; returns its fault, or
 * that of a row before it. */
enum status overlap_settle_rows(struct recorder *recorder, struct error *error);
enum status overlap_settle_commit(struct recorder *recorder,
                                  struct error *error);
/* Writes the row's fields, or makes the commit: here, or in the thread for it
 * as soon as the one before is done. */
enum status overlap_row(struct recorder *recorder, int64_t row,
                        const struct recording_fields *fields,
                        struct error *error);
enum status overlap_commit(struct recorder *recorder,
                           const struct slot_header *commit,
                           struct error *error);
void overlap_release(struct overlap *overlap);

/* ---- commit.c ---- */

/* Data, sync, marks, sync, for what is written out. */
enum status commit_make(struct recorder *recorder,
                        const struct slot_header *commit, struct error *error);

/* A slot's header but for its checksum, which is that of this front and the
 * state after it. */
struct slot_header slot_header_make(const struct recorder *recorder,
                                    int64_t rows);
uint32_t slot_crc_front(const struct slot_header *header);

/* Cells used of /plans. */
int64_t recorder_path_cells(const struct recorder *recorder);
enum status recorder_write_mark(struct recorder *recorder, enum mark mark,
                                int64_t value, struct error *error);
/* Those of a commit; `committed` comes last. */
enum status recorder_write_marks(struct recorder *recorder,
                                 const struct slot_header *commit,
                                 struct error *error);
/* Rows below `rows` are named if it fails. */
enum status recorder_sync(struct recorder *recorder, int64_t rows,
                          struct error *error);

/* ---- shared.c: ranks that share a run; all call these together ---- */

/* This rank's part of a row's fields and of its checksums; of the checksums
 * alone, of a row that is not stored; of a first-arrival field. */
enum status shared_waves(struct recorder *recorder, int64_t row,
                         const struct recording_fields *fields,
                         struct error *error);
enum status shared_sums(struct recorder *recorder, int64_t row,
                        const struct recording_fields *fields,
                        struct error *error);
enum status shared_arrival_field(struct recorder *recorder, int wave,
                                 const int32_t *arrival, struct error *error);
/* Joins the checksums of the rows since the last commit in the first rank,
 * which writes them. */
enum status shared_checksums(struct recorder *recorder, struct error *error);
/* A state into the next slot: its fields by all, the rest of it by the first.
 */
enum status shared_state(struct recorder *recorder, int64_t rows,
                         const struct state_shared *state, struct error *error);
/* No mark of a commit is written before every rank's data is durable, and the
 * next commit touches no slot before this one is done. */
enum status shared_settle(struct recorder *recorder, struct error *error);
void shared_meet(struct recorder *recorder);
/* Can threads of the ranks communicate beside one another? */
bool shared_overlaps(const struct recorder *recorder);
void shared_release(struct shared *shared);

#endif
