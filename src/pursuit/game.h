/* SPDX-License-Identifier: MIT */
/* The game of one pursuer and one evader who move in turn on a small grid,
 * solved by retrograde analysis: what the best play of both gives, from every
 * pair of cells. Chases are measured by it (Moldenhauer and Sturtevant, IJCAI
 * 2009).
 *
 * In a turn the pursuer goes up to `pursuer_moves` moves, then the evader up to
 * `evader_moves`; both may stay, and each sees where the other is. It ends when
 * both are in one cell. The value of a pair is the number of turns that the
 * pursuer, who is to move, needs:
 *
 *   V(p, p) = 0,  V(p, e) = 1 + min over p' of W(p', e)
 *   W(p, p) = 0,  W(p, e) = max over e' of V(p, e')
 *
 * From the pairs of value 0 backwards, a pair for the evader to move is lost
 * when all of its moves are, and a pair for the pursuer is won when one is. */
#ifndef HAMON_PURSUIT_GAME_H
#define HAMON_PURSUIT_GAME_H

#include "base/status.h"
#include "search/passages.h"

#include <stddef.h>

struct game;

/* Takes 4 bytes a pair of free cells, and 10 more while it is solved.
 * STATUS_INPUT if the terrain has one-way cells. The passages are borrowed for
 * the call. Release with game_release. */
enum status game_new(const struct passages *passages, int pursuer_moves,
                     int evader_moves, struct game **game, struct error *error);
void game_release(struct game *game);

/* V; -1: the evader is never caught. The cells are free ones. */
int game_turns(const struct game *game, size_t pursuer, size_t evader);

/* The cell that one who plays best moves to; of equal ones the first in the
 * order of cells. */
size_t game_pursuer_move(const struct game *game, size_t pursuer,
                         size_t evader);
size_t game_evader_move(const struct game *game, size_t pursuer, size_t evader);

#endif
