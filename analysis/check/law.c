/* SPDX-License-Identifier: MIT */
/* The map for the law (the neighbours of each cell, and their weights), and the
 * law itself, cell by cell. */
#include "analysis/check/law.h"
#include "analysis/check/sum.h"

#include "base/memory.h"
#include "base/need.h"
#include "wave/wave.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- the ground ---- */

void ground_init(const struct law *law, struct ground *ground)
{
    const struct grid *grid = &law->grid;
    size_t cells = grid_cells(grid);
    size_t points = (size_t)law->stencil->points;
    *ground = (struct ground){
        .points = points,
        .wall = need_memory(cells, sizeof *ground->wall),
        .seen = need_memory(cells, points * sizeof *ground->seen),
    };
    if (law->areas)
        ground->speed = need_memory(cells, sizeof *ground->speed);
    for (size_t i = 0; i < cells && law->areas; i++)
        ground->speed[i] = 1;
    for (size_t p = 0; p < points; p++)
        for (int axes = 0; axes < 1 << GRID_AXES; axes++) {
            const int *step = law->stencil->point[p].step;
            ground->away[p][axes] =
                (axes & 1 ? step[0] : 0) + (axes & 2 ? step[1] * grid->nx : 0) +
                (axes & 4 ? step[2] * grid->nx * grid->ny : 0);
        }
}

void ground_release(struct ground *ground)
{
    memory_release(ground->wall);
    memory_release(ground->speed);
    memory_release(ground->seen);
    *ground = (struct ground){ 0 };
}

/* Is the cell `step` away readable, not a mirror (the map's edge or a free
 * wall)? */
static bool is_readable(const struct law *law, const struct ground *ground,
                        size_t cell, const int step[GRID_AXES])
{
    int at[GRID_AXES];
    grid_cell(&law->grid, cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] += step[axis];
    return grid_holds(&law->grid, at[0], at[1], at[2]) &&
           !(law->free_walls &&
             ground->wall[grid_index(&law->grid, at[0], at[1], at[2])]);
}

/* The block of up to 8 cells between a cell and the one `step` away, indexed by
 * the axes stepped (a bit each): `reached` are the parts of the step with a
 * path of readable cells from the cell itself. An axis is removed from the step
 * if its half of the block consists only of mirrors. The cell at the remaining
 * step is seen if it is reached, else the cell itself. Returns its axes. */
static unsigned seen(const struct law *law, const struct ground *ground,
                     size_t cell, const int step[GRID_AXES])
{
    unsigned whole = 0, left = 0, reached = 1;
    for (unsigned axis = 0; axis < GRID_AXES; axis++)
        whole |= (step[axis] ? 1u : 0u) << axis;
    for (unsigned part = 0; part <= whole; part++) {
        const int by[] = { part & 1 ? step[0] : 0, part & 2 ? step[1] : 0,
                           part & 4 ? step[2] : 0 };
        if ((part & whole) != part ||
            (part && !is_readable(law, ground, cell, by)))
            continue;
        left |= part;
        for (unsigned axis = 1; axis <= part; axis <<= 1)
            if (part & axis && reached >> (part ^ axis) & 1)
                reached |= 1u << part;
    }
    return reached >> left & 1 ? left : 0;
}

double ground_delta(const struct law *law, const struct ground *ground,
                    size_t cell)
{
    double speed = ground->speed ? ground->speed[cell] : 1;
    return law->delta * (speed * speed);
}

/* δ of the face to the cell that is seen at a point: the harmonic mean; at a
 * fixed wall the cell's own δ; 0 at a mirror, where a cell sees itself. */
static double face(const struct law *law, const struct ground *ground,
                   size_t cell, int point)
{
    size_t there = (size_t)ground_seen(ground, cell, point);
    if (there == cell)
        return 0;
    double a = ground_delta(law, ground, cell);
    double b = ground_delta(law, ground, there);
    return a == b || ground->wall[there] ? a : 2 * (a * b) / (a + b);
}

void ground_build(const struct law *law, struct ground *ground)
{
    size_t cells = grid_cells(&law->grid);
    size_t points = (size_t)law->stencil->points;
    ground->fastest = 0;
    for (size_t i = 0; i < cells; i++) {
        double delta = ground_delta(law, ground, i);
        if (!ground->wall[i] && delta > ground->fastest)
            ground->fastest = delta;
        for (size_t p = 0; p < points; p++)
            ground->seen[i * points + p] =
                (uint8_t)seen(law, ground, i, law->stencil->point[p].step);
    }
}

