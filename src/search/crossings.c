/* SPDX-License-Identifier: MIT */
/* For a barrier μ the method solves the following by Newton steps from the last
 * solution,
 *
 *     Σ s Aᵀy − z⁻ + z⁺ = 0,   φ y = r,   z⁻ t = μ,   z⁺ (1 − t) = μ,
 *
 * t: the position of a point on its face, r: the pieces (A t and constants), y:
 * their directions, z: the forces of the borders and φ = √(|r|² + μ²).
 * Linearizing φ y = r, instead of taking y = r/φ, keeps Newton steps long if
 * pieces are short. */
#include "search/crossings.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { FREE = 2, STEPS_MOST = 400, STEPS_LAST = 3 };

struct crossings_node {
    int axis[FREE];               /* along which the face extends; −1: none */
    double t[FREE];               /* 0 … 1 */
    double force[FREE];           /* −∂/∂t of the merit */
    double step[FREE];            /* of t; before that the right-hand side */
    double low[FREE], high[FREE]; /* z⁻, z⁺ */
    double own[FREE][FREE];       /* the diagonal block; its inverse */
    double next[FREE][FREE];      /* the block to the right of it */
};

struct crossings_piece {
    double base[GRID_AXES]; /* r at t = 0 */
    double r[GRID_AXES];
    double y[GRID_AXES];
    double length;   /* φ */
    double slowness; /* relative to the largest one */
};

static const double barrier_first = 0.1;

void crossings_init(struct crossings *c, int dims)
{
    *c = (struct crossings){ .dims = dims };
}

void crossings_release(struct crossings *c)
{
    memory_release(c->faces);
    memory_release(c->slowness);
    memory_release(c->points);
    memory_release(c->nodes);
    memory_release(c->pieces);
    crossings_init(c, c->dims);
}

enum status crossings_resize(struct crossings *c, size_t count,
                             struct error *error)
{
    if (count > c->room || !c->faces) {
        int dims = c->dims;
        size_t room = 2 * count + 16;
        crossings_release(c);
        c->dims = dims;
        c->faces = memory_new(room, sizeof *c->faces);
        c->slowness = memory_new(room + 1, sizeof *c->slowness);
        c->points = memory_new(room, sizeof *c->points);
        c->nodes = memory_new(room, sizeof *c->nodes);
        c->pieces = memory_new(room + 1, sizeof *c->pieces);
        if (!c->faces || !c->slowness || !c->points || !c->nodes || !c->pieces)
            return error_memory(error);
        c->room = room;
    }
    c->count = count;
    return STATUS_OK;
}

/* ---- initial values ---- */

static void start_pieces(struct crossings *c)
{
    double slowest = 0;
    for (size_t i = 0; i <= c->count; i++)
        slowest = fmax(slowest, c->slowness[i]);
    for (size_t i = 0; i <= c->count; i++) {
        struct crossings_piece *piece = &c->pieces[i];
        const double *from = i ? c->faces[i - 1].base : c->start;
        const double *to = i < c->count ? c->faces[i].base : c->end;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            piece->base[axis] = axis < c->dims ? to[axis] - from[axis] : 0;
            piece->y[axis] = 0;
        }
        piece->slowness = c->slowness[i] / slowest;
    }
}

static void start_nodes(struct crossings *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct crossings_node *node = &c->nodes[i];
        *node = (struct crossings_node){ .axis = { -1, -1 } };
        int count = 0;
        for (int axis = 0; axis < c->dims; axis++)
            if (axis != c->faces[i].axis)
                node->axis[count++] = axis;
        for (int k = 0; k < FREE; k++) {
            node->t[k] = 0.5;
            node->low[k] = node->high[k] = 2 * barrier_first;
        }
    }
}

/* ---- a step ---- */

static void stretch(struct crossings *c, double barrier)
{
    for (size_t i = 0; i <= c->count; i++) {
        struct crossings_piece *piece = &c->pieces[i];
        memcpy(piece->r, piece->base, sizeof piece->r);
        for (int k = 0; k < FREE; k++) {
            if (i > 0 && c->nodes[i - 1].axis[k] >= 0)
                piece->r[c->nodes[i - 1].axis[k]] -= c->nodes[i - 1].t[k];
            if (i < c->count && c->nodes[i].axis[k] >= 0)
                piece->r[c->nodes[i].axis[k]] += c->nodes[i].t[k];
        }
        piece->length =
            sqrt(piece->r[0] * piece->r[0] + piece->r[1] * piece->r[1] +
                 piece->r[2] * piece->r[2] + barrier * barrier);
    }
}

/* The merit, which a Newton step lowers: Σ s φ − μ Σ (ln t + ln(1 − t)). */
static double merit_of(const struct crossings *c, double barrier)
{
    double merit = 0, walls = 0;
    for (size_t i = 0; i <= c->count; i++)
        merit += c->pieces[i].slowness * c->pieces[i].length;
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < c->dims - 1; k++)
            walls += log(c->nodes[i].t[k] * (1 - c->nodes[i].t[k]));
    return merit - barrier * walls;
}

