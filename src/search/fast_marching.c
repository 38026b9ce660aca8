/* SPDX-License-Identifier: MIT */
/* The march and its queue, the disc round the source, the path down the times,
 * and the two entries of the table of searches. */
#include "search/fast_marching.h"

#include "base/memory.h"
#include "search/bucket_queue.h"
#include "search/moves.h"
#include "search/search.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const struct fast_marching_settings fast_marching_plain = { 1, 16 };
const struct fast_marching_settings fast_marching_fine = { 3, 4 };

/* The state of a cell is its mark: 2·round while it is in the queue, 2·round +
 * 1 once accepted; older marks are of earlier rounds, a wall's is the
 * largest. */
#define MARCHING_WALL UINT32_MAX

struct fast_marching {
    struct grid grid; /* of the terrain */
    struct grid fine; /* of the march: grid × refine */
    struct fast_marching_settings settings;
    int32_t pitch, layer, cells; /* padded by one cell on all sides */
    int32_t offset[2 * GRID_AXES];
    double *slowness;          /* 1/c; NULL: all 1 */
    double quickest, slowest;  /* the minimum and maximum slowness so far */
    struct bucket_node *nodes; /* T is nodes[].time */
    uint32_t *mark, round;
    struct bucket_queue queue;
    uint64_t filled[BUCKETS_MOST / 64]; /* bits: buckets that may not be
                                         * empty */
    double keys;                        /* keys of the queue per unit of T */
    uint64_t expansions;
};

static inline int32_t at_fine(const struct fast_marching *m, int x, int y,
                              int z)
{
    return (m->grid.dims == 2 ? 0 : (z + 1) * m->layer) + (y + 1) * m->pitch +
           x + 1;
}

/* The middle subcell of a cell of the terrain. */
static inline int32_t at_centre(const struct fast_marching *m, size_t cell)
{
    int at[GRID_AXES], refine = m->settings.refine, half = refine / 2;
    grid_cell(&m->grid, cell, at);
    return at_fine(m, at[0] * refine + half, at[1] * refine + half,
                   m->grid.dims == 2 ? 0 : at[2] * refine + half);
}

static inline void place_fine(const struct fast_marching *m, int32_t cell,
                              int at[GRID_AXES])
{
    int32_t rest = m->grid.dims == 2 ? cell : cell % m->layer;
    at[2] = m->grid.dims == 2 ? 0 : cell / m->layer - 1;
    at[1] = rest / m->pitch - 1;
    at[0] = rest % m->pitch - 1;
}

static inline bool accepted(const struct fast_marching *m, int32_t cell)
{
    return m->mark[cell] == 2 * m->round + 1;
}

/* One axis upwind of a cell: weight·(T − time)², which is ((3T − 4T₁ + T₂)/2)²
 * at second order and (T − T₁)² at first. */
struct upwind {
    double weight, time;
    double nearest; /* T₁: the solution may not be below it */
    int direction;  /* of the neighbour */
};

static inline bool look_upwind(const struct fast_marching *m, int32_t cell,
                               int axis, struct upwind *upwind)
{
    double best = INFINITY;
    int direction = -1;
    for (int d = 2 * axis; d < 2 * axis + 2; d++) {
        int32_t n = cell + m->offset[d];
        if (accepted(m, n) && m->nodes[n].time < best) {
            best = m->nodes[n].time;
            direction = d;
        }
    }
    if (direction < 0)
        return false;
    int32_t second = cell + 2 * m->offset[direction];
    upwind->direction = direction;
    upwind->nearest = best;
    if (accepted(m, second) && m->nodes[second].time <= best) {
        upwind->weight = 2.25;
        upwind->time = (4 * best - m->nodes[second].time) / 3;
    } else {
        upwind->weight = 1;
        upwind->time = best;
    }
    return true;
}

/* ---- the scheme ---- */

/* The larger root of Σ weight·(T − time)² = slowness², −1 if there is none.
 * Times are relative to the first one's, to keep their last digits. */
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

/* With all axes at once if each has a time below the solution; else without the
 * axis of the latest time. */
