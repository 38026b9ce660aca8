/* SPDX-License-Identifier: MIT */
#include "search/fast_marching.h"

#include "base/memory.h"
#include "search/marching_state.h"

#include <limits.h>
#include <string.h>

const struct fast_marching_settings fast_marching_plain = { 1, 16 };
const struct fast_marching_settings fast_marching_fine = { 3, 4 };

/* ---- the scheme ---- */

/* Keys of the queue in the quickest cell's slowness: a bucket is a 128th of
 * it. Within a bucket cells are accepted in any order (an untidy queue:
 * Yatziv, Bartesaghi, Sapiro 2006). A cell may then miss a neighbour whose T
 * is less than its own by under 1/128; without that neighbour's axis its T
 * is too late by half the square of it, 3e-5, at most. The errors measured are
 * those of an ordered queue. */
enum { KEYS = 128 };

/* The larger root of Σ weight·(T − time)² = slowness², −1 where there is
 * none. Times are taken from the first one's, to keep their last digits. */
static inline double root_of(const struct upwind *upwind, int count,
                             double slowness)
{
    /* cppcheck-suppress uninitvar ; the front comes by one axis at least */
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
static double solve_cell(const struct fast_marching *m, int32_t cell)
{
    struct upwind upwind[GRID_AXES];
    int count = 0;
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

/* A second difference may put T under the bucket that the front has come to;
 * it is queued in that one. */
static inline void enqueue(struct fast_marching *m, int32_t cell)
{
    int64_t key = (int64_t)(m->nodes[cell].time * m->keys);
    int64_t front = m->queue.cursor << m->queue.shift;
    bucket_queue_put(&m->queue, cell, key > front ? key : front);
}

static inline void relax(struct fast_marching *m, int32_t cell)
{
    uint32_t mark = m->mark[cell];
    if (mark == MARCHING_WALL || mark == 2 * m->round + 1)
        return;
    double time = solve_cell(m, cell);
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
    m->expansions = 0;
    if (m->mark[source] == MARCHING_WALL)
        return false;
    start(m, source);
    while (m->queue.count > 0 && (goal < 0 || !accepted(m, goal))) {
        int32_t cell = bucket_queue_take(&m->queue);
        m->mark[cell] = 2 * m->round + 1;
        m->expansions++;
        relax_round(m, cell);
    }
    return goal < 0 || accepted(m, goal);
}

uint64_t fast_marching_expansions(const struct fast_marching *m)
{
    return m->expansions;
}

size_t fast_marching_memory(const struct fast_marching *m)
{
    size_t each = sizeof *m->nodes + sizeof *m->mark +
                  (m->slowness ? sizeof *m->slowness : 0);
    return sizeof *m + (size_t)m->cells * each +
           BUCKETS_MOST * sizeof *m->queue.heads;
}

/* ---- making, changing ---- */

static void copy_cell(struct fast_marching *m, const struct terrain *terrain,
                      int x, int y, int z)
{
    size_t cell = grid_index(&m->grid, x, y, z);
    int refine = m->settings.refine, deep = m->grid.dims == 2 ? 1 : refine;
    double slowness = terrain->speed ? 1 / terrain->speed[cell] : 1;
    for (int c = 0; c < deep; c++)
        for (int b = 0; b < refine; b++)
            for (int a = 0; a < refine; a++) {
                int32_t at =
                    at_fine(m, x * refine + a, y * refine + b, z * deep + c);
                if (terrain->wall[cell])
                    m->mark[at] = MARCHING_WALL;
                else if (m->mark[at] == MARCHING_WALL)
                    m->mark[at] = 0;
                if (m->slowness)
                    m->slowness[at] = slowness;
            }
    m->quickest = fmin(m->quickest, slowness);
    m->slowest = fmax(m->slowest, slowness);
}

enum status fast_marching_update(struct fast_marching *m,
                                 const struct terrain *terrain,
                                 const struct box *box, struct error *error)
{
    struct box all = grid_box(&m->grid);
    if (terrain->speed && !m->slowness) {
        m->slowness = memory_new((size_t)m->cells, sizeof *m->slowness);
        if (!m->slowness)
            return error_memory(error);
        box = NULL;
    }
    if (!box)
        box = &all;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++)
                copy_cell(m, terrain, x, y, z);
    return STATUS_OK;
}

static enum status lay_out(struct fast_marching *m, struct error *error)
{
    int refine = m->settings.refine, deep = m->grid.dims == 2 ? 1 : refine;
    double sides[] = { (double)m->grid.nx * refine, (double)m->grid.ny * refine,
                       (double)m->grid.nz * deep };
    double cells = (sides[0] + 2) * (sides[1] + 2) *
                   (m->grid.dims == 2 ? 1 : sides[2] + 2);
    if (cells > INT_MAX)
        return error_set(error, STATUS_INPUT,
                         "fast marching on %.0f cells: at most 2147483647 with "
                         "their border",
                         cells);
    m->fine = (struct grid){ m->grid.dims, (int)sides[0], (int)sides[1],
                             (int)sides[2] };
    m->cells = (int32_t)cells;
    m->pitch = m->fine.nx + 2;
    m->layer = m->grid.dims == 2 ? 0 : m->pitch * (m->fine.ny + 2);
    for (int d = 0; d < 2 * m->grid.dims; d++)
        m->offset[d] = direction_step[d][0] + direction_step[d][1] * m->pitch +
                       direction_step[d][2] * m->layer;
    return STATUS_OK;
}

enum status fast_marching_new(const struct terrain *terrain,
                              const struct fast_marching_settings *settings,
                              struct fast_marching **marching,
                              struct error *error)
{
    if (settings->refine < 1 || settings->refine % 2 == 0 ||
        !(settings->disc >= 0))
        return error_set(error, STATUS_INPUT,
                         "fast marching with refine = %d, disc = %g: an odd "
                         "refinement and a radius of 0 or more are allowed",
                         settings->refine, settings->disc);
    struct fast_marching *m = memory_new(1, sizeof *m);
    if (!m)
        return error_memory(error);
    *m = (struct fast_marching){ .grid = terrain->grid,
                                 .settings = *settings,
                                 .quickest = INFINITY };
    enum status status = lay_out(m, error);
    if (!status) {
        size_t cells = (size_t)m->cells;
        m->nodes = memory_new(cells, sizeof *m->nodes);
        m->mark = memory_new(cells, sizeof *m->mark);
        m->queue.heads = memory_new(BUCKETS_MOST, sizeof *m->queue.heads);
        m->queue.nodes = m->nodes;
        if (!m->nodes || !m->mark || !m->queue.heads)
            status = error_memory(error);
        else
            memset(m->mark, 0xff, cells * sizeof *m->mark); /* all walls */
    }
    if (!status)
        status = fast_marching_update(m, terrain, NULL, error);
    if (status)
        fast_marching_release(m);
    else
        *marching = m;
    return status;
}

void fast_marching_release(struct fast_marching *m)
{
    if (!m)
        return;
    memory_release(m->slowness);
    memory_release(m->nodes);
    memory_release(m->mark);
    memory_release(m->queue.heads);
    memory_release(m);
}