/* The second derivative of s φ for motions along the axes a and b. */
static inline double bend(const struct crossings_piece *piece, int a, int b)
{
    double mixed = piece->y[a] * piece->r[b] + piece->y[b] * piece->r[a];
    return piece->slowness / piece->length *
           ((a == b) - 0.5 * mixed / piece->length);
}

static void assemble(struct crossings *c, size_t i, double barrier)
{
    struct crossings_node *node = &c->nodes[i];
    const struct crossings_piece *in = &c->pieces[i], *out = in + 1;
    for (int k = 0; k < FREE; k++) {
        int a = node->axis[k];
        double t = node->t[k];
        for (int l = 0; l < FREE; l++) {
            int b = node->axis[l];
            node->own[k][l] =
                a < 0 || b < 0 ? k == l : bend(in, a, b) + bend(out, a, b);
            int after = i + 1 < c->count ? c->nodes[i + 1].axis[l] : -1;
            node->next[k][l] = a < 0 || after < 0 ? 0 : -bend(out, a, after);
        }
        node->step[k] = 0;
        if (a < 0)
            continue;
        node->own[k][k] += node->low[k] / t + node->high[k] / (1 - t);
        node->step[k] = out->slowness * out->r[a] / out->length -
                        in->slowness * in->r[a] / in->length + barrier / t -
                        barrier / (1 - t);
    }
    memcpy(node->force, node->step, sizeof node->force);
}

static void invert(double m[FREE][FREE])
{
    double whole = m[0][0] * m[1][1] - m[0][1] * m[1][0], first = m[0][0];
    m[0][0] = m[1][1] / whole;
    m[1][1] = first / whole;
    m[0][1] = -m[0][1] / whole;
    m[1][0] = m[0][1];
}

/* Eliminates the node before from a node's rows. */
static void eliminate(const struct crossings_node *before,
                      struct crossings_node *node)
{
    double share[FREE][FREE]; /* nextᵀ·own⁻¹ */
    for (int k = 0; k < FREE; k++)
        for (int l = 0; l < FREE; l++)
            share[k][l] = before->next[0][k] * before->own[0][l] +
                          before->next[1][k] * before->own[1][l];
    for (int k = 0; k < FREE; k++) {
        node->step[k] -=
            share[k][0] * before->step[0] + share[k][1] * before->step[1];
        for (int l = 0; l < FREE; l++)
            node->own[k][l] -= share[k][0] * before->next[0][l] +
                               share[k][1] * before->next[1][l];
    }
}

/* The steps of all t: forward elimination, backward substitution. */
static void find_step(struct crossings *c, double barrier)
{
    for (size_t i = 0; i < c->count; i++) {
        assemble(c, i, barrier);
        if (i)
            eliminate(&c->nodes[i - 1], &c->nodes[i]);
        for (int k = 0; k < FREE; k++) /* nonzero only by rounding */
            c->nodes[i].own[k][k] = fmax(c->nodes[i].own[k][k], 1e-12);
        invert(c->nodes[i].own);
    }
    for (size_t i = c->count; i-- > 0;) {
        struct crossings_node *node = &c->nodes[i];
        double right[FREE];
        for (int k = 0; k < FREE; k++) {
            right[k] = node->step[k];
            if (i + 1 < c->count)
                right[k] -= node->next[k][0] * c->nodes[i + 1].step[0] +
                            node->next[k][1] * c->nodes[i + 1].step[1];
        }
        for (int k = 0; k < FREE; k++)
            node->step[k] =
                node->own[k][0] * right[0] + node->own[k][1] * right[1];
    }
}

/* The change of r along a step. */
static void piece_step(const struct crossings *c, size_t i,
                       double change[GRID_AXES])
{
    memset(change, 0, GRID_AXES * sizeof *change);
    for (int k = 0; k < FREE; k++) {
        if (i > 0 && c->nodes[i - 1].axis[k] >= 0)
            change[c->nodes[i - 1].axis[k]] -= c->nodes[i - 1].step[k];
        if (i < c->count && c->nodes[i].axis[k] >= 0)
            change[c->nodes[i].axis[k]] += c->nodes[i].step[k];
    }
}

/* The fraction of a change that keeps a number ≥ 0 above 0. */
static double room_for(double number, double change)
{
    return change < 0 ? -number / change : INFINITY;
}

