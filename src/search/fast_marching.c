/* SPDX-License-Identifier: MIT */
#include "search/fast_marching.h"

#include "base/memory.h"
#include "search/moves.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const struct fast_marching_settings fast_marching_plain = { 1, 4 };
const struct fast_marching_settings fast_marching_fine = { 3, 4 };

/* A cell is known by its mark: 2·round while it is in the heap, 2·round + 1
 * once accepted; older marks are those of earlier rounds. */
struct entry {
    double time;
    int32_t cell;
};

struct fast_marching {
    struct grid grid; /* of the terrain */
    struct grid fine; /* of the march: grid × refine */
    struct fast_marching_settings settings;
    int32_t pitch, layer, cells; /* padded by one cell all round */
    int32_t offset[2 * GRID_AXES];
    uint8_t *wall;
    double *slowness; /* 1/c; NULL: all 1 */
    double *time;
    uint32_t *mark, round;
    int32_t *place; /* in the heap, from 1 */
    struct entry *heap;
    int32_t heap_count;
    uint64_t expansions;
};

/* ---- cells of the march ---- */

static int32_t at_fine(const struct fast_marching *m, int x, int y, int z)
{
    return (m->grid.dims == 2 ? 0 : (z + 1) * m->layer) + (y + 1) * m->pitch +
           x + 1;
}

/* The middle subcell of a cell of the terrain. */
static int32_t at_centre(const struct fast_marching *m, size_t cell)
{
    int at[GRID_AXES], refine = m->settings.refine, half = refine / 2;
    grid_cell(&m->grid, cell, at);
    return at_fine(m, at[0] * refine + half, at[1] * refine + half,
                   m->grid.dims == 2 ? 0 : at[2] * refine + half);
}

static void place_fine(const struct fast_marching *m, int32_t cell,
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

static inline bool waiting(const struct fast_marching *m, int32_t cell)
{
    return m->mark[cell] == 2 * m->round;
}

/* ---- the heap ---- */

static inline void heap_set(struct fast_marching *m, int32_t at,
                            struct entry entry)
{
    m->heap[at] = entry;
    m->place[entry.cell] = at;
}

static void heap_rise(struct fast_marching *m, int32_t at, struct entry entry)
{
    for (; at > 1 && m->heap[at / 2].time > entry.time; at /= 2)
        heap_set(m, at, m->heap[at / 2]);
    heap_set(m, at, entry);
}

static int32_t heap_take(struct fast_marching *m)
{
    int32_t top = m->heap[1].cell, at = 1, below;
    struct entry moved = m->heap[m->heap_count--];
    while ((below = 2 * at) <= m->heap_count) {
        below += below < m->heap_count &&
                 m->heap[below + 1].time < m->heap[below].time;
        if (m->heap[below].time >= moved.time)
            break;
        heap_set(m, at, m->heap[below]);
        at = below;
    }
    if (m->heap_count > 0)
        heap_set(m, at, moved);
    return top;
}

/* ---- the scheme ---- */

/* One axis upwind of a cell: weight·(T − time)², which is ((3T − 4T₁ + T₂)/2)²
 * at second order and (T − T₁)² at first. */
struct upwind {
    double weight, time;
    double nearest; /* T₁: the solution may not be under it */
    int direction;  /* of the neighbour */
};

static inline bool look_upwind(const struct fast_marching *m, int32_t cell,
                               int axis, struct upwind *upwind)
{
    double best = INFINITY;
    for (int d = 2 * axis; d < 2 * axis + 2; d++) {
        int32_t n = cell + m->offset[d];
        if (accepted(m, n) && m->time[n] < best) {
            best = m->time[n];
            upwind->direction = d;
        }
    }
    if (best == INFINITY)
        return false;
    int32_t second = cell + 2 * m->offset[upwind->direction];
    upwind->nearest = best;
    if (accepted(m, second) && m->time[second] <= best) {
        upwind->weight = 2.25;
        upwind->time = (4 * best - m->time[second]) / 3;
    } else {
        upwind->weight = 1;
        upwind->time = best;
    }
    return true;
}

/* The larger root of Σ weight·(T − time)² = slowness², −1 where there is
 * none. */
static double root_of(const struct upwind *upwind, int count, double slowness)
{
    double a = 0, b = 0, c = -slowness * slowness;
    for (int i = 0; i < count; i++) {
        a += upwind[i].weight;
        b += upwind[i].weight * upwind[i].time;
        c += upwind[i].weight * upwind[i].time * upwind[i].time;
    }
    double discriminant = b * b - a * c;
    return discriminant < 0 ? -1 : (b + sqrt(discriminant)) / a;
}

/* All axes at once if the front comes by all of them; else without the one
 * that it would reach last. */
static double solve_cell(const struct fast_marching *m, int32_t cell)
{
    struct upwind upwind[GRID_AXES];
    int count = 0;
    double slowness = m->slowness ? m->slowness[cell] : 1;
    for (int axis = 0; axis < m->grid.dims; axis++)
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

static inline void relax(struct fast_marching *m, int32_t cell)
{
    if (m->wall[cell] || accepted(m, cell))
        return;
    double time = solve_cell(m, cell);
    if (!waiting(m, cell)) {
        m->mark[cell] = 2 * m->round;
        m->time[cell] = INFINITY;
        m->place[cell] = ++m->heap_count;
    }
    if (time < m->time[cell]) {
        m->time[cell] = time;
        heap_rise(m, m->place[cell], (struct entry){ time, cell });
    }
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
    return !m->wall[cell];
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
        if (!m->wall[cell] && m->slowness && m->slowness[cell] != slowness)
            disc->radius = fmin(disc->radius, fmax(distance - 1, 0));
    } else if (distance <= disc->radius && pass == DISC_RELAX) {
        if (accepted(m, cell))
            relax_round(m, cell);
    } else if (distance <= disc->radius && disc_joins(m, cell, off)) {
        m->mark[cell] = 2 * m->round + 1;
        m->time[cell] = distance * slowness;
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
    disc_pass(m, &disc, source, DISC_RELAX);
}

bool fast_marching_solve(struct fast_marching *m, size_t from, size_t to)
{
    int32_t source = at_centre(m, from);
    int32_t goal = to == SIZE_MAX ? -1 : at_centre(m, to);
    if (m->round == UINT32_MAX / 2) {
        memset(m->mark, 0, (size_t)m->cells * sizeof *m->mark);
        m->round = 0;
    }
    m->round++;
    m->heap_count = 0;
    m->expansions = 0;
    if (m->wall[source])
        return false;
    start(m, source);
    while (m->heap_count > 0 && (goal < 0 || !accepted(m, goal))) {
        int32_t cell = heap_take(m);
        m->mark[cell] = 2 * m->round + 1;
        m->expansions++;
        relax_round(m, cell);
    }
    return goal < 0 || accepted(m, goal);
}

double fast_marching_time(const struct fast_marching *m, size_t cell)
{
    int32_t at = at_centre(m, cell);
    return accepted(m, at) ? m->time[at] / m->settings.refine : INFINITY;
}

/* −∂T/∂(the upwind direction). Where second order is not to be had upwind, the
 * front comes along the other axis, and both neighbours lie on its far side. */
static double slope_along(const struct fast_marching *m, int32_t cell,
                          const struct upwind *upwind)
{
    int32_t other = cell + m->offset[upwind->direction ^ 1];
    if (m->time[cell] <= upwind->nearest)
        return 0;
    if (upwind->weight == 1 && accepted(m, other))
        return 0.5 * (m->time[other] - upwind->nearest);
    return sqrt(upwind->weight) * fmax(m->time[cell] - upwind->time, 0);
}

bool fast_marching_heading(const struct fast_marching *m,
                           const double at[GRID_AXES],
                           double heading[GRID_AXES])
{
    int refine = m->settings.refine, cell[GRID_AXES];
    const int extent[GRID_AXES] = { m->fine.nx, m->fine.ny, m->fine.nz };
    double length = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        heading[axis] = 0;
        double place =
            axis < m->grid.dims ? floor((at[axis] + 0.5) * refine) : 0;
        cell[axis] = (int)fmin(fmax(place, 0), extent[axis] - 1);
    }
    int32_t here = at_fine(m, cell[0], cell[1], cell[2]);
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

/* ---- the way down ---- */

/* Every cell of the move's box but the first is free. */
static bool clear(const struct fast_marching *m, int32_t cell, const int *step)
{
    for (int corner = 1; corner < 8; corner++)
        if (m->wall[cell + (corner & 1 ? step[0] : 0) +
                    (corner & 2 ? step[1] * m->pitch : 0) +
                    (corner & 4 ? step[2] * m->layer : 0)])
            return false;
    return true;
}

/* The neighbour to which T falls most a unit of length; −1 at the source. */
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
        double slope = (m->time[cell] - m->time[n]) / length[move->axes];
        if (slope > fall) {
            fall = slope;
            best = n;
        }
    }
    return best;
}

