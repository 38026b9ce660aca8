/* SPDX-License-Identifier: MIT */
/* The state that a restart needs. A module lists its variables in one function;
 * that function measures, saves and loads them, always in the same order.
 *
 * If ranks share the run, the state has the same bytes as that of one process,
 * but no rank has all of it: the first rank has all except the fields, and each
 * rank has its block of the fields. Saving makes a list of this rank's pieces,
 * for a recorder to write. Loading reads the rank's part from a file. All ranks
 * call the functions together. */
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

/* A field over a box of the world: items (z, y, x) from `cells` on. `row` and
 * `layer` are the distances between rows and layers, in items. */
struct state_field {
    void *cells;
    size_t item;
    ptrdiff_t row, layer;
    struct box box;
};

/* A rank's piece of the state at byte `at`: `bytes` plain ones, or if bytes = 0
 * the own block of a field. */
struct state_piece {
    uint64_t at;
    size_t bytes;
    const void *data;
    struct state_field field;
};

/* For one rank. Its owner sets ranks and share, and for loading the file. */
struct state_shared {
    struct ranks *ranks;
    struct share share;
    struct state_piece *pieces;
    size_t count;
    char *plain; /* the bytes of the plain pieces */
    size_t plain_bytes;
    int file; /* contains the state from `offset` on */
    uint64_t offset;
    int failure; /* errno of a read; EIO: the file is too short */
    /* During a visit: the end of the newest plain piece, the box of
     * state_cover, and whether only the first rank has the visited
     * variables. */
    size_t plain_end;
    struct box cover;
    bool alone;
};

struct state {
    enum state_mode mode;
    char *memory;                /* NULL while measuring, or if shared */
    size_t used;                 /* bytes so far */
    struct state_shared *shared; /* NULL: one process has all of it */
    /* Loading: the step of the state, once it is known; and whether a value was
     * found that no run can have saved. */
    int64_t step;
    bool strange;
};

/* Copies `bytes` of `data` into the state, or out of it, or counts them. */
void state_visit(struct state *state, void *data, size_t bytes);

/* The same for a field, which is stored whole and packed in the state. The box
 * must contain the rank's own block; all of the box is loaded. One process: the
 * box is the whole grid. */
void state_visit_field(struct state *state, const struct state_field *field);

/* A packed array over the last box of state_cover, whose extents are those of
 * `grid`; one process: over the whole grid. */
void state_cover(struct state *state, const struct box *box);
void state_visit_cells(struct state *state, void *cells, size_t item,
                       const struct grid *grid);

/* Recordings may come from untrusted sources, so the state is checked. A value
 * that is used as an index, a bound, an age or a place must be one that a run
 * can have saved. If it is not, the state is marked as strange and the value is
 * replaced by `low` (a bool by false, a random stream by one from another
 * seed), so that loading can continue safely. Numbers that are used only in
 * arithmetic may have any value. */
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

/* The same for cells that were visited as a field. */
void state_hold_cells(struct state *state, int32_t *cells, size_t count,
                      int64_t low, int64_t high);

/* When loading: marks the state as strange if `holds` is false. Returns `holds`
 * when loading, and otherwise true. */
bool state_holds(struct state *state, bool holds);

/* Steps from −1 (never) to the state's own; and places whose nearest cell is on
 * the map. */
void state_visit_steps(struct state *state, int64_t *values, size_t count);
void state_visit_place(struct state *state, double *values, size_t count,
                       int extent);

/* Variables visited between these two calls are stored by the first rank only;
 * the other ranks skip them. */
void state_first_begin(struct state *state);
void state_first_end(struct state *state);

/* Call it before each visit: forgets the pieces of the last one. */
void state_shared_begin(struct state_shared *shared);

/* Room for the bytes just measured. */
enum status state_shared_room(struct state_shared *shared, struct error *error);
void state_shared_release(struct state_shared *shared);

#endif
