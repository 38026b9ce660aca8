/* SPDX-License-Identifier: MIT */
#include "bench/game.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The free cells that a player can reach from each free cell, itself included:
 * reach[first[i] ... first[i + 1] - 1] from free cell i, in ascending order. */
struct reaches {
    int32_t *first, *reach;
};

struct game {
    size_t cells;    /* free ones; pairs are (pursuer, evader) */
    int32_t *number; /* index of a grid cell among the free ones, or -1 */
    int32_t *cell;   /* the inverse */
    struct reaches pursuer, evader;
    int16_t *turns;  /* (cells, cells) V; -1: none */
    int16_t *answer; /* (cells, cells) W */
};

/* ---- the cells that the moves reach ---- */

/* Marks the cells that one more move reaches, and appends them to the list. */
static size_t reach_on(const struct passages *p, const struct game *game,
                       int32_t *list, size_t from, size_t count, uint8_t *seen)
{
    size_t end = count;
    for (; from < count; from++) {
        int32_t at = passages_index(p, (size_t)game->cell[list[from]]);
        for (uint32_t open = p->open[at]; open; open &= open - 1) {
            size_t to = passages_cell(p, at + p->offset[__builtin_ctz(open)]);
            int32_t number = game->number[to];
            if (seen[number])
                continue;
            seen[number] = 1;
            list[end++] = number;
        }
    }
    return end;
}