int ground_links(const struct law *law, const struct ground *ground,
                 size_t cell, struct link links[STENCIL_POINTS])
{
    int count = 0;
    for (int p = 0; p < law->stencil->points; p++) {
        int32_t there = ground_seen(ground, cell, p);
        if ((size_t)there == cell)
            continue;
        double weight = law->stencil->point[p].weight;
        if (law->conservative)
            weight *= face(law, ground, cell, p);
        links[count++] =
            (struct link){ ground->wall[there] ? -1 : there, weight };
    }
    return count;
}

/* ---- the law ---- */

double law_roundoff(const struct law *law)
{
    return law->single ? 0x1p-24 : 0x1p-53;
}

double law_least(const struct law *law)
{
    return law->single ? 0x1p-120 : 0x1p-1020;
}

#if defined(__aarch64__)
const bool law_early = true;
#else
const bool law_early = false;
#endif

/* Single precision by the other kind's rule. A product of two single numbers,
 * and a sum that is so small, are exact in `value`. */
static double flushed(double value)
{
    const bool kept = law_early && fabs(value) >= 0x1p-126 - 0x1p-151;
    return copysign(kept ? 0x1p-126 : 0, value);
}

/* Through memory: gcc 12 with its SLP vectorizer (-O2 and up) omits the
 * narrowing if two of these are adjacent. */
double law_rounded(const struct law *law, double value)
{
    if (!law->single)
        return value;
    if (law->other && law->flush && fabs(value) < 0x1p-126)
        return flushed(value);
    volatile float single = (float)value;
    return (double)single;
}

static double add(const struct law *law, double a, double b)
{
    return law_rounded(law, a + b);
}

static double multiply(const struct law *law, double a, double b)
{
    return law_rounded(law, a * b);
}

/* n·δᵢ, or the sum of the faces' δ, in pairs as well. */
static double outflow(const struct law *law, const struct ground *ground,
                      size_t cell, const double faces[STENCIL_POINTS])
{
    if (!law->conservative)
        return -law->stencil->centre * ground_delta(law, ground, cell);
    double sum = (faces[0] + faces[1]) + (faces[2] + faces[3]);
    return law->grid.dims == 3 ? sum + (faces[4] + faces[5]) : sum;
}

void law_weigh(const struct law *law, const struct ground *ground, size_t cell,
               struct law_weights *weights)
{
    double m = law->loss, faces[STENCIL_POINTS] = { 0 };
    for (int p = 0; p < law->stencil->points && law->conservative; p++)
        faces[p] = face(law, ground, cell, p);
    double out = outflow(law, ground, cell, faces);
    weights->d =
        law->conservative
            ? 1
            : law_rounded(law, ground_delta(law, ground, cell) / (1 + m));
    weights->c = law_rounded(law, (2 - out) / (1 + m));
    weights->a = law_rounded(law, (1 - m) / (1 + m));
    for (int p = 0; p < law->stencil->points; p++) {
        double weight = law->stencil->point[p].weight;
        if (law->conservative)
            weight = faces[p] / (1 + m);
        weights->point[p] = law_rounded(law, weight);
    }
}

/* Exact to the last bit, because it is of the size of one rounding. */
double law_excess(const struct law *law, const struct law_weights *weights)
{
    struct sum sum = { 0 };
    sum_add(&sum, weights->c);
    sum_add(&sum, -2);
    for (int p = 0; p < law->stencil->points; p++) {
        double product = weights->d * weights->point[p];
        sum_add(&sum, product);
        sum_add(&sum, fma(weights->d, weights->point[p], -product));
    }
    return sum_total(&sum);
}

/* S, summed over the stencil's pairs, (E + W) + (N + S) + …, which keeps the
 * map's mirror symmetry. In the conservative form each term has the weight of
 * its face; in stencils with diagonals the sums over the axes, over the edges
 * and over the corners have weights; a weight of 1 is not applied. Edges and
 * corners of the 27-point stencil are summed by layers of four points: the
 * cell's own layer, and the two adjacent ones together. */
