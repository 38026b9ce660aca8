/* SPDX-License-Identifier: MIT */
/* The halo: what a rank holds of its neighbours' blocks, kept equal to what
 * they hold themselves. One process has none: NULL serves. */
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

/* For this rank of the split. Borrows ranks. Release with halo_release. */
enum status halo_new(const struct split *split, struct ranks *ranks,
                     const struct halo_options *options, struct halo **halo,
                     struct error *error);
void halo_release(struct halo *halo);

/* A field over what is held: items (z, y, x) from `cells` on, rows and layers
 * this many items apart. */
struct held_field {
    void *cells;
    size_t item;
    ptrdiff_t row, layer;
};

/* All together: the field's cells beside the neighbours go out, theirs come;
 * between the two calls neither may be touched, nor others exchanged. What lies
 * outside `reach` (in coordinates of what is held) is known to be the same at
 * both: it is left out. */
void halo_start(struct halo *halo, const struct held_field *field,
                const struct box *reach);
void halo_finish(struct halo *halo, const struct held_field *field);

/* The boxes (of what is held) that halo_finish has filled: the i-th, or false
 * behind the last. */
bool halo_filled(const struct halo *halo, int i, struct box *box);

/* Cells of a block of this extent that have neighbours' beside them: how many
 * cells deep at the low and the high end of an axis; 0 at the map's edge. */
void halo_depths(const struct halo *halo, int axis, int *low, int *high);

/* What this rank has sent since the halo was made. */
struct halo_traffic {
    int64_t messages, bytes;
};
struct halo_traffic halo_traffic(const struct halo *halo);

/* All together: does any rank say so? And the largest of what each says, ≥ 0.
 */
bool halo_any(struct halo *halo, bool here);
double halo_most(struct halo *halo, double here);

#endif
