/* SPDX-License-Identifier: MIT */
#include "analysis/study/crest.h"

#include <math.h>

/* The crest of the lowest mode (crest.h). */
struct crest {
    double delta, least; /* S */
    double kappa, nu, speed, curve;
};

/* At y = 0, and the first zero of Ai(−y). */
static const double airy_value = 0.355028053887817239;
static const double airy_slope = 0.258819403792806798;
static const double airy_zero = 2.33810741045976704;

/* Ai(−y), 0 ≤ y ≤ airy_zero, by its series. */
static double airy(double y)
{
    double even = 1, odd = -y, value = even * airy_value - odd * airy_slope;
    for (int k = 3; k < 60; k += 3) {
        even *= -y * y * y / (k * (k - 1.));
        odd *= -y * y * y / (k * (k + 1.));
        value += even * airy_value - odd * airy_slope;
    }
    return value;
}

/* Where f is largest between low and high, of one maximum. */
static double largest_at(double (*f)(const struct crest *, double, double),
                         const struct crest *crest, double given, double low,
                         double high)
{
    for (int i = 0; i < 44; i++) {
        const double left = low + 0.382 * (high - low),
                     right = low + 0.618 * (high - low);
        if (f(crest, given, left) < f(crest, given, right))
            low = left;
        else
            high = right;
    }
    return 0.5 * (low + high);
}

/* sinh²(ν/2) */
static double square_at(const struct crest *crest, double kappa)
{
    return crest->delta * pow(sinh(kappa / 2), 2) - crest->least;
}

static double speed_at(const struct crest *crest, double kappa)
{
    const double square = square_at(crest, kappa);
    return crest->delta * sinh(kappa) / (2 * sqrt(square * (1 + square)));
}

static double slowness(const struct crest *crest, double unused, double kappa)
{
    (void)unused;
    return -speed_at(crest, kappa);
}

static void crest_make(struct crest *crest, double delta, int width)
{
    const double across = sin(acos(-1) / (2 * (width + 1.)));
    *crest = (struct crest){ .delta = delta, .least = delta * across * across };
    const double low = 2 * asinh(across);
    crest->kappa = largest_at(slowness, crest, 0, low * (1 + 1e-9), low + 8);
    crest->nu = 2 * asinh(sqrt(square_at(crest, crest->kappa)));
    crest->speed = speed_at(crest, crest->kappa);
    const double step = 0.03 * (crest->kappa - low);
    crest->curve = (speed_at(crest, crest->kappa + step) - 2 * crest->speed +
                    speed_at(crest, crest->kappa - step)) /
                   (step * step);
}

/* The logarithm of e^(νt − κs) Ai(−y)/b at the time t with Vt − s = yb. */
static double height_at(const struct crest *crest, double distance, double y)
{
    double time = distance / crest->speed, wide = 1;
    for (int i = 0; i < 12; i++) {
        wide = cbrt(crest->curve * time / 2);
        time = (distance + y * wide) / crest->speed;
    }
    return crest->nu * time - crest->kappa * distance + log(airy(y)) -
           log(wide);
}

double crest_reach(double delta, int width, double threshold,
                   const double *bends, size_t bend_count)
{
    struct crest crest;
    crest_make(&crest, delta, width);
    const double nodes = width + 1, tenth = fmax(1, 0.05 * width + 0.5);
    const double scale =
        log(2 / nodes * sin(acos(-1) * tenth / nodes) / (2 * sinh(crest.nu)));
    double low = 0, high = 1e6;
    for (int i = 0; i < 48; i++) {
        const double at = 0.5 * (low + high);
        double height = scale + height_at(&crest, at,
                                          largest_at(height_at, &crest, at, 0,
                                                     airy_zero * (1 - 1e-9)));
        for (size_t k = 0; k < bend_count && bends[k] < at; k++)
            height -= CREST_BEND * log(10);
        if (height < log(threshold))
            high = at;
        else
            low = at;
    }
    return 0.5 * (low + high);
}
