/* SPDX-License-Identifier: MIT */
/* The halo: a rank's copy of the cells of its neighbours' blocks, kept equal to
 * theirs. One process has none: NULL is allowed. */
#ifndef HAMON_WAVE_STEP_HALO_H
#define HAMON_WAVE_STEP_HALO_H

#include "base/ranks.h"
#include "base/status.h"
#include "world/split.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct halo;

struct halo_options {
    int depth;    /* cells; 1 for a step, 2 where gradients are interpolated */
    bool corners; /* neighbours over edges and corners too */
    size_t item;  /* bytes of the largest item that is exchanged */
};

/* Makes the halo of this rank in the split. Borrows ranks. Release with
 * halo_release. */
enum status halo_new(const struct split *split, struct ranks *ranks,
                     const struct halo_options *options, struct halo **halo,
                     struct error *error);
void halo_release(struct halo *halo);

/* A field over a rank's share: items (z, y, x) from `cells` on. `row` and
 * `layer` are the distances between rows and layers, in items. */
struct held_field {
    void *cells;
    size_t item;
    ptrdiff_t row, layer;
};

/* All together: sends the cells beside the neighbours, and receives theirs.
 * Between the two calls neither may be used, and no other field exchanged.
 * Cells outside `reach` (in the share's coordinates) are known to be equal
 * already and are left out. */
void halo_start(struct halo *halo, const struct held_field *field,
                const struct box *reach);
void halo_finish(struct halo *halo, const struct held_field *field);

/* The i-th box (in the share's coordinates) that halo_finish has filled; false
 * after the last. */
bool halo_filled(const struct halo *halo, int i, struct box *box);

/* The depth of the halo, in cells, at the low and the high end of an axis; 0 at
 * the map's edge. */
void halo_depths(const struct halo *halo, int axis, int *low, int *high);

/* The amount that this rank has sent since the halo was made. */
struct halo_traffic {
    int64_t messages, bytes;
};
struct halo_traffic halo_traffic(const struct halo *halo);

/* All together. halo_any: is `here` true on any rank? halo_most: the maximum
 * over all ranks of `here` ≥ 0. */
bool halo_any(struct halo *halo, bool here);
double halo_most(struct halo *halo, double here);

#endif
