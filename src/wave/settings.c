/* SPDX-License-Identifier: MIT */
/* The names of the wave's settings, and their limits. */
#include "wave/wave.h"

#include <math.h>

const char *const wall_rule_names[] = { "fixed", "free", NULL };
const char *const edge_rule_names[] = { "mirror", "open", NULL };
const char *const precision_names[] = { "single", "double", NULL };
const char *const speed_form_names[] = { "c2-laplacian", "conservative", NULL };
const char *const wave_restart_names[] = { "lifetime", "on-arrival", "received",
                                           NULL };
const char *const source_names[] = { "impulse", "rest", "gaussian", "ricker",
                                     "signal",  "mode", NULL };

unsigned wave_open_sides(const struct wave_settings *settings, int dims)
{
    const unsigned all = (1u << 2 * dims) - 1;
    if (settings->has_edges)
        return settings->edges & all;
    return settings->edge == EDGE_OPEN ? all : 0;
}

double wave_sum_slope(double delta, double p)
{
    return 2 * sinh(p / 2) / sqrt(delta);
}

double wave_matched_speed(const struct stencil *stencil, double delta, double p,
                          double c)
{
    if (c == 1) /* most cells of a map */
        return 1;
    const double slope = wave_sum_slope(delta, p), fall = 2 * asinh(slope / 2);
    const double matched =
        slope / 2 / sinh(fall / (2 * fmax(c, WAVE_MATCHED_SLOWEST)));
    if (c < 1)
        return fmin(c, matched);
    return fmin(matched, fmax(c, sqrt(stencil->safe_delta / delta)));
}

void wave_matched_weights(const struct wave_settings *settings, double delta,
                          double weight[STENCIL_WEIGHTS])
{
    const double slope = wave_sum_slope(delta, settings->matched_p);
    stencil_match(settings->stencil, 2 * asinh(slope / 2), delta, weight);
}

/* Walls count too, because an event may make them free. A conservative face
 * never exceeds the larger δ of its two cells, so the same limit is valid for
 * both forms. */
bool wave_is_stable(const struct wave_settings *settings,
                    const struct terrain *terrain, double *largest,
                    double *limit)
{
    double fastest = terrain->speed ? 0 : 1;
    if (terrain->speed)
        for (size_t i = 0; i < grid_cells(&terrain->grid); i++)
            if (!(terrain->speed[i] <= fastest))
                fastest = terrain->speed[i];
    *largest = settings->delta * (fastest * fastest);
    *limit = settings->stencil->safe_delta;
    return *largest <= *limit;
}