static int by_number(const void *a, const void *b)
{
    const int32_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* Fills list with the cells reached from one cell; returns their number. */
static size_t reach_from(const struct passages *p, const struct game *game,
                         int32_t start, int moves, int32_t *list, uint8_t *seen)
{
    size_t from = 0, count = 1;
    list[0] = start;
    seen[start] = 1;
    for (int move = 0; move < moves; move++) {
        size_t end = reach_on(p, game, list, from, count, seen);
        from = count;
        count = end;
    }
    for (size_t i = 0; i < count; i++)
        seen[list[i]] = 0;
    qsort(list, count, sizeof *list, by_number);
    return count;
}

static enum status find_reaches(const struct passages *p,
                                const struct game *game, int moves,
                                struct reaches *reaches, struct error *error)
{
    size_t cells = game->cells, used = 0, room = 0;
    uint8_t *seen = memory_new(cells, 1);
    int32_t *list = memory_new(cells, sizeof *list);
    reaches->first = memory_new(cells + 1, sizeof *reaches->first);
    enum status status =
        seen && list && reaches->first ? STATUS_OK : error_memory(error);
    for (size_t i = 0; i < cells && !status; i++) {
        size_t count = reach_from(p, game, (int32_t)i, moves, list, seen);
        if (used + count > room) {
            room = 2 * (used + count);
            int32_t *grown =
                memory_grow(reaches->reach, used, room, sizeof *grown);
            if (grown)
                reaches->reach = grown;
            else
                status = error_memory(error);
        }
        if (!status)
            memcpy(reaches->reach + used, list, count * sizeof *list);
        used += count;
        reaches->first[i + 1] = (int32_t)used;
    }
    memory_release(seen);
    memory_release(list);
    return status;
}

/* ---- backwards from the captures ---- */

/* Pairs that got their value in a round. */
struct pairs {
    int32_t *items;
    size_t count;
};

struct retrograde {
    struct game *game;
    int16_t *left; /* (cells, cells) evader's moves that are not lost yet */
    struct pairs now, next;
};

static int count_of(const struct reaches *reaches, size_t from)
{
    return reaches->first[from + 1] - reaches->first[from];
}

/* W(p, e) is `turns`: the pursuer wins from all cells with a move to p. */
static void win(struct retrograde *r, size_t p, size_t e, int turns)
{
    struct game *game = r->game;
    const struct reaches *to = &game->pursuer;
    for (int32_t i = to->first[p]; i < to->first[p + 1]; i++) {
        size_t pair = (size_t)to->reach[i] * game->cells + e;
        if (game->turns[pair] >= 0)
            continue;
        game->turns[pair] = (int16_t)(turns + 1);
        r->next.items[r->next.count++] = (int32_t)pair;
    }
}

/* V(p, e) is known: the evader has one escape fewer in all cells with a move to
 * e. V ascends from round to round, so the last known value is the largest. */
static void lose(struct retrograde *r, size_t p, size_t e, int turns)
{
    struct game *game = r->game;
    const struct reaches *to = &game->evader;
    for (int32_t i = to->first[e]; i < to->first[e + 1]; i++) {
        size_t from = (size_t)to->reach[i], pair = p * game->cells + from;
        if (game->answer[pair] >= 0 || --r->left[pair] > 0)
            continue;
        game->answer[pair] = (int16_t)turns;
        win(r, p, from, turns);
    }
}

static void solve(struct retrograde *r)
{
    struct game *game = r->game;
    size_t cells = game->cells;
    for (size_t i = 0; i < cells * cells; i++) {
        game->turns[i] = game->answer[i] = -1;
        r->left[i] = (int16_t)count_of(&game->evader, i % cells);
    }
    for (size_t i = 0; i < cells; i++) {
        size_t pair = i * cells + i;
        game->turns[pair] = game->answer[pair] = 0;
        r->next.items[r->next.count++] = (int32_t)pair;
    }
    for (int turns = 0; r->next.count; turns++) {
        struct pairs now = r->next;
        r->next = r->now;
        r->next.count = 0;
        r->now = now;
        for (size_t i = 0; turns == 0 && i < cells; i++)
            win(r, i, i, 0);
        for (size_t i = 0; i < now.count; i++) {
            size_t pair = (size_t)now.items[i];
            lose(r, pair / cells, pair % cells, game->turns[pair]);
        }
    }
}

static enum status solve_all(struct game *game, struct error *error)
{
    size_t pairs;
    struct retrograde r = { .game = game };
    if (!size_multiply(game->cells, game->cells, &pairs) || pairs > INT32_MAX)
        return error_set(error, STATUS_INPUT,
                         "%zu free cells are too many to solve the game on",
                         game->cells);
    game->turns = memory_new(pairs, sizeof *game->turns);
    game->answer = memory_new(pairs, sizeof *game->answer);
    r.left = memory_new(pairs, sizeof *r.left);
    r.now.items = memory_new(pairs, sizeof *r.now.items);
    r.next.items = memory_new(pairs, sizeof *r.next.items);
    enum status status =
        game->turns && game->answer && r.left && r.now.items && r.next.items
            ? STATUS_OK
            : error_memory(error);
    if (!status)
        solve(&r);
    memory_release(r.left);
    memory_release(r.now.items);
    memory_release(r.next.items);
    return status;
}

/* ---- the game ---- */

static enum status number_cells(const struct passages *p, struct game *game,
                                struct error *error)
{
    size_t all = grid_cells(&p->grid);
    game->number = memory_new(all, sizeof *game->number);
    game->cell = memory_new(all, sizeof *game->cell);
    if (!game->number || !game->cell)
        return error_memory(error);
    for (size_t i = 0; i < all; i++) {
        game->number[i] = -1;
        if (p->wall[passages_index(p, i)])
            continue;
        game->number[i] = (int32_t)game->cells;
        game->cell[game->cells++] = (int32_t)i;
    }
    return STATUS_OK;
}

/* Is every move also allowed in the reverse direction? */
static bool goes_both_ways(const struct passages *p)
{
    for (int32_t at = 0; at < p->cells; at++)
        for (uint32_t open = p->open[at]; open; open &= open - 1) {
            int d = __builtin_ctz(open);
            if (!(p->open[at + p->offset[d]] >> (d ^ 1) & 1))
                return false;
        }
    return true;
}

enum status game_new(const struct passages *passages, int pursuer_moves,
                     int evader_moves, struct game **game, struct error *error)
{
    if (!goes_both_ways(passages))
        return error_set(error, STATUS_INPUT,
                         "the game is solved without one-way cells only");
    struct game *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    enum status status = number_cells(passages, made, error);
    if (!status)
        status =
            find_reaches(passages, made, pursuer_moves, &made->pursuer, error);
    if (!status)
        status =
            find_reaches(passages, made, evader_moves, &made->evader, error);
    if (!status)
        status = solve_all(made, error);
    if (status)
        game_release(made);
    else
        *game = made;
    return status;
}

void game_release(struct game *game)
{
    if (!game)
        return;
    memory_release(game->number);
    memory_release(game->cell);
    memory_release(game->pursuer.first);
    memory_release(game->pursuer.reach);
    memory_release(game->evader.first);
    memory_release(game->evader.reach);
    memory_release(game->turns);
    memory_release(game->answer);
    memory_release(game);
}

static size_t pair_of(const struct game *game, size_t pursuer, size_t evader)
{
    return (size_t)game->number[pursuer] * game->cells +
           (size_t)game->number[evader];
}

int game_turns(const struct game *game, size_t pursuer, size_t evader)
{
    return game->turns[pair_of(game, pursuer, evader)];
}

/* A game without a capture is longer than any other. */
static unsigned rank_of(int16_t turns)
{
    return turns < 0 ? UINT16_MAX : (unsigned)turns;
}

size_t game_pursuer_move(const struct game *game, size_t pursuer, size_t evader)
{
    const struct reaches *to = &game->pursuer;
    int32_t here = game->number[pursuer], other = game->number[evader];
    int32_t best = to->reach[to->first[here]];
    for (int32_t i = to->first[here]; i < to->first[here + 1]; i++) {
        const int16_t *column = game->answer + other;
        if (rank_of(column[(size_t)to->reach[i] * game->cells]) <
            rank_of(column[(size_t)best * game->cells]))
            best = to->reach[i];
    }
    return (size_t)game->cell[best];
}

size_t game_evader_move(const struct game *game, size_t pursuer, size_t evader)
{
    const struct reaches *to = &game->evader;
    int32_t here = game->number[evader], other = game->number[pursuer];
    const int16_t *row = game->turns + (size_t)other * game->cells;
    int32_t best = to->reach[to->first[here]];
    for (int32_t i = to->first[here]; i < to->first[here + 1]; i++)
        if (rank_of(row[to->reach[i]]) > rank_of(row[best]))
            best = to->reach[i];
    return (size_t)game->cell[best];
}