size_t fast_marching_path(const struct fast_marching *m, size_t from,
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

uint64_t fast_marching_expansions(const struct fast_marching *m)
{
    return m->expansions;
}

size_t fast_marching_memory(const struct fast_marching *m)
{
    size_t each = sizeof *m->wall + sizeof *m->time + sizeof *m->mark +
                  sizeof *m->place + sizeof *m->heap +
                  (m->slowness ? sizeof *m->slowness : 0);
    return sizeof *m + (size_t)m->cells * each;
}

/* ---- making, changing ---- */

static void copy_cell(struct fast_marching *m, const struct terrain *terrain,
                      int x, int y, int z)
{
    size_t cell = grid_index(&m->grid, x, y, z);
    int refine = m->settings.refine, deep = m->grid.dims == 2 ? 1 : refine;
    for (int c = 0; c < deep; c++)
        for (int b = 0; b < refine; b++)
            for (int a = 0; a < refine; a++) {
                int32_t at =
                    at_fine(m, x * refine + a, y * refine + b, z * deep + c);
                m->wall[at] = terrain->wall[cell] != 0;
                if (m->slowness)
                    m->slowness[at] =
                        terrain->speed ? 1 / terrain->speed[cell] : 1;
            }
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
    *m = (struct fast_marching){ .grid = terrain->grid, .settings = *settings };
    enum status status = lay_out(m, error);
    if (!status) {
        size_t cells = (size_t)m->cells;
        m->wall = memory_new(cells, sizeof *m->wall);
        m->time = memory_new(cells, sizeof *m->time);
        m->mark = memory_new(cells, sizeof *m->mark);
        m->place = memory_new(cells, sizeof *m->place);
        m->heap = memory_new(cells, sizeof *m->heap);
        if (!m->wall || !m->time || !m->mark || !m->place || !m->heap)
            status = error_memory(error);
        else
            memset(m->wall, 1, cells);
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
    memory_release(m->wall);
    memory_release(m->slowness);
    memory_release(m->time);
    memory_release(m->mark);
    memory_release(m->place);
    memory_release(m->heap);
    memory_release(m);
}
