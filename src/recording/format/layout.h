/* SPDX-License-Identifier: MIT */
/* A layout: the schema filled in for one recording: each dataset with its
 * extents and its position in the file. The writer makes it from its plan. The
 * reader makes it from what it finds in a file, and compares the file with
 * it. */
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
    LAYOUT_CHUNK_MOST = 1 << 20, /* maximum bytes of a chunk */
    LAYOUT_DEFLATE_MOST = 1032,  /* maximum bytes that deflate makes of one */
    /* The cells that a packed field may have in a file of any size, 4096² or
     * 256³; more are accepted only up to a number of cells for each byte of the
     * file. */
    LAYOUT_CELLS_FREE = 1 << 24,
    LAYOUT_CELLS_A_BYTE = 2,
};

/* All values that a layout depends on. */
struct shape {
    unsigned parts;
    enum element_type real;
    int waves;
    int64_t length[AXES];          /* of the root's axes z, y, x: the region */
    int64_t world[GRID_AXES];      /* x, y, z of the whole map, in /world */
    int64_t tile[GRID_AXES];       /* x, y, z of the root's chunks, if packed */
    int64_t world_tile[GRID_AXES]; /* of /world's */
    struct shape_text texts[RECORDING_MAX_TEXTS];
    size_t text_count;
};

/* The address and size of a chunk in the file. Both are 0 if it was never
 * written: it reads as 0. */
struct chunk_place {
    int64_t address, bytes;
};

struct layout_item {
    struct variable variable;
    const struct schema_entry *entry;
    int wave;       /* number for `#` in its name */
    int letter;     /* for `@` in its name: 0 x, 1 y, 2 z */
    size_t of;      /* of checksums and chunk lists: the index of their item */
    uint64_t bytes; /* 0: a dimension without values */
    uint64_t offset;
    /* For packed fields: the extents of a chunk, 1 along time and versions.
     * chunk[0] is 0 for everything that is contiguous. */
    int64_t chunk[VARIABLE_MAX_RANK];
    struct chunk_place
        ends[2];    /* places of the first and the last chunk, from HDF5 */
    bool keyframed; /* along `time`, but only keyframes are stored */
    bool derived;   /* not in the file: computed from what is stored */
    int keep_bits;  /* bits of the mantissa, stored as an attribute; 0: all */
};

struct layout {
    struct layout_item *items;
    size_t count;
};

/* Fills in the schema; offsets stay 0. STATUS_INPUT if an extent is below 1, a
 * size overflows, or a limit is exceeded. Release with layout_release. */
enum status layout_expand(const struct shape *shape, struct layout *layout,
                          struct error *error);
void layout_release(struct layout *layout);

/* A name or text of the schema with `#` and `@` replaced; cut off if it does
 * not fit. */
void layout_name(const char *template, int wave, int letter, char *name,
                 size_t size);

/* The unit of an item's stored values: "cell" for positions that scale_factor
 * converts to metres, "s" for a time in seconds; "": none. */
const char *layout_units(const struct layout *layout,
                         const struct layout_item *item);

/* The description of an item; cut off if it does not fit; "": none. */
void layout_long_name(const struct layout *layout,
                      const struct layout_item *item, char *text, size_t size);

/* The item of this name, or NULL. */
struct layout_item *layout_find(const struct layout *layout, const char *name);

/* Is `name` an item, the group of one, or "", the root? */
bool layout_has(const struct layout *layout, const char *name);

/* Adds the gradients of a recording with keyframes, which are not stored but
 * computed. */
enum status layout_derive(struct layout *layout, const struct shape *shape,
                          struct error *error);

/* Keyframes are the frames 0, 1, K, K + 1, 2K, … (`every` is K): how many there
 * are among `rows` frames; whether a frame is one, and which. */
int64_t layout_keyframe_count(int64_t rows, int64_t every);
bool layout_keyframe_at(int64_t row, int64_t every, int64_t *index);

/* Between keyframes, the frames at multiples of this have checksums in /crc,
 * and so has the last frame of a finished run. A checksum of 0 means that none
 * is stored (a computed checksum may be 0 too: then it is not compared). Each
 * checksum costs a pass through memory, and interrupts the stepper, which
 * computes several generations in one pass. */
enum { KEYFRAME_SUMS = 16 };

/* The extent of a table with `rows` rows: a dataset with no rows cannot be
 * contiguous, so an empty table has one row of -1. */
static inline int64_t layout_rows(int64_t rows)
{
    return rows > 0 ? rows : 1;
}

/* The bytes of one row of the item, that is of one index of its first axis. */
size_t layout_row_bytes(const struct layout_item *item);

/* Is the item a field over the cells of the map, which packing compresses? */
bool layout_is_field(const struct layout_item *item);

/* layout_places: the item with the places of a packed field's chunks;
 * layout_checksums: the item with the checksums of an item by rows. NULL:
 * none. */
const struct layout_item *layout_places(const struct layout *layout,
                                        const struct layout_item *item);
const struct layout_item *layout_checksums(const struct layout *layout,
                                           const struct layout_item *item);

/* Is the item filled with -1 (NaN if its values are real) until something is
 * written, as tables and first-arrival fields are? Everything else starts as
 * 0. */
bool layout_starts_unused(const struct layout_item *item);

/* Writes -1, or NaN, from byte `from` of the item to its end; false with errno.
 */
bool layout_fill_unused(int fd, const struct layout_item *item, uint64_t from);

/* Attributes of the root that come from the plan. */
struct layout_header {
    const char *title;
    double cell_metres, step_seconds; /* 0: none */
    char history[LAYOUT_HISTORY_SIZE];
};

/* Sets header->history as CF defines it: the date and the command that made the
 * file; cut off if it does not fit. NULL: not known. */
void layout_set_history(struct layout_header *header, const char *date,
                        const char *command);

/* Creates (or truncates) the HDF5 file `path` with every dataset of the layout,
 * allocated but not filled, and sets the items' offsets. The file is closed on
 * return and has its final length. Messages call it `name`. */
enum status layout_create(const char *path, const char *name,
                          const struct layout_header *header,
                          struct layout *layout, struct error *error);

/* The bytes of the file that layout_create would make, up to a page for each
 * large dataset. Nothing is written. */
enum status layout_bytes(const struct layout_header *header,
                         const struct layout *layout, uint64_t *bytes,
                         struct error *error);

#endif