static double surroundings(const struct law *law, const struct ground *ground,
                           const struct law_weights *weights, const double *now,
                           size_t cell)
{
    int points = law->stencil->points;
    double value[STENCIL_POINTS] = { 0 }, pair[STENCIL_POINTS / 2] = { 0 };
    for (int p = 0; p < points; p++) {
        value[p] = now[ground_seen(ground, cell, p)];
        if (law->conservative)
            value[p] = multiply(law, weights->point[p], value[p]);
    }
    for (int p = 0; p < points; p += 2)
        pair[p / 2] = add(law, value[p], value[p + 1]);
    double sum = add(law, pair[0], pair[1]);
    if (points == 4)
        return sum;
    if (points == 8)
        return add(
            law, multiply(law, weights->point[0], sum),
            multiply(law, weights->point[4], add(law, pair[2], pair[3])));
    sum = add(law, sum, pair[2]);
    if (points == 6)
        return sum;
    double four[5]; /* edges: here, below, above; corners: below, above */
    for (int i = 0; i < 5; i++)
        four[i] = add(law, pair[3 + 2 * i], pair[4 + 2 * i]);
    double edges = add(law, four[0], add(law, four[1], four[2]));
    sum = add(law, multiply(law, weights->point[0], sum),
              multiply(law, weights->point[6], edges));
    return add(law, sum,
               multiply(law, weights->point[18], add(law, four[3], four[4])));
}

double law_next_by(const struct law *law, const struct ground *ground,
                   const struct law_weights *weights, const double *now,
                   double before, size_t cell)
{
    double own = add(law, multiply(law, weights->c, now[cell]),
                     -multiply(law, weights->a, before));
    double sum = surroundings(law, ground, weights, now, cell);
    return add(law, multiply(law, weights->d, sum), own);
}

double law_next(const struct law *law, const struct ground *ground,
                const double *now, double before, size_t cell)
{
    if (ground->wall[cell])
        return 0;
    struct law_weights weights;
    law_weigh(law, ground, cell, &weights);
    return law_next_by(law, ground, &weights, now, before, cell);
}

double law_emitted(const struct law *law, const uint8_t *wall, size_t source,
                   size_t cell)
{
    if (wall[source] || wall[cell] || law_drives(law) ||
        law->source == LAW_MODE)
        return 0;
    if (law->source != LAW_GAUSSIAN)
        return cell == source ? law_rounded(law, law->amplitude) : 0;
    int from[GRID_AXES], to[GRID_AXES];
    grid_cell(&law->grid, source, from);
    grid_cell(&law->grid, cell, to);
    double square = 0; /* r²/σ² */
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double way = (to[axis] - from[axis]) / law->sigma;
        square += way * way;
    }
    return law_rounded(law, law->amplitude * exp(-square / 2));
}

/* The age-th number of the list, or 0 after the last. */
static double numbered(const char *list, int64_t age)
{
    const char *at = list;
    for (int64_t i = 1; i < age && at; i++)
        at = strchr(at + 1, ',');
    return at ? strtod(at + 1, NULL) : 0;
}

/* (1 − 2u) e^(−u), u = (ω(t − t0)/2)², with ω of the plane wave along an axis
 * of this wavelength, sin(ω/2) = √δ sin(π/λ) (π if there is none), and t0 late
 * enough for u = 18 at the start. */
double law_driven(const struct law *law, const struct ground *ground,
                  size_t source, double value, int64_t age)
{
    if (ground->wall[source])
        return value;
    if (law->source == LAW_SIGNAL)
        return add(
            law, value,
            law_rounded(law, law->amplitude * numbered(law->signal, age)));
    double sine =
        sqrt(ground_delta(law, ground, source)) * sin(PI / law->wavelength);
    double omega = 2 * asin(sine < 1 ? sine : 1);
    double late = 1 + ceil(2 * sqrt(18) / omega);
    double phase = omega * ((double)age - late) / 2;
    double u = phase * phase;
    double pulse = law->amplitude * ((1 - 2 * u) * exp(-u));
    return add(law, value, law_rounded(law, pulse));
}