static double solve_axes(const struct fast_marching *m, int32_t cell)
{
    struct upwind upwind[GRID_AXES] = { { .weight = 1 } };
    int count = 0; /* at least one axis has an accepted cell */
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

/* With branches, so that the times of cells that are not accepted, two of three
 * round a front, are not read from memory. */
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

/* (4T₁ − T₂)/3; the second-order difference is 3/2 of T minus this. */
static inline double second_order(struct side side)
{
    return (4 * side.nearest - side.second) / 3;
}

/* Along one axis only; `second`: the factor of the slowness at second order. */
static inline double solve_side(struct side side, double slowness,
                                double second)
{
    double plain = side.nearest + slowness;
    double time =
        side.second <= side.nearest ? second_order(side) + second : plain;
    return time >= side.nearest ? time : plain;
}

/* solve_axes for two axes: the same operations in the same order, without those
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
    double root = by_x.time + (b + sqrt(b * b - a * c)) / a; /* or not a
                                                              * number */
    if (root >= later)
        return root;
    return solve_side(x.nearest < y.nearest ? x : y, slowness, second);
}

/* ---- the queue ---- */

/* Keys of the queue for the fastest cell's slowness: a bucket is a 128th of it.
 * Within a bucket cells are accepted in any order (an untidy queue: Yatziv,
 * Bartesaghi, Sapiro 2006). A cell may then miss a neighbour whose T is less
 * than its own by less than 1/128; without that neighbour's axis its T is too
 * large by at most half the square of that, 3e-5. The measured errors equal
 * those of an ordered queue. */
enum { KEYS = 128 };

/* The bucket of a T. A second-order difference may give a T below the current
 * bucket; it is then queued in the current one. */
static inline int64_t bucket_of(const struct fast_marching *m, double time,
                                int64_t current)
{
    int64_t bucket = (int64_t)(time * m->keys) >> m->queue.shift;
    return bucket > current ? bucket : current;
}

static inline void bucket_put(struct fast_marching *m, int32_t cell,
                              int64_t bucket)
{
    int64_t at = bucket & m->queue.mask;
    m->filled[at / 64] |= UINT64_C(1) << at % 64;
    bucket_queue_put(&m->queue, cell, bucket << m->queue.shift);
}

/* Takes a cell from the lowest bucket that is not empty; there must be one.
 * Many buckets are empty, and the bits show which may not be. They fill whole
 * words: a span of two units of T has 256 buckets. */
static inline int32_t bucket_take(struct fast_marching *m)
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

/* A short queue is a sorted array, with the cells in the order in which the
 * buckets would give them. In a corridor the next cell to accept is mostly
 * known before the times of the last cell's neighbours are: here their place
 * in the queue is found by comparisons that the processor predicts, so that it
 * works on the next cells meanwhile. A bucket's number is an address that must
 * be known first. */
enum {
    LINE_MOST = 64, /* a longer queue goes to the buckets */
    LINE_FEW = 32,  /* a queue that short comes back */
    LINE_ROOM = 512,
};

struct line {
    struct line_cell {
        int64_t bucket;
        int32_t cell;
    } cells[LINE_ROOM];
    int first, last; /* from first to before last */
    int64_t bucket;  /* of the cell taken last */
};

/* Puts a cell before all of its bucket and of later ones; the place `at`, at
 * their end or behind, is free. */
static inline void line_put(struct line *line, int at, int32_t cell,
                            int64_t bucket)
{
    for (; at > line->first && line->cells[at - 1].bucket >= bucket; at--)
        line->cells[at] = line->cells[at - 1];
    line->cells[at] = (struct line_cell){ bucket, cell };
}

static inline int line_find(const struct line *line, int32_t cell)
{
    int at = line->first;
    while (line->cells[at].cell != cell)
        at++;
    return at;
}

/* Makes room at the end. */
static inline void line_move(struct line *line)
{
    int count = line->last - line->first;
    memmove(line->cells, line->cells + line->first,
            (size_t)count * sizeof *line->cells);
    line->first = 0;
    line->last = count;
}

static void line_from_buckets(struct line *line, struct fast_marching *m)
{
    line->first = line->last = 0;
    line->bucket = m->queue.cursor;
    while (m->queue.count > 0) {
        int32_t cell = bucket_take(m);
        line->cells[line->last++] = (struct line_cell){ m->queue.cursor, cell };
    }
}

