/* SPDX-License-Identifier: MIT */
/* D* Lite, the optimised version (Koenig and Likhachev 2005): a search from the
 * goal back to the start, kept from query to query. After changes of the map
 * only the affected part is computed again. A new goal starts it anew, a new
 * start does not.
 *
 * Names are the paper's: g, rhs, km, a key of two numbers. */
#include "base/memory.h"
#include "search/search.h"

#include <math.h>
#include <string.h>

static const int64_t far_away = INT64_MAX / 4;

struct key {
    int64_t first, second;
};

struct entry {
    struct key key;
    int32_t cell;
};

struct node {
    int64_t g, rhs;
    uint32_t round; /* of another round: never reached, g = rhs = far_away */
    int32_t place;  /* index in the heap, from 1; 0: not in it */
};

struct dstar {
    const struct passages *passages;
    struct node *nodes;
    struct entry *heap;
    int32_t heap_count;
    uint32_t round;
    int32_t start, goal; /* padded cells; start −1: everywhere */
    int start_at[GRID_AXES];
    int64_t km;
    int64_t lowest; /* the bound's unit when the keys were made */
    uint32_t scale;
    bool valid; /* the search may be repaired */
    uint64_t expansions, generated;
};

static inline struct node *touch(struct dstar *s, int32_t cell)
{
    struct node *node = &s->nodes[cell];
    if (node->round != s->round)
        *node = (struct node){ far_away, far_away, s->round, 0 };
    return node;
}

/* ---- the heap ---- */

