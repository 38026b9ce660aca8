/* SPDX-License-Identifier: MIT */
#include "view/cause.h"

#include <math.h>

const char *const cause_names[CAUSES] = { "phase",   "echo",  "standing",
                                          "stencil", "other", "unknown" };

const struct cause_limits cause_usual_limits = { .2, 1.0471975511965976 };

double cause_weight(int64_t step, int64_t period)
{
    double root = sin(acos(-1) * ((double)step + .5) / ((double)period + 1));
    return root * root;
}

void cause_add(struct cause_sums *sums, double weight, double before,
               double after, const double gradient[GRID_AXES],
               const double toward[GRID_AXES], double delta)
{
    double change = (after - before) / 2, largest = fabs(change), along = 0;
    sums->weight += weight;
    for (int axis = 0; axis < GRID_AXES; axis++)
        largest = fmax(largest, fabs(gradient[axis]));
    if (largest > sums->scale) {
        double smaller = sums->scale / largest;
        for (int axis = 0; axis < GRID_AXES; axis++)
            sums->flux[axis] *= smaller * smaller;
        sums->energy *= smaller * smaller;
        sums->scale = largest;
    }
    if (!(sums->scale > 0))
        return;
    change /= sums->scale;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double slope = gradient[axis] / sums->scale;
        along += slope * toward[axis];
        sums->flux[axis] -= weight * change * slope;
    }
    sums->energy += weight * (change * change / delta + along * along) / 2;
}

enum cause cause_of(const struct cause_sums *sums,
                    const double toward[GRID_AXES], double delta,
                    int64_t period, bool beside_wall,
                    const struct cause_limits *limits)
{
    /* The weights of a whole window sum to half its number of steps. */
    if (!(sums->energy > 0) || sums->weight < (double)(period + 1) / 4)
        return CAUSE_UNKNOWN;
    const double *s = sums->flux;
    double flux = hypot(hypot(s[0], s[1]), s[2]);
    double along = s[0] * toward[0] + s[1] * toward[1] + s[2] * toward[2];
    double within = flux * cos(limits->cone);
    if (flux < limits->standing * sqrt(delta) * sums->energy)
        return CAUSE_STANDING;
    if (along > 0 && along >= within)
        return CAUSE_ECHO;
    if (along < 0 && -along >= within)
        return CAUSE_PHASE;
    return beside_wall ? CAUSE_STENCIL : CAUSE_OTHER;
}

/* sin(q/2) of the lowest mode that varies across this number of cells; 0:
 * none. */
static double across(int cells, bool fixed)
{
    return cells ? sin(acos(-1) / (2 * (fixed ? cells + 1 : cells))) : 0;
}

double cause_cutoff(double delta, int width, int height, bool fixed)
{
    int larger = width > height ? width : height;
    double both = fixed ? hypot(across(width, true), across(height, true))
                        : across(larger, false);
    return 2 * asin(fmin(1, sqrt(delta) * both));
}

int64_t cause_period(double delta, int width, int height, bool fixed)
{
    double cutoff = cause_cutoff(delta, width, height, fixed);
    return (int64_t)floor(2 * acos(-1) / cutoff + .5);
}
