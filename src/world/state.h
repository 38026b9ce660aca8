/* SPDX-License-Identifier: MIT */
/* The state that a restart needs. A module names its variables in one function;
 * that function measures, saves and loads them, in one order.
 *
 * If ranks share the run, the state has the same bytes as that of one process,
 * but no rank has all of it: the first rank has all but the fields, and each
 * rank has its block of the fields. Saving makes a list of this rank's pieces,
 * for a recorder to write. Loading reads from a file what the rank needs. All
 * ranks call the functions together. */
#ifndef HAMON_WORLD_STATE_H
#define HAMON_WORLD_STATE_H

#include "base/random.h"
#include "base/ranks.h"
#include "base/status.h"
#include "world/split.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum state_mode { STATE_MEASURE, STATE_SAVE, STATE_LOAD };

/* A field over a box of the world: items (z, y, x) from `cells` on, rows and
 * layers this many items apart. */
struct state_field {
    void *cells;
    size_t item;
    ptrdiff_t row, layer;
    struct box box;
};

/* What one rank has of the state at byte `at`: `bytes` plain ones, or where
 * bytes = 0 the own block of a field that is there whole. */
struct state_piece {
    uint64_t at;
    size_t bytes;
    const void *data;
    struct state_field field;
};

/* Of one rank. Its owner sets ranks and share, and to load from it the file. */
struct state_shared {
    struct ranks *ranks;
    struct share share;
    struct state_piece *pieces;
    size_t count;
    char *plain; /* what the plain pieces hold */
    size_t plain_bytes;
    int file; /* the state stands in it from `offset` on */
    uint64_t offset;
    int failure; /* errno of a read; EIO: the file ends too soon */
    /* While visiting: the end of the newest plain piece, what state_cover
     * covers, and whether only the first rank knows what is visited. */
    size_t plain_end;
    struct box cover;
    bool alone;
};

struct state {
    enum state_mode mode;
    char *memory;                /* NULL where it is measured, or shared */
    size_t used;                 /* bytes so far */
    struct state_shared *shared; /* NULL: one process has it all */
    /* Loading: the step that the state is of, once it is known; and whether a
     * value was one that no run can have saved. */
    int64_t step;
    bool strange;
};

/* Takes `bytes` of `data` into the state, or out of it, or counts them. */
void state_visit(struct state *state, void *data, size_t bytes);

/* The same for a field, which stands in the state packed and whole. The box
 * must hold the rank's own block; all of it is loaded. One process: the box is
 * the whole grid. */
void state_visit_field(struct state *state, const struct state_field *field);

/* A packed array over what state_cover said last, whose extents are those of
 * `grid`; one process: over the whole grid. */
void state_cover(struct state *state, const struct box *box);
void state_visit_cells(struct state *state, void *cells, size_t item,
                       const struct grid *grid);

/* A recording may come from anyone, so its state is checked. A value that is
 * used as an index, a bound, an age or a place must be one that a run can have
 * saved. If it is not, the state is marked as strange and the value becomes
 * `low` (false; a stream of another seed), so that loading can continue safely.
 * Numbers that are used in arithmetic alone may be anything. */
void state_visit_bool(struct state *state, bool *value);
void state_visit_whole(struct state *state, int64_t *values, size_t count,
                       int64_t low, int64_t high);
void state_visit_index(struct state *state, int32_t *values, size_t count,
                       int32_t low, int32_t high);
void state_visit_kinds(struct state *state, void *bytes, size_t count,
                       uint8_t high); /* from 0 on */
void state_visit_reals(struct state *state, double *values, size_t count,
                       double low, double high);
void state_visit_random(struct state *state, struct random *random);

/* The same of cells that were visited as a field. */
void state_hold_cells(struct state *state, int32_t *cells, size_t count,
                      int64_t low, int64_t high);

/* On loading: the state is strange where this does not hold. Returns `holds`,
 * and otherwise true. */
bool state_holds(struct state *state, bool holds);

/* Steps from −1, never, to the state's own; and places on the map, where the
 * nearest cell is one of it. */
void state_visit_steps(struct state *state, int64_t *values, size_t count);
void state_visit_place(struct state *state, double *values, size_t count,
                       int extent);

/* What is visited between these two calls is the first rank's alone; the others
 * skip it. */
void state_first_begin(struct state *state);
void state_first_end(struct state *state);

/* To be called before each visit: forgets the pieces of the last one. */
void state_shared_begin(struct state_shared *shared);

/* Room for what was just measured. */
enum status state_shared_room(struct state_shared *shared, struct error *error);
void state_shared_release(struct state_shared *shared);

#endif
