/* SPDX-License-Identifier: MIT */
/* Private to the wave: the layers beyond the open edges of a map, in which
 * waves vanish.
 *
 * A layer has EDGE_DEPTH cells outwards, with the map's edge cells repeated. In
 * it the difference along its axis of a wave z, z[j+1] − 2z[j] + z[j−1] at the
 * j-th cell outwards, is replaced by
 *
 *   z[j+1] − 2z[j] + z[j−1] + F[j] + B[j],
 *   F[j]⁺ = F[j] − s((F[j] + F[j+1]) + (z[j+2] − z[j])),   j = 0 … depth − 2
 *   B[j]⁺ = B[j] − s((B[j] + B[j−1]) + (z[j−2] − z[j])),   j = 1 … depth − 1
 *
 * with F and B 0 at first and where no rule is given, z mirrored at the layer's
 * outer end, and s = √δ. This is the discrete wave equation with the step of
 * the lattice between two cells of the layer multiplied by 1 + 2s/(ζ − 1), ζ
 * the shift by a generation: a wave enters without reflection, whatever its
 * frequency and direction, and decreases from cell to cell (Chern 2019, A
 * reflectionless discrete perfectly matched layer; here with the time discrete
 * too). What the outer end reflects decreases again.
 *
 * For the 9-point stencil, δx + δy + δxδy/6, the layers along x use
 * z + (δy z + F + B)/6 instead of z, F and B of the layers along y, and of
 * those F + B the value (1 + δx/6)(F + B) counts. */
#ifndef HAMON_WAVE_EDGES_H
#define HAMON_WAVE_EDGES_H

#include "base/team.h"
#include "wave/medium.h"
#include "world/state.h"

struct wave;

enum { EDGE_DEPTH = 28 };

/* The layers of one wave; NULL: its medium has no open edges. */
struct edges;

/* All 0. STATUS_OK with *edges = NULL without open edges. Release with
 * edges_release. */
enum status edges_new(const struct medium *medium, struct edges **edges,
                      struct error *error);
void edges_release(struct edges *edges);
void edges_clear(struct edges *edges);

/* Sets all to 0 in the walls inside `box` of the medium's grid. */
void edges_clear_walls(struct edges *edges, const struct box *box);

/* Extends *lit, the cells that the next generation may reach, by each layer
 * that the wave reaches. */
void edges_reach(struct edges *edges, struct box *lit);

/* After a sweep of the generation before `out`, which is `now`: changes `out`
 * to the above, and steps F and B. */
void edges_step(struct edges *edges, const void *now, void *out,
                struct team *team);

void edges_state(struct edges *edges, struct state *state);

/* Any of them may be nonzero (a loaded state). */
void edges_light(struct edges *edges);

#endif