/* The value seen `step` away. */
static double beside(const struct law *law, const struct ground *ground,
                     const double *field, size_t cell, int x, int y, int z)
{
    for (int p = 0; p < law->stencil->points; p++) {
        const int *step = law->stencil->point[p].step;
        if (step[0] == x && step[1] == y && step[2] == z)
            return field[ground_seen(ground, cell, p)];
    }
    return NAN;
}

/* The central difference of the cells (x, y, z) and (−x, −y, −z) away. */
static double difference(const struct law *law, const struct ground *ground,
                         const double *field, size_t cell, int x, int y, int z)
{
    return add(law, beside(law, ground, field, cell, x, y, z),
               -beside(law, ground, field, cell, -x, -y, -z));
}

/* The difference along `axis` between the cells at this offset across it:
 * `first` along the lower and `second` along the higher of the other two
 * axes. */
static double across(const struct law *law, const struct ground *ground,
                     const double *field, size_t cell, int axis, int first,
                     int second)
{
    const int lower = axis == 0 ? 1 : 0, higher = axis == 2 ? 1 : 2;
    int to[GRID_AXES] = { 0 };
    to[lower] = first;
    to[higher] = second;
    to[axis] = 1;
    double ahead = beside(law, ground, field, cell, to[0], to[1], to[2]);
    to[axis] = -1;
    return add(law, ahead,
               -beside(law, ground, field, cell, to[0], to[1], to[2]));
}

/* Two such differences, on opposite sides. */
static double across_pair(const struct law *law, const struct ground *ground,
                          const double *field, size_t cell, int axis,
                          const int one[2], const int other[2])
{
    return add(law, across(law, ground, field, cell, axis, one[0], one[1]),
               across(law, ground, field, cell, axis, other[0], other[1]));
}

/* Averaged (1, 4, 1)/6 across both other axes, matched to the 27-point stencil:
 * of 36 the middle has weight 16, the four adjacent ones 4, the four at the
 * corners 1. Pairs are in one layer, but along z opposite each other. */
static double solid_gradient(const struct law *law, const struct ground *ground,
                             const double *field, size_t cell, int axis,
                             double along)
{
    static const int flat[4][2][2] = { { { -1, 1 }, { 1, 1 } },
                                       { { -1, -1 }, { 1, -1 } },
                                       { { -1, 0 }, { 1, 0 } },
                                       { { 0, 1 }, { 0, -1 } } };
    static const int upright[4][2][2] = { { { 1, 1 }, { -1, -1 } },
                                          { { 1, -1 }, { -1, 1 } },
                                          { { 1, 0 }, { -1, 0 } },
                                          { { 0, -1 }, { 0, 1 } } };
    double pair[4];
    for (int i = 0; i < 4; i++)
        pair[i] = axis < 2 ? across_pair(law, ground, field, cell, axis,
                                         flat[i][0], flat[i][1])
                           : across_pair(law, ground, field, cell, axis,
                                         upright[i][0], upright[i][1]);
    double corners =
        multiply(law, law_rounded(law, 1. / 72), add(law, pair[0], pair[1]));
    double edges =
        multiply(law, law_rounded(law, 4. / 72), add(law, pair[2], pair[3]));
    return add(law, add(law, corners, edges),
               multiply(law, law_rounded(law, 16. / 72), along));
}

double law_gradient(const struct law *law, const struct ground *ground,
                    const double *field, size_t cell, int axis)
{
    if (ground->wall[cell])
        return 0;
    int x = axis == 0, y = axis == 1, z = axis == 2;
    double along = difference(law, ground, field, cell, x, y, z);
    if (!stencil_has_diagonals(law->stencil))
        return multiply(law, 0.5, along);
    if (law->grid.dims == 3)
        return solid_gradient(law, ground, field, cell, axis, along);
    /* Averaged (1, 4, 1)/6 across, matched to the stencil; of the two
     * differences across the axis the lower one comes first. */
    double before = add(law, beside(law, ground, field, cell, x - y, y - x, 0),
                        -beside(law, ground, field, cell, -1, -1, 0));
    double behind = add(law, beside(law, ground, field, cell, 1, 1, 0),
                        -beside(law, ground, field, cell, y - x, x - y, 0));
    return add(
        law, multiply(law, law_rounded(law, 1. / 12), add(law, before, behind)),
        multiply(law, law_rounded(law, 1. / 3), along));
}