static void line_to_buckets(const struct line *line, struct fast_marching *m)
{
    m->queue.cursor = line->bucket;
    for (int i = line->last; i-- > line->first;)
        bucket_put(m, line->cells[i].cell, line->cells[i].bucket);
}

/* Each of the two queues has a loop of its own. */
#define INLINE static inline __attribute__((always_inline))

/* line: NULL if the queue is in the buckets. */
INLINE void relax(struct fast_marching *m, int32_t cell, struct line *line)
{
    uint32_t mark = m->mark[cell];
    if (mark == MARCHING_WALL || mark == 2 * m->round + 1)
        return;
    bool is_new = mark != 2 * m->round;
    double time = m->grid.dims == 2 ? solve_flat(m, cell) : solve_axes(m, cell);
    if (!is_new && time >= m->nodes[cell].time)
        return;
    m->mark[cell] = 2 * m->round;
    m->nodes[cell].time = time;
    if (line) {
        line_put(line, is_new ? line->last++ : line_find(line, cell), cell,
                 bucket_of(m, time, line->bucket));
    } else {
        if (!is_new)
            bucket_queue_drop(&m->queue, cell);
        bucket_put(m, cell, bucket_of(m, time, m->queue.cursor));
    }
}

INLINE void relax_round(struct fast_marching *m, int32_t cell,
                        struct line *line)
{
    for (int d = 0; d < 2 * m->grid.dims; d++)
        relax(m, cell + m->offset[d], line);
}

INLINE void accept(struct fast_marching *m, int32_t cell, struct line *line)
{
    m->mark[cell] = 2 * m->round + 1;
    m->expansions++;
    relax_round(m, cell, line);
}

/* Accepts cells until the goal is one of them or the queue is long or empty. It
 * is short at the beginning. */
static void march_in_line(struct fast_marching *m, int32_t goal)
{
    struct line line;
    line_from_buckets(&line, m);
    while (line.last > line.first && line.last - line.first <= LINE_MOST &&
           (goal < 0 || !accepted(m, goal))) {
        if (line.last > LINE_ROOM - 2 * GRID_AXES)
            line_move(&line);
        struct line_cell *next = &line.cells[line.first++];
        line.bucket = next->bucket;
        accept(m, next->cell, &line);
    }
    line_to_buckets(&line, m);
}

static void march_in_buckets(struct fast_marching *m, int32_t goal)
{
    while (m->queue.count > LINE_FEW && (goal < 0 || !accepted(m, goal)))
        accept(m, bucket_take(m), NULL);
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

/* Are all steps along one axis towards the centre in the disc? Then the whole
 * box between is free, and the straight line too, and T falls from cell to cell
 * towards the source. */
static bool disc_joins(const struct fast_marching *m, int32_t cell,
                       const int off[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (off[axis] != 0 &&
            !accepted(m, cell + m->offset[2 * axis + (off[axis] > 0)]))
            return false;
    return m->mark[cell] != MARCHING_WALL;
}

/* One pass over every subcell of the disc, outwards: to shrink it until all
 * free cells have the source's speed, to set times and accept, and to relax the
 * neighbours of accepted cells. */
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
            relax_round(m, cell, NULL);
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
        if (m->queue.count > LINE_FEW)
            march_in_buckets(m, goal);
        else
            march_in_line(m, goal);
    }
    return goal < 0 || accepted(m, goal);
}

/* ---- values of T ---- */

double fast_marching_time(const struct fast_marching *m, size_t cell)
{
    int32_t at = at_centre(m, cell);
    return accepted(m, at) ? m->nodes[at].time / m->settings.refine : INFINITY;
}

/* The subcell nearest to a position. */
static int32_t nearest_fine(const struct fast_marching *m,
                            const double at[GRID_AXES])
{
    const int extent[GRID_AXES] = { m->fine.nx, m->fine.ny, m->fine.nz };
    int cell[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double place = axis < m->grid.dims
                           ? floor((at[axis] + 0.5) * m->settings.refine)
                           : 0;
        cell[axis] = (int)fmin(fmax(place, 0), extent[axis] - 1);
    }
    return at_fine(m, cell[0], cell[1], cell[2]);
}