/* y and z by the linearized equations, at the old t and r. */
static void step_forces(struct crossings *c, double barrier, double share)
{
    for (size_t i = 0; i <= c->count; i++) {
        struct crossings_piece *piece = &c->pieces[i];
        double change[GRID_AXES], along = 0, square = 0;
        piece_step(c, i, change);
        for (int a = 0; a < c->dims; a++)
            along += piece->r[a] * change[a];
        along /= piece->length;
        for (int a = 0; a < c->dims; a++) {
            double full =
                (piece->r[a] + change[a] - piece->y[a] * along) / piece->length;
            piece->y[a] += share * (full - piece->y[a]);
            square += piece->y[a] * piece->y[a];
        }
        for (int a = 0; a < c->dims && square > 1; a++)
            piece->y[a] /= sqrt(square);
    }
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < FREE; k++) {
            struct crossings_node *node = &c->nodes[i];
            double t = node->t[k], step = node->step[k];
            double low = (barrier - node->low[k] * step) / t - node->low[k];
            double high =
                (barrier + node->high[k] * step) / (1 - t) - node->high[k];
            node->low[k] +=
                fmin(share, 0.99 * room_for(node->low[k], low)) * low;
            node->high[k] +=
                fmin(share, 0.99 * room_for(node->high[k], high)) * high;
        }
}

static void move(struct crossings *c, double share)
{
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < FREE; k++)
            c->nodes[i].t[k] += share * c->nodes[i].step[k];
}

/* One Newton step; returns the fraction of it that was taken, and in *fall
 * twice the predicted decrease of the merit. */
static double take_step(struct crossings *c, double barrier, double *fall)
{
    double share = 1;
    find_step(c, barrier);
    *fall = 0;
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < FREE; k++)
            *fall += c->nodes[i].force[k] * c->nodes[i].step[k];
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < FREE; k++) {
            double t = c->nodes[i].t[k], step = c->nodes[i].step[k];
            share = fmin(share, 0.99 * room_for(t, step));
            share = fmin(share, 0.99 * room_for(1 - t, -step));
        }
    double merit = merit_of(c, barrier);
    step_forces(c, barrier, share);
    move(c, share);
    stretch(c, barrier);
    for (double back = share; back > 1e-10; back /= 2) {
        if (merit_of(c, barrier) <= merit + 1e-14 * fabs(merit))
            return back;
        move(c, -back / 2);
        stretch(c, barrier);
    }
    return 0;
}

/* ---- the result ---- */

/* A lower bound: Σ s|r| ≥ Σ s y·r for every |y| ≤ 1, and the right side is
 * linear in t; its minimum over 0 ≤ t ≤ 1 is at a border of each face. */
static double bound_below(const struct crossings *c)
{
    double bound = 0;
    for (size_t i = 0; i <= c->count; i++)
        for (int a = 0; a < c->dims; a++)
            bound += c->pieces[i].slowness * c->pieces[i].y[a] *
                     c->pieces[i].base[a];
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < c->dims - 1; k++) {
            int a = c->nodes[i].axis[k];
            bound +=
                fmin(0, c->pieces[i].slowness * c->pieces[i].y[a] -
                            c->pieces[i + 1].slowness * c->pieces[i + 1].y[a]);
        }
    return bound;
}

static void place(struct crossings *c, size_t i, double slowest)
{
    const struct crossings_node *node = &c->nodes[i];
    struct crossing *point = &c->points[i];
    *point = (struct crossing){ .at = { 0 } };
    memcpy(point->at, c->faces[i].base, sizeof point->at);
    for (int k = 0; k < c->dims - 1; k++) {
        int a = node->axis[k];
        double t = node->t[k];
        point->border[a] = (node->high[k] > 1 - t) - (node->low[k] > t);
        point->at[a] += point->border[a] ? point->border[a] > 0 : t;
        point->pull[a] = slowest * (node->high[k] - node->low[k]);
    }
}

void crossings_solve(struct crossings *c, double precision)
{
    double slowest = 0, barrier = barrier_first;
    int last = 0;
    start_pieces(c);
    start_nodes(c);
    for (int step = 0; step < STEPS_MOST && c->count > 0; step++) {
        stretch(c, barrier);
        double fall, share = take_step(c, barrier, &fall);
        if (share > 0 && fall > 2 * barrier)
            continue;
        if (barrier <= precision && ++last == STEPS_LAST)
            break;
        barrier = fmax(barrier / 10, precision);
    }
    for (size_t i = 0; i <= c->count; i++)
        slowest = fmax(slowest, c->slowness[i]);
    stretch(c, precision);
    if (c->count == 0)
        for (int a = 0; a < c->dims; a++)
            c->pieces->y[a] = c->pieces->r[a] / c->pieces->length;
    c->lower = slowest * bound_below(c);
    c->time = 0;
    for (size_t i = 0; i < c->count; i++)
        place(c, i, slowest);
    for (size_t i = 0; i <= c->count; i++) {
        const double *from = i ? c->points[i - 1].at : c->start;
        const double *to = i < c->count ? c->points[i].at : c->end;
        c->time += c->slowness[i] * sqrt((to[0] - from[0]) * (to[0] - from[0]) +
                                         (to[1] - from[1]) * (to[1] - from[1]) +
                                         (to[2] - from[2]) * (to[2] - from[2]));
    }
}
