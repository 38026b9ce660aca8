/* SPDX-License-Identifier: MIT */
#include "wave/arrival/fall.h"

#include <string.h>

/* The dispersion law at k: its value, gradient and second derivatives. */
struct law {
    double value, gradient[GRID_AXES], second[GRID_AXES][GRID_AXES];
};

static struct law law_at(const struct stencil *stencil,
                         const double k[GRID_AXES])
{
    struct law law = { 0 };
    for (int i = 0; i < stencil->points; i++) {
        const struct stencil_point *point = &stencil->point[i];
        double phase = 0;
        for (int axis = 0; axis < GRID_AXES; axis++)
            phase += k[axis] * point->step[axis];
        law.value += point->weight * (cosh(phase) - 1);
        for (int a = 0; a < GRID_AXES; a++) {
            law.gradient[a] += point->weight * sinh(phase) * point->step[a];
            for (int b = 0; b < GRID_AXES; b++)
                law.second[a][b] += point->weight * cosh(phase) *
                                    point->step[a] * point->step[b];
        }
    }
    return law;
}

static double dot(const double a[GRID_AXES], const double b[GRID_AXES])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* x with m·x = b, by Cramer's rule. An axis that the stencil does not have
 * contains only zeros: its diagonal element becomes 1. */
static void solve(const double m[GRID_AXES][GRID_AXES],
                  const double b[GRID_AXES], double x[GRID_AXES])
{
    double a[GRID_AXES][GRID_AXES];
    memcpy(a, m, sizeof a);
    if (a[2][2] == 0)
        a[2][2] = 1;
    double c0 = a[1][1] * a[2][2] - a[1][2] * a[2][1];
    double c1 = a[1][2] * a[2][0] - a[1][0] * a[2][2];
    double c2 = a[1][0] * a[2][1] - a[1][1] * a[2][0];
    double det = a[0][0] * c0 + a[0][1] * c1 + a[0][2] * c2;
    for (int i = 0; i < GRID_AXES; i++) {
        int p = (i + 1) % GRID_AXES, q = (i + 2) % GRID_AXES;
        double sum = 0; /* row i of the inverse, by cofactors, times b */
        for (int j = 0; j < GRID_AXES; j++) {
            int r = (j + 1) % GRID_AXES, s = (j + 2) % GRID_AXES;
            sum += (a[r][p] * a[s][q] - a[r][q] * a[s][p]) * b[j];
        }
        x[i] = sum / det;
    }
}

/* max k·v over all k whose dispersion law has the value `total`: by Newton's
 * method with the quadratic approximation of the law at k. The law grows as
 * cosh, so a step farther than STEP from k would leave what is approximated. */
static double norm_of(const struct stencil *stencil, double total,
                      const double v[GRID_AXES])
{
    enum { ROUNDS = 100 };
    static const double STEP = 6;
    const double start = 2 * asinh(sqrt(total / 4)) / sqrt(dot(v, v));
    double k[GRID_AXES] = { start * v[0], start * v[1], start * v[2] };
    double value = 0, before = -1;
    for (int round = 0; round < ROUNDS && fabs(value - before) > 1e-13 * value;
         round++) {
        struct law law = law_at(stencil, k);
        double by_v[GRID_AXES], by_gradient[GRID_AXES];
        solve(law.second, v, by_v);
        solve(law.second, law.gradient, by_gradient);
        double most = (total - law.value + dot(law.gradient, by_gradient)) /
                      dot(law.gradient, by_v);
        double step[GRID_AXES], far = 0;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            step[axis] = most * by_v[axis] - by_gradient[axis];
            far = fmax(far, fabs(step[axis]));
        }
        for (int axis = 0; axis < GRID_AXES; axis++)
            k[axis] += far > STEP ? step[axis] * (STEP / far) : step[axis];
        before = value;
        value = dot(k, v);
    }
    return value;
}

/* The waves' stencil at speed 1, with its matched weights if they have some. */
static struct stencil stencil_of(const struct wave_settings *waves)
{
    struct stencil stencil = *waves->stencil;
    double weight[STENCIL_WEIGHTS];
    if (!waves->matched_weights)
        return stencil;
    wave_matched_weights(waves, waves->delta, weight);
    for (int kind = 0; kind < STENCIL_WEIGHTS; kind++)
        for (int i = stencil_first(&stencil, kind);
             i < stencil_first(&stencil, kind + 1); i++)
            stencil.point[i].weight = weight[kind];
    return stencil;
}

void fall_of_sum(const struct wave_settings *waves, double p, struct fall *fall)
{
    const double slope = wave_sum_slope(waves->delta, p);
    const struct stencil stencil = stencil_of(waves);
    *fall = (struct fall){ .stencil = waves->stencil,
                           .delta = waves->delta,
                           .p = p };
    for (int i = 0; i <= FALL_PARTS; i++)
        for (int j = 0; j <= FALL_PARTS; j++) {
            const double v[GRID_AXES] = { 1, (double)i / FALL_PARTS,
                                          (double)j / FALL_PARTS };
            /* The two largest components are the first ones; 2D has no
             * third. */
            fall->norm[i][j] = stencil.dims == 3 || j == 0
                                   ? norm_of(&stencil, slope * slope, v)
                                   : fall->norm[i][0];
        }
}

void fall_of_time(double speed, struct fall *fall)
{
    *fall = (struct fall){ .stencil = NULL };
    for (int i = 0; i <= FALL_PARTS; i++)
        for (int j = 0; j <= FALL_PARTS; j++)
            fall->norm[i][j] =
                sqrt(1 + (double)(i * i + j * j) / (FALL_PARTS * FALL_PARTS)) /
                speed;
}

void fall_of_difference(const struct fall *a, const struct fall *b, double by,
                        struct fall *fall)
{
    *fall = (struct fall){ .stencil = NULL };
    for (int i = 0; i <= FALL_PARTS; i++)
        for (int j = 0; j <= FALL_PARTS; j++)
            fall->norm[i][j] = (a->norm[i][j] - b->norm[i][j]) * by;
}

double fall_at_speed(const struct fall *fall, double speed)
{
    if (!fall->stencil || (speed >= WAVE_MATCHED_SLOWEST && speed <= 1))
        return 1 / speed;
    const double slope = wave_sum_slope(fall->delta, fall->p);
    const double matched =
        wave_matched_speed(fall->stencil, fall->delta, fall->p, speed);
    return asinh(slope / (2 * matched)) / asinh(slope / 2);
}