double fast_marching_time_at(const struct fast_marching *m,
                             const double at[GRID_AXES])
{
    int32_t cell = nearest_fine(m, at);
    return accepted(m, cell) ? m->nodes[cell].time / m->settings.refine
                             : INFINITY;
}

/* −∂T/∂(the upwind direction). If there is no second-order upwind difference,
 * the front comes along the other axis, and both neighbours are on its far
 * side. */
static double slope_along(const struct fast_marching *m, int32_t cell,
                          const struct upwind *upwind)
{
    int32_t other = cell + m->offset[upwind->direction ^ 1];
    if (m->nodes[cell].time <= upwind->nearest)
        return 0;
    if (upwind->weight == 1 && accepted(m, other))
        return 0.5 * (m->nodes[other].time - upwind->nearest);
    return sqrt(upwind->weight) * fmax(m->nodes[cell].time - upwind->time, 0);
}

bool fast_marching_heading(const struct fast_marching *m,
                           const double at[GRID_AXES],
                           double heading[GRID_AXES])
{
    double length = 0;
    int32_t here = nearest_fine(m, at);
    memset(heading, 0, GRID_AXES * sizeof *heading);
    if (!accepted(m, here))
        return false;
    for (int axis = 0; axis < m->grid.dims; axis++) {
        struct upwind upwind;
        if (!look_upwind(m, here, axis, &upwind))
            continue;
        double slope = slope_along(m, here, &upwind);
        heading[axis] = upwind.direction & 1 ? -slope : slope;
        length += slope * slope;
    }
    for (int axis = 0; axis < GRID_AXES && length > 0; axis++)
        heading[axis] /= sqrt(length);
    return length > 0;
}

/* ---- the path of descent ---- */

/* Is every cell of the move's box but the first free? */
static bool clear(const struct fast_marching *m, int32_t cell, const int *step)
{
    for (int corner = 1; corner < 8; corner++)
        if (m->mark[cell + (corner & 1 ? step[0] : 0) +
                    (corner & 2 ? step[1] * m->pitch : 0) +
                    (corner & 4 ? step[2] * m->layer : 0)] == MARCHING_WALL)
            return false;
    return true;
}

/* The neighbour with the largest fall of T per unit of length; −1 at the
 * source. */
static int32_t steepest(const struct fast_marching *m, int32_t cell, int moves)
{
    static const double length[] = { 1, 1, M_SQRT2, 1.7320508075688772 };
    int32_t best = -1;
    double fall = 0;
    for (int d = 0; d < moves; d++) {
        const struct move *move = &moves_of(&m->grid)[d];
        int32_t n = cell + move->step[0] + move->step[1] * m->pitch +
                    move->step[2] * m->layer;
        if (!accepted(m, n) || !clear(m, cell, move->step))
            continue;
        double slope =
            (m->nodes[cell].time - m->nodes[n].time) / length[move->axes];
        if (slope > fall) {
            fall = slope;
            best = n;
        }
    }
    return best;
}

/* The cells of steepest descent from the cell `from` to the source, by axis
 * moves or, with `diagonals`, by diagonal ones too (no corner cut). Writes up
 * to `most` cells; returns their number, 0 if there is no path. */
static size_t path_down(const struct fast_marching *m, size_t from,
                        bool diagonals, int32_t *cells, size_t most)
{
    int moves = 2 * m->grid.dims;
    size_t count = 0;
    if (diagonals)
        moves = m->grid.dims == 2 ? MOVES_2D : MOVES_3D;
    int32_t at = at_centre(m, from);
    if (!accepted(m, at))
        return 0;
    for (; at >= 0; at = steepest(m, at, moves)) {
        int fine[GRID_AXES], refine = m->settings.refine;
        place_fine(m, at, fine);
        size_t cell = grid_index(&m->grid, fine[0] / refine, fine[1] / refine,
                                 m->grid.dims == 2 ? 0 : fine[2] / refine);
        if (count > 0 && (size_t)cells[count - 1] == cell)
            continue;
        if (count == most)
            return 0;
        cells[count++] = (int32_t)cell;
    }
    return count;
}

/* ---- construction ---- */

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
    if (memory_is_promised())
        return STATUS_OK;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++)
                copy_cell(m, terrain, x, y, z);
    return STATUS_OK;
}

