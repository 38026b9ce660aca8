/* SPDX-License-Identifier: MIT */
/* What a recorder is made of, for its own files only. */
#ifndef HAMON_RECORDING_RECORDER_PARTS_H
#define HAMON_RECORDING_RECORDER_PARTS_H

#include "base/errand.h"
#include "recording/layout.h"
#include "recording/recorder.h"

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

enum table_name { ARRIVALS, EMISSIONS, CAPTURES, PLANS, TABLES };
enum { TABLE_COLUMNS = 10 };
extern const char *const table_names[TABLES];

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
extern const char *const mark_names[MARKS];

/* A slot of /restart: this in front of the caller's state, little-endian, all
 * of it under one checksum, so that a torn slot is known. */
enum { SLOT_MAGIC = 0x32534d48 /* "HMS2" */, SLOTS = 2 };
struct slot_header {
    uint32_t magic;
    uint32_t crc; /* of all behind it, the state too */
    int64_t sequence, rows, bytes;
    int64_t table_rows[TABLES], plan_cells, versions;
};

/* What /status says behind a commit. */
struct commit_marks {
    int64_t rows, sequence;
    int64_t table_rows[TABLES], plan_cells;
};

enum { TERRAIN_VARIABLES = 4 }; /* wall, speed, cost, one_way */

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
    int64_t step_nanoseconds; /* 0: not told */
    int64_t marks[MARKS];
    const struct layout_item *mark_items[MARKS];
    /* Rows of time: [wave * (1 + dims) + 0 amplitude, 1 … gradient]. */
    struct row_column *waves;
    struct row_column agent_at[GRID_AXES], agent_heading[GRID_AXES];
    struct row_column agent_state;
    struct row_column target_at[GRID_AXES], target_heading[GRID_AXES];
    struct row_column target_state;
    struct row_column relay[RELAY_COUNTERS];
    /* Rows of versions: root and /world. */
    struct row_column terrain[2][TERRAIN_VARIABLES];
    size_t versions_written;
    const struct layout_item *arrival_fields[RECORDING_MAX_WAVES];
    struct table tables[TABLES];
    struct column plan_cells[GRID_AXES];
    const struct layout_item *slots[SLOTS];
    size_t restart_bytes;
    unsigned char *gather; /* for fields cut out of the grid */
    size_t unsent; /* bytes of fields written that no writeback was begun for */
    bool blank;    /* the file is as it was laid out: zeros need no writing */
    struct overlap *overlap; /* NULL: everything is done at once */
    struct shared *shared;   /* NULL: one process writes it all */
    bool follows;            /* another rank than the first: has no file */
};

/* recorder_shape.c: what the plan asks for. */
enum status plan_shape(const struct recording_plan *plan, struct shape *shape,
                       struct error *error);

/* recorder_layout.c: lays a file out under a temporary name, ready to be
 * renamed: reserved, with coordinates, texts of the plan (NULL: none), and -1
 * in the tables. fd is locked. On failure nothing is left. */
struct laid_out {
    char *temporary; /* memory_release */
    int fd;
    struct layout layout;
};
enum status lay_out(const char *path, const struct shape *shape,
                    const struct layout_header *header,
                    struct laid_out *laid_out, struct error *error);
void lay_out_undo(struct laid_out *laid_out);

/* Is it -1 where nothing was written? All else is 0. */
bool starts_unused(const struct layout_item *item);

/* -1 into a table's variable from byte `from` to its end; false with errno. */
bool fill_unused(int fd, const struct layout_item *item, uint64_t from);

/* Values that the plan brings and that no row changes. */
enum status write_plan(int fd, const char *path, const struct layout *layout,
                       const struct recording_plan *plan, struct error *error);

/* Copies what two layouts share: the leading part of each variable. */
enum status copy_shared(int from, const struct layout *old, int to,
                        const struct layout *new, const char *path,
                        struct error *error);

/* recorder.c: a recorder of the plan that has no file yet, and its file. */
enum status recorder_start(const char *path, const struct recording_plan *plan,
                           struct recorder **recorder, struct error *error);
enum status recorder_adopt(struct recorder *recorder, struct laid_out *file,
                           struct error *error);

/* recorder_bind.c: finds the recorder's columns in its layout, and calls
 * `visit` with each that is there until it fails: those of the waves, which the
 * thread that writes rows has for itself, and all others. */
typedef enum status column_visitor(struct recorder *recorder,
                                   struct column *column, struct error *error);
enum status recorder_bind(struct recorder *recorder, struct error *error);
enum status recorder_each_wave(struct recorder *recorder, column_visitor *visit,
                               struct error *error);
enum status recorder_each_small(struct recorder *recorder,
                                column_visitor *visit, struct error *error);

