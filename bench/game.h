/* SPDX-License-Identifier: MIT */
/* The game of one pursuer and one evader who move in turn on a small grid,
 * solved by retrograde analysis: the result of optimal play by both, from every
 * pair of cells. Chases are compared with it (Moldenhauer and Sturtevant, IJCAI
 * 2009).
 *
 * In a turn the pursuer makes up to `pursuer_moves` moves, then the evader up
 * to `evader_moves`; both may stay, and each sees the other's position. It ends
 * when both are in one cell. The value of a pair is the number of turns that
 * the pursuer, who is to move, needs:
 *
 *   V(p, p) = 0,  V(p, e) = 1 + min over p' of W(p', e)
 *   W(p, p) = 0,  W(p, e) = max over e' of V(p, e')
 *
 * The analysis starts at the pairs of value 0. A pair with the evader to move
 * is lost when all of its moves are lost, and a pair with the pursuer to move
 * is won when one of its moves is won. */
#ifndef HAMON_BENCH_GAME_H
#define HAMON_BENCH_GAME_H

#include "base/status.h"
#include "search/passages.h"

#include <stddef.h>

struct game;

/* Takes 4 bytes a pair of free cells, and 10 more during the solution.
 * STATUS_INPUT if the terrain has one-way cells. The passages are borrowed for
 * the call. Release with game_release. */
enum status game_new(const struct passages *passages, int pursuer_moves,
                     int evader_moves, struct game **game, struct error *error);
void game_release(struct game *game);

/* V; -1: the evader is never captured. The cells must be free. */
int game_turns(const struct game *game, size_t pursuer, size_t evader);

/* The pursuer's optimal move: a cell; of equal ones the first in the order of
 * cells. */
size_t game_pursuer_move(const struct game *game, size_t pursuer,
                         size_t evader);
size_t game_evader_move(const struct game *game, size_t pursuer, size_t evader);

#endif
