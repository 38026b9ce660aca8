/* SPDX-License-Identifier: MIT */
/* Pincer pursuit: paths planned one pursuer after another, each round the paths
 * of those before it (the cooperative pursuit of the Art and Science journal,
 * vol. 24, no. 3, 8:1–8:12, 2025, §2).
 *
 * The nearest pursuer plans first, as Dijkstra would. The cells of a planned
 * path, except the goal, become yellow; their neighbours (4 or 8, 6 or 26, by
 * the moves) green. A later pursuer enters neither; if no path is left, its
 * search continues with green cells allowed, and then with yellow ones: settled
 * costs remain, and the newly allowed cells are reached from the settled
 * frontier. The goal has no colour, and a pursuer's own start is allowed.
 *
 * There is one search of the map for each pursuer, resumed where it stopped.
 * The caller owns the workspace, and a plan allocates nothing. */
#ifndef HAMON_SEARCH_PINCER_H
#define HAMON_SEARCH_PINCER_H

#include "search/search.h"

struct pincer;

enum pincer_color { PINCER_WHITE, PINCER_GREEN, PINCER_YELLOW };

struct pincer_plan {
    int pursuer; /* its index in the array given to pincer_begin */
    /* path and memory as in search.h; the path lasts until the next plan */
    struct search_result result;
    enum pincer_color allowed; /* the last colour that had to be allowed */
};

/* passages are borrowed. Release with pincer_release. */
enum status pincer_new(const struct passages *passages, int pursuers_most,
                       struct pincer **pincer, struct error *error);
void pincer_release(struct pincer *pincer);

/* Forgets all colours and orders `count` ≤ pursuers_most pursuers by their
 * distance to the evader: Manhattan, or Chebyshev with diagonal moves; of equal
 * ones the lower index first. Positions are cells of the grid; the array is
 * copied. */
void pincer_begin(struct pincer *pincer, const size_t *pursuers, int count,
                  size_t evader);

/* Plans for the next pursuer in order; false when all have been planned. The
 * last one's path colours no cells, because no plan follows. *plan is filled
 * for every outcome; a pursuer without a path colours no cells. `ties` as in
 * struct search_query. */
bool pincer_next(struct pincer *pincer, struct random *ties,
                 struct pincer_plan *plan);

/* Are plans with ties made by the faster search, for moves that weigh a few
 * whole steps? pincer_use_weights: from now on they are not, to compare both.
 */
bool pincer_uses_steps(const struct pincer *pincer);
void pincer_use_weights(struct pincer *pincer);

/* For another planner (pursuit/wave_pincer.h) that shares order and colours:
 * the index of the next pursuer in the array given to pincer_begin, or −1 after
 * the last; and the colours of a path (cells of the grid). */
int pincer_turn(struct pincer *pincer);
void pincer_color_path(struct pincer *pincer, const int32_t *path,
                       size_t count);

/* The colour of a cell after the plans so far. */
enum pincer_color pincer_color_of(const struct pincer *pincer, size_t cell);

#endif