/* recorder_column.c */
void column_bind(struct column *column, const struct recorder *recorder,
                 const char *name);
void row_column_bind(struct row_column *column, const struct recorder *recorder,
                     const char *name);
enum status column_append(struct recorder *recorder, struct column *column,
                          const void *data, size_t bytes, struct error *error);
enum status column_flush(struct recorder *recorder, struct column *column,
                         struct error *error);
/* A small row, and its checksum. */
enum status row_column_append(struct recorder *recorder,
                              struct row_column *column, const void *data,
                              size_t bytes, struct error *error);
/* `bytes` at `at` of the item from a field of the whole grid, cut to the
 * region where `cut`; *crc is theirs. */
enum status field_write(struct recorder *recorder,
                        const struct layout_item *item, uint64_t at,
                        size_t bytes, const void *field, bool cut,
                        uint32_t *crc, struct error *error);
/* A large row, cut to the region where `cut`, and its checksum. */
enum status row_column_field(struct recorder *recorder,
                             struct row_column *column, int64_t row,
                             const void *field, bool cut, struct error *error);
/* 0 as the checksum of every row below `row` that was given none. */
enum status row_column_skip(struct recorder *recorder,
                            struct row_column *column, int64_t row,
                            struct error *error);
/* The message for a write that failed: file, variable and place. */
enum status write_error(const struct recorder *recorder, const char *variable,
                        int64_t row, struct error *error);

/* recorder_overlap.c: waits until no row, or no commit, is at hand; its fault
 * where it had one, or a row before it. */
enum status overlap_settle_rows(struct recorder *recorder, struct error *error);
enum status overlap_settle_commit(struct recorder *recorder,
                                  struct error *error);
/* Writes the row's fields, or makes the commit: here, or in the thread for it
 * as soon as the one before is done. */
enum status overlap_row(struct recorder *recorder, int64_t row,
                        const struct recording_fields *fields,
                        struct error *error);
enum status overlap_commit(struct recorder *recorder,
                           const struct commit_marks *marks,
                           struct error *error);
void overlap_release(struct overlap *overlap);

/* recorder_shared_rows.c: this rank's part of a row's fields and of its
 * checksums; */
enum status shared_waves(struct recorder *recorder, int64_t row,
                         const struct recording_fields *fields,
                         struct error *error);
/* of the checksums alone, of a row that is not stored; */
enum status shared_sums(struct recorder *recorder, int64_t row,
                        const struct recording_fields *fields,
                        struct error *error);
/* and the checksums of the rows since the last commit come together in the
 * first rank, which keeps them. All together, as all that follows. */
enum status shared_checksums(struct recorder *recorder, struct error *error);
/* recorder_shared_state.c: a state into the next slot, its fields by all, and
 * behind them the rest of it by the first. */
enum status shared_state(struct recorder *recorder, int64_t rows,
                         const struct state_shared *state, struct error *error);
/* recorder_shared.c: a first-arrival field. */
enum status shared_arrival_field(struct recorder *recorder, int wave,
                                 const int32_t *arrival, struct error *error);
/* Nothing of a commit stands before all have what is theirs durable, and the
 * next one touches no slot before this one stands. */
enum status shared_settle(struct recorder *recorder, struct error *error);
void shared_meet(struct recorder *recorder);
/* Can threads of the ranks speak beside one another? */
bool shared_overlaps(const struct recorder *recorder);
void shared_release(struct shared *shared);

/* recorder_rows.c: the fields of a row; 0 as the checksum of each row below
 * `rows` that has none; and all that is gathered of the fields below it. */
enum status write_waves(struct recorder *recorder, int64_t row,
                        const struct recording_fields *fields,
                        struct error *error);
enum status skip_waves(struct recorder *recorder, int64_t rows,
                       struct error *error);
enum status finish_waves(struct recorder *recorder, int64_t rows,
                         struct error *error);

/* recorder_commit.c: data, sync, marks, sync, for what is written out. */
enum status commit_marks(struct recorder *recorder,
                         const struct commit_marks *marks, struct error *error);

/* recorder_commit.c: a slot's header but for its checksum, which is that of
 * this front and the state behind it; cells used of /plans, marks. */
int64_t path_cells(const struct recorder *recorder);
struct slot_header slot_header_of(const struct recorder *recorder,
                                  int64_t rows);
uint32_t slot_crc_front(const struct slot_header *header);
enum status write_mark(struct recorder *recorder, enum mark name, int64_t value,
                       struct error *error);
/* Rows below `rows` are named where it fails. */
enum status sync_data(struct recorder *recorder, int64_t rows,
                      struct error *error);

#endif