/* With its border. */
static double subcells_of(const struct grid *grid, int refine)
{
    double flat =
        ((double)grid->nx * refine + 2) * ((double)grid->ny * refine + 2);
    return grid->dims == 2 ? flat : flat * ((double)grid->nz * refine + 2);
}

bool fast_marching_fits(const struct grid *grid,
                        const struct fast_marching_settings *settings)
{
    return subcells_of(grid, settings->refine) <= INT_MAX;
}

static enum status lay_out(struct fast_marching *m, struct error *error)
{
    int refine = m->settings.refine, deep = m->grid.dims == 2 ? 1 : refine;
    double cells = subcells_of(&m->grid, refine);
    if (cells > INT_MAX)
        return error_set(error, STATUS_INPUT,
                         "fast marching on %.0f cells: at most 2147483647 with "
                         "their border",
                         cells);
    m->fine = (struct grid){ m->grid.dims, m->grid.nx * refine,
                             m->grid.ny * refine, m->grid.nz * deep };
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
        else if (!memory_is_promised()) /* promised memory must not be
                                         * touched */
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

uint64_t fast_marching_expansions(const struct fast_marching *m)
{
    return m->expansions;
}

double fast_marching_bytes(const struct grid *grid, int refine)
{
    double cells = subcells_of(grid, refine);
    double each = sizeof(struct bucket_node) + sizeof(uint32_t);
    double once = sizeof(struct fast_marching) + BUCKETS_MOST * sizeof(int32_t);
    return cells > INT_MAX ? INFINITY : once + cells * each;
}

static size_t memory_of(const struct fast_marching *m)
{
    double speeds = m->slowness ? (double)m->cells * sizeof *m->slowness : 0;
    return (size_t)(fast_marching_bytes(&m->grid, m->settings.refine) + speeds);
}

/* ---- the entries of the table of searches ---- */

static enum status row_prepare(struct search_workspace *w, struct error *error)
{
    bool fine = w->search == &search_fast_marching_fine;
    struct fast_marching *marching = NULL;
    enum status status = fast_marching_new(
        w->terrain, fine ? &fast_marching_fine : &fast_marching_plain,
        &marching, error);
    w->state = marching;
    if (!status)
        w->memory += memory_of(marching);
    return status;
}

static void row_release(struct search_workspace *w)
{
    fast_marching_release(w->state);
}

/* The march starts at the query's end, so that the descent from its start is
 * the path in order; a whole field starts at `from`. */
static bool row_run(struct search_workspace *w,
                    const struct search_query *query,
                    struct search_result *result)
{
    struct fast_marching *marching = w->state;
    bool all = query->to == SEARCH_EVERYWHERE;
    bool found = fast_marching_solve(marching, all ? query->from : query->to,
                                     all ? SIZE_MAX : query->from);
    result->expansions = fast_marching_expansions(marching);
    if (!found)
        return false;
    result->cost = all ? 0 : fast_marching_time(marching, query->from);
    if (all)
        return true;
    w->path_count = path_down(marching, query->from,
                              w->passages->moves > 2 * w->terrain->grid.dims,
                              w->path, grid_cells(&w->terrain->grid));
    return w->path_count > 0;
}

static double row_distance(const struct search_workspace *w, size_t cell)
{
    return fast_marching_time(w->state, cell);
}

static enum status row_changed(struct search_workspace *w,
                               const struct box *box, struct error *error)
{
    return fast_marching_update(w->state, w->terrain, box, error);
}

/* The path of steepest descent crosses subcells. Its length is the time T,
 * which is shorter than any path of whole cells. */
static bool run_fine(struct search_workspace *w,
                     const struct search_query *query,
                     struct search_result *result)
{
    bool found = row_run(w, query, result);
    if (found && query->to != SEARCH_EVERYWHERE && !w->terrain->speed)
        result->length = result->cost;
    return found;
}

const struct search search_fast_marching = {
    .name = "fast-marching",
    .prepare = row_prepare,
    .release = row_release,
    .run = row_run,
    .distance = row_distance,
    .changed = row_changed,
};

const struct search search_fast_marching_fine = {
    .name = "fast-marching-fine",
    .prepare = row_prepare,
    .release = row_release,
    .run = run_fine,
    .distance = row_distance,
    .changed = row_changed,
};