static inline bool less(struct key a, struct key b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

static inline void heap_set(struct dstar *s, int32_t at, struct entry entry)
{
    s->heap[at] = entry;
    s->nodes[entry.cell].place = at;
}

/* Puts an entry at an index, then moves it down or up to its place. */
static void heap_settle(struct dstar *s, int32_t at, struct entry entry)
{
    int32_t below;
    for (; at > 1 && less(entry.key, s->heap[at / 2].key); at /= 2)
        heap_set(s, at, s->heap[at / 2]);
    while ((below = 2 * at) <= s->heap_count) {
        below += below < s->heap_count &&
                 less(s->heap[below + 1].key, s->heap[below].key);
        if (!less(s->heap[below].key, entry.key))
            break;
        heap_set(s, at, s->heap[below]);
        at = below;
    }
    heap_set(s, at, entry);
}

static void heap_remove(struct dstar *s, int32_t cell)
{
    int32_t at = s->nodes[cell].place;
    struct entry moved = s->heap[s->heap_count--];
    s->nodes[cell].place = 0;
    if (moved.cell != cell)
        heap_settle(s, at, moved);
}

/* ---- the algorithm ---- */

static struct key key_of(struct dstar *s, int32_t cell)
{
    const struct node *node = touch(s, cell);
    int64_t least = node->g < node->rhs ? node->g : node->rhs;
    int64_t bound = 0;
    if (s->start >= 0) {
        int at[GRID_AXES];
        passages_place(s->passages, cell, at);
        bound = passages_bound(s->passages, s->start_at, at);
    }
    return (struct key){ least + bound + s->km, least };
}

static void update_vertex(struct dstar *s, int32_t cell)
{
    struct node *node = touch(s, cell);
    if (node->g == node->rhs) {
        if (node->place)
            heap_remove(s, cell);
        return;
    }
    struct entry entry = { key_of(s, cell), cell };
    s->generated++;
    heap_settle(s, node->place ? node->place : ++s->heap_count, entry);
}

static int64_t least_over_successors(struct dstar *s, int32_t cell)
{
    const struct passages *p = s->passages;
    int64_t least = far_away;
    for (uint32_t open = p->open[cell]; open; open &= open - 1) {
        int d = __builtin_ctz(open);
        int32_t to = cell + p->offset[d];
        int64_t g = touch(s, to)->g;
        if (g < far_away && g + passages_weight(p, d, to) < least)
            least = g + passages_weight(p, d, to);
    }
    return least;
}

static inline bool is_predecessor(const struct passages *p, int32_t from, int d)
{
    return p->open[from] >> d & 1;
}

/* Over-consistent: g is lowered to rhs, and predecessors may improve. */
static void lower(struct dstar *s, int32_t cell)
{
    const struct passages *p = s->passages;
    struct node *node = touch(s, cell);
    node->g = node->rhs;
    heap_remove(s, cell);
    for (int d = 0; d < p->moves; d++) {
        int32_t from = cell - p->offset[d];
        if (!is_predecessor(p, from, d) || from == s->goal)
            continue;
        int64_t rhs = node->g + passages_weight(p, d, cell);
        if (rhs < touch(s, from)->rhs) {
            s->nodes[from].rhs = rhs;
            update_vertex(s, from);
        }
    }
}

/* Under-consistent: g is reset, and the predecessors that used it are
 * updated. */
static void raise(struct dstar *s, int32_t cell)
{
    const struct passages *p = s->passages;
    struct node *node = touch(s, cell);
    int64_t old = node->g;
    node->g = far_away;
    for (int d = 0; d < p->moves; d++) {
        int32_t from = cell - p->offset[d];
        if (!is_predecessor(p, from, d) || from == s->goal ||
            touch(s, from)->rhs != old + passages_weight(p, d, cell))
            continue;
        s->nodes[from].rhs = least_over_successors(s, from);
        update_vertex(s, from);
    }
    update_vertex(s, cell);
}

static bool finished(struct dstar *s)
{
    if (s->heap_count == 0)
        return true;
    if (s->start < 0)
        return false;
    const struct node *start = touch(s, s->start);
    return !less(s->heap[1].key, key_of(s, s->start)) && start->rhs <= start->g;
}

static void compute_shortest_path(struct dstar *s)
{
    while (!finished(s)) {
        struct entry top = s->heap[1];
        struct key now = key_of(s, top.cell);
        const struct node *node = &s->nodes[top.cell];
        if (less(top.key, now)) {
            heap_settle(s, 1, (struct entry){ now, top.cell });
            continue;
        }
        s->expansions++;
        if (node->g > node->rhs)
            lower(s, top.cell);
        else
            raise(s, top.cell);
    }
}

static void initialise(struct dstar *s, int32_t goal)
{
    const struct passages *p = s->passages;
    if (s->round == UINT32_MAX) {
        memset(s->nodes, 0, (size_t)p->cells * sizeof *s->nodes);
        s->round = 0;
    }
    s->round++;
    s->heap_count = 0;
    s->km = 0;
    s->goal = goal;
    s->lowest = p->lowest[1];
    s->scale = p->scale;
    touch(s, goal)->rhs = 0;
    update_vertex(s, goal);
}

static void set_start(struct dstar *s, size_t from, bool repaired)
{
    int at[GRID_AXES];
    grid_cell(&s->passages->grid, from, at);
    if (repaired)
        s->km += passages_bound(s->passages, s->start_at, at);
    memcpy(s->start_at, at, sizeof at);
    s->start = passages_index(s->passages, from);
}

/* ---- the entry of the table ---- */

/* The path follows cells whose g is the remaining cost: those are settled. */
static void lay_path(struct search_workspace *w, struct random *ties)
{
    struct dstar *s = w->state;
    const struct passages *p = s->passages;
    w->path_count = 0;
    for (int32_t at = s->start;;) {
        w->path[w->path_count++] = (int32_t)passages_cell(p, at);
        if (at == s->goal)
            return;
        int32_t fit[MOVES_3D] = { s->goal }; /* there is always one */
        uint64_t count = 0;
        for (uint32_t open = p->open[at]; open; open &= open - 1) {
            int d = __builtin_ctz(open);
            int32_t to = at + p->offset[d];
            if (touch(s, to)->g + passages_weight(p, d, to) == s->nodes[at].rhs)
                fit[count++] = to;
        }
        at = fit[ties && count > 1 ? random_below(ties, count) : 0];
    }
}

static bool run(struct search_workspace *w, const struct search_query *query,
                struct search_result *result)
{
    struct dstar *s = w->state;
    bool all = query->to == SEARCH_EVERYWHERE;
    int32_t goal = passages_index(s->passages, all ? query->from : query->to);
    bool repair = s->valid && !all && goal == s->goal;
    s->expansions = s->generated = 0;
    if (all)
        s->start = -1;
    else
        set_start(s, query->from, repair);
    if (!repair)
        initialise(s, goal);
    compute_shortest_path(s);
    s->valid = !all;
    result->expansions = s->expansions;
    result->generated = s->generated;
    result->cost = 0;
    if (all)
        return true;
    int64_t rhs = touch(s, s->start)->rhs;
    result->cost = rhs < far_away ? (double)rhs / s->passages->unit : INFINITY;
    if (rhs >= far_away)
        return false;
    lay_path(w, query->ties);
    return true;
}

static double distance(const struct search_workspace *w, size_t cell)
{
    const struct dstar *s = w->state;
    const struct node *node = &s->nodes[passages_index(s->passages, cell)];
    if (node->round != s->round || node->g >= far_away)
        return INFINITY;
    return (double)node->g / s->passages->unit;
}

/* Computes rhs anew for every cell from which a move may have changed. A lower
 * bound or another unit invalidates all keys. */
static enum status changed(struct search_workspace *w, const struct box *box,
                           struct error *error)
{
    struct dstar *s = w->state;
    const struct passages *p = s->passages;
    struct box all = grid_box(&p->grid);
    if (p->lowest[1] != s->lowest || p->scale != s->scale)
        s->valid = false;
    if (!s->valid)
        return STATUS_OK;
    if (!box)
        box = &all;
    for (int z = box->low[2] - 1; z <= box->high[2] + 1; z++)
        for (int y = box->low[1] - 1; y <= box->high[1] + 1; y++)
            for (int x = box->low[0] - 1; x <= box->high[0] + 1; x++) {
                if (!grid_holds(&p->grid, x, y, z))
                    continue;
                int32_t cell = passages_at(p, x, y, z);
                if (cell == s->goal)
                    continue;
                touch(s, cell)->rhs = least_over_successors(s, cell);
                update_vertex(s, cell);
            }
    return STATUS_OK;
}

static void release(struct search_workspace *w)
{
    struct dstar *s = w->state;
    memory_release(s->nodes);
    memory_release(s->heap);
    memory_release(s);
}

static enum status prepare(struct search_workspace *w, struct error *error)
{
    size_t cells = (size_t)w->passages->cells;
    struct dstar *s = w->state = memory_new(1, sizeof *s);
    if (!s)
        return error_memory(error);
    s->passages = w->passages;
    s->nodes = memory_new(cells, sizeof *s->nodes);
    s->heap = memory_new(cells, sizeof *s->heap);
    if (!s->nodes || !s->heap)
        return error_memory(error);
    w->memory += sizeof *s + cells * (sizeof *s->nodes + sizeof *s->heap);
    return STATUS_OK;
}

const struct search search_dstar_lite = {
    .name = "dstar-lite",
    .prepare = prepare,
    .release = release,
    .run = run,
    .distance = distance,
    .changed = changed,
};
