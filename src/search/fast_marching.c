/* SPDX-License-Identifier: MIT */
#include "search/fast_marching.h"

#include "search/marching_state.h"

#include <string.h>

/* ---- the scheme ---- */

/* The larger root of Σ weight·(T − time)² = slowness², −1 where there is
 * none. Times are taken from the first one's, to keep their last digits. */
static inline double root_of(const struct upwind *upwind, int count,
                             double slowness)
{
    double from = upwind->time;
    double a = upwind->weight, b = 0, c = -slowness * slowness;
    for (int i = 1; i < count; i++) {
        double time = upwind[i].time - from;
        a += upwind[i].weight;
        b += upwind[i].weight * time;
        c += upwind[i].weight * time * time;
    }
    double discriminant = b * b - a * c;
    return discriminant < 0 ? -1 : from + (b + sqrt(discriminant)) / a;
}

/* All axes at once if the front comes by all of them; else without the one
 * that it would reach last. */
static double solve_axes(const struct fast_marching *m, int32_t cell)
{
    struct upwind upwind[GRID_AXES] = { { .weight = 1 } };
    int count = 0; /* the front comes by one axis at least */
    double slowness = m->slowness ? m->slowness[cell] : 1;
    for (int axis = 0; axis < grid_axes(&m->grid); axis++)
        count += look_upwind(m, cell, axis, &upwind[count]);
    for (; count > 1; count--) {
        int last = 0;
        for (int i = 1; i < count; i++)
            if (upwind[i].nearest > upwind[last].nearest)
                last = i;
        double time = root_of(upwind, count, slowness);
        if (time >= upwind[last].nearest)
            return time;
        upwind[last] = upwind[count - 1];
    }
    double time = root_of(upwind, 1, slowness);
    return time >= upwind->nearest ? time : upwind->nearest + slowness;
}

/* Two cells upwind along an axis; INFINITY: not accepted. */
struct side {
    double nearest, second;
};

/* Branches, and no look at what they leave out: two in three cells round a
 * front are not accepted, and memory is not asked for their times. */
static inline struct side look_side(const struct fast_marching *m, int32_t cell,
                                    int32_t step)
{
    const struct bucket_node *nodes = m->nodes;
    int32_t ahead = cell + step, behind = cell - step;
    struct side side = { INFINITY, INFINITY };
    if (accepted(m, ahead)) {
        side.nearest = nodes[ahead].time;
        if (accepted(m, behind) && nodes[behind].time < side.nearest) {
            side.nearest = nodes[behind].time;
            if (accepted(m, behind - step))
                side.second = nodes[behind - step].time;
        } else if (accepted(m, ahead + step)) {
            side.second = nodes[ahead + step].time;
        }
    } else if (accepted(m, behind)) {
        side.nearest = nodes[behind].time;
        if (accepted(m, behind - step))
            side.second = nodes[behind - step].time;
    }
    return side;
}

/* (4T₁ − T₂)/3, from which 3/2 of a difference is taken. */
static inline double second_order(struct side side)
{
    return (4 * side.nearest - side.second) / 3;
}

/* Along one axis alone; `second`: what a slowness weighs at second order. */
static inline double solve_side(struct side side, double slowness,
                                double second)
{
    double plain = side.nearest + slowness;
    double time =
        side.second <= side.nearest ? second_order(side) + second : plain;
    return time >= side.nearest ? time : plain;
}

/* solve_axes for two axes: the same operations in the same order, but none
 * whose result is not used. */
