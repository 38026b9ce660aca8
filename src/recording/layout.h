/* SPDX-License-Identifier: MIT */
/* A layout: the schema with everything filled in for one recording. The
 * writer makes it from its plan, the reader from what it finds in the file,
 * to hold the file against. */
#ifndef HAMON_RECORDING_LAYOUT_H
#define HAMON_RECORDING_LAYOUT_H

#include "base/status.h"
#include "recording/schema.h"
#include "world/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shape_text {
    char name[RECORDING_TEXT_NAME_SIZE];
    int64_t length;
};

enum {
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

/* The item of this name, or NULL. */
struct layout_item *layout_find(const struct layout *layout, const char *name);

/* Adds the gradients of a recording with keyframes, which are not stored. */
enum status layout_derive(struct layout *layout, const struct shape *shape,
                          struct error *error);

/* Of rows 0, 1, K, K + 1, 2K, …: how many there are among `rows` rows, whether
 * a row is one, and which. */
int64_t keyframes_of(int64_t rows, int64_t every);
bool keyframe_at(int64_t row, int64_t every, int64_t *index);

/* Of rows between keyframes those at multiples of this have checksums in /crc,
 * and the last of a run that came to its end; where none is kept, 0 stands
 * (that of a row may be 0 too, and then holds nothing). Each costs a pass
 * through memory, and the stepper a look at a generation: it runs as many in
 * one pass. */
enum { KEYFRAME_SUMS = 16 };

/* Bytes of one row of the item: of one index of its first axis. */
size_t layout_row_bytes(const struct layout_item *item);

/* A field over the cells of the map: what packing packs. */
bool layout_is_field(const struct layout_item *item);

/* A packed field as its rows and chunks lie, always with z, y and x: what has
 * no rows of time or versions is one row. */
struct tiling {
    int64_t rows;
    size_t extent[GRID_AXES], tile[GRID_AXES], count[GRID_AXES]; /* z, y, x */
    size_t tiles;                                                /* of a row */
    size_t element;                                              /* bytes */
    size_t bytes; /* of a chunk, whole */
};
struct tiling layout_tiling(const struct layout_item *item);

/* The item that holds the places of a packed field's chunks, NULL: none. */
const struct layout_item *layout_places(const struct layout *layout,
                                        const struct layout_item *item);

/* Attributes of the root that a plan brings. */
struct layout_header {
    const char *title;
    double cell_metres, step_seconds; /* 0: none */
};

/* Creates (truncating) the HDF5 file `path` with every dataset of the layout,
 * allocated and not filled, and sets the items' offsets. The file is closed
 * on return and is as long as it will ever be. Messages do not name it. */
enum status layout_create(const char *path, const struct layout_header *header,
                          struct layout *layout, struct error *error);

/* The bytes that layout_create would take, to a page for each large dataset;
 * nothing is written. */
enum status layout_bytes(const struct layout_header *header,
                         const struct layout *layout, uint64_t *bytes,
                         struct error *error);

#endif
