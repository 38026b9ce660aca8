/* SPDX-License-Identifier: MIT */
/* A layout: the schema with everything filled in for one recording, that is
 * each dataset with its extents and its place in the file. The writer makes it
 * from its plan; the reader makes it from what it finds and compares the file
 * with it. */
#ifndef HAMON_RECORDING_FORMAT_LAYOUT_H
#define HAMON_RECORDING_FORMAT_LAYOUT_H

#include "base/status.h"
#include "recording/format/schema.h"
#include "world/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shape_text {
    char name[RECORDING_TEXT_NAME_SIZE];
    int64_t length;
};

enum {
    LAYOUT_HISTORY_SIZE = 2048,
    LAYOUT_CHUNK_MOST = 1 << 20, /* bytes of a chunk */
    LAYOUT_DEFLATE_MOST = 1032,  /* bytes that deflate makes of one, at most */
    /* Cells that a packed field may have on its word alone, 4096² or 256³; more
     * are believed at so many for each byte that the file has. */
    LAYOUT_CELLS_FREE = 1 << 24,
    LAYOUT_CELLS_A_BYTE = 2,
};

/* Everything that a layout depends on. */
struct shape {
    unsigned parts;
    enum element_type real;
    int waves;
    int64_t length[AXES];     /* of the root's z, y, x: the region's */
    int64_t world[GRID_AXES]; /* x, y, z of /world */
    int64_t tile[GRID_AXES];  /* x, y, z of the root's chunks, where packed */
    int64_t world_tile[GRID_AXES]; /* of /world's */
    struct shape_text texts[RECORDING_MAX_TEXTS];
    size_t text_count;
};

/* A chunk in the file; both 0 where it was never written: it reads as 0. */
struct chunk_place {
    int64_t address, bytes;
};

struct layout_item {
    struct variable variable;
    const struct schema_entry *entry;
    int wave;       /* of `#` */
    int letter;     /* of `@`: 0 x, 1 y, 2 z */
    size_t of;      /* of checksums and places: the index of their item */
    uint64_t bytes; /* 0: a dimension alone */
    uint64_t offset;
    /* Packed fields: the extents of a chunk, 1 along time and versions;
     * chunk[0] is 0 for all that is contiguous. */
    int64_t chunk[VARIABLE_MAX_RANK];
    struct chunk_place
        ends[2];    /* of the first and the last chunk, as HDF5 says */
    bool keyframed; /* rows of `time` of which only keyframes are stored */
    bool derived;   /* not in the file: computed from what is */
    int keep_bits;  /* of the mantissa, told in an attribute; 0: all */
};

struct layout {
    struct layout_item *items;
    size_t count;
};

/* Fills in the schema; offsets stay 0. STATUS_INPUT where an extent is below
 * 1, sizes do not fit or limits are passed. Release with layout_release. */
enum status layout_expand(const struct shape *shape, struct layout *layout,
                          struct error *error);
void layout_release(struct layout *layout);

/* A name or text of the schema with `#` and `@` filled in, cut off where it
 * does not fit. */
void layout_name(const char *template, int wave, int letter, char *name,
                 size_t size);

/* The unit of an item's values as they are stored: "cell" of positions that a
 * scale makes metres of, "s" of a time in seconds; "": none. */
const char *layout_units(const struct layout *layout,
                         const struct layout_item *item);

/* What the item is, in words, cut off where it does not fit; "": not said. */
void layout_long_name(const struct layout *layout,
                      const struct layout_item *item, char *text, size_t size);

/* The item of this name, or NULL. */
struct layout_item *layout_find(const struct layout *layout, const char *name);

/* Adds the gradients of a recording with keyframes, which are not stored. */
enum status layout_derive(struct layout *layout, const struct shape *shape,
                          struct error *error);

/* Of rows 0, 1, K, K + 1, 2K, …: how many there are among `rows` rows, whether
 * a row is one, and which. */
int64_t layout_keyframe_count(int64_t rows, int64_t every);
bool layout_keyframe_at(int64_t row, int64_t every, int64_t *index);

/* Of rows between keyframes those at multiples of this have checksums in /crc,
 * and so has the last row of a run that came to its end; 0 means that none is
 * kept (a checksum may be 0 too: then it is not compared). Each costs a pass
 * through memory, and the stepper, which computes several generations in one
 * pass, must stop for it. */
enum { KEYFRAME_SUMS = 16 };

/* Rows that a table has which holds so many: a dataset of no rows cannot be
 * contiguous, and one that is not used keeps a row of -1. */
static inline int64_t layout_rows(int64_t rows)
{
    return rows > 0 ? rows : 1;
}

/* Bytes of one row of the item: of one index of its first axis. */
size_t layout_row_bytes(const struct layout_item *item);

/* A field over the cells of the map: what packing packs. */
bool layout_is_field(const struct layout_item *item);

/* The item that holds the places of a packed field's chunks, or the checksums
 * of an item by rows; NULL: none. */
const struct layout_item *layout_places(const struct layout *layout,
                                        const struct layout_item *item);
const struct layout_item *layout_checksums(const struct layout *layout,
                                           const struct layout_item *item);

/* Does the item hold -1, or NaN if its values are real, until something is
 * written, as tables and first-arrival fields do? All else is 0. */
bool layout_starts_unused(const struct layout_item *item);

/* Writes -1, or NaN, from byte `from` of the item to its end; false with errno.
 */
bool layout_fill_unused(int fd, const struct layout_item *item, uint64_t from);

/* Attributes of the root that a plan brings. */
struct layout_header {
    const char *title;
    double cell_metres, step_seconds; /* 0: none */
    char history[LAYOUT_HISTORY_SIZE];
};

/* Sets header->history, as CF has it: the date and the command that made the
 * file, cut off where it does not fit. NULL: not known. */
void layout_set_history(struct layout_header *header, const char *date,
                        const char *command);

/* Creates (truncating) the HDF5 file `path` with every dataset of the layout,
 * allocated and not filled, and sets the items' offsets. The file is closed
 * on return and is as long as it will ever be. Messages call it `name`. */
enum status layout_create(const char *path, const char *name,
                          const struct layout_header *header,
                          struct layout *layout, struct error *error);

/* The bytes that layout_create would take, to a page for each large dataset;
 * nothing is written. */
enum status layout_bytes(const struct layout_header *header,
                         const struct layout *layout, uint64_t *bytes,
                         struct error *error);

#endif