static inline double solve_flat(const struct fast_marching *m, int32_t cell)
{
    double slowness = 1, second = 1.5 / 2.25;
    struct side x = look_side(m, cell, 1), y = look_side(m, cell, m->pitch);
    if (m->slowness) {
        slowness = m->slowness[cell];
        second = sqrt(2.25 * (slowness * slowness)) / 2.25;
    }
    if (y.nearest == INFINITY)
        return solve_side(x, slowness, second);
    if (x.nearest == INFINITY)
        return solve_side(y, slowness, second);
    struct upwind by_x = { .weight = 1, .time = x.nearest };
    struct upwind by_y = { .weight = 1, .time = y.nearest };
    if (x.second <= x.nearest)
        by_x = (struct upwind){ .weight = 2.25, .time = second_order(x) };
    if (y.second <= y.nearest)
        by_y = (struct upwind){ .weight = 2.25, .time = second_order(y) };
    double later = x.nearest < y.nearest ? y.nearest : x.nearest;
    double time = by_y.time - by_x.time, a = by_x.weight + by_y.weight;
    double b = by_y.weight * time;
    double c = by_y.weight * time * time - slowness * slowness;
    double root = by_x.time + (b + sqrt(b * b - a * c)) / a; /* or no number */
    if (root >= later)
        return root;
    return solve_side(x.nearest < y.nearest ? x : y, slowness, second);
}

/* ---- the queue ---- */

/* Keys of the queue in the quickest cell's slowness: a bucket is a 128th of
 * it. Within a bucket cells are accepted in any order (an untidy queue:
 * Yatziv, Bartesaghi, Sapiro 2006). A cell may then miss a neighbour whose T
 * is less than its own by under 1/128; without that neighbour's axis its T
 * is too late by half the square of it, 3e-5, at most. The errors measured are
 * those of an ordered queue. */
enum { KEYS = 128 };

/* A second difference may put T under the bucket that the front has come to;
 * it is queued in that one. */
static inline void enqueue(struct fast_marching *m, int32_t cell)
{
    int64_t key = (int64_t)(m->nodes[cell].time * m->keys);
    int64_t front = m->queue.cursor << m->queue.shift;
    key = key > front ? key : front;
    int64_t at = key >> m->queue.shift & m->queue.mask;
    m->filled[at / 64] |= UINT64_C(1) << at % 64;
    bucket_queue_put(&m->queue, cell, key);
}

/* Takes a cell from the lowest bucket that holds one, of which there is one. In
 * a corridor most buckets are empty: the bits tell which may not be. There are
 * whole words of them: a span of two units of T has 256 buckets. */
static inline int32_t take(struct fast_marching *m)
{
    struct bucket_queue *queue = &m->queue;
    for (;;) {
        int64_t at = queue->cursor & queue->mask;
        if (queue->heads[at] != BUCKET_NONE)
            return bucket_queue_take(queue);
        m->filled[at / 64] &= ~(UINT64_C(1) << at % 64);
        uint64_t ahead = m->filled[at / 64] >> at % 64;
        queue->cursor += ahead ? __builtin_ctzll(ahead) : 64 - at % 64;
    }
}

static inline void relax(struct fast_marching *m, int32_t cell)
{
    uint32_t mark = m->mark[cell];
    if (mark == MARCHING_WALL || mark == 2 * m->round + 1)
        return;
    double time = m->grid.dims == 2 ? solve_flat(m, cell) : solve_axes(m, cell);
    if (mark != 2 * m->round)
        m->mark[cell] = 2 * m->round;
    else if (time < m->nodes[cell].time)
        bucket_queue_drop(&m->queue, cell);
    else
        return;
    m->nodes[cell].time = time;
    enqueue(m, cell);
}

static void relax_round(struct fast_marching *m, int32_t cell)
{
    for (int d = 0; d < 2 * m->grid.dims; d++)
        relax(m, cell + m->offset[d]);
}

/* ---- the disc ---- */

struct disc {
    int centre[GRID_AXES]; /* subcells */
    int reach[GRID_AXES];  /* of the box round the disc */
    double radius;         /* in subcells */
};

/* 0, 1, −1, 2, −2 …: from the centre outwards. */
static inline int outwards(int i)
{
    return i & 1 ? (i + 1) / 2 : -i / 2;
}

/* Do all steps along one axis towards the centre lead to cells of the disc?
 * Then the whole box between is free, the straight line with it, and T falls
 * from cell to cell on the way to the source. */
