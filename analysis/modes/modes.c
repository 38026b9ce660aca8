/* SPDX-License-Identifier: MIT */
#include "analysis/modes/modes.h"

#include <math.h>
#include <stdlib.h>

static double square(double x)
{
    return x * x;
}

struct mode_law mode_law(int mode, int width, bool fixed, double delta)
{
    double q = mode_name(mode, fixed) * pi / (fixed ? width + 1 : width);
    return (struct mode_law){ .delta = delta, .s = square(sin(q / 2)) };
}

void mode_shape(int mode, int width, bool fixed, double *out)
{
    double q = mode_name(mode, fixed) * pi / (fixed ? width + 1 : width);
    double sum = 0;
    for (int j = 0; j < width; j++) {
        out[j] = fixed ? sin(q * (j + 1)) : cos(q * (j + 0.5));
        sum += square(out[j]);
    }
    for (int j = 0; j < width; j++)
        out[j] /= sqrt(sum);
}

static int by_cutoff(const void *a, const void *b)
{
    const struct mode *p = a, *q = b;
    if (p->law.s < q->law.s || p->law.s > q->law.s)
        return p->law.s < q->law.s ? -1 : 1;
    return p->up != q->up ? (p->up > q->up) - (p->up < q->up)
                          : (p->across > q->across) - (p->across < q->across);
}

void mode_list(int width, int height, bool fixed, double delta,
               struct mode *modes)
{
    struct mode *next = modes;
    for (int up = height ? 0 : -1; up < height; up++)
        for (int across = 0; across < width; across++) {
            struct mode_law law = mode_law(across, width, fixed, delta);
            if (up >= 0)
                law.s += mode_law(up, height, fixed, delta).s;
            *next++ = (struct mode){ across, up, law };
        }
    qsort(modes, (size_t)(next - modes), sizeof *modes, by_cutoff);
}

void mode_section(const struct mode *mode, int width, int height, bool fixed,
                  double *out)
{
    mode_shape(mode->across, width, fixed, out);
    if (mode->up < 0)
        return;
    /* The rows from the last one on, because the first contains the shape
     * across. */
    double sum = 0;
    for (int l = height; l-- > 0;) {
        double q =
            mode_name(mode->up, fixed) * pi / (fixed ? height + 1 : height);
        double part = fixed ? sin(q * (l + 1)) : cos(q * (l + 0.5));
        sum += square(part);
        for (int j = 0; j < width; j++)
            out[l * width + j] = part * out[j];
    }
    for (int i = 0; i < width * height; i++)
        out[i] /= sqrt(sum);
}

double mode_frequency(const struct mode_law *law, double k)
{
    return 2 * asin(fmin(1, sqrt(law->delta * (square(sin(k / 2)) + law->s))));
}

double mode_cutoff(const struct mode_law *law)
{
    return mode_frequency(law, 0);
}

double mode_top(const struct mode_law *law)
{
    return mode_frequency(law, pi);
}

double mode_speed(const struct mode_law *law, double k)
{
    double frequency = mode_frequency(law, k);
    return frequency > 0 && frequency < pi
               ? law->delta * sin(k) / sin(frequency)
               : sqrt(law->delta);
}

/* With x = sin²(k/2) and S = sin²(ω/2) = δ(x + s), (dω/dk)² is
 * δ² x(1 − x)/(S(1 − S)). Its derivative by x is 0 where
 * (1 − δ − 2δs)x² + 2s(1 − δs)x − s(1 − δs) = 0; this root is in 0 … 1. */
double mode_fastest(const struct mode_law *law, double *k)
{
    const double b = law->s * (1 - law->delta * law->s);
    const double a = 1 - law->delta - 2 * law->delta * law->s;
    *k = b > 0 ? 2 * asin(sqrt(b / (b + sqrt(fmax(0, b * (a + b)))))) : 0;
    return mode_speed(law, *k);
}

double mode_cosine(const struct mode_law *law, double frequency)
{
    return 1 + 2 * (law->s - square(sin(frequency / 2)) / law->delta);
}
