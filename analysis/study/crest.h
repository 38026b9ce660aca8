/* SPDX-License-Identifier: MIT */
/* The first crest of an impulse in a corridor with fixed walls: how far it is
 * higher than a threshold. Farther on the first amplitude that is as large as
 * the threshold may be that of a stripe with the other sign.
 *
 * The lowest mode of a corridor w wide has sin²(ω/2) = S + δ sin²(k/2), S = δ
 * sin²(π/2(w + 1)). Ahead of its energy k = iκ and ω = iν. The first crest has
 * the κ with the least speed V = dν/dκ = δ sinh κ / sinh ν: at time t and
 * distance s the amplitude is
 *
 *   2/(w + 1) sin(πy/(w + 1)) e^(νt − κs) Ai((s − Vt)/b) / (2b sinh ν)
 *
 * beside that of the source, y cells from a wall's first node, with b³ = ½ t
 * d²V/dκ²; so the crest falls by e each V/(κV − ν) cells, but for the slow Ai
 * and b. */
#ifndef HAMON_ANALYSIS_STUDY_CREST_H
#define HAMON_ANALYSIS_STUDY_CREST_H

#include <stddef.h>

/* What a bend takes from the crest, in decades; measured at bends of corridors
 * 5 to 11 wide (docs/guides/corridors.md). */
#define CREST_BEND 0.7

/* The distance from the source, in the middle of the corridor, at which the
 * crest falls below the threshold (of the source), for a tenth of the cells
 * across, those nearest to the walls. The bends are at these rising
 * distances. 2D, the 5-point stencil. */
double crest_reach(double delta, int width, double threshold,
                   const double *bends, size_t bend_count);

#endif