static bool disc_joins(const struct fast_marching *m, int32_t cell,
                       const int off[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (off[axis] != 0 &&
            !accepted(m, cell + m->offset[2 * axis + (off[axis] > 0)]))
            return false;
    return m->mark[cell] != MARCHING_WALL;
}

/* One visit to every subcell of the disc on the grid, outwards: to shrink it
 * until all free cells have the source's speed, to set times and accept, and
 * to relax the neighbours of what was accepted. */
enum disc_pass { DISC_SHRINK, DISC_SET, DISC_RELAX };

static void disc_visit(struct fast_marching *m, struct disc *disc,
                       int32_t source, enum disc_pass pass,
                       const int off[GRID_AXES])
{
    double distance = sqrt((double)off[0] * off[0] + (double)off[1] * off[1] +
                           (double)off[2] * off[2]);
    int32_t cell = source + off[0] + off[1] * m->pitch + off[2] * m->layer;
    double slowness = m->slowness ? m->slowness[source] : 1;
    if (pass == DISC_SHRINK) {
        if (m->mark[cell] != MARCHING_WALL && m->slowness &&
            m->slowness[cell] != slowness)
            disc->radius = fmin(disc->radius, fmax(distance - 1, 0));
    } else if (distance <= disc->radius && pass == DISC_RELAX) {
        if (accepted(m, cell))
            relax_round(m, cell);
    } else if (distance <= disc->radius && disc_joins(m, cell, off)) {
        m->mark[cell] = 2 * m->round + 1;
        m->nodes[cell].time = distance * slowness;
        m->expansions++;
    }
}

static void disc_pass(struct fast_marching *m, struct disc *disc,
                      int32_t source, enum disc_pass pass)
{
    const int extent[GRID_AXES] = { m->fine.nx, m->fine.ny, m->fine.nz };
    int i[GRID_AXES], off[GRID_AXES];
    for (i[2] = 0; i[2] <= 2 * disc->reach[2]; i[2]++)
        for (i[1] = 0; i[1] <= 2 * disc->reach[1]; i[1]++)
            for (i[0] = 0; i[0] <= 2 * disc->reach[0]; i[0]++) {
                bool inside = true;
                for (int axis = 0; axis < GRID_AXES; axis++) {
                    off[axis] = outwards(i[axis]);
                    int at = disc->centre[axis] + off[axis];
                    inside = inside && at >= 0 && at < extent[axis];
                }
                if (inside)
                    disc_visit(m, disc, source, pass, off);
            }
}

static void start(struct fast_marching *m, int32_t source)
{
    struct disc disc = { .radius = m->settings.disc * m->settings.refine };
    place_fine(m, source, disc.centre);
    for (int axis = 0; axis < m->grid.dims; axis++)
        disc.reach[axis] = (int)disc.radius;
    if (m->slowness)
        disc_pass(m, &disc, source, DISC_SHRINK);
    disc_pass(m, &disc, source, DISC_SET);
    m->keys = KEYS / m->quickest;
    bucket_queue_start(&m->queue, 0,
                       (int64_t)((disc.radius + 2) * m->slowest * m->keys), 0);
    disc_pass(m, &disc, source, DISC_RELAX);
}

bool fast_marching_solve(struct fast_marching *m, size_t from, size_t to)
{
    int32_t source = at_centre(m, from);
    int32_t goal = to == SIZE_MAX ? -1 : at_centre(m, to);
    if (m->round == UINT32_MAX / 2 - 1) {
        for (int32_t i = 0; i < m->cells; i++)
            m->mark[i] = m->mark[i] == MARCHING_WALL ? MARCHING_WALL : 0;
        m->round = 0;
    }
    m->round++;
    memset(m->filled, 0, sizeof m->filled);
    m->expansions = 0;
    if (m->mark[source] == MARCHING_WALL)
        return false;
    start(m, source);
    while (m->queue.count > 0 && (goal < 0 || !accepted(m, goal))) {
        int32_t cell = take(m);
        m->mark[cell] = 2 * m->round + 1;
        m->expansions++;
        relax_round(m, cell);
    }
    return goal < 0 || accepted(m, goal);
}
