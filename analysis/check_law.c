/* SPDX-License-Identifier: MIT */
#include "check_law.h"

#include <math.h>

#define PI 3.14159265358979323846

double law_roundoff(const struct law *law)
{
    return law->single ? 0x1p-24 : 0x1p-53;
}

double law_least(const struct law *law)
{
    return law->single ? 0x1p-120 : 0x1p-1020;
}

/* Through memory: gcc 12 with its SLP vectorizer (-O2 and up) leaves the
 * narrowing out where two of these stand side by side. */
double law_rounded(const struct law *law, double value)
{
    if (!law->single)
        return value;
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
                      size_t cell)
{
    if (!law->conservative)
        return -law->stencil->centre * ground->delta[cell];
    const double *face = &ground->face[cell * 8];
    double sum = (face[0] + face[1]) + (face[2] + face[3]);
    return law->grid.dims == 3 ? sum + (face[4] + face[5]) : sum;
}

void law_weigh(const struct law *law, const struct ground *ground, size_t cell,
               struct law_weights *weights)
{
    double m = law->loss;
    double d =
        law->conservative ? 1 : law_rounded(law, ground->delta[cell] / (1 + m));
    weights->d = d;
    weights->c = law_rounded(law, (2 - outflow(law, ground, cell)) / (1 + m));
    weights->a = law_rounded(law, (1 - m) / (1 + m));
    for (int p = 0; p < law->stencil->points; p++)
        weights->point[p] =
            law_rounded(law, law->conservative
                                 ? ground->face[cell * 8 + (size_t)p] / (1 + m)
                                 : law->stencil->point[p].weight);
}

/* S, summed over the stencil's pairs, (E + W) + (N + S) + …, which keeps the
 * map's mirror symmetry. The faces of the conservative form weigh each term;
 * the 9-point stencil weighs the sum over the axes and the one over the
 * diagonals; a weight of 1 is none. */
static double surroundings(const struct law *law, const struct ground *ground,
                           const struct law_weights *weights, const double *now,
                           size_t cell)
{
    int points = law->stencil->points;
    double value[8] = { 0 }, pair[4] = { 0 };
    for (int p = 0; p < points; p++) {
        value[p] = now[ground->seen[cell * 8 + (size_t)p]];
        if (law->conservative)
            value[p] = multiply(law, weights->point[p], value[p]);
    }
    for (int p = 0; p < points; p += 2)
        pair[p / 2] = add(law, value[p], value[p + 1]);
    double sum = add(law, pair[0], pair[1]);
    if (points == 6)
        return add(law, sum, pair[2]);
    if (points == 4)
        return sum;
    return add(law, multiply(law, weights->point[0], sum),
               multiply(law, weights->point[4], add(law, pair[2], pair[3])));
}

double law_next(const struct law *law, const struct ground *ground,
                const double *now, double before, size_t cell)
{
    if (ground->wall[cell])
        return 0;
    struct law_weights weights;
    law_weigh(law, ground, cell, &weights);
    double own = add(law, multiply(law, weights.c, now[cell]),
                     -multiply(law, weights.a, before));
    double sum = surroundings(law, ground, &weights, now, cell);
    return add(law, multiply(law, weights.d, sum), own);
}

double law_emitted(const struct law *law, const uint8_t *wall, size_t source,
                   size_t cell)
{
    if (wall[source] || wall[cell] || law->source == LAW_RICKER)
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

/* (1 − 2u) e^(−u), u = (ω(t − t0)/2)², with ω of the plane wave along an axis
 * of this wavelength, sin(ω/2) = √δ sin(π/λ) (π where there is none), and t0
 * late enough for u = 18 at the start. */
double law_driven(const struct law *law, const struct ground *ground,
                  size_t source, double value, int64_t age)
{
    if (ground->wall[source])
        return value;
    double sine = sqrt(ground->delta[source]) * sin(PI / law->wavelength);
    double omega = 2 * asin(sine < 1 ? sine : 1);
    double late = 1 + ceil(2 * sqrt(18) / omega);
    double phase = omega * ((double)age - late) / 2;
    double u = phase * phase;
    double pulse = law->amplitude * ((1 - 2 * u) * exp(-u));
    return add(law, value, law_rounded(law, pulse));
}

/* The value that is seen `step` away. */
static double beside(const struct law *law, const struct ground *ground,
                     const double *field, size_t cell, int x, int y, int z)
{
    for (int p = 0; p < law->stencil->points; p++) {
        const int *step = law->stencil->point[p].step;
        if (step[0] == x && step[1] == y && step[2] == z)
            return field[ground->seen[cell * 8 + (size_t)p]];
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

double law_gradient(const struct law *law, const struct ground *ground,
                    const double *field, size_t cell, int axis)
{
    if (ground->wall[cell])
        return 0;
    int x = axis == 0, y = axis == 1, z = axis == 2;
    double along = difference(law, ground, field, cell, x, y, z);
    if (law->stencil->points < 8)
        return multiply(law, 0.5, along);
    /* Averaged (1, 4, 1)/6 across, which is matched to the stencil; the
     * difference before the one behind across the axis comes first. */
    double before = add(law, beside(law, ground, field, cell, x - y, y - x, 0),
                        -beside(law, ground, field, cell, -1, -1, 0));
    double behind = add(law, beside(law, ground, field, cell, 1, 1, 0),
                        -beside(law, ground, field, cell, y - x, x - y, 0));
    return add(
        law, multiply(law, law_rounded(law, 1. / 12), add(law, before, behind)),
        multiply(law, law_rounded(law, 1. / 3), along));
}
